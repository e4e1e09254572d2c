//! Jumps by labels, assignments of tuples and of whole local arrays, rows of computed lengths: on every device what the same functions do in plain Rust.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;
#[path = "common/flow.rs"]
#[allow(dead_code)]
mod flow;

use apportion::prelude::*;
use apportion::region::Dims;
use common::{close, each_way, grids, numbers, run};
use flow::{self as kernels, plain};

const N: usize = 300;

fn values() -> Vec<u32> {
    (0..N as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect()
}

#[test]
fn labels_jump_as_in_rust() {
    let (x, small): (_, Vec<u32>) = (values(), (0..N as u32).map(|i| i % 90).collect());
    let expected = |function: &dyn Fn(usize, &mut [u32])| -> Vec<u32> {
        let mut y = vec![0; N];
        (0..N).for_each(|i| function(i, &mut y));
        y
    };
    let factors = expected(&|i, y| plain::factors(i, 12, &small, y));
    let jumps = expected(&|i, y| plain::jumps(i, 9, &x, y));
    let nearest = expected(&|i, y| plain::nearest(i, 7, &x, y));
    assert!(jumps.iter().collect::<std::collections::BTreeSet<_>>().len() > 100);
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![0; N];
        run(rt, 0..N, &policy, as_it_is(kernels::factors(12, &small, &mut y)));
        assert_eq!(y, factors, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::jumps(9, &x, &mut y)));
        assert_eq!(y, jumps, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::nearest(7, &x, &mut y)));
        assert_eq!(y, nearest, "{what}");
    });
}

#[test]
fn loops_in_parts_end_as_one() {
    let m = 20;
    let x: Vec<u32> = (0..(N * m) as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
    let (mut ends, mut parts) = (vec![9; N * m], vec![9; N]);
    for i in 0..N {
        plain::ends(i, m, &x, &mut ends);
        plain::parts(i, m, &x, &mut parts);
    }
    // They end before, in and after the part where the comparisons hold.
    let lengths: Vec<_> = ends.chunks(m).map(|row| row.iter().filter(|&&y| y != 9).count()).collect();
    assert!(lengths.contains(&0) && lengths.iter().any(|&length| length > m / 2), "{lengths:?}");
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![9; N * m];
        run(rt, 0..N, &policy, as_it_is(kernels::ends(m, &x, &mut y)));
        assert_eq!(y, ends, "{what}");
        let mut y = vec![9; N];
        run(rt, 0..N, &policy, as_it_is(kernels::parts(m, &x, &mut y)));
        assert_eq!(y, parts, "{what}");
    });
}

#[test]
fn names_of_generated_code_are_hidden() {
    let x = values();
    let mut expected = vec![0; N];
    (0..N).for_each(|i| plain::listed(i, &x, &mut expected));
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![0; N];
        run(rt, 0..N, &policy, as_it_is(kernels::listed(&x, &mut y)));
        assert_eq!(y, expected, "{what}");
    });
}

#[test]
fn loops_that_jumps_leave_are_not_shared() {
    let (m, n) = (40, 70);
    let a = numbers(N * n, 1);
    let mut expected = vec![5.0; N * m];
    (0..N).for_each(|i| plain::skipped(i, m, n, &a, &mut expected));
    let kept = expected.iter().filter(|&&y| y == 5.0).count();
    assert!(kept > N && kept < N * m - N, "{kept}");
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![5.0; N * m];
        run(rt, 0..N, &policy, as_it_is(kernels::skipped(m, n, &a, &mut y)));
        assert_eq!(y, expected, "{what}");
    });
}

#[test]
fn tuples_are_assigned_as_in_rust() {
    let x = values();
    let (mut fibonacci, mut ordered) = (vec![0; N], (0..2 * N as u32).collect::<Vec<_>>());
    (0..N).for_each(|i| plain::fibonacci(i, &mut fibonacci));
    assert_eq!((fibonacci[10], fibonacci[90]), (55, 2_880_067_194_370_816_120));
    (0..N).for_each(|i| plain::ordered(i, &x, &mut ordered));
    each_way(|rt, policy, as_it_is, what| {
        let (mut y, mut z) = (vec![0; N], (0..2 * N as u32).collect::<Vec<_>>());
        run(rt, 0..N, &policy, as_it_is(kernels::fibonacci(&mut y)));
        assert_eq!(y, fibonacci, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::ordered(&x, &mut z)));
        assert_eq!(z, ordered, "{what}");
    });
}

#[test]
fn rows_have_lengths_that_are_computed() {
    for (w, k) in [(60, 9), (5, 5), (40, 1)] {
        let columns = w - k + 1;
        let (c, x) = (numbers(k, 1), numbers((N + 1) * w, 2));
        let (mut valid, mut image) = (vec![0.0; N * columns], vec![0.0; N * 3 * columns]);
        (0..N).for_each(|i| plain::valid(i, w, k, &c, &x, &mut valid));
        (0..N).for_each(|i| plain::valid_image(i, k + 2, w, k, &mut image));
        let mut last = numbers((N + 1) * columns, 3);
        let before = last.clone();
        let has_last = k < columns;
        if has_last {
            (0..N).for_each(|i| plain::valid_last(i, w, k, &x, &mut last));
        }
        each_way(|rt, policy, as_it_is, what| {
            let what = &format!("{what}, {w}, {k}");
            let (mut y, mut z) = (vec![0.0; N * columns], vec![0.0; N * 3 * columns]);
            run(rt, 0..N, &policy, as_it_is(kernels::valid(w, k, &c, &x, &mut y)));
            close(&y, &valid, 1e-5, what);
            run(rt, 0..N, &policy, as_it_is(kernels::valid_image(k + 2, w, k, &mut z)));
            assert_eq!(z, image, "{what}");
            if has_last {
                let mut y = before.clone();
                run(rt, 0..N, &policy, as_it_is(kernels::valid_last(w, k, &x, &mut y)));
                assert_eq!(y, last, "{what}");
            }
        });
    }
}

