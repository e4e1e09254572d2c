//! Accesses of a generated kernel that an iteration may or may not make. Once the loop's range is known, bounds tell whether
//! they stay within their arrays for any data. If not, a text runs that checks every access.

use super::{ByOperator, PartsOf, Shape};
use crate::kernel::{Bound, Reduce};
use crate::space::IterRange;
use smallvec::SmallVec;
use std::ops::Range;

/// Bounds of a value in iteration `i`, such as the element of an access; each bound is `stride * i + rest`, and all hold.
#[derive(Clone, Debug)]
pub struct Possible {
    lows: SmallVec<[[i128; 2]; 2]>,
    highs: SmallVec<[[i128; 2]; 2]>,
    /// The first and the last iteration in which the value may occur, and some in which it does not.
    from: i128,
    to: i128,
    not: SmallVec<[i128; 2]>,
}

/// A sum of products; none if it, or a step on the way to it, has no number of 128 bits.
pub const fn sum(terms: &[&[Option<i128>]]) -> Option<i128> {
    // Without iterators, which constants cannot use.
    let (mut all, mut term) = (0i128, 0);
    while term < terms.len() {
        let (mut product, mut factor) = (1i128, 0);
        while factor < terms[term].len() {
            let Some(by) = terms[term][factor] else { return None };
            let Some(next) = product.checked_mul(by) else { return None };
            (product, factor) = (next, factor + 1);
        }
        let Some(next) = all.checked_add(product) else { return None };
        (all, term) = (next, term + 1);
    }
    Some(all)
}

/// A number divided by a positive constant.
pub const fn quotient(of: Option<i128>, by: i128) -> Option<i128> {
    match of {
        Some(of) => Some(of / by),
        None => None,
    }
}

/// A number, or what stands for one that is too large.
pub const fn number_or(number: Option<i128>, otherwise: i128) -> i128 {
    match number {
        Some(number) => number,
        None => otherwise,
    }
}

/// The least of these numbers, which is no less than 0.
pub fn least(list: &[i128]) -> i128 {
    list.iter().copied().min().unwrap_or(0).max(0)
}

/// Operations of a helper's call, few enough to be added and multiplied.
pub const fn operations(number: i128) -> i128 {
    if number < u64::MAX as i128 { number } else { u64::MAX as i128 }
}

