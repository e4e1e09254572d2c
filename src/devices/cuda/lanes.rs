//! Copies plain arrays at link speed: several threads copy to and from page-locked memory.
//!
//! A lane is a thread with a stream of its own. It first helps to fetch replicated arrays. Then it takes a chunk, copies its sections
//! to page-locked memory, enqueues copy in, run and copy out, and takes the next chunk while the GPU works. Before it uses a chunk's
//! buffers again, it copies the results to the host's arrays. One thread copies at 5 to 10 GB/s; enough threads together fill the
//! link.
#![allow(unsafe_code, reason = "lends a session to threads that it waits for")]

use super::driver::{Gpu, Stream};
use super::flight::{Flight, Route, Slot};
use super::sender::Reserve;
use super::session::{Core, Problem};
use super::spread::Fetch;
use super::status::CudaError;
use crate::data::{ArrayMap, Distribution};
use crate::devices::aside::Anywhere;
use crate::devices::crew::{self, Apart, Patience};
use crate::devices::joined::JoinedPool;
use crate::devices::{Completed, Work};
use crate::error::Phase;
use crate::kernel::Argument;
use crate::space::IterRange;
use crate::units::Bytes;
use smallvec::SmallVec;
use std::any::Any;
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Chunks that a lane has at once: one that it fills, and one on its way. A third made axpy of plain arrays a third slower on one
/// GPU, as the memory of that many chunks does not stay in the processor's caches.
const PER_LANE: usize = 2;
/// Bytes of all lanes' chunks of a process, about, where chunks are as long as was asked for. More does not stay in the processor's
/// caches, and each copy then goes through memory twice. Hand-written code was best with 64 to 128 MiB of slots in all on one, two
/// and four GPUs: `hand.notes` in results/h200-x1-2026-11-21, results/h200-x2-2026-11-21 and results/h200-x4-2026-11-21.
const RING: usize = 128 << 20;
/// The most lanes of a GPU: on one GPU, on more. On an idle machine eight threads fill the link of 55 GB/s of one GPU (there, eight
/// were as fast as fifteen, and four were not). On a machine whose cores copied more slowly, fifteen took a little more than half
/// the time of eight (lanes.txt in results/h200-learning-2026-11-22). With several GPUs host memory is the limit, and more threads
/// get more of it, up to a point: on two, axpy, sum, matvec and matmul all take less with twelve than with fifteen
/// (results/h200-two-2026-11-29).
const MOST_LANES: [usize; 2] = [15, 12];
/// The lanes of a single GPU whose loop copies nearly all in one direction. It copies half as much for the same time on the link,
/// and more threads get in one another's way. Short loops have at least as many lanes. By hand, with slots of 4 MB, matvec took 8
/// threads 2 to 8 % less than 15 on one GPU (`hand.notes` in the records of RING and in results/h200-learning-2026-11-22). On two,
/// sum and matvec took 5 to 9 % less with twelve than with eight (results/h200-two-2026-11-29).
const ONE_WAY: usize = 8;
/// A loop has a lane for so many bytes of a GPU's part, down to [`ONE_WAY`] lanes: the more lanes call the driver at once, the longer
/// each call takes. Ten million iterations of axpy on two GPUs took ten lanes 14 % less than fifteen
/// (experiments/lanes-short-another.txt in results/h200-marks-2026-11-23). On one GPU, eight took stencil2d of 4096 (134 MB) 9 to
/// 15 % less than fifteen, and axpy of ten million up to 2 % less (pieces/ in results/h200-even-2026-11-26).
const BYTES_OF_A_LANE: u64 = 16 << 20;
/// The longest chunk, about. With 8 MiB two GPUs took a third longer for matvec, and half as long again for sum (experiments/lanes.txt in
/// results/h200-marks-2026-11-23).
const LONG_CHUNK: usize = 4 << 20;
/// The same in a short loop on several GPUs. On two, with chunks of 2 instead of 4 MiB sum of fifty million took a quarter less, and
/// stencil2d of 4096 a sixth less. In long loops chunks of 2 MiB took 2 to 19 % more, and on one GPU stencil2d of 4096 a sixth more
/// (`pieces/` in results/h200-short-plain-2026-11-26).
const SHORT_CHUNK: usize = 2 << 20;
/// The plain arrays of a short loop have up to so many bytes in all: those that were used just before may lie in the processor's
/// caches. Measured with the large caches of H200's hosts only.
const SHORT_LOOP: u64 = 256 << 20;
/// A loop copies one way when the bytes of one direction are less than this fraction of the other's.
const FEW: u64 = 8;
/// One in this many chunks of a lane is timed.
const MARKED_EVERY: u64 = 8;

