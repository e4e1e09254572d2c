//! Replicated arrays: fetched once over the host's links, then copied from GPU to GPU.
//!
//! The GPUs of a loop share one [`Board`] per replicated array, which is cut into parts. Each GPU takes the next part that no GPU
//! has and copies it from the host, a few at a time, so that a GPU with a faster link takes more. It passes each part on to the
//! GPUs that have joined by then; one that comes later copies what it lacks from the GPU that has it. So all GPUs together fetch
//! the array once, each over its own link, and a loop on one GPU fetches all of it itself.
//!
//! To pass a part on, the GPU that has it needs no other GPU's event. By hand on four H200 an array of 151 MB was everywhere 0.06
//! ms after its last part had left the host; where the others waited for each part's event and fetched it, 0.52 ms (`broadcast/` in
//! results/h200-passing-2026-11-26).
#![allow(unsafe_code, reason = "copies from the host's arrays and other GPUs' memory")]

use super::Streams;
use super::driver::{Event, Gpu, Stream, Timed, open_gpus};
use super::lanes::{self, Helpers};
use super::memory::Pools;
use super::sender::{EACH, Reserve, Sender, Source};
use super::session::Core;
use super::status::CudaError;
use crate::devices::Work;
use crate::devices::crew::{Apart, Patience};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

/// Most bytes of a part: 4 MiB take about 80 us on a fast link, ten times what it takes to hand one out.
const PART: usize = 4 << 20;
/// Bytes of a part of a plain array: several threads fill page-locked memory with parts, and the link waits for the first ones.
const PLAIN_PART: usize = 1 << 20;
/// At most about how many parts a plain array has, unless they would be longer than [`PART`]: who takes a part looks through them.
const PLAIN_PARTS: usize = 512;
/// Least bytes of a part, and at most about how many parts there are for each GPU where they are longer and not the longest: one
/// that begins sooner or has a faster link takes more.
const SHORT_PART: usize = 1 << 20;
const PARTS_FOR_EACH: usize = 4;
/// Below this size each GPU fetches the array itself, because sharing would take longer.
const SHARE_FROM: usize = 1 << 20;

/// The result of sending an array.
pub struct Spread {
    /// Bytes that came over this GPU's host link.
    pub bytes_from_host: u64,
    /// Events after which all of the array is there.
    pub ready: Vec<Arc<Event>>,
    /// Events of other GPUs, which tell whether what was copied from there had arrived there, or here.
    pub sources: Vec<Arc<Event>>,
}

/// Identifies a session on a GPU. A GPU that stands twice in a machine description has two sessions.
type Owner = u64;

#[derive(Clone)]
enum Part {
    Free,
    /// A thread of this session copies it.
    Taken(Owner),
    /// On its way to the GPU's memory at `address`, for the session `owner`; `event` tells when it is there. It is passed on to the
    /// sessions `to`.
    Sent {
        owner: Owner,
        gpu: Arc<Gpu>,
        address: u64,
        event: Arc<Event>,
        to: SmallVec<[Owner; 4]>,
    },
}

/// A session that takes part, with the array's address on its GPU.
#[derive(Clone)]
struct Member {
    owner: Owner,
    gpu: Arc<Gpu>,
    address: u64,
}

/// One replicated array of one loop.
struct Board {
    /// Bytes of each part but the last, which may be shorter.
    part: usize,
    parts: Mutex<Parts>,
    /// For threads that wait: something has changed. Counted too, for those that poll.
    changed: Condvar,
    changes: Apart<AtomicU64>,
}

struct Parts {
    parts: Vec<Part>,
    members: Vec<Member>,
    /// For each owner, copies that others make from and to its memory.
    uses: HashMap<Owner, Uses>,
}

#[derive(Default)]
struct Uses {
    /// Number of threads that are about to enqueue such copies.
    about_to: usize,
    /// For each thread, by its number, the event at the end of its last copy that is enqueued. All copies of a thread between two
    /// GPUs are on one stream, so that event covers all of them.
    out_of: HashMap<u64, Arc<Event>>,
    into: HashMap<u64, Arc<Event>>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all that something has changed. Counted while the board is still locked: who waits looks at the count once more before
    /// it sleeps.
    fn tell_all(&self, state: MutexGuard<'_, Parts>) {
        self.changes.0.fetch_add(1, Ordering::Release);
        drop(state);
        self.changed.notify_all();
    }

