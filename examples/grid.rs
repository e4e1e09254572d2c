//! Heat on a torus over devices in a grid, from one Rust function of a row and a column:
//! `cargo run --release --example grid [SIZE [STEPS]]`.
//!
//! Uses all CUDA GPUs, or else the first device. Each has some rows and some columns of the arrays, with ghost cells on all
//! sides. The region fetches the ghost cells that the kernel's indices reach, and refuses a halo that is too small for them.

use apportion::model::machine::DeviceKind;
use apportion::prelude::*;
use apportion::region::{Arrangement, Edge};
use apportion::space::DeviceId;

/// A step of cell (i, j) in rows of `m`. The arrays are mapped with periodic edges.
#[kernel(i, j)]
pub fn diffuse(i: usize, j: usize, m: usize, k: f64, old: &[f64], new: &mut [f64]) -> f64 {
    let at = i * m + j;
    new[at] = old[at] + k * (old[at - 1] + old[at + 1] + old[at - m] + old[at + m] - 4.0 * old[at]);
    new[at]
}

/// `steps` steps over `n` x `n` cells; the middle one is hot at first.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    if n == 0 {
        return Err(Error::call("SIZE is 0: a grid has at least one cell"));
    }
    let (mut a, mut b) = (vec![0.0f64; n * n], vec![0.0f64; n * n]);
    a[n / 2 * n + n / 2] = 1000.0;
    // A grid has at most one device that works in the host's memory: several would write parts of the same rows.
    let mut devices: Vec<DeviceId> =
        rt.devices().filter(|device| device.kind == DeviceKind::Cuda).map(|device| device.id).collect();
    if devices.is_empty() {
        devices.push(DeviceId(0));
    }
    let mut region = rt.data_region().devices(devices).arrangement(Arrangement::Square);
    let mut old = region.tofrom(&mut a, [n, n].halo(1).edge(Edge::Periodic).named("a"));
    let mut new = region.tofrom(&mut b, [n, n].halo(1).edge(Edge::Periodic).named("b"));
    let mut heat = None;
    for _ in 0..steps {
        // The values of all cells are summed; only the last sum is fetched, at the end.
        let step = region.parallel_for_2d(0..n, 0..n, diffuse(0..n, n, 0.2, old, new));
        heat = Some(step.reduce_later::<f64>(Sum)?);
        std::mem::swap(&mut old, &mut new);
    }
    let total = heat.map_or(Ok(1000.0), |heat| region.value(heat))?;
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
