//! `history`: the recorded times of loops on this machine's devices, kept for later loops.

use crate::failure::{Failure, eprintln_quietly, output};
use crate::options::{HistoryAction, HistoryFilter, HistoryOptions, MachineFlag, check_file, check_kind};
use apportion::devices::open::Opener;
use apportion::model::History;
use apportion::model::history::{Key, Line, Table as Loops, device_of};
use apportion::model::machine::{DeviceEntry, files, words};
use apportion::runtime::HistoryFile;
use apportion_cli::grouping::three_digits;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

/// Between the devices of a whole loop.
const BETWEEN: &str = " + ";

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
        HistoryAction::Show { filter, machine, json } => {
            let history = file.load()?;
            let rows: Vec<_> = history.tables().filter(|(key, _)| filter.matches(key)).collect();
            // Opening devices takes a moment, and none is named without rates.
            let here = if rows.is_empty() { Here::default() } else { Here::look(machine)? };
            output(&if *json { as_json(&file, &rows, &here) } else { as_text(&file, &history, &rows, &here) })
        }
        HistoryAction::Path => output(&format!("{}\n", file.path().display())),
        HistoryAction::Clear { filter } => clear(&file, filter),
        HistoryAction::Export { to } => {
            check_file("export", to, "history.json")?;
            check_kind("export", to, "apportion.history")?;
            let history = file.load()?;
            if history.is_empty() {
                return Err(Failure::Input(format!(
                    "history {}: knows nothing yet; `apportion compare` fills it",
                    file.path().display()
                )));
            }
            save(&HistoryFile::at(to), &history)?;
            output(&format!("{} in {}\n", amount(&history), to.display()))
        }
        HistoryAction::Import { from } => import(&file, from),
    }
}

fn amount(history: &History) -> String {
    let of_devices = || history.keys().filter(|key| key.kernel.is_some() && key.policy.is_none());
    let kernels: BTreeSet<_> = of_devices().map(|key| (&key.kernel, key.code)).collect();
    let devices: BTreeSet<_> = of_devices().map(|key| &key.device).collect();
    let number = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    format!("{} on {} of devices", number(kernels.len(), "kernel"), number(devices.len(), "kind"))
}

/// Writes a history. What goes wrong after the place was found to be right is no wrong argument.
fn save(file: &HistoryFile, history: &History) -> Result<(), Failure> {
    file.save(history).map_err(|error| Failure::Work(error.to_string()))
}

fn clear(file: &HistoryFile, filter: &HistoryFilter) -> Result<(), Failure> {
    let path = file.path().display();
    if file.path().metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return output(&format!("{path} is not there\n"));
    }
    // A damaged file goes too, but not another one, which was named by mistake.
    if let Some(what) = file.foreign() {
        return Err(Failure::Input(format!("{path} {what}, no history: nothing is removed")));
    }
    check_file("history", file.path(), "history.json")?;
    if filter.is_empty() {
        files::read_whole(file.path())
            .map_err(|error| Failure::Input(format!("history {path}: cannot be read: {error}; nothing is removed")))?;
        // A link stays, and what it leads to goes.
        return match files::resolved(file.path()).and_then(std::fs::remove_file) {
            Ok(()) => output(&format!("{path} is removed\n")),
            Err(error) => Err(Failure::Work(format!("history {path}: cannot be removed: {error}"))),
        };
    }
    let mut history = file.load()?;
    let before = history.keys().count();
    if !history.keys().any(|key| filter.matches(key)) {
        let known = known(&history);
        return Err(Failure::Input(format!("history {path}: nothing matches; it knows\n{known}")));
    }
    history.retain(|key| !filter.matches(key));
    save(file, &history)?;
    output(&format!("{} of {before} entries are removed from {path}\n", before - history.keys().count()))
}

