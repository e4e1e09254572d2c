//! One loop over the devices, from call to return.

mod blocks;
mod expect;

pub(super) use blocks::{MOST_BLOCKS, check_contributions, check_length};
pub(super) use expect::Asked;

use crate::around::Around;
use crate::cancel::Cancelling;
use crate::data::{ArrayMap, Distribution, HostMemory, LoopShape};
use crate::devices::crew::Patience;
use crate::devices::{Blocks, Pipelining, Work, host, merge};
use crate::element::{Element, Scalar};
use crate::error::{Error, Result};
use crate::kernel::{Argument, Bound, Reduce, Reduction};
use crate::model::cost::device_cost_at;
use crate::model::{DeviceCost, LoopProfile, MemoryKind, Overlap, most_of_a_share};
use crate::runtime::failing;
use crate::runtime::history::{
    Asks, Consulted, Due, Keeper, Lesson, LoopKey, LoopQuery, Placement, StandingChoice, Took, prepared,
};
use crate::runtime::plan::Expected;
use crate::runtime::proxy::{Cutting, Log, Proxy, set_wait};
use crate::runtime::report::{DeviceReport, LeftOut, Report};
use crate::runtime::seats::{Seat, of_the_caller, run_all};
use crate::runtime::select::Members;
use crate::runtime::shared::{Outcome, Shared};
use crate::runtime::uneven::{RowBytes, Uneven};
use crate::runtime::{CancelToken, IntoDevices, Member, Runtime, plan};
use crate::sched::{
    ByWork, ChunkSize, Cutoff, Explanation, Handout, IntoCutoff, IntoPolicy, Next, Policy, Problem, SimulateOptions,
    Simulation, Tried, Unstretched, Verdict, explain, simulate,
};
use crate::space::{IterRange, Slot};
use crate::units::Seconds;
use smallvec::SmallVec;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A loop that is about to run. Build it with [`Runtime::parallel_for`] and run it with [`Loop::run`] or [`Loop::reduce`].
#[must_use = "a loop runs with `.run()` or `.reduce(..)`"]
pub struct Loop<'r, 'a> {
    runtime: &'r Runtime,
    range: IterRange,
    bound: Bound<'a>,
    specifier: Option<String>,
    policy: Policy,
    cutoff: Cutoff,
    /// Iterations of a block of a reproducible result.
    block: Option<u64>,
    poison: bool,
    cancel: Option<CancelToken>,
}

/// The value of a reduction, and the report of its loop. It prints as both.
#[derive(Clone, Debug)]
pub struct Reduced<T> {
    /// The value.
    pub value: T,
    /// What each device did.
    pub report: Report,
}

impl<T: fmt::Display> fmt::Display for Reduced<T> {
    /// The value in a line of its own, then the report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.value)?;
        self.report.fmt(f)
    }
}

/// A report, and partial results, each with its iterations.
type Finished = Result<(Report, Vec<(IterRange, Scalar)>)>;

/// A loop with everything decided that can be decided before it runs.
struct Plan<'r> {
    members: Members<'r>,
    left_out: Vec<LeftOut>,
    notes: Vec<String>,
    /// What runs: BLOCK in place of AUTO where there is nothing to choose.
    policy: Policy,
    /// AUTO has one device.
    one_device: bool,
    shape: LoopShape,
    types: SmallVec<[&'r str; 8]>,
    /// The key of AUTO's standing choices; `None` unless AUTO's choice for this loop may come to stand.
    key: Option<Box<LoopKey>>,
    placement: MaybeShared<Placement>,
    expected: MaybeShared<Expected>,
    /// AUTO's choice, if one stands.
    decided: Option<Arc<Verdict>>,
    /// What the history is to make anew while the loop runs.
    due: Option<Due>,
}

impl Plan<'_> {
    /// By how much all devices take longer than the costs say, if these are their descriptions' and all are stretched alike.
    fn time_scale(&self) -> Option<f64> {
        let scale = self.members.first().map(|member| member.time_scale).filter(|scale| *scale > 1.0)?;
        let alike = self.members.iter().all(|member| member.time_scale == scale);
        (alike && self.expected.described.is_empty()).then_some(scale)
    }
}

/// A value of this loop alone, or one shared with later loops because AUTO's choice stands or may come to stand.
enum MaybeShared<T> {
    Once(T),
    Kept(Arc<T>),
}

impl<T> MaybeShared<T> {
    fn new(of: T, kept: bool) -> Self {
        if kept { Self::Kept(Arc::new(of)) } else { Self::Once(of) }
    }
}

impl<T> Deref for MaybeShared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Once(of) => of,
            Self::Kept(of) => of,
        }
    }
}

impl Plan<'_> {
    /// The cost by which a device's chunks are cut into pieces: the described cost for a device with its own memory. The
    /// history times pieces of one length beside others, which says little of pieces of another length alone; pieces cut by the
    /// description overlap better (results/h200-x2-2026-11-22).
    fn pieces_cost(&self, index: usize) -> &DeviceCost {
        let own_memory = self.members[index].model.memory == MemoryKind::Discrete;
        let Expected { costs, described, .. } = &*self.expected;
        described.get(index).filter(|_| own_memory).unwrap_or(&costs[index])
    }

    /// The costs of the devices if this many take part: one is not held up by others.
    fn cost_among(&self, taking_part: usize) -> &[DeviceCost] {
        let Expected { costs, alone, .. } = &*self.expected;
        if taking_part == 1 && !alone.is_empty() { alone } else { costs }
    }

    /// What an iteration takes a device if this many take part. Not much less than described, whatever was learned: of times of a
    /// few lengths most may seem to be fixed, and a host device that expects iterations to take nothing begins on one thread, which
    /// takes longer, and seems to be fixed again.
    fn kernel_time(&self, index: usize, taking_part: usize) -> Seconds {
        let described = self.expected.described.get(index).map_or(Seconds::ZERO, |cost| cost.kernel * IN_CACHES);
        self.cost_among(taking_part)[index].kernel.max(described)
    }

    /// The remark that names the devices whose rates are known.
    fn history_note(&self) -> Option<String> {
        self.expected.consulted.as_ref()?.note(&self.members)
    }

    /// Whether AUTO's choice rests on the times of more than one such loop: only then may it stand.
    fn stands(&self, verdict: &Verdict) -> bool {
        let same = |tried: &Tried| tried.policy == verdict.policy && tried.devices == verdict.devices && !tried.once();
        verdict.measured && !verdict.curious && self.expected.tried.iter().any(same)
    }
}

