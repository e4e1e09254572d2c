//! Host bodies: plain Rust closures over a range of iterations and one view per array.
//!
//! The closure's parameter types say what it expects, and are compared with what is bound before anything runs:
//!
//! ```
//! use apportion::kernel::{In, Kernel, Out};
//! use std::ops::Range;
//! let axpy = Kernel::new("axpy").host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| {
//!     for (y, x) in y.slice_mut(range.clone()).iter_mut().zip(x.slice(range)) {
//!         *y += a * x;
//!     }
//! });
//! ```

use crate::element::{Element, ElementType, Scalar};
use crate::kernel::view::{In, Out};
use std::fmt;
use std::ops::Range;

/// Type of a host body's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A scalar, by value.
    Scalar(ElementType),
    /// An array to be read: [`In`].
    In(ElementType),
    /// An array to be written: [`Out`].
    Out(ElementType),
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(element) => write!(f, "{element}"),
            Self::In(element) => write!(f, "In<{element}>"),
            Self::Out(element) => write!(f, "Out<{element}>"),
        }
    }
}

/// One argument of one call of a host body; `first` is the global index of the first element of the section.
pub enum HostArgument<'a> {
    /// A scalar.
    Scalar(Scalar),
    /// A section to be read, as bytes aligned for its elements.
    In {
        /// The section's bytes.
        bytes: &'a [u8],
        /// Global index of its first element.
        first: usize,
        /// Elements in a row.
        row_len: usize,
    },
    /// A section to be written, as bytes aligned for its elements.
    Out {
        /// The section's bytes.
        bytes: &'a mut [u8],
        /// Global index of its first element.
        first: usize,
        /// Elements in a row.
        row_len: usize,
    },
}

/// A type that a host body may have as a parameter: an [`Element`], a `usize`, [`In`] or [`Out`].
pub trait Parameter {
    /// The parameter with the lifetime of one call.
    type View<'a>;
    /// Its type.
    const TYPE: ParameterType;
    /// The view of an argument of type `TYPE`.
    fn view<'a>(argument: &'a mut HostArgument<'_>) -> Self::View<'a>;
}

// The types of all arguments are compared with the parameters before a loop starts (`Kernel::check_host`).
const CHECKED: &str = "argument types are compared with the parameters before the loop starts";

impl<T: Element> Parameter for T {
    type View<'a> = T;
    const TYPE: ParameterType = ParameterType::Scalar(T::TYPE);
    fn view(argument: &mut HostArgument<'_>) -> T {
        match argument {
            HostArgument::Scalar(scalar) => T::from_scalar(*scalar).expect(CHECKED),
            _ => unreachable!("{CHECKED}"),
        }
    }
}

/// A `usize` is bound as a `u64`: see [`Bound::scalar`](super::Bound::scalar). One of 64 bits is an [`Element`].
#[cfg(not(target_pointer_width = "64"))]
impl Parameter for usize {
    type View<'a> = Self;
    const TYPE: ParameterType = ParameterType::Scalar(ElementType::U64);
    fn view(argument: &mut HostArgument<'_>) -> Self {
        usize::try_from(u64::view(argument)).unwrap_or(Self::MAX)
    }
}

impl<T: Element> Parameter for In<'_, T> {
    type View<'a> = In<'a, T>;
    const TYPE: ParameterType = ParameterType::In(T::TYPE);
    fn view<'a>(argument: &'a mut HostArgument<'_>) -> In<'a, T> {
        match argument {
            HostArgument::In { bytes, first, row_len } => In::new(bytemuck::cast_slice(bytes), *first, *row_len),
            _ => unreachable!("{CHECKED}"),
        }
    }
}

impl<T: Element> Parameter for Out<'_, T> {
    type View<'a> = Out<'a, T>;
    const TYPE: ParameterType = ParameterType::Out(T::TYPE);
    fn view<'a>(argument: &'a mut HostArgument<'_>) -> Out<'a, T> {
        match argument {
            HostArgument::Out { bytes, first, row_len } => Out::new(bytemuck::cast_slice_mut(bytes), *first, *row_len),
            _ => unreachable!("{CHECKED}"),
        }
    }
}

/// What a host body returns: nothing, or this call's part of a reduction.
pub trait BodyResult {
    /// The element type of the reduction, if there is one.
    const REDUCES: Option<ElementType>;
    /// The partial result.
    fn into_partial(self) -> Option<Scalar>;
}

impl BodyResult for () {
    const REDUCES: Option<ElementType> = None;
    fn into_partial(self) -> Option<Scalar> {
        None
    }
}

impl<T: Element> BodyResult for T {
    const REDUCES: Option<ElementType> = Some(T::TYPE);
    fn into_partial(self) -> Option<Scalar> {
        Some(self.to_scalar())
    }
}

/// A closure usable as a host body; implemented for closures of a range and up to ten [`Parameter`]s.
///
/// `Marker` only lets the compiler tell closures of different signatures apart.
pub trait HostBody<Marker>: Send + Sync + 'static {
    /// The parameters after the range.
    const PARAMETERS: &'static [ParameterType];
    /// The reduction's element type.
    const REDUCES: Option<ElementType>;
    /// Runs iterations `range`.
    fn call(&self, range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar>;
}

