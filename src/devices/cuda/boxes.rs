//! Copies of boxes: between the host and a GPU, on one GPU, from GPU to GPU.
#![allow(unsafe_code, reason = "calls the CUDA driver")]

use super::driver::{Gpu, Stream};
use super::status::{Called, CudaError};
use crate::data::layout::BoxCopy;
use cudarc::driver::sys;
use std::ptr;

/// One end of a copy.
#[derive(Clone, Copy)]
pub enum End<'e> {
    Host(*mut u8),
    Device(&'e Gpu, u64),
}

/// Memory as a description of a copy has it.
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
    /// This stream's context is current. The box lies within both ends, which stay allocated until it is done; nobody uses
    /// what is written meanwhile.
    pub unsafe fn copy_box(&self, to: End<'_>, from: End<'_>, copy: &BoxCopy) -> Result<(), CudaError> {
        let [inner, outer] = copy.counts;
        if copy.bytes() == 0 {
            return Ok(());
        }
        let (target, source) = (to.place(copy.to.offset), from.place(copy.from.offset));
        if !copy.is_contiguous() {
            // Planes are counted in rows, of which each distance between planes is a multiple.
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
