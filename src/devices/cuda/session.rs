//! A loop on a GPU.
#![allow(unsafe_code, reason = "lends host arrays to the device until a session is dropped")]

use super::bare::{BareSession, On, is_bare};
use super::blas::Handles;
use super::driver::{Event, Gpu, Restore, Stream, Timed};
use super::flight::{FLAG_BYTES, Flight, Marks, Route, Slot};
use super::lanes::{Board, Failed, Helpers, Lanes};
use super::locking::{self, Registered};
use super::memory::{DeviceBuffer, Kept, Pools};
use super::program::{Loader, Target};
use super::sender::{Reserve, Sender};
use super::spread::{self, Replicated, Spread, Spreading};
use super::status::CudaError;
use super::timing::Timing;
use super::{CudaDevice, Streams};
use crate::data::{ArrayMap, Direction, Distribution, HostMemory};
use crate::devices::clock::Clock;
use crate::devices::section::called;
use crate::devices::{Begun, Completed, Session, Work};
use crate::error::{DeviceError, Phase};
use crate::kernel::Argument;
use crate::model::machine::Fault;
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::Seconds;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// An error's phase and message, before the device's name and the chunk are added.
pub type Problem = (Phase, String);

/// Where an argument lies on the device.
pub enum Place {
    /// In the launch's own parameters.
    Scalar,
    /// In a copy of the whole array.
    Copied(DeviceBuffer),
    /// In sections that each chunk copies anew, directly from host memory where that is page-locked.
    Sections { locked: bool },
}

/// The parts of a session that its chunks share, on whichever thread enqueues them.
pub struct Core<'s> {
    pub name: &'s str,
    pub gpu: &'s Arc<Gpu>,
    pub work: &'s Work<'s>,
    pub target: Target<'s>,
    pub places: Vec<Place>,
    /// Whether the plain arrays of the loop may lie in the processor's caches.
    pub short: bool,
    /// Events after which replicated arrays and the flag are there; no chunk may run before them.
    pub ready: Vec<Arc<Event>>,
    /// On the stream of copies in: reached when this GPU's part of replicated arrays has come from the host.
    pub fetched: Option<Event>,
    /// On the stream of kernels: reached when all replicated arrays are there.
    pub replicated: Option<Arc<Event>>,
    /// The times of these two events, once they were asked for.
    pub came: [OnceLock<Option<u64>>; 2],
    /// Events of other GPUs, reached when the parts that this GPU copies from them have arrived there, or those that they pass on
    /// here.
    sources: Vec<Arc<Event>>,
    sources_came: OnceLock<Result<(), CudaError>>,
    /// A value that is not zero, which chunks copy to the host to tell that their copy back begins. Present where that matters.
    pub flag: Option<DeviceBuffer>,
    /// The origin of the device's times, and its time on the host.
    pub base: Arc<Event>,
    base_on_host: (Instant, Instant),
    pub pools: &'s Mutex<Pools>,
    /// Whether the driver has refused memory in this loop. Idle slots then return their buffers to the pools, so that others find
    /// them.
    pub refused: AtomicBool,
    pub blas: &'s Handles,
    faults: Faults,
}

/// Faults that the machine description asks for.
pub struct Faults {
    fault: Option<Fault>,
    /// How many pieces have reached the phase.
    pieces: AtomicU64,
}

impl Faults {
    /// The fault, if it is due in this phase.
    pub fn injected(&self, phase: Phase) -> Result<(), Problem> {
        let Some(fault) = self.fault.filter(|fault| Phase::from(fault.phase) == phase) else { return Ok(()) };
        if phase == Phase::Init || self.pieces.fetch_add(1, Ordering::Relaxed) == fault.chunk {
            return Err((phase, "a fault that the machine description asks for (`cuda.fault`)".to_owned()));
        }
        Ok(())
    }
}

/// A chunk of at most this many bytes goes on a single stream, unless a longer one came before. Making three streams wait for one
/// another takes the driver as long as the link needs for 1 MB, a fourth of a chunk of 4 MB. Longer chunks were as fast either way.
const SHORT: usize = 4 << 20;

