//! `T(n) = a + n * b`: what one loop costs on one device, by rates, links and latencies.

use super::contention::{Draw, Draws, During};
use super::device::{Capacity, DeviceModel, LinkModel, Share, Way};
use super::machine::MemoryKind;
use super::split::LinearCost;
use crate::element::Precision;
use crate::units::{Bytes, BytesPerSecond, Flops, Seconds};

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
    /// Part of [`LoopProfile::memory_bytes`] that is written.
    pub written: f64,
    /// Part of [`LoopProfile::written`] in arrays that are not read.
    pub only_written: f64,
    /// Bytes per iteration of aligned arrays copied in.
    pub aligned_in: f64,
    /// Bytes per iteration of aligned arrays copied out.
    pub aligned_out: f64,
    /// Bytes per iteration of aligned arrays that a device with its own memory allocates: each array once, whichever way it is
    /// copied.
    pub aligned_allocated: f64,
    /// Bytes of replicated arrays copied in, once per device.
    pub replicated_in: Bytes,
    /// Part of [`LoopProfile::aligned_in`] in arrays that are not page-locked.
    pub plain_in: f64,
    /// Part of [`LoopProfile::aligned_out`] in arrays that are not page-locked.
    pub plain_out: f64,
    /// Part of [`LoopProfile::replicated_in`] in arrays that are not page-locked.
    pub plain_replicated: Bytes,
    /// Extra time of these plain bytes, relative to the link's rate for plain arrays; 0 unless so few that one thread copies
    /// them.
    pub plain_longer: f64,
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
    /// Iterations differ much in cost, so a model of equal iterations does not hold.
    pub irregular: bool,
    /// The arrays already lie on the devices, one range each, so an iteration can run on one device only.
    pub fixed_ranges: bool,
    /// The kernel is a call of a library on devices that have one.
    pub library: bool,
}

impl LoopProfile {
    /// Whether operations or bytes per iteration are stated.
    pub fn states_work(&self) -> bool {
        self.flops.0 > 0.0 || self.memory_bytes > 0.0
    }
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

/// The cost of one loop on one device, for each stage of a chunk separately.
///
/// One chunk of n iterations takes `to_chunk + n * to` to copy in, `kernel_chunk + n * kernel` to run (and a part of that until all
/// threads are done, see [`SharedOut`]) and `from_chunk + n * from` to copy out; the device's first chunk waits for `once` besides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceCost {
    /// Seconds per iteration by operations alone: F / P (MODEL_1).
    pub flop_time: Seconds,
    /// Whether the stated bytes take longer than the stated operations, by the description.
    pub memory_bound: bool,
    /// Once per device and offload: waking, allocation, replicated arrays and synchronisation.
    pub once: Seconds,
    /// Once per chunk, copying in: latencies and halo rows.
    pub to_chunk: Seconds,
    /// Once per chunk, running: the launch.
    pub kernel_chunk: Seconds,
    /// Once per chunk, copying out: latencies.
    pub from_chunk: Seconds,
    /// Least time between the starts of two chunks, or of two pieces: the host enqueues them one by one.
    pub issue: Seconds,
    /// Time from the end of a chunk until the host knows of it. Devices that wait for one another wait for this too.
    pub known_after: Seconds,
    /// Copy in per iteration.
    pub to: Seconds,
    /// Run per iteration: max(F/P, Q/B).
    pub kernel: Seconds,
    /// Copy out per iteration.
    pub from: Seconds,
    /// Time of the host's memory per iteration: the bytes that the device's cores or its link move there, by the rate that all
    /// devices share. Zero if the rate is unknown.
    pub host_memory: Seconds,
    /// Time of the host's memory once per device that takes part: replicated arrays.
    pub host_memory_once: Seconds,
    /// What the device draws on other shared capacities, such as links behind one switch.
    pub draws: Draws,
    /// How far the device resists contention for the host's memory: 0 is a slowdown in proportion to the demand, 1 is no
    /// slowdown, below 0 is more than in proportion.
    pub steady: f64,
    /// Scatter of its times from loop to loop: standard deviation divided by mean.
    pub scatter: f64,
    /// Whether the three stages overlap.
    pub overlap: Overlap,
    /// Works in host memory: nothing is copied, and a chunk is never cut for the sake of overlap.
    pub shared: bool,
    /// How its threads share out a chunk, where that is known. [`DeviceCost::stages`] includes it, the long run does not.
    pub threads: SharedOut,
}

