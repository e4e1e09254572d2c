//! Copies boxes of cells between the host and a GPU, within a GPU, and between GPUs.
#![allow(unsafe_code, reason = "calls the CUDA driver")]

use super::driver::{Function, Gpu, Stream};
use super::program::{Loader, Programs};
use super::status::{Called, CudaError};
use crate::data::layout::{BoxCopy, CopyRates, Means, bytes_of, cheaper};
use crate::kernel::{DeviceSource, Grid};
use crate::units::{BytesPerSecond, Seconds};
use cudarc::driver::sys;
use smallvec::SmallVec;
use std::ffi::c_void;
use std::ptr;
use std::sync::LazyLock;

/// Costs of copies between GPUs, for the choice between the driver's copies, run by run, and a kernel that gathers. Measured on an
/// H200: see `results/`.
const RATES: CopyRates = CopyRates {
    latency: Seconds(8e-6),
    per_run: Seconds(10e-9),
    transfer: BytesPerSecond(300e9),
    // The kernel reads the other GPU's memory directly, which replaces both gathering and scattering.
    pack: BytesPerSecond(50e9),
    unpack: BytesPerSecond(f64::INFINITY),
};

/// Up to this many bytes the kernel is faster than the driver's copy, by about 10 us on an H200, for any shape.
const SHORT: usize = 2 << 20;

/// Threads of a block.
const GROUP: u32 = 256;

/// Bytes that a thread of the kernel may copy at once, largest first.
const UNITS: [usize; 4] = [16, 8, 4, 1];

/// The driver takes no rows that are further apart.
const MOST_PITCH: usize = i32::MAX as usize;

/// Boxes per launch of the kernel; as in `boxes.cu`.
const BOXES: usize = 4;
/// Parameters of each box.
const OF_A_BOX: usize = 10;

/// The kernel that copies boxes of any shape.
static SOURCE: LazyLock<DeviceSource> = LazyLock::new(|| {
    let grid = Grid::new([GROUP as usize, 1, 1], |_| [GROUP as usize, 1, 1]);
    // SAFETY: it copies the boxes that it is given, each of which was compared with both sections.
    unsafe { DeviceSource::new(include_str!("boxes.cu"), "copy_boxes", grid) }
});

/// Whether the kernel copies these boxes: they are short, or their runs are. Otherwise the driver's own copy is as fast.
pub fn by_kernel(copies: &[BoxCopy]) -> bool {
    let contiguous = || copies.iter().all(BoxCopy::is_contiguous);
    bytes_of(copies) <= SHORT || !(contiguous() || cheaper(copies, &RATES).0 == Means::Strided)
}

/// Boxes collected for one launch of the kernel.
#[derive(Default)]
pub struct Gather {
    parameters: SmallVec<[u64; BOXES * OF_A_BOX]>,
    /// Units of the longest box.
    longest: usize,
}

impl Gather {
    /// Adds a box to be copied from memory that the stream's GPU can reach to its own memory; launches the kernel when it is full.
    ///
    /// # Safety
    /// As [`Stream::copy_box`]; both ends are device memory, aligned to 256 bytes.
    pub unsafe fn add(
        &mut self,
        kernel: Function,
        stream: &Stream,
        to: u64,
        from: u64,
        copy: &BoxCopy,
    ) -> Result<(), CudaError> {
        let sizes = [copy.run, copy.from.offset, copy.to.offset, copy.from.strides[0], copy.from.strides[1]];
        let sizes = || sizes.into_iter().chain(copy.to.strides);
        let unit = UNITS.into_iter().find(|&unit| sizes().all(|size| size.is_multiple_of(unit))).unwrap_or(1);
        let units = copy.run / unit;
        let all = units * copy.runs();
        if all == 0 {
            return Ok(());
        }
        self.longest = self.longest.max(all);
        self.parameters.extend([to + copy.to.offset as u64, from + copy.from.offset as u64]);
        let numbers = [unit, units, copy.counts[0], all];
        self.parameters.extend(numbers.into_iter().chain(copy.to.strides).chain(copy.from.strides).map(|n| n as u64));
        if self.parameters.len() < BOXES * OF_A_BOX {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe { self.flush(kernel, stream) }
    }

    /// Launches the kernel for the boxes that are left.
    ///
    /// # Safety
    /// As [`Gather::add`], for all boxes that were added.
    pub unsafe fn flush(&mut self, kernel: Function, stream: &Stream) -> Result<(), CudaError> {
        let boxes = self.parameters.len() / OF_A_BOX;
        let blocks = self.longest.div_ceil(GROUP as usize).min(i32::MAX as usize) as u32;
        let mut values = std::mem::take(self).parameters;
        if boxes == 0 {
            return Ok(());
        }
        values.resize(BOXES * OF_A_BOX, 0);
        let mut pointers: SmallVec<[*mut c_void; BOXES * OF_A_BOX]> =
            values.iter_mut().map(|value| ptr::from_mut(value).cast()).collect();
        // SAFETY: the kernel takes this many pointers and `long long`, all of 8 bytes, and reads those of `boxes` boxes; the caller
        // answers for these.
        unsafe { stream.launch(kernel, [blocks, boxes as u32, 1], [GROUP, 1, 1], &mut pointers) }
    }
}

/// The kernel for [`Gather`].
///
/// # Errors
/// Where there is no NVRTC to compile it, with its message.
pub fn kernel(programs: &mut Programs, loader: Loader<'_>) -> Result<Function, String> {
    programs.function(loader, &SOURCE)
}

/// One end of a copy.
#[derive(Clone, Copy)]
pub enum End<'e> {
    Host(*mut u8),
    Device(&'e Gpu, u64),
}

/// Memory in the terms of CUDA's copy descriptor.
struct Place {
    kind: sys::CUmemorytype,
    host: *mut u8,
    device: u64,
    context: sys::CUcontext,
}

impl End<'_> {
    fn place(self, offset: usize) -> Place {
        match self {
            Self::Host(start) => Place {
                kind: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
                host: start.wrapping_add(offset),
                device: 0,
                context: ptr::null_mut(),
            },
            Self::Device(gpu, address) => Place {
                kind: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE,
                host: ptr::null_mut(),
                device: address + offset as u64,
                context: gpu.context(),
            },
        }
    }
}

