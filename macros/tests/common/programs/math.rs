// Made by `generate_math.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.

crate::both! {
    pub fn m0(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((((a).abs() + 0.5).log2()).abs() + 0.5).powf(((x[i * n]).sin().powi(2)).sin()) * x[i * n];
        let u: f64 = ((((d[i]).abs() + 0.75).powi(-2)).sin()).sin().powi(5) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((x[at]).sin().powi(2)).abs() + 0.25).sqrt()).abs() + 0.25).sqrt();
            s += 0.1 * (((((x[at] as f64)).abs() + 0.5).log2()).abs() + 0.5).ln() * x[at] as f64;
        }
        e[i] = s + u * (((d[i] * 0.25).mul_add((x[i * n] as f64), 0.25)).min(((d[i]).abs() + 0.5).powf((d[i]).sin())) / ((((d[i]).sin().tan()).tanh()).abs() + 1.5));
        u + a as f64 + b
    }
    pub fn m1(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((x[i * n]).cos()).abs() + 0.5).log10() * x[i * n];
        let u: f64 = ((((d[i]).abs() + 0.75).recip()).min(1.25).exp()).min(1.25).exp() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((2.25f32 / ((a).abs() + 1.5))).tanh() * 0.25).mul_add(((x[at] * 0.25).mul_add(0.25f32, 0.25)).min(1.25).exp(), 0.25);
            s += 0.1 * (((d[i]).abs() + 0.5).ln() / (((0.5 * (b + d[i]))).abs() + 1.5)) * x[at] as f64;
        }
        e[i] = s + u * (((d[i]).tanh() / (((((x[i * n] as f64)).abs() + 0.5).log10()).abs() + 1.5))).tanh();
        u + a as f64 + b
    }
    pub fn m2(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((((x[i * n]).abs() + 0.75).powi(-2)).abs() + 0.5).powf((((x[i * n]).abs() + 0.25).sqrt()).sin()) * x[i * n];
        let u: f64 = ((((0.5 * (d[i] - d[i]))).abs() + 0.25).sqrt()).min(((((b).abs() + 0.5).powf(((x[i * n] as f64)).sin())).abs() + 0.75).powi(-2)) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((a).abs() + 0.5).log10()).sin().tan()).min((((0.5 * (a + a))).abs() + 0.5).log10());
            s += 0.1 * ((((x[at] as f64)).abs() + 0.75).powi(-2) / ((((x[at] as f64)).min(1.25).exp()).abs() + 1.5)) * x[at] as f64;
        }
        e[i] = s + u * (((0.5 * (d[i] + d[i]))).max(((b).abs() + 0.75).recip()) / ((((d[i]).min(1.25).exp() / (((d[i]).min(d[i])).abs() + 1.5))).abs() + 1.5));
        u + a as f64 + b
    }
    pub fn m3(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((x[i * n] / ((x[i * n]).abs() + 1.5)) * 0.25).mul_add((a).min(1.25).exp(), 0.25) * x[i * n];
        let u: f64 = ((((d[i] * 0.25).mul_add(d[i], 0.25)).min((d[i] * 0.25).mul_add(b, 0.25))).abs() + 0.5).log10() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((a).abs() + 0.5).log10() / (((x[at] * 0.25).mul_add(a, 0.25)).abs() + 1.5))).abs() + 0.5).powf(((((x[at]).max(x[at])).abs() + 0.5).powf((((x[at]).abs() + 0.75).recip()).sin())).sin());
            s += 0.1 * (((((x[at] as f64)).abs() + 0.5).log10()).abs() + 0.5).log2() * x[at] as f64;
        }
        e[i] = s + u * ((((((d[i]).abs() + 0.75).powi(-1)).abs() + 0.5).ln()).abs() + 0.75).powi(-2);
        u + a as f64 + b
    }
    pub fn m4(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((x[i * n]).cos()).tanh() * x[i * n];
        let u: f64 = (((d[i] * 0.25).mul_add(d[i], 0.25)).sin().tan()).sin() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((x[at]).sin().powi(4)).abs() + 0.5).powf(((x[at]).min(1.25).exp()).sin())).abs() + 0.5).log10();
            s += 0.1 * (((d[i]).abs() + 0.75).recip()).cos() * x[at] as f64;
        }
        e[i] = s + u * (((((b).min(1.25).exp()).abs() + 0.25).sqrt()).abs() + 0.5).ln();
        u + a as f64 + b
    }
    pub fn m5(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((a * 0.25).mul_add(a, 0.25)).max((x[i * n]).sin().tan()) * x[i * n];
        let u: f64 = (((d[i]).min(d[i]) / ((((d[i]).abs() + 0.5).log10()).abs() + 1.5))).min(1.25).exp() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((((x[at]).abs() + 0.5).log2()).abs() + 0.75).powi(-2)).abs() + 0.5).powf(((((a).abs() + 0.5).powf((x[at]).sin())).tanh()).sin());
            s += 0.1 * ((0.5 * (d[i] - (x[at] as f64)))).max((d[i]).max(d[i])) * x[at] as f64;
        }
        e[i] = s + u * (((((d[i]).abs() + 0.5).ln()).sin().powi(5)).abs() + 0.5).log10();
        u + a as f64 + b
    }
    pub fn m6(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((a).abs() + 0.5).log10()).sin().powi(4) * x[i * n];
        let u: f64 = (((d[i]).sin()).sin().powi(3)).sin().tan() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((3.25f32).abs() + 0.75).recip() * 0.25).mul_add(((a).abs() + 0.75).powi(-2), 0.25)).abs() + 0.25).sqrt();
            s += 0.1 * (((b).sin().tan()).abs() + 0.75).recip() * x[at] as f64;
        }
        e[i] = s + u * ((((b).min(1.25).exp()).abs() + 0.5).ln()).sin();
        u + a as f64 + b
    }
    pub fn m7(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((2.25f32 * 0.25).mul_add(x[i * n], 0.25)).cos() * x[i * n];
        let u: f64 = (((0.5 * ((x[i * n] as f64) - b))).max(((d[i]).abs() + 0.75).recip()) * 0.25).mul_add((((b).abs() + 0.5).ln()).sin(), 0.25) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((a / ((x[at]).abs() + 1.5))).abs() + 0.75).recip() * 0.25).mul_add(((((x[at]).abs() + 0.75).recip()).abs() + 0.5).powf((((x[at]).abs() + 0.25).sqrt()).sin()), 0.25);
            s += 0.1 * ((((x[at] as f64)).sin().tan()).abs() + 0.5).log10() * x[at] as f64;
        }
        e[i] = s + u * ((((d[i]).sin().tan() / (((d[i]).sin()).abs() + 1.5))).abs() + 0.5).powf((((d[i]).sin().tan()).sin()).sin());
        u + a as f64 + b
    }
    pub fn m8(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((((x[i * n]).abs() + 0.5).ln()).abs() + 0.25).sqrt() * x[i * n];
        let u: f64 = (((((d[i]).abs() + 0.5).log10()).abs() + 0.5).powf(((((x[i * n] as f64)).abs() + 0.25).sqrt()).sin()) * 0.25).mul_add(((d[i] / (((x[i * n] as f64)).abs() + 1.5)) * 0.25).mul_add(((b).abs() + 0.5).powf((d[i]).sin()), 0.25), 0.25) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((0.5 * (((x[at]).abs() + 0.5).powf((x[at]).sin()) + (0.25f32).tanh()))).sin().tan();
            s += 0.1 * (0.5 * ((d[i] / ((d[i]).abs() + 1.5)) - ((b).abs() + 0.75).powi(-1))) * x[at] as f64;
        }
        e[i] = s + u * ((((((d[i]).abs() + 0.75).recip()).abs() + 0.75).powi(-2)).abs() + 0.5).ln();
        u + a as f64 + b
    }
    pub fn m9(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((((a).abs() + 0.5).powf((0.25f32).sin())).abs() + 0.75).powi(-2) * x[i * n];
        let u: f64 = ((((d[i]).abs() + 0.5).powf((d[i]).sin())).sin()).min((((d[i]).abs() + 0.75).recip()).min(1.25).exp()) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((x[at]).abs() + 0.5).ln()).abs() + 0.5).ln() / (((((x[at]).abs() + 0.5).log10() * 0.25).mul_add((1.25f32).min(1.25).exp(), 0.25)).abs() + 1.5));
            s += 0.1 * (0.5 * ((d[i]).tanh() - ((b).abs() + 0.5).log2())) * x[at] as f64;
        }
        e[i] = s + u * ((((((d[i]).abs() + 0.5).powf(((x[i * n] as f64)).sin())).abs() + 0.5).powf(((d[i]).sin()).sin())).abs() + 0.5).log10();
        u + a as f64 + b
    }
    pub fn m10(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((((x[i * n]).abs() + 0.25).sqrt()).abs() + 0.5).log10() * x[i * n];
        let u: f64 = (((((d[i]).sin()).abs() + 0.25).sqrt()).abs() + 0.5).log10() + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((0.25f32).min(1.25).exp()).sin().powi(3)).abs() + 0.75).powi(-1);
            s += 0.1 * (((b).abs() + 0.5).powf((d[i]).sin())).min(1.25).exp() * x[at] as f64;
        }
        e[i] = s + u * (((d[i]).sin().tan()).min((d[i]).tanh())).max((((b).tanh()).abs() + 0.5).powf((((d[i]).abs() + 0.5).log2()).sin()));
        u + a as f64 + b
    }
    pub fn m11(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((x[i * n]).abs() + 0.5).powf((x[i * n]).sin())).min((3.25f32).min(1.25f32)) * x[i * n];
        let u: f64 = (((((x[i * n] as f64)).abs() + 0.5).log10() / (((b / (((x[i * n] as f64)).abs() + 1.5))).abs() + 1.5))).sin().powi(2) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((a * 0.25).mul_add(2.25f32, 0.25)).abs() + 0.5).log10()).tanh();
            s += 0.1 * (((d[i]).abs() + 0.5).ln()).sin() * x[at] as f64;
        }
        e[i] = s + u * ((((((b).abs() + 0.5).powf((d[i]).sin())).abs() + 0.25).sqrt()).abs() + 0.25).sqrt();
        u + a as f64 + b
    }
    pub fn m12(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = ((a / ((x[i * n]).abs() + 1.5)) / (((x[i * n] * 0.25).mul_add(x[i * n], 0.25)).abs() + 1.5)) * x[i * n];
        let u: f64 = ((((((d[i]).abs() + 0.5).powf((b).sin())).abs() + 0.75).recip()).abs() + 0.5).powf((((d[i]).tanh()).min((((x[i * n] as f64)).abs() + 0.25).sqrt())).sin()) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + ((((0.5 * (a + a))).abs() + 0.5).log10() / (((0.5 * (((x[at]).abs() + 0.25).sqrt() + (0.5 * (x[at] + x[at]))))).abs() + 1.5));
            s += 0.1 * (((d[i] / ((b).abs() + 1.5))).abs() + 0.5).log2() * x[at] as f64;
        }
        e[i] = s + u * (((((x[i * n] as f64)).abs() + 0.25).sqrt()).max(((d[i]).abs() + 0.5).powf((b).sin()))).min(1.25).exp();
        u + a as f64 + b
    }
    pub fn m13(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((a).max(0.25f32)).abs() + 0.75).powi(-1) * x[i * n];
        let u: f64 = (0.5 * (((((d[i]).abs() + 0.5).powf(((x[i * n] as f64)).sin())).abs() + 0.5).ln() - (((0.5 * (b + d[i]))).abs() + 0.75).powi(-1))) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((((x[at]).sin().tan()).abs() + 0.75).recip()).abs() + 0.5).log10();
            s += 0.1 * ((((x[at] as f64)).abs() + 0.5).log2()).sin().powi(3) * x[at] as f64;
        }
        e[i] = s + u * (((0.5 * ((d[i]).min(1.25).exp() - ((x[i * n] as f64) / ((d[i]).abs() + 1.5))))).abs() + 0.5).ln();
        u + a as f64 + b
    }
    pub fn m14(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((a / ((x[i * n]).abs() + 1.5))).abs() + 0.5).log2() * x[i * n];
        let u: f64 = (((0.5 * (d[i] + b))).cos() / (((((((x[i * n] as f64)).abs() + 0.75).powi(-2)).abs() + 0.5).log10()).abs() + 1.5)) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (0.5 * (((((a).abs() + 0.75).powi(-1)).abs() + 0.5).powf(((x[at]).cos()).sin()) + (((x[at] / ((x[at]).abs() + 1.5))).abs() + 0.5).ln()));
            s += 0.1 * (((x[at] as f64)).max(d[i])).sin().tan() * x[at] as f64;
        }
        e[i] = s + u * ((((d[i]).min(1.25).exp()).cos()).abs() + 0.5).powf((((d[i]).cos()).tanh()).sin());
        u + a as f64 + b
    }
    pub fn m15(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {
        let t: f32 = (((0.25f32).abs() + 0.5).powf((x[i * n]).sin())).sin().powi(3) * x[i * n];
        let u: f64 = ((((d[i] * 0.25).mul_add(d[i], 0.25)).min(((b).abs() + 0.75).powi(-2))).abs() + 0.75).powi(-2) + 0.125 * d[i];
        let mut s = 0.0f64;
        for j in 0..n {
            let at = i * n + j;
            y[at] = 0.5 * t + (((0.5 * (((x[at]).abs() + 0.5).log10() + ((x[at]).abs() + 0.5).ln()))).abs() + 0.5).log2();
            s += 0.1 * ((((d[i]).abs() + 0.75).recip()).abs() + 0.5).log10() * x[at] as f64;
        }
        e[i] = s + u * (((d[i]).sin().tan()).max((d[i]).tanh())).sin().tan();
        u + a as f64 + b
    }
}

