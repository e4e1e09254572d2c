//! The threads that stand for devices: all threads of a loop are started at once and waited for.
//!
//! A thread stays awake for a while after a loop, where there are cores for it, and the caller polls for a while before it sleeps:
//! to wake a thread takes as long as a short loop on a GPU. A thread pool's scope would do the same job, but its caller goes to
//! sleep if the last part is not yet done at that moment, and is woken under a lock. Handing a job to a pool also takes some
//! microseconds even when its thread is awake, because that thread polls several places. Each thread here polls one place.
#![allow(unsafe_code, reason = "lends what the caller borrows to threads that it waits for")]

use crate::devices::joined::JoinedPool;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use smallvec::SmallVec;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How long a thread stays awake after a loop where there are cores to spare.
const LINGERS: Duration = Duration::from_micros(200);

/// How long a device's thread stays awake after a loop, by whether it `lingers`.
pub const fn lingers(lingers: bool) -> Duration {
    if lingers { LINGERS } else { Patience::Brief.awake() }
}

/// Whether the threads of a runtime stay awake until further notice, however long there is nothing to do: how many ask for it, with
/// the bit [`ENDED`] when the runtime ends.
///
/// All is sequentially consistent: a thread counts itself out and then looks here, and whoever asks then counts the threads.
#[derive(Clone, Default)]
pub struct Vigil(Arc<Apart<AtomicUsize>>);

/// Set when the runtime ends.
const ENDED: usize = 1 << (usize::BITS - 1);

impl Vigil {
    /// One more asks for it.
    pub fn begin(&self) {
        self.0.0.fetch_add(1, Ordering::SeqCst);
    }

    /// One asks for it no longer.
    pub fn end(&self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }

    /// The runtime ends: whoever still asks for it, asks in vain.
    pub fn close(&self) {
        self.0.0.fetch_or(ENDED, Ordering::SeqCst);
    }

    /// Whether anybody asks for it.
    pub fn is_kept(&self) -> bool {
        (1..ENDED).contains(&self.0.0.load(Ordering::SeqCst))
    }
}

/// How a thread waits for others. To sleep and be woken takes 5 to 50 us, as long as the rest of a short loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// There are cores to spare: the thread stays awake for as long as a short loop may last.
    Awake,
    /// The thread polls a few times and yields its core between polls.
    Brief,
}

impl Patience {
    /// How long a thread polls before it sleeps.
    pub const fn awake(self) -> Duration {
        match self {
            Self::Awake => Duration::from_millis(1),
            Self::Brief => Duration::from_micros(30),
        }
    }

    /// Waits between two polls.
    pub fn pause(self) {
        match self {
            Self::Awake => std::hint::spin_loop(),
            Self::Brief => std::thread::yield_now(),
        }
    }
}

/// The thread of one device, started with the runtime. If a loop could not start the thread of one of its devices half-way, the
/// others would be left waiting.
pub struct DeviceThread {
    place: Arc<Place>,
    thread: Thread,
    // The thread belongs to a pool, so that what a host body does in parallel stays on it. It ends when the place is closed.
    _pool: JoinedPool,
}

/// Where a thread finds its parts of loops. There may be several callers: a region's copies do not wait for a loop.
#[derive(Default)]
struct Place {
    /// The number of parts in `parts`, plus one when the runtime ends.
    waiting: Apart<AtomicUsize>,
    /// Usually at most one.
    parts: Apart<Mutex<SmallVec<[Lent; 1]>>>,
}

/// Aligned so that nothing else shares its cache lines: a thread that polls one value would otherwise take its neighbours' line
/// from the threads that write them.
#[derive(Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

thread_local! {
    /// Whether this thread is a device's own thread.
    static IS_A_DEVICES: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is a device's own thread rather than a caller's.
#[cfg(feature = "cuda")]
pub fn on_device_thread() -> bool {
    IS_A_DEVICES.get()
}

impl Place {
    /// The next part; `None` when the runtime ends and no part is left.
    fn next(&self, lingers: bool, vigil: &Vigil) -> Option<Lent> {
        let (looks, patience) = (self::lingers(lingers), if lingers { Patience::Awake } else { Patience::Brief });
        let mut start = Instant::now();
        while self.waiting.0.load(Ordering::Acquire) == 0 {
            if vigil.is_kept() || start.elapsed() < looks {
                patience.pause();
            } else {
                // `hand` and `drop` raise the count before they unpark this thread. After a `call`, a part is to come, or the vigil
                // is kept.
                std::thread::park();
                start = Instant::now();
            }
        }
        self.waiting.0.fetch_sub(1, Ordering::Relaxed);
        let mut parts = self.parts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if parts.is_empty() { None } else { Some(parts.remove(0)) }
    }

    /// The main function of the device's thread.
    fn serve(&self, lingers: bool, vigil: &Vigil) {
        IS_A_DEVICES.set(true);
        while let Some(lent) = self.next(lingers, vigil) {
            lent.run();
            // No other thread runs what a host body left in this pool.
            while rayon::yield_now() == Some(rayon::Yield::Executed) {}
        }
    }
}

impl DeviceThread {
    /// Starts the thread, which stays awake while `vigil` is kept.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn start(name: String, lingers: bool, vigil: Vigil) -> Result<Self, ThreadPoolBuildError> {
        let pool = JoinedPool::start(ThreadPoolBuilder::new().num_threads(1).thread_name(move |_| name.clone()))?;
        let place = Arc::new(Place::default());
        let thread = pool.install(std::thread::current);
        let at = Arc::clone(&place);
        pool.spawn(move || at.serve(lingers, &vigil));
        Ok(Self { place, thread, _pool: pool })
    }

    /// Wakes the thread for a part that is about to come: it looks out for that as after a loop.
    pub fn call(&self) {
        self.thread.unpark();
    }

    /// Whether the caller is this thread.
    pub fn is_here(&self) -> bool {
        std::thread::current().id() == self.thread.id()
    }

    fn hand(&self, part: Lent) {
        self.place.parts.0.lock().unwrap_or_else(PoisonError::into_inner).push(part);
        self.place.waiting.0.fetch_add(1, Ordering::Release);
        // A system call only if the thread sleeps.
        self.thread.unpark();
    }
}

