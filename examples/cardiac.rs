//! A wave of excitation in heart tissue, on all devices: `cargo run --release --example cardiac [SIZE [STEPS [FORM]]]`.
//!
//! One array of a step is read with a halo, one is updated in place, one is written. The tissue ends as if it were mirrored:
//! the array's edges are reflecting. Now and then the excitation comes to the host, to be looked at.
//!
//! FORM is `single`, the kernel from one Rust function with `#[kernel]` (`kernels/src/single/kernels.rs`), which is usual, or `hand`.

use apportion::prelude::*;
use apportion::region::{Dims, Edge};
use apportion_kernels::apps::{cardiac::Cardiac, compare};
use apportion_kernels::{Form, Memory};

/// So many steps over `n` x `n` cells.
pub fn run(n: usize, steps: usize, form: Form) -> Result<()> {
    let rt = Runtime::detect()?;
    let cardiac = Cardiac::<f64>::new(n, n)?;
    let (mut e0, mut e1) = (cardiac.e(Memory::default())?, cardiac.e(Memory::default())?);
    let mut r = cardiac.r(Memory::default())?;

    let mut region = rt.data_region();
    let mirrored = [n, n].halo(1).edge(Edge::Reflecting);
    let mut old = region.tofrom(&mut e0, mirrored.clone().named("e0"));
    let mut new = region.tofrom(&mut e1, mirrored.named("e1"));
    let recovery = region.tofrom(&mut r, [n, n].named("r"));
    for step in 0..steps {
        if step % 100 == 0 {
            region.update_from(old)?; // the devices keep it too
            let excited = region.host(old)?.iter().filter(|&&e| e > 0.5).count();
            println!("step {step:>5}: {:>3} % of the tissue are excited", 100 * excited / (n * n));
        }
        region.parallel_for(cardiac.rows(), cardiac.sweep(form, old, recovery, new)).run()?;
        std::mem::swap(&mut old, &mut new);
    }
    let report = region.finish()?;

    print!("{report}");
    let (e, recovered) = cardiac.reference(steps)?;
    let checked = [compare("e", n, if steps % 2 == 1 { &e1 } else { &e0 }, &e), compare("r", n, &r, &recovered)];
    println!("{n} x {n}, {steps} steps; compared with a sequential run: {}; {}", checked[0], checked[1]);
    assert!(checked.iter().all(|checked| checked.ok), "{checked:?}");
    Ok(())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => {
            text.parse().map_err(|_| Error::call(format!("`{text}` is no number: cardiac [SIZE [STEPS [FORM]]]")))
        }
        None => Ok(usual),
    };
    run(number(1, 256)?, number(2, 500)?, std::env::args().nth(3).map_or(Ok(Form::Single), |form| form.parse())?)
}