/// How the threads of a device in host memory share out a chunk: in pieces, of which each thread takes the next when it has done
/// one. The last pieces end at different times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SharedOut {
    /// Pieces per thread of a short chunk; 0 if nothing is known.
    pub pieces: f64,
    /// Pieces per thread of a long chunk, as of those by which the device's rates were measured.
    pub pieces_of_long: f64,
    /// Time of a piece of a chunk in between.
    pub piece: Seconds,
}

impl SharedOut {
    /// What a chunk of so much work takes beyond the device's rates: one piece, until the last thread has done its last one, less
    /// what of that is in the rates.
    pub fn last_piece(self, work: Seconds) -> Seconds {
        if self.pieces <= 0.0 {
            return Seconds::ZERO;
        }
        let piece = Seconds(work.0 / self.pieces).min(self.piece);
        (piece - work * self.pieces_of_long.recip()).max(Seconds::ZERO)
    }
}

impl DeviceCost {
    /// Paid by every chunk: launch, latencies, halo rows.
    pub fn per_chunk(&self) -> Seconds {
        self.to_chunk + self.kernel_chunk + self.from_chunk
    }

    /// Fixed cost of a device that gets one chunk (`a`): `once` and the cost per chunk.
    pub fn fixed(&self) -> Seconds {
        self.once + self.per_chunk()
    }

    /// Whether its stages overlap: it has its own memory and [`Overlap::Full`].
    pub fn overlaps(&self) -> bool {
        self.overlap == Overlap::Full && !self.shared
    }

    /// Whether it copies and runs one after the other, without overlap.
    pub fn goes_by_stages(&self) -> bool {
        !self.overlaps() && !self.shared
    }

    /// Seconds per iteration in the long run (`b`): the slowest stage where they overlap, else their sum.
    pub fn effective(&self) -> Seconds {
        self.pace([self.to, self.kernel, self.from])
    }

    /// As [`DeviceCost::effective`], for other times of the three stages, such as measured ones.
    pub fn pace(&self, [to, kernel, from]: [Seconds; 3]) -> Seconds {
        if self.overlaps() { to.max(kernel).max(from) } else { to + kernel + from }
    }

    /// `a + n * b` of one chunk (MODEL_2).
    pub fn linear(&self) -> LinearCost {
        LinearCost { fixed: self.fixed(), per_iteration: self.effective() }
    }

    /// This cost with `granule` iterations counted as one.
    pub fn in_granules(&self, granule: u64) -> Self {
        let size = granule as f64;
        Self {
            flop_time: self.flop_time * size,
            to: self.to * size,
            kernel: self.kernel * size,
            from: self.from * size,
            host_memory: self.host_memory * size,
            draws: self.draws.in_granules(granule),
            ..*self
        }
    }

    /// This cost for pieces of at most `longest` iterations, whatever the chunk's length: each iteration bears its part of the
    /// cost per piece. Times learned from such pieces alone do not tell the two apart.
    pub fn in_pieces_of(&self, longest: u64) -> Self {
        let mut cost = *self;
        let longest = longest.max(1) as f64;
        for (stage, [chunk, each]) in
            [[self.to_chunk, self.to], [self.kernel_chunk, self.kernel], [self.from_chunk, self.from]]
                .into_iter()
                .enumerate()
        {
            cost.set_stage(stage, Seconds::ZERO, each + chunk / longest);
        }
        cost.threads = self.threads;
        cost
    }

    /// Sets copy in (0), run (1) or copy out (2): the time per chunk and per iteration, as measured.
    pub(super) fn set_stage(&mut self, stage: usize, chunk: Seconds, each: Seconds) {
        match stage {
            0 => (self.to_chunk, self.to) = (chunk, each),
            // Measured times have the wait for the last thread in them.
            1 => (self.kernel_chunk, self.kernel, self.threads) = (chunk, each, SharedOut::default()),
            _ => (self.from_chunk, self.from) = (chunk, each),
        }
    }

    /// The three stages of one chunk or piece of `n` iterations: in, run, out.
    pub fn stages(&self, n: u64) -> [Seconds; 3] {
        let n = n as f64;
        let work = self.kernel * n;
        let kernel = self.kernel_chunk + work + self.threads.last_piece(work);
        [self.to_chunk + self.to * n, kernel, self.from_chunk + self.from * n]
    }
}

