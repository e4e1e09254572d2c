//! Regions in which any call of the driver fails, or a GPU is lost in any operation: errors are reported, and nothing is left.

use crate::kernels::{image, numbers, total};
use crate::machine::{machine, runtime};
use crate::regions::{LONG, mix_cells, same, serial, sweep};
use crate::standin::{ILLEGAL_ADDRESS, OUT_OF_MEMORY, StandIn, UNKNOWN, alone, watch};
use apportion::kernel::{DeviceImage, Grid, OwnReduce, Scalar};
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Edge, Later, Mapped, RegionSplit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The calls of a region, besides those that open the GPUs.
const CALLS: [&str; 16] = [
    "cuCtxGetStreamPriorityRange",
    "cuCtxSetCurrent",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemHostAlloc",
    "cuMemcpy3DPeerAsync",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyPeerAsync",
    "cuStreamCreateWithPriority",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// What a region does when a call fails.
#[derive(Clone, Copy, Debug)]
enum Scene {
    /// GPUs that fetch from one another, with periodic edges; one GPU fetches from itself.
    Peers(usize),
    /// The same with rows so long that the driver copies them.
    Long(usize),
    /// By way of the host, which takes part.
    Staged,
    /// In a grid: columns are copied as boxes.
    Grid,
    /// Sums.
    Reductions,
}

impl Scene {
    const ALL: [Self; 7] =
        [Self::Peers(1), Self::Peers(2), Self::Long(1), Self::Long(2), Self::Staged, Self::Grid, Self::Reductions];

    /// Whether to make a call fail in this scene. Scenes with long rows are slow, so only their copies fail.
    fn minds(self, call: &str) -> bool {
        !matches!(self, Self::Long(_)) || ["cuMemcpyPeerAsync", "cuMemcpyDtoDAsync_v2", "peer", "d2d"].contains(&call)
    }

    /// Opens the GPUs, runs, and compares the results. An error must name the GPU.
    fn run(self, standin: &StandIn, fail: impl FnOnce()) -> bool {
        if let Self::Staged = self {
            standin.peer(0, 1, false);
            standin.peer(1, 0, false);
        }
        let rt = match self {
            Self::Peers(gpus) | Self::Long(gpus) => runtime(&machine(gpus, false)),
            Self::Staged => runtime(&machine(2, true)),
            Self::Grid | Self::Reductions => runtime(&machine(2, false)),
        };
        fail();
        let ([n, m], sweeps) = if let Self::Long(_) = self { ([2, LONG], 3) } else { ([24, 7], 3) };
        let start = numbers(n * m);
        let (mut u, mut v) = (start.clone(), start.clone());
        let done = match self {
            Self::Peers(_) | Self::Long(_) | Self::Staged => {
                sweep(&rt, [&mut u, &mut v], [n, m], (Edge::Periodic, 0), sweeps, RegionSplit::Even)
            }
            Self::Grid => (|| {
                let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
                let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(Edge::Periodic));
                let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(Edge::Periodic));
                for _ in 0..sweeps {
                    region.parallel_for_2d(0..n, 0..m, mix_cells().bind().reads(old).writes(now)).run()?;
                    std::mem::swap(&mut old, &mut now);
                }
                region.finish()
            })()
            .map(|_| ()),
            Self::Reductions => (|| {
                let mut region = rt.data_region();
                let x = region.to(&start, [n * m]);
                let sums = [(); 3].map(|()| region.parallel_for(0..n * m, total().bind().reads(x)).reduce_later(Sum));
                let expected = start.iter().fold(0u64, |a, b| a.wrapping_add(*b));
                // The oldest of these loops may be taken in beside this one, and both fail.
                let now = region.parallel_for(0..n * m, total().bind().reads(x)).reduce::<u64>(Sum)?;
                assert_eq!(now, expected);
                for sum in sums {
                    assert_eq!(region.value::<u64>(sum?)?, expected);
                }
                region.finish()
            })()
            .map(|_| ()),
        };
        match done {
            Ok(()) => match self {
                Self::Peers(_) | Self::Long(_) | Self::Staged => {
                    same(&v, &serial(&start, [n, m], [0, 1], sweeps), "no error")
                }
                Self::Grid => same(&v, &serial(&start, [n, m], [0, 0], sweeps), "no error"),
                Self::Reductions => {}
            },
            Err(error) => {
                let error = error.to_string();
                let words = ["unknown error", "out of memory", "illegal memory access"];
                assert!(error.contains("cuda:") && words.iter().any(|w| error.contains(w)), "{error}");
                return true;
            }
        }
        false
    }
}

