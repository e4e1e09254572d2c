//! Results of reductions that may not be there yet, and scalar arguments that may be such results.

use crate::element::{Element, Scalar};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// Receives the result of a loop's reduction. Once nobody owns it any more, no result is kept.
pub(crate) type Answer = OnceLock<Scalar>;

/// A loop of a data region: the region's number, and the loop's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopOf {
    pub(crate) region: u64,
    pub(crate) number: u64,
}

/// The result of a reduction that may not be there yet, of [`RegionLoop::reduce_later`].
///
/// [`DataRegion::value`] waits for it. Later loops of the region take it as a scalar argument; where all devices are CUDA GPUs
/// they mostly begin without the host. `Later::from(1.0)` is a number that is there, to begin with.
///
/// [`RegionLoop::reduce_later`]: crate::region::RegionLoop::reduce_later
/// [`DataRegion::value`]: crate::region::DataRegion::value
#[derive(Debug)]
#[must_use = "the result is had by `DataRegion::value`, or taken by later loops"]
pub struct Later<T> {
    /// The loop that it is the result of; `None` for a number of the caller's.
    pub(crate) of: Option<LoopOf>,
    pub(crate) answer: Arc<Answer>,
    element: PhantomData<fn() -> T>,
}

impl<T> Later<T> {
    pub(crate) fn new(of: LoopOf, answer: Arc<Answer>) -> Self {
        Self { of: Some(of), answer, element: PhantomData }
    }
}

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Self { of: self.of, answer: Arc::clone(&self.answer), element: PhantomData }
    }
}

impl<T: Element> From<T> for Later<T> {
    fn from(value: T) -> Self {
        Self { of: None, answer: Arc::new(OnceLock::from(value.to_scalar())), element: PhantomData }
    }
}

/// A result that a bound kernel takes as a scalar.
#[derive(Clone, Debug)]
pub struct Pending {
    pub(crate) of: LoopOf,
    pub(crate) answer: Arc<Answer>,
}

/// A value that is bound as a scalar: an [`Element`], a `usize`, which is a `u64` to kernels, or the result of an earlier loop of
/// a data region ([`Later`](crate::region::Later)).
pub trait IntoScalar {
    /// The value with its type.
    fn into_scalar(self) -> Scalar;

    /// The loop whose result it is, if it is one that may not be there yet.
    #[doc(hidden)]
    fn pending(&self) -> Option<Pending> {
        None
    }
}

impl<T: Element> IntoScalar for T {
    fn into_scalar(self) -> Scalar {
        self.to_scalar()
    }
}

#[cfg(not(target_pointer_width = "64"))]
impl IntoScalar for usize {
    fn into_scalar(self) -> Scalar {
        Scalar::U64(self as u64)
    }
}

impl<T: Element> IntoScalar for &Later<T> {
    fn into_scalar(self) -> Scalar {
        // A number that is not there yet has the right type, and nobody computes with it.
        self.answer.get().copied().filter(|_| self.of.is_none()).unwrap_or_else(|| T::zeroed().to_scalar())
    }
    fn pending(&self) -> Option<Pending> {
        self.of.map(|of| Pending { of, answer: Arc::clone(&self.answer) })
    }
}

impl<T: Element> IntoScalar for Later<T> {
    fn into_scalar(self) -> Scalar {
        (&self).into_scalar()
    }
    fn pending(&self) -> Option<Pending> {
        (&self).pending()
    }
}

/// What a function made by `#[kernel]` takes for a scalar of type `T`: a `T`, or the result of an earlier loop of the data
/// region, as [`Later<T>`] or `&Later<T>`.
#[diagnostic::on_unimplemented(
    message = "a scalar argument of type `{T}` is a `{T}` or a `Later<{T}>`, not `{Self}`",
    label = "expected `{T}`"
)]
pub trait ScalarArgument<T>: IntoScalar + sealed::Sealed<T> {}

impl<T: Element> ScalarArgument<T> for T {}
impl<T: Element> ScalarArgument<T> for Later<T> {}
impl<T: Element> ScalarArgument<T> for &Later<T> {}

/// An argument as it is bound.
#[derive(Debug)]
pub struct Given<T> {
    /// The number; 0 where it may not be there yet, and nobody computes with it.
    pub value: T,
    pub(crate) pending: Option<Pending>,
}

/// What a generated function was given for a scalar.
pub fn given<T: Element>(argument: impl ScalarArgument<T>) -> Given<T> {
    let pending = argument.pending();
    let value = T::from_scalar(argument.into_scalar());
    Given { value: value.unwrap_or_else(|| unreachable!("of this type by its trait")), pending }
}

pub(super) use sealed::Sealed;

mod sealed {
    use super::Later;
    use crate::element::Element;

    pub trait Sealed<T> {}
    impl<T: Element> Sealed<T> for T {}
    impl<T: Element> Sealed<T> for Later<T> {}
    impl<T: Element> Sealed<T> for &Later<T> {}
}
