//! An emulated device: real results, with times from the machine description.
//!
//! With discrete memory it copies array sections to buffers of its own, so the whole data path is exercised, and runs the host body
//! on the copies, in the proxy's thread. Three engines (copy in, run, copy out) form a pipeline: each phase takes the modelled or
//! the real time, whichever is longer, and a chunk is complete when its last phase would be. Waiting is done by sleeping, so many
//! devices fit on a few cores.

mod resident;

use crate::data::layout::Chain;
use crate::data::{ArrayMap, Distribution, HostMemory, SpanMut};
use crate::devices::body::{self, Section};
use crate::devices::host::{host_variant_of, nothing_in_flight, run_in_place, scratch};
use crate::devices::resident::Resident;
use crate::devices::{Begun, Completed, Device, Session, Span, Work};
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, Kernel};
use crate::model::device::{Capacity, Way};
use crate::model::machine::{EmulatedSection, Fault};
use crate::model::{DeviceModel, MemoryKind};
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::{Bytes, BytesPerSecond, Flops, Seconds};
use resident::Residence;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A capacity that an emulated device's link shares with the links of others.
#[derive(Clone, Debug)]
pub struct SharedLink {
    way: Way,
    rate: BytesPerSecond,
    /// When all copies submitted so far will have passed through.
    free: Arc<Mutex<Instant>>,
}

impl SharedLink {
    /// For a capacity of the machine description. All links that share it are given the same `free`.
    pub fn new(capacity: &Capacity, free: &Arc<Mutex<Instant>>) -> Self {
        Self { way: capacity.way, rate: capacity.rate, free: Arc::clone(free) }
    }

    fn carries(&self, phase: Phase) -> bool {
        match self.way {
            Way::Both => true,
            Way::From => phase == Phase::From,
            Way::To => phase != Phase::From,
        }
    }
}

/// A device that only exists in a machine description.
pub struct EmulatedDevice {
    model: DeviceModel,
    shared: Vec<SharedLink>,
    time_scale: f64,
    fault: Option<Fault>,
    /// Chunks started since the device was opened, for faults at the k-th chunk.
    chunks: u64,
    residence: Residence,
}

impl EmulatedDevice {
    /// A device with these figures.
    pub fn new(model: DeviceModel, section: &EmulatedSection) -> Self {
        let time_scale = section.time_scale.unwrap_or(1.0).max(1.0);
        Self { model, shared: Vec::new(), time_scale, fault: section.fault, chunks: 0, residence: Residence::default() }
    }

    /// The same device, sharing these capacities with other emulated devices.
    #[must_use]
    pub fn sharing(self, shared: Vec<SharedLink>) -> Self {
        Self { shared, ..self }
    }

    /// When bytes submitted now will have passed through all shared capacities. Each capacity serves copies in the order of their
    /// submission, so all users together get at most its rate.
    fn through_shared(&self, phase: Phase, bytes: u64, submitted: Instant) -> Instant {
        let mut through = submitted;
        for link in self.shared.iter().filter(|link| bytes > 0 && link.carries(phase)) {
            let mut free = link.free.lock().unwrap_or_else(PoisonError::into_inner);
            *free = (*free).max(submitted) + (Bytes(bytes) / link.rate * self.time_scale).to_duration();
            through = through.max(*free);
        }
        through
    }

    fn fail(&self, phase: Phase, chunk: Option<IterRange>, message: impl Into<String>) -> DeviceError {
        DeviceError { device: self.model.name.clone(), phase, chunk, message: message.into() }
    }

    fn fault_at(&self, phase: Phase, number: u64, chunk: Option<IterRange>) -> Result<(), DeviceError> {
        match self.fault {
            Some(fault) if Phase::from(fault.phase) == phase && fault.chunk == number => {
                Err(self.fail(phase, chunk, "a fault that the machine description asks for (`emulated.fault`)"))
            }
            _ => Ok(()),
        }
    }

    fn alloc_time(&self, bytes: u64) -> Seconds {
        self.model.alloc + self.model.alloc_per_byte * bytes as f64
    }

    /// What a part of an array costs. As the description has it, a loop pays once for the array, and for all of its parts by their
    /// size, however many buffers that takes.
    fn part_time(&self, paid: &mut bool, bytes: u64) -> Seconds {
        let time = self.alloc_time(bytes);
        if std::mem::replace(paid, true) { time - self.model.alloc } else { time }
    }

