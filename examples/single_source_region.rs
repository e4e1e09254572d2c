//! Heat on a torus from one Rust function, over arrays that stay on all devices:
//! `cargo run --release --example single_source_region [SIZE [STEPS]]`.
//!
//! `#[kernel]` makes the loop for CPU cores, CUDA C and OpenCL C. The region divides the arrays by rows, exchanges the ghost
//! rows that the kernel's indices reach, and refuses a halo that is too small for them.

use apportion::prelude::*;
use apportion::region::Edge;

/// A step of row `i` of `m` cells. The kernel wraps columns around, the array's edge wraps rows: rows -1 and n are ghost rows.
#[kernel]
pub fn diffuse(i: usize, m: usize, k: f64, old: &[f64], new: &mut [f64]) {
    for j in 0..m {
        let at = i * m + j;
        let sides = if j > 0 && j + 1 < m {
            old[at - 1] + old[at + 1]
        } else {
            old[i * m + (j + m - 1) % m] + old[i * m + (j + 1) % m]
        };
        new[at] = old[at] + k * (sides + old[at - m] + old[at + m] - 4.0 * old[at]);
    }
}

/// The heat of row `i`.
#[kernel]
pub fn heat(i: usize, m: usize, t: &[f64]) -> f64 {
    let mut sum = 0.0;
    for j in 0..m {
        sum += t[i * m + j];
    }
    sum
}

/// `steps` steps over `n` x `n` cells; the middle one is hot at first.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    let (mut a, mut b) = (vec![0.0f64; n * n], vec![0.0f64; n * n]);
    a[n / 2 * n + n / 2] = 1000.0;
    let mut region = rt.data_region();
    let mut old = region.tofrom(&mut a, [n, n].halo(1).edge(Edge::Periodic).named("a"));
    let mut new = region.tofrom(&mut b, [n, n].halo(1).edge(Edge::Periodic).named("b"));
    for _ in 0..steps {
        region.parallel_for(0..n, diffuse(n, 0.2, old, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    let total: f64 = region.parallel_for(0..n, heat(n, old)).reduce(Sum)?;
    print!("{}{}", diffuse::maps(), region.finish()?);

    let hottest = if steps.is_multiple_of(2) { &a } else { &b }.iter().fold(0.0f64, |most, t| most.max(*t));
    println!("{n} x {n}, {steps} steps: all heat {total:.6}, at most {hottest:.6} in a cell");
    assert!((total - 1000.0).abs() < 1e-6, "no heat is lost or made: {total}");
    assert!(steps == 0 || hottest < 250.0, "it spreads: {hottest}");
    Ok(())
}

fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => text.parse().map_err(|_| Error::call(format!("`{text}` is no number: [SIZE [STEPS]]"))),
        None => Ok(usual),
    };
    run(&Runtime::detect()?, number(1, 512)?, number(2, 200)?)
}
