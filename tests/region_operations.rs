//! What a region does besides its loops: how it chooses devices where combining contributions takes long.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, RegionReport, RegionSplit};

mod common;
use common::machines::{emulated_shared, runtime};

fn figure(value: f64) -> String {
    format!(r#"{{"value": {value}, "source": "assumed"}}"#)
}

/// A device with memory of its own that does 1 GFLOP/s, and a link of these latencies, in and out, and of so many GB/s.
fn device(name: &str, latencies_us: [f64; 2], gb_per_s: f64) -> String {
    let way = |latency: f64| {
        format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(latency), figure(gb_per_s))
    };
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
