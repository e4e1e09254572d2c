//! What each policy would do with a loop, which part of the model limits its time, and what AUTO chooses.

use super::simulate::{SimulateOptions, SimulatedDevice, Simulation, simulate};
use super::{Cutoff, Policy, Problem, Tried, Verdict, decide};
use crate::element::Precision;
use crate::error::{Error, Phase, Result};
use crate::model::{DeviceCost, LoopProfile};
use crate::space::Slot;
use crate::units::{Bytes, Seconds};
use std::fmt;
use std::ops::Index;

/// A loop under several policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Names of the devices, in list order.
    pub devices: Vec<String>,
    /// Iterations of the loop.
    pub iterations: u64,
    /// The cost of an iteration, as the kernel states it.
    pub per_iteration: PerIteration,
    /// The whole loop on each device alone.
    pub alone: Vec<Seconds>,
    /// Names of the devices whose rates are from the history, in list order; those of the others are from the machine description.
    pub from_history: Vec<String>,
    /// Names of the other devices of whose copies to or from the host the history knows the times, from other kernels.
    pub copies_from_history: Vec<String>,
    /// The policies, in the order in which they were asked for, without those of [`Explanation::not_simulated`].
    pub policies: Vec<Explained>,
    /// The policies that could not be simulated, such as those of too many chunks, and why.
    pub not_simulated: Vec<(Policy, String)>,
    /// What AUTO chooses, and why.
    pub auto: Verdict,
    /// Remarks on the basis of the predictions, such as rates from a history.
    pub notes: Vec<String>,
}

/// The cost of an iteration, as the kernel states it, by hand or by `#[kernel]`. All predictions rest on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerIteration {
    /// Operations.
    pub flops: f64,
    /// Bytes read from memory.
    pub read: f64,
    /// Bytes written to memory.
    pub written: f64,
    /// The precision whose rate counts.
    pub precision: Precision,
}

impl PerIteration {
    fn of(profile: &LoopProfile) -> Self {
        Self {
            flops: profile.flops.0,
            read: profile.memory_bytes - profile.written,
            written: profile.written,
            precision: profile.precision,
        }
    }
}

impl fmt::Display for PerIteration {
    /// `2 flops of f32, 8 B read, 4 B written`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = self.precision.name();
        if self.flops == 0.0 && self.read + self.written == 0.0 {
            return write!(f, "nothing stated, taken for one operation of {precision}");
        }
        let flops = match self.flops {
            few if few < 1e7 => format!("{}", (few * 1e2).round() * 1e-2),
            many => format!("{many:.3e}"),
        };
        // A mean over iterations need not be a whole number.
        let bytes = |bytes: f64| Bytes(bytes.round() as u64);
        write!(f, "{flops} flops of {precision}, {} read, {} written", bytes(self.read), bytes(self.written))
    }
}

/// A loop under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The policy.
    pub policy: Policy,
    /// The simulation, with a record of each chunk.
    pub simulation: Simulation,
    /// The parts of each device's time.
    pub terms: Vec<Terms>,
    /// The device that is done last, and the part that takes most of its time.
    pub limit: Option<(Slot, Term)>,
}

/// A part of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Allocation and replicated arrays, once for each device.
    SetUp,
    /// Aligned arrays over the link to the device, at its bandwidth.
    LinkIn,
    /// Operations, at the device's rate.
    Flops,
    /// The device's own memory, at its bandwidth.
    Memory,
    /// Aligned arrays over the link from the device, at its bandwidth.
    LinkOut,
    /// Launches, latencies and halo rows, for each piece.
    Latency,
    /// Slowdown by other devices that draw on shared capacities: the host's memory, links behind one switch.
    Contention,
}

impl Term {
    /// All parts.
    pub const ALL: [Self; 7] =
        [Self::SetUp, Self::LinkIn, Self::Flops, Self::Memory, Self::LinkOut, Self::Latency, Self::Contention];

    /// The name in keys of results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::LinkIn => "link_in",
            Self::Flops => "kernel_flops",
            Self::Memory => "kernel_memory",
            Self::LinkOut => "link_out",
            Self::Latency => "latency",
            Self::Contention => "contention",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::SetUp => "set-up",
            Self::LinkIn => "link in",
            Self::Flops => "kernel flops",
            Self::Memory => "kernel memory",
            Self::LinkOut => "link out",
            Self::Latency => "launch and latency",
            Self::Contention => "contention",
        })
    }
}

/// Time of each [`Term`] on one device; they overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms([Seconds; 7]);

impl Index<Term> for Terms {
    type Output = Seconds;
    fn index(&self, term: Term) -> &Seconds {
        &self.0[term as usize]
    }
}

/// Contention is the limit if it adds more than this part.
const WALLED: f64 = 0.1;

