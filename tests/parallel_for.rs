//! Loops over host and emulated devices, end to end.

mod common;

use apportion::data::{ArrayMap, Direction, Distribution, Halo, HostMemory};
use apportion::kernel::{Argument, Cost, ElementType, In, Kernel, Out, Reduce, Scalar};
use apportion::model::MemoryKind;
use apportion::model::machine::{DeviceKind, EmulatedSection, Figure, Source};
use apportion::prelude::*;
use apportion::runtime::Sketch;
use apportion::sched::POLICIES;
use apportion::space::DeviceId;
use apportion::units::Bytes;
use common::{Emulated, FAST, SHARED, SLOW, emulated_machine, host_machine, triple_add};
use std::ops::Range;
use std::time::Duration;

fn every_policy() -> Vec<Policy> {
    let mut all: Vec<Policy> = POLICIES.iter().map(|entry| entry.name.parse().expect(entry.name)).collect();
    all.extend(["SCHED_GUIDED:15%:homp", "SCHED_GUIDED:20%:percent", "SCHED_DYNAMIC:7"].map(|p| p.parse().unwrap()));
    all
}

// Without a history, as each loop would change the next.
fn mixed() -> Runtime {
    Runtime::from_machine(emulated_machine(&[FAST, SHARED, SLOW])).unwrap().without_history()
}

fn check_triple_add(rt: &Runtime, n: usize, policy: &Policy) -> Report {
    let kernel = common::triple_add();
    let x: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let mut y: Vec<u64> = (0..n as u64).collect();
    let report = rt
        .parallel_for(0..n, kernel.bind().to(&x).align().tofrom(&mut y).align())
        .policy(policy.clone())
        .poison(true)
        .run()
        .unwrap_or_else(|e| panic!("{policy}, n = {n}: {e}"));
    for i in 0..n {
        assert_eq!(y[i], (i as u64).wrapping_mul(3).wrapping_add(x[i]), "element {i} of {n} under {policy}");
    }
    assert_eq!(report.devices.iter().map(|d| d.iterations).sum::<u64>(), n as u64, "{policy}: {report}");
    report
}

#[test]
fn every_iteration_runs_once_under_every_policy_for_any_length() {
    let rt = mixed();
    for policy in every_policy() {
        for n in [0, 1, 2, 3, 4, 100, 10_007] {
            check_triple_add(&rt, n, &policy);
        }
    }
}

#[test]
fn the_host_device_runs_every_policy() {
    let rt = Runtime::from_machine(host_machine()).unwrap();
    for policy in every_policy() {
        for n in [0, 1, 5, 100_000] {
            let report = check_triple_add(&rt, n, &policy);
            assert_eq!(report.devices.iter().map(|d| d.bytes_to.0).sum::<u64>(), 0, "shared memory copies nothing");
        }
    }
}

#[test]
fn bytes_moved_are_what_the_maps_say() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap().without_history();
    let n = 10_000;
    for policy in every_policy() {
        let report = check_triple_add(&rt, n, &policy);
        let bytes_to: u64 = report.devices.iter().map(|d| d.bytes_to.0).sum();
        let bytes_from: u64 = report.devices.iter().map(|d| d.bytes_from.0).sum();
        assert_eq!((bytes_to, bytes_from), (16 * n as u64, 8 * n as u64), "{policy}");
    }
}

#[test]
fn halo_rows_come_along_and_only_owned_rows_go_back() {
    let rt = mixed();
    for (rows, radius) in [(1, 3), (5, 3), (64, 3), (97, 10)] {
        let cols = 13;
        let kernel = common::column_sums(rows, cols, radius);
        let x: Vec<i64> = (0..(rows * cols) as i64).map(|i| i * i % 1009).collect();
        let mut expected = vec![0; rows * cols];
        for i in 0..rows {
            for j in 0..cols {
                expected[i * cols + j] =
                    (i.saturating_sub(radius)..(i + radius + 1).min(rows)).map(|k| x[k * cols + j]).sum();
            }
        }
        for policy in every_policy() {
            let mut y = vec![-1; rows * cols];
            rt.parallel_for(0..rows, kernel.bind().to(&x).align_rows(cols).halo(radius).from(&mut y).align_rows(cols))
                .policy(policy.clone())
                .poison(true)
                .run()
                .unwrap();
            assert_eq!(y, expected, "{rows} rows, radius {radius}, {policy}");
        }
    }
}

#[test]
fn ratios_give_each_iteration_its_rows() {
    let rt = mixed();
    let (n, ratio, cols) = (37, 4, 3);
    let kernel = Kernel::new("block_sum").host(move |range: Range<usize>, x: In<u8>, mut y: Out<u32>| {
        for i in range {
            y[i] = x.slice(i * ratio * cols..(i + 1) * ratio * cols).iter().map(|&b| u32::from(b)).sum();
        }
    });
    let x: Vec<u8> = (0..n * ratio * cols).map(|i| (i * 7 % 256) as u8).collect();
    for policy in ["BLOCK", "SCHED_DYNAMIC:3", "SCHED_PROFILE_AUTO"].map(|p| p.parse::<Policy>().unwrap()) {
        let mut y = vec![0u32; n];
        rt.parallel_for(0..n, kernel.bind().to(&x).align_rows(cols).ratio(ratio).from(&mut y).align())
            .policy(policy)
            .run()
            .unwrap();
        for i in 0..n {
            let expected: u32 = x[i * ratio * cols..(i + 1) * ratio * cols].iter().map(|&b| u32::from(b)).sum();
            assert_eq!(y[i], expected);
        }
    }
}

#[test]
fn reductions_are_exact_for_integers_and_the_identity_for_empty_loops() {
    let rt = mixed();
    let kernel = common::total();
    for policy in every_policy() {
        for n in [0usize, 1, 2, 1000] {
            let x: Vec<u64> = (0..n as u64).map(|i| i * i + 1).collect();
            let sum = rt
                .parallel_for(0..n, kernel.bind().to(&x).align())
                .policy(policy.clone())
                .reduce::<u64>(Reduce::Sum)
                .unwrap();
            assert_eq!(sum.value, x.iter().sum::<u64>(), "{policy}, n = {n}");
        }
    }
    let max = Kernel::new("max")
        .host(|range: Range<usize>, x: In<f64>| x.slice(range).iter().copied().fold(f64::NEG_INFINITY, f64::max));
    let x: Vec<f64> = (0..1000).map(|i| ((i * 37) % 1000) as f64).collect();
    let max = rt.parallel_for(0..1000usize, max.bind().to(&x).align()).reduce::<f64>(Reduce::Max).unwrap();
    assert_eq!(max.value, 999.0);
}

