//! Data regions on OpenCL devices (PoCL is enough), alone and with the host and emulated devices: results equal those of plain
//! loops to the last bit.
//!
//! Without an OpenCL device the tests say that they are skipped; with `APPORTION_REQUIRE_OPENCL` they fail.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
#![cfg(feature = "opencl")]

use apportion::kernel::{Cost, DeviceSource, Grid, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Edge, RegionSplit};

mod common;
use common::machines::{emulated, emulated_shared, host, opencl, runtime};

fn open(devices: &[String]) -> Option<Runtime> {
    match runtime(devices) {
        Ok(rt) => Some(rt),
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("OpenCL is required here: {error}"),
    }
}

/// One device may be opened several times if the descriptions differ: here in how much of the platform's name they contain.
fn pocl(name: &str, memory: &str) -> String {
    let said = 5 + usize::from(name.as_bytes()[name.len() - 1] - b'a');
    opencl(name, memory).replace("portable", &"portable computing"[..said])
}

fn copies(name: &str) -> String {
    pocl(name, "discrete")
}

fn in_place(name: &str) -> String {
    pocl(name, "shared")
}

/// Sets of devices that include OpenCL devices.
fn sets() -> Vec<Vec<String>> {
    vec![
        vec![copies("a")],
        vec![in_place("a")],
        vec![copies("a"), copies("b")],
        vec![copies("a"), in_place("b")],
        vec![host(), copies("a")],
        vec![in_place("a"), host()],
        vec![emulated("e", 10.0), copies("a"), host()],
        vec![copies("a"), emulated("e", 10.0), in_place("b"), copies("c"), emulated_shared("f", 10.0)],
    ]
}

fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 20)).collect()
}

/// Each neighbour has another weight, and numbers wrap, so that any wrong cell shows.
fn mix(at: u64, above: u64, below: u64, left: u64, right: u64) -> u64 {
    let sum = at.wrapping_mul(5).wrapping_add(above.wrapping_mul(3)).wrapping_add(below.wrapping_mul(7));
    sum.wrapping_add(left.wrapping_sub(right).wrapping_mul(11))
}

const MIX: &str = "ulong mix(ulong at, ulong above, ulong below, ulong left, ulong right) {
    return at * 5 + above * 3 + below * 7 + (left - right) * 11;
}\n";

/// Rows with a ghost row on each side; the columns at the edges stay unchanged.
fn relax() -> Kernel {
    let source = "__kernel void relax(long lo, long hi, ulong width, __global const ulong *old, long old0,
                                      __global ulong *now, long now0) {
        long i = lo + get_global_id(0), m = (long)width;
        if (i >= hi) return;
        for (long j = 1; j < m - 1; ++j) {
            long at = i * m + j - old0;
            now[i * m + j - now0] = mix(old[at], old[at - m], old[at + m], old[at - 1], old[at + 1]);
        }
    }";
    Kernel::new("relax")
        .host(|rows: Range<usize>, m: u64, old: In<u64>, mut now: Out<u64>| {
            let m = m as usize;
            for at in rows.flat_map(|i| (1..m - 1).map(move |j| i * m + j)) {
                // Ghost rows before row 0 have negative numbers.
                now[at] = mix(old[at], old[at.wrapping_sub(m)], old[at + m], old[at - 1], old[at + 1]);
            }
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .opencl_source(unsafe { DeviceSource::new(format!("{MIX}{source}"), "relax", Grid::per_iteration(8)) })
        .cost(Cost::per_iteration().flops(100).loads(100).stores(100))
}

/// As [`relax`], over rows and columns.
fn relax_cells() -> Kernel {
    let source = "__kernel void relax(long lo, long hi, long lo1, long hi1,
                                      __global const ulong *old, long old0, long m,
                                      __global ulong *now, long now0, long now_m) {
        long i = lo + get_global_id(1), j = lo1 + get_global_id(0);
        if (i >= hi || j >= hi1) return;
        long at = i * m + j - old0;
        now[i * now_m + j - now0] = mix(old[at], old[at - m], old[at + m], old[at - 1], old[at + 1]);
    }";
    let grid = Grid::of_rows_and_columns([4, 2, 1], |rows, columns| [columns, rows, 1]);
    Kernel::new("relax_cells")
        .host_tiles(|rows: Range<usize>, columns: Range<usize>, old: In<u64>, mut now: Out<u64>| {
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i as isize, j as isize))) {
                let cell = |i: isize, j: isize| old.cells(i, j..j + 1)[0];
                now.cells_mut(i, j..j + 1)[0] =
                    mix(cell(i, j), cell(i - 1, j), cell(i + 1, j), cell(i, j - 1), cell(i, j + 1));
            }
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .opencl_source(unsafe { DeviceSource::new(format!("{MIX}{source}"), "relax", grid) })
        .cost(Cost::per_iteration().flops(10).loads(40).stores(8))
}

