//! Wrong calls of a data region give an error before anything runs, as docs/regions.md lists them, and the region goes on.

use apportion::prelude::*;
use apportion::region::{DataRegion, Dims, Division, Ghosts, Layout, Mapped, RegionSplit, Target};
use std::sync::{Arc, Mutex};
use std::time::Duration;

mod common;
use common::machines::{emulated, host, runtime};

fn two() -> Result<Runtime> {
    runtime(&[host(), emulated("a", 10.0)])
}

fn copy() -> Kernel {
    Kernel::new("copy").host(|rows: Range<usize>, x: In<f32>, mut y: Out<f32>| rows.for_each(|i| y[i] = x[i]))
}

#[track_caller]
fn told<T>(result: Result<T>, words: &[&str]) {
    let error = result.err().expect("this is a mistake");
    assert!(matches!(error, Error::Call(_)), "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "no `{word}` in: {error}");
    }
}

/// Two arrays of ten rows, `y` without ghost rows, and a replicated one.
fn mapped<'a>(region: &mut DataRegion<'_, 'a>, x: &'a [f32], y: &'a mut [f32], all: &'a mut [f32]) -> [Mapped<f32>; 3] {
    [
        region.to(x, [10].halo(1).named("x")),
        region.tofrom(y, [10].named("y")),
        region.tofrom(all, [10].full().named("all")),
    ]
}

#[test]
fn loops_that_cannot_be_are_refused_and_the_region_goes_on() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y, mut all) = (vec![1.0f32; 10], vec![0.0f32; 10], vec![0.0f32; 10]);
    let stranger = vec![0.0f32; 10];
    let mut region = rt.data_region().split(RegionSplit::Even);
    let [x_, y_, all_] = mapped(&mut region, &x, &mut y, &mut all);

    told(
        region.parallel_for(0..10usize, kernel.bind().to(&stranger).align().writes(y_)).run(),
        &["not in the region", "map it first"],
    );
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(y_).writes(x_)).run(),
        &["mapped `to`", "map it `tofrom`"],
    );
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(y_).writes(y_)).run(),
        &["bound twice", "would race", "`.updates(..)`"],
    );
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(x_).halo(2).writes(y_)).run(),
        &["reads 2 rows before", "`.halo(2)`"],
    );
    told(region.parallel_for(0..12usize, kernel.bind().reads(x_).writes(y_)).run(), &["over 0..12", "rows for 10"]);
    let bare = region.alloc::<f32>([10, 0].named("bare"));
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(x_).writes(bare)).run(),
        &["`bare`", "rows for 0 of", "its rows have no elements: leave the loop out"],
    );
    let bump = Kernel::new("bump").host(|rows: Range<usize>, mut y: Out<f32>| rows.for_each(|i| y[i] += 1.0));
    told(
        region.parallel_for(0..10usize, bump.bind().updates(all_)).run(),
        &["`bump` writes array `all`", "map it divided", "map a second array `.full()`"],
    );
    let other = rt.data_region().alloc::<f32>([10]);
    told(
        region.parallel_for(0..10usize, bump.bind().updates(other)).run(),
        &["another data region", "map it in this one"],
    );
    told(region.halo_update(x_, 1, apportion::region::Sides::BOTH), &["dimension 1 of an array that has 1"]);

    region.parallel_for(0..10usize, kernel.bind().reads(x_).writes(y_)).run()?;
    region.finish()?;
    assert_eq!(y, x);
    Ok(())
}

