//! The host's memory and caches.

use super::Probe;
use super::streams::{Streams, Way, copied_per_second};
use crate::failure::Failure;
use apportion::HostVec;
use apportion::error::Error;
use apportion::kernel::ElementType;
use apportion::model::machine::{Figure, MemoryKind};
use apportion_cli::grouping::{three_digits, with_spaces};
use apportion_kernels::find;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Where Linux describes the processors.
pub const CPUS: &str = "/sys/devices/system/cpu";

/// Length of an array in multiples of the L3 caches, so that at most a quarter of it comes from them.
const TIMES_L3: u64 = 4;

/// Elements (f32) of a large array: the cores' caches hold only a small part of it.
///
/// Devices with their own memory do not read through the host's caches.
pub fn large_elements(least: usize, memory: MemoryKind, l3_bytes: u64) -> usize {
    let wanted = TIMES_L3 * l3_bytes / size_of::<f32>() as u64;
    match memory {
        MemoryKind::Shared => least.max(usize::try_from(wanted).unwrap_or(usize::MAX)),
        MemoryKind::Discrete => least,
    }
}

/// Bytes of all L3 caches together, since all cores share an array; 0 if the system does not say.
pub fn l3_bytes(cpus: &Path) -> u64 {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut caches = BTreeMap::new();
    for cache in entries(cpus).flat_map(|cpu| entries(&cpu.join("cache"))) {
        let read = |name: &str| std::fs::read_to_string(cache.join(name)).map(|text| text.trim().to_owned()).ok();
        if read("level").as_deref() == Some("3")
            && let Some(size) = read("size").as_deref().and_then(bytes)
            && let Some(cores) = read("shared_cpu_list")
        {
            // Each core that shares a cache lists it.
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

/// The most elements, up to `wanted`, of which `arrays` arrays fit into memory.
pub fn fitting(wanted: usize, arrays: usize) -> Result<usize, Failure> {
    let mut n = wanted;
    // In terms of axpy's two arrays.
    while n > 1 << 20
        && find("axpy")?.outline(n.saturating_mul(arrays).div_ceil(2), ElementType::F32)?.check_memory().is_err()
    {
        n /= 2;
    }
    Ok(n)
}

/// Bandwidth of the host's memory.
pub struct Found {
    /// For all that use it together.
    pub all: Figure,
    /// For cores, and for each link, while both use it.
    pub crowded: Option<(Figure, Vec<Figure>)>,
}

/// Bandwidth of the host's memory for all cores together, alone and while `links` copy `copied` elements both ways: the larger,
/// as cores alone may be too few to keep memory busy.
pub fn memory(probe: &Probe<'_>, links: &[usize], copied: usize) -> Result<Found, Failure> {
    probe.progress.now("host memory".to_owned());
    let wanted = large_elements(probe.effort.elements, MemoryKind::Shared, l3_bytes(Path::new(CPUS)));
    let n = fitting(wanted, 2)?;
    let mut arrays = Updated::new(n)?;
    arrays.run();
    let alone = probe.repeated(probe.effort.repetitions, || {
        if probe.runtime.cancel_handle().is_cancelled() {
            return Err(Failure::Stopped);
        }
        let start = Instant::now();
        arrays.run();
        Ok(arrays.bytes() / start.elapsed().as_secs_f64() / 1e9)
    })?;
    let threads = rayon::current_num_threads();
    let size = with_spaces(n as u64);
    let what = format!("a[i] += s b[i], n = {size}, f32, {threads} threads; counted are two reads and one write");
    let unknown = || Failure::Work("the clock does not go on: the host's memory cannot be measured".to_owned());
    let alone = probe.median((None, "cores"), &alone, &what).ok_or_else(unknown)?;
    let mut found = Found { all: alone, crowded: None };
    if !links.is_empty() {
        probe.progress.now("host memory, cores and links".to_owned());
        let beside = beside_links(probe, &mut arrays, links, fitting(copied * links.len(), 4)?)?;
        let cores =
            probe.median((None, "cores beside links"), &beside.cores, &format!("{what}, while links copy both ways"));
        let of_link = |(id, rates): (&usize, &Vec<f64>)| {
            let what = "copies both ways while all cores use the host's memory";
            probe.median((Some(*id), "link beside cores"), rates, what)
        };
        let of_links: Option<Vec<Figure>> = links.iter().zip(&beside.links).map(of_link).collect();
        let alone = three_digits(found.all.value);
        let what = format!("{what}, while links copy both ways, which are counted too (cores alone: {alone})");
        if let Some(((both, cores), links)) =
            probe.median((None, "cores and links"), &beside.both, &what).zip(cores).zip(of_links)
        {
            found.crowded = Some((cores, links));
            if both.value > found.all.value {
                found.all = both;
            }
        }
    }
    probe.progress.advance(1);
    Ok(found)
}

/// Rates of cores and links at the same time, in GB/s.
#[derive(Default)]
struct Beside {
    both: Vec<f64>,
    cores: Vec<f64>,
    links: Vec<Vec<f64>>,
}

/// Runs the loop repeatedly while links copy `n` elements there and back; only passes with copies throughout count.
fn beside_links(probe: &Probe<'_>, arrays: &mut Updated, links: &[usize], n: usize) -> Result<Beside, Failure> {
    let mut streams = Streams::new(n, false)?;
    streams.run(probe.runtime, links, Way::Both, n)?;
    let start = Instant::now();
    let now = || start.elapsed().as_secs_f64();
    let over = AtomicBool::new(false);
    let (passes, (copies, rates)) = std::thread::scope(|scope| {
        let copying = scope.spawn(|| {
            let (mut copies, mut rates) = (Vec::new(), vec![Vec::new(); links.len()]);
            while !over.load(Ordering::Relaxed) {
                let begin = now();
                let report = streams.run(probe.runtime, links, Way::Both, n)?;
                let bytes: u64 = report.devices.iter().map(|device| device.bytes_to.0 + device.bytes_from.0).sum();
                copies.push((begin, now(), bytes as f64));
                for (rates, id) in rates.iter_mut().zip(links) {
                    let device = report.devices.iter().find(|device| device.id == *id);
                    rates.extend(device.and_then(|device| copied_per_second(device, Way::Both)).map(|rate| rate / 1e9));
                }
            }
            Ok((copies, rates))
        });
        let mut passes = Vec::new();
        while passes.len() < 4 * probe.effort.repetitions && now() < probe.each.as_secs_f64() && !copying.is_finished()
        {
            let begin = now();
            arrays.run();
            passes.push((begin, now(), arrays.bytes()));
        }
        over.store(true, Ordering::Relaxed);
        let copied: Result<_, Failure> = copying.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok::<_, Failure>((passes, copied?))
    })?;
    let both = together(&passes, &copies);
    let cores = both.iter().map(|(own, _)| own / 1e9).collect();
    Ok(Beside { both: both.iter().map(|(own, others)| (own + others) / 1e9).collect(), cores, links: rates })
}

/// Start, end, and bytes.
type Moved = (f64, f64, f64);

/// Bytes per second during each of `passes`: its own, and the part of `copies` that falls into its time. Passes at the ends,
/// which copies did not accompany all the time, do not count.
fn together(passes: &[Moved], copies: &[Moved]) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (copies.first(), copies.last()) else { return Vec::new() };
    let whole = passes.iter().filter(|(begin, end, _)| *begin >= first.0 && *end <= last.1 && end > begin);
    let during = |begin: f64, end: f64| -> f64 {
        let part = |copy: &Moved| (end.min(copy.1) - begin.max(copy.0)).max(0.0) / (copy.1 - copy.0).max(1e-12);
        copies.iter().map(|copy| copy.2 * part(copy)).sum()
    };
    whole.map(|&(begin, end, bytes)| (bytes / (end - begin), during(begin, end) / (end - begin))).collect()
}

/// Arrays of a loop that reads both and writes one of them.
struct Updated {
    a: HostVec<f32>,
    b: HostVec<f32>,
}

impl Updated {
    /// No device copies them, so they need not be page-locked.
    fn new(n: usize) -> Result<Self, Error> {
        let (mut a, mut b) = (HostVec::plain(n)?, HostVec::plain(n)?);
        for (array, value) in [(&mut a, 1.0), (&mut b, 2.0)] {
            array.par_chunks_mut(PIECE).for_each(|piece| piece.fill(value));
        }
        Ok(Self { a, b })
    }

    fn run(&mut self) {
        self.a.par_chunks_mut(PIECE).zip(self.b.par_chunks(PIECE)).for_each(|(a, b)| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += 0.5 * b);
        });
    }

    fn bytes(&self) -> f64 {
        3.0 * size_of::<f32>() as f64 * self.a.len() as f64
    }
}

