//! The simulator's end times for a policy, without records, phase times and the state of a hand-out: for AUTO, which asks many
//! times before a loop begins.

use super::division::fastest;
use super::policy::{Policy, Problem};
use super::profile::{fallback, measured_pace};
use super::shape::Shape;
use super::simulate::Instant;
use super::wall::{Stages, add_chunk};
use super::{Next, Scheduler, model_profile, sched_profile};
use crate::error::Phase;
use crate::model::contention::Splits;
use crate::model::{DeviceCost, LinearCost, Pipeline, Shared};
use crate::space::Slot;
use crate::times::PhaseTimes;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// What each device has done.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    /// When each device ends, without contention.
    pub ends: SmallVec<[f64; 16]>,
    /// Iterations of each device.
    pub counts: SmallVec<[u64; 16]>,
    /// How much of each device's time is for its last chunk.
    pub lasts: SmallVec<[f64; 16]>,
    /// When devices without overlap are in which stage; empty if there are none.
    pub stages: Vec<Stages>,
}

impl Replayed {
    fn of(devices: usize) -> Self {
        Self {
            ends: SmallVec::from_elem(0.0, devices),
            counts: SmallVec::from_elem(0, devices),
            lasts: SmallVec::from_elem(0.0, devices),
            stages: Vec::new(),
        }
    }

    /// Adds the stages of a chunk whose copy in begins at `begin`, if the device's stages do not overlap.
    fn add_stages(&mut self, device: usize, cost: &DeviceCost, length: u64, start: Option<Seconds>, begin: Seconds) {
        if cost.goes_by_stages() {
            self.stages.resize(self.ends.len(), Stages::new());
            add_chunk(&mut self.stages[device], start, begin, cost.stages(length));
        }
    }

    /// Adds a chunk from `start` to `end`.
    fn add(&mut self, device: usize, length: u64, start: Seconds, end: Seconds) {
        self.counts[device] += length;
        self.lasts[device] = (end.0 - start.0.max(self.ends[device])).max(0.0);
        self.ends[device] = self.ends[device].max(end.0);
    }
}

/// Replays a policy that hands out chunks regardless of their times. Chunks of at least `most_from` iterations are most of a
/// share. `shapes` gives the shape of a device's chunks, if most of them have one length. None once a device ends after `limit`.
pub(super) fn handed_out(
    devices: &[&DeviceCost],
    most_from: u64,
    mut scheduler: Box<dyn Scheduler>,
    shapes: impl Fn(usize) -> Option<Shape>,
    limit: f64,
) -> Option<Replayed> {
    #[derive(Clone, Default)]
    struct Device {
        pipeline: Pipeline,
        /// The shape of the last length that came twice.
        shape: Option<Shape>,
        /// Length of its last chunk.
        last: u64,
        /// When its chunks in flight end.
        in_flight: SmallVec<[Seconds; 2]>,
        began: bool,
    }
    let mut all: SmallVec<[Device; 16]> =
        (0..devices.len()).map(|d| Device { shape: shapes(d), ..Device::default() }).collect();
    let mut done = Replayed::of(devices.len());
    // When each device asks next, ordered as in the simulator by time, chunks in flight and device.
    let mut asks: BinaryHeap<Reverse<(Instant, usize, usize)>> =
        (0..devices.len()).map(|d| Reverse((Instant(0.0), 0, d))).collect();
    while let Some(mut ask) = asks.peek_mut() {
        let Reverse((Instant(now), _, d)) = *ask;
        let (cost, device) = (devices[d], &mut all[d]);
        let now = Seconds(now);
        device.in_flight.retain(|end| *end > now);
        let Next::Run(chunk) = scheduler.next(Slot(d)) else {
            PeekMut::pop(ask);
            continue;
        };
        let mut start = None;
        if !std::mem::replace(&mut device.began, true) {
            device.pipeline.hold_until(now + cost.once);
            start = Some(now);
        }
        let (length, whole) = (chunk.len(), chunk.len() >= most_from);
        // One policy hands out chunks of one length, the other hardly two equal ones.
        let (begin, end) = match (device.last, device.shape) {
            (_, Some(shape)) if shape.is(length, whole) => shape.push(&mut device.pipeline, now),
            (last, _) if last == length => {
                device.shape.insert(Shape::of(cost, length, whole)).push(&mut device.pipeline, now)
            }
            _ => {
                let (begin, end, _) = Shape::send(cost, length, whole, &mut device.pipeline, now);
                (begin, end)
            }
        };
        if end.0 > limit {
            return None;
        }
        device.last = length;
        done.add_stages(d, cost, length, start, begin);
        done.add(d, length, start.unwrap_or(begin), end);
        device.in_flight.push(end);
        let depth = if cost.overlaps() { 2 } else { 1 };
        let has_room = device.in_flight.len() < depth;
        let (next, in_flight) = if has_room { (now, device.in_flight.len()) } else { (device.in_flight[0], 0) };
        *ask = Reverse((Instant(next.0), in_flight, d));
    }
    Some(done)
}