/// The same where replicated arrays of at least [`SHORT`] bytes come first. While these come there is time to make streams wait for
/// one another, and on the stream of copies in the first chunks come one after the other.
const SHORT_AFTER_LONG_ARRAYS: usize = 1 << 20;

/// The streams for short chunks, used in turn.
struct Short<'s> {
    streams: &'s [Stream],
    /// Chunks that took a stream so far.
    taken: usize,
}

impl<'s> Short<'s> {
    fn new(streams: &'s [Stream]) -> Self {
        Self { streams, taken: 0 }
    }

    /// The stream of the next chunk. The first chunk on each stream waits for [`Core::ready`].
    fn next(&mut self, core: &Core<'_>) -> Result<&'s Stream, CudaError> {
        let stream = &self.streams[self.taken % self.streams.len()];
        if self.taken < self.streams.len() {
            core.hold(stream)?;
        }
        self.taken += 1;
        Ok(stream)
    }
}

/// How the session's chunks are sent through.
#[expect(clippy::large_enum_variant, reason = "one of a session, which is in a box")]
enum Way<'s> {
    /// This thread enqueues them on three streams, so that copy in, run and copy out of neighbours overlap.
    // Boxed: the block of a queue of unboxed flights would send the allocator on its slow path in each loop.
    Direct {
        flights: VecDeque<Box<Flight<'s>>>,
        slots: Vec<Slot>,
        clock: Clock,
        short: Short<'s>,
        timing: Timing,
        long: bool,
        /// Whether long replicated arrays come before the chunks.
        after_long_arrays: bool,
    },
    /// Several threads copy to and from page-locked memory, each with a stream of its own.
    Lanes { lanes: &'s Lanes, board: Arc<Board>, tickets: VecDeque<(u64, IterRange)>, next: u64 },
}

struct CudaSession<'s> {
    name: &'s str,
    streams: &'s Streams,
    // Boxed, because other threads have its address.
    core: Box<Core<'s>>,
    way: Way<'s>,
    /// This session's part in spreading replicated arrays; ends before the buffers are released.
    spreading: Vec<Spreading>,
    /// Sends replicated arrays on the stream of copies in.
    sender: Sender<'s>,
    /// Page-locked memory for parts of those that are plain.
    reserve: Arc<Reserve<'s>>,
    /// Arrays that are page-locked for this loop.
    _registered: Vec<Registered>,
    finished: bool,
    /// Whether the streams that chunks share, and copies to this GPU, are idle: the last chunk that was waited for came after
    /// everything else. A lane's own stream need not be, nor copies to other GPUs, for which [`Spreading`] waits.
    quiet: bool,
    wrote_host: bool,
    /// Whether the last chunk that failed did so for lack of memory.
    had_no_room: bool,
    /// Whether the stream of kernels already waits for [`Core::ready`].
    kernels_wait: bool,
    /// Whether the stream of copies in already waits for what other GPUs have of replicated arrays.
    copies_wait: bool,
    /// Recorded before the copies of replicated arrays.
    replicated: Option<Event>,
    // Dropped last: everything else may need this GPU's context.
    _restore: Restore,
}

