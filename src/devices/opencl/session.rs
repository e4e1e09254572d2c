//! A loop on an OpenCL device.
#![allow(unsafe_code, reason = "lends host arrays to the device until a session is dropped")]

use super::OpenClDevice;
use super::commands::Command;
use super::flight::{Flight, Slot};
use super::memory::{DeviceBuffer, NoBuffer};
use super::objects::Buffer;
use crate::data::{ArrayMap, Direction, Distribution, HostMemory};
use crate::devices::clock::Clock;
use crate::devices::section::called;
use crate::devices::{Begun, Completed, Session, Work};
use crate::element::{ElementType, Scalar};
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, DeviceSource, Reduction};
use crate::space::IterRange;
use crate::times::PhaseTimes;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// An error's phase and message, before the device's name and the chunk are added.
pub type Problem = (Phase, String);

/// Where an argument lies on the device.
pub enum Place {
    /// In the kernel's own parameters.
    Scalar(Scalar),
    /// In a copy of the whole array.
    Copied(DeviceBuffer),
    /// In a buffer over the whole array in host memory.
    Host(Buffer),
    /// In sections, which each chunk provides anew.
    Sections,
}

/// The session without its chunks.
pub struct Core<'s> {
    pub device: &'s mut OpenClDevice,
    pub work: &'s Work<'s>,
    pub source: &'s DeviceSource,
    pub kernel: usize,
    pub places: Vec<Place>,
    /// Copies of replicated arrays to the device that may not have ended.
    copies: Vec<Command>,
    /// The largest section of each argument so far, in bytes; the last two are the reduction's and the report's.
    pub largest: Vec<usize>,
    pub slots: Vec<Slot>,
    pub clock: Clock,
    /// What the driver compiled only when the kernel first ran.
    pub compiled: Duration,
    /// When the kernel last ended, on the device's clock.
    pub last_run: u64,
    /// When the host saw the end of the last chunk.
    pub seen: Instant,
}

struct OpenClSession<'s> {
    core: Core<'s>,
    flights: VecDeque<Flight<'s>>,
    finished: bool,
    /// Whether a chunk that counts as not run may have changed the host's arrays.
    wrote_host: bool,
    /// Whether memory was lacking for the chunk that was submitted last.
    had_no_room: bool,
}

pub fn begin<'s>(
    device: &'s mut OpenClDevice,
    work: &'s Work<'s>,
) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
    let started = Instant::now();
    let name = device.name.clone();
    let fail = |message: String| DeviceError { device: name.clone(), phase: Phase::Init, chunk: None, message };
    if work.columns.is_some() {
        return Err(fail(format!(
            "kernel `{}` loops over rows and columns, which an OpenCL device does in memory of its own only: set its `memory` \
             to `discrete`, or leave it out",
            work.kernel.name()
        )));
    }
    let (source, kernel) = compiled(device, work, false).map_err(fail)?;
    device.pool.next_loop();
    let mut session = OpenClSession {
        core: Core {
            work,
            source,
            kernel,
            places: Vec::with_capacity(work.arguments.len()),
            copies: Vec::new(),
            largest: vec![0; work.arguments.len() + 2],
            slots: Vec::new(),
            clock: Clock::new(work.epoch),
            compiled: Duration::ZERO,
            last_run: 0,
            seen: started,
            device,
        },
        flights: VecDeque::new(),
        finished: false,
        wrote_host: false,
        had_no_room: false,
    };
    // On an error the session is dropped, which waits for copies on their way.
    let bytes_to = session.core.place_arguments().map_err(fail)?;
    let mut times = PhaseTimes::default();
    times[Phase::Init] = started.elapsed().into();
    Ok(Begun { session: Box::new(session), times, bytes_to })
}

/// The kernel's source for this device, and the index of its compiled form, checked against the bound arguments.
pub fn compiled<'w>(
    device: &mut OpenClDevice,
    work: &Work<'w>,
    two_dimensional: bool,
) -> Result<(&'w DeviceSource, usize), String> {
    let Some(source) = work.kernel.opencl_variant() else {
        return Err(format!("kernel `{}` has no OpenCL variant", work.kernel.name()));
    };
    needs_fp64(device, source, work.arguments, work.reduction)?;
    let kernel = prepared(device, source)?;
    device.programs.kernel(kernel).check(source, work.arguments, work.reduction, two_dimensional)?;
    Ok((source, kernel))
}