impl<'r, 'a> Loop<'r, 'a> {
    // Inline, and so is what follows before the loop runs: a loop is large, and each call would move it.
    #[inline]
    pub(super) fn new(runtime: &'r Runtime, range: IterRange, bound: Bound<'a>) -> Self {
        Self {
            runtime,
            range,
            bound,
            specifier: None,
            policy: Policy::default(),
            cutoff: Cutoff::default(),
            block: None,
            poison: false,
            cancel: None,
        }
    }

    /// Selects the devices: in HOMP's notation, `"*"` (all, the default), `"0,2"`, `"0:*:NVGPU"`; by their numbers, whose
    /// order counts; or all of a kind.
    ///
    /// ```
    /// use apportion::model::machine::DeviceKind;
    /// use apportion::prelude::*;
    ///
    /// let rt = Runtime::detect()?;
    /// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    /// let a_loop = || rt.parallel_for(0..100, kernel.bind());
    /// a_loop().devices("0").run()?;
    /// a_loop().devices(DeviceKind::Host).run()?;
    /// let shared: Vec<_> = rt.devices().filter(|device| device.threads.is_some()).map(|device| device.id).collect();
    /// a_loop().devices(&shared).run()?;
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn devices(mut self, devices: impl IntoDevices) -> Self {
        self.specifier = Some(devices.specifier());
        self
    }

    /// Sets the policy; the default is AUTO. A text that names no policy is an error of [`Loop::run`].
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let rt = Runtime::detect()?;
    /// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    /// for report in [
    ///     rt.parallel_for(0..100, kernel.bind()).policy("SCHED_DYNAMIC:10%").run()?,
    ///     rt.parallel_for(0..100, kernel.bind()).policy(Policy::Auto).run()?,
    /// ] {
    ///     println!("{report}");
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn policy(mut self, policy: impl IntoPolicy) -> Self {
        match policy.into_policy() {
            Ok(policy) => self.policy = policy,
            Err(error) => self.bound.refuse(error.to_string()),
        }
        self
    }

    /// Sets which devices the policies that predict leave out as not worth using; by default none. A text that is no cutoff is an
    /// error of [`Loop::run`].
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let rt = Runtime::detect()?;
    /// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    /// rt.parallel_for(0..100, kernel.bind()).policy("MODEL_2_AUTO").cutoff("share:15%").run()?;
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn cutoff(mut self, cutoff: impl IntoCutoff) -> Self {
        match cutoff.into_cutoff() {
            Ok(cutoff) => self.cutoff = cutoff,
            Err(error) => self.bound.refuse(error.to_string()),
        }
        self
    }

    /// Makes the result of [`Loop::reduce`] the same to the last bit for any policy and any number and choice of devices.
    /// Partial results are those of blocks of `iterations`, counted from the loop's start, and are combined in order. Chunks
    /// are whole blocks.
    ///
    /// A block's own result depends on the variant that computes it. Host bodies give the same result on all CPUs that round
    /// alike, and GPUs of one kind agree; a GPU and a CPU agree where their variants add in the same order. On GPUs each block
    /// is a piece with its own launch and copies, so take blocks of many iterations; a loop has at most 65536.
    ///
    /// Devices with memory of their own hold at least one whole block: one that does not fit is an error of the device.
    ///
    /// What cannot be reproducible is an [`Error::Call`] before the loop runs: floats that are contributed to whole arrays
    /// ([`Bound::reduces`]) and operators of your own there. In [`Loop::reduce`] also arrays that are distributed BLOCK, blocks
    /// that are no multiple of the kernel's granule, and more blocks than that. So is a block of 0.
    pub fn reproducible(mut self, iterations: usize) -> Self {
        self.block = Some(iterations as u64);
        self
    }

