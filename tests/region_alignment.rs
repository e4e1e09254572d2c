//! Arrays of a data region that are aligned with arrays: iterations are those of the array at the end of the chain, whatever
//! divides it.

use apportion::prelude::*;
use apportion::region::{Dims, Division, Layout, Target};

mod common;
use common::machines::{emulated, host, runtime};

fn with(name: &str, ratio: u64) -> Division {
    Division::Align { target: Target::array(name, 0), ratio, offset: 0 }
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
    // The chain's end comes last.
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
