//! Replicated arrays: once over the host's links, then from GPU to GPU.
//!
//! The GPUs of a loop share one [`Board`] per replicated array, which is cut into parts. Each GPU takes the next part that
//! nobody has and copies it from the host, a few at a time, so that a GPU with a faster link takes more; what others have
//! sent for it copies from them. All GPUs together so fetch the array once, each over its own link, and a loop on one GPU
//! fetches all of it itself.
//!
//! Also here: page-locking plain arrays for a loop, where that is faster than to copy them through page-locked memory.
#![allow(unsafe_code, reason = "copies from the host's arrays and other GPUs' memory")]

use super::Streams;
use super::driver::{Event, Gpu, PinnedBy, Stream, Timed, open_gpus};
use super::lanes::Lanes;
use super::memory::PinnedBuffer;
use super::session::{Core, host_start};
use crate::devices::Work;
use crate::kernel::Argument;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// Bytes of a part: 4 MiB take about 80 us on a fast link, ten times what it takes to hand one out.
const PART: usize = 4 << 20;
/// Parts that a GPU has under way from the host: the link is never idle, and none is far ahead of the others.
const UNDER_WAY: usize = 3;
/// Up to here every GPU fetches the array itself: to share it takes longer.
const SHARE_FROM: usize = 1 << 20;

/// What sending an array left behind.
pub struct Spread {
    /// Bytes that came over this GPU's host link.
    pub bytes_from_host: u64,
    /// Reached when all of it is there.
    pub ready: Vec<Arc<Event>>,
    /// Of other GPUs, reached when what was copied from there had come there.
    pub sources: Vec<Arc<Event>>,
    /// To be dropped before the array's memory on this GPU goes.
    pub spreading: Option<Spreading>,
}

#[derive(Clone)]
enum Part {
    Free,
    Taken,
    /// On its way to this GPU's memory at the address; the event tells when it is there.
    Sent {
        gpu: Arc<Gpu>,
        address: u64,
        event: Arc<Event>,
    },
}

/// One replicated array of one loop.
struct Board {
    parts: Mutex<Parts>,
    changed: Condvar,
}

struct Parts {
    parts: Vec<Part>,
    /// Copies that others make from a GPU, by its ordinal.
    pulls: HashMap<usize, Pulls>,
}

#[derive(Default)]
struct Pulls {
    /// GPUs that are about to enqueue some.
    about_to: usize,
    /// Reached when those that are enqueued are done.
    done: Vec<Arc<Event>>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The board of an array in a loop: the GPUs of one loop have the same arguments at the same start.
    fn of(work: &Work<'_>, position: usize, bytes: usize) -> Arc<Self> {
        type Key = (Instant, usize, usize);
        static BOARDS: LazyLock<Mutex<HashMap<Key, Weak<Board>>>> = LazyLock::new(Mutex::default);
        let key = (work.epoch, work.arguments.as_ptr().addr(), position);
        let mut boards = BOARDS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = boards.get(&key).and_then(Weak::upgrade) {
            return board;
        }
        boards.retain(|_, board| board.strong_count() > 0);
        let parts = Parts { parts: vec![Part::Free; bytes.div_ceil(PART)], pulls: HashMap::new() };
        let board = Arc::new(Self { parts: Mutex::new(parts), changed: Condvar::new() });
        boards.insert(key, Arc::downgrade(&board));
        board
    }
}

/// A GPU's part in spreading an array. Dropping it waits until nobody copies from this GPU any more.
pub struct Spreading {
    board: Arc<Board>,
    gpu: Arc<Gpu>,
    /// Reached when this GPU's copies from others are done.
    pulled: Option<Arc<Event>>,
    /// What they waited for there.
    sources: Vec<Arc<Event>>,
}

impl Drop for Spreading {
    fn drop(&mut self) {
        let _ = self.gpu.bind();
        if let Some(event) = &self.pulled {
            let _ = event.synchronize();
        }
        let mut parts = self.board.lock();
        // Who comes later fetches them anew; a part that failed half-way is nobody's.
        for part in &mut parts.parts {
            if matches!(part, Part::Sent { gpu, .. } if gpu.ordinal == self.gpu.ordinal) {
                *part = Part::Free;
            }
        }
        self.board.changed.notify_all();
        // Not until the others' loops are done: one of them may wait for chunks that this GPU is to give back.
        while parts.pulls.get(&self.gpu.ordinal).is_some_and(|pulls| pulls.about_to > 0) {
            parts = self.board.changed.wait(parts).unwrap_or_else(PoisonError::into_inner);
        }
        let done = parts.pulls.remove(&self.gpu.ordinal).unwrap_or_default().done;
        drop(parts);
        for event in done {
            let _ = event.synchronize();
        }
    }
}

