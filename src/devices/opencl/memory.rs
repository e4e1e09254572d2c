//! Device buffers, kept from chunk to chunk and from loop to loop.

use super::objects::{Buffer, Context};
use super::status::ClError;
use crate::devices::pool;

/// A buffer of device memory, and its size.
pub type DeviceBuffer = pool::Pooled<Buffer>;
/// The buffers of one device.
pub type Pool = pool::Pool<Buffer>;
/// Why there is no buffer.
pub type NoBuffer = pool::NoBuffer<ClError>;

impl pool::Allocator for Context {
    type Buffer = Buffer;
    type Error = ClError;

    fn allocate(&self, bytes: usize) -> Result<Buffer, ClError> {
        self.buffer(bytes)
    }

    fn out_of_memory(error: &ClError) -> bool {
        error.out_of_memory()
    }
}
