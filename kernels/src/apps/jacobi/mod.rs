//! jacobi: a 5-point relaxation over an n x m grid with a right-hand side,
//! `r = (ax*(W+E) + ay*(N+S) + b*old - f) / b`, `u = old - omega*r`, and the sum of `r*r` by reduction(+) in f64.
//!
//! A sweep is a loop over the inner rows, [`Jacobi::rows`]. The rim is fixed: rows 0 and n-1 of `u` are not touched, its first
//! and last columns are copied from `old`. So `u` and `old` begin with the same rim, and swap roles after each sweep or are
//! copied.
//!
//! Arguments: `m: i64`, `ax`, `ay`, `b`, `omega`, then the arrays `f` (read), `old` (read, halo 1), `u` (written).

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
    name: "jacobi",
    summary: "5-point relaxation with a residual every sweep: rows with a halo, and a reduction",
    sizes: Sizes { small: 512, medium: 4096, paper: 16_384 },
    steps: 200,
};

/// The coefficients of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weights<T> {
    /// Weight of the cells on the left and right.
    ax: T,
    /// Weight of the cells above and below; differs from `ax`, so that a mix-up shows.
    ay: T,
    /// Weight of the cell itself.
    b: T,
    /// Part of the residual that is subtracted.
    omega: T,
}

impl<T: Real> Weights<T> {
    fn new() -> Self {
        let (ax, ay, alpha) = (1.0, 0.75, 0.0543);
        let [ax, ay, b, omega] = [ax, ay, -2.0 * (ax + ay) - alpha, 0.8].map(T::from_f64);
        Self { ax, ay, b, omega }
    }
}

/// A grid of a given size: its initial contents, kernel and reference.
#[derive(Clone, Debug)]
pub struct Jacobi<T> {
    kernel: Kernel,
    n: usize,
    m: usize,
    seed: u64,
    weights: Weights<T>,
}

/// Cells whose squared residuals are added in T before they are added in f64.
const SEGMENT: usize = 128;

/// Inner cells `first..first + len` of a row, and their squared residuals.
#[inline(always)]
fn cells<T: Real, const FMA: bool>(
    weights: Weights<T>,
    right: &[T],
    rows: [&[T]; 3],
    (first, len): (usize, usize),
    out: &mut [T],
    squares: &mut [T; SEGMENT],
) {
    let madd = |a: T, b: T, c: T| if FMA { a.fma(b, c) } else { a * b + c };
    let Weights { ax, ay, b, omega } = weights;
    let (inverse, minus_omega) = (T::from_f64(1.0) / b, T::default() - omega);
    // Slices whose common length the compiler sees, so that no bound is checked in the loop.
    let cut = |row: usize, column: usize| &rows[row][first + column..][..len];
    let (north, west, here, east, south) = (cut(0, 1), cut(1, 0), cut(1, 1), cut(1, 2), cut(2, 1));
    let (right, out, squares) = (&right[1 + first..][..len], &mut out[1 + first..][..len], &mut squares[..len]);
    for j in 0..len {
        let sum = madd(ax, west[j] + east[j], madd(ay, north[j] + south[j], madd(b, here[j], T::default() - right[j])));
        let r = sum * inverse;
        out[j] = madd(minus_omega, r, here[j]);
        squares[j] = r * r;
    }
}

simd! {
    /// One row of more than two cells, and the sum of its squared residuals.
    fn sweep_row<T: Real>(weights: Weights<T>, right: &[T], rows: [&[T]; 3], out: &mut [T]) -> f64 {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let m = out.len();
        out[0] = rows[1][0];
        out[m - 1] = rows[1][m - 1];
        let (mut totals, mut first) = ([0f64; LANES], 0);
        let mut squares = [T::default(); SEGMENT];
        while first < m - 2 {
            let len = SEGMENT.min(m - 2 - first);
            cells::<T, FMA>(weights, right, rows, (first, len), out, &mut squares);
            squares[len..].fill(T::default());
            let mut lanes = [T::default(); LANES];
            for part in squares.as_chunks::<LANES>().0 {
                for j in 0..LANES {
                    lanes[j] += part[j];
                }
            }
            for j in 0..LANES {
                totals[j] += lanes[j].to_f64();
            }
            first += len;
        }
        totals.iter().sum()
    }
}

