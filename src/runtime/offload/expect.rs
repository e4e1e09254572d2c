//! What each device of a loop is expected to take, before the loop runs.

use super::Loop;
use crate::data::LoopShape;
use crate::kernel::{Argument, Kernel};
use crate::model::contention::{Draw, Draws, During};
use crate::model::history::Learned;
use crate::model::{DeviceCost, LoopProfile, MemoryKind};
use crate::runtime::history::{Asks, Consulted, Keeper, Placement, company};
use crate::runtime::plan::{self, Expected, HostChunks, Pieces};
use crate::runtime::{Member, Runtime};
use crate::sched::{Apart, Cutoff, Policy, Problem};
use crate::space::Slot;
use crate::units::Seconds;

/// No device is taken to be slowed by others by more than this factor.
const MOST_SLOWED: f64 = 4.0;

/// The loop whose costs are asked for.
pub(in crate::runtime) struct Asked<'l> {
    pub runtime: &'l Runtime,
    pub kernel: &'l Kernel,
    pub arguments: &'l [Argument<'l>],
    /// Total bytes of the arrays that iterations contribute to as a whole.
    pub contributed: usize,
    pub block: Option<u64>,
    pub cutoff: Cutoff,
}

impl Asked<'_> {
    /// The expected costs of the devices. `costs` are those by the description; the history and all else that is known adjust
    /// them.
    pub(in crate::runtime) fn expected(
        &self,
        members: &[&Member],
        Placement { profile, locked, pieces, .. }: &Placement,
        policy: &Policy,
        mut costs: Vec<DeviceCost>,
        (history, asks): (Option<&Keeper>, Asks),
        awake: bool,
    ) -> Expected {
        let (kernel, arguments) = ((self.kernel, self.block), self.arguments);
        let mut described = if history.is_some() { costs.clone() } else { Vec::new() };
        // Untested costs are used only where loops are learned from: otherwise AUTO could not find out that one is wrong.
        let finder = history
            .filter(|keeper| members.len() > 1 && *policy == Policy::Auto && profile.states_work() && !keeper.frozen());
        let consulted =
            history.map(|history| history.consult(members, kernel, (arguments, locked), profile, &mut costs, asks));
        if asks != Asks::Nothing && !consulted.as_ref().is_some_and(Consulted::knows_any) {
            described.clear();
        }
        let tried = match (history, &consulted, policy) {
            (Some(history), Some(consulted), Policy::Auto) => history.tried((consulted, asks), members, profile),
            _ => Vec::new(),
        };
        let learned = |index: usize| consulted.as_ref().and_then(|consulted| consulted.learned[index].as_ref());
        let alone = members.len() == 1;
        let contributed = self.contributed;
        // Adds what the description lacks. Measured times include it already.
        let besides = |index: usize, cost: &mut DeviceCost, once_measured: bool, kernel_measured: bool| {
            let member = members[index];
            if let Some(Pieces { longest, copiers }) = pieces.get(index).copied().flatten().filter(|_| !once_measured) {
                // Before the link has enough to do each thread copies a piece, and after the last copy out ends each copies one more.
                // Half of each such round is taken to overlap with the link's copies. With all of it, AUTO at first left out three
                // of four H200 in a short loop that two did faster (ramp/ in results/h200-even-2026-11-26).
                cost.once += (cost.to + cost.from) * (longest as f64 * copiers as f64 / 2.0);
            }
            let of = &member.model;
            let saved = if once_measured {
                None
            } else if awake {
                Some(of.wake + of.wake_of_library(profile))
            } else {
                // The caller's own thread serves the device.
                (alone && member.pool.is_none()).then_some(of.wake - of.wake_alone)
            };
            if let Some(saved) = saved {
                cost.once = (cost.once - saved).max(Seconds::ZERO);
            }
            if !kernel_measured && self.runtime.reads_hosts_memory(member) {
                let threads = member.pool.as_ref().map(|pool| pool.current_num_threads());
                let chunks = HostChunks::of(self.kernel, member.pool.is_some(), threads);
                chunks.add_to(cost, profile, contributed, member.model.memory_rate);
            }
        };
        for (index, cost) in costs.iter_mut().enumerate() {
            let measured = learned(index);
            let once = measured.is_some_and(|learned| learned.once.is_some());
            besides(index, cost, once, measured.is_some_and(Learned::knows_kernel));
        }
        // Devices that ran such loops in this company have their measured costs, the others the described ones.
        let by_known = |known: &[Option<Learned>]| -> Vec<DeviceCost> {
            let of = |(index, (described, known)): (usize, (&DeviceCost, &Option<Learned>))| {
                let known = known.unwrap_or_default();
                let mut cost = known.apply(described);
                if known.together {
                    // The measured times include the contention for the host's memory and for what links share.
                    (cost.host_memory, cost.host_memory_once) = (Seconds::ZERO, Seconds::ZERO);
                    cost.draws = Draws::default();
                }
                besides(index, &mut cost, known.once.is_some(), known.knows_kernel());
                cost
            };
            described.iter().zip(known).enumerate().map(of).collect()
        };
        let alone = match (finder, &consulted) {
            (Some(keeper), Some(consulted)) => {
                let one = |member: &Member| company(std::iter::once(member.model.memory));
                let known = keeper.among((consulted, asks), members, profile, &described, one);
                let mut alone = by_known(&known);
                // What others slow a device by has its limits: beyond them its description is wrong.
                for (index, cost) in alone.iter_mut().enumerate().filter(|(index, _)| known[*index].is_none()) {
                    if learned(index).is_some_and(Learned::knows_kernel) {
                        cost.kernel = cost.kernel.max(costs[index].kernel * (1.0 / MOST_SLOWED));
                    }
                }
                alone
            }
            _ => Vec::new(),
        };
        let apart = match (history, &consulted, policy, self.cutoff) {
            (Some(keeper), Some(consulted), Policy::Model2 | Policy::Auto, Cutoff::Benefit(_)) => {
                let like = |member: &Member| {
                    let memories = members.iter().map(|other| other.model.memory);
                    company(memories.filter(|memory| *memory == member.model.memory))
                };
                let known = keeper.among((consulted, asks), members, profile, &described, like);
                // As above: untested costs only where loops show whether they are right.
                let hopes = profile.states_work() && !keeper.frozen();
                apart(members, &known, hopes, || by_known(&known))
            }
            _ => Vec::new(),
        };
        for (index, cost) in described.iter_mut().enumerate() {
            besides(index, cost, false, false);
        }
        let mut expected = Expected { costs, described, alone, apart, tried, consulted };
        let Expected { costs, alone, apart, .. } = &mut expected;
        for costs in [costs, alone].into_iter().chain(apart.iter_mut().map(|set| &mut set.costs)) {
            for (cost, pieces) in costs.iter_mut().zip(pieces).filter_map(|(cost, pieces)| Some((cost, (*pieces)?))) {
                *cost = cost.in_pieces_of(pieces.longest);
            }
        }
        // If all devices' times are from loops that they ran together, those times include the contention for cores.
        let known =
            |consulted: &Consulted| consulted.learned.iter().flatten().filter(|learned| learned.together).count();
        if expected.consulted.as_ref().map_or(0, known) < members.len() {
            draw_on_cores(members, pieces, &mut expected.costs);
        }
        expected
    }
}

