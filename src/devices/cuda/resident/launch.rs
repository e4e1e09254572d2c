//! A launch in a data region: its copies and pieces, and their order.
#![allow(unsafe_code, reason = "copies between devices, runs kernels")]

use super::late::Addresses;
use super::partials::{Partials, is_empty};
use super::{Marks, Problem, Pull, Residence, Source, Times, address, at, check_copies, ended};
use crate::data::Distribution;
use crate::devices::Work;
use crate::devices::cuda::CudaDevice;
use crate::devices::cuda::boxes::{self, End, Gather};
use crate::devices::cuda::bulk::Bulk;
use crate::devices::cuda::combine::Folding;
use crate::devices::cuda::driver::{PinnedMemory, Stream};
use crate::devices::cuda::flight::{bits, gemm_arrays};
use crate::devices::cuda::grid::blocks;
use crate::devices::cuda::locking::hold_range;
use crate::devices::cuda::memory::Kept;
use crate::devices::cuda::program::{Loader, Target, can_compile};
use crate::devices::cuda::status::CudaError;
use crate::devices::resident::{Incoming, Launch, Piece};
use crate::error::Phase;
use crate::kernel::{Argument, CudaCall, DeviceArray, Gemm, Grid, Kernel, LibraryCall};
use crate::space::IterRange;
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The pieces of a launch, with what their kernels need.
struct Pieces<'p> {
    launch: &'p Launch<'p>,
    target: Option<&'p Target<'p>>,
    partials: Option<&'p Partials>,
    /// Scalars that the kernel takes by address.
    late: &'p Addresses,
    /// The report's address.
    report: Option<u64>,
}

