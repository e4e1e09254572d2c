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
    let (lengths, _) = access.lengths(f);
    (!span.lows.is_empty() && !span.highs.is_empty()).then_some(Span { lengths, ..span })
}

/// Numbers that are small.
const CONSTANT: i128 = 1 << 40;

impl Accesses<'_> {
    /// Whether the first value of a loop is small by its type, as of `at[i] as usize` with elements of 32 bits.
    pub fn starts_small(&self, lo: &Expr) -> bool {
        let (least, most) = self.between(lo);
        -CONSTANT < least && most < CONSTANT
    }

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
        if e.ty.is_signed() {
            return true;
        }
        let known = self.claim(poly, ends_loop);
        self.doubts.values += usize::from(!known);
        known
    }

    /// Notes that a remainder is below its divisor only if this is at least 1: by 0, it is 0 on devices. What it limits is compared
    /// when it happens in loops over rows and columns, and no argument's number limits local arrays, which are all that helpers have.
    pub fn is_divisor(&mut self, by: &Poly) {
        if self.f.pitches.is_empty() && !self.f.helper {
            let unsure = self.unsure;
            let known = self.claim(&(by - &Poly::constant(1)), false);
            self.unsure = unsure;
            self.doubts.values += usize::from(!known);
        }
    }

    /// As `is_itself`, for an end of a range. A lower end that is too large for its type, or an upper one that is too small, would
    /// give the loop more turns.
    pub fn ends_itself(&mut self, e: &Expr, low: bool) {
        if let Ok(poly) = self.poly(e) {
            let every = !self.guarded;
            self.is_itself_where(e, &poly, every);
            // Local arrays do without the first value of an unsigned loop, unless it cannot have wrapped.
            self.must_fit(e, &poly, low, !e.ty.is_signed());
        }
    }

    /// Notes that limits do not hold if a number is too large for its type, or of a signed type too small. `apart` says that what is
    /// known of local arrays makes no use of them then.
    pub fn must_fit(&mut self, e: &Expr, poly: &Poly, upper: bool, apart: bool) {
        let doubt = usize::from(!self.fits(e, poly, upper, apart));
        *if apart { &mut self.doubts.tops } else { &mut self.doubts.values } += doubt;
    }

    /// Whether it will be known before the loop runs that a number of 64 bits is not too large for its type, or of a signed type
    /// not too small. `apart` is as for `must_fit`.
    pub fn fits(&mut self, e: &Expr, poly: &Poly, upper: bool, apart: bool) -> bool {
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
        if apart {
            std::mem::swap(&mut self.claims, &mut self.tops);
        }
        let known = self.claim(&room, false);
        if apart {
            std::mem::swap(&mut self.claims, &mut self.tops);
        }
        self.unsure = unsure;
        known
    }

    /// Whether a sum fits into 64 bits as long as loops run from small numbers, and iterations have small numbers, which is
    /// compared before the loop.
    fn counts(&self, poly: &Poly, signed: bool) -> bool {
        const FACTOR: i128 = 1 << 15;
        let small = |v: VarId| {
            let narrow = self.f.vars.get(v).is_some_and(|info| info.ty.is_integer() && info.ty.bytes() <= 4);
            let start =
                |lows: &Vec<Poly>| lows.iter().all(|low| low.as_constant().is_some_and(|low| low.abs() < CONSTANT));
            let starts = self.small_starts.contains(&v) || self.starts.get(&v).is_some_and(start);
            narrow || self.f.index() == Some(v) || starts
        };
        let few = |product: &[VarId], factor: i128| match product {
            [] => factor.abs() < CONSTANT,
            [v] => factor.abs() < FACTOR && small(*v),
            _ => false,
        };
        // What follows a number below another one of the same type is one, too.
        let next = |v: VarId, rest: i128| rest == 0 || rest == 1 && self.below_end.contains(&v);
        let of = |v: VarId| self.f.vars.get(v).map(|info| info.ty).or_else(|| self.made.get(&v).map(|e| e.ty));
        if signed {
            let itself = poly.symbols().into_iter().next().is_some_and(|v| {
                let rest = (poly - &Poly::var(v)).as_constant();
                rest.is_some_and(|rest| next(v, rest)) && of(v) == Some(Ty::I64)
            });
            return itself || poly.terms().all(|(product, factor)| few(product, factor));
        }
        let less = |product: &[VarId]| product.iter().all(|&v| unsigned(self.f, v));
        let more: Vec<_> = poly.terms().filter(|(product, factor)| *factor > 0 || !less(product)).collect();
        let alone = match more[..] {
            [(&[v], 1)] | [([], 1), (&[v], 1)] => less(&[v]) && next(v, more.len() as i128 - 1),
            _ => false,
        };
        alone || more.iter().all(|(product, factor)| few(product, *factor))
    }
}

#[cfg(test)]
mod tests {
    use crate::access;
    use crate::checked::{self, Checked, each_local_index};
    use crate::ir::Function;

    fn function(text: &str, helper: bool) -> Function {
        let item: syn::ItemFn = syn::parse_str(text).unwrap();
        let mut f = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        f.helper = helper;
        if helper {
            f.indices.clear();
        }
        crate::lower::lower(f, &item.block).unwrap()
    }

