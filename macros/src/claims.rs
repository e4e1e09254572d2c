//! Conditions under which an access that an iteration may skip stays within its array, as far as they follow from the arguments
//! and the range of the loop; and conditions for those: unsigned numbers that do not wrap.

use crate::access::{Access, Accesses, Reach, known_with_arguments, unsigned};
use crate::ir::{Expr, Function, Ty, VarId};
use crate::poly::{LAST, Limits, Poly, bounds};
use std::collections::BTreeMap;

/// Bounds of a value in iteration `i`, as `stride * i + rest`: each of `lows` is a lower bound, each of `highs` an upper bound.
/// The value exists in iterations from each of `from` up to each of `to` except those of `not`, if each loop around it has turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub lows: Vec<(Poly, Poly)>,
    pub highs: Vec<(Poly, Poly)>,
    pub from: Vec<Poly>,
    pub to: Vec<Poly>,
    pub not: Vec<Poly>,
    pub lengths: Vec<Poly>,
}

/// Iterations that conditions admit: from each of `lows` up to each of `highs` except those of `not`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    pub lows: Vec<Poly>,
    pub highs: Vec<Poly>,
    pub not: Vec<Poly>,
}

/// A value that has to be at least 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub span: Span,
    /// Every iteration has the loop whose end it is.
    pub ends_loop: bool,
}

/// Those bounds that follow from the arguments, as `stride * i + rest`.
fn follows(f: &Function, list: Vec<Poly>, index: VarId) -> Vec<(Poly, Poly)> {
    let known = |poly: &Poly| poly.symbols().into_iter().all(|v| v != LAST && known_with_arguments(f, v));
    let parts = list.into_iter().filter_map(|bound| bound.split(index));
    parts.filter(|(stride, rest)| known(stride) && known(rest)).collect()
}

/// Both ends of a value under these limits.
fn span(f: &Function, poly: &Poly, limits: &BTreeMap<VarId, Limits>, of_index: &Iterations) -> Option<Span> {
    let index = f.index()?;
    let mut keep = vec![index];
    keep.extend(limits.keys().filter(|v| f.quotients.contains_key(v)));
    let at_least_0 = |v: VarId| unsigned(f, v);
    let ends = |upper: bool| {
        let mut all = follows(f, bounds(poly, upper, limits, &[index], &at_least_0), index);
        for end in follows(f, bounds(poly, upper, limits, &keep, &at_least_0), index) {
            if !all.contains(&end) {
                all.push(end);
            }
        }
        all
    };
    let known = |list: &[Poly]| -> Vec<Poly> {
        list.iter().filter(|poly| poly.symbols().into_iter().all(|v| known_with_arguments(f, v))).cloned().collect()
    };
    let (from, to, not) = (known(&of_index.lows), known(&of_index.highs), known(&of_index.not));
    Some(Span { lows: ends(false), highs: ends(true), from, to, not, lengths: Vec::new() })
}

/// Whether every iteration performs an access and reaches both ends of its bounds: then it is checked before the loop.
pub fn is_certain(access: &Access, reach: &Reach) -> bool {
    let grows = |list: &[Poly]| list.iter().any(|poly| poly.has(LAST));
    !access.guarded && reach.exact && !grows(&reach.lows) && !grows(&reach.highs)
}

/// The elements of an access; `None` if they do not follow from the arguments.
pub fn of_access(f: &Function, access: &Access) -> Option<Span> {
    let poly = access.index.as_ref().ok()?;
    let span = span(f, poly, &access.limits, &access.of_index)?;
    let known = |length: &Poly| length.symbols().into_iter().all(|v| known_with_arguments(f, v));
    let lengths = access.loops.iter().filter_map(|(_, length)| length.clone().filter(|length| known(length))).collect();
    (!span.lows.is_empty() && !span.highs.is_empty()).then_some(Span { lengths, ..span })
}

