//! The interface between a policy and what runs its chunks: the proxies, under one lock, or the simulator.
//!
//! It turns the scheduler's granules into the loop's own iterations, tracks which are out and which are done, and hands on the
//! work of a failed device.

use super::{Decision, Next, Scheduler};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use smallvec::SmallVec;

/// A scheduler and the state of its chunks.
///
/// ```
/// use apportion::model::{DeviceCost, LoopProfile};
/// use apportion::sched::{Handout, Next, Policy, Problem};
/// use apportion::space::{IterRange, Slot};
/// use apportion::times::PhaseTimes;
///
/// let (costs, profile) = ([DeviceCost::default(); 2], LoopProfile::default());
/// let policy: Policy = "SCHED_DYNAMIC:25%".parse()?;
/// let scheduler = policy.start(&Problem::new(100, &costs, &profile))?;
/// let mut handout = Handout::new(IterRange::new(1, 101), 1, scheduler, 2);
/// while let Next::Run(chunk) = handout.next(Slot(0)) {
///     // .. run it, and measure ..
///     handout.finished(Slot(0), chunk, &PhaseTimes::default(), 1);
/// }
/// assert_eq!(handout.unfinished(), 0);
/// # Ok::<(), apportion::Error>(())
/// ```
///
/// A device gets [`Next::Done`] only when every iteration is finished, or after [`Handout::stop`]: until then it may have to take
/// over a failed device's work. A device that the policy left out takes such work only when no other is left.
pub struct Handout {
    scheduler: Box<dyn Scheduler>,
    range: IterRange,
    granule: u64,
    unfinished: u64,
    devices: Vec<Device>,
    /// Devices that are neither lost nor left out by the policy.
    workers: usize,
    living: usize,
    /// Chunks given back by lost devices, handed out again in pieces of about `piece` iterations.
    returned: Vec<IterRange>,
    piece: u64,
    stopped: bool,
}

#[derive(Default)]
struct Device {
    lost: bool,
    /// Has had a chunk from the scheduler.
    took: bool,
    /// Was told `Done` by the scheduler.
    retired: bool,
    in_flight: SmallVec<[InFlight; 1]>,
}

impl Device {
    fn left_out(&self) -> bool {
        self.retired && !self.took
    }
}

/// A chunk that a device has not finished yet.
struct InFlight {
    chunk: IterRange,
    /// Iterations not yet finished.
    open: u64,
    /// The parts that are finished, if it is finished in parts.
    done: Vec<IterRange>,
    times: PhaseTimes,
    /// The number of pieces that these times are of.
    pieces: u64,
    /// Whether it is from the scheduler, which is told when it finishes; else it is from a lost device.
    scheduled: bool,
}

impl InFlight {
    fn new(chunk: IterRange, scheduled: bool) -> Self {
        Self { chunk, open: chunk.len(), done: Vec::new(), times: PhaseTimes::default(), pieces: 0, scheduled }
    }
}

impl std::fmt::Debug for Handout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handout")
            .field("range", &self.range)
            .field("unfinished", &self.unfinished)
            .field("living", &self.living)
            .finish_non_exhaustive()
    }
}

impl Handout {
    /// Hands out the iterations `range` to `devices` devices, by a scheduler over `ceil(len / granule)` granules as
    /// [`Policy::start`](super::Policy::start) makes it. A granule of 0 counts as 1.
    pub fn new(range: IterRange, granule: u64, scheduler: Box<dyn Scheduler>, devices: usize) -> Self {
        Self {
            scheduler,
            range: IterRange::new(range.start, range.end),
            granule: granule.max(1),
            unfinished: range.len(),
            devices: (0..devices).map(|_| Device::default()).collect(),
            workers: devices,
            living: devices,
            returned: Vec::new(),
            piece: 0,
            stopped: false,
        }
    }

    /// The next chunk of `device`, in the loop's own iterations. After [`Next::WaitForOthers`] ask again when
    /// [`Handout::epoch`] has changed.
    pub fn next(&mut self, device: Slot) -> Next {
        let Some(asking) = self.devices.get_mut(device.0) else { return Next::Done };
        if self.stopped || self.unfinished == 0 || asking.lost {
            return Next::Done;
        }
        if !asking.retired {
            match self.scheduler.next(device) {
                Next::Run(granules) => {
                    let chunk = to_iterations(self.range, self.granule, granules);
                    asking.took = true;
                    asking.in_flight.push(InFlight::new(chunk, true));
                    return Next::Run(chunk);
                }
                Next::WaitForOthers => {}
                Next::Done => {
                    asking.retired = true;
                    if !asking.took {
                        self.workers -= 1;
                    }
                }
            }
        }
        if asking.left_out() && self.workers > 0 {
            return Next::WaitForOthers;
        }
        let Some(chunk) = take_piece(&mut self.returned, self.piece, self.range.start, self.granule) else {
            return Next::WaitForOthers;
        };
        asking.in_flight.push(InFlight::new(chunk, false));
        Next::Run(chunk)
    }

    /// Whether the policy had nothing for `device` when it first asked. Such a device gets work only once no other device is
    /// left.
    pub fn is_left_out(&self, device: Slot) -> bool {
        self.devices.get(device.0).is_some_and(Device::left_out)
    }

