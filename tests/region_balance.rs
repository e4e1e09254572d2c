//! Rows that move between devices of unequal speed: only where that pays, and with all values right.
//!
//! Emulated devices take the times that their descriptions state. Those differ so much here, and are so long beside the bodies'
//! own times, that a busy machine changes no split by much. The tests check rows, never times.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Division, Edge, RegionReport, RegionSplit, Target};

mod common;
use common::machines::runtime;

/// A device with its own memory that does this many million operations and MB a second, and has no other costs.
fn device(name: &str, mflops: f64, mb: f64) -> String {
    let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
    let way = format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(0.0), figure(20.0));
    format!(
        r#""name": "{name}", "kind": "emulated", "type": "NVGPU", "memory": "discrete", "memory_gib": {},
           "link": {{"to": {way}, "from": {way}}}, "f32_gflop_per_s": {rate}, "f64_gflop_per_s": {rate},
           "memory_gb_per_s": {}, "launch_us": {}"#,
        figure(1.0),
        figure(mb / 1e3),
        figure(0.0),
        rate = figure(mflops / 1e3),
    )
}

/// A device limited by this many million operations a second.
fn computes(name: &str, mflops: f64) -> String {
    device(name, mflops, 1e6)
}

const N: usize = 200;
const M: usize = 3;

/// A row takes 1/20 ms on a device of 1 million operations a second.
fn cost() -> Cost {
    Cost::per_iteration().flops(50)
}

fn mix(above: u64, at: u64, below: u64, weight: u64) -> u64 {
    above.wrapping_mul(3).wrapping_add(at.wrapping_mul(5)).wrapping_add(below.wrapping_mul(7)) ^ weight
}

/// Mixes the rows around each row, with periodic edges, and a table.
fn relax(cost: Cost) -> Kernel {
    Kernel::new("relax")
        .host(|rows: Range<usize>, table: In<u64>, old: In<u64>, mut new: Out<u64>| {
            for i in rows {
                let at = i as isize;
                let (above, here, below) = (old.row_at(at - 1), old.row_at(at), old.row_at(at + 1));
                for (c, new) in new.row_mut(i).iter_mut().enumerate() {
                    *new = mix(above[c], here[c], below[c], table[(here[c] % 4) as usize]);
                }
            }
        })
        .cost(cost)
}

fn relaxed(old: &[u64], table: &[u64]) -> Vec<u64> {
    let rows = old.len() / M;
    let cell = |row: usize, c: usize| old[row % rows * M + c];
    let all = (0..rows).flat_map(|i| (0..M).map(move |c| (i, c)));
    let new = all.map(|(i, c)| {
        let here = cell(i, c);
        mix(cell(i + rows - 1, c), here, cell(i + 1, c), table[(here % 4) as usize])
    });
    new.collect()
}

fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

fn rows_of(report: &RegionReport) -> Vec<u64> {
    report.devices.iter().map(|device| device.rows).collect()
}

/// Runs sweeps from a split, compared with the same on plain arrays.
fn swept(
    devices: &[String],
    n: usize,
    split: RegionSplit,
    rebalance: bool,
    costs: &[(usize, Cost)],
) -> Result<RegionReport> {
    let rt = runtime(devices)?;
    let start = numbers(n * M);
    let table = [1u64, 10, 100, 1000];
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().split(split).rebalance(rebalance);
    let mut old = region.tofrom(&mut u, [n, M].halo(1).edge(Edge::Periodic));
    let mut new = region.tofrom(&mut v, [n, M].halo(1).edge(Edge::Periodic));
    let weights = region.to(&table, [4].full());
    let mut expected = start;
    for (sweeps, cost) in costs {
        for _ in 0..*sweeps {
            region.parallel_for(0..n, relax(*cost).bind().reads(weights).reads(old).writes(new)).run()?;
            std::mem::swap(&mut old, &mut new);
            expected = relaxed(&expected, &table);
        }
    }
    let sweeps: usize = costs.iter().map(|(sweeps, _)| sweeps).sum();
    let report = region.finish()?;
    assert_eq!(if sweeps.is_multiple_of(2) { u } else { v }, expected, "{report}");
    Ok(report)
}

