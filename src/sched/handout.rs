//! The interface between a policy and what runs its chunks: the proxies, under one lock, or the simulator.
//!
//! It turns the scheduler's granules into the loop's own iterations, tracks which are out and which are done, and hands on the
//! work of a failed device.

use super::by_work::{ByWork, Work};
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
pub struct Handout<'w> {
    scheduler: Box<dyn Scheduler>,
    range: IterRange,
    granule: u64,
    by_work: Option<ByWork<'w>>,
    unfinished: u64,
    devices: Vec<Device>,
    /// Devices that are neither lost nor left out by the policy.
    workers: usize,
    living: usize,
    /// Chunks given back by lost devices, handed out again in pieces of about `piece` iterations, or of as much work.
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
    /// What it is to the scheduler, which is told when it finishes; `None` if it is from a lost device.
    granules: Option<IterRange>,
}

impl InFlight {
    fn new(chunk: IterRange, granules: Option<IterRange>) -> Self {
        Self { chunk, open: chunk.len(), done: Vec::new(), times: PhaseTimes::default(), pieces: 0, granules }
    }
}

impl std::fmt::Debug for Handout<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handout")
            .field("range", &self.range)
            .field("unfinished", &self.unfinished)
            .field("living", &self.living)
            .finish_non_exhaustive()
    }
}

impl<'w> Handout<'w> {
    /// Hands out the iterations `range` to `devices` devices, by a scheduler over `ceil(len / granule)` granules as
    /// [`Policy::start`](super::Policy::start) makes it. A granule of 0 counts as 1.
    pub fn new(range: IterRange, granule: u64, scheduler: Box<dyn Scheduler>, devices: usize) -> Self {
        Self {
            scheduler,
            range: IterRange::new(range.start, range.end),
            granule: granule.max(1),
            by_work: None,
            unfinished: range.len(),
            devices: (0..devices).map(|_| Device::default()).collect(),
            workers: devices,
            living: devices,
            returned: Vec::new(),
            piece: 0,
            stopped: false,
        }
    }

    /// Cuts by work where iterations differ in it: a chunk of some granules has the iterations that are their part of the work.
    pub fn by_work(mut self, work: &'w dyn Work) -> Self {
        self.by_work = Some(ByWork::new(work, self.range, self.granule));
        self
    }

    /// The next chunk of `device`, in the loop's own iterations. After [`Next::WaitForOthers`] ask again when
    /// [`Handout::epoch`] has changed.
    pub fn next(&mut self, device: Slot) -> Next {
        let Some(asking) = self.devices.get_mut(device.0) else { return Next::Done };
        if self.stopped || self.unfinished == 0 || asking.lost {
            return Next::Done;
        }
        while !asking.retired {
            match self.scheduler.next(device) {
                Next::Run(granules) => {
                    let chunk = to_iterations(self.range, self.granule, self.by_work.as_ref(), granules);
                    // An iteration beside it has its work. To the policy it is done, so the device gets the next one.
                    if chunk.is_empty() {
                        self.scheduler.finished(device, granules, &PhaseTimes::default(), 0);
                        continue;
                    }
                    asking.took = true;
                    asking.in_flight.push(InFlight::new(chunk, Some(granules)));
                    return Next::Run(chunk);
                }
                Next::WaitForOthers => break,
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
        let end = |last: IterRange| match &self.by_work {
            Some(by_work) => by_work.take(last.start, last.end, self.piece),
            None => granules_from(last.start, self.piece, self.range.start, self.granule),
        };
        let Some(chunk) = take_piece(&mut self.returned, end) else { return Next::WaitForOthers };
        asking.in_flight.push(InFlight::new(chunk, None));
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
        if let Some(granules) = held.granules {
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
        let (range, granule, by_work) = (self.range, self.granule, self.by_work.as_ref());
        let back = self.scheduler.lost(device).into_iter().map(|part| to_iterations(range, granule, by_work, part));
        self.returned.extend(back.filter(|part| !part.is_empty()));
        let length = |part: &IterRange| by_work.map_or(part.len(), |by_work| by_work.places(*part));
        let total: u64 = self.returned.iter().map(length).sum();
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
fn to_iterations(range: IterRange, granule: u64, by_work: Option<&ByWork<'_>>, granules: IterRange) -> IterRange {
    let at = |g: u64| match (by_work, g.saturating_mul(granule)) {
        (None, place) => range.start.saturating_add(place).min(range.end),
        (Some(by_work), place) => by_work.iteration(place),
    };
    IterRange::new(at(granules.start), at(granules.end))
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

/// The end of `piece` iterations from `start` on, extended to a whole granule.
fn granules_from(start: u64, piece: u64, origin: u64, granule: u64) -> u64 {
    (start - origin).saturating_add(piece).div_ceil(granule).saturating_mul(granule).saturating_add(origin)
}

/// The next part of what was given back, up to `end` of the last range, or the rest of that.
fn take_piece(returned: &mut Vec<IterRange>, end: impl Fn(IterRange) -> u64) -> Option<IterRange> {
    let last = returned.last_mut()?;
    let part = last.take_front(end(*last) - last.start);
    if last.is_empty() {
        returned.pop();
    }
    Some(part)
}