#[test]
fn a_loop_need_not_start_at_zero() {
    let rt = mixed();
    let kernel = common::triple_add();
    let x = vec![1u64; 100];
    let mut y: Vec<u64> = (0..100).collect();
    rt.parallel_for(10..90usize, kernel.bind().to(&x).align().tofrom(&mut y).align())
        .policy("SCHED_DYNAMIC:7")
        .run()
        .unwrap();
    for i in 0..100u64 {
        assert_eq!(y[i as usize], if (10..90).contains(&i) { 3 * i + 1 } else { i });
    }
}

#[test]
fn full_block_and_scratch_arrays_work() {
    let rt = mixed();
    let n = 100;
    let kernel = Kernel::new("scratch").host(
        |range: Range<usize>, table: In<i32>, x: In<i32>, mut tmp: Out<i32>, mut y: Out<i32>| {
            for i in range {
                tmp[i] = x[i] + table[9];
                y[i] = 2 * tmp[i];
            }
        },
    );
    let table: Vec<i32> = (0..10).collect();
    let x: Vec<i32> = (0..n).collect();
    let mut y = vec![0; n as usize];
    let bound =
        kernel.bind().to(&table).to(&x).block_rows(1).alloc::<i32>(n as usize).align().from(&mut y).block_rows(1);
    let report = rt.parallel_for(0..n as usize, bound).poison(true).run().unwrap();
    assert!(y.iter().zip(&x).all(|(y, x)| *y == 2 * (x + 9)));
    assert_eq!(report.policy, "BLOCK", "BLOCK arrays fix the policy");
}

#[test]
fn a_granule_is_kept_by_every_chunk() {
    let rt = mixed();
    let kernel = common::triple_add().granule(8);
    let x = vec![1u64; 1003];
    for policy in every_policy() {
        let mut y: Vec<u64> = vec![5; 1003];
        let report = rt
            .parallel_for(0..1003usize, kernel.bind().to(&x).align().tofrom(&mut y).align())
            .policy(policy.clone())
            .run()
            .unwrap();
        assert!(y.iter().all(|&v| v == 16), "{policy}");
        for piece in report.devices.iter().flat_map(|d| &d.pieces) {
            assert!(piece.range.start % 8 == 0 && (piece.range.end % 8 == 0 || piece.range.end == 1003), "{policy}");
        }
    }
}

#[test]
fn a_device_that_fails_in_any_phase_costs_no_iteration() {
    for phase in ["init", "to", "kernel", "from"] {
        for chunk in [0, 1, 3] {
            for policy in every_policy() {
                let broken = Emulated { fault: Some((phase, chunk)), ..FAST };
                let rt = Runtime::from_machine(emulated_machine(&[SLOW, broken, SHARED])).unwrap();
                let report = check_triple_add(&rt, 5000, &policy);
                for fault in &report.faults {
                    assert_eq!(fault.device, "e1");
                    assert_eq!(fault.phase.name(), phase);
                }
                // Under BLOCK every device surely gets a chunk.
                if chunk == 0 && policy == Policy::Block {
                    assert_eq!(report.faults.len(), 1, "{policy}, {phase}: {report}");
                }
            }
        }
    }
}

#[test]
fn reductions_survive_a_failing_device() {
    for phase in ["init", "to", "kernel", "from"] {
        let broken = Emulated { fault: Some((phase, 1)), ..FAST };
        let rt = Runtime::from_machine(emulated_machine(&[broken, SLOW])).unwrap();
        let x: Vec<u64> = (0..3000).collect();
        let sum = rt
            .parallel_for(0..3000usize, common::total().bind().to(&x).align())
            .policy("SCHED_DYNAMIC:100")
            .reduce::<u64>(Reduce::Sum)
            .unwrap();
        assert_eq!(sum.value, 2999 * 3000 / 2);
    }
}

#[test]
fn when_every_device_fails_the_error_names_the_device_and_its_phase() {
    let broken = Emulated { fault: Some(("kernel", 0)), ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[broken.clone(), broken])).unwrap();
    let x = vec![0u64; 100];
    let error =
        rt.parallel_for(0..100usize, common::total().bind().to(&x).align()).reduce::<u64>(Reduce::Sum).unwrap_err();
    assert!(matches!(error, Error::Device(_)), "{error:?}");
    assert!(error.to_string().contains("phase kernel"), "{error}");
}

#[test]
fn a_panic_in_a_host_body_is_passed_on_and_the_runtime_stays_usable() {
    for rt in [mixed(), Runtime::from_machine(host_machine()).unwrap()] {
        let kernel = Kernel::new("panics").host(|range: Range<usize>, mut y: Out<u64>| {
            for i in range {
                assert!(i != 777, "iteration {i} is bad");
                y[i] = 1;
            }
        });
        let mut y = vec![0u64; 1000];
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rt.parallel_for(0..1000usize, kernel.bind().from(&mut y).align()).policy("SCHED_DYNAMIC:100").run()
        }))
        .unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("iteration 777 is bad"));
        check_triple_add(&rt, 1000, &Policy::Block);
    }
}

#[test]
fn reading_outside_of_the_section_is_a_panic_that_says_so() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap();
    let kernel = Kernel::new("outside").host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        for i in range {
            y[i] = x[99 - i];
        }
    });
    let (x, mut y) = (vec![1u64; 100], vec![0u64; 100]);
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        rt.parallel_for(0..100usize, kernel.bind().to(&x).align().from(&mut y).align()).policy(Policy::Block).run()
    }))
    .unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("outside of the readable section"));
}

#[test]
fn a_loop_larger_than_the_devices_memory_is_cut_to_fit() {
    let small = Emulated { memory_mib: 0.05, ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[small.clone(), small])).unwrap();
    let report = check_triple_add(&rt, 100_000, &Policy::Block);
    assert!(report.devices.iter().all(|d| d.pieces.len() > 10), "1.6 MB through 50 kB");
}

/// What is left is handed out anew while the others wait, and must not take them long.
#[test]
fn a_device_may_fail_with_any_number_of_pieces_left() {
    // Its memory has room for a few elements, so each iteration is a piece.
    let tiny = Emulated { memory_mib: 1e-4, fault: Some(("kernel", 1)), ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[SHARED, tiny])).unwrap().without_history();
    let n = 1_000_000;
    let (x, mut y) = (vec![5u64; n], vec![1u64; n]);
    let report =
        rt.parallel_for(0..n, triple_add().bind().to(&x).align().tofrom(&mut y).align()).policy(Policy::Block).run();
    let report = report.unwrap();
    assert_eq!(report.faults.len(), 1, "{report}");
    assert!(y.iter().all(|&y| y == 8));
}

