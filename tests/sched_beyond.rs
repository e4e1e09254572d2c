//! The policies beyond HOMP's seven: HGUIDED and ADAPTIVE.

use apportion::error::Phase;
use apportion::model::{DeviceCost, LoopProfile, Pipeline, most_of_a_share, piece_lengths, split};
use apportion::sched::{ChunkSize, Handout, Next, Policy, Problem, Scheduler, SimulateOptions, simulate};
use apportion::space::{IterRange, Slot};
use apportion::times::PhaseTimes;
use apportion::units::{Percent, Seconds};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// How a loop went on devices that differ from the model.
struct Outcome {
    makespan: f64,
    /// In order, for each device.
    chunks: Vec<Vec<Chunk>>,
}

/// A chunk's length, its start and end, and its length times the factor by which it took longer than the costs say.
#[derive(Clone, Debug, PartialEq)]
struct Chunk {
    length: u64,
    start: f64,
    end: f64,
    taken: f64,
}

/// A time in picoseconds, to order events by.
fn ticks(time: Seconds) -> u64 {
    (time.0 * 1e12).round() as u64
}

/// Runs the loop in virtual time. The policy believes `model`; chunks take `real`, each times a random factor of `1 - noise` to
/// `1 + noise`.
fn act(policy: &Policy, model: &[DeviceCost], real: &[DeviceCost], n: u64, noise: f64, seed: u64) -> Outcome {
    let profile = LoopProfile::default();
    let problem = Problem::new(n, model, &profile);
    let devices = real.len();
    let mut handout = Handout::new(IterRange::new(0, n), 1, policy.start(&problem).unwrap(), devices);
    let mut events: BinaryHeap<_> = (0..devices).map(|d| Reverse((0_u64, 0_usize, d))).collect();
    let mut pipelines = vec![Pipeline::default(); devices];
    let mut in_flight = vec![VecDeque::<(IterRange, Seconds, PhaseTimes, u64)>::new(); devices];
    let mut chunks = vec![Vec::new(); devices];
    let mut waiting = Vec::new();
    let mut random = seed;
    while let Some(Reverse((now, _, d))) = events.pop() {
        let epoch = handout.epoch();
        while let Some(&(chunk, end, times, pieces)) = in_flight[d].front()
            && ticks(end) <= now
        {
            in_flight[d].pop_front();
            handout.finished(Slot(d), chunk, &times, pieces);
        }
        if handout.epoch() != epoch {
            events.extend(waiting.drain(..).map(|w: usize| Reverse((now, in_flight[w].len(), w))));
        }
        let cost = &real[d];
        if in_flight[d].len() >= if cost.overlaps() { 2 } else { 1 } {
            continue;
        }
        match handout.next(Slot(d)) {
            Next::Run(chunk) => {
                let now = Seconds(now as f64 * 1e-12);
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let factor = 1.0 + noise * ((random >> 33) as f64 / f64::from(1_u32 << 30) - 1.0);
                let mut times = PhaseTimes::default();
                if chunks[d].is_empty() {
                    times[Phase::Init] = cost.once;
                    pipelines[d].hold_until(now + cost.once);
                }
                let (mut start, mut end) = (None, now);
                let lengths = piece_lengths(cost, chunk.len(), chunk.len() >= most_of_a_share(n, devices));
                for &length in &lengths {
                    let stages = cost.stages(length).map(|stage| stage * factor);
                    if !cost.overlaps() {
                        let last = pipelines[d].free[2];
                        pipelines[d].hold_until(last);
                    }
                    let (begin, left) = pipelines[d].push(now, stages);
                    start.get_or_insert(begin);
                    end = left;
                    for (phase, stage) in [Phase::To, Phase::Kernel, Phase::From].into_iter().zip(stages) {
                        times[phase] += stage;
                    }
                }
                let taken = chunk.len() as f64 * factor;
                chunks[d].push(Chunk { length: chunk.len(), start: start.unwrap_or(now).0, end: end.0, taken });
                in_flight[d].push_back((chunk, end, times, lengths.len() as u64));
                events.push(Reverse((ticks(end), 0, d)));
                if cost.overlaps() {
                    events.push(Reverse((ticks(now), in_flight[d].len(), d)));
                }
            }
            Next::WaitForOthers => waiting.push(d),
            Next::Done => {}
        }
    }
    assert_eq!(handout.unfinished(), 0, "{policy}: everybody waits");
    let makespan = chunks.iter().flatten().map(|chunk: &Chunk| chunk.end).fold(0.0, f64::max);
    Outcome { makespan, chunks }
}

