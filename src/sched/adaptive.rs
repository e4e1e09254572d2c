//! ADAPTIVE: a device that asks gets a part of `SPLIT(f_i + a2_i, bhat_i, r)`, computed anew each time; none waits for a sample.
//! Not one of HOMP's. While a device runs its sample the others go on (Kaleem et al., PACT 2014: asymmetric profiling),
//! by parts of what is left that get smaller (Hummel, Schonberg, Flynn, CACM 1992: factoring).
//!
//! `r` iterations are left, `f_i` is when the device is free, `a2_i` its cost per chunk, `bhat_i` its pace.
//!
//! There is no clock here. As no device waits, the times of its finished chunks add up to the time since the loop's start. The
//! largest of these sums is the present, and a device that should have finished a chunk by then is late.
//!
//! The part of its share of `r` that a device gets at once:
//!
//! - first three sub-chunks of the sample. The first is cold and counts for nothing once there is another;
//! - then twice as much as before, at most half of the share, while another device has not been measured;
//! - then two thirds of the share: a device that takes half as long again as measured still returns before the others are done,
//!   and the rest of its share is divided anew;
//! - half of the share, which allows for twice the time, if its measurements differ by more than 30 %, and in the tail;
//! - all of the share, if that is about one least chunk.
//!
//! A device whose stages overlap gets these parts in two chunks, of which it has both in flight.

use super::policy::{Policy, PolicyEntry, Problem, check_percent, keyed};
use super::profile::{fallback, measured_pace, sample_percent};
use super::{Decision, Next, Scheduler};
use crate::error::{Error, Phase, Result};
use crate::model::split::Level;
use crate::model::{DeviceCost, LinearCost};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::{Percent, Seconds};

const DEFAULT_SAMPLE: Percent = Percent::from_millionths(30_000);
const DEFAULT_TAIL: Percent = Percent::from_millionths(50_000);

/// Sub-chunks of a sample, the cold one included.
const SAMPLES: u64 = 3;
/// Measurements that differ by more than this part of their median are noisy.
const NOISY: f64 = 0.3;
/// Measurements of a device that are kept: a pace that drifts is followed.
const KEPT: usize = 8;
/// A chunk takes at least this many times as long as its cost per chunk.
const WORTH: f64 = 4.0;
/// Number of least chunks in a device's part of the tail.
const LEAST_IN_TAIL: f64 = 8.0;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "ADAPTIVE",
    short: &[],
    summary: "samples for whose end nobody waits, then shrinking shares by what was measured so far",
    parameter: "`sample=3%` (default) of the loop, of all devices together; `tail=5%` (default), its end in small chunks",
    takes_cutoff: false,
    stages: 2,
    parse: |words| {
        let [sample, tail] = keyed("ADAPTIVE", words, ["sample", "tail"])?;
        Ok(Policy::Adaptive {
            sample: sample.map_or(Ok(DEFAULT_SAMPLE), sample_percent)?,
            tail: tail.map_or(Ok(DEFAULT_TAIL), tail_percent)?,
        })
    },
    build: |policy, problem| {
        let Policy::Adaptive { sample, tail } = *policy else {
            return Err(Error::call("ADAPTIVE was given no sample"));
        };
        Ok(Box::new(Adaptive::new(problem, sample, tail)?))
    },
};

fn tail_percent(text: &str) -> Result<Percent, String> {
    let percent: Percent = text.parse()?;
    check_percent("a tail", percent)?;
    Ok(percent)
}

struct Adaptive {
    left: IterRange,
    devices: Vec<Device>,
    /// The present: the latest time since the start that finished chunks prove.
    now: Seconds,
    tail: u64,
    /// `tail` over [`LEAST_IN_TAIL`].
    least: f64,
    stage: u32,
    /// A device was told to wait in this stage.
    waited_for: bool,
    outlook: Option<Outlook>,
}

struct Device {
    cost: DeviceCost,
    lost: bool,
    /// Iterations of a sub-chunk of its sample.
    sample: u64,
    /// The least time of a chunk.
    worth: Seconds,
    /// When it finished its last finished chunk, or began.
    clock: Seconds,
    in_flight: Vec<IterRange>,
    /// Number of chunks it ever got, and the length of the last one.
    chunks: u64,
    last: u64,
    finished: u64,
    /// Lengths and paces of the last few chunks, without the very first.
    warm: Vec<(u64, Seconds)>,
    /// The median of these paces, or the pace of its first chunk if there is no other.
    pace: Option<Seconds>,
    noisy: bool,
    told_to_wait: Option<u32>,
    held_back: bool,
    unmeasurable: bool,
}

