//! The record of a comparison: `record.json`, which other programs read.
//!
//! Its keys are stable. Unknown values are `null`, never left out and never zero; a file that lacks a key is refused. Keys that
//! this version does not know are ignored, so that a later version may add some. The keys [`Run::notes`], [`Run::memory`],
//! [`Run::form`], [`Run::scaling`], [`Run::timeline`], [`Run::alone_ms`], [`DeviceRun::alone_ms`],
//! [`DeviceRun::alone_times_ms`] and [`Record::notes`] may be absent.
//!
//! Times are in milliseconds, sizes in bytes, ratios (imbalance, efficiency, errors) are fractions of 1.

use crate::files::write_atomically;
use apportion::model::machine::{files, words};
use apportion::sched::imbalance;
use apportion::units::Seconds;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The value of the key `schema`.
pub const SCHEMA: &str = "apportion.record/1";

/// Runs of workloads under policies on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// When it was made (RFC 3339).
    pub created: jiff::Timestamp,
    /// Version of the program that made it.
    pub version: String,
    /// The command that made it, as typed.
    pub command: String,
    /// The machine: its description, and what was detected at run time.
    pub machine: Value,
    /// One entry for each workload, size, policy and so on, in the order in which they ran.
    pub runs: Vec<Run>,
    /// Remarks on the whole.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// One workload under one policy, repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Name of the workload.
    pub workload: String,
    /// Size of the workload, as `--n` takes it: for a matrix its rows, not the iterations of the loop.
    pub n: u64,
    /// Element type of the arrays: `f32`, `f64`.
    pub element: String,
    /// Whether the times are measured, emulated or simulated.
    pub mode: Mode,
    /// Where the arrays were before the loop.
    pub residency: Residency,
    /// The kind of host memory of the arrays; null if there were none.
    #[serde(default)]
    pub memory: Option<HostMemory>,
    /// How the kernels were written; null if none ran, and in older records, whose kernels were written by hand.
    #[serde(default)]
    pub form: Option<KernelForm>,
    /// The policy and its parameters.
    pub policy: PolicyUsed,
    /// The cutoff as the flag takes it: `none`, `share:15%`, `benefit:2%`.
    #[serde(deserialize_with = "required")]
    pub cutoff: Option<String>,
    /// Devices that took part or could have, by id.
    pub devices: Vec<String>,
    /// Devices that took no part, and why. Those left out of what follows their sample are in the notes.
    pub left_out: Vec<LeftOut>,
    /// Whether the result agreed with the sequential reference; null if nothing was computed.
    #[serde(deserialize_with = "required")]
    pub verified: Option<bool>,
    /// Largest relative difference from the reference.
    #[serde(deserialize_with = "required")]
    pub max_rel_error: Option<f64>,
    /// Time of each repetition, from call to return. Empty if the run failed, or could not be simulated.
    pub times_ms: Vec<f64>,
    /// The predicted time.
    #[serde(deserialize_with = "required")]
    pub predicted_ms: Option<f64>,
    /// What the predicted time follows from; absent where nothing was predicted, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_by: Option<PredictedBy>,
    /// (slowest device's busy time - mean busy time) / mean busy time.
    #[serde(deserialize_with = "required")]
    pub imbalance: Option<f64>,
    /// (sum over devices of 1/T_alone)^-1 divided by the time achieved.
    #[serde(deserialize_with = "required")]
    pub efficiency: Option<f64>,
    /// Time of the whole loop on each device alone; null if it did not run or gave a wrong result. Empty if no device ran alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub alone_ms: BTreeMap<String, Option<f64>>,
    /// What each device did, in the repetition with the median time (the lower one of two).
    pub per_device: Vec<DeviceRun>,
    /// The place in a series over numbers of devices, if it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
    /// What the devices did over time, in a separate run that was timed loop by loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<TimeLine>,
    /// Remarks: the rule that AUTO followed, a device that was lost or left out of the rest, the reason of a failure.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A place in a series of runs over numbers of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scaling {
    /// What stays the same.
    pub kind: ScalingKind,
    /// Number of devices.
    pub devices: u64,
    /// The arrays have this many times as many rows as [`Run::n`] says.
    pub times: u64,
}

