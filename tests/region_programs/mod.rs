//! Random programs over data regions, compared with plain arrays. For all devices, divisions, ghost cells and orders of
//! operations all arrays are equal to the last bit, and cells that no loop writes stay unchanged.
#![allow(dead_code, reason = "each test file uses a part of it")]

mod kernels;

use crate::common::machines::{cuda, emulated, emulated_shared, host, opencl, runtime};
use apportion::prelude::*;
use apportion::region::{DataRegion, Dims, Division, Edge, Ghosts, Layout, RegionSplit, Sides, Target};
use kernels::{count, mixed, sweep, total, update, weighed};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Always the same random cases.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() }
}

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Emulated,
    Shared,
    /// A quarter of a millisecond per row, so that rows move to the devices beside it.
    Slow,
    /// At most one; others are as `Emulated`.
    Host,
    OpenClCopies,
    OpenClInPlace,
    /// The next GPU; as `Emulated` if none is left.
    Cuda,
}

/// Kinds for programs with GPUs, which come twice as often as each other kind.
pub const WITH_GPUS: &[Kind] = &[Kind::Emulated, Kind::Shared, Kind::Host, Kind::Cuda, Kind::Cuda];
/// Sets with a slow device. Its rows move to GPUs, alone and with other devices, and then on from one GPU to the next.
pub const BESIDE_GPUS: &[&[Kind]] = &[
    &[Kind::Slow, Kind::Cuda],
    &[Kind::Cuda, Kind::Slow],
    &[Kind::Slow, Kind::Cuda, Kind::Cuda],
    &[Kind::Cuda, Kind::Slow, Kind::Host, Kind::Cuda],
];

/// How a family of arrays is divided. A loop may use arrays of one family together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// With the region's rows.
    Rows,
    Block,
    /// The smallest possible blocks, and this many rows more.
    BlockOf(usize),
    Cyclic(usize),
    /// Rows for each of the region's rows, an offset before them, and more rows behind.
    Align(usize, usize, usize),
    /// Aligned by name with an array that is itself aligned.
    Chain([usize; 2], [usize; 2]),
    /// All on one device.
    On(usize),
}

#[derive(Clone, Debug)]
enum Op {
    /// Writes one array from another's rows and this many before and after.
    Sweep {
        to: usize,
        from: usize,
        reach: [usize; 2],
        part: [usize; 2],
    },
    Update {
        array: usize,
        part: [usize; 2],
    },
    Exchange(usize),
    Side(usize, bool),
    Copy {
        from: usize,
        to: usize,
    },
    /// The host reads an array and changes a cell.
    Host(usize, usize),
    Reduce {
        array: usize,
        part: [usize; 2],
        later: bool,
    },
    Histogram(usize),
    Wait,
    WaitFor(usize),
}

#[derive(Clone, Debug)]
pub struct Case {
    kinds: Vec<Kind>,
    weights: Option<Vec<u8>>,
    model: bool,
    rows: usize,
    inner: Vec<usize>,
    ways: Vec<Way>,
    halo: [usize; 2],
    edge: Edge,
    last: u8,
    reproducible: Option<usize>,
    dropped: bool,
    ops: Vec<Op>,
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        Just(Way::Block),
        (0..3usize).prop_map(Way::BlockOf),
        (1..4usize).prop_map(Way::Cyclic),
        (1..4usize, 0..4usize, 0..5usize).prop_map(|(ratio, offset, more)| Way::Align(ratio, offset, more)),
        ([1..3usize, 1..3usize], [0..3usize, 0..3usize]).prop_map(|(ratios, offsets)| Way::Chain(ratios, offsets)),
        (0..5usize).prop_map(Way::On),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let any = 0..64usize;
    let part = || [0..100usize, 0..100usize];
    prop_oneof![
        6 => (any.clone(), any.clone(), [0..6usize, 0..6usize], part())
            .prop_map(|(to, from, reach, part)| Op::Sweep { to, from, reach, part }),
        2 => (any.clone(), part()).prop_map(|(array, part)| Op::Update { array, part }),
        1 => any.clone().prop_map(Op::Exchange),
        1 => (any.clone(), prop::bool::ANY).prop_map(|(array, left)| Op::Side(array, left)),
        2 => (any.clone(), any.clone()).prop_map(|(from, to)| Op::Copy { from, to }),
        1 => (any.clone(), any.clone()).prop_map(|(array, at)| Op::Host(array, at)),
        1 => (any.clone(), part(), prop::bool::ANY).prop_map(|(array, part, later)| Op::Reduce { array, part, later }),
        1 => any.clone().prop_map(Op::Histogram),
        1 => Just(Op::Wait),
        1 => any.prop_map(Op::WaitFor),
    ]
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![Just(Edge::None), Just(Edge::Periodic), Just(Edge::Reflecting)]
}

