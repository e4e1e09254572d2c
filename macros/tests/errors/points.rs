//! What a kernel whose elements are arrays is called with.

use apportion::prelude::*;
use apportion::region::{DataRegion, Mapped};

#[kernel]
fn scale(i: usize, a: f32, x: &[[f32; 3]], y: &mut [[f32; 3]]) {
    y[i] = [a * x[i][0], a * x[i][1], a * x[i][2]];
}

#[kernel]
fn flat(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

fn of_numbers(x: &Vec<f32>, y: &mut Vec<[f32; 3]>) {
    let _ = scale(2.0, x, y);
}

fn of_another_length(x: &Vec<[f32; 3]>, y: &mut Vec<[f32; 4]>) {
    let _ = scale(2.0, x, y);
}

fn for_numbers(x: &Vec<[f32; 3]>, y: &mut Vec<f32>) {
    let _ = flat(x, y);
}

fn of_a_region_with_numbers(x: Mapped<f32>, y: Mapped<[f32; 3]>) {
    let _ = scale(2.0, x, y);
}

fn of_a_type_that_kernels_do_not_know<'a>(region: &mut DataRegion<'_, 'a>, x: &'a [[u128; 3]]) {
    let _ = region.to(x, [x.len()]);
}

fn main() {}
