use super::flow::Flow;
use super::*;
use crate::model::split::makespan;
use proptest::prelude::*;

fn costs(pairs: &[(f64, f64)]) -> Vec<LinearCost> {
    pairs.iter().map(|&(a, b)| LinearCost { fixed: Seconds(a), per_iteration: Seconds(b) }).collect()
}

fn shared(once: &[f64], per_iteration: &[f64]) -> Shared {
    let times = |values: &[f64]| values.iter().copied().map(Seconds).collect();
    Shared {
        once: times(once),
        per_iteration: times(per_iteration),
        steady: vec![0.0; once.len()],
        during: Vec::new(),
        drawing: Vec::new(),
    }
}

fn time(costs: &[LinearCost], shared: &[Shared], counts: &[u64]) -> f64 {
    makespan(costs, counts).max(wall(shared, counts)).0
}

/// The least contended time over all divisions.
fn brute(costs: &[LinearCost], shared: &[Shared], n: u64) -> f64 {
    fn go(costs: &[LinearCost], shared: &[Shared], rest: u64, counts: &mut Vec<u64>) -> f64 {
        if counts.len() + 1 == costs.len() {
            counts.push(rest);
            let found = time(costs, shared, counts);
            counts.pop();
            return found;
        }
        let mut best = f64::INFINITY;
        for count in 0..=rest {
            counts.push(count);
            best = best.min(go(costs, shared, rest - count, counts));
            counts.pop();
        }
        best
    }
    go(costs, shared, n, &mut Vec::new())
}

#[test]
fn two_links_behind_one_switch_get_what_it_gives_and_the_cpu_the_rest() {
    // A CPU at 4 us an iteration, two GPUs at 1 us, whose links together give one iteration in 0.8 us.
    let costs = costs(&[(0.0, 4.0), (0.0, 1.0), (0.0, 1.0)]);
    let switch = shared(&[0.0; 3], &[0.0, 0.8, 0.8]);
    let split = split_shared(&costs, &[switch], 12_000).unwrap();
    // T (1/0.8 + 1/4) = 12000.
    assert!((split.level.0 - 8000.0).abs() < 1e-3, "{split:?}");
    assert_eq!(split.counts, [2000, 5000, 5000]);
}

#[test]
fn at_a_wall_that_all_hit_alike_devices_still_finish_together() {
    let costs = costs(&[(0.0, 2.0), (0.0, 1.0), (5.0, 1.0)]);
    let memory = shared(&[0.0; 3], &[1.0; 3]);
    let split = split_shared(&costs, &[memory], 1000).unwrap();
    assert_eq!(split.counts, crate::model::split::split(&costs, 1000).unwrap().counts);
    assert_eq!(split.makespan, Seconds(1000.0));
}

#[test]
fn who_stays_out_slows_nobody_and_what_is_paid_once_is_counted() {
    let steady = |mut s: Shared, steady: f64| {
        s.steady.fill(steady);
        s
    };
    // The second device would begin after the end.
    let late = costs(&[(0.0, 1.0), (1e6, 1.0)]);
    for by in [0.0, 0.001, 0.5, -1.0] {
        let split = split_shared(&late, &[steady(shared(&[0.0; 2], &[1.0; 2]), by)], 100).unwrap();
        assert_eq!((split.counts, split.makespan), (vec![100, 0], Seconds(100.0)), "{by}");
    }
    // Each device that takes part pays once for the capacity: one alone is best.
    let four = costs(&[(100.0, 1.0); 4]);
    for by in [0.0, 0.001, 0.5] {
        let split = split_shared(&four, &[steady(shared(&[100.0; 4], &[0.1; 4]), by)], 100).unwrap();
        assert_eq!((split.counts, split.makespan), (vec![100, 0, 0, 0], Seconds(200.0)), "{by}");
    }
}

#[test]
fn who_needs_less_of_what_is_short_gets_more() {
    // The CPU moves three times the bytes that a link does for the same iteration.
    let costs = costs(&[(0.0, 1.0), (0.0, 1.0)]);
    let memory = shared(&[0.0; 2], &[1.5, 0.5]);
    let split = split_shared(&costs, &[memory], 1000).unwrap();
    // Half each takes 1000 of the memory's time; n0 + n1 = 1000, 1.5 n0 + 0.5 n1 = T = n1: 250 and 750.
    assert_eq!(split.counts, [250, 750]);
    assert!((split.level.0 - 750.0).abs() < 1e-6, "{split:?}");
}

