//! Policies as the user writes them, and the list of all policies.

use super::block::{self, Blocks};
use super::cutoff::Known;
use super::{
    ChunkSize, Cutoff, Decision, GuidedMode, Next, PacketDivisor, Scheduler, Verdict, adaptive, auto, dynamic, guided,
    hguided, model_1, model_2, model_profile, sched_profile,
};
use crate::error::{Error, Result};
use crate::model::{DeviceCost, LoopProfile, Shared};
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::{Percent, Seconds};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Every policy there is. The program's help, the reports and the tests are made from this list.
pub const POLICIES: &[PolicyEntry] = &[
    block::ENTRY,
    dynamic::ENTRY,
    guided::ENTRY,
    model_1::ENTRY,
    model_2::ENTRY,
    sched_profile::ENTRY,
    model_profile::ENTRY,
    hguided::ENTRY,
    adaptive::ENTRY,
    auto::ENTRY,
];

/// One policy in the list.
#[derive(Debug)]
pub struct PolicyEntry {
    /// Its name, in every record; that of the HOMP paper, if it is from there.
    pub name: &'static str,
    /// Other names that are accepted.
    pub short: &'static [&'static str],
    /// One line for the help.
    pub summary: &'static str,
    /// What may follow the name after a colon, with the default; empty if nothing may.
    pub parameter: &'static str,
    /// Whether a [`Cutoff`] has an effect on it.
    pub takes_cutoff: bool,
    /// 2 for a policy that measures a sample first.
    pub stages: u8,
    /// Parses the words after the name.
    pub(super) parse: fn(&[&str]) -> Result<Policy, String>,
    /// Starts it on a loop of `problem.iterations` granules with two or more devices; all costs are per granule.
    pub(super) build: fn(&Policy, &Problem) -> Result<Box<dyn Scheduler>>,
}

/// How a loop is divided. Written `NAME[:PARAM[:MODE]]`, such as `SCHED_DYNAMIC:2%`, or `NAME[:KEY=VALUE..]`, such as
/// `HGUIDED:k=2:min=1%`; names in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Equal contiguous blocks.
    #[doc(alias = "BLOCK")]
    Block,
    /// Chunks of one size, first come first served.
    #[doc(alias = "SCHED_DYNAMIC")]
    Dynamic {
        /// The size.
        chunk: ChunkSize,
    },
    /// Shrinking chunks, first come first served.
    #[doc(alias = "SCHED_GUIDED")]
    Guided {
        /// Share of what remains.
        percent: Percent,
        /// How the chunk's size follows from it.
        mode: GuidedMode,
    },
    /// Shares in proportion to the devices' sustained operation rates.
    #[doc(alias = "MODEL_1_AUTO")]
    Model1,
    /// Shares that finish together by rates, links and latencies.
    #[doc(alias = "MODEL_2_AUTO")]
    Model2,
    /// An equal sample on every device, then shares by what was measured.
    #[doc(alias = "SCHED_PROFILE_AUTO")]
    SchedProfile {
        /// Sample of each device, as a part of the whole loop.
        sample: Percent,
    },
    /// A sample divided by the model, then shares by what was measured.
    #[doc(alias = "MODEL_PROFILE_AUTO")]
    ModelProfile {
        /// Sample of all devices together, as a part of the whole loop.
        sample: Percent,
    },
    /// Shrinking chunks in proportion to the devices' power, first come first served; from EngineCL, not HOMP.
    #[doc(alias = "HGUIDED")]
    HGuided {
        /// Divisors of the packets: one for all devices, or one for each.
        k: Vec<PacketDivisor>,
        /// The least packet: one for the fastest device, scaled for the others; or one for each.
        least: Vec<ChunkSize>,
    },
    /// Samples that no other device waits for, then ever smaller shares by what was measured; not from HOMP.
    #[doc(alias = "ADAPTIVE")]
    Adaptive {
        /// Samples of all devices together, as a part of the whole loop.
        sample: Percent,
        /// The end of the loop that is handed out in small chunks, as a part of the whole loop.
        tail: Percent,
    },
    /// The policy with the least simulated time.
    #[default]
    Auto,
    /// The policy that the HOMP paper's rules (section VI-D) name for the kind of loop.
    AutoHeuristic,
}

