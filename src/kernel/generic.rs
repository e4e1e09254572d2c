//! Support for `#[kernel]` functions with type parameters. Their front passes a value of type `T` to the instance for `U`,
//! where `T` and `U` are the same type; Rust's type system cannot express that.

use crate::data::Direction;
use crate::element::{Element, Item, Scalar};
use crate::kernel::arrays::Sealed;
use crate::kernel::later::Sealed as SealedScalar;
use crate::kernel::{Bound, IntoScalar, Pending, ReadArray, ScalarArgument, WriteArray};
use std::marker::PhantomData;

/// An array of `T`, accepted where an array of the same type under another name is.
#[derive(Debug)]
pub struct SameArray<T, A>(A, PhantomData<T>);

/// Wraps an array in a [`SameArray`].
pub fn same_array<T: Item, A>(array: A) -> SameArray<T, A> {
    SameArray(array, PhantomData)
}

fn is_same<T: Item, U: Item>() -> bool {
    (<T::Component as Element>::TYPE, T::COMPONENTS) == (<U::Component as Element>::TYPE, U::COMPONENTS)
}

impl<T, A> Sealed for SameArray<T, A> {}

impl<'a, T: Item, U: Item, A: ReadArray<'a, T>> ReadArray<'a, U> for SameArray<T, A> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn read_by(self, bound: Bound<'a>) -> Bound<'a> {
        debug_assert!(is_same::<T, U>());
        self.0.read_by(bound)
    }
}

impl<'a, T: Item, U: Item, A: WriteArray<'a, T>> WriteArray<'a, U> for SameArray<T, A> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn written_by(self, direction: Direction, bound: Bound<'a>) -> Bound<'a> {
        debug_assert!(is_same::<T, U>());
        self.0.written_by(direction, bound)
    }
}

/// A scalar argument of type `T`, accepted where one of the same type under another name is.
#[derive(Debug)]
pub struct SameScalar<T, A>(A, PhantomData<T>);

/// Wraps a scalar argument in a [`SameScalar`].
pub fn same_scalar<T: Element, A: ScalarArgument<T>>(argument: A) -> SameScalar<T, A> {
    SameScalar(argument, PhantomData)
}

impl<T: Element, A: ScalarArgument<T>> IntoScalar for SameScalar<T, A> {
    fn into_scalar(self) -> Scalar {
        self.0.into_scalar()
    }
    fn pending(&self) -> Option<Pending> {
        self.0.pending()
    }
}

impl<T: Element, U: Element, A: ScalarArgument<T>> SealedScalar<U> for SameScalar<T, A> {}
impl<T: Element, U: Element, A: ScalarArgument<T>> ScalarArgument<U> for SameScalar<T, A> {}

/// Converts a value to the same type under another name.
#[inline(always)]
pub fn same<T: Element, U: Element>(value: T) -> U {
    debug_assert_eq!(T::TYPE, U::TYPE);
    bytemuck::cast(value)
}

/// As [`same`], for an array of known length.
#[inline(always)]
pub fn same_values<T: Element, U: Element, const N: usize>(values: [T; N]) -> [U; N] {
    values.map(same)
}
