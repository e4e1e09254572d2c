//! Sparse products in data regions: lines as wide as the caller's arrays say (`told`), and by data (`by data`), where only the
//! device has the rows' ends. Medians of eight rows of 20 loops, us for a loop, all in one table.

use apportion::prelude::*;
use apportion::region::Dims;
use std::time::Instant;

#[kernel]
#[map(starts: full, columns: full, values: full, x: full)]
fn spmv(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

#[kernel]
fn limited(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..most.min(n) {
        y[i * n + j] += 2.0 * x[i * n + j];
    }
}

fn median(mut sweep: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = Instant::now();
        sweep()?;
        times.push(start.elapsed().as_secs_f64() * 1e6 / 20.0);
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn main() -> Result<()> {
    let devices = std::env::args().nth(1).unwrap_or_else(|| "0:*:NVGPU".to_owned());
    let rt = Runtime::detect()?;
    println!("rows,elements,told,by data,first told loop");
    let random = |i: usize| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    type Lengths<'l> = &'l dyn Fn(usize) -> usize;
    let sets: [(usize, &str, Lengths<'_>); 8] = [
        (1_000_000, "1 to 7", &|i| 1 + random(i) % 7),
        (1_000_000, "7", &|_| 7),
        (1_000_000, "27", &|_| 27),
        (300_000, "48 to 80", &|i| 48 + random(i) % 33),
        (50_000, "200 to 399", &|i| 200 + random(i) % 200),
        (1_000_000, "3 to 4000, most few", &|i| if random(i) % 256 == 0 { 1000 + random(i + 7) % 3000 } else { 3 + random(i) % 29 }),
        (20_000, "5", &|_| 5),
        (5_000, "100", &|_| 100),
    ];
    for (n, name, length) in sets {
        let mut starts = vec![0u32];
        (0..n).for_each(|i| starts.push(starts[i] + length(i) as u32));
        let size = starts[n] as usize;
        let mut columns = vec![0u32; size];
        for i in 0..n {
            for k in starts[i] as usize..starts[i + 1] as usize {
                columns[k] = ((i + random(k) % 1000) % n) as u32;
            }
        }
        let (values, x, mut y) = (vec![1.0f64; size], vec![0.5f64; n], vec![0.0f64; n]);
        let expected: Vec<f64> = (0..n).map(|i| 0.5 * length(i) as f64).collect();
        let mut region = rt.data_region().devices(devices.as_str());
        let (starts_, columns_) = (region.to(&starts, [n + 1].full()), region.to(&columns, [size].full()));
        let (values_, x_) = (region.to(&values, [size].full()), region.to(&x, [n].full()));
        let (y_, made) = (region.from(&mut y, [n]), region.alloc::<u32>([n + 1].full()));
        let begin = Instant::now();
        region.parallel_for(0..n, spmv(starts_, columns_, values_, x_, y_)).run()?;
        region.wait()?;
        let first = begin.elapsed().as_secs_f64() * 1e6;
        region.copy(starts_, made)?;
        let mut us = [0.0; 2];
        for (us, of) in us.iter_mut().zip([starts_, made]) {
            *us = median(|| {
                for _ in 0..20 {
                    region.parallel_for(0..n, spmv(of, columns_, values_, x_, y_)).run()?;
                }
                region.wait()
            })?;
            region.update_from(y_)?;
            assert!(region.host(y_)? == expected);
        }
        region.finish()?;
        println!("{n},{name},{:.1},{:.1},{first:.0}", us[0], us[1]);
    }
    println!("limited rows: rows,length,most,us");
    for (n, m) in [(100_000usize, 64usize), (1000, 4096)] {
        let (x, mut y) = (vec![0.5f32; n * m], vec![0.0f32; n * m]);
        let mut region = rt.data_region().devices(devices.as_str());
        let (x_, y_) = (region.to(&x, [n, m]), region.tofrom(&mut y, [n, m]));
        for most in [m, usize::MAX] {
            let us = median(|| {
                for _ in 0..20 {
                    region.parallel_for(0..n, limited(m, most, x_, y_)).run()?;
                }
                region.wait()
            })?;
            println!("{n},{m},{most},{us:.1}");
        }
        region.finish()?;
    }
    Ok(())
}
