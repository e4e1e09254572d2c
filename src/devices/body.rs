//! Runs a host body over sections of arrays, wherever these lie.

use crate::data::RowsOf;
use crate::devices::Work;
use crate::element::Scalar;
use crate::kernel::{HostArgument, HostVariant, Reduction};
use crate::space::IterRange;
use std::ops::Range;

/// One argument of a chunk: a scalar, rows to be read, or rows to be written. `first` is the array's number of the first
/// element.
pub(super) enum Section<'m> {
    Scalar(Scalar),
    In {
        bytes: &'m [u8],
        first: i64,
        row_len: usize,
    },
    Out {
        bytes: &'m mut [u8],
        first: i64,
        row_len: usize,
        row_bytes: usize,
        rows: RowsOf<'m>,
    },
    /// All of an array, to which each iteration contributes anywhere.
    Reduced {
        bytes: &'m mut [u8],
        row_len: usize,
        reduction: Reduction,
    },
}

/// How iterations contribute to an argument as a whole, if they do.
pub(super) fn reduced(work: &Work<'_>, position: usize) -> Option<Reduction> {
    work.array_reductions.iter().find(|(of, _)| *of == position).map(|(_, reduction)| *reduction)
}

struct Piece<'m> {
    range: Range<usize>,
    arguments: Vec<HostArgument<'m>>,
}

/// What a chunk came to.
#[derive(Default)]
pub(super) struct Ran {
    /// Its part of the reduction.
    pub partial: Option<Scalar>,
    /// The same of each block, where those were asked for.
    pub blocks: Vec<(IterRange, Scalar)>,
    /// What was contributed to whole arrays, by argument.
    pub contributed: Vec<(usize, Vec<u64>)>,
}

/// How a chunk is run.
#[derive(Clone, Copy)]
pub(super) struct Cutting {
    /// In about so many pieces at once.
    pub pieces: u64,
    /// Or in pieces of so many iterations, counted from iteration 0.
    pub block: Option<u64>,
    /// Columns of a loop over rows and columns.
    pub columns: Option<IterRange>,
}

/// Runs `chunk` in pieces, in parallel on the current rayon pool, and combines their partial results in the order of the
/// iterations. Of a loop over rows and columns, `chunk` is the rows.
pub(super) fn run(
    variant: &HostVariant,
    reduction: Option<Reduction>,
    chunk: IterRange,
    mut sections: Vec<Section<'_>>,
    cutting: Cutting,
) -> Ran {
    let columns = cutting.columns.map(IterRange::indices);
    let mut pieces = if variant.whole_chunk { 1 } else { cutting.pieces.clamp(1, chunk.len().max(1)) };
    // What is contributed to as a whole, each piece has for itself.
    let mut wholes = Vec::new();
    for (position, section) in sections.iter_mut().enumerate() {
        if let Section::Reduced { bytes, reduction, .. } = section {
            wholes.push((position, std::mem::take(bytes), *reduction));
        }
    }
    if !wholes.is_empty() {
        // A copy for each thread is enough.
        pieces = pieces.min(rayon::current_num_threads() as u64);
    }
    let ranges = match cutting.block.filter(|_| reduction.is_some() && !variant.whole_chunk) {
        Some(block) => blocks(chunk, block),
        None => even(chunk, pieces),
    };
    let mut copies: Vec<Vec<u64>> =
        ranges.iter().flat_map(|_| &wholes).map(|(_, bytes, reduction)| identities(*reduction, bytes.len())).collect();
    let mut list = cut(&ranges, sections, &wholes, &mut copies);
    let ran = if cutting.block.is_some() && reduction.is_some() {
        let blocks = run_blocks(variant, &ranges, columns, &mut list);
        Ran { blocks, ..Ran::default() }
    } else {
        Ran { partial: run_pieces(variant, reduction, columns, &mut list), ..Ran::default() }
    };
    drop(list);
    let count = wholes.len();
    for (index, copy) in copies.iter().enumerate() {
        let (_, bytes, reduction) = &mut wholes[index % count];
        merge(*reduction, bytes, bytemuck::cast_slice(copy));
    }
    ran
}

/// Words that hold a reduction's identity, as many as `bytes` need.
pub(crate) fn identities(reduction: Reduction, bytes: usize) -> Vec<u64> {
    let mut words = vec![0u64; bytes.div_ceil(8)];
    let identity = reduction.identity().to_bytes();
    let size = reduction.element.bytes();
    for place in bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes].chunks_exact_mut(size) {
        place.copy_from_slice(&identity[..size]);
    }
    words
}

