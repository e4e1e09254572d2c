//! Several devices in one loop: the time of consecutive short chunks on each, and the time of each device after a rest.

use super::bursts::Middle;
use super::{Probe, alone};
use crate::failure::Failure;
use crate::once::run_loop;
use apportion::devices::Span;
use apportion::kernel::ElementType;
use apportion::model::Overlap;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, MemoryKind, SharedRates};
use apportion::runtime::{DeviceReport, PieceRecord, predict_on};
use apportion::sched::{ChunkSize, Cutoff, Policy};
use apportion_cli::grouping::three_digits;
use apportion_kernels::find;

/// Chunks of a loop, per device.
const CHUNKS: usize = 64;
/// A figure needs at least this many loops.
const SAMPLES: usize = 5;
/// Least number of gaps between chunks; fewer are not meaningful.
const LEAST: usize = 4;

/// Least iterations of a chunk, in all and for each core: short enough that starting it dominates its time, and long enough that
/// the cores share it.
const LENGTH: [usize; 2] = [32 << 10, 2 << 10];

/// Iterations of a short chunk that all cores share.
pub fn length() -> usize {
    LENGTH[0].max(LENGTH[1] * alone::threads())
}

/// What short chunks of a device take.
pub struct Short {
    /// Its id.
    pub id: usize,
    /// From the end of one chunk to that of the next, in microseconds; in host memory, the time beyond the work.
    each: Figure,
    /// In host memory, what is left of a loop's start without that of a chunk.
    once: Option<Figure>,
}

/// The times of short chunks on each device. A loop on one device has no chunks, so with fewer than two devices there is nothing
/// to measure.
pub fn measure(probe: &Probe<'_>, devices: &[DeviceEntry]) -> Result<Vec<Short>, Failure> {
    let real: Vec<_> = devices.iter().filter(|device| device.kind != DeviceKind::Emulated).collect();
    if real.len() < 2 {
        return Ok(Vec::new());
    }
    probe.progress.now("short chunks");
    let length = length();
    let mut axpy = find("axpy")?.build(CHUNKS * real.len() * length, ElementType::F32, 42)?;
    let ids: Vec<String> = real.iter().map(|device| device.id.to_string()).collect();
    let mut times = vec![Vec::new(); real.len()];
    probe.repeated(probe.effort.launches / 2, || {
        let policy = Policy::Dynamic { chunk: ChunkSize::Count(length as u64) };
        let (report, _) = run_loop(probe.runtime, &mut *axpy, |a_loop| a_loop.devices(ids.join(",")).policy(policy))?;
        if let Some(fault) = report.faults.first() {
            return Err(Failure::Work(fault.to_string()));
        }
        for (times, device) in times.iter_mut().zip(&real) {
            let found = report.devices.iter().find(|found| found.id == device.id);
            times.extend(found.and_then(apart).map(|time| time * 1e6));
        }
        Ok(0.0)
    })?;
    let what = format!(
        "axpy in chunks of {length} on all devices at once, from the end of one to that of the next; in host memory less 12 bytes per iteration at its rate"
    );
    let mut figures = Vec::new();
    for (device, times) in real.iter().zip(&times) {
        // On a slow device few loops have enough chunks.
        let times = if times.len() < SAMPLES { &[] } else { times.as_slice() };
        let shared = device.memory == MemoryKind::Shared;
        let work = if shared { at_rate(device, length) * 1e6 } else { 0.0 };
        let Some(each) = probe.middle((Some(device.id), "short chunks"), times) else { continue };
        let each = each.map(|time| beyond(time, work)).figure(&what, &probe.when);
        let launch = probe.bursts.borrow().middle((Some(device.id), alone::LAUNCH));
        let once = launch.filter(|_| shared).map(|launch| once(launch, &each, &probe.when));
        // In host memory the one without the other would lose a part of a loop's start.
        if shared && once.is_none() {
            continue;
        }
        figures.push(Short { id: device.id, each, once });
    }
    Ok(figures)
}

/// Iterations of each device's block, in short chunks. With one chunk, copies and cores would not reach full speed, unlike in
/// loops worth dividing; with sixteen, an error of the rates would be as large as the time to wake.
const SHORT_BLOCK: usize = 4;

