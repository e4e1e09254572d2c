//! `T* = (n + sum a/b) / (sum 1/b)` over the devices with `a < T*`: the exact minimiser of the makespan of linear costs.
//!
//! The HOMP paper (section IV-B.1, eq. 2-3) solves for equal finish times, which is right only where every share comes out
//! positive. This is the same system with `n_i >= 0`: water filled over devices whose bottoms lie at their fixed costs.
//!
//! In whole iterations the result is the `n` smallest of all finish times `a_i + b_i * k`, `k = 1, 2, ..`, ties to the
//! earlier device. The water level gets within a few iterations of it in floating point; the rest is handed out one
//! by one in that order, so the counts sum to `n` exactly, whatever the rounding.

use crate::error::{Error, Result};
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// `T(n) = fixed + n * per_iteration`, and nothing at all for `n = 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearCost {
    /// Paid once by a device that gets any iteration. At least zero.
    pub fixed: Seconds,
    /// Paid for each iteration. More than zero.
    pub per_iteration: Seconds,
}

impl LinearCost {
    /// The time for `n` iterations.
    pub fn time(self, n: u64) -> Seconds {
        if n == 0 { Seconds::ZERO } else { self.fixed + self.per_iteration * n as f64 }
    }
}

/// How many iterations each device gets, and when the last device finishes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// Iterations of each device, in list order; their sum is the whole loop.
    pub counts: Vec<u64>,
    /// The water level T*: the finish time if iterations could be cut; no split can be faster.
    pub level: Seconds,
    /// The finish time of these whole iterations: at most one iteration above the level.
    pub makespan: Seconds,
}

/// `n / m` for each device, and one more for each of the first `n % m`. Empty without devices.
pub fn even(n: u64, m: usize) -> Vec<u64> {
    let devices = m as u64;
    (0..devices).map(|i| n / devices + u64::from(i < n % devices)).collect()
}

/// Contiguous blocks in list order with these lengths, from `start` on.
pub fn layout(start: u64, counts: &[u64]) -> Vec<IterRange> {
    let mut rest = IterRange::new(start, u64::MAX);
    counts.iter().map(|&count| rest.take_front(count)).collect()
}

/// The counts that minimise the time of the slowest device; a device without iterations costs nothing.
///
/// A device whose fixed cost is at or past the level gets nothing, except a last iteration that finishes there earlier
/// than on any other device. Equal devices differ by one at most, the earlier having more.
///
/// # Errors
/// [`Error::Call`] without a device, for a negative or not finite cost, and for a cost per iteration of zero.
pub fn split(costs: &[LinearCost], n: u64) -> Result<Split> {
    check(costs)?;
    let level = Level::of(costs, n);
    let counts = level.counts(costs, n);
    Ok(Split { makespan: makespan(costs, &counts), level: level.time, counts })
}

/// As [`split`], in multiples of `granule`; only the last block may end in a short one.
///
/// # Errors
/// As [`split`], and for a granule of zero.
pub fn split_granules(costs: &[LinearCost], n: u64, granule: u64) -> Result<Split> {
    if granule == 0 {
        return Err(Error::call("a granule has at least one iteration, not 0"));
    }
    let coarse: Vec<_> =
        costs.iter().map(|c| LinearCost { fixed: c.fixed, per_iteration: c.per_iteration * granule as f64 }).collect();
    let mut split = split(&coarse, n.div_ceil(granule))?;
    let mut rest = n;
    for count in &mut split.counts {
        *count = count.saturating_mul(granule).min(rest);
        rest -= *count;
    }
    split.makespan = makespan(costs, &split.counts);
    Ok(split)
}

