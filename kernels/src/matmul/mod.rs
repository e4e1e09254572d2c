//! matmul: `C[i][:] = sum over k of A[i][k] * B[k][:]`, square matrices.

mod gemm;

use crate::outline::{Outline, outline_by_element, square};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, by_element, memory, random};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::{Error, Result};
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Out, Scalar};
use apportion::region::{DataRegion, Dims};
use gemm::Gemm;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "matmul",
    summary: "C = A B for square matrices: much arithmetic on each element",
    sizes: Sizes { small: 256, medium: 2048, paper: 6144 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed, memory| by_element!(element, Matmul)(n, seed, memory),
    outline: outline_by_element!(outline),
    single: outline_by_element!(single),
};

/// Rows and columns of C that a work-group of 16 x 16 computes.
const TILE: usize = 64;
const GROUP: usize = 16;
/// Up to this size every row is compared with the reference. Above it `ROWS_CHECKED` are, and all rows by `C v = A (B v)`.
const ALL_CHECKED: usize = 512;
const ROWS_CHECKED: usize = 64;

struct Matmul<T> {
    kernel: Kernel,
    n: usize,
    seed: u64,
    a: HostVec<T>,
    b: HostVec<T>,
    c: HostVec<T>,
    expected: Option<Expected>,
}

struct Expected {
    /// Rows of C, in f64.
    rows: Vec<(usize, Vec<f64>)>,
    /// A random vector v of -1 and 1, and A (B v) (Freivalds); `None` if all rows are compared.
    product: Option<(Vec<f64>, Vec<f64>)>,
}

/// One row of C, in f64.
fn reference<T: Real>(row: &[T], b: &[T]) -> Vec<f64> {
    let n = row.len();
    let mut c = vec![0f64; n];
    for (a, b) in row.iter().zip(b.chunks_exact(n)) {
        for (c, b) in c.iter_mut().zip(b) {
            *c += a.to_f64() * b.to_f64();
        }
    }
    c
}

/// A square matrix times a vector, in f64.
fn times_vector<T: Real>(matrix: &[T], v: &[f64]) -> Vec<f64> {
    let row = |row: &[T]| row.iter().zip(v).map(|(a, v)| a.to_f64() * v).sum();
    matrix.par_chunks(v.len()).map(row).collect()
}

fn expected<T: Real>(a: &[T], b: &[T], n: usize, seed: u64) -> Expected {
    let rows = if n <= ALL_CHECKED { (0..n).collect() } else { random::sample(n, ROWS_CHECKED, seed) };
    let rows: Vec<_> = rows.into_par_iter().map(|i| (i, reference(&a[i * n..][..n], b))).collect();
    let product = (rows.len() < n).then(|| {
        let mut generator = random::generator(seed, 2, 0);
        let v: Vec<f64> = (0..n).map(|_| if generator.next_u32() & 1 == 0 { 1.0 } else { -1.0 }).collect();
        let product = times_vector(a, &times_vector(b, &v));
        (v, product)
    });
    Expected { rows, product }
}

fn kernel<T: Gemm>(n: usize) -> Kernel {
    let bytes = size_of::<T>();
    let groups = |elements: usize| elements.div_ceil(TILE) * GROUP;
    Kernel::new("matmul")
        .host_whole_chunk(|rows: Range<usize>, n: i64, a: In<T>, b: In<T>, mut c: Out<T>| {
            let n = n as usize;
            let elements = rows.start * n..rows.end * n;
            gemm::multiply(n, n, a.slice(elements.clone()), b.as_slice(), c.slice_mut(elements));
        })
        .opencl_source(
            own_source(
                include_str!("kernel.cl"),
                "matmul",
                Grid::new([GROUP, GROUP, 1], move |rows| [groups(n), groups(rows), 1]),
            )
            .options(T::OPENCL_OPTIONS),
        )
        // Arguments 1, 2 and 3 are A, B and C; 0 is n.
        // cuBLAS works on tiles of 128 rows: one row more costs as much as 128.
        .tile(128)
        // Each thread packs its part of B anew.
        .host_setup(gemm::MORE_ROWS as u64)
        .cuda_call(move |call| {
            let m = call.chunk().len() as usize;
            call.gemm(apportion::kernel::Gemm { m, n, k: n, a: 1, b: 2, c: 3 })
        })
        // B has n * n elements for n rows: n a row.
        .cost(Cost::per_iteration().flops(2 * n * n).loads(2 * n * bytes).stores(n * bytes).precision(T::PRECISION))
}

/// The kernel from one Rust function; what it states depends on the size alone.
fn single<T: Gemm>(n: usize) -> Kernel {
    single::matmul::<T>(n, &[], &[], &mut []).kernel().clone()
}

