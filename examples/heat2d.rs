//! The heat equation on a plate whose rim is cold, on all devices: `cargo run --release --example heat2d [SIZE [STEPS]]`.
//!
//! The arrays are divided by rows and stay on the devices. A device fetches the rows that it needs from its neighbours while it
//! runs the rows that need none.

use apportion::prelude::*;

/// A step of row `i` of `m` cells. The first and the last column stay cold.
#[kernel]
pub fn step(i: usize, m: usize, k: f64, old: &[f64], new: &mut [f64]) {
    for j in 1..m - 1 {
        let at = i * m + j;
        new[at] = old[at] + k * (old[at - 1] + old[at + 1] + old[at - m] + old[at + m] - 4.0 * old[at]);
    }
}

/// `steps` steps over `n` x `n` cells.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    if n < 3 {
        return Err(Error::call(format!("a plate with an inside needs at least 3 cells in each direction, not {n}")));
    }
    let inside = |at: usize| (1..n - 1).contains(&(at / n)) && (1..n - 1).contains(&(at % n));
    let start: Vec<f64> = (0..n * n).map(|at| if inside(at) { (at % 89) as f64 } else { 0.0 }).collect();
    let (mut t0, mut t1) = (start.clone(), start.clone());

    let mut region = rt.data_region();
    let mut old = region.tofrom(&mut t0, [n, n].halo(1).named("t0"));
    let mut new = region.tofrom(&mut t1, [n, n].halo(1).named("t1"));
    for _ in 0..steps {
        region.parallel_for(1..n - 1, step(n, 0.2, old, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    print!("{}", region.finish()?);

    let result = if steps.is_multiple_of(2) { &t0 } else { &t1 };
    let expected = sequential(n, steps, start);
    let off = result.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("{n} x {n}, {steps} steps; at most {off:.1e} off a sequential run");
    assert!(off < 1e-10, "off by {off}");
    Ok(())
}

/// The same steps, one cell after the other.
fn sequential(n: usize, steps: usize, mut old: Vec<f64>) -> Vec<f64> {
    let mut new = old.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            for at in i * n + 1..i * n + n - 1 {
                new[at] = old[at] + 0.2 * (old[at - 1] + old[at + 1] + old[at - n] + old[at + n] - 4.0 * old[at]);
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("SIZE and STEPS are numbers"));
    run(&Runtime::detect()?, numbers.next().unwrap_or(512), numbers.next().unwrap_or(1000))
}
