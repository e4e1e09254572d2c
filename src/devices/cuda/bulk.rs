//! Long copies between a plain host array and a buffer of a data region. The array is page-locked for the copy where that is
//! faster; otherwise several threads copy it through page-locked memory. The driver copies plain memory with one thread only.
#![allow(unsafe_code, reason = "copies between host memory and the device")]

use super::CudaDevice;
use super::boxes::End;
use super::driver::{Event, Gpu, PinnedBy, Stream, Timed, open_gpus};
use super::lanes::Lanes;
use super::locking::{Registered, lock_if_faster};
use super::memory::{PinnedBuffer, Pools};
use super::session::LANES_FROM;
use super::status::CudaError;
use crate::data::layout::{BoxCopy, bytes_of};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Parts with fewer bytes than this take longer to hand out than to copy.
const LEAST_PART: usize = 512 << 10;

/// The direction of a copy, seen from the device.
#[derive(Clone, Copy, PartialEq)]
pub enum Bulk {
    In,
    Out,
}

/// Host memory, cut into parts that each belong to one thread.
#[derive(Clone, Copy)]
struct Host(*mut u8);

// SAFETY: only a pointer; each use of it answers for its own access.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

/// Page-locked memory of a thread, with the part that is on its way through it.
struct Turn {
    memory: PinnedBuffer,
    event: Event,
    part: Option<BoxCopy>,
}

fn text(error: CudaError) -> String {
    error.to_string()
}

impl CudaDevice {
    /// Whether the driver would copy slowly: the copy is large, and its memory is not page-locked.
    pub(super) fn is_bulk(&self, way: Bulk, copies: &[BoxCopy], host: *const u8) -> bool {
        if (bytes_of(copies) as u64) < LANES_FROM {
            return false;
        }
        let side = |copy: &BoxCopy| if way == Bulk::In { copy.from } else { copy.to };
        let start = copies.iter().map(|copy| side(copy).offset).min().unwrap_or(0);
        let end = copies.iter().filter_map(|copy| copy.end_of(&side(copy))).max().unwrap_or(0);
        !self.gpu.is_page_locked(host.wrapping_add(start), end.saturating_sub(start))
    }

    /// Page-locks the host array for such a copy to the device, where that is faster. GPUs that copy other parts of the array share
    /// the lock.
    ///
    /// # Safety
    /// The array stays borrowed until the returned value is dropped.
    pub(super) unsafe fn lock_for(&self, copies: &[BoxCopy], host: &[u8]) -> Option<Registered> {
        // SAFETY: the caller's promise.
        unsafe { lock_if_faster(&self.gpu, host, bytes_of(copies), self.lanes.count()) }
    }

    /// Copies with several threads, after an event, and waits for the end.
    ///
    /// # Safety
    /// The boxes lie in the host's memory, which nothing else uses meanwhile, and in the device's memory at the address, which
    /// stays allocated.
    pub(super) unsafe fn copy_bulk(
        &self,
        way: Bulk,
        copies: &[BoxCopy],
        host: *mut u8,
        address: u64,
        after: Option<&Event>,
    ) -> Result<(), String> {
        let lanes = &self.lanes;
        // Waking threads would take longer than a short copy.
        let open = bytes_of(copies) as u64 >= LANES_FROM && lanes.open(&self.gpu)?.is_some();
        // At most as long as a piece in a loop, and short enough that all threads get some.
        let share = (bytes_of(copies) / (2 * lanes.count())).max(LEAST_PART);
        let most = share.min(Lanes::chunk_bytes(lanes.count(), open_gpus().len(), false) as usize);
        let mut parts = Vec::new();
        copies.iter().for_each(|copy| cut(*copy, most, &mut parts));
        let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
        let copying = Copying { way, gpu: &self.gpu, pools: &self.pools, host: Host(host), address, after, most };
        let take = || parts.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        if !open {
            // Or the GPU has no memory left for streams of the lanes.
            // SAFETY: the caller's promise.
            return unsafe { copying.copy_parts(take, &self.streams.to) };
        }
        let copy = |stream: &Stream| {
            // SAFETY: the caller's promise; no two parts have bytes in common.
            if let Err(why) = unsafe { copying.copy_parts(take, stream) } {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                // The other threads need not go on.
                next.store(parts.len(), Ordering::Relaxed);
            }
        };
        lanes.run_all(parts.len(), copy, || ());
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// What the threads of a copy share.
struct Copying<'c> {
    way: Bulk,
    gpu: &'c Arc<Gpu>,
    pools: &'c Mutex<Pools>,
    host: Host,
    address: u64,
    after: Option<&'c Event>,
    most: usize,
}

impl Copying<'_> {
    /// Copies one thread's parts.
    ///
    /// # Safety
    /// As [`CudaDevice::copy_bulk`].
    unsafe fn copy_parts(&self, take: impl Fn() -> Option<BoxCopy>, stream: &Stream) -> Result<(), String> {
        let &Self { way, gpu, pools, host, address, after, most } = self;
        gpu.bind().map_err(text)?;
        let mut turns: Vec<Turn> = Vec::new();
        let mut copied = || -> Result<(), String> {
            if let Some(after) = after {
                stream.wait_for(after).map_err(text)?;
            }
            let device = End::Device(gpu, address);
            let mut number = 0;
            while let Some(part) = take() {
                // One part is on its way while this thread copies another.
                if turns.len() < 2 {
                    let event = Event::new(gpu, Timed::No).map_err(text)?;
                    let pools = &mut pools.lock().unwrap_or_else(PoisonError::into_inner);
                    let memory = pools.pinned.take(&PinnedBy(gpu), most).map_err(|problem| problem.to_string())?;
                    turns.push(Turn { memory, event, part: None });
                }
                let turn = &mut turns[number % 2];
                number += 1;
                // SAFETY: the caller's promise; the part before has its bytes in the page-locked memory.
                unsafe { turn.arrived(way, host) }?;
                let [into, out] = part.by_way_of(0);
                let start = turn.memory.buffer.start.as_ptr();
                // SAFETY: the box lies at both ends, by the caller's promise; in the page-locked memory it is dense, and no
                // longer than `most` bytes. That memory is kept until the stream is done with it.
                let enqueued = unsafe {
                    match way {
                        Bulk::In => {
                            copy_runs(&into, host.0, start);
                            stream.copy_box(device, End::Host(start), &out)
                        }
                        Bulk::Out => stream.copy_box(End::Host(start), device, &into),
                    }
                };
                enqueued.map_err(text)?;
                turn.part = Some(part);
                turn.event.record(stream).map_err(text)?;
            }
            for turn in (0..2).map(|k| (number + k) % 2) {
                if let Some(turn) = turns.get_mut(turn) {
                    // SAFETY: as above.
                    unsafe { turn.arrived(way, host) }?;
                }
            }
            Ok(())
        };
        let copied = copied();
        // The stream must be idle before the memory is given back, whatever failed.
        let ended = stream.synchronize().or_else(|_| stream.synchronize());
        let mut pools = pools.lock().unwrap_or_else(PoisonError::into_inner);
        for turn in turns {
            match ended {
                Ok(()) => pools.pinned.give(turn.memory),
                Err(_) => pools.pinned.free(turn.memory),
            }
        }
        copied.and(ended.map_err(text))
    }
}

