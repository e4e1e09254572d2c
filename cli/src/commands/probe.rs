//! `probe`: measures each device alone, through the same loops that everything else runs on; then all links at once, copies
//! between GPUs, and the host's memory.
//!
//! | figure | how |
//! |---|---|
//! | rates | operations of `matmul` over the time of its kernel, at a size that takes long enough; of bytes those of `bm2d` |
//! | memory bandwidth | in host memory, bytes of `axpy` over the time of its kernel, arrays of at least four times the host's L3 caches where they fit, of `sum` for reading alone, and of `y[i] = a x[i]` for copying; of its own, `y[i] = a x[i]` within it, two sizes, the longer less the shorter |
//! | half-rate time | kernels of a few launches' length: what they take beyond their launch and their work at full rate |
//! | launch, allocation, synchronisation | loops of a few iterations: their kernel, what comes before it and between, what comes after the last copy |
//! | short chunks | a loop of many chunks under SCHED_DYNAMIC on all devices: from one to the next of a device; in host memory that is the launch |
//! | after a rest | a loop on all devices after other work, its arrays in memory: when each device is done with its part, beyond what its other figures say |
//! | link latency | the copies of such loops |
//! | link bandwidth | copies of large arrays: both ways at once, one way alone; and of plain arrays where page-locked ones differ |
//! | groups | links two by two and all at once, against each alone |
//! | peers | copies between GPUs |
//! | threads | loops of 0.1 to 6.4 ms on all CPUs of a host device with more than 16, and on fewer: fewer where that is faster and long loops take no longer |
//! | host memory | `a[i] += s * b[i]` on all cores, arrays as for memory bandwidth: two reads and one write are counted; the same while all links copy both ways, and what they copy; the larger |
//!
//! All but groups, peers and threads are measured in rounds, and latencies several times in a round, as [`bursts`] says; the rounds go on
//! until the figures are settled.
//!
//! Bandwidths of links, of devices' own memory and between GPUs are the best of several: other activity makes them lower, never
//! higher. Times are medians, and so are rates of operations and what all cores get from the host's memory, as loops see them.

mod alone;
mod bursts;
mod chunks;
mod host;
mod streams;
mod threads;
mod together;

use crate::commands::{stop_on_signal, unoptimised, with_only};
use crate::failure::{Failure, eprintln_quietly, output};
use crate::options::{Chosen, ProbeOptions, check_file, check_kind, command_line};
use crate::progress::Progress;
use apportion::model::Machine;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, Group};
use apportion::runtime::Runtime;
use apportion_cli::grouping::three_digits;
use apportion_cli::statistics::summarise;
use bursts::{Bursts, Key, Middle};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use streams::{Streams, copied_together};

/// How much to measure.
struct Effort {
    /// Time of one matrix product.
    product_s: f64,
    /// Least elements (f32) of a large array. [`THOROUGH`]'s are 256 MiB, [`QUICK`]'s 64 MiB; some processors have more L3 than
    /// that, so [`host::large_elements`] may ask for more.
    elements: usize,
    /// Samples of a burst: of kernels and copies, and of short loops.
    repetitions: usize,
    launches: usize,
    /// All repetitions of a round together take at most about this long.
    whole_s: f64,
    /// Least and most rounds.
    rounds: (usize, usize),
    /// No round begins that would end later than this after the start, if it took as long as the longest one before.
    within_s: f64,
}

const THOROUGH: Effort = Effort {
    product_s: 0.1,
    elements: 1 << 26,
    repetitions: 3,
    launches: 100,
    whole_s: 40.0,
    rounds: (3, 9),
    within_s: 80.0,
};
const QUICK: Effort = Effort {
    product_s: 0.05,
    elements: 1 << 24,
    repetitions: 4,
    launches: 100,
    whole_s: 15.0,
    rounds: (1, 1),
    within_s: 0.0,
};

/// Figures are settled if each is known to this part of it: two probes then hardly differ by a tenth.
const SETTLED: f64 = 0.025;

/// Figures that are known less well than to this part of them may differ by more than a tenth in the next probe.
const NOISY: f64 = 0.1;

