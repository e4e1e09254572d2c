//! Counts what moves between the memories of a region's devices: exactly the ghost cells from other memories, once per sweep
//! that needs them, and nothing else. In a grid of devices that includes corners.

use apportion::kernel::{In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Edge, Mapped, RegionSplit, Sides};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

/// Always the same random cases.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() }
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![Just(Edge::None), Just(Edge::Periodic), Just(Edge::Reflecting)]
}

/// The index from 0 to `n` that a ghost cell stands for.
fn source(edge: Edge, n: usize, at: isize) -> Option<usize> {
    let len = n as isize;
    match edge {
        _ if (0..len).contains(&at) => Some(at as usize),
        Edge::None => None,
        Edge::Periodic => Some(at.rem_euclid(len) as usize),
        Edge::Reflecting => Some(if at < 0 { -at } else { 2 * (len - 1) - at } as usize),
    }
}

/// The ghost rows that come from another memory, if devices have these rows each and some work in the host's memory.
fn coming(rows: &[u64], shared: &[bool], halo: [usize; 2], edge: Edge, sides: Sides) -> u64 {
    let n: u64 = rows.iter().sum();
    let starts: Vec<u64> = rows.iter().scan(0, |at, rows| Some(std::mem::replace(at, *at + rows))).collect();
    let owner = |row: usize| (0..rows.len()).find(|&d| (starts[d]..starts[d] + rows[d]).contains(&(row as u64)));
    let (mut count, mut at_home) = (0, std::collections::BTreeSet::new());
    for device in (0..rows.len()).filter(|&device| rows[device] > 0) {
        let (start, end) = (starts[device] as isize, (starts[device] + rows[device]) as isize);
        let left = if sides.left { start - halo[0] as isize..start } else { 0..0 };
        let right = if sides.right { end..end + halo[1] as isize } else { 0..0 };
        for row in left.chain(right) {
            let Some(from) = source(edge, n as usize, row).and_then(owner) else { continue };
            if shared[device] {
                // All devices that work in the host's memory share one copy.
                count += u64::from(!shared[from] && at_home.insert(row));
            } else {
                count += u64::from(from != device);
            }
        }
    }
    count
}

fn add() -> Kernel {
    Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| {
        rows.for_each(|i| x.row_mut(i).iter_mut().for_each(|x| *x += 1));
    })
}

/// Reads the ghost rows that the loop states.
fn read() -> Kernel {
    Kernel::new("read").host(|rows: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        rows.for_each(|i| y.row_mut(i)[0] = x.row(i)[0]);
    })
}

