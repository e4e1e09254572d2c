//! `T(n) = a + n * b`: what one loop costs on one device, by rates, links and latencies.

use super::contention::{Draw, Draws, During};
use super::device::{DeviceModel, LinkModel, Share, Way};
use super::machine::MemoryKind;
use super::split::LinearCost;
use crate::element::Precision;
use crate::units::{Bytes, BytesPerSecond, Flops, Seconds};
use smallvec::SmallVec;

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
    /// Of [`LoopProfile::memory_bytes`], what is written.
    pub written: f64,
    /// Of [`LoopProfile::written`], what is in arrays that are not read.
    pub only_written: f64,
    /// Bytes per iteration of aligned arrays copied in.
    pub aligned_in: f64,
    /// Bytes per iteration of aligned arrays copied out.
    pub aligned_out: f64,
    /// Bytes of replicated arrays copied in, once per device.
    pub replicated_in: Bytes,
    /// Of [`LoopProfile::aligned_in`], what lies in arrays that are not page-locked.
    pub plain_in: f64,
    /// Of [`LoopProfile::aligned_out`], the same.
    pub plain_out: f64,
    /// Of [`LoopProfile::replicated_in`], the same.
    pub plain_replicated: Bytes,
    /// By how many times longer than at a link's rate for plain arrays these take: 0, unless there are so few that one thread copies
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
    /// Iterations differ much in cost, so that no model of equal ones holds.
    pub irregular: bool,
    /// Its arrays lie on the devices already, each with a range of its own: chunks cannot go anywhere.
    pub fixed_ranges: bool,
}

impl LoopProfile {
    /// Whether anything is known of what an iteration does.
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

/// The cost of one loop on one device, each stage of a chunk apart.
///
/// One chunk of n iterations takes `to_chunk + n * to` to copy in, `kernel_chunk + n * kernel` to run and
/// `from_chunk + n * from` to copy out; the device's first chunk waits for `once` besides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceCost {
    /// Seconds per iteration by operations alone: F / P (MODEL_1).
    pub flop_time: Seconds,
    /// Once per device and offload: waking, allocation, replicated arrays and synchronisation.
    pub once: Seconds,
    /// Once per chunk, copying in: latencies and halo rows.
    pub to_chunk: Seconds,
    /// Once per chunk, running: the launch.
    pub kernel_chunk: Seconds,
    /// Once per chunk, copying out: latencies.
    pub from_chunk: Seconds,
    /// From the beginning of a chunk, or of a piece of one, to that of the next at least: the host enqueues them one by one.
    pub issue: Seconds,
    /// From the end of a chunk until the host knows of it: where devices wait for one another, all of them wait for that too.
    pub known_after: Seconds,
    /// Copy in per iteration.
    pub to: Seconds,
    /// Run per iteration: max(F/P, Q/B).
    pub kernel: Seconds,
    /// Copy out per iteration.
    pub from: Seconds,
    /// Time of the host's memory per iteration: what the device's cores or its link read and write there, at the rate that
    /// all devices share. Zero where that is not known.
    pub host_memory: Seconds,
    /// The same, once for a device that takes part: replicated arrays.
    pub host_memory_once: Seconds,
    /// What it takes of other capacities that it shares: links behind one switch.
    pub draws: Draws,
    /// By how much less than in proportion it is slowed where devices ask for more of something than there is: 0 as all are, 1
    /// not at all, below 0 more than the others.
    pub steady: f64,
    /// By how much its times scatter from loop to loop: their standard deviation by their mean.
    pub scatter: f64,
    /// Whether the three overlap.
    pub overlap: Overlap,
    /// Works in host memory: nothing is copied, and a chunk is never cut for the sake of overlap.
    pub shared: bool,
}

impl DeviceCost {
    /// Paid by every chunk: launch, latencies, halo rows.
    pub fn per_chunk(&self) -> Seconds {
        self.to_chunk + self.kernel_chunk + self.from_chunk
    }

    /// Paid by a device that gets one chunk (`a`): once, and that chunk's own.
    pub fn fixed(&self) -> Seconds {
        self.once + self.per_chunk()
    }

    /// Whether its stages overlap: it has its own memory, and runs them so.
    pub fn overlaps(&self) -> bool {
        self.overlap == Overlap::Full && !self.shared
    }

