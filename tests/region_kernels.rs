//! Random programs of `#[kernel]` functions over data regions, in rows and in grids of devices: all arrays and reductions are
//! those of the same program over plain arrays.
//!
//! Without an OpenCL device, an emulated one takes its place; with `APPORTION_REQUIRE_OPENCL` that fails.

use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Edge, Ghosts, Later, Layout, Mapped, RegionSplit};
use apportion::runtime::CancelHandle;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

mod common;
use common::machines::{emulated, emulated_shared, host, opencl, runtime};

/// The cells around one, each with another weight.
#[kernel(i, j)]
#[map(table: full)]
#[allow(clippy::too_many_arguments)]
fn boxed(
    i: usize,
    j: usize,
    m: usize,
    up: usize,
    down: usize,
    left: usize,
    right: usize,
    table: &[u64],
    tilt: &[u64],
    old: &[u64],
    new: &mut [u64],
) -> u64 {
    let mut s = table[(i * 3 + j) % 5] + 7 * tilt[j];
    for a in 0..up + down + 1 {
        for b in 0..left + right + 1 {
            s = (s ^ s >> 29) * 31 + old[(i + a - up) * m + j + b - left];
        }
    }
    new[i * m + j] = s;
    s ^ (i * 1000 + j) as u64
}

/// In place, and not everywhere.
#[kernel(i, j)]
fn bump(i: usize, j: usize, m: usize, by: u64, x: &mut [u64]) -> u64 {
    let at = i * m + j;
    if x[at] % 3 == by % 3 {
        return by;
    }
    x[at] = x[at] * 5 + (i * 7 + j) as u64;
    x[at] & 0xff
}

/// Neighbours that conditions keep inside of the array.
#[kernel(i, j)]
fn guarded(i: usize, j: usize, n: usize, m: usize, slope: &[u64], old: &[u64], new: &mut [u64]) -> u64 {
    let mut s = slope[i];
    if i > 0 && j + 1 < m {
        s += 3 * old[(i - 1) * m + j + 1];
    }
    if i + 1 < n && j > 0 {
        s ^= old[(i + 1) * m + j - 1] << 1;
    }
    new[i * m + j] += s;
    s
}

#[kernel(i, j)]
#[map(counts: reduce(Sum), most: reduce(Max))]
fn count(i: usize, j: usize, m: usize, x: &[u64], counts: &mut [u64], most: &mut [u64]) {
    counts[(x[i * m + j] % 5) as usize] += x[i * m + j] >> 40;
    most[(x[i * m + j] % 7) as usize] = most[(x[i * m + j] % 7) as usize].max(x[i * m + j]);
}

/// Rows of one index.
#[kernel]
fn summed(i: usize, m: usize, x: &[u64], y: &mut [u64]) -> u64 {
    let mut s = 0;
    for j in 0..m {
        s = s * 3 + x[i * m + j];
    }
    y[i] ^= s;
    s
}

const OP: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Emulated,
    Shared,
    Host,
    OpenCl,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mapping {
    To,
    ToFrom,
    Alloc,
    /// All of it on each device.
    Full,
}

#[derive(Clone, Copy, Debug)]
struct Array {
    halo: [usize; 4],
    edges: [Edge; 2],
    mapping: Mapping,
}

#[derive(Clone, Debug)]
enum Op {
    Boxed {
        to: usize,
        from: usize,
        reach: [usize; 4],
        part: [usize; 4],
        result: usize,
    },
    Bump {
        array: usize,
        part: [usize; 4],
        result: usize,
    },
    Guarded {
        to: usize,
        from: usize,
        part: [usize; 4],
        result: usize,
    },
    Count {
        array: usize,
        part: [usize; 4],
    },
    Summed {
        array: usize,
        part: [usize; 4],
        result: usize,
    },
    Copy {
        to: usize,
        from: usize,
    },
    Host {
        array: usize,
        at: usize,
    },
    UpdateTo {
        array: usize,
        at: usize,
    },
    Exchange(usize),
    Wait,
    Read,
    /// A loop that does not run, as the runtime's loops are cancelled, or as it is longer than the arrays.
    Refused(usize, bool),
    /// Maps the next array.
    Map,
}

#[derive(Clone, Debug)]
struct Case {
    kinds: Vec<Kind>,
    grid: [usize; 2],
    square: bool,
    size: [usize; 2],
    arrays: Vec<Array>,
    weights: Option<Vec<u8>>,
    gpus: bool,
    ops: Vec<Op>,
}