fn by_rate(us: f64) -> DeviceCost {
    let time = Seconds::from_micros(us);
    DeviceCost { flop_time: time, kernel: time, shared: true, ..DeviceCost::default() }
}

/// A device with its own memory, with `us` per iteration and a link twice as fast.
fn discrete(us: f64) -> DeviceCost {
    let micros = Seconds::from_micros;
    DeviceCost {
        flop_time: micros(us),
        once: micros(200.0),
        to_chunk: micros(10.0),
        kernel_chunk: micros(5.0),
        from_chunk: micros(10.0),
        to: micros(us / 2.0),
        kernel: micros(us),
        from: micros(us / 4.0),
        ..DeviceCost::default()
    }
}

/// A device that takes `factor` times as long as `cost` says.
fn slower(cost: &DeviceCost, factor: f64) -> DeviceCost {
    DeviceCost { to: cost.to * factor, kernel: cost.kernel * factor, from: cost.from * factor, ..*cost }
}

fn adaptive() -> Policy {
    "ADAPTIVE".parse().unwrap()
}

/// The finish time of the best split if iterations were divisible.
fn level(costs: &[DeviceCost], n: u64) -> f64 {
    split(&costs.iter().map(DeviceCost::linear).collect::<Vec<_>>(), n).unwrap().level.0
}

/// The longest time that a device was idle between two of its chunks. The very end of the loop does not count: a device may
/// wait there to see whether others need it.
fn longest_gap(outcome: &Outcome) -> f64 {
    gap(outcome.chunks.iter().flat_map(|chunks| chunks.windows(2)).map(|w| (w[0].end, w[1].start)), outcome.makespan)
}

fn gap(pauses: impl Iterator<Item = (f64, f64)>, makespan: f64) -> f64 {
    pauses.filter(|(from, _)| *from < 0.98 * makespan).map(|(from, to)| to - from).fold(0.0, f64::max)
}

