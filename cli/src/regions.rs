//! Runs applications in data regions on real (or emulated) devices and records what happened.
//!
//! As the harness does with policies: each split runs once to warm up and be verified, then the repetitions go round, in reverse
//! order in every other round.

use crate::failure::Failure;
use crate::harness::{
    Harness, Outcome, alone_repetitions, efficiency, form_of, keep_worse, not_locked, runs_in, steps_alone,
};
use crate::options::Size;
use apportion::error::Error;
use apportion::model::machine::{DeviceEntry, DeviceKind};
use apportion::region::{DeviceTotals, DeviceWindow, RegionReport, RegionSplit};
use apportion::units::{Bytes, Seconds};
use apportion_cli::record::{
    DeviceRun, HostMemory, LeftOut, Mode, PhasesMs, PolicyUsed, Residency, Run, TimeLine, TimeWindow,
};
use apportion_cli::statistics::summarise;
use apportion_kernels::Verification;
use apportion_kernels::apps::{self, App, Application, RegionOptions, Swept};

/// The ways to split a region's rows, by their names in records: the split, and whether rows stay where they are.
static SPLITS: [(&str, RegionSplit, bool); 3] = [
    ("REGION:model", RegionSplit::Model, true),
    ("REGION:even", RegionSplit::Even, true),
    ("REGION:rebalanced", RegionSplit::Model, false),
];

/// One more split for time lines: a start that is wrong unless devices are equal, then by measured times.
static FROM_EVEN: (&str, RegionSplit, bool) = ("REGION:even-rebalanced", RegionSplit::Even, false);

/// Most windows of a time line.
const WINDOWS: usize = 250;

/// Most steps, unless the size is that of a paper.
const FEW_STEPS: usize = 200;

/// Cells that a reference computes in a few seconds on one core.
const REFERENCE_CELLS: usize = 1 << 31;
/// A reference computes at least this many steps: a wrong ghost row shows from the second step on.
const REFERENCE_STEPS: usize = 4;

/// One split on all devices, or one device alone.
pub(crate) struct Contender {
    pub name: String,
    pub options: RegionOptions,
    /// The device, if it runs alone.
    pub alone: Option<usize>,
    pub repetitions: u32,
    runs: Vec<Swept>,
    /// Whether it runs once more, timed loop by loop, and the result of that run.
    pub wants_timeline: bool,
    timeline: Option<RegionReport>,
    verification: Option<Verification>,
    /// A run failed or gave a wrong result; it does not run again.
    pub failed: bool,
    pub notes: Vec<String>,
}

/// The number of steps that are timed, and how many of them the reference computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    pub timed: usize,
    verified: usize,
}

impl Steps {
    pub fn of(app: App, asked: Option<u32>, at_papers_size: bool, cells: usize) -> Self {
        let usual = if at_papers_size { app.steps } else { app.steps.min(FEW_STEPS) };
        let timed = asked.map_or(usual, |asked| asked as usize);
        let verified = (REFERENCE_CELLS / cells.max(1)).max(REFERENCE_STEPS).min(timed);
        Self { timed, verified }
    }

    /// The remark on a result that was not compared after all steps.
    fn remark(self) -> Option<String> {
        (self.verified < self.timed).then(|| {
            let Self { timed, verified } = self;
            format!(
                "verified after {verified} of {timed} steps, as the sequential reference is slow; timed runs are not"
            )
        })
    }
}

