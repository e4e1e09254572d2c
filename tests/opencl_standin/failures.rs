//! Any failure leaves a result right, because others took over, or with an error that names the device and OpenCL's code; nothing
//! is left behind, and the device runs the next loop.

use crate::scenes::{Scene, numbers, total};
use crate::standin::{INVALID, LOST, NO_MEMORY, StandIn, alone, watch};
use apportion::kernel::{Grid, OwnReduce, Scalar};
use apportion::prelude::*;
use apportion::region::RegionSplit;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The calls of loops and regions, besides those that open devices and release things.
const CALLS: [&str; 23] = [
    "clCreateBuffer",
    "clCreateKernel",
    "clCreateProgramWithSource",
    "clBuildProgram",
    "clEnqueueBarrierWithWaitList",
    "clEnqueueCopyBuffer",
    "clEnqueueFillBuffer",
    "clEnqueueMapBuffer",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueReadBufferRect",
    "clEnqueueUnmapMemObject",
    "clEnqueueWriteBuffer",
    "clEnqueueWriteBufferRect",
    "clFinish",
    "clFlush",
    "clGetEventInfo",
    "clGetKernelArgInfo",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clSetKernelArg",
    "clWaitForEvents",
];
/// Calls that only release something, or tell of times.
const TELLS: [&str; 7] = [
    "clReleaseCommandQueue",
    "clReleaseContext",
    "clReleaseEvent",
    "clReleaseKernel",
    "clReleaseMemObject",
    "clReleaseProgram",
    "clGetEventProfilingInfo",
];
/// What enqueues commands.
const COMMANDS: [&str; 9] = [
    "clEnqueueBarrierWithWaitList",
    "clEnqueueCopyBuffer",
    "clEnqueueFillBuffer",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueUnmapMemObject",
    "clEnqueueWriteBuffer",
    "clEnqueueWriteBufferRect",
];

/// What is wrong, or not as it should be, in all scenes of a test.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Drop for Wrong {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.0.is_empty(), "{}:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Whether a text names a device, and OpenCL's code.
fn tells(text: &str) -> bool {
    let codes = [INVALID, LOST, NO_MEMORY, -14].map(|code| format!("({code})"));
    ["`a`", "`b`", "a:"].iter().any(|name| text.contains(name)) && codes.iter().any(|code| text.contains(code))
}

/// What came of a failure that was asked for.
struct Came {
    /// Some part of the scene failed by it.
    failed: bool,
    /// There were as many calls or commands.
    was_due: bool,
}

/// Runs a scene in which something fails, then again without, on the same devices.
/// Every other time commands run as late as possible, so that one which nobody waited for is still to run.
fn check(standin: &StandIn, scene: Scene, what: &str, wrong: &mut Wrong, fail: impl Fn()) -> Came {
    static CHECKS: AtomicUsize = AtomicUsize::new(0);
    let hold = CHECKS.fetch_add(1, Ordering::Relaxed) % 2 == 1;
    let what = format!("{scene:?}: {what}");
    watch(what.clone());
    standin.reset();
    standin.hold(hold);
    let mut problems = Vec::new();
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let rt = scene.open().unwrap();
        fail();
        let faults = scene.run(&rt).unwrap_or_else(|error| {
            // What a kernel made of an array's own values cannot be made again.
            let half = error.to_string().contains("may be half updated");
            if matches!(scene, Scene::Copies { host: true }) && !half {
                problems.push(format!("the host does not take over: {error}"));
            }
            vec![error.to_string()]
        });
        problems.extend(faults.iter().filter(|text| !tells(text)).cloned());
        if standin.count("pending") > 0 {
            problems.push(format!("{} commands are still to run", standin.count("pending")));
        }
        let was_due = standin.count("due") == 0;
        standin.reset();
        match scene.run(&rt) {
            Ok(faults) if faults.is_empty() => {}
            ended => problems.push(format!("afterwards: {ended:?}")),
        }
        Came { failed: !faults.is_empty(), was_due }
    }));
    problems.extend(standin.left());
    if let Err(panic) = &checked {
        problems.push(panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "it panics".to_owned()));
    }
    wrong.0.extend(problems.into_iter().map(|problem| format!("{what}: {problem}")));
    checked.unwrap_or(Came { failed: true, was_due: true })
}

#[test]
fn scenes_are_right_and_leave_nothing() {
    alone(concat!(module_path!(), "::scenes_are_right_and_leave_nothing"), |standin| {
        let mut wrong = Wrong::default();
        for scene in Scene::ALL {
            assert!(!check(standin, scene, "nothing fails", &mut wrong, || ()).failed);
        }
    });
}

#[test]
fn any_call_may_fail() {
    alone(concat!(module_path!(), "::any_call_may_fail"), |standin| {
        let (mut failed, mut wrong) = (BTreeMap::<&str, usize>::new(), Wrong::default());
        for (scene, name) in Scene::ALL.iter().flat_map(|scene| CALLS.map(|name| (*scene, name))) {
            for nth in [1, 2, 4, 9] {
                let code = if name == "clCreateBuffer" { NO_MEMORY } else { INVALID };
                let what = format!("{name} fails at call {nth}");
                let came = check(standin, scene, &what, &mut wrong, || standin.fail(name, nth, code));
                *failed.entry(name).or_default() += usize::from(came.failed);
                if !came.was_due {
                    break;
                }
            }
        }
        // Arguments' types are compared where the driver tells them.
        let fails = |name: &str| name != "clGetKernelArgInfo";
        assert!(CALLS.iter().all(|name| !fails(name) || failed[name] > 0), "each makes some scene fail: {failed:?}");
    });
}

