//! Every failure ends the loop: right, as others took over, or with an error that names the GPU and CUDA's words.

use crate::kernels::*;
use crate::machine::{gpu, gpu_with, host, machine, runtime, try_runtime};
use crate::standin::{ILLEGAL_ADDRESS, OUT_OF_MEMORY, StandIn, UNKNOWN, alone, watch};
use apportion::HostVec;
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the backend calls, but for what starts the driver once in a process.
const CALLS: [&str; 33] = [
    "cuCtxEnablePeerAccess",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceCanAccessPeer",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetName",
    "cuDeviceGetUuid",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuEventCreate",
    "cuEventElapsedTime",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuFuncGetParamInfo",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemHostRegister_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyPeerAsync",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuPointerGetAttribute",
    "cuStreamCreate",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuCtxSynchronize",
    "cuStreamGetCtx",
];
/// What gives things back: they stay then, which is no fault of the backend.
const RELEASES: [&str; 7] = [
    "cuDevicePrimaryCtxRelease_v2",
    "cuEventDestroy_v2",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemHostUnregister",
    "cuModuleUnload",
    "cuStreamDestroy_v2",
];
const KINDS: [&str; 7] = ["h2d", "d2h", "peer", "memset", "kernel", "record", "wait"];

/// Loops in which things fail.
#[derive(Clone, Copy, Debug)]
enum Scene {
    /// One GPU and the host.
    WithHost,
    /// Two GPUs and an array on both.
    Replicated,
    /// Two GPUs with more than lanes are for.
    Large,
}

impl Scene {
    const ALL: [Self; 3] = [Self::WithHost, Self::Replicated, Self::Large];

    fn devices(self) -> Vec<String> {
        match self {
            Self::WithHost => machine(1, true),
            Self::Replicated | Self::Large => machine(2, false),
        }
    }

    fn run(self, rt: &Runtime, memory: Memory) -> Vec<Result<Report>> {
        let dynamic = "SCHED_DYNAMIC:20%".parse().unwrap();
        match self {
            Self::WithHost => {
                let (x, mut y) = (memory.of(&numbers(2003)), memory.of(&numbers(2003)));
                vec![
                    check_triple_add(rt, &dynamic, &x, &mut y),
                    check_scale(rt, &Policy::Block, memory, 2003),
                    check_total(rt, &Policy::Block, &x),
                ]
            }
            Self::Replicated => {
                // Two parts, of which the second is short.
                let x = memory.of(&numbers(530_000));
                let n = 530_000;
                let mut y = memory.of(&numbers(n));
                vec![check_replicated(rt, &Policy::Block, &x, &mut y)]
            }
            Self::Large => {
                let (x, mut y) = (memory.of(&numbers(270_001)), memory.of(&numbers(270_001)));
                vec![check_triple_add(rt, &dynamic, &x, &mut y), check_scale(rt, &dynamic, memory, 600_000)]
            }
        }
    }
}

/// Names the GPU, and says what CUDA said.
fn names_gpu_and_words(text: &str) -> bool {
    text.contains("cuda:") && ["unknown error", "out of memory", "illegal memory access"].iter().any(|w| text.contains(w))
}

/// Opens and runs. Results are compared by the loops themselves; tells whether anything failed.
fn attempt(scene: Scene, memory: Memory, fail: impl FnOnce(), again: impl FnOnce() -> bool) -> bool {
    fail();
    let rt = match try_runtime(&scene.devices()) {
        Ok(rt) => rt,
        Err(error) => {
            // Where no GPU is found out, none has a name yet.
            let error = error.to_string();
            assert!(names_gpu_and_words(&error), "{error}");
            return true;
        }
    };
    let mut failed = false;
    for outcome in scene.run(&rt, memory) {
        match outcome {
            Ok(report) => {
                failed |= !report.faults.is_empty();
                for fault in &report.faults {
                    assert!(names_gpu_and_words(&fault.to_string()), "{fault}");
                }
            }
            Err(error) => {
                failed = true;
                assert!(names_gpu_and_words(&error.to_string()), "{error}");
            }
        }
    }
    if again() {
        for outcome in scene.run(&rt, memory) {
            let report = outcome.unwrap_or_else(|error| panic!("the GPU is not lost, but later {error}"));
            assert!(report.faults.is_empty(), "the GPU is not lost, but later\n{report}");
        }
    }
    failed
}