impl Turn {
    /// Waits for the part that is on its way, and copies it to the host's array where it comes from the device.
    ///
    /// # Safety
    /// As [`CudaDevice::copy_bulk`].
    unsafe fn arrived(&mut self, way: Bulk, host: Host) -> Result<(), String> {
        let Some(part) = self.part.take() else { return Ok(()) };
        self.event.synchronize().map_err(text)?;
        if way == Bulk::Out {
            let [_, out] = part.by_way_of(0);
            // SAFETY: the copy is done; the caller's promise.
            unsafe { copy_runs(&out, self.memory.buffer.start.as_ptr(), host.0) };
        }
        Ok(())
    }
}

/// Copies a box between two ranges of host memory.
///
/// # Safety
/// The box lies in both ranges, which do not overlap, and nothing else uses the target.
unsafe fn copy_runs(copy: &BoxCopy, from: *const u8, to: *mut u8) {
    for row in copy.rows() {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from.add(row.from.offset), to.add(row.to.offset), row.run) };
    }
}

/// Cuts a box into parts of at most `most` bytes.
fn cut(copy: BoxCopy, most: usize, parts: &mut Vec<BoxCopy>) {
    if copy.bytes() <= most.max(1) {
        if copy.bytes() > 0 {
            parts.push(copy);
        }
        return;
    }
    let [first, second] = match [1, 0].into_iter().find(|&level| copy.counts[level] > 1) {
        Some(level) => {
            let (mut first, mut second) = (copy, copy);
            first.counts[level] = copy.counts[level] / 2;
            second.counts[level] -= first.counts[level];
            second.from.offset += first.counts[level] * copy.from.strides[level];
            second.to.offset += first.counts[level] * copy.to.strides[level];
            [first, second]
        }
        None => {
            // Half of the run, to the next page where it is long enough.
            let half = if copy.run >= 8192 { (copy.run / 2).next_multiple_of(4096) } else { copy.run / 2 };
            let (from, to) = (copy.from.offset, copy.to.offset);
            [BoxCopy::row(from, to, half), BoxCopy::row(from + half, to + half, copy.run - half)]
        }
    };
    cut(first, most, parts);
    cut(second, most, parts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::layout::Strided;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_short_and_copy_each_byte_once(
            run in 1..40usize,
            counts in [1..6usize, 1..4usize],
            gaps in [0..9usize, 0..2usize],
            most in 1..200usize,
        ) {
            let strides = [run + gaps[0], (run + gaps[0]) * (counts[0] + gaps[1])];
            let from = Strided { offset: 3, strides };
            let to = Strided { offset: 1, strides: [run, run * counts[0]] };
            let copy = BoxCopy { from, to, run, counts };
            let mut parts = Vec::new();
            cut(copy, most, &mut parts);
            prop_assert!(parts.iter().all(|part| (1..=most).contains(&part.bytes())), "{parts:?}");
            prop_assert_eq!(bytes_of(&parts), copy.bytes());
            let source: Vec<u8> = (0..copy.end_of(&from).unwrap()).map(|i| (i * 7 + 1) as u8).collect();
            let mut whole = vec![0u8; copy.end_of(&to).unwrap()];
            let mut pieced = whole.clone();
            copy.apply(&source, &mut whole).unwrap();
            // SAFETY: the parts lie in both.
            parts.iter().for_each(|part| unsafe { copy_runs(part, source.as_ptr(), pieced.as_mut_ptr()) });
            prop_assert_eq!(whole, pieced);
        }
    }
}