/// Bytes moved since the last call.
fn moved(region: &mut DataRegion<'_, '_>, before: &mut u64) -> Result<u64> {
    let all = region.report()?.exchanged.0;
    Ok(all - std::mem::replace(before, all))
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_an_exchange_moves_is_what_others_have(
        kinds in prop::collection::vec(0..3u8, 1..6), weights in prop::collection::vec(0..4u8, 5),
        n in 1..20usize, m in 1..4usize, halo in [0..5usize, 0..5usize], edge in edge(),
    ) {
        let first = kinds.iter().position(|kind| *kind == 2);
        let set: Vec<String> = kinds.iter().enumerate().map(|(slot, kind)| match kind {
            2 if first == Some(slot) => host(),
            1 => emulated_shared(&format!("s{slot}"), 10.0),
            _ => emulated(&format!("e{slot}"), 10.0),
        }).collect();
        let shared: Vec<bool> = set.iter().map(|device| device.contains(r#""shared""#)).collect();
        let halo = if edge == Edge::Reflecting { halo.map(|width| width.min(n - 1)) } else { halo };
        let weights: Vec<f64> = weights[..set.len()].iter().map(|weight| f64::from(*weight)).collect();
        let split = if weights.iter().sum::<f64>() > 0.0 { RegionSplit::Weights(weights) } else { RegionSplit::Even };
        let rt = runtime(&set)?;
        let mut values = vec![7u64; n * m];
        let mut region = rt.data_region().split(split).rebalance(false);
        let x = region.tofrom(&mut values, [n, m].halo_sides(halo[0], halo[1]).edge(edge));
        let y = region.alloc::<u64>([n, m]);
        let mut before = 0;
        region.parallel_for(0..n, add().bind().updates(x)).run()?;
        prop_assert_eq!(moved(&mut region, &mut before)?, 0);
        let rows: Vec<u64> = region.report()?.devices.iter().map(|device| device.rows).collect();
        prop_assert_eq!(rows.iter().sum::<u64>(), n as u64);
        let bytes = |sides| coming(&rows, &shared, halo, edge, sides) * m as u64 * 8;
        let sweep = |region: &mut DataRegion<'_, '_>, x: Mapped<u64>, halo: [usize; 2]| {
            region.parallel_for(0..n, read().bind().reads(x).halo_sides(halo[0], halo[1]).writes(y)).run()
        };
        // An exchange on request moves each ghost once; a loop that then reads them moves nothing.
        region.halo_exchange(x)?;
        prop_assert_eq!(moved(&mut region, &mut before)?, bytes(Sides::BOTH), "{:?} {:?}", &rows, &shared);
        sweep(&mut region, x, halo)?;
        prop_assert_eq!(moved(&mut region, &mut before)?, 0);
        region.halo_update(x, 0, Sides::LEFT)?;
        prop_assert_eq!(moved(&mut region, &mut before)?, bytes(Sides::LEFT), "left of {:?}", &rows);
        // A loop that reads one side fetches the ghosts of that side, the first time only.
        region.parallel_for(0..n, add().bind().updates(x)).run()?;
        sweep(&mut region, x, [0, 0])?;
        prop_assert_eq!(moved(&mut region, &mut before)?, 0);
        sweep(&mut region, x, [halo[0], 0])?;
        prop_assert_eq!(moved(&mut region, &mut before)?, bytes(Sides::LEFT), "left of {:?}", &rows);
        sweep(&mut region, x, halo)?;
        prop_assert_eq!(moved(&mut region, &mut before)?, bytes(Sides::RIGHT), "right of {:?}", &rows);
        sweep(&mut region, x, halo)?;
        prop_assert_eq!(moved(&mut region, &mut before)?, 0);
        region.finish()?;
        prop_assert!(values.iter().all(|value| *value == 9));
    }
}

/// Mixes a cell with the cells around it, each with another weight.
fn mixed(halo: [usize; 2], read: impl Fn(isize, isize) -> Option<u64>) -> u64 {
    let about = |[before, after]: [usize; 2]| -(before as isize)..=after as isize;
    let cells = about(halo).flat_map(|di| about(halo).map(move |dj| (di, dj)));
    let there = cells.filter_map(|(di, dj)| read(di, dj));
    there.fold(1, |sum: u64, cell| sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(cell) ^ (sum >> 31))
}

fn relax(extents: [usize; 2], halo: [usize; 2], edge: Edge) -> Kernel {
    Kernel::new("relax").host_tiles(move |rows: Range<usize>, columns: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i as isize, j as isize))) {
            let there = |at: isize, n: usize| edge != Edge::None || (0..n as isize).contains(&at);
            let cell = |di: isize, dj: isize| {
                let inside = there(i + di, extents[0]) && there(j + dj, extents[1]);
                inside.then(|| x.cells(i + di, j + dj..j + dj + 1)[0])
            };
            y.cells_mut(i, j..j + 1)[0] = mixed(halo, cell);
        }
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn devices_in_a_grid_give_what_plain_arrays_do(
        grid in (1..4usize, 1..4usize), at_home in prop::option::of((0..9usize, any::<bool>())),
        extents in [1..14usize, 1..14usize], halo in [0..4usize, 0..4usize], edge in edge(),
        parts in prop::collection::vec([0..100usize, 0..100usize, 0..100usize, 0..100usize], 1..6),
        exchange in any::<bool>(),
    ) {
        let devices = grid.0 * grid.1;
        let set: Vec<String> = (0..devices).map(|slot| match at_home {
            Some((at, true)) if at % devices == slot => host(),
            Some((at, false)) if at % devices == slot => emulated_shared("s", 10.0),
            _ => emulated(&format!("e{slot}"), 10.0),
        }).collect();
        let [n, m] = extents;
        let least = n.min(m) - 1;
        let halo = if edge == Edge::Reflecting { halo.map(|width| width.min(least)) } else { halo };
        let start: Vec<u64> = (0..(n * m) as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let (mut u, mut v) = (start.clone(), start.clone());
        let rt = runtime(&set)?;
        let mut region = rt.data_region().arrangement(Arrangement::Grid(grid.0, grid.1));
        let layout = || [n, m].halo_sides(halo[0], halo[1]).edge(edge);
        let (mut x, mut y) = (region.tofrom(&mut u, layout()), region.tofrom(&mut v, layout()));
        let (mut old, mut new) = (start.clone(), start);
        for part in &parts {
            let range = |a: usize, b: usize, n: usize| (a % (n + 1)).min(b % (n + 1))..(a % (n + 1)).max(b % (n + 1));
            let (rows, columns) = (range(part[0], part[1], n), range(part[2], part[3], m));
            let bound = relax(extents, halo, edge).bind().reads(x).writes(y);
            region.parallel_for_2d(rows.clone(), columns.clone(), bound).run()?;
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i, j))) {
                let cell = |di: isize, dj: isize| {
                    let (row, column) = (source(edge, n, i as isize + di)?, source(edge, m, j as isize + dj)?);
                    Some(old[row * m + column])
                };
                new[i * m + j] = mixed(halo, cell);
            }
            std::mem::swap(&mut old, &mut new);
            std::mem::swap(&mut x, &mut y);
            if exchange {
                region.halo_exchange(x)?;
            }
        }
        region.finish()?;
        if parts.len() % 2 == 1 {
            std::mem::swap(&mut old, &mut new);
        }
        prop_assert_eq!(u, old);
        prop_assert_eq!(v, new);
    }
}

