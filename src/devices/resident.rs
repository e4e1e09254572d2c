//! Arrays that stay in a device's memory over many loops: the interface of a data region to a device with memory of its own.
//!
//! A device that works in the host's memory does not implement it: its part of an array lies in the host's array.
//!
//! Not for programs: nothing checks here that a launch's buffers hold what its iterations access. Data regions do so beforehand. It
//! is reachable for the tests of backends.

use crate::data::layout::BoxCopy;
use crate::devices::Work;
use crate::element::Scalar;
use crate::error::DeviceError;
use crate::kernel::{Argument, Kernel, LoopOf, Reduction};
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A device's buffer for one array of one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(pub u64);

/// A launch, named to ask for its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchId(pub u64);

/// A buffer that other devices of the same kind copy from, with the event that they must wait for first.
#[derive(Clone)]
pub struct Outlet(
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "GPUs alone look into it"))]
    pub(super)  Arc<dyn Any + Send + Sync>,
);

/// The event of a copy by another device, which must have passed before the buffer that it copied from is written again.
#[derive(Clone)]
pub struct Pulled(
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "GPUs alone look into it"))]
    pub(super)  Arc<dyn Any + Send + Sync>,
);

impl fmt::Debug for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outlet")
    }
}

impl fmt::Debug for Pulled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pulled")
    }
}

/// Cells to copy into a buffer before iterations that read them.
#[derive(Debug)]
pub enum Incoming<'l> {
    /// From another device of the same kind; the device copies them itself.
    Direct {
        /// The buffer to copy to.
        to: BufferId,
        /// The buffer to copy from.
        from: &'l Outlet,
        /// The boxes of cells.
        copies: &'l [BoxCopy],
    },
    /// From host memory, which belongs to the caller again when the call returns.
    Host {
        /// The buffer to copy to.
        to: BufferId,
        /// The memory to copy from.
        from: &'l [u8],
        /// The boxes of cells.
        copies: &'l [BoxCopy],
    },
    /// From another buffer of the device, or from another place in the same buffer.
    Local {
        /// The buffer to copy to.
        to: BufferId,
        /// The buffer to copy from.
        from: BufferId,
        /// The boxes of cells.
        copies: &'l [BoxCopy],
    },
}

/// Where an array lies for a launch.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The buffer.
    pub buffer: BufferId,
    /// The array's index of the first row in the buffer; negative where ghost rows come first.
    pub first_row: i64,
    /// Elements from one row to the next.
    pub pitch: usize,
    /// The array's index of the first column in the buffer.
    pub first_column: i64,
    /// Elements in the buffer from the first row and column on.
    pub elements: usize,
}

impl Stored {
    /// The offset that a kernel subtracts from `row * pitch + column`.
    pub fn first_element(&self) -> i64 {
        self.first_row.wrapping_mul(self.pitch as i64).wrapping_add(self.first_column)
    }
}

/// A range of iterations to run.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Rows.
    pub chunk: IterRange,
    /// The columns of a loop over rows and columns.
    pub columns: Option<IterRange>,
    /// Whether these iterations read what the launch copies in. Other iterations need not wait for the copies.
    pub waits: bool,
    /// Where each array lies for these iterations; `None` for a scalar.
    pub stored: SmallVec<[Option<Stored>; 4]>,
}

/// Partial results of a launch that is under way, for devices of the same kind.
#[derive(Clone)]
pub struct Results(
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "GPUs alone look into it"))]
    pub(super)  Arc<dyn Any + Send + Sync>,
);

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Results")
    }
}

/// A scalar that is the result of an earlier loop, which may be under way: the device combines the partial results itself, to what
/// the host makes of them, and the kernel takes the number by address.
#[derive(Clone, Debug)]
pub struct Late {
    /// The position of the argument.
    pub argument: usize,
    /// The loop whose result it is.
    pub of: LoopOf,
    /// Its reduction.
    pub reduction: Reduction,
    /// The partial results of all devices.
    pub results: SmallVec<[Results; 2]>,
}

/// What a device has to compile for a loop that takes such scalars.
#[derive(Clone, Copy, Debug)]
pub struct LateWork<'w> {
    /// The kernel.
    pub kernel: &'w Kernel,
    /// Its arguments.
    pub arguments: &'w [Argument<'w>],
    /// The loop's own reduction.
    pub reduction: Option<Reduction>,
    /// Whether it is a loop over rows and columns.
    pub columns: bool,
}

/// Options of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Whether each piece's partial results are combined in the order of its groups, at any cost.
    pub in_order: bool,
    /// Whether the launch is timed. The events for this delay a short loop.
    pub timed: bool,
    /// Whether the launch only copies, and only into ghost cells, from which no device copies.
    pub ghosts: bool,
    /// Whether pieces that do not wait write no cells of which other devices have ghosts. Copies of whole arrays read others.
    pub apart: bool,
    /// Whether the host waits for the launch's partial results.
    pub awaited: bool,
    /// Who will probably take the partial results.
    pub taken: Taken,
}

#[cfg(feature = "cuda")]
impl How {
    /// Whether partial results are brought to the host's memory right behind the launch, before whatever else is to run.
    pub fn tells_at_once(&self) -> bool {
        self.awaited || self.taken == Taken::ByDevices
    }
}

