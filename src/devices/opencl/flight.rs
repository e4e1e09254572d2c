//! A chunk in flight: copied in, run, copied out.
#![allow(unsafe_code, reason = "lends sections of host arrays to the device")]

use super::commands::Command;
use super::memory::{DeviceBuffer, NoBuffer};
use super::objects::{Buffer, Context};
use super::session::{Core, Place, Problem};
use super::status::ClError;
use crate::data::{ArrayMap, HostMemory, SpanMut};
use crate::devices::clock::Lane;
use crate::devices::outside::{Outside, Over, REPORT, Witness};
use crate::devices::pool::Allocator;
use crate::devices::section::{byte_range, called};
use crate::devices::{Completed, Span, body};
use crate::element::Scalar;
use crate::error::Phase;
use crate::kernel::{Argument, Reduction};
use crate::space::IterRange;
use opencl3::error_codes::CL_MEM_OBJECT_ALLOCATION_FAILURE;
use std::time::{Duration, Instant};

/// The device buffers of a chunk in flight: one per argument that needs one, then the reduction's, then the report's.
pub type Slot = Vec<Option<DeviceBuffer>>;

/// A buffer over host memory.
struct HostBuffer {
    buffer: Buffer,
    bytes: usize,
    written: bool,
}

/// A chunk that is submitted and not yet complete. Drop it only after its commands are done.
pub struct Flight<'s> {
    pub chunk: IterRange,
    submitted: Instant,
    fills: Vec<Command>,
    to: Vec<Command>,
    run: Option<Command>,
    /// Whether it is the kernel's first run on the device in such groups and such a grid.
    first_run: bool,
    had_no_room: bool,
    from: Vec<Command>,
    bytes_to: u64,
    bytes_from: u64,
    // Declared before the spans that they are over, so dropped before them.
    host_buffers: Vec<HostBuffer>,
    slot: Slot,
    /// One partial result per group, on the host.
    partials: Vec<u8>,
    /// The kernel's report of an access outside of its sections, on the host; empty where the kernel writes none.
    report: Vec<u64>,
    /// Arguments to which the iterations contribute as a whole, with their spans.
    contributes: Vec<(usize, usize)>,
    /// Host memory that the device writes. Pointers into the spans are taken once they are in this list; the memory that they point
    /// to stays in place until the list is dropped.
    spans: Vec<SpanMut<'s>>,
}

fn at(phase: Phase) -> impl Fn(ClError) -> Problem {
    move |error| (phase, error.to_string())
}

/// The number of groups of a grid.
///
/// # Errors
/// That it has more work-items than a kernel can count.
pub fn groups_of(global: [usize; 3], group: [usize; 3]) -> Result<usize, String> {
    let items = global.iter().try_fold(1usize, |items, &size| items.checked_mul(size));
    match items.filter(|&items| i64::try_from(items).is_ok()) {
        Some(_) => Ok(global.iter().zip(group).map(|(size, group)| size / group).product()),
        None => Err(format!(
            "a grid of {} x {} x {} work-items is more than a kernel can count: let the variant's grid give fewer",
            global[0], global[1], global[2]
        )),
    }
}

/// The buffer that is passed to the kernel for a section.
enum Passed {
    Slot,
    Host(usize),
}

impl<'s> Flight<'s> {
    pub fn new(chunk: IterRange, mut slot: Slot, arguments: usize) -> Self {
        slot.resize_with(arguments + 2, || None);
        Self {
            chunk,
            submitted: Instant::now(),
            fills: Vec::new(),
            to: Vec::new(),
            run: None,
            first_run: false,
            had_no_room: false,
            from: Vec::new(),
            bytes_to: 0,
            bytes_from: 0,
            host_buffers: Vec::new(),
            slot,
            partials: Vec::new(),
            report: Vec::new(),
            contributes: Vec::new(),
            spans: Vec::with_capacity(arguments),
        }
    }