    /// Lets a token end this loop from another thread or after a time: see [`CancelToken`].
    pub fn cancelled_by(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Fills device buffers of written arrays with NaN first, so that elements that the kernel leaves out show. For tests.
    pub fn poison(mut self, poison: bool) -> Self {
        self.poison = poison;
        self
    }

    /// Runs the loop. When it returns, the caller has the arrays back, whatever happened.
    ///
    /// # Errors
    /// [`Error::Call`] before anything runs, when the kernel, its arrays, the devices or the policy do not fit together;
    /// [`Error::Device`] when every device failed, or one failed while it updated rows of a `tofrom` array in place, which no
    /// other device can run again; [`Error::Cancelled`] by [`Loop::cancelled_by`] or a [`super::CancelHandle`]. After the last two the written
    /// arrays are incomplete.
    ///
    /// # Panics
    /// Passes on the panic of a host body, after all devices have stopped.
    pub fn run(mut self) -> Result<Report> {
        if let Some(block) = self.block.take() {
            blocks::check_length(self.bound.kernel().name(), block, "iterations")?;
            blocks::check_contributions(&self.bound, "loop")?;
        }
        self.execute(None).map(|(report, _)| report)
    }

    /// Runs the loop and combines what the host bodies (or work-groups) return.
    ///
    /// Partial results are combined in the order of the iterations: the result depends on how the loop was cut, but not on
    /// which chunk finished first.
    ///
    /// # Errors
    /// As [`Loop::run`]; also when the kernel does not return `T`.
    ///
    /// # Panics
    /// As [`Loop::run`].
    pub fn reduce<T: Element>(mut self, operator: Reduce) -> Result<Reduced<T>> {
        self.bound.for_operator(operator);
        let reduction = Reduction { operator, element: T::TYPE };
        let (report, mut partials) = self.execute(Some(reduction))?;
        partials.sort_unstable_by_key(|(range, _)| range.start);
        let total = partials.into_iter().fold(reduction.identity(), |sum, (_, part)| reduction.combine(sum, part));
        let value = T::from_scalar(total)
            .ok_or_else(|| Error::call(format!("the devices returned {}, not {}", total.element(), T::TYPE)))?;
        Ok(Reduced { value, report })
    }

    /// What the model expects of this loop if it ran now: the policy driven in virtual time. Nothing runs. Devices whose last
    /// loop has just ended count as awake.
    ///
    /// # Errors
    /// [`Error::Call`] as [`Loop::run`]; [`Error::TooLarge`] where the policy's chunks are too many to simulate.
    pub fn predict(&self) -> Result<Simulation> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan(true)?;
        let mut simulation = simulate(&plan.policy, &self.problem(&plan), &SimulateOptions::default())?;
        simulation.decision.notes.extend(plan.notes.iter().cloned());
        simulation.decision.notes.extend(plan.history_note());
        if let Some(verdict) = simulation.decision.verdict.clone().filter(|verdict| verdict.measured) {
            simulation.takes(verdict.time);
        }
        let known =
            self.runtime.history.as_ref().zip(plan.expected.consulted.as_ref()).and_then(|(history, consulted)| {
                history.of_loop(consulted, &plan.members, &plan.placement.profile, &self.policy_text(&plan)?)
            });
        if let Some(time) = known {
            simulation.takes(time);
            simulation.decision.notes.push("time from history: the median of such loops".to_owned());
        }
        Ok(simulation)
    }

    /// Policy and cutoff as a key to the times of whole loops. `None` under AUTO, which may choose otherwise next time.
    fn policy_text(&self, plan: &Plan<'_>) -> Option<String> {
        match (&plan.policy, self.cutoff) {
            (Policy::Auto | Policy::AutoHeuristic, _) => None,
            (policy, Cutoff::None) => Some(policy.to_string()),
            (policy, cutoff) => Some(format!("{policy} {cutoff}")),
        }
    }

