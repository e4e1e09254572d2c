//! Cuts by work, in loops whose iterations differ in it as the rows of a sparse matrix do.
//!
//! Policies, models and the simulator count `N` places of equal work. `M(v)` is the iteration before which `v / N` of the loop's
//! work lies, to the nearest one where it can be cut: `M(0)` is the loop's first iteration, `M(N)` its end, and `M` never
//! decreases. So chunks `v..w` of all places are chunks `M(v)..M(w)` of all iterations. Each has its part of the work, to within
//! one granule of iterations, and it is empty where one of these is more than that part. Where all iterations are equal, `M(v)` is
//! iteration `v`.

use crate::space::IterRange;

/// How much work a loop's iterations are.
pub trait Work: Sync {
    /// The work of all iterations before this one, in any unit. It should not decrease; if it does, chunks are uneven, but each
    /// iteration still runs once.
    fn before(&self, iteration: u64) -> u64;
}

/// The iterations of a loop by their work.
#[derive(Clone, Copy)]
pub(crate) struct ByWork<'w> {
    work: &'w dyn Work,
    range: IterRange,
    granule: u64,
    first: u64,
    total: u64,
}

impl std::fmt::Debug for ByWork<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ByWork").field("range", &self.range).field("total", &self.total).finish_non_exhaustive()
    }
}

impl<'w> ByWork<'w> {
    /// Of the loop `range`, which can be cut at multiples of `granule` from its start.
    pub fn new(work: &'w dyn Work, range: IterRange, granule: u64) -> Self {
        let first = work.before(range.start);
        let total = work.before(range.end).saturating_sub(first);
        Self { work, range, granule: granule.max(1), first, total }
    }

    fn done(&self, iteration: u64) -> u64 {
        self.work.before(iteration).saturating_sub(self.first)
    }

    /// `M(place)`.
    pub fn iteration(&self, place: u64) -> u64 {
        let n = self.range.len();
        if place >= n {
            return self.range.end;
        }
        if self.total == 0 {
            return self.range.start + place.next_multiple_of(self.granule).min(n);
        }
        self.nearest(self.range, self.granule, part(self.total, place, n))
    }

    /// The iteration of `chunk` before which `place / places` of its work lies, to the nearest multiple of `unit` from its start.
    pub fn within(&self, chunk: IterRange, unit: u64, place: u64, places: u64) -> u64 {
        if place >= places {
            return chunk.end;
        }
        let (before, end) = (self.done(chunk.start), self.done(chunk.end));
        self.nearest(chunk, unit, before.saturating_add(part(end.saturating_sub(before), place, places)))
    }

    /// How many places some iterations are worth, to the nearest one; at least 1, if there are any.
    pub fn places(&self, iterations: IterRange) -> u64 {
        let n = self.range.len();
        if iterations.is_empty() || self.total == 0 {
            return iterations.len();
        }
        let work = self.done(iterations.end).saturating_sub(self.done(iterations.start)).min(self.total);
        let (work, total) = (u128::from(work), u128::from(self.total));
        ((work * u128::from(n) + total / 2) / total).clamp(1, n.into()) as u64
    }

    /// From `start` on about so many places of what comes before `end`: whole granules of the loop, at least one.
    pub fn take(&self, start: u64, end: u64, places: u64) -> u64 {
        let n = self.range.len();
        let least = (start - self.range.start + 1).next_multiple_of(self.granule).saturating_add(self.range.start);
        let wanted = self.done(start).saturating_add(part(self.total, places.min(n), n));
        self.nearest(self.range, self.granule, wanted).max(least).min(end)
    }