    /// The time of copies in one direction: a latency for each, plus the bytes at the link's rate.
    fn copy_time(&self, phase: Phase, copies: u32, bytes: u64) -> Seconds {
        let Some(link) = self.model.link else { return Seconds::ZERO };
        let (latency, rate) = match phase {
            Phase::From => (link.from_latency, link.from_rate),
            _ => (link.to_latency, link.to_rate),
        };
        latency * f64::from(copies) + Bytes(bytes) / rate
    }

    fn kernel_time(&self, kernel: &Kernel, iterations: u64) -> Seconds {
        let cost = kernel.stated_cost().unwrap_or_default();
        let n = iterations as f64;
        let by_flops = Flops(cost.flops * n) / self.model.rate(cost.precision);
        let by_memory = Seconds((cost.loads + cost.stores) * n / self.model.memory_rate.0);
        self.model.launch + self.model.ramp + by_flops.max(by_memory)
    }

    fn paced(&self, modelled: Seconds, real: Duration) -> Duration {
        (modelled * self.time_scale).to_duration().max(real)
    }
}

impl Device for EmulatedDevice {
    fn name(&self) -> &str {
        &self.model.name
    }

    fn identity(&self) -> String {
        // Its identity is its figures, and the processor that really computes.
        let DeviceModel {
            memory,
            f32_rate,
            f64_rate,
            u8_rate,
            memory_rate,
            launch,
            ramp,
            library_ramp,
            sync,
            alloc,
            alloc_per_byte,
            link,
            ..
        } = &self.model;
        // Rounded to the description's figures: changing units leaves trailing digits.
        let plain = |value: f64| (value * 1e6).round() / 1e6;
        let mut text = format!(
            "emulated: {} GFLOP/s f32, {} f64, {} GB/s, launch {} us, ramp {} us, sync {} us, alloc {} us, {} s/GB",
            plain(f32_rate.gflop_per_s()),
            plain(f64_rate.gflop_per_s()),
            plain(memory_rate.gb_per_s()),
            plain(launch.micros()),
            plain(ramp.micros()),
            plain(sync.micros()),
            plain(alloc.micros()),
            plain(alloc_per_byte.0 * 1e9),
        );
        if library_ramp != ramp {
            text += &format!(", of libraries {} us", plain(library_ramp.micros()));
        }
        if let Some(rate) = u8_rate {
            text += &format!(", {} Gop/s u8", plain(rate.gflop_per_s()));
        }
        if let (MemoryKind::Discrete, Some(link)) = (memory, link) {
            let ways = [
                ("to", link.to_latency, link.to_rate, link.to_alone, link.to_plain),
                ("from", link.from_latency, link.from_rate, link.from_alone, link.from_plain),
            ];
            for (way, latency, both, alone, slow) in ways {
                let [both, alone, slow] = [both, alone, slow.unwrap_or(alone)].map(|rate| plain(rate.gb_per_s()));
                text += &format!(", {way} {} us, {both}/{alone}/{slow} GB/s", plain(latency.micros()));
            }
        }
        if self.time_scale > 1.0 {
            text += &format!(", times {}", self.time_scale);
        }
        text + &format!(", on {}", super::topology::cpu_model())
    }

    fn eligible(&self, kernel: &Kernel) -> Result<(), String> {
        host_variant_of(kernel)
    }

    fn resident(&mut self) -> Option<&mut dyn Resident> {
        if self.model.memory == MemoryKind::Discrete { Some(self) } else { None }
    }

    fn runs_blocks(&self) -> bool {
        true
    }

    unsafe fn begin<'s>(&'s mut self, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
        let started = Instant::now();
        self.fault_at(Phase::Init, self.chunks, None)?;
        let mut session = EmulatedSession {
            work,
            replicated: Vec::new(),
            free: work.arguments.iter().map(|_| Vec::new()).collect(),
            mapped: vec![false; work.arguments.len()],
            allocated: 0,
            allocation_time: Duration::ZERO,
            engine_free: [started; 3],
            in_flight: VecDeque::new(),
            device: self,
        };
        let mut modelled = Seconds::ZERO;
        let mut bytes_to = 0;
        for argument in work.arguments {
            let copy = match argument {
                Argument::Array(map) if session.replicates(map) => match &map.memory {
                    HostMemory::Read(bytes) => {
                        let mut words = session.allocate(bytes.len(), Phase::Init, None)?;
                        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
                        bytes_to += bytes.len() as u64;
                        modelled += session.device.alloc_time(bytes.len() as u64);
                        modelled += session.device.copy_time(Phase::To, 1, bytes.len() as u64);
                        Some(words)
                    }
                    HostMemory::Write(_) | HostMemory::Scratch => None,
                },
                _ => None,
            };
            session.replicated.push(copy);
        }
        let length = session.device.paced(modelled, started.elapsed());
        let through = session.device.through_shared(Phase::Init, bytes_to, started);
        sleep_until(through.max(started + length));
        let now = Instant::now();
        session.engine_free = [now; 3];
        let mut times = PhaseTimes::default();
        times[Phase::Init] = (now - started).into();
        Ok(Begun { session: Box::new(session), times, bytes_to })
    }
}

