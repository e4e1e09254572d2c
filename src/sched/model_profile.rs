//! MODEL_PROFILE_AUTO: a sample divided by the model, then shares by what was measured (HOMP paper section IV-C.2).
//!
//! The samples together are `Z = min(max(M, ceil(p * n)), floor(n / 2))`. Each device gets one iteration, and
//! `SPLIT(0, b_i, Z - M)` divides the rest, so that all finish together. Fixed costs do not count, nor does the cutoff: a device
//! that the model underrates must be measured to get its share.

use super::model_2::by_model;
use super::policy::{Policy, PolicyEntry, one_parameter};
use super::profile::{Profiled, sample_percent};
use crate::error::{Error, Result};
use crate::model::split::split;
use crate::model::{DeviceCost, LinearCost};
use crate::units::{Percent, Seconds};
use smallvec::SmallVec;

pub(super) const DEFAULT: Percent = Percent::from_millionths(100_000);

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "MODEL_PROFILE_AUTO",
    short: &["model_profile"],
    summary: "a sample divided by the model, then shares by what was measured",
    parameter: "sample of all devices together, as a percentage of the loop, default 10%",
    takes_cutoff: true,
    stages: 2,
    parse: |words| {
        let sample = one_parameter("MODEL_PROFILE_AUTO", words)?.map_or(Ok(DEFAULT), sample_percent)?;
        Ok(Policy::ModelProfile { sample })
    },
    build: |policy, problem| {
        let Policy::ModelProfile { sample } = *policy else {
            return Err(Error::call("MODEL_PROFILE_AUTO was given no sample"));
        };
        let (n, devices) = (problem.iterations, problem.devices.len() as u64);
        if n < 2 * devices {
            let mut plan = by_model(problem)?;
            if n > 0 {
                plan.decision.notes.push(format!(
                    "profiled=false: {n} chunks are too few to sample on {devices} devices; divided by MODEL_2_AUTO"
                ));
            }
            return Ok(Box::new(plan.blocks(0)));
        }
        let sizes = sizes(sample, n, problem.devices.iter())?;
        Ok(Box::new(Profiled::new(problem, &sizes)?))
    },
};

/// The sample of each of some devices.
///
/// # Errors
/// As [`split`].
pub(super) fn sizes<'c>(
    sample: Percent,
    n: u64,
    costs: impl ExactSizeIterator<Item = &'c DeviceCost>,
) -> Result<Vec<u64>> {
    let devices = costs.len() as u64;
    let total = sample.of_ceil(n).max(devices).min(n / 2);
    let pace = |cost: &DeviceCost| LinearCost { fixed: Seconds::ZERO, per_iteration: cost.effective() };
    let paces: SmallVec<[LinearCost; 16]> = costs.map(pace).collect();
    let mut sizes = split(&paces, total - devices)?.counts;
    for size in &mut sizes {
        *size += 1;
    }
    Ok(sizes)
}
