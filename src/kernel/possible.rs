//! Accesses of a generated kernel that an iteration may do without: whether they stay within their arrays whatever the data say is
//! known once the range of the loop is. Where it is not so, a text runs that compares every element with what is there.

use super::{ByOperator, Parts, Shape};
use crate::kernel::{Bound, Reduce};
use crate::space::IterRange;
use smallvec::SmallVec;
use std::ops::Range;

/// Bounds of a value in iteration `i`, each `stride * i + rest`: of the elements of an access, say. All bounds hold.
#[derive(Clone, Debug)]
pub struct Possible {
    lows: SmallVec<[[i128; 2]; 2]>,
    highs: SmallVec<[[i128; 2]; 2]>,
    /// The first and the last iteration that it may be in, and some that it is not in.
    from: i128,
    to: i128,
    not: SmallVec<[i128; 2]>,
}

impl Possible {
    /// With these bounds below and above, from the last of the first list of iterations to the first of the second, but in none
    /// of the third; it is nowhere where a loop around has no turns.
    pub fn new([lows, highs]: [&[[i128; 2]]; 2], [from, to, not]: [&[i128]; 3], lengths: &[i128]) -> Self {
        let nowhere = lengths.iter().any(|&length| length <= 0);
        Self {
            lows: SmallVec::from_slice(lows),
            highs: SmallVec::from_slice(highs),
            from: from.iter().copied().max().unwrap_or(0),
            to: if nowhere { -1 } else { to.iter().copied().min().unwrap_or(i128::MAX) },
            not: SmallVec::from_slice(not),
        }
    }

    /// The least and the greatest value in these iterations, as far as bounds tell; none where it is in none of them.
    fn over(&self, range: IterRange) -> Option<Range<i128>> {
        let (mut first, mut last) = (i128::from(range.start).max(self.from), (i128::from(range.end) - 1).min(self.to));
        // Those at an end: one further in leaves the ends where they are.
        for _ in &self.not {
            first += i128::from(self.not.contains(&first));
            last -= i128::from(self.not.contains(&last));
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
        (low <= high).then_some(low..high + 1)
    }

    /// Whether all of it is there.
    fn stays(&self, range: IterRange, there: &Range<i128>) -> bool {
        self.over(range).is_none_or(|reached| there.start <= reached.start && reached.end <= there.end)
    }
}

/// Gives the texts and bodies of a form.
type PartsOf = fn() -> &'static Parts;

/// The form of a kernel that compares every element.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) struct Checking {
    form: Option<(PartsOf, Shape)>,
    /// By their argument.
    possible: Vec<(usize, Possible)>,
    claims: SmallVec<[(Possible, bool); 2]>,
    pub on_gpus: bool,
    /// Why it is the one that runs, if it is.
    pub why: Option<String>,
}

/// What iterations may reach of the last array.
pub fn possible<'a>(mut bound: Bound<'a>, list: &[Possible]) -> Bound<'a> {
    let argument = bound.arguments().len().saturating_sub(1);
    bound.checking.possible.extend(list.iter().map(|possible| (argument, possible.clone())));
    bound
}

/// Has this form where something is not as it has to be. Of `claims` each is at least 0, or it is so; with `true` there is a
/// loop in every iteration that ends there.
pub fn checked<'a>(mut bound: Bound<'a>, parts: PartsOf, shape: Shape, claims: &[(Possible, bool)]) -> Bound<'a> {
    bound.checking.form = Some((parts, shape));
    bound.checking.claims = claims.iter().cloned().collect();
    bound
}

impl Bound<'_> {
    /// For a loop over this range, in which `there` says which elements an argument has: with the form that compares every
    /// element, where it is not certain that all are there. A form for rows and columns stays as it is.
    pub(crate) fn checked_over(
        mut self,
        range: IterRange,
        operator: Option<Reduce>,
        there: impl Fn(usize) -> Option<Range<i128>>,
    ) -> Self {
        let Some((parts, shape)) = self.checking.form.filter(|_| !self.is_over_cells && !range.is_empty()) else {
            return self;
        };
        let wraps = |(claim, _): &&(Possible, bool)| !claim.stays(range, &(0..i128::MAX));
        if let Some((claim, _)) = self.checking.claims.iter().filter(|(_, ends_loop)| *ends_loop).find(wraps) {
            let least = claim.over(range).map_or(0, |values| values.start);
            return self.misused(format!(
                "with these arguments a loop inside begins or ends at {least}, which is no usize: it would go on for ever. Check \
                 the arguments, or write such an end by `saturating_sub`"
            ));
        }
        let leaves = |(argument, possible): &(usize, Possible)| {
            let (there, reached) = (there(*argument)?, possible.over(range)?);
            if there.start <= reached.start && reached.end <= there.end {
                return None;
            }
            let what = self.arguments()[*argument].array().and_then(|map| map.name).unwrap_or("an array");
            Some(format!(
                "iterations {range} may reach elements {} to {} of `{what}`, which has {} to {}",
                reached.start,
                reached.end - 1,
                there.start,
                there.end - 1
            ))
        };
        let wrapping =
            || self.checking.claims.iter().any(|claim| wraps(&claim)).then(|| "a number may be below 0".to_owned());
        let Some(why) = self.checking.possible.iter().find_map(leaves).or_else(wrapping) else { return self };
        let (cost, on_gpus) = (self.kernel().stated_cost().unwrap_or_default(), self.checking.on_gpus);
        if let Some(by_operator) = &mut self.by_operator {
            *by_operator = ByOperator { parts: parts(), shape, cost, on_gpus };
        }
        self.checking.why = Some(why);
        self.change_kernel(|kernel| {
            let operator = operator.unwrap_or(Reduce::Sum);
            let checked = parts().kernel(operator, shape, Some(cost)).renamed(kernel.shared_name());
            if on_gpus { super::for_gpus(checked) } else { checked }
        })
    }

    /// The same of plain arrays.
    pub(crate) fn checked_over_plain(self, range: IterRange) -> Self {
        let there: SmallVec<[Option<Range<i128>>; 8]> = self
            .arguments()
            .iter()
            .map(|argument| argument.array().filter(|map| map.mapped.is_none()).map(|map| 0..map.len as i128))
            .collect();
        self.checked_over(range, None, |argument| there.get(argument).cloned().flatten())
    }

    /// That every element is compared, if it is so, and why.
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
            let list = |more: i128| bounds.iter().map(|&(stride, rest)| [stride, rest + more]).collect::<Vec<_>>();
            let (from, to): (Vec<_>, Vec<_>) = (from.into_iter().collect(), to.into_iter().collect());
            let possible = Possible::new([&list(0), &list(width)], [&from, &to, &not], &[turns]);
            let (range, there) = (IterRange::new(start, start + len), first..first + elements);
            let reached = (start..start + len).map(i128::from).filter(|i| {
                turns > 0 && from.iter().all(|from| from <= i) && to.iter().all(|to| i <= to) && !not.contains(i)
            });
            // All values that the bounds let an iteration have.
            let mut values = reached.flat_map(|i| {
                let of = |&(stride, rest): &(i128, i128)| stride * i + rest;
                let low = bounds.iter().map(of).max().unwrap();
                low..=bounds.iter().map(of).min().unwrap() + width
            });
            if possible.stays(range, &there) {
                prop_assert!(values.all(|value| there.contains(&value)));
            } else if bounds.len() == 1 && width >= 0 {
                // One bound each way says all: something does leave, at one of the ends.
                prop_assert!(values.any(|value| !there.contains(&value)));
            }
        }
    }
}
