//! Fits the node's figures to measurements on one device. Measurements on several devices are not used.
//!
//! Linear figures (latencies, inverse bandwidths, allocation, launch) minimise the sum of relative errors
//! `|predicted/measured - 1|` over all rows of a kind of device, none below zero. Their factors are the chunks and bytes of the
//! authors' programs, as in [`crate::kernels`] and [`crate::policies`]. Kernel times over the size of a launch, without the
//! launch itself, are then read off point by point. Data sheets give the figures that measurements on one device cannot: the link
//! that a board's GPUs share, and the GPU's L2 cache.

use crate::InputError;
use crate::kernels::{Array, Kernel};
use crate::measured::{MeasuredPart, Measurement};
use crate::node::{Allocation, Cache, Curve, Kind, KindFigures, Node, Point, Runtime, SCHEMA};
use crate::policies::{Next, Policy, Scheduler};
use apportion::model::Machine;
use apportion::model::machine::{Figure, Group};
use std::collections::BTreeMap;
use std::path::Path;

/// The description whose names, memories and rates are kept.
const BASE: &str = include_str!("../../machines/fornax.json");

/// PCIe 3.0 x16, which the two GPUs of a board share: 16 lanes of 8 GT/s, 128 bits in 130, are 15.75 GB/s; packets of 128 to
/// 256 bytes with about 26 of header and framing, and acknowledgements, leave about 12.
const BOARD_GB_PER_S: f64 = 12.0;
const BOARD_NOTE: &str = "PCIe 3.0 x16 to the board's switch: 15.75 GB/s less packet headers and flow control";

/// The GK210's L2 cache: 1.5 MiB in lines of 128 bytes.
const CACHE_LINES: f64 = 12_288.0;
/// A thread of matvec walks along its row of the matrix, in one line at a time; and 32 threads share a line of y.
const LINES_PER_ROW: f64 = 1.0 + 1.0 / 32.0;
/// 13 multiprocessors with 2048 threads each.
const ROWS_IN_FLIGHT: f64 = 26_624.0;
/// CUDA's allocator takes arrays up to this size from a block that it has: above it the measured time grows by a step, 14 times.
const SMALL_ARRAY_KIB: f64 = 64.0;

/// The fitted figures.
#[derive(Debug)]
pub struct Fitted {
    /// The description, `machines/fornax-homp.json`.
    pub machine: Machine,
    /// The figures of the runtime, `reproduce/data/runtime.json`.
    pub runtime: Runtime,
    /// Number of measurements used.
    pub used: usize,
}

/// Fits all figures to the measurements on one device; `file` names them in messages, `node` gives the list of devices.
///
/// # Errors
/// If a kind of device or a kernel was not measured on one device alone.
pub fn fit(file: &Path, node: &Node, measurements: &[Measurement]) -> Result<Fitted, InputError> {
    let wrong = |problem: String| InputError { file: file.to_path_buf(), line: None, column: None, problem };
    let mut machine = Machine::from_json(BASE).map_err(|error| wrong(error.to_string()))?;
    let mut kinds = BTreeMap::new();
    let mut used = 0;
    for kind in Kind::ALL {
        let of_kind =
            |one: &&Measurement| matches!(one.case.devices[..], [device] if node.devices[device].kind == kind);
        let alone: Vec<Alone<'_>> = measurements.iter().filter(of_kind).map(|one| Alone::new(one, kind)).collect();
        used += alone.len();
        for kernel in Kernel::ALL {
            if !alone.iter().any(|one| one.kernel() == kernel && one.policy() == Policy::Block) {
                let right = "figures are fitted to rows of one device, each kernel under BLOCK at least";
                return Err(wrong(format!("has no {kernel} on one {kind} alone under BLOCK; {right}")));
            }
        }
        let figures = fit_kind(kind, &alone, &mut machine);
        kinds.insert(kind, figures);
    }
    machine.name = "fornax-homp".to_owned();
    machine.note = Some(
        "The node of the HOMP paper as its authors' runtime used it: launch, allocation and links are fitted to their \
         published measurements on one device alone (`apportion reproduce homp --fit`), what several GPUs share is from \
         data sheets, all else is that of fornax.json."
            .to_owned(),
    );
    let board = || Some(Figure::vendor(BOARD_GB_PER_S).with_note(BOARD_NOTE));
    machine.groups = [(0, [1, 2]), (1, [3, 4])]
        .into_iter()
        .map(|(board_number, devices)| Group {
            name: format!("k80-{board_number}"),
            devices: devices.to_vec(),
            to_gb_per_s: board(),
            from_gb_per_s: board(),
            both_gb_per_s: None,
        })
        .collect();
    let note = "Fitted to the HOMP authors' published measurements on one device alone, March 2016 \
                (reproduce/data/measured.csv), with `apportion reproduce homp --fit`; small_array_kib and cache are \
                from data sheets. docs/homp.md says how."
        .to_owned();
    Ok(Fitted { machine, runtime: Runtime { schema: SCHEMA.to_owned(), note, kinds }, used })
}

