//! An index outside of an array panics at its place in the kernel's source.
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

#[test]
fn a_panic_names_the_line_of_the_index() {
    let places = Arc::new(Mutex::new(Vec::new()));
    let (seen, before) = (Arc::clone(&places), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(|place| (place.file().to_owned(), place.line()));
        seen.lock().unwrap().push(place.unwrap());
    }));
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let (at, x, mut y) = ([700u32], [1.0f32], [0.0f32]);
    for bound in [gather(&at, &x, &mut y), scatter(&at, &x, &mut [0.0f32])] {
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| rt.parallel_for(0..1, bound).run()));
        assert!(ran.is_err());
    }
    std::panic::set_hook(before);
    let expected = [GATHER, SCATTER].map(|line| (file!().to_owned(), line));
    assert_eq!(*places.lock().unwrap(), expected);
}