#[test]
fn groups_in_one_another_and_the_memory_above_all_hold_at_once() {
    // Four links of 1, two boards that give 1.5 each, a port that gives 2.5, a CPU that shares only the memory of 4.
    let costs = costs(&[(0.0, 1.0); 5]);
    let of = |members: &[usize], each: f64| {
        shared(&[0.0; 5], &(0..5).map(|i| if members.contains(&i) { each } else { 0.0 }).collect::<Vec<_>>())
    };
    let all = [of(&[0, 1, 2, 3, 4], 0.25), of(&[1, 2], 1.0 / 1.5), of(&[3, 4], 1.0 / 1.5), of(&[1, 2, 3, 4], 0.4)];
    let split = split_shared(&costs, &all, 7000).unwrap();
    // 1 + 2.5 in a unit of time.
    assert!((split.level.0 - 2000.0).abs() < 1e-3, "{split:?}");
    assert_eq!(split.counts, [2000, 1250, 1250, 1250, 1250]);
}

#[test]
fn a_device_that_costs_others_more_than_it_gives_is_left_out() {
    // Each GPU takes 600 of the switch once, for an array that both need.
    let costs = costs(&[(600.0, 0.1), (600.0, 0.1)]);
    let switch = shared(&[600.0; 2], &[0.1; 2]);
    let split = split_shared(&costs, &[switch], 1000).unwrap();
    assert_eq!(split.counts.iter().filter(|&&count| count > 0).count(), 1);
    assert!((split.makespan.0 - 700.0).abs() < 1e-6, "{split:?}");
}

#[test]
fn a_short_loop_and_a_very_long_one_sum_to_their_length() {
    let costs = costs(&[(1e-5, 1e-9), (2e-5, 3e-12), (0.0, 7e-10)]);
    let memory = shared(&[1e-6, 0.0, 0.0], &[1e-9, 2e-9, 5e-10]);
    for n in [0, 1, 2, 3, 1000, 1 << 40, 1 << 60] {
        let split = split_shared(&costs, std::slice::from_ref(&memory), n).unwrap();
        assert_eq!(split.counts.iter().sum::<u64>(), n);
    }
}

/// Fixed costs and costs per iteration; and of each capacity what each device takes once and per iteration.
type Case = (Vec<(f64, f64)>, Vec<(Vec<f64>, Vec<f64>)>);

