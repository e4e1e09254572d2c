//! MODEL_1_AUTO: `SPLIT(0, F/P_i, n)`, shares in proportion to the sustained operation rates (HOMP paper section IV-B.1).

use super::cutoff::{Known, plan};
use super::policy::{Policy, PolicyEntry, no_parameters};
use crate::model::LinearCost;
use crate::model::contention::Splits;
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
        let costs: Vec<LinearCost> = problem
            .devices
            .iter()
            .map(|cost| LinearCost { fixed: Seconds::ZERO, per_iteration: cost.flop_time })
            .collect();
        let all: Vec<usize> = (0..costs.len()).collect();
        // The split goes by operations alone; only the cutoff takes shared capacities into account.
        let splits = Splits::new(&costs, problem.shared(), &all, problem.iterations);
        let known = Known { splits_by_it: false, ..problem.known() };
        Ok(Box::new(plan(&splits, problem.cutoff, known)?.blocks(0)))
    },
};
