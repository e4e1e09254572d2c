//! Scalar reductions: operator, identity, combination.

#[cfg(any(feature = "cuda", feature = "opencl"))]
use crate::element::Element;
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
            I8 => Scalar::I8(pick!(0, 1, i8::MAX, i8::MIN, -1)),
            U8 => Scalar::U8(pick!(0, 1, u8::MAX, u8::MIN, u8::MAX)),
            I16 => Scalar::I16(pick!(0, 1, i16::MAX, i16::MIN, -1)),
            U16 => Scalar::U16(pick!(0, 1, u16::MAX, u16::MIN, u16::MAX)),
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
            (Scalar::I8(a), Scalar::I8(b)) => integer!(I8, a, b),
            (Scalar::U8(a), Scalar::U8(b)) => integer!(U8, a, b),
            (Scalar::I16(a), Scalar::I16(b)) => integer!(I16, a, b),
            (Scalar::U16(a), Scalar::U16(b)) => integer!(U16, a, b),
            _ => a,
        }
    }

    /// Elements combined, always in the same order: an own operator in theirs. Others combine every 32nd element in order, and
    /// then these 32 results in pairs that are 16, 8, 4, 2 and 1 apart, so that a GPU can do the same and get the same bits.
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    pub(crate) fn fold(self, elements: &[u8]) -> Scalar {
        use ElementType::*;
        // Sums are the usual case, and a loop may have a thousand elements.
        match (self.operator, self.element) {
            (Reduce::Sum, F32) => Scalar::F32(in_lanes(elements, 0.0, |a: f32, b| a + b)),
            (Reduce::Sum, F64) => Scalar::F64(in_lanes(elements, 0.0, |a: f64, b| a + b)),
            (Reduce::Own(_), _) => {
                let each = elements.chunks_exact(self.element.bytes());
                let each = each.map(|bytes| Scalar::from_bytes(self.element, bytes));
                each.fold(self.identity(), |a, b| self.combine(a, b))
            }
            (_, F32) => Scalar::F32(self.in_lanes(elements)),
            (_, F64) => Scalar::F64(self.in_lanes(elements)),
            (_, I32) => Scalar::I32(self.in_lanes(elements)),
            (_, U32) => Scalar::U32(self.in_lanes(elements)),
            (_, I64) => Scalar::I64(self.in_lanes(elements)),
            (_, U64) => Scalar::U64(self.in_lanes(elements)),
            (_, I8) => Scalar::I8(self.in_lanes(elements)),
            (_, U8) => Scalar::U8(self.in_lanes(elements)),
            (_, I16) => Scalar::I16(self.in_lanes(elements)),
            (_, U16) => Scalar::U16(self.in_lanes(elements)),
        }
    }

    #[cfg(any(feature = "cuda", feature = "opencl"))]
    fn in_lanes<T: Element>(self, elements: &[u8]) -> T {
        // Of other types than the reduction's there are none.
        let of = |scalar| T::from_scalar(scalar).unwrap_or_else(T::zeroed);
        in_lanes(elements, of(self.identity()), |a: T, b: T| of(self.combine(a.to_scalar(), b.to_scalar())))
    }
}

/// See [`Reduction::fold`].
#[cfg(any(feature = "cuda", feature = "opencl"))]
fn in_lanes<T: Element>(elements: &[u8], identity: T, combine: impl Fn(T, T) -> T) -> T {
    let mut lanes = [identity; 32];
    for some in elements.chunks(32 * size_of::<T>()) {
        for (lane, element) in lanes.iter_mut().zip(some.chunks_exact(size_of::<T>())) {
            *lane = combine(*lane, T::from_bytes(element));
        }
    }
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] = combine(lanes[lane], lanes[lane + half]);
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_changes_nothing() {
        for operator in [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max] {
            for value in [
                Scalar::F32(-2.5),
                Scalar::F64(7.0),
                Scalar::I32(-3),
                Scalar::U64(9),
                Scalar::U8(200),
                Scalar::I8(-100),
                Scalar::I16(-7),
                Scalar::U16(40_000),
            ] {
                let reduction = Reduction { operator, element: value.element() };
                assert_eq!(reduction.combine(reduction.identity(), value), value, "{operator:?}");
                assert_eq!(reduction.combine(value, reduction.identity()), value, "{operator:?}");
            }
        }
    }

    #[test]
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    fn elements_are_combined_in_one_order() {
        use ElementType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        for operator in [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max, Reduce::Or] {
            for element in [F32, F64, I8, I16, I32, I64, U8, U16, U32, U64] {
                let reduction = Reduction { operator, element };
                if reduction.check().is_err() {
                    continue;
                }
                // Sums of these floats depend on the order.
                let of = |i: u32| match element {
                    F32 => Scalar::F32(1.0 / (i as f32 + 0.3)),
                    F64 => Scalar::F64(1.0 / (f64::from(i) + 0.3)),
                    I32 => Scalar::I32((i.wrapping_mul(700_000_000)).cast_signed()),
                    U32 => Scalar::U32(i.wrapping_mul(700_000_000)),
                    I64 => Scalar::I64(i64::from(i).wrapping_mul(i64::MAX / 3)),
                    U64 => Scalar::U64(u64::from(i).wrapping_mul(u64::MAX / 3)),
                    I8 => Scalar::I8((100 + 7 * i) as i8),
                    U8 => Scalar::U8((100 + i) as u8),
                    I16 => Scalar::I16((i * 7_001) as i16),
                    U16 => Scalar::U16((i * 7_001) as u16),
                };
                let all: Vec<Scalar> = (1..100).map(of).collect();
                let bytes: Vec<u8> =
                    all.iter().flat_map(|scalar| scalar.to_bytes()[..element.bytes()].to_vec()).collect();
                let every = |first: usize| all.iter().skip(first).step_by(32).copied();
                let mut lanes: Vec<Scalar> = (0..32)
                    .map(|lane| every(lane).fold(reduction.identity(), |a, b| reduction.combine(a, b)))
                    .collect();
                while lanes.len() > 1 {
                    let upper = lanes.split_off(lanes.len() / 2);
                    lanes.iter_mut().zip(upper).for_each(|(a, b)| *a = reduction.combine(*a, b));
                }
                assert_eq!(reduction.fold(&bytes), lanes[0], "{operator:?} of {element}");
                assert_eq!(reduction.fold(&[]), reduction.identity(), "{operator:?} of {element}");
            }
        }
    }

    #[test]
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    fn an_own_operator_combines_in_the_order_of_the_elements() {
        // Not commutative: the later value, unless it is 0.
        fn later(a: Scalar, b: Scalar) -> Scalar {
            if b == Scalar::U32(0) { a } else { b }
        }
        let own = OwnReduce { identity: || Scalar::U32(0), combine: later };
        let reduction = Reduction { operator: Reduce::Own(own), element: ElementType::U32 };
        let elements: Vec<u8> = (1..=50u32).flat_map(u32::to_ne_bytes).collect();
        assert_eq!(reduction.fold(&elements), Scalar::U32(50));
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