/// Combines `more` into `into`, element by element.
pub(crate) fn merge(reduction: Reduction, into: &mut [u8], more: &[u8]) {
    let size = reduction.element.bytes();
    for (a, b) in into.chunks_exact_mut(size).zip(more.chunks_exact(size)) {
        let (x, y) = (Scalar::from_bytes(reduction.element, a), Scalar::from_bytes(reduction.element, b));
        a.copy_from_slice(&reduction.combine(x, y).to_bytes()[..size]);
    }
}

/// About equal ranges, in order.
fn even(chunk: IterRange, pieces: u64) -> Vec<IterRange> {
    let mut rest = chunk;
    (0..pieces).map(|index| rest.take_front(rest.len().div_ceil(pieces - index))).collect()
}

/// The parts of `chunk` that lie in blocks of `block` iterations, counted from 0.
pub(crate) fn blocks(chunk: IterRange, block: u64) -> Vec<IterRange> {
    let block = block.max(1);
    let mut rest = chunk;
    let mut list = Vec::new();
    while !rest.is_empty() {
        list.push(rest.take_front(block - rest.start % block));
    }
    list
}

/// Runs all pieces in parallel; gives the partial result of each.
fn run_blocks(
    variant: &HostVariant,
    ranges: &[IterRange],
    columns: Option<Range<usize>>,
    pieces: &mut [Piece<'_>],
) -> Vec<(IterRange, Scalar)> {
    match (ranges, pieces) {
        ([range], [piece]) => {
            let partial = variant.body.call(piece.range.clone(), columns, &mut piece.arguments);
            partial.map(|partial| (*range, partial)).into_iter().collect()
        }
        (ranges, pieces) if ranges.len() > 1 && pieces.len() == ranges.len() => {
            let middle = ranges.len() / 2;
            let ((a, b), (left, right)) = (ranges.split_at(middle), pieces.split_at_mut(middle));
            let other = columns.clone();
            let (mut first, mut second) =
                rayon::join(|| run_blocks(variant, a, columns, left), || run_blocks(variant, b, other, right));
            first.append(&mut second);
            first
        }
        _ => Vec::new(),
    }
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

/// Cuts a chunk into pieces; each has the whole readable sections, its own rows of the written ones, and a copy of its own of
/// what is contributed to.
fn cut<'m>(
    ranges: &[IterRange],
    mut sections: Vec<Section<'m>>,
    wholes: &[(usize, &mut [u8], Reduction)],
    copies: &'m mut [Vec<u64>],
) -> Vec<Piece<'m>> {
    let mut list = Vec::with_capacity(ranges.len());
    let mut copies = copies.iter_mut();
    for range in ranges {
        let arguments = sections
            .iter_mut()
            .enumerate()
            .map(|(position, section)| match section {
                Section::Scalar(scalar) => HostArgument::Scalar(*scalar),
                Section::In { bytes, first, row_len } => {
                    // Below 0 it wraps, as the views' indices do.
                    HostArgument::In { bytes, first: *first as usize, row_len: *row_len }
                }
                Section::Out { bytes, first, row_len, row_bytes, rows } => {
                    let rows = rows.count(*range);
                    let all = std::mem::take(bytes);
                    let mine = (rows as usize * *row_bytes).min(all.len());
                    let (mine, others) = all.split_at_mut(mine);
                    let start = *first as usize;
                    *bytes = others;
                    *first += rows as i64 * *row_len as i64;
                    HostArgument::Out { bytes: mine, first: start, row_len: *row_len }
                }
                Section::Reduced { row_len, .. } => {
                    let len = wholes.iter().find(|(of, ..)| *of == position).map_or(0, |(_, bytes, _)| bytes.len());
                    let copy: &mut [u8] = copies.next().map(|copy| bytemuck::cast_slice_mut(copy)).unwrap_or_default();
                    let len = len.min(copy.len());
                    HostArgument::Out { bytes: &mut copy[..len], first: 0, row_len: *row_len }
                }
            })
            .collect();
        list.push(Piece { range: range.indices(), arguments });
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_from_iteration_0() {
        let list = |from, to, block| blocks(IterRange::new(from, to), block);
        let ranges = |pairs: &[(u64, u64)]| pairs.iter().map(|&(a, b)| IterRange::new(a, b)).collect::<Vec<_>>();
        assert_eq!(list(1, 10, 4), ranges(&[(1, 4), (4, 8), (8, 10)]));
        assert_eq!(list(4, 8, 4), ranges(&[(4, 8)]));
        assert_eq!(list(5, 5, 4), ranges(&[]));
        assert_eq!(list(5, 7, 0), ranges(&[(5, 6), (6, 7)]));
    }
}
