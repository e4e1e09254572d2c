//! What a kernel is called with.

use apportion::prelude::*;
use apportion::region::Mapped;

#[kernel]
fn scale(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
    y[i] = a * x[i];
}

fn of_another_type(x: &Vec<f64>, y: &mut Vec<f32>) {
    let _ = scale(2.0, x, y);
}

fn not_lent(x: Vec<f32>, y: &mut [f32]) {
    let _ = scale(2.0, x, y);
}

fn lent_for_reading(x: &[f32], y: &[f32]) {
    let _ = scale(2.0, x, y);
}

fn of_a_region_with_another_type(x: Mapped<u8>, y: Mapped<f32>) {
    let _ = scale(2.0, x, y);
}

fn the_same_for_reading_and_writing(mut x: Vec<f32>) {
    let bound = scale(2.0, &x, &mut x);
    drop(bound);
}

fn main() {}
