//! Array arguments of functions made by `#[kernel]`: slices, types that hold a slice, and arrays of a data region.

use crate::data::{Direction, Mapped};
use crate::element::Item;
use crate::kernel::Bound;
use std::rc::Rc;
use std::sync::Arc;

/// Restricts a kernel's arrays to types that are known to hold contiguous elements, and to arrays of a region.
pub trait Sealed {}

/// An argument for a parameter `&[T]` of a function with `#[kernel]`: `&[T]`, `&Vec<T>`, `&[T; N]`, `&HostVec<T>`, `&Box<[T]>`
/// and the like; in a [data region](crate::region) a [`Mapped<T>`]. `T` may be `[f32; 3]`, as of points.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of `{T}` that a kernel can read",
    label = "the kernel's parameter is `&[{T}]`",
    note = "pass `&[{T}]`, `&Vec<{T}>`, `&[{T}; N]` or `&HostVec<{T}>`; in a data region `Mapped<{T}>`, which `region.to(..)` \
            and the like give"
)]
#[expect(clippy::len_without_is_empty, reason = "nobody asks whether it is empty")]
pub trait ReadArray<'a, T: Item>: Sealed {
    /// Its number of elements.
    #[doc(hidden)]
    fn len(&self) -> usize;
    /// Binds it as the next argument.
    #[doc(hidden)]
    fn read_by(self, bound: Bound<'a>) -> Bound<'a>;
}

/// An argument for a parameter `&mut [T]` of a function with `#[kernel]`: `&mut [T]`, `&mut Vec<T>`, `&mut [T; N]`,
/// `&mut HostVec<T>`, `&mut Box<[T]>`; in a [data region](crate::region) a [`Mapped<T>`].
///
/// A variable of type `&mut [T]` is moved into the call: `&mut *y` reborrows it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of `{T}` that a kernel can write",
    label = "the kernel's parameter is `&mut [{T}]`",
    note = "pass `&mut [{T}]`, `&mut Vec<{T}>`, `&mut [{T}; N]` or `&mut HostVec<{T}>`; in a data region `Mapped<{T}>`, which \
            `region.tofrom(..)` and the like give"
)]
#[expect(clippy::len_without_is_empty, reason = "nobody asks whether it is empty")]
pub trait WriteArray<'a, T: Item>: Sealed {
    /// Its number of elements.
    #[doc(hidden)]
    fn len(&self) -> usize;
    /// Binds it as the next argument.
    #[doc(hidden)]
    fn written_by(self, direction: Direction, bound: Bound<'a>) -> Bound<'a>;
}

/// A type with contiguous elements in this process's memory.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements of type `{T}` side by side",
    label = "the kernel's parameter is an array of `{T}`"
)]
pub trait Slice<T>: Sealed {
    fn elements(&self) -> &[T];
}

/// A [`Slice`] that can be written.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements of type `{T}` side by side that can be written",
    label = "the kernel's parameter is an array of `{T}`"
)]
pub trait SliceMut<T>: Slice<T> {
    fn elements_mut(&mut self) -> &mut [T];
}

macro_rules! slices {
    ($([$($parameters:tt)*] $type:ty;)*) => {$(
        impl<$($parameters)*> Sealed for $type {}
        impl<$($parameters)*> Slice<T> for $type {
            fn elements(&self) -> &[T] {
                self
            }
        }
        impl<$($parameters)*> SliceMut<T> for $type {
            fn elements_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}
slices! {
    [T] [T];
    [T] Vec<T>;
    [T] Box<[T]>;
    [T, const N: usize] [T; N];
}

macro_rules! shared_slices {
    ($($type:ty),*) => {$(
        impl<T> Sealed for $type {}
        impl<T> Slice<T> for $type {
            fn elements(&self) -> &[T] {
                self
            }
        }
    )*};
}
shared_slices!(Arc<[T]>, Rc<[T]>);

impl<S: ?Sized> Sealed for &S {}
impl<S: ?Sized> Sealed for &mut S {}

impl<T, S: Slice<T> + ?Sized> Slice<T> for &S {
    fn elements(&self) -> &[T] {
        (**self).elements()
    }
}

impl<T, S: Slice<T> + ?Sized> Slice<T> for &mut S {
    fn elements(&self) -> &[T] {
        (**self).elements()
    }
}

impl<T, S: SliceMut<T> + ?Sized> SliceMut<T> for &mut S {
    fn elements_mut(&mut self) -> &mut [T] {
        (**self).elements_mut()
    }
}

impl<'a, T: Item, S: Slice<T> + ?Sized> ReadArray<'a, T> for &'a S {
    fn len(&self) -> usize {
        self.elements().len()
    }
    fn read_by(self, bound: Bound<'a>) -> Bound<'a> {
        bound.to(T::components(Slice::<T>::elements(self))).of_items::<T>()
    }
}

impl<'a, T: Item, S: Slice<T> + ?Sized> ReadArray<'a, T> for &'a mut S {
    fn len(&self) -> usize {
        self.elements().len()
    }
    fn read_by(self, bound: Bound<'a>) -> Bound<'a> {
        bound.to(T::components(Slice::<T>::elements(&*self))).of_items::<T>()
    }
}

impl<'a, T: Item, S: SliceMut<T> + ?Sized> WriteArray<'a, T> for &'a mut S {
    fn len(&self) -> usize {
        self.elements().len()
    }
    fn written_by(self, direction: Direction, bound: Bound<'a>) -> Bound<'a> {
        let components = T::components_mut(SliceMut::<T>::elements_mut(self));
        let bound = match direction {
            Direction::From => bound.from(components),
            _ => bound.tofrom(components),
        };
        bound.of_items::<T>()
    }
}

impl<T> Sealed for Mapped<T> {}

impl<'a, T: Item> ReadArray<'a, T> for Mapped<T> {
    fn len(&self) -> usize {
        Mapped::len(*self)
    }
    fn read_by(self, bound: Bound<'a>) -> Bound<'a> {
        bound.reads(self)
    }
}

impl<'a, T: Item> WriteArray<'a, T> for Mapped<T> {
    fn len(&self) -> usize {
        Mapped::len(*self)
    }
    fn written_by(self, direction: Direction, bound: Bound<'a>) -> Bound<'a> {
        match direction {
            Direction::From => bound.writes(self),
            _ => bound.updates(self),
        }
    }
}
