//! Arrays that stay in a GPU's memory: the launches and copies of a data region.
//!
//! Iterations that wait for nothing run on the stream of kernels. Meanwhile, copies from other devices, and the iterations that
//! read what they bring, run on a side stream. It has high priority, so that they need not wait until all other iterations are
//! done. The stream of kernels then waits for the side stream, so its end is the end of everything asked for so far. Where there is
//! nothing to run meanwhile, everything runs on the stream of kernels.
#![allow(unsafe_code, reason = "copies between devices and the host")]

mod late;
mod launch;
mod partials;

use super::CudaDevice;
use super::boxes::End;
use super::bulk::Bulk;
use super::driver::{DeviceMemory, Event, Function, Gpu, PinnedMemory, Restore, Stream, Timed};
use super::locking::hold_range;
use super::memory::{DeviceBuffer, OnGpu, PinnedBuffer};
use super::reached::{Progress, Reached, Seen};
use super::status::CudaError;
use crate::data::layout::BoxCopy;
use crate::devices::outside::{Outside, Witness};
use crate::devices::resident::{
    BufferId, Incoming, Landed, Late, LateWork, Launch, LaunchId, NotAllocated, Outlet, Pulled, Resident, Results,
};
use crate::error::{DeviceError, Phase};
use crate::kernel::Reduction;
use crate::space::IterRange;
use crate::units::Seconds;
use late::Scalars;
use partials::Partials;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a GPU keeps for data regions.
#[derive(Default)]
pub struct Residence {
    buffers: FxHashMap<u64, DeviceBuffer>,
    numbers: u64,
    /// The side stream.
    side: Option<Stream>,
    /// What the two streams have waited for.
    run_seen: Seen,
    side_seen: Seen,
    progress: Progress,
    launches: u64,
    /// The end of the last launch.
    last: Option<Reached>,
    /// The end of the last launch that wrote cells that others may copy.
    settled: Option<Reached>,
    /// For each other GPU, when its copies from these buffers are done.
    pulled: SmallVec<[Pull; 8]>,
    flights: FxHashMap<u64, Flight>,
    spare: Vec<Marks>,
    /// Marks that other devices may be about to wait for.
    resting: Vec<Marks>,
    /// The runtime's own kernels.
    gather: Option<Function>,
    combine: Vec<(Reduction, Function)>,
    /// Counters for the kernels that combine.
    tickets: Option<DeviceMemory>,
    /// Scalars made of partial results.
    scalars: Scalars,
    /// Partial results of launches that landed, of which others may still be about to make scalars.
    lent: Vec<(PinnedBuffer, Arc<()>)>,
}

/// Copies by another GPU from this one's buffers.
#[derive(Clone)]
struct Pull {
    /// The point at which they are done.
    done: Reached,
    /// They may be of any cells: of whole arrays, and not only of what others have as ghosts.
    whole: bool,
}

/// Events of a launch. Those that only order streams are not timed: a time costs the GPU as long as a row of a sweep.
struct Marks {
    /// When the copies from other devices are done, or everything on the side stream.
    came: Arc<Event>,
    end: Arc<Event>,
    /// When partial results have reached the host, where that is later than `end`.
    told: Arc<Event>,
    times: Option<Times>,
}

/// Timed events of a launch.
struct Times {
    /// Before and after the pieces that do not wait, or all pieces where all wait.
    run: [Event; 2],
    /// Before and after the copies in.
    incoming: [Event; 2],
}

impl Marks {
    fn new(gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        let plain = || Event::new(gpu, Timed::No);
        Ok(Self { came: Arc::new(plain()?), end: Arc::new(plain()?), told: Arc::new(plain()?), times: None })
    }

    fn with_times(mut self, gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        if self.times.is_none() {
            let timed = || Event::new(gpu, Timed::Yes);
            self.times = Some(Times { run: [timed()?, timed()?], incoming: [timed()?, timed()?] });
        }
        Ok(self)
    }

    /// Whether no other device is about to wait for them.
    fn are_free(&self) -> bool {
        [&self.came, &self.end, &self.told].iter().all(|event| Arc::strong_count(event) == 1)
    }
}