#[test]
fn a_device_without_room_for_the_replicated_arrays_is_left_out_in_time() {
    let small = Emulated { memory_mib: 0.05, ..FAST };
    let kernel = Kernel::new("pick").host(|range: Range<usize>, table: In<f32>, mut y: Out<f32>| {
        range.for_each(|i| y[i] = table[i % 50_000] + 1.0);
    });
    let (table, mut y) = (vec![1.5_f32; 50_000], vec![0.0_f32; 1000]);
    let rt = Runtime::from_machine(emulated_machine(&[FAST, small.clone()])).unwrap();
    for policy in Policy::ALL_SEVEN {
        let bound = kernel.bind().to(&table).from(&mut y).align();
        let explained = rt.parallel_for(0..1000_usize, bound).explain(&[Policy::Block]).unwrap();
        let reason = "200.0 kB of replicated arrays do not fit into its memory, 52.4 kB";
        assert!(
            explained.devices.len() == 1 && explained.notes.iter().any(|note| note.contains(reason)),
            "{explained}"
        );
        let bound = kernel.bind().to(&table).from(&mut y).align();
        let report = rt.parallel_for(0..1000_usize, bound).policy(policy).run().unwrap();
        assert!(report.faults.is_empty() && report.devices[0].iterations == 1000, "{report}");
        assert_eq!(report.left_out[0].reason, reason);
    }
    assert!(y.iter().all(|y| *y == 2.5));
    // Where no device has room, each says so as it fails.
    let rt = Runtime::from_machine(emulated_machine(&[small.clone(), small])).unwrap();
    let error = rt.parallel_for(0..1000_usize, kernel.bind().to(&table).from(&mut y).align()).run().unwrap_err();
    assert!(error.to_string().contains("out of memory"), "{error}");
}

#[test]
fn a_policys_values_for_each_device_stay_with_theirs_where_others_have_no_room() {
    let small = Emulated { memory_mib: 0.05, ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[FAST, small, SLOW, SHARED])).unwrap().without_history();
    let kernel = Kernel::new("pick").host(|range: Range<usize>, table: In<f32>, mut y: Out<f32>| {
        range.for_each(|i| y[i] = table[i % 50_000] + 1.0);
    });
    let (table, mut y) = (vec![1.5_f32; 50_000], vec![0.0_f32; 1000]);
    let written: Policy = "HGUIDED:k=1/2/3/4:min=10/20/30/40".parse().unwrap();
    let stay: Policy = "HGUIDED:k=3/1/4:min=30/10/40".parse().unwrap();
    // In the order of the specifier: its second device is the one without room.
    let specifiers = [("0:*", "HGUIDED:k=1/3/4:min=10/30/40".parse().unwrap()), ("2,1,0,3", stay)];
    let orders = ["HGUIDED:k=1/2/3/4:min=10/20/30/40", "HGUIDED:k=3/2/1/4:min=30/20/10/40"];
    for ((specifier, stay), order) in specifiers.into_iter().zip(orders) {
        let order: Policy = order.parse().unwrap();
        let bound = kernel.bind().to(&table).from(&mut y).align();
        let explained =
            rt.parallel_for(0..1000_usize, bound).devices(specifier).explain(std::slice::from_ref(&order)).unwrap();
        assert_eq!(explained.policies[0].policy, stay, "{explained}");
        let bound = kernel.bind().to(&table).from(&mut y).align();
        let report = rt.parallel_for(0..1000_usize, bound).devices(specifier).policy(order).run().unwrap();
        assert!(report.faults.is_empty() && report.left_out.len() == 1, "{report}");
        assert_eq!(report.policy, stay.to_string());
    }
    // Values for none but those that stay are theirs, too.
    assert_eq!(written.among(3, &[0, 2]), written);
    let bound = kernel.bind().to(&table).from(&mut y).align();
    rt.parallel_for(0..1000_usize, bound).policy("HGUIDED:k=1/2/3").run().unwrap();
    assert!(y.iter().all(|y| *y == 2.5));
}

#[test]
fn a_policy_that_measures_divides_a_loop_as_described_on_devices_that_are_all_stretched_alike() {
    // By the description 5 ms on the first device, and 100 ms before the second begins; and all of it takes a hundred times as long.
    let mut machine = emulated_machine(&[SHARED, FAST]);
    machine.devices[1].alloc_us = Some(Figure { value: 50_000.0, source: Source::Assumed, note: None });
    for device in &mut machine.devices {
        device.emulated = Some(EmulatedSection { time_scale: Some(100.0), fault: None });
    }
    let rt = Runtime::from_machine(machine).unwrap().without_history();
    let kernel = Kernel::new("long").cost(Cost::per_iteration().flops(100_000));
    let kernel = kernel.host(|range: Range<usize>, x: In<f32>, mut y: Out<f32>| range.for_each(|i| y[i] = x[i]));
    let (x, mut y) = (vec![1.5_f32; 1000], vec![0.0_f32; 1000]);
    let bound = kernel.bind().to(&x).align().from(&mut y).align();
    let report = rt.parallel_for(0..1000_usize, bound).policy("ADAPTIVE").run().unwrap();
    assert_eq!(report.devices.iter().map(|device| device.iterations).sum::<u64>(), 1000, "{report}");
    assert!(report.devices.iter().all(|device| device.name == "e0" || device.iterations == 0), "{report}");
}

#[test]
fn iterations_without_arrays_all_fit_into_any_memory() {
    let rt = Runtime::from_machine(emulated_machine(&[Emulated { memory_mib: 1.0, ..FAST }])).unwrap();
    let table = [7u64; 10];
    let sum = Kernel::new("nothing").host(|_: Range<usize>, _: In<u64>| ());
    for len in [1_000_000_000, 1 << 50] {
        let report = rt.parallel_for(0..len, sum.bind().to(&table)).policy(Policy::Block).run().unwrap();
        assert_eq!(report.devices[0].pieces.len(), 1, "{report}");
        assert_eq!(report.devices[0].iterations, len);
    }
}

#[test]
fn one_iteration_that_does_not_fit_is_an_error_that_says_use_smaller_chunks() {
    let tiny = Emulated { memory_mib: 0.001, ..FAST };
    let rt = Runtime::from_machine(emulated_machine(&[tiny])).unwrap();
    let kernel = common::column_sums(4, 1000, 0);
    let (x, mut y) = (vec![1i64; 4000], vec![0i64; 4000]);
    let error = rt
        .parallel_for(0..4usize, kernel.bind().to(&x).align_rows(1000).from(&mut y).align_rows(1000))
        .run()
        .unwrap_err();
    assert!(error.to_string().contains("out of memory"), "{error}");
}

