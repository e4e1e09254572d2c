//! From maps and stated cost to what the models need to know about a loop.

use crate::data::{ArrayMap, Distribution, HostMemory, LoopShape, even_block};
use crate::devices::{Pipelining, shared_out};
use crate::kernel::{Bound, Cost, Kernel, Reduction};
use crate::model::cost::at_rate;
use crate::model::{DeviceCost, LoopProfile};
use crate::runtime::LeftOut;
use crate::runtime::history::Consulted;
use crate::runtime::uneven::Room;
use crate::sched::{Apart, Tried};
use crate::units::{Bytes, BytesPerSecond, Flops, Seconds};
use smallvec::SmallVec;

/// What is expected of a loop's devices.
#[derive(Default)]
pub(super) struct Expected {
    pub costs: Vec<DeviceCost>,
    /// Costs by the description, if the history changed them; else empty.
    pub described: Vec<DeviceCost>,
    /// Costs of devices that run alone, for AUTO: as measured, else as described. Empty if nothing is learned.
    pub alone: Vec<DeviceCost>,
    /// The same for the devices of one memory kind without the others, for MODEL_2 with a cutoff by benefit.
    pub apart: Vec<Apart>,
    /// What AUTO's earlier choices took for such loops.
    pub tried: Vec<Tried>,
    /// What the history says about the loop, if there is one.
    pub consulted: Option<Consulted>,
}

/// Limits of a device's pieces, whatever share of the loop it gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pieces {
    /// Iterations of a piece, at most.
    pub longest: u64,
    /// Host threads that copy its plain arrays, besides its proxy's thread.
    pub copiers: usize,
}

/// What each chunk takes besides on devices that work in the host's memory, where it really is that: nothing is copied there, but
/// the description's rates are those of long loops. For loops that run and for those that are only predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HostChunks {
    /// Threads that share out a chunk by whole iterations.
    threads: usize,
    /// `Kernel::host_setup`.
    setup: u64,
}

impl HostChunks {
    /// For a kernel on the host's own cores, or on another device in its memory. Where the number of `threads` is not known, the round
    /// of them is left out.
    pub fn of(kernel: &Kernel, on_cores: bool, threads: Option<usize>) -> Self {
        let whole_chunk = kernel.host_variant().is_some_and(|variant| variant.whole_chunk);
        let threads = threads.filter(|_| on_cores && !whole_chunk).unwrap_or(1);
        Self { threads, setup: if on_cores { kernel.host_setup_iterations() } else { 0 } }
    }

    /// Adds it to the cost of such a device, whose memory has this rate; `contributed` are the bytes of the arrays that iterations
    /// contribute to as a whole.
    pub fn add_to(self, cost: &mut DeviceCost, profile: &LoopProfile, contributed: usize, rate: BytesPerSecond) {
        // A chunk of any length reads all of each replicated array.
        cost.kernel_chunk += at_rate(profile.replicated_in.0 as f64, rate.0);
        cost.threads = shared_out(self.threads);
        // Threads take whole iterations, so a chunk lasts up to one round longer, unless the body cuts it by itself.
        cost.kernel_chunk += cost.kernel * self.threads.saturating_sub(1) as f64;
        cost.kernel_chunk += cost.kernel * self.setup as f64;
        cost.kernel_chunk += self.copies(contributed as f64, rate);
    }

    /// What a chunk takes besides as each thread fills and combines its own copy of so many bytes that iterations contribute to.
    pub fn copies(self, contributed: f64, rate: BytesPerSecond) -> Seconds {
        at_rate(2.0 * self.threads as f64 * contributed, rate.0)
    }
}

/// This many iterations fill whole pages with elements of any type.
pub(super) const EVEN: u64 = 4096;
/// Pieces of at least this many iterations are rounded to multiples of [`EVEN`].
pub(super) const LONG: u64 = 16 * EVEN;

/// The loop in the cost model's terms. Without a stated cost, operations and memory traffic are zero, which the model takes as
/// one operation per iteration.
pub(super) fn profile(bound: &Bound<'_>, shape: &LoopShape) -> LoopProfile {
    let mut profile = profile_of(bound.kernel(), own_copies(bound), shape.range.len());
    // Each chunk has its own copy of an array that iterations contribute to, as of halo rows; the copy also comes back.
    for map in bound.array_reductions().iter().filter_map(|(position, _)| bound.arguments()[*position].array()) {
        profile.allocations += 1;
        profile.halo_in += Bytes(2 * map.bytes() as u64);
        profile.transfers_in += 1;
        profile.transfers_out += 1;
    }
    profile
}

