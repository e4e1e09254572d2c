//! What the built-in kernels compute.

use super::{Array, Element, Run};
use crate::codes::Outcome;
use std::ops::{Add, Mul};

/// A real number of a kernel.
pub trait Real: Element + Default + Into<f64> + Add<Output = Self> + Mul<Output = Self> {}
impl Real for f32 {}
impl Real for f64 {}

/// `y[i] += a * x[i]`
pub fn axpy<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi, a) = (run.long(), run.long(), run.scalar::<T>());
    let (x, y) = (run.array::<T>(), run.array::<T>());
    for i in lo..hi {
        let value = run.get(&y, i)? + a * run.get(&x, i)?;
        run.set(&y, i, value)?;
    }
    Ok(())
}

/// `y[i] = a * x[i]`
pub fn scale<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi, a) = (run.long(), run.long(), run.scalar::<T>());
    let (x, y) = (run.array::<T>(), run.array::<T>());
    for i in lo..hi {
        let value = a * run.get(&x, i)?;
        run.set(&y, i, value)?;
    }
    Ok(())
}

/// `partial[block] = sum of the block's x`, in double. A block without elements writes a zero.
pub fn sum<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi) = (run.long(), run.long());
    let (x, partial) = (run.array::<T>(), run.partials::<f64>());
    let span = ((hi - lo).max(0) as u64).div_ceil(run.blocks as u64) as i64;
    for block in 0..run.blocks {
        let first = hi.min(lo + block * span);
        let mut total = 0.0;
        for i in first..hi.min(first + span) {
            total += run.get(&x, i)?.into();
        }
        run.set(&partial, block, total)?;
    }
    Ok(())
}

/// `y[i] = sum of a[i][j] * x[j]`
pub fn matvec<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi, n) = (run.long(), run.long(), run.long());
    let (a, x, y) = (run.array::<T>(), run.array::<T>(), run.array::<T>());
    for i in lo..hi {
        let mut total = T::default();
        for j in 0..n {
            total = total + run.get(&a, i * n + j)? * run.get(&x, j)?;
        }
        run.set(&y, i, total)?;
    }
    Ok(())
}

/// A star of radius 3; cells within 3 of the edge are copied.
pub fn stencil2d<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi, n) = (run.long(), run.long(), run.long());
    let c: [T; 4] = std::array::from_fn(|_| run.scalar());
    let (from, to) = (run.array::<T>(), run.array::<T>());
    for i in lo..hi {
        for j in 0..n {
            let at = i * n + j;
            let mut value = run.get(&from, at)?;
            if i >= 3 && i + 3 < n && j >= 3 && j + 3 < n {
                value = c[0] * value;
                for (d, c) in (1..).zip(&c[1..]) {
                    let beside = run.get(&from, at - d)? + run.get(&from, at + d)?;
                    let above = run.get(&from, at - d * n)? + run.get(&from, at + d * n)?;
                    value = value + *c * (beside + above);
                }
            }
            run.set(&to, at, value)?;
        }
    }
    Ok(())
}

/// For each block of 16 x 16, the shift of at most 8 with the least sum of absolute differences: `dy, dx, sum`.
pub fn bm2d(run: &mut Run) -> Outcome {
    const SIDE: i64 = 16;
    const RADIUS: i64 = 8;
    let (lo, hi, n) = (run.long(), run.long(), run.long());
    let (current, reference, result) = (run.array::<u8>(), run.array::<u8>(), run.array::<i32>());
    for (by, bx) in (lo..hi).flat_map(|by| (0..n / SIDE).map(move |bx| (by, bx))) {
        // Ties go to the smallest (dy, dx): the order of the search.
        let mut best = (i32::MAX, 0, 0);
        for (dy, dx) in (-RADIUS..=RADIUS).flat_map(|dy| (-RADIUS..=RADIUS).map(move |dx| (dy, dx))) {
            let (y0, x0) = (by * SIDE + dy, bx * SIDE + dx);
            if y0 < 0 || x0 < 0 || y0 + SIDE > n || x0 + SIDE > n {
                continue;
            }
            let mut sad = 0;
            for (r, c) in (0..SIDE).flat_map(|r| (0..SIDE).map(move |c| (r, c))) {
                let a = run.get(&current, (by * SIDE + r) * n + bx * SIDE + c)?;
                sad += i32::from(a.abs_diff(run.get(&reference, (y0 + r) * n + x0 + c)?));
            }
            if sad < best.0 {
                best = (sad, dy as i32, dx as i32);
            }
        }
        for (k, value) in (0..).zip([best.1, best.2, best.0]) {
            run.set(&result, (by * (n / SIDE) + bx) * 3 + k, value)?;
        }
    }
    Ok(())
}

/// `c[i][j] = sum of a[i][k] * b[k][j]`
pub fn matmul<T: Real>(run: &mut Run) -> Outcome {
    let (lo, hi, n) = (run.long(), run.long(), run.long());
    let (a, b, c) = (run.array::<T>(), run.array::<T>(), run.array::<T>());
    for i in lo..hi {
        for j in 0..n {
            let mut total = T::default();
            for k in 0..n {
                total = total + run.get(&a, i * n + k)? * run.get(&b, k * n + j)?;
            }
            run.set(&c, i * n + j, total)?;
        }
    }
    Ok(())
}

