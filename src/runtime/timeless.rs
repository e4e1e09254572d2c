//! Loops and regions on OpenCL devices whose driver tells no times of commands: only the times are lost.

use crate::devices::opencl::testing::numbered;
use crate::devices::opencl::{OpenClDevice, OpenClOptions};
use crate::kernel::{Kernel, Out};
use crate::model::machine::DeviceKind;
use crate::model::{Machine, MemoryKind};
use crate::runtime::Runtime;
use std::ops::Range;
use std::sync::Mutex;

/// A host device and an OpenCL device that tells no times; `None` without OpenCL.
fn without_times(memory: MemoryKind) -> Option<Runtime> {
    let figure = r#"{"value": 10, "source": "assumed"}"#;
    let way = format!(r#"{{"latency_us": {figure}, "bandwidth_gb_per_s": {figure}}}"#);
    let own = match memory {
        MemoryKind::Shared => r#""memory": "shared""#.to_owned(),
        MemoryKind::Discrete => {
            format!(r#""memory": "discrete", "memory_gib": {figure}, "link": {{"to": {way}, "from": {way}}}"#)
        }
    };
    let entry = |id, name: &str, rest: &str| {
        format!(
            r#"{{"id": {id}, "name": "{name}", {rest}, "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure},
               "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
        )
    };
    let host = entry(0, "host", r#""kind": "host", "type": "HOSTCPU", "memory": "shared""#);
    // It takes the place of the device without.
    let other = entry(1, "cl", &format!(r#""kind": "emulated", "type": "OCLGPU", {own}"#));
    let machine = format!(r#"{{"schema": "apportion.machine/1", "name": "m", "devices": [{host}, {other}]}}"#);
    let mut rt = Runtime::from_machine(Machine::from_json(&machine).unwrap()).unwrap().without_history();
    let options = OpenClOptions { name: "cl".to_owned(), memory, ..OpenClOptions::default() };
    let device = match OpenClDevice::open(options) {
        Ok(device) => device.without_times(),
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => {
            println!("skipped: {error}");
            return None;
        }
        Err(error) => panic!("OpenCL is required here: {error}"),
    };
    let member = rt.members.iter_mut().find(|member| member.model.name == "cl").unwrap();
    member.kind = DeviceKind::Opencl;
    member.device = Mutex::new(Box::new(device));
    Some(rt)
}

fn numbers() -> Kernel {
    let host = |rows: Range<usize>, mut x: Out<f32>| rows.for_each(|i| x[i] = i as f32);
    numbered(Kernel::new("numbered").host(host), "", "float")
}

#[test]
fn a_loop_has_its_results_where_the_driver_tells_no_times() {
    for memory in [MemoryKind::Shared, MemoryKind::Discrete] {
        let Some(rt) = without_times(memory) else { return };
        for policy in ["BLOCK", "SCHED_DYNAMIC:10%"] {
            // An update: what a device began of it no other can run again.
            let mut x = vec![-1.0f32; 1000];
            let report =
                rt.parallel_for(0..1000, numbers().bind().tofrom(&mut x).align()).policy(policy).run().unwrap();
            assert!(report.faults.is_empty(), "{memory:?}: {report}");
            assert!(x.iter().enumerate().all(|(i, &x)| x == i as f32));
            let device = report.devices.iter().find(|device| device.name == "cl").unwrap();
            let mut last = 0.0;
            for piece in &device.pieces {
                let kernel = piece.kernel.unwrap();
                assert!(last <= kernel.start.0 && kernel.start.0 <= kernel.end.0, "{memory:?}: {report}");
                assert!(kernel.end.0 <= report.elapsed.0, "{memory:?}: {report}");
                last = kernel.end.0;
            }
            assert!(!device.pieces.is_empty(), "{memory:?}: {report}");
        }
    }
}

#[test]
fn a_region_has_its_results_where_the_driver_tells_no_times() {
    let Some(rt) = without_times(MemoryKind::Discrete) else { return };
    let mut x = vec![-1.0f32; 1000];
    let mut region = rt.data_region().timeline(4);
    let mapped = region.tofrom(&mut x, [1000]);
    for _ in 0..20 {
        region.parallel_for(0..1000, numbers().bind().updates(mapped)).run().unwrap();
    }
    region.finish().unwrap();
    assert!(x.iter().enumerate().all(|(i, &x)| x == i as f32));
}
