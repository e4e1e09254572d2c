//! What devices share, from the machine description to the policies: groups of links, the host's memory, a link's two
//! directions.

use apportion::model::contention::{Shared, wall};
use apportion::model::cost::device_cost_at;
use apportion::model::{DeviceCost, LoopProfile, Machine, Overlap, device_cost};
use apportion::sched::{Apart, Cutoff, Policy, Problem, SimulateOptions, Simulation, decide, simulate};
use apportion::space::Slot;
use apportion::units::{Bytes, Percent, Seconds};
use serde_json::{Value, json};

fn figure(value: f64) -> Value {
    json!({"value": value, "source": "assumed"})
}

/// A CPU of 12 GB/s and two GPUs with links of 8 GB/s each way; `more` adds what they share.
fn machine(more: Value) -> Machine {
    let device = |id: usize, name: &str, kind: &str, memory: &str| {
        json!({
            "id": id, "name": name, "kind": kind, "type": if id == 0 { "HOSTCPU" } else { "NVGPU" }, "memory": memory,
            "f32_gflop_per_s": figure(1e3), "f64_gflop_per_s": figure(1e3), "memory_gb_per_s": figure(12.0),
            "launch_us": figure(0.0)
        })
    };
    let gpu = |id: usize| {
        let mut gpu = device(id, &format!("gpu:{id}"), "emulated", "discrete");
        gpu["memory_gb_per_s"] = figure(1e3);
        gpu["memory_gib"] = figure(1.0);
        let way = json!({"latency_us": figure(0.0), "bandwidth_gb_per_s": figure(8.0)});
        gpu["link"] = json!({"to": way, "from": way});
        gpu
    };
    let mut machine = json!({
        "schema": "apportion.machine/1", "name": "shares",
        "devices": [device(0, "cpu", "emulated", "shared"), gpu(1), gpu(2)]
    });
    machine.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Machine::from_json(&machine.to_string()).unwrap()
}

/// An iteration copies 8 bytes in and 4 out, and moves 12 between cores and memory.
fn axpy() -> LoopProfile {
    LoopProfile {
        iterations: 1_000_000,
        memory_bytes: 12.0,
        aligned_in: 8.0,
        aligned_out: 4.0,
        ..LoopProfile::default()
    }
}

fn costs(machine: &Machine, profile: &LoopProfile) -> Vec<DeviceCost> {
    let shared = machine.shared_rates();
    let cost = |device: &apportion::model::machine::DeviceEntry| {
        device_cost_at(&device.model(), profile, Overlap::Full, &shared.of(device.id))
    };
    machine.devices.iter().map(cost).collect()
}

fn under(policy: &Policy, machine: &Machine, profile: &LoopProfile, cutoff: Cutoff) -> Simulation {
    let costs = costs(machine, profile);
    let types = ["HOSTCPU", "NVGPU", "NVGPU"];
    let problem =
        Problem { cutoff, device_types: &types[..costs.len()], ..Problem::new(profile.iterations, &costs, profile) };
    simulate(policy, &problem, &SimulateOptions::default()).unwrap()
}

fn iterations(simulation: &Simulation) -> Vec<u64> {
    simulation.devices.iter().map(|device| device.iterations).collect()
}

