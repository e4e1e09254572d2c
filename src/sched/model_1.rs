//! MODEL_1_AUTO: `SPLIT(0, F/P_i, n)`, shares in proportion to the sustained operation rates (HOMP paper section IV-B.1).

use super::cutoff::{Known, Plan, plan};
use super::policy::{Policy, PolicyEntry, Problem, no_parameters};
use super::recall::Recall;
use crate::error::Result;
use crate::model::contention::Splits;
use crate::model::split::check;
use crate::model::{DeviceCost, LinearCost};
use crate::units::Seconds;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "MODEL_1_AUTO",
    short: &["model_1", "model1"],
    summary: "one block per device, in proportion to its sustained FLOP/s",
    parameter: "",
    takes_cutoff: true,
    stages: 1,
    parse: |words| no_parameters("MODEL_1_AUTO", words).map(|()| Policy::Model1),
    build: |_, problem| {
        static PLANNED: Recall<Plan> = Recall::new();
        Ok(Box::new(PLANNED.answer(problem, || by_operations(problem))?.blocks(0)))
    },
};

/// The plan by operations alone; only a cutoff by benefit takes the rest into account.
fn by_operations(problem: &Problem) -> Result<Plan> {
    let cost = |cost: &DeviceCost| LinearCost { fixed: Seconds::ZERO, per_iteration: cost.flop_time };
    let costs: Vec<LinearCost> = problem.devices.iter().map(cost).collect();
    let all: Vec<usize> = (0..costs.len()).collect();
    let splits = Splits::new(&costs, problem.shared(), &all, problem.iterations);
    let mut takes: Vec<LinearCost> = problem.devices.iter().map(DeviceCost::linear).collect();
    // Without finite times there is nothing to compare.
    if check(&takes).is_err() {
        takes.clear();
    }
    plan(&splits, problem.cutoff, Known { splits_by_it: false, takes: &takes, ..problem.known() })
}
