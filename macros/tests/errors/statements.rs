//! Statements that a kernel does not have.

use apportion::kernel;

#[kernel]
fn items(i: usize, y: &mut [f32]) {
    fn zero() -> f32 {
        0.0
    }
    y[i] = zero();
}

#[kernel(helper)]
fn no_value(x: f32) -> f32 {
    let v = x * x;
}

#[kernel]
fn unused(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..n {
        x[i * n + j]
    }
    y[i] + 1.0;
    _ = x[i];
    y[i].sqrt();
}

#[kernel]
fn one_value_more(i: usize, y: &mut [f32]) {
    y[i] = 1.0;
    y[i]
}

#[kernel]
fn constants(i: usize, y: &mut [f32]) {
    const TWO: [f32; 2] = [1.0, 2.0];
    y[i] = 0.0;
}

#[kernel]
fn patterns(i: usize, x: &[f32], y: &mut [f32]) {
    let w = [x[i], 1.0];
    let [a, b] = w;
    let ref c = x[i];
    let d = x[i] else { return };
    y[i] = a + b + c + d;
}

#[kernel]
fn tuples(i: usize, x: &[f32], y: &mut [f32]) {
    let (a, b): (f32, f32, f32) = (x[i], 1.0);
    let (c, d): (f32, &f32) = (x[i], 1.0);
    y[i] = a + b + c + d;
}

#[kernel]
fn types_of_locals(i: usize, x: &[f32], y: &mut [f32]) {
    let a: &f32 = x[i];
    let b: i128 = 3;
    let c: [[f32; 2]; 2] = [[0.0; 2]; 2];
    let d: [f32; 4];
    y[i] = 0.0;
}

#[kernel]
fn returns(i: usize, x: &[f32]) -> f32 {
    if x[i] < 0.0 {
        return;
    }
    x[i]
}

#[kernel]
fn no_loop(i: usize, y: &mut [f32]) {
    if y[i] < 0.0 {
        break;
    }
    if y[i] > 1.0 {
        continue;
    }
    y[i] = 0.0;
}

#[kernel]
fn labels(i: usize, n: usize, y: &mut [f32]) {
    for j in 0..n {
        if j > 3 {
            break 'outer;
        }
        'outer: for k in 0..n {
            y[i] += k as f32;
        }
        if j > 2 {
            continue 'outer;
        }
        if j > 1 {
            break 3;
        }
        y[i] += 1.0;
    }
}

#[kernel]
fn loops(i: usize, n: usize, y: &mut [f32]) {
    for mut j in 0..n {
        y[i] += 1.0;
    }
    for (j, k) in 0..n {
        y[i] += 1.0;
    }
    for j in 0.. {
        y[i] += 1.0;
    }
    while let Some(j) = n {
        y[i] += 1.0;
    }
}

#[kernel]
fn one_side(i: usize, x: &[f32], y: &mut [f32]) {
    let a = if x[i] > 0.0 {
        let b = x[i];
        b * b
    };
    y[i] = a + if x[i] > 0.0 { 1.0 };
}

#[kernel(i)]
fn places(mut i: usize, x: &[f32], y: &mut [f32]) {
    i += 1;
    y = 0.0;
    q = 1.0;
    let mut w = [0.0f32; 4];
    w += 1.0;
    *y = 0.0;
    (y[i], x[i]) = (y[i], 1.0);
    x[i].abs() = 1.0;
    z[i] = 1.0;
    x[i] = 2.0;
    y[i] = 0.0;
}

#[kernel]
fn patterns_of_match(i: usize, x: &[u32], y: &mut [f32]) {
    match x[i] {
        Some(v) => y[i] = 1.0,
        _ => y[i] = 0.0,
    }
    y[i] = 0.0;
}

#[kernel]
fn steps_that_wrap(i: usize, n: usize, y: &mut [f32]) {
    let cut = 300u32 as u8 as usize;
    for _ in (0..n).step_by(cut) {
        y[i] += 1.0;
    }
    let wrapped = 250u8.wrapping_add(10) as usize;
    for _ in (0..n).step_by(wrapped) {
        y[i] += 1.0;
    }
}

const LIMIT: u32 = 7;

#[kernel]
fn constants_of_match(i: usize, x: &[u32], y: &mut [f32]) {
    match x[i] {
        0 | LIMIT => y[i] = 1.0,
        _ => y[i] = 0.0,
    }
}

#[kernel]
fn nested_array(i: usize, y: &mut [f32]) {
    let a = [[0.0f32; 3]; 3];
    y[i] = a[4];
}

#[kernel]
fn whole_arrays(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let mut w = [0.0f32; 3];
    let v = [0.0f32; 2];
    w = v;
    w = [1.0, 2.0];
    w = [1.0; 4];
    w = [1.0; n];
    w = x;
    w += v;
    let m: [[f32; 3]; 1] = w;
    y[i] = w[0];
}

#[kernel]
fn two_values(i: usize, x: &[f64], y: &mut [f64]) {
    let (s, c) = x[i].sin_cos();
    y[i] = s * c;
}

#[kernel]
fn swapped(i: usize, y: &mut [u64]) {
    let (mut a, mut b) = (0u64, 1u64);
    for _ in 0..i % 50 {
        (a, b) = (b, a, a + b);
        (a, b) = a;
        (a, (b, a)) = (b, (a, b));
        let pair = (a, b);
    }
    y[i] = a;
}

#[kernel]
fn enumerated(i: usize, h: &[f32], y: &mut [f32]) {
    for (k, w) in h.iter().enumerate() {
        y[i] += w;
    }
    for (a, b) in h.iter().zip(h) {
        y[i] += a * b;
    }
}

fn main() {}
