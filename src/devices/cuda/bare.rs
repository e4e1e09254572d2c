//! A loop without arrays and reduction on a GPU: one launch and one wait for each chunk.
//!
//! Such a loop is short, or its kernels find their data by themselves. Nothing is copied, so nothing could overlap. The host times
//! the loop, from launch to synchronise, because timed events around a kernel take as long as a short kernel.
#![allow(unsafe_code, reason = "launches kernels")]

use super::blas::Handles;
use super::driver::{Gpu, Restore, Stream};
use super::flight::{Given, bits};
use super::grid::blocks;
use super::memory::Pools;
use super::program::Target;
use super::session::{Faults, Problem, too_many};
use crate::devices::{Completed, Session, Span, Work};
use crate::error::{DeviceError, Phase};
use crate::kernel::Argument;
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::Seconds;
use smallvec::{SmallVec, smallvec};
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Whether a loop has neither arrays nor a reduction.
pub fn is_bare(work: &Work<'_>) -> bool {
    work.reduction.is_none() && !work.arguments.iter().any(|argument| argument.array().is_some())
}

/// The parts of a device that launches use.
pub struct On<'s> {
    pub name: &'s str,
    pub gpu: &'s Arc<Gpu>,
    pub pools: &'s Mutex<Pools>,
    pub stream: &'s Stream,
    pub blas: &'s Handles,
    pub faults: Faults,
}

/// A chunk that is launched and not yet complete.
struct Launched {
    chunk: IterRange,
    /// The time before the launch; `None` where the chunk is empty and nothing was launched.
    at: Option<Instant>,
}

/// A loop without arrays and reduction. The GPU's context stays current as long as this exists.
pub struct BareSession<'s> {
    on: On<'s>,
    work: &'s Work<'s>,
    target: Target<'s>,
    /// The oldest first.
    launched: SmallVec<[Launched; 4]>,
    /// When the chunk before was complete: the next one did not begin earlier.
    free: Instant,
    /// When the session began. `init` ends at the first launch: reading the clock once more before it would cost more than the
    /// part that it would tell apart. A device that fails reports none.
    started: Instant,
    init: Option<Seconds>,
    /// Whether the stream is known to be idle.
    quiet: bool,
    // Dropped last: everything else may need this GPU's context.
    _restore: Restore,
}

impl<'s> BareSession<'s> {
    pub fn new(on: On<'s>, work: &'s Work<'s>, target: Target<'s>, restore: Restore, started: Instant) -> Self {
        let launched = SmallVec::new();
        Self { on, work, target, launched, free: work.epoch, started, init: None, quiet: true, _restore: restore }
    }

    fn error(&self, chunk: Option<IterRange>, (phase, message): Problem) -> DeviceError {
        DeviceError { device: self.on.name.to_owned(), phase, chunk, message }
    }

    /// Starts the kernel, and returns the time just before.
    fn launch(&mut self, chunk: IterRange) -> Result<Instant, Problem> {
        let (Ok(lo), Ok(hi)) = (i64::try_from(chunk.start), i64::try_from(chunk.end)) else {
            return Err((Phase::Kernel, "iterations beyond the range of `long`".to_owned()));
        };
        self.on.faults.injected(Phase::To)?;
        self.on.faults.injected(Phase::Kernel)?;
        let at;
        match &self.target {
            Target::Kernel { function, grid, .. } => {
                let (size, _) = blocks(self.work.kernel, grid, chunk.len() as usize, 1)?;
                let mut values: SmallVec<[u64; 8]> = smallvec![lo.cast_unsigned(), hi.cast_unsigned()];
                for argument in self.work.arguments {
                    if let Argument::Scalar(scalar) = argument {
                        values.push(bits(*scalar));
                    }
                }
                let mut pointers: SmallVec<[*mut c_void; 8]> = SmallVec::new();
                pointers.extend(values.iter_mut().map(|value| std::ptr::from_mut(value).cast()));
                self.quiet = false;
                at = Instant::now();
                // SAFETY:
                // - the context is current as long as this lives;
                // - number and sizes of the parameters were compared with what is bound (`program::check_parameters`);
                //   each points to 8 bytes, of which the kernel's parameter takes the first (little-endian);
                // - the kernel is given no memory.
                unsafe { self.on.stream.launch(*function, size, grid.group.map(|g| g as u32), &mut pointers) }
                    .map_err(|error| (Phase::Kernel, error.to_string()))?;
            }
            Target::Call(call) => {
                let On { gpu, pools, stream, blas, .. } = self.on;
                let arguments = self.work.arguments;
                let arrays: SmallVec<[_; 8]> = arguments.iter().map(|_| None).collect();
                self.quiet = false;
                at = Instant::now();
                let called = call.enqueue(&Given { blas, gpu, pools, arguments, stream, chunk, arrays: &arrays });
                gpu.after_library(called).map_err(|message| (Phase::Kernel, message))?;
            }
        }
        self.on.faults.injected(Phase::From)?;
        self.init.get_or_insert_with(|| at.saturating_duration_since(self.started).into());
        Ok(at)
    }

    /// Waits for everything that is launched.
    fn wait(&mut self) -> Result<(), Problem> {
        let waited = self.on.stream.synchronize_bound();
        self.quiet = waited.is_ok();
        waited.map_err(|error| (Phase::Kernel, error.to_string()))
    }
}

impl Session for BareSession<'_> {
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError> {
        let most = self.work.in_flight.max(1);
        if self.launched.len() >= most {
            return Err(self.error(Some(chunk), too_many(most)));
        }
        let at =
            if chunk.is_empty() { None } else { Some(self.launch(chunk).map_err(|p| self.error(Some(chunk), p))?) };
        self.launched.push(Launched { chunk, at });
        Ok(())
    }

    fn complete(&mut self) -> Result<Completed, DeviceError> {
        if self.launched.is_empty() {
            let problem = (Phase::Kernel, "`complete` without a chunk in flight".to_owned());
            return Err(self.error(None, problem));
        }
        let Launched { chunk, at } = self.launched.remove(0);
        let Some(at) = at else { return Ok(Completed::default()) };
        self.wait().map_err(|problem| self.error(Some(chunk), problem))?;
        let start = at.max(self.free);
        self.free = Instant::now();
        let kernel = Some(Span::between(self.work.epoch, start, self.free));
        Ok(Completed { kernel, ..Completed::default() })
    }

    fn finish(&mut self) -> Result<PhaseTimes, DeviceError> {
        match self.launched.first().map(|launched| launched.chunk) {
            // Nothing is freed, so `fini` takes no time.
            None => {
                let mut times = PhaseTimes::default();
                times[Phase::Init] = self.init.take().unwrap_or_default();
                Ok(times)
            }
            left => {
                let problem = (Phase::Fini, "`finish` with chunks in flight: their results are lost".to_owned());
                Err(self.error(left, problem))
            }
        }
    }
}

impl Drop for BareSession<'_> {
    fn drop(&mut self) {
        if !self.quiet {
            let _ = self.on.gpu.bind().and_then(|()| self.on.stream.synchronize_bound());
        }
    }
}
