//! Arrays of which iterations write rows that come a number of rows after those of their own number.

use crate::common::{each_way, everywhere, numbers, run, runtimes};
use apportion::prelude::*;
use apportion::region::Dims;

crate::both! {
    pub fn next(i: usize, x: &[f32], y: &mut [f32]) {
        y[i + 1] = 2.0 * x[i];
    }
    pub fn from(i: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        y[i + lo] += x[i];
    }
    pub fn pairs_from(i: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        y[2 * i + lo] = x[i];
        y[2 * i + lo + 1] = -x[i];
    }
    /// The rows inside of a grid, by a loop from 0.
    pub fn inner(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 1..m - 1 {
            y[(i + 1) * m + j] = x[i * m + j] + x[(i + 2) * m + j] - x[(i + 1) * m + j - 1];
        }
    }
    pub fn rows_from(i: usize, m: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            y[(i + lo) * m + j] = x[i * m + j] + 1.0;
        }
    }
    pub fn elements_from(i: usize, m: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            y[i * m + j + lo] = x[i * m + j] + 1.0;
        }
    }
    /// Three rows for each iteration, and two before all of these.
    pub fn threes(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for r in 0..3 {
            for j in 0..m {
                y[(3 * i + r + 2) * m + j] = x[i * m + j] * r as f32;
            }
        }
    }
    pub fn seldom(i: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        if x[i] > 0.5 {
            y[i + lo] = x[i];
        }
    }
    pub fn sums_from(i: usize, m: usize, lo: usize, x: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        for j in 0..m {
            s += x[i * m + j];
        }
        y[i + lo] = s;
    }
    pub fn row_sums(i: usize, m: usize, x: &[f32], y: &mut [f32], last: &mut [f32]) {
        let mut s = 1.0;
        for j in 0..m {
            s += x[i * m + j];
            y[i * m + j] = s;
        }
        last[i] = s;
    }
}

#[kernel]
fn total(i: usize, m: usize, x: &[f32]) -> f32 {
    let mut s = 1.0;
    for j in 0..m {
        s += x[i * m + j];
    }
    s
}

/// Multiples of 1/8, so that sums are the same in any order.
fn eighths(n: usize, seed: u64) -> Vec<f32> {
    numbers(n, seed).into_iter().map(|x| (x * 8.0).round() / 8.0).collect()
}

#[test]
fn iterations_may_write_later_rows_than_their_own() {
    for (n, m, lo) in [(1, 3, 1), (5, 7, 4), (203, 40, 3), (77, 64, 100)] {
        let x = eighths((n + 2) * m, 1);
        let start = eighths((3 * n + lo + 2) * m, 2);
        each_way(|rt, policy, form, what| {
            let check = |name: &str, expected: &dyn Fn(usize, &mut [f32]), loop_of: &dyn Fn(&mut [f32])| {
                let (mut y, mut wanted) = (start.clone(), start.clone());
                (0..n).for_each(|i| expected(i, &mut wanted));
                loop_of(&mut y);
                assert_eq!(y, wanted, "{name} of {n}, {m}, {lo}: {what}");
            };
            check("next", &|i, y| plain::next(i, &x, y), &|y| run(rt, 0..n, &policy, form(next(&x, y))));
            check("from", &|i, y| plain::from(i, lo, &x, y), &|y| run(rt, 0..n, &policy, form(from(lo, &x, y))));
            check("pairs", &|i, y| plain::pairs_from(i, lo, &x, y), &|y| {
                run(rt, 0..n, &policy, form(pairs_from(lo, &x, y)));
            });
            check("inner", &|i, y| plain::inner(i, m, &x, y), &|y| run(rt, 0..n, &policy, form(inner(m, &x, y))));
            check("rows", &|i, y| plain::rows_from(i, m, lo, &x, y), &|y| {
                run(rt, 0..n, &policy, form(rows_from(m, lo, &x, y)));
            });
            check("threes", &|i, y| plain::threes(i, m, &x, y), &|y| run(rt, 0..n, &policy, form(threes(m, &x, y))));
            check("seldom", &|i, y| plain::seldom(i, lo, &x, y), &|y| run(rt, 0..n, &policy, form(seldom(lo, &x, y))));
            check("sums", &|i, y| plain::sums_from(i, m, lo, &x, y), &|y| {
                run(rt, 0..n, &policy, form(sums_from(m, lo, &x, y)));
            });
        });
    }
}

