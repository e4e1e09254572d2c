//! Iterations that contribute to whole arrays, with every operator, on every kind of device.

#[path = "../common/contribute.rs"]
mod programs;

use crate::common::{close, each_way, grids, numbers, run, runtimes};
use apportion::prelude::*;
use apportion::region::Dims;
use programs::*;

const N: usize = 3001;
const BINS: usize = 37;

/// A bin for each iteration; the last two bins get none.
fn places() -> Vec<u32> {
    (0..N as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 7) % (BINS as u32 - 2)).collect()
}

/// The result of all contributions, one after the other.
fn combined<T: Copy>(at: &[u32], x: &[T], before: T, together: impl Fn(T, T) -> T) -> Vec<T> {
    let mut bins = vec![before; BINS];
    at.iter().zip(x).for_each(|(&at, &x)| bins[at as usize] = together(bins[at as usize], x));
    bins
}

macro_rules! compare {
    ($rt:ident, $policy:ident, $form:ident, $what:ident, $module:ident::$kernel:ident, $x:expr, $before:expr, $tolerance:expr, $together:expr) => {{
        let (at, x, before) = (places(), &$x, $before);
        let expected = combined(&at, x, before, $together);
        let mut got = vec![before; BINS];
        let bound = $form($module::$kernel(&at, x, &mut got));
        $rt.parallel_for(0..N, bound).policy($policy.clone()).poison(true).run().unwrap();
        let what = format!("{}, {}::{}", $what, stringify!($module), stringify!($kernel));
        for (bin, (got, expected)) in got.iter().zip(&expected).enumerate() {
            let near = (*got as f64 - *expected as f64).abs() <= $tolerance * (*expected as f64).abs().max(1.0);
            assert!(got == expected || near, "{what}: bin {bin} is {got}, not {expected}");
        }
    }};
}

#[test]
fn by_every_operator_of_every_type() {
    let floats = numbers(N, 3);
    let doubles: Vec<f64> = floats.iter().map(|&x| x.into()).collect();
    let signed: Vec<i32> = floats.iter().map(|&x| (x * 2e9) as i32).collect();
    let unsigned: Vec<u32> = signed.iter().map(|&x| x.cast_unsigned()).collect();
    let long: Vec<i64> = signed.iter().map(|&x| i64::from(x) * 3_000_000_007).collect();
    let wide: Vec<u64> = long.iter().map(|&x| x.cast_unsigned()).collect();
    each_way(|rt, policy, form, what| {
        compare!(rt, policy, form, what, of_f32::sum, floats, 3.0, 1e-4, |a, b| a + b);
        compare!(rt, policy, form, what, of_f64::sum, doubles, 3.0, 1e-12, |a, b| a + b);
        compare!(rt, policy, form, what, of_f32::least, floats, 0.0, 0.0, f32::min);
        compare!(rt, policy, form, what, of_f32::greatest, floats, 0.5, 0.0, f32::max);
        compare!(rt, policy, form, what, of_f64::least, doubles, 0.0, 0.0, f64::min);
        compare!(rt, policy, form, what, of_f64::greatest, doubles, 0.5, 0.0, f64::max);
        let near_1: Vec<f32> = floats.iter().map(|x| 1.0 + x / 8.0).collect();
        let near: Vec<f64> = near_1.iter().map(|&x| x.into()).collect();
        compare!(rt, policy, form, what, of_f32::product, near_1, 3.0, 1e-3, |a, b| a * b);
        compare!(rt, policy, form, what, of_f64::product, near, 3.0, 1e-12, |a, b| a * b);
        macro_rules! integers {
            ($module:ident, $ty:ident, $x:ident) => {
                compare!(rt, policy, form, what, $module::sum, $x, 7, 0.0, $ty::wrapping_add);
                compare!(rt, policy, form, what, $module::product, $x, 7, 0.0, $ty::wrapping_mul);
                compare!(rt, policy, form, what, $module::least, $x, 7, 0.0, $ty::min);
                compare!(rt, policy, form, what, $module::greatest, $x, 7, 0.0, $ty::max);
                compare!(rt, policy, form, what, $module::both, $x, $ty::MAX, 0.0, |a: $ty, b| a & b);
                compare!(rt, policy, form, what, $module::either, $x, 8, 0.0, |a: $ty, b| a | b);
            };
        }
        integers!(of_i32, i32, signed);
        integers!(of_u32, u32, unsigned);
        integers!(of_i64, i64, long);
        integers!(of_u64, u64, wide);
    });
}

