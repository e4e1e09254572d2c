//! Events: record, wait, query, and the virtual time between two.

use crate::codes::*;
use crate::operations::Operation;
use crate::state::{Handle, Held, Out, State, in_context, releasing};
use crate::streams::Event;
use std::ffi::c_uint;

const DISABLE_TIMING: c_uint = 2;
/// Blocking, without timing, between processes.
const FLAGS: c_uint = 7;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: Out<Handle>, flags: c_uint) -> Code {
    in_context("cuEventCreate", |s, context| {
        if flags & !FLAGS != 0 {
            return Err(INVALID_VALUE);
        }
        let handle = s.handle();
        event.put(handle as Handle)?;
        s.events.insert(handle, Event { context, timing: flags & DISABLE_TIMING == 0, recorded: None });
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventDestroy_v2(event: Handle) -> Code {
    releasing("cuEventDestroy_v2", |s, _| s.events.remove(&(event as u64)).map(|_| ()).ok_or(INVALID_HANDLE))
}

fn record(s: &mut Held, context: u64, event: Handle, stream: Handle) -> Outcome {
    let id = s.stream(stream as u64, context)?;
    let owner = s.streams.get(&id).map(|stream| stream.context);
    // Both stream and event must belong to the current context.
    if owner != Some(context) || s.event(event as u64)?.context != context {
        return Err(INVALID_HANDLE);
    }
    let place = s.enqueue(id, Operation::Record)?;
    s.events.entry(event as u64).and_modify(|event| event.recorded = Some(place));
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(event: Handle, stream: Handle) -> Code {
    in_context("cuEventRecord", |s, context| record(s, context, event, stream))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecordWithFlags(event: Handle, stream: Handle, _flags: c_uint) -> Code {
    in_context("cuEventRecordWithFlags", |s, context| record(s, context, event, stream))
}

/// An event that was never recorded counts as done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventSynchronize(event: Handle) -> Code {
    in_context("cuEventSynchronize", |s, _| {
        let event = s.event(event as u64)?;
        let (owner, recorded) = (event.context, event.recorded);
        s.wait(recorded.as_slice());
        s.lost(owner)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventQuery(event: Handle) -> Code {
    in_context("cuEventQuery", |s, _| {
        let event = s.event(event as u64)?;
        let (owner, recorded) = (event.context, event.recorded);
        s.progress(recorded.as_slice());
        s.lost(owner)?;
        if recorded.is_none_or(|place| s.done(place)) { Ok(()) } else { Err(NOT_READY) }
    })
}

/// The time of an event, in virtual nanoseconds.
fn time(s: &State, event: &Event) -> Outcome<u64> {
    let place = event.recorded.filter(|_| event.timing).ok_or(INVALID_HANDLE)?;
    s.ends.get(&place.number).copied().filter(|_| s.done(place)).ok_or(NOT_READY)
}

fn elapsed(s: &State, milliseconds: &Out<f32>, start: Handle, end: Handle) -> Outcome {
    let (start, end) = (s.event(start as u64)?, s.event(end as u64)?);
    if start.context != end.context {
        return Err(INVALID_HANDLE);
    }
    milliseconds.put(((time(s, end)? as f64 - time(s, start)? as f64) * 1e-6) as f32)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(milliseconds: Out<f32>, start: Handle, end: Handle) -> Code {
    in_context("cuEventElapsedTime", |s, _| elapsed(s, &milliseconds, start, end))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: Handle, end: Handle) -> Code {
    in_context("cuEventElapsedTime_v2", |s, _| elapsed(s, &milliseconds, start, end))
}