pub fn begin<'s>(device: &'s mut CudaDevice, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
    let started = Instant::now();
    let CudaDevice { name, gpu, found, programs, pools, streams, lanes, blas, fault, .. } = device;
    let name: &'s str = name;
    let fail = |message: String| DeviceError { device: name.to_owned(), phase: Phase::Init, chunk: None, message };
    let Some(variant) = work.kernel.cuda_variant() else {
        return Err(fail(format!("kernel `{}` has no CUDA variant", work.kernel.name())));
    };
    let driver = |error: CudaError| fail(error.to_string());
    let restore = Restore::bound(gpu).map_err(driver)?;
    {
        let pools = pools.get_mut().unwrap_or_else(PoisonError::into_inner);
        pools.device.next_loop();
        pools.pinned.next_loop();
        pools.largest.clear();
        pools.largest.resize(work.arguments.len() + 1, 0);
    }
    let loader = Loader { gpu, capability: found.capability, kept: Kept { pools: &*pools, blas: &*blas } };
    let target = programs.get(loader, variant, work.arguments, work.reduction, false, &[]).map_err(fail)?;
    let faults = Faults { fault: *fault, pieces: AtomicU64::new(0) };
    faults.injected(Phase::Init).map_err(|(_, message)| fail(message))?;
    if is_bare(work) {
        let on = On { name, gpu, pools, stream: &streams.run, blas, faults };
        let session = Box::new(BareSession::new(on, work, target, restore, started));
        return Ok(Begun { session, times: PhaseTimes::default(), bytes_to: 0 });
    }
    let (base, before, after) = gpu.base(&streams.clock).map_err(driver)?;
    let core = Box::new(Core {
        name,
        gpu,
        work,
        target,
        places: Vec::with_capacity(work.arguments.len()),
        short: false,
        ready: Vec::new(),
        fetched: None,
        replicated: None,
        came: Default::default(),
        sources: Vec::new(),
        sources_came: OnceLock::new(),
        flag: None,
        base,
        base_on_host: (before, after),
        pools,
        refused: AtomicBool::new(false),
        blas,
        faults,
    });
    let (mut locked, mut registered) = locking::hold_locked(gpu, work);
    // Arrays contributed to as a whole go through page-locked memory of the device's own, so they do not count as plain.
    work.array_reductions.iter().for_each(|(position, _)| locked[*position] = true);
    let plain = plain_bytes(work.arguments, &locked);
    let most = lanes.of(work.arguments, &locked);
    let own = if plain == 0 { Vec::new() } else { locking::register_if_faster(gpu, work, &locked, most) };
    let staged = plain >= LANES_FROM && own.is_empty();
    if !own.is_empty() {
        locked.fill(true);
    }
    work.array_reductions.iter().for_each(|(position, _)| locked[*position] = false);
    registered.extend(own);
    let lanes: Option<&'s Lanes> = if staged { lanes.open(gpu).map_err(fail)? } else { None };
    let mut session = CudaSession {
        name,
        streams,
        way: match lanes {
            None => Way::Direct {
                flights: VecDeque::new(),
                slots: Vec::new(),
                clock: core.clock(),
                short: Short::new(&streams.short),
                timing: Timing::default(),
                long: false,
                after_long_arrays: false,
            },
            Some(lanes) => {
                let board = lanes.board(work, lanes.at_work(work, most));
                Way::Lanes { lanes, board, tickets: VecDeque::new(), next: 0 }
            }
        },
        core,
        spreading: Vec::new(),
        sender: Sender::new(gpu, pools, &streams.to),
        reserve: Arc::new(Reserve::new(pools)),
        _registered: registered,
        finished: false,
        quiet: true,
        wrote_host: false,
        had_no_room: false,
        kernels_wait: false,
        copies_wait: false,
        replicated: None,
        _restore: restore,
    };
    // On an error the session is dropped, which waits for everything on its way.
    let bytes_to = session.place_arguments(streams, &locked).map_err(fail)?;
    let bring_long_arrays = session.core.has_long_arrays();
    match &mut session.way {
        Way::Direct { after_long_arrays, .. } => *after_long_arrays = bring_long_arrays,
        Way::Lanes { lanes, board, .. } => {
            session.core.short = Lanes::is_short(work.arguments, &locked);
            let at_work = lanes.at_work(work, most);
            session.core.prepare_buffers(at_work, Lanes::most_each(work, at_work));
            // SAFETY: the session is dropped, not leaked (`Device::begin` demands it), and its drop waits until no thread uses the
            // core any more; the core is in a box that stays where it is, and is not changed from here on.
            unsafe { lanes.start(&session.core, board) };
        }
    }
    Ok(Begun { session: Box::new(session), times: init(started), bytes_to })
}

fn init(started: Instant) -> PhaseTimes {
    let mut times = PhaseTimes::default();
    times[Phase::Init] = started.elapsed().into();
    times
}

/// From this many bytes on, several threads copy plain arrays through page-locked memory. Below, waking them costs more.
pub const LANES_FROM: u64 = 4 << 20;

/// Whether an argument is an array in page-locked memory.
pub fn is_locked(gpu: &Gpu, argument: &Argument<'_>) -> bool {
    argument.array().is_some_and(|map| map.host_start().is_some_and(|start| gpu.is_page_locked(start, map.bytes())))
}