fn case() -> impl Strategy<Value = Case> {
    let any = 0..64usize;
    let part = || [0..100usize, 0..100usize, 0..100usize, 0..100usize];
    let whole_or_part = move || prop_oneof![Just([0, 99, 0, 99]), part()];
    let reach = || [0..4usize, 0..4usize, 0..4usize, 0..4usize];
    let op = prop_oneof![
        6 => (any.clone(), any.clone(), reach(), whole_or_part(), 0..5usize)
            .prop_map(|(to, from, reach, part, result)| Op::Boxed { to, from, reach, part, result }),
        2 => (any.clone(), whole_or_part(), 0..5usize).prop_map(|(array, part, result)| Op::Bump { array, part, result }),
        2 => (any.clone(), any.clone(), whole_or_part(), 0..5usize)
            .prop_map(|(to, from, part, result)| Op::Guarded { to, from, part, result }),
        1 => (any.clone(), whole_or_part()).prop_map(|(array, part)| Op::Count { array, part }),
        2 => (any.clone(), whole_or_part(), 0..5usize).prop_map(|(array, part, result)| Op::Summed { array, part, result }),
        2 => (any.clone(), any.clone()).prop_map(|(to, from)| Op::Copy { to, from }),
        1 => (any.clone(), any.clone()).prop_map(|(array, at)| Op::Host { array, at }),
        1 => (any.clone(), any.clone()).prop_map(|(array, at)| Op::UpdateTo { array, at }),
        1 => any.clone().prop_map(Op::Exchange),
        1 => Just(Op::Wait),
        1 => Just(Op::Read),
        1 => (any.clone(), prop::bool::ANY).prop_map(|(array, cancelled)| Op::Refused(array, cancelled)),
        2 => Just(Op::Map),
    ];
    let edge = || prop_oneof![Just(Edge::None), Just(Edge::Periodic), Just(Edge::Reflecting)];
    let mapping = prop_oneof![
        1 => Just(Mapping::To), 5 => Just(Mapping::ToFrom), 1 => Just(Mapping::Alloc), 1 => Just(Mapping::Full)
    ];
    let array =
        (reach(), edge(), edge(), mapping).prop_map(|(halo, a, b, mapping)| Array { halo, edges: [a, b], mapping });
    let kind =
        prop_oneof![3 => Just(Kind::Emulated), 1 => Just(Kind::Shared), 1 => Just(Kind::Host), 2 => Just(Kind::OpenCl)];
    let devices = (
        prop::collection::vec(kind, 12),
        [0..4usize, 1..4usize],
        prop::bool::ANY,
        prop::option::of(prop::collection::vec(0..4u8, 12)),
    );
    (
        devices,
        [1..20usize, 1..20usize],
        prop::collection::vec(array, 2..6),
        prop::bool::ANY,
        prop::collection::vec(op, 1..16),
    )
        .prop_map(|((mut kinds, grid, square, weights), size, arrays, gpus, ops)| {
            // 0 rows stand for all devices in a row.
            kinds.truncate(grid[0].max(1) * grid[1]);
            Case { kinds, grid, square, size, arrays, weights, gpus, ops }
        })
}

/// The cell that one past an edge stands for.
fn source(x: isize, n: usize, edge: Edge) -> Option<usize> {
    let n = n as isize;
    match edge {
        _ if (0..n).contains(&x) => Some(x as usize),
        Edge::None => None,
        Edge::Periodic => Some(x.rem_euclid(n) as usize),
        Edge::Reflecting => Some(if x < 0 { -x } else { 2 * (n - 1) - x } as usize),
    }
}

struct Program {
    n: usize,
    m: usize,
    /// Whether columns are divided, or may have ghost cells.
    grid: bool,
    gpus: bool,
    arrays: Vec<Array>,
    values: Vec<Vec<u64>>,
    table: Vec<u64>,
    tilt: Vec<u64>,
    slope: Vec<u64>,
    counts: Vec<u64>,
    most: Vec<u64>,
    sums: Vec<u64>,
    cancel: CancelHandle,
    cancels: usize,
}

/// What a loop returns.
fn combined(values: &[u64], result: usize) -> u64 {
    match result {
        0..=2 => values.iter().fold(0, |a, b| a.wrapping_add(*b)),
        3 => values.iter().copied().max().unwrap_or(0),
        _ => values.iter().copied().min().unwrap_or(u64::MAX),
    }
}

impl Program {
    fn part(&self, part: [usize; 4]) -> (Range<usize>, Range<usize>) {
        let of = |a: usize, b: usize, n: usize| {
            let cut = |at: usize| if at == 99 { n } else { at % (n + 1) };
            cut(a).min(cut(b))..cut(a).max(cut(b))
        };
        (of(part[0], part[1], self.n), of(part[2], part[3], self.m))
    }

    fn form<'a>(&self, bound: Bound<'a>) -> Bound<'a> {
        if self.gpus { as_on_gpus(bound) } else { bound }
    }

    /// The width that an array has on each side, and its edges.
    fn ghosts(&self, array: usize) -> ([usize; 4], [Edge; 2]) {
        let of = self.arrays[array];
        let columns = self.grid;
        let most = |edge: Edge, n: usize, width: usize| if edge == Edge::Reflecting { width.min(n - 1) } else { width };
        let [a, b, c, d] = of.halo;
        let [e, f] = of.edges;
        let rows = [most(e, self.n, a), most(e, self.n, b)];
        let [c, d] = if columns { [most(f, self.m, c), most(f, self.m, d)] } else { [0, 0] };
        ([rows[0], rows[1], c, d], [e, if columns { f } else { Edge::None }])
    }
}

