//! `y[i] = a x[i]` with its arrays on either side of the link, so that a loop copies one way, both ways, or not at all.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

use crate::failure::Failure;
use apportion::HostVec;
use apportion::devices::Span;
use apportion::error::Phase;
use apportion::kernel::{Cost, DeviceSource, Grid, In, Kernel, Out};
use apportion::runtime::{DeviceReport, PieceRecord, Report, Runtime};
use apportion::sched::Policy;
use rayon::prelude::*;
use std::ops::Range;

/// The direction in which a loop copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the device: x.
    To,
    /// From the device: y.
    From,
    /// Both at once.
    Both,
    /// Neither: the kernel runs in the device's memory alone, in one piece.
    Inside,
}

/// Bytes of an element of each array.
pub const ELEMENT: f64 = size_of::<f32>() as f64;

const FACTOR: f32 = 3.0;
const X: f32 = 0.5;

/// The arrays.
pub struct Streams {
    x: HostVec<f32>,
    y: HostVec<f32>,
    reads_x: Kernel,
    has_x: Kernel,
}

const OPENCL: &str = "__kernel void scale(long lo, long hi, float a, __global const float *x, long x_first,
                          __global float *y, long y_first) {
    long i = lo + (long)get_global_id(0);
    if (i < hi) y[i - y_first] = a * x[i - x_first];
}";

// A thread keeps four loads of 16 bytes in flight; neighbouring threads of a block load neighbouring addresses.
const CUDA: &str = r#"
extern "C" __global__ void __launch_bounds__(512)
scale(long long lo, long long hi, float a, const float *__restrict__ x, long long x_first, float *__restrict__ y,
      long long y_first) {
    const long long tile = 512 * 16;
    const long long first = lo + blockIdx.x * tile;
    x += first - x_first;
    y += first - y_first;
    const bool whole = first + tile <= hi;
    if (whole && (((unsigned long long)x | (unsigned long long)y) & 15) == 0) {
        const float4 *xs = (const float4 *)x + threadIdx.x;
        float4 *ys = (float4 *)y + threadIdx.x;
        float4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = __ldcs(xs + k * 512);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v[k].x *= a;
            v[k].y *= a;
            v[k].z *= a;
            v[k].w *= a;
            __stcs(ys + k * 512, v[k]);
        }
    } else {
        const int len = (int)(whole ? tile : hi - first);
        for (int i = threadIdx.x; i < len; i += 512) y[i] = a * x[i];
    }
}
"#;

fn with_devices(kernel: Kernel) -> Kernel {
    kernel
        // SAFETY: the kernel stays within the sections that it is given.
        .opencl_source(unsafe { DeviceSource::new(OPENCL, "scale", Grid::per_iteration(256)) })
        // SAFETY: the kernel stays within the sections that it is given.
        .cuda_source(unsafe { DeviceSource::new(CUDA, "scale", Grid::new([512, 1, 1], |n| [n.div_ceil(16), 1, 1])) })
        .cost(Cost::per_iteration().flops(1).loads(size_of::<f32>()).stores(size_of::<f32>()))
}

fn scale(a: f32, x: &[f32], y: &mut [f32]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x);
}

impl Streams {
    /// Arrays of `n` elements, page-locked if a device wants that, or plain.
    pub fn new(n: usize, plain: bool) -> Result<Self, Failure> {
        let array = |value: f32| -> apportion::Result<HostVec<f32>> {
            if !plain {
                return HostVec::filled(n, value);
            }
            let mut array = HostVec::plain(n)?;
            array.par_chunks_mut(1 << 20).for_each(|piece| piece.fill(value));
            Ok(array)
        };
        let reads_x = Kernel::new("scale").host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| {
            scale(a, x.slice(range.clone()), y.slice_mut(range));
        });
        // The same kernel with x as an uninitialised array.
        let has_x = Kernel::new("scale").host(|range: Range<usize>, a: f32, mut x: Out<f32>, mut y: Out<f32>| {
            scale(a, x.slice_mut(range.clone()), y.slice_mut(range));
        });
        Ok(Self { x: array(X)?, y: array(0.0)?, reads_x: with_devices(reads_x), has_x: with_devices(has_x) })
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    pub fn is_page_locked(&self) -> bool {
        self.x.is_page_locked() && self.y.is_page_locked()
    }

    /// One loop over the first `n` elements, in equal blocks on these devices. A device that fails is an error: figures of the
    /// others would be useless.
    pub fn run(&mut self, runtime: &Runtime, devices: &[usize], way: Way, n: usize) -> Result<Report, Failure> {
        let n = n.min(self.len());
        let (x, y) = (&self.x[..n], &mut self.y[..n]);
        let bound = match way {
            Way::To => self.reads_x.bind().scalar(FACTOR).to(x).align().alloc::<f32>(n).align(),
            Way::Both => self.reads_x.bind().scalar(FACTOR).to(x).align().from(y).align(),
            Way::From => self.has_x.bind().scalar(FACTOR).alloc::<f32>(n).align().from(y).align(),
            Way::Inside => self.has_x.bind().scalar(FACTOR).alloc::<f32>(n).align().alloc::<f32>(n).align(),
        };
        let ids: Vec<_> = devices.iter().map(usize::to_string).collect();
        let report = runtime.parallel_for(0..n as u64, bound).devices(ids.join(",")).policy(Policy::Block).run()?;
        match report.faults.first() {
            Some(fault) => Err(Failure::Work(fault.to_string())),
            None => Ok(report),
        }
    }

