//! Arrays that stay in a device's memory: the launches and copies of a data region.
//!
//! Kernels run on the queue for kernels, in the order of the launches. A launch's copies in run on the queue for copies in: after
//! all earlier launches, and beside the iterations that do not wait for them. The iterations that wait come after the copies. So
//! the end of the queue for kernels comes after everything asked for.
//!
//! Ghost cells are copied into a buffer while kernels read its other cells. OpenCL does not define what one queue sees of a buffer
//! that another queue changes. This code relies on drivers writing only the bytes of a copy, as drivers do that keep a buffer in
//! one place.
#![allow(unsafe_code, reason = "copies to and from host memory, runs kernels")]

use super::OpenClDevice;
use super::commands::{Command, Queue};
use super::flight::groups_of;
use super::memory::DeviceBuffer;
use super::objects::Buffer;
use super::session::compiled;
use super::status::ClError;
use crate::data::layout::{BoxCopy, Strided};
use crate::devices::outside::{Outside, REPORT, Witness};
use crate::devices::pool::Allocator;
use crate::devices::resident::{BufferId, Incoming, Landed, Launch, LaunchId, NotAllocated, Piece, Pulled, Resident};
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, DeviceSource, Reduction};
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// What a device keeps for data regions.
#[derive(Default)]
pub struct Residence {
    buffers: HashMap<u64, DeviceBuffer>,
    numbers: u64,
    flights: HashMap<u64, Flight>,
}

/// A launch that is under way.
#[derive(Default)]
struct Flight {
    /// The iterations that the launch's time is for, where it is timed.
    timed: Option<u64>,
    /// Clear the pieces' reports.
    cleared: SmallVec<[Command; 1]>,
    ran: SmallVec<[Ran; 3]>,
    came: Vec<Command>,
    /// A barrier on the queue for kernels, which waits for the copies in.
    joined: Option<Command>,
    reduction: Option<Reduction>,
    /// What the error about an access outside of its arrays says.
    witness: Option<Witness>,
}

/// A piece that was started.
struct Ran {
    /// Its position in the launch.
    index: usize,
    chunk: IterRange,
    waits: bool,
    command: Command,
    /// The groups' partial results, and their size in bytes.
    partials: Option<(DeviceBuffer, usize)>,
    /// Where the kernel reports an access outside of its arrays.
    report: Option<DeviceBuffer>,
}

type Problem = (Phase, Option<IterRange>, String);

fn at(phase: Phase) -> impl Fn(ClError) -> Problem {
    move |error| (phase, None, error.to_string())
}

/// Checks that one side of each copy lies within `host` bytes.
fn in_host(copies: &[BoxCopy], side: fn(&BoxCopy) -> &Strided, host: usize) -> Result<(), String> {
    match copies.iter().find(|copy| copy.end_of(side(copy)).is_none_or(|end| end > host)) {
        None => Ok(()),
        Some(copy) => Err(format!("a copy reaches past the host's {host} bytes: {copy:?}")),
    }
}

impl Flight {
    fn commands(&self) -> impl Iterator<Item = (Phase, Option<IterRange>, &Command)> {
        let cleared = self.cleared.iter().map(|command| (Phase::Kernel, None, command));
        let came = self.came.iter().map(|command| (Phase::Exchange, None, command));
        let ran = self.ran.iter().map(|ran| (Phase::Kernel, Some(ran.chunk), &ran.command));
        cleared.chain(came).chain(ran).chain(self.joined.iter().map(|command| (Phase::Exchange, None, command)))
    }

    /// The first failure among the commands that have ended.
    fn failed(&self) -> Result<(), Problem> {
        let failed = |(phase, chunk, command): (_, _, &Command)| Some((phase, chunk, command.failed()?.to_string()));
        self.commands().find_map(failed).map_or(Ok(()), Err)
    }
}

impl OpenClDevice {
    fn resident_error(&self, (phase, chunk, message): Problem) -> DeviceError {
        DeviceError { device: self.name.clone(), phase, chunk, message }
    }

