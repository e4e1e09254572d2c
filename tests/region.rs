//! Data regions on all kinds of devices that a machine without a GPU has: results equal those of plain loops, for all devices,
//! splits and halos.

use apportion::kernel::{Cost, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Division, Edge, Layout, RegionSplit};

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

/// Mixes each element with its neighbours, so that each wrong ghost shows.
fn relax() -> Kernel {
    Kernel::new("relax")
        .host(|rows: Range<usize>, m: u64, old: In<f64>, mut new: Out<f64>| {
            let m = m as usize;
            for i in rows {
                for j in 1..m - 1 {
                    let at = i * m + j;
                    new[at] =
                        0.5 * old[at] + 0.3 * old[at - m] + 0.15 * old[at + m] + 0.05 * (old[at - 1] - old[at + 1]);
                }
            }
        })
        .cost(Cost::per_iteration().flops(100).loads(100).stores(100))
}

fn serial(u: &[f64], n: usize, m: usize, sweeps: usize) -> Vec<f64> {
    let (mut old, mut new) = (u.to_vec(), u.to_vec());
    for _ in 0..sweeps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let at = i * m + j;
                new[at] = 0.5 * old[at] + 0.3 * old[at - m] + 0.15 * old[at + m] + 0.05 * (old[at - 1] - old[at + 1]);
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

#[test]
fn sweeps_with_halos_equal_serial_ones() -> Result<()> {
    let (n, m) = (37, 11);
    let start: Vec<f64> = (0..n * m).map(|i| ((i * 7919) % 1013) as f64).collect();
    let sets: [Vec<String>; 5] = [
        vec![host()],
        vec![emulated("a", 10.0)],
        vec![emulated("a", 10.0), emulated("b", 30.0)],
        vec![host(), emulated("a", 10.0), emulated("b", 5.0)],
        vec![emulated("a", 10.0), host(), emulated("b", 5.0), emulated("c", 1.0)],
    ];
    for set in sets {
        for split in [RegionSplit::Even, RegionSplit::Model] {
            let rt = runtime(&set)?;
            let (mut u, mut v) = (start.clone(), start.clone());
            let mut region = rt.data_region().split(split.clone());
            let mut old = region.tofrom(&mut u, [n, m].halo(1));
            let mut new = region.tofrom(&mut v, [n, m].halo(1));
            let sweeps = 7;
            for _ in 0..sweeps {
                region.parallel_for(1..n - 1, relax().bind().scalar(m as u64).reads(old).writes(new)).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            let report = region.finish()?;
            let expected = serial(&start, n, m, sweeps);
            assert_eq!(v, expected, "{set:?} {split:?}\n{report}");
        }
    }
    Ok(())
}

fn sets() -> Vec<Vec<String>> {
    vec![
        vec![host()],
        vec![emulated("a", 10.0), emulated("b", 30.0)],
        vec![host(), emulated("a", 10.0), emulated("b", 5.0)],
        vec![emulated("a", 10.0), emulated_shared("s", 10.0), emulated("b", 5.0)],
    ]
}

#[test]
fn a_histogram_is_that_of_a_serial_loop_and_adds_to_what_was_there() -> Result<()> {
    let (n, m, bins) = (101, 7, 16);
    let values: Vec<u32> = (0..n * m).map(|i| ((i * 2_654_435_761) >> 7) as u32 % bins as u32).collect();
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u32>, mut bins: Out<u64>| {
        for i in rows {
            for &value in x.row(i) {
                bins[value as usize] += 1;
            }
        }
    });
    for set in sets() {
        let rt = runtime(&set)?;
        let mut bins_of: Vec<u64> = (0..bins).collect();
        let mut expected = bins_of.clone();
        let mut region = rt.data_region();
        let x = region.to(&values, [n, m]);
        let h = region.tofrom(&mut bins_of, [bins as usize].full());
        for _ in 0..3 {
            region.parallel_for(0..n, count.bind().reads(x).reduces(h, Sum)).run()?;
            values.iter().for_each(|&value| expected[value as usize] += 1);
        }
        region.finish()?;
        assert_eq!(bins_of, expected, "{set:?}");
    }
    Ok(())
}

/// Arrays whose length is no multiple of 8 bytes, also in the region's own memory.
#[test]
fn histograms_of_odd_length_are_combined_where_the_region_has_memory_of_its_own() -> Result<()> {
    fn check<T: apportion::element::Element + From<u8> + PartialEq + std::fmt::Debug + std::ops::AddAssign>()
    -> Result<()> {
        let (n, bins) = (15usize, 7usize);
        let values: Vec<u8> = (0..n).map(|i| (i * i % bins) as u8).collect();
        let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u8>, mut bins: Out<T>| {
            rows.for_each(|i| bins[usize::from(x[i])] += T::from(1));
        });
        for set in sets() {
            let rt = runtime(&set)?;
            let start: Vec<T> = (0..bins as u8).map(T::from).collect();
            let (mut expected, mut found) = (start.clone(), start.clone());
            let mut region = rt.data_region().split(RegionSplit::Even);
            let x = region.to(&values, [n]);
            let first = region.to(&start, [bins].full());
            let found_ = region.from(&mut found, [bins].full());
            let counts = region.alloc::<T>([bins].full());
            let look = Kernel::new("look").host(|rows: Range<usize>, x: In<u8>| -> u64 { x.slice(rows).len() as u64 });
            assert_eq!(region.parallel_for(0..n, look.bind().reads(x)).reduce::<u64>(Sum)?, n as u64);
            region.copy(first, counts)?;
            for _ in 0..2 {
                region.parallel_for(0..n, count.bind().reads(x).reduces(counts, Sum)).run()?;
                values.iter().for_each(|&value| expected[usize::from(value)] += T::from(1));
            }
            region.copy(counts, found_)?;
            region.finish()?;
            assert_eq!(found, expected, "{set:?}");
        }
        Ok(())
    }
    check::<u32>()?;
    check::<f32>()?;
    check::<u8>()?;
    check::<i16>()?;
    check::<u16>()?;
    check::<u64>()
}