fn every_call(standin: &StandIn, scenes: &[Scene], kinds: &[Memory]) {
    let mut failed = 0;
    for (scene, memory) in scenes.iter().flat_map(|scene| kinds.iter().map(move |memory| (*scene, *memory))) {
        for (name, given_back) in CALLS.map(|name| (name, true)).into_iter().chain(RELEASES.map(|name| (name, false))) {
            let most = if matches!(scene, Scene::WithHost) { 12 } else { 7 };
            for n in 1..=most {
                // Further on, too: the first calls are those that open.
                let nth = if n <= 8 { n } else { n * n / 4 };
                let code = if name.starts_with("cuMemAlloc") || n % 4 == 0 { OUT_OF_MEMORY } else { UNKNOWN };
                watch(format!("{scene:?}, {memory:?}: {name} fails at call {nth}"));
                standin.fresh();
                standin.order(n, [0, 25, 100][n as usize % 3]);
                let once = || {
                    catch_unwind(AssertUnwindSafe(|| {
                        // What has not failed yet would fail later.
                        // A wait that fails leaves what it was to wait for under way, and that fails then.
                        let over = || given_back && name != "cuStreamSynchronize" && standin.count(&format!("calls:{name}")) >= nth;
                        attempt(scene, memory, || standin.fail(name, nth, code), over)
                    }))
                };
                match once() {
                    Ok(one) => failed += usize::from(one),
                    Err(_) => panic!("{scene:?}, {memory:?}: {name} failed at call {nth} with {code}"),
                }
                if given_back {
                    standin.nothing_is_left(&format!("{scene:?}, {memory:?}: {name} failed at call {nth}"));
                }
            }
        }
    }
    assert!(failed > 50, "{failed} loops failed");
}

#[test]
fn every_call_may_fail_beside_a_host() {
    alone(concat!(module_path!(), "::every_call_may_fail_beside_a_host"), |standin| {
        every_call(standin, &[Scene::WithHost], &Memory::BOTH);
    });
}

#[test]
fn every_call_may_fail_where_gpus_share_an_array() {
    alone(concat!(module_path!(), "::every_call_may_fail_where_gpus_share_an_array"), |standin| {
        every_call(standin, &[Scene::Replicated, Scene::Large], &[Memory::Locked]);
    });
}

#[test]
fn every_call_may_fail_where_plain_arrays_are_copied() {
    alone(concat!(module_path!(), "::every_call_may_fail_where_plain_arrays_are_copied"), |standin| {
        never_register(standin);
        every_call(standin, &Scene::ALL, &[Memory::Plain]);
    });
}

fn every_kind(standin: &StandIn, kinds: &[Memory]) {
    let mut failed = 0;
    for (scene, memory) in Scene::ALL.iter().flat_map(|scene| kinds.iter().map(move |memory| (*scene, *memory))) {
        for (kind, n) in KINDS.iter().flat_map(|kind| (1..=12).map(move |n| (*kind, n))) {
            watch(format!("{scene:?}, {memory:?}: {kind} {n} fails as it runs"));
            standin.fresh();
            standin.order(n, [0, 25, 100][n as usize % 3]);
            let fail = || standin.fail_when_run(kind, n, ILLEGAL_ADDRESS);
            match catch_unwind(AssertUnwindSafe(|| attempt(scene, memory, fail, || false))) {
                Ok(one) => failed += usize::from(one),
                Err(_) => panic!("{scene:?}, {memory:?}: {kind} {n} failed as it ran"),
            }
            standin.nothing_is_left(&format!("{scene:?}, {memory:?}: {kind} {n} failed as it ran"));
        }
        // The GPU is there again for who opens it then.
        standin.fresh();
        attempt(scene, memory, || (), || true);
    }
    assert!(failed > 50, "{failed} loops failed");
}

#[test]
fn a_gpu_may_be_lost_in_every_operation() {
    alone(concat!(module_path!(), "::a_gpu_may_be_lost_in_every_operation"), |standin| {
        every_kind(standin, &Memory::BOTH);
    });
}

#[test]
fn a_gpu_may_be_lost_in_every_operation_where_plain_arrays_are_copied() {
    alone(
        concat!(module_path!(), "::a_gpu_may_be_lost_in_every_operation_where_plain_arrays_are_copied"),
        |standin| {
            never_register(standin);
            every_kind(standin, &[Memory::Plain]);
        },
    );
}
