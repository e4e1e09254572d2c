//! Copies between arrays before the region's first loop: whatever comes between, results are those of copies done at once.

use apportion::kernel::{In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::{Dims, Division, Edge, Layout, Mapped, RegionSplit};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

const N: usize = 12;

fn sets() -> [Vec<String>; 4] {
    [
        vec![host()],
        vec![emulated("a", 10.0), emulated("b", 10.0)],
        vec![host(), emulated("b", 10.0)],
        vec![emulated_shared("a", 10.0), emulated("b", 10.0), emulated("c", 10.0)],
    ]
}

fn add() -> Kernel {
    Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mapping {
    To,
    ToFrom,
    From,
    Alloc,
}

#[derive(Clone, Debug)]
enum Op {
    Copy {
        from: usize,
        to: usize,
    },
    /// The host changes an element.
    Change(usize, usize),
    /// The host looks at an array.
    Look(usize),
}

fn mapping() -> impl Strategy<Value = Mapping> {
    prop_oneof![Just(Mapping::To), Just(Mapping::ToFrom), Just(Mapping::From), Just(Mapping::Alloc)]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0..6usize, 0..6usize).prop_map(|(from, to)| Op::Copy { from, to }),
        1 => (0..6usize, 0..N).prop_map(|(array, at)| Op::Change(array, at)),
        1 => (0..6usize).prop_map(Op::Look),
    ]
}

fn layout(kind: usize) -> Layout {
    match kind {
        0 => [N].into(),
        1 => [N].full(),
        2 => [N].halo(2).edge(Edge::Periodic),
        3 => [N].divide(0, Division::Cyclic(2)),
        _ => [N].on("b"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn copies_before_the_first_loop_are_those_of_plain_arrays(
        set in 0..4usize, mappings in prop::collection::vec(mapping(), 5), layouts in prop::collection::vec(0..5usize, 6),
        ops in prop::collection::vec(op(), 1..12), loops in 0..3usize,
    ) {
        let rt = runtime(&sets()[set])?;
        // The first array brings values.
        let mappings: Vec<Mapping> = [Mapping::ToFrom].into_iter().chain(mappings).collect();
        let start: Vec<Vec<u64>> = (0..6).map(|array| (0..N as u64).map(|i| 100 * (array + 1) + i).collect()).collect();
        let (mut memories, mut outs) = (start.clone(), start.clone());
        let mut rows = vec![0u64; N];
        let mut region = rt.data_region().split(RegionSplit::Even);
        let rows_ = region.tofrom(&mut rows, [N]);
        let mut keys: Vec<Mapped<u64>> = Vec::new();
        for (array, memory) in memories.iter_mut().enumerate() {
            // There is a `b` in sets of several devices.
            let layout = layout(if set == 0 { layouts[array] % 4 } else { layouts[array] });
            keys.push(match mappings[array] {
                Mapping::To => region.to(memory, layout),
                Mapping::ToFrom => region.tofrom(memory, layout),
                Mapping::From => region.from(memory, layout),
                Mapping::Alloc => region.alloc(layout),
            });
        }
        // What is in an array; `None` if that is undefined.
        let brings = |mapping| matches!(mapping, Mapping::To | Mapping::ToFrom);
        let mut values: Vec<Option<Vec<u64>>> =
            start.iter().zip(&mappings).map(|(start, mapping)| brings(*mapping).then(|| start.clone())).collect();
        for op in &ops {
            match *op {
                Op::Copy { from, to } => {
                    let copied = region.copy(keys[from], keys[to]);
                    if mappings[to] == Mapping::To {
                        prop_assert!(copied.is_err());
                    } else {
                        copied?;
                        values[to] = values[from].clone();
                    }
                }
                Op::Look(array) => {
                    region.update_from(keys[array])?;
                    if let (Some(values), true) = (&values[array], mappings[array] != Mapping::Alloc) {
                        prop_assert_eq!(region.host(keys[array])?, values, "array {}", array);
                    }
                }
                Op::Change(array, at) => {
                    if matches!(mappings[array], Mapping::To | Mapping::Alloc) {
                        continue;
                    }
                    region.update_from(keys[array])?;
                    let changed = region.host_mut(keys[array])?;
                    changed[at] += 10_000;
                    values[array] = Some(changed.to_vec());
                    region.update_to(keys[array])?;
                }
            }
        }
        for _ in 0..loops {
            region.parallel_for(0..N, add().bind().updates(rows_)).run()?;
        }
        // What is on devices alone.
        let out: Vec<_> = outs.iter_mut().map(|out| region.from(out, [N])).collect();
        for (key, out) in keys.iter().zip(out) {
            region.copy(*key, out)?;
        }
        let report = region.finish()?;
        prop_assert_eq!(report.devices.is_empty(), loops == 0);
        prop_assert_eq!(rows, vec![loops as u64; N]);
        for (array, values) in values.iter().enumerate() {
            let Some(values) = values else { continue };
            prop_assert_eq!(&outs[array], values, "copy of array {}", array);
            match mappings[array] {
                Mapping::Alloc => prop_assert_eq!(&memories[array], &start[array]),
                _ => prop_assert_eq!(&memories[array], values, "array {}", array),
            }
        }
    }
}

/// The host's memory is as the last `update_from` left it, and what the host writes there counts with `update_to`.
#[test]
fn the_host_sees_a_copy_when_it_asks_for_it() -> Result<()> {
    for set in sets() {
        let rt = runtime(&set)?;
        let (x, mut y, mut z) = (vec![1u64; N], vec![2u64; N], vec![3u64; N]);
        let mut region = rt.data_region();
        let (x_, y_, z_) = (region.to(&x, [N]), region.tofrom(&mut y, [N]), region.tofrom(&mut z, [N]));
        region.copy(y_, z_)?;
        region.copy(x_, y_)?;
        assert_eq!((region.host(y_)?[0], region.host(z_)?[0]), (2, 3));
        // Neither changes what was copied, as `update_to` does not follow.
        region.host_mut(y_)?.fill(9);
        region.host_mut(z_)?.fill(8);
        region.parallel_for(0..N, add().bind().updates(z_)).run()?;
        region.update_from(z_)?;
        assert_eq!(region.host(z_)?, [3; N], "{set:?}");
        region.finish()?;
        assert_eq!((y, z), (vec![1; N], vec![3; N]), "{set:?}");
    }
    Ok(())
}

/// Ghost cells, and arrays to which iterations contribute, have what was copied; a copy of what nothing wrote is no value.
#[test]
fn what_is_copied_before_the_first_loop_is_there_for_all_uses() -> Result<()> {
    let shift = Kernel::new("shift").host(|rows: Range<usize>, ring: In<u64>, mut before: Out<u64>| {
        rows.for_each(|i| before[i] = ring.row_at(i as isize - 1)[0]);
    });
    let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
        rows.for_each(|i| bins[i % 4] = bins[i % 4].wrapping_add(x[i]));
    });
    for set in sets() {
        let rt = runtime(&set)?;
        let (x, start) = ((0..N as u64).collect::<Vec<_>>(), [5u64; 4]);
        let (mut before, mut bins, mut empty) = (vec![0u64; N], [0u64; 4], vec![7u64; N]);
        let mut region = rt.data_region().split(RegionSplit::Even);
        let (x_, start_) = (region.to(&x, [N].full()), region.to(&start, [4].full()));
        let ring = region.alloc::<u64>([N].halo(1).edge(Edge::Periodic));
        let (before_, bins_) = (region.from(&mut before, [N]), region.from(&mut bins, [4].full()));
        let (nothing, empty_) = (region.alloc::<u64>([N]), region.tofrom(&mut empty, [N].named("empty")));
        region.copy(x_, ring)?;
        region.copy(start_, bins_)?;
        region.copy(nothing, empty_)?;
        region.parallel_for(0..N, shift.bind().reads(ring).writes(before_)).run()?;
        region.parallel_for(0..N, count.bind().reads(empty_).reduces(bins_, Sum)).run()?;
        region.copy(start_, bins_)?;
        region.parallel_for(0..N, count.bind().reads(ring).reduces(bins_, Sum)).run()?;
        let report = region.finish()?;
        let noted: Vec<_> = report.notes.iter().filter(|note| note.contains("undefined")).collect();
        assert_eq!(noted.len(), 1, "{noted:?}");
        assert!(noted[0].contains("`empty`"), "{noted:?}");
        let shifted: Vec<u64> = (0..N as u64).map(|i| (i + N as u64 - 1) % N as u64).collect();
        assert_eq!((before, bins), (shifted, [5 + 12, 5 + 15, 5 + 18, 5 + 21]), "{set:?}");
    }
    Ok(())
}

