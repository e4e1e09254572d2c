//! Memory of a GPU and page-locked memory of the host, and copies between them.

use super::Sent;
use cudarc::driver::{CudaContext, CudaStream, DriverError, result, sys};
use std::ptr::NonNull;
use std::sync::Arc;

/// Memory of a GPU. By `cuMemAlloc`, as other GPUs do not reach what comes from a pool.
pub struct Buffer {
    pub address: u64,
    context: Arc<CudaContext>,
}

impl Buffer {
    pub fn new(context: &Arc<CudaContext>, bytes: usize) -> Sent<Self> {
        context.bind_to_thread()?;
        // SAFETY: the context is current. What is allocated is written before anything reads it.
        let address = unsafe { result::malloc_sync(bytes.max(1)) }
            .map_err(|error| format!("{:.2} GB of GPU memory: {error}", bytes as f64 / 1e9))?;
        Ok(Self { address, context: Arc::clone(context) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let _ = self.context.bind_to_thread();
        // SAFETY: allocated once, and every run waits for its streams, so nothing uses it any more.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Page-locked memory of the host.
pub struct Pinned {
    start: NonNull<u8>,
    context: Arc<CudaContext>,
}

// SAFETY: it is plain memory that one owner has; the driver frees it from any thread.
unsafe impl Send for Pinned {}
// SAFETY: a shared reference gives the address only.
unsafe impl Sync for Pinned {}

impl Pinned {
    pub fn new(context: &Arc<CudaContext>, bytes: usize) -> Sent<Self> {
        context.bind_to_thread()?;
        // Not write-combined, because the host reads results from it.
        // SAFETY: the context is current.
        let start = unsafe { result::malloc_host(bytes.max(1), sys::CU_MEMHOSTALLOC_PORTABLE) }?;
        let start = NonNull::new(start.cast()).ok_or("the driver gives no page-locked memory")?;
        Ok(Self { start, context: Arc::clone(context) })
    }

    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let _ = self.context.bind_to_thread();
        // SAFETY: allocated once, and every run waits for its copies, so nothing uses it any more.
        let _ = unsafe { result::free_host(self.start().cast()) };
    }
}

/// A part of the host's memory that is page-locked as long as this lives.
pub struct Locked(*mut u8);

impl Locked {
    /// Page-locks memory for all GPUs.
    ///
    /// # Safety
    /// A context is current, here and where it is dropped. The memory stays mapped that long.
    pub unsafe fn new(start: *mut u8, bytes: usize) -> Result<Self, DriverError> {
        // SAFETY: the caller's promise.
        unsafe { sys::cuMemHostRegister_v2(start.cast(), bytes, sys::CU_MEMHOSTREGISTER_PORTABLE) }.result()?;
        Ok(Self(start))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // SAFETY: registered once, by a context that is current; every run waits for its copies before.
        let _ = unsafe { sys::cuMemHostUnregister(self.0.cast()) };
    }
}

/// Copies from the host.
///
/// # Safety
/// The stream's context is current. Both ranges are there, and nothing writes the host's, until the copy is done.
pub unsafe fn up(stream: &CudaStream, to: u64, from: *const u8, bytes: usize) -> Result<(), DriverError> {
    // SAFETY: the caller's promise.
    unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, stream.cu_stream()) }.result()
}

/// Copies to the host.
///
/// # Safety
/// The stream's context is current. Both ranges are there, and nothing else uses the host's, until the copy is done.
pub unsafe fn down(stream: &CudaStream, to: *mut u8, from: u64, bytes: usize) -> Result<(), DriverError> {
    // SAFETY: the caller's promise.
    unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, stream.cu_stream()) }.result()
}

/// Copies from the stream's GPU to another.
///
/// # Safety
/// The stream's context is current. Both ranges are there until the copy is done.
pub unsafe fn pass(
    stream: &CudaStream,
    other: &CudaContext,
    to: u64,
    from: u64,
    bytes: usize,
) -> Result<(), DriverError> {
    let own = stream.context().cu_ctx();
    // SAFETY: the caller's promise; both contexts are retained.
    unsafe { result::memcpy_peer_async(other.cu_ctx(), to, own, from, bytes, stream.cu_stream()) }
}

/// Lets one GPU reach another's memory, if it can: copies between them go through the host otherwise.
pub fn connect(from: &Arc<CudaContext>, to: &Arc<CudaContext>) -> Sent<bool> {
    let mut can = 0;
    // SAFETY: the number is written by the call; both devices are there.
    unsafe { sys::cuDeviceCanAccessPeer(&mut can, from.cu_device(), to.cu_device()) }.result()?;
    if can == 0 {
        return Ok(false);
    }
    from.bind_to_thread()?;
    // SAFETY: the context is current, and the other is retained.
    match unsafe { sys::cuCtxEnablePeerAccess(to.cu_ctx(), 0) } {
        // The runtime shares these contexts and may have connected them before.
        sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => Ok(true),
        code => Ok(code.result().map(|()| true)?),
    }
}

/// Copies to an array of the host that nothing reads soon: past the caches, which then keep what is still to be copied.
///
/// # Safety
/// As [`std::ptr::copy_nonoverlapping`].
pub unsafe fn copy_past_caches(from: *const u8, to: *mut u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
        const LANE: usize = size_of::<__m128i>();
        let before = to.align_offset(LANE).min(bytes);
        let middle = (bytes - before) / LANE * LANE;
        // SAFETY: all offsets are below `bytes`; streaming stores are aligned from `before` on, and part of every x86-64.
        unsafe {
            std::ptr::copy_nonoverlapping(from, to, before);
            for offset in (before..before + middle).step_by(LANE) {
                _mm_stream_si128(to.add(offset).cast(), _mm_loadu_si128(from.add(offset).cast()));
            }
            let done = before + middle;
            std::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
            // Streaming stores are ordered with nothing else: other threads must see them when this thread says it is done.
            _mm_sfence();
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the caller's promise.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_past_the_caches_are_whole_at_any_alignment() {
        let from: Vec<u8> = (0..200).collect();
        for (start, bytes) in [(0, 0), (1, 3), (0, 64), (3, 100), (15, 17), (7, 150)] {
            let mut to = [255u8; 200];
            // SAFETY: both ranges are within their vectors.
            unsafe { copy_past_caches(from.as_ptr(), to[start..].as_mut_ptr(), bytes) };
            assert_eq!(to[start..start + bytes], from[..bytes], "{start}, {bytes}");
            assert!(to[..start].iter().chain(&to[start + bytes..]).all(|&byte| byte == 255));
        }
    }
}
