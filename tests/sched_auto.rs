//! With a correct model every policy is good, and AUTO is as good as the best.

use apportion::model::{DeviceCost, LinearCost, LoopProfile, split};
use apportion::sched::{Policy, Problem, Reason, SimulateOptions, decide, simulate};
use apportion::space::Slot;
use apportion::units::Seconds;
use proptest::prelude::*;

/// A device in host memory with no cost but its pace.
fn by_pace(micros: f64) -> DeviceCost {
    let kernel = Seconds::from_micros(micros);
    DeviceCost { flop_time: kernel, kernel, shared: true, ..DeviceCost::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn where_the_model_is_right_every_policy_is_optimal_up_to_one_chunk(
        paces in prop::collection::vec(0.1_f64..10.0, 2..9), n in 2000_u64..1_000_000,
    ) {
        let costs: Vec<DeviceCost> = paces.iter().map(|&pace| by_pace(pace)).collect();
        let linear: Vec<LinearCost> = costs.iter().map(DeviceCost::linear).collect();
        let best = split(&linear, n).unwrap().level.0;
        let slowest = paces.iter().copied().fold(0.0, f64::max) * 1e-6;
        let profile = LoopProfile::default();
        let problem = Problem::new(n, &costs, &profile);
        let run = |policy: &Policy| simulate(policy, &problem, &SimulateOptions::default()).unwrap();
        for policy in Policy::ALL_SEVEN.iter().filter(|policy| **policy != Policy::Block) {
            let simulation = run(policy);
            // With one block per device a finish is at most one iteration off; with a sample and a rest, at most two more.
            let chunk = match policy {
                Policy::Model1 | Policy::Model2 => slowest,
                Policy::ModelProfile { .. } => 3.0 * slowest,
                _ => {
                    let chunks = simulation.devices.iter().flat_map(|device| &device.records);
                    chunks.map(|chunk| (chunk.end - chunk.start).0).fold(0.0, f64::max) + slowest
                }
            };
            prop_assert!(
                simulation.makespan.0 <= best + chunk + best * 1e-9,
                "{policy}: {} {best} {chunk}", simulation.makespan
            );
        }
        let auto = run(&Policy::Auto).makespan.0;
        let least = Policy::ALL_SEVEN.iter().map(|policy| run(policy).makespan.0).fold(f64::INFINITY, f64::min);
        let alone = paces.iter().map(|pace| pace * 1e-6 * n as f64).fold(f64::INFINITY, f64::min);
        prop_assert!(auto <= least.min(alone) * 1.02 * 1.005);
    }
}

#[test]
fn a_loop_that_one_device_does_as_fast_is_left_to_it_and_the_others_are_told_why() {
    // A CPU and four links, which together ask the memory for more than twice what it gives.
    let ns = |ns: f64| Seconds(ns * 1e-9);
    let memory = ns(0.06);
    let cpu = DeviceCost {
        kernel: ns(0.0605),
        flop_time: ns(0.01),
        host_memory: memory,
        shared: true,
        ..DeviceCost::default()
    };
    let gpu = DeviceCost {
        to: ns(0.2),
        kernel: ns(0.005),
        flop_time: ns(0.001),
        host_memory: memory,
        ..DeviceCost::default()
    };
    let costs = [cpu, gpu, gpu, gpu, gpu];
    let profile = LoopProfile::default();
    let problem = Problem::new(700_000_000, &costs, &profile);
    let verdict = decide(&problem).unwrap();
    assert_eq!(verdict.devices, [Slot(0)]);
    assert!(verdict.left_out.iter().all(|(_, reason)| matches!(reason, Reason::Benefit { .. })), "{verdict:?}");
    let run = simulate(&Policy::Auto, &problem, &SimulateOptions::default()).unwrap();
    assert_eq!(run.devices[0].iterations, 700_000_000);
    assert!(run.devices[1..].iter().all(|device| device.chunks == 0 && device.busy.0 == 0.0));
    assert_eq!(run.decision.left_out.len(), 4);
    assert!(run.decision.left_out[0].1.contains("is predicted to take"), "{:?}", run.decision);
    // With a faster memory all of them are worth using.
    let free = costs.map(|cost| DeviceCost { host_memory: Seconds::ZERO, ..cost });
    assert_eq!(decide(&Problem::new(700_000_000, &free, &profile)).unwrap().devices.len(), 5);
}
