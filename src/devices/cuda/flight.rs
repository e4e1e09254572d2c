//! A chunk in flight: copied in, run, copied out.
#![allow(unsafe_code, reason = "lends sections of host arrays to the device")]

use super::blas::Handles;
use super::combine::{self, Folding};
use super::copy::copy_past_caches;
use super::driver::{Event, Gpu, PinnedBy, PinnedMemory, Stream, Timed};
use super::grid::blocks;
use super::memory::{DeviceBuffer, NoBuffer, PinnedBuffer, Pools};
use super::program::Target;
use super::session::{Core, Place, Problem};
use super::status::CudaError;
use crate::data::{ArrayMap, HostMemory, SpanMut};
use crate::devices::clock::{Clock, Lane};
use crate::devices::outside::{Outside, Over, Witness};
use crate::devices::section::{byte_range, called};
use crate::devices::{Completed, Span, Work, body};
use crate::element::{ElementType, Scalar};
use crate::error::Phase;
use crate::kernel::{Argument, Checks, CudaCall, DeviceArray, Gemm, Reduction};
use crate::space::IterRange;
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Bytes of the flag that tells that a copy back has begun; only four of them are used.
pub const FLAG_BYTES: usize = 16;

/// The ends of a chunk's phases: with a time for some chunks, and in any case for streams and the host to wait for. A phase begins
/// when both the phase before it and the previous chunk's same phase have ended.
pub struct Marks {
    timed: Ends,
    /// The same without times, which cost the GPU and the driver more than everything else about a mark.
    plain: Ends,
}

struct Ends {
    to: Event,
    run: Event,
    from: Event,
}

impl Ends {
    fn new(gpu: &Arc<Gpu>, timed: Timed) -> Result<Self, CudaError> {
        let mark = || Event::new(gpu, timed);
        Ok(Self { to: mark()?, run: mark()?, from: mark()? })
    }
}

impl Marks {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, CudaError> {
        Ok(Self { timed: Ends::new(gpu, Timed::Yes)?, plain: Ends::new(gpu, Timed::No)? })
    }

    fn ends(&self, timed: bool) -> &Ends {
        if timed { &self.timed } else { &self.plain }
    }
}

/// What a chunk in flight owns: buffers by argument, with the reduction's last, and marks.
#[derive(Default)]
pub struct Slot {
    pub device: Vec<Option<DeviceBuffer>>,
    /// Page-locked memory through which sections of plain arrays are copied.
    pub pinned: Vec<Option<PinnedBuffer>>,
    pub marks: Option<Marks>,
    /// Page-locked memory that is zero until the copy back into the host's own arrays begins.
    pub begun: Option<PinnedBuffer>,
    /// Where the kernel reports an access outside of its sections.
    pub report: Option<PinnedMemory>,
}

/// The streams that a chunk uses.
#[derive(Clone, Copy)]
pub struct Route<'d> {
    pub to: &'d Stream,
    pub run: &'d Stream,
    pub from: &'d Stream,
    /// Whether the ends of the phases are timed.
    pub timed: bool,
}

impl<'d> Route<'d> {
    /// All phases on one stream.
    pub fn single(stream: &'d Stream, timed: bool) -> Self {
        Self { to: stream, run: stream, from: stream, timed }
    }

    /// Whether all phases use one stream. They then follow one another at once, so fewer marks are needed.
    fn is_single(&self) -> bool {
        self.to.raw() == self.run.raw()
    }
}

/// Where a kernel writes the groups' results of a reduction.
#[derive(Clone, Copy)]
struct Partials {
    address: u64,
    /// Directly in host memory, so that nothing is copied.
    in_place: bool,
}

/// A result to copy from page-locked memory to the host's array.
struct Drain {
    position: usize,
    span: usize,
}

