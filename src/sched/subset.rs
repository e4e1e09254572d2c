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

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes) {
        if let Some(inner) = self.inner(device) {
            self.scheduler.finished(inner, chunk, times);
        }
    }

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        let Some(inner) = self.inner(device) else { return Vec::new() };
        self.lost[inner.0] = true;
        let mut ranges = self.scheduler.lost(inner);
        if self.lost.iter().all(|lost| *lost) {
            // Devices outside were told `Done`, so the rest of the policy's iterations goes back for them to take over.
            while let Next::Run(range) = self.scheduler.next(inner) {
                ranges.push(range);
            }
        }
        ranges
    }

    fn stage(&self) -> u32 {
        self.scheduler.stage()
    }

    fn decision(&self) -> Decision {
        let mut decision = self.scheduler.decision();
        for (slot, _) in &mut decision.left_out {
            if let Some(member) = self.members.get(slot.0) {
                *slot = *member;
            }
        }
        decision
    }
}
