//! What devices share, such as the host's memory, while they run together: each gets of it in proportion to what it asks for.
//!
//! A device that would finish at `end` asks for `(once_i + n_i * x_i) / end` of a capacity. While those at work ask for more
//! than all of it, each of them is slowed by the same factor, the sum of what they ask; by the largest where a device draws on
//! several. No more than all of a capacity is ever given, and where all finish together the loop takes the time of the
//! scarcest. Where a device is known to be slowed less or more than in proportion ([`Shared::steady`]), it is.

use crate::model::Shared;
use crate::units::Seconds;
use smallvec::SmallVec;

/// From the time without contention to the time with it, for each device.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// For each device: until when without contention, until when with it, and how much slower before. Empty where nobody
    /// waits for anybody.
    steps: Vec<Vec<(f64, f64, f64)>>,
}

impl Clock {
    /// For devices that would end at `ends` with `counts` iterations each; `members` are their places in `shared`.
    pub fn new(ends: &[f64], counts: &[u64], shared: &[Shared], members: impl Fn(usize) -> usize) -> Self {
        let mut steps = Vec::new();
        run(ends, counts, shared, members, |k, step| {
            if steps.is_empty() {
                steps = vec![Vec::new(); ends.len()];
            }
            steps[k].push(step);
        });
        Self { steps }
    }

    /// Nobody waits for anybody.
    pub fn is_free(&self) -> bool {
        self.steps.is_empty()
    }

    /// When that happens on a device which would happen at `time` without contention.
    pub fn at(&self, device: usize, time: Seconds) -> Seconds {
        let Some(steps) = self.steps.get(device) else { return time };
        match steps.iter().find(|(end, ..)| time.0 <= *end) {
            // Nothing begins before the loop, but for rounding.
            Some((end, now, slower)) => Seconds((now - (end - time.0) * slower).max(0.0)),
            None => steps.last().map_or(time, |(end, now, _)| Seconds(now + (time.0 - end))),
        }
    }

    /// As [`makespan`], by this clock.
    pub fn makespan(&self, ends: &[f64], scatter: impl Fn(usize) -> f64) -> f64 {
        last_of(ends, |k| self.at(k, Seconds(ends[k])).0, scatter)
    }
}

/// When the last device ends with contention, as often later as sooner. `scatter` is the standard deviation of each one's end,
/// without contention: of several that end at about one time, the last is later than each is by itself. The rest is as in
/// [`Clock::new`].
pub(super) fn makespan(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    scatter: impl Fn(usize) -> f64,
) -> f64 {
    let mut at: SmallVec<[f64; 16]> = SmallVec::from_slice(ends);
    run(ends, counts, shared, members, |k, (_, now, _)| at[k] = now);
    last_of(ends, |k| at[k], scatter)
}

fn last_of(ends: &[f64], at: impl Fn(usize) -> f64, scatter: impl Fn(usize) -> f64) -> f64 {
    let last = (0..ends.len()).map(&at).fold(0.0, f64::max);
    let scattered = |k: usize| {
        let deviation = scatter(k) * if ends[k] > 0.0 { at(k) / ends[k] } else { 0.0 };
        (deviation > 0.0 && at(k) + FAR * deviation > last).then(|| (at(k), deviation))
    };
    let all: SmallVec<[(f64, f64); 8]> = (0..ends.len()).filter_map(scattered).collect();
    if all.len() < 2 { last } else { median_of_last(&all, last) }
}

