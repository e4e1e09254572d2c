//! What holds for every policy in the list, for any order of events and any failing devices.

#[path = "common/driver.rs"]
mod driver;

use apportion::error::Phase;
use apportion::model::subchunks;
use apportion::model::{DeviceCost, LoopProfile, Overlap, even, split};
use apportion::sched::{
    Cutoff, Decision, Handout, Next, POLICIES, Policy, Problem, SimulateOptions, Simulation, Work, simulate,
};
use apportion::space::{IterRange, Slot};
use apportion::times::PhaseTimes;
use apportion::units::{Bytes, Flops, Percent, Seconds};
use driver::{Driver, events};
use proptest::prelude::*;

/// The work before each iteration, whatever it is.
#[derive(Clone, Debug)]
struct Table(Vec<u64>);

impl Table {
    fn of(lengths: &[u64]) -> Self {
        let sum = |sum: &mut u64, length: &u64| {
            *sum += length;
            Some(*sum)
        };
        Self(std::iter::once(0).chain(lengths.iter().scan(0, sum)).collect())
    }
}

impl Work for Table {
    fn before(&self, iteration: u64) -> u64 {
        self.0[iteration as usize]
    }
}

/// Some without any work, some with a lot.
fn lengths() -> impl Strategy<Value = Vec<u64>> {
    let length = prop_oneof![4 => Just(0_u64), 8 => 0_u64..9, 2 => 0_u64..1000, 1 => Just(1 << 40)];
    prop_oneof![9 => prop::collection::vec(length, 1..200), 1 => (1_usize..50).prop_map(|n| vec![0; n])]
}

fn a_table() -> impl Strategy<Value = Table> {
    prop_oneof![
        3 => lengths().prop_map(|lengths| Table::of(&lengths)),
        1 => prop::collection::vec(any::<u64>(), 1..100).prop_map(Table),
    ]
}

/// Every policy in the list with its defaults, and with other parameters.
fn policies() -> Vec<Policy> {
    let mut all: Vec<Policy> = POLICIES.iter().map(|entry| entry.name.parse().unwrap()).collect();
    all.extend(
        [
            "SCHED_DYNAMIC:100%",
            "SCHED_DYNAMIC:0.7%",
            "SCHED_GUIDED:15%:homp",
            "SCHED_GUIDED:60%:homp",
            "SCHED_GUIDED:33%:percent",
            "SCHED_GUIDED:100%",
            "SCHED_PROFILE_AUTO:0.01%",
            "SCHED_PROFILE_AUTO:100%",
            "MODEL_PROFILE_AUTO:0.01%",
            "MODEL_PROFILE_AUTO:100%",
            "HGUIDED:k=0.001",
            "HGUIDED:k=7:min=1",
            "ADAPTIVE:sample=100%:tail=0.01%",
            "ADAPTIVE:sample=0.01%:tail=100%",
            "AUTO:heuristic",
        ]
        .map(|text| text.parse().unwrap()),
    );
    all
}

fn a_policy() -> impl Strategy<Value = Policy> {
    prop::sample::select(policies())
}

fn a_cutoff() -> impl Strategy<Value = Cutoff> {
    let percent = (0_u32..=1_000_000).prop_map(Percent::from_millionths);
    prop_oneof![
        Just(Cutoff::None),
        Just(Cutoff::Share(None)),
        percent.clone().prop_map(|p| Cutoff::Share(Some(p))),
        percent.prop_map(Cutoff::Benefit),
    ]
}

fn a_device() -> impl Strategy<Value = DeviceCost> {
    let us = |most: f64| (0.0..most).prop_map(Seconds::from_micros);
    (0.01_f64..20.0, us(5.0), us(5.0), us(20.0), us(20.0), us(20.0), us(500.0), any::<(bool, bool)>()).prop_map(
        |(kernel, to, from, to_chunk, kernel_chunk, from_chunk, once, (shared, full))| {
            let kernel = Seconds::from_micros(kernel);
            let overlap = if full { Overlap::Full } else { Overlap::None };
            let base = DeviceCost { flop_time: kernel, kernel, kernel_chunk, overlap, shared, ..DeviceCost::default() };
            if shared { base } else { DeviceCost { to, from, to_chunk, from_chunk, once, ..base } }
        },
    )
}

fn machine(most: usize) -> impl Strategy<Value = Vec<DeviceCost>> {
    machine_of(1, most)
}

fn machine_of(least: usize, most: usize) -> impl Strategy<Value = Vec<DeviceCost>> {
    prop::collection::vec(a_device(), least..most)
}

