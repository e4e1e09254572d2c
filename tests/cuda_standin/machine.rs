//! Machines with the stand-in's GPUs.

use apportion::model::Machine;
use apportion::prelude::*;

/// A GPU with this much memory; `more` is added to its section. It is slow enough that policies use the host too, and launches cost
/// nothing, so that regions cut short loops as they do long ones.
pub fn gpu_with(index: usize, memory_mib: f64, more: &str) -> String {
    let figure = |name: &str, value: f64| format!(r#""{name}": {{"value": {value}, "source": "assumed"}}"#);
    let way = format!("{{{}, {}}}", figure("latency_us", 5.0), figure("bandwidth_gb_per_s", 20.0));
    format!(
        r#""name": "cuda:{index}", "kind": "cuda", "type": "NVGPU", "memory": "discrete",
           "cuda": {{"index": {index}, "copy_threads": 3{more}}}, "link": {{"to": {way}, "from": {way}}}, {}, {}, {}, {}, {}"#,
        figure("memory_gib", memory_mib / 1024.0),
        figure("f32_gflop_per_s", 40.0),
        figure("f64_gflop_per_s", 40.0),
        figure("memory_gb_per_s", 100.0),
        figure("launch_us", LAUNCH),
    )
}

const LAUNCH: f64 = 1e-6;

/// The same whose launches take longer than short loops.
pub fn with_slow_launches(gpu: &str) -> String {
    let (quick, slow) = (format!(r#""launch_us": {{"value": {LAUNCH}"#), r#""launch_us": {"value": 5"#);
    assert!(gpu.contains(&quick), "{gpu}");
    gpu.replace(&quick, slow)
}

pub fn gpu(index: usize) -> String {
    gpu_with(index, 64.0, "")
}

pub fn host() -> String {
    r#""name": "host", "kind": "host", "type": "HOSTCPU", "host": {"leave_free": 0}, "memory": "shared",
       "f32_gflop_per_s": {"value": 20, "source": "assumed"}, "f64_gflop_per_s": {"value": 20, "source": "assumed"},
       "memory_gb_per_s": {"value": 20, "source": "assumed"}, "launch_us": {"value": 10, "source": "assumed"}"#
        .to_owned()
}

pub fn try_runtime(devices: &[String]) -> Result<Runtime> {
    let list: Vec<_> = devices.iter().enumerate().map(|(id, d)| format!(r#"{{"id": {id}, {d}}}"#)).collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    Ok(Runtime::from_machine(Machine::from_json(&text)?)?.without_history())
}

pub fn runtime(devices: &[String]) -> Runtime {
    try_runtime(devices).unwrap()
}

/// The first GPUs, with or without the host.
pub fn machine(gpus: usize, with_host: bool) -> Vec<String> {
    (0..gpus).map(gpu).chain(with_host.then(host)).collect()
}
