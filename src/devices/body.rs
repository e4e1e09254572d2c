//! Runs a host body over sections of arrays, wherever these lie.

use crate::element::Scalar;
use crate::kernel::{HostArgument, HostVariant, Reduction};
use crate::space::IterRange;
use std::ops::Range;

/// One argument of a chunk: a scalar, rows to be read, or rows to be written. `first` is the array's number of the first
/// element.
pub(super) enum Section<'m> {
    Scalar(Scalar),
    In { bytes: &'m [u8], first: i64, row_len: usize },
    Out { bytes: &'m mut [u8], first: i64, row_len: usize, row_bytes: usize, rows_per_iteration: u64 },
}

struct Piece<'m> {
    range: Range<usize>,
    arguments: Vec<HostArgument<'m>>,
}

/// Runs `chunk` in about `pieces` pieces, in parallel on the current rayon pool, and combines their partial results in
/// the order of the iterations. Of a loop over rows and columns, `chunk` is the rows.
pub(super) fn run_tile(
    variant: &HostVariant,
    reduction: Option<Reduction>,
    chunk: IterRange,
    columns: Option<IterRange>,
    sections: Vec<Section<'_>>,
    pieces: u64,
) -> Option<Scalar> {
    let pieces = if variant.whole_chunk { 1 } else { pieces.clamp(1, chunk.len().max(1)) };
    let mut list = cut(chunk, sections, pieces);
    run_pieces(variant, reduction, columns.map(IterRange::indices), &mut list)
}

fn run_pieces(
    variant: &HostVariant,
    reduction: Option<Reduction>,
    columns: Option<Range<usize>>,
    pieces: &mut [Piece<'_>],
) -> Option<Scalar> {
    match pieces {
        [] => None,
        [piece] => variant.body.call(piece.range.clone(), columns, &mut piece.arguments),
        _ => {
            let (left, right) = pieces.split_at_mut(pieces.len() / 2);
            let other = columns.clone();
            let (a, b) = rayon::join(
                || run_pieces(variant, reduction, columns, left),
                || run_pieces(variant, reduction, other, right),
            );
            match (a, b, reduction) {
                (Some(a), Some(b), Some(reduction)) => Some(reduction.combine(a, b)),
                (a, b, _) => a.or(b),
            }
        }
    }
}

/// Cuts a chunk into pieces; each has the whole readable sections and its own rows of the written ones.
fn cut(chunk: IterRange, mut sections: Vec<Section<'_>>, pieces: u64) -> Vec<Piece<'_>> {
    let mut list = Vec::with_capacity(pieces as usize);
    let mut rest = chunk;
    for index in 0..pieces {
        let range = rest.take_front(rest.len().div_ceil(pieces - index));
        let arguments = sections
            .iter_mut()
            .map(|section| match section {
                Section::Scalar(scalar) => HostArgument::Scalar(*scalar),
                Section::In { bytes, first, row_len } => {
                    // Below 0 it wraps, as the views' indices do.
                    HostArgument::In { bytes, first: *first as usize, row_len: *row_len }
                }
                Section::Out { bytes, first, row_len, row_bytes, rows_per_iteration } => {
                    let rows = range.len() * *rows_per_iteration;
                    let all = std::mem::take(bytes);
                    let mine = (rows as usize * *row_bytes).min(all.len());
                    let (mine, others) = all.split_at_mut(mine);
                    let start = *first as usize;
                    *bytes = others;
                    *first += rows as i64 * *row_len as i64;
                    HostArgument::Out { bytes: mine, first: start, row_len: *row_len }
                }
            })
            .collect();
        list.push(Piece { range: range.indices(), arguments });
    }
    list
}