#[test]
fn wrong_calls_are_told_before_anything_runs() {
    let rt = mixed();
    let n = 100usize;
    let (x, short) = (vec![0u64; 100], vec![0u64; 99]);
    let check = |result: apportion::Result<Report>, words: &[&str]| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Call(_)), "{error:?}");
        for word in words {
            assert!(error.to_string().contains(word), "`{error}` lacks `{word}`");
        }
    };
    let k = common::triple_add;
    let mut y = vec![0u64; 100];
    check(
        rt.parallel_for(0..n, k().bind().to(&short).align().tofrom(&mut y).align()).run(),
        &["argument 0", "too short", "each read 100 rows of 1 element, it has 99"],
    );
    // What the kernel writes is not said to be read.
    let mut less = vec![0u64; 99];
    check(
        rt.parallel_for(0..n, k().bind().to(&x).align().tofrom(&mut less).align()).run(),
        &["argument 1", "too short", "each read and write 100 rows of 1 element, it has 99"],
    );
    check(
        rt.parallel_for(0..n, k().bind().to(&x).align().from(&mut less[..98]).align_rows(2)).run(),
        &["argument 1", "too short", "each write 100 rows of 2 elements, it has 49"],
    );
    check(
        rt.parallel_for(0..n, k().bind().to(&x).align().alloc::<u64>(99).align()).run(),
        &["argument 1", "too short", "each use 100 rows of 1 element, it has 99"],
    );
    check(rt.parallel_for(0..n, k().bind().to(&x).align().tofrom(&mut y)).run(), &["argument 1", "FULL", "tofrom"]);
    check(rt.parallel_for(0..n, k().bind().to(&x).align()).run(), &["takes 2 arguments", "1 are bound"]);
    let f = vec![0f32; 100];
    check(
        rt.parallel_for(0..n, k().bind().to(&f).align().tofrom(&mut y).align()).run(),
        &["argument 0", "In<u64>", "In<f32>"],
    );
    check(rt.parallel_for(0..n, common::total().bind().to(&x).align()).run(), &["reduce"]);
    check(rt.parallel_for(0..n, Kernel::new("none").bind()).run(), &["no device can run it", "no host variant"]);
    check(rt.parallel_for(0..n, k().bind().align()).run(), &["`.align(..)`", "bind an array first"]);
    check(rt.parallel_for(0..n, k().bind().to(&x).align_rows(0).tofrom(&mut y).align()).run(), &["at least 1"]);
    check(
        rt.parallel_for(0..n, k().bind().to(&x).align_rows(7).tofrom(&mut y).align()).run(),
        &["whole number of rows"],
    );
    check(rt.parallel_for(0..n, k().bind().to(&x).align().tofrom(&mut y).align().halo(1)).run(), &["halo", "tofrom"]);
    check(rt.parallel_for(0..n, k().granule(0).bind().to(&x).align().tofrom(&mut y).align()).run(), &["granule"]);
    check(rt.parallel_for(0..n, k().bind().to(&x).align().tofrom(&mut y).align()).devices("7").run(), &["7"]);
    for (cost, says) in [
        (Cost::per_iteration().flops(f64::NAN), "`.flops(NaN)`"),
        (Cost::per_iteration().flops(-1.0), "`.flops(-1)`"),
        (Cost::per_iteration().loads(f64::INFINITY), "`.loads(inf)`"),
        (Cost::per_iteration().stores(-8), "`.stores(-8)`"),
    ] {
        let words = ["kernel `triple_add`", says, "at least 0 and finite"];
        let kernel = k().cost(cost);
        let costly = rt.parallel_for(0..n, kernel.bind().to(&x).align().tofrom(&mut y).align());
        let sketch = Sketch { kernel: &kernel, maps: &[], iterations: 10 };
        let expected = [
            costly.predict().map(drop),
            costly.explain(&Policy::ALL_SEVEN).map(drop),
            rt.explain(&sketch, &Policy::ALL_SEVEN, Cutoff::None).map(drop),
        ];
        for result in expected {
            check(result.map(|()| unreachable!("it is refused")), &words);
        }
        check(costly.run(), &words);
    }
    let dynamic = || "SCHED_DYNAMIC".parse::<Policy>().unwrap();
    check(
        rt.parallel_for(0..n, k().bind().to(&x).block_rows(1).tofrom(&mut y).align()).policy(dynamic()).run(),
        &["BLOCK", "SCHED_DYNAMIC"],
    );
    assert!(y.iter().all(|&v| v == 0), "nothing ran");
    let wrong = rt.parallel_for(0..n, common::total().bind().to(&x).align()).reduce::<f64>(Reduce::Sum).unwrap_err();
    assert!(wrong.to_string().contains("returns u64"), "{wrong}");
}

#[test]
fn a_loop_inside_a_body_of_the_same_runtime_is_refused_rather_than_hanging() {
    let rt = std::sync::Arc::new(Runtime::from_machine(host_machine()).unwrap());
    let inner = std::sync::Arc::clone(&rt);
    let kernel = Kernel::new("outer").host(move |range: Range<usize>, mut y: Out<u64>| {
        for i in range {
            let error = inner.parallel_for(0..0usize, Kernel::new("inner").host(|_: Range<usize>| ()).bind()).run();
            y[i] = u64::from(error.unwrap_err().to_string().contains("inside a host body"));
        }
    });
    let mut y = vec![0u64; 4];
    rt.parallel_for(0..4usize, kernel.bind().from(&mut y).align()).run().unwrap();
    assert_eq!(y, [1; 4]);
}

#[test]
fn a_loop_inside_a_body_is_refused_on_a_machine_without_host_device_too() {
    let rt = std::sync::Arc::new(mixed());
    let inner = std::sync::Arc::clone(&rt);
    let kernel = Kernel::new("outer").host(move |range: Range<usize>, mut y: Out<u64>| {
        for i in range {
            let empty = || inner.parallel_for(0..0usize, Kernel::new("inner").host(|_: Range<usize>| ()).bind());
            let told = empty().run().unwrap_err().to_string() + &empty().predict().unwrap_err().to_string();
            y[i] = told.matches("inside a host body").count() as u64;
        }
    });
    let mut y = vec![0u64; 9];
    rt.parallel_for(0..9usize, kernel.bind().from(&mut y).align()).policy(Policy::Block).run().unwrap();
    assert_eq!(y, [2; 9]);
}

#[test]
fn a_halo_wider_than_the_array_is_all_of_it() {
    let rt = mixed();
    let kernel = Kernel::new("sum_of_all").host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        for i in range {
            y[i] = x.slice(0..50).iter().sum();
        }
    });
    let (x, mut y) = (vec![1u64; 50], vec![0u64; 50]);
    rt.parallel_for(0..50usize, kernel.bind().to(&x).align().halo(usize::MAX).from(&mut y).align()).run().unwrap();
    assert!(y.iter().all(|&y| y == 50));
}

#[test]
fn a_block_array_is_copied_once_to_each_device() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST])).unwrap().without_history();
    let n = 100_000usize;
    let kernel = Kernel::new("copy")
        .host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
            y.slice_mut(range.clone()).copy_from_slice(x.slice(range));
        })
        .cost(Cost::per_iteration().flops(1000).loads(8).stores(8));
    let (x, mut y) = (vec![3u64; n], vec![0u64; n]);
    let report = rt.parallel_for(0..n, kernel.bind().to(&x).block_rows(1).from(&mut y).align()).run().unwrap();
    assert_eq!(y, x);
    assert_eq!(report.devices.iter().map(|d| d.bytes_to.0).sum::<u64>(), 8 * n as u64);
}