impl Harness<'_> {
    /// Steps that the progress will count for one application.
    pub fn steps_of_app(devices: usize, reps: u32, timeline: bool) -> u64 {
        steps_alone(devices, reps)
            + splits(devices, timeline).len() as u64 * (1 + u64::from(reps) + u64::from(timeline))
    }

    /// Runs one application with all splits.
    ///
    /// # Errors
    /// If it cannot be run at all, or on Ctrl-C. A failure with one split goes into the outcome.
    pub fn application(
        &self,
        app: App,
        steps: Option<u32>,
        timeline: bool,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let (mut application, steps) = self.prepared(app, 1, steps)?;
        let mut contenders = self.region_contenders(timeline);
        self.repeated(&mut *application, steps, &mut contenders)?;
        self.collect_regions(&*application, steps, contenders, outcome);
        Ok(())
    }

    /// An application with `times` as many rows, and its steps.
    pub(crate) fn prepared(
        &self,
        app: App,
        times: usize,
        steps: Option<u32>,
    ) -> Result<(Box<dyn Application>, Steps), Failure> {
        let n = self.flags.size_of(app.sizes);
        self.progress.now(format!("{}: allocating", app.name));
        // After the devices are open, as only then drivers can page-lock the arrays.
        let (seed, memory) = (self.repeat.seed, self.repeat.memory);
        let application = apps::build_times(app.name, n, times, self.flags.element, seed, memory)?;
        self.stopped()?;
        let at_papers_size = self.flags.n.is_none() && self.flags.size == Size::Paper;
        let steps = Steps::of(app, steps, at_papers_size, application.cells());
        Ok((application, steps))
    }

    /// Warm-up, all repetitions in turns, and the time lines.
    pub(crate) fn repeated(
        &self,
        application: &mut dyn Application,
        steps: Steps,
        contenders: &mut [Contender],
    ) -> Result<(), Failure> {
        let app = application.app();
        for contender in &mut *contenders {
            contender.options.form = self.repeat.form;
            self.progress.now(format!("{} {}: warm-up, verifying", app.name, contender.name));
            if self.sweep(application, contender, steps.verified)?.is_some() {
                verify(application, contender, steps.verified)?;
            }
            self.progress.advance(if contender.failed { contender.steps() } else { 1 });
        }
        for round in 0..self.repeat.reps {
            let mut order: Vec<&mut Contender> = contenders.iter_mut().collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for contender in order {
                if contender.failed || !runs_in(round, self.repeat.reps, contender.repetitions) {
                    continue;
                }
                self.progress.now(format!("{} {}: {}", app.name, contender.name, contender.runs.len() + 1));
                let swept = self.sweep(application, contender, steps.timed)?;
                contender.runs.extend(swept);
                if steps.verified == steps.timed && contender.runs.len() == contender.repetitions as usize {
                    verify(application, contender, steps.timed)?;
                }
                self.progress.advance(1);
            }
        }
        for contender in contenders.iter_mut().filter(|contender| contender.wants_timeline && !contender.failed) {
            self.progress.now(format!("{} {}: loop by loop", app.name, contender.name));
            contender.options.timeline = Some(WINDOWS);
            contender.timeline = self.sweep(application, contender, steps.timed)?.map(|swept| swept.report);
            self.progress.advance(1);
        }
        Ok(())
    }

    /// One contender for each split over the first `devices` devices.
    pub(crate) fn contenders_on(&self, devices: usize, timeline: bool) -> Vec<Contender> {
        let ids = self.devices[..devices].iter().map(|device| device.id.to_string()).collect::<Vec<_>>().join(",");
        let of = |(name, split, fixed): &(&str, RegionSplit, bool)| Contender {
            repetitions: self.repeat.reps,
            wants_timeline: timeline,
            ..Contender::new((*name).to_owned(), ids.clone(), split.clone(), *fixed)
        };
        splits(devices, timeline).iter().map(of).collect()
    }

    /// The splits, and each device alone if there are several.
    fn region_contenders(&self, timeline: bool) -> Vec<Contender> {
        let mut contenders = self.contenders_on(self.devices.len(), timeline);
        contenders.extend(self.devices.iter().filter(|_| self.devices.len() > 1).map(|device| self.alone(device)));
        contenders
    }

    pub(crate) fn alone(&self, device: &DeviceEntry) -> Contender {
        Contender {
            alone: Some(device.id),
            repetitions: alone_repetitions(self.repeat.reps),
            ..Contender::new(format!("{} alone", device.name), device.id.to_string(), RegionSplit::Even, true)
        }
    }

    /// Runs the application once; `None` if it failed, which is noted.
    fn sweep(
        &self,
        application: &mut dyn Application,
        contender: &mut Contender,
        steps: usize,
    ) -> Result<Option<Swept>, Failure> {
        self.stopped()?;
        match application.run(self.runtime, &contender.options, steps) {
            Ok(swept) => Ok(Some(swept)),
            Err(Error::Cancelled(_)) => Err(Failure::Stopped),
            Err(error) => {
                contender.failed = true;
                contender.notes.push(format!("failed: {error}"));
                Ok(None)
            }
        }
    }

    fn collect_regions(
        &self,
        application: &dyn Application,
        steps: Steps,
        contenders: Vec<Contender>,
        outcome: &mut Outcome,
    ) {
        let (alone, splits): (Vec<_>, Vec<_>) = contenders.into_iter().partition(|c| c.alone.is_some());
        let workload = application.app().name;
        let alone_of = |id: usize| alone.iter().find(|c| c.alone == Some(id)).and_then(Contender::median_ms);
        for contender in alone.iter().filter(|c| c.verification.as_ref().is_some_and(|v| !v.ok)) {
            outcome.failures.push(format!("{workload}, {}: {}", contender.name, contender.notes.join("; ")));
        }
        for contender in splits {
            if contender.failed {
                outcome.failures.push(format!("{workload} by {}: {}", contender.name, contender.notes.join("; ")));
            }
            let mut run = self.record_region(application, steps, &contender);
            for part in &mut run.per_device {
                part.alone_ms = self.devices.iter().find(|d| d.name == part.device).and_then(|d| alone_of(d.id));
            }
            run.alone_ms = self.alone_ms(alone_of);
            let all: Option<Vec<f64>> = self.devices.iter().map(|device| alone_of(device.id)).collect();
            let median = contender.median_ms();
            run.efficiency = all.filter(|all| all.len() > 1).and_then(|all| efficiency(&all, median?));
            run.notes.extend(alone.iter().filter(|c| c.failed).map(|c| format!("{}: {}", c.name, c.notes.join("; "))));
            self.progress.line(&apportion_cli::table::one_line(&run));
            outcome.runs.push(run);
        }
    }

    pub(crate) fn record_region(&self, application: &dyn Application, steps: Steps, contender: &Contender) -> Run {
        let median = contender.median_run();
        let mut notes = contender.notes.clone();
        notes.extend(steps.remark());
        let mut left_out = Vec::new();
        if let Some(swept) = median {
            notes.push(format!(
                "time of {} step{} on resident arrays; before that, placing them and the first step took {:.3} ms, after \
                 it bringing results back {:.3} ms",
                swept.steps,
                if swept.steps == 1 { "" } else { "s" },
                1e3 * swept.placing.as_secs_f64(),
                1e3 * swept.collecting.as_secs_f64(),
            ));
            if swept.report.exchanged > Bytes::default() {
                let (times, bytes) = (swept.report.exchanges, swept.report.exchanged);
                notes.push(format!("{times} exchanges of ghost cells moved {bytes} from memory to memory"));
            }
            left_out = left_out_of(&self.devices, swept);
            let told = |note: &&String| left_out.iter().all(|out| !note.starts_with(&out.device));
            notes.extend(swept.report.notes.iter().filter(told).cloned());
        }
        let locked = application.is_page_locked();
        notes.extend(not_locked(self.repeat.memory, locked, &self.devices));
        let emulated = self.devices.iter().any(|device| device.kind == DeviceKind::Emulated);
        let totals = median.map(|swept| swept.report.devices.as_slice()).unwrap_or_default();
        Run {
            workload: application.app().name.to_owned(),
            n: application.n() as u64,
            element: application.element().name().to_owned(),
            mode: if emulated { Mode::Emulated } else { Mode::Real },
            residency: Residency::Resident,
            memory: Some(if locked { HostMemory::PageLocked } else { HostMemory::Plain }),
            form: Some(form_of(self.repeat.form)),
            policy: PolicyUsed { name: contender.name.clone(), parameters: Default::default() },
            // Only policies have a cutoff.
            cutoff: None,
            devices: self.devices.iter().map(|device| device.name.clone()).collect(),
            left_out,
            verified: contender.verification.as_ref().map(|v| v.ok),
            max_rel_error: contender.verification.as_ref().map(|v| v.max_rel_error).filter(|error| error.is_finite()),
            times_ms: contender.times_ms(),
            predicted_ms: None,
            predicted_by: None,
            imbalance: median.map(|swept| swept.report.imbalance()).filter(|ratio| ratio.is_finite()),
            efficiency: None,
            alone_ms: Default::default(),
            per_device: totals.iter().map(|device| device_run(device, steps.timed)).collect(),
            scaling: None,
            timeline: contender.timeline.as_ref().map(timeline_of),
            notes,
        }
    }
}

