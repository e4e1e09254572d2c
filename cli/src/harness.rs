//! Runs workloads under policies on real (or emulated) devices and records what happened.
//!
//! Each policy runs once to warm up and be verified, then the repetitions go round: one of each policy, then the next of each. A
//! round's order is random, from the seed, and the next round's is its reverse. A machine that gets slower or noisier meanwhile
//! is then fair to all policies, and no policy always runs after the same other one. That matters: a short loop on a GPU takes
//! longer after one that used all cores.

use crate::failure::Failure;
use crate::once::run_loop;
use crate::options::{LoopFlags, RepeatFlags};
use crate::progress::Progress;
use apportion::error::{Error, Phase};
use apportion::kernel::Scalar;
use apportion::model::machine::{DeviceEntry, DeviceKind};
use apportion::runtime::{DeviceReport, Report, Runtime};
use apportion::sched::{Cutoff, GuidedMode, Policy};
use apportion::space::DeviceId;
use apportion::times::PhaseTimes;
use apportion_cli::record::{
    DeviceRun, HostMemory, KernelForm, LeftOut, Mode, PhasesMs, PolicyUsed, PredictedBy, Residency, Run,
};
use apportion_cli::statistics::summarise;
use apportion_kernels::{Entry, Form, Instance, Memory, Verification};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// A measured run that takes this many times the predicted time gets a remark.
const BEHIND: f64 = 2.0;

/// How the library's note begins on a prediction by such loops as a whole.
const TIME_FROM_HISTORY: &str = "time from history";

const TOOK_LONGER: &str = "took more than twice what the model expects";
/// Only one possible reason: the times alone do not tell which one applies.
const MAYBE_TOO_FAST: &str = "; if this machine cannot compute as fast as the emulated devices pretend, raise their \
                              `emulated.time_scale`";

/// What runs, and where.
pub struct Harness<'h> {
    /// The opened devices.
    pub runtime: &'h Runtime,
    /// The devices that take part, in order.
    pub devices: Vec<&'h DeviceEntry>,
    /// The flags.
    pub flags: &'h LoopFlags,
    /// Number of repetitions, and the seed.
    pub repeat: &'h RepeatFlags,
    /// Shows the progress.
    pub progress: &'h Progress,
}

/// One policy on all devices, or one device alone.
struct Contender {
    policy: Policy,
    /// The device, if it runs alone.
    alone: Option<DeviceId>,
    name: String,
    specifier: String,
    predicted_ms: Option<f64>,
    predicted_by: Option<PredictedBy>,
    repetitions: u32,
    /// Number of repetitions begun.
    rounds: u32,
    verification: Option<Verification>,
    /// A run failed or gave a wrong result; it does not run again.
    failed: bool,
    /// A device was lost in one of the runs, which no model predicts.
    faulty: bool,
    reports: Vec<Report>,
    notes: Vec<String>,
}

/// The runs, and their failures.
#[derive(Default)]
pub struct Outcome {
    /// One entry per workload and policy.
    pub runs: Vec<Run>,
    /// Failures, one line each.
    pub failures: Vec<String>,
    /// For the record: workloads that could not be run, and why.
    pub missing: Vec<String>,
}

