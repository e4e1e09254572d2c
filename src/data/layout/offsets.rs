//! Cells that follow items by a table, as the elements of a sparse matrix follow its rows.

use crate::data::RowsAt;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Where the cells of each item begin: item `x` has the cells from number `x` up to number `x + 1`. A copy of the caller's numbers.
#[derive(Clone)]
pub struct Offsets {
    at: Arc<[u64]>,
    /// The first place whose number is less than the one before it, or than 0.
    wrong: Option<usize>,
    /// The most cells of an item.
    longest: u64,
}

impl Offsets {
    /// Copies the numbers. Wrong ones are found where an array is laid out by them.
    pub fn new(at: RowsAt<'_>) -> Self {
        let mut wrong = None;
        let mut last = 0;
        let number = |place: usize| {
            match at.number(place).filter(|&number| number >= last) {
                Some(number) => last = number,
                None => _ = wrong.get_or_insert(place),
            }
            last
        };
        let at: Arc<[u64]> = (0..at.numbers()).map(number).collect();
        let longest = at.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        Self { at, wrong, longest }
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.at.len().saturating_sub(1) as u64
    }

    /// All cells of all items.
    pub fn cells(&self) -> Range<u64> {
        self.at.first().copied().unwrap_or(0)..self.at.last().copied().unwrap_or(0)
    }

    /// The most cells of an item.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// What is wrong with the numbers, for an array of so many cells.
    pub(crate) fn check(&self, extent: u64) -> Result<(), String> {
        let last = self.cells().end;
        match (self.at.len(), self.wrong) {
            (0, _) => Err("`.rows_at(..)` has no numbers: it takes one more than there are iterations".to_owned()),
            (_, Some(0)) => Err("`.rows_at(..)` begins below 0: rows are counted from 0".to_owned()),
            (_, Some(place)) => Err(format!(
                "number {place} of `.rows_at(..)` is less than the one before it: the rows of iteration {} would end before they \
                 begin",
                place - 1
            )),
            _ if last > extent => Err(format!(
                "`.rows_at(..)` ends at row {last}, but there are {extent}: the last number is at most the number of rows"
            )),
            _ => Ok(()),
        }
    }

    /// The first cell of an item. Items past the last one begin where that ends.
    pub(super) fn begin(&self, item: u128) -> u64 {
        let last = self.at.len().saturating_sub(1);
        self.at.get(usize::try_from(item).map_or(last, |item| item.min(last))).copied().unwrap_or(0)
    }

    /// The last item whose cells begin at `cell` or before; 0 for cells before those of item 0.
    pub(super) fn item(&self, cell: u128) -> u64 {
        self.at.partition_point(|&begin| u128::from(begin) <= cell).saturating_sub(1) as u64
    }
}

impl PartialEq for Offsets {
    fn eq(&self, other: &Self) -> bool {
        self.wrong == other.wrong && (Arc::ptr_eq(&self.at, &other.at) || self.at == other.at)
    }
}

impl Eq for Offsets {}

impl std::hash::Hash for Offsets {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.items(), self.cells()).hash(state);
    }
}

impl fmt::Debug for Offsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offsets").field("items", &self.items()).field("cells", &self.cells()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_numbers_is_said() {
        for (numbers, extent, says) in [
            (&[][..], 0, "no numbers"),
            (&[-1, 2][..], 5, "below 0"),
            (&[0, 4, 3, 6][..], 6, "number 2"),
            (&[0, 4, -3][..], 6, "iteration 1"),
            (&[0, 4, 7][..], 6, "ends at row 7, but there are 6"),
        ] {
            let why = Offsets::new(numbers.into()).check(extent).unwrap_err();
            assert!(why.contains(says), "{numbers:?}: {why}");
        }
        Offsets::new((&[0, 0, 4]).into()).check(4).unwrap();
        assert_ne!(Offsets::new((&[0, 4, 3]).into()), Offsets::new((&[0, 4, 4]).into()));
    }
}