/// `y[i] = 3 * y[i] + x[i]`
pub fn triple_add(run: &mut Run) -> Outcome {
    let (lo, hi) = (run.long(), run.long());
    let (x, y) = (run.array::<u64>(), run.array::<u64>());
    for i in lo..hi {
        let value = run.get(&y, i)?.wrapping_mul(3).wrapping_add(run.get(&x, i)?);
        run.set(&y, i, value)?;
    }
    Ok(())
}

/// The sum of `x[i]` in block 0's partial result; the other blocks write zeros.
pub fn total(run: &mut Run) -> Outcome {
    let (lo, hi) = (run.long(), run.long());
    let (x, partial) = (run.array::<u64>(), run.partials::<u64>());
    let mut total = 0u64;
    for i in lo..hi {
        total = total.wrapping_add(run.get(&x, i)?);
    }
    for block in 0..run.blocks {
        run.set(&partial, block, if block == 0 { total } else { 0 })?;
    }
    Ok(())
}

/// Counts how often each remainder of `x[i]` occurs.
pub fn count(run: &mut Run) -> Outcome {
    let (lo, hi, bins) = (run.long(), run.long(), run.long());
    let (x, counts) = (run.array::<u64>(), run.array::<u64>());
    for i in lo..hi {
        let bin = (run.get(&x, i)? % bins.cast_unsigned()).cast_signed();
        let count = run.get(&counts, bin)?.wrapping_add(1);
        run.set(&counts, bin, count)?;
    }
    Ok(())
}

/// For each element the sum over the rows within `radius`, as far as they exist.
pub fn column_sums(run: &mut Run) -> Outcome {
    let (lo, hi) = (run.long(), run.long());
    let (rows, cols, radius) = (run.long(), run.long(), run.long());
    let (x, y) = (run.array::<i64>(), run.array::<i64>());
    for i in lo..hi {
        for j in 0..cols {
            let mut total = 0i64;
            for k in (i - radius).max(0)..(i + radius + 1).min(rows) {
                total = total.wrapping_add(run.get(&x, k * cols + j)?);
            }
            run.set(&y, i * cols + j, total)?;
        }
    }
    Ok(())
}

/// A combination of five neighbours, each with another weight, so that a wrong neighbour shows. Numbers wrap.
fn mixed(run: &mut Run, x: &Array<u64>, at: i64, row: i64) -> Outcome<u64> {
    let mut sum = 0u64;
    for (beside, weight) in [(0, 5), (-row, 3), (row, 7), (-1, 11), (1, 11u64.wrapping_neg())] {
        sum = sum.wrapping_add(run.get(x, at + beside)?.wrapping_mul(weight));
    }
    Ok(sum)
}

/// `y = 5 x + 3 above + 7 below + 11 (left - right)`; the first and last columns stay.
pub fn mix_rows(run: &mut Run) -> Outcome {
    let (lo, hi, columns) = (run.long(), run.long(), run.long());
    let (x, y) = (run.array::<u64>(), run.array::<u64>());
    for at in (lo..hi).flat_map(|i| (1..columns - 1).map(move |j| i * columns + j)) {
        let value = mixed(run, &x, at, columns)?;
        run.set(&y, at, value)?;
    }
    Ok(())
}

/// `y = 3 x + above`: needs the row before.
pub fn from_above(run: &mut Run) -> Outcome {
    let (lo, hi, columns) = (run.long(), run.long(), run.long());
    let (x, y) = (run.array::<u64>(), run.array::<u64>());
    for at in lo * columns..hi * columns {
        let value = run.get(&x, at)?.wrapping_mul(3).wrapping_add(run.get(&x, at - columns)?);
        run.set(&y, at, value)?;
    }
    Ok(())
}

/// `mix_rows` over rows and columns.
pub fn mix_cells(run: &mut Run) -> Outcome {
    let (lo, hi, first, end) = (run.long(), run.long(), run.long(), run.long());
    let (x, x_row) = (run.array::<u64>(), run.long());
    let (y, y_row) = (run.array::<u64>(), run.long());
    for (i, j) in (lo..hi).flat_map(|i| (first..end).map(move |j| (i, j))) {
        let value = mixed(run, &x, i * x_row + j, x_row)?;
        run.set(&y, i * y_row + j, value)?;
    }
    Ok(())
}

/// A box for each row of blocks: runs of `units` units of `unit` bytes, `all` units together, `inner` runs in a plane.
pub fn copy_boxes(run: &mut Run) -> Outcome {
    for _ in 0..run.rows {
        let (to, from) = (run.partials::<u8>(), run.partials::<u8>());
        let [unit, units, inner, all] = [(); 4].map(|()| run.long());
        let (to_strides, from_strides) = ([run.long(), run.long()], [run.long(), run.long()]);
        run.fetches(&to, &from, (all * unit).max(0) as u64);
        for at in 0..all * unit {
            let (in_run, number) = (at % (units * unit), at / (units * unit));
            let place = |[near, far]: [i64; 2]| number % inner * near + number / inner * far + in_run;
            let byte = run.get(&from, place(from_strides))?;
            run.set(&to, place(to_strides), byte)?;
        }
    }
    Ok(())
}