type Keys = Vec<Mapped<u64>>;

struct Own {
    table: Mapped<u64>,
    tilt: Mapped<u64>,
    slope: Mapped<u64>,
    counts: Mapped<u64>,
    most: Mapped<u64>,
    sums: Mapped<u64>,
}

/// Runs a loop of the region for its result.
fn run(
    region: &mut DataRegion<'_, '_>,
    later: &mut Vec<(Later<u64>, u64)>,
    (rows, columns): (Range<usize>, Option<Range<usize>>),
    bound: Bound<'static>,
    result: usize,
    values: &[u64],
) -> Result<()> {
    let wanted = combined(values, result);
    let run = match columns {
        Some(columns) => region.parallel_for_2d(rows, columns, bound),
        None => region.parallel_for(rows, bound),
    };
    match result {
        0 | 1 => assert_eq!(run.reduce::<u64>(Sum)?, wanted),
        2 => later.push((run.reduce_later::<u64>(Sum)?, wanted)),
        3 => assert_eq!(run.reduce::<u64>(Max)?, wanted),
        _ => later.push((run.reduce_later::<u64>(Min)?, wanted)),
    }
    Ok(())
}

fn step(
    region: &mut DataRegion<'_, '_>,
    p: &mut Program,
    keys: &Keys,
    own: &Own,
    op: &Op,
    later: &mut Vec<(Later<u64>, u64)>,
) -> Result<()> {
    let (n, m) = (p.n, p.m);
    let pick = |index: usize| index % keys.len();
    let writes = |p: &Program, array: usize| !matches!(p.arrays[array].mapping, Mapping::To | Mapping::Full);
    match op {
        Op::Boxed { to, from, reach, part, result } => {
            let (to, from) = (pick(*to), pick(*from));
            if to == from || !writes(p, to) {
                return Ok(());
            }
            let (halo, edges) = p.ghosts(from);
            let whole = p.arrays[from].mapping == Mapping::Full;
            let mut reach = *reach;
            (0..4).for_each(|side| {
                let n = if side < 2 { n } else { m };
                reach[side] =
                    if whole && edges[side / 2] == Edge::None { reach[side] % n } else { reach[side].min(halo[side]) };
                if !p.grid && side >= 2 {
                    reach[side] = reach[side].min(m - 1);
                }
            });
            let (mut rows, mut columns) = p.part(*part);
            let clip = |range: Range<usize>, n: usize, edge: Edge, [low, high]: [usize; 2]| {
                if edge != Edge::None {
                    return range;
                }
                let (low, high) = (range.start.max(low), range.end.min(n.saturating_sub(high)));
                low.min(high)..high
            };
            rows = clip(rows, n, edges[0], [reach[0], reach[1]]);
            columns = clip(columns, m, edges[1], [reach[2], reach[3]]);
            let [up, down, left, right] = reach;
            let bound = boxed(columns.clone(), m, up, down, left, right, own.table, own.tilt, keys[from], keys[to]);
            let mut values = Vec::new();
            for (i, j) in rows.clone().flat_map(|i| columns.clone().map(move |j| (i, j))) {
                let mut s = p.table[(i * 3 + j) % 5].wrapping_add(7u64.wrapping_mul(p.tilt[j]));
                for a in 0..up + down + 1 {
                    for b in 0..left + right + 1 {
                        let row = source((i + a) as isize - up as isize, n, edges[0]).unwrap();
                        let column = source((j + b) as isize - left as isize, m, edges[1]).unwrap();
                        s = (s ^ s >> 29).wrapping_mul(31).wrapping_add(p.values[from][row * m + column]);
                    }
                }
                p.values[to][i * m + j] = s;
                values.push(s ^ (i * 1000 + j) as u64);
            }
            run(region, later, (rows, Some(columns)), p.form(bound), *result, &values)
        }
        Op::Bump { array, part, result } => {
            let array = pick(*array);
            if !writes(p, array) {
                return Ok(());
            }
            let (rows, columns) = p.part(*part);
            let by = part[0] as u64;
            let mut values = Vec::new();
            for (i, j) in rows.clone().flat_map(|i| columns.clone().map(move |j| (i, j))) {
                let x = &mut p.values[array][i * m + j];
                if *x % 3 == by % 3 {
                    values.push(by);
                } else {
                    *x = x.wrapping_mul(5).wrapping_add((i * 7 + j) as u64);
                    values.push(*x & 0xff);
                }
            }
            let bound = p.form(bump(columns.clone(), m, by, keys[array]));
            run(region, later, (rows, Some(columns)), bound, *result, &values)
        }
        Op::Guarded { to, from, part, result } => {
            let (to, from) = (pick(*to), pick(*from));
            let (halo, _) = p.ghosts(from);
            let enough = p.arrays[from].mapping == Mapping::Full
                || halo[0] > 0 && halo[1] > 0 && (!p.grid || halo[2] > 0 && halo[3] > 0);
            if to == from || !writes(p, to) || !enough {
                return Ok(());
            }
            let (rows, columns) = p.part(*part);
            let mut values = Vec::new();
            for (i, j) in rows.clone().flat_map(|i| columns.clone().map(move |j| (i, j))) {
                let mut s = p.slope[i];
                let old = &p.values[from];
                if i > 0 && j + 1 < m {
                    s = s.wrapping_add(3u64.wrapping_mul(old[(i - 1) * m + j + 1]));
                }
                if i + 1 < n && j > 0 {
                    s ^= old[(i + 1) * m + j - 1] << 1;
                }
                let x = &mut p.values[to][i * m + j];
                *x = x.wrapping_add(s);
                values.push(s);
            }
            let bound = p.form(guarded(columns.clone(), n, m, own.slope, keys[from], keys[to]));
            run(region, later, (rows, Some(columns)), bound, *result, &values)
        }
        Op::Count { array, part } => {
            let array = pick(*array);
            let (rows, columns) = p.part(*part);
            for at in rows.clone().flat_map(|i| columns.clone().map(move |j| i * m + j)) {
                let x = p.values[array][at];
                p.counts[(x % 5) as usize] = p.counts[(x % 5) as usize].wrapping_add(x >> 40);
                p.most[(x % 7) as usize] = p.most[(x % 7) as usize].max(x);
            }
            let bound = p.form(count(columns.clone(), m, keys[array], own.counts, own.most));
            region.parallel_for_2d(rows, columns, bound).run()
        }
        Op::Summed { array, part, result } => {
            let array = pick(*array);
            let (rows, _) = p.part(*part);
            // In a grid a loop over rows alone has no whole rows, or runs on several devices.
            if p.grid {
                return Ok(());
            }
            let mut values = Vec::new();
            for i in rows.clone() {
                let s = p.values[array][i * m..][..m].iter().fold(0u64, |s, x| s.wrapping_mul(3).wrapping_add(*x));
                p.sums[i] ^= s;
                values.push(s);
            }
            let bound = p.form(summed(m, keys[array], own.sums));
            run(region, later, (rows, None), bound, *result, &values)
        }
        Op::Copy { to, from } => {
            let (to, from) = (pick(*to), pick(*from));
            if p.arrays[to].mapping == Mapping::To {
                return Ok(());
            }
            p.values[to] = p.values[from].clone();
            region.copy(keys[from], keys[to])
        }
        Op::Host { array, at } => {
            let array = pick(*array);
            if p.arrays[array].mapping == Mapping::Alloc {
                return Ok(());
            }
            region.update_from(keys[array])?;
            assert_eq!(region.host(keys[array])?, p.values[array], "array {array}");
            if p.arrays[array].mapping != Mapping::To {
                let at = at % (n * m);
                p.values[array][at] ^= 0x5555;
                region.host_mut(keys[array])?[at] ^= 0x5555;
                region.update_to(keys[array])?;
            }
            Ok(())
        }
        Op::UpdateTo { array, at } => {
            // All of it, without looking at it before.
            let array = pick(*array);
            if !matches!(p.arrays[array].mapping, Mapping::ToFrom | Mapping::Full) {
                return Ok(());
            }
            let values = filled(n * m, *at as u64 + 77);
            region.host_mut(keys[array])?.copy_from_slice(&values);
            p.values[array] = values;
            region.update_to(keys[array])
        }
        Op::Refused(array, cancelled) => {
            let array = pick(*array);
            if !writes(p, array) {
                return Ok(());
            }
            let bound = p.form(bump(0..m, m, 1, keys[array]));
            if *cancelled {
                p.cancel.cancel();
                let ran = region.parallel_for_2d(0..n, 0..m, bound).reduce::<u64>(Sum);
                assert!(matches!(ran, Err(Error::Cancelled(_))), "{ran:?}");
                p.cancels += 1;
            } else {
                let ran = region.parallel_for_2d(0..n + 1, 0..m, bound).reduce::<u64>(Sum);
                assert!(matches!(ran, Err(Error::Call(_))), "{ran:?}");
            }
            Ok(())
        }
        Op::Map => unreachable!("maps need the arrays"),
        Op::Exchange(array) => region.halo_exchange(keys[pick(*array)]),
        Op::Wait => region.wait(),
        Op::Read => {
            if let Some((value, wanted)) = later.pop() {
                assert_eq!(region.value(value)?, wanted, "a result that was asked for later");
            }
            Ok(())
        }
    }
}