/// The index of a source's compiled form, which can run in groups of its grid's size.
pub fn prepared(device: &mut OpenClDevice, source: &DeviceSource) -> Result<usize, String> {
    let kernel = device.programs.get(&device.context, device.cpu, source);
    let (kernel, group) = (kernel.map_err(|why| fp64_hint(device, source, why))?, source.grid_on(device.cpu).group);
    device.programs.kernel(kernel).check_group(source, group, &device.largest_group, device.local_memory)?;
    Ok(kernel)
}

/// Whether the device has double precision if a kernel with these arguments needs it.
pub fn suits(device: &mut OpenClDevice, source: &DeviceSource, arguments: &[Argument<'_>]) -> Result<(), String> {
    if device.found.fp64 {
        return Ok(());
    }
    needs_fp64(device, source, arguments, None)?;
    // A source that names `double` may do without it where there is none: its compiler knows.
    if says_double(source) { prepared(device, source).map(drop) } else { Ok(()) }
}

fn needs_fp64(
    device: &OpenClDevice,
    source: &DeviceSource,
    arguments: &[Argument<'_>],
    reduction: Option<Reduction>,
) -> Result<(), String> {
    let mut elements = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Scalar(scalar) => scalar.element(),
            Argument::Array(map) => map.element,
        })
        .chain(reduction.map(|reduction| reduction.element));
    if !device.found.fp64 && elements.any(|element| element == ElementType::F64) {
        return Err(format!(
            "kernel `{}` works on f64, but `{}` has no double precision: leave this device out, or use f32",
            source.entry, device.found.name
        ));
    }
    Ok(())
}

fn says_double(source: &DeviceSource) -> bool {
    source.source.contains("double") || source.options.contains("double")
}

fn fp64_hint(device: &OpenClDevice, source: &DeviceSource, why: String) -> String {
    if !device.found.fp64 && says_double(source) {
        return format!("{why}\n`{}` has no double precision, and the source uses `double`", device.found.name);
    }
    why
}

impl Core<'_> {
    /// Copies replicated arrays to the device, waits for them, and gives the bytes copied.
    fn place_arguments(&mut self) -> Result<u64, String> {
        let mut bytes_to = 0;
        for (position, argument) in self.work.arguments.iter().enumerate() {
            let place = match argument {
                Argument::Scalar(scalar) => Place::Scalar(*scalar),
                Argument::Array(map) => match &map.memory {
                    HostMemory::Read(bytes) if map.direction == Direction::To => {
                        self.place_read(map, bytes).map_err(|problem| {
                            format!(
                                "{} is replicated: {problem}; align it with the loop, or leave this device out",
                                called(position, map)
                            )
                        })?
                    }
                    _ => Place::Sections,
                },
            };
            if let (Place::Copied(_), Argument::Array(map)) = (&place, argument) {
                bytes_to += map.bytes() as u64;
            }
            self.places.push(place);
        }
        self.device.queues.to.finish().map_err(|error| error.to_string())?;
        match std::mem::take(&mut self.copies).iter().find_map(Command::failed) {
            Some(error) => Err(format!("the copy of a replicated array failed: {error}")),
            None => Ok(bytes_to),
        }
    }

    fn place_read(&mut self, map: &ArrayMap<'_>, bytes: &[u8]) -> Result<Place, NoBuffer> {
        let full = map.distribution == Distribution::Full;
        let device = &mut *self.device;
        if !device.shared && full {
            let mut memory = device.pool.take(&device.context, bytes.len())?;
            if !bytes.is_empty() {
                // SAFETY: `bytes` are borrowed for the session, which waits for the copy in `place_arguments`, and if
                // that fails in `drop`.
                let copy = unsafe { device.queues.to.write(&mut memory.buffer, bytes.as_ptr(), bytes.len()) };
                match copy {
                    Ok(copy) => self.copies.push(copy),
                    Err(error) => {
                        device.pool.free(memory);
                        return Err(NoBuffer::Driver(error));
                    }
                }
            }
            return Ok(Place::Copied(memory));
        }
        // In host memory one buffer over the whole array serves all chunks: with halos, buffers over their sections would overlap,
        // which OpenCL leaves undefined.
        let too_large = bytes.len() as u64 > device.pool.max_alloc();
        if !device.shared || bytes.is_empty() || (too_large && !full) {
            return Ok(Place::Sections);
        }
        if too_large {
            return Err(NoBuffer::TooLarge { wanted: bytes.len(), most: device.pool.max_alloc() });
        }
        // SAFETY: `bytes` are borrowed for the session, are not empty, and nobody writes them meanwhile; the kernel gets
        // them read-only. The session drops the buffer after it has waited for all commands.
        let buffer = unsafe { device.context.host_buffer(bytes.as_ptr().cast_mut(), bytes.len(), true) };
        buffer.map(Place::Host).map_err(NoBuffer::Driver)
    }

    fn error(&self, chunk: Option<IterRange>, (phase, message): Problem) -> DeviceError {
        DeviceError { device: self.device.name.clone(), phase, chunk, message }
    }
}