/// A GPU is about to copy from these; until this is dropped, they wait with giving up their memory.
struct AboutToPull<'b> {
    board: &'b Board,
    stream: &'b Stream,
    sources: Vec<usize>,
    done: Option<Arc<Event>>,
}

impl Drop for AboutToPull<'_> {
    fn drop(&mut self) {
        if self.done.is_none() && !self.sources.is_empty() {
            // Something failed: no event tells when the copies are done that were enqueued before.
            let _ = self.stream.synchronize();
        }
        let mut parts = self.board.lock();
        for source in &self.sources {
            let pulls = parts.pulls.entry(*source).or_default();
            pulls.about_to -= 1;
            pulls.done.extend(self.done.clone());
        }
        self.board.changed.notify_all();
    }
}

/// Starts copying a replicated array to `address` on this GPU.
///
/// # Safety
/// The context is current. `bytes` and the device's memory stay until the streams are done and [`Spread::spreading`] is
/// dropped.
pub unsafe fn send(
    core: &Core<'_>,
    streams: &Streams,
    lanes: Option<&Lanes>,
    position: usize,
    bytes: &[u8],
    address: u64,
    locked: bool,
) -> Result<Spread, String> {
    let alone = bytes.len() < SHARE_FROM || open_gpus().len() < 2;
    let part = PART.min(bytes.len());
    let mut sender = Sender {
        core,
        streams,
        lanes,
        locked,
        part,
        pinned: Vec::new(),
        under_way: VecDeque::new(),
        copies: 0,
        sent: 0,
    };
    if alone && (locked || bytes.len() < PART) {
        // SAFETY: the caller's promise.
        unsafe { sender.from_host(address, bytes) }.map_err(|error| error.to_string())?;
        let event = sender.mark()?;
        sender.wait_if_staged()?;
        return Ok(sender.spread(vec![event], None));
    }
    let board = Board::of(core.work, position, bytes.len());
    let mut spreading = Spreading { board, gpu: Arc::clone(core.gpu), pulled: None, sources: Vec::new() };
    // SAFETY: the caller's promise.
    unsafe { sender.share(&mut spreading, bytes, address) }?;
    let mut ready = vec![sender.mark()?];
    sender.wait_if_staged()?;
    ready.extend(spreading.pulled.clone());
    Ok(sender.spread(ready, Some(spreading)))
}

struct Sender<'c, 's> {
    core: &'c Core<'s>,
    streams: &'c Streams,
    lanes: Option<&'c Lanes>,
    locked: bool,
    /// Bytes of the longest part.
    part: usize,
    /// Page-locked memory for parts of a plain array, used in turn.
    pinned: Vec<PinnedBuffer>,
    under_way: VecDeque<Arc<Event>>,
    copies: usize,
    sent: u64,
}

impl Sender<'_, '_> {
    fn spread(&self, ready: Vec<Arc<Event>>, spreading: Option<Spreading>) -> Spread {
        let sources = spreading.as_ref().map_or_else(Vec::new, |spreading| spreading.sources.clone());
        Spread { bytes_from_host: self.sent, ready, sources, spreading }
    }

    fn mark(&self) -> Result<Arc<Event>, String> {
        let mark = || {
            let event = Event::new(self.core.gpu, Timed::No)?;
            event.record(&self.streams.to)?;
            Ok(Arc::new(event))
        };
        mark().map_err(|error: super::status::CudaError| error.to_string())
    }

