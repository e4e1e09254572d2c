//! `Runtime::keep_awake`: threads poll while a guard lives, and sleep again afterwards.
#![cfg(target_os = "linux")]

#[path = "common/threads.rs"]
mod threads;

use apportion::model::Machine;
use apportion::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use threads::{becomes, polls, sleeps};

/// A host device and an emulated one, whose threads stay awake for longer only while they are asked to.
fn runtime(name: &str) -> Runtime {
    let figure = r#"{"value": 1, "source": "assumed"}"#;
    let device = |id: usize, kind: &str| {
        format!(
            r#"{{"id": {id}, "name": "{name}{id}", "kind": "{kind}", "type": "HOSTCPU", "memory": "shared",
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
    let rt = runtime("d");
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

#[test]
fn guards_come_and_go_while_loops_run_and_fail() {
    let runtimes = [Arc::new(runtime("e")), Arc::new(runtime("f"))];
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // In any order, and dropped on another thread.
        let (give, take) = std::sync::mpsc::channel();
        let (runtimes, over) = (&runtimes, &over);
        scope.spawn(move || {
            for (round, rt) in runtimes.iter().cycle().enumerate().take_while(|_| !over.load(Ordering::Relaxed)) {
                let guard = rt.keep_awake();
                if round % 3 == 0 {
                    drop(guard);
                } else {
                    give.send(guard).unwrap();
                }
                std::thread::yield_now();
            }
        });
        scope.spawn(move || take.iter().for_each(drop));
        let loops: Vec<_> = runtimes.iter().map(|rt| scope.spawn(|| some_fail(rt))).collect();
        let ended: Vec<_> = loops.into_iter().map(|thread| thread.join()).collect();
        over.store(true, Ordering::Relaxed);
        assert!(ended.iter().all(Result::is_ok));
    });
    assert!(runtimes.iter().all(|rt| Arc::strong_count(rt) == 1));
    drop(runtimes);
    assert!(becomes(|| sleeps("e") && sleeps("f")));
}

/// Loops whose bodies ask for awake threads too; now and then one panics.
fn some_fail(rt: &Arc<Runtime>) {
    let mut x = vec![1024.0f32; 10_000];
    for round in 0..200 {
        let inner = Arc::clone(rt);
        let fails = round % 20 == 7;
        let kernel = Kernel::new("body").host(move |range: Range<usize>, mut y: Out<f32>| {
            let _awake = inner.keep_awake();
            assert!(!(fails && range.contains(&77)), "on purpose");
            y.slice_mut(range).fill(2.0);
        });
        let mut y = vec![0.0f32; 1000];
        let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            rt.parallel_for(0..y.len(), kernel.bind().from(&mut y).align()).policy(Policy::Block).run().is_ok()
        }));
        assert_eq!(ran.unwrap_or(false), !fails, "{round}");
        assert!(fails || y.iter().all(|y| *y == 2.0));
        if round < 10 {
            halves(rt, &mut x);
        }
    }
    assert_eq!(x, vec![1.0; 10_000]);
}
