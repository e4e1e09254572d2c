//! How many of a region's devices have rows. Short loops take longer on several devices than on one, as each of these has to be told
//! to begin, and waits for what the others wrote.

use super::DataRegion;
use super::balance::{by_weights, in_blocks};
use super::work::cut;
use crate::error::Result;
use crate::units::Seconds;
use std::time::Duration;

/// The loops whose times count.
const LOOPS: usize = 64;
/// The longest of these times do not: others may have had the host's cores.
const LATE: usize = 8;
/// Another number of devices has to be better by this factor, and with each change by that much more.
const LEAST: f64 = 1.3;
const MORE: f64 = 1.25;
/// By this factor where loops take so many times longer than what all devices add: then little is uncertain.
const LEAST_OF_LONG: f64 = 1.1;
const LONG: f64 = 10.0;

/// What is known about loops on some of the devices and on others.
#[derive(Debug, Default)]
pub(super) struct Having {
    /// Time in the region's calls since the last loop.
    calls: Duration,
    /// The same for each of the last loops.
    each: Vec<Duration>,
    /// What each device beyond the first adds to a loop, as seen when several had rows.
    of_more: Option<f64>,
    /// How long a loop would take on each device alone, as last seen.
    alone: Vec<Option<f64>>,
    /// The time of a loop before the last change, and who had how many rows.
    before: Option<(f64, Vec<u64>)>,
    changes: i32,
    /// Changes that made loops slower.
    taken_back: i32,
}

/// Other devices than those that have rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Other {
    /// These, in proportion to their weights: 0 for a device that is to have no rows.
    Weights(Vec<f64>),
    /// Those of before: a change made loops slower.
    Before(Vec<u64>),
}

/// A change, and what a loop takes now and would take then.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Change {
    pub to: Other,
    pub now: Seconds,
    pub then: Seconds,
}

impl Having {
    /// A call of the region took so long.
    pub fn spent(&mut self, time: Duration) {
        self.calls += time;
    }

    /// Time in the region's calls since the last loop.
    pub fn calls(&self) -> Duration {
        self.calls
    }

    /// That time, if a call has it from its beginning to its end.
    pub fn spent_in_all(&mut self, time: Duration) {
        self.calls = time;
    }

    /// A loop has begun. If something else than loops over the region's rows takes part of the time, nothing is known.
    pub fn begun(&mut self, over_rows: bool) {
        let calls = std::mem::take(&mut self.calls);
        if over_rows {
            self.each.push(calls);
        } else {
            self.each.clear();
        }
    }

    /// Times so far are of other loops, or of another division of rows.
    pub fn forget(&mut self) {
        (self.calls, self.before) = (Duration::ZERO, None);
        self.each.clear();
    }

    pub fn is_due(&self) -> bool {
        self.each.len() >= LOOPS
    }

    /// Looks at the last loops: who better had the rows, if not those that do. `alone` is the time of a loop on each device if it
    /// had all rows, by the kernels' times, where that is known.
    pub fn look(&mut self, counts: &[u64], mut alone: Vec<Option<f64>>) -> Option<Change> {
        self.each.sort_unstable();
        let early = &self.each[..self.each.len().saturating_sub(LATE)];
        let each = early.iter().sum::<Duration>().as_secs_f64() / early.len().max(1) as f64;
        self.each.clear();
        // Devices that have no rows are as much slower or faster than the others as they were.
        let seen = |slot: usize| self.alone.get(slot).copied().flatten();
        let scale = (0..counts.len()).find_map(|slot| Some(alone[slot]? / seen(slot)?));
        for (slot, alone) in alone.iter_mut().enumerate() {
            *alone = alone.filter(|time| *time > 0.0).or_else(|| Some(seen(slot)? * scale?));
        }
        let mut known: Vec<(usize, f64)> =
            alone.iter().enumerate().filter_map(|(slot, time)| Some((slot, (*time)?))).collect();
        // The fastest first, and of equal ones those that have rows.
        known.sort_by(|(a, x), (b, y)| x.total_cmp(y).then((counts[*a] == 0).cmp(&(counts[*b] == 0))).then(a.cmp(b)));
        let together = |devices: &[(usize, f64)]| 1.0 / devices.iter().map(|(_, time)| 1.0 / time).sum::<f64>();
        let having: Vec<(usize, f64)> = known.iter().copied().filter(|(slot, _)| counts[*slot] > 0).collect();
        if having.len() != counts.iter().filter(|count| **count > 0).count() || having.is_empty() {
            return None;
        }
        let by_kernels = together(&having);
        let now = each.max(by_kernels);
        if having.len() > 1 {
            self.of_more = Some((now - by_kernels) / (having.len() - 1) as f64);
        }
        if let Some((before, counts)) = self.before.take()
            && now > before
        {
            self.changes += 2;
            self.taken_back += 1;
            return Some(Change { to: Other::Before(counts), now: Seconds(now), then: Seconds(before) });
        }
        let of_more = self.of_more?;
        let best = (1..=known.len()).filter(|number| *number != having.len()).map(|number| {
            let devices = &known[..number];
            (together(devices) + of_more * (number - 1) as f64, devices)
        });
        let (then, devices) = best.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        let is_long = then > LONG * of_more * (having.len().max(devices.len()) - 1) as f64;
        // With each change that made loops slower, more is uncertain there too.
        let least = match is_long {
            true => LEAST_OF_LONG * MORE.powi(2 * self.taken_back),
            false => LEAST * MORE.powi(self.changes),
        };
        if then * least > now {
            return None;
        }
        let mut weights = vec![0.0; counts.len()];
        devices.iter().for_each(|(slot, time)| weights[*slot] = 1.0 / time);
        self.alone = alone;
        Some(Change { to: Other::Weights(weights), now: Seconds(now), then: Seconds(then) })
    }