/// How long a lane that has nothing to do polls before it sleeps. To be woken takes 50 to 200 us on a virtual machine, a good part
/// of a short loop.
const POLLS: Duration = Duration::from_micros(200);

/// In this time a scope notes that a task that has counted itself out is over.
const COUNTED_OUT: Duration = Duration::from_micros(3);

/// With fewer cores for each GPU, threads that poll would take them from others.
const MANY_CORES: usize = 4;

/// The lanes of one GPU, started when first needed.
pub struct Lanes {
    count: usize,
    /// How the proxy waits for them, and they for it.
    patience: Patience,
    /// The number of lanes for loops that copy one way.
    one_way: usize,
    /// Where their threads run: the GPU's own thread, which starts them, may be kept to few CPUs.
    anywhere: Arc<Anywhere>,
    opened: OnceLock<Opened>,
}

struct Opened {
    pool: JoinedPool,
    streams: LaneStreams,
}

/// The lanes' streams. Where the driver refuses some, as when other programs have taken nearly all of the GPU's memory, those lanes
/// use the first one.
pub struct LaneStreams {
    first: Stream,
    others: Vec<OnceLock<Stream>>,
}

impl LaneStreams {
    fn new(gpu: &Arc<Gpu>, lanes: usize) -> Result<Self, CudaError> {
        Ok(Self { first: Stream::new(gpu)?, others: (1..lanes).map(|_| OnceLock::new()).collect() })
    }

    /// Creates what is missing, up to the first that the driver refuses.
    fn complete(&self, gpu: &Arc<Gpu>) {
        for missing in self.others.iter().filter(|other| other.get().is_none()) {
            let Ok(stream) = Stream::new(gpu) else { return };
            let _ = missing.set(stream);
        }
    }

    fn of(&self, lane: usize) -> &Stream {
        lane.checked_sub(1).and_then(|other| self.others.get(other)?.get()).unwrap_or(&self.first)
    }

    /// Those that the driver gave.
    pub fn iter(&self) -> impl Iterator<Item = &Stream> {
        std::iter::once(&self.first).chain(self.others.iter().filter_map(OnceLock::get))
    }
}

impl Lanes {
    /// The lanes of one of `gpus` GPUs that share `cores` cores.
    pub fn new(cores: usize, gpus: usize) -> Self {
        // One core is for the proxy's thread, which hands out the chunks.
        let count = (cores / gpus.max(1)).saturating_sub(1);
        let lanes = Self::with(count.clamp(1, MOST_LANES[gpus.clamp(1, MOST_LANES.len()) - 1]), cores / gpus.max(1));
        if gpus > 1 { Self { one_way: lanes.count, ..lanes } } else { lanes }
    }

    /// This many lanes, where so many `cores` are there for each GPU.
    pub fn with(count: usize, cores: usize) -> Self {
        let count = count.max(1);
        // One for the proxy's thread.
        let patience = if cores > count && cores >= MANY_CORES { Patience::Awake } else { Patience::Brief };
        let anywhere = Arc::new(Anywhere::here());
        Self { count, patience, one_way: count.min(ONE_WAY), anywhere, opened: OnceLock::new() }
    }

    /// The number of lanes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How the proxy waits for them.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// The number of lanes for loops that copy one way.
    pub fn one_way(&self) -> usize {
        self.one_way
    }

