//! Known values: the HOMP authors' published shares, the defects of their runtime, and how policies are written.

use apportion::kernel::Precision;
use apportion::model::subchunks;
use apportion::model::{
    DeviceCost, DeviceModel, LinkModel, LoopProfile, MemoryKind, Overlap, device_cost, pipeline_time,
};
use apportion::sched::{ChunkSize, Cutoff, GuidedMode, Next, POLICIES, Policy, Problem, SimulateOptions, simulate};
use apportion::space::Slot;
use apportion::units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Percent, Seconds};

fn discrete(gflops: f64, mb_per_s: f64) -> DeviceModel {
    let rate = BytesPerSecond(mb_per_s * 1e6);
    DeviceModel {
        name: "made up".into(),
        device_type: "NVGPU".into(),
        memory: MemoryKind::Discrete,
        memory_bytes: None,
        f32_rate: FlopsPerSecond::from_gflop_per_s(gflops),
        f64_rate: FlopsPerSecond::from_gflop_per_s(gflops / 2.0),
        // The authors' model has no memory traffic.
        memory_rate: BytesPerSecond(f64::INFINITY),
        launch: Seconds::ZERO,
        alloc: Seconds::ZERO,
        alloc_per_byte: Seconds::ZERO,
        u8_rate: None,
        read_rate: None,
        copy_rate: None,
        wake: Seconds::ZERO,
        wake_alone: Seconds::ZERO,
        library_wake: Seconds::ZERO,
        issue: Seconds::ZERO,
        ramp: Seconds::ZERO,
        library_ramp: Seconds::ZERO,
        sync: Seconds::ZERO,
        link: Some(LinkModel::of(Seconds::ZERO, rate)),
    }
}

/// One host, four GPUs and two Xeon Phis, with the figures of the authors' runs.
fn homp_machine(profile: &LoopProfile) -> Vec<DeviceCost> {
    [(2.0, 600_000.0), (256.6, 6100.0), (256.6, 6100.0), (256.6, 6100.0), (256.6, 6100.0), (3.2, 6100.0), (3.2, 6100.0)]
        .map(|(gflops, link)| device_cost(&discrete(gflops, link), profile, Overlap::None))
        .to_vec()
}

/// What each device gets when all ask in turn.
fn shares(policy: &str, problem: &Problem) -> Vec<u64> {
    let mut scheduler = policy.parse::<Policy>().unwrap().start(problem).unwrap();
    (0..problem.devices.len())
        .map(|d| match scheduler.next(Slot(d)) {
            Next::Run(block) => block.len(),
            _ => 0,
        })
        .collect()
}

fn matvec(n: u64) -> LoopProfile {
    LoopProfile {
        iterations: n,
        flops: Flops(2.0 * n as f64),
        aligned_in: 4.0 * n as f64,
        aligned_out: 4.0,
        replicated_in: Bytes(4 * n),
        ..LoopProfile::default()
    }
}

fn axpy(n: u64) -> LoopProfile {
    LoopProfile { iterations: n, flops: Flops(2.0), aligned_in: 8.0, aligned_out: 4.0, ..LoopProfile::default() }
}

#[test]
fn model_2_gives_the_published_shares_of_matvec() {
    let profile = matvec(48_000);
    let costs = homp_machine(&profile);
    let problem = Problem::new(48_000, &costs, &profile);
    assert_eq!(shares("MODEL_2_AUTO", &problem), [5556, 8428, 8428, 8428, 8428, 4366, 4366]);
    let linear: Vec<_> = costs.iter().map(DeviceCost::linear).collect();
    let level = apportion::model::split(&linear, 48_000).unwrap().level;
    assert!((level.0 - 0.26846).abs() < 5e-6, "{level:?}");
}

#[test]
fn model_2_counts_each_direction_of_axpy() {
    // D10: the runtime charged 8 of the 12 bytes, whatever the direction of a map.
    let n = 1_000_000_000;
    let profile = axpy(n);
    let costs = homp_machine(&profile);
    let right = shares("MODEL_2_AUTO", &Problem::new(n, &costs, &profile));
    assert_eq!(right, [259_552_342, 134_046_787, 134_046_787, 134_046_786, 134_046_786, 102_130_256, 102_130_256]);
    let eight = LoopProfile { aligned_in: 4.0, ..profile };
    let costs = homp_machine(&eight);
    let theirs = shares("MODEL_2_AUTO", &Problem::new(n, &costs, &eight));
    assert_eq!(theirs, [195_351_342, 150_049_709, 150_049_709, 150_049_709, 150_049_709, 102_224_911, 102_224_911]);
}

