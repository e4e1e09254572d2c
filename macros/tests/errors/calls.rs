//! Methods and functions that a kernel calls.

use apportion::kernel;

#[kernel]
fn not_known(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].asinh();
}

#[kernel]
fn too_few(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].min();
}

#[kernel]
fn too_many(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].sqrt(2.0);
}

#[kernel]
fn unsigned(i: usize, x: &[u32], y: &mut [u32]) {
    y[i] = x[i].signum();
}

#[kernel]
fn of_unknown_size(i: usize, y: &mut [u32]) {
    y[i] = (2 - 3).unsigned_abs();
}

#[kernel]
fn by_another_type(i: usize, x: &[u64], y: &mut [u64]) {
    y[i] = x[i].rotate_left(x[i]);
}

#[kernel]
fn of_integers(i: usize, x: &[i32], y: &mut [i32]) {
    y[i] = x[i].sqrt();
}

#[kernel]
fn of_floats(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].wrapping_add(1.0);
}

#[kernel]
fn without_a_number(i: usize, y: &mut [f32]) {
    y[i] = f32::max();
}

#[kernel]
fn by_no_name(i: usize, y: &mut [f32]) {
    y[i] = (|v: f32| v)(1.0);
}

#[kernel]
fn iterators(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x.iter().sum();
}

#[kernel]
fn of_slices(i: usize, y: &mut [f32]) {
    y.swap(i, 0);
    y[i] = 0.0;
}

#[kernel]
fn bits(i: usize, y: &mut [u32]) {
    y[i] = (2.0).to_bits();
}

fn main() {}
