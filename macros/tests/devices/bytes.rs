//! Kernels that add up bytes, compared with the functions themselves: arrays of many lengths, rows that begin at any byte.

#[allow(dead_code)]
#[path = "../common/bytes.rs"]
mod programs;

use crate::common::{each_way, everywhere, run, runtimes};
use apportion::region::Dims;
use programs::{ends, filter, forms, long_rows, onward, others, plain, rows, search, square_tiles, squares, tiles};

/// Random bytes, many of them 0 or 255.
fn bytes(n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u32
    };
    let mut byte = || match next() % 5 {
        0 => 0,
        1 => 255,
        _ => next() as u8,
    };
    (0..n).map(|_| byte()).collect()
}

#[test]
fn blocks_that_are_looked_for() {
    // n, w, h, tall, wide; the last rows of the arrays end with the last byte that is reached.
    for (blocks, n, w, h, tall, wide) in [
        (9, 40, 16, 3, 2, 17),
        (7, 41, 16, 2, 3, 20),
        (40, 33, 8, 4, 1, 9),
        (5, 64, 17, 2, 2, 36),
        (6, 50, 31, 3, 2, 13),
        (4, 24, 1, 2, 2, 23),
        (4, 24, 5, 1, 2, 1),
        (11, 43, 23, 2, 2, 3),
    ] {
        let ours = bytes((blocks - 1) * h * n + (h - 1) * n + w, 1);
        let theirs = bytes((blocks - 1) * h * n + (h - 1 + tall - 1) * n + wide - 1 + w, 2);
        let mut expected = vec![9; 2 * blocks];
        (0..blocks).for_each(|b| plain::search(b, n, w, h, tall, wide, &ours, &theirs, &mut expected));
        each_way(|rt, policy, form, what| {
            let mut best = vec![9; 2 * blocks];
            run(rt, 0..blocks, &policy, form(search(n, w, h, tall, wide, &ours, &theirs, &mut best)));
            assert_eq!(best, expected, "{what}, {w} x {h} of {n}, {tall} x {wide}");
        });
    }
}

#[test]
fn squares_side_by_side() {
    for (blocks, n, wide) in [(30, 30, 17), (31, 29, 19), (9, 23, 9), (9, 23, 2), (70, 14, 4)] {
        let (ours, theirs) = (bytes(blocks * 3 * n, 3), bytes(blocks * 3 * n, 4));
        let (mut expected, mut onwards) = (vec![9; blocks], vec![9; blocks]);
        (0..blocks).for_each(|b| plain::squares(b, n, wide, &ours, &theirs, &mut expected));
        (0..blocks).for_each(|b| plain_onward(&ours[b * n..], &theirs[b * n..], wide, &mut onwards[b]));
        each_way(|rt, policy, form, what| {
            let mut best = vec![9; blocks];
            run(rt, 0..blocks, &policy, form(squares(n, wide, &ours, &theirs, &mut best)));
            assert_eq!(best, expected, "{what}, {wide} of {n}");
            let mut all = vec![9; blocks];
            run(rt, 0..blocks, &policy, form(onward(n, wide, &ours, &theirs, &mut all)));
            assert_eq!(all, onwards, "{what}, {wide} of {n}, onward");
        });
    }
}