/// With a time line copies are timed, apart from ghost cells; else they are not. None is counted before it is done on devices.
#[test]
fn a_time_line_has_the_times_of_copies() -> Result<()> {
    for (set, timed) in sets().into_iter().flat_map(|set| [(set.clone(), true), (set, false)]) {
        let rt = runtime(&set)?;
        let x = vec![3u64; N];
        let mut y = vec![0u64; N];
        let region = rt.data_region().split(RegionSplit::Even).rebalance(false);
        let mut region = if timed { region.timeline(4) } else { region };
        let (x_, y_) = (region.to(&x, [N]), region.tofrom(&mut y, [N]));
        let all = region.alloc::<u64>([N].full());
        region.copy(x_, y_)?;
        region.parallel_for(0..N, add().bind().updates(y_)).run()?;
        assert_eq!(region.report()?.devices.iter().map(|device| device.exchange.0).sum::<f64>(), 0.0);
        for _ in 0..9 {
            region.copy(y_, all)?;
            region.parallel_for(0..N, add().bind().updates(y_)).run()?;
        }
        region.copy(all, y_)?;
        let report = region.finish()?;
        assert_eq!(y, [12; N]);
        assert_eq!(report.timeline.iter().map(|window| window.loops).sum::<u64>(), if timed { 9 } else { 0 });
        for (slot, device) in report.devices.iter().enumerate() {
            let windows = || report.timeline.iter().map(|window| window.devices[slot]);
            let copied: f64 = windows().map(|device| device.copy.0).sum();
            assert!(windows().all(|device| device.exchange.0 == 0.0), "{set:?}: {report}");
            assert!((device.exchange.0 - copied).abs() <= 1e-9 * copied, "{set:?}: {report}");
            assert_eq!(copied > 0.0, timed, "{set:?}: {report}");
            assert_eq!(device.loops, 10, "{report}");
        }
    }
    Ok(())
}