/// One device of the kinds in `first`, and some of `kinds`.
pub fn case(first: &'static [Kind], kinds: &'static [Kind]) -> impl Strategy<Value = Case> {
    let of = prop::sample::select::<Kind>;
    let kinds = (of(first), prop::collection::vec(of(kinds), 0..5), any::<prop::sample::Index>());
    let kinds = kinds.prop_map(|(first, mut kinds, at)| {
        kinds.insert(at.index(kinds.len() + 1), first);
        kinds
    });
    let devices = (kinds, prop::option::of(prop::collection::vec(0..4u8, 5)), any::<bool>());
    let inner = prop_oneof![Just(vec![]), Just(vec![3]), Just(vec![2, 2])];
    let arrays = (1..24usize, inner, prop::collection::vec(way(), 0..3), [0..5usize, 0..5usize], edge(), 0..3u8);
    let rest = (prop::option::of(1..6usize), any::<bool>(), prop::collection::vec(op(), 1..16));
    (devices, arrays, rest).prop_map(|((kinds, weights, model), arrays, (reproducible, dropped, ops))| {
        let (rows, inner, ways, halo, edge, last) = arrays;
        Case { kinds, weights, model, rows, inner, ways, halo, edge, last, reproducible, dropped, ops }
    })
}

/// One of these sets of devices, with so many loops over all rows that rows move away from the slow one.
pub fn moving_case(sets: &'static [&'static [Kind]]) -> impl Strategy<Value = Case> {
    (case(&[Kind::Slow], &[Kind::Slow]), prop::sample::select(sets)).prop_map(|(case, kinds)| {
        let all = |to, from| Op::Sweep { to, from, reach: case.halo, part: [0, case.rows + 12] };
        let ops = case.ops.iter().cycle().take(20).flat_map(|op| [all(0, 1), all(1, 0), op.clone()]);
        let (ops, kinds, rows) = (ops.collect(), kinds.to_vec(), case.rows + 12);
        Case { kinds, weights: None, model: false, rows, dropped: false, ops, ..case }
    })
}