#[test]
fn a_layout_has_no_call_without_effect() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut of = |layout: Layout| -> Result<()> {
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (x, y) = (region.to(&x, layout.named("x")), region.tofrom(&mut y, [10]));
        region.parallel_for(0..10usize, kernel.bind().reads(x).writes(y)).run()
    };
    told(of([10].divide(1, Division::Block)), &["`x`", "`.divide(1, ..)` is of dimension 1, but it has 1"]);
    told(of([10].ghosts(2, Ghosts::default())), &["`x`", "`.ghosts(2, ..)` is of dimension 2, but it has 1"]);
    told(of([10].divide(0, Division::Block).offset(3)), &["`.offset(3)`", "a division of its own"]);
    told(of(Layout::from([10]).offset(3).ratio(1)), &["`.offset(3)` comes before", "call it after `.ratio(..)`"]);
    told(of(Layout::from([10]).offset(3).full()), &["`.offset(3)` comes before"]);
    // The first of several.
    told(of([10].divide(4, Division::Block).ghosts(3, Ghosts::default())), &["`.divide(4, ..)`"]);
    of([10].ratio(1).offset(0))
}

#[test]
fn arrays_that_do_not_go_together_are_refused() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let of_blocks = |division: Division| -> Result<()> {
        let mut y = y.clone();
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (x, y) = (region.to(&x, [10].divide(0, division).named("x")), region.tofrom(&mut y, [10]));
        region.parallel_for(0..10usize, kernel.bind().reads(x).writes(y)).run()
    };
    told(of_blocks(Division::BlockOf(8)), &["need its rows 5..10", "align the arrays of a loop with one another"]);
    told(of_blocks(Division::BlockOf(4)), &["BLOCK(4) on 2 devices", "at least 5"]);
    let itself = Division::Align { target: Target::array("x", 0), ratio: 1.into(), offset: 0 };
    told(of_blocks(itself), &["alignment goes in a circle", "a division of its own"]);
    let nobody = Division::Align { target: Target::array("z", 0), ratio: 1.into(), offset: 0 };
    told(of_blocks(nobody), &["there is no", "of z"]);

    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [8, 8].named("x")), region.tofrom(&mut y, [10]));
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(x_).writes(y_)).run(),
        &["`x`", "of 64 elements, but it has 10"],
    );
    drop(region);

    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [10].divide(0, Division::Cyclic(2)).halo(1)), region.tofrom(&mut y, [10]));
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(x_).writes(y_)).run(),
        &["CYCLIC dimension has no neighbours"],
    );
    drop(region);

    let mut region = rt.data_region().split(RegionSplit::Weights(vec![1.0; 3]));
    let (x_, y_) = (region.to(&x, [10]), region.tofrom(&mut y, [10]));
    told(
        region.parallel_for(0..10usize, kernel.bind().reads(x_).writes(y_)).run(),
        &["2 devices take part, so 2 weights"],
    );
    Ok(())
}

#[test]
fn a_layout_that_cannot_be_is_told_and_the_region_goes_on_without_the_array() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let x: Vec<f32> = (0..10u8).map(f32::from).collect();
    let (mut y, mut wrong, mut other) = (vec![0.0f32; 10], vec![7.0f32; 10], vec![8.0f32; 64]);
    let follows = |name| Division::Align { target: Target::array(name, 0), ratio: 1.into(), offset: 0 };
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (x_, y_) = (region.to(&x, [10]), region.tofrom(&mut y, [10]));
    // This array is longer than the others, so it would decide how many rows the region has.
    let wrong_ = region.tofrom(&mut wrong, [8, 8].named("wrong"));
    told(
        region.parallel_for(0..10, kernel.bind().reads(x_).writes(y_)).run(),
        &["`wrong`", "of 64 elements, but it has 10"],
    );
    told(
        region.parallel_for(0..10, kernel.bind().reads(x_).writes(wrong_)).run(),
        &["`wrong`", "not in the region", "anew"],
    );
    region.parallel_for(0..10, kernel.bind().reads(x_).writes(y_)).run()?;

    // The same for arrays that come later, and for arrays aligned with those; arrays on the devices stay.
    let circle = region.tofrom(&mut other, [64].named("circle").divide(0, follows("other")));
    let with_it = region.alloc::<f32>([64].named("other").divide(0, follows("circle")));
    let right = region.to(&x, [10]);
    told(region.parallel_for(0..10, kernel.bind().reads(right).writes(y_)).run(), &["alignment goes in a circle"]);
    told(region.parallel_for(0..10, kernel.bind().reads(with_it).writes(y_)).run(), &["`other`", "not in the region"]);
    told(region.copy(circle, with_it), &["not in the region"]);
    let cyclic = region.alloc::<f32>([10].named("rim").divide(0, Division::Cyclic(2)).halo(1));
    told(region.parallel_for(0..10, kernel.bind().reads(cyclic).writes(y_)).run(), &["`rim`", "CYCLIC dimension"]);
    let twice = [region.alloc::<f32>([10].named("twice")), region.alloc::<f32>([10].named("twice"))];
    told(region.parallel_for(0..10, kernel.bind().reads(right).writes(y_)).run(), &["twice"]);
    told(region.parallel_for(0..10, kernel.bind().reads(twice[1]).writes(y_)).run(), &["not in the region"]);
    region.parallel_for(0..10, kernel.bind().reads(right).writes(y_)).run()?;
    let report = region.finish()?;
    assert_eq!(report.devices.iter().map(|device| device.rows).sum::<u64>(), 10, "{report}");
    assert_eq!((y, wrong, other), (x, vec![7.0; 10], vec![8.0; 64]));
    Ok(())
}

