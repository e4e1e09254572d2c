//! Common parts of the two profiling policies: samples at fixed places, one snapshot, one plan for the rest.

use super::block::Blocks;
use super::cutoff::{Known, plan};
use super::policy::{Problem, check_percent};
use super::{Cutoff, Decision, Next, Scheduler};
use crate::error::{Phase, Result};
use crate::model::contention::Splits;
use crate::model::split::layout;
use crate::model::{DeviceCost, LinearCost, Shared};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::{Percent, Seconds};

/// The parameter of a profiling policy.
pub(super) fn sample_percent(text: &str) -> Result<Percent, String> {
    let percent: Percent = text.parse()?;
    check_percent("a sample", percent)?;
    Ok(percent)
}

/// Stage 1 hands each device its sample. The last sample to finish triggers the plan for the rest, from all measurements at once:
/// no device sees half of them, and their order of arrival does not matter.
pub(super) struct Profiled {
    samples: Vec<Sample>,
    /// Number of samples neither measured nor lost.
    open: usize,
    rest: IterRange,
    devices: Vec<DeviceCost>,
    types: Vec<String>,
    cutoff: Cutoff,
    /// Stage 2, once it is planned.
    plan: Option<Blocks>,
}

#[derive(Clone, Copy)]
enum Sample {
    Waiting(IterRange),
    Running(IterRange),
    Measured { length: u64, times: PhaseTimes, pieces: u64 },
    Lost,
}

impl Profiled {
    /// Samples of these sizes from the loop's start on, each at least one.
    pub fn new(problem: &Problem, sizes: &[u64]) -> Result<Self> {
        // Check the costs now: they are needed when the samples are in, and an error could not be returned then.
        crate::model::split::check(&problem.devices.iter().map(fallback).collect::<Vec<_>>())?;
        Ok(Self {
            samples: layout(0, sizes).into_iter().map(Sample::Waiting).collect(),
            open: sizes.len(),
            rest: IterRange::new(sizes.iter().sum(), problem.iterations),
            devices: problem.devices.to_vec(),
            types: problem.device_types.iter().map(|&name| name.to_owned()).collect(),
            cutoff: problem.cutoff,
            plan: None,
        })
    }

    fn one_less(&mut self) {
        self.open -= 1;
        if self.open == 0 {
            self.make_plan();
        }
    }

    /// `SPLIT(a2_i, bhat_i, rest)` with a2 = launch, latencies and halo: costs paid once are already paid. All devices are free
    /// at the same time, as all wait for the last sample.
    fn make_plan(&mut self) {
        let (mut notes, mut unprofiled) = (Vec::new(), Vec::new());
        let mut measured = Vec::new();
        let mut costs = vec![LinearCost::default(); self.samples.len()];
        for (i, sample) in self.samples.iter().enumerate() {
            let Sample::Measured { length, times, pieces } = sample else { continue };
            measured.push(i);
            costs[i] = fallback(&self.devices[i]);
            let pace = measured_pace(&self.devices[i], *length, times, *pieces);
            if pace.0.is_finite() && pace.0 > 0.0 {
                costs[i].per_iteration = pace;
            } else {
                unprofiled.push(Slot(i));
            }
        }
        if measured.is_empty() {
            return;
        }
        let types: Vec<&str> = self.types.iter().map(String::as_str).collect();
        // The costs have passed the check, so this plan cannot fail; if it did, all iterations would go to one device. Replicated
        // arrays are on the devices already.
        let shared: Vec<Shared> = Shared::of(&self.devices).iter().map(Shared::again).collect();
        let splits = Splits::new(&costs, shared, &measured, self.rest.len());
        let known = Known { types: &types, splits_by_it: true, ..Known::default() };
        let blocks = plan(&splits, self.cutoff, known).map_or_else(
            |error| {
                let mut counts = vec![0; self.samples.len()];
                counts[measured[0]] = self.rest.len();
                notes.push(format!("profiled=false: {error}"));
                Blocks::new(self.rest.start, &counts)
            },
            |plan| plan.blocks(self.rest.start),
        );
        self.plan = Some(blocks);
        if let Some(plan) = &mut self.plan {
            plan.decision.notes.append(&mut notes);
            plan.decision.unprofiled = unprofiled;
        }
    }
}

