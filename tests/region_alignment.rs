//! Arrays of a data region that are aligned with arrays: whatever divides it, the array at the end of the chain decides who
//! runs which iterations.

use apportion::prelude::*;
use apportion::region::{Dims, Division, Layout, Ratio, RegionSplit, Target};

mod common;
use common::machines::{emulated, host, runtime};

fn with(name: &str, ratio: usize) -> Division {
    Division::Align { target: Target::array(name, 0), ratio: ratio.into(), offset: 0 }
}

/// `half = pairs[2i]`, then `sums = half + pairs[2i + 1] + table`, over arrays that follow `sums` by ratios and a chain.
fn check(rt: &Runtime, n: usize, divided: impl Fn(Layout) -> Layout) -> Result<()> {
    let first = Kernel::new("first").host(|rows: Range<usize>, pairs: In<i64>, mut half: Out<i64>| {
        rows.for_each(|i| half[i] = pairs[2 * i]);
    });
    let second = Kernel::new("second").host(
        |rows: Range<usize>, half: In<i64>, pairs: In<i64>, quads: In<i64>, table: In<i64>, mut sums: Out<i64>| {
            rows.for_each(|i| {
                sums[i] = half[i] + pairs[2 * i + 1] + table[i % 3] + quads.slice(4 * i..4 * i + 4).iter().sum::<i64>();
            });
        },
    );
    let pairs: Vec<i64> = (0..2 * n as i64).collect();
    let quads: Vec<i64> = (0..4 * n as i64).map(|i| i * i).collect();
    let table = [100, 200, 300];
    let mut sums = vec![0; n];
    let mut region = rt.data_region();
    // The array at the chain's end is mapped last.
    let quads_ = region.to(&quads, [4 * n].divide(0, with("pairs", 2)).named("quads"));
    let pairs_ = region.to(&pairs, [2 * n].divide(0, with("sums", 2)).named("pairs"));
    let half = region.alloc::<i64>([n].divide(0, with("sums", 1)));
    let table_ = region.to(&table, [3].full());
    let sums_ = region.from(&mut sums, divided([n].named("sums")));
    region.parallel_for(0..n, first.bind().reads(pairs_).writes(half)).run()?;
    let arrays = second.bind().reads(half).reads(pairs_).reads(quads_).reads(table_).writes(sums_);
    region.parallel_for(0..n, arrays).run()?;
    region.finish()?;
    for (i, sum) in sums.iter().enumerate() {
        let expected = pairs[2 * i] + pairs[2 * i + 1] + table[i % 3] + quads[4 * i..4 * i + 4].iter().sum::<i64>();
        assert_eq!(*sum, expected, "{i} of {n}");
    }
    Ok(())
}

#[test]
fn arrays_follow_a_divided_array_by_ratios_and_chains() -> Result<()> {
    let sets: [Vec<String>; 4] = [
        vec![host()],
        vec![emulated("a", 10.0), emulated("b", 30.0), emulated("c", 20.0)],
        vec![host(), emulated("a", 10.0)],
        vec![emulated("a", 10.0), host(), emulated("b", 5.0)],
    ];
    for set in sets {
        let rt = runtime(&set)?;
        for n in [1, 7, 12, 60] {
            check(&rt, n, |layout| layout)?;
            check(&rt, n, |layout| layout.divide(0, Division::Block))?;
            check(&rt, n, |layout| layout.divide(0, Division::BlockOf(n as u64)))?;
            check(&rt, n, |layout| layout.divide(0, Division::Cyclic(2)))?;
        }
    }
    Ok(())
}

/// One element for two iterations, and two elements for three: read where the rule says, and written by the iterations that own
/// them.
fn check_fractions(rt: &Runtime, n: usize, first: usize, split: RegionSplit) -> Result<()> {
    let coarse: Vec<i64> = (0..n.div_ceil(2) as i64).map(|i| 10 * i + 1).collect();
    let thirds: Vec<i64> = (0..(2 * n).div_ceil(3) as i64).map(|i| 1000 * i).collect();
    // Aligned through two links: two pairs for each coarse element, and 3 before the first.
    let pairs: Vec<i64> = (0..3 + 2 * coarse.len() as i64).map(|i| i * i).collect();
    let (mut fine, mut halves) = (vec![0i64; n], vec![-1i64; n.div_ceil(2)]);
    let read = Kernel::new("read").host(
        |rows: Range<usize>, coarse: In<i64>, thirds: In<i64>, pairs: In<i64>, mut fine: Out<i64>| {
            for i in rows {
                let pair = pairs[3 + 2 * (i / 2)] + pairs[4 + 2 * (i / 2)];
                fine[i] = coarse[i / 2] + thirds[i * 2 / 3] + pair;
            }
        },
    );
    let write = Kernel::new("write").host(|rows: Range<usize>, fine: In<i64>, mut halves: Out<i64>| {
        // The element belongs to the first of its two iterations.
        rows.filter(|i| i % 2 == 0).for_each(|i| halves[i / 2] = fine[i]);
    });
    let mut region = rt.data_region().split(split);
    let pairs_ = region.to(&pairs, [pairs.len()].align_with("coarse", 2).offset(3));
    let coarse_ = region.to(&coarse, [coarse.len()].ratio((1, 2)).named("coarse"));
    let thirds_ = region.to(&thirds, [thirds.len()].ratio(Ratio::new(2, 3)));
    let fine_ = region.from(&mut fine, [n]);
    let halves_ = region.tofrom(&mut halves, [n.div_ceil(2)].ratio((1, 2)));
    let arrays = read.bind().reads(coarse_).reads(thirds_).reads(pairs_).writes(fine_);
    region.parallel_for(first..n, arrays).run()?;
    region.parallel_for(first..n, write.bind().reads(fine_).writes(halves_)).run()?;
    region.finish()?;
    for i in first..n {
        let pair = pairs[3 + 2 * (i / 2)] + pairs[4 + 2 * (i / 2)];
        let expected = coarse[i / 2] + thirds[i * 2 / 3] + pair;
        assert_eq!(fine[i], expected, "{i} of {n}");
        if i % 2 == 0 {
            assert_eq!(halves[i / 2], expected, "half of {i} of {n}");
        }
    }
    assert!(halves[..first.div_ceil(2)].iter().all(|half| *half == -1), "{halves:?}");
    Ok(())
}