/// Whether each device has the wanted rows, to within a tenth of all.
fn near(rows: &[u64], wanted: &[u64]) -> bool {
    let all: u64 = wanted.iter().sum();
    rows.iter().zip(wanted).all(|(rows, wanted)| rows.abs_diff(*wanted) * 10 <= all)
}

#[test]
fn rows_move_to_the_faster_devices_from_an_even_split() -> Result<()> {
    let devices = [computes("slow", 1.0), computes("fast", 8.0), computes("middle", 1.0)];
    let report = swept(&devices, N, RegionSplit::Even, true, &[(60, cost())])?;
    assert!(near(&rows_of(&report), &[20, 160, 20]), "{report}");
    assert!((1..=3).contains(&report.moves.len()), "{report}");
    assert_eq!(report.moves.last().map(|(_, counts)| counts.clone()), Some(rows_of(&report)), "{report}");
    assert!(report.to_string().contains("rows moved"), "{report}");
    Ok(())
}

/// Ghost rows take a millisecond to the host and one on to the other device. So loops of 1.2 ms are faster on one, those of 60 on both.
#[test]
fn short_loops_are_left_to_one_device_and_long_ones_are_not() -> Result<()> {
    let slow = |name: &str| {
        let description = computes(name, 1.0 / 6.0);
        description.replace(r#""latency_us": {"value": 0,"#, r#""latency_us": {"value": 1000,"#)
    };
    let devices = [slow("a"), slow("b")];
    assert!(devices[0].contains("1000"), "{}", devices[0]);
    let of = |flops| Cost::per_iteration().flops(flops);
    let report = swept(&devices, N, RegionSplit::Even, true, &[(140, of(1))])?;
    assert!(near(&rows_of(&report), &[200, 0]), "{report}");
    assert!(report.to_string().contains("1 of 2 devices has all rows"), "{report}");
    let report = swept(&devices, N, RegionSplit::Even, true, &[(140, of(1)), (140, of(50))])?;
    assert!(near(&rows_of(&report), &[100, 100]) && report.moves.len() > 1, "{report}");
    let report = swept(&devices, N, RegionSplit::Even, false, &[(140, of(1))])?;
    assert_eq!(rows_of(&report), [100, 100], "{report}");
    Ok(())
}

#[test]
fn a_wrong_split_by_the_user_is_mended_and_stays_where_that_is_not_wanted() -> Result<()> {
    let devices = [computes("a", 8.0), computes("b", 1.0)];
    let wrong = RegionSplit::Weights(vec![1.0, 7.0]);
    let report = swept(&devices, N, wrong.clone(), true, &[(50, cost())])?;
    assert!(near(&rows_of(&report), &[178, 22]), "{report}");
    let report = swept(&devices, N, wrong, false, &[(20, cost())])?;
    assert_eq!(rows_of(&report), [25, 175], "{report}");
    assert!(report.moves.is_empty(), "{report}");
    Ok(())
}

/// Fifty rows have 40 elements each, the other hundred and fifty 4.
#[test]
fn rows_of_different_lengths_move_by_their_work() -> Result<()> {
    let rt = runtime(&[computes("slow", 1.0), computes("fast", 8.0)])?;
    let starts: Vec<u64> = (0..=N as u64).map(|i| if i <= 50 { 40 * i } else { 2000 + 4 * (i - 50) }).collect();
    let (values, mut y) = (numbers(starts[N] as usize), vec![0u64; N]);
    let sums = Kernel::new("sums")
        .host(|rows: Range<usize>, starts: In<u64>, values: In<u64>, mut y: Out<u64>| {
            for i in rows {
                let row = values.slice(starts[i] as usize..starts[i + 1] as usize);
                y[i] = row.iter().fold(0, |sum, value| sum ^ value);
            }
        })
        .cost(cost());
    let mut region = rt.data_region().split(RegionSplit::Even);
    let starts_ = region.to(&starts, [N + 1].halo_sides(0, 1));
    let (values_, y_) = (region.to(&values, [values.len()].rows_at(&starts)), region.from(&mut y, [N]));
    for _ in 0..50 {
        region.parallel_for(0..N, sums.bind().reads(starts_).reads(values_).writes(y_)).run()?;
    }
    let report = region.finish()?;
    for i in 0..N {
        let row = &values[starts[i] as usize..starts[i + 1] as usize];
        assert_eq!(y[i], row.iter().fold(0, |sum, value| sum ^ value), "{i}: {report}");
    }
    // Half of the work is 36 rows, a ninth of it 8; by rows alone it would be 22.
    assert!(!report.moves.is_empty() && (4..=13).contains(&rows_of(&report)[0]), "{report}");
    Ok(())
}

/// The last row is as long as the others together, and stays where it is.
#[test]
fn rows_move_beside_one_that_is_much_longer() -> Result<()> {
    let rt = runtime(&[computes("slow", 1.0), computes("fast", 8.0)])?;
    let starts: Vec<u64> = (0..=N as u64).map(|i| if i < N as u64 { 10_000 * i } else { 20_000 * (i - 1) }).collect();
    let (values, mut y) = (vec![1u64; starts[N] as usize], vec![0u64; N]);
    let lengths = Kernel::new("lengths")
        .host(|rows: Range<usize>, starts: In<u64>, values: In<u64>, mut y: Out<u64>| {
            for i in rows {
                y[i] = values.slice(starts[i] as usize..starts[i + 1] as usize).len() as u64;
            }
        })
        .cost(cost());
    let mut region = rt.data_region().split(RegionSplit::Even);
    let starts_ = region.to(&starts, [N + 1].halo_sides(0, 1));
    let (values_, y_) = (region.to(&values, [values.len()].rows_at(&starts)), region.from(&mut y, [N]));
    for _ in 0..40 {
        region.parallel_for(0..N, lengths.bind().reads(starts_).reads(values_).writes(y_)).run()?;
    }
    let report = region.finish()?;
    assert!((0..N).all(|i| y[i] == starts[i + 1] - starts[i]), "{report}");
    // A ninth of the work is 44 rows.
    assert!(!report.moves.is_empty() && (30..=60).contains(&rows_of(&report)[0]), "{report}");
    Ok(())
}

#[test]
fn the_time_line_shows_when_rows_moved_and_is_bounded() -> Result<()> {
    let rt = runtime(&[computes("slow", 1.0), computes("fast", 8.0)])?;
    for windows in [8, 100] {
        let mut u = numbers(N * M);
        let mut region = rt.data_region().split(RegionSplit::Even).timeline(windows);
        let u_ = region.tofrom(&mut u, [N, M]);
        let add = Kernel::new("add").host(|rows: Range<usize>, mut u: Out<u64>| {
            rows.for_each(|i| u.row_mut(i).iter_mut().for_each(|u| *u = u.wrapping_add(1)));
        });
        for _ in 0..41 {
            region.parallel_for(0..N, add.clone().cost(cost()).bind().updates(u_)).run()?;
        }
        let report = region.finish()?;
        // Whoever had a row ran it, in each loop.
        assert_eq!(report.devices.iter().map(|device| device.ran).sum::<u64>(), 41 * N as u64, "{report}");
        assert!(report.devices.iter().all(|device| device.iterations <= device.ran), "{report}");
        let line = &report.timeline;
        assert_eq!(line.len(), if windows == 8 { 5 } else { 40 }, "{line:?}");
        assert_eq!(line.iter().map(|window| window.loops).sum::<u64>(), 40);
        let rows = |window: &apportion::region::Window| window.devices.iter().map(|d| d.rows).collect::<Vec<_>>();
        assert_eq!(rows(&line[line.len() - 1]), rows_of(&report));
        assert!(report.moves.iter().all(|(after, _)| *after < 41) && !report.moves.is_empty(), "{report}");
        if windows > 40 {
            // Up to the first move the rows are those of the first split; then they are as the report says.
            let (after, counts) = &report.moves[0];
            let after = *after as usize - 1;
            assert!(line[..after].iter().all(|window| rows(window) == [100, 100]), "{line:?}");
            assert_eq!(rows(&line[after]), *counts);
            assert!(line.iter().all(|window| window.devices.iter().all(|device| device.busy.0 > 0.0)), "{line:?}");
        }
    }
    Ok(())
}

#[test]
fn devices_that_are_equal_keep_their_rows() -> Result<()> {
    let devices = [computes("a", 1.0), computes("b", 1.0), computes("c", 1.0)];
    let report = swept(&devices, N, RegionSplit::Even, true, &[(90, cost())])?;
    assert!(near(&rows_of(&report), &[67, 67, 66]), "{report}");
    assert!(report.moves.len() <= 2, "{report}");
    Ok(())
}

#[test]
fn rows_follow_devices_whose_speed_changes() -> Result<()> {
    // One device is fast at operations, the other at memory; the loop's limit changes on the way.
    let devices = [device("a", 8.0, 1.0), device("b", 1.0, 8.0)];
    let bytes = Cost::per_iteration().loads(50);
    let report = swept(&devices, N, RegionSplit::Even, true, &[(60, cost())])?;
    assert!(near(&rows_of(&report), &[178, 22]), "{report}");
    let report = swept(&devices, N, RegionSplit::Even, true, &[(60, cost()), (160, bytes)])?;
    assert!(near(&rows_of(&report), &[22, 178]), "{report}");
    Ok(())
}

#[test]
fn a_device_whose_rows_all_wait_for_ghost_rows_has_a_pace_too() -> Result<()> {
    // Two rows each, and both read a neighbour's row: no row is inside.
    let devices = [computes("slow", 0.02), computes("fast", 0.4)];
    let report = swept(&devices, 4, RegionSplit::Even, true, &[(60, cost())])?;
    assert!(report.devices.iter().all(|device| device.loops > 0 && device.iterations > 0), "{report}");
    assert_eq!(rows_of(&report), [0, 4], "{report}");
    // The slow device has few rows and the fast one nearly all, so only one has rows inside.
    let wrong = RegionSplit::Weights(vec![38.0, 2.0]);
    let report = swept(
        &devices,
        40,
        wrong,
        true,
        &[(12, Cost::per_iteration().flops(20)), (30, Cost::per_iteration().flops(5))],
    )?;
    let rows = rows_of(&report);
    assert!(rows[0] <= 4, "{report}");
    Ok(())
}

/// All kinds of arrays move along: alloc, several rows an iteration, offset, in blocks, on one device, replicated.
#[test]
fn all_arrays_go_with_the_rows() -> Result<()> {
    let (n, ratio, offset) = (120, 3, 2);
    let rt =
        runtime(&[computes("slow", 1.0), computes("fast", 12.0), common::machines::host(), computes("last", 1.0)])?;
    let fine_rows = offset + ratio * n;
    let (start, fine_start) = (numbers(n * M), numbers(fine_rows));
    let table = [5u64, 6, 7, 8];
    let (mut u, mut fine, mut single, mut blocks) = (start.clone(), fine_start.clone(), numbers(n), numbers(n * M));
    let mut bins = vec![0u64; 4];
    let before = (single.clone(), blocks.clone());
    let mut region = rt.data_region().split(RegionSplit::Weights(vec![40.0, 5.0, 5.0, 10.0]));
    let now = region.tofrom(&mut u, [n, M].halo(2).edge(Edge::Periodic).named("now"));
    let only = region.alloc::<u64>([n, M].halo(2).edge(Edge::Periodic));
    let target = Target::array("now", 0);
    let aligned = Division::Align { target, ratio: ratio.into(), offset: offset as u64 };
    let thin = region.tofrom(&mut fine, [fine_rows].divide(0, aligned));
    let weights = region.to(&table, [4].full());
    let counted = region.tofrom(&mut bins, [4].full());
    let alone = region.tofrom(&mut single, [n].on("last"));
    let apart = region.tofrom(&mut blocks, [n, M].divide(0, Division::Block));
    let spread = Kernel::new("spread")
        .host(move |rows: Range<usize>, x: In<u64>, mut fine: Out<u64>| {
            for i in rows {
                for k in 0..ratio {
                    let fine = &mut fine[offset + ratio * i + k];
                    *fine = fine.wrapping_mul(3).wrapping_add(x.row(i)[k]);
                }
            }
        })
        .cost(Cost::per_iteration().flops(5));
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.for_each(|i| x.row(i).iter().for_each(|x| bins[(x % 4) as usize] += 1));
    });
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
    let (mut expected, mut expected_fine, mut expected_bins) = (start, fine_start, vec![0u64; 4]);
    let sweeps = 40;
    for sweep in 0..sweeps {
        for (from, to) in [(now, only), (only, now)] {
            region.parallel_for(0..n, relax(cost()).bind().reads(weights).reads(from).halo(1).writes(to)).run()?;
            expected = relaxed(&expected, &table);
        }
        region.parallel_for(0..n, spread.bind().reads(now).halo(0).updates(thin)).run()?;
        for (at, fine) in expected_fine[offset..].iter_mut().enumerate() {
            *fine = fine.wrapping_mul(3).wrapping_add(expected[at / ratio * M + at % ratio]);
        }
        if sweep % 8 == 0 {
            region.parallel_for(0..n, count.bind().reads(now).halo(0).reduces(counted, Sum)).run()?;
            expected.iter().for_each(|x| expected_bins[(x % 4) as usize] += 1);
            region.parallel_for(0..n, add.bind().updates(alone)).run()?;
            region.copy(now, apart)?;
        }
    }
    let report = region.finish()?;
    let rows = rows_of(&report);
    assert!(!report.moves.is_empty() && rows[0] < 40 && rows.iter().sum::<u64>() == n as u64, "{report}");
    assert_eq!(u, expected, "{report}");
    assert_eq!(fine, expected_fine, "{report}");
    assert_eq!(bins, expected_bins, "{report}");
    assert!(single.iter().zip(&before.0).all(|(x, before)| *x == before + 5), "{report}");
    assert_ne!(blocks, before.1);
    Ok(())
}

