//! The simulator: the policies' own code, run in virtual time against the cost model.
//!
//! Events are ordered by (time, chunks in flight, device), so that equal inputs give equal traces. A discrete device has three
//! engines (in, run, out), cuts each chunk as [`piece_lengths`] says and keeps two chunks in flight, as its proxy does. Without
//! overlap, and on shared memory, it does one thing at a time. Devices that together ask for more than a shared capacity gives
//! are slowed while they run together.
//!
//! [`piece_lengths`]: crate::model::piece_lengths

use super::shape::Shape;
use super::wall::{Clock, Stages, add_chunk};
use super::{Decision, Handout, Next, Policy, Problem, Scheduler};
use crate::error::{Error, Phase, Result};
use crate::model::{Pipeline, Shared, most_of_a_share};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::Seconds;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// How to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulateOptions {
    /// Chunks in flight on a device whose stages overlap.
    pub depth: usize,
    /// Give up past this many chunks: chunks of one iteration of 1e12 would take days.
    pub max_chunks: u64,
    /// Keep one record per chunk.
    pub records: bool,
}

impl Default for SimulateOptions {
    fn default() -> Self {
        Self { depth: 2, max_chunks: 1_000_000, records: true }
    }
}

/// The predicted run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    /// When the last device is done. If times are known to scatter ([`DeviceCost::scatter`]), this is later than the expected end
    /// of each device: of several that should end together, the last one is late.
    ///
    /// [`DeviceCost::scatter`]: crate::model::DeviceCost::scatter
    pub makespan: Seconds,
    /// The devices, in list order.
    pub devices: Vec<SimulatedDevice>,
    /// `(slowest busy - mean busy) / mean busy` over the devices that took part.
    pub imbalance: f64,
    /// What the policy decided.
    pub decision: Decision,
}

impl Simulation {
    /// Sets the makespan to a time that is known from elsewhere. What devices do takes as much longer or shorter, by the factor that
    /// is returned.
    pub(crate) fn takes(&mut self, time: Seconds) -> f64 {
        let factor = if self.makespan.0 > 0.0 { time.0 / self.makespan.0 } else { 1.0 };
        self.makespan = time;
        for device in &mut self.devices {
            for phase in Phase::ALL {
                device.phases[phase] = device.phases[phase] * factor;
            }
            (device.busy, device.slowed) = (device.busy * factor, device.slowed * factor);
            device.wait = (time - device.busy).max(Seconds::ZERO);
            device.phases[Phase::Wait] = device.wait;
            for chunk in &mut device.records {
                (chunk.start, chunk.end) = (chunk.start * factor, chunk.end * factor);
                chunk.stages = chunk.stages.map(|(begin, end)| (begin * factor, end * factor));
            }
        }
        factor
    }
}

/// The predicted run of one device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulatedDevice {
    /// Iterations run.
    pub iterations: u64,
    /// Chunks run.
    pub chunks: u64,
    /// Time in each phase; with overlap they sum to more than `busy`.
    pub phases: PhaseTimes,
    /// Time with at least one chunk in flight.
    pub busy: Seconds,
    /// How much of `busy` is due to contention for shared capacities, such as the host's memory.
    pub slowed: Seconds,
    /// The rest of the makespan.
    pub wait: Seconds,
    /// Each chunk, in order.
    pub records: Vec<ChunkRecord>,
}

/// One chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkRecord {
    /// Its iterations.
    pub range: IterRange,
    /// When its first stage began.
    pub start: Seconds,
    /// When its results were back.
    pub end: Seconds,
    /// Begin and end of each stage: copy in, run, copy out. They overlap, as the chunk goes in pieces.
    pub stages: [(Seconds, Seconds); 3],
}

