//! CUDA's objects, each freed when dropped. A [`Gpu`] holds a context; all objects of that context keep it alive.
//!
//! Every call that needs a current context binds it first, because threads move from one GPU to another.
#![allow(unsafe_code, reason = "calls the CUDA driver")]

use super::status::{Called, CudaError};
use crate::devices::crew::on_device_thread;
use crate::devices::host_vec::HostVec;
use crate::devices::outside::Outside;
use crate::devices::page_lock::PageLock;
use crate::devices::pool::Allocator;
use cudarc::driver::result;
use cudarc::driver::sys;
use std::collections::{BTreeMap, HashSet};
use std::ffi::{CStr, c_uint, c_void};
use std::fmt;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A GPU's primary context, retained.
pub struct Gpu {
    device: sys::CUdevice,
    context: sys::CUcontext,
    pub ordinal: usize,
    /// An event whose time on the host is known to lie between the two instants.
    base: Mutex<Option<(Arc<Event>, Instant, Instant)>>,
    /// Ordinals of the GPUs from which this one copies directly.
    peers: Mutex<HashSet<usize>>,
    /// Events that nobody has, with times and without: a loop with a replicated array takes one for each part, and frees them before
    /// it returns.
    spare: [Mutex<Vec<Spare>>; 2],
}

/// An event that is to be used again.
struct Spare(sys::CUevent);

// SAFETY: the driver locks; events may be used by any thread.
unsafe impl Send for Spare {}

/// The most that are kept: two replicated arrays of 256 MiB in parts.
const MOST_SPARE: usize = 128;

// SAFETY: a context may be used by any thread that it is current for; `bind` makes it so before each use.
unsafe impl Send for Gpu {}
// SAFETY: as above; the driver locks what its calls share.
unsafe impl Sync for Gpu {}

/// The GPUs that are open in this process. A second device on the same GPU shares its context.
static OPEN: Mutex<Vec<Weak<Gpu>>> = Mutex::new(Vec::new());

/// Why a GPU is not open.
pub enum NotOpen {
    /// A call of the driver failed.
    Driver(CudaError),
    /// A failed kernel has broken the GPU's context, and other users in this process still hold it.
    Broken(CudaError),
}

impl From<CudaError> for NotOpen {
    fn from(error: CudaError) -> Self {
        Self::Driver(error)
    }
}

impl fmt::Display for NotOpen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver(error) => write!(f, "{error}"),
            Self::Broken(error) => write!(
                f,
                "a kernel that failed has broken this GPU for the process ({error}): drop all runtimes and devices that have \
                 it, and the `HostVec`s that were made while it was open, then open it again"
            ),
        }
    }
}

/// The GPUs that are open in this process.
pub fn open_gpus() -> Vec<Arc<Gpu>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
}

