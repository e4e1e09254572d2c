//! Arrays that are not page-locked, copied by several threads through page-locked memory.
//!
//! A lane is a thread with a stream and two slots. It copies a piece into a slot, enqueues copy in, kernel and copy out, and
//! while the GPU works it brings the results of its other slot back and fills it again. A piece brings its own halo rows: lanes
//! need not wait for one another.

use super::Sent;
use super::code::{Code, MOST_BLOCKS, Place};
use super::gpu::{Gpu, PART, total};
use super::job::{Array, Job};
use super::memory::{Buffer, Pinned, copy_past_caches, down, pass, up};
use apportion::data::even_block;
use cudarc::driver::{CudaContext, CudaEvent, CudaStream};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};

/// Sections in a slot begin at multiples of this.
const ALIGNED: usize = 256;

/// A thread's stream and slots.
pub struct Lane {
    stream: Arc<CudaStream>,
    code: Code,
    slots: [Slot; 2],
    /// This lane's part of the arrays that all GPUs have is there.
    passed: CudaEvent,
}

struct Slot {
    host: Pinned,
    gpu: Buffer,
    done: CudaEvent,
}

impl Lane {
    /// A lane with slots of so many bytes.
    pub fn new(gpu: &Gpu, bytes: usize) -> Sent<Self> {
        let context: &Arc<CudaContext> = &gpu.context;
        let slot = || {
            let (host, gpu) = (Pinned::new(context, bytes)?, Buffer::new(context, bytes)?);
            Sent::Ok(Slot { host, gpu, done: context.new_event(None)? })
        };
        Ok(Self {
            stream: context.new_stream()?,
            code: gpu.code.again()?,
            slots: [slot()?, slot()?],
            passed: context.new_event(None)?,
        })
    }
}

/// Where the sections of a piece lie in a slot: those that go up, then those that go both ways, then those that come down, so
/// that one copy takes all of a way.
struct Layout {
    sections: Vec<(usize, Array, usize)>,
    up: Range<usize>,
    down: Range<usize>,
    partials: usize,
}

impl Layout {
    fn of(job: &Job<'_>, piece: &Range<u64>) -> Self {
        let mut sections: Vec<_> = job.divided().map(|(argument, array)| (argument, array, 0)).collect();
        sections.sort_by_key(|(_, array, _)| (array.copies_out(), !array.copies_in()));
        let (mut end, mut end_up, mut start_down) = (0usize, 0, None);
        for (_, array, offset) in &mut sections {
            *offset = end.next_multiple_of(ALIGNED);
            end = *offset + array.bytes_of(&array.section(piece).needed);
            if array.copies_in() {
                end_up = end;
            }
            if array.copies_out() {
                start_down.get_or_insert(*offset);
            }
        }
        let partials = end.next_multiple_of(ALIGNED);
        Self { sections, up: 0..end_up, down: start_down.unwrap_or(partials)..end, partials }
    }

    /// Its bytes, with room for the parts of a sum.
    fn bytes(&self) -> usize {
        self.partials + MOST_BLOCKS * PART
    }
}

/// Bytes of a slot for pieces of so many iterations anywhere in the loop.
pub fn slot_bytes(job: &Job<'_>, iterations: u64) -> usize {
    // In the middle there are halos on both sides, if there are anywhere.
    let start = job.iterations.saturating_sub(iterations) / 2;
    Layout::of(job, &(start..start + iterations.min(job.iterations))).bytes()
}

/// What the lanes of one GPU share in a run.
pub struct Turn<'t> {
    pub gpus: &'t [Gpu],
    pub own: usize,
    /// All lanes of each GPU.
    pub lanes: &'t [Vec<Lane>],
    /// How many of them work.
    pub count: usize,
    pub job: &'t Job<'t>,
    /// Iterations of a piece, and bytes of a slot that a piece of an array that all have may take.
    pub piece: u64,
    pub slot: usize,
    /// Whether GPUs fetch parts of such arrays and pass them on, or each fetches all.
    pub passes: bool,
    pub next_piece: &'t AtomicU64,
    pub next_of_full: &'t AtomicU64,
    pub all: &'t Barrier,
}

