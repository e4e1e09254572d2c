//! `probe`: measures each device alone, through the same loops that everything else runs on; and the host's memory.
//!
//! | figure | how |
//! |---|---|
//! | rates | operations of `matmul` over the time of its kernel, at a size that takes long enough |
//! | memory bandwidth | bytes of `axpy` over the time of its kernel, arrays of at least four times the host's L3 caches where they fit into memory |
//! | launch | shared memory: a loop of a few iterations for each thread; discrete: the kernel of a loop of one piece, and what that loop takes besides as `alloc_us` |
//! | link latency | the copies of one element |
//! | link bandwidth | the copies of large arrays, page-locked where the device has a use for that, less the latencies |
//! | host memory | `a[i] = b[i] + s * c[i]` on all cores, arrays as for memory bandwidth: two reads and one write are counted |

use crate::commands::{stop_on_signal, unoptimised};
use crate::failure::{Failure, eprintln_quietly, output};
use crate::harness::run_loop;
use crate::options::{ProbeOptions, check_folder, command_line};
use crate::progress::Progress;
use apportion::HostVec;
use apportion::error::{Error, Phase};
use apportion::kernel::ElementType;
use apportion::model::Machine;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, MemoryKind};
use apportion::runtime::{Report, Runtime};
use apportion_cli::grouping::{three_digits, with_spaces};
use apportion_cli::statistics::summarise;
use apportion_kernels::{Instance, find};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// How much to measure.
struct Effort {
    /// Time of one matrix product.
    product_s: f64,
    /// Least elements (f32) of a large array. [`THOROUGH`]'s are 256 MiB, [`QUICK`]'s 64 MiB; some processors have more
    /// L3 than that, so [`large_elements`] may ask for more.
    elements: usize,
    repetitions: usize,
    launches: usize,
}

const THOROUGH: Effort = Effort { product_s: 0.4, elements: 1 << 26, repetitions: 7, launches: 400 };
const QUICK: Effort = Effort { product_s: 0.1, elements: 1 << 24, repetitions: 3, launches: 100 };

/// Largest matrices: 3 GB of f32 in all.
const LARGEST_PRODUCT: usize = 16_384;

/// Steps that the bar shows for each device: two rates, memory, launch and link.
const STEPS: u64 = 4;

pub fn run(options: &ProbeOptions) -> Result<(), Failure> {
    let (machine, notes) = options.machine.load()?;
    if let Some(path) = &options.output {
        check_target(path)?;
    }
    let effort = if options.quick { QUICK } else { THOROUGH };
    let runtime = Runtime::from_machine(machine.clone())?;
    stop_on_signal(runtime.cancel_handle())?;
    let devices: Vec<_> = machine.enabled_devices().filter(|device| device.kind != DeviceKind::Emulated).collect();
    let progress = Progress::new(1 + STEPS * devices.len() as u64);
    for note in notes.iter().chain(runtime.notes()).chain(&unoptimised()) {
        progress.line(note);
    }
    for device in machine.enabled_devices().filter(|device| device.kind == DeviceKind::Emulated) {
        progress.line(&format!("{}: emulated, so its figures stay: they are what it pretends", device.name));
    }
    if devices.is_empty() {
        let what = "no enabled device can be measured: all are emulated";
        return Err(Failure::Input(format!("machine `{}`: {what}", machine.name)));
    }
    let mut measured = machine.clone();
    for device in &devices {
        let bench = Bench { runtime: &runtime, device, effort: &effort, progress: &progress };
        let entry = bench.measure()?;
        if let Some(place) = measured.devices.iter_mut().find(|place| place.id == entry.id) {
            *place = entry;
        }
    }
    measured.host_memory_gb_per_s = Some(host_memory(&runtime, &effort, &progress)?);
    drop(progress);
    let now = jiff::Timestamp::now();
    measured.created = Some(jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string());
    if options.machine.machine.is_none() {
        measured.note = Some(format!("measured by `{}`", command_line()));
        let stem = options.output.as_deref().and_then(Path::file_stem);
        measured.name = stem.map_or(measured.name, |stem| stem.to_string_lossy().into_owned());
    }
    measured.validate().map_err(|error| {
        Failure::Work(format!("what was measured makes no valid description, and nothing was written: {error}"))
    })?;
    if let Some(path) = &options.output {
        measured.save(path).map_err(|error| Failure::Work(error.to_string()))?;
        eprintln_quietly(&format!("written: {}", path.display()));
    }
    if options.json {
        output(&measured.to_json()?)
    } else {
        let hint = if options.output.is_none() { "\n-o FILE writes this as a machine description\n" } else { "" };
        output(&format!("{}{hint}", table(&machine, &measured)))
    }
}

