//! Kernels of many kinds, and the functions that they are made from.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

crate::both! {
    pub fn axpy(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
        y[i] += a * x[i];
    }

    pub fn matvec(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * x[j];
        }
        y[i] = s;
    }

    pub fn sum(i: usize, x: &[f32]) -> f64 {
        x[i] as f64
    }

    pub fn jacobi(
        i: usize, m: usize, ax: f32, ay: f32, b: f32, omega: f32, f: &[f32], old: &[f32], u: &mut [f32]
    ) -> f32 {
        let mut error = 0.0;
        for j in 1..m - 1 {
            let r = (ax * (old[(i - 1) * m + j] + old[(i + 1) * m + j]) + ay * (old[i * m + j - 1] + old[i * m + j + 1])
                + b * old[i * m + j] - f[i * m + j]) / b;
            u[i * m + j] = old[i * m + j] - omega * r;
            error += r * r;
        }
        error
    }

    pub fn matmul(i: usize, n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = s;
        }
    }

    pub fn star(i: usize, n: usize, input: &[f32], out: &mut [f32]) {
        for j in 0..n {
            let at = i * n + j;
            out[at] = if i >= 2 && i + 2 < n && j >= 2 && j + 2 < n {
                0.5 * input[at] + 0.25 * (input[at - 2 * n] + input[at + 2 * n]) + 0.125 * (input[at - 2] + input[at + 2])
            } else {
                input[at]
            };
        }
    }

    // Sixteen rows for each iteration.
    pub fn blocks(i: usize, n: usize, x: &[u8], least: &mut [u32]) -> u64 {
        const SIDE: usize = 16;
        let mut total = 0u64;
        for b in 0..n / SIDE {
            let mut low = u32::MAX;
            for r in 0..SIDE {
                for c in 0..SIDE {
                    let v = x[(SIDE * i + r) * n + b * SIDE + c];
                    low = low.min(v as u32);
                    total += v as u64;
                }
            }
            least[i * n + b] = low;
        }
        total
    }

    pub fn triangle(i: usize, n: usize, l: &[f32], x: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        for j in 0..i + 1 {
            s += l[i * n + j] * x[j];
        }
        y[i] = s;
    }

    pub fn window(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
        let mut best = f32::NEG_INFINITY;
        for k in i.saturating_sub(3)..(i + 4).min(n) {
            best = best.max(x[k]);
        }
        y[i] = best;
    }

    // Steps of the Collatz sequence: while, integers, break.
    pub fn collatz(i: usize, steps: &mut [u32]) {
        let mut v = i as u64 + 1;
        let mut n = 0;
        while v != 1 {
            v = if v % 2 == 0 { v / 2 } else { 3 * v + 1 };
            n += 1;
            if n > 1000 {
                break;
            }
        }
        steps[i] = n;
    }

    pub fn kinds(i: usize, x: &[i32], y: &mut [i64]) {
        let v = x[i];
        let w: i64 = match v % 7 {
            0 => 100,
            1 | -1 => 7,
            2..=4 => (v as i64) << 2,
            k if k < -3 => -1,
            _ => {
                if v > 0 {
                    return;
                }
                (v as i64).abs() % 13
            }
        };
        y[i] = w;
    }

    pub fn histogram(i: usize, n: usize, x: &[u8], out: &mut [u32]) {
        let mut count = [0u32; 8];
        for j in 0..n {
            let at = (x[i * n + j] >> 5) as usize;
            count[at] += 1;
        }
        for k in 0..8 {
            out[8 * i + k] = count[k];
        }
    }

    pub fn greatest(i: usize, x: &[i32]) -> i32 {
        x[i]
    }

    pub fn casts(i: usize, x: &[f32], a: &mut [i32], b: &mut [u8], c: &mut [u64], d: &mut [f64]) {
        a[i] = (x[i] * 1e10) as i32;
        b[i] = (x[i] * 300.0) as u8;
        c[i] = (x[i] * 1e15) as u64;
        d[i] = (a[i] as f64 + b[i] as f64) / 3.0;
    }

    pub fn bits(i: usize, k: u32, x: &[u32], y: &mut [u32], z: &mut [i32], w: &mut [u8]) {
        let v = x[i];
        y[i] = ((v ^ (v << 13)) >> (k & 31)) & 0xffff | !v;
        z[i] = (v as i32).wrapping_mul(-7).wrapping_add(i32::MAX) >> 3;
        w[i] = (v as u8).wrapping_add(200) ^ (v >> 8) as u8;
    }

    pub fn functions(i: usize, x: &[f32], y: &mut [f32]) {
        let v = x[i].abs() + 0.5;
        y[i] = v.sqrt() + v.exp() - v.ln() * v.sin() + v.cos().powi(3) + v.powf(1.5) + v.mul_add(2.0, 1.0) + v.floor() * v.tanh()
            + v.min(1.0).max(0.75) + (v * 2.5).round() + std::f32::consts::PI;
    }
}

/// Calls another helper.
#[apportion::kernel(helper)]
pub fn soft(x: f32, eps: f32) -> f32 {
    if x < eps {
        return square(eps).sqrt();
    }
    square(x)
}

#[apportion::kernel(helper)]
pub fn square(x: f32) -> f32 {
    x * x
}

#[apportion::kernel]
pub fn potential(i: usize, n: usize, eps: f32, x: &[f32], p: &mut [f32]) -> f32 {
    let mut s = 0.0;
    for j in 0..n {
        let r: f32 = soft((x[i] - x[j]).abs(), eps);
        s += 1.0 / r;
    }
    p[i] = s;
    s
}

