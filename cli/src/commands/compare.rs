//! `compare`: workloads under policies on the devices of this machine.

use crate::commands::{deliver, entries_of, machine_value, older_history, stop_on_signal, unoptimised, with_only};
use crate::failure::{Failure, eprintln_quietly};
use crate::harness::{Harness, Outcome};
use crate::options::{Chosen, CompareOptions, LoopFlags, ResultFlags, command_line};
use crate::progress::Progress;
use apportion::sched::Cutoff;
use apportion_cli::record::{PredictedBy, Record, Run, ScalingKind};
use apportion_kernels::apps;
use std::io::IsTerminal as _;

/// The note in a record that lacks workloads.
const STOPPED: &str = "stopped before all workloads were done: those that are missing were not, or not to the end";

pub fn run(options: &CompareOptions) -> Result<(), Failure> {
    let flags = &options.loops;
    let Chosen { machine, devices: chosen, mut notes } = options.machine.choose(&flags.devices)?;
    if options.machine.machine.is_none() {
        notes.push(
            "the devices' figures are estimates, and so is what is expected by them: `apportion probe -o machine.json` \
             measures them, `--machine machine.json` uses that"
                .to_owned(),
        );
    }
    check_of_apps(options)?;
    options.results.check(flags.workloads.count())?;
    options.history.check()?;
    // Check all sizes before anything runs: a size that is too large should not show up after an hour.
    for entry in &flags.workloads.loops {
        entry.outline(flags.size_of(entry.sizes), flags.element)?.check_memory()?;
    }
    for app in &flags.workloads.apps {
        let weak = options.scaling.contains(&ScalingKind::Weak);
        apps::check(app.name, flags.size_of(app.sizes), if weak { chosen.len() } else { 1 }, flags.element)?;
    }
    if !options.scaling.is_empty() {
        check_scaling(flags, chosen.len())?;
    }
    // Devices that take no part are not opened: they cost nothing and cannot fail.
    let runtime = options.machine.open(with_only(&machine, &chosen))?;
    // All repetitions use the same rates: what is learned now counts for the next comparison.
    let before = options.history.file().and_then(|file| file.load().ok());
    let runtime = match options.history.file() {
        Some(file) => runtime.with_history(file.frozen()),
        None => runtime.without_history(),
    };
    let _awake = options.keep_awake.then(|| runtime.keep_awake());
    notes.extend(options.keep_awake.then(|| "threads were kept awake between loops (--keep-awake)".to_owned()));
    let new: Vec<String> = runtime.notes().iter().filter(|note| !notes.contains(note)).cloned().collect();
    notes.extend(new);
    notes.extend(unoptimised());
    stop_on_signal(runtime.cancel_handle())?;
    let mut record = Record::new(command_line(), machine_value(&machine)?);

    let devices = entries_of(&machine, &chosen);
    let reps = options.repeat.reps;
    let scaling: Vec<_> =
        options.scaling.iter().enumerate().filter(|(at, kind)| !options.scaling[..*at].contains(kind)).collect();
    let scaling: Vec<_> = scaling.into_iter().map(|(_, kind)| *kind).collect();
    let of_app = match scaling.as_slice() {
        [] => Harness::steps_of_app(devices.len(), reps, options.timeline),
        kinds => Harness::steps_of_scaling(devices.len(), reps, kinds),
    };
    let of_apps = of_app * flags.workloads.apps.len() as u64;
    let progress = Progress::new(Harness::steps(devices.len(), flags, options.repeat.reps) + of_apps);
    let early = if tells_early(&options.results) { notes.clone() } else { Vec::new() };
    for note in &early {
        progress.line(note);
    }
    let harness = Harness { runtime: &runtime, devices, flags, repeat: &options.repeat, progress: &progress };
    let mut outcome = Outcome::default();
    let stopped = match all(&harness, options, &scaling, &mut outcome) {
        Ok(()) => false,
        Err(Failure::Stopped) => true,
        Err(failure) => return Err(failure),
    };
    drop(progress);
    let saved = runtime.save_history();
    let kept = match options.history.file() {
        Some(file) if saved.is_ok() => format!("; the times so far are in the history {}", file.path().display()),
        _ => String::new(),
    };
    // Said where the command does not name it; on standard error, as it is no part of the record.
    if let (true, None, Some(file)) = (saved.is_ok(), &options.history.history, options.history.file()) {
        eprintln_quietly(&format!(
            "apportion: what was measured is kept for later runs in {} (not with `--history off`)",
            file.path().display()
        ));
    }
    if let Err(error) = saved {
        // Of a file that could not be read or written, a note says so already.
        let error = error.to_string();
        let told = error.split(": cannot be written").next().unwrap_or(&error);
        if !notes.iter().any(|note| note.starts_with(told) && note.ends_with("is not kept")) {
            if options.results.json || stopped {
                eprintln_quietly(&format!("apportion: {error}"));
            }
            notes.push(format!("what was measured is not kept for later runs: {error}"));
        }
    }
    if stopped && outcome.runs.is_empty() {
        return Err(Failure::Work(format!("stopped; no record was written{kept}")));
    }
    notes.extend(stopped.then(|| STOPPED.to_owned()));
    notes.append(&mut outcome.missing);
    let mut from_history = Vec::new();
    for entry in &flags.workloads.loops {
        let by_history = |run: &Run| run.workload == entry.name && run.predicted_by > Some(PredictedBy::Description);
        // What was measured is not lost for a remark.
        if outcome.runs.iter().any(by_history)
            && let Ok(outline) = entry.outline_as(options.repeat.form, flags.size_of(entry.sizes), flags.element)
        {
            from_history.push(outline.sketch().kernel.name().to_owned());
        }
    }
    notes.extend(before.and_then(|history| older_history(&machine, &history, &from_history)));
    record.runs = outcome.runs;
    record.notes = notes;
    // A terminal that has the notes already does not get them again with the table.
    let told = if std::io::stdout().is_terminal() { &early[..] } else { &[] };
    let delivered = deliver(&record, told, &options.results);
    for failure in &outcome.failures {
        eprintln_quietly(&format!("FAILED: {failure}"));
    }
    match delivered {
        Ok(()) | Err(Failure::OutputClosed) if stopped => Err(Failure::Work(format!(
            "stopped; what is shown and written has only the workloads that were done{kept}"
        ))),
        // If standard output was closed, the exit status still tells that something failed.
        Ok(()) | Err(Failure::OutputClosed) if !outcome.failures.is_empty() => Err(Failure::Told),
        delivered => delivered,
    }
}