impl Terms {
    fn of(cost: &DeviceCost, device: &SimulatedDevice) -> Self {
        let mut terms = Self::default();
        if device.iterations == 0 {
            return terms;
        }
        let n = device.iterations as f64;
        let mut set = |term: Term, time: Seconds| terms.0[term as usize] = time;
        set(Term::SetUp, cost.once);
        set(Term::LinkIn, cost.to * n);
        // If neither operations nor bytes are stated, an iteration counts as one operation. A measured time does not tell which.
        let by_flops = !cost.memory_bound && cost.kernel <= cost.flop_time * (1.0 + 1e-9);
        set(if by_flops { Term::Flops } else { Term::Memory }, cost.kernel * n);
        set(Term::LinkOut, cost.from * n);
        // The phases include the cost of each piece, and are longer under contention.
        let unslowed = (device.busy - device.slowed).0 / device.busy.0.max(f64::MIN_POSITIVE);
        let stages = device.phases[Phase::To] + device.phases[Phase::Kernel] + device.phases[Phase::From];
        let latency = stages * unslowed - (cost.to + cost.kernel + cost.from) * n;
        // A difference of sums may be slightly negative by rounding.
        set(Term::Latency, if latency.0 > stages.0 * 1e-9 { latency } else { Seconds::ZERO });
        set(Term::Contention, device.slowed);
        terms
    }

    /// The part that takes longest; contention if it adds more than a tenth to that. `None` if all are zero.
    pub fn dominant(&self) -> Option<Term> {
        let rest = Term::ALL.iter().filter(|term| **term != Term::Contention);
        let longest = rest.max_by(|a, b| self[**a].0.total_cmp(&self[**b].0)).copied()?;
        if self[Term::Contention].0 > self[longest].0 * WALLED {
            return Some(Term::Contention);
        }
        Some(longest).filter(|term| self[*term].0 > 0.0)
    }
}

/// What each of `policies` would do with a loop on devices of these names, and what AUTO chooses.
///
/// A policy that cannot be simulated, as its chunks are too many, costs only itself: see [`Explanation::not_simulated`].
///
/// # Errors
/// [`Error::Call`] as [`simulate`], with the policy's name.
pub fn explain(problem: &Problem, devices: Vec<String>, policies: &[Policy]) -> Result<Explanation> {
    let auto = decide(problem)?;
    let alone = |(index, cost): (usize, &DeviceCost)| {
        if let Some(time) = measured(problem, &Policy::Block, &[Slot(index)]) {
            return Ok(time);
        }
        let own = problem.on(std::slice::from_ref(cost), &[]);
        let options = SimulateOptions { records: false, ..SimulateOptions::default() };
        simulate(&Policy::Block, &own, &options).map(|simulation| simulation.makespan)
    };
    let everyone: Vec<Slot> = (0..problem.devices.len()).map(Slot).collect();
    let whole = |policy: &&Policy| measured(problem, policy, &everyone).is_some();
    let known: Vec<String> = policies.iter().filter(whole).map(Policy::to_string).collect();
    let notes = (!known.is_empty()).then(|| format!("times as measured in such loops: {}", known.join(", ")));
    let (mut simulated, mut not_simulated) = (Vec::new(), Vec::new());
    for policy in policies {
        match explained(policy, problem, &everyone) {
            Ok(explained) => simulated.push(explained),
            Err(Error::TooLarge(why)) => not_simulated.push((policy.clone(), why)),
            Err(Error::Call(text)) => return Err(Error::Call(format!("{policy}: {text}"))),
            Err(other) => return Err(other),
        }
    }
    Ok(Explanation {
        devices,
        iterations: problem.iterations,
        per_iteration: PerIteration::of(problem.profile),
        alone: problem.devices.iter().enumerate().map(alone).collect::<Result<_>>()?,
        from_history: Vec::new(),
        copies_from_history: Vec::new(),
        policies: simulated,
        not_simulated,
        auto,
        notes: notes.into_iter().collect(),
    })
}

/// What such loops took under a policy on these devices, if there was more than one: AUTO compares by that.
fn measured(problem: &Problem, policy: &Policy, devices: &[Slot]) -> Option<Seconds> {
    let same = |tried: &&Tried| !tried.once() && tried.policy == *policy && tried.devices == devices;
    problem.tried.iter().find(same).filter(|_| problem.cutoff == Cutoff::None).map(|tried| tried.time)
}