/// Whether the description can be written, before a minute is spent on measuring.
fn check_target(path: &Path) -> Result<(), Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|_| !path.is_dir()) else {
        return Err(Failure::Input(format!("-o {}: names no file; give the path of a JSON file", path.display())));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Failure::Input(format!("-o {}: there is no folder {}", path.display(), folder.display())));
    }
    check_folder("-o", folder, &[name])
}

/// Where Linux describes the processors.
const CPUS: &str = "/sys/devices/system/cpu";

/// How many times the L3 caches an array is, so that at most a quarter of it comes from them.
const TIMES_L3: u64 = 4;

/// Elements (f32) of a large array: so many that the cores' caches hold no large part of it.
///
/// Devices with memory of their own do not read through the host's caches.
fn large_elements(least: usize, memory: MemoryKind, l3_bytes: u64) -> usize {
    let wanted = TIMES_L3 * l3_bytes / size_of::<f32>() as u64;
    match memory {
        MemoryKind::Shared => least.max(usize::try_from(wanted).unwrap_or(usize::MAX)),
        MemoryKind::Discrete => least,
    }
}

/// Bytes of all L3 caches together, since all cores share an array; 0 where the system does not tell.
fn l3_bytes(cpus: &Path) -> u64 {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut caches = BTreeMap::new();
    for cache in entries(cpus).flat_map(|cpu| entries(&cpu.join("cache"))) {
        let read = |name: &str| std::fs::read_to_string(cache.join(name)).map(|text| text.trim().to_owned()).ok();
        if read("level").as_deref() == Some("3")
            && let Some(size) = read("size").as_deref().and_then(bytes)
            && let Some(cores) = read("shared_cpu_list")
        {
            // Each of the cores that share a cache names it.
            caches.insert(cores, size);
        }
    }
    caches.values().sum()
}

/// `32768K`, as Linux writes it.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// The most elements up to `wanted` of which so many arrays fit into memory.
fn fitting(wanted: usize, arrays: usize) -> Result<usize, Failure> {
    let mut n = wanted;
    // Of axpy's two arrays.
    while n > 1 << 20
        && find("axpy")?.outline(n.saturating_mul(arrays).div_ceil(2), ElementType::F32)?.check_memory().is_err()
    {
        n /= 2;
    }
    Ok(n)
}

/// What all cores together get from the host's memory, which the links' copies draw on too.
fn host_memory(runtime: &Runtime, effort: &Effort, progress: &Progress) -> Result<Figure, Failure> {
    progress.now("host memory".to_owned());
    let wanted = large_elements(effort.elements, MemoryKind::Shared, l3_bytes(Path::new(CPUS)));
    let n = fitting(wanted, TRIAD_ARRAYS)?;
    let mut arrays = Triad::new(n)?;
    arrays.run();
    let mut samples = Vec::new();
    for _ in 0..effort.repetitions {
        if runtime.cancel_handle().is_cancelled() {
            return Err(Failure::Stopped);
        }
        let start = Instant::now();
        arrays.run();
        samples.push((TRIAD_ARRAYS * n * size_of::<f32>()) as f64 / start.elapsed().as_secs_f64() / 1e9);
    }
    let threads = rayon::current_num_threads();
    let what = format!(
        "a[i] = b[i] + s c[i], n = {}, f32, {threads} threads; counted are two reads and one write",
        with_spaces(n as u64)
    );
    let figure = median_of(&samples, &what)
        .ok_or_else(|| Failure::Work("the clock does not go on: the host's memory cannot be measured".to_owned()))?;
    progress.line(&format!("host memory {} GB/s", three_digits(figure.value)));
    progress.advance(1);
    Ok(figure)
}

