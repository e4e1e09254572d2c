use apportion::kernel;

#[kernel]
fn meet(i: usize, x: &[f32], y: &mut [f32]) {
    y[0] += x[i];
}

#[kernel]
fn beyond(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
    y[i + 1] = x[i];
}

#[kernel]
fn earlier(i: usize, x: &[f32], y: &mut [f32]) {
    y[i - 1] = x[i];
}

#[kernel]
fn in_place(i: usize, y: &mut [f32]) {
    y[i] = 0.5 * (y[i - 1] + y[i]);
}

#[kernel]
fn scatter(i: usize, at: &[u32], y: &mut [f32]) {
    y[at[i] as usize] = 1.0;
}

#[kernel]
fn backwards(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[n - 1 - i] = x[i];
}

#[kernel]
fn signed(i: usize, n: usize, d: i64, y: &mut [f32]) {
    y[i * (n + d as usize)] = 1.0;
}

#[kernel]
fn square(i: usize, y: &mut [f32]) {
    y[i * i] = 1.0;
}

#[kernel]
fn two_strides(i: usize, y: &mut [f32]) {
    y[i] = y[2 * i];
}

#[kernel(i, j)]
fn second(i: usize, j: usize, x: &[f32], y: &mut [f32]) {
    y[i] += x[j];
}

#[kernel]
fn one_for_all(i: usize, y: &mut [f32]) {
    y[i] = y[0] + 1.0;
}

#[kernel]
fn beyond_the_row(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[i * n] = x[i];
    y[i * n + n] = x[i];
}

#[kernel]
fn histogram(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += 1;
}

#[kernel]
fn gather_in_place(i: usize, at: &[u32], y: &mut [f32]) {
    y[i] = y[at[i] as usize];
}

#[kernel]
fn diagonal_and_rows(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[i * n + i] = x[i];
    for j in 0..i {
        y[i * n + j] = x[j];
    }
}

#[kernel]
fn transposed_and_rows(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) {
    y[i * m] = x[i];
    for j in 0..n {
        y[i * n + j] = x[j];
    }
}

#[kernel(i, j)]
fn valid_columns(i: usize, j: usize, w: usize, k: usize, y: &mut [f32]) {
    y[i * (w - k + 1) + j] = 1.0;
}

#[kernel]
fn valid_part(o: usize, h: usize, w: usize, k: usize, y: &mut [f32]) {
    let (rows, columns) = (h - k + 1, w - k + 1);
    for r in 0..rows {
        for c in 0..columns {
            y[(o * rows + r) * columns + c] = 1.0;
        }
    }
}

#[kernel]
fn pairs(i: usize, x: &[f32], y: &mut [f32]) {
    y[i / 2] += x[i];
}

#[kernel]
fn parent(i: usize, y: &mut [f32]) {
    y[i] = y[i / 2] + 1.0;
}

#[kernel]
fn limited(i: usize, k: usize, y: &mut [f32]) {
    let m = k.min(7);
    for j in 0..m {
        y[i * m + j] = 1.0;
    }
}

fn main() {}
