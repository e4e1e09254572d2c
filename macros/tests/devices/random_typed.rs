//! Random programs that call functions and use arrays of every type: every target does what Rust does.

use crate::common::{check_programs, each_way, numbers};
use crate::generate::typed as generate;
use crate::typed::{self, Arrays};
use apportion::prelude::*;

#[test]
fn the_programs_with_helpers_are_those_of_the_generator() {
    for first in (0..generate::ALL).step_by(generate::EACH as usize) {
        check_programs(&format!("t{first:02}.rs"), &generate::file(first));
    }
}

/// Integers of all sizes, and floats near 1.
fn arrays(n: usize, seed: u64) -> Arrays {
    let mut state = seed;
    let mut bits = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (state ^ state >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed >> (mixed % 5 * 12)
    };
    Arrays {
        f32: numbers(n, seed).iter().map(|&x| x * 3.0).collect(),
        f64: numbers(n, seed + 1).iter().map(|&x| f64::from(x) * 3.0).collect(),
        i32: (0..n).map(|_| bits() as i32).collect(),
        u32: (0..n).map(|_| bits() as u32).collect(),
        i64: (0..n).map(|_| bits() as i64).collect(),
        u64: (0..n).map(|_| bits()).collect(),
        u8: (0..n).map(|_| bits() as u8).collect(),
        i8: (0..n).map(|_| bits() as i8).collect(),
        i16: (0..n).map(|_| bits() as i16).collect(),
        u16: (0..n).map(|_| bits() as u16).collect(),
    }
}

/// Compares without tolerance; NaN equals NaN, and zeros have no sign.
fn same<T: PartialEq + std::fmt::Debug>(got: &[T], wanted: &[T], what: &str) {
    assert_eq!(got.len(), wanted.len(), "{what}");
    for (at, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        #[allow(clippy::eq_op)]
        let nan = got != got && wanted != wanted;
        assert!(got == wanted || nan, "{what}: element {at} is {got:?}, not {wanted:?}");
    }
}

#[test]
fn every_target_calls_and_stores_what_rust_does() {
    let (rows, n) = (23, 67);
    let (x, before) = (arrays(rows * n, 1), arrays(rows * n, 5));
    let range = 1..rows - 1;
    let expected: Vec<(u64, Arrays)> = typed::all()
        .iter()
        .map(|program| {
            let mut y = before.clone();
            let sum = range.clone().fold(0u64, |sum, i| sum.wrapping_add((program.plain)(i, n, &x, &mut y)));
            (sum, y)
        })
        .collect();
    each_way(|rt, policy, form, what| {
        for (number, (program, (sum, wanted))) in typed::all().iter().zip(&expected).enumerate() {
            let what = format!("program {number} on {what}");
            let mut y = before.clone();
            let bound = form((program.bind)(n, &x, &mut y));
            let got = rt.parallel_for(range.clone(), bound).policy(policy.clone()).reduce::<u64>(Sum);
            let got = got.unwrap_or_else(|error| panic!("{what}: {error}"));
            macro_rules! same_of {
                ($($ty:ident)*) => { $(same(&y.$ty, &wanted.$ty, &format!("{what}: {}", stringify!($ty)));)* };
            }
            same_of!(f32 f64 i32 u32 i64 u64 u8 i8 i16 u16);
            assert_eq!(got.value, *sum, "{what}");
        }
    });
}
