use apportion::prelude::*;
use apportion::region::Dims;
use std::time::Instant;

#[kernel]
fn fir(i: usize, n: usize, x: &[f32], w: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..n {
        s += x[i + j] * w[j];
    }
    y[i] = s;
}

fn main() -> Result<()> {
    let rt = Runtime::detect()?;
    println!("taps,iterations,sweeps,us_per_sweep");
    for n in [64usize, 256, 1024] {
        for count in [8192usize, 32_768, 131_072, 1 << 20] {
            let (x, w, mut y) = (vec![0.5f32; count + n], vec![0.25f32; n], vec![0.0f32; count]);
            let mut region = rt.data_region().devices("0:*:NVGPU");
            let x_ = region.to(&x, [count + n].full());
            let w_ = region.to(&w, [n].full());
            let y_ = region.from(&mut y, [count]);
            let mut times = Vec::new();
            for round in 0..8 {
                let sweeps = 20;
                let start = Instant::now();
                for _ in 0..sweeps {
                    region.parallel_for(0..count, fir(n, x_, w_, y_)).run()?;
                }
                region.wait()?;
                if round > 0 {
                    times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(sweeps));
                }
            }
            times.sort_by(f64::total_cmp);
            println!("{n},{count},20,{:.2}", times[times.len() / 2]);
            region.finish()?;
            assert!(y.iter().all(|&y| y == 0.125 * n as f32));
        }
    }
    Ok(())
}