    fn kernel(body: &str) -> Function {
        let arrays = "ptr: &[u64], from: &[usize], at: &[u32], x: &[f32], y: &mut [f32]";
        function(&format!("fn f(i: usize, m: usize, n: usize, s: usize, d: i64, {arrays}) {{ {body} }}"), false)
    }

    /// How many arrays devices compare accesses to whatever the arguments, and on how many conditions the other proofs depend.
    fn of_kernel(body: &str) -> (usize, usize) {
        let f = kernel(body);
        let all = access::collect(&f);
        (Checked::of(&f, &all).arrays.len(), all.claims.len() + all.tops.len())
    }

    /// How many indices of local arrays are compared.
    fn local(f: &Function) -> usize {
        let (checked, mut count) = (Checked::of_function(f), 0);
        each_local_index(f, &mut |index| count += usize::from(checked.has_local(index)));
        count
    }

    #[test]
    fn numbers_in_functions_have_to_fit() {
        for body in [
            "let k = i.wrapping_add(s).max(3); if k < n { y[i] = x[k + 10]; }",
            "y[i] = x[((s as i64).min(5) + 3) as usize];",
            "let k = (s as i64).max(5); if k < d { y[i] = x[(k + 3) as usize]; }",
            "let k = (d - s as i64).max(5); if k < d { y[i] = x[(k + 3) as usize]; }",
            "if i < n * 4 / 4 { y[i] = 1.0; } else { y[i] = x[i + 10]; }",
            "if (n + s) / 2 > m { y[i] = x[i]; }",
            "if (n + s).saturating_sub(m) < 4 { y[i] = x[i]; }",
            "y[i] = x[i % n];",
        ] {
            let (compared, conditions) = of_kernel(body);
            assert!(compared == 0 && conditions > 0, "{body}: {compared}, {conditions}");
        }
    }

    #[test]
    fn numbers_that_fit_anyway_need_no_condition() {
        for body in [
            "if i.max(3) < n { y[i] = x[i]; }",
            "if i.saturating_sub(n) < 4 { y[i] = x[i]; }",
            "if (n + s).min(m) < 4 { y[i] = x[i]; }",
            "if n / 2 <= m { y[i] = x[i]; }",
            "for k in 0..n { if (k * 4 + 3) / 4 < m { y[i] += x[i]; } }",
            "for k in (0..n).step_by(1) { y[i] += x[k]; }",
        ] {
            assert_eq!(of_kernel(body), (0, 0), "{body}");
        }
    }

    #[test]
    fn what_follows_a_number_below_an_end_fits() {
        // Of elements of 64 bits nothing is known, those of 32 bits are small.
        let within = |of: &str| format!("for k in {of}[i] as usize..{of}[i + 1] as usize {{ ");
        for (inner, compared) in [
            ("for l in k + 1..n { y[i] += x[l]; } }", [0, 0]),
            ("if k + 1 < n { y[i] += x[k + 1]; } }", [0, 0]),
            ("if k + 2 < n { y[i] += x[k + 2]; } }", [1, 0]),
            // What another condition proves stays proved.
            ("if k < n { if k + 2 < m { y[i] += x[k]; } } }", [0, 0]),
        ] {
            for (of, compared) in [("ptr", compared[0]), ("from", compared[0]), ("at", compared[1])] {
                assert_eq!(of_kernel(&(within(of) + inner)).0, compared, "{of}: {inner}");
            }
            let own = "for k in from[i]..from[i + 1] { ".to_owned();
            assert_eq!(of_kernel(&(own + inner)).0, compared[0], "{inner}");
        }
        // The last one of an inclusive range may be the greatest number.
        let (compared, _) =
            of_kernel("for k in ptr[i] as usize..=ptr[i + 1] as usize { if k + 1 < n { y[i] += x[k + 1]; } }");
        assert_eq!(compared, 1);
    }

    #[test]
    fn the_checking_form_takes_no_signed_end_for_proved() {
        let body = "let mut w = [0.0f32; 4]; for k in (n as i64)..4 { w[k as usize] += 1.0; } y[i] = w[0];";
        let f = kernel(body);
        assert_eq!(local(&checked::all_checked(&f)), 1);
        // Where the condition holds, nothing is compared.
        assert!(local(&f) == 0 && of_kernel(body).1 > 0);
        for body in [
            "for k in (n as i64)..4 { w[k as usize] += 1.0; }",
            "let e = 3 - (n as i64).min(3); for k in 0..e { w[k as usize] += 1.0; }",
        ] {
            let f = function(&format!("fn f(n: usize) -> f32 {{ let mut w = [0.0f32; 4]; {body} w[0] }}"), true);
            assert_eq!(local(&f), 1, "{body}");
        }
    }

    #[test]
    fn local_arrays_of_helpers_do_without_numbers_that_may_not_fit() {
        for body in [
            "for k in s + 2..4 { w[k] += 1.0; }",
            "for t in (0..n).step_by(2) { for k in t..m { if k < 4 { w[k] += 1.0; } } }",
            "if n + s < m { for k in 0..4 { w[k] += 1.0; } }",
            "for k in s..n { if k + 2 < m && k < 4 { w[k] += 1.0; } }",
            "for k in (n + s).max(2)..4 { w[k] += 1.0; }",
        ] {
            let f = function(
                &format!("fn f(m: usize, n: usize, s: usize) -> f32 {{ let mut w = [0.0f32; 4]; {body} w[0] }}"),
                true,
            );
            assert_eq!(local(&f), 0, "{body}");
        }
    }
}
