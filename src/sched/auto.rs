//! AUTO: the policy and devices for this loop, by simulating all seven policies or by the HOMP paper's rules.

use super::Scheduler;
use super::block::Blocks;
use super::cutoff::Cutoff;
use super::decide::{divided, worth};
use super::policy::{Policy, PolicyEntry, Problem, Remarked, one_parameter, remark};
use super::recall::{Likeness, Recall};
use super::subset::Subset;
use super::verdict::Verdict;
use crate::element::Precision;
use crate::error::Result;
use crate::model::DeviceCost;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

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
            return by_simulation(problem, &DECIDED);
        }
        let (chosen, why) = by_rules(problem);
        let scheduler = (chosen.entry().build)(&chosen, problem)?;
        let mut notes = vec![format!("AUTO chose {chosen}: {why}")];
        notes.extend(chosen.without_cutoff(problem.cutoff));
        Ok(remark(scheduler, notes))
    },
};

/// The policy of least simulated time, on the devices that make the loop faster.
fn by_simulation(problem: &Problem, known: &Recall<Arc<Choice>>) -> Result<Box<dyn Scheduler>> {
    let (verdict, choice) =
        problem.decided.map_or_else(|| decided(problem, known), |verdict| (Arc::clone(verdict), None));
    let (policy, members) = (&verdict.policy, &verdict.devices);
    let scheduler: Box<dyn Scheduler> = if let [_] = members[..] {
        Box::new(Blocks::new(0, &[problem.iterations]))
    } else if let Some(counts) = choice.as_ref().and_then(|choice| choice.counts.as_ref()) {
        Box::new(Blocks::new(0, counts))
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

/// A decision of AUTO.
struct Choice {
    verdict: Arc<Verdict>,
    /// What each device gets, if that is known.
    counts: Option<Vec<u64>>,
    /// The same for a loop by other figures, once there was one.
    kept: OnceLock<Arc<Verdict>>,
}

/// What AUTO decided last.
static DECIDED: Recall<Arc<Choice>> = Recall::new();

/// By which part the figures of a loop that repeats may differ from those of the decision whose choice it gets: 1 %, or less where a
/// cutoff asks for it. A loop's times change by no more than its figures, so that choice is at most twice this part behind what a new
/// decision would find: as much as AUTO lets any loop take longer for the sake of fewer devices.
fn kept_within(cutoff: Cutoff) -> f64 {
    worth(cutoff).fraction() / 2.0
}

/// The verdict; and the choice that it is of, if that was made from exactly these figures.
fn decided(problem: &Problem, known: &Recall<Arc<Choice>>) -> (Arc<Verdict>, Option<Arc<Choice>>) {
    let decide = || {
        let (verdict, counts) = divided(problem);
        Arc::new(Choice { verdict: Arc::new(verdict), counts, kept: OnceLock::new() })
    };
    let (choice, likeness) = if problem.thorough {
        (decide(), Likeness::Same)
    } else {
        let within = if problem.repeats { kept_within(problem.cutoff) } else { 0.0 };
        let Ok(answer) = known.answer_near(problem, within, || Ok::<_, Infallible>(decide()));
        answer
    };
    match likeness {
        Likeness::Same => (Arc::clone(&choice.verdict), Some(choice)),
        Likeness::Near => (Arc::clone(choice.kept.get_or_init(|| Arc::new(choice.verdict.of_earlier()))), None),
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
        // The thresholds are from the paper's kernels, whose elements are floats.
        Precision::F32 | Precision::U8 => 4.0,
        Precision::F64 => 8.0,
    };
    let iterations = problem.iterations.saturating_mul(problem.granule).max(1) as f64;
    let bytes = profile.aligned_in + profile.aligned_out + profile.replicated_in.0 as f64 / iterations;
    bytes / element / profile.flops.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LoopProfile;
    use crate::model::contention::{Draw, Draws, During};
    use crate::sched::decide::tests::{a_length, machine, measured_machine};
    use crate::sched::decide::verdict;
    use crate::sched::simulate::{SimulateOptions, drive};
    use crate::space::{IterRange, Slot};
    use crate::units::{Percent, Seconds};
    use proptest::prelude::*;

    /// The same costs, each figure longer by a part between none and `part`, or shorter.
    fn longer(costs: &[DeviceCost], part: f64, mut next: impl FnMut() -> f64) -> Vec<DeviceCost> {
        let mut costs = costs.to_vec();
        for cost in &mut costs {
            let figures = [
                &mut cost.flop_time,
                &mut cost.once,
                &mut cost.to_chunk,
                &mut cost.kernel_chunk,
                &mut cost.from_chunk,
                &mut cost.issue,
                &mut cost.known_after,
                &mut cost.to,
                &mut cost.kernel,
                &mut cost.from,
                &mut cost.host_memory,
                &mut cost.host_memory_once,
            ];
            for figure in figures {
                *figure = *figure * (1.0 + part * next());
            }
            let mut draws = Draws::default();
            for draw in cost.draws.iter() {
                draws.push(Draw { once: draw.once * (1.0 + part * next()), ..*draw });
            }
            cost.draws = draws;
        }
        costs
    }

    /// What AUTO did: its verdict, and who ran which chunks.
    type Done = (Arc<Verdict>, Vec<Vec<IterRange>>);

    fn chunks(scheduler: Box<dyn Scheduler>, problem: &Problem) -> Vec<Vec<IterRange>> {
        let simulation = drive(scheduler, problem, &SimulateOptions::default(), u64::MAX).unwrap().results();
        simulation.devices.iter().map(|device| device.records.iter().map(|chunk| chunk.range).collect()).collect()
    }

    fn start(problem: &Problem, known: &Recall<Arc<Choice>>) -> Done {
        let scheduler = by_simulation(problem, known).unwrap();
        (scheduler.decision().verdict.unwrap(), chunks(scheduler, problem))
    }

    /// A decision anew, and the division by its policy on its devices as if nothing else were there.
    fn by_policy(problem: &Problem, verdict: &Verdict) -> Vec<Vec<IterRange>> {
        let costs: Vec<DeviceCost> = verdict.devices.iter().map(|slot| problem.devices[slot.0]).collect();
        let own = problem.on(&costs, &[]);
        let scheduler: Box<dyn Scheduler> = match verdict.devices[..] {
            [_] => Box::new(Blocks::new(0, &[problem.iterations])),
            _ => (verdict.policy.entry().build)(&verdict.policy, &own).unwrap(),
        };
        let mut own = chunks(scheduler, &own).into_iter();
        let place = |i: usize| if verdict.devices.contains(&Slot(i)) { own.next().unwrap() } else { Vec::new() };
        (0..problem.devices.len()).map(place).collect()
    }

    /// A machine whose links, two and two, are behind switches.
    fn switched() -> impl Strategy<Value = Vec<DeviceCost>> {
        (machine(), prop::collection::vec((0.0_f64..1.5, 0.0_f64..1e-4), 9)).prop_map(|(mut costs, parts)| {
            for (place, (cost, (part, once))) in costs.iter_mut().zip(parts).enumerate().filter(|(_, (c, _))| !c.shared)
            {
                let (capacity, per_iteration) = (place as u32 / 2, (cost.to + cost.from) * part);
                cost.draws.push(Draw { capacity, once: Seconds(once), per_iteration, during: During::Copies });
            }
            costs
        })
    }

    fn a_cutoff() -> impl Strategy<Value = Cutoff> {
        let benefit = |millionths: u32| Cutoff::Benefit(Percent::from_millionths(millionths));
        prop_oneof![3 => Just(Cutoff::None), 1 => Just(Cutoff::Share(None)), 1 => (0_u32..40_000).prop_map(benefit)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn a_loop_by_nearly_the_same_figures_has_the_choice_and_is_divided_by_its_own(
            costs in prop_oneof![machine(), measured_machine(), switched()],
            n in a_length(),
            cutoff in a_cutoff(),
            parts in prop::collection::vec(-1.0_f64..1.0, 17),
            fewer in 0.0_f64..1.0,
        ) {
            let known = Recall::new();
            let profile = LoopProfile::default();
            let problem = Problem { repeats: true, cutoff, ..Problem::new(n, &costs, &profile) };
            let (decided, run) = start(&problem, &known);
            prop_assert_eq!(&*decided, &verdict(&problem));
            // Where the search has divided the loop already, too.
            prop_assert_eq!(run, by_policy(&problem, &decided));
            // Fewer iterations and other costs, together by less than is allowed.
            let within = kept_within(cutoff) * 0.999;
            let less = (n as f64 * within * fewer) as u64;
            let left = within - less as f64 / n as f64;
            let mut parts = parts.iter().cycle();
            let costs = longer(&costs, left, || *parts.next().unwrap());
            let near = Problem { iterations: n - less, devices: &costs, ..problem.clone() };
            let (kept, run) = start(&near, &known);
            prop_assert_eq!((&kept.policy, &kept.devices), (&decided.policy, &decided.devices));
            prop_assert_eq!(kept.kept, within > 0.0 && (less > 0 || near.devices != problem.devices));
            prop_assert_eq!(run, by_policy(&near, &kept));
            // Whoever does not ask for it, or asks for more, gets a decision by the present figures.
            for other in [Problem { repeats: false, ..near.clone() }, Problem { thorough: true, ..near.clone() }] {
                prop_assert_eq!(&*start(&other, &known).0, &verdict(&other));
            }
        }

        #[test]
        fn choices_do_not_drift(costs in machine(), n in a_length(), step in 0.001_f64..0.009) {
            let known = Recall::new();
            let profile = LoopProfile::default();
            let (mut first, mut factor) = (1.0, 1.0);
            for _ in 0..40 {
                let costs = longer(&costs, factor - 1.0, || 1.0);
                let problem = Problem { repeats: true, ..Problem::new(n, &costs, &profile) };
                let kept = start(&problem, &known).0.kept;
                let off = factor / first - 1.0;
                // Not for rounding.
                if (off - 0.01_f64).abs() > 1e-9 {
                    prop_assert_eq!(kept, off > 0.0 && off < 0.01, "{} after {}", factor, first);
                }
                if !kept {
                    first = factor;
                }
                factor *= 1.0 + step;
            }
        }
    }

    #[test]
    fn a_report_says_that_the_choice_is_an_earlier_one() {
        let cost = |each: f64| DeviceCost { kernel: Seconds(each), flop_time: Seconds(each), ..DeviceCost::default() };
        let (known, costs, profile) = (Recall::new(), [cost(1e-6), cost(2e-6)], LoopProfile::default());
        let note = |n: u64, repeats: bool| {
            let problem = Problem { repeats, ..Problem::new(n, &costs, &profile) };
            by_simulation(&problem, &known).unwrap().decision().notes.remove(0)
        };
        let said = "as decided for an earlier loop whose figures differ by at most 1 %";
        let found = [(100_000, true), (99_001, true), (100_000, true), (99_001, false), (99_001, true), (98_500, true)];
        let found = found.map(|(n, repeats)| note(n, repeats).contains(said));
        assert_eq!(found, [false, true, false, false, false, true]);
    }

    #[test]
    fn a_thorough_decision_is_not_kept() {
        let cost = |each: f64| DeviceCost { kernel: Seconds(each), flop_time: Seconds(each), ..DeviceCost::default() };
        let (known, costs, profile) = (Recall::new(), [cost(1e-6), cost(2e-6)], LoopProfile::default());
        let problem = Problem { repeats: true, ..Problem::new(100_000, &costs, &profile) };
        start(&Problem { thorough: true, ..problem.clone() }, &known);
        assert_eq!(known.len(), 0);
        start(&problem, &known);
        assert_eq!(known.len(), 1);
    }
}
