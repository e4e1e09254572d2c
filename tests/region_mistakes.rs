//! What is wrong with a call of a data region is told before anything runs, as docs/regions.md lists it, and the region goes on.

use apportion::prelude::*;
use apportion::region::{DataRegion, Dims, Division, Mapped, RegionSplit, Target};

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

/// Two arrays of ten rows, `y` without ghost rows, and one that every device has whole.
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
    let bump = Kernel::new("bump").host(|rows: Range<usize>, mut y: Out<f32>| rows.for_each(|i| y[i] += 1.0));
    told(
        region.parallel_for(0..10usize, bump.bind().updates(all_)).run(),
        &["`bump` writes array `all`", "divide the array"],
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