/// Such an array does not decide how many rows and columns the region has, so others are not refused with it.
#[test]
fn an_array_of_absurd_extents_is_refused_alone() -> Result<()> {
    use apportion::region::{Arrangement, Layout};
    let x: Vec<f32> = (0..60u8).map(f32::from).collect();
    let kernel =
        Kernel::new("copy").host_tiles(|rows: Range<usize>, columns: Range<usize>, x: In<f32>, mut y: Out<f32>| {
            let (first, end) = (columns.start as isize, columns.end as isize);
            rows.for_each(|i| y.cells_mut(i as isize, first..end).copy_from_slice(x.cells(i as isize, first..end)));
        });
    let absurd: [fn() -> Layout; 5] = [
        || [usize::MAX].named("wrong"),
        || [1 << 62].named("wrong"),
        || [0, 1 << 62].named("wrong"),
        || [1 << 40].ratio((1, 1 << 40)).named("wrong"),
        || [1 << 40, 1 << 40].named("wrong"),
    ];
    for (arrangement, wrong) in
        [Arrangement::Row, Arrangement::Grid(1, 2)].into_iter().flat_map(|a| absurd.map(|w| (a, w)))
    {
        for later in [false, true] {
            let (rt, mut y) = (runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?, vec![0.0f32; 60]);
            let mut region = rt.data_region().arrangement(arrangement).split(RegionSplit::Even);
            let (x_, y_) = (region.to(&x, [6, 10].named("x")), region.tofrom(&mut y, [6, 10].named("y")));
            let bound = || kernel.bind().reads(x_).writes(y_);
            if later {
                region.parallel_for_2d(0..6, 0..10, bound()).run()?;
            }
            let _wrong = region.alloc::<f32>(wrong());
            let _with_it = region.alloc::<f32>([10].align_with("wrong", 1));
            told(region.parallel_for_2d(0..6, 0..10, bound()).run(), &["`wrong`"]);
            region.parallel_for_2d(0..6, 0..10, bound()).run()?;
            let report = region.finish()?;
            assert_eq!(
                report.devices.iter().map(|device| device.rows).max(),
                Some(if arrangement == Arrangement::Row { 3 } else { 6 }),
                "{report}"
            );
            assert_eq!(y, x);
        }
    }
    Ok(())
}

