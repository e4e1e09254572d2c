//! `devices`: the devices of this machine, or of a machine description.

use crate::commands::{machine_value, with_only};
use crate::failure::{Failure, output};
use crate::options::{Chosen, DevicesOptions};
use apportion::model::Machine;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, Source};
use apportion::runtime::Runtime;
use comfy_table::{ContentArrangement, Table, presets};
use std::fmt::Write as _;

/// Whether a device can be used.
struct Answer<'m> {
    device: &'m DeviceEntry,
    /// Why it cannot be used; `None` if it can.
    trouble: Option<String>,
}

impl Answer<'_> {
    /// The line about a device that cannot be used.
    fn told(&self) -> Option<String> {
        self.trouble.as_ref().map(|trouble| format!("{}: {trouble}", self.device.name))
    }
}

pub fn run(options: &DevicesOptions) -> Result<(), Failure> {
    let Chosen { machine, devices: chosen, mut notes } = options.machine.choose(&options.devices)?;
    let machine = with_only(&machine, &chosen);
    let mut answers = Vec::new();
    for device in &machine.devices {
        let trouble = if device.enabled {
            match open_alone(&machine, device) {
                Ok(remarks) => {
                    notes.extend(remarks);
                    None
                }
                Err(error) => Some(error.to_string()),
            }
        } else {
            let why = device.why_disabled.clone().unwrap_or_else(|| "the description says so".to_owned());
            Some(format!("not enabled: {why}"))
        };
        answers.push(Answer { device, trouble });
    }
    // Detection tells too what it did not enable.
    let told = |note: &String| answers.iter().any(|answer| answer.told().as_ref() == Some(note));
    notes.retain(|note| !told(note));
    // How devices share the cores shows only if all are open.
    if let Ok(all) = Runtime::from_machine(machine.clone()) {
        let new: Vec<String> = all.notes().iter().filter(|note| !notes.contains(note)).cloned().collect();
        notes.extend(new);
    }
    if options.json { json(&machine, &answers, &notes) } else { output(&table(&machine, &answers, &notes)) }
}

/// Opens one device, to check that it works.
fn open_alone(machine: &Machine, device: &DeviceEntry) -> apportion::Result<Vec<String>> {
    let mut alone = machine.clone();
    for other in &mut alone.devices {
        other.enabled = other.id == device.id;
    }
    Ok(Runtime::from_machine(alone)?.notes().to_vec())
}

fn json(machine: &Machine, answers: &[Answer<'_>], notes: &[String]) -> Result<(), Failure> {
    let devices: Vec<_> = answers
        .iter()
        .map(|answer| {
            serde_json::json!({
                "id": answer.device.id,
                "name": answer.device.name,
                "usable": answer.trouble.is_none(),
                "trouble": answer.trouble,
            })
        })
        .collect();
    let all = serde_json::json!({ "devices": devices, "machine": machine_value(machine)?, "notes": notes });
    output(&format!("{all:#}\n"))
}

fn table(machine: &Machine, answers: &[Answer<'_>], notes: &[String]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header([
        "id",
        "name",
        "kind",
        "type",
        "memory",
        "f32 GF/s",
        "f64 GF/s",
        "u8 Gop/s",
        "GB/s",
        "launch us",
        "link GB/s",
        "",
    ]);
    for answer in answers {
        let device = answer.device;
        let memory = match &device.memory_gib {
            Some(size) => format!("{} {} GiB", memory(device), number(size)),
            None => memory(device).to_owned(),
        };
        let link = device.link.as_ref().map_or_else(
            || "-".to_owned(),
            |link| format!("{} / {}", number(&link.to.bandwidth_gb_per_s), number(&link.from.bandwidth_gb_per_s)),
        );
        table.add_row([
            device.id.to_string(),
            device.name.clone(),
            device.kind.to_string(),
            device.device_type.to_string(),
            memory,
            number(&device.f32_gflop_per_s),
            number(&device.f64_gflop_per_s),
            device.u8_gop_per_s.as_ref().map_or_else(|| "-".to_owned(), number),
            number(&device.memory_gb_per_s),
            number(&device.launch_us),
            link,
            match answer.trouble {
                None => "ok",
                Some(_) if !device.enabled => "not enabled",
                Some(_) => "not usable",
            }
            .to_owned(),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut text = format!("Machine: {}\n\n", machine.name);
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push_str("\n~ assumed, ^ from the vendor, else measured\n");
    for answer in answers {
        if let Some(told) = answer.told() {
            let _ = writeln!(text, "- {told}");
        }
        let described = answer.device.kind == DeviceKind::Emulated && answer.trouble.is_none();
        if described {
            let _ = writeln!(text, "- {}: emulated: real results, times by these figures", answer.device.name);
        }
    }
    for note in notes {
        let _ = writeln!(text, "- {note}");
    }
    text
}

fn memory(device: &DeviceEntry) -> &'static str {
    match device.memory {
        apportion::model::MemoryKind::Shared => "shared",
        apportion::model::MemoryKind::Discrete => "discrete",
    }
}

/// A figure with a mark for its source.
pub fn number(figure: &Figure) -> String {
    let mark = match figure.source {
        Source::Measured => "",
        Source::Vendor => "^",
        Source::Assumed => "~",
    };
    format!("{mark}{}", apportion_cli::grouping::three_digits(figure.value))
}