#[test]
fn reductions_know_bits_and_the_callers_own_operator() -> Result<()> {
    use apportion::kernel::{OwnReduce, Reduce, Scalar};
    let values: Vec<u32> = (0..977).map(|i| 0b1000 | (i % 7)).collect();
    let fold = |f: fn(u32, u32) -> u32, first: u32| {
        Kernel::new("fold").host(move |rows: Range<usize>, x: In<u32>| x.slice(rows).iter().copied().fold(first, f))
    };
    fn nearer_to_ten(a: u32, b: u32) -> u32 {
        if b.abs_diff(10) < a.abs_diff(10) { b } else { a }
    }
    fn combined(a: Scalar, b: Scalar) -> Scalar {
        match (a, b) {
            (Scalar::U32(a), Scalar::U32(b)) => Scalar::U32(nearer_to_ten(a, b)),
            _ => a,
        }
    }
    let own = Reduce::Own(OwnReduce { identity: || Scalar::U32(u32::MAX), combine: combined });
    for set in sets() {
        let rt = runtime(&set)?;
        let mut region = rt.data_region();
        let x = region.to(&values, [values.len()]);
        let n = values.len();
        assert_eq!(
            region.parallel_for(0..n, fold(|a, b| a & b, u32::MAX).bind().reads(x)).reduce::<u32>(Reduce::And)?,
            8
        );
        assert_eq!(region.parallel_for(0..n, fold(|a, b| a | b, 0).bind().reads(x)).reduce::<u32>(Reduce::Or)?, 15);
        assert_eq!(region.parallel_for(0..n, fold(nearer_to_ten, u32::MAX).bind().reads(x)).reduce::<u32>(own)?, 10);
        let floats = Kernel::new("f").host(|_: Range<usize>, _: In<u32>| 0f32);
        let error = region.parallel_for(0..n, floats.bind().reads(x)).reduce::<f32>(Reduce::And).unwrap_err();
        assert!(error.to_string().contains("over integers"), "{error}");
    }
    Ok(())
}