    /// The number of lanes for a long loop over these arrays. They copy the arrays that are not `locked`.
    pub fn of(&self, arguments: &[Argument<'_>], locked: &[bool]) -> usize {
        if is_one_way(arguments, locked) { self.one_way } else { self.count }
    }

    /// The same for a loop of any length that is divided among `gpus` GPUs.
    pub fn of_share(&self, arguments: &[Argument<'_>], locked: &[bool], gpus: usize) -> usize {
        self.of(arguments, locked).min(busy(divided_bytes(arguments, locked), gpus))
    }

    /// The number of lanes for a replicated array, of which each of this many GPUs fetches a part.
    pub fn of_replicated(&self, bytes: usize, gpus: usize) -> usize {
        self.one_way.min(busy(bytes as u64, gpus))
    }

    /// How many chunks to keep in flight so that none of this many lanes waits.
    pub fn in_flight(lanes: usize) -> usize {
        lanes * (PER_LANE + 1)
    }

    /// The number of lanes for a session's chunks in flight, where such a loop has at most `most`. If the device asked for none,
    /// because it meant to lock the arrays and then could not, there is one lane for each chunk.
    pub fn at_work(&self, work: &Work<'_>, most: usize) -> usize {
        let lanes = if work.piece_bytes.is_some() { work.in_flight / (PER_LANE + 1) } else { work.in_flight.min(most) };
        lanes.clamp(1, self.count)
    }

    /// The most chunks that each of this many lanes has at once.
    pub fn most_each(work: &Work<'_>, lanes: usize) -> usize {
        (work.in_flight / lanes).saturating_sub(1).max(1)
    }

    /// The most bytes that a lane has at once, in up to so many chunks of such sections. A chunk alone may have more.
    pub fn room(work: &Work<'_>, chunks: usize) -> usize {
        work.piece_bytes.map_or(usize::MAX, |bytes| {
            let asked = (bytes as usize).saturating_mul(chunks);
            (asked + asked / 2).max(3 * LONG_CHUNK)
        })
    }

    /// Bytes of a chunk's sections, about, with this many lanes for each of this many GPUs. Such a chunk has up to half as many
    /// more, where otherwise one more would be needed.
    pub fn chunk_bytes(lanes: usize, gpus: usize, short_loop: bool) -> u64 {
        let longest = if short_loop && gpus > 1 { SHORT_CHUNK } else { LONG_CHUNK };
        (RING / (lanes.max(1) * gpus.max(1) * PER_LANE)).clamp(1 << 20, longest) as u64
    }

    /// Whether this is a short loop over plain arrays: those that are page-locked count too, as they make pieces longer.
    pub fn is_short(arguments: &[Argument<'_>], locked: &[bool]) -> bool {
        let all = || divided_bytes(arguments, &vec![false; arguments.len()]);
        divided_bytes(arguments, locked) > 0 && all() <= SHORT_LOOP
    }

    /// Starts threads and streams, unless they exist. `None` if the GPU has no memory left for a stream.
    ///
    /// # Errors
    /// What the system or the driver reports.
    pub fn open(&self, gpu: &Arc<Gpu>) -> Result<Option<&Self>, String> {
        if let Some(opened) = self.opened.get() {
            opened.streams.complete(gpu);
        } else {
            let ordinal = gpu.ordinal;
            let streams = match LaneStreams::new(gpu, self.count) {
                Ok(streams) => streams,
                Err(error) if error.out_of_memory() => {
                    let left = gpu.memory().map_or(0, |(left, _)| left);
                    log::warn!("GPU {ordinal}: one thread copies plain arrays: {error} ({} are left)", Bytes(left));
                    return Ok(None);
                }
                Err(error) => return Err(error.to_string()),
            };
            let threads = rayon::ThreadPoolBuilder::new()
                .num_threads(self.count)
                .thread_name(move |lane| format!("cuda{ordinal}-lane{lane}"))
                .start_handler({
                    let anywhere = Arc::clone(&self.anywhere);
                    move |_| anywhere.let_run()
                });
            let pool = JoinedPool::start(threads)
                .map_err(|error| format!("the system gives no threads to copy with: {error}"))?;
            streams.complete(gpu);
            let _ = self.opened.set(Opened { pool, streams });
        }
        Ok(Some(self))
    }

    /// Has so many lanes' threads `run` each on its stream, and this one do `mine` meanwhile. Returns when all are done; `None`,
    /// with nothing done, if the lanes are not open.
    pub fn run_all<T>(&self, lanes: usize, run: impl Fn(&Stream) + Sync, mine: impl FnOnce() -> T) -> Option<T> {
        let Opened { pool, streams } = self.opened.get()?;
        let left = AtomicUsize::new(0);
        Some(pool.in_place_scope(|scope| {
            for stream in streams.iter().take(lanes) {
                left.fetch_add(1, Ordering::Relaxed);
                let (run, left) = (&run, &left);
                scope.spawn(move |_| {
                    run(stream);
                    left.fetch_sub(1, Ordering::Release);
                });
            }
            let result = mine();
            // The scope's end puts this thread to sleep if it still waits for some.
            let start = Instant::now();
            while left.load(Ordering::Acquire) > 0 && start.elapsed() < self.patience.awake() {
                self.patience.pause();
            }
            let start = Instant::now();
            while self.patience == Patience::Awake && start.elapsed() < COUNTED_OUT {
                std::hint::spin_loop();
            }
            result
        }))
    }

    /// A board for a session on which so many lanes will take chunks.
    pub fn board(&self, work: &Work<'_>, lanes: usize) -> Arc<Board> {
        let per_lane = Self::most_each(work, lanes);
        Arc::new(Board::new(self.patience, per_lane, Self::room(work, per_lane), lanes.min(self.count)))
    }

    /// Lets the board's lanes take a session's chunks, and starts those that do not help to fetch replicated arrays already.
    ///
    /// # Safety
    /// The core stays where it is, nothing changes it, and what it borrows stays borrowed, until [`Board::close`] has returned.
    pub unsafe fn start(&self, core: &Core<'_>, board: &Arc<Board>) {
        let missing = {
            let mut state = board.lock();
            state.core = Some(Lent(std::ptr::from_ref(core).cast()));
            state.starts(board.at_work)
        };
        // Those that only helped end.
        board.tell_lanes();
        self.run(board, missing);
    }

    /// Starts these lanes again, which have ended because no chunk was there.
    pub fn call(&self, board: &Arc<Board>, lanes: Called) {
        self.run(board, lanes);
    }

    fn run(&self, board: &Arc<Board>, lanes: Called) {
        let Some(opened) = self.opened.get().filter(|_| !lanes.is_empty()) else { return };
        board.lock().lanes += lanes.len();
        let streams = Lent(std::ptr::from_ref(&opened.streams));
        let (board, lanes) = (Arc::clone(board), Arc::new(lanes));
        opened.pool.spawn(move || run_lane(0, &lanes, streams, &board));
    }
}

/// Lanes that help to fetch replicated arrays before they take a session's chunks.
#[derive(Clone, Copy)]
pub struct Helpers<'s, 'h> {
    pub lanes: &'h Lanes,
    pub board: &'h Arc<Board>,
    /// Page-locked memory that they share.
    pub reserve: &'h Arc<Reserve<'s>>,
}

impl Helpers<'_, '_> {
    /// Has so many lanes help to fetch an array.
    ///
    /// # Safety
    /// As [`Fetch::help`]: what the array's fetching borrows stays borrowed until [`Board::close`] has returned.
    pub unsafe fn fetch(&self, fetch: &Arc<Fetch<'_>>, lanes: usize) {
        let Self { lanes: own, board, .. } = self;
        // SAFETY: only the lifetime changes. By the caller's promise it lasts until the board is closed, and from then on no lane and
        // no list has the array's fetching.
        let fetch = unsafe { std::mem::transmute::<Arc<Fetch<'_>>, Arc<Fetch<'static>>>(Arc::clone(fetch)) };
        let missing = {
            let mut state = board.lock();
            let lanes = lanes.min(own.count);
            state.fetches.push((fetch, lanes));
            state.starts(lanes)
        };
        board.tell_lanes();
        own.run(board, missing);
    }
}

/// How long a lane's thread looks out for a loop that was announced.
const LOOKS_OUT: Duration = Duration::from_micros(300);

impl Lanes {
    /// Wakes so many lanes' threads for a loop that is about to be planned: to be woken one after another when it begins would take
    /// a good part of a short loop.
    pub fn announce(&self, lanes: usize) {
        if self.patience == Patience::Brief {
            return;
        }
        if let Some(opened) = self.opened.get() {
            opened.pool.spawn(move || come(0, lanes));
        }
    }
}

/// Wakes two more threads and looks out.
fn come(place: usize, lanes: usize) {
    for next in [2 * place + 1, 2 * place + 2] {
        if next < lanes {
            rayon::spawn(move || come(next, lanes));
        }
    }
    look_out(LOOKS_OUT);
}

thread_local! {
    /// Whether this thread looks out for work, perhaps further down its stack.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

/// Polls for work of the thread's pool until there was none for so long.
fn look_out(most: Duration) {
    if LOOKS.replace(true) {
        return;
    }
    let mut start = Instant::now();
    while start.elapsed() < most {
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            start = Instant::now();
        } else {
            std::hint::spin_loop();
        }
    }
    LOOKS.set(false);
}

/// Numbers of lanes to start.
pub type Called = SmallVec<[usize; 16]>;

/// The plain arrays that are divided among devices.
fn divided<'a>(arguments: &'a [Argument<'_>], locked: &'a [bool]) -> impl Iterator<Item = &'a ArrayMap<'a>> {
    let plain = arguments.iter().zip(locked).filter(|(_, locked)| !**locked);
    plain.filter_map(|(argument, _)| argument.array()).filter(|map| map.distribution != Distribution::Full)
}

/// The lanes that so many bytes keep busy, divided among this many GPUs.
fn busy(bytes: u64, gpus: usize) -> usize {
    ((bytes / gpus.max(1) as u64 / BYTES_OF_A_LANE) as usize).max(ONE_WAY)
}

fn divided_bytes(arguments: &[Argument<'_>], locked: &[bool]) -> u64 {
    divided(arguments, locked).map(|map| map.bytes() as u64).sum()
}

/// Whether nearly all bytes of plain, divided arrays are copied in the same direction.
fn is_one_way(arguments: &[Argument<'_>], locked: &[bool]) -> bool {
    let bytes = |goes: fn(&ArrayMap<'_>) -> bool| -> u64 {
        divided(arguments, locked).filter(|map| goes(map)).map(|map| map.bytes() as u64).sum()
    };
    let ways = [bytes(|map| map.direction.copies_in()), bytes(|map| map.direction.copies_out())];
    ways[0].min(ways[1]) < ways[0].max(ways[1]) / FEW
}

/// Runs one of the lanes that were called together, after it wakes two others: one thread that wakes all others takes as long as a
/// short loop.
fn run_lane(place: usize, called: &Arc<Called>, streams: Lent<LaneStreams>, board: &Arc<Board>) {
    run_until_done(place, called, streams, board);
    if board.patience == Patience::Awake {
        // The next loop often follows at once.
        look_out(crew::lingers(true));
    }
}

fn run_until_done(place: usize, called: &Arc<Called>, streams: Lent<LaneStreams>, board: &Arc<Board>) {
    let _leaving = Leaving(board);
    for next in [2 * place + 1, 2 * place + 2] {
        if next < called.len() {
            let (called, board) = (Arc::clone(called), Arc::clone(board));
            rayon::spawn(move || run_lane(next, &called, streams, &board));
        }
    }
    let number = called[place];
    // SAFETY: they are dropped after the lanes' threads (the order in `Opened`).
    let streams = unsafe { &*streams.0 };
    // The kernel author's grid or library call may panic; the proxy resumes the panic.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| lane(streams.of(number), board, number))) {
        board.lock().panic.get_or_insert(panic);
    }
}

/// What a lane's thread borrows from the session, without the lifetime.
struct Lent<T>(*const T);

impl<T> Clone for Lent<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lent<T> {}

// SAFETY: what it points to is `Sync`, and outlives the lanes: the core by the promise to `Lanes::start`, the streams because they are
// dropped after the lanes' threads.
unsafe impl<T: Sync> Send for Lent<T> {}

/// Reports that a lane has ended, on every path.
struct Leaving<'b>(&'b Board);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let Self(board) = self;
        let mut state = board.lock();
        state.lanes -= 1;
        board.tell_proxy(state);
    }
}

/// A chunk that failed.
pub struct Failed {
    pub problem: Problem,
    /// Whether rows of the host's arrays may have changed.
    pub wrote_host: bool,
    /// Whether device memory was lacking.
    pub had_no_room: bool,
}

impl Failed {
    /// A failure before the chunk was begun.
    fn before(problem: Problem) -> Self {
        Self { problem, wrote_host: false, had_no_room: false }
    }

