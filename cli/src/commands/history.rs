//! `history`: the recorded times of loops on this machine's devices, kept for later loops.

use crate::failure::{Failure, output};
use crate::options::{HistoryAction, HistoryFilter, HistoryOptions, check_file};
use apportion::model::History;
use apportion::model::history::{Key, Line, Table as Loops};
use apportion::runtime::HistoryFile;
use apportion_cli::grouping::three_digits;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write as _;
use std::path::Path;

/// The label of a device's link, in place of a kernel's name.
const LINK: &str = "(link)";

pub fn run(options: &HistoryOptions) -> Result<(), Failure> {
    let file = options.history.file().ok_or_else(|| {
        Failure::Input(
            "the history is off (`--history off`, or APPORTION_HISTORY, or no home folder): name its file with --history \
             FILE"
                .to_owned(),
        )
    })?;
    match &options.action {
        HistoryAction::Show { filter, json } => {
            let history = file.load()?;
            let rows: Vec<_> = history.tables().filter(|(key, _)| filter.matches(key)).collect();
            output(&if *json { as_json(&file, &rows) } else { as_text(&file, &history, &rows) })
        }
        HistoryAction::Path => output(&format!("{}\n", file.path().display())),
        HistoryAction::Clear { filter } => clear(&file, filter),
        HistoryAction::Export { to } => {
            check_file("export", to, "history.json")?;
            let history = file.load()?;
            if history.is_empty() {
                return Err(Failure::Input(format!(
                    "history {}: knows nothing yet; `apportion compare` fills it",
                    file.path().display()
                )));
            }
            HistoryFile::at(to).save(&history)?;
            output(&format!("{} in {}\n", amount(&history), to.display()))
        }
        HistoryAction::Import { from } => import(&file, from),
    }
}

fn amount(history: &History) -> String {
    let kernels = history.keys().filter(|key| key.kernel.is_some()).count();
    format!("{kernels} kernel{} on devices", if kernels == 1 { "" } else { "s" })
}

