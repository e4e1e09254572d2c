//! `explain`: what each policy would do with a loop on a machine, what limits its time, what AUTO chooses and why. Nothing runs
//! and no array is allocated. Devices are opened only to find their rates in the history.

use crate::commands::{entries_of, older_history, width, with_only};
use crate::failure::{Failure, eprintln_quietly, output};
use crate::harness::{form_of, phases_ms};
use crate::options::{Chosen, ExplainOptions, check_file, command_line};
use apportion::model::{Machine, Overlap};
use apportion::runtime::{Runtime, explain_on};
use apportion::sched::{Explained, Explanation, PerIteration, Reason, Term, Verdict};
use apportion::space::{DeviceId, Slot};
use apportion::units::Seconds;
use apportion_cli::explained::{
    Alone, Auto, Chunk, DevicePart, ExplainRecord, IterationCost, LeftOutOf, Limit, LoopExplained, NotSimulated,
    PolicyExplained, SCHEMA, render,
};
use apportion_cli::figures::{self, Format};
use apportion_kernels::Entry;
use std::collections::BTreeMap;
use std::path::Path;

/// With more chunks than this a policy's timeline would fill the file.
const CHUNKS: u64 = 2000;

pub fn run(options: &ExplainOptions) -> Result<(), Failure> {
    let flags = &options.loops;
    let loops = flags.loops_alone("explain")?;
    let figure = options.out.as_deref().map(|path| figure_of(path, loops)).transpose()?;
    if figure.is_none() {
        options.width.refuse_without_place()?;
    }
    let Chosen { machine, devices: chosen, mut notes } = options.machine.choose(&flags.devices)?;
    let devices = entries_of(&machine, &chosen);
    let shared = machine.shared_rates();
    if let Some(path) = options.history.history.as_ref().filter(|path| !options.history.is_off() && !path.exists()) {
        notes.push(format!("history {}: is not there; `apportion compare` with it fills it", path.display()));
    }
    let known = known(options, &machine, &chosen, &mut notes);
    let mut record = ExplainRecord {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_line(),
        machine: machine.name.clone(),
        loops: Vec::new(),
        notes,
    };
    let mut from_history = Vec::new();
    for entry in loops {
        let outline = entry.outline_as(options.form, flags.size_of(entry.sizes), flags.element)?;
        let (sketch, policies) = (outline.sketch(), &flags.policies.0);
        let explanation = match &known {
            Some(runtime) => runtime.explain(&sketch, policies, flags.cutoff),
            None => explain_on(&devices, &shared, &sketch, policies, flags.cutoff, options.overlap.0),
        }
        .map_err(|error| Failure::Input(format!("{}: {error}", entry.name)))?;
        record.notes.extend(explanation.notes.iter().map(|note| format!("{}: {note}", entry.name)));
        let mut explained = of_loop(entry, outline.n(), &flags.cutoff.to_string(), &explanation);
        explained.form = Some(form_of(options.form));
        if !explained.from_history.is_empty() {
            from_history.push(sketch.kernel.name().to_owned());
        }
        record.loops.push(explained);
    }
    if let Some(history) = options.history.file().and_then(|file| file.load().ok()) {
        record.notes.extend(older_history(&machine, &history, &from_history));
    }
    if let Some((path, format)) = figure {
        if let [LoopExplained { policies, not_simulated, .. }] = &record.loops[..]
            && policies.is_empty()
            && let Some(NotSimulated { policy, reason }) = not_simulated.first()
        {
            return Err(Failure::Input(format!("--out {}: nothing to draw: {policy}: {reason}", path.display())));
        }
        let svg = figures::timelines(&record, options.width.width).map_err(|error| Failure::Work(error.to_string()))?;
        figures::save_as(&svg, path, format).map_err(|error| Failure::Work(error.to_string()))?;
        eprintln_quietly(&format!("the figure is in {}", path.display()));
    }
    if options.json {
        let text = serde_json::to_string_pretty(&record).map_err(|error| Failure::Work(error.to_string()))?;
        return output(&(text + "\n"));
    }
    output(&render(&record, width()))
}

/// The chosen devices with what the history knows of them; `None` if it knows nothing, or the devices are not here. The authors'
/// model knows no measured rates, so `--overlap none` uses none.
fn known(options: &ExplainOptions, machine: &Machine, chosen: &[DeviceId], notes: &mut Vec<String>) -> Option<Runtime> {
    let file = options.history.file().filter(|_| options.overlap.0 == Overlap::Full)?;
    let open = || {
        if file.load()?.is_empty() {
            return Ok(None);
        }
        // Frozen: nothing runs here, so nothing is learned.
        Runtime::from_machine(with_only(machine, chosen))
            .map(|runtime| Some(runtime.with_history(file.clone().frozen())))
    };
    open().unwrap_or_else(|error: apportion::Error| {
        notes.push(format!("rates from history are not used: {error}"));
        None
    })
}