/// A message names an array by the parameter of the kernel's function.
#[test]
fn arrays_are_called_as_the_kernel_does() -> Result<()> {
    #[kernel]
    fn smooth(i: usize, x: &[f32], y: &mut [f32]) {
        y[i] = x[i - 1] + x[i + 1];
    }
    let (rt, x, mut y, mut whole) = (two()?, vec![1.0f32; 10], vec![0.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region();
    let (x_, named, y_) = (region.to(&x, [10]), region.to(&x, [10].named("old")), region.tofrom(&mut y, [10]));
    let read = "the loop reads 1 rows before and 1 after its own of array";
    told(region.parallel_for(1..9, smooth(x_, y_)).run(), &["kernel `smooth`", &format!("{read} `x`, which")]);
    told(region.parallel_for(1..9, smooth(named, y_)).run(), &[&format!("{read} `old` (`x`), which")]);
    let all = region.to(&x, [10].full());
    told(region.parallel_for(1..11, smooth(all, y_)).run(), &["array `x`"]);
    let y_ = region.tofrom(&mut whole, [10].full());
    told(
        region.parallel_for(1..9, smooth(all, y_)).run(),
        &["kernel `smooth` writes array `y`, of which every device", "map it divided", "map a second array `.full()`"],
    );
    Ok(())
}

/// The first loop decides the devices. Calls that need them before that say so, and what to do.
#[test]
fn calls_before_the_first_loop_say_what_to_do() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [10].named("x")), region.tofrom(&mut y, [10].named("y")));
    told(region.wait_for("a"), &["`wait_for(\"a\")` before its first loop", "leave the call out"]);
    region.parallel_for(0..10, kernel.bind().reads(x_).writes(y_)).run()?;
    region.wait_for("a")?;
    region.finish()?;
    assert_eq!(y, x);
    Ok(())
}

/// What a copy needs is checked at the call also while no array is on a device, and the region goes on.
#[test]
fn copies_before_the_first_loop_are_checked_at_the_call() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y, mut wrong) = (vec![1.0f32; 10], vec![0.0f32; 10], vec![3.0f32; 9]);
    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [10].named("x")), region.from(&mut y, [10].named("y")));
    let (long, wrong_) = (region.alloc::<f32>([11]), region.tofrom(&mut wrong, [10].named("wrong")));
    told(region.copy(x_, long), &["`x`", "has extents [10]", "[11]"]);
    told(region.copy(y_, x_), &["`x`", "mapped `to`", "`alloc`"]);
    told(rt.data_region().copy(x_, y_), &["another data region"]);
    told(region.copy(wrong_, y_), &["`wrong`", "[10]", "10 elements, but it has 9"]);
    told(region.copy(x_, wrong_), &["`wrong`", "not in the region", "anew"]);
    // An array that cannot be placed on these devices is reported by the first loop; what was copied from it is there.
    let nowhere = region.alloc::<f32>([10].on("c").named("nowhere"));
    region.copy(x_, nowhere)?;
    region.copy(nowhere, y_)?;
    let third = region.alloc::<f32>([10]);
    told(region.parallel_for(0..10, kernel.bind().reads(x_).writes(third)).run(), &["to be on device `c`"]);
    region.parallel_for(0..10, kernel.bind().reads(x_).writes(third)).run()?;
    told(region.copy(nowhere, y_), &["`nowhere`", "not in the region"]);
    region.finish()?;
    assert_eq!((y, wrong), (x, vec![3.0; 9]));
    Ok(())
}

#[test]
fn costs_that_are_none_are_refused() -> Result<()> {
    let rt = two()?;
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [10]), region.tofrom(&mut y, [10]));
    let wrong = copy().cost(Cost::per_iteration().loads(f64::INFINITY));
    told(
        region.parallel_for(0..10, wrong.bind().reads(x_).writes(y_)).run(),
        &["`copy`", "`.loads(inf)`", "at least 0"],
    );
    Ok(())
}

