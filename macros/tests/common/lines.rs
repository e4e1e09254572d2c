//! Kernels of short loops, of which CUDA devices give each iteration a part of a warp.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

/// Rows of which data say where they end.
pub mod by_data {
    crate::both_with_full! {
        full(starts, columns, values, x)
        /// Rows of a sparse matrix.
        pub fn sparse(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
            let mut sum = 0.0;
            for k in starts[i] as usize..starts[i + 1] as usize {
                sum += values[k] * x[columns[k] as usize];
            }
            y[i] = sum;
        }

        full(starts, columns, values)
        /// Ends in locals, several sums, and the least and greatest value.
        pub fn ranges(i: usize, starts: &[u32], columns: &[u32], values: &[f64], y: &mut [f64], count: &mut [i32]) {
            let (from, to) = (starts[i] as usize, starts[i + 1] as usize);
            let mut low = f64::MAX;
            let mut high = f64::MIN;
            let mut odd = 0;
            for k in from..to {
                low = low.min(values[k]);
                high = high.max(values[k]);
                odd += (columns[k] & 1) as i32;
            }
            if from < to {
                y[i] = high - low;
            }
            count[i] = odd;
        }

        full(starts, columns, values)
        /// A condition around a loop, and another loop after it: what the first one makes is used in the second.
        pub fn twice(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
            let mut sum = 0.0;
            if i % 3 != 1 {
                for k in starts[i] as usize..starts[i + 1] as usize {
                    sum += values[k];
                }
            }
            let mut product = 1.0;
            for k in starts[i] as usize..starts[i + 1] as usize {
                if values[k] > sum {
                    continue;
                }
                product *= 1.0 + 0.5 / (1 + columns[k]) as f64;
            }
            y[i] = x[i] + sum + product;
        }

        full(starts, values)
        /// A value to reduce that is not the sum itself.
        pub fn norm(i: usize, starts: &[u32], values: &[f64]) -> f64 {
            let mut sum = 0.0;
            for k in starts[i] as usize..starts[i + 1] as usize {
                sum += values[k] * values[k];
            }
            if sum > 100.0 {
                return 10.0;
            }
            sum.sqrt()
        }

        full(starts, values)
        /// An end between two loops, of which the second needs what the first makes.
        pub fn spread(i: usize, starts: &[u32], values: &[f64], y: &mut [f64]) -> f64 {
            let (from, to) = (starts[i] as usize, starts[i + 1] as usize);
            let mut sum = 0.0;
            for k in from..to {
                sum += values[k];
            }
            if from == to {
                return 0.0;
            }
            let mean = sum / (to - from) as f64;
            y[i] = mean;
            let mut far = 0.0;
            for k in from..to {
                if values[k] < mean {
                    continue;
                }
                far += (values[k] - mean) * (values[k] - mean);
            }
            far.sqrt()
        }

        full(starts, x)
        /// Sums of bytes.
        pub fn bytes(i: usize, starts: &[u32], x: &[u8], y: &mut [u32]) {
            let mut sum = 0;
            for k in starts[i] as usize..starts[i + 1] as usize {
                sum += x[k] as u32;
            }
            y[i] = sum;
        }

        full(starts, values)
        /// Rows without their first elements, scaled.
        pub fn rest(i: usize, scale: f64, skip: u32, values: &[f64], starts: &[u32], y: &mut [f64]) {
            let to = starts[i + 1] as usize;
            let mut sum = 0.0;
            for k in (starts[i] + skip) as usize..to {
                sum += values[k];
            }
            y[i] = scale * sum;
        }
    }
}

crate::both! {
    /// Rows whose length is an argument; elements of a byte each.
    pub fn rows(i: usize, m: usize, x: &[u8], y: &mut [u8], z: &mut [f32]) {
        let mut sum = 0;
        let mut most = 0;
        for k in 0..m {
            sum += x[i * m + k];
            most = most.max(x[i * m + k]);
        }
        y[2 * i] = sum;
        y[2 * i + 1] = most;
        z[i] = (sum as f32).sqrt();
    }

    /// A loop around a shared one.
    pub fn powers(i: usize, n: usize, m: usize, x: &[i64], y: &mut [i64]) {
        let mut last = 1;
        for turn in 0..n {
            let mut sum = 0;
            for k in 0..m {
                sum += x[i * m + k] * last;
            }
            last = sum ^ turn as i64;
        }
        y[i] = last;
    }

    /// The number of a row's elements that are greater than its first.
    pub fn above(i: usize, m: usize, x: &[f32]) -> i32 {
        let first = x[i * m];
        let mut count = 0;
        for k in 1..m {
            count += (x[i * m + k] > first) as i32;
        }
        count * count
    }
}

/// All of them.
pub fn all() -> Vec<(Kernel, &'static str)> {
    vec![
        (by_data::sparse::kernel(), "sparse"),
        (by_data::ranges::kernel(), "ranges"),
        (by_data::twice::kernel(), "twice"),
        (by_data::norm::kernel(), "norm"),
        (by_data::rest::kernel(), "rest"),
        (by_data::spread::kernel(), "spread"),
        (by_data::bytes::kernel(), "bytes"),
        (rows::kernel(), "rows"),
        (powers::kernel(), "powers"),
        (above::kernel(), "above"),
    ]
}