/// The descriptions of the devices. In every other case launches cost nothing, so that short loops are cut too.
fn devices(kinds: &[Kind], rows: usize, gpus: usize) -> Vec<String> {
    let before = |kind: Kind, slot: usize| kinds[..slot].iter().filter(|other| **other == kind).count();
    let device = |(slot, kind): (usize, &Kind)| match kind {
        Kind::Host if before(Kind::Host, slot) == 0 => host(),
        Kind::Shared => emulated_shared(&format!("s{slot}"), 1.0 + slot as f64),
        Kind::Slow => emulated(&format!("slow{slot}"), 4e-3),
        // One device may be opened several times if the descriptions differ: here in how much of the platform's name they
        // contain.
        Kind::OpenClCopies | Kind::OpenClInPlace => {
            let memory = if *kind == Kind::OpenClCopies { "discrete" } else { "shared" };
            opencl(&format!("p{slot}"), memory).replace("portable", &"portable computing"[..5 + slot])
        }
        Kind::Cuda if before(Kind::Cuda, slot) < gpus => cuda(&format!("g{slot}"), before(Kind::Cuda, slot)),
        _ => emulated(&format!("e{slot}"), 30.0 / (1.0 + slot as f64)),
    };
    let launch = |text: String| match rows % 2 {
        0 => text.replace(r#""launch_us": {"value": 2,"#, r#""launch_us": {"value": 1e-9,"#),
        _ => text,
    };
    kinds.iter().enumerate().map(device).map(launch).collect()
}

fn split(weights: Option<&[u8]>, model: bool, devices: usize) -> RegionSplit {
    match weights {
        Some(weights) if weights[..devices].iter().any(|weight| *weight > 0) => {
            RegionSplit::Weights(weights[..devices].iter().map(|weight| f64::from(*weight)).collect())
        }
        _ if model => RegionSplit::Model,
        _ => RegionSplit::Even,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mapping {
    To,
    ToFrom,
    From,
    Alloc,
}

/// An array as the test and the kernels know it.
#[derive(Clone, Copy, Debug)]
struct Array {
    family: usize,
    follows: bool,
    rows: usize,
    inner: usize,
    ratio: usize,
    offset: usize,
    halo: [usize; 2],
    edge: Edge,
    mapping: Mapping,
}

impl Array {
    /// The row that a row past an edge stands for.
    fn source(&self, row: isize) -> Option<usize> {
        let n = self.rows as isize;
        match self.edge {
            _ if (0..n).contains(&row) => Some(row as usize),
            Edge::None => None,
            Edge::Periodic => Some(row.rem_euclid(n) as usize),
            Edge::Reflecting => Some(if row < 0 { -row } else { 2 * (n - 1) - row } as usize),
        }
    }

    /// The first row of an iteration.
    fn first(&self, iteration: usize) -> usize {
        self.offset + self.ratio * iteration
    }
}

const BINS: usize = 5;

/// A family's layout and its array; the arrays of a chain follow `mid`.
fn laid_out(case: &Case, family: usize, way: Way, devices: &[String]) -> (Layout, Array) {
    let n = case.rows;
    // The models may leave the device out.
    let way = if case.model && matches!(way, Way::On(_)) { Way::Block } else { way };
    let (ratio, offset, more) = match way {
        Way::Align(ratio, offset, more) => (ratio, offset, more),
        Way::Chain([r1, r2], [o1, o2]) => (r1 * r2, o2 + r2 * o1, 0),
        _ => (1, 0, 0),
    };
    let rows = offset + ratio * n + more;
    let mut halo = if matches!(way, Way::Cyclic(_)) { [0; 2] } else { case.halo };
    if case.edge == Edge::Reflecting {
        halo = halo.map(|width| width.min(rows - 1));
    }
    let align = |target: &str, ratio: usize, offset: usize| Division::Align {
        target: Target::array(target, 0),
        ratio: ratio.into(),
        offset: offset as u64,
    };
    let extents: Vec<usize> = [rows].into_iter().chain(case.inner.iter().copied()).collect();
    let layout = Layout::new(&extents);
    let layout = match way {
        Way::Rows => layout,
        Way::Block => layout.divide(0, Division::Block),
        // The models may leave devices out.
        Way::BlockOf(_) if case.model => layout.divide(0, Division::BlockOf(n as u64)),
        Way::BlockOf(more) => layout.divide(0, Division::BlockOf((n.div_ceil(devices.len()) + more) as u64)),
        Way::Cyclic(block) => layout.divide(0, Division::Cyclic(block as u64)),
        Way::Align(ratio, offset, _) => layout.divide(0, align("base", ratio, offset)),
        Way::Chain([_, r2], [_, o2]) => layout.divide(0, align(["mid0", "mid1", "mid2"][family], r2, o2)),
        Way::On(device) => layout.on(&*devices[device % devices.len()]),
    };
    let ghosts = Ghosts { left: halo[0] as u64, right: halo[1] as u64, left_edge: case.edge, right_edge: case.edge };
    let edge = if matches!(way, Way::Cyclic(_)) { Edge::None } else { case.edge };
    let layout = if edge == Edge::None && halo == [0; 2] { layout } else { layout.ghosts(0, ghosts) };
    let follows = matches!(way, Way::Rows | Way::Align(..) | Way::Chain(..));
    let inner = case.inner.iter().product();
    (layout, Array { family, follows, rows, inner, ratio, offset, halo, edge, mapping: Mapping::ToFrom })
}

fn numbers(n: usize, seed: usize) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1 + 1000 * seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 20)).collect()
}