#[test]
fn ranges_are_of_any_integers_from_0_on() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region();
    let (x_, y_) = (region.to(&x, [10]), region.tofrom(&mut y, [10]));
    let (bound, below, x_end) = (|| kernel.bind().reads(x_).writes(y_), -3i64, 10);
    told(region.parallel_for(-1..10, bound()).run(), &["`copy`", "range is -1..10", "from 0 on", "-1"]);
    told(region.parallel_for(0..below, bound()).run(), &["range is 0..-3"]);
    told(region.parallel_for_2d(0..10, -2..3, bound()).run(), &["range is -2..3"]);
    region.parallel_for(0..4, bound()).run()?;
    region.parallel_for(4..=5, bound()).run()?;
    region.parallel_for(6..8u32, bound()).run()?;
    region.parallel_for(8..10isize, bound()).run()?;
    region.parallel_for(x_end..3, bound()).run()?;
    region.finish()?;
    assert_eq!(y, x);
    let mut z = vec![0.0f32; 10];
    told(
        rt.parallel_for(-1..10, kernel.bind().to(&x).align().from(&mut z).align()).run().map(|_| ()),
        &["range is -1..10"],
    );
    rt.parallel_for(0..10, kernel.bind().to(&x).align().from(&mut z).align()).run()?;
    assert_eq!(z, x);
    Ok(())
}

/// What iterations contribute to has to be whole, whatever it is and however long.
#[test]
fn contributions_to_a_divided_array_are_refused() -> Result<()> {
    #[kernel]
    #[map(bins: reduce(Sum))]
    fn count(i: usize, x: &[u32], bins: &mut [u32]) {
        bins[x[i] as usize] += 1;
    }
    let (rt, x, mut bins) = (two()?, vec![1u32; 100], vec![0u32; 8]);
    let mut region = rt.data_region();
    let (x_, bins_) = (region.to(&x, [100]), region.tofrom(&mut bins, [8]));
    told(
        region.parallel_for(0..100, count(x_, bins_)).run(),
        &["kernel `count`", "`bins`", "iterations contribute to all of it", "map it `.full()`"],
    );
    Ok(())
}

#[test]
fn contributions_to_what_holds_nothing_are_refused() -> Result<()> {
    let n = 100;
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.for_each(|i| bins[i % 4] += x[i]);
    });
    for devices in [vec![host()], vec![emulated("a", 10.0)], vec![emulated("a", 10.0), emulated("b", 10.0)]] {
        let (x, start, mut bins) = (vec![1u64; n], [5u64; 4], vec![7u64; 4]);
        let rt = runtime(&devices)?;
        let mut region = rt.data_region();
        let (x_, start_) = (region.to(&x, [n]), region.to(&start, [4].full()));
        let (from, alloc) = (region.from(&mut bins, [4].full()), region.alloc::<u64>([4].full()));
        for (array, mapped) in [(from, "`from`"), (alloc, "`alloc`")] {
            told(
                region.parallel_for(0..n, count.bind().reads(x_).reduces(array, Sum)).run(),
                &["`count`", "argument 1", mapped, "map it `tofrom`"],
            );
            // Placed so that they can be copied; a copy of an array without values has none.
            region
                .parallel_for(0..n, Kernel::new("look").host(|_: Range<usize>, _: In<u64>| {}).bind().reads(x_))
                .run()?;
        }
        region.copy(alloc, from)?;
        told(region.parallel_for(0..n, count.bind().reads(x_).reduces(from, Sum)).run(), &["`count`", "`from`"]);
        region.copy(start_, from)?;
        for _ in 0..2 {
            region.parallel_for(0..n, count.bind().reads(x_).reduces(from, Sum)).run()?;
        }
        region.finish()?;
        assert_eq!(bins, [55; 4]);
    }
    Ok(())
}

