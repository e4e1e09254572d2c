//! How a kernel runs on CUDA GPUs: CUDA C source, a compiled image, or a call of a library.
#![allow(unsafe_code, reason = "who gives an image promises that it stays within its arrays")]

use crate::kernel::{DeviceSource, Grid};
use crate::space::IterRange;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

/// The CUDA variant of a kernel.
#[derive(Clone, Debug)]
pub enum CudaVariant {
    /// CUDA C, compiled by NVRTC for the GPU's own architecture, once in a process.
    Source(DeviceSource),
    /// PTX or a cubin.
    Image(DeviceImage),
    /// A function that enqueues the work on a stream itself.
    Call(LibraryCall),
}

impl CudaVariant {
    /// The size of a kernel's groups; library calls choose theirs.
    pub(crate) fn group(&self) -> Option<[usize; 3]> {
        match self {
            Self::Source(source) => Some(source.grid().group),
            Self::Image(image) => Some(image.grid.group),
            Self::Call(_) => None,
        }
    }

    /// What a text is compiled with.
    pub(crate) fn options(&self) -> Option<&str> {
        match self {
            Self::Source(source) => Some(source.compiler_options()),
            Self::Image(_) | Self::Call(_) => None,
        }
    }
}

/// A compiled kernel; its entry is called as [`DeviceSource`] says.
#[derive(Clone)]
pub struct DeviceImage {
    pub(crate) image: Arc<[u8]>,
    pub(crate) entry: Arc<str>,
    pub(crate) grid: Grid,
}

impl DeviceImage {
    /// PTX text or the bytes of a cubin, the name of its entry function, and the grid that runs a chunk.
    ///
    /// # Safety
    /// The kernel meets the conditions of [`DeviceSource::new`].
    pub unsafe fn new(image: impl Into<Vec<u8>>, entry: impl Into<Arc<str>>, grid: Grid) -> Self {
        Self { image: image.into().into(), entry: entry.into(), grid }
    }
}

impl fmt::Debug for DeviceImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceImage")
            .field("bytes", &self.image.len())
            .field("entry", &self.entry)
            .field("grid", &self.grid)
            .finish()
    }
}

type CallBody = dyn Fn(&dyn CudaCall) -> Result<(), String> + Send + Sync;

/// A function that enqueues a chunk's work on the chunk's stream.
#[derive(Clone)]
pub struct LibraryCall {
    body: Arc<CallBody>,
    code: u64,
}

impl LibraryCall {
    /// See [`Kernel::cuda_call`](super::Kernel::cuda_call).
    pub fn new<F: Fn(&dyn CudaCall) -> Result<(), String> + Send + Sync + 'static>(call: F) -> Self {
        Self { body: Arc::new(call), code: super::code::of_type::<F>() }
    }

    /// A hash of the function's type.
    pub(super) fn code(&self) -> u64 {
        self.code
    }

    /// Calls the function for a chunk.
    ///
    /// # Errors
    /// The function's own.
    pub fn enqueue(&self, call: &dyn CudaCall) -> Result<(), String> {
        (self.body)(call)
    }
}

impl fmt::Debug for LibraryCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LibraryCall").finish_non_exhaustive()
    }
}

/// A section of an array in a GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceArray {
    /// Address of its first element on the device (a `CUdeviceptr`).
    pub address: u64,
    /// Index of that element in the whole array.
    pub first: u64,
    /// Elements in the section.
    pub len: usize,
}

/// What a [`LibraryCall`] gets for its chunk. The device's context is current.
pub trait CudaCall {
    /// The iterations to run.
    fn chunk(&self) -> IterRange;

    /// The stream on which to enqueue, a `CUstream`. The call must not wait for it.
    fn stream(&self) -> *mut c_void;

    /// The section of the array bound as argument `argument`; `None` for a scalar.
    fn array(&self, argument: usize) -> Option<DeviceArray>;

    /// Enqueues a matrix product through cuBLAS.
    ///
    /// # Errors
    /// When cuBLAS is missing or fails, or a section is too short.
    fn gemm(&self, product: Gemm) -> Result<(), String>;
}

/// `C = A B` of row-major matrices, each at the start of its argument's section: A has `m` rows and `k` columns, B `k` and `n`,
/// C `m` and `n`. The product is in full precision: f32 is not rounded to TF32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gemm {
    /// Rows of A and C.
    pub m: usize,
    /// Columns of B and C.
    pub n: usize,
    /// Columns of A, rows of B.
    pub k: usize,
    /// Argument that holds A.
    pub a: usize,
    /// Argument that holds B.
    pub b: usize,
    /// Argument that holds C.
    pub c: usize,
}
