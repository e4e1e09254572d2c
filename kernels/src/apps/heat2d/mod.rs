//! heat2d: explicit heat equation over an n x m grid with a fixed rim, `new = old + tfac*(d2x + d2y)`, where
//! `d2x = (W - old) + (E - old)` and `d2y = (N - old) + (S - old)`.
//!
//! The differences of neighbours that are nearly alike are exact. `W + E + N + S - 4*old` has two operations less, but its
//! rounding errors in f32 are nearly as large as itself on a fine grid, and add up over thousands of steps.
//!
//! A step is a loop over the inner rows, [`Heat2d::rows`]. It does not touch rows 0 and n-1 of `new`, and copies its first and
//! last columns from `old`. So both arrays begin with the same rim.
//!
//! The grid begins with one sine mode, which keeps its form and decays by the factor [`Heat2d::decay`].
//!
//! Arguments: `m: i64`, `tfac`, then the arrays `old` (read, halo 1) and `new` (written).

use super::{App, LANES, array, elements, strips};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::{Form, Memory, Sizes, simd};
use apportion::HostVec;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, Grid, In, Kernel, Out};
use apportion::region::Mapped;
use std::f64::consts::PI;
use std::ops::Range;

pub(super) const APP: App = App {
    name: "heat2d",
    summary: "explicit heat equation in two dimensions with a fixed rim: rows with a halo",
    sizes: Sizes { small: 512, medium: 2048, paper: 4096 },
    steps: 20_000,
};

/// Diffusivity times time step over squared distance; stable up to 0.25.
const TFAC: f64 = 0.2;

/// A plate of a given size: its initial contents, kernel and reference.
#[derive(Clone, Debug)]
pub struct Heat2d<T> {
    kernel: Kernel,
    n: usize,
    m: usize,
    /// Half waves of the initial contents, over the rows and over the columns.
    mode: [usize; 2],
    tfac: T,
}

/// Inner cells `first..first + len` of a row.
#[inline(always)]
fn cells<T: Real, const FMA: bool>(tfac: T, rows: [&[T]; 3], first: usize, len: usize, out: &mut [T]) {
    let madd = |a: T, b: T, c: T| if FMA { a.fma(b, c) } else { a * b + c };
    // Slices whose common length the compiler sees, so that no bound is checked in the loop.
    let cut = |row: usize, column: usize| &rows[row][first + column..][..len];
    let (north, west, here, east, south) = (cut(0, 1), cut(1, 0), cut(1, 1), cut(1, 2), cut(2, 1));
    let out = &mut out[1 + first..][..len];
    for j in 0..len {
        let (d2x, d2y) = ((west[j] - here[j]) + (east[j] - here[j]), (north[j] - here[j]) + (south[j] - here[j]));
        out[j] = madd(tfac, d2x + d2y, here[j]);
    }
}

simd! {
    /// One row of more than two cells.
    fn sweep_row<T: Real>(tfac: T, rows: [&[T]; 3], out: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let (end, inner) = (out.len() - 1, out.len() - 2);
        out[0] = rows[1][0];
        out[end] = rows[1][end];
        // Whole vectors; the last one ends at the row's end and computes some cells again.
        let whole = if inner < LANES { inner } else { inner - inner % LANES };
        cells::<T, FMA>(tfac, rows, 0, whole, out);
        if whole < inner {
            cells::<T, FMA>(tfac, rows, inner - LANES, LANES, out);
        }
    }
}