/// Bytes of the arrays that are copied and not page-locked.
pub fn plain_bytes(arguments: &[Argument<'_>], locked: &[bool]) -> u64 {
    let maps =
        arguments.iter().zip(locked).filter(|(_, locked)| !**locked).filter_map(|(argument, _)| argument.array());
    maps.filter(|map| map.host_start().is_some()).map(|map| map.bytes() as u64).sum()
}

impl Core<'_> {
    pub fn pools(&self) -> MutexGuard<'_, Pools> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks for a chunk, new or reused.
    pub fn marks(&self) -> Result<Marks, CudaError> {
        match self.pools().marks.pop() {
            Some(marks) => Ok(marks),
            None => Marks::new(self.gpu),
        }
    }

    /// Makes a stream wait for `ready`, as all chunks must.
    fn hold(&self, stream: &Stream) -> Result<(), CudaError> {
        self.ready.iter().try_for_each(|event| stream.wait_for(event))
    }

    /// Whether the parts that came from other GPUs had arrived there, and here. A stream goes on after an event of a lost GPU, and
    /// then copies data that never came. Asked once, before the first chunk counts as run.
    pub fn sources_came(&self) -> Result<(), CudaError> {
        *self.sources_came.get_or_init(|| self.sources.iter().try_for_each(|event| event.synchronize()))
    }

    /// A clock that converts the device's times to the host's.
    pub fn clock(&self) -> Clock {
        let mut clock = Clock::new(self.work.epoch);
        clock.observe(self.base_on_host.0, self.base_on_host.1, 0, None);
        clock
    }

    /// The fault that the machine description asks for, if it is due.
    pub fn injected(&self, phase: Phase) -> Result<(), Problem> {
        self.faults.injected(phase)
    }

    /// Whether replicated arrays take the link longer than the host needs to make streams wait for one another.
    fn has_long_arrays(&self) -> bool {
        let replicated = self.work.arguments.iter().zip(&self.places).filter_map(|(argument, place)| {
            argument.array().filter(|_| matches!(place, Place::Copied(_))).map(ArrayMap::bytes)
        });
        replicated.sum::<usize>() >= SHORT
    }

    /// Bytes of a chunk's sections, about.
    fn section_bytes(&self, chunk: IterRange) -> usize {
        let sections = self.work.arguments.iter().zip(&self.places).filter_map(|(argument, place)| {
            let map = argument.array().filter(|_| matches!(place, Place::Sections { .. }))?;
            let rows = map.section(chunk, &self.work.shape).needed;
            Some((rows.end - rows.start) as usize * map.row_bytes())
        });
        sections.sum()
    }

    /// Notes how much device memory is left after a refusal: other programs use it too.
    pub fn note_refusal(&self, pools: &mut Pools) {
        self.refused.store(true, Ordering::Relaxed);
        if let Ok((left, _)) = self.gpu.memory() {
            pools.device.set_left(left);
        }
    }

    /// Returns the buffers of idle slots to the pools, where memory was refused.
    pub fn give_where_refused(&self, slots: &mut Vec<Slot>) {
        if self.refused.load(Ordering::Relaxed) {
            slots.drain(..).for_each(|slot| self.give_slot(slot));
        }
    }

    /// Returns a chunk's buffers to the pools.
    pub fn give_slot(&self, slot: Slot) {
        Self::take_back(&mut self.pools(), slot, |pools, memory| pools.device.give(memory));
    }

    /// The same after a failure. Device buffers are freed, so that those of a chunk that was too large leave room for smaller ones.
    pub fn free_slot(&self, slot: Slot) {
        let mut pools = self.pools();
        Self::take_back(&mut pools, slot, |pools, memory| pools.device.free(memory));
        pools.largest.fill(0);
    }

    fn take_back(pools: &mut Pools, slot: Slot, device: fn(&mut Pools, DeviceBuffer)) {
        slot.device.into_iter().flatten().for_each(|memory| device(pools, memory));
        slot.pinned.into_iter().chain([slot.begun]).flatten().for_each(|memory| pools.pinned.give(memory));
        pools.marks.extend(slot.marks);
        pools.reports.extend(slot.report);
    }
}

impl<'s> CudaSession<'s> {
    fn error(&self, chunk: Option<IterRange>, (phase, message): Problem) -> DeviceError {
        DeviceError { device: self.name.to_owned(), phase, chunk, message }
    }