/// Devices in host memory, and some with their own.
fn machine() -> impl Strategy<Value = Vec<DeviceCost>> {
    let device = (0.5_f64..8.0, any::<bool>()).prop_map(|(us, own)| if own { discrete(us) } else { by_rate(us) });
    prop::collection::vec(device, 2..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn adaptive_that_believes_what_is_so_ends_within_a_tail_chunk_of_the_optimum(
        rates in prop::collection::vec(0.2_f64..8.0, 2..7), n in 10_000_u64..10_000_000,
    ) {
        let costs: Vec<_> = rates.iter().map(|&us| by_rate(us)).collect();
        let outcome = act(&adaptive(), &costs, &costs, n, 0.0, 0);
        let best = level(&costs, n);
        // A device's part of the smallest chunks is an eighth of its part of the tail, and at least one iteration.
        let chunk = (best * 0.05 / 8.0).max(rates.iter().fold(0.0, |a: f64, &b| a.max(b)) * 1e-6);
        prop_assert!(outcome.makespan <= best + chunk, "{} of {best}", outcome.makespan);
        prop_assert!(longest_gap(&outcome) <= 1e-9 * best);
        // Without small pieces: a sample of three chunks, and the rest by thirds down to a 150th.
        prop_assert!(outcome.chunks.iter().all(|chunks| chunks.len() <= 20));
    }

    #[test]
    fn adaptive_makes_up_for_a_device_that_is_ten_times_slower_than_believed(
        costs in machine(), n in 200_000_u64..10_000_000, which in 0_usize..7,
    ) {
        let mut real = costs.clone();
        let which = which % costs.len();
        real[which] = slower(&costs[which], 10.0);
        let outcome = act(&adaptive(), &costs, &real, n, 0.0, 0);
        let best = level(&real, n);
        prop_assert!(outcome.makespan <= best * 1.1, "{} of {best}", outcome.makespan);
        prop_assert!(longest_gap(&outcome) <= 1e-9 * best);
    }

    #[test]
    fn a_model_that_is_wrong_everywhere_does_adaptive_no_harm(
        costs in machine(), n in 200_000_u64..10_000_000, factors in prop::collection::vec(0.25_f64..4.0, 7),
    ) {
        let real: Vec<_> = costs.iter().zip(factors).map(|(cost, factor)| slower(cost, factor)).collect();
        let outcome = act(&adaptive(), &costs, &real, n, 0.0, 0);
        let best = level(&real, n);
        prop_assert!(outcome.makespan <= best * 1.2, "{} of {best}", outcome.makespan);
    }

    #[test]
    fn adaptive_evens_out_chunks_that_take_up_to_a_fifth_more_or_less(
        costs in machine(), n in 200_000_u64..10_000_000, seed: u64, slow in any::<bool>(),
    ) {
        let mut real = costs.clone();
        real[0] = slower(&costs[0], if slow { 10.0 } else { 1.0 });
        let outcome = act(&adaptive(), &costs, &real, n, 0.2, seed);
        // The best split at the paces that chunks really had.
        let paces: Vec<_> = outcome.chunks.iter().zip(&real).map(|(chunks, cost)| {
            let length: u64 = chunks.iter().map(|chunk| chunk.length).sum();
            let taken: f64 = chunks.iter().map(|chunk| chunk.taken).sum();
            if length > 0 { slower(cost, taken / length as f64) } else { *cost }
        }).collect();
        let best = level(&paces, n);
        prop_assert!(outcome.makespan <= best * 1.2, "{} of {best}", outcome.makespan);
    }

    #[test]
    fn adaptive_gives_nothing_to_a_device_that_would_begin_when_the_others_are_done(
        others in machine(), n in 10_000_u64..10_000_000, place in 0_usize..7, late in 1.1_f64..10.0,
    ) {
        let best = level(&others, n);
        let mut costs = others;
        let place = place % (costs.len() + 1);
        costs.insert(place, DeviceCost { once: Seconds(late * best), ..by_rate(0.1) });
        let outcome = act(&adaptive(), &costs, &costs, n, 0.0, 0);
        prop_assert!(outcome.chunks[place].is_empty(), "{:?}", outcome.chunks[place]);
        prop_assert!(outcome.makespan <= best * 1.2, "{} of {best}", outcome.makespan);
    }

    #[test]
    fn adaptive_is_the_same_each_time(costs in machine(), n in 0_u64..1_000_000, seed: u64) {
        let traces = [0, 1].map(|_| act(&adaptive(), &costs, &costs, n, 0.2, seed).chunks);
        prop_assert_eq!(&traces[0], &traces[1]);
    }

    #[test]
    fn nobody_waits_in_the_middle_of_an_adaptive_loop_where_the_profiling_policies_do(
        costs in machine(), n in 500_000_u64..10_000_000,
    ) {
        let profile = LoopProfile::default();
        let problem = Problem::new(n, &costs, &profile);
        let waits = |policy: &str| {
            let simulation = simulate(&policy.parse().unwrap(), &problem, &SimulateOptions::default()).unwrap();
            let pauses = simulation.devices.iter().flat_map(|device| device.records.windows(2));
            let makespan = simulation.makespan.0;
            gap(pauses.map(|pair| (pair[0].end.0, pair[1].start.0)), makespan) / makespan
        };
        prop_assert!(waits("ADAPTIVE") <= 1e-9);
        // Equal samples of unequal devices end at different times.
        let paces = || costs.iter().map(|cost| cost.effective().0);
        if paces().fold(0.0, f64::max) > 1.5 * paces().fold(f64::INFINITY, f64::min) {
            prop_assert!(waits("SCHED_PROFILE_AUTO") > 1e-3);
        }
    }

    #[test]
    fn packets_of_hguided_are_the_formula_s(
        rates in prop::collection::vec(0.1_f64..50.0, 2..9), n in 1_u64..10_000_000, k in 1_u32..8, turns in prop::collection::vec(0_usize..9, 0..40),
    ) {
        let costs: Vec<_> = rates.iter().map(|&us| by_rate(us)).collect();
        let profile = LoopProfile::default();
        let policy: Policy = format!("HGUIDED:k={k}:min=1").parse().unwrap();
        let mut scheduler = policy.start(&Problem::new(n, &costs, &profile)).unwrap();
        let powers: f64 = rates.iter().map(|us| 1.0 / us).sum();
        let mut left = n;
        for turn in turns {
            let d = turn % costs.len();
            let exact = left as f64 / rates[d] / (f64::from(k) * costs.len() as f64 * powers);
            match scheduler.next(Slot(d)) {
                Next::Run(chunk) => {
                    prop_assert!((chunk.len() as f64 - exact.max(1.0)).abs() <= 1.0 + 1e-9 * exact, "{} for {exact}", chunk.len());
                    left -= chunk.len();
                }
                next => prop_assert_eq!((next, left), (Next::Done, 0)),
            }
        }
    }
}

#[test]
fn hguided_takes_its_share_by_power_and_no_less_than_the_least_packet() {
    // Powers 4, 2, 1 and k = 2: of what is left each takes 4, 2 or 1 parts in 7 * 2 * 3 = 42.
    let costs = [1.0, 2.0, 4.0].map(by_rate);
    let profile = LoopProfile::default();
    let claims = |policy: &str, turns: &[usize]| {
        let policy: Policy = policy.parse().unwrap();
        let mut scheduler = policy.start(&Problem::new(4200, &costs, &profile)).unwrap();
        let length = |&d: &usize| match scheduler.next(Slot(d)) {
            Next::Run(chunk) => chunk.len(),
            _ => 0,
        };
        turns.iter().map(length).collect::<Vec<_>>()
    };
    // 4200 * 4/42, 3800 * 2/42, 3620 * 1/42, then 3534 * 4/42.
    assert_eq!(claims("HGUIDED", &[0, 1, 2, 0]), [400, 180, 86, 336]);
    assert_eq!(claims("HGUIDED:k=4", &[0, 1, 2]), [200, 95, 46]);
    // The smallest packet of the fastest device; half and a quarter of it for the others.
    assert_eq!(claims("HGUIDED:min=1000", &[0, 1, 2, 0, 0, 0]), [1000, 500, 250, 1000, 1000, 450]);
    // One value for each device.
    assert_eq!(claims("HGUIDED:k=1/2/4:min=10%/1/1", &[0, 1, 2, 0]), [800, 161, 38, 609]);
    assert_eq!(claims("HGUIDED:k=1000:min=1", &[0, 1, 2]), [1, 1, 1]);
}

#[test]
fn a_list_that_is_not_as_long_as_the_devices_is_refused() {
    let costs = [1.0, 2.0, 4.0].map(by_rate);
    let profile = LoopProfile::default();
    for (policy, what) in [("HGUIDED:k=1/2", "2 values of k for 3"), ("HGUIDED:min=1/2/3/4", "4 values of min for 3")] {
        let policy: Policy = policy.parse().unwrap();
        let error = policy.start(&Problem::new(100, &costs, &profile)).map(drop).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn the_policies_beyond_the_seven_are_read_as_they_are_written() {
    for (text, written) in [
        ("hguided", "HGUIDED:k=2:min=0.5%"),
        ("HGUIDED:min=100", "HGUIDED:k=2:min=100"),
        ("HGUIDED: MIN = 1%/2%/30 : K = 3.5/1.5/1 ", "HGUIDED:k=3.5/1.5/1:min=1%/2%/30"),
        ("adaptive", "ADAPTIVE:sample=3%:tail=5%"),
        ("ADAPTIVE:tail=100%", "ADAPTIVE:sample=3%:tail=100%"),
    ] {
        let policy: Policy = text.parse().unwrap();
        assert_eq!(policy.to_string(), written);
        assert_eq!(written.parse::<Policy>().unwrap(), policy);
    }
    for (text, what) in [
        ("HGUIDED:2", "`k=..` and `min=..`"),
        ("HGUIDED:k=0", "0.001 to 1000"),
        ("HGUIDED:k=NaN", "0.001 to 1000"),
        ("HGUIDED:k=", "0.001 to 1000"),
        ("HGUIDED:k=2:k=3", "twice"),
        ("HGUIDED:min=0%", "0%"),
        ("HGUIDED:min=1/0", "at least one"),
        ("HGUIDED:q=2", "no parameter `q`"),
        ("ADAPTIVE:3%", "`sample=..` and `tail=..`"),
        ("ADAPTIVE:sample=3", "with a sign"),
        ("ADAPTIVE:sample=0%", "a sample of 0%"),
        ("ADAPTIVE:tail=0%", "a tail of 0%"),
        ("ADAPTIVE:tail=101%", "between 0 and 100"),
    ] {
        let error = text.parse::<Policy>().map(drop).unwrap_err().to_string();
        assert!(error.contains(what), "{text}: {error}");
    }
    let zero = Percent::from_millionths(0);
    let some = Percent::from_millionths(1000);
    let profile = LoopProfile::default();
    let costs = [by_rate(1.0); 2];
    for policy in [
        Policy::HGuided { k: Vec::new(), least: Vec::new() },
        Policy::HGuided { k: vec!["2".parse().unwrap()], least: vec![ChunkSize::Count(0)] },
        Policy::Adaptive { sample: zero, tail: some },
        Policy::Adaptive { sample: some, tail: zero },
    ] {
        assert!(policy.start(&Problem::new(100, &costs, &profile)).is_err(), "{policy:?}");
    }
}

/// Takes a device's next chunk.
fn run(scheduler: &mut dyn Scheduler, d: usize) -> IterRange {
    match scheduler.next(Slot(d)) {
        Next::Run(chunk) => chunk,
        other => panic!("device {d} got {other:?}"),
    }
}

fn took(seconds: f64) -> PhaseTimes {
    let mut times = PhaseTimes::default();
    times[Phase::Kernel] = Seconds(seconds);
    times
}

#[test]
fn who_is_done_with_its_sample_goes_on_in_growing_chunks_while_others_are_not() {
    let costs = [by_rate(1.0), by_rate(1.0)];
    let profile = LoopProfile::default();
    let mut scheduler = adaptive().start(&Problem::new(100_000, &costs, &profile)).unwrap();
    // 3 % of the loop, in three sub-chunks for each of two equal devices.
    let sample = run(&mut *scheduler, 1);
    assert_eq!(sample.len(), 500);
    let mut lengths = Vec::new();
    // The other device's sample does not end.
    for _ in 0..6 {
        let chunk = run(&mut *scheduler, 0);
        lengths.push(chunk.len());
        scheduler.finished(Slot(0), chunk, &took(chunk.len() as f64 * 1e-6), 1);
    }
    assert_eq!(lengths, [500, 500, 500, 1000, 2000, 4000]);
}

#[test]
fn a_sample_that_comes_when_all_the_rest_can_be_done_is_not_waited_for() {
    let costs = [by_rate(1.0), by_rate(1.0)];
    let profile = LoopProfile::default();
    let mut handout = Handout::new(
        IterRange::new(0, 100_000),
        1,
        adaptive().start(&Problem::new(100_000, &costs, &profile)).unwrap(),
        2,
    );
    let Next::Run(sample) = handout.next(Slot(1)) else { panic!("no sample") };
    let mut longest = 0;
    while let Next::Run(chunk) = handout.next(Slot(0)) {
        longest = longest.max(chunk.len());
        handout.finished(Slot(0), chunk, &took(chunk.len() as f64 * 1e-6), 1);
    }
    // Only the sample is left, and no chunk was more than half of the loop.
    assert_eq!(handout.unfinished(), sample.len());
    assert!(longest <= 50_000);
    handout.finished(Slot(1), sample, &took(0.1), 1);
    assert_eq!([0, 1].map(|d| handout.next(Slot(d))), [Next::Done; 2]);
}

#[test]
fn the_first_chunk_of_a_device_is_cold_and_tells_nothing_once_there_is_another() {
    let costs = [by_rate(1.0), by_rate(1.0)];
    let profile = LoopProfile::default();
    let shares = |cold: f64| {
        let mut scheduler = adaptive().start(&Problem::new(100_000, &costs, &profile)).unwrap();
        for k in 0..3 {
            for d in 0..2 {
                let chunk = run(&mut *scheduler, d);
                let warming = if k == 0 { cold } else { 1.0 };
                scheduler.finished(Slot(d), chunk, &took(chunk.len() as f64 * 1e-6 * warming), 1);
            }
        }
        run(&mut *scheduler, 0).len()
    };
    // Two thirds of half of the rest, however slow both first chunks were.
    assert_eq!(shares(1.0), (97_000 / 2_u64) - (97_000 / 2) / 3);
    assert_eq!(shares(7.0), shares(1.0));
}

#[test]
fn measurements_that_differ_make_adaptive_careful() {
    let costs = [by_rate(1.0), by_rate(1.0)];
    let profile = LoopProfile::default();
    let mut scheduler = adaptive().start(&Problem::new(100_000, &costs, &profile)).unwrap();
    for pace in [1.0, 0.8, 1.2] {
        for d in 0..2 {
            let chunk = run(&mut *scheduler, d);
            scheduler.finished(Slot(d), chunk, &took(chunk.len() as f64 * 1e-6 * pace), 1);
        }
    }
    let chunk = run(&mut *scheduler, 0);
    assert_eq!(chunk.len(), 97_000 / 4);
}

#[test]
fn a_device_whose_fixed_cost_is_past_the_finish_of_the_others_prepares_nothing() {
    let costs = [by_rate(1.0), DeviceCost { once: Seconds(1.0), ..discrete(0.1) }];
    let profile = LoopProfile::default();
    let run = |n: u64, policy: &Policy| {
        simulate(policy, &Problem::new(n, &costs, &profile), &SimulateOptions::default()).unwrap()
    };
    let short = run(100_000, &adaptive());
    assert_eq!(short.devices[1].iterations, 0);
    assert!(short.decision.left_out[0].1.contains("past the finish"), "{:?}", short.decision);
    let long = run(100_000_000, &adaptive());
    assert!(long.devices[1].iterations > 50_000_000 && long.decision.left_out.is_empty());
    // With a model that is ten times too fast the device is left out at first; it comes in once the real speed is seen.
    let real = [slower(&costs[0], 10.0), slower(&costs[1], 1.0)];
    let outcome = act(&adaptive(), &costs, &real, 900_000, 0.0, 0);
    assert!(outcome.makespan < 0.5 * 9.0, "{}", outcome.makespan);
}

#[test]
fn times_that_cannot_be_do_adaptive_no_harm() {
    let costs = [by_rate(1.0), by_rate(2.0), discrete(1.0)];
    let profile = LoopProfile::default();
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e-300] {
        let mut handout = Handout::new(
            IterRange::new(0, 10_000),
            1,
            adaptive().start(&Problem::new(10_000, &costs, &profile)).unwrap(),
            3,
        );
        let mut over = 0;
        for turn in 0..100_000 {
            match handout.next(Slot(turn % 3)) {
                Next::Run(chunk) => handout.finished(Slot(turn % 3), chunk, &took(odd), 1),
                Next::WaitForOthers => {}
                Next::Done => over += 1,
            }
            if over == 3 {
                break;
            }
        }
        assert_eq!(handout.unfinished(), 0, "{odd}");
    }
}

/// The second device would begin after the first is done, but the first chunk of that takes three times as long as the others.
#[test]
fn a_cold_first_chunk_does_not_make_adaptive_begin_on_an_expensive_device() {
    let costs = [by_rate(1.0), DeviceCost { once: Seconds(0.2), ..by_rate(1.0) }];
    let profile = LoopProfile::default();
    for expensive_asks_first in [false, true] {
        let mut scheduler = adaptive().start(&Problem::new(100_000, &costs, &profile)).unwrap();
        let mut done = 0;
        for factor in [3.0, 1.0, 1.0, 1.0] {
            if expensive_asks_first {
                assert_eq!(scheduler.next(Slot(1)), Next::WaitForOthers, "after {done}");
            }
            let Next::Run(chunk) = scheduler.next(Slot(0)) else { panic!("no chunk after {done}") };
            assert_eq!(scheduler.next(Slot(1)), Next::WaitForOthers, "after {done}");
            let mut times = PhaseTimes::default();
            times[Phase::Kernel] = Seconds(factor * 1e-6 * chunk.len() as f64);
            scheduler.finished(Slot(0), chunk, &times, 1);
            done += chunk.len();
        }
    }
}

#[test]
fn a_thousand_devices_and_a_million_million_iterations_are_simulated() {
    let costs: Vec<DeviceCost> = (0..1024).map(|i| by_rate(1.0 + (i % 7) as f64)).collect();
    let profile = LoopProfile::default();
    let problem = Problem::new(1_000_000_000_000, &costs, &profile);
    for policy in ["HGUIDED", "ADAPTIVE"] {
        let simulation = simulate(&policy.parse().unwrap(), &problem, &SimulateOptions::default()).unwrap();
        assert_eq!(simulation.devices.iter().map(|device| device.iterations).sum::<u64>(), problem.iterations);
        assert!(simulation.makespan.0 <= level(&costs, problem.iterations) * 1.02, "{policy}");
    }
}
