//! Runs a host body over sections of arrays, in any memory that the CPU can address.
#![allow(unsafe_code, reason = "pieces take their parts of arrays that are lent as a whole")]

use crate::around::Around;
use crate::cancel::Cancelling;
use crate::data::{RowsOf, SpanMut};
use crate::devices::awake::AtWork;
use crate::devices::host::{PIECES_PER_THREAD, scratch};
use crate::devices::parts::Parts;
use crate::devices::team::{Team, Turns};
use crate::devices::{Blocks, Work};
use crate::element::{ElementType, Scalar};
use crate::kernel::{HostArgument, HostVariant, Reduce, Reduction};
use crate::model::SharedOut;
use crate::space::IterRange;
use crate::units::Seconds;
use rayon::ThreadPool;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// One argument of a chunk: a scalar, rows to read, or rows to write. `first` is the index in the array of the section's first
/// element.
pub(super) enum Section<'m> {
    Scalar(Scalar),
    In {
        bytes: &'m [u8],
        first: i64,
        row_len: usize,
    },
    Out {
        bytes: &'m mut [u8],
        first: i64,
        row_len: usize,
        row_bytes: usize,
        rows: RowsOf<'m>,
    },
    /// The whole of an array to which each iteration may contribute anywhere.
    Reduced {
        bytes: &'m mut [u8],
        first: i64,
        row_len: usize,
        reduction: Reduction,
    },
}

/// The reduction by which iterations contribute to a whole argument, if there is one.
pub(super) fn reduced(work: &Work<'_>, position: usize) -> Option<Reduction> {
    work.array_reductions.iter().find(|(of, _)| *of == position).map(|(_, reduction)| *reduction)
}

/// A chunk's own copy of the bytes at `range` of an argument to which iterations contribute as a whole; `None` for others.
///
/// # Errors
/// When the system refuses so much memory.
pub(super) fn contribution<'w>(
    work: &Work<'_>,
    position: usize,
    range: &Range<usize>,
) -> Result<Option<SpanMut<'w>>, String> {
    let copy = |reduction| Ok(SpanMut::own(identities(reduction, range.len())?, range.clone()));
    reduced(work, position).map(copy).transpose()
}

/// The outcome of a chunk.
#[derive(Default)]
pub(super) struct Ran {
    /// The chunk's part of the reduction.
    pub partial: Option<Scalar>,
    /// The partial result of each block, where the loop asks for blocks.
    pub blocks: Vec<(IterRange, Scalar)>,
    /// What the iterations contributed to whole arrays, by argument.
    pub contributed: Vec<(usize, Vec<u64>)>,
    /// The time that all threads together spent on the iterations.
    pub worked: Duration,
    /// Whether several threads ran the chunk.
    pub shared_out: bool,
    /// Whether the chunk went to a team.
    pub by_team: bool,
    /// Whether pieces were left out because the loop was cancelled.
    pub incomplete: bool,
}

/// How a chunk is cut and run.
#[derive(Clone, Copy)]
pub(super) struct Cutting<'c> {
    /// The approximate number of pieces, unless `block` applies or the chunk is long.
    pub pieces: u64,
    /// The blocks that are the pieces of a loop with a reduction.
    pub block: Option<Blocks>,
    /// The columns of a loop over rows and columns.
    pub columns: Option<IterRange>,
    /// The time that one thread is expected to take for the chunk, if an estimate exists.
    pub expected: Option<Duration>,
    /// A time that it takes one thread by the kernel's stated cost alone, for where nothing is expected.
    pub stated: Option<Duration>,
    /// A chunk expected to take no longer than this runs on one thread: to share it out would take as long.
    pub alone: Duration,
    /// Number of threads for the chunk.
    pub threads: usize,
    /// About so many of them are worth waking, where they sleep.
    pub worth_waking: usize,
    /// The pool of these threads, where the caller may be outside of it. The caller then begins alone.
    pub pool: Option<&'c ThreadPool>,
    /// The team that takes the pieces, where threads look out for them; otherwise the pieces go through the pool.
    pub team: Option<&'c Team>,
    /// Who may cancel the loop: pieces that have not begun are then left out.
    pub cancelling: Option<Cancelling<'c>>,
    /// The runtimes whose loops are around the body.
    pub around: Around,
}

