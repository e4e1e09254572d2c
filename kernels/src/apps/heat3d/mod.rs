//! heat3d: explicit heat equation over n planes of m x l cells, `new = old + kappa*(the sum of the six neighbours - 6*old)`.
//!
//! With [`Edges::Fixed`] a step is a loop over the inner planes. It does not touch planes 0 and n-1 of `new`, and copies the hull
//! of the others from `old`. So both arrays begin with the same first and last plane.
//!
//! With [`Edges::Periodic`] it is a loop over all planes. Rows and columns wrap around in the kernel; planes -1 and n
//! are read as ghost planes, which a periodic edge of `old` has.
//!
//! Arguments: `m: i64`, `l: i64`, `kappa`, then the arrays `old` (read, halo 1) and `new` (written), of which a row is a
//! plane of m * l cells.

use super::{App, LANES, array, elements, strips};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::{Form, Memory, Sizes, random, simd};
use apportion::HostVec;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, Grid, In, Kernel, Out};
use apportion::region::Mapped;
use std::ops::Range;

pub(super) const APP: App = App {
    name: "heat3d",
    summary: "explicit heat equation in three dimensions, 7 points: planes with a halo",
    sizes: Sizes { small: 64, medium: 256, paper: 512 },
    steps: 100,
};

/// Diffusivity times time step over squared distance; stable up to 1/6.
const KAPPA: f64 = 0.1;

/// The neighbours of the first and last cell in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edges {
    /// The hull keeps its initial contents.
    Fixed,
    /// The cells at the opposite end.
    Periodic,
}

/// A block of a given size: its initial contents, kernel and reference.
#[derive(Clone, Debug)]
pub struct Heat3d<T> {
    kernel: Kernel,
    extents: [usize; 3],
    edges: Edges,
    seed: u64,
    kappa: T,
}

/// Inner cells `first..first + len` of a row, whose neighbours are the rows before, above, below and behind.
#[inline(always)]
fn cells<T: Real, const FMA: bool>(kappa: T, rows: [&[T]; 5], first: usize, len: usize, out: &mut [T]) {
    let madd = |a: T, b: T, c: T| if FMA { a.fma(b, c) } else { a * b + c };
    // Slices whose common length the compiler sees, so that no bound is checked in the loop.
    let cut = |row: usize, column: usize| &rows[row][first + column..][..len];
    let (before, north, south, behind) = (cut(0, 1), cut(1, 1), cut(3, 1), cut(4, 1));
    let (west, here, east) = (cut(2, 0), cut(2, 1), cut(2, 2));
    let out = &mut out[1 + first..][..len];
    for j in 0..len {
        let around = ((west[j] + east[j]) + (north[j] + south[j])) + (before[j] + behind[j]);
        out[j] = madd(kappa, madd(T::from_f64(-6.0), here[j], around), here[j]);
    }
}

/// One row of more than two cells. `ends` are the cells beyond its ends; `None`: the row's end cells are copied.
#[inline(always)]
fn row<T: Real, const FMA: bool>(kappa: T, rows: [&[T]; 5], ends: Option<[T; 2]>, out: &mut [T]) {
    let (end, inner) = (out.len() - 1, out.len() - 2);
    // Whole vectors; the last one ends at the row's end and computes some cells again.
    let whole = if inner < LANES { inner } else { inner - inner % LANES };
    cells::<T, FMA>(kappa, rows, 0, whole, out);
    if whole < inner {
        cells::<T, FMA>(kappa, rows, inner - LANES, LANES, out);
    }
    let here = rows[2];
    (out[0], out[end]) = (here[0], here[end]);
    if let Some([west, east]) = ends {
        let cell = |j: usize, near: T| {
            let around = near + (rows[1][j] + rows[3][j]) + (rows[0][j] + rows[4][j]);
            here[j] + kappa * (around - T::from_f64(6.0) * here[j])
        };
        (out[0], out[end]) = (cell(0, west + here[1]), cell(end, here[end - 1] + east));
    }
}

