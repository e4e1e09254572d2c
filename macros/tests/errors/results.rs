//! Results of helpers whose types are not those that the kernel takes them for.

use apportion::kernel;

#[kernel(helper)]
fn count(v: i32) -> u64 {
    v as u64 + 5
}

#[kernel(helper)]
fn small(v: f64) -> f32 {
    v as f32
}

#[kernel]
fn shifted(i: usize, v: &[i32], y: &mut [f64]) {
    y[i] = (count(v[i]) << 4) as f64;
}

#[kernel]
fn inverted(i: usize, v: &[i32], y: &mut [f64]) {
    y[i] = !count(v[i]) as f64;
}

#[kernel]
fn root(i: usize, x: &[f64], y: &mut [f64]) {
    let s = small(x[i]).sqrt() as f64;
    y[i] = s;
}

#[kernel]
fn named(i: usize, v: &[i32], y: &mut [f64]) {
    let c: u64 = count(v[i]);
    y[i] = (c << 4) as f64;
}

fn main() {}