fn with_fault(device: String, phase: &str, chunk: u64) -> String {
    format!(r#"{device}, "emulated": {{"fault": {{"phase": "{phase}", "chunk": {chunk}}}}}"#)
}

#[test]
fn arrays_on_the_devices_alone_and_reused_ones_are_not_copied() -> Result<()> {
    // The device fails at the first copy to it before its first, or its second, loop.
    let n = 10;
    let rt = runtime(&[with_fault(emulated("e", 10.0), "to", 0)])?;
    let mut region = rt.data_region();
    let x = region.alloc::<u64>([n, 1]);
    let set = Kernel::new("set").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] = i as u64));
    region.parallel_for(0..n, set.bind().writes(x)).run()?;
    region.parallel_for(0..n, add().bind().updates(x)).run()?;
    region.finish()?;
    let mut values = vec![0u64; n];
    let mut region = rt.data_region();
    let x = region.tofrom(&mut values, [n, 1]);
    // The device has run two chunks, so its fault is past. Without that the following would show nothing.
    region.parallel_for(0..n, add().bind().updates(x)).run()?;
    region.finish()?;
    let rt = runtime(&[with_fault(emulated("e", 10.0), "to", 1)])?;
    let mut region = rt.data_region();
    let x = region.tofrom(&mut values, [n, 1]);
    region.parallel_for(0..n, add().bind().updates(x)).run()?;
    region.parallel_for(0..n, add().bind().updates(x)).run()?;
    region.finish()?;
    assert!(values.iter().all(|value| *value == 3));
    let rt = runtime(&[with_fault(emulated("e", 10.0), "to", 0)])?;
    let mut region = rt.data_region();
    let x = region.tofrom(&mut values, [n, 1]);
    let error = region.parallel_for(0..n, add().bind().updates(x)).run().unwrap_err().to_string();
    assert!(error.contains("`e`") || error.contains("fault"), "{error}");
    Ok(())
}

#[test]
fn a_body_that_reads_past_the_halo_is_stopped() {
    let n = 12;
    let reach = Kernel::new("reach").host(|rows: Range<usize>, x: In<u64>, mut y: Out<u64>| {
        rows.for_each(|i| y[i] = x[(i + 2).min(11)]);
    });
    for set in [vec![emulated("a", 10.0), emulated("b", 10.0)], vec![host(), emulated("b", 10.0)]] {
        let rt = runtime(&set).expect("they are opened");
        let (x, mut y) = (vec![3u64; n], vec![0u64; n]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (x, y) = (region.to(&x, [n].halo(1)), region.from(&mut y, [n]));
        let run = std::panic::AssertUnwindSafe(|| region.parallel_for(0..n, reach.bind().reads(x).writes(y)).run());
        let panic = std::panic::catch_unwind(run).expect_err("it reads two rows on, and one is there");
        let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains("outside of the readable section"), "{message}");
    }
}
