//! Arrays that stay on GPUs: results equal serial ones in any order among streams, failures are reported, nothing is left.

use crate::kernels::{image, never_register, numbers, total, triple_add};
use crate::machine::{machine, runtime, with_slow_launches};
use crate::standin::{GPUS, ILLEGAL_ADDRESS, OUT_OF_MEMORY, Ran, StandIn, UNKNOWN, alone, watch};
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Division, Edge, Mapped, RegionSplit};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// As the stand-in's kernels compute it.
fn mix(at: u64, above: u64, below: u64, left: u64, right: u64) -> u64 {
    let sum = at.wrapping_mul(5).wrapping_add(above.wrapping_mul(3)).wrapping_add(below.wrapping_mul(7));
    sum.wrapping_add(left.wrapping_sub(right).wrapping_mul(11))
}

/// Rows with a ghost row on each side; the columns at the edges stay unchanged.
fn mix_rows() -> Kernel {
    Kernel::new("mix_rows")
        .host(|rows: Range<usize>, m: u64, old: In<u64>, mut now: Out<u64>| {
            let m = m as usize;
            for at in rows.flat_map(|i| (1..m - 1).map(move |j| i * m + j)) {
                // Ghost rows before row 0 have negative numbers.
                now[at] = mix(old[at], old[at.wrapping_sub(m)], old[at + m], old[at - 1], old[at + 1]);
            }
        })
        .cuda_image(image("mix_rows"))
        .cost(Cost::per_iteration().flops(100).loads(100).stores(100))
}

/// As [`mix_rows`], over rows and columns.
pub fn mix_cells() -> Kernel {
    let grid = Grid::of_rows_and_columns([8, 1, 1], |rows, columns| [columns, rows, 1]);
    Kernel::new("mix_cells")
        .host_tiles(|rows: Range<usize>, columns: Range<usize>, old: In<u64>, mut now: Out<u64>| {
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i as isize, j as isize))) {
                let cell = |i: isize, j: isize| old.cells(i, j..j + 1)[0];
                now.cells_mut(i, j..j + 1)[0] =
                    mix(cell(i, j), cell(i - 1, j), cell(i + 1, j), cell(i, j - 1), cell(i, j + 1));
            }
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .cuda_image(unsafe { DeviceImage::new("standin:", "mix_cells", grid) })
        .cost(Cost::per_iteration().flops(10).loads(40).stores(8))
}

/// Sweeps over cells at least this far from the edge, with periodic edges.
pub fn serial(start: &[u64], [n, m]: [usize; 2], [rows, columns]: [usize; 2], sweeps: usize) -> Vec<u64> {
    let (mut old, mut now) = (start.to_vec(), start.to_vec());
    for _ in 0..sweeps {
        for (i, j) in (rows..n - rows).flat_map(|i| (columns..m - columns).map(move |j| (i, j))) {
            let cell = |i: usize, j: usize| old[i % n * m + j % m];
            now[i * m + j] = mix(cell(i, j), cell(i + n - 1, j), cell(i + 1, j), cell(i, j + m - 1), cell(i, j + 1));
        }
        std::mem::swap(&mut old, &mut now);
    }
    old
}

pub fn same(found: &[u64], expected: &[u64], what: &str) {
    if let Some(at) = (0..expected.len()).find(|&at| found[at] != expected[at]) {
        panic!("[{at}] is {:#x}, not {:#x}; {what}", found[at], expected[at]);
    }
}

/// Elements of a row that the driver copies between GPUs; a kernel copies shorter rows.
pub const LONG: usize = (2 << 20) / 8 + 8;

/// Kinds of edges, and how far from the edge loops then stay.
pub const EDGES: [(Edge, usize); 2] = [(Edge::None, 1), (Edge::Periodic, 0)];

/// Sweeps over rows in a new region, whose result is in `u` or `v` by turns.
pub fn sweep(
    rt: &Runtime,
    [u, v]: [&mut [u64]; 2],
    [n, m]: [usize; 2],
    (edge, margin): (Edge, usize),
    sweeps: usize,
    split: RegionSplit,
) -> Result<()> {
    let mut region = rt.data_region().split(split);
    let mut old = region.tofrom(u, [n, m].halo(1).edge(edge));
    let mut now = region.tofrom(v, [n, m].halo(1).edge(edge));
    for _ in 0..sweeps {
        let bound = mix_rows().bind().scalar(m as u64).reads(old).writes(now);
        if let Err(error) = region.parallel_for(margin..n - margin, bound).run() {
            // The region keeps reporting it.
            let bound = mix_rows().bind().scalar(m as u64).reads(old).writes(now);
            let again =
                region.parallel_for(margin..n - margin, bound).run().expect_err("its rows are lost").to_string();
            // An array that finds no room is left out of the region; after any other failure rows are lost.
            let first = error.to_string();
            let is_short = first.contains("are in use") || first.contains("out of memory");
            let told = again.contains("lost") || is_short && again.contains("there was no room for it");
            assert!(told && again.contains("cuda:"), "{again}");
            return Err(error);
        }
        std::mem::swap(&mut old, &mut now);
    }
    region.finish().map(|_| ())
}