    /// Sends replicated arrays to the device, and gives the bytes copied over the host's link.
    fn place_arguments(&mut self, streams: &'s Streams, locked: &[bool]) -> Result<u64, String> {
        let mut bytes_to = 0;
        let gpu = self.core.gpu;
        let work = self.core.work;
        let text = |error: CudaError| error.to_string();
        for (position, (argument, &locked)) in work.arguments.iter().zip(locked).enumerate() {
            let Argument::Array(map) = argument else {
                self.core.places.push(Place::Scalar);
                continue;
            };
            let replicated = map.distribution == Distribution::Full && map.direction == Direction::To;
            let HostMemory::Read(bytes) = &map.memory else {
                self.core.places.push(Place::Sections { locked });
                continue;
            };
            if !replicated {
                self.core.places.push(Place::Sections { locked });
                continue;
            }
            let advice = |problem: &dyn std::fmt::Display| {
                format!(
                    "{} is replicated: {problem}; align it with the loop, or leave this device out",
                    called(position, map)
                )
            };
            let memory = self.core.pools().device.take(&self.core.memory(), bytes.len());
            let memory = memory.map_err(|problem| advice(&problem))?;
            let address = memory.buffer.address;
            self.core.places.push(Place::Copied(memory));
            if bytes.is_empty() {
                continue;
            }
            self.quiet = false;
            if self.replicated.is_none() {
                let before = self.replicated.insert(Event::new(gpu, Timed::Yes).map_err(text)?);
                before.record(&streams.to).map_err(text)?;
            }
            let array = Replicated { position, bytes, address, locked };
            let helpers = match &self.way {
                Way::Direct { .. } => None,
                Way::Lanes { lanes, board, .. } => Some(Helpers { lanes, board, reserve: &self.reserve }),
            };
            // SAFETY: `bytes` are borrowed for the session and `address` has room for them until it is dropped, which waits
            // for the copies, closes the board, and waits for peers that copy from it and to it.
            let spread =
                unsafe { spread::send(&self.core, streams, helpers, array, &mut self.sender, &mut self.spreading) };
            let spread = spread.map_err(|error| format!("the copy of {} failed: {error}", called(position, map)))?;
            let Spread { bytes_from_host, ready, sources } = spread;
            bytes_to += bytes_from_host;
            self.core.ready.extend(ready);
            self.core.sources.extend(sources);
        }
        let in_place = |(argument, place): (&Argument<'_>, &Place)| {
            matches!(place, Place::Sections { locked: true })
                && argument.array().is_some_and(|map| map.direction == Direction::ToFrom)
        };
        if work.arguments.iter().zip(&self.core.places).any(in_place) {
            self.raise_flag(streams)?;
        }
        if self.replicated.is_some() {
            self.core.hold(&streams.run).map_err(text)?;
            self.kernels_wait = true;
            // Sections of chunks can follow on the stream of copies in at once, while other GPUs send their parts.
            let fetched = self.core.fetched.insert(Event::new(gpu, Timed::Yes).map_err(text)?);
            fetched.record(&streams.to).map_err(text)?;
            let all = self.core.replicated.insert(Arc::new(Event::new(gpu, Timed::Yes).map_err(text)?));
            all.record(&streams.run).map_err(text)?;
            // Other streams wait for this one event instead of each array's.
            self.core.ready = vec![Arc::clone(all)];
        }
        Ok(bytes_to)
    }

    /// Sets the flag of copies back. Where rows are copied back over their own inputs, a failed chunk can be run again only if its
    /// copy back had not begun.
    fn raise_flag(&mut self, streams: &'s Streams) -> Result<(), String> {
        let gpu = self.core.gpu;
        let text = |error: CudaError| error.to_string();
        // Without the flag, a failed chunk's copy back counts as begun.
        let Ok(memory) = self.core.pools().device.take(&self.core.memory(), FLAG_BYTES) else { return Ok(()) };
        self.quiet = false;
        let flag = self.core.flag.insert(memory);
        // SAFETY: the session has the buffer until it is dropped, which waits for the stream.
        unsafe { streams.to.poison(flag.buffer.address, FLAG_BYTES) }.map_err(text)?;
        let raised = Arc::new(Event::new(gpu, Timed::No).map_err(text)?);
        raised.record(&streams.to).map_err(text)?;
        self.core.ready.push(raised);
        Ok(())
    }