fn filled(n: usize, seed: u64) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1 + 1000 * seed).wrapping_mul(OP) ^ i << 20).collect()
}

/// Maps the next array; false if there is none.
fn map<'a>(
    region: &mut DataRegion<'_, 'a>,
    p: &Program,
    keys: &mut Keys,
    rest: &mut std::slice::IterMut<'a, Vec<u64>>,
) -> bool {
    let Some(memory) = rest.next() else { return false };
    let array = keys.len();
    let (halo, edges) = p.ghosts(array);
    let of = p.arrays[array];
    let mut layout = Layout::from([p.n, p.m]);
    if of.mapping == Mapping::Full {
        layout = layout.full();
    }
    let ghosts = |side: usize| Ghosts {
        left: halo[2 * side] as u64,
        right: halo[2 * side + 1] as u64,
        left_edge: edges[side],
        right_edge: edges[side],
    };
    for side in 0..if p.grid { 2 } else { 1 } {
        if edges[side] != Edge::None || halo[2 * side] + halo[2 * side + 1] > 0 {
            layout = layout.ghosts(side, ghosts(side));
        }
    }
    keys.push(match of.mapping {
        Mapping::To => region.to(memory, layout),
        Mapping::ToFrom | Mapping::Full => region.tofrom(memory, layout),
        Mapping::Alloc => region.alloc(layout),
    });
    true
}