/// The kernels, and the kinds of devices, a line each, of which a filter may select some.
fn known(history: &History) -> String {
    let kernels: BTreeSet<_> = history.keys().map(kernel).collect();
    if kernels.is_empty() {
        return "  nothing".to_owned();
    }
    // Loops as a whole are known by all of their devices.
    let devices: BTreeSet<_> = history.keys().flat_map(|key| key.device.split(BETWEEN)).collect();
    let devices: String = devices.iter().map(|device| format!("\n    {device}")).collect();
    format!("  kernels: {}\n  devices:{devices}", kernels.into_iter().collect::<Vec<_>>().join(", "))
}

fn import(file: &HistoryFile, from: &Path) -> Result<(), Failure> {
    // Not `HistoryFile::load`, whose message tells how to start one's own file anew.
    let wrong = |why: String| {
        Failure::Input(format!("{}: {why}; give one that `apportion history export` wrote", from.display()))
    };
    check_file("history", file.path(), "history.json")?;
    let bytes = files::read_whole(from).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| wrong(format!("is not text: byte {} is not UTF-8", error.valid_up_to())))?;
    let other = History::from_json(text).map_err(|why| wrong(words::plainly(&why)))?;
    let mut history = file.load()?;
    history.merge(&other);
    save(file, &history)?;
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

/// The machine's devices, by what a history knows them by: several of one kind share their rates.
#[derive(Default)]
struct Here {
    /// Identity, id and name.
    devices: Vec<(String, usize, String)>,
}

impl Here {
    /// Opens each device that loops may use, to ask it; one that cannot be opened is said, as no loop here could use its rates.
    fn look(machine: &MachineFlag) -> Result<Self, Failure> {
        let (machine, notes, on_request) = machine.load()?;
        notes.iter().for_each(|note| eprintln_quietly(&format!("apportion: {note}")));
        let opener = Opener::new(&machine);
        let identity = |device: &DeviceEntry| match opener.open(device) {
            Ok((opened, ..)) => {
                let identity = device_of(&machine, device.device_id(), opened.identity());
                Some((identity, device.id, device.name.clone()))
            }
            Err(error) => {
                eprintln_quietly(&format!("apportion: device `{}` is not among those named: {error}", device.name));
                None
            }
        };
        let may_run = |device: &&DeviceEntry| device.enabled || on_request.contains(&device.device_id());
        Ok(Self { devices: machine.devices.iter().filter(may_run).filter_map(identity).collect() })
    }

    /// The devices of this kind; else those that are of it with another number of threads or compute units, as devices have when
    /// others share the cores with them.
    fn find(&self, identity: &str) -> (Vec<&(String, usize, String)>, bool) {
        let exact: Vec<_> = self.devices.iter().filter(|(of, ..)| of == identity).collect();
        if !exact.is_empty() {
            return (exact, true);
        }
        let counts = |last: &str| last.contains(" thread") || last.ends_with(" units");
        let but_threads =
            |of: &str| of.rsplit_once(", ").filter(|(_, last)| counts(last)).map(|(cpu, _)| cpu.to_owned());
        let wanted = but_threads(identity);
        (self.devices.iter().filter(|(of, ..)| wanted.is_some() && but_threads(of) == wanted).collect(), false)
    }

    /// The same, as `apportion devices` lists them: `1 cuda:0`.
    fn of(&self, identity: &str) -> Vec<String> {
        self.find(identity).0.into_iter().map(|(_, id, name)| format!("{id} {name}")).collect()
    }

    /// The same as a line.
    fn line(&self, identity: &str) -> String {
        match (self.of(identity).as_slice(), self.find(identity).1) {
            ([], _) => "no device here".to_owned(),
            ([one], true) => format!("device {one}"),
            (several, true) => format!("devices {}: they are of one kind and share these rates", several.join(", ")),
            (others, false) => {
                let of = if identity.ends_with(" units") { "compute units" } else { "threads" };
                format!("device {}, when it has so many {of}", others.join(", "))
            }
        }
    }