/// A figure needs at least this many repetitions, however long one takes.
const LEAST_REPETITIONS: usize = 2;

/// What the probe measures with, and how much.
struct Probe<'p> {
    runtime: &'p Runtime,
    effort: &'p Effort,
    progress: &'p Progress,
    /// When the figures were measured, for their notes.
    when: String,
    /// Repetitions of one figure in one burst stop after this time.
    each: Duration,
    start: Instant,
    /// What was measured so far.
    bursts: RefCell<Bursts>,
    /// Sizes that take long enough, found in the first round.
    sizes: RefCell<BTreeMap<Key, usize>>,
}

impl Probe<'_> {
    /// Takes `most` measurements, or as many as the time allows.
    fn repeated(&self, most: usize, mut measure: impl FnMut() -> Result<f64, Failure>) -> Result<Vec<f64>, Failure> {
        let start = Instant::now();
        let mut samples = Vec::with_capacity(most);
        while samples.len() < most && (samples.len() < LEAST_REPETITIONS || start.elapsed() < self.each) {
            samples.push(measure()?);
        }
        Ok(samples)
    }

    /// Adds a burst of samples to the earlier ones.
    fn add(&self, key: Key, samples: &[f64]) {
        self.bursts.borrow_mut().add(key, samples);
    }

    /// Adds a burst; the median of all bursts.
    fn middle(&self, key: Key, samples: &[f64]) -> Option<Middle> {
        self.add(key, samples);
        self.bursts.borrow().middle(key)
    }

    /// The same as a figure.
    fn median(&self, key: Key, samples: &[f64], what: &str) -> Option<Figure> {
        self.middle(key, samples).map(|middle| middle.figure(what, &self.when))
    }

    /// Adds a burst; all samples so far.
    fn all(&self, key: Key, samples: &[f64]) -> Vec<f64> {
        self.add(key, samples);
        self.bursts.borrow().all(key)
    }

    /// Adds a burst; the largest sample of all as a figure.
    fn best(&self, key: Key, samples: &[f64], what: &str) -> Option<Figure> {
        self.largest(&self.all(key, samples), what)
    }

    /// The largest as a figure.
    fn largest(&self, samples: &[f64], what: &str) -> Option<Figure> {
        let summary = summarise(samples)?;
        let note = format!("{what}; best of {}, from {}; {}", summary.count, three_digits(summary.min), self.when);
        Some(Figure::measured(four_digits(summary.max)).with_note(note))
    }

    /// Measures everything but groups, peers and threads, in rounds, until it is settled or time is up.
    fn rounds(&self, devices: &[&DeviceEntry], measured: &mut Machine) -> Result<(), Failure> {
        let mut longest = Duration::ZERO;
        for round in 1..=self.effort.rounds.1 {
            let begin = Instant::now();
            for device in devices {
                let entry = alone::Bench { probe: self, device }.measure()?;
                put(measured, entry);
                if round > 1 {
                    self.latencies(devices, measured)?;
                } else {
                    self.progress.advance(1);
                }
            }
            self.host_memory(devices, measured)?;
            self.latencies(devices, measured)?;
            longest = longest.max(begin.elapsed());
            let (taken, uncertainty) = (self.start.elapsed(), self.bursts.borrow().uncertainty());
            self.progress.line(&format!("round {round}: {:.0} s in all", taken.as_secs_f64()));
            let settled = round >= self.effort.rounds.0 && uncertainty < SETTLED;
            if settled || (taken + longest).as_secs_f64() > self.effort.within_s {
                break;
            }
        }
        Ok(())
    }

    /// One more burst of all latencies. They are short, and differ most from one second to another.
    fn latencies(&self, devices: &[&DeviceEntry], measured: &mut Machine) -> Result<(), Failure> {
        let now = |measured: &Machine| -> Vec<DeviceEntry> {
            measured.devices.iter().filter(|entry| devices.iter().any(|of| of.id == entry.id)).cloned().collect()
        };
        for mut entry in now(measured) {
            alone::Bench { probe: self, device: &entry.clone() }.small(&mut entry)?;
            put(measured, entry);
        }
        for short in chunks::measure(self, &now(measured))? {
            if let Some(device) = measured.devices.iter_mut().find(|device| device.id == short.id) {
                chunks::put(device, short);
            }
        }
        // Measured last: it is the remainder once all other figures are known.
        for (id, wake) in chunks::wake(self, &now(measured), &measured.shared_rates())? {
            let found = measured.devices.iter_mut().filter(|device| device.id == id);
            found.for_each(|device| device.wake_us = Some(wake.clone()));
        }
        for alone in chunks::wake_alone(self, &now(measured), &measured.shared_rates())? {
            if let Some(device) = measured.devices.iter_mut().find(|device| device.id == alone.id) {
                (device.wake_alone_us, device.library_wake_us) = (Some(alone.wake), alone.library);
            }
        }
        self.progress.advance(1);
        Ok(())
    }

    /// The host's memory, alone and beside links.
    fn host_memory(&self, devices: &[&DeviceEntry], measured: &mut Machine) -> Result<(), Failure> {
        if devices.iter().all(|device| device.kind == DeviceKind::Emulated) {
            return Ok(());
        }
        let real = |device: &&&DeviceEntry| device.kind != DeviceKind::Emulated && device.link.is_some();
        let linked: Vec<_> = devices.iter().filter(real).collect();
        let copied = linked.iter().map(|device| alone::copied_elements(device, self.effort)).min().unwrap_or(0);
        let ids: Vec<usize> = linked.iter().map(|device| device.id).collect();
        let found = host::memory(self, &ids, copied)?;
        measured.host_memory_gb_per_s = Some(found.all);
        // A figure for cores goes to the one device that has all of them.
        let cores: Vec<usize> = devices.iter().filter(|one| one.kind == DeviceKind::Host).map(|one| one.id).collect();
        let (of_cores, of_links) = found.crowded.unzip();
        let found_real = |id: usize| devices.iter().any(|one| one.id == id && one.kind != DeviceKind::Emulated);
        for device in measured.devices.iter_mut().filter(|device| found_real(device.id)) {
            let link = ids.iter().position(|id| *id == device.id);
            device.crowded_gb_per_s = match link {
                Some(link) => of_links.as_ref().and_then(|links| links.get(link).cloned()),
                None => of_cores.clone().filter(|_| cores == [device.id]),
            };
        }
        Ok(())
    }

    /// Which links share a capacity.
    fn groups(&self, devices: &[&DeviceEntry]) -> Result<Vec<Group>, Failure> {
        let linked: Vec<&DeviceEntry> = devices.iter().filter(|device| device.link.is_some()).copied().collect();
        let ids: Vec<usize> = linked.iter().map(|device| device.id).collect();
        if ids.len() < 2 {
            self.progress.advance(1);
            return Ok(Vec::new());
        }
        self.progress.now("all links at once");
        // All emulated devices of a machine should have the same scale.
        let scale = linked.iter().map(|device| alone::time_scale(device)).fold(1.0, f64::max);
        let each = linked.iter().map(|device| alone::copied_elements(device, self.effort)).min().unwrap_or(1);
        let n = host::fitting(each * ids.len(), 2)? / ids.len();
        let mut streams = Streams::new(n * ids.len(), false)?;
        let mut found = Vec::new();
        for way in together::WAYS {
            let rate = |links: &[usize]| -> Result<f64, Failure> {
                let members: Vec<usize> = links.iter().map(|&link| ids[link]).collect();
                let samples = self.repeated(self.effort.repetitions.min(5), || {
                    let report = streams.run(self.runtime, &members, way, n * members.len())?;
                    Ok(copied_together(&report, way) * scale)
                })?;
                Ok(samples.into_iter().fold(0.0, f64::max))
            };
            found.push((way, together::capacities(ids.len(), rate)?));
        }
        let groups = together::groups(&found, &ids, |what| format!("{what}; {}", self.when));
        for group in &groups {
            let capacity = |figure: &Option<Figure>| {
                figure.as_ref().map_or_else(|| "free".to_owned(), |figure| three_digits(figure.value))
            };
            let ways = [&group.to_gb_per_s, &group.from_gb_per_s, &group.both_gb_per_s].map(capacity);
            self.progress.line(&format!("{}: to, from, both together {} GB/s", group.name, ways.join(", ")));
        }
        self.progress.advance(1);
        Ok(groups)
    }
}