impl Policy {
    /// The seven policies of the HOMP paper, with the parameters of its Table II.
    pub const ALL_SEVEN: [Self; 7] = [
        Self::Block,
        Self::Dynamic { chunk: dynamic::DEFAULT },
        Self::Guided { percent: guided::DEFAULT, mode: GuidedMode::Remaining },
        Self::Model1,
        Self::Model2,
        Self::SchedProfile { sample: sched_profile::DEFAULT },
        Self::ModelProfile { sample: model_profile::DEFAULT },
    ];

    /// Its entry in [`POLICIES`].
    pub fn entry(&self) -> &'static PolicyEntry {
        match self {
            Self::Block => &block::ENTRY,
            Self::Dynamic { .. } => &dynamic::ENTRY,
            Self::Guided { .. } => &guided::ENTRY,
            Self::Model1 => &model_1::ENTRY,
            Self::Model2 => &model_2::ENTRY,
            Self::SchedProfile { .. } => &sched_profile::ENTRY,
            Self::ModelProfile { .. } => &model_profile::ENTRY,
            Self::HGuided { .. } => &hguided::ENTRY,
            Self::Adaptive { .. } => &adaptive::ENTRY,
            Self::Auto | Self::AutoHeuristic => &auto::ENTRY,
        }
    }

    /// Its name without parameters.
    pub fn name(&self) -> &'static str {
        self.entry().name
    }

    /// Whether it has a value for each device of a list.
    pub(crate) fn lists_devices(&self) -> bool {
        matches!(self, Self::HGuided { k, least } if k.len() > 1 || least.len() > 1)
    }

    /// This policy, written for a list of `all` devices, for those at the places `stay` alone: of values for each device, it keeps
    /// theirs.
    #[must_use]
    pub fn among(&self, all: usize, stay: &[usize]) -> Self {
        match self {
            Self::HGuided { k, least } if self.lists_devices() => {
                Self::HGuided { k: hguided::of_those(k, all, stay), least: hguided::of_those(least, all, stay) }
            }
            _ => self.clone(),
        }
    }

    /// The policy at work on one loop. The scheduler counts in granules; [`Handout`](super::Handout) turns them into
    /// iterations. One device gets the whole loop in one chunk, unsampled, whatever the policy.
    ///
    /// # Errors
    /// [`Error::Call`] without a device, for a granule of zero, for a parameter out of range, and for costs that are
    /// negative, not finite, or zero per iteration where the policy needs them.
    pub fn start(&self, problem: &Problem) -> Result<Box<dyn Scheduler>> {
        problem.check()?;
        self.validate()?;
        let ([costs, alone], apart);
        let mut coarse = problem.clone();
        if problem.granule > 1 {
            [costs, alone] = problem.costs_in_granules();
            apart = problem.apart_in_granules();
            let iterations = problem.units();
            coarse = Problem { iterations, devices: &costs, alone: &alone, apart: &apart, ..coarse };
        }
        let scheduler: Box<dyn Scheduler> = if problem.devices.len() == 1 {
            Box::new(Blocks::new(0, &[coarse.iterations]))
        } else {
            (self.entry().build)(self, &coarse)?
        };
        Ok(remark(scheduler, self.without_cutoff(problem.cutoff).into_iter().collect()))
    }

    /// The remark on a cutoff that has no effect under this policy.
    pub(super) fn without_cutoff(&self, cutoff: Cutoff) -> Option<String> {
        let ignored = cutoff != Cutoff::None && !self.entry().takes_cutoff;
        ignored.then(|| format!("the cutoff {cutoff} means nothing to {}: every device takes part", self.name()))
    }

    /// A parameter set in code is checked like one that was parsed.
    fn validate(&self) -> Result<()> {
        match self {
            Self::Block | Self::Model1 | Self::Model2 | Self::Auto | Self::AutoHeuristic => Ok(()),
            _ => self.to_string().parse::<Self>().map(drop),
        }
    }
}

