//! Times of devices that stretch them all by one factor, told to a policy as their descriptions have them.

use super::{Decision, Next, Scheduler};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;

/// A scheduler on devices that take `scale` times as long as the costs that it was started with say. It would take what they measure
/// for slow iterations, and all costs per chunk and per loop for small beside these.
pub(crate) struct Unstretched {
    scheduler: Box<dyn Scheduler>,
    scale: f64,
}

impl Unstretched {
    pub fn wrap(scheduler: Box<dyn Scheduler>, scale: f64) -> Box<dyn Scheduler> {
        Box::new(Self { scheduler, scale })
    }
}

impl Scheduler for Unstretched {
    fn next(&mut self, device: Slot) -> Next {
        self.scheduler.next(device)
    }

    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        let mut described = *times;
        for phase in crate::error::Phase::ALL {
            described[phase] = described[phase] / self.scale;
        }
        self.scheduler.finished(device, chunk, &described, pieces);
    }

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        self.scheduler.lost(device)
    }

    fn stage(&self) -> u32 {
        self.scheduler.stage()
    }

    fn decision(&self) -> Decision {
        self.scheduler.decision()
    }
}
