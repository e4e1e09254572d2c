//! Machines and loops for the tests.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
#![allow(dead_code, reason = "each test file uses a part of it")]

use apportion::kernel::{Cost, DeviceImage, Grid, In, Kernel, Out};
use apportion::model::Machine;
use apportion::prelude::{Policy, Report, Result, Runtime};
use std::ops::Range;

/// The properties of an emulated device of a test machine.
#[derive(Clone, Debug)]
pub struct Emulated {
    pub shared: bool,
    pub gflop_per_s: f64,
    pub memory_mib: f64,
    pub fault: Option<(&'static str, u64)>,
}

pub const FAST: Emulated = Emulated { shared: false, gflop_per_s: 50.0, memory_mib: 1024.0, fault: None };
pub const SLOW: Emulated = Emulated { shared: false, gflop_per_s: 10.0, memory_mib: 1024.0, fault: None };
pub const SHARED: Emulated = Emulated { shared: true, gflop_per_s: 20.0, memory_mib: 0.0, fault: None };

/// A machine of emulated devices named `e0`, `e1`, ..
pub fn emulated_machine(devices: &[Emulated]) -> Machine {
    let entries: Vec<_> = devices
        .iter()
        .enumerate()
        .map(|(id, device)| {
            let discrete = if device.shared {
                String::new()
            } else {
                format!(
                    r#", "memory_gib": {{"value": {}, "source": "assumed"}},
                    "link": {{"to": {{"latency_us": {{"value": 5, "source": "assumed"}},
                                      "bandwidth_gb_per_s": {{"value": 20, "source": "assumed"}}}},
                              "from": {{"latency_us": {{"value": 5, "source": "assumed"}},
                                        "bandwidth_gb_per_s": {{"value": 20, "source": "assumed"}}}}}}"#,
                    device.memory_mib / 1024.0
                )
            };
            let fault = device.fault.map_or(String::new(), |(phase, chunk)| {
                // `init` comes before any chunk.
                let chunk = if phase == "init" { String::new() } else { format!(r#", "chunk": {chunk}"#) };
                format!(r#", "emulated": {{"fault": {{"phase": "{phase}"{chunk}}}}}"#)
            });
            format!(
                r#"{{"id": {id}, "name": "e{id}", "kind": "emulated", "type": "{}", "memory": "{}",
                    "f32_gflop_per_s": {{"value": {g}, "source": "assumed"}},
                    "f64_gflop_per_s": {{"value": {g}, "source": "assumed"}},
                    "memory_gb_per_s": {{"value": 100, "source": "assumed"}},
                    "launch_us": {{"value": 5, "source": "assumed"}}{discrete}{fault}}}"#,
                if device.shared { "HOSTCPU" } else { "NVGPU" },
                if device.shared { "shared" } else { "discrete" },
                g = device.gflop_per_s,
            )
        })
        .collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, entries.join(","));
    Machine::from_json(&text).expect("the test machine is right")
}

/// This machine's CPU alone.
pub fn host_machine() -> Machine {
    Machine::from_json(
        r#"{"schema": "apportion.machine/1", "name": "cpu", "devices": [
            {"id": 0, "name": "host", "kind": "host", "type": "HOSTCPU", "memory": "shared",
             "f32_gflop_per_s": {"value": 20, "source": "assumed"},
             "f64_gflop_per_s": {"value": 20, "source": "assumed"},
             "memory_gb_per_s": {"value": 20, "source": "assumed"},
             "launch_us": {"value": 10, "source": "assumed"}, "host": {"leave_free": 0}}]}"#,
    )
    .expect("the test machine is right")
}

/// `y[i] = 3 * y[i] + x[i]` over integers, so that an iteration that runs twice or never shows exactly.
pub fn triple_add() -> Kernel {
    Kernel::new("triple_add")
        .host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
            for (y, x) in y.slice_mut(range.clone()).iter_mut().zip(x.slice(range)) {
                *y = y.wrapping_mul(3).wrapping_add(*x);
            }
        })
        .cost(Cost::per_iteration().flops(2).loads(16).stores(8))
}

/// Sum of `x[i]`.
pub fn total() -> Kernel {
    Kernel::new("total")
        .host(|range: Range<usize>, x: In<u64>| x.slice(range).iter().fold(0u64, |a, b| a.wrapping_add(*b)))
        .cost(Cost::per_iteration().flops(1).loads(8))
}

/// Each row's sum with its neighbours within `radius` rows, as far as they exist: reads a halo.
pub fn column_sums(rows: usize, cols: usize, radius: usize) -> Kernel {
    Kernel::new("column_sums")
        .host(move |range: Range<usize>, x: In<i64>, mut y: Out<i64>| {
            for i in range {
                for j in 0..cols {
                    y[i * cols + j] =
                        (i.saturating_sub(radius)..(i + radius + 1).min(rows)).map(|k| x[k * cols + j]).sum();
                }
            }
        })
        .cost(Cost::per_iteration().flops(2 * radius * cols).loads(8 * cols).stores(8 * cols))
}

