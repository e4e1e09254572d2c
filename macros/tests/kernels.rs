//! Kernels from one function, on every kind of device that is here, against the function itself.

mod common;

use apportion::prelude::*;
use common::{close, everywhere, numbers};

both! {
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

/// Compiled text can have the form for GPUs on a CPU too, with groups and barriers.
fn as_on_gpus(kernel: &Kernel) -> Kernel {
    let variant = kernel.opencl_variant().unwrap();
    let text = variant.source.replace("APPORTION_CPU", "AP_NEVER");
    let mut source = DeviceSource::new(text, &*variant.entry, variant.grid.clone());
    source.options = variant.options.clone();
    Kernel::new(kernel.name()).opencl_source(source)
}

fn opencl(mut test: impl FnMut(&Runtime, &str)) {
    for (name, rt) in common::runtimes().into_iter().filter(|(name, _)| name.starts_with("opencl")) {
        test(&rt, name);
    }
}

#[test]
fn axpy_on_every_device() {
    let n = 10_007;
    let (x, before) = (numbers(n, 1), numbers(n, 2));
    let mut expected = before.clone();
    (0..n).for_each(|i| plain::axpy(i, 0.75, &x, &mut expected));
    everywhere(|rt, policy, what| {
        let mut y = before.clone();
        rt.parallel_for(0..n, axpy(0.75, &x, &mut y)).policy(policy).poison(true).run().unwrap();
        // Nothing is contracted: the same on every target, to the last bit.
        assert_eq!(y, expected, "{what}");
    });
}

#[test]
fn matvec_on_every_device() {
    for n in [1, 7, 131, 600] {
        let (a, x) = (numbers(n * n, 1), numbers(n, 2));
        let mut expected = vec![0.0; n];
        (0..n).for_each(|i| plain::matvec(i, n, &a, &x, &mut expected));
        everywhere(|rt, policy, what| {
            let mut y = vec![0.0; n];
            rt.parallel_for(0..n, matvec(n, &a, &x, &mut y)).policy(policy).poison(true).run().unwrap();
            close(&y, &expected, 1e-5, what);
        });
        opencl(|rt, what| {
            let mut y = vec![0.0; n];
            let bound = as_on_gpus(matvec(n, &a, &x, &mut []).kernel()).bind().scalar(n as u64);
            rt.parallel_for(0..n, bound.to(&a).align_rows(n).to(&x).from(&mut y).align()).poison(true).run().unwrap();
            close(&y, &expected, 1e-5, what);
        });
    }
}

#[test]
fn sums_and_extremes_on_every_device() {
    let n = 40_009;
    let x: Vec<f32> = numbers(n, 3).iter().map(|x| (x * 256.0).round() / 256.0).collect();
    let expected: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let least = x.iter().copied().map(f64::from).fold(f64::INFINITY, f64::min);
    everywhere(|rt, policy, what| {
        let reduce = |operator| rt.parallel_for(0..n, sum(&x)).policy(policy.clone()).reduce::<f64>(operator).unwrap().value;
        assert_eq!(reduce(Sum), expected, "{what}");
        assert_eq!(reduce(Min), least, "{what}");
    });
    opencl(|rt, what| {
        let bound = as_on_gpus(&sum::kernel()).bind().to(&x).align();
        assert_eq!(rt.parallel_for(0..n, bound).reduce::<f64>(Sum).unwrap().value, expected, "{what}");
    });
    let v: Vec<i32> = x.iter().map(|x| (x * 1e6) as i32).collect();
    everywhere(|rt, policy, what| {
        let loops = |operator| rt.parallel_for(5..n, greatest(&v)).policy(policy.clone()).reduce::<i32>(operator).unwrap().value;
        assert_eq!(Some(loops(Max)), v[5..].iter().copied().max(), "{what}");
        assert_eq!(loops(Product), v[5..].iter().fold(1i32, |p, &v| p.wrapping_mul(v)), "{what}");
    });
}

#[test]
fn jacobi_on_every_device() {
    for (rows, m) in [(3, 3), (50, 64), (37, 301)] {
        let (f, old, before) = (numbers(rows * m, 1), numbers(rows * m, 2), numbers(rows * m, 3));
        let mut expected = before.clone();
        let error: f32 = (1..rows - 1).map(|i| plain::jacobi(i, m, 0.3, 0.2, -1.5, 0.8, &f, &old, &mut expected)).sum();
        everywhere(|rt, policy, what| {
            let mut u = before.clone();
            let bound = jacobi(m, 0.3, 0.2, -1.5, 0.8, &f, &old, &mut u);
            let got = rt.parallel_for(1..rows - 1, bound).policy(policy).poison(true).reduce::<f32>(Sum).unwrap();
            close(&u, &expected, 1e-6, what);
            close(&[got.value], &[error], 1e-4, what);
        });
        opencl(|rt, what| {
            let mut u = before.clone();
            let kernel = as_on_gpus(jacobi(m, 0.3, 0.2, -1.5, 0.8, &f, &old, &mut vec![0.0; rows * m]).kernel());
            let bound = kernel.bind().scalar(m as u64).scalar(0.3f32).scalar(0.2f32).scalar(-1.5f32).scalar(0.8f32);
            let bound = bound.to(&f).align_rows(m).to(&old).align_rows(m).halo(1).tofrom(&mut u).align_rows(m);
            let got = rt.parallel_for(1..rows - 1, bound).poison(true).reduce::<f32>(Sum).unwrap();
            close(&u, &expected, 1e-6, what);
            close(&[got.value], &[error], 1e-4, what);
        });
    }
}

#[test]
fn rows_of_every_shape_on_every_device() {
    let n = 61;
    let (a, b): (Vec<f64>, Vec<f64>) =
        (numbers(n * n, 1).iter().map(|&x| x.into()).collect(), numbers(n * n, 2).iter().map(|&x| x.into()).collect());
    let mut product = vec![0.0; n * n];
    (0..n).for_each(|i| plain::matmul(i, n, &a, &b, &mut product));
    let x = numbers(n * n, 5);
    let (mut out, mut y) = (vec![0.0; n * n], vec![0.0; n]);
    (0..n).for_each(|i| plain::star(i, n, &x, &mut out));
    (0..n).for_each(|i| plain::triangle(i, n, &x, &x[..n], &mut y));
    let mut best = vec![0.0; n];
    (0..n).for_each(|i| plain::window(i, n, &x, &mut best));
    everywhere(|rt, policy, what| {
        let mut c = vec![0.0; n * n];
        rt.parallel_for(0..n, matmul(n, &a, &b, &mut c)).policy(policy.clone()).poison(true).run().unwrap();
        close(&c, &product, 1e-14, what);
        let mut c = vec![0.0; n * n];
        rt.parallel_for(0..n, star(n, &x, &mut c)).policy(policy.clone()).poison(true).run().unwrap();
        close(&c, &out, 0.0, what);
        let mut c = vec![0.0; n];
        rt.parallel_for(0..n, triangle(n, &x, &x[..n], &mut c)).policy(policy.clone()).poison(true).run().unwrap();
        close(&c, &y, 1e-5, what);
        let mut c = vec![0.0; n];
        rt.parallel_for(0..n, window(n, &x[..n], &mut c)).policy(policy).poison(true).run().unwrap();
        close(&c, &best, 0.0, what);
    });
}

#[test]
fn integers_on_every_device() {
    let n = 500;
    let bytes: Vec<u8> = (0..64 * 1024u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let words: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let signed: Vec<i32> = words.iter().map(|&w| w as i32).collect();
    let mut steps = vec![0; n];
    (0..n).for_each(|i| plain::collatz(i, &mut steps));
    let mut kind = vec![-5; n];
    (0..n).for_each(|i| plain::kinds(i, &signed, &mut kind));
    let mut counts = vec![0; 8 * 64];
    (0..64).for_each(|i| plain::histogram(i, 1024, &bytes, &mut counts));
    let (mut y, mut z, mut w) = (vec![0; n], vec![0; n], vec![0; n]);
    (0..n).for_each(|i| plain::bits(i, 37, &words, &mut y, &mut z, &mut w));
    let mut least = vec![9; 4 * 1024];
    let total: u64 = (0..4).map(|i| plain::blocks(i, 1024, &bytes, &mut least)).sum();
    everywhere(|rt, policy, what| {
        let mut got = vec![0; n];
        rt.parallel_for(0..n, collatz(&mut got)).policy(policy.clone()).run().unwrap();
        assert_eq!(got, steps, "{what}");
        let mut got = vec![-5; n];
        rt.parallel_for(0..n, kinds(&signed, &mut got)).policy(policy.clone()).run().unwrap();
        assert_eq!(got, kind, "{what}");
        let mut got = vec![0; 8 * 64];
        rt.parallel_for(0..64usize, histogram(1024, &bytes, &mut got)).policy(policy.clone()).run().unwrap();
        assert_eq!(got, counts, "{what}");
        let (mut a, mut b, mut c) = (vec![0; n], vec![0; n], vec![0; n]);
        rt.parallel_for(0..n, bits(37, &words, &mut a, &mut b, &mut c)).policy(policy.clone()).run().unwrap();
        assert_eq!((&a, &b, &c), (&y, &z, &w), "{what}");
        let mut got = vec![9; 4 * 1024];
        let sum = rt.parallel_for(0..4usize, blocks(1024, &bytes, &mut got)).policy(policy).reduce::<u64>(Sum).unwrap();
        assert_eq!((sum.value, &got), (total, &least), "{what}");
    });
}

#[test]
fn casts_and_functions_on_every_device() {
    let mut x = numbers(400, 9);
    x.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-40]);
    let n = x.len();
    let (mut a, mut b, mut c, mut d) = (vec![0; n], vec![0; n], vec![0; n], vec![0.0; n]);
    (0..n).for_each(|i| plain::casts(i, &x, &mut a, &mut b, &mut c, &mut d));
    let mut values = vec![0.0; n];
    (0..n).for_each(|i| plain::functions(i, &x, &mut values));
    everywhere(|rt, policy, what| {
        let (mut a2, mut b2, mut c2, mut d2) = (vec![0; n], vec![0; n], vec![0; n], vec![0.0; n]);
        rt.parallel_for(0..n, casts(&x, &mut a2, &mut b2, &mut c2, &mut d2)).policy(policy.clone()).run().unwrap();
        assert_eq!((&a2, &b2, &c2, &d2), (&a, &b, &c, &d), "{what}");
        let mut got = vec![0.0; n];
        rt.parallel_for(0..n, functions(&x, &mut got)).policy(policy).run().unwrap();
        close(&got, &values, 1e-5, what);
    });
}