/// A chunk that is submitted and not yet complete. Drop it only after its streams are done with it.
pub struct Flight<'s> {
    pub chunk: IterRange,
    submitted: Instant,
    slot: Slot,
    /// When the host began to copy sections in.
    began: Option<Instant>,
    copied_in: bool,
    timed: bool,
    one_stream: bool,
    /// When the kernel was started.
    launched: Option<Instant>,
    copied_out: bool,
    /// Whether a copy into the host's own arrays was to be enqueued.
    wrote_host: bool,
    /// Whether device memory for a buffer was lacking.
    had_no_room: bool,
    section_bytes: usize,
    bytes_to: u64,
    bytes_from: u64,
    groups: usize,
    drains: Vec<Drain>,
    /// Arguments to which the iterations contribute as a whole, with their spans.
    contributes: Vec<Drain>,
    /// Host memory that is written. Pointers into the spans are taken once they are in this list; the memory that they point to
    /// stays in place until the list is dropped.
    spans: Vec<SpanMut<'s>>,
}

fn at(phase: Phase) -> impl Fn(CudaError) -> Problem {
    move |error| (phase, error.to_string())
}

impl<'s> Flight<'s> {
    pub fn new(chunk: IterRange, mut slot: Slot, arguments: usize) -> Self {
        slot.device.resize_with(arguments + 1, || None);
        slot.pinned.resize_with(arguments + 1, || None);
        Self {
            chunk,
            submitted: Instant::now(),
            slot,
            began: None,
            copied_in: false,
            timed: true,
            one_stream: false,
            launched: None,
            copied_out: false,
            wrote_host: false,
            had_no_room: false,
            section_bytes: 0,
            bytes_to: 0,
            bytes_from: 0,
            groups: 0,
            drains: Vec::new(),
            contributes: Vec::new(),
            spans: Vec::with_capacity(arguments),
        }
    }

    /// After a failure, once the streams are idle: whether rows of the host's arrays may have changed.
    pub fn wrote_host(&self) -> bool {
        // SAFETY: the buffer has at least 16 bytes, and what the device writes there it has written.
        let begun = self.slot.begun.as_ref().map(|memory| unsafe { memory.buffer.start.cast::<u32>().read_volatile() });
        self.wrote_host && begun != Some(0)
    }

    /// Makes the device report in host memory that the copy back begins. The report comes first in the stream, so if it did not
    /// arrive, the copy did not begin. CUDA itself does not tell.
    fn tell_begun(&self, core: &Core<'s>, route: Route<'_>) -> Result<(), Problem> {
        let (Some(flag), Some(begun)) = (&core.flag, &self.slot.begun) else { return Ok(()) };
        let start = begun.buffer.start;
        // SAFETY: the buffer is this chunk's alone and at least as long, and aligned to a page; nothing writes there yet.
        unsafe { start.cast::<u32>().write_volatile(0) };
        // SAFETY: as above; the flag is the session's.
        unsafe { route.from.copy_out(start.as_ptr(), flag.buffer.address, 4) }.map_err(at(Phase::From))
    }

    /// After a failure: whether device memory was lacking. Its kernel was then not enqueued: buffers come first.
    pub fn had_no_room(&self) -> bool {
        self.had_no_room
    }

    /// Bytes of the chunk's sections.
    pub fn section_bytes(&self) -> usize {
        self.section_bytes
    }

    /// The chunk's buffers, for the next chunk.
    pub fn into_slot(self) -> Slot {
        self.slot
    }

