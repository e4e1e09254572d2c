//! Cuts a device's rows into pieces that wait for ghost cells and pieces that need none.

use super::array::Facts;
use super::run::Use;
use crate::data::Halo;
use crate::data::layout::{Ghosts, Part, Sides, bytes_of};
use crate::devices::resident::{Incoming, Piece, Stored};
use crate::devices::{Blocks, body_blocks};
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
        let ratio = placed.chain.ratio();
        // With a ratio that is not whole, one more row may be read.
        let read = |halo: u64| if ratio.is_whole() || halo == 0 { halo } else { halo.saturating_add(1) };
        let iterations = |halo: u64| read(halo).saturating_mul(ratio.items()).div_ceil(ratio.cells());
        rows.left = rows.left.max(iterations(used.halo.left));
        rows.right = rows.right.max(iterations(used.halo.right));
    }
    rows
}

/// The same for columns, on one device that runs `columns`; none if any iteration may read ghosts.
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
        let ratio = placed.chain.ratio();
        let count = |iterations: u64| iterations.saturating_mul(ratio.cells()) / ratio.items();
        // Cells at one end are the ghosts of the neighbour at that end.
        let beside = match (runs, placed.parts.get(slot).zip(columns)) {
            (None, _) => true,
            (Some(runs), Some((part, waits))) => ghost_columns(part, runs)
                .is_some_and(|ghosts| ghosts.is_none_or(|g| waits.left >= g.right && waits.right >= g.left)),
            (Some(_), None) => false,
        };
        !placed.replicated && count(rows.left) >= ghosts.right && count(rows.right) >= ghosts.left && beside
    })
}

/// Up to this many bytes arrive before the host could issue several launches instead of one: a loop that the host waits for is
/// then not cut, and all of it waits for these bytes.
pub(super) const SOON: usize = 256 << 10;

pub(super) fn bytes_of_incoming(incoming: &[Incoming<'_>]) -> usize {
    let copies = |incoming: &Incoming<'_>| match incoming {
        Incoming::Direct { copies, .. } | Incoming::Host { copies, .. } | Incoming::Local { copies, .. } => {
            bytes_of(copies)
        }
    };
    incoming.iter().map(copies).sum()
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
    /// Whether the host waits for the loop.
    pub awaited: bool,
    pub block: Option<Blocks>,
}

/// Cuts iterations that wait from those that do not.
pub(super) fn pieces_of(
    chunks: &[IterRange],
    cut: &Cut<'_>,
    stored: impl Fn(u64) -> SmallVec<[Option<Stored>; 8]>,
) -> SmallVec<[Piece; 3]> {
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
        _ => !(cut.awaited && cut.comes <= SOON),
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
