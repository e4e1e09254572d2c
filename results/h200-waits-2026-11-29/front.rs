//! A loop of 64 iterations over a region on the host alone, all of it the host's part: each, and the binding of its arguments alone; `NAME ROUNDS`.
use apportion::prelude::*;
use std::time::Instant;
#[kernel]
pub fn step(i: usize, alpha: f64, p: &[f64], q: &[f64], x: &mut [f64], r: &mut [f64]) -> f64 {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    r[i] * r[i]
}
fn main() -> Result<()> {
    let rounds: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let rt = Runtime::detect()?;
    let n = 64;
    let (p, q, mut x, mut r) = (vec![1.0; n], vec![1.0; n], vec![1.0; n], vec![1.0; n]);
    let mut region = rt.data_region().devices("0");
    let (p_, q_) = (region.to(&p, [n]), region.to(&q, [n]));
    let (x_, r_) = (region.tofrom(&mut x, [n]), region.tofrom(&mut r, [n]));
    let mut sum = 0.0;
    let start = Instant::now();
    for _ in 0..rounds {
        sum += std::hint::black_box(region.parallel_for(0..n, step(1e-3, p_, q_, x_, r_))).reduce::<f64>(Sum)?;
    }
    println!("{:?} each, {sum}", start.elapsed() / rounds as u32);
    let start = Instant::now();
    for _ in 0..rounds { std::hint::black_box(step(1e-3, p_, q_, x_, r_)); }
    println!("bind {:?} each", start.elapsed() / rounds as u32);
    region.finish()?;
    Ok(())
}
