//! Device memory and page-locked host memory, kept from chunk to chunk and from loop to loop.

use super::blas::Handles;
use super::combine;
use super::driver::{DeviceMemory, Gpu, PinnedBy, PinnedMemory};
use super::flight::{FLAG_BYTES, Marks, rows_of};
use super::grid::blocks;
use super::lanes::Lanes;
use super::program::Target;
use super::session::{Core, Place};
use super::status::CudaError;
use crate::data::Distribution;
use crate::devices::Cut;
use crate::devices::outside::REPORT;
use crate::devices::pool::{self, Allocator, Pool};
use crate::devices::section::byte_range;
use crate::space::IterRange;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer of device memory, and its size.
pub type DeviceBuffer = pool::Pooled<DeviceMemory>;
/// A buffer of page-locked host memory, and its size.
pub type PinnedBuffer = pool::Pooled<PinnedMemory>;
/// Why there is no buffer.
pub type NoBuffer = pool::NoBuffer<CudaError>;

/// Buffers and marks that a device keeps for its next chunks.
pub struct Pools {
    pub device: Pool<DeviceMemory>,
    pub pinned: Pool<PinnedMemory>,
    pub marks: Vec<Marks>,
    /// Page-locked memory that GPUs can write, one for each report.
    pub reports: Vec<PinnedMemory>,
    /// By argument, the largest section of this loop in bytes; the last entry is the reduction's.
    pub largest: Vec<usize>,
}

impl Pools {
    /// Memory for a report, new or reused.
    pub fn report(&mut self, gpu: &Arc<Gpu>) -> Result<PinnedMemory, CudaError> {
        self.reports.pop().map_or_else(|| PinnedBy(gpu).allocate(REPORT), Ok)
    }
}

/// A GPU's memory. Where it is short, handles of cuBLAS that nobody uses make room.
pub struct OnGpu<'g> {
    pub gpu: &'g Arc<Gpu>,
    pub blas: &'g Handles,
}

impl Allocator for OnGpu<'_> {
    type Buffer = DeviceMemory;
    type Error = CudaError;

    fn allocate(&self, bytes: usize) -> Result<DeviceMemory, CudaError> {
        self.gpu.allocate(bytes)
    }

    fn out_of_memory(error: &CudaError) -> bool {
        error.out_of_memory()
    }

    fn make_room(&self, all: bool) -> bool {
        self.blas.free_idle(all)
    }
}

/// What a device keeps in its GPU's memory and can do without.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    pub pools: &'a Mutex<Pools>,
    pub blas: &'a Handles,
}

impl Kept<'_> {
    /// Frees it, and says whether there was anything.
    pub fn free(self) -> bool {
        let pooled = self.pools.lock().unwrap_or_else(PoisonError::into_inner).device.drop_free();
        self.blas.free_idle(true) | pooled
    }
}

impl<'s> Core<'s> {
    /// The GPU's memory.
    pub fn memory(&self) -> OnGpu<'s> {
        OnGpu { gpu: self.gpu, blas: self.blas }
    }
}

impl Core<'_> {
    /// Has buffers ready for all pieces that so many lanes have at once, each up to `most_each`. Threads that need new ones in
    /// mid-loop hold up one another in the driver, and how many they need differs from loop to loop: the first five loops of axpy
    /// over plain arrays on four H200 took 279, 16, 9, 4 and 2 ms, later ones 1.2 ms (ready/ in results/h200-even-2026-11-26).
    pub fn prepare_buffers(&self, lanes: usize, most_each: usize) {
        let Some(Cut { longest, heaviest, pieces }) = self.work.cut else { return };
        // In the middle of the loop, where halos are whole.
        let range = self.work.shape.range;
        let start = range.start + range.len().saturating_sub(longest) / 2;
        let middle = IterRange::new(start, range.end.min(start.saturating_add(longest)));
        let (mut device, mut pinned) = (SmallVec::<[usize; 8]>::new(), SmallVec::<[usize; 8]>::new());
        for (position, argument) in self.work.arguments.iter().enumerate() {
            let (Some(map), Place::Sections { locked }) = (argument.array(), &self.places[position]) else { continue };
            // Where rows differ, the longest piece is one of short rows: it has most of the other arrays.
            let piece = heaviest.filter(|_| map.distribution == Distribution::RowsAt).unwrap_or(middle);
            // A section that no memory can hold is an error of its piece.
            let Some(bytes) = byte_range(map, &rows_of(map, piece, self.work)) else { return };
            device.push(bytes.len());
            let copied = map.direction.copies_in() || map.direction.copies_out();
            if copied && !locked && map.host_start().is_some() {
                pinned.push(bytes.len());
            }
        }
        if let (Some(reduction), Target::Kernel { grid, .. }) = (self.work.reduction, &self.target) {
            let groups = blocks(self.work.kernel, grid, longest as usize, 1).map_or(1, |(_, groups)| groups);
            let bytes = groups.saturating_mul(reduction.element.bytes());
            if !combine::few(groups) {
                device.push(bytes);
            }
            pinned.push(bytes);
        }
        if self.flag.is_some() {
            pinned.push(FLAG_BYTES);
        }
        // Of sections that are much longer than was asked for, as whole arrays that iterations contribute to, a lane has one at once.
        let all: usize = device.iter().fold(0, |all, bytes| all.saturating_add(*bytes));
        let each = (Lanes::room(self.work, most_each) / all.max(1)).clamp(1, most_each);
        let at_once = lanes * each;
        let count = at_once.min(usize::try_from(pieces).unwrap_or(at_once));
        let mut pools = self.pools();
        // What is refused now, its piece asks for again, and says so.
        if pools.device.make_ready(&self.memory(), &device, count).is_err_and(|error| error.out_of_memory()) {
            self.note_refusal(&mut pools);
        }
        let _ = pools.pinned.make_ready(&PinnedBy(self.gpu), &pinned, count);
    }
}
