//! Ending loops early.

use crate::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Cancels those loops that were given it by [`Loop::cancelled_by`](crate::runtime::Loop::cancelled_by), from any thread. Clones cancel the
/// same loops. A token stays cancelled: the next loop takes a new one.
///
/// ```
/// use apportion::prelude::*;
///
/// let rt = Runtime::detect()?;
/// let token = CancelToken::new();
/// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
/// // Any thread may do so, such as one that waits for the user. `CancelToken::after` is a deadline.
/// let stop = token.clone();
/// std::thread::spawn(move || stop.cancel()).join().unwrap();
/// let ended = rt.parallel_for(0..1_000_000, kernel.bind()).cancelled_by(&token).run();
/// assert!(matches!(ended, Err(Error::Cancelled(_))));
/// // Other loops of the runtime are not concerned.
/// rt.parallel_for(0..1_000_000, kernel.bind()).run()?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancelled: Arc<AtomicBool>,
    /// When it becomes cancelled by itself.
    deadline: Option<Instant>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// A token that becomes cancelled by itself, `time` from now.
    ///
    /// ```
    /// use apportion::prelude::*;
    /// use std::time::Duration;
    ///
    /// let rt = Runtime::detect()?;
    /// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    /// let ended = rt.parallel_for(0..1000, kernel.bind()).cancelled_by(&CancelToken::after(Duration::ZERO)).run();
    /// assert!(matches!(ended, Err(Error::Cancelled(_))));
    /// rt.parallel_for(0..1000, kernel.bind()).cancelled_by(&CancelToken::after(Duration::from_secs(3600))).run()?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn after(time: Duration) -> Self {
        // A time that the clock cannot tell is never over.
        Self { deadline: Instant::now().checked_add(time), ..Self::default() }
    }

    /// Makes the loops that have this token return [`Error::Cancelled`], a running one once the work in progress is done, unless
    /// that was all that was left. No device gets another chunk, or begins another piece of its chunk; on the host's cores each
    /// thread ends its piece, or the whole chunk if the host body divides it itself or the device has one thread.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`CancelToken::cancel`] was called, or the time of [`CancelToken::after`] is over.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Forgets that it was cancelled.
    pub(crate) fn reset(&self) {
        self.cancelled.store(false, Ordering::Relaxed);
    }
}

/// Stops all loops of a [`Runtime`](crate::runtime::Runtime) from another thread, such as a handler of Ctrl-C. A [`CancelToken`] stops
/// those loops that have it.
#[derive(Clone, Debug)]
pub struct CancelHandle(pub(crate) CancelToken);

impl CancelHandle {
    /// As [`CancelToken::cancel`] for the running loop, and for all later ones until
    /// [`Runtime::resume`](crate::runtime::Runtime::resume). A loop of a data region that has begun runs to its end.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether [`CancelHandle::cancel`] was called, and [`Runtime::resume`](crate::runtime::Runtime::resume) was not since.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Who may end a loop early: its runtime, and a token of its own.
#[derive(Clone, Copy, Debug)]
pub struct Cancelling<'c> {
    runtime: &'c CancelToken,
    own: Option<&'c CancelToken>,
}

impl<'c> Cancelling<'c> {
    pub(crate) fn by(runtime: &'c CancelToken, own: Option<&'c CancelToken>) -> Self {
        Self { runtime, own }
    }

    /// Whether one of them did.
    pub fn is_cancelled(&self) -> bool {
        self.runtime.is_cancelled() || self.own.is_some_and(CancelToken::is_cancelled)
    }

    /// Tells who cancelled the loop of a kernel, and how to run further ones.
    pub(crate) fn error(&self, kernel: &str, begun: bool) -> Error {
        let state = if begun { "what it writes is incomplete" } else { "it had not begun" };
        Error::Cancelled(if self.runtime.is_cancelled() {
            by_runtime(kernel, state)
        } else {
            let late = if self.own.is_some_and(CancelToken::is_late) { ", whose time is over" } else { "" };
            format!(
                "kernel `{kernel}`: its loop was cancelled by its token{late}, {state}; a further loop needs a new token"
            )
        })
    }
}

/// What a loop's error says after [`CancelHandle::cancel`].
pub(crate) fn by_runtime(kernel: &str, state: &str) -> String {
    format!(
        "kernel `{kernel}`: its loop was cancelled, {state}; so are all further loops of this runtime until \
         `Runtime::resume` is called"
    )
}
