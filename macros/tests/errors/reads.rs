use apportion::kernel;

#[kernel]
fn gather(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize];
}

#[kernel]
fn walk(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let mut k = i;
    while k < n {
        y[i] += x[k];
        k += 7;
    }
}

#[kernel]
fn narrow(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[(i as u32 + 1) as usize];
}

#[kernel]
fn unused(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
fn only_read(i: usize, x: &mut [f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
fn quotient(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i / n];
}

#[kernel]
fn computed(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i ^ 1];
}

#[kernel]
fn through_a_local(i: usize, x: &[f32], y: &mut [f32]) {
    let at = i ^ 1;
    y[i] = x[at];
}

#[kernel]
fn without_limits(i: usize, ends: &[u32], x: &[f32], y: &mut [f32]) {
    for j in 0..ends[i] as usize {
        y[i] += x[j];
    }
}

#[kernel]
fn stencil(i: usize, m: usize, shift: &[u32], old: &[f32], new: &mut [f32]) {
    for j in 0..m {
        new[i * m + j] = old[(i + shift[i] as usize) * m + j];
    }
}

fn main() {}