#[test]
fn model_2_charges_a_replicated_array_once() {
    let n = 6144_u64;
    let nf = n as f64;
    let profile = LoopProfile {
        iterations: n,
        flops: Flops(2.0 * nf * nf),
        aligned_in: 4.0 * nf,
        aligned_out: 4.0 * nf,
        replicated_in: Bytes(4 * n * n),
        ..LoopProfile::default()
    };
    let costs = homp_machine(&profile);
    let got = shares("MODEL_2_AUTO", &Problem::new(n, &costs, &profile));
    assert_eq!(got, [12, 1524, 1524, 1523, 1523, 19, 19]);
}

#[test]
fn model_1_shares_by_rate_and_dumps_no_remainder_on_the_last() {
    let profile = matvec(48_000);
    let costs = homp_machine(&profile);
    let got = shares("MODEL_1_AUTO", &Problem::new(48_000, &costs, &profile));
    assert_eq!(got, [92, 11903, 11903, 11903, 11903, 148, 148]);
}

/// The lengths that devices claim when they ask in turn.
fn claims(policy: &str, n: u64, devices: usize) -> Vec<u64> {
    let costs = vec![flat(1.0, 0.0); devices];
    let profile = LoopProfile::default();
    let mut scheduler = policy.parse::<Policy>().unwrap().start(&Problem::new(n, &costs, &profile)).unwrap();
    let mut lengths = Vec::new();
    for turn in 0.. {
        match scheduler.next(Slot(turn % devices)) {
            Next::Run(chunk) => lengths.push(chunk.len()),
            _ => break,
        }
    }
    lengths
}

#[test]
fn guided_takes_its_share_of_what_remains() {
    let twenty = claims("SCHED_GUIDED:20%:percent", 1000, 3);
    assert_eq!(twenty, [200, 160, 128, 103, 82, 66, 53, 42, 34, 27, 21, 17, 14, 11, 10, 10, 10, 10, 2]);
    assert_eq!(claims("SCHED_GUIDED:15%:percent", 1000, 3).len(), 24);
    // p * M < 1: the bound has no effect.
    assert_eq!(claims("SCHED_GUIDED:20%:remaining", 1000, 3), twenty);
    // p * M > 1: no device takes more than 1/M of the rest.
    assert_eq!(claims("SCHED_GUIDED:50%", 1000, 4)[..3], [250, 188, 141]);
}

#[test]
fn guided_as_in_homp_divides_the_whole_by_the_number_of_picks() {
    // As their runtime did in another order of arrival: 150,150,150 then 75,75,50,..
    let mut seen = claims("SCHED_GUIDED:15%:homp", 1000, 3);
    seen.truncate(7);
    assert_eq!(seen, [150, 150, 150, 75, 75, 75, 50]);
}

/// A device of constant cost without a link.
fn flat(per_iteration: f64, fixed: f64) -> DeviceCost {
    DeviceCost {
        flop_time: Seconds(per_iteration),
        kernel: Seconds(per_iteration),
        once: Seconds(fixed),
        shared: true,
        ..DeviceCost::default()
    }
}

fn run_all(policy: &Policy, n: u64, costs: &[DeviceCost], cutoff: Cutoff) -> Vec<u64> {
    let profile = LoopProfile { iterations: n, flops: Flops(1.0), ..LoopProfile::default() };
    let problem = Problem { cutoff, ..Problem::new(n, costs, &profile) };
    simulate(policy, &problem, &SimulateOptions::default())
        .unwrap()
        .devices
        .iter()
        .map(|device| device.iterations)
        .collect()
}

#[test]
fn a_percentage_below_one_iteration_still_runs_them_all() {
    // D1: DYNAMIC 2 % with 40 iterations, GUIDED and SCHED_PROFILE with 2, ran nothing at all.
    for policy in ["SCHED_DYNAMIC:2%", "SCHED_GUIDED:15%:homp", "SCHED_GUIDED", "SCHED_PROFILE_AUTO"] {
        for n in [1, 2, 40] {
            let got = run_all(&policy.parse().unwrap(), n, &[flat(1.0, 0.0); 3], Cutoff::None);
            assert_eq!(got.iter().sum::<u64>(), n, "{policy} of {n}");
        }
    }
    assert_eq!(claims("SCHED_DYNAMIC:2%", 40, 3), [1; 40]);
}

