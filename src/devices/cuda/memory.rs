//! Device memory and page-locked host memory, kept from chunk to chunk and from loop to loop.

use super::driver::{DeviceMemory, PinnedMemory};
use super::flight::Marks;
use super::status::CudaError;
use crate::devices::pool::{self, Pool};

/// A buffer of device memory, and its size.
pub type DeviceBuffer = pool::Pooled<DeviceMemory>;
/// A buffer of page-locked host memory, and its size.
pub type PinnedBuffer = pool::Pooled<PinnedMemory>;
/// Why there is no buffer.
pub type NoBuffer = pool::NoBuffer<CudaError>;

/// What a device keeps for its next chunks.
pub struct Pools {
    pub device: Pool<DeviceMemory>,
    pub pinned: Pool<PinnedMemory>,
    pub marks: Vec<Marks>,
    /// The largest section of each argument in this loop, in bytes; the last is the reduction's.
    pub largest: Vec<usize>,
}