/// A launch that is under way.
struct Flight {
    marks: Marks,
    /// The number of its end point.
    number: u64,
    /// The iterations that its time is for; `None` where it is not timed.
    timed: Option<u64>,
    exchanges: bool,
    /// Whether partial results are with the host at `end`; otherwise `told` marks that.
    told_at_end: bool,
    partials: Option<Partials>,
    /// Held by those that make a scalar of the partial results.
    hold: Arc<()>,
    /// The partial results that it makes scalars of.
    late: SmallVec<[Results; 2]>,
    /// Where its kernel reports an access outside of its arrays, and what the error says.
    report: Option<(PinnedMemory, Witness)>,
}

/// A buffer that others copy from, and the point at which its contents are ready.
struct Source {
    gpu: Arc<Gpu>,
    address: u64,
    ready: Option<Reached>,
}

type Problem = (Phase, Option<IterRange>, String);

fn at(phase: Phase) -> impl Fn(CudaError) -> Problem {
    move |error| (phase, None, error.to_string())
}

impl CudaDevice {
    fn resident_error(&self, (phase, chunk, message): Problem) -> DeviceError {
        DeviceError { device: self.name.clone(), phase, chunk, message }
    }

    fn address(&self, buffer: BufferId) -> Result<u64, Problem> {
        address(&self.residence.buffers, buffer)
    }

    /// The size of a buffer in bytes.
    fn held(&self, buffer: BufferId) -> usize {
        self.residence.buffers.get(&buffer.0).map_or(0, |memory| memory.bytes)
    }

    /// Keeps marks for later launches, and drops points that the host knows to be past.
    fn recycle(&mut self, marks: Marks) {
        let Residence { last, settled, pulled, .. } = &mut self.residence;
        for point in [last, settled] {
            point.take_if(|point| point.is_past());
        }
        pulled.retain(|pull| !pull.done.is_past());
        self.take_back();
        let Residence { spare, resting, .. } = &mut self.residence;
        if marks.are_free() { spare.push(marks) } else { resting.push(marks) }
    }

    /// Gives partial results that nobody makes a scalar of any more back to the pool.
    fn take_back(&mut self) {
        let lent = &mut self.residence.lent;
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        while let Some(free) = lent.iter().position(|(_, hold)| Arc::strong_count(hold) == 1) {
            pools.pinned.give(lent.swap_remove(free).0);
        }
    }

    /// Marks for a launch, new or reused.
    fn marks(&mut self, timed: bool) -> Result<Marks, CudaError> {
        self.gpu.bind()?;
        let Residence { spare, resting, .. } = &mut self.residence;
        if spare.is_empty()
            && let Some(free) = resting.iter().position(Marks::are_free)
        {
            spare.push(resting.swap_remove(free));
        }
        let marks = spare.pop().map_or_else(|| Marks::new(&self.gpu), Ok)?;
        if timed { marks.with_times(&self.gpu) } else { Ok(marks) }
    }

    fn point(&self, number: u64, event: &Arc<Event>) -> Reached {
        Reached { of: self.residence.progress.clone(), number, event: Arc::clone(event) }
    }
}

/// The device address of a buffer.
fn address(buffers: &FxHashMap<u64, DeviceBuffer>, buffer: BufferId) -> Result<u64, Problem> {
    let memory = buffers.get(&buffer.0);
    let memory = memory.ok_or_else(|| (Phase::Init, None, format!("there is no buffer {} any more", buffer.0)))?;
    Ok(memory.buffer.address)
}

/// Checks that one side of each box lies within `host` bytes: the target if `out` is some, else the source.
fn check_copies(copies: &[BoxCopy], host: usize, out: Option<()>) -> Result<(), Problem> {
    let side = |copy: &BoxCopy| if out.is_some() { copy.end_of(&copy.to) } else { copy.end_of(&copy.from) };
    match copies.iter().find(|copy| side(copy).is_none_or(|end| end > host)) {
        None => Ok(()),
        Some(copy) => {
            Err((Phase::Exchange, None, format!("a copy reaches past the {host} bytes that are there: {copy:?}")))
        }
    }
}

impl Resident for CudaDevice {
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, NotAllocated> {
        let _restore = Restore::new();
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        // The driver has no buffers of 0 bytes.
        match pools.device.take(&OnGpu { gpu: &self.gpu, blas: &self.blas }, bytes.max(1)) {
            Ok(memory) => {
                self.residence.numbers += 1;
                self.residence.buffers.insert(self.residence.numbers, memory);
                Ok(BufferId(self.residence.numbers))
            }
            Err(problem) => {
                let no_room = problem.is_no_room(|error| error.out_of_memory());
                Err(NotAllocated { error: self.resident_error((Phase::Init, None, problem.to_string())), no_room })
            }
        }
    }

