//! GPUs that are lost, opened again or given up, and the state of the program's arrays and context afterwards.

use crate::kernels::*;
use crate::machine::{gpu, host, machine, runtime, try_runtime};
use crate::standin::{ILLEGAL_ADDRESS, StandIn, UNKNOWN, alone};
use apportion::HostVec;
use apportion::data::layout::BoxCopy;
use apportion::devices::Device;
use apportion::devices::cuda::{CudaDevice, CudaOptions};
use apportion::devices::resident::{How, Incoming, Launch, Piece};
use apportion::prelude::*;
use apportion::space::IterRange;
use std::ffi::{c_int, c_void};

type Context = *mut c_void;

/// The driver's calls for contexts, as a program may make them itself.
#[derive(Clone, Copy)]
struct Contexts {
    get: unsafe extern "C" fn(*mut Context) -> c_int,
    set: unsafe extern "C" fn(Context) -> c_int,
    retain: unsafe extern "C" fn(*mut Context, c_int) -> c_int,
    release: unsafe extern "C" fn(c_int) -> c_int,
}

impl Contexts {
    fn of(standin: &StandIn) -> Self {
        // SAFETY: the types are those of `cuda.h`.
        unsafe {
            Self {
                get: standin.function("cuCtxGetCurrent"),
                set: standin.function("cuCtxSetCurrent"),
                retain: standin.function("cuDevicePrimaryCtxRetain"),
                release: standin.function("cuDevicePrimaryCtxRelease_v2"),
            }
        }
    }

    fn current(self) -> usize {
        let mut context: Context = std::ptr::null_mut();
        // SAFETY: the context is written by the call.
        assert_eq!(unsafe { (self.get)(&raw mut context) }, 0);
        context.addr()
    }

    /// Makes a context, or none, current.
    fn make_current(self, context: usize) {
        // SAFETY: the driver looks the handle up.
        assert_eq!(unsafe { (self.set)(std::ptr::without_provenance_mut(context)) }, 0);
    }

    fn retain(self, gpu: c_int) -> usize {
        let mut context: Context = std::ptr::null_mut();
        // SAFETY: the context is written by the call.
        assert_eq!(unsafe { (self.retain)(&raw mut context, gpu) }, 0);
        context.addr()
    }

    fn release(self, gpu: c_int) {
        // SAFETY: it was retained.
        assert_eq!(unsafe { (self.release)(gpu) }, 0);
    }
}

/// Makes a kernel on a GPU fail, which breaks the GPU; the host does its work.
fn lose(standin: &StandIn, rt: &Runtime) {
    standin.fail_when_run("kernel", 1, ILLEGAL_ADDRESS);
    let (x, mut y) = (numbers(5000), numbers(5000));
    let report = check_triple_add(rt, &Policy::Block, &x, &mut y).unwrap();
    assert_eq!(report.faults.len(), 1, "{report}");
}

#[test]
fn a_gpu_that_was_lost_is_opened_again_with_the_arrays_that_were_locked_there() {
    let name = concat!(module_path!(), "::a_gpu_that_was_lost_is_opened_again_with_the_arrays_that_were_locked_there");
    alone(name, |standin| {
        for refused in [false, true] {
            standin.fresh();
            let rt = runtime(&machine(1, true));
            let (x, mut y) =
                (HostVec::from_slice(&numbers(9000)).unwrap(), HostVec::from_slice(&numbers(9000)).unwrap());
            lose(standin, &rt);
            let error = try_runtime(&machine(1, false)).unwrap_err().to_string();
            for part in ["cuda:0", "illegal memory access", "drop all runtimes", "HostVec"] {
                assert!(error.contains(part), "`{part}` in {error}");
            }
            drop(rt);
            if refused {
                standin.fail("cuMemHostRegister_v2", 1, UNKNOWN);
            }
            let rt = runtime(&machine(1, false));
            let locked = [x.is_page_locked(), y.is_page_locked()];
            assert_eq!(locked.iter().filter(|locked| **locked).count(), if refused { 1 } else { 2 });
            assert_eq!(standin.count("registered"), if refused { 1 } else { 2 });
            let report = check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{report}");
            drop((rt, x, y));
            standin.nothing_is_left("a GPU that was lost");
        }
    });
}

