//! Cuts a device's rows into pieces that wait for ghost cells and pieces that need none.

use super::array::Facts;
use super::run::Use;
use crate::data::Halo;
use crate::data::layout::{Chain, Edge, Ghosts, Part, Sides, bytes_of};
use crate::devices::resident::{Incoming, Piece, Stored};
use crate::devices::{Blocks, body_blocks};
use crate::kernel::{Kernel, Precision};
use crate::model::DeviceModel;
use crate::space::IterRange;
use smallvec::SmallVec;

/// Iterations at the ends of a device's rows that read incoming ghost rows.
pub(super) fn waiting_rows(facts: &[Facts<'_>], uses: &[Option<Use>], stale: &[(usize, SmallVec<[Sides; 3]>)]) -> Halo {
    let mut rows = Halo::default();
    for used in uses.iter().flatten() {
        let Some((_, sides)) = stale.iter().find(|(array, _)| *array == used.array) else { continue };
        let placed = facts[used.array].placed;
        // Any iteration may read any row of an array that every device has.
        if placed.replicated
            && facts[used.array].plan(sides).is_some_and(|plan| plan.coming.iter().any(|c| !c.is_empty()))
        {
            return Halo { left: u64::MAX, right: u64::MAX };
        }
        rows.left = rows.left.max(reading(&placed.chain, used.halo.left));
        rows.right = rows.right.max(reading(&placed.chain, used.halo.right));
    }
    rows
}

/// Iterations after which a chain repeats itself, and the cells that go with them.
fn period(chain: &Chain) -> Option<(u64, u64)> {
    let items = chain.granule()?;
    let cells = u64::try_from(chain.begin(items).checked_sub(chain.begin(0))?).ok()?;
    (cells > 0).then_some((items, cells))
}

/// Iterations at an end of a range that reach cells past those of the range, if each reads `halo` cells beside its own. In whole
/// periods, as iterations in between may share cells: with one cell for two and then two for one, iteration 1 reads the same as
/// iteration 0.
fn reading(chain: &Chain, halo: u64) -> u64 {
    match period(chain) {
        _ if halo == 0 => 0,
        Some((items, cells)) => halo.div_ceil(cells).saturating_mul(items),
        None => u64::MAX,
    }
}

/// Cells at an end of a range that only this many iterations at that end own; at least so many, in whole periods.
fn owned_by(chain: &Chain, iterations: u64) -> u64 {
    period(chain).map_or(0, |(items, cells)| (iterations / items).saturating_mul(cells))
}

/// Columns at the ends of those that one device runs, `columns`, that read incoming ghosts; none if any iteration may read ghosts.
pub(super) fn waiting_columns(
    facts: &[Facts<'_>],
    uses: &[Option<Use>],
    stale: &[(usize, SmallVec<[Sides; 3]>)],
    (slot, columns): (usize, IterRange),
) -> Option<Halo> {
    let mut waits = Halo::default();
    for used in uses.iter().flatten().filter(|used| stale.iter().any(|(array, _)| *array == used.array)) {
        let part = facts[used.array].placed.parts.get(slot)?;
        if part.axes().iter().skip(2).any(|axis| !axis.ghosts().is_none()) {
            return None;
        }
        let Some(ghosts) = ghost_columns(part, columns)? else { continue };
        // As the kernel's text says, else all ghost columns.
        let read = used.columns.unwrap_or(Halo { left: ghosts.left, right: ghosts.right });
        waits.left = waits.left.max(read.left);
        waits.right = waits.right.max(read.right);
    }
    Some(waits)
}

/// The ghost columns beside those that a device runs, if it has any; outer `None` if it does not own all columns that it runs.
fn ghost_columns(part: &Part, columns: IterRange) -> Option<Option<Ghosts>> {
    let Some(axis) = part.axes().get(1).filter(|axis| !axis.ghosts().is_none()) else { return Some(None) };
    let owned = axis.owned().bounds();
    let same = !axis.owned().is_cyclic() && owned.start <= columns.start && columns.end <= owned.end;
    same.then(|| Some(*axis.ghosts()))
}

/// Whether inner iterations write no cells of which other devices have ghosts.
pub(super) fn are_apart(
    facts: &[Facts<'_>],
    uses: &[Option<Use>],
    (rows, columns): (&Halo, Option<&Halo>),
    (slot, runs): (usize, Option<IterRange>),
) -> bool {
    uses.iter().flatten().filter(|used| used.direction.writes()).all(|used| {
        let placed = facts[used.array].placed;
        let ghosts = placed.parts.first().map(|part| *part.axes()[0].ghosts()).unwrap_or_default();
        let count = |iterations: u64| owned_by(&placed.chain, iterations);
        let beside = match (runs, placed.parts.get(slot).zip(columns)) {
            (None, _) => true,
            (Some(runs), Some((part, waits))) => ghost_columns(part, runs).is_some_and(|ghosts| {
                ghosts.is_none_or(|ghosts| {
                    let [left, right] = ghosts_elsewhere(&ghosts);
                    waits.left >= left && waits.right >= right
                })
            }),
            (Some(_), None) => false,
        };
        let [left, right] = ghosts_elsewhere(&ghosts);
        !placed.replicated && count(rows.left) >= left && count(rows.right) >= right && beside
    })
}

/// So many cells at either end of a device's own may be ghosts of other devices: of the neighbour at that end, and past a reflecting
/// edge of the device at the edge, where that has fewer cells than ghosts.
fn ghosts_elsewhere(ghosts: &Ghosts) -> [u64; 2] {
    let mirrored = |edge: Edge, width: u64| if edge == Edge::Reflecting { width } else { 0 };
    let Ghosts { left, right, left_edge, right_edge } = *ghosts;
    [right.max(mirrored(left_edge, left)), left.max(mirrored(right_edge, right))]
}

/// Up to this many bytes arrive before the host could issue several launches instead of one: a loop that is short, or that the host
/// waits for, is then not cut, and all of it waits for these bytes.
pub(super) const SOON: usize = 256 << 10;

pub(super) fn bytes_of_incoming(incoming: &[Incoming<'_>]) -> usize {
    let copies = |incoming: &Incoming<'_>| match incoming {
        Incoming::Direct { copies, .. } | Incoming::Host { copies, .. } | Incoming::Local { copies, .. } => {
            bytes_of(copies)
        }
    };
    incoming.iter().map(copies).sum()
}

/// Whether a device is through with its part of a loop before it could begin the two launches more that it takes to run ahead the
/// iterations that do not wait. The drivers of several GPUs begin one launch at a time.
pub(super) fn is_short(
    model: &DeviceModel,
    (kernel, iterations): (&Kernel, u64),
    facts: &[Facts<'_>],
    uses: &[Option<Use>],
    slot: usize,
) -> bool {
    let part = |used: &Use| facts[used.array].placed.parts.get(slot).map_or(0, Part::bytes);
    let bytes: usize = uses.iter().flatten().map(part).sum();
    // Nobody knows how long a kernel without a cost takes.
    let Some(cost) = kernel.stated_cost() else { return false };
    let rate = if cost.precision == Precision::F64 { model.f64_rate } else { model.f32_rate };
    // Each byte once: more than that is found in caches.
    let seconds = (bytes as f64 / model.memory_rate.0).max(cost.flops * iterations as f64 / rate.0);
    seconds < 2.0 * model.launch.0
}

/// How a device's iterations are cut.
pub(super) struct Cut<'c> {
    /// Columns of each row, in a loop over rows and columns.
    pub columns: Option<IterRange>,
    /// Rows at both ends that wait.
    pub rows: &'c Halo,
    /// Columns at both ends that wait; none if all wait.
    pub beside: Option<&'c Halo>,
    /// Bytes of incoming copies.
    pub comes: usize,
    /// Whether the loop is over sooner than more launches are begun.
    pub short: bool,
    /// Whether the host waits for the loop.
    pub awaited: bool,
    pub block: Option<Blocks>,
}

/// Cuts iterations that wait from those that do not.
pub(super) fn pieces_of(
    chunks: &[IterRange],
    cut: &Cut<'_>,
    stored: impl Fn(u64) -> SmallVec<[Option<Stored>; 4]>,
) -> SmallVec<[Piece; 1]> {
    let Cut { columns, rows: waits, .. } = *cut;
    let mut pieces = SmallVec::new();
    if columns.is_some_and(IterRange::is_empty) {
        return pieces;
    }
    let comes = cut.comes > 0;
    let some = |waits: &Halo| waits.left.saturating_add(waits.right);
    // With incoming columns, five launches instead of one have to pay.
    let divides = match (columns, cut.beside) {
        (Some(columns), Some(beside)) if some(beside) > 0 => cut.comes > SOON && columns.len() > some(beside),
        (Some(_), None) => false,
        _ => !((cut.awaited || cut.short) && cut.comes <= SOON),
    };
    for &chunk in chunks {
        let mut piece = |chunk: IterRange, columns: Option<IterRange>, waits: bool| {
            if !chunk.is_empty() && !columns.is_some_and(IterRange::is_empty) {
                pieces.push(Piece { chunk, columns, waits, stored: stored(chunk.start) });
            }
        };
        if let Some(block) = cut.block {
            // Blocks stay whole: their partial results must not depend on how the rows are split.
            for part in body_blocks(chunk, block) {
                let edge = part.start < chunk.start.saturating_add(waits.left)
                    || part.end.saturating_add(waits.right) > chunk.end;
                piece(part, columns, comes && (edge || columns.is_some()));
            }
        } else if !comes {
            piece(chunk, columns, false);
        } else if !divides || chunk.len() <= some(waits) {
            piece(chunk, columns, true);
        } else {
            let mut rest = chunk;
            let left = rest.take_front(waits.left);
            let inside = rest.take_front(rest.len() - waits.right);
            piece(left, columns, true);
            match columns.zip(cut.beside) {
                Some((mut rest, beside)) => {
                    let left = rest.take_front(beside.left);
                    let middle = rest.take_front(rest.len() - beside.right);
                    piece(inside, Some(left), true);
                    piece(inside, Some(middle), false);
                    piece(inside, Some(rest), true);
                }
                None => piece(inside, columns, false),
            }
            piece(rest, columns, true);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::layout::{Array, AxisPlan, Owned, Ratio, Split, Step, Topology, ghosts};
    use crate::element::ElementType;
    use crate::kernel::Cost;
    use crate::model::Machine;
    use crate::runtime::region::array::Placed;
    use crate::units::{BytesPerSecond, FlopsPerSecond, Seconds};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn chains() -> impl Strategy<Value = Chain> {
        let step = (1u64..6, 1u64..6, 0u64..5);
        let step = step.prop_map(|(cells, items, offset)| Step::Ratio { ratio: Ratio::new(cells, items), offset });
        prop::collection::vec(step, 0..4).prop_map(|steps| Chain::new(steps).unwrap())
    }

    /// An array with ghost rows on both sides that follows its loop by a chain.
    fn placed(chain: Chain, halo: u64) -> Placed {
        let ghosts = Ghosts { left: halo, right: halo, ..Ghosts::default() };
        let array =
            Array { element: 8, axes: [AxisPlan { extent: 1000, split: Split::Full, ghosts }].into_iter().collect() };
        let parts = array.parts(&Topology::row(1).unwrap()).unwrap();
        Placed { parts, chain: Arc::new(chain), ..Placed::default() }
    }

    fn used(direction: Direction, halo: u64) -> [Option<Use>; 1] {
        let halo = Halo { left: halo, right: halo };
        [Some(Use { array: 0, direction, halo, columns: None, name: None, reduced: false })]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Whatever the chain, iterations between those at the ends read no ghost cells, and write none that others have as
        /// such.
        #[test]
        fn iterations_inside_have_nothing_to_do_with_ghosts(chain in chains(), start in 0u64..40, len in 1u64..60, halo in 0u64..9) {
            let end = start + len;
            let placed = placed(chain.clone(), halo);
            let facts = [Facts { element: ElementType::F64, components: 1, name: None, placed: &placed }];
            let both = SmallVec::from_elem(Sides::BOTH, 1);
            let waits = waiting_rows(&facts, &used(Direction::To, halo), &[(0, both)]);
            let (low, high) = chain.reach(start, end);
            for i in start.saturating_add(waits.left)..end.saturating_sub(waits.right) {
                let (first, last) = chain.reach(i, i + 1);
                prop_assert!(first >= low + halo && last + halo <= high, "{i}: {first}..{last} of {low}..{high}, {waits:?}");
            }
            let (low, high) = (chain.begin(start), chain.begin(end));
            for ends in 0..len {
                let rows = Halo { left: ends, right: ends };
                if !are_apart(&facts, &used(Direction::From, 0), (&rows, None), (0, None)) {
                    continue;
                }
                for i in start + ends..end.saturating_sub(ends) {
                    let (first, last) = (chain.begin(i), chain.begin(i + 1));
                    let apart = first >= low + u128::from(halo) && last + u128::from(halo) <= high;
                    prop_assert!(first == last || apart, "{i}: {first}..{last} of {low}..{high}, {ends} at each end");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Whatever is past the edges, and however few cells the device there has.
        #[test]
        fn no_device_copies_cells_that_iterations_inside_write(
            counts in prop::collection::vec(0u64..7, 1..5), widths in [0u64..5, 0u64..5], waits in [0u64..7, 0u64..7],
            edges in [0usize..3, 0usize..3],
        ) {
            let extent: u64 = counts.iter().sum();
            prop_assume!(extent > 0);
            let edges = edges.map(|edge| [Edge::None, Edge::Periodic, Edge::Reflecting][edge]);
            let [left, right] = widths.map(|width| width.min(extent - 1));
            let of = Ghosts { left, right, left_edge: edges[0], right_edge: edges[1] };
            let ends = counts.iter().scan(0, |end, count| {
                *end += count;
                Some(*end)
            });
            let owned: Vec<Owned> = ends.zip(&counts).map(|(end, count)| Owned::Block(end - count..end)).collect();
            let axis = AxisPlan { extent, split: Split::Over { dimension: 0, owned }, ghosts: of };
            let array = Array { element: 1, axes: [axis].into_iter().collect() };
            let parts = array.parts(&Topology::row(counts.len()).unwrap()).unwrap();
            let placed = Placed { parts, ..Placed::default() };
            let facts = [Facts { element: ElementType::U8, components: 1, name: None, placed: &placed }];
            let rows = Halo { left: waits[0], right: waits[1] };
            if !are_apart(&facts, &used(Direction::From, 0), (&rows, None), (0, None)) {
                return Ok(());
            }
            for transfer in ghosts(&placed.parts, &[Sides::BOTH]).unwrap() {
                let axis = &placed.parts[transfer.from_part].axes()[0];
                let own = axis.owned().bounds();
                let inside = own.start + rows.left..own.end.saturating_sub(rows.right);
                let copied = transfer.copies.iter().flat_map(|copy| copy.from.offset..copy.from.offset + copy.run);
                for cell in copied.filter_map(|at| axis.global(at as u64)).filter(|_| transfer.to_part != transfer.from_part) {
                    prop_assert!(!inside.contains(&cell.cast_unsigned()), "{cell} of {own:?}");
                }
            }
        }
    }

    #[test]
    fn long_loops_are_cut_where_few_cells_come() {
        let waits = Halo { left: 3, right: 4 };
        let pieces = |comes: usize, short: bool, awaited: bool| {
            let beside = Halo::default();
            let cut = Cut { columns: None, rows: &waits, beside: Some(&beside), comes, short, awaited, block: None };
            let pieces = pieces_of(&[IterRange::new(10, 50)], &cut, |_| SmallVec::new());
            pieces.iter().map(|piece| (piece.chunk.start, piece.chunk.end, piece.waits)).collect::<Vec<_>>()
        };
        let cut = vec![(10, 13, true), (13, 46, false), (46, 50, true)];
        assert_eq!(pieces(0, false, false), [(10, 50, false)]);
        for (comes, short, awaited) in [(1, false, false), (SOON + 1, true, false), (SOON + 1, false, true)] {
            assert_eq!(pieces(comes, short, awaited), cut, "{comes} {short} {awaited}");
        }
        for (short, awaited) in [(true, false), (false, true), (true, true)] {
            assert_eq!(pieces(SOON, short, awaited), [(10, 50, true)], "{short} {awaited}");
        }
    }

    #[test]
    fn a_loop_is_short_by_its_bytes_and_its_operations() {
        let placed = placed(Chain::default(), 1);
        let facts = [Facts { element: ElementType::F64, components: 1, name: None, placed: &placed }];
        let machine = Machine::from_json(include_str!("../../../machines/fornax.json")).unwrap();
        let mut model = machine.devices[0].model();
        (model.memory_rate, model.f32_rate, model.launch) = (BytesPerSecond(8000.0), FlopsPerSecond(1e3), Seconds(1.0));
        let short = |model: &DeviceModel, kernel: &Kernel, iterations| {
            is_short(model, (kernel, iterations), &facts, &used(Direction::To, 1), 0)
        };
        let cost = |flops| Kernel::new("k").cost(Cost::per_iteration().flops(flops));
        let (none, some) = (cost(0), cost(10));
        // 1000 cells of 8 bytes take a second, as long as a launch.
        assert!(short(&model, &none, 1000) && short(&model, &some, 100) && !short(&model, &some, 1000));
        // What takes how long nobody knows.
        assert!(!short(&model, &Kernel::new("unknown"), 1));
        model.launch = Seconds(0.4);
        assert!(!short(&model, &none, 1000));
    }

    /// With one cell for two iterations and then two for one, the product of the ratios is 1, but both iterations of a pair read
    /// the cell before the pair's.
    #[test]
    fn a_chain_waits_for_whole_pairs() {
        let step = |cells, items| Step::Ratio { ratio: Ratio::new(cells, items), offset: 0 };
        let placed = placed(Chain::new([step(1, 2), step(2, 1)]).unwrap(), 1);
        let facts = [Facts { element: ElementType::F64, components: 1, name: None, placed: &placed }];
        let stale = [(0, SmallVec::from_elem(Sides::BOTH, 1))];
        assert_eq!(waiting_rows(&facts, &used(Direction::To, 1), &stale), Halo { left: 2, right: 2 });
        let apart = |ends| {
            let rows = Halo { left: ends, right: ends };
            are_apart(&facts, &used(Direction::From, 0), (&rows, None), (0, None))
        };
        assert_eq!([apart(0), apart(1), apart(2)], [false, false, true]);
    }
}
