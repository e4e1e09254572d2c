//! The devices' places in a loop: each has a proxy, a thread that runs it, and room for its log.

use crate::devices::crew::{self, Patience};
use crate::error::{Error, Result};
use crate::runtime::proxy::{Log, Proxy};
use crate::runtime::{Member, Runtime};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs `run` on this thread, or on a new one if this is a worker of a rayon pool. While such a worker waits for devices, it
/// runs other jobs of its pool; one that starts a loop would wait for the loop that it interrupts. A new thread runs no jobs.
pub(super) fn outside_of_pools<R: Send>(run: impl FnOnce() -> R + Send) -> Result<R> {
    if rayon::current_thread_index().is_none() {
        return Ok(run());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, run).map_err(|error| {
            Error::call(format!("the system gives no thread for a loop that a pool's job starts: {error}"))
        })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A proxy's place: its device, and room for its log.
// No two seats share a cache line: each is written by a thread of its own.
#[repr(align(128))]
pub(super) struct Seat<'o> {
    pub member: &'o Member,
    pub proxy: Proxy<'o>,
    /// The seat has the loop as one chunk, so short that the caller's thread runs it: a hand-over would take longer.
    pub at_once: bool,
    pub log: Mutex<Log>,
}

/// What the caller's thread does while its device is at work.
pub(super) type Meanwhile<'m> = &'m mut (dyn FnMut() + Send);

impl Seat<'_> {
    fn run(&self, patience: Patience, meanwhile: Meanwhile<'_>) {
        let Some(first) = self.proxy.first() else { return };
        let mut drive = || {
            let _driving = Driving::start(self.member);
            let mut device = self.member.device();
            let log = self.proxy.run(&mut **device, first, meanwhile);
            self.leave(log);
        };
        match self.member.pool.as_ref().filter(|_| !self.at_once) {
            // Inside the device's own pool, so that starting a chunk needs no hand-over.
            Some(pool) => install_attentively(pool, patience, drive),
            None => drive(),
        }
    }

    fn leave(&self, log: Log) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
    }

    /// What a thread other than the caller's does while its device works: it fetches the cache line of its log from the
    /// caller's processor, so that it need not wait for it at the end.
    fn warm(&self) {
        self.leave(Log::default());
    }
}

/// Runs `work` in `pool` and returns when it is done, as `install` does, but polls before it sleeps.
///
/// Waking the caller takes longer than a short loop: rayon does it with a lock held, which the caller then waits for, 5 to 8 µs
/// in all. Between polls the caller yields to the pool's threads.
pub(super) fn install_attentively(pool: &rayon::ThreadPool, patience: Patience, work: impl FnOnce() + Send) {
    let done = AtomicBool::new(false);
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            work();
            done.store(true, Ordering::Release);
        });
        let start = Instant::now();
        while !done.load(Ordering::Acquire) && start.elapsed() < patience.awake() {
            std::thread::yield_now();
        }
    });
}

/// Runs all proxies at once and returns when all are done.
///
/// The caller's thread runs one seat itself, so that a loop on one device costs no thread switch but the device's own. It calls
/// `meanwhile` once its device has work, if it gets any.
pub(super) fn run_all(seats: &[Seat<'_>], patience: Patience, meanwhile: Meanwhile<'_>) {
    let mine = seats.iter().position(|seat| seat.member.pool.is_some()).unwrap_or(0);
    let others = seats.iter().enumerate().filter(|(index, _)| *index != mine);
    let others: SmallVec<[_; 8]> = others.map(|(_, seat)| (&seat.member.thread, seat)).collect();
    let beside_cores = seats.get(mine).is_some_and(|seat| seat.member.pool.is_some());
    let run = |seat: &Seat<'_>| {
        seat.member.stand_aside(beside_cores, Some(seat.proxy.work.kernel));
        seat.run(patience, &mut || seat.warm());
    };
    crew::run_all(&others, patience, &run, || {
        if let Some(seat) = seats.get(mine) {
            seat.run(patience, meanwhile);
        }
    });
}

thread_local! {
    /// The devices that this thread stands for at present, innermost last.
    static DRIVING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, this thread stands for a device, and host bodies may run on it.
pub(super) struct Driving;

impl Driving {
    pub(super) fn start(member: &Member) -> Self {
        DRIVING.with_borrow_mut(|devices| devices.push(std::ptr::from_ref(member).addr()));
        Self
    }
}

impl Drop for Driving {
    fn drop(&mut self) {
        DRIVING.with_borrow_mut(Vec::pop);
    }
}

impl Runtime {
    /// Whether all of a loop's devices have just run one. If only some have, all count as asleep: otherwise a device that AUTO
    /// left out once would be left out of all later short loops, since it alone would have to be woken.
    pub(super) fn all_awake(&self, members: &[&Member]) -> bool {
        // The clock is read only if some device takes time to wake.
        let mut woken = members.iter().filter(|member| member.model.wake.0 > 0.0).peekable();
        woken.peek().is_some() && {
            let now = self.opened.elapsed();
            woken.all(|member| !member.rests(now))
        }
    }

    /// Whether this thread runs a host body of this runtime.
    pub(super) fn is_inside_a_body(&self) -> bool {
        self.members.iter().any(|member| {
            member.pool.as_ref().is_some_and(|pool| pool.current_thread_index().is_some())
                || DRIVING.with_borrow(|devices| devices.contains(&std::ptr::from_ref(member).addr()))
        })
    }

    /// Refuses a loop that a host body of this runtime starts: it would wait for the devices of the outer loop.
    pub(super) fn refuse_inside_a_body(&self, kernel: &str) -> Result<()> {
        if self.is_inside_a_body() {
            return Err(Error::call(format!(
                "kernel `{kernel}`: parallel_for was called inside a host body of the same runtime, whose devices are busy \
                 with the outer loop: call it after that loop"
            )));
        }
        Ok(())
    }
}
