//! Records as the program makes them, with made-up devices.

use apportion_cli::record::{DeviceRun, LeftOut, Mode, PhasesMs, PolicyUsed, Record, Residency, Run};
use serde_json::json;

/// A device: id, iterations a millisecond, milliseconds a million iterations copied, fixed milliseconds.
pub type Device = (&'static str, f64, f64, f64);

/// A host and a GPU.
pub const TWO: [Device; 2] = [("host", 1.0, 0.0, 0.004), ("opencl:0", 3.0, 0.1, 0.12)];

/// Two sockets as one host, four GPUs, two coprocessors.
pub const SEVEN: [Device; 7] = [
    ("host", 2.0, 0.0, 0.01),
    ("cuda:0", 5.0, 0.08, 0.1),
    ("cuda:1", 5.0, 0.08, 0.1),
    ("cuda:2", 5.0, 0.08, 0.1),
    ("cuda:3", 5.0, 0.08, 0.1),
    ("mic:0", 1.3, 0.15, 0.4),
    ("mic:1", 1.3, 0.15, 0.4),
];

/// Workloads: name, iterations, milliseconds a million iterations at speed 1.
pub const WORKLOADS: [(&str, u64, f64); 6] = [
    ("axpy", 100_000_000, 0.9),
    ("sum", 300_000_000, 0.5),
    ("matvec", 48_000, 900.0),
    ("matmul", 6_144, 650_000.0),
    ("stencil2d", 4_096, 11_000.0),
    ("bm2d", 256, 2_400_000.0),
];

/// A policy: name, parameter, how unevenly it shares (0 is perfect).
pub type Policy = (&'static str, Option<(&'static str, &'static str)>, f64);

/// The eight policies.
pub const POLICIES: [Policy; 8] = [
    ("BLOCK", None, 1.0),
    ("SCHED_DYNAMIC", Some(("chunk", "2%")), 0.05),
    ("SCHED_GUIDED", Some(("chunk", "20%")), 0.12),
    ("MODEL_1_AUTO", None, 0.3),
    ("MODEL_2_AUTO", None, 0.08),
    ("SCHED_PROFILE_AUTO", Some(("sample", "10%")), 0.1),
    ("MODEL_PROFILE_AUTO", Some(("sample", "10%")), 0.07),
    ("AUTO", Some(("chosen", "MODEL_2_AUTO")), 0.08),
];

/// One run; `uneven` from 0 (shares after speed) to 1 (equal shares).
pub fn run(workload: (&str, u64, f64), policy: Policy, devices: &[Device], reps: usize) -> Run {
    let (name, n, per_million) = workload;
    let work = n as f64 / 1e6 * per_million;
    let sum: f64 = devices.iter().map(|device| device.1).sum();
    let share = |device: &Device| policy.2 / devices.len() as f64 + (1.0 - policy.2) * device.1 / sum;
    let chunks = if policy.0 == "SCHED_DYNAMIC" { 50 } else { devices.len() as u64 };
    let mut per_device: Vec<DeviceRun> = devices
        .iter()
        .map(|device| {
            let iterations = (share(device) * n as f64).round() as u64;
            let kernel = share(device) * work / device.1;
            let copies = share(device) * work * device.2;
            DeviceRun {
                device: device.0.into(),
                iterations,
                chunks: (share(device) * chunks as f64).ceil() as u64,
                bytes_to: Some(iterations * 8),
                bytes_from: Some(iterations * 4),
                phases_ms: PhasesMs {
                    init: Some(device.3),
                    to: Some(copies * 0.67),
                    kernel: Some(kernel),
                    exchange: Some(if name == "stencil2d" { copies * 0.2 } else { 0.0 }),
                    from: Some(copies * 0.33),
                    fini: Some(device.3 * 0.4),
                    wait: None,
                },
                alone_ms: Some(work / device.1 + work * device.2 + 1.4 * device.3),
                alone_times_ms: Vec::new(),
            }
        })
        .collect();
    let busy: Vec<f64> = per_device.iter().map(|part| part.phases_ms.values().into_iter().flatten().sum()).collect();
    let slowest = busy.iter().copied().fold(0.0, f64::max);
    let mean = busy.iter().sum::<f64>() / busy.len() as f64;
    for (part, busy) in per_device.iter_mut().zip(&busy) {
        part.phases_ms.wait = Some(slowest - busy);
    }
    let perfect = 1.0 / per_device.iter().filter_map(|part| part.alone_ms).map(|alone| 1.0 / alone).sum::<f64>();
    // Scatter that is the same every time: a few per cent, late more often than early.
    let times: Vec<f64> = (0..reps).map(|rep| slowest * (1.0 + 0.004 * ((rep * rep * 7 + 3) % 17) as f64)).collect();
    Run {
        workload: name.into(),
        n,
        element: "f32".into(),
        mode: Mode::Real,
        residency: Residency::Cold,
        memory: None,
        form: None,
        policy: PolicyUsed {
            name: policy.0.into(),
            parameters: policy.1.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect(),
        },
        cutoff: Some("none".into()),
        devices: devices.iter().map(|device| device.0.into()).collect(),
        left_out: vec![],
        verified: Some(true),
        max_rel_error: Some(3.1e-7),
        predicted_ms: policy.0.contains("MODEL").then_some(slowest * 0.93),
        predicted_by: None,
        imbalance: Some(slowest / mean - 1.0),
        efficiency: Some(perfect / slowest),
        times_ms: times,
        // As in older records, which have the times alone in `per_device` only.
        alone_ms: Default::default(),
        per_device,
        scaling: None,
        timeline: None,
        notes: vec![],
    }
}

/// A record of these runs, made at a fixed time.
pub fn record(runs: Vec<Run>) -> Record {
    let mut record = Record::new("apportion compare --workloads all", json!({"name": "made up", "devices": []}));
    record.created = "2025-01-02T03:04:05Z".parse().unwrap();
    record.version = "0.1.0".into();
    record.runs = runs;
    record
}

/// Every workload under every policy.
pub fn everything(devices: &[Device], reps: usize) -> Record {
    let runs = WORKLOADS.iter().flat_map(|w| POLICIES.iter().map(move |p| run(*w, *p, devices, reps)));
    record(runs.collect())
}

/// Everything that can be missing or wrong, in one workload.
pub fn odd() -> Record {
    let mut runs: Vec<Run> = POLICIES.iter().map(|policy| run(WORKLOADS[0], *policy, &TWO, 3)).collect();
    runs[0].verified = Some(false);
    runs[0].max_rel_error = Some(0.031);
    runs[1].verified = None;
    runs[1].max_rel_error = None;
    runs[1].efficiency = None;
    runs[2].imbalance = None;
    runs[2].times_ms.truncate(1);
    runs[3].times_ms.clear();
    runs[3].notes.push("device opencl:0 was lost in phase kernel".into());
    runs[4].per_device[0].phases_ms = PhasesMs::default();
    runs[4].per_device[0].alone_ms = None;
    runs[4].predicted_ms = Some(1e4);
    runs[5].per_device.clear();
    runs[6].left_out.push(LeftOut { device: "host".into(), reason: "share 4 % is below the cutoff of 15 %".into() });
    runs[6].per_device.remove(0);
    runs[7].per_device.iter_mut().for_each(|part| part.bytes_to = None);
    record(runs)
}
