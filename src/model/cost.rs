//! Costs of a loop on a device.

use crate::element::Precision;
use crate::units::{Bytes, Flops, Seconds};

/// What one loop asks of a device, from its maps and its stated cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopProfile {
    /// Iterations of the whole loop.
    pub iterations: u64,
    /// Precision whose rate counts.
    pub precision: Precision,
    /// Operations per iteration (F).
    pub flops: Flops,
    /// Bytes that one iteration moves between the device's cores and its memory (Q, compulsory traffic).
    pub memory_bytes: f64,
    /// Bytes per iteration of aligned arrays copied in.
    pub aligned_in: f64,
    /// Bytes per iteration of aligned arrays copied out.
    pub aligned_out: f64,
    /// Bytes of replicated arrays copied in, once per device.
    pub replicated_in: Bytes,
    /// Bytes of halo rows copied in with each chunk, at most.
    pub halo_in: Bytes,
    /// Aligned arrays copied in (transfers per chunk).
    pub transfers_in: u32,
    /// Aligned arrays copied out (transfers per chunk).
    pub transfers_out: u32,
    /// Replicated arrays copied in (transfers per device).
    pub replicated_transfers: u32,
    /// Arrays that a device with its own memory allocates.
    pub allocations: u32,
}

/// Whether copy in, run and copy out of neighbouring chunks overlap on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// They do: a device's pace is its slowest stage. What this runtime does.
    #[default]
    Full,
    /// They do not: a device's pace is the sum of the stages (HOMP's runtime).
    None,
}

/// The linear cost of one loop on one device: `T(n) = fixed + n * per_iteration`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceCost {
    /// Seconds per iteration by operations alone: F / P (MODEL_1).
    pub flop_time: Seconds,
    /// Once per device and offload: allocation, replicated arrays, and the first chunk's own fixed costs (`a`).
    pub fixed: Seconds,
    /// Paid again by every further chunk: launch, latencies, halo rows.
    pub per_chunk: Seconds,
    /// Copy in per iteration.
    pub to: Seconds,
    /// Run per iteration: max(F/P, Q/B).
    pub kernel: Seconds,
    /// Copy out per iteration.
    pub from: Seconds,
    /// Whether the three overlap.
    pub overlap: Overlap,
}
