//! The sections of a chunk, from which each piece takes its own when it begins.
//!
//! One thread would take as long as a short chunk to make all pieces' sections beforehand: it would write cache lines that all
//! others have read in the last chunk (7 to 10 µs for 60 pieces, results/h200-sooner-2026-11-26).
#![allow(unsafe_code, reason = "pieces write to rows of one array at the same time, each to its own")]

use super::body::Section;
use crate::data::RowsOf;
use crate::element::Scalar;
use crate::kernel::Reduction;
use crate::space::IterRange;
use smallvec::SmallVec;
use std::marker::PhantomData;

/// The sections of a chunk.
pub(super) struct Parts<'m> {
    chunk: IterRange,
    list: SmallVec<[Part<'m>; 4]>,
    /// Copies of the arrays to which iterations contribute, `wholes` of them for each group.
    copies: Vec<Lent<'m>>,
    wholes: usize,
}

enum Part<'m> {
    Scalar(Scalar),
    In {
        bytes: &'m [u8],
        first: i64,
        row_len: usize,
    },
    Out {
        bytes: Lent<'m>,
        first: i64,
        row_len: usize,
        row_bytes: usize,
        rows: RowsOf<'m>,
    },
    /// The copy of this number in each group.
    Reduced {
        copy: usize,
        len: usize,
        first: i64,
        row_len: usize,
        reduction: Reduction,
    },
}

/// Bytes that are borrowed as a whole, and given out in parts.
struct Lent<'m> {
    start: *mut u8,
    len: usize,
    borrowed: PhantomData<&'m mut [u8]>,
}

// SAFETY: it stands for a `&mut [u8]`, which other threads may use. Through a shared `Lent` they only reach its bytes by `part`,
// whose callers answer for it.
unsafe impl Send for Lent<'_> {}
// SAFETY: as above.
unsafe impl Sync for Lent<'_> {}

impl<'m> Lent<'m> {
    fn new(bytes: &'m mut [u8]) -> Self {
        Self { start: bytes.as_mut_ptr(), len: bytes.len(), borrowed: PhantomData }
    }

    /// The bytes from `start` to `end`, as far as there are any.
    ///
    /// # Safety
    /// No two parts that are in use at the same time may have a byte in common.
    #[expect(clippy::mut_from_ref, reason = "the caller answers for it")]
    unsafe fn part(&self, start: usize, end: usize) -> &mut [u8] {
        let start = start.min(self.len);
        let end = end.clamp(start, self.len);
        // SAFETY: `start <= end <= len` are within the borrowed bytes, which nobody else uses as long as `self` lives; the caller
        // uses no byte twice.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(start), end - start) }
    }
}

impl<'m> Parts<'m> {
    /// `sections` are those of the whole `chunk`. `copies` are the copies of the arrays to which iterations contribute, for the
    /// first group in the order of the arguments, then for the second, and so on. Each has at least the array's bytes.
    pub fn new(chunk: IterRange, sections: Vec<Section<'m>>, lens: &[usize], copies: &'m mut [Vec<u64>]) -> Self {
        let mut copy = 0..;
        let part = |section| match section {
            Section::Scalar(scalar) => Part::Scalar(scalar),
            Section::In { bytes, first, row_len } => Part::In { bytes, first, row_len },
            Section::Out { bytes, first, row_len, row_bytes, rows } => {
                Part::Out { bytes: Lent::new(bytes), first, row_len, row_bytes, rows }
            }
            Section::Reduced { first, row_len, reduction, .. } => {
                let copy = copy.next().unwrap_or_default();
                Part::Reduced { copy, len: lens.get(copy).copied().unwrap_or(0), first, row_len, reduction }
            }
        };
        let list = sections.into_iter().map(part).collect();
        let copies = copies.iter_mut().map(|words| Lent::new(bytemuck::cast_slice_mut(words))).collect();
        Self { chunk, list, copies, wholes: lens.len() }
    }

