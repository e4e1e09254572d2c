//! A policy on some of the devices: the others get nothing, unless all devices of the subset are lost.

use super::{Decision, Next, Scheduler};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;

/// A scheduler over a subset of the devices.
pub(super) struct Subset {
    scheduler: Box<dyn Scheduler>,
    /// The loop's device for each of the scheduler's.
    members: Vec<Slot>,
    /// The scheduler's device for each of the loop's.
    place: Vec<Option<Slot>>,
    lost: Vec<bool>,
}

impl Subset {
    /// `scheduler` divides the loop over `members`, in list order, of `devices` devices.
    pub fn new(scheduler: Box<dyn Scheduler>, members: &[Slot], devices: usize) -> Self {
        let mut place = vec![None; devices];
        for (inner, member) in members.iter().enumerate() {
            if let Some(place) = place.get_mut(member.0) {
                *place = Some(Slot(inner));
            }
        }
        Self { scheduler, members: members.to_vec(), place, lost: vec![false; members.len()] }
    }

    fn inner(&self, device: Slot) -> Option<Slot> {
        self.place.get(device.0).copied().flatten()
    }
}

impl Scheduler for Subset {
    fn next(&mut self, device: Slot) -> Next {
        match self.inner(device) {
            Some(inner) => self.scheduler.next(inner),
            None => Next::Done,
        }
    }

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        if let Some(inner) = self.inner(device) {
            self.scheduler.finished(inner, chunk, times, pieces);
        }
    }

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        let Some(inner) = self.inner(device) else { return Vec::new() };
        self.lost[inner.0] = true;
        let mut ranges = self.scheduler.lost(inner);
        if self.lost.iter().all(|lost| *lost) {
            // Devices outside were told `Done`, so the rest of the policy's iterations goes back for them to take over.
            while let Next::Run(range) = self.scheduler.next(inner) {
                match ranges.last_mut() {
                    // Of small chunks there may be as many as iterations.
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => ranges.push(range),
                }
            }
        }
        ranges
    }

    fn stage(&self) -> u32 {
        self.scheduler.stage()
    }

    fn decision(&self) -> Decision {
        let mut decision = self.scheduler.decision();
        for slot in decision.left_out.iter_mut().map(|(slot, _)| slot).chain(&mut decision.unprofiled) {
            if let Some(member) = self.members.get(slot.0) {
                *slot = *member;
            }
        }
        decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DeviceCost, LoopProfile};
    use crate::sched::{Handout, POLICIES, Policy, Problem};
    use crate::units::Seconds;

    /// Takes chunks for a device until it is told to wait or to end; only the first one, which stays in flight, unless it may finish.
    fn take(handout: &mut Handout, device: usize, finish: bool) {
        while let Next::Run(chunk) = handout.next(Slot(device)) {
            if !finish {
                return;
            }
            handout.finished(Slot(device), chunk, &PhaseTimes::default(), 1);
        }
    }

    #[test]
    fn when_all_members_are_lost_those_outside_do_all_that_is_left() {
        let each = Seconds(1e-6);
        let costs = [DeviceCost { kernel: each, flop_time: each, kernel_chunk: each, ..DeviceCost::default() }; 2];
        let (n, profile) = (100_000, LoopProfile::default());
        for words in POLICIES.iter().map(|entry| entry.name) {
            let policy: Policy = words.parse().unwrap();
            let scheduler = policy.start(&Problem::new(n, &costs, &profile)).unwrap();
            let subset = Subset::new(scheduler, &[Slot(1), Slot(2)], 3);
            let mut handout = Handout::new(IterRange::new(0, n), 1, Box::new(subset), 3);
            take(&mut handout, 0, true);
            for member in [1, 2] {
                take(&mut handout, member, false);
            }
            for member in [1, 2] {
                handout.lost(Slot(member), &[]);
            }
            take(&mut handout, 0, true);
            assert_eq!(handout.unfinished(), 0, "{words}");
        }
    }

    #[test]
    fn remarks_are_of_the_loops_devices_and_not_of_places_in_the_subset() {
        let costs = [DeviceCost { kernel: Seconds(1e-6), ..DeviceCost::default() }; 2];
        let profile = LoopProfile::default();
        let policy: Policy = "SCHED_PROFILE_AUTO".parse().unwrap();
        let mut subset =
            Subset::new(policy.start(&Problem::new(1000, &costs, &profile)).unwrap(), &[Slot(1), Slot(3)], 4);
        for device in [Slot(1), Slot(3)] {
            let Next::Run(sample) = subset.next(device) else { panic!("no sample") };
            subset.finished(device, sample, &PhaseTimes::default(), 1);
        }
        assert_eq!(subset.decision().unprofiled, [Slot(1), Slot(3)]);
    }

    #[test]
    fn what_is_left_of_small_chunks_is_one_range() {
        let costs = [DeviceCost { kernel: Seconds(1e-6), ..DeviceCost::default() }; 2];
        let profile = LoopProfile::default();
        let scheduler =
            "SCHED_DYNAMIC:1".parse::<Policy>().unwrap().start(&Problem::new(5000, &costs, &profile)).unwrap();
        let mut subset = Subset::new(scheduler, &[Slot(1), Slot(2)], 3);
        assert_eq!(subset.next(Slot(1)), Next::Run(IterRange::new(0, 1)));
        assert_eq!(subset.lost(Slot(1)), []);
        assert_eq!(subset.lost(Slot(2)), [IterRange::new(1, 5000)]);
    }
}
