//! Predicts loops that cannot run here: on described devices, with arrays that do not exist.

use crate::data::ArrayMap;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::model::cost::device_cost_at;
use crate::model::machine::{DeviceEntry, DeviceKind, SharedRates};
use crate::model::{DeviceCost, LoopProfile, MemoryKind, Overlap};
use crate::runtime::history::{Asks, Placement};
use crate::runtime::offload::Asked;
use crate::runtime::plan::HostChunks;
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

/// What to say of a prediction for these devices if none has room for the loop's replicated arrays, so that a real loop fails.
pub fn no_room(devices: &[&DeviceEntry], sketch: &Sketch<'_>) -> Option<String> {
    plan::no_room(plan::replicated(sketch.maps), devices.iter().map(|device| device.model().memory_bytes))
}

/// The places of some devices in a list.
fn places(some: &[&DeviceEntry], all: &[&DeviceEntry]) -> Vec<usize> {
    some.iter().filter_map(|device| all.iter().position(|other| other.id == device.id)).collect()
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
    let (stay, left_out) = with_room(devices, sketch);
    let loop_on = LoopOn::new(&stay, shared, sketch, overlap)?;
    let names = stay.iter().map(|device| device.name.clone()).collect();
    let places = places(&stay, devices);
    let policies: Vec<Policy> = policies.iter().map(|policy| policy.among(devices.len(), &places)).collect();
    let mut explanation = explain(&loop_on.problem(cutoff), names, &policies)?;
    explanation.notes.extend(left_out.iter().map(ToString::to_string));
    explanation.notes.extend(no_room(devices, sketch));
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
        let nowhere = plan::no_room(plan::replicated(maps), members.iter().map(|member| member.memory_now()));
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
        let own = |policy: &Policy| self.policy_among(policy.clone(), None, &members);
        let policies: Vec<Policy> = policies.iter().map(own).collect::<Result<_>>()?;
        let mut explanation = explain(&problem, names, &policies)?;
        if let Some(consulted) = &expected.consulted {
            consulted.tell(&members, &mut explanation);
        }
        explanation.notes.extend(left_out.iter().flatten().map(ToString::to_string));
        explanation.notes.extend(nowhere);
        Ok(explanation)
    }
}

/// The number of a host device's threads, if its description alone says it: cores that are left free by default depend on the machine.
fn described_threads(device: &DeviceEntry) -> Option<usize> {
    let host = device.host.as_ref()?;
    let of_cpus = || Some(host.cpus.as_ref()?.len().saturating_sub(host.leave_free?));
    host.threads.as_ref().map(|threads| threads.value as usize).or_else(of_cpus)
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
        let cost = |device: &&DeviceEntry| {
            let model = device.model();
            let mut cost = device_cost_at(&model, &profile, overlap, &shared.of(device.id));
            // As `Runtime::reads_hosts_memory`.
            if model.memory == MemoryKind::Shared && device.kind != DeviceKind::Emulated {
                let chunks = HostChunks::of(sketch.kernel, device.kind == DeviceKind::Host, described_threads(device));
                chunks.add_to(&mut cost, &profile, 0, model.memory_rate);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Direction, Distribution, Halo, HostMemory};
    use crate::element::Element;
    use crate::kernel::Cost;
    use crate::model::Machine;
    use crate::units::Seconds;
    use std::ops::Range;

    #[test]
    fn chunks_on_described_cores_take_what_they_take_on_open_ones() {
        let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
        let entry = |kind: &str, more: String| {
            format!(
                r#"{{"id": 0, "name": "d", "kind": "{kind}", "type": "HOSTCPU", "memory": "shared", "f32_gflop_per_s": {one},
                   "f64_gflop_per_s": {one}, "memory_gb_per_s": {one}, "launch_us": {one}{more}}}"#,
                one = figure(1.0)
            )
        };
        let kernel = Kernel::new("k").host_setup(7).host(|_: Range<usize>| ());
        let kernel = kernel.cost(Cost::per_iteration().loads(16).stores(8));
        let map = |direction, distribution, len| ArrayMap {
            name: None,
            element: f64::TYPE,
            direction,
            distribution,
            halo: Halo::default(),
            row_len: 1,
            len,
            memory: HostMemory::Scratch,
            mapped: None,
            shift: 0,
            first_row: 0,
            first_column: 0,
            chain: None,
            rows_at: None,
            components: 1,
        };
        let aligned = Distribution::Align { ratio: 1 };
        let maps = [
            map(Direction::To, aligned, 1000),
            map(Direction::To, Distribution::Full, 5000),
            map(Direction::From, aligned, 1000),
        ];
        let sketch = Sketch { kernel: &kernel, maps: &maps, iterations: 1000 };
        let besides = |kind: &str, more: String| {
            let text =
                format!(r#"{{"schema": "apportion.machine/1", "name": "m", "devices": [{}]}}"#, entry(kind, more));
            let machine = Machine::from_json(&text).unwrap();
            let devices: Vec<&DeviceEntry> = machine.devices.iter().collect();
            let on = LoopOn::new(&devices, &machine.shared_rates(), &sketch, Overlap::Full).unwrap();
            let plain = device_cost_at(&devices[0].model(), &on.profile, Overlap::Full, &machine.shared_rates().of(0));
            // A chunk of 8 us of work.
            let work = Seconds(8e-6);
            let last = on.costs[0].stages((work.0 / on.costs[0].kernel.0) as u64)[1] - on.costs[0].kernel_chunk - work;
            (on.costs[0].kernel_chunk - plain.kernel_chunk, on.costs[0].kernel, last.0 * 1e6)
        };
        // 40 kB at 1 GB/s.
        let reads = 40e-6;
        let threads = format!(r#", "host": {{"threads": {}}}"#, figure(4.0));
        let cases = [
            ("host", String::new(), 7.0),
            ("host", threads, 10.0),
            ("host", r#", "host": {"cpus": "0-7", "leave_free": 2}"#.to_owned(), 12.0),
        ];
        for (kind, more, iterations) in cases {
            let (besides, each, last) = besides(kind, more);
            let wanted = Seconds(reads) + each * iterations;
            assert!((besides - wanted).0.abs() < 1e-12 && each.0 > 0.0, "{besides:?} {wanted:?}");
            // Threads that are not known of are not waited for.
            let wanted = if iterations > 7.0 { 1.0 } else { 0.0 };
            assert!((last - wanted).abs() < 0.1, "{last} should be {wanted}");
        }
        // An emulated device takes what its description says.
        assert_eq!(besides("emulated", String::new()).0, Seconds::ZERO);
    }
}