    /// Waits until the device uses neither host arrays nor the chunks' buffers, and gives the buffers back.
    fn abandon_all(&mut self) {
        if !self.quiet {
            let _ = self.core.gpu.bind();
        }
        let Self { core, way, streams, wrote_host, quiet, .. } = self;
        // With lanes, replicated arrays still use these streams. On a lost device nothing runs any more, and CUDA returns an error
        // at once.
        for stream in streams.all().filter(|_| !*quiet) {
            let _ = stream.synchronize();
        }
        match way {
            Way::Direct { flights, slots, .. } => {
                *quiet = true;
                for flight in flights.drain(..) {
                    *wrote_host |= flight.wrote_host();
                    core.free_slot(flight.into_slot());
                }
                for slot in slots.drain(..) {
                    core.give_slot(slot);
                }
            }
            Way::Lanes { board, tickets, .. } => {
                *wrote_host |= board.close();
                tickets.clear();
            }
        }
    }

    fn end(&mut self) {
        let came = self.quiet;
        self.abandon_all();
        // Waits for peers that still copy from this GPU's memory or to it.
        self.spreading.drain(..).for_each(|spreading| spreading.end(came));
        let places = std::mem::take(&mut self.core.places);
        let flag = self.core.flag.take();
        let mut pools = self.core.pools();
        flag.into_iter().for_each(|memory| pools.device.give(memory));
        for place in places {
            if let Place::Copied(memory) = place {
                pools.device.give(memory);
            }
        }
    }
}

