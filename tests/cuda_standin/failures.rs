//! Any failure leaves a loop right, because others took over, or with an error that names the GPU and CUDA's message.

use crate::kernels::*;
use crate::machine::{gpu, gpu_with, host, machine, runtime, try_runtime};
use crate::standin::{ILLEGAL_ADDRESS, OUT_OF_MEMORY, StandIn, UNKNOWN, alone, watch};
use apportion::HostVec;
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The calls of the backend, without those that start the driver once per process.
const CALLS: [&str; 32] = [
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
    "cuPointerGetAttributes",
    "cuStreamCreate",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuCtxSynchronize",
];
/// Calls that release things. What they fail to release stays, which is no fault of the backend.
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

/// Loops in which calls fail.
#[derive(Clone, Copy, Debug)]
enum Scene {
    /// One GPU and the host.
    WithHost,
    /// Two GPUs and a replicated array.
    Replicated,
    /// Two GPUs and arrays large enough for lanes.
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
                    check_count(rt, &dynamic, memory, &x),
                ]
            }
            Self::Replicated => {
                // Two parts, the second a short one.
                let x = memory.of(&numbers(530_000));
                let n = 530_000;
                let mut y = memory.of(&numbers(n));
                vec![check_replicated(rt, &Policy::Block, &x, &mut y)]
            }
            Self::Large => {
                let (x, mut y) = (memory.of(&numbers(270_001)), memory.of(&numbers(270_001)));
                vec![
                    check_triple_add(rt, &dynamic, &x, &mut y),
                    check_scale(rt, &dynamic, memory, 600_000),
                    check_count(rt, &dynamic, memory, &x),
                ]
            }
        }
    }
}

/// Whether an error names the GPU and has CUDA's message.
fn names_gpu_and_words(text: &str) -> bool {
    text.contains("cuda:")
        && ["unknown error", "out of memory", "illegal memory access"].iter().any(|w| text.contains(w))
}

