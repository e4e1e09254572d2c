//! Signals that were ignored when the program started, as `nohup` and scripts with `&` do: they stay so.
#![allow(unsafe_code, reason = "asks what is done with a signal, and ignores it")]

use std::sync::OnceLock;

/// Those that end a program from outside.
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

static AT_START: OnceLock<Vec<libc::c_int>> = OnceLock::new();

/// Looks which are ignored. Called before anything else: libraries may handle signals from when they are loaded, as LLVM does,
/// which PoCL brings.
pub fn look() {
    AT_START.get_or_init(ignored);
}

/// Ignores those again that were ignored at the start.
pub fn restore() {
    ignore(AT_START.get_or_init(ignored));
}

/// Which of them are ignored now.
fn ignored() -> Vec<libc::c_int> {
    let is_ignored = |signal: &libc::c_int| {
        let mut now = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action, this only writes the present one, to a place of its type.
        let asked = unsafe { libc::sigaction(*signal, std::ptr::null(), now.as_mut_ptr()) };
        // SAFETY: it was filled, and all zeros are a value of this type too.
        let now = unsafe { now.assume_init() };
        asked == 0 && now.sa_sigaction == libc::SIG_IGN
    };
    SIGNALS.into_iter().filter(is_ignored).collect()
}

/// Ignores these.
fn ignore(signals: &[libc::c_int]) {
    for signal in signals {
        // SAFETY: no code of this program runs for a signal that is ignored.
        unsafe { libc::signal(*signal, libc::SIG_IGN) };
    }
}