#[test]
fn arrays_follow_by_fractions_wherever_rows_are_split() -> Result<()> {
    let sets: [Vec<String>; 4] = [
        vec![host()],
        vec![emulated("a", 10.0), emulated("b", 30.0), emulated("c", 20.0)],
        vec![host(), emulated("a", 10.0)],
        vec![emulated("a", 10.0), host(), emulated("b", 5.0)],
    ];
    for set in sets {
        let rt = runtime(&set)?;
        let weights: Vec<f64> = (0..set.len()).map(|slot| 1.0 + slot as f64).collect();
        for n in [1, 5, 12, 61] {
            for first in [0, 1, n / 2] {
                check_fractions(&rt, n, first, RegionSplit::Even)?;
                check_fractions(&rt, n, first, RegionSplit::Weights(weights.clone()))?;
            }
        }
    }
    Ok(())
}

#[test]
fn a_coarse_array_that_is_divided_by_itself_leads_its_loop() -> Result<()> {
    // A block of 6 goes by the ratio, and each element is written where it is; a block of 5 would cut an element and is
    // refused.
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 30.0)])?;
    let copy = Kernel::new("copy").host(|rows: Range<usize>, coarse: In<i64>, mut fine: Out<i64>| {
        rows.for_each(|i| fine[i] = coarse[i / 2]);
    });
    let coarse: Vec<i64> = (0..5).collect();
    let run = |block: u64| -> Result<Vec<i64>> {
        let mut fine = vec![0i64; 10];
        let mut region = rt.data_region();
        let fine_ = region.from(&mut fine, [10].divide(0, Division::BlockOf(block)).named("fine"));
        let coarse_ = region.to(&coarse, [5].align_with("fine", (1, 2)));
        region.parallel_for(0..10usize, copy.bind().reads(coarse_).writes(fine_)).run()?;
        region.finish()?;
        Ok(fine)
    };
    assert_eq!(run(6)?, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    let error = run(5).unwrap_err().to_string();
    assert!(error.contains("align the arrays of a loop"), "{error}");
    Ok(())
}

/// Rows are split at multiples of what fractions need. Where the first loop did not know of them, rows move; in a grid the error
/// says what to do.
#[test]
fn fractions_may_come_after_the_first_loop() -> Result<()> {
    use apportion::region::Arrangement;
    let fill = Kernel::new("fill").host(|rows: Range<usize>, mut fine: Out<i64>| rows.for_each(|i| fine[i] = i as i64));
    let add = Kernel::new("add").host(|rows: Range<usize>, coarse: In<i64>, mut fine: Out<i64>| {
        rows.for_each(|i| fine[i] += coarse[i / 2]);
    });
    let coarse: Vec<i64> = (0..5).map(|i| 100 * i).collect();
    let sets = [
        vec![emulated("a", 10.0), emulated("b", 30.0)],
        vec![host(), emulated("a", 10.0)],
        vec![emulated("a", 10.0), emulated("b", 30.0), host()],
    ];
    for set in sets {
        let rt = runtime(&set)?;
        let mut fine = vec![0i64; 10];
        let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
        let fine_ = region.tofrom(&mut fine, [10].halo(1));
        region.parallel_for(0..10usize, fill.bind().writes(fine_)).run()?;
        let coarse_ = region.to(&coarse, [5].ratio((1, 2)));
        for _ in 0..2 {
            region.parallel_for(0..10usize, add.bind().reads(coarse_).updates(fine_)).run()?;
        }
        let report = region.finish()?;
        assert_eq!(report.moves.iter().map(|(after, _)| *after).collect::<Vec<_>>(), [1], "{report}");
        let last = report.devices.last().map(|device| device.rows);
        assert!(report.devices.iter().all(|device| device.rows % 2 == 0 || Some(device.rows) == last), "{report}");
        assert_eq!(fine, (0..10).map(|i| i + 200 * (i / 2)).collect::<Vec<_>>(), "{set:?}");
    }
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 30.0)])?;
    let mut fine = vec![0i64; 10];
    let mut region = rt.data_region().arrangement(Arrangement::Grid(2, 1));
    let fine_ = region.tofrom(&mut fine, [10]);
    region.parallel_for(0..10usize, fill.bind().writes(fine_)).run()?;
    let coarse_ = region.to(&coarse, [5].ratio((1, 2)));
    let error =
        region.parallel_for(0..10usize, add.bind().reads(coarse_).updates(fine_)).run().unwrap_err().to_string();
    assert!(error.contains("map arrays with fractions before the region's first loop"), "{error}");
    region.parallel_for(0..10usize, fill.bind().writes(fine_)).run()?;
    region.finish()?;
    assert_eq!(fine, (0..10).collect::<Vec<_>>());
    Ok(())
}

