//! The loops by hand: what one writes over slices without a library, by somebody who knows what hinders vectors.
//!
//! They are inlined where they are called, so that each is compiled for the program's own instructions and, as kernels are,
//! for those of the processor at hand.

/// `y[i] += a * x[i]`.
macro_rules! hand_loops {
    ($module:ident: $t:ident) => {
        pub mod $module {
            #[inline(always)]
            pub fn axpy(a: $t, x: &[$t], y: &mut [$t]) {
                for (y, x) in y.iter_mut().zip(x) {
                    *y += a * x;
                }
            }

            /// In as many sums as a vector or two have places: one sum waits for itself.
            #[inline(always)]
            pub fn sum(x: &[$t]) -> f64 {
                let mut lanes = [0f64; 16];
                let (chunks, rest) = x.as_chunks::<16>();
                for chunk in chunks {
                    for k in 0..16 {
                        lanes[k] += f64::from(chunk[k]);
                    }
                }
                let whole = lanes.into_iter().fold(0.0, |sum, lane| sum + lane);
                rest.iter().fold(whole, |sum, &x| sum + f64::from(x))
            }

            #[inline(always)]
            pub fn matvec(n: usize, a: &[$t], x: &[$t], y: &mut [$t]) {
                for (y, row) in y.iter_mut().zip(a.chunks_exact(n)) {
                    let mut s = 0.0;
                    for (a, x) in row.iter().zip(x) {
                        s += a * x;
                    }
                    *y = s;
                }
            }

            /// With 16 sums beside one another, which are put together by halves.
            #[inline(always)]
            pub fn matvec_reordered(n: usize, a: &[$t], x: &[$t], y: &mut [$t]) {
                for (y, row) in y.iter_mut().zip(a.chunks_exact(n)) {
                    let mut lanes = [0.0; 16];
                    let ((a, a_rest), (x, x_rest)) = (row.as_chunks::<16>(), x.as_chunks::<16>());
                    for (a, x) in a.iter().zip(x) {
                        for k in 0..16 {
                            lanes[k] += a[k] * x[k];
                        }
                    }
                    for half in [8, 4, 2, 1] {
                        for k in 0..half {
                            lanes[k] += lanes[k + half];
                        }
                    }
                    *y = a_rest.iter().zip(x_rest).fold(lanes[0], |s, (a, x)| s + a * x);
                }
            }

            #[inline(always)]
            pub fn matmul(n: usize, a: &[$t], b: &[$t], c: &mut [$t]) {
                for (a, c) in a.chunks_exact(n).zip(c.chunks_exact_mut(n)) {
                    for (j, c) in c.iter_mut().enumerate() {
                        let mut s = 0.0;
                        for (a, b) in a.iter().zip(b[j..].iter().step_by(n)) {
                            s += a * b;
                        }
                        *c = s;
                    }
                }
            }

            #[inline(always)]
            pub fn stencil2d(n: usize, [c0, c1, c2, c3]: [$t; 4], input: &[$t], output: &mut [$t]) {
                for (i, out) in output.chunks_exact_mut(n).enumerate() {
                    let row = |i: usize| &input[i * n..][..n];
                    let here = row(i);
                    if i < 3 || i + 3 >= n {
                        out.copy_from_slice(here);
                        continue;
                    }
                    let (n1, n2, n3) = (row(i - 1), row(i - 2), row(i - 3));
                    let (s1, s2, s3) = (row(i + 1), row(i + 2), row(i + 3));
                    out[..3].copy_from_slice(&here[..3]);
                    for j in 3..n - 3 {
                        let near = (here[j - 1] + here[j + 1]) + (n1[j] + s1[j]);
                        let middle = (here[j - 2] + here[j + 2]) + (n2[j] + s2[j]);
                        let far = (here[j - 3] + here[j + 3]) + (n3[j] + s3[j]);
                        out[j] = c0 * here[j] + c1 * near + c2 * middle + c3 * far;
                    }
                    out[n - 3..].copy_from_slice(&here[n - 3..]);
                }
            }
        }
    };
}
hand_loops!(in_f32: f32);
hand_loops!(in_f64: f64);

/// Block matching, as `kernels/src/bm2d` says.
#[inline(always)]
pub fn bm2d(n: usize, current: &[u8], reference: &[u8], result: &mut [i32]) {
    for by in 0..n / 16 {
        for bx in 0..n / 16 {
            let mut best = [0, 0, i32::MAX];
            for y in (by * 16).saturating_sub(8)..=(by * 16 + 8).min(n - 16) {
                for x in (bx * 16).saturating_sub(8)..=(bx * 16 + 8).min(n - 16) {
                    let mut sad = 0;
                    for r in 0..16 {
                        let ours = &current[(by * 16 + r) * n + bx * 16..][..16];
                        let theirs = &reference[(y + r) * n + x..][..16];
                        sad += ours.iter().zip(theirs).map(|(a, b)| i32::from(a.abs_diff(*b))).sum::<i32>();
                    }
                    if sad < best[2] {
                        best = [y as i32 - (by * 16) as i32, x as i32 - (bx * 16) as i32, sad];
                    }
                }
            }
            result[(by * (n / 16) + bx) * 3..][..3].copy_from_slice(&best);
        }
    }
}
