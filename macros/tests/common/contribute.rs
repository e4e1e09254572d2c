//! Kernels whose iterations contribute to whole arrays, in every form and with every operator.
#![allow(missing_docs)]

use apportion::kernel::Kernel;
use apportion::prelude::*;

macro_rules! by_every_operator {
    ($module:ident, $ty:ident $(, $and:ident $or:ident)?) => {
        pub mod $module {
            use apportion::prelude::*;

            #[kernel]
            #[map(h: reduce(Sum))]
            pub fn sum(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                h[at[i] as usize] += x[i];
            }

            #[kernel]
            #[map(h: reduce(Product))]
            pub fn product(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                h[at[i] as usize] *= x[i];
            }

            #[kernel]
            #[map(h: reduce(Min))]
            pub fn least(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                h[at[i] as usize] = h[at[i] as usize].min(x[i]);
            }

            #[kernel]
            #[map(h: reduce(Max))]
            pub fn greatest(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                h[at[i] as usize] = x[i].max(h[at[i] as usize]);
            }

            $(
                #[kernel]
                #[map(h: reduce(And))]
                pub fn $and(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                    h[at[i] as usize] &= x[i];
                }

                #[kernel]
                #[map(h: reduce(Or))]
                pub fn $or(i: usize, at: &[u32], x: &[$ty], h: &mut [$ty]) {
                    h[at[i] as usize] = h[at[i] as usize] | x[i];
                }
            )?
        }
    };
}
by_every_operator!(of_f32, f32);
by_every_operator!(of_f64, f64);
by_every_operator!(of_i32, i32, both either);
by_every_operator!(of_u32, u32, both either);
by_every_operator!(of_i64, i64, both either);
by_every_operator!(of_u64, u64, both either);

/// Two arrays, one of them by differences, beside what an iteration writes and returns.
#[kernel]
#[map(counts: reduce(Sum), left: reduce(Sum))]
pub fn sorted(i: usize, bins: u32, x: &[u32], counts: &mut [u32], left: &mut [i64], y: &mut [u32]) -> u64 {
    let bin = x[i] % bins;
    y[i] = bin;
    if bin % 3 == 1 {
        return 0;
    }
    counts[bin as usize] += 1;
    left[0] -= x[i] as i64;
    left[(bin % 2) as usize + 1] = 2 + left[(bin % 2) as usize + 1];
    bin as u64
}

/// Columns: neighbours contribute to neighbouring elements.
#[kernel]
#[map(sums: reduce(Sum), most: reduce(Max))]
pub fn columns(i: usize, m: usize, x: &[f32], sums: &mut [f64], most: &mut [f32]) {
    for j in 0..m {
        sums[j] += x[i * m + j] as f64;
        most[j] = most[j].max(x[i * m + j]);
    }
}

/// Work-items share the loop; a single one runs what follows.
#[kernel]
#[map(h: reduce(Sum))]
pub fn rows(i: usize, m: usize, x: &[f32], y: &mut [f32], h: &mut [u32]) -> f64 {
    let mut sum = 0.0;
    for j in 0..m {
        sum += x[i * m + j];
        y[i * m + j] = 2.0 * x[i * m + j];
        if x[i * m + j] > 0.5 {
            h[2] += 1;
        }
    }
    let mut sign = 0;
    if sum > 0.0 {
        sign = 1;
        h[3] += 1;
    }
    h[sign] += 1;
    sum as f64
}

/// A nest of loops; statements beside the inner loop run once for each turn of the outer loop.
#[kernel]
#[map(h: reduce(Sum), most: reduce(Max))]
pub fn planes(i: usize, m: usize, l: usize, x: &[f32], y: &mut [f32], h: &mut [u32], most: &mut [f32]) {
    h[0] += 1;
    for j in 0..m {
        let w = 1.0 + j as f32;
        h[1] += 1;
        for k in 0..l {
            y[(i * m + j) * l + k] = w * x[(i * m + j) * l + k];
            if x[(i * m + j) * l + k] > 0.0 {
                h[2 + k % 3] += 1;
            }
            most[j] = most[j].max(x[(i * m + j) * l + k]);
        }
    }
}