fn kernel<T: Real>(m: usize) -> Kernel {
    let bytes = size_of::<T>();
    // As in `kernel.cu`: threads per block, each with 16 bytes of a row, and rows per strip.
    const CUDA_GROUP: usize = 128;
    const CUDA_STRIP: usize = 16;
    let columns = m.div_ceil(16 / bytes);
    let across = columns.div_ceil(CUDA_GROUP);
    Kernel::new(APP.name)
        .host(|rows: Range<usize>, _m: i64, tfac: T, old: In<T>, mut new: Out<T>| {
            for i in rows {
                let row = i as isize;
                sweep_row(tfac, [old.row_at(row - 1), old.row_at(row), old.row_at(row + 1)], new.row_mut(i));
            }
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), "heat2d", Grid::new([64, 4, 1], move |rows| [m, rows, 1]))
                .options(T::OPENCL_OPTIONS),
        )
        .cuda_source(
            own_source(
                concat!(include_str!("../cells.cu"), include_str!("kernel.cu")),
                "heat2d",
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [columns, strips(rows, across, CUDA_STRIP), 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(9 * m).loads(m * bytes).stores(m * bytes).precision(T::PRECISION))
}

impl<T: Real> Heat2d<T> {
    /// A plate of n rows and m columns that begins with the slowest mode: one half wave each way.
    ///
    /// # Errors
    /// [`Error::Call`](apportion::Error::Call) where there are fewer than three rows or columns,
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where they cannot be counted.
    pub fn new(n: usize, m: usize) -> Result<Self> {
        Self::with_mode(n, m, [1, 1])
    }

    /// As [`Heat2d::new`], beginning with `mode` half waves over the rows and over the columns.
    ///
    /// # Errors
    /// As [`Heat2d::new`].
    pub fn with_mode(n: usize, m: usize, mode: [usize; 2]) -> Result<Self> {
        elements(APP.name, &[n, m], 3)?;
        Ok(Self { kernel: kernel::<T>(m), n, m, mode, tfac: T::from_f64(TFAC) })
    }

    /// Diffusivity times time step over squared distance.
    pub fn tfac(&self) -> T {
        self.tfac
    }

    /// The kernel of a step.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel with its scalars bound; the arrays old and new come next.
    pub fn bind<'a>(&self) -> Bound<'a> {
        self.kernel.bind().scalar(self.m as i64).scalar(self.tfac)
    }

    /// A step by a kernel of either form, over arrays of a data region.
    pub fn sweep<'a>(&self, form: Form, old: Mapped<T>, new: Mapped<T>) -> Bound<'a> {
        match form {
            Form::Hand => self.bind().reads(old).writes(new),
            Form::Single => single::heat2d(self.m, self.tfac, old, new),
        }
    }

    /// The rows of a step.
    pub fn rows(&self) -> Range<u64> {
        1..self.n as u64 - 1
    }

    /// Rows and columns of each array.
    pub fn extents(&self) -> [usize; 2] {
        [self.n, self.m]
    }

    /// The initial contents of both arrays: the mode, and zeros on the rim.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn start(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut start = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        // The rim is exactly 0, which the sine of a rounded pi is not.
        let wave = |len: usize, mode: usize| -> Vec<f64> {
            let sine = |i: usize| ((mode * i) as f64 * PI / (len - 1) as f64).sin();
            (0..len).map(|i| if i == 0 || i == len - 1 { 0.0 } else { sine(i) }).collect()
        };
        let (down, along) = (wave(self.n, self.mode[0]), wave(self.m, self.mode[1]));
        for (row, down) in start.chunks_exact_mut(self.m).zip(down) {
            row.iter_mut().zip(&along).for_each(|(cell, along)| *cell = T::from_f64(down * along));
        }
        Ok(start)
    }

    /// The factor by which each cell has decayed after `steps` steps: the mode is an eigenvector of a step. In f32 a fine grid
    /// soon departs from it, when a step changes a cell by a few units of its last place.
    pub fn decay(&self, steps: usize) -> f64 {
        let wave = |len: usize, mode: usize| (mode as f64 * PI / (2 * (len - 1)) as f64).sin().powi(2);
        let tfac = self.tfac.to_f64();
        (1.0 - 4.0 * tfac * (wave(self.n, self.mode[0]) + wave(self.m, self.mode[1]))).powf(steps as f64)
    }

    /// The plate after `steps` steps, one cell after the other.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn reference(&self, steps: usize) -> Result<HostVec<T>> {
        let (mut new, mut old) = (self.start(Memory::Plain)?, self.start(Memory::Plain)?);
        for _ in 0..steps {
            std::mem::swap(&mut new, &mut old);
            for i in 1..self.n - 1 {
                for j in 1..self.m - 1 {
                    let at = |i: usize, j: usize| old[i * self.m + j];
                    let d2x = (at(i, j - 1) - at(i, j)) + (at(i, j + 1) - at(i, j));
                    let d2y = (at(i - 1, j) - at(i, j)) + (at(i + 1, j) - at(i, j));
                    new[i * self.m + j] = at(i, j) + self.tfac * (d2x + d2y);
                }
            }
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_decays_as_the_equation_says() {
        let heat = Heat2d::<f64>::with_mode(33, 49, [2, 3]).unwrap();
        let (start, end) = (heat.start(Memory::Plain).unwrap(), heat.reference(50).unwrap());
        let factor = heat.decay(50);
        assert!((0.05..0.9).contains(&factor), "{factor}");
        for (start, end) in start.iter().zip(end.iter()) {
            assert!((start * factor - end).abs() < 1e-14, "{start} {end}");
        }
        // In the limit of many cells: exp(-k^2 t).
        let k2 = (2.0 * PI / 32.0).powi(2) + (3.0 * PI / 48.0).powi(2);
        assert!((factor / (-k2 * TFAC * 50.0).exp() - 1.0).abs() < 0.03);
        assert!(heat.decay(0) == 1.0 && start.iter().any(|x| *x < -0.9) && start.iter().any(|x| *x > 0.9));
    }
}
