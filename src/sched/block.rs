//! BLOCK: `n/M` iterations each, the first `n mod M` devices one more (HOMP paper section IV, static).

use super::policy::{Policy, PolicyEntry, no_parameters};
use super::{Decision, Next, Scheduler};
use crate::model::split::even;
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use smallvec::SmallVec;

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "BLOCK",
    short: &["static"],
    summary: "equal contiguous blocks, one per device",
    parameter: "",
    takes_cutoff: false,
    stages: 1,
    parse: |words| no_parameters("BLOCK", words).map(|()| Policy::Block),
    build: |_, problem| Ok(Box::new(Blocks::new(0, &even(problem.iterations, problem.devices.len())))),
};

/// One contiguous block for each device, decided in advance: BLOCK, and every plan that a model makes.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    /// Blocks not yet handed out; empty ranges where they are.
    waiting: SmallVec<[IterRange; 4]>,
    pub decision: Decision,
}

impl Blocks {
    pub fn new(start: u64, counts: &[u64]) -> Self {
        let mut rest = IterRange::new(start, u64::MAX);
        let waiting = counts.iter().map(|&count| rest.take_front(count)).collect();
        Self { waiting, decision: Decision::default() }
    }
}

impl Scheduler for Blocks {
    fn next(&mut self, device: Slot) -> Next {
        match self.waiting.get_mut(device.0).map(std::mem::take) {
            Some(block) if !block.is_empty() => Next::Run(block),
            _ => Next::Done,
        }
    }

    fn finished(&mut self, _device: Slot, _chunk: IterRange, _times: &PhaseTimes, _pieces: u64) {}

    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        match self.next(device) {
            Next::Run(block) => vec![block],
            _ => Vec::new(),
        }
    }

    fn decision(&self) -> Decision {
        self.decision.clone()
    }
}