impl Cutting<'_> {
    /// The whole chunk in one piece.
    pub fn in_one(columns: Option<IterRange>) -> Self {
        Self {
            pieces: 1,
            block: None,
            columns,
            expected: None,
            stated: None,
            alone: Duration::ZERO,
            threads: rayon::current_num_threads(),
            worth_waking: usize::MAX,
            pool: None,
            team: None,
            cancelling: None,
            around: Around::here(),
        }
    }

    /// The number of pieces of a chunk that takes one thread `time`: more than usual if that is long.
    fn pieces_of(&self, time: Option<Duration>) -> u64 {
        // A device of one thread has nothing to share out.
        let Some(time) = time.filter(|_| self.pieces > 1) else { return self.pieces };
        let piece = piece_of_a_long_chunk(self.threads);
        let of = |piece: Duration| (time.as_nanos() / piece.as_nanos()) as u64;
        let long = of(PIECE_OF_A_VERY_LONG_CHUNK * piece);
        self.at_most(of(piece)).max(long.min(self.threads as u64 * MOST_LONG_PIECES))
    }

    /// The same in a loop with a reduction: by the number of iterations alone, whatever is known of their time.
    fn pieces_of_sum(&self, chunk: IterRange) -> u64 {
        if self.pieces > 1 { self.at_most(chunk.len() / MANY_ITERATIONS) } else { self.pieces }
    }

    fn at_most(&self, long: u64) -> u64 {
        self.pieces.max(long.min(self.threads as u64 * MOST_PIECES))
    }
}

/// Pieces for each thread where few are woken: short pieces may take longer in all, as each loads what they share.
const PIECES_OF_FEW: u64 = 8;

fn piece_of_a_long_chunk(threads: usize) -> Duration {
    PIECE_OF_A_LONG_CHUNK.max(FOR_EACH_THREAD.saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX)))
}

/// How so many threads of a host device share out a chunk of some length, in the model's terms.
pub(crate) fn shared_out(threads: usize) -> SharedOut {
    if threads < 2 {
        return SharedOut::default();
    }
    SharedOut {
        pieces: PIECES_PER_THREAD as f64,
        pieces_of_long: MOST_PIECES as f64,
        piece: Seconds(piece_of_a_long_chunk(threads).as_secs_f64()),
    }
}

/// The least time of a piece: to hand it to another thread takes up to as long.
const PIECE: Duration = Duration::from_micros(2);
/// The same for a team, which may be large: each piece is a turn that threads take from one another.
const PIECE_OF_A_TEAM: Duration = Duration::from_micros(5);

/// A piece of a long chunk takes this long, so that a core that is slower than others, or disturbed, holds up the end by little.
const PIECE_OF_A_LONG_CHUNK: Duration = Duration::from_millis(1);
/// The same per thread, where there are many: one thread makes the list of pieces before any of them runs.
const FOR_EACH_THREAD: Duration = Duration::from_micros(30);
/// The most pieces of a long chunk per thread. On two idle cores of an Intel Xeon, 8 took stencil2d 2 % longer than 4 and sum 3 %
/// less; up to 32 took stencil2d 7 % longer (`apportion compare --devices 0 --policies BLOCK --size medium`, 2026-11-25).
const MOST_PIECES: u64 = 8;
/// Where more pieces than these would still be this many times as long, there are more: on 16 cores of an Intel Xeon matvec of
/// 48000 took 4 to 6 % less time in each of three pairs of runs, axpy of 1e9 and stencil2d of 16384 as long (results/h200-starpu-2026-11-28).
const PIECE_OF_A_VERY_LONG_CHUNK: u32 = 3;
/// The most of them per thread.
const MOST_LONG_PIECES: u64 = 32;
/// So many iterations make a piece of a long sum, however short they are.
const MANY_ITERATIONS: u64 = 1 << 21;

/// Bytes between two threads' copies, at least, so that no two copies share a pair of cache lines, which processors fetch together.
const APART: usize = 256;
/// The bytes of all threads' copies of arrays to which iterations contribute; one copy may be longer.
const MOST_COPIES: usize = 1 << 30;

/// What all pieces have in common.
struct Job<'j> {
    variant: &'j HostVariant,
    /// The pieces, in the order of the iterations, in so many groups of about equal size. The pieces of a group run one after the
    /// other, with one copy of the arrays to which they contribute.
    ranges: &'j [IterRange],
    groups: usize,
    parts: Parts<'j>,
    reduction: Option<Reduction>,
    columns: Option<Range<usize>>,
    /// Nanoseconds that the pieces took.
    worked: AtomicU64,
    /// One thread runs the pieces by itself until they have taken this many nanoseconds.
    alone: u64,
    /// As few threads as are worth waking run them until they have taken this many: then the estimate was too low.
    few: u64,
    /// Whether pieces were given to other threads.
    shared_out: AtomicBool,
    /// The pool of these threads, where the caller is not one of them.
    pool: Option<&'j ThreadPool>,
    cancelling: Option<Cancelling<'j>>,
    around: Around,
    incomplete: AtomicBool,
    /// Whether a body has panicked: pieces that have not begun are then left out, so that one mistake is told about once by each thread.
    panicked: AtomicBool,
}

