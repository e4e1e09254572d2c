//! The programs of `generate.rs`, compiled.
#![allow(missing_docs, clippy::all, unused, unused_comparisons)]

use apportion::kernel::{Bound, Kernel};

/// A program as plain Rust.
pub type Plain = fn(
    usize,
    usize,
    f32,
    f64,
    i32,
    &[f32],
    &[f64],
    &[i32],
    &[u8],
    &mut [f32],
    &mut [i32],
    &mut [f64],
    &mut [u64],
) -> u64;
/// A program's arguments, bound.
pub type Bind = for<'a> fn(
    usize,
    f32,
    f64,
    i32,
    &'a [f32],
    &'a [f64],
    &'a [i32],
    &'a [u8],
    &'a mut [f32],
    &'a mut [i32],
    &'a mut [f64],
    &'a mut [u64],
) -> Bound<'a>;
/// Both, and the kernel.
pub type Program = (Plain, Bind, fn() -> Kernel);

macro_rules! programs {
    ($all:ident: $($name:ident $file:literal)*) => {
        $(#[rustfmt::skip] mod $name { include!($file); })*
        /// All programs of these files.
        pub fn $all() -> Vec<Program> {
            [$($name::ALL),*].concat()
        }
    };
}
programs! {
    all:
    p00 "programs/p00.rs"
    p10 "programs/p10.rs"
    p20 "programs/p20.rs"
    p30 "programs/p30.rs"
    p40 "programs/p40.rs"
    p50 "programs/p50.rs"
}
// Programs whose loops end where data or several arguments say.
programs! {
    ends:
    ends "programs/ends.rs"
}
// Programs whose iterations contribute to whole arrays.
programs! {
    whole:
    w00 "programs/w00.rs"
    w12 "programs/w12.rs"
}
