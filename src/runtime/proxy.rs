//! The proxy: it stands for one device during an offload.
//!
//! It pulls chunks from the policy, cuts those of a device with its own memory into pieces, keeps several pieces in flight, and
//! tells the policy the times of each chunk.

use crate::data::Direction;
use crate::devices::{Completed, Cut, Device, Session, Work, merge, with_checked_session};
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::Argument;
use crate::model::{DeviceCost, piece_lengths, subchunks};
use crate::runtime::plan::{EVEN, LONG};
use crate::runtime::report::{DeviceReport, PieceRecord};
use crate::runtime::seats::Meanwhile;
use crate::runtime::shared::Shared;
use crate::runtime::uneven::Uneven;
use crate::sched::Next;
use crate::space::{IterRange, Slot};
use crate::times::PhaseTimes;
use crate::units::{Bytes, Seconds};
use smallvec::{SmallVec, smallvec};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Most chunks of a device at a time: one at work, and the next, whose copy in overlaps with it. More would keep iterations
/// from faster devices at the end of the loop.
const OPEN_CHUNKS: usize = 2;

/// Pieces in the order in which they run, usually a few.
type Pieces = SmallVec<[IterRange; 8]>;

fn pop_front(pieces: &mut Pieces) -> Option<IterRange> {
    if pieces.is_empty() { None } else { Some(pieces.remove(0)) }
}

/// The same iterations in as few ranges as possible: others wait while they are handed out anew.
fn joined(mut pieces: Vec<IterRange>) -> Vec<IterRange> {
    pieces.sort_unstable();
    pieces.dedup_by(|next, before| {
        let follows = before.end == next.start;
        before.end = if follows { next.end } else { before.end };
        follows
    });
    pieces
}

/// How a device's chunks are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cutting<'o> {
    /// Chunks are not cut, except to fit into memory.
    pub whole: bool,
    /// From this many iterations on, a chunk is most of what the device gets.
    pub most_from: u64,
    /// What the pieces cost on the device.
    pub cost: &'o DeviceCost,
    /// No piece has more iterations than this: what fits in the device's memory.
    pub largest: u64,
    /// Pieces start at multiples of this.
    pub granule: u64,
    /// The device works best on multiples of this, which is a multiple of the granule.
    pub tile: u64,
    /// Several threads of the device each copy a piece. Each piece costs them some calls of the driver, so a chunk is cut into as
    /// few as are allowed.
    pub shared_out: bool,
    /// Where iterations differ in their work.
    pub uneven: Option<Uneven<'o>>,
}