/// An array and a number in its indices, as texts, that is too large with some arguments.
type Beyond = Option<[&'static str; 2]>;

/// A number in an array's indices. The first that has none of 128 bits is noted in `beyond`.
pub fn number(number: Option<i128>, text: [&'static str; 2], beyond: &mut Beyond) -> i128 {
    number.unwrap_or_else(|| {
        beyond.get_or_insert(text);
        0
    })
}

/// Refuses arguments with which an index has no number.
pub fn within(bound: Bound<'_>, beyond: Beyond) -> Bound<'_> {
    let Some([array, text]) = beyond else { return bound };
    bound.misused(format!(
        "array `{array}`: its indices contain {text}, which with these arguments is more than 128 bits hold, and so beyond the \
         end of every array: check the arguments in it"
    ))
}

impl Possible {
    /// With these lower and upper bounds. The value occurs from the last of `from` to the first of `to`, except in the
    /// iterations of `not`; nowhere if a surrounding loop, of one of `lengths`, has no turns. What has no number says nothing.
    pub fn new(
        [lows, highs]: [&[[Option<i128>; 2]]; 2],
        [from, to, not]: [&[Option<i128>]; 3],
        lengths: &[Option<i128>],
    ) -> Self {
        let pairs = |list: &[[Option<i128>; 2]]| {
            list.iter().filter_map(|[stride, rest]| Some([(*stride)?, (*rest)?])).collect()
        };
        let nowhere = lengths.iter().flatten().any(|&length| length <= 0);
        Self {
            lows: pairs(lows),
            highs: pairs(highs),
            from: from.iter().flatten().copied().max().unwrap_or(0),
            to: if nowhere { -1 } else { to.iter().flatten().copied().min().unwrap_or(i128::MAX) },
            not: not.iter().flatten().copied().collect(),
        }
    }

    /// The values possible in `range`, as far as the bounds tell; none if the value does not occur there.
    fn over(&self, range: IterRange) -> Option<Range<i128>> {
        let (mut first, mut last) = (i128::from(range.start).max(self.from), (i128::from(range.end) - 1).min(self.to));
        // Skip excluded iterations at either end; those further in do not move the ends.
        for _ in &self.not {
            first = first.saturating_add(self.not.contains(&first).into());
            last = last.saturating_sub(self.not.contains(&last).into());
        }
        if first > last {
            return None;
        }
        let ends = |[stride, rest]: &[i128; 2]| {
            let ends = [first, last].map(|i| stride.saturating_mul(i).saturating_add(*rest));
            (ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        let low = self.lows.iter().map(|low| ends(low).0).max().unwrap_or(i128::MIN);
        let high = self.highs.iter().map(|high| ends(high).1).min().unwrap_or(i128::MAX - 1);
        // An end beyond all numbers is in no array, as that of an array is a number.
        (low <= high).then_some(low..high.saturating_add(1))
    }

    /// Whether all values possible in `range` are in `there`.
    fn stays(&self, range: IterRange, there: &Range<i128>) -> bool {
        self.over(range).is_none_or(|reached| there.start <= reached.start && reached.end <= there.end)
    }
}

/// Sums of an iteration's number and a few others that are known to be small fit into 64 bits if it is below this.
const SMALL: u64 = 1 << 47;

/// The form of a kernel that checks every access.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) struct Checking {
    form: Option<(PartsOf, Shape)>,
    /// Possible accesses, by argument.
    possible: Vec<(usize, Possible)>,
    // Not inline: most kernels have none, and a bound kernel is moved several times before its loop runs.
    claims: Vec<(Possible, bool)>,
    pub on_gpus: bool,
    /// Why this form runs, if it does.
    pub why: Option<String>,
}

/// Adds the elements of the last array that iterations may reach.
pub fn possible<'a>(mut bound: Bound<'a>, list: &[Possible]) -> Bound<'a> {
    let argument = bound.arguments().len().saturating_sub(1);
    bound.checking.possible.extend(list.iter().map(|possible| (argument, possible.clone())));
    bound
}

/// Sets the form that runs where an access may leave its array, or a claim may not hold. A claim is a value that must be at
/// least 0; `true` says that every iteration has a loop that begins or ends at that value.
pub fn checked<'a>(mut bound: Bound<'a>, parts: PartsOf, shape: Shape, claims: &[(Possible, bool)]) -> Bound<'a> {
    bound.checking.form = Some((parts, shape));
    bound.checking.claims = claims.to_vec();
    bound
}