/// Notes that a body panics.
struct Watch<'p>(&'p AtomicBool);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `chunk` in pieces, in parallel on the current rayon pool, and combines their partial results in the order of the
/// iterations. In a loop over rows and columns, `chunk` is a range of rows.
///
/// # Errors
/// When the system refuses memory for copies of arrays to which iterations contribute.
pub(super) fn run(
    variant: &HostVariant,
    reduction: Option<Reduction>,
    chunk: IterRange,
    mut sections: Vec<Section<'_>>,
    cutting: Cutting<'_>,
) -> Result<Ran, String> {
    let alone = if cutting.expected.is_some_and(|expected| expected <= cutting.alone) {
        // The estimate may be a little too low.
        2 * cutting.alone.as_nanos() as u64
    } else {
        0
    };
    let by_blocks = cutting.block.filter(|_| reduction.is_some());
    // Each group has its own copy of arrays to which iterations contribute as a whole.
    let mut wholes = Vec::new();
    for (position, section) in sections.iter_mut().enumerate() {
        if let Section::Reduced { bytes, reduction, .. } = section {
            wholes.push((position, std::mem::take(bytes), *reduction));
        }
    }
    // One copy for each thread is enough, and fewer threads where the copies are long.
    let bytes: usize = wholes.iter().map(|(_, bytes, _)| bytes.len()).sum();
    let most = if wholes.is_empty() { usize::MAX } else { copies_of(bytes, cutting.threads) };
    // A body that wants whole chunks uses all cores by itself.
    let most = if variant.whole_chunk { 1 } else { most };
    let ranges = match by_blocks {
        Some(block) => blocks(chunk, block),
        // Reductions use the same ranges whatever the estimate is, so that a sum of floats does not depend on it.
        None if reduction.is_some() => {
            let pieces = cutting.pieces_of_sum(chunk);
            even(chunk, pieces.clamp(1, chunk.len().max(1)).min(most as u64))
        }
        None => {
            // At least one piece for each thread, however short the pieces seem: the next iterations may take longer.
            let threads = cutting.threads as u64;
            let piece = if cutting.team.is_some() { PIECE_OF_A_TEAM } else { PIECE };
            let worth = cutting.expected.map_or(u64::MAX, |time| (time.as_nanos() / piece.as_nanos()) as u64);
            let pieces = cutting.pieces_of(cutting.expected.or(cutting.stated)).min(worth.max(threads));
            let pieces = pieces.min((cutting.worth_waking as u64).saturating_mul(PIECES_OF_FEW).max(threads));
            even(chunk, pieces.clamp(1, chunk.len().max(1)).min(most as u64))
        }
    };
    let groups = ranges.len().min(most.max(1));
    let copy = |(_, bytes, reduction): &(usize, &mut [u8], Reduction)| identities(*reduction, bytes.len() + APART);
    let mut copies = (0..groups).flat_map(|_| wholes.iter().map(copy)).collect::<Result<Vec<Vec<u64>>, _>>()?;
    let lens: SmallVec<[usize; 4]> = wholes.iter().map(|(_, bytes, _)| bytes.len()).collect();
    let mut job = Job {
        variant,
        ranges: &ranges,
        groups,
        parts: Parts::new(chunk, sections, &lens, &mut copies),
        reduction,
        columns: cutting.columns.map(IterRange::indices),
        worked: AtomicU64::new(0),
        alone,
        few: cutting.expected.map_or(0, |expected| {
            u64::try_from(expected.max(cutting.alone).as_nanos()).unwrap_or(u64::MAX).saturating_mul(2)
        }),
        shared_out: AtomicBool::new(false),
        pool: cutting.pool,
        cancelling: cutting.cancelling,
        around: cutting.around,
        incomplete: AtomicBool::new(false),
        panicked: AtomicBool::new(false),
    };
    let team = cutting.team.filter(|_| alone == 0 && groups > 1);
    let mut ran = match (by_blocks, team) {
        (Some(_), None) => Ran { blocks: job.run_blocks(0..groups, cutting.worth_waking), ..Ran::default() },
        (None, None) => Ran { partial: job.run_pieces(0..groups, cutting.worth_waking), ..Ran::default() },
        (Some(_), Some(team)) => {
            let done = job.run_by(team, |job, group| job.blocks_of(group));
            Ran { blocks: done.into_iter().flatten().flatten().collect(), ..Ran::default() }
        }
        (None, Some(team)) => {
            let done = job.run_by(team, |job, group| job.pieces_of(group));
            let done: Vec<_> = done.into_iter().map(Option::flatten).collect();
            Ran { partial: job.combine_all(&done), ..Ran::default() }
        }
    };
    ran.by_team = team.is_some();
    (ran.worked, ran.shared_out, ran.incomplete) = (job.worked(), *job.shared_out.get_mut(), *job.incomplete.get_mut());
    drop(job);
    let count = wholes.len();
    for (index, copy) in copies.iter().enumerate() {
        let (_, bytes, reduction) = &mut wholes[index % count];
        merge(*reduction, bytes, bytemuck::cast_slice(copy));
    }
    Ok(ran)
}