impl CudaDevice {
    /// Enqueues copies from devices, on the side stream (`beside`) or on the stream of kernels.
    fn bring(&mut self, launch: &Launch<'_>, marks: &Marks, beside: bool) -> Result<(), Problem> {
        let exchange = at(Phase::Exchange);
        let short = |coming: &Incoming<'_>| match coming {
            Incoming::Direct { copies, .. } | Incoming::Local { copies, .. } => boxes::by_kernel(copies),
            Incoming::Host { .. } => false,
        };
        // Without NVRTC the driver does all copies.
        if self.residence.gather.is_none() && launch.incoming.iter().any(short) && can_compile() {
            let kept = Kept { pools: &self.pools, blas: &self.blas };
            let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
            let kernel = boxes::kernel(&mut self.programs, loader);
            self.residence.gather = Some(kernel.map_err(|message| (Phase::Exchange, None, message))?);
        }
        if beside && self.residence.side.is_none() {
            self.residence.side = Some(Stream::urgent(&self.gpu).map_err(&exchange)?);
        }
        let Residence { side, run_seen, side_seen, last, gather, buffers, .. } = &mut self.residence;
        let (stream, seen) = match side {
            Some(side) if beside => (&*side, side_seen),
            _ => (&self.streams.run, run_seen),
        };
        if let Some(last) = last.as_ref().filter(|_| beside) {
            seen.wait(stream, last).map_err(&exchange)?;
        }
        if let Some(times) = marks.times.as_ref().filter(|_| launch.how.timed) {
            times.incoming[0].record(stream).map_err(&exchange)?;
        }
        let mut together = Gather::default();
        for coming in launch.incoming {
            let (to, gpu, from, copies) = match coming {
                Incoming::Direct { to, from, copies } => {
                    let Some(source) = from.0.downcast_ref::<Source>() else { continue };
                    if let Some(ready) = &source.ready {
                        seen.wait(stream, ready).map_err(&exchange)?;
                    }
                    (address(buffers, *to)?, &source.gpu, source.address, copies)
                }
                Incoming::Local { to, from, copies } => {
                    (address(buffers, *to)?, &self.gpu, address(buffers, *from)?, copies)
                }
                Incoming::Host { .. } => continue,
            };
            let by_kernel = gather.filter(|_| boxes::by_kernel(copies));
            for copy in copies.iter() {
                // SAFETY: the box lies in both buffers, which were made for these copies and are held until everything enqueued is
                // done: `release` waits for the streams, and for the events of devices that copy from the buffer. Device memory is
                // aligned to 256 bytes; a GPU that copies from another reaches its memory.
                let copied = unsafe {
                    match by_kernel {
                        Some(kernel) => together.add(kernel, stream, to, from, copy),
                        None => stream.copy_box(End::Device(&self.gpu, to), End::Device(gpu, from), copy),
                    }
                };
                copied.map_err(&exchange)?;
            }
        }
        if let Some(kernel) = gather {
            // SAFETY: as above.
            unsafe { together.flush(*kernel, stream) }.map_err(&exchange)?;
        }
        Ok(())
    }

    /// Copies in from host memory, and waits until that memory is no longer needed.
    fn import(&self, incoming: &[Incoming<'_>], stream: &Stream) -> Result<(), Problem> {
        // Others' locks on this memory stay until the copies are done.
        let (mut any, mut held) = (false, Vec::new());
        for coming in incoming {
            let Incoming::Host { to, from, copies } = coming else { continue };
            any = true;
            check_copies(copies, from.len(), None)?;
            held.push(hold_range(from));
            let (address, host) = (self.address(*to)?, from.as_ptr().cast_mut());
            let to = End::Device(&self.gpu, address);
            // SAFETY: the boxes lie in the host's bytes, which are borrowed until the stream is waited for below, and in the
            // buffer.
            let copied = copies.iter().try_for_each(|copy| unsafe { stream.copy_box(to, End::Host(host), copy) });
            if let Err(error) = copied {
                ended(stream).map_err(at(Phase::Exchange))?;
                if !error.refuses_arguments() {
                    return Err(at(Phase::Exchange)(error));
                }
                // As in `copy_all`.
                // SAFETY: as above; the stream has waited for everything.
                let copied = unsafe { self.copy_bulk(Bulk::In, copies, host, address, None) };
                copied.map_err(|why| (Phase::Exchange, None, why))?;
            }
        }
        if any { ended(stream).map_err(at(Phase::Exchange)) } else { Ok(()) }
    }

    /// Enqueues a launch. Tells whether its copies have a mark of their own; otherwise they are done at the end. After an error,
    /// or a panic, parts of the launch may be under way and use the partial results.
    pub(super) fn enqueue(
        &mut self,
        launch: &Launch<'_>,
        marks: &Marks,
        partials: &mut Option<Partials>,
        report: &mut Option<PinnedMemory>,
    ) -> std::thread::Result<Result<bool, Problem>> {
        // Cells that others copy from are about to change, unless the launch writes only ghosts.
        let pulled = if launch.how.ghosts { SmallVec::new() } else { std::mem::take(&mut self.residence.pulled) };
        // The kernel author's code may panic.
        let enqueued = catch_unwind(AssertUnwindSafe(|| self.enqueue_after(&pulled, launch, marks, partials, report)));
        if !matches!(enqueued, Ok(Ok(_))) {
            // The streams may not have waited for these copies yet, and `release` must.
            self.residence.pulled.extend(pulled);
        }
        enqueued
    }

    fn enqueue_after(
        &mut self,
        pulled: &[Pull],
        launch: &Launch<'_>,
        marks: &Marks,
        partials: &mut Option<Partials>,
        report: &mut Option<PinnedMemory>,
    ) -> Result<bool, Problem> {
        let target = self.target(launch)?;
        *report = self.room_for_report(target.as_ref())?;
        let address = report.as_ref().and_then(PinnedMemory::device_address);
        *partials = self.room_for_partials(launch, target.as_ref())?;
        let exchanges = !launch.incoming.is_empty();
        let beside = exchanges && launch.pieces.iter().any(|piece| !piece.waits);
        // Where the host waits for the launch, no device goes on before its end, so the copies need no mark.
        let marked = beside || (exchanges && !launch.how.ghosts && !launch.how.awaited);
        // Pieces that are apart write no cells of which others have ghosts, but copies of whole arrays read any.
        for pull in pulled.iter().filter(|pull| pull.whole || !(beside && launch.how.apart)) {
            self.residence.run_seen.wait(&self.streams.run, &pull.done).map_err(at(Phase::Kernel))?;
        }
        let times = marks.times.as_ref().filter(|_| launch.how.timed);
        let late = self.make_scalars(launch.late, beside)?;
        let made = match partials.as_mut().filter(|partials| partials.folded()) {
            Some(Partials { scalar: Some(of), place, .. }) => {
                let (number, address) = self.place()?;
                *place = address;
                Some((*of, number))
            }
            _ => None,
        };
        if exchanges {
            self.bring(launch, marks, beside)?;
        }
        let all = Pieces { launch, target: target.as_ref(), partials: partials.as_ref(), late: &late, report: address };
        // After a failure this stays empty: waiting twice for a point does no harm.
        let mut side_seen = std::mem::take(&mut self.residence.side_seen);
        let run = &self.streams.run;
        let side = if beside { self.residence.side.as_ref().unwrap_or(run) } else { run };
        if beside {
            self.start_all(&all, false, run, times)?;
        }
        if exchanges {
            self.import(launch.incoming, side)?;
            if let Some(times) = times {
                times.incoming[1].record(side).map_err(at(Phase::Exchange))?;
            }
            if marked && !beside {
                marks.came.record(side).map_err(at(Phase::Exchange))?;
            }
        }
        if beside {
            for pull in pulled {
                side_seen.wait(side, &pull.done).map_err(at(Phase::Kernel))?;
            }
            self.start_all(&all, true, side, None)?;
            // This mark also serves the devices that were copied from: the waiting pieces are short.
            marks.came.record(side).map_err(at(Phase::Kernel))?;
            run.wait_for(&marks.came).map_err(at(Phase::Kernel))?;
            self.residence.run_seen.join(&side_seen);
        } else {
            let waits = launch.all_wait();
            self.start_all(&all, waits, run, times)?;
        }
        self.residence.side_seen = side_seen;
        let run = &self.streams.run;
        // Where devices take the results next, these go ahead of everything else, and need no mark of their own.
        let at_once = launch.how.tells_at_once();
        if let Some(partials) = partials.as_ref().filter(|_| at_once) {
            self.tell(partials, run)?;
        }
        if let Some((of, place)) = made {
            self.is_made(of, place);
        } else if let Some((partials, of)) = partials.as_ref().and_then(|partials| Some((partials, partials.scalar?))) {
            self.make_scalar_at_end(partials, of)?;
        }
        let run = &self.streams.run;
        marks.end.record(run).map_err(at(Phase::Kernel))?;
        if let Some(partials) = partials.as_ref().filter(|partials| !at_once && !partials.told_at_end()) {
            let from = &self.streams.from;
            from.wait_for(&marks.end).map_err(at(Phase::From))?;
            self.tell(partials, from)?;
            marks.told.record(from).map_err(at(Phase::From))?;
        }
        Ok(marked)
    }

    /// Starts either the pieces that wait or those that do not.
    fn start_all(&self, all: &Pieces<'_>, waits: bool, stream: &Stream, times: Option<&Times>) -> Result<(), Problem> {
        let mark = |which: usize| times.map_or(Ok(()), |times| times.run[which].record(stream));
        mark(0).map_err(at(Phase::Kernel))?;
        for (index, piece) in all.launch.pieces.iter().enumerate().filter(|(_, piece)| piece.waits == waits) {
            self.start(all, piece, stream, index)?;
        }
        mark(1).map_err(at(Phase::Kernel))
    }

    /// An empty report, if the kernel writes reports.
    fn room_for_report(&mut self, target: Option<&Target<'_>>) -> Result<Option<PinnedMemory>, Problem> {
        if !target.is_some_and(|target| target.checks().reports) {
            return Ok(None);
        }
        let pools = self.pools.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let report = pools.report(&self.gpu).map_err(at(Phase::Init))?;
        report.say_nothing();
        Ok(Some(report))
    }

    /// The code to run, if there is any.
    fn target<'v>(&mut self, launch: &Launch<'v>) -> Result<Option<Target<'v>>, Problem> {
        let Some(work) = launch.work else { return Ok(None) };
        let fail = |message: String| (Phase::Init, None, message);
        let variant = work.kernel.cuda_variant();
        let variant = variant.ok_or_else(|| fail(format!("kernel `{}` has no CUDA variant", work.kernel.name())))?;
        let two_dimensional = launch.two_dimensional();
        let kept = Kept { pools: &self.pools, blas: &self.blas };
        let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
        let target = self.programs.get(loader, variant, work.arguments, work.reduction, two_dimensional, launch.late);
        target.map(Some).map_err(fail)
    }

    /// Starts the kernel on a piece.
    fn start(&self, all: &Pieces<'_>, piece: &Piece, stream: &Stream, index: usize) -> Result<(), Problem> {
        if is_empty(piece) {
            return Ok(());
        }
        let (Some(target), Some(work)) = (all.target, all.launch.work) else { return Ok(()) };
        let fail = |message: String| (Phase::Kernel, Some(piece.chunk), message);
        let driver = |error: CudaError| fail(error.to_string());
        match target {
            Target::Kernel { function, grid, checks } => {
                let (size, _) = grid_of(work.kernel, grid, piece)?;
                let mut values: SmallVec<[u64; 24]> = smallvec![piece.chunk.start, piece.chunk.end];
                if let Some(columns) = piece.columns {
                    values.extend([columns.start, columns.end]);
                }
                for (position, (argument, stored)) in work.arguments.iter().zip(&piece.stored).enumerate() {
                    match (argument, stored) {
                        (Argument::Scalar(scalar), _) => {
                            let late = all.late.iter().find(|(argument, _)| *argument == position);
                            values.push(late.map_or_else(|| bits(*scalar), |(_, address)| *address));
                        }
                        (Argument::Array(_), Some(stored)) => {
                            let address = self.address(stored.buffer)?;
                            values.push(address);
                            values.push(stored.first_element().cast_unsigned());
                            if checks.counts(position) {
                                values.push(stored.elements as u64);
                            }
                            if piece.columns.is_some() {
                                values.push(stored.pitch as u64);
                            }
                        }
                        (Argument::Array(_), None) => {
                            return Err(fail("an array of the loop is not on the device".to_owned()));
                        }
                    }
                }
                values.extend(all.partials.map(|partials| partials.address(index)));
                values.extend(all.report.filter(|_| checks.reports));
                let parameters = values.len() + usize::from(all.partials.is_some() && checks.folds);
                let beside = stream.raw() != self.streams.run.raw();
                let folding = all.partials.filter(|_| checks.folds).map(|partials| partials.folding(index, beside));
                values.extend(folding.into_iter().flat_map(Folding::words));
                let start = values.as_mut_ptr();
                let mut pointers: SmallVec<[*mut c_void; 24]> =
                    (0..parameters).map(|at| start.wrapping_add(at).cast()).collect();
                // SAFETY:
                // - number and sizes of the parameters were compared with what is bound (`Programs::get`); each points to 8
                //   bytes, of which the kernel's parameter takes the first (little-endian), the last to a `Folding`;
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
                    // The rows of the piece, or the whole of a replicated array.
                    let (skipped, len) = match map.distribution {
                        Distribution::Align { .. } | Distribution::RowsAt => {
                            let rows = map.rows_of();
                            let first =
                                rows.before(piece.chunk.start).wrapping_add(map.shift).cast_signed() + map.first_row;
                            let skipped = (first - stored.first_row).max(0) as usize * stored.pitch;
                            (skipped, rows.count(piece.chunk) as usize * stored.pitch)
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
        let given = Given { device: self, work, stream, chunk: piece.chunk, arrays: &arrays };
        self.gpu.after_library(call.enqueue(&given))
    }
}

/// The blocks of a piece, by dimension and in total.
pub(super) fn grid_of(kernel: &Kernel, grid: &Grid, piece: &Piece) -> Result<([u32; 3], usize), Problem> {
    let columns = piece.columns.map_or(1, |columns| columns.len() as usize);
    blocks(kernel, grid, piece.chunk.len() as usize, columns)
        .map_err(|(phase, message)| (phase, Some(piece.chunk), message))
}

/// The context of a library call.
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
        let CudaDevice { blas, gpu, pools, .. } = self.device;
        blas.gemm((gpu, self.stream), pools, product, element, arrays)
    }
}
