//! What devices share, such as the host's memory, while they run together: each gets of it in proportion to what it asks for.
//!
//! A device that would finish at `end` asks for `(once_i + n_i * x_i) / end` of a capacity. While those at work ask for more
//! than all of it, each of them is slowed by the same factor, the sum of what they ask; by the largest where a device draws on
//! several. No more than all of a capacity is ever given, and where all finish together the loop takes the time of the
//! scarcest.

use crate::model::Shared;
use crate::units::Seconds;

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
        // What each asks for of a capacity while it is at work.
        let asks = |capacity: &Shared, k: usize| {
            let i = members(k);
            if ends[k] > 0.0 && counts[k] > 0 {
                (capacity.once[i].0 + capacity.per_iteration[i].0 * counts[k] as f64) / ends[k]
            } else {
                0.0
            }
        };
        let all = |capacity: &Shared| (0..ends.len()).map(|k| asks(capacity, k)).sum::<f64>();
        if shared.iter().all(|capacity| all(capacity) <= 1.0) {
            return Self::default();
        }
        let asked: Vec<Vec<f64>> =
            shared.iter().map(|capacity| (0..ends.len()).map(|k| asks(capacity, k)).collect()).collect();
        let mut left = ends.to_vec();
        let mut slower = vec![1.0; ends.len()];
        let mut steps = vec![Vec::new(); ends.len()];
        let mut now = 0.0;
        loop {
            slower.fill(1.0);
            for asked in &asked {
                let all: f64 = (0..left.len()).filter(|&k| left[k] > 0.0).map(|k| asked[k]).sum();
                for (slower, asks) in slower.iter_mut().zip(asked) {
                    if *asks > 0.0 {
                        *slower = f64::max(*slower, all);
                    }
                }
            }
            let working = (0..left.len()).filter(|&k| left[k] > 0.0);
            let next = working.map(|k| left[k] * slower[k]).fold(f64::INFINITY, f64::min);
            if !next.is_finite() {
                return Self { steps };
            }
            now += next;
            for (k, left) in left.iter_mut().enumerate().filter(|(_, left)| **left > 0.0) {
                *left -= next / slower[k];
                // Those that end together do so but for rounding.
                if *left <= ends[k] * 1e-12 {
                    *left = 0.0;
                }
                steps[k].push((ends[k] - *left, now, slower[k]));
            }
        }
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

    /// When the last of them ends.
    pub fn makespan(&self, ends: &[f64]) -> f64 {
        ends.iter().enumerate().map(|(k, &end)| self.at(k, Seconds(end)).0).fold(0.0, f64::max)
    }
}