/// Sweeps over cells at least `margin` from the edge, with periodic edges.
fn serial(start: &[u64], [n, m]: [usize; 2], [rows, columns]: [usize; 2], sweeps: usize) -> Vec<u64> {
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

fn same(found: &[u64], expected: &[u64], m: usize, what: &str) {
    if let Some(at) = (0..expected.len()).find(|&at| found[at] != expected[at]) {
        panic!("row {}, column {}: {:#x}, not {:#x}; {what}", at / m, at % m, found[at], expected[at]);
    }
}

#[test]
fn sweeps_with_halos_equal_serial_ones() -> Result<()> {
    let (n, m, sweeps) = (37, 11, 7);
    let start = numbers(n * m);
    for set in sets() {
        let Some(rt) = open(&set) else { return Ok(()) };
        let uneven = RegionSplit::Weights((0..set.len()).map(|slot| 1.0 + slot as f64).collect());
        for split in [RegionSplit::Even, RegionSplit::Model, uneven] {
            for edge in [Edge::None, Edge::Periodic] {
                let (mut u, mut v) = (start.clone(), start.clone());
                let mut region = rt.data_region().split(split.clone());
                let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(edge));
                let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(edge));
                let margin = if edge == Edge::None { 1 } else { 0 };
                for _ in 0..sweeps {
                    let bound = relax().bind().scalar(m as u64).reads(old).writes(now);
                    region.parallel_for(margin..n - margin, bound).run()?;
                    std::mem::swap(&mut old, &mut now);
                }
                let report = region.finish()?;
                let expected = serial(&start, [n, m], [margin, 1], sweeps);
                same(&v, &expected, m, &format!("{set:?} {split:?} {edge:?}\n{report}"));
            }
        }
    }
    Ok(())
}

#[test]
fn rows_that_move_between_devices_keep_their_values() -> Result<()> {
    // The slowest device starts with half of the rows. Once that is measured they move, and with them the ghost rows.
    let (n, m, sweeps) = (64, 200, 120);
    let set = [copies("a"), emulated("e", 0.001), copies("b")];
    let Some(rt) = open(&set) else { return Ok(()) };
    let start = numbers(n * m);
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().split(RegionSplit::Weights(vec![1.0, 2.0, 1.0]));
    let mut old = region.tofrom(&mut u, [n, m].halo(1));
    let mut now = region.tofrom(&mut v, [n, m].halo(1));
    for _ in 0..sweeps {
        region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(now)).run()?;
        std::mem::swap(&mut old, &mut now);
    }
    let report = region.finish()?;
    println!("{report}");
    same(&u, &serial(&start, [n, m], [1, 1], sweeps), m, &report.to_string());
    Ok(())
}

/// The sum over all rows of each row's elements.
fn total() -> Kernel {
    let source = "__kernel void total(long lo, long hi, ulong width, __global const ulong *x, long x0,
                                      __global ulong *partial) {
        __local ulong sums[8];
        long i = lo + get_global_id(0), m = (long)width;
        ulong sum = 0;
        if (i < hi) for (long j = 0; j < m; ++j) sum += x[i * m + j - x0] * (ulong)(i + 1);
        sums[get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            ulong all = 0;
            for (int k = 0; k < 8; ++k) all += sums[k];
            partial[get_group_id(0)] = all;
        }
    }";
    Kernel::new("total")
        .host(|rows: Range<usize>, _: u64, x: In<u64>| {
            let row = |i: usize| x.row(i).iter().fold(0u64, |a, b| a.wrapping_add(*b)).wrapping_mul(i as u64 + 1);
            rows.map(row).fold(0u64, u64::wrapping_add)
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .opencl_source(unsafe { DeviceSource::new(source, "total", Grid::per_iteration(8)) })
        .cost(Cost::per_iteration().flops(20).loads(80))
}

fn sum(x: &[u64], m: usize) -> u64 {
    let row = |(i, row): (usize, &[u64])| row.iter().fold(0u64, |a, b| a.wrapping_add(*b)).wrapping_mul(i as u64 + 1);
    x.chunks(m).enumerate().map(row).fold(0, u64::wrapping_add)
}

#[test]
fn reductions_between_sweeps_see_what_was_written_before_them() -> Result<()> {
    let (n, m) = (41, 9);
    let start = numbers(n * m);
    for set in sets() {
        let Some(rt) = open(&set) else { return Ok(()) };
        let (mut u, mut v) = (start.clone(), start.clone());
        let mut region = rt.data_region().split(RegionSplit::Even);
        let mut old = region.tofrom(&mut u, [n, m].halo(1));
        let mut now = region.tofrom(&mut v, [n, m].halo(1));
        let mut later = Vec::new();
        for sweep in 1..=6 {
            region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(now)).run()?;
            std::mem::swap(&mut old, &mut now);
            let bound = total().bind().scalar(m as u64).reads(old).halo(0);
            let reduce = region.parallel_for(0..n, bound);
            let expected = sum(&serial(&start, [n, m], [1, 1], sweep), m);
            // Some results are waited for at once; others are asked for after many more loops.
            if sweep % 2 == 0 {
                assert_eq!(reduce.reduce::<u64>(Sum)?, expected, "sweep {sweep}, {set:?}");
            } else {
                later.push((sweep, reduce.reduce_later::<u64>(Sum)?, expected));
            }
        }
        for (sweep, value, expected) in later {
            assert_eq!(region.value(value)?, expected, "sweep {sweep}, {set:?}");
        }
        region.finish()?;
    }
    Ok(())
}

