use apportion::prelude::*;
use apportion::region::Dims;
use apportion::error::Phase;
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
fn norms(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
    let mut sum = 0.0;
    for k in 0..m {
        sum += x[i * m + k] * x[i * m + k];
    }
    y[i] = sum.sqrt();
}

#[kernel]
fn total(i: usize, m: usize, x: &[f32]) -> f64 {
    let mut sum = 0.0;
    for k in 0..m {
        sum += x[i * m + k] as f64 * x[i * m + k] as f64;
    }
    sum.sqrt()
}

/// The median of eight rows of 20 loops, in us for a loop.
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
    let rt = Runtime::detect()?;
    println!("kernel,iterations,turns,us");
    for m in [3usize, 8, 16, 32, 64, 128, 512] {
        for n in [100_000usize, 1_000_000] {
            let (x, mut y) = (vec![0.5f32; n * m], vec![0.0f32; n]);
            let mut region = rt.data_region().devices("0:*:NVGPU");
            let x_ = region.to(&x, [n, m]);
            let y_ = region.from(&mut y, [n]);
            let us = median(|| {
                for _ in 0..20 {
                    region.parallel_for(0..n, norms(m, x_, y_)).run()?;
                }
                region.wait()
            })?;
            println!("norms,{n},{m},{us:.1}");
            let expected = (0.25 * m as f64).sqrt();
            let us = median(|| {
                let mut later = Vec::new();
                for _ in 0..20 {
                    later.push(region.parallel_for(0..n, total(m, x_)).reduce_later::<f64>(Sum)?);
                }
                for value in later {
                    assert!((region.value(value)? / (n as f64 * expected) - 1.0).abs() < 1e-9);
                }
                Ok(())
            })?;
            println!("total,{n},{m},{us:.1}");
            region.finish()?;
            assert!(y.iter().all(|&y| (f64::from(y) - expected).abs() < 1e-4));
        }
    }
    let n = 1_000_000;
    for m in [4usize, 7, 27, 64] {
        let starts: Vec<u32> = (0..=n).map(|i| (i * m) as u32).collect();
        let columns: Vec<u32> = (0..n * m).map(|k| ((k / m + k * 7919 % 1000) % n) as u32).collect();
        let (values, x, mut y) = (vec![1.0f64; n * m], vec![0.5f64; n], vec![0.0f64; n]);
        let mut region = rt.data_region().devices("0:*:NVGPU");
        let (starts_, columns_) = (region.to(&starts, [n + 1].full()), region.to(&columns, [n * m].full()));
        let (values_, x_) = (region.to(&values, [n * m].full()), region.to(&x, [n].full()));
        let y_ = region.from(&mut y, [n]);
        let us = median(|| {
            for _ in 0..20 {
                region.parallel_for(0..n, spmv(starts_, columns_, values_, x_, y_)).run()?;
            }
            region.wait()
        })?;
        println!("spmv,{n},{m},{us:.1}");
        region.finish()?;
        assert!(y.iter().all(|&y| y == 0.5 * m as f64));
        // A plain loop, whose arrays come from the host's memory; its kernel's time.
        let mut kernel = Vec::new();
        for _ in 0..5 {
            let mut y = vec![0.0; n];
            let bound = spmv(&starts, &columns, &values, &x, &mut y);
            let report = rt.parallel_for(0..n, bound).devices("0:*:NVGPU").policy("BLOCK").run()?;
            kernel.push(report.devices.iter().map(|device| device.phases[Phase::Kernel].0 * 1e6).sum::<f64>());
            assert!(y.iter().all(|&y| y == 0.5 * m as f64));
        }
        kernel.sort_by(f64::total_cmp);
        println!("spmv from the host (kernel),{n},{m},{:.1}", kernel[2]);
    }
    Ok(())
}