    /// Enqueues the whole chunk. The GPU's context must be current.
    pub fn enqueue(&mut self, core: &Core<'s>, route: Route<'_>) -> Result<(), Problem> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let (Ok(lo), Ok(hi)) = (i64::try_from(self.chunk.start), i64::try_from(self.chunk.end)) else {
            return Err((Phase::Kernel, "iterations beyond the range of `long`".to_owned()));
        };
        // The kernel author's code may panic, so it runs before anything is lent or enqueued.
        let shape = match &core.target {
            Target::Kernel { grid, .. } => Some(blocks(core.work.kernel, grid, self.chunk.len() as usize, 1)?),
            Target::Call(_) => None,
        };
        let checks = core.target.checks();
        if self.slot.marks.is_none() {
            self.slot.marks = Some(core.marks().map_err(at(Phase::To))?);
        }
        core.injected(Phase::To)?;
        let mut arrays: SmallVec<[Option<DeviceArray>; 8]> = SmallVec::with_capacity(core.work.arguments.len());
        let mut direct: Vec<Drain> = Vec::new();
        for (position, argument) in core.work.arguments.iter().enumerate() {
            arrays.push(match (argument, &core.places[position]) {
                (Argument::Array(map), Place::Sections { locked }) => {
                    Some(self.section(core, route, position, map, *locked, &mut direct)?)
                }
                (Argument::Array(map), Place::Copied(memory)) => {
                    Some(DeviceArray { address: memory.buffer.address, first: 0, len: map.len })
                }
                _ => None,
            });
        }
        let partials = self.partials(core, route, shape.map_or(1, |(_, groups)| groups))?;
        if !direct.is_empty() && core.flag.is_some() && self.slot.begun.is_none() {
            let taken = core.pools().pinned.take(&PinnedBy(core.gpu), FLAG_BYTES);
            self.slot.begun = Some(taken.map_err(|problem| (Phase::To, problem.to_string()))?);
        }
        let report = self.report(core, checks)?;
        let ends = self.slot.marks.as_ref().map(|marks| marks.ends(route.timed));
        self.timed = route.timed;
        self.one_stream = route.is_single();
        // On a single stream, marks that nobody reads are left out.
        let marked = route.timed || !route.is_single();
        if let Some(ends) = ends.filter(|_| self.copied_in && marked) {
            ends.to.record(route.to).map_err(at(Phase::To))?;
            if !route.is_single() {
                route.run.wait_for(&ends.to).map_err(at(Phase::Kernel))?;
            }
        }

        core.injected(Phase::Kernel)?;
        let launched = Instant::now();
        match &core.target {
            Target::Kernel { function, grid, .. } => {
                let Some((size, _)) = shape else { return Ok(()) };
                let mut values: SmallVec<[u64; 16]> = smallvec![lo.cast_unsigned(), hi.cast_unsigned()];
                for (position, (argument, array)) in core.work.arguments.iter().zip(&arrays).enumerate() {
                    match (argument, array) {
                        (Argument::Scalar(scalar), _) => values.push(bits(*scalar)),
                        (_, Some(array)) => {
                            values.extend([array.address, array.first]);
                            values.extend(checks.counts(position).then_some(array.len as u64));
                        }
                        _ => return Err((Phase::Kernel, "an argument has no memory on the device".to_owned())),
                    }
                }
                values.extend(partials.map(|partials| partials.address));
                values.extend(report);
                // The host combines the groups' results.
                let folding = partials.filter(|_| checks.folds).map(|_| Folding::default());
                let parameters = values.len() + usize::from(folding.is_some());
                values.extend(folding.into_iter().flat_map(Folding::words));
                let start = values.as_mut_ptr();
                let mut pointers: SmallVec<[*mut c_void; 16]> =
                    (0..parameters).map(|at| start.wrapping_add(at).cast()).collect();
                // SAFETY:
                // - number and sizes of the parameters were compared with what is bound (`program::check_parameters`);
                //   each points to 8 bytes, of which the kernel's parameter takes the first (little-endian), the last to a
                //   `Folding`;
                // - device memory is held by this chunk's slot or by the session until the streams are done;
                // - the kernel's author answers for it staying within its sections (the documented convention).
                unsafe { route.run.launch(*function, size, grid.group.map(|g| g as u32), &mut pointers) }
                    .map_err(at(Phase::Kernel))?;
            }
            Target::Call(call) => {
                let Core { blas, gpu, pools, work, .. } = *core;
                let (arguments, chunk) = (work.arguments, self.chunk);
                let given = Given { blas, gpu, pools, arguments, stream: route.run, chunk, arrays: &arrays };
                gpu.after_library(call.enqueue(&given)).map_err(|message| (Phase::Kernel, message))?;
            }
        }
        self.launched = Some(launched);
        let copied_partials = partials.is_some_and(|partials| !partials.in_place);
        let nothing_out = direct.is_empty() && self.drains.is_empty() && !copied_partials;
        if let Some(ends) = ends.filter(|_| marked || nothing_out) {
            ends.run.record(route.run).map_err(at(Phase::Kernel))?;
        }

