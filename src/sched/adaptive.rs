//! ADAPTIVE: whoever asks gets a part of `SPLIT(f_i + a2_i, bhat_i, r)`, made anew each time; nobody waits for a sample.
//! Not one of HOMP's. While a device runs its sample the others go on (Kaleem et al., PACT 2014: asymmetric profiling),
//! by parts of what is left that get smaller (Hummel, Schonberg, Flynn, CACM 1992: factoring).
//!
//! `r` iterations are left, `f_i` is when the device is free, `a2_i` what a chunk costs anyway, `bhat_i` its pace.
//!
//! There is no clock here. As nobody waits, the times of what a device has finished add up to the time since the loop's
//! start; the largest of these sums is the present, and a device from which more should have come by then is late.
//!
//! How much of its share of `r` a device gets at once:
//!
//! - three sub-chunks of the sample first. The first is cold and counts for nothing once there is another;
//! - then twice as much as before, at most half of the share, while another device has not been measured;
//! - then two thirds of the share: a device that takes half as long again as measured is still back before the others are
//!   done, and what it lacks is shared anew;
//! - half of it, which allows for twice the time, where its measurements differ by more than 30 %, and in the tail;
//! - all of it, where that is about one least chunk.
//!
//! A device whose stages overlap gets these parts in two chunks, of which it has both in flight.

use super::policy::{Policy, PolicyEntry, Problem, check_percent, keyed};
use super::profile::{fallback, measured_pace, sample_percent};
use super::{Decision, Next, Scheduler};
use crate::error::{Error, Phase, Result};
use crate::model::split::Level;
use crate::model::{DeviceCost, LinearCost, subchunks};
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
/// A chunk takes at least so many times as long as what it costs anyway.
const WORTH: f64 = 4.0;
/// Least chunks in a device's part of the tail.
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
    /// The latest time since the start that finished chunks prove to have come.
    now: Seconds,
    tail: u64,
    /// `tail` over [`LEAST_IN_TAIL`].
    least: f64,
    stage: u32,
    /// Somebody was told to wait in this stage.
    waited_for: bool,
    outlook: Option<Outlook>,
}

struct Device {
    cost: DeviceCost,
    lost: bool,
    /// A sub-chunk of its sample.
    sample: u64,
    /// No chunk should take less.
    worth: Seconds,
    /// When it finished what it has finished, or began.
    clock: Seconds,
    in_flight: Vec<IterRange>,
    /// Chunks that it ever got, and how long the last one was.
    chunks: u64,
    last: u64,
    finished: u64,
    /// Lengths and paces of all its chunks but the first, the latest of them.
    warm: Vec<(u64, Seconds)>,
    /// The median of these, or of its first chunk where there is no other.
    pace: Option<Seconds>,
    noisy: bool,
    told_to_wait: Option<u32>,
    held_back: bool,
    unmeasurable: bool,
}

/// How the rest would be split at present.
struct Outlook {
    /// By device, unless it is lost: when it is free, with what a chunk costs anyway, and its pace.
    costs: Vec<Option<LinearCost>>,
    /// When all would be done, after the present.
    level: Seconds,
    /// The paces of all, as `1 / sum 1/b`.
    together: Seconds,
    /// A sample is not yet done, and worth waiting for.
    unknown: bool,
}

impl Device {
    /// The median, weighed by iterations: half of them went at this pace or faster. Short chunks hardly count once
    /// there are long ones, which tell more of what is to come.
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

    /// Neither measured nor before its first chunk.
    fn sampling(&self) -> bool {
        self.chunks > 0 && self.warm.is_empty()
    }

    fn once(&self) -> Seconds {
        if self.finished == 0 { self.cost.once } else { Seconds::ZERO }
    }

