//! cardiac: the model of heart tissue of Aliev and Panfilov over an n x m grid with mirrored edges,
//! `dE/dt = D lap E - k E (E-a)(E-1) - E R`, `dR/dt = -(eps + mu1 R / (E+mu2)) (R + k E (E-b-1))`.
//!
//! E is the excitation and R the recovery. A step is explicit: E diffuses, from `e_old`; then E reacts at each cell; then R
//! from the new E. It is a loop over all rows, [`Cardiac::rows`]. Columns are mirrored in the kernel (column -1 is column
//! 1); rows -1 and n are read as ghost rows, which a reflecting edge of `e_old` has.
//!
//! The tissue is a square of side 1, so cells are h = 1/(m-1) apart. The time step is 0.95 of what is stable by the
//! usual estimate: the lesser of `h^2 / (4D + h^2 (rp + k))` and `1 / (eps + mu1/mu2 rp)`, where `rp = k (b+1)^2 / 4`.
//!
//! Arguments: `m: i64`, `alpha` (which is D dt / h^2), `dt`, then the arrays `e_old` (read, halo 1), `r` (updated) and
//! `e_new` (written).

use super::{App, array, elements, strips};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::{Form, Memory, Sizes, simd};
use apportion::HostVec;
use apportion::error::Result;
use apportion::kernel::{Bound, Cost, Grid, In, Kernel, Out};
use apportion::region::Mapped;
use std::ops::Range;

pub(super) const APP: App = App {
    name: "cardiac",
    summary: "excitation and recovery of heart tissue, Aliev and Panfilov's model: rows with a halo, mirrored edges",
    sizes: Sizes { small: 256, medium: 1024, paper: 4096 },
    steps: 1350,
};

// The constants of the model.
const K: f64 = 8.0;
const A: f64 = 0.1;
const B: f64 = 0.1;
const MU1: f64 = 0.07;
const MU2: f64 = 0.3;
const EPS: f64 = 0.01;
const D: f64 = 5e-5;

/// Tissue of a given size: its initial contents, kernel and reference.
#[derive(Clone, Debug)]
pub struct Cardiac<T> {
    kernel: Kernel,
    n: usize,
    m: usize,
    alpha: T,
    dt: T,
}

/// Excitation and recovery of a cell after a step. `around` is the sum of the excitations of its four neighbours.
#[inline(always)]
fn cell<T: Real>(alpha: T, dt: T, around: T, e: T, r: T) -> (T, T) {
    let number = T::from_f64;
    let e = e + alpha * (around - number(4.0) * e);
    let e = e - dt * (number(K) * e * (e - number(A)) * (e - number(1.0)) + e * r);
    let rate = number(EPS) + number(MU1) * r / (e + number(MU2));
    (e, r - dt * rate * (r + number(K) * e * (e - number(B + 1.0))))
}