#[test]
fn a_cancel_ends_a_loop_that_is_one_chunk_of_the_hosts_cores_or_of_another_device() {
    for machine in [host_machine(), emulated_machine(&[FAST])] {
        let rt = Runtime::from_machine(machine).unwrap().without_history();
        let (cancel, n) = (rt.cancel_handle(), 1 << 25);
        let kernel = Kernel::new("cancels").host(move |range: Range<usize>, mut y: Out<u8>| {
            cancel.cancel();
            y.slice_mut(range).fill(1);
            1u64
        });
        let kernel = kernel.cost(Cost::per_iteration().flops(2).stores(1));
        let mut y = vec![0u8; n];
        let a_loop = rt.parallel_for(0..n, kernel.bind().from(&mut y).align()).policy(Policy::Block);
        let error = a_loop.reduce::<u64>(Sum).unwrap_err();
        assert!(matches!(error, Error::Cancelled(_)), "{error:?}");
        assert!(y.contains(&0), "it stopped early");
    }
}

#[test]
fn a_cancelled_runtime_stops_and_says_so() {
    let rt = mixed();
    let cancel = rt.cancel_handle();
    let handle = cancel.clone();
    let kernel = Kernel::new("cancels").host(move |range: Range<usize>, mut y: Out<u64>| {
        handle.cancel();
        for i in range {
            y[i] = 1;
        }
    });
    let mut y = vec![0u64; 1000];
    let error =
        rt.parallel_for(0..1000usize, kernel.bind().from(&mut y).align()).policy("SCHED_DYNAMIC:10").run().unwrap_err();
    assert!(matches!(error, Error::Cancelled(_)), "{error:?}");
    assert!(cancel.is_cancelled());
    assert!(y.contains(&0), "it stopped early");
    rt.resume().unwrap();
    assert!(!cancel.is_cancelled());
    check_triple_add(&rt, 1000, &Policy::Block);
}

#[test]
fn loops_from_several_threads_wait_for_each_other() {
    let rt = mixed();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for policy in every_policy() {
                    check_triple_add(&rt, 500, &policy);
                }
            });
        }
    });
}

#[test]
fn the_pieces_of_one_chunk_overlap_on_a_device_with_its_own_memory() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, FAST])).unwrap().without_history();
    let n = 200_000;
    let kernel = Kernel::new("heavy")
        .host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
            for i in range {
                y[i] = x[i] + 1;
            }
        })
        // A kernel time of 2 ms beside copies of 2 x 0.04 ms per device.
        .cost(Cost::per_iteration().flops(1000).loads(8).stores(8));
    let (x, mut y) = (vec![1u64; n], vec![0u64; n]);
    for policy in every_policy() {
        let report = rt
            .parallel_for(0..n, kernel.bind().to(&x).align().from(&mut y).align())
            .policy(policy.clone())
            .run()
            .unwrap();
        for device in &report.devices {
            let overlapping = device.pieces.windows(2).any(|pair| {
                let (Some(kernel), Some(to)) = (pair[0].kernel, pair[1].to) else { return false };
                to.start.0 < kernel.end.0 && kernel.start.0 < to.end.0
            });
            assert!(overlapping, "{policy}: no copy in during a run on {}: {:?}", device.name, device.pieces);
        }
    }
}

#[test]
fn one_cpu_can_be_described_as_several_devices() {
    let cpus: Vec<usize> = apportion::devices::topology::Topology::detect().cpus.iter().collect();
    if cpus.len() < 2 {
        println!("skipped: this process may use one CPU only");
        return;
    }
    let mut machine = host_machine();
    machine.devices[0].host.as_mut().unwrap().cpus = Some(cpus[..1].iter().copied().collect());
    let mut second = machine.devices[0].clone();
    second.id = 1;
    second.name = "host-1".to_owned();
    second.host.as_mut().unwrap().cpus = Some(cpus[1..].iter().copied().collect());
    machine.devices.push(second);
    let rt = Runtime::from_machine(machine).unwrap().without_history();
    for policy in every_policy() {
        let report = check_triple_add(&rt, 10_000, &policy);
        if policy == Policy::Block {
            assert_eq!(report.devices.iter().map(|d| d.iterations).collect::<Vec<_>>(), [5000, 5000]);
        }
    }
}

#[test]
fn loops_started_by_jobs_of_another_pool_do_not_deadlock() {
    let rt = mixed();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|_| {
                check_triple_add(&rt, 300, &Policy::Block);
            });
        }
    });
}

#[test]
fn a_device_that_the_policy_leaves_out_is_not_even_prepared() {
    // The device fails if it is prepared.
    let broken = Emulated { fault: Some(("init", 0)), ..SLOW };
    let rt = Runtime::from_machine(emulated_machine(&[FAST, broken])).unwrap().without_history();
    let n = 10_000usize;
    let kernel = Kernel::new("heavy")
        .host(|range: Range<usize>, mut y: Out<u64>| y.slice_mut(range).fill(1))
        .cost(Cost::per_iteration().flops(10_000));
    let mut y = vec![0u64; n];
    let report = rt
        .parallel_for(0..n, kernel.bind().from(&mut y).align())
        .policy(Policy::Model1)
        .cutoff("share:30%")
        .run()
        .unwrap();
    assert_eq!(report.left_out.len(), 1, "{report}");
    assert!(report.faults.is_empty() && report.device("e1").is_none(), "{report}");
    assert!(y.iter().all(|&y| y == 1));
}