/// A closure usable as the host body of a loop over rows and columns: of two ranges and up to ten [`Parameter`]s.
pub trait TileBody<Marker>: Send + Sync + 'static {
    /// The parameters after the ranges.
    const PARAMETERS: &'static [ParameterType];
    /// The reduction's element type.
    const REDUCES: Option<ElementType>;
    /// Runs iterations `rows` times `columns`.
    fn call(&self, rows: Range<usize>, columns: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar>;
}

macro_rules! host_body {
    ($($P:ident $p:ident),*) => {
        impl<Func, R, $($P),*> TileBody<fn($($P),*) -> R> for Func
        where
            Func: Send + Sync + 'static,
            R: BodyResult,
            $($P: Parameter,)*
            for<'a> &'a Func: Fn(Range<usize>, Range<usize> $(, $P)*) -> R
                + Fn(Range<usize>, Range<usize> $(, $P::View<'a>)*) -> R,
        {
            const PARAMETERS: &'static [ParameterType] = &[$($P::TYPE),*];
            const REDUCES: Option<ElementType> = R::REDUCES;
            #[allow(clippy::too_many_arguments, non_snake_case)]
            fn call(
                &self,
                rows: Range<usize>,
                columns: Range<usize>,
                arguments: &mut [HostArgument<'_>],
            ) -> Option<Scalar> {
                fn run<R, $($P),*>(
                    body: impl Fn(Range<usize>, Range<usize> $(, $P)*) -> R,
                    rows: Range<usize>,
                    columns: Range<usize>
                    $(, $p: $P)*
                ) -> R {
                    body(rows, columns $(, $p)*)
                }
                let [$($p),*] = arguments else { unreachable!("{CHECKED}") };
                run(self, rows, columns $(, $P::view($p))*).into_partial()
            }
        }

        impl<Func, R, $($P),*> HostBody<fn($($P),*) -> R> for Func
        where
            Func: Send + Sync + 'static,
            R: BodyResult,
            $($P: Parameter,)*
            // Twice: the first bound lets the closure's own types be inferred, the second says that it takes any lifetime.
            for<'a> &'a Func: Fn(Range<usize> $(, $P)*) -> R + Fn(Range<usize> $(, $P::View<'a>)*) -> R,
        {
            const PARAMETERS: &'static [ParameterType] = &[$($P::TYPE),*];
            const REDUCES: Option<ElementType> = R::REDUCES;
            #[allow(clippy::too_many_arguments, non_snake_case)]
            fn call(&self, range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
                fn run<R, $($P),*>(
                    body: impl Fn(Range<usize> $(, $P)*) -> R, range: Range<usize> $(, $p: $P)*
                ) -> R {
                    body(range $(, $p)*)
                }
                let [$($p),*] = arguments else { unreachable!("{CHECKED}") };
                run(self, range $(, $P::view($p))*).into_partial()
            }
        }
    };
}
host_body!();
host_body!(A a);
host_body!(A a, B b);
host_body!(A a, B b, C c);
host_body!(A a, B b, C c, D d);
host_body!(A a, B b, C c, D d, E e);
host_body!(A a, B b, C c, D d, E e, F f);
host_body!(A a, B b, C c, D d, E e, F f, G g);
host_body!(A a, B b, C c, D d, E e, F f, G g, H h);
host_body!(A a, B b, C c, D d, E e, F f, G g, H h, I i);
host_body!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);

/// A host body without its closure's type.
pub trait AnyHostBody: Send + Sync {
    /// The parameters after the range.
    fn parameters(&self) -> &'static [ParameterType];
    /// The reduction's element type.
    fn reduces(&self) -> Option<ElementType>;
    /// Whether it is for loops over rows and columns.
    fn takes_columns(&self) -> bool;
    /// Whether it is known to use no other threads, so that any thread may run it.
    fn is_plain(&self) -> bool {
        false
    }
    /// Runs iterations `range`; in a loop over rows and columns, rows `range` and columns `columns`.
    fn call(
        &self,
        range: Range<usize>,
        columns: Option<Range<usize>>,
        arguments: &mut [HostArgument<'_>],
    ) -> Option<Scalar>;
}

pub(crate) struct Erased<F, M>(pub F, pub std::marker::PhantomData<fn() -> M>);

pub(crate) struct ErasedTile<F, M>(pub F, pub std::marker::PhantomData<fn() -> M>);

impl<M: 'static, F: TileBody<M>> AnyHostBody for ErasedTile<F, M> {
    fn parameters(&self) -> &'static [ParameterType] {
        F::PARAMETERS
    }
    fn reduces(&self) -> Option<ElementType> {
        F::REDUCES
    }
    fn takes_columns(&self) -> bool {
        true
    }
    fn call(
        &self,
        range: Range<usize>,
        columns: Option<Range<usize>>,
        arguments: &mut [HostArgument<'_>],
    ) -> Option<Scalar> {
        self.0.call(range, columns.unwrap_or(0..1), arguments)
    }
}

impl<M: 'static, F: HostBody<M>> AnyHostBody for Erased<F, M> {
    fn parameters(&self) -> &'static [ParameterType] {
        F::PARAMETERS
    }
    fn reduces(&self) -> Option<ElementType> {
        F::REDUCES
    }
    fn takes_columns(&self) -> bool {
        false
    }
    fn call(&self, range: Range<usize>, _: Option<Range<usize>>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
        self.0.call(range, arguments)
    }
}
