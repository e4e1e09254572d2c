//! Descriptions at the ends of what is accepted, as somebody might write them by hand, and loops of any length: every policy divides
//! the whole loop, with times that are numbers, or says what is wrong.

use apportion::error::Error;
use apportion::model::{DeviceCost, LoopProfile, Machine, Overlap, device_cost_at};
use apportion::sched::{
    Cutoff, POLICIES, Policy, Problem, SimulateOptions, SimulatedDevice, decide, explain, simulate,
};
use apportion::units::{Bytes, Flops};
use proptest::prelude::*;

/// A rate in GB/s or GFLOP/s, mostly a usual one.
fn a_rate() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.1_f64..1e4, 1 => Just(1e-9), 1 => Just(1e15)]
}

/// A time in us, mostly none or a usual one.
fn a_time() -> impl Strategy<Value = f64> {
    prop_oneof![3 => Just(0.0), 4 => 0.0_f64..100.0, 1 => Just(1e12), 1 => Just(1e-300)]
}

fn figure(value: f64) -> String {
    format!(r#"{{"value": {value:e}, "source": "assumed"}}"#)
}

/// One device, with some of the figures that may be left out.
fn a_device() -> impl Strategy<Value = String> {
    let rates = prop::collection::vec(a_rate(), 12);
    let times = prop::collection::vec(a_time(), 9);
    (rates, times, any::<u16>(), any::<bool>()).prop_map(|(rates, times, given, discrete)| {
        let mut keys = vec![
            ("f32_gflop_per_s", rates[0]),
            ("f64_gflop_per_s", rates[1]),
            ("memory_gb_per_s", rates[2]),
            ("launch_us", times[0]),
        ];
        let optional = [
            ("read_gb_per_s", rates[3]),
            ("copy_gb_per_s", rates[4]),
            ("crowded_gb_per_s", rates[5]),
            ("wake_us", times[1]),
            ("half_rate_us", times[2]),
            ("issue_us", times[3]),
            ("sync_us", times[4]),
            ("alloc_us", times[5]),
            ("alloc_s_per_gb", times[6]),
        ];
        keys.extend(optional.into_iter().enumerate().filter(|(i, _)| given >> i & 1 == 1).map(|(_, key)| key));
        let mut text: Vec<String> = keys.iter().map(|(key, value)| format!(r#""{key}": {}"#, figure(*value))).collect();
        text.push(format!(r#""memory": "{}""#, if discrete { "discrete" } else { "shared" }));
        if discrete {
            let way = |latency: f64, rates: &[f64]| {
                let keys = ["bandwidth_gb_per_s", "alone_gb_per_s", "plain_gb_per_s"];
                let all = if given >> 9 & 1 == 1 { 3 } else { 1 };
                let rates =
                    keys.iter().zip(rates).take(all).map(|(key, rate)| format!(r#""{key}": {}"#, figure(*rate)));
                format!(r#"{{"latency_us": {}, {}}}"#, figure(latency), rates.collect::<Vec<_>>().join(", "))
            };
            let (to, from) = (way(times[7], &rates[6..9]), way(times[8], &rates[9..12]));
            text.push(format!(r#""memory_gib": {}, "link": {{"to": {to}, "from": {from}}}"#, figure(16.0)));
        }
        text.join(", ")
    })
}

fn a_machine() -> impl Strategy<Value = Machine> {
    (prop::collection::vec(a_device(), 1..5), prop::option::of(a_rate()), prop::option::of(a_rate())).prop_map(
        |(devices, host_memory, switch)| {
            let entry = |(id, device): (usize, &String)| {
                format!(r#"{{"id": {id}, "name": "d{id}", "kind": "emulated", "type": "THSIM", {device}}}"#)
            };
            let entries: Vec<String> = devices.iter().enumerate().map(entry).collect();
            let host =
                host_memory.map_or_else(String::new, |rate| format!(r#""host_memory_gb_per_s": {},"#, figure(rate)));
            let ids: Vec<String> = (0..devices.len()).map(|id| id.to_string()).collect();
            let group = switch.map_or_else(String::new, |rate| {
                let (ids, rate) = (ids.join(", "), figure(rate));
                format!(r#""groups": [{{"name": "switch", "devices": [{ids}], "both_gb_per_s": {rate}}}],"#)
            });
            let text = format!(
                r#"{{"schema": "apportion.machine/1", "name": "any", {host} {group} "devices": [{}]}}"#,
                entries.join(", ")
            );
            Machine::from_json(&text).unwrap()
        },
    )
}

fn a_length() -> impl Strategy<Value = u64> {
    let past_f64 = (1_u64 << 53) + 1;
    prop_oneof![
        prop::sample::select(vec![0, 1, 2, 3, past_f64, u64::MAX / 2 - 1, u64::MAX / 2]),
        0_u64..100,
        100_u64..1_000_000_000
    ]
}

fn a_loop() -> impl Strategy<Value = LoopProfile> {
    let bytes = || prop::sample::select(vec![0.0, 1.0, 8.0, 1e6]);
    let flops = prop::sample::select(vec![0.0, 1.0, 1e12]);
    let replicated = prop::sample::select(vec![0_u64, 8, 1 << 40]);
    (a_length(), flops, bytes(), bytes(), bytes(), replicated).prop_map(
        |(iterations, flops, memory, aligned_in, aligned_out, replicated)| LoopProfile {
            iterations,
            flops: Flops(flops),
            memory_bytes: memory + aligned_out,
            written: aligned_out,
            only_written: aligned_out,
            aligned_in,
            aligned_out,
            aligned_allocated: aligned_in + aligned_out,
            replicated_in: Bytes(replicated),
            transfers_in: u32::from(aligned_in > 0.0),
            transfers_out: u32::from(aligned_out > 0.0),
            replicated_transfers: u32::from(replicated > 0),
            allocations: 3,
            ..LoopProfile::default()
        },
    )
}

fn costs(machine: &Machine, profile: &LoopProfile, overlap: Overlap) -> Vec<DeviceCost> {
    let shares = machine.shared_rates();
    machine
        .enabled_devices()
        .map(|entry| device_cost_at(&entry.model(), profile, overlap, &shares.of(entry.id)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_policy_divides_any_loop_on_any_machine(
        (machine, profile, full, granule) in (a_machine(), a_loop(), any::<bool>(), prop::sample::select(vec![1_u64, 64]))
    ) {
        let overlap = if full { Overlap::Full } else { Overlap::None };
        let costs = costs(&machine, &profile, overlap);
        let n = profile.iterations;
        for cutoff in ["none", "share", "benefit"] {
            let cutoff: Cutoff = cutoff.parse().unwrap();
            let problem = Problem { cutoff, granule, ..Problem::new(n, &costs, &profile) };
            let others = ["SCHED_DYNAMIC:1", "SCHED_GUIDED:100%:homp", "HGUIDED:k=0.001:min=1", "ADAPTIVE:sample=100%:tail=0.01%"];
            for name in POLICIES.iter().map(|entry| entry.name).chain(others) {
                let policy: Policy = name.parse().unwrap();
                let ran = simulate(&policy, &problem, &SimulateOptions { max_chunks: 5000, ..SimulateOptions::default() });
                let ran = match ran {
                    Ok(ran) => ran,
                    Err(Error::TooLarge(_)) => continue,
                    Err(error) => return Err(TestCaseError::fail(format!("{policy} of {n}: {error}"))),
                };
                let counts: Vec<u64> = ran.devices.iter().map(|device| device.iterations).collect();
                prop_assert_eq!(counts.iter().map(|&count| u128::from(count)).sum::<u128>(), u128::from(n), "{}", &policy);
                // What is slowed is a difference of times: it may be rounded to a little less than nothing.
                let slowed = |device: &SimulatedDevice| device.slowed + ran.makespan * 1e-9;
                let times = ran.devices.iter().flat_map(|device| [device.busy, device.wait, slowed(device)]);
                for time in times.chain([ran.makespan]) {
                    prop_assert!(time.0.is_finite() && time.0 >= 0.0, "{policy} of {n}: {ran:?}");
                }
                prop_assert!(ran.imbalance.is_finite(), "{policy}: {}", ran.imbalance);
            }
            let verdict = decide(&problem);
            prop_assert!(verdict.as_ref().is_ok_and(|verdict| verdict.time.0.is_finite()), "{verdict:?}");
        }
        let names = costs.iter().enumerate().map(|(i, _)| format!("d{i}")).collect();
        let problem = Problem { granule, ..Problem::new(n, &costs, &profile) };
        let said = explain(&problem, names, &[Policy::Block, Policy::Model2]).map(|said| said.to_string());
        let said = said.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(!said.contains("NaN") && !said.contains("inf"), "{said}");
    }
}