/// The other GPU's copies rely on its locks.
#[test]
fn a_gpu_that_was_lost_stays_so_while_another_may_copy_what_was_locked_there() {
    let name = concat!(module_path!(), "::a_gpu_that_was_lost_stays_so_while_another_may_copy_what_was_locked_there");
    alone(name, |standin| {
        let rt = runtime(&machine(1, true));
        let x = HostVec::from_slice(&numbers(9000)).unwrap();
        let other = runtime(&[gpu(1)]);
        lose(standin, &rt);
        drop(rt);
        let error = try_runtime(&machine(1, false)).unwrap_err().to_string();
        assert!(error.contains("drop all runtimes") && x.is_page_locked(), "{error}");
        let report = check_triple_add(&other, &Policy::Block, &x, &mut numbers(9000)).unwrap();
        assert!(report.faults.is_empty(), "{report}");
        drop(x);
        let rt = runtime(&machine(1, false));
        let report = check_triple_add(&rt, &Policy::Block, &numbers(9000), &mut numbers(9000)).unwrap();
        assert!(report.faults.is_empty(), "{report}");
        drop((rt, other));
        standin.nothing_is_left("a GPU that was lost");
    });
}

#[test]
fn arrays_are_locked_by_a_gpu_that_is_not_lost() {
    alone(concat!(module_path!(), "::arrays_are_locked_by_a_gpu_that_is_not_lost"), |standin| {
        let first = runtime(&machine(1, true));
        let second = runtime(&[gpu(1)]);
        lose(standin, &first);
        let x = HostVec::from_slice(&numbers(9000)).unwrap();
        assert!(x.is_page_locked());
        let report = check_triple_add(&second, &Policy::Block, &x, &mut numbers(9000)).unwrap();
        assert!(report.faults.is_empty(), "{report}");
        drop((first, second, x));
        standin.nothing_is_left("an array");
    });
}

/// The caller's thread may use CUDA itself.
#[test]
fn the_callers_context_is_current_again_after_devices_are_dropped_or_not_opened() {
    let name =
        concat!(module_path!(), "::the_callers_context_is_current_again_after_devices_are_dropped_or_not_opened");
    alone(name, |standin| {
        let contexts = Contexts::of(standin);
        for own in [false, true] {
            standin.fresh();
            let context = if own { contexts.retain(3) } else { 0 };
            contexts.make_current(context);
            let rt = runtime(&machine(2, true));
            let mut y = HostVec::from_slice(&numbers(300_000)).unwrap();
            check_triple_add(&rt, &Policy::Block, &numbers(300_000), &mut y).unwrap();
            assert_eq!(contexts.current(), context, "after a loop");
            drop(rt);
            assert_eq!(contexts.current(), context, "after a runtime was dropped");
            drop(y);
            assert_eq!(contexts.current(), context, "after the last that kept a GPU open");
            for (call, nth) in [("cuDevicePrimaryCtxRetain", 2), ("cuMemGetInfo_v2", 2), ("cuStreamCreate", 12)] {
                standin.fail(call, nth, UNKNOWN);
                assert!(try_runtime(&machine(2, false)).is_err(), "{call}");
                assert_eq!(contexts.current(), context, "after {call} failed for the second GPU");
            }
            contexts.make_current(0);
            if own {
                contexts.release(3);
            }
            standin.nothing_is_left("devices");
        }
    });
}