#[test]
fn devices_in_a_grid_exchange_columns_too() -> Result<()> {
    let (n, m, sweeps) = (23, 19, 5);
    let start = numbers(n * m);
    let sets = [
        (Arrangement::Grid(2, 2), vec![emulated("e", 10.0), host(), emulated("f", 20.0), emulated("g", 10.0)]),
        (Arrangement::Grid(1, 2), vec![copies("a"), copies("b")]),
        (Arrangement::Grid(2, 2), vec![copies("a"), copies("b"), emulated("e", 10.0), copies("c")]),
        (Arrangement::Grid(2, 2), vec![copies("a"), host(), emulated("e", 10.0), copies("b")]),
        (Arrangement::Grid(2, 3), ["a", "b", "c", "d", "e", "f"].map(copies).to_vec()),
        (Arrangement::Grid(2, 1), vec![copies("a"), emulated_shared("f", 10.0)]),
        (Arrangement::Grid(1, 1), vec![copies("a")]),
    ];
    for (arrangement, set) in sets {
        let Some(rt) = open(&set) else { continue };
        for edge in [Edge::None, Edge::Periodic] {
            let margin = if edge == Edge::None { 1 } else { 0 };
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut region = rt.data_region().arrangement(arrangement);
            let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(edge));
            let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(edge));
            for _ in 0..sweeps {
                let bound = relax_cells().bind().reads(old).writes(now);
                region.parallel_for_2d(margin..n - margin, margin..m - margin, bound).run()?;
                std::mem::swap(&mut old, &mut now);
            }
            let report = region.finish()?;
            let expected = serial(&start, [n, m], [margin, margin], sweeps);
            same(&v, &expected, m, &format!("{set:?} {edge:?}\n{report}"));
        }
    }
    Ok(())
}

#[test]
fn a_loop_over_columns_in_the_hosts_memory_is_refused() -> Result<()> {
    let Some(rt) = open(&[in_place("a")]) else { return Ok(()) };
    let mut u = numbers(20 * 20);
    let mut region = rt.data_region();
    let old = region.alloc::<u64>([20, 20].halo(1));
    let now = region.tofrom(&mut u, [20, 20].halo(1));
    let ran = region.parallel_for_2d(1..19usize, 1..19usize, relax_cells().bind().reads(old).writes(now)).run();
    let error = ran.expect_err("PoCL in the host's memory knows rows only").to_string();
    assert!(error.contains("rows and columns") && error.contains("`a`") && error.contains("discrete"), "{error}");
    Ok(())
}

/// The machine without a GPU that `Runtime::detect` makes.
#[test]
fn a_region_whose_first_loop_is_over_columns_does_without_a_device_that_knows_rows_only() -> Result<()> {
    let (n, m) = (20, 20);
    let Some(rt) = open(&[host(), in_place("a")]) else { return Ok(()) };
    let start = numbers(n * m);
    let mut v = start.clone();
    let mut region = rt.data_region();
    let (old, now) = (region.to(&start, [n, m].halo(1)), region.tofrom(&mut v, [n, m].halo(1)));
    region.parallel_for_2d(1..n - 1, 1..m - 1, relax_cells().bind().reads(old).writes(now)).run()?;
    let report = region.finish()?;
    same(&v, &serial(&start, [n, m], [1, 1], 1), m, &report.to_string());
    let [left] = &report.left_out[..] else { panic!("{report}") };
    assert!(left.device == "a" && left.reason.contains("rows and columns"), "{report}");
    Ok(())
}

#[test]
fn a_later_loop_over_columns_is_refused_and_the_region_goes_on() -> Result<()> {
    let (n, m) = (20, 20);
    let Some(rt) = open(&[host(), in_place("a")]) else { return Ok(()) };
    let start = numbers(n * m);
    let mut v = start.clone();
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (old, now) = (region.to(&start, [n, m].halo(1)), region.tofrom(&mut v, [n, m].halo(1)));
    let by_rows = || relax().bind().scalar(m as u64).reads(old).writes(now);
    region.parallel_for(1..n - 1, by_rows()).run()?;
    let cells = || relax_cells().bind().reads(old).writes(now);
    let error = region.parallel_for_2d(1..n - 1, 1..m - 1, cells()).run().unwrap_err().to_string();
    assert!(error.contains("`a`") && error.contains("rows and columns") && error.contains(".devices(..)"), "{error}");
    // The host alone has these rows.
    region.parallel_for_2d(1..n / 2, 1..m - 1, cells()).run()?;
    region.parallel_for(1..n - 1, by_rows()).run()?;
    let report = region.finish()?;
    same(&v, &serial(&start, [n, m], [1, 1], 1), m, &report.to_string());
    Ok(())
}