impl Expected {
    /// The loop on these devices, as the policies see it.
    pub(in crate::runtime) fn problem<'p>(
        &'p self,
        profile: &'p LoopProfile,
        device_types: &'p [&'p str],
        granule: u64,
        cutoff: Cutoff,
    ) -> Problem<'p> {
        Problem {
            granule,
            device_types,
            cutoff,
            min_sample: plan::least_sample(&self.costs),
            measured: self.consulted.as_ref().is_some_and(Consulted::knows_all),
            tried: &self.tried,
            alone: &self.alone,
            apart: &self.apart,
            ..Problem::new(profile.iterations, &self.costs, profile)
        }
    }
}

impl Loop<'_, '_> {
    /// This loop as the input of [`Asked::expected`].
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            runtime: self.runtime,
            kernel: self.bound.kernel(),
            arguments: self.bound.arguments(),
            contributed: self.bound.contributed_bytes(),
            block: self.block,
            cutoff: self.cutoff,
        }
    }

    /// Each device's pieces, where they are short whatever share it gets: several host threads copy its plain arrays, or the
    /// pieces are blocks of a reproducible loop; empty if that is so of none. Also the fraction by which plain arrays take longer
    /// than at their rate.
    pub(super) fn pieces(&self, members: &[&Member], locked: &[bool]) -> (Vec<Option<Pieces>>, f64) {
        let discrete = |member: &Member| member.model.memory == MemoryKind::Discrete;
        let gpus = members.iter().filter(|member| discrete(member)).count();
        let (arguments, reductions) = (self.bound.arguments(), self.bound.array_reductions());
        let plain = arguments.iter().zip(locked).any(|(argument, locked)| argument.array().is_some() && !locked);
        if !plain && self.block.is_none() {
            return (Vec::new(), 0.0);
        }
        let (mut pieces, mut longer) = (vec![None; members.len()], 0.0_f64);
        let shape = LoopShape { range: self.range, devices: members.len() };
        let footprint = plan::footprint(&self.bound, &shape, None);
        for (of, member) in pieces.iter_mut().zip(members) {
            if discrete(member) && plain {
                let way = member.device().pipelining(arguments, locked, reductions, gpus);
                longer = longer.max(way.plain_longer);
                if way.copiers > 0 {
                    // As if the loop were divided evenly: how it will be is what these costs are to tell.
                    let longest = footprint.largest_piece(None, None, &way, 1, self.range.len() / gpus as u64);
                    *of = Some(Pieces { longest, copiers: way.copiers });
                }
            }
            if let Some(block) = self.block.filter(|_| !member.device().runs_blocks()) {
                let longest = block.min(self.range.len().max(1));
                *of = Some(Pieces { longest, copiers: of.map_or(0, |of: Pieces| of.copiers) });
            }
        }
        (pieces, longer)
    }
}

