//! How much work a region's rows are where tables give them rows of different lengths, and where rows are split by it.

use super::DataRegion;
use super::array::RegionArray;
use super::balance::{in_blocks, row_of};
use crate::data::layout::{Chain, Division};
use crate::model::split::even;
use crate::runtime::Member;
use crate::runtime::uneven::LEAST;
use crate::sched::{ByWork, Work};
use crate::space::IterRange;
use std::sync::Arc;

/// Bytes of the arrays that follow a region's rows, by row.
pub(super) struct RowWork {
    arrays: Vec<Cells>,
    /// Of each row besides.
    each: u64,
    rows: u64,
}

struct Cells {
    chain: Arc<Chain>,
    extent: u64,
    bytes: u64,
}

impl Work for RowWork {
    fn before(&self, row: u64) -> u64 {
        let of = |cells: &Cells| {
            let before = u64::try_from(cells.chain.begin(row)).unwrap_or(u64::MAX).min(cells.extent);
            before.saturating_mul(cells.bytes)
        };
        self.arrays.iter().fold(row.saturating_mul(self.each), |sum, cells| sum.saturating_add(of(cells)))
    }
}

impl RowWork {
    fn by(&self, granule: u64) -> ByWork<'_> {
        ByWork::new(self, IterRange::new(0, self.rows), granule)
    }

    /// Bytes of a row in the mean.
    pub fn mean(&self) -> u64 {
        self.before(self.rows).saturating_sub(self.before(0)) / self.rows.max(1)
    }

    /// Some rows, as those of mean work.
    pub fn places(&self, rows: IterRange) -> IterRange {
        let by = self.by(1);
        let place = |row: u64| by.places(IterRange::new(0, row.min(self.rows)));
        IterRange::new(place(rows.start), place(rows.end))
    }

    /// So many rows one after the other, as those of mean work.
    pub fn places_of(&self, counts: &[u64]) -> Vec<u64> {
        let mut start = 0;
        let of = |count: &u64| {
            let rows = IterRange::new(start, start + count);
            start = rows.end;
            self.places(rows).len()
        };
        counts.iter().map(of).collect()
    }
}

/// Turns each device's rows of mean work into rows, which end at multiples of `granule`.
pub(super) fn cut(work: Option<&RowWork>, counts: &[u64], granule: u64) -> Vec<u64> {
    let Some(work) = work else { return in_blocks(counts, granule) };
    let by = work.by(granule);
    let (mut place, mut given) = (0, 0);
    let count = |count: &u64| {
        place += count;
        let end = by.iteration(place);
        end - std::mem::replace(&mut given, end)
    };
    counts.iter().map(count).collect()
}

impl<'r> DataRegion<'r, '_> {
    /// By the arrays that are mapped so far. None if rows are alike, or if arrays with divisions of their own say who has which.
    pub(super) fn row_work(&self, members: &[&'r Member], rows: u64) -> Option<RowWork> {
        let kept = |array: &&RegionArray<'_>| array.refused.is_none();
        let by_table = |array: &RegionArray<'_>| {
            let division = array.layout.dims.first().and_then(|rows| rows.division.as_ref());
            matches!(division, Some(Division::RowsAt { .. }))
        };
        let arrays = || self.arrays.iter().filter(kept);
        if !arrays().any(by_table) || arrays().any(|array| array.layout.has_own_division()) {
            return None;
        }
        let counts = even(rows, members.len());
        let wanted = |index: usize| self.arrays[index].refused.is_none() && self.check_size(index).is_ok();
        // What is impossible is reported where arrays are placed.
        let placed = self.parts(&row_of(members.to_vec(), counts.clone()).ok()?, &counts, wanted).ok()?;
        let mut work = RowWork { arrays: Vec::new(), each: LEAST, rows };
        for (array, placed) in self.arrays.iter().zip(placed) {
            let layout = array.layout.resolved(1);
            let (Some(first), true) = (layout.dims.first(), placed.over_rows && !placed.replicated) else { continue };
            if placed.parts.is_empty() {
                continue;
            }
            let across = layout.dims[1..].iter().fold(1u64, |cells, of| cells.saturating_mul(of.extent));
            let bytes = across.saturating_mul(array.element.bytes() as u64);
            if !placed.chain.has_table() {
                work.each = 0;
            }
            work.arrays.push(Cells { chain: placed.chain, extent: first.extent, bytes });
        }
        work.arrays.iter().any(|cells| cells.chain.has_table()).then_some(work)
    }
}