/// All of them.
pub const ALL: [crate::math::Program; 16] = [
    (plain::m0, |n, a, b, x, d, y, e| m0(n, a, b, x, d, y, e), m0::kernel),
    (plain::m1, |n, a, b, x, d, y, e| m1(n, a, b, x, d, y, e), m1::kernel),
    (plain::m2, |n, a, b, x, d, y, e| m2(n, a, b, x, d, y, e), m2::kernel),
    (plain::m3, |n, a, b, x, d, y, e| m3(n, a, b, x, d, y, e), m3::kernel),
    (plain::m4, |n, a, b, x, d, y, e| m4(n, a, b, x, d, y, e), m4::kernel),
    (plain::m5, |n, a, b, x, d, y, e| m5(n, a, b, x, d, y, e), m5::kernel),
    (plain::m6, |n, a, b, x, d, y, e| m6(n, a, b, x, d, y, e), m6::kernel),
    (plain::m7, |n, a, b, x, d, y, e| m7(n, a, b, x, d, y, e), m7::kernel),
    (plain::m8, |n, a, b, x, d, y, e| m8(n, a, b, x, d, y, e), m8::kernel),
    (plain::m9, |n, a, b, x, d, y, e| m9(n, a, b, x, d, y, e), m9::kernel),
    (plain::m10, |n, a, b, x, d, y, e| m10(n, a, b, x, d, y, e), m10::kernel),
    (plain::m11, |n, a, b, x, d, y, e| m11(n, a, b, x, d, y, e), m11::kernel),
    (plain::m12, |n, a, b, x, d, y, e| m12(n, a, b, x, d, y, e), m12::kernel),
    (plain::m13, |n, a, b, x, d, y, e| m13(n, a, b, x, d, y, e), m13::kernel),
    (plain::m14, |n, a, b, x, d, y, e| m14(n, a, b, x, d, y, e), m14::kernel),
    (plain::m15, |n, a, b, x, d, y, e| m15(n, a, b, x, d, y, e), m15::kernel),
];