const TRIAD_ARRAYS: usize = 3;

/// Arrays that a loop reads two of and writes one.
struct Triad {
    a: HostVec<f32>,
    b: HostVec<f32>,
    c: HostVec<f32>,
}

impl Triad {
    /// No device copies them, so they need not be page-locked.
    fn new(n: usize) -> Result<Self, Error> {
        let (mut b, mut c) = (HostVec::plain(n)?, HostVec::plain(n)?);
        for (array, value) in [(&mut b, 1.0), (&mut c, 2.0)] {
            array.par_chunks_mut(TRIAD_PIECE).for_each(|piece| piece.fill(value));
        }
        Ok(Self { a: HostVec::plain(n)?, b, c })
    }

    fn run(&mut self) {
        let inputs = self.b.par_chunks(TRIAD_PIECE).zip(self.c.par_chunks(TRIAD_PIECE));
        self.a.par_chunks_mut(TRIAD_PIECE).zip(inputs).for_each(|(a, (b, c))| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + 0.5 * c;
            }
        });
    }
}

/// Elements that a thread has at a time: 1 MiB, beside which handing it out costs nothing.
const TRIAD_PIECE: usize = 1 << 18;

/// One device at work.
struct Bench<'b> {
    runtime: &'b Runtime,
    device: &'b DeviceEntry,
    effort: &'b Effort,
    progress: &'b Progress,
}

