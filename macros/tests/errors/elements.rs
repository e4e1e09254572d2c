//! Elements that are arrays, as of points.

use apportion::prelude::*;

const N: usize = 3;

#[kernel]
fn lengths_by_name(i: usize, p: &[[f32; N]], y: &mut [f32]) {
    y[i] = p[i][0];
}

#[kernel]
fn arrays_of_arrays(i: usize, p: &[[[f32; 3]; 3]], y: &mut [f32]) {
    y[i] = p[i][0][0];
}

#[kernel]
fn no_components(i: usize, p: &[[f32; 0]], y: &mut [f32]) {
    y[i] = 1.0;
}

#[kernel]
fn of_no_numbers(i: usize, p: &[[char; 2]], q: &[(f32, f32)], y: &mut [f32]) {
    y[i] = 1.0;
}

#[kernel]
fn components_that_are_not_there(i: usize, p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    const LAST: usize = 4;
    y[i][3] = p[i][LAST - 1];
    for d in 0..4 {
        y[i][d] = p[i][2];
    }
}

#[kernel]
fn elements_as_numbers(i: usize, p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    y[i][0] = 2.0 * p[i];
    let square = p[i] * p[i];
    y[i] += p[i];
    y[i] = 2.0;
    y[i] = p[i] + p[i];
    y[i][1] = y[i].len() as f32;
    y[i][2] = if p[i] == y[i] { 1.0 } else { 0.0 };
    let a = if p[i][0] > 1.0 { p[i] } else { y[i] };
}

#[kernel]
fn numbers_as_elements(i: usize, x: &[f32], p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    y[i][0] = x[i][0];
    y[i][1] = p[i][0][1];
    (y[i], y[i]) = (x[i], [0.0; 3]);
    (y[i][0], y[i]) = (p[i], p[i]);
}

#[kernel]
fn other_lengths(i: usize, p: &[[f32; 3]], q: &[[f32; 2]], y: &mut [[f32; 3]]) {
    y[i] = q[i];
    y[i] = [p[i][0], 1.0];
    y[i] = [0.0; 4];
    let [a, b] = p[i];
    let [a, b, c, d, ..] = p[i];
    let [a, [b, c], d] = p[i];
    let [a, b, c] = p[i][0];
    let [a, b, c]: [f64; 3] = p[i];
}

#[kernel]
fn references(i: usize, p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    let a = &p[i];
    let b = &mut y[i];
    y[i][..2] = [0.0; 2];
    let [a, b] = p[i] else { return };
}

#[kernel]
fn read_only(i: usize, p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    p[i] = y[i];
    p[i][0] = 1.0;
}

#[kernel(helper)]
fn length(w: [f32; 3]) -> f32 {
    (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt()
}

#[kernel]
fn copies_for_helpers(i: usize, p: &[[f32; 3]], y: &mut [f32]) {
    if y[i] > 0.0 && length(p[i]) > 1.0 {
        y[i] = 1.0;
    }
    while length(p[i]) > y[i] {
        y[i] += 1.0;
    }
}

#[kernel]
fn never_written(i: usize, p: &mut [[f32; 3]], y: &mut [[f32; 3]]) {
    y[i] = p[i];
}

#[kernel]
fn of_another_iteration(i: usize, y: &mut [[f32; 3]]) {
    y[i] = [0.0; 3];
    y[i + 1][2] = 1.0;
}

#[kernel]
fn the_same_for_all(i: usize, y: &mut [[f32; 3]]) {
    y[i] = y[0];
}

#[kernel]
fn by_data(i: usize, at: &[u32], p: &[[f32; 3]], y: &mut [[f32; 3]]) {
    y[at[i] as usize] = p[at[i] as usize];
}

#[kernel]
#[map(counts: reduce(Sum))]
fn read_what_all_contribute_to(i: usize, at: &[u32], counts: &mut [[u32; 2]]) {
    counts[at[i] as usize] = [1, 2];
    counts[at[i] as usize][0] += counts[at[i] as usize][1];
}

#[kernel]
#[map(counts: reduce(Sum))]
fn contributions_to_short_numbers(i: usize, at: &[u32], counts: &mut [[i16; 2]]) {
    counts[at[i] as usize][0] += 1;
}

fn main() {}
