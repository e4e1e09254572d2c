//! What cannot be computed on the host panics at its place in the kernel's source, and says of which kernel and array.
#![allow(missing_docs)]

mod common;

use apportion::prelude::*;
use common::machines;
use std::sync::{Arc, Mutex};

#[kernel]
#[map(x: full)]
fn gather(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}
const GATHER: u32 = line!() - 2;

#[kernel]
#[map(y: unsafe rows(1))]
fn scatter(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[at[i] as usize] = x[i];
}
const SCATTER: u32 = line!() - 2;

#[kernel]
fn divided(i: usize, by: u32, x: &[u32], y: &mut [f32]) {
    y[i] = 1.0;
    y[i] = (x[i] / by) as f32;
}
const DIVIDED: u32 = line!() - 2;

#[kernel]
fn rest(i: usize, by: u32, x: &[u32], y: &mut [f32]) {
    let mut k = x[i];
    y[i] = 1.0;
    k %= by;
    y[i] = k as f32;
}
const REST: u32 = line!() - 3;

#[kernel]
fn called(i: usize, by: u32, x: &[u32], y: &mut [f32]) {
    let k = x[i];
    y[i] = k.rem_euclid(by) as f32;
}
const CALLED: u32 = line!() - 2;

#[kernel]
#[map(x: full)]
fn points(i: usize, at: &[u32], x: &[[f32; 2]], y: &mut [f32]) {
    y[i] = x[at[i] as usize][1];
}
const POINTS: u32 = line!() - 2;

#[test]
fn a_panic_names_the_line_and_the_array() {
    let places = Arc::new(Mutex::new(Vec::new()));
    let (seen, before) = (Arc::clone(&places), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(|place| (place.file().to_owned(), place.line()));
        let said = info.payload_as_str().unwrap_or_default().to_owned();
        seen.lock().unwrap().push((place.unwrap(), said));
    }));
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let (at, x, x2, mut y) = ([700u32], [1.0f32], [[1.0f32; 2]; 3], [[0.0f32]; 6]);
    let [y0, y1, y2, y3, y4, y5] = &mut y;
    let list = [
        (gather(&at, &x, y0), GATHER, "kernel `gather` reads element 700 of array `x`, which lies outside of 0..1"),
        (
            scatter(&at, &x, y1),
            SCATTER,
            "kernel `scatter` writes element 700 of array `y`, which lies outside of 0..1, all that this chunk has of it: its map, \
             `#[map(y: unsafe align)]`, says which elements an iteration has: stay within these, or widen it",
        ),
        (
            points(&at, &x2, y2),
            POINTS,
            "kernel `points` reads element 700 of array `x`, which lies outside of 0..3, all that this chunk has of it: stay within",
        ),
        (divided(0, &at, y3), DIVIDED, "attempt to divide by zero"),
        (rest(0, &at, y4), REST, "with a divisor of zero"),
        (called(0, &at, y5), CALLED, "with a divisor of zero"),
    ];
    let mut expected = Vec::new();
    for (bound, line, says) in list {
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rt.parallel_for(0..1, bound).run()));
        assert!(ran.is_err());
        expected.push((line, says));
    }
    std::panic::set_hook(before);
    let places = places.lock().unwrap();
    assert_eq!(places.len(), expected.len());
    for (((file, line), said), (expected, says)) in places.iter().zip(expected) {
        assert!(file == file!() && *line == expected && said.contains(says), "{file}:{line}: {said}");
    }
}
