//! Loops that an index outside of a local array, or an end that has wrapped, would keep going for ever on devices.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;

use apportion::prelude::*;
use common::runtimes;

/// Climbs until an element is large enough: never, if none is.
#[kernel]
fn climbed(i: usize, t: &[f32], y: &mut [f32]) {
    let w = [1.0f32, 2.0, 3.0, 4.0];
    let mut k = 0;
    while w[k] < t[i] {
        k += 1;
    }
    y[i] = k as f32;
}

/// Has no array, and an end that wraps for `n` above 4.
#[kernel]
fn counted(i: usize, n: usize) -> f64 {
    let mut w = [0.0; 4];
    if i % 2 == 0 {
        for k in 0..4 - n {
            w[k] += 1.0;
        }
    }
    w[0]
}

#[test]
fn loops_end_with_an_error() {
    const N: usize = 300;
    for (name, rt) in runtimes().into_iter().filter(|(name, _)| name.starts_with("opencl") || name.starts_with("cuda"))
    {
        let (mut t, mut y) = (vec![2.5f32; N], vec![0.0f32; N]);
        rt.parallel_for(0..N, climbed(&t, &mut y)).run().unwrap();
        assert_eq!(y, [2.0; N], "{name}");
        t[123] = 9.0;
        let said = rt.parallel_for(0..N, climbed(&t, &mut y)).run().unwrap_err().to_string();
        assert!(said.contains("reads element 4 of a local array, which has 4 elements"), "{name}: {said}");
        let sum = rt.parallel_for(0..N, counted(2)).reduce::<f64>(Sum).unwrap().value;
        assert_eq!(sum, N as f64 / 2.0, "{name}");
        let said = rt.parallel_for(0..N, counted(5)).reduce::<f64>(Sum).unwrap_err().to_string();
        assert!(said.contains("or a later one of a local array, which has 4 elements"), "{name}: {said}");
    }
}
