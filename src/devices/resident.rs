//! Arrays that stay in a device's memory over many loops: what a data region asks of a device with memory of its own.
//!
//! A device that works in the host's memory has none of this: its part of an array is where the host has it.

use crate::data::layout::BoxCopy;
use crate::devices::Work;
use crate::element::Scalar;
use crate::error::DeviceError;
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A buffer of a device, for one array of one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(pub u64);

/// A launch whose result may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchId(pub u64);

/// A buffer as other devices of its kind see it, with what must have happened before they copy from it.
#[derive(Clone)]
pub struct Outlet(
    #[cfg_attr(not(feature = "cuda"), expect(dead_code, reason = "GPUs alone look into it"))]
    pub(super)  Arc<dyn Any + Send + Sync>,
);

/// What must have happened before a buffer that others copied from is written again.
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

/// Cells that come to a buffer before iterations that read them.
#[derive(Debug)]
pub enum Incoming<'l> {
    /// From another device of its kind, which the device copies from by itself.
    Direct {
        /// Where to.
        to: BufferId,
        /// Where from.
        from: &'l Outlet,
        /// What.
        copies: &'l [BoxCopy],
    },
    /// From host memory, which is the caller's again when the call returns.
    Host {
        /// Where to.
        to: BufferId,
        /// Where from.
        from: &'l [u8],
        /// What.
        copies: &'l [BoxCopy],
    },
    /// From another buffer of the device, or from elsewhere in the same one.
    Local {
        /// Where to.
        to: BufferId,
        /// Where from.
        from: BufferId,
        /// What.
        copies: &'l [BoxCopy],
    },
}

/// Where an array of a launch is.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    /// The buffer.
    pub buffer: BufferId,
    /// The array's number of the first row in the buffer; less than 0 where ghost rows come first.
    pub first_row: i64,
    /// Elements from one row to the next.
    pub pitch: usize,
    /// The array's number of the first column in the buffer.
    pub first_column: i64,
    /// Elements in the buffer, from the first row and column on.
    pub elements: usize,
}

impl Stored {
    /// What a kernel subtracts from `row * pitch + column`.
    pub fn first_element(&self) -> i64 {
        self.first_row.wrapping_mul(self.pitch as i64).wrapping_add(self.first_column)
    }
}

/// Iterations to run.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Rows.
    pub chunk: IterRange,
    /// Columns of a loop over rows and columns.
    pub columns: Option<IterRange>,
    /// Whether they read what comes in with the launch: all else need not wait for it.
    pub waits: bool,
    /// Where each array is for these iterations; `None` for a scalar.
    pub stored: SmallVec<[Option<Stored>; 8]>,
}

/// What is to be minded with a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Whether each piece's partial results are combined in the order of its groups, whatever that costs.
    pub in_order: bool,
    /// Whether its times are asked for: marks for them cost a short loop something.
    pub timed: bool,
    /// Whether what comes is all there is, and goes to ghost cells, which nobody copies from.
    pub ghosts: bool,
    /// Whether pieces that do not wait write nothing that other devices copy.
    pub apart: bool,
    /// Whether somebody waits for its partial results.
    pub awaited: bool,
}

/// A part of a loop over resident arrays.
#[derive(Debug)]
pub struct Launch<'l> {
    /// Kernel, arguments (whose memory does not count), reduction; none where nothing is to run.
    pub work: Option<&'l Work<'l>>,
    /// What comes in first.
    pub incoming: &'l [Incoming<'l>],
    /// What runs; a device starts those that wait for nothing first.
    pub pieces: &'l [Piece],
    /// What is to be minded.
    pub how: How,
}

impl Launch<'_> {
    /// Whether all that runs waits for what comes: a device with few rows has no others.
    pub fn all_wait(&self) -> bool {
        !self.pieces.is_empty() && self.pieces.iter().all(|piece| piece.waits)
    }

    /// Iterations (of a loop over rows and columns: cells) whose time is taken: those that wait for nothing, as others' time may
    /// be in that of the rest; all where all wait.
    pub fn timed_iterations(&self) -> u64 {
        let all = self.all_wait();
        let cells = |piece: &Piece| piece.chunk.len() * piece.columns.map_or(1, IterRange::len);
        self.pieces.iter().filter(|piece| all || !piece.waits).map(cells).sum()
    }
}

/// What became of a launch.
#[derive(Clone, Debug, Default)]
pub struct Landed {
    /// Iterations, or cells, that `kernel` is the time of: those that did not wait for others, or all where all did; none where no times
    /// were asked for.
    pub iterations: u64,
    /// How long these took.
    pub kernel: Seconds,
    /// How long the copies from other devices took; they overlap the above.
    pub exchange: Seconds,
    /// Partial results of the pieces, in the order of their iterations.
    pub partials: SmallVec<[(IterRange, Scalar); 3]>,
    /// Iterations reached for elements that are not there: which, as an error.
    pub outside: Option<Box<DeviceError>>,
}

/// A device's memory for resident arrays.
///
/// What is asked for is done in the order of the calls, as far as anybody can see. A device may return before it is done,
/// but never while it still needs memory of the host.
pub trait Resident {
    /// Room for `bytes`, of undefined contents.
    ///
    /// # Errors
    /// When there is no room.
    fn allocate(&mut self, bytes: usize) -> Result<BufferId, DeviceError>;

    /// Gives a buffer back, once all that was asked for is done.
    fn release(&mut self, buffer: BufferId);

    /// Copies from host memory.
    ///
    /// # Errors
    /// When the device fails.
    fn write(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &[u8]) -> Result<(), DeviceError>;

    /// Copies to host memory.
    ///
    /// # Errors
    /// When the device fails, now or in what was asked for before; the memory is then undefined.
    fn read(&mut self, buffer: BufferId, copies: &[BoxCopy], host: &mut [u8]) -> Result<(), DeviceError>;

    /// For others of its kind, as of now: what is asked for later they need not wait for.
    fn outlet(&mut self, buffer: BufferId) -> Option<Outlet> {
        let _ = buffer;
        None
    }

    /// Whether it copies from there by itself.
    fn reaches(&self, outlet: &Outlet) -> bool {
        let _ = outlet;
        false
    }

    /// Takes notice that others copy from its buffers.
    fn pulled(&mut self, by: &Pulled) {
        let _ = by;
    }

    /// Brings in what comes, and runs iterations. For others to copy from: when its own copies from them are done.
    ///
    /// # Errors
    /// When the device fails, now or in what was asked for before.
    fn launch(&mut self, launch: &Launch<'_>) -> Result<(LaunchId, Option<Pulled>), DeviceError>;

    /// Waits for a launch and gives what became of it; once for each.
    ///
    /// # Errors
    /// When the device failed.
    fn landed(&mut self, launch: LaunchId) -> Result<Landed, DeviceError>;

    /// Waits for all that was asked for.
    ///
    /// # Errors
    /// When the device failed in any of it.
    fn wait(&mut self) -> Result<(), DeviceError>;
}
