//! AUTO: the policy and devices for this loop, by simulating all seven policies or by the HOMP paper's rules.

use super::Scheduler;
use super::block::Blocks;
use super::decide::verdict;
use super::policy::{Policy, PolicyEntry, Problem, Remarked, one_parameter, remark};
use super::recall::Recall;
use super::subset::Subset;
use super::verdict::Verdict;
use crate::element::Precision;
use crate::error::Result;
use crate::model::DeviceCost;
use std::convert::Infallible;
use std::sync::Arc;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "AUTO",
    short: &[],
    summary: "the policy and devices of least simulated time, or the policy that the HOMP paper's rules name",
    parameter: "`simulate` (default) or `heuristic`",
    takes_cutoff: true,
    stages: 1,
    parse: |words| match one_parameter("AUTO", words)?.map(str::to_ascii_lowercase).as_deref() {
        None | Some("simulate") => Ok(Policy::Auto),
        Some("heuristic") => Ok(Policy::AutoHeuristic),
        Some(other) => Err(format!("`{other}` is no way to choose: use `simulate` (default) or `heuristic`")),
    },
    build: |policy, problem| {
        if *policy != Policy::AutoHeuristic {
            return by_simulation(problem);
        }
        let (chosen, why) = by_rules(problem);
        let scheduler = (chosen.entry().build)(&chosen, problem)?;
        let mut notes = vec![format!("AUTO chose {chosen}: {why}")];
        notes.extend(chosen.without_cutoff(problem.cutoff));
        Ok(remark(scheduler, notes))
    },
};

/// The policy of least simulated time, on the devices that make the loop faster.
fn by_simulation(problem: &Problem) -> Result<Box<dyn Scheduler>> {
    let verdict = problem.decided.map_or_else(|| remembered(problem), Arc::clone);
    let (policy, members) = (&verdict.policy, &verdict.devices);
    let scheduler: Box<dyn Scheduler> = if let [_] = members[..] {
        Box::new(Blocks::new(0, &[problem.iterations]))
    } else {
        let costs: Vec<DeviceCost> = members.iter().map(|slot| problem.devices[slot.0]).collect();
        let types: Vec<&str> = members.iter().filter_map(|slot| problem.device_types.get(slot.0).copied()).collect();
        (policy.entry().build)(policy, &problem.on(&costs, &types))?
    };
    let scheduler: Box<dyn Scheduler> = if verdict.left_out.is_empty() {
        scheduler
    } else {
        Box::new(Subset::new(scheduler, members, problem.devices.len()))
    };
    Ok(Remarked::wrap(scheduler, move |decision| {
        let words = verdict.words();
        decision.left_out.extend_from_slice(&words.left_out);
        decision.left_out.sort();
        decision.notes.insert(0, words.note.clone());
        decision.verdict = Some(Arc::clone(&verdict));
    }))
}

/// What AUTO decided last.
static DECIDED: Recall<Arc<Verdict>> = Recall::new();

fn remembered(problem: &Problem) -> Arc<Verdict> {
    let Ok(verdict) = DECIDED.answer(problem, || Ok::<_, Infallible>(Arc::new(verdict(problem))));
    verdict
}

/// HOMP paper section VI-D, with thresholds that agree with its Table IV. DC is the elements moved over links per
/// operation: 0.06 for its compute-intensive kernels, 0.077 to 0.5 for the balanced, 1 and more for the rest.
fn by_rules(problem: &Problem) -> (Policy, String) {
    let profile = problem.profile;
    let homogeneous = problem.homogeneous();
    let dynamic = Policy::ALL_SEVEN[1].clone();
    let alike = if homogeneous { "alike" } else { "not alike" };
    let (chosen, why) = if profile.irregular {
        (Policy::ALL_SEVEN[2].clone(), "rule irregular: its iterations differ in cost".to_owned())
    } else if profile.flops.0 <= 0.0 {
        (Policy::ALL_SEVEN[5].clone(), "rule unknown: the operations per iteration are not stated".to_owned())
    } else {
        let dc = data_per_flop(problem);
        if dc <= 0.07 {
            let chosen = if homogeneous { Policy::Block } else { Policy::Model1 };
            (chosen, format!("rule compute-intensive: {dc:.3} elements moved per operation <= 0.07, devices {alike}"))
        } else if dc < 0.75 {
            (dynamic, format!("rule balanced: {dc:.3} elements moved per operation between 0.07 and 0.75"))
        } else {
            (Policy::Model2, format!("rule data-intensive: {dc:.3} elements moved per operation >= 0.75"))
        }
    };
    let one_block_each = matches!(chosen, Policy::Block | Policy::Model1 | Policy::Model2);
    let few = problem.iterations < 4 * problem.devices.len() as u64;
    if one_block_each || !(few || profile.fixed_ranges) {
        return (chosen, why);
    }
    let instead = if homogeneous { Policy::Block } else { Policy::Model2 };
    let reason = if few { "fewer than four chunks per device" } else { "its data lies on the devices in fixed ranges" };
    (instead, format!("rule one block each: {reason}, so not {} ({why})", chosen.name()))
}

/// Elements moved over links in this offload, per operation; a replicated array counts once.
fn data_per_flop(problem: &Problem) -> f64 {
    let profile = problem.profile;
    if problem.devices.iter().all(|cost| cost.shared) {
        return 0.0;
    }
    let element = match profile.precision {
        // The thresholds are from the paper's kernels, whose elements are floats.
        Precision::F32 | Precision::U8 => 4.0,
        Precision::F64 => 8.0,
    };
    let iterations = problem.iterations.saturating_mul(problem.granule).max(1) as f64;
    let bytes = profile.aligned_in + profile.aligned_out + profile.replicated_in.0 as f64 / iterations;
    bytes / element / profile.flops.0
}