/// The arrays but those that iterations contribute to as a whole.
pub(super) fn own_copies<'b>(bound: &'b Bound<'_>) -> impl Iterator<Item = &'b ArrayMap<'b>> {
    let arguments = bound.arguments().iter().enumerate();
    arguments.filter_map(|(position, argument)| argument.array().filter(|_| !bound.contributes_to(position)))
}

/// The profile of `n` iterations over arrays that are only described.
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
        written: cost.stores,
        library: kernel.calls_library(),
        ..LoopProfile::default()
    };
    let mut of_tables = 0.0;
    for map in maps {
        if map.distribution == Distribution::RowsAt {
            of_tables += map.mean_rows() * map.row_bytes() as f64;
        }
        profile.allocations += 1;
        let Some(per_iteration) = per_iteration(map, n) else {
            if map.direction.copies_in() {
                profile.replicated_in += Bytes(map.bytes() as u64);
                profile.replicated_transfers += 1;
            }
            continue;
        };
        profile.aligned_allocated += per_iteration;
        if map.direction.copies_in() {
            profile.aligned_in += per_iteration;
            profile.transfers_in += 1;
            profile.halo_in += Bytes(halo_bytes(map));
        }
        if map.direction.copies_out() {
            profile.aligned_out += per_iteration;
            profile.transfers_out += 1;
            if !map.direction.copies_in() {
                profile.only_written += per_iteration;
            }
        }
    }
    // A kernel goes through its rows, however often its cost counts a loop whose length is data.
    profile.memory_bytes = profile.memory_bytes.max(of_tables);
    // A kernel may store less of an array than the loop copies.
    profile.only_written = profile.only_written.min(profile.written);
    profile
}

/// Bytes of an array per iteration, of `n` iterations; none for a replicated array.
fn per_iteration(map: &ArrayMap<'_>, n: u64) -> Option<f64> {
    let row = map.row_bytes() as f64;
    match map.distribution {
        Distribution::Full => None,
        Distribution::Align { ratio } => Some(ratio as f64 * row),
        Distribution::RowsAt => Some(map.mean_rows() * row),
        // A BLOCK array follows the loop's blocks: the same number of rows for each iteration.
        Distribution::Block => Some(map.rows() as f64 / n.max(1) as f64 * row),
    }
}

/// Adds to the loop's profile how much of its data lies in arrays that are not page-locked.
pub(super) fn note_plain(profile: &mut LoopProfile, bound: &Bound<'_>, locked: &[bool]) {
    for (position, (argument, locked)) in bound.arguments().iter().zip(locked).enumerate() {
        let counts = !bound.contributes_to(position) && !locked;
        let Some(map) = argument.array().filter(|_| counts) else { continue };
        match per_iteration(map, profile.iterations) {
            None if map.direction.copies_in() => profile.plain_replicated += Bytes(map.bytes() as u64),
            None => {}
            Some(bytes) => {
                profile.plain_in += if map.direction.copies_in() { bytes } else { 0.0 };
                profile.plain_out += if map.direction.copies_out() { bytes } else { 0.0 };
            }
        }
    }
}

/// Upper bound of the bytes of a chunk's halo rows: an array has no more rows than its own.
fn halo_bytes(map: &ArrayMap<'_>) -> u64 {
    let rows = map.halo.left.min(map.rows()).saturating_add(map.halo.right.min(map.rows()));
    rows.saturating_mul(map.row_bytes() as u64)
}

/// The least sample worth measuring, in iterations: what keeps the fastest device busy for ten times the resolution of a
/// timer, 1 us.
pub(super) fn least_sample(costs: &[DeviceCost]) -> u64 {
    const TEN_TICKS: f64 = 10e-6;
    let fastest = costs.iter().map(|cost| cost.effective().0).fold(f64::INFINITY, f64::min);
    if fastest > 0.0 && fastest.is_finite() { (TEN_TICKS / fastest).ceil() as u64 } else { 1 }
}

/// Bytes that a device with its own memory needs: once, and per iteration of each piece in flight.
#[derive(Default)]
pub(super) struct Footprint {
    once: u64,
    per_piece: u64,
    per_iteration: u64,
    /// Per iteration, for arrays alone, without the reduction's results.
    sections: u64,
    /// Bytes of halo rows, and of copies of arrays that are contributed to, of each piece.
    halo: u64,
    /// Per iteration, for the largest array: one buffer must hold it.
    widest: u64,
    /// Each piece needs whole blocks of an array, so chunks are not cut for overlap.
    pub whole_blocks: bool,
}

