//! Short chunks: what one after another takes on each device, while all take from the same loop.

use super::{Probe, alone};
use crate::failure::Failure;
use crate::harness::run_loop;
use apportion::devices::Span;
use apportion::kernel::ElementType;
use apportion::model::machine::{DeviceEntry, DeviceKind, Figure, MemoryKind};
use apportion::runtime::{DeviceReport, PieceRecord};
use apportion::sched::{ChunkSize, Policy};
use apportion_cli::grouping::three_digits;
use apportion_kernels::find;

/// Chunks of a loop, for each device.
const CHUNKS: usize = 64;
/// Fewer loops make no figure.
const SAMPLES: usize = 5;
/// From one chunk to the next so often at least: fewer tell nothing.
const LEAST: usize = 4;

/// For each device from the end of a chunk to that of the next, in microseconds, where they have a few iterations for each
/// core. A loop on one device has no chunks: with fewer than two there is nothing to be measured, or needed.
pub fn measure(probe: &Probe<'_>, devices: &[&DeviceEntry]) -> Result<Vec<(usize, Figure)>, Failure> {
    let real: Vec<_> = devices.iter().filter(|device| device.kind != DeviceKind::Emulated).collect();
    if real.len() < 2 {
        return Ok(Vec::new());
    }
    probe.progress.now("short chunks");
    let length = 64 * alone::threads();
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
    let what = format!("axpy in chunks of {length} on all devices at once, from the end of one to that of the next");
    let mut figures = Vec::new();
    for (device, times) in real.iter().zip(&times) {
        // On a slow device few loops have chunks enough.
        if times.len() < SAMPLES {
            continue;
        }
        if let Some(figure) = probe.median(times, &what) {
            probe.progress.line(&format!("{}: short chunks {} us", device.name, three_digits(figure.value)));
            figures.push((device.id, figure));
        }
    }
    Ok(figures)
}

/// Seconds from the end of one piece to that of the next.
fn apart(device: &DeviceReport) -> Option<f64> {
    let end = |piece: &PieceRecord| {
        let spans: [Option<Span>; 3] = [piece.to, piece.kernel, piece.from];
        spans.into_iter().flatten().map(|span| span.end.0).reduce(f64::max)
    };
    let (first, last) = (end(device.pieces.first()?)?, end(device.pieces.last()?)?);
    let more = device.pieces.len() - 1;
    (more >= LEAST && last > first).then(|| (last - first) / more as f64)
}

/// Puts what was found where it belongs: in host memory that is what starting a chunk takes, and what a loop takes beyond one
/// is paid once.
pub fn put(device: &mut DeviceEntry, each: Figure) {
    if device.memory == MemoryKind::Discrete {
        device.issue_us = Some(each);
        return;
    }
    let mut once = device.launch_us.clone();
    once.value = super::four_digits((once.value - each.value).max(0.0));
    once.note = once.note.map(|note| format!("less the launch of a chunk: {note}"));
    (device.launch_us, device.sync_us) = (each, Some(once));
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion::space::IterRange;
    use apportion::units::Seconds;

    #[test]
    fn chunks_are_as_far_apart_as_their_ends() {
        let span = |start: f64, end: f64| Some(Span { start: Seconds(start), end: Seconds(end) });
        let piece = |end: f64| PieceRecord {
            range: IterRange::new(0, 1),
            to: span(0.0, end - 2.0),
            kernel: span(end - 2.0, end),
            from: None,
        };
        let device = |ends: &[f64]| DeviceReport {
            pieces: ends.iter().map(|&end| piece(end)).collect(),
            ..DeviceReport::default()
        };
        assert_eq!(apart(&device(&[10.0, 11.0, 15.0, 16.0, 18.0])), Some(2.0));
        // Too few, or none; a clock that stands still.
        assert_eq!(apart(&device(&[10.0, 11.0])), None);
        assert_eq!(apart(&device(&[])), None);
        assert_eq!(apart(&device(&[3.0; 9])), None);
    }
}
