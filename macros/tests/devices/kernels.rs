//! Kernels made from one function, on every kind of device of this machine, compared with the function itself.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

#[path = "../common/programs.rs"]
mod programs;

use crate::common;
use crate::common::{close, everywhere, numbers};
use apportion::prelude::*;
use programs::*;

/// The kernel with its text for GPUs, with groups and barriers, also on a CPU.
fn as_on_gpus(kernel: &Kernel) -> Kernel {
    let variant = kernel.opencl_variant().unwrap();
    let text = variant.source().replace("APPORTION_CPU", "AP_NEVER");
    // SAFETY: the kernel stays within the sections that it is given.
    let source = unsafe { DeviceSource::new(text, variant.entry(), variant.grid().clone()) };
    Kernel::new(kernel.name()).opencl_source(source.options(variant.compiler_options()))
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
        // No operations are contracted: every target gives the same result to the last bit.
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
        let reduce =
            |operator| rt.parallel_for(0..n, sum(&x)).policy(policy.clone()).reduce::<f64>(operator).unwrap().value;
        assert_eq!(reduce(Sum), expected, "{what}");
        assert_eq!(reduce(Min), least, "{what}");
    });
    opencl(|rt, what| {
        let bound = as_on_gpus(&sum::kernel()).bind().to(&x).align();
        assert_eq!(rt.parallel_for(0..n, bound).reduce::<f64>(Sum).unwrap().value, expected, "{what}");
    });
    let v: Vec<i32> = x.iter().map(|x| (x * 1e6) as i32).collect();
    everywhere(|rt, policy, what| {
        let loops = |operator| {
            rt.parallel_for(5..n, greatest(&v)).policy(policy.clone()).reduce::<i32>(operator).unwrap().value
        };
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

#[test]
fn helpers_second_indices_and_stated_maps_on_every_device() {
    let (n, m) = (90, 33);
    let x = numbers(n, 1);
    let y = numbers(m, 2);
    let plain = |x: f32, eps: f32| if x < eps { (eps * eps).sqrt() } else { x * x };
    let p: Vec<f32> = (0..n).map(|i| (0..n).map(|j| 1.0 / plain((x[i] - x[j]).abs(), 0.1)).sum()).collect();
    let total: f32 = p.iter().sum();
    let before = numbers(n * m, 3);
    let mut a = before.clone();
    for i in (0..n).filter(|&i| x[i] >= 0.0) {
        (2..m - 1).for_each(|j| a[i * m + j] += x[i] * y[j]);
    }
    let left_out = x.iter().filter(|&&x| x < 0.0).count() * (m - 3);
    let at: Vec<u32> = (0..n as u32).map(|i| i * 37 % n as u32).collect();
    let d: Vec<f64> = x.iter().map(|&x| x.into()).collect();
    let to: Vec<u8> = (0..n).map(|i| (i * 7 % (2 * m)) as u8).collect();
    everywhere(|rt, policy, what| {
        let mut got = vec![0.0; n];
        let bound = potential(n, 0.1, &x, &mut got);
        let sum = rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).reduce::<f32>(Sum).unwrap().value;
        close(&got, &p, 1e-5, what);
        close(&[sum], &[total], 1e-4, what);

        let mut got = before.clone();
        let bound = outer(2..m - 1, m, &x, &y, &mut got);
        let sum = rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).reduce::<u64>(Sum).unwrap().value;
        assert_eq!((&got, sum), (&a, left_out as u64), "{what}");

        let mut got = vec![0.0; n];
        rt.parallel_for(0..n, gather(&at, &d, &mut got)).policy(policy.clone()).poison(true).run().unwrap();
        assert!((0..n).all(|i| got[i] == d[at[i] as usize]), "{what}");

        let mut got = vec![-1i64; 2 * n * m];
        rt.parallel_for(0..n, scatter(m, &to, &mut got)).policy(policy.clone()).run().unwrap();
        for (k, &got) in got.iter().enumerate() {
            let i = k / (2 * m);
            assert_eq!(got, if usize::from(to[i]) == k % (2 * m) { i as i64 } else { -1 }, "{what}: element {k}");
        }

        let mut got = vec![0.0; n / 6 * 7];
        let bound = halves(15, &x[..90], &mut got[..42]);
        rt.parallel_for(0..6usize, bound).policy(policy.clone()).poison(true).run().unwrap();
        assert!((0..42).all(|k| got[k] == x[k / 7 * 15 + 2 * (k % 7)] + x[k / 7 * 15 + 2 * (k % 7) + 1]), "{what}");

        let (mut low, mut high) = (vec![9.0; 9], vec![9.0; 9]);
        let bound = spread(10, &x, &mut low, &mut high);
        let widest = rt.parallel_for(0..9usize, bound).policy(policy).poison(true).reduce::<f32>(Max).unwrap().value;
        let row = |i: usize| x[10 * i..][..10].iter().copied();
        assert!((0..9).all(|i| low[i] == row(i).fold(f32::MAX, f32::min)), "{what}");
        assert!((0..9).all(|i| high[i] == row(i).fold(f32::MIN, f32::max).max(0.0) || high[i] == 9.0), "{what}");
        let expected =
            (0..9).map(|i| row(i).fold(f32::MIN, f32::max) - row(i).fold(f32::MAX, f32::min)).fold(0.0, f32::max);
        assert_eq!(widest, expected, "{what}");
    });
}