#[test]
fn calls_that_only_release_or_tell_may_fail() {
    alone(concat!(module_path!(), "::calls_that_only_release_or_tell_may_fail"), |standin| {
        let mut wrong = Wrong::default();
        for (scene, name) in Scene::ALL.iter().flat_map(|scene| TELLS.map(|name| (*scene, name))) {
            for nth in [1, 2, 5] {
                let what = format!("{name} fails at call {nth}");
                let came = check(standin, scene, &what, &mut wrong, || standin.fail(name, nth, INVALID));
                assert!(!came.failed, "{scene:?}: {what}");
                if !came.was_due {
                    break;
                }
            }
        }
    });
}

#[test]
fn any_command_may_fail_and_the_device_may_be_lost() {
    alone(concat!(module_path!(), "::any_command_may_fail_and_the_device_may_be_lost"), |standin| {
        let (mut failed, mut wrong) = (BTreeMap::<&str, usize>::new(), Wrong::default());
        for (scene, name) in Scene::ALL.iter().flat_map(|scene| COMMANDS.map(|name| (*scene, name))) {
            for (nth, code) in [1, 2, 3, 5].into_iter().flat_map(|nth| [(nth, INVALID), (nth, LOST)]) {
                let what = format!("command {nth} of {name} ends with {code}");
                let came = check(standin, scene, &what, &mut wrong, || standin.fail_when_run(name, nth, code));
                *failed.entry(name).or_default() += usize::from(came.failed);
                if !came.was_due {
                    break;
                }
            }
        }
        assert!(COMMANDS.iter().all(|name| failed[name] > 0), "each makes some scene fail: {failed:?}");
    });
}

/// What the devices have allocated after each of several rounds, in which failures come again and again. What each left behind
/// would be more each time.
fn does_not_grow(standin: &StandIn, what: &str, mut round: impl FnMut()) {
    let held: Vec<u64> = [(); 6]
        .map(|()| {
            round();
            standin.count("bytes") + standin.count("events") + standin.count("buffers")
        })
        .into();
    assert!(held.windows(2).any(|pair| pair[1] <= pair[0]), "{what}: what is held grows: {held:?}");
}

#[test]
fn failures_that_come_again_leave_no_memory_counted() {
    alone(concat!(module_path!(), "::failures_that_come_again_leave_no_memory_counted"), |standin| {
        let commands = ["clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer"];
        for (scene, name) in Scene::ALL.iter().flat_map(|scene| commands.map(|name| (*scene, name))) {
            let rt = scene.open().unwrap();
            for nth in [1, 3] {
                watch(format!("{scene:?}: {name} {nth} fails again and again"));
                does_not_grow(standin, &format!("{scene:?}: call {nth} of {name}"), || {
                    standin.reset();
                    standin.fail(name, nth, INVALID);
                    let _ = scene.run(&rt);
                });
                does_not_grow(standin, &format!("{scene:?}: command {nth} of {name}"), || {
                    standin.reset();
                    standin.fail_when_run(name, nth, INVALID);
                    let _ = scene.run(&rt);
                });
            }
        }
    });
}

#[test]
fn panics_reach_the_caller_after_the_devices_are_quiet_and_leave_no_memory_counted() {
    let name =
        concat!(module_path!(), "::panics_reach_the_caller_after_the_devices_are_quiet_and_leave_no_memory_counted");
    alone(name, |standin| {
        let x = numbers(64_000);
        let own = |combine| Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine });
        let panics = own(|_, _| panic!("an operator"));
        let adds = own(|a, b| match (a, b) {
            (Scalar::U64(a), Scalar::U64(b)) => Scalar::U64(a.wrapping_add(b)),
            other => panic!("{other:?}"),
        });
        for (text, operator, awaited) in
            [("a grid", adds, true), ("an operator", panics, true), ("an operator", panics, false)]
        {
            for in_region in [false, true] {
                standin.hold(true);
                let rt = Scene::RegionSums.open().unwrap();
                watch(format!("{text} panics, in a region: {in_region}"));
                does_not_grow(standin, text, || {
                    // Not at the first launch, so that some are under way.
                    let asked = AtomicUsize::new(0);
                    let kernel = total(Grid::new([1, 1, 1], move |iterations| {
                        assert!(text != "a grid" || asked.fetch_add(1, Ordering::Relaxed) < 1, "a grid");
                        [iterations, 1, 1]
                    }));
                    let panicked = catch_unwind(AssertUnwindSafe(|| {
                        if !in_region {
                            let policy: Policy = "SCHED_DYNAMIC:10%".parse()?;
                            let sum = rt.parallel_for(0..x.len(), kernel.bind().to(&x).align()).policy(policy);
                            return sum.reduce::<u64>(operator).map(drop);
                        }
                        let mut region = rt.data_region().split(RegionSplit::Even);
                        let read = region.to(&x, [x.len()]);
                        let of = || kernel.bind().reads(read);
                        if awaited {
                            return region.parallel_for(0..x.len(), of()).reduce::<u64>(operator).map(drop);
                        }
                        let later = region.parallel_for(0..x.len(), of()).reduce_later::<u64>(operator)?;
                        let _ = region.parallel_for(0..x.len(), of()).reduce_later::<u64>(operator)?;
                        region.value(later).map(drop)
                    }));
                    let panic = panicked.expect_err("the loop panics");
                    assert_eq!(panic.downcast_ref::<&str>(), Some(&text));
                    assert_eq!(standin.count("pending"), 0, "{text}: commands are still to run");
                });
                assert!(Scene::RegionSums.run(&rt).unwrap().is_empty());
                drop(rt);
                assert_eq!(standin.left(), Vec::<String>::new(), "after panics");
            }
        }
    });
}