impl Cutting<'_> {
    /// How many iterations of mean work some iterations are worth, where they differ.
    fn places(&self, iterations: IterRange) -> Option<u64> {
        self.uneven.as_ref().map(|uneven| uneven.by_work.places(iterations))
    }

    /// The best lengths of a chunk's pieces in units of so many iterations. The last unit may be a part of one.
    fn lengths(&self, n: u64, unit: u64) -> SmallVec<[u64; 8]> {
        let cut = |cost: &DeviceCost| -> SmallVec<[u64; 8]> {
            let units = n.div_ceil(unit);
            if self.shared_out && !self.whole {
                let pieces = units.div_ceil((self.largest / unit).max(1));
                return (0..pieces).map(|k| units / pieces + u64::from(k < units % pieces)).collect();
            }
            if self.whole || subchunks(cost, units) == 1 {
                return smallvec![units];
            }
            piece_lengths(cost, units, n >= self.most_from).into()
        };
        if unit == 1 { cut(self.cost) } else { cut(&self.cost.in_granules(unit)) }
    }

    /// How the device's part is cut if several threads copy it and its first chunk is most of it, of about such a share; `None` if
    /// not. Later chunks of other lengths have other pieces.
    pub fn expected_of(&self, first: &Next, share: u64) -> Option<Cut> {
        let &Next::Run(chunk) = first else { return None };
        if !self.shared_out || self.whole || chunk.is_empty() || self.places(chunk).unwrap_or(chunk.len()) < share / 2 {
            return None;
        }
        let mut pieces = Pieces::new();
        self.cut(chunk, &mut pieces);
        let longest = pieces.iter().map(|piece| piece.len()).max()?;
        let heaviest = || pieces.iter().copied().max_by_key(|piece| self.places(*piece));
        Some(Cut { longest, heaviest: self.uneven.and_then(|_| heaviest()), pieces: pieces.len() as u64 })
    }

    /// As [`Self::cut`] would cut as much work if all iterations were alike, except for whole pages: where an array's rows differ,
    /// its sections begin anywhere.
    fn cut_by_work(&self, uneven: &Uneven<'_>, chunk: IterRange, (fitting, unit): (u64, u64), into: &mut Pieces) {
        let n = uneven.by_work.places(chunk);
        let (mut planned, mut start) = (0u64, chunk.start);
        for units in self.lengths(n, unit) {
            planned = planned.saturating_add(units.saturating_mul(unit)).min(n);
            let end = uneven.by_work.within(chunk, unit, planned, n).max(start);
            // What does not fit is cut evenly, and what then is still too long, once more.
            let part = IterRange::new(start, end);
            let parts = uneven.by_work.places(part).div_ceil(fitting).max(1);
            for place in 1..=parts {
                let end = uneven.by_work.within(part, self.granule, place, parts);
                while start < end {
                    let piece = IterRange::new(start, uneven.fitting(IterRange::new(start, end), self.granule));
                    into.push(piece);
                    start = piece.end;
                }
            }
        }
    }

    fn cut(&self, chunk: IterRange, into: &mut Pieces) {
        if chunk.is_empty() {
            return;
        }
        let fitting = (self.largest / self.granule).max(1) * self.granule;
        let unit = if fitting >= self.tile { self.tile } else { self.granule };
        if let Some(uneven) = self.uneven.as_ref().filter(|uneven| uneven.cuts) {
            return self.cut_by_work(uneven, chunk, (fitting, unit), into);
        }
        let mut rest = chunk;
        let all_units = self.lengths(chunk.len(), unit);
        let mut planned = 0u64;
        for (place, units) in all_units.iter().enumerate() {
            planned = if place + 1 == all_units.len() { chunk.len() } else { planned.saturating_add(units * unit) };
            let taken = rest.start - chunk.start;
            let length = planned.min(chunk.len()).saturating_sub(taken);
            if length == 0 {
                continue;
            }
            // Whole pages from the chunk's start: copies with other alignment take up to a tenth longer. Each end is rounded to the
            // nearest, so that what pieces lack or have too much does not add up.
            let even = EVEN.is_multiple_of(unit) && length.min(fitting) >= LONG;
            let (unit, fitting) = if even { (EVEN, fitting / EVEN * EVEN) } else { (unit, fitting) };
            let up = |length: u64| length.checked_next_multiple_of(unit).unwrap_or(length);
            let nearest = || (planned.saturating_add(unit / 2) / unit * unit).max(taken.saturating_add(unit));
            let mut length = if planned == chunk.len() { up(length) } else { nearest() - taken };
            // What does not fit is cut evenly.
            let piece = up(length.div_ceil(length.div_ceil(fitting / unit * unit)));
            while length > 0 && !rest.is_empty() {
                let piece = rest.take_front(piece.min(length));
                length -= piece.len().min(length);
                into.push(piece);
            }
        }
    }
}

/// The results of a proxy.
// One entry of each has room inline: memory that a device's thread allocates and the caller frees is slow.
#[derive(Default)]
pub(super) struct Log {
    /// Without the pieces and the device's name.
    pub report: DeviceReport,
    pub pieces: SmallVec<[PieceRecord; 1]>,
    /// Partial results, each with its iterations.
    pub partials: SmallVec<[(IterRange, Scalar); 1]>,
    /// What its iterations contributed to whole arrays: one copy per argument.
    pub contributed: Vec<(usize, Vec<u64>)>,
    /// Times in which the policy had nothing for it, each with the number of pieces done before.
    pub waits: SmallVec<[(usize, Seconds); 1]>,
    /// The part of its first piece's time in which its threads woke up.
    pub woken: Seconds,
    /// Whether the device allocated or compiled something.
    pub prepared: bool,
}

impl Log {
    fn waited(&mut self, time: Duration) {
        if time > Duration::ZERO {
            self.waits.push((self.pieces.len(), time.into()));
        }
    }
}