    /// Whether it copies, and does nothing else meanwhile.
    pub fn goes_by_stages(&self) -> bool {
        !self.overlaps() && !self.shared
    }

    /// Seconds per iteration in the long run (`b`): the slowest stage where they overlap, else their sum.
    pub fn effective(&self) -> Seconds {
        self.pace([self.to, self.kernel, self.from])
    }

    /// The same for other times of the three stages, as they were measured.
    pub fn pace(&self, [to, kernel, from]: [Seconds; 3]) -> Seconds {
        if self.overlaps() { to.max(kernel).max(from) } else { to + kernel + from }
    }

    /// `a + n * b` of one chunk (MODEL_2).
    pub fn linear(&self) -> LinearCost {
        LinearCost { fixed: self.fixed(), per_iteration: self.effective() }
    }

    /// The same, counting `granule` iterations as one.
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

    /// The same of a device whose pieces have at most so many iterations, whatever its chunks: what a piece takes besides, each of
    /// them does. What was learned of such pieces alone does not tell that from what their iterations take.
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
        cost
    }

    /// Other times of copy in (0), run (1) or copy out (2): of a chunk, and of each iteration.
    pub(super) fn set_stage(&mut self, stage: usize, chunk: Seconds, each: Seconds) {
        match stage {
            0 => (self.to_chunk, self.to) = (chunk, each),
            1 => (self.kernel_chunk, self.kernel) = (chunk, each),
            _ => (self.from_chunk, self.from) = (chunk, each),
        }
    }

    /// The three stages of one chunk or piece of `n` iterations: in, run, out.
    pub fn stages(&self, n: u64) -> [Seconds; 3] {
        let n = n as f64;
        [self.to_chunk + self.to * n, self.kernel_chunk + self.kernel * n, self.from_chunk + self.from * n]
    }
}

/// `b = in/W_in + max(F/P, Q/B) + out/W_out` per iteration, and per device and chunk
/// `a = launch + ramp + wake + allocations + synchronisation + latencies + replicated/W_in + halo/W_in` (Hockney's alpha-beta
/// model of links, the roofline model of kernels; HOMP paper section IV-B.2, with its eq. 4 turned the right way up). Where
/// the three stages overlap, b is the slowest of them instead of their sum.
///
/// The ramp is Hockney's half-performance length as a time: a kernel with so much work runs at half of the full rate, since
/// until the device is full, and from when it no longer is, most of it has nothing to do. A link has one rate while the other
/// direction is busy too, and another alone; arrays that are not page-locked go at a rate of their own.
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
        kernel_chunk: device.launch + device.ramp,
        kernel: if stated { roofline } else { one_flop },
        known_after: device.sync,
        overlap,
        shared,
        ..DeviceCost::default()
    };
    cost.once = device.wake + device.sync;
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
        // An aligned array is allocated as long as the device's part of it, so this grows with the iterations.
        cost.once += device.alloc_per_byte * profile.replicated_in.0 as f64;
        cost.to += device.alloc_per_byte * profile.aligned_in.max(profile.aligned_out);
    }
    cost.to_chunk =
        link.to_latency * f64::from(profile.transfers_in) + at_rate(profile.halo_in.0 as f64, link.to_rate.0);
    cost.from_chunk = link.from_latency * f64::from(profile.transfers_out);
    cost.to += times.to;
    cost.from = times.from;
    cost
}

/// Bytes that an iteration moves between a device and the memory that it works in. Caches of a CPU fetch most of what it
/// writes and did not read.
fn traffic(device: &DeviceModel, profile: &LoopProfile) -> f64 {
    profile.memory_bytes + device.fetched_to_write() * profile.only_written
}

/// Q/B, and what is read at the rate of reading alone, whichever is longer: cores wait for what they read, and caches write
/// back meanwhile.
fn memory_time(device: &DeviceModel, profile: &LoopProfile) -> Seconds {
    let moved = traffic(device, profile);
    let all = at_rate(moved, device.memory_rate.0);
    device.read_rate.map_or(all, |rate| all.max(at_rate(moved - profile.written, rate.0)))
}

/// What an iteration takes of the host's memory, in bytes at the rate of loops that read and write: it gives less, all cores
/// together, where it is only read, as it gives less to each.
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