/// `b = in/W_in + max(F/P, Q/B) + out/W_out` per iteration, and per device and chunk
/// `a = launch + ramp + wake + allocations + synchronisation + latencies + replicated/W_in + halo/W_in` (Hockney's alpha-beta
/// model of links, the roofline model of kernels; HOMP paper section IV-B.2, with its eq. 4 turned the right way up). Where
/// the three stages overlap, b is the slowest of them instead of their sum.
///
/// The ramp is Hockney's half-performance length as a time: a kernel with this much work runs at half of the full rate, because
/// the device is partly idle while it fills and drains. A library's kernels have a ramp of their own. A link has one rate while the other direction is busy and another while
/// it is idle; arrays that are not page-locked have a rate of their own.
///
/// A shared-memory device pays nothing for links or allocations. A loop that states neither operations nor bytes is
/// taken to do one operation per iteration, so that devices still compare by their rates. A discrete device without a
/// link has an infinite cost, which every policy that uses costs refuses by name.
pub fn device_cost(device: &DeviceModel, profile: &LoopProfile, overlap: Overlap) -> DeviceCost {
    let rate = device.rate(profile.precision).0;
    let one_flop = at_rate(1.0, rate);
    let flop_time = if profile.flops.0 > 0.0 { at_rate(profile.flops.0, rate) } else { one_flop };
    let memory_time = memory_time(device, profile);
    let shared = device.memory == MemoryKind::Shared;
    let stated = profile.states_work();
    let roofline = if profile.flops.0 > 0.0 { flop_time.max(memory_time) } else { memory_time };
    let mut cost = DeviceCost {
        flop_time,
        kernel_chunk: device.launch + if profile.library { device.library_ramp } else { device.ramp },
        kernel: if stated { roofline } else { one_flop },
        memory_bound: stated && (profile.flops.0 <= 0.0 || memory_time > flop_time),
        known_after: device.sync,
        overlap,
        shared,
        ..DeviceCost::default()
    };
    cost.once = device.wake + device.wake_of_library(profile) + device.sync;
    if shared {
        return cost;
    }
    cost.issue = device.issue;
    let Some(link) = &device.link else {
        cost.once = Seconds(f64::INFINITY);
        return cost;
    };
    let times = link_times(link, profile);
    cost.once += device.alloc * f64::from(profile.allocations)
        + link.to_latency * f64::from(profile.replicated_transfers)
        + times.replicated;
    if profile.allocations > 0 {
        // An aligned array is allocated at the size of the device's part, so this cost grows with the iterations.
        cost.once += device.alloc_per_byte * profile.replicated_in.0 as f64;
        cost.to += device.alloc_per_byte * profile.aligned_allocated;
    }
    cost.to_chunk =
        link.to_latency * f64::from(profile.transfers_in) + at_rate(profile.halo_in.0 as f64, link.to_rate.0);
    cost.from_chunk = link.from_latency * f64::from(profile.transfers_out);
    cost.to += times.to;
    cost.from = times.from;
    cost
}

/// Bytes that an iteration moves between a device and the memory that it works in. A CPU's caches fetch most of the lines that it
/// writes without reading.
fn traffic(device: &DeviceModel, profile: &LoopProfile) -> f64 {
    profile.memory_bytes + device.fetched_to_write() * profile.only_written
}

/// The longer of Q/B and the time of the reads at the read-only rate: cores wait for reads, caches write back meanwhile.
fn memory_time(device: &DeviceModel, profile: &LoopProfile) -> Seconds {
    let moved = traffic(device, profile);
    let all = at_rate(moved, device.memory_rate.0);
    device.read_rate.map_or(all, |rate| all.max(at_rate(moved - profile.written, rate.0)))
}

/// What an iteration draws on the host's memory, in bytes at the rate of loops that read and write. Loops that only read get less
/// bandwidth, all cores together as well as each core.
fn taken(device: &DeviceModel, profile: &LoopProfile) -> f64 {
    let rate = device.memory_rate.0;
    // A rate that is missing is refused elsewhere, by name.
    if rate.is_finite() { memory_time(device, profile).0 * rate } else { traffic(device, profile) }
}