#[test]
fn displacements_side_by_side() {
    // Rows of `5 * m + 32` bytes, of which the last is not read; blocks begin at any byte.
    for (n, m, wide) in
        [(1, 1, 17), (2, 3, 16), (9, 40, 17), (5, 7, 9), (4, 8, 2), (3, 5, 1), (6, 33, 12), (130, 2, 30)]
    {
        let len = 5 * m + 32;
        let (ours, theirs) = (bytes(3 * n * len, 15), bytes(3 * n * len, 16));
        let (mut expected, mut squares) = (vec![9; n * m], vec![9; n * m]);
        for i in 0..n {
            plain::tiles(i, m, wide, &ours, &theirs, &mut expected);
            plain::square_tiles(i, m, &ours[..n * len], &theirs[..n * len], &mut squares);
        }
        each_way(|rt, policy, form, what| {
            let mut best = vec![9; n * m];
            run(rt, 0..n, &policy, form(tiles(m, wide, &ours, &theirs, &mut best)));
            assert_eq!(best, expected, "{what}, {n} rows of {m} by {wide}");
            let mut best = vec![9; n * m];
            run(rt, 0..n, &policy, form(square_tiles(m, &ours[..n * len], &theirs[..n * len], &mut best)));
            assert_eq!(best, squares, "{what}, {n} rows of {m}");
        });
    }
}

/// Sums wrap in kernels.
fn plain_onward(ours: &[u8], theirs: &[u8], wide: usize, all: &mut u32) {
    *all = 0;
    for x in 0..wide {
        let far: u32 = (0..12).map(|c| u32::from(ours[c].abs_diff(theirs[x + c]))).sum();
        *all = all.wrapping_add(far).rotate_left(3);
    }
}

#[test]
fn filters_of_bytes() {
    for (n, taps) in [(1, 1), (5, 7), (1000, 3), (5000, 8), (4099, 21), (70, 300)] {
        let (x, w) = (bytes(n + taps - 1, 5), bytes(taps, 6));
        let mut expected = vec![9; n];
        (0..n).for_each(|i| plain::filter(i, taps, &x, &w, &mut expected));
        each_way(|rt, policy, form, what| {
            let mut y = vec![9; n];
            run(rt, 0..n, &policy, form(filter(taps, &x, &w, &mut y)));
            assert_eq!(y, expected, "{what}, {n} of {taps}");
        });
    }
}

#[test]
fn rows_of_bytes() {
    for (n, m) in
        [(1, 1), (3, 7), (50, 8), (33, 9), (64, 64), (31, 100), (1000, 37), (9, 1001), (40, 256), (21, 133), (5, 4096)]
    {
        let (x, w) = (bytes(n * m, 7), bytes(m, 8));
        let (mut both, mut dots, mut far) = (vec![9; 2 * n], vec![9; n], vec![9; n]);
        for i in 0..n {
            plain::rows(i, m, &x, &w, &mut both);
            plain::long_rows(i, m, &x, &w, &mut dots, &mut far);
        }
        each_way(|rt, policy, form, what| {
            let mut y = vec![9; 2 * n];
            run(rt, 0..n, &policy, form(rows(m, &x, &w, &mut y)));
            assert_eq!(y, both, "{what}, {n} rows of {m}");
        });
        // As on GPUs, PoCL 3.1 and 5.0 never end this, nor with bytes that are read one by one.
        everywhere(|rt, policy, what| {
            let (mut y, mut z) = (vec![9; n], vec![9; n]);
            run(rt, 0..n, &policy, long_rows(m, &x, &w, &mut y, &mut z));
            assert_eq!((&y, &z), (&dots, &far), "{what}, {n} rows of {m}");
        });
    }
}

#[test]
fn every_form_of_a_difference() {
    for (n, m) in [(3, 14), (40, 15), (5, 64), (7, 71), (30, 130)] {
        let (x, w) = (bytes(n * m, 9), bytes(m, 10));
        let mut expected = vec![9; n];
        (0..n).for_each(|i| plain_forms(i, m, &x, &w, &mut expected));
        each_way(|rt, policy, form, what| {
            let mut y = vec![9; n];
            run(rt, 0..n, &policy, form(forms(m, &x, &w, &mut y)));
            assert_eq!(y, expected, "{what}, {n} rows of {m}");
        });
    }
}

