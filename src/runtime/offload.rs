//! One loop over the devices, from call to return.

use crate::data::{Distribution, LoopShape};
use crate::devices::crew::{self, Patience};
use crate::devices::{Pipelining, Work};
use crate::element::{Element, Scalar};
use crate::error::{Error, Result};
use crate::kernel::{Argument, Bound, Kernel, Reduce, Reduction};
use crate::model::cost::{device_cost_at, most_of_a_share, piece_lengths};
use crate::model::history::Learned;
use crate::model::{DeviceCost, LoopProfile, MemoryKind, Overlap};
use crate::runtime::history::{Consulted, Lesson};
use crate::runtime::proxy::{Cutting, Log, Proxy, set_wait};
use crate::runtime::report::{LeftOut, Report};
use crate::runtime::shared::{Outcome, Shared};
use crate::runtime::{Member, Runtime, plan};
use crate::sched::{Cutoff, Explanation, Handout, Policy, Problem, SimulateOptions, Simulation, explain, simulate};
use crate::space::{IterRange, Slot};
use crate::units::Seconds;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A loop that is about to run. Build it with [`Runtime::parallel_for`], end with [`Loop::run`] or [`Loop::reduce`].
#[must_use = "a loop runs with `.run()` or `.reduce(..)`"]
pub struct Loop<'r, 'a> {
    runtime: &'r Runtime,
    range: IterRange,
    bound: Bound<'a>,
    specifier: Option<String>,
    policy: Policy,
    cutoff: Cutoff,
    poison: bool,
}

/// A reduction's value and what happened on the way to it.
#[derive(Clone, Debug)]
pub struct Reduced<T> {
    /// The value.
    pub value: T,
    /// Who did what.
    pub report: Report,
}

/// A report, and partial results with the iterations that they are of.
type Finished = Result<(Report, Vec<(IterRange, Scalar)>)>;

/// A loop with everything decided that can be before it runs.
struct Plan<'r> {
    members: Vec<&'r Member>,
    left_out: Vec<LeftOut>,
    notes: Vec<String>,
    policy: Policy,
    shape: LoopShape,
    profile: LoopProfile,
    costs: Vec<DeviceCost>,
    types: Vec<&'r str>,
    /// What the history says of it, where there is one.
    consulted: Option<Consulted>,
}

impl Plan<'_> {
    /// The remark on whose rates are known.
    fn history_note(&self) -> Option<String> {
        self.consulted.as_ref()?.note(&self.members)
    }
}

impl<'r, 'a> Loop<'r, 'a> {
    pub(super) fn new(runtime: &'r Runtime, range: IterRange, bound: Bound<'a>) -> Self {
        Self {
            runtime,
            range,
            bound,
            specifier: None,
            policy: Policy::default(),
            cutoff: Cutoff::default(),
            poison: false,
        }
    }

    /// Which devices, in HOMP's notation: `"0:*"` (all, the default), `"0,2"`, `"0:*:NVGPU"`. Their order counts.
    pub fn devices(mut self, specifier: impl Into<String>) -> Self {
        self.specifier = Some(specifier.into());
        self
    }

    /// Who runs what; AUTO by default.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Which devices are not worth using, for the policies that predict; none are left out by default.
    pub fn cutoff(mut self, cutoff: Cutoff) -> Self {
        self.cutoff = cutoff;
        self
    }

    /// Fills what devices allocate for written arrays with NaN first, so that an element that the kernel leaves out shows.
    /// For tests.
    pub fn poison(mut self, poison: bool) -> Self {
        self.poison = poison;
        self
    }

    /// Runs the loop. The arrays are the caller's again when it returns, whatever happened.
    ///
    /// # Errors
    /// [`Error::Call`] when the kernel, its arrays, the devices or the policy do not fit together, before anything runs;
    /// [`Error::Device`] when every device failed, or one broke while it updated rows of a `tofrom` array in place, which
    /// no other can run again; [`Error::Cancelled`] through a [`super::CancelHandle`].
    /// After the last two the written arrays are incomplete.
    ///
    /// # Panics
    /// With the panic of a host body, after all devices are quiet.
    pub fn run(self) -> Result<Report> {
        self.execute(None).map(|(report, _)| report)
    }