/// `(slowest - mean) / mean` of the busy times of the devices that took part; 0 for none.
pub fn imbalance(busy: impl IntoIterator<Item = Seconds>) -> f64 {
    let (mut slowest, mut sum, mut count) = (0.0_f64, 0.0, 0.0);
    for time in busy {
        slowest = slowest.max(time.0);
        sum += time.0;
        count += 1.0;
    }
    // Equal times may give a little less than 0.
    if sum > 0.0 { (slowest * count / sum - 1.0).max(0.0) } else { 0.0 }
}

/// Runs `policy` on `problem` in virtual time.
///
/// # Errors
/// As [`Policy::start`]; [`Error::Call`] for costs that are negative or not finite;
/// [`Error::TooLarge`] past [`SimulateOptions::max_chunks`].
pub fn simulate(policy: &Policy, problem: &Problem, options: &SimulateOptions) -> Result<Simulation> {
    let costs: Vec<_> = problem.devices.iter().map(|cost| cost.linear()).collect();
    crate::model::split::check(&costs)?;
    let scheduler = policy.start(problem)?;
    let most_from = most_of_a_share(problem.iterations, problem.devices.len());
    Ok(drive(scheduler, problem, options, most_from)?.results())
}

/// Runs a scheduler on devices with valid costs. Chunks of at least `most_from` iterations are most of a device's share.
pub(super) fn drive<'a>(
    scheduler: Box<dyn Scheduler>,
    problem: &'a Problem<'a>,
    options: &SimulateOptions,
    most_from: u64,
) -> Result<Machine<'a>> {
    let range = IterRange::new(0, problem.iterations);
    let devices = problem.devices.len();
    let mut machine = Machine {
        problem,
        handout: Handout::new(range, problem.granule, scheduler, devices),
        most_from,
        depth: options.depth.max(1),
        records: options.records,
        chunks_left: options.max_chunks,
        events: (0..devices).map(|d| Reverse((Instant(0.0), 0, d))).collect(),
        devices: (0..devices).map(|_| Device::default()).collect(),
        waiting: Vec::new(),
        known: 0.0,
    };
    machine.run()?;
    Ok(machine)
}

pub(super) struct Machine<'a> {
    problem: &'a Problem<'a>,
    handout: Handout<'a>,
    most_from: u64,
    depth: usize,
    records: bool,
    chunks_left: u64,
    /// At each event a device has room for a chunk, or its oldest chunk is done.
    events: BinaryHeap<Reverse<(Instant, usize, usize)>>,
    devices: Vec<Device>,
    /// Devices that were told to wait for others.
    waiting: Vec<usize>,
    /// When the host knows that all finished chunks are done.
    known: f64,
}

/// A chunk, when its results are back, its times and its number of pieces.
type InFlight = (IterRange, Seconds, PhaseTimes, u64);

#[derive(Default)]
struct Device {
    result: SimulatedDevice,
    pipeline: Pipeline,
    in_flight: VecDeque<InFlight>,
    waiting: bool,
    /// When it is in which stage, if its stages do not overlap.
    stages: Stages,
    /// Shape of its last chunk: many have the same length.
    shape: Option<Shape>,
    /// Until when `busy` is counted.
    counted: Seconds,
    /// How much of `busy` is for the last chunk, which no other device can make up for.
    last: Seconds,
}

/// A time that can be ordered: never NaN, since all costs are finite. Times that differ by rounding alone are equal, so that the
/// order of alike devices does not depend on how their times were added up.
#[derive(Clone, Copy)]
pub(super) struct Instant(pub f64);

impl Instant {
    /// Non-negative times have the same order as their bits; the last eight are rounding.
    fn rounded(self) -> u64 {
        self.0.max(0.0).to_bits() >> 8
    }
}
impl PartialEq for Instant {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Instant {}
impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Instant {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rounded().cmp(&other.rounded())
    }
}

