//! The policies, as pure state machines: which device runs which iterations.
//!
//! No thread, no clock, no device: a [`Scheduler`] is asked what device d runs next, and is told what each chunk took. The
//! proxies drive it through a [`Handout`] in real time, [`simulate()`] in virtual time; the code is the same.
//!
//! A new policy is one file here and one line in [`POLICIES`].

mod adaptive;
mod auto;
mod block;
mod by_work;
mod cutoff;
mod decide;
mod division;
mod dynamic;
mod explain;
mod guided;
mod handout;
mod hguided;
mod model_1;
mod model_2;
mod model_profile;
mod policy;
mod profile;
mod recall;
mod replay;
mod sched_profile;
mod shape;
mod simulate;
mod subset;
mod unstretched;
mod verdict;
mod wall;

pub(crate) use by_work::ByWork;
pub use by_work::Work;
pub use cutoff::{Cutoff, IntoCutoff};
pub use decide::decide;
pub use dynamic::ChunkSize;
pub use explain::{Explained, Explanation, PerIteration, Term, Terms, explain};
pub use guided::GuidedMode;
pub use handout::Handout;
pub use hguided::PacketDivisor;
pub use policy::{Apart, IntoPolicy, POLICIES, Policy, PolicyEntry, Problem, Tried};
pub use simulate::{ChunkRecord, SimulateOptions, SimulatedDevice, Simulation, imbalance, simulate};
pub(crate) use unstretched::Unstretched;
pub use verdict::{Reason, Verdict};

use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use std::sync::Arc;

/// What an idle device does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Run these iterations.
    Run(IterRange),
    /// Nothing yet: ask again after another device has finished a chunk or was lost.
    WaitForOthers,
    /// Nothing more for this device.
    Done,
}

/// A policy at work on one loop of `0..n` iterations.
///
/// Every iteration is handed out exactly once over all devices, including those returned by [`Scheduler::lost`].
/// A device may ask again before its earlier chunks have finished (chunks in flight).
pub trait Scheduler: Send {
    /// The next chunk of `device`.
    fn next(&mut self, device: Slot) -> Next;

    /// `device` has finished `chunk`, which `next` gave it, in `times`: the sums over so many pieces, each with its own launch and
    /// latencies.
    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64);

    /// `device` has failed and will ask no more. Returns the iterations that were set aside for it and never handed out; a stage
    /// that waits for its measurement goes on without it.
    fn lost(&mut self, device: Slot) -> Vec<IterRange>;

    /// The current stage, from 1. It rises when devices that were told [`Next::WaitForOthers`] should ask again; a scheduler that
    /// never answers so stays at 1.
    fn stage(&self) -> u32 {
        1
    }

    /// What has been decided so far, for the report.
    fn decision(&self) -> Decision {
        Decision::default()
    }
}

/// What a policy decided, besides the chunks themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Devices that got nothing by decision (cutoff, fixed cost past the finish), and why.
    pub left_out: Vec<(Slot, String)>,
    /// Remarks for the user: which rule AUTO followed, a profile that fell back to a model.
    pub notes: Vec<String>,
    /// Devices whose sample was too short to measure, so that their model was used.
    pub unprofiled: Vec<Slot>,
    /// What AUTO chose by simulation.
    pub verdict: Option<Arc<Verdict>>,
}

impl Decision {
    /// All remarks for the user, with the devices' names.
    pub fn remarks<'n>(&self, name: impl Fn(Slot) -> &'n str) -> Vec<String> {
        let fell_back = |slot: &Slot| {
            let device = name(*slot);
            format!("profiled=false for {device}: its sample was too short to measure; its model was used")
        };
        self.notes.iter().cloned().chain(self.unprofiled.iter().map(fell_back)).collect()
    }
}