    /// Runs the loop and combines what the host bodies (or work-groups) return.
    ///
    /// Partial results are combined in the order of the iterations, so a result depends on how the loop was cut, but not
    /// on which chunk was done first.
    ///
    /// # Errors
    /// As [`Loop::run`]; also when the kernel does not return `T`.
    ///
    /// # Panics
    /// As [`Loop::run`].
    pub fn reduce<T: Element>(mut self, operator: Reduce) -> Result<Reduced<T>> {
        self.bound = self.bound.for_operator(operator);
        let reduction = Reduction { operator, element: T::TYPE };
        let (report, mut partials) = self.execute(Some(reduction))?;
        partials.sort_unstable_by_key(|(range, _)| range.start);
        let total = partials.into_iter().fold(reduction.identity(), |sum, (_, part)| reduction.combine(sum, part));
        let value = T::from_scalar(total)
            .ok_or_else(|| Error::call(format!("the devices returned {}, not {}", total.element(), T::TYPE)))?;
        Ok(Reduced { value, report })
    }

    /// What the model expects of this loop, without running it: the policy driven in virtual time.
    ///
    /// # Errors
    /// [`Error::Call`] as [`Loop::run`].
    pub fn predict(&self) -> Result<Simulation> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan()?;
        let mut simulation = simulate(&plan.policy, &self.problem(&plan), &SimulateOptions::default())?;
        simulation.decision.notes.extend(plan.history_note());
        let known = self.runtime.history.as_ref().zip(plan.consulted.as_ref()).and_then(|(history, consulted)| {
            history.of_loop(consulted, &plan.members, &plan.profile, &self.policy_text(&plan)?)
        });
        if let Some(time) = known {
            simulation.takes(time);
            simulation.decision.notes.push("time from history: the median of such loops".to_owned());
        }
        Ok(simulation)
    }

    /// The policy and the cutoff, for the history of whole loops; none of AUTO, which may choose otherwise next time.
    fn policy_text(&self, plan: &Plan<'_>) -> Option<String> {
        match (&plan.policy, self.cutoff) {
            (Policy::Auto | Policy::AutoHeuristic, _) => None,
            (policy, Cutoff::None) => Some(policy.to_string()),
            (policy, cutoff) => Some(format!("{policy} {cutoff}")),
        }
    }

    /// The devices whose rates for this loop are known from the history, by name.
    ///
    /// # Errors
    /// [`Error::Call`] as [`Loop::run`].
    pub fn known_from_history(&self) -> Result<Vec<String>> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan()?;
        let names = |consulted: &Consulted| consulted.names(&plan.members).map(str::to_owned).collect();
        Ok(plan.consulted.as_ref().map(names).unwrap_or_default())
    }

    /// What the model expects of this loop under each of `policies`, and what AUTO would choose and why, without running it.
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
    /// [`Error::Call`] as [`Loop::run`]; [`Error::TooLarge`] where a policy's chunks are too many to simulate.
    pub fn explain(&self, policies: &[Policy]) -> Result<Explanation> {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        let plan = self.plan()?;
        let names = plan.members.iter().map(|member| member.model.name.clone()).collect();
        let mut explanation = explain(&self.problem(&plan), names, policies)?;
        explanation.notes.extend(plan.history_note());
        Ok(explanation)
    }

    fn problem<'p>(&self, plan: &'p Plan<'_>) -> Problem<'p> {
        Problem {
            granule: self.bound.kernel().chunk_granule(),
            device_types: &plan.types,
            cutoff: self.cutoff,
            min_sample: plan::least_sample(&plan.costs),
            ..Problem::new(plan.shape.range.len(), &plan.costs, &plan.profile)
        }
    }

    fn plan(&self) -> Result<Plan<'r>> {
        let (members, left_out, mut notes) = self.runtime.select(self.specifier.as_deref(), self.bound.kernel())?;
        let shape = LoopShape { range: self.range, devices: members.len() };
        self.bound.check(&shape)?;
        let policy = self.policy_for(&mut notes)?;
        let mut profile = plan::profile(&self.bound, &shape);
        let has_plain_rate = |member: &&&Member| {
            member.model.link.is_some_and(|link| link.to_plain.is_some() || link.from_plain.is_some())
        };
        // Page-locked for one is page-locked for all.
        if let Some(member) = members.iter().find(has_plain_rate) {
            let device = member.device.lock().unwrap_or_else(PoisonError::into_inner);
            plan::note_plain(&mut profile, &self.bound, |argument| device.is_plain(argument));
        }
        let cost = |member: &&Member| device_cost_at(&member.model, &profile, Overlap::Full, &member.share);
        let mut costs: Vec<_> = members.iter().map(cost).collect();
        let history = self.runtime.history.as_ref();
        let (kernel, arguments) = (self.bound.kernel().name(), self.bound.arguments());
        let consulted = history.map(|history| history.consult(&members, kernel, arguments, &profile, &mut costs));
        let known = |index: usize| {
            consulted.as_ref().and_then(|c| c.learned[index].as_ref()).is_some_and(Learned::knows_kernel)
        };
        for (index, (member, cost)) in members.iter().zip(&mut costs).enumerate() {
            // What was measured has this in it.
            if let Some(pool) = member.pool.as_ref().filter(|_| !known(index)) {
                // Threads take whole iterations, so a chunk lasts up to one round longer, and all of a replicated array is
                // read for a chunk however short it is.
                let rounds = pool.current_num_threads().saturating_sub(1) as f64;
                let replicated = profile.replicated_in.0 as f64 / member.model.memory_rate.0;
                cost.kernel_chunk += cost.kernel * rounds + Seconds(replicated);
            }
        }
        let types = members.iter().map(|member| member.type_name).collect();
        Ok(Plan { members, left_out, notes, policy, shape, profile, costs, types, consulted })
    }

    /// The policy that was asked for, unless an array's distribution fixes it.
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

    fn execute(self, reduction: Option<Reduction>) -> Finished {
        self.runtime.refuse_inside_a_body(self.bound.kernel().name())?;
        outside_of_pools(|| self.execute_here(reduction))?
    }

    fn execute_here(self, reduction: Option<Reduction>) -> Finished {
        let _running = self.runtime.running.lock().unwrap_or_else(PoisonError::into_inner);
        // What a loop before this one took is not this one's time.
        let epoch = Instant::now();
        let plan = self.plan()?;
        self.bound.kernel().check_host(self.bound.arguments(), reduction)?;
        self.bound.kernel().check_columns(false)?;
        let scheduler = plan.policy.start(&self.problem(&plan))?;
        let granule = self.bound.kernel().chunk_granule();
        let handout = Handout::new(plan.shape.range, granule, scheduler, plan.members.len());
        let cancelled = &*self.runtime.cancelled;
        let shared = Shared::new(handout, cancelled, self.runtime.patience);
        let tile = self.bound.kernel().device_tile().checked_next_multiple_of(granule.max(1)).unwrap_or(granule.max(1));
        let footprint = plan::footprint(&self.bound, &plan.shape, reduction);
        let discrete = |member: &&&Member| member.model.memory == MemoryKind::Discrete;
        let devices = plan.members.iter().filter(discrete).count();
        let pipelinings: SmallVec<[Pipelining; 8]> = plan
            .members
            .iter()
            .map(|member| {
                if member.model.memory == MemoryKind::Discrete && !footprint.whole_blocks {
                    let device = member.device.lock().unwrap_or_else(PoisonError::into_inner);
                    device.pipelining(self.bound.arguments(), devices)
                } else {
                    Pipelining { in_flight: 1, piece_bytes: None }
                }
            })
            .collect();
        let works: SmallVec<[Work<'_>; 4]> = pipelinings
            .iter()
            .map(|pipelining| Work {
                kernel: self.bound.kernel(),
                arguments: self.bound.arguments(),
                shape: plan.shape,
                reduction,
                in_flight: pipelining.in_flight,
                piece_bytes: pipelining.piece_bytes,
                columns: None,
                array_reductions: &[],
                block: None,
                poison: self.poison,
                epoch,
            })
            .collect();
        let seats: Vec<_> = plan
            .members
            .iter()
            .zip(&works)
            .zip(&plan.costs)
            .enumerate()
            .map(|(index, ((member, work), cost))| Seat {
                member,
                proxy: Proxy {
                    slot: Slot(index),
                    shared: &shared,
                    work,
                    cutting: Cutting {
                        lengths: if footprint.whole_blocks { |_, n, _| vec![n] } else { piece_lengths },
                        most_from: most_of_a_share(plan.shape.range.len(), plan.members.len()),
                        // A piece takes as long as whole tiles.
                        cost: DeviceCost { kernel_chunk: cost.kernel_chunk + cost.kernel * (tile - 1) as f64, ..*cost },
                        largest: footprint.largest_piece(
                            member.model.memory_bytes,
                            member.largest_buffer,
                            &pipelinings[index],
                            tile,
                            plan.shape.range.len() / plan.members.len() as u64,
                        ),
                        granule,
                        tile,
                    },
                },
                log: Mutex::default(),
            })
            .collect();
        run_all(&seats, self.runtime.patience);
        let logs: Vec<Log> =
            seats.into_iter().map(|seat| seat.log.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        finish(&self, plan, shared.into_outcome(), logs, epoch.elapsed().into())
    }
}

/// Runs `run` on this thread, or on one of its own where this is a worker of somebody's pool. Such a worker, while it waits
/// for our devices, runs other jobs of its pool. One of them may come here too, and would wait for the very loop that it
/// interrupts: a thread of its own does not.
pub(super) fn outside_of_pools<R: Send>(run: impl FnOnce() -> R + Send) -> Result<R> {
    if rayon::current_thread_index().is_none() {
        return Ok(run());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, run).map_err(|error| {
            Error::call(format!("the system gives no thread for a loop that a pool's job starts: {error}"))
        })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A proxy's place: its device, and where it leaves its log.
struct Seat<'o> {
    member: &'o Member,
    proxy: Proxy<'o>,
    log: Mutex<Log>,
}

impl Seat<'_> {
    fn run(&self, patience: Patience) {
        let Some(first) = self.proxy.first() else { return };
        let drive = || {
            let _driving = Driving::start(self.member);
            let mut device = self.member.device.lock().unwrap_or_else(PoisonError::into_inner);
            let log = self.proxy.run(&mut **device, first);
            *self.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
        };
        match &self.member.pool {
            // Inside the device's own pool, so that starting a chunk needs no hand-over.
            Some(pool) => install_attentively(pool, patience, drive),
            None => drive(),
        }
    }
}