/// A chunk that the policy gave and that is not finished.
struct OpenChunk {
    chunk: IterRange,
    left: u64,
    times: PhaseTimes,
    /// Pieces of it that are done.
    pieces: u64,
}

pub(super) struct Proxy<'o, 'w> {
    pub slot: Slot,
    pub shared: &'o Shared<'o, 'w>,
    pub work: Work<'o>,
    pub cutting: Cutting<'o>,
    /// How long the device's threads take to wake, as far as it is known.
    pub wake: Seconds,
    /// What the policy gave it before the other threads were told of the loop.
    pub first: Next,
}

impl Proxy<'_, '_> {
    /// The next chunk. Adds to `waited` the time in which there was none.
    fn wait_for_next(&self, waited: &mut Duration) -> Next {
        match self.shared.next(self.slot) {
            Next::WaitForOthers => {
                let start = Instant::now();
                let next = self.shared.wait_for_next(self.slot);
                *waited += start.elapsed();
                next
            }
            next => next,
        }
    }

    /// The device's first chunk, if it gets one, and how long it waited for it. A device without a chunk prepares nothing: it
    /// would wake its threads or copy whole arrays for nothing, and others would wait.
    pub fn first(&self) -> Option<(IterRange, Duration)> {
        let mut waited = Duration::ZERO;
        let next = match self.first {
            Next::WaitForOthers => catch_unwind(AssertUnwindSafe(|| self.wait_for_next(&mut waited))),
            given => Ok(given),
        };
        match next {
            Ok(Next::Run(chunk)) => Some((chunk, waited)),
            Ok(Next::Done | Next::WaitForOthers) => None,
            Err(payload) => {
                self.shared.panicked(payload);
                None
            }
        }
    }

    /// Runs the device's part of the loop, from its first chunk on, and calls `meanwhile` once something is under way. Never
    /// panics: the panic of a host body stops the offload and is kept.
    pub fn run(
        &self,
        device: &mut dyn Device,
        (first, waited): (IterRange, Duration),
        meanwhile: Meanwhile<'_>,
    ) -> Log {
        let started = Instant::now();
        let mut log = Log::default();
        log.waited(waited);
        let mut waited = Duration::ZERO;
        let (before, compiled) = (device.preparations(), device.compile_time());
        // The log stays usable whatever panics: it only gains entries after a piece is complete.
        let drive = || self.begin_and_drive(device, first, &mut log, &mut waited, meanwhile);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(drive)) {
            self.shared.panicked(payload);
        }
        log.prepared = device.preparations() != before;
        log.report.compiled = device.compile_time().saturating_sub(compiled).into();
        log.report.busy = started.elapsed().saturating_sub(waited).into();
        log
    }

    fn begin_and_drive(
        &self,
        device: &mut dyn Device,
        chunk: IterRange,
        log: &mut Log,
        waited: &mut Duration,
        meanwhile: Meanwhile<'_>,
    ) {
        let driven = with_checked_session(device, &self.work, |begun| {
            log.report.phases += begun.times;
            log.report.bytes_to += Bytes(begun.bytes_to);
            let mut drive = Drive {
                proxy: self,
                session: begun.session,
                log,
                waited,
                meanwhile: Some(meanwhile),
                open: SmallVec::new(),
                pending: SmallVec::new(),
                submitted: SmallVec::new(),
                most: u64::MAX,
                at_once: usize::MAX,
                draining: false,
            };
            drive.accept(chunk);
            drive.run()
        });
        // Only now has the device stopped using the rows that others will run.
        match driven {
            Ok(None) => {}
            Ok(Some(Failure { error, spoiled: true, .. })) => self.shared.spoiled(error),
            Ok(Some(Failure { error, unfinished, .. })) => self.shared.lost(self.slot, &unfinished, error),
            Err(error) => self.shared.lost(self.slot, &[chunk], error),
        }
    }
}

/// How a device failed.
struct Failure {
    error: DeviceError,
    /// The device's pieces without a result.
    unfinished: Vec<IterRange>,
    /// These pieces may have changed rows that they also read, so no device can run them again.
    spoiled: bool,
}

