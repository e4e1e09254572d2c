//! The index space of a loop, and the ids of devices.

use std::fmt;
use std::ops::{Range, RangeInclusive};

/// A half-open range of iterations `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
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
        self.end.saturating_sub(self.start)
    }

    /// Whether it has no iteration.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Cuts off and returns the first `count` iterations, or all if there are fewer.
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

/// A range that a loop can run over: of any integer type, from 0 on, plain literals included.
///
/// ```
/// use apportion::space::{IterRange, Iterations};
/// assert_eq!((0..100).iterations(), Ok(IterRange::new(0, 100)));
/// assert_eq!((1..=9usize).iterations(), Ok(IterRange::new(1, 10)));
/// assert!((-1..9).iterations().is_err());
/// ```
pub trait Iterations {
    /// The range with the runtime's 64-bit bounds.
    ///
    /// # Errors
    /// A one-line text if a bound is below 0 or beyond 2^64 - 1.
    fn iterations(self) -> Result<IterRange, String>;
}

impl Iterations for IterRange {
    fn iterations(self) -> Result<IterRange, String> {
        // The fields are public, so the range may be inverted.
        Ok(Self::new(self.start, self.end))
    }
}

/// Converts a bound of the range `whole`, as the user wrote it.
fn bound<T: TryInto<u64> + Copy + fmt::Display>(bound: T, whole: &dyn fmt::Debug) -> Result<u64, String> {
    bound.try_into().map_err(|_| {
        format!("the loop's range is {whole:?}: iterations are counted from 0 on, so {bound} cannot be a bound of it")
    })
}

macro_rules! iterations {
    ($($integer:ty),*) => {$(
        impl Iterations for Range<$integer> {
            fn iterations(self) -> Result<IterRange, String> {
                Ok(IterRange::new(bound(self.start, &self)?, bound(self.end, &self)?))
            }
        }

        impl Iterations for RangeInclusive<$integer> {
            fn iterations(self) -> Result<IterRange, String> {
                let (first, last) = (bound(*self.start(), &self)?, bound(*self.end(), &self)?);
                if self.is_empty() {
                    return Ok(IterRange::new(first, first));
                }
                let end = last.checked_add(1).ok_or_else(|| format!("the loop's range is {self:?}, which ends too late"))?;
                Ok(IterRange::new(first, end))
            }
        }
    )*};
}

iterations!(i8, u8, i16, u16, i32, u32, i64, u64, isize, usize);

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