/// Bytes that each device with its own memory holds from a loop's begin to its end: all replicated arrays.
pub(super) fn replicated<'m, 'a: 'm>(maps: impl IntoIterator<Item = &'m ArrayMap<'a>>) -> Bytes {
    let whole = maps.into_iter().filter(|map| map.distribution == Distribution::Full);
    Bytes(whole.map(|map| map.bytes() as u64).fold(0, u64::saturating_add))
}

/// For each device, by its name and memory, why it cannot take part in a loop with so many bytes of replicated arrays; empty where
/// all can, and where none can: then they say so themselves as they fail.
pub(super) fn without_room<'d>(
    replicated: Bytes,
    devices: impl Iterator<Item = (&'d str, Option<Bytes>)>,
) -> SmallVec<[Option<LeftOut>; 8]> {
    // Most loops ask no device: that takes locks.
    if replicated == Bytes(0) {
        return SmallVec::new();
    }
    let of = |(name, memory): (&str, Option<Bytes>)| {
        let memory = memory.filter(|memory| replicated > *memory)?;
        let reason = format!("{replicated} of replicated arrays do not fit into its memory, {memory}");
        Some(LeftOut { device: name.to_owned(), reason })
    };
    let reasons: SmallVec<_> = devices.map(of).collect();
    if reasons.iter().all(Option::is_some) { SmallVec::new() } else { reasons }
}

/// What a prediction says of a loop with so many bytes of replicated arrays where no device has room for them, by their memories.
pub(super) fn no_room(replicated: Bytes, memories: impl Iterator<Item = Option<Bytes>>) -> Option<String> {
    let most = memories.collect::<Option<Vec<Bytes>>>()?.into_iter().max_by_key(|memory| memory.0)?;
    let why =
        || format!("no device has room for the {replicated} of replicated arrays, at most {most}: the loop would fail");
    (replicated.0 > most.0).then(why)
}

pub(super) fn footprint(bound: &Bound<'_>, shape: &LoopShape, reduction: Option<Reduction>) -> Footprint {
    let mut footprint =
        Footprint { once: 0, per_piece: 0, per_iteration: 0, sections: 0, halo: 0, widest: 0, whole_blocks: false };
    for (position, argument) in bound.arguments().iter().enumerate() {
        let Some(map) = argument.array() else { continue };
        let row = map.row_bytes() as u64;
        // Small buffers are rounded up in size.
        let halo = halo_bytes(map).saturating_add(64);
        match map.distribution {
            // Each piece has a copy, as of halo rows.
            Distribution::Full if bound.contributes_to(position) => {
                footprint.halo = footprint.halo.saturating_add(map.bytes() as u64);
                footprint.per_piece = footprint.per_piece.saturating_add(map.bytes() as u64);
            }
            Distribution::Full => footprint.once = footprint.once.saturating_add(map.bytes() as u64),
            Distribution::Block if matches!(map.memory, HostMemory::Read(_)) => {
                let block = even_block(map.rows(), shape.devices, 0);
                let bytes = (block.end - block.start).saturating_mul(row).saturating_add(halo);
                footprint.per_piece = footprint.per_piece.saturating_add(bytes);
                footprint.whole_blocks = true;
            }
            Distribution::Block | Distribution::Align { .. } | Distribution::RowsAt => {
                let rows = match map.distribution {
                    Distribution::RowsAt => map.mean_rows().ceil() as u64,
                    _ => map.rows_per_iteration(),
                };
                let bytes = rows.saturating_mul(row);
                footprint.per_iteration = footprint.per_iteration.saturating_add(bytes);
                footprint.sections = footprint.sections.saturating_add(bytes);
                footprint.halo = footprint.halo.saturating_add(halo_bytes(map));
                footprint.widest = footprint.widest.max(bytes);
                footprint.per_piece = footprint.per_piece.saturating_add(halo);
            }
        }
    }
    if let Some(reduction) = reduction {
        // Partial results, one per work-group: at most one per iteration.
        footprint.per_iteration = footprint.per_iteration.saturating_add(reduction.element.bytes() as u64);
        footprint.per_piece = footprint.per_piece.saturating_add(64);
    }
    footprint
}

/// Copying threads get one piece each, or two where those have at least so many bytes, or more where that is too long for one.
/// While a thread copies so much, the calls of the driver that a piece needs take as long, where many threads call it at once.
const SHORT_PIECE: u64 = 2 << 20;
/// Bytes of the shortest piece that is worth a thread of its own.
const SHORTEST_PIECE: u64 = 512 << 10;

