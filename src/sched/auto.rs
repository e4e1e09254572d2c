//! AUTO: the policy for this loop on these devices, by simulating all seven or by the HOMP paper's rules.

use super::cutoff::Cutoff;
use super::policy::{Policy, PolicyEntry, Problem, one_parameter, remark};
use super::simulate::{SimulateOptions, simulate};
use crate::element::Precision;
use crate::model::{DeviceCost, LoopProfile};
use crate::units::Seconds;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "AUTO",
    short: &[],
    summary: "the policy of least simulated time, or the one that the HOMP paper's rules name",
    parameter: "`simulate` (default) or `heuristic`",
    takes_cutoff: true,
    stages: 1,
    parse: |words| match one_parameter("AUTO", words)?.map(str::to_ascii_lowercase).as_deref() {
        None | Some("simulate") => Ok(Policy::Auto),
        Some("heuristic") => Ok(Policy::AutoHeuristic),
        Some(other) => Err(format!("`{other}` is no way to choose: use `simulate` (default) or `heuristic`")),
    },
    build: |policy, problem| {
        let (chosen, why) = match policy {
            Policy::AutoHeuristic => by_rules(problem),
            _ => remembered(problem),
        };
        let scheduler = (chosen.entry().build)(&chosen, problem)?;
        let mut notes = vec![format!("AUTO chose {chosen}: {why}")];
        notes.extend(chosen.without_cutoff(problem.cutoff));
        Ok(remark(scheduler, notes))
    },
};

/// Below a part of `tie` the difference is a tie.
fn compared(a: Seconds, b: Seconds, tie: f64) -> Ordering {
    if (a - b).0.abs() <= tie * b.0 { Ordering::Equal } else { a.0.total_cmp(&b.0) }
}

/// No model knows a loop's time so exactly.
const AS_GOOD: f64 = 5e-3;
/// Sums of the same times in another order.
const ROUNDED: f64 = 1e-9;

/// A loop that AUTO has decided, and what it decided.
struct Decided {
    iterations: u64,
    granule: u64,
    devices: Vec<DeviceCost>,
    device_types: Vec<String>,
    profile: LoopProfile,
    cutoff: Cutoff,
    min_sample: u64,
    chosen: (Policy, String),
}

impl Decided {
    fn is(&self, problem: &Problem) -> bool {
        self.iterations == problem.iterations
            && self.granule == problem.granule
            && self.min_sample == problem.min_sample
            && self.cutoff == problem.cutoff
            && self.devices == problem.devices
            && self.device_types == problem.device_types
            && self.profile == *problem.profile
    }
}

/// The loops that were decided last. A loop in an iterative application comes again and again, and to simulate it anew
/// takes as long as a short loop does.
static DECIDED: Mutex<VecDeque<Decided>> = Mutex::new(VecDeque::new());
const DECIDED_KEPT: usize = 16;

fn remembered(problem: &Problem) -> (Policy, String) {
    let decided = || DECIDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = decided().iter().find(|decided| decided.is(problem)) {
        return found.chosen.clone();
    }
    let chosen = by_simulation(problem);
    let mut all = decided();
    all.truncate(DECIDED_KEPT - 1);
    all.push_front(Decided {
        iterations: problem.iterations,
        granule: problem.granule,
        devices: problem.devices.to_vec(),
        device_types: problem.device_types.iter().map(|&name| name.to_owned()).collect(),
        profile: problem.profile.clone(),
        cutoff: problem.cutoff,
        min_sample: problem.min_sample,
        chosen: chosen.clone(),
    });
    chosen
}

/// Least simulated makespan; ties to the least time of the slowest device, to fewer stages, then to the earlier in the list.
fn by_simulation(problem: &Problem) -> (Policy, String) {
    let coarse = Problem { granule: 1, min_sample: problem.min_sample.div_ceil(problem.granule), ..problem.clone() };
    let mut best: Option<(Policy, Seconds, Seconds)> = None;
    for policy in Policy::ALL_SEVEN {
        let takes_chunks_anywhere = matches!(policy, Policy::Dynamic { .. } | Policy::Guided { .. });
        if problem.profile.fixed_ranges && (takes_chunks_anywhere || policy.entry().stages > 1) {
            continue;
        }
        let Ok(simulation) = simulate(&policy, &coarse, &SimulateOptions::default()) else { continue };
        // Where the host's memory is the wall many policies take the same time: then the one whose slowest device would be
        // done first without it.
        let slowest = simulation.devices.iter().map(|device| device.busy).fold(Seconds::ZERO, Seconds::max);
        let better = best.as_ref().is_none_or(|(other, time, other_slowest)| {
            compared(simulation.makespan, *time, AS_GOOD)
                .then(compared(slowest, *other_slowest, ROUNDED))
                .then(policy.entry().stages.cmp(&other.entry().stages))
                .is_lt()
        });
        if better {
            best = Some((policy, simulation.makespan, slowest));
        }
    }
    match best {
        Some((policy, time, _)) => (policy, format!("its simulated time of {time} is the least")),
        None => (Policy::Block, "no policy could be simulated, so every device gets the same".to_owned()),
    }
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
        Precision::F32 => 4.0,
        Precision::F64 => 8.0,
    };
    let iterations = problem.iterations.saturating_mul(problem.granule).max(1) as f64;
    let bytes = profile.aligned_in + profile.aligned_out + profile.replicated_in.0 as f64 / iterations;
    bytes / element / profile.flops.0
}