#[test]
fn any_call_of_a_region_may_fail() {
    alone(concat!(module_path!(), "::any_call_of_a_region_may_fail"), |standin| {
        let mut failed = std::collections::BTreeMap::<&str, usize>::new();
        for (scene, name) in Scene::ALL.iter().flat_map(|scene| CALLS.map(|name| (*scene, name))) {
            if !scene.minds(name) {
                continue;
            }
            for nth in (1..=10).chain([14, 19, 25]) {
                let what = format!("{scene:?}: {name} fails at call {nth}");
                watch(what.clone());
                standin.fresh();
                standin.order(nth, [0, 25, 100][nth as usize % 3]);
                let code = if name.starts_with("cuMem") && name.contains("lloc") { OUT_OF_MEMORY } else { UNKNOWN };
                let run = || scene.run(standin, || standin.fail(name, nth, code));
                match catch_unwind(AssertUnwindSafe(run)) {
                    Ok(one) => *failed.entry(name).or_default() += usize::from(one),
                    Err(_) => panic!("{what}"),
                }
                standin.nothing_is_left(&what);
            }
        }
        assert!(CALLS.iter().all(|name| failed[name] > 0), "each makes some region fail: {failed:?}");
    });
}

#[test]
fn a_gpu_may_be_lost_in_any_operation_of_a_region() {
    alone(concat!(module_path!(), "::a_gpu_may_be_lost_in_any_operation_of_a_region"), |standin| {
        let mut failed = 0;
        let kinds = ["h2d", "d2h", "d2d", "peer", "kernel", "record", "wait"];
        for (scene, kind) in Scene::ALL.iter().flat_map(|scene| kinds.map(|kind| (*scene, kind))) {
            if !scene.minds(kind) {
                continue;
            }
            for nth in 1..=10 {
                let what = format!("{scene:?}: {kind} {nth} fails as it runs");
                watch(what.clone());
                standin.fresh();
                standin.order(nth, [0, 25, 100][nth as usize % 3]);
                let run = || scene.run(standin, || standin.fail_when_run(kind, nth, ILLEGAL_ADDRESS));
                match catch_unwind(AssertUnwindSafe(run)) {
                    Ok(one) => failed += usize::from(one),
                    Err(_) => panic!("{what}"),
                }
                standin.nothing_is_left(&what);
            }
        }
        assert!(failed > 100, "{failed} regions failed");
    });
}

/// A kernel whose grid panics when it is asked for the second time, and then every time.
fn panicking(entry: &'static str, group: usize) -> Kernel {
    let asked = AtomicUsize::new(0);
    let grid = Grid::new([group, 1, 1], move |iterations| {
        assert!(asked.fetch_add(1, Ordering::Relaxed) == 0, "a grid");
        [iterations, 1, 1]
    });
    // SAFETY: the kernel stays within the sections that it is given.
    Kernel::new(entry).cuda_image(unsafe { DeviceImage::new("standin:", entry, grid) })
}

fn panics_with(text: &'static str, run: impl FnOnce() -> Result<()>) {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("the loop panics");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&text));
}

