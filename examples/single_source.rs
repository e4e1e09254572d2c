//! A Jacobi iteration from one Rust function: `#[kernel]` makes the loop for CPU cores, CUDA C, OpenCL C, its cost, and the
//! distribution and halo of every array.
//!
//! `cargo run --release --example single_source`

use apportion::prelude::*;

/// One sweep over row `i` of a grid of `m` columns; returns the squares of the residuals.
#[kernel]
fn jacobi(i: usize, m: usize, f: &[f32], old: &[f32], u: &mut [f32]) -> f64 {
    let mut error = 0.0;
    for j in 1..m - 1 {
        let around = old[(i - 1) * m + j] + old[(i + 1) * m + j] + old[i * m + j - 1] + old[i * m + j + 1];
        let r = 0.25 * (around + f[i * m + j]) - old[i * m + j];
        u[i * m + j] = old[i * m + j] + r;
        error += r as f64 * r as f64;
    }
    error
}

fn main() -> Result<()> {
    println!("{}", jacobi::maps());
    let (n, m) = (512, 512);
    let f = vec![1.0f32 / (n * m) as f32; n * m];
    let (mut old, mut new) = (vec![0.0f32; n * m], vec![0.0f32; n * m]);
    let rt = Runtime::detect()?;
    for sweep in 0..50 {
        // Rows above and below come along as a halo; a device gets and gives back no more than its part.
        let done = rt.parallel_for(1..n - 1, jacobi(m, &f, &old, &mut new)).reduce::<f64>(Sum)?;
        if sweep % 10 == 0 {
            println!("sweep {sweep}: residual {:.3e}", done.value.sqrt());
        }
        std::mem::swap(&mut old, &mut new);
    }
    println!("{}", rt.parallel_for(1..n - 1, jacobi(m, &f, &old, &mut new)).reduce::<f64>(Sum)?.report);
    Ok(())
}