impl Footprint {
    /// Most bytes of a piece whose iterations differ, if so many of mean length fit.
    pub fn room(&self, largest: u64) -> Option<Room> {
        let of = |bytes: u64| largest.saturating_mul(bytes);
        (largest < u64::MAX).then(|| Room { all: of(self.per_iteration), one: of(self.widest) })
    }

    /// Bytes of the arrays' sections of this many iterations.
    pub fn sections_of(&self, iterations: u64) -> u64 {
        self.sections.saturating_mul(iterations).saturating_add(self.halo)
    }

    /// The longest piece, in iterations: all pieces in flight fit in `memory`, and each array of one in a buffer of `buffer`
    /// bytes. `share` is about what the device gets in all. At least 1, so that the device itself reports what does not fit.
    pub fn largest_piece(
        &self,
        memory: Option<Bytes>,
        buffer: Option<u64>,
        pipelining: &Pipelining,
        tile: u64,
        share: u64,
    ) -> u64 {
        let at_once = if self.whole_blocks { 1 } else { pipelining.in_flight.max(1) as u64 };
        let by_memory = memory.map_or(u64::MAX, |Bytes(memory)| {
            // A tenth is left for the driver.
            let each = (memory - memory / 10).saturating_sub(self.once) / at_once;
            // Iterations that take no memory all fit.
            each.saturating_sub(self.per_piece).checked_div(self.per_iteration).unwrap_or(u64::MAX)
        });
        let by_buffer = buffer.map_or(u64::MAX, |buffer| {
            let halo = if self.whole_blocks { 0 } else { self.per_piece };
            buffer.saturating_sub(halo).checked_div(self.widest).unwrap_or(u64::MAX)
        });
        let by_piece = pipelining.piece_bytes.map_or(u64::MAX, |bytes| {
            // Long enough that halo rows are a small part of a piece, here and below.
            let length = bytes.max(8 * self.halo) / self.sections.max(1);
            // The same number for each copying thread, so that all end together.
            let threads = pipelining.copiers.max(1) as u64;
            let of_bytes = |bytes: u64| (bytes.max(8 * self.halo) / self.sections.max(1)).max(1);
            let each = share / threads;
            let rounds = (each.saturating_add(length / 2) / length.max(1)).max(1);
            let rounds = rounds.max(if each / 2 >= of_bytes(SHORT_PIECE) { 2 } else { 1 });
            let even = share.div_ceil(threads * rounds).max(of_bytes(SHORTEST_PIECE));
            let length = even.min(length.saturating_add(length.div_ceil(2)));
            let length = if length >= LONG { length.next_multiple_of(EVEN) } else { length };
            // Up to four times as long to fill a tile: each piece in flight has page-locked memory of its own.
            length.max(tile.min(4 * bytes / self.sections.max(1)))
        });
        by_memory.min(by_buffer).min(by_piece).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::machine::{DeviceEntry, Figure};
    use crate::model::{Machine, Overlap, device_cost};
    use crate::space::IterRange;
    use crate::units::Seconds;

    /// As `EmulatedDevice::buffer` charges them.
    #[test]
    fn each_aligned_array_is_allocated_once_whichever_way_it_is_copied() {
        let machine = Machine::from_json(include_str!("../../machines/fornax.json")).unwrap();
        let bytes = |bound: Bound<'_>| {
            let profile = profile(&bound, &LoopShape { range: IterRange::new(0, 100), devices: 1 });
            let to = |alloc_per_byte: f64| {
                let mut device = machine.devices[1].model();
                device.alloc_per_byte = Seconds(alloc_per_byte);
                device_cost(&device, &profile, Overlap::Full).to
            };
            (to(1.0) - to(0.0)).0.round()
        };
        let (x, mut y, mut z, kernel) = (vec![0_f64; 100], vec![0_f64; 100], vec![0_f32; 100], Kernel::new("k"));
        assert_eq!(bytes(kernel.bind().to(&x).align().from(&mut y).align()), 16.0);
        assert_eq!(bytes(kernel.bind().tofrom(&mut y).align()), 8.0);
        assert_eq!(bytes(kernel.bind().to(&x).align().tofrom(&mut y).align().from(&mut z).align()), 20.0);
        assert_eq!(bytes(kernel.bind().alloc::<f64>(100).align().to(&x).align()), 16.0);
        assert_eq!(bytes(kernel.bind().alloc::<f64>(100).align()), 8.0);
    }

