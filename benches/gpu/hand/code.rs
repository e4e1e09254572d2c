//! What computes a chunk on a GPU: a kernel or cuBLAS.
//!
//! The kernels of axpy, sum, matvec and stencil2d are a text of their own, so that a bad kernel of Apportion's would show. They
//! are simple: copies take tens of times as long as these kernels. bm2d, whose kernel counts, uses the text of Apportion's
//! workload, which is as one writes it by hand for the instruction that adds four differences; there the ratio is one of the
//! host programs alone. So it is for matmul, by cuBLAS in its default mode, without TF32, on both sides.

use super::Sent;
use super::job::{Job, Value};
use crate::driver;
use apportion::kernel::{CudaVariant, Grid};
use cudarc::cublas::{result, sys};
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, LaunchConfig, PushKernelArg};
use std::ops::Range;
use std::sync::Arc;

const TEXT: &str = include_str!("kernels.cu");
/// As in the text: threads of a block; and the elements, or cells of a row, of a thread.
const GROUP: u32 = 256;
const WARP: u32 = 32;
const EACH: u64 = 4;
/// Most blocks of a sum: as many as are on the 132 multiprocessors of an H100 or H200 at once. Each has a part of the sum.
pub const MOST_BLOCKS: usize = 132 * 8;

/// Where a section of an array is on a GPU.
#[derive(Clone, Copy)]
pub struct Place {
    pub address: u64,
    /// The number of the element there.
    pub first: u64,
}

/// What computes a chunk, for one stream at a time.
pub enum Code {
    Kernel { function: CudaFunction, shape: Shape },
    Product(Blas),
}

/// How a kernel's grid follows from the number of iterations.
#[derive(Clone)]
pub enum Shape {
    Elements,
    Sum,
    Rows,
    Cells { columns: u64 },
    Given(Grid),
}

impl Code {
    /// The code of a loop. The runtime has run it before, so that NVRTC and cuBLAS are loaded.
    ///
    /// # Errors
    /// That it does not compile, or that there is none.
    pub fn of(context: &Arc<CudaContext>, job: &Job<'_>) -> Sent<Self> {
        let own = |shape| Ok(Self::Kernel { function: compiled(context, TEXT, job.name, "")?, shape });
        match (job.name, job.code) {
            ("axpy", _) => own(Shape::Elements),
            ("sum", _) => own(Shape::Sum),
            ("matvec", _) => own(Shape::Rows),
            ("stencil2d", _) => own(Shape::Cells { columns: size(job)? }),
            (_, Some(CudaVariant::Source(source))) => {
                let function = compiled(context, source.source(), source.entry(), source.compiler_options())?;
                Ok(Self::Kernel { function, shape: Shape::Given(source.grid().clone()) })
            }
            ("matmul", _) => Ok(Self::Product(Blas::new(context)?)),
            _ => Err(format!("{} is not written by hand here", job.name).into()),
        }
    }

    /// Another for another stream: kernels may be shared, but cuBLAS has a workspace for each handle.
    pub fn again(&self) -> Sent<Self> {
        match self {
            Self::Kernel { function, shape } => Ok(Self::Kernel { function: function.clone(), shape: shape.clone() }),
            Self::Product(blas) => Ok(Self::Product(Blas::new(&blas.context)?)),
        }
    }

    /// Parts of a sum that a chunk leaves.
    pub fn parts(&self, chunk: &Range<u64>) -> usize {
        match self {
            Self::Kernel { shape: shape @ Shape::Sum, .. } => shape.launch(chunk.end - chunk.start).grid_dim.0 as usize,
            _ => 0,
        }
    }

    /// Enqueues a chunk. `places` are those of the arguments, `partials` that of the parts of a sum.
    ///
    /// # Safety
    /// The sections that the chunk needs are at their places until the stream has done with it, and so is room for the parts.
    pub unsafe fn enqueue(
        &self,
        stream: &CudaStream,
        job: &Job<'_>,
        chunk: &Range<u64>,
        places: &[Option<Place>],
        partials: u64,
    ) -> Sent {
        match self {
            Self::Kernel { function, shape } => {
                let words = words(job, chunk, places, partials);
                let mut launch = stream.launch_builder(function);
                for word in &words {
                    launch.arg(word);
                }
                // SAFETY: the caller's promise; the parameters are the kernel's, each in a word of its own.
                unsafe { launch.launch(shape.launch(chunk.end - chunk.start)) }?;
                Ok(())
            }
            // SAFETY: the caller's promise.
            Self::Product(blas) => unsafe { blas.enqueue(stream, job, chunk, places) },
        }
    }
}

fn compiled(context: &Arc<CudaContext>, text: &str, entry: &str, options: &str) -> Sent<CudaFunction> {
    driver::function(context, text, entry, options).map_err(|error| error.to_string().into())
}

