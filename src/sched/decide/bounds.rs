//! What no policy is faster than: most of them need not be looked at.

use super::Search;
use crate::model::LinearCost;
use crate::sched::ChunkSize;
use crate::sched::decide::{AS_GOOD, ROUNDED};
use crate::sched::policy::Policy;
use crate::sched::shape::Shape;
use crate::units::Seconds;
use smallvec::SmallVec;

/// So many steps of Newton's method at most.
const STEPS: usize = 10;

impl Search<'_> {
    /// No policy is faster on these devices: the level of SPLIT, and for each thing that they share the time in which it gives
    /// what the whole loop needs of it, if the devices that need least of it do as much as they can.
    /// It holds whoever gives way ([`Shared::steady`]): no more than all of a capacity is given.
    pub(super) fn least(&self, members: &[usize]) -> f64 {
        let level = self.level(members, self.n, |place| self.linear[members[place]].fixed.0);
        let mut time = level;
        for shared in self.shared() {
            let all = |&i: &usize| {
                (level - self.linear[i].fixed.0).max(0.0) / self.linear[i].per_iteration.0 * shared.per_iteration[i].0
            };
            if members.iter().map(all).sum::<f64>() <= level * (1.0 + AS_GOOD / 4.0) {
                continue;
            }
            let mut order: SmallVec<[usize; 16]> = SmallVec::from_slice(members);
            order.sort_unstable_by(|&i, &j| shared.per_iteration[i].0.total_cmp(&shared.per_iteration[j].0));
            // What it needs of it until then, and how that falls with the time.
            let needs = |time: f64| {
                let (mut rest, mut needs, mut grows, mut paces, mut last) = (self.n, 0.0, 0.0, 0.0, 0.0);
                for &i in &order {
                    let (LinearCost { fixed, per_iteration }, each) = (self.linear[i], shared.per_iteration[i].0);
                    let most = (time - fixed.0) / per_iteration.0;
                    if most <= 0.0 {
                        continue;
                    }
                    needs += most.min(rest) * each;
                    last = each;
                    if most >= rest {
                        break;
                    }
                    rest -= most;
                    grows += each / per_iteration.0;
                    paces += 1.0 / per_iteration.0;
                }
                // What the others do more the last one does less.
                (needs, grows - last * paces)
            };
            // Newton's method: it comes from below, but where a device begins meanwhile.
            let step = |low: f64, (needs, slope): (f64, f64)| (needs - low) / (1.0 - slope);
            let (mut low, mut now) = (time, needs(time));
            let mut further = step(low, now);
            for _ in 0..STEPS {
                if now.0 <= low * (1.0 + AS_GOOD / 4.0) {
                    break;
                }
                let next = needs(low + further);
                if next.0 >= (low + further) * (1.0 - ROUNDED) {
                    (low, now) = (low + further, next);
                    further = step(low, now);
                } else {
                    further /= 2.0;
                }
            }
            time = time.max(low);
        }
        time
    }

    /// The same, closer: the level of SPLIT with contention, of which `bound` is one that is known. Replicated arrays apart, as not
    /// all of them need take part.
    pub(super) fn least_shared(&self, members: &[usize], bound: f64) -> f64 {
        if self.shared().is_empty() { 0.0 } else { self.splits.at_least(members, Seconds(bound)).0 }
    }

    /// The same where all of them take part, as they do where there are chunks or samples for all.
    pub(super) fn least_of_all(&self, members: &[usize]) -> f64 {
        // Where nothing is paid once it is what is known already.
        if self.shared().is_empty() || !self.charged || members.len() > 16 || self.problem.iterations < 64 {
            return 0.0;
        }
        self.splits.level_of_all(members).0
    }

    /// What these counts take at least: of each device by linear costs, and of what they share.
    pub(super) fn at_least(&self, members: &[usize], count: impl Fn(usize) -> f64) -> f64 {
        let own = members.iter().map(|&i| match count(i) {
            count if count > 0.0 => self.linear[i].fixed.0 + self.linear[i].per_iteration.0 * count,
            _ => 0.0,
        });
        let memory = members.iter().map(|&i| self.problem.devices[i].host_memory.0 * count(i)).sum();
        let mut time = own.fold(memory, f64::max);
        for shared in self.shared() {
            let takes = |&i: &usize| match count(i) {
                count if count > 0.0 => shared.once[i].0 + shared.per_iteration[i].0 * count,
                _ => 0.0,
            };
            time = time.max(members.iter().map(takes).sum());
        }
        time
    }

    /// `SPLIT` over a set with these fixed costs, as a time alone.
    pub(super) fn level(&self, members: &[usize], n: f64, fixed: impl Fn(usize) -> f64) -> f64 {
        let pace = |i: usize| self.linear[i].per_iteration.0;
        let fastest = members.iter().map(|&i| pace(i)).fold(f64::INFINITY, f64::min);
        let mut time = f64::INFINITY;
        loop {
            let (mut weights, mut bottoms) = (0.0, 0.0);
            for (place, &i) in members.iter().enumerate() {
                if fixed(place) < time {
                    weights += fastest / pace(i);
                    bottoms += fixed(place) * (fastest / pace(i));
                }
            }
            let next = (n * fastest + bottoms) / weights;
            // Nobody more is past the finish.
            if next >= time || next.is_nan() {
                break;
            }
            time = next;
        }
        time
    }

    /// What a chunk of SCHED_DYNAMIC does to each device. AUTO runs it with one size.
    pub(super) fn equal_chunks(&self, chunk: ChunkSize) -> &[Shape] {
        self.equal_chunks.get_or_init(|| {
            let chunk = chunk.of(self.problem.iterations, 1);
            self.problem.devices.iter().map(|cost| Shape::of(cost, chunk, chunk >= self.most_from)).collect()
        })
    }

    /// Whether a policy that hands out chunks or samples may be done by `limit`.
    pub(super) fn may_end_by(&self, limit: f64, policy: &Policy, members: &[usize]) -> bool {
        let n = self.problem.iterations;
        let m = members.len() as u64;
        let cost = |i: usize| &self.problem.devices[i];
        match policy {
            Policy::Dynamic { chunk } => {
                let shapes = self.equal_chunks(*chunk);
                let chunk = chunk.of(n, 1);
                // What is before the first chunk and behind the last on each device, and what a chunk adds; the last, short
                // one is left out. At the beginning everybody gets one, then a second one where stages overlap; then who is
                // done with it by the limit.
                let mut chunks = n / chunk;
                let mut more = 0.0;
                let mut busy: SmallVec<[[f64; 2]; 16]> = SmallVec::new();
                for &i in members {
                    let shape = &shapes[i];
                    busy.push([cost(i).once.0 + shape.alone() - shape.pace(), shape.pace()]);
                }
                for round in 0..2 {
                    for (place, &i) in members.iter().enumerate() {
                        if chunks > 0 && (round == 0 || cost(i).overlaps()) {
                            busy[place][0] += busy[place][1];
                            chunks -= 1;
                            if busy[place][0] > limit {
                                return false;
                            }
                        }
                    }
                }
                for [busy, pace] in busy {
                    more += ((limit - busy) / pace + 1e-9).floor().max(0.0);
                }
                more >= chunks as f64
            }
            Policy::Guided { percent, .. } => {
                let least = (n / 100).max(1);
                let next = |left: u64| percent.of_ceil(left).min(left.div_ceil(m)).max(least).min(left);
                let mut left = n;
                let mut has: SmallVec<[f64; 16]> = members.iter().map(|&i| self.linear[i].fixed.0).collect();
                // Each further chunk costs its device what its slowest stage takes for a chunk.
                let each = |i: usize| self.each_chunk(i);
                for round in 0..2 {
                    for (place, &i) in members.iter().enumerate() {
                        if left > 0 && (round == 0 || cost(i).overlaps()) {
                            let share = next(left);
                            has[place] += self.linear[i].per_iteration.0 * share as f64;
                            if round > 0 {
                                has[place] += each(i);
                            }
                            left -= share;
                        }
                    }
                }
                if has.iter().any(|&has| has > limit) {
                    return false;
                }
                let (rest, mut chunks) = (left, 0.0);
                while left > 0 {
                    left -= next(left);
                    chunks += 1.0;
                }
                // Chunks as iterations: on each device as many as it could do meanwhile, at least.
                let worth = |&i: &usize| each(i) / self.linear[i].per_iteration.0;
                let worth = members.iter().map(worth).fold(f64::INFINITY, f64::min);
                self.level(members, rest as f64 + chunks * worth, |place| has[place]) <= limit
            }
            Policy::SchedProfile { sample } | Policy::ModelProfile { sample } if n >= 2 * m => {
                let by_model = matches!(policy, Policy::ModelProfile { .. });
                let least = self.problem.min_sample.div_ceil(self.problem.granule);
                let equal = sample.of_ceil(n).max(least).min(n / (2 * m));
                let together = sample.of_ceil(n).max(m).min(n / 2);
                let rates: f64 = members.iter().map(|&i| 1.0 / self.linear[i].per_iteration.0).sum();
                let (mut barrier, mut sampled) = (0.0_f64, 0);
                for &i in members {
                    let share = (together - m) as f64 / self.linear[i].per_iteration.0 / rates;
                    let size = if by_model { (share as u64).max(1) } else { equal };
                    let end = if size < self.most_from {
                        cost(i).once.0 + Shape::of(cost(i), size, false).alone()
                    } else {
                        self.linear[i].time(size).0
                    };
                    barrier = barrier.max(end);
                    sampled += size;
                }
                let rest = n - if by_model { together } else { sampled };
                barrier + self.level(members, rest as f64, |place| cost(members[place]).per_chunk().0) <= limit
            }
            // Too short to sample: BLOCK or MODEL_2 by another name.
            Policy::SchedProfile { .. } | Policy::ModelProfile { .. } => false,
            _ => true,
        }
    }

    /// What a chunk adds to a device's time besides its iterations, where others follow one another through it.
    fn each_chunk(&self, i: usize) -> f64 {
        let cost = &self.problem.devices[i];
        let stages = [(cost.to, cost.to_chunk), (cost.kernel, cost.kernel_chunk), (cost.from, cost.from_chunk)];
        if !cost.overlaps() {
            return cost.per_chunk().0;
        }
        // Of equal stages the one with the least.
        let slowest = stages.iter().map(|(each, _)| each.0).fold(0.0, f64::max);
        let slowest = stages.iter().filter(|(each, _)| each.0 >= slowest).map(|(_, chunk)| chunk.0);
        slowest.fold(f64::INFINITY, f64::min)
    }
}
