//! SCHED_PROFILE_AUTO: an equal sample on every device, then shares by what was measured (HOMP paper section IV-C.1).
//!
//! Each sample is `min(max(s_min, ceil(p * n)), floor(n / 2M))`: p is per device, and without the bound 10 % on ten
//! devices would spend the whole loop on equal shares.

use super::block::Blocks;
use super::policy::{Policy, PolicyEntry, Problem, one_parameter};
use super::profile::{Profiled, sample_percent};
use crate::error::Error;
use crate::model::split::even;
use crate::units::Percent;

pub(super) const DEFAULT: Percent = Percent::from_millionths(100_000);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "SCHED_PROFILE_AUTO",
    short: &["sched_profile"],
    summary: "an equal sample on every device, then shares by what was measured",
    parameter: "sample of each device, as a percentage of the loop, default 10%",
    takes_cutoff: true,
    stages: 2,
    parse: |words| {
        let sample = one_parameter("SCHED_PROFILE_AUTO", words)?.map_or(Ok(DEFAULT), sample_percent)?;
        Ok(Policy::SchedProfile { sample })
    },
    build: |policy, problem| {
        let Policy::SchedProfile { sample } = *policy else {
            return Err(Error::call("SCHED_PROFILE_AUTO was given no sample"));
        };
        let (n, devices) = (problem.iterations, problem.devices.len() as u64);
        if n < 2 * devices {
            let mut blocks = Blocks::new(0, &even(n, problem.devices.len()));
            if n > 0 {
                blocks.decision.notes.push(format!(
                    "profiled=false: {n} chunks are too few to sample on {devices} devices; divided by BLOCK"
                ));
            }
            return Ok(Box::new(blocks));
        }
        let size = size(sample, problem, devices);
        Ok(Box::new(Profiled::new(problem, &vec![size; problem.devices.len()])?))
    },
};

/// The sample size of each device, for this many devices.
pub(super) fn size(sample: Percent, problem: &Problem, devices: u64) -> u64 {
    let n = problem.iterations;
    let least = problem.min_sample.div_ceil(problem.granule);
    sample.of_ceil(n).max(least).min(n / (2 * devices))
}
