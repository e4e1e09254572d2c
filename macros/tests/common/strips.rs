//! Kernels whose work-items go down strips of rows on GPUs, and the functions that they are made from.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

crate::both! {
    // Conditions on rows and columns.
    pub fn star(i: usize, n: usize, m: usize, c: f32, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            let at = i * m + j;
            let mut value = x[at];
            if i >= 3 && i + 3 < n && j >= 3 && j + 3 < m {
                let near = (x[at - 1] + x[at + 1]) + (x[at - m] + x[at + m]);
                let middle = (x[at - 2] + x[at + 2]) + (x[at - 2 * m] + x[at + 2 * m]);
                let far = (x[at - 3] + x[at + 3]) + (x[at - 3 * m] + x[at + 3 * m]);
                value = c * value + 0.5 * near + 0.25 * middle + 0.125 * far;
            }
            y[at] = value;
        }
    }

    // The negated conditions, with differences that wrap if there are few rows, and both precisions.
    pub fn hull(i: usize, n: usize, m: usize, x: &[f64], y: &mut [f32]) {
        for j in 0..m {
            let at = i * m + j;
            if i == 0 || i == n - 1 || j == 0 || j + 1 >= m {
                y[at] = -1.0;
            } else {
                y[at] = ((x[at - m] + x[at + m]) - (x[at - 1] + x[at + 1])) as f32;
            }
        }
    }

    // Nine points, a sum, and the columns from 1 to m - 2.
    pub fn boxed(i: usize, m: usize, x: &[f32], y: &mut [f32]) -> f64 {
        let third = 1.0 / 3.0;
        let mut sum = 0.0;
        for j in 1..m - 1 {
            let above = x[(i - 1) * m + j - 1] + x[(i - 1) * m + j] + x[(i - 1) * m + j + 1];
            let here = x[i * m + j - 1] + x[i * m + j] + x[i * m + j + 1];
            let below = x[(i + 1) * m + j - 1] + x[(i + 1) * m + j] + x[(i + 1) * m + j + 1];
            let value = third * (above + here + below);
            y[i * m + j] += value;
            sum += value as f64;
        }
        sum
    }

    // Mirrored edges: three ways to a neighbour, and an array that is read and written.
    pub fn mirrored(i: usize, m: usize, e: &[f32], r: &mut [f32], out: &mut [f32]) {
        for j in 0..m {
            let at = i * m + j;
            let sides = if j > 0 && j + 1 < m {
                e[at - 1] + e[at + 1]
            } else if m == 1 {
                e[at] * 2.0
            } else if j == 0 {
                e[at + 1] + e[at + 1]
            } else {
                e[at - 1] + e[at - 1]
            };
            let value = sides + (e[at - m] + e[at + m]) * r[at];
            r[at] = value - r[at];
            out[at] = value;
        }
    }

    // Periodic edges, also in planes of 1, 2 and 3 rows.
    pub fn periodic(i: usize, m: usize, l: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            for k in 0..l {
                let plane = i * m * l;
                let at = plane + j * l + k;
                let sides = if j > 0 && j + 1 < m && k > 0 && k + 1 < l {
                    (x[at - 1] + x[at + 1]) + (x[at - l] + x[at + l])
                } else {
                    (x[plane + j * l + (k + l - 1) % l] + x[plane + j * l + (k + 1) % l])
                        + (x[plane + (j + m - 1) % m * l + k] + x[plane + (j + 1) % m * l + k])
                };
                y[at] = sides + (x[at - m * l] - x[at + m * l]) - 4.0 * x[at];
            }
        }
    }

    // The same with 64-bit numbers and a sum.
    pub fn summed(i: usize, m: usize, l: usize, x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for j in 0..m {
            for k in 0..l {
                let plane = i * m * l;
                let at = plane + j * l + k;
                let sides = if j > 0 && j + 1 < m && k > 0 && k + 1 < l {
                    (x[at - 1] + x[at + 1]) + (x[at - l] + x[at + l])
                } else {
                    (x[plane + j * l + (k + l - 1) % l] + x[plane + j * l + (k + 1) % l])
                        + (x[plane + (j + m - 1) % m * l + k] + x[plane + (j + 1) % m * l + k])
                };
                y[at] = sides + (x[at - m * l] - x[at + m * l]) - 4.0 * x[at];
                sum += y[at];
            }
        }
        sum
    }

    // The same for a row, without a condition.
    pub fn ring(i: usize, m: usize, x: &[i32], y: &mut [i32]) {
        for j in 0..m {
            y[i * m + j] = x[i * m + (j + m - 1) % m] - 3 * x[i * m + j] + x[i * m + (j + 1) % m];
        }
    }

    // Edge elements beside both loops of a plane, and a sum of the inner elements.
    pub fn planes(i: usize, m: usize, l: usize, x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for j in 1..m - 1 {
            let weight = j as f64;
            y[(i * m + j) * l] = 7.0;
            for k in 1..l - 1 {
                let at = (i * m + j) * l + k;
                let v = (x[at - 1] + x[at + 1]) + (x[at - l] + x[at + l]) + (x[at - m * l] + x[at + m * l]);
                y[at] = v - 6.0 * x[at];
                sum += weight * v;
            }
            y[(i * m + j) * l + l - 1] = 8.0;
        }
        sum
    }

    // Rows that are not adjacent, wide offsets, rows of another stride, and conditions that change with the row.
    pub fn apart(i: usize, n: usize, m: usize, w: &[f32], x: &[f32], y: &mut [f32], z: &mut [i64]) {
        for j in 0..m {
            let mut v = w[i] + x[(i + 2) * m + j];
            if i >= 2 {
                v += x[(i - 2) * m + j];
            }
            if j > i {
                v = v * 0.5 + x[i * m + j - 1];
            }
            if j + 40 < m && i + 1 < n {
                v -= x[i * m + j + 40];
            }
            y[i * m + j] = v;
            if v > 0.0 {
                z[2 * (i * m + j)] = 5;
                z[2 * (i * m + j)] += j as i64;
            } else {
                z[2 * (i * m + j) + 1] -= i as i64;
            }
        }
    }

    // Elements at places that other elements choose, of bytes and 64-bit numbers; a local array, a store in two places.
    pub fn gathered(i: usize, m: usize, at: &[u8], x: &[u64], y: &mut [u64], z: &mut [u32]) -> u64 {
        let shift = m as u64;
        let mut sum = 0;
        for j in 0..m {
            let here = at[i * m + j] as usize;
            let both = [x[i * m + here % m], x[i * m + j]];
            y[i * m + j] = both[here & 1] + shift;
            if here > 100 {
                y[i * m + j] = y[i * m + j] + 3;
            }
            z[i * m + j] ^= here as u32;
            sum += both[0];
        }
        sum
    }

    // Rows from `start` on; there may be none.
    pub fn from_row(i: usize, m: usize, start: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            if i >= start && j > 0 {
                y[i * m + j] = x[i * m + j - 1];
            }
        }
    }

    // The same with a signed start: a negative one becomes a large number.
    pub fn from_signed(i: usize, m: usize, start: i32, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            if i >= start as usize {
                y[i * m + j] = x[i * m + j];
            } else {
                y[i * m + j] = 1.0;
            }
        }
    }

    // A local array filled with one element, longer than the columns of a work-item.
    pub fn spread(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            let a = [x[i * m + j]; 7];
            y[i * m + j] = a[0] + 2.0 * a[3] + 4.0 * a[6];
        }
    }

    // Periodic edges through a local outside the loop.
    pub fn based(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
        let base = i * m;
        for j in 0..m {
            let left = if j > 0 { x[base + j - 1] } else { x[base + (j + m - 1) % m] };
            y[base + j] = left - x[base + j];
        }
    }

    // Rows that overlap in several ways: one access needs under a condition what another needs always, or under another
    // condition.
    pub fn mixed(i: usize, m: usize, a: i32, x: &[f32], y: &mut [f32]) {
        for j in 0..m {
            let at = i * m + j;
            let mut v = x[at] * 2.0;
            if j % 3 == 1 {
                v += x[at + m] + x[at + m + 1];
            }
            if a > 2 || j == 5 {
                v -= x[at - m] * x[at - m + 1];
            } else if j > 0 && x[at] > 0.0 {
                v += x[at - 1];
            }
            y[at] = v;
        }
    }
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<(Kernel, &'static str)> {
    macro_rules! list {
        ($($name:ident)*) => { vec![$(($name::kernel(), $name::cuda_source())),*] };
    }
    list!(star hull boxed mirrored periodic summed ring planes apart gathered from_row from_signed spread based mixed)
}