/// The split of the rest as it stands now.
struct Outlook {
    /// For each device, unless it is lost: when it is free, including its cost per chunk, and its pace.
    costs: Vec<Option<LinearCost>>,
    /// When all would be done, counted from the present.
    level: Seconds,
    /// The paces of all, as `1 / sum 1/b`.
    together: Seconds,
    /// A sample is still running and worth waiting for.
    unknown: bool,
}

impl Device {
    /// Takes the median weighted by iterations: half of them ran at this pace or faster. Long chunks, which predict the rest
    /// better, so outweigh short ones.
    fn judge(&mut self) {
        let mut paces = self.warm.clone();
        paces.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let half = paces.iter().map(|&(length, _)| u128::from(length)).sum::<u128>().div_ceil(2);
        let mut sum = 0;
        let median = paces.iter().find(|(length, _)| {
            sum += u128::from(*length);
            sum >= half
        });
        if let (Some(&(_, median)), Some((_, low)), Some((_, high))) = (median, paces.first(), paces.last()) {
            self.pace = Some(median);
            self.noisy = *high - *low > median * NOISY;
        }
    }

    /// Its first chunk is out, and there is no warm measurement yet.
    fn sampling(&self) -> bool {
        self.chunks > 0 && self.warm.is_empty()
    }

    fn once(&self) -> Seconds {
        if self.finished == 0 { self.cost.once } else { Seconds::ZERO }
    }

    /// When it is free, counted from `now`, and its pace.
    fn outlook(&self, now: Seconds, scale: f64) -> LinearCost {
        let mut pace = self.pace.unwrap_or(self.cost.effective() * scale);
        let mut free = self.clock.max(now);
        let out: u64 = self.in_flight.iter().map(|chunk| chunk.len()).sum();
        if out > 0 {
            let start = self.clock + self.once() + self.cost.per_chunk() * self.in_flight.len() as f64;
            free = start + pace * out as f64;
            if free < now {
                // It is late: slower than expected, and likely to take as long again.
                pace = (now - start) / out as f64;
                free = now + (now - free);
            }
        }
        let begin = if self.chunks == 0 { self.cost.once } else { Seconds::ZERO };
        LinearCost { fixed: (free - now).max(Seconds::ZERO) + begin + self.cost.per_chunk(), per_iteration: pace }
    }
}

impl Adaptive {
    fn new(problem: &Problem, sample: Percent, tail: Percent) -> Result<Self> {
        crate::model::split::check(&problem.devices.iter().map(DeviceCost::linear).collect::<Vec<_>>())?;
        let n = problem.iterations;
        let paces = || problem.devices.iter().map(|cost| cost.effective().0);
        let fastest = paces().fold(f64::INFINITY, f64::min);
        let together = fastest / paces().map(|pace| fastest / pace).sum::<f64>();
        let sampled = Seconds(sample.fraction() * n as f64 * together / SAMPLES as f64);
        let measurable = Seconds(problem.min_sample.div_ceil(problem.granule) as f64 * fastest);
        let device = |cost: &DeviceCost| {
            let worth = measurable.max(cost.per_chunk() * WORTH);
            Device {
                cost: *cost,
                lost: false,
                sample: ((sampled.max(measurable).max(cost.per_chunk() * 2.0) / cost.effective()).round() as u64)
                    .max(1),
                worth,
                clock: Seconds::ZERO,
                in_flight: Vec::new(),
                chunks: 0,
                last: 0,
                finished: 0,
                warm: Vec::with_capacity(KEPT),
                pace: None,
                noisy: false,
                told_to_wait: None,
                held_back: false,
                unmeasurable: false,
            }
        };
        Ok(Self {
            left: IterRange::new(0, n),
            devices: problem.devices.iter().map(device).collect(),
            now: Seconds::ZERO,
            tail: tail.of_ceil(n),
            least: tail.fraction() * n as f64 / LEAST_IN_TAIL,
            stage: 1,
            waited_for: false,
            outlook: None,
        })
    }

