//! A host array that several devices write at once, each its own span.
//!
//! Outside of `devices/` only this file and `kernel/processor.rs` have `unsafe` blocks. This one turns one exclusive borrow
//! into many, and keeps a list of the spans that are lent out so that no two of them overlap.
#![allow(unsafe_code, reason = "cuts one exclusive borrow into disjoint ones, checked at run time")]

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Mutex, PoisonError};

/// An exclusively borrowed array of bytes, lent out in disjoint spans.
pub struct DisjointMut<'a> {
    start: *mut u8,
    len: usize,
    // One entry per lent span: at most devices x chunks in flight, so a plain list is the fastest.
    lent: Mutex<Vec<Range<usize>>>,
    borrow: PhantomData<&'a mut [u8]>,
}

// SAFETY: it stands for a `&mut [u8]`, which may be sent to another thread.
unsafe impl Send for DisjointMut<'_> {}
// SAFETY: through a shared reference bytes are reached by `lend` alone, which never has two live spans overlap.
unsafe impl Sync for DisjointMut<'_> {}

/// A span that is lent out already, and the span that was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanTaken {
    /// The bytes that were wanted.
    pub wanted: Range<usize>,
    /// The bytes that are lent out, or the whole array where `wanted` does not lie in it.
    pub taken: Range<usize>,
}

impl fmt::Display for SpanTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "bytes {}..{} of a written array are wanted while {}..{} are in use: two chunks would write the same rows",
            self.wanted.start, self.wanted.end, self.taken.start, self.taken.end
        )
    }
}

impl<'a> DisjointMut<'a> {
    /// Takes over the borrow of `bytes`.
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { start: bytes.as_mut_ptr(), len: bytes.len(), lent: Mutex::default(), borrow: PhantomData }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The array's start address, for look-ups only; [`DisjointMut::lend`] gives access to the bytes.
    pub fn start(&self) -> *const u8 {
        self.start
    }

    /// Whether the array has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Lends out `range` until the span is dropped.
    ///
    /// # Errors
    /// When part of `range` is lent out already, or `range` reaches past the end.
    pub fn lend(&self, range: Range<usize>) -> Result<SpanMut<'_>, SpanTaken> {
        if range.start > range.end || range.end > self.len {
            return Err(SpanTaken { wanted: range, taken: 0..self.len });
        }
        let mut lent = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
        if !range.is_empty() {
            if let Some(taken) = lent.iter().find(|out| out.start < range.end && range.start < out.end) {
                return Err(SpanTaken { wanted: range, taken: taken.clone() });
            }
            lent.push(range.clone());
        }
        drop(lent);
        // SAFETY:
        // - `range` lies within the `len` bytes at `start`, which are borrowed exclusively for 'a by `self`;
        // - no other live span overlaps it (checked above under the lock, entered in the list until `drop`);
        // - the span borrows `self`, so it cannot outlive the array.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) };
        Ok(SpanMut { held: Held::Lent { bytes, of: &self.lent }, range })
    }
}

impl fmt::Debug for DisjointMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DisjointMut").field("len", &self.len).finish_non_exhaustive()
    }
}

/// Exclusive access to a span of bytes until this value is dropped.
pub struct SpanMut<'a> {
    held: Held<'a>,
    range: Range<usize>,
}

enum Held<'a> {
    Lent {
        bytes: &'a mut [u8],
        of: &'a Mutex<Vec<Range<usize>>>,
    },
    /// A private buffer in place of an array's bytes, with which it is combined later.
    Own(Vec<u64>),
}

impl SpanMut<'_> {
    /// A private buffer that stands for the array's bytes at `range`. `words` has at least as many bytes.
    pub fn own(words: Vec<u64>, range: Range<usize>) -> Self {
        debug_assert!(words.len() * 8 >= range.len());
        Self { held: Held::Own(words), range }
    }

    /// Takes the private buffer, if the bytes are in one.
    pub fn take_own(&mut self) -> Option<Vec<u64>> {
        match &mut self.held {
            Held::Lent { .. } => None,
            Held::Own(words) => {
                self.range.end = self.range.start;
                Some(std::mem::take(words))
            }
        }
    }

    /// Which bytes of the array these are.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl Deref for SpanMut<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.held {
            Held::Lent { bytes, .. } => bytes,
            Held::Own(words) => &bytemuck::cast_slice(words)[..self.range.len()],
        }
    }
}

impl DerefMut for SpanMut<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.held {
            Held::Lent { bytes, .. } => bytes,
            Held::Own(words) => &mut bytemuck::cast_slice_mut(words)[..self.range.len()],
        }
    }
}

impl Drop for SpanMut<'_> {
    fn drop(&mut self) {
        if let (Held::Lent { of, .. }, false) = (&self.held, self.range.is_empty()) {
            let mut lent = of.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(mine) = lent.iter().position(|out| *out == self.range) {
                lent.swap_remove(mine);
            }
        }
    }
}

impl fmt::Debug for SpanMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SpanMut").field(&self.range).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_are_refused_until_the_first_is_back() {
        let mut bytes = [0u8; 100];
        let array = DisjointMut::new(&mut bytes);
        let mut first = array.lend(10..20).unwrap();
        let second = array.lend(20..30).unwrap();
        for wanted in [10..20, 0..11, 19..20, 0..100, 15..25] {
            assert!(array.lend(wanted.clone()).is_err(), "{wanted:?}");
        }
        first.fill(7);
        drop(first);
        assert_eq!(array.lend(10..20).unwrap()[0], 7);
        drop(second);
        assert_eq!(array.lend(0..100).unwrap().len(), 100);
        assert_eq!(bytes[15], 7);
    }

    #[test]
    fn what_is_in_no_array_is_nobody_elses() {
        let mut bytes = [1u8; 16];
        let array = DisjointMut::new(&mut bytes);
        let _all = array.lend(0..16).unwrap();
        let mut own = SpanMut::own(vec![0; 2], 0..12);
        own.fill(9);
        assert_eq!((own.len(), own.range()), (12, 0..12));
        assert_eq!(own.take_own().map(|words| words[0]), Some(0x0909_0909_0909_0909));
        assert!(own.is_empty());
    }

    #[test]
    fn spans_past_the_end_are_refused_and_empty_ones_never_collide() {
        let mut bytes = [0u8; 10];
        let array = DisjointMut::new(&mut bytes);
        assert!(array.lend(5..11).is_err());
        let all = array.lend(0..10).unwrap();
        assert!(array.lend(4..4).is_ok());
        drop(all);
        assert_eq!(array.lend(0..10).unwrap().range(), 0..10);
    }
}