/// A kernel that only counts, and two devices; `share:30%` leaves out the second.
fn one_is_left_out(devices: [Emulated; 2], name: &str) -> (Runtime, Kernel) {
    let mut machine = emulated_machine(&devices);
    machine.devices[1].name = name.to_owned();
    let kernel = Kernel::new("heavy")
        .host(|range: Range<usize>, mut y: Out<u64>| y.slice_mut(range).iter_mut().for_each(|y| *y += 1))
        .cost(Cost::per_iteration().flops(10_000));
    (Runtime::from_machine(machine).unwrap().without_history(), kernel)
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_the_policy_leaves_out_is_not_woken() {
    /// How often the threads with this name have gone to sleep.
    fn sleeps(name: &str) -> u64 {
        let of = |task: std::fs::DirEntry| -> Option<u64> {
            let read = |file: &str| std::fs::read_to_string(task.path().join(file)).ok();
            let status = read("status").filter(|_| read("comm").is_some_and(|comm| comm.contains(name)))?;
            let (_, count) = status.split_once("\nvoluntary_ctxt_switches:")?;
            count.lines().next()?.trim().parse().ok()
        };
        std::fs::read_dir("/proc/self/task").unwrap().filter_map(|task| of(task.unwrap())).sum()
    }
    let name = "left-out";
    let (rt, kernel) = one_is_left_out([FAST, SLOW], name);
    let mut y = vec![0u64; 1000];
    let mut a_loop = |cutoff: &str| {
        let a_loop = rt.parallel_for(0..y.len(), kernel.bind().tofrom(&mut y).align()).policy(Policy::Model1);
        let report = a_loop.cutoff(cutoff).run().unwrap();
        // Leaves the thread time for what it does after the loop.
        std::thread::sleep(std::time::Duration::from_millis(20));
        report.left_out.len()
    };
    let begun = sleeps(name);
    assert_eq!((0..20).map(|_| a_loop("share:30%")).sum::<usize>(), 20);
    let rested = sleeps(name);
    assert_eq!((0..20).map(|_| a_loop("none")).sum::<usize>(), 0);
    assert!(sleeps(name) >= rested + 20, "the thread is seen where it has a part");
    // The thread may have been about to sleep for the first time.
    assert!(rested <= begun + 1, "it slept {} times", rested - begun);
    assert!(y.iter().all(|&y| y == 40));
}

#[test]
fn a_device_that_the_policy_leaves_out_does_what_the_others_leave() {
    let broken = Emulated { fault: Some(("kernel", 0)), ..FAST };
    let (rt, kernel) = one_is_left_out([broken, SLOW], "reserve");
    let mut y = vec![0u64; 1000];
    let a_loop = rt.parallel_for(0..y.len(), kernel.bind().tofrom(&mut y).align()).policy(Policy::Model1);
    let report = a_loop.cutoff("share:30%").run().unwrap();
    assert_eq!(report.faults.len(), 1, "{report}");
    assert_eq!(report.device("reserve").map(|device| device.iterations), Some(1000), "{report}");
    assert!(y.iter().all(|&y| y == 1));
}

#[test]
fn a_device_left_out_between_others_that_fail_does_what_they_leave() {
    let broken = || Emulated { fault: Some(("kernel", 0)), ..FAST };
    for devices in [[SLOW, broken(), broken()], [broken(), SLOW, broken()]] {
        let mut machine = emulated_machine(&devices);
        let reserve = devices.iter().position(|device| device.fault.is_none()).unwrap();
        machine.devices[reserve].name = "reserve".to_owned();
        let rt = Runtime::from_machine(machine).unwrap().without_history();
        let kernel = Kernel::new("heavy")
            .host(|range: Range<usize>, mut y: Out<u64>| y.slice_mut(range).iter_mut().for_each(|y| *y += 1))
            .cost(Cost::per_iteration().flops(10_000));
        let mut y = vec![0u64; 1000];
        let a_loop = rt.parallel_for(0..y.len(), kernel.bind().tofrom(&mut y).align()).policy(Policy::Model1);
        let report = a_loop.cutoff("share:30%").run().unwrap();
        assert_eq!(report.faults.len(), 2, "{report}");
        let ran: Vec<_> = report.devices.iter().map(|device| (device.id, device.iterations)).collect();
        let expected = (0..3).map(|id| (id, if id == reserve { 1000 } else { 0 })).collect::<Vec<_>>();
        assert_eq!(ran, expected, "{report}");
        assert!(y.iter().all(|&y| y == 1));
    }
}

#[test]
fn auto_does_without_a_device_that_fails_in_every_loop_and_says_so() {
    // Far faster than the other, so that AUTO would have it in every loop.
    let broken = Emulated { fault: Some(("init", 0)), gflop_per_s: 500.0, ..FAST };
    for history in [true, false] {
        let rt = Runtime::from_machine(emulated_machine(&[broken.clone(), FAST])).unwrap();
        let rt = if history { rt } else { rt.without_history() };
        let kernel = Kernel::new("heavy")
            .host(|range: Range<usize>, mut y: Out<u64>| y.slice_mut(range).iter_mut().for_each(|y| *y += 1))
            .cost(Cost::per_iteration().flops(10_000));
        let mut y = vec![0u64; 1000];
        let mut run = |policy: Policy| {
            let report =
                rt.parallel_for(0..y.len(), kernel.bind().tofrom(&mut y).align()).policy(policy).run().unwrap();
            let told =
                report.left_out.iter().any(|left| left.device == "e0" && left.reason.contains("AUTO uses it again"));
            (report.faults.len(), told)
        };
        let all: Vec<_> = (0..80).map(|_| run(Policy::Auto)).collect();
        let failed: Vec<_> = (0..80).filter(|&i| all[i].0 > 0).collect();
        if history {
            // Then it may also choose what did not fail.
            assert!(failed.len() <= 4, "{failed:?}");
            continue;
        }
        // Twice, then after 16 loops, then after 32.
        assert_eq!(failed, [0, 1, 18, 51]);
        assert!(all.iter().all(|&(faults, told)| (faults > 0) != told), "{all:?}");
        // Who names a policy has what it says.
        assert_eq!(run(Policy::Block), (1, false));
        assert_eq!(run(Policy::Auto), (0, true));
        assert!(y.iter().all(|&y| y == 82));
    }
}

#[test]
fn what_a_chunk_costs_on_the_host_besides_is_expected() {
    let rt = Runtime::from_machine(host_machine()).unwrap().without_history();
    let x = vec![1u64; 100];
    let expected = |kernel: Kernel| {
        let a_loop = rt.parallel_for(0..x.len(), kernel.cost(Cost::per_iteration().flops(1e6)).bind().to(&x).align());
        a_loop.predict().unwrap().makespan.0
    };
    let (plain, more) = (expected(common::total()), expected(common::total().host_setup(50)));
    // The cost is all operations, so every iteration takes the same time.
    let each = 1e6 / rt.machine().devices[0].model().f32_rate.0;
    assert!(((more - plain) / each - 50.0).abs() < 1e-6, "{plain} {more} {each}");
}

#[test]
fn what_waking_costs_is_expected_of_devices_at_rest_alone() {
    let mut machine = host_machine();
    let wake = 0.05;
    machine.devices[0].wake_us = Some(apportion::model::machine::Figure::assumed(wake * 1e6));
    let rt = Runtime::from_machine(machine).unwrap().without_history();
    let total = common::total();
    let x = vec![1u64; 100];
    let a_loop = || rt.parallel_for(0..x.len(), total.bind().to(&x).align());
    let expected = || a_loop().predict().unwrap().makespan.0;
    assert!(expected() >= wake);
    // The thread may lose its core between the loop and the prediction.
    let awake = (0..1000).any(|_| {
        assert_eq!(a_loop().reduce::<u64>(Sum).unwrap().value, 100);
        expected() < wake
    });
    assert!(awake);
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(expected() >= wake);
}

/// The devices that ran iterations of a loop.
fn who(report: &Report) -> Vec<usize> {
    report.devices.iter().filter(|device| device.iterations > 0).map(|device| device.id).collect()
}

#[test]
fn a_policy_may_be_a_text_and_a_wrong_one_is_told_when_the_loop_runs() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap();
    let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    let a_loop = || rt.parallel_for(0..100, kernel.bind());
    let name = |report: Result<Report>| report.unwrap().policy;
    let text = String::from("SCHED_GUIDED:15%:homp");
    let policy: Policy = text.parse().unwrap();
    for report in [
        a_loop().policy("SCHED_GUIDED:15%:homp").run(),
        a_loop().policy(&text).run(),
        a_loop().policy(text.clone()).run(),
        a_loop().policy(&policy).run(),
        a_loop().policy(policy.clone()).run(),
    ] {
        assert_eq!(name(report), policy.to_string());
    }
    let error = a_loop().policy("BLOCK:x").predict().unwrap_err().to_string();
    assert!(error.contains("kernel `nothing`") && error.contains("BLOCK:x"), "{error}");
    let error = a_loop().policy("SCHED_DYNAMITE").run().unwrap_err().to_string();
    let says = ["kernel `nothing`", "SCHED_DYNAMITE", "SCHED_DYNAMIC"];
    assert!(says.iter().all(|word| error.contains(word)), "{error}");
}