/// Tells of each device, in its order, until when without contention, until when with it, and how much slower before it is so
/// slow; of none where nobody waits for anybody.
fn run(
    ends: &[f64],
    counts: &[u64],
    shared: &[Shared],
    members: impl Fn(usize) -> usize,
    mut tell: impl FnMut(usize, (f64, f64, f64)),
) {
    let works = |k: usize| ends[k] > 0.0 && counts[k] > 0;
    // What each asks for of a capacity while it is at work. Of one that is not short now there will be enough later.
    let mut asked: SmallVec<[f64; 64]> = SmallVec::new();
    let mut short: SmallVec<[&Shared; 8]> = SmallVec::new();
    for capacity in shared {
        let begin = asked.len();
        let asks = |k: usize| {
            let i = members(k);
            if works(k) { (capacity.once[i].0 + capacity.per_iteration[i].0 * counts[k] as f64) / ends[k] } else { 0.0 }
        };
        asked.extend((0..ends.len()).map(asks));
        if asked[begin..].iter().sum::<f64>() > 1.0 {
            short.push(capacity);
        } else {
            asked.truncate(begin);
        }
    }
    if short.is_empty() {
        return;
    }
    let mut left: SmallVec<[f64; 16]> = SmallVec::from_slice(ends);
    let mut slower: SmallVec<[f64; 16]> = SmallVec::from_elem(1.0, ends.len());
    let mut now = 0.0;
    loop {
        slower.fill(1.0);
        let mut any = false;
        for (capacity, asked) in short.iter().zip(asked.chunks_exact(ends.len())) {
            let all: f64 = left.iter().zip(asked).filter(|(left, _)| **left > 0.0).map(|(_, asked)| asked).sum();
            if all > 1.0 {
                any = true;
                for (k, (slower, asks)) in slower.iter_mut().zip(asked).enumerate() {
                    if *asks > 0.0 {
                        *slower = f64::max(*slower, capacity.slowed(members(k), all));
                    }
                }
            }
        }
        if !any {
            // From here on nobody waits.
            for (k, left) in left.iter().enumerate().filter(|(_, left)| **left > 0.0) {
                tell(k, (ends[k], now + left, 1.0));
            }
            return;
        }
        let working = left.iter().zip(&slower).filter(|(left, _)| **left > 0.0);
        let next = working.map(|(left, slower)| left * slower).fold(f64::INFINITY, f64::min);
        if !next.is_finite() {
            return;
        }
        now += next;
        for (k, left) in left.iter_mut().enumerate().filter(|(_, left)| **left > 0.0) {
            *left -= next / slower[k];
            // Those that end together do so but for rounding.
            if *left <= ends[k] * 1e-12 {
                *left = 0.0;
            }
            tell(k, (ends[k] - *left, now, slower[k]));
        }
    }
}

/// Whose end lies so many deviations before the last one's is not the last.
const FAR: f64 = 2.0;

/// The median of the largest of independent normal numbers, given by mean and deviation: where the product of their
/// distribution functions is one half. By Newton's method from the largest mean on, which comes from below, until a step is
/// small beside the deviations. The logistic function of this polynomial is within 0.0002 of the normal one.
fn median_of_last(all: &[(f64, f64)], mut last: f64) -> f64 {
    const CUBIC: [f64; 2] = [1.5976, 0.07056];
    const STEPS: usize = 12;
    const SMALL: f64 = 0.02;
    let widest = all.iter().map(|(_, deviation)| *deviation).fold(0.0, f64::max);
    for _ in 0..STEPS {
        let (mut value, mut slope) = (std::f64::consts::LN_2, 0.0);
        for (mean, deviation) in all {
            let z = (last - mean) / deviation;
            let before = (-z * (CUBIC[0] + CUBIC[1] * z * z)).exp();
            value -= before.ln_1p();
            slope += (CUBIC[0] + 3.0 * CUBIC[1] * z * z) / deviation * before / (1.0 + before);
        }
        // Above zero where the last ends hardly scatter beside the others.
        let step = (-value / slope).max(0.0);
        if step.is_nan() {
            break;
        }
        last += step;
        if step < SMALL * widest {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_several_is_later_than_each() {
        let last = |all: &[(f64, f64)]| {
            let mean = all.iter().map(|(mean, _)| *mean).fold(0.0, f64::max);
            median_of_last(all, mean)
        };
        // Where the normal distribution is at one half to the power of 1/2, 1/5 and so on.
        for (devices, deviations) in [(2, 0.545), (5, 1.129), (8, 1.384), (16, 1.723), (64, 2.298), (1024, 3.202)] {
            let found = (last(&vec![(100.0, 10.0); devices]) - 100.0) / 10.0;
            assert!((found / deviations - 1.0).abs() < 0.02, "{devices}: {found} should be {deviations}");
        }
        // One that ends long before hardly counts.
        let found = last(&[(100.0, 10.0), (85.0, 5.0)]);
        assert!((100.0..100.5).contains(&found), "{found}");
    }

    #[test]
    fn ends_that_do_not_scatter_are_what_they_are() {
        let clock = Clock::default();
        assert_eq!(clock.makespan(&[3.0, 5.0, 4.0], |_| 0.0), 5.0);
        assert_eq!(clock.makespan(&[3.0, 5.0, 4.0], |k| if k == 1 { 2.0 } else { 0.0 }), 5.0);
        assert!(clock.makespan(&[3.0, 5.0, 4.9], |_| 0.1) > 5.0);
        assert_eq!(clock.makespan(&[], |_| 1.0), 0.0);
    }
}