#[test]
fn a_sample_of_two_iterations_neither_divides_by_zero_nor_hangs() {
    // D2: MODEL_PROFILE with 2 iterations computed 0/0.
    for n in 0..8 {
        let got = run_all(&"MODEL_PROFILE_AUTO".parse().unwrap(), n, &[flat(1.0, 0.0); 3], Cutoff::None);
        assert_eq!(got.iter().sum::<u64>(), n);
    }
}

#[test]
fn three_thousand_million_iterations_are_claimed_once_each() {
    // D3: a 32-bit cursor wrapped.
    for policy in Policy::ALL_SEVEN {
        let got = run_all(&policy, 3_000_000_000, &[flat(1.0, 0.0), flat(2.0, 0.0), flat(3.0, 1.0)], Cutoff::None);
        assert_eq!(got.iter().sum::<u64>(), 3_000_000_000, "{policy}");
    }
    assert_eq!(claims("SCHED_DYNAMIC:1000000007", 3_000_000_000, 2), [1_000_000_007, 1_000_000_007, 999_999_986]);
}

#[test]
fn a_slow_device_in_the_middle_does_not_unbalance_the_equal_ones_around_it() {
    // D5: 7864/0/2136 instead of 5000/0/5000.
    let model_2 = "MODEL_2_AUTO".parse().unwrap();
    let costs = [flat(1.0, 1000.0), flat(100.0, 9000.0), flat(1.0, 1000.0)];
    assert_eq!(run_all(&model_2, 10_000, &costs, Cutoff::None), [5000, 0, 5000]);
}

#[test]
fn a_device_that_is_cut_off_gets_exactly_nothing() {
    // D8: with shares in 32-bit floats, a device that was cut off got one of 100000001 iterations.
    let costs = [flat(1.0, 0.0), flat(40.0, 0.0), flat(50.0, 0.0)];
    for policy in [Policy::Model1, Policy::Model2] {
        let got = run_all(&policy, 100_000_001, &costs, "share:30%".parse().unwrap());
        assert_eq!(got, [100_000_001, 0, 0], "{policy}");
    }
}

#[test]
fn latencies_weigh_a_millionth_of_a_second_each() {
    // D11: unit constants of 10e6 made latency weigh a hundred times too much.
    let mut model = discrete(1.0, 1000.0);
    if let Some(link) = &mut model.link {
        link.to_latency = Seconds::from_micros(5.0);
        link.from_latency = Seconds::from_micros(7.0);
    }
    model.launch = Seconds::from_micros(3.0);
    let profile = LoopProfile {
        flops: Flops(1e3),
        aligned_in: 1000.0,
        halo_in: Bytes(2000),
        replicated_in: Bytes(4000),
        transfers_in: 2,
        transfers_out: 1,
        replicated_transfers: 1,
        ..LoopProfile::default()
    };
    let cost = device_cost(&model, &profile, Overlap::None);
    // 1000 B at 1 GB/s and 1000 operations at 1 GFLOP/s are 1 us each.
    assert!((cost.effective().micros() - 2.0).abs() < 1e-9);
    assert!((cost.to_chunk.micros() - 12.0).abs() < 1e-9);
    assert!((cost.per_chunk().micros() - 22.0).abs() < 1e-9);
    assert!((cost.once.micros() - 9.0).abs() < 1e-9);
    let overlapped = DeviceCost { overlap: Overlap::Full, ..cost };
    assert!((overlapped.effective().micros() - 1.0).abs() < 1e-9);
    assert_eq!(overlapped.fixed(), cost.fixed());
}

