//! Functions of numbers that C lacks or names otherwise, for every type that has them.
#![allow(missing_docs, clippy::all, unused)]

/// Values that a kernel writes for each iteration, and counts.
pub const EACH: usize = 13;
pub const COUNTS: usize = 4;

macro_rules! of_all {
    ($t:ident) => {
        crate::both! {
            pub fn functions(i: usize, a: &[$t], b: &[$t], n: &[u32], y: &mut [$t], u: &mut [u32]) {
                y[13 * i] = a[i].rem_euclid(b[i]);
                y[13 * i + 1] = a[i].div_euclid(b[i]);
                y[13 * i + 2] = a[i].saturating_add(b[i]);
                y[13 * i + 3] = a[i].saturating_sub(b[i]);
                y[13 * i + 4] = a[i].wrapping_pow(n[i]);
                y[13 * i + 5] = a[i].rotate_left(n[i]) ^ b[i];
                y[13 * i + 6] = a[i].rotate_right(n[i]) & !b[i];
                y[13 * i + 7] = a[i].reverse_bits();
                y[13 * i + 8] = b[i].wrapping_neg();
                y[13 * i + 9] = a[i].wrapping_shl(n[i]).wrapping_add(a[i].wrapping_shr(n[i] + 3));
                y[13 * i + 10] = a[i].clamp(b[i].min(100), b[i].max(100));
                y[13 * i + 11] = (b[i] & 3).pow(3) ^ $t::abs_diff(7, 2) as $t;
                y[13 * i + 12] = a[i].abs_diff(b[i]) as $t;
                u[4 * i] = a[i].count_ones() + 100 * b[i].count_zeros();
                u[4 * i + 1] = a[i].leading_zeros() + 100 * b[i].leading_zeros();
                u[4 * i + 2] = a[i].trailing_zeros() + 100 * b[i].trailing_zeros();
                u[4 * i + 3] = $t::MIN.leading_zeros() + ($t::MAX - $t::MAX).trailing_zeros().rotate_left(1);
            }
        }
    };
}

macro_rules! of_signed {
    ($t:ident, $u:ident) => {
        crate::both! {
            pub fn of_signs(i: usize, a: &[$t], b: &[$t], y: &mut [$t], v: &mut [$u]) {
                y[2 * i] = a[i].signum() - b[i].signum();
                y[2 * i + 1] = b[i].wrapping_abs();
                v[2 * i] = a[i].unsigned_abs();
                v[2 * i + 1] = b[i].abs_diff(a[i]) ^ b[i].unsigned_abs() / 2;
            }
        }
    };
}

pub mod of_u8 {
    of_all! { u8 }
}
pub mod of_i8 {
    of_all! { i8 }
    pub mod signs {
        of_signed! { i8, u8 }
    }
}
pub mod of_u16 {
    of_all! { u16 }
}
pub mod of_i16 {
    of_all! { i16 }
    pub mod signs {
        of_signed! { i16, u16 }
    }
}
pub mod of_u32 {
    of_all! { u32 }
}
pub mod of_u64 {
    of_all! { u64 }
}
pub mod of_i32 {
    of_all! { i32 }
    pub mod signs {
        of_signed! { i32, u32 }
    }
}
pub mod of_i64 {
    of_all! { i64 }
    pub mod signs {
        of_signed! { i64, u64 }
    }
}

/// Values that a kernel of floats writes for each iteration: first those that every target computes alike.
pub const EXACT: usize = 8;
pub const FLOATS: usize = 20;