/// What stays the same while the number of devices grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScalingKind {
    /// The arrays.
    Strong,
    /// Each device's part of them.
    Weak,
}

impl ScalingKind {
    /// Its name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Weak => "weak",
        }
    }
}

impl std::str::FromStr for ScalingKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::Strong, Self::Weak].into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| format!("there is no scaling `{text}`; there are strong, weak"))
    }
}

/// What devices did over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeLine {
    /// The devices, by id.
    pub devices: Vec<String>,
    /// Consecutive windows, from the second loop on.
    pub windows: Vec<TimeWindow>,
}

/// Some consecutive loops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeWindow {
    /// Loops of the time line before it.
    pub first: u64,
    /// Loops in it.
    pub loops: u64,
    /// From the end of the loop before to the end of its last loop.
    pub time_ms: f64,
    /// Rows of each device in its last loop.
    pub rows: Vec<u64>,
    /// How long each device ran kernels.
    pub busy_ms: Vec<f64>,
    /// How long ghost cells were on their way to each device; that overlaps the kernels.
    pub exchange_ms: Vec<f64>,
    /// The rest of the window's time, for each device.
    pub wait_ms: Vec<f64>,
}

impl TimeWindow {
    /// (slowest device's busy time - mean) / mean, over the devices that have rows; `None` if no time is known.
    pub fn imbalance(&self) -> Option<f64> {
        let busy = self.rows.iter().zip(&self.busy_ms).filter(|(rows, _)| **rows > 0).map(|(_, busy)| *busy);
        // A ratio: the unit does not matter.
        busy.clone().any(|ms| ms > 0.0).then(|| imbalance(busy.map(Seconds)))
    }
}

/// What a prediction follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PredictedBy {
    /// The machine description alone.
    Description,
    /// Rates from the history for some devices, the description for the others.
    Both,
    /// Rates from the history for all devices.
    History,
    /// Times of such loops as a whole, from the history.
    Loops,
}

impl PredictedBy {
    /// A word for a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Both => "both",
            Self::History => "history",
            Self::Loops => "loops",
        }
    }
}

/// The origin of the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Measured on real devices.
    Real,
    /// Measured, with at least one emulated device.
    Emulated,
    /// Computed in virtual time from a machine description.
    Simulated,
}

/// Where the arrays were before the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Residency {
    /// In the host's memory: copies count.
    Cold,
    /// On the devices, in a data region.
    Resident,
}

/// How a kernel was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KernelForm {
    /// A host body, OpenCL C and CUDA C, each by hand.
    Hand,
    /// One Rust function, by `#[kernel]`.
    Single,
}

/// Kinds of host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostMemory {
    /// All arrays were page-locked: devices copied them at full speed.
    PageLocked,
    /// Not all were page-locked: not asked for, or no device to lock them for.
    Plain,
}

/// A policy, as it ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyUsed {
    /// Its name in the list of policies: `SCHED_DYNAMIC`.
    pub name: String,
    /// Its parameters, besides the name: `"chunk": "2%"`. `chosen` is the policy that AUTO chose.
    #[serde(flatten)]
    pub parameters: BTreeMap<String, Value>,
}

/// A device that took no part: it ran no iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its id.
    pub device: String,
    /// Why, in a few words.
    pub reason: String,
}

/// What one device did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRun {
    /// Its id.
    pub device: String,
    /// Iterations it ran.
    pub iterations: u64,
    /// Chunks they came in.
    pub chunks: u64,
    /// Bytes copied to it.
    #[serde(deserialize_with = "required")]
    pub bytes_to: Option<u64>,
    /// Bytes copied from it.
    #[serde(deserialize_with = "required")]
    pub bytes_from: Option<u64>,
    /// Time in each phase. Phases of different chunks overlap: the sum may exceed the time of the run.
    pub phases_ms: PhasesMs,
    /// Time of the whole loop on this device alone.
    #[serde(default)]
    pub alone_ms: Option<f64>,
    /// Times of the repetitions whose median that is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone_times_ms: Vec<f64>,
}

