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

#[kernel]
#[map(y: from)]
#[map(y: align)]
fn twice(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
#[map(y: to)]
fn only_to(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
#[map(y: rows(n, 2))]
fn two_values(i: usize, n: usize, y: &mut [f32]) {
    y[i * n] = 0.0;
}

#[kernel]
#[map(x: align halo(1, 2, 3))]
fn three_sides(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
#[map(x:)]
fn nothing(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
#[map(x: full rows(2))]
fn both(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
#[map(x: halo(1))]
fn halo_of_nothing(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
#[map(x: align)]
fn one_before(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i] - x[i - 1];
}

#[kernel]
#[map(x: rows(m) halo(1))]
fn two_before(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[(i - 2) * m];
}

#[kernel]
#[map(x: align)]
fn gathered_too(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[i + 1] - x[at[i] as usize];
}

fn main() {}
