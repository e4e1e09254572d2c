use apportion::kernel;

#[kernel]
fn no_index(a: f32, x: &[f32], y: &mut [f32]) {
    y[0] = a * x[0];
}

#[kernel]
fn element(i: usize, x: &[usize], y: &mut [f32]) {
    y[i] = x[i] as f32;
}

#[kernel]
fn generic<T>(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel(k)]
fn named(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
fn pair(i: usize, x: &[f32]) -> (f32, f32) {
    (x[i], x[i])
}

#[kernel(helper)]
fn whole(x: &[f32]) -> f32 {
    x[0]
}

#[kernel(helper)]
fn unknown(x: [f32; N]) -> f32 {
    x[0]
}

#[kernel(helper)]
fn changes(x: &mut [f32; 3]) -> f32 {
    x[0]
}

#[kernel(const N: &str)]
fn text(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel(const n: usize)]
fn twice(i: usize, n: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel(const N)]
fn untyped(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

fn main() {}
