//! A Jacobi iteration from one Rust function: `#[kernel]` makes the loop for CPU cores, CUDA C, OpenCL C, its cost, and the
//! distribution and halo of every array.
//!
//! `cargo run --release --example single_source [SIZE [SWEEPS]]`

use apportion::prelude::*;

/// One sweep over row `i` of a grid of `m` columns; returns the squares of the residuals.
#[kernel]
pub fn jacobi(i: usize, m: usize, f: &[f32], old: &[f32], u: &mut [f32]) -> f64 {
    let mut error = 0.0;
    for j in 1..m - 1 {
        let around = old[(i - 1) * m + j] + old[(i + 1) * m + j] + old[i * m + j - 1] + old[i * m + j + 1];
        let r = 0.25 * (around + f[i * m + j]) - old[i * m + j];
        u[i * m + j] = old[i * m + j] + r;
        error += r as f64 * r as f64;
    }
    error
}

/// `sweeps` sweeps over `n` x `n` cells.
pub fn run(rt: &Runtime, n: usize, sweeps: usize) -> Result<()> {
    if n < 3 {
        return Err(Error::call(format!("SIZE is {n}: a grid with an inside has at least 3 rows")));
    }
    println!("{}", jacobi::maps());
    let f = vec![1.0f32 / (n * n) as f32; n * n];
    let (mut old, mut new) = (vec![0.0f32; n * n], vec![0.0f32; n * n]);
    // Each inner cell begins with a quarter of f, in f32.
    let (expected, mut first) = ((n - 2) as f64 * 0.25 / (n * n) as f64, 0.0);
    for sweep in 0..=sweeps {
        // Rows above and below are copied as a halo; a device receives and returns no more than its part.
        let done = rt.parallel_for(1..n - 1, jacobi(n, &f, &old, &mut new)).reduce::<f64>(Sum)?;
        let residual = done.value.sqrt();
        if sweep == 0 {
            first = residual;
            assert!((first - expected).abs() < 1e-5 * expected, "{first} is not {expected}");
        }
        if sweep == sweeps {
            println!("{}{sweeps} sweeps: residual {residual:.3e}, {first:.3e} at first", done.report);
            assert!(sweep == 0 || residual < first, "sweeps make it smaller: {residual}");
        }
        std::mem::swap(&mut old, &mut new);
    }
    Ok(())
}

fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => text.parse().map_err(|_| Error::call(format!("`{text}` is no number: [SIZE [SWEEPS]]"))),
        None => Ok(usual),
    };
    run(&Runtime::detect()?, number(1, 512)?, number(2, 50)?)
}
