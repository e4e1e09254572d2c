//! A history as text: JSON with one line per kernel and device.

use super::{ArrayMemory, Cell, Company, History, Key, Sample, Shape, Stage, Table, is_sample};
use crate::element::Precision;
use crate::units::Seconds;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

/// The version of the text that this program writes.
pub const SCHEMA: &str = "apportion.history/2";
/// The version before, which is read too. It has milliseconds in place of microseconds.
const BEFORE: &str = "apportion.history/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: String,
    entries: Vec<EntryText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "hexadecimal")]
    code: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<u64>,
    precision: PrecisionText,
    device: String,
    memory: ArrayMemory,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    loops: Vec<TableText>,
}

/// 16 hexadecimal digits, as most JSON readers round 64-bit numbers.
mod hexadecimal {
    use serde::de::{Deserializer, Error, Unexpected, Visitor};
    use serde::ser::Serializer;
    use std::fmt;

    pub fn serialize<S: Serializer>(code: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        match code {
            Some(code) => serializer.collect_str(&format_args!("{code:016x}")),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        deserializer.deserialize_str(Digits).map(Some)
    }

    struct Digits;

    impl Visitor<'_> for Digits {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("16 hexadecimal digits")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
            let is_code = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = if is_code { u64::from_str_radix(text, 16).ok() } else { None };
            code.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PrecisionText {
    F32,
    F64,
    U8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableText {
    flops: f64,
    memory_bytes: f64,
    in_bytes: f64,
    out_bytes: f64,
    replicated_bytes: u64,
    halo_bytes: u64,
    shared_devices: u32,
    discrete_devices: u32,
    octave: u32,
    once: Vec<SampleText>,
    to: Vec<SampleText>,
    run: Vec<SampleText>,
    from: Vec<SampleText>,
}

/// Microseconds since 1970, iterations, seconds, cold.
type SampleText = (u64, u64, f64, bool);

impl History {
    /// Reads a history.
    ///
    /// # Errors
    /// The path of the wrong key, what is wrong, and what would be right.
    pub fn from_json(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err(format!("is empty; a history starts with {{\"schema\": \"{SCHEMA}\", ..}}"));
        }
        // Read only the version first, so that another version is not reported as a list of wrong keys.
        #[derive(Deserialize)]
        struct Version {
            schema: Option<serde_json::Value>,
        }
        let version: Version = serde_json::from_str(text).map_err(|error| {
            format!("{}: {error}", if error.is_eof() { "is truncated" } else { "is no JSON object" })
        })?;
        let micros = match version.schema {
            Some(found) if found == SCHEMA => 1,
            Some(found) if found == BEFORE => 1000,
            Some(found) => return Err(format!("at `schema`: this file says {found}, this program reads \"{SCHEMA}\"")),
            None => return Err(format!("at `schema`: is missing; this program reads \"{SCHEMA}\"")),
        };
        let mut reader = serde_json::Deserializer::from_str(text);
        let document: Document = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| format!("at `{}`: {}", error.path(), error.inner()))?;
        let mut history = Self::default();
        for (position, entry) in document.entries.into_iter().enumerate() {
            let precision = match entry.precision {
                PrecisionText::F32 => Precision::F32,
                PrecisionText::F64 => Precision::F64,
                PrecisionText::U8 => Precision::U8,
            };
            let key = Key {
                kernel: entry.kernel.map(Arc::from),
                code: entry.code,
                block: entry.block,
                precision,
                device: entry.device.into(),
                memory: entry.memory,
                policy: entry.policy.map(Arc::from),
                host: entry.host.map(Arc::from),
            };
            for (place, table) in entry.loops.into_iter().enumerate() {
                let table = read_table(&table, micros)
                    .map_err(|(key, why)| format!("at `entries[{position}].loops[{place}].{key}`: {why}"))?;
                history.add_table(&key, &table);
            }
        }
        Ok(history)
    }

    /// The history as text, with a newline at its end.
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\"schema\": \"{SCHEMA}\", \"entries\": [");
        for (position, (key, entry)) in self.entries.iter().enumerate() {
            let entry = EntryText {
                kernel: key.kernel.as_deref().map(str::to_owned),
                code: key.code,
                block: key.block,
                precision: match key.precision {
                    Precision::F32 => PrecisionText::F32,
                    Precision::F64 => PrecisionText::F64,
                    Precision::U8 => PrecisionText::U8,
                },
                device: key.device.to_string(),
                memory: key.memory,
                policy: key.policy.as_deref().map(str::to_owned),
                host: key.host.as_deref().map(str::to_owned),
                loops: entry.tables.values().map(table_text).collect(),
            };
            // Strings, and numbers that were checked when they came in: JSON can represent them all.
            let line = serde_json::to_string(&entry).unwrap_or_default();
            let _ = write!(text, "{}\n{line}", if position > 0 { "," } else { "" });
        }
        text.push_str("\n]}\n");
        text
    }
}