impl Contender {
    fn new(name: String, devices: String, split: RegionSplit, fixed: bool) -> Self {
        Self {
            name,
            options: RegionOptions { devices: Some(devices), split, fixed, ..RegionOptions::default() },
            alone: None,
            repetitions: 0,
            runs: Vec::new(),
            wants_timeline: false,
            timeline: None,
            verification: None,
            failed: false,
            notes: Vec::new(),
        }
    }

    /// Number of its runs, for the progress.
    fn steps(&self) -> u64 {
        1 + u64::from(self.repetitions) + u64::from(self.wants_timeline)
    }

    /// Times of verified repetitions: empty if one failed.
    fn times_ms(&self) -> Vec<f64> {
        let runs = self.runs.iter().filter(|_| !self.failed);
        runs.map(|swept| 1e3 * swept.sweeping.as_secs_f64()).collect()
    }

    pub fn median_ms(&self) -> Option<f64> {
        summarise(&self.times_ms()).map(|summary| summary.median)
    }

    /// The repetition whose time is the median, the lower of two.
    fn median_run(&self) -> Option<&Swept> {
        let mut sorted: Vec<_> = self.runs.iter().filter(|_| !self.failed).collect();
        sorted.sort_by_key(|swept| swept.sweeping);
        sorted.get(sorted.len().checked_sub(1)? / 2).copied()
    }
}

