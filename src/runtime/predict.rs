//! What the model expects of a loop that cannot be run here: on described devices, with arrays that are not there.

use crate::data::ArrayMap;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::model::cost::device_cost_at;
use crate::model::machine::{DeviceEntry, SharedRates};
use crate::model::{LoopProfile, Overlap};
use crate::runtime::plan;
use crate::sched::{Cutoff, Policy, Problem, SimulateOptions, Simulation, simulate};

/// A loop over `0..iterations` that is only described. The memory of its maps is not looked at:
/// [`Scratch`](crate::data::HostMemory::Scratch) does.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'s> {
    /// Its kernel, for the stated cost and the granule.
    pub kernel: &'s Kernel,
    /// Its arrays.
    pub maps: &'s [ArrayMap<'s>],
    /// Its length.
    pub iterations: u64,
}

impl Sketch<'_> {
    /// The loop in the cost model's terms.
    pub fn profile(&self) -> LoopProfile {
        plan::profile_of(self.kernel, self.maps, self.iterations)
    }
}

/// The loop under `policy` on `devices`, in virtual time: what [`super::Loop::predict`] does where they are open.
/// `shared` is what the devices share with one another ([`Machine::shared_rates`]).
///
/// [`Machine::shared_rates`]: crate::model::Machine::shared_rates
///
/// # Errors
/// [`Error::Call`](crate::Error::Call) and [`Error::TooLarge`](crate::Error::TooLarge) as [`simulate`].
pub fn predict_on(
    devices: &[&DeviceEntry],
    shared: &SharedRates,
    sketch: &Sketch<'_>,
    policy: &Policy,
    cutoff: Cutoff,
    overlap: Overlap,
) -> Result<Simulation> {
    let profile = sketch.profile();
    let cost = |device: &&DeviceEntry| device_cost_at(&device.model(), &profile, overlap, &shared.of(device.id));
    let costs: Vec<_> = devices.iter().map(cost).collect();
    let types: Vec<_> = devices.iter().map(|device| device.device_type.name()).collect();
    let problem = Problem {
        granule: sketch.kernel.chunk_granule(),
        device_types: &types,
        cutoff,
        min_sample: plan::least_sample(&costs),
        ..Problem::new(sketch.iterations, &costs, &profile)
    };
    simulate(policy, &problem, &SimulateOptions { records: false, ..SimulateOptions::default() })
}
