//! The programs of `generate_math.rs`, compiled.
#![allow(missing_docs, clippy::all, unused)]

use apportion::kernel::{Bound, Kernel};

/// A program as plain Rust.
pub type Plain = fn(usize, usize, f32, f64, &[f32], &[f64], &mut [f32], &mut [f64]) -> f64;
/// A program's arguments, bound.
pub type Bind = for<'a> fn(usize, f32, f64, &'a [f32], &'a [f64], &'a mut [f32], &'a mut [f64]) -> Bound<'a>;
/// Both, and the kernel.
pub type Program = (Plain, Bind, fn() -> Kernel);

#[rustfmt::skip]
mod programs {
    include!("programs/math.rs");
}
pub use programs::ALL;