/// The indices at any place among the parameters, the second with a range of its own.
#[apportion::kernel(row, col)]
pub fn outer(n: usize, col: usize, row: usize, x: &[f32], y: &[f32], a: &mut [f32]) -> u64 {
    if x[row] < 0.0 {
        return 1;
    }
    a[row * n + col] += x[row] * y[col];
    0
}

#[apportion::kernel]
#[map(x: full)]
pub fn gather(i: usize, at: &[u32], x: &[f64], y: &mut [f64]) {
    y[i] = x[at[i] as usize];
}

#[apportion::kernel]
#[map(y: unsafe rows(m) ratio(2))]
pub fn scatter(i: usize, m: usize, at: &[u8], y: &mut [i64]) {
    y[2 * i * m + at[i] as usize] = i as i64;
}

/// Halves of rows: an index with a quotient of an argument.
#[apportion::kernel]
pub fn halves(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..n / 2 {
        y[i * (n / 2) + j] = x[i * n + 2 * j] + x[i * n + 2 * j + 1];
    }
}

/// Two values gathered over a row, and others that follow from them.
#[apportion::kernel]
pub fn spread(i: usize, n: usize, x: &[f32], least: &mut [f32], most: &mut [f32]) -> f32 {
    let mut low = f32::INFINITY;
    let mut high = x[i * n];
    for j in 0..n {
        low = low.min(x[i * n + j]);
        high = high.max(x[i * n + j]);
    }
    least[i] = low;
    if high > 0.0 {
        most[i] = high;
    }
    high - low
}

/// No arrays at all.
#[apportion::kernel]
pub fn pi(i: usize, n: usize) -> f64 {
    let x = (i as f64 + 0.5) / n as f64;
    4.0 / (1.0 + x * x) / n as f64
}

/// Names of OpenCL's own functions and types.
#[apportion::kernel]
pub fn dot(i: usize, half: f32, r#type: &[f32], double: &[f32]) -> f64 {
    let mix = half * r#type[i];
    let lane = mix as f64;
    lane * double[i] as f64
}

/// A loop that may have no turns, and an element at a distance.
#[apportion::kernel]
pub fn seldom(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for _ in 0..n {
        y[i] += x[i + 1000];
    }
}

/// The reach of a star, and constants of several types outside the functions.
pub const REACH: usize = 2;
pub const SCALE: f32 = 0.375;
pub const LEAST: i32 = i32::MIN;
pub const ENDLESS: f64 = f64::INFINITY;
pub const MANY: u64 = u64::MAX;

/// Arrays by reference and by value; changes to the latter stay inside.
#[apportion::kernel(helper, const SCALE: f32)]
pub fn weighed(w: &[f32; 5], mut v: [f32; 5], from: usize) -> f32 {
    let mut sum = 0.0;
    for k in 0..5 {
        if k < from {
            v[k] = 0.0;
        }
        sum += w[k] * v[k];
    }
    sum * SCALE
}

/// Passes an array on.
#[apportion::kernel(helper)]
pub fn twice(w: &[f32; 5], v: [f32; 5]) -> f32 {
    let first: f32 = weighed(w, v, 0);
    let second: f32 = weighed(w, v, 3);
    first + second
}

/// A star with a constant reach, and tuples.
#[apportion::kernel(const REACH: usize, const LEAST: i32, const ENDLESS: f64, const MANY: u64)]
pub fn reaching(i: usize, n: usize, x: &[f32], y: &mut [f32], k: &mut [i32]) -> f64 {
    let w: [f32; 5] = [0.1, 0.2, 0.4, 0.2, 0.1];
    let (mut low, mut high): (f32, _) = (f32::MAX, f32::MIN);
    let mut v = [0.0; 5];
    for j in 0..2 * REACH + 1 {
        let at = (i + j).saturating_sub(REACH).min(n - 1);
        v[j] = x[at];
        low = low.min(x[at]);
        high = high.max(x[at]);
    }
    let (low, high) = (high, low);
    let smooth: f32 = twice(&w, v);
    y[i] = smooth + (low - high) + v[0];
    k[i] = if i as u64 == MANY { 7 } else { LEAST };
    (y[i] as f64).min(ENDLESS)
}

/// Rows of constant length.
#[apportion::kernel(const REACH: usize)]
pub fn rows_of(i: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..REACH {
        let (a, b) = (x[i * REACH + j], x[i * REACH]);
        y[i * REACH + j] = a + b;
    }
}

/// A number that orders as `x` does.
#[apportion::kernel(helper)]
pub fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

/// The value and the index in one number, which orders as the value does; bits of literals and of computed numbers.
#[apportion::kernel]
pub fn least(i: usize, x: &[f32], y: &mut [f64], z: &mut [u64], w: &mut [f32]) -> u64 {
    let wide = x[i] as f64 * 1.1;
    z[i] = wide.to_bits() ^ 2.5f64.to_bits();
    y[i] = f64::from_bits(wide.to_bits() & 0x7fff_ffff_ffff_ffff)
        + f64::from_bits(3) * f64::from_bits(4_607_182_418_800_017_408);
    w[i] = f32::from_bits(0x3f80_0000 | (x[i] + 1.0).to_bits() >> 9) - f32::from_bits(1);
    let key: u32 = ordered(x[i]);
    (key as u64) << 32 | i as u64
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<(Kernel, &'static str)> {
    macro_rules! list {
        ($($name:ident)*) => { vec![$(($name::kernel(), $name::cuda_source())),*] };
    }
    list!(axpy matvec sum jacobi matmul star blocks triangle window collatz kinds histogram greatest casts bits functions potential outer gather scatter halves spread pi dot seldom reaching rows_of least)
}
