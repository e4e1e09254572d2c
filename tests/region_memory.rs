//! Devices whose memory is too small for all rows of a region: each gets as many as fit, rows move only where there is room for
//! it, and a region that does not fit at all is refused before anything runs.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, RegionReport, RegionSplit};

mod common;
use common::machines::{host, runtime};

/// A device limited by this many million operations a second, with this many bytes of memory.
fn device(name: &str, mflops: f64, bytes: f64) -> String {
    let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
    let way = format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(0.0), figure(20.0));
    format!(
        r#""name": "{name}", "kind": "emulated", "type": "NVGPU", "memory": "discrete", "memory_gib": {},
           "link": {{"to": {way}, "from": {way}}}, "f32_gflop_per_s": {rate}, "f64_gflop_per_s": {rate},
           "memory_gb_per_s": {}, "launch_us": {}"#,
        figure(bytes / f64::from(1 << 30)),
        figure(1e3),
        figure(0.0),
        rate = figure(mflops / 1e3),
    )
}

const N: usize = 200;
/// Bytes of an array's row.
const ROW: f64 = 24.0;
const M: usize = 3;

/// A row takes 1/20 ms on a device of 1 million operations a second.
fn relax() -> Kernel {
    Kernel::new("relax")
        .host(|rows: Range<usize>, table: In<u64>, old: In<u64>, mut new: Out<u64>| {
            for i in rows {
                let (above, here, below) = (old.row(i - 1), old.row(i), old.row(i + 1));
                for (c, new) in new.row_mut(i).iter_mut().enumerate() {
                    *new = above[c].wrapping_mul(3).wrapping_add(here[c] ^ below[c]).wrapping_add(table[c]);
                }
            }
        })
        .cost(Cost::per_iteration().flops(50))
}

fn relaxed(old: &[u64], table: &[u64], new: &mut [u64]) {
    for at in M..old.len() - M {
        new[at] = old[at - M].wrapping_mul(3).wrapping_add(old[at] ^ old[at + M]).wrapping_add(table[at % M]);
    }
}

fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

fn rows_of(report: &RegionReport) -> Vec<u64> {
    report.devices.iter().map(|device| device.rows).collect()
}

/// Runs sweeps, compared with the same on plain arrays.
fn swept(rt: &Runtime, split: RegionSplit, sweeps: usize) -> Result<RegionReport> {
    let (start, table) = (numbers(N * M), [1u64, 10, 100]);
    let (mut u, mut v) = (start.clone(), start.clone());
    let mut region = rt.data_region().split(split);
    let mut old = region.tofrom(&mut u, [N, M].halo(1));
    let mut new = region.tofrom(&mut v, [N, M].halo(1));
    let table_ = region.to(&table, [M].full());
    let (mut a, mut b) = (start.clone(), start);
    for _ in 0..sweeps {
        region.parallel_for(1..N - 1, relax().bind().reads(table_).reads(old).writes(new)).run()?;
        std::mem::swap(&mut old, &mut new);
        relaxed(&a, &table, &mut b);
        std::mem::swap(&mut a, &mut b);
    }
    let report = region.finish()?;
    if sweeps.is_multiple_of(2) {
        assert!(u == a && v == b, "{report}");
    } else {
        assert!(v == a && u == b, "{report}");
    }
    Ok(report)
}

