//! Arrays that stay in a GPU's memory: a data region's launches and copies.
//!
//! Streams: iterations that wait for nothing run on the stream of kernels. What comes from other devices does so on a stream of
//! its own meanwhile, and iterations that read it run on a third. Both are of high priority, so that they are not kept until all
//! others are done. The stream of kernels then waits for these: at its end everything is done that was asked for.
#![allow(unsafe_code, reason = "copies between devices, runs kernels")]

use super::CudaDevice;
use super::boxes::{End, gatherer};
use super::combine;
use super::driver::{Event, Function, Gpu, PinnedBy, Restore, Stream, Timed};
use super::flight::{bits, blocks, gemm_arrays};
use super::memory::{DeviceBuffer, PinnedBuffer};
use super::program::Target;
use super::session::gemm;
use super::status::CudaError;
use crate::data::Distribution;
use crate::data::layout::BoxCopy;
use crate::devices::Work;
use crate::devices::resident::{BufferId, Incoming, Landed, Launch, LaunchId, Outlet, Piece, Pulled, Resident};
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, CudaCall, DeviceArray, Gemm, Grid, LibraryCall, Reduction};
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// What a GPU holds for data regions.
#[derive(Default)]
pub struct Residence {
    buffers: HashMap<u64, DeviceBuffer>,
    numbers: u64,
    streams: Option<Side>,
    /// Reached when all launches so far are done.
    last: Option<Arc<Event>>,
    /// Reached when others have copied what they want of these buffers.
    pulled: Vec<Arc<Event>>,
    flights: HashMap<u64, Flight>,
    spare: Vec<Marks>,
}

/// Streams besides those of a loop's phases.
struct Side {
    /// Copies from other devices.
    incoming: Stream,
    /// Iterations that read what comes.
    waiting: Stream,
}

/// When things happened. What only orders streams is not timed: that takes the GPU a moment each, as long as a row of a sweep.
struct Marks {
    came: Arc<Event>,
    edges: Event,
    end: Arc<Event>,
    /// After the copy of partial results.
    told: Event,
    times: Times,
}

/// Of a launch whose times are asked for.
struct Times {
    /// Before and after the pieces that wait for nothing, or all where all wait.
    run: [Event; 2],
    /// Before and after what comes.
    incoming: [Event; 2],
}

impl Marks {
    fn new(gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        let timed = || Event::new(gpu, Timed::Yes);
        let plain = || Event::new(gpu, Timed::No);
        Ok(Self {
            came: Arc::new(plain()?),
            edges: plain()?,
            end: Arc::new(plain()?),
            told: plain()?,
            times: Times { run: [timed()?, timed()?], incoming: [timed()?, timed()?] },
        })
    }
}

struct Partials {
    device: DeviceBuffer,
    host: PinnedBuffer,
    reduction: Reduction,
    /// Of each piece: the groups' results.
    pieces: SmallVec<[(IterRange, Range<usize>); 3]>,
    /// What combines them on the device; the pieces' results lie behind the groups' then.
    combine: Option<Function>,
}

/// A launch on its way.
struct Flight {
    marks: Marks,
    /// Whose time is known; `None` where none is.
    timed: Option<u64>,
    exchanges: bool,
    partials: Option<Partials>,
}