/// Opens the devices and runs the scene. The loops compare their results; returns whether anything failed.
fn attempt(scene: Scene, memory: Memory, fail: impl FnOnce(), again: impl FnOnce() -> bool) -> bool {
    fail();
    let rt = match try_runtime(&scene.devices()) {
        Ok(rt) => rt,
        Err(error) => {
            // Before a GPU is identified it has no name.
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
            let most = if matches!(scene, Scene::WithHost) { 12 } else { 6 };
            for n in 1..=most {
                // Later calls too: the first ones only open the GPU.
                let nth = if n <= 8 { n } else { n * n / 4 };
                let code = if name.starts_with("cuMemAlloc") || n % 4 == 0 { OUT_OF_MEMORY } else { UNKNOWN };
                watch(format!("{scene:?}, {memory:?}: {name} fails at call {nth}"));
                standin.fresh();
                standin.order(n, [0, 25, 100][n as usize % 3]);
                let once = || {
                    catch_unwind(AssertUnwindSafe(|| {
                        // A failure that has not come yet would come later. A failed wait leaves work under way that fails
                        // later.
                        let over = || {
                            given_back
                                && name != "cuStreamSynchronize"
                                && standin.count(&format!("calls:{name}")) >= nth
                        };
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
        // The GPU works again for whoever opens it next.
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
    alone(concat!(module_path!(), "::a_gpu_may_be_lost_in_every_operation_where_plain_arrays_are_copied"), |standin| {
        never_register(standin);
        every_kind(standin, &[Memory::Plain]);
    });
}

/// The host runs a piece of a `tofrom` array again if its copy back had not begun, and only then.
#[test]
fn a_lost_gpu_spoils_only_what_it_began_to_copy_back() {
    alone(concat!(module_path!(), "::a_lost_gpu_spoils_only_what_it_began_to_copy_back"), |standin| {
        let mut outcomes = [0, 0];
        for (kind, n, seed) in [("kernel", 1), ("kernel", 3), ("h2d", 2), ("d2h", 1), ("d2h", 2), ("d2h", 4)]
            .into_iter()
            .flat_map(|(kind, n)| (0..12).map(move |seed| (kind, n, seed)))
        {
            watch(format!("{kind} {n}, seed {seed}"));
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(1, true));
            let mut y = Memory::Locked.of(&numbers(200_001));
            let x = Memory::Locked.of(&numbers(200_001));
            standin.fail_when_run(kind, n, ILLEGAL_ADDRESS);
            match check_triple_add(&rt, &Policy::Block, &x, &mut y) {
                Ok(report) => {
                    // There may be fewer pieces, without the failing operation.
                    outcomes[0] += report.faults.len();
                }
                Err(error) => {
                    outcomes[1] += 1;
                    let began = standin.log().iter().any(|ran| ran.kind == "d2h" && ran.bytes == 4);
                    assert!(began && error.to_string().contains("half updated"), "{kind} {n}: {error}");
                }
            }
            drop((rt, x, y));
            standin.nothing_is_left("a lost GPU");
        }
        assert!(outcomes.iter().all(|count| *count > 5), "{outcomes:?} loops ended well and with an error");
    });
}

/// Then it is unknown which arrays are page-locked. Chunks contribute to copies of their own, which are page-locked.
#[test]
fn a_gpu_that_cannot_be_asked_does_not_end_a_loop_that_contributes_to_an_array() {
    let name = concat!(module_path!(), "::a_gpu_that_cannot_be_asked_does_not_end_a_loop_that_contributes_to_an_array");
    alone(name, |standin| {
        for memory in Memory::BOTH {
            watch(format!("{memory:?}"));
            standin.fresh();
            let rt = runtime(&machine(1, true));
            let x = memory.of(&numbers(100_001));
            let calls = || standin.count("calls:cuCtxGetCurrent");
            let before = calls();
            // A loop's first call asks where its arrays lie.
            standin.fail("cuCtxGetCurrent", 1, UNKNOWN);
            let report = check_count(&rt, &Policy::Block, memory, &x).unwrap();
            assert!(calls() > before);
            // After a later failed call, the GPU would be left out.
            assert!(report.faults.is_empty(), "{report}");
            drop((rt, x));
            standin.nothing_is_left("a GPU that could not be asked");
        }
    });
}

/// GPUs that fetch parts of an array from a GPU that failed, whether it had sent them or not.
fn parts_of_others(standin: &StandIn, memory: Memory) {
    for (round, name, n) in (0..2).flat_map(|round| {
        let calls = ["cuMemcpyHtoDAsync_v2", "cuMemcpyPeerAsync", "cuEventCreate", "cuEventRecord"];
        calls.into_iter().flat_map(move |name| (1..=12).map(move |n| (round, name, n)))
    }) {
        watch(format!("{memory:?}: {name} fails at call {n} of a loop, round {round}"));
        standin.fresh();
        standin.order(n + 100 * round, [0, 25, 100][n as usize % 3]);
        let rt = runtime(&machine(3, false));
        let (x, mut y) = (memory.of(&numbers(1_600_000)), memory.of(&numbers(2000)));
        let expected: Vec<u64> = x[..2000].iter().map(|x| 4 * x).collect();
        let before = standin.count(&format!("calls:{name}"));
        standin.fail(name, n, UNKNOWN);
        let kernel = triple_add();
        let bound = kernel.bind().to(&x).named("table").full().tofrom(&mut y).align();
        match rt.parallel_for(0..2000usize, bound).policy(Policy::Block).run() {
            Ok(report) => {
                assert!(report.faults.iter().all(|fault| names_gpu_and_words(&fault.to_string())), "{report}");
                assert_eq!(*y, *expected, "{report}");
            }
            Err(error) => assert!(names_gpu_and_words(&error.to_string()), "{error}"),
        }
        if standin.count(&format!("calls:{name}")) - before >= n {
            let report = check_triple_add(&rt, &Policy::Block, &x[..3000], &mut memory.of(&numbers(3000))).unwrap();
            assert!(report.faults.is_empty(), "{name} {n}: no GPU is lost, but later\n{report}");
        }
        drop((rt, x, y));
        standin.nothing_is_left(&format!("{memory:?}: {name} failed at call {n}"));
    }
}

#[test]
fn parts_of_a_gpu_that_failed_are_fetched_anew() {
    alone(concat!(module_path!(), "::parts_of_a_gpu_that_failed_are_fetched_anew"), |standin| {
        parts_of_others(standin, Memory::Locked);
    });
}

#[test]
fn parts_of_a_gpu_that_failed_are_fetched_anew_where_plain_arrays_are_copied() {
    alone(
        concat!(module_path!(), "::parts_of_a_gpu_that_failed_are_fetched_anew_where_plain_arrays_are_copied"),
        |standin| {
            never_register(standin);
            parts_of_others(standin, Memory::Plain);
        },
    );
}

/// One GPU gives up in the middle; memory that the other still copies must not be unlocked or freed.
#[test]
fn a_gpu_that_gives_up_leaves_the_others_what_they_copy() {
    alone(concat!(module_path!(), "::a_gpu_that_gives_up_leaves_the_others_what_they_copy"), |standin| {
        for (seed, phase) in (0..6).flat_map(|seed| ["to", "kernel", "from"].map(|phase| (seed, phase))) {
            watch(format!("seed {seed}, fault in {phase}"));
            standin.fresh();
            standin.order(seed, 0);
            let fault = format!(r#", "fault": {{"phase": "{phase}", "chunk": {}}}"#, seed % 3);
            let rt = runtime(&[gpu_with(0, 64.0, &fault), gpu(1), host()]);
            for memory in Memory::BOTH {
                let (x, mut y) = (memory.of(&numbers(200_000)), memory.of(&numbers(200_000)));
                for policy in [Policy::Block, "SCHED_DYNAMIC:5%".parse().unwrap()] {
                    let reports = [
                        check_triple_add(&rt, &policy, &x, &mut y).unwrap(),
                        check_replicated(&rt, &policy, &x, &mut y).unwrap(),
                        check_count(&rt, &policy, memory, &x).unwrap(),
                    ];
                    for fault in reports.iter().flat_map(|report| &report.faults) {
                        assert!(fault.device == "cuda:0" && fault.message.contains("cuda.fault"), "{fault}");
                    }
                }
            }
            drop(rt);
            standin.nothing_is_left("a fault");
        }
    });
}

/// If lanes cannot begin, the copy of a replicated array is still under way; the loop's end waits for it.
#[test]
fn nothing_is_under_way_after_lanes_that_could_not_begin() {
    alone(concat!(module_path!(), "::nothing_is_under_way_after_lanes_that_could_not_begin"), |standin| {
        never_register(standin);
        standin.order(0, 0);
        let rt = runtime(&machine(1, true));
        let table = HostVec::from_slice(&numbers(600_000)).unwrap();
        let mut y = numbers(600_000);
        // The session makes the first wait itself.
        (2..11).for_each(|nth| standin.fail("cuStreamWaitEvent", nth, UNKNOWN));
        let report = check_replicated(&rt, &Policy::Block, &table, &mut y).unwrap();
        assert_eq!(report.faults.len(), 1, "{report}");
        assert_eq!(standin.count("pending"), 0, "the GPU still reads the table");
    });
}

/// The message of a panic.
fn panics(run: impl FnOnce() -> Result<Report>) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("the loop panics");
    payload.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| payload.downcast_ref().cloned()).unwrap()
}

fn panics_reach_the_caller(standin: &StandIn, memory: Memory, sizes: [usize; 2]) {
    for (seed, n) in (0..8).flat_map(|seed| sizes.map(|n| (seed, n))) {
        watch(format!("{memory:?}, {n}, seed {seed}"));
        standin.fresh();
        standin.order(seed, [0, 25, 100][seed as usize % 3]);
        let rt = runtime(&machine(1 + seed as usize % 2, seed % 4 > 1));
        let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
        let mut held = Vec::new();
        for _ in 0..5 {
            // Not at the first launch, so that pieces are under way.
            let first = if n < 100_000 { 0 } else { seed % 4 };
            let counter = std::sync::atomic::AtomicU64::new(0);
            let due = move || counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= first;
            let grid = Grid::new([64, 1, 1], move |_| if due() { panic!("a grid") } else { [64, 1, 1] });
            // SAFETY: the kernel stays within the sections that it is given.
            let kernel = Kernel::new("grid").cuda_image(unsafe { DeviceImage::new("standin:", "triple_add", grid) });
            let policy: Policy = "SCHED_DYNAMIC:5%".parse().unwrap();
            let text = panics(|| {
                let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
                rt.parallel_for(0..n, bound).policy(policy.clone()).run()
            });
            assert_eq!(text, "a grid");
            let counter = std::sync::atomic::AtomicU64::new(0);
            let due = move || counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= first;
            let kernel = Kernel::new("call").cuda_call(move |_| if due() { panic!("a call") } else { Ok(()) });
            let text = panics(|| {
                let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
                rt.parallel_for(0..n, bound).policy(policy.clone()).run()
            });
            assert_eq!(text, "a call");
            assert_eq!(standin.count("pending"), 0, "a GPU is still at work");
            // The loops that panicked left `y` incomplete.
            y.copy_from_slice(&x);
            let report = check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{report}");
            held.push(standin.count("allocated_bytes"));
        }
        // How chunks of lanes are cut depends on timing, and so do their buffers. What panics leave behind would be more each time.
        assert!(held.windows(2).any(|pair| pair[1] <= pair[0]), "what is held grows: {held:?}");
        drop((rt, x, y));
        standin.nothing_is_left("a panic");
    }
}

#[test]
fn panics_reach_the_caller_after_the_gpus_are_quiet() {
    alone(concat!(module_path!(), "::panics_reach_the_caller_after_the_gpus_are_quiet"), |standin| {
        for memory in Memory::BOTH {
            panics_reach_the_caller(standin, memory, [3001, 300_001]);
        }
    });
}

#[test]
fn panics_in_lanes_reach_the_caller_after_the_gpus_are_quiet() {
    alone(concat!(module_path!(), "::panics_in_lanes_reach_the_caller_after_the_gpus_are_quiet"), |standin| {
        never_register(standin);
        panics_reach_the_caller(standin, Memory::Plain, [3001, 300_001]);
    });
}

#[test]
fn a_library_call_is_no_reduction_and_says_so() {
    alone(concat!(module_path!(), "::a_library_call_is_no_reduction_and_says_so"), |standin| {
        standin.fresh();
        let rt = runtime(&machine(1, false));
        let x = Memory::Plain.of(&numbers(1000));
        let kernel = Kernel::new("call").cuda_call(|_| Ok(()));
        let error = rt.parallel_for(0..x.len(), kernel.bind().to(&x).align()).reduce::<u64>(Reduce::Sum);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("cuda:0") && error.contains("no partial results"), "{error}");
        assert_eq!(rt.parallel_for(0..x.len(), kernel.bind().to(&x).align()).run().unwrap().iterations, 1000);
    });
}