impl Harness<'_> {
    /// Steps that [`Progress`] will count.
    pub fn steps(devices: usize, flags: &LoopFlags, reps: u32) -> u64 {
        let policies = flags.policies.0.len() as u64 * (1 + u64::from(reps));
        flags.workloads.loops.len() as u64 * (steps_alone(devices, reps) + policies)
    }

    /// Runs one workload under all policies.
    ///
    /// # Errors
    /// If it cannot be run at all: arguments that do not fit together, or Ctrl-C. A failure under one policy goes into the
    /// outcome.
    pub fn workload(&self, entry: &Entry, n: usize, outcome: &mut Outcome) -> Result<(), Failure> {
        self.progress.now(format!("{}: allocating", entry.name));
        // After the devices are open, as only then drivers can page-lock the arrays.
        let mut instance =
            entry.build_as(self.repeat.form, n, self.flags.element, self.repeat.seed, self.repeat.memory)?;
        self.stopped()?;
        self.instance(&mut *instance, outcome)
    }

    fn instance(&self, instance: &mut dyn Instance, outcome: &mut Outcome) -> Result<(), Failure> {
        let mut contenders = self.contenders(instance)?;
        for contender in &mut contenders {
            self.warm_up(instance, contender)?;
        }
        for round in 0..self.repeat.reps {
            for index in order(&contenders, round, self.repeat.reps, self.repeat.seed) {
                let contender = &mut contenders[index];
                let last = contender.rounds + 1 == contender.repetitions;
                contender.rounds += 1;
                self.repetition(instance, contender, last)?;
            }
        }
        self.collect(instance, contenders, outcome);
        Ok(())
    }

    /// The policies, and each device alone if there are several.
    fn contenders(&self, instance: &mut dyn Instance) -> Result<Vec<Contender>, Failure> {
        let alone = self.devices.iter().filter(|_| self.devices.len() > 1).map(|device| Contender {
            alone: Some(device.device_id()),
            name: format!("{} alone", device.name),
            repetitions: alone_repetitions(self.repeat.reps),
            ..Contender::new(Policy::Block, device.id.to_string())
        });
        // By their ids: the flag's text may select others if only these are open.
        let all = self.devices.iter().map(|device| device.id.to_string()).collect::<Vec<_>>().join(",");
        let policies = self.flags.policies.0.iter().map(|policy| Contender {
            name: policy.to_string(),
            repetitions: self.repeat.reps,
            ..Contender::new(policy.clone(), all.clone())
        });
        let mut contenders: Vec<_> = policies.chain(alone).collect();
        for contender in contenders.iter_mut().filter(|c| c.alone.is_none()) {
            let iterations = instance.iterations();
            let a_loop = self
                .runtime
                .parallel_for(0..iterations, instance.bind())
                .devices(&contender.specifier)
                .policy(contender.policy.clone())
                .cutoff(self.flags.cutoff);
            // Rates and times from the history include the slowdown already.
            let known = a_loop.known_from_history()?.len();
            match a_loop.predict() {
                Ok(simulation) => {
                    let decision = &simulation.decision;
                    let of_loops = decision.notes.iter().any(|note| note.starts_with(TIME_FROM_HISTORY))
                        || decision.verdict.as_ref().is_some_and(|verdict| verdict.measured);
                    let scale = if known == 0 && !of_loops { self.time_scale() } else { 1.0 };
                    contender.predicted_ms = Some(simulation.makespan.millis() * scale);
                    contender.predicted_by = Some(match known {
                        _ if of_loops => PredictedBy::Loops,
                        0 => PredictedBy::Description,
                        known if known < simulation.devices.len() => PredictedBy::Both,
                        _ => PredictedBy::History,
                    });
                }
                Err(Error::TooLarge(why)) => contender.notes.push(format!("no prediction: {why}")),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(contenders)
    }

    /// The factor by which the devices' clocks are slowed, if it is the same for all of them.
    fn time_scale(&self) -> f64 {
        let scale =
            |device: &&DeviceEntry| device.emulated.as_ref().and_then(|section| section.time_scale).unwrap_or(1.0);
        let mut scales = self.devices.iter().map(scale);
        let first = scales.next().unwrap_or(1.0);
        if scales.all(|other| other == first) { first } else { 1.0 }
    }

    /// An error if Ctrl-C was pressed.
    pub fn stopped(&self) -> Result<(), Failure> {
        if self.runtime.cancel_handle().is_cancelled() { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// The first run: its result is verified, its time is not kept. Device buffers are poisoned first.
    fn warm_up(&self, instance: &mut dyn Instance, contender: &mut Contender) -> Result<(), Failure> {
        self.progress.now(format!("{} {}: warm-up, verifying", instance.name(), contender.name));
        if let Some((_, reduced)) = self.run(instance, contender, true)? {
            self.verify(instance, contender, reduced);
        }
        self.progress.advance(1);
        if contender.failed {
            self.progress.advance(contender.repetitions.into());
        }
        self.stopped()
    }

    fn repetition(&self, instance: &mut dyn Instance, contender: &mut Contender, last: bool) -> Result<(), Failure> {
        if contender.failed {
            return Ok(());
        }
        self.progress.now(format!("{} {}: {}", instance.name(), contender.name, contender.reports.len() + 1));
        if let Some((report, reduced)) = self.run(instance, contender, false)? {
            contender.reports.push(report);
            if last {
                self.verify(instance, contender, reduced);
            }
        }
        self.progress.advance(1);
        self.stopped()
    }

    fn verify(&self, instance: &mut dyn Instance, contender: &mut Contender, reduced: Option<Scalar>) {
        let verification = instance.verify(reduced);
        if !verification.ok {
            contender.failed = true;
            contender.note(format!("wrong result: {verification}"));
        }
        keep_worse(&mut contender.verification, verification);
    }

    /// Runs the loop once from fresh arrays; `None` if it failed, which is noted.
    fn run(
        &self,
        instance: &mut dyn Instance,
        contender: &mut Contender,
        poison: bool,
    ) -> Result<Option<(Report, Option<Scalar>)>, Failure> {
        self.stopped()?;
        let cutoff = if contender.alone.is_some() { Cutoff::None } else { self.flags.cutoff };
        let (specifier, policy) = (contender.specifier.clone(), contender.policy.clone());
        let ran = run_loop(self.runtime, instance, |a_loop| {
            a_loop.devices(specifier).policy(policy).cutoff(cutoff).poison(poison)
        });
        match ran {
            Ok((report, reduced)) => {
                contender.faulty |= !report.faults.is_empty();
                for fault in &report.faults {
                    contender.note(format!("{fault}; its iterations were run by the others"));
                }
                for note in &report.notes {
                    contender.note(note.clone());
                }
                Ok(Some((report, reduced)))
            }
            Err(Error::Cancelled(_)) => Err(Failure::Stopped),
            Err(error) => {
                contender.failed = true;
                contender.note(format!("failed: {error}"));
                Ok(None)
            }
        }
    }

    fn collect(&self, instance: &dyn Instance, contenders: Vec<Contender>, outcome: &mut Outcome) {
        let (alone, policies): (Vec<_>, Vec<_>) = contenders.into_iter().partition(|c| c.alone.is_some());
        let workload = instance.name();
        let mut alone_ms = Vec::new();
        let mut alone_notes = Vec::new();
        for contender in alone {
            let time = contender.median_ms();
            alone_ms.extend(time.map(|ms| (contender.specifier.clone(), ms, contender.times_ms())));
            if contender.failed {
                let why = contender.notes.join("; ");
                alone_notes.push(format!("{}: {why}", contender.name));
                // A device that cannot run alone is no failure of a policy, but one that computes wrong results is.
                if contender.verification.as_ref().is_some_and(|v| !v.ok) {
                    outcome.failures.push(format!("{workload}, {}: {why}", contender.name));
                }
            }
        }
        let alone_of = |id: usize| alone_ms.iter().find(|(of, ..)| *of == id.to_string()).map(|(_, ms, _)| *ms);
        for contender in policies {
            if contender.failed {
                outcome.failures.push(format!("{workload} under {}: {}", contender.name, contender.notes.join("; ")));
            }
            let mut run = self.record(instance, &contender);
            let median = contender.median_ms();
            for part in &mut run.per_device {
                let device = self.devices.iter().find(|device| device.name == part.device);
                let alone = device.and_then(|device| alone_ms.iter().find(|(of, ..)| *of == device.id.to_string()));
                if let Some((_, ms, times)) = alone {
                    part.alone_ms = Some(*ms);
                    part.alone_times_ms.clone_from(times);
                }
            }
            run.alone_ms = self.alone_ms(alone_of);
            let alone: Option<Vec<f64>> = self.devices.iter().map(|device| alone_of(device.id)).collect();
            run.efficiency = alone.filter(|all| all.len() > 1).and_then(|all| efficiency(&all, median?));
            run.notes.extend(alone_notes.iter().cloned());
            run.notes.extend(took_longer(median, run.predicted_ms, contender.faulty, run.mode));
            self.progress.line(&apportion_cli::table::one_line(&run));
            outcome.runs.push(run);
        }
    }

    /// The times of the devices alone, by name; none if only one device takes part.
    pub fn alone_ms(&self, of: impl Fn(usize) -> Option<f64>) -> BTreeMap<String, Option<f64>> {
        let several = self.devices.iter().filter(|_| self.devices.len() > 1);
        several.map(|device| (device.name.clone(), of(device.id))).collect()
    }

    fn record(&self, instance: &dyn Instance, contender: &Contender) -> Run {
        let verified = contender.verification.as_ref().map(|verification| verification.ok);
        let report = contender.median_report();
        let per_device = report.map(|report| report.devices.iter().map(device_run).collect()).unwrap_or_default();
        let reasons = report.iter().flat_map(|report| &report.left_out).map(|out| (out.device.as_str(), &*out.reason));
        let done = |name: &str| report.and_then(|report| report.device(name)).map_or(0, |device| device.iterations);
        let (left_out, mut of_the_rest) = split_left_out(reasons, done);
        let mut notes = contender.notes.clone();
        of_the_rest.retain(|note| !notes.contains(note));
        notes.append(&mut of_the_rest);
        notes.extend(not_locked(self.repeat.memory, instance.is_page_locked(), &self.devices));
        let emulated = self.devices.iter().any(|device| device.kind == DeviceKind::Emulated);
        Run {
            workload: instance.name().to_owned(),
            n: instance.n() as u64,
            element: instance.element().name().to_owned(),
            mode: if emulated { Mode::Emulated } else { Mode::Real },
            residency: Residency::Cold,
            memory: Some(if instance.is_page_locked() { HostMemory::PageLocked } else { HostMemory::Plain }),
            form: Some(form_of(self.repeat.form)),
            policy: policy_used(&contender.policy, &contender.notes),
            cutoff: Some(self.flags.cutoff.to_string()),
            devices: self.devices.iter().map(|device| device.name.clone()).collect(),
            left_out,
            verified,
            max_rel_error: contender.verification.as_ref().map(|v| v.max_rel_error).filter(|error| error.is_finite()),
            times_ms: contender.times_ms(),
            predicted_ms: contender.predicted_ms,
            predicted_by: contender.predicted_by,
            imbalance: report.map(Report::imbalance),
            efficiency: None,
            alone_ms: Default::default(),
            per_device,
            scaling: None,
            timeline: None,
            notes,
        }
    }
}

/// A form of kernels as in records.
pub fn form_of(form: Form) -> KernelForm {
    match form {
        Form::Hand => KernelForm::Hand,
        Form::Single => KernelForm::Single,
    }
}

impl Contender {
    fn new(policy: Policy, specifier: String) -> Self {
        Self {
            policy,
            alone: None,
            name: String::new(),
            specifier,
            predicted_ms: None,
            predicted_by: None,
            repetitions: 0,
            rounds: 0,
            verification: None,
            failed: false,
            faulty: false,
            reports: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Times of verified repetitions: empty if a run failed.
    fn times_ms(&self) -> Vec<f64> {
        let reports = self.reports.iter().filter(|_| !self.failed);
        reports.map(|report| report.elapsed.millis()).collect()
    }

    fn median_ms(&self) -> Option<f64> {
        summarise(&self.times_ms()).map(|summary| summary.median)
    }

    /// The repetition whose time is the median, the lower of two.
    fn median_report(&self) -> Option<&Report> {
        let mut sorted: Vec<_> = self.reports.iter().filter(|_| !self.failed).collect();
        sorted.sort_by(|a, b| a.elapsed.0.total_cmp(&b.elapsed.0));
        sorted.get(sorted.len().checked_sub(1)? / 2).copied()
    }
}

/// A device alone runs about half as often, as its times only serve for comparison.
pub fn alone_repetitions(repetitions: u32) -> u32 {
    repetitions / 2 + 1
}

/// Steps of the progress in which each device runs alone, if there are several: warm-up and repetitions.
pub fn steps_alone(devices: usize, reps: u32) -> u64 {
    if devices > 1 { devices as u64 * (1 + u64::from(alone_repetitions(reps))) } else { 0 }
}

/// Keeps the worse of two verifications of one contender.
pub fn keep_worse(kept: &mut Option<Verification>, new: Verification) {
    let worse = kept.as_ref().is_none_or(|before| before.ok && (!new.ok || new.max_rel_error > before.max_rel_error));
    if worse {
        *kept = Some(new);
    }
}

/// The remark on an emulated run that took much longer than predicted, if no device was lost.
fn took_longer(median_ms: Option<f64>, predicted_ms: Option<f64>, faulty: bool, mode: Mode) -> Option<String> {
    let slow = median_ms? > BEHIND * predicted_ms?;
    (slow && !faulty && mode == Mode::Emulated).then(|| format!("{TOOK_LONGER}{MAYBE_TOO_FAST}"))
}

/// The remark if page-locked arrays were asked for and would help a device, but are not locked.
pub fn not_locked(asked: Memory, locked: bool, devices: &[&DeviceEntry]) -> Option<String> {
    let profits = devices.iter().any(|device| device.kind == DeviceKind::Cuda);
    (asked == Memory::PageLocked && !locked && profits).then(|| {
        "not all arrays are page-locked, so copies are slow: the driver refuses, perhaps for a limit on locked memory \
         (`ulimit -l`)"
            .to_owned()
    })
}

/// The contenders of a round, in order: random, except that the second round of a pair is reversed.
///
/// Contenders with fewer repetitions than there are rounds have them spread over all rounds, from the first to the last, so that
/// they see the same machine as the others.
fn order(contenders: &[Contender], round: u32, rounds: u32, seed: u64) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ (u64::from(round / 2) << 32));
    let mut order: Vec<_> = (0..contenders.len()).collect();
    order.sort_by_cached_key(|_| random.next_u64());
    if round % 2 == 1 {
        order.reverse();
    }
    order.retain(|&index| runs_in(round, rounds, contenders[index].repetitions));
    order
}

/// Whether one of `repetitions` repetitions, spread evenly over `rounds` with the first and the last among them, falls on
/// `round`.
pub fn runs_in(round: u32, rounds: u32, repetitions: u32) -> bool {
    if repetitions <= 1 {
        // The middle round represents all rounds.
        return repetitions == 1 && round == rounds / 2;
    }
    // Repetition k falls on round k (rounds - 1) / (repetitions - 1), rounded down: is there one between this and next?
    let (steps, gaps) = (u64::from(rounds - 1), u64::from(repetitions - 1));
    let first_from = |round: u64| (round * gaps).div_ceil(steps.max(1));
    let (this, next) = (first_from(u64::from(round)), first_from(u64::from(round) + 1));
    repetitions >= rounds || (this < next && this <= gaps)
}

/// Devices that took no part, and a remark for each that a policy left out after it had run its sample.
pub fn split_left_out<'a>(
    reasons: impl Iterator<Item = (&'a str, &'a str)>,
    iterations: impl Fn(&str) -> u64,
) -> (Vec<LeftOut>, Vec<String>) {
    let (mut left_out, mut notes) = (Vec::new(), Vec::new());
    for (device, reason) in reasons {
        if iterations(device) == 0 {
            left_out.push(LeftOut { device: device.to_owned(), reason: reason.to_owned() });
        } else {
            notes.push(format!("{device} left out of the rest: {reason}"));
        }
    }
    (left_out, notes)
}

/// (sum over devices of 1/T_alone)^-1 / time.
pub fn efficiency(alone_ms: &[f64], time_ms: f64) -> Option<f64> {
    let perfect = 1.0 / alone_ms.iter().map(|ms| 1.0 / ms).sum::<f64>();
    Some(perfect / time_ms).filter(|ratio| ratio.is_finite())
}

fn device_run(report: &DeviceReport) -> DeviceRun {
    DeviceRun {
        device: report.name.clone(),
        iterations: report.iterations,
        chunks: report.chunks,
        bytes_to: Some(report.bytes_to.0),
        bytes_from: Some(report.bytes_from.0),
        phases_ms: phases_ms(&report.phases),
        alone_ms: None,
        alone_times_ms: Vec::new(),
    }
}

/// The phases in the record's terms.
pub fn phases_ms(times: &PhaseTimes) -> PhasesMs {
    let ms = |phase: Phase| Some(times[phase].millis());
    PhasesMs {
        init: ms(Phase::Init),
        to: ms(Phase::To),
        kernel: ms(Phase::Kernel),
        exchange: ms(Phase::Exchange),
        from: ms(Phase::From),
        fini: ms(Phase::Fini),
        wait: ms(Phase::Wait),
    }
}

/// The policy and its parameters; `notes` say what AUTO chose.
pub fn policy_used(policy: &Policy, notes: &[String]) -> PolicyUsed {
    let mut used = PolicyUsed { name: policy.name().to_owned(), parameters: Default::default() };
    let mut set = |key: &str, value: String| drop(used.parameters.insert(key.to_owned(), value.into()));
    match policy {
        Policy::Block | Policy::Model1 | Policy::Model2 => {}
        Policy::Dynamic { chunk } => set("chunk", chunk.to_string()),
        Policy::Guided { percent, mode } => {
            set("part", percent.to_string());
            // The default mode is left out.
            if *mode != GuidedMode::default() {
                set("mode", mode.to_string());
            }
        }
        Policy::SchedProfile { sample } | Policy::ModelProfile { sample } => set("sample", sample.to_string()),
        Policy::HGuided { k, least } => {
            let list = |values: Vec<String>| values.join("/");
            set("k", list(k.iter().map(ToString::to_string).collect()));
            set("min", list(least.iter().map(ToString::to_string).collect()));
        }
        Policy::Adaptive { sample, tail } => {
            set("sample", sample.to_string());
            set("tail", tail.to_string());
        }
        Policy::Auto | Policy::AutoHeuristic => {
            if *policy == Policy::AutoHeuristic {
                set("rule", "heuristic".to_owned());
            }
            let chosen = notes.iter().find_map(|note| note.strip_prefix("AUTO chose ")?.split(": ").next());
            if let Some(chosen) = chosen {
                // The default mode of SCHED_GUIDED is left out here too.
                set("chosen", chosen.trim_end_matches(":remaining").to_owned());
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Arguments, Command};
    use apportion::devices::detect;
    use apportion::kernel::ElementType;
    use apportion::kernel::{Bound, Kernel};
    use apportion::region::DataRegion;
    use apportion::sched::POLICIES;
    use apportion_cli::grouping::{policy_label, policy_name};
    use apportion_kernels::Resident;
    use clap::Parser as _;

    /// axpy, whose result is found wrong from the `wrong_from`th check on.
    struct Doubtful {
        axpy: Box<dyn Instance>,
        looks: usize,
        wrong_from: usize,
    }

    impl Instance for Doubtful {
        fn name(&self) -> &'static str {
            "doubtful"
        }
        fn n(&self) -> usize {
            self.axpy.n()
        }
        fn element(&self) -> ElementType {
            self.axpy.element()
        }
        fn iterations(&self) -> u64 {
            self.axpy.iterations()
        }
        fn kernel(&self) -> &Kernel {
            self.axpy.kernel()
        }
        fn bind(&mut self) -> Bound<'_> {
            self.axpy.bind()
        }
        fn bind_single(&mut self) -> Bound<'_> {
            self.axpy.bind_single()
        }
        fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
            self.axpy.place(region)
        }
        fn reset(&mut self) {
            self.axpy.reset();
        }
        fn verify(&mut self, reduced: Option<Scalar>) -> Verification {
            self.looks += 1;
            let ok = self.looks < self.wrong_from;
            Verification { ok, max_rel_error: f64::INFINITY, ..self.axpy.verify(reduced) }
        }
        fn bytes(&self) -> usize {
            self.axpy.bytes()
        }
        fn is_page_locked(&self) -> bool {
            self.axpy.is_page_locked()
        }
        fn run_rayon(&mut self) -> Option<Scalar> {
            self.axpy.run_rayon()
        }
    }

    #[test]
    fn tables_name_policies_as_the_flag_takes_them() {
        let others = [
            "SCHED_DYNAMIC:1000",
            "SCHED_GUIDED:15%:percent",
            "SCHED_PROFILE_AUTO:7.5%",
            "MODEL_PROFILE_AUTO:5%",
            "HGUIDED:k=3.5/1.5:min=64",
            "HGUIDED:k=4",
            "ADAPTIVE:tail=1%",
            "AUTO:heuristic",
        ];
        for text in POLICIES.iter().map(|entry| entry.name).chain(others) {
            let policy: Policy = text.parse().unwrap();
            let used = policy_used(&policy, &[]);
            for shown in [policy_label(&used), policy_name(&used)] {
                assert_eq!(shown.parse::<Policy>().ok().as_ref(), Some(&policy), "{text} is shown as {shown}");
            }
        }
    }

    #[test]
    fn who_ran_a_sample_took_part() {
        let reasons = [("host", "too slow"), ("gpu", "too far")];
        let (left_out, notes) = split_left_out(reasons.into_iter(), |device| u64::from(device == "gpu"));
        assert_eq!(left_out, [LeftOut { device: "host".to_owned(), reason: "too slow".to_owned() }]);
        assert_eq!(notes, ["gpu left out of the rest: too far"]);
    }

    #[test]
    fn repetitions_are_spread_over_all_rounds() {
        for rounds in 1..=40 {
            for repetitions in 1..=rounds {
                let ran: Vec<_> = (0..rounds).filter(|&round| runs_in(round, rounds, repetitions)).collect();
                assert_eq!(ran.len(), repetitions as usize, "{repetitions} of {rounds}: {ran:?}");
                if repetitions > 1 {
                    assert_eq!((ran[0], *ran.last().unwrap()), (0, rounds - 1));
                    let gaps = || ran.windows(2).map(|pair| pair[1] - pair[0]);
                    assert!(gaps().max().unwrap() - gaps().min().unwrap() <= 1, "{ran:?}");
                }
            }
        }
    }

    #[test]
    fn rounds_come_in_pairs_of_a_random_order_and_its_reverse() {
        let contender = |repetitions| Contender { repetitions, ..Contender::new(Policy::Block, String::new()) };
        let contenders: Vec<_> = [8, 8, 8, 8, 8, 3].map(contender).into();
        let orders: Vec<_> = (0..8).map(|round| order(&contenders, round, 8, 42)).collect();
        for (index, contender) in contenders.iter().enumerate() {
            let runs = orders.iter().flatten().filter(|&&of| of == index).count();
            assert_eq!(runs as u32, contender.repetitions);
        }
        let always: Vec<Vec<_>> =
            orders.iter().map(|order| order.iter().copied().filter(|&index| index < 5).collect()).collect();
        let mut seen = Vec::new();
        for pair in always.chunks(2) {
            let back: Vec<_> = pair[1].iter().rev().copied().collect();
            assert_eq!(pair[0], back);
            seen.push(&pair[0]);
        }
        seen.sort();
        seen.dedup();
        assert!(seen.len() > 2, "{orders:?}");
        // Equal seeds give equal orders.
        assert_eq!(orders[4], order(&contenders, 4, 8, 42));
        assert_ne!(orders[4], order(&contenders, 4, 8, 43));
    }

    #[test]
    fn a_slow_emulated_run_is_remarked_on_unless_a_device_was_lost() {
        let note = took_longer(Some(2.1), Some(1.0), false, Mode::Emulated).unwrap();
        assert!(note.starts_with("took more than twice what the model expects; if "), "{note}");
        assert_eq!(took_longer(Some(1.9), Some(1.0), false, Mode::Emulated), None);
        assert_eq!(took_longer(Some(2.1), Some(1.0), true, Mode::Emulated), None);
        assert_eq!(took_longer(Some(2.1), Some(1.0), false, Mode::Real), None);
        assert_eq!(took_longer(Some(2.1), None, false, Mode::Emulated), None);
    }

    #[test]
    fn arrays_that_should_be_page_locked_and_are_not_are_remarked_on_where_a_device_would_profit() {
        let mut device = detect::machine().machine.devices.remove(0);
        assert_eq!(not_locked(Memory::PageLocked, false, &[&device]), None);
        device.kind = DeviceKind::Cuda;
        let note = not_locked(Memory::PageLocked, false, &[&device]).unwrap();
        assert!(note.starts_with("not all arrays are page-locked"), "{note}");
        assert_eq!(not_locked(Memory::PageLocked, true, &[&device]), None);
        assert_eq!(not_locked(Memory::Plain, false, &[&device]), None);
    }

    #[test]
    fn a_wrong_result_has_no_times_and_is_a_failure() {
        let mut machine = detect::machine().machine;
        machine.devices.truncate(1);
        let runtime = Runtime::from_machine(machine.clone()).unwrap();
        let arguments = ["apportion", "compare", "--policies", "BLOCK", "--reps", "3"];
        let Command::Compare(options) = Arguments::parse_from(arguments).command else { unreachable!() };
        let progress = Progress::new(1);
        let harness = Harness {
            runtime: &runtime,
            devices: machine.devices.iter().collect(),
            flags: &options.loops,
            repeat: &options.repeat,
            progress: &progress,
        };
        // Wrong at the first check: nothing is repeated. At the second: all repetitions are discarded.
        for (wrong_from, right) in [(1, false), (2, false), (3, true)] {
            let axpy = apportion_kernels::find("axpy").unwrap().build(1000, ElementType::F32, 1).unwrap();
            let mut outcome = Outcome::default();
            harness.instance(&mut Doubtful { axpy, looks: 0, wrong_from }, &mut outcome).unwrap();
            let run = &outcome.runs[0];
            assert_eq!(run.verified, Some(right), "{wrong_from}");
            assert_eq!(run.times_ms.len(), if right { 3 } else { 0 });
            assert_eq!(outcome.failures.is_empty(), right);
            assert_eq!(run.notes.iter().any(|note| note.contains("wrong result")), !right);
            assert_eq!((run.max_rel_error, run.efficiency), (None, None));
            assert_eq!(run.per_device.is_empty(), !right);
        }
    }
}