impl Stream {
    /// Copies a box between a GPU and the host, or between GPUs.
    ///
    /// # Safety
    /// This stream's context is current. The box lies within both ends, which stay allocated until the copy is done; nothing else
    /// uses the target meanwhile.
    pub unsafe fn copy_box(&self, to: End<'_>, from: End<'_>, copy: &BoxCopy) -> Result<(), CudaError> {
        let [inner, outer] = copy.counts;
        if copy.bytes() == 0 {
            return Ok(());
        }
        if !copy.is_contiguous() && copy.from.strides[0].max(copy.to.strides[0]) > MOST_PITCH {
            // SAFETY: the caller's promise.
            return copy.rows().try_for_each(|row| unsafe { self.copy_box(to, from, &row) });
        }
        let (target, source) = (to.place(copy.to.offset), from.place(copy.from.offset));
        if !copy.is_contiguous() {
            // The descriptor counts planes in rows; the distance between planes is always a multiple of that between rows.
            let rows = |strides: [usize; 2]| if outer == 1 { inner } else { strides[1] / strides[0].max(1) };
            let all = sys::CUDA_MEMCPY3D_PEER {
                srcXInBytes: 0,
                srcY: 0,
                srcZ: 0,
                srcLOD: 0,
                srcMemoryType: source.kind,
                srcHost: source.host.cast_const().cast(),
                srcDevice: source.device,
                srcArray: ptr::null_mut(),
                srcContext: source.context,
                srcPitch: copy.from.strides[0],
                srcHeight: rows(copy.from.strides),
                dstXInBytes: 0,
                dstY: 0,
                dstZ: 0,
                dstLOD: 0,
                dstMemoryType: target.kind,
                dstHost: target.host.cast(),
                dstDevice: target.device,
                dstArray: ptr::null_mut(),
                dstContext: target.context,
                dstPitch: copy.to.strides[0],
                dstHeight: rows(copy.to.strides),
                WidthInBytes: copy.run,
                Height: inner,
                Depth: outer,
            };
            // SAFETY: the caller's promise; both contexts are retained, and the call reads the description before it returns.
            return unsafe { sys::cuMemcpy3DPeerAsync(&all, self.raw()) }.result().called("cuMemcpy3DPeerAsync");
        }
        // SAFETY: the caller's promise, in each case.
        unsafe {
            match (to, from) {
                (End::Device(..), End::Host(_)) => self.copy_in(target.device, source.host, copy.run),
                (End::Host(_), End::Device(..)) => self.copy_out(target.host, source.device, copy.run),
                (End::Device(at, _), End::Device(peer, _)) if at.ordinal != peer.ordinal => {
                    self.copy_from_peer(target.device, peer, source.device, copy.run)
                }
                (End::Device(..), End::Device(..)) => {
                    let copied = sys::cuMemcpyDtoDAsync_v2(target.device, source.device, copy.run, self.raw());
                    copied.result().called("cuMemcpyDtoDAsync")
                }
                (End::Host(_), End::Host(_)) => {
                    ptr::copy(source.host, target.host, copy.run);
                    Ok(())
                }
            }
        }
    }
}