fn outline<T: Gemm>(n: usize) -> Result<Outline> {
    let cells = square(ENTRY.name, n)?;
    let outline = Outline::new(ENTRY.name, n, n, kernel::<T>(n)).rows(Direction::To, T::TYPE, n);
    Ok(outline.full(T::TYPE, cells).rows(Direction::From, T::TYPE, n))
}

impl<T: Gemm> Matmul<T> {
    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        if n == 0 {
            return Err(Error::call("workload `matmul` needs n of at least 1, not 0"));
        }
        memory::require(ENTRY.name, n, n.checked_mul(n).and_then(|e| e.checked_mul(3 * size_of::<T>())))?;
        let zeroed = || memory::zeroed(ENTRY.name, n, n * n, memory);
        let (mut a, mut b, c) = (zeroed()?, zeroed()?, zeroed()?);
        random::fill(&mut a, seed, 0);
        random::fill(&mut b, seed, 1);
        let mut matmul = Self { kernel: kernel::<T>(n), n, seed, a, b, c, expected: None };
        matmul.reset();
        Ok(Box::new(matmul))
    }
}

impl<T: Gemm> Instance for Matmul<T> {
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
        bound.to(&self.b).named("B").full().from(&mut self.c).named("C").align_rows(self.n)
    }
    fn bind_single(&mut self) -> Bound<'_> {
        single::matmul(self.n, &self.a, &self.b, &mut self.c)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, kernel) = (self.n, &self.kernel);
        let (a, b) = (region.to(&self.a, [n, n].named("A")), region.to(&self.b, [n, n].full().named("B")));
        let c = region.from(&mut self.c, [n, n].named("C"));
        Resident::new(0..n as u64, move |form| match form {
            Form::Hand => kernel.bind().scalar(n as i64).reads(a).reads(b).writes(c),
            Form::Single => single::matmul(n, a, b, c),
        })
    }
    fn reset(&mut self) {
        memory::poison(&mut self.c, T::NAN);
    }
    fn verify(&mut self, _: Option<Scalar>) -> Verification {
        let (n, tolerance) = (self.n, T::tolerance(1e-5, 1e-12));
        let expected = self.expected.get_or_insert_with(|| expected(&self.a, &self.b, n, self.seed));
        let mut rows = Comparison::new("C", n);
        for (i, expected) in &expected.rows {
            for (j, (c, &expected)) in self.c[i * n..].iter().zip(expected).enumerate() {
                rows.add(i * n + j, c.to_f64(), expected);
            }
        }
        let rows = rows.finish(tolerance);
        let Some((v, expected)) = &expected.product else { return rows };
        let mut products = Comparison::new("(C v)", 1);
        for (i, (&got, &expected)) in times_vector(&self.c, v).iter().zip(expected).enumerate() {
            products.add(i, got, expected);
        }
        rows.and(products.finish(tolerance))
    }
    fn bytes(&self) -> usize {
        3 * size_of::<T>() * self.n * self.n
    }
    fn is_page_locked(&self) -> bool {
        self.a.is_page_locked() && self.b.is_page_locked() && self.c.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        gemm::multiply(self.n, self.n, &self.a, &self.b, &mut self.c);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_a_row_times_a_matrix() {
        let b = [1.0f32, 2.0, 3.0, 4.0];
        assert_eq!(reference(&[1.0, 10.0], &b), [31.0, 42.0]);
        assert_eq!(times_vector(&b, &[1.0, -1.0]), [-1.0, -1.0]);
    }

    #[test]
    fn where_rows_are_sampled_an_error_in_any_other_row_fails() {
        let n = ALL_CHECKED + 8;
        let mut matmul = Matmul::<f32>::boxed(n, 1, Memory::Plain).unwrap();
        matmul.run_rayon();
        assert!(matmul.verify(None).ok, "{}", matmul.verify(None));
        let sampled = random::sample(n, ROWS_CHECKED, 1);
        let row = (0..n).find(|row| !sampled.contains(row)).unwrap();
        for wrong in [f32::NAN, 1.0] {
            matmul.reset();
            matmul.run_rayon();
            let bound = matmul.bind();
            let map = bound.arguments().last().unwrap().array().unwrap();
            let apportion::data::HostMemory::Write(array) = &map.memory else { panic!("C is written") };
            let at = (row * n + 5) * 4;
            array.lend(at..at + 4).unwrap().copy_from_slice(&wrong.to_ne_bytes());
            drop(bound);
            let v = matmul.verify(None);
            assert!(!v.ok && v.mismatch.as_ref().unwrap().starts_with(&format!("(C v)[{row}]")), "{v}");
        }
    }
}
