//! MODEL_2_AUTO: `SPLIT(a_i, b_i, n)` by rates, links, latencies and what devices share (HOMP paper section IV-B.2, with
//! eq. 2-3).

use super::cutoff::{Plan, plan};
use super::policy::{Policy, PolicyEntry, Problem, no_parameters};
use crate::error::Result;
use crate::model::contention::Splits;
use crate::model::{DeviceCost, LinearCost};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "MODEL_2_AUTO",
    short: &["model_2", "model2"],
    summary: "one block per device, so that all finish together by rates, links and latencies",
    parameter: "",
    takes_cutoff: true,
    stages: 1,
    parse: |words| no_parameters("MODEL_2_AUTO", words).map(|()| Policy::Model2),
    build: |_, problem| Ok(Box::new(by_model(problem)?.blocks(0))),
};

/// The whole loop by MODEL_2; also what a profiling policy does with a loop too short to sample.
pub(super) fn by_model(problem: &Problem) -> Result<Plan> {
    let costs: Vec<LinearCost> = problem.devices.iter().map(DeviceCost::linear).collect();
    let all: Vec<usize> = (0..costs.len()).collect();
    let splits = Splits::new(&costs, problem.shared(), &all, problem.iterations);
    plan(&splits, problem.cutoff, problem.known())
}
