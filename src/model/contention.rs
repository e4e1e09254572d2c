//! SPLIT with contention: `min T` such that `a_i + b_i n_i <= T` for every device with `n_i > 0`, and for every capacity that
//! devices share `sum (once_i + n_i x_i) <= T`, where `once_i` and `x_i` are what the device and one of its iterations take
//! of it: bytes by the capacity's rate, in seconds.
//!
//! The host's memory is one such capacity, on which cores and links draw; links behind one switch share another. If no capacity
//! is short, this is [`split()`](super::split::split). Otherwise it is a linear program in `T` and `n`, solved exactly for
//! divisible loads and then rounded. Among splits with the same `T`, the one is taken whose slowest device would finish first if
//! capacities were not shared, then whose second slowest would, and so on: where the split without contention is as fast, it is
//! that split.

mod flow;
mod lp;
mod splits;

pub(crate) use splits::Splits;

use super::cost::DeviceCost;
use super::split::{LinearCost, Split};
use crate::error::Result;
use crate::units::Seconds;
use smallvec::SmallVec;

/// The stages in which a device draws on a capacity, if its stages do not overlap. If they do, it draws on all capacities as long
/// as it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum During {
    /// In all stages.
    #[default]
    Work,
    /// While it copies in.
    CopyIn,
    /// While it copies out.
    CopyOut,
    /// While it copies in either direction, in proportion to the time.
    Copies,
}

/// What a device's part of a loop draws on a shared capacity, as time of that capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draw {
    /// Number of the capacity; devices with the same number share it.
    pub capacity: u32,
    /// Drawn once by a device that takes part: replicated arrays.
    pub once: Seconds,
    /// Drawn by each iteration.
    pub per_iteration: Seconds,
    /// When it is drawn. The part that is drawn once is drawn while the device begins.
    pub during: During,
}

impl Draw {
    /// Capacity number of the host's cores: threads that copy plain arrays for GPUs share them with the host's own loops.
    pub const CORES: u32 = u32::MAX;
}

/// The draws of one device, on at most [`Draws::MOST`] capacities of the machine description, and on the host's cores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draws {
    draws: [Draw; Self::MOST + 1],
    count: usize,
}

impl Draws {
    /// The most capacities that one device shares, without the host's memory: two nested groups with three capacities each.
    pub const MOST: usize = 6;

    /// Adds a draw. One for which there is no room is dropped; a machine description with that many is refused.
    pub fn push(&mut self, draw: Draw) {
        if let Some(place) = self.draws.get_mut(self.count) {
            *place = draw;
            self.count += 1;
        }
    }

    /// All draws.
    pub fn iter(&self) -> impl Iterator<Item = &Draw> {
        self.draws[..self.count].iter()
    }

    /// These draws for a device that has its replicated arrays already.
    #[must_use]
    pub fn again(mut self) -> Self {
        for draw in &mut self.draws {
            draw.once = Seconds::ZERO;
        }
        self
    }

    /// These draws with `granule` iterations counted as one.
    #[must_use]
    pub fn in_granules(mut self, granule: u64) -> Self {
        for draw in &mut self.draws {
            draw.per_iteration = draw.per_iteration * granule as f64;
        }
        self
    }
}

/// One capacity, and what each device of a list draws on it; zero for a device that does not share it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// Drawn once by a device with iterations.
    pub once: Vec<Seconds>,
    /// Drawn by each iteration.
    pub per_iteration: Vec<Seconds>,
    /// How far each device resists contention for this capacity: see [`DeviceCost::steady`].
    pub steady: Vec<f64>,
    /// When each device draws on it; empty if all of them draw as long as they work.
    pub during: Vec<During>,
    /// How long each device draws on it for an iteration, where it does nothing of that while it waits, wakes or begins a chunk:
    /// the cores of a device in the host's memory. Zero for a device that draws as long as it works; empty if all do.
    pub drawing: Vec<Seconds>,
}