simd! {
    /// One plane of m rows of more than two cells, from itself and the planes before and behind.
    fn sweep_plane<T: Real>(edges: Edges, m: usize, kappa: T, planes: [&[T]; 3], out: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let l = out.len() / m;
        for (j, out) in out.chunks_exact_mut(l).enumerate() {
            let at = |plane: usize, j: usize| &planes[plane][j * l..][..l];
            let here = at(1, j);
            let (up, down, ends) = match edges {
                Edges::Periodic if j == 0 => (m - 1, 1, Some([here[l - 1], here[0]])),
                Edges::Periodic if j + 1 == m => (j - 1, 0, Some([here[l - 1], here[0]])),
                Edges::Periodic => (j - 1, j + 1, Some([here[l - 1], here[0]])),
                Edges::Fixed if j == 0 || j + 1 == m => {
                    out.copy_from_slice(here);
                    continue;
                }
                Edges::Fixed => (j - 1, j + 1, None),
            };
            row::<T, FMA>(kappa, [at(0, j), at(1, up), here, at(1, down), at(2, j)], ends, out);
        }
    }
}

fn kernel<T: Real>(edges: Edges, m: usize, l: usize) -> Kernel {
    let bytes = size_of::<T>();
    let periodic = u8::from(edges == Edges::Periodic);
    // As in `kernel.cu`: threads per block, across with 16 bytes of a row each, and down; planes per strip.
    const CUDA_GROUP: [usize; 3] = [32, 8, 1];
    const CUDA_STRIP: usize = 8;
    const CUDA_THREADS: usize = CUDA_GROUP[0] * CUDA_GROUP[1];
    let columns = l.div_ceil(16 / bytes);
    let across = columns.div_ceil(CUDA_GROUP[0]) * m.div_ceil(CUDA_GROUP[1]);
    let name = match edges {
        Edges::Fixed => "heat3d-fixed",
        Edges::Periodic => "heat3d-periodic",
    };
    Kernel::new(name)
        .host(move |planes: Range<usize>, m: i64, _l: i64, kappa: T, old: In<T>, mut new: Out<T>| {
            for i in planes {
                let at = i as isize;
                let around = [old.row_at(at - 1), old.row_at(at), old.row_at(at + 1)];
                sweep_plane(edges, m as usize, kappa, around, new.row_mut(i));
            }
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), "heat3d", Grid::new([64, 4, 1], move |planes| [l, m, planes]))
                .options(format!("{} -DPERIODIC={periodic}", T::OPENCL_OPTIONS)),
        )
        .cuda_source(
            own_source(
                concat!(include_str!("../cells.cu"), include_str!("kernel.cu")),
                "heat3d",
                Grid::new(CUDA_GROUP, move |planes| [columns, m, strips(planes, across, CUDA_STRIP)]),
            )
            .options(format!(
                "{} -DGROUP={CUDA_THREADS} -DWIDTH={} -DPERIODIC={periodic}",
                T::CUDA_OPTIONS,
                CUDA_GROUP[0]
            )),
        )
        .cost(Cost::per_iteration().flops(9 * m * l).loads(m * l * bytes).stores(m * l * bytes).precision(T::PRECISION))
}

impl<T: Real> Heat3d<T> {
    /// A block of n planes of m rows of l cells. Its initial contents depend on `seed`.
    ///
    /// # Errors
    /// [`Error::Call`](apportion::Error::Call) where an extent is below three,
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where the cells cannot be counted.
    pub fn new(extents: [usize; 3], edges: Edges, seed: u64) -> Result<Self> {
        elements(APP.name, &extents, 3)?;
        let kernel = kernel::<T>(edges, extents[1], extents[2]);
        Ok(Self { kernel, extents, edges, seed, kappa: T::from_f64(KAPPA) })
    }

    /// Diffusivity times time step over squared distance.
    pub fn kappa(&self) -> T {
        self.kappa
    }

