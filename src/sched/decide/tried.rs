//! What AUTO's choices took before, in place of what is predicted.

use super::{CURIOUS, Candidate, LIKE, Search, Set, Timed, UNTRIED, one_block};
use crate::sched::policy::{Policy, Problem, Tried};
use crate::space::Slot;

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

    pub(super) fn see(&mut self, policy: Policy, set: Set, devices: usize, timed: Timed) {
        self.see_hoped(policy, set, devices, timed, 1.0);
    }

    /// The same of what may take so many times less.
    pub(super) fn see_hoped(&mut self, policy: Policy, set: Set, devices: usize, timed: Timed, hope: f64) {
        let Timed { time, slowest } = timed;
        if policy == Policy::Model2 && set == Set::Without(0) && !self.problem.learns {
            let off = self.model_2_took().map(|took| took / time).filter(|off| off.is_finite());
            self.off = off.unwrap_or(1.0).max(1.0);
        }
        let tried = self.was_tried(&policy, set);
        let weight = if one_block(&policy) { 1.0 } else { 1.0 + self.chunked() };
        let expected = time * self.off(&policy, set) * weight * self.guessed(devices);
        let known = tried.filter(|tried| !tried.once || tried.time.0 <= expected);
        let hope = known.map_or(hope, |tried| tried.hope);
        let (measured, known) = (known.is_some(), known.map(|tried| tried.time.0));
        let (time, slowest) = known.map_or((time, slowest), |known| (known, known));
        let likely = known.unwrap_or(expected);
        let weighed = likely / hope;
        self.best = self.best.min(weighed);
        self.seen.push(Candidate { policy, set, devices, time, likely, weighed, slowest, measured });
    }

    /// What MODEL_2 took on all who are of use, alone or with others, whom it leaves out by itself.
    fn model_2_took(&self) -> Option<f64> {
        let has = |tried: &Tried, i: usize| tried.devices.contains(&Slot(i));
        let same = |tried: &&Tried| {
            tried.policy == Policy::Model2 && !tried.once && self.active.iter().all(|&i| has(tried, i))
        };
        self.problem
            .tried
            .iter()
            .filter(same)
            .map(|tried| tried.time.0)
            .filter(|time| time.is_finite())
            .reduce(f64::min)
    }

    /// How many times as long as predicted a choice counts that was never tried, where others were and nothing is learned of this
    /// one. What one device takes alone is the better known.
    fn guessed(&self, devices: usize) -> f64 {
        let others = !self.problem.learns && self.problem.tried.iter().any(|tried| !tried.once && is_time(tried));
        let off = if devices > 1 { self.off } else { 1.0 };
        if others { (1.0 + UNTRIED) * off } else { 1.0 }
    }

    /// How many times as long as predicted a policy is taken to be on devices on which others were tried and were slower than
    /// predicted: devices that slow one another by more than their costs say do so under every policy. What chunks cost besides is
    /// no matter of those of one block each. Costs that were learned meanwhile have some of that in them: no policy is predicted
    /// to take less than the bound of today.
    pub(super) fn off(&self, policy: &Policy, set: Set) -> f64 {
        if self.problem.tried.is_empty() {
            return 1.0;
        }
        let members = self.members(set);
        let like = |tried: &&Tried| {
            (one_block(&tried.policy) || !one_block(policy)) && !tried.once && is_time(tried) && is_on(tried, &members)
        };
        let off = |tried: &Tried| Some(tried.time.0 / tried.predicted?.0.max(self.least(&members)));
        let least = self.problem.tried.iter().filter(like).filter_map(off).reduce(f64::min);
        least.filter(|off| off.is_finite()).unwrap_or(1.0).max(1.0)
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
        let known = tried.iter().any(|tried| !tried.once && is_time(tried));
        let alike = |i: usize| {
            let [one, other] = [i, device].map(|i| self.alone_at_least(i));
            device_types.get(i) == device_types.get(device) && (one - other).abs() <= LIKE * other
        };
        let tells =
            |tried: &Tried| matches!(tried.devices[..], [Slot(i)] if i == device || (i < alone.len() && alike(i)));
        if known && !alone.is_empty() && !tried.iter().any(tells) { CURIOUS } else { 1.0 }
    }
}

fn is_time(tried: &Tried) -> bool {
    tried.time.0 > 0.0 && tried.time.0.is_finite()
}

fn is_on(tried: &Tried, members: &[usize]) -> bool {
    tried.devices.iter().map(|slot| slot.0).eq(members.iter().copied())
}