/// Rows and columns: the first argument.
fn size(job: &Job<'_>) -> Sent<u64> {
    match job.arguments.first() {
        Some(Value::Scalar(n)) => Ok(*n),
        _ => Err(format!("{} has no size among its arguments", job.name).into()),
    }
}

/// The parameters: the iterations, each argument, and where the parts of a sum go.
fn words(job: &Job<'_>, chunk: &Range<u64>, places: &[Option<Place>], partials: u64) -> Vec<u64> {
    let mut words = vec![chunk.start, chunk.end];
    for (value, place) in job.arguments.iter().zip(places) {
        match (value, place) {
            (Value::Scalar(scalar), _) => words.push(*scalar),
            (Value::Array(_), place) => {
                words.extend(place.map_or([0, 0], |place| [place.address, place.first]));
            }
        }
    }
    if job.reduces {
        words.push(partials);
    }
    words
}

impl Shape {
    fn launch(&self, iterations: u64) -> LaunchConfig {
        let blocks = |threads: u64| threads.div_ceil(u64::from(GROUP)).max(1) as u32;
        let (grid_dim, group) = match self {
            Self::Elements => ((blocks(iterations.div_ceil(EACH)), 1, 1), [GROUP as usize, 1, 1]),
            // Eight vectors a thread, and more where blocks are as many as may be.
            Self::Sum => {
                ((blocks(iterations.div_ceil(8 * EACH)).min(MOST_BLOCKS as u32), 1, 1), [GROUP as usize, 1, 1])
            }
            Self::Rows => ((iterations as u32, 1, 1), [GROUP as usize, 1, 1]),
            Self::Cells { columns } => {
                let across = columns.div_ceil(EACH * u64::from(WARP)) as u32;
                ((across, iterations.div_ceil(u64::from(GROUP / WARP)) as u32, 1), [GROUP as usize, 1, 1])
            }
            Self::Given(grid) => {
                let all = grid.global(iterations as usize);
                let [x, y, z] = [0, 1, 2].map(|d| (all[d] / grid.group[d]) as u32);
                ((x, y, z), grid.group)
            }
        };
        let [x, y, z] = group.map(|threads| threads as u32);
        LaunchConfig { grid_dim, block_dim: (x, y, z), shared_mem_bytes: 0 }
    }
}

/// A cuBLAS handle.
pub struct Blas {
    handle: sys::cublasHandle_t,
    context: Arc<CudaContext>,
}

// SAFETY: a handle may go from thread to thread.
unsafe impl Send for Blas {}
// SAFETY: only the one thread that has its stream enqueues by it.
unsafe impl Sync for Blas {}

impl Blas {
    fn new(context: &Arc<CudaContext>) -> Sent<Self> {
        // SAFETY: looks for the library; calls of it panic where it is not there.
        if !unsafe { sys::is_culib_present() } {
            return Err("there is no cuBLAS".into());
        }
        context.bind_to_thread()?;
        Ok(Self { handle: result::create_handle()?, context: Arc::clone(context) })
    }

    /// `C = A B` for the rows of a chunk. cuBLAS stores matrices by columns, so it computes `C^T = B^T A^T`.
    ///
    /// # Safety
    /// As [`Code::enqueue`].
    unsafe fn enqueue(&self, stream: &CudaStream, job: &Job<'_>, chunk: &Range<u64>, places: &[Option<Place>]) -> Sent {
        let [Some(a), Some(b), Some(c)] = [1, 2, 3].map(|place| places.get(place).copied().flatten()) else {
            return Err("a product needs three matrices".into());
        };
        let n = size(job)?;
        // A and C may have rows before those of the chunk.
        let row = |place: Place| place.address + (chunk.start * n - place.first) * size_of::<f32>() as u64;
        let (rows, n) = (i32::try_from(chunk.end - chunk.start)?, i32::try_from(n)?);
        let none = sys::cublasOperation_t::CUBLAS_OP_N;
        // SAFETY: the caller's promise; stream and handle are of one GPU, whose context is current; alpha and beta are read
        // before the call returns.
        unsafe {
            result::set_stream(self.handle, stream.cu_stream().cast())?;
            let (a, b, c) = (row(a) as *const f32, b.address as *const f32, row(c) as *mut f32);
            result::sgemm(self.handle, none, none, n, rows, n, &1.0, b, n, a, n, &0.0, c, n)?;
        }
        Ok(())
    }
}

impl Drop for Blas {
    fn drop(&mut self) {
        let _ = self.context.bind_to_thread();
        // SAFETY: created once; every run waits for its streams, so nothing uses it any more.
        let _ = unsafe { result::destroy_handle(self.handle) };
    }
}