#[test]
fn a_cutoff_means_per_cent_only_with_its_sign() {
    // D12: the value was divided by 100 with or without the sign.
    assert!("share:15".parse::<Cutoff>().is_err());
    assert_eq!("share:15%".parse::<Cutoff>().unwrap(), Cutoff::Share(Some(Percent::new(15.0).unwrap())));
    for text in ["none", "share", "share:15%", "benefit:2%", "share:0.5%"] {
        assert_eq!(text.parse::<Cutoff>().unwrap().to_string(), text);
    }
    assert_eq!("Benefit".parse::<Cutoff>().unwrap(), Cutoff::Benefit(Percent::new(2.0).unwrap()));
    for wrong in ["", "none:2%", "share:-1%", "share:101%", "share:NaN%", "15%", "shore:15%", "benefit:", "share:1%:2"]
    {
        assert!(wrong.parse::<Cutoff>().is_err(), "{wrong}");
    }
}

#[test]
fn a_missing_rate_is_an_error_and_no_negative_share() {
    // D13: rates that were not stated became -1.
    let profile = axpy(1000);
    for gflops in [0.0, -1.0, f64::NAN] {
        let costs = [(256.0, 6100.0), (gflops, 6100.0)]
            .map(|(rate, link)| device_cost(&discrete(rate, link), &profile, Overlap::Full));
        for policy in [Policy::Model1, Policy::Model2, Policy::ALL_SEVEN[6].clone()] {
            let error = policy.start(&Problem::new(1000, &costs, &profile)).map(drop).unwrap_err().to_string();
            assert!(error.contains("device 1"), "{policy} at {gflops}: {error}");
        }
    }
    let unlinked = DeviceModel { link: None, ..discrete(1.0, 1.0) };
    let costs = [device_cost(&unlinked, &profile, Overlap::Full), flat(1.0, 0.0)];
    assert!(Policy::Model2.start(&Problem::new(1000, &costs, &profile)).is_err());
}

#[test]
fn shared_memory_is_charged_neither_for_transfers_nor_for_allocation_but_for_the_launch() {
    // D17: devices without a link were charged for one; launches and halos were charged to no device.
    let mut model = discrete(2.0, 600_000.0);
    model.memory = MemoryKind::Shared;
    model.launch = Seconds::from_micros(3.0);
    model.alloc = Seconds(1.0);
    let profile = LoopProfile { allocations: 3, transfers_in: 2, halo_in: Bytes(100), ..axpy(1000) };
    let cost = device_cost(&model, &profile, Overlap::Full);
    assert_eq!((cost.to, cost.from, cost.once, cost.to_chunk), Default::default());
    assert_eq!(cost.fixed(), model.launch);
    model.memory = MemoryKind::Discrete;
    let cost = device_cost(&model, &profile, Overlap::Full);
    assert!(cost.to_chunk > Seconds::ZERO && cost.once == Seconds(3.0));
}

#[test]
fn the_roofline_is_the_slower_of_operations_and_memory() {
    let mut model = discrete(1.0, 1.0);
    model.memory = MemoryKind::Shared;
    model.memory_rate = BytesPerSecond::from_gb_per_s(1.0);
    let kernel_on = |model: &DeviceModel, flops: f64, bytes: f64, precision: Precision| {
        let profile = LoopProfile { flops: Flops(flops), memory_bytes: bytes, precision, ..LoopProfile::default() };
        device_cost(model, &profile, Overlap::Full).kernel.0 * 1e9
    };
    let kernel = |flops: f64, bytes: f64, precision: Precision| kernel_on(&model, flops, bytes, precision);
    for (flops, bytes, precision, ns) in [
        (8.0, 4.0, Precision::F32, 8.0),
        (4.0, 8.0, Precision::F32, 8.0),
        (8.0, 4.0, Precision::F64, 16.0),
        (8.0, 4.0, Precision::U8, 8.0),
        (0.0, 8.0, Precision::F32, 8.0),
        (0.0, 0.0, Precision::F32, 1.0),
    ] {
        assert!((kernel(flops, bytes, precision) - ns).abs() < 1e-9, "{flops} {bytes}");
    }
    // Bytes have a rate of their own if it is known.
    let bytes = DeviceModel { u8_rate: Some(FlopsPerSecond::from_gflop_per_s(4.0)), ..model.clone() };
    assert!((kernel_on(&bytes, 8.0, 1.0, Precision::U8) - 2.0).abs() < 1e-9);
}

