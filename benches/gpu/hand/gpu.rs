//! A GPU with all that a program by hand makes before its clock starts.

use super::Sent;
use super::code::{Code, MOST_BLOCKS, Place};
use super::job::Job;
use super::memory::{Buffer, Pinned};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream};
use std::ops::Range;
use std::sync::Arc;

/// Most chunks of a share.
pub const MOST_CHUNKS: usize = 32;
/// Bytes of one part of a sum.
pub const PART: usize = size_of::<f64>();

/// A GPU with room for its whole share: no chunk waits for another's memory.
pub struct Gpu {
    pub context: Arc<CudaContext>,
    pub share: Range<u64>,
    pub code: Code,
    /// One stream for each way and one for kernels.
    pub up: Arc<CudaStream>,
    pub run: Arc<CudaStream>,
    pub down: Arc<CudaStream>,
    /// Recorded anew for each chunk: who waits for it waits for what was recorded last.
    pub copied: CudaEvent,
    pub ran: CudaEvent,
    /// Its part of the arrays that all have is on all GPUs.
    pub passed: CudaEvent,
    arrays: Vec<Option<(Buffer, Place)>>,
    /// The parts of a sum, on the GPU and on the host.
    pub partials: Buffer,
    pub parts: Pinned,
}

impl Gpu {
    pub fn new(context: Arc<CudaContext>, job: &Job<'_>, share: Range<u64>) -> Sent<Self> {
        let mut arrays: Vec<_> = job.arguments.iter().map(|_| None).collect();
        for (argument, array) in job.arrays() {
            let rows = array.section(&share).needed;
            let buffer = Buffer::new(&context, array.bytes_of(&rows))?;
            let place = Place { address: buffer.address, first: array.element(rows.start) };
            arrays[argument] = Some((buffer, place));
        }
        let of_parts = MOST_CHUNKS * MOST_BLOCKS * PART;
        Ok(Self {
            code: Code::of(&context, job)?,
            up: context.new_stream()?,
            run: context.new_stream()?,
            down: context.new_stream()?,
            copied: context.new_event(None)?,
            ran: context.new_event(None)?,
            passed: context.new_event(None)?,
            partials: Buffer::new(&context, of_parts)?,
            parts: Pinned::new(&context, of_parts)?,
            context,
            share,
            arrays,
        })
    }

    /// Where arrays are, by argument.
    pub fn places(&self) -> Vec<Option<Place>> {
        self.arrays.iter().map(|array| array.as_ref().map(|(_, place)| *place)).collect()
    }

    /// The address of an array's section.
    pub fn address(&self, argument: usize) -> Sent<u64> {
        let array = self.arrays.get(argument).and_then(Option::as_ref);
        array.map(|(_, place)| place.address).ok_or_else(|| "an argument has no memory on the GPU".into())
    }
}

/// The sum of so many parts, which are on the host.
///
/// # Safety
/// `parts` is aligned for `f64` and has so many, and nothing writes them any more.
pub unsafe fn total(parts: *const u8, count: usize) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(parts.cast::<f64>(), count) }.iter().sum()
}