    /// Waits until something has changed; polls before it sleeps.
    fn wait<'b>(&'b self, state: MutexGuard<'b, Parts>, patience: Patience) -> MutexGuard<'b, Parts> {
        let seen = self.changes.0.load(Ordering::Acquire);
        drop(state);
        let changed = lanes::poll(&self.changes.0, seen, patience, patience.awake());
        let state = self.lock();
        if changed || self.changes.0.load(Ordering::Acquire) != seen {
            return state;
        }
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn new(part: usize, parts: usize) -> Self {
        let parts = Parts { parts: vec![Part::Free; parts], members: Vec::new(), uses: HashMap::new() };
        Self { part, parts: Mutex::new(parts), changed: Condvar::new(), changes: Apart::default() }
    }

    /// The board of an array in a loop. The GPUs of one loop have the same start time and the same arguments.
    fn of(work: &Work<'_>, position: usize, bytes: usize, locked: bool) -> Arc<Self> {
        type Key = (Instant, usize, usize);
        static BOARDS: LazyLock<Mutex<HashMap<Key, Weak<Board>>>> = LazyLock::new(Mutex::default);
        let key = (work.epoch, work.arguments.as_ptr().addr(), position);
        let mut boards = BOARDS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = boards.get(&key).and_then(Weak::upgrade) {
            return board;
        }
        boards.retain(|_, board| board.strong_count() > 0);
        let longest = if locked { PART } else { (bytes / PLAIN_PARTS).clamp(PLAIN_PART, PART) };
        let part = bytes / (PARTS_FOR_EACH * open_gpus().len().max(1));
        let part = part.min(longest).max(SHORT_PART).next_power_of_two();
        let board = Arc::new(Self::new(part, bytes.div_ceil(part)));
        boards.insert(key, Arc::downgrade(&board));
        board
    }
}

/// A GPU's part in spreading an array. Dropping it waits until no GPU copies from or to this GPU's memory any more.
pub struct Spreading {
    board: Arc<Board>,
    gpu: Arc<Gpu>,
    owner: Owner,
    /// Events at the end of this GPU's own copies from and to others.
    copied: Vec<Arc<Event>>,
    /// Events at the end of others' copies to this GPU, for which its kernels wait. Some may come again later.
    coming: Vec<Arc<Event>>,
    /// Whether these are reached.
    came: bool,
}

impl Spreading {
    /// As its drop; `came` where a kernel has run on this GPU, which was to wait for all of the array.
    pub fn end(mut self, came: bool) {
        self.came = came;
    }
}

impl Drop for Spreading {
    fn drop(&mut self) {
        let _ = self.gpu.bind();
        for event in &self.copied {
            let _ = event.synchronize();
        }
        let mut parts = self.board.lock();
        parts.members.retain(|member| member.owner != self.owner);
        // GPUs that come later fetch these parts anew. A part that failed half-way belongs to no GPU.
        for part in &mut parts.parts {
            if matches!(part, Part::Sent { owner, .. } if *owner == self.owner) {
                *part = Part::Free;
            }
        }
        self.board.tell_all(parts);
        let mut parts = self.board.lock();
        // Wait for the copies only, not for the others' loops: one of those may wait for chunks that this GPU is to give back.
        while parts.uses.get(&self.owner).is_some_and(|uses| uses.about_to > 0) {
            parts = self.board.wait(parts, Patience::Brief);
        }
        let Uses { out_of, into, .. } = parts.uses.remove(&self.owner).unwrap_or_default();
        drop(parts);
        let coming = self.coming.drain(..).filter(|_| !self.came);
        for event in out_of.into_values().chain(into.into_values()).chain(coming) {
            let _ = event.synchronize();
        }
    }
}

/// Announces that a thread is about to copy from or to the memory of these owners (given with their GPUs' ordinals). Until this is
/// dropped, they do not release it.
struct AboutToCopy<'b> {
    board: &'b Board,
    /// The thread's number.
    thread: u64,
    way: Way,
    streams: &'b [Stream],
    others: SmallVec<[(Owner, usize); 4]>,
    /// By position in `others`: the event at the end of the copies.
    done: SmallVec<[Arc<Event>; 4]>,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Out of the others' memory.
    Pull,
    /// Into it.
    Push,
}

