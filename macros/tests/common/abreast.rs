//! Kernels whose work-items take columns side by side on GPUs, and the functions that they are made from.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

crate::both! {
    // Each turn reads a row of one array, and all columns read another at places that they choose.
    pub fn mixed(i: usize, m: usize, n: usize, t: &[f32], x: &[f32], table: &[f32], y: &mut [f32]) {
        for j in 0..m {
            let t = t[i * m + j];
            let mut sum = 0.0;
            for k in 0..n {
                let a = if t < table[3 * k] { table[3 * k + 1] } else { table[3 * k + 2] };
                sum += x[i * n * m + k * m + j] * (a + t);
            }
            y[i * m + j] = sum;
        }
    }

    // Columns from 1, neighbours, conditions, locals in the loop, and both precisions.
    pub fn around(i: usize, m: usize, n: usize, x: &[f32], d: &[f64], y: &mut [f64]) {
        for j in 1..m - 1 {
            let mut low = 1e9;
            let mut sum = d[i * m + j];
            for k in 0..n {
                let here = x[k * m + j];
                let sides = x[k * m + j - 1] + x[k * m + j + 1];
                if sides > here {
                    sum += d[(i + k) * m + j];
                    low = here.min(low);
                } else if k % 2 == 0 {
                    sum -= 1.0;
                }
            }
            y[i * m + j] = if low < 1e8 { sum + low as f64 } else { sum };
        }
    }

    // Nested loops and successive loops, over signed numbers, with stores in them.
    pub fn layers(i: usize, m: usize, n: usize, x: &[i32], u: &[u8], y: &mut [i32], z: &mut [i32]) {
        for j in 0..m {
            let mut most = i32::MIN;
            for k in -2..n as i32 {
                let mut part = k;
                for q in 0..=n {
                    part = part.wrapping_add(x[q * m + j].wrapping_mul(k));
                    let twice = [part, 2];
                    part = twice[0].wrapping_mul(twice[1]);
                }
                most = most.max(part);
            }
            for q in 0..n {
                y[i * m + j] = most.wrapping_sub(u[q * m + j] as i32);
            }
            z[i * m + j] -= 3;
            for q in 0..n {
                z[i * m + j] = z[i * m + j].wrapping_add(x[(q + 1) * m + j]);
            }
        }
    }

    // Rows of m + 2 elements whose first column is the second element, and turns that begin past the first.
    pub fn shifted(i: usize, m: usize, n: usize, x: &[f32], y: &mut [f32]) {
        let scale = 2.0 * x[i];
        for j in 0..m {
            let mut s = 1.0;
            for k in 1..=n {
                s = s * 0.5 + scale * x[(k - 1) * (m + 2) + j + 1] * x[(n - k) * (m + 2) + j + 4];
            }
            y[i * (m + 4) + j + 4] = s;
        }
    }

    // Iterations that read one row in common and one of their own, with locals of the iteration and of the column.
    pub fn weighed(i: usize, m: usize, n: usize, a: &[f32], w: &[f32], x: &[f32], y: &mut [f32], z: &mut [f32]) {
        let scale = a[i * n] + 1.0;
        let shift = scale * 0.5;
        for j in 0..m {
            let own = shift * w[i * m + j];
            let mut sum = own;
            let mut most = -9.0;
            for k in 0..n {
                let part = a[i * n + k] * x[k * m + j];
                sum += part * scale - w[(i + k) * m + j];
                if part > most {
                    most = part;
                }
            }
            y[i * m + j] = sum + own;
            z[i * m + j] += most;
            for k in 0..n {
                z[i * m + j] -= x[k * m + j] * a[i * n + n - 1 - k];
            }
        }
    }

    // A product of matrices.
    pub fn product(i: usize, m: usize, n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
        for j in 0..m {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * m + j];
            }
            c[i * m + j] = s;
        }
    }
}

macro_rules! chosen {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[allow(clippy::all)]
        pub fn $name(i: usize, m: usize, n: usize, x: &[f32], w: &[f32], y: &mut [f32]) {
            for j in 0..m {
                let mut s = x[i * m + j];
                // One of two places that move with the loop, upwards and downwards.
                for k in 1..n {
                    let a = if s < w[3 * k] { 3 * k + 1 } else { 3 * k + 2 };
                    let b = if s < 0.0 { 3 * (n - k) } else { 3 * n + 1 - 3 * k };
                    s = 0.5 * s + x[k * m + j] * w[a] - w[b] + w[a - 1];
                }
                // The same variable name with another meaning in the text for one column.
                for k in 0..n {
                    let a = if s > w[k] { 2 * k } else { k };
                    s += w[a] * x[(n - 1 - k) * m + j];
                }
                y[i * m + j] = s;
            }
        }
    };
}
chosen!(
    #[apportion::kernel]
    #[map(w: full)]
    chosen
);
chosen!(plain_chosen);

/// All these kernels, with their CUDA C texts.
pub fn all() -> Vec<(Kernel, &'static str)> {
    vec![
        (mixed::kernel(), mixed::cuda_source()),
        (around::kernel(), around::cuda_source()),
        (layers::kernel(), layers::cuda_source()),
        (shifted::kernel(), shifted::cuda_source()),
        (product::kernel(), product::cuda_source()),
        (weighed::kernel(), weighed::cuda_source()),
        (chosen::kernel(), chosen::cuda_source()),
    ]
}
