//! One device alone.

use super::bursts::{HALF_RATE, Key, LIBRARY_HALF_RATE};
use super::streams::{ELEMENT, Streams, Way, after_the_last, copied_per_second, phase_time};
use super::{Effort, Probe, host};
use crate::failure::Failure;
use crate::once::{prepare, run_again, run_loop};
use apportion::error::Phase;
use apportion::kernel::ElementType;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, MemoryKind};
use apportion::runtime::Report;
use apportion_cli::grouping::{three_digits, with_spaces};
use apportion_cli::statistics::summarise;
use apportion_kernels::{Instance, find};
use std::path::Path;

/// Steps that the bar shows for each device: three rates, small loops, memory, link.
pub const STEPS: u64 = 6;
/// Number of figures of a device that are repeated as long as time allows, about.
pub const FIGURES: usize = 20;

/// The key of a launch, or of the start of a loop in host memory.
pub const LAUNCH: &str = "launch";
/// How that start is measured.
pub const SHORT_LOOP: &str = "loop of a few iterations for each thread";

/// Largest matrices: 0.8 GB of f32 in all.
const LARGEST_PRODUCT: usize = 8192;

/// Rows and columns of short matrix products: what a call takes beyond its work is a large part of their time.
const SHORT_PRODUCTS: [usize; 3] = [512, 1024, 2048];

/// The factor by which an emulated device stretches all times.
pub fn time_scale(device: &DeviceEntry) -> f64 {
    device.emulated.as_ref().and_then(|section| section.time_scale).unwrap_or(1.0)
}

/// Elements of an array whose copies take long enough. An emulated device is as slow as described, and does its work for real.
pub fn copied_elements(device: &DeviceEntry, effort: &Effort) -> usize {
    let Some(link) = device.link.as_ref().filter(|_| device.kind == DeviceKind::Emulated) else {
        // On a fast link a small array is copied before the rate settles.
        return if device.kind == DeviceKind::Cuda { 4 * effort.elements } else { effort.elements };
    };
    let slowest = link.to.bandwidth_gb_per_s.value.min(link.from.bandwidth_gb_per_s.value);
    let slowest = slowest.min(device.memory_gb_per_s.value / 2.0) / time_scale(device);
    ((slowest * 1e9 * effort.product_s / ELEMENT) as usize).clamp(1 << 10, effort.elements)
}

/// Number of threads of all cores.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The key of a rate of operations.
fn rate_name(element: ElementType) -> &'static str {
    match element {
        ElementType::F64 => "rate in f64",
        ElementType::U8 => "rate in u8",
        _ => "rate in f32",
    }
}

pub struct Bench<'b> {
    pub probe: &'b Probe<'b>,
    pub device: &'b DeviceEntry,
}