/// How many threads have a copy of their own of arrays of so many bytes in all.
fn copies_of(bytes: usize, threads: usize) -> usize {
    threads.min((MOST_COPIES / bytes.max(1)).max(1))
}

/// The ranges of group `index` of `count` groups of about equal size.
fn group(ranges: &[IterRange], count: usize, index: usize) -> &[IterRange] {
    let (each, more) = (ranges.len() / count, ranges.len() % count);
    let start = |index: usize| index * each + index.min(more);
    &ranges[start(index)..start(index + 1)]
}

/// Words that hold a reduction's identity, as many as `bytes` bytes need.
///
/// # Errors
/// When the system refuses so much memory.
pub(crate) fn identities(reduction: Reduction, bytes: usize) -> Result<Vec<u64>, String> {
    let mut words = scratch(bytes, false)?;
    let identity = reduction.identity().to_bytes();
    let size = reduction.element.bytes();
    for place in bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes].chunks_exact_mut(size) {
        place.copy_from_slice(&identity[..size]);
    }
    Ok(words)
}

/// Combines `more` into `into`, element by element. The minimum or maximum of a number and NaN is the number, as in bodies that
/// contribute by `min` and `max`. Combining with the identity leaves NaN unchanged.
pub(crate) fn merge(reduction: Reduction, into: &mut [u8], more: &[u8]) {
    /// One type and one operator, so that the compiler can vectorise the loop.
    fn each<T: bytemuck::Pod>(into: &mut [u8], more: &[u8], combine: impl Fn(T, T) -> T) {
        let size = size_of::<T>();
        for (a, b) in into.chunks_exact_mut(size).zip(more.chunks_exact(size)) {
            let both = combine(bytemuck::pod_read_unaligned(a), bytemuck::pod_read_unaligned(b));
            a.copy_from_slice(bytemuck::bytes_of(&both));
        }
    }
    let size = reduction.element.bytes();
    macro_rules! floats {
        ($t:ty) => {
            match reduction.operator {
                Reduce::Sum => return each::<$t>(into, more, |a, b| a + b),
                Reduce::Product => return each::<$t>(into, more, |a, b| a * b),
                Reduce::Min => return each::<$t>(into, more, |a, b| if b == <$t>::INFINITY { a } else { a.min(b) }),
                Reduce::Max => return each::<$t>(into, more, |a, b| if b == <$t>::NEG_INFINITY { a } else { a.max(b) }),
                Reduce::And | Reduce::Or | Reduce::Own(_) => {}
            }
        };
    }
    macro_rules! integers {
        ($t:ty) => {
            match reduction.operator {
                Reduce::Sum => return each::<$t>(into, more, <$t>::wrapping_add),
                Reduce::Product => return each::<$t>(into, more, <$t>::wrapping_mul),
                Reduce::Min => return each::<$t>(into, more, Ord::min),
                Reduce::Max => return each::<$t>(into, more, Ord::max),
                Reduce::And => return each::<$t>(into, more, |a, b| a & b),
                Reduce::Or => return each::<$t>(into, more, |a, b| a | b),
                Reduce::Own(_) => {}
            }
        };
    }
    match reduction.element {
        ElementType::F32 => floats!(f32),
        ElementType::F64 => floats!(f64),
        ElementType::I32 => integers!(i32),
        ElementType::U32 => integers!(u32),
        ElementType::I64 => integers!(i64),
        ElementType::U64 => integers!(u64),
        ElementType::I8 => integers!(i8),
        ElementType::U8 => integers!(u8),
        ElementType::I16 => integers!(i16),
        ElementType::U16 => integers!(u16),
    }
    for (a, b) in into.chunks_exact_mut(size).zip(more.chunks_exact(size)) {
        let (x, y) = (Scalar::from_bytes(reduction.element, a), Scalar::from_bytes(reduction.element, b));
        a.copy_from_slice(&reduction.combine(x, y).to_bytes()[..size]);
    }
}

