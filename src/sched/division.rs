//! The split that the simulator finds fastest, where devices share what is short.
//!
//! SPLIT with contention asks that no capacity has to give more than there is until the end of the loop. In the simulator devices
//! slow one another from its beginning on, each in proportion to what it asks for ([`wall`](super::wall)). So a split may take
//! longer than its level (two devices with `b = (1, 1)`, which take `(1, 0.1)` of a capacity for an iteration: 1.09 times), and
//! another one less. By that very rule, for linear costs, are compared:
//!
//! - SPLIT with contention, by known slowdowns and by capacities alone, and SPLIT without;
//! - `SPLIT(a_i s_i, b_i s_i, n)`, with `s_i` how much the devices slow each other under the split before: by one factor for all
//!   that draw on a capacity they end together;
//! - each device alone.

use super::wall::makespan_within;
use crate::error::Result;
use crate::model::Shared;
use crate::model::contention::Splits;
use crate::model::split::{Level, LinearCost, Split, check, makespan as unslowed};
use crate::units::Seconds;
use smallvec::SmallVec;

/// No model knows a time to this part: who is so near to what nobody is faster than is compared with nobody.
const NEAR: f64 = 1e-3;
/// Splits that differ by less are the same but for rounding.
const SAME: f64 = 1e-6;
/// So often paces follow from a split and a split from paces.
const ROUNDS: usize = 3;

/// A split, and whether it is the one of SPLIT with contention that nothing is faster than: then it stays the best when devices are
/// taken away to which it gives nothing.
pub(super) struct Division {
    pub split: Split,
    pub settled: bool,
}

/// The best known split over `members`; the counts are theirs. Its makespan is by the simulator's rule.
///
/// # Errors
/// As [`Splits::split`].
pub(super) fn fastest(splits: &Splits, members: &[usize]) -> Result<Division> {
    let aware = splits.split(members)?;
    let (shared, n) = (splits.shared(), splits.n);
    if shared.is_empty() || n == 0 {
        return Ok(Division { split: aware, settled: true });
    }
    let own: SmallVec<[LinearCost; 16]> = members.iter().map(|&i| splits.costs[i]).collect();
    // A split knows of no stages.
    let time_within = |counts: &[u64], limit: f64| {
        let ends: SmallVec<[f64; 16]> = own.iter().zip(counts).map(|(cost, &n)| cost.time(n).0).collect();
        makespan_within(&ends, counts, shared, |k| members[k], limit)
    };
    let aware_time = time_within(&aware.counts, f64::INFINITY).unwrap_or(f64::INFINITY);
    // Where it is known who gives way only the level without contention is a bound.
    let steady = splits.is_steady();
    let least = if steady { Level::of(&own, n).time } else { aware.level };
    let unslowed = !steady && aware_time <= unslowed(&own, &aware.counts).0 * (1.0 + SAME);
    if unslowed || aware_time <= least.0 * (1.0 + NEAR) {
        return Ok(Division { split: aware, settled: true });
    }
    let in_time = |cost: &LinearCost| cost.fixed.0 < aware_time;
    if own.iter().any(in_time) && !own.iter().all(in_time) {
        // Who begins after the others' end gets nothing, and must not change what these get.
        let rest: SmallVec<[usize; 16]> =
            members.iter().zip(&own).filter(|(_, cost)| in_time(cost)).map(|(&i, _)| i).collect();
        let split = fastest(splits, &rest)?.split;
        if split.makespan.0 < aware_time {
            let mut theirs = split.counts.into_iter();
            let counts = own.iter().map(|cost| if in_time(cost) { theirs.next().unwrap_or(0) } else { 0 }).collect();
            return Ok(Division { split: Split { counts, ..split }, settled: false });
        }
    }
    let mut best = Best { time: aware_time, counts: aware.counts };
    // Whoever would take as long by itself without what it shares is not looked at.
    let limit = best.to_beat();
    let quick = members.iter().enumerate().filter(|(_, i)| splits.costs[**i].time(n).0 < limit);
    let single = quick.map(|(k, &i)| (k, alone(splits, i))).min_by(|a, b| a.1.0.total_cmp(&b.1.0));
    if let Some((k, time)) = single {
        let mut counts = vec![0; members.len()];
        counts[k] = n;
        best.take(Some(time.0), &counts);
    }
    if let Some(Split { counts, .. }) = splits.unmeasured(members)? {
        best.take(time_within(&counts, best.to_beat()), &counts);
    }
    let mut paced = own.clone();
    let (mut before, mut previous) = (Vec::new(), f64::INFINITY);
    for round in 0..=ROUNDS {
        let counts = counts_of(&paced, n)?;
        if counts == before {
            break;
        }
        // The first split ignores what is shared; from the next ones on each must gain on the one before.
        let time = time_within(&counts, if round == 0 { best.to_beat() } else { previous });
        best.take(time, &counts);
        if round > 0 && time.is_none() {
            break;
        }
        previous = time.map_or(f64::INFINITY, |time| time * (1.0 - SAME));
        let slower = slowed_by(&own, shared, members, &counts);
        for ((paced, own), slower) in paced.iter_mut().zip(&own).zip(slower) {
            *paced = LinearCost { fixed: own.fixed * slower, per_iteration: own.per_iteration * slower };
        }
        before = counts;
    }
    let time = Seconds(best.time);
    Ok(Division { split: Split { makespan: time, level: time, counts: best.counts }, settled: false })
}