impl Shared {
    /// All capacities on which these devices draw and may have to wait, the host's memory first.
    pub fn of(devices: &[DeviceCost]) -> Vec<Self> {
        let nothing = || Self {
            once: vec![Seconds::ZERO; devices.len()],
            per_iteration: vec![Seconds::ZERO; devices.len()],
            steady: vec![0.0; devices.len()],
            during: Vec::new(),
            drawing: Vec::new(),
        };
        // Only the host's memory slows devices unequally: links behind one switch are equals.
        let drawing = |device: &DeviceCost| if device.shared { device.kernel } else { Seconds::ZERO };
        let mut host = Self {
            steady: devices.iter().map(|device| device.steady).collect(),
            drawing: devices.iter().map(drawing).collect(),
            ..nothing()
        };
        let mut named: Vec<(u32, Self)> = Vec::new();
        for (i, device) in devices.iter().enumerate() {
            host.once[i] = device.host_memory_once;
            host.per_iteration[i] = device.host_memory;
            let stages = device.goes_by_stages();
            let draws_during = |shared: &mut Self, during: During| {
                if stages {
                    shared.during.resize(devices.len(), During::Work);
                    shared.during[i] = during;
                }
            };
            draws_during(&mut host, During::Copies);
            for draw in device.draws.iter() {
                let place = named.iter().position(|(capacity, _)| *capacity == draw.capacity).unwrap_or_else(|| {
                    named.push((draw.capacity, nothing()));
                    named.len() - 1
                });
                named[place].1.once[i] += draw.once;
                named[place].1.per_iteration[i] += draw.per_iteration;
                draws_during(&mut named[place].1, draw.during);
            }
        }
        // Ordered by number, whatever the order of the devices.
        named.sort_by_key(|(capacity, _)| *capacity);
        let all = std::iter::once(host).chain(named.into_iter().map(|(_, shared)| shared));
        let mut short: Vec<Self> = Vec::with_capacity(4);
        for shared in all.filter(|shared| shared.once.iter().chain(&shared.per_iteration).any(|time| time.0 > 0.0)) {
            // Who asks more of another one is slowed by that: of a switch's capacities in, out and both ways one or two matter.
            if !short.iter().any(|other| shared.is_within(other)) {
                short.retain(|other| !other.is_within(&shared));
                short.push(shared);
            }
        }
        short
    }

    /// Whether each device draws at least as much on the other in the same way, so that it never waits for this one.
    fn is_within(&self, other: &Self) -> bool {
        let plain = |one: &Self| {
            one.during.is_empty() && !one.is_steady() && one.drawing.iter().all(|drawing| drawing.0 <= 0.0)
        };
        let no_more = |own: &[Seconds], other: &[Seconds]| own.iter().zip(other).all(|(own, other)| own <= other);
        plain(self)
            && plain(other)
            && no_more(&self.once, &other.once)
            && no_more(&self.per_iteration, &other.per_iteration)
    }

    /// This capacity for some of the devices.
    #[must_use]
    pub fn among(&self, devices: &[usize]) -> Self {
        let of = |times: &[Seconds]| devices.iter().map(|&i| times[i]).collect();
        let steady = devices.iter().map(|&i| self.steady[i]).collect();
        let during = devices.iter().filter_map(|&i| self.during.get(i).copied()).collect();
        let drawing = devices.iter().filter_map(|&i| self.drawing.get(i).copied()).collect();
        Self { once: of(&self.once), per_iteration: of(&self.per_iteration), steady, during, drawing }
    }

    /// This capacity for devices that have their replicated arrays already.
    #[must_use]
    pub fn again(&self) -> Self {
        Self { once: vec![Seconds::ZERO; self.once.len()], ..self.clone() }
    }

    /// Whether a device draws on it.
    pub fn takes_of(&self, device: usize) -> bool {
        self.once[device].0 > 0.0 || self.per_iteration[device].0 > 0.0
    }