impl Machine<'_> {
    fn run(&mut self) -> Result<()> {
        while let Some(Reverse((Instant(now), _, d))) = self.events.pop() {
            let epoch = self.handout.epoch();
            let mut resume = now;
            while let Some((chunk, end, times, pieces)) = self.devices[d].in_flight.front().copied()
                && end.0 <= now
            {
                self.devices[d].in_flight.pop_front();
                self.handout.finished(Slot(d), chunk, &times, pieces);
                self.known = self.known.max(end.0 + self.problem.devices[d].known_after.0);
            }
            if self.handout.epoch() != epoch {
                // Waiting devices ask again once the host knows, in order of chunks in flight and device.
                let others_wait = self.waiting.iter().any(|w| *w != d);
                if !self.waiting.is_empty() {
                    resume = self.known.max(now);
                }
                if others_wait && !self.devices[d].waiting {
                    self.waiting.push(d);
                }
                let in_flight = |w: usize, devices: &[Device]| devices[w].in_flight.len();
                for w in std::mem::take(&mut self.waiting) {
                    self.devices[w].waiting = false;
                    self.events.push(Reverse((Instant(resume), in_flight(w, &self.devices), w)));
                }
            }
            if resume <= now {
                self.ask(d, Seconds(now))?;
            }
        }
        if self.handout.unfinished() > 0 {
            return Err(Error::call(format!(
                "the policy left {} iterations that no device may take",
                self.handout.unfinished()
            )));
        }
        Ok(())
    }

    fn ask(&mut self, d: usize, now: Seconds) -> Result<()> {
        let cost = &self.problem.devices[d];
        let depth = if cost.overlaps() { self.depth } else { 1 };
        if self.devices[d].in_flight.len() >= depth {
            return Ok(());
        }
        match self.handout.next(Slot(d)) {
            Next::Run(chunk) => {
                self.chunks_left = self.chunks_left.checked_sub(1).ok_or_else(|| self.too_many_chunks())?;
                let end = self.submit(d, chunk, now);
                let in_flight = self.devices[d].in_flight.len();
                self.events.push(Reverse((Instant(end.0), 0, d)));
                if in_flight < depth {
                    self.events.push(Reverse((Instant(now.0), in_flight, d)));
                }
            }
            Next::WaitForOthers => {
                if !std::mem::replace(&mut self.devices[d].waiting, true) {
                    self.waiting.push(d);
                }
            }
            Next::Done => {}
        }
        Ok(())
    }

    fn too_many_chunks(&self) -> Error {
        let sum = |of: fn(&SimulatedDevice) -> u64| self.devices.iter().map(|device| of(&device.result)).sum::<u64>();
        let (chunks, in_them) = (sum(|device| device.chunks), sum(|device| device.iterations));
        Error::TooLarge(format!(
            "too many chunks to simulate: the first {chunks} have {in_them} of the loop's {} iterations; give it larger chunks",
            self.problem.iterations
        ))
    }

    /// Sends a chunk through the device's engines. Returns when its results are back.
    fn submit(&mut self, d: usize, chunk: IterRange, now: Seconds) -> Seconds {
        let cost = &self.problem.devices[d];
        let device = &mut self.devices[d];
        let mut times = PhaseTimes::default();
        let mut start = None;
        if device.result.chunks == 0 {
            times[Phase::Init] = cost.once;
            device.pipeline.hold_until(now + cost.once);
            start = Some(now);
        }
        let (length, whole) = (chunk.len(), chunk.len() >= self.most_from);
        let shape = match device.shape {
            Some(shape) if shape.is(length, whole) => shape,
            _ => *device.shape.insert(Shape::of(cost, length, whole)),
        };
        let begins = if self.records { shape.begins(cost, &device.pipeline, now) } else { [now; 3] };
        let (begin, end) = shape.push(&mut device.pipeline, now);
        if cost.goes_by_stages() {
            add_chunk(&mut device.stages, start, begin, shape.stages);
        }
        [times[Phase::To], times[Phase::Kernel], times[Phase::From]] = shape.stages;
        let start = start.unwrap_or(begin);
        let result = &mut device.result;
        result.iterations += chunk.len();
        result.chunks += 1;
        result.phases += times;
        device.last = (end - start.max(device.counted)).max(Seconds::ZERO);
        result.busy += device.last;
        device.counted = device.counted.max(end);
        if self.records {
            let ends = if cost.overlaps() { device.pipeline.free } else { [begins[1], begins[2], end] };
            let stages = [0, 1, 2].map(|stage| (begins[stage], ends[stage]));
            result.records.push(ChunkRecord { range: chunk, start, end, stages });
        }
        device.in_flight.push_back((chunk, end, times, shape.pieces));
        end
    }

    /// When each device is done, without contention.
    fn ends(&self) -> Vec<f64> {
        self.devices.iter().map(|device| device.counted.0).collect()
    }

    /// The slowdown by contention for shared capacities.
    fn clock(&self, ends: &[f64]) -> Clock {
        let counts: Vec<u64> = self.devices.iter().map(|device| device.result.iterations).collect();
        let stages = |d: usize| &self.devices[d].stages[..];
        Clock::new(ends, &counts, &Shared::of(self.problem.devices), |device| device, stages)
    }

    /// Standard deviation of a device's end.
    fn scatter(&self, d: usize) -> f64 {
        self.problem.devices[d].scatter * self.devices[d].last.0
    }

    /// When the last device is done, without contention and with it.
    #[cfg(test)]
    pub fn makespan(&self) -> (f64, f64) {
        let ends = self.ends();
        (ends.iter().copied().fold(0.0, f64::max), self.clock(&ends).makespan(&ends, |d| self.scatter(d)))
    }

    pub fn results(mut self) -> Simulation {
        let ends = self.ends();
        let clock = self.clock(&ends);
        let makespan = Seconds(clock.makespan(&ends, |d| self.scatter(d)));
        if !clock.is_free() {
            for (d, device) in self.devices.iter_mut().enumerate() {
                slow_down(device, |time| clock.at(d, time));
            }
        }
        let devices: Vec<SimulatedDevice> = self
            .devices
            .into_iter()
            .map(|device| {
                let mut result = device.result;
                // Sums of rounded times: the busiest device may come out slightly above the makespan.
                result.wait = (makespan - result.busy).max(Seconds::ZERO);
                result.phases[Phase::Wait] = result.wait;
                result
            })
            .collect();
        let imbalance = imbalance(devices.iter().filter(|device| device.iterations > 0).map(|device| device.busy));
        Simulation { makespan, devices, imbalance, decision: self.handout.decision() }
    }
}