    /// What lies in page-locked memory of ours has to be copied before that is given back.
    fn wait_if_staged(&mut self) -> Result<(), String> {
        if !self.pinned.is_empty() {
            self.streams.to.synchronize().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Enqueues a copy of up to [`PART`] bytes (or all, where they are page-locked) from the host.
    ///
    /// # Safety
    /// As [`send`].
    unsafe fn from_host(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let mut host = bytes.as_ptr();
        if !self.locked {
            // By the count of copies: the last part is short, and may come before others.
            let turn = self.copies % (UNDER_WAY + 1);
            if self.pinned.len() <= turn {
                let taken = self.core.pools().pinned.take(&PinnedBy(self.core.gpu), self.part.max(1 << 16));
                self.pinned.push(taken.map_err(|problem| problem.to_string())?);
            }
            let start = self.pinned[turn].buffer.start.as_ptr();
            // SAFETY: the buffer has room for a part, and its last copy is done: fewer are under way than there are buffers.
            let pinned = unsafe { std::slice::from_raw_parts_mut(start, bytes.len().min(self.pinned[turn].bytes)) };
            copy_in_parallel(self.lanes, pinned, bytes);
            host = start;
        }
        // SAFETY: the caller's promise, or our own buffer.
        unsafe { self.streams.to.copy_in(address, host, bytes.len()) }.map_err(|error| error.to_string())?;
        self.copies += 1;
        self.sent += bytes.len() as u64;
        Ok(())
    }

    /// Fetches what nobody has, and copies from others what they have.
    ///
    /// # Safety
    /// As [`send`].
    unsafe fn share(&mut self, spreading: &mut Spreading, bytes: &[u8], address: u64) -> Result<(), String> {
        let me = self.core.gpu;
        let board = Arc::clone(&spreading.board);
        let mut mine: HashSet<usize> = HashSet::new();
        let parts = bytes.len().div_ceil(PART);
        let range = |index: usize| index * PART..((index + 1) * PART).min(bytes.len());
        let text = |error: super::status::CudaError| error.to_string();
        while mine.len() < parts {
            let mut pull = Vec::new();
            let mut take = None;
            let mut about = AboutToPull { board: &board, stream: &self.streams.peer, sources: Vec::new(), done: None };
            {
                let mut state = board.lock();
                loop {
                    for (index, part) in state.parts.iter().enumerate() {
                        if let Part::Sent { gpu, address, event } = part
                            && !mine.contains(&index)
                            && gpu.ordinal != me.ordinal
                            && me.pulls_from(gpu)
                        {
                            pull.push((index, Arc::clone(gpu), *address, Arc::clone(event)));
                        }
                    }
                    // Counted before the lock is left: from here on the source waits for us.
                    for (_, gpu, ..) in &pull {
                        if !about.sources.contains(&gpu.ordinal) {
                            state.pulls.entry(gpu.ordinal).or_default().about_to += 1;
                            about.sources.push(gpu.ordinal);
                        }
                    }
                    // What was copied from a GPU that has failed since is free again, and not wanted here.
                    let free = |index: &usize| matches!(state.parts[*index], Part::Free) && !mine.contains(index);
                    if let Some(index) = (0..parts).find(free) {
                        state.parts[index] = Part::Taken;
                        take = Some((index, true));
                    } else if pull.is_empty() {
                        // What a GPU has that cannot be reached from here comes from the host a second time.
                        let unreachable = |part: &Part| matches!(part, Part::Sent { gpu, .. } if !me.pulls_from(gpu));
                        let index = (0..parts).find(|index| !mine.contains(index) && unreachable(&state.parts[*index]));
                        take = index.map(|index| (index, false));
                        if take.is_none() && mine.len() < parts {
                            state = board.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                            continue;
                        }
                    }
                    break;
                }
            }
            // A part that is taken and not sent is given back, also when something fails here.
            let taken = take.map(|(index, owned)| TakenPart { board: &board, index, owned });
            for (index, gpu, from, event) in pull {
                let part = range(index);
                let peer = &self.streams.peer;
                peer.wait_for(&event).map_err(text)?;
                // SAFETY: the source's memory stays until `about` is gone and its event, recorded below, is reached.
                unsafe { peer.copy_from_peer(address + part.start as u64, &gpu, from, part.len()) }.map_err(text)?;
                mine.insert(index);
                spreading.sources.push(event);
            }
            if !about.sources.is_empty() {
                let done = Arc::new(Event::new(me, Timed::No).map_err(text)?);
                done.record(&self.streams.peer).map_err(text)?;
                about.done = Some(Arc::clone(&done));
                spreading.pulled = Some(done);
            }
            drop(about);
            let Some(taken) = taken else { continue };
            if self.under_way.len() >= UNDER_WAY
                && let Some(oldest) = self.under_way.pop_front()
            {
                oldest.synchronize().map_err(text)?;
            }
            let part = range(taken.index);
            let to = address + part.start as u64;
            // SAFETY: the caller's promise.
            unsafe { self.from_host(to, &bytes[part]) }?;
            let event = self.mark()?;
            self.under_way.push_back(Arc::clone(&event));
            mine.insert(taken.index);
            taken.sent(Part::Sent { gpu: Arc::clone(me), address: to, event });
        }
        Ok(())
    }
}

impl Drop for Sender<'_, '_> {
    fn drop(&mut self) {
        if !self.pinned.is_empty() {
            let _ = self.streams.to.synchronize();
            let mut pools = self.core.pools();
            self.pinned.drain(..).for_each(|memory| pools.pinned.give(memory));
        }
    }
}

/// A part that this GPU has taken and not yet sent.
struct TakenPart<'b> {
    board: &'b Board,
    index: usize,
    owned: bool,
}

impl TakenPart<'_> {
    fn sent(mut self, part: Part) {
        if self.owned {
            self.board.lock().parts[self.index] = part;
            self.board.changed.notify_all();
            self.owned = false;
        }
    }
}