impl<'b> AboutToCopy<'b> {
    fn new(fetch: &'b Fetch<'_>, thread: u64, way: Way) -> Self {
        let (others, done) = (SmallVec::new(), SmallVec::new());
        Self { board: &fetch.board, thread, way, streams: fetch.peers, others, done }
    }

    /// Counts one more owner, while the board is locked: from here on it waits for this thread.
    fn add(&mut self, parts: &mut Parts, owner: Owner, ordinal: usize) {
        if !self.others.contains(&(owner, ordinal)) {
            parts.uses.entry(owner).or_default().about_to += 1;
            self.others.push((owner, ordinal));
        }
    }
}

impl Drop for AboutToCopy<'_> {
    fn drop(&mut self) {
        if self.others.is_empty() {
            return;
        }
        if self.done.len() < self.others.len() {
            // Something failed, so there is no event for the end of the copies enqueued before.
            for stream in self.streams {
                let _ = stream.synchronize();
            }
        }
        let mut parts = self.board.lock();
        for (place, (owner, _)) in self.others.iter().enumerate() {
            let uses = parts.uses.entry(*owner).or_default();
            uses.about_to -= 1;
            let done = if self.way == Way::Pull { &mut uses.out_of } else { &mut uses.into };
            done.extend(self.done.get(place).map(|event| (self.thread, Arc::clone(event))));
        }
        self.board.tell_all(parts);
    }
}

/// A replicated array to be sent.
pub struct Replicated<'s> {
    /// Its position among the arguments.
    pub position: usize,
    pub bytes: &'s [u8],
    /// Where it goes on this GPU.
    pub address: u64,
    pub locked: bool,
}

