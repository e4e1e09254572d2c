//! Integers of 8 and 16 bits, with which C computes as `int`: what is written to them wraps as in Rust.
#![allow(missing_docs, clippy::all, unused)]

use apportion::kernel::Kernel;

/// The types, by their names.
macro_rules! of_each {
    ($($t:ident: $module:ident)*) => {
        $(pub mod $module {
            crate::both! {
                /// Casts from floats saturate, those from integers keep the lowest bits.
                pub fn cast(i: usize, f: &[f32], k: &[i64], y: &mut [$t], z: &mut [f32], v: &mut [i64]) {
                    y[3 * i] = f[i] as $t;
                    y[3 * i + 1] = k[i] as $t;
                    y[3 * i + 2] = (k[i] as u32 >> 3) as $t;
                    z[i] = y[3 * i + 1] as f32 * 0.5;
                    v[3 * i] = k[i] as $t as i64;
                    v[3 * i + 1] = ($t::MAX / 2 > k[i] as $t) as i64 + (k[i] as $t as u16 as i64);
                    v[3 * i + 2] = (k[i] as $t as u64 >> 1) as i64;
                }
                /// By itself: LLVM 22 of Rust 1.95 fails (`Cannot select`) where it makes vectors of casts from `f32` and `f64`.
                pub fn cast_f64(i: usize, d: &[f64], y: &mut [$t]) {
                    y[i] = d[i] as $t;
                }
                /// Each operation wraps, also of those inside others, and shifts by more bits than the type has.
                pub fn wrap(i: usize, s: $t, a: &[$t], b: &[$t], y: &mut [$t]) {
                    let (p, q) = (a[i], b[i]);
                    y[8 * i] = p.wrapping_mul(q).wrapping_mul(p).wrapping_add(s) / 3;
                    y[8 * i + 1] = p.wrapping_add(q).wrapping_sub(s).wrapping_shr(2);
                    y[8 * i + 2] = p.wrapping_sub(q).wrapping_neg() / (q & 14 | 1);
                    y[8 * i + 3] = p.wrapping_shl(q as u32) ^ q.wrapping_shr(p as u32);
                    y[8 * i + 4] = (!p).wrapping_mul(!q) % 5;
                    y[8 * i + 5] = if p.wrapping_mul(q) < s.wrapping_mul(q) { p.max(s) } else { q.min($t::MIN + 3) };
                    let mut all = [p; 3];
                    all[1] = all[0].wrapping_mul(q);
                    all[2] = all[1].wrapping_mul(all[1]);
                    y[8 * i + 6] = all[2] / 7;
                    let mut sum = s;
                    for k in 0..(q & 15) {
                        sum = sum.wrapping_mul(k).wrapping_add(p);
                    }
                    y[8 * i + 7] = sum;
                }
                /// The elements of an array are of three.
                pub fn turn(i: usize, s: $t, p: &[[$t; 3]], q: &mut [[$t; 3]]) {
                    let [x, y, z] = p[i];
                    q[i] = [z ^ s, x, y];
                    q[i][2] = q[i][2].wrapping_add(q[i][0].wrapping_mul(y));
                }
            }
        })*
    };
}
of_each! { i8: in_i8 u8: in_u8 i16: in_i16 u16: in_u16 }

/// What a loop gives, and what groups of work-items gather on the way.
#[apportion::kernel(T = i8 | u8 | i16 | u16)]
pub fn of_rows<T>(i: usize, m: usize, x: &[T], y: &mut [T]) -> T {
    let (mut sum, mut product, mut least, mut most) = (x[i * m], 1, x[i * m], x[i * m]);
    for j in 1..m {
        sum += x[i * m + j];
        product *= x[i * m + j];
        least = least.min(x[i * m + j]);
        most = most.max(x[i * m + j]);
    }
    y[4 * i] = sum;
    y[4 * i + 1] = product;
    y[4 * i + 2] = least;
    y[4 * i + 3] = most;
    x[i * m + m / 2]
}

/// Rows are written as vectors, as are those of `u64` beside them.
#[apportion::kernel(T = i8 | u8 | i16 | u16)]
pub fn of_columns<T>(i: usize, n: usize, s: T, x: &[T], y: &mut [T]) {
    for j in 1..n - 1 {
        y[i * n + j] = x[(i - 1) * n + j] * s + x[(i + 1) * n + j] - (x[i * n + j - 1] ^ x[i * n + j + 1]);
    }
}

/// All kernels of this file.
pub fn all() -> Vec<Kernel> {
    macro_rules! of {
        ($($t:ident $module:ident)*) => {
            vec![$(
                $module::cast::kernel(), $module::cast_f64::kernel(), $module::wrap::kernel(), $module::turn::kernel(),
                of_rows::<$t>::kernel(), of_columns::<$t>::kernel(),
            )*]
        };
    }
    of! { i8 in_i8 u8 in_u8 i16 in_i16 u16 in_u16 }
}