    fn release(&mut self, buffer: BufferId) {
        let _restore = Restore::new();
        let Some(memory) = self.residence.buffers.remove(&buffer.0) else { return };
        // Also after a failure: nothing runs on a lost device any more.
        let quiet = self.quiet().is_ok();
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if quiet {
            pools.device.give(memory);
        } else {
            pools.device.free(memory);
        }
    }

    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<Duration, DeviceError> {
        let _restore = Restore::new();
        let quiet = self.quiet().map_err(at(Phase::To));
        let began = Instant::now();
        let written = quiet.and_then(|()| {
            check_copies(copies, host.len(), None)?;
            check_copies(copies, self.held(buffer), Some(()))?;
            let address = self.address(buffer)?;
            // Another GPU's lock on this memory stays until the copies are done.
            let _held = hold_range(host);
            let mut _locked = None;
            if self.is_bulk(Bulk::In, copies, host.as_ptr()) {
                // SAFETY: the host's memory is borrowed for this call, and the copies are waited for.
                _locked = unsafe { self.lock_for(copies, host) };
                if _locked.is_none() {
                    let host = host.as_ptr().cast_mut();
                    // SAFETY: the boxes lie in both (`check_copies`), which are ours until this returns; it is only read.
                    let copied = unsafe { self.copy_bulk(Bulk::In, copies, host, address, None) };
                    return copied.map_err(|why| (Phase::To, None, why));
                }
            }
            // SAFETY: as above.
            let copied =
                unsafe { self.copy_all(Bulk::In, &self.streams.to, copies, host.as_ptr().cast_mut(), address) };
            copied.map_err(|why| (Phase::To, None, why))
        });
        written.map(|()| began.elapsed()).map_err(|problem| self.resident_error(problem))
    }

    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<Duration, DeviceError> {
        let _restore = Restore::new();
        // The copy waits for the kernels on the GPU, so their end is not learned of.
        let began = Instant::now();
        let stream = &self.streams.from;
        let ready = self.gpu.bind().and_then(|()| match &self.residence.last {
            Some(last) if !last.is_past() => stream.wait_for(&last.event),
            _ => Ok(()),
        });
        let read = ready.map_err(at(Phase::From)).and_then(|()| {
            check_copies(copies, host.len(), Some(()))?;
            check_copies(copies, self.held(buffer), None)?;
            let address = self.address(buffer)?;
            if self.is_bulk(Bulk::Out, copies, host.as_ptr()) {
                let last = self.residence.last.as_ref().filter(|last| !last.is_past());
                let (after, host) = (last.map(|last| &*last.event), host.as_mut_ptr());
                // SAFETY: as in `write`; the host's memory is borrowed for writing.
                let copied = unsafe { self.copy_bulk(Bulk::Out, copies, host, address, after) };
                return copied.map_err(|why| (Phase::From, None, why));
            }
            let _held = hold_range(host);
            // SAFETY: as in `write`; the host's memory is borrowed for writing.
            let copied = unsafe { self.copy_all(Bulk::Out, stream, copies, host.as_mut_ptr(), address) };
            copied.map_err(|why| (Phase::From, None, why))
        });
        read.map(|()| began.elapsed()).map_err(|problem| self.resident_error(problem))
    }

    fn outlet(&mut self, buffer: BufferId) -> Option<Outlet> {
        let address = self.address(buffer).ok()?;
        let source = Source { gpu: Arc::clone(&self.gpu), address, ready: self.residence.settled.clone() };
        Some(Outlet(Arc::new(source)))
    }

    fn reaches(&self, outlet: &Outlet) -> bool {
        let source = outlet.0.downcast_ref::<Source>();
        source.is_some_and(|source| Arc::ptr_eq(&source.gpu, &self.gpu) || self.gpu.pulls_from(&source.gpu))
    }

