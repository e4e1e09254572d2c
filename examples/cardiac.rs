//! A wave of excitation in heart tissue, on all devices: `cargo run --release --example cardiac [SIZE [STEPS]]`.
//!
//! Aliev and Panfilov's model. A step reads one array with a halo, updates one in place and writes one. The tissue is mirrored at
//! its ends: the arrays' edges are reflecting. Every 100 steps the excitation is copied to the host and counted.

use apportion::prelude::*;
use apportion::region::Edge;

/// The excitation of a cell after a step; `around` is the sum of its four neighbours'.
#[kernel(helper)]
pub fn excited(around: f64, e: f64, r: f64) -> f64 {
    let e = e + 0.2 * (around - 4.0 * e);
    e - 0.05 * (8.0 * e * (e - 0.1) * (e - 1.0) + e * r)
}

/// The recovery of a cell after a step; `e` is its new excitation.
#[kernel(helper)]
pub fn recovered(e: f64, r: f64) -> f64 {
    r - 0.05 * (0.01 + 0.07 * r / (e + 0.3)) * (r + 8.0 * e * (e - 1.1))
}

/// A step of row `i` of `m` cells. Columns are mirrored here; rows -1 and n are ghost rows.
#[kernel]
pub fn step(i: usize, m: usize, old: &[f64], r: &mut [f64], new: &mut [f64]) {
    for j in 0..m {
        let at = i * m + j;
        let sides = if j > 0 && j + 1 < m {
            old[at - 1] + old[at + 1]
        } else if j == 0 {
            old[at + 1] + old[at + 1]
        } else {
            old[at - 1] + old[at - 1]
        };
        let e: f64 = excited(sides + (old[at - m] + old[at + m]), old[at], r[at]);
        r[at] = recovered(e, r[at]);
        new[at] = e;
    }
}

/// `steps` steps over `n` x `n` cells, a quarter of which is excited at first and another has not recovered yet.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    if n < 2 {
        return Err(Error::call(format!("the tissue needs at least 2 cells in each direction, not {n}")));
    }
    let start: Vec<f64> = (0..n * n).map(|at| if at % n < n / 4 { 1.0 } else { 0.0 }).collect();
    let tired: Vec<f64> = (0..n * n).map(|at| if at / n < n / 4 { 1.0 } else { 0.0 }).collect();
    let (mut e0, mut e1, mut r) = (start.clone(), start.clone(), tired.clone());

    let mut region = rt.data_region();
    let mirrored = [n, n].halo(1).edge(Edge::Reflecting);
    let mut old = region.tofrom(&mut e0, mirrored.clone().named("e0"));
    let mut new = region.tofrom(&mut e1, mirrored.named("e1"));
    let recovery = region.tofrom(&mut r, [n, n].named("r"));
    for number in 0..steps {
        if number % 100 == 0 {
            region.update_from(old)?; // the devices keep it too
            let excited = region.host(old)?.iter().filter(|&&e| e > 0.5).count();
            println!("step {number:>5}: {:>3} % of the tissue are excited", 100 * excited / (n * n));
        }
        region.parallel_for(0..n, step(n, old, recovery, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    print!("{}", region.finish()?);

    let e = if steps.is_multiple_of(2) { &e0 } else { &e1 };
    let expected = sequential(n, steps, start, tired);
    let off =
        e.iter().zip(&expected.0).chain(r.iter().zip(&expected.1)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("{n} x {n}, {steps} steps; at most {off:.1e} off a sequential run");
    assert!(off < 1e-9, "off by {off}");
    Ok(())
}

/// The same steps, one cell after the other: excitation and recovery.
fn sequential(n: usize, steps: usize, mut old: Vec<f64>, mut r: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let mut new = old.clone();
    let (before, after) =
        (|at: usize| if at == 0 { 1 } else { at - 1 }, |at: usize| if at == n - 1 { n - 2 } else { at + 1 });
    for _ in 0..steps {
        for (i, j) in (0..n * n).map(|at| (at / n, at % n)) {
            let e = |i: usize, j: usize| old[i * n + j];
            let around = e(i, before(j)) + e(i, after(j)) + (e(before(i), j) + e(after(i), j));
            new[i * n + j] = excited(around, e(i, j), r[i * n + j]);
            r[i * n + j] = recovered(new[i * n + j], r[i * n + j]);
        }
        std::mem::swap(&mut old, &mut new);
    }
    (old, r)
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("SIZE and STEPS are numbers"));
    run(&Runtime::detect()?, numbers.next().unwrap_or(256), numbers.next().unwrap_or(500))
}
