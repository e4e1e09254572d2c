//! How a device's rows are cut into what waits for ghost cells and what need not.

use super::array::Facts;
use super::run::Use;
use crate::data::Halo;
use crate::data::layout::{Sides, bytes_of};
use crate::devices::resident::{Incoming, Piece, Stored};
use crate::devices::{Blocks, body_blocks};
use crate::space::IterRange;
use smallvec::SmallVec;

/// Iterations at the ends of a device's rows that read ghost rows which are on their way.
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
        // Where rows are cut, one more may be read.
        let read = |halo: u64| if ratio.is_whole() || halo == 0 { halo } else { halo.saturating_add(1) };
        let iterations = |halo: u64| read(halo).saturating_mul(ratio.items()).div_ceil(ratio.cells());
        rows.left = rows.left.max(iterations(used.halo.left));
        rows.right = rows.right.max(iterations(used.halo.right));
    }
    rows
}

/// Whether inner iterations write no rows that other devices have ghosts of.
pub(super) fn are_apart(facts: &[Facts<'_>], uses: &[Option<Use>], waits: &Halo) -> bool {
    uses.iter().flatten().filter(|used| used.direction.writes()).all(|used| {
        let placed = facts[used.array].placed;
        let ghosts = placed.parts.first().map(|part| *part.axes()[0].ghosts()).unwrap_or_default();
        let ratio = placed.chain.ratio();
        let rows = |iterations: u64| iterations.saturating_mul(ratio.cells()) / ratio.items();
        // The rows at one end are the ghosts of who comes next there.
        !placed.replicated && rows(waits.left) >= ghosts.right && rows(waits.right) >= ghosts.left
    })
}

/// What comes is so little that it is there before a device has been asked for several launches instead of one: where
/// somebody waits for the loop, all of it waits for what comes.
pub(super) const SOON: usize = 256 << 10;

pub(super) fn bytes_of_incoming(incoming: &[Incoming<'_>]) -> usize {
    let copies = |incoming: &Incoming<'_>| match incoming {
        Incoming::Direct { copies, .. } | Incoming::Host { copies, .. } | Incoming::Local { copies, .. } => {
            bytes_of(copies)
        }
    };
    incoming.iter().map(copies).sum()
}

/// Cuts what waits from what does not. Where columns come too, everything waits.
pub(super) fn pieces_of(
    chunks: &[IterRange],
    columns: Option<IterRange>,
    waits: &Halo,
    (comes, divides): (bool, bool),
    block: Option<Blocks>,
    stored: impl Fn(u64) -> SmallVec<[Option<Stored>; 8]>,
) -> SmallVec<[Piece; 3]> {
    let mut pieces = SmallVec::new();
    if columns.is_some_and(IterRange::is_empty) {
        return pieces;
    }
    for &chunk in chunks {
        let mut piece = |chunk: IterRange, waits: bool| {
            if !chunk.is_empty() {
                pieces.push(Piece { chunk, columns, waits, stored: stored(chunk.start) });
            }
        };
        if let Some(block) = block {
            // Blocks stay whole: their partial results are to be the same however the rows are split.
            for part in body_blocks(chunk, block) {
                let edge = part.start < chunk.start.saturating_add(waits.left)
                    || part.end.saturating_add(waits.right) > chunk.end;
                piece(part, comes && (edge || columns.is_some()));
            }
        } else if !comes {
            piece(chunk, false);
        } else if columns.is_some() || !divides || chunk.len() <= waits.left.saturating_add(waits.right) {
            piece(chunk, true);
        } else {
            let mut rest = chunk;
            let left = rest.take_front(waits.left);
            let inside = rest.take_front(rest.len() - waits.right);
            piece(left, true);
            piece(inside, false);
            piece(rest, true);
        }
    }
    pieces
}