impl Accesses<'_> {
    /// Consequences of two numbers being different: one is less, if it is known not to be greater; or an iteration is excluded.
    pub fn differ(&mut self, a: &Poly, b: &Poly) -> Vec<(Poly, Poly)> {
        let one = Poly::constant(1);
        for (small, large) in [(a, b), (b, a)] {
            let distance = large - small;
            let lows = bounds(&distance, false, &self.limits, &[], &|v| unsigned(self.f, v));
            if lows.iter().any(|low| self.never_negative(low)) {
                return vec![(small.clone(), large - &one)];
            }
        }
        let Some(index) = self.f.index() else { return Vec::new() };
        let Some((factor, rest)) = (a - b).split(index) else { return Vec::new() };
        if rest.symbols().into_iter().all(|v| known_with_arguments(self.f, v)) {
            match factor.as_constant() {
                Some(1) => self.of_index.not.push(-&rest),
                Some(-1) => self.of_index.not.push(rest),
                _ => {}
            }
        }
        Vec::new()
    }

    /// Notes that a value has to be at least 0. Returns whether that will be known before the loop runs.
    fn claim(&mut self, poly: &Poly, ends_loop: bool) -> bool {
        if poly.is_never_negative(&|v| unsigned(self.f, v)) {
            return true;
        }
        let Some(span) = span(self.f, poly, &self.limits, &self.of_index) else {
            self.unsure = true;
            return false;
        };
        // For any possible iteration.
        let never = |poly: &Poly| poly.is_never_negative(&|v| unsigned(self.f, v));
        let at_first = |(stride, rest): &(Poly, Poly), from: &Poly| never(stride) && never(&(rest + &(stride * from)));
        let zero = Poly::constant(0);
        let firsts: Vec<&Poly> = span.from.iter().chain([&zero]).collect();
        if span.lows.iter().any(|low| firsts.iter().any(|first| at_first(low, first))) {
            return true;
        }
        self.unsure = true;
        if span.lows.is_empty() {
            return false;
        }
        let known = |length: &Poly| length.symbols().into_iter().all(|v| known_with_arguments(self.f, v));
        let lengths =
            self.loops.iter().filter_map(|(_, length)| length.clone().filter(|length| known(length))).collect();
        let claim = Claim { span: Span { highs: Vec::new(), lengths, ..span }, ends_loop };
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
        true
    }

    /// Whether a number equals its polynomial: an unsigned one wraps below 0, and is then compared with its wrapped value.
    pub fn is_itself(&mut self, e: &Expr, poly: &Poly) -> bool {
        self.is_itself_where(e, poly, false)
    }

    fn is_itself_where(&mut self, e: &Expr, poly: &Poly, ends_loop: bool) -> bool {
        if matches!(e.ty, Ty::I32 | Ty::I64) {
            return true;
        }
        let known = self.claim(poly, ends_loop);
        self.doubts += usize::from(!known);
        known
    }

    /// As `is_itself`, for an end of a range. A lower end that is too large for its type, or an upper one that is too small, would
    /// give the loop more turns.
    pub fn ends_itself(&mut self, e: &Expr, low: bool) {
        if let Ok(poly) = self.poly(e) {
            let every = !self.guarded;
            self.is_itself_where(e, &poly, every);
            self.doubts += usize::from(!self.fits(e, &poly, low));
        }
    }

    /// Whether it will be known before the loop runs that a number of 64 bits is not too large for its type, or of a signed type
    /// not too small.
    pub fn fits(&mut self, e: &Expr, poly: &Poly, upper: bool) -> bool {
        let (least, most) = match e.ty {
            Ty::I64 => (i64::MIN.into(), i64::MAX.into()),
            Ty::Usize | Ty::U64 => (0, u64::MAX.into()),
            _ => return true,
        };
        // Below 0 an unsigned number is not itself.
        if !upper && !e.ty.is_signed() || self.counts(poly, e.ty.is_signed()) {
            return true;
        }
        let room = if upper { &Poly::constant(most) - poly } else { poly - &Poly::constant(least) };
        let unsure = self.unsure;
        std::mem::swap(&mut self.claims, &mut self.tops);
        let known = self.claim(&room, false);
        std::mem::swap(&mut self.claims, &mut self.tops);
        self.unsure = unsure;
        known
    }

    /// Whether a sum fits into 64 bits as long as loops run from small numbers, and iterations have small numbers, which is
    /// compared before the loop.
    fn counts(&self, poly: &Poly, signed: bool) -> bool {
        const CONSTANT: i128 = 1 << 40;
        const FACTOR: i128 = 1 << 15;
        let small = |v: VarId| {
            let narrow = self.f.vars.get(v).is_some_and(|info| matches!(info.ty, Ty::U8 | Ty::U32 | Ty::I32));
            let start =
                |lows: &Vec<Poly>| lows.iter().all(|low| low.as_constant().is_some_and(|low| low.abs() < CONSTANT));
            narrow || self.f.index() == Some(v) || self.starts.get(&v).is_some_and(start)
        };
        let few = |product: &[VarId], factor: i128| match product {
            [] => factor.abs() < CONSTANT,
            [v] => factor.abs() < FACTOR && small(*v),
            _ => false,
        };
        if signed {
            let itself =
                poly.symbols().into_iter().next().is_some_and(|v| {
                    *poly == Poly::var(v) && self.f.vars.get(v).is_some_and(|info| info.ty == Ty::I64)
                });
            return itself || poly.terms().all(|(product, factor)| few(product, factor));
        }
        let less = |product: &[VarId]| product.iter().all(|&v| unsigned(self.f, v));
        let more: Vec<_> = poly.terms().filter(|(product, factor)| *factor > 0 || !less(product)).collect();
        let alone = matches!(more[..], [(product, 1)] if product.len() == 1 && less(product));
        alone || more.iter().all(|(product, factor)| few(product, *factor))
    }
}