struct Drive<'p, 'w, 's, 'm> {
    proxy: &'p Proxy<'p, 'w>,
    session: &'p mut (dyn Session + 's),
    log: &'p mut Log,
    waited: &'p mut Duration,
    meanwhile: Option<Meanwhile<'m>>,
    open: SmallVec<[OpenChunk; OPEN_CHUNKS]>,
    /// Pieces not yet submitted, the next one last: a device with little memory has many, and each leaves the list by itself.
    pending: Pieces,
    /// Pieces in flight, the oldest first.
    submitted: Pieces,
    /// No piece has more iterations than this: the device had no memory for a piece twice as long.
    most: u64,
    /// No more pieces are in flight than this: the device had no memory for one more of the shortest.
    at_once: usize,
    /// Nothing is submitted until the pieces in flight are done, as they hold the memory for the next ones.
    draining: bool,
}

impl Drive<'_, '_, '_, '_> {
    /// Takes a chunk from the policy, to be submitted in pieces.
    fn accept(&mut self, chunk: IterRange) {
        self.log.report.chunks += 1;
        self.open.push(OpenChunk { chunk, left: chunk.len(), times: PhaseTimes::default(), pieces: 0 });
        let before = std::mem::take(&mut self.pending);
        self.proxy.cutting.cut(chunk, &mut self.pending);
        self.pending.reverse();
        self.pending.extend(before);
    }

    /// The next piece to submit, no longer than the device has memory for.
    fn next_piece(&mut self) -> Option<IterRange> {
        match self.pending.last_mut() {
            Some(piece) if piece.len() > self.most => Some(piece.take_front(self.most)),
            _ => self.pending.pop(),
        }
    }

    /// After an error about a piece: if the device had no room for it, having less memory than it reported at first, submits
    /// the piece again, in shorter ones or with fewer beside it.
    ///
    /// One that was refused `at_submit` was refused beside the pieces that are submitted now, another one maybe beside more.
    fn again_with_less(
        &mut self,
        error: DeviceError,
        piece: IterRange,
        at_submit: bool,
    ) -> Result<(), (DeviceError, IterRange)> {
        let granule = self.proxy.cutting.granule.max(1);
        let shortest = piece.len() <= granule;
        // Several pieces may be refused at once. Only one that had the memory for itself cannot be.
        let alone = !self.draining && (self.at_once == 1 || at_submit && self.submitted.is_empty());
        if !self.session.had_no_room() || shortest && alone {
            return Err((error, piece));
        }
        if self.most == u64::MAX && self.at_once == usize::MAX {
            let instead = if shortest { "it waited for others, and so did" } else { "it was cut shorter, and so was" };
            let message = format!("{}; {instead} what followed", error.message);
            self.proxy.shared.remark(DeviceError { message, ..error });
        }
        if shortest {
            self.at_once = self.submitted.len().max(1);
        } else {
            self.most = self.most.min((piece.len() / 2 / granule * granule).max(granule));
        }
        self.pending.push(piece);
        self.draining = true;
        Ok(())
    }

    /// Runs until the policy has nothing more or the device fails.
    fn run(mut self) -> Option<Failure> {
        match self.until_done() {
            Ok(()) => {
                match self.session.finish() {
                    Ok(times) => self.log.report.phases += times,
                    Err(error) => self.proxy.shared.remark(error),
                }
                None
            }
            Err((error, failed)) => {
                let mut unfinished = self.what_is_left();
                unfinished.push(failed);
                let unfinished = joined(unfinished);
                let work = &self.proxy.work;
                // Each chunk has its own copy of an array that iterations contribute to.
                let own = |position: usize| work.array_reductions.iter().any(|(of, _)| *of == position);
                let reads_what_it_writes = |(position, a): (usize, &Argument<'_>)| {
                    a.array().is_some_and(|map| map.direction == Direction::ToFrom) && !own(position)
                };
                let spoiled =
                    self.session.wrote_in_place() && work.arguments.iter().enumerate().any(reads_what_it_writes);
                Some(Failure { error, unfinished, spoiled })
            }
        }
    }

