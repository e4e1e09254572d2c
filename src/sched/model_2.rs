//! MODEL_2_AUTO: `SPLIT(a_i, b_i, n)` by rates, links, latencies and shared capacities (HOMP paper section IV-B.2, with eq. 2-3).

use super::cutoff::{Cutoff, Known, Plan, plan};
use super::policy::{Policy, PolicyEntry, Problem, no_parameters};
use super::recall::Recall;
use crate::error::Result;
use crate::model::contention::Splits;
use crate::model::{DeviceCost, LinearCost, Shared};
use smallvec::SmallVec;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "MODEL_2_AUTO",
    short: &["model_2", "model2"],
    summary: "one block per device, so that all finish together by rates, links and latencies",
    parameter: "",
    takes_cutoff: true,
    stages: 1,
    parse: |words| no_parameters("MODEL_2_AUTO", words).map(|()| Policy::Model2),
    build: |_, problem| {
        static PLANNED: Recall<Plan> = Recall::new();
        Ok(Box::new(PLANNED.answer(problem, || by_model(problem))?.blocks(0)))
    },
};

/// The plan of MODEL_2; a profiling policy uses it too if a loop is too short to sample.
pub(super) fn by_model(problem: &Problem) -> Result<Plan> {
    let costs = linear(problem.devices);
    let all: Vec<usize> = (0..costs.len()).collect();
    by_splits(problem, &Splits::new(&costs, problem.shared(), &all, problem.iterations))
}

/// As `by_model`, with these splits of the problem's devices.
pub(super) fn by_splits<'s>(problem: &'s Problem, splits: &Splits<'s>) -> Result<Plan> {
    // Only a cutoff by benefit asks what the loop takes without some of the devices.
    let sets = if matches!(problem.cutoff, Cutoff::Benefit(_)) { problem.apart } else { &[] };
    let by_themselves: SmallVec<[Vec<LinearCost>; 2]> = sets.iter().map(|set| linear(&set.costs)).collect();
    let apart = sets.iter().zip(&by_themselves).map(|(set, costs)| {
        let devices: SmallVec<[usize; 16]> = set.devices.iter().map(|slot| slot.0).collect();
        let splits = Splits::new(costs, Shared::of(&set.costs), &devices, splits.n);
        (devices, splits)
    });
    let apart: SmallVec<[_; 2]> = apart.collect();
    plan(splits, problem.cutoff, Known { apart: &apart, ..problem.known() })
}

fn linear(costs: &[DeviceCost]) -> Vec<LinearCost> {
    costs.iter().map(DeviceCost::linear).collect()
}