#[test]
fn sweeps_equal_serial_ones_in_any_order_among_streams() {
    alone(concat!(module_path!(), "::sweeps_equal_serial_ones_in_any_order_among_streams"), |standin| {
        let ([n, m], sweeps) = ([40, 9], 7);
        let start = numbers(n * m);
        for (seed, gpus, with_host) in (0..6)
            .flat_map(|seed| [1, 2, 4].into_iter().flat_map(move |gpus| [(seed, gpus, false), (seed, gpus, true)]))
        {
            let what = format!("{gpus} GPUs, host {with_host}, seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(gpus, with_host));
            standin.clear_log();
            for (edge, margin) in EDGES {
                let weights: Vec<f64> = (0..gpus + usize::from(with_host)).map(|slot| 1.0 + slot as f64).collect();
                let split = if seed < 3 { RegionSplit::Even } else { RegionSplit::Weights(weights) };
                let (mut u, mut v) = (start.clone(), start.clone());
                sweep(&rt, [&mut u, &mut v], [n, m], (edge, margin), sweeps, split).unwrap();
                same(&v, &serial(&start, [n, m], [margin, 1], sweeps), &format!("{what}, {edge:?}"));
            }
            if gpus > 1 {
                assert!(standin.count("bytes:peer") > 0, "{what}: GPUs fetch from one another");
            }
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

#[test]
fn gpus_in_a_grid_exchange_columns_in_one_copy_each() {
    alone(concat!(module_path!(), "::gpus_in_a_grid_exchange_columns_in_one_copy_each"), |standin| {
        let ([n, m], sweeps) = ([23, 19], 5);
        let start = numbers(n * m);
        let sets = [(1, 1, false), (1, 2, false), (2, 2, false), (2, 2, true), (1, 4, false)];
        for (seed, (rows, columns, with_host)) in (0..3).flat_map(|seed| sets.map(|set| (seed, set))) {
            for (edge, margin) in EDGES {
                let what = format!("{rows} x {columns}, host {with_host}, {edge:?}, seed {seed}");
                watch(what.clone());
                standin.fresh();
                standin.order(seed, [0, 25, 100][seed as usize % 3]);
                let rt = runtime(&machine(rows * columns - usize::from(with_host), with_host));
                let (mut u, mut v) = (start.clone(), start.clone());
                let mut region = rt.data_region().arrangement(Arrangement::Grid(rows, columns));
                let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(edge));
                let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(edge));
                for _ in 0..sweeps {
                    let bound = mix_cells().bind().reads(old).writes(now);
                    region.parallel_for_2d(margin..n - margin, margin..m - margin, bound).run().unwrap();
                    std::mem::swap(&mut old, &mut now);
                }
                region.finish().unwrap();
                same(&v, &serial(&start, [n, m], [margin, margin], sweeps), &what);
                assert!(columns == 1 || standin.count("calls:cuMemcpy3DPeerAsync") > 0, "{what}");
                drop(rt);
                standin.nothing_is_left(&what);
            }
        }
    });
}

#[test]
fn cells_inside_a_tile_need_not_wait_for_ghosts_and_those_at_its_sides_do() {
    alone(
        concat!(module_path!(), "::cells_inside_a_tile_need_not_wait_for_ghosts_and_those_at_its_sides_do"),
        |standin| {
            // A ghost column is too much for all cells to wait for.
            let ([n, m], sweeps) = ([40_000, 10], 3);
            let start = numbers(n * m);
            let sets = [(1, 2, false), (2, 2, false), (2, 2, true), (1, 4, false)];
            for (seed, (rows, columns, with_host)) in (0..3).flat_map(|seed| sets.map(|set| (seed, set))) {
                for (edge, margin) in EDGES {
                    let what = format!("{rows} x {columns}, host {with_host}, {edge:?}, seed {seed}");
                    watch(what.clone());
                    standin.fresh();
                    standin.order(seed, [0, 25, 100][seed as usize % 3]);
                    let rt = runtime(&machine(rows * columns - usize::from(with_host), with_host));
                    let (mut u, mut v) = (start.clone(), start.clone());
                    let mut region = rt.data_region().arrangement(Arrangement::Grid(rows, columns));
                    let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(edge));
                    let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(edge));
                    for _ in 0..sweeps {
                        let bound = mix_cells().bind().reads(old).writes(now);
                        region.parallel_for_2d(margin..n - margin, margin..m - margin, bound).run().unwrap();
                        std::mem::swap(&mut old, &mut now);
                    }
                    region.wait().unwrap();
                    standin.clear_log();
                    let bound = mix_cells().bind().reads(old).writes(now);
                    region.parallel_for_2d(margin..n - margin, margin..m - margin, bound).run().unwrap();
                    region.wait().unwrap();
                    let launched = standin.count("calls:cuLaunchKernel");
                    if (rows, columns) == (1, 2) {
                        // Five on each GPU: above, below, left, right and inside.
                        assert!(launched >= 10, "{launched}, {what}");
                    }
                    region.finish().unwrap();
                    same(&u, &serial(&start, [n, m], [margin, margin], sweeps + 1), &what);
                    drop(rt);
                    standin.nothing_is_left(&what);
                }
            }
        },
    );
}

/// A sweep on two GPUs: for each its kernels (those that wait first) and what it fetched.
fn one_sweep(standin: &StandIn, seed: u64, ahead: u32) -> Vec<(Vec<Ran>, Ran, Vec<Ran>)> {
    one_sweep_on(standin, &machine(2, false), seed, ahead)
}

fn one_sweep_on(standin: &StandIn, machine: &[String], seed: u64, ahead: u32) -> Vec<(Vec<Ran>, Ran, Vec<Ran>)> {
    let [n, m] = [60, 9];
    let start = numbers(n * m);
    standin.fresh();
    standin.order(seed, ahead);
    let rt = runtime(machine);
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (a, b) = (region.tofrom(&mut u, [n, m].halo(1)), region.tofrom(&mut v, [n, m].halo(1)));
    region.parallel_for(1..n - 1, mix_rows().bind().scalar(m as u64).reads(a).writes(b)).run().unwrap();
    region.wait().unwrap();
    standin.clear_log();
    region.parallel_for(1..n - 1, mix_rows().bind().scalar(m as u64).reads(b).writes(a)).run().unwrap();
    region.wait().unwrap();
    let log = standin.log();
    let of = |device: u64| {
        let of =
            |kind| -> Vec<Ran> { log.iter().filter(|ran| ran.device == device && ran.kind == kind).cloned().collect() };
        let mut kernels = of("kernel");
        kernels.sort_by_key(|ran| ran.bytes);
        let inner = kernels.pop().unwrap();
        // A kernel fetches so short a row, and touches less memory than all others. Without NVRTC the driver fetches it.
        match of("peer") {
            peers if peers.is_empty() => (kernels.split_off(1), inner, kernels),
            peers => (kernels, inner, peers),
        }
    };
    let both = vec![of(0), of(1)];
    region.finish().unwrap();
    same(&u, &serial(&start, [n, m], [1, 1], 2), &format!("seed {seed}"));
    both
}

#[test]
fn rows_inside_need_not_wait_for_ghost_rows_and_rows_at_the_edges_do() {
    alone(concat!(module_path!(), "::rows_inside_need_not_wait_for_ghost_rows_and_rows_at_the_edges_do"), |standin| {
        let (mut before, mut after) = (0, 0);
        for seed in 0..40 {
            for (edges, inner, fetched) in one_sweep(standin, seed, 100) {
                assert_eq!((edges.len(), fetched.len()), (2, 1), "{edges:?} {fetched:?}");
                let came = fetched[0].ran;
                assert!(edges.iter().all(|edge| edge.ran > came), "rows at the edges ran too early: {edges:?} {came}");
                assert!(edges.iter().all(|edge| edge.stream != inner.stream && edge.stream == fetched[0].stream));
                // The rows inside may run before the copy or after it.
                *(if inner.ran < came { &mut before } else { &mut after }) += 1;
            }
        }
        assert!(before > 5 && after > 5, "the rows inside and the copies are in no order: {before} and {after}");
    });
}

#[test]
fn short_loops_are_one_launch_that_waits() {
    alone(concat!(module_path!(), "::short_loops_are_one_launch_that_waits"), |standin| {
        let gpus: Vec<String> = machine(2, false).iter().map(|gpu| with_slow_launches(gpu)).collect();
        for seed in 0..20 {
            for (others, only, fetched) in one_sweep_on(standin, &gpus, seed, 100) {
                assert_eq!((others.len(), fetched.len()), (0, 1), "{others:?} {fetched:?}");
                assert!(only.ran > fetched[0].ran, "it ran too early: {only:?} {fetched:?}");
            }
        }
    });
}

/// Ghost rows on one side only: a GPU that others copy from does not wait for them by its own copies.
#[test]
fn rows_that_others_copy_are_not_written_before_they_have() {
    alone(concat!(module_path!(), "::rows_that_others_copy_are_not_written_before_they_have"), |standin| {
        let [n, m] = [21, 5];
        let start = numbers(n * m);
        let above = |x: &[u64], y: &mut [u64]| {
            (m..n * m).for_each(|at| y[at] = x[at].wrapping_mul(3).wrapping_add(x[at - m]));
        };
        let kernel = Kernel::new("from_above").cuda_image(image("from_above"));
        // Also with a single row on the middle GPU: all of it waits for ghosts, and all of it is copied.
        let splits = [RegionSplit::Even, RegionSplit::Weights(vec![10.0, 1.0, 10.0])];
        for (seed, split) in (0..30).flat_map(|seed| splits.clone().map(|split| (seed, split))) {
            let what = format!("{split:?}, seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(3, false));
            let mut arrays = [start.clone(), start.clone(), start.clone()];
            let [a, b, c] = &mut arrays;
            let mut region = rt.data_region().split(split);
            let [a, b, c] = [a, b, c].map(|array| region.tofrom(array, [n, m].halo_sides(1, 0)));
            for _ in 0..4 {
                for (x, y) in [(a, b), (c, a), (b, c)] {
                    region.parallel_for(1..n, kernel.bind().scalar(m as u64).reads(x).writes(y)).run().unwrap();
                }
            }
            region.finish().unwrap();
            let [mut a, mut b, mut c] = [start.clone(), start.clone(), start.clone()];
            for _ in 0..4 {
                above(&a, &mut b);
                above(&c, &mut a);
                above(&b, &mut c);
            }
            for (found, expected) in arrays.iter().zip([a, b, c]) {
                same(found, &expected, &what);
            }
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

#[test]
fn gpus_that_cannot_reach_one_another_exchange_by_way_of_the_host() {
    alone(concat!(module_path!(), "::gpus_that_cannot_reach_one_another_exchange_by_way_of_the_host"), |standin| {
        // The driver copies these rows; a kernel fetches shorter ones.
        let ([n, m], sweeps) = ([4, LONG], 2);
        let start = numbers(n * m);
        // No GPU reaches another; only upwards; all but one pair.
        let reaches: [fn(usize, usize) -> bool; 3] = [|_, _| false, |a, b| a < b, |a, b| (a, b) != (1, 2)];
        for (seed, (which, reach)) in (0..3).flat_map(|seed| reaches.into_iter().enumerate().map(move |r| (seed, r))) {
            let what = format!("pairs {which}, seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            for (a, b) in (0..GPUS).flat_map(|a| (0..GPUS).map(move |b| (a, b))).filter(|(a, b)| a != b) {
                standin.peer(a, b, reach(a, b));
            }
            let rt = runtime(&machine(4, seed == 2));
            standin.clear_log();
            for edge in EDGES {
                let (mut u, mut v) = (start.clone(), start.clone());
                sweep(&rt, [&mut u, &mut v], [n, m], edge, sweeps, RegionSplit::Even).unwrap();
                same(&u, &serial(&start, [n, m], [edge.1, 1], sweeps), &what);
            }
            assert_eq!(standin.count("bytes:peer") > 0, which > 0, "{what}");
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

#[test]
fn sums_of_many_loops_under_way_are_those_of_their_time() {
    alone(concat!(module_path!(), "::sums_of_many_loops_under_way_are_those_of_their_time"), |standin| {
        let n = 300;
        let sum = |x: &[u64]| x.iter().fold(0u64, |a, b| a.wrapping_add(*b));
        for (seed, gpus) in (0..4).flat_map(|seed| [1, 2, 4].map(|gpus| (seed, gpus))) {
            watch(format!("{gpus} GPUs, seed {seed}"));
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(gpus, seed == 3));
            let (table, mut expected) = (numbers(n), numbers(n));
            let mut array = expected.clone();
            let mut region = rt.data_region().split(RegionSplit::Even);
            let (x, y) = (region.to(&table, [n]), region.tofrom(&mut array, [n]));
            // More loops than may be under way.
            let mut later = Vec::new();
            for _ in 0..50 {
                region.parallel_for(0..n, triple_add().bind().reads(x).updates(y)).run().unwrap();
                expected.iter_mut().zip(&table).for_each(|(y, x)| *y = y.wrapping_mul(3).wrapping_add(*x));
                let value = region.parallel_for(0..n, total().bind().reads(y)).reduce_later::<u64>(Sum).unwrap();
                later.push((value, sum(&expected)));
            }
            for (value, expected) in later {
                assert_eq!(region.value(value).unwrap(), expected);
            }
            region.finish().unwrap();
            same(&array, &expected, &format!("{gpus} GPUs, seed {seed}"));
            drop(rt);
            standin.nothing_is_left("reductions");
        }
    });
}

#[test]
fn ghosts_past_the_edges_of_arrays_that_all_gpus_have_follow_what_is_written() {
    alone(
        concat!(module_path!(), "::ghosts_past_the_edges_of_arrays_that_all_gpus_have_follow_what_is_written"),
        |standin| {
            let ([n, m], sweeps) = ([40, 9], 5);
            let start = numbers(n * m);
            for (seed, gpus, with_host) in (0..3).flat_map(|seed| [(seed, 1, false), (seed, 2, false), (seed, 2, true)])
            {
                let what = format!("{gpus} GPUs, host {with_host}, seed {seed}");
                watch(what.clone());
                standin.fresh();
                standin.order(seed, [0, 25, 100][seed as usize % 3]);
                let rt = runtime(&machine(gpus, with_host));
                let mut v = start.clone();
                let mut region = rt.data_region().split(RegionSplit::Even);
                let now = region.tofrom(&mut v, [n, m]);
                let all = region.to(&start, [n, m].full().halo(1).edge(Edge::Periodic).named("first"));
                let again = region.alloc::<u64>([n, m].full().halo(1).edge(Edge::Periodic));
                for sweep in 0..sweeps {
                    let from = if sweep == 0 { all } else { again };
                    let bound = mix_rows().bind().scalar(m as u64).reads(from).writes(now);
                    region.parallel_for(0..n, bound).run().unwrap();
                    region.copy(now, again).unwrap();
                }
                region.finish().unwrap();
                same(&v, &serial(&start, [n, m], [0, 1], sweeps), &what);
                drop(rt);
                standin.nothing_is_left(&what);
            }
        },
    );
}

/// An array's values go to each GPU once, whatever was copied to it in which order.
#[test]
fn copies_before_the_first_loop_are_there_when_it_runs() {
    alone(concat!(module_path!(), "::copies_before_the_first_loop_are_there_when_it_runs"), |standin| {
        let [n, m] = [40, 9];
        let start = numbers(n * m);
        for (seed, gpus, with_host) in (0..3).flat_map(|seed| [(seed, 1, false), (seed, 2, false), (seed, 2, true)]) {
            let what = format!("{gpus} GPUs, host {with_host}, seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(gpus, with_host));
            let (mut first, mut other) = (start.clone(), vec![1; n * m]);
            let (mut v, mut w) = (vec![2; n * m], vec![3; n * m]);
            let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
            let first_ = region.tofrom(&mut first, [n, m].full());
            let other_ = region.tofrom(&mut other, [n, m]);
            let v_ = region.from(&mut v, [n, m]);
            let w_ = region.from(&mut w, [n, m].on("cuda:0"));
            let [old, spare] = [(); 2].map(|()| region.alloc::<u64>([n, m].halo(1).edge(Edge::Periodic)));
            region.copy(other_, old).unwrap();
            region.copy(first_, spare).unwrap();
            region.copy(spare, old).unwrap();
            region.copy(old, v_).unwrap();
            region.copy(v_, w_).unwrap();
            // Exchanges the two.
            region.copy(other_, spare).unwrap();
            region.copy(first_, other_).unwrap();
            region.copy(spare, first_).unwrap();
            standin.clear_log();
            if seed < 2 {
                region.parallel_for(0..n, mix_rows().bind().scalar(m as u64).reads(old).writes(v_)).run().unwrap();
                let copied = ["d2h", "peer"].map(|kind| standin.count(&format!("bytes:{kind}")));
                assert_eq!(copied, [0; 2], "{what}");
            }
            region.finish().unwrap();
            same(&v, &serial(&start, [n, m], [0, 1], usize::from(seed < 2)), &what);
            same(&w, &start, &what);
            same(&other, &start, &what);
            same(&first, &vec![1; n * m], &what);
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

/// Nobody asks the driver for a copy's time without a time line.
#[test]
fn copies_are_timed_for_a_time_line_alone() {
    alone(concat!(module_path!(), "::copies_are_timed_for_a_time_line_alone"), |standin| {
        let [n, m] = [60, 9];
        for (gpus, timed) in [(1, false), (1, true), (2, false), (2, true)] {
            let what = format!("{gpus} GPUs, time line {timed}");
            watch(what.clone());
            standin.fresh();
            let rt = runtime(&machine(gpus, false));
            let (mut u, mut v) = (numbers(n * m), numbers(n * m));
            let region = rt.data_region().split(RegionSplit::Even).rebalance(false);
            let mut region = if timed { region.timeline(8) } else { region };
            let (u_, v_) = (region.tofrom(&mut u, [n, m].halo(1)), region.tofrom(&mut v, [n, m]));
            let all = region.alloc::<u64>([n, m].full());
            let sweep = |region: &mut DataRegion<'_, '_>| {
                let bound = mix_rows().bind().scalar(m as u64).reads(u_).writes(v_);
                region.parallel_for(1..n - 1, bound).run().unwrap();
                region.wait().unwrap();
            };
            sweep(&mut region);
            sweep(&mut region);
            let asked =
                || ["", "_v2"].map(|v| standin.count(&format!("calls:cuEventElapsedTime{v}"))).iter().sum::<u64>();
            let before = asked();
            (0..5).for_each(|_| region.copy(v_, all).unwrap());
            region.wait().unwrap();
            assert_eq!(asked() > before, timed, "{what}");
            let report = region.finish().unwrap();
            for window in &report.timeline {
                assert!(window.devices.iter().all(|device| device.exchange.0 == 0.0 && device.copy.0 > 0.0), "{what}");
            }
            assert_eq!(report.timeline.len(), usize::from(timed), "{what}");
            assert!(report.devices.iter().all(|device| (device.exchange.0 > 0.0) == timed), "{what}: {report}");
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

/// Also beside a device in the host's memory: only rows that are there, or go there, pass the host's links.
#[test]
fn a_copy_goes_from_gpu_to_gpu_whoever_else_is_in_the_region() {
    alone(concat!(module_path!(), "::a_copy_goes_from_gpu_to_gpu_whoever_else_is_in_the_region"), |standin| {
        let [n, m] = [60, 9];
        let third = (n / 3 * m * 8) as u64;
        for (seed, edge) in [(0, Edge::None), (1, Edge::Periodic), (2, Edge::None)] {
            let what = format!("seed {seed}, {edge:?}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize]);
            let rt = runtime(&machine(2, true));
            let start = numbers(n * m);
            let (mut u, mut v, mut w) = (start.clone(), start.clone(), start.clone());
            let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
            let u_ = region.tofrom(&mut u, [n, m].halo(1).edge(Edge::Periodic));
            let v_ = region.tofrom(&mut v, [n, m].halo(1).edge(Edge::Periodic));
            let all = region.alloc::<u64>([n, m].full().halo(1).edge(edge));
            let w_ = region.from(&mut w, [n, m].divide(0, Division::Cyclic(3)));
            region.parallel_for(0..n, mix_rows().bind().scalar(m as u64).reads(u_).writes(v_)).run().unwrap();
            region.wait().unwrap();
            standin.clear_log();
            region.copy(v_, all).unwrap();
            let moved = ["h2d", "d2h", "peer"].map(|kind| standin.count(&format!("bytes:{kind}")));
            assert_eq!(moved, [2 * third, 2 * third, 2 * third], "{what}");
            region.copy(all, w_).unwrap();
            region.finish().unwrap();
            let expected = serial(&start, [n, m], [0, 1], 1);
            same(&v, &expected, &what);
            same(&w, &expected, &what);
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

/// A copy runs ahead. Iterations that wait for nothing write the array only when the other GPU has copied all of it.
#[test]
fn what_is_copied_is_not_written_before_the_copy_is_done() {
    alone(concat!(module_path!(), "::what_is_copied_is_not_written_before_the_copy_is_done"), |standin| {
        let ([n, m], sweeps) = ([60, 9], 6);
        let start = numbers(n * m);
        for seed in 0..12 {
            let what = format!("seed {seed}");
            watch(what.clone());
            standin.fresh();
            standin.order(seed, [0, 25, 100][seed as usize % 3]);
            let rt = runtime(&machine(2, false));
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut kept = vec![vec![0; n * m]; sweeps];
            let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
            let mut old = region.tofrom(&mut u, [n, m].halo(1));
            let mut now = region.tofrom(&mut v, [n, m].halo(1));
            let there = region.alloc::<u64>([n, m].on("cuda:1"));
            let everywhere = region.alloc::<u64>([n, m].full());
            let copies: Vec<_> = kept.iter_mut().map(|kept| region.from(kept, [n, m])).collect();
            let sweep = |region: &mut DataRegion<'_, '_>, [old, now]: [Mapped<u64>; 2]| {
                let sweep = mix_rows().bind().scalar(m as u64).reads(old).writes(now);
                region.parallel_for(1..n - 1, sweep).run().unwrap();
            };
            for (turn, copy) in copies.into_iter().enumerate() {
                sweep(&mut region, [old, now]);
                // What is copied is overwritten by the next sweep, which first exchanges the other array's ghosts.
                let to = if turn % 2 == 0 { there } else { everywhere };
                region.copy(old, to).unwrap();
                sweep(&mut region, [now, old]);
                region.copy(to, copy).unwrap();
                if turn % 3 == 2 {
                    sweep(&mut region, [old, now]);
                    std::mem::swap(&mut old, &mut now);
                }
            }
            region.finish().unwrap();
            let mut done = 0;
            for (turn, kept) in kept.iter().enumerate() {
                same(kept, &serial(&start, [n, m], [1, 1], done), &format!("{what}, copy {turn}"));
                done += if turn % 3 == 2 { 3 } else { 2 };
            }
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

#[test]
fn a_gpu_that_others_only_copy_from_holds_no_more_and_more() {
    alone(concat!(module_path!(), "::a_gpu_that_others_only_copy_from_holds_no_more_and_more"), |standin| {
        let [n, m] = [40, 9];
        let rt = runtime(&machine(2, false));
        standin.clear_log();
        let start = numbers(n * m);
        let (mut u, mut v) = (start.clone(), start.clone());
        let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
        // The second GPU needs the row before its own; the first needs none and runs none of these loops.
        let u = region.tofrom(&mut u, [n, m].halo_sides(1, 0));
        let v = region.tofrom(&mut v, [n, m].halo_sides(1, 0));
        let copy = || Kernel::new("from_above").cuda_image(image("from_above")).bind().scalar(m as u64);
        let mut held = Vec::new();
        for _ in 0..6 {
            for _ in 0..20 {
                region.parallel_for(n / 2..n, copy().reads(u).writes(v)).run().unwrap();
                region.parallel_for(n / 2..n, copy().reads(v).writes(u)).run().unwrap();
            }
            region.wait().unwrap();
            held.push(standin.count("events"));
        }
        assert!(standin.count("bytes:peer") > 0, "the GPUs copy from one another");
        assert!(held[5] <= held[1], "events are held: {held:?}");
        drop(region);
    });
}

/// Long plain arrays go through page-locked memory in parts that several threads copy.
#[test]
fn long_plain_arrays_are_copied_by_several_threads() {
    alone(concat!(module_path!(), "::long_plain_arrays_are_copied_by_several_threads"), |standin| {
        let [n, m] = [60, 30_000];
        let start = numbers(n * m);
        for (seed, never_locked) in [(0, true), (1, true), (2, true), (2, false)] {
            let what = format!("seed {seed}, never locked {never_locked}");
            watch(what.clone());
            standin.fresh();
            if never_locked {
                never_register(standin);
            }
            standin.order(seed, [0, 25, 100][seed as usize]);
            for gpus in [1, 2] {
                let rt = runtime(&machine(gpus, false));
                let (mut u, mut v) = (start.clone(), start.clone());
                standin.clear_log();
                sweep(&rt, [&mut u, &mut v], [n, m], EDGES[1], 3, RegionSplit::Even).unwrap();
                same(&v, &serial(&start, [n, m], [0, 1], 3), &what);
                let log = standin.log();
                let bytes = (n * m * 8) as u64;
                for (kind, least) in [("h2d", 2 * bytes), ("d2h", 2 * bytes)] {
                    let copies: Vec<&Ran> = log.iter().filter(|ran| ran.kind == kind).collect();
                    assert!(copies.iter().map(|ran| ran.bytes).sum::<u64>() >= least, "{what}: {kind}");
                    if never_locked || kind == "d2h" {
                        let longest = copies.iter().map(|ran| ran.bytes).max();
                        // The driver would copy a GPU's rows in one piece, of 7 MB or more.
                        assert!(longest <= Some(3 << 20), "{what}: {kind} of {longest:?} bytes");
                    }
                }
                drop(rt);
                standin.nothing_is_left(&what);
            }
            // Changes by the host in between, through `update_from` and `update_to`.
            let rt = runtime(&machine(2, true));
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut region = rt.data_region().split(RegionSplit::Even);
            let old = region.tofrom(&mut u, [n, m].halo(1));
            let now = region.tofrom(&mut v, [n, m].halo(1));
            let relax = || mix_rows().bind().scalar(m as u64).reads(old).writes(now);
            region.parallel_for(1..n - 1, relax()).run().unwrap();
            let mut expected = serial(&start, [n, m], [1, 1], 1);
            region.update_from(now).unwrap();
            same(region.host(now).unwrap(), &expected, &what);
            expected.iter_mut().for_each(|x| *x = x.rotate_left(9));
            for array in [old, now] {
                region.host_mut(array).unwrap().copy_from_slice(&expected);
                region.update_to(array).unwrap();
            }
            region.parallel_for(1..n - 1, relax()).run().unwrap();
            region.finish().unwrap();
            same(&v, &serial(&expected, [n, m], [1, 1], 1), &what);
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

/// CUDA refuses a copy that reaches from page-locked memory into other memory, however short.
#[test]
fn short_arrays_that_others_lock_in_part_are_copied_all_the_same() {
    alone(concat!(module_path!(), "::short_arrays_that_others_lock_in_part_are_copied_all_the_same"), |standin| {
        let ([n, m], sweeps) = ([40, 900], 3);
        let start = numbers(n * m);
        for (gpus, with_host) in [(1, false), (2, false), (1, true)] {
            let what = format!("{gpus} GPUs, host {with_host}");
            watch(what.clone());
            standin.fresh();
            let rt = runtime(&machine(gpus, with_host));
            let (mut u, mut v) = (start.clone(), start.clone());
            let [first, second] = [&mut u, &mut v].map(|array| array.as_mut_ptr().cast::<u8>());
            // Half of the last row of one device, and half of the first of the other.
            let at = 8 * (n / 2 * m - m / 2);
            // SAFETY: parts of the arrays, which stay; nobody looks at the bytes.
            let [first, second] =
                [first, second].map(|start| unsafe { std::slice::from_raw_parts_mut(start.add(at), 8 * m) });
            standin.page_locked(first, || {
                standin.page_locked(second, || {
                    sweep(&rt, [&mut u, &mut v], [n, m], EDGES[0], sweeps, RegionSplit::Even).unwrap();
                });
            });
            same(&v, &serial(&start, [n, m], [1, 1], sweeps), &what);
            drop(rt);
            standin.nothing_is_left(&what);
        }
    });
}

#[test]
fn long_copies_may_fail_anywhere_and_leave_nothing() {
    alone(concat!(module_path!(), "::long_copies_may_fail_anywhere_and_leave_nothing"), |standin| {
        never_register(standin);
        let [n, m] = [40, 30_000];
        let start = numbers(n * m);
        let mut failed = 0;
        let calls = [
            "cuMemHostAlloc",
            "cuMemcpyHtoDAsync_v2",
            "cuMemcpyDtoHAsync_v2",
            "cuEventRecord",
            "cuEventSynchronize",
            "cuStreamSynchronize",
            "cuStreamWaitEvent",
        ];
        for (name, nth) in calls.into_iter().flat_map(|name| [1, 2, 3, 5, 8, 11].map(|nth| (name, nth))) {
            let what = format!("{name} fails at call {nth}");
            watch(what.clone());
            standin.fresh();
            standin.order(nth, [0, 25, 100][nth as usize % 3]);
            let rt = runtime(&machine(1, false));
            let (mut u, mut v) = (start.clone(), start.clone());
            standin.fail(name, nth, if name == "cuMemHostAlloc" { OUT_OF_MEMORY } else { UNKNOWN });
            match sweep(&rt, [&mut u, &mut v], [n, m], EDGES[1], 1, RegionSplit::Even) {
                Ok(()) => same(&v, &serial(&start, [n, m], [0, 1], 1), &what),
                Err(error) => {
                    assert!(error.to_string().contains("cuda:0"), "{what}: {error}");
                    failed += 1;
                }
            }
            drop(rt);
            standin.nothing_is_left(&what);
        }
        assert!(failed > 20, "{failed} regions failed");
    });
}

#[test]
fn arrays_that_do_not_fit_are_told_and_leave_room() {
    alone(concat!(module_path!(), "::arrays_that_do_not_fit_are_told_and_leave_room"), |standin| {
        for gpus in [1, 2] {
            standin.fresh();
            standin.memory(1 << 20);
            let rt = runtime(&machine(gpus, false));
            // Another region has nearly half of each GPU's memory.
            let mut other = vec![1u64; 800];
            let mut holding = rt.data_region();
            let held = holding.alloc::<u64>([600, 100].full());
            let other = holding.tofrom(&mut other, [8, 100]);
            holding.parallel_for(1..7, mix_rows().bind().scalar(100u64).reads(held).writes(other)).run().unwrap();
            holding.wait().unwrap();
            for round in 0..4 {
                // The first array fits; the second no longer does.
                let mut large = [vec![1u64; gpus * 40_000], vec![1u64; gpus * 40_000]];
                let [u, v] = &mut large;
                let outcome = sweep(&rt, [u, v], [gpus * 400, 100], EDGES[0], 1, RegionSplit::Even);
                let error = outcome.expect_err("more than there is").to_string();
                assert!(error.contains("cuda:") && error.contains("bytes") && error.contains("are in use"), "{error}");
                let start = numbers(gpus * 10_000);
                let (mut u, mut v) = (start.clone(), start.clone());
                sweep(&rt, [&mut u, &mut v], [gpus * 100, 100], EDGES[0], 3, RegionSplit::Even).unwrap();
                same(&v, &serial(&start, [gpus * 100, 100], [1, 1], 3), &format!("round {round}"));
            }
            // What a region holds outlives an array that finds no room, and is right in the end.
            let start = numbers(gpus * 3000);
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut small = rt.data_region().split(RegionSplit::Even);
            let shape = [gpus * 30, 100];
            let (old, now) = (small.tofrom(&mut u, shape.halo(1)), small.tofrom(&mut v, shape.halo(1)));
            let sweep_once = |small: &mut apportion::region::DataRegion<'_, '_>| {
                let bound = mix_rows().bind().scalar(100u64).reads(old).writes(now);
                small.parallel_for(1..gpus * 30 - 1, bound).run()
            };
            sweep_once(&mut small).unwrap();
            let large = small.alloc::<u64>([700, 100].full());
            for why in ["are in use", "there was no room for it"] {
                let bound = mix_rows().bind().scalar(100u64).reads(large).writes(now);
                let error = small.parallel_for(1..gpus * 30 - 1, bound).run().unwrap_err().to_string();
                assert!(error.contains(why) && error.contains("cuda:"), "{error}");
            }
            sweep_once(&mut small).unwrap();
            small.finish().unwrap();
            same(&v, &serial(&start, shape, [1, 1], 1), "beside an array without room");
            // Where the first array of a region finds none, the next one's rows are divided anew.
            let (start, shape) = (numbers(gpus * 2000), [gpus * 20, 100]);
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut region = rt.data_region().split(RegionSplit::Even);
            let large = region.alloc::<u64>([gpus * 720, 100].halo(1));
            let output = region.alloc::<u64>([gpus * 20, 100].halo(1));
            let bound = mix_rows().bind().scalar(100u64).reads(large).writes(output);
            let error = region.parallel_for(1..gpus * 20 - 1, bound).run().unwrap_err().to_string();
            assert!(error.contains("are in use"), "{error}");
            let (old, now) = (region.tofrom(&mut u, shape.halo(1)), region.tofrom(&mut v, shape.halo(1)));
            let bound = mix_rows().bind().scalar(100u64).reads(old).writes(now);
            region.parallel_for(1..gpus * 20 - 1, bound).run().unwrap();
            let report = region.finish().unwrap();
            assert!(report.devices.iter().all(|device| device.rows == 20), "{report}");
            same(&v, &serial(&start, shape, [1, 1], 1), "after an array without room");
            // Copies before the first loop are done all the same, in their order.
            for last in [false, true] {
                let mut of = [1u64, 2, 3, 4].map(|of| vec![of; gpus * 2000]);
                let [a, b, c, d] = &mut of;
                let mut region = rt.data_region().split(RegionSplit::Even);
                let map = |region: &mut DataRegion<'_, '_>| region.alloc::<u64>([gpus * 720, 100].halo(1));
                let a = region.tofrom(a, shape);
                let first = (!last).then(|| map(&mut region));
                let [b, c, d] = [b, c, d].map(|array| region.tofrom(array, shape));
                let large = first.unwrap_or_else(|| map(&mut region));
                region.copy(a, c).unwrap();
                region.copy(b, a).unwrap();
                region.copy(c, d).unwrap();
                let bound = mix_rows().bind().scalar(100u64).reads(large).writes(b);
                let error = region.parallel_for(0..gpus * 20, bound).run().unwrap_err().to_string();
                assert!(error.contains("are in use"), "{error}");
                region.finish().unwrap();
                assert_eq!(of.map(|array| [array[0], array[1999]]), [[2; 2], [2; 2], [1; 2], [1; 2]], "{last}");
            }
            drop(holding);
            // An array that cannot fit in any case is refused, and nothing is lost.
            let mut large = [vec![1u64; gpus * 80_000], vec![1u64; gpus * 80_000]];
            let [u, v] = &mut large;
            let mut region = rt.data_region().split(RegionSplit::Even);
            let (u, v) = (region.tofrom(u, [gpus * 800, 100].halo(1)), region.tofrom(v, [gpus * 800, 100].halo(1)));
            for _ in 0..2 {
                let bound = mix_rows().bind().scalar(100u64).reads(u).writes(v);
                let error = region.parallel_for(1..gpus * 800 - 1, bound).run().unwrap_err();
                assert!(matches!(error, apportion::Error::TooLarge(_)), "{error}");
                assert!(error.to_string().contains("on device `cuda:0`, which has 1048576 bytes"), "{error}");
            }
            region.finish().unwrap();
            drop(rt);
            standin.nothing_is_left("arrays that did not fit");
        }
    });
}

/// Kernels that the host can run, and a GPU cannot: no such entry, an image that is refused, a parameter too few, groups too large.
fn not_on_gpus() -> Vec<(Kernel, &'static str)> {
    let host = |rows: Range<usize>, by: u64, mut x: Out<u64>| rows.for_each(|i| x[i] += by);
    let variant = |image: &str, entry: &str, group: usize| {
        // SAFETY: none of these ever runs.
        Kernel::new("more").host(host).cuda_image(unsafe { DeviceImage::new(image, entry, Grid::per_iteration(group)) })
    };
    vec![
        (variant("standin:", "nothing_of_this_name", 4), "there is no kernel"),
        (variant("bad", "update_rows", 4), "cannot be loaded"),
        (variant("standin:", "mix_rows", 4), "parameters, but is called with"),
        (variant("standin:", "update_rows", 1 << 24), "at most"),
    ]
}

#[test]
fn kernels_that_a_gpu_cannot_have_are_told_before_any_device_begins() {
    alone(concat!(module_path!(), "::kernels_that_a_gpu_cannot_have_are_told_before_any_device_begins"), |standin| {
        for (gpus, with_host) in [(1, true), (2, true), (2, false)] {
            let rt = runtime(&machine(gpus, with_host));
            for (kernel, why) in not_on_gpus() {
                // As a region's first kernel: the GPUs are left out, and without another device it is an error of the call.
                let mut x = vec![1u64; 100];
                let mut region = rt.data_region().split(RegionSplit::Even);
                let mapped = region.tofrom(&mut x, [100]);
                let first = region.parallel_for(0..100, kernel.bind().scalar(1u64).updates(mapped)).run();
                if with_host {
                    first.unwrap();
                    let report = region.finish().unwrap();
                    assert_eq!(x, [2; 100], "{report}");
                    assert_eq!(report.left_out.len(), gpus, "{report}");
                    assert!(report.left_out.iter().all(|left| left.reason.contains(why)), "{why}: {report}");
                } else {
                    let error = first.unwrap_err();
                    assert!(matches!(error, Error::Call(_)) && error.to_string().contains(why), "{error}");
                    region.finish().unwrap();
                }
                // As a later one: the error names a GPU that has rows, and the region goes on.
                let (start, shape) = (numbers(gpus * 2000), [gpus * 20, 100]);
                let mut v = start.clone();
                let mut region = rt.data_region().split(RegionSplit::Even);
                let (old, now) = (region.to(&start, shape.halo(1)), region.tofrom(&mut v, shape));
                let mixed = || mix_rows().bind().scalar(100u64).reads(old).writes(now);
                region.parallel_for(1..gpus * 20 - 1, mixed()).run().unwrap();
                for _ in 0..2 {
                    let error =
                        region.parallel_for(0..gpus * 20, kernel.bind().scalar(1u64).updates(now)).run().unwrap_err();
                    let text = error.to_string();
                    assert!(matches!(error, Error::Call(_)) && text.contains(why) && text.contains("cuda:"), "{text}");
                }
                region.parallel_for(1..gpus * 20 - 1, mixed()).run().unwrap();
                region.finish().unwrap();
                same(&v, &serial(&start, shape, [1, 1], 1), why);
            }
            drop(rt);
            standin.nothing_is_left("kernels that GPUs cannot have");
        }
    });
}

/// A fault that shows as the next kernel is loaded is no matter of that kernel: the region is lost, and the error says why.
#[test]
fn a_fault_before_a_new_kernel_is_loaded_is_told_as_a_fault() {
    alone(concat!(module_path!(), "::a_fault_before_a_new_kernel_is_loaded_is_told_as_a_fault"), |standin| {
        for gpus in [1, 2] {
            standin.fresh();
            // Whoever waits has everything run.
            standin.order(1, 100);
            let rt = runtime(&machine(gpus, false));
            let (start, shape) = (numbers(gpus * 2000), [gpus * 20, 100]);
            let (mut v, mut w) = (start.clone(), start.clone());
            {
                let mut regions = [&mut v, &mut w].map(|array| {
                    let mut region = rt.data_region().split(RegionSplit::Even);
                    let (old, now) = (region.to(&start, shape.halo(1)), region.tofrom(array, shape));
                    let bound = mix_rows().bind().scalar(100u64).reads(old).writes(now);
                    region.parallel_for(1..gpus * 20 - 1, bound).run().unwrap();
                    region.wait().unwrap();
                    (region, old, now)
                });
                standin.fail_when_run("kernel", 1, ILLEGAL_ADDRESS);
                for (region, old, now) in &mut regions {
                    let bound = mix_rows().bind().scalar(100u64).reads(*old).writes(*now);
                    region.parallel_for(1..gpus * 20 - 1, bound).run().unwrap();
                }
                let [(mut region, old, now), (mut other, ..)] = regions;
                let error = other.wait().unwrap_err();
                assert!(error.to_string().contains("illegal memory access"), "{error}");
                let new = Kernel::new("from_above").host(|_: Range<usize>, _: u64, _: In<u64>, _: Out<u64>| {});
                let bound = new.cuda_image(image("from_above")).bind().scalar(100u64).reads(old).writes(now);
                let error = region.parallel_for(1..gpus * 20 - 1, bound).run().unwrap_err();
                assert!(matches!(error, Error::Device(_)), "{error}");
                assert!(error.to_string().contains("illegal memory access"), "{error}");
                assert!(region.finish().is_err(), "its rows are lost");
            }
            drop(rt);
            standin.nothing_is_left("a fault before a new kernel");
        }
    });
}

#[test]
fn a_region_that_is_dropped_with_loops_under_way_leaves_nothing() {
    alone(concat!(module_path!(), "::a_region_that_is_dropped_with_loops_under_way_leaves_nothing"), |standin| {
        let [n, m] = [40, 9];
        for (seed, gpus) in (0..3).flat_map(|seed| [1, 2, 4].map(|gpus| (seed, gpus))) {
            for panics in [false, true] {
                let what = format!("{gpus} GPUs, seed {seed}, panics: {panics}");
                watch(what.clone());
                standin.fresh();
                standin.order(seed, [0, 25, 100][seed as usize % 3]);
                let rt = runtime(&machine(gpus, false));
                let start = numbers(n * m);
                let mut held = Vec::new();
                for _ in 0..4 {
                    let (mut u, mut v) = (start.clone(), start.clone());
                    let left = catch_unwind(AssertUnwindSafe(|| {
                        let mut region = rt.data_region();
                        let mut old = region.tofrom(&mut u, [n, m].halo(1));
                        let mut now = region.tofrom(&mut v, [n, m].halo(1));
                        let column = region.to(&start[..n], [n]);
                        for _ in 0..5 {
                            let bound = mix_rows().bind().scalar(m as u64).reads(old).writes(now);
                            region.parallel_for(1..n - 1, bound).run().unwrap();
                            let sums = region.parallel_for(0..n, total().bind().reads(column));
                            // This result is never asked for.
                            let _ = sums.reduce_later::<u64>(Sum).unwrap();
                            std::mem::swap(&mut old, &mut now);
                        }
                        if panics {
                            panic!("in the middle");
                        }
                    }));
                    assert_eq!(left.is_err(), panics);
                    assert_eq!(standin.count("pending"), 0, "{what}: GPUs are still at work");
                    if !panics {
                        same(&v, &serial(&start, [n, m], [1, 1], 5), &what);
                    }
                    held.push(["allocated_bytes", "page_locked_bytes", "events", "streams"].map(|c| standin.count(c)));
                }
                assert_eq!(held[1], held[3], "{what}: what is held grows");
                drop(rt);
                standin.nothing_is_left(&what);
            }
        }
    });
}

/// Each step has a loop and an exchange, so loops and exchanges alternate: times are still taken after the first loops.
#[test]
fn loops_are_timed_now_and_then_also_between_exchanges() {
    alone(concat!(module_path!(), "::loops_are_timed_now_and_then_also_between_exchanges"), |standin| {
        let [n, m] = [60, 9];
        let (mut u, mut v) = (numbers(n * m), numbers(n * m));
        standin.fresh();
        let rt = runtime(&machine(2, false));
        let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
        let mut old = region.tofrom(&mut u, [n, m].halo(1));
        let mut now = region.tofrom(&mut v, [n, m].halo(1));
        let mut timed = Vec::new();
        for _ in 0..6 {
            for _ in 0..32 {
                let bound = mix_rows().bind().scalar(m as u64).reads(old).writes(now);
                region.parallel_for(1..n - 1, bound).run().unwrap();
                region.halo_exchange(now).unwrap();
                std::mem::swap(&mut old, &mut now);
            }
            let report = region.report().unwrap();
            timed.push(report.devices.iter().map(|device| device.iterations).collect::<Vec<_>>());
        }
        region.finish().unwrap();
        let more = |pair: &[Vec<u64>]| pair[0].iter().zip(&pair[1]).all(|(before, after)| before < after);
        assert!(timed.windows(2).all(more), "{timed:?}");
    });
}

/// A copy of much plain memory waits for other threads. A job of a pool that did so while it holds the GPU would begin other jobs,
/// which need it.
#[test]
fn regions_of_a_pools_jobs_take_turns() {
    use rayon::prelude::*;
    alone(concat!(module_path!(), "::regions_of_a_pools_jobs_take_turns"), |standin| {
        standin.fresh();
        never_register(standin);
        let (told, hear) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let rt = runtime(&machine(1, false));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let job = |_| {
                let (x, mut y) = (numbers(1 << 20), numbers(1 << 20));
                let expected: Vec<u64> = x.iter().zip(&y).map(|(x, y)| y.wrapping_mul(3).wrapping_add(*x)).collect();
                let mut region = rt.data_region();
                let (a, b) = (region.to(&x, [x.len()]), region.tofrom(&mut y, [x.len()]));
                region.parallel_for(0..x.len(), triple_add().bind().reads(a).updates(b)).run().unwrap();
                region.update_from(b).unwrap();
                region.finish().unwrap();
                same(&y, &expected, "a job's region");
            };
            pool.install(|| (0..12).into_par_iter().with_max_len(1).for_each(job));
            // Columns of two GPUs overlap in memory, so that they are fetched one after the other.
            let rt = runtime(&machine(2, false));
            let (n, m) = (1024, 1200);
            let start = numbers(n * m);
            let expected = serial(&start, [n, m], [1, 1], 1);
            let job = |_| {
                let (u, mut v) = (start.clone(), start.clone());
                let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
                let (a, b) = (region.to(&u, [n, m].halo(1)), region.tofrom(&mut v, [n, m].halo(1)));
                let bound = mix_cells().bind().reads(a).writes(b);
                region.parallel_for_2d(1..n - 1, 1..m - 1, bound).run().unwrap();
                region.finish().unwrap();
                same(&v, &expected, "a job's grid");
            };
            pool.install(|| (0..6).into_par_iter().with_max_len(1).for_each(job));
            told.send(()).unwrap();
        });
        hear.recv_timeout(std::time::Duration::from_secs(120)).expect("regions that wait for one another, or failed");
    });
}