impl Session for CudaSession<'_> {
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError> {
        if self.finished {
            return Err(self.error(Some(chunk), (Phase::To, "the loop on this device is finished".to_owned())));
        }
        let most = self.core.work.in_flight.max(1);
        self.had_no_room = false;
        let problem = match &mut self.way {
            Way::Lanes { lanes, board, tickets, next } => {
                if tickets.len() < most {
                    let gone = board.put(*next, chunk);
                    lanes.call(board, gone);
                    tickets.push_back((*next, chunk));
                    *next += 1;
                    return Ok(());
                }
                too_many(most)
            }
            Way::Direct { flights, .. } if flights.len() >= most => too_many(most),
            Way::Direct { flights, slots, short, timing, long, after_long_arrays, .. } => {
                self.quiet = false;
                let streams = self.streams;
                let follows = !flights.is_empty();
                let slot = slots.pop().unwrap_or_default();
                // In the list before anything is enqueued, so that `drop` knows of it on every path.
                flights.push_back(Box::new(Flight::new(chunk, slot, self.core.work.arguments.len())));
                let Some(flight) = flights.back_mut() else { return Ok(()) };
                let bytes = self.core.section_bytes(chunk);
                // Chunks that follow long ones take the long ones' streams, so that phases of one kind never overlap.
                *long |= bytes > if *after_long_arrays { SHORT_AFTER_LONG_ARRAYS } else { SHORT };
                let route = if *long {
                    let held = if self.kernels_wait { Ok(()) } else { self.core.hold(&streams.run) };
                    self.kernels_wait = true;
                    let timed = timing.takes_two(chunk.len(), bytes);
                    // What other GPUs have of replicated arrays comes through the same engines, and no kernel begins without it:
                    // only the first chunk's sections are copied in beside.
                    let spread = self.core.replicated.as_ref().filter(|_| !self.spreading.is_empty());
                    let held = held.and_then(|()| match spread.filter(|_| follows && !self.copies_wait) {
                        Some(all) => {
                            self.copies_wait = true;
                            streams.to.wait_for(all)
                        }
                        None => Ok(()),
                    });
                    held.map(|()| Route { to: &streams.to, run: &streams.run, from: &streams.from, timed })
                } else {
                    let timed = timing.takes_one(chunk.len());
                    short.next(&self.core).map(|stream| Route::single(stream, timed))
                };
                let route = route.map_err(|error| (Phase::To, error.to_string()));
                match route.and_then(|route| flight.enqueue(&self.core, route)) {
                    Ok(()) => return Ok(()),
                    Err(problem) => {
                        for stream in streams.all() {
                            let _ = stream.synchronize();
                        }
                        if let Some(flight) = flights.pop_back() {
                            self.wrote_host |= flight.wrote_host();
                            self.had_no_room = flight.had_no_room();
                            self.core.free_slot(flight.into_slot());
                            self.core.give_where_refused(slots);
                        }
                        problem
                    }
                }
            }
        };
        Err(self.error(Some(chunk), problem))
    }

    fn complete(&mut self) -> Result<Completed, DeviceError> {
        let nothing = || (Phase::Kernel, "`complete` without a chunk in flight".to_owned());
        self.had_no_room = false;
        let (chunk, problem) = match &mut self.way {
            Way::Lanes { board, tickets, .. } => match tickets.pop_front() {
                None => (None, nothing()),
                Some((ticket, chunk)) => match board.wait_for(ticket) {
                    Ok(completed) => {
                        // As below. The lanes' own streams are idle when the board is closed.
                        self.quiet = tickets.is_empty() && !chunk.is_empty();
                        return Ok(completed);
                    }
                    Err(Failed { problem, wrote_host, had_no_room }) => {
                        self.wrote_host |= wrote_host;
                        self.had_no_room = had_no_room;
                        (Some(chunk), problem)
                    }
                },
            },
            Way::Direct { flights, slots, clock, .. } => match flights.front_mut() {
                None => (None, nothing()),
                Some(flight) => {
                    let chunk = flight.chunk;
                    match flight.collect(&self.core, clock) {
                        Ok(completed) => {
                            // The kernel ran after the copies of replicated arrays, so those are done too.
                            self.quiet = flights.len() == 1 && !chunk.is_empty();
                            slots.extend(flights.pop_front().map(|flight| flight.into_slot()));
                            self.core.give_where_refused(slots);
                            return Ok(completed);
                        }
                        Err(problem) => {
                            for stream in self.streams.all() {
                                let _ = stream.synchronize();
                            }
                            if let Some(flight) = flights.pop_front() {
                                self.wrote_host |= flight.wrote_host();
                                self.core.free_slot(flight.into_slot());
                            }
                            (Some(chunk), problem)
                        }
                    }
                }
            },
        };
        Err(self.error(chunk, problem))
    }

    fn lull(&mut self) {
        if let Way::Lanes { board, .. } = &self.way {
            board.lull();
        }
    }

    fn wrote_in_place(&self) -> bool {
        self.wrote_host
    }

    fn had_no_room(&self) -> bool {
        self.had_no_room
    }

    fn finish(&mut self) -> Result<PhaseTimes, DeviceError> {
        let started = Instant::now();
        let left = match &self.way {
            Way::Direct { flights, .. } => flights.front().map(|flight| flight.chunk),
            Way::Lanes { tickets, .. } => tickets.front().map(|(_, chunk)| *chunk),
        };
        self.end();
        self.finished = true;
        if let Some(chunk) = left {
            let problem = (Phase::Fini, "`finish` with chunks in flight: their results are lost".to_owned());
            return Err(self.error(Some(chunk), problem));
        }
        let mut times = PhaseTimes::default();
        // Short chunks do not use the streams of these marks, so these may not be reached yet.
        for mark in self.core.fetched.iter().chain(self.core.replicated.as_deref()) {
            let _ = mark.synchronize();
        }
        if let Some(nanoseconds) = self
            .replicated
            .as_ref()
            .zip(self.core.replicated.as_deref())
            .and_then(|(before, after)| after.nanoseconds_since(before).ok())
        {
            times[Phase::To] = Seconds(nanoseconds as f64 * 1e-9);
        }
        times[Phase::Fini] = started.elapsed().into();
        Ok(times)
    }
}

pub fn too_many(most: usize) -> Problem {
    (Phase::To, format!("{most} chunks are in flight, as many as agreed: complete one first"))
}

impl Drop for CudaSession<'_> {
    fn drop(&mut self) {
        // Before anything that the device uses is dropped: spans, buffers, borrowed arrays.
        if !self.finished {
            self.end();
        }
    }
}