/// As [`split`], where device `i` has room for `capacity[i]` iterations.
///
/// # Errors
/// As [`split`]; [`Error::TooLarge`] when all the room together is less than `n`: then the loop must go in chunks.
pub fn split_with_capacity(costs: &[LinearCost], n: u64, capacity: &[u64]) -> Result<Split> {
    check(costs)?;
    if capacity.len() != costs.len() {
        return Err(Error::call(format!("{} capacities were given for {} devices", capacity.len(), costs.len())));
    }
    let room: u128 = capacity.iter().map(|&c| u128::from(c)).sum();
    if room < u128::from(n) {
        return Err(Error::TooLarge(format!(
            "{n} iterations do not fit at once: the devices have room for {room} together; use chunks"
        )));
    }
    let mut counts = vec![0; costs.len()];
    let mut open: Vec<usize> = (0..costs.len()).collect();
    let mut rest = n;
    let mut level = Seconds::ZERO;
    while rest > 0 {
        let part = split(&open.iter().map(|&i| costs[i]).collect::<Vec<_>>(), rest)?;
        level = level.max(part.level);
        // Taking devices out only raises the level, so one that overflows now is full in the end.
        let full: Vec<usize> = (0..open.len()).filter(|&k| part.counts[k] > capacity[open[k]]).collect();
        if full.is_empty() {
            for (k, &i) in open.iter().enumerate() {
                counts[i] = part.counts[k];
            }
            break;
        }
        for &k in full.iter().rev() {
            let i = open.remove(k);
            counts[i] = capacity[i];
            rest -= capacity[i];
        }
    }
    Ok(Split { makespan: makespan(costs, &counts), level, counts })
}

pub(crate) fn makespan(costs: &[LinearCost], counts: &[u64]) -> Seconds {
    costs.iter().zip(counts).map(|(cost, &n)| cost.time(n)).fold(Seconds::ZERO, Seconds::max)
}

/// Refuses costs that no split can be made of.
pub(crate) fn check(costs: &[LinearCost]) -> Result<()> {
    if costs.is_empty() {
        return Err(Error::call("a loop needs at least one device; none is left in the list"));
    }
    for (i, cost) in costs.iter().enumerate() {
        let (a, b) = (cost.fixed.0, cost.per_iteration.0);
        if !(a.is_finite() && a >= 0.0) {
            return Err(Error::call(format!(
                "device {i} of the loop has a fixed cost of {a} s; it must be finite and at least 0 (see its latencies and launch cost)"
            )));
        }
        if !(b.is_finite() && b > 0.0) {
            return Err(Error::call(format!(
                "device {i} of the loop has a cost of {b} s per iteration; it must be finite and more than 0 (see its rates: each must be stated and positive)"
            )));
        }
    }
    Ok(())
}

/// The water level of linear costs that have passed [`check`], and which devices are below it.
pub(crate) struct Level {
    pub time: Seconds,
    pub active: SmallVec<[bool; 16]>,
    /// Speed of each device relative to the fastest. Sums of 1/b could overflow or lose the small terms.
    weight: SmallVec<[f64; 16]>,
    weights: f64,
}

impl Level {
    pub fn of(costs: &[LinearCost], n: u64) -> Self {
        let fastest = costs.iter().map(|c| c.per_iteration.0).fold(f64::INFINITY, f64::min);
        let weight: SmallVec<[f64; 16]> = costs.iter().map(|c| fastest / c.per_iteration.0).collect();
        let mut active = SmallVec::from_elem(false, costs.len());
        if n == 0 || costs.is_empty() {
            return Self { time: Seconds::ZERO, active, weight, weights: 0.0 };
        }
        let mut order: SmallVec<[usize; 16]> = (0..costs.len()).collect();
        order.sort_by(|&i, &j| costs[i].fixed.0.total_cmp(&costs[j].fixed.0));
        let (mut weights, mut bottoms, mut time) = (0.0, 0.0, f64::INFINITY);
        for i in order {
            if costs[i].fixed.0 >= time {
                break;
            }
            active[i] = true;
            weights += weight[i];
            bottoms += costs[i].fixed.0 * weight[i];
            time = (n as f64 * fastest + bottoms) / weights;
        }
        Self { time: Seconds(time), active, weight, weights }
    }