/// A buffer that others copy from, and when it holds what it should.
struct Source {
    gpu: Arc<Gpu>,
    address: u64,
    ready: Option<Arc<Event>>,
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
        let memory = self.residence.buffers.get(&buffer.0);
        let memory = memory.ok_or_else(|| (Phase::Init, None, format!("there is no buffer {} any more", buffer.0)))?;
        Ok(memory.buffer.address)
    }

    /// Bytes of a buffer.
    fn held(&self, buffer: BufferId) -> usize {
        self.residence.buffers.get(&buffer.0).map_or(0, |memory| memory.bytes)
    }

    fn make_streams(&mut self) -> Result<(), CudaError> {
        if self.residence.streams.is_none() {
            self.residence.streams =
                Some(Side { incoming: Stream::urgent(&self.gpu)?, waiting: Stream::urgent(&self.gpu)? });
        }
        Ok(())
    }

    /// Enqueues what comes from devices; whether anything does.
    fn bring(&mut self, incoming: &[Incoming<'_>], marks: &Marks, timed: bool) -> Result<(), Problem> {
        let last = self.residence.last.clone();
        self.make_streams().map_err(at(Phase::Exchange))?;
        let Some(Side { incoming: stream, .. }) = &self.residence.streams else { return Ok(()) };
        let exchange = at(Phase::Exchange);
        if let Some(last) = &last {
            stream.wait_for(last).map_err(&exchange)?;
        }
        if timed {
            marks.times.incoming[0].record(stream).map_err(&exchange)?;
        }
        for coming in incoming {
            let (to, gpu, from, copies) = match coming {
                Incoming::Direct { to, from, copies } => {
                    let Some(source) = from.0.downcast_ref::<Source>() else { continue };
                    if let Some(ready) = &source.ready {
                        stream.wait_for(ready).map_err(&exchange)?;
                    }
                    (*to, &source.gpu, source.address, copies)
                }
                Incoming::Local { to, from, copies } => (*to, &self.gpu, self.address(*from)?, copies),
                Incoming::Host { .. } => continue,
            };
            let to = self.address(to)?;
            let capability = self.found.capability;
            let gatherer = gatherer(&mut self.programs, &self.gpu, capability, copies);
            let gatherer = gatherer.map_err(|message| (Phase::Exchange, None, message))?;
            for copy in copies.iter() {
                // SAFETY: the box lies in both buffers, which were made for these copies and are held until all that is
                // enqueued is done: who releases one waits for the streams, and for the events of those who copy from it.
                // Device memory is aligned to 256 bytes; a GPU that copies from another reaches its memory.
                let copied = unsafe {
                    match &gatherer {
                        Some(gatherer) => gatherer.copy(stream, to, from, copy),
                        None => stream.copy_box(End::Device(&self.gpu, to), End::Device(gpu, from), copy),
                    }
                };
                copied.map_err(&exchange)?;
            }
        }
        Ok(())
    }

    /// Brings in what comes from the host's memory; waits until that is not needed any more.
    fn import(&mut self, incoming: &[Incoming<'_>]) -> Result<(), Problem> {
        let Some(Side { incoming: stream, .. }) = &self.residence.streams else { return Ok(()) };
        let mut any = false;
        for coming in incoming {
            let Incoming::Host { to, from, copies } = coming else { continue };
            any = true;
            check_copies(copies, from.len(), None)?;
            let to = End::Device(&self.gpu, self.address(*to)?);
            for copy in copies.iter() {
                // SAFETY: the box lies in the host's bytes, which are borrowed until the stream is waited for below, and in
                // the buffer.
                let copied = unsafe { stream.copy_box(to, End::Host(from.as_ptr().cast_mut()), copy) };
                if let Err(error) = copied {
                    let _ = ended(stream);
                    return Err(at(Phase::Exchange)(error));
                }
            }
        }
        if any { ended(stream).map_err(at(Phase::Exchange)) } else { Ok(()) }
    }

    /// Enqueues a launch. After an error some of it may be under way, and use the partial results.
    fn enqueue(&mut self, launch: &Launch<'_>, marks: &Marks, partials: &mut Option<Partials>) -> Result<(), Problem> {
        let target = self.target(launch)?;
        *partials = self.room_for_partials(launch, target.as_ref())?;
        let partials = &*partials;
        let pulled: SmallVec<[Arc<Event>; 8]> = self.residence.pulled.drain(..).collect();
        for event in &pulled {
            self.streams.run.wait_for(event).map_err(at(Phase::Kernel))?;
        }
        let exchanges = !launch.incoming.is_empty();
        if exchanges {
            self.bring(launch.incoming, marks, launch.timed)?;
        }
        let all_wait = launch.all_wait();
        if launch.timed && !all_wait {
            marks.times.run[0].record(&self.streams.run).map_err(at(Phase::Kernel))?;
        }
        for (index, piece) in launch.pieces.iter().enumerate().filter(|(_, piece)| !piece.waits) {
            self.start(launch, target.as_ref(), piece, &self.streams.run, partials.as_ref().map(|p| p.address(index)))?;
        }
        if launch.timed && !all_wait {
            marks.times.run[1].record(&self.streams.run).map_err(at(Phase::Kernel))?;
        }
        if exchanges {
            self.import(launch.incoming)?;
            let Some(Side { incoming, waiting }) = &self.residence.streams else { return Ok(()) };
            if launch.timed {
                marks.times.incoming[1].record(incoming).map_err(at(Phase::Exchange))?;
            }
            marks.came.record(incoming).map_err(at(Phase::Exchange))?;
            if launch.pieces.iter().any(|piece| piece.waits) {
                // What comes waits for all launches before, and so do these.
                for event in &pulled {
                    waiting.wait_for(event).map_err(at(Phase::Kernel))?;
                }
                waiting.wait_for(&marks.came).map_err(at(Phase::Kernel))?;
                if launch.timed && all_wait {
                    marks.times.run[0].record(waiting).map_err(at(Phase::Kernel))?;
                }
                for (index, piece) in launch.pieces.iter().enumerate().filter(|(_, piece)| piece.waits) {
                    self.start(launch, target.as_ref(), piece, waiting, partials.as_ref().map(|p| p.address(index)))?;
                }
                if launch.timed && all_wait {
                    marks.times.run[1].record(waiting).map_err(at(Phase::Kernel))?;
                }
                marks.edges.record(waiting).map_err(at(Phase::Kernel))?;
                self.streams.run.wait_for(&marks.edges).map_err(at(Phase::Kernel))?;
            } else {
                self.streams.run.wait_for(&marks.came).map_err(at(Phase::Kernel))?;
            }
        }
        marks.end.record(&self.streams.run).map_err(at(Phase::Kernel))?;
        match partials {
            Some(partials) => self.tell(partials, marks),
            None => Ok(()),
        }
    }

    /// What runs, if anything does.
    fn target(&mut self, launch: &Launch<'_>) -> Result<Option<Target>, Problem> {
        let Some(work) = launch.work else { return Ok(None) };
        let fail = |message: String| (Phase::Init, None, message);
        let variant = work.kernel.cuda_variant();
        let variant = variant.ok_or_else(|| fail(format!("kernel `{}` has no CUDA variant", work.kernel.name())))?;
        let two_dimensional = launch.pieces.iter().any(|piece| piece.columns.is_some());
        let capability = self.found.capability;
        let target = self.programs.get(&self.gpu, capability, variant, work.arguments, work.reduction, two_dimensional);
        target.map(Some).map_err(fail)
    }

    fn room_for_partials(&mut self, launch: &Launch<'_>, target: Option<&Target>) -> Result<Option<Partials>, Problem> {
        let reduction = launch.work.and_then(|work| work.reduction);
        let (Some(reduction), Some(Target::Kernel { grid, .. })) = (reduction, target) else { return Ok(None) };
        let mut pieces = SmallVec::new();
        let mut groups = 0usize;
        for piece in launch.pieces {
            let of_piece = grid_of(grid, piece).map(|(_, groups)| groups)?;
            let from = groups;
            groups = groups.saturating_add(of_piece);
            pieces.push((piece.chunk, from..groups));
        }
        let combine = if combine::on_gpu(reduction, groups, launch.in_order) {
            let capability = self.found.capability;
            let function = combine::function(&mut self.programs, &self.gpu, capability, reduction);
            Some(function.map_err(|message| (Phase::Init, None, message))?)
        } else {
            None
        };
        let results = if combine.is_some() { launch.pieces.len() } else { 0 };
        let bytes = groups.saturating_add(results).saturating_mul(reduction.element.bytes());
        let room = |problem: &dyn std::fmt::Display| {
            (Phase::Init, None, format!("the reduction's partial results: {problem}"))
        };
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let device = pools.device.take(&self.gpu, bytes).map_err(|problem| room(&problem))?;
        let host = match pools.pinned.take(&PinnedBy(&self.gpu), bytes) {
            Ok(host) => host,
            Err(problem) => {
                let why = room(&problem);
                pools.device.give(device);
                return Err(why);
            }
        };
        Ok(Some(Partials { device, host, reduction, pieces, combine }))
    }

    /// Brings partial results to the host, after all of the launch.
    fn tell(&self, partials: &Partials, marks: &Marks) -> Result<(), Problem> {
        let stream = &self.streams.from;
        let from = at(Phase::From);
        stream.wait_for(&marks.end).map_err(&from)?;
        let size = partials.reduction.element.bytes();
        let groups = partials.groups();
        let mut results = 0..groups;
        if let Some(combine) = partials.combine {
            let out = |piece: usize| partials.device.buffer.address + ((groups + piece) * size) as u64;
            for (number, pieces) in partials.pieces.chunks(combine::RANGES).enumerate() {
                let mut values: SmallVec<[u64; 7]> =
                    smallvec![partials.device.buffer.address, out(number * combine::RANGES)];
                values.push(pieces.first().map_or(0, |(_, groups)| groups.start) as u64);
                values.extend(pieces.iter().map(|(_, groups)| groups.end as u64));
                values.resize(2 + combine::RANGES + 1, groups as u64);
                let mut pointers: SmallVec<[*mut c_void; 7]> =
                    values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
                // SAFETY: the kernel takes two pointers and five `long long`; what it reads and writes is this launch's.
                let launched = unsafe {
                    stream.launch(combine, [pieces.len() as u32, 1, 1], [combine::GROUP, 1, 1], &mut pointers)
                };
                launched.map_err(&from)?;
            }
            results = groups..groups + partials.pieces.len();
        }
        let host = partials.host.buffer.start.as_ptr();
        let (address, bytes) = (partials.device.buffer.address + (results.start * size) as u64, results.len() * size);
        // SAFETY: both buffers are this launch's until `landed` has waited for the copy, and have room for it.
        unsafe { stream.copy_out(host, address, bytes) }.map_err(&from)?;
        marks.told.record(stream).map_err(&from)
    }

    /// Starts the kernel on a piece.
    fn start(
        &self,
        launch: &Launch<'_>,
        target: Option<&Target>,
        piece: &Piece,
        stream: &Stream,
        partial: Option<u64>,
    ) -> Result<(), Problem> {
        if piece.chunk.is_empty() || piece.columns.is_some_and(IterRange::is_empty) {
            return Ok(());
        }
        let (Some(target), Some(work)) = (target, launch.work) else { return Ok(()) };
        let fail = |message: String| (Phase::Kernel, Some(piece.chunk), message);
        let driver = |error: CudaError| fail(error.to_string());
        match target {
            Target::Kernel { function, grid } => {
                let (size, _) = grid_of(grid, piece)?;
                let mut values: SmallVec<[u64; 24]> = smallvec![piece.chunk.start, piece.chunk.end];
                if let Some(columns) = piece.columns {
                    values.extend([columns.start, columns.end]);
                }
                for (argument, stored) in work.arguments.iter().zip(&piece.stored) {
                    match (argument, stored) {
                        (Argument::Scalar(scalar), _) => values.push(bits(*scalar)),
                        (Argument::Array(_), Some(stored)) => {
                            let address = self.address(stored.buffer)?;
                            values.extend([address, stored.first_element().cast_unsigned()]);
                            if piece.columns.is_some() {
                                values.push(stored.pitch as u64);
                            }
                        }
                        (Argument::Array(_), None) => {
                            return Err(fail("an array of the loop is not on the device".to_owned()));
                        }
                    }
                }
                values.extend(partial);
                let mut pointers: SmallVec<[*mut c_void; 24]> =
                    values.iter_mut().map(|value| std::ptr::from_mut(value).cast()).collect();
                // SAFETY:
                // - number and sizes of the parameters were compared with what is bound (`Programs::get`); each points to 8
                //   bytes, of which the kernel's parameter takes the first (little-endian);
                // - buffers are held until the streams are done (`Resident::release` waits);
                // - the kernel's author answers for it staying within its sections (the documented convention).
                unsafe { stream.launch(*function, size, grid.group.map(|g| g as u32), &mut pointers) }.map_err(driver)
            }
            Target::Call(call) => self.call(work, call, piece, stream).map_err(fail),
        }
    }

    fn call(&self, work: &Work<'_>, call: &LibraryCall, piece: &Piece, stream: &Stream) -> Result<(), String> {
        let mut arrays: SmallVec<[Option<DeviceArray>; 8]> = SmallVec::new();
        for (argument, stored) in work.arguments.iter().zip(&piece.stored) {
            arrays.push(match (argument, stored) {
                (Argument::Array(map), Some(stored)) => {
                    let memory = self.residence.buffers.get(&stored.buffer.0).ok_or("an array's buffer is gone")?;
                    let element = map.element.bytes();
                    let held = memory.bytes / element;
                    // The rows of the piece, or all of a replicated array.
                    let (skipped, len) = match map.distribution {
                        Distribution::Align { ratio } => {
                            let first = (piece.chunk.start * ratio + map.shift).cast_signed() + map.first_row;
                            let skipped = (first - stored.first_row).max(0) as usize * stored.pitch;
                            (skipped, (piece.chunk.len() * ratio) as usize * stored.pitch)
                        }
                        Distribution::Full | Distribution::Block => (0, map.len),
                    };
                    Some(DeviceArray {
                        address: memory.buffer.address + (skipped * element) as u64,
                        first: stored.first_element().wrapping_add(skipped as i64).cast_unsigned(),
                        len: len.min(held.saturating_sub(skipped)),
                    })
                }
                _ => None,
            });
        }
        call.enqueue(&Given { device: self, work, stream, chunk: piece.chunk, arrays: &arrays })
    }

    /// Frees the partial results of a launch that failed.
    fn free(&mut self, partials: Option<Partials>) {
        let Some(Partials { device, host, .. }) = partials else { return };
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        pools.device.free(device);
        pools.pinned.free(host);
    }

    fn recycle(&mut self, marks: Marks) {
        // Others may be about to wait for the last one as it is now.
        let is_last = self.residence.last.as_ref().is_some_and(|last| Arc::ptr_eq(last, &marks.end));
        let awaited = is_last || Arc::strong_count(&marks.came) > 1 || Arc::strong_count(&marks.end) > 1;
        if !awaited {
            self.residence.spare.push(marks);
        }
    }
}

/// Blocks of a piece, and how many there are.
fn grid_of(grid: &Grid, piece: &Piece) -> Result<([u32; 3], usize), Problem> {
    let columns = piece.columns.map_or(1, |columns| columns.len() as usize);
    blocks(grid, piece.chunk.len() as usize, columns).map_err(|(phase, message)| (phase, Some(piece.chunk), message))
}

/// Whether boxes lie in the host's memory and the device's.
fn check_copies(copies: &[BoxCopy], host: usize, out: Option<()>) -> Result<(), Problem> {
    let side = |copy: &BoxCopy| if out.is_some() { copy.end_of(&copy.to) } else { copy.end_of(&copy.from) };
    match copies.iter().find(|copy| side(copy).is_none_or(|end| end > host)) {
        None => Ok(()),
        Some(copy) => {
            Err((Phase::Exchange, None, format!("a copy reaches past the {host} bytes that are there: {copy:?}")))
        }
    }
}

impl Partials {
    /// Where the results of a piece go.
    fn address(&self, piece: usize) -> u64 {
        let first = self.pieces.get(piece).map_or(0, |(_, results)| results.start);
        self.device.buffer.address + (first * self.reduction.element.bytes()) as u64
    }

    fn groups(&self) -> usize {
        self.pieces.last().map_or(0, |(_, results)| results.end)
    }

    /// The result of each piece; those of groups in their order, where they are not combined yet.
    fn combined(&self) -> SmallVec<[(IterRange, Scalar); 3]> {
        let size = self.reduction.element.bytes();
        let told = if self.combine.is_some() { self.pieces.len() } else { self.groups() };
        // SAFETY: the copy into page-locked memory is done, and of this length.
        let all = unsafe { std::slice::from_raw_parts(self.host.buffer.start.as_ptr().cast_const(), told * size) };
        let combine = |(index, (chunk, groups)): (usize, &(IterRange, Range<usize>))| {
            let results = if self.combine.is_some() { index..index + 1 } else { groups.clone() };
            let parts = all[results.start * size..results.end * size].chunks_exact(size);
            let parts = parts.map(|bytes| Scalar::from_bytes(self.reduction.element, bytes));
            (*chunk, parts.fold(self.reduction.identity(), |a, b| self.reduction.combine(a, b)))
        };
        self.pieces.iter().enumerate().map(combine).collect()
    }
}

impl Resident for CudaDevice {
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, DeviceError> {
        let _restore = Restore::new();
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        match pools.device.take(&self.gpu, bytes) {
            Ok(memory) => {
                self.residence.numbers += 1;
                self.residence.buffers.insert(self.residence.numbers, memory);
                Ok(BufferId(self.residence.numbers))
            }
            Err(problem) => Err(self.resident_error((Phase::Init, None, problem.to_string()))),
        }
    }

    fn release(&mut self, buffer: BufferId) {
        let _restore = Restore::new();
        let Some(memory) = self.residence.buffers.remove(&buffer.0) else { return };
        // Whatever failed: nothing runs on a lost device any more.
        let quiet = self.quiet().is_ok();
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if quiet {
            pools.device.give(memory);
        } else {
            pools.device.free(memory);
        }
    }

    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<(), DeviceError> {
        let _restore = Restore::new();
        let written = self.quiet().map_err(at(Phase::To)).and_then(|()| {
            check_copies(copies, host.len(), None)?;
            check_copies(copies, self.held(buffer), Some(()))?;
            let to = End::Device(&self.gpu, self.address(buffer)?);
            self.copy_all(&self.streams.to, Phase::To, copies, to, End::Host(host.as_ptr().cast_mut()))
        });
        written.map_err(|problem| self.resident_error(problem))
    }

    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<(), DeviceError> {
        let _restore = Restore::new();
        let stream = &self.streams.from;
        let ready = self.gpu.bind().and_then(|()| match &self.residence.last {
            Some(last) => stream.wait_for(last),
            None => Ok(()),
        });
        let read = ready.map_err(at(Phase::From)).and_then(|()| {
            check_copies(copies, host.len(), Some(()))?;
            check_copies(copies, self.held(buffer), None)?;
            let from = End::Device(&self.gpu, self.address(buffer)?);
            self.copy_all(stream, Phase::From, copies, End::Host(host.as_mut_ptr()), from)
        });
        read.map_err(|problem| self.resident_error(problem))
    }

    fn outlet(&mut self, buffer: BufferId) -> Option<Outlet> {
        let address = self.address(buffer).ok()?;
        let source = Source { gpu: Arc::clone(&self.gpu), address, ready: self.residence.last.clone() };
        Some(Outlet(Arc::new(source)))
    }

    fn reaches(&self, outlet: &Outlet) -> bool {
        let source = outlet.0.downcast_ref::<Source>();
        source.is_some_and(|source| Arc::ptr_eq(&source.gpu, &self.gpu) || self.gpu.pulls_from(&source.gpu))
    }

    fn pulled(&mut self, by: &Pulled) {
        if let Ok(event) = Arc::clone(&by.0).downcast::<Event>() {
            self.residence.pulled.push(event);
        }
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError> {
        let _restore = Restore::new();
        let marks = self.gpu.bind().and_then(|()| match self.residence.spare.pop() {
            Some(marks) => Ok(marks),
            None => Marks::new(&self.gpu),
        });
        let marks = marks.map_err(|error| self.resident_error(at(Phase::Init)(error)))?;
        let mut partials = None;
        if let Err(problem) = self.enqueue(launch, &marks, &mut partials) {
            // Some of it may be under way, with memory that the caller has.
            let _ = self.quiet();
            self.free(partials);
            return Err(self.resident_error(problem));
        }
        self.residence.numbers += 1;
        let id = self.residence.numbers;
        let direct = launch.incoming.iter().any(|coming| matches!(coming, Incoming::Direct { .. }));
        let pulled = direct.then(|| Pulled(Arc::clone(&marks.came) as Arc<_>));
        self.residence.last = Some(Arc::clone(&marks.end));
        let timed = launch.timed.then(|| launch.timed_iterations());
        let exchanges = !launch.incoming.is_empty();
        self.residence.flights.insert(id, Flight { marks, timed, exchanges, partials });
        Ok((LaunchId(id), pulled))
    }

    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError> {
        let _restore = Restore::new();
        let Some(flight) = self.residence.flights.remove(&launch.0) else { return Ok(Landed::default()) };
        let Flight { marks, timed, exchanges, partials } = flight;
        let last = if partials.is_some() { &marks.told } else { &*marks.end };
        let waited = self.gpu.bind().and_then(|()| last.synchronize());
        let mut landed = Landed { iterations: timed.unwrap_or(0), ..Landed::default() };
        let between = |[from, to]: &[Event; 2]| {
            to.nanoseconds_since(from).map_or(Seconds::ZERO, |nanoseconds| Seconds(nanoseconds as f64 * 1e-9))
        };
        let arrived = waited.is_ok();
        if arrived && timed.is_some() {
            landed.kernel = between(&marks.times.run);
            if exchanges {
                landed.exchange = between(&marks.times.incoming);
            }
        }
        if arrived {
            landed.partials = partials.as_ref().map(Partials::combined).unwrap_or_default();
        }
        if let Err(error) = waited {
            // It may be under way still.
            let _ = self.quiet();
            self.free(partials);
            return Err(self.resident_error(at(Phase::Kernel)(error)));
        }
        if let Some(Partials { device, host, .. }) = partials {
            let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            pools.device.give(device);
            pools.pinned.give(host);
        }
        self.recycle(marks);
        Ok(landed)
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        let _restore = Restore::new();
        self.quiet().map_err(|error| self.resident_error(at(Phase::Kernel)(error)))
    }
}

impl CudaDevice {
    /// Waits for all that was asked for, here and of this device by others.
    fn quiet(&mut self) -> Result<(), CudaError> {
        let mut waited = self.gpu.bind();
        let side = self.residence.streams.iter().flat_map(|side| [&side.incoming, &side.waiting]);
        let streams = side.chain([&self.streams.to, &self.streams.run, &self.streams.from]);
        for stream in streams {
            waited = waited.and(ended(stream));
        }
        for event in self.residence.pulled.drain(..) {
            // On another GPU, whose failures are its own.
            let _ = event.synchronize();
        }
        waited
    }

    /// Copies boxes on a stream, and waits for it.
    fn copy_all(
        &self,
        stream: &Stream,
        phase: Phase,
        copies: &[BoxCopy],
        to: End<'_>,
        from: End<'_>,
    ) -> Result<(), Problem> {
        self.gpu.bind().map_err(at(phase))?;
        // SAFETY: the boxes lie in the host's memory (`check_copies`), which is borrowed until the stream is waited for below,
        // and in the buffer, which is held.
        let copied = copies.iter().try_for_each(|copy| unsafe { stream.copy_box(to, from, copy) });
        let waited = ended(stream);
        copied.and(waited).map_err(at(phase))
    }
}

/// Waits for a stream that may use the host's memory. Once more where that fails: a lost GPU runs nothing any more, and says so
/// at once, but another failure might leave a copy under way.
fn ended(stream: &Stream) -> Result<(), CudaError> {
    stream.synchronize().inspect_err(|_| {
        let _ = stream.synchronize();
    })
}

/// What a library call is given.
struct Given<'g> {
    device: &'g CudaDevice,
    work: &'g Work<'g>,
    stream: &'g Stream,
    chunk: IterRange,
    arrays: &'g [Option<DeviceArray>],
}

impl CudaCall for Given<'_> {
    fn chunk(&self) -> IterRange {
        self.chunk
    }

    fn stream(&self) -> *mut c_void {
        self.stream.raw().cast()
    }

    fn array(&self, argument: usize) -> Option<DeviceArray> {
        self.arrays.get(argument).copied().flatten()
    }

    fn gemm(&self, product: Gemm) -> Result<(), String> {
        let (element, arrays) = gemm_arrays(self.work.arguments, self.arrays, product)?;
        gemm(&self.device.blas, &self.device.gpu, self.stream, product, element, arrays)
    }
}