/// Copy in and out of an iteration, and of the replicated arrays.
fn link_times(link: &LinkModel, profile: &LoopProfile) -> LinkTimes {
    // Of one direction: (page-locked, plain) bytes. A link without a plain rate does not tell them apart.
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
    // While one direction copies as much as the other, both are busy; what is more goes alone.
    let both = locked_in.min(locked_out);
    LinkTimes {
        to: at_rate(both, link.to_rate.0)
            + at_rate(locked_in - both, link.to_alone.0)
            + plain_time(plain_in, link.to_plain),
        from: at_rate(both, link.from_rate.0)
            + at_rate(locked_out - both, link.from_alone.0)
            + plain_time(plain_out, link.from_plain),
        // Before the first chunk is copied back.
        replicated: at_rate(locked_once, link.to_alone.0) + plain_time(plain_once, link.to_plain),
    }
}

/// The same on a machine that has a device share capacities with others: the host's memory, on which cores and links draw,
/// and links behind one switch. A loop takes at least as long as each of them needs for what all devices take of it
/// ([`wall`](super::contention::wall)).
pub fn device_cost_at(device: &DeviceModel, profile: &LoopProfile, overlap: Overlap, share: &Share) -> DeviceCost {
    let mut cost = device_cost(device, profile, overlap);
    let replicated = if cost.shared { 0.0 } else { profile.replicated_in.0 as f64 };
    // What comes from other devices does not come from the host.
    let fetched = replicated / (1 + share.sources) as f64;
    if let Some(rate) = share.host_rate {
        let bytes = if cost.shared { taken(device, profile) } else { profile.aligned_in + profile.aligned_out };
        cost.host_memory = at_rate(bytes, rate.0);
        cost.host_memory_once = at_rate(fetched, rate.0);
        cost.steady = share.steady;
    }
    if !cost.shared {
        for capacity in &share.capacities {
            let (once, each, during) = match capacity.way {
                Way::To => (fetched, profile.aligned_in, During::CopyIn),
                Way::From => (0.0, profile.aligned_out, During::CopyOut),
                Way::Both => (fetched, profile.aligned_in + profile.aligned_out, During::Copies),
            };
            cost.draws.push(Draw {
                capacity: capacity.number,
                once: at_rate(once, capacity.rate.0),
                per_iteration: at_rate(each, capacity.rate.0),
                during,
            });
        }
    }
    cost
}

/// Nothing takes no time; something takes forever at a rate that is missing, negative or not a number, which the
/// policies refuse by name. Comparing such a time with a right one would hide it.
fn at_rate(amount: f64, rate: f64) -> Seconds {
    match (amount > 0.0, rate > 0.0) {
        (false, _) => Seconds::ZERO,
        (true, true) => Seconds(amount / rate),
        (true, false) => Seconds(f64::INFINITY),
    }
}

/// Into how many pieces one chunk of `n` iterations is best cut, so that copy in, run and copy out overlap.
///
/// With k pieces a chunk takes `slowest + (others)/k + k * per_chunk`, least at `k = sqrt(others / per_chunk)`: the
/// pieces fill the pipeline sooner, and each pays its latencies and its launch. At most 64 and at most `n`; 1 where
/// nothing overlaps.
pub fn subchunks(cost: &DeviceCost, n: u64) -> u64 {
    if n <= 1 || !cost.overlaps() {
        return 1;
    }
    let others = (cost.to + cost.kernel + cost.from - cost.effective()) * n as f64;
    let best = (others / cost.per_chunk()).sqrt();
    // 0/0 where there is neither a second stage nor a cost of cutting: then there is no gain either.
    let best = if best.is_nan() { 1 } else { best.round().clamp(1.0, 64.0) as u64 };
    best.min(n)
}

/// How long the pieces of a chunk of `n` iterations are best.
///
/// A device's pace is that of its slowest stage. Before that one is busy the first piece goes through the stages before it,
/// and after it is done the last piece goes through those behind it: short pieces at both ends save that time. In between
/// long pieces pay latencies and launches less often, and a kernel with more work in it runs better. From piece to piece
/// they may grow by the quotient of the slowest stage and the slowest before it, without that one waiting, and shrink at the
/// end by the quotient for those behind it. Where a quotient is near 1 (both links equally busy) only pieces of one length
/// keep both busy: as many as [`subchunks`] says.
///
/// `whole`: the chunk is most of what the device gets. Others follow one another through the stages, and are cut evenly.
pub fn piece_lengths(cost: &DeviceCost, n: u64, whole: bool) -> Vec<u64> {
    let mut lengths = Vec::new();
    Cut::of(cost, n, whole).visit(cost, n, |length, count| lengths.extend((0..count).map(|_| length)));
    lengths
}