#[test]
fn devices_may_be_told_by_number_and_by_kind() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW, SHARED])).unwrap();
    let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    let a_loop = || rt.parallel_for(0..300, kernel.bind()).policy(Policy::Block);
    let [first, second, third] = [0, 1, 2].map(DeviceId);
    assert_eq!(who(&a_loop().devices(second).run().unwrap()), [1]);
    // Their order counts.
    for report in [a_loop().devices([third, first]), a_loop().devices(&[third, first][..])] {
        assert_eq!(who(&report.run().unwrap()), [2, 0]);
    }
    let discrete: Vec<_> =
        rt.devices().filter(|device| device.memory == MemoryKind::Discrete).map(|device| device.id).collect();
    assert_eq!(discrete, [first, second]);
    for report in [a_loop().devices(&discrete), a_loop().devices(&discrete[..]), a_loop().devices(discrete.clone())] {
        assert_eq!(who(&report.run().unwrap()), [0, 1]);
    }
    assert_eq!(who(&a_loop().devices(DeviceKind::Emulated).run().unwrap()), [0, 1, 2]);
    assert_eq!(who(&a_loop().devices("1").run().unwrap()), [1]);
    for (wrong, says) in [
        (a_loop().devices(DeviceId(7)), "7"),
        (a_loop().devices(DeviceKind::Cuda), "cuda"),
        (a_loop().devices(Vec::<DeviceId>::new()), "specifier"),
    ] {
        let error = wrong.run().unwrap_err().to_string();
        assert!(error.contains(says), "no {says} in {error}");
    }
    let info = rt.devices().next().unwrap();
    assert_eq!((info.kind, info.name.as_str(), info.threads), (DeviceKind::Emulated, "e0", None));
    assert_eq!(info.memory_bytes, Some(Bytes(1 << 30)));
}

#[test]
fn a_scalar_may_be_a_usize() {
    let kernel = Kernel::new("fill").host(|range: Range<usize>, n: usize, mut y: Out<u64>| {
        for i in range {
            y[i] = (n - i) as u64;
        }
    });
    for rt in [
        Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap(),
        Runtime::from_machine(host_machine()).unwrap(),
    ] {
        let mut y = vec![0_u64; 1000];
        let bound = kernel.bind().scalar(1000_usize).from(&mut y).align();
        // Device kernels see a 64-bit number.
        assert!(matches!(bound.arguments()[0], Argument::Scalar(Scalar::U64(1000))));
        rt.parallel_for(0..1000, bound).policy(Policy::Block).run().unwrap();
        assert!(y.iter().enumerate().all(|(i, &y)| y == 1000 - i as u64));
        // So a u64 fits as well; other types are still refused.
        rt.parallel_for(0..1000, kernel.bind().scalar(1000_u64).from(&mut y).align()).run().unwrap();
        let error = rt.parallel_for(0..1000, kernel.bind().scalar(1000_i64).from(&mut y).align()).run().unwrap_err();
        assert!(error.to_string().contains("i64"), "{error}");
    }
}

/// All keys in a report's JSON, each once.
fn keys_of(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            keys_of(value, found);
        }),
        serde_json::Value::Array(list) => list.iter().for_each(|value| keys_of(value, found)),
        _ => {}
    }
}

#[test]
fn a_report_is_data_whose_keys_end_in_their_units() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, Emulated { fault: Some(("kernel", 0)), ..SLOW }])).unwrap();
    let report = check_triple_add(&rt, 1000, &Policy::Block);
    assert_eq!(report.faults.len(), 1, "{report}");
    let data = serde_json::to_value(&report).unwrap();
    let mut keys = std::collections::BTreeSet::new();
    keys_of(&data, &mut keys);
    let wanted = [
        "busy_s",
        "chunk",
        "chunks",
        "compiled_s",
        "device",
        "devices",
        "elapsed_s",
        "elements",
        "end",
        "end_s",
        "exchange_s",
        "faults",
        "fini_s",
        "from",
        "from_bytes",
        "from_s",
        "id",
        "init_s",
        "iterations",
        "kernel",
        "kernel_s",
        "left_out",
        "message",
        "name",
        "notes",
        "phase",
        "phases",
        "pieces",
        "policy",
        "range",
        "start",
        "start_s",
        "to",
        "to_bytes",
        "to_s",
        "wait_s",
    ];
    assert_eq!(keys.iter().collect::<Vec<_>>(), wanted);
    assert_eq!(data["elapsed_s"].as_f64(), Some(report.elapsed.0));
    assert_eq!(data["devices"][0]["to_bytes"], report.devices[0].bytes_to.0);
    assert_eq!(data["faults"][0]["phase"], "kernel");

    let mut y = vec![0_u64; 100];
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap();
    let mut region = rt.data_region().timeline(1);
    let array = region.tofrom(&mut y, [100]);
    let kernel = Kernel::new("count").host(|range: Range<usize>, mut y: Out<u64>| range.for_each(|i| y[i] += 1));
    for _ in 0..3 {
        region.parallel_for(0..100, kernel.bind().updates(array)).run().unwrap();
    }
    let data = serde_json::to_value(region.finish().unwrap()).unwrap();
    let mut keys = std::collections::BTreeSet::new();
    keys_of(&data, &mut keys);
    assert_eq!(data["loops"], 3);
    assert!(data["elapsed_s"].as_f64() > Some(0.0), "{data}");
    for key in [
        "loops",
        "elapsed_s",
        "devices",
        "exchanged_bytes",
        "operations",
        "operation",
        "times",
        "to_bytes",
        "from_bytes",
        "kernel_s",
        "exchange_s",
        "compiled_s",
        "moves",
        "timeline",
        "time_s",
        "busy_s",
        "copy_s",
        "waiting_s",
    ] {
        assert!(keys.contains(key), "no {key} in {data}");
    }
}