#[test]
fn loops_over_host_memory_take_what_the_measured_ones_take() {
    let mut model = discrete(1.0, 1.0);
    model.memory = MemoryKind::Shared;
    model.memory_rate = BytesPerSecond::from_gb_per_s(12.0);
    let of = |model: &DeviceModel, read: f64, updated: f64, only_written: f64| {
        let written = updated + only_written;
        let memory_bytes = read + updated + written;
        let profile = LoopProfile { memory_bytes, written, only_written, ..LoopProfile::default() };
        device_cost(model, &profile, Overlap::Full).kernel.0 * 1e9
    };
    // Without rates of reading and copying, all bytes cost the same.
    for (loops, bytes) in [([12.0, 0.0, 0.0], 12.0), ([4.0, 4.0, 0.0], 12.0), ([6.0, 0.0, 6.0], 12.0)] {
        let [read, updated, only_written] = loops;
        assert!((of(&model, read, updated, only_written) - bytes / 12.0).abs() < 1e-9);
    }
    // From written bytes that take three times as long as read ones to equal ones, and impossible rates.
    model.read_rate = Some(BytesPerSecond::from_gb_per_s(10.0));
    for (copy, fetched) in [(8.0, 1.0), (10.0, 0.4), (12.0, 0.0), (6.0, 2.0), (5.0, 2.0), (15.0, 0.0)] {
        model.copy_rate = Some(BytesPerSecond::from_gb_per_s(copy));
        assert!((model.fetched_to_write() - fetched).abs() < 1e-9);
        // Bytes of 4 elements: read only; read and updated; copied.
        assert!((of(&model, 4.0, 0.0, 0.0) - 0.4).abs() < 1e-9);
        assert!((of(&model, 4.0, 4.0, 0.0) - 1.0).abs() < 1e-9);
        let copied = (8.0 / copy).clamp(8.0 / 12.0, 16.0 / 12.0);
        assert!((of(&model, 4.0, 0.0, 4.0) - copied.max((4.0 + 4.0 * fetched) / 10.0)).abs() < 1e-9);
    }
    // A loop after a rest takes longer once, not for each chunk.
    model.wake = Seconds::from_micros(30.0);
    let cost = device_cost(&model, &axpy(1000), Overlap::Full);
    assert_eq!((cost.once, cost.kernel_chunk), (model.wake, Seconds::ZERO));
    // One that calls a library pays for that as well.
    model.library_wake = Seconds::from_micros(80.0);
    let calls = LoopProfile { library: true, ..axpy(1000) };
    assert_eq!(device_cost(&model, &axpy(1000), Overlap::Full).once, model.wake);
    assert_eq!(device_cost(&model, &calls, Overlap::Full).once, model.wake + model.library_wake);
}

#[test]
fn cutting_a_chunk_hides_the_shorter_stages_and_the_number_of_pieces_is_about_the_best() {
    let us = Seconds::from_micros;
    let cost = DeviceCost {
        to: us(0.3),
        kernel: us(0.5),
        from: us(0.2),
        to_chunk: us(5.0),
        kernel_chunk: us(4.0),
        from_chunk: us(6.0),
        ..DeviceCost::default()
    };
    let n = 10_000;
    let pieces = subchunks(&cost, n);
    assert!(pieces > 1 && pieces <= 64);
    let best = (1..=64).map(|k| pipeline_time(&cost, n, k).0).fold(f64::INFINITY, f64::min);
    assert!(pipeline_time(&cost, n, pieces).0 < 1.01 * best);
    assert!(pipeline_time(&cost, n, pieces).0 < 0.6 * pipeline_time(&cost, n, 1).0);
    assert_eq!(subchunks(&cost, 1), 1);
    assert_eq!(subchunks(&DeviceCost { overlap: Overlap::None, ..cost }, n), 1);
    assert_eq!(subchunks(&DeviceCost { shared: true, ..cost }, n), 1);
    let one_stage = DeviceCost { kernel: us(1.0), kernel_chunk: us(1.0), ..DeviceCost::default() };
    assert_eq!(subchunks(&one_stage, n), 1);
    assert_eq!(subchunks(&DeviceCost::default(), n), 1);
}