#[test]
fn reproducible_sums_are_the_same_to_the_last_bit_on_any_devices() -> Result<()> {
    let (n, m) = (203, 19);
    // The sum of these values depends on their order.
    let values: Vec<f32> =
        (0..n * m).map(|i| ((i * 7919 + 13) % 1009) as f32 * 1e3f32.powi(i as i32 % 5 - 2)).collect();
    let sum = Kernel::new("sum")
        .host(|rows: Range<usize>, x: In<f32>| rows.map(|i| x.row(i).iter().sum::<f32>()).sum::<f32>());
    let whole = Kernel::new("whole")
        .host_whole_chunk(|rows: Range<usize>, x: In<f32>| rows.map(|i| x.row(i).iter().sum::<f32>()).sum::<f32>());
    let mut seen: Vec<(u32, String)> = Vec::new();
    let mut plain = std::collections::HashSet::new();
    let mut all = sets();
    all.push(vec![emulated("a", 1.0), emulated("b", 7.0), emulated("c", 2.0), host(), emulated("d", 40.0)]);
    for set in all {
        for weights in [None, Some(3.0)] {
            let rt = runtime(&set)?;
            let split = weights.map_or(RegionSplit::Even, |w| {
                RegionSplit::Weights((0..set.len()).map(|slot| 1.0 + w * slot as f64).collect())
            });
            for reproducible in [true, false] {
                let region = rt.data_region().split(split.clone());
                let mut region = if reproducible { region.reproducible(8) } else { region };
                let x = region.to(&values, [n, m]);
                let value: f32 = region.parallel_for(3..n, sum.bind().reads(x)).reduce(Sum)?;
                if reproducible {
                    seen.push((value.to_bits(), format!("{set:?} {split:?}")));
                    // A body that takes whole chunks gets one block at a time.
                    let value: f32 = region.parallel_for(3..n, whole.bind().reads(x)).reduce(Sum)?;
                    seen.push((value.to_bits(), format!("whole chunks, {set:?} {split:?}")));
                    // A loop over a replicated array is cut into blocks too.
                    let all = region.to(&values, [n, m].full());
                    let value: f32 = region.parallel_for(3..n, sum.bind().reads(all)).reduce(Sum)?;
                    seen.push((value.to_bits(), format!("everywhere, {set:?} {split:?}")));
                } else {
                    plain.insert(value.to_bits());
                }
            }
        }
    }
    assert!(seen.iter().all(|(bits, _)| *bits == seen[0].0), "{seen:?}");
    // Otherwise this test would show nothing.
    assert!(plain.len() > 1);
    Ok(())
}

