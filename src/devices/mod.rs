//! The devices that run loops: one file or folder for each backend, behind one small trait.
#![allow(unsafe_code, reason = "to begin a session is a promise to drop it")]

pub(crate) mod aside;
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
pub(crate) mod joined;
pub mod open;
#[cfg(feature = "opencl")]
pub mod opencl;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod outside;
mod page_lock;
mod parts;
mod peers;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod pool;
#[doc(hidden)]
pub mod resident;
#[cfg(any(feature = "cuda", feature = "opencl"))]
mod section;
pub mod specifier;
mod team;
pub mod topology;

pub(crate) use body::{blocks as body_blocks, identities, merge, shared_out};
pub use host_vec::HostVec;
pub use peers::measured_peers;

use crate::around::Around;
use crate::cancel::Cancelling;
use crate::data::LoopShape;
use crate::devices::awake::Lookouts;
use crate::devices::host::WidePool;
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::{Argument, Bound, Kernel, Reduction};
use crate::model::history::ArrayMemory;
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::Seconds;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One loop as a device sees it.
#[derive(Debug)]
pub struct Work<'w> {
    /// The kernel to run.
    pub kernel: &'w Kernel,
    /// The kernel's arguments. Arrays that are written are lent out in disjoint spans.
    pub arguments: &'w [Argument<'w>],
    /// The loop's range and number of devices, which determine the sections.
    pub shape: LoopShape,
    /// The reduction, if there is one.
    pub reduction: Option<Reduction>,
    /// The arguments to which any iteration may contribute anywhere, with their reductions. Each is a whole copy of this device's
    /// own.
    pub array_reductions: &'w [(usize, Reduction)],
    /// The blocks for which partial results are computed, so that results do not depend on how the loop is cut.
    pub block: Option<Blocks>,
    /// How many chunks may be submitted and not yet completed. A device with its own memory keeps buffers for that many.
    pub in_flight: usize,
    /// The device's own limit, from [`Pipelining::piece_bytes`].
    pub piece_bytes: Option<u64>,
    /// How the device's part will be cut, where the device copies through buffers of its own and this is known.
    pub cut: Option<Cut>,
    /// The columns of a loop over rows and columns; its chunks are ranges of rows.
    pub columns: Option<IterRange>,
    /// The expected time of one iteration with all of the device's cores at work, where the models can estimate it.
    pub kernel_time: Option<Seconds>,
    /// Fill what a device allocates for written arrays with NaN (bytes 0xff), so that elements that the kernel does not write show
    /// up.
    pub poison: bool,
    /// Which arguments were in page-locked memory when the loop was planned; empty where nobody asked. A device need not ask again
    /// about those that were not: to copy them as plain memory is right in any case.
    pub locked: &'w [bool],
    /// The start of the offload: the origin of all [`Span`]s.
    pub epoch: Instant,
    /// Who may end the loop early. A device that cuts its chunks into pieces then skips pieces that it has not begun.
    pub cancelling: Option<Cancelling<'w>>,
    /// The runtimes whose loops are around the bodies, this loop's included.
    pub around: Around,
}

impl<'w> Work<'w> {
    /// A loop that one device runs by itself, one chunk at a time.
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
            cut: None,
            columns: None,
            kernel_time: None,
            poison: false,
            locked: &[],
            epoch: Instant::now(),
            cancelling: None,
            around: Around::here(),
        }
    }

    /// The time of a chunk on one fast core by the kernel's stated cost, if there is one: a guess for loops of which nothing else
    /// is known.
    pub(crate) fn stated_time(&self, chunk: IterRange) -> Option<Duration> {
        /// Operations and bytes in a second that few cores exceed.
        const FLOPS: f64 = 50e9;
        const BYTES: f64 = 20e9;
        let cost = self.kernel.stated_cost()?;
        let iterations = chunk.len() as f64 * self.columns.map_or(1.0, |columns| columns.len() as f64);
        Duration::try_from_secs_f64(iterations * (cost.flops / FLOPS).max((cost.loads + cost.stores) / BYTES)).ok()
    }
}

/// About how a device's part of a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Iterations of the longest piece.
    pub longest: u64,
    /// The piece with the most work, where iterations differ in it.
    pub heaviest: Option<IterRange>,
    /// Number of pieces.
    pub pieces: u64,
}

/// Equal parts of a loop, each with its own partial result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Iterations in a block, at least 1.
    pub len: u64,
    /// The iteration at which the first block begins.
    pub from: u64,
}

/// How chunks are best sent through a device with its own memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pipelining {
    /// Pieces to keep in flight, so that copy in, run and copy out of neighbouring pieces overlap.
    pub in_flight: usize,
    /// Bytes of a piece's sections, where the device copies them through buffers of its own: about so many at most, or up to half
    /// as many more where pieces would otherwise be much shorter.
    pub piece_bytes: Option<u64>,
    /// Host threads that copy for the device during the whole loop, in addition to its proxy's thread.
    pub copiers: usize,
    /// By which fraction copies of these arrays take longer than at the device's rate for plain arrays. That rate is measured on
    /// long loops; 0 means the same time.
    pub plain_longer: f64,
}