#[test]
fn a_region_says_how_long_its_loops_took_from_the_first_on() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap();
    let (mut y, kernel) = (vec![0_u64; 100], Kernel::new("count").host(|_: Range<usize>, _: Out<u64>| ()));
    let mut region = rt.data_region();
    let array = region.tofrom(&mut y, [100]);
    let before = region.report().unwrap();
    assert_eq!((before.loops, before.elapsed.0), (0, 0.0));
    assert!(before.to_string().starts_with("region: 0 loops in 0"), "{before}");
    region.parallel_for(0..100, kernel.bind().updates(array)).run().unwrap();
    // One that is refused is none.
    region.parallel_for(0..200, kernel.bind().updates(array)).run().unwrap_err();
    let first = region.report().unwrap();
    assert!(first.to_string().starts_with(&format!("region: 1 loop in {}, 0 exchanges", first.elapsed)), "{first}");
    region.parallel_for(0..100, kernel.bind().updates(array)).run().unwrap();
    let all = region.finish().unwrap();
    assert!(all.loops == 2 && all.elapsed > first.elapsed && first.elapsed.0 > 0.0, "{first}{all}");
}

#[test]
fn a_result_prints_as_its_value_and_the_report() {
    let rt = Runtime::from_machine(emulated_machine(&[FAST, SLOW])).unwrap();
    let sum = Kernel::new("sum").host(|range: Range<usize>| -> u64 { range.map(|i| i as u64).sum() });
    let result = rt.parallel_for(0..100, sum.bind()).reduce::<u64>(Sum).unwrap();
    assert_eq!(result.to_string(), format!("4950\n{}", result.report));
}

#[test]
fn a_sketched_loop_is_explained_as_the_loop_is() {
    let kernel = Kernel::new("look_up")
        .host(|range: Range<usize>, table: In<u64>, mut y: Out<u64>| {
            for i in range {
                y[i] = table[i % (1 << 16)];
            }
        })
        .cost(Cost::per_iteration().flops(1).loads(8).stores(8))
        .host_setup(1000);
    let (table, mut y) = (vec![1_u64; 1 << 16], vec![0_u64; 10_000]);
    let map = |direction: Direction, distribution: Distribution, len: usize| ArrayMap {
        name: None,
        element: ElementType::U64,
        direction,
        distribution,
        halo: Halo::default(),
        row_len: 1,
        len,
        memory: HostMemory::Scratch,
        mapped: None,
        shift: 0,
        first_row: 0,
        first_column: 0,
        chain: None,
        rows_at: None,
        components: 1,
    };
    let maps = [
        map(Direction::To, Distribution::Full, table.len()),
        map(Direction::From, Distribution::Align { ratio: 1 }, y.len()),
    ];
    let sketch = Sketch { kernel: &kernel, maps: &maps, iterations: 10_000 };
    for machine in [host_machine(), emulated_machine(&[FAST, SHARED])] {
        let rt = Runtime::from_machine(machine).unwrap();
        let mut explained = || {
            let a_loop = rt.parallel_for(0..10_000, kernel.bind().to(&table).from(&mut y).align());
            a_loop.explain(&Policy::ALL_SEVEN).unwrap().to_string()
        };
        let sketched = rt.explain(&sketch, &Policy::ALL_SEVEN, Cutoff::None).unwrap().to_string();
        assert_eq!(sketched, explained());
    }
}

#[test]
fn a_token_cancels_its_own_loop_and_no_other() {
    let rt = mixed();
    let (token, n) = (CancelToken::new(), 1 << 20);
    let cancels = token.clone();
    let kernel = Kernel::new("watched").host(move |range: Range<usize>, mut y: Out<u8>| {
        cancels.cancel();
        y.slice_mut(range).fill(1);
    });
    let run = |token: &CancelToken, y: &mut [u8]| {
        let a_loop = rt.parallel_for(0..n, kernel.bind().from(y).align()).policy("SCHED_DYNAMIC:1000");
        a_loop.cancelled_by(token).run()
    };
    let mut y = vec![0u8; n];
    let said = run(&token, &mut y).unwrap_err();
    assert!(matches!(said, Error::Cancelled(_)), "{said:?}");
    assert!(y.contains(&0) && y.contains(&1), "it stopped early");
    for part in ["watched", "by its token", "incomplete", "new token"] {
        assert!(said.to_string().contains(part), "{said}");
    }
    // It stays cancelled; nothing runs any more.
    let mut y = vec![0u8; n];
    let said = run(&token, &mut y).unwrap_err().to_string();
    assert!(said.contains("it had not begun"), "{said}");
    assert!(y.iter().all(|&y| y == 0));
    // Loops with another token, or none, are not concerned.
    run(&CancelToken::new(), &mut y).unwrap();
    assert!(y.iter().all(|&y| y == 1));
    check_triple_add(&rt, 1000, &Policy::Block);
    // All loops of the runtime are, until it resumes.
    rt.cancel_handle().cancel();
    let said = run(&CancelToken::new(), &mut y).unwrap_err().to_string();
    assert!(said.contains("until `Runtime::resume` is called"), "{said}");
    rt.resume().unwrap();
    run(&CancelToken::new(), &mut y).unwrap();
}

#[test]
fn a_token_with_a_deadline_ends_its_loop_between_pieces() {
    let rt = mixed();
    let n = 1 << 20;
    let run = |token: &CancelToken, waits: bool, y: &mut [u8]| {
        let late = token.clone();
        let kernel = Kernel::new("awaited").host(move |range: Range<usize>, mut y: Out<u8>| {
            while waits && !late.is_cancelled() {
                std::thread::yield_now();
            }
            y.slice_mut(range).fill(1);
        });
        let a_loop = rt.parallel_for(0..n, kernel.bind().from(y).align()).policy("SCHED_DYNAMIC:1000");
        a_loop.cancelled_by(token).run()
    };
    let mut y = vec![0u8; n];
    let said = run(&CancelToken::after(Duration::from_millis(50)), true, &mut y).unwrap_err();
    assert!(matches!(said, Error::Cancelled(_)), "{said:?}");
    assert!(said.to_string().contains("by its token, whose time is over"), "{said}");
    assert!(y.contains(&0), "it stopped early");
    for time in [Duration::from_secs(1 << 20), Duration::MAX] {
        run(&CancelToken::after(time), false, &mut y).unwrap();
        assert!(y.iter().all(|&y| y == 1));
    }
}