/// The splits to compare: on one device, all splits are equal.
fn splits(devices: usize, timeline: bool) -> Vec<(&'static str, RegionSplit, bool)> {
    match (devices > 1, timeline) {
        (true, true) => SPLITS.iter().chain([&FROM_EVEN]).cloned().collect(),
        (true, false) => SPLITS.to_vec(),
        (false, _) => SPLITS[..1].to_vec(),
    }
}

/// A region's time line, for the record.
fn timeline_of(report: &RegionReport) -> TimeLine {
    let windows = report.timeline.iter().map(|window| {
        let of = |part: fn(&DeviceWindow) -> Seconds| window.devices.iter().map(|d| part(d).millis()).collect();
        TimeWindow {
            first: window.first,
            loops: window.loops,
            time_ms: window.time.millis(),
            rows: window.devices.iter().map(|device| device.rows).collect(),
            busy_ms: of(|device| device.busy),
            exchange_ms: of(|device| device.exchange),
            wait_ms: of(|device| device.waiting),
        }
    });
    TimeLine { devices: report.devices.iter().map(|d| d.name.clone()).collect(), windows: windows.collect() }
}

fn verify(application: &dyn Application, contender: &mut Contender, steps: usize) -> Result<(), Failure> {
    let verification = application.verify(steps)?;
    if !verification.ok {
        contender.failed = true;
        contender.notes.push(format!("wrong result after {steps} steps: {verification}"));
    }
    keep_worse(&mut contender.verification, verification);
    Ok(())
}

