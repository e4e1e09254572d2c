//! Random programs over arrays that follow the rows by fractions and tables, some of which are mapped while the program runs.

use apportion::error::Error;
use apportion::prelude::*;
use apportion::region::{Division, Edge, Ghosts, Later, Layout, Mapped, Ratio, RegionSplit, Target};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;

mod common;
use common::machines::{emulated, emulated_shared, host, runtime};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Emulated,
    Shared,
    Slow,
    Host,
}

/// How rows follow what they are aligned with.
#[derive(Clone, Debug)]
enum Way {
    Plain,
    Fraction {
        cells: usize,
        items: usize,
        offset: usize,
        more: usize,
    },
    /// Lengths of the rows of each iteration, cells before the first, and behind the last.
    Table {
        lengths: Vec<usize>,
        before: usize,
        more: usize,
    },
    /// Follows the array of this family by name.
    With {
        family: usize,
        cells: usize,
        items: usize,
        offset: usize,
    },
    Own(usize),
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mapping {
    To,
    ToFrom,
    From,
    Alloc,
}

#[derive(Clone, Debug)]
struct Given {
    way: Way,
    mapping: Mapping,
    halo: [usize; 2],
    edge: Edge,
}

#[derive(Clone, Debug)]
enum Op {
    Map(Given),
    Sweep { to: usize, from: usize, also: usize, reach: [usize; 2], part: [usize; 2] },
    Update { array: usize, part: [usize; 2] },
    Copy { from: usize, to: usize },
    Host { array: usize, at: usize },
    Overwrite { array: usize, seed: usize },
    Exchange(usize),
    Reduce { array: usize, part: [usize; 2], later: bool },
    Add { array: usize, part: [usize; 2], which: usize },
    Many { to: usize, from: usize },
    Wait,
}

#[derive(Clone, Debug)]
struct Case {
    kinds: Vec<Kind>,
    weights: Option<Vec<u8>>,
    model: bool,
    rows: usize,
    inner: usize,
    block: Option<usize>,
    first: Vec<Given>,
    ops: Vec<Op>,
}

/// Gives a layout its division.
type Divide = Box<dyn Fn(Layout) -> Layout>;

/// The steps from the rows to an array.
type Steps = Vec<Step>;

#[derive(Clone, Debug)]
enum Step {
    Ratio(usize, usize, usize),
    At(Arc<Vec<usize>>),
}

#[derive(Clone, Debug)]
struct Array {
    steps: Option<Steps>,
    full: bool,
    rows: usize,
    inner: usize,
    halo: [usize; 2],
    edge: Edge,
    mapping: Mapping,
}

impl Array {
    fn begin(&self, i: usize) -> usize {
        self.steps.iter().flatten().fold(i, |i, step| match step {
            Step::Ratio(c, q, o) => o + (i * c).div_ceil(*q),
            Step::At(at) => at[i.min(at.len() - 1)],
        })
    }
    fn low(&self, i: usize) -> usize {
        self.steps.iter().flatten().fold(i, |i, step| match step {
            Step::Ratio(c, q, o) => o + i * c / q,
            Step::At(at) => at[i.min(at.len() - 1)],
        })
    }
    fn source(&self, row: isize) -> Option<usize> {
        let n = self.rows as isize;
        match self.edge {
            _ if (0..n).contains(&row) => Some(row as usize),
            Edge::None => None,
            Edge::Periodic => Some(row.rem_euclid(n) as usize),
            Edge::Reflecting => Some(if row < 0 { -row } else { 2 * (n - 1) - row } as usize),
        }
    }
}

fn mix(a: u64, b: u64) -> u64 {
    (a ^ a >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(b)
}

/// The value of cell `c` of row `row` of a target, of iteration `i`.
fn mixed(
    row: usize,
    i: usize,
    from: &Array,
    also: &Array,
    reach: [usize; 2],
    read: impl Fn(isize) -> Option<u64>,
    read_also: impl Fn(usize) -> Option<u64>,
) -> Option<u64> {
    let mut sum = row as u64 + 1;
    let (low, end) = if from.full { (0, from.rows.min(3)) } else { (from.low(i), from.begin(i + 1)) };
    let reach = if from.full { [0, 0] } else { reach };
    let wide = low as isize - reach[0] as isize..end as isize + reach[1] as isize;
    for r in wide {
        if from.edge != Edge::None || (0..from.rows as isize).contains(&r) {
            sum = mix(sum, read(r)?);
        }
    }
    let rows = if also.full { 0..also.rows.min(2) } else { also.begin(i)..also.begin(i + 1) };
    for r in rows {
        sum = mix(sum, read_also(r)?);
    }
    Some(sum)
}

fn sweep(to: &Array, from: &Array, also: &Array, reach: [usize; 2]) -> Kernel {
    let (to, from, also) = (to.clone(), from.clone(), also.clone());
    Kernel::new("sweep")
        .host(move |rows: Range<usize>, x: In<u64>, z: In<u64>, mut y: Out<u64>| {
            for i in rows {
                for row in to.begin(i)..to.begin(i + 1) {
                    for c in 0..to.inner {
                        let value = mixed(
                            row,
                            i,
                            &from,
                            &also,
                            reach,
                            |r| Some(x.cells(r, c as isize..c as isize + 1)[0]),
                            |r| Some(z.row(r)[c]),
                        );
                        y.row_mut(row)[c] = value.unwrap();
                    }
                }
            }
        })
        .cost(Cost::per_iteration().flops(1000).loads(100).stores(100))
}

fn update(array: &Array) -> Kernel {
    let array = array.clone();
    Kernel::new("update")
        .host(move |rows: Range<usize>, by: u64, mut x: Out<u64>| {
            for row in rows.flat_map(|i| array.begin(i)..array.begin(i + 1)) {
                x.row_mut(row).iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(row as u64 + by));
            }
        })
        .cost(Cost::per_iteration().flops(1000).loads(100).stores(100))
}

fn total(array: &Array) -> Kernel {
    let array = array.clone();
    Kernel::new("total").host(move |rows: Range<usize>, x: In<u64>| {
        let mut sum = 0u64;
        for row in rows.flat_map(|i| array.begin(i)..array.begin(i + 1)) {
            for (c, v) in x.row(row).iter().enumerate() {
                sum = sum.wrapping_add(mix(row as u64 * 7 + c as u64, *v));
            }
        }
        sum
    })
}

fn devices(kinds: &[Kind], rows: usize) -> Vec<String> {
    let mut had = false;
    let launch = |text: String| match rows % 2 {
        0 => text.replace(r#""launch_us": {"value": 2,"#, r#""launch_us": {"value": 1e-9,"#),
        _ => text,
    };
    kinds
        .iter()
        .enumerate()
        .map(|(slot, kind)| match kind {
            Kind::Host if !had => {
                had = true;
                host()
            }
            Kind::Shared => emulated_shared(&format!("s{slot}"), 1.0 + slot as f64),
            Kind::Slow => emulated(&format!("slow{slot}"), 4e-3),
            _ => emulated(&format!("e{slot}"), 30.0 / (1.0 + slot as f64)),
        })
        .map(launch)
        .collect()
}

struct State {
    n: usize,
    inner: usize,
    arrays: Vec<Array>,
    values: Vec<Vec<Option<u64>>>,
    keys: Vec<Mapped<u64>>,
    names: Vec<&'static str>,
}

fn leak(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}

impl State {
    fn part(&self, part: [usize; 2]) -> Range<usize> {
        let [a, b] = part.map(|at| at % (self.n + 1));
        a.min(b)..a.max(b)
    }

    fn laid_out(&self, of: &Given) -> (Layout, Array) {
        let (n, index) = (self.n, self.arrays.len());
        let name = leak(format!("a{index}"));
        let mut full = false;
        let (rows, steps, divide): (usize, Option<Steps>, Divide) = match &of.way {
            Way::With { .. } if index == 0 => (n, Some(vec![]), Box::new(|l| l)),
            Way::Plain => (n, Some(vec![]), Box::new(|l| l)),
            Way::Fraction { cells, items, offset, more } => {
                let ratio = Ratio::new(*cells as u64, *items as u64);
                let (c, q) = (ratio.cells() as usize, ratio.items() as usize);
                let offset = *offset;
                (
                    offset + (n * c).div_ceil(q) + more,
                    Some(vec![Step::Ratio(c, q, offset)]),
                    Box::new(move |l| l.ratio(ratio).offset(offset)),
                )
            }
            Way::Table { lengths, before, more } => {
                let mut at = vec![*before];
                for i in 0..n {
                    at.push(at[i] + lengths[i % lengths.len()]);
                }
                let rows = at[n] + more;
                let numbers = at.clone();
                (rows, Some(vec![Step::At(Arc::new(at))]), Box::new(move |l| l.rows_at(&numbers)))
            }
            Way::With { family, cells, items, offset } => {
                let target = family % index.max(1);
                let ratio = Ratio::new(*cells as u64, *items as u64);
                let (c, q) = (ratio.cells() as usize, ratio.items() as usize);
                let of = &self.arrays[target];
                full = of.full;
                let mut steps = of.steps.clone();
                if let Some(steps) = &mut steps {
                    steps.push(Step::Ratio(c, q, *offset));
                }
                let (to, offset) = (Target::array(self.names[target], 0), *offset);
                (
                    offset + (of.rows * c).div_ceil(q),
                    steps,
                    Box::new(move |l| {
                        l.divide(0, Division::Align { target: to.clone(), ratio, offset: offset as u64 })
                    }),
                )
            }
            Way::Own(block) => {
                let division = match block {
                    0 => Division::Block,
                    _ => Division::Cyclic(*block as u64),
                };
                (n, Some(vec![]), Box::new(move |l| l.divide(0, division.clone())))
            }
            Way::Full => {
                full = true;
                (n, None, Box::new(|l| l.full()))
            }
        };
        let cyclic = matches!(of.way, Way::Own(1..)) || matches!(of.way, Way::With { .. });
        let mut halo = if cyclic || full { [0; 2] } else { of.halo };
        if of.edge == Edge::Reflecting {
            halo = halo.map(|width| width.min(rows.saturating_sub(1)));
        }
        let edge = if cyclic || full || rows == 0 { Edge::None } else { of.edge };
        let extents: Vec<usize> = if self.inner > 1 { vec![rows, self.inner] } else { vec![rows] };
        let layout = divide(Layout::new(&extents)).named(name);
        let ghosts = Ghosts { left: halo[0] as u64, right: halo[1] as u64, left_edge: edge, right_edge: edge };
        let layout = if halo == [0; 2] { layout } else { layout.ghosts(0, ghosts) };
        let edge = if halo == [0; 2] { Edge::None } else { edge };
        let array = Array { steps, full, rows, inner: self.inner, halo, edge, mapping: of.mapping };
        (layout, array)
    }

    /// What a call gave; none where it was refused, which changes nothing.
    fn outcome<T>(&self, outcome: Result<T>) -> std::result::Result<Option<T>, TestCaseError> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(Error::Call(_)) => Ok(None),
            Err(other) => Err(TestCaseError::fail(format!("{other:?}"))),
        }
    }