/// Runs `work` in `pool` and returns when it is done, as `install` does, but does not go to sleep at once.
///
/// To wake the caller costs more than a short loop: rayon does so with a lock held, which the caller then waits for, 5 to
/// 8 µs in all. Until then each look gives way to the pool's threads.
pub(super) fn install_attentively(pool: &rayon::ThreadPool, patience: Patience, work: impl FnOnce() + Send) {
    let done = AtomicBool::new(false);
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            work();
            done.store(true, Ordering::Release);
        });
        let start = Instant::now();
        while !done.load(Ordering::Acquire) && start.elapsed() < patience.awake() {
            std::thread::yield_now();
        }
    });
}

/// Runs all proxies at once and returns when all are done. The caller's thread takes one part itself: a loop on one
/// device then costs no thread switch but the device's own.
fn run_all(seats: &[Seat<'_>], patience: Patience) {
    let mine = seats.iter().position(|seat| seat.member.pool.is_some()).unwrap_or(0);
    let others = seats.iter().enumerate().filter(|(index, _)| *index != mine);
    let others: SmallVec<[_; 8]> = others.map(|(_, seat)| (&seat.member.thread, seat)).collect();
    crew::run_all(&others, patience, &|seat: &Seat<'_>| seat.run(patience), || {
        if let Some(seat) = seats.get(mine) {
            seat.run(patience);
        }
    });
}