impl Default for Pipelining {
    fn default() -> Self {
        // One piece is copied in, one runs, one is copied out, and one waits.
        Self { in_flight: 4, piece_bytes: None, copiers: 0, plain_longer: 0.0 }
    }
}

/// A device of this machine.
///
/// A proxy calls `begin` once it has a chunk, then any mixture of `submit` and `complete` on the session, then `finish`.
pub trait Device: Send {
    /// The device's name in the machine description.
    fn name(&self) -> &str;

    /// The make of the device, independent of its name. Devices that take the same time for the same work have the same identity.
    /// The history keeps learned rates by identity, and by their links where a machine has devices of one make with unlike links.
    fn identity(&self) -> String;

    /// Which of the arguments are arrays in page-locked host memory; `None` where that does not matter to the device's copies. All
    /// devices that answer give the same answer.
    fn page_locked(&self, arguments: &[Argument<'_>]) -> Option<Vec<bool>> {
        let _ = arguments;
        None
    }

    /// The kind of host memory that holds the arrays. Copies to a device with its own memory take different times for each kind.
    fn array_memory(&self, arguments: &[Argument<'_>], locked: &[bool]) -> ArrayMemory {
        let _ = (arguments, locked);
        ArrayMemory::Plain
    }

    /// Whether the device can run the kernel. The answer depends only on which variants the kernel has.
    ///
    /// # Errors
    /// Why not, in a line: usually that the kernel has no variant for this device.
    fn eligible(&self, kernel: &Kernel) -> Result<(), String>;

    /// Whether it computes with `f64`.
    fn has_f64(&self) -> bool {
        true
    }

    /// Whether the device can compute what a loop with these arguments needs. Asked before each loop of a device without `f64`.
    ///
    /// # Errors
    /// Why not, and what would help.
    fn suits(&mut self, kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<(), String> {
        let _ = (kernel, arguments);
        Ok(())
    }

    /// Compiles and loads the kernel's variant, where the device does so and has not done it yet, and checks that it can be called
    /// with these arguments, and over rows and columns where it is `two_dimensional`.
    ///
    /// # Errors
    /// Why the device cannot have it, or which parameter does not match.
    fn compile(
        &mut self,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        two_dimensional: bool,
    ) -> Result<(), String> {
        let _ = (kernel, arguments, reduction, two_dimensional);
        Ok(())
    }

    /// The pool in which the device's proxy should run, so that starting a chunk needs no hand-over to another thread.
    fn pool(&self) -> Option<Arc<rayon::ThreadPool>> {
        None
    }

    /// A larger pool for long loops in which no other device takes part.
    #[doc(hidden)]
    fn wide_pool(&self) -> Option<Arc<WidePool>> {
        None
    }

    /// Bytes of the largest single buffer that the device can allocate; `None` where only its total memory is a limit.
    fn largest_buffer(&self) -> Option<u64> {
        None
    }

    /// The device's own threads, where they may stay awake after a loop.
    #[doc(hidden)]
    fn lookouts(&self) -> Option<Arc<Lookouts>> {
        None
    }

    /// Wakes threads of its own that will copy these arrays, in a loop among this many `devices` with their own memory.
    #[doc(hidden)]
    fn announce(&self, _arguments: &[Argument<'_>], _locked: &[bool], _whole: &[(usize, Reduction)], _devices: usize) {}

    /// Whether the device's loops may be so short that its proxy's thread should stay awake between them.
    fn lingers(&self) -> bool {
        false
    }

    /// Bytes of its own memory that the device can use now; `None` where the machine description's figure holds.
    fn usable_memory(&self) -> Option<u64> {
        None
    }

    /// How a chunk over these arrays is best sent through the device, when `devices` devices with their own memory take part.
    /// `whole` lists the arguments to which any iteration may contribute anywhere.
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

    /// How often the device has allocated or compiled. A loop in which this count rises takes longer than later loops of its kind.
    fn preparations(&self) -> u64 {
        0
    }

    /// Time in which the device has compiled and loaded kernels since it was opened.
    fn compile_time(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether the device gives a partial result for each block of a chunk ([`Work::block`], [`Completed::blocks`]).
    fn runs_blocks(&self) -> bool {
        false
    }

    /// The device's memory for arrays that stay over many loops; `None` where it works in the host's memory.
    fn resident(&mut self) -> Option<&mut dyn resident::Resident> {
        None
    }

    /// Prepares the device for a loop: compiles (once per kernel), allocates, copies replicated arrays.
    ///
    /// This comes before everything else of the loop. Nothing of an earlier loop is still running.
    ///
    /// # Safety
    /// The session must be dropped, never leaked: its drop waits until the device has done with the arrays of `work`.
    /// [`with_session`] sees to that.
    ///
    /// # Errors
    /// In phase [`Phase::Init`].
    unsafe fn begin<'s>(&'s mut self, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError>;
}

/// Begins a session, lends it to `run`, and ends it in every case, also when `run` panics. On return the device uses neither the
/// arrays of `work` nor its buffers for them. For a device by itself, in tests and measurements.
///
/// # Errors
/// Those of [`Device::begin`]; `run` has then not been called.
///
/// # Safety
/// A loop checks beforehand that its arrays have what its iterations access. Here nobody does: the arguments of `work` must fit its
/// range, and `run` must submit chunks within that range only.
pub unsafe fn with_session<R>(
    device: &mut dyn Device,
    work: &Work<'_>,
    run: impl FnOnce(Begun<&mut (dyn Session + '_)>) -> R,
) -> Result<R, DeviceError> {
    with_checked_session(device, work, run)
}

/// The same for a loop that has been checked.
pub(crate) fn with_checked_session<R>(
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
/// **Dropping a session waits** until the device no longer uses the host's arrays or the chunks' buffers. This makes it sound to
/// lend borrowed arrays to a session, whatever fails.
pub trait Session {
    /// Starts a chunk: copy in, run, copy out. May return before any of it is done.
    ///
    /// Chunks do not depend on one another; their phases may overlap. At most [`Work::in_flight`] chunks are submitted
    /// and not completed.
    ///
    /// # Errors
    /// Names phase and chunk. The chunk is then not in flight, and no other chunk is lost.
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError>;

    /// Waits for the oldest chunk in flight. Its owned rows are then in the host's arrays.
    ///
    /// # Errors
    /// Names phase and chunk. That chunk counts as not run. Later chunks in flight may still be completed, each with a result or an
    /// error of its own.
    fn complete(&mut self) -> Result<Completed, DeviceError>;

    /// No further chunk is known of at the moment. The session may release what it keeps ready for more while the submitted chunks
    /// run. Another chunk may follow all the same.
    fn lull(&mut self) {}

    /// After an error: whether a chunk that counts as not run may have changed rows of the host's own arrays, by running in place
    /// or by an interrupted copy back. If the chunk also reads these arrays (`tofrom`), no other device can run it again, and the
    /// loop fails.
    fn wrote_in_place(&self) -> bool {
        false
    }

    /// After an error: whether memory for the chunk was lacking and nothing of it was begun. A shorter chunk may fit.
    fn had_no_room(&self) -> bool {
        false
    }

    /// Ends the loop after all chunks are complete, and frees what the next loop will not reuse. Returns the time in
    /// [`Phase::Fini`], and that in [`Phase::Init`] as far as [`Device::begin`] did not.
    ///
    /// # Errors
    /// In phase [`Phase::Fini`].
    fn finish(&mut self) -> Result<PhaseTimes, DeviceError>;
}

/// A started session and what it took to start it.
pub struct Begun<S> {
    /// The session.
    pub session: S,
    /// Time in [`Phase::Init`], as far as it is known yet; the rest comes from [`Session::finish`].
    pub times: PhaseTimes,
    /// Bytes of replicated arrays copied.
    pub bytes_to: u64,
}

/// The time span of a phase, in seconds from [`Work::epoch`].
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
    /// The span between two instants.
    pub fn between(epoch: Instant, start: Instant, end: Instant) -> Self {
        let since = |t: Instant| Seconds::from(t.saturating_duration_since(epoch));
        Self { start: since(start), end: since(end) }
    }

    /// The length of the span.
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
    /// The time that the kernel would have taken with all of the device's threads busy throughout, where that is known. It is the
    /// pace of longer chunks.
    pub steady: Option<Seconds>,
    /// Copy out; `None` where nothing was copied.
    pub from: Option<Span>,
    /// Bytes copied to the device.
    pub bytes_to: u64,
    /// Bytes copied back.
    pub bytes_from: u64,
    /// This chunk's part of the reduction.
    pub partial: Option<Scalar>,
    /// The partial result of each block, where the loop asks for blocks and the device runs several at once.
    pub blocks: Vec<(IterRange, Scalar)>,
    /// What the iterations contributed to whole arrays, by argument.
    pub contributed: Vec<(usize, Vec<u64>)>,
    /// Some iterations were left out because the loop was cancelled.
    pub incomplete: bool,
    /// The error that names an access to an element that does not exist. The loop then has no valid result.
    pub outside: Option<Box<DeviceError>>,
}

impl Completed {
    /// The lengths of the spans, by phase.
    pub fn times(&self) -> PhaseTimes {
        let mut times = PhaseTimes::default();
        for (phase, span) in [(Phase::To, self.to), (Phase::Kernel, self.kernel), (Phase::From, self.from)] {
            times[phase] = span.map(Span::length).unwrap_or_default();
        }
        times
    }
}
