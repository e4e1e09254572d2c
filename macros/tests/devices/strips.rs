//! Kernels in strips, compared with the function itself: columns with and without vectors, first and last columns, rows inside
//! and outside what conditions allow.

#[path = "../common/strips.rs"]
mod programs;

use crate::common::{close, each_way, numbers, run};
use apportion::kernel::Reduce;
use apportion::prelude::*;
use programs::*;

/// One column, vectors and parts of vectors, several groups of each width.
const WIDTHS: [usize; 12] = [1, 2, 3, 4, 6, 8, 31, 64, 129, 136, 517, 1040];

fn widths(from: usize) -> impl Iterator<Item = usize> {
    WIDTHS.into_iter().filter(move |&m| m >= from)
}

#[test]
fn all_of_them_have_strips() {
    // Kernels that need many registers have their fast rows last.
    let mut last = Vec::new();
    for (kernel, text) in all() {
        assert!(text.contains("AP_STRIPS"), "{kernel:?}");
        if text.contains("ap_fast") {
            last.push(kernel.name().to_owned());
        }
    }
    assert_eq!(last, ["star", "summed"]);
}

#[test]
fn conditions_of_rows_and_columns() {
    // No inner rows, one inner row, and loops that begin and end in the middle.
    for (n, range) in [(5, 0..5), (7, 0..7), (29, 0..29), (29, 2..20)] {
        for m in widths(1) {
            let x = numbers(n * m, 1);
            let d: Vec<f64> = x.iter().map(|&x| f64::from(x) / 3.0).collect();
            let (mut stars, mut hulls) = (vec![9.0; n * m], vec![9.0; n * m]);
            range.clone().for_each(|i| plain::star(i, n, m, 0.75, &x, &mut stars));
            range.clone().for_each(|i| plain::hull(i, n, m, &d, &mut hulls));
            let later = [0, 4, usize::MAX].map(|start| {
                let mut y = vec![9.0; n * m];
                range.clone().for_each(|i| plain::from_row(i, m, start, &x, &mut y));
                (start, y)
            });
            let signed = [0, 4, -1].map(|start| {
                let mut y = vec![9.0; n * m];
                range.clone().for_each(|i| plain::from_signed(i, m, start, &x, &mut y));
                (start, y)
            });
            let (mut spreads, mut edges) = (vec![9.0; n * m], vec![9.0; n * m]);
            range.clone().for_each(|i| plain::spread(i, m, &x, &mut spreads));
            range.clone().for_each(|i| plain::based(i, m, &x, &mut edges));
            each_way(|rt, policy, form, what| {
                let what = format!("{what}, {range:?} of {n} rows of {m}");
                for (start, y) in &signed {
                    let mut got = vec![9.0; n * m];
                    run(rt, range.clone(), &policy, form(from_signed(m, *start, &x, &mut got)));
                    assert_eq!(got, *y, "{what}, from {start}");
                }
                let mut got = vec![9.0; n * m];
                run(rt, range.clone(), &policy, form(spread(m, &x, &mut got)));
                assert_eq!(got, spreads, "{what}");
                let mut got = vec![9.0; n * m];
                run(rt, range.clone(), &policy, form(based(m, &x, &mut got)));
                assert_eq!(got, edges, "{what}");
                for (start, y) in &later {
                    let mut got = vec![9.0; n * m];
                    run(rt, range.clone(), &policy, form(from_row(m, *start, &x, &mut got)));
                    assert_eq!(got, *y, "{what}, from {start}");
                }
                let mut got = vec![9.0; n * m];
                run(rt, range.clone(), &policy, form(star(n, m, 0.75, &x, &mut got)));
                assert_eq!(got, stars, "{what}");
                let mut got = vec![9.0; n * m];
                run(rt, range.clone(), &policy, form(hull(n, m, &d, &mut got)));
                assert_eq!(got, hulls, "{what}");
            });
        }
    }
}

#[test]
fn neighbours_in_all_directions() {
    let n = 23;
    for m in widths(1) {
        let x = numbers(n * m, 1);
        let range = 1..n - 1;
        let (mut nine, mut e, mut r) = (numbers(n * m, 2), vec![9.0; n * m], numbers(n * m, 3));
        let mut sum = 0.0;
        if m >= 3 {
            sum = range.clone().map(|i| plain::boxed(i, m, &x, &mut nine)).sum();
        }
        range.clone().for_each(|i| plain::mirrored(i, m, &x, &mut r, &mut e));
        let mut two = [0, 5].map(|a| (a, vec![9.0; n * m]));
        for (a, y) in &mut two {
            (1..n - 2).for_each(|i| plain::mixed(i, m, *a, &x, y));
        }
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, m {m}");
            if m >= 3 {
                for operator in [Reduce::Sum, Reduce::Max] {
                    let mut got = numbers(n * m, 2);
                    let bound = form(boxed(m, &x, &mut got));
                    let reduced =
                        rt.parallel_for(range.clone(), bound).policy(policy.clone()).reduce::<f64>(operator).unwrap();
                    assert_eq!(got, nine, "{what}");
                    if operator == Reduce::Sum {
                        close(&[reduced.value], &[sum], 1e-9, &what);
                    }
                }
            }
            let (mut got_r, mut got) = (numbers(n * m, 3), vec![9.0; n * m]);
            run(rt, range.clone(), &policy, form(mirrored(m, &x, &mut got_r, &mut got)));
            assert_eq!((&got_r, &got), (&r, &e), "{what}");
            for (a, y) in &two {
                let mut got = vec![9.0; n * m];
                run(rt, 1..n - 2, &policy, form(mixed(m, *a, &x, &mut got)));
                assert_eq!(got, *y, "{what}, a {a}");
            }
        });
    }
}

