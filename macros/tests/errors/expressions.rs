//! Expressions that a kernel does not have.

use apportion::kernel;

struct Pair {
    a: f32,
}

#[kernel]
fn slices(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i..i + 2].len() as f32;
}

#[kernel]
fn scalars(i: usize, n: usize, y: &mut [f32]) {
    y[i] = n[i];
}

#[kernel]
fn arrays(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x;
}

#[kernel]
fn signs(i: usize, n: usize, y: &mut [f32]) {
    y[i] = -n as f32;
}

#[kernel]
fn casts(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i] as i128 as f32;
}

#[kernel]
fn blocks(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = 1.0
        + if x[i] > 0.0 {
            let v = x[i];
            v * v
        } else {
            0.0
        };
}

#[kernel]
fn literals(i: usize, y: &mut [f32]) {
    let a = 1i128;
    let b = 'c';
    let c = "text";
    y[i] = 0.0;
}

#[kernel]
fn assignments(i: usize, y: &mut [f32]) {
    let mut a = 0.0;
    y[i] = (a += 1.0);
    y[i] = (a = 1.0);
}

#[kernel]
fn truths(i: usize, x: &[f32], y: &mut [f32]) {
    let a = (x[i] > 0.0) + (x[i] > 1.0);
    y[i] = 0.0;
}

#[kernel]
fn paths(i: usize, y: &mut [f32]) {
    y[i] = f32::GREATEST;
    y[i] = crate::SCALE;
}

#[kernel]
fn fields(i: usize, x: &[f32], y: &mut [f32]) {
    let p = Pair { a: x[i] };
    y[i] = p.a;
}

#[kernel]
fn ranges(i: usize, y: &mut [f32]) {
    let r = 0..3;
    y[i] = 0.0;
}

#[kernel]
fn nameless_arrays(i: usize, y: &mut [f32]) {
    y[i] = [1.0, 2.0][i];
    y[i] = both([1.0, 2.0]);
}

#[kernel]
fn nameless_match(i: usize, k: u32, y: &mut [f32]) {
    y[i] = 1.0
        + match k {
            0 => 1.0,
            _ => 2.0,
        };
}

#[kernel]
fn questions(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].first()?;
    y[i] = x[i]?;
}

#[kernel]
fn asynchronous(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = async { x[i] };
}

#[kernel]
fn unchecked(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = unsafe { x[i] };
}

#[kernel]
fn exits(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = 1.0 + return;
}

#[kernel]
fn loops(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = 1.0 + loop {
        break 1.0;
    };
}

#[kernel]
fn macros(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = dbg!(x[i]);
}

#[kernel]
fn others(i: usize, y: &mut [f32]) {
    y[i] = const { 1.0 };
}

fn main() {}