/// Adds notes to a policy's decision.
pub(super) fn remark(scheduler: Box<dyn Scheduler>, notes: Vec<String>) -> Box<dyn Scheduler> {
    if notes.is_empty() {
        return scheduler;
    }
    Remarked::wrap(scheduler, move |decision| drop(decision.notes.splice(0..0, notes.iter().cloned())))
}

/// A scheduler with additions to its decision. They are made only on request, as the text may take longer than the decision.
pub(super) struct Remarked<F> {
    scheduler: Box<dyn Scheduler>,
    say: F,
}

impl<F: Fn(&mut Decision) + Send + 'static> Remarked<F> {
    /// `scheduler`, with what `say` adds to its decision.
    pub fn wrap(scheduler: Box<dyn Scheduler>, say: F) -> Box<dyn Scheduler> {
        Box::new(Self { scheduler, say })
    }
}

impl<F: Fn(&mut Decision) + Send> Scheduler for Remarked<F> {
    fn next(&mut self, device: Slot) -> Next {
        self.scheduler.next(device)
    }
    fn finished(&mut self, device: Slot, chunk: IterRange, times: &PhaseTimes, pieces: u64) {
        self.scheduler.finished(device, chunk, times, pieces);
    }
    fn lost(&mut self, device: Slot) -> Vec<IterRange> {
        self.scheduler.lost(device)
    }
    fn stage(&self) -> u32 {
        self.scheduler.stage()
    }
    fn decision(&self) -> Decision {
        let mut decision = self.scheduler.decision();
        (self.say)(&mut decision);
        decision
    }
}

/// One loop on one list of devices, as a policy sees it.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// Iterations of the loop.
    pub iterations: u64,
    /// Chunks are multiples of this many iterations, the last excepted.
    pub granule: u64,
    /// The cost of one iteration on each device, in list order.
    pub devices: &'a [DeviceCost],
    /// The type of each device (`NVGPU`); empty if all count as one type.
    pub device_types: &'a [&'a str],
    /// The work of the loop.
    pub profile: &'a LoopProfile,
    /// Which devices take no part.
    pub cutoff: Cutoff,
    /// The least sample worth measuring, in iterations: ten times the timer's resolution, one wave of a GPU.
    pub min_sample: u64,
    /// Whether the kernel's rates on all devices are measured, not described.
    pub measured: bool,
    /// What AUTO chose for such loops before, and the times they took.
    pub tried: &'a [Tried],
    /// What devices may cost alone, if `devices` are from loops in company: as measured alone, or as the machine's description
    /// has it. AUTO assumes that they cost no more alone, until that was tried. Empty if the costs are the same.
    pub alone: &'a [DeviceCost],
    /// Sets of devices that cost something else if no others take part. MODEL_2 and AUTO with a cutoff by benefit use these costs
    /// for the loop without the others. Empty if they are the same.
    pub apart: &'a [Apart],
    /// AUTO looks at all that may be better, however long that takes. Otherwise it does so for 5 % of the time that the loop is expected
    /// to take, or for 20 us: counted, not measured.
    pub thorough: bool,
    /// The loop may repeat an earlier one: AUTO takes the choice of a decision from whose figures none of this problem differs by more
    /// than 1 %, and divides the loop by its own. Without it, and with `thorough`, AUTO decides by exactly these figures.
    pub repeats: bool,
    /// The verdict that AUTO uses, when it is started, instead of deciding. [`decide`](super::decide()) decides all the same.
    pub decided: Option<&'a Arc<Verdict>>,
}

/// A set of devices without the loop's others, such as the GPUs without the cores.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    /// The devices of the set, in list order.
    pub devices: Vec<Slot>,
    /// Costs of all devices in list order; those outside the set do not matter.
    pub costs: Vec<DeviceCost>,
}