    /// `device` has finished `chunk`, or a part of one, in `times`, as so many pieces; parts add up. A chunk that it does not have is
    /// ignored.
    pub fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        let Some(finisher) = self.devices.get_mut(device.0).filter(|_| chunk.start <= chunk.end) else { return };
        let holds = |held: &InFlight| held.chunk.start <= chunk.start && chunk.end <= held.chunk.end;
        let Some(place) = finisher.in_flight.iter().position(holds) else { return };
        let held = &mut finisher.in_flight[place];
        if held.done.iter().any(|part| part.start < chunk.end && chunk.start < part.end) {
            return;
        }
        held.open -= chunk.len();
        held.times += *times;
        held.pieces += pieces;
        self.unfinished -= chunk.len();
        if held.open > 0 {
            held.done.push(chunk);
            return;
        }
        let held = finisher.in_flight.remove(place);
        if held.scheduled {
            let granules = to_granules(self.range, self.granule, held.chunk);
            self.scheduler.finished(device, granules, &held.times, held.pieces);
        }
    }

    /// `device` has failed. Other devices get its unfinished chunks, and what was set aside for it.
    ///
    /// `unfinished` says which parts of its chunks have no result. A chunk that it does not mention goes back as a whole; of one
    /// that it mentions in part, the rest counts as finished.
    pub fn lost(&mut self, device: Slot, unfinished: &[IterRange]) {
        let Some(loser) = self.devices.get_mut(device.0) else { return };
        if std::mem::replace(&mut loser.lost, true) {
            return;
        }
        self.living -= 1;
        if !loser.left_out() {
            self.workers -= 1;
        }
        for held in loser.in_flight.drain(..) {
            let mut settled = held.done;
            let mentioned: Vec<IterRange> = unfinished
                .iter()
                .map(|part| IterRange::new(part.start.max(held.chunk.start), part.end.min(held.chunk.end)))
                .filter(|part| !part.is_empty())
                .collect();
            let mut open = 0;
            for part in if mentioned.is_empty() { vec![held.chunk] } else { mentioned } {
                for rest in minus(part, &settled) {
                    open += rest.len();
                    settled.push(rest);
                    self.returned.push(rest);
                }
            }
            self.unfinished -= held.open - open;
        }
        for granules in self.scheduler.lost(device) {
            self.returned.push(to_iterations(self.range, self.granule, granules));
        }
        let total: u64 = self.returned.iter().map(|part| part.len()).sum();
        let takers = if self.workers > 0 { self.workers } else { self.living };
        self.piece = total.div_ceil(takers.max(1) as u64).max(1);
    }

    /// Hands out nothing more: every device gets [`Next::Done`].
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Changes whenever devices that were told [`Next::WaitForOthers`] should ask again: on a new stage, a lost device, when only
    /// left-out devices remain, and at the end. Compare it after each call; most finished chunks wake no device.
    pub fn epoch(&self) -> u64 {
        let over = self.stopped || self.unfinished == 0;
        let lost = (self.devices.len() - self.living) as u64;
        u64::from(self.scheduler.stage()) | lost << 32 | u64::from(self.workers == 0) << 62 | u64::from(over) << 63
    }

    /// Iterations without a result.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// Devices that are not lost. Once none is left, unfinished iterations stay unfinished.
    pub fn living(&self) -> usize {
        self.living
    }

    /// What the policy has decided so far.
    pub fn decision(&self) -> Decision {
        self.scheduler.decision()
    }
}

/// Converts granules, counted from 0, to iterations of `range`; only the last granule may be short.
fn to_iterations(range: IterRange, granule: u64, granules: IterRange) -> IterRange {
    let at = |g: u64| range.start.saturating_add(g.saturating_mul(granule)).min(range.end);
    IterRange::new(at(granules.start), at(granules.end))
}

fn to_granules(range: IterRange, granule: u64, chunk: IterRange) -> IterRange {
    IterRange::new((chunk.start - range.start) / granule, (chunk.end - range.start).div_ceil(granule))
}

/// The parts of `range` that lie in none of `parts`.
fn minus(range: IterRange, parts: &[IterRange]) -> Vec<IterRange> {
    let mut left = vec![range];
    for part in parts {
        let outside = |r: IterRange| {
            let before = IterRange::new(r.start, r.end.min(part.start.max(r.start)));
            let after = IterRange::new(r.start.max(part.end.min(r.end)), r.end);
            [before, after].into_iter().filter(|piece| !piece.is_empty())
        };
        left = left.into_iter().flat_map(outside).collect();
    }
    left
}

/// The next part of what was given back: `piece` iterations, extended to a whole granule, or the rest of the last range.
fn take_piece(returned: &mut Vec<IterRange>, piece: u64, origin: u64, granule: u64) -> Option<IterRange> {
    let last = returned.last_mut()?;
    let end = (last.start - origin).saturating_add(piece).div_ceil(granule).saturating_mul(granule);
    let part = last.take_front(end.saturating_add(origin) - last.start);
    if last.is_empty() {
        returned.pop();
    }
    Some(part)
}
