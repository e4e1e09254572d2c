//! Every operator followed by every other, in every integer type, without unnecessary parentheses: each target's text must keep
//! their precedence. Also what inner loops gather, in loops that groups share.
#![allow(missing_docs, clippy::all, unused)]

/// Values that a kernel writes for each iteration.
pub const EACH: usize = 12;

/// `y op= a op b` in elements and locals, for each operator given.
macro_rules! operators {
    ($t:ident: $($name:ident $op:tt)*) => {
        crate::both! {
            $(pub fn $name(i: usize, a: &[$t], b: &[$t], c: &[$t], y: &mut [$t]) {
                y[12 * i] = c[i];
                y[12 * i] $op a[i] + b[i];
                y[12 * i + 1] = c[i];
                y[12 * i + 1] $op a[i] - b[i];
                y[12 * i + 2] = c[i];
                y[12 * i + 2] $op a[i] * b[i];
                y[12 * i + 3] = c[i];
                y[12 * i + 3] $op a[i] / b[i];
                let mut t = c[i];
                t $op a[i] & b[i];
                y[12 * i + 4] = t;
                let mut t = c[i];
                t $op a[i] | b[i];
                y[12 * i + 5] = t;
                let mut t = c[i];
                t $op a[i] ^ b[i];
                y[12 * i + 6] = t;
                let mut t = c[i];
                t $op if a[i] < b[i] + b[i] { a[i] } else { b[i] };
                y[12 * i + 7] = t;
                let mut of_four = [c[i]; 4];
                of_four[1] $op a[i] << 1;
                of_four[2] $op a[i] % b[i] | 1;
                y[12 * i + 8] = of_four[1];
                y[12 * i + 9] = of_four[2];
                y[12 * i + 10] = c[i];
                y[12 * i + 10] $op (a[i] as u64 | 1) as $t;
                y[12 * i + 11] = c[i];
                y[12 * i + 11] $op a[i].min(b[i]);
            }
        )*
            /// Nested operators.
            pub fn nested(i: usize, a: &[$t], b: &[$t], c: &[$t], y: &mut [$t]) {
                let (p, q, r) = (a[i], b[i], c[i]);
                y[12 * i] = r - p * q + p / q % 7;
                y[12 * i + 1] = r - (p - (q - 1)) - r / (q * 2);
                y[12 * i + 2] = p & (q | r) ^ p & !q;
                y[12 * i + 3] = (p | q) + (r ^ p) - (p & r);
                y[12 * i + 4] = (r - (p - q) >> 1) << 1 | q;
                y[12 * i + 5] = if ((p & 1 == 1) == (q > 2)) != (r < p) { p } else { q };
                y[12 * i + 6] = if (p < q) ^ !(q < r) | (p > 3 && (q > 3 || r == 7)) { 1 } else { r };
                y[12 * i + 7] = r / (p / q) % q * p % (r | 8);
                y[12 * i + 8] = (if p < q { r } else { p }) - (if q < 3 { 1 } else { q });
                y[12 * i + 9] = r - p.max(q) - (r - p).min(q);
                y[12 * i + 10] = !(p ^ q) & !(r | 1) | p;
                y[12 * i + 11] = ((p as u64 + 3) * (q as u64 + 1) & 0x7f | 1) as $t - (p > q) as $t;
            }

            /// Arithmetic on the index: a wrong index reads or writes another element.
            pub fn counted(i: usize, a: &[$t], b: &[$t], c: &[$t], y: &mut [$t]) {
                for k in 0..12 {
                    let mut at = 12usize;
                    at *= i + 4;
                    at -= k + 8;
                    at += if k < 4 { k } else { 2 * k - k };
                    at -= k - (12 - k).min(k);
                    at -= (12 - k).min(k);
                    for _ in 0..=(i & 3) {
                        at += 1;
                    }
                    for _ in (0..=if i > 9 { k } else { 2 }).rev() {
                        at += 1;
                    }
                    let mut t = at as u64;
                    t -= at as u64 - k as u64;
                    t *= i as u64 + 1 & 3;
                    t ^= at as u64 & 1;
                    t ^= (a[i] as u64 + b[i] as u64 | c[i] as u64) & 1;
                    y[12 * i + k] = t as $t;
                }
            }
        }
    };
}

/// The results of a loop over a row.
macro_rules! gathered {
    ($t:ident $low:expr, $high:expr) => {
        crate::both! {
            pub fn gathered(i: usize, m: usize, x: &[$t], y: &mut [$t]) {
                let (mut least, mut most) = ($high, $low);
                for j in 0..m {
                    least = least.min(x[i * m + j]);
                    most = most.max(x[i * m + j]);
                }
                y[4 * i] = least;
                y[4 * i + 1] = most;
                let mut sum = 0 as $t;
                for j in 0..m {
                    sum += x[i * m + j] - x[i * m] / x[i * m];
                }
                y[4 * i + 2] = sum;
                let mut product = 1 as $t;
                for j in 0..m {
                    product *= if x[i * m + j] > x[i * m] { 1 as $t } else { x[i * m] / x[i * m] };
                }
                y[4 * i + 3] = product;
            }
        }
    };
}

macro_rules! integers {
    ($($t:ident: $module:ident)*) => {
        $(pub mod $module {
            operators! { $t: add += sub -= mul *= div /= rem %= and &= or |= xor ^= shl <<= shr >>= }
            pub mod loops {
                gathered! { $t $t::MIN, $t::MAX }
            }
        })*
    };
}
integers! { i8: in_i8 u8: in_u8 i16: in_i16 u16: in_u16 i32: in_i32 u32: in_u32 i64: in_i64 u64: in_u64 }

pub mod in_f32 {
    pub mod loops {
        gathered! { f32 f32::MIN, f32::MAX }
    }
}
pub mod in_f64 {
    pub mod loops {
        gathered! { f64 f64::MIN, f64::MAX }
    }
}

/// All kernels of this file.
pub fn all() -> Vec<apportion::kernel::Kernel> {
    macro_rules! of {
        ($($module:ident)*) => {
            vec![$(
                $module::add::kernel(), $module::sub::kernel(), $module::mul::kernel(), $module::div::kernel(),
                $module::rem::kernel(), $module::and::kernel(), $module::or::kernel(), $module::xor::kernel(),
                $module::shl::kernel(), $module::shr::kernel(), $module::nested::kernel(), $module::counted::kernel(),
                $module::loops::gathered::kernel(),
            )*]
        };
    }
    let mut list = of! { in_i8 in_u8 in_i16 in_u16 in_i32 in_u32 in_i64 in_u64 };
    list.extend([in_f32::loops::gathered::kernel(), in_f64::loops::gathered::kernel()]);
    list
}