/// Milliseconds in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhasesMs {
    /// Set-up: compiling, allocating, copying replicated arrays.
    #[serde(deserialize_with = "required")]
    pub init: Option<f64>,
    /// Copies to the device.
    #[serde(deserialize_with = "required")]
    pub to: Option<f64>,
    /// The loop itself.
    #[serde(deserialize_with = "required")]
    pub kernel: Option<f64>,
    /// Halos to and from other devices.
    #[serde(deserialize_with = "required")]
    pub exchange: Option<f64>,
    /// Copies from the device.
    #[serde(deserialize_with = "required")]
    pub from: Option<f64>,
    /// Clean-up, partial reductions.
    #[serde(deserialize_with = "required")]
    pub fini: Option<f64>,
    /// Waiting for the other devices.
    #[serde(deserialize_with = "required")]
    pub wait: Option<f64>,
}

impl PhasesMs {
    /// The names of the phases, in the order in which a chunk goes through them.
    pub const NAMES: [&'static str; 7] = ["init", "to", "kernel", "exchange", "from", "fini", "wait"];

    /// The times, in the order of [`PhasesMs::NAMES`].
    pub fn values(&self) -> [Option<f64>; 7] {
        [self.init, self.to, self.kernel, self.exchange, self.from, self.fini, self.wait]
    }
}

/// Accepts null for unknown, but requires the key: serde alone would treat an absent key as null.
fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Why a record could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error("cannot read the record {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The text is no JSON.
    #[error("{from}, line {line}, column {column}: {what}")]
    Syntax {
        /// The file, or "the record".
        from: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The text is JSON, but no record of this version.
    #[error("{from}: key `schema` is {found}, this program reads {SCHEMA:?}")]
    Schema {
        /// The file, or "the record".
        from: String,
        /// The value found.
        found: String,
    },
    /// A key is missing or its value is wrong.
    #[error("{from}: {}{what}", place(.key))]
    Content {
        /// The file, or "the record".
        from: String,
        /// Path of the key: `runs[3].times_ms[0]`.
        key: String,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The file cannot be written; the previous contents are unchanged.
    #[error("cannot write the record {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}

impl Record {
    /// An empty record, made now by this version of the program.
    pub fn new(command: impl Into<String>, machine: Value) -> Self {
        let now = jiff::Timestamp::now();
        Self {
            schema: SCHEMA.into(),
            // To the second, which is precise enough and easier to read.
            created: jiff::Timestamp::from_second(now.as_second()).unwrap_or(now),
            version: env!("CARGO_PKG_VERSION").into(),
            command: command.into(),
            machine,
            runs: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Reads a record from a file.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`], and those of [`Record::from_json`] with the file's name.
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let bytes = files::read_whole(path).map_err(|source| RecordError::Read { path: path.into(), source })?;
        Self::parse(&bytes, &path.display().to_string())
    }

    /// Reads a record from its text.
    ///
    /// # Errors
    ///
    /// [`RecordError::Syntax`], [`RecordError::Schema`], [`RecordError::Content`].
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        Self::parse(text.as_bytes(), "the record")
    }

    fn parse(bytes: &[u8], from: &str) -> Result<Self, RecordError> {
        let syntax = |error: serde_json::Error| RecordError::Syntax {
            from: from.into(),
            line: error.line(),
            column: error.column(),
            what: match error.classify() {
                serde_json::error::Category::Eof => "the file ends in the middle of the record; is it complete?".into(),
                _ => format!("this is no JSON: {}", without_position(&error)),
            },
        };
        // Check the schema first: another version may have other keys.
        let value: Value = serde_json::from_slice(bytes).map_err(syntax)?;
        match value.get("schema") {
            Some(Value::String(schema)) if schema == SCHEMA => {}
            found => {
                let found = found.map_or_else(|| "missing".into(), |value| value.to_string());
                return Err(RecordError::Schema { from: from.into(), found });
            }
        }
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let record: Self = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
            let key = error.path().to_string();
            let what = words::plainly(&without_position(error.inner()));
            let what =
                what.strip_prefix("missing field ").map_or(what.clone(), |missing| format!("lacks the key {missing}"));
            RecordError::Content { from: from.into(), key, what }
        })?;
        record.check(from)?;
        Ok(record)
    }

    /// The record as JSON text, indented, with a line end.
    ///
    /// # Errors
    ///
    /// [`RecordError::Content`] for a number that JSON cannot hold, or a time below zero.
    pub fn to_json(&self) -> Result<String, RecordError> {
        self.check("the record")?;
        let mut text = serde_json::to_string_pretty(self).map_err(|error| RecordError::Content {
            from: "the record".into(),
            key: ".".into(),
            what: error.to_string(),
        })?;
        text.push('\n');
        Ok(text)
    }

    /// Writes the record to a file, completely or not at all.
    ///
    /// # Errors
    ///
    /// Those of [`Record::to_json`], and [`RecordError::Write`].
    pub fn save(&self, path: &Path) -> Result<(), RecordError> {
        let text = self.to_json()?;
        write_atomically(path, text.as_bytes()).map_err(|source| RecordError::Write { path: path.into(), source })
    }

    /// Checks what the types leave open: numbers are finite, times are not below zero.
    fn check(&self, from: &str) -> Result<(), RecordError> {
        for (index, run) in self.runs.iter().enumerate() {
            let mut numbers: Vec<(String, f64)> = Vec::new();
            numbers.extend(run.times_ms.iter().enumerate().map(|(i, &time)| (format!("times_ms[{i}]"), time)));
            let ratios = [
                ("max_rel_error", run.max_rel_error),
                ("predicted_ms", run.predicted_ms),
                ("imbalance", run.imbalance),
                ("efficiency", run.efficiency),
            ];
            numbers.extend(ratios.into_iter().filter_map(|(key, value)| Some((key.into(), value?))));
            numbers.extend(run.alone_ms.iter().filter_map(|(of, time)| Some((format!("alone_ms.{of}"), (*time)?))));
            for (i, device) in run.per_device.iter().enumerate() {
                let phases = PhasesMs::NAMES.into_iter().zip(device.phases_ms.values());
                numbers.extend(
                    phases.filter_map(|(name, value)| Some((format!("per_device[{i}].phases_ms.{name}"), value?))),
                );
                numbers.extend(device.alone_ms.map(|time| (format!("per_device[{i}].alone_ms"), time)));
                let alone = device.alone_times_ms.iter().enumerate();
                numbers.extend(alone.map(|(k, time)| (format!("per_device[{i}].alone_times_ms[{k}]"), *time)));
            }
            let windows = run.timeline.iter().flat_map(|timeline| timeline.windows.iter().map(move |w| (timeline, w)));
            for (i, (timeline, window)) in windows.enumerate() {
                let key = |what: &str| format!("timeline.windows[{i}].{what}");
                let lists = [&window.busy_ms, &window.exchange_ms, &window.wait_ms].map(Vec::len);
                if lists.into_iter().chain([window.rows.len()]).any(|len| len != timeline.devices.len()) {
                    return Err(RecordError::Content {
                        from: from.into(),
                        key: format!("runs[{index}].{}", key("rows")),
                        what: format!("lists that are not as long as that of the {} devices", timeline.devices.len()),
                    });
                }
                numbers.push((key("time_ms"), window.time_ms));
                numbers.extend(window.busy_ms.iter().map(|&ms| (key("busy_ms"), ms)));
                numbers.extend(window.exchange_ms.iter().map(|&ms| (key("exchange_ms"), ms)));
                numbers.extend(window.wait_ms.iter().map(|&ms| (key("wait_ms"), ms)));
            }
            if let Some((key, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite() || *value < 0.0) {
                return Err(RecordError::Content {
                    from: from.into(),
                    key: format!("runs[{index}].{key}"),
                    what: format!("{value} where a number from 0 up is expected (or null, if unknown)"),
                });
            }
            if run.policy.parameters.contains_key("name") {
                return Err(RecordError::Content {
                    from: from.into(),
                    key: format!("runs[{index}].policy"),
                    what: "a parameter is called `name`, as is the key of the policy's own name".into(),
                });
            }
        }
        Ok(())
    }
}

/// Where a key is; nothing for the whole record.
fn place(key: &str) -> String {
    if key == "." { String::new() } else { format!("at `{key}`: ") }
}

/// serde_json's message without its "at line 3 column 7": we add the position ourselves, or the key's path shows it.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text[..end].into(),
        None => text,
    }
}
