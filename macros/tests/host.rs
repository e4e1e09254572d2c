//! Loops on CPU cores where their form has seams: parts of a range, vectors that begin at a line, slices that are not there.

#[allow(dead_code)]
mod common;
#[path = "common/programs.rs"]
#[allow(dead_code)]
mod programs;

use apportion::prelude::*;
use common::numbers;
use programs::*;

fn host() -> Runtime {
    common::runtimes().into_iter().find(|(name, _)| *name == "host").expect("there is always a host").1
}

#[test]
fn arrays_may_begin_anywhere_in_a_line() {
    let rt = host();
    let (x, before) = (numbers(700, 1), numbers(700, 2));
    for first in 0..17 {
        for n in [1, 15, 511, 512, 513, 530, 640] {
            let mut expected = before.clone();
            (0..n).for_each(|i| plain::axpy(i, 0.75, &x[first..], &mut expected[first..]));
            let mut y = before.clone();
            rt.parallel_for(0..n, axpy(0.75, &x[first..][..n], &mut y[first..][..n])).run().unwrap();
            assert_eq!(y, expected, "{n} elements from {first} on");
        }
    }
}

#[test]
fn a_condition_may_hold_in_any_part_of_a_row() {
    let rt = host();
    for n in 1..24 {
        let x = numbers(n * n, 5);
        let mut expected = vec![0.0; n * n];
        (0..n).for_each(|i| plain::star(i, n, &x, &mut expected));
        let mut out = vec![f32::NAN; n * n];
        rt.parallel_for(0..n, star(n, &x, &mut out)).run().unwrap();
        assert_eq!(out, expected, "rows of {n}");
    }
}

/// Says that its rows have m elements, and takes n.
#[apportion::kernel]
#[map(x: rows(m), y: from rows(m))]
fn beyond(i: usize, m: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..n {
        y[i * m + j] = x[i * m + j];
    }
}

/// The same, but no more than is there.
#[apportion::kernel]
#[map(x: rows(m), y: rows(m))]
fn until(i: usize, m: usize, n: usize, last: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..n {
        if i * m + j > last {
            break;
        }
        y[i * m + j] = x[i * m + j];
    }
}

#[test]
fn a_slice_that_every_turn_needs_must_be_there() {
    let rt = host();
    let x = numbers(20, 1);
    for (n, outside) in [(6, Some(20)), (9, Some(20)), (5, None)] {
        let mut y = vec![0.0; 20];
        let run = || rt.parallel_for(3..4, beyond(5, n, &x, &mut y)).run().unwrap();
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).err();
        let said = panic.map(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default());
        match (said, outside) {
            (Some(said), Some(outside)) => assert!(said.contains(&format!("element {outside} ")), "{n}: {said}"),
            (None, None) => assert_eq!(y[15..], x[15..]),
            (said, _) => panic!("{n}: {said:?}"),
        }
    }
    // What no turn comes to need not be there.
    let mut y = vec![0.0; 20];
    rt.parallel_for(3..4, until(5, 9, 19, &x, &mut y)).run().unwrap();
    assert_eq!(y[15..], x[15..]);
}

/// A dot product, the weight of what is not 0, and a product: of each row.
#[apportion::kernel(reorder)]
fn gathered(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32], w: &mut [f64]) {
    let mut s = 1.0;
    let mut weight = 0.0;
    let mut product = 1.0;
    for j in 0..n {
        s += a[i * n + j] * x[j];
        if a[i * n + j] > 0.0 {
            weight -= a[i * n + j] as f64;
        }
        product *= 1.0 + 0.001 * a[i * n + j];
    }
    y[i] = s;
    w[i] = weight + product as f64;
}

/// A sum that a turn also reads goes on as it is written.
#[apportion::kernel(reorder)]
fn running(i: usize, n: usize, a: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..n {
        s += a[i * n + j];
        y[i * n + j] = s;
    }
}

#[test]
fn sums_that_may_be_reordered_are_16_beside_one_another_and_then_by_halves() {
    fn together<T: Copy>(mut lanes: [T; 16], each: fn(T, T) -> T) -> T {
        for half in [8, 4, 2, 1] {
            (0..half).for_each(|k| lanes[k] = each(lanes[k], lanes[k + half]));
        }
        lanes[0]
    }
    let rt = host();
    let rows = 5;
    for n in [1, 15, 16, 17, 100, 129] {
        let (a, x) = (numbers(rows * n, 1), numbers(n, 2));
        let (mut y, mut w) = (vec![0.0; rows], vec![0.0; rows]);
        rt.parallel_for(0..rows, gathered(n, &a, &x, &mut y, &mut w)).run().unwrap();
        for i in 0..rows {
            let (row, whole) = (&a[i * n..][..n], n / 16 * 16);
            let (mut sums, mut weights, mut products) = ([0f32; 16], [0f64; 16], [1f32; 16]);
            for j in 0..whole {
                sums[j % 16] += row[j] * x[j];
                weights[j % 16] -= f64::from(row[j].max(0.0));
                products[j % 16] *= 1.0 + 0.001 * row[j];
            }
            let (mut s, mut weight) = (1.0 + together(sums, |a, b| a + b), 0.0 + together(weights, |a, b| a + b));
            let mut product = 1.0 * together(products, |a, b| a * b);
            for j in whole..n {
                s += row[j] * x[j];
                weight -= f64::from(row[j].max(0.0));
                product *= 1.0 + 0.001 * row[j];
            }
            assert_eq!((y[i], w[i]), (s, weight + f64::from(product)), "row {i} of {n}");
        }
        let mut y = vec![0.0; rows * n];
        rt.parallel_for(0..rows, running(n, &a, &mut y)).run().unwrap();
        for i in 0..rows {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i * n + j];
                assert_eq!(y[i * n + j], s, "element {j} of row {i}");
            }
        }
    }
}

/// More arrays than become parameters of a function.
#[apportion::kernel]
#[rustfmt::skip]
fn many(
    i: usize, a: &[f32], b: &[f32], c: &[f32], d: &[f32], e: &[f32], f: &[f32], g: &[f32], h: &[f32], k: &[f32],
    l: &[f32], m: &[f32], n: &[f32], o: &[f64], p: &mut [f32], q: &mut [f64],
) {
    p[i] += a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + k[i] + l[i] + m[i] + n[i];
    q[i] = o[i] - a[i] as f64;
}

#[test]
fn a_kernel_may_have_many_arrays() {
    let n = 100;
    let (x, o) = (vec![0.5f32; n], vec![2.0f64; n]);
    let (mut p, mut q) = (vec![1.0; n], vec![0.0; n]);
    host().parallel_for(0..n, many(&x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &o, &mut p, &mut q)).run().unwrap();
    assert!(p.iter().all(|&p| p == 7.0) && q.iter().all(|&q| q == 1.5));
}