/// 0, 1, M-1, M, 2M and its neighbours, and beyond 2^32.
fn a_length() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..20, 0_u64..5000, 4_000_000_000_u64..1_000_000_000_000]
}

fn profile() -> LoopProfile {
    LoopProfile { flops: Flops(3.0), aligned_in: 4.0, replicated_in: Bytes(100), ..LoopProfile::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_iteration_is_handed_out_exactly_once_whoever_fails(
        policy in a_policy(), costs in machine(9), n in a_length(), start in 0_u64..100, granule in 1_u64..9,
        cutoff in a_cutoff(), events in events(true),
    ) {
        let profile = profile();
        let problem = Problem { cutoff, granule, ..Problem::new(n, &costs, &profile) };
        let range = IterRange::new(start, start + n);
        let mut driver = Driver::new(&policy, range, &problem);
        for event in events {
            driver.happens(event);
        }
        driver.run_out();
        driver.check(range);
    }

    #[test]
    fn by_work_every_iteration_is_handed_out_exactly_once_whoever_fails(
        policy in a_policy(), costs in machine(9), table in a_table(), start in 0_usize..20, granule in 1_u64..9,
        cutoff in a_cutoff(), events in events(true),
    ) {
        let profile = profile();
        let end = table.0.len() as u64 - 1;
        let range = IterRange::new((start as u64).min(end), end);
        let problem = Problem { cutoff, granule, ..Problem::new(range.len(), &costs, &profile) };
        let mut driver = Driver::new(&policy, range, &problem).by_work(&table);
        for event in events {
            driver.happens(event);
        }
        driver.run_out();
        driver.check(range);
    }

    #[test]
    fn by_work_blocks_have_equal_parts_of_the_work_to_within_an_iteration(lengths in lengths(), devices in 1_usize..9) {
        let table = Table::of(&lengths);
        let (n, costs, profile) = (lengths.len() as u64, vec![by_rate(1.0); devices], profile());
        let all = *table.0.last().unwrap();
        let mut driver = Driver::new(&Policy::Block, IterRange::new(0, n), &Problem::new(n, &costs, &profile)).by_work(&table);
        driver.run_out();
        let longest = *lengths.iter().max().unwrap();
        // BLOCK itself gives the first devices one place more.
        let (one_more, chunks) = (all.div_ceil(n), driver.done.len());
        for chunk in &driver.done {
            let work = table.0[chunk.end as usize] - table.0[chunk.start as usize];
            prop_assert!(work <= all / devices as u64 + one_more + longest + 1, "{work} of {all}, {lengths:?}");
            prop_assert!(chunks < devices || work + one_more + longest + 1 >= all / devices as u64, "{work} of {all}, {lengths:?}");
        }
    }

    #[test]
    fn without_failures_chunks_begin_at_whole_granules(
        policy in a_policy(), costs in machine(6), n in 0_u64..3000, start in 0_u64..100, granule in 1_u64..50,
    ) {
        let profile = profile();
        let problem = Problem { granule, ..Problem::new(n, &costs, &profile) };
        let mut driver = Driver::new(&policy, IterRange::new(start, start + n), &problem);
        driver.run_out();
        for chunk in &driver.done {
            prop_assert_eq!((chunk.start - start) % granule, 0);
            prop_assert!((chunk.end - start) % granule == 0 || chunk.end == start + n);
        }
    }

    #[test]
    fn a_policy_of_one_stage_that_asks_a_model_gives_contiguous_blocks_in_list_order(
        costs in machine(9), n in a_length(), cutoff in a_cutoff(), model in prop::sample::select(vec![Policy::Block, Policy::Model1, Policy::Model2]),
    ) {
        let profile = profile();
        let mut scheduler = model.start(&Problem { cutoff, ..Problem::new(n, &costs, &profile) }).unwrap();
        let mut at = 0;
        for d in 0..costs.len() {
            if let Next::Run(block) = scheduler.next(Slot(d)) {
                prop_assert_eq!(block.start, at);
                at = block.end;
            }
            prop_assert_eq!(scheduler.next(Slot(d)), Next::Done);
        }
        prop_assert_eq!(at, n);
    }

    #[test]
    fn dynamic_chunks_are_all_of_one_size_but_the_last(n in 1_u64..100_000, chunk in 1_u64..5000, devices in 2_usize..9) {
        let lengths = claimed(&format!("SCHED_DYNAMIC:{chunk}"), n, devices);
        let chunk = chunk.min(n);
        prop_assert_eq!(lengths.len() as u64, n.div_ceil(chunk));
        prop_assert!(lengths[..lengths.len() - 1].iter().all(|&l| l == chunk));
    }

    #[test]
    fn guided_chunks_never_grow_and_their_number_is_bounded(
        n in 1_u64..1_000_000, percent in 1_u32..=100, devices in 2_usize..9, bounded in any::<bool>(),
    ) {
        let mode = if bounded { "remaining" } else { "percent" };
        let lengths = claimed(&format!("SCHED_GUIDED:{percent}%:{mode}"), n, devices);
        prop_assert!(lengths.windows(2).all(|pair| pair[0] >= pair[1]) && lengths.iter().all(|&l| l > 0));
        let p = f64::from(percent) / 100.0;
        let p = if bounded { p.min(1.0 / devices as f64) } else { p };
        let least = (n / 100).max(1) as f64;
        let shrinking = if p < 1.0 { ((p * n as f64 / least).ln() / -(1.0 - p).ln()).ceil().max(0.0) } else { 1.0 };
        // Below p n = c_min the chunks are a percentage point long: at most ceil(1/p) of them.
        prop_assert!(lengths.len() as f64 <= shrinking + (1.0 / p).ceil(), "{} of {n}", lengths.len());
    }

    #[test]
    fn model_2_without_fixed_costs_and_links_is_model_1(rates in prop::collection::vec(0.01_f64..50.0, 2..9), n in a_length()) {
        let costs: Vec<DeviceCost> = rates.iter().map(|&b| by_rate(b)).collect();
        prop_assert_eq!(blocks(&Policy::Model1, &costs, n), blocks(&Policy::Model2, &costs, n));
    }

    #[test]
    fn model_1_on_equal_devices_is_block(rate in 0.01_f64..50.0, devices in 2_usize..20, n in 0_u64..1_000_000_000) {
        prop_assert_eq!(blocks(&Policy::Model1, &vec![by_rate(rate); devices], n), even(n, devices));
    }

    #[test]
    fn a_cutoff_leaves_somebody_and_takes_from_nobody_who_stays(costs in machine(9), n in 1_u64..1_000_000, cutoff in a_cutoff()) {
        let plain = blocks_cut(&Policy::Model2, &costs, n, Cutoff::None);
        let cut = blocks_cut(&Policy::Model2, &costs, n, cutoff);
        prop_assert_eq!(cut.iter().sum::<u64>(), n);
        for (before, after) in plain.iter().zip(&cut) {
            // One iteration may move where finish times tie.
            prop_assert!(*after == 0 || after + 1 >= *before);
        }
    }

    #[test]
    fn a_cutoff_of_nothing_changes_nothing(costs in machine(9), n in 0_u64..1_000_000) {
        let plain = blocks_cut(&Policy::Model2, &costs, n, Cutoff::None);
        let zero = Percent::from_millionths(0);
        prop_assert_eq!(&plain, &blocks_cut(&Policy::Model2, &costs, n, Cutoff::Share(Some(zero))));
        prop_assert_eq!(&plain, &blocks_cut(&Policy::Model2, &costs, n, Cutoff::Benefit(zero)));
    }

    #[test]
    fn those_who_stay_after_a_cutoff_by_share_are_above_it(costs in machine(9), n in 1000_u64..1_000_000, kappa in 0_u32..300_000) {
        let cut = blocks_cut(&Policy::Model2, &costs, n, Cutoff::Share(Some(Percent::from_millionths(kappa))));
        let share = f64::from(kappa) * 1e-6;
        let staying = cut.iter().filter(|&&c| c > 0).count();
        for count in cut.iter().filter(|&&c| c > 0) {
            prop_assert!(staying == 1 || (*count + 2) as f64 / n as f64 >= share);
        }
    }

    #[test]
    fn no_kind_of_device_dropped_for_its_benefit_would_have_saved_more_than_that(costs in machine_of(2, 7), n in 1_u64..1_000_000, eps in 0_u32..200_000) {
        let cutoff = Cutoff::Benefit(Percent::from_millionths(eps));
        let linear: Vec<_> = costs.iter().map(DeviceCost::linear).collect();
        let profile = profile();
        let scheduler = Policy::Model2.start(&Problem { cutoff, ..Problem::new(n, &costs, &profile) }).unwrap();
        // Judged by time, not by whole iterations: a device whose share rounds to none was not dropped.
        let out: Vec<usize> = scheduler.decision().left_out.iter().map(|(slot, _)| slot.0).collect();
        let all = split(&linear, n).unwrap().level;
        let dropped = out.iter().filter(|&&i| linear[i].fixed < all).count();
        let kept: Vec<_> = (0..linear.len()).filter(|i| !out.contains(i)).map(|i| linear[i]).collect();
        let (all, few) = (all.0, split(&kept, n).unwrap().level.0);
        prop_assert!(few <= all * (1.0 + f64::from(eps) * 1e-6).powi(dropped as i32) * (1.0 + 1e-9));
    }

    #[test]
    fn whom_model_1_leaves_out_for_their_benefit_would_not_have_saved_more_than_that(
        devices in prop::collection::vec((0.001_f64..20.0, 0.01_f64..20.0, 0.0_f64..500.0, 0.0_f64..1.0), 2..7),
        n in 1_u64..1_000_000, eps in 0_u32..200_000,
    ) {
        // What it divides by says little of what devices take, alone and beside others.
        let device = |&(flops, each, launch, memory): &(f64, f64, f64, f64)| DeviceCost {
            flop_time: Seconds::from_micros(flops),
            kernel: Seconds::from_micros(each),
            kernel_chunk: Seconds::from_micros(launch),
            host_memory: Seconds::from_micros(each * memory),
            shared: true,
            ..DeviceCost::default()
        };
        let costs: Vec<DeviceCost> = devices.iter().map(device).collect();
        let profile = profile();
        let run = |cutoff| {
            let problem = Problem { cutoff, ..Problem::new(n, &costs, &profile) };
            simulate(&Policy::Model1, &problem, &SimulateOptions::default()).unwrap()
        };
        let (all, few) = (run(Cutoff::None), run(Cutoff::Benefit(Percent::from_millionths(eps))));
        let most = (1.0 + f64::from(eps) * 1e-6).powi(costs.len() as i32 - 1) * (1.0 + 1e-6);
        prop_assert!(few.makespan <= all.makespan * most, "{} after {}", few.makespan, all.makespan);
    }

    #[test]
    fn with_exact_measurements_stage_two_is_the_split_of_the_rest(
        costs in machine_of(2, 7), n in prop_oneof![100_u64..10_000, 100_u64..1_000_000], turn in 0_usize..7,
        by_model in any::<bool>(),
    ) {
        let policy: Policy = if by_model { "MODEL_PROFILE_AUTO" } else { "SCHED_PROFILE_AUTO" }.parse().unwrap();
        let order: Vec<usize> = (0..costs.len()).map(|i| (i + turn) % costs.len()).collect();
        let (samples, got, _) = profile_in(&policy, &costs, n, &order);
        let rest = n - samples.iter().sum::<u64>();
        let expected: Vec<_> = costs
            .iter()
            .map(|cost| apportion::model::LinearCost {
                fixed: cost.per_chunk(),
                per_iteration: cost.pace([cost.to, cost.kernel, cost.from]),
            })
            .collect();
        let expected = split(&expected, rest).unwrap().counts;
        for (x, y) in expected.iter().zip(&got) {
            // The measured pace is rounded, so where two iterations end together either may be the last. A device's own
            // iterations never end together, so each device is off by one at most.
            prop_assert!(x.abs_diff(*y) <= 1, "{expected:?} {got:?}");
        }
        // The policy plans once from all measurements, so their order of arrival has no effect.
        let natural: Vec<usize> = (0..costs.len()).collect();
        prop_assert_eq!(profile_in(&policy, &costs, n, &natural).1, got);
    }

    #[test]
    fn the_simulator_runs_all_and_adds_up(policy in a_policy(), costs in machine(9), n in a_length(), granule in 1_u64..9, cutoff in a_cutoff()) {
        let profile = profile();
        let problem = Problem { granule, cutoff, ..Problem::new(n, &costs, &profile) };
        let simulation = simulate(&policy, &problem, &SimulateOptions::default()).unwrap();
        check_simulation(&simulation, &costs, n);
        prop_assert_eq!(&simulation, &simulate(&policy, &problem, &SimulateOptions::default()).unwrap());
    }
}

fn check_simulation(simulation: &Simulation, costs: &[DeviceCost], n: u64) {
    let mut ranges: Vec<IterRange> =
        simulation.devices.iter().flat_map(|d| d.records.iter().map(|record| record.range)).collect();
    ranges.sort();
    assert_eq!(ranges.iter().map(|r| r.len()).sum::<u64>(), n);
    assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
    let makespan = simulation.makespan.0;
    for device in &simulation.devices {
        assert!((device.busy.0 + device.wait.0 - makespan).abs() <= 1e-9 * makespan);
        assert!(device.busy.0 <= makespan * (1.0 + 1e-9) && device.busy.0 >= 0.0);
        assert_eq!(device.chunks, device.records.len() as u64);
        assert!(device.records.windows(2).all(|pair| pair[0].start <= pair[1].start && pair[0].end <= pair[1].end));
        assert_eq!(device.iterations == 0, device.busy == Seconds::ZERO);
    }
    let linear: Vec<_> = costs.iter().map(DeviceCost::linear).collect();
    let level = split(&linear, n).unwrap().level.0;
    assert!(makespan >= level * (1.0 - 1e-9), "faster than possible: {makespan} < {level}");
    assert!(simulation.imbalance >= 0.0);
}

fn by_rate(us: f64) -> DeviceCost {
    let time = Seconds::from_micros(us);
    DeviceCost { flop_time: time, kernel: time, shared: true, ..DeviceCost::default() }
}

/// The lengths of claims in their order, as devices ask in turn.
fn claimed(policy: &str, n: u64, devices: usize) -> Vec<u64> {
    let costs = vec![by_rate(1.0); devices];
    let profile = profile();
    let mut scheduler = policy.parse::<Policy>().unwrap().start(&Problem::new(n, &costs, &profile)).unwrap();
    (0..)
        .map_while(|turn| match scheduler.next(Slot(turn % devices)) {
            Next::Run(chunk) => Some(chunk.len()),
            _ => None,
        })
        .collect()
}

fn blocks(policy: &Policy, costs: &[DeviceCost], n: u64) -> Vec<u64> {
    blocks_cut(policy, costs, n, Cutoff::None)
}

fn blocks_cut(policy: &Policy, costs: &[DeviceCost], n: u64, cutoff: Cutoff) -> Vec<u64> {
    let profile = profile();
    let mut scheduler = policy.start(&Problem { cutoff, ..Problem::new(n, costs, &profile) }).unwrap();
    (0..costs.len()).map(|d| length(scheduler.next(Slot(d)))).collect()
}

fn length(next: Next) -> u64 {
    match next {
        Next::Run(chunk) => chunk.len(),
        _ => 0,
    }
}

/// What a device of this cost takes for one chunk, cut into pieces by its proxy.
fn exact_times(cost: &DeviceCost, n: u64) -> PhaseTimes {
    let mut times = PhaseTimes::default();
    let pieces = subchunks(cost, n);
    for piece in 0..pieces {
        let length = n / pieces + u64::from(piece < n % pieces);
        for (phase, time) in [Phase::To, Phase::Kernel, Phase::From].into_iter().zip(cost.stages(length)) {
            times[phase] += time;
        }
    }
    // One-off costs and waits have no effect, however long.
    times[Phase::Init] = Seconds(5.0);
    times[Phase::Wait] = Seconds(7.0);
    times
}

/// Runs samples that finish in this order. Returns their lengths, the counts of stage 2, and the decision.
fn profile_in(policy: &Policy, costs: &[DeviceCost], n: u64, order: &[usize]) -> (Vec<u64>, Vec<u64>, Decision) {
    let profile = profile();
    let mut scheduler = policy.start(&Problem::new(n, costs, &profile)).unwrap();
    let samples: Vec<IterRange> = (0..costs.len())
        .map(|d| match scheduler.next(Slot(d)) {
            Next::Run(sample) => sample,
            other => panic!("device {d} got no sample but {other:?}"),
        })
        .collect();
    for &d in order {
        assert_eq!(scheduler.next(Slot(d)), Next::WaitForOthers, "before all samples are in");
        scheduler.finished(
            Slot(d),
            samples[d],
            &exact_times(&costs[d], samples[d].len()),
            subchunks(&costs[d], samples[d].len()),
        );
    }
    let sampled: Vec<u64> = samples.iter().map(|sample| sample.len()).collect();
    assert_eq!(sampled.iter().sum::<u64>(), samples.last().unwrap().end);
    let counts = order.iter().map(|&d| (d, length(scheduler.next(Slot(d))))).collect::<Vec<_>>();
    let mut by_device = vec![0; costs.len()];
    for (d, count) in counts {
        by_device[d] = count;
    }
    (sampled, by_device, scheduler.decision())
}

#[test]
fn the_sample_of_a_device_that_fails_does_not_keep_the_others_waiting() {
    let costs = [by_rate(1.0); 3];
    let profile = profile();
    for name in ["SCHED_PROFILE_AUTO", "MODEL_PROFILE_AUTO"] {
        for took_its_sample in [false, true] {
            let policy: Policy = name.parse().unwrap();
            let mut handout =
                Handout::new(IterRange::new(0, 900), 1, policy.start(&Problem::new(900, &costs, &profile)).unwrap(), 3);
            let mut sums = [0_u64; 3];
            if took_its_sample {
                assert!(matches!(handout.next(Slot(2)), Next::Run(_)));
            }
            for d in 0..2 {
                let Next::Run(sample) = handout.next(Slot(d)) else { panic!("{name}: no sample") };
                handout.finished(
                    Slot(d),
                    sample,
                    &exact_times(&costs[d], sample.len()),
                    subchunks(&costs[d], sample.len()),
                );
                sums[d] += sample.len();
                assert_eq!(handout.next(Slot(d)), Next::WaitForOthers);
            }
            handout.lost(Slot(2), &[]);
            while handout.unfinished() > 0 {
                for d in 0..2 {
                    if let Next::Run(chunk) = handout.next(Slot(d)) {
                        handout.finished(
                            Slot(d),
                            chunk,
                            &exact_times(&costs[d], chunk.len()),
                            subchunks(&costs[d], chunk.len()),
                        );
                        sums[d] += chunk.len();
                    }
                }
            }
            assert_eq!(sums, [450, 450, 0], "{name}");
            assert_eq!(handout.next(Slot(2)), Next::Done);
        }
    }
}

#[test]
fn a_lost_devices_work_is_split_evenly_among_the_living() {
    let costs = [by_rate(1.0); 4];
    let profile = profile();
    let start = || Policy::Block.start(&Problem::new(400, &costs, &profile)).unwrap();
    let mut handout = Handout::new(IterRange::new(1000, 1400), 1, start(), 4);
    let mine: Vec<Next> = (0..4).map(|d| handout.next(Slot(d))).collect();
    assert_eq!(mine[3], Next::Run(IterRange::new(1300, 1400)));
    handout.lost(Slot(3), &[IterRange::new(1310, 1400)]);
    assert_eq!((handout.living(), handout.unfinished()), (3, 390));
    let pieces: Vec<u64> = (0..3).map(|d| length(handout.next(Slot(d)))).collect();
    assert_eq!(pieces, [30, 30, 30]);
    assert_eq!(handout.next(Slot(0)), Next::WaitForOthers);
}

#[test]
fn a_device_left_out_takes_over_only_when_no_other_is_left() {
    let costs = [by_rate(1.0), by_rate(1.0), DeviceCost { once: Seconds(1e3), ..by_rate(1.0) }];
    let profile = profile();
    let mut handout =
        Handout::new(IterRange::new(0, 100), 1, Policy::Model2.start(&Problem::new(100, &costs, &profile)).unwrap(), 3);
    assert_eq!(handout.next(Slot(2)), Next::WaitForOthers);
    handout.lost(Slot(0), &[]);
    assert_eq!(handout.next(Slot(2)), Next::WaitForOthers);
    handout.lost(Slot(1), &[]);
    let mut sum = 0;
    while let Next::Run(chunk) = handout.next(Slot(2)) {
        sum += chunk.len();
        handout.finished(Slot(2), chunk, &PhaseTimes::default(), 1);
    }
    assert_eq!((sum, handout.next(Slot(2))), (100, Next::Done));
}

#[test]
fn a_stopped_hand_out_sends_everybody_home() {
    let costs = [by_rate(1.0); 2];
    let profile = profile();
    for policy in policies() {
        let mut handout =
            Handout::new(IterRange::new(0, 100), 1, policy.start(&Problem::new(100, &costs, &profile)).unwrap(), 2);
        let Next::Run(chunk) = handout.next(Slot(0)) else { panic!("{policy}: nothing to run") };
        handout.stop();
        handout.finished(Slot(0), chunk, &PhaseTimes::default(), 1);
        assert_eq!(handout.unfinished(), 100 - chunk.len());
        assert_eq!((handout.next(Slot(0)), handout.next(Slot(1))), (Next::Done, Next::Done), "{policy}");
    }
}

#[test]
fn no_iterations_no_devices_and_one_device_are_the_plain_cases() {
    let profile = profile();
    for policy in policies() {
        assert!(policy.start(&Problem::new(10, &[], &profile)).is_err(), "{policy}");
        let one = [by_rate(1.0)];
        let problem = Problem { cutoff: "share:100%".parse().unwrap(), ..Problem::new(1000, &one, &profile) };
        let mut alone = policy.start(&problem).unwrap();
        assert_eq!(alone.next(Slot(0)), Next::Run(IterRange::new(0, 1000)), "{policy}");
        assert_eq!(alone.next(Slot(0)), Next::Done);
        let two = [by_rate(1.0); 2];
        let mut none = policy.start(&Problem::new(0, &two, &profile)).unwrap();
        // A device that is not in the list gets nothing and does no harm.
        assert_eq!([0, 1, 7].map(|d| none.next(Slot(d))), [Next::Done; 3], "{policy}");
        assert!(none.lost(Slot(7)).is_empty());
    }
}

#[test]
fn a_loop_too_short_to_sample_says_so() {
    let costs = [by_rate(1.0), by_rate(3.0)];
    let profile = profile();
    for name in ["SCHED_PROFILE_AUTO", "MODEL_PROFILE_AUTO"] {
        let notes =
            |n| name.parse::<Policy>().unwrap().start(&Problem::new(n, &costs, &profile)).unwrap().decision().notes;
        assert!(notes(3)[0].contains("profiled=false"));
        assert!(notes(4).is_empty());
    }
}

#[test]
fn a_sample_without_measurable_time_falls_back_to_the_model_and_says_so() {
    let costs = [by_rate(1.0), by_rate(3.0)];
    let profile = profile();
    let mut scheduler =
        "SCHED_PROFILE_AUTO".parse::<Policy>().unwrap().start(&Problem::new(1000, &costs, &profile)).unwrap();
    for d in 0..2 {
        let Next::Run(sample) = scheduler.next(Slot(d)) else { panic!("no sample") };
        scheduler.finished(Slot(d), sample, &PhaseTimes::default(), 1);
    }
    assert_eq!([0, 1].map(|d| length(scheduler.next(Slot(d)))), [600, 200]);
    let decision = scheduler.decision();
    assert_eq!(decision.unprofiled, [Slot(0), Slot(1)]);
    let remarks = decision.remarks(|slot| ["cpu", "gpu"][slot.0]);
    assert!(remarks.len() == 2 && remarks[1].starts_with("profiled=false for gpu: "), "{remarks:?}");
}

#[test]
fn a_measured_sample_overrules_a_wrong_model() {
    // D14: one-off costs counted as if each iteration paid them.
    let believed = [by_rate(1.0), by_rate(1.0)];
    let profile = profile();
    for (name, sampled) in [("SCHED_PROFILE_AUTO", 200), ("MODEL_PROFILE_AUTO", 100)] {
        let mut scheduler = name.parse::<Policy>().unwrap().start(&Problem::new(1000, &believed, &profile)).unwrap();
        for (d, us) in [(0, 1.0), (1, 3.0)] {
            let Next::Run(sample) = scheduler.next(Slot(d)) else { panic!("no sample") };
            scheduler.finished(
                Slot(d),
                sample,
                &exact_times(&by_rate(us), sample.len()),
                subchunks(&by_rate(us), sample.len()),
            );
        }
        let got = [0, 1].map(|d| length(scheduler.next(Slot(d))));
        let rest = 1000 - sampled;
        assert_eq!(got, [rest * 3 / 4, rest / 4], "{name}");
    }
}

#[test]
fn a_sample_is_measured_alike_in_however_many_pieces_it_ran() {
    // In company of equal devices; each piece pays as much as 50 iterations take.
    let costs = [DeviceCost { kernel_chunk: Seconds(5e-5), ..by_rate(1.0) }; 2];
    let profile = profile();
    for name in ["SCHED_PROFILE_AUTO", "MODEL_PROFILE_AUTO", "ADAPTIVE"] {
        let shares = |pieces: [u64; 2]| {
            let mut scheduler =
                name.parse::<Policy>().unwrap().start(&Problem::new(100_000, &costs, &profile)).unwrap();
            // ADAPTIVE takes several.
            for _ in 0..if name == "ADAPTIVE" { 3 } else { 1 } {
                for (d, pieces) in pieces.into_iter().enumerate() {
                    let Next::Run(sample) = scheduler.next(Slot(d)) else { panic!("no sample") };
                    let mut times = PhaseTimes::default();
                    times[Phase::Kernel] =
                        costs[d].kernel_chunk * pieces as f64 + costs[d].kernel * sample.len() as f64;
                    scheduler.finished(Slot(d), sample, &times, pieces);
                }
            }
            length(scheduler.next(Slot(0)))
        };
        let even = shares([1, 1]);
        for pieces in [[40, 40], [40, 1], [1, 7]] {
            let share = shares(pieces);
            assert!(share.abs_diff(even) <= even / 20, "{name} {pieces:?}: {share}, not {even}");
        }
    }
}

#[test]
fn a_cutoff_does_not_keep_a_device_from_being_measured() {
    let costs = [by_rate(1.0), by_rate(1000.0)];
    let profile = profile();
    let problem = Problem { cutoff: "share:30%".parse().unwrap(), ..Problem::new(1000, &costs, &profile) };
    for name in ["SCHED_PROFILE_AUTO", "MODEL_PROFILE_AUTO"] {
        let mut scheduler = name.parse::<Policy>().unwrap().start(&problem).unwrap();
        let samples = [0, 1].map(|d| length(scheduler.next(Slot(d))));
        assert!(samples[1] > 0, "{name}");
        let mut at = 0;
        for (d, length) in samples.into_iter().enumerate() {
            scheduler.finished(
                Slot(d),
                IterRange::new(at, at + length),
                &exact_times(&costs[d], length),
                subchunks(&costs[d], length),
            );
            at += length;
        }
        assert_eq!([0, 1].map(|d| length(scheduler.next(Slot(d)))), [1000 - at, 0], "{name}");
    }
}

#[test]
fn dynamic_in_ever_smaller_chunks_tends_to_the_level() {
    let costs = [by_rate(1.0), by_rate(2.0), by_rate(5.0)];
    let profile = profile();
    let linear: Vec<_> = costs.iter().map(DeviceCost::linear).collect();
    let level = split(&linear, 10_000).unwrap().level.0;
    let over = |chunk: u64| {
        let policy: Policy = format!("SCHED_DYNAMIC:{chunk}").parse().unwrap();
        simulate(&policy, &Problem::new(10_000, &costs, &profile), &SimulateOptions::default()).unwrap().makespan.0
            / level
    };
    assert!(over(1) < 1.001 && over(2000) > 1.01, "{} {}", over(1), over(2000));
}

#[test]
fn overlap_makes_a_copying_device_faster_than_the_sum_of_its_stages() {
    let us = Seconds::from_micros;
    let device = DeviceCost {
        to: us(1.0),
        kernel: us(1.0),
        from: us(1.0),
        flop_time: us(1.0),
        kernel_chunk: us(3.0),
        ..DeviceCost::default()
    };
    let profile = profile();
    let time = |overlap| {
        let costs = [DeviceCost { overlap, ..device }];
        simulate(&Policy::Block, &Problem::new(100_000, &costs, &profile), &SimulateOptions::default())
            .unwrap()
            .makespan
            .0
    };
    let (full, none) = (time(Overlap::Full), time(Overlap::None));
    assert!((none - 0.300_003).abs() < 1e-9);
    assert!(full > 0.1 && full < 0.11, "{full}");
}

#[test]
fn a_thousand_devices_and_a_million_million_iterations_are_simulated_by_every_policy() {
    let costs: Vec<DeviceCost> = (0..1024).map(|i| by_rate(1.0 + (i % 7) as f64)).collect();
    let profile = profile();
    let problem = Problem::new(1_000_000_000_000, &costs, &profile);
    for policy in Policy::ALL_SEVEN {
        let simulation = simulate(&policy, &problem, &SimulateOptions::default()).unwrap();
        check_simulation(&simulation, &costs, problem.iterations);
    }
}

#[test]
fn too_many_chunks_to_simulate_are_an_error_and_no_long_wait() {
    let costs = [by_rate(1.0); 2];
    let profile = profile();
    let problem = Problem::new(1_000_000_000_000, &costs, &profile);
    let policy: Policy = "SCHED_DYNAMIC:1".parse().unwrap();
    let options = SimulateOptions { max_chunks: 1000, ..SimulateOptions::default() };
    assert!(matches!(simulate(&policy, &problem, &options), Err(apportion::Error::TooLarge(_))));
}

#[test]
fn a_cutoff_that_a_policy_cannot_heed_is_remarked_upon() {
    let costs = [by_rate(1.0); 2];
    let profile = profile();
    let problem = Problem { cutoff: Cutoff::Share(None), ..Problem::new(100, &costs, &profile) };
    // AUTO has the note if it chooses one of these policies.
    for entry in POLICIES.iter().filter(|entry| entry.name != "AUTO") {
        let notes = entry.name.parse::<Policy>().unwrap().start(&problem).unwrap().decision().notes;
        assert_eq!(notes.iter().any(|note| note.contains("cutoff")), !entry.takes_cutoff, "{}", entry.name);
    }
}

#[test]
fn a_device_without_overlap_holds_one_chunk_at_a_time_and_one_with_it_two() {
    let profile = profile();
    let got = |overlap| {
        let costs = [1.0, 10.0].map(|us| DeviceCost { overlap, shared: false, ..by_rate(us) });
        let policy: Policy = "SCHED_DYNAMIC:25".parse().unwrap();
        let simulation = simulate(&policy, &Problem::new(100, &costs, &profile), &SimulateOptions::default()).unwrap();
        [0, 1].map(|d| simulation.devices[d].chunks)
    };
    assert_eq!((got(Overlap::None), got(Overlap::Full)), ([3, 1], [2, 2]));
}