/// The devices, and their descriptions; in a grid one works in the host's memory at most.
fn described(kinds: &[Kind], in_grid: bool) -> (Vec<Kind>, Vec<String>) {
    let has_opencl = runtime(&[opencl("p0", "discrete")]).is_ok();
    if !has_opencl && kinds.contains(&Kind::OpenCl) {
        assert!(std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none(), "OpenCL is required here");
    }
    let (mut has_host, mut in_memory) = (false, false);
    let mut kind = |kind: &Kind| match kind {
        Kind::Host if std::mem::replace(&mut has_host, true) => Kind::Emulated,
        Kind::Host | Kind::Shared if std::mem::replace(&mut in_memory, in_grid) => Kind::Emulated,
        Kind::OpenCl if !has_opencl => Kind::Emulated,
        kind => *kind,
    };
    let kinds: Vec<Kind> = kinds.iter().map(&mut kind).collect();
    let device = |(slot, kind): (usize, &Kind)| match kind {
        Kind::Host => host(),
        Kind::Shared => emulated_shared(&format!("s{slot}"), 2.0 + slot as f64),
        // One device may be opened several times if the descriptions differ.
        Kind::OpenCl => opencl(&format!("p{slot}"), "discrete").replace("portable", &"portable computing"[..5 + slot]),
        Kind::Emulated => emulated(&format!("e{slot}"), 30.0 / (1.0 + slot as f64)),
    };
    let described = kinds.iter().enumerate().map(device).collect();
    (kinds, described)
}

fn check(case: &Case) -> Result<()> {
    let grid = case.grid[0] > 0;
    let (kinds, described) = described(&case.kinds, true);
    let rt = runtime(&described)?;
    let [n, m] = case.size;
    let mut p = Program {
        n,
        m,
        grid,
        gpus: case.gpus,
        arrays: case.arrays.clone(),
        values: (0..case.arrays.len()).map(|array| filled(n * m, array as u64)).collect(),
        table: filled(5, 50),
        tilt: filled(m, 51),
        slope: filled(n, 52),
        counts: filled(5, 53),
        most: vec![0; 7],
        sums: filled(n, 54),
        cancel: rt.cancel_handle(),
        cancels: 0,
    };
    // The first one is divided.
    p.arrays[0].mapping = Mapping::ToFrom;
    let mut memories = p.values.clone();
    let (table, tilt, slope) = (p.table.clone(), p.tilt.clone(), p.slope.clone());
    let (mut counts, mut most, mut sums) = (p.counts.clone(), p.most.clone(), p.sums.clone());
    let weights = case.weights.as_ref().map(|weights| &weights[..kinds.len()]);
    let split = match weights {
        Some(weights) if !grid && weights.iter().any(|weight| *weight > 0) => {
            RegionSplit::Weights(weights.iter().map(|weight| f64::from(*weight)).collect())
        }
        _ => RegionSplit::Even,
    };
    let arrangement = match case.grid {
        [0, _] => Arrangement::Row,
        _ if case.square => Arrangement::Square,
        [rows, columns] => Arrangement::Grid(rows, columns),
    };
    let mut region = rt.data_region().arrangement(arrangement).split(split);
    let mut keys = Keys::new();
    let mut rest = memories.iter_mut();
    (0..2).for_each(|_| assert!(map(&mut region, &p, &mut keys, &mut rest)));
    let rows: Layout = [n].into();
    let own = Own {
        table: region.to(&table, [5].full()),
        tilt: region.to(&tilt, [m].full()),
        slope: region.to(&slope, rows.clone()),
        counts: region.tofrom(&mut counts, [5].full()),
        most: region.tofrom(&mut most, [7].full()),
        sums: region.tofrom(&mut sums, rows),
    };
    let mut later = Vec::new();
    let all = [0, 99, 0, 99];
    step(&mut region, &mut p, &keys, &own, &Op::Bump { array: 0, part: all, result: 0 }, &mut later)?;
    for array in 1..keys.len() {
        if p.arrays[array].mapping == Mapping::Alloc {
            step(&mut region, &mut p, &keys, &own, &Op::Copy { to: array, from: 0 }, &mut later)?;
        }
    }
    for op in &case.ops {
        if let Op::Map = op {
            let to = keys.len();
            if map(&mut region, &p, &mut keys, &mut rest) && p.arrays[to].mapping == Mapping::Alloc {
                step(&mut region, &mut p, &keys, &own, &Op::Copy { to, from: 0 }, &mut later)?;
            }
            continue;
        }
        let cancels = p.cancels;
        step(&mut region, &mut p, &keys, &own, op, &mut later)?;
        if p.cancels > cancels {
            rt.resume()?;
        }
    }
    for (value, wanted) in later {
        assert_eq!(region.value(value)?, wanted, "a result that was asked for later");
    }
    region.finish()?;
    for (array, memory) in memories.iter().enumerate().filter(|(array, _)| p.arrays[*array].mapping != Mapping::Alloc) {
        assert_eq!(*memory, p.values[array], "array {array}, {:?}", p.arrays[array]);
    }
    assert_eq!((counts, most, sums), (p.counts, p.most, p.sums));
    Ok(())
}

