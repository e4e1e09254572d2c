//! Copies and fills.

use crate::codes::*;
use crate::memory::Life;
use crate::operations::Operation;
use crate::state::{Handle, Held, State, in_context};
use std::ffi::c_void;

/// Whether a device range can be named in a copy: one that was never allocated, or that lies out of reach, cannot. A
/// freed one can; the copy then fails when it runs.
fn check(s: &State, address: u64, len: usize, reach: &[i32]) -> Outcome {
    let a = s.memory.allocation(address, len as u64).ok_or(INVALID_VALUE)?;
    if a.life == Life::Freed || reach.contains(&a.device) { Ok(()) } else { Err(INVALID_VALUE) }
}

/// Enqueues a copy after its checks. Nothing is to be done for no bytes.
fn enqueue(s: &mut Held, context: u64, stream: Handle, len: usize, device: &[u64], what: Operation) -> Outcome {
    let stream = s.stream(stream as u64, context)?;
    if len == 0 {
        return Ok(());
    }
    let owner = s.streams.get(&stream).map_or(context, |stream| stream.context);
    let reach = s.reach(owner);
    device.iter().try_for_each(|address| check(s, *address, len, &reach))?;
    if let Some((start, len)) = what.host_range() {
        // From page-locked memory alone, from other memory alone, but not from here to there.
        let within = |range: &crate::memory::HostRange, first: usize| start - first + len <= range.len;
        let whole = s.memory.host_range(start).is_some_and(|(first, range)| within(range, first));
        if start == 0 || (!whole && s.memory.host_overlaps(start, len)) {
            return Err(INVALID_VALUE);
        }
    }
    s.enqueue(stream, what).map(|_| ())
}

/// The same in the default stream, and waits for it.
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

/// Works without peer access too: the driver then goes through the host.
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