impl Drop for DeviceThread {
    fn drop(&mut self) {
        // One more than there are parts: this ends the thread.
        self.place.waiting.0.fetch_add(1, Ordering::Release);
        self.thread.unpark();
    }
}

/// What the caller and the threads share.
#[derive(Default)]
struct AtWork {
    /// Threads that are not done; with the bit [`ASLEEP`] when the caller must be woken.
    left: AtomicUsize,
    /// The caller's thread, set before it sleeps. A caller that polls need not be woken.
    caller: OnceLock<Thread>,
    /// The first panic of a thread.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Set when the caller sleeps, or is about to.
const ASLEEP: usize = 1 << (usize::BITS - 1);

impl AtWork {
    /// Counts one thread out. From then on this thread uses neither `self` nor anything that it was lent.
    fn count_out(&self) {
        let mut left = self.left.load(Ordering::Acquire);
        loop {
            let sleeper = if left & ASLEEP == 0 { None } else { self.caller.get().cloned() };
            match self.left.compare_exchange(left, left - 1, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return sleeper.iter().for_each(Thread::unpark),
                // Other threads were counted out meanwhile, or the caller is about to sleep.
                Err(now) => left = now,
            }
        }
    }

    fn all_done(&self) -> bool {
        self.left.load(Ordering::Acquire) & !ASLEEP == 0
    }
}

/// Waits for the threads when it is dropped, on every path.
struct Waiting<'w>(&'w AtWork, Patience);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Self(at_work, patience) = self;
        if at_work.all_done() {
            return;
        }
        let start = Instant::now();
        while !at_work.all_done() {
            if start.elapsed() < patience.awake() {
                patience.pause();
                continue;
            }
            at_work.caller.get_or_init(std::thread::current);
            at_work.left.fetch_or(ASLEEP, Ordering::AcqRel);
            // Each thread that is counted out from now on unparks this one.
            while !at_work.all_done() {
                std::thread::park();
            }
        }
    }
}

/// What a thread borrows from the caller, without types and lifetimes.
struct Lent {
    run: *const (),
    part: *const (),
    /// Calls `run` with `part`.
    call: unsafe fn(*const (), *const ()),
    at_work: *const AtWork,
}

// SAFETY: what it points to is `Sync` and outlives the thread's use of it (`run_all`).
unsafe impl Send for Lent {}

impl Lent {
    /// Runs the part and counts itself out. From then on the caller may go on.
    fn run(self) {
        // SAFETY: the caller waits until this is counted out.
        let at_work = unsafe { &*self.at_work };
        // SAFETY: both are of the types that `call` was made for, and borrowed by the caller, who waits.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| unsafe { (self.call)(self.run, self.part) })) {
            at_work.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
        // The last use of anything lent.
        at_work.count_out();
    }
}

/// # Safety
/// `run` points to an `F` and `part` to a `T`.
unsafe fn call<T, F: Fn(&T)>(run: *const (), part: *const ()) {
    // SAFETY: the caller's promise.
    let (run, part) = unsafe { (&*run.cast::<F>(), &*part.cast::<T>()) };
    run(part);
}