impl Bench<'_> {
    fn measure(&self) -> Result<DeviceEntry, Failure> {
        let mut entry = self.device.clone();
        entry.f32_gflop_per_s = self.rate(ElementType::F32)?;
        entry.f64_gflop_per_s = self.rate(ElementType::F64)?;
        self.small(&mut entry)?;
        self.large(&mut entry)?;
        Ok(entry)
    }

    fn now(&self, what: &str) {
        self.progress.now(format!("{}: {what}", self.device.name));
    }

    fn done(&self, what: &str, figure: &Figure, unit: &str) {
        self.progress.line(&format!("{}: {what} {} {unit}", self.device.name, three_digits(figure.value)));
    }

    fn build(&self, workload: &str, n: usize, element: ElementType) -> Result<Box<dyn Instance>, Failure> {
        Ok(find(workload)?.build(n, element, 42)?)
    }

    /// One loop on this device alone.
    fn once(&self, instance: &mut dyn Instance) -> Result<Report, Failure> {
        let specifier = self.device.id.to_string();
        let (report, _) = run_loop(self.runtime, instance, |a_loop| a_loop.devices(specifier))?;
        match report.faults.into_iter().next() {
            Some(fault) => Err(Failure::Work(fault.to_string())),
            None => Ok(Report { faults: Vec::new(), ..report }),
        }
    }

    /// A rate of wrong results would be worth nothing.
    fn verify(&self, workload: &str, n: usize, element: ElementType) -> Result<(), Failure> {
        let mut instance = self.build(workload, n, element)?;
        let specifier = self.device.id.to_string();
        let (_, reduced) = run_loop(self.runtime, &mut *instance, |a_loop| a_loop.devices(specifier).poison(true))?;
        let verification = instance.verify(reduced);
        if verification.ok {
            return Ok(());
        }
        Err(Failure::Work(format!(
            "device `{}` computes {workload} in {element} wrong ({verification}): nothing was written; set its \
             `enabled` to false to leave it out",
            self.device.name
        )))
    }

    /// Sustained operations: n grows until one product takes long enough.
    fn rate(&self, element: ElementType) -> Result<Figure, Failure> {
        self.now(&format!("rate in {element}"));
        self.verify("matmul", 128, element)?;
        let mut n = 256;
        let (mut instance, mut time) = loop {
            let mut instance = self.build("matmul", n, element)?;
            // The first run of a size warms up; the second tells.
            self.once(&mut *instance)?;
            let time = kernel_time(&self.once(&mut *instance)?);
            if time >= 0.5 * self.effort.product_s || n >= LARGEST_PRODUCT {
                break (instance, time);
            }
            let grow = (self.effort.product_s / time.max(1e-9)).cbrt().clamp(1.25, 4.0);
            let next = ((n as f64 * grow / 64.0).round() as usize * 64).min(LARGEST_PRODUCT);
            if find("matmul")?.outline(next, element)?.check_memory().is_err() {
                break (instance, time);
            }
            n = next;
        };
        let mut rates = Vec::new();
        for _ in 0..self.effort.repetitions {
            let operations = instance.kernel().stated_cost().unwrap_or_default().flops * instance.iterations() as f64;
            rates.push(operations / time);
            time = kernel_time(&self.once(&mut *instance)?);
        }
        let what = format!("matmul, n = {n}, {element}, kernel");
        let figure = self.median(rates.iter().map(|rate| rate / 1e9).collect(), &what)?;
        self.done(&format!("rate in {element}"), &figure, "GFLOP/s");
        self.progress.advance(1);
        Ok(figure)
    }

    /// Launch and latencies, from loops of a few iterations.
    fn small(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("launch");
        let discrete = self.device.memory == MemoryKind::Discrete;
        let (mut launch, mut once, mut to, mut from) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // All threads of a host take part, as in any loop that is worth dividing; waking them is what starting costs.
        let threads = if discrete { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        let mut axpy = self.build("axpy", 64 * threads, ElementType::F32)?;
        for _ in 0..self.effort.launches / 10 {
            self.once(&mut *axpy)?;
        }
        for _ in 0..self.effort.launches {
            let report = self.once(&mut *axpy)?;
            let phases = |phase| phase_time(&report, phase);
            let copies = phases(Phase::To) + phases(Phase::From);
            // A device with its own memory starts its chunks ahead of time: what a loop takes besides is paid once.
            launch.push(if discrete { phases(Phase::Kernel) } else { report.elapsed.0 } * 1e6);
            once.push((report.elapsed.0 - phases(Phase::Kernel) - copies) / 2.0 * 1e6);
            // x and y go there, y comes back.
            to.push(phases(Phase::To) / 2.0 * 1e6);
            from.push(phases(Phase::From) * 1e6);
        }
        let what = if discrete { "loop of one piece, its kernel" } else { "loop of a few iterations for each thread" };
        entry.launch_us = self.median(launch, what)?;
        self.done("launch", &entry.launch_us, "us");
        if discrete {
            let alloc = self.median(once, "loop of one piece, without kernel and copies, per array")?;
            self.done("once per array", &alloc, "us");
            entry.alloc_us = Some(alloc);
        }
        if let Some(link) = &mut entry.link {
            link.to.latency_us = self.median(to, "copy of 256 bytes")?;
            link.from.latency_us = self.median(from, "copy of 256 bytes")?;
            self.done("latency to", &link.to.latency_us, "us");
            self.done("latency from", &link.from.latency_us, "us");
        }
        self.progress.advance(1);
        Ok(())
    }

    /// Bandwidths, from large arrays.
    fn large(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("memory and link");
        self.verify("axpy", 1 << 16, ElementType::F32)?;
        // Half of the memory is left to the device's driver, and to what else runs.
        // A fast link is done with a small array before anything settles.
        let (longer, oftener) = if self.device.kind == DeviceKind::Cuda { (4, 3) } else { (1, 1) };
        let wanted = large_elements(longer * self.effort.elements, self.device.memory, l3_bytes(Path::new(CPUS)));
        let n = fitting(wanted, 4)?;
        let link = entry.link.as_ref().map(apportion::model::machine::Link::model);
        let (mut memory, mut to, mut from) = (Vec::new(), Vec::new(), Vec::new());
        let mut axpy = self.build("axpy", n, ElementType::F32)?;
        self.once(&mut *axpy)?;
        for _ in 0..oftener * self.effort.repetitions {
            let report = self.once(&mut *axpy)?;
            memory.push(bytes_of(&*axpy) / kernel_time(&report) / 1e9);
            if let (Some(link), Some(device)) = (&link, report.devices.first()) {
                let pieces = device.pieces.len() as f64;
                let rate =
                    |bytes: u64, time: f64, latencies: f64| bytes as f64 / (time - latencies).max(0.5 * time) / 1e9;
                let time = |phase| phase_time(&report, phase);
                to.push(rate(device.bytes_to.0, time(Phase::To), 2.0 * pieces * link.to_latency.0));
                from.push(rate(device.bytes_from.0, time(Phase::From), pieces * link.from_latency.0));
            }
        }
        let locked = axpy.is_page_locked();
        drop(axpy);
        let mut sum = self.build("sum", n, ElementType::F32)?;
        self.once(&mut *sum)?;
        let mut reads = Vec::new();
        for _ in 0..self.effort.repetitions {
            let report = self.once(&mut *sum)?;
            reads.push(bytes_of(&*sum) / kernel_time(&report) / 1e9);
        }
        let reads = summarise(&reads).map_or(0.0, |summary| summary.median);
        let size = with_spaces(n as u64);
        let what = format!("axpy, n = {size}, f32, kernel (reading alone, by sum: {})", three_digits(reads));
        entry.memory_gb_per_s = self.median(memory, &what)?;
        self.done("memory", &entry.memory_gb_per_s, "GB/s");
        if let Some(link) = &mut entry.link {
            let memory = if locked { "page-locked" } else { "plain memory" };
            let what = format!("copies of axpy, n = {size}, f32, {memory}, both directions at once");
            link.to.bandwidth_gb_per_s = self.best(&to, &what)?;
            link.from.bandwidth_gb_per_s = self.best(&from, &what)?;
            self.done("link to", &link.to.bandwidth_gb_per_s, "GB/s");
            self.done("link from", &link.from.bandwidth_gb_per_s, "GB/s");
        }
        self.progress.advance(1);
        Ok(())
    }

    /// The median as a figure.
    fn median(&self, samples: Vec<f64>, what: &str) -> Result<Figure, Failure> {
        median_of(&samples, what).ok_or_else(|| self.no_time(what))
    }

    /// The largest as a figure: what else goes on in the machine makes a link slower, never faster.
    fn best(&self, samples: &[f64], what: &str) -> Result<Figure, Failure> {
        let summary = summarise(samples).ok_or_else(|| self.no_time(what))?;
        let note = format!("{what}; best of {}, from {}", summary.count, three_digits(summary.min));
        Ok(Figure::measured(four_digits(summary.max)).with_note(note))
    }

    fn no_time(&self, what: &str) -> Failure {
        Failure::Work(format!(
            "device `{}` reports no time for: {what}; its driver may have no profiling",
            self.device.name
        ))
    }
}