/// Stretches a device's times by the contended clock.
fn slow_down(device: &mut Device, at: impl Fn(Seconds) -> Seconds) {
    let end = device.counted;
    if end.0 <= 0.0 {
        return;
    }
    let result = &mut device.result;
    let before = result.busy;
    if device.stages.is_empty() {
        let slower = at(end).0 / end.0;
        result.busy = result.busy * slower;
        for phase in [Phase::Init, Phase::To, Phase::Kernel, Phase::From] {
            result.phases[phase] = result.phases[phase] * slower;
        }
    } else {
        let (mut phases, mut begin) = (PhaseTimes::default(), Seconds::ZERO);
        for &(end, phase) in &device.stages {
            // Of a short stage late in a long loop little is left but rounding.
            let end = at(Seconds(end)).max(begin);
            phases[phase] += end - begin;
            begin = end;
        }
        phases[Phase::Wait] = Seconds::ZERO;
        result.busy = [Phase::Init, Phase::To, Phase::Kernel, Phase::From]
            .map(|phase| phases[phase])
            .into_iter()
            .fold(Seconds::ZERO, |sum, time| sum + time);
        result.phases = phases;
    }
    result.slowed = result.busy - before;
    for record in &mut result.records {
        (record.start, record.end) = (at(record.start), at(record.end));
        record.stages = record.stages.map(|(begin, end)| (at(begin), at(end)));
    }
}