/// For each of several devices the extra time of a short loop beyond its other figures and shared capacities, in microseconds,
/// after other work: the device rests, its threads sleep, and the arrays are in memory. A device alone has the caller's own
/// thread; and where two devices have the same cores, their interference is a figure of neither.
pub fn wake(probe: &Probe<'_>, devices: &[DeviceEntry], shared: &SharedRates) -> Result<Vec<(usize, Figure)>, Failure> {
    let real: Vec<_> = devices.iter().filter(|device| device.kind != DeviceKind::Emulated).collect();
    let on_cores = real.iter().filter(|device| device.memory == MemoryKind::Shared).count();
    if real.len() < 2 || on_cores > 1 {
        return Ok(Vec::new());
    }
    let n = real.len() * SHORT_BLOCK * length();
    let found = after_a_rest(probe, &real, shared, ("axpy", n), "end of a block")?;
    let figure = |(id, rest): (usize, Rest)| {
        let what = format!(
            "axpy, n = {n}, under BLOCK on all devices after other work: the end of the device's block beyond the {} us of its \
             other figures",
            three_digits(rest.usual)
        );
        (id, rest.beyond(0.0).figure(&what, &probe.when))
    };
    Ok(found.into_iter().map(figure).collect())
}

/// Rows and columns of a matrix product that takes a library little longer than to begin it.
const PRODUCT: usize = 1024;

/// The same of a device with its own memory that is alone in its loop, and what a loop that calls a library takes besides.
pub struct Alone {
    pub id: usize,
    pub wake: Figure,
    pub library: Option<Figure>,
}

/// The figures of each such device that is no emulated one.
pub fn wake_alone(probe: &Probe<'_>, devices: &[DeviceEntry], shared: &SharedRates) -> Result<Vec<Alone>, Failure> {
    let n = SHORT_BLOCK * length();
    let mut figures = Vec::new();
    let discrete = |device: &&DeviceEntry| {
        device.kind != DeviceKind::Emulated && device.memory == MemoryKind::Discrete && device.link.is_some()
    };
    for device in devices.iter().filter(discrete) {
        let rest = |workload, n, name| -> Result<Option<Rest>, Failure> {
            Ok(after_a_rest(probe, &[device], shared, (workload, n), name)?.pop().map(|(_, rest)| rest))
        };
        let Some(own) = rest("axpy", n, "end of a block alone")? else { continue };
        let what = |rest: &Rest, what: String, and: &str| {
            let usual = three_digits(rest.usual);
            format!(
                "{what}, under BLOCK on it alone after other work: its end beyond the {usual} us of its other figures{and}"
            )
        };
        let wake = own.beyond(0.0);
        let library = match device.kind {
            DeviceKind::Cuda => rest("matmul", PRODUCT, "end of a product")?,
            _ => None,
        };
        let library = library.map(|rest| {
            let what = what(&rest, format!("matmul by a library, n = {PRODUCT}, f32"), " and `wake_alone_us`");
            rest.beyond(wake.value).figure(&what, &probe.when)
        });
        let what = what(&own, format!("axpy, n = {n}"), "");
        figures.push(Alone { id: device.id, wake: wake.figure(&what, &probe.when), library });
    }
    Ok(figures)
}

/// When a device's part of a loop ended, and when it should have by its other figures, in microseconds.
struct Rest {
    taken: Middle,
    usual: f64,
}

impl Rest {
    /// What it took beyond that, and beyond so much more.
    fn beyond(&self, more: f64) -> Middle {
        self.taken.map(|time| beyond(time, self.usual + more))
    }
}

/// A loop of a workload in even blocks on these devices after other work, as it is and as their figures say, for each that did
/// enough; `name` is the key of its samples.
fn after_a_rest(
    probe: &Probe<'_>,
    devices: &[&DeviceEntry],
    shared: &SharedRates,
    (workload, n): (&str, usize),
    name: &'static str,
) -> Result<Vec<(usize, Rest)>, Failure> {
    probe.progress.now("after a rest");
    let workload = find(workload)?;
    let unwoken = |device: &&DeviceEntry| DeviceEntry {
        wake_us: None,
        wake_alone_us: None,
        library_wake_us: None,
        ..DeviceEntry::clone(device)
    };
    let awake: Vec<_> = devices.iter().map(unwoken).collect();
    let outline = workload.outline(n, ElementType::F32)?;
    let others = awake.iter().collect::<Vec<_>>();
    let expected = predict_on(&others, shared, &outline.sketch(), &Policy::Block, Cutoff::None, Overlap::Full)?;
    let mut instance = workload.build(n, ElementType::F32, 42)?;
    let ids: Vec<String> = devices.iter().map(|device| device.id.to_string()).collect();
    let mut taken = vec![Vec::new(); devices.len()];
    probe.repeated(probe.effort.launches / 2, || {
        let (report, _) =
            run_loop(probe.runtime, &mut *instance, |a_loop| a_loop.devices(ids.join(",")).policy(Policy::Block))?;
        if let Some(fault) = report.faults.first() {
            return Err(Failure::Work(fault.to_string()));
        }
        for (taken, device) in taken.iter_mut().zip(devices) {
            let found = report.devices.iter().find(|found| found.id == device.id);
            taken.extend(found.and_then(|found| end(found.pieces.last()?)).map(|time| time * 1e6));
        }
        Ok(0.0)
    })?;
    let mut rests = Vec::new();
    for ((device, taken), expected) in devices.iter().zip(&taken).zip(&expected.devices) {
        // The figures include the time after the device's last copy or kernel; subtract it.
        let after = device.sync_us.as_ref().map_or(0.0, |figure| figure.value);
        let usual = expected.busy.micros() - after;
        let taken = if taken.len() < SAMPLES { &[] } else { taken.as_slice() };
        let taken = probe.middle((Some(device.id), name), taken);
        rests.extend(taken.map(|taken| (device.id, Rest { taken, usual })));
    }
    Ok(rests)
}