/// An earlier choice of AUTO for such a loop, and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The policy chosen.
    pub policy: Policy,
    /// The devices chosen, in list order.
    pub devices: Vec<Slot>,
    /// Time from AUTO's decision to return.
    pub time: Seconds,
    /// What was predicted, if it was chosen for that prediction.
    pub predicted: Option<Seconds>,
    /// How many loops the time is of: 1, 2 for two and more, or [`Tried::MANY`]. Other load on the machine may have slowed a single
    /// one, so its time is an upper bound. 0 and an infinite time where something went wrong in each.
    pub loops: usize,
    /// How many times shorter it may be next time: 1, unless it was tried rarely and not lately. It is tried again where that
    /// would be the least time.
    pub hope: f64,
}

impl Tried {
    /// The most loops that a time is of.
    pub const MANY: usize = 5;

    /// Whether it ran only once.
    pub fn once(&self) -> bool {
        self.loops < 2
    }
}

impl<'a> Problem<'a> {
    /// A loop in steps of one iteration, on devices of one type, without cutoff.
    pub fn new(iterations: u64, devices: &'a [DeviceCost], profile: &'a LoopProfile) -> Self {
        Self {
            iterations,
            granule: 1,
            devices,
            device_types: &[],
            profile,
            cutoff: Cutoff::None,
            min_sample: 1,
            measured: false,
            tried: &[],
            alone: &[],
            apart: &[],
            thorough: false,
            repeats: false,
            decided: None,
        }
    }

    /// The same loop on some of its devices, which have these costs and types. What is known of the whole list, by the devices' places
    /// in it, does not hold for them, and the cutoff is taken to be applied already.
    pub(super) fn on<'b>(&'b self, devices: &'b [DeviceCost], device_types: &'b [&'b str]) -> Problem<'b> {
        let cutoff = Cutoff::None;
        Problem { devices, device_types, cutoff, tried: &[], alone: &[], apart: &[], decided: None, ..self.clone() }
    }

    /// Costs of the devices, and their costs alone, with a granule counted as one iteration.
    pub(super) fn costs_in_granules(&self) -> [Vec<DeviceCost>; 2] {
        [self.devices, self.alone].map(|costs| costs.iter().map(|cost| cost.in_granules(self.granule)).collect())
    }

    /// Costs of the sets in `apart`, with a granule counted as one iteration.
    pub(super) fn apart_in_granules(&self) -> Vec<Apart> {
        let coarse = |costs: &[DeviceCost]| costs.iter().map(|cost| cost.in_granules(self.granule)).collect();
        self.apart.iter().map(|set| Apart { devices: set.devices.clone(), costs: coarse(&set.costs) }).collect()
    }

    /// The capacities that the devices share.
    pub(super) fn shared(&self) -> Vec<Shared> {
        Shared::of(self.devices)
    }

    /// What a plan is told besides costs and shared capacities.
    pub(super) fn known(&self) -> Known<'_> {
        Known { types: self.device_types, splits_by_it: true, ..Known::default() }
    }