#[test]
fn arrays_on_one_device_run_there_and_are_copied_between_devices() -> Result<()> {
    let n = 500;
    let start: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let scale = Kernel::new("scale").host(|rows: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| {
        for i in rows {
            y[i] = a * x[i];
        }
    });
    let rt = runtime(&[emulated("a", 10.0), host(), emulated("b", 10.0)])?;
    let (mut left, mut right) = (vec![0f32; n], vec![0f32; n]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let x = region.to(&start, [n].full());
    let y = region.alloc::<f32>([n].on("a"));
    let z = region.from(&mut left, [n].on("b"));
    let w = region.from(&mut right, [n]);
    // Two independent loops, each on its own device.
    region.parallel_for(0..n, scale.bind().scalar(2f32).reads(x).writes(y)).run()?;
    region.parallel_for(0..n, scale.bind().scalar(3f32).reads(x).writes(z)).run()?;
    region.wait_for("a")?;
    region.copy(y, w)?;
    let error = region.wait_for("c").unwrap_err();
    assert!(error.to_string().contains("a, host, b"), "{error}");
    let report = region.finish()?;
    let ran: Vec<u64> = report.devices.iter().map(|device| device.iterations).collect();
    assert_eq!(ran, [500, 0, 500], "{report}");
    assert!(left.iter().zip(&start).all(|(y, x)| *y == 3.0 * x));
    assert!(right.iter().zip(&start).all(|(y, x)| *y == 2.0 * x));
    Ok(())
}

#[test]
fn loops_over_arrays_on_one_device_read_the_rows_beside_their_own() -> Result<()> {
    let n = 20;
    let start: Vec<i64> = (0..n as i64).map(|i| i * i).collect();
    // The second difference, which is 2.
    let bend = || {
        Kernel::new("bend").host(|rows: Range<usize>, x: In<i64>, mut y: Out<i64>| {
            rows.for_each(|i| y[i] = x[i - 1] - 2 * x[i] + x[i + 1]);
        })
    };
    let rt = runtime(&[emulated("a", 10.0), host()])?;
    // The halo is stated in the layout or at the loop.
    for (device, halo, said) in ["a", "host"].into_iter().flat_map(|d| [(d, 0, true), (d, 1, true), (d, 1, false)]) {
        let mut bent = vec![0i64; n];
        let mut region = rt.data_region();
        let x = region.to(&start, [n].halo(halo).on(device));
        let y = region.tofrom(&mut bent, [n].on(device));
        let bound = bend().bind().reads(x);
        let bound = if said { bound.halo(1) } else { bound };
        region.parallel_for(1..n - 1, bound.writes(y)).run()?;
        region.finish()?;
        let expected = (0..n).map(|i| if i == 0 || i == n - 1 { 0 } else { 2 });
        assert!(bent.iter().copied().eq(expected), "{device}, {halo}, {said}: {bent:?}");
    }
    Ok(())
}

#[test]
fn the_host_reads_and_changes_arrays_in_between() -> Result<()> {
    let (n, m) = (20, 3);
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<i32>| {
        for i in rows {
            x.row_mut(i).iter_mut().for_each(|x| *x += 1);
        }
    });
    for set in sets() {
        let rt = runtime(&set)?;
        let mut values = vec![0i32; n * m];
        let mut region = rt.data_region();
        let x = region.tofrom(&mut values, [n, m]);
        region.parallel_for(0..n, add.bind().updates(x)).run()?;
        region.update_from(x)?;
        assert!(region.host(x)?.iter().all(|&x| x == 1), "{set:?}");
        region.host_mut(x)?[7] = 40;
        region.update_to(x)?;
        region.parallel_for(0..n, add.bind().updates(x)).run()?;
        // Results also come back without `finish`.
        drop(region);
        assert!(values.iter().enumerate().all(|(i, &x)| x == if i == 7 { 41 } else { 2 }), "{set:?} {values:?}");
    }
    Ok(())
}

#[test]
fn an_array_may_be_read_twice_with_a_side_each() -> Result<()> {
    let n = 40;
    let shift = Kernel::new("shift").host(|rows: Range<usize>, left: In<i64>, right: In<i64>, mut out: Out<i64>| {
        for i in rows {
            out[i] = left[i - 1] + 10 * right[i + 1];
        }
    });
    for set in sets() {
        let rt = runtime(&set)?;
        let (mut a, mut b) = ((0..n as i64).collect::<Vec<_>>(), vec![0i64; n]);
        let (mut old, mut new) = (a.clone(), b.clone());
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (mut x, mut y) = (region.tofrom(&mut a, [n].halo(1)), region.tofrom(&mut b, [n].halo(1)));
        for _ in 0..4 {
            let bound = shift.bind().reads(x).halo_sides(1, 0).reads(x).halo_sides(0, 1).writes(y);
            region.parallel_for(1..n - 1, bound).run()?;
            std::mem::swap(&mut x, &mut y);
            (1..n - 1).for_each(|i| new[i] = old[i - 1] + 10 * old[i + 1]);
            std::mem::swap(&mut old, &mut new);
        }
        region.finish()?;
        assert_eq!(a, old, "{set:?}");
    }
    Ok(())
}

