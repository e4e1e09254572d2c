//! Scalar reductions: operator, identity, combination.

use crate::element::{ElementType, Scalar};
use crate::error::{Error, Result};

/// An operator that combines the partial results of iterations. It is taken to be associative.
///
/// For floats, `Min` and `Max` treat NaN in two ways, each the same on all devices. The result of a loop ([`Loop::reduce`]) is
/// NaN if any iteration's value is NaN, so that it shows. An array that iterations contribute to ([`Bound::reduces`] and
/// `#[map(h: reduce(Min))]`) gets the number out of a number and NaN, as with Rust's `f32::min`.
///
/// [`Loop::reduce`]: crate::runtime::Loop::reduce
/// [`Bound::reduces`]: super::Bound::reduces
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Sum; integers wrap.
    Sum,
    /// Product; integers wrap.
    Product,
    /// Least value; see above for NaN.
    Min,
    /// Greatest value; see above for NaN.
    Max,
    /// Bitwise and, of integers; logical and of the truth values 0 and 1.
    And,
    /// Bitwise or, of integers; logical or of the truth values 0 and 1.
    Or,
    /// The caller's own operator.
    Own(OwnReduce),
}

/// The caller's own operator: its identity element, and how it combines two values.
///
/// ```
/// use apportion::kernel::{OwnReduce, Reduce, Scalar};
///
/// // The value that is further from 0.
/// fn further(a: Scalar, b: Scalar) -> Scalar {
///     match (a, b) {
///         (Scalar::F64(x), Scalar::F64(y)) if y.abs() > x.abs() => b,
///         _ => a,
///     }
/// }
/// let operator = Reduce::Own(OwnReduce { identity: || Scalar::F64(0.0), combine: further });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OwnReduce {
    /// The identity element, of the reduction's element type.
    pub identity: fn() -> Scalar,
    /// Combines two values of that type; the first belongs to earlier iterations.
    pub combine: fn(Scalar, Scalar) -> Scalar,
}

impl OwnReduce {
    fn addresses(&self) -> [usize; 2] {
        [self.identity as usize, self.combine as usize]
    }
}

impl PartialEq for OwnReduce {
    fn eq(&self, other: &Self) -> bool {
        self.addresses() == other.addresses()
    }
}

impl Eq for OwnReduce {}

impl std::hash::Hash for OwnReduce {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.addresses().hash(state);
    }
}

/// A reduction of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The operator.
    pub operator: Reduce,
    /// The type of the partial results and of the result.
    pub element: ElementType,
}

impl Reduction {
    /// Checks that the operator is possible for the element type.
    ///
    /// # Errors
    /// [`Error::Call`] for bitwise operators on floats, and for an own operator of another element type.
    pub fn check(self) -> Result<()> {
        let floats = matches!(self.element, ElementType::F32 | ElementType::F64);
        match self.operator {
            Reduce::And | Reduce::Or if floats => Err(Error::call(format!(
                "a reduction by {:?} is over integers, not {}: count with u32 or u8, 0 for no and 1 for yes",
                self.operator, self.element
            ))),
            Reduce::Own(own) if (own.identity)().element() != self.element => Err(Error::call(format!(
                "the reduction's own operator is over {}, but the reduction over {}",
                (own.identity)().element(),
                self.element
            ))),
            _ => Ok(()),
        }
    }

    /// The identity element: the result of a loop without iterations.
    pub fn identity(self) -> Scalar {
        use ElementType::*;
        if let Reduce::Own(own) = self.operator {
            return (own.identity)();
        }
        macro_rules! pick {
            ($sum:expr, $product:expr, $min:expr, $max:expr, $and:expr) => {
                match self.operator {
                    Reduce::Sum | Reduce::Or | Reduce::Own(_) => $sum,
                    Reduce::Product => $product,
                    Reduce::Min => $min,
                    Reduce::Max => $max,
                    Reduce::And => $and,
                }
            };
        }
        match self.element {
            F32 => Scalar::F32(pick!(0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, 0.0)),
            F64 => Scalar::F64(pick!(0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, 0.0)),
            I32 => Scalar::I32(pick!(0, 1, i32::MAX, i32::MIN, -1)),
            U32 => Scalar::U32(pick!(0, 1, u32::MAX, u32::MIN, u32::MAX)),
            I64 => Scalar::I64(pick!(0, 1, i64::MAX, i64::MIN, -1)),
            U64 => Scalar::U64(pick!(0, 1, u64::MAX, u64::MIN, u64::MAX)),
            U8 => Scalar::U8(pick!(0, 1, u8::MAX, u8::MIN, u8::MAX)),
        }
    }