struct Flight<'s> {
    chunk: IterRange,
    number: u64,
    done: Completed,
    /// Copied back on completion, so that the host sees no result before the device would be done.
    outputs: Vec<(usize, SpanMut<'s>, Vec<u64>)>,
    /// Buffers of inputs and scratch arrays, to be reused.
    inputs: Vec<(usize, Vec<u64>)>,
}

struct EmulatedSession<'s> {
    device: &'s mut EmulatedDevice,
    work: &'s Work<'s>,
    replicated: Vec<Option<Vec<u64>>>,
    /// By argument, buffers that no chunk uses.
    free: Vec<Vec<Vec<u64>>>,
    /// By argument, whether the loop has paid for its array.
    mapped: Vec<bool>,
    allocated: u64,
    allocation_time: Duration,
    /// When the engines for copy in, run and copy out are free again.
    engine_free: [Instant; 3],
    in_flight: VecDeque<Flight<'s>>,
}

impl<'s> EmulatedSession<'s> {
    fn replicates(&self, map: &ArrayMap<'_>) -> bool {
        self.device.model.memory == MemoryKind::Discrete
            && map.direction.copies_in()
            && map.distribution == crate::data::Distribution::Full
    }

    fn allocate(&mut self, bytes: usize, phase: Phase, chunk: Option<IterRange>) -> Result<Vec<u64>, DeviceError> {
        let words = bytes.div_ceil(8) as u64 * 8;
        let limit = self.device.model.memory_bytes.map_or(u64::MAX, |b| b.0);
        if self.allocated + words > limit {
            let message = format!(
                "out of memory: {} more are needed, {} of {} are in use; use smaller chunks",
                Bytes(words),
                Bytes(self.allocated),
                Bytes(limit)
            );
            return Err(self.device.fail(phase, chunk, message));
        }
        let room = scratch(bytes, true).map_err(|refused| self.device.fail(phase, chunk, refused))?;
        self.allocated += words;
        Ok(room)
    }

    /// A buffer of at least `bytes` for an argument: a used one, or a new one. The modelled cost is added up.
    fn buffer(&mut self, argument: usize, bytes: usize, chunk: IterRange) -> Result<Vec<u64>, DeviceError> {
        let time = self.device.part_time(&mut self.mapped[argument], bytes as u64);
        self.allocation_time += (time * self.device.time_scale).to_duration();
        while let Some(mut words) = self.free[argument].pop() {
            if words.len() * 8 >= bytes {
                if self.work.poison {
                    words.fill(u64::MAX);
                }
                return Ok(words);
            }
            self.allocated -= words.len() as u64 * 8;
        }
        self.allocate(bytes, Phase::To, Some(chunk))
    }

    /// Lends the sections, copies in, runs, and plans the copy out.
    fn run_on_copies(&mut self, chunk: IterRange, number: u64) -> Result<Flight<'s>, DeviceError> {
        let work = self.work;
        let Some(variant) = work.kernel.host_variant() else {
            let message = format!("kernel `{}` has no host variant", work.kernel.name());
            return Err(self.device.fail(Phase::Kernel, Some(chunk), message));
        };
        let submitted = Instant::now();
        let allocating = self.allocation_time;
        let mut flight = Flight { chunk, number, done: Completed::default(), outputs: Vec::new(), inputs: Vec::new() };
        let (mut copies_in, mut copies_out) = (0, 0);
        for (index, argument) in work.arguments.iter().enumerate() {
            let Argument::Array(map) = argument else { continue };
            if self.replicated[index].is_some() {
                continue;
            }
            let section = map.section(chunk, &work.shape);
            match &map.memory {
                HostMemory::Read(bytes) => {
                    let source = &bytes[map.byte_range(&section.needed)];
                    let mut words = self.buffer(index, source.len(), chunk)?;
                    bytemuck::cast_slice_mut(&mut words)[..source.len()].copy_from_slice(source);
                    flight.done.bytes_to += source.len() as u64;
                    copies_in += 1;
                    flight.inputs.push((index, words));
                }
                HostMemory::Write(array) => {
                    let range = map.byte_range(&section.owned);
                    let copy = body::contribution(work, index, &range)
                        .map_err(|why| self.device.fail(Phase::To, Some(chunk), why))?;
                    let span = match copy {
                        Some(copy) => copy,
                        None => array
                            .lend(range)
                            .map_err(|taken| self.device.fail(Phase::To, Some(chunk), taken.to_string()))?,
                    };
                    let mut words = self.buffer(index, span.len(), chunk)?;
                    if map.direction.copies_in() {
                        bytemuck::cast_slice_mut(&mut words)[..span.len()].copy_from_slice(&span);
                        flight.done.bytes_to += span.len() as u64;
                        copies_in += 1;
                    }
                    flight.done.bytes_from += span.len() as u64;
                    copies_out += 1;
                    flight.outputs.push((index, span, words));
                }
                HostMemory::Scratch => {
                    let words = self.buffer(index, map.byte_range(&section.owned).len(), chunk)?;
                    flight.inputs.push((index, words));
                }
            }
        }
        let copied = Instant::now();
        self.device.fault_at(Phase::Kernel, number, Some(chunk))?;

