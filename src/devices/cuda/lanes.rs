//! Plain arrays at link speed: several threads copy to and from page-locked memory.
//!
//! A lane is a thread with a stream of its own. It takes a chunk, copies its sections to page-locked memory, enqueues
//! copy in, run and copy out, and takes the next chunk while the GPU is at it. When a chunk's buffers are to be used again
//! its results are copied to the host's arrays. One thread copies at 5 to 10 GB/s; as many as a link needs fill it.
#![allow(unsafe_code, reason = "lends a session to threads that it waits for")]

use super::driver::{Gpu, Stream};
use super::flight::{Flight, Route, Slot};
use super::session::{Core, Problem};
use crate::devices::Completed;
use crate::error::Phase;
use crate::space::IterRange;
use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Chunks that a lane has at once: one that it fills, and two that are on their way, as all lanes share the link.
const PER_LANE: usize = 3;
/// Bytes that all lanes of a process fill at one time, about, where one GPU takes part; with several less, as more does not
/// stay in the processor's caches, and then each copy goes through memory twice. Hand-written code was best with 64 MiB of
/// slots in all, of 8 to 480: `hand.notes` in results/h200-x1-2026-11-21 and results/h200-x4-1-2-4-gpus-2026-11-21.
const RING: usize = 64 << 20;
/// Eight threads fill a link of 55 GB/s (there: eight were as fast as fifteen, four were not).
const MOST_LANES: usize = 8;
/// Of so many chunks of a lane one tells when copying in ended and the kernel began.
const MARKED_EVERY: u64 = 8;

/// The lanes of one GPU, started when first needed.
pub struct Lanes {
    count: usize,
    opened: OnceLock<Opened>,
}

struct Opened {
    pool: rayon::ThreadPool,
    streams: Vec<Stream>,
}

impl Lanes {
    /// For one of `gpus` GPUs that share `cores` cores.
    pub fn new(cores: usize, gpus: usize) -> Self {
        let count = (cores / (2 * gpus.max(1))).clamp(1, MOST_LANES);
        Self::with(count)
    }

    /// So many lanes.
    pub fn with(count: usize) -> Self {
        Self { count: count.max(1), opened: OnceLock::new() }
    }

    /// Number of lanes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Chunks to be kept in flight so that no lane waits.
    pub fn in_flight(&self) -> usize {
        self.count * (PER_LANE + 1)
    }

    /// Bytes of a chunk's sections, about.
    pub fn chunk_bytes(&self, gpus: usize) -> u64 {
        let gpus = gpus.max(1);
        (RING / (self.count * gpus * gpus.isqrt())).clamp(1 << 20, 8 << 20) as u64
    }

    /// Starts threads and streams, unless they are there.
    ///
    /// # Errors
    /// What the system or the driver says.
    pub fn open(&self, gpu: &Arc<Gpu>) -> Result<&Self, String> {
        if self.opened.get().is_none() {
            let ordinal = gpu.ordinal;
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(self.count)
                .thread_name(move |lane| format!("cuda{ordinal}-lane{lane}"))
                .build()
                .map_err(|error| format!("the system gives no threads to copy with: {error}"))?;
            let streams = (0..self.count).map(|_| Stream::new(gpu)).collect::<Result<_, _>>();
            let streams = streams.map_err(|error| error.to_string())?;
            let _ = self.opened.set(Opened { pool, streams });
        }
        Ok(self)
    }

    /// Threads and a stream for each, to copy something else in parallel.
    pub fn workers(&self) -> Option<(&rayon::ThreadPool, &[Stream])> {
        self.opened.get().map(|opened| (&opened.pool, &opened.streams[..]))
    }

    /// Lets all lanes work on a session's chunks.
    ///
    /// # Safety
    /// The core stays where it is, and what it borrows stays borrowed, until [`Board::close`] has returned.
    pub unsafe fn start(&self, core: &Core<'_>) -> Arc<Board> {
        let board = Arc::new(Board::default());
        let Some(opened) = self.opened.get() else { return board };
        for stream in &opened.streams {
            let shared = Shared { core: std::ptr::from_ref(core).cast(), stream: std::ptr::from_ref(stream) };
            board.lock().lanes += 1;
            let board = Arc::clone(&board);
            opened.pool.spawn(move || {
                let shared = shared;
                let _leaving = Leaving(&board);
                // SAFETY: the core lives until `close` has returned, which waits for `_leaving`. The lifetime that is left
                // out is at least as long. The stream is the device's, which the session borrows.
                let (core, stream) = unsafe { (&*shared.core, &*shared.stream) };
                // The author's grid or library call may panic: the proxy passes that on.
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| lane(core, stream, &board))) {
                    board.lock().panic.get_or_insert(panic);
                }
            });
        }
        board
    }
}

/// What a lane's thread borrows from the session, without the lifetime.
#[derive(Clone, Copy)]
struct Shared {
    core: *const Core<'static>,
    stream: *const Stream,
}

// SAFETY: both are `Sync`, and outlive the lanes (`Lanes::start`).
unsafe impl Send for Shared {}

const _: () = {
    const fn sync<T: Sync>() {}
    sync::<Core<'static>>();
    sync::<Stream>();
};