/// A careless library leaves another context current; the same thread then goes on with other work.
#[test]
fn a_library_may_leave_another_context_current() {
    alone(concat!(module_path!(), "::a_library_may_leave_another_context_current"), |standin| {
        never_register(standin);
        let contexts = Contexts::of(standin);
        for (fails, of_gpu) in [(false, false), (false, true), (true, true)] {
            standin.fresh();
            let context = if of_gpu { contexts.retain(3) } else { 0 };
            let kernel = Kernel::new("library")
                .host(|range: Range<usize>, _: In<u64>, mut y: Out<u64>| {
                    range.for_each(|i| y[i] = y[i].wrapping_add(0))
                })
                .cuda_call(move |call| {
                    assert!(!call.stream().is_null());
                    contexts.make_current(context);
                    if fails { Err("it says no".into()) } else { Ok(()) }
                });
            let rt = runtime(&machine(1, true));
            // On single streams, on three streams, in lanes.
            for (memory, n) in [(Memory::Locked, 2000), (Memory::Locked, 1_500_000), (Memory::Plain, 1_500_000)] {
                let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
                for policy in [Policy::Block, "SCHED_DYNAMIC:7%".parse().unwrap()] {
                    let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
                    let report = rt.parallel_for(0..n, bound).policy(policy).run().unwrap();
                    let said = report.faults.iter().all(|fault| fault.message.contains("it says no"));
                    assert!(report.faults.len() == usize::from(fails) && said, "{memory:?} {n}\n{report}");
                    assert!(*y == *numbers(n), "{memory:?} {n}");
                }
                assert_eq!(standin.count("pending"), 0);
            }
            drop(rt);
            let rt = runtime(&machine(1, false));
            let (start, mut y) = (numbers(3000), numbers(3000));
            let mut region = rt.data_region();
            let x = region.to(&start, [3000]);
            let z = region.tofrom(&mut y, [3000]);
            for _ in 0..3 {
                let run = region.parallel_for(0..3000, kernel.bind().reads(x).updates(z)).run();
                let again = region.parallel_for(0..3000, triple_add().bind().reads(x).updates(z)).run();
                if fails {
                    assert!(run.unwrap_err().to_string().contains("it says no") && again.is_err());
                } else {
                    run.and(again).unwrap();
                }
            }
            let finished = region.finish();
            assert_eq!(finished.is_err(), fails, "{finished:?}");
            if !fails {
                let expected = |x: u64| (0..3).fold(x, |y, _| y.wrapping_mul(3).wrapping_add(x));
                assert!(y.iter().zip(&start).all(|(y, x)| *y == expected(*x)));
            }
            drop(rt);
            if of_gpu {
                contexts.release(3);
            }
            standin.nothing_is_left("a library");
        }
    });
}

/// A launch that was to wait for another GPU's copy from a buffer fails while that copy is under way.
#[test]
fn a_launch_that_fails_forgets_nobody_who_copies_from_its_gpu() {
    alone(concat!(module_path!(), "::a_launch_that_fails_forgets_nobody_who_copies_from_its_gpu"), |standin| {
        const BYTES: usize = 4 << 20;
        standin.fresh();
        // The stand-in runs only what somebody waits for.
        standin.order(1, 0);
        let open = |index: usize| {
            let options = CudaOptions { name: format!("cuda:{index}"), index: Some(index), ..CudaOptions::default() };
            CudaDevice::open(options).unwrap()
        };
        let (mut first, mut second) = (open(0), open(1));
        let all = [BoxCopy::row(0, 0, BYTES)];
        let (ones, twos) = (HostVec::filled(BYTES, 1u8).unwrap(), HostVec::filled(BYTES, 2u8).unwrap());
        let (first, second) = (first.resident().unwrap(), second.resident().unwrap());
        let (mine, theirs) = (first.allocate(BYTES).unwrap(), second.allocate(BYTES).unwrap());
        first.write(mine, &all, &ones).unwrap();
        let outlet = first.outlet(mine).unwrap();
        let incoming = [Incoming::Direct { to: theirs, from: &outlet, copies: &all }];
        let how = How { ghosts: true, ..How::default() };
        let (_, pulled) =
            second.launch(&Launch { work: None, incoming: &incoming, pieces: &[], late: &[], how }).unwrap();
        first.pulled(&pulled.expect("others are to wait for it"));
        // Pieces beside the exchange, which do not wait for GPUs that copy.
        let piece =
            |waits: bool| Piece { chunk: IterRange::new(0, 1), columns: None, waits, stored: Default::default() };
        let local = [Incoming::Local { to: mine, from: mine, copies: &[] }];
        let how = How { apart: true, ..How::default() };
        let launch = Launch { work: None, incoming: &local, pieces: &[piece(false), piece(true)], late: &[], how };
        standin.fail("cuStreamCreateWithPriority", 1, UNKNOWN);
        first.launch(&launch).unwrap_err();
        first.release(mine);
        let again = first.allocate(BYTES).unwrap();
        first.write(again, &all, &twos).unwrap();
        let mut found = HostVec::filled(BYTES, 0u8).unwrap();
        second.read(theirs, &all, &mut found).unwrap();
        assert!(found.iter().all(|byte| *byte == 1), "the buffer was written while it was copied");
    });
}

