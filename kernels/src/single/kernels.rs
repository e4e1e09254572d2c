//! The kernels: one Rust function each, of which `#[kernel]` makes everything, for both precisions.

use apportion::kernel;

/// `y[i] += a * x[i]`.
#[kernel(T = f32 | f64)]
pub fn axpy<T>(i: usize, a: T, x: &[T], y: &mut [T]) {
    y[i] += a * x[i];
}

/// `x[i]`, to be added up.
#[kernel(T = f32 | f64)]
pub fn sum<T>(i: usize, x: &[T]) -> f64 {
    x[i] as f64
}

/// Row i of a matrix of n columns, times a vector.
#[kernel(reorder, T = f32 | f64)]
pub fn matvec<T>(i: usize, n: usize, a: &[T], x: &[T], y: &mut [T]) {
    let mut s = 0.0;
    for j in 0..n {
        s += a[i * n + j] * x[j];
    }
    y[i] = s;
}

/// Row i of a product of square matrices.
#[kernel(T = f32 | f64)]
pub fn matmul<T>(i: usize, n: usize, a: &[T], b: &[T], c: &mut [T]) {
    for j in 0..n {
        let mut s = 0.0;
        for k in 0..n {
            s += a[i * n + k] * b[k * n + j];
        }
        c[i * n + j] = s;
    }
}

/// Row i of a 13-point star of radius 3; cells nearer than 3 to the edge are copied.
#[kernel(T = f32 | f64)]
pub fn stencil2d<T>(i: usize, n: usize, c0: T, c1: T, c2: T, c3: T, input: &[T], output: &mut [T]) {
    for j in 0..n {
        let at = i * n + j;
        let mut value = input[at];
        if i >= 3 && i + 3 < n && j >= 3 && j + 3 < n {
            let near = (input[at - 1] + input[at + 1]) + (input[at - n] + input[at + n]);
            let middle = (input[at - 2] + input[at + 2]) + (input[at - 2 * n] + input[at + 2 * n]);
            let far = (input[at - 3] + input[at + 3]) + (input[at - 3 * n] + input[at + 3 * n]);
            value = c0 * value + c1 * near + c2 * middle + c3 * far;
        }
        output[at] = value;
    }
}

/// Row i of a 5-point relaxation, and its squared residuals. The first and the last column are copied.
#[kernel(reorder, T = f32 | f64)]
pub fn jacobi<T>(i: usize, m: usize, ax: T, ay: T, b: T, omega: T, f: &[T], old: &[T], u: &mut [T]) -> f64 {
    let inverse = 1.0 / b;
    let mut error = 0.0;
    for j in 0..m {
        let at = i * m + j;
        let mut r = 0.0;
        if j > 0 && j + 1 < m {
            let near = ax * (old[at - 1] + old[at + 1]) + ay * (old[at - m] + old[at + m]);
            r = (near + b * old[at] - f[at]) * inverse;
        }
        u[at] = old[at] - omega * r;
        error += r as f64 * r as f64;
    }
    error
}

/// Row i of the heat equation. The first and the last column are copied.
#[kernel(T = f32 | f64)]
pub fn heat2d<T>(i: usize, m: usize, tfac: T, old: &[T], new: &mut [T]) {
    for j in 0..m {
        let at = i * m + j;
        let mut change = 0.0;
        if j > 0 && j + 1 < m {
            let d2x = (old[at - 1] - old[at]) + (old[at + 1] - old[at]);
            let d2y = (old[at - m] - old[at]) + (old[at + m] - old[at]);
            change = tfac * (d2x + d2y);
        }
        new[at] = old[at] + change;
    }
}

/// Plane i, of m rows of l cells, of the heat equation. The plane's hull is copied.
#[kernel(T = f32 | f64)]
pub fn heat3d_fixed<T>(i: usize, m: usize, l: usize, kappa: T, old: &[T], new: &mut [T]) {
    for j in 0..m {
        for k in 0..l {
            let at = i * m * l + j * l + k;
            let mut change = 0.0;
            if j > 0 && j + 1 < m && k > 0 && k + 1 < l {
                let sides = (old[at - 1] + old[at + 1]) + (old[at - l] + old[at + l]);
                change = kappa * (sides + (old[at - m * l] + old[at + m * l]) - 6.0 * old[at]);
            }
            new[at] = old[at] + change;
        }
    }
}

/// The same with periodic edges. Planes -1 and n are ghost planes.
#[kernel(T = f32 | f64)]
pub fn heat3d_periodic<T>(i: usize, m: usize, l: usize, kappa: T, old: &[T], new: &mut [T]) {
    for j in 0..m {
        for k in 0..l {
            let plane = i * m * l;
            let at = plane + j * l + k;
            let sides = if j > 0 && j + 1 < m && k > 0 && k + 1 < l {
                (old[at - 1] + old[at + 1]) + (old[at - l] + old[at + l])
            } else {
                (old[plane + j * l + (k + l - 1) % l] + old[plane + j * l + (k + 1) % l])
                    + (old[plane + (j + m - 1) % m * l + k] + old[plane + (j + 1) % m * l + k])
            };
            new[at] = old[at] + kappa * (sides + (old[at - m * l] + old[at + m * l]) - 6.0 * old[at]);
        }
    }
}

