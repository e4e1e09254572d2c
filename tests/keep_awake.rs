//! `Runtime::keep_awake`: threads poll while a guard lives, and sleep again afterwards.
#![cfg(target_os = "linux")]

#[path = "common/threads.rs"]
mod threads;

use apportion::model::Machine;
use apportion::prelude::*;
use threads::{becomes, polls, sleeps};

/// A host device and an emulated one, whose threads stay awake for longer only while they are asked to.
fn runtime() -> Runtime {
    let figure = r#"{"value": 1, "source": "assumed"}"#;
    let device = |id: usize, kind: &str| {
        format!(
            r#"{{"id": {id}, "name": "d{id}", "kind": "{kind}", "type": "HOSTCPU", "memory": "shared",
               "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
        )
    };
    let (host, emulated) = (device(0, "host"), device(1, "emulated"));
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{host}, {emulated}]}}"#);
    Runtime::from_machine(Machine::from_json(&text).unwrap()).unwrap().without_history()
}

fn halves(rt: &Runtime, x: &mut [f32]) {
    let kernel = Kernel::new("halves").host(|range: Range<usize>, mut x: Out<f32>| {
        for i in range {
            x[i] *= 0.5;
        }
    });
    rt.parallel_for(0..x.len(), kernel.bind().tofrom(x).align()).policy(Policy::Block).run().unwrap();
}

#[test]
fn threads_poll_while_a_guard_lives_and_sleep_afterwards() {
    let rt = runtime();
    let several = std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() > 1);
    let mut x = vec![1024.0f32; 10_000];
    for _ in 0..2 {
        assert!(becomes(|| sleeps("d0")) && becomes(|| sleeps("d1")), "nobody asks them to stay awake");
        let (one, other) = (rt.keep_awake(), rt.keep_awake());
        halves(&rt, &mut x);
        assert!(becomes(|| polls("d1")), "the device's own thread sleeps");
        assert!(!several || becomes(|| polls("d0")), "the host's threads sleep");
        drop(one);
        halves(&rt, &mut x);
        assert!(becomes(|| polls("d1")), "another guard is there");
        drop(other);
        halves(&rt, &mut x);
    }
    assert_eq!(x, vec![16.0; 10_000]);
    assert!(becomes(|| sleeps("d0")) && becomes(|| sleeps("d1")));
    // A guard that outlives its runtime keeps nobody awake.
    let guard = rt.keep_awake();
    assert!(becomes(|| polls("d1")));
    drop(rt);
    assert!(becomes(|| sleeps("d0")) && becomes(|| sleeps("d1")), "threads outlive their runtime");
    drop(guard);
}