/// Arrays that fit in a group's memory, and longer ones.
#[test]
fn of_every_length() {
    for bins in [1u32, 255, 256, 257, 1025, 4096, 4097, 20_000] {
        let n = 9001u32;
        let at: Vec<u32> = (0..n).map(|i| (i.wrapping_mul(2_654_435_761) >> 7) % bins).collect();
        let (x, y) = (vec![3u32; n as usize], vec![0.5f64; n as usize]);
        let (mut h, mut g) = (vec![1u32; bins as usize], vec![-1.0; bins as usize]);
        at.iter().for_each(|&at| (h[at as usize] += 3, g[at as usize] += 0.5).0);
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {bins} bins");
            let (mut h2, mut g2) = (vec![1u32; bins as usize], vec![-1.0; bins as usize]);
            let bound = form(of_u32::sum(&at, &x, &mut h2));
            rt.parallel_for(0..n as usize, bound).policy(policy.clone()).run().unwrap();
            let bound = form(of_f64::sum(&at, &y, &mut g2));
            rt.parallel_for(0..n as usize, bound).policy(policy).run().unwrap();
            assert_eq!((&h2, &g2), (&h, &g), "{what}");
        });
    }
}

#[test]
fn beside_what_is_written_and_returned() {
    let x: Vec<u32> = (0..N as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 9).collect();
    let (mut y, mut counts, mut left, mut sum) = (vec![0; N], vec![5u32; 11], vec![100i64, 0, 0], 0);
    for (y, &x) in y.iter_mut().zip(&x) {
        let bin = x % 11;
        *y = bin;
        if bin % 3 != 1 {
            counts[bin as usize] += 1;
            left[0] -= i64::from(x);
            left[(bin % 2) as usize + 1] += 2;
            sum += u64::from(bin);
        }
    }
    each_way(|rt, policy, form, what| {
        let (mut y2, mut counts2, mut left2) = (vec![9; N], vec![5u32; 11], vec![100i64, 0, 0]);
        let bound = form(sorted(11, &x, &mut counts2, &mut left2, &mut y2));
        let got = rt.parallel_for(0..N, bound).policy(policy).poison(true).reduce::<u64>(Sum).unwrap().value;
        assert_eq!((got, &counts2, &left2), (sum, &counts, &left), "{what}");
        assert_eq!(y2, y, "{what}");
    });
}

#[test]
fn by_columns_and_by_rows() {
    for (n, m) in [(1, 1), (7, 40), (300, 3), (90, 700)] {
        let x = numbers(n * m, 5);
        let (mut sums, mut most) = (vec![1.0; m], vec![-0.5f32; m]);
        let mut h = [10u32; 4];
        for row in x.chunks(m) {
            for (j, &x) in row.iter().enumerate() {
                sums[j] += f64::from(x);
                most[j] = most[j].max(x);
                h[2] += u32::from(x > 0.5);
            }
            let sum: f32 = row.iter().sum();
            h[3] += u32::from(sum > 0.0);
            h[usize::from(sum > 0.0)] += 1;
        }
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {n} x {m}");
            let (mut sums2, mut most2) = (vec![1.0; m], vec![-0.5f32; m]);
            let bound = form(columns(m, &x, &mut sums2, &mut most2));
            rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).run().unwrap();
            close(&sums2, &sums, 1e-12, &what);
            assert_eq!(most2, most, "{what}");
            let (mut y, mut h2) = (vec![0.0; n * m], vec![10u32; 4]);
            let bound = form(rows(m, &x, &mut y, &mut h2));
            let all = rt.parallel_for(0..n, bound).policy(policy).poison(true).reduce::<f64>(Sum).unwrap().value;
            close(&[all], &[x.iter().map(|&x| f64::from(x)).sum::<f64>()], 1e-3, &what);
            assert_eq!(h2, h, "{what}");
            assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x), "{what}");
        });
    }
}

