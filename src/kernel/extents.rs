//! Derives the maps of a generated kernel from its arguments: what iterations reach of each array.

use crate::data::{Direction, Distribution, Halo};
use crate::kernel::Bound;
use crate::kernel::bound::elements;

/// The elements that an access reaches in iteration `i`: `stride*i + low ..= stride*i + high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// `a.div_euclid(by)` of a positive divisor. To divide 128 bits takes several times as long as 64, and each loop asks for each array.
fn divided(a: i128, by: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(by)) {
        (Ok(a), Ok(by @ 1..)) => a.div_euclid(by).into(),
        _ => a.div_euclid(by),
    }
}

/// As [`rows`], of an array that iterations read before they write it.
pub fn updated_rows<'a>(bound: Bound<'a>, name: &'static str, row: i128, ratio: i128, reached: &[Extent]) -> Bound<'a> {
    let mut bound = rows(bound, name, row, ratio, reached);
    bound.is_read_first();
    bound
}

/// Divides an array by what iterations reach: `ratio` rows of `row` elements per iteration.
pub fn rows<'a>(mut bound: Bound<'a>, name: &'static str, row: i128, ratio: i128, reached: &[Extent]) -> Bound<'a> {
    // Rows without elements, as of a matrix without columns: iterations reach nothing, so any division will do.
    let nothing = row == 0 && reached.iter().all(|extent| extent.low > extent.high);
    let (mut components, mut writes) = (1, false);
    bound.change_last("named", |map| {
        map.name = Some(name);
        // What no iteration writes after all keeps its contents.
        if nothing && map.direction == Direction::From {
            map.direction = Direction::ToFrom;
        }
        (components, writes) = (map.components as i128, map.direction.writes());
    });
    let row = if nothing { 1 } else { row };
    let (Ok(row_len), true) = (usize::try_from(row), row > 0) else {
        let needed = if row > 0 { "no array has so many: check the arguments" } else { "at least 1 is needed" };
        return bound.misused(format!(
            "array `{name}`: its rows follow the loop, and have {} elements with these arguments: {needed}",
            row.div_euclid(components)
        ));
    };
    let own = row.saturating_mul(ratio);
    let count = |rows: i128| u64::try_from(rows.max(0)).unwrap_or(u64::MAX);
    let extents = || reached.iter().filter(|extent| extent.low <= extent.high);
    let low = extents().map(|extent| extent.low).min().unwrap_or(0);
    let high = extents().map(|extent| extent.high).max().unwrap_or(0);
    // Rows that follow the iterations at a distance: the least at which each iteration has all that it reaches.
    let shift = high.saturating_sub(own - 1).max(0).saturating_add(row - 1);
    let shift = divided(shift, row);
    if writes && low < shift.saturating_mul(row) {
        let of = |component: i128| component.div_euclid(components);
        return bound.misused(not_its_own(name, of(row), of(own), (of(low), of(high))));
    }
    bound.change_last("ratio", |map| {
        map.row_len = row_len;
        map.distribution = Distribution::Align { ratio: count(ratio) };
        if writes {
            // In a data region its layout says that.
            map.shift = count(shift);
        } else {
            // Saturating, as arguments may have any value; what is reached is compared with the array later.
            let left = divided(low, row).saturating_neg();
            let right = divided(high, row).saturating_sub(ratio - 1);
            map.halo = Halo { left: count(left), right: count(right) };
        }
    });
    bound.derive(reached);
    bound
}

/// What is wrong where an iteration reaches elements `low` to `high`, counted from its own `own` ones, of an array that the loop
/// writes.
fn not_its_own(name: &str, row: i128, own: i128, (low, high): (i128, i128)) -> String {
    let (reaches, owns) = (elements(own, low, high), elements(own, 0, own - 1));
    let advice = if high.saturating_sub(low) >= own {
        format!(
            "; another iteration owns the others. Check the arguments: what one iteration writes, no other may read or write. \
             Have each write a row of its own, and read across rows: `{name}[i * m + j] = x[j * n + i]`, not \
             `{name}[j * n + i] = x[i * m + j]`"
        )
    } else if low < 0 {
        let before = low.unsigned_abs();
        format!(
            ", or as many after these. Check the arguments; if all lie {before} before these on purpose, write {owns} and count \
             the loop from {before} earlier"
        )
    } else {
        format!(
            ", or as many a whole number of rows of {row} after these. Check the arguments; if all begin at {low} on purpose, \
             write {owns} and pass the array from there on, `&mut {name}[{low}..]`"
        )
    };
    format!("array `{name}`: with these arguments iteration i reaches {reaches}, but owns only {owns}{advice}")
}

/// An array that every device has in full.
pub fn full<'a>(mut bound: Bound<'a>, name: &'static str, reached: &[Extent]) -> Bound<'a> {
    bound.change_last("full", |map| (map.name, map.distribution) = (Some(name), Distribution::Full));
    bound.derive(reached);
    bound
}

/// An array that all iterations contribute to.
pub fn contributed<'a>(mut bound: Bound<'a>, name: &'static str, reached: &[Extent]) -> Bound<'a> {
    bound.change_last("named", |map| map.name = Some(name));
    bound.reaches(reached);
    bound
}

/// An array whose rows the attribute `#[map(..)]` states: `ratio` rows of `row` elements per iteration, and `left` and `right`
/// rows that are read before and after these.
pub fn stated<'a>(
    bound: Bound<'a>,
    name: &'static str,
    (row, ratio): (usize, usize),
    (left, right): (usize, usize),
) -> Bound<'a> {
    let mut bound = bound.named(name).align_rows(row).ratio(ratio).halo_sides(left, right);
    bound.derive(&[]);
    bound
}

/// An array whose rows begin where the numbers of another array say, by the attribute `#[map(..)]`. [`rows_at`] binds these, once
/// they are bound.
pub fn stated_rows_at<'a>(mut bound: Bound<'a>, name: &'static str) -> Bound<'a> {
    bound.change_last("rows_at", |map| {
        (map.name, map.distribution, map.row_len) = (Some(name), Distribution::RowsAt, map.components);
    });
    bound.derive(&[]);
    bound
}

/// The numbers of argument `at` say where the rows of argument `of` begin.
pub fn rows_at(mut bound: Bound<'_>, of: usize, at: usize) -> Bound<'_> {
    bound.set_rows_at(of, at);
    bound
}
