//! Polynomials in scalars and loop variables, for indices, bounds and costs.

use crate::ir::VarId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Add, Mul, Neg, Sub};

/// The last iteration for which the arrays have rows: known once they are bound.
pub const LAST: VarId = VarId::MAX;

/// A sum of products of symbols, each with an integer factor. The empty product is the constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly {
    terms: BTreeMap<Vec<VarId>, i128>,
}

impl Poly {
    pub fn constant(value: i128) -> Self {
        let mut poly = Self::default();
        poly.add_term(Vec::new(), value);
        poly
    }

    pub fn var(var: VarId) -> Self {
        let mut poly = Self::default();
        poly.add_term(vec![var], 1);
        poly
    }

    fn add_term(&mut self, product: Vec<VarId>, factor: i128) {
        let sum = self.terms.get(&product).copied().unwrap_or(0).saturating_add(factor);
        if sum == 0 {
            self.terms.remove(&product);
        } else {
            self.terms.insert(product, sum);
        }
    }

    pub fn terms(&self) -> impl Iterator<Item = (&[VarId], i128)> {
        self.terms.iter().map(|(product, &factor)| (product.as_slice(), factor))
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Its value, if it has no symbols.
    pub fn as_constant(&self) -> Option<i128> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub fn symbols(&self) -> BTreeSet<VarId> {
        self.terms.keys().flatten().copied().collect()
    }

    pub fn has(&self, var: VarId) -> bool {
        self.terms.keys().any(|product| product.contains(&var))
    }

    /// The factor of `var` and the rest, if `var` occurs in no higher power.
    pub fn split(&self, var: VarId) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        for (product, value) in self.terms() {
            match product.iter().filter(|&&v| v == var).count() {
                0 => rest.add_term(product.to_vec(), value),
                1 => factor.add_term(product.iter().copied().filter(|&v| v != var).collect(), value),
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// Replaces `var` by `with`.
    pub fn substitute(&self, var: VarId, with: &Self) -> Self {
        let mut out = Self::default();
        for (product, value) in self.terms() {
            let mut term = Self::constant(value);
            for &v in product {
                term = if v == var { &term * with } else { &term * &Self::var(v) };
            }
            out = &out + &term;
        }
        out
    }

    /// Each coefficient divided by two, towards zero.
    pub fn halved(&self) -> Self {
        let mut out = Self::default();
        for (product, value) in self.terms() {
            out.add_term(product.to_vec(), value / 2);
        }
        out
    }

    pub fn divided(&self, by: i128) -> Self {
        let mut out = Self::default();
        for (product, value) in self.terms() {
            out.add_term(product.to_vec(), value / by);
        }
        out
    }

    /// Whether it is at least 0 whenever all symbols are.
    pub fn is_never_negative(&self, unsigned: &dyn Fn(VarId) -> bool) -> bool {
        self.terms().all(|(product, value)| value >= 0 && product.iter().all(|&v| unsigned(v)))
    }

    /// Whether it is below 0 wherever all symbols are at least 0.
    pub fn is_always_negative(&self, unsigned: &dyn Fn(VarId) -> bool) -> bool {
        let constant = self.terms.get(&Vec::new()).copied().unwrap_or(0);
        constant < 0 && (-self).is_never_negative(unsigned)
    }

    /// The text for messages, as one would write it: `m*j + 2*n - 1`.
    pub fn show(&self, name: &dyn Fn(VarId) -> String) -> String {
        self.show_over(name, 1)
    }

    /// As [`Poly::show`], with coefficients in multiples of 1 / `unit`.
    pub fn show_over(&self, name: &dyn Fn(VarId) -> String, unit: i128) -> String {
        if self.is_zero() {
            return "0".into();
        }
        let number = |value: i128| {
            if value % unit == 0 { (value / unit).to_string() } else { format!("{}", value as f64 / unit as f64) }
        };
        // Longer products first, the constant last; positive terms before negative ones.
        let mut terms: Vec<_> = self.terms().collect();
        terms.sort_by_key(|(product, value)| (*value < 0, std::cmp::Reverse(product.len())));
        let mut text = String::new();
        for (place, (product, value)) in terms.into_iter().enumerate() {
            let size = value.abs();
            text.push_str(match (place, value < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            let mut factors: Vec<String> = Vec::new();
            if size != unit || product.is_empty() {
                factors.push(number(size));
            }
            factors.extend(product.iter().map(|&v| name(v)));
            text.push_str(&factors.join("*"));
        }
        text
    }
}

impl Add for &Poly {
    type Output = Poly;
    fn add(self, other: &Poly) -> Poly {
        let mut out = self.clone();
        for (product, value) in other.terms() {
            out.add_term(product.to_vec(), value);
        }
        out
    }
}

impl Neg for &Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        Poly { terms: self.terms.iter().map(|(product, value)| (product.clone(), -value)).collect() }
    }
}

impl Sub for &Poly {
    type Output = Poly;
    fn sub(self, other: &Poly) -> Poly {
        self + &-other
    }
}

impl Mul for &Poly {
    type Output = Poly;
    fn mul(self, other: &Poly) -> Poly {
        let mut out = Poly::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                let mut product = [a, b].concat();
                product.sort_unstable();
                out.add_term(product, x.saturating_mul(y));
            }
        }
        out
    }
}

/// What is known of a symbol's value: `times` times the value is at least each of `lows`, and at most each of `highs`.
#[derive(Clone, Debug)]
pub struct Limits {
    pub lows: Vec<Poly>,
    pub highs: Vec<Poly>,
    /// 1, except for quotients.
    pub times: i128,
    /// Of a loop's variable, if all that its range ends at is known: the loop has turns, and reaches these limits, if each of these
    /// is at least 1. Without them it may have fewer turns, or none.
    pub turns: Option<Vec<Poly>>,
}

impl Limits {
    pub fn new(lows: Vec<Poly>, highs: Vec<Poly>) -> Self {
        Self { lows, highs, times: 1, turns: None }
    }
}

/// Most alternative bounds that are followed.
pub const MOST: usize = 8;

/// Bounds of a polynomial in which symbols with limits are eliminated, except those in `keep`; later symbols may be limited by
/// earlier ones. Each element of the list is a bound; if it is empty, there is none.
pub fn bounds(
    poly: &Poly,
    upper: bool,
    limits: &BTreeMap<VarId, Limits>,
    keep: &[VarId],
    unsigned: &dyn Fn(VarId) -> bool,
) -> Vec<Poly> {
    let next = poly.symbols().into_iter().rev().find(|v| limits.contains_key(v) && !keep.contains(v));
    let Some(var) = next else { return vec![poly.clone()] };
    let Some((factor, rest)) = poly.split(var) else { return Vec::new() };
    let grows = factor.is_never_negative(unsigned);
    if !grows && !(-&factor).is_never_negative(unsigned) {
        return Vec::new();
    }
    let limits_of = &limits[&var];
    let ends = if grows == upper { &limits_of.highs } else { &limits_of.lows };
    let even = factor.terms().all(|(_, value)| value % limits_of.times == 0);
    let factor = if even { factor.divided(limits_of.times) } else { factor };
    let mut out = Vec::new();
    // A quotient with a remainder is at least 0, and at most its dividend.
    for end in ends.iter().filter(|end| even || end.is_zero() || grows == upper && end.is_never_negative(unsigned)) {
        for bound in bounds(&(&rest + &(&factor * end)), upper, limits, keep, unsigned) {
            if out.len() < MOST && !out.contains(&bound) {
                out.push(bound);
            }
        }
    }
    out
}

/// A factor of a limited symbol, because of whose unknown sign `bounds` has none.
pub fn doubtful_factor(
    poly: &Poly,
    upper: bool,
    limits: &BTreeMap<VarId, Limits>,
    unsigned: &dyn Fn(VarId) -> bool,
) -> Option<Poly> {
    let var = poly.symbols().into_iter().rev().find(|v| limits.contains_key(v))?;
    let (factor, rest) = poly.split(var)?;
    let grows = factor.is_never_negative(unsigned);
    if !grows && !(-&factor).is_never_negative(unsigned) {
        return Some(factor);
    }
    let limits_of = &limits[&var];
    let ends = if grows == upper { &limits_of.highs } else { &limits_of.lows };
    ends.iter().find_map(|end| doubtful_factor(&(&rest + &(&factor * end)), upper, limits, unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(v: VarId) -> String {
        ["i", "j", "m", "n"][v].into()
    }

    #[test]
    fn polynomials_are_shown_as_one_would_write_them() {
        let (i, j, m) = (Poly::var(0), Poly::var(1), Poly::var(2));
        let index = &(&(&i - &Poly::constant(1)) * &m) + &j;
        assert_eq!(index.show(&name), "i*m + j - m");
        assert_eq!((&index - &index).show(&name), "0");
        let (factor, rest) = index.split(0).unwrap();
        assert_eq!((factor.show(&name), rest.show(&name)), ("m".into(), "j - m".into()));
        assert!((&i * &i).split(0).is_none());
    }

    #[test]
    fn bounds_follow_the_limits_of_loops() {
        // The index i*m + j with j in 1..m - 1.
        let m = Poly::var(2);
        let limits = BTreeMap::from([(1, Limits::new(vec![Poly::constant(1)], vec![&m - &Poly::constant(2)]))]);
        let index = &(&Poly::var(0) * &m) + &Poly::var(1);
        let all = |_: VarId| true;
        assert_eq!(bounds(&index, true, &limits, &[], &all)[0].show(&name), "i*m + m - 2");
        assert_eq!(bounds(&index, false, &limits, &[], &all)[0].show(&name), "i*m + 1");
        // With a factor of unknown sign there is no bound.
        let unknown = &(&m - &Poly::constant(5)) * &Poly::var(1);
        assert!(bounds(&unknown, true, &limits, &[], &all).is_empty());
    }

    proptest! {
        #[test]
        fn sums_and_products_are_those_of_the_values(a in prop::collection::vec((0usize..3, 0usize..3, -5i128..5), 0..5),
                                                    b in prop::collection::vec((0usize..3, 0usize..3, -5i128..5), 0..5),
                                                    values in [-4i128..5, -4i128..5, -4i128..5]) {
            let build = |list: &[(usize, usize, i128)]| list.iter().fold(Poly::default(), |sum, &(x, y, f)| {
                &sum + &(&Poly::constant(f) * &(&Poly::var(x) * &Poly::var(y)))
            });
            let at = |p: &Poly| p.terms().map(|(s, f)| s.iter().map(|&v| values[v]).product::<i128>() * f).sum::<i128>();
            let (a, b) = (build(&a), build(&b));
            prop_assert_eq!(at(&(&a * &b)), at(&a) * at(&b));
            prop_assert_eq!(at(&(&a - &b)), at(&a) - at(&b));
            prop_assert_eq!(at(&a.substitute(1, &Poly::constant(values[1]))), at(&a));
            if a.is_never_negative(&|v| values[v] >= 0) { prop_assert!(at(&a) >= 0); }
            if a.is_always_negative(&|v| values[v] >= 0) { prop_assert!(at(&a) < 0); }
        }
    }
}