    /// What a device with these iterations asks for of this capacity while it draws, if it ends at `end` without contention, and
    /// for what part of that time it draws.
    pub(crate) fn asks(&self, device: usize, iterations: u64, end: f64) -> (f64, f64) {
        if !(end > 0.0 && iterations > 0) {
            return (0.0, 1.0);
        }
        let average = (self.once[device].0 + self.per_iteration[device].0 * iterations as f64) / end;
        let drawing = self.drawing.get(device).map_or(0.0, |each| each.0 * iterations as f64 / end);
        let part = if average > 0.0 && drawing > 0.0 { drawing.min(1.0) } else { 1.0 };
        (average / part, part)
    }

    /// Whether a device is known to be slowed other than in proportion.
    pub fn is_steady(&self) -> bool {
        self.steady.iter().any(|steady| *steady != 0.0)
    }

    /// How devices slow each other that ask for these parts of the capacity at once.
    pub(crate) fn crowd(&self, asks: impl Iterator<Item = (usize, f64)> + Clone) -> Crowd {
        Crowd::of(asks.map(|(device, asks)| (asks, 1.0 - self.steady[device])))
    }

    /// Slowdown of a device in that company.
    pub(crate) fn slowed(&self, device: usize, crowd: Crowd) -> f64 {
        crowd.slows(1.0 - self.steady[device])
    }

    /// Time that this capacity needs for these iterations of each device.
    pub fn time(&self, counts: &[u64]) -> Seconds {
        let of = |((&n, &once), &per): ((&u64, &Seconds), &Seconds)| {
            if n > 0 { once + per * n as f64 } else { Seconds::ZERO }
        };
        counts.iter().zip(&self.once).zip(&self.per_iteration).map(of).fold(Seconds::ZERO, |sum, time| sum + time)
    }
}

/// Devices that ask for more than all of a capacity at once.
///
/// Each is slowed by its part of the excess ([`DeviceCost::steady`]). What they get so may add up to more than there is, as
/// those parts were measured with all devices at work: with few at work, a device that gives way to many others hardly does.
/// Then all are slowed further by one factor, until they get all of the capacity and no more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    excess: f64,
    stretch: f64,
}

impl Crowd {
    /// For devices that ask for these parts of the capacity, each with the part of the excess by which it is slowed.
    pub fn of(asks: impl Iterator<Item = (f64, f64)> + Clone) -> Self {
        let excess = asks.clone().map(|(asks, _)| asks).sum::<f64>() - 1.0;
        if excess <= 0.0 {
            return Self { excess: 0.0, stretch: 1.0 };
        }
        // In proportion they get all of it, whatever rounding says.
        let equal = asks.clone().all(|(asks, part)| part == 1.0 || asks <= 0.0);
        let given = || asks.map(|(asks, part)| asks / (1.0 + excess * part)).sum::<f64>();
        Self { excess, stretch: if equal { 1.0 } else { given().max(1.0) } }
    }

    /// Whether nobody waits for anybody.
    pub fn is_free(self) -> bool {
        self.excess <= 0.0
    }

    /// Slowdown of a device that is slowed by this part of the excess.
    pub fn slows(self, part: f64) -> f64 {
        self.stretch * (1.0 + self.excess * part)
    }
}

/// As [`Shared::time`], for those devices of a list that `members` names; `counts` are theirs.
fn time_among(shared: &Shared, members: &[usize], counts: &[u64]) -> Seconds {
    let of = |(&i, &n): (&usize, &u64)| {
        if n > 0 { shared.once[i] + shared.per_iteration[i] * n as f64 } else { Seconds::ZERO }
    };
    members.iter().zip(counts).map(of).fold(Seconds::ZERO, |sum, time| sum + time)
}

pub(crate) fn wall_among(shared: &[Shared], members: &[usize], counts: &[u64]) -> Seconds {
    shared.iter().map(|shared| time_among(shared, members, counts)).fold(Seconds::ZERO, Seconds::max)
}

/// Time that the slowest capacity needs for these iterations of each device: the loop ends no earlier.
pub fn wall(shared: &[Shared], counts: &[u64]) -> Seconds {
    shared.iter().map(|shared| shared.time(counts)).fold(Seconds::ZERO, Seconds::max)
}