macro_rules! of_floats {
    ($t:ident) => {
        crate::both! {
            pub fn functions(i: usize, a: &[$t], b: &[$t], y: &mut [$t]) {
                let (p, q) = (a[i], b[i]);
                y[20 * i] = p.signum();
                y[20 * i + 1] = p.copysign(q);
                y[20 * i + 2] = p.fract();
                y[20 * i + 3] = p.clamp(-1.5, 2.5);
                y[20 * i + 4] = (if p.is_finite() { 1.0 } else { 2.0 }) + (if q.is_infinite() { 4.0 } else { 8.0 });
                y[20 * i + 5] = p.rem_euclid(q);
                y[20 * i + 6] = $t::clamp(q, p.min(0.5), p.max(0.5));
                y[20 * i + 7] = q.round();
                let (p, q) = (if p.abs() < 1e3 { p } else { 2.0 }, if q.abs() < 1e3 { q } else { -2.0 });
                y[20 * i + 8] = (p * 0.25).sinh();
                y[20 * i + 9] = (q * 0.25).cosh();
                y[20 * i + 10] = p.sin().asin();
                y[20 * i + 11] = q.sin().acos();
                y[20 * i + 12] = p.atan();
                y[20 * i + 13] = p.atan2(q);
                y[20 * i + 14] = p.hypot(q);
                y[20 * i + 15] = p.cbrt();
                y[20 * i + 16] = (q * 0.5).exp2();
                y[20 * i + 17] = (p * 0.001).exp_m1();
                y[20 * i + 18] = (q.abs() * 0.001).ln_1p();
                y[20 * i + 19] = p.div_euclid(q);
            }
        }
    };
}
pub mod of_f32 {
    of_floats! { f32 }
}
pub mod of_f64 {
    of_floats! { f64 }
}

/// Named as a local of the macro might be; the integer takes its type.
#[apportion::kernel(helper)]
pub fn value(x: f32, more: u64) -> f32 {
    x + more as f32
}

/// Another such name.
#[apportion::kernel(helper)]
pub fn chosen(x: i32, less: i64) -> i32 {
    x - less as i32
}

/// Calls both where values are assigned.
#[apportion::kernel]
pub fn named(i: usize, k: &[i32], x: &[f32], y: &mut [f32], z: &mut [i32]) {
    y[i] = if x[i] > 0.0 {
        let twice = 2.0 * x[i];
        twice
    } else {
        value(x[i], 3)
    };
    z[i] = match k[i] {
        0 => 1,
        other => {
            let less: i32 = chosen(other, -2);
            less
        }
    };
}

crate::both! {
    /// `if`, `match` and blocks as the values of assignments and of `return`.
    pub fn values(i: usize, n: usize, k: &[i32], x: &[f32], y: &mut [f32], z: &mut [i32]) -> f64 {
        y[i] = match k[i] {
            0 => 0.5,
            1..=3 => {
                let twice = 2.0 * x[i];
                twice * twice
            }
            other if other < 0 => -(other as f32),
            _ => x[i],
        };
        y[i] += if x[i] > 0.0 {
            let mut sum = 0.0;
            for j in 0..k[i].rem_euclid(4) {
                sum += x[i] / (j + 1) as f32;
            }
            sum
        } else {
            -1.0
        };
        let mut at = 0;
        let mut local = [0i32; 4];
        // The value changes `at` before the element is chosen.
        local[at] = {
            at += 1;
            at as i32 + k[i]
        };
        local[at] <<= match k[i] & 1 {
            0 => 1,
            _ => {
                local[2] = k[i];
                2
            }
        };
        z[i] = local[0] + 10 * local[1] + 100 * local[2];
        return match i % 3 {
            0 => y[i] as f64,
            1 => {
                let other = z[i];
                other as f64
            }
            _ => return 1.0,
        };
    }
}

/// All kernels of this file.
pub fn all() -> Vec<apportion::kernel::Kernel> {
    vec![
        of_u8::functions::kernel(),
        of_i8::functions::kernel(),
        of_u16::functions::kernel(),
        of_i16::functions::kernel(),
        of_i8::signs::of_signs::kernel(),
        of_i16::signs::of_signs::kernel(),
        of_u32::functions::kernel(),
        of_u64::functions::kernel(),
        of_i32::functions::kernel(),
        of_i64::functions::kernel(),
        of_i32::signs::of_signs::kernel(),
        of_i64::signs::of_signs::kernel(),
        of_f32::functions::kernel(),
        of_f64::functions::kernel(),
        values::kernel(),
        named::kernel(),
    ]
}