    /// Checks whether a policy can be started on it.
    pub(super) fn check(&self) -> Result<()> {
        if self.devices.is_empty() {
            return Err(Error::call("a loop needs at least one device; the device list is empty"));
        }
        if self.granule == 0 {
            return Err(Error::call("a granule has at least one iteration, not 0"));
        }
        let all = self.devices.len();
        if let Some(Verdict { policy, devices, .. }) = self.decided.map(|verdict| &**verdict) {
            let in_order = devices.windows(2).all(|pair| pair[0] < pair[1]);
            if devices.is_empty() || !in_order || devices.iter().any(|slot| slot.0 >= all) {
                return Err(Error::call(format!(
                    "what AUTO decided is not for this loop: it names devices that are not among its {all}"
                )));
            }
            if matches!(policy, Policy::Auto | Policy::AutoHeuristic) {
                return Err(Error::call(format!("AUTO decides for a policy that divides a loop, not for {policy}")));
            }
        }
        for set in self.apart {
            if set.costs.len() != all || set.devices.iter().any(|slot| slot.0 >= all) {
                return Err(Error::call(format!("a set of devices by themselves is not of the loop's {all} devices")));
            }
        }
        if !self.device_types.is_empty() && self.device_types.len() != self.devices.len() {
            return Err(Error::call(format!(
                "{} device types were given for {} devices",
                self.device_types.len(),
                self.devices.len()
            )));
        }
        for (i, cost) in self.devices.iter().enumerate() {
            let times = [
                ("operation time", cost.flop_time),
                ("one-off cost", cost.once),
                ("copy-in cost per chunk", cost.to_chunk),
                ("launch cost", cost.kernel_chunk),
                ("copy-out cost per chunk", cost.from_chunk),
                ("copy-in time", cost.to),
                ("run time", cost.kernel),
                ("copy-out time", cost.from),
            ];
            if let Some((name, time)) = times.iter().find(|(_, time)| time.0.is_nan() || time.0 < 0.0) {
                return Err(Error::call(format!(
                    "device {i} of the loop has a {name} of {} s; it must be at least 0",
                    time.0
                )));
            }
        }
        Ok(())
    }

    /// The loop's length in granules, the last of which may be short.
    pub fn units(&self) -> u64 {
        self.iterations.div_ceil(self.granule.max(1))
    }

    /// Whether all devices are of one type, and within 5 % of one another in fixed cost and cost per iteration.
    pub fn homogeneous(&self) -> bool {
        let within = |of: fn(&DeviceCost) -> f64| {
            let (low, high) =
                self.devices.iter().map(of).fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
            high <= low * 1.05
        };
        self.device_types.windows(2).all(|pair| pair[0] == pair[1])
            && within(|cost| cost.fixed().0)
            && within(|cost| cost.effective().0)
    }
}

impl fmt::Display for Policy {
    /// As it is written; parsing it gives the same policy.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        let text = match self {
            Self::Block | Self::Model1 | Self::Model2 | Self::Auto => name.to_owned(),
            Self::AutoHeuristic => format!("{name}:heuristic"),
            Self::Dynamic { chunk } => format!("{name}:{chunk}"),
            Self::Guided { percent, mode } => format!("{name}:{percent}:{mode}"),
            Self::SchedProfile { sample } | Self::ModelProfile { sample } => format!("{name}:{sample}"),
            Self::HGuided { k, least } => format!("{name}:k={}:min={}", hguided::join(k), hguided::join(least)),
            Self::Adaptive { sample, tail } => format!("{name}:sample={sample}:tail={tail}"),
        };
        f.pad(&text)
    }
}

/// What a loop accepts as a policy: a [`Policy`], or its text, as `"SCHED_DYNAMIC:10%"`.
pub trait IntoPolicy {
    /// The policy.
    ///
    /// # Errors
    /// [`Error::Call`] for a text that names no policy, with the known ones.
    fn into_policy(self) -> Result<Policy>;
}

impl IntoPolicy for Policy {
    fn into_policy(self) -> Result<Policy> {
        Ok(self)
    }
}

impl IntoPolicy for &Policy {
    fn into_policy(self) -> Result<Policy> {
        Ok(self.clone())
    }
}

impl IntoPolicy for &str {
    fn into_policy(self) -> Result<Policy> {
        self.parse()
    }
}

impl IntoPolicy for &String {
    fn into_policy(self) -> Result<Policy> {
        self.parse()
    }
}

impl IntoPolicy for String {
    fn into_policy(self) -> Result<Policy> {
        self.parse()
    }
}