    fn pulled(&mut self, by: &Pulled) {
        let Some(pull) = by.0.downcast_ref::<Pull>() else { return };
        match self.residence.pulled.iter_mut().find(|known| known.done.is_of(&pull.done.of)) {
            // The later point is behind the earlier copies, too.
            Some(known) => *known = Pull { done: pull.done.clone(), whole: known.whole || pull.whole },
            None => self.residence.pulled.push(pull.clone()),
        }
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError> {
        let _restore = Restore::new();
        let marks = self.marks(launch.how.timed).map_err(|error| self.resident_error(at(Phase::Init)(error)))?;
        let (mut partials, mut report) = (None, None);
        let enqueued = self.enqueue(launch, &marks, &mut partials, &mut report);
        if !matches!(enqueued, Ok(Ok(_))) {
            // Some of it may be under way, with memory that the caller owns.
            let _ = self.quiet_all();
            self.free(partials.take());
        }
        let enqueued = enqueued.unwrap_or_else(|panic| resume_unwind(panic));
        let marked = enqueued.map_err(|problem| self.resident_error(problem))?;
        self.residence.numbers += 1;
        self.residence.launches += 1;
        // A launch has two points: its copies are done before its end.
        let (id, number) = (self.residence.numbers, 2 * self.residence.launches + 1);
        let end = self.point(number, &marks.end);
        let direct = launch.incoming.iter().any(|coming| matches!(coming, Incoming::Direct { .. }));
        let came = || if marked { self.point(number - 1, &marks.came) } else { end.clone() };
        let whole = launch.work.is_none() && !launch.how.ghosts;
        let pulled = direct.then(|| Pulled(Arc::new(Pull { done: came(), whole })));
        if !launch.how.ghosts {
            self.residence.settled = Some(end.clone());
        }
        self.residence.last = Some(end);
        let timed = launch.how.timed.then(|| launch.timed_iterations());
        let exchanges = !launch.incoming.is_empty();
        let told_at_end = launch.how.tells_at_once() || partials.as_ref().is_some_and(Partials::told_at_end);
        let over = launch.over();
        let report =
            report.zip(launch.work).map(|(report, work)| (report, Witness::of(work.kernel, work.arguments, over)));
        let late = launch.late.iter().flat_map(|late| late.results.iter().cloned()).collect();
        let hold = Arc::default();
        let flight = Flight { marks, number, timed, exchanges, told_at_end, partials, hold, late, report };
        self.residence.flights.insert(id, flight);
        Ok((LaunchId(id), pulled))
    }

    fn pass(&mut self, earlier: LaunchId, later: LaunchId) {
        let _restore = Restore::new();
        let Residence { flights, progress, .. } = &self.residence;
        let of = |launch: LaunchId| flights.get(&launch.0);
        if let (Some(earlier), Some(later)) = (of(earlier), of(later))
            && !progress.has(earlier.number)
            && self.gpu.bind().and_then(|()| later.marks.end.synchronize()).is_ok()
        {
            progress.reached(later.number);
        }
    }

    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError> {
        let _restore = Restore::new();
        let Some(flight) = self.residence.flights.remove(&launch.0) else { return Ok(Landed::default()) };
        let Flight { marks, number, timed, exchanges, told_at_end, partials, hold, late, report } = flight;
        let told_later = partials.is_some() && !told_at_end;
        let waited = if self.residence.progress.has(number) && !told_later {
            // To ask for times needs the context.
            if timed.is_some() { self.gpu.bind() } else { Ok(()) }
        } else {
            let last = if told_later { &*marks.told } else { &*marks.end };
            self.gpu.bind().and_then(|()| last.synchronize())
        };
        let mut landed = Landed { iterations: timed.unwrap_or(0), ..Landed::default() };
        let between = |[from, to]: &[Event; 2]| {
            to.nanoseconds_since(from).map_or(Seconds::ZERO, |nanoseconds| Seconds(nanoseconds as f64 * 1e-9))
        };
        if let Err(error) = waited {
            // The launch may still be under way.
            let _ = self.quiet_all();
            self.free(partials);
            return Err(self.resident_error(at(Phase::Kernel)(error)));
        }
        self.residence.progress.reached(number);
        if let Some(times) = marks.times.as_ref().filter(|_| timed.is_some()) {
            landed.kernel = between(&times.run);
            if exchanges {
                landed.exchange = between(&times.incoming);
            }
        }
        // The caller's operator may panic.
        let combined = partials.as_ref().map(|partials| catch_unwind(AssertUnwindSafe(|| partials.combined())));
        drop(late);
        if let Some(Partials { device, host, .. }) = partials {
            let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            device.into_iter().for_each(|device| pools.device.give(device));
            self.residence.lent.push((host, hold));
            self.take_back();
        }
        if let Some((report, witness)) = report {
            let outside = Outside::of(report.said());
            landed.outside = outside.map(|outside| witness.error(outside, &self.name, None));
            self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).reports.push(report);
        }
        self.recycle(marks);
        landed.partials = combined.map(|all| all.unwrap_or_else(|panic| resume_unwind(panic))).unwrap_or_default();
        Ok(landed)
    }