simd! {
    /// One row of more than one cell.
    fn sweep_row<T: Real>(alpha: T, dt: T, rows: [&[T]; 3], r: &mut [T], e_new: &mut [T]) {
        let m = e_new.len();
        let [north, here, south] = rows;
        let step = |j: usize, west: usize, east: usize, r: T| {
            cell(alpha, dt, (here[west] + here[east]) + (north[j] + south[j]), here[j], r)
        };
        (e_new[0], r[0]) = step(0, 1, 1, r[0]);
        (e_new[m - 1], r[m - 1]) = step(m - 1, m - 2, m - 2, r[m - 1]);
        // Slices whose common length the compiler sees, so that no bound is checked in the loop.
        let inner = m - 2;
        let (north, south) = (&north[1..][..inner], &south[1..][..inner]);
        let (west, here, east) = (&here[..inner], &here[1..][..inner], &here[2..][..inner]);
        let (r, e_new) = (&mut r[1..][..inner], &mut e_new[1..][..inner]);
        for j in 0..inner {
            let around = (west[j] + east[j]) + (north[j] + south[j]);
            (e_new[j], r[j]) = cell(alpha, dt, around, here[j], r[j]);
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
    let constants = format!(
        "-DCELL_K={K:?} -DCELL_A={A:?} -DCELL_B={B:?} -DCELL_MU1={MU1:?} -DCELL_MU2={MU2:?} -DCELL_EPS={EPS:?}"
    );
    Kernel::new(APP.name)
        .host(|rows: Range<usize>, _m: i64, alpha: T, dt: T, e_old: In<T>, mut r: Out<T>, mut e_new: Out<T>| {
            for i in rows {
                let row = i as isize;
                let around = [e_old.row_at(row - 1), e_old.row_at(row), e_old.row_at(row + 1)];
                sweep_row(alpha, dt, around, r.row_mut(i), e_new.row_mut(i));
            }
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), "cardiac", Grid::new([64, 4, 1], move |rows| [m, rows, 1]))
                .options(format!("{} {constants}", T::OPENCL_OPTIONS)),
        )
        .cuda_source(
            own_source(
                concat!(include_str!("../cells.cu"), include_str!("kernel.cu")),
                "cardiac",
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [columns, strips(rows, across, CUDA_STRIP), 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP} {constants}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(28 * m).loads(2 * m * bytes).stores(2 * m * bytes).precision(T::PRECISION))
}

/// Mirrors an index one beyond either end, without repeating the end.
fn mirrored(index: isize, len: usize) -> usize {
    let len = len.cast_signed();
    let inside = if index < 0 {
        -index
    } else if index >= len {
        2 * (len - 1) - index
    } else {
        index
    };
    inside.cast_unsigned()
}

impl<T: Real> Cardiac<T> {
    /// Tissue of n rows and m columns.
    ///
    /// # Errors
    /// [`Error::Call`](apportion::Error::Call) where there are fewer than two rows or columns,
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where they cannot be counted.
    pub fn new(n: usize, m: usize) -> Result<Self> {
        elements(APP.name, &[n, m], 2)?;
        let h = 1.0 / (m - 1) as f64;
        let rp = K * (B + 1.0) * (B + 1.0) / 4.0;
        let of_e = h * h / (4.0 * D + h * h * (rp + K));
        let of_r = 1.0 / (EPS + MU1 / MU2 * rp);
        let dt = 0.95 * of_e.min(of_r);
        let (alpha, dt) = (T::from_f64(D * dt / (h * h)), T::from_f64(dt));
        Ok(Self { kernel: kernel::<T>(m), n, m, alpha, dt })
    }

    /// The kernel of a step.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel with its scalars bound; the arrays e_old, r and e_new come next.
    pub fn bind<'a>(&self) -> Bound<'a> {
        self.kernel.bind().scalar(self.m as i64).scalar(self.alpha).scalar(self.dt)
    }

    /// A step by a kernel of either form, over arrays of a data region.
    pub fn sweep<'a>(&self, form: Form, e_old: Mapped<T>, r: Mapped<T>, e_new: Mapped<T>) -> Bound<'a> {
        match form {
            Form::Hand => self.bind().reads(e_old).updates(r).writes(e_new),
            Form::Single => single::cardiac(self.m, self.alpha, self.dt, e_old, r, e_new),
        }
    }

    /// The rows of a step: all of them.
    pub fn rows(&self) -> Range<u64> {
        0..self.n as u64
    }

    /// Rows and columns of each array.
    pub fn extents(&self) -> [usize; 2] {
        [self.n, self.m]
    }

    /// The initial excitation: 1 in the right half of the columns, 0 elsewhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn e(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut e = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        e.chunks_exact_mut(self.m).for_each(|row| row[self.m / 2..].fill(T::from_f64(1.0)));
        Ok(e)
    }

    /// The initial recovery: 1 in the upper half of the rows, those from n/2 on, 0 elsewhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn r(&self, memory: Memory) -> Result<HostVec<T>> {
        let mut r = array::<T>(APP.name, self.n, self.n * self.m, memory)?;
        r[self.n / 2 * self.m..].fill(T::from_f64(1.0));
        Ok(r)
    }

    /// Excitation and recovery after `steps` steps, one cell after the other.
    ///
    /// # Errors
    /// [`Error::TooLarge`](apportion::Error::TooLarge) where there is no memory for it.
    pub fn reference(&self, steps: usize) -> Result<(HostVec<T>, HostVec<T>)> {
        let (mut e, mut old, mut r) = (self.e(Memory::Plain)?, self.e(Memory::Plain)?, self.r(Memory::Plain)?);
        let [k, a, b, mu1, mu2, eps, one, four] = [K, A, B, MU1, MU2, EPS, 1.0, 4.0].map(T::from_f64);
        for _ in 0..steps {
            std::mem::swap(&mut e, &mut old);
            for c in 0..self.n * self.m {
                let (i, j) = ((c / self.m).cast_signed(), (c % self.m).cast_signed());
                let at = |i, j| old[mirrored(i, self.n) * self.m + mirrored(j, self.m)];
                let laplacian = at(i, j - 1) + at(i, j + 1) + at(i - 1, j) + at(i + 1, j) - four * at(i, j);
                let diffused = at(i, j) + self.alpha * laplacian;
                e[c] = diffused - self.dt * (k * diffused * (diffused - a) * (diffused - one) + diffused * r[c]);
                let change = (T::default() - eps - mu1 * r[c] / (e[c] + mu2)) * (r[c] + k * e[c] * (e[c] - b - one));
                r[c] += self.dt * change;
            }
        }
        Ok((e, r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_do_not_repeat_the_end() {
        assert_eq!([-1, 0, 4, 5].map(|index| mirrored(index, 5)), [1, 0, 4, 3]);
        assert_eq!([-1, 2].map(|index| mirrored(index, 2)), [1, 0]);
    }

    #[test]
    fn a_cell_by_hand() {
        // Without diffusion: E' = 0.5 - 0.1 (8*0.5*0.4*-0.5 + 0.5*0.2), R' = 0.2 - 0.1 (0.01 + 0.014/0.87) (0.2 + 8*0.57*-0.53).
        let (e, r) = cell(0f64, 0.1, 2.0, 0.5, 0.2);
        assert!(
            (e - 0.57).abs() < 1e-15 && (r - (0.2 + 0.1 * (0.01 + 0.014 / 0.87) * 2.2168)).abs() < 1e-15,
            "{e} {r}"
        );
        // Diffusion alone, as the time step is 0.
        assert_eq!(cell(0.25, 0.0, 8.0, 1.0, 0.5), (2.0, 0.5));
        // At rest nothing happens, and a fully excited cell recovers.
        assert_eq!(cell(0.1, 0.1, 0.0, 0.0, 0.0), (0.0, 0.0));
        assert!(cell(0.1, 0.1, 4.0, 1.0, 0.0).1 > 0.0);
    }

    #[test]
    fn the_reference_stays_in_bounds_and_spreads() {
        let tissue = Cardiac::<f64>::new(24, 32).unwrap();
        let (e, r) = tissue.reference(1350).unwrap();
        assert!(e.iter().all(|e| (-0.01..1.01).contains(e)) && r.iter().all(|r| (-0.01..3.0).contains(r)));
        // A spiral wave: neither all excited nor all at rest.
        assert!(e.iter().any(|e| *e > 0.5) && e.iter().any(|e| *e < 0.1));
        assert!(tissue.alpha < 0.25 && tissue.dt < 1.0);
    }
}
