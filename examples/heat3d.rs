//! The heat equation in a block with periodic edges, on all devices:
//! `cargo run --release --example heat3d [SIZE [STEPS]]`.
//!
//! Planes are divided over the devices. The ghost before the first plane is the last plane: the arrays' edges are periodic.

use apportion::prelude::*;
use apportion::region::Edge;

/// A step of plane `i` of `m` x `m` cells. The kernel wraps around within a plane; planes -1 and n are ghost planes.
#[kernel]
pub fn step(i: usize, m: usize, k: f64, old: &[f64], new: &mut [f64]) {
    for j in 0..m {
        for l in 0..m {
            let plane = i * m * m;
            let at = plane + j * m + l;
            let row = old[plane + j * m + (l + m - 1) % m] + old[plane + j * m + (l + 1) % m];
            let column = old[plane + (j + m - 1) % m * m + l] + old[plane + (j + 1) % m * m + l];
            new[at] = old[at] + k * (row + column + old[at - m * m] + old[at + m * m] - 6.0 * old[at]);
        }
    }
}

/// `steps` steps over `n` x `n` x `n` cells.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    if n < 3 {
        return Err(Error::call(format!("a block needs at least 3 cells in each direction, not {n}")));
    }
    let start: Vec<f64> = (0..n * n * n).map(|at| (at % 89) as f64).collect();
    let (mut t0, mut t1) = (start.clone(), start.clone());

    let mut region = rt.data_region();
    let torus = [n, n, n].halo(1).edge(Edge::Periodic);
    let mut old = region.tofrom(&mut t0, torus.clone().named("t0"));
    let mut new = region.tofrom(&mut t1, torus.named("t1"));
    for _ in 0..steps {
        region.parallel_for(0..n, step(n, 0.1, old, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    print!("{}", region.finish()?);

    let result = if steps.is_multiple_of(2) { &t0 } else { &t1 };
    let expected = sequential(n, steps, start);
    let off = result.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("{n} x {n} x {n}, {steps} steps; at most {off:.1e} off a sequential run");
    assert!(off < 1e-10, "off by {off}");
    Ok(())
}

/// The same steps, one cell after the other.
fn sequential(n: usize, steps: usize, mut old: Vec<f64>) -> Vec<f64> {
    let mut new = old.clone();
    let (before, after) = (|at: usize| (at + n - 1) % n, |at: usize| (at + 1) % n);
    for _ in 0..steps {
        for (i, j, l) in (0..n * n * n).map(|at| (at / (n * n), at / n % n, at % n)) {
            let t = |i: usize, j: usize, l: usize| old[(i * n + j) * n + l];
            let sides = t(i, j, before(l)) + t(i, j, after(l)) + (t(i, before(j), l) + t(i, after(j), l));
            let sides = sides + t(before(i), j, l) + t(after(i), j, l);
            new[(i * n + j) * n + l] = t(i, j, l) + 0.1 * (sides - 6.0 * t(i, j, l));
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("SIZE and STEPS are numbers"));
    run(&Runtime::detect()?, numbers.next().unwrap_or(64), numbers.next().unwrap_or(100))
}
