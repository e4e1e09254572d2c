//! Commands that are held back until somebody waits: one that is still to run when a call returns shows in the number of those.

use crate::api::{Any, Code, real};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// CL_QUEUE_CONTEXT.
const CONTEXT: u32 = 0x1090;

struct Gates {
    /// Whether commands are held back.
    closed: bool,
    /// The event that all commands of a context wait for, and how many these are.
    of: BTreeMap<usize, (usize, i64)>,
    /// Events that were waited for. PoCL 3.1 still uses one for a while after it has set it.
    over: Vec<usize>,
}

static GATES: Mutex<Gates> = Mutex::new(Gates { closed: false, of: BTreeMap::new(), over: Vec::new() });

fn gates() -> MutexGuard<'static, Gates> {
    GATES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds commands back from now on, or no longer. All commands before have ended.
pub fn hold(closed: bool) {
    open();
    let mut gates = gates();
    gates.closed = closed;
    for event in gates.over.drain(..) {
        let event: Any = std::ptr::with_exposed_provenance_mut(event);
        // SAFETY: the type is that of `cl.h`; the event is one of `gate_of`, which nobody else releases.
        unsafe { real::<unsafe extern "C" fn(Any) -> Code>("clReleaseEvent")(event) };
    }
}

/// How many commands are held back.
pub fn pending() -> i64 {
    gates().of.values().map(|(_, commands)| commands).sum()
}

/// What a new command of a queue has to wait for.
///
/// # Safety
/// The queue is one.
pub unsafe fn gate_of(queue: Any) -> Option<usize> {
    let mut gates = gates();
    if !gates.closed {
        return None;
    }
    let mut context: Any = std::ptr::null_mut();
    type Info = unsafe extern "C" fn(Any, u32, usize, Any, *mut usize) -> Code;
    // SAFETY: the type is that of `cl.h`; there is room for a context.
    unsafe {
        let room = (&raw mut context).cast();
        real::<Info>("clGetCommandQueueInfo")(queue, CONTEXT, size_of::<Any>(), room, std::ptr::null_mut());
    }
    let gate = gates.of.entry(context.addr()).or_insert_with(|| {
        type Create = unsafe extern "C" fn(Any, *mut Code) -> Any;
        // SAFETY: the type is that of `cl.h`; the queue keeps its context.
        (unsafe { real::<Create>("clCreateUserEvent")(context, std::ptr::null_mut()) }.expose_provenance(), 0)
    });
    gate.1 += 1;
    Some(gate.0)
}

/// Lets all commands run that are held back.
pub fn open() {
    let mut gates = gates();
    for (gate, _) in std::mem::take(&mut gates.of).into_values() {
        let event: Any = std::ptr::with_exposed_provenance_mut(gate);
        // SAFETY: the type is that of `cl.h`; the event is one of `gate_of`.
        unsafe { real::<unsafe extern "C" fn(Any, Code) -> Code>("clSetUserEventStatus")(event, 0) };
        gates.over.push(gate);
    }
}