/// A measurement on one device, with the chunks that it ran.
struct Alone<'m> {
    measured: &'m Measurement,
    part: MeasuredPart,
    /// Chunks of one offload.
    chunks: Vec<u64>,
    /// Number of offloads, or of sweeps over resident data.
    times: f64,
    resident: bool,
    arrays: Vec<Array>,
}

impl<'m> Alone<'m> {
    fn new(measured: &'m Measurement, kind: Kind) -> Self {
        let case = &measured.case;
        let program = case.kernel.program(case.policy, kind == Kind::Gpu);
        let mut scheduler = Scheduler::new(case.policy, case.kernel, case.n, &[kind], None);
        let mut chunks = Vec::new();
        loop {
            match scheduler.next(0) {
                Next::Run(count) => {
                    chunks.push(count);
                    scheduler.finished(0, count, 1.0);
                }
                Next::Wait if scheduler.all_wait() => {}
                Next::Wait | Next::Done => break,
            }
        }
        Self {
            measured,
            part: measured.parts[0],
            chunks,
            times: program.sweeps as f64,
            resident: program.resident,
            arrays: case.kernel.arrays(case.n),
        }
    }

    fn kernel(&self) -> Kernel {
        self.measured.case.kernel
    }

    fn policy(&self) -> Policy {
        self.measured.case.policy
    }

    fn launches(&self) -> f64 {
        self.chunks.len() as f64 * self.times
    }

    /// Number and bytes of array copies, in or out.
    fn copies(&self, way: fn(&Array) -> bool) -> (f64, f64) {
        let (mut count, mut bytes) = (0.0, 0.0);
        for (place, &chunk) in self.chunks.iter().enumerate() {
            for array in self.arrays.iter().filter(|array| way(array) && (place == 0 || !array.replicated)) {
                count += self.times;
                bytes += array.bytes(chunk) * self.times;
            }
        }
        (count, bytes)
    }

    /// Numbers of arrays above the small size and up to it; for the former, bytes beyond the array's largest size so far, and the
    /// rest.
    fn allocations(&self, small_kib: f64) -> [f64; 4] {
        let mut sums = [0.0; 4];
        let mut largest = vec![0.0_f64; self.arrays.len()];
        for (place, &chunk) in self.chunks.iter().enumerate() {
            for (array, largest) in
                self.arrays.iter().zip(&mut largest).filter(|(array, _)| place == 0 || !array.replicated)
            {
                let bytes = array.bytes(chunk);
                if bytes <= small_kib * 1024.0 {
                    sums[1] += self.times;
                    continue;
                }
                let fresh = (bytes - *largest).max(0.0);
                *largest = largest.max(bytes);
                sums[0] += self.times;
                sums[2] += fresh * self.times;
                sums[3] += (bytes - fresh) * self.times;
            }
        }
        sums
    }
}