struct LinkTimes {
    to: Seconds,
    from: Seconds,
    replicated: Seconds,
}

/// Times to copy an iteration's data in and out, and to copy the replicated arrays in.
fn link_times(link: &LinkModel, profile: &LoopProfile) -> LinkTimes {
    // (page-locked, plain) bytes of one direction. A link without a plain rate does not tell them apart.
    let parts = |bytes: f64, plain: f64, rate: Option<_>| {
        let plain = if rate.is_some() { plain.clamp(0.0, bytes.max(0.0)) } else { 0.0 };
        (bytes - plain, plain)
    };
    let plain_time = |bytes: f64, rate: Option<BytesPerSecond>| {
        rate.map_or(Seconds::ZERO, |rate| at_rate(bytes, rate.0) * (1.0 + profile.plain_longer))
    };
    let (locked_in, plain_in) = parts(profile.aligned_in, profile.plain_in, link.to_plain);
    let (locked_out, plain_out) = parts(profile.aligned_out, profile.plain_out, link.from_plain);
    let replicated = profile.replicated_in.0 as f64;
    let (locked_once, plain_once) = parts(replicated, profile.plain_replicated.0 as f64, link.to_plain);
    // Both directions are busy for the smaller amount; the rest is copied while the other direction is idle.
    let both = locked_in.min(locked_out);
    LinkTimes {
        to: at_rate(both, link.to_rate.0)
            + at_rate(locked_in - both, link.to_alone.0)
            + plain_time(plain_in, link.to_plain),
        from: at_rate(both, link.from_rate.0)
            + at_rate(locked_out - both, link.from_alone.0)
            + plain_time(plain_out, link.from_plain),
        // Copied before any chunk comes back, so the other direction is idle.
        replicated: at_rate(locked_once, link.to_alone.0) + plain_time(plain_once, link.to_plain),
    }
}

/// As [`device_cost`], for a device that shares capacities with others: the host's memory, on which cores and links draw, and
/// links behind one switch. A loop takes at least as long as each capacity needs for all devices
/// ([`wall`](super::contention::wall)).
pub fn device_cost_at(device: &DeviceModel, profile: &LoopProfile, overlap: Overlap, share: &Share) -> DeviceCost {
    let mut cost = device_cost(device, profile, overlap);
    let replicated = if cost.shared { 0.0 } else { profile.replicated_in.0 as f64 };
    // Parts that other devices pass on do not come from the host.
    let fetched = replicated / (1 + share.sources) as f64;
    if let Some(rate) = share.host_rate {
        let bytes = if cost.shared { taken(device, profile) } else { profile.aligned_in + profile.aligned_out };
        cost.host_memory = at_rate(bytes, rate.0);
        cost.host_memory_once = at_rate(fetched, rate.0);
        cost.steady = share.steady;
    }
    if !cost.shared {
        for capacity in &share.capacities {
            let Capacity { number, way, rate, one_way } = *capacity;
            let (bytes_in, bytes_out) = (profile.aligned_in, profile.aligned_out);
            // Without overlap a device copies one way at a time, and others may copy the other way meanwhile.
            let both = if overlap == Overlap::Full { bytes_in.min(bytes_out) } else { 0.0 };
            let [to, from] = if overlap == Overlap::Full { one_way } else { [rate; 2] };
            let (once, per_iteration, during) = match way {
                Way::To => (at_rate(fetched, rate.0), at_rate(bytes_in, rate.0), During::CopyIn),
                Way::From => (Seconds::ZERO, at_rate(bytes_out, rate.0), During::CopyOut),
                Way::Both => {
                    let rest = at_rate(bytes_in - both, to.0) + at_rate(bytes_out - both, from.0);
                    (at_rate(fetched, to.0), at_rate(2.0 * both, rate.0) + rest, During::Copies)
                }
            };
            cost.draws.push(Draw { capacity: number, once, per_iteration, during });
        }
    }
    cost
}

/// A zero amount takes no time. At a missing, negative or NaN rate the time is infinite, which policies refuse by name; NaN would
/// vanish in comparisons.
pub(crate) fn at_rate(amount: f64, rate: f64) -> Seconds {
    match (amount > 0.0, rate > 0.0) {
        (false, _) => Seconds::ZERO,
        (true, true) => Seconds(amount / rate),
        (true, false) => Seconds(f64::INFINITY),
    }
}
