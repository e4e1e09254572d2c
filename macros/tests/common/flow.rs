//! Labels of loops, assignments of tuples and of whole local arrays, loops over the elements of arrays, and rows of computed
//! lengths.

use apportion::kernel::Kernel;

crate::both! {
    /// The first pair of factors from 2 on, by a jump out of two loops.
    pub fn factors(i: usize, n: u32, x: &[u32], y: &mut [u32]) {
        let mut found = 0;
        'search: for a in 2..n {
            for b in a..n {
                if a * b == x[i] {
                    found = a * n + b;
                    break 'search;
                }
                if a * b > x[i] {
                    continue 'search;
                }
            }
            found += 1;
        }
        y[i] = found;
    }

    /// Jumps from three loops of every kind to each of them, and what must not run after a jump.
    pub fn jumps(i: usize, n: usize, x: &[u32], y: &mut [u32]) {
        let mut s = x[i] & 0xff_ffff;
        let mut k = 0;
        'outer: while k < n {
            k += 1;
            'middle: for j in (0..n).rev().step_by(2) {
                for l in (0..n).rev() {
                    s = (s * 5 + (j * 3 + l) as u32) & 0xff_ffff;
                    match s % 11 {
                        0 => break 'outer,
                        1 => continue 'outer,
                        2 => break 'middle,
                        3 => continue 'middle,
                        4 => break,
                        5 => continue,
                        _ => s ^= 9,
                    }
                    s += 7;
                }
                if s % 13 == 0 {
                    continue 'outer;
                }
                s = (s * 3 + 1) & 0xff_ffff;
            }
            s += 100;
        }
        y[i] = s;
    }

    /// Loops that end early, behind comparisons of their variable by which the host runs them in parts.
    pub fn ends(i: usize, m: usize, x: &[u32], y: &mut [u32]) {
        for j in 0..m {
            let v = if j >= 2 && j + 2 < m { x[i * m + j] } else { 7 };
            if x[i * m + j] % 7 == 1 {
                break;
            }
            y[i * m + j] = v;
        }
    }

    /// The same at once, and by labels.
    pub fn parts(i: usize, m: usize, x: &[u32], y: &mut [u32]) {
        let mut s = 0;
        for j in 0..m {
            if j < 2 {
                s += x[i * m + j] & 15;
                break;
            }
            s += 100 + (x[i * m + j] & 15);
        }
        'turns: for k in 0..3u32 {
            for j in 0..m {
                if j >= 3 {
                    s += x[i * m + j] & 15;
                }
                match (x[i * m + j] + k) % 40 {
                    0 => break 'turns,
                    1..=5 => continue 'turns,
                    _ => s += 1000,
                }
            }
            s += 100_000;
        }
        y[i] = s;
    }

    /// A name of the user's that generated code has too.
    pub fn listed(i: usize, x: &[u32], y: &mut [u32]) {
        let ap_list = [10, 20];
        let mut s = x[i] % 7;
        for v in [1, 2] {
            s += ap_list[0] * v + ap_list[v as usize - 1];
        }
        y[i] = s;
    }

    /// The label of the nearest loop counts, and a value may end in a jump.
    #[allow(unused_labels)]
    pub fn nearest(i: usize, n: usize, x: &[u32], y: &mut [u32]) {
        let mut s = 0;
        'a: for j in 0..n {
            for k in j..=n {
                let v = if (x[i] + j as u32) % 3 == 0 {
                    continue 'a;
                } else {
                    x[i] >> k
                };
                s += v;
            }
            s += 10;
        }
        'a: for j in 0..n {
            'b: for k in 0..n {
                if (j + k) as u32 > x[i] % 9 {
                    break 'a;
                }
                s += 1;
            }
            s += 1000;
        }
        y[i] = s;
    }

    /// Whole columns are skipped: the loop over them would be shared without the jump.
    pub fn skipped(i: usize, m: usize, n: usize, a: &[f32], y: &mut [f32]) {
        'columns: for j in 0..m {
            let mut s = 0.0;
            for k in 0..n {
                if a[i * n + k] * j as f32 > 25.0 {
                    continue 'columns;
                }
                if a[i * n + k] * (j as f32) < -26.0 {
                    break 'columns;
                }
                s += a[i * n + k] * j as f32;
            }
            y[i * m + j] = s;
        }
    }

    /// The part of a row's convolution where the kernel lies inside: rows of a length that is computed.
    pub fn valid(i: usize, w: usize, k: usize, c: &[f32], x: &[f32], y: &mut [f32]) {
        for j in 0..w - k + 1 {
            let mut s = 0.0;
            for l in 0..k {
                s += c[l] * x[i * w + j + l];
            }
            y[i * (w - k + 1) + j] = s;
        }
    }

    /// Reads and writes rows of such a length, at the end of a row after the own ones.
    pub fn valid_last(i: usize, w: usize, k: usize, x: &[f32], y: &mut [f32]) {
        let columns = w - k + 1;
        y[(i + 1) * columns] += x[i * columns + columns - 1];
        if i % 3 == 0 {
            y[(i + 1) * columns + k] = 2.0 * x[i * columns + k];
        }
    }

    /// Writes the first element of such rows alone.
    pub fn valid_first(i: usize, w: usize, k: usize, y: &mut [f32]) {
        y[i * (w - k + 1)] += 1.0;
    }

    /// Images whose sizes are a product of two such lengths.
    pub fn valid_image(i: usize, h: usize, w: usize, k: usize, y: &mut [f32]) {
        let (rows, columns) = (h - k + 1, w - k + 1);
        for at in 0..rows * columns {
            y[i * (rows * columns) + at] = (i + at) as f32;
        }
    }

    /// Whole arrays, short and long ones: values, lists and copies, which do not change with what they are copied from.
    pub fn arrays(i: usize, x: &[u32], y: &mut [u32]) {
        let mut w = [x[i]; 4];
        let v = w;
        w = [1, w[0] & 255, v[1] & 15, w[2] & 7];
        w = [w[3], w[2], w[1], w[0]];
        let mut long = [3; 40];
        for k in 0..40 {
            long[k] = k as u32 + w[k % 4];
        }
        let mut other = long;
        long = [w[2]; 40];
        long[7] += 1;
        other[9] = 4;
        let mut sum = v[2] & 1023;
        for k in 0..40 {
            sum += long[k] * 3 + other[k];
        }
        other = long;
        w = [9; 4];
        y[i] = sum + other[7] + other[39] + w[3];
    }

    /// Elements of lists and arrays in turn; a loop goes over what an array had before.
    pub fn elements(i: usize, x: &[f32], at: &[u32], y: &mut [f32]) {
        let mut w = [x[i], 2.0, x[i] * x[i]];
        let mut s = 0.0;
        for weight in [0.25, 0.5, x[i]] {
            s = s * 3.0 + weight;
        }
        'values: for v in w {
            w = [v; 3];
            for k in [2u32, 7, 9] {
                if k == at[i] {
                    continue 'values;
                }
            }
            s += v + w[1];
        }
        for _ in [0; 20] {
            s *= 0.5;
        }
        y[i] = s;
    }

    /// Elements at known distances.
    pub fn distances(i: usize, x: &[f32], y: &mut [f32]) {
        for d in [0, 2, 1usize] {
            y[i * 3 + d] = x[i + d] - x[i + 2 - d];
        }
        for d in [-1i64, 3] {
            y[i * 3] += x[(i as i64 + d + 1) as usize];
        }
    }

    /// Lifetimes may be written.
    pub fn borrowed<'a, 'b: 'a>(i: usize, x: &'a [f32], y: &'b mut [f32]) where 'b: 'a {
        y[i] = 2.0 * x[i];
    }

    /// Fibonacci numbers, wrapping.
    pub fn fibonacci(i: usize, y: &mut [u64]) {
        let (mut a, mut b) = (0u64, 1u64);
        for _ in 0..i % 150 {
            (a, b) = (b, a.wrapping_add(b));
        }
        y[i] = a;
    }

    /// Values before places, places in their order, and elements that change places.
    pub fn ordered(i: usize, x: &[u32], y: &mut [u32]) {
        let mut w = [x[i], 2, 3, 4];
        let mut k = 1;
        w[k] += 1;
        (k, w[k], _) = (w[1] as usize, 7, w[3]);
        (w[k], w[0]) = (w[0], w[k]);
        (w[1], w[1]) = (w[1] + 10, w[1] + 20);
        ((k), w[3]) = (if k > 1 { k - 1 } else { k }, match x[i] % 3 {
            0 => 5,
            v => {
                let twice = v + v;
                twice + w[1]
            }
        });
        (y[2 * i], y[2 * i + 1]) = (y[2 * i + 1], y[2 * i]);
        (y[2 * i], _) = (y[2 * i] ^ w[0] + 3 * w[1] + 5 * w[2] + 7 * w[3], k);
    }
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<(Kernel, &'static str)> {
    macro_rules! list {
        ($($name:ident)*) => { vec![$(($name::kernel(), $name::cuda_source())),*] };
    }
    list!(factors jumps ends parts listed nearest skipped fibonacci ordered valid valid_last valid_first valid_image arrays elements distances borrowed)
}

#[apportion::kernel(T = f32 | f64)]
pub fn borrowed_any<'a, T>(i: usize, x: &'a [T], y: &mut [T]) {
    let by: T = 3.0;
    let w = [x[i], x[i]];
    y[i] = weighed::<T>(&w, by);
}

#[apportion::kernel(helper, T = f32 | f64)]
pub fn weighed<'w, T>(w: &'w [T; 2], by: T) -> T {
    w[0] + by * w[1]
}