    fn sweep(&mut self, to: usize, from: usize, also: usize, reach: [usize; 2], part: Range<usize>) {
        let (target, source, other) = (self.arrays[to].clone(), self.arrays[from].clone(), self.arrays[also].clone());
        let m = self.inner;
        let mut new = Vec::new();
        for i in part {
            for row in target.begin(i)..target.begin(i + 1) {
                for c in 0..m {
                    let value = mixed(
                        row,
                        i,
                        &source,
                        &other,
                        reach,
                        |r| source.source(r).and_then(|r| self.values[from][r * m + c]),
                        |r| self.values[also][r * m + c],
                    );
                    new.push((row * m + c, value));
                }
            }
        }
        for (at, value) in new {
            self.values[to][at] = value;
        }
    }

    fn total(&self, array: usize, part: Range<usize>) -> Option<u64> {
        let of = &self.arrays[array];
        let mut sum = 0u64;
        for row in part.flat_map(|i| of.begin(i)..of.begin(i + 1)) {
            for c in 0..self.inner {
                sum = sum.wrapping_add(mix(row as u64 * 7 + c as u64, self.values[array][row * self.inner + c]?));
            }
        }
        Some(sum)
    }
}

fn numbers(n: usize, seed: usize) -> Vec<u64> {
    (0..n as u64).map(|i| (i + 1 + 1000 * seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 20)).collect()
}

