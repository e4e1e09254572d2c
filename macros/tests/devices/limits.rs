//! Loops with several ends, of which an argument may be the largest number where there is no limit.

use crate::common::{close, each_way, numbers, run};
use apportion::kernel::{Bound, CudaVariant};
use apportion::prelude::*;

crate::both! {
    pub fn limit_first(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..most.min(n) {
            y[i * n + j] += 2.0 * x[i * n + j];
        }
    }
    pub fn limit_last(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..n.min(most) {
            y[i * n + j] += 2.0 * x[i * n + j];
        }
    }
    pub fn limited_sums(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        for j in 0..most.min(n) {
            s += x[i * n + j];
        }
        y[i] = s;
    }
    pub fn window(i: usize, n: usize, before: usize, most: usize, x: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        for j in i.saturating_sub(before)..most.min(i + 3).min(n) {
            s += x[j];
        }
        y[i] = s;
    }
}

/// The sum of the neighbours, and the own element twice.
#[kernel(T = f32 | f64)]
fn around<T>(i: usize, n: usize, r: usize, x: &[T], y: &mut [T]) {
    let mut s = x[i];
    for j in i.saturating_sub(r)..(i + r + 1).min(n) {
        s += x[j];
    }
    y[i] = s;
}

fn limited<'a>(last: bool, n: usize, most: usize, x: &'a [f32], y: &'a mut [f32]) -> Bound<'a> {
    if last { limit_last(n, most, x, y) } else { limit_first(n, most, x, y) }
}

#[test]
fn a_loop_costs_the_least_of_its_ends() {
    for (n, most, expected) in [(100, usize::MAX, 100.0), (100, 7, 7.0), (usize::MAX, 7, 7.0), (100, 0, 0.0)] {
        assert_eq!(limit_first::cost(n, most).flops, 2.0 * expected);
        assert_eq!(limit_last::cost(n, most).flops, 2.0 * expected);
        assert_eq!(limited_sums::cost(n, most).flops, expected);
        assert_eq!(limited_sums::cost(n, most).loads, 4.0 * expected);
    }
    for (n, before, most, expected) in
        [(1000, 2, usize::MAX, 5.0), (1000, usize::MAX, usize::MAX, 502.5), (1000, 2, 501, 3.5), (1000, 2, 3, 0.0)]
    {
        let flops = window::cost(n, before, most, 999).flops;
        assert!((flops - expected).abs() < 1.0, "{n} {before} {most}: {flops}");
    }
}

#[test]
fn an_end_that_moves_with_the_index_counts_in_kernels_of_several_types() {
    for (n, expected) in [(1000, 5.0), (3, 3.0)] {
        assert_eq!(around::<f32>::cost(n, 2, n - 1).flops, expected);
        assert_eq!(around::<f64>::cost(n, 2, n - 1).flops, expected);
    }
    let (x, mut y) = ([1.0f64; 4], [0.0; 4]);
    let rt = Runtime::detect().unwrap();
    rt.parallel_for(0..4, around(4, 2, &x, &mut y)).devices("0").run().unwrap();
    assert_eq!(y, [4.0, 5.0, 5.0, 4.0]);
}

#[test]
fn a_limit_may_be_the_largest_number() {
    for (rows, n, most) in [(50, 33, usize::MAX), (1000, 3, usize::MAX), (300, 40, 17), (20, 5, 0)] {
        let x = numbers(rows * n, 1);
        let (mut product, mut sums, mut windows) = (vec![0.5; rows * n], vec![0.0; rows], vec![0.0; rows]);
        for i in 0..rows {
            plain::limit_first(i, n, most, &x, &mut product);
            plain::limited_sums(i, n, most, &x, &mut sums);
            plain::window(i, rows, 2, most, &x, &mut windows);
        }
        each_way(|rt, policy, form, what| {
            for last in [false, true] {
                let mut y = vec![0.5; rows * n];
                run(rt, 0..rows, &policy, form(limited(last, n, most, &x, &mut y)));
                assert_eq!(y, product, "{what}, {rows} rows of {n}, {most} at most");
            }
            let mut y = vec![0.0; rows];
            run(rt, 0..rows, &policy, form(limited_sums(n, most, &x, &mut y)));
            close(&y, &sums, 1e-4, what);
            run(rt, 0..rows, &policy, form(window(rows, 2, most, &x, &mut y)));
            close(&y, &windows, 1e-4, what);
        });
    }
}

/// A limit that is none makes no work for GPUs either: they have as many groups as for rows of that length.
#[test]
fn groups_are_as_many_as_the_least_end_needs() {
    let (rows, n) = (1000, 40);
    let (x, mut y) = (vec![1.0; rows * n], vec![0.0; rows * n]);
    let mut groups = |most: usize, kernel: usize| {
        let bound = match kernel {
            0 => limit_first(n, most, &x, &mut y),
            1 => limit_last(n, most, &x, &mut y),
            _ => limited_sums(n, most, &x, &mut y),
        };
        let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() else { panic!("no CUDA C") };
        source.grid().groups(rows)
    };
    for kernel in 0..3 {
        let least = groups(n, kernel);
        assert!(least <= 2 * rows, "{least}");
        for most in [usize::MAX, n + 1] {
            assert_eq!(groups(most, kernel), least);
        }
    }
}

/// All ends count for what is reached: neither is a longer row needed, nor is a shorter one enough.
#[test]
fn arrays_need_what_the_least_end_reaches() {
    let (rows, n) = (20, 33);
    for most in [1, 12, 33, usize::MAX] {
        let reached = (rows - 1) * n + n.min(most);
        let x = numbers(reached, 1);
        let mut product = vec![0.5; reached];
        (0..rows).for_each(|i| plain::limit_first(i, n, most, &x, &mut product));
        each_way(|rt, policy, form, what| {
            for last in [false, true] {
                let mut y = vec![0.5; reached];
                run(rt, 0..rows, &policy, form(limited(last, n, most, &x, &mut y)));
                assert_eq!(y, product, "{what}, {most} at most");
                let refused = |x: &[f32], y: &mut [f32]| {
                    let bound = form(limited(last, n, most, x, y));
                    let error = rt.parallel_for(0..rows, bound).policy(policy.clone()).run().unwrap_err();
                    assert!(matches!(error, Error::Call(_)), "{what}, {most} at most: {error}");
                };
                refused(&x[1..], &mut y);
                refused(&x, &mut y[1..]);
            }
        });
    }
    // Nothing is reached.
    each_way(|rt, policy, form, _| {
        run(rt, 0..rows, &policy, form(limit_first(n, 0, &[0.0; 0], &mut [0.0; 0])));
        run(rt, 0..rows, &policy, form(limit_last(n, 0, &[0.0; 0], &mut [0.0; 0])));
    });
}
