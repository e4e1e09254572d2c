//! Array sections as a host body sees them: indexed by the array's own (global) index.

use std::ops::{Index, IndexMut, Range};

/// The readable section of an array that belongs to a chunk, its halo rows included.
///
/// `x[i]` is element `i` of the whole array; an index outside of the section panics with both, and the runtime passes
/// that panic on to the caller. For loops that should vectorise take a slice once: [`In::slice`] or [`In::row`].
#[derive(Clone, Copy, Debug)]
pub struct In<'a, T> {
    data: &'a [T],
    first: usize,
    row_len: usize,
}

/// The writable section of an array that belongs to a chunk: the rows that this chunk alone owns.
///
/// For a `from` or `alloc` array the contents are undefined until written.
#[derive(Debug)]
pub struct Out<'a, T> {
    data: &'a mut [T],
    first: usize,
    row_len: usize,
}

#[cold]
#[inline(never)]
fn outside(what: &str, wanted: Range<usize>, have: Range<usize>) -> ! {
    panic!(
        "elements {}..{} lie outside of the {what} section {}..{} of this chunk: stay within the array and the chunk's own \
         iterations, or, where the array has more elements than these, widen the map (ratio, halo or full)",
        wanted.start, wanted.end, have.start, have.end
    )
}

#[cold]
#[inline(never)]
fn outside_rows(wanted: isize, first: usize, elements: usize, row_len: usize) -> ! {
    let row_len = row_len.max(1) as isize;
    let start = first.cast_signed() / row_len;
    panic!(
        "row {wanted} lies outside of the readable rows {start}..{} of this chunk: widen the halo, give the array an edge \
         that has ghost rows, or stay within the chunk's own iterations",
        start + elements as isize / row_len
    )
}

macro_rules! shared_methods {
    ($view:ident, $what:literal) => {
        impl<'a, T> $view<'a, T> {
            /// The section as global element indices.
            pub fn section(&self) -> Range<usize> {
                self.first..self.first.wrapping_add(self.data.len())
            }

            /// Elements in a row.
            pub fn row_len(&self) -> usize {
                self.row_len
            }

            /// Elements `range` of the whole array; of no elements the place does not matter.
            ///
            /// # Panics
            /// When they are not all in the section.
            #[inline]
            pub fn slice(&self, range: Range<usize>) -> &[T] {
                // Wrapping: if ghost rows precede row 0, the first element's index is below 0.
                match self.data.get(range.start.wrapping_sub(self.first)..range.end.wrapping_sub(self.first)) {
                    Some(part) => part,
                    // As of a sparse matrix's row without elements.
                    None if range.is_empty() => &[],
                    None => outside($what, range, self.section()),
                }
            }

            /// Row `row` of the whole array.
            ///
            /// # Panics
            /// When it is not in the section.
            #[inline]
            pub fn row(&self, row: usize) -> &[T] {
                let start = row.wrapping_mul(self.row_len);
                self.slice(start..start.wrapping_add(self.row_len))
            }
        }

        impl<'a, T> $view<'a, T> {
            /// The cells in columns `columns` of row `row` of the whole array, for loops over rows and columns. Ghost rows are
            /// those below 0 and after the last row.
            ///
            /// # Panics
            /// When they are not all in the section.
            #[inline]
            pub fn cells(&self, row: isize, columns: Range<isize>) -> &[T] {
                let start = row.wrapping_mul(self.row_len as isize);
                let at = |column: isize| start.wrapping_add(column) as usize;
                self.slice(at(columns.start)..at(columns.end))
            }
        }

        impl<T> Index<usize> for $view<'_, T> {
            type Output = T;
            #[inline(always)]
            fn index(&self, i: usize) -> &T {
                match self.data.get(i.wrapping_sub(self.first)) {
                    Some(element) => element,
                    None => outside($what, i..i.wrapping_add(1), self.section()),
                }
            }
        }
    };
}
shared_methods!(In, "readable");
shared_methods!(Out, "writable");

impl<'a, T> In<'a, T> {
    pub(crate) fn new(data: &'a [T], first: usize, row_len: usize) -> Self {
        Self { data, first, row_len }
    }

