//! The commands, one file each.

pub mod compare;
pub mod devices;
pub mod explain;
pub mod history;
pub mod plot;
pub mod probe;
pub mod reproduce;
pub mod simulate;

use crate::failure::{Failure, eprintln_quietly, output};
use crate::options::ResultFlags;
use apportion::model::machine::DeviceEntry;
use apportion::model::{History, Machine};
use apportion::runtime::CancelHandle;
use apportion::space::DeviceId;
use apportion_cli::figures::{draw_all, earlier};
use apportion_cli::record::Record;
use apportion_cli::table::render;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Columns of a table if standard output is no terminal.
const WIDTH: usize = 120;

fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(WIDTH, |(width, _)| usize::from(width.0))
}

/// Writes a record's files, reports their place on standard error, and prints it as asked: as a table without the notes that were
/// `told` already.
///
/// A failure of one does not stop the other: a full disk or a closed standard output must not lose what took an hour to measure.
fn deliver(record: &Record, told: &[String], flags: &ResultFlags) -> Result<(), Failure> {
    let text = record.to_json().map_err(|error| Failure::Work(error.to_string()))?;
    let written = flags.out.as_deref().map_or(Ok(()), |out| write_files(record, out, flags));
    let printed = if flags.json { output(&text) } else { output(&render(&without(record, told), width())) };
    written.and(printed)
}

fn without(record: &Record, told: &[String]) -> Record {
    let mut record = record.clone();
    record.notes.retain(|note| !told.contains(note));
    record
}

fn write_files(record: &Record, out: &Path, flags: &ResultFlags) -> Result<(), Failure> {
    let failed = |what: String| Failure::Work(format!("--out {}: {what}", out.display()));
    std::fs::create_dir_all(out).map_err(|error| failed(format!("cannot make the folder: {error}")))?;
    record.save(&out.join("record.json")).map_err(|error| failed(error.to_string()))?;
    let figures = draw_all(record, out, &flags.figures.formats, flags.figures.width.width)
        .map_err(|error| failed(format!("record.json is written, but not all figures: {error}")))?;
    eprintln_quietly(&format!("record.json and {} figures are in {}", figures.len(), out.display()));
    tell_earlier(out, &figures);
    Ok(())
}

/// Says which figures in a folder were not drawn now. They are not removed, as they may be someone's only ones.
fn tell_earlier(out: &Path, drawn: &[PathBuf]) {
    let earlier = earlier(out, drawn);
    if !earlier.is_empty() {
        let out = out.display();
        eprintln_quietly(&format!(
            "{out} also has figures drawn earlier, perhaps of another record: {}",
            earlier.join(", ")
        ));
    }
}

/// A remark if predictions went by a history of `kernels` that is older than the description, which a user who has just probed
/// the machine does not expect.
fn older_history(machine: &Machine, history: &History, kernels: &[String]) -> Option<String> {
    let created: Timestamp = machine.created.as_deref()?.parse().ok()?;
    let newest = |kernel: &str| {
        let tables = history.tables().filter(|(key, _)| key.kernel.as_deref() == Some(kernel));
        let newest = tables.map(|(_, table)| table.newest()).max()?;
        Timestamp::from_microsecond(newest.try_into().ok()?).ok()
    };
    let older = |kernel: &&String| newest(kernel).is_some_and(|newest| newest < created);
    let older: Vec<&str> = kernels.iter().filter(older).map(String::as_str).collect();
    let last = older.iter().filter_map(|kernel| newest(kernel)).max()?;
    Some(format!(
        "the machine description (of {created}) is newer than the history of {} (until {last:.0}), and yet what is expected \
         goes by the history, which knows the kernels: `--history off` goes by the description alone, `apportion history \
         clear --kernel NAME` forgets what is known of a kernel",
        older.join(", ")
    ))
}

/// The chosen devices, in the order in which they were chosen.
fn entries_of<'m>(machine: &'m Machine, chosen: &[DeviceId]) -> Vec<&'m DeviceEntry> {
    chosen.iter().filter_map(|&id| machine.devices.iter().find(|device| device.device_id() == id)).collect()
}

/// The machine with no devices enabled but the chosen ones.
fn with_only(machine: &Machine, chosen: &[DeviceId]) -> Machine {
    let mut machine = machine.clone();
    let others = |device: &&mut DeviceEntry| device.enabled && !chosen.contains(&device.device_id());
    for device in machine.devices.iter_mut().filter(others) {
        device.enabled = false;
        device.why_disabled = Some("it was not asked for".to_owned());
    }
    machine
}

/// The machine's description as a value, for records.
fn machine_value(machine: &Machine) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(machine).map_err(|error| Failure::Work(format!("machine description: {error}")))
}

/// A remark if this program's own loops were compiled for debugging.
fn unoptimised() -> Option<String> {
    cfg!(debug_assertions)
        .then(|| "a debug build: its host devices are many times slower than a release build's".to_owned())
}

/// The first Ctrl-C (or SIGTERM, or SIGHUP) lets the chunks in flight finish; the second ends the program at once. A signal that
/// was ignored when the program started stays ignored.
fn stop_on_signal(handle: CancelHandle) -> Result<(), Failure> {
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        handle.cancel();
        eprintln_quietly("stopping when the chunks in flight are done; again to stop at once");
    })
    .map_err(|error| Failure::Work(format!("cannot listen for Ctrl-C: {error}")))?;
    #[cfg(unix)]
    crate::signals::restore();
    Ok(())
}