fn explained(policy: &Policy, problem: &Problem, everyone: &[Slot]) -> Result<Explained> {
    let mut simulation = simulate(policy, problem, &SimulateOptions::default())?;
    let mut terms: Vec<Terms> =
        simulation.devices.iter().zip(problem.devices).map(|(device, cost)| Terms::of(cost, device)).collect();
    let chosen = simulation.decision.verdict.as_ref().filter(|verdict| verdict.measured).map(|verdict| verdict.time);
    if let Some(time) = chosen.or_else(|| measured(problem, policy, everyone)) {
        let factor = simulation.takes(time);
        terms.iter_mut().for_each(|terms| terms.0 = terms.0.map(|term| term * factor));
    }
    let end = |device: &SimulatedDevice| device.records.iter().map(|chunk| chunk.end.0).fold(0.0, f64::max);
    let last = (0..terms.len())
        .filter(|&d| simulation.devices[d].iterations > 0)
        .max_by(|&a, &b| end(&simulation.devices[a]).total_cmp(&end(&simulation.devices[b])));
    let limit = last.and_then(|d| Some((Slot(d), terms[d].dominant()?)));
    Ok(Explained { policy: policy.clone(), simulation, terms, limit })
}

impl Explanation {
    fn name(&self, slot: Slot) -> &str {
        self.devices.get(slot.0).map_or("?", String::as_str)
    }
}

