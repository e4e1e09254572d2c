//! What names and numbers mean: in every text the same as in the function itself.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;

use apportion::kernel;
use apportion::prelude::*;
use common::{each_way, grids, numbers, run};

const N: usize = 300;

crate::both! {
    // Parameters that the iteration changes.
    pub fn carried(i: usize, m: usize, mut k: i32, x: &[f32], y: &mut [f32]) {
        k += 1;
        for j in 0..m {
            y[i * m + j] = x[i * m + j] * k as f32;
        }
    }

    pub fn carried_down(i: usize, m: usize, mut k: i32, x: &[f32], y: &mut [f32]) {
        k += 1;
        for j in 0..m {
            y[i * m + j] = (x[(i - 1) * m + j] + x[(i + 1) * m + j]) * k as f32;
        }
    }

    pub fn carried_sum(i: usize, m: usize, mut k: f64, x: &[f32]) -> f64 {
        k += 1.0;
        let mut sum = 0.0;
        for j in 0..m {
            sum += x[i * m + j] as f64;
        }
        sum + k
    }

    pub fn carried_alone(i: usize, mut k: f64, x: &[f32]) -> f64 {
        k += x[i] as f64;
        k
    }
}

/// The same over rows and columns.
#[kernel(i, j)]
fn carried_cells(i: usize, j: usize, m: usize, mut k: i32, x: &[f32], y: &mut [f32]) {
    k += 1;
    y[i * m + j] = x[i * m + j] * k as f32;
}

#[test]
fn parameters_start_anew_in_each_cell() {
    let (n, m) = (21, 37);
    let x = numbers(n * m, 1);
    let expected: Vec<f32> = x.iter().map(|x| x * 4.0).collect();
    grids(|rt, arrangement, what| {
        let mut y = vec![0.0; n * m];
        let mut region = rt.data_region().arrangement(arrangement);
        let (of_x, of_y) = (region.to(&x, [n, m]), region.from(&mut y, [n, m]));
        region.parallel_for_2d(0..n, 0..m, carried_cells(0..m, m, 3, of_x, of_y)).run().unwrap();
        region.finish().unwrap();
        assert_eq!(y, expected, "{what}");
    });
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; n * m];
        run(rt, 0..n, &policy, form(carried_cells(0..m, m, 3, &x, &mut y)));
        assert_eq!(y, expected, "{what}");
    });
}

/// Eighths, whose sums are exact.
fn eighths(n: usize) -> Vec<f32> {
    numbers(n, 7).iter().map(|x| (x * 8.0).round() / 8.0).collect()
}

#[test]
fn parameters_that_an_iteration_changes_start_anew_in_the_next_one() {
    for m in [3, 64, 301] {
        let x = eighths(N * m);
        let (mut y, mut down) = (vec![0.0; N * m], vec![0.0; N * m]);
        (0..N).for_each(|i| plain::carried(i, m, 3, &x, &mut y));
        (1..N - 1).for_each(|i| plain::carried_down(i, m, 3, &x, &mut down));
        let sum: f64 = (0..N).map(|i| plain::carried_sum(i, m, 2.0, &x)).sum();
        let alone: f64 = (0..N).map(|i| plain::carried_alone(i, 2.0, &x)).sum();
        each_way(|rt, policy, form, what| {
            let mut got = vec![0.0; N * m];
            run(rt, 0..N, &policy, form(carried(m, 3, &x, &mut got)));
            assert_eq!(got, y, "{what}, m {m}");
            let mut got = vec![0.0; N * m];
            run(rt, 1..N - 1, &policy, form(carried_down(m, 3, &x, &mut got)));
            assert_eq!(got, down, "{what}, m {m}");
            let of =
                |bound| rt.parallel_for(0..N, form(bound)).policy(policy.clone()).reduce::<f64>(Sum).unwrap().value;
            assert_eq!((of(carried_sum(m, 2.0, &x)), of(carried_alone(2.0, &x))), (sum, alone), "{what}, m {m}");
        });
    }
}