/// How a chunk is cut into pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    /// Into so many of one length.
    Even(u64),
    /// From short ones to ones of this length and back to short ones.
    Growing(u64),
}

impl Cut {
    /// As [`piece_lengths`] says, and when the last piece is done on idle engines if the host enqueues them in no time.
    pub fn best(cost: &DeviceCost, n: u64, whole: bool) -> (Self, f64) {
        let equal = subchunks(cost, n);
        let end = |cut: Self| {
            let mut row = Row::IDLE;
            cut.visit(cost, n, |length, count| row = row.and(cost.stages(length), count, 0.0));
            row.free[2]
        };
        let mut best = (Self::Even(equal), end(Self::Even(equal)));
        if !whole || equal < 4 || ratios(cost).into_iter().fold(f64::INFINITY, f64::min) < BALANCED {
            return best;
        }
        let stages = [cost.to, cost.kernel, cost.from].map(|stage| stage.0);
        let chunks = [cost.to_chunk, cost.kernel_chunk, cost.from_chunk].map(|chunk| chunk.0);
        let slowest = slowest(cost);
        // In a long loop the other stages are to begin early; in a short one each piece counts.
        let (fine, coarser): (u64, &[u64]) = if slowest == 1 { (3, &[]) } else { (8, &[5, 3]) };
        for parts in [fine].iter().chain(coarser) {
            // Nor so short that the host, which starts them one by one, is hardly ahead of the device.
            let most = n.div_ceil(*parts).max((5.0 * cost.per_chunk().0 / stages[slowest]) as u64).min(n);
            let gain = if *parts == fine { 0.0 } else { WORTH_COARSER };
            // The slowest stage goes through all pieces, of which there are so many at least; the others through one.
            let again = n.div_ceil(most) - 1;
            let least = stages[slowest] * n as f64 + chunks[slowest] * again as f64 + cost.per_chunk().0;
            if least >= best.1 * (1.0 - gain) {
                continue;
            }
            let growing_end = end(Self::Growing(most));
            if growing_end < best.1 * (1.0 - gain) {
                best = (Self::Growing(most), growing_end);
            }
        }
        best
    }

    /// As [`piece_lengths`] says.
    pub fn of(cost: &DeviceCost, n: u64, whole: bool) -> Self {
        if whole { Self::best(cost, n, whole).0 } else { Self::Even(subchunks(cost, n)) }
    }

    /// Tells the lengths of the pieces of a chunk of `n` iterations in their order, and how many of one length follow one
    /// another.
    pub fn visit(self, cost: &DeviceCost, n: u64, mut tell: impl FnMut(u64, u64)) {
        let most = match self {
            Self::Even(parts) => return even(n, parts, &mut tell),
            Self::Growing(most) => most,
        };
        // The shortest goes through the other stages in about the time that a piece costs anyway.
        let [before, behind] = others(cost);
        let shortest = |[other, _]: [f64; 2]| {
            if other > 0.0 { ((cost.per_chunk().0 / other) as u64).clamp(1, most) } else { most }
        };
        let grown = |length: u64, by: f64| ((length as f64 * by) as u64).clamp(length + 1, most.max(length + 1));
        let by = ratios(cost).map(|ratio| ratio.min(4.0));
        let (mut first, mut last) = (shortest(before), shortest(behind));
        let (mut back, mut rest) = (SmallVec::<[u64; 24]>::new(), n);
        while first.min(last) < most && rest > 2 * first.min(last) {
            if first <= last {
                tell(first, 1);
                rest -= first;
                first = grown(first, by[0]);
            } else {
                back.push(last);
                rest -= last;
                last = grown(last, by[1]);
            }
        }
        even(rest, rest.div_ceil(most.max(1)), &mut tell);
        back.into_iter().rev().for_each(|length| tell(length, 1));
    }
}

/// Which stage takes longest for an iteration; of equals the later one.
fn slowest(cost: &DeviceCost) -> usize {
    let stages = [cost.to, cost.kernel, cost.from].map(|stage| stage.0);
    (0..3).max_by(|&a, &b| stages[a].total_cmp(&stages[b])).unwrap_or(0)
}