        let mut inputs = flight.inputs.iter_mut();
        let mut outputs = flight.outputs.iter_mut();
        let sections = work
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| match argument {
                Argument::Scalar(scalar) => Section::Scalar(*scalar),
                Argument::Array(map) => {
                    let section = map.section(chunk, &work.shape);
                    let owned_bytes = map.byte_range(&section.owned).len();
                    let out = |words| Section::Out {
                        bytes: &mut bytemuck::cast_slice_mut::<u64, u8>(words)[..owned_bytes],
                        first: map.first_element(section.owned.start),
                        row_len: map.row_len,
                        row_bytes: map.row_bytes(),
                        rows: map.rows_of(),
                    };
                    let read = |words| Section::In {
                        bytes: &bytemuck::cast_slice::<u64, u8>(words)[..map.byte_range(&section.needed).len()],
                        first: map.first_element(section.needed.start),
                        row_len: map.row_len,
                    };
                    match &map.memory {
                        HostMemory::Read(_) => match &self.replicated[index] {
                            Some(words) => read(words),
                            None => read(inputs.next().map(|(_, words)| &*words).expect("one a read array, above")),
                        },
                        HostMemory::Write(_) => {
                            let words = outputs.next().map(|(_, _, words)| words).expect("one a written array, above");
                            match body::reduced(work, index) {
                                Some(reduction) => Section::Reduced {
                                    bytes: &mut bytemuck::cast_slice_mut::<u64, u8>(words)[..owned_bytes],
                                    first: map.first_element(section.owned.start),
                                    row_len: map.row_len,
                                    reduction,
                                },
                                None => out(words),
                            }
                        }
                        HostMemory::Scratch => {
                            out(inputs.next().map(|(_, words)| words).expect("one a scratch array, above"))
                        }
                    }
                }
            })
            .collect();
        let cutting = body::Cutting { block: work.block, ..body::Cutting::in_one(work.columns) };
        let body::Ran { partial, blocks, .. } = body::run(variant, work.reduction, chunk, sections, cutting)
            .map_err(|why| self.device.fail(Phase::Kernel, Some(chunk), why))?;
        (flight.done.partial, flight.done.blocks) = (partial, blocks);
        let ran = Instant::now();

        // A phase starts when the phase before it and its engine are done.
        let allocating = self.allocation_time - allocating;
        let lengths = [
            self.device.paced(self.device.copy_time(Phase::To, copies_in, flight.done.bytes_to), copied - submitted),
            self.device.paced(self.device.kernel_time(work.kernel, cells_of(work, chunk)), ran - copied),
            self.device.paced(self.device.copy_time(Phase::From, copies_out, flight.done.bytes_from), Duration::ZERO),
        ];
        self.engine_free[0] = self.engine_free[0].max(submitted) + allocating;
        let through = [
            self.device.through_shared(Phase::To, flight.done.bytes_to, submitted),
            submitted,
            self.device.through_shared(Phase::From, flight.done.bytes_from, submitted),
        ];
        let mut ready = submitted;
        let spans: [Span; 3] = std::array::from_fn(|engine| {
            let start = ready.max(self.engine_free[engine]);
            ready = through[engine].max(start + lengths[engine]);
            self.engine_free[engine] = ready;
            Span::between(work.epoch, start, ready)
        });
        flight.done.to = (copies_in > 0).then_some(spans[0]);
        flight.done.kernel = Some(spans[1]);
        flight.done.from = (copies_out > 0).then_some(spans[2]);
        Ok(flight)
    }
}