    /// Names of the devices whose rates for this loop are known from the history.
    ///
    /// # Errors
    /// [`Error::Call`] as [`Loop::run`].
    pub fn known_from_history(&self) -> Result<Vec<String>> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan(true)?;
        let names = |consulted: &Consulted| consulted.names(&plan.members).map(str::to_owned).collect();
        Ok(plan.expected.consulted.as_ref().map(names).unwrap_or_default())
    }

    /// What the model expects of this loop under each of `policies`, and what AUTO would choose and why, without running it; without
    /// policies, `&[]`, what AUTO would choose.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let rt = Runtime::detect()?;
    /// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
    /// let explained = rt.parallel_for(0..1000_usize, kernel.bind()).explain(&Policy::ALL_SEVEN)?;
    /// println!("{explained}");
    /// # Ok::<(), apportion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Call`] as [`Loop::run`]. A policy whose chunks are too many to simulate costs only itself
    /// ([`Explanation::not_simulated`]).
    pub fn explain(&self, policies: &[Policy]) -> Result<Explanation> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan(true)?;
        let names = plan.members.iter().map(|member| member.model.name.clone()).collect();
        let own = |policy: &Policy| self.among(policy.clone(), &plan.members, &plan.left_out);
        let policies: Vec<Policy> = policies.iter().map(own).collect::<Result<_>>()?;
        let mut explanation = explain(&self.problem(&plan), names, &policies)?;
        if let Some(consulted) = &plan.expected.consulted {
            consulted.tell(&plan.members, &mut explanation);
        }
        explanation.notes.extend(plan.left_out.iter().map(ToString::to_string));
        Ok(explanation)
    }

    /// The policy for the devices that take part, where others were left out.
    fn among(&self, policy: Policy, members: &[&Member], left_out: &[LeftOut]) -> Result<Policy> {
        if left_out.is_empty() {
            return Ok(policy);
        }
        self.runtime.policy_among(policy, self.specifier.as_deref(), members)
    }

    fn problem<'p>(&self, plan: &'p Plan<'_>) -> Problem<'p> {
        Problem {
            decided: plan.decided.as_ref(),
            ..plan.expected.problem(&plan.placement.profile, &plan.types, self.granule(), self.cutoff)
        }
    }

    /// Plans the loop. A plan that only `predicts` always asks the history; a loop that runs asks it only where its policy uses
    /// the answer.
    fn plan(&self, predicts: bool) -> Result<Plan<'r>> {
        let (mut members, mut left_out, mut notes) = self.runtime.select(self.specifier.as_deref(), &self.bound)?;
        let memories = members.iter().map(|member| (&*member.model.name, member.memory_now()));
        let mut reasons = plan::without_room(plan::replicated(plan::own_copies(&self.bound)), memories).into_iter();
        members.retain(|_| reasons.next().flatten().map(|reason| left_out.push(reason)).is_none());
        if matches!(self.policy, Policy::Auto | Policy::AutoHeuristic) {
            failing::pause(&mut members, self.bound.kernel().code(), &mut left_out, predicts);
        }
        let shape = LoopShape { range: self.range, devices: members.len() };
        self.bound.check(&shape)?;
        self.check_blocks()?;
        let mut policy = self.among(self.policy_for(&mut notes)?, &members, &left_out)?;
        // On one device AUTO has nothing to choose: to ask what it knows of other such loops took longer than a short loop.
        let one_device = policy == Policy::Auto && members.len() == 1 && self.cutoff == Cutoff::None;
        if one_device {
            policy = Policy::Block;
            notes.push("AUTO chose BLOCK: it has one device".to_owned());
        }
        // The others may leave devices out.
        let takes_all = !policy.entry().takes_cutoff;
        if !predicts && takes_all {
            self.call_proxies(members.iter().copied());
        }
        let stated = plan::profile(&self.bound, &shape);
        let history =
            self.runtime.history.as_ref().filter(|history| predicts || history.is_for(&policy, members.len()));
        let types = members.iter().map(|member| member.type_name).collect();
        let awake = self.runtime.all_awake(&members);
        let may_settle = |_: &&Keeper| !predicts && members.len() > 1 && policy == Policy::Auto;
        let settles = history.filter(may_settle);
        let key = settles.map(|_| Box::new(self.key(&members, &stated)));
        let query = settles.zip(key.as_ref().map(|key| self.query(key)));
        let known = query
            .and_then(|(keeper, query)| keeper.standing(&query))
            .filter(|standing| self.still_lies_so(standing, &members));
        let (placement, described, standing) = match known {
            Some(standing) => (MaybeShared::Kept(Arc::clone(&standing.placement)), Vec::new(), Some(standing)),
            None => {
                let (placement, described) = self.placement(&members, stated, settles.is_some());
                let standing = query.and_then(|(keeper, query)| keeper.standing_for(&query, &placement));
                (MaybeShared::new(placement, settles.is_some()), described, standing)
            }
        };
        if let Some(standing) = standing.as_ref().filter(|_| !predicts) {
            self.call_proxies(standing.verdict.devices.iter().filter_map(|slot| members.get(slot.0).copied()));
        } else if !predicts && !takes_all && self.is_worth_calling(&described, &placement.profile) {
            self.call_proxies(members.iter().copied());
        }
        if !predicts {
            let costs = standing.as_ref().map_or(&described[..], |standing| &standing.expected.costs);
            self.call_threads(
                &members,
                (costs, &placement),
                standing.as_ref().map(|standing| &standing.verdict.devices[..]),
                &policy,
            );
        }
        let (expected, decided, due) = match standing {
            Some(StandingChoice { expected, verdict, .. }) => (MaybeShared::Kept(expected), Some(verdict), None),
            None => {
                if history.is_some() {
                    // What follows may take as long as threads stay awake.
                    members.iter().filter_map(|member| member.lookouts.as_ref()).for_each(|lookouts| lookouts.keep());
                }
                let asks = if predicts { Asks::Forecast } else { Asks::of_loop(&policy, &members) };
                let mut expected =
                    self.asked().expected(&members, &placement, &policy, described, (history, asks), awake);
                let due = expected.consulted.as_mut().and_then(|consulted| consulted.due.take());
                (MaybeShared::new(expected, settles.is_some()), None, due)
            }
        };
        Ok(Plan { members, left_out, notes, policy, one_device, shape, types, key, placement, expected, decided, due })
    }

    /// Whether all threads are woken before it is decided which devices take part: there are cores for them, and the loop would
    /// keep the fastest device so long that a few threads woken for nothing do not matter.
    fn is_worth_calling(&self, described: &[DeviceCost], profile: &LoopProfile) -> bool {
        let alone = described.iter().map(|cost| cost.linear().time(profile.iterations)).reduce(Seconds::min);
        let calls = CALL * described.len().saturating_sub(1) as f64;
        let long = |alone: Seconds| profile.states_work() && alone >= calls * WORTH_CALLING;
        self.runtime.patience == Patience::Awake && alone.is_some_and(long)
    }

    /// Wakes the threads of these devices' proxies while the loop is planned, as to be woken takes as long. The caller's thread
    /// stands for one of the devices.
    fn call_proxies<'m>(&self, members: impl Iterator<Item = &'m Member> + Clone) {
        let mine = of_the_caller(members.clone());
        let others = members.enumerate().filter(|(index, _)| Some(*index) != mine);
        let mut now = None;
        for (_, member) in others {
            if member.rests(*now.get_or_insert_with(|| self.runtime.opened.elapsed())) {
                member.thread.call();
            }
        }
    }

    /// Wakes the threads that copy plain arrays for GPUs, and the host's own if nearly all of them are worth waking, while the rest
    /// is planned: `chosen` are the devices of a choice of AUTO that stands. If a larger pool will run the loop, or it is not known
    /// who does, nobody is woken.
    fn call_threads(
        &self,
        members: &[&Member],
        (costs, placement): (&[DeviceCost], &Placement),
        chosen: Option<&[Slot]>,
        policy: &Policy,
    ) {
        let all_take_part = *policy != Policy::Auto && (!policy.entry().takes_cutoff || self.cutoff == Cutoff::None);
        let takes_part = |index: usize| match chosen {
            Some(chosen) => chosen.contains(&Slot(index)),
            None => all_take_part || members.len() == 1,
        };
        let shape = LoopShape { range: self.range, devices: members.len() };
        let cut = || !plan::footprint(&self.bound, &shape, None).whole_blocks;
        if placement.locked.contains(&false) && cut() {
            let discrete = |member: &Member| member.model.memory == MemoryKind::Discrete;
            let taking_part =
                || members.iter().enumerate().filter(|(index, member)| takes_part(*index) && discrete(member));
            let (arguments, devices) = (self.bound.arguments(), taking_part().count());
            for (_, member) in taking_part() {
                member.device().announce(arguments, &placement.locked, self.bound.array_reductions(), devices);
            }
        }
        // A body that takes whole chunks may use threads of its own.
        if self.bound.kernel().host_variant().is_none_or(|variant| variant.whole_chunk) {
            return;
        }
        let alone = chosen.map_or(members.len(), <[Slot]>::len) == 1;
        for (index, (member, cost)) in members.iter().zip(costs).enumerate() {
            let (Some(lookouts), Some(pool)) = (&member.lookouts, &member.pool) else { continue };
            let by_one = cost.kernel.0 * self.range.len() as f64 * pool.current_num_threads() as f64;
            // All are woken where nearly all are worth it; fewer wake one another when the chunk comes.
            let time = Duration::try_from_secs_f64(by_one).unwrap_or(Duration::ZERO);
            let all = pool.current_num_threads();
            let shared_out = time > 2 * host::alone(false) && 4 * host::worth_waking(time, all).min(all) >= 3 * all;
            if takes_part(index) && shared_out && !(alone && self.is_worth_waking_more(member, &placement.profile)) {
                lookouts.call(pool);
            }
        }
    }

    fn key(&self, members: &[&Member], stated: &LoopProfile) -> LoopKey {
        let place = |map: &ArrayMap<'_>| (map.host_start().map_or(0, <*const u8>::addr), map.bytes());
        let arrays = self.bound.arguments().iter().filter_map(Argument::array).map(place).collect();
        LoopKey { devices: members.iter().map(|member| member.id).collect(), stated: stated.clone(), arrays }
    }

    fn query<'l>(&'l self, key: &'l LoopKey) -> LoopQuery<'l> {
        let kernel = self.bound.kernel();
        LoopQuery { kernel, granule: self.granule(), block: self.block, cutoff: self.cutoff, key }
    }

    /// Which arguments are in page-locked memory, for planning.
    fn locked(&self, members: &[&Member]) -> Vec<bool> {
        // One device answers for all: the question may take two driver calls for each array.
        let page_locked = |member: &&Member| member.device().page_locked(self.bound.arguments());
        let copies = self.bound.arguments().iter().any(|argument| argument.array().is_some());
        let discrete = |member: &&&Member| copies && member.model.memory == MemoryKind::Discrete;
        members.iter().filter(discrete).find_map(page_locked).unwrap_or_default()
    }

    /// Whether arrays at the same addresses are still page-locked, or not, as when the choice was made. Not asked if no chosen
    /// device copies.
    fn still_lies_so(&self, standing: &StandingChoice, members: &[&Member]) -> bool {
        let copies =
            |slot: &Slot| members.get(slot.0).is_some_and(|member| member.model.memory == MemoryKind::Discrete);
        !standing.verdict.devices.iter().any(copies) || self.locked(members) == standing.placement.locked
    }

    /// What follows from where the arrays lie, and costs by the machine's description. If `kept`, the placement includes what
    /// later loops are compared with.
    fn placement(&self, members: &[&Member], stated: LoopProfile, kept: bool) -> (Placement, Vec<DeviceCost>) {
        let (locked, mut profile) = (self.locked(members), stated);
        let has_plain_rate = |member: &&Member| {
            member.model.link.is_some_and(|link| link.to_plain.is_some() || link.from_plain.is_some())
        };
        let (pieces, plain_longer) = self.pieces(members, &locked);
        if members.iter().any(has_plain_rate) {
            plan::note_plain(&mut profile, &self.bound, &locked);
            profile.plain_longer = plain_longer;
        }
        let cost = |member: &&Member| device_cost_at(&member.model, &profile, Overlap::Full, &member.share);
        let costs: Vec<_> = members.iter().map(cost).collect();
        let memory = |member: &&Member| member.array_memory(self.bound.arguments(), &locked);
        let memories = if kept { members.iter().map(memory).collect() } else { Vec::new() };
        let as_described = if kept { costs.clone() } else { Vec::new() };
        (Placement { profile, locked, memories, pieces, as_described }, costs)
    }

    /// The requested policy, unless an array's distribution requires BLOCK.
    fn policy_for(&self, notes: &mut Vec<String>) -> Result<Policy> {
        let block = |argument: &Argument<'_>| argument.array().is_some_and(|m| m.distribution == Distribution::Block);
        match self.bound.arguments().iter().position(block) {
            Some(position) if matches!(self.policy, Policy::Auto | Policy::AutoHeuristic) => {
                notes.push(format!("argument {position} is distributed BLOCK, which fixes the policy to BLOCK"));
                Ok(Policy::Block)
            }
            Some(position) if self.policy != Policy::Block => Err(Error::call(format!(
                "kernel `{}`: argument {position} is distributed BLOCK, which fixes who runs what: use the policy BLOCK \
                 instead of {}, or align the array with the loop",
                self.bound.kernel().name(),
                self.policy
            ))),
            _ => Ok(self.policy.clone()),
        }
    }

    fn execute(&self, reduction: Option<Reduction>) -> Finished {
        self.runtime.within(self.bound.kernel().name(), || self.execute_here(reduction))?
    }

    fn execute_here(&self, reduction: Option<Reduction>) -> Finished {
        let _running = self.runtime.running.lock().unwrap_or_else(PoisonError::into_inner);
        let cancelling = Cancelling::by(&self.runtime.cancelled, self.cancel.as_ref());
        if cancelling.is_cancelled() {
            return Err(cancelling.error(self.bound.kernel().name(), false));
        }
        // Read after the lock is taken: the wait for an earlier loop does not count.
        let epoch = Instant::now();
        let plan = self.plan(false)?;
        let (kernel, arguments) = (self.bound.kernel(), self.bound.arguments());
        kernel.check_host(arguments, reduction)?;
        kernel.check_columns(false)?;
        // Without times to learn from, or with those of earlier processes alone, a loop is divided in the same way each time, whatever
        // ran before.
        let repeats = self.runtime.history.as_ref().is_some_and(|history| !history.frozen());
        let scheduler = plan.policy.start(&Problem { repeats, ..self.problem(&plan) })?;
        let scheduler = match plan.time_scale() {
            Some(scale) => Unstretched::wrap(scheduler, scale),
            None => scheduler,
        };
        let planned = Seconds::from(epoch.elapsed());
        let granule = self.granule();
        let block = self.block.filter(|_| reduction.is_some()).map(|len| Blocks { len, from: plan.shape.range.start });
        let rows = RowBytes::of(&self.bound, reduction);
        let by_work = rows.as_ref().map(|rows| ByWork::new(rows, plan.shape.range, granule));
        let mut handout = Handout::new(plan.shape.range, granule, scheduler, plan.members.len());
        // Who says how many iterations a chunk has gets so many.
        let counted = matches!(plan.policy, Policy::Dynamic { chunk: ChunkSize::Count(_) });
        if let Some(rows) = rows.as_ref().filter(|_| !counted) {
            handout = handout.by_work(rows);
        }
        // First chunks are handed out here, so that no device starts by waiting for the lock.
        let first = |slot| (handout.next(slot), handout.is_left_out(slot));
        let firsts: SmallVec<[_; 4]> = (0..plan.members.len()).map(Slot).map(first).collect();
        let shared = Shared::new(handout, cancelling, self.runtime.patience);
        let tile = kernel.device_tile().checked_next_multiple_of(granule.max(1)).unwrap_or(granule.max(1));
        let (plan, around) = (&plan, Around::here());
        let footprint = plan::footprint(&self.bound, &plan.shape, reduction);
        // The reserve devices get nothing unless all of these are lost.
        let takes_part = |index: &usize| firsts.get(*index).is_some_and(|(_, reserve)| !reserve);
        let dividing: SmallVec<[usize; 8]> = (0..plan.members.len()).filter(takes_part).collect();
        if plan.policy.entry().takes_cutoff && plan.decided.is_none() {
            self.call_proxies(dividing.iter().map(|&index| plan.members[index]));
        }
        let discrete = |index: &&usize| plan.members[**index].model.memory == MemoryKind::Discrete;
        let copying = dividing.iter().filter(discrete).count().max(1);
        let share = plan.shape.range.len() / dividing.len().max(1) as u64;
        let first_of = |index: usize| if let Next::Run(chunk) = firsts[index].0 { chunk } else { IterRange::default() };
        let first_len = |index: usize| {
            let first = first_of(index);
            by_work.as_ref().map_or(first.len(), |by_work| by_work.places(first))
        };
        let all_at_once = (0..firsts.len()).map(|i| first_of(i).len()).sum::<u64>() == plan.shape.range.len();
        let profile = &plan.placement.profile;
        let wide = matches!(dividing[..], [only] if self.is_worth_waking_more(plan.members[only], profile));
        let seat = |index: usize| {
            let member = plan.members[index];
            let way = self.pipelining(plan, member, footprint.whole_blocks, copying);
            // Its part need not be an even one. A reserve has none yet.
            let own = if all_at_once && first_len(index) > 0 { first_len(index) } else { share };
            let (way, largest) = pieces_on(member, &footprint, way, tile, own, block);
            let uneven = rows.as_ref().zip(by_work).map(|(rows, by_work)| Uneven {
                rows,
                by_work,
                room: footprint.room(largest),
                cuts: block.is_none(),
            });
            let cutting = Cutting {
                whole: footprint.whole_blocks,
                most_from: most_of_a_share(plan.shape.range.len(), plan.members.len()),
                cost: plan.pieces_cost(index),
                largest,
                granule,
                tile,
                shared_out: way.copiers > 0,
                uneven,
            };
            let work = Work {
                kernel,
                arguments,
                shape: plan.shape,
                reduction,
                in_flight: way.in_flight,
                piece_bytes: way.piece_bytes,
                cut: cutting.expected_of(&firsts[index].0, own),
                columns: None,
                kernel_time: profile.states_work().then(|| plan.kernel_time(index, dividing.len())),
                array_reductions: self.bound.array_reductions(),
                block,
                poison: self.poison,
                locked: &plan.placement.locked,
                epoch,
                cancelling: Some(cancelling),
                around,
            };
            let (slot, wake, (first, _)) = (Slot(index), member.model.wake, firsts[index]);
            let at_once = self.is_for_the_caller(member, &work, first);
            let proxy = Proxy { slot, shared: &shared, work, cutting, wake, first };
            Seat { member, proxy, at_once, wide: wide && index == dividing[0], log: Mutex::default() }
        };
        let mut seats: SmallVec<[Seat<'_, '_>; 2]> = SmallVec::new();
        seats.extend(dividing.iter().map(|&index| seat(index)));
        let mut begun = None;
        let renewed = AtomicBool::new(false);
        // In a shorter loop the device would be done first, and wait.
        let is_long = |index: &usize| plan.expected.costs[*index].effective() * share as f64 >= WORTH_WORKING_OUT;
        let long = dividing.iter().filter(discrete).all(is_long);
        let chore = || {
            self.renew(plan);
            renewed.store(true, Ordering::Relaxed);
            self.runtime.history.iter().filter(|_| long).for_each(Keeper::work_out);
        };
        self.runtime.share_cores(&seats);
        run_all(&seats, self.runtime.patience, &mut || begun = Some(self.report(plan)), &chore);
        // The reserves are told of the loop only now: waking their threads would have delayed the others, and a short loop has
        // no time to make their seats.
        if seats.len() < plan.members.len() && !shared.is_over() {
            let reserves: Vec<Seat<'_, '_>> = (0..plan.members.len()).filter(|i| !takes_part(i)).map(seat).collect();
            run_all(&reserves, self.runtime.patience, &mut || (), &|| ());
            seats.extend(reserves);
            seats.sort_by_key(|seat| seat.proxy.slot);
        }
        let elapsed = epoch.elapsed();
        let ended = (epoch + elapsed).saturating_duration_since(self.runtime.opened).as_nanos() as u64;
        // One per device, in list order; those without a seat have an empty one.
        let mut idle: Vec<Log> = (seats.len()..plan.members.len()).map(|_| Log::default()).collect();
        let mut logs: SmallVec<[&mut Log; 8]> = SmallVec::new();
        let (mut seated, mut idle) = (seats.iter_mut().peekable(), idle.iter_mut());
        for slot in 0..plan.members.len() {
            let Some(Seat { member, at_once, log, .. }) = seated.next_if(|seat| seat.proxy.slot == Slot(slot)) else {
                logs.extend(idle.next());
                continue;
            };
            let log = log.get_mut().unwrap_or_else(PoisonError::into_inner);
            // A loop that ran on the caller's thread woke none of the device's threads.
            if log.report.iterations > 0 && !*at_once {
                member.ended.store(ended, Ordering::Relaxed);
            }
            logs.push(log);
        }
        let mut report = begun.unwrap_or_else(|| self.report(plan));
        report.elapsed = elapsed.into();
        let finished = finish(self, plan, shared.outcome(), &mut logs, (report, planned));
        // No thread had time while its device worked; all that is measured is over by now.
        if !renewed.load(Ordering::Relaxed) {
            self.renew(plan);
        }
        finished
    }

    /// Whether the caller's thread runs the loop: it is one chunk, short enough for one thread, and its body uses no other
    /// threads. A body that used some would start them outside its device's pool.
    fn is_for_the_caller(&self, member: &Member, work: &Work<'_>, first: Next) -> bool {
        let (Some(pool), Some(time)) = (&member.pool, work.kernel_time) else { return false };
        let whole = matches!(first, Next::Run(chunk) if chunk == work.shape.range);
        let plain = work.kernel.host_variant().is_some_and(|variant| variant.body.is_plain() && !variant.whole_chunk);
        let copied = self.bound.contributed_bytes();
        let awake = member.lookouts.as_ref().is_some_and(|lookouts| lookouts.are_awake());
        let expected = time.0 * pool.current_num_threads() as f64 * work.shape.range.len() as f64;
        whole && plain && copied <= FEW_BYTES && expected <= host::alone(awake).as_secs_f64()
    }

    /// Whether the loop is so long on this device alone that threads on the cores left to others make up for being woken, by the
    /// description: measured times are of both pools.
    fn is_worth_waking_more(&self, member: &Member, profile: &LoopProfile) -> bool {
        let time = || {
            let each = device_cost_at(&member.model, profile, Overlap::Full, &member.share).kernel;
            each * self.range.len() as f64
        };
        // Each thread has its own copy of what iterations contribute to, and there is one for each of the own threads.
        let fits = profile.states_work() && self.bound.array_reductions().is_empty();
        member.wide.as_ref().is_some_and(|wide| fits && wide.is_worth_it(time(), member.vigil.is_kept()))
    }

    /// How a device pipelines its pieces, one of so many that are `copying` from the start.
    fn pipelining(&self, plan: &Plan<'_>, member: &Member, whole_blocks: bool, copying: usize) -> Pipelining {
        let arguments = self.bound.arguments();
        if member.model.memory != MemoryKind::Discrete || whole_blocks {
            return Pipelining { in_flight: 1, ..Pipelining::default() };
        }
        // The device's answer depends on its copies alone.
        if !arguments.iter().any(|argument| argument.array().is_some()) {
            return Pipelining::default();
        }
        member.device().pipelining(arguments, &plan.placement.locked, self.bound.array_reductions(), copying)
    }

    /// Has the history made ready for the next such loop.
    fn renew(&self, plan: &Plan<'_>) {
        let asked = self.runtime.history.as_ref().zip(plan.expected.consulted.as_ref()).zip(plan.due.as_ref());
        if let Some(((history, consulted), due)) = asked {
            history.renew(consulted, due, &plan.members, &plan.placement.profile);
        }
    }

    /// The part of the report that is known beforehand. Names are written while the devices work.
    fn report(&self, plan: &Plan<'_>) -> Report {
        let named = |member: &&Member| DeviceReport {
            name: member.model.name.clone(),
            id: member.id.0,
            ..DeviceReport::default()
        };
        Report {
            kernel: self.bound.kernel().name().to_owned(),
            iterations: plan.shape.range.len(),
            policy: if plan.one_device { &Policy::Auto } else { &plan.policy }.to_string(),
            elapsed: Seconds::ZERO,
            devices: plan.members.iter().map(named).collect(),
            left_out: plan.left_out.clone(),
            notes: plan.notes.iter().cloned().chain(plan.history_note()).collect(),
            faults: Vec::new(),
        }
    }
}