#[test]
fn the_hosts_changes_reach_the_devices_and_theirs_the_host() -> Result<()> {
    let (n, m) = (30, 8);
    let start = numbers(n * m);
    for set in sets() {
        let Some(rt) = open(&set) else { return Ok(()) };
        let (mut u, mut v) = (start.clone(), start.clone());
        let mut region = rt.data_region().split(RegionSplit::Even);
        let old = region.tofrom(&mut u, [n, m].halo(1));
        let now = region.tofrom(&mut v, [n, m].halo(1));
        let mut expected = start.clone();
        for step in 0..4 {
            region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(now)).run()?;
            expected = serial(&expected, [n, m], [1, 1], 1);
            region.update_from(now)?;
            same(region.host(now)?, &expected, m, &format!("step {step}, {set:?}"));
            // What the host changes is read on the devices, ghost rows included.
            expected.iter_mut().for_each(|x| *x = x.rotate_left(7));
            region.host_mut(old)?.copy_from_slice(&expected);
            region.update_to(old)?;
            region.host_mut(now)?.copy_from_slice(&expected);
            region.update_to(now)?;
        }
        region.finish()?;
    }
    Ok(())
}

#[test]
fn a_kernel_that_does_not_take_what_is_bound_is_told_and_the_device_goes_on() -> Result<()> {
    let Some(rt) = open(&[copies("a")]) else { return Ok(()) };
    let mut u = numbers(40);
    // The parameters lack pitches, as in a kernel for a loop over rows alone.
    let source = "__kernel void k(long lo, long hi, long lo1, long hi1, __global ulong *x, long x0) { }";
    let grid = Grid::of_rows_and_columns([4, 1, 1], |rows, columns| [columns, rows, 1]);
    // SAFETY: the kernel stays within the sections that it is given.
    let wrong = Kernel::new("k").opencl_source(unsafe { DeviceSource::new(source, "k", grid) });
    let expected = sum(&u, 5);
    for right_first in [false, true] {
        let mut region = rt.data_region();
        let x = region.tofrom(&mut u, [8, 5]);
        let summed = |region: &mut DataRegion<'_, '_>| {
            region.parallel_for(0..8usize, total().bind().scalar(5u64).reads(x)).reduce::<u64>(Sum)
        };
        if right_first {
            assert_eq!(summed(&mut region)?, expected);
        }
        for _ in 0..2 {
            let error =
                region.parallel_for_2d(0..8usize, 0..5usize, wrong.bind().updates(x)).run().unwrap_err().to_string();
            assert!(error.contains("6 parameters") && error.contains("elements from row to row"), "{error}");
        }
        assert_eq!(summed(&mut region)?, expected);
    }
    // A kernel that ran is called in other ways: each has parameters of its own.
    let source = "__kernel void one(long lo, long hi, __global ulong *x, long x0) {
        long i = lo + get_global_id(0);
        if (i < hi) x[i - x0] += 1;
    }";
    // SAFETY: the kernel stays within the sections that it is given.
    let source = unsafe { DeviceSource::new(source, "one", Grid::per_iteration(4)) };
    let kernel = Kernel::new("one").opencl_source(source);
    let mut x = vec![1u64; 100];
    let mut region = rt.data_region();
    let mapped = region.tofrom(&mut x, [100]);
    region.parallel_for(0..100, kernel.bind().updates(mapped)).run()?;
    for _ in 0..2 {
        let error = region.parallel_for(0..100, kernel.bind().updates(mapped)).reduce::<u64>(Sum).unwrap_err();
        assert!(error.to_string().contains("4 parameters, but is called with 5"), "{error}");
        let error = region.parallel_for(0..100, kernel.bind().scalar(1u64).updates(mapped)).run().unwrap_err();
        assert!(matches!(error, Error::Call(_)) && error.to_string().contains("4 parameters"), "{error}");
        region.parallel_for(0..100, kernel.bind().updates(mapped)).run()?;
    }
    region.finish()?;
    assert_eq!(x, [4; 100]);
    Ok(())
}