#[test]
fn model_2_gives_a_group_of_links_what_it_can_take() {
    // One iteration per 1 ns on each device: a third each.
    let free = under(&Policy::Model2, &machine(json!({})), &axpy(), Cutoff::None);
    assert_eq!(iterations(&free), [333_334, 333_333, 333_333]);
    // 8 GB/s for both GPUs together: one iteration per 1 ns, as on the CPU.
    let switch = json!([{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(8.0)}]);
    let behind = under(&Policy::Model2, &machine(json!({"groups": switch})), &axpy(), Cutoff::None);
    assert_eq!(iterations(&behind), [500_000, 250_000, 250_000]);
    // 12 bytes in both directions at 6 GB/s: one iteration per 2 ns.
    let both = json!([{"name": "switch", "devices": [1, 2], "both_gb_per_s": figure(6.0)}]);
    let behind = under(&Policy::Model2, &machine(json!({"groups": both})), &axpy(), Cutoff::None);
    assert_eq!(iterations(&behind).iter().skip(1).sum::<u64>(), 333_333);
    assert!((behind.makespan.micros() - 666.7).abs() < 2.0, "{}", behind.makespan);
    // With 8 GB/s in one direction: 4 bytes each way at 12 GB/s, then 4 more to the devices. One iteration per 7/6 ns.
    let proportion = json!([{
        "name": "switch", "devices": [1, 2], "to_gb_per_s": figure(8.0), "from_gb_per_s": figure(7.0),
        "both_gb_per_s": figure(12.0),
    }]);
    let behind = under(&Policy::Model2, &machine(json!({"groups": proportion})), &axpy(), Cutoff::None);
    assert_eq!(iterations(&behind)[0], 538_462);
    assert!((behind.makespan.micros() - 538.5).abs() < 1.0, "{}", behind.makespan);
    // And where more comes back: 4 each way, then 8 at 7 GB/s.
    let back = LoopProfile { aligned_in: 4.0, aligned_out: 12.0, ..axpy() };
    let block = under(&Policy::Block, &machine(json!({"groups": proportion})), &back, Cutoff::None);
    let expected = 666.666 * (8.0 / 12.0 + 8.0 / 7.0);
    assert!((block.makespan.micros() - expected).abs() < 1.0, "{} {expected}", block.makespan);
    // Without overlap a device copies one way at a time, and nobody knows what the others do meanwhile.
    let drawn = |groups: &Value, overlap| {
        let described = machine(json!({"groups": groups}));
        let shared = described.shared_rates().of(1);
        device_cost_at(&described.devices[1].model(), &axpy(), overlap, &shared).draws
    };
    let near = |groups: &Value, overlap, wanted: &[f64]| {
        let found: Vec<f64> = drawn(groups, overlap).iter().map(|draw| draw.per_iteration.0 * 1e9).collect();
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        assert!(found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-9), "{found:?}");
    };
    near(&proportion, Overlap::Full, &[1.0, 4.0 / 7.0, 7.0 / 6.0]);
    near(&proportion, Overlap::None, &[1.0, 4.0 / 7.0, 1.0]);
    // One by one the links get 16 GB/s; where both directions get less than that, so does one.
    let of_both = |rate: f64| json!([{"name": "switch", "devices": [1, 2], "both_gb_per_s": figure(rate)}]);
    near(&of_both(20.0), Overlap::Full, &[8.0 / 20.0 + 4.0 / 16.0]);
    near(&of_both(6.0), Overlap::Full, &[2.0]);
    // A prediction of BLOCK includes the time of the switch too.
    let block = under(&Policy::Block, &machine(json!({"groups": both})), &axpy(), Cutoff::None);
    assert!((block.makespan.micros() - 1333.3).abs() < 0.1, "{}", block.makespan);
}

#[test]
fn who_gives_way_is_as_measured() {
    // In proportion: all ask for 36 GB/s of 24, so each takes half as long again.
    let equal = machine(json!({"host_memory_gb_per_s": figure(24.0)}));
    let split = under(&Policy::Model2, &equal, &axpy(), Cutoff::None);
    assert_eq!(iterations(&split), [333_334, 333_333, 333_333]);
    assert!((split.makespan.micros() - 500.0).abs() < 0.1, "{}", split.makespan);
    // While all use the memory the CPU has 6 of 12 GB/s and a link 9 of 16, at 1.833 times as much demand as there is. At 1.5
    // times, the CPU takes 1.6 times as long and a GPU 1.467 times.
    let mut measured = equal;
    for (device, crowded) in measured.devices.iter_mut().zip([6.0, 9.0, 9.0]) {
        device.crowded_gb_per_s = Some(apportion::model::machine::Figure::assumed(crowded));
    }
    let split = under(&Policy::Model2, &measured, &axpy(), Cutoff::None);
    let level = 1e6 / (1.0 / 1.6 + 2.0 / 1.466_667);
    for (iterations, slower) in iterations(&split).into_iter().zip([1.6, 1.466_667, 1.466_667]) {
        assert!((iterations as f64 - level / slower).abs() < 2.0, "{iterations} of {split:?}");
    }
    assert!((split.makespan.micros() - level * 1e-3).abs() < 0.1, "{}", split.makespan);
    // Alone no device is slowed. Links behind one switch are slowed equally, whichever devices the host's memory slows.
    assert_eq!(costs(&measured, &axpy())[0].kernel, Seconds(1e-9));
    measured.groups =
        machine(json!({"groups": [{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(8.0)}]})).groups;
    let split = under(&Policy::Model2, &measured, &axpy(), Cutoff::None);
    let level = 1e6 / (1.0 / 1.6 + 2.0 / 2.0);
    for (iterations, slower) in iterations(&split).into_iter().zip([1.6, 2.0, 2.0]) {
        assert!((iterations as f64 - level / slower).abs() < 2.0, "{iterations} of {split:?}");
    }
}