/// The model's cost, for a device whose sample took no measurable time.
pub(super) fn fallback(cost: &DeviceCost) -> LinearCost {
    LinearCost { fixed: cost.per_chunk(), per_iteration: cost.effective() }
}

/// `bhat`: each stage's time per iteration without its fixed part; then the slowest stage, or their sum if they do not overlap. The
/// sample went through in so many pieces, each with its own launch and latencies. A stage that took less time than the model
/// expects has a smaller fixed part too: both are then smaller in proportion. Time in [`Phase::Init`] is paid once and does not
/// count.
pub(super) fn measured_pace(cost: &DeviceCost, length: u64, times: &PhaseTimes, pieces: u64) -> Seconds {
    let stage = |phase: Phase, fixed: Seconds, each: Seconds| {
        let (fixed, own) = (fixed * pieces as f64, each * length as f64);
        let (took, expected) = (times[phase], fixed + own);
        let of_iterations = if took < expected { took * (own.0 / expected.0) } else { took - fixed };
        of_iterations / length as f64
    };
    cost.pace([
        stage(Phase::To, cost.to_chunk, cost.to),
        stage(Phase::Kernel, cost.kernel_chunk, cost.kernel),
        stage(Phase::From, cost.from_chunk, cost.from),
    ])
}

impl Scheduler for Profiled {
    fn next(&mut self, device: Slot) -> Next {
        match self.samples.get_mut(device.0) {
            None | Some(Sample::Lost) => Next::Done,
            Some(sample @ &mut Sample::Waiting(range)) => {
                *sample = Sample::Running(range);
                Next::Run(range)
            }
            Some(Sample::Running(_) | Sample::Measured { .. }) => {
                self.plan.as_mut().map_or(Next::WaitForOthers, |plan| plan.next(device))
            }
        }
    }

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        if let Some(sample @ &mut Sample::Running(range)) = self.samples.get_mut(device.0)
            && range == chunk
        {
            *sample = Sample::Measured { length: range.len(), times: *times, pieces };
            self.one_less();
        }
    }

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        let Some(sample) = self.samples.get_mut(device.0) else { return Vec::new() };
        match std::mem::replace(sample, Sample::Lost) {
            Sample::Waiting(range) => {
                self.one_less();
                self.orphaned(vec![range])
            }
            Sample::Running(_) => {
                self.one_less();
                self.orphaned(Vec::new())
            }
            Sample::Measured { .. } => match &mut self.plan {
                Some(plan) => plan.lost(device),
                None => Vec::new(),
            },
            Sample::Lost => Vec::new(),
        }
    }

    fn stage(&self) -> u32 {
        if self.plan.is_some() { 2 } else { 1 }
    }

    fn decision(&self) -> Decision {
        self.plan.as_ref().map(Blocks::decision).unwrap_or_default()
    }
}

impl Profiled {
    /// If no device was measured, there is no plan and never will be: the rest goes back as well.
    fn orphaned(&mut self, mut ranges: Vec<IterRange>) -> Vec<IterRange> {
        if self.open == 0 && self.plan.is_none() && !self.rest.is_empty() {
            ranges.push(std::mem::take(&mut self.rest));
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_that_is_faster_than_its_fixed_part_is_faster_in_both() {
        let us = |us: f64| Seconds(us * 1e-6);
        let cost = DeviceCost { kernel_chunk: us(100.0), kernel: us(1.0), ..DeviceCost::default() };
        for (took, pieces, pace) in [(600.0, 1, 5.0), (300.0, 2, 1.0), (200.0, 1, 1.0), (80.0, 1, 0.4), (30.0, 2, 0.1)]
        {
            let mut times = PhaseTimes::default();
            (times[Phase::Kernel], times[Phase::Init]) = (us(took), us(7e3));
            let got = measured_pace(&cost, 100, &times, pieces);
            assert!((got.0 - pace * 1e-6).abs() < 1e-12, "{took} us in {pieces}: {got:?}");
        }
    }
}