fn kernel<T: Real>(m: usize) -> Kernel {
    let bytes = size_of::<T>();
    // As in `kernel.cu`: threads per block, each with 16 bytes of a row; rows per strip. Strips of 4 to 128 rows, and f read past
    // the caches or not, were tried on an H200: these are the best by 2 to 9 %.
    const CUDA_GROUP: usize = 128;
    const CUDA_STRIP: usize = 8;
    let columns = m.div_ceil(16 / bytes);
    let across = columns.div_ceil(CUDA_GROUP);
    let cuda_strips = move |rows| strips(rows, across, CUDA_STRIP);
    // As in `kernel.cl`: work-items per group, and the tile of a group.
    const GROUP: usize = 64;
    const ROWS: usize = 8;
    const COLUMNS: usize = 1024;
    let tiles = m.div_ceil(COLUMNS);
    Kernel::new(APP.name)
        .host(|rows: Range<usize>, _m: i64, ax: T, ay: T, b: T, omega: T, f: In<T>, old: In<T>, mut u: Out<T>| -> f64 {
            let weights = Weights { ax, ay, b, omega };
            let sums = rows.map(|i| {
                let row = i as isize;
                let around = [old.row_at(row - 1), old.row_at(row), old.row_at(row + 1)];
                sweep_row(weights, f.row(i), around, u.row_mut(i))
            });
            sums.sum()
        })
        .opencl_source(
            own_source(
                include_str!("kernel.cl"),
                "jacobi",
                Grid::new([GROUP, 1, 1], move |rows| [tiles * GROUP, rows.div_ceil(ROWS), 1]),
            )
            .options(format!("{} -DGROUP={GROUP} -DROWS={ROWS} -DCOLUMNS={COLUMNS}", T::OPENCL_OPTIONS)),
        )
        .cuda_source(
            own_source(
                concat!(include_str!("../cells.cu"), include_str!("kernel.cu")),
                "jacobi",
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [columns, cuda_strips(rows), 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(13 * m).loads(2 * m * bytes).stores(m * bytes).precision(T::PRECISION))
}

impl<T: Real> Jacobi<T> {
    /// A grid of n rows and m columns. Its initial contents depend on `seed`.
    ///
    /// # Errors
    /// [`Error::Call`](apportion::Error::Call) where there are fewer than three rows or columns,
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where they cannot be counted.
    pub fn new(n: usize, m: usize, seed: u64) -> Result<Self> {
        elements(APP.name, &[n, m], 3)?;
        Ok(Self { kernel: kernel::<T>(m), n, m, seed, weights: Weights::new() })
    }

    /// The coefficients of a sweep: ax, ay, b and omega.
    pub fn weights(&self) -> [T; 4] {
        let Weights { ax, ay, b, omega } = self.weights;
        [ax, ay, b, omega]
    }

    /// The kernel of a sweep.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel with its scalars bound; the arrays f, old and u come next.
    pub fn bind<'a>(&self) -> Bound<'a> {
        self.weights().into_iter().fold(self.kernel.bind().scalar(self.m as i64), Bound::scalar)
    }

    /// A sweep by a kernel of either form, over arrays of a data region.
    pub fn sweep<'a>(&self, form: Form, f: Mapped<T>, old: Mapped<T>, u: Mapped<T>) -> Bound<'a> {
        match form {
            Form::Hand => self.bind().reads(f).reads(old).writes(u),
            Form::Single => {
                let [ax, ay, b, omega] = self.weights();
                single::jacobi(self.m, ax, ay, b, omega, f, old, u)
            }
        }
    }

    /// The rows of a sweep.
    pub fn rows(&self) -> Range<u64> {
        1..self.n as u64 - 1
    }

    /// Rows and columns of each array.
    pub fn extents(&self) -> [usize; 2] {
        [self.n, self.m]
    }

    /// The right-hand side: random, of about the size of the terms that it is compared with.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn f(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut f = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        random::fill(&mut f, self.seed, 1);
        Ok(f)
    }

    /// The initial contents of u and old: random, the rim too.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn u(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut u = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        random::fill(&mut u, self.seed, 0);
        Ok(u)
    }

    /// u after `sweeps` sweeps, one cell after the other, and the sum of squared residuals of each sweep.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn reference(&self, sweeps: usize) -> Result<(HostVec<T>, Vec<f64>)> {
        let (f, mut u, mut old) = (self.f(Memory::Plain)?, self.u(Memory::Plain)?, self.u(Memory::Plain)?);
        let Weights { ax, ay, b, omega } = self.weights;
        let (n, m) = (self.n, self.m);
        let mut sums = Vec::with_capacity(sweeps);
        for _ in 0..sweeps {
            std::mem::swap(&mut u, &mut old);
            let mut sum = 0f64;
            for i in 1..n - 1 {
                for c in i * m + 1..(i + 1) * m - 1 {
                    let near = ax * (old[c - 1] + old[c + 1]) + ay * (old[c - m] + old[c + m]);
                    let r = (near + b * old[c] - f[c]) / b;
                    u[c] = old[c] - omega * r;
                    sum += r.to_f64() * r.to_f64();
                }
            }
            sums.push(sum);
        }
        Ok((u, sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_at_rest_where_the_equation_holds() {
        let mut jacobi = Jacobi::<f64>::new(5, 4, 1).unwrap();
        let (first, sums) = jacobi.reference(400).unwrap();
        // Steps converge to the solution, where the residual is 0 and another step changes nothing.
        assert!(sums[0] > 1e-3 && sums[399] < 1e-28, "{} {}", sums[0], sums[399]);
        let f = jacobi.f(Memory::Plain).unwrap();
        let Weights { ax, ay, b, .. } = jacobi.weights;
        let c = 2 * 4 + 1;
        let left = ax * (first[c - 1] + first[c + 1]) + ay * (first[c - 4] + first[c + 4]) + b * first[c];
        assert!((left - f[c]).abs() < 1e-13);
        assert!(ax != ay && b < -2.0 * (ax + ay));
        jacobi.seed = 2;
        assert!(jacobi.f(Memory::Plain).unwrap()[..] != f[..]);
    }
}
