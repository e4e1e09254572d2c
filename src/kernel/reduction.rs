//! Scalar reductions: operator, identity, combination.

use crate::element::{ElementType, Scalar};

/// An operator that combines the partial results of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Sum; integers wrap.
    Sum,
    /// Product; integers wrap.
    Product,
    /// Least value; NaN is taken over, so that it shows.
    Min,
    /// Greatest value; NaN is taken over, so that it shows.
    Max,
}

/// A reduction of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The operator.
    pub operator: Reduce,
    /// The type of partial results and result.
    pub element: ElementType,
}

impl Reduction {
    /// The value that changes nothing: the result of a loop without iterations.
    pub fn identity(self) -> Scalar {
        use ElementType::*;
        macro_rules! pick {
            ($sum:expr, $product:expr, $min:expr, $max:expr) => {
                match self.operator {
                    Reduce::Sum => $sum,
                    Reduce::Product => $product,
                    Reduce::Min => $min,
                    Reduce::Max => $max,
                }
            };
        }
        match self.element {
            F32 => Scalar::F32(pick!(0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY)),
            F64 => Scalar::F64(pick!(0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY)),
            I32 => Scalar::I32(pick!(0, 1, i32::MAX, i32::MIN)),
            U32 => Scalar::U32(pick!(0, 1, u32::MAX, u32::MIN)),
            I64 => Scalar::I64(pick!(0, 1, i64::MAX, i64::MIN)),
            U64 => Scalar::U64(pick!(0, 1, u64::MAX, u64::MIN)),
            U8 => Scalar::U8(pick!(0, 1, u8::MAX, u8::MIN)),
        }
    }

    /// `a` and `b` combined. Both are of the reduction's type; if not, `a` is returned.
    pub fn combine(self, a: Scalar, b: Scalar) -> Scalar {
        macro_rules! float {
            ($name:ident, $a:expr, $b:expr) => {{
                let (a, b) = ($a, $b);
                Scalar::$name(match self.operator {
                    Reduce::Sum => a + b,
                    Reduce::Product => a * b,
                    Reduce::Min if a.is_nan() || a < b => a,
                    Reduce::Max if a.is_nan() || a > b => a,
                    Reduce::Min | Reduce::Max => b,
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