    /// `a` and `b` combined. Both are of the reduction's type; if not, `a` is returned.
    pub fn combine(self, a: Scalar, b: Scalar) -> Scalar {
        if let Reduce::Own(own) = self.operator {
            return (own.combine)(a, b);
        }
        macro_rules! float {
            ($name:ident, $a:expr, $b:expr) => {{
                let (a, b) = ($a, $b);
                Scalar::$name(match self.operator {
                    Reduce::Sum => a + b,
                    Reduce::Product => a * b,
                    Reduce::Min if a.is_nan() || a < b => a,
                    Reduce::Max if a.is_nan() || a > b => a,
                    // Bitwise operators on floats are refused before a loop starts (`Reduction::check`).
                    Reduce::Min | Reduce::Max | Reduce::And | Reduce::Or | Reduce::Own(_) => b,
                })
            }};
        }
        macro_rules! integer {
            ($name:ident, $a:expr, $b:expr) => {{
                let (a, b) = ($a, $b);
                Scalar::$name(match self.operator {
                    Reduce::Sum => a.wrapping_add(b),
                    Reduce::Product => a.wrapping_mul(b),
                    Reduce::Min => a.min(b),
                    Reduce::Max => a.max(b),
                    Reduce::And => a & b,
                    Reduce::Or | Reduce::Own(_) => a | b,
                })
            }};
        }
        match (a, b) {
            (Scalar::F32(a), Scalar::F32(b)) => float!(F32, a, b),
            (Scalar::F64(a), Scalar::F64(b)) => float!(F64, a, b),
            (Scalar::I32(a), Scalar::I32(b)) => integer!(I32, a, b),
            (Scalar::U32(a), Scalar::U32(b)) => integer!(U32, a, b),
            (Scalar::I64(a), Scalar::I64(b)) => integer!(I64, a, b),
            (Scalar::U64(a), Scalar::U64(b)) => integer!(U64, a, b),
            (Scalar::U8(a), Scalar::U8(b)) => integer!(U8, a, b),
            _ => a,
        }
    }

    /// Elements combined in their order. Sums are the usual case, and a loop may have a thousand of them.
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    pub(crate) fn fold(self, elements: &[u8]) -> Scalar {
        macro_rules! sum {
            ($name:ident, $type:ty, $add:expr) => {{
                let each = elements.chunks_exact(size_of::<$type>()).map(bytemuck::pod_read_unaligned::<$type>);
                Scalar::$name(each.fold(<$type>::default(), $add))
            }};
        }
        use ElementType::*;
        match (self.operator, self.element) {
            (Reduce::Sum, F32) => sum!(F32, f32, |a, b| a + b),
            (Reduce::Sum, F64) => sum!(F64, f64, |a, b| a + b),
            (Reduce::Sum, I32) => sum!(I32, i32, i32::wrapping_add),
            (Reduce::Sum, U32) => sum!(U32, u32, u32::wrapping_add),
            (Reduce::Sum, I64) => sum!(I64, i64, i64::wrapping_add),
            (Reduce::Sum, U64) => sum!(U64, u64, u64::wrapping_add),
            _ => {
                let each = elements.chunks_exact(self.element.bytes());
                let each = each.map(|bytes| Scalar::from_bytes(self.element, bytes));
                each.fold(self.identity(), |a, b| self.combine(a, b))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_changes_nothing() {
        for operator in [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max] {
            for value in [Scalar::F32(-2.5), Scalar::F64(7.0), Scalar::I32(-3), Scalar::U64(9), Scalar::U8(200)] {
                let reduction = Reduction { operator, element: value.element() };
                assert_eq!(reduction.combine(reduction.identity(), value), value, "{operator:?}");
                assert_eq!(reduction.combine(value, reduction.identity()), value, "{operator:?}");
            }
        }
    }

    #[test]
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    fn elements_are_combined_in_their_order() {
        use ElementType::{F32, F64, I32, I64, U8, U32, U64};
        for operator in [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max] {
            for element in [F32, F64, I32, I64, U8, U32, U64] {
                let reduction = Reduction { operator, element };
                // Sums of these floats depend on the order.
                let of = |i: u32| match element {
                    F32 => Scalar::F32(1.0 / (i as f32 + 0.3)),
                    F64 => Scalar::F64(1.0 / (f64::from(i) + 0.3)),
                    I32 => Scalar::I32((i * 700_000_000).cast_signed()),
                    U32 => Scalar::U32(i * 700_000_000),
                    I64 => Scalar::I64(i64::from(i).wrapping_mul(i64::MAX / 3)),
                    U64 => Scalar::U64(u64::from(i).wrapping_mul(u64::MAX / 3)),
                    U8 => Scalar::U8(100 + i as u8),
                };
                let all: Vec<Scalar> = (1..6).map(of).collect();
                let bytes: Vec<u8> =
                    all.iter().flat_map(|scalar| scalar.to_bytes()[..element.bytes()].to_vec()).collect();
                let folded = all.iter().fold(reduction.identity(), |a, b| reduction.combine(a, *b));
                assert_eq!(reduction.fold(&bytes), folded, "{operator:?} of {element}");
                assert_eq!(reduction.fold(&[]), reduction.identity(), "{operator:?} of {element}");
            }
        }
    }

    #[test]
    fn nan_is_not_lost_in_min_and_max() {
        for operator in [Reduce::Min, Reduce::Max] {
            let r = Reduction { operator, element: ElementType::F64 };
            for (a, b) in [(f64::NAN, 1.0), (1.0, f64::NAN)] {
                let Scalar::F64(c) = r.combine(Scalar::F64(a), Scalar::F64(b)) else { unreachable!() };
                assert!(c.is_nan(), "{operator:?} of {a} and {b}");
            }
        }
    }
}