fn agrees(what: &str, values: &[Option<u64>], found: &[u64]) -> std::result::Result<(), TestCaseError> {
    for (at, (value, found)) in values.iter().zip(found).enumerate() {
        if value.is_some_and(|value| value != *found) {
            return Err(TestCaseError::fail(format!("{what}: cell {at} is {found:x}, expected {:x}", value.unwrap())));
        }
    }
    Ok(())
}

fn check(case: &Case) -> std::result::Result<(), TestCaseError> {
    let fail = |error: Error| TestCaseError::fail(format!("{error:?}"));
    let rt = runtime(&devices(&case.kinds, case.rows)).map_err(fail)?;
    let count = rt.devices().count();
    let all: Vec<&Given> = case
        .first
        .iter()
        .chain(case.ops.iter().filter_map(|op| match op {
            Op::Map(of) => Some(of),
            _ => None,
        }))
        .collect();
    let mut state =
        State { n: case.rows, inner: case.inner, arrays: vec![], values: vec![], keys: vec![], names: vec![] };
    // Memory of all arrays, as they will be mapped.
    let mut layouts = vec![];
    for of in &all {
        let (layout, array) = state.laid_out(of);
        layouts.push(layout);
        state.names.push(leak(format!("a{}", state.arrays.len())));
        state.arrays.push(array);
    }
    let arrays = std::mem::take(&mut state.arrays);
    state.arrays = vec![];
    let mut memories: Vec<Vec<u64>> = arrays.iter().enumerate().map(|(i, a)| numbers(a.rows * a.inner, i)).collect();
    let split = match &case.weights {
        Some(weights) if weights[..count].iter().any(|w| *w > 0) => {
            RegionSplit::Weights(weights[..count].iter().map(|w| f64::from(*w)).collect())
        }
        _ if case.model => RegionSplit::Model,
        _ => RegionSplit::Even,
    };
    {
        let mut region = rt.data_region().split(split);
        if let Some(block) = case.block {
            region = region.reproducible(block);
        }
        let mut slots = memories.iter_mut().map(Some).collect::<Vec<_>>();
        macro_rules! map {
            () => {{
                let index = state.keys.len();
                let (array, layout) = (arrays[index].clone(), layouts[index].clone());
                let memory: &mut Vec<u64> = slots[index].take().unwrap();
                let given: Vec<Option<u64>> = memory.iter().map(|x| Some(*x)).collect();
                let none = vec![None; given.len()];
                let (key, values) = match array.mapping {
                    Mapping::To => (region.to(&*memory, layout), given),
                    Mapping::ToFrom => (region.tofrom(memory, layout), given),
                    Mapping::From => (region.from(memory, layout), none),
                    Mapping::Alloc => (region.alloc(layout), none),
                };
                state.keys.push(key);
                state.values.push(values);
                state.arrays.push(array);
            }};
        }
        for _ in &case.first {
            map!();
        }
        let mut later: Vec<(Later<u64>, Option<u64>)> = vec![];
        for op in &case.ops {
            if state.keys.is_empty() && !matches!(op, Op::Map(_)) {
                continue;
            }
            let pick = |at: usize| at % state.keys.len().max(1);
            let ok = |state: &State, array: usize| state.arrays[array].steps.is_some();
            match op {
                Op::Map(_) => map!(),
                Op::Sweep { to, from, also, reach, part } => {
                    let (to, from, also, part) = (pick(*to), pick(*from), pick(*also), state.part(*part));
                    if !ok(&state, to) || state.arrays[to].full {
                        continue;
                    }
                    if !(ok(&state, from) || state.arrays[from].full) || !(ok(&state, also) || state.arrays[also].full)
                    {
                        continue;
                    }
                    let source = &state.arrays[from];
                    let reach = [reach[0] % (source.halo[0] + 1), reach[1] % (source.halo[1] + 1)];
                    let kernel = sweep(&state.arrays[to], source, &state.arrays[also], reach);
                    let bound = kernel.bind().reads(state.keys[from]).halo_sides(reach[0], reach[1]);
                    let bound = bound.reads(state.keys[also]).halo(0).writes(state.keys[to]);
                    let ran = region.parallel_for(part.clone(), bound).run();
                    if state.outcome(ran)?.is_some() {
                        state.sweep(to, from, also, reach, part);
                    }
                }
                Op::Many { to, from } => {
                    let (to, from) = (pick(*to), pick(*from));
                    if !ok(&state, to) || !ok(&state, from) || to == from {
                        continue;
                    }
                    for round in 0..12 {
                        let (to, from) = if round % 2 == 0 { (to, from) } else { (from, to) };
                        let reach = state.arrays[from].halo;
                        let kernel = sweep(&state.arrays[to], &state.arrays[from], &state.arrays[from], reach);
                        let bound = kernel.bind().reads(state.keys[from]).halo_sides(reach[0], reach[1]);
                        let bound = bound.reads(state.keys[from]).halo(0).writes(state.keys[to]);
                        let part = 0..state.n;
                        let ran = region.parallel_for(part.clone(), bound).run();
                        if state.outcome(ran)?.is_some() {
                            state.sweep(to, from, from, reach, part);
                        }
                    }
                }
                Op::Update { array, part } => {
                    let (array, part) = (pick(*array), state.part(*part));
                    if !ok(&state, array) || state.arrays[array].full {
                        continue;
                    }
                    let bound = update(&state.arrays[array]).bind().scalar(3u64).updates(state.keys[array]);
                    let ran = region.parallel_for(part.clone(), bound).run();
                    if state.outcome(ran)?.is_some() {
                        let of = state.arrays[array].clone();
                        for row in part.flat_map(|i| of.begin(i)..of.begin(i + 1)) {
                            for c in 0..of.inner {
                                let x = &mut state.values[array][row * of.inner + c];
                                *x = x.map(|x| x.wrapping_mul(5).wrapping_add(row as u64 + 3));
                            }
                        }
                    }
                }
                Op::Copy { from, to } => {
                    let (from, to) = (pick(*from), pick(*to));
                    let copied = region.copy(state.keys[from], state.keys[to]);
                    if state.outcome(copied)?.is_some() {
                        state.values[to] = state.values[from].clone();
                    }
                }
                Op::Host { array, at } => {
                    let array = pick(*array);
                    let key = state.keys[array];
                    let seen = region.update_from(key);
                    if state.outcome(seen)?.is_none() || state.arrays[array].mapping == Mapping::Alloc {
                        continue;
                    }
                    agrees(&format!("host of {array}"), &state.values[array], region.host(key).map_err(fail)?)?;
                    if state.arrays[array].mapping == Mapping::To || state.values[array].is_empty() {
                        continue;
                    }
                    let at = at % state.values[array].len();
                    region.host_mut(key).map_err(fail)?[at] ^= 0x5555;
                    let given = region.update_to(key);
                    if state.outcome(given)?.is_some() {
                        state.values[array][at] = state.values[array][at].map(|x| x ^ 0x5555);
                    }
                }
                Op::Overwrite { array, seed } => {
                    let array = pick(*array);
                    let key = state.keys[array];
                    if !matches!(state.arrays[array].mapping, Mapping::From | Mapping::ToFrom) {
                        continue;
                    }
                    let values = numbers(state.values[array].len(), *seed + 50);
                    region.host_mut(key).map_err(fail)?.copy_from_slice(&values);
                    let given = region.update_to(key);
                    if state.outcome(given)?.is_some() {
                        state.values[array] = values.into_iter().map(Some).collect();
                    }
                }
                Op::Exchange(array) => {
                    let done = region.halo_exchange(state.keys[pick(*array)]);
                    state.outcome(done)?;
                }
                Op::Reduce { array, part, later: is_later } => {
                    let (array, part) = (pick(*array), state.part(*part));
                    if !ok(&state, array) {
                        continue;
                    }
                    let bound = total(&state.arrays[array]).bind().reads(state.keys[array]).halo(0);
                    let expected = state.total(array, part.clone());
                    let reduction = region.parallel_for(part.clone(), bound);
                    if *is_later {
                        let value = reduction.reduce_later(Sum);
                        later.extend(state.outcome(value)?.map(|value| (value, expected)));
                    } else {
                        let value = reduction.reduce::<u64>(Sum);
                        if let (Some(value), Some(expected)) = (state.outcome(value)?, expected) {
                            prop_assert_eq!(value, expected, "sum of {} over {:?}", array, part);
                        }
                    }
                }
                Op::Add { array, part, which } => {
                    let (array, part) = (pick(*array), state.part(*part));
                    if later.is_empty() || !ok(&state, array) || state.arrays[array].full {
                        continue;
                    }
                    let (by, value) = &later[which % later.len()];
                    let bound = update(&state.arrays[array]).bind().scalar(by).updates(state.keys[array]);
                    let ran = region.parallel_for(part.clone(), bound).run();
                    let value = *value;
                    if state.outcome(ran)?.is_some() {
                        let of = state.arrays[array].clone();
                        for row in part.flat_map(|i| of.begin(i)..of.begin(i + 1)) {
                            for c in 0..of.inner {
                                let x = &mut state.values[array][row * of.inner + c];
                                *x = x
                                    .zip(value)
                                    .map(|(x, by)| x.wrapping_mul(5).wrapping_add((row as u64).wrapping_add(by)));
                            }
                        }
                    }
                }
                Op::Wait => region.wait().map_err(fail)?,
            }
        }
        for (value, expected) in later {
            let value = region.value(value).map_err(fail)?;
            prop_assert!(expected.is_none_or(|expected| expected == value), "a later sum");
        }
        if case.rows.is_multiple_of(3) {
            drop(region);
        } else {
            let ended = region.finish();
            state.outcome(ended)?;
        }
    }
    for (index, array) in state.arrays.iter().enumerate() {
        if array.mapping != Mapping::Alloc {
            agrees(&format!("array {index} at the end"), &state.values[index], &memories[index])?;
        }
    }
    Ok(())
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        3 => Just(Way::Plain),
        3 => (1..4usize, 1..4usize, 0..4usize, 0..4usize)
            .prop_map(|(cells, items, offset, more)| Way::Fraction { cells, items, offset, more }),
        2 => (prop::collection::vec(0..4usize, 1..6), 0..3usize, 0..3usize)
            .prop_map(|(lengths, before, more)| Way::Table { lengths, before, more }),
        1 => (0..64usize, 1..3usize, 1..3usize, 0..2usize)
            .prop_map(|(family, cells, items, offset)| Way::With { family, cells, items, offset }),
        1 => (0..3usize).prop_map(Way::Own),
        1 => Just(Way::Full),
    ]
}