    /// Where in `range`, cut at multiples of `unit`, there is about so much work before.
    ///
    /// What is asked on the way to one result is answered alike on the way to another, so results never decrease with `wanted`,
    /// even if the work does.
    fn nearest(&self, range: IterRange, unit: u64, wanted: u64) -> u64 {
        let unit = unit.max(1);
        let at = |k: u64| range.start.saturating_add(k.saturating_mul(unit)).min(range.end);
        let (mut low, mut high) = (0, range.len().div_ceil(unit));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.done(at(middle)) < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(before) = low.checked_sub(1) else { return range.start };
        let (less, more) = (self.done(at(before)), self.done(at(low)));
        if wanted.saturating_sub(less) < more.saturating_sub(wanted) { at(before) } else { at(low) }
    }
}

/// `place / places` of `total`.
fn part(total: u64, place: u64, places: u64) -> u64 {
    (u128::from(total) * u128::from(place) / u128::from(places.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any numbers, in order or not.
    struct Table(Vec<u64>);

    impl Work for Table {
        fn before(&self, iteration: u64) -> u64 {
            self.0[iteration as usize]
        }
    }

    fn in_order() -> impl Strategy<Value = Vec<u64>> {
        let length = prop_oneof![3 => Just(0u64), 3 => 0u64..20, 1 => 0u64..10_000, 1 => Just(1 << 40)];
        prop::collection::vec(length, 1..80).prop_map(|lengths| {
            let sums = lengths.iter().scan(7, |sum, length| {
                *sum += length;
                Some(*sum)
            });
            std::iter::once(7).chain(sums).collect()
        })
    }

    #[test]
    fn equal_iterations_are_their_own_places() {
        struct Equal;
        impl Work for Equal {
            fn before(&self, iteration: u64) -> u64 {
                24 * iteration
            }
        }
        for granule in [1, 4, 7] {
            let by = ByWork::new(&Equal, IterRange::new(5, 105), granule);
            for place in (0..=100).filter(|place: &u64| place.is_multiple_of(granule)) {
                assert_eq!(by.iteration(place), 5 + place);
            }
            assert_eq!((by.iteration(100), by.places(IterRange::new(9, 40))), (105, 31));
        }
    }

    proptest! {
        #[test]
        fn places_go_to_iterations_in_order_whatever_the_numbers(
            table in prop_oneof![in_order(), prop::collection::vec(any::<u64>(), 2..80)],
            (from, granule) in (0usize..80, 1u64..6),
        ) {
            let end = table.len() as u64 - 1;
            let range = IterRange::new((from as u64).min(end), end);
            let by = ByWork::new(&Table(table.clone()), range, granule).iteration_list();
            prop_assert_eq!((by[0], by[by.len() - 1]), (range.start, range.end));
            prop_assert!(by.windows(2).all(|pair| pair[0] <= pair[1]), "{by:?}");
            prop_assert!(by.iter().all(|i| *i == end || (i - range.start).is_multiple_of(granule)), "{by:?}");
        }

        #[test]
        fn a_chunk_has_its_part_of_the_work_to_within_an_iteration(
            table in in_order(), (from, to) in (0u64..=80, 0u64..=80),
        ) {
            let n = table.len() as u64 - 1;
            let (from, to) = (from.min(to).min(n), from.max(to).min(n));
            let work = Table(table.clone());
            let by = ByWork::new(&work, IterRange::new(0, n), 1);
            let longest = table.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap();
            let done = |i: u64| table[i as usize] - table[0];
            let wanted = part(done(n), to - from, n);
            let has = done(by.iteration(to)) - done(by.iteration(from));
            prop_assert!(has.abs_diff(wanted) <= longest + 1, "{has} of {wanted}, with rows up to {longest}");
            let within = IterRange::new(from, to);
            let mut before = from;
            for place in 0..=7 {
                let now = by.within(within, 1, place, 7);
                prop_assert!(before <= now && now <= to);
                let wanted = done(from) + part(done(to) - done(from), place, 7);
                prop_assert!(2 * done(now).abs_diff(wanted) <= longest + 1);
                before = now;
            }
            prop_assert_eq!(before, to);
        }
    }

    impl ByWork<'_> {
        fn iteration_list(&self) -> Vec<u64> {
            (0..=self.range.len()).map(|place| self.iteration(place)).collect()
        }
    }
}