fn clear(file: &HistoryFile, filter: &HistoryFilter) -> Result<(), Failure> {
    let path = file.path().display();
    if filter.is_empty() {
        // Remove the file even if it cannot be read.
        return match std::fs::remove_file(file.path()) {
            Ok(()) => output(&format!("{path} is removed\n")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => output(&format!("{path} is not there\n")),
            Err(error) => Err(Failure::Work(format!("history {path}: cannot be removed: {error}"))),
        };
    }
    let mut history = file.load()?;
    let before = history.keys().count();
    if !history.keys().any(|key| filter.matches(key)) {
        let mut known: Vec<_> = history.keys().map(|key| format!("  {} on {}", kernel(key), key.device)).collect();
        known.dedup();
        let known = if known.is_empty() { "  nothing".to_owned() } else { known.join("\n") };
        return Err(Failure::Input(format!("history {path}: nothing matches; it knows\n{known}")));
    }
    history.retain(|key| !filter.matches(key));
    file.save(&history)?;
    output(&format!("{} of {before} entries are removed from {path}\n", before - history.keys().count()))
}

fn import(file: &HistoryFile, from: &Path) -> Result<(), Failure> {
    if !from.is_file() {
        return Err(Failure::Input(format!(
            "{}: is no file; give one that `apportion history export` wrote",
            from.display()
        )));
    }
    // Not `HistoryFile::load`, whose message tells how to start one's own file anew.
    let wrong = |why: String| {
        Failure::Input(format!("{}: {why}; give one that `apportion history export` wrote", from.display()))
    };
    let text = std::fs::read_to_string(from).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let other = History::from_json(&text).map_err(wrong)?;
    let mut history = file.load()?;
    history.merge(&other);
    file.save(&history)?;
    output(&format!(
        "{} from {}; now {} in {}\n",
        amount(&other),
        from.display(),
        amount(&history),
        file.path().display()
    ))
}

fn kernel(key: &Key) -> &str {
    key.kernel.as_deref().unwrap_or(LINK)
}

/// The name, and what distinguishes it from other shown kernels of that name.
fn label(key: &Key, rows: &[(&Key, &Loops)]) -> String {
    let mut label = kernel(key).to_owned();
    let namesakes = || rows.iter().map(|(other, _)| *other).filter(|other| other.kernel == key.kernel);
    if namesakes().any(|other| other.code != key.code) {
        match key.code {
            Some(code) => {
                let _ = write!(label, " #{:08x}", code >> 32);
            }
            None => label.push_str(" (any of the name)"),
        }
    }
    if let Some(block) = key.block {
        let _ = write!(label, " in blocks of {block}");
    }
    let like = |other: &&Key| other.device == key.device && other.memory == key.memory;
    if namesakes().filter(like).any(|other| other.host != key.host) {
        let _ = write!(label, " on {}", key.host.as_deref().unwrap_or("any host"));
    }
    label
}

impl HistoryFilter {
    fn is_empty(&self) -> bool {
        self.kernel.is_none() && self.device.is_none()
    }

    fn matches(&self, key: &Key) -> bool {
        let has = |part: &str| key.device.to_lowercase().contains(&part.to_lowercase());
        self.kernel.as_deref().is_none_or(|wanted| wanted == kernel(key)) && self.device.as_deref().is_none_or(has)
    }
}

/// Who took part, as `1 + 4`: devices in host memory and others.
fn company(loops: &Loops) -> String {
    format!("{} + {}", loops.company.shared, loops.company.discrete)
}

fn samples(loops: &Loops) -> usize {
    loops.stages.iter().map(|stage| stage.samples().count()).sum::<usize>() + loops.once.samples.len()
}

fn as_text(file: &HistoryFile, history: &History, rows: &[(&Key, &Loops)]) -> String {
    let mut text = format!("{}: {}\n", file.path().display(), amount(history));
    if rows.is_empty() {
        text.push_str(if history.is_empty() { "`apportion compare` fills it.\n" } else { "Nothing matches.\n" });
        return text;
    }
    let of_devices = || rows.iter().filter(|(key, _)| key.policy.is_none());
    let mut devices: Vec<&str> = of_devices().map(|(key, _)| &*key.device).collect();
    devices.dedup();
    devices.sort_unstable();
    devices.dedup();
    for device in devices {
        let _ = writeln!(text, "\n{device}");
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["kernel", "type", "arrays", "with", "loop from", "once us", "in", "run", "out", "samples"]);
        for (key, loops) in of_devices().filter(|(key, _)| &*key.device == device) {
            let stage = |stage: usize| loops.line(stage).map_or_else(|| "-".to_owned(), line);
            table.add_row([
                label(key, rows),
                precision(key).to_owned(),
                key.memory.name().to_owned(),
                company(loops),
                three_digits((loops.octave as f64).exp2()),
                loops.once().map_or_else(|| "-".to_owned(), |once| three_digits(once.micros())),
                stage(0),
                stage(1),
                stage(2),
                samples(loops).to_string(),
            ]);
        }
        push(&mut text, table, 4);
    }
    if rows.iter().any(|(key, _)| key.policy.is_some()) {
        text.push_str("\nwhole loops\n");
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["kernel", "type", "arrays", "with", "policy", "loop from", "us", "samples"]);
        for (key, loops) in rows.iter().filter(|(key, _)| key.policy.is_some()) {
            table.add_row([
                label(key, rows),
                precision(key).to_owned(),
                key.memory.name().to_owned(),
                company(loops),
                key.policy.as_deref().unwrap_or_default().to_owned(),
                three_digits((loops.octave as f64).exp2()),
                loops.once().map_or_else(|| "-".to_owned(), |once| three_digits(once.micros())),
                samples(loops).to_string(),
            ]);
        }
        push(&mut text, table, 5);
    }
    text.push_str(
        "\nwith: devices in host memory + others; loop from: iterations, up to twice as many (of a link: bytes)\n\
         in, run, out: us of a piece + ns of an iteration\n",
    );
    text
}

/// Adds a table whose columns from `numbers` on are numbers.
fn push(text: &mut String, mut table: Table, numbers: usize) {
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index >= numbers {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.lines() {
        let _ = writeln!(text, "  {}", line.trim_end());
    }
}

fn line(line: Line) -> String {
    format!("{} + {}", three_digits(line.fixed.micros()), three_digits(line.each.0 * 1e9))
}

fn precision(key: &Key) -> &'static str {
    match key.precision {
        apportion::kernel::Precision::F32 => "f32",
        apportion::kernel::Precision::F64 => "f64",
        apportion::kernel::Precision::U8 => "u8",
    }
}

fn as_json(file: &HistoryFile, rows: &[(&Key, &Loops)]) -> String {
    let line = |line: Option<Line>| {
        line.map(|line| serde_json::json!({"piece_us": line.fixed.micros(), "iteration_ns": line.each.0 * 1e9}))
    };
    let rows: Vec<_> = rows
        .iter()
        .map(|(key, loops)| {
            serde_json::json!({
                "kernel": key.kernel.as_deref(),
                "code": key.code.map(|code| format!("{code:016x}")),
                "block": key.block,
                "host": key.host.as_deref(),
                "precision": precision(key),
                "device": &*key.device,
                "memory": key.memory.name(),
                "policy": key.policy.as_deref(),
                "shared_devices": loops.company.shared,
                "discrete_devices": loops.company.discrete,
                "octave": loops.octave,
                "once_us": loops.once().map(|once| once.micros()),
                "to": line(loops.line(0)),
                "run": line(loops.line(1)),
                "from": line(loops.line(2)),
                "samples": samples(loops),
                "newest_ms": loops.newest(),
            })
        })
        .collect();
    format!("{:#}\n", serde_json::json!({"file": file.path(), "rates": rows}))
}