/// The figure's file, and the format by its extension.
fn figure_of<'p>(path: &'p Path, loops: &[&Entry]) -> Result<(&'p Path, Format), Failure> {
    let wrong = |problem: String| Failure::Input(format!("--out {}: {problem}", path.display()));
    let [entry] = loops else {
        let many = loops.len();
        return Err(wrong(format!("a figure shows one workload, not {many}: name one with --workloads")));
    };
    // First, since a folder has no extension that could be wrong.
    check_file("--out", path, &format!("{}.svg", entry.name))?;
    let Some(extension) = path.extension() else {
        return Err(wrong("the end of its name says the format of the figure: .svg, .png or .pdf".to_owned()));
    };
    let format: Format = extension.to_string_lossy().parse().map_err(wrong)?;
    Ok((path, format))
}

fn of_loop(entry: &Entry, n: usize, cutoff: &str, explanation: &Explanation) -> LoopExplained {
    let names = &explanation.devices;
    LoopExplained {
        workload: entry.name.to_owned(),
        n: n as u64,
        iterations: explanation.iterations,
        cutoff: cutoff.to_owned(),
        form: None,
        per_iteration: Some(of_iteration(&explanation.per_iteration)),
        from_history: explanation.from_history.clone(),
        copies_from_history: explanation.copies_from_history.clone(),
        alone: names
            .iter()
            .zip(&explanation.alone)
            .map(|(device, time)| Alone { device: device.clone(), predicted_ms: time.millis() })
            .collect(),
        auto: of_auto(&explanation.auto, names),
        policies: explanation.policies.iter().map(|explained| of_policy(explained, explanation)).collect(),
        not_simulated: explanation
            .not_simulated
            .iter()
            .map(|(policy, reason)| NotSimulated { policy: policy.to_string(), reason: reason.clone() })
            .collect(),
    }
}

fn of_iteration(cost: &PerIteration) -> IterationCost {
    let PerIteration { flops, read, written, precision } = *cost;
    let (precision, words) = (precision.name().to_owned(), cost.to_string());
    IterationCost { flops, bytes_read: read, bytes_written: written, precision, words }
}

fn name(names: &[String], slot: Slot) -> String {
    names.get(slot.0).cloned().unwrap_or_default()
}

fn of_auto(verdict: &Verdict, names: &[String]) -> Auto {
    Auto {
        policy: verdict.policy.to_string(),
        devices: verdict.devices.iter().map(|&slot| name(names, slot)).collect(),
        predicted_ms: verdict.time.millis(),
        least_ms: verdict.least.millis(),
        least_policy: verdict.fastest.0.to_string(),
        least_devices: verdict.fastest.1,
        worth: verdict.worth.fraction(),
        left_out: verdict
            .left_out
            .iter()
            .map(|(slot, reason)| {
                let rule = match reason {
                    Reason::Cutoff(_) => "cutoff",
                    Reason::Late { .. } => "late",
                    Reason::Benefit { .. } => "benefit",
                };
                LeftOutOf { device: name(names, *slot), rule: Some(rule.to_owned()), reason: reason.to_string() }
            })
            .collect(),
        why: verdict.to_string(),
    }
}

fn of_policy(explained: &Explained, explanation: &Explanation) -> PolicyExplained {
    let names = &explanation.devices;
    let simulation = &explained.simulation;
    let all = simulation.devices.iter().map(|device| device.chunks).sum::<u64>();
    let ms = |time: Seconds| time.millis();
    let parts = simulation.devices.iter().zip(&explained.terms).zip(names).map(|((device, terms), name)| DevicePart {
        device: name.clone(),
        iterations: device.iterations,
        share: device.iterations as f64 / explanation.iterations.max(1) as f64,
        chunks: device.chunks,
        busy_ms: ms(device.busy),
        wait_ms: ms(device.wait),
        phases_ms: phases_ms(&device.phases),
        terms_ms: Term::ALL.iter().map(|&term| (term.name().to_owned(), ms(terms[term]))).collect::<BTreeMap<_, _>>(),
        dominant: terms.dominant().map(|term| term.name().to_owned()),
        timeline: device
            .records
            .iter()
            .filter(|_| all <= CHUNKS)
            .map(|chunk| {
                let [to, kernel, from] = chunk.stages.map(|(begin, end)| [ms(begin), ms(end)]);
                let iterations = [chunk.range.start, chunk.range.end];
                Chunk { iterations, start_ms: ms(chunk.start), end_ms: ms(chunk.end), to, kernel, from }
            })
            .collect(),
    });
    PolicyExplained {
        policy: explained.policy.to_string(),
        predicted_ms: ms(simulation.makespan),
        limit: explained.limit.map(|(slot, term)| Limit { device: name(names, slot), term: term.name().to_owned() }),
        imbalance: simulation.imbalance,
        per_device: parts.collect(),
        left_out: simulation
            .decision
            .left_out
            .iter()
            .map(|(slot, reason)| LeftOutOf { device: name(names, *slot), rule: None, reason: reason.clone() })
            .collect(),
        notes: simulation.decision.remarks(|slot| &names[slot.0]),
    }
}
