//! Functions of numbers, and assigned values with statements inside, on every kind of device.

use crate::common::{close, each_way, runtimes};
use crate::functions::*;
use apportion::prelude::*;

/// Numbers of every length in bits, and the ends of a type's range.
fn bits(n: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state
    };
    (0..n).map(|k| (next() ^ next() >> 32) >> (7 * k % 64)).collect()
}

macro_rules! integers {
    ($($test:ident: $module:ident, $t:ident;)*) => {$(
        #[test]
        fn $test() {
            let n = 1009;
            let mut a: Vec<$t> = bits(n, 1).into_iter().map(|bits| bits as $t).collect();
            let mut b: Vec<$t> = bits(n, 2).into_iter().map(|bits| bits as $t).collect();
            // Every pair of ends; Rust panics for a divisor of 0, and for the least number by -1.
            let ends = [$t::MIN, $t::MAX, 0, 1, $t::MAX - 1, $t::MIN + 1, (0 as $t).wrapping_sub(1)];
            for (k, end) in ends.iter().enumerate() {
                for (l, other) in ends.iter().enumerate() {
                    (a[7 * k + l], b[7 * k + l]) = (*end, *other);
                }
            }
            for (a, b) in a.iter_mut().zip(&mut b) {
                if *b == 0 {
                    *b = 3;
                }
                if a.checked_div(*b).is_none() {
                    *a = 5;
                }
            }
            let powers: Vec<u32> = bits(n, 3).into_iter().map(|bits| bits as u32 % 67).collect();
            let (mut y, mut u) = (vec![0; EACH * n], vec![0; COUNTS * n]);
            (0..n).for_each(|i| $module::plain::functions(i, &a, &b, &powers, &mut y, &mut u));
            each_way(|rt, policy, form, what| {
                let (mut got, mut counts) = (vec![0; EACH * n], vec![0; COUNTS * n]);
                let bound = form($module::functions(&a, &b, &powers, &mut got, &mut counts));
                rt.parallel_for(0..n, bound).policy(policy).poison(true).run().unwrap();
                for i in 0..n {
                    let (each, of) = (EACH * i..EACH * (i + 1), (a[i], b[i], powers[i]));
                    assert_eq!(got[each.clone()], y[each], "{what}: {of:?}");
                    let each = COUNTS * i..COUNTS * (i + 1);
                    assert_eq!(counts[each.clone()], u[each], "{what}: {of:?}");
                }
            });
        }
    )*};
}
integers! {
    bytes: of_u8, u8;
    bytes_with_signs: of_i8, i8;
    unsigned_16: of_u16, u16;
    signed_16: of_i16, i16;
    unsigned: of_u32, u32;
    unsigned_64: of_u64, u64;
    signed: of_i32, i32;
    signed_64: of_i64, i64;
}

macro_rules! signs {
    ($($test:ident: $module:ident, $t:ident;)*) => {$(
        #[test]
        fn $test() {
            let n = 300;
            let mut a: Vec<$t> = bits(n, 4).into_iter().map(|bits| bits as $t).collect();
            let mut b: Vec<$t> = bits(n, 5).into_iter().map(|bits| bits as $t).collect();
            a[..4].copy_from_slice(&[$t::MIN, $t::MAX, 0, $t::MIN]);
            b[..4].copy_from_slice(&[$t::MAX, $t::MIN, -1, $t::MIN]);
            let (mut y, mut v) = (vec![0; 2 * n], vec![0; 2 * n]);
            (0..n).for_each(|i| $module::signs::plain::of_signs(i, &a, &b, &mut y, &mut v));
            each_way(|rt, policy, form, what| {
                let (mut got, mut sizes) = (vec![0; 2 * n], vec![0; 2 * n]);
                let bound = form($module::signs::of_signs(&a, &b, &mut got, &mut sizes));
                rt.parallel_for(0..n, bound).policy(policy).poison(true).run().unwrap();
                assert_eq!((&got, &sizes), (&y, &v), "{what}");
            });
        }
    )*};
}
signs! {
    signs_of_i8: of_i8, i8;
    signs_of_i16: of_i16, i16;
    signs_of_i32: of_i32, i32;
    signs_of_i64: of_i64, i64;
}

