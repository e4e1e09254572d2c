//! Kernel variants given as source text.
#![allow(unsafe_code, reason = "who gives a text promises that it stays within its arrays")]

use std::fmt;
use std::sync::Arc;

/// The grid of work-items that runs a chunk.
#[derive(Clone)]
pub struct Grid {
    /// Work-items in a group, per dimension (1 where unused).
    pub group: [usize; 3],
    shape: Arc<dyn Fn(usize, usize) -> [usize; 3] + Send + Sync>,
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid").field("group", &self.group).finish_non_exhaustive()
    }
}

impl Grid {
    /// One work-item per iteration, in groups of `group`.
    pub fn per_iteration(group: usize) -> Self {
        Self::new([group, 1, 1], |iterations| [iterations, 1, 1])
    }

    /// Any shape: `shape` takes the number of iterations of a chunk and gives the least number of work-items per
    /// dimension, which is then rounded up to a multiple of `group`.
    pub fn new(group: [usize; 3], shape: impl Fn(usize) -> [usize; 3] + Send + Sync + 'static) -> Self {
        Self { group: group.map(|g| g.max(1)), shape: Arc::new(move |iterations, _| shape(iterations)) }
    }

    /// The grid of a loop over rows and columns: `shape` takes a piece's numbers of rows and columns.
    pub fn of_rows_and_columns(
        group: [usize; 3],
        shape: impl Fn(usize, usize) -> [usize; 3] + Send + Sync + 'static,
    ) -> Self {
        Self { group: group.map(|g| g.max(1)), shape: Arc::new(shape) }
    }

    /// Work-items per dimension for a chunk of `iterations`, in whole groups.
    pub fn global(&self, iterations: usize) -> [usize; 3] {
        self.global_of(iterations, 1)
    }

    /// Work-items per dimension for a piece of `iterations` rows and `columns` columns.
    pub fn global_of(&self, iterations: usize, columns: usize) -> [usize; 3] {
        let mut shape = (self.shape)(iterations, columns);
        for (size, group) in shape.iter_mut().zip(self.group) {
            let whole = (*size).max(1).checked_next_multiple_of(group);
            // More than any device counts, which then says so.
            *size = whole.unwrap_or(usize::MAX / group * group);
        }
        shape
    }

    /// Number of groups for a chunk of `iterations`.
    pub fn groups(&self, iterations: usize) -> usize {
        self.global(iterations).iter().zip(self.group).map(|(size, group)| size / group).product()
    }
}

/// A kernel variant as source text: CUDA C or OpenCL C.
///
/// Calling convention, the same for every language: the entry function takes
/// 1. `long lo, long hi`: the iterations `lo..hi` to run;
/// 2. for each bound argument in order: a scalar by value; an array as a pointer to the first element of the section
///    on this device, followed by `long first`, the global index of that element (so `x[i - x_first]` is element `i`);
/// 3. for a reduction, a pointer to one partial result per work-group, all of which the kernel writes.
///
/// The global size is rounded up to the group size, so every work-item compares its index with `hi`.
///
/// In a loop over rows and columns ([`parallel_for_2d`](crate::region::DataRegion::parallel_for_2d)) `lo..hi` are the rows,
/// followed by `long lo1, long hi1` for the columns `lo1..hi1`. Each array has a third parameter, `long pitch`, the elements
/// from one row to the next: `x[i * pitch + j - x_first]` is the cell in row `i` and column `j`. [`Grid::of_rows_and_columns`]
/// gives the work-items for both.
///
/// The same things in both languages, and in a host body:
///
/// | | OpenCL C | CUDA C | Rust |
/// |---|---|---|---|
/// | entry | `__kernel void f(..)` | `extern "C" __global__ void f(..)` | a closure |
/// | iterations | `long lo, long hi` | `long lo, long hi` | `range: Range<usize>` |
/// | an index | `lo + get_global_id(0)` | `lo + (long)blockIdx.x * blockDim.x + threadIdx.x` | `for i in range` |
/// | scalar | `float a` | `float a` | `a: f32` |
/// | scalar `usize` | `ulong n` | `unsigned long n` | `n: usize` |
/// | array that is read | `__global const float *x, long x0` | `const float *x, long x0` | `x: In<f32>` |
/// | array that is written | `__global float *y, long y0` | `float *y, long y0` | `mut y: Out<f32>` |
/// | element `i` | `x[i - x0]` | `x[i - x0]` | `x[i]` |
/// | a part of a reduction | `__global double *partial`, in `partial[get_group_id(0)]` | `double *partial`, in `partial[blockIdx.x]` | what the closure returns |
/// | group | `get_local_id(0)`, `__local`, `barrier(CLK_LOCAL_MEM_FENCE)` | `threadIdx.x`, `__shared__`, `__syncthreads()` | |
///
/// CUDA C is compiled by NVRTC for the GPU's own architecture, as C++17. NVRTC has no headers: its built-ins (`min`,
/// `__shfl_down_sync`, `__ldg`, vector types) are there, but an `#include` finds nothing. Options are those of NVRTC, such as
/// `-DREAL=float`. Name the element type `REAL`, for example, not `T`: NVRTC's own declarations have template parameters of
/// that name. `using T = REAL;` in the source is all right.
///
/// The compiler of OpenCL C also gets `-DAPPORTION_CPU=1` where an OpenCL device is a CPU, so a source may hold a second form
/// for the same grid. A good form lets one work-item process its group's elements in vectors (`float16`). The form of GPUs,
/// with local memory and neighbouring work-items at neighbouring elements, is several times slower on CPUs.
#[derive(Clone, Debug)]
pub struct DeviceSource {
    pub(crate) source: Arc<str>,
    pub(crate) entry: Arc<str>,
    pub(crate) options: Arc<str>,
    pub(crate) grid: Grid,
    /// In place of it on OpenCL devices that are CPUs.
    pub(crate) grid_on_cpus: Option<Grid>,
    pub(crate) checks: Checks,
    /// Made by `#[kernel]`: it stays within its arrays only if those were compared with it, which its function does.
    pub(crate) generated: bool,
}