    /// The devices of a whole loop, whose identities are joined by ` + `: `0 host + 1 of (1 cuda:0, 2 cuda:1)`. A kind of which
    /// fewer are here stays as it is.
    fn together(&self, identities: &str) -> String {
        let shown = kinds(identities).into_iter().map(|(identity, count)| match self.of(identity) {
            here if here.len() < count || !self.find(identity).1 => {
                if count == 1 {
                    identity.to_owned()
                } else {
                    format!("{count} of {identity}")
                }
            }
            here if here.len() == count => here.join(BETWEEN),
            here => format!("{count} of ({})", here.join(", ")),
        });
        shown.collect::<Vec<_>>().join(BETWEEN)
    }

    /// The names of all devices that an entry may be of; none if some are missing here, so that no loop goes by it.
    fn names(&self, key: &Key) -> Vec<&str> {
        let of_key = if key.policy.is_some() { kinds(&key.device) } else { vec![(&*key.device, 1)] };
        let found: Vec<_> = of_key.iter().map(|(identity, count)| (self.find(identity), *count)).collect();
        if found.iter().any(|((here, exact), count)| !exact || here.len() < *count) {
            return Vec::new();
        }
        let is_one = |id: usize| found.iter().any(|((here, _), _)| here.iter().any(|device| device.1 == id));
        self.devices.iter().filter(|device| is_one(device.1)).map(|(.., name)| name.as_str()).collect()
    }
}

/// The kinds of a whole loop's devices, and how many there are of each.
fn kinds(identities: &str) -> Vec<(&str, usize)> {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for identity in identities.split(BETWEEN) {
        match kinds.iter_mut().find(|(known, _)| *known == identity) {
            Some((_, count)) => *count += 1,
            None => kinds.push((identity, 1)),
        }
    }
    kinds
}

/// Who took part, as `1 + 4`: devices in host memory and others.
fn company(loops: &Loops) -> String {
    format!("{} + {}", loops.company.shared, loops.company.discrete)
}

/// Of whole loops, how many there are.
fn samples(key: &Key, loops: &Loops) -> usize {
    let stages = loops.stages.iter().map(|stage| stage.samples().count()).sum::<usize>();
    let once = loops.once.samples.len();
    if key.policy.is_some() { stages.max(once) } else { stages + once }
}