impl Drop for TakenPart<'_> {
    fn drop(&mut self) {
        if self.owned {
            self.board.lock().parts[self.index] = Part::Free;
            self.board.changed.notify_all();
        }
    }
}

/// Copies with all lanes where there are such.
fn copy_in_parallel(lanes: Option<&Lanes>, to: &mut [u8], from: &[u8]) {
    use rayon::prelude::*;
    match lanes.and_then(Lanes::pool) {
        Some(pool) if from.len() >= 1 << 20 => pool.install(|| {
            let piece = from.len().div_ceil(rayon::current_num_threads()).next_multiple_of(4096);
            to.par_chunks_mut(piece).zip(from.par_chunks(piece)).for_each(|(to, from)| to.copy_from_slice(from));
        }),
        _ => to.copy_from_slice(from),
    }
}

/// An array that is page-locked as long as this lives, by however many loops and devices.
pub struct Registered {
    start: usize,
}

/// An array that loops have page-locked.
struct Registration {
    start: usize,
    bytes: usize,
    gpu: Arc<Gpu>,
    users: usize,
}

static REGISTERED: Mutex<Vec<Registration>> = Mutex::new(Vec::new());

impl Registered {
    /// Page-locks an array, or joins those for whom it is.
    ///
    /// # Safety
    /// The array stays borrowed until this is dropped.
    unsafe fn new(gpu: &Arc<Gpu>, start: *const u8, bytes: usize) -> Option<Self> {
        let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        let key = start.addr();
        if let Some(there) = all.iter_mut().find(|there| there.start == key) {
            there.users += 1;
            return Some(Self { start: key });
        }
        // SAFETY: the caller's promise.
        unsafe { gpu.register(start.cast_mut(), bytes) }.ok()?;
        all.push(Registration { start: key, bytes, gpu: Arc::clone(gpu), users: 1 });
        Some(Self { start: key })
    }
}

/// Which arguments are page-locked. Where other loops have locked them, this joins those, so that they stay so for this
/// loop when the others end.
pub fn hold_locked(gpu: &Gpu, work: &Work<'_>) -> (Vec<bool>, Vec<Registered>) {
    // Until all are joined nobody locks or unlocks.
    let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut joined = Vec::new();
    let mut hold = |argument: &Argument<'_>| {
        let Some((first, map)) = argument.array().and_then(|map| Some((host_start(map)?, map))) else { return false };
        if !gpu.is_page_locked(first, map.bytes()) {
            return false;
        }
        let touches = |there: &&mut Registration| {
            first.addr() < there.start + there.bytes && there.start < first.addr() + map.bytes()
        };
        for there in all.iter_mut().filter(touches) {
            there.users += 1;
            joined.push(Registered { start: there.start });
        }
        true
    };
    (work.arguments.iter().map(&mut hold).collect(), joined)
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(position) = all.iter().position(|there| there.start == self.start) else { return };
        all[position].users -= 1;
        if all[position].users == 0 {
            let Registration { start, gpu, .. } = all.swap_remove(position);
            // SAFETY: registered by `new`; its last user's session has waited for all copies.
            let _ = unsafe { gpu.unregister(std::ptr::without_provenance_mut(start)) };
        }
    }
}