impl FromStr for Policy {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        // The paper's own spelling of the variant.
        if text.eq_ignore_ascii_case("AUTO(heuristic)") {
            return Ok(Self::AutoHeuristic);
        }
        let words: Vec<&str> = text.split(':').map(str::trim).collect();
        let (name, parameters) = words.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
        let entry = POLICIES
            .iter()
            .find(|entry| {
                entry.name.eq_ignore_ascii_case(name) || entry.short.iter().any(|s| s.eq_ignore_ascii_case(name))
            })
            .ok_or_else(|| unknown(name))?;
        (entry.parse)(parameters).map_err(|problem| {
            let right = if entry.parameter.is_empty() { "no parameter" } else { entry.parameter };
            Error::call(format!("policy `{text}`: {problem} ({}: {right})", entry.name))
        })
    }
}

fn unknown(name: &str) -> Error {
    let known: Vec<_> = POLICIES.iter().map(|entry| entry.name).collect();
    let is_known = |policy: &str| known.iter().any(|name| name.eq_ignore_ascii_case(policy.trim()));
    // HOMP's own notation, `MODEL_2_AUTO,-1,15%`: whole, or only a number of it if commas separate a list of policies.
    let by_commas = name.split_once(',').is_some_and(|(policy, _)| is_known(policy));
    let number = name.strip_suffix('%').unwrap_or(name).parse::<f64>().is_ok();
    if by_commas || number {
        return Error::call(format!(
            "unknown policy `{name}`: parameters follow a policy by a colon, `SCHED_DYNAMIC:2%`, not by HOMP's commas, and the \
             cutoff is an option of its own: `--cutoff 15%`, or `.cutoff(..)` of a loop"
        ));
    }
    Error::call(format!("unknown policy `{name}`: the policies are {}", known.join(", ")))
}

/// Nothing may follow the name.
pub(super) fn no_parameters(name: &str, words: &[&str]) -> Result<(), String> {
    match words.first() {
        None => Ok(()),
        Some(extra) => Err(format!("{name} takes no parameter, but `{extra}` follows it")),
    }
}

/// At most one word may follow the name.
pub(super) fn one_parameter<'a>(name: &str, words: &[&'a str]) -> Result<Option<&'a str>, String> {
    match words {
        [] => Ok(None),
        [parameter] => Ok(Some(parameter)),
        [_, extra, ..] => Err(format!("{name} takes one parameter, but `{extra}` follows it")),
    }
}

/// A percentage and a mode may follow the name.
pub(super) fn percent_and_mode<'a>(
    name: &str,
    words: &[&'a str],
    what: &str,
) -> Result<(Option<Percent>, Option<&'a str>), String> {
    let (percent, mode) = match words {
        [] => return Ok((None, None)),
        [percent] => (percent, None),
        [percent, mode] => (percent, Some(*mode)),
        [_, _, extra, ..] => return Err(format!("{name} takes a percentage and a mode, but `{extra}` follows them")),
    };
    let percent: Percent = percent.parse()?;
    check_percent(what, percent)?;
    Ok((Some(percent), mode))
}

/// Words `KEY=VALUE` may follow the name, in any order.
pub(super) fn keyed<'a, const K: usize>(
    name: &str,
    words: &[&'a str],
    keys: [&str; K],
) -> Result<[Option<&'a str>; K], String> {
    let mut values = [None; K];
    for word in words {
        let known = || keys.map(|key| format!("`{key}=..`")).join(" and ");
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is no parameter of {name}, which are written {}", known()))?;
        let place = keys
            .iter()
            .position(|known| known.eq_ignore_ascii_case(key.trim()))
            .ok_or_else(|| format!("{name} has no parameter `{}`: it takes {}", key.trim(), known()))?;
        if values[place].replace(value.trim()).is_some() {
            return Err(format!("`{}` is given twice", keys[place]));
        }
    }
    Ok(values)
}

/// Refuses 0 %, which is no chunk and no sample.
pub(super) fn check_percent(what: &str, percent: Percent) -> Result<(), String> {
    if percent.millionths() == 0 {
        Err(format!("{what} of 0% has no iterations: write a percentage above 0, up to 100"))
    } else {
        Ok(())
    }
}