#[test]
fn the_models_give_a_device_no_more_rows_than_it_has_memory_for() -> Result<()> {
    // Room for 60 rows of two arrays, with a tenth to spare.
    let memory = 2.0 * 60.0 * ROW / 0.9;
    for slow in [host(), device("slow", 1.0, 1e6)] {
        // A host of 1 million operations a second.
        let slow = slow.replace(r#""f64_gflop_per_s": {"value": 20"#, r#""f64_gflop_per_s": {"value": 0.001"#);
        let rt = runtime(&[device("fast", 1e4, memory), slow])?;
        let report = swept(&rt, RegionSplit::Model, 20)?;
        let fast = report.devices.iter().find(|device| device.name == "fast").map_or(0, |device| device.rows);
        assert!((40..=60).contains(&fast), "{report}");
        assert_eq!(rows_of(&report).iter().sum::<u64>(), N as u64, "{report}");
    }
    Ok(())
}

#[test]
fn kernels_without_a_cost_are_split_evenly_as_far_as_memory_goes() -> Result<()> {
    let flip = Kernel::new("flip")
        .host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x.row_mut(i).iter_mut().for_each(|x| *x ^= 1)));
    let sets = [
        (vec![("small", 1000.0), ("large", 1e6), ("other", 1e6)], vec![37, 82, 81]),
        // These fit only with none of the memory to spare.
        (vec![("a", 3000.0), ("b", 2000.0)], vec![117, 83]),
    ];
    for (devices, rows) in sets {
        let devices: Vec<String> = devices.into_iter().map(|(name, bytes)| device(name, 10.0, bytes)).collect();
        let rt = runtime(&devices)?;
        let mut x = numbers(N * M);
        let mut region = rt.data_region();
        let x_ = region.tofrom(&mut x, [N, M]);
        region.parallel_for(0..N, flip.bind().updates(x_)).run()?;
        let report = region.finish()?;
        assert_eq!(rows_of(&report), rows, "{report}");
        assert_eq!(x, numbers(N * M).iter().map(|x| x ^ 1).collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn a_device_without_room_for_what_every_device_has_is_left_out() -> Result<()> {
    let rt = runtime(&[device("tiny", 1e4, 20.0), device("slow", 1.0, 1e6)])?;
    let report = swept(&rt, RegionSplit::Model, 3)?;
    assert_eq!(rows_of(&report), [N as u64], "{report}");
    let left_out = report.left_out[0].to_string();
    assert!(left_out.starts_with("left out: tiny: its memory, 20") && left_out.contains("no room"), "{left_out}");
    Ok(())
}

#[test]
fn rows_that_fit_nowhere_are_refused_with_what_is_needed_and_what_there_is() -> Result<()> {
    let rt = runtime(&[device("a", 1.0, 3000.0), device("b", 1.0, 1500.0)])?;
    let told = |split: RegionSplit, arrangement: Arrangement| {
        let (mut x, mut y) = (numbers(N * M), numbers(N * M));
        let mut region = rt.data_region().split(split).arrangement(arrangement);
        let x_ = region.tofrom(&mut x, [N, M]);
        let copy = Kernel::new("copy").host_tiles(|_: Range<usize>, _: Range<usize>, _: Out<u64>| {});
        for _ in 0..2 {
            // The second call gives the same error: nothing is lost.
            let error = region.parallel_for_2d(0..N, 0..M, copy.bind().writes(x_)).run().unwrap_err();
            assert!(matches!(error, apportion::Error::TooLarge(_)), "{error}");
        }
        let error = region.parallel_for_2d(0..N, 0..M, copy.bind().writes(x_)).run().unwrap_err().to_string();
        let y_ = region.tofrom(&mut y, [N, M]);
        assert!(region.parallel_for_2d(0..N, 0..M, copy.bind().writes(y_)).run().is_err());
        drop(region);
        assert_eq!((x, y), (numbers(N * M), numbers(N * M)));
        error
    };
    let error = told(RegionSplit::Model, Arrangement::Row);
    let all =
        "need 2400 bytes (2.4 kB) on device `a`, which has 3000 bytes (3.0 kB), and 2400 bytes (2.4 kB) on device `b`";
    assert!(error.contains(all), "{error}");
    for (split, arrangement) in [
        (RegionSplit::Even, Arrangement::Row),
        (RegionSplit::Weights(vec![1.0, 1.0]), Arrangement::Row),
        (RegionSplit::Model, Arrangement::Grid(2, 1)),
    ] {
        let error = told(split, arrangement);
        assert!(error.contains("need 2400 bytes (2.4 kB) on device `b`, which has 1500 bytes (1.5 kB)"), "{error}");
    }
    Ok(())
}

#[test]
fn an_array_that_comes_later_and_does_not_fit_is_refused_and_the_region_goes_on() -> Result<()> {
    let rt = runtime(&[device("a", 1.0, 6000.0), device("b", 1.0, 6000.0)])?;
    let (mut x, mut more, table) = (numbers(N * M), numbers(N * M), numbers(400));
    let flip = Kernel::new("flip")
        .host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x.row_mut(i).iter_mut().for_each(|x| *x ^= 1)));
    let look = Kernel::new("look").host(|_: Range<usize>, _: In<u64>, _: Out<u64>| {});
    let mut region = rt.data_region().split(RegionSplit::Even);
    let x_ = region.tofrom(&mut x, [N, M]);
    region.parallel_for(0..N, flip.bind().updates(x_)).run()?;
    let more_ = region.tofrom(&mut more, [N, M]);
    region.parallel_for(0..N, flip.bind().updates(more_)).run()?;
    let table = region.to(&table, [400].full());
    for _ in 0..2 {
        let error = region.parallel_for(0..N, look.bind().reads(table).writes(x_)).run().unwrap_err().to_string();
        assert!(error.contains("need 8000 bytes (8.0 kB) on device `a`, which has 6000 bytes"), "{error}");
    }
    region.parallel_for(0..N, flip.bind().updates(x_)).run()?;
    region.finish()?;
    assert_eq!(x, numbers(N * M));
    assert_eq!(more, numbers(N * M).iter().map(|x| x ^ 1).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn rows_move_only_as_far_as_there_is_room_for_old_and_new() -> Result<()> {
    // An even split needs 4928 bytes on each device; the best split would at times need 9248 on the fast one.
    for (memory, rows) in [(6000.0, 100..=100), (9000.0, 110..=130), (20_000.0, 160..=190)] {
        let rt = runtime(&[device("slow", 1.0, 1e6), device("fast", 8.0, memory)])?;
        let report = swept(&rt, RegionSplit::Even, 60)?;
        assert!(rows.contains(&rows_of(&report)[1]), "of {memory} bytes\n{report}");
        assert_eq!(report.moves.is_empty(), rows == (100..=100), "of {memory} bytes\n{report}");
    }
    // The slow device has no room to give rows away.
    let rt = runtime(&[device("slow", 1.0, 5000.0), device("fast", 8.0, 1e6)])?;
    let report = swept(&rt, RegionSplit::Even, 60)?;
    assert_eq!(rows_of(&report), [100, 100], "{report}");
    Ok(())
}

#[test]
fn rows_go_back_where_the_memory_that_was_counted_on_is_somebody_elses() -> Result<()> {
    // The first array's rows find room beside the other region's array; the second array's rows do not.
    let rt = runtime(&[device("slow", 1.0, 1e6), device("fast", 8.0, 14_000.0)])?;
    let mut one = [0u64; 1];
    let mut other = rt.data_region().devices("1");
    let taken = other.alloc::<u64>([500].full());
    let one_ = other.tofrom(&mut one, [1]);
    let fill = Kernel::new("fill").host(|_: Range<usize>, _: In<u64>, mut one: Out<u64>| one[0] = 7);
    other.parallel_for(0..1, fill.bind().reads(taken).writes(one_)).run()?;
    let report = swept(&rt, RegionSplit::Even, 61)?;
    assert_eq!(rows_of(&report), [100, 100], "{report}");
    assert!(
        report.moves.is_empty() && report.notes.iter().any(|note| note.contains("no room to move them")),
        "{report}"
    );
    other.finish()?;
    assert_eq!(one, [7]);
    // Now there is room.
    let report = swept(&rt, RegionSplit::Even, 60)?;
    assert!(rows_of(&report)[1] > 150, "{report}");
    Ok(())
}

#[test]
fn an_array_without_room_keeps_what_was_copied_to_it() -> Result<()> {
    let rt = runtime(&[host(), device("a", 1.0, 8000.0)])?;
    let mut one = [0u64; 1];
    let mut other = rt.data_region().devices("1");
    let taken = other.alloc::<u64>([500].full());
    let one_ = other.tofrom(&mut one, [1]);
    let fill = Kernel::new("fill").host(|_: Range<usize>, _: In<u64>, mut one: Out<u64>| one[0] = 7);
    other.parallel_for(0..1, fill.bind().reads(taken).writes(one_)).run()?;
    let flip = Kernel::new("flip")
        .host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x.row_mut(i).iter_mut().for_each(|x| *x ^= 1)));
    let (mut x, mut y) = (numbers(N * M), vec![0; N * M]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (x_, y_) = (region.tofrom(&mut x, [N, M]), region.from(&mut y, [N, M]));
    region.copy(x_, y_)?;
    // The other region has the memory that the second array needs.
    let error = region.parallel_for(0..N, flip.bind().updates(x_)).run().unwrap_err().to_string();
    assert!(error.contains("out of memory"), "{error}");
    // The cores write to the caller's own array, from which the copy was to come.
    region.parallel_for(0..N, flip.bind().updates(x_)).run()?;
    region.finish()?;
    assert_eq!(x, numbers(N * M).iter().map(|x| x ^ 1).collect::<Vec<_>>());
    assert_eq!(y, numbers(N * M));
    Ok(())
}
