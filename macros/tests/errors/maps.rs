use apportion::kernel;

#[kernel]
#[map(y: full)]
fn full(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
#[map(z: full)]
fn other(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
#[map(y: sideways)]
fn word(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
#[map(x: from)]
fn direction(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

fn main() {}