/// Page-locks the plain arrays of a loop where that is faster than to copy them through page-locked memory, by what both
/// cost on this machine.
///
/// A registration ends with the loop: after that the arrays are their owner's, who may free them, and CUDA would copy from
/// pages that are no longer theirs.
pub fn register_if_faster(gpu: &Arc<Gpu>, work: &Work<'_>, lanes: usize) -> Vec<Registered> {
    let Some(costs) = copy_costs(gpu) else { return Vec::new() };
    let (mut lock, mut copy) = (0f64, 0f64);
    let mut plain = Vec::new();
    for map in work.arguments.iter().filter_map(Argument::array) {
        let Some(start) = host_start(map).filter(|start| !gpu.is_page_locked(*start, map.bytes())) else { continue };
        let ways = f64::from(u8::from(map.direction.copies_in())) + f64::from(u8::from(map.direction.copies_out()));
        lock += map.bytes() as f64 * costs.lock;
        copy += map.bytes() as f64 * ways * costs.copy / lanes.max(1) as f64;
        plain.push((start, map.bytes()));
    }
    if lock >= copy {
        return Vec::new();
    }
    // SAFETY: the arrays are borrowed for the session, which drops the registrations last.
    let registered = plain.into_iter().map(|(start, bytes)| unsafe { Registered::new(gpu, start, bytes) });
    registered.collect::<Option<_>>().unwrap_or_default()
}

/// Seconds per byte.
#[derive(Clone, Copy)]
struct CopyCosts {
    /// To page-lock memory and to unlock it.
    lock: f64,
    /// To copy to page-locked memory with one thread.
    copy: f64,
}

/// Measured once in a process, on 16 MiB.
fn copy_costs(gpu: &Arc<Gpu>) -> Option<CopyCosts> {
    static COSTS: OnceLock<Option<CopyCosts>> = OnceLock::new();
    *COSTS.get_or_init(|| {
        const BYTES: usize = 16 << 20;
        let from = vec![1u8; BYTES];
        let mut to = vec![2u8; BYTES];
        // SAFETY: `to` lives until it is unregistered below.
        let locked = |to: &mut [u8]| unsafe { gpu.register(to.as_mut_ptr(), to.len()) };
        let start = Instant::now();
        locked(&mut to).ok()?;
        let lock = start.elapsed();
        let start = Instant::now();
        to.copy_from_slice(&from);
        let copy = start.elapsed();
        let start = Instant::now();
        // SAFETY: registered above; nothing copies from it.
        unsafe { gpu.unregister(to.as_mut_ptr()) }.ok()?;
        let lock = lock + start.elapsed();
        Some(CopyCosts { lock: lock.as_secs_f64() / BYTES as f64, copy: copy.as_secs_f64() / BYTES as f64 })
    })
}

/// Makes memory of both reachable from each other where that works and is faster than the way over the host, and
/// remembers it. A small pattern is copied and compared first: some machines say yes and copy rubbish.
pub fn connect(gpu: &Arc<Gpu>, streams: &Streams) {
    for other in open_gpus().iter().filter(|other| other.ordinal != gpu.ordinal) {
        let works = verified(gpu, other, &streams.peer);
        gpu.set_pulls_from(other, works);
        let back = Stream::new(other).is_ok_and(|stream| verified(other, gpu, &stream));
        other.set_pulls_from(gpu, back);
    }
}

/// Whether `to` can copy from `from`, right and without the host.
fn verified(to: &Arc<Gpu>, from: &Arc<Gpu>, stream: &Stream) -> bool {
    use crate::devices::pool::Allocator;
    const BYTES: usize = 64 << 10;
    let attempt = || -> Result<bool, super::status::CudaError> {
        if !to.enable_access_to(from)? {
            return Ok(false);
        }
        let pattern: Vec<u8> = (0..BYTES as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut back = vec![0u8; BYTES];
        let (source, target) = (from.allocate(BYTES)?, to.allocate(BYTES)?);
        from.bind()?;
        let feed = Stream::new(from)?;
        // SAFETY: pattern and buffers live until both streams are synchronised, below or when this fails (plain memory is
        // copied before the calls return).
        let copied = unsafe {
            feed.copy_in(source.address, pattern.as_ptr(), BYTES).and_then(|()| feed.synchronize()).and_then(|()| {
                to.bind()?;
                stream.copy_from_peer(target.address, from, source.address, BYTES)?;
                stream.copy_out(back.as_mut_ptr(), target.address, BYTES)
            })
        };
        let done = feed.synchronize().and(stream.synchronize());
        if let Err(error) = done {
            // Nobody knows whether a copy is still to come.
            std::mem::forget((pattern, back));
            return Err(error);
        }
        copied?;
        Ok(pattern == back)
    };
    attempt().unwrap_or(false)
}
