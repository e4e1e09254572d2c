//! Which indices of local arrays are inside whatever the data, so that devices need not compare them.

use crate::access::{Accesses, unsigned};
use crate::ir::{Binary, Builtin, Expr, Kind, Lit, Ty, VarId};
use crate::poly::{Poly, bounds};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the indices of local arrays.
#[derive(Clone, Debug, Default)]
pub struct Inside {
    /// Index expressions that are inside by the values that their parts can have.
    always: BTreeSet<*const Expr>,
    /// Those that are inside by the limits of loops and conditions, if all claims hold.
    by_limits: BTreeSet<*const Expr>,
    /// The values that locals can have which do not change.
    values: BTreeMap<VarId, (i128, i128)>,
}

impl Inside {
    /// Whether the index is inside; `claimed` says whether the claims have been compared with the arguments.
    pub fn has(&self, index: &Expr, claimed: bool) -> bool {
        let place = std::ptr::from_ref(index);
        self.always.contains(&place) || claimed && self.by_limits.contains(&place)
    }
}

/// The values that a type has.
fn of_type(ty: Ty) -> (i128, i128) {
    match ty {
        Ty::U8 => (0, u8::MAX.into()),
        Ty::U32 => (0, u32::MAX.into()),
        Ty::I32 => (i32::MIN.into(), i32::MAX.into()),
        Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
        _ => (0, u64::MAX.into()),
    }
}

impl Accesses<'_> {
    /// Notes an index of a local array, under the conditions that hold there.
    pub fn note_local(&mut self, var: VarId, index: &Expr) {
        let len = self.f.vars[var].len.unwrap_or(1) as i128;
        let place = std::ptr::from_ref(index);
        if self.between(index).1 < len {
            self.inside.always.insert(place);
        } else if self.limited(index, len) {
            self.inside.by_limits.insert(place);
        }
    }

    /// Notes the values of a local that does not change.
    pub fn note_values(&mut self, var: VarId, from: &Expr, to: &Expr, inclusive: bool) {
        if from.ty.is_integer() && !self.f.vars[var].mutable {
            let (low, high) = (self.between(from).0, self.between(to).1);
            self.inside.values.insert(var, (low, high - i128::from(!inclusive)));
        }
    }

    /// Whether the limits of loops and conditions keep an index below `len`. What the analysis notes on the way is forgotten: it
    /// is about parameters.
    fn limited(&mut self, index: &Expr, len: i128) -> bool {
        let before = (self.limits.clone(), self.made.clone(), self.quotients.clone(), self.claims.clone());
        let (doubts, unsure, next) = (self.doubts, self.unsure, self.next_symbol());
        let poly = self.poly(index);
        let sure = self.doubts == 0 && self.claims == before.3;
        let below = poly.is_ok_and(|poly| {
            let ends = |upper| bounds(&poly, upper, &self.limits, &[], &|v| unsigned(self.f, v));
            let most = Poly::constant(len - 1);
            // Rows that are written have elements, but nothing compares local arrays with them.
            let never = |poly: &Poly| poly.is_never_negative(&|v| unsigned(self.f, v));
            ends(false).iter().any(never) && ends(true).iter().any(|high| never(&(&most - high)))
        });
        (self.limits, self.made, self.quotients, self.claims) = before;
        (self.doubts, self.unsure) = (doubts, unsure);
        self.forget_symbols(next);
        sure && below
    }

    /// The least and the greatest value that an integer can have.
    fn between(&self, e: &Expr) -> (i128, i128) {
        let all = of_type(e.ty);
        let found = match &e.kind {
            Kind::Lit(Lit::Int(value)) => i128::try_from(*value).ok().map(|value| (value, value)),
            Kind::Var(var) => self.inside.values.get(var).copied(),
            Kind::Cast(inner) if inner.ty == Ty::Bool => Some((0, 1)),
            Kind::Cast(inner) if inner.ty.is_integer() => Some(self.between(inner)),
            Kind::Binary(op, a, b) if a.ty.is_integer() && !op.compares() => {
                self.of_operation(*op, self.between(a), self.between(b))
            }
            Kind::Builtin(builtin, list) if e.ty.is_integer() => {
                let list: Vec<_> = list.iter().map(|e| self.between(e)).collect();
                match (builtin, &list[..]) {
                    (Builtin::Min, [a, b]) => Some((a.0.min(b.0), a.1.min(b.1))),
                    (Builtin::Max, [a, b]) => Some((a.0.max(b.0), a.1.max(b.1))),
                    (Builtin::SaturatingSub, [a, b]) if !e.ty.is_signed() => {
                        Some(((a.0 - b.1).max(0), (a.1 - b.0).max(0)))
                    }
                    _ => None,
                }
            }
            Kind::Select(_, a, b) => {
                let (a, b) = (self.between(a), self.between(b));
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        };
        // What does not fit into the type wraps, or is cut off.
        found.filter(|(low, high)| all.0 <= *low && *high <= all.1).unwrap_or(all)
    }

    fn of_operation(&self, op: Binary, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
        let positive = a.0 >= 0 && b.0 >= 0;
        match op {
            Binary::Add => Some((a.0 + b.0, a.1 + b.1)),
            Binary::Sub => Some((a.0 - b.1, a.1 - b.0)),
            Binary::Mul if positive => Some((a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)),
            // On devices a quotient or remainder by 0 is 0.
            Binary::Div if positive => Some((0, a.1 / b.0.max(1))),
            Binary::Rem if positive => Some((0, a.1.min((b.1 - 1).max(0)))),
            // The bits of one that is not negative are enough.
            Binary::And => [a, b].iter().filter(|of| of.0 >= 0).map(|of| of.1).min().map(|most| (0, most)),
            // The distance is taken modulo the number of bits, so only a small one is itself.
            Binary::Shr if positive && b.1 < 8 => Some((a.0 >> b.1, a.1 >> b.0)),
            _ => None,
        }
    }
}
