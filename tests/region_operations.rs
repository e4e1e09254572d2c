//! What a region does besides its loops: how it chooses devices where combining contributions takes long, and what its report says
//! of copies, ghost cells, moves and contributions.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Edge, Operation, RegionReport, RegionSplit};

mod common;
use common::machines::{emulated_shared, runtime};

fn figure(value: f64) -> String {
    format!(r#"{{"value": {value}, "source": "assumed"}}"#)
}

/// A device with memory of its own that does 1 GFLOP/s, and a link of these latencies, in and out, and of so many GB/s.
fn device(name: &str, latencies_us: [f64; 2], gb_per_s: f64) -> String {
    let way =
        |latency: f64| format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(latency), figure(gb_per_s));
    format!(
        r#""name": "{name}", "kind": "emulated", "type": "NVGPU", "memory": "discrete", "memory_gib": {one},
           "link": {{"to": {}, "from": {}}}, "f32_gflop_per_s": {one}, "f64_gflop_per_s": {one},
           "memory_gb_per_s": {}, "launch_us": {}"#,
        way(latencies_us[0]),
        way(latencies_us[1]),
        figure(1000.0),
        figure(0.0),
        one = figure(1.0),
    )
}

fn count() -> Kernel {
    Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.for_each(|i| bins[i % 4] += x[i]);
    })
}

/// Counts a thousand rows of so many operations each into 1 MB.
fn counted(devices: &[String], flops: usize, split: RegionSplit) -> Result<RegionReport> {
    let rt = runtime(devices)?;
    let (x, mut bins) = (vec![2u64; 1000], vec![1u64; 125_000]);
    let mut region = rt.data_region().split(split);
    let (x_, bins_) = (region.to(&x, [1000]), region.tofrom(&mut bins, [125_000].full()));
    let kernel = count().cost(Cost::per_iteration().flops(flops));
    for _ in 0..2 {
        region.parallel_for(0..1000, kernel.bind().reads(x_).reduces(bins_, Sum)).run()?;
    }
    let report = region.finish()?;
    assert_eq!(bins[..5], [1001, 1001, 1001, 1001, 1], "{report}");
    Ok(report)
}

fn names(report: &RegionReport) -> Vec<&str> {
    report.devices.iter().map(|device| device.name.as_str()).collect()
}

#[test]
fn fewer_devices_take_part_where_combining_takes_longer_than_they_save() -> Result<()> {
    let four = ["a", "b", "c", "d"].map(|name| device(name, [10.0, 10.0], 10.0));
    // 1 MB goes over each link four times, in 110 us each: saved, given twice, taken.
    let report = counted(&four, 400, RegionSplit::Model)?;
    assert_eq!(names(&report), ["a"], "{report}");
    let reason = "by the models a loop takes 400 us on a, and 540 us on all devices (440 us of it to combine what they \
                  contribute)";
    assert_eq!(report.left_out.len(), 3, "{report}");
    assert!(report.left_out.iter().all(|left_out| left_out.reason == reason), "{report}");
    // A long loop, and one that is split by the caller.
    let report = counted(&four, 10_000, RegionSplit::Model)?;
    assert_eq!((names(&report).len(), report.left_out.len()), (4, 0), "{report}");
    let report = counted(&four, 400, RegionSplit::Even)?;
    assert_eq!((names(&report).len(), report.left_out.len()), (4, 0), "{report}");
    Ok(())
}

/// Without contributions all four take part: the shortest of the loops above.
#[test]
fn loops_that_contribute_nothing_are_divided_as_before() -> Result<()> {
    let rt = runtime(&["a", "b", "c", "d"].map(|name| device(name, [10.0, 10.0], 10.0)))?;
    let (mut x, mut bins) = (vec![2u64; 1000], vec![1u64; 125_000]);
    let mut region = rt.data_region();
    let (x_, bins_) = (region.tofrom(&mut x, [1000]), region.tofrom(&mut bins, [125_000].full()));
    let add = Kernel::new("add").host(|rows: Range<usize>, bins: In<u64>, mut x: Out<u64>| {
        rows.for_each(|i| x[i] += bins[0]);
    });
    let cost = Cost::per_iteration().flops(400);
    region.parallel_for(0..1000, add.cost(cost).bind().reads(bins_).updates(x_)).run()?;
    let report = region.finish()?;
    assert_eq!(names(&report), ["a", "b", "c", "d"], "{report}");
    Ok(())
}