/// Runs each of `others` on its device's thread and `mine` on this one, and returns when all are done.
///
/// # Panics
/// If `mine` panics, or `run` on one of the threads.
pub fn run_all<T: Sync, F: Fn(&T) + Sync>(
    others: &[(&DeviceThread, &T)],
    patience: Patience,
    run: &F,
    mine: impl FnOnce(),
) {
    let at_work = AtWork::default();
    // From here on this function does not end, on any path, before all threads are done with what they are lent.
    let waiting = Waiting(&at_work, patience);
    for (thread, part) in others {
        let lent = Lent {
            run: std::ptr::from_ref(run).cast(),
            part: std::ptr::from_ref(*part).cast(),
            call: call::<T, F>,
            at_work: std::ptr::from_ref(&at_work),
        };
        at_work.left.fetch_add(1, Ordering::Relaxed);
        thread.hand(lent);
    }
    mine();
    drop(waiting);
    if let Some(panic) = at_work.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crew(count: usize, lingers: bool) -> Vec<DeviceThread> {
        (0..count).map(|i| DeviceThread::start(format!("crew-{i}"), lingers, Vigil::default()).unwrap()).collect()
    }

    #[test]
    fn all_parts_are_done_when_it_returns() {
        for lingers in [false, true] {
            let threads = crew(3, lingers);
            let patience = if lingers { Patience::Awake } else { Patience::Brief };
            for round in 0..200 {
                let parts: Vec<Mutex<usize>> = (0..3).map(|_| Mutex::new(0)).collect();
                let others: Vec<_> = threads.iter().zip(&parts).collect();
                let run = |part: &Mutex<usize>| {
                    if round % 50 == 0 {
                        // Longer than the caller polls.
                        std::thread::sleep(2 * Patience::Awake.awake());
                    }
                    *part.lock().unwrap() += round;
                };
                let mut mine = 0;
                run_all(&others, patience, &run, || mine = round);
                assert_eq!(mine, round);
                assert!(parts.iter().all(|part| *part.lock().unwrap() == round));
            }
        }
    }

    #[test]
    fn a_call_without_a_part_changes_nothing() {
        let threads = crew(1, true);
        let done = [AtomicUsize::new(0)];
        let others: Vec<_> = threads.iter().zip(&done).collect();
        for rest in [Duration::ZERO, LINGERS / 2, 3 * LINGERS] {
            for _ in 0..20 {
                threads[0].call();
                std::thread::sleep(rest);
                let run = |done: &AtomicUsize| _ = done.fetch_add(1, Ordering::Relaxed);
                run_all(&others, Patience::Brief, &run, || threads[0].call());
            }
        }
        assert_eq!(done[0].load(Ordering::Relaxed), 60);
        // Called or not, it ends with its place.
        threads[0].call();
        let place = Arc::downgrade(&threads[0].place);
        drop(threads);
        assert_eq!(place.strong_count(), 0);
    }

    #[test]
    fn several_callers_are_served_each() {
        for lingers in [false, true] {
            let threads = crew(2, lingers);
            let done = [const { AtomicUsize::new(0) }; 3];
            std::thread::scope(|scope| {
                for done in &done {
                    let threads = &threads;
                    scope.spawn(move || {
                        for _ in 0..2000 {
                            let parts = [done, done];
                            let others: Vec<_> = threads.iter().zip(&parts).collect();
                            let run = |part: &&AtomicUsize| _ = part.fetch_add(1, Ordering::Relaxed);
                            run_all(&others, Patience::Brief, &run, || {});
                        }
                    });
                }
            });
            assert_eq!(done.map(AtomicUsize::into_inner), [4000; 3]);
        }
    }

    #[test]
    fn what_a_part_does_in_parallel_stays_on_its_thread() {
        let threads = crew(1, true);
        let later = Arc::new(AtomicUsize::new(0));
        let parts = [Mutex::new(Vec::new())];
        let others: Vec<_> = threads.iter().zip(&parts).collect();
        for _ in 0..20 {
            let run = |part: &Mutex<Vec<_>>| {
                let name = || std::thread::current().name().map(str::to_owned);
                let (a, b) = rayon::join(name, name);
                part.lock().unwrap().extend([a, b, name()]);
                let later = Arc::clone(&later);
                rayon::spawn(move || _ = later.fetch_add(1, Ordering::Relaxed));
            };
            run_all(&others, Patience::Brief, &run, || {});
        }
        let names = parts[0].lock().unwrap();
        assert!(names.len() == 60 && names.iter().all(|name| name.as_deref() == Some("crew-0")));
        drop(threads);
        assert_eq!(Arc::strong_count(&later), 1);
        assert_eq!(later.load(Ordering::Relaxed), 20);
    }

    #[test]
    fn a_panic_here_or_there_leaves_nobody_behind() {
        let threads = crew(2, false);
        let parts = [Mutex::new(false), Mutex::new(false)];
        let others: Vec<_> = threads.iter().zip(&parts).collect();
        let run = |part: &Mutex<bool>| {
            std::thread::sleep(Duration::from_millis(2));
            *part.lock().unwrap() = true;
            assert!(!std::ptr::eq(part, &raw const parts[1]), "on purpose");
        };
        let mine = || panic!("on purpose");
        let brief = Patience::Brief;
        assert!(catch_unwind(AssertUnwindSafe(|| run_all(&others, brief, &run, mine))).is_err());
        assert!(parts.iter().all(|part| *part.lock().unwrap_or_else(PoisonError::into_inner)));
        run_all(&others[..1], brief, &run, || {});
        assert!(catch_unwind(AssertUnwindSafe(|| run_all(&others[1..], brief, &run, || {}))).is_err());
    }
}
