use apportion::kernel;

#[kernel]
fn no_index(a: f32, x: &[f32], y: &mut [f32]) {
    y[0] = a * x[0];
}

#[kernel]
fn element(i: usize, x: &[bool], y: &mut [f32]) {
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

#[kernel]
async fn later(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
unsafe fn trusted(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
extern "C" fn foreign(i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel(helper, reorder)]
fn reordered(x: f32) -> f32 {
    x
}

#[kernel(helper, i)]
fn indexed(i: usize, x: f32) -> f32 {
    x
}

#[kernel(helper)]
#[map(x: full)]
fn mapped(x: f32) -> f32 {
    x
}

#[kernel(helper)]
fn nothing(x: f32) {}

#[kernel]
fn truth(i: usize, x: &[f32]) -> bool {
    x[i] > 0.0
}

#[kernel(i, j, k)]
fn three(i: usize, j: usize, k: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
fn method(self, i: usize, y: &mut [f32]) {
    y[i] = 0.0;
}

#[kernel]
fn pattern(i: usize, (a, b): (f32, f32), y: &mut [f32]) {
    y[i] = a + b;
}

#[kernel]
fn by_reference(i: usize, ref a: f32, y: &mut [f32]) {
    y[i] = *a;
}

#[kernel]
fn attribute(i: usize, #[map(full)] x: &[f32], y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel]
fn reference(i: usize, a: &f32, y: &mut [f32]) {
    y[i] = *a;
}

#[kernel]
fn vector(i: usize, x: Vec<f32>, y: &mut [f32]) {
    y[i] = x[i];
}

#[kernel(helper)]
fn nested(x: [[f32; 2]; 2]) -> f32 {
    x[0]
}

#[kernel(helper)]
fn long(x: [f32; 5000]) -> f32 {
    x[0]
}

#[kernel(helper)]
fn itself(x: f32) -> f32 {
    itself(x)
}

fn main() {}