    /// The lower median of measured over modelled pace: a device that has not been measured is likely as far off.
    fn scale(&self) -> f64 {
        let quotient = |device: &Device| Some(device.pace? / device.cost.effective());
        let mut quotients: Vec<f64> = self.devices.iter().filter_map(quotient).collect();
        quotients.sort_by(f64::total_cmp);
        quotients.get(quotients.len().saturating_sub(1) / 2).copied().unwrap_or(1.0)
    }

    fn look_out(&self) -> Outlook {
        let scale = self.scale();
        let outlook = |device: &Device| (!device.lost).then(|| device.outlook(self.now, scale));
        let costs: Vec<_> = self.devices.iter().map(outlook).collect();
        let known: Vec<LinearCost> = costs.iter().flatten().copied().collect();
        let fastest = known.iter().map(|cost| cost.per_iteration.0).fold(f64::INFINITY, f64::min);
        let weights: f64 = known.iter().map(|cost| fastest / cost.per_iteration.0).sum();
        let level = Level::of(&known, self.left.len()).time;
        // A sample is worth waiting for if it is likely to end before the others can do all that is left.
        let unknown = |(device, cost): (&Device, &Option<LinearCost>)| {
            device.sampling() && cost.is_some_and(|cost| cost.fixed < level)
        };
        let unknown = self.devices.iter().zip(&costs).any(unknown);
        Outlook { costs, level, together: Seconds(fastest / weights), unknown }
    }

    /// How many iterations the device gets now; 0 if the others finish everything before it would begin the first of them.
    fn length(&mut self, d: usize) -> u64 {
        let left = self.left.len();
        if self.outlook.is_none() {
            self.outlook = Some(self.look_out());
        }
        let (device, Some(outlook)) = (&self.devices[d], &self.outlook) else { return left };
        let share = match outlook.costs[d] {
            Some(cost) if cost.fixed < outlook.level && !self.is_premature(d) => {
                (((outlook.level - cost.fixed) / cost.per_iteration) as u64).clamp(1, left)
            }
            // Rounding can lead here with times of any size: no device is at work, and none would begin.
            _ if self.devices.iter().all(|other| other.lost || other.in_flight.is_empty())
                && !outlook.costs.iter().flatten().any(|cost| cost.fixed < outlook.level) =>
            {
                left
            }
            _ => return 0,
        };
        let pace = outlook.costs[d].map_or(device.cost.effective(), |cost| cost.per_iteration);
        let least = (device.worth / pace).max(self.least * (outlook.together / pace)).min(left as f64) as u64;
        let least = least.max(1);
        // Iterations in flight count towards what it gets before it comes back.
        let out: u64 = device.in_flight.iter().map(|chunk| chunk.len()).sum();
        let whole = share.saturating_add(out);
        let sampling = device.chunks == 0 || device.warm.len() as u64 + 1 < SAMPLES;
        let careful = sampling || outlook.unknown || left <= self.tail || device.noisy;
        let mut length = (if careful { whole.div_ceil(2) } else { whole - whole / 3 }).saturating_sub(out);
        if device.in_flight.is_empty() && device.cost.overlaps() {
            // The second chunk follows at once.
            length = length.div_ceil(2);
        }
        if sampling {
            length = length.min(device.sample);
        } else if outlook.unknown {
            length = length.min(device.last.saturating_mul(2));
        }
        match share - length.min(share) {
            // The remainder of its share would be less than a chunk.
            rest if rest < least => share,
            _ if sampling => length,
            _ => length.max(least),
        }
    }

    /// Whether the device should not begin yet, although it would by the paces of others' first chunks: these are cold, and count
    /// for nothing once there are others.
    fn is_premature(&self, d: usize) -> bool {
        let (device, now) = (&self.devices[d], self.now);
        let cold = |other: &Device| !other.lost && other.finished > 0 && other.warm.is_empty();
        if device.chunks > 0 || !self.devices.iter().any(cold) {
            return false;
        }
        let expected = |other: &Device| {
            let cost = other.outlook(now, 1.0);
            // What is late is slow, cold or not.
            let cold = cold(other) && other.pace == Some(cost.per_iteration);
            let pace = if cold { cost.per_iteration.min(other.cost.effective()) } else { cost.per_iteration };
            LinearCost { per_iteration: pace, ..cost }
        };
        let known: Vec<LinearCost> = self.devices.iter().filter(|other| !other.lost).map(expected).collect();
        let level = Level::of(&known, self.left.len()).time;
        // Rounding: some other must begin.
        expected(device).fixed >= level && known.iter().any(|cost| cost.fixed < level)
    }