    /// When it is free, and its pace; both counting from what is known of it at `now`.
    fn outlook(&self, now: Seconds, scale: f64) -> LinearCost {
        let mut pace = self.pace.unwrap_or(self.cost.effective() * scale);
        let mut free = self.clock.max(now);
        let out: u64 = self.in_flight.iter().map(|chunk| chunk.len()).sum();
        if out > 0 {
            let start = self.clock + self.once() + self.cost.per_chunk() * self.in_flight.len() as f64;
            free = start + pace * out as f64;
            if free < now {
                // Late, so slower than thought, and likely to be late for as long again.
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

    /// The quotient of what was measured and what the model says, in the middle of those measured: a device that has not
    /// been is likely as far off.
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
        // The deadline of a sample: when the others can do all that is left before it is likely to be there.
        let unknown = |(device, cost): (&Device, &Option<LinearCost>)| {
            device.sampling() && cost.is_some_and(|cost| cost.fixed < level)
        };
        let unknown = self.devices.iter().zip(&costs).any(unknown);
        Outlook { costs, level, together: Seconds(fastest / weights), unknown }
    }

    /// How many iterations the device gets now; 0 where all others are done before it were with the first of them.
    fn length(&mut self, d: usize) -> u64 {
        let left = self.left.len();
        if self.outlook.is_none() {
            self.outlook = Some(self.look_out());
        }
        let (device, Some(outlook)) = (&self.devices[d], &self.outlook) else { return left };
        let share = match outlook.costs[d] {
            Some(cost) if cost.fixed < outlook.level => {
                (((outlook.level - cost.fixed) / cost.per_iteration) as u64).clamp(1, left)
            }
            // Rounded times of any size come here: where nobody is at work, nobody will be done before.
            _ if self.devices.iter().all(|other| other.lost || other.in_flight.is_empty()) => left,
            _ => return 0,
        };
        let pace = outlook.costs[d].map_or(device.cost.effective(), |cost| cost.per_iteration);
        let least = (device.worth / pace).max(self.least * (outlook.together / pace)).min(left as f64) as u64;
        let least = least.max(1);
        // What it has in flight is a part of what it gets without coming back.
        let out: u64 = device.in_flight.iter().map(|chunk| chunk.len()).sum();
        let whole = share.saturating_add(out);
        let sampling = device.chunks == 0 || device.warm.len() as u64 + 1 < SAMPLES;
        let careful = sampling || outlook.unknown || left <= self.tail || device.noisy;
        let mut length = (if careful { whole.div_ceil(2) } else { whole - whole / 3 }).saturating_sub(out);
        if device.in_flight.is_empty() && device.cost.overlaps() {
            // The next one follows at once.
            length = length.div_ceil(2);
        }
        if sampling {
            length = length.min(device.sample);
        } else if outlook.unknown {
            length = length.min(device.last.saturating_mul(2));
        }
        match share - length.min(share) {
            // What is left of its share would be less than a chunk.
            rest if rest < least => share,
            _ if sampling => length,
            _ => length.max(least),
        }
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
                // Whoever waits asks again when something has happened, and not before.
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

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes) {
        let now = self.now;
        let Some(finisher) = self.devices.get_mut(device.0) else { return };
        let Some(place) = finisher.in_flight.iter().position(|&held| held == chunk) else { return };
        finisher.in_flight.remove(place);
        let cost = finisher.cost;
        let length = chunk.len();
        let stages = [times[Phase::To], times[Phase::Kernel], times[Phase::From]];
        let mut busy = cost.pace(stages);
        if finisher.finished == 0 {
            // A first piece has gone through the other stages before the slowest is busy.
            busy += (stages.into_iter().sum::<Seconds>() - busy) / subchunks(&cost, length) as f64;
            let begun = times[Phase::Init];
            busy += if begun.0 > 0.0 { begun } else { cost.once };
        }
        let expected = finisher.once() + cost.per_chunk() + cost.effective() * length as f64;
        // Times that cannot be are not to spoil the sums.
        let busy = if busy.0.is_finite() && busy.0 >= 0.0 { busy } else { expected };
        finisher.clock = (finisher.clock + busy).max(now);
        let pace = measured_pace(&cost, length, times);
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
        // Nothing is set aside for anybody.
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
                decision.notes.push(format!(
                    "profiled=false for device {i} of the loop: its sample was too short to measure; its model was used"
                ));
            }
        }
        decision
    }
}