#[test]
fn in_nests_and_in_turns() {
    for (n, m, l) in [(1, 1, 1), (5, 3, 40), (6, 40, 33), (9, 17, 200)] {
        let x = numbers(n * m * l, 8);
        let (mut h, mut most) = (vec![0u32; 5], vec![-2.0f32; m]);
        h[0] = n as u32;
        h[1] = (n * m) as u32;
        for (row, values) in x.chunks(l).enumerate() {
            for (k, &x) in values.iter().enumerate() {
                h[2 + k % 3] += u32::from(x > 0.0);
                most[row % m] = most[row % m].max(x);
            }
        }
        let mut g = vec![0u32; 4];
        for row in x.chunks(m * l) {
            for t in 0..3u8 {
                let sum: f32 = row.iter().map(|x| x * (f32::from(t) + 1.0)).sum();
                g[2] += if sum > 0.5 { u32::from(t) } else { 0 };
                g[usize::from(sum > 0.5)] += 1;
                g[3] += (m * l) as u32;
            }
        }
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {n} x {m} x {l}");
            let (mut y, mut h2, mut most2) = (vec![0.0; n * m * l], vec![0u32; 5], vec![-2.0f32; m]);
            let bound = form(planes(m, l, &x, &mut y, &mut h2, &mut most2));
            rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).run().unwrap();
            assert_eq!((&h2, &most2), (&h, &most), "{what}");
            assert!(y.iter().zip(&x).enumerate().all(|(at, (y, x))| *y == (1.0 + (at / l % m) as f32) * x), "{what}");
            let mut g2 = vec![0u32; 4];
            let bound = form(turns(m * l, 3, &x, &mut y, &mut g2));
            rt.parallel_for(0..n, bound).policy(policy).poison(true).run().unwrap();
            assert_eq!(g2, g, "{what}");
        });
    }
}

#[test]
fn beside_sums_and_in_short_loops() {
    for (n, m, l) in [(1, 1, 1), (9, 40, 7), (30, 3, 150)] {
        let x: Vec<f32> = numbers(n * m * l, 2).iter().map(|x| (x * 64.0).round()).collect();
        let (mut of_rows, mut of_lines) = (vec![0.0; n], vec![0.0; n * m]);
        let (mut of_columns, mut of_depth) = (vec![7.0; m * l], vec![7.0; l]);
        for (at, x) in x.iter().enumerate() {
            of_rows[at / (m * l)] += x;
            of_lines[at / l] += x;
            of_columns[at % (m * l)] += x;
            of_depth[at % l] += x;
        }
        let y: Vec<u32> = (0..3 * n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
        let z: Vec<u32> = (0..(n * m) as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).collect();
        let mut of_three = [1u32; 6];
        y.iter().enumerate().for_each(|(at, y)| {
            of_three[at % 3] += y;
            of_three[3 + at % 3] += y + (y >> 1);
        });
        let most = z.iter().fold(5, |most, z| most.max(*z));
        let of_four = [0, 1, 2, 3].map(|k| (most >> k).max(5));
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {n} x {m} x {l}");
            let (mut rows, mut columns) = (vec![9.0; n], vec![7.0; m * l]);
            run(rt, 0..n, &policy, form(margins(m * l, &x, &mut rows, &mut columns)));
            assert_eq!((&rows, &columns), (&of_rows, &of_columns), "{what}");
            let (mut rows, mut columns) = (vec![9.0; n * m], vec![7.0; l]);
            run(rt, 0..n, &policy, form(nested_margins(m, l, &x, &mut rows, &mut columns)));
            assert_eq!((&rows, &columns), (&of_lines, &of_depth), "{what}");
            let mut h = [1u32; 6];
            run(rt, 0..n, &policy, form(few(&y, &mut h)));
            assert_eq!(h, of_three, "{what}");
            let mut h = [5u32; 4];
            run(rt, 0..n, &policy, form(few_of_two(0..m, m, &z, &mut h)));
            assert_eq!(h, of_four, "{what}");
        });
    }
}

/// Contributions and old contents that are NaN.
#[test]
fn of_numbers_and_others() {
    let (at, x) = ([0, 0, 1, 1, 2], [f32::NAN, 2.0, 3.0, f32::NAN, f32::NAN]);
    each_way(|rt, policy, form, what| {
        // No iteration contributes to the last element.
        let mut h = [5.0, f32::NAN, 7.0, f32::NAN];
        let bound = form(of_f32::least(&at, &x, &mut h));
        rt.parallel_for(0..5usize, bound).policy(policy.clone()).run().unwrap();
        assert!(h[..3] == [2.0, 3.0, 7.0] && h[3].is_nan(), "{what}: {h:?}");
        let mut h = [5.0, f32::NAN, 1.0, f32::NAN];
        let bound = form(of_f32::greatest(&at, &x, &mut h));
        rt.parallel_for(0..5usize, bound).policy(policy).run().unwrap();
        assert!(h[..3] == [5.0, 3.0, 1.0] && h[3].is_nan(), "{what}: {h:?}");
    });
}