/// The counts that minimise the time of the slowest device and of the slowest capacity.
///
/// # Errors
/// As [`split`](super::split::split).
pub fn split_shared(costs: &[LinearCost], shared: &[Shared], n: u64) -> Result<Split> {
    let members: Members = (0..costs.len()).collect();
    Splits::new(costs, shared, &members, n).split(&members)
}

/// Some devices of a list, by their places.
type Members = SmallVec<[usize; 16]>;

/// Time that the slowest capacity needs if every device works until `level`.
fn fluid_wall(costs: &[LinearCost], shared: &[Shared], members: &[usize], level: Seconds) -> f64 {
    let of = |shared: &Shared| -> f64 {
        let working = members.iter().filter(|&&i| costs[i].fixed < level);
        let takes = |&i: &usize| {
            shared.once[i].0 + shared.per_iteration[i].0 * ((level - costs[i].fixed) / costs[i].per_iteration)
        };
        working.map(takes).sum()
    };
    shared.iter().map(of).fold(0.0, f64::max)
}

/// Relative rounding error of a time.
const ROUNDED: f64 = 1e-9;

/// The most sets of devices that are tried if some pay once for a capacity; beyond it, devices are removed one by one.
const MOST_SETS: usize = 64;

/// The problem scaled so that no coefficient is far above 1: time in `unit`, iterations as parts of the loop. The variables are
/// the times that the devices work beyond their fixed costs.
struct Fluid<'c> {
    shared: &'c [Shared],
    costs: &'c [LinearCost],
    unit: f64,
    /// Iterations of the loop.
    n: f64,
    /// Fixed costs.
    fixed: Vec<f64>,
    /// Part of the loop that a device does in a unit of time.
    pace: Vec<f64>,
}

impl<'c> Fluid<'c> {
    fn new(costs: &'c [LinearCost], shared: &'c [Shared], n: u64, level: Seconds) -> Self {
        let (unit, n) = (level.0, n as f64);
        let fixed = costs.iter().map(|cost| cost.fixed.0 / unit).collect();
        let pace = costs.iter().map(|cost| unit / (cost.per_iteration.0 * n)).collect();
        Self { shared, costs, unit, n, fixed, pace }
    }

    /// The level in seconds and each device's iterations.
    fn solve(&self) -> Option<(f64, Vec<f64>)> {
        let charged = self.shared.iter().any(|shared| shared.once.iter().any(|once| once.0 > 0.0));
        let (mut set, level) = if charged { self.set_of_charged()? } else { self.set_by_fixed_cost()? };
        let mut works = self.earliest(&set, level)?;
        // A device without iterations pays nothing, which leaves more for the others.
        let pays = |i: usize| self.shared.iter().any(|shared| shared.once[i].0 > 0.0);
        loop {
            let idle = |(&i, work): (&usize, &f64)| work * self.pace[i] <= ROUNDED && pays(i);
            let working: Vec<usize> = set.iter().zip(&works).filter(|pair| !idle(*pair)).map(|(&i, _)| i).collect();
            if working.len() == set.len() || working.is_empty() {
                break;
            }
            set = working;
            works = self.earliest(&set, level)?;
        }
        let mut shares = vec![0.0; self.costs.len()];
        for (&i, work) in set.iter().zip(works) {
            shares[i] = work * self.pace[i] * self.n;
        }
        Some((level * self.unit, shares))
    }

    /// The devices that take part if none pays once for a capacity: those with a fixed cost below the level, which falls with
    /// each device added.
    fn set_by_fixed_cost(&self) -> Option<(Vec<usize>, f64)> {
        let mut order: Vec<usize> = (0..self.costs.len()).collect();
        order.sort_by(|&i, &j| self.fixed[i].total_cmp(&self.fixed[j]));
        // Without contention the level is 1; contention cannot lower it.
        let mut count = order.iter().take_while(|&&i| self.fixed[i] < 1.0).count().max(1);
        let mut level = self.level(&order[..count])?;
        while let Some(&next) = order.get(count)
            && self.fixed[next] < level
        {
            count += 1;
            level = self.level(&order[..count])?;
        }
        order.truncate(count);
        Some((order, level))
    }