/// From this many iterations on, pieces need not be equal.
const LONG: u64 = 1024;
/// This many elements of any type fill whole cache lines.
const LINE: u64 = 64;

/// About equal ranges, in order. Long ranges begin at a cache line in arrays that have one element for each iteration and begin at
/// a cache line themselves, as [`HostVec`](crate::HostVec) does. Otherwise two threads write to one line, and each vector of a
/// piece crosses a line boundary.
fn even(chunk: IterRange, pieces: u64) -> Vec<IterRange> {
    let step = if chunk.len() / pieces.max(1) >= LONG { LINE } else { 1 };
    let mut rest = chunk;
    let range = |index: u64| {
        let even = rest.start + rest.len().div_ceil(pieces - index);
        let end = even.checked_next_multiple_of(step).unwrap_or(even);
        rest.take_front(end - rest.start)
    };
    (0..pieces).map(range).collect()
}

/// The blocks in `chunk`, cut at its ends. `chunk` does not begin before `from`, where the first block begins.
pub(crate) fn blocks(chunk: IterRange, Blocks { len, from }: Blocks) -> Vec<IterRange> {
    let len = len.max(1);
    let mut rest = chunk;
    let mut list = Vec::new();
    while !rest.is_empty() {
        list.push(rest.take_front(len - rest.start.saturating_sub(from) % len));
    }
    list
}

