//! An OpenCL device and runs on it, for tests that use a device directly. PoCL is enough.
//!
//! Without an OpenCL device the tests say that they are skipped; with `APPORTION_REQUIRE_OPENCL=1` they fail.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(unsafe_code, reason = "a session must be dropped, which only its holder can promise")]

use apportion::data::LoopShape;
use apportion::devices::opencl::{Found, OpenClDevice, OpenClOptions, discover};
use apportion::devices::{Begun, Completed, Device, Session, Work};
use apportion::error::DeviceError;
use apportion::kernel::{Bound, DeviceSource, Grid, Kernel, Reduction};
use apportion::model::MemoryKind;
use apportion::space::IterRange;

/// Begins a session of a device.
pub fn begin<'s>(
    device: &'s mut OpenClDevice,
    work: &'s Work<'s>,
) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
    // SAFETY: no test leaks its session.
    unsafe { device.begin(work) }
}

pub const BOTH: [MemoryKind; 2] = [MemoryKind::Discrete, MemoryKind::Shared];

/// The first suitable device; without one it prints why the test is skipped.
pub fn find(suits: impl Fn(&Found) -> bool, what: &str) -> Option<Found> {
    let found = discover().and_then(|all| all.into_iter().find(suits).ok_or(format!("no OpenCL device {what}")));
    match found {
        Ok(found) => Some(found),
        Err(why) if std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|v| v == "1") => panic!("{why}"),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

pub fn options(found: &Found, memory: MemoryKind) -> OpenClOptions {
    OpenClOptions { name: "cl".to_owned(), index: found.index, memory, ..OpenClOptions::default() }
}

pub fn device(memory: MemoryKind) -> Option<OpenClDevice> {
    let found = find(|found| found.unified || memory == MemoryKind::Discrete, "with host memory")?;
    Some(OpenClDevice::open(options(&found, memory)).unwrap())
}

pub fn kernel(source: &str, group: usize) -> Kernel {
    // SAFETY: the kernel stays within the sections that it is given.
    Kernel::new("k").opencl_source(unsafe { DeviceSource::new(source, "k", Grid::per_iteration(group)) })
}

pub fn shape(range: IterRange) -> LoopShape {
    LoopShape { range, devices: 1 }
}

/// The parameters of a session besides the arrays.
#[derive(Clone, Copy)]
pub struct Ask {
    pub in_flight: usize,
    pub reduction: Option<Reduction>,
    pub poison: bool,
}

pub const PLAIN: Ask = Ask { in_flight: 3, reduction: None, poison: false };

pub fn work<'a>(bound: &'a Bound<'a>, range: IterRange, ask: Ask) -> Work<'a> {
    bound.check(&shape(range)).unwrap();
    Work { reduction: ask.reduction, in_flight: ask.in_flight, poison: ask.poison, ..Work::of(bound, range) }
}

/// Runs the chunks in order, with as many in flight as asked.
pub fn run(
    device: &mut OpenClDevice,
    bound: &Bound<'_>,
    range: IterRange,
    chunks: &[IterRange],
    ask: Ask,
) -> Result<Vec<Completed>, DeviceError> {
    let work = work(bound, range, ask);
    let mut session = begin(device, &work)?.session;
    let mut done = Vec::new();
    for (i, &chunk) in chunks.iter().enumerate() {
        if i >= ask.in_flight {
            done.push(session.complete()?);
        }
        session.submit(chunk)?;
    }
    while done.len() < chunks.len() {
        done.push(session.complete()?);
    }
    session.finish()?;
    Ok(done)
}

/// Cuts `range` into chunks of uneven lengths, in an irregular order.
pub fn shuffled(range: IterRange, seed: u64) -> Vec<IterRange> {
    let mut state = seed.wrapping_mul(2) + 1;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n.max(1)
    };
    let (mut left, mut chunks) = (range, Vec::new());
    while !left.is_empty() {
        chunks.push(left.take_front(1 + next(range.len() / 5)));
    }
    for i in (1..chunks.len()).rev() {
        chunks.swap(i, next(i as u64 + 1) as usize);
    }
    chunks
}

pub const AXPY: &str = "__kernel void k(long lo, long hi, float a, __global const float *x, long x0,
                                    __global float *y, long y0) {
    long i = lo + get_global_id(0);
    if (i < hi) y[i - y0] += a * x[i - x0];
}";
