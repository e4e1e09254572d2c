//! Jacobi's relaxation until the residual is small, on all devices: `cargo run --release --example jacobi [SIZE [SWEEPS]]`.
//!
//! Three arrays stay on the devices. Each sweep reads a ghost row of either neighbour, which the region fetches, and sums the
//! squared residuals over all devices.

use apportion::prelude::*;

/// A sweep over row `i` of `m` cells; returns the squares of its residuals. The first and the last column stay as they are.
#[kernel]
pub fn sweep(i: usize, m: usize, f: &[f32], old: &[f32], new: &mut [f32]) -> f64 {
    let mut error = 0.0;
    for j in 1..m - 1 {
        let at = i * m + j;
        let r = 0.25 * (old[at - 1] + old[at + 1] + old[at - m] + old[at + m] + f[at]) - old[at];
        new[at] = old[at] + r;
        error += r as f64 * r as f64;
    }
    error
}

/// At most `sweeps` sweeps over `n` x `n` cells with a rim of 0.
pub fn run(rt: &Runtime, n: usize, sweeps: usize) -> Result<()> {
    if n < 3 {
        return Err(Error::call(format!("a grid with an inside needs at least 3 cells in each direction, not {n}")));
    }
    let f: Vec<f32> = (0..n * n).map(|at| (at % 97) as f32 / 97.0).collect();
    let (mut u, mut v) = (vec![0.0f32; n * n], vec![0.0f32; n * n]);

    let mut region = rt.data_region();
    let source = region.to(&f, [n, n].named("f"));
    // Both arrays have the same rim, and take turns as the older one.
    let mut old = region.tofrom(&mut u, [n, n].halo(1).named("u"));
    let mut new = region.tofrom(&mut v, [n, n].halo(1).named("v"));
    let (mut done, mut residual) = (0, f64::INFINITY);
    while done < sweeps && residual > 1e-6 {
        residual = region.parallel_for(1..n - 1, sweep(n, source, old, new)).reduce(Sum)?;
        std::mem::swap(&mut old, &mut new);
        done += 1;
    }
    print!("{}", region.finish()?); // u and v belong to the caller again

    let result = if done % 2 == 0 { &u } else { &v };
    let expected = sequential(n, done, &f);
    let off = result.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("{n} x {n}, {done} sweeps, residual {residual:.1e}; at most {off:.1e} off a sequential run");
    assert!(off <= 1e-4 * expected.iter().fold(0.0, |most, u| u.max(most)), "off by {off}");
    Ok(())
}

/// The same sweeps, one cell after the other.
fn sequential(n: usize, sweeps: usize, f: &[f32]) -> Vec<f32> {
    let (mut old, mut new) = (vec![0.0f32; n * n], vec![0.0f32; n * n]);
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for at in i * n + 1..i * n + n - 1 {
                new[at] = 0.25 * (old[at - 1] + old[at + 1] + old[at - n] + old[at + n] + f[at]);
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("SIZE and SWEEPS are numbers"));
    run(&Runtime::detect()?, numbers.next().unwrap_or(512), numbers.next().unwrap_or(200))
}