    #[test]
    fn rows_of_different_lengths_count_with_their_mean() {
        let (starts, mut y, values) = (vec![2_u32, 2, 12, 22], vec![0_f64; 3], vec![0_f64; 24]);
        let kernel = Kernel::new("k").cost(Cost::per_iteration().loads(12).stores(8));
        let of = |bound: &Bound<'_>| profile(bound, &LoopShape { range: IterRange::new(0, 3), devices: 1 });
        let sparse = of(&kernel.bind().to(&values).rows_at(&starts).from(&mut y).align());
        let mean = 20.0 / 3.0 * 8.0;
        assert_eq!((sparse.aligned_in, sparse.memory_bytes, sparse.replicated_in), (mean, mean, Bytes(0)));
        let known = kernel.cost(Cost::per_iteration().loads(1000));
        assert_eq!(of(&known.bind().to(&values).rows_at(&starts).from(&mut y).align()).memory_bytes, 1000.0);
        let shape = LoopShape { range: IterRange::new(0, 3), devices: 1 };
        let footprint = footprint(&known.bind().to(&values).rows_at(&starts).from(&mut y).align(), &shape, None);
        assert_eq!((footprint.once, footprint.sections_of(10)), (0, 10 * (7 * 8 + 8)));
    }

    #[test]
    fn calls_of_a_library_have_its_half_rate() {
        let mut entry = Machine::from_json(include_str!("../../machines/fornax.json")).unwrap().devices.remove(1);
        let kernel_chunk = |entry: &DeviceEntry, kernel: &Kernel| {
            device_cost(&entry.model(), &profile_of(kernel, [], 100), Overlap::Full).kernel_chunk.micros()
        };
        let launch = entry.launch_us.value;
        let own = Kernel::new("own").host(|_: std::ops::Range<usize>| ());
        let call = own.clone().cuda_call(|_| Ok(()));
        entry.half_rate_us = Some(Figure::assumed(2.0));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!([&own, &call].iter().all(|kernel| near(kernel_chunk(&entry, kernel), launch + 2.0)));
        entry.library_half_rate_us = Some(Figure::assumed(13.0));
        assert!(near(kernel_chunk(&entry, &own), launch + 2.0) && near(kernel_chunk(&entry, &call), launch + 13.0));
    }

    #[test]
    fn each_thread_that_copies_gets_as_many_pieces_as_others_unless_those_were_short() {
        let (mib, lanes) = ([1u64, 2, 4], [1u64, 8, 15]);
        for (mib, lanes) in mib.into_iter().flat_map(|mib| lanes.map(|lanes| (mib, lanes))) {
            let bytes = mib << 20;
            let pipelining = Pipelining { copiers: lanes as usize, piece_bytes: Some(bytes), ..Pipelining::default() };
            // axpy of floats, x and y, four bytes each; rows of a few kilobytes, and of more.
            for (row, share) in [8u64, 1000, 24_576, 600_000].into_iter().flat_map(|row| {
                (0..60).map(move |step| (row, (1u64 << (step / 2)) + (1 << (step / 2)) * (step % 2) / 2 + step))
            }) {
                let footprint =
                    Footprint { per_iteration: row, sections: row, widest: row / 2, ..Footprint::default() };
                let longest = footprint.largest_piece(None, None, &pipelining, 1, share);
                let pieces = share.div_ceil(longest);
                let text =
                    format!("{pieces} pieces of {longest} of {share} rows of {row} bytes for {lanes}, {mib} MiB");
                // A piece in half as many rows more than asked for, to the next whole row, or to whole pages.
                let even = if longest >= LONG { EVEN } else { 1 };
                assert!(longest <= (bytes / row).max(1) * 3 / 2 + 1 + even, "{text}");
                assert!(longest.is_multiple_of(even), "{text}");
                let shortest = (SHORTEST_PIECE / row).max(1);
                assert!(longest >= shortest.min(share.div_ceil(lanes)), "{text}");
                // Whole rows or pages make a few pieces fewer.
                let rounds = pieces.div_ceil(lanes);
                let whole = longest > 16 * even && longest > shortest;
                assert!(!whole || pieces + rounds * lanes / 8 >= rounds * lanes, "{text}");
                // A thread has several only where those are not short: of 2 MiB, or three quarters of what was asked for.
                let several = (SHORT_PIECE.min(bytes * 3 / 4) / row).saturating_sub(1 + even);
                assert!(rounds == 1 || longest >= several, "{text}");
            }
        }
    }
}
