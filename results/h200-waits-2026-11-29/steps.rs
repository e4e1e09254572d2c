//! Times each call of a step of conjugate gradients, and some others: `cargo run --release --example NAME POINTS ROUNDS DEVICES`.
use apportion::prelude::*;
use apportion::region::Dims;
use std::time::Instant;

#[kernel]
#[map(starts: full, columns: full, values: full, p: full)]
pub fn product(i: usize, starts: &[u32], columns: &[u32], values: &[f64], p: &[f64], q: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * p[columns[k] as usize];
    }
    q[i] = sum;
    sum * p[i]
}
#[kernel]
#[map(starts: full, columns: full, values: full, p: full)]
pub fn product_only(i: usize, starts: &[u32], columns: &[u32], values: &[f64], p: &[f64], q: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * p[columns[k] as usize];
    }
    q[i] = sum;
}
#[kernel]
pub fn step(i: usize, alpha: f64, p: &[f64], q: &[f64], x: &mut [f64], r: &mut [f64]) -> f64 {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    r[i] * r[i]
}
#[kernel]
pub fn step_only(i: usize, alpha: f64, p: &[f64], q: &[f64], x: &mut [f64], r: &mut [f64]) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
}
#[kernel]
pub fn turn(i: usize, beta: f64, r: &[f64], p: &mut [f64]) {
    p[i] = r[i] + beta * p[i];
}
#[kernel]
pub fn square(i: usize, r: &[f64]) -> f64 {
    r[i] * r[i]
}
fn plate(m: usize) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..m {
        for j in 0..m {
            let beside = [(i > 0, i.wrapping_sub(1), j), (j > 0, i, j.wrapping_sub(1)), (j + 1 < m, i, j + 1), (i + 1 < m, i + 1, j)];
            let mut row = vec![(i * m + j, 4.0)];
            row.extend(beside.iter().filter(|(is, ..)| *is).map(|(_, i, j)| (i * m + j, -1.0)));
            row.sort_unstable_by_key(|(column, _)| *column);
            columns.extend(row.iter().map(|(column, _)| *column as u32));
            values.extend(row.iter().map(|(_, value)| *value));
            starts.push(columns.len() as u32);
        }
    }
    (starts, columns, values)
}
fn say(name: &str, times: &mut Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let n = times.len();
    if n > 0 { println!("{name}: median {:.1} us, quartiles {:.1} {:.1}", times[n / 2] * 1e6, times[n / 4] * 1e6, times[3 * n / 4] * 1e6); }
}
fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let m: usize = args.next().unwrap().parse().unwrap();
    let rounds: usize = args.next().unwrap().parse().unwrap();
    let devices = args.next().unwrap_or("cuda:0".into());
    let rt = Runtime::detect()?;
    let n = m * m;
    let (starts, columns, values) = plate(m);
    let heat: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 2.0).collect();
    let (mut x, mut r, mut p, mut all) = (vec![0.0; n], heat.clone(), heat.clone(), heat.clone());
    let mut region = rt.data_region().devices(&devices);
    let (s_, c_, v_) = (region.to(&starts, [n + 1].full()), region.to(&columns, [columns.len()].full()), region.to(&values, [values.len()].full()));
    let (x_, r_, p_) = (region.tofrom(&mut x, [n]), region.tofrom(&mut r, [n]), region.tofrom(&mut p, [n]));
    let q = region.alloc::<f64>([n]);
    let all_ = region.tofrom(&mut all, [n].full());
    let mut left: f64 = heat.iter().map(|v| v * v).sum();
    let mut t: [Vec<f64>; 10] = Default::default();
    let only = std::env::var_os("ONLY_CG").is_some();
    for k in 0..rounds + 40 {
        let mut at = Instant::now();
        let mut lap = |which: usize, t: &mut [Vec<f64>; 10]| { if k >= 40 { t[which].push(at.elapsed().as_secs_f64()); } at = Instant::now(); };
        let along: f64 = region.parallel_for(0..n, product(s_, c_, v_, all_, q)).reduce(Sum)?;
        lap(0, &mut t);
        let next: f64 = region.parallel_for(0..n, step(left / along, p_, q, x_, r_)).reduce(Sum)?;
        lap(1, &mut t);
        region.parallel_for(0..n, turn(next / left, r_, p_)).run()?;
        lap(2, &mut t);
        region.wait()?;
        lap(3, &mut t);
        region.copy(p_, all_)?;
        lap(4, &mut t);
        left = next;
        if only { continue }
        region.parallel_for(0..n, step_only(0.0, p_, q, x_, r_)).run()?;
        region.wait()?;
        lap(5, &mut t);
        region.parallel_for(0..n, product_only(s_, c_, v_, all_, q)).run()?;
        region.wait()?;
        lap(6, &mut t);
        let _: f64 = region.parallel_for(0..n, square(r_)).reduce(Sum)?;
        lap(7, &mut t);
        let _: f64 = region.parallel_for(0..1000, square(r_)).reduce(Sum)?;
        lap(8, &mut t);
        region.parallel_for(0..1000, step_only(0.0, p_, q, x_, r_)).run()?;
        region.wait()?;
        lap(9, &mut t);
    }
    for (name, times) in ["product", "step", "turn", "  and wait", "copy", "step_only+wait", "product_only+wait", "square", "square of 1000", "step_only of 1000"].iter().zip(&mut t) { say(name, times); }
    print!("{}", region.finish()?);
    Ok(())
}
