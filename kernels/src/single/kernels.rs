//! The kernels: one Rust function each, of which `#[kernel]` makes everything.

use super::SingleSource;
use apportion::kernel;
use apportion::kernel::{Bound, ReadArray, WriteArray};

/// The same functions for both precisions: kernels have no generic parameters.
macro_rules! of_precision {
    ($($(#[$doc:meta])* $module:ident: $t:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use apportion::kernel;

            /// `y[i] += a * x[i]`.
            #[kernel]
            pub fn axpy(i: usize, a: $t, x: &[$t], y: &mut [$t]) {
                y[i] += a * x[i];
            }

            /// `x[i]`, to be added up.
            #[kernel]
            pub fn sum(i: usize, x: &[$t]) -> f64 {
                x[i] as f64
            }

            /// Row i of a matrix of n columns, times a vector.
            #[kernel(reorder)]
            pub fn matvec(i: usize, n: usize, a: &[$t], x: &[$t], y: &mut [$t]) {
                let mut s = 0.0;
                for j in 0..n {
                    s += a[i * n + j] * x[j];
                }
                y[i] = s;
            }

            /// Row i of a product of square matrices.
            #[kernel]
            pub fn matmul(i: usize, n: usize, a: &[$t], b: &[$t], c: &mut [$t]) {
                for j in 0..n {
                    let mut s = 0.0;
                    for k in 0..n {
                        s += a[i * n + k] * b[k * n + j];
                    }
                    c[i * n + j] = s;
                }
            }

            /// Row i of a 13-point star of radius 3; cells nearer than 3 to the edge are copied.
            #[kernel]
            pub fn stencil2d(
                i: usize, n: usize, c0: $t, c1: $t, c2: $t, c3: $t, input: &[$t], output: &mut [$t],
            ) {
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
            #[kernel(reorder)]
            pub fn jacobi(
                i: usize, m: usize, ax: $t, ay: $t, b: $t, omega: $t, f: &[$t], old: &[$t], u: &mut [$t],
            ) -> f64 {
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
            #[kernel]
            pub fn heat2d(i: usize, m: usize, tfac: $t, old: &[$t], new: &mut [$t]) {
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
            #[kernel]
            pub fn heat3d_fixed(i: usize, m: usize, l: usize, kappa: $t, old: &[$t], new: &mut [$t]) {
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

            /// The same where each edge goes on with the one opposite. Planes -1 and n are ghost planes.
            #[kernel]
            pub fn heat3d_periodic(i: usize, m: usize, l: usize, kappa: $t, old: &[$t], new: &mut [$t]) {
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
                        new[at] =
                            old[at] + kappa * (sides + (old[at - m * l] + old[at + m * l]) - 6.0 * old[at]);
                    }
                }
            }

            /// The excitation of a cell after a step; `around` is the sum of its four neighbours'.
            #[kernel(helper)]
            pub fn excited(alpha: $t, dt: $t, around: $t, e: $t, r: $t) -> $t {
                const K: $t = 8.0;
                const A: $t = 0.1;
                let e = e + alpha * (around - 4.0 * e);
                e - dt * (K * e * (e - A) * (e - 1.0) + e * r)
            }

            /// The recovery of a cell after a step; `e` is its new excitation.
            #[kernel(helper)]
            pub fn recovered(dt: $t, e: $t, r: $t) -> $t {
                const K: $t = 8.0;
                const B: $t = 0.1;
                const MU1: $t = 0.07;
                const MU2: $t = 0.3;
                const EPS: $t = 0.01;
                let rate = EPS + MU1 * r / (e + MU2);
                r - dt * rate * (r + K * e * (e - (B + 1.0)))
            }

            /// Row i of heart tissue. Columns are mirrored at the edges; rows -1 and n are ghost rows.
            #[kernel]
            pub fn cardiac(
                i: usize, m: usize, alpha: $t, dt: $t, e_old: &[$t], r: &mut [$t], e_new: &mut [$t],
            ) {
                for j in 0..m {
                    let at = i * m + j;
                    let sides = if j > 0 && j + 1 < m {
                        e_old[at - 1] + e_old[at + 1]
                    } else if j == 0 {
                        e_old[at + 1] + e_old[at + 1]
                    } else {
                        e_old[at - 1] + e_old[at - 1]
                    };
                    let e: $t = excited(alpha, dt, sides + (e_old[at - m] + e_old[at + m]), e_old[at], r[at]);
                    r[at] = recovered(dt, e, r[at]);
                    e_new[at] = e;
                }
            }

            /// Row i of m points: the specific heat of a mixture. Of each species the table has the temperature at which its
            /// two ranges meet, and six coefficients for either.
            #[kernel]
            #[map(table: full)]
            pub fn mixcp(i: usize, m: usize, species: usize, t: &[$t], y: &[$t], table: &[$t], c: &mut [$t]) {
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
            #[kernel]
            #[map(table: full)]
            pub fn mixenth(i: usize, m: usize, species: usize, t: &[$t], y: &[$t], table: &[$t], h: &mut [$t]) {
                for j in 0..m {
                    let t = t[i * m + j];
                    let mut sum = 0.0;
                    for k in 0..species {
                        let a = if t < table[13 * k] { 13 * k + 1 } else { 13 * k + 7 };
                        let high =
                            table[a + 2] * (1.0 / 3.0) + t * (table[a + 3] * 0.25 + t * (table[a + 4] * (1.0 / 5.0)));
                        let low = table[a + 5] + t * (table[a] + t * (table[a + 1] * 0.5 + t * high));
                        sum += y[i * species * m + k * m + j] * low;
                    }
                    h[i * m + j] = sum;
                }
            }
        }

        impl SingleSource for $t {
            fn axpy<'a>(a: Self, x: impl ReadArray<'a, Self>, y: impl WriteArray<'a, Self>) -> Bound<'a> {
                $module::axpy(a, x, y).kernel_named("axpy-single")
            }
            fn sum<'a>(x: impl ReadArray<'a, Self>) -> Bound<'a> {
                $module::sum(x).kernel_named("sum-single")
            }
            fn matvec<'a>(
                n: usize,
                a: impl ReadArray<'a, Self>,
                x: impl ReadArray<'a, Self>,
                y: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::matvec(n, a, x, y).kernel_named("matvec-single")
            }
            fn matmul<'a>(
                n: usize,
                a: impl ReadArray<'a, Self>,
                b: impl ReadArray<'a, Self>,
                c: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::matmul(n, a, b, c).kernel_named("matmul-single")
            }
            fn stencil2d<'a>(
                n: usize,
                [c0, c1, c2, c3]: [Self; 4],
                input: impl ReadArray<'a, Self>,
                output: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::stencil2d(n, c0, c1, c2, c3, input, output).kernel_named("stencil2d-single")
            }
            fn jacobi<'a>(
                m: usize,
                [ax, ay, b, omega]: [Self; 4],
                f: impl ReadArray<'a, Self>,
                old: impl ReadArray<'a, Self>,
                u: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::jacobi(m, ax, ay, b, omega, f, old, u).kernel_named("jacobi-single")
            }
            fn heat2d<'a>(
                m: usize,
                tfac: Self,
                old: impl ReadArray<'a, Self>,
                new: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::heat2d(m, tfac, old, new).kernel_named("heat2d-single")
            }
            fn heat3d_fixed<'a>(
                [m, l]: [usize; 2],
                kappa: Self,
                old: impl ReadArray<'a, Self>,
                new: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::heat3d_fixed(m, l, kappa, old, new).kernel_named("heat3d-fixed-single")
            }
            fn heat3d_periodic<'a>(
                [m, l]: [usize; 2],
                kappa: Self,
                old: impl ReadArray<'a, Self>,
                new: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::heat3d_periodic(m, l, kappa, old, new).kernel_named("heat3d-periodic-single")
            }
            fn cardiac<'a>(
                m: usize,
                [alpha, dt]: [Self; 2],
                e_old: impl ReadArray<'a, Self>,
                r: impl WriteArray<'a, Self>,
                e_new: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::cardiac(m, alpha, dt, e_old, r, e_new).kernel_named("cardiac-single")
            }
            fn mixcp<'a>(
                [m, species]: [usize; 2],
                t: impl ReadArray<'a, Self>,
                y: impl ReadArray<'a, Self>,
                table: impl ReadArray<'a, Self>,
                c: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::mixcp(m, species, t, y, table, c).kernel_named("mixcp-single")
            }
            fn mixenth<'a>(
                [m, species]: [usize; 2],
                t: impl ReadArray<'a, Self>,
                y: impl ReadArray<'a, Self>,
                table: impl ReadArray<'a, Self>,
                h: impl WriteArray<'a, Self>,
            ) -> Bound<'a> {
                $module::mixenth(m, species, t, y, table, h).kernel_named("mixenth-single")
            }
        }
    )*};
}

of_precision! {
    /// In single precision.
    in_f32: f32;
    /// In double precision.
    in_f64: f64;
}

/// Row `by` of the 16 x 16 blocks of a frame of n x n: for each block dy, dx and SAD of the place in the other frame, at most
/// 8 away and inside of the frame, where the sum of absolute differences is least.
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
                // Of equal ones the first, so that of the smallest (dy, dx), stays.
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