#[test]
fn a_device_whose_link_is_slow_is_left_out_alone() -> Result<()> {
    let near = |name: &str| device(name, [10.0, 10.0], 10.0);
    let report = counted(&[near("a"), device("far", [10.0, 10.0], 0.1), near("b")], 2000, RegionSplit::Model)?;
    assert_eq!(names(&report), ["a", "b"], "{report}");
    let [left_out] = &report.left_out[..] else { panic!("{report}") };
    // Saved by the first, then three times 10.01 ms.
    assert!(left_out.device == "far" && left_out.reason.starts_with("by the models a loop takes 1.44 ms on a, b"));
    assert!(left_out.reason.contains("(30.1 ms of it to combine"), "{report}");
    Ok(())
}

#[test]
fn devices_of_either_memory_count_the_hosts_memory_too() -> Result<()> {
    // At 50 GB/s, 1 MB is copied in 40 us, filled in 20, combined in 60 for each device, brought back in 40.
    let devices = [device("own", [10.0, 10.0], 10.0), emulated_shared("home", 1.0)];
    let report = counted(&devices, 10_000, RegionSplit::Model)?;
    assert_eq!(names(&report), ["own", "home"], "{report}");
    let report = counted(&devices, 400, RegionSplit::Model)?;
    assert_eq!(names(&report), ["own"], "{report}");
    let [left_out] = &report.left_out[..] else { panic!("{report}") };
    // 330 us over the link.
    assert!(left_out.reason.contains("(550 us of it to combine"), "{report}");
    Ok(())
}

/// The operation of that name: how often, and for each device the bytes to it and from it.
fn told(report: &RegionReport, operation: Operation) -> (u64, Vec<(u64, u64)>) {
    let all: Vec<_> = report.operations.iter().filter(|totals| totals.operation == operation).collect();
    let [totals] = &all[..] else { panic!("{operation}: {all:?}\n{report}") };
    (totals.times, totals.devices.iter().map(|device| (device.bytes_to.0, device.bytes_from.0)).collect())
}

/// At least so many milliseconds, as the description says: in all, and on each device.
fn takes(report: &RegionReport, operation: Operation, all: f64, devices: &[f64]) {
    let totals = report.operations.iter().find(|totals| totals.operation == operation).unwrap();
    assert!(totals.time.0 >= all * 1e-3, "{operation} {totals:?}");
    for (device, least) in totals.devices.iter().zip(devices) {
        assert!(device.time.0 >= least * 1e-3, "{operation} {totals:?}");
    }
}

