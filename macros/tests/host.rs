//! Loops on CPU cores at the seams of their form: parts of a range, vectors that begin at a cache line, slices past an array's
//! end.

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

/// States rows of m elements but reads n.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe from rows(m))]
fn beyond(i: usize, m: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..n {
        y[i * m + j] = x[i * m + j];
    }
}

/// As [`beyond`], but stops at the last element.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe rows(m))]
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
    // Elements that no turn reaches need not exist.
    let mut y = vec![0.0; 20];
    rt.parallel_for(3..4, until(5, 9, 19, &x, &mut y)).run().unwrap();
    assert_eq!(y[15..], x[15..]);
}

/// For each row a dot product, the weight of its positive elements, and a product.
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

/// A sum that each turn reads keeps its order.
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

/// More arrays than a function may have as parameters.
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

/// A condition that holds up to a limit.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe from rows(m))]
fn below(i: usize, m: usize, limit: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..m {
        if j < limit {
            y[i * m + j] = x[i * m + j];
        } else {
            y[i * m + j] = 1.0;
        }
    }
}

/// A condition that holds from a limit on.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe from rows(m))]
fn above(i: usize, m: usize, limit: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..m {
        if j >= limit {
            y[i * m + j] = x[i * m + j];
        } else {
            y[i * m + j] = 1.0;
        }
    }
}

/// A signed end, as it is and as a `usize`, in a loop that may begin anywhere.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe rows(m), z: unsafe rows(m))]
fn signed(i: usize, m: usize, from: usize, s: i64, x: &[f32], y: &mut [f32], z: &mut [f32]) {
    for j in from..m {
        if j >= s as usize {
            y[i * m + j] = x[i * m + j];
        } else {
            y[i * m + j] = 1.0;
        }
    }
    for j in from..m {
        if j as i64 >= s {
            z[i * m + j] = x[i * m + j];
        } else {
            z[i * m + j] = 1.0;
        }
    }
}

/// Computed ends: in a local, beside another condition, and signed up to the end.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe from rows(m), z: unsafe from rows(m))]
fn computed(i: usize, m: usize, k: usize, x: &[f32], y: &mut [f32], z: &mut [f32]) {
    for j in 0..m {
        let end = m - k;
        if i < end && j < end {
            y[i * m + j] = x[i * m + j];
        } else {
            y[i * m + j] = 1.0;
        }
    }
    for j in 0..m {
        if (j as i64 - 3) as usize <= k {
            z[i * m + j] = x[i * m + j];
        } else {
            z[i * m + j] = 1.0;
        }
    }
}

/// A long loop that a turn breaks out of.
#[apportion::kernel]
#[map(x: rows(m), y: unsafe rows(m))]
fn endless(i: usize, m: usize, to: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..to {
        let mut value = 1.0;
        if j + 3 < m {
            value = 2.0;
        }
        if j >= m {
            break;
        }
        y[i * m + j] = value * x[i * m + j];
    }
}

#[test]
fn a_condition_may_have_any_ends() {
    let (rt, m, rows) = (host(), 37, 3);
    let x = numbers(rows * m, 3);
    let expected = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<f32> {
        (0..rows * m).map(|at| if holds(at / m, at % m) { x[at] } else { 1.0 }).collect()
    };
    let half = 1usize << 63;
    for limit in [0, 1, 20, m - 1, m, m + 1, half - 1, half, half + 1, usize::MAX - 1, usize::MAX] {
        let mut y = vec![0.0; rows * m];
        rt.parallel_for(0..rows, below(m, limit, &x, &mut y)).run().unwrap();
        assert_eq!(y, expected(&|_, j| j < limit), "below {limit}");
        let mut y = vec![0.0; rows * m];
        rt.parallel_for(0..rows, above(m, limit, &x, &mut y)).run().unwrap();
        assert_eq!(y, expected(&|_, j| j >= limit), "from {limit} on");
        let (mut y, mut z) = (vec![0.0; rows * m], vec![0.0; rows * m]);
        rt.parallel_for(0..rows, computed(m, limit, &x, &mut y, &mut z)).run().unwrap();
        let end = m.wrapping_sub(limit);
        assert_eq!(y, expected(&|i, j| i < end && j < end), "all but {limit}");
        assert_eq!(z, expected(&|_, j| j.wrapping_sub(3) <= limit), "3 before {limit}");
    }
    for (s, from) in [-1, i64::MIN, -5, 0, 7, 36, 37, i64::MAX].into_iter().flat_map(|s| [0, 5].map(|from| (s, from))) {
        let (mut y, mut z) = (vec![0.0; rows * m], vec![0.0; rows * m]);
        rt.parallel_for(0..rows, signed(m, from, s, &x, &mut y, &mut z)).run().unwrap();
        let begun = |mut all: Vec<f32>| {
            (0..rows).for_each(|i| all[i * m..][..from].fill(0.0));
            all
        };
        assert_eq!(y, begun(expected(&|_, j| j >= s as usize)), "{s} as usize, from {from} on");
        assert_eq!(z, begun(expected(&|_, j| j as i64 >= s)), "{s}, from {from} on");
    }
    for to in [m, half, usize::MAX] {
        let mut y = vec![0.0; rows * m];
        rt.parallel_for(0..rows, endless(m, to, &x, &mut y)).run().unwrap();
        let doubled: Vec<f32> = (0..rows * m).map(|at| if at % m + 3 < m { 2.0 * x[at] } else { x[at] }).collect();
        assert_eq!(y, doubled, "to {to}");
    }
}

