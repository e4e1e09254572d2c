//! Threads of the host's pool that stay awake for a while after a short chunk.
//!
//! A pool's thread that finds no work sleeps within some 20 µs, and who has work next has to wake it: 5 µs and more of the
//! caller's time for each thread, 40 µs where the cores are a virtual machine's. A loop of short chunks, or short loops one
//! after another, would take several times as long for that. The threads look out for work themselves meanwhile, with the
//! pool's own means, and give way to whatever else wants their core.

use super::crew::{self, Apart};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// Whether something on this thread's stack waits for others of the pool: it must not be held up.
    static AT_WORK: Cell<usize> = const { Cell::new(0) };
}

/// While it lives, this thread does not begin to look out for work: what is below on its stack is waited for.
pub struct AtWork(());

impl AtWork {
    pub fn begin() -> Self {
        AT_WORK.set(AT_WORK.get() + 1);
        Self(())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.set(AT_WORK.get() - 1);
    }
}

/// A thread that is asked to look out does so by then, or has been woken at least.
const COMING: Duration = Duration::from_micros(50);

/// The threads of one pool.
pub struct Lookouts {
    since: Instant,
    /// When the last short chunk ended, in nanoseconds after `since`.
    last: Apart<AtomicU64>,
    /// When they were asked to, in the same way: to ask again before they can have come would only make them work.
    asked: Apart<AtomicU64>,
    /// How many look out now.
    awake: Apart<AtomicUsize>,
    /// Whether each does.
    threads: Vec<Apart<AtomicBool>>,
}

impl Lookouts {
    pub fn new(threads: usize) -> Self {
        Self {
            since: Instant::now(),
            last: Apart::default(),
            asked: Apart::default(),
            awake: Apart::default(),
            threads: (0..threads).map(|_| Apart::default()).collect(),
        }
    }

    fn now(&self) -> u64 {
        self.since.elapsed().as_nanos() as u64
    }

    /// How long after a short chunk they stay awake.
    pub const fn patience() -> Duration {
        crew::lingers(true)
    }

    /// Whether most threads are awake, for all that is known.
    pub fn are_awake(&self) -> bool {
        2 * self.awake.0.load(Ordering::Relaxed) >= self.threads.len()
    }

    /// Called on a thread of the pool when a chunk has ended that was so short that others may follow at once.
    pub fn stay(self: &Arc<Self>) {
        let now = self.now();
        self.last.0.store(now, Ordering::Relaxed);
        // The caller's thread is at work itself.
        let missing = self.awake.0.load(Ordering::Relaxed) + 1 < self.threads.len();
        if missing && now.saturating_sub(self.asked.0.load(Ordering::Relaxed)) > COMING.as_nanos() as u64 {
            self.asked.0.store(now, Ordering::Relaxed);
            let all = Arc::clone(self);
            rayon::spawn_broadcast(move |thread| all.look_out(thread.index()));
        }
    }

    /// Until no chunk has ended for a while.
    fn look_out(&self, index: usize) {
        let Some(looks) = self.threads.get(index) else { return };
        if AT_WORK.get() > 0 || looks.0.swap(true, Ordering::Relaxed) {
            return;
        }
        self.awake.0.fetch_add(1, Ordering::Relaxed);
        let patience = Self::patience().as_nanos() as u64;
        let idle = |now: u64| now.saturating_sub(self.last.0.load(Ordering::Relaxed)) > patience;
        while !idle(self.now()) {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::yield_now();
            }
        }
        self.awake.0.fetch_sub(1, Ordering::Relaxed);
        looks.0.store(false, Ordering::Relaxed);
    }
}