impl Bound<'_> {
    /// For a loop over `range`, with the elements of each argument by `there`: takes the form that checks every access, unless
    /// all are certain to stay in their arrays. A form for rows and columns stays as it is.
    pub(crate) fn check_over(
        &mut self,
        range: IterRange,
        operator: Option<Reduce>,
        there: impl Fn(usize) -> Option<Range<i128>>,
    ) {
        let Some((parts, shape)) = self.checking.form.filter(|_| !self.is_over_cells && !range.is_empty()) else {
            return;
        };
        let wraps = |(claim, _): &&(Possible, bool)| !claim.stays(range, &(0..i128::MAX));
        if let Some((claim, _)) = self.checking.claims.iter().filter(|(_, ends_loop)| *ends_loop).find(wraps) {
            let least = claim.over(range).map_or(0, |values| values.start);
            return self.refuse(format!(
                "with these arguments a loop inside begins or ends at {least}, below 0, which a usize cannot be. Check the \
                 arguments, or write such an end by `saturating_sub`"
            ));
        }
        let leaves = |(argument, possible): &(usize, Possible)| {
            let (there, reached) = (there(*argument)?, possible.over(range)?);
            if there.start <= reached.start && reached.end <= there.end {
                return None;
            }
            let map = self.arguments()[*argument].array();
            let what = map.and_then(|map| map.name).unwrap_or("an array");
            let of = |component: i128| component.div_euclid(map.map_or(1, |map| map.components) as i128);
            Some(format!(
                "iterations {range} may reach elements {} to {} of `{what}`, which has {} to {}",
                of(reached.start),
                of(reached.end - 1),
                of(there.start),
                of(there.end - 1)
            ))
        };
        let wrapping = || {
            let wraps = range.end > SMALL || self.checking.claims.iter().any(|claim| wraps(&claim));
            wraps.then(|| "a number may be below 0, or too large for its type".to_owned())
        };
        let Some(why) = self.checking.possible.iter().find_map(leaves).or_else(wrapping) else { return };
        let (cost, on_gpus) = (self.kernel().stated_cost().unwrap_or_default(), self.checking.on_gpus);
        if let Some(by_operator) = &mut self.by_operator {
            *by_operator = ByOperator { parts: parts(), shape, cost, on_gpus };
        }
        self.checking.why = Some(why);
        self.change_kernel(|kernel| {
            let operator = operator.unwrap_or(Reduce::Sum);
            let checked = parts().kernel(operator, shape, Some(cost)).renamed(kernel.shared_name());
            if on_gpus { super::for_gpus(checked) } else { checked }
        });
    }

    /// Whether there is a form that checks every access.
    #[inline]
    pub(crate) fn has_checked_form(&self) -> bool {
        self.checking.form.is_some()
    }

    /// The same for plain arrays.
    pub(crate) fn check_over_plain(&mut self, range: IterRange) {
        let there: SmallVec<[Option<Range<i128>>; 8]> = self
            .arguments()
            .iter()
            .map(|argument| argument.array().filter(|map| map.mapped.is_none()).map(|map| 0..map.len as i128))
            .collect();
        self.check_over(range, None, |argument| there.get(argument).cloned().flatten());
    }

    /// A note that every access is checked, and why, if it is so.
    pub(crate) fn note_of_comparing(&self) -> Option<String> {
        let (name, why) = (self.kernel().name(), self.checking.why.as_deref()?);
        Some(format!(
            "kernel `{name}`: on devices every access is compared with its array, which takes longer: as far as the text tells, \
             {why}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_access_beyond_all_numbers_leaves_every_array() {
        // As of `x[i * n * m]` with such n and m: the third iteration's place has no number of 128 bits.
        let stride = (i128::from(u64::MAX) / 2 + 12346) * (i128::from(u64::MAX) / 2 + 2);
        for stride in [stride, -stride] {
            let bounds = [[Some(stride), Some(0)]];
            let possible = Possible::new([&bounds, &bounds], [&[], &[], &[]], &[]);
            assert!(!possible.stays(IterRange::new(0, 3), &(0..i128::from(u64::MAX))));
        }
    }

    #[test]
    fn what_has_no_number_is_no_proof() {
        let most = Some(i128::from(u64::MAX));
        let room = sum(&[&[most], &[Some(-1), most, most, most]]);
        assert_eq!((room, sum(&[&[Some(-2), Some(3)], &[most]])), (None, Some(i128::from(u64::MAX) - 6)));
        // Neither a bound, nor a condition, nor a loop without turns.
        let low = [[Some(0), room]];
        for of in [[&[][..], &[], &[]], [&[room], &[room], &[room]]] {
            let claim = Possible::new([&low, &[]], of, &[room]);
            assert!(!claim.stays(IterRange::new(0, 3), &(0..i128::MAX)));
        }
    }

    proptest! {
        #[test]
        fn what_stays_has_no_iteration_that_leaves(
            bounds in prop::collection::vec((-3..4i128, -20..20i128), 1..3),
            width in 0..6i128,
            (from, to) in (prop::option::of(-2..12i128), prop::option::of(-2..12i128)),
            not in prop::collection::vec(-1..12i128, 0..3),
            (start, len) in (0..8u64, 0..8u64),
            (first, elements) in (-5..5i128, 0..60i128),
            turns in -1..3i128,
        ) {
            let list = |more: i128| bounds.iter().map(|&(stride, rest)| [Some(stride), Some(rest + more)]).collect::<Vec<_>>();
            let (from, to): (Vec<_>, Vec<_>) = (from.into_iter().collect(), to.into_iter().collect());
            let some = |list: &Vec<i128>| list.iter().copied().map(Some).collect::<Vec<_>>();
            let iterations = [&some(&from)[..], &some(&to), &some(&not)];
            let possible = Possible::new([&list(0), &list(width)], iterations, &[Some(turns)]);
            let (range, there) = (IterRange::new(start, start + len), first..first + elements);
            let reached = (start..start + len).map(i128::from).filter(|i| {
                turns > 0 && from.iter().all(|from| from <= i) && to.iter().all(|to| i <= to) && !not.contains(i)
            });
            // All values that the bounds allow an iteration.
            let mut values = reached.flat_map(|i| {
                let of = |&(stride, rest): &(i128, i128)| stride * i + rest;
                let low = bounds.iter().map(of).max().unwrap();
                low..=bounds.iter().map(of).min().unwrap() + width
            });
            if possible.stays(range, &there) {
                prop_assert!(values.all(|value| there.contains(&value)));
            } else if bounds.len() == 1 && width >= 0 {
                // With one bound each way the answer is exact: a value does leave, at one of the ends.
                prop_assert!(values.any(|value| !there.contains(&value)));
            }
        }
    }
}
