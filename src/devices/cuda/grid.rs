//! Groups and grids within CUDA's limits. The driver says of others only that an argument is invalid.
//!
//! The limits are the same on GPUs of every compute capability ("Technical Specifications per Compute Capability" in NVIDIA's
//! CUDA C++ Programming Guide).

use super::session::Problem;
use crate::error::Phase;
use crate::kernel::{Grid, Kernel};

const AXES: [char; 3] = ['x', 'y', 'z'];
/// Threads of a group along each axis and in all, and groups of a grid along each axis.
const MOST_ALONG: [usize; 3] = [1024, 1024, 64];
const MOST_THREADS: usize = 1024;
const MOST_GROUPS: [usize; 3] = [i32::MAX as usize, 65535, 65535];

/// Compares the size of a kernel's groups with CUDA's limits. How many threads its registers allow is known once it is loaded.
///
/// # Errors
/// What is too much, and the limit.
pub fn check_group(entry: &str, grid: &Grid) -> Result<(), String> {
    let [x, y, z] = grid.group;
    if let Some(axis) = (0..3).find(|&axis| grid.group[axis] > MOST_ALONG[axis]) {
        return Err(format!(
            "the groups of kernel `{entry}` have {} threads along {}; CUDA allows at most {}: use a smaller group in the \
             variant's grid",
            grid.group[axis], AXES[axis], MOST_ALONG[axis]
        ));
    }
    let threads = x * y * z;
    if threads > MOST_THREADS {
        return Err(format!(
            "the groups of kernel `{entry}` have {x} x {y} x {z} = {threads} threads; CUDA allows at most {MOST_THREADS}: use a \
             smaller group in the variant's grid"
        ));
    }
    Ok(())
}

/// The blocks of a piece of this many rows and columns of iterations, by axis and in total.
///
/// # Errors
/// That there are too many along an axis, and the limit.
pub fn blocks(kernel: &Kernel, grid: &Grid, iterations: usize, columns: usize) -> Result<([u32; 3], usize), Problem> {
    let (global, mut size, mut groups) = (grid.global_of(iterations, columns), [1u32; 3], 1usize);
    for (axis, most) in MOST_GROUPS.into_iter().enumerate() {
        let along = global[axis] / grid.group[axis];
        if along > most {
            let why = format!(
                "kernel `{}`: {iterations} iterations are {along} blocks along {} of its CUDA variant's grid; CUDA allows at \
                 most {most}: let each block do more",
                kernel.name(),
                AXES[axis]
            );
            return Err((Phase::Kernel, why));
        }
        size[axis] = along as u32;
        groups = groups.saturating_mul(along);
    }
    Ok((size, groups))
}