/// Sums wrap in kernels.
fn plain_forms(i: usize, m: usize, x: &[u8], w: &[u8], y: &mut [u32]) {
    let (x, mut s) = (&x[i * m..][..m], [0u32; 5]);
    let far = |a: u8, b: u8| u32::from(a.abs_diff(b));
    for _ in 0..2 {
        (1..m).for_each(|j| s[0] += far(x[j], w[j - 1]));
        (0..m).for_each(|j| s[1] += far(x[j], w[j]));
        (0..m).for_each(|j| s[2] += far(x[j], w[j]));
        for j in 0..13 {
            s[3] = s[3].wrapping_add(far(x[0], w[j]).pow(2) + u32::from(w[j + 1]));
            s[4] = s[4].wrapping_add(s[3]);
        }
        (0..13).for_each(|j| s[3] += far(w[j], w[j + 1]).pow(2));
    }
    y[i] = s[0] ^ s[1].rotate_left(8) ^ s[2].rotate_left(16) ^ s[3].rotate_left(24) ^ s[4];
}

#[test]
fn sums_with_a_sign_and_loops_that_end_early() {
    for (rows, m, n) in [(12, 5, 3), (40, 70, 7), (7, 33, 8), (3, 130, 20), (5, 9, 0)] {
        let (ours, theirs) = (bytes(rows * (5 * m + 32), 15), bytes(rows * (5 * m + 32), 16));
        let mut expected = vec![9; rows * m];
        (0..rows).for_each(|i| plain::ends(i, m, n, &ours, &theirs, &mut expected));
        each_way(|rt, policy, form, what| {
            let mut best = vec![9; rows * m];
            run(rt, 0..rows, &policy, form(ends(m, n, &ours, &theirs, &mut best)));
            assert_eq!(best, expected, "{what}, {rows} x {m}, {n}");
        });
    }
}

#[test]
fn what_is_no_sum_of_bytes() {
    for (n, m) in [(3, 14), (41, 33)] {
        let (x, w) = (bytes(n * m, 11), bytes(m, 12));
        let expected: Vec<u32> = (0..n)
            .map(|i| {
                let pairs = || x[i * m..][..m].iter().zip(&w);
                let products = || pairs().map(|(a, b)| a.wrapping_mul(*b));
                let small = products().fold(0, u8::wrapping_add);
                let some: u32 = pairs().filter(|(a, _)| **a > 3).map(|(_, b)| u32::from(*b)).sum();
                let far: u32 = x[i * m..][..m / 2 * 2].iter().step_by(2).map(|a| u32::from(*a)).sum();
                u32::from(small) + some * 1000 + far * 3 + products().map(u32::from).sum::<u32>()
            })
            .collect();
        each_way(|rt, policy, form, what| {
            let mut y = vec![9; n];
            run(rt, 0..n, &policy, form(others(m, &x, &w, &mut y)));
            assert_eq!(y, expected, "{what}, {n} rows of {m}");
        });
    }
}

#[test]
fn arrays_that_begin_at_any_byte() {
    let (n, m) = (37, 45);
    for from in 0..9 {
        let (x, w) = (bytes(from + n * m, 13), bytes(from + m, 14));
        let (x, w) = (&x[from..], &w[from..]);
        let mut expected = vec![9; 2 * n];
        (0..n).for_each(|i| plain::rows(i, m, x, w, &mut expected));
        each_way(|rt, policy, form, what| {
            let mut y = vec![9; 2 * n];
            run(rt, 0..n, &policy, form(rows(m, x, w, &mut y)));
            assert_eq!(y, expected, "{what}, from {from}");
        });
        for (name, rt) in runtimes() {
            let mut y = vec![9; 2 * n];
            let mut region = rt.data_region();
            let (x, w) = (region.to(x, [n, m]), region.to(w, [m].full()));
            let y_ = region.from(&mut y, [n, 2]);
            region.parallel_for(0..n, rows(m, x, w, y_)).run().unwrap();
            region.finish().unwrap();
            assert_eq!(y, expected, "{name}, in a region, from {from}");
        }
    }
}
