//! The result of `explain`: its JSON, and the same as text.

use crate::grouping::with_spaces;
use crate::record::{KernelForm, PhasesMs};
use crate::remarks::Remark;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version of this file's format.
pub const SCHEMA: &str = "apportion.explain/1";

/// What `explain --json` prints; `docs/explain.md` says what each key is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct ExplainRecord {
    pub schema: String,
    pub version: String,
    pub command: String,
    pub machine: String,
    pub loops: Vec<LoopExplained>,
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A workload of a given size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct LoopExplained {
    pub workload: String,
    pub n: u64,
    pub iterations: u64,
    pub cutoff: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub form: Option<KernelForm>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_iteration: Option<IterationCost>,
    #[serde(default)]
    pub from_history: Vec<String>,
    #[serde(default)]
    pub copies_from_history: Vec<String>,
    pub alone: Vec<Alone>,
    pub auto: Auto,
    pub policies: Vec<PolicyExplained>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub not_simulated: Vec<NotSimulated>,
}

/// A policy that could not be simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct NotSimulated {
    pub policy: String,
    pub reason: String,
}

/// The cost of an iteration, as the kernel states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct IterationCost {
    pub flops: f64,
    pub bytes_read: f64,
    pub bytes_written: f64,
    pub precision: String,
    pub words: String,
}

/// The whole loop on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct Alone {
    pub device: String,
    pub predicted_ms: f64,
}

/// AUTO's choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct Auto {
    pub policy: String,
    pub devices: Vec<String>,
    pub predicted_ms: f64,
    pub least_ms: f64,
    pub least_policy: String,
    pub least_devices: usize,
    pub worth: f64,
    pub left_out: Vec<LeftOutOf>,
    pub why: String,
}

/// A device that gets nothing, or nothing after its sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct LeftOutOf {
    pub device: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule: Option<String>,
    pub reason: String,
}

/// One policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct PolicyExplained {
    pub policy: String,
    pub predicted_ms: f64,
    pub limit: Option<Limit>,
    pub imbalance: f64,
    pub per_device: Vec<DevicePart>,
    pub left_out: Vec<LeftOutOf>,
    pub notes: Vec<String>,
}

/// What limits a policy's time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct Limit {
    pub device: String,
    pub term: String,
}

/// A device under a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct DevicePart {
    pub device: String,
    pub iterations: u64,
    pub share: f64,
    pub chunks: u64,
    pub busy_ms: f64,
    pub wait_ms: f64,
    pub phases_ms: PhasesMs,
    pub terms_ms: BTreeMap<String, f64>,
    pub dominant: Option<String>,
    pub timeline: Vec<Chunk>,
}

/// A chunk of a device's timeline: its start and end, and those of each phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/explain.md has a line for each key")]
pub struct Chunk {
    pub iterations: [u64; 2],
    pub start_ms: f64,
    pub end_ms: f64,
    pub to: [f64; 2],
    pub kernel: [f64; 2],
    pub from: [f64; 2],
}

/// Three digits and a suitable unit.
pub fn time(ms: f64) -> String {
    apportion::units::Seconds(ms * 1e-3).to_string()
}

/// The text for a term's key.
fn words(term: &str) -> &str {
    match term {
        "set_up" => "set-up",
        "link_in" => "link in",
        "kernel_flops" => "kernel flops",
        "kernel_memory" => "kernel memory",
        "link_out" => "link out",
        "latency" => "launch, latency",
        other => other,
    }
}

/// The tables of all loops; text lines are about `width` characters long.
pub fn render(record: &ExplainRecord, width: usize) -> String {
    let mut text = format!("{} (apportion {})\n", record.command, record.version);
    // Whose rates are from the history is said at each loop.
    for note in record.notes.iter().filter(|note| !note.contains(": rates from history: ")) {
        wrapped(&mut text, &format!("note: {note}"), width);
    }
    for explained in &record.loops {
        a_loop(&mut text, record, explained, width);
    }
    // A name may contain anything, even a terminal's control characters.
    text.chars().map(|c| if c.is_control() && c != '\n' { '?' } else { c }).collect()
}