/// Makes the host's loops share its cores with the threads that copy plain arrays for GPUs. Those threads are busy as long as
/// their GPU is, since they wait for its copies awake: `costs` are those in its pieces, each of which takes its time besides.
fn draw_on_cores(members: &[&Member], pieces: &[Option<Pieces>], costs: &mut [DeviceCost]) {
    let threads = |member: &Member| member.pool.as_ref().map_or(0, |pool| pool.current_num_threads());
    let copiers = |pieces: &Option<Pieces>| pieces.map_or(0, |pieces| pieces.copiers);
    let all: usize = members.iter().map(|member| threads(member)).sum();
    if all == 0 || pieces.iter().all(|pieces| copiers(pieces) == 0) {
        return;
    }
    for ((member, pieces), cost) in members.iter().zip(pieces).zip(costs) {
        let working = copiers(pieces) + threads(member);
        if working > 0 {
            let per_iteration = cost.effective() * (working as f64 / all as f64).min(1.0);
            let (once, during) = (Seconds::ZERO, During::Work);
            cost.draws.push(Draw { capacity: Draw::CORES, once, per_iteration, during });
        }
    }
}

/// The costs of the devices with memory of their own without the host's, and of the host's without those, if the loop has both.
/// With `hopes`, devices that never ran such a loop count as described; otherwise their set is left out.
fn apart(
    members: &[&Member],
    known: &[Option<Learned>],
    hopes: bool,
    costs: impl Fn() -> Vec<DeviceCost>,
) -> Vec<Apart> {
    let kinds = [MemoryKind::Shared, MemoryKind::Discrete].map(|kind| {
        let of_kind = members.iter().enumerate().filter(|(_, member)| member.model.memory == kind);
        of_kind.map(|(index, _)| Slot(index)).collect::<Vec<_>>()
    });
    if known.is_empty() || kinds.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let tells = |devices: &Vec<Slot>| hopes || devices.iter().all(|slot| known[slot.0].is_some());
    kinds.into_iter().filter(tells).map(|devices| Apart { devices, costs: costs() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Device;
    use crate::devices::host::HostDevice;
    use crate::devices::topology::current_affinity;
    use crate::model::cost::device_cost_at;
    use crate::model::{Machine, Overlap};

    fn described(member: &Member, profile: &LoopProfile) -> DeviceCost {
        device_cost_at(&member.model, profile, Overlap::Full, &member.share)
    }

    /// Under MODEL_2, without a history.
    fn expected_of(rt: &Runtime, members: &[&Member], placement: &Placement, awake: bool) -> Expected {
        let costs = members.iter().map(|member| described(member, &placement.profile)).collect();
        let asked = Asked {
            runtime: rt,
            kernel: &Kernel::new("k"),
            arguments: &[],
            contributed: 0,
            block: None,
            cutoff: Cutoff::None,
        };
        asked.expected(members, placement, &Policy::Model2, costs, (None, Asks::Nothing), awake)
    }

    #[test]
    fn threads_that_copy_take_their_part_of_the_cores_as_long_as_their_gpu_works() {
        let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
        let way = format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(100.0), figure(10.0));
        let link = format!(r#", "memory_gib": {}, "link": {{"to": {way}, "from": {way}}}"#, figure(1.0));
        let device = |id: usize, kind: &str, kept: &str, link: &str| {
            let one = figure(10.0);
            format!(
                r#"{{"id": {id}, "name": "{kind}", "kind": "{kind}", "type": "HOSTCPU", "memory": "{kept}",
                   "f32_gflop_per_s": {one}, "f64_gflop_per_s": {one}, "memory_gb_per_s": {one}, "launch_us": {one}{link}}}"#
            )
        };
        let devices = [device(0, "host", "shared", ""), device(1, "emulated", "discrete", &link)].join(", ");
        let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{devices}]}}"#);
        let mut rt = Runtime::from_machine(Machine::from_json(&text).unwrap()).unwrap().without_history();
        let cpu = current_affinity().ok().and_then(|cpus| cpus.first()).unwrap_or(0);
        rt.members[0].pool = HostDevice::open("h", &[cpu; 4], false).unwrap().pool();
        let threads = rt.members[0].pool.as_ref().unwrap().current_num_threads();
        let members: Vec<&Member> = rt.members.iter().collect();
        let profile = LoopProfile {
            iterations: 1 << 20,
            memory_bytes: 8.0,
            aligned_in: 8.0,
            plain_in: 8.0,
            transfers_in: 1,
            ..LoopProfile::default()
        };
        let in_whole = described(members[1], &profile).effective();
        let pieces = vec![None, Some(Pieces { longest: 1000, copiers: 1 })];
        let placement = Placement { profile, pieces, ..Placement::default() };
        let expected = expected_of(&rt, &members, &placement, false);
        let part = |cost: &DeviceCost| {
            let drawn = cost.draws.iter().find(|draw| draw.capacity == Draw::CORES).unwrap();
            drawn.per_iteration / cost.effective()
        };
        // A piece of 8 KB pays 100 us besides the 0.8 us of its bytes.
        assert!(expected.costs[1].effective() > in_whole * 100.0);
        let close = |part: f64, wanted: f64| (part - wanted).abs() < 1e-9;
        assert!(close(part(&expected.costs[0]), 1.0) && close(part(&expected.costs[1]), 1.0 / threads as f64));
    }

    #[test]
    fn a_device_with_its_own_memory_alone_pays_for_its_rest_but_not_for_a_thread_that_is_woken() {
        let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
        let way = format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(1.0), figure(10.0));
        let one = figure(10.0);
        let device = |id: usize| {
            format!(
                r#"{{"id": {id}, "name": "d{id}", "kind": "emulated", "type": "THSIM", "memory": "discrete",
                   "f32_gflop_per_s": {one}, "f64_gflop_per_s": {one}, "memory_gb_per_s": {one}, "launch_us": {one},
                   "wake_us": {}, "wake_alone_us": {}, "library_wake_us": {},
                   "memory_gib": {one}, "link": {{"to": {way}, "from": {way}}}}}"#,
                figure(300.0),
                figure(40.0),
                figure(90.0)
            )
        };
        let devices = [device(0), device(1)].join(", ");
        let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{devices}]}}"#);
        let rt = Runtime::from_machine(Machine::from_json(&text).unwrap()).unwrap().without_history();
        let members: Vec<&Member> = rt.members.iter().collect();
        let rest = |members: &[&Member], library: bool, awake: bool| {
            let profile = LoopProfile { iterations: 1 << 20, memory_bytes: 8.0, library, ..LoopProfile::default() };
            let placement = Placement { profile, ..Placement::default() };
            expected_of(&rt, members, &placement, awake).costs[0].once.micros().round()
        };
        // Both; one; either after a loop that has just ended.
        let found = [(2, false), (1, false), (2, true), (1, true)]
            .map(|(count, awake)| [false, true].map(|library| rest(&members[..count], library, awake)));
        assert_eq!(found, [[300.0, 390.0], [40.0, 130.0], [0.0, 0.0], [0.0, 0.0]]);
    }
}