#[test]
fn policies_are_read_as_they_are_written() {
    for policy in Policy::ALL_SEVEN.into_iter().chain([Policy::Auto, Policy::AutoHeuristic]) {
        assert_eq!(policy.to_string().parse::<Policy>().unwrap(), policy);
        assert_eq!(policy.to_string().to_lowercase().parse::<Policy>().unwrap(), policy);
        assert_eq!(policy.entry().name, policy.name());
    }
    for entry in POLICIES {
        let policy: Policy = entry.name.parse().unwrap();
        assert_eq!(policy.name(), entry.name);
        for short in entry.short {
            assert_eq!(short.parse::<Policy>().unwrap(), policy, "{short}");
        }
    }
    let read = |text: &str| text.parse::<Policy>().unwrap();
    assert_eq!(read("dynamic"), Policy::Dynamic { chunk: ChunkSize::Percent(Percent::new(2.0).unwrap()) });
    assert_eq!(read("SCHED_DYNAMIC:1000"), Policy::Dynamic { chunk: ChunkSize::Count(1000) });
    assert_eq!(read("SCHED_DYNAMIC:1000").to_string(), "SCHED_DYNAMIC:1000");
    assert_eq!(
        read("Guided:15%:HOMP"),
        Policy::Guided { percent: Percent::new(15.0).unwrap(), mode: GuidedMode::Homp }
    );
    assert_eq!(read("SCHED_GUIDED").to_string(), "SCHED_GUIDED:20%:remaining");
    assert_eq!(read("SCHED_PROFILE_AUTO").to_string(), "SCHED_PROFILE_AUTO:10%");
    assert_eq!(read("AUTO(heuristic)"), Policy::AutoHeuristic);
}

#[test]
fn a_wrong_policy_says_what_would_be_right() {
    let says = |text: &str, what: &str| {
        let error = text.parse::<Policy>().map(drop).unwrap_err().to_string();
        assert!(error.contains(what), "{text}: {error}");
    };
    for entry in POLICIES {
        says("FASTEST", entry.name);
        says("", entry.name);
    }
    says("SCHED_DYNAMIC:0%", "0%");
    says("SCHED_DYNAMIC:0", "at least one");
    says("SCHED_DYNAMIC:-5%", "between 0 and 100");
    says("SCHED_DYNAMIC:-5", "such as `1000`");
    says("SCHED_DYNAMIC:101%", "between 0 and 100");
    says("SCHED_DYNAMIC:NaN%", "NaN");
    says("SCHED_DYNAMIC:99999999999999999999", "too many");
    says("MODEL_2_AUTO,-1,15%", "by a colon");
    says("MODEL_2_AUTO,-1,15%", "`--cutoff 15%`");
    says("-1", "by a colon");
    says("15%", "`--cutoff 15%`");
    says("SCHED_DYNAMIC:2.5", "such as `2%`");
    says("SCHED_DYNAMIC:2%:homp", "one parameter");
    says("SCHED_GUIDED:20", "with a sign");
    says("SCHED_GUIDED:20%:fast", "`remaining`");
    says("SCHED_GUIDED:20%:homp:x", "`x`");
    says("SCHED_PROFILE_AUTO:0%", "0%");
    says("MODEL_PROFILE_AUTO:", "with a sign");
    says("BLOCK:5", "no parameter");
    says("AUTO:guess", "`heuristic`");
}

#[test]
fn a_parameter_set_in_code_is_checked_too() {
    let zero = Percent::from_millionths(0);
    let profile = LoopProfile::default();
    for policy in [
        Policy::Dynamic { chunk: ChunkSize::Count(0) },
        Policy::Dynamic { chunk: ChunkSize::Percent(zero) },
        Policy::Guided { percent: zero, mode: GuidedMode::Remaining },
        Policy::SchedProfile { sample: zero },
        Policy::ModelProfile { sample: zero },
    ] {
        for devices in 1..3 {
            let costs = vec![flat(1.0, 0.0); devices];
            assert!(policy.start(&Problem::new(100, &costs, &profile)).is_err(), "{policy:?} on {devices}");
        }
    }
}

#[test]
fn of_seven_equal_devices_a_cutoff_of_fifteen_per_cent_takes_one() {
    for policy in [Policy::Model1, Policy::Model2] {
        let got = run_all(&policy, 7000, &[flat(1.0, 0.0); 7], "share:15%".parse().unwrap());
        assert_eq!(got.iter().filter(|&&n| n > 0).count(), 6, "{policy}");
        assert_eq!(got[6], 0);
    }
}