#[test]
fn a_loop_that_lies_wholly_in_the_cpus_memory_may_be_better_left_to_the_links() {
    // An iteration moves 36 bytes for the CPU and 12 over a link; the memory gives 18 GB/s in all.
    let profile = LoopProfile { memory_bytes: 36.0, ..axpy() };
    let machine = machine(json!({"host_memory_gb_per_s": figure(18.0)}));
    let split = under(&Policy::Model2, &machine, &profile, Cutoff::None);
    // The links alone take 0.5 ns per iteration by their rates, and 0.67 by the memory's. With the CPU it takes no less.
    assert_eq!(iterations(&split)[0], 0);
    assert!((split.makespan.micros() - 666.7).abs() < 0.1, "{}", split.makespan);
    assert!(split.decision.left_out[0].1.contains("shares with others"), "{:?}", split.decision);
}

#[test]
fn the_cutoff_looks_at_shares_and_times_with_what_is_shared() {
    let percent = |p: f64| Percent::new(p).unwrap();
    let switch = json!([{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(2.0)}]);
    let machine = machine(json!({"groups": switch}));
    // The CPU gets 4 of 5 and each GPU 1 of 10; one GPU alone gets the part of both.
    let share = under(&Policy::Model2, &machine, &axpy(), Cutoff::Share(Some(percent(15.0))));
    assert_eq!(iterations(&share), [800_000, 200_000, 0]);
    // Without the GPUs the loop takes a quarter longer.
    for (cutoff, expected) in [(20.0, 800_000), (30.0, 1_000_000)] {
        let benefit = under(&Policy::Model2, &machine, &axpy(), Cutoff::Benefit(percent(cutoff)));
        assert_eq!(iterations(&benefit)[0], expected, "{cutoff} %");
    }
}

#[test]
fn a_replicated_array_that_gpus_pass_on_is_fetched_once_by_all_together() {
    let profile = LoopProfile { replicated_in: Bytes(8_000_000), replicated_transfers: 1, ..axpy() };
    let group = json!([{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(8.0)}]);
    let mut machine = machine(json!({"groups": group, "host_memory_gb_per_s": figure(16.0)}));
    let times = |machine: &Machine| {
        let shared = Shared::of(&costs(machine, &profile));
        shared.iter().map(|one| one.time(&[0, 1, 1]).millis()).collect::<Vec<_>>()
    };
    let near = |found: &[f64], expected: [f64; 2]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
    // 16 MB over a switch of 8 GB/s and from a memory of 16 GB/s.
    assert!(near(&times(&machine), [1.0, 2.0]), "{:?}", times(&machine));
    for gpu in [1, 2] {
        machine.devices[gpu].kind = apportion::model::machine::DeviceKind::Cuda;
    }
    let way = |from: usize, to: usize| -> apportion::model::machine::Peer {
        let figures = json!({"from": from, "to": to, "access": "copy", "latency_us": figure(1.0), "bandwidth_gb_per_s": figure(100.0)});
        serde_json::from_value(figures).unwrap()
    };
    machine.peers = vec![way(1, 2), way(2, 1)];
    assert!(near(&times(&machine), [0.5, 1.0]), "{:?}", times(&machine));
}