/// Stores a device's figures.
fn put(measured: &mut Machine, entry: DeviceEntry) {
    if let Some(place) = measured.devices.iter_mut().find(|place| place.id == entry.id) {
        *place = entry;
    }
}

pub fn run(options: &ProbeOptions) -> Result<(), Failure> {
    let Chosen { machine, devices: chosen, notes } = options.machine.choose(&options.devices)?;
    let described = with_only(&machine, &chosen);
    if let Some(path) = &options.out {
        check_file("-o", path, "machine.json")?;
        check_kind("-o", path, "apportion.machine")?;
    }
    let effort = if options.quick { QUICK } else { THOROUGH };
    let now = jiff::Timestamp::now();
    let created = jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string();
    let mut machine = described.clone();
    let threads = threads::choose(&mut machine, &created)?;
    // Earlier measurements must not influence this one.
    // A description says what the host does on the cores that it has in company.
    let runtime = options.machine.open(machine.clone())?.without_history().on_own_cores();
    stop_on_signal(runtime.cancel_handle())?;
    let measured_too = |device: &&DeviceEntry| options.emulated || device.kind != DeviceKind::Emulated;
    let devices: Vec<_> = machine.enabled_devices().filter(measured_too).collect();
    let steps = 2 + effort.rounds.1 as u64 * (2 + (1 + alone::STEPS) * devices.len() as u64);
    let progress = Progress::new(steps);
    for note in notes.iter().chain(&threads).chain(runtime.notes()).chain(&unoptimised()) {
        progress.line(note);
    }
    for device in machine.enabled_devices().filter(|device| !measured_too(device)) {
        progress.line(&format!("{}: emulated, so its figures stay: they are what it pretends", device.name));
    }
    if devices.is_empty() {
        let what = "no enabled device can be measured: all are emulated; --emulated measures these too";
        return Err(Failure::Input(format!("machine `{}`: {what}", machine.name)));
    }
    // JSON on standard output can be kept by whoever reads it.
    if options.out.is_none() && !options.json {
        progress.line("what is measured is shown and not kept: -o machine.json writes it to a file");
    }
    let probe = Probe {
        runtime: &runtime,
        effort: &effort,
        progress: &progress,
        when: created.clone(),
        each: Duration::from_secs_f64(effort.whole_s / (alone::FIGURES * devices.len() + 12) as f64),
        start: Instant::now(),
        bursts: RefCell::default(),
        sizes: RefCell::default(),
    };
    let mut measured = machine.clone();
    // Groups and peers of devices that were not measured stay.
    let of_measured = |ids: &[usize]| ids.iter().all(|id| devices.iter().any(|device| device.id == *id));
    measured.groups.retain(|group| !of_measured(&group.devices));
    for mut group in probe.groups(&devices)? {
        while measured.groups.iter().any(|other| other.name == group.name) {
            group.name.push_str(" again");
        }
        measured.groups.push(group);
    }
    progress.now("copies between devices");
    measured.peers.retain(|peer| !of_measured(&[peer.from, peer.to]));
    for mut peer in apportion::devices::measured_peers(&machine) {
        for figure in peer.latency_us.iter_mut().chain(&mut peer.bandwidth_gb_per_s) {
            figure.note = figure.note.take().map(|note| format!("{note}; {}", probe.when));
        }
        measured.peers.push(peer);
    }
    progress.advance(1);
    probe.rounds(&devices, &mut measured)?;
    let noisy = probe.bursts.borrow().noisy(NOISY);
    drop(progress);
    if let Some(warning) = warning(&noisy, &measured, options.quick) {
        eprintln_quietly(&warning);
    }
    measured.created = Some(created);
    if options.machine.machine.is_none() {
        measured.note = Some(format!("measured by `{}`", command_line()));
        let stem = options.out.as_deref().and_then(Path::file_stem);
        measured.name = stem.map_or(measured.name, |stem| stem.to_string_lossy().into_owned());
    }
    measured.validate().map_err(|error| {
        Failure::Work(format!("what was measured makes no valid description, and nothing was written: {error}"))
    })?;
    // What took so long to measure is printed even if it cannot be written.
    let written = options.out.as_deref().map_or(Ok(()), |path| write(&measured, path));
    let printed = if options.json {
        output(&measured.to_json()?)
    } else {
        let hint = if options.out.is_none() { "\n-o FILE writes this as a machine description\n" } else { "" };
        output(&format!("{}{hint}", table(&described, &measured)))
    };
    written.and(printed)
}