#[test]
fn rows_move_also_where_loops_are_over_a_part_of_them() -> Result<()> {
    let rt = runtime(&[computes("a", 1.0), computes("b", 4.0), computes("c", 1.0)])?;
    let mut x = numbers(300);
    let before = x.clone();
    let kernel = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
    let kernel = kernel.cost(cost());
    let mut region = rt.data_region().split(RegionSplit::Even);
    let x_ = region.tofrom(&mut x, [300]);
    // The third device has rows of the region, but none of this loop.
    for _ in 0..80 {
        region.parallel_for(0..180, kernel.bind().updates(x_)).run()?;
    }
    let report = region.finish()?;
    let rows = rows_of(&report);
    assert!(!report.moves.is_empty() && rows[0] < 60 && rows[1] > 100, "{report}");
    assert_eq!(rows.iter().sum::<u64>(), 300);
    assert!(x.iter().zip(&before).enumerate().all(|(i, (x, b))| *x == b + if i < 180 { 80 } else { 0 }), "{report}");
    Ok(())
}

/// Exchanges that the application asks for are no loops: moves are told after as many loops as there were.
#[test]
fn moves_are_told_after_the_loops_before_them() -> Result<()> {
    let rt = runtime(&[computes("slow", 0.5), computes("fast", 4.0)])?;
    let start = numbers(N * M);
    let table = [1u64, 10, 100, 1000];
    let (mut u, mut v) = (start.clone(), start);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let mut old = region.tofrom(&mut u, [N, M].halo(1).edge(Edge::Periodic));
    let mut new = region.tofrom(&mut v, [N, M].halo(1).edge(Edge::Periodic));
    let weights = region.to(&table, [4].full());
    let mut told = Vec::new();
    for loops in 1..=40 {
        region.parallel_for(0..N, relax(cost()).bind().reads(weights).reads(old).writes(new)).run()?;
        region.halo_exchange(new)?;
        std::mem::swap(&mut old, &mut new);
        let moves = region.report()?.moves;
        told.extend(moves[told.len()..].iter().map(|(after, _)| (*after, loops)));
    }
    assert!(!told.is_empty() && told.iter().all(|(after, loops)| after == loops), "{told:?}");
    region.finish()?;
    Ok(())
}