/// A time beyond the expected one; 0 if it is shorter, as a rest does not make a loop faster.
fn beyond(time: f64, expected: f64) -> f64 {
    (time - expected).max(0.0)
}

/// When a piece was done, in seconds from the loop's start.
fn end(piece: &PieceRecord) -> Option<f64> {
    let spans: [Option<Span>; 3] = [piece.to, piece.kernel, piece.from];
    spans.into_iter().flatten().map(|span| span.end.0).reduce(f64::max)
}

/// Seconds that a chunk of axpy takes at the rate of the device's memory.
pub fn at_rate(device: &DeviceEntry, length: usize) -> f64 {
    const BYTES: f64 = 12.0;
    BYTES * length as f64 / (device.memory_gb_per_s.value * 1e9)
}

/// Seconds from the end of one piece to that of the next.
fn apart(device: &DeviceReport) -> Option<f64> {
    let (first, last) = (end(device.pieces.first()?)?, end(device.pieces.last()?)?);
    let more = device.pieces.len() - 1;
    (more >= LEAST && last > first).then(|| (last - first) / more as f64)
}

/// What a loop in host memory pays once: its start without that of one of its chunks.
fn once(launch: Middle, each: &Figure, when: &str) -> Figure {
    let what = format!("{}, less the {} us to start a chunk", alone::SHORT_LOOP, three_digits(each.value));
    launch.map(|time| beyond(time, each.value)).figure(&what, when)
}

/// Stores the measured times. In host memory the time of a chunk is that to start it, and the rest of the loop's start time is
/// paid once.
pub fn put(device: &mut DeviceEntry, Short { each, once, .. }: Short) {
    if device.memory == MemoryKind::Discrete {
        device.issue_us = Some(each);
    } else {
        (device.launch_us, device.sync_us) = (each, once);
    }
}

#[cfg(test)]
mod tests {
    use super::super::bursts::Bursts;
    use super::*;
    use apportion::space::IterRange;
    use apportion::units::Seconds;

    #[test]
    fn what_is_paid_once_has_the_range_of_what_is_left() {
        let mut bursts = Bursts::default();
        [[50.0], [47.0], [62.0]].iter().for_each(|burst| bursts.add((Some(0), alone::LAUNCH), burst));
        let launch = bursts.middle((Some(0), alone::LAUNCH)).unwrap();
        let figure = once(launch, &Figure::measured(40.0), "now");
        assert_eq!(figure.value, 10.0);
        let note = figure.note.unwrap();
        assert!(note.contains("less the 40.0 us to start a chunk") && note.contains(", 7.00 to 22.0,"), "{note}");
        // Nothing takes less than no time, neither in the figure nor in its range.
        let note = once(launch, &Figure::measured(48.0), "now").note.unwrap();
        assert!(note.contains(", 0 to 14.0,"), "{note}");
    }

    #[test]
    fn chunks_are_as_far_apart_as_their_ends() {
        let span = |start: f64, end: f64| Some(Span { start: Seconds(start), end: Seconds(end) });
        let piece = |end: f64| {
            let mut piece = PieceRecord::default();
            piece.range = IterRange::new(0, 1);
            (piece.to, piece.kernel) = (span(0.0, end - 2.0), span(end - 2.0, end));
            piece
        };
        let device = |ends: &[f64]| {
            let mut device = DeviceReport::default();
            device.pieces = ends.iter().map(|&end| piece(end)).collect();
            device
        };
        assert_eq!(apart(&device(&[10.0, 11.0, 15.0, 16.0, 18.0])), Some(2.0));
        // Too few, or none; a clock that does not advance.
        assert_eq!(apart(&device(&[10.0, 11.0])), None);
        assert_eq!(apart(&device(&[])), None);
        assert_eq!(apart(&device(&[3.0; 9])), None);
    }
}