/// The program's arrays, as computed by the test.
struct State {
    devices: Vec<String>,
    /// Whether the models may leave devices out.
    model: bool,
    arrays: Vec<Array>,
    values: Vec<Vec<u64>>,
    bins: Vec<u64>,
}

type Keys = Vec<apportion::region::Mapped<u64>>;

impl State {
    fn part(&self, part: [usize; 2], rows: usize) -> Range<usize> {
        let [a, b] = part.map(|at| at % (rows + 1));
        a.min(b)..a.max(b)
    }

    fn sweep(&mut self, to: usize, from: usize, reach: [usize; 2], part: Range<usize>) {
        let (target, source) = (self.arrays[to], self.arrays[from]);
        for i in part {
            for (row, c) in (target.first(i)..target.first(i + 1)).flat_map(|r| (0..target.inner).map(move |c| (r, c)))
            {
                let read = |row: isize| source.source(row).map_or(0, |row| self.values[from][row * source.inner + c]);
                let value = mixed(row, &source, i, reach, read).wrapping_add(self.bins[c]);
                self.values[to][row * target.inner + c] = value;
            }
        }
    }

    fn rows_of(&mut self, array: usize, part: Range<usize>) -> impl Iterator<Item = (usize, &mut [u64])> {
        let of = self.arrays[array];
        let rows = self.values[array].chunks_mut(of.inner).enumerate();
        rows.skip(of.first(part.start)).take(of.ratio * part.len())
    }

