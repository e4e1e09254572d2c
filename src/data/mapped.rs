//! The name of an array of a data region.

use std::fmt;
use std::marker::PhantomData;

/// Which array of which data region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayKey {
    /// The region's number in this process.
    pub region: u64,
    /// The array's place in the region.
    pub index: usize,
}

/// An array of a data region, as the region's loops name it. It can be copied freely, and is valid in its own region only.
pub struct Mapped<T> {
    key: ArrayKey,
    len: usize,
    element: PhantomData<fn() -> T>,
}

impl<T> Mapped<T> {
    pub(crate) const fn new(key: ArrayKey, len: usize) -> Self {
        Self { key, len, element: PhantomData }
    }

    /// The number of its elements, ghost cells not counted.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks whether it is empty")]
    pub const fn len(self) -> usize {
        self.len
    }

    /// The array's region, and its index there.
    pub const fn key(self) -> ArrayKey {
        self.key
    }
}

impl<T> Clone for Mapped<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Mapped<T> {}

impl<T> fmt::Debug for Mapped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mapped").field(&self.key.index).finish()
    }
}
