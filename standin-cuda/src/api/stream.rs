//! Streams: create, wait, query, destroy.

use crate::codes::*;
use crate::operations::{HostFunction, Operation};
use crate::state::{Handle, Held, Out, in_context, releasing};
use crate::streams::Stream;
use std::ffi::{c_int, c_uint, c_void};

const NON_BLOCKING: c_uint = 1;

fn create(s: &mut Held, context: u64, stream: &Out<Handle>, flags: c_uint) -> Outcome {
    if flags > NON_BLOCKING {
        return Err(INVALID_VALUE);
    }
    let (device, handle) = (s.context(context)?.device, s.handle());
    stream.put(handle as Handle)?;
    s.streams.insert(handle, Stream::new(context, device, false, flags == NON_BLOCKING));
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: Out<Handle>, flags: c_uint) -> Code {
    in_context("cuStreamCreate", |s, context| create(s, context, &stream, flags))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: c_uint, _priority: c_int) -> Code {
    in_context("cuStreamCreateWithPriority", |s, context| create(s, context, &stream, flags))
}

/// Returns at once; what the stream still holds runs when another operation or a wait needs it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamDestroy_v2(stream: Handle) -> Code {
    releasing("cuStreamDestroy_v2", |s, _| {
        let id = stream as u64;
        let stream = s.streams.get_mut(&id).filter(|stream| !stream.destroyed && !stream.default);
        let stream = stream.ok_or(INVALID_HANDLE)?;
        stream.destroyed = true;
        if stream.is_idle() {
            s.streams.remove(&id);
        }
        Ok(())
    })
}

/// The stream, and the context whose error counts.
fn find(s: &Held, stream: Handle, current: u64) -> Outcome<(u64, u64)> {
    let id = s.stream(stream as u64, current)?;
    Ok((id, s.streams.get(&id).map_or(current, |stream| stream.context)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(stream: Handle) -> Code {
    in_context("cuStreamSynchronize", |s, context| {
        let (id, owner) = find(s, stream, context)?;
        let tail = s.tail(id);
        s.wait(tail.as_slice());
        s.lost(owner)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamQuery(stream: Handle) -> Code {
    in_context("cuStreamQuery", |s, context| {
        let (id, owner) = find(s, stream, context)?;
        let tail = s.tail(id);
        s.progress(tail.as_slice());
        s.lost(owner)?;
        if tail.is_none_or(|tail| s.done(tail)) { Ok(()) } else { Err(NOT_READY) }
    })
}

/// Waits for the event's last record as of now; an event that was never recorded needs no wait. Stream and event may belong to
/// different devices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: c_uint) -> Code {
    in_context("cuStreamWaitEvent", |s, context| {
        let (id, _) = find(s, stream, context)?;
        match s.event(event as u64)?.recorded {
            Some(place) => s.enqueue(id, Operation::Wait(place)).map(|_| ()),
            None => Ok(()),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamGetCtx(stream: Handle, owner: Out<Handle>) -> Code {
    in_context("cuStreamGetCtx", |s, context| owner.put(find(s, stream, context)?.1 as Handle))
}

/// Not called if the device was lost before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchHostFunc(
    stream: Handle,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
) -> Code {
    in_context("cuLaunchHostFunc", |s, context| {
        let (id, _) = find(s, stream, context)?;
        let function = function.ok_or(INVALID_VALUE)?;
        s.enqueue(id, Operation::Host(HostFunction { function, data: data as usize })).map(|_| ())
    })
}