fn a_loop(text: &mut String, record: &ExplainRecord, explained: &LoopExplained, width: usize) {
    let LoopExplained { workload, n, iterations, cutoff, auto, .. } = explained;
    let (n, iterations) = (with_spaces(*n), with_spaces(*iterations));
    let _ = writeln!(text, "\n{workload}   n = {n}, {iterations} iterations, on {}, cutoff {cutoff}", record.machine);
    if let Some(cost) = &explained.per_iteration {
        let whose = match explained.form {
            Some(KernelForm::Single) => "derived from one Rust function",
            _ => "stated by hand",
        };
        let _ = writeln!(text, "per iteration: {}, {whose}", cost.words);
    }
    wrapped(text, &rates(explained), width);
    text.push('\n');
    let mut rows =
        vec![["policy", "time", "device", "share", "chunks", "busy", "in", "run", "out", "mostly"].map(String::from)];
    for policy in &explained.policies {
        let mut first = true;
        for part in policy.per_device.iter().filter(|part| part.iterations > 0) {
            let phase = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), time);
            let named = |value: String| if first { value } else { String::new() };
            let last = policy.limit.as_ref().is_some_and(|limit| limit.device == part.device);
            rows.push([
                named(policy.policy.clone()),
                named(time(policy.predicted_ms)),
                format!("{}{}", part.device, if last { " <" } else { "" }),
                format!("{:.1} %", 100.0 * part.share),
                part.chunks.to_string(),
                time(part.busy_ms),
                phase(part.phases_ms.to),
                phase(part.phases_ms.kernel),
                phase(part.phases_ms.from),
                part.dominant.as_deref().map_or("-", words).to_owned(),
            ]);
            first = false;
        }
    }
    table(text, &rows);
    text.push('\n');
    for NotSimulated { policy, reason } in &explained.not_simulated {
        wrapped(text, &format!("{policy} is not simulated: {reason}"), width);
    }
    for policy in explained.policies.iter().filter(|policy| policy.policy != "AUTO") {
        for (devices, reason) in left_out(&policy.left_out) {
            wrapped(text, &format!("{} leaves out {devices}: {reason}", policy.policy), width);
        }
    }
    let alone: Vec<_> =
        explained.alone.iter().map(|alone| format!("{} {}", alone.device, time(alone.predicted_ms))).collect();
    wrapped(text, &format!("One device alone: {}", alone.join(", ")), width);
    chosen(text, auto, width);
    for (devices, reason) in left_out(&auto.left_out) {
        wrapped(text, &format!("  without {devices}: {reason}"), width);
    }
    text.push_str("\n< is done last. Phases overlap; `mostly` is what takes longest of a device's time.\n");
}

/// What AUTO chooses, and on which devices.
fn chosen(text: &mut String, auto: &Auto, width: usize) {
    let of_several = format!("{}: on 1 of {} devices", auto.policy, 1 + auto.left_out.len());
    match (&auto.devices[..], auto.why.strip_prefix(&of_several)) {
        ([device], Some(why)) => wrapped(text, &format!("AUTO chooses {} on {device} alone:{why}", auto.policy), width),
        (devices, _) => {
            wrapped(text, &format!("AUTO chooses {}", auto.why), width);
            wrapped(text, &format!("  on {}", devices.join(", ")), width);
        }
    }
}

/// Where the rates of the devices are from.
fn rates(explained: &LoopExplained) -> String {
    let known = &explained.from_history;
    let devices = explained.alone.iter().map(|alone| alone.device.as_str());
    let others: Vec<_> = devices.filter(|device| !known.iter().any(|name| name == device)).collect();
    let mut text = match (known.is_empty(), others.is_empty()) {
        (true, _) => "rates: from the machine description".to_owned(),
        (_, true) => "rates: from the history, for all devices".to_owned(),
        _ => format!(
            "rates: from the history for {}; from the machine description for {}",
            known.join(", "),
            others.join(", ")
        ),
    };
    if !explained.copies_from_history.is_empty() {
        let _ =
            write!(text, "; copies of other kernels from the history for {}", explained.copies_from_history.join(", "));
    }
    text
}