/// Elements that a thread takes at a time: 1 MiB, for which handing out costs nothing in comparison.
const PIECE: usize = 1 << 18;

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
    fn the_loop_reaches_every_element() {
        let mut arrays = Updated::new(3 * PIECE + 5).unwrap();
        arrays.run();
        assert!(arrays.a.iter().all(|&a| a == 2.0) && arrays.a.len() == 3 * PIECE + 5);
        assert_eq!(arrays.bytes(), 12.0 * (3 * PIECE + 5) as f64);
    }

    #[test]
    fn what_moves_at_once_is_counted_while_both_go_on() {
        // The first pass begins before the copies do. The second takes two seconds: one of the first copy, one of the second.
        let copies = [(1.0, 3.0, 20.0), (3.0, 5.0, 40.0)];
        assert_eq!(together(&[(0.5, 1.5, 7.0), (2.0, 4.0, 100.0), (4.5, 5.5, 7.0)], &copies), [(50.0, 15.0)]);
        assert_eq!(together(&[(2.0, 4.0, 100.0)], &[]), []);
        assert_eq!(together(&[], &copies), []);
    }

    #[test]
    fn sizes_of_caches_are_read() {
        assert_eq!(["32768K", "260M", "1G", "512"].map(bytes), [32 << 20, 260 << 20, 1 << 30, 512].map(Some));
        assert_eq!(["", "K", "3X", "4KB", "-1K"].map(bytes), [None; 5]);
    }
}