/// The same kernel, over the same rows and arrays, is called with a scalar, or reduces to a number, of another type.
#[test]
fn a_scalar_of_another_type_than_before_is_told_and_the_region_goes_on() -> Result<()> {
    let Some(rt) = open(&[copies("a")]) else { return Ok(()) };
    let add = "__kernel void add(long lo, long hi, ulong by, __global ulong *x, long x0) {
        long i = lo + get_global_id(0);
        if (i < hi) x[i - x0] += by;
    }";
    let least = "__kernel void least(long lo, long hi, __global const ulong *x, long x0, __global ulong *partial) {
        if (get_local_id(0) == 0) partial[get_group_id(0)] = 7;
    }";
    // SAFETY: the kernels stay within the sections that they are given.
    let of = |text, name: &str| unsafe { DeviceSource::new(text, name, Grid::per_iteration(4)) };
    let add = Kernel::new("add").opencl_source(of(add, "add"));
    let least = Kernel::new("least").opencl_source(of(least, "least"));
    let mut x = vec![1u64; 100];
    let mut region = rt.data_region();
    let mapped = region.tofrom(&mut x, [100]);
    for _ in 0..2 {
        region.parallel_for(0..100, add.bind().scalar(2u64).updates(mapped)).run()?;
        let error = region.parallel_for(0..100, add.bind().scalar(2u8).updates(mapped)).run().unwrap_err();
        assert!(matches!(error, Error::Call(_)) && error.to_string().contains("no `uchar`"), "{error}");
        assert_eq!(region.parallel_for(0..100, least.bind().reads(mapped)).reduce::<u64>(Min)?, 7);
        let error = region.parallel_for(0..100, least.bind().reads(mapped)).reduce::<u8>(Min).unwrap_err();
        assert!(matches!(error, Error::Call(_)) && error.to_string().contains("no `uchar*`"), "{error}");
    }
    region.finish()?;
    assert_eq!(x, [5; 100]);
    Ok(())
}

#[test]
fn what_does_not_fit_in_a_devices_memory_is_said() -> Result<()> {
    let small = copies("a").replace(r#""memory_gib": {"value": 1"#, r#""memory_gib": {"value": 0.001"#);
    let Some(rt) = open(&[small]) else { return Ok(()) };
    let x = vec![1u64; 1 << 18];
    {
        let mut region = rt.data_region();
        let x = region.to(&x, [1 << 12, 1 << 6]);
        let error = region.parallel_for(0..1usize << 12, total().bind().scalar(64u64).reads(x)).reduce::<u64>(Sum);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("`a`") && error.contains("2097152 bytes"), "{error}");
    }
    // What fits still runs.
    let mut region = rt.data_region();
    let half = region.to(&x[..1 << 16], [1 << 10, 1 << 6]);
    let found = region.parallel_for(0..1usize << 10, total().bind().scalar(64u64).reads(half)).reduce::<u64>(Sum)?;
    assert_eq!(found, sum(&x[..1 << 16], 64));
    Ok(())
}

#[test]
fn ghosts_past_the_edges_of_arrays_that_all_devices_have_follow_what_is_written() -> Result<()> {
    let (n, m, sweeps) = (29, 6, 5);
    let start = numbers(n * m);
    for set in sets() {
        let Some(rt) = open(&set) else { return Ok(()) };
        let mut v = start.clone();
        let mut region = rt.data_region().split(RegionSplit::Even);
        let old = region.to(&start, [n, m]);
        let all = region.alloc::<u64>([n, m].full().halo(1).edge(Edge::Periodic));
        let now = region.tofrom(&mut v, [n, m]);
        for sweep in 0..sweeps {
            // The first comes before the first loop.
            region.copy(if sweep == 0 { old } else { now }, all)?;
            region.parallel_for(0..n, relax().bind().scalar(m as u64).reads(all).writes(now)).run()?;
        }
        region.finish()?;
        same(&v, &serial(&start, [n, m], [0, 1], sweeps), m, &format!("{set:?}"));
    }
    Ok(())
}

/// Sums of floats depend on their order: in blocks they are the same on any devices.
#[test]
fn reproducible_sums_are_the_same_on_one_opencl_device_and_on_several() -> Result<()> {
    let (n, m) = (203, 7);
    let values: Vec<f64> =
        (0..n * m).map(|i| ((i * 7919 + 13) % 1009) as f64 * 1e3f64.powi(i as i32 % 5 - 2)).collect();
    let source = "__kernel void sum(long lo, long hi, ulong width, __global const double *x, long x0,
                                    __global double *partial) {
        long i = lo + get_global_id(0), m = (long)width;
        double sum = 0;
        if (i < hi) for (long j = 0; j < m; ++j) sum += x[i * m + j - x0];
        partial[get_group_id(0)] = sum;
    }";
    // SAFETY: the kernel stays within the sections that it is given.
    let sum = Kernel::new("sum").opencl_source(unsafe { DeviceSource::new(source, "sum", Grid::per_iteration(1)) });
    let mut seen = Vec::new();
    let sets = [vec![copies("a")], vec![in_place("a")], vec![copies("a"), in_place("b"), copies("c")]];
    for set in sets {
        let Some(rt) = open(&set) else { return Ok(()) };
        let mut region = rt.data_region().split(RegionSplit::Even).reproducible(8);
        let x = region.to(&values, [n, m]);
        let value: f64 = region.parallel_for(3..n, sum.bind().scalar(m as u64).reads(x)).reduce(Sum)?;
        seen.push((value.to_bits(), format!("{set:?}")));
    }
    assert!(seen.iter().all(|(bits, _)| *bits == seen[0].0), "{seen:?}");
    Ok(())
}

