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

/// The writable section of an array that belongs to a chunk: the rows that this chunk owns and nobody else.
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
        "elements {}..{} lie outside of the {what} section {}..{} of this chunk: widen the map (ratio, halo or full), \
         or stay within the chunk's own iterations",
        wanted.start, wanted.end, have.start, have.end
    )
}

macro_rules! shared_methods {
    ($view:ident, $what:literal) => {
        impl<'a, T> $view<'a, T> {
            /// The section as global element indices.
            pub fn section(&self) -> Range<usize> {
                self.first..self.first + self.data.len()
            }

            /// Elements in a row.
            pub fn row_len(&self) -> usize {
                self.row_len
            }

            /// Elements `range` of the whole array.
            ///
            /// # Panics
            /// When they are not all in the section.
            #[inline]
            pub fn slice(&self, range: Range<usize>) -> &[T] {
                match range
                    .start
                    .checked_sub(self.first)
                    .zip(range.end.checked_sub(self.first))
                    .and_then(|(start, end)| self.data.get(start..end))
                {
                    Some(part) => part,
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

    /// The whole section, for as long as the chunk lasts.
    pub fn as_slice(&self) -> &'a [T] {
        self.data
    }
}

impl<'a, T> Out<'a, T> {
    pub(crate) fn new(data: &'a mut [T], first: usize, row_len: usize) -> Self {
        Self { data, first, row_len }
    }

    /// The whole section, for as long as the chunk lasts.
    pub(crate) fn into_slice(self) -> &'a mut [T] {
        self.data
    }

    /// The whole section.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.data
    }

    /// Elements `range` of the whole array, to be written.
    ///
    /// # Panics
    /// When they are not all in the section.
    #[inline]
    pub fn slice_mut(&mut self, range: Range<usize>) -> &mut [T] {
        let have = self.section();
        match range
            .start
            .checked_sub(self.first)
            .zip(range.end.checked_sub(self.first))
            .and_then(|(start, end)| self.data.get_mut(start..end))
        {
            Some(part) => part,
            None => outside("writable", range, have),
        }
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