/// Replays one of the two policies that measure samples, on the devices `members` of `problem`, whose costs are per granule and
/// whose iterations suffice for the samples. `shared` are the capacities once replicated arrays are on the devices. None once it is
/// seen that a device ends after `limit`.
pub(super) fn sampled(
    policy: &Policy,
    problem: &Problem,
    members: &[usize],
    shared: &[Shared],
    most_from: u64,
    limit: f64,
) -> Option<Replayed> {
    let n = problem.iterations;
    let cost = |i: usize| &problem.devices[i];
    let sizes: SmallVec<[u64; 16]> = match policy {
        Policy::SchedProfile { sample } => {
            let size = sched_profile::size(*sample, problem, members.len() as u64);
            SmallVec::from_elem(size, members.len())
        }
        Policy::ModelProfile { sample } => {
            model_profile::sizes(*sample, n, members.iter().map(|&i| cost(i))).ok()?.into()
        }
        _ => return None,
    };
    let mut done = Replayed::of(members.len());
    let mut pipelines: SmallVec<[Pipeline; 16]> = SmallVec::from_elem(Pipeline::default(), members.len());
    let mut measured: SmallVec<[LinearCost; 16]> = SmallVec::from_elem(LinearCost::default(), problem.devices.len());
    for (place, &i) in members.iter().enumerate() {
        let (size, cost) = (sizes[place], cost(i));
        pipelines[place].hold_until(cost.once);
        let (begin, end, pieces) = Shape::send(cost, size, size >= most_from, &mut pipelines[place], Seconds::ZERO);
        done.add_stages(place, cost, size, Some(Seconds::ZERO), begin);
        done.add(place, size, Seconds::ZERO, end);
        let mut times = PhaseTimes::default();
        let stage = |chunk: Seconds, each: Seconds| chunk * pieces as f64 + each * size as f64;
        times[Phase::To] = stage(cost.to_chunk, cost.to);
        // Only a device that takes its sample in one piece has threads that share it out.
        let last_piece = cost.threads.last_piece(cost.kernel * size as f64);
        times[Phase::Kernel] = stage(cost.kernel_chunk, cost.kernel) + last_piece;
        times[Phase::From] = stage(cost.from_chunk, cost.from);
        measured[i] = fallback(cost);
        let pace = measured_pace(cost, size, &times, pieces);
        if pace.0.is_finite() && pace.0 > 0.0 {
            measured[i].per_iteration = pace;
        }
    }
    // No device goes on before the host knows that the last sample is done.
    let known = done.ends.iter().zip(members).map(|(end, &i)| end + cost(i).known_after.0);
    let barrier = Seconds(known.fold(0.0, f64::max));
    let rest = Splits::new(&measured, shared, members, n - sizes.iter().sum::<u64>());
    let rest = fastest(&rest, members).ok()?.split;
    // No chunk takes less than its pieces in the slowest stage.
    let late = |(&i, &count): (&usize, &u64)| {
        count > 0 && barrier.0 + cost(i).per_chunk().0 + cost(i).effective().0 * count as f64 > limit
    };
    if members.iter().zip(&rest.counts).any(late) {
        return None;
    }
    for (place, (&i, &count)) in members.iter().zip(&rest.counts).enumerate().filter(|(_, (_, count))| **count > 0) {
        let (begin, end, _) = Shape::send(cost(i), count, count >= most_from, &mut pipelines[place], barrier);
        done.add_stages(place, cost(i), count, None, begin);
        done.add(place, count, begin, end);
    }
    Some(done)
}