/// A sum of elements; the last element's neighbour lies outside the row.
#[apportion::kernel(reorder)]
fn neighbours(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..m {
        let v = x[i * m + j];
        if v > 0.5 && j + 1 < m {
            s += x[i * m + j + 1];
        } else {
            s += v;
        }
    }
    y[i] = s;
}

#[test]
fn sums_that_may_be_reordered_do_not_depend_on_where_a_section_ends() {
    let (rows, m) = (24, 133);
    let x = numbers(rows * m, 4);
    let mut expected = vec![0.0f32; rows];
    // In this array every row but the last is followed by another element.
    let all = numbers(rows * m, 4).into_iter().chain([0.0]).collect::<Vec<_>>();
    host().parallel_for(0..rows, neighbours(m, &all[..rows * m], &mut expected)).run().unwrap();
    let bits = |y: &[f32]| y.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
    for end in 1..rows {
        let mut y = vec![0.0; end];
        host().parallel_for(0..end, neighbours(m, &x[..end * m], &mut y)).run().unwrap();
        assert_eq!(bits(&y), bits(&expected[..end]), "{end} rows");
    }
    common::everywhere(|rt, policy, what| {
        if what.starts_with("host") || what.starts_with("emulated") {
            let mut y = vec![0.0; rows];
            rt.parallel_for(0..rows, neighbours(m, &x, &mut y)).policy(policy).run().unwrap();
            assert_eq!(bits(&y), bits(&expected), "{what}");
        }
    });
}

/// Sums in order: one for each row, and one for each column of a product.
#[apportion::kernel]
fn ordered(i: usize, n: usize, m: usize, a: &[f32], b: &[f32], y: &mut [f32], c: &mut [f32]) {
    for j in 0..m {
        let mut s = 0.5;
        for k in 0..n {
            s += a[i * n + k] * b[k * m + j];
        }
        c[i * m + j] = s;
    }
    y[i] = 0.0;
}

#[apportion::kernel]
fn rows_in_order(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.5;
    for j in 0..n {
        s += a[i * n + j] * x[j];
    }
    y[i] = s;
}

/// Two sums in each turn, one with a start value, under names that slices might have.
#[apportion::kernel]
fn two_sums(i: usize, n: usize, low: usize, s: &[f32], c: &[f32], w: &mut [f32]) {
    let first = c[i] * 2.0;
    let mut s0 = 0.0;
    let mut c0 = first;
    c0 += 1.0;
    for k in low..n {
        s0 += s[i * n + k];
        c0 -= c[k + 1] * s[i * n + k];
    }
    w[2 * i] += s0;
    w[2 * i + 1] = c0 - s0;
}

#[test]
fn sums_of_turns_beside_one_another_keep_their_order() {
    // Threads take pieces of rows; some pieces should have four rows.
    for (rows, n, m) in [(1, 7, 1), (4, 1, 4), (6, 33, 7), (11, 100, 9), (1500, 5, 6)] {
        let (a, b) = (numbers(rows * n, 1), numbers(n * m, 2));
        let (mut y, mut c) = (vec![1.0; rows], vec![0.0; rows * m]);
        host().parallel_for(0..rows, ordered(n, m, &a, &b, &mut y, &mut c)).run().unwrap();
        for (at, &c) in c.iter().enumerate() {
            let (i, j) = (at / m, at % m);
            let expected = (0..n).fold(0.5f32, |s, k| s + a[i * n + k] * b[k * m + j]);
            assert_eq!(c, expected, "row {i}, column {j} of {n}");
        }
        let x = numbers(n, 3);
        host().parallel_for(0..rows, rows_in_order(n, &a, &x, &mut y)).run().unwrap();
        for (i, &y) in y.iter().enumerate() {
            let expected = (0..n).fold(0.5f32, |s, j| s + a[i * n + j] * x[j]);
            assert_eq!(y, expected, "row {i} of {n}");
        }
        let more = numbers((rows + 1).max(n + 1), 4);
        for low in [0, n - 1, n, n + 3] {
            let mut w = vec![1.0; 2 * rows];
            host().parallel_for(0..rows, two_sums(n, low, &a, &more, &mut w)).run().unwrap();
            for (i, pair) in w.chunks(2).enumerate() {
                let (mut s0, mut c0) = (0.0f32, more[i] * 2.0 + 1.0);
                for k in low..n {
                    s0 += a[i * n + k];
                    c0 -= more[k + 1] * a[i * n + k];
                }
                assert_eq!(pair, [1.0 + s0, c0 - s0], "row {i} of {n} from {low}");
            }
        }
    }
}
