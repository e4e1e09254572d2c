//! matvec: `y[i] = sum over j of A[i][j] * x[j]`.

use crate::outline::{Outline, outline_by_element, square};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, by_element, memory, random, rayon_piece, simd};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::{Error, Result};
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Out, Scalar};
use apportion::region::{DataRegion, Dims};
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "matvec",
    summary: "y = A x for a square matrix: every element of A is read once",
    sizes: Sizes { small: 1024, medium: 8192, paper: 48_000 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed, memory| by_element!(element, Matvec)(n, seed, memory),
    outline: outline_by_element!(outline),
    single: outline_by_element!(single),
};

/// Work-items that share a row.
const GROUP: usize = 64;

struct Matvec<T> {
    kernel: Kernel,
    n: usize,
    a: HostVec<T>,
    x: HostVec<T>,
    y: HostVec<T>,
    expected: Vec<f64>,
}

/// `sums += a * x`.
#[inline(always)]
fn add_products<T: Real, const LANES: usize, const FMA: bool>(sums: &mut [T; LANES], a: &[T; LANES], x: &[T; LANES]) {
    for j in 0..LANES {
        sums[j] = if FMA { a[j].fma(x[j], sums[j]) } else { a[j] * x[j] + sums[j] };
    }
}

/// The sum of all lanes, and of the products that did not fill a vector.
#[inline(always)]
fn total<T: Real, const LANES: usize>(sums: [T; LANES], a: &[T], x: &[T]) -> T {
    // The black box makes the compiler store the lanes to memory once a row and keep them in whole registers within the loop. If
    // it sees this sum, it shuffles pairs of lanes in every step, at half the speed.
    let mut sums = std::hint::black_box(sums);
    let mut half = LANES / 2;
    while half > 0 {
        for j in 0..half {
            let upper = sums[j + half];
            sums[j] += upper;
        }
        half /= 2;
    }
    T::from_f64(sums[0].to_f64() + reference(a, x))
}

/// `y = A x`, four rows at a time, so that x is loaded once for all of them.
#[inline(always)]
fn rows_times_vector<T: Real, const LANES: usize, const FMA: bool>(a: &[T], x: &[T], y: &mut [T]) {
    let n = x.len();
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (fours, rest) = y.as_chunks_mut::<4>();
    let rows_rest = &a[4 * n * fours.len()..];
    for (y, a) in fours.iter_mut().zip(a.chunks_exact(4 * n)) {
        let row = |r: usize| a[r * n..][..n].as_chunks::<LANES>();
        let ((a0, rest0), (a1, rest1), (a2, rest2), (a3, rest3)) = (row(0), row(1), row(2), row(3));
        let (mut s0, mut s1, mut s2, mut s3) =
            ([T::default(); LANES], [T::default(); LANES], [T::default(); LANES], [T::default(); LANES]);
        for ((((x, a0), a1), a2), a3) in xs.iter().zip(a0).zip(a1).zip(a2).zip(a3) {
            add_products::<T, LANES, FMA>(&mut s0, a0, x);
            add_products::<T, LANES, FMA>(&mut s1, a1, x);
            add_products::<T, LANES, FMA>(&mut s2, a2, x);
            add_products::<T, LANES, FMA>(&mut s3, a3, x);
        }
        *y = [total(s0, rest0, x_rest), total(s1, rest1, x_rest), total(s2, rest2, x_rest), total(s3, rest3, x_rest)];
    }
    for (y, a) in rest.iter_mut().zip(rows_rest.chunks_exact(n)) {
        let (chunks, a_rest) = a.as_chunks::<LANES>();
        let mut sums = [T::default(); LANES];
        for (a, x) in chunks.iter().zip(xs) {
            add_products::<T, LANES, FMA>(&mut sums, a, x);
        }
        *y = total(sums, a_rest, x_rest);
    }
}

simd! {
    /// `y = A x` for as many rows as `y` has.
    fn matvec<T: Real>(a: &[T], x: &[T], y: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        // 64 bytes of sums per row: all of them fit into registers of any width.
        if size_of::<T>() == 4 {
            rows_times_vector::<T, 16, FMA>(a, x, y);
        } else {
            rows_times_vector::<T, 8, FMA>(a, x, y);
        }
    }
}

/// One row, in f64.
fn reference<T: Real>(row: &[T], x: &[T]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a.to_f64() * x.to_f64()).sum()
}

fn kernel<T: Real>(n: usize) -> Kernel {
    let bytes = size_of::<T>();
    // Threads that share a row in `kernel.cu`.
    const CUDA_GROUP: usize = 512;
    Kernel::new("matvec")
        .host(|range: Range<usize>, n: i64, a: In<T>, x: In<T>, mut y: Out<T>| {
            let n = n as usize;
            let rows = a.slice(range.start * n..range.end * n);
            matvec(rows, x.as_slice(), y.slice_mut(range));
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), "matvec", Grid::new([GROUP, 1, 1], |rows| [rows * GROUP, 1, 1]))
                .options(format!("{} -DGROUP={GROUP}", T::OPENCL_OPTIONS)),
        )
        .cuda_source(
            own_source(
                include_str!("kernel.cu"),
                "matvec",
                Grid::new([CUDA_GROUP, 1, 1], |rows| [rows * CUDA_GROUP, 1, 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        // x has n elements for n rows: one a row.
        .cost(Cost::per_iteration().flops(2 * n).loads((n + 1) * bytes).stores(bytes).precision(T::PRECISION))
}

/// The kernel from one Rust function; what it states depends on the size alone.
fn single<T: Real>(n: usize) -> Kernel {
    single::matvec::<T>(n, &[], &[], &mut []).kernel().clone()
}

fn outline<T: Real>(n: usize) -> Result<Outline> {
    square(ENTRY.name, n)?;
    let outline = Outline::new(ENTRY.name, n, n, kernel::<T>(n)).rows(Direction::To, T::TYPE, n);
    Ok(outline.full(T::TYPE, n).rows(Direction::From, T::TYPE, 1))
}

impl<T: Real> Matvec<T> {
    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        if n == 0 {
            return Err(Error::call("workload `matvec` needs n of at least 1, not 0"));
        }
        let elements = n.checked_mul(n).and_then(|a| a.checked_add(2 * n));
        memory::require(ENTRY.name, n, elements.and_then(|e| e.checked_mul(size_of::<T>())))?;
        let (mut a, mut x) = (memory::zeroed(ENTRY.name, n, n * n, memory)?, memory::zeroed(ENTRY.name, n, n, memory)?);
        random::fill(&mut a, seed, 0);
        random::fill(&mut x, seed, 1);
        let y = memory::poisoned(ENTRY.name, n, n, memory, T::NAN)?;
        Ok(Box::new(Self { kernel: kernel::<T>(n), n, a, x, y, expected: Vec::new() }))
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
    fn bind_single(&mut self) -> Bound<'_> {
        single::matvec(self.n, &self.a, &self.x, &mut self.y)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, kernel) = (self.n, &self.kernel);
        let (a, x) = (region.to(&self.a, [n, n].named("A")), region.to(&self.x, [n].full().named("x")));
        let y = region.from(&mut self.y, [n].named("y"));
        Resident::new(0..n as u64, move |form| match form {
            Form::Hand => kernel.bind().scalar(n as i64).reads(a).reads(x).writes(y),
            Form::Single => single::matvec(n, a, x, y),
        })
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
    fn is_page_locked(&self) -> bool {
        self.a.is_page_locked() && self.x.is_page_locked() && self.y.is_page_locked()
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
