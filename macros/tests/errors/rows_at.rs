use apportion::kernel;

#[kernel(i, j)]
#[map(x: rows_at(at))]
fn columns(i: usize, j: usize, m: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i * m + j] = x[at[i] as usize];
}

#[kernel]
#[map(x: rows_at(starts))]
fn unknown(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

#[kernel]
#[map(x: rows_at(at))]
fn floats(i: usize, at: &[f32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

#[kernel]
#[map(x: rows_at(at))]
fn written(i: usize, at: &mut [u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
    at[i] += 1;
}

#[kernel]
#[map(x: rows_at(2))]
fn number(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

#[kernel]
#[map(x: rows_at(at) halo(1))]
fn halo_too(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

#[kernel]
#[map(x: rows_at(starts), at: full)]
fn table_that_is_not_read(i: usize, starts: &[u32], at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

fn main() {}