#[test]
fn what_devices_would_count_or_write_more_than_once_is_refused() -> Result<()> {
    use apportion::region::Arrangement;
    let n = 16;
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let both = Kernel::new("both").host(|_: Range<usize>, _: Out<f32>, _: Out<f32>| ());
    let mut region = rt.data_region();
    let (x, table) = (region.alloc::<f32>([n]), region.alloc::<f32>([4].full()));
    let error = region.parallel_for(0..n, both.bind().writes(x).writes(table)).run().unwrap_err();
    assert!(error.to_string().contains("every device has all"), "{error}");
    let sum = Kernel::new("sum").host(|rows: Range<usize>, _: In<f32>| rows.len() as f64);
    let values = vec![1f32; n];
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let x = region.to(&values, [n]);
    let error = region.parallel_for(0..n, sum.bind().reads(x)).reduce::<f64>(Sum).unwrap_err();
    assert!(error.to_string().contains("more than once"), "{error}");
    let room = region.alloc::<f32>([3]);
    let error = region.update_to(room).unwrap_err();
    assert!(error.to_string().contains("alloc"), "{error}");
    Ok(())
}

#[test]
fn a_panic_of_a_body_ends_the_region() -> Result<()> {
    let rt = runtime(&[emulated("a", 10.0), host()])?;
    let kernel = Kernel::new("fails").host(|rows: Range<usize>, _: Out<f32>| assert!(rows.start > 5, "on purpose"));
    let mut region = rt.data_region().split(RegionSplit::Even);
    let x = region.alloc::<f32>([40]);
    let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        region.parallel_for(0..40usize, kernel.bind().writes(x)).run()
    }));
    assert!(ran.is_err());
    let error = region.parallel_for(10..40usize, kernel.bind().writes(x)).run().unwrap_err();
    assert!(error.to_string().contains("panicked"), "{error}");
    Ok(())
}

#[test]
fn what_iterations_contribute_to_is_whole_however_many_blocks_there_are() -> Result<()> {
    // A copy for each block would take 4 GiB in all.
    let (n, bins) = (1 << 14, 1 << 15);
    let values: Vec<u64> = (0..n as u64).map(|i| i * i).collect();
    let count = Kernel::new("count").host(move |rows: Range<usize>, x: In<u64>, mut counts: Out<u64>| -> u64 {
        rows.map(|i| {
            counts[x[i] as usize % bins] += 1;
            x[i]
        })
        .sum()
    });
    let mut expected = vec![0u64; bins];
    values.iter().for_each(|x| expected[(x % bins as u64) as usize] += 1);
    let rt = runtime(&[host()])?;
    let mut counts = vec![0u64; bins];
    let mut region = rt.data_region().reproducible(1);
    let (x, counts_) = (region.to(&values, [n]), region.tofrom(&mut counts, [bins].full()));
    let sum: u64 = region.parallel_for(0..n, count.bind().reads(x).reduces(counts_, Sum)).reduce(Sum)?;
    region.finish()?;
    assert_eq!(sum, values.iter().sum::<u64>());
    assert_eq!(counts, expected);
    Ok(())
}

