use apportion::kernel;

#[kernel]
fn mixed(i: usize, x: &[f64], y: &mut [f32]) {
    y[i] = x[i] * 2.0;
}

#[kernel]
fn index(i: usize, k: i32, x: &[f32], y: &mut [f32]) {
    y[i] = x[k];
}

#[kernel]
fn range(i: usize, y: &mut [u8]) {
    y[i] = 300;
}

#[kernel]
fn kinds(i: usize, y: &mut [i32]) {
    y[i] = (2.5f32).sqrt() & 1;
}

#[kernel]
fn open(i: usize, x: &[f32], y: &mut [f32]) {
    let v = soft(x[i]);
    y[i] = 0.0;
}

#[kernel]
fn nowhere(i: usize, x: &[f32], y: &mut [f32]) {
    if soft(x[i]) == soft(1.0) {
        y[i] = 0.0;
    }
}

#[kernel]
fn sorts(i: usize, x: &[f32], y: &mut [f32]) {
    for j in 0.0..2.0 {
        y[i] += 1.0;
    }
    match x[i] {
        _ => y[i] = 0.0,
    }
    y[i] = x[i] << 1;
    y[i] = 1;
    if 1 {
        y[i] = 0.0;
    }
}

fn main() {}