/// What of an iteration goes before the slowest stage, and what behind it, each beside what that overlaps with.
///
/// A piece goes through the other stages one after the other, so both count where there are two of them; the kernel's part then
/// counts on either side of the quotient.
fn others(cost: &DeviceCost) -> [[f64; 2]; 2] {
    let [to, kernel, from] = [cost.to, cost.kernel, cost.from].map(|stage| stage.0);
    match slowest(cost) {
        0 => [[0.0, 1.0], [kernel + from, to + kernel]],
        1 => [[to, kernel], [from, kernel]],
        _ => [[to + kernel, kernel + from], [0.0, 1.0]],
    }
}

/// By how much pieces may grow from one to the next, at the front and at the back: the time of the stage that is to stay busy
/// by that of the other.
fn ratios(cost: &DeviceCost) -> [f64; 2] {
    others(cost).map(|[other, own]| if other > 0.0 { own / other } else { f64::INFINITY })
}

/// `n` in so many parts of one length, about: the first few are longer by one.
fn even(n: u64, parts: u64, tell: &mut impl FnMut(u64, u64)) {
    let Some(length) = n.checked_div(parts) else { return };
    let longer = n - length * parts;
    if longer > 0 {
        tell(length + 1, longer);
    }
    tell(length, parts - longer);
}

/// From one moment to when each of a device's engines is free, over pieces: the longest way through them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// When each engine is free.
    pub free: [f64; 3],
}

impl Row {
    /// All engines idle, nothing sent.
    pub const IDLE: Self = Self { free: [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY] };

    /// With `count` further pieces, each of which takes so long in each stage, and the host `issue` to enqueue.
    pub fn and(self, stages: [Seconds; 3], count: u64, issue: f64) -> Self {
        let [to, kernel, from] = stages.map(|stage| stage.0);
        let more = (count - 1) as f64;
        // The next one waits for the host too, but what is enqueued goes on.
        let issued = to.max(issue);
        let kernel_from = kernel.max(from);
        let [first, second, third] = self.free;
        let far = first + to + kernel + more * issued.max(kernel);
        let farthest = first + to + kernel + from + more * issued.max(kernel_from);
        Self {
            free: [
                first + issued + more * issued,
                far.max(second + kernel + more * kernel),
                farthest.max(second + kernel + from + more * kernel_from).max(third + from + more * from),
            ],
        }
    }
}

/// Longer pieces are taken where they save this part of the time.
const WORTH_COARSER: f64 = 0.01;

/// From how many iterations on a chunk is most of what one of `devices` gets of a loop: a quarter of an even share.
pub fn most_of_a_share(iterations: u64, devices: usize) -> u64 {
    iterations.div_ceil(4 * devices.max(1) as u64)
}

/// Below this quotient of two stages pieces of different lengths would leave one of them waiting.
const BALANCED: f64 = 1.25;

/// The three engines of a device (copy in, run, copy out), each doing one piece at a time, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pipeline {
    /// When each engine is free.
    pub free: [Seconds; 3],
}

impl Pipeline {
    /// Sends a piece through at `ready` or when the engines are free. Returns when it begins and when it has left.
    ///
    /// `end[s] = max(end[s-1], free[s]) + stage[s]`.
    pub fn push(&mut self, ready: Seconds, stages: [Seconds; 3]) -> (Seconds, Seconds) {
        let begin = ready.max(self.free[0]);
        let mut end = begin;
        for (free, stage) in self.free.iter_mut().zip(stages) {
            end = end.max(*free) + stage;
            *free = end;
        }
        (begin, end)
    }

    /// Keeps every engine busy until `time`.
    pub fn hold_until(&mut self, time: Seconds) {
        for free in &mut self.free {
            *free = free.max(time);
        }
    }
}

/// The time of one chunk of `n` iterations cut into `pieces`, without what the device pays once.
pub fn pipeline_time(cost: &DeviceCost, n: u64, pieces: u64) -> Seconds {
    if n == 0 {
        return Seconds::ZERO;
    }
    let pieces = pieces.clamp(1, n);
    let mut pipeline = Pipeline::default();
    let mut end = Seconds::ZERO;
    for i in 0..pieces {
        let length = n / pieces + u64::from(i < n % pieces);
        if !cost.overlaps() {
            pipeline.hold_until(end);
        }
        end = pipeline.push(Seconds::ZERO, cost.stages(length)).1;
    }
    end
}
