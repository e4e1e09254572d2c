//! Jacobi's relaxation until the residual is small, on all devices: `cargo run --release --example jacobi [SIZE [SWEEPS [FORM]]]`.
//!
//! Three arrays stay on the devices. Each sweep reads a ghost row of either neighbour, which comes by itself, and sums the
//! squared residuals over all devices.
//!
//! FORM is `single`, the kernel from one Rust function with `#[kernel]` (`kernels/src/single/kernels.rs`), which is usual, or `hand`.

use apportion::prelude::*;
use apportion::region::Dims;
use apportion_kernels::apps::{compare, jacobi::Jacobi};
use apportion_kernels::{Form, Memory};

/// At most so many sweeps over `n` x `n` cells.
pub fn run(n: usize, sweeps: usize, form: Form) -> Result<()> {
    let rt = Runtime::detect()?;
    // The kernel for host, CUDA and OpenCL; arrays made after the runtime are page-locked where that helps.
    let jacobi = Jacobi::<f32>::new(n, n, 42)?;
    let (f, mut u, mut v) = (jacobi.f(Memory::default())?, jacobi.u(Memory::default())?, jacobi.u(Memory::default())?);

    let mut region = rt.data_region();
    let f = region.to(&f, [n, n].named("f"));
    // Both have the same rim, and each is the older one in every other sweep.
    let mut new = region.tofrom(&mut u, [n, n].halo(1).named("u"));
    let mut old = region.tofrom(&mut v, [n, n].halo(1).named("v"));

    let (mut done, mut residual) = (0, f64::INFINITY);
    while done < sweeps && residual > 1e-6 {
        let sweep = jacobi.sweep(form, f, old, new);
        residual = region.parallel_for(jacobi.rows(), sweep).reduce(Sum)?;
        std::mem::swap(&mut old, &mut new);
        done += 1;
    }
    let report = region.finish()?; // u and v are the caller's again

    print!("{report}");
    let result = if done % 2 == 1 { &u } else { &v };
    let checked = compare("u", n, result, &jacobi.reference(done)?.0);
    println!("{n} x {n}, {done} sweeps, residual {residual:.1e}; compared with a sequential run: {checked}");
    assert!(checked.ok, "{checked}");
    Ok(())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => {
            text.parse().map_err(|_| Error::call(format!("`{text}` is no number: jacobi [SIZE [SWEEPS [FORM]]]")))
        }
        None => Ok(usual),
    };
    run(number(1, 512)?, number(2, 200)?, std::env::args().nth(3).map_or(Ok(Form::Single), |form| form.parse())?)
}