#[test]
fn the_default_share_keeps_equal_devices_and_drops_one_below_half_the_mean() {
    let share = Cutoff::Share(None);
    assert_eq!(run_all(&Policy::Model2, 700, &[flat(1.0, 0.0); 7], share), [100; 7]);
    // 1/(1+1+0.2): 9 % is below 1/6.
    assert_eq!(run_all(&Policy::Model2, 100, &[flat(1.0, 0.0), flat(5.0, 0.0), flat(1.0, 0.0)], share), [50, 0, 50]);
}

#[test]
fn equal_devices_have_no_imbalance_below_zero() {
    let profile = LoopProfile::default();
    for devices in 1..64 {
        let costs = vec![flat(0.1, 0.3); devices];
        let problem = Problem::new(1000 * devices as u64, &costs, &profile);
        let simulation = simulate(&Policy::Block, &problem, &SimulateOptions::default()).unwrap();
        assert!((0.0..1e-12).contains(&simulation.imbalance), "{devices}: {}", simulation.imbalance);
    }
}

/// Without the second, the finish is past the third's fixed cost: it would get two iterations.
#[test]
fn a_device_past_the_finish_is_judged_by_its_benefit_too() {
    let benefit = Cutoff::Benefit(Percent::new(2.0).unwrap());
    let costs = [flat(1.0, 0.0), flat(100.0, 0.0), flat(1.0, 995.0)];
    assert_eq!(run_all(&Policy::Model2, 1000, &costs, benefit), [1000, 0, 0]);
}

#[test]
fn equal_devices_are_judged_together_by_their_benefit() {
    // Each of a hundred equal devices saves 1 %: judged one by one, half of them would be left out.
    let benefit = Cutoff::Benefit(Percent::new(2.0).unwrap());
    assert!(run_all(&Policy::Model2, 100_000, &[flat(1.0, 0.0); 100], benefit).iter().all(|&n| n == 1000));
    let mut costs = vec![flat(1.0, 0.0); 4];
    costs.extend([flat(500.0, 0.0), flat(500.0, 0.0)]);
    let got = run_all(&Policy::Model2, 100_000, &costs, benefit);
    assert_eq!(got, [25_000, 25_000, 25_000, 25_000, 0, 0]);
}

#[test]
fn who_is_left_out_is_told_why() {
    let profile = LoopProfile::default();
    let costs = [flat(1.0, 0.0), flat(1.0, 1e6), flat(20.0, 0.0)];
    let decided = |cutoff: &str| {
        let problem = Problem { cutoff: cutoff.parse().unwrap(), ..Problem::new(1000, &costs, &profile) };
        Policy::Model2.start(&problem).unwrap().decision().left_out
    };
    let plain = decided("none");
    assert!(plain.len() == 1 && plain[0].0 == Slot(1) && plain[0].1.contains("fixed cost"), "{plain:?}");
    let cut = decided("share:15%");
    assert!(cut.len() == 2 && cut[1].0 == Slot(2) && cut[1].1.contains("below the cutoff of 15.00 %"), "{cut:?}");
}

/// AUTO's remarks: the policy's name and the reason.
fn auto(policy: &Policy, problem: &Problem) -> String {
    policy.start(problem).unwrap().decision().notes.join("; ")
}

#[test]
fn auto_by_the_rules_of_the_paper_names_the_rule_that_fired() {
    let heuristic = Policy::AutoHeuristic;
    let equal = [DeviceCost { shared: false, ..flat(1.0, 0.0) }; 4];
    let mut unequal = equal;
    unequal[0].kernel = Seconds(2.0);
    let n = 1_000_000;
    let with_dc = |dc: f64| LoopProfile { flops: Flops(1.0), aligned_in: 4.0 * dc, ..LoopProfile::default() };
    let check = |costs: &[DeviceCost], profile: &LoopProfile, n: u64, policy: &str, rule: &str| {
        let note = auto(&heuristic, &Problem::new(n, costs, profile));
        assert!(note.contains(&format!("chose {policy}")) && note.contains(rule), "{note}");
    };
    check(&equal, &with_dc(0.06), n, "BLOCK", "rule compute-intensive");
    check(&unequal, &with_dc(0.06), n, "MODEL_1_AUTO", "rule compute-intensive");
    check(&unequal, &with_dc(0.5), n, "SCHED_DYNAMIC:2%", "rule balanced");
    check(&unequal, &with_dc(1.5), n, "MODEL_2_AUTO", "rule data-intensive");
    check(&[flat(1.0, 0.0), flat(2.0, 0.0)], &with_dc(1.5), n, "MODEL_1_AUTO", "rule compute-intensive");
    check(&unequal, &with_dc(0.5), 15, "MODEL_2_AUTO", "fewer than four");
    check(&equal, &LoopProfile { fixed_ranges: true, ..with_dc(0.5) }, n, "BLOCK", "fixed ranges");
    check(&unequal, &LoopProfile { flops: Flops(0.0), ..with_dc(0.5) }, n, "SCHED_PROFILE_AUTO", "rule unknown");
    check(&unequal, &LoopProfile { irregular: true, ..with_dc(0.5) }, n, "SCHED_GUIDED", "rule irregular");
    let types = ["NVGPU", "NVGPU", "ITLMIC", "NVGPU"];
    let profile = with_dc(0.0);
    let mixed = Problem { device_types: &types, ..Problem::new(n, &equal, &profile) };
    assert!(auto(&heuristic, &mixed).contains("MODEL_1_AUTO"));
}