    /// After an error: completes the pieces in flight that can be, so that they are not run again. Returns the others.
    fn what_is_left(&mut self) -> Vec<IterRange> {
        let mut unfinished: Vec<_> = self.pending.drain(..).collect();
        while let Some(piece) = pop_front(&mut self.submitted) {
            match self.session.complete() {
                Ok(done) if !done.incomplete => self.completed(piece, done),
                // The first error is the one to report.
                Ok(_) | Err(_) => unfinished.push(piece),
            }
        }
        unfinished
    }

    /// Runs until the policy has nothing more. An error comes with the piece that it is about, which is in none of the queues.
    fn until_done(&mut self) -> Result<(), (DeviceError, IterRange)> {
        let Proxy { slot, shared, work, .. } = self.proxy;
        // Several threads of the device each work on a piece; the other pieces wait in the queue.
        let at_work = if work.piece_bytes.is_some() { work.in_flight / 3 } else { 0 };
        let mut lull = false;
        loop {
            if shared.is_cancelled() {
                return self.until_quiet();
            }
            while self.submitted.len() < work.in_flight.min(self.at_once) && !self.draining {
                if let Some(piece) = self.next_piece() {
                    match self.session.submit(piece) {
                        Ok(()) => self.submitted.push(piece),
                        Err(error) => self.again_with_less(error, piece, true)?,
                    }
                    lull = false;
                    continue;
                }
                if self.open.len() >= OPEN_CHUNKS && self.submitted.len() >= at_work {
                    break;
                }
                let next = if self.submitted.is_empty() {
                    let before = *self.waited;
                    let next = self.proxy.wait_for_next(self.waited);
                    self.log.waited(*self.waited - before);
                    next
                } else {
                    shared.next(*slot)
                };
                match next {
                    Next::Run(chunk) => {
                        lull = false;
                        self.accept(chunk);
                    }
                    Next::Done if self.submitted.is_empty() => return Ok(()),
                    Next::Done | Next::WaitForOthers => {
                        if !std::mem::replace(&mut lull, true) {
                            self.session.lull();
                        }
                        break;
                    }
                }
            }
            if let Some(meanwhile) = self.meanwhile.take() {
                meanwhile();
            }
            if let Some(piece) = pop_front(&mut self.submitted) {
                self.complete(piece)?;
            }
            self.draining &= !self.submitted.is_empty();
        }
    }

    /// After a cancel: completes the pieces in flight and begins nothing else.
    fn until_quiet(&mut self) -> Result<(), (DeviceError, IterRange)> {
        // Stops the hand-out, whatever fails from here on, and wakes waiting proxies.
        self.proxy.shared.next(self.proxy.slot);
        while let Some(piece) = pop_front(&mut self.submitted) {
            self.complete(piece)?;
        }
        Ok(())
    }

    /// Waits for the oldest piece. A piece of which a part was left out counts as not begun.
    fn complete(&mut self, piece: IterRange) -> Result<(), (DeviceError, IterRange)> {
        match self.session.complete() {
            Ok(done) if done.incomplete => self.pending.push(piece),
            Ok(done) => self.completed(piece, done),
            Err(error) => self.again_with_less(error, piece, false)?,
        }
        Ok(())
    }

    /// The times of a piece as policies see them. A device's first piece includes the waking of its threads, which takes longer
    /// than a short sample and does not occur in the rest of the loop. Time beyond launch and steady pace counts as waking, up
    /// to the known time of waking.
    fn without_waking(&self, mut times: PhaseTimes, done: &Completed) -> PhaseTimes {
        if let Some(steady) = done.steady.filter(|_| self.log.pieces.is_empty()) {
            let Proxy { cutting, wake, .. } = self.proxy;
            let kernel = &mut times[Phase::Kernel];
            *kernel = (steady + cutting.cost.kernel_chunk).max(*kernel - *wake).min(*kernel);
        }
        times
    }

    /// Combines what a piece contributed to whole arrays with the contributions of earlier pieces.
    fn contributed(&mut self, more: Vec<(usize, Vec<u64>)>) {
        for (position, words) in more {
            let work = &self.proxy.work;
            let before = self.log.contributed.iter_mut().find(|(of, _)| *of == position);
            let reduction = work.array_reductions.iter().find(|(of, _)| *of == position);
            match (before, reduction) {
                (Some((_, before)), Some((_, reduction))) => {
                    merge(*reduction, bytemuck::cast_slice_mut(before), bytemuck::cast_slice(&words));
                }
                _ => self.log.contributed.push((position, words)),
            }
        }
    }

