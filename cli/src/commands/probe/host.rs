//! The host's memory and caches.

use super::Probe;
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
use std::time::Instant;

/// Where Linux describes the processors.
pub const CPUS: &str = "/sys/devices/system/cpu";

/// How many times the L3 caches an array is, so that at most a quarter of it comes from them.
const TIMES_L3: u64 = 4;

/// Elements (f32) of a large array: so many that the cores' caches hold no large part of it.
///
/// Devices with memory of their own do not read through the host's caches.
pub fn large_elements(least: usize, memory: MemoryKind, l3_bytes: u64) -> usize {
    let wanted = TIMES_L3 * l3_bytes / size_of::<f32>() as u64;
    match memory {
        MemoryKind::Shared => least.max(usize::try_from(wanted).unwrap_or(usize::MAX)),
        MemoryKind::Discrete => least,
    }
}

/// Bytes of all L3 caches together, since all cores share an array; 0 where the system does not tell.
pub fn l3_bytes(cpus: &Path) -> u64 {
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
pub fn fitting(wanted: usize, arrays: usize) -> Result<usize, Failure> {
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
pub fn memory(probe: &Probe<'_>) -> Result<Figure, Failure> {
    probe.progress.now("host memory".to_owned());
    let wanted = large_elements(probe.effort.elements, MemoryKind::Shared, l3_bytes(Path::new(CPUS)));
    let n = fitting(wanted, TRIAD_ARRAYS)?;
    let mut arrays = Triad::new(n)?;
    arrays.run();
    let samples = probe.repeated(probe.effort.repetitions, || {
        if probe.runtime.cancel_handle().is_cancelled() {
            return Err(Failure::Stopped);
        }
        let start = Instant::now();
        arrays.run();
        Ok((TRIAD_ARRAYS * n * size_of::<f32>()) as f64 / start.elapsed().as_secs_f64() / 1e9)
    })?;
    let threads = rayon::current_num_threads();
    let what = format!(
        "a[i] = b[i] + s c[i], n = {}, f32, {threads} threads; counted are two reads and one write",
        with_spaces(n as u64)
    );
    let figure = probe
        .best(&samples, &what)
        .ok_or_else(|| Failure::Work("the clock does not go on: the host's memory cannot be measured".to_owned()))?;
    probe.progress.line(&format!("host memory {} GB/s", three_digits(figure.value)));
    probe.progress.advance(1);
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
