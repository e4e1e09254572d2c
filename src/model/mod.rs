//! What is expected: machine description, costs of a loop on a device, and the split that they imply.
//!
//! Pure: no threads, no clocks, no device calls.

mod combine;
pub mod contention;
pub mod cost;
pub mod device;
pub mod history;
pub mod machine;
pub mod pieces;
pub mod split;

pub use self::machine::{Machine, MemoryKind};
pub(crate) use combine::combining;
pub use contention::{Shared, split_shared};
pub use cost::{DeviceCost, LoopProfile, Overlap, SharedOut, device_cost, device_cost_at};
pub use device::{DeviceModel, LinkModel, Share};
pub use history::History;
pub use pieces::{Pipeline, most_of_a_share, piece_lengths, pipeline_time, subchunks};
pub use split::{LinearCost, Split, even, split};