    /// The sections of some of the chunk's iterations, which are of this group: all of what they read, their own rows of what they
    /// write, and the group's copies.
    ///
    /// # Safety
    /// The ranges of sections that are in use at the same time must be parts of the chunk that do not overlap, nor may they be of
    /// one group.
    pub unsafe fn of<'s>(&'s self, range: IterRange, group: usize) -> SmallVec<[Section<'s>; 4]> {
        debug_assert!(self.chunk.start <= range.start && range.end <= self.chunk.end, "{range:?} of {:?}", self.chunk);
        let section = |part: &'s Part<'m>| match *part {
            Part::Scalar(scalar) => Section::Scalar(scalar),
            Part::In { bytes, first, row_len } => Section::In { bytes, first, row_len },
            Part::Out { ref bytes, first, row_len, row_bytes, rows } => {
                let before = rows.count(IterRange::new(self.chunk.start, range.start));
                let to = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(row_bytes);
                let ends = before.saturating_add(rows.count(range));
                // SAFETY: rows belong to one iteration each, and those of later iterations follow, so ranges that do not overlap
                // have no row in common.
                let bytes = unsafe { bytes.part(to(before), to(ends)) };
                let first = first + before as i64 * row_len as i64;
                Section::Out { bytes, first, row_len, row_bytes, rows }
            }
            Part::Reduced { copy, len, first, row_len, reduction } => {
                // SAFETY: the caller uses the sections of one group one after the other.
                let bytes = self.copies.get(group * self.wholes + copy).map(|copy| unsafe { copy.part(0, len) });
                Section::Reduced { bytes: bytes.unwrap_or_default(), first, row_len, reduction }
            }
        };
        self.list.iter().map(section).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::{Chain, Ratio, Step};
    use crate::element::ElementType;
    use crate::kernel::Reduce;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_piece_has_its_own_rows_and_all_have_all(
            start in 0..1000_u64, lens in prop::collection::vec(0..9_u64, 1..9), each in 1..4_u64, row_len in 1..4_usize,
            missing in 0..5_usize,
        ) {
            let chunk = IterRange::new(start, start + lens.iter().sum::<u64>());
            let row_bytes = 4 * row_len;
            // A chunk at the end of an array may own less than its iterations' rows.
            let bytes = ((chunk.len() * each) as usize * row_bytes).saturating_sub(missing * row_bytes);
            let (read, mut written) = (vec![7_u8; 12], vec![0_u8; bytes]);
            let first = (start * each) as i64 * row_len as i64;
            let out = Section::Out { bytes: &mut written, first, row_len, row_bytes, rows: RowsOf::Each(each) };
            let reduction = Reduction { operator: Reduce::Sum, element: ElementType::U64 };
            let whole = Section::Reduced { bytes: &mut [], first: 0, row_len: 1, reduction };
            let sections = vec![Section::Scalar(Scalar::U8(3)), out, whole, Section::In { bytes: &read, first: 5, row_len: 3 }];
            let mut copies: Vec<Vec<u64>> = lens.iter().map(|_| vec![0; 3]).collect();
            let parts = Parts::new(chunk, sections, &[16], &mut copies);
            let mut rest = chunk;
            let mut at = first;
            for (group, len) in lens.iter().enumerate() {
                // SAFETY: the ranges follow one another, each of a group of its own.
                let sections = unsafe { parts.of(rest.take_front(*len), group) };
                let [Section::Scalar(Scalar::U8(3)), Section::Out { bytes, first, .. }, Section::Reduced { bytes: copy, .. }, Section::In { bytes: all, first: 5, row_len: 3 }] =
                    sections.into_inner().ok().unwrap()
                else {
                    panic!("other sections")
                };
                prop_assert_eq!((first, all, copy.len()), (at, &read[..], 16));
                at += (len * each) as i64 * row_len as i64;
                bytes.iter_mut().for_each(|byte| *byte += 1);
                copy.fill(group as u8 + 1);
            }
            drop(parts);
            prop_assert!(written.iter().all(|byte| *byte == 1));
            for (group, copy) in copies.iter().enumerate() {
                let bytes: &[u8] = bytemuck::cast_slice(copy);
                let (used, rest) = bytes.split_at(16);
                prop_assert!(used.iter().all(|byte| *byte == group as u8 + 1) && rest.iter().all(|byte| *byte == 0));
            }
        }

        /// An iteration may own several rows there, and the next one none.
        #[test]
        fn each_piece_has_the_rows_that_a_chain_gives_its_iterations(
            steps in prop::collection::vec((1..6_u64, 1..6_u64, 0..5_u64), 1..4), start in 0..1000_u64,
            lens in prop::collection::vec(0..9_u64, 1..9), row_len in 1..4_usize,
        ) {
            let step = |(cells, items, offset)| Step::Ratio { ratio: Ratio::new(cells, items), offset };
            let chain = Chain::new(steps.into_iter().map(step)).unwrap();
            let chunk = IterRange::new(start, start + lens.iter().sum::<u64>());
            let rows = chain.begin(chunk.start) as u64..chain.begin(chunk.end) as u64;
            let mut written = vec![0_u8; (rows.end - rows.start) as usize * row_len];
            let first = rows.start as i64 * row_len as i64;
            let out = Section::Out { bytes: &mut written, first, row_len, row_bytes: row_len, rows: RowsOf::Chain(&chain) };
            let parts = Parts::new(chunk, vec![out], &[], &mut []);
            let (mut rest, mut pieces) = (chunk, Vec::new());
            for (group, len) in lens.iter().enumerate() {
                pieces.push(rest.take_front(*len));
                // SAFETY: the ranges follow one another.
                let sections = unsafe { parts.of(pieces[group], group) };
                let Some(Section::Out { bytes, first, .. }) = sections.into_iter().next() else { panic!("other sections") };
                // The elements' indices in the array say which iteration they go with.
                for (index, byte) in (first as u64..).zip(bytes) {
                    let owner = chain.item(index / row_len as u64);
                    prop_assert!((pieces[group].start..pieces[group].end).contains(&owner), "{index} is of {owner}");
                    *byte += group as u8 + 1;
                }
            }
            drop(parts);
            for (index, byte) in (first as u64..).zip(written) {
                let owner = chain.item(index / row_len as u64);
                let piece = pieces.iter().position(|piece| (piece.start..piece.end).contains(&owner));
                prop_assert_eq!(piece.map(|group| group as u8 + 1), Some(byte));
            }
        }
    }
}