/// What it takes the caller to wake a thread: one woke 32 in 53 us (`before/wake.txt` in results/h200-eight-2026-11-26).
const CALL: Seconds = Seconds(2e-6);
/// What the last loop teaches is worked out beside devices that work for so long.
const WORTH_WORKING_OUT: Seconds = Seconds(1e-4);
/// Threads are woken for a loop that may go on without them if it takes so many times as long.
const WORTH_CALLING: f64 = 50.0;

/// How a device pipelines its pieces, and the length of its longest piece. `share` is about what it gets of the loop.
fn pieces_on(
    member: &Member,
    footprint: &plan::Footprint,
    mut way: Pipelining,
    tile: u64,
    share: u64,
    block: Option<Blocks>,
) -> (Pipelining, u64) {
    let (memory, buffer) = (member.memory_now(), member.largest_buffer);
    let longest = |memory, way: &Pipelining| footprint.largest_piece(memory, buffer, way, tile, share);
    // More than usual are in flight only where memory does not make them shorter for that.
    if way.copiers == 0 && longest(memory, &way) < longest(None, &way).min(share) {
        way.in_flight = way.in_flight.min(Pipelining::default().in_flight);
    }
    let largest = longest(memory, &way);
    // A device that gives one result per piece has one block in each piece, and no more pieces in flight than fit its memory.
    let Some(Blocks { len, .. }) = block.filter(|_| !member.device().runs_blocks()) else { return (way, largest) };
    if let Some(bytes) = way.piece_bytes {
        let wanted = way.in_flight as u64 * bytes / footprint.sections_of(len).max(1);
        way.in_flight = way.in_flight.min(wanted.max(3) as usize);
    }
    let by_room = Pipelining { piece_bytes: None, ..way };
    if footprint.largest_piece(memory, buffer, &by_room, 1, u64::MAX) < len {
        way.in_flight = 1;
    }
    (way, len)
}