    fn of(problem: Problem, flight: &Flight<'_>) -> Self {
        Self { problem, wrote_host: flight.wrote_host(), had_no_room: flight.had_no_room() }
    }
}

type Outcome = Result<Completed, Failed>;

/// Where chunks wait for lanes, and results wait for the proxy.
pub struct Board {
    state: Mutex<State>,
    /// For lanes: a chunk or an array waits, or no more will come. Counted too, for those that poll.
    work: Condvar,
    work_count: Apart<AtomicU64>,
    /// For the proxy: the result that it waits for is there, or a lane has ended. Counted likewise.
    done: Condvar,
    done_count: Apart<AtomicU64>,
    patience: Patience,
    closed: AtomicBool,
    /// The most chunks that a lane has at once, and the most bytes of their sections, about. A single chunk may have more bytes.
    per_lane: usize,
    room: usize,
    /// How many lanes take chunks.
    at_work: usize,
}

#[derive(Default)]
struct State {
    /// Replicated arrays that lanes help to fetch, each once, and how many lanes do.
    fetches: Vec<(Arc<Fetch<'static>>, usize)>,
    /// The session's core, once lanes may take chunks.
    core: Option<Lent<Core<'static>>>,
    /// Lanes of lower numbers were started.
    started: usize,
    waiting: VecDeque<(u64, IterRange)>,
    done: HashMap<u64, Outcome>,
    /// The chunk that the proxy waits for.
    wanted: Option<u64>,
    /// Whether the proxy sleeps.
    asleep: bool,
    /// Lanes that were started and have not ended.
    lanes: usize,
    /// Lanes that sleep until there are chunks.
    idle: usize,
    /// No further chunk is known of: a lane with nothing to do ends.
    lull: bool,
    /// Lanes that ended for that reason.
    gone: Called,
    panic: Option<Box<dyn Any + Send>>,
    wrote_host: bool,
}

impl State {
    /// The lanes to start so that there are so many.
    fn starts(&mut self, lanes: usize) -> Called {
        let before = self.started;
        self.started = before.max(lanes);
        (before..lanes).collect()
    }
}

impl Board {
    fn new(patience: Patience, per_lane: usize, room: usize, at_work: usize) -> Self {
        Self {
            at_work,
            state: Mutex::default(),
            work: Condvar::new(),
            work_count: Apart::default(),
            done: Condvar::new(),
            done_count: Apart::default(),
            patience,
            closed: AtomicBool::new(false),
            per_lane,
            room,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a chunk for the next free lane. Gives the lanes that have ended meanwhile, to be called again.
    pub fn put(&self, ticket: u64, chunk: IterRange) -> Called {
        let mut state = self.lock();
        state.lull = false;
        state.waiting.push_back((ticket, chunk));
        self.work_count.0.fetch_add(1, Ordering::Release);
        if state.idle > 0 {
            self.work.notify_one();
        }
        std::mem::take(&mut state.gone)
    }

    /// Tells the lanes that something has changed for them.
    fn tell_lanes(&self) {
        self.work_count.0.fetch_add(1, Ordering::Release);
        self.work.notify_all();
    }

    /// Tells the proxy that something has changed.
    fn tell_proxy(&self, state: MutexGuard<'_, State>) {
        self.done_count.0.fetch_add(1, Ordering::Release);
        let asleep = state.asleep;
        drop(state);
        if asleep {
            self.done.notify_all();
        }
    }

    /// Waits until something has changed for the proxy; it polls before it sleeps.
    fn proxy_waits<'b>(&'b self, state: MutexGuard<'b, State>) -> MutexGuard<'b, State> {
        let seen = self.done_count.0.load(Ordering::Acquire);
        drop(state);
        let changed = poll(&self.done_count.0, seen, self.patience, self.patience.awake());
        let mut state = self.lock();
        if !changed && self.done_count.0.load(Ordering::Acquire) == seen {
            state.asleep = true;
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.asleep = false;
        }
        state
    }

    /// Notes that no chunk follows for now. Idle lanes then end while the last chunks are on their way: to wake them at a loop's
    /// end would take a good part of a short loop's time.
    pub fn lull(&self) {
        let mut state = self.lock();
        state.lull = true;
        self.work_count.0.fetch_add(1, Ordering::Release);
        if state.idle > 0 {
            self.work.notify_all();
        }
    }

    /// Waits for a chunk's result. A failure also tells whether the host's arrays may have changed.
    pub fn wait_for(&self, ticket: u64) -> Outcome {
        let mut state = self.lock();
        loop {
            if let Some(outcome) = state.done.remove(&ticket) {
                state.wanted = None;
                return outcome;
            }
            if let Some(panic) = state.panic.take() {
                drop(state);
                resume_unwind(panic);
            }
            if state.lanes == 0 {
                let problem = (Phase::Kernel, "no thread copies for this device any more".to_owned());
                return Err(Failed { wrote_host: true, ..Failed::before(problem) });
            }
            state.wanted = Some(ticket);
            state = self.proxy_waits(state);
        }
    }

    /// Lets no lane take another chunk, and returns when all lanes have ended. Tells whether chunks whose results were not fetched
    /// may have changed the host's arrays.
    pub fn close(&self) -> bool {
        self.closed.store(true, Ordering::Release);
        let mut state = self.lock();
        state.waiting.clear();
        self.work_count.0.fetch_add(1, Ordering::Release);
        self.work.notify_all();
        while state.lanes > 0 {
            state = self.proxy_waits(state);
        }
        state.fetches.clear();
        state.core = None;
        // Results that were never fetched are already in the host's arrays.
        state.wrote_host || state.done.values().any(Result::is_ok)
    }

    /// What a lane does next, which has seen so many arrays; absent: it has begun with chunks, and all arrays are over. `None` when
    /// there is nothing and it `has_work`, or when it must end.
    fn take(&self, lane: usize, seen: Option<usize>, has_work: bool) -> Option<Next> {
        let mut polls = true;
        let mut state = self.lock();
        loop {
            let fetch = seen.and_then(|seen| state.fetches.get(seen));
            if let Some((fetch, lanes)) = fetch.filter(|_| !self.closed.load(Ordering::Acquire)) {
                return Some(if lane < *lanes { Next::Fetch(Arc::clone(fetch)) } else { Next::LeftToOthers });
            }
            let only_helps = lane >= self.at_work;
            if !only_helps && let Some((ticket, chunk)) = state.waiting.pop_front() {
                return Some(Next::Chunk(ticket, chunk));
            }
            if has_work || self.closed.load(Ordering::Acquire) || (only_helps && state.core.is_some()) {
                return None;
            }
            if state.lull {
                // This lane takes no more chunks, so `put` has it called again.
                state.gone.push(lane);
                return None;
            }
            if polls {
                let seen = self.work_count.0.load(Ordering::Acquire);
                drop(state);
                // Another lane may get the chunk that came.
                polls = poll(&self.work_count.0, seen, self.patience, POLLS.min(self.patience.awake()));
                state = self.lock();
                continue;
            }
            state.idle += 1;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
            polls = true;
        }
    }

    fn report(&self, ticket: u64, outcome: Outcome) {
        let mut state = self.lock();
        state.wrote_host |= matches!(outcome, Err(Failed { wrote_host: true, .. }));
        state.done.insert(ticket, outcome);
        // The proxy waits for the oldest chunk; it finds other results when it comes to them.
        if state.wanted == Some(ticket) {
            self.tell_proxy(state);
        }
    }
}

/// Polls until a count is no longer what was `seen`, for at most so long. Tells whether it changed.
pub fn poll(count: &AtomicU64, seen: u64, patience: Patience, most: Duration) -> bool {
    let start = Instant::now();
    while count.load(Ordering::Acquire) == seen {
        if start.elapsed() >= most {
            return false;
        }
        patience.pause();
    }
    true
}

/// What a lane does next.
enum Next {
    Fetch(Arc<Fetch<'static>>),
    /// Fewer lanes fetch this array.
    LeftToOthers,
    Chunk(u64, IterRange),
}

fn lane(stream: &'static Stream, board: &Board, number: usize) {
    // Kept to the end: its copies may still be on their way.
    let mut sender = None;
    let mut seen = 0;
    while let Some(next) = board.take(number, Some(seen), false) {
        seen += 1;
        match next {
            Next::Fetch(fetch) => {
                let sender = sender.get_or_insert_with(|| fetch.sender(stream));
                // SAFETY: what it borrows outlives the lanes (`Helpers::fetch`); the sender's drop waits for the stream.
                unsafe { fetch.help(sender) }
            }
            Next::LeftToOthers => {}
            Next::Chunk(ticket, chunk) => {
                let Some(Lent(core)) = board.lock().core else { unreachable!("chunks come after the core") };
                // SAFETY: the core is there before the first chunk is, and stays until `close` has returned, which waits for this
                // lane (`Lanes::start`).
                let core = unsafe { &*core };
                chunks(core, stream, board, number, (ticket, chunk));
                break;
            }
        }
    }
}

/// A lane's chunks, of which it has taken the first.
fn chunks(core: &Core<'_>, stream: &Stream, board: &Board, number: usize, first: (u64, IterRange)) {
    let mut prepared = core.gpu.bind();
    let mut clock = core.clock();
    let mut taken = 0u64;
    let mut own = Own { core, stream, busy: VecDeque::new(), slots: Vec::new() };
    let Own { busy, slots, .. } = &mut own;
    let mut first = Some(first);
    loop {
        let next = first.take().or_else(|| match board.take(number, None, !busy.is_empty()) {
            Some(Next::Chunk(ticket, chunk)) => Some((ticket, chunk)),
            Some(Next::Fetch(_) | Next::LeftToOthers) | None => None,
        });
        match next {
            Some((ticket, chunk)) => {
                if taken == 0 {
                    // Only now, so that a lane without chunks leaves no wait on its stream.
                    prepared = prepared.and_then(|()| core.ready.iter().try_for_each(|event| stream.wait_for(event)));
                }
                taken += 1;
                if let Err(error) = prepared {
                    board.report(ticket, Err(Failed::before((Phase::To, error.to_string()))));
                    continue;
                }
                let bytes = |busy: &VecDeque<(u64, Flight<'_>)>| -> usize {
                    // The next chunk is taken to be as long as the last. Halo rows may make chunks longer than asked for.
                    let last = busy.back().map_or(0, |(_, flight)| flight.section_bytes());
                    busy.iter().map(|(_, flight)| flight.section_bytes()).sum::<usize>() + last
                };
                while busy.len() >= board.per_lane || bytes(busy) > board.room {
                    finish(core, stream, board, &mut clock, busy, slots);
                }
                let slot = slots.pop().unwrap_or_default();
                // In the list before anything is enqueued, as the kernel author's code may panic.
                busy.push_back((ticket, Flight::new(chunk, slot, core.work.arguments.len())));
                let Some((_, flight)) = busy.back_mut() else { continue };
                if let Err(problem) = flight.enqueue(core, Route::single(stream, taken % MARKED_EVERY == 1)) {
                    let _ = stream.synchronize();
                    let failed = Failed::of(problem, flight);
                    if let Some((_, flight)) = busy.pop_back() {
                        core.free_slot(flight.into_slot());
                    }
                    core.give_where_refused(slots);
                    board.report(ticket, Err(failed));
                }
            }
            None if busy.is_empty() => break,
            None => finish(core, stream, board, &mut clock, busy, slots),
        }
    }
}

/// A lane's chunks and buffers. On every path, the GPU is done with the chunks before their buffers are given back.
struct Own<'c, 's> {
    core: &'c Core<'s>,
    stream: &'c Stream,
    busy: VecDeque<(u64, Flight<'s>)>,
    slots: Vec<Slot>,
}

impl Drop for Own<'_, '_> {
    fn drop(&mut self) {
        if !self.busy.is_empty() {
            let _ = self.stream.synchronize();
        }
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
    let Some((_, flight)) = busy.front_mut() else { return };
    // In the list until then, as a reduction's operator may panic.
    let collected = flight.collect(core, clock);
    let Some((ticket, flight)) = busy.pop_front() else { return };
    match collected {
        Ok(completed) => {
            // Return the lent spans before the chunk is reported as done.
            slots.push(flight.into_slot());
            core.give_where_refused(slots);
            board.report(ticket, Ok(completed));
        }
        Err(problem) => {
            let _ = stream.synchronize();
            let failed = Failed::of(problem, &flight);
            core.free_slot(flight.into_slot());
            board.report(ticket, Err(failed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cores_but_one_copy_up_to_what_a_link_needs() {
        let counts = |gpus: usize| [1, 2, 4, 16, 64].map(|cores| Lanes::new(cores, gpus).count());
        assert_eq!(counts(1), [1, 1, 3, 15, 15]);
        assert_eq!(counts(2), [1, 1, 1, 7, 12]);
        assert_eq!(counts(4), [1, 1, 1, 3, 12]);
        // Zero GPUs must not divide by zero.
        assert_eq!(Lanes::new(16, 0).count(), 15);
    }

    #[test]
    fn a_short_loop_is_copied_by_fewer_and_a_session_has_as_many_lanes_as_were_asked_for() {
        let kernel = crate::kernel::Kernel::new("any");
        // An array each way, of this many MiB, on two GPUs.
        let asked = |mib: usize| {
            let (x, mut y) = (vec![0u64; mib << 17], vec![0u64; mib << 17]);
            let bound = kernel.bind().to(&x).align().from(&mut y).align();
            let (lanes, locked) = (Lanes::new(32, 2), [false; 2]);
            let count = lanes.of_share(bound.arguments(), &locked, 2);
            let at_work = |in_flight: usize, piece_bytes: Option<u64>| {
                let range = IterRange::new(0, mib as u64);
                lanes.at_work(&Work { in_flight, piece_bytes, ..Work::of(&bound, range) }, 15)
            };
            assert_eq!(at_work(Lanes::in_flight(count), Some(Lanes::chunk_bytes(count, 2, true))), count);
            // The arrays were to be locked, so there is a lane for each chunk.
            assert_eq!(at_work(4, None), 4);
            count
        };
        assert_eq!([1, 80, 160, 240, 400].map(asked), [8, 8, 10, 12, 12]);
        let mib = |lanes, gpus, short| Lanes::chunk_bytes(lanes, gpus, short) as f64 / f64::from(1 << 20);
        assert_eq!([mib(8, 1, false), mib(8, 2, false), mib(16, 2, false), mib(12, 8, false)], [4.0, 4.0, 2.0, 1.0]);
        assert_eq!([mib(8, 1, true), mib(8, 2, true), mib(16, 2, true), mib(12, 8, true)], [4.0, 2.0, 2.0, 1.0]);
    }

    #[test]
    fn fewer_copy_for_one_gpu_what_goes_one_way() {
        let (long, short, mut out) = (vec![0u64; 1000], vec![0u64; 100], vec![0u64; 1000]);
        let kernel = crate::kernel::Kernel::new("any");
        let sums = kernel.bind().to(&long).align().to(&short).align();
        let lanes = |gpus: usize, bound: &crate::kernel::Bound<'_>, locked: &[bool]| {
            Lanes::new(16 * gpus, gpus).of(bound.arguments(), locked)
        };
        assert_eq!([1, 2, 4].map(|gpus| lanes(gpus, &sums, &[false; 2])), [8, 12, 12]);
        let both = kernel.bind().to(&long).align().from(&mut out).align();
        assert_eq!(lanes(1, &both, &[false; 2]), 15);
        // Lanes do not copy locked arrays.
        assert_eq!(lanes(1, &both, &[true, false]), 8);
        // A replicated array is copied before the loop's chunks.
        let mut few = vec![0u64; 100];
        let replicated = kernel.bind().to(&long).full().to(&short).align().from(&mut few).align();
        assert_eq!(lanes(1, &replicated, &[false; 3]), 15);
        assert_eq!(Lanes::new(4, 1).of(sums.arguments(), &[false; 2]), 3);
    }
}