/// Replicated arrays, contributions of floats to them, and blocks that devices would share.
#[test]
fn what_cannot_be_reproducible_is_refused() -> Result<()> {
    use apportion::region::Arrangement;
    let (rt, n) = (two()?, 100);
    let (x, mut bins) = (vec![1.0f32; n], vec![0.0f32; 4]);
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<f32>, mut bins: Out<f32>| {
        rows.for_each(|i| bins[i % 4] += x[i]);
    });
    let sum = Kernel::new("sum").host(|rows: Range<usize>, x: In<f32>| x.slice(rows).iter().sum::<f32>());
    let mut region = rt.data_region().split(RegionSplit::Even).reproducible(8);
    let (x_, bins_) = (region.to(&x, [n]), region.tofrom(&mut bins, [4].full()));
    told(
        region.parallel_for(0..n, count.bind().reads(x_).reduces(bins_, Sum)).run(),
        &["`count`", "contribute integers"],
    );
    let blocks = region.to(&x, [n].divide(0, Division::Block));
    told(
        region.parallel_for(0..n, sum.bind().reads(blocks)).reduce::<f32>(Sum).map(|_| ()),
        &["`sum`", "runs iterations 0..50", "blocks of 8", "multiple of 8"],
    );
    let right = region.to(&x, [n].divide(0, Division::BlockOf(56)));
    assert_eq!(region.parallel_for(0..n, sum.bind().reads(right)).reduce::<f32>(Sum)?, 100.0);
    drop(region);

    let many = vec![1u8; 1 << 17];
    let ones = Kernel::new("ones").host(|rows: Range<usize>, _: In<u8>| rows.len() as u64);
    let mut region = rt.data_region().reproducible(1);
    let many_ = region.to(&many, [many.len()]);
    told(
        region.parallel_for(0..many.len(), ones.bind().reads(many_)).reduce::<u64>(Sum).map(|_| ()),
        &["131072 blocks", "take blocks of 3 rows or more"],
    );
    drop(region);

    let tiles = vec![1.0f32; n * n];
    let total = Kernel::new("total").host_tiles(|rows: Range<usize>, _: Range<usize>, _: In<f32>| rows.len() as f32);
    let grid = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let mut region = grid.data_region().arrangement(Arrangement::Grid(1, 2)).reproducible(8);
    let tiles_ = region.to(&tiles, [n, n]);
    let bound = total.bind().reads(tiles_);
    told(region.parallel_for_2d(0..n, 0..n, bound).reduce::<f32>(Sum).map(|_| ()), &["several tiles"]);
    Ok(())
}

/// Their devices are busy with the loop around them, so they would wait for ever.
#[test]
fn calls_that_wait_for_devices_are_refused_inside_a_body() {
    type Act = fn(&mut DataRegion<'static, 'static>, [Mapped<f32>; 2]) -> Result<()>;
    let calls: [(&str, Act); 7] = [
        ("halo_exchange", |region, [_, y]| region.halo_exchange(y)),
        ("update_from", |region, [_, y]| region.update_from(y)),
        ("update_to", |region, [_, y]| region.update_to(y)),
        ("wait", |region, _| region.wait()),
        ("wait_for", |region, _| region.wait_for("a")),
        ("copy", |region, [x, y]| region.copy(x, y)),
        ("report", |region, _| region.report().map(|_| ())),
    ];
    // A body lives for ever, so what it uses does too.
    let rt: &'static Runtime = Box::leak(Box::new(two().unwrap()));
    let begun = || {
        let x: &'static [f32] = Vec::leak(vec![1.0; 10]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let arrays = [region.to(x, [10].halo(1)), region.tofrom(Vec::leak(vec![0.0; 10]), [10].halo(1))];
        region.parallel_for(0..10usize, copy().bind().reads(arrays[0]).writes(arrays[1])).run().unwrap();
        (region, arrays)
    };
    let (region, arrays) = begun();
    let others = [(); 2].map(|()| begun().0);
    let held = Arc::new(Mutex::new((Some(region), Some(others))));
    let within = Arc::clone(&held);
    let kernel = Kernel::new("outer").host(move |_: Range<usize>| {
        let mut held = within.lock().unwrap();
        let (Some(region), others) = &mut *held else { panic!("it is there") };
        for (call, act) in calls {
            told(act(region, arrays), &[&format!("`{call}` inside a host body")]);
        }
        if let Some([finished, dropped]) = others.take() {
            told(finished.finish(), &["`finish` inside a host body"]);
            drop(dropped);
        }
    });
    let (tell, told_end) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for device in ["0", "1"] {
            rt.parallel_for(0..4usize, kernel.bind()).devices(device).run().unwrap();
        }
        tell.send(()).unwrap();
    });
    told_end.recv_timeout(Duration::from_secs(60)).expect("no call waits for the loop around it");
    // The region goes on after that loop.
    let mut region = held.lock().unwrap().0.take().unwrap();
    region.update_from(arrays[1]).unwrap();
    assert_eq!(region.host(arrays[1]).unwrap(), [1.0; 10]);
    region.finish().unwrap();
}