    fn results(&mut self, launch: LaunchId) -> Option<Results> {
        self.results_of(launch)
    }

    fn combines(&mut self, work: &LateWork<'_>, late: &[Late]) -> bool {
        let _restore = Restore::new();
        late::fits(late) && self.gpu.bind().is_ok() && self.prepare(work, late).is_ok()
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        let _restore = Restore::new();
        self.take_back();
        self.quiet().map_err(|error| self.resident_error(at(Phase::Kernel)(error)))
    }
}

impl CudaDevice {
    /// Waits for everything asked for, here and by others that copy from this device.
    fn quiet(&mut self) -> Result<(), CudaError> {
        // The stream of kernels has waited for the side stream.
        let waited = self.gpu.bind().and_then(|()| self.streams.run.synchronize());
        match waited.and_then(|()| self.streams.from.synchronize()) {
            Ok(()) => {
                self.all_past(true);
                Ok(())
            }
            // Any of the streams may have failed.
            Err(error) => self.quiet_all().and(Err(error)),
        }
    }

    /// The same after a failure, when streams may not have waited for one another.
    fn quiet_all(&mut self) -> Result<(), CudaError> {
        let mut waited = self.gpu.bind();
        let streams = [&self.streams.to, &self.streams.run, &self.streams.from];
        for stream in self.residence.side.iter().chain(streams) {
            waited = waited.and(ended(stream));
        }
        self.all_past(waited.is_ok());
        waited
    }

    /// Notes that nothing is under way any more, and whether all of it is done: after a failure the launches say themselves that
    /// they are not.
    fn all_past(&mut self, done: bool) {
        let Residence { last, settled, pulled, progress, launches, run_seen, side_seen, .. } = &mut self.residence;
        (*last, *settled) = (None, None);
        if done {
            progress.reached(2 * *launches + 1);
        }
        run_seen.forget();
        side_seen.forget();
        for pull in pulled.drain(..).filter(|pull| !pull.done.is_past()) {
            // A failure of the other GPU is reported by that GPU.
            let _ = pull.done.event.synchronize();
        }
    }

    /// Copies boxes between the host and a buffer on a stream, and waits for the end.
    ///
    /// # Safety
    /// As [`CudaDevice::copy_bulk`].
    unsafe fn copy_all(
        &self,
        way: Bulk,
        stream: &Stream,
        copies: &[BoxCopy],
        host: *mut u8,
        address: u64,
    ) -> Result<(), String> {
        let text = |error: CudaError| error.to_string();
        self.gpu.bind().map_err(text)?;
        let (host_end, buffer) = (End::Host(host), End::Device(&self.gpu, address));
        let (to, from) = if way == Bulk::In { (buffer, host_end) } else { (host_end, buffer) };
        // SAFETY: the caller's promise; the stream is waited for below.
        let copied = copies.iter().try_for_each(|copy| unsafe { stream.copy_box(to, from, copy) });
        ended(stream).map_err(text)?;
        match copied {
            // Others may have page-locked a part of the array: the driver refuses a copy that reaches from it into the rest.
            // SAFETY: the caller's promise; the stream has waited for everything.
            Err(error) if error.refuses_arguments() => unsafe { self.copy_bulk(way, copies, host, address, None) },
            copied => copied.map_err(text),
        }
    }
}

/// Waits for a stream that may use the host's memory; a second time where that fails. A lost GPU runs nothing any more and returns
/// at once, but another failure might leave a copy under way.
fn ended(stream: &Stream) -> Result<(), CudaError> {
    stream.synchronize().inspect_err(|_| {
        let _ = stream.synchronize();
    })
}