/// An iteration whose arrays are in caches takes at least this part of the described time.
const IN_CACHES: f64 = 0.25;

/// Up to this size, a copy of the contributed arrays for each thread costs next to nothing.
const FEW_BYTES: usize = 4 << 10;

/// Records in the history what the loop took. A loop in which a device failed gives no times, as other devices did its work.
/// Neither does one with poisoned buffers, but its devices count as warmed up.
fn learn(run: &Loop<'_, '_>, plan: &Plan<'_>, outcome: &Outcome, logs: &[&mut Log], took: Took) {
    let teaches = outcome.faults.is_empty() && outcome.remarks.is_empty() && !run.poison;
    let Some(history) = &run.runtime.history else { return };
    if let (Some(_), MaybeShared::Kept(expected), false) = (&plan.decided, &plan.expected, history.frozen()) {
        history.stood(expected, teaches.then_some(took.once_planned()), prepared(logs));
        return;
    }
    let Some(consulted) = &plan.expected.consulted else { return };
    let (policy, decided) = (run.policy_text(plan), outcome.decision.verdict.as_ref());
    if let Some(verdict) = decided.filter(|_| !teaches && !run.poison && plan.decided.is_none()) {
        history.failed(consulted, &plan.members, &plan.placement.profile, verdict);
    }
    let verdict = decided.filter(|_| teaches);
    let lesson = match (&policy, verdict) {
        _ if !teaches => Lesson::Ran,
        (Some(policy), _) => Lesson::Policy(policy),
        (None, Some(verdict)) => Lesson::Chosen(&verdict.policy, &verdict.devices),
        (None, None) => Lesson::Devices,
    };
    history.record(consulted, &plan.members, &plan.placement.profile, logs, took, lesson);
    if let Some(verdict) = verdict.filter(|_| plan.decided.is_none()) {
        let of = (consulted, &plan.members[..], &plan.placement.profile);
        let stands = match (&plan.key, &plan.placement, &plan.expected) {
            (Some(key), MaybeShared::Kept(placement), MaybeShared::Kept(expected))
                if history.frozen() || plan.stands(verdict) =>
            {
                let (placement, expected) = (Arc::clone(placement), Arc::clone(expected));
                Some((run.query(key), StandingChoice { placement, expected, verdict: Arc::clone(verdict) }))
            }
            _ => None,
        };
        history.tries(of, (verdict, stands), logs, took.once_planned());
    }
}