impl Job<'_> {
    fn worked(&self) -> Duration {
        Duration::from_nanos(self.worked.load(Ordering::Relaxed))
    }

    fn combine(&self, a: Option<Scalar>, b: Option<Scalar>) -> Option<Scalar> {
        match (a, b, self.reduction) {
            (Some(a), Some(b), Some(reduction)) => Some(reduction.combine(a, b)),
            (a, b, _) => a.or(b),
        }
    }

    /// Does `work` as a part of the job and adds its time.
    fn timed<R>(&self, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.worked.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// Whether to leave out the next piece because the loop is cancelled, or ends by a panic. If so, the job counts as incomplete.
    fn leaves_out(&self) -> bool {
        let over = self.cancelling.is_some_and(|cancelling| cancelling.is_cancelled())
            || self.panicked.load(Ordering::Relaxed);
        if over {
            self.incomplete.store(true, Ordering::Relaxed);
        }
        over
    }

    /// Whether pieces go to other threads now.
    fn shares(&self) -> bool {
        self.alone == 0 || self.worked.load(Ordering::Relaxed) > self.alone
    }

    /// Does both, each with half of so many threads, in parallel if pieces go to other threads.
    fn both<R: Send>(
        &self,
        threads: usize,
        first: impl FnOnce(usize) -> R + Send,
        second: impl FnOnce(usize) -> R + Send,
    ) -> (R, R) {
        // The pieces before may have taken longer than expected; then the others are shared out to all.
        let threads = if self.worked.load(Ordering::Relaxed) > self.few { usize::MAX } else { threads };
        if threads > 1 && self.shares() {
            self.shared_out.store(true, Ordering::Relaxed);
            let half = threads.div_ceil(2);
            let (first, second) = (|| first(half), || second(half));
            return match self.pool.filter(|_| rayon::current_thread_index().is_none()) {
                Some(pool) => pool.join(first, second),
                None => rayon::join(first, second),
            };
        }
        let done = first(threads);
        (done, second(threads))
    }

    fn blocks_of(&self, group: usize) -> Vec<(IterRange, Scalar)> {
        let run = |range: &IterRange| Some((*range, self.run_range(*range, group)?));
        self.ranges_of(group).iter().filter_map(run).collect()
    }

    fn pieces_of(&self, group: usize) -> Option<Scalar> {
        let run = |range: &IterRange| self.run_range(*range, group);
        self.ranges_of(group).iter().map(run).reduce(|a, b| self.combine(a, b)).flatten()
    }

    fn ranges_of(&self, index: usize) -> &[IterRange] {
        group(self.ranges, self.groups, index)
    }

    /// Runs all groups; each goes to the next free thread of the team. Gives the result of each group, `None` where it was left
    /// out; nothing in a loop without a reduction.
    fn run_by<R: Send>(&self, team: &Team, run: impl Fn(&Self, usize) -> R + Sync) -> Vec<Option<R>> {
        self.shared_out.store(true, Ordering::Relaxed);
        let results = self.reduction.map_or(0, |_| self.groups);
        let slots: Vec<Mutex<Option<R>>> = (0..results).map(|_| Mutex::default()).collect();
        let turns = Turns::new(self.groups, team.threads());
        team.share(rayon::current_thread_index().unwrap_or(0), &|index| {
            let _at_work = AtWork::begin();
            let mut worked = Duration::ZERO;
            while let Some(turn) = turns.next(index)
                && !self.leaves_out()
            {
                let start = Instant::now();
                let done = run(self, turn);
                if let Some(slot) = slots.get(turn) {
                    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
                }
                worked += start.elapsed();
            }
            // One update for each thread: the cache line of a shared counter moves from core to core with each write.
            self.worked.fetch_add(worked.as_nanos() as u64, Ordering::Relaxed);
        });
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Combines in the order of [`Job::run_pieces`], so that a sum of floats does not depend on which thread ran what.
    fn combine_all(&self, parts: &[Option<Scalar>]) -> Option<Scalar> {
        match parts {
            [] => None,
            [part] => *part,
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                self.combine(self.combine_all(left), self.combine_all(right))
            }
        }
    }

    /// Runs these groups in parallel on about so many threads and gives the partial result of each range.
    fn run_blocks(&self, groups: Range<usize>, threads: usize) -> Vec<(IterRange, Scalar)> {
        let _at_work = AtWork::begin();
        match groups.len() {
            0 => Vec::new(),
            _ if self.leaves_out() => Vec::new(),
            1 => self.timed(|| self.blocks_of(groups.start)),
            count => {
                let middle = groups.start + count / 2;
                let (left, right) = (groups.start..middle, middle..groups.end);
                let (left, right) =
                    (|threads| self.run_blocks(left, threads), |threads| self.run_blocks(right, threads));
                let (mut first, mut second) = self.both(threads, left, right);
                first.append(&mut second);
                first
            }
        }
    }

    /// Runs these groups likewise. The result's bits do not depend on the number of threads.
    fn run_pieces(&self, groups: Range<usize>, threads: usize) -> Option<Scalar> {
        let _at_work = AtWork::begin();
        match groups.len() {
            0 => None,
            _ if self.leaves_out() => None,
            1 => self.timed(|| self.pieces_of(groups.start)),
            count => {
                let middle = groups.start + count / 2;
                let (left, right) = (groups.start..middle, middle..groups.end);
                let (left, right) =
                    (|threads| self.run_pieces(left, threads), |threads| self.run_pieces(right, threads));
                let (a, b) = self.both(threads, left, right);
                self.combine(a, b)
            }
        }
    }

    /// Runs the body on a range of a group.
    fn run_range(&self, range: IterRange, group: usize) -> Option<Scalar> {
        let argument = |section| match section {
            Section::Scalar(scalar) => HostArgument::Scalar(scalar),
            // A negative index wraps, as the views' indices do.
            Section::In { bytes, first, row_len } => HostArgument::In { bytes, first: first as usize, row_len },
            Section::Out { bytes, first, row_len, .. } | Section::Reduced { bytes, first, row_len, .. } => {
                HostArgument::Out { bytes, first: first as usize, row_len }
            }
        };
        // SAFETY: each group runs once, as each number is in one half of the tree, and is given out once by `Turns`. The ranges
        // of a group run one after the other, and no two ranges of a chunk overlap.
        let sections = unsafe { self.parts.of(range, group) };
        let mut arguments: SmallVec<[HostArgument<'_>; 8]> = sections.into_iter().map(argument).collect();
        let _around = self.around.enter();
        let _watch = Watch(&self.panicked);
        self.variant.body.call(range.indices(), self.columns.clone(), &mut arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::team::with_team;
    use crate::kernel::{In, Kernel, Out};
    use std::sync::Arc;

    /// The result of a loop over `n` elements that doubles them and adds up their square roots: the elements' bits, the bits of the
    /// sum, and those of the blocks' sums. The flag tells whether another thread took part.
    type Came = (Vec<u32>, Option<u64>, Vec<(IterRange, u64)>);
    fn sums(n: u64, block: Option<u64>, team: Option<&Team>) -> (Came, bool) {
        let (here, helped) = (std::thread::current().id(), Arc::new(AtomicBool::new(false)));
        let elsewhere = Arc::clone(&helped);
        let kernel = Kernel::new("k").host(move |range: Range<usize>, x: In<f32>, mut y: Out<f32>| {
            elsewhere.fetch_or(std::thread::current().id() != here, Ordering::Relaxed);
            let mut sum = 0.0_f32;
            for i in range {
                y[i] = 2.0 * x[i];
                sum += x[i].sqrt();
            }
            sum
        });
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y = vec![0.0_f32; x.len()];
        let sections = vec![
            Section::In { bytes: bytemuck::cast_slice(&x), first: 0, row_len: 1 },
            Section::Out {
                bytes: bytemuck::cast_slice_mut(&mut y),
                first: 0,
                row_len: 1,
                row_bytes: 4,
                rows: RowsOf::Each(1),
            },
        ];
        let block = block.map(|len| Blocks { len, from: 0 });
        let cutting = Cutting { pieces: 24, block, team, ..Cutting::in_one(None) };
        let reduction = Reduction { operator: crate::kernel::Reduce::Sum, element: crate::element::ElementType::F32 };
        let ran =
            run(kernel.host_variant().unwrap(), Some(reduction), IterRange::new(0, n), sections, cutting).unwrap();
        assert!(!ran.incomplete && ran.partial.is_some() != block.is_some());
        let bits = |scalar: Scalar| match scalar {
            Scalar::F32(value) => u64::from(value.to_bits()),
            other => panic!("{other:?}"),
        };
        let blocks = ran.blocks.into_iter().map(|(range, scalar)| (range, bits(scalar))).collect();
        ((y.iter().map(|y| y.to_bits()).collect(), ran.partial.map(bits), blocks), helped.load(Ordering::Relaxed))
    }

    #[test]
    fn after_a_panic_no_piece_begins() {
        let called = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&called);
        let kernel = Kernel::new("k").host(move |_: Range<usize>, _: Out<f32>| {
            assert!(count.fetch_add(1, Ordering::Relaxed) > 1_000_000, "wrong");
        });
        let mut y = vec![0.0_f32; 1000];
        let bytes = bytemuck::cast_slice_mut(&mut y);
        let sections = vec![Section::Out { bytes, first: 0, row_len: 1, row_bytes: 4, rows: RowsOf::Each(1) }];
        let cutting = Cutting { pieces: 1000, ..Cutting::in_one(None) };
        let run = || run(kernel.host_variant().unwrap(), None, IterRange::new(0, 1000), sections, cutting).map(|_| ());
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        assert!(ended.is_err());
        let called = called.load(Ordering::Relaxed);
        assert!((1..=rayon::current_num_threads() as u64 + 1).contains(&called), "{called}");
    }

    #[test]
    fn a_sum_is_the_same_whoever_takes_the_pieces() {
        with_team(2, |team| {
            for (n, block) in [(2, None), (100_003, None), (100_003, Some(1000)), (7, Some(2))] {
                let (alone, _) = sums(n, block, None);
                let (mut times, start) = (0, Instant::now());
                let mut with_help = 0;
                // Ask often enough that others help in some runs: nothing can force them to.
                while times < 50 || n > 1000 && with_help < 10 && start.elapsed() < Duration::from_secs(20) {
                    let (came, helped) = sums(n, block, Some(team));
                    assert!(came == alone, "{n}, {block:?}");
                    times += 1;
                    with_help += usize::from(helped);
                }
                assert!(n < 1000 || with_help >= 10, "{with_help} of {times}");
            }
        });
    }

    #[test]
    fn a_chunk_is_expected_to_take_one_of_its_pieces_longer_than_at_the_rate_of_a_long_one() {
        for threads in [2, 16, 64] {
            let cutting = Cutting { threads, pieces: threads as u64 * PIECES_PER_THREAD, ..Cutting::in_one(None) };
            for micros in [10, 500, 4000, 7000, 20_000, 1_000_000] {
                // What all threads take together.
                let work = Duration::from_micros(micros);
                let pieces = cutting.pieces_of(Some(work * threads as u32)) as f64 / threads as f64;
                let wanted = work.as_secs_f64() * (1.0 / pieces - 1.0 / MOST_PIECES as f64).max(0.0);
                let found = shared_out(threads).last_piece(Seconds(work.as_secs_f64())).0;
                assert!((found - wanted).abs() <= 1e-9 + wanted * 0.01, "{threads} {micros}: {found} is not {wanted}");
            }
        }
        assert!((shared_out(16).last_piece(Seconds(2e-3)).0 - 0.25e-3).abs() < 1e-12);
        // One thread waits for no other.
        assert_eq!(shared_out(1).last_piece(Seconds(1e-3)), Seconds::ZERO);
    }

    #[test]
    fn long_chunks_have_more_pieces_and_a_sum_does_not_depend_on_estimates() {
        let of = |threads: usize, pieces| Cutting { threads, pieces, ..Cutting::in_one(None) };
        let millis = |ms| Some(Duration::from_millis(ms));
        assert_eq!(
            [None, millis(0), millis(7), millis(20), millis(99), millis(9999)].map(|t| of(2, 8).pieces_of(t)),
            [8, 8, 8, 16, 33, 64]
        );
        // 64 threads: pieces of 1.92 ms.
        assert_eq!([millis(192), millis(999), millis(9999)].map(|t| of(64, 256).pieces_of(t)), [256, 512, 1735]);
        assert_eq!(of(1, 1).pieces_of(millis(9999)), 1);

        let sums = |threads, pieces, n| of(threads, pieces).pieces_of_sum(IterRange::new(0, n));
        assert_eq!([1, 16 << 20, 64 << 20, 1 << 40].map(|n| sums(2, 8, n)), [8, 8, 16, 16]);
        assert_eq!(sums(1, 1, 1 << 40), 1);
        let kernel = Kernel::new("k").host(|range: Range<usize>| range.map(|i| 1.0 / (1.0 + i as f32)).sum::<f32>());
        let reduction = Reduction { operator: Reduce::Sum, element: ElementType::F32 };
        let sum = |pieces, expected, stated| {
            let cutting = Cutting { expected, stated, ..of(4, pieces) };
            let chunk = IterRange::new(0, 1_000_000);
            run(kernel.host_variant().unwrap(), Some(reduction), chunk, Vec::new(), cutting).unwrap().partial
        };
        let usual = sum(16, None, None);
        for times in [[millis(0), None], [millis(9999), None], [None, millis(9999)]] {
            assert_eq!(sum(16, times[0], times[1]), usual);
        }
        for worth_waking in [1, 2, 4, 64] {
            let cutting = Cutting { worth_waking, expected: Some(Duration::MAX), ..of(4, 16) };
            let ran =
                run(kernel.host_variant().unwrap(), Some(reduction), IterRange::new(0, 1_000_000), Vec::new(), cutting)
                    .unwrap();
            assert_eq!((ran.partial, ran.shared_out), (usual, worth_waking > 1));
        }
        // The pieces show in the sum's last bits.
        assert_ne!(sum(48, None, None), usual);
    }

    #[test]
    fn copies_of_long_arrays_are_few_and_one_that_does_not_fit_is_an_error() {
        assert_eq!([0, 4096, 1 << 24, 1 << 27, 1 << 40].map(|bytes| copies_of(bytes, 64)), [64, 64, 64, 8, 1]);
        let reduction = Reduction { operator: Reduce::Max, element: ElementType::F32 };
        let copy = identities(reduction, 12).unwrap();
        assert_eq!(bytemuck::cast_slice::<u64, f32>(&copy)[..3], [f32::NEG_INFINITY; 3]);
        let why = identities(reduction, isize::MAX as usize - 64).unwrap_err();
        assert!(why.contains("out of memory"), "{why}");
    }

    #[test]
    fn groups_are_few_and_have_all_ranges_in_order() {
        let ranges = blocks(IterRange::new(3, 100), Blocks { len: 7, from: 0 });
        for count in 1..=ranges.len() {
            let groups: Vec<_> = (0..count).map(|index| group(&ranges, count, index)).collect();
            assert_eq!(groups.concat(), ranges);
            let sizes = || groups.iter().map(|group| group.len());
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1, "{groups:?}");
        }
    }

    #[test]
    fn pieces_cover_a_chunk_and_long_ones_begin_with_a_cache_line() {
        for (from, to, count) in
            [(0, 10, 3), (5, 5, 1), (3, 1027, 1), (0, 100_000, 64), (12_345, 99_999, 7), (1, 4097, 4)]
        {
            let pieces = even(IterRange::new(from, to), count);
            assert_eq!(pieces.len() as u64, count);
            let mut end = from;
            for piece in &pieces {
                assert_eq!(piece.start, end);
                end = piece.end;
                assert!(end == to || (to - from) / count < LONG || end % LINE == 0, "{pieces:?}");
            }
            assert_eq!(end, to);
            let lengths = || pieces.iter().map(|piece| piece.len());
            assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 2 * LINE, "{pieces:?}");
        }
    }

    #[test]
    fn blocks_are_counted_from_where_they_begin() {
        let list = |from, to, len| blocks(IterRange::new(from, to), Blocks { len, from: 0 });
        let ranges = |pairs: &[(u64, u64)]| pairs.iter().map(|&(a, b)| IterRange::new(a, b)).collect::<Vec<_>>();
        assert_eq!(list(1, 10, 4), ranges(&[(1, 4), (4, 8), (8, 10)]));
        assert_eq!(list(4, 8, 4), ranges(&[(4, 8)]));
        assert_eq!(list(5, 5, 4), ranges(&[]));
        assert_eq!(list(5, 7, 0), ranges(&[(5, 6), (6, 7)]));
        assert_eq!(blocks(IterRange::new(5, 12), Blocks { len: 4, from: 3 }), ranges(&[(5, 7), (7, 11), (11, 12)]));
    }
}