fn fit_kind(kind: Kind, alone: &[Alone<'_>], machine: &mut Machine) -> KindFigures {
    let discrete = kind != Kind::Host;
    let copying = || alone.iter().filter(|one| discrete && !one.resident);
    let launch = launch_ms(alone, Kernel::Axpy);
    let reduction = (launch_ms(alone, Kernel::Sum) - launch).max(0.0);

    let link = |way: fn(&Array) -> bool, time: fn(&MeasuredPart) -> f64| {
        let rows = copying().filter_map(|one| {
            let (count, bytes) = one.copies(way);
            (count > 0.0).then(|| (vec![count, bytes], time(&one.part)))
        });
        let found = least_relative(&rows.collect::<Vec<_>>(), 2);
        // ms per copy, ms per byte.
        (found[0] * 1e3, 1e-6 / found[1].max(f64::MIN_POSITIVE))
    };
    let (to_us, to_gb) = link(|array| array.to, |part| part.to);
    let (from_us, from_gb) = link(|array| array.from, |part| part.from);

    let small = if kind == Kind::Gpu { SMALL_ARRAY_KIB } else { 0.0 };
    let rows = copying().map(|one| (one.allocations(small).to_vec(), one.part.init + one.part.fini));
    let memory = least_relative(&rows.collect::<Vec<_>>(), 4);
    let allocation = Allocation {
        array_ms: digits(memory[0]),
        small_array_kib: small,
        small_array_ms: digits(memory[1]),
        fresh_ms_per_gb: digits(memory[2] * 1e9),
        again_ms_per_gb: digits(memory[3] * 1e9),
    };

    for device in machine.devices.iter_mut().filter(|device| device.device_type == kind.device_type()) {
        let note =
            |what: &str| format!("fitted to the HOMP authors' measurements on one {kind} alone, March 2016: {what}");
        let figure = |value: f64, what: &str| Figure::measured(digits(value)).with_note(note(what));
        device.launch_us = figure(launch * 1e3, "axpy, kernel time over the number of chunks");
        if let Some(link) = &mut device.link {
            let latency = "copies over their number, per array";
            let rate = "copies over their bytes, all kernels";
            link.to.latency_us = figure(to_us, latency);
            link.to.bandwidth_gb_per_s = figure(to_gb, rate);
            link.from.latency_us = figure(from_us, latency);
            link.from.bandwidth_gb_per_s = figure(from_gb, rate);
            device.alloc_us = Some(figure(allocation.array_ms * 1e3, "allocating and freeing, per array and chunk"));
            device.alloc_s_per_gb =
                Some(figure(allocation.fresh_ms_per_gb * 1e-3, "the same by size, memory used first"));
        }
    }

    let mut outside: Vec<f64> =
        alone.iter().map(|one| (one.measured.ms - one.part.busy() - one.part.waiting) / one.launches()).collect();
    outside.sort_by(f64::total_cmp);
    let kernels = Kernel::ALL.into_iter().map(|kernel| {
        let overhead = launch + if kernel.reduces() { reduction } else { 0.0 };
        let runs: Vec<&Alone<'_>> = alone.iter().filter(|one| one.kernel() == kernel).collect();
        let mut curve = curve(&runs, digits(overhead * 1e3) * 1e-3);
        if kind == Kind::Gpu && kernel == Kernel::Matvec {
            let cache = Cache { lines: CACHE_LINES, lines_per_iteration: LINES_PER_ROW, in_flight: ROWS_IN_FLIGHT };
            curve.cache = Some(cache);
            curve = with_small_launches(curve, &runs, digits(overhead * 1e3) * 1e-3);
        }
        (kernel.name().to_owned(), curve)
    });
    KindFigures {
        kernels: kernels.collect(),
        outside_ms: digits(crate::compare::quantile(&outside, 0.5).max(0.0)),
        reduction_ms: digits(reduction),
        allocation,
    }
}

/// Slope of a kernel's time over the number of launches, ms.
fn launch_ms(alone: &[Alone<'_>], kernel: Kernel) -> f64 {
    let rows = alone.iter().filter(|one| one.kernel() == kernel);
    let rows = rows.map(|one| (vec![one.launches(), one.measured.case.n as f64 * one.times], one.part.kernel));
    least_relative(&rows.collect::<Vec<_>>(), 2)[0]
}

/// Time of a launch by its iterations: the whole loop from BLOCK and the models, chunks from SCHED_DYNAMIC, and SCHED_GUIDED's
/// smallest chunk from the time that its larger chunks leave.
fn curve(runs: &[&Alone<'_>], launch: f64) -> Curve {
    let n = runs.first().map_or(1, |one| one.measured.case.n);
    let computing = |one: &Alone<'_>| one.part.kernel / one.times - launch * one.chunks.len() as f64;
    let mut whole: Vec<f64> =
        runs.iter().filter(|one| one.policy().one_chunk_each()).map(|one| computing(one)).collect();
    whole.sort_by(f64::total_cmp);
    let mut points: Vec<Point> = Vec::new();
    let mut add = |iterations: u64, ms: f64| {
        if ms > 0.0 && points.iter().all(|point| point.iterations != iterations) {
            points.push(Point { iterations, ms: digits(ms) });
        }
    };
    add(n, crate::compare::quantile(&whole, 0.5));
    for one in runs.iter().filter(|one| matches!(one.policy(), Policy::Dynamic(_))) {
        // A smaller last chunk counts as a fraction of a chunk.
        add(one.chunks[0], computing(one) * one.chunks[0] as f64 / n as f64);
    }
    points.sort_by_key(|point| point.iterations);
    with_small_launches(Curve { size: n, points, cache: None }, runs, launch)
}

fn with_small_launches(mut curve: Curve, runs: &[&Alone<'_>], launch: f64) -> Curve {
    for one in runs.iter().filter(|one| matches!(one.policy(), Policy::Guided(_))) {
        let Some(least) = one.chunks.iter().copied().rev().nth(1) else { continue };
        curve.points.retain(|point| point.iterations != least);
        if curve.points.first().is_none_or(|first| first.iterations <= least) {
            continue;
        }
        let (small, large): (Vec<u64>, Vec<u64>) = one.chunks.iter().partition(|&&chunk| chunk <= least);
        let all = one.part.kernel / one.times - launch * one.chunks.len() as f64;
        // The times of chunks between the two smallest points depend on the point sought, so iterate.
        let mut found: Option<Point> = None;
        for _ in 0..20 {
            let mut with = curve.clone();
            with.points.splice(0..0, found);
            let larger: f64 = large.iter().map(|&chunk| with.ms(chunk)).sum();
            let rounds = small.iter().sum::<u64>() as f64 / least as f64;
            let ms = (all - larger) / rounds;
            // No longer than a launch of more iterations, which could contain the small one.
            found = (ms > 0.0).then(|| Point { iterations: least, ms: ms.min(curve.points[0].ms) });
            if found.is_none() {
                break;
            }
        }
        let found = found.map(|point| Point { ms: digits(point.ms), ..point });
        curve.points.splice(0..0, found);
    }
    curve
}

/// Five digits: more than the measurements have.
fn digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// Non-negative `x` with the least sum of `|row . x / y - 1|` over rows with `y` above zero: repeated least squares, with each
/// row weighted by the inverse of its last error.
fn least_relative(rows: &[(Vec<f64>, f64)], unknowns: usize) -> Vec<f64> {
    let rows: Vec<Vec<f64>> =
        rows.iter().filter(|(_, y)| *y > 0.0).map(|(row, y)| row.iter().map(|value| value / y).collect()).collect();
    // Scales columns to similar sizes, so that the steps below are similar too.
    let scale: Vec<f64> = (0..unknowns)
        .map(|j| rows.iter().map(|row| row[j]).fold(0.0, f64::max))
        .map(|most| if most > 0.0 { most } else { 1.0 })
        .collect();
    let mut x = vec![0.0; unknowns];
    let mut weights = vec![1.0; rows.len()];
    let value = |row: &[f64], x: &[f64]| -> f64 { row.iter().zip(x).zip(&scale).map(|((r, x), s)| r / s * x).sum() };
    for _ in 0..100 {
        for _ in 0..400 {
            for j in 0..unknowns {
                let (mut gain, mut square) = (0.0, 0.0);
                for (row, weight) in rows.iter().zip(&weights) {
                    let part = row[j] / scale[j];
                    gain += weight * part * (1.0 - value(row, &x) + part * x[j]);
                    square += weight * part * part;
                }
                x[j] = if square > 0.0 { (gain / square).max(0.0) } else { 0.0 };
            }
        }
        for (row, weight) in rows.iter().zip(&mut weights) {
            *weight = 1.0 / (value(row, &x) - 1.0).abs().max(1e-3);
        }
    }
    x.iter().zip(&scale).map(|(x, scale)| x / scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_rows_were_made_of_are_found_again_beside_a_row_that_is_wrong() {
        let row = |chunks: f64, bytes: f64| (vec![chunks, bytes], 0.2 * chunks + 1.2e-7 * bytes);
        let mut rows: Vec<_> = (1..9).map(|i| row(f64::from(i * i), 1e9 / f64::from(i))).collect();
        rows.push((vec![3.0, 1e9], 900.0));
        let found = least_relative(&rows, 2);
        assert!((found[0] / 0.2 - 1.0).abs() < 0.01 && (found[1] / 1.2e-7 - 1.0).abs() < 0.01, "{found:?}");
        // No unknown is below zero, whatever the rows.
        assert_eq!(least_relative(&[(vec![1.0, 1.0], 1.0), (vec![2.0, 1.0], 0.5)], 2)[0], 0.0);
    }
}