macro_rules! floats {
    ($($test:ident: $module:ident, $t:ident, $tolerance:expr;)*) => {$(
        #[test]
        fn $test() {
            let n = 1009;
            let number = |bits: u64| (bits % 16001) as $t / 1000.0 - 8.0;
            let mut a: Vec<$t> = bits(n, 6).into_iter().map(number).collect();
            let mut b: Vec<$t> = bits(n, 7).into_iter().map(number).collect();
            let ends = [0.0, -0.0, $t::INFINITY, $t::NEG_INFINITY, $t::NAN, $t::MAX, 0.5, -2.5];
            for (k, end) in ends.iter().enumerate() {
                for (l, other) in ends.iter().enumerate() {
                    (a[8 * k + l], b[8 * k + l]) = (*end, *other);
                }
            }
            let mut y = vec![0.0; FLOATS * n];
            (0..n).for_each(|i| $module::plain::functions(i, &a, &b, &mut y));
            each_way(|rt, policy, form, what| {
                let mut got = vec![0.0; FLOATS * n];
                let bound = form($module::functions(&a, &b, &mut got));
                rt.parallel_for(0..n, bound).policy(policy).poison(true).run().unwrap();
                for i in 0..n {
                    let what = format!("{what}: {:?}", (a[i], b[i]));
                    let (got, y) = (&got[FLOATS * i..FLOATS * (i + 1)], &y[FLOATS * i..FLOATS * (i + 1)]);
                    for k in 0..EXACT {
                        let same = got[k].to_bits() == y[k].to_bits() || got[k].is_nan() && y[k].is_nan();
                        assert!(same, "{what}: function {k} is {}, not {}", got[k], y[k]);
                    }
                    close(&got[EXACT..], &y[EXACT..], $tolerance, &what);
                }
            });
        }
    )*};
}
floats! {
    functions_of_f32: of_f32, f32, 2e-6;
    functions_of_f64: of_f64, f64, 1e-14;
}

#[test]
fn assigned_values_with_statements_inside() {
    let n = 301;
    let k: Vec<i32> = (0..n as i32).map(|k| k % 11 - 4).collect();
    let x = crate::common::numbers(n, 8);
    let (mut y, mut z) = (vec![0.0; n], vec![0; n]);
    let sum: f64 = (0..n).map(|i| plain::values(i, n, &k, &x, &mut y, &mut z)).sum();
    each_way(|rt, policy, form, what| {
        let (mut got, mut whole) = (vec![0.0; n], vec![0; n]);
        let bound = form(values(n, &k, &x, &mut got, &mut whole));
        let run = rt.parallel_for(0..n, bound).policy(policy).poison(true);
        close(&[run.reduce::<f64>(Sum).unwrap().value], &[sum], 1e-9, what);
        // A group that shares the inner loop adds in another order.
        close(&got, &y, 1e-6, what);
        assert_eq!(whole, z, "{what}");
    });
    each_way(|rt, policy, form, what| {
        let (mut y, mut z) = (vec![0.0; n], vec![0; n]);
        rt.parallel_for(0..n, form(named(&k, &x, &mut y, &mut z))).policy(policy).poison(true).run().unwrap();
        let expected = |x: f32| if x > 0.0 { 2.0 * x } else { x + 3.0 };
        assert!((0..n).all(|i| y[i] == expected(x[i]) && z[i] == if k[i] == 0 { 1 } else { k[i] + 2 }), "{what}");
    });
}

/// Where Rust panics, devices have what the language's document says.
#[test]
fn divisors_of_0_and_the_least_number_by_minus_one_on_devices() {
    let (a, b, n) = ([7, i32::MIN, -9], [0, -1, 0], [0; 3]);
    for (name, rt) in runtimes().into_iter().filter(|(name, _)| name.starts_with("opencl") || *name == "cuda") {
        let (mut y, mut u) = ([0; 3 * EACH], [0; 3 * COUNTS]);
        rt.parallel_for(0..3, of_i32::functions(&a, &b, &n, &mut y, &mut u)).run().unwrap();
        let euclidean: Vec<_> = (0..3).map(|i| (y[EACH * i], y[EACH * i + 1])).collect();
        assert_eq!(euclidean, [(0, 0), (0, i32::MIN), (0, 0)], "{name}");
    }
}