#[test]
fn a_report_tells_what_a_region_did_besides_its_loops() -> Result<()> {
    // A copy takes 1 ms in, and 2 ms out.
    let rt = runtime(&["a", "b"].map(|name| device(name, [1000.0, 2000.0], 10.0)))?;
    let add = Kernel::new("add").host(|rows: Range<usize>, mut y: Out<u64>| rows.for_each(|i| y[i] += 1));
    let smooth = Kernel::new("smooth").host(|rows: Range<usize>, y: In<u64>, mut z: Out<u64>| {
        rows.for_each(|i| z[i] = y[i - 1] + y[i + 1]);
    });
    let n = 100;
    let (x, mut y, mut z, mut bins) = (vec![1u64; n], vec![2u64; n], vec![0u64; n], vec![0u64; 4]);
    let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
    let x_ = region.to(&x, [n]);
    let y_ = region.tofrom(&mut y, [n].halo(1));
    let (z_, bins_) = (region.from(&mut z, [n]), region.tofrom(&mut bins, [4].full()));
    let all = region.alloc::<u64>([n].full());
    region.parallel_for(0..n, add.bind().updates(y_)).run()?;
    let begun = region.report()?;
    assert_eq!(begun.operations.len(), 1, "{begun}");
    // Fifty rows of `x`, one more of `y`, and all of `bins`; of the other arrays nothing.
    assert_eq!(told(&begun, Operation::To), (3, vec![(400 + 408 + 32, 0); 2]), "{begun}");
    takes(&begun, Operation::To, 3.0, &[3.0, 3.0]);

    region.parallel_for(1..n - 1, smooth.bind().reads(y_).writes(z_)).run()?;
    region.parallel_for(0..n, count().bind().reads(x_).reduces(bins_, Sum)).run()?;
    region.copy(x_, all)?;
    region.update_from(y_)?;
    region.update_to(y_)?;
    region.parallel_for(0..n, add.bind().updates(y_)).run()?;
    let report = region.finish()?;
    assert_eq!((y[0], z[1], bins), (4, 6, vec![25; 4]));
    assert_eq!(told(&report, Operation::To), (3, vec![(840, 0); 2]), "{report}");
    assert_eq!(told(&report, Operation::UpdateTo), (1, vec![(408, 0); 2]), "{report}");
    // One row each, by way of the host.
    assert_eq!(told(&report, Operation::Ghosts), (1, vec![(8, 8); 2]), "{report}");
    takes(&report, Operation::Ghosts, 3.0, &[3.0, 3.0]);
    // Its values are saved from the first device.
    assert_eq!(told(&report, Operation::Contributions), (1, vec![(64, 64), (64, 32)]), "{report}");
    takes(&report, Operation::Contributions, 6.0, &[6.0, 4.0]);
    assert_eq!(told(&report, Operation::Copy), (1, vec![(400, 400); 2]), "{report}");
    takes(&report, Operation::Copy, 3.0, &[3.0, 3.0]);
    assert_eq!(told(&report, Operation::UpdateFrom), (1, vec![(0, 400); 2]), "{report}");
    // An array that is the same everywhere comes from one device.
    assert_eq!(told(&report, Operation::From), (3, vec![(0, 832), (0, 800)]), "{report}");
    takes(&report, Operation::From, 6.0, &[6.0, 4.0]);
    assert_eq!(report.operations.len(), 7, "{report}");

    let text = report.to_string();
    for line in [
        "  to                  3 times  in ",
        "  contributions       1 time   in ",
        "  update_from         1 time   in ",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.contains("(64 B in, 32 B out)"), "{text}");
    let data = serde_json::to_value(&report).unwrap();
    let operations = data["operations"].as_array().unwrap();
    let kinds: Vec<_> = operations.iter().map(|totals| totals["operation"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["to", "update_to", "ghosts", "contributions", "copy", "update_from", "from"]);
    let contributions = &operations[3];
    assert_eq!(
        (contributions["times"].as_u64(), contributions["devices"][1]["from_bytes"].as_u64()),
        (Some(1), Some(32))
    );
    assert!(contributions["time_s"].as_f64() >= contributions["devices"][0]["time_s"].as_f64(), "{contributions}");
    Ok(())
}

#[test]
fn a_report_tells_of_rows_that_moved() -> Result<()> {
    let rt = runtime(&["a", "b"].map(|name| device(name, [1000.0, 2000.0], 10.0)))?;
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
    let (mut x, half) = (vec![2u64; 102], vec![0u64; 51]);
    let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
    let x_ = region.tofrom(&mut x, [102]);
    region.parallel_for(0..102, add.bind().updates(x_)).run()?;
    assert!(region.report()?.operations.iter().all(|totals| totals.operation != Operation::Moves));
    // Of 51 rows each, one goes to the first device: two iterations have a row of this array.
    let half_ = region.to(&half, [51].ratio((1, 2)));
    let look = Kernel::new("look").host(|rows: Range<usize>, half: In<u64>, mut x: Out<u64>| {
        rows.for_each(|i| x[i] += half[i / 2]);
    });
    region.parallel_for(0..102, look.bind().reads(half_).updates(x_)).run()?;
    let report = region.finish()?;
    assert_eq!(report.devices.iter().map(|device| device.rows).collect::<Vec<_>>(), [52, 50], "{report}");
    assert_eq!(told(&report, Operation::Moves), (1, vec![(8, 0), (0, 8)]), "{report}");
    takes(&report, Operation::Moves, 3.0, &[1.0, 2.0]);
    assert_eq!(x, vec![3; 102]);
    Ok(())
}

#[test]
fn in_the_hosts_memory_nothing_is_copied_but_to_ghosts_past_the_edges() -> Result<()> {
    let rt = runtime(&[emulated_shared("home", 1.0)])?;
    let shift = Kernel::new("shift").host(|rows: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        rows.for_each(|i| y[i] = x.row_at(i as isize - 1)[0]);
    });
    for edge in [Edge::None, Edge::Periodic] {
        let (mut x, mut y) = (vec![1u64; 100], vec![2u64; 100]);
        let mut region = rt.data_region();
        let x_ = region.tofrom(&mut x, [100].halo(1).edge(edge));
        let y_ = region.tofrom(&mut y, [100].halo(1).edge(edge));
        region.parallel_for(1..100, shift.bind().reads(x_).writes(y_)).run()?;
        region.parallel_for(1..100, shift.bind().reads(y_).writes(x_)).run()?;
        let report = region.finish()?;
        if edge == Edge::None {
            assert!(report.operations.is_empty(), "{report}");
            continue;
        }
        for (operation, times) in [(Operation::To, 2), (Operation::Ghosts, 1), (Operation::From, 2)] {
            assert_eq!(told(&report, operation), (times, vec![(0, 0)]), "{report}");
        }
        assert_eq!((report.operations.len(), report.exchanges), (3, 0), "{report}");
    }
    Ok(())
}
