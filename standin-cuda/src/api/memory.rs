//! Device memory and page-locked host memory: allocate and free.

use crate::codes::*;
use crate::memory::{HostRange, Life, POISON};
use crate::operations::Operation;
use crate::state::{Handle, Out, in_context, releasing};
use std::alloc::Layout;
use std::ffi::{c_uint, c_void};

const PAGE: usize = 4096;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) -> Code {
    in_context("cuMemGetInfo_v2", |s, context| {
        let used = s.memory.used(s.context(context)?.device);
        free.put(s.config.memory.saturating_sub(used) as usize)?;
        total.put(s.config.memory as usize)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: Out<u64>, bytes: usize) -> Code {
    in_context("cuMemAlloc_v2", |s, context| {
        let (device, capacity) = (s.context(context)?.device, s.config.memory);
        address.put(s.memory.allocate(device, context, bytes as u64, capacity, Life::Live)?)
    })
}

/// Does not wait for enqueued operations: one that still uses the memory fails when it runs. Null is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> Code {
    releasing("cuMemFree_v2", |s, _| if address == 0 { Ok(()) } else { s.memory.free(address) })
}

/// The address is known at once; operations later in the stream's order may use the memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocAsync(address: Out<u64>, bytes: usize, stream: Handle) -> Code {
    in_context("cuMemAllocAsync", |s, context| {
        let stream = s.stream(stream as u64, context)?;
        let owner = s.streams.get(&stream).map_or(context, |stream| stream.context);
        let device = s.context(owner)?.device;
        let capacity = s.config.memory;
        let mut got = s.memory.allocate(device, owner, bytes as u64, capacity, Life::Planned);
        if got == Err(OUT_OF_MEMORY) {
            // The driver would reuse memory that this stream frees before, so run those operations first.
            let tail = s.tail(stream);
            s.wait(tail.as_slice());
            s.lost(owner)?;
            got = s.memory.allocate(device, owner, bytes as u64, capacity, Life::Planned);
        }
        let start = got?;
        address.put(start)?;
        s.enqueue(stream, Operation::Allocate(start)).map(|_| ())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeAsync(address: u64, stream: Handle) -> Code {
    releasing("cuMemFreeAsync", |s, context| {
        let start = s.memory.allocation(address, 0).filter(|a| a.life != Life::Freed).map(|a| a.start);
        if start != Some(address) {
            return Err(INVALID_VALUE);
        }
        if s.lost(context).is_err() {
            // A lost context runs nothing in stream order any more.
            return s.memory.free(address);
        }
        let stream = s.stream(stream as u64, context)?;
        s.enqueue(stream, Operation::Free(address)).map(|_| ())
    })
}

fn layout(bytes: usize) -> Outcome<Layout> {
    Layout::from_size_align(bytes, PAGE).map_err(|_| OUT_OF_MEMORY)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(place: Out<*mut c_void>, bytes: usize, _flags: c_uint) -> Code {
    in_context("cuMemHostAlloc", |s, context| {
        if bytes == 0 || place.is_null() {
            return Err(INVALID_VALUE);
        }
        let layout = layout(bytes)?;
        // SAFETY: the layout's size is not zero.
        let start = unsafe { std::alloc::alloc(layout) };
        if start.is_null() {
            return Err(OUT_OF_MEMORY);
        }
        // SAFETY: `bytes` bytes were allocated there just now.
        unsafe { start.write_bytes(POISON, bytes) };
        s.memory.host.insert(start as usize, HostRange { len: bytes, context, allocated: true });
        place.put(start.cast())
    })
}

/// Does not wait for enqueued operations: a copy that still uses the memory fails when it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(place: *mut c_void) -> Code {
    releasing("cuMemFreeHost", |s, _| {
        let start = place as usize;
        let len = s.memory.host.get(&start).filter(|range| range.allocated).map(|range| range.len);
        let len = len.ok_or(INVALID_VALUE)?;
        let layout = layout(len)?;
        s.memory.host.remove(&start);
        s.doom((start, len));
        // SAFETY: `cuMemHostAlloc` allocated it with this layout, and its entry in the books is gone now, so this
        // happens once. No copy follows its address any more: those that are left are doomed.
        unsafe { std::alloc::dealloc(place.cast(), layout) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostRegister_v2(place: *mut c_void, bytes: usize, _flags: c_uint) -> Code {
    in_context("cuMemHostRegister_v2", |s, context| {
        let start = place as usize;
        if start == 0 || bytes == 0 {
            return Err(INVALID_VALUE);
        }
        if s.memory.host_overlaps(start, bytes) {
            return Err(HOST_MEMORY_ALREADY_REGISTERED);
        }
        s.memory.host.insert(start, HostRange { len: bytes, context, allocated: false });
        Ok(())
    })
}

/// Does not wait for enqueued operations: a copy that still uses the memory fails when it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostUnregister(place: *mut c_void) -> Code {
    releasing("cuMemHostUnregister", |s, _| {
        let start = place as usize;
        let len = s.memory.host.get(&start).filter(|range| !range.allocated).map(|range| range.len);
        let len = len.ok_or(HOST_MEMORY_NOT_REGISTERED)?;
        s.memory.host.remove(&start);
        s.doom((start, len));
        Ok(())
    })
}