        core.injected(Phase::From)?;
        let Some(ends) = ends.filter(|_| !nothing_out) else { return Ok(()) };
        if !route.is_single() {
            route.from.wait_for(&ends.run).map_err(at(Phase::From))?;
        }
        if !direct.is_empty() {
            self.tell_begun(core, route)?;
            self.wrote_host = true;
        }
        for (Drain { position, span }, direct) in
            direct.iter().map(|drain| (drain, true)).chain(self.drains.iter().map(|drain| (drain, false)))
        {
            let (Some(memory), Some(span)) = (&self.slot.device[*position], self.spans.get_mut(*span)) else {
                continue;
            };
            let host = if direct { Some(span.as_mut_ptr()) } else { pinned_start(&self.slot, *position) };
            let Some(host) = host else { continue };
            // SAFETY: the host's bytes are this chunk's alone until it is dropped, after the streams are done: a span in
            // its list, or page-locked memory of its slot that is at least as long.
            unsafe { route.from.copy_out(host, memory.buffer.address, span.len()) }.map_err(at(Phase::From))?;
            self.bytes_from += span.len() as u64;
        }
        if let (true, Some(reduction), Some(memory), Some(host)) =
            (copied_partials, core.work.reduction, self.slot.device.last().and_then(Option::as_ref), self.last_pinned())
        {
            let bytes = self.groups * reduction.element.bytes();
            // SAFETY: as above; both have room for the groups' results.
            unsafe { route.from.copy_out(host, memory.buffer.address, bytes) }.map_err(at(Phase::From))?;
        }
        ends.from.record(route.from).map_err(at(Phase::From))?;
        self.copied_out = true;
        Ok(())
    }

    /// Prepares an empty report and gives its address, if the kernel writes reports.
    fn report(&mut self, core: &Core<'s>, checks: Checks) -> Result<Option<u64>, Problem> {
        if !checks.reports {
            return Ok(None);
        }
        let report = match self.slot.report.take() {
            Some(report) => report,
            None => core.pools().report(core.gpu).map_err(at(Phase::Kernel))?,
        };
        report.say_nothing();
        let address = self.slot.report.insert(report).device_address();
        address.map(Some).ok_or_else(|| (Phase::Kernel, "a report lies where the GPU does not reach it".to_owned()))
    }

    fn last_pinned(&self) -> Option<*mut u8> {
        pinned_start(&self.slot, self.slot.pinned.len().checked_sub(1)?)
    }

    /// Makes room for the groups' results.
    fn partials(&mut self, core: &Core<'s>, route: Route<'_>, groups: usize) -> Result<Option<Partials>, Problem> {
        let Some(reduction) = core.work.reduction else { return Ok(None) };
        let bytes = groups.checked_mul(reduction.element.bytes());
        let bytes = bytes.ok_or_else(|| (Phase::Kernel, format!("{groups} groups are more than fit in memory")))?;
        let (position, what) = (core.work.arguments.len(), || "the reduction's partial results".to_owned());
        self.pinned_buffer(core, position, bytes, &what)?;
        self.groups = groups;
        let host = self.slot.pinned[position].as_ref();
        let in_place = host.and_then(|host| combine::in_place(groups, &host.buffer));
        let address = match in_place {
            Some(address) => address,
            None => {
                self.device_buffer(core, position, bytes, &what)?;
                let Some(memory) = self.slot.device[position].as_ref() else { return Ok(None) };
                memory.buffer.address
            }
        };
        if core.work.poison {
            match self.last_pinned().filter(|_| in_place.is_some()) {
                // SAFETY: the buffer is this chunk's and has room; the kernel is not started yet.
                Some(host) => unsafe { host.write_bytes(0xff, bytes) },
                // SAFETY: the buffer is this chunk's.
                None => unsafe { route.run.poison(address, bytes) }.map_err(at(Phase::To))?,
            }
        }
        Ok(Some(Partials { address, in_place: in_place.is_some() }))
    }

    /// Lends a section of an array, starts its copy in, and gives its place on the device. If it is to be copied back, it is added
    /// to `direct` or to `self.drains`.
    fn section(
        &mut self,
        core: &Core<'s>,
        route: Route<'_>,
        position: usize,
        map: &'s ArrayMap<'s>,
        locked: bool,
        direct: &mut Vec<Drain>,
    ) -> Result<DeviceArray, Problem> {
        let what = || called(position, map);
        let rows = rows_of(map, self.chunk, core.work);
        let range = byte_range(map, &rows).ok_or_else(|| {
            (Phase::To, format!("{}: its rows {}..{} are beyond memory", what(), rows.start, rows.end))
        })?;
        let outside = || (Phase::To, format!("{}: rows {}..{} reach past its end", what(), rows.start, rows.end));
        let len = range.len();
        self.section_bytes += len;
        let poison = core.work.poison && map.direction.writes() && !map.direction.copies_in() && len > 0;

        self.device_buffer(core, position, len, &what)?;
        let Some(address) = self.slot.device[position].as_ref().map(|memory| memory.buffer.address) else {
            return Err(outside());
        };
        if poison {
            // SAFETY: the buffer is this chunk's.
            unsafe { route.run.poison(address, len) }.map_err(at(Phase::To))?;
        }
        let host: Option<*const u8> = match &map.memory {
            HostMemory::Read(bytes) => Some(bytes.get(range.clone()).ok_or_else(outside)?.as_ptr()),
            HostMemory::Write(array) => {
                let copy = body::contribution(core.work, position, &range)
                    .map_err(|why| (Phase::To, format!("{}: {why}", what())))?;
                let span = match copy {
                    Some(copy) => {
                        self.contributes.push(Drain { position, span: self.spans.len() });
                        copy
                    }
                    None => array.lend(range.clone()).map_err(|taken| (Phase::To, format!("{}: {taken}", what())))?,
                };
                self.spans.push(span);
                if len > 0 && map.direction.copies_out() {
                    let drain = Drain { position, span: self.spans.len() - 1 };
                    if locked {
                        direct.push(drain);
                    } else {
                        self.pinned_buffer(core, position, len, &what)?;
                        self.drains.push(drain);
                    }
                }
                self.spans.last_mut().map(|span| span.as_mut_ptr().cast_const())
            }
            HostMemory::Scratch => None,
        };
        if let Some(mut host) = host.filter(|_| map.direction.copies_in() && len > 0) {
            self.began.get_or_insert_with(Instant::now);
            if !locked {
                self.pinned_buffer(core, position, len, &what)?;
                let Some(pinned) = pinned_start(&self.slot, position) else { return Err(outside()) };
                // SAFETY: the section is borrowed or lent to this chunk; the page-locked buffer is the chunk's own, long enough,
                // and does not overlap the section.
                unsafe { std::ptr::copy_nonoverlapping(host, pinned, len) };
                host = pinned;
            }
            self.copied_in = true;
            // SAFETY: the bytes are borrowed for the session, or this chunk's alone, until the streams are done.
            unsafe { route.to.copy_in(address, host, len) }.map_err(at(Phase::To))?;
            self.bytes_to += len as u64;
        }
        let first = map.first_element(rows.start).cast_unsigned();
        Ok(DeviceArray { address, first, len: len / map.element.bytes() })
    }

    fn device_buffer(
        &mut self,
        core: &Core<'_>,
        position: usize,
        bytes: usize,
        what: &dyn Fn() -> String,
    ) -> Result<(), Problem> {
        let mut pools = core.pools();
        let largest = pools.largest.get(position).copied().unwrap_or(0);
        let fitted = pools.device.fit(&core.memory(), &mut self.slot.device[position], bytes, largest);
        if let Err(problem) = fitted {
            self.had_no_room = problem.is_no_room(|error| error.out_of_memory());
            if self.had_no_room && matches!(problem, NoBuffer::Driver(_)) {
                core.note_refusal(&mut pools);
            }
            return Err(self.no_buffer(what, &problem));
        }
        if let Some(largest) = pools.largest.get_mut(position) {
            *largest = bytes.max(*largest);
        }
        Ok(())
    }

    fn pinned_buffer(
        &mut self,
        core: &Core<'_>,
        position: usize,
        bytes: usize,
        what: &dyn Fn() -> String,
    ) -> Result<(), Problem> {
        let fitted = core.pools().pinned.fit(&PinnedBy(core.gpu), &mut self.slot.pinned[position], bytes, bytes);
        fitted.map_err(|problem| {
            // Shorter pieces need less of it, and what idle slots hold may do.
            if matches!(&problem, NoBuffer::Driver(error) if error.out_of_memory()) {
                self.had_no_room = true;
                core.refused.store(true, Ordering::Relaxed);
            }
            (Phase::To, format!("{}: there is no page-locked host memory to copy it through: {problem}", what()))
        })
    }

    fn no_buffer(&self, what: &dyn Fn() -> String, problem: &NoBuffer) -> Problem {
        (Phase::To, format!("{}: {problem}{}", what(), problem.advice(self.chunk.len())))
    }

    /// Waits for the chunk, and gives its times and its part of the reduction.
    pub fn collect(&mut self, core: &Core<'s>, clock: &mut Clock) -> Result<Completed, Problem> {
        let partial = core.work.reduction.map(Reduction::identity);
        let Some(launched) = self.launched else { return Ok(Completed { partial, ..Completed::default() }) };
        let Some(marks) = &self.slot.marks else { return Err((Phase::Kernel, "it has no marks".to_owned())) };
        let last = if self.copied_out { &marks.ends(self.timed).from } else { &marks.ends(self.timed).run };
        // First: what came from a GPU that is lost while this one's kernel runs has arrived all the same.
        core.sources_came().map_err(|error| (Phase::To, format!("a copy from another GPU failed: {error}")))?;
        // CUDA does not say which of the three phases failed; a copy hardly ever does.
        last.synchronize().map_err(at(Phase::Kernel))?;
        let arrived = Instant::now();
        for Drain { position, span } in &self.drains {
            let (Some(pinned), Some(span)) = (pinned_start(&self.slot, *position), self.spans.get_mut(*span)) else {
                continue;
            };
            // SAFETY: the copy into page-locked memory is done, and of the span's length.
            let from = unsafe { std::slice::from_raw_parts(pinned.cast_const(), span.len()) };
            // Sections of short chunks that were copied in are still in the caches, and so are those of short loops. Long chunks
            // fill the lanes' memory; theirs are not.
            let long = core.work.piece_bytes.is_some_and(|bytes| 2 * self.section_bytes as u64 >= bytes);
            match core.work.arguments[*position].array() {
                Some(map) if map.direction.copies_in() && (!long || core.short) => span.copy_from_slice(from),
                _ => copy_past_caches(span, from),
            }
        }
        let completed = if self.drains.is_empty() { arrived } else { Instant::now() };
        // No phase begins before the host's calls; the clock also moves it behind the phase before and the chunk before.
        let began = self.began.unwrap_or(launched);
        // The results have arrived: if the clock fails, only exact times are lost.
        let time = |event: &Event| event.nanoseconds_since(&core.base).ok();
        let Ends { to, run, from } = &marks.timed;
        let phases = [(self.copied_in, to), (true, run), (self.bytes_from > 0, from)];
        let measured = self.timed.then(|| phases.map(|(is, mark)| if is { time(mark) } else { None }));
        if let Some(ends) = &measured
            && let (Some(first), Some(last)) = (ends.iter().flatten().next(), ends.iter().flatten().next_back())
        {
            clock.ran(began, [*first, *last], arrived);
        }
        let mut since = clock.device(began);
        // Copies of replicated arrays came before all chunks on the stream of this chunk's copies in.
        let (before, came) = if self.one_stream {
            (core.replicated.as_deref(), &core.came[1])
        } else {
            (core.fetched.as_ref(), &core.came[0])
        };
        if let Some(before) = *came.get_or_init(|| before.and_then(time)) {
            since = since.max(before);
        }
        let n = self.chunk.len() as f64;
        let lanes = [Lane::To, Lane::Kernel, Lane::From];
        let needs = |lane: usize| (clock.paces[lane] * n) as u64;
        let ends: [Option<u64>; 3] = if let Some(ends) = measured {
            ends
        } else {
            // The latest ends, at the pace of earlier chunks: the last phase ends when the host saw it end.
            let mut left = clock.device(arrived);
            let mut ends = [None; 3];
            for (index, _) in phases.iter().enumerate().rev().filter(|(_, (is, _))| *is) {
                ends[index] = Some(left.max(since));
                left = left.saturating_sub(needs(index));
            }
            if self.one_stream {
                since = since.max(left);
            } else if let Some(last) = ends.iter().rposition(Option::is_some) {
                // Each phase starts when the previous chunk's phase has ended, so it may end before its latest possible end.
                let mut ready = since;
                for (index, end) in ends[..last].iter_mut().enumerate() {
                    if let Some(end) = end {
                        *end = (clock.free(lanes[index], ready) + needs(index)).min(*end);
                        ready = *end;
                    }
                }
            }
            ends
        };
        let (submitted, timed, one_stream) = (self.submitted, self.timed, self.one_stream);
        // A phase whose start was not measured says nothing about the pace.
        let exact = timed && (one_stream || clock.exact);
        clock.exact = timed;
        let mut paces = clock.paces;
        let mut span = |lane: Lane, end: Option<u64>| match end {
            Some(end) if timed => {
                let span = clock.span(lane, [since, end], submitted, arrived);
                let took = if one_stream { end.saturating_sub(since) as f64 } else { span.length().0 * 1e9 };
                // Nor does a phase that seems to take no time.
                if took > 0.0 && exact {
                    paces[lane as usize] = took / n;
                }
                since = end;
                span
            }
            Some(end) if one_stream => {
                let span = clock.estimate(lane, [since, end], submitted, arrived);
                since = end;
                span
            }
            Some(end) => {
                let began = end.saturating_sub((paces[lane as usize] * n) as u64).max(since);
                since = end;
                clock.span(lane, [began, end], submitted, arrived)
            }
            None => Span::between(core.work.epoch, submitted, arrived),
        };
        let [to, run, from] = ends;
        let to = self.copied_in.then(|| span(Lane::To, to));
        let kernel = span(Lane::Kernel, run);
        let mut from = (self.bytes_from > 0).then(|| span(Lane::From, from));
        clock.paces = paces;
        let kernel = Some(kernel);
        // The host's copy from page-locked memory is part of copying out.
        if let Some(from) = from.as_mut().filter(|_| !self.drains.is_empty()) {
            from.end = Span::between(core.work.epoch, completed, completed).end;
        }
        let report = self.slot.report.as_ref().filter(|_| core.target.checks().reports);
        let outside = report.and_then(|report| Outside::of(report.said()));
        let witness = || Witness::of(core.work.kernel, core.work.arguments, Over::Arrays);
        let outside = outside.map(|outside| witness().error(outside, core.name, Some(self.chunk)));
        let partial = core.work.reduction.map(|reduction| self.combined(reduction));
        let (bytes_to, bytes_from) = (self.bytes_to, self.bytes_from);
        let taken = |&Drain { position, span }: &Drain| Some((position, self.spans.get_mut(span)?.take_own()?));
        let contributed = self.contributes.iter().filter_map(taken).collect();
        Ok(Completed { to, kernel, from, bytes_to, bytes_from, partial, contributed, outside, ..Completed::default() })
    }

    /// Combines the groups' partial results in the order of the groups, so that the result does not depend on timing.
    fn combined(&self, reduction: Reduction) -> Scalar {
        let bytes = self.groups * reduction.element.bytes();
        // SAFETY: what writes to the page-locked memory is done; it has this length.
        let partials = self.last_pinned().map(|start| unsafe { std::slice::from_raw_parts(start.cast_const(), bytes) });
        reduction.fold(partials.unwrap_or_default())
    }
}