#[test]
fn times_of_loops_over_rows_and_columns_are_those_of_all_their_cells() -> Result<()> {
    let (n, m, loops) = (32, 24, 5);
    let set = [copies("a"), copies("b"), copies("c"), copies("d")];
    let Some(rt) = open(&set) else { return Ok(()) };
    let start = numbers(n * m);
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().arrangement(Arrangement::Grid(2, 2));
    let mut old = region.tofrom(&mut u, [n, m].halo(1).edge(Edge::Periodic));
    let mut now = region.tofrom(&mut v, [n, m].halo(1).edge(Edge::Periodic));
    for _ in 0..loops {
        region.parallel_for_2d(0..n, 0..m, relax_cells().bind().reads(old).writes(now)).run()?;
        std::mem::swap(&mut old, &mut now);
    }
    let report = region.finish()?;
    for device in &report.devices {
        assert_eq!((device.loops, device.iterations), (loops as u64, (loops * n * m / 4) as u64), "{report}");
        assert!(device.kernel.0 > 0.0 && device.exchange.0 > 0.0, "{report}");
    }
    Ok(())
}

/// An array of 28 bytes, no multiple of 8, in the region's own memory on the host and in device memory.
#[test]
fn a_histogram_of_odd_length_is_combined_on_all_devices() -> Result<()> {
    let source =
        "__kernel void count(long lo, long hi, __global const uint *x, long x0, __global uint *bins, long bins0) {
        long i = lo + get_global_id(0);
        if (i < hi) atomic_inc(bins + x[i - x0] - bins0);
    }";
    let count = Kernel::new("count")
        .host(|rows: Range<usize>, x: In<u32>, mut bins: Out<u32>| rows.for_each(|i| bins[x[i] as usize] += 1))
        // SAFETY: the kernel stays within the sections that it is given.
        .opencl_source(unsafe { DeviceSource::new(source, "count", Grid::per_iteration(4)) });
    let (n, values) = (100, (0..100u32).map(|i| i * i % 7).collect::<Vec<_>>());
    for set in sets() {
        let Some(rt) = open(&set) else { return Ok(()) };
        let (start, mut other, mut found) = ([1u32, 2, 3, 4, 5, 6, 7], [0u32; 7], [0u32; 7]);
        let mut expected = start;
        let mut region = rt.data_region().split(RegionSplit::Even);
        let x = region.to(&values, [n]);
        let first = region.to(&start, [7].full());
        let scratch = region.tofrom(&mut other, [7].full());
        let found_ = region.from(&mut found, [7].full());
        let counts = region.alloc::<u32>([7].full());
        region.parallel_for(0..n, count.bind().reads(x).reduces(scratch, Sum)).run()?;
        region.copy(first, counts)?;
        region.parallel_for(0..n, count.bind().reads(x).reduces(counts, Sum)).run()?;
        values.iter().for_each(|&value| expected[value as usize] += 1);
        region.copy(counts, found_)?;
        region.finish()?;
        assert_eq!(found, expected, "{set:?}");
    }
    Ok(())
}

/// Reads elements that the data choose.
#[kernel]
#[map(x: full)]
fn gathered(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize] + 1.0;
}

#[test]
fn values_of_a_loop_that_went_out_of_bounds_are_not_shown() -> Result<()> {
    let n = 300;
    let (x, mut at) = (vec![1.0f32; 50], vec![7u32; n]);
    at[290] = 50;
    for set in [vec![copies("a")], vec![copies("a"), copies("b")], vec![copies("a"), in_place("b")]] {
        let Some(rt) = open(&set) else { return Ok(()) };
        for call in ["update_from", "wait_for"] {
            let mut y = vec![-1.0f32; n];
            let mut region = rt.data_region().split(RegionSplit::Even);
            let (at, x) = (region.to(&at, [n]), region.to(&x, [50].full()));
            let y = region.from(&mut y, [n]);
            // A device in the host's memory is done, and has failed, when the loop returns.
            let looped = region.parallel_for(0..n, gathered(at, x, y)).run();
            let asked = looped.and_then(|()| match call {
                "update_from" => region.update_from(y),
                // The last device has the iteration.
                _ => region.wait_for("a").and_then(|()| region.wait_for("b")),
            });
            let error = asked.expect_err(call).to_string();
            assert!(error.contains("element 50 ") && error.contains("array `x`"), "{call} {set:?}: {error}");
            let error = region.update_from(y).expect_err("its rows are lost").to_string();
            assert!(error.contains("lost"), "{call} {set:?}: {error}");
        }
    }
    Ok(())
}