    /// Row `row` of the whole array; rows before 0 and from n on are ghost rows of a periodic or reflecting edge.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline]
    pub fn row_at(&self, row: isize) -> &'a [T] {
        // The first index of a section that begins with a ghost row is below 0, stored wrapped.
        let start = row.cast_unsigned().wrapping_mul(self.row_len).wrapping_sub(self.first);
        match self.data.get(start..start.wrapping_add(self.row_len)) {
            Some(part) => part,
            None => outside_rows(row, self.first, self.data.len(), self.row_len),
        }
    }

    /// The whole section, for as long as the chunk runs.
    pub fn as_slice(&self) -> &'a [T] {
        self.data
    }
}

impl<'a, T> Out<'a, T> {
    pub(crate) fn new(data: &'a mut [T], first: usize, row_len: usize) -> Self {
        Self { data, first, row_len }
    }

    /// The whole section, for as long as the chunk runs.
    pub(crate) fn into_slice(self) -> &'a mut [T] {
        self.data
    }

    /// The whole section.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.data
    }

    /// Elements `range` of the whole array, to be written; of no elements the place does not matter.
    ///
    /// # Panics
    /// When they are not all in the section.
    #[inline]
    pub fn slice_mut(&mut self, range: Range<usize>) -> &mut [T] {
        let have = self.section();
        match self.data.get_mut(range.start.wrapping_sub(self.first)..range.end.wrapping_sub(self.first)) {
            Some(part) => part,
            None if range.is_empty() => &mut [],
            None => outside("writable", range, have),
        }
    }

    /// The cells in columns `columns` of row `row` of the whole array, to be written.
    ///
    /// # Panics
    /// When they are not all in the section.
    #[inline]
    pub fn cells_mut(&mut self, row: isize, columns: Range<isize>) -> &mut [T] {
        let start = row.wrapping_mul(self.row_len as isize);
        let at = |column: isize| start.wrapping_add(column) as usize;
        self.slice_mut(at(columns.start)..at(columns.end))
    }

    /// Row `row` of the whole array, to be written.
    ///
    /// # Panics
    /// When it is not in the section.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let start = row.wrapping_mul(self.row_len);
        self.slice_mut(start..start.wrapping_add(self.row_len))
    }
}

impl<T> IndexMut<usize> for Out<'_, T> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut T {
        let have = self.section();
        match self.data.get_mut(i.wrapping_sub(self.first)) {
            Some(element) => element,
            None => outside("writable", i..i.wrapping_add(1), have),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_signed_number_with_and_without_ghost_rows() {
        let data: Vec<i32> = (0..12).collect();
        let inner = In::new(&data, 4, 2);
        assert_eq!((inner.row_at(2), inner.row_at(7)), (&[0, 1][..], &[10, 11][..]));
        assert_eq!(inner.row_at(3), inner.row(3));
        let ghosts = In::new(&data, 0usize.wrapping_sub(4), 2);
        assert_eq!((ghosts.row_at(-2), ghosts.row_at(-1)), (&[0, 1][..], &[2, 3][..]));
        assert_eq!((ghosts.row_at(0), ghosts.row_at(3)), (&[4, 5][..], &[10, 11][..]));
    }

    #[test]
    fn no_elements_are_everywhere() {
        let mut data = [1, 2];
        assert_eq!(In::new(&data, 4, 1).slice(9..9), [0; 0]);
        assert_eq!(Out::new(&mut data, 4, 1).slice_mut(0..0), [0; 0]);
        assert!(std::panic::catch_unwind(|| In::new(&[1, 2], 4, 1).slice(5..7).len()).is_err());
    }

    #[test]
    fn a_row_that_is_not_there_is_named() {
        let data = [0; 12];
        for (first, wrong, rows) in [
            (4, 1, "2..8"),
            (4, 8, "2..8"),
            (0, -1, "0..6"),
            (0usize.wrapping_sub(4), -3, "-2..4"),
            (0, isize::MAX, "0..6"),
        ] {
            let view = In::new(&data, first, 2);
            let panic = std::panic::catch_unwind(|| view.row_at(wrong).len()).unwrap_err();
            let text = panic.downcast_ref::<String>().unwrap();
            assert!(text.contains(&format!("row {wrong} ")) && text.contains(rows), "{text}");
        }
    }
}
