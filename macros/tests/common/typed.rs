//! The programs of `generate_typed.rs`, compiled.
#![allow(missing_docs, clippy::all, unused, unused_comparisons)]

use apportion::kernel::{Bound, Kernel};

/// An array of each type.
#[derive(Clone, Default)]
pub struct Arrays {
    pub f32: Vec<f32>,
    pub f64: Vec<f64>,
    pub i32: Vec<i32>,
    pub u32: Vec<u32>,
    pub i64: Vec<i64>,
    pub u64: Vec<u64>,
    pub u8: Vec<u8>,
    pub i8: Vec<i8>,
    pub i16: Vec<i16>,
    pub u16: Vec<u16>,
}

/// The values that all programs get for `a` to `r`.
pub const SCALARS: (f32, f64, i32, u32, i64, u64, u8, i8, i16, u16) =
    (0.75, -1.25, 5, 3_000_000_000, -(7 << 40), u64::MAX - 5, 200, -100, -30_000, 60_000);

/// A program as plain Rust, its arguments bound, and the kernel.
#[derive(Clone, Copy)]
pub struct Program {
    pub plain: fn(usize, usize, &Arrays, &mut Arrays) -> u64,
    pub bind: for<'a> fn(usize, &'a Arrays, &'a mut Arrays) -> Bound<'a>,
    pub kernel: fn() -> Kernel,
}

/// Functions and the programs that call them, unchanged in a module `plain` and as kernels.
#[macro_export]
macro_rules! both_with_helpers {
    (helpers { $($helper:item)* } programs { $($item:item)* }) => {
        $(#[apportion::kernel(helper)] $helper)*
        $(#[apportion::kernel] $item)*
        #[allow(dead_code, clippy::all)]
        pub mod plain { $($helper)* $($item)* }
    };
}

/// A program by its name.
#[macro_export]
macro_rules! of_typed {
    ($name:ident) => {
        $crate::typed::Program {
            plain: |i, n, x, y| {
                let (a, b, k, c, l, m, o, p, q, r) = $crate::typed::SCALARS;
                plain::$name(
                    i, n, a, b, k, c, l, m, o, p, q, r, &x.f32, &x.f64, &x.i32, &x.u32, &x.i64, &x.u64, &x.u8, &x.i8,
                    &x.i16, &x.u16, &mut y.f32, &mut y.f64, &mut y.i32, &mut y.u32, &mut y.i64, &mut y.u64, &mut y.u8,
                    &mut y.i8, &mut y.i16, &mut y.u16,
                )
            },
            bind: |n, x, y| {
                let (a, b, k, c, l, m, o, p, q, r) = $crate::typed::SCALARS;
                $name(
                    n, a, b, k, c, l, m, o, p, q, r, &x.f32, &x.f64, &x.i32, &x.u32, &x.i64, &x.u64, &x.u8, &x.i8,
                    &x.i16, &x.u16, &mut y.f32, &mut y.f64, &mut y.i32, &mut y.u32, &mut y.i64, &mut y.u64, &mut y.u8,
                    &mut y.i8, &mut y.i16, &mut y.u16,
                )
            },
            kernel: $name::kernel,
        }
    };
}

#[rustfmt::skip]
mod t00 {
    include!("programs/t00.rs");
}
#[rustfmt::skip]
mod t10 {
    include!("programs/t10.rs");
}

/// All these programs.
pub fn all() -> Vec<Program> {
    [t00::ALL, t10::ALL].concat()
}
