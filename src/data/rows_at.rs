//! Rows of different lengths: where those of each iteration begin.

use crate::element::ElementType;

/// Where the rows of iterations begin: iteration `i` has rows `at[i] .. at[i + 1]`, as the row pointers of a matrix in compressed
/// rows (CSR) say which of its elements are of row `i`. From a slice, a `Vec` or a `HostVec` of `u32`, `i32`, `u64`, `i64` or
/// `usize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsAt<'a> {
    #[doc(hidden)]
    U32(&'a [u32]),
    #[doc(hidden)]
    I32(&'a [i32]),
    #[doc(hidden)]
    U64(&'a [u64]),
    #[doc(hidden)]
    I64(&'a [i64]),
}

impl<'a> RowsAt<'a> {
    /// The numbers of an array of this type; none if its elements are no such numbers.
    pub(crate) fn of(element: ElementType, bytes: &'a [u8]) -> Option<Self> {
        Some(match element {
            ElementType::U32 => Self::U32(bytemuck::try_cast_slice(bytes).ok()?),
            ElementType::I32 => Self::I32(bytemuck::try_cast_slice(bytes).ok()?),
            ElementType::U64 => Self::U64(bytemuck::try_cast_slice(bytes).ok()?),
            ElementType::I64 => Self::I64(bytemuck::try_cast_slice(bytes).ok()?),
            ElementType::I8
            | ElementType::U8
            | ElementType::I16
            | ElementType::U16
            | ElementType::F32
            | ElementType::F64 => return None,
        })
    }

    /// How many numbers there are: one more than iterations.
    pub const fn numbers(self) -> usize {
        match self {
            Self::U32(at) => at.len(),
            Self::I32(at) => at.len(),
            Self::U64(at) => at.len(),
            Self::I64(at) => at.len(),
        }
    }

    /// Whether these are the same numbers in memory.
    pub(crate) fn is(self, other: Self) -> bool {
        let place = |at: Self| match at {
            Self::U32(at) => (at.as_ptr().addr(), size_of_val(at)),
            Self::I32(at) => (at.as_ptr().addr(), size_of_val(at)),
            Self::U64(at) => (at.as_ptr().addr(), size_of_val(at)),
            Self::I64(at) => (at.as_ptr().addr(), size_of_val(at)),
        };
        std::mem::discriminant(&self) == std::mem::discriminant(&other) && place(self) == place(other)
    }

    /// Number `place`; none if there is none, or if it is below 0.
    pub fn number(self, place: usize) -> Option<u64> {
        match self {
            Self::U32(at) => at.get(place).map(|&row| row.into()),
            Self::I32(at) => u64::try_from(*at.get(place)?).ok(),
            Self::U64(at) => at.get(place).copied(),
            Self::I64(at) => u64::try_from(*at.get(place)?).ok(),
        }
    }

    /// The first row of an iteration. Iterations after the last one begin where that ends.
    pub fn begin(self, iteration: u64) -> u64 {
        let last = self.numbers().saturating_sub(1);
        self.number(usize::try_from(iteration).map_or(last, |place| place.min(last))).unwrap_or(0)
    }
}

macro_rules! from_numbers {
    ($($number:ty => $kind:ident),*) => {$(
        impl<'a> From<&'a [$number]> for RowsAt<'a> {
            fn from(at: &'a [$number]) -> Self {
                Self::$kind(bytemuck::cast_slice(at))
            }
        }
        impl<'a> From<&'a Vec<$number>> for RowsAt<'a> {
            fn from(at: &'a Vec<$number>) -> Self {
                at.as_slice().into()
            }
        }
        impl<'a, const N: usize> From<&'a [$number; N]> for RowsAt<'a> {
            fn from(at: &'a [$number; N]) -> Self {
                at.as_slice().into()
            }
        }
    )*};
}

from_numbers!(u32 => U32, i32 => I32, u64 => U64, i64 => I64);
#[cfg(target_pointer_width = "64")]
from_numbers!(usize => U64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_after_the_last_begin_where_it_ends() {
        let numbers = [3i32, 3, 7, -1];
        let at = RowsAt::from(&numbers[..3]);
        assert_eq!([0, 1, 2, 3, u64::MAX].map(|i| at.begin(i)), [3, 3, 7, 7, 7]);
        assert_eq!(RowsAt::from(&numbers).number(3), None);
        assert_eq!(RowsAt::from(&[0u64; 0]).begin(4), 0);
    }

    #[test]
    fn arrays_of_other_types_have_no_rows() {
        let words = [1u64, 5];
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        assert_eq!(RowsAt::of(ElementType::U64, bytes), Some(RowsAt::U64(&words)));
        assert_eq!(RowsAt::of(ElementType::F64, bytes), None);
        assert_eq!(RowsAt::from(&[1usize, 5]), RowsAt::U64(&words));
    }
}
