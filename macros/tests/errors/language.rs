use apportion::kernel;

const WIDTH: usize = 4;

#[kernel]
fn outside(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i * WIDTH];
}

#[kernel]
fn angle(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = PI * x[i];
}

#[kernel]
fn length(i: usize, x: &[f32], y: &mut [f32]) {
    if i < x.len() {
        y[i] = x[i];
    }
}

#[kernel]
fn iterators(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for v in x {
        y[i] += v;
    }
    for j in (0..n).skip(1) {
        y[i] += x[j];
    }
    for j in (0..n).step_by(n) {
        y[i] += x[j];
    }
    for j in (0..n).rev().step_by(2).rev() {
        y[i] += x[j];
    }
    for j in (0..9i32).step_by(2) {
        y[i] += j as f32;
    }
}

#[kernel]
fn prints(i: usize, y: &mut [f32]) {
    println!("{i}");
    y[i] = 0.0;
}

#[kernel(helper)]
fn both(w: &[f32; 2]) -> f32 {
    w[0] + w[1]
}

#[kernel]
fn tuples(i: usize, x: &[f32], y: &mut [f32]) {
    let (a, b, c) = (x[i], 1.0);
    let (mut d, (e, f)) = (2.0, 3.0);
    let pair = (x[i], 1.0);
    let (g, h) = pair;
    y[i] = a + b + c + d + e + f + g + h;
}

#[kernel]
fn arrays(i: usize, x: &[f32], y: &mut [f32]) {
    let mut w: [f32; 2] = [0.0; 2];
    y[i] = both(&mut w);
    y[i] += both(x);
}

#[kernel(const WIDTH: usize)]
fn lengths(i: usize, y: &mut [f32]) {
    let w = [1.0; WIDTH];
    y[i] = 0.0;
}

#[kernel]
fn closures(i: usize, x: &[f32], y: &mut [f32]) {
    let f = |v: f32| v * v;
    y[i] = f(x[i]);
}

#[kernel]
fn slices(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i * n..][0];
}

#[kernel]
fn references(i: usize, x: &[f32], y: &mut [f32]) {
    let r = &x[i];
    y[i] = *r;
}

#[kernel]
fn forever(i: usize, y: &mut [f32]) {
    loop {
        y[i] += 1.0;
    }
}

#[kernel]
fn labels(i: usize, y: &mut [f32]) {
    'a: {
        if y[i] > 1.0 {
            break 'a;
        }
        y[i] += 1.0;
    }
}

#[kernel]
fn methods(i: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[i].clamp(0.0) + x[i].to_degrees();
}

#[kernel]
fn itself(i: usize, y: &mut [f32]) {
    y[i] = self::itself(i);
}

fn main() {}
