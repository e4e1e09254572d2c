//! Who runs it: one file or folder a backend, behind one small trait.
#![allow(unsafe_code, reason = "to begin a session is a promise to drop it")]

pub(crate) mod awake;
mod body;
pub mod caches;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod clock;
pub(crate) mod crew;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod detect;
pub mod emulated;
pub mod host;
mod host_vec;
pub mod open;
#[cfg(feature = "opencl")]
pub mod opencl;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod outside;
mod page_lock;
mod peers;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod pool;
pub mod resident;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod section;
pub mod specifier;
mod team;
pub mod topology;

pub(crate) use body::{blocks as body_blocks, identities, merge};
pub use host_vec::HostVec;
pub use peers::measured_peers;

use crate::data::LoopShape;
use crate::devices::awake::Lookouts;
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, Bound, Kernel, Reduction};
use crate::model::history::ArrayMemory;
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::Seconds;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One loop as a device sees it.
#[derive(Debug)]
pub struct Work<'w> {
    /// What runs.
    pub kernel: &'w Kernel,
    /// Its arguments. Arrays that are written are lent out in disjoint spans.
    pub arguments: &'w [Argument<'w>],
    /// The loop, for the arrays' sections.
    pub shape: LoopShape,
    /// The reduction, if there is one.
    pub reduction: Option<Reduction>,
    /// Arguments to which any iteration contributes anywhere, and how. They are whole, and this device's alone.
    pub array_reductions: &'w [(usize, Reduction)],
    /// Partial results are those of such blocks: so they are the same however the loop is cut.
    pub block: Option<Blocks>,
    /// How many chunks may be submitted and not yet completed: a device with its own memory keeps so many buffers.
    pub in_flight: usize,
    /// What the device asked for with [`Pipelining::piece_bytes`].
    pub piece_bytes: Option<u64>,
    /// Columns of a loop over rows and columns, whose chunks are rows.
    pub columns: Option<IterRange>,
    /// What an iteration is expected to take the device's cores, all at work, where the models know something of it.
    pub kernel_time: Option<Seconds>,
    /// Fill what a device allocates for written arrays with NaN (bytes 0xff), so that an element that the kernel
    /// leaves out shows.
    pub poison: bool,
    /// The start of the offload: the origin of all [`Span`]s.
    pub epoch: Instant,
    /// Whether the loop is to end early: a device that cuts its chunks by itself leaves out what it has not begun.
    pub cancelled: Option<&'w AtomicBool>,
}

impl<'w> Work<'w> {
    /// A loop that one device has for itself, a chunk at a time.
    pub fn of(bound: &'w Bound<'_>, range: IterRange) -> Self {
        Self {
            kernel: bound.kernel(),
            arguments: bound.arguments(),
            shape: LoopShape { range, devices: 1 },
            reduction: None,
            array_reductions: bound.array_reductions(),
            block: None,
            in_flight: 1,
            piece_bytes: None,
            columns: None,
            kernel_time: None,
            poison: false,
            epoch: Instant::now(),
            cancelled: None,
        }
    }
}

/// Parts of a loop with a partial result each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// So many iterations each, at least 1.
    pub len: u64,
    /// Counted from this iteration.
    pub from: u64,
}

/// How a device with its own memory wants chunks to be sent through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pipelining {
    /// Pieces to be kept in flight, so that copy in, run and copy out of neighbours overlap.
    pub in_flight: usize,
    /// Bytes of a piece's sections at most, about, where the device copies them through buffers of its own.
    pub piece_bytes: Option<u64>,
    /// Threads of the host that copy for it all the time, beside its proxy's.
    pub copiers: usize,
    /// By how many times longer than at its rate for plain arrays, which is that of long loops, it copies these: 0 as there.
    pub plain_longer: f64,
}

impl Default for Pipelining {
    fn default() -> Self {
        // One is copied in, one runs, one is copied out, and the next waits for the first.
        Self { in_flight: 4, piece_bytes: None, copiers: 0, plain_longer: 0.0 }
    }
}