#[test]
fn ghosts_past_the_edges_of_arrays_that_all_devices_have_follow_what_is_written() -> Result<()> {
    let (n, m) = (24usize, 3usize);
    for set in sets() {
        for (edge, before, after) in [(Edge::Periodic, n - 2, 1), (Edge::Reflecting, 2, n - 3)] {
            let rt = runtime(&set)?;
            let what = format!("{edge:?} {set:?}");
            let values: Vec<u64> = (0..(n * m) as u64).map(|i| i * 31 + 5).collect();
            let (mut sums, mut seen) = (vec![1u64; n * m], vec![0u64; 2 * n]);
            let mut region = rt.data_region().split(RegionSplit::Even);
            let x = region.to(&values, [n, m]);
            let table = region.tofrom(
                &mut sums,
                [n, m]
                    .full()
                    .ghosts(0, apportion::region::Ghosts { left: 2, right: 2, left_edge: edge, right_edge: edge }),
            );
            let seen_ = region.from(&mut seen, [n, 2]);
            let look = Kernel::new("look").host(move |rows: Range<usize>, table: In<u64>, mut seen: Out<u64>| {
                for i in rows {
                    seen.row_mut(i)[0] = table.row_at(-2)[i % 3];
                    seen.row_mut(i)[1] = table.row_at(n as isize + 1)[i % 3];
                }
            });
            let add = Kernel::new("add").host(|rows: Range<usize>, x: In<u64>, mut table: Out<u64>| {
                for i in rows {
                    let row = x.row(i).to_vec();
                    // To its own row, and to another.
                    table.row_mut(i).iter_mut().zip(&row).for_each(|(t, x)| *t += x);
                    table.row_mut(0)[1] += row[0];
                }
            });
            let mut expected = vec![1u64; n * m];
            let shown = |expected: &[u64]| -> Vec<u64> {
                (0..n).flat_map(|i| [expected[before * m + i % 3], expected[after * m + i % 3]]).collect()
            };
            for _ in 0..3 {
                region.parallel_for(0..n, add.bind().reads(x).reduces(table, Sum)).run()?;
                for i in 0..n {
                    (0..m).for_each(|c| expected[i * m + c] += values[i * m + c]);
                    expected[1] += values[i * m];
                }
                region.parallel_for(0..n, look.bind().reads(table).writes(seen_)).run()?;
                region.update_from(seen_)?;
                assert_eq!(region.host(seen_)?, shown(&expected), "{what}");
                // From a divided array.
                region.copy(x, table)?;
                expected.copy_from_slice(&values);
                region.parallel_for(0..n, look.bind().reads(table).writes(seen_)).run()?;
                region.update_from(seen_)?;
                assert_eq!(region.host(seen_)?, shown(&expected), "{what}, copied");
            }
            region.finish()?;
            assert_eq!(sums, expected, "{what}");
        }
    }
    Ok(())
}

#[test]
fn devices_without_rows_are_named_with_the_reason() -> Result<()> {
    let rt = runtime(&[emulated("fast", 5000.0), emulated_shared("slow", 0.001)])?;
    let values = vec![1u64; 1000];
    let sum = Kernel::new("sum")
        .host(|rows: Range<usize>, x: In<u64>| x.slice(rows).iter().sum::<u64>())
        .cost(Cost::per_iteration().flops(10_000).loads(8));
    let mut region = rt.data_region();
    let x = region.to(&values, [1000]);
    assert_eq!(region.parallel_for(0..1000, sum.bind().reads(x)).reduce::<u64>(Sum)?, 1000);
    let report = region.finish()?;
    assert_eq!(report.devices.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["fast"], "{report}");
    let [left_out] = &report.left_out[..] else { panic!("{report}") };
    assert_eq!(left_out.device, "slow");
    assert!(left_out.reason.contains("by the models") && left_out.reason.contains("fast"), "{report}");
    assert!(report.to_string().contains("left out: slow: by the models"), "{report}");
    assert!(report.left_out[0].to_string().starts_with("left out: slow: by the models"), "{report}");
    assert!(!left_out.reason.contains("gains too little"), "it would take longer: {report}");

    // One that takes part without a row.
    let rt = runtime(&[emulated("fast", 5000.0), emulated("slow", 0.001)])?;
    let mut region = rt.data_region();
    let x = region.to(&values, [1000]);
    assert_eq!(region.parallel_for(0..1000, sum.bind().reads(x)).reduce::<u64>(Sum)?, 1000);
    let report = region.finish()?;
    assert_eq!(
        report.devices.iter().map(|d| (d.name.as_str(), d.iterations)).collect::<Vec<_>>(),
        [("fast", 1000), ("slow", 0)]
    );
    let [left_out] = &report.left_out[..] else { panic!("{report}") };
    assert!(left_out.device == "slow" && left_out.reason.contains("none of the 1000 rows"), "{report}");

    // One that would have a hundredth of the rows, over a link.
    let rt = runtime(&[emulated_shared("fast", 5000.0), emulated("small", 50.0)])?;
    let sum = sum.cost(Cost::per_iteration().flops(10_000_000).loads(8));
    let mut region = rt.data_region();
    let x = region.to(&values, [1000]);
    assert_eq!(region.parallel_for(0..1000, sum.bind().reads(x)).reduce::<u64>(Sum)?, 1000);
    let report = region.finish()?;
    let [left_out] = &report.left_out[..] else { panic!("{report}") };
    assert_eq!(left_out.device, "small");
    assert!(left_out.reason.ends_with("on all devices, which gains too little"), "{report}");
    Ok(())
}