/// The fastest split so far.
struct Best {
    /// Seconds.
    time: f64,
    counts: Vec<u64>,
}

impl Best {
    /// What takes less is faster, but for rounding.
    fn to_beat(&self) -> f64 {
        self.time * (1.0 - SAME)
    }

    fn take(&mut self, time: Option<f64>, counts: &[u64]) {
        if let Some(time) = time.filter(|time| *time < self.to_beat()) {
            self.time = time;
            self.counts.clear();
            self.counts.extend_from_slice(counts);
        }
    }
}

/// The counts of [`split()`](crate::model::split::split).
fn counts_of(costs: &[LinearCost], n: u64) -> Result<Vec<u64>> {
    check(costs)?;
    Ok(Level::of(costs, n).counts(costs, n))
}

/// The time of a device by itself, of which a capacity may be asked for more than there is.
pub(super) fn alone(splits: &Splits, i: usize) -> Seconds {
    let end = splits.costs[i].time(splits.n);
    let slowed = |shared: &Shared| {
        let (asks, part) = shared.asks(i, splits.n, end.0);
        1.0 - part + part * shared.slowed(i, shared.crowd(std::iter::once((i, asks))))
    };
    end * splits.shared().iter().map(slowed).fold(1.0, f64::max)
}

/// By how much each device is slowed while all that have iterations are at work.
fn slowed_by(own: &[LinearCost], shared: &[Shared], members: &[usize], counts: &[u64]) -> SmallVec<[f64; 16]> {
    let mut slower: SmallVec<[f64; 16]> = SmallVec::from_elem(1.0, members.len());
    let mut asks: SmallVec<[f64; 16]> = SmallVec::new();
    for shared in shared {
        let of = |((&i, &n), own): ((&usize, &u64), &LinearCost)| {
            let takes = shared.once[i].0 + shared.per_iteration[i].0 * n as f64;
            if n > 0 { takes / own.time(n).0 } else { 0.0 }
        };
        asks.clear();
        asks.extend(members.iter().zip(counts).zip(own).map(of));
        let crowd = shared.crowd(members.iter().copied().zip(asks.iter().copied()));
        if !crowd.is_free() {
            for (k, slower) in slower.iter_mut().enumerate().filter(|(k, _)| asks[*k] > 0.0) {
                *slower = f64::max(*slower, shared.slowed(members[k], crowd));
            }
        }
    }
    slower
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::split::split;
    use crate::sched::Cutoff;
    use crate::sched::cutoff::{Known, plan};
    use proptest::prelude::*;

    fn costs(pairs: &[(f64, f64)]) -> Vec<LinearCost> {
        pairs.iter().map(|&(a, b)| LinearCost { fixed: Seconds(a), per_iteration: Seconds(b) }).collect()
    }

    fn capacity(once: &[f64], per_iteration: &[f64], steady: &[f64]) -> Shared {
        let times = |values: &[f64]| values.iter().copied().map(Seconds).collect();
        Shared {
            once: times(once),
            per_iteration: times(per_iteration),
            steady: steady.to_vec(),
            during: Vec::new(),
            drawing: Vec::new(),
        }
    }

    /// What MODEL_2 gives each device, and why some get nothing.
    fn planned(costs: &[LinearCost], shared: &[Shared], n: u64) -> (Vec<u64>, Vec<String>) {
        let all: Vec<usize> = (0..costs.len()).collect();
        let splits = Splits::new(costs, shared, &all, n);
        let plan = plan(&splits, Cutoff::None, Known { splits_by_it: true, ..Known::default() }).unwrap();
        (plan.counts, plan.decision.left_out.into_iter().map(|(_, reason)| reason).collect())
    }

    /// As the simulator has it.
    fn time(costs: &[LinearCost], shared: &[Shared], counts: &[u64]) -> f64 {
        let ends: Vec<f64> = costs.iter().zip(counts).map(|(cost, &n)| cost.time(n).0).collect();
        makespan_within(&ends, counts, shared, |k| k, f64::INFINITY).unwrap()
    }

    #[test]
    fn devices_that_slow_one_another_by_one_factor_end_together() {
        let (costs, shared) = (costs(&[(0.0, 1.0); 2]), [capacity(&[0.0; 2], &[1.0, 0.1], &[0.0; 2])]);
        let (counts, _) = planned(&costs, &shared, 1000);
        assert_eq!(counts, [500, 500]);
        // 1.1 times what there is; with 474 and 526 it would take 574.
        assert!((time(&costs, &shared, &counts) - 550.0).abs() < 1e-9);
    }

    #[test]
    fn a_device_that_others_slow_down_by_more_than_they_do_has_the_loop_alone() {
        // Each alone can take all there is; the first is five times as slow beside the other.
        let (costs, shared) = (costs(&[(0.0, 1.0), (0.0, 2.0)]), [capacity(&[0.0; 2], &[1.0, 2.0], &[-3.0, 1.0])]);
        let (counts, left_out) = planned(&costs, &shared, 1000);
        assert_eq!(
            (counts, left_out),
            (vec![1000, 0], vec!["what it shares with others does more for them".to_owned()])
        );
    }

    #[test]
    fn who_is_left_out_is_told_by_the_time_that_the_loop_takes() {
        // The third draws on nothing, and begins before the two are done, or not.
        let shared = [capacity(&[0.0; 3], &[1.0, 1.0, 0.0], &[0.0; 3])];
        for (begins, expected) in [(900.0, "takes"), (999.5, "less than one"), (1001.0, "past the finish")] {
            let (counts, left_out) = planned(&costs(&[(0.0, 1.0), (0.0, 1.0), (begins, 1.0)]), &shared, 1000);
            assert!(
                expected == "takes" && counts[2] > 0 || left_out[0].contains(expected),
                "{begins} {counts:?} {left_out:?}"
            );
        }
    }

    /// Fixed costs and costs per iteration; and of each capacity what each device takes once and per iteration, and how steady it is.
    type Case = (Vec<(f64, f64)>, Vec<Vec<(f64, f64, f64)>>);

    fn cases() -> impl Strategy<Value = Case> {
        (1_usize..6).prop_flat_map(|devices| {
            let fixed = prop_oneof![Just(0.0), 0.0_f64..2000.0];
            let once = prop_oneof![3 => Just(0.0), 1 => 0.0_f64..500.0];
            let takes = prop_oneof![1 => Just(0.0), 3 => 0.0_f64..12.0];
            let steady = prop_oneof![Just(0.0), -4.0_f64..1.0];
            let capacity = prop::collection::vec((once, takes, steady), devices);
            (prop::collection::vec((fixed, 0.5_f64..12.0), devices), prop::collection::vec(capacity, 0..4))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn to_know_what_is_shared_never_makes_a_split_worse(
            (pairs, capacities) in cases(), in_proportion in any::<bool>(), n in 1_u64..100_000,
        ) {
            let costs = costs(&pairs);
            let all = capacities.iter().map(|devices| {
                let of = |part: fn(&(f64, f64, f64)) -> f64| devices.iter().map(part).collect::<Vec<_>>();
                let steady = of(|one| one.2).into_iter().map(|steady| if in_proportion { 0.0 } else { steady });
                capacity(&of(|one| one.0), &of(|one| one.1), &steady.collect::<Vec<_>>())
            });
            let shared: Vec<Shared> = all.collect();
            let (counts, _) = planned(&costs, &shared, n);
            prop_assert_eq!(counts.iter().sum::<u64>(), n);
            let took = time(&costs, &shared, &counts);
            let ignores = split(&costs, n).unwrap().counts;
            let alone = (0..costs.len()).map(|i| (0..costs.len()).map(|k| if k == i { n } else { 0 }).collect());
            for other in std::iter::once(ignores).chain(alone) {
                let theirs = time(&costs, &shared, &other);
                prop_assert!(took <= theirs * (1.0 + NEAR), "{:?} takes {}, {:?} {}", counts, took, other, theirs);
            }
        }
    }
}
