use apportion::kernel;

#[kernel]
#[map(h: reduce(Max))]
fn another_operator(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += 1;
}

#[kernel]
#[map(h: reduce(Sum))]
fn stored(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] = 1;
}

#[kernel]
#[map(h: reduce(Sum))]
fn read(i: usize, v: &[u32], h: &mut [u32], y: &mut [u32]) {
    h[v[i] as usize] += 1;
    y[i] = h[0];
}

#[kernel]
#[map(h: reduce(Sum))]
fn by_itself(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += h[0];
}

#[kernel]
#[map(h: reduce(Min))]
fn of_another(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] = h[0].min(v[i]);
}

#[kernel]
#[map(h: reduce(Sum))]
fn bytes(i: usize, v: &[u8], h: &mut [u8]) {
    h[v[i] as usize] += 1;
}

#[kernel]
#[map(h: reduce(Or))]
fn bits_of_floats(i: usize, v: &[u32], h: &mut [f32]) {
    h[v[i] as usize] += 1.0;
}

#[kernel]
#[map(h: reduce(Average))]
fn no_operator(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += 1;
}

#[kernel]
#[map(v: reduce(Sum))]
fn only_read(i: usize, v: &[u32], y: &mut [u32]) {
    y[i] = v[i];
}

#[kernel]
#[map(h: reduce(Sum))]
fn nobody(i: usize, h: &mut [u32], y: &mut [u32]) {
    y[i] = 0;
}

#[kernel]
#[map(h: reduce(Sum) full)]
fn two_words(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += 1;
}

#[kernel]
#[map(h: reduce)]
fn no_word(i: usize, v: &[u32], h: &mut [u32]) {
    h[v[i] as usize] += 1;
}

#[kernel]
#[map(y: rows(2))]
fn no_promise(i: usize, at: &[u32], y: &mut [f32]) {
    y[2 * i + at[i] as usize] = 1.0;
}

#[kernel]
#[map(x: unsafe rows(2))]
fn nothing_to_promise(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[2 * i];
}

#[kernel]
#[map(x: unsafe full)]
fn a_promise_of_nothing(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[2 * i];
}

fn main() {}