#[test]
fn a_link_has_one_rate_for_both_ways_another_alone_and_another_for_plain_arrays() {
    let mut machine = machine(json!({}));
    let link = machine.devices[1].link.as_mut().unwrap();
    link.to.alone_gb_per_s = Some(apportion::model::machine::Figure::assumed(16.0));
    link.to.plain_gb_per_s = Some(apportion::model::machine::Figure::assumed(2.0));
    machine.devices[1].half_rate_us = Some(apportion::model::machine::Figure::assumed(3.0));
    machine.devices[1].sync_us = Some(apportion::model::machine::Figure::assumed(5.0));
    let model = machine.devices[1].model();
    let ns = |profile: LoopProfile| {
        let cost = device_cost(&model, &profile, Overlap::Full);
        [cost.to, cost.from].map(|time| (time.0 * 1e12).round() / 1e3)
    };
    // 4 of the 8 bytes go in while 4 come back.
    assert_eq!(ns(axpy()), [0.75, 0.5]);
    assert_eq!(ns(LoopProfile { aligned_out: 0.0, ..axpy() }), [0.5, 0.0]);
    // Copies back have no rate for plain arrays, so they take the usual one.
    assert_eq!(ns(LoopProfile { plain_in: 8.0, plain_out: 4.0, ..axpy() }), [4.0, 0.5]);
    assert_eq!(ns(LoopProfile { plain_in: 4.0, ..axpy() }), [2.5, 0.5]);
    let replicated = LoopProfile { replicated_in: Bytes(16_000_000), ..LoopProfile::default() };
    let cost = device_cost(&model, &replicated, Overlap::Full);
    assert!((cost.once.micros() - 1005.0).abs() < 1e-6 && (cost.kernel_chunk.micros() - 3.0).abs() < 1e-9);
    let plain = LoopProfile { plain_replicated: Bytes(16_000_000), ..replicated };
    assert!((device_cost(&model, &plain, Overlap::Full).once.micros() - 8005.0).abs() < 1e-6);
}

#[test]
fn a_device_shares_six_capacities_at_most() {
    let mut all = machine(json!({}));
    let group = |name: usize| json!({"name": format!("g{name}"), "devices": [1], "to_gb_per_s": figure(1.0), "from_gb_per_s": figure(1.0)});
    all.groups = (0..3).map(|name| serde_json::from_value(group(name)).unwrap()).collect();
    all.validate().unwrap();
    let costs = costs(&all, &axpy());
    assert_eq!(costs[1].draws.iter().count(), 6);
    // As it draws on all of them alike, it waits for the ways in alone, and for one as for all.
    let shared = Shared::of(&costs);
    assert_eq!((shared.len(), wall(&shared, &[0, 1, 0])), (1, Seconds(8e-9)));
    all.groups.push(serde_json::from_value(group(3)).unwrap());
    let error = all.validate().unwrap_err();
    assert!(error.key == "groups[3].devices[0]" && error.problem.contains("at most 6"), "{error}");
}

#[test]
fn the_cutoff_by_benefit_goes_by_what_devices_take_without_the_others() {
    let cost = |micros: f64| DeviceCost { kernel: Seconds(micros * 1e-6), ..DeviceCost::default() };
    let (together, types, profile) = ([cost(3.0); 3], ["HOSTCPU", "NVGPU", "NVGPU"], LoopProfile::default());
    let shares = |gpus: f64, eps: f64, granule: u64| {
        let apart = [Apart { devices: vec![Slot(1), Slot(2)], costs: vec![cost(9.0), cost(gpus), cost(gpus)] }];
        let cutoff = Cutoff::Benefit(Percent::new(eps).unwrap());
        let problem =
            Problem { granule, device_types: &types, cutoff, apart: &apart, ..Problem::new(9000, &together, &profile) };
        simulate(&Policy::Model2, &problem, &SimulateOptions::default()).unwrap()
    };
    for granule in [1, 10] {
        // All three take 9 ms. The GPUs by themselves take 4.5 ms, the same, or a quarter longer.
        for (gpus, eps, expected) in
            [(1.0, 2.0, 0), (2.0, 2.0, 0), (2.5, 2.0, 3000), (2.5, 30.0, 0), (2.0, 0.0, 3000), (1.0, 0.0, 0)]
        {
            let simulated = shares(gpus, eps, granule);
            assert_eq!(iterations(&simulated)[0], expected, "{gpus} us, {eps} %, granule {granule}");
        }
        let reason = &shares(1.0, 2.0, granule).decision.left_out[0];
        assert!(reason.0 == Slot(0) && reason.1.contains("50.00 % less"), "{reason:?}");
    }
}

