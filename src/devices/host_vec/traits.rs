//! What a `Vec` has and a [`HostVec`] of fixed length can have too: copies, conversions, comparisons, iteration.

use super::{HostVec, Region};
use crate::data::RowsAt;
use crate::element::Item;
use crate::error::Result;
use rayon::prelude::*;
use std::borrow::{Borrow, BorrowMut};
use std::fmt;
use std::marker::PhantomData;

/// An array where a trait leaves no room for an error. A `Vec` ends the program there.
fn granted<T>(made: Result<HostVec<T>>) -> HostVec<T> {
    made.unwrap_or_else(|error| panic!("{error}"))
}

/// The copy is page-locked where [`HostVec::zeroed`] would be. `clone_from` of an array of the same length reuses the pages.
///
/// # Panics
/// When the system refuses so much memory. [`HostVec::from_slice`] returns an error instead.
impl<T: Item> Clone for HostVec<T> {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }

    fn clone_from(&mut self, source: &Self) {
        if self.len == source.len { self.copy_in_parallel(source) } else { *self = source.clone() }
    }
}

macro_rules! rows_at {
    ($($number:ty),*) => {$(
        impl<'a> From<&'a HostVec<$number>> for RowsAt<'a> {
            fn from(at: &'a HostVec<$number>) -> Self {
                Self::from(&**at)
            }
        }
    )*};
}

rows_at!(u32, i32, u64, i64);
#[cfg(target_pointer_width = "64")]
rows_at!(usize);

/// No elements.
impl<T> Default for HostVec<T> {
    fn default() -> Self {
        Self { lock: None, region: Region::empty(), len: 0, elements: PhantomData }
    }
}

/// As [`HostVec::from_slice`].
///
/// # Panics
/// When the system refuses so much memory. [`HostVec::from_slice`] returns an error instead.
impl<T: Item> From<&[T]> for HostVec<T> {
    fn from(slice: &[T]) -> Self {
        granted(Self::from_slice(slice))
    }
}

/// A copy, as the memory of a `Vec` is not made for transfers.
///
/// # Panics
/// When the system refuses so much memory. [`HostVec::from_slice`] returns an error instead.
impl<T: Item> From<Vec<T>> for HostVec<T> {
    fn from(vec: Vec<T>) -> Self {
        Self::from(&vec[..])
    }
}

/// A copy.
///
/// # Panics
/// When the system refuses so much memory. [`HostVec::from_slice`] returns an error instead.
impl<T: Item, const N: usize> From<[T; N]> for HostVec<T> {
    fn from(array: [T; N]) -> Self {
        Self::from(&array[..])
    }
}

impl<T: Item> From<HostVec<T>> for Vec<T> {
    fn from(array: HostVec<T>) -> Self {
        array.to_vec()
    }
}

/// Collects into a `Vec` first, as the length is not known before. [`HostVec::from_fn`] needs no second array and computes on
/// all threads.
///
/// # Panics
/// When the system refuses so much memory.
impl<T: Item> FromIterator<T> for HostVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<T>>())
    }
}

impl<'a, T: Item> IntoIterator for &'a HostVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Item> IntoIterator for &'a mut HostVec<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<'a, T: Item> IntoParallelIterator for &'a HostVec<T> {
    type Item = &'a T;
    type Iter = rayon::slice::Iter<'a, T>;
    fn into_par_iter(self) -> Self::Iter {
        (**self).par_iter()
    }
}

impl<'a, T: Item> IntoParallelIterator for &'a mut HostVec<T> {
    type Item = &'a mut T;
    type Iter = rayon::slice::IterMut<'a, T>;
    fn into_par_iter(self) -> Self::Iter {
        (**self).par_iter_mut()
    }
}

impl<T: Item> AsRef<[T]> for HostVec<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: Item> AsMut<[T]> for HostVec<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Item> Borrow<[T]> for HostVec<T> {
    fn borrow(&self) -> &[T] {
        self
    }
}

impl<T: Item> BorrowMut<[T]> for HostVec<T> {
    fn borrow_mut(&mut self) -> &mut [T] {
        self
    }
}

/// Compares elements, as slices do.
impl<T: Item> PartialEq for HostVec<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Item + Eq> Eq for HostVec<T> {}

