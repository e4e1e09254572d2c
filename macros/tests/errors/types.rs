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

fn main() {}