impl OpenClSession<'_> {
    /// Waits until the device uses neither host arrays nor the chunks' buffers.
    fn wait_for_all(&self) {
        let mut failed = false;
        for queue in self.core.device.queues.all() {
            failed |= queue.finish().is_err();
        }
        if failed {
            // On a lost device each command ends with an error of its own.
            for command in self.flights.iter().flat_map(Flight::commands).chain(&self.core.copies) {
                while command.running() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
    }

    /// Takes back the buffers of a chunk that no command uses any more, and releases its spans.
    fn retire(&mut self, flight: Flight<'_>) {
        self.core.slots.push(flight.into_slot());
    }

    /// The same for a chunk that counts as not run. Its buffers are freed, so that those of a chunk that was too large leave room
    /// for smaller ones.
    fn give_up(&mut self, flight: Flight<'_>) {
        self.wrote_host |= flight.wrote_host(self.core.device.shared);
        for memory in flight.into_slot().into_iter().flatten() {
            self.core.device.pool.free(memory);
        }
        self.core.largest.fill(0);
    }

    fn abandon_all(&mut self) {
        self.wait_for_all();
        while let Some(flight) = self.flights.pop_front() {
            self.give_up(flight);
        }
    }

    fn give_back_buffers(&mut self) {
        let pool = &mut self.core.device.pool;
        for memory in self.core.slots.drain(..).flatten().flatten() {
            pool.give(memory);
        }
        for place in self.core.places.drain(..) {
            if let Place::Copied(memory) = place {
                if self.core.copies.is_empty() {
                    pool.give(memory);
                } else {
                    // What a copy that was given up has left behind is not known.
                    pool.free(memory);
                }
            }
        }
    }
}

impl Session for OpenClSession<'_> {
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError> {
        let refuse = |message: String| (Phase::To, message);
        self.had_no_room = false;
        if self.finished {
            return Err(self.core.error(Some(chunk), refuse("the loop on this device is finished".to_owned())));
        }
        let most = self.core.work.in_flight.max(1);
        if self.flights.len() >= most {
            let message = format!("{most} chunks are in flight, as many as agreed: complete one first");
            return Err(self.core.error(Some(chunk), refuse(message)));
        }
        let slot = self.core.slots.pop().unwrap_or_default();
        // In the list before anything is enqueued, so that `drop` knows of it on every path.
        self.flights.push_back(Flight::new(chunk, slot, self.core.work.arguments.len()));
        let Some(flight) = self.flights.back_mut() else { return Ok(()) };
        let Err(problem) = flight.enqueue(&mut self.core) else { return Ok(()) };
        self.wait_for_all();
        if let Some(flight) = self.flights.pop_back() {
            self.had_no_room = flight.had_no_room();
            self.give_up(flight);
        }
        Err(self.core.error(Some(chunk), problem))
    }

    fn complete(&mut self) -> Result<Completed, DeviceError> {
        self.had_no_room = false;
        let Some(flight) = self.flights.front_mut() else {
            let problem = (Phase::Kernel, "`complete` without a chunk in flight".to_owned());
            return Err(self.core.error(None, problem));
        };
        let chunk = flight.chunk;
        match flight.collect(&mut self.core) {
            Ok(completed) => {
                if let Some(flight) = self.flights.pop_front() {
                    self.retire(flight);
                }
                Ok(completed)
            }
            Err(problem) => {
                self.wait_for_all();
                if let Some(flight) = self.flights.pop_front() {
                    self.give_up(flight);
                }
                Err(self.core.error(Some(chunk), problem))
            }
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
        let left = self.flights.front().map(|flight| flight.chunk);
        self.abandon_all();
        self.finished = true;
        self.give_back_buffers();
        if let Some(chunk) = left {
            let problem = (Phase::Fini, "`finish` with chunks in flight: their results are lost".to_owned());
            return Err(self.core.error(Some(chunk), problem));
        }
        let mut times = PhaseTimes::default();
        times[Phase::Fini] = started.elapsed().into();
        times[Phase::Init] = self.core.compiled.into();
        Ok(times)
    }
}

impl Drop for OpenClSession<'_> {
    fn drop(&mut self) {
        // Before anything that the commands use is dropped: spans, buffers, borrowed arrays.
        self.abandon_all();
        self.give_back_buffers();
    }
}