/// Fractions of an array with its own division say nothing of the rows, and no device is left without rows for a fraction.
#[test]
fn rows_stay_for_fractions_of_other_arrays_and_for_those_that_one_device_would_have() -> Result<()> {
    let fill = Kernel::new("fill").host(|rows: Range<usize>, mut x: Out<i64>| rows.for_each(|i| x[i] = i as i64));
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let (mut x, t, one) = (vec![0i64; 100], vec![0i64; 100], [7i64]);
    let mut region = rt.data_region().split(RegionSplit::Even).rebalance(false);
    let x_ = region.tofrom(&mut x, [100]);
    region.to(&t, [100].divide(0, Division::Block).named("t"));
    region.parallel_for(0..100usize, fill.bind().writes(x_)).run()?;
    region.to(&one, [1].align_with("t", (1, 100)));
    region.parallel_for(0..100usize, fill.bind().writes(x_)).run()?;
    region.to(&one, [1].ratio((1, 100)));
    region.parallel_for(0..100usize, fill.bind().writes(x_)).run()?;
    let report = region.finish()?;
    assert!(report.moves.is_empty() && report.devices.iter().all(|device| device.rows == 50), "{report}");
    Ok(())
}

/// Arrays with divisions of their own are on all devices, whatever the models say, and the report counts their rows.
#[test]
fn arrays_with_their_own_division_have_rows_on_all_devices_and_are_reported_so() -> Result<()> {
    let rt = runtime(&[host(), emulated("a", 10.0), emulated("b", 10.0)])?;
    let add = Kernel::new("add")
        .host(|rows: Range<usize>, x: In<f32>, mut y: Out<f32>| rows.for_each(|i| y[i] += x[i]))
        .cost(Cost::per_iteration().flops(1).loads(2).stores(1));
    let divisions: [(Division, [u64; 3]); 3] =
        [(Division::Block, [34, 33, 33]), (Division::BlockOf(40), [40, 40, 20]), (Division::Cyclic(7), [35, 35, 30])];
    for (division, rows) in divisions {
        for split in [RegionSplit::Model, RegionSplit::Even] {
            let (x, mut y) = (vec![1.0f32; 100], vec![2.0f32; 100]);
            let mut region = rt.data_region().split(split).timeline(4);
            let x_ = region.to(&x, [100].divide(0, division.clone()));
            let y_ = region.tofrom(&mut y, [100].divide(0, division.clone()));
            for _ in 0..3 {
                region.parallel_for(0..100, add.bind().reads(x_).updates(y_)).run()?;
            }
            let report = region.finish()?;
            let devices =
                |of: fn(&apportion::region::DeviceTotals) -> u64| report.devices.iter().map(of).collect::<Vec<_>>();
            assert_eq!(devices(|device| device.rows), rows, "{division:?}: {report}");
            assert_eq!(devices(|device| device.ran), rows.map(|rows| 3 * rows), "{division:?}: {report}");
            let seen = report.timeline.last().unwrap().devices.iter().map(|device| device.rows);
            assert_eq!(seen.collect::<Vec<_>>(), rows, "{division:?}");
            assert_eq!(y, [5.0; 100]);
        }
    }
    // Arrays that follow the loop match those in blocks.
    let (x, mut y) = (vec![1.0f32; 100], vec![0.0f32; 100]);
    let mut region = rt.data_region().rebalance(false);
    let x_ = region.to(&x, [100].divide(0, Division::Block));
    let y_ = region.tofrom(&mut y, [100]);
    for _ in 0..200 {
        region.parallel_for(0..100, add.bind().reads(x_).updates(y_)).run()?;
    }
    let report = region.finish()?;
    assert!(report.moves.is_empty() && report.devices.len() == 3, "{report}");
    assert_eq!(y, [200.0; 100]);
    Ok(())
}
