//! The programs of `generate_points.rs`, compiled.
#![allow(missing_docs, clippy::all, unused, unused_comparisons)]

use apportion::kernel::{Bound, Kernel};

/// A program as plain Rust.
pub type Plain = fn(usize, usize, &[u32], &[[i32; 3]], &[[i32; 2]], &mut [[i32; 3]], &mut [[i32; 2]]) -> i64;
/// A program's arguments, bound.
pub type Bind =
    for<'a> fn(usize, &'a [u32], &'a [[i32; 3]], &'a [[i32; 2]], &'a mut [[i32; 3]], &'a mut [[i32; 2]]) -> Bound<'a>;

/// What programs call.
#[apportion::kernel(helper)]
pub fn mixed(a: &[i32; 3], mut b: [i32; 3]) -> i32 {
    for k in 0..3 {
        b[k] = b[k].wrapping_mul(3) ^ a[2 - k];
    }
    b[0].wrapping_add(b[1]) ^ b[2]
}

macro_rules! programs {
    ($(pub fn $name:ident $parameters:tt -> i64 $body:block)*) => {
        $(
            #[apportion::kernel]
            #[map(q: full)]
            pub fn $name $parameters -> i64 $body
        )*

        pub mod plain {
            use super::mixed;
            $(pub fn $name $parameters -> i64 $body)*
        }

        /// All programs.
        pub fn all() -> Vec<(Plain, Bind)> {
            vec![$((plain::$name, |n, at, p, q, y, z| $name(n, at, p, q, y, z))),*]
        }

        /// All kernels, with their CUDA C.
        pub fn kernels() -> Vec<(Kernel, &'static str)> {
            vec![$(($name::kernel(), $name::cuda_source())),*]
        }
    };
}

include!("programs/points.rs");