/// A device of this machine.
///
/// A proxy calls `begin` once it has a chunk, then any mixture of `submit` and `complete` on the session, then `finish`.
pub trait Device: Send {
    /// Its name in the machine description.
    fn name(&self) -> &str;

    /// What it is, whatever it is called: devices of the same make, which take the same time for the same work, say the same.
    /// A history's rates belong to it.
    fn identity(&self) -> String;

    /// Which of these arguments are arrays in page-locked memory of the host, where that matters to its copies: what is so for one
    /// device is so for all.
    fn page_locked(&self, arguments: &[Argument<'_>]) -> Option<Vec<bool>> {
        let _ = arguments;
        None
    }

    /// Where the host's arrays lie, as far as copies to a device with its own memory take other times for it.
    fn array_memory(&self, arguments: &[Argument<'_>], locked: &[bool]) -> ArrayMemory {
        let _ = (arguments, locked);
        ArrayMemory::Plain
    }

    /// Whether it can run the kernel, by the variants that it has: two kernels that have the same ones are told the same.
    ///
    /// # Errors
    /// Why not, in a line: usually that there is no variant for it.
    fn eligible(&self, kernel: &Kernel) -> Result<(), String>;

    /// The pool in which its proxy should run, so that starting a chunk needs no hand-over to another thread.
    fn pool(&self) -> Option<Arc<rayon::ThreadPool>> {
        None
    }

    /// Bytes of the largest single buffer that it can have; `None` where only its memory as a whole is a limit.
    fn largest_buffer(&self) -> Option<u64> {
        None
    }

    /// Its own threads, where they may stay awake after a loop.
    #[doc(hidden)]
    fn lookouts(&self) -> Option<Arc<Lookouts>> {
        None
    }

    /// Whether its loops are so short that its proxy's thread should stay awake between them.
    fn lingers(&self) -> bool {
        false
    }

    /// Bytes of its own memory that it can use now; `None` where the description is to be believed.
    fn usable_memory(&self) -> Option<u64> {
        None
    }

    /// How a chunk over these arrays is best sent through, where so many devices with memory of their own take part. To those in
    /// `whole` iterations contribute.
    fn pipelining(
        &self,
        arguments: &[Argument<'_>],
        locked: &[bool],
        whole: &[(usize, Reduction)],
        devices: usize,
    ) -> Pipelining {
        let _ = (arguments, locked, whole, devices);
        Pipelining::default()
    }

    /// How often it has allocated and compiled. A loop in which it does takes longer than the next of its kind.
    fn preparations(&self) -> u64 {
        0
    }

    /// Whether it gives a partial result for each block of a chunk ([`Work::block`], [`Completed::blocks`]).
    fn runs_blocks(&self) -> bool {
        false
    }

    /// Its memory for arrays that stay; `None` where it works in the host's.
    fn resident(&mut self) -> Option<&mut dyn resident::Resident> {
        None
    }

    /// Prepares for a loop: compiles (once per kernel), allocates, copies replicated arrays.
    ///
    /// Ordered before everything else of the loop. Nothing of an earlier loop is still running.
    ///
    /// # Safety
    /// The session must be dropped, never leaked: its drop waits until the device has done with the arrays of `work`.
    /// [`with_session`] sees to that.
    ///
    /// # Errors
    /// In phase [`Phase::Init`].
    unsafe fn begin<'s>(&'s mut self, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError>;
}

/// Begins a session, lends it to `run`, and ends it whatever happens: when this returns, the device touches neither the
/// arrays of `work` nor its buffers for them.
///
/// # Errors
/// Those of [`Device::begin`]; `run` has then not been called.
pub fn with_session<R>(
    device: &mut dyn Device,
    work: &Work<'_>,
    run: impl FnOnce(Begun<&mut (dyn Session + '_)>) -> R,
) -> Result<R, DeviceError> {
    // SAFETY: the session stays in this function, which drops it, also when `run` panics.
    let begun = unsafe { device.begin(work) }?;
    let mut session = begun.session;
    Ok(run(Begun { session: &mut *session, times: begun.times, bytes_to: begun.bytes_to }))
}

/// A device at work on one loop.
///
/// **Dropping a session waits** until the device touches neither the host's arrays nor the chunks' buffers any more:
/// that is what makes lending borrowed arrays to it sound, whatever fails.
pub trait Session {
    /// Starts a chunk: copy in, run, copy out. May return before any of it is done.
    ///
    /// Chunks do not depend on one another; their phases may overlap. At most [`Work::in_flight`] chunks are submitted
    /// and not completed.
    ///
    /// # Errors
    /// Naming phase and chunk. The chunk is then not in flight, and no other is lost.
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError>;

    /// Waits for the chunk submitted first of those not yet completed. Its owned rows are then in the host's arrays.
    ///
    /// # Errors
    /// Naming phase and chunk, which counts as not run. Chunks in flight after it may still be completed, each with a
    /// result or an error of its own.
    fn complete(&mut self) -> Result<Completed, DeviceError>;

    /// No chunk is known of that follows those submitted: what is kept ready for more may go while they run. One may follow all
    /// the same.
    fn lull(&mut self) {}

    /// After an error: whether a chunk that counts as not run may have changed rows of the host's own arrays, by running in
    /// place or by a copy back that broke off. If so, and if it read them too (`tofrom`), no other device can run it again,
    /// and the loop fails.
    fn wrote_in_place(&self) -> bool {
        false
    }

    /// After an error: whether there was no memory for the chunk, of which nothing was begun. A shorter one may find room.
    fn had_no_room(&self) -> bool {
        false
    }

    /// Ends the loop after all chunks are complete; frees what the next loop will not reuse.
    ///
    /// # Errors
    /// In phase [`Phase::Fini`].
    fn finish(&mut self) -> Result<PhaseTimes, DeviceError>;
}

/// A started session and what starting took.
pub struct Begun<S> {
    /// The session.
    pub session: S,
    /// Time in [`Phase::Init`].
    pub times: PhaseTimes,
    /// Bytes of replicated arrays copied.
    pub bytes_to: u64,
}

/// From when to when something ran, in seconds from [`Work::epoch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Span {
    /// Start.
    #[serde(rename = "start_s")]
    pub start: Seconds,
    /// End.
    #[serde(rename = "end_s")]
    pub end: Seconds,
}

impl Span {
    /// Between two instants.
    pub fn between(epoch: Instant, start: Instant, end: Instant) -> Self {
        let since = |t: Instant| Seconds::from(t.saturating_duration_since(epoch));
        Self { start: since(start), end: since(end) }
    }

    /// How long.
    pub fn length(self) -> Seconds {
        self.end - self.start
    }
}

/// A finished chunk.
#[derive(Clone, Debug, Default)]
pub struct Completed {
    /// Copy in; `None` where nothing was copied.
    pub to: Option<Span>,
    /// Run.
    pub kernel: Option<Span>,
    /// What the kernel would have taken with all of the device's threads at work from its beginning to its end, where that is
    /// known: a longer chunk goes on at this pace.
    pub steady: Option<Seconds>,
    /// Copy out; `None` where nothing was copied.
    pub from: Option<Span>,
    /// Bytes copied to the device.
    pub bytes_to: u64,
    /// Bytes copied back.
    pub bytes_from: u64,
    /// This chunk's part of the reduction.
    pub partial: Option<Scalar>,
    /// The same of each block of it, where a loop asks for blocks and the device runs several at once.
    pub blocks: Vec<(IterRange, Scalar)>,
    /// What its iterations contributed to whole arrays, by argument.
    pub contributed: Vec<(usize, Vec<u64>)>,
    /// Some of its iterations were left out, as the loop was cancelled.
    pub incomplete: bool,
    /// Iterations reached for elements that are not there, so that the loop cannot come to a result: which, as an error.
    pub outside: Option<Box<DeviceError>>,
}

impl Completed {
    /// The spans' lengths by phase.
    pub fn times(&self) -> PhaseTimes {
        let mut times = PhaseTimes::default();
        for (phase, span) in [(Phase::To, self.to), (Phase::Kernel, self.kernel), (Phase::From, self.from)] {
            times[phase] = span.map(Span::length).unwrap_or_default();
        }
        times
    }
}