/// The excitation of a cell after a step; `around` is the sum of its four neighbours'.
#[kernel(helper, T = f32 | f64)]
pub fn excited<T>(alpha: T, dt: T, around: T, e: T, r: T) -> T {
    const K: T = 8.0;
    const A: T = 0.1;
    let e = e + alpha * (around - 4.0 * e);
    e - dt * (K * e * (e - A) * (e - 1.0) + e * r)
}

/// The recovery of a cell after a step; `e` is its new excitation.
#[kernel(helper, T = f32 | f64)]
pub fn recovered<T>(dt: T, e: T, r: T) -> T {
    const K: T = 8.0;
    const B: T = 0.1;
    const MU1: T = 0.07;
    const MU2: T = 0.3;
    const EPS: T = 0.01;
    let rate = EPS + MU1 * r / (e + MU2);
    r - dt * rate * (r + K * e * (e - (B + 1.0)))
}

/// Row i of heart tissue. Columns are mirrored at the edges; rows -1 and n are ghost rows.
#[kernel(T = f32 | f64)]
pub fn cardiac<T>(i: usize, m: usize, alpha: T, dt: T, e_old: &[T], r: &mut [T], e_new: &mut [T]) {
    for j in 0..m {
        let at = i * m + j;
        let sides = if j > 0 && j + 1 < m {
            e_old[at - 1] + e_old[at + 1]
        } else if j == 0 {
            e_old[at + 1] + e_old[at + 1]
        } else {
            e_old[at - 1] + e_old[at - 1]
        };
        let e: T = excited::<T>(alpha, dt, sides + (e_old[at - m] + e_old[at + m]), e_old[at], r[at]);
        r[at] = recovered::<T>(dt, e, r[at]);
        e_new[at] = e;
    }
}

/// Row i of m points: the specific heat of a mixture. For each species the table has the temperature at which its two
/// ranges meet, and six coefficients for either.
#[kernel(T = f32 | f64)]
#[map(table: full)]
pub fn mixcp<T>(i: usize, m: usize, species: usize, t: &[T], y: &[T], table: &[T], c: &mut [T]) {
    for j in 0..m {
        let t = t[i * m + j];
        let mut sum = 0.0;
        for k in 0..species {
            let a = if t < table[13 * k] { 13 * k + 1 } else { 13 * k + 7 };
            let high = table[a + 2] + t * (table[a + 3] + t * table[a + 4]);
            sum += y[i * species * m + k * m + j] * (table[a] + t * (table[a + 1] + t * high));
        }
        c[i * m + j] = sum;
    }
}

/// The same for its enthalpy.
#[kernel(T = f32 | f64)]
#[map(table: full)]
pub fn mixenth<T>(i: usize, m: usize, species: usize, t: &[T], y: &[T], table: &[T], h: &mut [T]) {
    for j in 0..m {
        let t = t[i * m + j];
        let mut sum = 0.0;
        for k in 0..species {
            let a = if t < table[13 * k] { 13 * k + 1 } else { 13 * k + 7 };
            let high = table[a + 2] * (1.0 / 3.0) + t * (table[a + 3] * 0.25 + t * (table[a + 4] * (1.0 / 5.0)));
            let low = table[a + 5] + t * (table[a] + t * (table[a + 1] * 0.5 + t * high));
            sum += y[i * species * m + k * m + j] * low;
        }
        h[i * m + j] = sum;
    }
}

/// Row `by` of the 16 x 16 blocks of a frame of n x n: for each block dy, dx and SAD of the place in the other frame, at most 8
/// away and inside the frame, where the sum of absolute differences is least.
#[kernel]
#[map(result: from)]
pub fn bm2d(by: usize, n: usize, current: &[u8], reference: &[u8], result: &mut [i32]) {
    for bx in 0..n / 16 {
        let mut best = i32::MAX;
        let mut best_y = 0;
        let mut best_x = 0;
        for y in (by * 16).saturating_sub(8)..=(by * 16 + 8).min(n - 16) {
            for x in (bx * 16).saturating_sub(8)..=(bx * 16 + 8).min(n - 16) {
                let mut sad = 0;
                for r in 0..16 {
                    for c in 0..16 {
                        let ours = current[(by * 16 + r) * n + bx * 16 + c];
                        sad += ours.abs_diff(reference[(y + r) * n + x + c]) as i32;
                    }
                }
                // On ties the first stays, which has the smallest (dy, dx).
                if sad < best {
                    best = sad;
                    best_y = y as i32 - (by * 16) as i32;
                    best_x = x as i32 - (bx * 16) as i32;
                }
            }
        }
        let at = by * (n / 16) * 3 + 3 * bx;
        result[at] = best_y;
        result[at + 1] = best_x;
        result[at + 2] = best;
    }
}