fn table(text: &mut String, rows: &[[String; 10]]) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    for row in rows {
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        let left = matches!(index, 0 | 2 | 9);
        column.set_cell_alignment(if left { CellAlignment::Left } else { CellAlignment::Right });
        column.set_padding((0, 2));
    }
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Devices that are left out, and why: those for the same reason together.
fn left_out(all: &[LeftOutOf]) -> Vec<(String, String)> {
    let remarks = all.iter().map(|out| Remark::left_out(0, &out.device, &out.reason));
    Remark::merged(remarks).iter().map(Remark::devices_and_reason).collect()
}

/// Lines of at most `width` characters, broken between words; all but the first are indented.
fn wrapped(text: &mut String, line: &str, width: usize) {
    let indent = line.len() - line.trim_start().len();
    let mut used = 0;
    for word in line.split_whitespace() {
        let length = word.chars().count();
        if used == 0 {
            let _ = write!(text, "{:indent$}{word}", "");
            used = indent + length;
        } else if used + 1 + length > width {
            let _ = write!(text, "\n{:1$}{word}", "", indent + 4);
            used = indent + 4 + length;
        } else {
            let _ = write!(text, " {word}");
            used += 1 + length;
        }
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_auto_chooses_alone_is_named_in_its_sentence() {
        let said = |devices: &[&str], others: usize, why: &str| {
            let out = serde_json::json!({"device": "other", "reason": "slow"});
            let auto = serde_json::json!({
                "policy": "BLOCK", "devices": devices, "predicted_ms": 1.0, "least_ms": 1.0, "least_policy": "BLOCK",
                "least_devices": 1, "worth": 0.0, "left_out": vec![out; others], "why": why
            });
            let mut text = String::new();
            chosen(&mut text, &serde_json::from_value(auto).unwrap(), 120);
            text
        };
        let alone = said(&["host"], 1, "BLOCK: on 1 of 2 devices its measured time of 1.00 ms is the least");
        assert_eq!(alone, "AUTO chooses BLOCK on host alone: its measured time of 1.00 ms is the least\n");
        let two = said(&["host", "cl"], 1, "BLOCK: on 2 of 3 devices its simulated time of 1.00 ms is the least");
        assert!(two.contains("on 2 of 3 devices") && two.ends_with("\n  on host, cl\n"), "{two}");
        assert!(said(&["host"], 0, "BLOCK: its simulated time of 1.00 ms is the least").ends_with("\n  on host\n"));
    }

    #[test]
    fn each_device_is_said_to_go_by_the_history_or_by_the_description() {
        let auto = serde_json::json!({
            "policy": "BLOCK", "devices": [], "predicted_ms": 1.0, "least_ms": 1.0, "least_policy": "BLOCK",
            "least_devices": 1, "worth": 0.0, "left_out": [], "why": ""
        });
        let explained = |known: &[&str], copies: &[&str]| -> LoopExplained {
            serde_json::from_value(serde_json::json!({
                "workload": "axpy", "n": 1, "iterations": 1, "cutoff": "none", "from_history": known,
                "copies_from_history": copies, "auto": auto,
                "alone": [{"device": "host", "predicted_ms": 1.0}, {"device": "cuda:0", "predicted_ms": 1.0}], "policies": []
            }))
            .unwrap()
        };
        for (known, copies, shown) in [
            (&[][..], &[][..], "rates: from the machine description"),
            (&["host"], &[], "rates: from the history for host; from the machine description for cuda:0"),
            (&["host", "cuda:0"], &[], "rates: from the history, for all devices"),
            (
                &[],
                &["cuda:0"],
                "rates: from the machine description; copies of other kernels from the history for cuda:0",
            ),
        ] {
            assert_eq!(rates(&explained(known, copies)), shown);
        }
    }
}
