//! What names and numbers mean: in every text the same as in the function itself.
#![allow(missing_docs)]
#![allow(non_snake_case, reason = "names that C takes for macros")]

#[allow(dead_code)]
mod common;

use apportion::kernel;
use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use apportion::region::{Ghosts, Layout};
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

    // A name in a pattern is a constant, if there is one of this name.
    pub fn constants(i: usize, v: &[i32], y: &mut [i32]) {
        const A: i32 = 7;
        const B: i32 = -2;
        let one = match v[i] {
            A => 1,
            0 => 2,
            _ => 3,
        };
        let several = match v[i] {
            4 | B => 1,
            A | 0 => 2,
            other => other + one,
        };
        y[i] = 10 * several + one;
    }

    // Locals named like the variables that the lowering makes.
    pub fn hidden(i: usize, v: &[u32], y: &mut [u64], z: &mut [f64]) {
        let turn = 5usize;
        let unused = 7usize;
        let turns = 2usize;
        let range_low = 3usize;
        let range_high = 11usize;
        let chosen = v[i] as usize;
        let mut c = 1usize;
        for j in (0..4usize).rev() {
            c = c * 10 + turn + j;
        }
        for _ in 0..4usize {
            c = (c * 10 + unused) % 1000003;
        }
        for _ in (0..4usize).rev() {
            c = (c * 10 + unused + turn) % 1000003;
        }
        for j in (chosen..chosen + 9).step_by(2) {
            c = (c * 10 + turns + turn + j + range_low + range_high) % 1000003;
        }
        for j in (chosen..chosen * 2).rev() {
            c = (c * 10 + range_low * range_high + j) % 1000003;
        }
        for j in (chosen..=chosen * 2).rev().step_by(3) {
            c = (c * 10 + range_low * range_high + turn * turns + j) % 1000003;
        }
        match v[i] {
            3 => c += chosen,
            _ => c += 1,
        }
        let (p, _) = (2.0, 50.0);
        let (_, q): (f64, _) = (20.0, unused as f64);
        y[i] = c as u64;
        z[i] = p * unused as f64 + q;
    }

    // Values that are computed with a name that they give a new meaning to.
    pub fn shadowed(i: usize, c: i64, v: &[i32], x: &[f32], y: &mut [i64], z: &mut [f32]) {
        let s = 100i64;
        let mut a = s;
        if v[i] != 12345 {
            let s = v[i] as i64;
            let s = if s > 0 {
                let t = s - 1;
                t
            } else {
                s
            };
            let s = match s {
                2 => s * 3,
                n => s + n,
            };
            let s = {
                let u = s;
                u * 2 + s
            };
            a += s;
        }
        let w = x[i];
        let w = match v[i] {
            0 => 0.0,
            1 => w * w,
            _ => w + 1.0,
        };
        let c = match v[i] {
            0 => 0,
            _ => c * 2,
        };
        y[i] = a * 1000 + s + c;
        z[i] = w;
    }

    // Numbers of 64 bits that are too small to look like it.
    pub fn literals(i: usize, v: &[i32], a: &mut [u64], b: &mut [u64], c: &mut [u64], d: &mut [f64]) {
        let product: u64 = 2000000 * 2000000;
        let length = 1000usize * 1000 * 1000 * 10 + i;
        let half = 0u64.wrapping_sub(1) / 2;
        let third = (if v[i] > 0 { 0 } else { 1usize }).wrapping_sub(1) / 3;
        let above = if 0u64.wrapping_sub(3) > 5 { 1 } else { 0 };
        let masked = (6usize / 2).wrapping_sub(4 & 12) >> 3;
        let signed = 2000000i64 * 2000000 - 7;
        a[i] = product ^ half;
        b[i] = length as u64 ^ third as u64;
        c[i] = masked as u64 + above + signed as u64;
        d[i] = 0usize.wrapping_sub(1) as f64;
    }

    // Literals that fit into the type of their cast alone.
    pub fn cast_literals(i: usize, v: &[i32], a: &mut [u64], b: &mut [i64], c: &mut [u64], d: &mut [f64]) {
        let mask = 0xFFFF_FFFF as u64;
        let many = ((3_000_000_000)) as usize;
        let less = -3_000_000_000 as i64;
        let word = 0x8000_0000 as u32;
        let byte = 200 as u8;
        a[i] = (v[i] as u64 & mask) + many as u64;
        b[i] = less * v[i] as i64 + !5_000_000_000 as i64;
        c[i] = (word >> 3) as u64 + byte as u64 + !0xF as u64 % 1000;
        d[i] = 0.1 as f32 as f64 + 1e300 as f64 + (-0.7) as f32 as f64 + 16777217 as f32 as f64;
    }

    // Ranges that end near or at the largest number.
    pub fn last_turns(i: usize, v: &[i32], a: &mut [u64], b: &mut [u64], c: &mut [i64]) {
        let mut s = 0u64;
        for j in 2147483640i64..=2147483647 {
            s += j as u64;
        }
        for j in 2147483645usize..=(if v[i] > 0 { 2147483647 } else { 2147483646 }) {
            s += j as u64;
        }
        let mut t = 0u64;
        for j in (u64::MAX - 2)..=u64::MAX {
            if j == u64::MAX - 1 {
                continue;
            }
            t = t.wrapping_mul(3).wrapping_add(j);
        }
        let most = u64::MAX - v[i].max(0) as u64;
        for j in (most - 2)..=most {
            if j % 5 == 0 {
                continue;
            }
            t = t.wrapping_mul(3).wrapping_add(j);
        }
        let mut u = 0i64;
        for j in (i64::MAX - 1)..=i64::MAX {
            u = u.wrapping_mul(3).wrapping_add(j);
        }
        for j in i64::MAX..=(i64::MAX - 1) {
            u = u.wrapping_add(j);
        }
        a[i] = s;
        b[i] = t;
        c[i] = u;
    }

    // Types, operators and macros of C.
    pub fn named(i: usize, generic: f32, nullptr: f32, x: &[f32], y: &mut [f32]) {
        let image1d_t = x[i];
        let image3d_t = image1d_t * 2.0;
        let M_PI_2 = image3d_t + generic;
        let M_1_PI_F = M_PI_2 * nullptr;
        let cl_khr_fp64 = M_1_PI_F - 1.0;
        let bitand = cl_khr_fp64 * 0.5;
        let static_assert = bitand + 1.0;
        let threadIdx = static_assert + 2.0;
        let uint3 = threadIdx * M_PI_2;
        y[i] = uint3 + static_assert;
    }

    // Arrays whose names become alike where C allows others only, and a scalar and a local like them.
    pub fn alike(i: usize, half_v_2: f32, half: &[f32], half_v: &mut [f32], größe: &[f32], gruf6uDFe: &mut [f32]) {
        let half_v_3 = half[i] * half_v_2;
        half_v[i] = half_v_3 + größe[i];
        gruf6uDFe[i] = half_v_3 - größe[i];
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

/// Cells whose row or column is a local with one of two values, and what chose it changes.
#[kernel(i, j)]
fn either_cell(i: usize, j: usize, m: usize, x: &[f32], y: &mut [f32]) {
    let up = if i > 0 { i - 1 } else { i };
    let mut far = j % 3 == 1;
    let right = if far && j + 2 < m { j as u64 + 2 } else { j as u64 };
    far = !far;
    let own = if far { i * m + j } else { j + m * i };
    y[own] = x[up * m + j] + 2.0 * x[i * m + right as usize] + 4.0 * x[own];
}

#[test]
fn a_cell_that_is_one_of_two_is_the_one_that_was_chosen() {
    let (n, m) = (21, 37);
    let x = eighths(n * m);
    let cell = |i: usize, j: usize| x[i * m + j];
    let right = |j: usize| if j % 3 == 1 && j + 2 < m { j + 2 } else { j };
    let value = |i: usize, j: usize| cell(i.saturating_sub(1), j) + 2.0 * cell(i, right(j)) + 4.0 * cell(i, j);
    let expected: Vec<f32> = (0..n * m).map(|at| value(at / m, at % m)).collect();
    grids(|rt, arrangement, what| {
        let forms: [fn(Bound<'_>) -> Bound<'_>; 2] = [|bound| bound, as_on_gpus];
        for form in forms {
            let mut y = vec![0.0; n * m];
            let mut region = rt.data_region().arrangement(arrangement);
            let layout = Layout::from([n, m]).halo(2).ghosts(1, Ghosts { left: 2, right: 2, ..Ghosts::default() });
            let (of_x, of_y) = (region.to(&x, layout), region.from(&mut y, [n, m]));
            region.parallel_for_2d(0..n, 0..m, form(either_cell(0..m, m, of_x, of_y))).run().unwrap();
            region.finish().unwrap();
            assert_eq!(y, expected, "{what}");
        }
    });
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; n * m];
        run(rt, 0..n, &policy, form(either_cell(0..m, m, &x, &mut y)));
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

const LIMIT: i32 = 7;

#[kernel(const LIMIT: i32)]
fn limited(i: usize, v: &[i32], y: &mut [i32]) {
    let kind = match v[i] {
        LIMIT => 100,
        0 => 200,
        other if other < LIMIT => 300,
        other => other,
    };
    y[i] = kind;
}

#[test]
fn constants_in_patterns_are_compared() {
    let v: Vec<i32> = (0..N as i32).map(|i| i % 23 - 4).collect();
    let mut y = vec![0; N];
    (0..N).for_each(|i| plain::constants(i, &v, &mut y));
    let kind = |&v: &i32| match v {
        7 => 100,
        0 => 200,
        v if v < 7 => 300,
        v => v,
    };
    let kinds: Vec<i32> = v.iter().map(kind).collect();
    each_way(|rt, policy, form, what| {
        let (mut got, mut got_kinds) = (vec![0; N], vec![0; N]);
        run(rt, 0..N, &policy, form(constants(&v, &mut got)));
        run(rt, 0..N, &policy, form(limited(&v, &mut got_kinds)));
        assert_eq!((&got, &got_kinds), (&y, &kinds), "{what}");
    });
}

#[test]
fn names_mean_the_local_that_they_mean_in_rust() {
    let (x, v, signed) = (
        numbers(N, 1),
        (0..N as u32).map(|i| i % 19).collect::<Vec<_>>(),
        (0..N as i32).map(|i| i % 9 - 3).collect::<Vec<_>>(),
    );
    let (mut y, mut z) = (vec![0; N], vec![0.0; N]);
    (0..N).for_each(|i| plain::hidden(i, &v, &mut y, &mut z));
    let (mut a, mut b) = (vec![0; N], vec![0.0; N]);
    (0..N).for_each(|i| plain::shadowed(i, 21, &signed, &x, &mut a, &mut b));
    each_way(|rt, policy, form, what| {
        let (mut got, mut floats) = (vec![0; N], vec![0.0; N]);
        run(rt, 0..N, &policy, form(hidden(&v, &mut got, &mut floats)));
        assert_eq!((&got, &floats), (&y, &z), "{what}");
        let (mut got, mut floats) = (vec![0; N], vec![0.0; N]);
        run(rt, 0..N, &policy, form(shadowed(21, &signed, &x, &mut got, &mut floats)));
        assert_eq!((&got, &floats), (&a, &b), "{what}");
    });
}

#[test]
fn literals_have_all_bits_of_their_type() {
    let v: Vec<i32> = (0..N as i32).map(|i| i % 3 - 1).collect();
    let mut expected = (vec![0; N], vec![0; N], vec![0; N], vec![0.0; N]);
    let (a, b, c, d) = (&mut expected.0, &mut expected.1, &mut expected.2, &mut expected.3);
    (0..N).for_each(|i| plain::literals(i, &v, a, b, c, d));
    let mut cast = (vec![0; N], vec![0; N], vec![0; N], vec![0.0; N]);
    (0..N).for_each(|i| plain::cast_literals(i, &v, &mut cast.0, &mut cast.1, &mut cast.2, &mut cast.3));
    let mut turns = (vec![0; N], vec![0; N], vec![0; N]);
    (0..N).for_each(|i| plain::last_turns(i, &v, &mut turns.0, &mut turns.1, &mut turns.2));
    each_way(|rt, policy, form, what| {
        let mut got = (vec![0; N], vec![0; N], vec![0; N], vec![0.0; N]);
        run(rt, 0..N, &policy, form(literals(&v, &mut got.0, &mut got.1, &mut got.2, &mut got.3)));
        assert_eq!(got, expected, "{what}");
        let mut got = (vec![0; N], vec![0; N], vec![0; N], vec![0.0; N]);
        run(rt, 0..N, &policy, form(cast_literals(&v, &mut got.0, &mut got.1, &mut got.2, &mut got.3)));
        assert_eq!(got, cast, "{what}");
        let mut got = (vec![0; N], vec![0; N], vec![0; N]);
        run(rt, 0..N, &policy, form(last_turns(&v, &mut got.0, &mut got.1, &mut got.2)));
        assert_eq!(got, turns, "{what}");
    });
}

#[test]
fn locals_may_be_named_like_words_of_c() {
    let x = numbers(N, 1);
    let mut y = vec![0.0; N];
    (0..N).for_each(|i| plain::named(i, 0.25, 3.0, &x, &mut y));
    each_way(|rt, policy, form, what| {
        let mut got = vec![0.0; N];
        run(rt, 0..N, &policy, form(named(0.25, 3.0, &x, &mut got)));
        assert_eq!(got, y, "{what}");
    });
}

#[test]
fn arrays_whose_names_are_alike_in_c_are_different_arrays() {
    let (x, z) = (eighths(N), eighths(2 * N)[N..].to_vec());
    let (mut a, mut b) = (vec![0.0; N], vec![0.0; N]);
    (0..N).for_each(|i| plain::alike(i, 0.5, &x, &mut a, &z, &mut b));
    each_way(|rt, policy, form, what| {
        let (mut got, mut other) = (vec![0.0; N], vec![0.0; N]);
        run(rt, 0..N, &policy, form(alike(0.5, &x, &mut got, &z, &mut other)));
        assert_eq!((&got, &other), (&a, &b), "{what}");
    });
}