#[test]
fn a_body_that_takes_a_whole_array_gets_no_more_than_that() -> Result<()> {
    // Five f32 are no whole number of the words that emulated devices allocate, and homes with ghost rows.
    let sum = Kernel::new("sum").host(|rows: Range<usize>, all: In<f32>, mut y: Out<f32>| {
        assert_eq!(all.as_slice().len(), all.row_len() * 5);
        rows.for_each(|i| y[i] = all.as_slice().iter().sum());
    });
    let all = [1.0f32, 2.0, 3.0, 4.0, 5.0];
    for devices in [&[emulated("a", 10.0)][..], &[host()], &[host(), emulated("a", 10.0)]] {
        let mut y = vec![0.0f32; 3];
        let rt = runtime(devices)?;
        let mut region = rt.data_region();
        let copied = region.alloc::<f32>([5].full());
        let (all, y_) = (region.to(&all, [5].full()), region.from(&mut y, [3]));
        region.parallel_for(0..3usize, sum.bind().reads(all).writes(y_)).run()?;
        region.copy(all, copied)?;
        region.parallel_for(0..3usize, sum.bind().reads(copied).writes(y_)).run()?;
        region.finish()?;
        assert_eq!(y, [15.0; 3]);
    }
    Ok(())
}

/// An array without elements is one like others: kernels may take it, and contribute nothing to it.
#[test]
fn arrays_without_elements_are_taken_by_kernels_on_any_devices() -> Result<()> {
    let add = Kernel::new("add").host(|rows: Range<usize>, table: In<u64>, mut x: Out<u64>| {
        rows.for_each(|i| x[i] += 1 + table.slice(0..0).iter().sum::<u64>());
    });
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.filter(|&i| x[i] > 2).for_each(|i| bins[i] += 1);
    });
    let sets =
        [vec![emulated("a", 10.0)], vec![emulated("a", 10.0), emulated("b", 10.0)], vec![host(), emulated("a", 10.0)]];
    for set in sets {
        let rt = runtime(&set)?;
        let (table, mut bins, mut x) = (Vec::<u64>::new(), Vec::<u64>::new(), vec![0u64; 100]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (table_, bins_) = (region.to(&table, [0].full()), region.tofrom(&mut bins, [0].full()));
        let x_ = region.tofrom(&mut x, [100]);
        for _ in 0..2 {
            region.parallel_for(0..100, add.bind().reads(table_).updates(x_)).run()?;
            region.copy(table_, bins_)?;
            region.update_from(bins_)?;
        }
        region.parallel_for(0..100, count.bind().reads(x_).reduces(bins_, Sum)).run()?;
        region.finish()?;
        assert_eq!((x, bins), (vec![2; 100], vec![]), "{set:?}");
    }
    Ok(())
}

#[test]
fn a_region_without_rows_runs_its_loops() -> Result<()> {
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
    let total = Kernel::new("total").host(|rows: Range<usize>, x: In<u64>| x.slice(rows).iter().sum::<u64>());
    let costs = add.clone().cost(Cost::per_iteration().flops(1));
    for set in [vec![host()], vec![emulated("a", 10.0), emulated("b", 10.0)], vec![host(), emulated("a", 10.0)]] {
        let rt = runtime(&set)?;
        for (split, add) in [
            (RegionSplit::Model, &add),
            (RegionSplit::Model, &costs),
            (RegionSplit::Even, &add),
            (RegionSplit::Even, &costs),
        ] {
            let (mut x, mut y) = (Vec::<u64>::new(), Vec::<u64>::new());
            let mut region = rt.data_region().split(split);
            let (x_, y_) = (region.tofrom(&mut x, [0].halo(1)), region.from(&mut y, [0]));
            region.parallel_for(0..0, add.bind().updates(x_)).run()?;
            region.copy(x_, y_)?;
            assert_eq!(region.parallel_for(0..0, total.bind().reads(x_)).reduce::<u64>(Sum)?, 0);
            region.update_from(x_)?;
            region.finish()?;
        }
    }
    Ok(())
}

