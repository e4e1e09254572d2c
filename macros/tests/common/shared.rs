//! Kernels whose loops groups share, in every form, and the functions that they are made from.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

crate::both! {
    // Edge elements beside the loop.
    pub fn heat2d(i: usize, m: usize, t: f32, old: &[f32], out: &mut [f32]) {
        out[i * m] = old[i * m];
        for j in 1..m - 1 {
            let c = old[i * m + j];
            let across = (old[i * m + j - 1] - c) + (old[i * m + j + 1] - c);
            let down = (old[(i - 1) * m + j] - c) + (old[(i + 1) * m + j] - c);
            out[i * m + j] = c + t * (across + down);
        }
        out[i * m + m - 1] = old[i * m + m - 1];
    }

    // A filter: of many iterations, work-items have one each.
    pub fn filtered(i: usize, n: usize, x: &[f32], w: &[f32], y: &mut [f32]) {
        let mut s = 0.0;
        let mut most = x[i];
        for j in 0..n {
            s += x[i + j] * w[n - 1 - j];
            most = most.max(x[i + j]);
        }
        if s > 0.0 {
            y[2 * i] = s;
        } else {
            y[2 * i] = 1.0 - s;
        }
        y[2 * i + 1] = most;
    }

    // A nest over a plane whose rows have edge elements too.
    pub fn heat3d(i: usize, m: usize, l: usize, kappa: f32, old: &[f32], out: &mut [f32]) {
        for k in 0..l {
            out[i * m * l + k] = old[i * m * l + k];
        }
        for j in 1..m - 1 {
            out[(i * m + j) * l] = old[(i * m + j) * l];
            for k in 1..l - 1 {
                let c = old[(i * m + j) * l + k];
                let around = (old[(i * m + j) * l + k - 1] + old[(i * m + j) * l + k + 1])
                    + (old[(i * m + j - 1) * l + k] + old[(i * m + j + 1) * l + k])
                    + (old[((i - 1) * m + j) * l + k] + old[((i + 1) * m + j) * l + k]);
                out[(i * m + j) * l + k] = c + kappa * (around - 6.0 * c);
            }
            out[(i * m + j) * l + l - 1] = old[(i * m + j) * l + l - 1];
        }
    }

    // Returns a sum over a plane: groups have tiles of it.
    pub fn plane(i: usize, m: usize, l: usize, x: &[f32], y: &mut [f32]) -> f64 {
        let mut s = 0.0;
        for j in 0..m {
            let w = j as f64;
            for k in 2..l {
                y[(i * m + j) * l + k] = 2.0 * x[(i * m + j) * l + k];
                s += w * x[(i * m + j) * l + k] as f64;
            }
        }
        s
    }

    // Edge rows in a loop of their own that returns early.
    pub fn framed(i: usize, n: usize, m: usize, x: &[f32], y: &mut [f32]) -> f32 {
        let mut s = 0.0;
        if i == 0 || i + 1 == n {
            for j in 0..m {
                y[i * m + j] = x[i * m + j];
            }
            return 1000.0;
        }
        for j in 0..m {
            y[i * m + j] = if j == 0 || j + 1 == m { x[i * m + j] } else { x[i * m + j - 1] - x[i * m + j + 1] };
            s += x[i * m + j];
        }
        s
    }

    // Work-items wait for a sum and for elements that others stored.
    pub fn softmax(i: usize, m: usize, x: &[f32], e: &mut [f32], y: &mut [f32]) -> f32 {
        let mut most = f32::NEG_INFINITY;
        for j in 0..m {
            most = most.max(x[i * m + j]);
        }
        let mut sum = 0.0;
        for j in 0..m {
            e[i * m + j] = x[i * m + j] - most;
            sum += e[i * m + j].abs() + 1.0;
        }
        for j in 0..m {
            y[i * m + j] = e[i * m + m - 1 - j] / sum;
        }
        sum
    }

    // Steps with a wait at the end of each.
    pub fn steps(i: usize, m: usize, t: usize, u: &mut [f32], v: &mut [f32]) {
        for _ in 0..t {
            for j in 1..m - 1 {
                v[i * m + j] = 0.5 * u[i * m + j] + 0.25 * (u[i * m + j - 1] + u[i * m + j + 1]);
            }
            for j in 1..m - 1 {
                u[i * m + j] = v[i * m + j];
            }
        }
    }

    // Elements that are read after a loop that may have no turns.
    pub fn mirrored(i: usize, m: usize, t: usize, x: &[f32], u: &mut [f32], v: &mut [f32], w: &mut [f32]) {
        for j in 0..m {
            u[i * m + j] = 2.0 * x[i * m + j];
        }
        for _ in 0..t {
            for j in 0..m {
                v[i * m + j] = u[i * m + m - 1 - j];
            }
        }
        for j in 0..m {
            w[i * m + j] = u[i * m + m - 1 - j];
        }
    }

    // Work-items have other turns in the second loop: it starts at the first of two bounds of the first one.
    pub fn begun(i: usize, m: usize, a: usize, b: usize, x: &[f32], u: &mut [f32], v: &mut [f32]) {
        for j in a.max(b)..m {
            u[i * m + j] = 2.0 * x[i * m + j];
        }
        for j in a..m {
            v[i * m + j] = u[i * m + j] + 1.0;
        }
    }

    // A loop that writes the element which says where it ends.
    pub fn cut_short(i: usize, m: usize, y: &mut [u32]) {
        for j in 0..(y[i * m] as usize).min(m) {
            y[i * m + j] = (i + 3 * j) as u32 % 5;
        }
    }

    // The least and the greatest of numbers that may all be NaN.
    pub fn extremes(i: usize, m: usize, x: &[f32], y: &mut [f32], z: &mut [f64]) {
        let mut least = f32::NAN;
        for j in 0..m {
            least = least.min(x[i * m + j]);
        }
        y[i] = least;
        let mut most = f64::NAN;
        for j in 0..m {
            most = most.max(x[i * m + j] as f64);
        }
        z[i] = most;
    }

    // Several sums of rows in one iteration.
    pub fn batched(i: usize, m: usize, l: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            let mut s = 0.0;
            for k in 0..l {
                s += a[(i * m + j) * l + k] * x[k];
            }
            y[i * m + j] = s;
        }
    }

    // Each value must count once, even if work-items share the loop.
    pub fn product(i: usize, m: usize, x: &[f32], y: &mut [f32]) -> f64 {
        let mut p = 1.0;
        for j in 0..m {
            p *= 1.0 + 0.01 * x[i * m + j] as f64;
        }
        y[i] = p as f32;
        p
    }

    // Backwards and in steps.
    pub fn strides(i: usize, m: usize, x: &[f32], y: &mut [f32], z: &mut [i32]) -> i32 {
        for j in (1..m).rev() {
            y[i * m + j] = x[i * m + m - j];
        }
        y[i * m] = 0.0;
        for j in (0..m).step_by(3) {
            y[i * m + j] += 0.5;
        }
        let mut s = 0;
        let mut order = 0;
        for j in (1..m).step_by(2) {
            s += (x[i * m + j] * 64.0) as i32;
        }
        for j in (1..=m).rev().step_by(5) {
            order = (order * 7 + j as i32) & 0xffff;
        }
        for j in (2..m).step_by(4).rev() {
            order = (order * 5 + j as i32) & 0xffff;
        }
        for k in (-3..=4i32).rev() {
            order = order ^ (k * 3);
        }
        z[i] = order;
        s
    }

    // Loop variables narrower than an index.
    pub fn narrow(i: usize, m: u32, x: &[u8], y: &mut [u32]) -> u64 {
        let mut s = 0u64;
        for j in 0..m {
            y[i * m as usize + j as usize] = x[i * m as usize + j as usize] as u32 + j;
            s += j as u64;
        }
        s
    }
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<(Kernel, &'static str)> {
    macro_rules! list {
        ($($name:ident)*) => { vec![$(($name::kernel(), $name::cuda_source())),*] };
    }
    list!(heat2d filtered heat3d plane framed softmax steps begun cut_short extremes batched product strides narrow)
}