#[test]
fn to_wait_for_one_device_changes_no_result() -> Result<()> {
    let (n, m, sweeps) = (37, 11, 6);
    let start = numbers(n * m);
    let Some(rt) = open(&[copies("a"), copies("b")]) else { return Ok(()) };
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().split(RegionSplit::Even).timeline(8);
    let mut old = region.tofrom(&mut u, [n, m].halo(1));
    let mut now = region.tofrom(&mut v, [n, m].halo(1));
    let mut later = Vec::new();
    for sweep in 1..=sweeps {
        region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(now)).run()?;
        std::mem::swap(&mut old, &mut now);
        let sum_of = region.parallel_for(0..n, total().bind().scalar(m as u64).reads(old).halo(0));
        later.push((sum_of.reduce_later::<u64>(Sum)?, sum(&serial(&start, [n, m], [1, 1], sweep), m)));
        region.wait_for(["a", "b"][sweep % 2])?;
    }
    for (value, expected) in later {
        assert_eq!(region.value(value)?, expected);
    }
    let report = region.finish()?;
    same(&u, &serial(&start, [n, m], [1, 1], sweeps), m, &report.to_string());
    assert!(report.devices.iter().all(|device| device.loops == 2 * sweeps as u64), "{report}");
    Ok(())
}

/// A copy within a device runs ahead; a copy from device to device goes by way of the host.
#[test]
fn a_time_line_has_the_times_of_copies_on_opencl_devices() -> Result<()> {
    let n = 1 << 12;
    for set in [vec![copies("a")], vec![in_place("a")], vec![copies("a"), copies("b")]] {
        let Some(rt) = open(&set) else { return Ok(()) };
        let mut x = numbers(n);
        let expected: Vec<u64> = x.iter().map(|x| x.wrapping_add(2)).collect();
        let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false).timeline(8);
        let x_ = region.tofrom(&mut x, [n]);
        let all = region.alloc::<u64>([n].full());
        for _ in 0..2 {
            region.parallel_for(0..n, one_more("", 4).bind().updates(x_)).run()?;
            region.copy(x_, all)?;
        }
        let report = region.finish()?;
        assert_eq!(x, expected);
        for (slot, device) in report.devices.iter().enumerate() {
            let copied: f64 = report.timeline.iter().map(|window| window.devices[slot].copy.0).sum();
            assert!(copied > 0.0 && device.exchange.0 >= copied, "{set:?}: {report}");
        }
    }
    Ok(())
}

/// A kernel that the host can run, and an OpenCL device cannot: its text does not compile, or its groups are too large.
fn not_on_opencl() -> [(Kernel, &'static str); 2] {
    [(one_more("#error not here\n", 4), "does not compile"), (one_more("", 1 << 24), "work-items")]
}

/// Adds 1 to every element.
fn one_more(first_line: &str, group: usize) -> Kernel {
    let text = "__kernel void one(long lo, long hi, __global ulong *x, long x0) {
        long i = lo + get_global_id(0);
        if (i < hi) x[i - x0] += 1;
    }";
    let host = |rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1);
    // SAFETY: the kernel stays within the sections that it is given.
    let source = unsafe { DeviceSource::new(format!("{first_line}{text}"), "one", Grid::per_iteration(group)) };
    Kernel::new("one").host(host).opencl_source(source)
}

#[test]
fn a_region_does_without_a_device_that_cannot_have_its_first_kernel() -> Result<()> {
    for set in [[host(), copies("a")], [copies("a"), host()], [host(), in_place("a")]] {
        let Some(rt) = open(&set) else { return Ok(()) };
        for (kernel, why) in not_on_opencl() {
            let mut x = vec![1u64; 100];
            let mut region = rt.data_region().split(RegionSplit::Even);
            let mapped = region.tofrom(&mut x, [100]);
            region.parallel_for(0..100, kernel.bind().updates(mapped)).run()?;
            let report = region.finish()?;
            assert_eq!(x, [2; 100], "{report}");
            let [left] = &report.left_out[..] else { panic!("{report}") };
            assert!(left.device == "a" && left.reason.contains(why), "{report}");
            // Without another device it is an error of the call.
            let mut region = rt.data_region().devices(if set[0] == host() { "1" } else { "0" });
            let mapped = region.tofrom(&mut x, [100]);
            let error = region.parallel_for(0..100, kernel.bind().updates(mapped)).run().unwrap_err();
            assert!(matches!(error, Error::Call(_)) && error.to_string().contains(why), "{error}");
        }
    }
    Ok(())
}