/// Combines each contributed array's old contents with the devices' contributions, in the order of the devices.
fn combine_contributions(bound: &Bound<'_>, logs: &[&mut Log]) -> Result<()> {
    for &(position, reduction) in bound.array_reductions() {
        let Some(map) = bound.arguments()[position].array() else { continue };
        let HostMemory::Write(array) = &map.memory else { continue };
        // Nothing else has lent any part of the array: each chunk had a copy of its own.
        let mut all = array
            .lend(0..map.bytes())
            .map_err(|taken| Error::call(format!("{}: {taken}", bound.called(position, map))))?;
        for (_, words) in logs.iter().flat_map(|log| &log.contributed).filter(|(of, _)| *of == position) {
            merge(reduction, &mut all, bytemuck::cast_slice(words));
        }
    }
    Ok(())
}

/// Adds to the report what the devices did, and records the loop in the history. `planned` is the time until all was decided.
fn finish(
    run: &Loop<'_, '_>,
    plan: &Plan<'_>,
    outcome: Outcome,
    logs: &mut [&mut Log],
    (mut report, planned): (Report, Seconds),
) -> Finished {
    if let Some(payload) = outcome.panic {
        std::panic::resume_unwind(payload);
    }
    let code = run.bound.kernel().code();
    for (member, log) in plan.members.iter().zip(logs.iter()) {
        if outcome.faults.iter().any(|fault| fault.device == member.model.name) {
            member.failing.failed(code);
        } else if log.report.iterations > 0 {
            member.failing.worked(code);
        }
    }
    // Also logged, for callers that read no report: every loop is slower from now on.
    for fault in &outcome.faults {
        log::warn!("kernel `{}`: {fault}", run.bound.kernel().name());
    }
    if outcome.unfinished > 0 || outcome.fatal.is_some() {
        let cancelling = Cancelling::by(&run.runtime.cancelled, run.cancel.as_ref());
        let cancelled = || cancelling.error(run.bound.kernel().name(), true);
        return Err(outcome.fatal.map_or_else(cancelled, Error::from));
    }
    for log in logs.iter_mut() {
        log.report.pieces = std::mem::take(&mut log.pieces).into_vec();
    }
    learn(run, plan, &outcome, logs, Took { whole: report.elapsed, planned });
    combine_contributions(&run.bound, logs)?;
    let name = |slot: Slot| report.devices.get(slot.0).map_or("a device", |device| &device.name);
    let remarks = outcome.decision.remarks(name);
    report.notes.extend(remarks);
    report.notes.extend(run.bound.note_of_comparing());
    report.notes.extend(run.runtime.history.as_ref().and_then(Keeper::unwritten));
    report.notes.extend(outcome.remarks.iter().map(|remark| format!("{remark}; all results are there")));
    let mut partials = Vec::new();
    for (device, log) in report.devices.iter_mut().zip(logs) {
        partials.extend(log.partials.drain(..));
        log.report.name = std::mem::take(&mut device.name);
        log.report.id = device.id;
        set_wait(&mut log.report, report.elapsed);
        *device = std::mem::take(&mut log.report);
    }
    let mut gone: SmallVec<[usize; 8]> = SmallVec::new();
    for (Slot(slot), reason) in outcome.decision.left_out {
        let Some(device) = report.devices.get(slot) else { continue };
        if device.iterations > 0 {
            // The device ran its sample before it was left out, or took over the work of one that failed.
            report.notes.push(format!("{} left out of the rest: {reason}", device.name));
        } else if !gone.contains(&slot) {
            report.left_out.push(LeftOut { device: device.name.clone(), reason });
            gone.push(slot);
        }
    }
    if !gone.is_empty() {
        let mut slot = 0..;
        report.devices.retain(|_| slot.next().is_some_and(|slot| !gone.contains(&slot)));
    }
    report.faults = outcome.faults;
    Ok((report, partials))
}