fn table_text(table: &Table) -> TableText {
    let sample = |s: &Sample| (s.at, s.n, s.time.0, s.cold);
    let [to, run, from] = table.stages.each_ref().map(|stage: &Stage| stage.samples().map(sample).collect());
    let Table { shape, company, octave, once, .. } = table;
    TableText {
        flops: shape.flops,
        memory_bytes: shape.memory_bytes,
        in_bytes: shape.aligned_in,
        out_bytes: shape.aligned_out,
        replicated_bytes: shape.replicated,
        halo_bytes: shape.halo,
        shared_devices: company.shared,
        discrete_devices: company.discrete,
        octave: *octave,
        once: once.samples.iter().map(sample).collect(),
        to,
        run,
        from,
    }
}

/// The table, or the wrong key and the reason. Its times are in units of `micros` microseconds.
fn read_table(text: &TableText, micros: u64) -> Result<Table, (String, String)> {
    let figures = [
        ("flops", text.flops),
        ("memory_bytes", text.memory_bytes),
        ("in_bytes", text.in_bytes),
        ("out_bytes", text.out_bytes),
    ];
    if let Some((key, value)) = figures.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
        return Err((key.to_owned(), format!("{value} is no amount per iteration; it is a number of at least 0")));
    }
    if text.octave > 63 {
        return Err(("octave".to_owned(), format!("{} is past 63: no loop is so long", text.octave)));
    }
    let samples = |key: &str, text: &[SampleText]| {
        let read = |(position, &(at, n, seconds, cold)): (usize, &SampleText)| {
            let sample = Sample { at: at.saturating_mul(micros), n, time: Seconds(seconds), cold };
            let wrong = || {
                let why = "a sample is [microseconds since 1970, at least 1 iteration, at least 1e-12 and less than 1e9 seconds, cold or not]";
                (format!("{key}[{position}]"), format!("{n} iterations in {seconds} s; {why}"))
            };
            is_sample(&sample).then_some(sample).ok_or_else(wrong)
        };
        text.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()
    };
    let stage = |key: &str, text: &[SampleText]| {
        let mut stage = Stage::default();
        samples(key, text)?.into_iter().for_each(|sample| stage.add(sample));
        Ok::<_, (String, String)>(stage)
    };
    let mut once = Cell::default();
    once.add(&samples("once", &text.once)?);
    Ok(Table {
        shape: Shape {
            flops: text.flops,
            memory_bytes: text.memory_bytes,
            aligned_in: text.in_bytes,
            aligned_out: text.out_bytes,
            replicated: text.replicated_bytes,
            halo: text.halo_bytes,
        },
        company: Company { shared: text.shared_devices, discrete: text.discrete_devices },
        octave: text.octave,
        once,
        stages: [stage("to", &text.to)?, stage("run", &text.run)?, stage("from", &text.from)?],
    })
}