/// All work-items run the outer loop and wait for a sum in each turn, and one of them contributes it.
#[kernel]
#[map(h: reduce(Sum))]
pub fn turns(i: usize, m: usize, turns: usize, x: &[f32], y: &mut [f32], h: &mut [u32]) {
    for t in 0..turns {
        let mut sum = 0.0;
        for j in 0..m {
            sum += x[i * m + j] * (t as f32 + 1.0);
        }
        let mut at = 0;
        if sum > 0.5 {
            at = 1;
            h[2] += t as u32;
        }
        h[at] += 1;
        for j in 0..m {
            y[i * m + j] = sum;
            h[3] += 1;
        }
    }
}

/// Sums of rows and of columns, in one loop.
#[kernel]
#[map(columns: reduce(Sum))]
pub fn margins(i: usize, m: usize, x: &[f32], rows: &mut [f32], columns: &mut [f32]) {
    let mut sum = 0.0;
    for j in 0..m {
        sum += x[i * m + j];
        columns[j] += x[i * m + j];
    }
    rows[i] = sum;
}

/// As [`margins`], with a separate sum in each turn.
#[kernel]
#[map(columns: reduce(Sum))]
pub fn nested_margins(i: usize, m: usize, l: usize, x: &[f32], rows: &mut [f32], columns: &mut [f32]) {
    for j in 0..m {
        let mut sum = 0.0;
        for k in 0..l {
            sum += x[(i * m + j) * l + k];
            columns[k] += x[(i * m + j) * l + k];
        }
        rows[i * m + j] = sum;
    }
}

/// Loops too short to be shared, which contribute at the loop variable.
#[kernel]
#[map(h: reduce(Sum))]
pub fn few(i: usize, x: &[u32], h: &mut [u32]) {
    for j in 0..3 {
        h[j] += x[3 * i + j];
    }
    let mut k = 0;
    while k < 2 {
        for j in 0..3 {
            h[3 + j] += x[3 * i + j] >> k;
        }
        k += 1;
    }
}

/// As [`few`], with two indices.
#[kernel(i, j)]
#[map(h: reduce(Max))]
pub fn few_of_two(i: usize, j: usize, m: usize, x: &[u32], h: &mut [u32]) {
    for k in 0..4 {
        h[k] = h[k].max(x[i * m + j] >> k);
    }
}

/// One element for each iteration; the index is compared with the array's length before the loop.
#[kernel]
#[map(h: reduce(Sum))]
pub fn own(i: usize, x: &[f32], h: &mut [f32]) {
    h[i] += x[i];
}

/// Two indices.
#[kernel(i, j)]
#[map(h: reduce(Sum))]
pub fn image(i: usize, j: usize, m: usize, x: &[u32], y: &mut [u32], h: &mut [u32]) {
    y[i * m + j] = x[i * m + j] + 1;
    h[(x[i * m + j] % 16) as usize] += 1;
}

/// All these kernels.
#[allow(dead_code)]
pub fn all() -> Vec<Kernel> {
    macro_rules! list {
        ($($module:ident: $($name:ident)*;)*) => { vec![$($($module::$name::kernel()),*),*] };
    }
    let mut list = list! {
        of_f32: sum product least greatest;
        of_f64: sum product least greatest;
        of_i32: sum product least greatest both either;
        of_u32: sum product least greatest both either;
        of_i64: sum product least greatest both either;
        of_u64: sum product least greatest both either;
    };
    list.extend([
        sorted::kernel(),
        columns::kernel(),
        rows::kernel(),
        planes::kernel(),
        turns::kernel(),
        margins::kernel(),
        nested_margins::kernel(),
        few::kernel(),
        few_of_two::kernel(),
        own::kernel(),
        image::kernel(),
    ]);
    list
}