/// Starts copying a replicated array to this GPU. The session's part in spreading it is added to `spreading`, also on failure: to
/// be dropped when the helpers' board is closed, and before the array's memory is released.
///
/// # Safety
/// The context is current. The array's bytes and its memory on the device stay until the streams are done and both the helpers'
/// board is closed and what this adds to `spreading` dropped.
pub unsafe fn send<'s>(
    core: &Core<'s>,
    streams: &'s Streams,
    helpers: Option<Helpers<'s, '_>>,
    Replicated { position, bytes, address, locked }: Replicated<'s>,
    sender: &mut Sender<'s>,
    spreading: &mut Vec<Spreading>,
) -> Result<Spread, String> {
    let Core { gpu, pools, .. } = *core;
    let alone = bytes.len() < SHARE_FROM || open_gpus().len() < 2;
    if alone && (locked || bytes.len() <= PART) {
        let from = if locked { Source::Locked } else { Source::Plain { part: bytes.len(), reserve: None } };
        // SAFETY: the caller's promise.
        let event = unsafe { sender.copy_from_host(address, bytes, from, || ()) }?;
        let (bytes_from_host, ready) = (bytes.len() as u64, vec![event]);
        return Ok(Spread { bytes_from_host, ready, sources: Vec::new() });
    }
    let board = Board::of(core.work, position, bytes.len(), locked);
    let owner = next_number();
    let place = spreading.len();
    spreading.push(Spreading {
        board: Arc::clone(&board),
        gpu: Arc::clone(gpu),
        owner,
        copied: Vec::new(),
        coming: Vec::new(),
        came: false,
    });
    board.lock().members.push(Member { owner, gpu: Arc::clone(gpu), address });
    let helpers = helpers.filter(|_| !locked);
    let fetch = Arc::new(Fetch {
        gpu,
        pools,
        board,
        owner,
        bytes,
        address,
        locked,
        peers: &streams.peers,
        reserve: helpers.map(|helpers| Arc::clone(helpers.reserve)),
        patience: helpers.map_or(Patience::Brief, |helpers| helpers.lanes.patience()),
        mine: Mutex::default(),
        helped: Mutex::default(),
    });
    // Meanwhile this thread copies from other GPUs, and from the host what the lanes leave.
    let role = match helpers {
        Some(helpers) => {
            let lanes = helpers.lanes.of_replicated(bytes.len(), open_gpus().len());
            let Board { part, parts, .. } = &*fetch.board;
            let count = parts.lock().unwrap_or_else(PoisonError::into_inner).parts.len();
            helpers.reserve.add(gpu, (EACH * (lanes + 1)).min(count), (*part).min(bytes.len()));
            // SAFETY: the caller's promise, for all workers.
            unsafe { helpers.fetch(&fetch, lanes) };
            Role::Leader
        }
        None => Role::Alone,
    };
    let before = sender.sent;
    // SAFETY: the caller's promise.
    let worked = unsafe { fetch.lead(sender, role) };
    let Worked { ready, pulled, pushed, sources } = worked.inspect_err(|why| {
        // Lanes then end too.
        fetch.helped().failed.get_or_insert_with(|| why.clone());
    })?;
    let (sent, last) = fetch.wait_for_helpers()?;
    let mut spread = Spread { bytes_from_host: sender.sent - before + sent, ready, sources };
    spread.ready.extend(last.into_iter().map(|(_, event)| event));
    spread.ready.extend(pulled.iter().cloned());
    spreading[place].copied.extend(pulled.into_iter().chain(pushed));
    let came: Vec<_> = {
        let mut state = fetch.board.lock();
        // It has all parts, so nothing more is passed on to it.
        state.members.retain(|member| member.owner != owner);
        // Every part that others passed on is among these: its event was noted before the part.
        state.uses.get_mut(&owner).into_iter().flat_map(|uses| uses.into.drain()).map(|(_, event)| event).collect()
    };
    spread.ready.extend(came.iter().cloned());
    spread.sources.extend(came.iter().cloned());
    spreading[place].coming = came;
    Ok(spread)
}

/// Numbers sessions and the threads that copy for them.
fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A thread's part in fetching an array.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It fetches all that this GPU does.
    Alone,
    /// Lanes fetch parts beside it.
    Leader,
}

/// What the leading thread did for a replicated array.
struct Worked {
    ready: Vec<Arc<Event>>,
    /// For each stream, the event at the end of its last copy from another GPU, and to another.
    pulled: Vec<Arc<Event>>,
    pushed: Vec<Arc<Event>>,
    sources: Vec<Arc<Event>>,
}

/// For each thread, by its number, the event at the end of its last copy: all its copies are on one stream.
type LastCopies = Vec<(u64, Arc<Event>)>;

/// What lanes did beside it.
#[derive(Default)]
struct Helped {
    sent: u64,
    last: LastCopies,
    failed: Option<String>,
}

/// One GPU's fetching of a replicated array, with one or several threads.
pub struct Fetch<'s> {
    gpu: &'s Arc<Gpu>,
    pools: &'s Mutex<Pools>,
    board: Arc<Board>,
    owner: Owner,
    bytes: &'s [u8],
    address: u64,
    locked: bool,
    reserve: Option<Arc<Reserve<'s>>>,
    /// The streams for copies from and to other GPUs.
    peers: &'s [Stream],
    /// How the leading thread waits.
    patience: Patience,
    /// Parts that are there, or on their way to this GPU.
    mine: Mutex<HashSet<usize>>,
    helped: Mutex<Helped>,
}

impl<'s> Fetch<'s> {
    /// For a thread that helps: a sender on its stream.
    pub fn sender(&self, stream: &'s Stream) -> Sender<'s> {
        Sender::new(self.gpu, self.pools, stream)
    }

    fn source(&self) -> Source<'_> {
        let part = self.board.part.min(self.bytes.len());
        if self.locked { Source::Locked } else { Source::Plain { part, reserve: self.reserve.as_deref() } }
    }