    /// The chunk's commands, in the order in which they depend on one another.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.fills.iter().chain(&self.to).chain(&self.run).chain(&self.from)
    }

    /// Once its commands are done: whether rows of the host's arrays may have changed.
    pub fn wrote_host(&self, shared: bool) -> bool {
        // In shared memory the kernel may have changed them, even if it failed. In discrete memory only copies back do. They do not
        // start if the kernel failed; a copy that itself failed may be incomplete.
        let may = |run: &Command| shared || (!self.from.is_empty() && run.failed().is_none());
        !self.spans.is_empty() && self.run.as_ref().is_some_and(may)
    }

    /// After an error of [`Flight::enqueue`]: whether memory was lacking. Nothing that writes the host's arrays was then enqueued.
    pub fn had_no_room(&self) -> bool {
        self.had_no_room
    }

    /// The chunk's device buffers, for the next chunk.
    pub fn into_slot(self) -> Slot {
        self.slot
    }

    /// Enqueues the whole chunk.
    pub fn enqueue(&mut self, core: &mut Core<'s>) -> Result<(), Problem> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let (Ok(lo), Ok(hi)) = (i64::try_from(self.chunk.start), i64::try_from(self.chunk.end)) else {
            return Err((Phase::Kernel, "iterations beyond the range of `long`".to_owned()));
        };
        // The kernel author's code may panic, so it runs before anything is lent or enqueued.
        let grid = core.source.grid_on(core.device.cpu);
        let (global, group) = (grid.global(self.chunk.len() as usize), grid.group);
        let groups = groups_of(global, group).map_err(|why| (Phase::Kernel, why))?;

        let set = |result: Result<(), ClError>| result.map_err(at(Phase::Kernel));
        let mut index = 0;
        for value in [lo, hi] {
            set(core.device.programs.kernel(core.kernel).object.set_long(index, value))?;
            index += 1;
        }
        let mut results: Vec<(usize, usize)> = Vec::new();
        for (position, argument) in core.work.arguments.iter().enumerate() {
            let passed = match argument {
                Argument::Array(map) if matches!(core.places[position], Place::Sections) => {
                    Some(self.section(core, position, map, &mut results)?)
                }
                _ => None,
            };
            let kernel = &mut core.device.programs.kernel(core.kernel).object;
            let all = argument.array().map_or(0, |map| map.len);
            let (buffer, first, elements) = match (&core.places[position], passed) {
                (Place::Scalar(scalar), _) => {
                    set(kernel.set_scalar(index, *scalar))?;
                    index += 1;
                    continue;
                }
                (Place::Copied(memory), _) => (Some(&memory.buffer), 0, all),
                (Place::Host(buffer), _) => (Some(buffer), argument.array().map_or(0, |map| map.first_element(0)), all),
                (Place::Sections, Some((Passed::Host(i), first, elements))) => {
                    (self.host_buffers.get(i).map(|h| &h.buffer), first, elements)
                }
                (Place::Sections, Some((Passed::Slot, first, elements))) => {
                    (self.slot[position].as_ref().map(|memory| &memory.buffer), first, elements)
                }
                (Place::Sections, None) => (None, 0, 0),
            };
            let Some(buffer) = buffer else {
                return Err((Phase::Kernel, format!("argument {position} has no memory on the device")));
            };
            set(kernel.set_buffer(index, buffer))?;
            set(kernel.set_long(index + 1, first))?;
            index += 2;
            if core.source.checks.counts(position) {
                set(kernel.set_long(index, elements as i64))?;
                index += 1;
            }
        }
        if let Some(reduction) = core.work.reduction {
            let bytes = groups.checked_mul(reduction.element.bytes());
            let bytes = bytes.ok_or_else(|| (Phase::Kernel, format!("{groups} groups are more than fit in memory")))?;
            self.device_buffer(core, core.work.arguments.len(), bytes, "the reduction's partial results")?;
            if let Some(Some(memory)) = self.slot.get_mut(core.work.arguments.len()) {
                set(core.device.programs.kernel(core.kernel).object.set_buffer(index, &memory.buffer))?;
                if core.work.poison {
                    self.fills.push(core.device.queues.run.poison(&mut memory.buffer, bytes).map_err(at(Phase::To))?);
                }
            }
            self.partials = vec![0; bytes];
            index += 1;
        }
        if core.source.checks.reports {
            let position = core.work.arguments.len() + 1;
            self.device_buffer(core, position, REPORT, "the report of accesses outside of arrays")?;
            if let Some(memory) = self.slot[position].as_mut() {
                set(core.device.programs.kernel(core.kernel).object.set_buffer(index, &memory.buffer))?;
                // All ones: no access is reported.
                self.fills.push(core.device.queues.run.poison(&mut memory.buffer, REPORT).map_err(at(Phase::To))?);
            }
            self.report = vec![Outside::NOTHING];
        }

        let queues = &core.device.queues;
        if !self.to.is_empty() {
            // Without a flush, commands of other queues might wait for ever.
            queues.to.flush().map_err(at(Phase::To))?;
        }
        self.first_run = core.device.programs.is_first_run(core.kernel, global, group);
        let kernel = &core.device.programs.kernel(core.kernel).object;
        // SAFETY:
        // - every parameter was set above, to one of: a value; a buffer of this chunk's slot or of host memory that it
        //   holds until it is complete; a buffer of the session, which waits for all chunks before it goes;
        // - number and types of the parameters were compared with what is bound (`parameters::check`);
        // - the kernel's author answers for it staying within its sections (the documented convention).
        // Copies in are on one in-order queue, so waiting for the last of them is enough.
        let run = unsafe { queues.run.run(kernel, global, group, self.to.last()) };
        let run = self.enqueued(Phase::Kernel, run)?;
        let run = self.run.insert(run);
        queues.run.flush().map_err(at(Phase::Kernel))?;

        for (position, span) in results {
            let (Some(memory), span) = (&self.slot[position], &mut self.spans[span]) else { continue };
            // SAFETY: the span is this chunk's alone until it is dropped, after the command is done; it lies in the list.
            let read = unsafe { queues.from.read(&memory.buffer, span.as_mut_ptr(), span.len(), run) };
            self.bytes_from += span.len() as u64;
            self.from.push(read.map_err(at(Phase::From))?);
        }
        if let Some(memory) = self.slot[core.work.arguments.len()].as_ref().filter(|_| !self.partials.is_empty()) {
            let (host, len) = (self.partials.as_mut_ptr(), self.partials.len());
            // SAFETY: the partials are on the heap, and neither moved nor read before the command is done.
            let read = unsafe { queues.from.read(&memory.buffer, host, len, run) };
            self.from.push(read.map_err(at(Phase::From))?);
        }
        if let Some(memory) = self.slot[core.work.arguments.len() + 1].as_ref().filter(|_| !self.report.is_empty()) {
            let host = self.report.as_mut_ptr().cast();
            // SAFETY: as above.
            let read = unsafe { queues.from.read(&memory.buffer, host, REPORT, run) };
            self.from.push(read.map_err(at(Phase::From))?);
        }
        if !self.from.is_empty() {
            queues.from.flush().map_err(at(Phase::From))?;
        }
        Ok(())
    }

    /// Lends a section of an array and starts its copy in. Gives its place on the device, the index of its first element, and its
    /// number of elements. If it is to be copied back, it is added to `results` (argument, span).
    fn section(
        &mut self,
        core: &mut Core<'s>,
        position: usize,
        map: &'s ArrayMap<'s>,
        results: &mut Vec<(usize, usize)>,
    ) -> Result<(Passed, i64, usize), Problem> {
        let what = called(position, map);
        let section = map.section(self.chunk, &core.work.shape);
        // Halo rows are only needed from arrays that the loop does not write.
        let rows = if map.direction.writes() { section.owned } else { section.needed };
        let range = byte_range(map, &rows)
            .ok_or_else(|| (Phase::To, format!("{what}: its rows {}..{} are beyond memory", rows.start, rows.end)))?;
        let (first, elements) = (map.first_element(rows.start), range.len() / map.element.bytes());
        let in_place = core.device.shared && !range.is_empty();
        let poison = core.work.poison && map.direction.writes() && !map.direction.copies_in();
        let outside = || (Phase::To, format!("{what}: rows {}..{} reach past its end", rows.start, rows.end));

        let copy =
            body::contribution(core.work, position, &range).map_err(|why| (Phase::To, format!("{what}: {why}")))?;
        let (host, writable) = match &map.memory {
            _ if copy.is_some() => {
                self.contributes.push((position, self.spans.len()));
                self.spans.extend(copy);
                let Some(copy) = self.spans.last_mut() else { return Err(outside()) };
                (copy.as_mut_ptr(), true)
            }
            HostMemory::Read(bytes) => (bytes.get(range.clone()).ok_or_else(outside)?.as_ptr().cast_mut(), false),
            HostMemory::Write(array) => {
                let span = array.lend(range.clone()).map_err(|taken| (Phase::To, format!("{what}: {taken}")))?;
                self.spans.push(span);
                let Some(span) = self.spans.last_mut() else { return Err(outside()) };
                if in_place && poison {
                    span.fill(0xff);
                }
                (span.as_mut_ptr(), true)
            }
            HostMemory::Scratch => {
                self.device_buffer(core, position, range.len(), &what)?;
                return self.fresh(core, position, range.len(), poison).map(|()| (Passed::Slot, first, elements));
            }
        };
        if in_place {
            if range.len() as u64 > core.device.pool.max_alloc() {
                let most = core.device.pool.max_alloc();
                return Err(self.no_buffer(&what, &NoBuffer::TooLarge { wanted: range.len(), most }));
            }
            // SAFETY: the bytes are either borrowed for reading for the session and read-only to the kernel, or a span of
            // this chunk alone; neither goes before this buffer, which goes after the chunk's commands are done.
            let buffer = unsafe { core.device.context.host_buffer(host, range.len(), !writable) };
            let buffer = buffer.map_err(|error| self.no_buffer(&what, &NoBuffer::Driver(error)))?;
            self.host_buffers.push(HostBuffer { buffer, bytes: range.len(), written: map.direction.copies_out() });
            return Ok((Passed::Host(self.host_buffers.len() - 1), first, elements));
        }
        self.device_buffer(core, position, range.len(), &what)?;
        self.fresh(core, position, range.len(), poison)?;
        if let Some(memory) = self.slot[position].as_mut().filter(|_| !range.is_empty()) {
            if map.direction.copies_in() {
                // SAFETY: as for the buffer over host memory: the bytes are borrowed, or this chunk's alone, until after
                // the command is done.
                let copy = unsafe { core.device.queues.to.write(&mut memory.buffer, host, range.len()) };
                let copy = self.enqueued(Phase::To, copy)?;
                self.to.push(copy);
                self.bytes_to += range.len() as u64;
            }
            if map.direction.copies_out() && writable {
                results.push((position, self.spans.len() - 1));
            }
        }
        Ok((Passed::Slot, first, elements))
    }

    /// Poisons a buffer into which nothing is copied, where that is asked for.
    fn fresh(&mut self, core: &Core<'_>, position: usize, bytes: usize, poison: bool) -> Result<(), Problem> {
        if let Some(memory) = self.slot[position].as_mut().filter(|_| poison && bytes > 0) {
            // On the kernel's own in-order queue, hence before the kernel.
            self.fills.push(core.device.queues.run.poison(&mut memory.buffer, bytes).map_err(at(Phase::To))?);
        }
        Ok(())
    }

    /// Makes the slot's buffer at least as large as `bytes`, and if possible as large as any section of the argument so far.
    fn device_buffer(&mut self, core: &mut Core<'_>, position: usize, bytes: usize, what: &str) -> Result<(), Problem> {
        let device = &mut *core.device;
        let fitted = device.pool.fit(&device.context, &mut self.slot[position], bytes, core.largest[position]);
        fitted.map_err(|problem| self.no_buffer(what, &problem))?;
        core.largest[position] = bytes.max(core.largest[position]);
        Ok(())
    }

    fn no_buffer(&mut self, what: &str, problem: &NoBuffer) -> Problem {
        self.had_no_room = problem.is_no_room(Context::out_of_memory);
        let advice = problem.advice(self.chunk.len());
        (Phase::To, format!("{what}: {problem}{advice}"))
    }

    /// An enqueued command. Some drivers give a buffer its memory only when it is first used.
    fn enqueued(&mut self, phase: Phase, command: Result<Command, ClError>) -> Result<Command, Problem> {
        command.map_err(|error| {
            self.had_no_room = error.code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
            (phase, error.to_string())
        })
    }

    /// Waits for the chunk, and gives its times and its part of the reduction.
    pub fn collect(&mut self, core: &mut Core<'s>) -> Result<Completed, Problem> {
        let Some(run) = &self.run else {
            let partial = core.work.reduction.map(Reduction::identity);
            return Ok(Completed { partial, ..Completed::default() });
        };
        let waited = self.from.last().unwrap_or(run).wait();
        let phases = [(Phase::To, &self.fills), (Phase::To, &self.to)];
        let commands = phases
            .into_iter()
            .flat_map(|(phase, commands)| commands.iter().map(move |command| (phase, command)))
            .chain([(Phase::Kernel, run)])
            .chain(self.from.iter().map(|command| (Phase::From, command)));
        for (phase, command) in commands {
            if let Some(error) = command.failed() {
                return Err((phase, error.to_string()));
            }
        }
        waited.map_err(at(Phase::From))?;
        for host in self.host_buffers.iter().filter(|host| host.written) {
            // On the queue for copies in, which is idle in shared memory. On the other queues this would wait for later chunks.
            core.device.queues.to.make_visible(&host.buffer, host.bytes).map_err(at(Phase::From))?;
        }

        let completed = Instant::now();
        // The results have arrived: where the driver tells no times, only those are lost.
        let [to, kernel, from] = self.spans(core, run, completed).unwrap_or_else(|_| {
            let kernel = Span::between(core.work.epoch, self.submitted.max(core.seen), completed);
            [None, Some(kernel), None]
        });
        core.seen = completed;
        let partial = core.work.reduction.map(|reduction| self.combined(reduction));
        let (bytes_to, bytes_from) = (self.bytes_to, self.bytes_from);
        let witness = || Witness::of(core.work.kernel, core.work.arguments, Over::Arrays);
        let outside = self.report.first().and_then(|report| Outside::of(*report));
        let outside = outside.map(|outside| witness().error(outside, &core.device.name, Some(self.chunk)));
        let taken = |&(position, span): &(usize, usize)| Some((position, self.spans.get_mut(span)?.take_own()?));
        let contributed = self.contributes.iter().filter_map(taken).collect();
        Ok(Completed { to, kernel, from, bytes_to, bytes_from, partial, contributed, outside, ..Completed::default() })
    }

    /// When the chunk's phases were.
    fn spans(&self, core: &mut Core<'s>, run: &Command, completed: Instant) -> Result<[Option<Span>; 3], ClError> {
        for command in self.commands() {
            let [queued, _, end] = command.times()?;
            core.clock.observe(command.before, command.after, queued, Some((end, completed)));
        }
        let [queued, start, end] = run.times()?;
        let before = std::mem::replace(&mut core.last_run, end);
        if self.first_run {
            // PoCL compiles a kernel for its groups' size only when it is to run: all that it could have begun earlier. Earlier
            // chunks run before it.
            let mut ready = queued.max(before);
            for before in self.fills.iter().chain(&self.to) {
                ready = ready.max(before.times()?[2]);
            }
            let compiled = Duration::from_nanos(start.saturating_sub(ready));
            core.compiled += compiled;
            core.device.programs.compiled_for(compiled);
        }
        let submitted = self.submitted;
        let mut span = |lane, first: Option<&Command>, last: Option<&Command>| -> Result<Option<Span>, ClError> {
            let (Some(first), Some(last)) = (first, last) else { return Ok(None) };
            let ([_, start, _], [_, _, end]) = (first.times()?, last.times()?);
            Ok(Some(core.clock.span(lane, [start, end], submitted, completed)))
        };
        let to = span(Lane::To, self.to.first(), self.to.last())?;
        let kernel = span(Lane::Kernel, Some(run), Some(run))?;
        let from = span(Lane::From, self.from.first(), self.from.last())?;
        // In shared memory only partial results are copied, which are not array bytes.
        Ok([to, kernel, if core.device.shared { None } else { from }])
    }

    /// Combines the groups' partial results in the order of the groups, so that the result does not depend on timing.
    fn combined(&self, reduction: Reduction) -> Scalar {
        reduction.fold(&self.partials)
    }
}