#[test]
fn the_maps_tell_where_the_rows_lie() {
    let told = |maps: apportion::kernel::Maps| {
        let y = maps.arrays.last().unwrap();
        format!("{} {}", y.direction, y.why)
    };
    assert_eq!(told(next::maps()), "from element i + 1 follows iteration i; proved: iterations stay in their own");
    assert_eq!(
        told(inner::maps()),
        "tofrom row i + 1 of m elements follows iteration i; proved: iterations stay in their own"
    );
    assert_eq!(
        told(threes::maps()),
        "from 3 rows of m elements follow each iteration, from row 2 on; proved: iterations stay in their own"
    );
    assert_eq!(
        told(rows_from::maps()),
        "from row i of m elements follows iteration i; that iterations stay in their own is checked with the arguments"
    );
}

#[test]
fn what_lies_elsewhere_than_a_whole_number_of_rows_later_is_refused_with_advice() {
    let (_, rt) = runtimes().remove(0);
    let (x, mut y) = (numbers(20, 1), vec![0.0; 60]);
    let error = rt.parallel_for(0..10, next(&x, &mut y[..10])).run().unwrap_err().to_string();
    assert!(error.contains("reach elements 1 to 10, it has 10 elements: shorten the loop to 0..9, or"), "{error}");
    let error = rt.parallel_for(0..2, elements_from(10, 3, &x, &mut y)).run().unwrap_err().to_string();
    assert!(
        error.contains(
            "reaches elements 10*i + 3 to 10*i + 12, but owns only elements 10*i to 10*i + 9, or as many a whole number"
        ) && error.contains("pass the array from there on, `&mut y[3..]`"),
        "{error}"
    );
    let error = rt.parallel_for(4..10, from(usize::MAX, &x, &mut y)).run().unwrap_err().to_string();
    assert!(error.contains("array `y`") && error.contains("it has 60 elements"), "{error}");
    assert_eq!(y, [0.0; 60]);
    rt.parallel_for(0..2, elements_from(10, 20, &x, &mut y)).run().unwrap();
    assert!(y.iter().enumerate().all(|(at, &y)| (y != 0.0) == (20..40).contains(&at)), "{y:?}");
}

#[test]
fn in_a_region_an_array_with_an_offset_is_written_later() {
    let (n, lo) = (300, 7);
    let x = numbers(n, 1);
    let mut expected = vec![1.0; n + lo];
    (0..n).for_each(|i| plain::from(i, lo, &x, &mut expected));
    for (name, rt) in runtimes() {
        let mut y = vec![1.0f32; n + lo];
        let mut region = rt.data_region();
        let a = region.to(&x, [n].named("x"));
        let b = region.tofrom(&mut y, [n + lo].align_with("x", 1).offset(lo));
        region.parallel_for(0..n, from(lo, a, b)).run().unwrap();
        region.finish().unwrap();
        assert_eq!(y, expected, "{name}");

        let mut region = rt.data_region();
        let a = region.to(&x, [n].named("x"));
        let b = region.tofrom(&mut y, [n + lo].align_with("x", 1));
        let error = region.parallel_for(0..n, from(lo, a, b)).run().unwrap_err().to_string();
        assert!(error.contains("writes elements 1*i + 7") || error.contains("writes element i + 7"), "{name}: {error}");
        assert!(error.contains("`.offset(7)`"), "{name}: {error}");
    }
}

#[test]
fn rows_without_elements_are_rows_of_which_nothing_is_reached() {
    let none: [f32; 0] = [];
    everywhere(|rt, policy, what| {
        let mut last = [0.0; 30];
        run(rt, 0..30, &policy, row_sums(0, &none, &mut [], &mut last));
        assert_eq!(last, [1.0; 30], "{what}");
        // Of an array that has elements all the same, none is lost.
        let mut y = vec![3.0; 40];
        run(rt, 0..30, &policy, rows_from(0, 0, &none, &mut y));
        run(rt, 0..30, &policy, row_sums(0, &[1.0], &mut y, &mut last));
        assert_eq!(y, [3.0; 40], "{what}");
        let sum = rt.parallel_for(0..30, total(0, &none)).policy(policy).reduce::<f32>(Sum).unwrap().value;
        assert_eq!(sum, 30.0, "{what}");
    });
}