#[test]
fn edges_that_go_on_opposite() {
    let n = 6;
    for (m, l) in [(1, 1), (1, 32), (2, 2), (3, 3), (32, 1), (2, 33), (3, 34), (5, 36), (9, 130), (34, 264)] {
        let size = m * l;
        let x = numbers(n * size, 1);
        let integers: Vec<i32> = x.iter().map(|&x| (x * 1e6) as i32).collect();
        let doubles: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
        let (mut around, mut rings, mut inner) = (vec![9.0; n * size], vec![9; n * size], vec![9.0; n * size]);
        (1..n - 1).for_each(|i| plain::periodic(i, m, l, &x, &mut around));
        (0..n * m).for_each(|i| plain::ring(i, l, &integers, &mut rings));
        let mut all = vec![9.0; n * size];
        let total = (1..n - 1).map(|i| plain::summed(i, m, l, &doubles, &mut all)).sum::<f64>();
        let mut sum = 0.0;
        if m >= 2 && l >= 2 {
            sum = (1..n - 1).map(|i| plain::planes(i, m, l, &doubles, &mut inner)).sum();
        }
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {m} x {l}");
            let mut got = vec![9.0; n * size];
            run(rt, 1..n - 1, &policy, form(periodic(m, l, &x, &mut got)));
            assert_eq!(got, around, "{what}");
            let mut got = vec![9.0; n * size];
            let bound = form(summed(m, l, &doubles, &mut got));
            let reduced = rt.parallel_for(1..n - 1, bound).policy(policy.clone()).reduce::<f64>(Sum).unwrap();
            close(&[reduced.value], &[total], 1e-9, &what);
            assert_eq!(got, all, "{what}");
            let mut got = vec![9; n * size];
            run(rt, 0..n * m, &policy, form(ring(l, &integers, &mut got)));
            assert_eq!(got, rings, "{what}");
            if m >= 2 && l >= 2 {
                let mut got = vec![9.0; n * size];
                let bound = form(planes(m, l, &doubles, &mut got));
                let reduced = rt.parallel_for(1..n - 1, bound).policy(policy.clone()).reduce::<f64>(Sum).unwrap();
                close(&[reduced.value], &[sum], 1e-9, &what);
                assert_eq!(got, inner, "{what}");
            }
        });
    }
}

#[test]
fn rows_apart_and_elements_that_others_name() {
    let n = 19;
    for m in widths(1) {
        let x = numbers((n + 2) * m, 1);
        let w = numbers(n, 2);
        let at: Vec<u8> = numbers(n * m, 4).iter().map(|&x| (x * 128.0 + 128.0) as u8).collect();
        let u: Vec<u64> = (0..n * m).map(|k| (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16).collect();
        let (mut y, mut z) = (vec![9.0; n * m], vec![1i64; 2 * n * m]);
        (0..n).for_each(|i| plain::apart(i, n, m, &w, &x, &mut y, &mut z));
        let (mut p, mut q) = (vec![9u64; n * m], vec![1u32; n * m]);
        let sum = (0..n).map(|i| plain::gathered(i, m, &at, &u, &mut p, &mut q)).sum::<u64>();
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, m {m}");
            let (mut got_y, mut got_z) = (vec![9.0; n * m], vec![1i64; 2 * n * m]);
            run(rt, 0..n, &policy, form(apart(n, m, &w, &x, &mut got_y, &mut got_z)));
            assert_eq!((&got_y, &got_z), (&y, &z), "{what}");
            let (mut got_p, mut got_q) = (vec![9u64; n * m], vec![1u32; n * m]);
            let bound = form(gathered(m, &at, &u, &mut got_p, &mut got_q));
            let reduced = rt.parallel_for(0..n, bound).policy(policy.clone()).reduce::<u64>(Sum).unwrap().value;
            assert_eq!((&got_p, &got_q, reduced), (&p, &q, sum), "{what}");
        });
    }
}
