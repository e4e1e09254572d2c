//! A layer over the machine's `libOpenCL.so.1`: it counts what a program holds, and fails where a test asks it to.
//!
//! It has the entry points that the OpenCL backend calls, and passes each on to the library that `APPORTION_STANDIN_OPENCL_UNDER`
//! names, else to `libOpenCL.so.1`. A program opens it by the variable `OPENCL_DYLIB_PATH`.
//!
//! * **A failed call** has no other effect, but that an object is released all the same: nothing could release it later.
//! * **A failed command** does nothing. Its event has an error for its status, and so have those of the commands that wait for it,
//!   which do nothing either.
//! * **A lost device** is one of which a command has failed by [`LOST`]: from then on all calls that enqueue, flush or wait fail.
//!
//! | function | |
//! |---|---|
//! | `void standin_reset(void)` | forgets failures to come, and that the device is lost |
//! | `void standin_fail(const char *, uint64_t, int)` | the n-th next call of this entry point fails, once |
//! | `void standin_fail_when_run(const char *, uint64_t, int)` | the n-th next command that this entry point enqueues |
//! | `void standin_hold(int)` | whether commands are held back until somebody waits or asks for the state of one |
//! | `int64_t standin_count(const char *)` | objects of a kind that are held, `bytes` of buffers, `pending` commands that are held back, `due` failures to come, `calls:` and an entry point; -1 for a name that is none |

// Entry points of a C library, which pass raw pointers on.
#![allow(unsafe_code)]
#![allow(missing_docs, reason = "OpenCL documents them")]
#![allow(clippy::missing_safety_doc, reason = "as above: what a caller of OpenCL promises")]
#![allow(clippy::too_many_arguments, reason = "as OpenCL has them")]

mod api;
mod books;
mod gates;

use books::{books, name};
use std::ffi::{c_char, c_int};

/// The code of a command by which the device is lost: CL_OUT_OF_RESOURCES.
pub const LOST: c_int = -5;

/// Forgets failures to come, and that the device is lost.
#[unsafe(no_mangle)]
pub extern "C" fn standin_reset() {
    books().reset();
}

/// The `nth` next call of an entry point, 1 for the next, fails with a code, once.
///
/// # Safety
/// `entry_point` is a text that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_fail(entry_point: *const c_char, nth: u64, code: c_int) {
    // SAFETY: by this function's contract.
    let entry_point = unsafe { name(entry_point) };
    books().calls.push(books::Fault { entry_point, left: nth.max(1), code });
}

/// The `nth` next command that an entry point enqueues fails when it runs.
///
/// # Safety
/// As [`standin_fail`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_fail_when_run(entry_point: *const c_char, nth: u64, code: c_int) {
    // SAFETY: by this function's contract.
    let entry_point = unsafe { name(entry_point) };
    books().commands.push(books::Fault { entry_point, left: nth.max(1), code });
}

/// Whether commands are held back until somebody waits, or asks for the state of one.
#[unsafe(no_mangle)]
pub extern "C" fn standin_hold(hold: c_int) {
    gates::hold(hold != 0);
}

/// A number out of the books; -1 for a name that is none.
///
/// # Safety
/// As [`standin_fail`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn standin_count(what: *const c_char) -> i64 {
    // SAFETY: by this function's contract.
    let what = unsafe { name(what) };
    if what == "pending" { gates::pending() } else { books().count(&what) }
}
