//! A trait for both f32 and f64.

use apportion::kernel::{Element, Precision};
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A floating-point element: f32 or f64.
pub trait Real:
    Element + Default + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + AddAssign
{
    /// The precision whose rate counts.
    const PRECISION: Precision;
    /// Compiler options that make `kernel.cl` one for this type.
    const OPENCL_OPTIONS: &'static str;
    /// The same for `kernel.cu`. The macro is not named `T`: NVRTC's own declarations have template parameters of that name.
    const CUDA_OPTIONS: &'static str;
    /// The value that outputs are poisoned with.
    const NAN: Self;
    /// The tolerance for this type.
    fn tolerance(f32: f64, f64: f64) -> f64;
    /// The nearest value of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number in f64.
    fn to_f64(self) -> f64;
    /// Maps random bits to a uniform value in -1..1.
    fn signed_unit(self) -> Self;
    /// `self * b + c`, rounded once; a library call where the target has no such instruction.
    fn fma(self, b: Self, c: Self) -> Self;
}

impl Real for f32 {
    const PRECISION: Precision = Precision::F32;
    const OPENCL_OPTIONS: &'static str = "-DT=float";
    const CUDA_OPTIONS: &'static str = "-DREAL=float";
    const NAN: Self = Self::NAN;
    fn tolerance(f32: f64, _: f64) -> f64 {
        f32
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn signed_unit(self) -> Self {
        (self.to_bits().cast_signed() >> 8) as Self * (1.0 / (1 << 23) as Self)
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
}

impl Real for f64 {
    const PRECISION: Precision = Precision::F64;
    const OPENCL_OPTIONS: &'static str = "-DT=double";
    const CUDA_OPTIONS: &'static str = "-DREAL=double";
    const NAN: Self = Self::NAN;
    fn tolerance(_: f64, f64: f64) -> f64 {
        f64
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn signed_unit(self) -> Self {
        (self.to_bits().cast_signed() >> 11) as Self * (1.0 / (1u64 << 52) as Self)
    }
    #[inline(always)]
    fn fma(self, b: Self, c: Self) -> Self {
        self.mul_add(b, c)
    }
}