/// Reports that a lane has ended, however it did.
struct Leaving<'b>(&'b Board);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.lock().lanes -= 1;
        self.0.changed.notify_all();
    }
}

type Outcome = Result<Completed, (Problem, bool)>;

/// Where chunks wait for lanes, and results for the proxy.
#[derive(Default)]
pub struct Board {
    state: Mutex<State>,
    changed: Condvar,
    closed: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(u64, IterRange)>,
    done: HashMap<u64, Outcome>,
    lanes: usize,
    idle: usize,
    panic: Option<Box<dyn Any + Send>>,
    wrote_host: bool,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A chunk for whichever lane is free.
    pub fn put(&self, ticket: u64, chunk: IterRange) {
        let mut state = self.lock();
        state.waiting.push_back((ticket, chunk));
        if state.idle > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for a chunk's result. An error tells also whether the host's arrays may have been changed.
    pub fn wait_for(&self, ticket: u64) -> Outcome {
        let mut state = self.lock();
        loop {
            if let Some(outcome) = state.done.remove(&ticket) {
                return outcome;
            }
            if let Some(panic) = state.panic.take() {
                drop(state);
                resume_unwind(panic);
            }
            if state.lanes == 0 {
                return Err(((Phase::Kernel, "no thread copies for this device any more".to_owned()), true));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No lane takes another chunk; returns when all have ended. Tells whether a chunk that nobody asked for again may have
    /// changed the host's arrays.
    pub fn close(&self) -> bool {
        self.closed.store(true, Ordering::Release);
        let mut state = self.lock();
        state.waiting.clear();
        self.changed.notify_all();
        while state.lanes > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        // Results that were never fetched are in the host's arrays.
        state.wrote_host || state.done.values().any(Result::is_ok)
    }

    /// The next chunk; `None` when there is none and the lane has something else to do, or the board is closed.
    fn take(&self, wait: bool) -> Option<(u64, IterRange)> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.waiting.pop_front() {
                return Some(next);
            }
            if !wait || self.closed.load(Ordering::Acquire) {
                return None;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    fn report(&self, ticket: u64, outcome: Outcome) {
        let mut state = self.lock();
        state.wrote_host |= matches!(outcome, Err((_, true)));
        state.done.insert(ticket, outcome);
        drop(state);
        self.changed.notify_all();
    }
}

fn lane(core: &Core<'_>, stream: &Stream, board: &Board) {
    let prepared = core.gpu.bind().and_then(|()| core.ready.iter().try_for_each(|event| stream.wait_for(event)));
    let mut clock = core.clock();
    let mut taken = 0u64;
    let mut own = Own { core, stream, busy: VecDeque::new(), slots: Vec::new() };
    let Own { busy, slots, .. } = &mut own;
    loop {
        match board.take(busy.is_empty()) {
            Some((ticket, chunk)) => {
                if let Err(error) = prepared {
                    board.report(ticket, Err(((Phase::To, error.to_string()), false)));
                    continue;
                }
                if busy.len() == PER_LANE {
                    finish(core, stream, board, &mut clock, busy, slots);
                }
                let slot = slots.pop().unwrap_or_default();
                taken += 1;
                // In the list before anything is enqueued: the author's code may panic.
                busy.push_back((ticket, Flight::new(chunk, slot, core.work.arguments.len())));
                let Some((_, flight)) = busy.back_mut() else { continue };
                if let Err(problem) = flight.enqueue(core, Route::single(stream, taken % MARKED_EVERY == 1)) {
                    let _ = stream.synchronize();
                    let wrote_host = flight.wrote_host();
                    if let Some((_, flight)) = busy.pop_back() {
                        core.free_slot(flight.into_slot());
                    }
                    board.report(ticket, Err((problem, wrote_host)));
                }
            }
            None if busy.is_empty() => break,
            None => finish(core, stream, board, &mut clock, busy, slots),
        }
    }
}

/// What a lane has. However it ends, the GPU has done with the chunks before their buffers are given back.
struct Own<'c, 's> {
    core: &'c Core<'s>,
    stream: &'c Stream,
    busy: VecDeque<(u64, Flight<'s>)>,
    slots: Vec<Slot>,
}

impl Drop for Own<'_, '_> {
    fn drop(&mut self) {
        let _ = self.stream.synchronize();
        for (_, flight) in self.busy.drain(..) {
            self.core.free_slot(flight.into_slot());
        }
        for slot in self.slots.drain(..) {
            self.core.give_slot(slot);
        }
    }
}

/// Waits for the lane's oldest chunk and reports it.
fn finish<'s>(
    core: &Core<'s>,
    stream: &Stream,
    board: &Board,
    clock: &mut crate::devices::clock::Clock,
    busy: &mut VecDeque<(u64, Flight<'s>)>,
    slots: &mut Vec<Slot>,
) {
    let Some((ticket, mut flight)) = busy.pop_front() else { return };
    match flight.collect(core, clock) {
        Ok(completed) => {
            // The spans go back before anybody hears that the chunk is done.
            slots.push(flight.into_slot());
            board.report(ticket, Ok(completed));
        }
        Err(problem) => {
            let _ = stream.synchronize();
            let wrote_host = flight.wrote_host();
            core.free_slot(flight.into_slot());
            board.report(ticket, Err((problem, wrote_host)));
        }
    }
}
