//! Device memory and page-locked host memory, kept from chunk to chunk and from loop to loop.

use super::driver::{DeviceMemory, Gpu, PinnedBy, PinnedMemory};
use super::flight::Marks;
use super::status::CudaError;
use crate::devices::outside::REPORT;
use crate::devices::pool::{self, Allocator, Pool};
use std::sync::Arc;

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