#[test]
fn auto_is_as_fast_in_simulation_as_the_best_of_the_seven_but_for_what_fewer_devices_are_worth() {
    for (profile, n) in [(matvec(48_000), 48_000), (axpy(10_000_000), 10_000_000), (axpy(100), 100)] {
        let costs = homp_machine(&profile);
        let problem = Problem::new(n, &costs, &profile);
        let time = |policy: &Policy| simulate(policy, &problem, &SimulateOptions::default()).unwrap().makespan;
        let best = Policy::ALL_SEVEN.iter().map(time).fold(Seconds(f64::INFINITY), Seconds::min);
        assert!(time(&Policy::Auto).0 <= best.0 * 1.02 * 1.005);
        assert!(auto(&Policy::Auto, &problem).contains("AUTO chose"));
    }
}

#[test]
fn where_the_hosts_memory_is_the_wall_more_devices_do_not_help_and_the_benefit_cutoff_leaves_them_out() {
    // A CPU and a GPU that each move the loop's bytes at nearly the rate that the memory gives to both.
    let ns = |ns: f64| Seconds(ns * 1e-9);
    let cpu = DeviceCost { kernel: ns(1.1), host_memory: ns(1.0), shared: true, ..DeviceCost::default() };
    let gpu = DeviceCost { to: ns(1.015), kernel: ns(0.1), host_memory: ns(1.0), ..DeviceCost::default() };
    let profile = LoopProfile { iterations: 1_000_000, ..LoopProfile::default() };
    let run = |costs: &[DeviceCost]| {
        let cutoff = Cutoff::Benefit(Percent::from_millionths(20_000));
        let types = ["HOSTCPU", "NVGPU"];
        let problem = Problem { cutoff, device_types: &types, ..Problem::new(1_000_000, costs, &profile) };
        simulate(&Policy::Model2, &problem, &SimulateOptions::default()).unwrap()
    };
    let walled = run(&[cpu, gpu]);
    assert_eq!((walled.devices[0].iterations, walled.devices[1].iterations), (0, 1_000_000));
    assert!(walled.decision.left_out[0].1.contains("longer"), "{:?}", walled.decision);
    // At exactly 2 % or slightly more the cutoff keeps the device, whatever the rounding.
    for just_worth in [1.02, 1.020_001] {
        let kept = run(&[cpu, DeviceCost { to: ns(just_worth), ..gpu }]);
        assert!(kept.decision.left_out.is_empty(), "{just_worth}: {:?}", kept.decision);
    }
    assert_eq!(run(&[cpu, DeviceCost { to: ns(1.019_999), ..gpu }]).devices[0].iterations, 0);
    // Together they take 1 ms, not half of that as two independent devices would.
    let free = run(&[cpu, gpu].map(|cost| DeviceCost { host_memory: Seconds::ZERO, ..cost }));
    assert!(free.makespan.millis() < 0.6 && free.devices[0].iterations > 400_000, "{free:?}");
    let both = [cpu, gpu];
    let problem = Problem::new(1_000_000, &both, &profile);
    let both = simulate(&Policy::Model2, &problem, &SimulateOptions::default()).unwrap();
    // They finish within an iteration of each other.
    assert!((both.makespan.millis() - 1.0).abs() < 1e-6, "{both:?}");
}
