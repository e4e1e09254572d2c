//! The heat equation on a plate whose rim is cold, on all devices: `cargo run --release --example heat2d [SIZE [STEPS [FORM]]]`.
//!
//! The plate starts as one arch of a sine in each direction. It keeps that form and fades by the same factor in every step,
//! so the result is known without another run.
//!
//! FORM is `single`, the kernel from one Rust function with `#[kernel]` (`kernels/src/single/kernels.rs`), which is usual, or `hand`.

use apportion::prelude::*;
use apportion::region::Dims;
use apportion_kernels::apps::{compare, heat2d::Heat2d};
use apportion_kernels::{Form, Memory};

/// So many steps over `n` x `n` cells.
pub fn run(n: usize, steps: usize, form: Form) -> Result<()> {
    let rt = Runtime::detect()?;
    let heat = Heat2d::<f64>::new(n, n)?;
    let start = heat.start(Memory::default())?;
    let (mut t0, mut t1) = (heat.start(Memory::default())?, heat.start(Memory::default())?);

    let mut region = rt.data_region();
    let mut old = region.tofrom(&mut t0, [n, n].halo(1).named("t0"));
    let mut new = region.tofrom(&mut t1, [n, n].halo(1).named("t1"));
    for _ in 0..steps {
        // Rows that a device needs of its neighbours are fetched while it runs the rows that need none.
        region.parallel_for(heat.rows(), heat.sweep(form, old, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    let report = region.finish()?;

    print!("{report}");
    let factor = heat.decay(steps);
    let expected: Vec<f64> = start.iter().map(|t| t * factor).collect();
    let checked = compare("T", n, if steps % 2 == 1 { &t1 } else { &t0 }, &expected);
    println!("{n} x {n}, {steps} steps; compared with the start times {factor:.6}, its decay: {checked}");
    assert!(checked.ok, "{checked}");
    Ok(())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => {
            text.parse().map_err(|_| Error::call(format!("`{text}` is no number: heat2d [SIZE [STEPS [FORM]]]")))
        }
        None => Ok(usual),
    };
    run(number(1, 512)?, number(2, 1000)?, std::env::args().nth(3).map_or(Ok(Form::Single), |form| form.parse())?)
}
