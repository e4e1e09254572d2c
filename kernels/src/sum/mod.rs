//! sum: `s += x[i]`, in f64 for either element type.
//!
//! The elements are multiples of 1/256 in 1/256..=1, so that every order of adding gives the same sum: up to 2^45
//! elements in f64, and up to 2^16 in f32 for parts of it. A run passes only with exactly this sum. A tolerance would
//! hide lost elements: 100 of 1e8 change the sum by 1e-6.

use crate::outline::{Outline, outline_by_element};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, by_element, memory, random, rayon_piece, simd};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Reduce, Reduction, Scalar};
use apportion::region::{DataRegion, Dims};
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "sum",
    summary: "the sum of an array, a reduction: reads memory and writes nothing",
    sizes: Sizes { small: 1_000_000, medium: 100_000_000, paper: 1_000_000_000 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed, memory| by_element!(element, Sum)(n, seed, memory),
    outline: outline_by_element!(outline),
    single: outline_by_element!(single),
};

const GROUP: usize = 256;
/// 16 elements per work-item, and more beyond 1024 groups, so that there are few partial results to add up.
const MOST_GROUPS: usize = 1024;

struct Sum<T> {
    kernel: Kernel,
    x: HostVec<T>,
    expected: Option<f64>,
}

simd! {
    /// Adds eight elements in T, with an error of at most 1.8e-7 in f32 (none for this workload's elements), and those sums in
    /// f64: so conversions do not bound the speed, and enough loads are in flight.
    fn sum<T: Real>(x: &[T]) -> f64 {
        let mut lanes = [0f64; 16];
        let (chunks, rest) = x.as_chunks::<128>();
        for chunk in chunks {
            let (eighths, _) = chunk.as_chunks::<16>();
            for j in 0..16 {
                let four = |k: usize| (eighths[k][j] + eighths[k + 1][j]) + (eighths[k + 2][j] + eighths[k + 3][j]);
                lanes[j] += (four(0) + four(4)).to_f64();
            }
        }
        lanes.iter().sum::<f64>() + rest.iter().map(|x| x.to_f64()).sum::<f64>()
    }
}

/// Adds one after the other in f64, with the rounding errors carried along (Neumaier).
fn reference<T: Real>(x: &[T]) -> f64 {
    let (mut sum, mut carried) = (0f64, 0f64);
    for x in x {
        let (x, before) = (x.to_f64(), sum);
        sum += x;
        carried += if before.abs() >= x.abs() { (before - sum) + x } else { (x - sum) + before };
    }
    sum + carried
}

fn kernel<T: Real>() -> Kernel {
    let grid = Grid::new([GROUP, 1, 1], |n| [n.div_ceil(16 * GROUP).clamp(1, MOST_GROUPS) * GROUP, 1, 1]);
    // As in `kernel.cu`: threads per block, most blocks, and elements per thread in one go. This many blocks are resident at once
    // on the 132 multiprocessors of an H100 or H200; more would make more partial results.
    const CUDA_GROUP: usize = 512;
    const CUDA_MOST_GROUPS: usize = 132 * 4;
    let each = 4 * 16 / size_of::<T>();
    let cuda_grid = Grid::new([CUDA_GROUP, 1, 1], move |n| [n.div_ceil(each).min(CUDA_MOST_GROUPS * CUDA_GROUP), 1, 1]);
    Kernel::new("sum")
        .host(|range: Range<usize>, x: In<T>| sum(x.slice(range)))
        .opencl_source(
            own_source(include_str!("kernel.cl"), "sum", grid)
                .options(format!("{} -DGROUP={GROUP}", T::OPENCL_OPTIONS)),
        )
        .cuda_source(
            own_source(include_str!("kernel.cu"), "sum", cuda_grid)
                .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(1).loads(size_of::<T>()).precision(T::PRECISION))
}

/// The kernel from one Rust function; what it states depends on the size alone.
fn single<T: Real>(_: usize) -> Kernel {
    single::sum::<T>(&[]).kernel().clone()
}

fn outline<T: Real>(n: usize) -> Result<Outline> {
    Ok(Outline::new(ENTRY.name, n, n, kernel::<T>()).rows(Direction::To, T::TYPE, 1))
}