    fn helped(&self) -> MutexGuard<'_, Helped> {
        self.helped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches parts that no GPU has and passes them on, and copies parts from other GPUs, until all parts are on their way or
    /// taken by a lane.
    ///
    /// # Safety
    /// As [`send`], until the streams are done.
    unsafe fn lead(&self, sender: &mut Sender<'s>, role: Role) -> Result<Worked, String> {
        let text = |error: CudaError| error.to_string();
        let thread = next_number();
        let (mut ready, mut sources) = (Vec::new(), Vec::new());
        let mut pulled: Vec<Option<Arc<Event>>> = vec![None; self.peers.len()];
        let mut pushed = pulled.clone();
        loop {
            let mut about = AboutToCopy::new(self, thread, Way::Pull);
            let (pull, take) = self.next(true, &mut about);
            if pull.is_empty() && take.is_none() {
                let [pulled, pushed] = [pulled, pushed].map(|events| events.into_iter().flatten().collect());
                return Ok(Worked { ready, pulled, pushed, sources });
            }
            for Pull { index, gpu, address: from, event, .. } in pull {
                let peer = self.stream_for(gpu.ordinal)?;
                let part = self.range(index);
                peer.wait_for(&event).map_err(text)?;
                // SAFETY: the source's memory stays until `about` is gone and its event, recorded below, is reached.
                unsafe { peer.copy_from_peer(self.address + part.start as u64, &gpu, from, part.len()) }
                    .map_err(text)?;
                sources.push(event);
            }
            self.mark_ends(&mut about, &mut pulled)?;
            drop(about);
            // A part that is taken and not sent is given back, also on failure.
            let Some(taken) = take else { continue };
            let (event, to) = if role == Role::Alone || !taken.owned {
                let part = self.range(taken.index);
                // SAFETY: the caller's promise.
                let event =
                    unsafe { sender.copy_from_host(self.at(&part), &self.bytes[part.clone()], self.source(), || ()) }?;
                // A second copy is for this GPU alone.
                let to = if taken.owned { self.pass_on(part, &event, thread, &mut pushed)? } else { SmallVec::new() };
                (event, to)
            } else {
                // SAFETY: the caller's promise.
                unsafe { self.copy_and_push(taken.index, sender, thread) }?
            };
            // The last one tells of all on this stream.
            ready = vec![Arc::clone(&event)];
            taken.sent(self, event, to);
        }
    }

    /// Fetches parts that no GPU has and passes them on, as long as there are any, with a thread beside the leading one. The last
    /// copies are still on their way when this returns.
    ///
    /// # Safety
    /// As [`send`], until the sender's stream is done.
    pub unsafe fn help(&self, sender: &mut Sender<'s>) {
        let thread = next_number();
        let mut bound = self.gpu.bind().map_err(|error| error.to_string());
        loop {
            let mut about = AboutToCopy::new(self, thread, Way::Pull);
            let (_, Some(taken)) = self.next(false, &mut about) else { return };
            // Dropped before the part is given back, so that the leading thread knows why.
            let mut unfinished =
                Unfinished { helped: &self.helped, why: Some("a thread that copied ended early".to_owned()) };
            // SAFETY: the caller's promise.
            match bound.and_then(|()| unsafe { self.copy_and_push(taken.index, sender, thread) }) {
                Ok((event, to)) => {
                    {
                        let mut helped = self.helped();
                        helped.sent += self.range(taken.index).len() as u64;
                        helped.last.retain(|(other, _)| *other != thread);
                        helped.last.push((thread, Arc::clone(&event)));
                    }
                    unfinished.why = None;
                    taken.sent(self, event, to);
                    bound = Ok(());
                }
                Err(why) => {
                    unfinished.why = Some(why);
                    return;
                }
            }
        }
    }