/// PTX as a user would compile it, with the entry `axpy`.
pub const AXPY_PTX: &str = include_str!("axpy.ptx");

/// `y = a x + y` by a user's image on GPUs, and by a host body elsewhere.
pub fn axpy_of(image: impl Into<Vec<u8>>, entry: &str) -> Kernel {
    Kernel::new("axpy")
        .host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| range.for_each(|i| y[i] += a * x[i]))
        // SAFETY: the kernel stays within the sections that it is given.
        .cuda_image(unsafe { DeviceImage::new(image, entry, Grid::per_iteration(128)) })
        .cost(Cost::per_iteration().flops(2).loads(8).stores(4))
}

/// Runs such a kernel over numbers that floats represent exactly, and compares the whole result.
pub fn check_axpy(rt: &Runtime, kernel: &Kernel, policy: &Policy, n: usize) -> Result<Report> {
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let mut y: Vec<f32> = (0..n).map(|i| (i % 77) as f32).collect();
    let bound = kernel.bind().scalar(3f32).to(&x).align().tofrom(&mut y).align();
    let report = rt.parallel_for(0..n, bound).policy(policy.clone()).run()?;
    let wrong = (0..n).find(|&i| y[i] != (3 * (i % 1000) + i % 77) as f32);
    assert_eq!(wrong, None, "{policy}\n{report}");
    Ok(report)
}

/// The number of GPUs. Without one it prints why, and fails if `APPORTION_REQUIRE_CUDA` asks for one.
#[cfg(feature = "cuda")]
pub fn gpus() -> usize {
    let required = std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|value| !value.is_empty() && value != "0");
    match apportion::devices::cuda::discover() {
        Ok(found) => found.len(),
        Err(why) if required => panic!("APPORTION_REQUIRE_CUDA is set, but {why}"),
        Err(why) => {
            println!("skipped: {why}");
            0
        }
    }
}

/// Machines of any kinds of devices, from one entry per device.
pub mod machines {
    use apportion::model::Machine;
    use apportion::prelude::*;

    fn figures(g: f64) -> String {
        format!(
            r#""f32_gflop_per_s": {{"value": {g}, "source": "assumed"}}, "f64_gflop_per_s": {{"value": {g}, "source": "assumed"}},
               "memory_gb_per_s": {{"value": 50, "source": "assumed"}}, "launch_us": {{"value": 2, "source": "assumed"}}"#
        )
    }

    const DISCRETE: &str = r#""memory": "discrete", "memory_gib": {"value": 1, "source": "assumed"},
        "link": {"to": {"latency_us": {"value": 1, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}},
                 "from": {"latency_us": {"value": 1, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 10, "source": "assumed"}}}"#;

    /// The CPU.
    pub fn host() -> String {
        format!(
            r#""name": "host", "kind": "host", "type": "HOSTCPU", "host": {{"leave_free": 0}}, "memory": "shared", {}"#,
            figures(20.0)
        )
    }

    /// PoCL, with copies or in the host's memory.
    pub fn opencl(name: &str, memory: &str) -> String {
        let memory = if memory == "shared" { r#""memory": "shared""# } else { DISCRETE };
        format!(
            r#""name": "{name}", "kind": "opencl", "type": "OCLCPU", "opencl": {{"platform": "portable"}}, {memory}, {}"#,
            figures(15.0)
        )
    }

    /// A device with memory of its own.
    pub fn emulated(name: &str, g: f64) -> String {
        format!(r#""name": "{name}", "kind": "emulated", "type": "NVGPU", {DISCRETE}, {}"#, figures(g))
    }

    /// A device that works in the host's memory.
    pub fn emulated_shared(name: &str, g: f64) -> String {
        format!(r#""name": "{name}", "kind": "emulated", "type": "HOSTCPU", "memory": "shared", {}"#, figures(g))
    }

    /// A GPU.
    pub fn cuda(name: &str, index: usize) -> String {
        let section = format!(r#""cuda": {{"index": {index}}}"#);
        format!(r#""name": "{name}", "kind": "cuda", "type": "NVGPU", {section}, {DISCRETE}, {}"#, figures(40.0))
    }

    /// Opens all of these devices.
    pub fn runtime(devices: &[String]) -> Result<Runtime> {
        let list: Vec<_> = devices.iter().enumerate().map(|(id, d)| format!(r#"{{"id": {id}, {d}}}"#)).collect();
        let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
        Ok(Runtime::from_machine(Machine::from_json(&text)?)?.without_history())
    }
}
