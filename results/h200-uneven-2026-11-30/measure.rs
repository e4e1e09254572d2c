//! Times sparse products by the region API on the matrices of bench.cu: median us of a kernel by host-known lengths ("known"), and where
//! only the device has them ("by data"); also the width and the form that the host chose. `SOURCE=1` prints the CUDA C instead.
//! `measure [MATRIX]`; results are compared with the host's.
use apportion::kernel::{Bound, CudaVariant};
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
#[map(starts: full, values: full)]
fn norm(i: usize, starts: &[u32], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * values[k];
    }
    sum.sqrt()
}

/// -DAP_LINE=.. of the text that host arrays give (16 iterations; a region looks at 64).
fn form(bound: &Bound<'_>) -> String {
    let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() else { return "none".into() };
    let words = source.compiler_options();
    words.split(' ').filter(|word| word.contains("AP_LINE=") || word.contains("CAPPED")).collect::<Vec<_>>().join(" ")
}

/// The median of 9 times 20 loops, in us for a loop, after one warm-up; 3 times 1 where a loop is slow.
fn median(mut sweep: impl FnMut(usize) -> Result<()>) -> Result<f64> {
    sweep(1)?;
    let start = Instant::now();
    sweep(1)?;
    let (rounds, each) = if start.elapsed().as_secs_f64() > 5e-3 { (3, 1) } else { (9, 20) };
    let mut times = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        sweep(each)?;
        times.push(start.elapsed().as_secs_f64() * 1e6 / each as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / 9007199254740992.0
    }
}

fn main() -> Result<()> {
    if std::env::var_os("SOURCE").is_some() {
        println!("{}", spmv::cuda_source());
        return Ok(());
    }
    let only = std::env::args().nth(1);
    let (m, few) = (1_000_000usize, 100_000usize);
    let rt = Runtime::detect()?;
    println!("matrix,rows,elements,longest,form by 16,spmv known,spmv by data,norm known,norm by data");
    type Length = fn(&mut Random, usize) -> f64;
    let all: [(&str, usize, usize, Length); 8] = [
        ("5", m, m / 1000, |_, _| 5.0),
        ("27", m, m / 100, |_, _| 27.0),
        ("3..60", m, m / 100, |r, _| (3 + r.next() % 58) as f64),
        ("log 3..4000", few * 4 / 5, few / 10, |r, _| 3.0 * (r.uniform() * (4000.0f64 / 3.0).ln()).exp()),
        ("uneven as before", m, m / 10, |r, _| (3.0 / r.uniform().powf(0.7)).min(4000.0)),
        ("power 2.1", m, m / 10, |r, _| (4.0 / r.uniform().powf(1.0 / 1.1)).min(100_000.0)),
        ("5 and one long", m, m / 1000, |_, i| if i == 333_333 { 1e6 } else { 5.0 }),
        ("300", few, few / 10, |_, _| 300.0),
    ];
    for (name, n, spread, length) in all {
        let mut random = Random(88172645463325252);
        let mut starts = vec![0u32];
        for i in 0..n {
            starts.push(starts[i] + length(&mut random, i) as u32);
        }
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let size = starts[n] as usize;
        let longest = starts.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        let mut columns = Vec::with_capacity(size);
        for i in 0..n {
            for _ in starts[i]..starts[i + 1] {
                columns.push(((i + (random.next() >> 20) as usize % (2 * spread + 1) + 2 * n - spread) % n) as u32);
            }
        }
        let values: Vec<f64> = (0..size).map(|k| 1.0 + (k % 3) as f64 + 0.1 * (k % 11) as f64).collect();
        let x: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let (mut product, mut norms) = (vec![0.0; n], 0.0);
        for i in 0..n {
            let of = starts[i] as usize..starts[i + 1] as usize;
            product[i] = of.clone().map(|k| values[k] * x[columns[k] as usize]).sum();
            norms += of.map(|k| values[k] * values[k]).sum::<f64>().sqrt();
        }
        let mut y = vec![0.0; n];
        let form = form(&spmv(&starts, &columns, &values, &x, &mut y));
        let mut region = rt.data_region().devices("0:*:NVGPU");
        let (starts_, columns_) = (region.to(&starts, [n + 1].full()), region.to(&columns, [size].full()));
        let (values_, x_) = (region.to(&values, [size].full()), region.to(&x, [n].full()));
        let made = region.alloc::<u32>([n + 1].full());
        let y_ = region.from(&mut y, [n]);
        region.parallel_for(0..n, spmv(starts_, columns_, values_, x_, y_)).run()?;
        region.copy(starts_, made)?;
        let mut times = Vec::new();
        for of in [starts_, made] {
            times.push(median(|each| {
                for _ in 0..each {
                    region.parallel_for(0..n, spmv(of, columns_, values_, x_, y_)).run()?;
                }
                region.wait()
            })?);
            region.update_from(y_)?;
            let got = region.host(y_)?;
            let wrong = (0..n).find(|&i| (got[i] - product[i]).abs() > 1e-9 * product[i].abs());
            assert!(wrong.is_none(), "{name}: row {wrong:?}");
        }
        for of in [starts_, made] {
            times.push(median(|each| {
                let mut later = Vec::new();
                for _ in 0..each {
                    later.push(region.parallel_for(0..n, norm(of, values_)).reduce_later::<f64>(Sum)?);
                }
                for value in later {
                    let value = region.value(value)?;
                    assert!((value / norms - 1.0).abs() < 1e-9, "{name}: {value}, not {norms}");
                }
                Ok(())
            })?);
        }
        region.finish()?;
        let times: Vec<String> = times.iter().map(|us| format!("{us:.1}")).collect();
        println!("{name},{n},{size},{longest},{form},{}", times.join(","));
    }
    Ok(())
}
