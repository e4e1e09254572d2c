//! What AUTO's choices took before, in place of what is predicted.

use super::{CURIOUS, LIKE, Search, Set, Timed, one_block};
use crate::model::LinearCost;
use crate::model::split::split;
use crate::sched::policy::{Policy, Problem, Tried};
use crate::space::Slot;
use smallvec::SmallVec;

/// By so much, at most, a policy is taken to be slower than predicted because others were on more devices.
const MOSTLY: f64 = 1.25;

impl Search<'_> {
    /// What was decided before counts as it was measured.
    pub(super) fn tried(&mut self) {
        for (index, tried) in self.problem.tried.iter().enumerate() {
            let known = |slot: &Slot| self.kept.binary_search(&slot.0).is_ok();
            let in_order = tried.devices.windows(2).all(|pair| pair[0] < pair[1]);
            if is_time(tried) && !tried.devices.is_empty() && in_order && tried.devices.iter().all(known) {
                let timed = Timed { time: tried.time.0, slowest: tried.time.0 };
                self.see(tried.policy.clone(), Set::Tried(index), tried.devices.len(), timed);
            }
        }
    }

    /// How many times as long as predicted a policy is taken to be on devices on which others were tried and were slower than
    /// predicted: devices that slow one another by more than their costs say do so under every policy. What chunks cost besides is
    /// no matter of those of one block each. Costs that were learned meanwhile have some of that in them: no policy is predicted
    /// to take less than the bound of today. Of several devices among those little of that is taken to remain, as one that is left
    /// out may be who slowed the others.
    pub(super) fn off(&self, policy: &Policy, set: Set) -> f64 {
        if self.problem.tried.is_empty() {
            return 1.0;
        }
        let members = self.members(set);
        let like = |tried: &&Tried| (one_block(&tried.policy) || !one_block(policy)) && !tried.once() && is_time(tried);
        let off = |tried: &Tried| {
            // In an earlier process MODEL_2 was predicted to take about the bound.
            let predicted = tried.predicted.map(|time| time.0).or((tried.policy == Policy::Model2).then_some(0.0))?;
            let on: SmallVec<[usize; 16]> = tried.devices.iter().map(|slot| slot.0).collect();
            let known = self.problem.devices.len();
            let off = tried.time.0 / predicted.max(if on.iter().all(|&i| i < known) { self.least(&on) } else { 0.0 });
            Some(off).filter(|off| off.is_finite())
        };
        let tried = || self.problem.tried.iter().filter(like);
        let same = tried().filter(|tried| is_on(tried, &members)).filter_map(off).reduce(f64::min);
        let within = |tried: &&Tried| members.iter().all(|&i| tried.devices.contains(&Slot(i)));
        let more = || tried().filter(within).filter_map(off).reduce(f64::min).map(|off| off.min(MOSTLY));
        let off = same.or_else(|| if members.len() > 1 { more() } else { None });
        off.unwrap_or(1.0).max(1.0)
    }

    /// What the policy took on these devices, where it was tried.
    pub(super) fn was_tried(&self, policy: &Policy, set: Set) -> Option<&Tried> {
        if self.problem.tried.is_empty() {
            return None;
        }
        let members = self.members(set);
        let same = |tried: &&Tried| tried.policy == *policy && is_time(tried) && is_on(tried, &members);
        self.problem.tried.iter().find(same)
    }

    /// How many times less than predicted a device may take alone: once more than hopes is known of such loops, each is worth one
    /// look, and of those that are alike one.
    pub(super) fn hope(&self, device: usize) -> f64 {
        let Problem { alone, tried, device_types, .. } = self.problem;
        let known = tried.iter().any(|tried| !tried.once() && is_time(tried));
        let alike = |i: usize| {
            let [one, other] = [i, device].map(|i| self.alone_at_least(i));
            device_types.get(i) == device_types.get(device) && (one - other).abs() <= LIKE * other
        };
        let tells =
            |tried: &Tried| matches!(tried.devices[..], [Slot(i)] if i == device || (i < alone.len() && alike(i)));
        if known && !alone.is_empty() && !tried.iter().any(tells) { CURIOUS } else { 1.0 }
    }
}

/// How many times less than predicted devices may take together, at most: a look costs a loop.
const TOGETHER: f64 = 4.0;

impl Search<'_> {
    /// How many times less than predicted all devices may take together where what they share is what limits them: descriptions
    /// know nothing of caches. All devices, and all with links, are worth one look.
    pub(super) fn hope_together(&self, policy: &Policy, set: Set, time: f64) -> f64 {
        let widest = *policy == Policy::Model2 && matches!(set, Set::Without(0) | Set::All | Set::Links);
        if !widest || self.shared().is_empty() || !self.never_together(set) {
            return 1.0;
        }
        // As if they shared nothing.
        let costs: SmallVec<[LinearCost; 16]> = self.members(set).iter().map(|&i| self.linear[i]).collect();
        let free = split(&costs, self.problem.iterations).map_or(time, |split| split.makespan.0);
        (time / free).clamp(1.0, TOGETHER)
    }

    /// Whether devices were only tried alone, one of them in many loops. What several took with the host says nothing of devices with
    /// links. A choice counts as tried even if something went wrong.
    pub(super) fn never_together(&self, set: Set) -> bool {
        let tried = || self.problem.tried.iter();
        let shares = |slot: &Slot| self.problem.devices.get(slot.0).is_some_and(|cost| cost.shared);
        let counts = |tried: &Tried| set != Set::Links || !tried.devices.iter().any(shares);
        tried().any(|tried| tried.loops >= Tried::MANY && tried.devices.len() == 1 && is_time(tried))
            && !tried().any(|tried| tried.devices.len() > 1 && counts(tried))
            && self.members(set).len() > 1
    }
}

fn is_time(tried: &Tried) -> bool {
    tried.time.0 > 0.0 && tried.time.0.is_finite()
}

fn is_on(tried: &Tried, members: &[usize]) -> bool {
    tried.devices.iter().map(|slot| slot.0).eq(members.iter().copied())
}