    /// Whether the last loop of [`Way::Both`] over `n` elements gave the right result.
    pub fn is_right(&mut self, n: usize) -> bool {
        let right = self.y[..n].par_iter().all(|&y| y == FACTOR * X);
        self.y.par_chunks_mut(1 << 20).for_each(|piece| piece.fill(0.0));
        right
    }
}

/// Bytes per second of one device, from the beginning of its first copy to the end of its last.
pub fn copied_per_second(device: &DeviceReport, way: Way) -> Option<f64> {
    let mut spans = Vec::new();
    let mut bytes = 0;
    if way != Way::From {
        spans.extend(device.pieces.iter().filter_map(|piece| piece.to));
        bytes += device.bytes_to.0;
    }
    if way != Way::To {
        spans.extend(device.pieces.iter().filter_map(|piece| piece.from));
        bytes += device.bytes_from.0;
    }
    let window = window(spans)?;
    (window > 0.0).then(|| bytes as f64 / window)
}

fn window(spans: Vec<Span>) -> Option<f64> {
    whole(spans.into_iter()).map(|span| span.length().0)
}

/// The span from the first beginning to the last end.
fn whole(spans: impl Iterator<Item = Span>) -> Option<Span> {
    spans.reduce(|a, b| Span { start: a.start.min(b.start), end: a.end.max(b.end) })
}

/// Bytes per second of all devices in the time in which all of them copied. A device may begin or end at other times than the
/// others, which then have the links to themselves.
pub fn copied_together(report: &Report, way: Way) -> f64 {
    let copies: Vec<Vec<(Span, f64)>> = report.devices.iter().map(|device| copies(device, way)).collect();
    let windows: Option<Vec<Span>> = copies.iter().map(|list| whole(list.iter().map(|(span, _)| *span))).collect();
    let Some(windows) = windows else { return 0.0 };
    let common = windows.iter().copied().reduce(|a, b| Span { start: a.start.max(b.start), end: a.end.min(b.end) });
    let Some(all) = whole(windows.into_iter()) else { return 0.0 };
    // If they hardly overlapped, use the time in which any of them copied.
    let time = common.filter(|common| common.length().0 > 0.2 * all.length().0).unwrap_or(all);
    let within = |(span, bytes): &(Span, f64)| {
        let met = (span.end.min(time.end) - span.start.max(time.start)).0.max(0.0);
        if span.length().0 > 0.0 { bytes * met / span.length().0 } else { 0.0 }
    };
    let bytes: f64 = copies.iter().flatten().map(within).sum();
    if time.length().0 > 0.0 { bytes / time.length().0 } else { 0.0 }
}

/// The copies of a device, with the bytes of each.
fn copies(device: &DeviceReport, way: Way) -> Vec<(Span, f64)> {
    let of_piece = |piece: &PieceRecord| {
        let to = piece.to.filter(|_| way != Way::From);
        let from = piece.from.filter(|_| way != Way::To);
        let bytes = piece.range.len() as f64 * ELEMENT;
        [to, from].into_iter().flatten().map(move |span| (span, bytes))
    };
    device.pieces.iter().flat_map(of_piece).collect()
}

/// Time in a phase, all devices together.
pub fn phase_time(report: &Report, phase: Phase) -> f64 {
    report.devices.iter().map(|device| device.phases[phase].0).sum()
}

/// Time from the end of the last copy or kernel to the return of the loop.
pub fn after_the_last(report: &Report) -> f64 {
    let ends = report.devices.iter().flat_map(|device| &device.pieces).flat_map(|piece| [piece.kernel, piece.from]);
    let last = ends.flatten().map(|span| span.end.0).fold(0.0, f64::max);
    (report.elapsed.0 - last).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion::space::IterRange;
    use apportion::units::Seconds;

    /// Devices with pieces of these lengths, copied in from start to end.
    fn report(devices: &[&[(u64, f64, f64)]]) -> Report {
        let piece = |&(elements, start, end): &(u64, f64, f64)| {
            let mut piece = PieceRecord::default();
            piece.range = IterRange::new(0, elements);
            piece.to = Some(Span { start: Seconds(start), end: Seconds(end) });
            piece
        };
        let device = |pieces: &&[(u64, f64, f64)]| {
            let mut device = DeviceReport::default();
            device.pieces = pieces.iter().map(piece).collect();
            device
        };
        let mut report = Report::default();
        report.elapsed = Seconds(9.0);
        report.devices = devices.iter().map(device).collect();
        report
    }

    #[test]
    fn together_means_while_all_copy() {
        let rate = |devices: &[&[(u64, f64, f64)]]| copied_together(&report(devices), Way::To) / ELEMENT;
        assert_eq!(rate(&[&[(10, 0.0, 1.0), (10, 1.0, 2.0)]]), 10.0);
        // Both copy from 1 to 3; the first has the link to itself before, the second after.
        assert_eq!(rate(&[&[(10, 0.0, 1.0), (10, 1.0, 3.0)], &[(10, 1.0, 3.0), (10, 3.0, 4.0)]]), 10.0);
        // They did not overlap.
        assert_eq!(rate(&[&[(10, 0.0, 1.0)], &[(10, 1.0, 2.0)]]), 10.0);
        assert_eq!(rate(&[&[]]), 0.0);
        assert_eq!(copied_together(&report(&[&[(10, 0.0, 1.0)]]), Way::From), 0.0);
    }
}