    /// Waits until all parts that lanes have taken are on their way. Gives how many bytes these have, and their ends.
    fn wait_for_helpers(&self) -> Result<(u64, LastCopies), String> {
        let mut state = self.board.lock();
        while state.parts.iter().any(|part| matches!(part, Part::Taken(owner) if *owner == self.owner)) {
            state = self.board.wait(state, self.patience);
        }
        drop(state);
        let mut helped = self.helped();
        // Why one has failed stays: it tells the others to end.
        let Helped { sent, last, failed } = &mut *helped;
        failed.clone().map_or_else(|| Ok((*sent, std::mem::take(last))), Err)
    }

    /// Copies a part from the host and passes it on behind, on the thread's own stream: one event tells of both. Each call takes the
    /// driver several times as long where so many threads make them at once.
    ///
    /// # Safety
    /// As [`send`], until the stream is done.
    unsafe fn copy_and_push(
        &self,
        index: usize,
        sender: &mut Sender<'s>,
        thread: u64,
    ) -> Result<(Arc<Event>, SmallVec<[Owner; 4]>), String> {
        let part = self.range(index);
        let stream = sender.stream;
        let mut about = AboutToCopy::new(self, thread, Way::Push);
        about.streams = std::slice::from_ref(stream);
        let mut to = Ok(SmallVec::new());
        let behind = || to = self.push(part.clone(), &mut about, |_| Ok(stream));
        // SAFETY: the caller's promise.
        let event = unsafe { sender.copy_from_host(self.at(&part), &self.bytes[part.clone()], self.source(), behind) }?;
        about.done = about.others.iter().map(|_| Arc::clone(&event)).collect();
        Ok((event, to?))
    }

    fn at(&self, part: &std::ops::Range<usize>) -> u64 {
        self.address + part.start as u64
    }

    /// Passes a part on to the GPUs that have joined, once its copy from the host has reached the event. Gives their sessions.
    fn pass_on(
        &self,
        part: std::ops::Range<usize>,
        event: &Event,
        thread: u64,
        pushed: &mut [Option<Arc<Event>>],
    ) -> Result<SmallVec<[Owner; 4]>, String> {
        let mut about = AboutToCopy::new(self, thread, Way::Push);
        let to = self.push(part, &mut about, |other| {
            let peer = self.stream_for(other)?;
            peer.wait_for(event).map_err(|error| error.to_string())?;
            Ok(peer)
        })?;
        self.mark_ends(&mut about, pushed)?;
        Ok(to)
    }

