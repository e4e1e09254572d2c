//! Names and byte ranges of an array's section, for backends with their own memory.

use crate::data::ArrayMap;
use std::ops::Range;

/// The name of an array in messages.
pub fn called(position: usize, map: &ArrayMap<'_>) -> String {
    match map.name {
        Some(name) => format!("array `{name}` (argument {position})"),
        None => format!("the array in argument {position}"),
    }
}

/// The bytes of rows, from the array's start; `None` where memory cannot hold them.
pub fn byte_range(map: &ArrayMap<'_>, rows: &Range<u64>) -> Option<Range<usize>> {
    let row = map.row_len.saturating_mul(map.element.bytes());
    let start = usize::try_from(rows.start).ok()?.checked_mul(row)?;
    let end = usize::try_from(rows.end).ok()?.checked_mul(row)?;
    // The last row may be short.
    let end = end.min(map.bytes()).min(isize::MAX as usize);
    Some(start.min(end)..end)
}