    /// The outcome of a reduction over an array. If the array is divided otherwise than the region's rows, devices may share
    /// blocks and the reduction is refused.
    fn reproducible<T>(&self, array: usize, outcome: Result<T>) -> Result<Option<T>> {
        match outcome {
            Err(error) if !self.arrays[array].follows && error.to_string().contains("to be `reproducible`") => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    fn total(&mut self, array: usize, part: Range<usize>) -> u64 {
        self.rows_of(array, part).fold(0, |sum, (row, values)| sum.wrapping_add(weighed(row, values)))
    }
}

fn refused<T>(outcome: Result<T>, why: &str) {
    let error = outcome.err().unwrap_or_else(|| panic!("this is to be refused: {why}")).to_string();
    assert!(error.contains(why), "`{error}` does not say `{why}`");
}

/// Does one operation in the region and in the test's arrays.
fn step(
    region: &mut DataRegion<'_, '_>,
    state: &mut State,
    (keys, table): (&Keys, apportion::region::Mapped<u64>),
    rows: usize,
    op: &Op,
    later: &mut Vec<(apportion::region::Later<u64>, u64)>,
) -> Result<()> {
    let pick = |index: usize| index % keys.len();
    let read_only = |state: &State, array: usize| state.arrays[array].mapping == Mapping::To;
    match op {
        Op::Sweep { to, from, reach, part } => {
            let (to, from, part) = (pick(*to), pick(*from), state.part(*part, rows));
            let (target, source) = (state.arrays[to], state.arrays[from]);
            let reach = [reach[0] % (source.halo[0] + 1), reach[1] % (source.halo[1] + 1)];
            let bound = sweep(target, source, reach).reads(table).reads(keys[from]);
            let bound = bound.halo_sides(reach[0], reach[1]).writes(keys[to]);
            let ran = region.parallel_for(part.clone(), bound).run();
            if read_only(state, to) {
                refused(ran, "mapped `to`");
            } else if to == from {
                refused(ran, "would race");
            } else if target.family == source.family || target.follows && source.follows {
                ran?;
                state.sweep(to, from, reach, part);
            } else {
                // It may run if every device happens to have what it reads.
                match ran {
                    Ok(()) => state.sweep(to, from, reach, part),
                    Err(error) => assert!(error.to_string().contains("align the arrays"), "{error}"),
                }
            }
        }
        Op::Update { array, part } => {
            let (array, part) = (pick(*array), state.part(*part, rows));
            let ran = region.parallel_for(part.clone(), update(state.arrays[array]).updates(keys[array])).run();
            if read_only(state, array) {
                refused(ran, "mapped `to`");
            } else {
                ran?;
                for (row, values) in state.rows_of(array, part) {
                    values.iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(row as u64));
                }
            }
        }
        Op::Exchange(array) => region.halo_exchange(keys[pick(*array)])?,
        Op::Side(array, left) => {
            let sides = if *left { Sides::LEFT } else { Sides::RIGHT };
            region.halo_update(keys[pick(*array)], 0, sides)?;
            refused(region.halo_update(keys[pick(*array)], 3, sides), "counted from 0");
        }
        Op::Copy { from, to } => {
            let (from, to) = (pick(*from), pick(*to));
            let copied = region.copy(keys[from], keys[to]);
            if state.arrays[from].rows != state.arrays[to].rows {
                refused(copied, "has extents");
            } else if read_only(state, to) {
                refused(copied, "mapped `to`");
            } else {
                copied?;
                state.values[to] = state.values[from].clone();
            }
        }
        Op::Host(array, at) => {
            let array = pick(*array);
            let key = keys[array];
            region.update_from(key)?;
            let mapping = state.arrays[array].mapping;
            if mapping == Mapping::Alloc {
                refused(region.host(key), "no memory of the caller's");
                return Ok(());
            }
            assert_eq!(region.host(key)?, state.values[array], "what the host sees of array {array}");
            if mapping == Mapping::To {
                refused(region.host_mut(key), "changed by the host");
                return Ok(());
            }
            let at = at % state.values[array].len();
            state.values[array][at] ^= 0x5555;
            region.host_mut(key)?[at] ^= 0x5555;
            region.update_to(key)?;
        }
        Op::Reduce { array, part, later: is_later } => {
            let (array, part) = (pick(*array), state.part(*part, rows));
            let bound = total(state.arrays[array]).reads(keys[array]).halo(0);
            let reduction = region.parallel_for(part.clone(), bound);
            let expected = state.total(array, part);
            if *is_later {
                let value = state.reproducible(array, reduction.reduce_later(Sum))?;
                later.extend(value.map(|value| (value, expected)));
            } else if let Some(sum) = state.reproducible(array, reduction.reduce::<u64>(Sum))? {
                assert_eq!(sum, expected, "sum of array {array}");
            }
        }
        Op::Histogram(array) => {
            let array = pick(*array);
            let bound = count(state.arrays[array]).reads(keys[array]).halo(0).reduces(table, Sum);
            region.parallel_for(0..rows, bound).run()?;
            let all: Vec<u64> = state.rows_of(array, 0..rows).flat_map(|(_, values)| values.to_vec()).collect();
            all.iter().for_each(|x| state.bins[(x % BINS as u64) as usize] += 1);
        }
        Op::Wait => region.wait()?,
        Op::WaitFor(device) => {
            let waited = region.wait_for(&state.devices[device % state.devices.len()]);
            match waited {
                Err(error) if state.model => assert!(error.to_string().contains("to wait for"), "{error}"),
                waited => waited?,
            }
        }
    }
    Ok(())
}

/// Runs a program on these devices, with at most this many GPUs. Returns how often rows moved.
pub fn check(case: &Case, gpus: usize) -> Result<usize> {
    let rt = runtime(&devices(&case.kinds, case.rows, gpus))?;
    let devices: Vec<String> = rt.devices().map(|device| device.name).collect();
    let n = case.rows;
    let ways: Vec<Way> = [Way::Rows].into_iter().chain(case.ways.iter().copied()).collect();
    let (mut arrays, mut layouts) = (Vec::new(), Vec::new());
    for (family, way) in ways.iter().enumerate() {
        let (layout, array) = laid_out(case, family, *way, &devices);
        // Arrays that bring no values are undefined where no loop writes.
        let filled = array.ratio * n == array.rows;
        let last = [Mapping::Alloc, Mapping::From, Mapping::To][case.last as usize];
        let last = if filled || last == Mapping::To { last } else { Mapping::ToFrom };
        for mapping in [Mapping::ToFrom, Mapping::ToFrom, last] {
            arrays.push(Array { mapping, ..array });
            layouts.push(layout.clone());
        }
    }
    let start: Vec<Vec<u64>> = arrays.iter().enumerate().map(|(i, a)| numbers(a.rows * a.inner, i)).collect();
    let mut memories = start.clone();
    let mut bins: Vec<u64> = (0..BINS as u64).collect();
    let base = vec![0u64; n];
    let mut state = State {
        devices: devices.clone(),
        model: case.model,
        arrays: arrays.clone(),
        values: start,
        bins: bins.clone(),
    };
    let mut region = rt.data_region().split(split(case.weights.as_deref(), case.model, devices.len()));
    if let Some(block) = case.reproducible {
        region = region.reproducible(block);
    }
    region.to(&base, [n].named("base"));
    for (family, way) in ways.iter().enumerate() {
        if let Way::Chain([ratio, _], [offset, _]) = way {
            let target = Target::array("base", 0);
            let division = Division::Align { target, ratio: (*ratio).into(), offset: *offset as u64 };
            let name = ["mid0", "mid1", "mid2"][family];
            let _ = region.alloc::<u8>([offset + ratio * n].named(name).divide(0, division));
        }
    }
    let table = region.tofrom(&mut bins, [BINS].full());
    let mut keys = Keys::new();
    for ((memory, array), layout) in memories.iter_mut().zip(&arrays).zip(layouts) {
        keys.push(match array.mapping {
            Mapping::To => region.to(memory, layout),
            Mapping::ToFrom => region.tofrom(memory, layout),
            Mapping::From => region.from(memory, layout),
            Mapping::Alloc => region.alloc(layout),
        });
    }
    let mut later = Vec::new();
    // Also before the first loop, but for copies of what nothing wrote.
    let mut has_values: Vec<bool> = arrays.iter().map(|a| matches!(a.mapping, Mapping::To | Mapping::ToFrom)).collect();
    for op in &case.ops {
        let done = match op {
            Op::Copy { from, to } => {
                let (from, to) = (from % keys.len(), to % keys.len());
                let possible = has_values[from];
                has_values[to] |= possible && arrays[from].rows == arrays[to].rows;
                possible
            }
            Op::Host(array, _) => {
                let array = array % keys.len();
                has_values[array] |= arrays[array].mapping != Mapping::Alloc;
                has_values[array]
            }
            Op::Exchange(_) => true,
            _ => false,
        };
        if done {
            step(&mut region, &mut state, (&keys, table), n, op, &mut later)?;
        }
    }
    for (index, array) in arrays.iter().enumerate() {
        if matches!(array.mapping, Mapping::From | Mapping::Alloc) {
            let bound = sweep(*array, arrays[index - 1], [0; 2]).reads(table).reads(keys[index - 1]).halo(0);
            region.parallel_for(0..n, bound.writes(keys[index])).run()?;
            state.sweep(index, index - 1, [0; 2], 0..n);
        }
    }
    // If every array came with values, nothing is on the devices yet.
    region.parallel_for(0..n, update(arrays[0]).updates(keys[0])).run()?;
    state
        .rows_of(0, 0..n)
        .for_each(|(row, x)| x.iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(row as u64)));
    for op in &case.ops {
        step(&mut region, &mut state, (&keys, table), n, op, &mut later)?;
    }
    for (value, expected) in later {
        assert_eq!(region.value(value)?, expected, "a sum that was asked for later");
    }
    for index in (0..arrays.len()).filter(|index| arrays[*index].mapping == Mapping::Alloc) {
        let bound = total(arrays[index]).reads(keys[index]).halo(0);
        if let Some(sum) = state.reproducible(index, region.parallel_for(0..n, bound).reduce::<u64>(Sum))? {
            assert_eq!(sum, state.total(index, 0..n), "array {index}, which is on the devices alone");
        }
    }
    let mut moves = 0;
    if case.dropped {
        drop(region);
    } else {
        moves = region.finish()?.moves.len();
    }
    for index in (0..arrays.len()).filter(|index| arrays[*index].mapping != Mapping::Alloc) {
        assert_eq!(memories[index], state.values[index], "array {index}, {:?}", arrays[index]);
    }
    assert_eq!(bins, state.bins, "the histogram");
    Ok(moves)
}
