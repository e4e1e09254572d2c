//! Derives the maps of a generated kernel from its arguments: what iterations reach of each array.

use crate::kernel::Bound;
use crate::kernel::bound::elements;

/// The elements that an access reaches in iteration `i`: `stride*i + low ..= stride*i + high`.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Elements from one iteration to the next.
    pub stride: i128,
    /// The first one, relative to `stride*i`.
    pub low: i128,
    /// The last one, relative to `stride*i`; below `low` if none is reached.
    pub high: i128,
    /// Whether every iteration makes the access.
    pub certain: bool,
}

impl Extent {
    /// The extent inside loops of these lengths: if one of them has no turns, nothing is reached.
    #[must_use]
    pub fn of_loops(self, lengths: &[i128]) -> Self {
        if lengths.iter().all(|&length| length > 0) { self } else { Self { low: 0, high: -1, ..self } }
    }
}

/// Divides an array by what iterations reach: `ratio` rows of `row` elements per iteration.
pub fn rows<'a>(bound: Bound<'a>, name: &'static str, row: i128, ratio: i128, reached: &[Extent]) -> Bound<'a> {
    let bound = bound.named(name);
    let (Ok(row_len), true) = (usize::try_from(row), row > 0) else {
        return bound.misused(format!(
            "array `{name}`: its rows follow the loop, and have {row} elements: at least 1 is needed"
        ));
    };
    let own = row.saturating_mul(ratio);
    let (mut left, mut right) = (0, 0);
    let writes = bound.last_array().is_some_and(|map| map.direction.writes());
    for extent in reached.iter().filter(|extent| extent.low <= extent.high) {
        if writes && (extent.low < 0 || extent.high >= own) {
            return bound.misused(format!(
                "array `{name}`: with these arguments iteration i reaches {}, but owns only {}; another iteration owns the \
                 others. Check the arguments; if each writes a later one, count the loop from there, or pass the array from \
                 there on, `&mut y[k..]`",
                elements(own, extent.low, extent.high),
                elements(own, 0, own - 1)
            ));
        }
        left = left.max((-extent.low).div_euclid(row) + i128::from((-extent.low).rem_euclid(row) != 0));
        right = right.max(extent.high.div_euclid(row) - (ratio - 1));
    }
    let count = |rows: i128| usize::try_from(rows.max(0)).unwrap_or(usize::MAX);
    bound.align_rows(row_len).ratio(count(ratio)).halo_sides(count(left), count(right)).reaching(reached).derived()
}

/// An array that every device has in full.
pub fn full<'a>(bound: Bound<'a>, name: &'static str, reached: &[Extent]) -> Bound<'a> {
    bound.named(name).full().reaching(reached).derived()
}

/// An array that all iterations contribute to.
pub fn contributed<'a>(bound: Bound<'a>, name: &'static str, reached: &[Extent]) -> Bound<'a> {
    bound.named(name).reaching(reached)
}

/// An array whose rows the attribute `#[map(..)]` states: `ratio` rows of `row` elements per iteration, and `left` and `right`
/// rows that are read before and after these.
pub fn stated<'a>(
    bound: Bound<'a>,
    name: &'static str,
    (row, ratio): (usize, usize),
    (left, right): (usize, usize),
) -> Bound<'a> {
    bound.named(name).align_rows(row).ratio(ratio).halo_sides(left, right).derived()
}