impl<T: Real> Sum<T> {
    fn new(n: usize, seed: u64, memory: Memory) -> Result<Self> {
        memory::require(ENTRY.name, n, n.checked_mul(size_of::<T>()))?;
        let mut x = memory::zeroed::<T>(ENTRY.name, n, n, memory)?;
        random::fill_steps(&mut x, seed, 0);
        Ok(Self { kernel: kernel::<T>(), x, expected: None })
    }

    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        Ok(Box::new(Self::new(n, seed, memory)?))
    }
}

impl<T: Real> Instance for Sum<T> {
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
        self.kernel.bind().to(&self.x).named("x").align()
    }
    fn bind_single(&mut self) -> Bound<'_> {
        single::sum(&self.x)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, kernel) = (self.n(), &self.kernel);
        let x = region.to(&self.x, [n].named("x"));
        let next = move |form| match form {
            Form::Hand => kernel.bind().reads(x),
            Form::Single => single::sum(x),
        };
        Resident::new(0..n as u64, next).reducing()
    }
    fn reduction(&self) -> Option<Reduction> {
        Some(Reduction { operator: Reduce::Sum, element: ElementType::F64 })
    }
    fn reset(&mut self) {}
    fn verify(&mut self, reduced: Option<Scalar>) -> Verification {
        let expected = *self.expected.get_or_insert_with(|| reference(&self.x));
        let got = match reduced {
            Some(Scalar::F64(sum)) => sum,
            _ => f64::NAN,
        };
        let mut comparison = Comparison::new("the sum", 0);
        comparison.add(0, got, expected);
        // Reductions may be off by 1e-6 in f32 and 1e-12 in f64; these exact elements need no tolerance.
        comparison.finish(0.0)
    }
    fn bytes(&self) -> usize {
        size_of::<T>() * self.n()
    }
    fn is_page_locked(&self) -> bool {
        self.x.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        Some(Scalar::F64(self.x.par_chunks(rayon_piece(self.n())).map(sum).sum()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_adds_and_loses_nothing() {
        assert_eq!(reference::<f32>(&[]), 0.0);
        assert_eq!(reference(&[1.5f32, 2.0, -0.25]), 3.25);
        assert_eq!(reference(&[1.0, 1e100, 1.0, -1e100]), 2.0);
    }

    #[test]
    fn one_element_lost_or_added_twice_among_a_million_fails() {
        fn check<T: Real>() {
            let mut instance = Sum::<T>::new(1_000_000, 3, Memory::Plain).unwrap();
            let Some(Scalar::F64(right)) = instance.run_rayon() else { panic!("sums are f64") };
            let v = instance.verify(Some(Scalar::F64(right)));
            assert!(v.ok && v.max_rel_error == 0.0, "{v}");
            let least = (0..instance.n()).min_by(|&i, &j| instance.x[i].to_f64().total_cmp(&instance.x[j].to_f64()));
            for i in [0, 499_999, 999_999, least.unwrap()] {
                let lost = sum(&instance.x[..i]) + sum(&instance.x[i + 1..]);
                let twice = sum(&instance.x[..=i]) + sum(&instance.x[i..]);
                for wrong in [lost, twice] {
                    let v = instance.verify(Some(Scalar::F64(wrong)));
                    assert!(!v.ok && v.max_rel_error < 1e-5 && v.mismatch.is_some(), "{} {i}: {v}", T::TYPE);
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn any_order_of_adding_gives_the_same_sum() {
        let instance = Sum::<f32>::new(300_000, 5, Memory::Plain).unwrap();
        let right = reference(&instance.x);
        assert_eq!(sum(&instance.x), right);
        assert_eq!(instance.x.iter().rev().map(|&x| f64::from(x)).sum::<f64>(), right);
        // OpenMP's loop adds thousands of elements in f32.
        let blocks = instance.x.chunks(1 << 16).map(|block| f64::from(block.iter().sum::<f32>()));
        assert_eq!(blocks.sum::<f64>(), right);
    }

    #[test]
    fn a_sum_of_every_length_around_the_chunk_is_right() {
        for n in 0..400 {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            assert_eq!(sum(&x), f64::from((0..n).sum::<i32>()), "n = {n}");
        }
    }
}