/// With a host, which would take over if a GPU failed.
#[test]
fn a_gpu_that_was_lost_is_none_that_a_machine_without_it_minds() {
    alone(concat!(module_path!(), "::a_gpu_that_was_lost_is_none_that_a_machine_without_it_minds"), |standin| {
        let first = runtime(&machine(1, true));
        lose(standin, &first);
        let second = runtime(&[gpu(1), gpu(2), host()]);
        for memory in Memory::BOTH {
            let (x, mut y) = (memory.of(&numbers(600_000)), memory.of(&numbers(600_000)));
            let report = check_replicated(&second, &Policy::Block, &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{report}");
        }
        drop((first, second));
        standin.nothing_is_left("a GPU that was lost");
    });
}

#[test]
fn a_gpu_that_one_region_loses_gives_no_results_of_another() {
    alone(concat!(module_path!(), "::a_gpu_that_one_region_loses_gives_no_results_of_another"), |standin| {
        standin.fresh();
        let rt = runtime(&machine(1, false));
        let (x, mut y) = (numbers(3000), numbers(3000));
        let (mut first, mut second) = (rt.data_region(), rt.data_region());
        let (x_, of_first, y_) = (second.to(&x, [3000]), first.to(&x, [3000]), first.tofrom(&mut y, [3000]));
        let sum = || total().bind().reads(x_);
        let wanted = x.iter().copied().fold(0, u64::wrapping_add);
        assert_eq!(second.parallel_for(0..3000, sum()).reduce::<u64>(Sum).unwrap(), wanted);
        let add = || triple_add().bind().reads(of_first).updates(y_);
        first.parallel_for(0..3000, add()).run().unwrap();
        standin.fail_when_run("kernel", 1, ILLEGAL_ADDRESS);
        first.parallel_for(0..3000, add()).run().unwrap();
        let later = second.parallel_for(0..3000, sum()).reduce_later::<u64>(Sum);
        // The first region finds out, and what the other one asked for is not there either.
        assert!(first.wait().is_err());
        let value = later.and_then(|later| second.value(later));
        assert!(value.is_err(), "{value:?}");
        drop((first, second));
        drop(rt);
        standin.nothing_is_left("a GPU that was lost");
    });
}

#[test]
fn the_program_keeps_its_context_while_regions_wait() {
    alone(concat!(module_path!(), "::the_program_keeps_its_context_while_regions_wait"), |standin| {
        standin.fresh();
        let contexts = Contexts::of(standin);
        let rt = runtime(&machine(1, false));
        let x = numbers(3000);
        let wanted = x.iter().copied().fold(0, u64::wrapping_add);
        let mut region = rt.data_region();
        let x = region.to(&x, [3000]);
        for own in [0, contexts.retain(0)] {
            contexts.make_current(own);
            // More than are under way at once, so that some are taken in while others run.
            let mut sums: Vec<_> = (0..40)
                .map(|_| region.parallel_for(0..3000, total().bind().reads(x)).reduce_later::<u64>(Sum))
                .collect();
            assert_eq!(contexts.current(), own);
            assert_eq!(region.value(sums.pop().unwrap().unwrap()).unwrap(), wanted);
            assert_eq!(contexts.current(), own);
            for sum in sums {
                assert_eq!(region.value(sum.unwrap()).unwrap(), wanted);
            }
            region.wait().unwrap();
            assert_eq!(contexts.current(), own);
        }
        region.finish().unwrap();
        contexts.make_current(0);
        contexts.release(0);
        drop(rt);
        standin.nothing_is_left("a region");
    });
}