#[test]
fn blocks_that_are_too_small_are_told_once_with_the_number_of_devices() -> Result<()> {
    let rt = two()?;
    let kernel = copy().cost(Cost::per_iteration().flops(1).loads(1).stores(1));
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let small = |name: Option<&'static str>| {
        let layout = [10].divide(0, Division::BlockOf(3));
        name.map_or(layout.clone(), |name| layout.named(name))
    };
    for (name, called) in [(None, "array 0 of the region"), (Some("x"), "array `x`")] {
        let mut region = rt.data_region();
        let (x_, y_) = (region.to(&x, small(name)), region.tofrom(&mut y, [10]));
        let error = region.parallel_for(0..10, kernel.bind().reads(x_).writes(y_)).run().unwrap_err().to_string();
        let whole = format!("{called}: BLOCK(3) on 2 devices is too small for 10; it must be at least 5");
        assert!(error.ends_with(&whole) && error.matches(called).count() == 1, "{error}");
    }
    // A second dimension is said which.
    let mut region = rt.data_region();
    let x_ = region.to(&x, [10, 1].divide(0, Division::Cyclic(0)));
    let y_ = region.tofrom(&mut y, [10]);
    told(
        region.parallel_for(0..10, kernel.bind().reads(x_).writes(y_)).run(),
        &["array 0 of the region, dimension 0: CYCLIC(0)", "at least 1"],
    );
    Ok(())
}