/// Elements that are arrays.
#[kernel]
fn moved(i: usize, up: usize, down: usize, by: &[u8], old: &[[u32; 3]], new: &mut [[u32; 3]]) -> u64 {
    let [x, y, z] = old[i - up];
    for k in 0..3 {
        new[i][k] = old[i + down][2 - k] * 3 + by[2 * i + 1] as u32;
    }
    new[i][1] += x ^ y << 1 ^ z << 2;
    (x ^ new[i][1]) as u64
}

/// Two bytes for each iteration.
#[kernel]
fn paired(i: usize, before: usize, after: usize, p: &[[u32; 3]], old: &[u8], new: &mut [u8]) -> u64 {
    new[2 * i] = old[2 * i + 1 + 2 * after] + p[i][0] as u8;
    if i % 3 != 1 {
        new[2 * i + 1] ^= old[2 * i - 2 * before] + p[i][2] as u8;
    }
    old[2 * i] as u64 * 7 + new[2 * i] as u64
}

/// Rows that lie later.
#[kernel]
fn shifted(i: usize, lo: usize, p: &[[u32; 3]], s: &mut [u64]) -> u64 {
    s[i + lo] = s[i + lo] * 7 + p[i][1] as u64;
    s[i + lo]
}

#[kernel]
#[map(counts: reduce(Sum), least: reduce(Min))]
fn counted(i: usize, p: &[[u32; 3]], b: &[u8], counts: &mut [u32], least: &mut [f64]) {
    for k in 0..3 {
        counts[p[i][k] as usize % 5] += b[2 * i] as u32;
        least[p[i][k] as usize % 7] = least[p[i][k] as usize % 7].min(b[2 * i + 1] as f64 - i as f64);
    }
}

#[kernel]
fn halved(i: usize, b: &[u8], g: &mut [f64]) -> f64 {
    g[i] = g[i] * 0.5 + b[2 * i + 1] as f64;
    g[i]
}

#[derive(Clone, Debug)]
enum Step {
    Moved { to: usize, reach: [usize; 2], part: [usize; 2], result: usize },
    Paired { to: usize, with: usize, reach: [usize; 2], part: [usize; 2], result: usize },
    Shifted { with: usize, part: [usize; 2], result: usize },
    Counted { p: usize, b: usize, part: [usize; 2] },
    Halved { b: usize, part: [usize; 2] },
    Copy(bool, usize),
    Look(usize),
}

#[derive(Clone, Debug)]
struct Mixed {
    kinds: Vec<Kind>,
    n: usize,
    lo: usize,
    halo: [usize; 2],
    edge: Edge,
    weights: Option<Vec<u8>>,
    model: bool,
    gpus: bool,
    reproducible: Option<usize>,
    steps: Vec<Step>,
}

fn mixed() -> impl Strategy<Value = Mixed> {
    let two = || 0..2usize;
    let part = || prop_oneof![Just([0, 99]), [0..100usize, 0..100usize]];
    let reach = || [0..4usize, 0..4usize];
    let step = prop_oneof![
        3 => (two(), reach(), part(), 0..5usize).prop_map(|(to, reach, part, result)| Step::Moved { to, reach, part, result }),
        3 => (two(), two(), reach(), part(), 0..5usize)
            .prop_map(|(to, with, reach, part, result)| Step::Paired { to, with, reach, part, result }),
        1 => (two(), part(), 0..5usize).prop_map(|(with, part, result)| Step::Shifted { with, part, result }),
        1 => (two(), two(), part()).prop_map(|(p, b, part)| Step::Counted { p, b, part }),
        1 => (two(), part()).prop_map(|(b, part)| Step::Halved { b, part }),
        1 => (prop::bool::ANY, two()).prop_map(|(points, to)| Step::Copy(points, to)),
        1 => (0..6usize).prop_map(Step::Look),
    ];
    let kind =
        prop_oneof![3 => Just(Kind::Emulated), 1 => Just(Kind::Shared), 1 => Just(Kind::Host), 2 => Just(Kind::OpenCl)];
    let edge = prop_oneof![Just(Edge::None), Just(Edge::Periodic), Just(Edge::Reflecting)];
    let weights = prop::option::of(prop::collection::vec(0..4u8, 5));
    let devices = (prop::collection::vec(kind, 1..6), weights, prop::bool::ANY, prop::bool::ANY);
    (devices, (1..40usize, 0..4usize, reach(), edge), prop::option::of(1..9usize), prop::collection::vec(step, 1..16))
        .prop_map(|((kinds, weights, model, gpus), (n, lo, halo, edge), reproducible, steps)| Mixed {
            kinds,
            n,
            lo,
            halo,
            edge,
            weights,
            model,
            gpus,
            reproducible,
            steps,
        })
}