    fn changed(&mut self) {
        self.outlook = None;
        if std::mem::take(&mut self.waited_for) {
            self.stage = self.stage.wrapping_add(1);
        }
    }
}

impl Scheduler for Adaptive {
    fn next(&mut self, device: Slot) -> Next {
        let stage = self.stage;
        let now = self.now;
        match self.devices.get(device.0) {
            Some(asking) if !asking.lost && !self.left.is_empty() => {
                // A device that waits gets another answer only after something has happened.
                if asking.told_to_wait == Some(stage) {
                    return Next::WaitForOthers;
                }
            }
            _ => return Next::Done,
        }
        let length = self.length(device.0);
        let asking = &mut self.devices[device.0];
        if length == 0 {
            asking.told_to_wait = Some(stage);
            asking.held_back |= asking.chunks == 0;
            self.waited_for = true;
            return Next::WaitForOthers;
        }
        let chunk = self.left.take_front(length);
        if asking.in_flight.is_empty() {
            asking.clock = asking.clock.max(now);
        }
        asking.chunks += 1;
        asking.last = chunk.len();
        asking.in_flight.push(chunk);
        self.outlook = None;
        Next::Run(chunk)
    }

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        let now = self.now;
        let Some(finisher) = self.devices.get_mut(device.0) else { return };
        let Some(place) = finisher.in_flight.iter().position(|&held| held == chunk) else { return };
        finisher.in_flight.remove(place);
        let cost = finisher.cost;
        let length = chunk.len();
        let stages = [times[Phase::To], times[Phase::Kernel], times[Phase::From]];
        let mut busy = cost.pace(stages);
        if finisher.finished == 0 {
            // A first piece goes through the other stages before the slowest one is busy.
            busy += (stages.into_iter().sum::<Seconds>() - busy) / pieces.max(1) as f64;
            let begun = times[Phase::Init];
            busy += if begun.0 > 0.0 { begun } else { cost.once };
        }
        let expected = finisher.once() + cost.per_chunk() + cost.effective() * length as f64;
        // Impossible times must not spoil the sums.
        let busy = if busy.0.is_finite() && busy.0 >= 0.0 { busy } else { expected };
        finisher.clock = (finisher.clock + busy).max(now);
        let pace = measured_pace(&cost, length, times, pieces);
        let measurable = pace.0.is_finite() && pace.0 > 0.0;
        let pace = if measurable { pace } else { fallback(&cost).per_iteration };
        if finisher.finished == 0 {
            finisher.pace = Some(pace);
            finisher.unmeasurable = !measurable;
        } else {
            if finisher.warm.len() == KEPT {
                finisher.warm.remove(0);
            }
            finisher.warm.push((length, pace));
            finisher.judge();
            finisher.unmeasurable &= !measurable;
        }
        finisher.finished += 1;
        self.now = finisher.clock;
        self.changed();
    }

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        if let Some(loser) = self.devices.get_mut(device.0) {
            loser.lost = true;
            loser.in_flight.clear();
            self.changed();
        }
        // The policy sets nothing aside for a device, but nobody asks for the rest any more.
        if self.devices.iter().all(|device| device.lost) && !self.left.is_empty() {
            let rest = self.left;
            self.left = IterRange::new(rest.end, rest.end);
            return vec![rest];
        }
        Vec::new()
    }

    fn stage(&self) -> u32 {
        self.stage
    }

    fn decision(&self) -> Decision {
        let mut decision = Decision::default();
        for (i, device) in self.devices.iter().enumerate().filter(|(_, device)| !device.lost) {
            if device.held_back && device.chunks == 0 {
                let reason = format!("its fixed cost of {} is past the finish of the others", device.cost.fixed());
                decision.left_out.push((Slot(i), reason));
            }
            if device.unmeasurable {
                decision.unprofiled.push(Slot(i));
            }
        }
        decision
    }
}