#[test]
fn loops_without_arrays_and_odd_names_on_every_device() {
    let x = numbers(500, 1);
    let expected: f64 = x.iter().map(|&x| f64::from(0.5 * x) * f64::from(x)).sum();
    everywhere(|rt, policy, what| {
        let got = rt.parallel_for(0..1000usize, pi(1000)).policy(policy.clone()).reduce::<f64>(Sum).unwrap().value;
        close(&[got], &[std::f64::consts::PI], 1e-6, what);
        let got =
            rt.parallel_for(0..500usize, dot(0.5, &x, &x)).policy(policy.clone()).reduce::<f64>(Sum).unwrap().value;
        close(&[got], &[expected], 1e-12, what);
        let mut y = vec![1.0; 500];
        rt.parallel_for(0..500usize, seldom(0, &x, &mut y)).policy(policy.clone()).run().unwrap();
        assert_eq!(y, [1.0; 500]);
        let error = rt.parallel_for(0..500usize, seldom(1, &x, &mut y)).policy(policy).run().unwrap_err().to_string();
        assert!(error.contains("`x`") && error.contains("1000"), "{error}");
    });
}

#[test]
fn arguments_that_do_not_fit_are_refused_before_anything_runs() {
    let (name, rt) = common::runtimes().remove(0);
    let (x, mut y) = (numbers(30, 1), vec![0.0f32; 30]);
    let error = |result: Result<Report>| result.err().map(|e| e.to_string()).unwrap_or_default();
    // Row 0 has no row above it.
    let mut u = vec![0.0; 30];
    let text = rt
        .parallel_for(0..5usize, jacobi(6, 1.0, 1.0, 1.0, 1.0, &x, &x, &mut u))
        .reduce::<f32>(Sum)
        .unwrap_err()
        .to_string();
    assert!(text.contains("`old`") && text.contains("reach elements -5"), "{name}: {text}");
    assert!(text.contains("access to elements 6*i - 5 to 6*i - 2 of iteration i"), "{name}: {text}");
    let text = error(rt.parallel_for(0..31usize, axpy(1.0, &x, &mut y)).run());
    assert!(text.contains("`x`") && text.contains("reach elements 0 to 30, it has 30 elements"), "{text}");
    // 20 columns in rows of 10.
    let text = error(rt.parallel_for(0..3usize, wide(10, 20, &mut y)).run());
    assert!(
        text.contains("`y`") && text.contains("elements 10*i to 10*i + 19, but owns only elements 10*i to 10*i + 9"),
        "{text}"
    );
    rt.parallel_for(0..3usize, wide(10, 10, &mut y)).run().unwrap();
    assert_eq!(y, vec![1.0; 30]);
    let text = rt.parallel_for(0..30usize, sum(&x)).reduce::<f32>(Sum).unwrap_err().to_string();
    assert!(text.contains("f64"), "{text}");
    // The texts lack this operator; they must not compute a sum instead.
    let loops = rt.parallel_for(0..30usize, greatest(&[1; 30])).reduce::<i32>(apportion::kernel::Reduce::Or);
    assert!(loops.unwrap_err().to_string().contains("Sum, Product, Min or Max"));
}

#[apportion::kernel]
fn wide(i: usize, m: usize, n: usize, y: &mut [f32]) {
    for j in 0..n {
        y[i * m + j] = 1.0;
    }
}
