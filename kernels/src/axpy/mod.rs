//! axpy: `y[i] += a * x[i]`.

use crate::outline::{Outline, outline_by_element};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, by_element, memory, random, rayon_piece};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Out, Scalar};
use apportion::region::{DataRegion, Dims};
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "axpy",
    summary: "y += a x: nothing but memory traffic",
    sizes: Sizes { small: 1_000_000, medium: 100_000_000, paper: 1_000_000_000 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed, memory| by_element!(element, Axpy)(n, seed, memory),
    outline: outline_by_element!(outline),
    single: outline_by_element!(single),
};

const X: u64 = 0;
const Y: u64 = 1;

struct Axpy<T> {
    kernel: Kernel,
    seed: u64,
    a: T,
    x: HostVec<T>,
    y: HostVec<T>,
}

// Vectors of 512 bits took a tenth longer on an Intel Xeon, with the arrays in memory.
#[multiversion::multiversion(targets("x86_64+avx2+fma"), dispatcher = "direct")]
fn axpy<T: Real>(a: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Element by element, in f64.
fn reference(a: f64, x: f64, y: f64) -> f64 {
    y + a * x
}

fn kernel<T: Real>() -> Kernel {
    let bytes = size_of::<T>();
    // As in `kernel.cu`: threads per block, and elements per thread, which are four vectors of 16 bytes.
    const CUDA_GROUP: usize = 512;
    let each = 4 * 16 / bytes;
    Kernel::new("axpy")
        .host(|range: Range<usize>, a: T, x: In<T>, mut y: Out<T>| axpy(a, x.slice(range.clone()), y.slice_mut(range)))
        .opencl_source(
            own_source(include_str!("kernel.cl"), "axpy", Grid::per_iteration(256)).options(T::OPENCL_OPTIONS),
        )
        .cuda_source(
            own_source(
                include_str!("kernel.cu"),
                "axpy",
                Grid::new([CUDA_GROUP, 1, 1], move |n| [n.div_ceil(each), 1, 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(2).loads(2 * bytes).stores(bytes).precision(T::PRECISION))
}

/// The kernel from one Rust function; what it states depends on the size alone.
fn single<T: Real>(_: usize) -> Kernel {
    single::axpy(T::default(), &[], &mut []).kernel().clone()
}

fn outline<T: Real>(n: usize) -> Result<Outline> {
    let outline = Outline::new(ENTRY.name, n, n, kernel::<T>());
    Ok(outline.rows(Direction::To, T::TYPE, 1).rows(Direction::ToFrom, T::TYPE, 1))
}

impl<T: Real> Axpy<T> {
    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        memory::require(ENTRY.name, n, n.checked_mul(2 * size_of::<T>()))?;
        let (x, y) = (memory::zeroed(ENTRY.name, n, n, memory)?, memory::zeroed(ENTRY.name, n, n, memory)?);
        let mut axpy = Self { kernel: kernel::<T>(), seed, a: T::from_f64(0.8), x, y };
        random::fill(&mut axpy.x, seed, X);
        axpy.reset();
        Ok(Box::new(axpy))
    }
}

impl<T: Real> Instance for Axpy<T> {
    fn name(&self) -> &'static str {
        ENTRY.name
    }
    fn n(&self) -> usize {
        self.x.len()
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn iterations(&self) -> u64 {
        self.x.len() as u64
    }
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    fn bind(&mut self) -> Bound<'_> {
        self.kernel.bind().scalar(self.a).to(&self.x).named("x").align().tofrom(&mut self.y).named("y").align()
    }
    fn bind_single(&mut self) -> Bound<'_> {
        single::axpy(self.a, &self.x, &mut self.y)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, a, kernel) = (self.n(), self.a, &self.kernel);
        let (x, y) = (region.to(&self.x, [n].named("x")), region.tofrom(&mut self.y, [n].named("y")));
        Resident::new(0..n as u64, move |form| match form {
            Form::Hand => kernel.bind().scalar(a).reads(x).updates(y),
            Form::Single => single::axpy(a, x, y),
        })
    }
    fn reset(&mut self) {
        random::fill(&mut self.y, self.seed, Y);
    }
    fn verify(&mut self, _: Option<Scalar>) -> Verification {
        // The initial y is generated again block by block, not kept: at 1e9 elements a copy is 4 GB.
        let block = |(block, (x, y)): (usize, (&[T], &[T]))| {
            let mut before = vec![T::default(); y.len()];
            random::fill_block(&mut before, self.seed, Y, block);
            let mut comparison = Comparison::new("y", 1);
            for (i, ((&x, &y), &before)) in x.iter().zip(y).zip(&before).enumerate() {
                let expected = reference(self.a.to_f64(), x.to_f64(), before.to_f64());
                comparison.add(block * random::BLOCK + i, y.to_f64(), expected);
            }
            comparison
        };
        let blocks = self.x.par_chunks(random::BLOCK).zip(self.y.par_chunks(random::BLOCK)).enumerate().map(block);
        blocks.reduce(|| Comparison::new("y", 1), Comparison::merge).finish(T::tolerance(1e-6, 1e-12))
    }
    fn bytes(&self) -> usize {
        2 * size_of::<T>() * self.n()
    }
    fn is_page_locked(&self) -> bool {
        self.x.is_page_locked() && self.y.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        let piece = rayon_piece(self.n());
        self.y.par_chunks_mut(piece).zip(self.x.par_chunks(piece)).for_each(|(y, x)| axpy(self.a, x, y));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_adds_a_times_x_to_y() {
        assert_eq!(reference(2.0, 3.0, 4.0), 10.0);
    }
}