/// What the table calls a figure, or what a part of it is.
fn shown_as(name: &'static str) -> &'static str {
    match name {
        "cores" => "all cores",
        "once" => "once per array",
        "sync" => "end of a loop",
        "rested" => "loops after a rest",
        "at once" => "loops right after another",
        "long kernel" => "long kernels in its memory",
        "short kernel" => "short kernels in its memory",
        name => name,
    }
}

/// What to say of figures whose measurements were far apart.
fn warning(noisy: &[(Key, f64)], machine: &Machine, quick: bool) -> Option<String> {
    let mut of: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
    for ((id, name), part) in noisy {
        of.entry(*id).or_default().push(format!("{} by {:.0} %", shown_as(name), part * 100.0));
    }
    let called = |id: Option<usize>| match id {
        Some(id) => machine.devices.iter().find(|device| device.id == id).map_or("a device", |device| &device.name),
        None => "host memory",
    };
    let all: Vec<_> = of.iter().map(|(id, figures)| format!("{} ({})", called(*id), figures.join(", "))).collect();
    let remedy = match quick {
        true => "probe without --quick, which takes more rounds, or again when less else runs",
        false => "probe again when less else runs",
    };
    (!all.is_empty()).then(|| format!("noisy, so the next probe may find other values: {}: {remedy}", all.join(", ")))
}

fn write(measured: &Machine, path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .map_err(|error| Failure::Work(format!("-o {}: cannot make the folder: {error}", path.display())))?;
    measured.save(path).map_err(|error| Failure::Work(error.to_string()))?;
    eprintln_quietly(&format!("written: {}", path.display()));
    Ok(())
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// The figures before, and the measured ones.
fn table(before: &Machine, after: &Machine) -> String {
    let mut text = String::new();
    let line = |text: &mut String, what: &str, unit: &str, old: Option<&Figure>, new: Option<&Figure>| {
        let Some(new) = new else { return };
        let number = crate::commands::devices::number;
        let was = old.map_or_else(|| "unknown".to_owned(), number);
        let is = number(new);
        let note = new.note.as_deref().unwrap_or("");
        let _ = writeln!(text, "  {what:<14} {is:>8} {unit:<8} (was {was})  {note}");
    };
    if after.host_memory_gb_per_s.is_some() {
        text.push_str("host memory\n");
        let (old, new) = (before.host_memory_gb_per_s.as_ref(), after.host_memory_gb_per_s.as_ref());
        line(&mut text, "all cores", "GB/s", old, new);
    }
    for (old, new) in before.devices.iter().zip(&after.devices).filter(|(_, new)| new.enabled) {
        let _ = writeln!(text, "{}", new.name);
        let threads = |device: &DeviceEntry| device.host.as_ref().and_then(|host| host.threads.clone());
        line(&mut text, "threads", "", threads(old).as_ref(), threads(new).as_ref());
        line(&mut text, "f32", "GFLOP/s", Some(&old.f32_gflop_per_s), Some(&new.f32_gflop_per_s));
        line(&mut text, "f64", "GFLOP/s", Some(&old.f64_gflop_per_s), Some(&new.f64_gflop_per_s));
        line(&mut text, "u8", "Gop/s", old.u8_gop_per_s.as_ref(), new.u8_gop_per_s.as_ref());
        line(&mut text, "memory", "GB/s", Some(&old.memory_gb_per_s), Some(&new.memory_gb_per_s));
        line(&mut text, "reading", "GB/s", old.read_gb_per_s.as_ref(), new.read_gb_per_s.as_ref());
        line(&mut text, "copying", "GB/s", old.copy_gb_per_s.as_ref(), new.copy_gb_per_s.as_ref());
        let (o, n) = (old.crowded_gb_per_s.as_ref(), new.crowded_gb_per_s.as_ref());
        line(&mut text, "all at once", "GB/s", o, n);
        line(&mut text, "half rate", "us", old.half_rate_us.as_ref(), new.half_rate_us.as_ref());
        let (o, n) = (old.library_half_rate_us.as_ref(), new.library_half_rate_us.as_ref());
        line(&mut text, "  of libraries", "us", o, n);
        line(&mut text, "launch", "us", Some(&old.launch_us), Some(&new.launch_us));
        line(&mut text, "after a rest", "us", old.wake_us.as_ref(), new.wake_us.as_ref());
        line(&mut text, "  alone", "us", old.wake_alone_us.as_ref(), new.wake_alone_us.as_ref());
        line(&mut text, "  of libraries", "us", old.library_wake_us.as_ref(), new.library_wake_us.as_ref());
        line(&mut text, "short chunks", "us", old.issue_us.as_ref(), new.issue_us.as_ref());
        line(&mut text, "once per array", "us", old.alloc_us.as_ref(), new.alloc_us.as_ref());
        line(&mut text, "end of a loop", "us", old.sync_us.as_ref(), new.sync_us.as_ref());
        let (Some(old), Some(new)) = (&old.link, &new.link) else { continue };
        for (way, old, new) in [("to", &old.to, &new.to), ("from", &old.from, &new.from)] {
            let named = |what: &str| format!("{what} {way}");
            line(&mut text, &named("latency"), "us", Some(&old.latency_us), Some(&new.latency_us));
            let (o, n) = (&old.bandwidth_gb_per_s, &new.bandwidth_gb_per_s);
            line(&mut text, &named("link"), "GB/s", Some(o), Some(n));
            line(&mut text, &named("alone"), "GB/s", old.alone_gb_per_s.as_ref(), new.alone_gb_per_s.as_ref());
            line(&mut text, &named("plain"), "GB/s", old.plain_gb_per_s.as_ref(), new.plain_gb_per_s.as_ref());
        }
    }
    for new in &after.groups {
        let _ = writeln!(text, "{} (devices {:?})", new.name, new.devices);
        let old = before.groups.iter().find(|old| old.devices == new.devices);
        line(&mut text, "to", "GB/s", old.and_then(|old| old.to_gb_per_s.as_ref()), new.to_gb_per_s.as_ref());
        line(&mut text, "from", "GB/s", old.and_then(|old| old.from_gb_per_s.as_ref()), new.from_gb_per_s.as_ref());
        line(&mut text, "both", "GB/s", old.and_then(|old| old.both_gb_per_s.as_ref()), new.both_gb_per_s.as_ref());
    }
    for new in &after.peers {
        let _ = writeln!(text, "device {} to device {}", new.from, new.to);
        let old = before.peers.iter().find(|old| (old.from, old.to) == (new.from, new.to));
        let (o, n) = (old.and_then(|old| old.latency_us.as_ref()), new.latency_us.as_ref());
        line(&mut text, "latency", "us", o, n);
        let (o, n) = (old.and_then(|old| old.bandwidth_gb_per_s.as_ref()), new.bandwidth_gb_per_s.as_ref());
        line(&mut text, "copy", "GB/s", o, n);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noisy_figures_are_named_with_their_device_and_what_to_do() {
        let machine =
            Machine::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../machines/fornax.json"))).unwrap();
        assert_eq!(warning(&[], &machine, true), None);
        let device = &machine.devices[1];
        let noisy: [(Key, f64); 3] =
            [((None, "cores"), 0.3), ((Some(device.id), "launch"), 0.125), ((Some(device.id), "f32"), 0.5)];
        let said = |quick| warning(&noisy, &machine, quick).unwrap();
        let figures = format!("host memory (all cores by 30 %), {} (launch by 12 %, f32 by 50 %): probe ", device.name);
        assert!(said(false).contains(&figures) && !said(false).contains("--quick"), "{}", said(false));
        assert!(said(true).contains(&figures) && said(true).contains("without --quick"), "{}", said(true));
    }
}
