//! The index space of a loop, and who is who in it.

use std::fmt;
use std::ops::Range;

/// A half-open range of iterations `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IterRange {
    /// First iteration.
    pub start: u64,
    /// One past the last iteration.
    pub end: u64,
}

impl IterRange {
    /// `start..end`; an inverted range is empty.
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Number of iterations.
    pub const fn len(self) -> u64 {
        self.end - self.start
    }

    /// Whether it has no iteration.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Cuts off and returns the first `count` iterations, or what there is.
    pub fn take_front(&mut self, count: u64) -> Self {
        let cut = self.start + count.min(self.len());
        let front = Self { start: self.start, end: cut };
        self.start = cut;
        front
    }

    /// The same range moved by `offset`.
    pub fn shifted(self, offset: u64) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    /// As indices into memory.
    pub fn indices(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<Range<usize>> for IterRange {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start as u64, range.end as u64)
    }
}

impl From<Range<u64>> for IterRange {
    fn from(range: Range<u64>) -> Self {
        Self::new(range.start, range.end)
    }
}

impl fmt::Display for IterRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A device's place in the machine description, the number that the device specifier takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceId(pub usize);

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A device's place in the ordered device list of one loop: `i = 0..M-1` of the policies' formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub usize);