/// The rows of an array that a chunk has on the device. Halo rows are only needed from arrays that the loop does not write.
pub fn rows_of(map: &ArrayMap<'_>, chunk: IterRange, work: &Work<'_>) -> Range<u64> {
    let section = map.section(chunk, &work.shape);
    if map.direction.writes() { section.owned } else { section.needed }
}

fn pinned_start(slot: &Slot, position: usize) -> Option<*mut u8> {
    slot.pinned.get(position)?.as_ref().map(|memory| memory.buffer.start.as_ptr())
}

/// A scalar's bits, in the lowest bytes of 8.
pub fn bits(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::F32(value) => u64::from(value.to_bits()),
        Scalar::F64(value) => value.to_bits(),
        Scalar::I32(value) => u64::from(value.cast_unsigned()),
        Scalar::U32(value) => u64::from(value),
        Scalar::I64(value) => value.cast_unsigned(),
        Scalar::U64(value) => value,
        Scalar::I8(value) => u64::from(value.cast_unsigned()),
        Scalar::U8(value) => u64::from(value),
        Scalar::I16(value) => u64::from(value.cast_unsigned()),
        Scalar::U16(value) => u64::from(value),
    }
}

/// The context of a library call.
pub struct Given<'g, 'a> {
    pub blas: &'g Handles,
    pub gpu: &'g Arc<Gpu>,
    pub pools: &'g Mutex<Pools>,
    pub arguments: &'g [Argument<'a>],
    pub stream: &'g Stream,
    pub chunk: IterRange,
    pub arrays: &'g [Option<DeviceArray>],
}