    /// Rows moved as it was asked for.
    pub fn changed(&mut self, from: Vec<u64>, change: &Change) {
        self.changes += 1;
        self.before = matches!(change.to, Other::Weights(_)).then_some((change.now.0, from));
    }
}

impl DataRegion<'_, '_> {
    /// Gives rows to more or fewer devices if that pays.
    pub(super) fn change_devices(&mut self) -> Result<()> {
        let Some(set) = self.set.as_ref().filter(|_| self.having.is_due()) else { return Ok(()) };
        // Such arrays are on all devices.
        let own = self.arrays.iter().any(|array| array.refused.is_none() && array.layout.has_own_division());
        if !self.balance.on.0 || set.members.len() < 2 || set.topology.dimensions() != 1 || own {
            self.having.forget();
            return Ok(());
        }
        let Some(change) = self.having.look(&set.counts, self.balance.alone(&set.counts)) else { return Ok(()) };
        let granule = self.granule()?;
        let counts = match &change.to {
            Other::Weights(weights) => cut(set.work.as_ref(), &by_weights(set.rows, weights), granule),
            // Arrays may have been mapped since that need other borders.
            Other::Before(counts) => in_blocks(counts, granule),
        };
        let gain = (change.now.0 - change.then.0) * self.loops as f64;
        let pays = matches!(change.to, Other::Before(_)) || gain > 2.0 * self.cost_of_moving(set, &counts);
        if !pays || counts == set.counts || !self.has_room_to_move(set, &counts) {
            return Ok(());
        }
        let (from, devices) = (set.counts.clone(), counts.iter().filter(|count| **count > 0).count());
        let why = format!(
            "after {} loops, of {} each, {devices} of {} devices {} rows: {}",
            self.loops,
            change.now,
            set.members.len(),
            if devices == 1 { "has all" } else { "have" },
            match change.to {
                Other::Before(_) => format!("{} on those of before", change.then),
                Other::Weights(_) => format!("{} there by the kernels' times", change.then),
            }
        );
        self.land_all()?;
        if self.move_to(counts)? {
            self.balance.moved();
            self.having.changed(from, &change);
            self.notes.push(why);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Devices which take `alone` for a loop each, and `more` to begin and wait for each beyond the first.
    struct Machine {
        alone: Vec<f64>,
        first: f64,
        more: f64,
    }

    impl Machine {
        /// A loop, on the devices with rows.
        fn time(&self, counts: &[u64]) -> f64 {
            let speed: f64 = self.having(counts).map(|slot| 1.0 / self.alone[slot]).sum();
            self.first.max(1.0 / speed) + self.more * (self.having(counts).count() - 1) as f64
        }

        fn having<'c>(&self, counts: &'c [u64]) -> impl Iterator<Item = usize> + 'c {
            (0..self.alone.len()).filter(|slot| counts[*slot] > 0)
        }

        /// So many loops, each of which hinders the host for as long as it takes.
        fn run(&self, having: &mut Having, counts: &mut Vec<u64>, loops: usize) -> usize {
            let mut changes = 0;
            for number in 0..loops {
                let late = if number % 10 == 9 { 3.0 } else { 1.0 };
                having.spent(Duration::from_secs_f64(self.time(counts) * late));
                having.begun(true);
                if !having.is_due() {
                    continue;
                }
                let alone = (0..counts.len()).map(|slot| (counts[slot] > 0).then_some(self.alone[slot]));
                if let Some(change) = having.look(counts, alone.collect()) {
                    let rows = counts.iter().sum();
                    let from = match &change.to {
                        Other::Weights(weights) => std::mem::replace(counts, by_weights(rows, weights)),
                        Other::Before(before) => std::mem::replace(counts, before.clone()),
                    };
                    having.changed(from, &change);
                    changes += 1;
                }
            }
            changes
        }
    }