impl Gpu {
    /// Opens a GPU by its ordinal, or shares it with its other users. The driver must be started ([`super::discover`]).
    ///
    /// A failed kernel breaks the context for all its users. After they have dropped it, the next `open` gets a new context, and
    /// locks the arrays anew that were page-locked through the old one.
    pub fn open(ordinal: usize) -> Result<Arc<Self>, NotOpen> {
        // Locks in this order, always. An array that is dropped meanwhile waits, so its memory stays until it is locked anew.
        let mut locked = Locked::all();
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|gpu| gpu.strong_count() > 0);
        let mut arrays = Vec::new();
        if let Some(gpu) = open.iter().filter_map(Weak::upgrade).find(|gpu| gpu.ordinal == ordinal) {
            let Err(error) = gpu.bind().and_then(|()| result::ctx::synchronize().called("cuCtxSynchronize")) else {
                return Ok(gpu);
            };
            arrays = locked.iter().filter(|(_, lock)| lock.gpu.ordinal == ordinal).map(|(start, _)| *start).collect();
            // Copies of other GPUs may rely on this context's locks, which end with it.
            let others = open.iter().filter_map(Weak::upgrade).any(|other| other.ordinal != ordinal);
            if Arc::strong_count(&gpu) > 1 + arrays.len() || (others && !arrays.is_empty()) {
                return Err(NotOpen::Broken(error));
            }
        }
        // Only the arrays still hold the old context.
        let arrays: Vec<(usize, usize)> = arrays
            .into_iter()
            .filter_map(|start| {
                let Lock { bytes, gpu } = locked.remove(&start)?;
                // SAFETY: it was registered by `Locked::new`, and no open GPU could be copying it. On a broken context this fails,
                // and the lock ends with the context.
                let _ = unsafe { gpu.unregister(std::ptr::without_provenance_mut(start)) };
                Some((start, bytes))
            })
            .collect();
        let device = result::device::get(ordinal as i32).called("cuDeviceGet")?;
        // SAFETY: `device` is from `get`; released in `drop`.
        let context = unsafe { result::primary_ctx::retain(device) }.called("cuDevicePrimaryCtxRetain")?;
        let gpu = Arc::new(Self {
            device,
            context,
            ordinal,
            base: Mutex::new(None),
            peers: Mutex::default(),
            spare: Default::default(),
        });
        gpu.bind()?;
        for (start, bytes) in arrays {
            // SAFETY: the memory's owner waits for `locked` before it frees it. An array that cannot be locked stays a plain one.
            if unsafe { gpu.register(std::ptr::without_provenance_mut(start), bytes) }.is_ok() {
                locked.insert(start, Lock { bytes, gpu: Arc::clone(&gpu) });
            }
        }
        open.push(Arc::downgrade(&gpu));
        Ok(gpu)
    }

    /// CUDA's handle of its context.
    pub fn context(&self) -> sys::CUcontext {
        self.context
    }

    /// Makes its context current for this thread.
    pub fn bind(&self) -> Result<(), CudaError> {
        if result::ctx::get_current().called("cuCtxGetCurrent")? != Some(self.context) {
            // SAFETY: the context is retained as long as `self` lives.
            unsafe { result::ctx::set_current(self.context) }.called("cuCtxSetCurrent")?;
        }
        Ok(())
    }

    /// Makes its context current again after a library's call, which may have made another one current, even if it failed.
    pub fn after_library(&self, called: Result<(), String>) -> Result<(), String> {
        let bound = self.bind().map_err(|error| error.to_string());
        called.and(bound)
    }

    fn spare(&self, timed: Timed) -> MutexGuard<'_, Vec<Spare>> {
        self.spare[usize::from(timed == Timed::Yes)].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Gpu::bind`], before something is freed. What is not freed now stays allocated for good, so a second try covers a
    /// transient failure, such as one that a test injects.
    fn bind_to_free(&self) {
        let _ = self.bind().or_else(|_| self.bind());
    }

    /// Makes its context current for one call only, because this thread may be in the middle of another GPU's loop.
    fn briefly<R>(&self, call: impl FnOnce() -> R) -> Result<R, CudaError> {
        let before = result::ctx::get_current().ok().flatten();
        self.bind()?;
        let called = call();
        // A caller's thread may have had no context, which is restored. A device's own thread keeps this one.
        if before != Some(self.context) && (before.is_some() || !on_device_thread()) {
            // SAFETY: it was current just now. If it is gone since, nothing needs it.
            let _ = unsafe { result::ctx::set_current(before.unwrap_or(std::ptr::null_mut())) };
        }
        Ok(called)
    }

    /// Undoes [`Gpu::register`], through another GPU where this one's context is broken: a registration is the same for all GPUs.
    /// Whether that was done.
    ///
    /// # Safety
    /// As [`Gpu::unregister`].
    pub unsafe fn unregister_anyhow(&self, start: *mut u8) -> bool {
        // SAFETY: the caller's promise; after one call has succeeded, no other is made.
        let done = |gpu: &Self| unsafe { gpu.unregister(start) }.is_ok();
        done(self) || open_gpus().iter().any(|gpu| gpu.ordinal != self.ordinal && done(gpu))
    }

    /// Bytes that are free, and bytes in total.
    pub fn memory(&self) -> Result<(u64, u64), CudaError> {
        self.bind()?;
        let (free, total) = result::mem_get_info().called("cuMemGetInfo")?;
        Ok((free as u64, total as u64))
    }

    /// An event at most half a second old, whose time on the host is known to lie between the two instants.
    ///
    /// CUDA gives the time between two events in milliseconds as f32, whose resolution after half a second is 30 ns.
    ///
    /// A new one is recorded on `idle`, a stream on which nothing is enqueued and on which an event was recorded before: a stream's
    /// first record takes longer.
    pub fn base(self: &Arc<Self>, idle: &Stream) -> Result<(Arc<Event>, Instant, Instant), CudaError> {
        let mut base = self.base.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((event, before, after)) = base.as_ref().filter(|(_, _, after)| after.elapsed() < HALF_A_SECOND) {
            return Ok((Arc::clone(event), *before, *after));
        }
        let unused = base.take().map(|(event, ..)| event).filter(|event| Arc::strong_count(event) == 1);
        let event = match unused {
            Some(event) => event,
            None => Arc::new(Event::new(self, Timed::Yes)?),
        };
        let again = || {
            let before = Instant::now();
            event.record(idle)?;
            event.synchronize()?;
            Ok((before, Instant::now()))
        };
        // Where the thread lost its core meanwhile, the event may have been at any time of milliseconds.
        let (mut before, mut after) = again()?;
        for _ in 1..TRIES {
            if after - before <= CERTAIN {
                break;
            }
            (before, after) = again()?;
        }
        *base = Some((Arc::clone(&event), before, after));
        Ok((event, before, after))
    }

    /// Whether it copies from `other` directly.
    pub fn pulls_from(&self, other: &Self) -> bool {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner).contains(&other.ordinal)
    }

    /// Notes whether it copies from `other` directly.
    pub fn set_pulls_from(&self, other: &Self, works: bool) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if works {
            peers.insert(other.ordinal)
        } else {
            peers.remove(&other.ordinal)
        };
    }

    /// Enables kernels and copies of this GPU to reach the memory of `other`; `false` where the driver does not allow that.
    pub fn enable_access_to(&self, other: &Self) -> Result<bool, CudaError> {
        let mut can = 0;
        // SAFETY: both devices are from `result::device::get`; `can` is written by the call.
        unsafe { sys::cuDeviceCanAccessPeer(&mut can, self.device, other.device) }
            .result()
            .called("cuDeviceCanAccessPeer")?;
        if can == 0 {
            return Ok(false);
        }
        self.bind()?;
        // SAFETY: the other's context is retained. Access that is already enabled is no error here.
        match unsafe { sys::cuCtxEnablePeerAccess(other.context, 0) } {
            sys::CUresult::CUDA_SUCCESS | sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => Ok(true),
            code => Err(CudaError { call: "cuCtxEnablePeerAccess", code }),
        }
    }

    /// Page-locks memory for all GPUs.
    ///
    /// # Safety
    /// The memory stays allocated until [`Gpu::unregister`].
    pub unsafe fn register(&self, start: *mut u8, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        let register = || unsafe { sys::cuMemHostRegister_v2(start.cast(), bytes, sys::CU_MEMHOSTREGISTER_PORTABLE) };
        self.briefly(register)?.result().called("cuMemHostRegister")
    }

    /// Undoes [`Gpu::register`].
    ///
    /// # Safety
    /// The memory was registered, and no copy uses it.
    pub unsafe fn unregister(&self, start: *mut u8) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        let unregister = || unsafe { sys::cuMemHostUnregister(start.cast()) };
        // With whichever context is current, as the lock belongs to no single context.
        let code = self.briefly(unregister).unwrap_or_else(|_| unregister());
        code.result().called("cuMemHostUnregister")
    }

    /// Whether all these bytes of host memory are page-locked, by anyone in this process.
    pub fn is_page_locked(&self, start: *const u8, bytes: usize) -> bool {
        // CUDA's number of the registration that holds a byte.
        let locked_by = |at: *const u8| {
            use sys::CUpointer_attribute::{CU_POINTER_ATTRIBUTE_BUFFER_ID, CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
            let (mut kind, mut id): (c_uint, u64) = (0, 0);
            let mut attributes = [CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_BUFFER_ID];
            let mut values = [(&raw mut kind).cast::<c_void>(), (&raw mut id).cast()];
            // The call for several attributes: for memory unknown to CUDA it succeeds and gives no kind, where the call for one
            // attribute fails.
            // SAFETY: the call looks the address up and does not read there; two attributes have two values of their types.
            let code = unsafe {
                sys::cuPointerGetAttributes(2, attributes.as_mut_ptr(), values.as_mut_ptr(), at as sys::CUdeviceptr)
            };
            let known = code == sys::CUresult::CUDA_SUCCESS && kind == sys::CUmemorytype::CU_MEMORYTYPE_HOST as c_uint;
            known.then_some(id)
        };
        // Locked as a whole: CUDA refuses a copy across several registrations.
        let as_a_whole = || locked_by(start).is_some_and(|id| locked_by(start.wrapping_add(bytes - 1)) == Some(id));
        // What the runtime locked it knows by itself: each loop asks, and some devices ask in turn.
        bytes > 0 && (Locked::covers(start.addr(), bytes) || (self.bind().is_ok() && as_a_whole()))
    }
}

const HALF_A_SECOND: Duration = Duration::from_millis(500);
/// A recorded event is waited for within some 10 us.
const CERTAIN: Duration = Duration::from_micros(30);
/// How often an event is recorded at most until its time is as certain.
const TRIES: usize = 3;

impl Drop for Gpu {
    fn drop(&mut self) {
        let _restore = Restore::new();
        let base = self.base.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let spare =
            self.spare.each_mut().map(|spare| std::mem::take(spare.get_mut().unwrap_or_else(PoisonError::into_inner)));
        let spare = spare.into_iter().flatten().collect::<Vec<_>>();
        // Before the context is released.
        if base.is_some() || !spare.is_empty() {
            self.bind_to_free();
        }
        drop(base);
        for Spare(event) in spare {
            // SAFETY: nobody else has it.
            let _ = unsafe { result::event::destroy(event) };
        }
        // SAFETY: retained once in `open`; nothing that needs it is left, as all of that holds an `Arc` of this.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// Restores the thread's current context when it is dropped, because the caller's own code may use CUDA. A device's own thread has
/// no other user, so there the context stays for the next loop.
pub struct Restore {
    /// The context to restore; `None` on a device's own thread.
    before: Option<sys::CUcontext>,
}

// SAFETY: a handle that the driver looks up when a thread makes it current, whichever that is.
unsafe impl Send for Restore {}

impl Restore {
    /// Will restore the context that is current now.
    pub fn new() -> Self {
        let before = || result::ctx::get_current().ok().flatten().unwrap_or(std::ptr::null_mut());
        Self { before: (!on_device_thread()).then(before) }
    }

    /// The same, and makes this GPU's context current.
    pub fn bound(gpu: &Gpu) -> Result<Self, CudaError> {
        let now = result::ctx::get_current().called("cuCtxGetCurrent")?;
        let restore = Self { before: (!on_device_thread()).then(|| now.unwrap_or(std::ptr::null_mut())) };
        if now != Some(gpu.context) {
            // SAFETY: the context is retained as long as `gpu` lives.
            unsafe { result::ctx::set_current(gpu.context) }.called("cuCtxSetCurrent")?;
        }
        Ok(restore)
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        let Some(before) = self.before else { return };
        let now = result::ctx::get_current().ok().flatten().unwrap_or(std::ptr::null_mut());
        if now != before {
            // SAFETY: it was current when this was made, or none was. If it is gone since, the driver returns an error.
            let _ = unsafe { result::ctx::set_current(before) };
        }
    }
}

/// Memory that is page-locked for all GPUs until this is dropped.
pub(crate) struct Locked {
    start: *mut u8,
}

// SAFETY: the address is only handed to the driver, which locks.
unsafe impl Send for Locked {}
// SAFETY: as above; there is nothing that a shared reference could do.
unsafe impl Sync for Locked {}

/// A registration of memory, through one GPU.
struct Lock {
    bytes: usize,
    gpu: Arc<Gpu>,
}

/// The registrations, by where their memory starts. Lock this before [`OPEN`], where both are needed.
static LOCKED: Mutex<BTreeMap<usize, Lock>> = Mutex::new(BTreeMap::new());

impl Locked {
    fn all() -> MutexGuard<'static, BTreeMap<usize, Lock>> {
        LOCKED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Page-locks memory that stays until this is dropped; `None` if no GPU is open or the driver refuses.
    pub(crate) fn new(start: *mut u8, bytes: usize) -> Option<Self> {
        for gpu in open_gpus() {
            match Self::by(gpu, start, bytes) {
                Ok(locked) => return Some(locked),
                // Each try may take long, and every GPU would refuse.
                Err(error) if error.refuses_to_lock() => return None,
                // A lost GPU locks nothing; the next GPU may.
                Err(_) => {}
            }
        }
        None
    }

    /// The same through one GPU, whose context ends the lock if it breaks.
    fn by(gpu: Arc<Gpu>, start: *mut u8, bytes: usize) -> Result<Self, CudaError> {
        // SAFETY: the memory stays until this is dropped.
        unsafe { gpu.register(start, bytes) }?;
        Self::all().insert(start.addr(), Lock { bytes, gpu });
        Ok(Self { start })
    }

    /// Whether all these bytes belong to one memory that is locked. Its owner lends them, so the lock stays as long as they are
    /// used. False also while somebody locks: a GPU that is opened locks for long.
    fn covers(start: usize, bytes: usize) -> bool {
        let Ok(all) = LOCKED.try_lock() else { return false };
        let before = all.range(..=start).next_back();
        before.is_some_and(|(first, lock)| bytes <= lock.bytes && start - first <= lock.bytes - bytes)
    }

    /// Whether the memory is still locked: the GPU may have been lost, and have refused to lock it anew when it was opened again.
    pub(crate) fn holds(&self) -> bool {
        Self::all().contains_key(&self.start.addr())
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let lock = Self::all().remove(&self.start.addr());
        if let Some(Lock { gpu, .. }) = lock {
            // SAFETY: registered by `new`, or again by `Gpu::open`; the memory's owner owns this, so no loop borrows it any more.
            unsafe { gpu.unregister_anyhow(self.start) };
        }
    }
}

impl fmt::Debug for Locked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Locked").field("start", &self.start).finish_non_exhaustive()
    }
}

/// An in-order queue of a GPU's work.
pub struct Stream {
    raw: sys::CUstream,
    gpu: Arc<Gpu>,
}

// SAFETY: any thread for which the context is current may use a stream; each method sees to that.
unsafe impl Send for Stream {}
// SAFETY: as above; the driver locks.
unsafe impl Sync for Stream {}

impl Stream {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        gpu.bind()?;
        let raw = result::stream::create(result::stream::StreamKind::NonBlocking).called("cuStreamCreate")?;
        Ok(Self { raw, gpu: Arc::clone(gpu) })
    }

    /// A stream of the highest priority: its work runs before that of other streams where both could run.
    pub fn urgent(gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        gpu.bind()?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both numbers are written by the call.
        unsafe { sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) }
            .result()
            .called("cuCtxGetStreamPriorityRange")?;
        let mut raw = std::ptr::null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        // SAFETY: the context is current; the handle is written by the call.
        unsafe { sys::cuStreamCreateWithPriority(&mut raw, flags, greatest) }
            .result()
            .called("cuStreamCreateWithPriority")?;
        Ok(Self { raw, gpu: Arc::clone(gpu) })
    }

    /// CUDA's handle.
    pub fn raw(&self) -> sys::CUstream {
        self.raw
    }

    /// Waits for everything that is enqueued.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        self.gpu.bind()?;
        self.synchronize_bound()
    }

    /// The same for a thread on which the context is current.
    pub fn synchronize_bound(&self) -> Result<(), CudaError> {
        // SAFETY: the stream lives.
        unsafe { result::stream::synchronize(self.raw) }.called("cuStreamSynchronize")
    }

    /// Makes later work in this stream wait for the event's last record, which may be on another GPU.
    pub fn wait_for(&self, event: &Event) -> Result<(), CudaError> {
        // SAFETY: both live; the event was created with the driver that is loaded.
        unsafe { result::stream::wait_event(self.raw, event.raw, sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT) }
            .called("cuStreamWaitEvent")
    }

    /// Copies host bytes to the device.
    ///
    /// # Safety
    /// The context is current. Until the copy is done, the host's bytes stay valid and unchanged, and the device's stay allocated.
    pub unsafe fn copy_in(&self, device: u64, host: *const u8, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        unsafe { sys::cuMemcpyHtoDAsync_v2(device, host.cast(), bytes, self.raw) }.result().called("cuMemcpyHtoDAsync")
    }

    /// Copies device bytes to the host.
    ///
    /// # Safety
    /// The context is current. Until the copy is done, nothing else uses the host's bytes, and the device's stay allocated.
    pub unsafe fn copy_out(&self, host: *mut u8, device: u64, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        unsafe { sys::cuMemcpyDtoHAsync_v2(host.cast(), device, bytes, self.raw) }.result().called("cuMemcpyDtoHAsync")
    }

    /// Copies from another GPU's memory to this one's.
    ///
    /// # Safety
    /// This stream's context is current. Both ranges stay allocated until the copy is done.
    pub unsafe fn copy_from_peer(&self, to: u64, peer: &Gpu, from: u64, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise; both contexts are retained.
        unsafe { sys::cuMemcpyPeerAsync(to, self.gpu.context, from, peer.context, bytes, self.raw) }
            .result()
            .called("cuMemcpyPeerAsync")
    }

    /// Copies from this GPU's memory to another's.
    ///
    /// # Safety
    /// This stream's context is current. Both ranges stay allocated until the copy is done.
    pub unsafe fn copy_to_peer(&self, to: u64, peer: &Gpu, from: u64, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise; both contexts are retained.
        unsafe { sys::cuMemcpyPeerAsync(to, peer.context, from, self.gpu.context, bytes, self.raw) }
            .result()
            .called("cuMemcpyPeerAsync")
    }

    /// Sets device bytes to 0xff: a NaN as a float.
    ///
    /// # Safety
    /// The context is current. The device's bytes stay allocated until the command is done.
    pub unsafe fn poison(&self, device: u64, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        unsafe { result::memset_d8_async(device, 0xff, bytes, self.raw) }.called("cuMemsetD8Async")
    }

    /// Sets device bytes to zero.
    ///
    /// # Safety
    /// As [`Stream::poison`].
    pub unsafe fn zero(&self, device: u64, bytes: usize) -> Result<(), CudaError> {
        // SAFETY: the caller's promise.
        unsafe { result::memset_d8_async(device, 0, bytes, self.raw) }.called("cuMemsetD8Async")
    }

    /// Starts a kernel.
    ///
    /// # Safety
    /// The context is current. `parameters` point to values of the types that the kernel takes; the memory that the kernel uses
    /// stays allocated until it is done.
    pub unsafe fn launch(
        &self,
        function: Function,
        grid: [u32; 3],
        block: [u32; 3],
        parameters: &mut [*mut c_void],
    ) -> Result<(), CudaError> {
        let [grid, block] = [grid, block].map(|[x, y, z]| (x, y, z));
        // SAFETY: the caller's promise; the function's module is loaded as long as its GPU is open.
        unsafe { result::launch_kernel(function.0, grid, block, 0, self.raw, parameters) }.called("cuLaunchKernel")
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.gpu.bind_to_free();
        // SAFETY: nobody else has it; what is enqueued is still done.
        let _ = unsafe { result::stream::destroy(self.raw) };
    }
}

/// Whether an event records its time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Timed {
    Yes,
    No,
}

/// A CUDA event.
pub struct Event {
    raw: sys::CUevent,
    timed: Timed,
    // Weak, because a GPU itself holds an event.
    gpu: Weak<Gpu>,
}

// SAFETY: the driver locks; events may be queried by any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    pub fn new(gpu: &Arc<Gpu>, timed: Timed) -> Result<Self, CudaError> {
        gpu.bind()?;
        let of = |raw| Self { raw, timed, gpu: Arc::downgrade(gpu) };
        // One that was recorded before is as good as new: it is recorded again before anybody asks.
        if let Some(Spare(raw)) = gpu.spare(timed).pop() {
            return Ok(of(raw));
        }
        let flags = match timed {
            Timed::Yes => sys::CUevent_flags::CU_EVENT_DEFAULT,
            Timed::No => sys::CUevent_flags::CU_EVENT_DISABLE_TIMING,
        };
        result::event::create(flags).called("cuEventCreate").map(of)
    }

    /// Records the event at the stream's present end. The stream's context must be current.
    pub fn record(&self, stream: &Stream) -> Result<(), CudaError> {
        // SAFETY: both live.
        unsafe { result::event::record(self.raw, stream.raw) }.called("cuEventRecord")
    }

    /// Waits until the event is reached.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        // SAFETY: it lives.
        unsafe { result::event::synchronize(self.raw) }.called("cuEventSynchronize")
    }

    /// Nanoseconds since `earlier`, once both events are reached.
    ///
    /// Uses the entry point that every driver has: drivers before 12.8 lack the newer one of the same meaning.
    pub fn nanoseconds_since(&self, earlier: &Self) -> Result<u64, CudaError> {
        type Elapsed = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;
        static ELAPSED: OnceLock<Option<Elapsed>> = OnceLock::new();
        // SAFETY: there is an event, so the library is loaded; the symbol has had this signature since CUDA 2.
        let elapsed =
            ELAPSED.get_or_init(|| unsafe { sys::culib().get::<Elapsed>(b"cuEventElapsedTime\0").ok() }.map(|f| *f));
        let Some(elapsed) = elapsed else {
            return Err(CudaError { call: "cuEventElapsedTime", code: sys::CUresult::CUDA_ERROR_NOT_FOUND });
        };
        let mut ms = 0f32;
        // SAFETY: both events live; `ms` is written by the call.
        unsafe { elapsed(&mut ms, earlier.raw, self.raw) }.result().called("cuEventElapsedTime")?;
        Ok((f64::from(ms) * 1e6).max(0.0) as u64)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Some(gpu) = self.gpu.upgrade() {
            let mut spare = gpu.spare(self.timed);
            if spare.len() < MOST_SPARE {
                return spare.push(Spare(self.raw));
            }
        }
        // SAFETY: nobody else has it; the driver waits with freeing until it is reached.
        let destroy = || unsafe { result::event::destroy(self.raw) };
        // Another GPU may be the last holder, so the event's own context is bound for this call only.
        let there = |gpu: Arc<Gpu>| gpu.briefly(destroy).or_else(|_| gpu.briefly(destroy)).is_ok();
        if !self.gpu.upgrade().is_some_and(there) {
            let _ = destroy();
        }
    }
}

/// Device memory.
pub struct DeviceMemory {
    pub address: u64,
    gpu: Arc<Gpu>,
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        self.gpu.bind_to_free();
        // SAFETY: allocated by `cuMemAlloc`, and nobody else has it.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

impl Gpu {
    /// Memory of so many bytes, at least 1.
    pub fn allocate(self: &Arc<Self>, bytes: usize) -> Result<DeviceMemory, CudaError> {
        self.bind()?;
        // SAFETY: the context is current. What is allocated is written before anybody reads it, or poisoned.
        let address = unsafe { result::malloc_sync(bytes) }.called("cuMemAlloc")?;
        Ok(DeviceMemory { address, gpu: Arc::clone(self) })
    }
}

/// Host memory page-locked for all GPUs.
pub struct PinnedMemory {
    pub start: NonNull<u8>,
    /// The page-locked array that holds the memory; `None` where the driver allocated it.
    huge: Option<HostVec<u8>>,
    gpu: Arc<Gpu>,
}

/// From this size on, page-locked memory uses huge pages, for which the processor needs fewer address translations.
const HUGE_FROM: usize = 1 << 20;
/// Up to this size one thread touches the pages first. Waiting for several threads could make a lane, which holds the pool's lock
/// here, start another lane's work.
const HUGE_TO: usize = 4 << 20;

// SAFETY: it is plain memory that one owner has.
unsafe impl Send for PinnedMemory {}
// SAFETY: a shared reference gives the address only.
unsafe impl Sync for PinnedMemory {}

impl PinnedMemory {
    /// The address for GPUs, if it is the host's address on all of them. It need not be for memory that was allocated first and
    /// locked later.
    pub fn device_address(&self) -> Option<u64> {
        self.huge.is_none().then(|| self.start.as_ptr().expose_provenance() as u64)
    }

    /// Writes the report of no access. No kernel may be using it.
    pub fn say_nothing(&self) {
        // SAFETY: all of this memory is at least as long, and aligned to a page.
        unsafe { self.start.cast::<u64>().write_volatile(Outside::NOTHING) };
    }

    /// The report's contents, after the kernel is done.
    pub fn said(&self) -> u64 {
        // SAFETY: as above.
        unsafe { self.start.cast::<u64>().read_volatile() }
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        if self.huge.is_some() {
            return;
        }
        self.gpu.bind_to_free();
        // SAFETY: allocated by `cuMemHostAlloc`, and no copy uses it any more.
        let _ = unsafe { result::free_host(self.start.as_ptr().cast()) };
    }
}

/// Allocates page-locked host memory through a GPU.
pub struct PinnedBy<'g>(pub &'g Arc<Gpu>);

impl Allocator for PinnedBy<'_> {
    type Buffer = PinnedMemory;
    type Error = CudaError;

    fn allocate(&self, bytes: usize) -> Result<PinnedMemory, CudaError> {
        self.0.bind()?;
        // By this GPU, so that one that breaks has no locks of another's buffers.
        let lock = |start, bytes| Locked::by(Arc::clone(self.0), start, bytes).ok().map(PageLock::from);
        if (HUGE_FROM..=HUGE_TO).contains(&bytes)
            && let Ok(mut memory) = HostVec::<u8>::zeroed_locked_by(bytes.next_multiple_of(2 * HUGE_FROM), lock)
            && memory.is_page_locked()
            && let Some(start) = NonNull::new(memory.as_mut_ptr())
        {
            return Ok(PinnedMemory { start, huge: Some(memory), gpu: Arc::clone(self.0) });
        }
        // Not write-combined, because the host reads results from it.
        // SAFETY: the context is current.
        let start = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) }.called("cuMemHostAlloc")?;
        let start = NonNull::new(start.cast::<u8>())
            .ok_or(CudaError { call: "cuMemHostAlloc", code: sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY })?;
        Ok(PinnedMemory { start, huge: None, gpu: Arc::clone(self.0) })
    }

    fn out_of_memory(error: &CudaError) -> bool {
        error.out_of_memory()
    }
}

/// A loaded image of kernels.
pub struct Module {
    raw: sys::CUmodule,
    gpu: Arc<Gpu>,
}

// SAFETY: any thread for which the context is current may use it; the driver locks.
unsafe impl Send for Module {}

/// A function of a [`Module`], which must outlive the function's use.
#[derive(Clone, Copy)]
pub struct Function(sys::CUfunction);

// SAFETY: a handle that the driver looks up; it locks.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Module {
    /// Loads PTX (ending with a NUL) or a cubin. An error comes with the log of the driver's compiler.
    pub fn load(gpu: &Arc<Gpu>, image: &[u8]) -> Result<Self, (CudaError, String)> {
        gpu.bind().map_err(|error| (error, String::new()))?;
        let mut raw = std::ptr::null_mut();
        let mut log = vec![0u8; 8192];
        let mut options =
            [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(log.len())];
        // SAFETY: the image is PTX with a NUL at its end or an ELF file that knows its length; the log has the length that
        // is said; two options have two values.
        let code = unsafe {
            sys::cuModuleLoadDataEx(&mut raw, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())
        };
        code.result().called("cuModuleLoadDataEx").map_err(|error| {
            let text = CStr::from_bytes_until_nul(&log).map(|text| text.to_string_lossy().trim().to_owned());
            (error, text.unwrap_or_default())
        })?;
        Ok(Self { raw, gpu: Arc::clone(gpu) })
    }

    /// A function by its name.
    pub fn function(&self, name: &CStr) -> Result<Function, CudaError> {
        self.gpu.bind()?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(self.raw, name.to_owned()) };
        function.map(Function).called("cuModuleGetFunction")
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.gpu.bind_to_free();
        // SAFETY: no kernel of it runs any more: a device waits for its sessions before it is dropped.
        let _ = unsafe { result::module::unload(self.raw) };
    }
}

impl Function {
    /// The sizes of its parameters; `None` where the driver is too old to tell (before 12.4).
    pub fn parameter_sizes(self) -> Option<Vec<usize>> {
        type Info = unsafe extern "C" fn(sys::CUfunction, usize, *mut usize, *mut usize) -> sys::CUresult;
        // SAFETY: there is a function, so the library is loaded; the symbol has this signature where it is there.
        let info = unsafe { sys::culib().get::<Info>(b"cuFuncGetParamInfo\0") }.ok()?;
        let mut sizes = Vec::new();
        loop {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function is of a loaded module; both numbers are written by the call.
            match unsafe { info(self.0, sizes.len(), &mut offset, &mut size) } {
                sys::CUresult::CUDA_SUCCESS => sizes.push(size),
                sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Some(sizes),
                _ => return None,
            }
        }
    }

    /// The most threads of a block, as limited by the function's registers and the device.
    pub fn most_threads(self) -> Result<usize, CudaError> {
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        // SAFETY: the function is of a loaded module.
        let most = unsafe { result::function::get_function_attribute(self.0, attribute) };
        most.map(|most| most as usize).called("cuFuncGetAttribute")
    }
}