#[test]
fn a_loop_that_reads_what_nothing_wrote_has_a_note() -> Result<()> {
    let (rt, kernel) = (two()?, copy());
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (x, y) = (region.to(&x, [10]), region.from(&mut y, [10].named("y")));
    let empty = region.alloc::<f32>([10].named("empty"));
    for _ in 0..2 {
        region.parallel_for(0..10usize, kernel.bind().reads(empty).writes(y)).run()?;
    }
    region.parallel_for(0..10usize, kernel.bind().reads(x).writes(empty)).run()?;
    region.parallel_for(0..10usize, kernel.bind().reads(empty).writes(y)).run()?;
    region.parallel_for(0..10usize, kernel.bind().reads(y).writes(empty)).run()?;
    let notes = region.finish()?.notes;
    assert_eq!(notes.iter().filter(|note| note.contains("nothing wrote before")).count(), 1, "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("`empty`") && note.contains("mapped `alloc`")), "{notes:?}");
    Ok(())
}

/// Where the text says that a kernel reads an array before it writes it, it is noted; where it may write first, nothing is.
#[test]
fn a_loop_that_adds_to_what_nothing_wrote_has_a_note() -> Result<()> {
    #[kernel]
    fn plus(i: usize, x: &[u32], y: &mut [u32]) {
        y[i] += x[i];
    }
    #[kernel]
    fn twice(i: usize, x: &[u32], y: &mut [u32]) {
        y[i] = x[i];
        y[i] += x[i];
    }
    #[kernel]
    fn some(i: usize, x: &[u32], y: &mut [u32]) {
        if x[i] > 0 {
            y[i] = x[i];
        }
    }
    #[kernel]
    fn summed(i: usize, m: usize, rows: &mut [u32]) {
        let mut sum = 0u32;
        for j in 0..m {
            sum = sum.wrapping_add(rows[i * m + j]);
        }
        rows[i * m] = sum;
    }
    let rt = two()?;
    let x = vec![1u32; 10];
    let noted = |notes: &[String]| -> Vec<String> {
        notes
            .iter()
            .filter(|note| note.contains("undefined"))
            .map(|note| note[..note.find(',').unwrap()].to_owned())
            .collect()
    };
    let mut y = vec![0u32; 10];
    let mut region = rt.data_region().split(RegionSplit::Even);
    let x_ = region.to(&x, [10]);
    let (y_, z) = (region.from(&mut y, [10].named("y")), region.alloc::<u32>([10, 3].named("z")));
    for _ in 0..2 {
        let zeros = region.alloc::<u32>([10]);
        region.parallel_for(0..10usize, twice(x_, zeros)).run()?;
        let other = region.alloc::<u32>([10]);
        region.parallel_for(0..10usize, some(x_, other)).run()?;
    }
    assert_eq!(noted(&region.report()?.notes), [""; 0]);
    for _ in 0..2 {
        region.parallel_for(0..0usize, plus(x_, y_)).run()?;
        region.parallel_for(0..10usize, summed(3, z)).run()?;
    }
    region.parallel_for(0..10usize, twice(x_, y_)).run()?;
    region.parallel_for(0..10usize, plus(x_, y_)).run()?;
    let notes = region.finish()?.notes;
    assert_eq!(
        noted(&notes),
        ["kernel `plus` reads array `y`", "kernel `summed` reads array `z` (`rows`)"],
        "{notes:?}"
    );
    assert_eq!(y, [3; 10]);
    Ok(())
}

/// A loop that was checked is not checked again, so whatever may be wrong with the next one must count.
#[test]
fn a_loop_is_checked_anew_where_anything_differs_from_an_earlier_one() -> Result<()> {
    #[kernel]
    fn shifted(i: usize, by: usize, x: &[f32], y: &mut [f32]) {
        y[i] = x[i + by];
    }
    let by_hand = copy();
    let rt = two()?;
    let (x, mut y, mut z) = (vec![1.0f32; 10], vec![0.0f32; 10], vec![0.0f32; 4]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (x, y) = (region.to(&x, [10].halo(1).named("x")), region.tofrom(&mut y, [10].named("y")));
    for _ in 0..2 {
        region.parallel_for(0..8usize, shifted(1, x, y)).run()?;
        // What a scalar says of an array.
        told(
            region.parallel_for(0..8usize, shifted(2, x, y)).run(),
            &["reads 0 rows before and 2 after", "`.halo(2)`"],
        );
        // The range.
        told(region.parallel_for(0..10usize, shifted(1, x, y)).run(), &["10", "`x`"]);
        // The arrays.
        told(region.parallel_for(0..8usize, shifted(1, y, x)).run(), &["mapped `to`"]);
        // What is stated of an array.
        region.parallel_for(0..8usize, by_hand.bind().reads(x).halo(1).writes(y)).run()?;
        told(
            region.parallel_for(0..8usize, by_hand.bind().reads(x).halo(2).writes(y)).run(),
            &["reads 2 rows before", "`.halo(2)`"],
        );
    }
    // An array that is mapped later.
    let z = region.tofrom(&mut z, [4].named("z"));
    told(region.parallel_for(0..8usize, shifted(0, x, z)).run(), &["`z`"]);
    region.parallel_for(0..4usize, shifted(0, x, z)).run()?;
    told(region.parallel_for(0..8usize, shifted(0, x, z)).run(), &["`z`"]);
    region.finish()?;
    assert_eq!(rt.devices().count(), 2);
    Ok(())
}

#[test]
fn kernels_that_take_whole_granules_are_refused() -> Result<()> {
    let rt = two()?;
    let (x, mut y) = (vec![1.0f32; 10], vec![0.0f32; 10]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let (x_, y_) = (region.to(&x, [10]), region.tofrom(&mut y, [10]));
    let granule = |granule| copy().granule(granule).bind().reads(x_).writes(y_);
    told(region.parallel_for(0..10usize, granule(4)).run(), &["granule of 4 iterations", "leave out `.granule(..)`"]);
    region.parallel_for(0..10usize, granule(1)).run()?;
    region.finish()?;
    assert_eq!(y, x);
    Ok(())
}