/// Devices without rows, and why.
fn left_out_of(devices: &[&DeviceEntry], swept: &Swept) -> Vec<LeftOut> {
    let rows = |name: &str| swept.report.devices.iter().find(|device| device.name == name).map_or(0, |d| d.rows);
    let without = devices.iter().filter(|device| rows(&device.name) == 0);
    let reason = |name: &str| {
        let told = swept.report.left_out.iter().find(|left| left.device == name).map(|left| left.reason.clone());
        told.unwrap_or_else(|| "the split gives it no rows".to_owned())
    };
    without.map(|device| LeftOut { device: device.name.clone(), reason: reason(&device.name) }).collect()
}

/// A device's part. Only some loops are timed: the others count as long, iteration by iteration.
fn device_run(totals: &DeviceTotals, steps: usize) -> DeviceRun {
    let all = (totals.iterations > 0).then(|| totals.ran as f64 / totals.iterations as f64);
    let idle = (totals.ran == 0).then_some(0.0);
    let ms = |known: Seconds| all.map(|all| known.millis() * all).or(idle);
    DeviceRun {
        device: totals.name.clone(),
        iterations: totals.rows,
        chunks: if totals.rows > 0 { steps as u64 } else { 0 },
        bytes_to: None,
        bytes_from: None,
        phases_ms: PhasesMs { kernel: ms(totals.kernel), exchange: ms(totals.exchange), ..PhasesMs::default() },
        alone_ms: None,
        alone_times_ms: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(name: &str) -> App {
        apps::find(name).unwrap()
    }

    #[test]
    fn small_sizes_run_few_steps_and_large_ones_are_verified_after_fewer() {
        let heat = app("heat2d");
        assert_eq!(Steps::of(heat, None, false, 512 * 512), Steps { timed: 200, verified: 200 });
        assert_eq!(Steps::of(heat, None, true, 4096 * 4096), Steps { timed: 20_000, verified: 128 });
        assert_eq!(Steps::of(app("jacobi"), None, true, usize::MAX), Steps { timed: 200, verified: 4 });
        assert_eq!(Steps::of(heat, Some(3), true, usize::MAX), Steps { timed: 3, verified: 3 });
        let remark = Steps { timed: 9, verified: 4 }.remark().unwrap();
        assert!(remark.starts_with("verified after 4 of 9 steps"), "{remark}");
        assert_eq!(Steps { timed: 9, verified: 9 }.remark(), None);
    }

    #[test]
    fn times_of_some_loops_stand_for_all() {
        let mut totals = DeviceTotals::default();
        totals.name = "gpu".to_owned();
        totals.rows = 100;
        totals.loops = 10;
        totals.ran = 1000;
        totals.iterations = 490;
        totals.kernel = Seconds(0.049);
        totals.exchange = Seconds(0.0049);
        let run = device_run(&totals, 10);
        assert_eq!((run.iterations, run.chunks), (100, 10));
        let close = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-9;
        assert!(close(run.phases_ms.kernel, 100.0) && close(run.phases_ms.exchange, 10.0), "{run:?}");
        assert_eq!(run.phases_ms.to, None);
        // Of two loops a step, both; and of rows that it had before, all.
        totals.ran = 2000;
        let run = device_run(&totals, 10);
        assert!(close(run.phases_ms.kernel, 200.0) && close(run.phases_ms.exchange, 20.0), "{run:?}");
        assert_eq!(run.chunks, 10);
        totals.iterations = 0;
        let unknown = device_run(&totals, 10);
        assert_eq!(unknown.phases_ms.kernel, None);
        (totals.rows, totals.ran) = (0, 0);
        let idle = device_run(&totals, 10);
        assert_eq!((idle.phases_ms.kernel, idle.chunks), (Some(0.0), 0));
    }
}
