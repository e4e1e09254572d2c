//! Loops of which the data, or several arguments, say how many turns they have: what they do not write keeps its contents, and what
//! they do not reach need not exist.

use crate::common::{each_way, run};
use crate::outside::{assert_says, is_device, said};
use apportion::prelude::*;

#[kernel]
fn ragged(i: usize, n: usize, len: &[u32], y: &mut [f32]) {
    for j in 0..(len[i] as usize).min(n) {
        y[i * n + j] = 1.0;
    }
}

#[kernel]
fn ragged_from(i: usize, n: usize, start: &[u32], y: &mut [f32]) {
    for j in start[i] as usize..n {
        y[i * n + j] = 1.0;
    }
}

/// Turns that the data number.
#[kernel]
fn some_turns(i: usize, c: &[u32], y: &mut [f32]) {
    for _ in 0..(c[i] as usize).min(3) {
        y[i] = 1.0;
    }
}

/// Turns that the arguments number: none if `m` is 0.
#[kernel]
fn at_most(i: usize, m: usize, y: &mut [f32]) {
    for _ in 0..3usize.min(m) {
        y[i] = 1.0;
    }
}

/// None if `m` is 3 or more.
#[kernel]
fn from_on(i: usize, m: usize, y: &mut [f32]) {
    for _ in 0usize.max(m)..3 {
        y[i] = 1.0;
    }
}

#[test]
fn what_has_no_turn_keeps_its_contents() {
    let (n, rows) = (64, 100);
    let len: Vec<u32> = (0..rows as u32).map(|i| i % 7).collect();
    let start: Vec<u32> = len.iter().map(|len| 60 - len).collect();
    let where_it = |there: &dyn Fn(usize, usize) -> bool, n: usize| -> Vec<f32> {
        (0..n * rows).map(|k| if there(k / n, k % n) { 1.0 } else { 5.0 }).collect()
    };
    each_way(|rt, policy, form, what| {
        let mut y = vec![5.0; n * rows];
        run(rt, 0..rows, &policy, form(ragged(n, &len, &mut y)));
        assert_eq!(y, where_it(&|i, j| j < len[i] as usize, n), "{what}");
        y.fill(5.0);
        run(rt, 0..rows, &policy, form(ragged_from(n, &start, &mut y)));
        assert_eq!(y, where_it(&|i, j| j >= start[i] as usize, n), "{what}");
        let mut y = vec![5.0; rows];
        run(rt, 0..rows, &policy, form(some_turns(&len, &mut y)));
        assert_eq!(y, where_it(&|i, _| len[i] > 0, 1), "{what}");
        for m in [0, 2, 3, 7] {
            y.fill(5.0);
            run(rt, 0..rows, &policy, form(at_most(m, &mut y)));
            assert_eq!(y, where_it(&|_, _| m > 0, 1), "at most {m} on {what}");
            y.fill(5.0);
            run(rt, 0..rows, &policy, form(from_on(m, &mut y)));
            assert_eq!(y, where_it(&|_, _| m < 3, 1), "from {m} on, on {what}");
        }
    });
}

#[kernel]
fn first_of(i: usize, n: usize, c: &[u32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in 0..(c[i] as usize).min(n) {
        s += x[k];
    }
    y[i] = s;
}

#[kernel]
fn last_of(i: usize, start: &[u32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in start[i] as usize..5 {
        s += x[i + k - 4];
    }
    y[i] = s;
}

/// In rows that a map states: how many elements of its row an iteration has is data.
#[kernel]
#[map(x: rows(m))]
fn first_of_row(i: usize, m: usize, n: usize, c: &[u32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in 0..(c[i] as usize).min(n) {
        s += x[i * m + k];
    }
    y[i] = s;
}

/// An element that the loops around it reach only if they have turns.
#[kernel]
fn beyond_if(i: usize, m: usize, c: &[u32], x: &[f32], y: &mut [f32]) {
    for _ in 0..(c[i] as usize).min(2) {
        y[i] += x[i + 1000];
    }
    for _ in 0..3usize.min(m) {
        y[i] += x[i + 2000];
    }
}

#[test]
fn what_no_turn_reaches_need_not_exist() {
    let rows = 100;
    let c: Vec<u32> = (0..rows as u32).map(|i| i % 7).collect();
    let sums: Vec<f32> = c.iter().map(|&c| c as f32).collect();
    let own: Vec<f32> = (0..rows).map(|k| k as f32).collect();
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; rows];
        run(rt, 0..rows, &policy, form(first_of(100, &c, &[1.0; 10], &mut y)));
        assert_eq!(y, sums, "{what}");
        run(rt, 0..rows, &policy, form(last_of(&vec![4; rows], &own, &mut y)));
        assert_eq!(y, own, "{what}");
        run(rt, 0..rows, &policy, form(first_of_row(10, 100, &c, &vec![1.0; 10 * rows], &mut y)));
        assert_eq!(y, sums, "{what}");
        run(rt, 0..rows, &policy, form(beyond_if(0, &vec![0; rows], &own, &mut y)));
        assert_eq!(y, sums, "{what}");
        let wrong: Vec<u32> = c.iter().map(|&c| if c == 6 { 11 } else { c }).collect();
        let found = said(|| {
            let bound = form(first_of(100, &wrong, &[1.0; 10], &mut y));
            rt.parallel_for(0..rows, bound).policy(policy.clone()).run()
        });
        assert_says(&found, what, "10", "x");
        if is_device(what) {
            let mut early = vec![4; rows];
            early[1] = 0;
            let bound = form(last_of(&early, &own, &mut y));
            let found = said(|| rt.parallel_for(0..rows, bound).policy(policy.clone()).run());
            assert!(found.contains("of array `x`") && found.contains("incomplete"), "{what}: {found}");
        }
    });
}

#[kernel]
fn wrapped(i: usize, n: usize, k: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[k[i] as usize % n];
}

#[test]
fn a_remainder_by_0_is_an_element_too() {
    let k: Vec<u32> = (0..100).collect();
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; 100];
        run(rt, 0..100, &policy, form(wrapped(3, &k, &[1.0, 2.0, 3.0], &mut y)));
        assert_eq!(y[..4], [1.0, 2.0, 3.0, 1.0], "{what}");
        if is_device(what) {
            let bound = form(wrapped(0, &k, &[], &mut y));
            let found = said(|| rt.parallel_for(0..100usize, bound).policy(policy.clone()).run());
            assert_says(&found, what, "0", "x");
        }
    });
}