fn as_text(file: &HistoryFile, history: &History, rows: &[(&Key, &Loops)], here: &Here) -> String {
    let mut text = format!("{}: {}\n", file.path().display(), amount(history));
    if history.is_empty() {
        let there = if file.path().exists() { "knows nothing yet" } else { "is not there yet" };
        return format!("{} {there}; `apportion compare` fills it\n", file.path().display());
    }
    if rows.is_empty() {
        text.push_str("Nothing matches. It knows\n");
        text.push_str(&known(history));
        text.push('\n');
        return text;
    }
    let of_devices = || rows.iter().filter(|(key, _)| key.policy.is_none());
    let mut devices: Vec<&str> = of_devices().map(|(key, _)| &*key.device).collect();
    devices.dedup();
    devices.sort_unstable();
    devices.dedup();
    for device in devices {
        let _ = writeln!(text, "\n{device}\n  {}", here.line(device));
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["kernel", "type", "arrays", "with", "loop from", "once us", "in", "run", "out", "samples"]);
        for (key, loops) in of_devices().filter(|(key, _)| &*key.device == device) {
            let stage = |stage: usize| loops.line(stage).map_or_else(|| "-".to_owned(), line);
            table.add_row([
                label(key, rows),
                key.precision.name().to_owned(),
                key.memory.name().to_owned(),
                company(loops),
                three_digits((loops.octave as f64).exp2()),
                loops.once().map_or_else(|| "-".to_owned(), |once| three_digits(once.micros())),
                stage(0),
                stage(1),
                stage(2),
                samples(key, loops).to_string(),
            ]);
        }
        push(&mut text, table, 4);
    }
    let of_loops = || rows.iter().filter(|(key, _)| key.policy.is_some());
    let mut together: Vec<&str> = of_loops().map(|(key, _)| &*key.device).collect();
    together.sort_unstable();
    together.dedup();
    for devices in together {
        let _ = writeln!(text, "\nwhole loops on {}", here.together(devices));
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(["kernel", "type", "arrays", "with", "policy", "loop from", "us", "planned us", "samples"]);
        for (key, loops) in of_loops().filter(|(key, _)| &*key.device == devices) {
            table.add_row([
                label(key, rows),
                key.precision.name().to_owned(),
                key.memory.name().to_owned(),
                company(loops),
                key.policy.as_deref().unwrap_or_default().to_owned(),
                three_digits((loops.octave as f64).exp2()),
                loops.once().map_or_else(|| "-".to_owned(), |once| three_digits(once.micros())),
                loops.once_planned().map_or_else(|| "-".to_owned(), |time| three_digits(time.micros())),
                samples(key, loops).to_string(),
            ]);
        }
        push(&mut text, table, 5);
    }
    text.push_str(
        "\nwith: devices in host memory + others; loop from: iterations, up to twice as many (of a link: bytes)\n\
         in, run, out: us of a piece + ns of an iteration\n\
         us: from call to return; planned us: once it is decided who runs what, as AUTO has it\n",
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

fn as_json(file: &HistoryFile, rows: &[(&Key, &Loops)], here: &Here) -> String {
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
                "precision": key.precision.name(),
                "device": &*key.device,
                "here": here.names(key),
                "memory": key.memory.name(),
                "policy": key.policy.as_deref(),
                "shared_devices": loops.company.shared,
                "discrete_devices": loops.company.discrete,
                "octave": loops.octave,
                "once_us": loops.once().map(|once| once.micros()),
                "planned_us": loops.once_planned().filter(|_| key.policy.is_some()).map(|time| time.micros()),
                "to": line(loops.line(0)),
                "run": line(loops.line(1).filter(|_| key.policy.is_none())),
                "from": line(loops.line(2)),
                "samples": samples(key, loops),
                "newest_ms": loops.newest() / 1000,
            })
        })
        .collect();
    format!("{:#}\n", serde_json::json!({"file": file.path(), "rates": rows}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_one_kind_are_all_named() {
        let device = |identity: &str, id: usize, name: &str| (identity.to_owned(), id, name.to_owned());
        let here = Here {
            devices: vec![
                device("cpu: EPYC, 14 threads", 0, "host"),
                device("cuda: H200", 1, "cuda:0"),
                device("cuda: H200", 2, "cuda:1"),
                device("opencl: CPU of PoCL, 16 units", 3, "opencl:0"),
            ],
        };
        assert_eq!(here.line("opencl: CPU of PoCL, 8 units"), "device 3 opencl:0, when it has so many compute units");
        assert_eq!(here.line("cpu: EPYC, 14 threads"), "device 0 host");
        assert_eq!(here.line("cpu: EPYC, 16 threads"), "device 0 host, when it has so many threads");
        assert_eq!(here.line("cuda: H200"), "devices 1 cuda:0, 2 cuda:1: they are of one kind and share these rates");
        assert_eq!(here.line("cuda: H100"), "no device here");
        for (identities, shown) in [
            ("cpu: EPYC, 14 threads + cuda: H200", "0 host + 1 of (1 cuda:0, 2 cuda:1)"),
            ("cpu: EPYC, 14 threads + cuda: H200 + cuda: H200", "0 host + 1 cuda:0 + 2 cuda:1"),
            ("cuda: H100 + cuda: H100 + cuda: A", "2 of cuda: H100 + cuda: A"),
            ("cpu: EPYC, 16 threads + cuda: H200", "cpu: EPYC, 16 threads + 1 of (1 cuda:0, 2 cuda:1)"),
            ("cuda: H200 + cuda: H200 + cuda: H200", "3 of cuda: H200"),
        ] {
            assert_eq!(here.together(identities), shown);
        }
    }
}
