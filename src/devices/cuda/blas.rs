//! Matrix products through cuBLAS.
#![allow(unsafe_code, reason = "calls cuBLAS")]

use super::driver::{Gpu, Stream};
use super::libraries;
use super::memory::Pools;
use crate::element::ElementType;
use crate::kernel::{DeviceArray, Gemm};
use cudarc::cublas::{result, sys};
use smallvec::SmallVec;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The cuBLAS handles of one GPU. A handle is used by one thread at a time, so there are as many as threads multiply at once: with
/// a single one, threads that copy plain arrays wait for one another.
#[derive(Default)]
pub struct Handles {
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    idle: SmallVec<[Blas; 1]>,
    in_use: usize,
    /// How many were created.
    made: u64,
}

impl Handles {
    /// Enqueues a product. cuBLAS is opened when it is first needed.
    ///
    /// # Errors
    /// As [`Blas::new`] and [`Blas::gemm`].
    pub fn gemm(
        &self,
        (gpu, stream): (&Arc<Gpu>, &Stream),
        pools: &Mutex<Pools>,
        product: Gemm,
        element: ElementType,
        arrays: [DeviceArray; 3],
    ) -> Result<(), String> {
        let mut taken = self.take(gpu, pools)?;
        match &mut taken.blas {
            Some(blas) => blas.gemm(stream, product, element, arrays),
            None => Err("there is no handle of cuBLAS".to_owned()),
        }
    }

    /// How many were created so far: to create one may take longer than a loop.
    pub fn made(&self) -> u64 {
        self.lock().made
    }

    /// Frees those that nobody uses, but for one unless `all` are to go, and tells whether there were such. Each has memory of the
    /// GPU. Waits for what the GPU does.
    pub fn free_idle(&self, all: bool) -> bool {
        let idle: Vec<Blas> = {
            let mut state = self.lock();
            let keep = usize::from(state.in_use == 0 && !all).min(state.idle.len());
            state.idle.drain(keep..).collect()
        };
        // Here, where the handles are no longer locked: the driver waits for their products.
        !idle.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A handle that nobody uses, or a new one. If there is none, free buffers may take the memory for it.
    fn take(&self, gpu: &Arc<Gpu>, pools: &Mutex<Pools>) -> Result<Taken<'_>, String> {
        let mut state = self.lock();
        let mut refused = None;
        loop {
            if let Some(blas) = state.idle.pop() {
                state.in_use += 1;
                return Ok(Taken { handles: self, blas: Some(blas) });
            }
            match refused {
                None => {}
                // There may be too little memory for one more.
                Some(_) if state.in_use > 0 => {
                    state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
                Some(why) => return Err(why),
            }
            // Others go on meanwhile: to create one takes longer than a product does.
            state.in_use += 1;
            drop(state);
            // Its drop also tells that none comes: others wait as long as one may.
            let mut taken = Taken { handles: self, blas: None };
            let made = Blas::new(gpu).or_else(|why| {
                // Where there is no cuBLAS, memory is no remedy.
                let freed = is_there() && pools.lock().unwrap_or_else(PoisonError::into_inner).device.drop_free();
                if freed { Blas::new(gpu) } else { Err(why) }
            });
            match made {
                Ok(blas) => {
                    self.lock().made += 1;
                    taken.blas = Some(blas);
                    return Ok(taken);
                }
                Err(why) => refused = Some(why),
            }
            drop(taken);
            state = self.lock();
        }
    }
}

/// A handle in use.
struct Taken<'h> {
    handles: &'h Handles,
    blas: Option<Blas>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut state = self.handles.lock();
        state.in_use -= 1;
        state.idle.extend(self.blas.take());
        drop(state);
        self.handles.returned.notify_all();
    }
}

/// A cuBLAS handle.
struct Blas {
    handle: sys::cublasHandle_t,
    gpu: Arc<Gpu>,
}

// SAFETY: a handle may go from thread to thread; one at a time uses it (`Handles`).
unsafe impl Send for Blas {}

impl Blas {
    /// Creates a handle on a GPU.
    ///
    /// # Errors
    /// That there is no cuBLAS, or its own error.
    fn new(gpu: &Arc<Gpu>) -> Result<Self, String> {
        libraries::preload_cublas();
        if !is_there() {
            return Err(
                "there is no cuBLAS (libcublas.so.12 or .13): install it (CUDA's toolkit has it, and so has the \
                        package nvidia-cublas of PyPI) and name its folder in APPORTION_CUDA_LIBRARIES"
                    .to_owned(),
            );
        }
        gpu.bind().map_err(|error| error.to_string())?;
        let handle = result::create_handle().map_err(|error| format!("cublasCreate: {error}"))?;
        Ok(Self { handle, gpu: Arc::clone(gpu) })
    }

    /// Enqueues a product. cuBLAS stores matrices by columns, so it computes `C^T = B^T A^T`.
    ///
    /// # Errors
    /// A section that is too short, an unsupported type, sizes beyond cuBLAS's integers, or cuBLAS's own error.
    fn gemm(
        &mut self,
        stream: &Stream,
        product: Gemm,
        element: ElementType,
        [a, b, c]: [DeviceArray; 3],
    ) -> Result<(), String> {
        let Gemm { m, n, k, .. } = product;
        for (name, array, [rows, columns]) in [("A", a, [m, k]), ("B", b, [k, n]), ("C", c, [m, n])] {
            if rows.checked_mul(columns).is_none_or(|wanted| wanted > array.len) {
                return Err(format!(
                    "gemm: {name} is {rows} x {columns}, but its section has {} elements only",
                    array.len
                ));
            }
        }
        if m == 0 || n == 0 {
            return Ok(());
        }
        let int =
            |value: usize| i32::try_from(value).map_err(|_| format!("gemm: {value} is more than cuBLAS can count"));
        let (m, n, k, lead_a, lead_b) = (int(m)?, int(n)?, int(k)?, int(k.max(1))?, int(n)?);
        let none = sys::cublasOperation_t::CUBLAS_OP_N;
        // SAFETY: handle and stream live, and are of the same GPU, whose context is current; the three arrays are as long
        // as the shape needs (checked above) and allocated until the stream has done with them; alpha and beta are read
        // before the call returns.
        let done = unsafe {
            result::set_stream(self.handle, stream.raw().cast())
                .map_err(|error| format!("cublasSetStream: {error}"))?;
            match element {
                ElementType::F32 => result::sgemm(
                    self.handle,
                    none,
                    none,
                    n,
                    m,
                    k,
                    &1.0,
                    b.address as *const f32,
                    lead_b,
                    a.address as *const f32,
                    lead_a,
                    &0.0,
                    c.address as *mut f32,
                    lead_b,
                ),
                ElementType::F64 => result::dgemm(
                    self.handle,
                    none,
                    none,
                    n,
                    m,
                    k,
                    &1.0,
                    b.address as *const f64,
                    lead_b,
                    a.address as *const f64,
                    lead_a,
                    &0.0,
                    c.address as *mut f64,
                    lead_b,
                ),
                other => return Err(format!("gemm: there is no product of {other} here, only of f32 and f64")),
            }
        };
        done.map_err(|error| format!("cuBLAS: {error}"))
    }
}

/// Whether the library can be opened; later calls do not panic then.
fn is_there() -> bool {
    // SAFETY: opens the library of that name, if there is one.
    unsafe { sys::is_culib_present() }
}

impl Drop for Blas {
    fn drop(&mut self) {
        let _ = self.gpu.bind();
        // SAFETY: created once; nothing uses it any more.
        let _ = unsafe { result::destroy_handle(self.handle) };
    }
}