impl CudaCall for Given<'_, '_> {
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
        let (element, arrays) = gemm_arrays(self.arguments, self.arrays, product)?;
        self.blas.gemm((self.gpu, self.stream), self.pools, product, element, arrays)
    }
}

/// The arrays of a matrix product, and their element type.
pub fn gemm_arrays(
    arguments: &[Argument<'_>],
    arrays: &[Option<DeviceArray>],
    product: Gemm,
) -> Result<(ElementType, [DeviceArray; 3]), String> {
    let mut elements = [product.a, product.b, product.c].map(|argument| {
        let map = arguments.get(argument).and_then(Argument::array);
        let array = arrays.get(argument).copied().flatten();
        map.zip(array).ok_or_else(|| format!("gemm: argument {argument} is no array"))
    });
    let mut take = |index: usize| std::mem::replace(&mut elements[index], Err(String::new()));
    let [(a, a_at), (b, b_at), (c, c_at)] = [take(0)?, take(1)?, take(2)?];
    if a.element != b.element || a.element != c.element {
        return Err(format!(
            "gemm: A is of {}, B of {}, C of {}: let them be the same",
            a.element, b.element, c.element
        ));
    }
    if !c.direction.writes() {
        return Err(format!("gemm: C (argument {}) is bound for reading only", product.c));
    }
    Ok((a.element, [a_at, b_at, c_at]))
}