thread_local! {
    /// The devices that this thread stands for at present, innermost last.
    static DRIVING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, this thread stands for a device, and host bodies may run on it.
pub(super) struct Driving;

impl Driving {
    pub(super) fn start(member: &Member) -> Self {
        DRIVING.with_borrow_mut(|devices| devices.push(std::ptr::from_ref(member).addr()));
        Self
    }
}

impl Drop for Driving {
    fn drop(&mut self) {
        DRIVING.with_borrow_mut(Vec::pop);
    }
}

impl Runtime {
    /// The devices that a specifier picks and that can run a kernel; those left out, and remarks.
    pub(super) fn select(
        &self,
        specifier: Option<&str>,
        kernel: &Kernel,
    ) -> Result<(Vec<&Member>, Vec<LeftOut>, Vec<String>)> {
        let all = &self.members;
        let (chosen, notes) = match specifier {
            None => (all.iter().collect(), Vec::new()),
            Some(text) => {
                let selection = self.selection(text)?;
                let chosen: Vec<_> =
                    selection.ids.iter().filter_map(|&id| all.iter().find(|member| member.id == id)).collect();
                (chosen, selection.warnings.clone())
            }
        };
        let mut left_out = Vec::new();
        let mut members = Vec::with_capacity(chosen.len());
        for member in chosen {
            match member.device.lock().unwrap_or_else(PoisonError::into_inner).eligible(kernel) {
                Ok(()) => members.push(member),
                Err(reason) => left_out.push(LeftOut { device: member.model.name.clone(), reason }),
            }
        }
        if members.is_empty() {
            let reasons: Vec<_> = left_out.iter().map(|l| format!("{}: {}", l.device, l.reason)).collect();
            // A device that it has a variant for may not have been found at all.
            let found: String = self.notes.iter().map(|note| format!("\n{note}")).collect();
            return Err(Error::call(format!(
                "kernel `{}`: no device can run it ({}); add a variant, or choose other devices{found}",
                kernel.name(),
                reasons.join("; ")
            )));
        }
        Ok((members, left_out, notes))
    }

    /// A loop that a host body of this runtime starts would wait for the devices of the loop that it is a part of.
    pub(super) fn refuse_inside_a_body(&self, kernel: &str) -> Result<()> {
        let inside = self.members.iter().any(|member| {
            member.pool.as_ref().is_some_and(|pool| pool.current_thread_index().is_some())
                || DRIVING.with_borrow(|devices| devices.contains(&std::ptr::from_ref(member).addr()))
        });
        if inside {
            return Err(Error::call(format!(
                "kernel `{kernel}`: parallel_for was called inside a host body of the same runtime, whose devices are busy \
                 with the outer loop: call it after that loop"
            )));
        }
        Ok(())
    }
}

/// What the loop took goes into the history. A loop in which a device failed teaches nothing: the others did its work.
/// Neither does one whose buffers were filled first, but its devices are warm now.
fn learn(run: &Loop<'_, '_>, plan: &Plan<'_>, outcome: &Outcome, logs: &[Log], elapsed: Seconds) {
    let (Some(history), Some(consulted)) = (&run.runtime.history, &plan.consulted) else { return };
    let teaches = outcome.faults.is_empty() && outcome.remarks.is_empty() && !run.poison;
    let policy = run.policy_text(plan).filter(|_| teaches);
    let lesson = match &policy {
        Some(policy) => Lesson::Policy(policy),
        None if teaches => Lesson::Devices,
        None => Lesson::Ran,
    };
    history.record(consulted, &plan.members, &plan.profile, logs, elapsed, lesson);
}

fn finish(run: &Loop<'_, '_>, plan: Plan<'_>, outcome: Outcome, logs: Vec<Log>, elapsed: Seconds) -> Finished {
    if let Some(payload) = outcome.panic {
        std::panic::resume_unwind(payload);
    }
    if outcome.unfinished > 0 {
        return Err(outcome.fatal.map_or(Error::Cancelled, Error::from));
    }
    learn(run, &plan, &outcome, &logs, elapsed);
    let history_note = plan.history_note();
    let mut left_out = plan.left_out;
    let mut notes = plan.notes;
    notes.extend(history_note);
    notes.extend(outcome.decision.notes);
    notes.extend(outcome.remarks.iter().map(|remark| format!("{remark}; all results are there")));
    let mut partials = Vec::new();
    let mut devices = Vec::with_capacity(logs.len());
    for (slot, (log, member)) in logs.into_iter().zip(&plan.members).enumerate() {
        partials.extend(log.partials);
        let mut report = log.report;
        report.name.clone_from(&member.model.name);
        report.id = member.id.0;
        set_wait(&mut report, elapsed);
        let reason = outcome.decision.left_out.iter().find(|(left_out, _)| left_out.0 == slot).map(|(_, why)| why);
        match reason {
            Some(reason) if report.iterations == 0 => {
                left_out.push(LeftOut { device: report.name, reason: reason.clone() });
                continue;
            }
            // Its sample stays, or it stepped in for a device that failed.
            Some(reason) => notes.push(format!("{} was left out of the rest: {reason}", report.name)),
            None => {}
        }
        devices.push(report);
    }
    let report = Report {
        kernel: run.bound.kernel().name().to_owned(),
        iterations: plan.shape.range.len(),
        policy: plan.policy.to_string(),
        elapsed,
        devices,
        left_out,
        notes,
        faults: outcome.faults,
    };
    Ok((report, partials))
}
