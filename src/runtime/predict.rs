//! Predicts loops that cannot run here: on described devices, with arrays that do not exist.

use crate::data::ArrayMap;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::model::cost::device_cost_at;
use crate::model::machine::{DeviceEntry, DeviceKind, SharedRates};
use crate::model::{DeviceCost, LoopProfile, Overlap};
use crate::runtime::history::{Asks, Placement};
use crate::runtime::offload::Asked;
use crate::runtime::{LeftOut, Member, Runtime, plan};
use crate::sched::{Cutoff, Explanation, Policy, Problem, SimulateOptions, Simulation, explain, simulate};

/// A loop over `0..iterations` that is only described. The memory of its maps is not used:
/// [`Scratch`](crate::data::HostMemory::Scratch) is enough.
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

/// Those of `devices` that have room for the loop's replicated arrays, and the others, which real loops leave out. If none has, all
/// count as if they had.
pub fn with_room<'d>(devices: &[&'d DeviceEntry], sketch: &Sketch<'_>) -> (Vec<&'d DeviceEntry>, Vec<LeftOut>) {
    let memories = devices.iter().map(|device| (&*device.name, device.model().memory_bytes));
    let mut left_out = plan::without_room(plan::replicated(sketch.maps), memories);
    left_out.resize(devices.len(), None);
    let stay = devices.iter().zip(&left_out).filter(|(_, left_out)| left_out.is_none());
    (stay.map(|(device, _)| *device).collect(), left_out.into_iter().flatten().collect())
}

/// The loop under `policy` on `devices`, all of them, in virtual time, as [`super::Loop::predict`] does for open devices. Leave
/// out those that have no room for it ([`with_room`]). `shared` has the capacities that the devices share ([`Machine::shared_rates`]).
///
/// [`Machine::shared_rates`]: crate::model::Machine::shared_rates
///
/// # Errors
/// [`Error::Call`](crate::Error::Call) if the kernel's cost is invalid, and as [`simulate`];
/// [`Error::TooLarge`](crate::Error::TooLarge) as [`simulate`].
pub fn predict_on(
    devices: &[&DeviceEntry],
    shared: &SharedRates,
    sketch: &Sketch<'_>,
    policy: &Policy,
    cutoff: Cutoff,
    overlap: Overlap,
) -> Result<Simulation> {
    let loop_on = LoopOn::new(devices, shared, sketch, overlap)?;
    simulate(policy, &loop_on.problem(cutoff), &SimulateOptions { records: false, ..SimulateOptions::default() })
}

/// What each policy would do with the loop, and what AUTO chooses and why, as [`super::Loop::explain`] says for open devices.
///
/// # Errors
/// As [`explain`], which names the policy; [`Error::Call`](crate::Error::Call) if the kernel's cost is invalid.
pub fn explain_on(
    devices: &[&DeviceEntry],
    shared: &SharedRates,
    sketch: &Sketch<'_>,
    policies: &[Policy],
    cutoff: Cutoff,
    overlap: Overlap,
) -> Result<Explanation> {
    let (devices, left_out) = with_room(devices, sketch);
    let loop_on = LoopOn::new(&devices, shared, sketch, overlap)?;
    let names = devices.iter().map(|device| device.name.clone()).collect();
    let mut explanation = explain(&loop_on.problem(cutoff), names, policies)?;
    explanation.notes.extend(left_out.iter().map(ToString::to_string));
    Ok(explanation)
}

impl Runtime {
    /// What each policy would do with a loop that is only described, on all of this runtime's devices, by their description and
    /// the history. The result is as that of [`super::Loop::explain`] for arrays that are page-locked where a device supports
    /// it.
    ///
    /// # Errors
    /// As [`explain_on`].
    pub fn explain(&self, sketch: &Sketch<'_>, policies: &[Policy], cutoff: Cutoff) -> Result<Explanation> {
        let Sketch { kernel, maps, iterations } = *sketch;
        // The devices are asked where arrays lie; one that runs the body that calls this would not answer.
        self.refuse_inside_a_body(kernel.name())?;
        kernel.check_cost()?;
        let profile = plan::profile_of(kernel, maps, iterations);
        let mut members: Vec<&Member> = self.members.iter().collect();
        let memories = members.iter().map(|member| (&*member.model.name, member.memory_now()));
        let left_out = plan::without_room(plan::replicated(maps), memories);
        let mut stays = left_out.iter().map(Option::is_none);
        members.retain(|_| stays.next().unwrap_or(true));
        let cost = |member: &&Member| device_cost_at(&member.model, &profile, Overlap::Full, &member.share);
        let costs = members.iter().map(cost).collect();
        let asked = Asked { runtime: self, kernel, arguments: &[], contributed: 0, block: None, cutoff };
        // Page-locked arrays do not limit the length of pieces.
        let placement = Placement { profile, ..Placement::default() };
        let awake = self.all_awake(&members);
        let expected =
            asked.expected(&members, &placement, &Policy::Auto, costs, (self.history.as_ref(), Asks::Forecast), awake);
        let types: Vec<&str> = members.iter().map(|member| member.type_name).collect();
        let names = members.iter().map(|member| member.model.name.clone()).collect();
        let problem = expected.problem(&placement.profile, &types, kernel.chunk_granule(), cutoff);
        let mut explanation = explain(&problem, names, policies)?;
        if let Some(consulted) = &expected.consulted {
            consulted.tell(&members, &mut explanation);
        }
        explanation.notes.extend(left_out.iter().flatten().map(ToString::to_string));
        Ok(explanation)
    }
}

/// A sketched loop on described devices.
struct LoopOn<'d> {
    profile: LoopProfile,
    costs: Vec<DeviceCost>,
    types: Vec<&'d str>,
    iterations: u64,
    granule: u64,
}

impl<'d> LoopOn<'d> {
    fn new(devices: &[&'d DeviceEntry], shared: &SharedRates, sketch: &Sketch<'_>, overlap: Overlap) -> Result<Self> {
        sketch.kernel.check_cost()?;
        let profile = sketch.profile();
        let setup = sketch.kernel.host_setup_iterations() as f64;
        let cost = |device: &&DeviceEntry| {
            let mut cost = device_cost_at(&device.model(), &profile, overlap, &shared.of(device.id));
            if device.kind == DeviceKind::Host {
                cost.kernel_chunk += cost.kernel * setup;
            }
            cost
        };
        Ok(Self {
            costs: devices.iter().map(cost).collect(),
            types: devices.iter().map(|device| device.device_type.name()).collect(),
            iterations: sketch.iterations,
            granule: sketch.kernel.chunk_granule(),
            profile,
        })
    }

    fn problem(&self, cutoff: Cutoff) -> Problem<'_> {
        Problem {
            granule: self.granule,
            device_types: &self.types,
            cutoff,
            min_sample: plan::least_sample(&self.costs),
            ..Problem::new(self.iterations, &self.costs, &self.profile)
        }
    }
}