impl fmt::Display for Explanation {
    /// The cost of an iteration, a paragraph for each policy, one for AUTO, and the remarks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "per iteration: {}", self.per_iteration)?;
        for explained in &self.policies {
            let simulation = &explained.simulation;
            write!(f, "{}: {}", explained.policy, simulation.makespan)?;
            if let Some((slot, term)) = explained.limit {
                write!(f, ", {term} of {}", self.name(slot))?;
            }
            writeln!(f)?;
            for (d, (device, terms)) in simulation.devices.iter().zip(&explained.terms).enumerate() {
                if device.iterations == 0 {
                    continue;
                }
                let share = device.iterations as f64 / self.iterations.max(1) as f64 * 1e2;
                write!(f, "  {}: {share:.1} %, busy {}, wait {}", self.name(Slot(d)), device.busy, device.wait)?;
                match terms.dominant() {
                    Some(term) => writeln!(f, ", {term}")?,
                    None => writeln!(f)?,
                }
            }
            for (slot, reason) in &simulation.decision.left_out {
                writeln!(f, "  {} left out: {reason}", self.name(*slot))?;
            }
        }
        for (policy, why) in &self.not_simulated {
            writeln!(f, "{policy}: not simulated: {why}")?;
        }
        let names: Vec<&str> = self.auto.devices.iter().map(|slot| self.name(*slot)).collect();
        writeln!(f, "AUTO chooses {}", self.auto.with_names(&names))?;
        for (slot, reason) in &self.auto.left_out {
            writeln!(f, "  {} left out: {reason}", self.name(*slot))?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sched::Apart;
    use std::sync::Arc;

    #[test]
    fn where_a_loops_time_is_known_its_devices_take_no_longer() {
        let cost = |kernel: f64| DeviceCost {
            kernel: Seconds(kernel),
            // As where all rates are measured.
            flop_time: Seconds(kernel),
            memory_bound: true,
            to: Seconds(1e-9),
            to_chunk: Seconds(1e-6),
            ..DeviceCost::default()
        };
        let (costs, profile) =
            ([cost(4e-9), cost(2e-9)], LoopProfile { iterations: 1 << 20, ..LoopProfile::default() });
        let names = || vec!["one".to_owned(), "two".to_owned()];
        let fresh = Problem::new(1 << 20, &costs, &profile);
        let before = explain(&fresh, names(), &[Policy::Block]).unwrap().policies.remove(0);
        let time = before.simulation.makespan * 0.25;
        let tried = [Tried {
            policy: Policy::Block,
            devices: vec![Slot(0), Slot(1)],
            time,
            predicted: None,
            loops: 2,
            hope: 1.0,
        }];
        let known = explain(&Problem { tried: &tried, ..fresh }, names(), &[Policy::Block]).unwrap().policies.remove(0);
        assert_eq!(known.simulation.makespan, time);
        assert_eq!(known.limit, Some((Slot(0), Term::Memory)));
        let near = |one: Seconds, other: Seconds| (one.0 - other.0).abs() <= 1e-9 * other.0;
        for (slot, (device, was)) in known.simulation.devices.iter().zip(&before.simulation.devices).enumerate() {
            assert!(device.busy <= time && near(device.busy, was.busy * 0.25), "{device:?}");
            assert!(near(device.busy + device.wait, time), "{device:?}");
            assert!(
                Phase::ALL.iter().all(|phase| near(device.phases[*phase], was.phases[*phase] * 0.25)),
                "{device:?}"
            );
            assert!(device.records.iter().all(|chunk| chunk.end <= time && chunk.stages[1].1 <= time), "{device:?}");
            assert!(near(known.terms[slot][Term::Memory], before.terms[slot][Term::Memory] * 0.25));
        }
    }

    #[test]
    fn the_devices_that_auto_chooses_are_named() {
        let cost = |kernel: f64| DeviceCost {
            kernel: Seconds(kernel),
            flop_time: Seconds(kernel),
            shared: true,
            ..DeviceCost::default()
        };
        let profile = LoopProfile::default();
        let said = |costs: &[DeviceCost], tried: &[Tried]| {
            let names = (0..costs.len()).map(|d| format!("d{d}")).collect();
            let problem = Problem { tried, ..Problem::new(1 << 20, costs, &profile) };
            let text = explain(&problem, names, &[]).unwrap().to_string();
            text.lines().find(|line| line.starts_with("AUTO chooses")).unwrap().to_owned()
        };
        let alone = Tried {
            policy: Policy::Block,
            devices: vec![Slot(1)],
            time: Seconds(1e-6),
            predicted: None,
            loops: 2,
            hope: 1.0,
        };
        let two = [cost(2e-9), cost(2e-9)];
        assert_eq!(said(&two, &[alone]), "AUTO chooses BLOCK on d1 alone: its measured time of 1.00 us is the least");
        let slow = [cost(2e-9), cost(2e-9), cost(2e-7)];
        assert!(said(&slow, &[]).contains(" on d0, d1: its simulated time of"), "{}", said(&slow, &[]));
        assert!(said(&two, &[]).contains(": its simulated time of"), "{}", said(&two, &[]));
    }

    #[test]
    fn a_policy_of_too_many_chunks_costs_only_itself() {
        let cost = |kernel: f64| DeviceCost {
            kernel: Seconds(kernel),
            flop_time: Seconds(kernel),
            shared: true,
            ..DeviceCost::default()
        };
        let (costs, profile) = ([cost(2e-9); 16], LoopProfile::default());
        let names = || (0..16).map(|d| d.to_string()).collect();
        let [equal, shrinking] =
            ["SCHED_DYNAMIC:1", "HGUIDED:k=1000:min=1"].map(|text| text.parse::<Policy>().unwrap());
        // AUTO too, where such a policy took the least time.
        let tried = [Tried {
            policy: shrinking.clone(),
            devices: (0..16).map(Slot).collect(),
            time: Seconds(1e-9),
            predicted: None,
            loops: 2,
            hope: 1.0,
        }];
        let problem = Problem { tried: &tried, ..Problem::new(1_000_000_000_000, &costs, &profile) };
        let policies = [Policy::Block, equal.clone(), Policy::Auto, shrinking.clone(), Policy::Model2];
        let explained = explain(&problem, names(), &policies).unwrap();
        let of: Vec<&Policy> = explained.policies.iter().map(|explained| &explained.policy).collect();
        assert_eq!(of, [&Policy::Block, &Policy::Model2]);
        let left_out: Vec<&Policy> = explained.not_simulated.iter().map(|(policy, _)| policy).collect();
        assert_eq!(left_out, [&equal, &Policy::Auto, &shrinking]);
        assert_eq!((&explained.auto.policy, explained.auto.measured), (&shrinking, true));
        for (policy, why) in &explained.not_simulated {
            assert!(why.contains("too many chunks") && why.contains("of the loop's 1000000000000 iterations"), "{why}");
            assert!(explained.to_string().contains(&format!("{policy}: not simulated: {why}\n")), "{explained}");
        }
        // What is wrong with a policy, and not with the loop, is an error still.
        let wrong = explain(&problem, names(), &["HGUIDED:min=1/1/1".parse().unwrap()]).unwrap_err();
        assert!(wrong.to_string().contains("HGUIDED") && wrong.to_string().contains("16 devices"), "{wrong}");
    }

    #[test]
    fn a_device_alone_is_explained_whatever_is_known_of_all_of_them_together() {
        let cost = |kernel: f64| DeviceCost {
            kernel: Seconds(kernel),
            flop_time: Seconds(kernel),
            shared: true,
            ..DeviceCost::default()
        };
        let (costs, profile) = ([cost(4e-9), cost(2e-9)], LoopProfile::default());
        let names = || vec!["one".to_owned(), "two".to_owned()];
        let cutoff = "benefit:2%".parse().unwrap();
        let fresh = Problem { cutoff, ..Problem::new(1 << 20, &costs, &profile) };
        let policies = [Policy::Auto, Policy::Model2];
        let alone = explain(&fresh, names(), &policies).unwrap().alone;
        let apart = [0, 1].map(|slot| Apart { devices: vec![Slot(slot)], costs: costs.to_vec() });
        let decided = Arc::new(decide(&fresh).unwrap());
        let types = ["HOSTCPU", "NVGPU"];
        for granule in [1, 4] {
            let known = Problem {
                apart: &apart,
                alone: &costs,
                device_types: &types,
                decided: Some(&decided),
                granule,
                ..fresh.clone()
            };
            assert_eq!(explain(&known, names(), &policies).unwrap().alone, alone);
        }
    }
}
