//! Arrays and results of 8 and 16 bits on every kind of device.

use crate::common::{each_way, everywhere};
use crate::narrow::{self, of_columns, of_rows};
use apportion::kernel::{Element, Reduce};
use apportion::prelude::*;

/// Numbers of which some are the ends of a type's range.
fn bits(n: usize, seed: u64) -> Vec<i64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 29).cast_signed()
    };
    let ends = [0, -1, 1, 127, 128, -128, 255, 256, 32_767, -32_768, 65_535, 65_536, -7];
    (0..n).map(|k| if k % 3 == 0 { ends[k / 3 % ends.len()] } else { next() >> (k % 7 * 9) }).collect()
}

macro_rules! each_type {
    ($($test:ident: $t:ident $module:ident;)*) => {$(
        #[test]
        fn $test() {
            use narrow::$module as of;
            let n = 777;
            let k = bits(n, 1);
            let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.9, 127.9, -128.9, 65_535.9, 1e300, -1e300];
            let d: Vec<f64> = (0..n).map(|i| if i % 5 == 0 { special[i / 5 % 9] } else { k[i] as i32 as f64 / 7e3 }).collect();
            let f: Vec<f32> = d.iter().map(|&d| d as f32).collect();
            let (mut y, mut z, mut v) = (vec![0; 3 * n], vec![0.0; n], vec![0; 3 * n]);
            (0..n).for_each(|i| of::plain::cast(i, &f, &k, &mut y, &mut z, &mut v));
            let mut of_f64 = vec![0; n];
            (0..n).for_each(|i| of::plain::cast_f64(i, &d, &mut of_f64));
            each_way(|rt, policy, form, what| {
                let mut got = (vec![0; 3 * n], vec![0.0; n], vec![0; 3 * n]);
                let bound = form(of::cast(&f, &k, &mut got.0, &mut got.1, &mut got.2));
                rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).run().unwrap();
                let mut got_of_f64 = vec![0; n];
                rt.parallel_for(0..n, form(of::cast_f64(&d, &mut got_of_f64))).policy(policy).poison(true).run().unwrap();
                assert_eq!(got_of_f64, of_f64, "{what}");
                assert_eq!((&got.0, &got.1, &got.2), (&y, &z, &v), "{what}");
            });

            let a: Vec<$t> = bits(n, 2).iter().map(|&k| k as $t).collect();
            let b: Vec<$t> = bits(n, 3).iter().map(|&k| (k >> 2) as $t).collect();
            let s = 0x5aa5_u16 as $t;
            let mut y = vec![0; 8 * n];
            (0..n).for_each(|i| of::plain::wrap(i, s, &a, &b, &mut y));
            each_way(|rt, policy, form, what| {
                let mut got = vec![0; 8 * n];
                rt.parallel_for(0..n, form(of::wrap(s, &a, &b, &mut got))).policy(policy).poison(true).run().unwrap();
                assert_eq!(got, y, "{what}");
            });

            let points: Vec<[$t; 3]> = (0..n).map(|i| [a[i], b[i], a[n - 1 - i]]).collect();
            let mut y = vec![[0; 3]; n];
            (0..n).for_each(|i| of::plain::turn(i, s, &points, &mut y));
            each_way(|rt, policy, form, what| {
                let mut got = vec![[0; 3]; n];
                rt.parallel_for(0..n, form(of::turn(s, &points, &mut got))).policy(policy).poison(true).run().unwrap();
                assert_eq!(got, y, "{what}");
            });
            // Arrays of a region, and those made for transfers.
            everywhere(|rt, _, what| {
                let from = HostVec::from_slice(&points).unwrap();
                let mut got = HostVec::from_slice(&vec![[1 as $t; 3]; n]).unwrap();
                let mut region = rt.data_region();
                let (p, q) = (region.to(&from, [n]), region.tofrom(&mut got, [n]));
                region.parallel_for(0..n, of::turn(s, p, q)).run().unwrap();
                region.finish().unwrap();
                assert_eq!(&got[..], &y[..], "{what}");
            });
        }
    )*};
}
each_type! {
    casts_and_operations_of_i8: i8 in_i8;
    casts_and_operations_of_u8: u8 in_u8;
    casts_and_operations_of_i16: i16 in_i16;
    casts_and_operations_of_u16: u16 in_u16;
}

macro_rules! each_result {
    ($($t:ident)*) => {$({
        let (rows, m) = (61, 75);
        // No factor is even, or the products would be 0.
        let x: Vec<$t> = bits(rows * m, 5).iter().map(|&k| k as $t | 1).collect();
        let row = |i: usize| x[i * m..(i + 1) * m].iter().copied();
        let wanted: Vec<$t> = (0..rows)
            .flat_map(|i| {
                let sum = row(i).fold(0, <$t>::wrapping_add);
                let product = row(i).skip(1).fold(1, <$t>::wrapping_mul);
                [sum, product, row(i).min().unwrap(), row(i).max().unwrap()]
            })
            .collect();
        let middle = || (0..rows).map(|i| x[i * m + m / 2]);
        let results = [
            (Reduce::Sum, middle().fold(0, <$t>::wrapping_add)),
            (Reduce::Product, middle().fold(1, <$t>::wrapping_mul)),
            (Reduce::Min, middle().min().unwrap()),
            (Reduce::Max, middle().max().unwrap()),
        ];
        each_way(|rt, policy, form, what| {
            for (operator, result) in results {
                let mut y = vec![0; 4 * rows];
                let bound = form(of_rows(m, &x, &mut y));
                let got = rt.parallel_for(0..rows, bound).policy(policy.clone()).poison(true).reduce::<$t>(operator);
                assert_eq!(got.unwrap().value, result, "{operator:?} of {} on {what}", <$t>::TYPE);
                assert_eq!(y, wanted, "{} on {what}", <$t>::TYPE);
            }
        });
    })*};
}

#[test]
fn results_and_what_groups_gather() {
    each_result!(i8 u8 i16 u16);
}

macro_rules! each_strip {
    ($($t:ident)*) => {$({
        let (rows, n) = (19, 130);
        let (x, s) = (bits(rows * n, 6).iter().map(|&k| k as $t).collect::<Vec<_>>(), 0x1235_u16 as $t);
        let before: Vec<$t> = bits(rows * n, 7).iter().map(|&k| k as $t).collect();
        let mut wanted = before.clone();
        for i in 1..rows - 1 {
            for j in 1..n - 1 {
                let beside = x[i * n + j - 1] ^ x[i * n + j + 1];
                let sum = x[(i - 1) * n + j].wrapping_mul(s).wrapping_add(x[(i + 1) * n + j]);
                wanted[i * n + j] = sum.wrapping_sub(beside);
            }
        }
        each_way(|rt, policy, form, what| {
            let mut y = before.clone();
            rt.parallel_for(1..rows - 1, form(of_columns(n, s, &x, &mut y))).policy(policy).poison(true).run().unwrap();
            assert_eq!(y, wanted, "{} on {what}", <$t>::TYPE);
        });
    })*};
}

#[test]
fn rows_in_strips() {
    each_strip!(i8 u8 i16 u16);
}