fn mapped() -> impl Strategy<Value = Given> {
    let mapping =
        prop::sample::select(vec![Mapping::To, Mapping::ToFrom, Mapping::ToFrom, Mapping::From, Mapping::Alloc]);
    let edge = prop::sample::select(vec![Edge::None, Edge::None, Edge::Periodic, Edge::Reflecting]);
    (way(), mapping, [0..4usize, 0..4usize], edge).prop_map(|(way, mapping, halo, edge)| Given {
        way,
        mapping,
        halo,
        edge,
    })
}

fn op() -> impl Strategy<Value = Op> {
    let any = 0..640usize;
    let part = || [prop_oneof![3 => 0..100usize, 2 => Just(0usize)].boxed(), (0..100usize).boxed()];
    prop_oneof![
        1 => mapped().prop_map(Op::Map),
        6 => (any.clone(), any.clone(), any.clone(), [0..6usize, 0..6usize], part())
            .prop_map(|(to, from, also, reach, part)| Op::Sweep { to, from, also, reach, part }),
        2 => (any.clone(), part()).prop_map(|(array, part)| Op::Update { array, part }),
        3 => (any.clone(), any.clone()).prop_map(|(from, to)| Op::Copy { from, to }),
        1 => (any.clone(), any.clone()).prop_map(|(array, at)| Op::Host { array, at }),
        1 => (any.clone(), any.clone()).prop_map(|(array, seed)| Op::Overwrite { array, seed }),
        1 => any.clone().prop_map(Op::Exchange),
        2 => (any.clone(), part(), prop::bool::ANY)
            .prop_map(|(array, part, later)| Op::Reduce { array, part, later }),
        1 => (any.clone(), part(), any.clone()).prop_map(|(array, part, which)| Op::Add { array, part, which }),
        1 => (any.clone(), any).prop_map(|(to, from)| Op::Many { to, from }),
        1 => Just(Op::Wait),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let kinds = prop::collection::vec(
        prop::sample::select(vec![Kind::Emulated, Kind::Emulated, Kind::Shared, Kind::Host, Kind::Slow]),
        1..5,
    );
    (
        (kinds, prop::option::of(prop::collection::vec(0..4u8, 5)), any::<bool>()),
        (prop_oneof![10 => 1..24usize, 1 => Just(0usize)], 1..4usize, prop::option::weighted(0.2, 1..5usize)),
        (prop::collection::vec(mapped(), 0..6), prop::collection::vec(op(), 1..24)),
    )
        .prop_map(|((kinds, weights, model), (rows, inner, block), (first, ops))| Case {
            kinds,
            weights,
            model,
            rows,
            inner,
            block,
            first,
            ops,
        })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn arrays_of_all_layouts_are_those_of_plain_arrays(case in case()) {
        check(&case)?;
    }
}