macro_rules! compared {
    ($([$($parameters:tt)*] $left:ty, $right:ty;)*) => {$(
        impl<T: Item, $($parameters)*> PartialEq<$right> for $left {
            fn eq(&self, other: &$right) -> bool {
                self[..] == other[..]
            }
        }
    )*};
}
compared! {
    [] HostVec<T>, [T];
    [] HostVec<T>, &[T];
    [] HostVec<T>, &mut [T];
    [] HostVec<T>, Vec<T>;
    [const N: usize] HostVec<T>, [T; N];
    [const N: usize] HostVec<T>, &[T; N];
    [] [T], HostVec<T>;
    [] &[T], HostVec<T>;
    [] &mut [T], HostVec<T>;
    [] Vec<T>, HostVec<T>;
    [const N: usize] [T; N], HostVec<T>;
}

/// The elements, as a slice shows them.
impl<T: Item> fmt::Debug for HostVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn a_copy_has_pages_of_its_own() {
        let mut one = HostVec::from([1, 2, 3]);
        let copy = one.clone();
        one[0] = 7;
        assert_eq!((&*one, &*copy), (&[7, 2, 3][..], &[1, 2, 3][..]));
    }

    #[test]
    fn clone_from_keeps_the_pages_where_the_length_is_the_same() {
        let source: HostVec<u32> = (0..5000).collect();
        let mut same = HostVec::zeroed(5000).unwrap();
        let pages = same.as_ptr();
        same.clone_from(&source);
        assert_eq!((same.as_ptr(), &same), (pages, &source));
        let mut shorter = HostVec::filled(3, 1u32).unwrap();
        shorter.clone_from(&source);
        assert_eq!(shorter, source);
    }

    #[test]
    fn elements_come_from_and_go_to_vectors_slices_arrays_and_iterators() {
        let expected = vec![0.5f64, 1.5, 2.5];
        let made = [
            HostVec::from(expected.clone()),
            HostVec::from(&expected[..]),
            HostVec::from([0.5, 1.5, 2.5]),
            (0..3).map(|i| i as f64 + 0.5).collect(),
            HostVec::from_fn(3, |i| i as f64 + 0.5).unwrap(),
        ];
        for array in made {
            assert_eq!(Vec::from(array), expected);
        }
        assert_eq!(HostVec::<u8>::default().len(), 0);
        assert_eq!(HostVec::<i64>::from_iter([]), HostVec::default());
    }

    #[test]
    fn arrays_are_compared_with_all_that_has_elements() {
        let array = HostVec::from([1u8, 2]);
        let (vec, mut other) = (vec![1u8, 2], [1u8, 3]);
        assert_eq!(array, vec);
        assert_eq!(vec, array);
        assert_eq!(array, vec[..]);
        assert_eq!(vec[..], array);
        assert_eq!(array, &vec[..]);
        assert_eq!(&vec[..], array);
        assert_eq!(array, [1, 2]);
        assert_eq!([1, 2], array);
        assert_eq!(array, &[1, 2]);
        assert_ne!(array, other);
        assert_ne!(array, &mut other[..]);
        assert_ne!(&mut other[..], array);
        assert_ne!(array, HostVec::from([1]));
        let nan = HostVec::from([f32::NAN]);
        assert_ne!(nan, nan.clone());
    }

    #[test]
    fn references_are_iterated_as_those_of_a_vector_are() {
        let mut array = HostVec::from([1, 2, 3]);
        for x in &mut array {
            *x *= 2;
        }
        let mut seen = vec![];
        for x in &array {
            seen.push(*x);
        }
        assert_eq!(seen, [2, 4, 6]);
        (&mut array).into_par_iter().for_each(|x| *x += 1);
        assert_eq!((&array).into_par_iter().sum::<i32>(), 15);
    }

    #[test]
    fn it_is_taken_where_something_with_a_slice_is() {
        fn sum(values: impl AsRef<[u64]>) -> u64 {
            values.as_ref().iter().sum()
        }
        fn clear(mut values: impl AsMut<[u64]>) {
            values.as_mut().fill(0);
        }
        let mut array = HostVec::from([1, 2]);
        assert_eq!((sum(&array), [array.clone(), array.clone()].concat()), (3, vec![1, 2, 1, 2]));
        clear(&mut array);
        assert_eq!(sum(array), 0);
    }

    #[test]
    fn it_shows_its_elements_as_a_vector_does() {
        let vec = vec![1.5f32, f32::NAN];
        let array = HostVec::from(&vec[..]);
        assert_eq!((format!("{array:?}"), format!("{array:#.2?}")), (format!("{vec:?}"), format!("{vec:#.2?}")));
    }

    #[test]
    fn a_refusal_where_no_error_can_be_returned_names_the_bytes() {
        let message =
            *catch_unwind(|| granted(HostVec::<f64>::zeroed(1 << 60))).unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains("needs 9223372036854775808 bytes"), "{message}");
    }
}