/// Who takes a launch's partial results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taken {
    /// The host, when it comes to that.
    #[default]
    ByHost,
    /// Later launches, as a scalar of this loop, of which no other device has a part.
    Here(LoopOf),
    /// Later launches on several devices, which all combine them with those of the others.
    ByDevices,
}

/// A part of a loop over resident arrays.
#[derive(Debug)]
pub struct Launch<'l> {
    /// Kernel, arguments (their memory is not used) and reduction; `None` where nothing is to run.
    pub work: Option<&'l Work<'l>>,
    /// What to copy in first.
    pub incoming: &'l [Incoming<'l>],
    /// The pieces to run; a device starts those that do not wait first.
    pub pieces: &'l [Piece],
    /// Scalars that are results of earlier loops.
    pub late: &'l [Late],
    /// Options.
    pub how: How,
}

impl Launch<'_> {
    /// Whether it is of a loop over rows and columns.
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    pub fn two_dimensional(&self) -> bool {
        self.pieces.iter().any(|piece| piece.columns.is_some())
    }

    /// Over what its loop runs.
    #[cfg(any(feature = "cuda", feature = "opencl"))]
    pub fn over(&self) -> super::outside::Over {
        use super::outside::Over;
        if self.two_dimensional() { Over::Cells } else { Over::Rows }
    }

    /// Whether all pieces wait for the copies, as on a device with few rows.
    pub fn all_wait(&self) -> bool {
        !self.pieces.is_empty() && self.pieces.iter().all(|piece| piece.waits)
    }

    /// The number of iterations that the launch's time is for; in a loop over rows and columns, of cells. These are the ones that
    /// do not wait, because the time of the others may include other devices' time; or all iterations where all wait.
    pub fn timed_iterations(&self) -> u64 {
        let all = self.all_wait();
        let cells = |piece: &Piece| piece.chunk.len() * piece.columns.map_or(1, IterRange::len);
        self.pieces.iter().filter(|piece| all || !piece.waits).map(cells).sum()
    }
}

/// The result of a launch.
#[derive(Clone, Debug, Default)]
pub struct Landed {
    /// The number of iterations, or cells, that `kernel` is the time of: those that did not wait for copies, or all where all did;
    /// 0 where the launch was not timed.
    pub iterations: u64,
    /// How long these iterations took.
    pub kernel: Seconds,
    /// How long the copies from other devices took; this time overlaps `kernel`.
    pub exchange: Seconds,
    /// Partial results of the pieces, in the order of their iterations.
    pub partials: SmallVec<[(IterRange, Scalar); 1]>,
    /// The error that names an access to an element that does not exist, if there was one.
    pub outside: Option<Box<DeviceError>>,
}

/// Why a buffer was not allocated.
#[derive(Debug)]
pub struct NotAllocated {
    /// What the device says.
    pub error: DeviceError,
    /// It only lacks memory, and can go on.
    pub no_room: bool,
}

/// A device's memory for resident arrays.
///
/// Operations take effect in the order of the calls. A call may return before its operation is done, but never while the operation
/// still needs host memory.
pub trait Resident {
    /// Allocates a buffer of `bytes`, which may be 0, with undefined contents.
    ///
    /// # Errors
    /// When there is not enough memory, or the device fails.
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, NotAllocated>;

    /// Frees a buffer once all operations asked for so far are done.
    fn release(&mut self, buffer: BufferId);

    /// Copies from host memory into a buffer, and says how long that took from when everything asked for before was done; where
    /// the device does not learn of that, from the call.
    ///
    /// # Errors
    /// When the device fails.
    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<Duration, DeviceError>;

    /// Copies from a buffer to host memory, and says how long that took, as [`Resident::write`] does.
    ///
    /// # Errors
    /// When the device fails, now or in an earlier operation. The contents of `host` are then undefined.
    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<Duration, DeviceError>;

    /// The buffer for other devices to copy from, as of now: their copies need not wait for later operations.
    fn outlet(&mut self, buffer: BufferId) -> Option<Outlet> {
        let _ = buffer;
        None
    }

    /// Whether the device can copy directly from the buffer of `outlet`.
    fn reaches(&self, outlet: &Outlet) -> bool {
        let _ = outlet;
        false
    }

    /// Notes that another device copies from this device's buffers.
    fn pulled(&mut self, by: &Pulled) {
        let _ = by;
    }

    /// The partial results of a launch that has not landed, for later launches on devices of this kind.
    fn results(&mut self, launch: LaunchId) -> Option<Results> {
        let _ = launch;
        None
    }

    /// Prepares for launches of this work that take these scalars, and says whether they can.
    fn combines(&mut self, work: &LateWork<'_>, late: &[Late]) -> bool {
        let _ = work;
        late.is_empty()
    }

    /// Copies in what comes, and runs the pieces. Also gives, for the devices that it copies from, the event of these copies' end.
    ///
    /// # Errors
    /// When the device fails, now or in an earlier operation.
    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError>;

    /// If it is not known that the earlier launch is past, waits for the later one, and so for all in between. Failures are left to
    /// [`Resident::landed`].
    fn pass(&mut self, earlier: LaunchId, later: LaunchId) {
        let _ = (earlier, later);
    }

    /// Waits for a launch and gives its result; to be called once for each launch.
    ///
    /// # Errors
    /// When the device failed.
    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError>;

    /// Waits for all operations asked for so far.
    ///
    /// # Errors
    /// When the device failed in any of them.
    fn wait(&mut self) -> Result<(), DeviceError>;
}