    /// The devices that take part if some pay once for a capacity: the best of all sets, with equal devices as one kind. With too
    /// many sets, devices are removed one by one until that gains nothing.
    fn set_of_charged(&self) -> Option<(Vec<usize>, f64)> {
        let alike = |i: usize, j: usize| {
            self.costs[i] == self.costs[j]
                && self.shared.iter().all(|s| s.once[i] == s.once[j] && s.per_iteration[i] == s.per_iteration[j])
        };
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        for i in 0..self.costs.len() {
            match kinds.iter_mut().find(|kind| alike(kind[0], i)) {
                Some(kind) => kind.push(i),
                None => kinds.push(vec![i]),
            }
        }
        let mut taken: Vec<usize> = kinds.iter().map(Vec::len).collect();
        let set = |taken: &[usize]| -> Vec<usize> {
            kinds.iter().zip(taken).flat_map(|(kind, &count)| kind[..count].iter().copied()).collect()
        };
        let mut best = (set(&taken), self.level(&set(&taken))?);
        let better = |level: f64, best: f64| level < best * (1.0 - ROUNDED);
        let sets = kinds.iter().try_fold(1_usize, |sets, kind| sets.checked_mul(kind.len() + 1));
        if sets.is_some_and(|sets| sets <= MOST_SETS) {
            // Count down from the full set, as a number with one digit per kind.
            while let Some(digit) = taken.iter().position(|&count| count > 0) {
                taken[digit] -= 1;
                for (count, kind) in taken[..digit].iter_mut().zip(&kinds) {
                    *count = kind.len();
                }
                let set = set(&taken);
                if !set.is_empty()
                    && let Some(level) = self.level(&set)
                    && better(level, best.1)
                {
                    best = (set, level);
                }
            }
            return Some(best);
        }
        loop {
            let mut next = None;
            for kind in 0..taken.len() {
                if taken[kind] == 0 || best.0.len() == 1 {
                    continue;
                }
                taken[kind] -= 1;
                let set = set(&taken);
                if let Some(level) = self.level(&set)
                    && better(level, best.1)
                {
                    best = (set, level);
                    next = Some(kind);
                }
                taken[kind] += 1;
            }
            match next {
                Some(kind) => taken[kind] -= 1,
                None => return Some(best),
            }
        }
    }

    /// The least time of these devices, all of which pay their fixed costs.
    fn level(&self, set: &[usize]) -> Option<f64> {
        let own = set.iter().enumerate().map(|(k, &i)| {
            let mut row = vec![0.0; set.len() + 2];
            row[k] = 1.0;
            row[set.len()] = -1.0;
            row[set.len() + 1] = -self.fixed[i];
            row
        });
        let together = self.shared.iter().map(|shared| {
            let mut row = self.of_capacity(shared, set);
            row.extend([-1.0, -self.once(shared, set)]);
            row
        });
        let mut all: Vec<f64> = set.iter().map(|&i| -self.pace[i]).collect();
        all.extend([0.0, -1.0]);
        let rows = own.chain(together).chain([all]).collect();
        let mut cost = vec![0.0; set.len() + 1];
        cost[set.len()] = 1.0;
        lp::minimise(&cost, rows).map(|solution| solution.values[set.len()])
    }

    /// What one unit of each device's work takes of a capacity.
    fn of_capacity(&self, shared: &Shared, set: &[usize]) -> Vec<f64> {
        set.iter().map(|&i| shared.per_iteration[i].0 / self.costs[i].per_iteration.0).collect()
    }

    fn once(&self, shared: &Shared, set: &[usize]) -> f64 {
        set.iter().map(|&i| shared.once[i].0 / self.unit).sum()
    }

