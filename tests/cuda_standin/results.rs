//! Results are right in any order in which streams run.

use crate::kernels::*;
use crate::machine::{machine, runtime};
use crate::standin::{GPUS, StandIn, alone, watch};
use apportion::prelude::*;

fn fresh(standin: &StandIn, seed: u64) {
    standin.fresh();
    standin.order(seed, [0, 25, 100][seed as usize % 3]);
}

/// One loop of each kind.
fn check_all(rt: &Runtime, policy: &Policy, memory: Memory, n: usize) {
    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
    let reports = [
        check_triple_add(rt, policy, &x, &mut y),
        check_replicated(rt, policy, &x, &mut y),
        check_total(rt, policy, &x),
        check_count(rt, policy, memory, &x),
        check_column_sums(rt, policy, memory, 37, n / 37 + 1),
        check_scale(rt, policy, memory, n),
        check_table(rt, policy, memory, n),
        check_scratch(rt, policy, memory, n),
        check_block(rt, memory, n),
        check_ratio(rt, policy, memory),
    ];
    for report in reports {
        let report = report.unwrap_or_else(|error| panic!("{policy}, {memory:?}: {error}"));
        assert!(report.faults.is_empty(), "{policy}, {memory:?}\n{report}");
    }
}

/// Loops of every kind, on every machine, in many orders.
fn every_loop(standin: &StandIn, kinds: &[Memory], n: usize, seeds: u64) {
    for seed in 0..seeds {
        let (gpus, with_host) = (1 + seed as usize % GPUS, seed as usize / GPUS % 2 == 1);
        watch(format!("seed {seed}: {gpus} GPUs, host: {with_host}"));
        fresh(standin, seed);
        let rt = runtime(&machine(gpus, with_host));
        for (turn, policy) in policies().iter().enumerate() {
            // Large loops try only some policies for each seed; over all seeds each policy meets each machine.
            if n > 100_000 && !(turn as u64 + seed).is_multiple_of(5) {
                continue;
            }
            for memory in kinds {
                check_all(&rt, policy, *memory, n + seed as usize);
            }
            standin.clear_log();
        }
        drop(rt);
        standin.nothing_is_left(&format!("the loops of seed {seed}"));
    }
}

#[test]
fn small_loops_are_right_where_arrays_are_locked() {
    alone(concat!(module_path!(), "::small_loops_are_right_where_arrays_are_locked"), |standin| {
        every_loop(standin, &Memory::BOTH, 3001, 16);
        every_loop(standin, &Memory::BOTH, 1, 4);
    });
}

#[test]
fn small_loops_are_right_where_plain_arrays_are_copied() {
    alone(concat!(module_path!(), "::small_loops_are_right_where_plain_arrays_are_copied"), |standin| {
        never_register(standin);
        every_loop(standin, &[Memory::Plain], 3001, 16);
        assert_eq!(standin.count("calls:cuMemHostRegister_v2"), 0, "nothing is locked for a loop");
    });
}

#[test]
fn large_loops_are_right_where_arrays_are_locked() {
    alone(concat!(module_path!(), "::large_loops_are_right_where_arrays_are_locked"), |standin| {
        every_loop(standin, &Memory::BOTH, 300_007, 8);
    });
}

#[test]
fn large_loops_are_right_where_lanes_copy_plain_arrays() {
    alone(concat!(module_path!(), "::large_loops_are_right_where_lanes_copy_plain_arrays"), |standin| {
        never_register(standin);
        every_loop(standin, &[Memory::Plain], 300_007, 12);
    });
}

#[test]
fn pieces_of_a_reproducible_sum_are_its_blocks() {
    alone(concat!(module_path!(), "::pieces_of_a_reproducible_sum_are_its_blocks"), |standin| {
        for (seed, copied) in [(0, false), (1, true)] {
            fresh(standin, seed);
            if copied {
                never_register(standin);
            }
            let rt = runtime(&machine(2, true));
            for (memory, block) in Memory::BOTH.into_iter().flat_map(|memory| [(memory, 50_000), (memory, u64::MAX)]) {
                let n = 1_000_003;
                let x = memory.of(&numbers(n));
                for policy in policies() {
                    let run = rt.parallel_for(3..n, total().bind().to(&x).align()).reproducible(block as usize);
                    let done = run.policy(policy.clone()).reduce::<u64>(Sum).unwrap();
                    let expected = x[3..].iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
                    assert_eq!(done.value, expected, "{policy} {memory:?}");
                    let gpus = done.report.devices.iter().filter(|device| device.name != "host");
                    for piece in gpus.flat_map(|device| &device.pieces) {
                        let range = piece.range;
                        let whole =
                            (range.start - 3).is_multiple_of(block) && (range.len() == block || range.end == n as u64);
                        assert!(whole, "{policy} {memory:?}: {range}");
                    }
                }
            }
            drop(rt);
            standin.nothing_is_left("reproducible sums");
        }
    });
}