#[test]
fn auto_leaves_out_whom_the_cutoff_by_benefit_takes_from_model_2_by_what_devices_take_without_the_others() {
    let cost = |micros: f64| DeviceCost { kernel: Seconds(micros * 1e-6), ..DeviceCost::default() };
    let (together, types, profile) = ([cost(3.0); 3], ["HOSTCPU", "NVGPU", "NVGPU"], LoopProfile::default());
    for granule in [1, 10] {
        // The GPUs by themselves take half as long, a quarter longer, or an unknown time. The cases follow one another because
        // AUTO remembers its decisions, and the loops differ in this alone.
        for gpus in [Some(1.0), Some(2.5), None, Some(1.0)] {
            let apart = gpus
                .map(|gpus| Apart { devices: vec![Slot(1), Slot(2)], costs: vec![cost(9.0), cost(gpus), cost(gpus)] });
            let cutoff = Cutoff::Benefit(Percent::new(2.0).unwrap());
            let apart: Vec<Apart> = apart.into_iter().collect();
            let fresh = Problem::new(9100, &together, &profile);
            let problem = Problem { granule, device_types: &types, cutoff, apart: &apart, ..fresh };
            let shares = |policy: &Policy| {
                let simulated = simulate(policy, &problem, &SimulateOptions::default()).unwrap();
                simulated.devices.iter().map(|device| device.iterations > 0).collect::<Vec<_>>()
            };
            let expected = vec![gpus != Some(1.0), true, true];
            for policy in [Policy::Model2, Policy::Auto] {
                assert_eq!(shares(&policy), expected, "{policy}, granule {granule}, GPUs {gpus:?}");
            }
            let decided: Vec<bool> = {
                let devices = decide(&problem).unwrap().devices;
                (0..3).map(|slot| devices.contains(&Slot(slot))).collect()
            };
            assert_eq!(decided, expected, "granule {granule}, GPUs {gpus:?}");
        }
    }
}

#[test]
fn devices_by_themselves_are_those_of_the_loop() {
    let (costs, profile) = ([DeviceCost::default(); 2], LoopProfile::default());
    for apart in [
        Apart { devices: vec![Slot(2)], costs: costs.to_vec() },
        Apart { devices: vec![Slot(1)], costs: costs[..1].to_vec() },
    ] {
        let problem = Problem { apart: &[apart], ..Problem::new(9, &costs, &profile) };
        let error = Policy::Block.start(&problem).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("by themselves"), "{error}");
    }
}

#[test]
fn no_phase_takes_less_than_no_time_however_short_it_is_beside_what_was_before() {
    // They wait for one another while they begin, and no more when they copy in.
    let device = |once: f64| DeviceCost {
        once: Seconds(once),
        to: Seconds(1e-12),
        kernel: Seconds(1.7e-6),
        from: Seconds(1e-12),
        host_memory_once: Seconds(once * 1.3),
        overlap: Overlap::None,
        ..DeviceCost::default()
    };
    let profile = axpy();
    for more in 0..200_u32 {
        let costs = [device(1e6 / 3.0 + f64::from(more)), device(1e6 / 7.0), device(1e6 / 3.0)];
        let problem = Problem::new(3 * (100 + u64::from(more)), &costs, &profile);
        let simulated = simulate(&Policy::Block, &problem, &SimulateOptions::default()).unwrap();
        for device in &simulated.devices {
            for phase in apportion::error::Phase::ALL {
                assert!(device.phases[phase] >= Seconds::ZERO, "{phase:?} {simulated:?}");
            }
        }
    }
}