    /// The kernel of a step.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel with its scalars bound; the arrays old and new come next.
    pub fn bind<'a>(&self) -> Bound<'a> {
        let [_, m, l] = self.extents;
        self.kernel.bind().scalar(m as i64).scalar(l as i64).scalar(self.kappa)
    }

    /// A step by a kernel of either form, over arrays of a data region.
    pub fn sweep<'a>(&self, form: Form, old: Mapped<T>, new: Mapped<T>) -> Bound<'a> {
        let [_, m, l] = self.extents;
        match (form, self.edges) {
            (Form::Hand, _) => self.bind().reads(old).writes(new),
            (Form::Single, Edges::Fixed) => single::heat3d_fixed(m, l, self.kappa, old, new),
            (Form::Single, Edges::Periodic) => single::heat3d_periodic(m, l, self.kappa, old, new),
        }
    }

    /// The planes of a step.
    pub fn planes(&self) -> Range<u64> {
        let n = self.extents[0] as u64;
        match self.edges {
            Edges::Fixed => 1..n - 1,
            Edges::Periodic => 0..n,
        }
    }

    /// Planes, rows and columns of each array.
    pub fn extents(&self) -> [usize; 3] {
        self.extents
    }

    /// The initial contents of both arrays: random numbers.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn start(&self, memory: Memory) -> Result<HostVec<T>> {
        let [n, m, l] = self.extents;
        let mut start = array::<T>(APP.name, n, n * m * l, memory)?;
        random::fill(&mut start, self.seed, 0);
        Ok(start)
    }

    /// The block after `steps` steps, one cell after the other.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn reference(&self, steps: usize) -> Result<HostVec<T>> {
        let (mut new, mut old) = (self.start(Memory::Plain)?, self.start(Memory::Plain)?);
        let [n, m, l] = self.extents;
        for _ in 0..steps {
            std::mem::swap(&mut new, &mut old);
            for (c, cell) in new.iter_mut().enumerate() {
                let at = [c / (m * l), c / l % m, c % l];
                let on_hull = at.iter().zip(self.extents).any(|(&x, extent)| x == 0 || x + 1 == extent);
                if self.edges == Edges::Fixed && on_hull {
                    continue;
                }
                let mut around = T::default();
                for dimension in [2, 1, 0] {
                    for step in [self.extents[dimension] - 1, 1] {
                        let mut there = at;
                        there[dimension] = (at[dimension] + step) % [n, m, l][dimension];
                        around += old[(there[0] * m + there[1]) * l + there[2]];
                    }
                }
                *cell = old[c] + self.kappa * (around - T::from_f64(6.0) * old[c]);
            }
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_keeps_the_heat_or_the_hull() {
        let sum = |block: &[f64]| block.iter().sum::<f64>();
        let largest = |block: &[f64]| block.iter().fold(0f64, |most, x| most.max(x.abs()));
        let periodic = Heat3d::<f64>::new([5, 4, 6], Edges::Periodic, 3).unwrap();
        let (start, end) = (periodic.start(Memory::Plain).unwrap(), periodic.reference(300).unwrap());
        assert!((sum(&start) - sum(&end)).abs() < 1e-12);
        // What is left is the mean, everywhere.
        let mean = sum(&start) / 120.0;
        assert!(end.iter().all(|x| (x - mean).abs() < 1e-9) && largest(&start) > 0.8);

        let fixed = Heat3d::<f64>::new([5, 4, 6], Edges::Fixed, 3).unwrap();
        let end = fixed.reference(10).unwrap();
        let changed = |c: &usize| end[*c] != start[*c];
        let inner: Vec<usize> = (0..120)
            .filter(|c| (1..4).contains(&(c / 24)) && (1..3).contains(&(c / 6 % 4)) && (1..5).contains(&(c % 6)))
            .collect();
        assert_eq!((0..120).filter(changed).collect::<Vec<_>>(), inner);
    }
}