/// Arrays of bytes, of floats, and of arrays, some with two elements for each iteration, in a row of devices.
fn check_mixed(case: &Mixed) -> Result<()> {
    let (_, described) = described(&case.kinds, false);
    let rt = runtime(&described)?;
    let (n, lo, edge) = (case.n, case.lo, case.edge);
    let limit = |n: usize, width: usize| if edge == Edge::Reflecting { width.min(n - 1) } else { width };
    let points = case.halo.map(|width| limit(n, width));
    // In elements: whole pairs.
    let bytes = case.halo.map(|width| limit(2 * n, 2 * width) / 2 * 2);
    let start = |seed: u64| -> Vec<[u32; 3]> {
        filled(n, seed).iter().map(|&x| [x as u32, (x >> 20) as u32, (x >> 32) as u32]).collect()
    };
    let mut p = [start(1), start(2)];
    let mut b = [3, 4].map(|seed| filled(2 * n, seed).iter().map(|x| (x >> 30) as u8).collect::<Vec<u8>>());
    let (mut s, mut g) = (filled(n + lo, 5), vec![1.0f64; n]);
    let (mut counts, mut least) = (vec![7u32; 5], vec![1e9f64; 7]);
    let (mut mp, mut mb, mut ms, mut mg, mut mc, mut ml) =
        (p.clone(), b.clone(), s.clone(), g.clone(), counts.clone(), least.clone());
    let weights = case.weights.as_ref().map(|weights| &weights[..case.kinds.len()]);
    let split = match weights {
        Some(weights) if weights.iter().any(|weight| *weight > 0) => {
            RegionSplit::Weights(weights.iter().map(|weight| f64::from(*weight)).collect())
        }
        _ if case.model => RegionSplit::Model,
        _ => RegionSplit::Even,
    };
    let mut region = rt.data_region().split(split);
    if let Some(block) = case.reproducible {
        region = region.reproducible(block);
    }
    let with = |layout: Layout, width: [usize; 2]| {
        let ghosts = Ghosts { left: width[0] as u64, right: width[1] as u64, left_edge: edge, right_edge: edge };
        if edge == Edge::None && width == [0; 2] { layout } else { layout.ghosts(0, ghosts) }
    };
    let [mp0, mp1] = &mut mp;
    let [mb0, mb1] = &mut mb;
    let kp = [region.tofrom(mp0, with([n].into(), points)), region.tofrom(mp1, with([n].into(), points))];
    let of_bytes = || with(Layout::from([2 * n]).ratio(2), bytes);
    let kb = [region.tofrom(mb0, of_bytes()), region.tofrom(mb1, of_bytes())];
    let ks = region.tofrom(&mut ms, Layout::from([n + lo]).offset(lo));
    let kg = region.tofrom(&mut mg, [n]);
    let (kc, kl) = (region.tofrom(&mut mc, [5].full()), region.tofrom(&mut ml, [7].full()));
    let form = |bound: Bound<'static>| if case.gpus { as_on_gpus(bound) } else { bound };
    let part = |[a, b]: [usize; 2], [low, high]: [usize; 2]| {
        let cut = |at: usize| if at == 99 { n } else { at % (n + 1) };
        let (from, to) = (cut(a).min(cut(b)), cut(a).max(cut(b)));
        if edge != Edge::None {
            return from..to;
        }
        let (from, to) = (from.max(low), to.min(n.saturating_sub(high)));
        from.min(to)..to
    };
    let at = |x: isize, n: usize| source(x, n, edge).unwrap();
    let mut later = Vec::new();
    for step in &case.steps {
        match step {
            Step::Moved { to, reach, part: cut, result } => {
                let from = 1 - to;
                let [up, down] = [reach[0].min(points[0]), reach[1].min(points[1])];
                let rows = part(*cut, [up, down]);
                let mut values = Vec::new();
                for i in rows.clone() {
                    let old = &p[from];
                    let [x, y, z] = old[at(i as isize - up as isize, n)];
                    let below = old[at((i + down) as isize, n)];
                    let mut new = [0u32; 3];
                    (0..3).for_each(|k| new[k] = below[2 - k].wrapping_mul(3).wrapping_add(u32::from(b[0][2 * i + 1])));
                    new[1] = new[1].wrapping_add(x ^ y << 1 ^ z << 2);
                    values.push(u64::from(x ^ new[1]));
                    p[*to][i] = new;
                }
                let bound = form(moved(up, down, kb[0], kp[from], kp[*to]));
                run(&mut region, &mut later, (rows, None), bound, *result, &values)?;
            }
            Step::Paired { to, with, reach, part: cut, result } => {
                let from = 1 - to;
                let [before, after] = [reach[0].min(bytes[0] / 2), reach[1].min(bytes[1] / 2)];
                let rows = part(*cut, [before, after]);
                let mut values = Vec::new();
                for i in rows.clone() {
                    let [x, _, z] = p[*with][i];
                    let old = |at_: isize| b[from][at(at_, 2 * n)];
                    let first = old((2 * i + 1 + 2 * after) as isize).wrapping_add(x as u8);
                    let second = old(2 * i as isize - 2 * before as isize).wrapping_add(z as u8);
                    values.push(u64::from(b[from][2 * i]) * 7 + u64::from(first));
                    b[*to][2 * i] = first;
                    if i % 3 != 1 {
                        b[*to][2 * i + 1] ^= second;
                    }
                }
                let bound = form(paired(before, after, kp[*with], kb[from], kb[*to]));
                run(&mut region, &mut later, (rows, None), bound, *result, &values)?;
            }
            Step::Shifted { with, part: cut, result } => {
                let rows = part(*cut, [0, 0]);
                let mut values = Vec::new();
                for i in rows.clone() {
                    s[i + lo] = s[i + lo].wrapping_mul(7).wrapping_add(u64::from(p[*with][i][1]));
                    values.push(s[i + lo]);
                }
                run(&mut region, &mut later, (rows, None), form(shifted(lo, kp[*with], ks)), *result, &values)?;
            }
            Step::Counted { p: points, b: with, part: cut } => {
                let rows = part(*cut, [0, 0]);
                let ran = region.parallel_for(rows.clone(), form(counted(kp[*points], kb[*with], kc, kl))).run();
                if case.reproducible.is_some() {
                    // Contributions of floats.
                    assert!(ran.is_err_and(|error| error.to_string().contains("to be `reproducible`")));
                    continue;
                }
                ran?;
                for (i, k) in rows.flat_map(|i| (0..3).map(move |k| (i, k))) {
                    let x = p[*points][i][k] as usize;
                    counts[x % 5] += u32::from(b[*with][2 * i]);
                    least[x % 7] = least[x % 7].min(f64::from(b[*with][2 * i + 1]) - i as f64);
                }
            }
            Step::Halved { b: with, part: cut } => {
                let rows = part(*cut, [0, 0]);
                let mut sum = 0.0;
                for i in rows.clone() {
                    g[i] = g[i] * 0.5 + f64::from(b[*with][2 * i + 1]);
                    sum += g[i];
                }
                let got: f64 = region.parallel_for(rows, form(halved(kb[*with], kg))).reduce(Sum)?;
                assert!((got - sum).abs() <= 1e-9 * sum.abs().max(1.0), "{got} is not {sum}");
            }
            Step::Copy(of_points, to) => {
                if region.report().is_err() {
                    continue;
                }
                let copied =
                    if *of_points { region.copy(kp[1 - to], kp[*to]) } else { region.copy(kb[1 - to], kb[*to]) };
                copied?;
                if *of_points { p[*to] = p[1 - to].clone() } else { b[*to] = b[1 - to].clone() }
            }
            Step::Look(which) => match which {
                0 | 1 => {
                    region.update_from(kp[*which])?;
                    assert_eq!(region.host(kp[*which])?, p[*which]);
                    p[*which][n / 2][1] ^= 9;
                    region.host_mut(kp[*which])?[n / 2][1] ^= 9;
                    region.update_to(kp[*which])?;
                }
                2 | 3 => {
                    region.update_from(kb[*which - 2])?;
                    assert_eq!(region.host(kb[*which - 2])?, b[*which - 2]);
                }
                _ => region.wait()?,
            },
        }
    }
    for (value, wanted) in later {
        assert_eq!(region.value(value)?, wanted, "a result that was asked for later");
    }
    region.finish()?;
    assert_eq!(mp, p);
    assert_eq!(mb, b);
    assert_eq!((ms, mg, mc, ml), (s, g, counts, least));
    Ok(())
}

proptest! {
    // Always the same cases.
    #![proptest_config(ProptestConfig {
        cases: 60,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn kernels_in_rows_and_grids_give_what_plain_arrays_do(case in case()) {
        check(&case)?;
    }

    #[test]
    fn arrays_of_every_kind_of_element_are_those_of_plain_arrays(case in mixed()) {
        check_mixed(&case)?;
    }
}
