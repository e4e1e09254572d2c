//! Copies and fills.

use crate::boxes::{BoxCopy, End};
use crate::codes::*;
use crate::memory::Life;
use crate::operations::Operation;
use crate::state::{Handle, Held, State, in_context};
use std::ffi::{c_uint, c_void};

/// Whether a device range can be named in a copy: not one that was never allocated, or that is out of reach. A freed one can; the
/// copy then fails when it runs.
fn check(s: &State, address: u64, len: usize, reach: &[i32]) -> Outcome {
    let a = s.memory.allocation(address, len as u64).ok_or(INVALID_VALUE)?;
    if a.life == Life::Freed || reach.contains(&a.device) { Ok(()) } else { Err(INVALID_VALUE) }
}

/// Enqueues a copy after its checks. A copy of no bytes does nothing.
fn enqueue(s: &mut Held, context: u64, stream: Handle, len: usize, device: &[u64], what: Operation) -> Outcome {
    let stream = s.stream(stream as u64, context)?;
    if len == 0 {
        return Ok(());
    }
    let owner = s.streams.get(&stream).map_or(context, |stream| stream.context);
    let reach = s.reach(owner);
    device.iter().try_for_each(|address| check(s, *address, len, &reach))?;
    check_host(s, &what)?;
    s.enqueue(stream, what).map(|_| ())
}

/// The host range must lie in one page-locked range or in none, not partly in one.
fn check_host(s: &State, what: &Operation) -> Outcome {
    let Some((start, len)) = what.host_range() else { return Ok(()) };
    let within = |range: &crate::memory::HostRange, first: usize| start - first + len <= range.len;
    let whole = s.memory.host_range(start).is_some_and(|(first, range)| within(range, first));
    if start == 0 || (!whole && s.memory.host_overlaps(start, len)) { Err(INVALID_VALUE) } else { Ok(()) }
}

/// As `enqueue`, in the default stream, and waits for it.
fn at_once(s: &mut Held, context: u64, len: usize, device: &[u64], what: Operation) -> Outcome {
    enqueue(s, context, std::ptr::null_mut(), len, device, what)?;
    let tail = s.tail(s.context(context)?.default_stream);
    s.wait(tail.as_slice());
    s.lost(context)
}

fn host_to_device(to: u64, from: *const c_void, len: usize) -> Operation {
    Operation::HostToDevice { to, from: from as usize, len }
}

fn device_to_host(to: *mut c_void, from: u64, len: usize) -> Operation {
    Operation::DeviceToHost { to: to as usize, from, len }
}

