//! The heat equation in a block that goes on with its other end, on all devices:
//! `cargo run --release --example heat3d [SIZE [STEPS [FORM]]]`.
//!
//! Planes are divided over the devices. The first plane's ghost is the last plane: the arrays' edges are periodic. Nothing
//! leaves the block, so its heat stays the same in all.
//!
//! FORM is `single`, the kernel from one Rust function with `#[kernel]` (`kernels/src/single/kernels.rs`), which is usual, or `hand`.

use apportion::prelude::*;
use apportion::region::{Dims, Edge};
use apportion_kernels::apps::heat3d::{Edges, Heat3d};
use apportion_kernels::{Form, Memory};

/// So many steps over `n` x `n` x `n` cells.
pub fn run(n: usize, steps: usize, form: Form) -> Result<()> {
    let rt = Runtime::detect()?;
    let heat = Heat3d::<f64>::new([n, n, n], Edges::Periodic, 42)?;
    let (mut t0, mut t1) = (heat.start(Memory::default())?, heat.start(Memory::default())?);
    let summed = |t: &[f64]| (t.iter().sum::<f64>(), t.iter().copied().fold(f64::MIN, f64::max));
    let (before, hottest) = summed(&t0);

    let mut region = rt.data_region();
    let torus = [n, n, n].halo(1).edge(Edge::Periodic);
    let mut old = region.tofrom(&mut t0, torus.clone().named("t0"));
    let mut new = region.tofrom(&mut t1, torus.named("t1"));
    for _ in 0..steps {
        region.parallel_for(heat.planes(), heat.sweep(form, old, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    let report = region.finish()?;

    print!("{report}");
    let (after, still) = summed(if steps % 2 == 1 { &t1 } else { &t0 });
    let lost = (after - before).abs() / before.abs().max(1.0);
    println!(
        "{n} x {n} x {n}, {steps} steps; the heat changed by {lost:.1e}, the hottest cell from {hottest:.3} to {still:.3}"
    );
    assert!(lost < 1e-9, "heat was lost or won");
    assert!(steps == 0 || still < hottest, "no heat flowed");
    Ok(())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => {
            text.parse().map_err(|_| Error::call(format!("`{text}` is no number: heat3d [SIZE [STEPS [FORM]]]")))
        }
        None => Ok(usual),
    };
    run(number(1, 64)?, number(2, 100)?, std::env::args().nth(3).map_or(Ok(Form::Single), |form| form.parse())?)
}
