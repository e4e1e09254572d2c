//! Functions with which a test controls and inspects the stand-in. C functions, prefix `standin_`; texts end with a NUL.
//!
//! | function | |
//! |---|---|
//! | `void standin_reset(void)` | everything as in a new process |
//! | `void standin_set_devices(int)` | else `APPORTION_STANDIN_DEVICES` or 2 |
//! | `void standin_set_memory(uint64_t)` | bytes of each device; else 64 MiB |
//! | `void standin_set_seed(uint64_t)` | of the order among streams |
//! | `void standin_set_ahead(uint32_t)` | of 100 steps, how many may run what no wait needs; else 25 |
//! | `void standin_set_reals(uint32_t)` | 4 or 8: `T` of images that do not tell; else 4 |
//! | `void standin_set_peer_access(int, int, int)` | whether the first device can access the second |
//! | `void standin_fail(const char *, uint64_t, int)` | the n-th next call of this entry point fails, once |
//! | `void standin_fail_when_run(const char *, uint64_t, int)` | the n-th next operation of this kind to run |
//! | `int64_t standin_count(const char *)` | a number out of the books; -1 for a name that is none |
//! | `size_t standin_log(char *, size_t)` | what ran |
//! | `void standin_log_clear(void)` | forgets what ran, and its bytes |
//!
//! `APPORTION_STANDIN_VERSION` is the driver's version, as `cuDriverGetVersion` tells it; else 13000.
//!
//! Kinds of operation: `h2d`, `d2h`, `d2d`, `peer`, `memset`, `kernel`, `record`, `wait`, `alloc`, `free`, `host`.

use crate::codes::Code;
use crate::memory::Life;
use crate::state::{Random, State, guarded};
use std::ffi::{CStr, c_char, c_int};

/// A name from outside; empty for null.
///
/// # Safety
/// Null, or a text that ends with a NUL and stays for the call.
unsafe fn name<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: by this function's contract.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// Forgets everything: contexts and handles (old ones stay invalid), settings, failures to come, the log. Host memory from
/// `cuMemHostAlloc` is no longer known, but stays allocated.
#[unsafe(no_mangle)]
pub extern "C" fn standin_reset() {
    guarded((), |s| **s = State::new());
}

/// How many devices there are. Set it before `cuInit`.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_devices(count: c_int) {
    guarded((), |s| s.config.devices = count.clamp(0, 64));
}

/// Bytes of memory of each device.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_memory(bytes: u64) {
    guarded((), |s| s.config.memory = bytes);
}

/// Seeds the generator that orders streams.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_seed(seed: u64) {
    guarded((), |s| s.random = Random::new(seed));
}

/// Roughly how many of 100 steps may go to streams that no wait needs. 0: an operation runs only if a wait needs it, as late as
/// possible. More: a buffer that is refilled too early shows.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_ahead(percent: u32) {
    guarded((), |s| s.config.ahead = percent.min(100));
}

/// Bytes of a real number, 4 or 8, in modules that do not say. PTX that names `f64` and never `f32` is for double, and so is
/// `standin:f64`.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_reals(bytes: u32) {
    guarded((), |s| s.config.reals = if bytes == 8 { 8 } else { 4 });
}

/// Whether `device` can get access to the memory of `peer`. By default all can.
#[unsafe(no_mangle)]
pub extern "C" fn standin_set_peer_access(device: c_int, peer: c_int, can: c_int) {
    guarded((), |s| {
        if can == 0 {
            s.config.no_access.insert((device, peer));
        } else {
            s.config.no_access.remove(&(device, peer));
        }
    });
}

/// The `nth` next call of an entry point, 1 for the next, fails with a code, once, and has no other effect.
///
/// # Safety
/// `entry_point` is null or a text that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_fail(entry_point: *const c_char, nth: u64, code: Code) {
    // SAFETY: by this function's contract.
    let entry_point = unsafe { name(entry_point) };
    guarded((), |s| s.faults.order_call(entry_point, nth, code));
}

