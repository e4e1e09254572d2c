//! Loops without arrays: their calls of the driver and the allocator, and what happens when one of the calls fails.

use crate::kernels::image;
use crate::machine::{machine, runtime};
use crate::standin::{StandIn, UNKNOWN, alone};
use apportion::error::Phase;
use apportion::kernel::Gemm;
use apportion::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The system's allocator, with a count of its allocations.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: all is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(place, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn empty() -> Kernel {
    Kernel::new("empty").cuda_image(image("empty"))
}

/// Calls that such a loop must not make: each takes as long as part of the launch.
const OTHERS: [&str; 9] = [
    "cuEventCreate",
    "cuEventElapsedTime",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuMemAlloc_v2",
    "cuPointerGetAttributes",
    "cuStreamCreate",
    "cuStreamWaitEvent",
];

fn calls(standin: &StandIn, name: &str) -> u64 {
    standin.count(&format!("calls:{name}"))
}

#[test]
fn an_empty_loop_is_a_launch_and_a_wait() {
    alone(concat!(module_path!(), "::an_empty_loop_is_a_launch_and_a_wait"), |standin| {
        for gpus in 1..=2u64 {
            standin.fresh();
            let rt = runtime(&machine(gpus as usize, false));
            // The caller has no context of its own.
            // SAFETY: the type is that of the driver's call.
            let set_current = unsafe { standin.function::<unsafe extern "C" fn(usize) -> i32>("cuCtxSetCurrent") };
            // SAFETY: none is a context too.
            assert_eq!(unsafe { set_current(0) }, 0);
            let kernel = empty();
            let run = || rt.parallel_for(0..gpus, kernel.bind()).policy(Policy::Block).run().unwrap();
            for _ in 0..5 {
                run();
            }
            let before = OTHERS.map(|name| calls(standin, name));
            let own = ["cuLaunchKernel", "cuStreamSynchronize", "cuCtxSetCurrent"];
            let own_before = own.map(|name| calls(standin, name));
            let allocations = ALLOCATIONS.load(Ordering::Relaxed);
            for _ in 0..100 {
                run();
            }
            let allocations = ALLOCATIONS.load(Ordering::Relaxed) - allocations;
            // At most 12 on one GPU, and 4 more for each further GPU.
            let most = 12 + 4 * (gpus - 1);
            assert!(allocations <= 100 * most, "{allocations} allocations in 100 loops on {gpus} GPUs");
            let own = own.map(|name| calls(standin, name)).into_iter().zip(own_before).map(|(now, then)| now - then);
            // The caller's thread gets its context back; the other GPU's thread keeps that GPU's context.
            assert_eq!(own.collect::<Vec<_>>(), [100 * gpus, 100 * gpus, 200], "on {gpus} GPUs");
            for (name, before) in OTHERS.iter().zip(before) {
                assert_eq!(calls(standin, name), before, "{name} on {gpus} GPUs");
            }
            let report = run();
            assert_eq!((report.kernel.as_str(), report.policy.as_str(), report.iterations), ("empty", "BLOCK", gpus));
            assert!(report.notes.is_empty() && report.faults.is_empty() && report.left_out.is_empty(), "{report}");
            assert_eq!(report.devices.len() as u64, gpus);
            for (index, device) in report.devices.iter().enumerate() {
                assert_eq!((device.name.clone(), device.id), (format!("cuda:{index}"), index));
                assert_eq!((device.iterations, device.chunks, device.pieces.len()), (1, 1, 1));
                let span = device.pieces[0].kernel.unwrap();
                // Until the launch; nothing is freed.
                assert!(device.phases[Phase::Init].0 > 0.0 && device.phases[Phase::Fini].0 == 0.0, "{report}");
                assert!(
                    span.start < span.end && span.end <= report.elapsed && device.busy <= report.elapsed,
                    "{report}"
                );
            }
            drop(rt);
            standin.nothing_is_left("empty loops");
        }
    });
}

#[test]
fn any_call_of_an_empty_loop_may_fail() {
    alone(concat!(module_path!(), "::any_call_of_an_empty_loop_may_fail"), |standin| {
        let tens: Policy = "SCHED_DYNAMIC:10".parse().unwrap();
        let mut failed = [0; 4];
        for gpus in 1..=2 {
            let names = ["cuLaunchKernel", "cuStreamSynchronize", "cuCtxSetCurrent", "cuCtxGetCurrent"];
            for (name, failed) in names.into_iter().zip(&mut failed) {
                for nth in 1..=8 {
                    let what = format!("{name} fails at call {nth} on {gpus} GPUs");
                    standin.fresh();
                    let rt = runtime(&machine(gpus, false));
                    standin.fail(name, nth, UNKNOWN);
                    for _ in 0..2 {
                        let run = rt.parallel_for(0..100u64, empty().bind()).policy(tens.clone());
                        match run.run() {
                            Ok(report) => {
                                let done: u64 = report.devices.iter().map(|device| device.iterations).sum();
                                assert_eq!(done, 100, "{what}: {report}");
                                *failed += report.faults.len();
                            }
                            Err(error) => {
                                assert!(gpus == 1 && error.to_string().contains(name), "{what}: {error}");
                                *failed += 1;
                            }
                        }
                    }
                    drop(rt);
                    standin.nothing_is_left(&what);
                }
            }
        }
        // Two loops make two launches and two waits on one GPU; on two GPUs they make more than eight.
        assert!(failed[..2] == [10, 10] && failed[2] > 0 && failed[3] > 0, "{failed:?}");
    });
}

#[test]
fn a_library_without_arrays_is_called_for_each_chunk() {
    alone(concat!(module_path!(), "::a_library_without_arrays_is_called_for_each_chunk"), |standin| {
        standin.fresh();
        let rt = runtime(&machine(2, false));
        let done = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&done);
        // SAFETY: the type is that of the driver's call.
        let set_current = unsafe { standin.function::<unsafe extern "C" fn(usize) -> i32>("cuCtxSetCurrent") };
        let kernel = Kernel::new("library").cuda_call(move |call| {
            counted.fetch_add(call.chunk().len(), Ordering::Relaxed);
            assert!(call.array(0).is_none() && !call.stream().is_null());
            // A careless library may do this.
            // SAFETY: none is a context too.
            assert_eq!(unsafe { set_current(0) }, 0);
            Ok(())
        });
        let sevens = "SCHED_DYNAMIC:7";
        let report = rt.parallel_for(0..100u64, kernel.bind()).policy(sevens).run().unwrap();
        assert_eq!(
            (done.load(Ordering::Relaxed), report.devices.iter().map(|d| d.iterations).sum::<u64>()),
            (100, 100)
        );
        let product = Kernel::new("product").cuda_call(|call| call.gemm(Gemm { m: 1, n: 1, k: 1, a: 0, b: 1, c: 2 }));
        let error = rt.parallel_for(0..10u64, product.bind()).run().unwrap_err().to_string();
        assert!(error.contains("argument 0 is no array"), "{error}");
    });
}