#[test]
fn rows_without_a_length_are_refused_before_the_loop() {
    each_way(|rt, _, as_it_is, what| {
        for (w, k) in [(4, 5), (4, 9)] {
            let x = vec![1.0; N * 8];
            let mut y = vec![0.0f32; N * 8];
            let said = rt.parallel_for(0..N, as_it_is(kernels::valid_first(w, k, &mut y))).run().unwrap_err();
            let length = w as i64 - k as i64 + 1;
            let wanted =
                format!("array `y`: its rows follow the loop, and have {length} elements with these arguments");
            assert!(said.to_string().contains(&wanted), "{what}: {said}");
            // Also of rows that a loop with such an end fills; with 0 turns there is nothing to refuse.
            let c = vec![1.0; k];
            let filled = rt.parallel_for(0..N, as_it_is(kernels::valid(w, k, &c, &x, &mut y))).run();
            match filled {
                Ok(_) => assert_eq!(length, 0, "{what}"),
                Err(said) => assert!(said.to_string().contains(&wanted), "{what}: {said}"),
            }
            assert!(y.iter().all(|&y| y == 0.0), "{what}");
        }
    });
}

/// Cells at listed distances, in rows and in columns.
#[kernel(i, j)]
fn stars(i: usize, j: usize, m: usize, x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for d in [0usize, 2] {
        s += x[(i + d - 1) * m + j];
        let k = d;
        for e in [-1i64, 2] {
            s -= 0.5 * x[(i + k - 1) * m + (j as i64 + e) as usize];
        }
    }
    y[i * m + j] = s;
}

#[test]
fn cells_are_at_distances_of_a_list() {
    let (n, m) = (30, 40);
    let x = numbers(n * m, 5);
    let expected = |i: usize, j: usize| {
        let mut s = 0.0;
        for d in [0, 2] {
            s += x[(i + d - 1) * m + j];
            s -= 0.5 * x[(i + d - 1) * m + j - 1];
            s -= 0.5 * x[(i + d - 1) * m + j + 2];
        }
        s
    };
    let all = |y: &[f32], what: &str| {
        for (i, j) in (1..n - 1).flat_map(|i| (1..m - 2).map(move |j| (i, j))) {
            assert_eq!(y[i * m + j], expected(i, j), "{what}, {i}, {j}");
        }
    };
    grids(|rt, arrangement, what| {
        let mut y = vec![0.0; n * m];
        let mut region = rt.data_region().arrangement(arrangement);
        let (from, to) = (region.to(&x, [n, m].halo(2)), region.from(&mut y, [n, m]));
        region.parallel_for_2d(1..n - 1, 1..m - 2, stars(1..m - 2, m, from, to)).run().unwrap();
        region.finish().unwrap();
        all(&y, what);
    });
    each_way(|rt, policy, as_it_is, what| {
        let mut y = vec![0.0; n * m];
        run(rt, 1..n - 1, &policy, as_it_is(stars(1..m - 2, m, &x, &mut y)));
        all(&y, what);
    });
}

#[test]
fn arrays_are_assigned_and_gone_through_as_in_rust() {
    let (x, at) = (values(), (0..N as u32).map(|i| i % 11).collect::<Vec<_>>());
    let z = numbers(N + 8, 4);
    let (mut arrays, mut elements, mut distances) = (vec![0; N], vec![0.0; N], vec![0.0; 3 * N]);
    for i in 0..N {
        plain::arrays(i, &x, &mut arrays);
        plain::elements(i, &z, &at, &mut elements);
        plain::distances(i, &z, &mut distances);
    }
    assert_eq!(kernels::distances::maps().arrays[1].distribution, "ALIGN(3)");
    each_way(|rt, policy, as_it_is, what| {
        let (mut y, mut f, mut d) = (vec![0; N], vec![0.0; N], vec![0.0; 3 * N]);
        run(rt, 0..N, &policy, as_it_is(kernels::arrays(&x, &mut y)));
        assert_eq!(y, arrays, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::elements(&z, &at, &mut f)));
        assert_eq!(f, elements, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::distances(&z, &mut d)));
        assert_eq!(d, distances, "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::borrowed(&z, &mut f)));
        assert!((0..N).all(|i| f[i] == 2.0 * z[i]), "{what}");
        run(rt, 0..N, &policy, as_it_is(kernels::borrowed_any(&z, &mut f)));
        assert!((0..N).all(|i| f[i] == z[i] + 3.0 * z[i]), "{what}");
    });
}
