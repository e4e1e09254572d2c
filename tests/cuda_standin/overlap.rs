//! What may overlap, judged by the order of enqueueing; and threads.

use crate::kernels::*;
use crate::machine::{gpu, host, machine, runtime};
use crate::standin::{OUT_OF_MEMORY, Ran, alone, watch};
use apportion::HostVec;
use apportion::prelude::*;
use std::collections::BTreeSet;

#[test]
fn copies_of_neighbouring_pieces_are_enqueued_before_a_kernel_has_run() {
    alone(concat!(module_path!(), "::copies_of_neighbouring_pieces_are_enqueued_before_a_kernel_has_run"), |standin| {
        let mut kinds = BTreeSet::new();
        // Pieces of a few hundred KB, and of several MB.
        for (n, ahead) in [(1_000_003, 0), (1_000_003, 25), (4_000_003, 0), (4_000_003, 25)] {
            standin.fresh();
            standin.order(1, ahead);
            let rt = runtime(&[gpu(0)]);
            let x = HostVec::from_slice(&numbers(n)).unwrap();
            let mut y = HostVec::from_slice(&numbers(n)).unwrap();
            standin.clear_log();
            let report = check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            let log = standin.log();
            // In the order of the pieces, not the order in which streams reached them.
            let of = |kind: &str| {
                let mut of: Vec<Ran> = log.iter().filter(|ran| ran.kind == kind && ran.bytes != 4).cloned().collect();
                of.sort_by_key(|ran| ran.enqueued);
                of
            };
            let (ins, kernels, outs) = (of("h2d"), of("kernel"), of("d2h"));
            let pieces = report.devices[0].pieces.len();
            assert!(pieces > 4, "{report}");
            assert_eq!((ins.len(), kernels.len(), outs.len()), (2 * pieces, pieces, pieces));
            for k in 0..pieces {
                assert!(ins[2 * k + 1].ran < kernels[k].ran && kernels[k].ran < outs[k].ran, "piece {k}");
                if k + 1 < pieces {
                    assert!(
                        ins[2 * k + 3].enqueued < kernels[k].ran,
                        "the copy in of piece {} waits for piece {k}",
                        k + 1
                    );
                    assert!(outs[k].enqueued < kernels[k + 1].ran, "the copy out of piece {k} waits");
                }
            }
            // A stream does one thing at a time. A short piece has a single stream, another than its neighbours'; a long piece
            // and all that follow it have three.
            let mut long = false;
            let of_piece = |k: usize| BTreeSet::from([&ins[2 * k], &kernels[k], &outs[k]].map(|ran| ran.stream));
            for k in 0..pieces {
                long |= ins[2 * k].bytes + ins[2 * k + 1].bytes > 4 << 20;
                let short = !long;
                assert_eq!(of_piece(k).len(), if short { 1 } else { 3 }, "piece {k} of {n}");
                assert!(!short || k == 0 || of_piece(k - 1) != of_piece(k), "piece {k} of {n}");
                kinds.insert(short);
            }
        }
        assert_eq!(kinds.len(), 2, "all pieces are short, or all long");
    });
}

#[test]
fn one_short_chunk_in_eight_is_timed_and_streams_do_not_wait_for_one_another() {
    alone(
        concat!(module_path!(), "::one_short_chunk_in_eight_is_timed_and_streams_do_not_wait_for_one_another"),
        |standin| {
            standin.fresh();
            let rt = runtime(&[gpu(0), gpu(1)]);
            let n = 100_003;
            let x = HostVec::from_slice(&numbers(n)).unwrap();
            let mut y = HostVec::from_slice(&numbers(n)).unwrap();
            let policy: Policy = "SCHED_DYNAMIC:500".parse().unwrap();
            let calls =
                || ["cuEventElapsedTime", "cuStreamWaitEvent"].map(|name| standin.count(&format!("calls:{name}")));
            check_triple_add(&rt, &policy, &x, &mut y).unwrap();
            let before = calls();
            let report = check_triple_add(&rt, &policy, &x, &mut y).unwrap();
            let [timed, waited] = [0, 1].map(|index| calls()[index] - before[index]);
            let chunks: u64 = report.devices.iter().map(|device| device.chunks).sum();
            assert_eq!(chunks, 201);
            // Three phases each: of a device's first chunk, of every eighth after it, and of the last, which is shorter.
            let most = 3 * (chunks / 8 + 3 * 2);
            assert!((chunks / 8..=most).contains(&timed), "{timed} times were asked for, of {chunks} chunks");
            // The stream of long kernels and the first chunk on each of four other streams wait for the flag.
            assert!(waited <= 2 * 5, "streams wait {waited} times");
            for piece in report.devices.iter().flat_map(|device| &device.pieces) {
                let spans = [piece.to, piece.kernel, piece.from].map(Option::unwrap);
                assert!(spans.iter().all(|span| span.start.0 >= 0.0 && span.start <= span.end), "{piece:?}");
                assert!(spans.iter().all(|span| span.end <= report.elapsed), "{piece:?}");
            }
        },
    );
}