    /// Among all divisions that take `level`, the one whose last device would finish earliest on its own, then the second last,
    /// and so on. Returns the work of each device of `set`.
    fn earliest(&self, set: &[usize], level: f64) -> Option<Vec<f64>> {
        let mut settled: Vec<Option<f64>> = vec![None; set.len()];
        loop {
            let open: Vec<usize> = (0..set.len()).filter(|&k| settled[k].is_none()).collect();
            if open.is_empty() {
                return Some(settled.into_iter().flatten().collect());
            }
            let done = |weight: &dyn Fn(usize) -> f64| -> f64 {
                (0..set.len()).filter_map(|k| settled[k].map(|work| work * weight(k))).sum()
            };
            let own = open.iter().enumerate().map(|(column, &k)| {
                let mut row = vec![0.0; open.len() + 2];
                row[column] = 1.0;
                row[open.len()] = -1.0;
                row[open.len() + 1] = -self.fixed[set[k]];
                row
            });
            let together = self.shared.iter().map(|shared| {
                let of_all = self.of_capacity(shared, set);
                let mut row: Vec<f64> = open.iter().map(|&k| of_all[k]).collect();
                // Level and sums are rounded: without some slack there may be no solution at all.
                let room = level * (1.0 + ROUNDED) - self.once(shared, set) - done(&|k| of_all[k]);
                row.extend([0.0, room]);
                row
            });
            let mut all: Vec<f64> = open.iter().map(|&k| -self.pace[set[k]]).collect();
            all.extend([0.0, done(&|k| self.pace[set[k]]) - 1.0]);
            let rows = own.chain(together).chain([all]).collect();
            let mut cost = vec![0.0; open.len() + 1];
            cost[open.len()] = 1.0;
            let solution = lp::minimise(&cost, rows)?;
            // A positive price on a device's own row: it finishes no earlier in any solution.
            let slowest: Vec<usize> = (0..open.len()).filter(|&column| solution.prices[column] > ROUNDED).collect();
            let all_columns = (0..open.len()).collect();
            for column in if slowest.is_empty() { all_columns } else { slowest } {
                settled[open[column]] = Some(solution.values[column].max(0.0));
            }
        }
    }
}

/// Whole iterations that sum to `n`: each one left over goes to the device that keeps the loop shortest.
fn rounded(costs: &[LinearCost], shared: &[Shared], members: &[usize], n: u64, shares: &[f64]) -> Vec<u64> {
    let mut rest = n;
    let mut counts = Vec::with_capacity(shares.len());
    for share in shares {
        // A share that rounding left just below a whole number is meant to be that number.
        let count = ((share * (1.0 + 1e-12)).floor().max(0.0) as u64).min(rest);
        rest -= count;
        counts.push(count);
    }
    if rest == 0 {
        return counts;
    }
    // What `more` iterations of the device at `k` add to a capacity.
    let adds = |shared: &Shared, k: usize, count: u64, more: u64| {
        let once = if count == 0 { shared.once[members[k]].0 } else { 0.0 };
        once + shared.per_iteration[members[k]].0 * more as f64
    };
    let mut takes: SmallVec<[f64; 12]> = shared.iter().map(|shared| time_among(shared, members, &counts).0).collect();
    while rest > 0 {
        // Several at a time if rounding of large numbers has left many.
        let more = (rest / (4 * costs.len() as u64)).max(1);
        let time = |k: usize| {
            let all = shared.iter().zip(&takes).map(|(shared, takes)| takes + adds(shared, k, counts[k], more));
            let own = costs[k].time(counts[k] + more).0;
            (all.fold(own, f64::max), own)
        };
        let best = (0..costs.len())
            .map(|k| (time(k), k))
            .min_by(|(x, i), (y, j)| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(i.cmp(j)));
        let Some((_, k)) = best else { break };
        for (takes, shared) in takes.iter_mut().zip(shared) {
            *takes += adds(shared, k, counts[k], more);
        }
        counts[k] += more;
        rest -= more;
    }
    counts
}

#[cfg(test)]
mod tests;
