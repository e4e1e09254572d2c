//! Random loops on random machines: for all policies, sizes and faults the result equals the serial one.

mod common;

use apportion::kernel::{In, Kernel, Out};
use apportion::prelude::*;
use common::{Emulated, emulated_machine};
use proptest::prelude::*;

fn device() -> impl Strategy<Value = Emulated> {
    (any::<bool>(), 1.0..100.0f64, 0.05..4.0f64).prop_map(|(shared, gflop_per_s, memory_mib)| Emulated {
        shared,
        gflop_per_s,
        memory_mib,
        fault: None,
    })
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![
        Just("BLOCK".to_owned()),
        (1..40u32).prop_map(|c| format!("SCHED_DYNAMIC:{c}")),
        (1..=100u32).prop_map(|p| format!("SCHED_DYNAMIC:{p}%")),
        (1..=100u32, prop_oneof![Just("remaining"), Just("percent"), Just("homp")])
            .prop_map(|(p, mode)| format!("SCHED_GUIDED:{p}%:{mode}")),
        Just("MODEL_1_AUTO".to_owned()),
        Just("MODEL_2_AUTO".to_owned()),
        (1..=100u32).prop_map(|p| format!("SCHED_PROFILE_AUTO:{p}%")),
        (1..=100u32).prop_map(|p| format!("MODEL_PROFILE_AUTO:{p}%")),
        (1..8u32, 1..40u32).prop_map(|(k, least)| format!("HGUIDED:k={k}:min={least}")),
        (1..=100u32, 1..=100u32).prop_map(|(s, t)| format!("ADAPTIVE:sample={s}%:tail={t}%")),
        Just("AUTO".to_owned()),
        Just("AUTO:heuristic".to_owned()),
    ]
    .prop_map(|text| text.parse().expect("the generator writes policies right"))
}

fn cutoff() -> impl Strategy<Value = Cutoff> {
    prop_oneof![
        Just("none"),
        Just("share"),
        Just("share:15%"),
        Just("share:60%"),
        Just("benefit:2%"),
        Just("benefit:50%")
    ]
    .prop_map(|text| text.parse().expect("the generator writes cutoffs right"))
}

/// For each device but the last: the phase and the chunk at which it fails, if any.
fn faults() -> impl Strategy<Value = Vec<Option<(&'static str, u64)>>> {
    let fault = (prop_oneof![Just("init"), Just("to"), Just("kernel"), Just("from")], 0..4u64);
    prop::collection::vec(prop::option::of(fault), 5)
}

/// Computes `y = 3y + x`, counts the remainders of `x`, and sums them.
fn count_and_add(bins: usize) -> Kernel {
    Kernel::new("count_and_add").host(move |rows: Range<usize>, x: In<u64>, mut y: Out<u64>, mut counts: Out<u64>| {
        let mut sum = 0u64;
        for i in rows {
            y[i] = y[i].wrapping_mul(3).wrapping_add(x[i]);
            if bins > 0 {
                counts[(x[i] % bins as u64) as usize] += 1;
            }
            sum = sum.wrapping_add(x[i]);
        }
        sum
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_the_serial_one(
        mut devices in prop::collection::vec(device(), 1..6),
        policy in policy(),
        cutoff in cutoff(),
        start in 0..5usize,
        len in 0..1500usize,
        granule in 1..9u64,
        faults in faults(),
        bins in 0..300usize,
    ) {
        let last = devices.len() - 1;
        for (device, fault) in devices[..last].iter_mut().zip(&faults) {
            device.fault = *fault;
        }
        let rt = Runtime::from_machine(emulated_machine(&devices)).unwrap().without_history();
        let n = start + len;
        let x: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut y: Vec<u64> = (0..n as u64).map(|i| !i).collect();
        let mut counts: Vec<u64> = (0..bins as u64).collect();
        let kernel = count_and_add(bins).granule(granule);
        let reduced = rt
            .parallel_for(start..n, kernel.bind().to(&x).align().tofrom(&mut y).align().reduces(&mut counts, Sum))
            .policy(policy)
            .cutoff(cutoff)
            .reduce::<u64>(Sum)
            .unwrap();
        let report = reduced.report;
        prop_assert_eq!(reduced.value, x[start..].iter().fold(0u64, |sum, x| sum.wrapping_add(*x)));
        let mut expected: Vec<u64> = (0..bins as u64).collect();
        if bins > 0 {
            x[start..].iter().for_each(|x| expected[(x % bins as u64) as usize] += 1);
        }
        prop_assert_eq!(counts, expected, "{}", report);
        for i in 0..n {
            let expected = if i < start { !(i as u64) } else { (!(i as u64)).wrapping_mul(3).wrapping_add(x[i]) };
            prop_assert_eq!(y[i], expected, "element {} of {}..{}: {}", i, start, n, report);
        }
        prop_assert_eq!(report.devices.iter().map(|d| d.iterations).sum::<u64>(), len as u64);
        for left_out in &report.left_out {
            prop_assert!(report.device(&left_out.device).is_none(), "{} was left out and worked", left_out.device);
        }
    }
}