#[test]
fn a_panic_in_a_region_reaches_the_caller_after_the_gpus_are_quiet() {
    alone(concat!(module_path!(), "::a_panic_in_a_region_reaches_the_caller_after_the_gpus_are_quiet"), |standin| {
        let [n, m] = [40, LONG / 16];
        for (seed, gpus) in (0..6).flat_map(|seed| [1, 2, 4].map(|gpus| (seed, gpus))) {
            let what = format!("{gpus} GPUs, seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(gpus, false));
            let start = numbers(n * m);
            let mut held = Vec::new();
            for _ in 0..3 {
                let (mut u, mut v) = (start.clone(), start.clone());
                panics_with("a grid", || {
                    let mut region = rt.data_region().split(RegionSplit::Even);
                    let old = region.tofrom(&mut u, [n, m].halo(1).edge(Edge::Periodic));
                    let now = region.tofrom(&mut v, [n, m].halo(1).edge(Edge::Periodic));
                    let sweep = |kernel: &Kernel| kernel.bind().scalar(m as u64);
                    let usual = Kernel::new("mix_rows").cuda_image(image("mix_rows"));
                    region.parallel_for(0..n, sweep(&usual).reads(now).writes(old)).run()?;
                    // Of several pieces of a GPU one runs beside the exchange.
                    let kernel = panicking("mix_rows", 64);
                    region.parallel_for(0..n, sweep(&kernel).reads(old).writes(now)).run()?;
                    region.parallel_for(0..n, sweep(&kernel).reads(old).writes(now)).run()
                });
                assert_eq!(standin.count("pending"), 0, "{what}: a GPU is still at work");
                let (mut u, mut v) = (start.clone(), start.clone());
                sweep(&rt, [&mut u, &mut v], [n, m], (Edge::Periodic, 0), 3, RegionSplit::Even).unwrap();
                same(&v, &serial(&start, [n, m], [0, 1], 3), &what);
                held.push(standin.count("allocated_bytes"));
            }
            assert_eq!(held[1], held[2], "{what}: what is held grows");
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

/// A copy takes in the oldest of many loops, whose operator panics. The copy is under way by then.
#[test]
fn a_copy_in_which_an_earlier_operator_panics_is_made_all_the_same() {
    alone(concat!(module_path!(), "::a_copy_in_which_an_earlier_operator_panics_is_made_all_the_same"), |standin| {
        let n = 1000;
        let x = numbers(n);
        let combine = |_: Scalar, _: Scalar| -> Scalar { panic!("an operator") };
        let own = Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine });
        for gpus in [1, 2] {
            standin.fresh();
            let rt = runtime(&machine(gpus, false));
            let mut y = vec![0; n];
            let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
            let (x_, y_, other) = (region.to(&x, [n]), region.from(&mut y, [n]), region.alloc::<u64>([n]));
            let first = region.parallel_for(0..n, total().bind().reads(x_)).reduce_later::<u64>(own).unwrap();
            // With this many under way, the next operation takes in the first of them.
            (0..15).for_each(|_| region.copy(x_, other).unwrap());
            panics_with("an operator", || region.copy(x_, y_));
            drop(first);
            region.update_from(y_).unwrap();
            assert_eq!(region.host(y_).unwrap(), x, "{gpus} GPUs");
            region.finish().unwrap();
            assert_eq!(y, x, "{gpus} GPUs");
            drop(rt);
            standin.nothing_is_left(&format!("{gpus} GPUs"));
        }
    });
}

#[test]
fn a_panic_in_a_regions_reduction_leaves_no_memory_counted() {
    alone(concat!(module_path!(), "::a_panic_in_a_regions_reduction_leaves_no_memory_counted"), |standin| {
        let x = numbers(1_000_000);
        let combine = |_: Scalar, _: Scalar| -> Scalar { panic!("an operator") };
        let own = Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine });
        // GPUs combine no results by an own operator: that would take a kernel that the stand-in lacks.
        let combine = |a: Scalar, b: Scalar| match (a, b) {
            (Scalar::U64(a), Scalar::U64(b)) => Scalar::U64(a.wrapping_add(b)),
            other => panic!("{other:?}"),
        };
        let adds = Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine });
        // SAFETY: the kernel stays within the sections that it is given.
        let image = unsafe { DeviceImage::new("standin:", "total", Grid::per_iteration(1)) };
        let total_in_many_groups = Kernel::new("total").cuda_image(image);
        for gpus in [1, 2] {
            standin.fresh();
            let rt = runtime(&machine(gpus, false));
            // Partial results of 8 or 4 MB, of each GPU's 64 MiB.
            let mut held = Vec::new();
            for _ in 0..12 * gpus {
                for (kernel, operator, text, awaited, asked) in [
                    (panicking("total", 1), adds, "a grid", true, true),
                    (total_in_many_groups.clone(), own, "an operator", true, true),
                    (total_in_many_groups.clone(), own, "an operator", false, true),
                    (total_in_many_groups.clone(), own, "an operator", false, false),
                ] {
                    panics_with(text, || {
                        let mut region = rt.data_region().split(RegionSplit::Even);
                        let read = region.to(&x, [x.len()]);
                        let sum = region.parallel_for(0..x.len(), kernel.bind().reads(read));
                        if awaited {
                            return sum.reduce::<u64>(operator).map(drop);
                        }
                        let later = sum.reduce_later::<u64>(operator)?;
                        // Another one is under way when the panic drops the region. Of several the oldest is taken in by a loop.
                        for _ in 0..if asked { 1 } else { 40 } {
                            let _ = region
                                .parallel_for(0..10_000, kernel.bind().reads(read))
                                .reduce_later::<u64>(operator)?;
                        }
                        region.value(later).map(drop)
                    });
                }
                held.push(standin.count("allocated_bytes"));
            }
            assert_eq!(held[held.len() / 2], held[held.len() - 1], "{gpus} GPUs: what is held grows: {held:?}");
            let mut region = rt.data_region().split(RegionSplit::Even);
            let read = region.to(&x, [x.len()]);
            let sum = region.parallel_for(0..x.len(), total().bind().reads(read)).reduce::<u64>(adds).unwrap();
            assert_eq!(sum, x.iter().fold(0u64, |a, b| a.wrapping_add(*b)));
            region.finish().unwrap();
            drop(rt);
            standin.nothing_is_left("reductions that panicked");
        }
    });
}