#[test]
fn lanes_work_at_once() {
    alone(concat!(module_path!(), "::lanes_work_at_once"), |standin| {
        never_register(standin);
        let rt = runtime(&[gpu(0)]);
        let (x, mut y) = (numbers(2_000_003), numbers(2_000_003));
        let mut streams = BTreeSet::new();
        // Which lanes get pieces is chance: a late lane may get none of a loop.
        for _ in 0..5 {
            check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            streams.extend(standin.log().iter().filter(|ran| ran.kind == "h2d").map(|ran| ran.stream));
        }
        assert!(streams.len() > 1, "one lane does it all");
    });
}

#[test]
fn each_lane_gets_as_many_pieces_of_a_part_that_is_not_an_even_one() {
    alone(concat!(module_path!(), "::each_lane_gets_as_many_pieces_of_a_part_that_is_not_an_even_one"), |standin| {
        never_register(standin);
        let fast = gpu(1).replace(r#""bandwidth_gb_per_s": {"value": 20"#, r#""bandwidth_gb_per_s": {"value": 31"#);
        let rt = runtime(&[gpu(0), fast]);
        let n = 2_500_003;
        let (x, mut y) = (numbers(n), numbers(n));
        let report = check_triple_add(&rt, &Policy::Model2, &x, &mut y).unwrap();
        let parts: Vec<_> = report.devices.iter().map(|device| (device.iterations, device.pieces.len())).collect();
        assert!(parts[1].0 > parts[0].0 + n as u64 / 8, "{parts:?}");
        // Three threads copy for each GPU.
        assert!(parts.iter().all(|(_, pieces)| *pieces > 3 && pieces % 3 == 0), "{parts:?}");
    });
}

/// Where nearly all of a GPU's memory is taken, the driver refuses streams.
#[test]
fn lanes_share_the_streams_that_the_driver_gives() {
    alone(concat!(module_path!(), "::lanes_share_the_streams_that_the_driver_gives"), |standin| {
        never_register(standin);
        let rt = runtime(&[gpu(0)]);
        let (x, mut y) = (numbers(2_000_003), numbers(2_000_003));
        let created = || standin.count("calls:cuStreamCreate");
        let mut check = || {
            let before = created();
            let report = check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{report}");
            let streams: BTreeSet<_> =
                standin.log().iter().filter(|ran| ran.kind == "h2d").map(|ran| ran.stream).collect();
            standin.clear_log();
            (created() - before, streams.len())
        };
        standin.clear_log();
        standin.fail("cuStreamCreate", 1, OUT_OF_MEMORY);
        assert_eq!(check().0, 1, "one thread copies where there is no stream at all");
        standin.fail("cuStreamCreate", 2, OUT_OF_MEMORY);
        assert_eq!(check(), (2, 1), "the first lane's stream alone is there");
        standin.fail("cuStreamCreate", 2, OUT_OF_MEMORY);
        let (asked, streams) = check();
        assert!(asked == 2 && streams <= 2, "asked for {asked}, used {streams}");
        assert_eq!(check().0, 1, "the third stream is asked for again");
        assert_eq!(check().0, 0, "all streams are there");
        drop(rt);
        standin.nothing_is_left("streams that were refused");
    });
}

#[test]
fn any_thread_may_run_a_loop() {
    alone(concat!(module_path!(), "::any_thread_may_run_a_loop"), |standin| {
        for plain_is_copied in [false, true] {
            if plain_is_copied {
                never_register(standin);
            }
            let rt = std::thread::spawn(|| runtime(&machine(3, false))).join().unwrap();
            let other = runtime(&[gpu(1), host()]);
            for turn in 0..6 {
                watch(format!("turn {turn}"));
                std::thread::scope(|scope| {
                    for rt in [&rt, &other] {
                        scope.spawn(move || {
                            for (memory, n) in Memory::BOTH.into_iter().flat_map(|m| [(m, 4001), (m, 270_001)]) {
                                let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
                                for policy in [Policy::Block, Policy::Auto] {
                                    let reports = [
                                        check_triple_add(rt, &policy, &x, &mut y),
                                        check_replicated(rt, &policy, &x, &mut y),
                                        check_total(rt, &policy, &x),
                                    ];
                                    for report in reports.map(Result::unwrap) {
                                        assert!(report.faults.is_empty(), "{report}");
                                    }
                                }
                            }
                        });
                    }
                });
            }
            std::thread::spawn(move || drop((rt, other))).join().unwrap();
            standin.nothing_is_left("loops in several threads");
        }
    });
}

/// Two runtimes read the same plain array: neither may unlock it while the other copies.
#[test]
fn an_array_that_two_loops_share_stays_locked_for_both() {
    alone(concat!(module_path!(), "::an_array_that_two_loops_share_stays_locked_for_both"), |standin| {
        let x = numbers(200_003);
        let runtimes = [runtime(&[gpu(0)]), runtime(&[gpu(1)])];
        for seed in 0..20 {
            watch(format!("seed {seed}"));
            standin.order(seed, 0);
            std::thread::scope(|scope| {
                for (rt, n) in runtimes.iter().zip([200_003, 100_001]) {
                    let x = &x[..n];
                    scope.spawn(move || {
                        for _ in 0..4 {
                            let report = check_triple_add(rt, &Policy::Block, x, &mut numbers(n)).unwrap();
                            assert!(report.faults.is_empty(), "{report}");
                            check_replicated(rt, &Policy::Block, x, &mut numbers(n)).unwrap();
                        }
                    });
                }
            });
        }
        drop(runtimes);
        standin.nothing_is_left("loops over one array");
    });
}