impl Session for EmulatedSession<'_> {
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError> {
        let number = self.device.chunks;
        self.device.chunks += 1;
        self.device.fault_at(Phase::To, number, Some(chunk))?;
        let flight = if self.device.model.memory == MemoryKind::Shared {
            self.device.fault_at(Phase::Kernel, number, Some(chunk))?;
            let submitted = Instant::now();
            let cutting = body::Cutting { block: self.work.block, ..body::Cutting::in_one(self.work.columns) };
            let body::Ran { partial, blocks, contributed, .. } =
                run_in_place(&self.device.model.name, self.work, chunk, cutting)?;
            let modelled = self.device.kernel_time(self.work.kernel, cells_of(self.work, chunk));
            let start = submitted.max(self.engine_free[1]);
            let end = start + self.device.paced(modelled, submitted.elapsed());
            self.engine_free = [end; 3];
            let kernel = Some(Span::between(self.work.epoch, start, end));
            let done = Completed { kernel, partial, blocks, contributed, ..Completed::default() };
            Flight { chunk, number, done, outputs: Vec::new(), inputs: Vec::new() }
        } else {
            self.run_on_copies(chunk, number)?
        };
        self.in_flight.push_back(flight);
        Ok(())
    }

    fn complete(&mut self) -> Result<Completed, DeviceError> {
        let Some(mut flight) = self.in_flight.pop_front() else {
            return Err(nothing_in_flight(&self.device.model.name));
        };
        if self.device.model.memory == MemoryKind::Discrete {
            // Before anything is copied back, so that the chunk can be run again elsewhere.
            self.device.fault_at(Phase::From, flight.number, Some(flight.chunk))?;
        }
        for (index, mut span, words) in flight.outputs {
            let len = span.len();
            span.copy_from_slice(&bytemuck::cast_slice(&words)[..len]);
            self.free[index].push(words);
            flight.done.contributed.extend(span.take_own().map(|words| (index, words)));
        }
        for (index, words) in flight.inputs {
            self.free[index].push(words);
        }
        let last = flight.done.from.or(flight.done.kernel).map_or(Seconds::ZERO, |span| span.end);
        sleep_until(self.work.epoch + last.to_duration());
        Ok(flight.done)
    }

    fn finish(&mut self) -> Result<PhaseTimes, DeviceError> {
        std::thread::sleep((self.device.model.sync * self.device.time_scale).to_duration());
        let mut times = PhaseTimes::default();
        times[Phase::Init] = self.allocation_time.into();
        Ok(times)
    }
}

/// The iterations of a chunk; in a loop over rows and columns, all cells of its rows.
fn cells_of(work: &Work<'_>, chunk: IterRange) -> u64 {
    of_mean_work(work, chunk) * work.columns.map_or(1, IterRange::len)
}

/// The iterations of a chunk, as those of mean work where tables give them rows of different lengths.
fn of_mean_work(work: &Work<'_>, chunk: IterRange) -> u64 {
    let follows = |map: &&ArrayMap<'_>| !matches!(map.distribution, Distribution::Full | Distribution::Block);
    let maps = || work.arguments.iter().filter_map(Argument::array).filter(follows);
    let by_table = |map: &ArrayMap<'_>| {
        map.distribution == Distribution::RowsAt || map.chain.as_deref().is_some_and(Chain::has_table)
    };
    if !maps().any(by_table) {
        return chunk.len();
    }
    let of = |map: &ArrayMap<'_>, rows: IterRange| map.rows_of().count(rows) as f64 * map.row_bytes() as f64;
    let bytes = |rows: IterRange| maps().map(|map| of(map, rows)).sum::<f64>();
    let (all, range) = (bytes(work.shape.range), work.shape.range);
    if all > 0.0 { (bytes(chunk) / all * range.len() as f64).round() as u64 } else { chunk.len() }
}

fn sleep_until(deadline: Instant) {
    std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Machine;

    #[test]
    fn a_loop_pays_once_for_an_array_and_for_its_parts_by_their_size() {
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let device = EmulatedDevice::new(machine.devices[5].model(), &EmulatedSection::default());
        let each = device.model.alloc_per_byte * 1e6;
        let (mut paid, mut other) = (false, false);
        let times = [1, 2, 3].map(|_| device.part_time(&mut paid, 1_000_000));
        let all = times[0] + times[1] + times[2] + device.part_time(&mut other, 0);
        assert!((all - (device.model.alloc * 2.0 + each * 3.0)).0.abs() < 1e-12, "{times:?}");
    }
}