#[test]
fn a_later_kernel_that_a_device_cannot_have_is_refused_and_the_region_goes_on() -> Result<()> {
    let (n, m) = (20, 7);
    for set in [[host(), copies("a")], [host(), in_place("a")]] {
        let Some(rt) = open(&set) else { return Ok(()) };
        let start = numbers(n * m);
        let mut v = start.clone();
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (old, now) = (region.to(&start, [n, m].halo(1)), region.tofrom(&mut v, [n, m]));
        let relaxed = || relax().bind().scalar(m as u64).reads(old).writes(now);
        region.parallel_for(1..n - 1, relaxed()).run()?;
        for (kernel, why) in not_on_opencl() {
            let error = region.parallel_for(0..n, kernel.bind().updates(now)).run().unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::Call(_)) && text.contains(why) && text.contains("`a`"), "{text}");
        }
        region.parallel_for(1..n - 1, relaxed()).run()?;
        let report = region.finish()?;
        same(&v, &serial(&start, [n, m], [1, 1], 1), m, &report.to_string());
    }
    Ok(())
}

#[test]
fn a_device_without_a_part_of_a_later_loop_need_not_have_its_kernel() -> Result<()> {
    let Some(rt) = open(&[host(), copies("a")]) else { return Ok(()) };
    for (kernel, why) in not_on_opencl() {
        let mut x = vec![1u64; 100];
        let mut region = rt.data_region().split(RegionSplit::Even);
        let mapped = region.tofrom(&mut x, [100]);
        region.parallel_for(0..100, one_more("", 4).bind().updates(mapped)).run()?;
        // The host has these rows.
        region.parallel_for(0..50, kernel.bind().updates(mapped)).run()?;
        let error = region.parallel_for(0..51, kernel.bind().updates(mapped)).run().unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("has rows of this loop"), "{error}");
        let report = region.finish()?;
        assert_eq!(x, [[3; 50], [2; 50]].concat(), "{report}");
    }
    Ok(())
}

#[test]
fn pieces_of_a_loop_get_shorter_where_a_region_keeps_the_memory() -> Result<()> {
    let small = copies("a").replace(r#""memory_gib": {"value": 1"#, r#""memory_gib": {"value": 0.001"#);
    let Some(rt) = open(&[small]) else { return Ok(()) };
    let text = "__kernel void add(long lo, long hi, __global const ulong *x, long x0, __global ulong *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi) y[i - y0] += x[i - x0];
    }";
    // SAFETY: the kernel stays within the sections that it is given.
    let add = Kernel::new("add").opencl_source(unsafe { DeviceSource::new(text, "add", Grid::per_iteration(8)) });
    // 0.8 of 1.07 MB are the region's.
    let (kept, mut also) = (vec![1u64; 50_000], vec![1u64; 50_000]);
    let mut region = rt.data_region();
    let (kept, also_) = (region.to(&kept, [50_000]), region.tofrom(&mut also, [50_000]));
    region.parallel_for(0..50_000, add.bind().reads(kept).updates(also_)).run()?;
    for policy in ["BLOCK", "SCHED_DYNAMIC:20%"] {
        let (x, mut y) = (numbers(200_000), vec![3u64; 200_000]);
        let bound = add.bind().to(&x).align().tofrom(&mut y).align();
        let report = rt.parallel_for(0..200_000, bound).policy(policy).run()?;
        assert!(report.faults.is_empty(), "{policy}\n{report}");
        assert!(report.notes.iter().any(|note| note.contains("cut shorter")), "{policy}\n{report}");
        assert!(x.iter().zip(&y).all(|(x, y)| x.wrapping_add(3) == *y), "{policy}\n{report}");
    }
    region.finish()?;
    assert_eq!(also, [2; 50_000]);
    Ok(())
}

#[test]
fn a_report_says_how_long_kernels_were_compiled() -> Result<()> {
    let Some(rt) = open(&[copies("a"), host()]) else { return Ok(()) };
    let mut compiled = Vec::new();
    for _ in 0..2 {
        let (old, mut now) = (numbers(40 * 8), numbers(40 * 8));
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (old, now) = (region.to(&old, [40, 8].halo(1)), region.tofrom(&mut now, [40, 8]));
        for _ in 0..3 {
            region.parallel_for(1..39, relax().bind().scalar(8u64).reads(old).writes(now)).run()?;
        }
        let report = region.finish()?;
        let [opencl, host] = &report.devices[..] else { panic!("{report}") };
        assert_eq!(host.compiled.0, 0.0);
        let said = report.to_string().contains("note: a compiled and loaded kernels in ");
        assert_eq!(said, opencl.compiled.0 > 0.0, "{report}");
        compiled.push(opencl.compiled.0);
    }
    assert!(compiled[0] > 0.0 && compiled[1] == 0.0, "{compiled:?}");
    Ok(())
}