impl DeviceSource {
    /// Source text, its entry function and the grid that runs a chunk.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// const TEXT: &str = "__kernel void twice(long lo, long hi, __global float *x, long x0) {
    ///     long i = lo + get_global_id(0);
    ///     if (i < hi) x[i - x0] *= 2;
    /// }";
    /// // SAFETY: a work-item below `hi` reads and writes element `i` of the array that follows the loop, and nothing else.
    /// let source = unsafe { DeviceSource::new(TEXT, "twice", Grid::per_iteration(64)) };
    /// let twice = Kernel::new("twice").opencl_source(source);
    /// # _ = twice;
    /// ```
    ///
    /// # Safety
    /// The kernel's accesses are not checked, and an OpenCL device may work in the program's own memory. Compiled with its
    /// options, and called as [`DeviceSource`] says by any loop that uses it,
    /// - the kernel reads and writes elements of the sections that it is given, and nothing else;
    /// - in an array that it may write, it writes elements of the chunk's own iterations only: others may be another device's.
    ///
    /// The attribute [`#[kernel]`](macro@crate::kernel) generates sources that meet these conditions.
    pub unsafe fn new(source: impl Into<Arc<str>>, entry: impl Into<Arc<str>>, grid: Grid) -> Self {
        let (source, entry, options) = (source.into(), entry.into(), Arc::from(""));
        Self { source, entry, options, grid, grid_on_cpus: None, checks: Checks::default(), generated: false }
    }

    /// Options for the compiler, such as `-DREAL=float`; split at spaces for NVRTC.
    pub fn options(mut self, options: impl Into<Arc<str>>) -> Self {
        self.options = options.into();
        self
    }

    /// Scalars, by the positions of their arguments, that a source in CUDA C also takes by address: where `APPORTION_LATER` has
    /// the bit of a position (`#if APPORTION_LATER >> 1 & 1`), the parameter is a pointer to the number in the GPU's memory. They
    /// may then be results of earlier loops of a data region for which the host does not wait
    /// ([`Later`](crate::region::Later)). The positions are below 64; more are passed by value.
    ///
    /// # Safety
    /// The source takes each of these scalars by address where its bit is set, and by value where it is not: both have 8 bytes, so
    /// nothing would notice.
    pub unsafe fn takes_later(mut self, scalars: &'static [usize]) -> Self {
        self.checks.late = scalars;
        self
    }

    /// The source text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The entry function.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Options of the compiler.
    pub fn compiler_options(&self) -> &str {
        &self.options
    }

    /// The grid that runs a chunk.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The grid on an OpenCL device, which may be a CPU.
    #[cfg_attr(not(feature = "opencl"), expect(dead_code, reason = "OpenCL alone has such devices"))]
    pub(crate) fn grid_on(&self, cpu: bool) -> &Grid {
        self.grid_on_cpus.as_ref().filter(|_| cpu).unwrap_or(&self.grid)
    }

    /// Additional parameters of a text made by `#[kernel]`.
    #[doc(hidden)]
    pub fn checks(&self) -> Checks {
        self.checks
    }
}

/// Parameters of a text in addition to those that [`DeviceSource`] lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Arguments whose number of elements is passed as `ulong count`, after the index of their first element.
    pub counted: &'static [usize],
    /// Scalars that the text of CUDA takes by address where `APPORTION_LATER` has their bits.
    pub late: &'static [usize],
    /// Whether a parameter is a pointer to a report, `ulong *report`, in which accesses outside of a section are noted.
    pub reports: bool,
    /// Whether the text of CUDA takes a last parameter, three pointers by value, that say where its last group writes the result of
    /// all groups. Only a loop with a result has it.
    pub folds: bool,
}

impl Checks {
    /// Whether the number of elements of an argument is passed.
    pub fn counts(&self, argument: usize) -> bool {
        self.counted.contains(&argument)
    }

    /// Whether a scalar can be taken by address.
    pub fn is_late(&self, argument: usize) -> bool {
        argument < 64 && self.late.contains(&argument)
    }
}