/// What a slot is waited for.
enum Going {
    Nothing,
    Up,
    Piece(Range<u64>),
}

impl Turn<'_> {
    /// One lane's part of a loop.
    pub fn run(&self, lane: usize) -> Sent<f64> {
        let lane = &self.lanes[self.own][lane];
        let done = self.all_of(lane);
        // Even where something failed, nothing may use the arrays any more.
        lane.stream.synchronize()?;
        done
    }

    fn all_of(&self, lane: &Lane) -> Sent<f64> {
        let mut going = [Going::Nothing, Going::Nothing];
        if self.job.full().next().is_some() {
            let brought = self.bring_full(lane, &mut going);
            // An event that is not recorded yet would not be waited for. A lane that failed comes here too, as others wait for it.
            self.all.wait();
            brought?;
            let from = if self.passes { 0..self.gpus.len() } else { self.own..self.own + 1 };
            for other in self.lanes[from].iter().flat_map(|lanes| &lanes[..self.count]) {
                lane.stream.wait(&other.passed)?;
            }
        }
        let (mut sum, mut turn) = (0.0, 0);
        let share = &self.gpus[self.own].share;
        loop {
            let start = share.start + self.next_piece.fetch_add(1, Ordering::Relaxed) * self.piece;
            sum += self.finish(lane, turn % 2, &mut going)?;
            if start >= share.end {
                break;
            }
            let piece = start..(start + self.piece).min(share.end);
            self.send(lane, turn % 2, &piece)?;
            going[turn % 2] = Going::Piece(piece);
            turn += 1;
        }
        Ok(sum + self.finish(lane, (turn + 1) % 2, &mut going)?)
    }

    /// Pieces of the arrays that all GPUs have, as long as there are any.
    fn bring_full(&self, lane: &Lane, going: &mut [Going; 2]) -> Sent {
        let mut turn = 0;
        while let Some((argument, array, part)) = self.of_full(self.next_of_full.fetch_add(1, Ordering::Relaxed)) {
            self.finish(lane, turn % 2, going)?;
            let slot = &lane.slots[turn % 2];
            let to = self.gpus[self.own].address(argument)? + part.start as u64;
            // SAFETY: the part is within the array, which the job borrows, and within the slot, which nothing uses any more; the
            // context is current; both GPUs have all of the array, and the stream is waited for.
            unsafe {
                std::ptr::copy_nonoverlapping(array.host_at(part.start), slot.host.start(), part.len());
                up(&lane.stream, to, slot.host.start(), part.len())?;
                slot.done.record(&lane.stream)?;
                for (_, other) in self.gpus.iter().enumerate().filter(|(gpu, _)| self.passes && *gpu != self.own) {
                    let there = other.address(argument)? + part.start as u64;
                    pass(&lane.stream, &other.context, there, to, part.len())?;
                }
            }
            going[turn % 2] = Going::Up;
            turn += 1;
        }
        Ok(lane.passed.record(&lane.stream)?)
    }

    /// A piece of what this GPU fetches of them, by its number.
    fn of_full(&self, number: u64) -> Option<(usize, Array, Range<usize>)> {
        let mut number = number as usize;
        for (argument, array) in self.job.full() {
            let (parts, own) = if self.passes { (self.gpus.len(), self.own) } else { (1, 0) };
            let mine = even_block(array.bytes() as u64, parts, own);
            let (start, end) = (mine.start as usize, mine.end as usize);
            let pieces = (end - start).div_ceil(self.slot);
            if number < pieces {
                let start = start + number * self.slot;
                return Some((argument, array, start..(start + self.slot).min(end)));
            }
            number -= pieces;
        }
        None
    }

    /// Fills a slot and enqueues all that the GPU does with it.
    fn send(&self, lane: &Lane, slot: usize, piece: &Range<u64>) -> Sent {
        let slot = &lane.slots[slot];
        let layout = Layout::of(self.job, piece);
        let mut places = self.gpus[self.own].places();
        for (argument, array, offset) in &layout.sections {
            let rows = array.section(piece).needed;
            places[*argument] =
                Some(Place { address: slot.gpu.address + *offset as u64, first: array.element(rows.start) });
            if array.copies_in() {
                let from = array.host_row(rows.start);
                // SAFETY: the rows are within the array, which the job borrows; the slot has room for the layout of the longest
                // piece, and nothing uses it any more. No other lane writes rows that this one reads: those are its own.
                unsafe {
                    std::ptr::copy_nonoverlapping(from, slot.host.start().add(*offset), array.bytes_of(&rows));
                }
            }
        }
        let parts = lane.code.parts(piece) * PART;
        let from = layout.down.start;
        let bytes = if parts > 0 { layout.partials + parts } else { layout.down.end } - from;
        let partials = slot.gpu.address + layout.partials as u64;
        // SAFETY: the context is current; slots are as long as the layout on both sides, and are not touched until `done`; other
        // arrays are where the streams that were waited for have put them.
        unsafe {
            if !layout.up.is_empty() {
                up(&lane.stream, slot.gpu.address, slot.host.start(), layout.up.len())?;
            }
            lane.code.enqueue(&lane.stream, self.job, piece, &places, partials)?;
            if bytes > 0 {
                down(&lane.stream, slot.host.start().add(from), slot.gpu.address + from as u64, bytes)?;
            }
        }
        Ok(slot.done.record(&lane.stream)?)
    }

    /// Waits for a slot, and takes its results out.
    fn finish(&self, lane: &Lane, slot: usize, going: &mut [Going; 2]) -> Sent<f64> {
        let piece = match std::mem::replace(&mut going[slot], Going::Nothing) {
            Going::Nothing => return Ok(0.0),
            Going::Up => {
                lane.slots[slot].done.synchronize()?;
                return Ok(0.0);
            }
            Going::Piece(piece) => piece,
        };
        let slot = &lane.slots[slot];
        slot.done.synchronize()?;
        let layout = Layout::of(self.job, &piece);
        for (_, array, offset) in layout.sections.iter().filter(|(_, array, _)| array.copies_out()) {
            let section = array.section(&piece);
            let before = array.bytes_of(&(section.needed.start..section.owned.start));
            let (to, bytes) = (array.host_row(section.owned.start), array.bytes_of(&section.owned));
            // SAFETY: the rows are this piece's own, in an array that the job borrows for writing; the slot has them, as the
            // GPU has done with it.
            unsafe {
                let from = slot.host.start().add(offset + before);
                // What was also copied in is in the caches still.
                if array.copies_in() {
                    std::ptr::copy_nonoverlapping(from, to, bytes);
                } else {
                    copy_past_caches(from, to, bytes);
                }
            }
        }
        // SAFETY: the slot has room for so many parts at this aligned place, and the copy that wrote them has been waited for.
        Ok(unsafe { total(slot.host.start().wrapping_add(layout.partials), lane.code.parts(&piece)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion::kernel::ElementType;
    use apportion_kernels::{Memory, WORKLOADS};

    #[test]
    fn a_slot_has_room_for_every_piece_and_one_copy_takes_each_way() {
        for entry in WORKLOADS {
            let mut instance = entry.build_in(entry.sizes.small, ElementType::F32, 1, Memory::Plain).unwrap();
            let (iterations, reduces) = (instance.iterations(), instance.reduction().is_some());
            let bound = instance.bind();
            let job = Job::of(entry.name, iterations, reduces, &bound).unwrap();
            for length in [1, 2, job.piece(1 << 16), iterations.saturating_sub(1).max(1), iterations] {
                let room = slot_bytes(&job, length);
                for start in (0..iterations).step_by(length as usize).take(100) {
                    let piece = start..(start + length).min(iterations);
                    let layout = Layout::of(&job, &piece);
                    assert!(layout.bytes() <= room, "{} {piece:?}", entry.name);
                    for (_, array, offset) in &layout.sections {
                        let section = *offset..offset + array.bytes_of(&array.section(&piece).needed);
                        let within = |way: &Range<usize>| way.start <= section.start && section.end <= way.end;
                        assert!(!array.copies_in() || within(&layout.up), "{} {piece:?}", entry.name);
                        assert!(!array.copies_out() || within(&layout.down), "{} {piece:?}", entry.name);
                    }
                }
            }
        }
    }
}