/// An index read from an array lies outside: the host panics, and devices skip the element and report it.
#[test]
fn devices_write_to_nothing_else() {
    for (bins, outside) in [(256usize, 256u32), (256, u32::MAX), (4097, 5000), (8192, 8200), (8192, 4_000_000_000)] {
        let mut at: Vec<u32> = (0..100_000u32).map(|i| i % bins as u32).collect();
        (at[777], at[95_000]) = (outside, outside);
        let x = vec![1u32; at.len()];
        each_way(|rt, policy, form, what| {
            if !what.starts_with("opencl") && !what.starts_with("cuda") {
                return;
            }
            let mut h = vec![0u32; bins];
            let bound = form(of_u32::sum(&at, &x, &mut h));
            let error = rt.parallel_for(0..at.len(), bound).policy(policy).run().unwrap_err().to_string();
            assert!(error.contains(&format!("element {outside} of array `h`")), "{what}: {error}");
            assert_eq!(h, vec![0; bins], "{what}, {outside} of {bins}");
        });
    }
    let (at, x, mut h) = ([0, 1, 99], [1u32; 3], [0u32; 5]);
    for (name, rt) in runtimes().into_iter().filter(|(name, _)| matches!(*name, "host" | "emulated")) {
        let ran = || rt.parallel_for(0..3usize, of_u32::sum(&at, &x, &mut h)).run();
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(ran)).is_err(), "{name}");
    }
}

#[test]
fn an_array_that_is_too_short_is_refused_before_the_loop() {
    let x = [1.0; 1000];
    for (name, rt) in runtimes() {
        let mut h = [0.0; 500];
        let error = rt.parallel_for(0..1000usize, own(&x, &mut h)).run().unwrap_err().to_string();
        assert!(error.contains("array `h`") && error.contains("it has 500 elements"), "{name}: {error}");
        assert_eq!(h, [0.0; 500], "{name}");
    }
}

#[test]
fn of_two_indices_in_loops_and_on_grids() {
    let (n, m) = (53, 71);
    let x: Vec<u32> = (0..(n * m) as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 11).collect();
    let mut h = vec![2u32; 16];
    x.iter().for_each(|x| h[(x % 16) as usize] += 1);
    let y: Vec<u32> = x.iter().map(|x| x + 1).collect();
    each_way(|rt, policy, form, what| {
        let (mut y2, mut h2) = (vec![0; n * m], vec![2u32; 16]);
        rt.parallel_for(0..n, form(image(0..m, m, &x, &mut y2, &mut h2))).policy(policy).poison(true).run().unwrap();
        assert_eq!((&y2, &h2), (&y, &h), "{what}");
    });
    grids(|rt, arrangement, what| {
        let (mut y2, mut h2) = (vec![0; n * m], vec![2u32; 16]);
        let mut region = rt.data_region().arrangement(arrangement);
        let x_ = region.to(&x, [n, m]);
        let y_ = region.from(&mut y2, [n, m]);
        let h_ = region.tofrom(&mut h2, [16].full());
        for _ in 0..2 {
            region.parallel_for_2d(0..n, 0..m, image(0..m, m, x_, y_, h_)).run().unwrap();
        }
        region.finish().unwrap();
        let twice: Vec<u32> = h.iter().map(|h| 2 * h - 2).collect();
        assert_eq!((&y2, &h2), (&y, &twice), "{what}, {arrangement:?}");
    });
}

#[test]
fn in_a_region() {
    let (at, x) = (places(), vec![1u64; N]);
    let mut expected = vec![0; BINS];
    at.iter().for_each(|&at| expected[at as usize] += 3);
    for (name, rt) in runtimes() {
        let mut h = vec![0u64; BINS];
        let mut region = rt.data_region();
        let (at_, x_) = (region.to(&at, [N]), region.to(&x, [N]));
        let h_ = region.tofrom(&mut h, [BINS].full());
        for _ in 0..3 {
            region.parallel_for(0..N, of_u64::sum(at_, x_, h_)).run().unwrap();
        }
        region.finish().unwrap();
        assert_eq!(h, expected, "{name}");
    }
}

#[test]
fn what_is_contributed_to_is_said() {
    let maps = columns::maps().to_string();
    assert!(planes::maps().to_string().contains("loops over j and k"), "{}", planes::maps());
    assert!(maps.contains("tofrom  FULL") && maps.contains("iterations contribute to it by Max"), "{maps}");
}
