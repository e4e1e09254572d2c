//! Replicated arrays: fetched once over the host's links, then copied from GPU to GPU.
//!
//! The GPUs of a loop share one [`Board`] per replicated array, which is cut into parts. Each GPU takes the next part that no GPU
//! has and copies it from the host, a few at a time, so that a GPU with a faster link takes more. A part that another GPU has
//! fetched is copied from that GPU. So all GPUs together fetch the array once, each over its own link, and a loop on one GPU
//! fetches all of it itself.
#![allow(unsafe_code, reason = "copies from the host's arrays and other GPUs' memory")]

use super::Streams;
use super::driver::{Event, Gpu, PinnedBy, Stream, Timed, open_gpus};
use super::lanes::Lanes;
use super::memory::PinnedBuffer;
use super::session::Core;
use super::status::CudaError;
use crate::devices::Work;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

/// Bytes of a part: 4 MiB take about 80 us on a fast link, ten times what it takes to hand one out.
const PART: usize = 4 << 20;
/// Parts that a GPU has on their way from the host: enough that the link is never idle and no GPU gets far ahead of the others.
const UNDER_WAY: usize = 3;
/// Below this size each GPU fetches the array itself, because sharing would take longer.
const SHARE_FROM: usize = 1 << 20;

/// The result of sending an array.
pub struct Spread {
    /// Bytes that came over this GPU's host link.
    pub bytes_from_host: u64,
    /// Events after which all of the array is there.
    pub ready: Vec<Arc<Event>>,
    /// Events of other GPUs, which tell whether the parts copied from them had arrived there.
    pub sources: Vec<Arc<Event>>,
    /// To be dropped before the array's memory on this GPU is released.
    pub spreading: Option<Spreading>,
}

/// Identifies a session on a GPU. A GPU that stands twice in a machine description has two sessions.
type Owner = u64;