    /// Whole iterations under the level, made to sum to `n` in the order of their finish times.
    pub fn counts(&self, costs: &[LinearCost], n: u64) -> Vec<u64> {
        let mut counts = vec![0_u64; costs.len()];
        if n == 0 {
            return counts;
        }
        let mut sum = 0_u128;
        for (i, cost) in costs.iter().enumerate().filter(|&(i, _)| self.active[i]) {
            // Slightly less: a quotient rounded up past a whole number must not take another device's iteration.
            let under = ((self.time * (1.0 - ROUNDED) - cost.fixed) / cost.per_iteration).floor();
            counts[i] = (under.max(0.0) as u64).min(n);
            sum += u128::from(counts[i]);
        }
        // Where n is past 2^53, or the fixed costs dwarf the rest, rounding may be off by many: correct in proportion ..
        let few = 4 * costs.len() as u128;
        for _ in 0..64 {
            let off = sum.abs_diff(u128::from(n));
            if off <= few {
                break;
            }
            let short = sum < u128::from(n);
            sum = 0;
            for (i, count) in counts.iter_mut().enumerate().filter(|&(i, _)| self.active[i]) {
                let part = (off as f64 * (self.weight[i] / self.weights)) as u64;
                *count = if short { count.saturating_add(part).min(n) } else { count.saturating_sub(part) };
                sum += u128::from(*count);
            }
        }
        // .. then one by one, by finish time.
        let mut over = sum.saturating_sub(u128::from(n));
        let mut latest: BinaryHeap<Finish> = BinaryHeap::new();
        if over > 0 {
            latest.extend((0..costs.len()).filter(|&i| counts[i] > 0).map(|i| Finish::new(costs, i, counts[i])));
        }
        while let (1.., Some(Finish { device: i, .. })) = (over, latest.pop()) {
            counts[i] -= 1;
            over -= 1;
            if counts[i] > 0 {
                latest.push(Finish::new(costs, i, counts[i]));
            }
        }
        let under = u128::from(n).saturating_sub(sum);
        hand_out(costs, &mut counts, under);
        counts
    }
}

/// Adds `more` iterations, each to the device that finishes it first.
fn hand_out(costs: &[LinearCost], counts: &mut [u64], mut more: u128) {
    if more == 0 {
        return;
    }
    let next = |i: usize, count: u64| Finish::new(costs, i, count.saturating_add(1));
    if (1..=FEW).contains(&counts.len()) {
        let mut ends: SmallVec<[f64; FEW]> = counts.iter().enumerate().map(|(i, count)| next(i, *count).time).collect();
        while more > 0 {
            let first = (1..ends.len()).fold(0, |first, i| if ends[i] < ends[first] { i } else { first });
            counts[first] += 1;
            more -= 1;
            ends[first] = next(first, counts[first]).time;
        }
        return;
    }
    let mut earliest: BinaryHeap<Reverse<Finish>> =
        counts.iter().enumerate().map(|(i, count)| Reverse(next(i, *count))).collect();
    while let (1.., Some(mut first)) = (more, earliest.peek_mut()) {
        let i = first.0.device;
        counts[i] += 1;
        more -= 1;
        *first = Reverse(next(i, counts[i]));
    }
}

/// For up to this many devices a scan is faster than a heap.
const FEW: usize = 16;

/// Largest relative rounding error of the level.
const ROUNDED: f64 = 1e-12;

/// When a device finishes its k-th iteration; ties to the earlier device.
#[derive(PartialEq)]
struct Finish {
    time: f64,
    device: usize,
}

impl Finish {
    fn new(costs: &[LinearCost], device: usize, k: u64) -> Self {
        Self { time: costs[device].fixed.0 + costs[device].per_iteration.0 * k as f64, device }
    }
}
impl Eq for Finish {}
impl PartialOrd for Finish {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Finish {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.device.cmp(&other.device))
    }
}