/// The median as a figure, rounded to what such a measurement is worth.
fn median_of(samples: &[f64], what: &str) -> Option<Figure> {
    let summary = summarise(samples)?;
    let note =
        format!("{what}; median of {}, {} to {}", summary.count, three_digits(summary.min), three_digits(summary.max));
    Some(Figure::measured(four_digits(summary.median)).with_note(note))
}

fn phase_time(report: &Report, phase: Phase) -> f64 {
    report.devices.iter().map(|device| device.phases[phase].0).sum()
}

fn kernel_time(report: &Report) -> f64 {
    phase_time(report, Phase::Kernel)
}

/// Bytes between cores and memory, by the stated cost.
fn bytes_of(instance: &dyn Instance) -> f64 {
    let cost = instance.kernel().stated_cost().unwrap_or_default();
    (cost.loads + cost.stores) * instance.iterations() as f64
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// What was there before, and what was measured.
fn table(before: &Machine, after: &Machine) -> String {
    let mut text = String::new();
    if let Some(new) = &after.host_memory_gb_per_s {
        let number = crate::commands::devices::number;
        let was = before.host_memory_gb_per_s.as_ref().map_or_else(|| "unknown".to_owned(), number);
        let note = new.note.as_deref().unwrap_or("");
        let _ =
            writeln!(text, "host memory\n  {:<14} {:>8} {:<8} (was {was})  {note}", "all cores", number(new), "GB/s");
    }
    for (old, new) in before.devices.iter().zip(&after.devices).filter(|(_, new)| new.enabled) {
        let _ = writeln!(text, "{}", new.name);
        let mut line = |what: &str, unit: &str, old: &Figure, new: &Figure| {
            let was = crate::commands::devices::number(old);
            let is = crate::commands::devices::number(new);
            let _ = writeln!(text, "  {what:<14} {is:>8} {unit:<8} (was {was})  {}", new.note.as_deref().unwrap_or(""));
        };
        line("f32", "GFLOP/s", &old.f32_gflop_per_s, &new.f32_gflop_per_s);
        line("f64", "GFLOP/s", &old.f64_gflop_per_s, &new.f64_gflop_per_s);
        line("memory", "GB/s", &old.memory_gb_per_s, &new.memory_gb_per_s);
        line("launch", "us", &old.launch_us, &new.launch_us);
        if let (Some(old), Some(new)) = (&old.link, &new.link) {
            line("latency to", "us", &old.to.latency_us, &new.to.latency_us);
            line("latency from", "us", &old.from.latency_us, &new.from.latency_us);
            line("link to", "GB/s", &old.to.bandwidth_gb_per_s, &new.to.bandwidth_gb_per_s);
            line("link from", "GB/s", &old.from.bandwidth_gb_per_s, &new.from.bandwidth_gb_per_s);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l3_caches_count_once_each_and_large_arrays_are_four_times_as_large() {
        let folder = tempfile::TempDir::new().unwrap();
        // Four cores, two of which share an L3 each; lower levels and other folders do not count.
        for (cpu, shared) in [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")] {
            for (index, level, size) in [(2, "2", "1024K"), (3, "3", "98304K")] {
                let cache = folder.path().join(format!("cpu{cpu}/cache/index{index}"));
                std::fs::create_dir_all(&cache).unwrap();
                for (name, text) in [("level", level), ("size", size), ("shared_cpu_list", shared)] {
                    std::fs::write(cache.join(name), format!("{text}\n")).unwrap();
                }
            }
        }
        std::fs::create_dir(folder.path().join("cpufreq")).unwrap();
        let l3 = l3_bytes(folder.path());
        assert_eq!(l3, 192 << 20);
        assert_eq!(large_elements(1 << 24, MemoryKind::Shared, l3) * size_of::<f32>(), 768 << 20);
        assert_eq!(large_elements(1 << 24, MemoryKind::Discrete, l3), 1 << 24);
        assert_eq!(large_elements(1 << 26, MemoryKind::Shared, 32 << 20), 1 << 26);
        assert_eq!(l3_bytes(&folder.path().join("none")), 0);
    }

    #[test]
    fn the_triad_reaches_every_element() {
        let mut triad = Triad::new(3 * TRIAD_PIECE + 5).unwrap();
        triad.run();
        assert!(triad.a.iter().all(|&a| a == 2.0) && triad.a.len() == 3 * TRIAD_PIECE + 5);
    }

    #[test]
    fn sizes_of_caches_are_read() {
        assert_eq!(["32768K", "260M", "1G", "512"].map(bytes), [32 << 20, 260 << 20, 1 << 30, 512].map(Some));
        assert_eq!(["", "K", "3X", "4KB", "-1K"].map(bytes), [None; 5]);
    }
}