fn cases() -> impl Strategy<Value = Case> {
    (1_usize..5).prop_flat_map(|devices| {
        let whole = |low: u32, high: u32| (low..high).prop_map(f64::from);
        let takes = prop_oneof![Just(0.0), whole(0, 12)];
        let once = prop_oneof![3 => Just(0.0), 1 => whole(0, 20)];
        let capacity = (prop::collection::vec(once, devices), prop::collection::vec(takes, devices));
        (prop::collection::vec((whole(0, 40), whole(1, 12)), devices), prop::collection::vec(capacity, 0..4))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_division_is_faster_by_more_than_an_iterations_time((pairs, capacities) in cases(), n in 0_u64..10) {
        let costs = costs(&pairs);
        let all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let split = split_shared(&costs, &all, n).unwrap();
        prop_assert_eq!(split.counts.iter().sum::<u64>(), n);
        prop_assert_eq!(split.makespan.0, time(&costs, &all, &split.counts));
        let best = brute(&costs, &all, n);
        // Divisible loads are no slower than whole iterations, and rounding moves less than one iteration of each device.
        prop_assert!(split.level.0 <= best * (1.0 + 1e-9) + 1e-9, "{} {best}", split.level.0);
        let one = |i: usize| {
            let takes = all.iter().map(|s| s.per_iteration[i].0 + s.once[i].0).fold(0.0, f64::max);
            costs[i].per_iteration.0.max(takes) + costs[i].fixed.0
        };
        let slack: f64 = (0..costs.len()).map(one).sum();
        prop_assert!(split.makespan.0 <= best + slack + 1e-9, "{split:?} {best}");
    }

    #[test]
    fn the_level_is_that_of_very_many_small_iterations((pairs, capacities) in cases()) {
        // Counts of a million have an error of a millionth: they are as good as the best divisible load.
        let costs = costs(&pairs);
        let all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let split = split_shared(&costs, &all, 1_000_000).unwrap();
        prop_assert!(split.makespan.0 >= split.level.0 * (1.0 - 1e-9));
        prop_assert!(split.makespan.0 <= split.level.0 * (1.0 + 1e-4) + 100.0, "{split:?}");
    }

    #[test]
    fn to_know_what_is_shared_never_makes_a_split_worse((pairs, capacities) in cases(), n in 0_u64..100_000) {
        let costs = costs(&pairs);
        let all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let (knows, ignores) = (split_shared(&costs, &all, n).unwrap(), crate::model::split::split(&costs, n).unwrap());
        prop_assert!(knows.makespan.0 <= time(&costs, &all, &ignores.counts));
        prop_assert_eq!(&split_shared(&costs, &[], n).unwrap(), &ignores);
    }

    #[test]
    fn more_capacity_and_another_device_never_hurt((pairs, capacities) in cases(), n in 1_u64..100_000, which in 0_usize..4) {
        let costs = costs(&pairs);
        let mut all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let before = split_shared(&costs, &all, n).unwrap().level.0;
        if let Some(s) = all.get_mut(which) {
            for time in s.once.iter_mut().chain(&mut s.per_iteration) {
                *time = *time * 0.7;
            }
        }
        prop_assert!(split_shared(&costs, &all, n).unwrap().level.0 <= before * (1.0 + 1e-9));
        let all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let (mut more, mut wider) = (costs.clone(), all);
        more.push(LinearCost { fixed: Seconds(3.0), per_iteration: Seconds(5.0) });
        for s in &mut wider {
            s.once.push(Seconds(1.0));
            s.per_iteration.push(Seconds(2.0));
            s.steady.push(0.0);
        }
        prop_assert!(split_shared(&more, &wider, n).unwrap().level.0 <= before * (1.0 + 1e-9));
    }

    #[test]
    fn the_order_of_the_devices_does_not_matter((pairs, capacities) in cases(), n in 0_u64..100_000) {
        let forward: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let (mut pairs_back, mut back) = (pairs.clone(), forward.clone());
        pairs_back.reverse();
        for s in &mut back {
            s.once.reverse();
            s.per_iteration.reverse();
        }
        let (there, mut here) =
            (split_shared(&costs(&pairs), &forward, n).unwrap(), split_shared(&costs(&pairs_back), &back, n).unwrap());
        here.counts.reverse();
        let alike = |a: Seconds, b: Seconds, more: f64| (a.0 - b.0).abs() <= 1e-8 * a.0 + more;
        prop_assert!(alike(there.level, here.level, 0.0), "{there:?} {here:?}");
        // Between equally good sets, or iterations that finish at the same time, the earlier device is taken.
        let charged = capacities.iter().any(|(once, _)| once.iter().any(|&once| once > 0.0));
        let near = there.counts.iter().zip(&here.counts).all(|(a, b)| a.abs_diff(*b) <= 4);
        // Equally good splits may differ: the device whose share is rounded up may take an iteration longer.
        let iteration = pairs.iter().map(|pair| pair.1).fold(0.0, f64::max);
        prop_assert!(near || charged || alike(there.makespan, here.makespan, iteration), "{there:?} {here:?}");
    }
}

/// Machines: a memory on which devices draw unequally, and nested or disjoint groups of links, each with up to two capacities on
/// which its members draw equally.
fn machines() -> impl Strategy<Value = Case> {
    (2_usize..8, 0_u32..32).prop_flat_map(|(devices, kinds)| {
        let whole = |low: u32, high: u32| (low..high).prop_map(f64::from);
        let once = prop_oneof![2 => Just(0.0), 1 => whole(0, 20)];
        let one = (whole(0, 40), whole(1, 12), whole(0, 6), once);
        let group = (0..devices, 0..devices, prop::collection::vec((whole(1, 12), any::<bool>()), 1..3));
        (prop::collection::vec(one, devices), prop::collection::vec(group, 0..3)).prop_map(move |(ones, groups)| {
            // Some devices are equal, as in real machines.
            let ones: Vec<_> = (0..devices).map(|i| ones[if kinds >> (i % 5) & 1 == 1 { 0 } else { i }]).collect();
            let pairs = ones.iter().map(|one| (one.0, one.1)).collect();
            let mut all = vec![(ones.iter().map(|one| one.3).collect(), ones.iter().map(|one| one.2).collect())];
            // The second group lies within the first or on the other side of the list.
            let mut within = 0..devices;
            for (from, to, capacities) in groups {
                let (from, to) = (from.min(to).max(within.start), (from.max(to) + 1).min(within.end));
                if from >= to {
                    continue;
                }
                for (each, charges) in capacities {
                    let of = |takes: &dyn Fn(usize) -> f64| -> Vec<f64> {
                        (0..devices).map(|i| if (from..to).contains(&i) { takes(i) } else { 0.0 }).collect()
                    };
                    all.push((of(&|i| if charges { ones[i].3 } else { 0.0 }), of(&|_| each)));
                }
                within = if to < devices && each_side(from) { to..devices } else { from..to };
            }
            (pairs, all)
        })
    })
}

fn each_side(from: usize) -> bool {
    from.is_multiple_of(2)
}

impl Fluid<'_> {
    /// The least level of all sets of devices, each by a program of its own.
    fn level_of_best_set(&self) -> Option<f64> {
        let members = |set: u32| -> Vec<usize> { (0..self.costs.len()).filter(|i| set >> i & 1 == 1).collect() };
        let levels = (1..1 << self.costs.len()).filter_map(|set| self.level(&members(set)));
        levels.min_by(f64::total_cmp).map(|level| level * self.unit)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn for_the_capacities_of_machines_no_linear_program_is_needed((pairs, capacities) in machines(), n in 1_u64..100_000) {
        let costs = costs(&pairs);
        let all: Vec<_> = capacities.iter().map(|(once, per)| shared(once, per)).collect();
        let members: Vec<usize> = (0..costs.len()).collect();
        let free = crate::model::split::split(&costs, n).unwrap();
        let flow = Flow::new(&costs, &all, &members, n);
        prop_assert!(flow.is_some(), "{all:?}");
        let flow = flow.unwrap();
        let (set, level) = flow.solve_within(flow.set(|_| true), free.level.0).unwrap();
        let shares = flow.earliest(set, level).unwrap();
        let fluid = Fluid::new(&costs, &all, n, free.level);
        let (program, theirs) = fluid.solve().unwrap();
        // With many sets, the program does not try all of them.
        let least = program.min(fluid.level_of_best_set().unwrap());
        prop_assert!((level - least).abs() <= 1e-7 * least, "{level} {least}");
        let total: f64 = shares.iter().sum();
        prop_assert!((total - n as f64).abs() <= 1e-7 * n as f64, "{shares:?}");
        for (k, capacity) in all.iter().enumerate() {
            let takes = |i: usize| {
                let once = if shares[i] > 0.0 { capacity.once[i].0 } else { 0.0 };
                once + capacity.per_iteration[i].0 * shares[i]
            };
            prop_assert!((0..costs.len()).map(takes).sum::<f64>() <= level * (1.0 + 1e-7), "capacity {k}: {shares:?}");
        }
        // The latest end is as early as it can be, then the second latest, and so on.
        let ends = |shares: &[f64]| -> Vec<f64> {
            let end = |(&share, cost): (&f64, &LinearCost)| if share > 1e-9 * n as f64 { cost.fixed.0 + cost.per_iteration.0 * share } else { 0.0 };
            let mut ends: Vec<f64> = shares.iter().zip(&costs).map(end).collect();
            ends.sort_by(|a, b| b.total_cmp(a));
            ends
        };
        let same_set = theirs.iter().zip(&shares).all(|(a, b)| (*a > 1e-9 * n as f64) == (*b > 1e-9 * n as f64));
        let (ours, theirs) = (ends(&shares), ends(&theirs));
        let close = ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() <= 1e-5 * level);
        prop_assert!(close || !same_set, "{costs:?} {all:?} {n} {shares:?} {ours:?} {theirs:?} at {level}");
    }
}

#[test]
fn a_capacity_of_which_no_device_asks_more_than_of_another_is_left_out() {
    let draw = |capacity: u32, once: f64, each: f64| Draw {
        capacity,
        once: Seconds(once),
        per_iteration: Seconds(each),
        during: During::Copies,
    };
    let device = |draws: &[Draw]| {
        let mut device = DeviceCost { kernel: Seconds(1.0), ..DeviceCost::default() };
        draws.iter().for_each(|draw| device.draws.push(*draw));
        device
    };
    let places = |devices: &[DeviceCost]| -> Vec<f64> {
        Shared::of(devices).iter().map(|shared| shared.per_iteration[0].0).collect()
    };
    // In, out and both ways.
    let switch = [draw(1, 2.0, 0.3), draw(2, 0.0, 0.2), draw(3, 1.0, 0.25)];
    assert_eq!(places(&[device(&switch); 2]), [0.3]);
    // One of the devices asks more of another one, or another one once.
    let other = device(&[draw(1, 2.0, 0.3), draw(2, 0.0, 0.4), draw(3, 1.0, 0.25)]);
    assert_eq!(places(&[device(&switch), other]), [0.3, 0.2]);
    assert_eq!(places(&[device(&[draw(1, 2.0, 0.3), draw(3, 3.0, 0.25)]); 2]), [0.3, 0.25]);
    // Where stages do not overlap who copies in does not wait for who copies out.
    let by_stages = DeviceCost { overlap: crate::model::Overlap::None, ..device(&switch) };
    assert_eq!(places(&[by_stages; 2]), [0.3, 0.2, 0.25]);
    // Cores that give way are not slowed as others are.
    let memory = |steady: f64| DeviceCost { host_memory: Seconds(0.2), steady, ..device(&switch) };
    assert_eq!(places(&[memory(0.0); 2]), [0.3]);
    assert_eq!(places(&[memory(0.5); 2]), [0.2, 0.3]);
}
