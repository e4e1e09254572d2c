//! matvec: `y[i] = sum over j of A[i][j] * x[j]`.

use crate::real::Real;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Instance, Sizes, by_element, memory, random, rayon_piece, simd};
use apportion::error::{Error, Result};
use apportion::kernel::{Bound, Cost, DeviceSource, ElementType, Grid, In, Kernel, Out, Scalar};
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "matvec",
    summary: "y = A x for a square matrix: every element of A is read once",
    sizes: Sizes { small: 1024, medium: 8192, paper: 48_000 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed| by_element!(element, Matvec)(n, seed),
};

/// Work-items that share a row.
const GROUP: usize = 64;

struct Matvec<T> {
    kernel: Kernel,
    n: usize,
    a: Vec<T>,
    x: Vec<T>,
    y: Vec<T>,
    expected: Vec<f64>,
}

/// The dot products of `ROWS` rows with `x`, which is then loaded once for all of them.
#[inline(always)]
fn dot_rows<T: Real, const ROWS: usize, const LANES: usize, const FMA: bool>(a: &[T], x: &[T], y: &mut [T]) {
    let n = x.len();
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let rows: [(&[[T; LANES]], &[T]); ROWS] = std::array::from_fn(|r| a[r * n..][..n].as_chunks::<LANES>());
    let rows_chunks: [&[[T; LANES]]; ROWS] = rows.map(|(chunks, _)| &chunks[..x_chunks.len()]);
    let mut lanes = [[T::default(); LANES]; ROWS];
    for (c, x) in x_chunks.iter().enumerate() {
        for r in 0..ROWS {
            let a = &rows_chunks[r][c];
            for j in 0..LANES {
                lanes[r][j] = if FMA { a[j].fma(x[j], lanes[r][j]) } else { a[j] * x[j] + lanes[r][j] };
            }
        }
    }
    for r in 0..ROWS {
        // In f64: it is once a row, and the lanes' own rounding errors are all that is left.
        let tail: f64 = rows[r].1.iter().zip(x_rest).map(|(a, x)| a.to_f64() * x.to_f64()).sum();
        y[r] = T::from_f64(lanes[r].iter().map(|lane| lane.to_f64()).sum::<f64>() + tail);
    }
}

simd! {
    /// `y = A x` for as many rows as `y` has.
    fn matvec<T: Real>(a: &[T], x: &[T], y: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let n = x.len();
        let mut row = 0;
        while row + 4 <= y.len() {
            dot_rows::<T, 4, 32, FMA>(&a[row * n..], x, &mut y[row..]);
            row += 4;
        }
        while row < y.len() {
            dot_rows::<T, 1, 64, FMA>(&a[row * n..], x, &mut y[row..]);
            row += 1;
        }
    }
}

/// One row, in f64.
fn reference<T: Real>(row: &[T], x: &[T]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a.to_f64() * x.to_f64()).sum()
}

fn kernel<T: Real>(n: usize) -> Kernel {
    let bytes = size_of::<T>();
    Kernel::new("matvec")
        .host(|range: Range<usize>, n: i64, a: In<T>, x: In<T>, mut y: Out<T>| {
            let n = n as usize;
            let rows = a.slice(range.start * n..range.end * n);
            matvec(rows, x.as_slice(), y.slice_mut(range));
        })
        .opencl_source(
            DeviceSource::new(
                include_str!("kernel.cl"),
                "matvec",
                Grid::new([GROUP, 1, 1], |rows| [rows * GROUP, 1, 1]),
            )
            .options(format!("{} -DGROUP={GROUP}", T::OPENCL_OPTIONS)),
        )
        // x has n elements for n rows: one a row.
        .cost(Cost::per_iteration().flops(2 * n).loads((n + 1) * bytes).stores(bytes).precision(T::PRECISION))
}

impl<T: Real> Matvec<T> {
    fn boxed(n: usize, seed: u64) -> Result<Box<dyn Instance>> {
        if n == 0 {
            return Err(Error::call("workload `matvec` needs n of at least 1, not 0"));
        }
        let elements = n.checked_mul(n).and_then(|a| a.checked_add(2 * n));
        memory::require(ENTRY.name, n, elements.and_then(|e| e.checked_mul(size_of::<T>())))?;
        let (mut a, mut x) = (memory::zeroed(n * n), memory::zeroed(n));
        random::fill(&mut a, seed, 0);
        random::fill(&mut x, seed, 1);
        Ok(Box::new(Self { kernel: kernel::<T>(n), n, a, x, y: vec![T::NAN; n], expected: Vec::new() }))
    }
}

impl<T: Real> Instance for Matvec<T> {
    fn name(&self) -> &'static str {
        ENTRY.name
    }
    fn n(&self) -> usize {
        self.n
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn iterations(&self) -> u64 {
        self.n as u64
    }
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    fn bind(&mut self) -> Bound<'_> {
        let bound = self.kernel.bind().scalar(self.n as i64).to(&self.a).named("A").align_rows(self.n);
        bound.to(&self.x).named("x").full().from(&mut self.y).named("y").align()
    }
    fn reset(&mut self) {
        self.y.fill(T::NAN);
    }
    fn verify(&mut self, _: Option<Scalar>) -> Verification {
        if self.expected.is_empty() {
            self.expected = self.a.par_chunks(self.n).map(|row| reference(row, &self.x)).collect();
        }
        let mut comparison = Comparison::new("y", 1);
        for (i, (y, &expected)) in self.y.iter().zip(&self.expected).enumerate() {
            comparison.add(i, y.to_f64(), expected);
        }
        comparison.finish(T::tolerance(1e-5, 1e-12))
    }
    fn bytes(&self) -> usize {
        size_of::<T>() * (self.n * self.n + 2 * self.n)
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        let piece = rayon_piece(self.n);
        let rows = self.a.par_chunks(piece * self.n);
        self.y.par_chunks_mut(piece).zip(rows).for_each(|(y, a)| matvec(a, &self.x, y));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_a_dot_product() {
        assert_eq!(reference(&[1.0f32, 2.0, 3.0], &[4.0, -5.0, 6.0]), 12.0);
    }

    #[test]
    fn every_number_of_rows_and_columns_is_right() {
        for n in [1usize, 2, 31, 32, 33, 64, 70] {
            for rows in 0..6 {
                let a: Vec<f32> = (0..rows * n).map(|i| (i % 7) as f32 - 3.0).collect();
                let x: Vec<f32> = (0..n).map(|i| (i % 5) as f32 - 2.0).collect();
                let mut y = vec![f32::NAN; rows];
                matvec(&a, &x, &mut y);
                let expected: Vec<f32> = a.chunks(n).map(|row| reference(row, &x) as f32).collect();
                assert_eq!(y, expected, "{rows} rows of {n}");
            }
        }
    }
}