    /// Enqueues copies of a part to the GPUs that have joined, each on the stream for that GPU, given its ordinal. Their ends are to
    /// be noted. Gives the sessions that will have the part.
    fn push<'p>(
        &self,
        part: std::ops::Range<usize>,
        about: &mut AboutToCopy<'_>,
        stream_for: impl Fn(usize) -> Result<&'p Stream, String>,
    ) -> Result<SmallVec<[Owner; 4]>, String> {
        let me = self.gpu;
        let mut members: SmallVec<[Member; 4]> = SmallVec::new();
        {
            let mut state = self.board.lock();
            // Where it pulls from that GPU, copies were right both ways.
            let reached = |member: &&Member| member.owner != self.owner && me.pulls_from(&member.gpu);
            members.extend(state.members.iter().filter(reached).cloned());
            members.iter().for_each(|member| about.add(&mut state, member.owner, member.gpu.ordinal));
        }
        // Each GPU begins with the next one, so that no GPU gets all copies at once.
        members.sort_by_key(|member| (member.gpu.ordinal < me.ordinal, member.gpu.ordinal));
        let mut to_whom = SmallVec::new();
        for Member { owner, gpu, address } in &members {
            let stream = stream_for(gpu.ordinal)?;
            let (to, from) = (address + part.start as u64, self.address + part.start as u64);
            // SAFETY: the context is current. This GPU's memory stays until the copy is done: the session waits for its streams and
            // for `Spreading::copied`, a lane for its own stream (the drop of its `Sender`). The other's stays until `about` is
            // gone and the event of its end is reached.
            match unsafe { stream.copy_to_peer(to, gpu, from, part.len()) } {
                Ok(()) => to_whom.push(*owner),
                // The other GPU may be lost. If this one is, marking the end fails.
                Err(_) => _ = stream.synchronize(),
            }
        }
        Ok(to_whom)
    }

    /// Marks the end of the copies that were announced, on each one's stream.
    fn mark_ends(&self, about: &mut AboutToCopy<'_>, last: &mut [Option<Arc<Event>>]) -> Result<(), String> {
        for &(_, other) in &about.others {
            let text = |error: CudaError| error.to_string();
            let done = Arc::new(Event::new(self.gpu, Timed::No).map_err(text)?);
            done.record(self.stream_for(other)?).map_err(text)?;
            last[self.place_of(other)] = Some(Arc::clone(&done));
            about.done.push(done);
        }
        Ok(())
    }

    /// One of these streams takes all copies between this GPU and a given other one, but for those that lanes make (see [`Uses`]).
    fn place_of(&self, other: usize) -> usize {
        let among_others = other - usize::from(other > self.gpu.ordinal);
        among_others % self.peers.len().max(1)
    }

    fn stream_for(&self, other: usize) -> Result<&Stream, String> {
        self.peers
            .get(self.place_of(other))
            .ok_or_else(|| format!("there is no stream for copies between it and GPU {other}"))
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let part = self.board.part;
        index * part..((index + 1) * part).min(self.bytes.len())
    }

    /// The parts to copy from other GPUs, and a part to fetch from the host. Both are empty when all parts are on their way or taken,
    /// when a thread has failed, or, without `leads`, when other threads take care of the rest.
    fn next(&self, leads: bool, about: &mut AboutToCopy<'_>) -> (Vec<Pull>, Option<TakenPart<'_>>) {
        let me = self.gpu;
        let mut state = self.board.lock();
        loop {
            if self.helped().failed.is_some() {
                return (Vec::new(), None);
            }
            let mut mine = self.mine.lock().unwrap_or_else(PoisonError::into_inner);
            let mut pull = Vec::new();
            for (index, part) in state.parts.iter().enumerate().filter(|_| leads) {
                let Part::Sent { owner, gpu, address, event, to } = part else { continue };
                if to.contains(&self.owner) {
                    mine.insert(index);
                } else if *owner != self.owner && me.pulls_from(gpu) && mine.insert(index) {
                    pull.push(Pull {
                        index,
                        owner: *owner,
                        gpu: Arc::clone(gpu),
                        address: *address,
                        event: Arc::clone(event),
                    });
                }
            }
            pull.iter().for_each(|Pull { owner, gpu, .. }| about.add(&mut state, *owner, gpu.ordinal));
            let free = |(index, part): &(usize, &Part)| matches!(part, Part::Free) && !mine.contains(index);
            if let Some((index, _)) = state.parts.iter().enumerate().find(free) {
                state.parts[index] = Part::Taken(self.owner);
                mine.insert(index);
                return (pull, Some(TakenPart { board: &self.board, index, owned: true }));
            }
            if !leads || !pull.is_empty() || mine.len() == state.parts.len() {
                return (pull, None);
            }
            // Parts held by a GPU that this one cannot reach come from the host a second time.
            let unreachable = |part: &Part| matches!(part, Part::Sent { gpu, .. } if !me.pulls_from(gpu));
            if let Some(index) = (0..state.parts.len()).find(|i| !mine.contains(i) && unreachable(&state.parts[*i])) {
                mine.insert(index);
                return (pull, Some(TakenPart { board: &self.board, index, owned: false }));
            }
            drop(mine);
            state = self.board.wait(state, self.patience);
        }
    }
}

/// Says why a thread has not sent the part that it took, also where it panics.
struct Unfinished<'f> {
    helped: &'f Mutex<Helped>,
    why: Option<String>,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if let Some(why) = self.why.take() {
            self.helped.lock().unwrap_or_else(PoisonError::into_inner).failed.get_or_insert(why);
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

/// A part that this GPU has taken and not yet sent.
struct TakenPart<'b> {
    board: &'b Board,
    index: usize,
    owned: bool,
}