impl Bench<'_> {
    pub fn measure(&self) -> Result<DeviceEntry, Failure> {
        let mut entry = self.device.clone();
        if self.device.kind != DeviceKind::Emulated {
            // Figures not measured this time become unknown: they belong to others that are measured now.
            (entry.issue_us, entry.crowded_gb_per_s) = (None, None);
            (entry.wake_alone_us, entry.library_wake_us) = (None, None);
            if self.device.memory == MemoryKind::Shared {
                entry.sync_us = None;
            }
        }
        entry.f32_gflop_per_s = self.rate("matmul", 3.0, ElementType::F32)?;
        entry.f64_gflop_per_s = self.rate("matmul", 3.0, ElementType::F64)?;
        entry.u8_gop_per_s = Some(self.rate("bm2d", 2.0, ElementType::U8)?);
        if self.device.memory == MemoryKind::Discrete {
            self.small(&mut entry)?;
            self.probe.progress.advance(1);
            self.own_memory(&mut entry)?;
            if self.device.kind == DeviceKind::Cuda {
                self.library(&mut entry)?;
            }
            self.link(&mut entry)?;
        } else {
            // The memory bandwidth must be known before small loops: their arrays' time is subtracted.
            self.host_memory(&mut entry)?;
            self.small(&mut entry)?;
            self.probe.progress.advance(1);
            self.probe.progress.advance(1);
        }
        Ok(entry)
    }

    fn now(&self, what: &str) {
        self.probe.progress.now(format!("{}: {what}", self.device.name));
    }

    /// Converts a measured time to the device's own seconds.
    fn own(&self, time: f64) -> f64 {
        time / time_scale(self.device)
    }

    fn kernel_time(&self, report: &Report) -> f64 {
        self.own(phase_time(report, Phase::Kernel))
    }

    fn build(&self, workload: &str, n: usize, element: ElementType) -> Result<Box<dyn Instance>, Failure> {
        Ok(find(workload)?.build(n, element, 42)?)
    }

    /// One loop on this device alone.
    fn once(&self, instance: &mut dyn Instance) -> Result<Report, Failure> {
        prepare(instance);
        self.again(instance)
    }

    /// The same again, at once, on the arrays as they are.
    fn again(&self, instance: &mut dyn Instance) -> Result<Report, Failure> {
        let specifier = self.device.id.to_string();
        let (mut report, _) = run_again(self.probe.runtime, instance, |a_loop| a_loop.devices(specifier))?;
        match std::mem::take(&mut report.faults).into_iter().next() {
            Some(fault) => Err(Failure::Work(fault.to_string())),
            None => Ok(report),
        }
    }

    fn stream(&self, streams: &mut Streams, way: Way, n: usize) -> Result<Report, Failure> {
        streams.run(self.probe.runtime, &[self.device.id], way, n)
    }

    /// Verifies the result: a rate of wrong results would be useless.
    fn verify(&self, workload: &str, n: usize, element: ElementType) -> Result<(), Failure> {
        let mut instance = self.build(workload, n, element)?;
        let specifier = self.device.id.to_string();
        let run = run_loop(self.probe.runtime, &mut *instance, |a_loop| a_loop.devices(specifier).poison(true))?;
        let verification = instance.verify(run.1);
        if verification.ok {
            return Ok(());
        }
        Err(self.wrong(&format!("{workload} in {element} wrong ({verification})")))
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::Work(format!(
            "device `{}` computes {what}: nothing was written; set its `enabled` to false to leave it out",
            self.device.name
        ))
    }

    /// Sustained operations of a workload whose work grows with a `power` of n: n grows until a run takes long enough.
    fn rate(&self, workload: &str, power: f64, element: ElementType) -> Result<Figure, Failure> {
        self.now(&format!("rate in {element}"));
        let name = rate_name(element);
        let effort = self.probe.effort;
        let wanted = effort.product_s * time_scale(self.device);
        let known = self.probe.sizes.borrow().get(&self.key(name)).copied();
        if known.is_none() {
            self.verify(workload, 128, element)?;
        }
        let mut n = known.unwrap_or(256);
        let mut instance = loop {
            let mut instance = self.build(workload, n, element)?;
            // The first run of a size warms up, and other activity may delay one.
            let mut time = f64::INFINITY;
            for _ in 0..2 {
                time = time.min(phase_time(&self.once(&mut *instance)?, Phase::Kernel));
            }
            if known.is_some() || time >= 0.5 * wanted || n >= LARGEST_PRODUCT {
                break instance;
            }
            let grow = (wanted / time.max(1e-9)).powf(1.0 / power).clamp(1.25, 4.0);
            let next = ((n as f64 * grow / 64.0).round() as usize * 64).min(LARGEST_PRODUCT);
            if next == n || find(workload)?.outline(next, element)?.check_memory().is_err() {
                break instance;
            }
            n = next;
        };
        self.probe.sizes.borrow_mut().insert(self.key(name), n);
        let operations = instance.kernel().stated_cost().unwrap_or_default().flops * instance.iterations() as f64;
        let rates = self
            .probe
            .repeated(effort.repetitions, || Ok(operations / self.kernel_time(&self.once(&mut *instance)?) / 1e9))?;
        // The median, as for memory, since that is what loops get, not the best.
        let figure = self.median(name, &rates, &format!("{workload}, n = {n}, {element}, kernel"))?;
        self.probe.progress.advance(1);
        Ok(figure)
    }

    /// Launch, latencies, and the time before and after, from loops of a few iterations.
    pub fn small(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("launch");
        let discrete = self.device.memory == MemoryKind::Discrete;
        let (mut once, mut sync, mut to, mut from) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // All threads of the host take part, as in any loop worth dividing; waking them is the cost of starting.
        let iterations = if discrete { 64 } else { super::chunks::length() };
        let mut axpy = self.build("axpy", iterations, ElementType::F32)?;
        let effort = self.probe.effort;
        self.probe.repeated(effort.launches / 10, || self.once(&mut *axpy).map(|_| 0.0))?;
        let launch = self.probe.repeated(effort.launches, || {
            let report = self.again(&mut *axpy)?;
            let phases = |phase| self.own(phase_time(&report, phase));
            let copies = phases(Phase::To) + phases(Phase::From);
            let (elapsed, end) = (self.own(report.elapsed.0), self.own(after_the_last(&report)));
            // A device with its own memory starts chunks ahead of time, so the rest of a loop's time is paid once.
            once.push((elapsed - phases(Phase::Kernel) - copies - end).max(0.0) / 2.0 * 1e6);
            sync.push(end * 1e6);
            // x and y are copied in, y is copied back.
            to.push(phases(Phase::To) / 2.0 * 1e6);
            from.push(phases(Phase::From) * 1e6);
            Ok(if discrete { phases(Phase::Kernel) } else { elapsed } * 1e6)
        })?;
        let what = if discrete { "loop of one piece, its kernel" } else { SHORT_LOOP };
        entry.launch_us = self.median(LAUNCH, &launch, what)?;
        if self.device.kind != DeviceKind::Emulated {
            let fetched = if discrete { 0.0 } else { super::chunks::at_rate(entry, iterations) };
            let wake = self.wake(&mut *axpy, fetched)?;
            entry.wake_us = Some(wake);
        }
        if discrete {
            let alloc = self.median("once", &once, "loop of one piece, what comes before and between, per array")?;
            entry.alloc_us = Some(alloc);
            let sync = self.median("sync", &sync, "loop of one piece, from the end of its last copy to its return")?;
            entry.sync_us = Some(sync);
        }
        if let Some(link) = &mut entry.link {
            link.to.latency_us = self.median("latency to", &to, "copy of 256 bytes")?;
            link.from.latency_us = self.median("latency from", &from, "copy of 256 bytes")?;
        }
        Ok(())
    }

    /// Extra time of a loop after other work, when the device rests and its threads sleep, over a loop right after another.
    /// `fetched` is subtracted: the time that its arrays take to come from memory, which the model counts separately.
    fn wake(&self, instance: &mut dyn Instance, fetched: f64) -> Result<Figure, Failure> {
        self.now("launch after a rest");
        let mut after = |rest: bool| -> Result<Vec<f64>, Failure> {
            self.probe.repeated(self.probe.effort.launches / 2, || {
                let report = if rest { self.once(instance) } else { self.again(instance) };
                Ok(report?.elapsed.0 * 1e6)
            })
        };
        let (rested, at_once) = (after(true)?, after(false)?);
        let usual = self.probe.middle(self.key("at once"), &at_once).map_or(0.0, |middle| middle.value);
        let what = format!("loop after other work, beyond one right after another, {} us", three_digits(usual));
        let rested = self.probe.middle(self.key("rested"), &rested).ok_or_else(|| self.no_time(&what))?;
        Ok(rested.map(|time| (time - usual - fetched * 1e6).max(0.0)).figure(&what, &self.probe.when))
    }

    /// Bandwidth of the host's memory as this device gets it.
    fn host_memory(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("memory");
        self.verify("axpy", 1 << 16, ElementType::F32)?;
        let l3 = host::l3_bytes(Path::new(host::CPUS));
        let wanted = host::large_elements(self.probe.effort.elements, MemoryKind::Shared, l3);
        let wanted = if self.device.kind == DeviceKind::Emulated { 1 << 20 } else { wanted };
        // Leaves half of the memory to other programs.
        let n = host::fitting(wanted, 4)?;
        let bandwidth = |workload: &str| -> Result<Vec<f64>, Failure> {
            let mut instance = self.build(workload, n, ElementType::F32)?;
            self.once(&mut *instance)?;
            let cost = instance.kernel().stated_cost().unwrap_or_default();
            let bytes = (cost.loads + cost.stores) * instance.iterations() as f64;
            self.probe.repeated(self.probe.effort.repetitions, || {
                Ok(bytes / self.kernel_time(&self.once(&mut *instance)?) / 1e9)
            })
        };
        let both = bandwidth("axpy")?;
        let size = with_spaces(n as u64);
        // All cores at work slow each other: the median is what loops get, not the best.
        entry.memory_gb_per_s = self.median("memory", &both, &format!("axpy, n = {size}, f32, kernel"))?;
        if self.device.kind != DeviceKind::Emulated {
            let reads = self.median("reading", &bandwidth("sum")?, &format!("sum, n = {size}, f32, kernel"))?;
            entry.read_gb_per_s = Some(reads);
            let mut streams = Streams::new(n, true)?;
            self.stream(&mut streams, Way::Both, n)?;
            let copies = self.probe.repeated(self.probe.effort.repetitions, || {
                let time = self.kernel_time(&self.stream(&mut streams, Way::Both, n)?);
                Ok(2.0 * ELEMENT * n as f64 / time / 1e9)
            })?;
            let what = format!("y[i] = a x[i], n = {size}, f32, kernel; counted are one read and one write");
            let copies = self.median("copying", &copies, &what)?;
            entry.copy_gb_per_s = Some(copies);
        }
        self.probe.progress.advance(1);
        Ok(())
    }

    /// Bandwidth of the device's own memory, and how far short kernels fall below it.
    fn own_memory(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("memory");
        let emulated = self.device.kind == DeviceKind::Emulated;
        // It must fit into the device's memory: an eighth of that should always be free.
        let room = self.device.memory_gib.as_ref().map_or(f64::INFINITY, |gib| gib.value * f64::from(1 << 30) / 8.0);
        let wanted = if emulated {
            let rate = self.device.memory_gb_per_s.value * 1e9 / time_scale(self.device);
            rate * self.probe.effort.product_s / (2.0 * ELEMENT)
        } else {
            (4 * self.probe.effort.elements) as f64
        };
        let n = (wanted.min(room / (2.0 * ELEMENT)) as usize).max(1 << 12).min(4 * self.probe.effort.elements);
        // Host arrays are not touched; their length gives that of the device's arrays.
        let n = host::fitting(n, 2)?;
        let mut streams = Streams::new(n, false)?;
        let mut times = |n: usize| -> Result<Vec<f64>, Failure> {
            self.stream(&mut streams, Way::Inside, n)?;
            self.probe.repeated(2 * self.probe.effort.repetitions, || {
                Ok(self.kernel_time(&self.stream(&mut streams, Way::Inside, n)?))
            })
        };
        let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        // The fixed time of a kernel is the same in both, so it cancels in the difference.
        let short = n / 4;
        let long_times = self.probe.all(self.key("long kernel"), &times(n)?);
        let short_time = least(&self.probe.all(self.key("short kernel"), &times(short)?));
        let bytes = |n: usize| 2.0 * ELEMENT * n as f64;
        let rates: Vec<f64> = long_times
            .iter()
            .map(|&time| (time, time - short_time))
            .map(|(time, more)| if more > 0.25 * time { bytes(n - short) / more } else { bytes(n) / time } / 1e9)
            .collect();
        let size = with_spaces(n as u64);
        let what = format!("y[i] = a x[i], n = {size}, f32, in the device's memory, less the time of a quarter of it");
        entry.memory_gb_per_s = self.probe.largest(&rates, &what).ok_or_else(|| self.no_time(&what))?;
        let rate = entry.memory_gb_per_s.value * 1e9;
        let start = summarise(&times(64)?).map_or(0.0, |summary| summary.median);
        let mut beyond = Vec::new();
        for work_us in [4.0, 8.0, 16.0, 32.0] {
            let n = ((work_us * 1e-6 * rate / (2.0 * ELEMENT)) as usize).clamp(64, n);
            let time = summarise(&times(n)?).map_or(0.0, |summary| summary.median);
            beyond.push((time - start - bytes(n) / rate) * 1e6);
        }
        let what = "kernels of 4 to 32 us: what they take beyond their launch and their work at full rate";
        let half_rate = self.probe.middle(self.key(HALF_RATE), &beyond).ok_or_else(|| self.no_time(what))?;
        // Work that fits into caches beats the rate of memory; then nothing is left beyond.
        entry.half_rate_us = Some(half_rate.map(|time| time.max(0.0)).figure(what, &self.probe.when));
        self.probe.progress.advance(1);
        Ok(())
    }

    /// How far short matrix products by a library fall below its full rate.
    fn library(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("short matrix products");
        let rate = entry.f32_gflop_per_s.value * 1e9;
        let mut beyond = Vec::new();
        for n in SHORT_PRODUCTS {
            let mut instance = self.build("matmul", n, ElementType::F32)?;
            let row = instance.kernel().stated_cost().unwrap_or_default().flops / rate;
            self.once(&mut *instance)?;
            let longer = self.probe.repeated(self.probe.effort.repetitions, || {
                let report = self.once(&mut *instance)?;
                // A loop may be cut into several pieces, each of them a call.
                let pieces = report.devices.iter().flat_map(|device| &device.pieces);
                let each = pieces.filter_map(|piece| {
                    let kernel = piece.kernel.as_ref()?;
                    Some(self.own((kernel.end - kernel.start).0) - row * piece.range.len() as f64)
                });
                Ok(summarise(&each.collect::<Vec<_>>()).map_or(0.0, |summary| summary.median) * 1e6)
            })?;
            beyond.extend(longer.iter().map(|time| time - entry.launch_us.value));
        }
        let what = "matrix products of 512 to 2048 squared, f32: what each call takes beyond its launch and its work at full rate";
        let half_rate = self.probe.middle(self.key(LIBRARY_HALF_RATE), &beyond).ok_or_else(|| self.no_time(what))?;
        entry.library_half_rate_us = Some(half_rate.map(|time| time.max(0.0)).figure(what, &self.probe.when));
        Ok(())
    }

    /// Bandwidths of the link, from large arrays.
    fn link(&self, entry: &mut DeviceEntry) -> Result<(), Failure> {
        self.now("link");
        self.verify("axpy", 1 << 12, ElementType::F32)?;
        let n = host::fitting(copied_elements(self.device, self.probe.effort), 4)?;
        let Some(link) = &mut entry.link else { return Ok(()) };
        let model = link.model();
        let size = with_spaces(n as u64);
        let mut streams = Streams::new(n, false)?;
        let locked = streams.is_page_locked();
        let memory = if locked { "page-locked" } else { "plain memory" };
        let latency = |phase| if phase == Phase::To { model.to_latency.0 } else { model.from_latency.0 };
        // Time in copies only, which follow one another; each piece has its own latency.
        let rate = |report: &Report, phase: Phase| {
            let device = report.devices.first();
            let pieces = device.map_or(0, |device| device.pieces.len()) as f64;
            let bytes =
                device.map_or(0, |device| if phase == Phase::To { device.bytes_to.0 } else { device.bytes_from.0 });
            let time = self.own(phase_time(report, phase));
            bytes as f64 / (time - pieces * latency(phase)).max(0.5 * time) / 1e9
        };
        let (mut to, mut from) = (Vec::new(), Vec::new());
        self.stream(&mut streams, Way::Both, n)?;
        if !streams.is_right(n) {
            return Err(self.wrong("y[i] = a x[i] wrong"));
        }
        let repetitions = self.probe.effort.repetitions;
        self.probe.repeated(repetitions, || {
            let report = self.stream(&mut streams, Way::Both, n)?;
            to.push(rate(&report, Phase::To));
            from.push(rate(&report, Phase::From));
            Ok(0.0)
        })?;
        let what = |more: &str| format!("copies of y[i] = a x[i], n = {size}, f32, {more}");
        let both = what(&format!("{memory}, both directions at once"));
        link.to.bandwidth_gb_per_s = self.best("link to", &to, &both)?;
        link.from.bandwidth_gb_per_s = self.best("link from", &from, &both)?;
        let one = what(&format!("{memory}, this direction alone"));
        for (way, phase, direction) in [(Way::To, Phase::To, &mut link.to), (Way::From, Phase::From, &mut link.from)] {
            self.stream(&mut streams, way, n)?;
            let alone = self.probe.repeated(repetitions, || Ok(rate(&self.stream(&mut streams, way, n)?, phase)))?;
            direction.alone_gb_per_s =
                Some(self.best(if way == Way::To { "alone to" } else { "alone from" }, &alone, &one)?);
            direction.plain_gb_per_s = None;
        }
        drop(streams);
        if locked {
            let mut streams = Streams::new(n, true)?;
            // Several threads copy, so count the time from the first copy to the end of the last.
            for (way, direction) in [(Way::To, &mut link.to), (Way::From, &mut link.from)] {
                self.stream(&mut streams, way, n)?;
                let plain = self.probe.repeated(repetitions, || {
                    let report = self.stream(&mut streams, way, n)?;
                    let copied = report.devices.first().and_then(|device| copied_per_second(device, way));
                    Ok(copied.unwrap_or(0.0) * time_scale(self.device) / 1e9)
                })?;
                direction.plain_gb_per_s = Some(self.best(
                    if way == Way::To { "plain to" } else { "plain from" },
                    &plain,
                    &what("plain memory, this direction alone"),
                )?);
            }
        }
        self.probe.progress.advance(1);
        Ok(())
    }

    fn key(&self, name: &'static str) -> Key {
        (Some(self.device.id), name)
    }

    fn median(&self, name: &'static str, samples: &[f64], what: &str) -> Result<Figure, Failure> {
        self.probe.median(self.key(name), samples, what).ok_or_else(|| self.no_time(what))
    }

    fn best(&self, name: &'static str, samples: &[f64], what: &str) -> Result<Figure, Failure> {
        self.probe.best(self.key(name), samples, what).ok_or_else(|| self.no_time(what))
    }

    fn no_time(&self, what: &str) -> Failure {
        Failure::Work(format!(
            "device `{}` reports no time for: {what}; its driver may have no profiling",
            self.device.name
        ))
    }
}
