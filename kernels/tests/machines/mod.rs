//! Machines of the devices that tests ask for.
#![allow(dead_code, reason = "each test file uses a part of it")]

use apportion::prelude::*;

fn figures(g: f64) -> String {
    format!(
        r#""f32_gflop_per_s": {{"value": {g}, "source": "assumed"}}, "f64_gflop_per_s": {{"value": {g}, "source": "assumed"}},
           "memory_gb_per_s": {{"value": 50, "source": "assumed"}}, "launch_us": {{"value": 10, "source": "assumed"}}"#
    )
}

/// A device with memory of its own.
pub const DISCRETE: &str = r#""memory": "discrete", "memory_gib": {"value": 1, "source": "assumed"},
    "link": {"to": {"latency_us": {"value": 5, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}},
             "from": {"latency_us": {"value": 5, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}}}"#;
/// A device that works in the host's memory.
pub const SHARED: &str = r#""memory": "shared""#;

/// The CPU.
pub fn host() -> String {
    format!(
        r#""name": "host", "kind": "host", "type": "HOSTCPU", "host": {{"leave_free": 0}}, {SHARED}, {}"#,
        figures(20.0)
    )
}

/// PoCL.
pub fn opencl(name: &str, memory: &str) -> String {
    format!(
        r#""name": "{name}", "kind": "opencl", "type": "OCLCPU", "opencl": {{"platform": "portable"}}, {memory}, {}"#,
        figures(15.0)
    )
}

/// A device with memory of its own that computes on the CPU.
pub fn emulated(name: &str, g: f64) -> String {
    format!(r#""name": "{name}", "kind": "emulated", "type": "NVGPU", {DISCRETE}, {}"#, figures(g))
}

/// Opens them.
pub fn runtime(devices: &[String]) -> Result<Runtime> {
    let list: Vec<_> = devices.iter().enumerate().map(|(id, d)| format!(r#"{{"id": {id}, {d}}}"#)).collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    Runtime::from_machine(apportion::model::Machine::from_json(&text)?)
}

/// The CUDA GPUs, or a line on why there are none.
pub fn gpus() -> Vec<String> {
    let figures = figures(50000.0);
    match apportion::devices::cuda::discover() {
        Ok(found) => found
            .iter()
            .map(|gpu| {
                format!(
                    r#""name": "cuda:{i}", "kind": "cuda", "type": "NVGPU", "cuda": {{"index": {i}}}, {DISCRETE}, {figures}"#,
                    i = gpu.index
                )
            })
            .collect(),
        Err(why) if std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|value| value == "1") => {
            panic!("CUDA is required here: {why}")
        }
        Err(why) => {
            println!("skipped: {why}");
            Vec::new()
        }
    }
}

/// Checks a machine with OpenCL devices, where they are there or asked for.
pub fn with_opencl(devices: &[String], check: impl FnOnce(&Runtime)) {
    match runtime(devices) {
        Ok(rt) => check(&rt),
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => println!("skipped: {error}"),
        Err(error) => panic!("OpenCL is required here: {error}"),
    }
}

/// Checks one GPU by itself, and all of them, where there are any.
pub fn with_gpus(check: impl Fn(&Runtime)) {
    let gpus = gpus();
    for devices in [&gpus[..gpus.len().min(1)], &gpus[..]] {
        if !devices.is_empty() {
            check(&runtime(devices).unwrap());
        }
    }
}