/// `update_to` counts also while the array is on no device yet: before the first loop, and before the first loop after it was
/// mapped.
#[test]
fn values_that_the_host_gave_before_an_array_is_placed_are_there() -> Result<()> {
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.for_each(|i| bins[i % 4] += x[i]);
    });
    for set in [vec![host()], vec![emulated("a", 10.0), emulated("b", 10.0)], vec![host(), emulated("a", 10.0)]] {
        let rt = runtime(&set)?;
        let (mut x, mut y, mut bins) = (vec![0u64; 100], vec![0u64; 100], [0u64; 4]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let x_ = region.from(&mut x, [100].halo(1));
        region.host_mut(x_)?.fill(5);
        region.update_to(x_)?;
        region.parallel_for(0..100, add.bind().updates(x_)).run()?;
        let (y_, bins_) = (region.from(&mut y, [100].halo(1).edge(Edge::Periodic)), region.from(&mut bins, [4].full()));
        region.host_mut(y_)?.fill(7);
        region.update_to(y_)?;
        region.host_mut(bins_)?.fill(3);
        region.update_to(bins_)?;
        region.parallel_for(0..100, add.bind().updates(y_)).run()?;
        region.parallel_for(0..100, count.bind().reads(x_).reduces(bins_, Sum)).run()?;
        region.finish()?;
        assert_eq!((x, y, bins), (vec![6; 100], vec![8; 100], [3 + 25 * 6; 4]), "{set:?}");
    }
    Ok(())
}

/// The models would leave the slow device out, but an array is on it, or has a block for each device.
#[test]
fn devices_that_layouts_need_are_not_left_out() -> Result<()> {
    let rt = runtime(&[emulated_shared("slow", 0.01), emulated("fast", 1000.0)])?;
    let cost = Cost::per_iteration().flops(1_000);
    let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1)).cost(cost);
    let (n, mut x) = (100, vec![0u64; 100]);
    let mut region = rt.data_region();
    let x_ = region.tofrom(&mut x, [n]);
    region.parallel_for(0..n, add.bind().updates(x_)).run()?;
    let report = region.finish()?;
    assert!(report.left_out.iter().any(|left_out| left_out.device == "slow"), "{report}");
    let layouts: [&dyn Fn() -> Layout; 4] = [
        &|| [n].on("slow"),
        &|| [n].divide(0, Division::BlockOf(50)),
        &|| [n].divide(0, Division::Weighted(vec![30, 70])),
        &|| [n].align_with("x", 1).offset(0),
    ];
    for (number, layout) in layouts.into_iter().enumerate() {
        let (mut x, mut y) = (vec![0u64; n], vec![0u64; n]);
        let mut region = rt.data_region();
        let (x_, y_) = (region.tofrom(&mut x, [n].named("x")), region.tofrom(&mut y, layout()));
        region.parallel_for(0..n, add.bind().updates(x_)).run()?;
        region.parallel_for(0..n, add.bind().updates(y_)).run()?;
        let report = region.finish()?;
        // What does not need the slow device changes nothing.
        assert_eq!(report.left_out.is_empty(), number < 3, "{number}: {report}");
        assert_eq!((x, y), (vec![1; n], vec![1; n]), "{number}");
    }
    // An array that is impossible on any devices is refused, and decides nothing.
    let (mut x, mut y) = (vec![0u64; n], vec![0u64; n]);
    let mut region = rt.data_region();
    let (x_, y_) = (region.tofrom(&mut x, [n]), region.tofrom(&mut y, [n].on("nowhere")));
    let error = region.parallel_for(0..n, add.bind().updates(x_)).run().unwrap_err().to_string();
    assert!(error.contains("to be on device `nowhere`"), "{error}");
    assert!(region.parallel_for(0..n, add.bind().updates(y_)).run().is_err());
    region.parallel_for(0..n, add.bind().updates(x_)).run()?;
    region.finish()?;
    assert_eq!(x, vec![1; n]);
    Ok(())
}
