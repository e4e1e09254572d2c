//! Applications that sweep over the same arrays many times: kernels for data regions.
//!
//! Each is one folder like those of the workloads, with what a region needs besides: the arrays' initial contents, the rows of a
//! sweep, and a sequential reference over any number of steps.
//!
//! | application | iteration | arrays in order |
//! |---|---|---|
//! | [`jacobi`] | a row of a 5-point relaxation, and its residual by reduction(+) | f read, old read with halo 1, u written |
//! | [`heat2d`] | a row of the heat equation, fixed rim | old read with halo 1, new written |
//! | [`heat3d`] | a plane of the heat equation, fixed or periodic edges | old read with halo 1, new written |
//! | [`cardiac`] | a row of Aliev and Panfilov's heart tissue, mirrored edges | e_old read with halo 1, r updated, e_new written |
//! | [`s3d`] | a row of points: specific heat of a mixture of gases; its enthalpy in a second kernel | t, y, table read, c or h written |
//!
//! Arrays are row-major and divided by rows, or planes. Kernels leave the cells beyond the first and the last row to the array:
//! for row i they read rows i-1 and i+1. Columns are whole on every device, and kernels handle their edges. Rows of any length
//! work, but on GPUs rows of whole 16-byte vectors are faster.

pub mod cardiac;
pub mod heat2d;
pub mod heat3d;
pub mod jacobi;
mod run;
pub mod s3d;

pub use run::{Application, RegionOptions, Swept, build, build_times, check, find};

use crate::real::Real;
use crate::verify::{Comparison, Verification};
use crate::{Memory, Sizes, memory};
use apportion::HostVec;
use apportion::error::{Error, Result};

/// All applications, in the order in which they are shown.
pub const ALL: &[App] = &[jacobi::APP, heat2d::APP, heat3d::APP, cardiac::APP, s3d::APP];

/// An entry of [`ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct App {
    /// Its name.
    pub name: &'static str,
    /// What it computes, in a line.
    pub summary: &'static str,
    /// The named sizes: the number of rows, of columns and of planes.
    pub sizes: Sizes,
    /// Steps of a run that is measured.
    pub steps: usize,
}

/// The largest error that passes after the usual number of steps: 1e-4 in f32, 1e-12 in f64.
pub fn tolerance<T: Real>() -> f64 {
    T::tolerance(1e-4, 1e-12)
}

/// Compares an array with the expected one: within [`tolerance`] in the 2-norm and in every element, relative to the largest.
/// Arrays of different lengths differ.
pub fn compare<T: Real>(name: &'static str, row_len: usize, got: &[T], expected: &[T]) -> Verification {
    let mut comparison = Comparison::new(name, row_len);
    for i in 0..got.len().max(expected.len()) {
        let at = |array: &[T]| array.get(i).map_or(f64::NAN, |x| x.to_f64());
        comparison.add(i, at(got), at(expected));
    }
    comparison.finish(tolerance::<T>())
}

/// The number of elements of an array with these extents; an error if an extent is below `least`.
fn elements(name: &str, extents: &[usize], least: usize) -> Result<usize> {
    if let Some(short) = extents.iter().find(|&&extent| extent < least) {
        return Err(Error::call(format!(
            "application `{name}` needs at least {least} cells in each direction, not {short}"
        )));
    }
    let cells = extents.iter().try_fold(1usize, |cells, &extent| cells.checked_mul(extent));
    // Indices are signed on devices, and bytes are counted too.
    cells
        .filter(|&cells| cells <= usize::MAX >> 8)
        .ok_or_else(|| Error::TooLarge(format!("application `{name}`: {extents:?} cells are too many to be counted")))
}

/// A zeroed array of an application.
fn array<T: Real>(name: &str, n: usize, len: usize, memory: Memory) -> Result<HostVec<T>> {
    memory::require(name, n, len.checked_mul(size_of::<T>()))?;
    memory::zeroed(name, n, len, memory)
}

/// Cells per vector in a host body: 64 bytes of f32.
const LANES: usize = 16;

/// Blocks that keep a GPU busy: eight on each of the 132 multiprocessors of an H100 or H200.
const BUSY: usize = 132 * 8;

/// Number of strips into which a CUDA grid with `across` blocks side by side divides `rows` rows: strips of `height` rows, or
/// lower ones if those would leave most of a GPU idle.
fn strips(rows: usize, across: usize, height: usize) -> usize {
    // The limit of a grid's second and third dimension.
    const MOST: usize = 65_535;
    rows.div_ceil(height).max(BUSY / 2 / across.max(1)).min(rows).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_are_as_high_as_wanted_or_keep_a_gpu_busy() {
        assert_eq!(strips(16_384, 32, 16), 1024);
        assert_eq!(strips(512, 1, 16), 512);
        assert_eq!(strips(1, 32, 16), 1);
        assert_eq!(strips(0, 0, 16), 1);
        assert_eq!(strips(usize::MAX, 1, 16), 65_535);
        for rows in 1..2000 {
            let strips = strips(rows, 4, 16);
            assert!(strips <= rows && rows.div_ceil(strips) <= 16, "{rows} rows in {strips} strips");
        }
    }

    #[test]
    fn extents_are_checked() {
        assert_eq!(elements("x", &[3, 4, 5], 3).unwrap(), 60);
        assert!(
            elements("x", &[4, 2], 3).unwrap_err().to_string().contains("at least 3 cells in each direction, not 2")
        );
        assert!(matches!(elements("x", &[1 << 40, 1 << 40], 3), Err(Error::TooLarge(_))));
        assert!(matches!(elements("x", &[1 << 30, 1 << 30], 3), Err(Error::TooLarge(_))));
    }

    #[test]
    fn comparing_finds_a_wrong_a_missing_and_a_spare_element() {
        assert!(compare("x", 2, &[1.0, 2.0], &[1.0, 2.0]).ok);
        for wrong in [&[1.0, 2.1][..], &[1.0], &[1.0, 2.0, 0.0], &[1.0, f64::NAN]] {
            let verified = compare("x", 2, wrong, &[1.0, 2.0]);
            assert!(!verified.ok && verified.mismatch.is_some(), "{wrong:?}");
        }
    }
}
