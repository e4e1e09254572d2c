//! t
use apportion::prelude::*;

#[kernel]
fn axpy(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
    y[i] += a * x[i];
}

#[kernel]
fn matvec(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..n {
        s += a[i * n + j] * x[j];
    }
    y[i] = s;
}

#[kernel]
fn sum(i: usize, x: &[f32]) -> f64 {
    x[i] as f64
}

#[kernel]
fn jacobi(i: usize, m: usize, ax: f32, ay: f32, b: f32, omega: f32, f: &[f32], old: &[f32], u: &mut [f32]) -> f32 {
    let mut error = 0.0;
    for j in 1..m - 1 {
        let r = (ax * (old[(i - 1) * m + j] + old[(i + 1) * m + j]) + ay * (old[i * m + j - 1] + old[i * m + j + 1])
            + b * old[i * m + j]
            - f[i * m + j])
            / b;
        u[i * m + j] = old[i * m + j] - omega * r;
        error += r * r;
    }
    error
}

#[test]
fn prints() {
    println!("{}\n{}\n{}\n{}", axpy::maps(), matvec::maps(), sum::maps(), jacobi::maps());
    println!("{}\n{}", jacobi::opencl_source(), sum::cuda_source());
    let rt = Runtime::detect().unwrap();
    let n = 1000;
    let x = vec![1.0f32; n];
    let mut y = vec![2.0f32; n];
    let r = rt.parallel_for(0..n, axpy(3.0, &x, &mut y)).run().unwrap();
    println!("{r}");
    assert!(y.iter().all(|&y| y == 5.0));
    let s = rt.parallel_for(0..n, sum(&x)).reduce::<f64>(Sum).unwrap();
    assert_eq!(s.value, 1000.0);
    let s = rt.parallel_for(0..n, sum(&x)).reduce::<f64>(Max).unwrap();
    assert_eq!(s.value, 1.0);
}
