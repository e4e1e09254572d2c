//! Divides one parallel loop, and the array regions it needs, over every device of a machine at once.
//!
//! The loop's body is one Rust function with the attribute [`kernel`](macro@kernel), which generates the loop for CPU cores,
//! CUDA C for CUDA GPUs and OpenCL C for OpenCL devices; a kernel can also have a hand-written variant for each. Its arrays are
//! mapped as in OpenMP and distributed as in HOMP. A policy decides which device runs which iterations; the runtime copies the
//! rows that each chunk needs, runs the chunk, and copies back the rows that it owns. An array can be any slice; a [`HostVec`]
//! is page-locked where a CUDA device is open, so that GPUs copy it at the full speed of their links.
//!
//! ```
//! use apportion::prelude::*;
//!
//! // What an iteration costs, and which part of each array it needs, follows from the text.
//! #[kernel]
//! fn axpy(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
//!     y[i] += a * x[i];
//! }
//!
//! let (x, mut y) = (vec![1.0f32; 100_000], vec![2.0f32; 100_000]);
//! let rt = Runtime::detect()?;
//! let report = rt.parallel_for(0..x.len(), axpy(3.0, &x, &mut y)).run()?;
//! assert!(y.iter().all(|&y| y == 5.0));
//! println!("{report}"); // who ran what, and when
//! # Ok::<(), apportion::Error>(())
//! ```
//!
//! # From HOMP's and OpenMP's words to ours
//!
//! | HOMP, OpenMP | here |
//! |---|---|
//! | `#pragma omp parallel target` with `parallel for distribute` | [`Runtime::parallel_for`](runtime::Runtime::parallel_for), then [`run`](runtime::Loop::run) |
//! | `device(0:*)`, `device(0:2:HOMP_DEVICE_NVGPU)` | [`Loop::devices`](runtime::Loop::devices) with the same text, see [`devices::specifier`] |
//! | `map(to: x)`, `map(from: y)`, `map(tofrom: y)`, `map(alloc: t)` | [`Bound::to`](kernel::Bound::to), [`from`](kernel::Bound::from), [`tofrom`](kernel::Bound::tofrom), [`alloc`](kernel::Bound::alloc) |
//! | `firstprivate(a)`, a scalar in `map(to: a)` | [`Bound::scalar`](kernel::Bound::scalar) |
//! | `partition([FULL])` | [`Bound::full`](kernel::Bound::full), the default |
//! | `partition([BLOCK])` | [`Bound::block_rows`](kernel::Bound::block_rows) |
//! | `partition([ALIGN(loop)])`, `ALIGN(loop, 16)` | [`Bound::align`](kernel::Bound::align), [`align_rows`](kernel::Bound::align_rows), [`ratio`](kernel::Bound::ratio) |
//! | `halo(1, 1)` of an array that the loop only reads | [`Bound::halo`](kernel::Bound::halo) |
//! | `reduction(+: s)` | [`Loop::reduce`](runtime::Loop::reduce) with [`Reduce::Sum`](kernel::Reduce::Sum) |
//! | `dist_schedule(target: [AUTO])` and its seven algorithms | [`Policy`](sched::Policy), by name: `.policy("SCHED_DYNAMIC:2%")` |
//! | CUTOFF ratio | [`Cutoff`](sched::Cutoff) |
//! | machine description file | [`Machine`](model::Machine), [`Runtime::open`](runtime::Runtime::open) |
//! | proxy, helper or shepherd thread | a proxy |
//! | offloading info, profiling output | [`Report`](runtime::Report) |
//!
//! # Where to go on
//!
//! - [`kernel`](macro@kernel): all of a kernel from one Rust function.
//! - [`kernel`](mod@kernel): bodies, variants, costs, arguments; [`kernel::DeviceSource`] has the calling convention of CUDA C
//!   and OpenCL C, side by side.
//! - [`HostVec`]: arrays made for transfers.
//! - [`runtime`]: loops and what they report.
//! - [`sched`]: the policies, and [`sched::simulate()`], which runs them in virtual time.
//! - [`model::machine`]: the file that says which devices there are and how fast they are.
//! - [`devices`]: the backends and their contract.

mod around;
mod cancel;
pub mod data;
pub mod devices;
pub mod element;
pub mod error;
pub mod kernel;
pub mod model;
pub mod runtime;
pub mod sched;
pub mod space;
pub mod times;
pub mod units;

/// Generates the CPU loop, CUDA C, OpenCL C, cost and maps from a Rust function: see `docs/kernel.md`.
pub use apportion_macros::kernel;
pub use devices::HostVec;
pub use error::{Error, Result};
pub use runtime::region;

/// What most users need: `use apportion::prelude::*`.
pub mod prelude {
    pub use crate::devices::HostVec;
    pub use crate::error::{Error, Result};
    pub use crate::kernel::{Cost, DeviceSource, Grid, In, Kernel, Out, Reduce};
    pub use crate::runtime::region::{Dims, Later};
    pub use crate::runtime::{CancelToken, Report, Runtime};
    pub use crate::sched::{Cutoff, Policy};
    pub use Reduce::{And, Max, Min, Or, Product, Sum};
    #[doc(no_inline)]
    pub use apportion_macros::kernel;
    pub use std::ops::Range;
}

/// The examples of README.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;

/// The examples of docs/regions.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/regions.md")]
pub struct RegionExamples;

/// The examples of docs/explain.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/explain.md")]
pub struct ExplainExamples;

/// The examples of docs/by-hand.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/by-hand.md")]
pub struct ByHandExamples;

/// The examples of docs/kernel.md compile and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/kernel.md")]
pub struct KernelExamples;