#[test]
fn where_nothing_overlaps_links_behind_a_switch_slow_one_another_while_they_copy() {
    // Two GPUs: 8 bytes in at 8 GB/s, a kernel of 2 ns, 4 bytes out at 8 GB/s. With 500 000 iterations each, the stages take
    // 0.5, 1 and 0.25 ms.
    let device = |machine: &Machine, id: usize| {
        let mut model = machine.devices[id].model();
        model.memory_rate = apportion::units::BytesPerSecond(6e9);
        model
    };
    let took = |policy: &Policy, overlap: Overlap, groups: Value| {
        let machine = machine(json!({"groups": groups}));
        let shared = machine.shared_rates();
        let profile = axpy();
        let costs = [1, 2].map(|id| device_cost_at(&device(&machine, id), &profile, overlap, &shared.of(id)));
        let problem = Problem::new(profile.iterations, &costs, &profile);
        let took = simulate(policy, &problem, &SimulateOptions::default()).unwrap();
        let auto = simulate(&Policy::Auto, &problem, &SimulateOptions::default()).unwrap();
        assert!((auto.makespan / decide(&problem).unwrap().time - 1.0).abs() < 1e-9, "{auto:?}");
        took
    };
    let switch = |to: f64, from: f64| json!([{"name": "switch", "devices": [1, 2], "to_gb_per_s": figure(to), "from_gb_per_s": figure(from)}]);
    let close =
        |time: Seconds, millis: f64| assert!((time.millis() - millis).abs() < 1e-2, "{time} should be {millis} ms");
    close(took(&Policy::Block, Overlap::None, json!([])).makespan, 1.75);
    // Both copy in at once and ask for 16 GB/s of 12. Spread over the whole loop they would ask for 4.6.
    let slowed = took(&Policy::Block, Overlap::None, switch(12.0, 16.0));
    close(slowed.makespan, 0.5 * 16.0 / 12.0 + 1.0 + 0.25);
    for gpu in &slowed.devices {
        let record = &gpu.records[0];
        let stages = record.stages.map(|(begin, end)| (end - begin).millis());
        assert!(
            stages.iter().zip([2.0 / 3.0, 1.0, 0.25]).all(|(found, millis)| (found - millis).abs() < 1e-2),
            "{record:?}"
        );
        close(gpu.phases[apportion::error::Phase::To], 2.0 / 3.0);
        close(gpu.phases[apportion::error::Phase::Kernel], 1.0);
        close(gpu.slowed, 1.0 / 6.0);
    }
    // Both copy back at once too, at half of the rate that they ask for.
    close(took(&Policy::Block, Overlap::None, switch(12.0, 8.0)).makespan, 2.0 / 3.0 + 1.0 + 0.5);
    let both = json!([{"name": "switch", "devices": [1, 2], "both_gb_per_s": figure(8.0)}]);
    close(took(&Policy::Block, Overlap::None, both).makespan, 1.0 + 1.0 + 0.5);
    // In chunks of a quarter each, the second chunks' copies coincide too.
    let quarters: Policy = "SCHED_DYNAMIC:250000".parse().unwrap();
    close(took(&quarters, Overlap::None, switch(12.0, 16.0)).makespan, 2.0 / 3.0 + 1.0 + 0.25);
    // Where stages overlap, copies draw on the switch all the time.
    close(
        took(&Policy::Block, Overlap::Full, switch(16.0, 8.0)).makespan,
        took(&Policy::Block, Overlap::Full, json!([])).makespan.millis(),
    );
}

#[test]
fn cores_that_begin_late_slow_links_while_they_compute_though_on_average_memory_is_enough() {
    let machine = machine(json!({"host_memory_gb_per_s": figure(32.0)}));
    let profile = LoopProfile { iterations: 999_999, ..axpy() };
    let mut costs = costs(&machine, &profile);
    // Each block takes a third of a millisecond. The cores begin theirs so late, and then 12 + 2 * 12 GB/s are asked for.
    costs[0].kernel_chunk = Seconds(333_333e-9);
    // As one piece.
    costs[1..].iter_mut().for_each(|gpu| gpu.to_chunk = Seconds(1e-12));
    let problem = Problem { device_types: &["HOSTCPU", "NVGPU", "NVGPU"], ..Problem::new(999_999, &costs, &profile) };
    let simulation = simulate(&Policy::Block, &problem, &SimulateOptions::default()).unwrap();
    // For half of their time the cores take 36 / 32 as long.
    let slower = 1.0 + 0.5 * (36.0 / 32.0 - 1.0);
    let cores = simulation.makespan.0 / (333_333e-9 * (1.0 + slower));
    assert!((cores - 1.0).abs() < 1e-3, "{simulation:?}");
    assert!(simulation.devices[1].slowed.0 > 15e-6, "{simulation:?}");
}
