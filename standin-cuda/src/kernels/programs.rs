//! The loops of random programs over data regions: several rows per iteration, in arrays described by packed numbers.

use super::Run;
use crate::codes::Outcome;
use std::ops::Range;

/// Rows per iteration, rows before the first, elements per row, rows, and whether there are cells past the edges.
struct Rows {
    ratio: i64,
    offset: i64,
    inner: i64,
    rows: i64,
    goes_on: bool,
}

impl Rows {
    fn of(run: &mut Run) -> Self {
        let packed = run.long();
        let byte = |shift: i64| packed >> shift & 0xff;
        let (ratio, offset, inner) = (byte(0), byte(8), byte(16));
        Self { ratio, offset, inner, rows: packed >> 24 & 0xffff, goes_on: packed >> 40 != 0 }
    }

    /// The rows of some iterations.
    fn within(&self, iterations: Range<i64>) -> Range<i64> {
        self.offset + self.ratio * iterations.start..self.offset + self.ratio * iterations.end
    }
}

/// Each element of `to`'s rows from those of `from`'s rows and `reach` rows on either side, plus the table's value for its
/// column.
pub fn sweep_rows(run: &mut Run) -> Outcome {
    let (lo, hi) = (run.long(), run.long());
    let (to, from, reach) = (Rows::of(run), Rows::of(run), run.long());
    let (table, x, y) = (run.array::<u64>(), run.array::<u64>(), run.array::<u64>());
    for i in lo..hi {
        let mine = from.within(i..i + 1);
        let beside = mine.start - (reach & 255)..mine.end + (reach >> 8);
        for (row, column) in to.within(i..i + 1).flat_map(|row| (0..to.inner).map(move |column| (row, column))) {
            let mut sum = row.cast_unsigned() + 1;
            for other in beside.clone().filter(|other| from.goes_on || (0..from.rows).contains(other)) {
                let value = run.get(&x, other * to.inner + column)?;
                sum = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(value) ^ (sum >> 29);
            }
            let value = sum.wrapping_add(run.get(&table, column)?);
            run.set(&y, row * to.inner + column, value)?;
        }
    }
    Ok(())
}

/// `x = 5 x + row`
pub fn update_rows(run: &mut Run) -> Outcome {
    let (lo, hi, of) = (run.long(), run.long(), Rows::of(run));
    let x = run.array::<u64>();
    for (row, column) in of.within(lo..hi).flat_map(|row| (0..of.inner).map(move |column| (row, column))) {
        let value = run.get(&x, row * of.inner + column)?.wrapping_mul(5).wrapping_add(row.cast_unsigned());
        run.set(&x, row * of.inner + column, value)?;
    }
    Ok(())
}

/// The sum of the rows' weighted values, in block 0's partial result; the other blocks write zeros.
pub fn total_rows(run: &mut Run) -> Outcome {
    let (lo, hi, of) = (run.long(), run.long(), Rows::of(run));
    let (x, partial) = (run.array::<u64>(), run.partials::<u64>());
    let mut total = 0u64;
    for row in of.within(lo..hi) {
        let mut weighed = row.cast_unsigned();
        for column in 0..of.inner {
            weighed = weighed.wrapping_mul(31).wrapping_add(run.get(&x, row * of.inner + column)?);
        }
        total = total.wrapping_add(weighed);
    }
    for block in 0..run.blocks {
        run.set(&partial, block, if block == 0 { total } else { 0 })?;
    }
    Ok(())
}

/// Counts how often each remainder of an element by 5 occurs.
pub fn count_rows(run: &mut Run) -> Outcome {
    let (lo, hi, of) = (run.long(), run.long(), Rows::of(run));
    let (x, bins) = (run.array::<u64>(), run.array::<u64>());
    let rows = of.within(lo..hi);
    for at in rows.start * of.inner..rows.end * of.inner {
        let bin = (run.get(&x, at)? % 5).cast_signed();
        let count = run.get(&bins, bin)?.wrapping_add(1);
        run.set(&bins, bin, count)?;
    }
    Ok(())
}