    fn completed(&mut self, piece: IterRange, mut done: Completed) {
        if let Some(outside) = done.outside.take() {
            self.proxy.shared.broken(*outside);
        }
        let times = done.times();
        let paced = self.without_waking(times, &done);
        self.log.woken += times[Phase::Kernel] - paced[Phase::Kernel];
        self.contributed(std::mem::take(&mut done.contributed));
        let report = &mut self.log.report;
        report.iterations += piece.len();
        if let Some(uneven) = &self.proxy.cutting.uneven {
            report.elements += uneven.rows.rows(piece);
        }
        report.bytes_to += Bytes(done.bytes_to);
        report.bytes_from += Bytes(done.bytes_from);
        report.phases += times;
        self.log.pieces.push(PieceRecord::new(piece, self.proxy.cutting.places(piece), &done));
        if let Some(partial) = done.partial {
            self.log.partials.push((piece, partial));
        }
        self.log.partials.extend(done.blocks);
        // The oldest chunk, unless a piece of that one has failed.
        let holds = |open: &OpenChunk| open.chunk.start <= piece.start && piece.end <= open.chunk.end;
        if let Some(index) = self.open.iter().position(holds) {
            let open = &mut self.open[index];
            open.times += paced;
            open.pieces += 1;
            open.left -= piece.len();
            if open.left == 0 {
                let OpenChunk { chunk, times, pieces, .. } = *open;
                self.open.remove(index);
                self.proxy.shared.finished(self.proxy.slot, chunk, &times, pieces);
            }
        }
    }
}