fn device_to_device(to: u64, from: u64, len: usize) -> Operation {
    Operation::DeviceToDevice { to, from, len: len as u64 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, len: usize, stream: Handle) -> Code {
    in_context("cuMemcpyHtoDAsync_v2", |s, context| {
        enqueue(s, context, stream, len, &[to], host_to_device(to, from, len))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, len: usize, stream: Handle) -> Code {
    in_context("cuMemcpyDtoHAsync_v2", |s, context| {
        enqueue(s, context, stream, len, &[from], device_to_host(to, from, len))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, len: usize, stream: Handle) -> Code {
    in_context("cuMemcpyDtoDAsync_v2", |s, context| {
        enqueue(s, context, stream, len, &[to, from], device_to_device(to, from, len))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, len: usize) -> Code {
    in_context("cuMemcpyHtoD_v2", |s, context| at_once(s, context, len, &[to], host_to_device(to, from, len)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, len: usize) -> Code {
    in_context("cuMemcpyDtoH_v2", |s, context| at_once(s, context, len, &[from], device_to_host(to, from, len)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoD_v2(to: u64, from: u64, len: usize) -> Code {
    in_context("cuMemcpyDtoD_v2", |s, context| at_once(s, context, len, &[to, from], device_to_device(to, from, len)))
}

/// Works without peer access too: the driver then copies through the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyPeerAsync(
    to: u64,
    to_context: Handle,
    from: u64,
    from_context: Handle,
    len: usize,
    stream: Handle,
) -> Code {
    in_context("cuMemcpyPeerAsync", |s, context| {
        let to_device = s.context(to_context as u64)?.device;
        let from_device = s.context(from_context as u64)?.device;
        let stream = s.stream(stream as u64, context)?;
        if len == 0 {
            return Ok(());
        }
        check(s, to, len, &[to_device])?;
        check(s, from, len, &[from_device])?;
        s.enqueue(stream, Operation::Peer { to, to_device, from, from_device, len: len as u64 }).map(|_| ())
    })
}

/// One side of a `CUDA_MEMCPY3D_PEER`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Side {
    pub x: usize,
    pub y: usize,
    pub z: usize,
    pub level: usize,
    pub memory: c_uint,
    pub host: *mut c_void,
    pub device: u64,
    pub array: *mut c_void,
    pub context: Handle,
    pub pitch: usize,
    pub height: usize,
}

/// `CUDA_MEMCPY3D_PEER`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Copy3d {
    pub from: Side,
    pub to: Side,
    pub width: usize,
    pub height: usize,
    pub depth: usize,
}

pub const MEMORY_HOST: c_uint = 1;
pub const MEMORY_DEVICE: c_uint = 2;

/// CU_DEVICE_ATTRIBUTE_MAX_PITCH of NVIDIA's GPUs.
const MOST_PITCH: usize = i32::MAX as usize;

/// The address of one side. Refuses rows and planes that are closer together than the box is large.
fn end(s: &State, side: &Side, copy: &Copy3d) -> Outcome<End> {
    let rows = copy.height > 1 || copy.depth > 1;
    let narrow = rows && side.x.checked_add(copy.width).is_none_or(|width| width > side.pitch);
    let low = copy.depth > 1 && side.y.checked_add(copy.height).is_none_or(|height| height > side.height);
    if narrow || low || side.level != 0 || side.pitch > MOST_PITCH {
        return Err(INVALID_VALUE);
    }
    let plane = side.pitch.checked_mul(side.height).ok_or(INVALID_VALUE)?;
    let parts = [Some(side.x), side.y.checked_mul(side.pitch), side.z.checked_mul(plane)];
    let offset = parts.into_iter().try_fold(0usize, |sum, part| sum.checked_add(part?)).ok_or(INVALID_VALUE)?;
    let (device, base) = match side.memory {
        MEMORY_HOST => (None, side.host as u64),
        MEMORY_DEVICE => (Some(s.context(side.context as u64)?.device), side.device),
        // CUDA arrays, and pointers whose kind the driver determines itself.
        _ => return Err(NOT_SUPPORTED),
    };
    let start = base.checked_add(offset as u64).ok_or(INVALID_VALUE)?;
    Ok(End { device, start, strides: [side.pitch as u64, plane as u64] })
}

/// Between host and device, on one device, or between two, with or without peer access.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpy3DPeerAsync(copy: *const Copy3d, stream: Handle) -> Code {
    in_context("cuMemcpy3DPeerAsync", |s, context| {
        if copy.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: not null, and by the entry point's contract a description that stays for the call.
        let copy = unsafe { copy.read() };
        let stream = s.stream(stream as u64, context)?;
        if copy.width == 0 || copy.height == 0 || copy.depth == 0 {
            return Ok(());
        }
        let (to, from) = (end(s, &copy.to, &copy)?, end(s, &copy.from, &copy)?);
        let all = BoxCopy { to, from, width: copy.width as u64, counts: [copy.height as u64, copy.depth as u64] };
        if to.device.is_none() && from.device.is_none() {
            return Err(NOT_SUPPORTED);
        }
        for side in [&to, &from] {
            let span = all.span(side).ok_or(INVALID_VALUE)?;
            if let Some(device) = side.device {
                check(s, side.start, usize::try_from(span).map_err(|_| INVALID_VALUE)?, &[device])?;
            }
        }
        let what = Operation::Box(all);
        check_host(s, &what)?;
        s.enqueue(stream, what).map(|_| ())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(to: u64, value: u8, len: usize, stream: Handle) -> Code {
    in_context("cuMemsetD8Async", |s, context| {
        enqueue(s, context, stream, len, &[to], Operation::Set { to, value, len: len as u64 })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8_v2(to: u64, value: u8, len: usize) -> Code {
    in_context("cuMemsetD8_v2", |s, context| {
        at_once(s, context, len, &[to], Operation::Set { to, value, len: len as u64 })
    })
}