/// An operator that panics while it is told to.
fn fragile() -> Reduce {
    let combine = |a: Scalar, b: Scalar| match (a, b) {
        (Scalar::U64(a), Scalar::U64(b)) if !PANICS.load(Ordering::Relaxed) => Scalar::U64(a.wrapping_add(b)),
        _ => panic!("an operator"),
    };
    Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine })
}

/// Whether the operator of [`fragile`] panics. Each test is alone in its process.
static PANICS: AtomicBool = AtomicBool::new(false);

fn while_it_panics(run: impl FnOnce() -> Result<()>) {
    PANICS.store(true, Ordering::Relaxed);
    panics_with("an operator", run);
    PANICS.store(false, Ordering::Relaxed);
}

/// Runs a loop over 64000 numbers whose result is asked for later.
fn later<'a>(region: &mut DataRegion<'_, 'a>, x: Mapped<u64>) -> Later<u64> {
    // SAFETY: the kernel stays within the sections that it is given.
    let image = unsafe { DeviceImage::new("standin:", "total", Grid::per_iteration(1)) };
    let total = Kernel::new("total").cuda_image(image);
    region.parallel_for(0..64_000, total.bind().reads(x)).reduce_later(fragile()).unwrap()
}

#[test]
fn a_reduction_whose_operator_panicked_has_no_result() {
    alone(concat!(module_path!(), "::a_reduction_whose_operator_panicked_has_no_result"), |standin| {
        let x = numbers(64_000);
        let sum = x.iter().fold(0u64, |a, b| a.wrapping_add(*b));
        type Call = fn(&mut DataRegion<'_, '_>, Mapped<u64>) -> Result<()>;
        let exchange: Call = |region, x| region.halo_exchange(x);
        // All of it is asked for, one device is waited for, or an exchange takes the oldest loop in, on one of the devices.
        let calls: [(Call, usize); 3] =
            [(|region, _| region.wait(), 1), (|region, _| region.wait_for("cuda:1"), 1), (exchange, 16)];
        for (number, (call, loops)) in calls.into_iter().enumerate() {
            standin.fresh();
            let rt = runtime(&machine(2, false));
            let mut held = Vec::new();
            for _ in 0..30 {
                let mut region = rt.data_region().split(RegionSplit::Even);
                let read = region.to(&x, [x.len()].halo_sides(1, 0));
                let all: Vec<_> = (0..loops).map(|_| later(&mut region, read)).collect();
                while_it_panics(|| call(&mut region, read));
                for (place, later) in all.into_iter().enumerate() {
                    match region.value(later) {
                        Ok(value) => {
                            assert!(place > 0 && value == sum, "{number}: loop {place} gives {value}, not {sum}")
                        }
                        Err(error) => {
                            let error = error.to_string();
                            assert!(
                                place == 0 && error.contains("its reduction panicked"),
                                "{number}, {place}: {error}"
                            );
                        }
                    }
                }
                region.finish().unwrap();
                held.push(standin.count("allocated_bytes"));
            }
            assert_eq!(held[held.len() / 2], held[held.len() - 1], "{number}: what is held grows: {held:?}");
            drop(rt);
            standin.nothing_is_left("an operator's panic");
        }
    });
}

#[test]
fn a_region_that_is_dropped_passes_on_an_operators_panic_and_frees_its_memory() {
    let name = concat!(module_path!(), "::a_region_that_is_dropped_passes_on_an_operators_panic_and_frees_its_memory");
    alone(name, |standin| {
        let x = numbers(64_000);
        standin.fresh();
        let rt = runtime(&machine(2, false));
        let mut held = Vec::new();
        for _ in 0..30 {
            while_it_panics(|| {
                let mut region = rt.data_region().split(RegionSplit::Even);
                let read = region.to(&x, [x.len()]);
                let _ = [(); 2].map(|()| later(&mut region, read));
                drop(region);
                Ok(())
            });
            held.push(standin.count("allocated_bytes"));
        }
        assert_eq!(held[held.len() / 2], held[held.len() - 1], "what is held grows: {held:?}");
        drop(rt);
        standin.nothing_is_left("an operator's panic");
    });
}