/// Sets the time in which a device did not work during the offload.
pub(super) fn set_wait(report: &mut DeviceReport, elapsed: Seconds) {
    report.phases[Phase::Wait] = (elapsed - report.busy).max(Seconds::ZERO);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::uneven::{Room, RowBytes};
    use crate::sched::ByWork;
    use crate::units::Seconds;
    use proptest::prelude::*;

    #[test]
    fn pieces_that_follow_one_another_are_given_back_as_one() {
        let ranges = |of: &[(u64, u64)]| of.iter().map(|&(start, end)| IterRange::new(start, end)).collect::<Vec<_>>();
        let pieces = ranges(&[(7, 9), (20, 30), (0, 3), (3, 7), (12, 20), (40, 41)]);
        assert_eq!(joined(pieces), ranges(&[(0, 9), (12, 30), (40, 41)]));
        assert_eq!(joined(Vec::new()), []);
        assert_eq!(joined((0..1000).rev().map(|i| IterRange::new(i, i + 1)).collect()), ranges(&[(0, 1000)]));
    }

    #[test]
    fn whole_tiles_grow_from_both_ends_where_the_kernel_takes_longest() {
        // matmul 6144 on each of two H200: tiles of 128 rows.
        let us = Seconds::from_micros;
        let cost = DeviceCost {
            to: us(0.47),
            kernel: us(1.48),
            from: us(0.47),
            to_chunk: us(5.0),
            kernel_chunk: us(5.0),
            from_chunk: us(8.0),
            ..DeviceCost::default()
        };
        let cutting = Cutting {
            whole: false,
            most_from: 1,
            cost: &cost,
            largest: u64::MAX,
            granule: 1,
            tile: 128,
            shared_out: false,
            uneven: None,
        };
        let mut pieces = Pieces::new();
        cutting.cut(IterRange::new(3072, 6144), &mut pieces);
        let lengths: Vec<u64> = pieces.iter().map(|piece| piece.len()).collect();
        assert!(lengths.iter().all(|length| length.is_multiple_of(128)), "{lengths:?}");
        let most = *lengths.iter().max().unwrap();
        assert!(3 * lengths[0] <= most && 3 * lengths[lengths.len() - 1] <= most, "{lengths:?}");
        // On each of four, where there are few tiles.
        pieces.clear();
        cutting.cut(IterRange::new(0, 1536), &mut pieces);
        assert_eq!((pieces[0].len(), pieces[pieces.len() - 1].len()), (128, 128), "{pieces:?}");
        // A part of a tile comes last.
        pieces.clear();
        cutting.cut(IterRange::new(0, 3000), &mut pieces);
        assert!(pieces.iter().rev().skip(1).all(|piece| piece.len().is_multiple_of(128)), "{pieces:?}");
        assert_eq!(pieces[pieces.len() - 1].end, 3000);
    }

    proptest! {
        #[test]
        fn pieces_cover_a_chunk_in_order_and_long_ones_are_whole_pages(
            (start, length) in (0..1u64 << 40, (0..32u32).prop_flat_map(|bits| 1u64 << bits..2 << bits)),
            largest in prop_oneof![1..1u64 << 22, Just(u64::MAX)],
            granule in prop::sample::select(vec![1u64, 2, 3, 64, 8192]),
            tiles in 1..5u64,
            (to, fixed) in (prop::sample::select(vec![0.0, 1e-9, 4e-9]), 1e-8..1e-5f64),
            (whole, shared_out) in (any::<bool>(), any::<bool>()),
        ) {
            let (to, kernel, from, kernel_chunk) = (Seconds(to), Seconds(1e-9), Seconds(1e-10), Seconds(fixed));
            let cost = DeviceCost { to, kernel, from, kernel_chunk, ..DeviceCost::default() };
            let most_from = if whole { 0 } else { u64::MAX };
            let cutting = Cutting { whole: false, most_from, cost: &cost, largest, granule, tile: granule * tiles, shared_out, uneven: None };
            let (start, length) = (start / granule * granule, length.min(largest.saturating_mul(1000)));
            let mut pieces = Pieces::new();
            cutting.cut(IterRange::new(start, start + length), &mut pieces);
            let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
            prop_assert_eq!((first.start, last.end), (start, start + length));
            prop_assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start && !pair[1].is_empty()));
            let fitting = (largest / granule).max(1) * granule;
            prop_assert!(pieces.iter().all(|piece| piece.len() <= fitting && (piece.start - start).is_multiple_of(granule)));
            let unit = if fitting >= cutting.tile { cutting.tile } else { granule };
            let mut long = pieces.iter().filter(|piece| piece.len() >= LONG && piece.end < start + length);
            if EVEN.is_multiple_of(unit) {
                prop_assert!(long.all(|piece| (piece.end - start).is_multiple_of(EVEN)), "{pieces:?}");
            }
            let expected = cutting.expected_of(&Next::Run(IterRange::new(start, start + length)), length);
            let cut = pieces.iter().map(|piece| piece.len()).max().map(|longest| Cut { longest, heaviest: None, pieces: pieces.len() as u64 });
            prop_assert_eq!(expected, cut.filter(|_| shared_out));
            prop_assert_eq!(cutting.expected_of(&Next::Run(IterRange::new(start, start + length)), 4 * length), None);
            // Where they fit, they are those of the plan, but for the rounding of both ends.
            if largest == u64::MAX {
                let planned = cutting.lengths(length, cutting.tile);
                // A last one of less than half a page may be part of the one before.
                prop_assert!(planned.len() <= 72 && pieces.len() <= planned.len());
                for (piece, units) in pieces.iter().zip(planned).take(pieces.len() - 1) {
                    let off = piece.len().abs_diff(units * cutting.tile);
                    prop_assert!(off <= EVEN, "{} of {}", piece.len(), units * cutting.tile);
                }
            }
        }
    }

    /// Rows of these lengths, of 4 bytes each.
    fn uneven(lengths: &[u32]) -> Vec<u64> {
        let sum = |sum: &mut u64, length: &u32| {
            *sum += u64::from(*length);
            Some(*sum)
        };
        std::iter::once(0).chain(lengths.iter().scan(0, sum)).collect()
    }

    proptest! {
        #[test]
        fn pieces_by_work_cover_a_chunk_in_order_and_fit(
            lengths in prop::collection::vec(prop_oneof![Just(0u32), 0u32..9, 0u32..300, Just(1 << 20)], 1..300),
            (from, to) in (0usize..300, 0usize..300),
            (granule, tiles) in (prop::sample::select(vec![1u64, 2, 3, 16]), 1..3u64),
            (largest, fixed) in (prop_oneof![1..200u64, Just(u64::MAX)], 1e-8..1e-5f64),
            shared_out in any::<bool>(),
        ) {
            let n = lengths.len() as u64;
            let (from, to) = ((from.min(to) as u64 / granule * granule).min(n), (from.max(to) as u64).min(n));
            let at = uneven(&lengths);
            let rows = RowBytes::of_table(16, (&at).into(), 4);
            let mean = 16 + 4 * at[lengths.len()].div_ceil(n);
            let (to_each, kernel, kernel_chunk) = (Seconds(1e-9), Seconds(1e-9), Seconds(fixed));
            let cost = DeviceCost { to: to_each, kernel, from: to_each, kernel_chunk, ..DeviceCost::default() };
            let room = (largest < u64::MAX).then(|| Room { all: largest * mean, one: u64::MAX });
            let by_work = ByWork::new(&rows, IterRange::new(0, n), granule);
            let uneven = Some(Uneven { rows: &rows, by_work, room, cuts: true });
            let cutting = Cutting { whole: false, most_from: 1, cost: &cost, largest, granule, tile: granule * tiles, shared_out, uneven };
            let mut pieces = Pieces::new();
            cutting.cut(IterRange::new(from, to), &mut pieces);
            prop_assert_eq!(pieces.is_empty(), from == to);
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty() && (piece.start - from).is_multiple_of(granule)));
            prop_assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start));
            if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
                prop_assert_eq!((first.start, last.end), (from, to));
            }
            let bytes = |piece: &IterRange| 16 * piece.len() + 4 * (at[piece.end as usize] - at[piece.start as usize]);
            let fits = |piece: &IterRange| room.is_none_or(|room| bytes(piece) <= room.all);
            prop_assert!(pieces.iter().all(|piece| fits(piece) || piece.len() <= granule), "{pieces:?}");
            // Where there is room, none is far longer than it was planned.
            let longest = lengths.iter().max().map_or(0, |length| 16 + 4 * u64::from(*length)) * granule * tiles;
            let places = by_work.places(IterRange::new(from, to));
            let planned = cutting.lengths(places, granule * tiles).into_iter().max().unwrap_or(0) * granule * tiles;
            let work = |places: u64| (u128::from(places + 1) * u128::from(16 * n + 4 * at[lengths.len()]) / u128::from(n)) as u64;
            prop_assert!(room.is_some() || pieces.iter().all(|piece| bytes(piece) <= work(planned) + longest), "{pieces:?}");
        }
    }

    #[test]
    fn a_chunk_of_almost_all_numbers_is_cut_without_overflow() {
        let cost = DeviceCost::default();
        for (largest, tile, end) in [(u64::MAX, 1, u64::MAX), (u64::MAX, 64, u64::MAX), (1 << 60, 1, u64::MAX - 4095)] {
            let cutting = Cutting {
                whole: false,
                most_from: 1,
                cost: &cost,
                largest,
                granule: 1,
                tile,
                shared_out: false,
                uneven: None,
            };
            let mut pieces = Pieces::new();
            cutting.cut(IterRange::new(0, end), &mut pieces);
            assert!(pieces[0].start == 0 && pieces[pieces.len() - 1].end == end, "{pieces:?}");
            assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].start), "{pieces:?}");
        }
    }

    #[test]
    fn what_several_threads_take_is_cut_evenly_into_as_few_pieces_as_are_allowed() {
        let cost = DeviceCost::default();
        for (n, largest, tile) in
            [(5_000_000, 40_000, 1), (5_000_000, 40_000, 64), (100_000, 40_000, 1), (3, 40_000, 1)]
        {
            let cutting = Cutting {
                whole: false,
                most_from: 1,
                cost: &cost,
                largest,
                granule: 1,
                tile,
                shared_out: true,
                uneven: None,
            };
            let pieces = cutting.lengths(n, tile);
            let units: u64 = n.div_ceil(tile);
            assert_eq!((pieces.iter().sum(), pieces.len() as u64), (units, units.div_ceil(largest / tile)));
            assert!(pieces.iter().max().unwrap() - pieces.iter().min().unwrap() <= 1);
        }
    }
}