/// Runs all workloads; in `outcome` are those that were done, also where the program is stopped. One that cannot be run does not
/// cost the others; if none can, the first reason is the error.
fn all(
    harness: &Harness<'_>,
    options: &CompareOptions,
    scaling: &[ScalingKind],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let flags = &options.loops;
    let mut first = None;
    let mut ended = |name: &str, ran: Result<(), Failure>, outcome: &mut Outcome| match ran {
        Ok(()) => Ok(()),
        Err(Failure::Stopped) => Err(Failure::Stopped),
        Err(failure) => {
            outcome.failures.push(format!("{name}: {failure}"));
            outcome.missing.push(format!("{name} was not run, or not to its end: {failure}"));
            first.get_or_insert(failure);
            Ok(())
        }
    };
    for entry in &flags.workloads.loops {
        let ran = harness.workload(entry, flags.size_of(entry.sizes), outcome);
        ended(entry.name, ran, outcome)?;
    }
    for app in &flags.workloads.apps {
        let ran = match scaling {
            [] => harness.application(*app, options.steps, options.timeline, outcome),
            kinds => harness.scaling(*app, kinds, options.steps, outcome),
        };
        ended(app.name, ran, outcome)?;
    }
    match first {
        Some(failure) if outcome.runs.is_empty() => Err(failure),
        _ => Ok(()),
    }
}

/// Whether notes are told before the loops run: a user at a terminal need not wait for those, and JSON is for programs. Elsewhere
/// they stand above the table alone, so that a log of both outputs has each once.
fn tells_early(results: &ResultFlags) -> bool {
    results.json || std::io::stderr().is_terminal()
}

/// Whether flags for applications, and those for loops, would have an effect.
fn check_of_apps(options: &CompareOptions) -> Result<(), Failure> {
    let given = [
        ("--scaling", !options.scaling.is_empty()),
        ("--steps", options.steps.is_some()),
        ("--timeline", options.timeline),
    ];
    if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given && options.loops.workloads.apps.is_empty()) {
        return Err(Failure::Input(format!(
            "{flag}: is for applications in data regions, and --workloads names none: use `--workloads apps`, or name \
             some; `apportion compare --help` lists them"
        )));
    }
    let loops = &options.loops;
    let of_policies = [("--policies", !loops.policies.are_all()), ("--cutoff", loops.cutoff != Cutoff::None)];
    if let Some((flag, _)) = of_policies.into_iter().find(|(_, given)| *given && loops.workloads.loops.is_empty()) {
        return Err(Failure::Input(format!(
            "{flag}: is for loops, and --workloads names applications alone, which run in data regions, where no policy \
             applies: leave it out, or name a loop too; `apportion compare --help` lists them"
        )));
    }
    if options.timeline && options.results.out.is_none() && !options.results.json {
        return Err(Failure::Input(
            "--timeline: what devices do over time is in the record and in figures, not in the table: add --out DIR or \
             --json"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether there is a series to run.
fn check_scaling(flags: &LoopFlags, devices: usize) -> Result<(), Failure> {
    if devices < 2 {
        return Err(Failure::Input(format!(
            "--scaling: needs at least two devices, and --devices {} selects one",
            flags.devices.devices
        )));
    }
    Ok(())
}