/// The `nth` next operation of a kind to run, 1 for the next, fails with a code. Its context is lost then: every later call gives
/// the code, until the context is released for the last time.
///
/// # Safety
/// `kind` is null or a text that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_fail_when_run(kind: *const c_char, nth: u64, code: Code) {
    // SAFETY: by this function's contract.
    let kind = unsafe { name(kind) };
    guarded((), |s| s.faults.order_operation(kind, nth, code));
}

fn count(s: &State, what: &str) -> Option<u64> {
    let ranges = s.memory.host.values();
    Some(match what {
        "contexts" => s.contexts.len() as u64,
        "allocations" => s.memory.held().count() as u64,
        "allocated_bytes" => s.memory.held().map(|a| a.len).sum(),
        "planned" => s.memory.held().filter(|a| a.life == Life::Planned).count() as u64,
        "page_locked" => ranges.len() as u64,
        "page_locked_bytes" => ranges.map(|range| range.len as u64).sum(),
        "registered" => ranges.filter(|range| !range.allocated).count() as u64,
        "streams" => s.streams.values().filter(|stream| !stream.default && !stream.destroyed).count() as u64,
        "events" => s.events.len() as u64,
        "modules" => s.modules.len() as u64,
        "pending" => s.streams.values().map(|stream| stream.queue.len() as u64).sum(),
        "leaked" => s.leaked,
        "operations" => s.log.0.len() as u64,
        _ => {
            if let Some(entry_point) = what.strip_prefix("calls:") {
                s.faults.calls_of(entry_point)
            } else {
                let kind = what.strip_prefix("bytes:")?;
                s.log.bytes(kind) + if kind == "peer" { s.memory.fetched } else { 0 }
            }
        }
    })
}

/// A count: `contexts`, `allocations`, `allocated_bytes`, `planned` (allocations that their stream has not reached yet),
/// `page_locked`, `page_locked_bytes`, `registered` (of the page-locked ranges), `streams`, `events`, `modules`, `pending`
/// (operations that have not run), `leaked` (things that a context still held when it was released for the last time),
/// `operations` (that ran), `calls:` and an entry point, `bytes:` and a kind of operation; what the kernel `copy_boxes` reads from
/// another device counts as `bytes:peer`.
///
/// # Safety
/// `what` is null or a text that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_count(what: *const c_char) -> i64 {
    // SAFETY: by this function's contract.
    let what = unsafe { name(what) };
    guarded(-1, |s| count(s, what).map_or(-1, |count| count as i64))
}

/// Writes the log of what ran, one operation a line in the order of running, as far as there is room, with a NUL at the end.
/// Returns the length of the whole text without the NUL, so a first call with no room tells how much is needed.
///
/// A line: `enqueued=7 ran=12 device=0 stream=4112 kind=kernel name=axpy bytes=48 start_ns=700 end_ns=1703 code=0`. `enqueued`
/// and `ran` are ticks of one counter: an operation whose `enqueued` is below another's `ran` was in its stream before the other
/// was done. Times are virtual: 1 us an operation and 1 ns for each 16 bytes.
///
/// # Safety
/// There are `room` bytes at `place`, or it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_log(place: *mut c_char, room: usize) -> usize {
    guarded(0, |s| {
        let text = s.log.text();
        if room > 0 && !place.is_null() {
            let len = text.len().min(room - 1);
            // SAFETY: by this function's contract there is room for `len` bytes and the NUL.
            unsafe {
                std::ptr::copy_nonoverlapping(text.as_ptr(), place.cast(), len);
                place.add(len).write(0);
            }
        }
        text.len()
    })
}

/// Forgets what ran; counts of bytes start anew.
#[unsafe(no_mangle)]
pub extern "C" fn standin_log_clear() {
    guarded((), |s| {
        s.log.0.clear();
        s.memory.fetched = 0;
    });
}
