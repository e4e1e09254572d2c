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
    /// Limits by conditions that hold for other values too, as a number in the condition may wrap: of what, whether upper, which.
    doubted: Vec<(VarId, bool, Poly)>,
}

/// Sums of a few numbers up to this one do not wrap.
const SMALL: i128 = 1 << 32;

impl Inside {
    /// Whether the index is inside; `claimed` says whether the claims have been compared with the arguments.
    pub fn has(&self, index: &Expr, claimed: bool) -> bool {
        let place = std::ptr::from_ref(index);
        self.always.contains(&place) || claimed && self.by_limits.contains(&place)
    }
}

/// The values that a type has.
fn of_type(ty: Ty) -> (i128, i128) {
    match ty.is_integer().then(|| ty.most() as i128) {
        Some(most) if ty.is_signed() => (-most - 1, most),
        Some(most) => (0, most),
        None => (0, u64::MAX.into()),
    }
}

impl Accesses<'_> {
    /// Whether an index of an array of this length is inside whatever the data and the arguments.
    pub fn is_always_inside(&self, index: &Expr) -> bool {
        self.inside.always.contains(&std::ptr::from_ref(index))
    }

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
            let (low, high) = (self.between(from).0, self.between(to).1 - i128::from(!inclusive));
            // A loop without turns has no values.
            if low <= high {
                self.inside.values.insert(var, (low, high));
            }
        }
    }

    /// Notes that the limit which `small <= large` gives to `var` does not hold where a number of the condition has wrapped. A sum
    /// that wraps is less than the analysis takes it for, so it must not be the small one.
    pub fn note_limit(&mut self, var: VarId, upper: bool, end: &Poly, (small, large): (&Poly, &Poly), signed: bool) {
        let own = self.f.vars.get(var).is_some_and(|info| info.ty.is_signed());
        let rest = if upper { small } else { large } - &Poly::var(var);
        let other = if upper { large } else { small };
        let holds = if signed || own && !upper {
            // Signed numbers wrap at both ends.
            signed && own && other.as_constant().is_some() && rest.as_constant().is_some_and(|rest| rest == 0)
        } else {
            self.stays(small)
        };
        if !holds {
            self.inside.doubted.push((var, upper, end.clone()));
        }
    }

    /// Whether a number that is not below 0 cannot have wrapped above the largest one: one variable less something cannot, nor can a
    /// sum of small numbers.
    fn stays(&self, poly: &Poly) -> bool {
        let small = |v: &VarId| {
            let value = self.inside.values.get(v).is_some_and(|(_, high)| *high < SMALL);
            // No loop counts so far.
            let start = |lows: &Vec<Poly>| lows.iter().all(|low| low.as_constant().is_some_and(|low| low < SMALL));
            value || self.starts.get(v).is_some_and(start)
        };
        let terms: Vec<_> = poly.terms().filter(|(_, factor)| *factor > 0).collect();
        let alone = matches!(terms[..], [(product, 1)] if product.len() == 1);
        alone || terms.iter().all(|(product, factor)| *factor < SMALL && product.len() < 2 && product.iter().all(small))
    }

    /// Whether the limits of loops and conditions keep an index below `len`. What the analysis notes on the way is forgotten: it
    /// is about parameters.
    fn limited(&mut self, index: &Expr, len: i128) -> bool {
        let before = (self.limits.clone(), self.made.clone(), self.quotients.clone(), self.claims.clone());
        let tops = self.tops.clone();
        let (doubts, unsure, next) = (self.doubts, self.unsure, self.next_symbol());
        let poly = self.poly(index);
        let sure = self.doubts.values == 0 && self.claims == before.3;
        let below = poly.is_ok_and(|poly| {
            let mut limits = self.limits.clone();
            for (var, limits) in &mut limits {
                let doubted =
                    |upper, end: &Poly| self.inside.doubted.iter().any(|of| (of.0, of.1, &of.2) == (*var, upper, end));
                limits.lows.retain(|low| self.stays(low) && !doubted(false, low));
                limits.highs.retain(|high| !doubted(true, high));
            }
            let ends = |upper| bounds(&poly, upper, &limits, &[], &|v| unsigned(self.f, v));
            // Rows that are written have elements, but nothing compares local arrays with them.
            let never = |poly: &Poly| poly.is_never_negative(&|v| unsigned(self.f, v));
            // What is below an argument is below another number if that has wrapped.
            let below = |high: &Poly| high.as_constant().is_some_and(|high| high < len);
            ends(false).iter().any(never) && ends(true).iter().any(below)
        });
        (self.limits, self.made, self.quotients, self.claims) = before;
        self.tops = tops;
        (self.doubts, self.unsure) = (doubts, unsure);
        self.forget_symbols(next);
        sure && below
    }

    /// The least and the greatest value that an integer can have.
    pub fn between(&self, e: &Expr) -> (i128, i128) {
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

#[cfg(test)]
mod tests {
    use crate::checked::{Checked, each_local_index};

    /// How many indices of local arrays devices compare.
    fn compared(body: &str) -> usize {
        let text = format!("fn f(i: usize, m: usize, n: usize, s: usize, v: &[i32], y: &mut [f32]) {{ {body} }}");
        let item: syn::ItemFn = syn::parse_str(&text).unwrap();
        let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        let f = crate::lower::lower(function, &item.block).unwrap();
        let checked = Checked::of_function(&f);
        let mut count = 0;
        each_local_index(&f, &mut |index| count += usize::from(checked.has_local(index)));
        count
    }

    #[test]
    fn indices_that_data_or_arguments_take_outside_are_compared() {
        for body in [
            "for k in 0..m { if k.wrapping_add(s) < 4 { w[k] += 1.0; } }",
            "for k in 0..m { if k + s < 4 { w[k] += 1.0; } }",
            "for k in s..m { if k + 2 < 5 { w[k] += 1.0; } }",
            "for j in s..n { for k in 0..m { if k + j < 4 { w[k] += 1.0; } } }",
            "for k in 0..4 { if k >= s + 1 { w[k - 1] += 1.0; } }",
            "for k in s + 1..4 { w[k - 1] += 1.0; }",
            "for k in 0..4 { w[k - 1] += 1.0; }",
            "for k in 0..4 { w[k + 1] += 1.0; }",
            "y[i] = w[(v[i] & 7) as usize];",
            "y[i] = w[(v[i] % 4) as usize];",
            "y[i] = w[(m + n) as u8 as usize];",
            "for k in 0..0 { y[i] += w[(v[i] >> k) as usize]; }",
        ] {
            assert_eq!(compared(&format!("let mut w = [0.0f32; 4]; {body} y[i] = w[0];")), 1, "{body}");
        }
    }

    #[test]
    fn indices_that_are_inside_are_not_compared() {
        for body in [
            "for k in 0..m { if k < 4 { w[k] += 1.0; } }",
            "for k in s..m { if k < 4 { w[k] += 1.0; } }",
            "for k in 0..m { if k + 2 < 5 { w[k + 1] += 1.0; } }",
            "for j in 0..n { for k in 0..m { if k + j < 4 { w[k] += w[k + j]; } } }",
            "for k in 0..m { if k > 0 && k <= 4 { w[k - 1] += 1.0; } }",
            "for k in 1..4 { for j in k + 1..5 { w[j - k - 1] += 1.0; } }",
            "for k in 0..m.min(4) { w[k] += 1.0; }",
            "y[i] = w[(v[i] & 3) as usize] + w[i % 4];",
        ] {
            assert_eq!(compared(&format!("let mut w = [0.0f32; 4]; {body} y[i] = w[0];")), 0, "{body}");
        }
    }
}