impl TakenPart<'_> {
    fn sent(mut self, fetch: &Fetch<'_>, event: Arc<Event>, to: SmallVec<[Owner; 4]>) {
        if self.owned {
            let Fetch { owner, gpu, .. } = *fetch;
            let address = fetch.at(&fetch.range(self.index));
            let mut state = self.board.lock();
            state.parts[self.index] = Part::Sent { owner, gpu: Arc::clone(gpu), address, event, to };
            self.board.tell_all(state);
            self.owned = false;
        }
    }
}

impl Drop for TakenPart<'_> {
    fn drop(&mut self) {
        if self.owned {
            let mut state = self.board.lock();
            state.parts[self.index] = Part::Free;
            self.board.tell_all(state);
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

/// Whether `to` copies from `from` and back correctly and without the host.
fn verified(to: &Arc<Gpu>, from: &Arc<Gpu>, stream: &Stream) -> bool {
    const BYTES: usize = 64 << 10;
    let attempt = || -> Result<bool, CudaError> {
        if !to.enable_access_to(from)? {
            return Ok(false);
        }
        let pattern: Vec<u8> = (0..BYTES as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let (mut here, mut back) = (vec![0u8; BYTES], vec![0u8; BYTES]);
        let (source, target, returned) = (from.allocate(BYTES)?, to.allocate(BYTES)?, from.allocate(BYTES)?);
        from.bind()?;
        let feed = Stream::new(from)?;
        // SAFETY: pattern and buffers live until both streams are synchronised, below or when this fails (plain memory is
        // copied before the calls return).
        let copied = unsafe {
            feed.copy_in(source.address, pattern.as_ptr(), BYTES).and_then(|()| feed.synchronize()).and_then(|()| {
                to.bind()?;
                stream.copy_from_peer(target.address, from, source.address, BYTES)?;
                stream.copy_to_peer(returned.address, from, target.address, BYTES)?;
                stream.copy_out(here.as_mut_ptr(), target.address, BYTES)?;
                stream.synchronize()?;
                from.bind()?;
                feed.copy_out(back.as_mut_ptr(), returned.address, BYTES)
            })
        };
        let done = feed.synchronize().and(stream.synchronize());
        if let Err(error) = done {
            // A copy may still be under way, so its memory must stay.
            std::mem::forget((pattern, here, back));
            return Err(error);
        }
        copied?;
        Ok(pattern == here && pattern == back)
    };
    attempt().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    fn give_back(board: &Board) {
        drop(TakenPart { board, index: 0, owned: true });
    }

    #[test]
    fn who_sees_a_change_sees_that_it_was_counted() {
        let (board, over, changes) = (Board::new(1, 1), AtomicBool::new(false), AtomicU64::new(0));
        std::thread::scope(|scope| {
            // As one that is about to sleep.
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let state = board.lock();
                    if matches!(state.parts[0], Part::Free) {
                        let counted = board.changes.0.load(Ordering::Acquire);
                        assert_eq!(counted, changes.load(Ordering::Relaxed), "it would sleep on");
                    }
                }
            });
            for change in 1..=100_000 {
                let mut state = board.lock();
                state.parts[0] = Part::Taken(0);
                changes.store(change, Ordering::Relaxed);
                drop(state);
                give_back(&board);
            }
            over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn who_waits_is_woken_whether_it_polls_or_sleeps() {
        let board = Arc::new(Board::new(1, 1));
        let (ask, asked) = channel();
        let (tell, told) = channel();
        let waiting = Arc::clone(&board);
        let waiter = std::thread::spawn(move || {
            for round in asked {
                let mut state = waiting.lock();
                state.parts[0] = Part::Taken(round);
                tell.send(()).unwrap();
                while matches!(state.parts[0], Part::Taken(_)) {
                    state = waiting.wait(state, Patience::Brief);
                }
                drop(state);
                tell.send(()).unwrap();
            }
        });
        for round in 0..1000 {
            ask.send(round).unwrap();
            told.recv().unwrap();
            std::thread::sleep(Duration::from_micros(round % 100));
            give_back(&board);
            told.recv_timeout(Duration::from_secs(20)).expect("it sleeps on");
        }
        drop(ask);
        waiter.join().unwrap();
    }
}