    #[test]
    fn short_loops_get_fewer_devices_and_long_ones_more() {
        let mut having = Having::default();
        let mut counts = vec![250; 4];
        let machine = |alone: f64| Machine { alone: vec![alone; 4], first: 8e-6, more: 16e-6 };
        assert_eq!(machine(20e-6).run(&mut having, &mut counts, 640), 1);
        assert_eq!(counts, [1000, 0, 0, 0]);
        // Each second and third device is worth it, the fourth is not.
        machine(140e-6).run(&mut having, &mut counts, 640);
        assert_eq!(counts.iter().filter(|count| **count > 0).count(), 3, "{counts:?}");
        machine(1e-2).run(&mut having, &mut counts, 6400);
        assert_eq!(counts, [250; 4]);
    }

    #[test]
    fn a_change_that_makes_loops_slower_is_taken_back() {
        let mut having = Having::default();
        let times = |having: &mut Having, seconds: f64| {
            for _ in 0..LOOPS {
                having.spent(Duration::from_secs_f64(seconds));
                having.begun(true);
            }
        };
        times(&mut having, 100e-6);
        let change = having.look(&[5, 5], vec![Some(10e-6); 2]).unwrap();
        assert_eq!(change.to, Other::Weights(vec![1.0 / 10e-6, 0.0]));
        having.changed(vec![5, 5], &change);
        times(&mut having, 120e-6);
        let change = having.look(&[10, 0], vec![Some(10e-6), None]).unwrap();
        assert_eq!(change.to, Other::Before(vec![5, 5]));
        having.changed(vec![10, 0], &change);
        // Now it takes more to try again.
        times(&mut having, 30e-6);
        assert_eq!(having.look(&[5, 5], vec![Some(10e-6); 2]), None);
        times(&mut having, 100e-6);
        assert!(having.look(&[5, 5], vec![Some(10e-6); 2]).is_some());
    }

    /// Devices that share the cores, as the host and an OpenCL device on it do: together they are no faster than one.
    #[test]
    fn devices_that_are_faster_by_their_kernels_alone_are_not_tried_again_and_again() {
        let mut having = Having::default();
        let mut counts = vec![500, 500];
        let short = Machine { alone: vec![20e-6; 2], first: 8e-6, more: 50e-6 };
        assert_eq!(short.run(&mut having, &mut counts, 640), 1);
        assert_eq!(counts, [1000, 0]);
        let mut changes = 0;
        for _ in 0..100 {
            let both = counts.iter().all(|count| *count > 0);
            // Each takes as long for half of the rows as one of them for all, and a little more.
            let (each, alone) = if both { (11e-3, 22e-3) } else { (10e-3, 10e-3) };
            for _ in 0..LOOPS {
                having.spent(Duration::from_secs_f64(each));
                having.begun(true);
            }
            let alone = counts.iter().map(|count| (*count > 0).then_some(alone)).collect();
            let Some(change) = having.look(&counts, alone) else { continue };
            let to = match &change.to {
                Other::Weights(weights) => by_weights(1000, weights),
                Other::Before(before) => before.clone(),
            };
            having.changed(std::mem::replace(&mut counts, to), &change);
            changes += 1;
        }
        assert_eq!(counts, [1000, 0]);
        assert!(changes <= 4, "{changes} changes");
    }

    #[test]
    fn nothing_changes_where_something_is_not_known() {
        let mut having = Having::default();
        for over_rows in [true, false] {
            for number in 0..LOOPS {
                having.spent(Duration::from_millis(1));
                having.begun(over_rows || number % 7 > 0);
            }
            assert_eq!(having.is_due(), over_rows);
            if over_rows {
                assert_eq!(having.look(&[5, 5, 0], vec![Some(1e-6), None, None]), None);
            }
        }
    }

    proptest! {
        /// Who has rows in the end is about as good as any number of the fastest devices, and settles.
        #[test]
        fn the_number_of_devices_is_a_good_one(
            alone in prop::collection::vec(1e-6..1e-3f64, 2..6),
            first in 1e-6..1e-5f64,
            more in 0.0..1e-4f64,
        ) {
            let machine = Machine { alone, first, more };
            let devices = machine.alone.len();
            let weights: Vec<f64> = machine.alone.iter().map(|time| 1.0 / time).collect();
            let mut counts = by_weights(1_000_000, &weights);
            let mut having = Having::default();
            machine.run(&mut having, &mut counts, 20 * LOOPS);
            let settled = counts.clone();
            prop_assert_eq!(machine.run(&mut having, &mut counts, 20 * LOOPS), 0);
            prop_assert_eq!(&counts, &settled);
            let mut order: Vec<usize> = (0..devices).collect();
            order.sort_by(|a, b| machine.alone[*a].total_cmp(&machine.alone[*b]));
            let best = (1..=devices).map(|number| {
                let mut some = vec![0; devices];
                order[..number].iter().for_each(|slot| some[*slot] = 1);
                machine.time(&some)
            });
            let best = best.fold(f64::INFINITY, f64::min);
            // Late loops count a little, and those that wait for the host take longer than their kernels.
            let time = machine.time(&counts);
            prop_assert!(time < best * LEAST * 1.25 + first, "{time} instead of {best} on {counts:?}");
        }
    }
}
