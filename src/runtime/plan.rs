//! From maps and stated cost to what the models need to know of a loop.

use crate::data::{ArrayMap, Distribution, HostMemory, LoopShape};
use crate::kernel::{Argument, Bound, Cost, Kernel};
use crate::model::LoopProfile;
use crate::units::{Bytes, Flops};

/// The loop in the cost model's terms. Without a stated cost the operations are zero, and nothing but the bytes counts.
pub(super) fn profile(bound: &Bound<'_>, shape: &LoopShape) -> LoopProfile {
    profile_of(bound.kernel(), bound.arguments().iter().filter_map(Argument::array), shape.range.len())
}

/// The same of `n` iterations whose arrays are only described.
pub(super) fn profile_of<'m, 'a: 'm>(
    kernel: &Kernel,
    maps: impl IntoIterator<Item = &'m ArrayMap<'a>>,
    n: u64,
) -> LoopProfile {
    let cost = kernel.stated_cost().unwrap_or_else(Cost::per_iteration);
    let mut profile = LoopProfile {
        iterations: n,
        precision: cost.precision,
        flops: Flops(cost.flops),
        memory_bytes: cost.loads + cost.stores,
        ..LoopProfile::default()
    };
    for map in maps {
        profile.allocations += 1;
        let row = map.row_bytes() as f64;
        // A BLOCK array follows the loop's blocks: so many rows for each iteration.
        let per_iteration = match map.distribution {
            Distribution::Full => {
                if map.direction.copies_in() {
                    profile.replicated_in += Bytes(map.bytes() as u64);
                    profile.replicated_transfers += 1;
                }
                continue;
            }
            Distribution::Align { ratio } => ratio as f64 * row,
            Distribution::Block => map.rows() as f64 / n.max(1) as f64 * row,
        };
        if map.direction.copies_in() {
            profile.aligned_in += per_iteration;
            profile.transfers_in += 1;
            profile.halo_in += Bytes((map.halo.left + map.halo.right) * map.row_bytes() as u64);
        }
        if map.direction.copies_out() {
            profile.aligned_out += per_iteration;
            profile.transfers_out += 1;
        }
    }
    profile
}

/// Bytes that a device with its own memory needs: once, and per iteration of each piece in flight.
pub(super) struct Footprint {
    pub once: u64,
    pub per_piece: u64,
    pub per_iteration: u64,
    /// The largest of these per array: what one buffer holds.
    pub widest: u64,
}

pub(super) fn footprint(bound: &Bound<'_>) -> Footprint {
    let mut footprint = Footprint { once: 0, per_piece: 0, per_iteration: 0, widest: 0 };
    for map in bound.arguments().iter().filter_map(Argument::array) {
        let row = map.row_bytes() as u64;
        match map.distribution {
            Distribution::Full => footprint.once += map.bytes() as u64,
            // The whole block may be needed, however small the piece.
            Distribution::Block if matches!(map.memory, HostMemory::Read(_)) => {
                footprint.per_piece += map.bytes() as u64;
            }
            Distribution::Block | Distribution::Align { .. } => {
                footprint.per_iteration += map.rows_per_iteration() * row;
                footprint.widest = footprint.widest.max(map.rows_per_iteration() * row);
                footprint.per_piece += (map.halo.left + map.halo.right) * row + 8;
            }
        }
    }
    footprint
}

impl Footprint {
    /// The most iterations of a piece of which `in_flight` fit in `memory` at once, and each array of it in one buffer of
    /// `buffer` bytes. At least 1, so that the device itself says what does not fit.
    pub fn largest_piece(&self, memory: Option<Bytes>, buffer: Option<u64>, in_flight: usize) -> u64 {
        let by_memory = memory.map_or(u64::MAX, |Bytes(memory)| {
            let each = memory.saturating_sub(self.once) / in_flight.max(1) as u64;
            each.saturating_sub(self.per_piece) / self.per_iteration.max(1)
        });
        let by_buffer = buffer.map_or(u64::MAX, |buffer| buffer.saturating_sub(self.per_piece) / self.widest.max(1));
        by_memory.min(by_buffer).max(1)
    }
}