    /// Waits for everything asked for.
    fn quiet(&self) -> Result<(), ClError> {
        let mut finished = Ok(());
        for queue in self.queues.all() {
            finished = finished.and(queue.finish());
        }
        if finished.is_err() {
            // On a lost device each command ends with an error of its own.
            for (.., command) in self.residence.flights.values().flat_map(Flight::commands) {
                while command.running() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
        finished
    }

    /// Waits for all launches, and reports a failed one.
    fn settled(&self, phase: Phase) -> Result<(), Problem> {
        self.queues.run.finish().map_err(at(phase))?;
        self.residence.flights.values().try_for_each(Flight::failed)
    }

    /// Waits for a queue whose commands use the host's memory, and reports a failed command.
    fn ended(&self, queue: &Queue, commands: &[Command]) -> Result<(), ClError> {
        let finished = queue.finish();
        while finished.is_err() && commands.iter().any(Command::running) {
            std::thread::sleep(Duration::from_millis(1));
        }
        commands.iter().find_map(Command::failed).map_or(finished, Err)
    }

    fn held(&self, buffer: BufferId) -> Result<&DeviceBuffer, Problem> {
        let memory = self.residence.buffers.get(&buffer.0);
        memory.ok_or_else(|| (Phase::Init, None, format!("there is no buffer {} any more", buffer.0)))
    }

    /// Enqueues copies from host memory.
    ///
    /// # Safety
    /// The host's bytes are valid and unchanged until the commands are complete, including those enqueued before an error.
    unsafe fn import(
        &mut self,
        buffer: BufferId,
        copies: &[BoxCopy],
        host: &[u8],
        after: Option<&Command>,
        commands: &mut Vec<Command>,
    ) -> Result<(), Problem> {
        in_host(copies, |copy| &copy.from, host.len()).map_err(|why| (Phase::To, None, why))?;
        self.held(buffer)?;
        let Some(memory) = self.residence.buffers.get_mut(&buffer.0) else { return Ok(()) };
        for copy in copies.iter().filter(|copy| copy.bytes() > 0) {
            // SAFETY: the box lies in the host's bytes (`in_host`), for which the caller answers.
            let command = unsafe { self.queues.to.write_box(&mut memory.buffer, host.as_ptr(), copy, after) };
            commands.push(command.map_err(at(Phase::To))?);
        }
        Ok(())
    }

    /// Enqueues a launch. After an error parts of it may be under way.
    fn enqueue(&mut self, launch: &Launch<'_>, flight: &mut Flight) -> Result<(), Problem> {
        let kernel = match launch.work {
            Some(work) if !launch.pieces.is_empty() => {
                Some(compiled(self, work, launch.two_dimensional()).map_err(|why| (Phase::Init, None, why))?)
            }
            _ => None,
        };
        flight.timed = launch.how.timed.then(|| launch.timed_iterations());
        flight.reduction = launch.work.and_then(|work| work.reduction);
        let reports = kernel.is_some_and(|(source, _)| source.checks.reports);
        let over = launch.over();
        flight.witness = launch.work.filter(|_| reports).map(|work| Witness::of(work.kernel, work.arguments, over));
        let comes = !launch.incoming.is_empty();
        let before = if comes { Some(self.queues.run.marker().map_err(at(Phase::Exchange))?) } else { None };
        for (index, piece) in launch.pieces.iter().enumerate().filter(|(_, piece)| !piece.waits) {
            self.start(launch, kernel, index, piece, flight)?;
        }
        // The device runs these pieces while the rest is enqueued, and other queues may wait for them.
        self.queues.run.flush().map_err(at(Phase::Kernel))?;
        if comes {
            let brought = self.bring(launch.incoming, before.as_ref(), &mut flight.came);
            // Wait, because the host's memory is the caller's again when this returns.
            let from_host = launch.incoming.iter().any(|coming| matches!(coming, Incoming::Host { .. }));
            let waited = if from_host { self.ended(&self.queues.to, &flight.came) } else { self.queues.to.flush() };
            brought.and(waited.map_err(at(Phase::Exchange)))?;
            if let Some(last) = flight.came.last() {
                flight.joined = Some(self.queues.run.barrier(last).map_err(at(Phase::Exchange))?);
            }
        }
        for (index, piece) in launch.pieces.iter().enumerate().filter(|(_, piece)| piece.waits) {
            self.start(launch, kernel, index, piece, flight)?;
        }
        self.queues.run.flush().map_err(at(Phase::Kernel))
    }

    /// Enqueues the copies in.
    fn bring(
        &mut self,
        incoming: &[Incoming<'_>],
        before: Option<&Command>,
        came: &mut Vec<Command>,
    ) -> Result<(), Problem> {
        for coming in incoming {
            match coming {
                // SAFETY: the caller waits for the queue before the host's memory goes.
                Incoming::Host { to, from, copies } => unsafe { self.import(*to, copies, from, before, came) }?,
                Incoming::Local { to, from, copies } => {
                    let (source, target) = (self.held(*from)?, self.held(*to)?);
                    for copy in copies.iter().filter(|copy| copy.bytes() > 0) {
                        // The cells that are read are the device's own. The target is ghost cells or another buffer, so they do not
                        // overlap.
                        let command = self.queues.to.copy_box(&source.buffer, &target.buffer, copy, before);
                        came.push(command.map_err(at(Phase::Exchange))?);
                    }
                }
                Incoming::Direct { .. } => {
                    let why = "an OpenCL device copies from no other by itself";
                    return Err((Phase::Exchange, None, why.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Enqueues the kernel on a piece.
    fn start(
        &mut self,
        launch: &Launch<'_>,
        kernel: Option<(&DeviceSource, usize)>,
        index: usize,
        piece: &Piece,
        flight: &mut Flight,
    ) -> Result<(), Problem> {
        let (Some((source, kernel)), Some(work)) = (kernel, launch.work) else { return Ok(()) };
        let chunk = piece.chunk;
        if chunk.is_empty() || piece.columns.is_some_and(IterRange::is_empty) {
            return Ok(());
        }
        let fail = |message: String| (Phase::Kernel, Some(chunk), message);
        let driver = |error: ClError| fail(error.to_string());
        let columns = piece.columns.map_or(1, |columns| columns.len() as usize);
        let grid = source.grid_on(self.cpu);
        let (global, group) = (grid.global_of(chunk.len() as usize, columns), grid.group);
        let groups = groups_of(global, group).map_err(fail)?;

        let device = &mut *self;
        let object = &mut device.programs.kernel(kernel).object;
        let mut next = 0;
        let mut position = || {
            next += 1;
            next - 1
        };
        for bound in [Some(chunk), piece.columns].into_iter().flatten().flat_map(|range| [range.start, range.end]) {
            let bound = i64::try_from(bound).map_err(|_| fail("iterations beyond the range of `long`".to_owned()))?;
            object.set_long(position(), bound).map_err(driver)?;
        }
        for (number, (argument, stored)) in work.arguments.iter().zip(&piece.stored).enumerate() {
            match (argument, stored) {
                (Argument::Scalar(scalar), _) => object.set_scalar(position(), *scalar).map_err(driver)?,
                (Argument::Array(_), Some(stored)) => {
                    let memory = device.residence.buffers.get(&stored.buffer.0);
                    let memory = memory.ok_or_else(|| fail("an array's buffer is gone".to_owned()))?;
                    object.set_buffer(position(), &memory.buffer).map_err(driver)?;
                    object.set_long(position(), stored.first_element()).map_err(driver)?;
                    if source.checks.counts(number) {
                        object.set_long(position(), stored.elements as i64).map_err(driver)?;
                    }
                    if piece.columns.is_some() {
                        object.set_long(position(), stored.pitch as i64).map_err(driver)?;
                    }
                }
                (Argument::Array(_), None) => return Err(fail("an array of the loop is not on the device".to_owned())),
            }
        }
        let partials = match work.reduction {
            None => None,
            Some(reduction) => {
                let bytes = groups.checked_mul(reduction.element.bytes());
                let bytes = bytes.ok_or_else(|| fail("there are more groups than fit in memory".to_owned()))?;
                let set = |buffer: &mut Buffer| object.set_buffer(position(), buffer);
                let memory = device.pool.take_prepared(&device.context, bytes, set);
                let memory = memory.map_err(|problem| fail(format!("the reduction's partial results: {problem}")))?;
                Some((memory, bytes))
            }
        };
        let report = match Some(()).filter(|()| source.checks.reports) {
            None => None,
            Some(()) => {
                let (run, cleared) = (&device.queues.run, &mut flight.cleared);
                let clear = |buffer: &mut Buffer| {
                    object.set_buffer(position(), buffer)?;
                    // All ones: no access is reported.
                    cleared.push(run.poison(buffer, REPORT)?);
                    Ok(())
                };
                match device.pool.take_prepared(&device.context, REPORT, clear) {
                    Ok(memory) => Some(memory),
                    Err(why) => {
                        partials.into_iter().for_each(|(memory, _)| device.pool.give(memory));
                        return Err(fail(format!("the report of accesses outside of arrays: {why}")));
                    }
                }
            }
        };
        // SAFETY:
        // - every parameter was set above; number and types were compared with what is bound (`parameters::check`);
        // - buffers live until all commands are done: `release` waits, and partial results are kept in the flight;
        // - the kernel's author answers for it staying within its sections (the documented convention).
        match unsafe { device.queues.run.run(object, global, group, None) } {
            Ok(command) => {
                // Later loops outside of the region find it compiled.
                device.programs.is_first_run(kernel, global, group);
                flight.ran.push(Ran { index, chunk, waits: piece.waits, command, partials, report });
                Ok(())
            }
            Err(error) => {
                partials
                    .into_iter()
                    .map(|(memory, _)| memory)
                    .chain(report)
                    .for_each(|memory| device.pool.give(memory));
                Err(driver(error))
            }
        }
    }

    /// Waits for a launch, and gives its times and partial results.
    fn gather(&self, flight: &Flight) -> Result<Landed, Problem> {
        for (phase, chunk, command) in flight.commands() {
            let waited = command.wait();
            // The command's own failure tells more than the failed wait.
            let failed = command.failed().map_or(waited, Err);
            failed.map_err(|error| (phase, chunk, error.to_string()))?;
        }
        let mut landed = Landed::default();
        if let Some(iterations) = flight.timed {
            landed.iterations = iterations;
            let all_wait = flight.ran.iter().all(|ran| ran.waits);
            let counted = flight.ran.iter().filter(|ran| all_wait || !ran.waits);
            // Where the driver tells no times, the launch counts as one that was not timed.
            match (between(counted.map(|ran| &ran.command)), between(flight.came.iter())) {
                (Ok(kernel), Ok(exchange)) => (landed.kernel, landed.exchange) = (kernel, exchange),
                _ => landed.iterations = 0,
            }
        }
        for Ran { chunk, command, report, .. } in &flight.ran {
            let (Some(memory), Some(witness)) = (report, &flight.witness) else { continue };
            let mut report = vec![0u8; REPORT];
            // SAFETY: the bytes live until the command is waited for, below.
            let read = unsafe { self.queues.from.read(&memory.buffer, report.as_mut_ptr(), REPORT, command) };
            let read = read.map_err(at(Phase::From))?;
            self.ended(&self.queues.from, &[read]).map_err(at(Phase::From))?;
            let outside = Outside::of(report.try_into().map_or(Outside::NOTHING, u64::from_ne_bytes));
            let outside = outside.map(|outside| witness.error(outside, &self.name, Some(*chunk)));
            landed.outside = landed.outside.take().or(outside);
        }
        let Some(reduction) = flight.reduction else { return Ok(landed) };
        let mut ran: SmallVec<[&Ran; 3]> = flight.ran.iter().collect();
        ran.sort_by_key(|ran| ran.index);
        for Ran { chunk, command, partials, .. } in ran {
            let Some((memory, bytes)) = partials else { continue };
            let mut results = vec![0u8; *bytes];
            // SAFETY: the bytes live until the command is waited for, below.
            let read = unsafe { self.queues.from.read(&memory.buffer, results.as_mut_ptr(), *bytes, command) };
            let read = read.map_err(at(Phase::From))?;
            self.ended(&self.queues.from, &[read]).map_err(at(Phase::From))?;
            // In the order of the groups, so that the result does not depend on timing.
            landed.partials.push((*chunk, reduction.fold(&results)));
        }
        Ok(landed)
    }

    /// Returns the buffers of a launch to the pool. No command of it may be under way any more.
    fn retire(&mut self, flight: Flight) {
        for ran in flight.ran {
            ran.partials
                .into_iter()
                .map(|(memory, _)| memory)
                .chain(ran.report)
                .for_each(|memory| self.pool.give(memory));
        }
    }
}

/// The time from the start of the first of the commands to the end of the last.
fn between<'c>(commands: impl Iterator<Item = &'c Command>) -> Result<Seconds, ClError> {
    let mut whole: Option<(u64, u64)> = None;
    for command in commands {
        let [_, start, end] = command.times()?;
        whole = Some(whole.map_or((start, end), |(first, last)| (first.min(start), last.max(end))));
    }
    Ok(whole.map_or(Seconds::ZERO, |(first, last)| Seconds(last.saturating_sub(first) as f64 * 1e-9)))
}

impl Resident for OpenClDevice {
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, NotAllocated> {
        // OpenCL has no buffers of 0 bytes.
        match self.pool.take(&self.context, bytes.max(1)) {
            Ok(memory) => {
                self.residence.numbers += 1;
                self.residence.buffers.insert(self.residence.numbers, memory);
                Ok(BufferId(self.residence.numbers))
            }
            Err(problem) => {
                let no_room = problem.is_no_room(crate::devices::opencl::Context::out_of_memory);
                Err(NotAllocated { error: self.resident_error((Phase::Init, None, problem.to_string())), no_room })
            }
        }
    }

    fn release(&mut self, buffer: BufferId) {
        let quiet = self.quiet().is_ok();
        let Some(memory) = self.residence.buffers.remove(&buffer.0) else { return };
        if quiet {
            self.pool.give(memory);
        } else {
            self.pool.free(memory);
        }
    }

    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<Duration, DeviceError> {
        let mut commands = Vec::new();
        let settled = self.settled(Phase::To);
        let began = Instant::now();
        let written = settled.and_then(|()| {
            // SAFETY: the queue is waited for below.
            unsafe { self.import(buffer, copies, host, None, &mut commands) }
        });
        let done = self.ended(&self.queues.to, &commands).map_err(at(Phase::To));
        written.and(done).map(|()| began.elapsed()).map_err(|problem| self.resident_error(problem))
    }

    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<Duration, DeviceError> {
        let mut commands = Vec::new();
        let settled = self.settled(Phase::From);
        let began = Instant::now();
        let read = settled.and_then(|()| {
            in_host(copies, |copy| &copy.to, host.len()).map_err(|why| (Phase::From, None, why))?;
            let memory = self.held(buffer)?;
            for copy in copies.iter().filter(|copy| copy.bytes() > 0) {
                // SAFETY: the box lies in the host's bytes (`in_host`); the queue is waited for below.
                let command = unsafe { self.queues.from.read_box(&memory.buffer, host.as_mut_ptr(), copy) };
                commands.push(command.map_err(at(Phase::From))?);
            }
            Ok(())
        });
        let done = self.ended(&self.queues.from, &commands).map_err(at(Phase::From));
        read.and(done).map(|()| began.elapsed()).map_err(|problem| self.resident_error(problem))
    }

    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError> {
        self.residence.numbers += 1;
        let number = self.residence.numbers;
        let mut flight = Flight::default();
        // The kernel author's code may panic.
        let enqueued = catch_unwind(AssertUnwindSafe(|| self.enqueue(launch, &mut flight)));
        self.residence.flights.insert(number, flight);
        if !matches!(enqueued, Ok(Ok(()))) {
            // Parts of it may be under way, with memory that the caller owns.
            let _ = self.quiet();
            if let Some(flight) = self.residence.flights.remove(&number) {
                self.retire(flight);
            }
        }
        let enqueued = enqueued.unwrap_or_else(|panic| resume_unwind(panic));
        enqueued.map(|()| (LaunchId(number), None)).map_err(|problem| self.resident_error(problem))
    }

    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError> {
        let Some(flight) = self.residence.flights.remove(&launch.0) else { return Ok(Landed::default()) };
        // The caller's operator may panic.
        let landed = catch_unwind(AssertUnwindSafe(|| self.gather(&flight)));
        if matches!(landed, Ok(Err(_))) {
            self.residence.flights.insert(launch.0, flight);
            let _ = self.quiet();
            if let Some(flight) = self.residence.flights.remove(&launch.0) {
                self.retire(flight);
            }
        } else {
            // Each of its commands was waited for before partial results were combined.
            self.retire(flight);
        }
        let landed = landed.unwrap_or_else(|panic| resume_unwind(panic));
        landed.map_err(|problem| self.resident_error(problem))
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        let quiet = self.quiet().map_err(at(Phase::Kernel));
        let failed = self.residence.flights.values().try_for_each(Flight::failed);
        failed.and(quiet).map_err(|problem| self.resident_error(problem))
    }
}
