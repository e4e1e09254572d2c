//! Primary contexts, the thread's current one, and access to peers.

use crate::codes::*;
use crate::state::{Context, Handle, Held, Out, call, current, in_context, with_current};
use crate::streams::Stream;
use std::collections::BTreeSet;
use std::ffi::{c_int, c_uint};

fn primary(s: &Held, device: c_int) -> Option<u64> {
    s.contexts.iter().find(|(_, context)| context.device == device).map(|(handle, _)| *handle)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: Out<Handle>, device: c_int) -> Code {
    call("cuDevicePrimaryCtxRetain", |s| {
        let device = s.device(device)?;
        let handle = match primary(s, device) {
            Some(handle) => handle,
            None => {
                let (handle, default_stream) = (s.handle(), s.handle());
                s.streams.insert(default_stream, Stream::new(handle, device, true, false));
                let peers = BTreeSet::new();
                s.contexts.insert(handle, Context { device, retained: 0, flags: 0, default_stream, peers, lost: None });
                handle
            }
        };
        context.put(handle as Handle)?;
        s.contexts.entry(handle).and_modify(|context| context.retained += 1);
        Ok(())
    })
}

/// The last release destroys the context with all that it holds, and clears a lost state.
fn release(name: &'static str, device: c_int) -> Code {
    call(name, |s| {
        let device = s.device(device)?;
        let handle = primary(s, device).ok_or(INVALID_CONTEXT)?;
        let context = s.contexts.get_mut(&handle).ok_or(INVALID_CONTEXT)?;
        context.retained -= 1;
        if context.retained == 0 {
            s.destroy(handle);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRelease(device: c_int) -> Code {
    release("cuDevicePrimaryCtxRelease", device)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Code {
    release("cuDevicePrimaryCtxRelease_v2", device)
}

fn set_flags(name: &'static str, device: c_int, flags: c_uint) -> Code {
    call(name, |s| {
        let device = s.device(device)?;
        if let Some(context) = primary(s, device).and_then(|handle| s.contexts.get_mut(&handle)) {
            context.flags = flags;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxSetFlags(device: c_int, flags: c_uint) -> Code {
    set_flags("cuDevicePrimaryCtxSetFlags", device, flags)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) -> Code {
    set_flags("cuDevicePrimaryCtxSetFlags_v2", device, flags)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxGetState(device: c_int, flags: Out<c_uint>, active: Out<c_int>) -> Code {
    call("cuDevicePrimaryCtxGetState", |s| {
        let context = primary(s, s.device(device)?).and_then(|handle| s.contexts.get(&handle));
        flags.put(context.map_or(0, |context| context.flags))?;
        active.put(context.is_some().into())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetCurrent(context: Out<Handle>) -> Code {
    call("cuCtxGetCurrent", |_| context.put(current() as Handle))
}

/// Replaces the top of the thread's stack; null removes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(context: Handle) -> Code {
    call("cuCtxSetCurrent", |s| {
        if !context.is_null() {
            s.context(context as u64)?;
        }
        with_current(|stack| {
            stack.pop();
            stack.extend((!context.is_null()).then_some(context as u64));
        })
        .ok_or(UNKNOWN)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxPushCurrent_v2(context: Handle) -> Code {
    call("cuCtxPushCurrent_v2", |s| {
        s.context(context as u64)?;
        with_current(|stack| stack.push(context as u64)).ok_or(UNKNOWN)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxPopCurrent_v2(context: Out<Handle>) -> Code {
    call("cuCtxPopCurrent_v2", |_| {
        let popped = with_current(Vec::pop).flatten().ok_or(INVALID_CONTEXT)?;
        if context.is_null() { Ok(()) } else { context.put(popped as Handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetDevice(device: Out<c_int>) -> Code {
    in_context("cuCtxGetDevice", |s, context| device.put(s.context(context)?.device))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetFlags(flags: c_uint) -> Code {
    in_context("cuCtxSetFlags", |s, context| {
        s.contexts.entry(context).and_modify(|context| context.flags = flags);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSynchronize() -> Code {
    in_context("cuCtxSynchronize", |s, context| {
        let all = s.tails(context);
        s.wait(&all);
        s.lost(context)
    })
}

/// A lower number is a higher priority. All streams here have the same priority, whatever they ask for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) -> Code {
    in_context("cuCtxGetStreamPriorityRange", |_, _| {
        // Either may be null.
        let _ = least.put(0);
        let _ = greatest.put(-5);
        Ok(())
    })
}

/// The current context may then use the peer's memory, but not the reverse.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxEnablePeerAccess(peer: Handle, flags: c_uint) -> Code {
    in_context("cuCtxEnablePeerAccess", |s, context| {
        let to = s.context(peer as u64)?.device;
        let from = s.context(context)?.device;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        if from == to {
            return Err(INVALID_DEVICE);
        }
        if !s.can_access(from, to) {
            return Err(PEER_ACCESS_UNSUPPORTED);
        }
        let context = s.contexts.get_mut(&context).ok_or(INVALID_CONTEXT)?;
        if context.peers.insert(to) { Ok(()) } else { Err(PEER_ACCESS_ALREADY_ENABLED) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxDisablePeerAccess(peer: Handle) -> Code {
    in_context("cuCtxDisablePeerAccess", |s, context| {
        let to = s.context(peer as u64)?.device;
        let context = s.contexts.get_mut(&context).ok_or(INVALID_CONTEXT)?;
        if context.peers.remove(&to) { Ok(()) } else { Err(PEER_ACCESS_NOT_ENABLED) }
    })
}
