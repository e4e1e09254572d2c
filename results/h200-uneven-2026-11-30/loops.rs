use apportion::prelude::*;
use std::time::Instant;
#[kernel]
pub fn scale(i: usize, a: f64, x: &[f64], y: &mut [f64]) {
    y[i] = a * x[i];
}
#[kernel]
pub fn dot(i: usize, x: &[f64], y: &[f64]) -> f64 {
    x[i] * y[i]
}
#[kernel]
pub fn turn(i: usize, next: f64, left: f64, r: &[f64], p: &mut [f64]) {
    p[i] = r[i] + next / left * p[i];
}
fn main() -> Result<()> {
    let names = std::env::args().nth(1).unwrap_or("1".into());
    let n: usize = std::env::args().nth(2).map_or(10_000, |t| t.parse().unwrap());
    let k: usize = std::env::args().nth(3).map_or(5000, |t| t.parse().unwrap());
    let rt = Runtime::detect_only(names.as_str())?;
    let (x, mut y) = (vec![1.0; n], vec![2.0; n]);
    let mut region = rt.data_region();
    let (x, y) = (region.to(&x, [n]), region.tofrom(&mut y, [n]));
    for _ in 0..20 {
        region.parallel_for(0..n, scale(1.0, x, y)).run()?;
    }
    for round in 0..3 {
        region.wait()?;
        let t = Instant::now();
        for _ in 0..k {
            region.parallel_for(0..n, scale(1.0, x, y)).run()?;
        }
        let begun = t.elapsed();
        region.wait()?;
        let all = t.elapsed();
        let t = Instant::now();
        for _ in 0..k {
            let _ = region.parallel_for(0..n, dot(x, y)).reduce_later::<f64>(Sum)?;
        }
        region.wait()?;
        let later = t.elapsed();
        let t = Instant::now();
        let mut left = Later::from(1.0);
        for _ in 0..k {
            let next = region.parallel_for(0..n, dot(x, y)).reduce_later::<f64>(Sum)?;
            region.parallel_for(0..n, turn(&next, &left, x, y)).run()?;
            left = next;
        }
        region.wait()?;
        let pair = t.elapsed();
        let t = Instant::now();
        for _ in 0..k.min(1000) {
            region.parallel_for(0..n, dot(x, y)).reduce::<f64>(Sum)?;
        }
        let waited = t.elapsed() * (k / k.min(1000)) as u32;
        let us = |d: std::time::Duration| d.as_secs_f64() * 1e6 / k as f64;
        if round > 0 {
            println!(
                "{names}: {n} rows: run {:.2} us (begun after {:.2}), reduce_later {:.2}, with a loop that takes it {:.2}, reduce {:.2}",
                us(all),
                us(begun),
                us(later),
                us(pair),
                us(waited)
            );
        }
    }
    region.finish()?;
    Ok(())
}