#[derive(Clone)]
enum Part {
    Free,
    Taken,
    /// On its way to the GPU's memory at `address`, for the session `owner`; `event` tells when it is there.
    Sent {
        owner: Owner,
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
    /// For each owner, copies that others make of its parts.
    pulls: HashMap<Owner, Pulls>,
}

#[derive(Default)]
struct Pulls {
    /// Number of GPUs that are about to enqueue such copies.
    about_to: usize,
    /// Events at the end of the copies that are enqueued.
    done: Vec<Arc<Event>>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The board of an array in a loop. The GPUs of one loop have the same start time and the same arguments.
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

/// A GPU's part in spreading an array. Dropping it waits until no other GPU copies from this GPU any more.
pub struct Spreading {
    board: Arc<Board>,
    gpu: Arc<Gpu>,
    owner: Owner,
    /// Events at the end of this GPU's copies from others.
    pulled: Vec<Arc<Event>>,
}

impl Drop for Spreading {
    fn drop(&mut self) {
        let _ = self.gpu.bind();
        for event in &self.pulled {
            let _ = event.synchronize();
        }
        let mut parts = self.board.lock();
        // GPUs that come later fetch these parts anew. A part that failed half-way belongs to no GPU.
        for part in &mut parts.parts {
            if matches!(part, Part::Sent { owner, .. } if *owner == self.owner) {
                *part = Part::Free;
            }
        }
        self.board.changed.notify_all();
        // Wait for the copies only, not for the others' loops: one of those may wait for chunks that this GPU is to give back.
        while parts.pulls.get(&self.owner).is_some_and(|pulls| pulls.about_to > 0) {
            parts = self.board.changed.wait(parts).unwrap_or_else(PoisonError::into_inner);
        }
        let done = parts.pulls.remove(&self.owner).unwrap_or_default().done;
        drop(parts);
        for event in done {
            let _ = event.synchronize();
        }
    }
}

/// Announces that a GPU is about to copy from these owners (given with their GPUs' ordinals). Until this is dropped, they do not
/// release their memory.
struct AboutToPull<'b> {
    board: &'b Board,
    streams: &'b [Stream],
    sources: Vec<(Owner, usize)>,
    /// By position in `sources`: the event at the end of the copies from that source.
    done: Vec<Arc<Event>>,
}

impl Drop for AboutToPull<'_> {
    fn drop(&mut self) {
        if self.done.len() < self.sources.len() {
            // Something failed, so there is no event for the end of the copies enqueued before.
            for stream in self.streams {
                let _ = stream.synchronize();
            }
        }
        let mut parts = self.board.lock();
        for (place, (owner, _)) in self.sources.iter().enumerate() {
            let pulls = parts.pulls.entry(*owner).or_default();
            pulls.about_to -= 1;
            pulls.done.extend(self.done.get(place).cloned());
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
    let text = |error: CudaError| error.to_string();
    let alone = bytes.len() < SHARE_FROM || open_gpus().len() < 2;
    if alone && (locked || bytes.len() <= PART) {
        let mut sender = Sender::new(core, &streams.to, locked, bytes.len());
        // SAFETY: the caller's promise.
        unsafe { sender.copy_from_host(address, bytes) }?;
        let (bytes_from_host, ready) = (bytes.len() as u64, vec![sender.end()?]);
        return Ok(Spread { bytes_from_host, ready, sources: Vec::new(), spreading: None });
    }
    let board = Board::of(core.work, position, bytes.len());
    static OWNERS: AtomicU64 = AtomicU64::new(0);
    let owner = OWNERS.fetch_add(1, Ordering::Relaxed);
    let mut spreading = Spreading { board, gpu: Arc::clone(core.gpu), owner, pulled: Vec::new() };
    let board = Arc::clone(&spreading.board);
    let fetch = Fetch { core, board: &board, owner, bytes, address, mine: Mutex::default() };
    // SAFETY: the caller's promise, for all workers: `pool.scope` ends after them.
    let work = |stream: &Stream, peers: Option<&[Stream]>| unsafe { fetch.work(stream, peers, locked) };
    let worked: Vec<Result<Worked, String>> = match lanes.and_then(Lanes::workers).filter(|_| !locked) {
        None => vec![work(&streams.to, Some(&streams.peers))],
        Some((pool, streams_of_lanes)) => {
            let results = Mutex::new(Vec::new());
            let note = |worked| results.lock().unwrap_or_else(PoisonError::into_inner).push(worked);
            pool.in_place_scope(|scope| {
                for stream in streams_of_lanes {
                    let (note, work) = (&note, &work);
                    scope.spawn(move |_| note(core.gpu.bind().map_err(text).and_then(|()| work(stream, None))));
                }
                // Meanwhile this thread copies from other GPUs, and from the host what the lanes leave.
                note(work(&streams.to, Some(&streams.peers)));
            });
            results.into_inner().unwrap_or_else(PoisonError::into_inner)
        }
    };
    let mut spread = Spread { bytes_from_host: 0, ready: Vec::new(), sources: Vec::new(), spreading: None };
    let mut failed = None;
    for worked in worked {
        match worked {
            Ok(worked) => {
                spread.bytes_from_host += worked.sent;
                spread.ready.push(worked.ready);
                spread.sources.extend(worked.sources);
                spread.ready.extend(worked.pulled.iter().cloned());
                spreading.pulled.extend(worked.pulled);
            }
            Err(why) => failed = Some(why),
        }
    }
    match failed {
        Some(why) => Err(why),
        None => {
            spread.spreading = Some(spreading);
            Ok(spread)
        }
    }
}

/// A copy from the host, by one thread on one stream.
struct Sender<'c, 's> {
    core: &'c Core<'s>,
    stream: &'c Stream,
    locked: bool,
    /// Bytes of the longest part. The last part is short, and may come before others.
    part: usize,
    /// Page-locked memory for parts of a plain array, used in turn.
    pinned: VecDeque<PinnedBuffer>,
    /// Copies on their way, with the page-locked memory that they read.
    under_way: VecDeque<(Arc<Event>, Option<PinnedBuffer>)>,
    sent: u64,
}

impl<'c, 's> Sender<'c, 's> {
    fn new(core: &'c Core<'s>, stream: &'c Stream, locked: bool, bytes: usize) -> Self {
        let part = PART.min(bytes);
        Self { core, stream, locked, part, pinned: VecDeque::new(), under_way: VecDeque::new(), sent: 0 }
    }

    /// Enqueues a copy from the host, and gives the event of its end.
    ///
    /// # Safety
    /// As [`send`].
    unsafe fn copy_from_host(&mut self, address: u64, bytes: &[u8]) -> Result<Arc<Event>, String> {
        let text = |error: CudaError| error.to_string();
        // A thread that fills page-locked memory is at most one part ahead.
        let most = if self.locked { UNDER_WAY } else { 2 };
        if self.under_way.len() >= most
            && let Some((oldest, memory)) = self.under_way.pop_front()
        {
            oldest.synchronize().map_err(text)?;
            self.pinned.extend(memory);
        }
        let mut memory = None;
        let mut host = bytes.as_ptr();
        if !self.locked {
            let pinned = match self.pinned.pop_front() {
                Some(pinned) => pinned,
                None => {
                    let taken = self.core.pools().pinned.take(&PinnedBy(self.core.gpu), self.part);
                    taken.map_err(|problem| problem.to_string())?
                }
            };
            let start = pinned.buffer.start.as_ptr();
            if pinned.bytes < bytes.len() {
                return Err(format!("{} bytes of page-locked memory are too few for {}", pinned.bytes, bytes.len()));
            }
            // SAFETY: the buffer is long enough and does not overlap `bytes`, and its last copy is done.
            unsafe { std::ptr::copy_nonoverlapping(host, start, bytes.len()) };
            host = start;
            memory = Some(pinned);
        }
        // Created before the copy is enqueued: from then on the memory must be kept until the event.
        let event = Arc::new(Event::new(self.core.gpu, Timed::No).map_err(text)?);
        // SAFETY: the caller's promise, or our own buffer, which is kept until the event is reached.
        unsafe { self.stream.copy_in(address, host, bytes.len()) }.map_err(text)?;
        self.under_way.push_back((Arc::clone(&event), memory));
        event.record(self.stream).map_err(text)?;
        self.sent += bytes.len() as u64;
        Ok(event)
    }

    /// Gives an event for the end of all copies. Waits for copies from our own page-locked memory.
    fn end(mut self) -> Result<Arc<Event>, String> {
        let mark = || {
            let event = Arc::new(Event::new(self.core.gpu, Timed::No)?);
            event.record(self.stream)?;
            if self.under_way.iter().any(|(_, memory)| memory.is_some()) {
                self.stream.synchronize()?;
            }
            Ok(event)
        };
        let event = mark().map_err(|error: CudaError| error.to_string())?;
        let done = self.under_way.drain(..).filter_map(|(_, memory)| memory);
        self.pinned.extend(done);
        Ok(event)
    }
}

/// What one thread did for a replicated array.
struct Worked {
    sent: u64,
    ready: Arc<Event>,
    /// For each stream, the event at the end of its last copy from another GPU.
    pulled: Vec<Arc<Event>>,
    sources: Vec<Arc<Event>>,
}

/// One GPU's fetching of a replicated array, with one or several threads.
struct Fetch<'f, 's> {
    core: &'f Core<'s>,
    board: &'f Board,
    owner: Owner,
    bytes: &'f [u8],
    address: u64,
    /// Parts that are there, or on their way to this GPU.
    mine: Mutex<HashSet<usize>>,
}

impl Fetch<'_, '_> {
    /// Fetches parts that no GPU has. With `peers`, also copies parts from other GPUs, until all parts are on their way.
    ///
    /// # Safety
    /// As [`send`], until the streams are done.
    unsafe fn work(&self, stream: &Stream, peers: Option<&[Stream]>, locked: bool) -> Result<Worked, String> {
        let text = |error: CudaError| error.to_string();
        let me = self.core.gpu;
        let (leads, peers) = (peers.is_some(), peers.unwrap_or_default());
        let mut sender = Sender::new(self.core, stream, locked, self.bytes.len());
        let mut sources = Vec::new();
        let mut pulled: Vec<Option<Arc<Event>>> = vec![None; peers.len()];
        loop {
            let mut about = AboutToPull { board: self.board, streams: peers, sources: Vec::new(), done: Vec::new() };
            let (pull, take) = self.next(leads, &mut about);
            if pull.is_empty() && take.is_none() {
                let pulled = pulled.into_iter().flatten().collect();
                return Ok(Worked { sent: sender.sent, ready: sender.end()?, pulled, sources });
            }
            // One stream takes all copies from a given GPU, so its last event covers all of them.
            let lane = |source: usize| source % peers.len().max(1);
            for Pull { index, gpu, address: from, event, .. } in pull {
                let Some(peer) = peers.get(lane(gpu.ordinal)) else {
                    return Err(format!("there is no stream for copies from GPU {}", gpu.ordinal));
                };
                let part = self.range(index);
                peer.wait_for(&event).map_err(text)?;
                // SAFETY: the source's memory stays until `about` is gone and its event, recorded below, is reached.
                unsafe { peer.copy_from_peer(self.address + part.start as u64, &gpu, from, part.len()) }
                    .map_err(text)?;
                sources.push(event);
            }
            for &(_, source) in &about.sources {
                let Some(peer) = peers.get(lane(source)) else { continue };
                let done = Arc::new(Event::new(me, Timed::No).map_err(text)?);
                done.record(peer).map_err(text)?;
                pulled[lane(source)] = Some(Arc::clone(&done));
                about.done.push(done);
            }
            drop(about);
            // A part that is taken and not sent is given back, also on failure.
            let Some(taken) = take else { continue };
            let part = self.range(taken.index);
            let to = self.address + part.start as u64;
            // SAFETY: the caller's promise.
            let event = unsafe { sender.copy_from_host(to, &self.bytes[part]) }?;
            taken.sent(Part::Sent { owner: self.owner, gpu: Arc::clone(me), address: to, event });
        }
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        index * PART..((index + 1) * PART).min(self.bytes.len())
    }

    /// The parts to copy from other GPUs, and a part to fetch from the host. Both are empty when all parts are on their way, or,
    /// without `leads`, when other threads take care of the rest.
    fn next(&self, leads: bool, about: &mut AboutToPull<'_>) -> (Vec<Pull>, Option<TakenPart<'_>>) {
        let me = self.core.gpu;
        let mut state = self.board.lock();
        loop {
            let mut mine = self.mine.lock().unwrap_or_else(PoisonError::into_inner);
            let mut pull = Vec::new();
            for (index, part) in state.parts.iter().enumerate().filter(|_| leads) {
                if let Part::Sent { owner, gpu, address, event } = part
                    && *owner != self.owner
                    && me.pulls_from(gpu)
                    && mine.insert(index)
                {
                    pull.push(Pull {
                        index,
                        owner: *owner,
                        gpu: Arc::clone(gpu),
                        address: *address,
                        event: Arc::clone(event),
                    });
                }
            }
            // Counted while the board is locked: from here on the source waits for this GPU.
            for Pull { owner, gpu, .. } in &pull {
                if !about.sources.contains(&(*owner, gpu.ordinal)) {
                    state.pulls.entry(*owner).or_default().about_to += 1;
                    about.sources.push((*owner, gpu.ordinal));
                }
            }
            let free = |(index, part): &(usize, &Part)| matches!(part, Part::Free) && !mine.contains(index);
            if let Some((index, _)) = state.parts.iter().enumerate().find(free) {
                state.parts[index] = Part::Taken;
                mine.insert(index);
                return (pull, Some(TakenPart { board: self.board, index, owned: true }));
            }
            if !leads || !pull.is_empty() || mine.len() == state.parts.len() {
                return (pull, None);
            }
            // Parts held by a GPU that this one cannot reach come from the host a second time.
            let unreachable = |part: &Part| matches!(part, Part::Sent { gpu, .. } if !me.pulls_from(gpu));
            if let Some(index) = (0..state.parts.len()).find(|i| !mine.contains(i) && unreachable(&state.parts[*i])) {
                mine.insert(index);
                return (pull, Some(TakenPart { board: self.board, index, owned: false }));
            }
            drop(mine);
            state = self.board.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A part to be copied from another GPU.
struct Pull {
    index: usize,
    owner: Owner,
    gpu: Arc<Gpu>,
    /// The part's address on that GPU, valid from the event on.
    address: u64,
    event: Arc<Event>,
}

impl Drop for Sender<'_, '_> {
    fn drop(&mut self) {
        let under_way: Vec<_> = self.under_way.drain(..).filter_map(|(_, memory)| memory).collect();
        if !under_way.is_empty() {
            // Wait for the stream, not the events: an event that could not be recorded tells nothing.
            let _ = self.stream.synchronize();
            self.pinned.extend(under_way);
        }
        if !self.pinned.is_empty() {
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

/// Enables access between two GPUs in both directions where that works, and notes the result. A small pattern is copied and
/// compared first, because some machines report access and copy garbage. Direct copies spare the host's memory, which all links
/// share, so they are used wherever they work.
pub fn connect(gpu: &Arc<Gpu>, streams: &Streams) {
    for other in open_gpus().iter().filter(|other| other.ordinal != gpu.ordinal) {
        let works = streams.peers.first().is_some_and(|stream| verified(gpu, other, stream));
        gpu.set_pulls_from(other, works);
        let back = Stream::new(other).is_ok_and(|stream| verified(other, gpu, &stream));
        other.set_pulls_from(gpu, back);
    }
}

/// Whether `to` copies from `from` correctly and without the host.
fn verified(to: &Arc<Gpu>, from: &Arc<Gpu>, stream: &Stream) -> bool {
    use crate::devices::pool::Allocator;
    const BYTES: usize = 64 << 10;
    let attempt = || -> Result<bool, CudaError> {
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
            // A copy may still be under way, so its memory must stay.
            std::mem::forget((pattern, back));
            return Err(error);
        }
        copied?;
        Ok(pattern == back)
    };
    attempt().unwrap_or(false)
}
