//! How a region's rows are split: by the models first, by measured times then.

use super::DataRegion;
use super::array::Placed;
use super::dispatch::{apply, nowhere, on_devices, read_all};
use super::exchange::{Coming, Plan};
use super::place::{DeviceSet, allocate, laid_out, outlets, reaches};
use super::report::Move;
use crate::data::layout::{self, Part, Sides};
use crate::devices::resident::{BufferId, Incoming, Launch};
use crate::error::{DeviceError, Error, Result};
use crate::kernel::Kernel;
use crate::model::cost::device_cost_at;
use crate::model::split::{LinearCost, even, split};
use crate::model::{MemoryKind, Overlap};
use crate::runtime::{Member, Runtime, plan};
use crate::units::Seconds;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// How the rows of a region are split at first.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RegionSplit {
    /// By the models: each device gets what it does in the same time as the others do theirs, and one that would make it take
    /// longer gets nothing. Needs the kernel's cost; without it the rows are split evenly.
    #[default]
    Model,
    /// Evenly.
    Even,
    /// In these proportions, one a device.
    Weights(Vec<f64>),
}

/// Loops of one kernel that are measured before rows may move.
const LEAST_LOOPS: u64 = 8;
/// Rows move only where the slowest device takes so much longer than it would then.
const LEAST_GAIN: f64 = 0.03;

/// Loops that are all timed at first; later one in [`TIMED_EVERY`] is.
const ALL_TIMED: u64 = 32;
const TIMED_EVERY: u64 = 8;

/// What is known of the devices' pace.
#[derive(Debug, Default)]
pub(super) struct Balance {
    pub split: RegionSplit,
    pub on: OnUnlessSaid,
    /// Of each kernel.
    kernels: HashMap<Arc<str>, Pace>,
    /// Loops measured since rows moved last.
    since: u64,
    /// Loops measured in all.
    measured: u64,
    /// Loops until it is looked at again.
    wait: u64,
}

/// On by default.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnUnlessSaid(pub bool);

impl Default for OnUnlessSaid {
    fn default() -> Self {
        Self(true)
    }
}

/// How long devices take for a kernel.
#[derive(Debug, Default)]
struct Pace {
    loops: u64,
    /// Seconds for an iteration, of each device; recent ones count more.
    each: Vec<Option<f64>>,
}

impl Balance {
    /// Takes in what a loop took on each device: device, iterations, time.
    pub fn measured(&mut self, kernel: &Arc<str>, times: &[(usize, u64, Seconds)], devices: usize) {
        if times.iter().filter(|(_, iterations, _)| *iterations > 0).count() < 2 {
            return;
        }
        let pace = self.kernels.entry(Arc::clone(kernel)).or_default();
        pace.loops += 1;
        pace.each.resize(devices, None);
        self.since += 1;
        self.measured += 1;
        for &(slot, iterations, time) in times.iter().filter(|(_, iterations, time)| *iterations > 0 && time.0 > 0.0) {
            let each = time.0 / iterations as f64;
            let place = &mut pace.each[slot];
            // A single slow loop is an outlier; a slow device is slow again.
            *place = Some(place.map_or(each, |before| before + 0.25 * (each.min(4.0 * before) - before)));
        }
    }

    /// Seconds for all kernels of an iteration, of each device, as often as each kernel runs; none where one is not known.
    fn paces(&self, devices: usize) -> Vec<Option<f64>> {
        let most = self.kernels.values().map(|pace| pace.loops).max().unwrap_or(1) as f64;
        let of = |slot: usize| {
            let mut sum = 0.0;
            for pace in self.kernels.values() {
                sum += (*pace.each.get(slot)?)? * pace.loops as f64 / most;
            }
            (sum > 0.0).then_some(sum)
        };
        (0..devices).map(of).collect()
    }

    /// Whether a loop's times are wanted: of all at first, then of some.
    pub fn wants_times(&self, number: u64) -> bool {
        self.measured < ALL_TIMED || number.is_multiple_of(TIMED_EVERY)
    }

    fn moved(&mut self) {
        self.since = 0;
        self.kernels.clear();
    }
}

impl<'r> DataRegion<'r, '_> {
    /// The devices that take part, and how many iterations each has.
    pub(super) fn split_rows(
        &self,
        members: Vec<&'r Member>,
        kernel: &Kernel,
        rows: u64,
        cells: u64,
    ) -> Result<(Vec<&'r Member>, Vec<u64>)> {
        let (members, counts) = self.split_any_rows(members, kernel, rows, cells)?;
        Ok((members, in_blocks(&counts, self.granule()?)))
    }

    fn split_any_rows(
        &self,
        members: Vec<&'r Member>,
        kernel: &Kernel,
        rows: u64,
        cells: u64,
    ) -> Result<(Vec<&'r Member>, Vec<u64>)> {
        let devices = members.len();
        match &self.balance.split {
            RegionSplit::Even => Ok((members, even(rows, devices))),
            RegionSplit::Weights(weights) => {
                let wrong = weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0);
                let sum: f64 = weights.iter().sum();
                if weights.len() != devices || wrong || sum <= 0.0 {
                    return Err(Error::call(format!(
                        "data region: split by weights {weights:?}: {devices} devices take part, so {devices} weights are \
                         needed, none below 0 and not all 0"
                    )));
                }
                Ok((members, by_weights(rows, weights)))
            }
            RegionSplit::Model => {
                let stated = kernel.stated_cost();
                let Some(_) = stated else { return Ok((members, even(rows, devices))) };
                let mut profile = plan::profile_of(kernel, [], rows);
                profile.flops.0 *= cells as f64;
                profile.memory_bytes *= cells as f64;
                let cost = |member: &&Member| {
                    let cost = device_cost_at(&member.model, &profile, Overlap::Full, &member.share);
                    LinearCost { fixed: cost.kernel_chunk, per_iteration: cost.kernel }
                };
                let costs: Vec<LinearCost> = members.iter().map(cost).collect();
                let of = |kept: &[usize]| -> Result<(Seconds, Vec<u64>)> {
                    let mut mine: Vec<LinearCost> = kept.iter().map(|&slot| costs[slot]).collect();
                    // Ghost rows between the host's memory and another go over its link, and the host waits for them.
                    let mixed = kept.iter().any(|&slot| members[slot].model.memory == MemoryKind::Shared)
                        && kept.iter().any(|&slot| members[slot].model.memory == MemoryKind::Discrete);
                    for (cost, &slot) in mine.iter_mut().zip(kept).filter(|_| mixed) {
                        if let Some(link) = &members[slot].model.link {
                            cost.fixed += link.to_latency + link.from_latency + members[slot].model.sync;
                        }
                    }
                    let split = split(&mine, rows)?;
                    Ok((split.makespan, split.counts))
                };
                let all: Vec<usize> = (0..devices).collect();
                let kind =
                    |kind: MemoryKind| all.iter().copied().filter(|&s| members[s].model.memory == kind).collect();
                let sets: [Vec<usize>; 3] = [all.clone(), kind(MemoryKind::Discrete), kind(MemoryKind::Shared)];
                let mut best: Option<(Seconds, Vec<usize>, Vec<u64>)> = None;
                for kept in sets.into_iter().filter(|kept| !kept.is_empty()) {
                    let (time, counts) = of(&kept)?;
                    // Fewer devices where that takes as long, to within what a model can tell.
                    if best.as_ref().is_none_or(|(least, ..)| time.0 < least.0 * 1.02) {
                        best = Some((time, kept, counts));
                    }
                }
                let Some((_, kept, counts)) = best else { return Ok((members, even(rows, devices))) };
                Ok((kept.into_iter().map(|slot| members[slot]).collect(), counts))
            }
        }
    }

    /// Moves rows where that pays, by what was measured.
    pub(super) fn rebalance_now(&mut self) -> Result<()> {
        let Some(set) = &self.set else { return Ok(()) };
        let devices = set.members.len();
        let ready = self.balance.on.0
            && devices > 1
            && set.topology.dimensions() == 1
            && self.balance.since >= LEAST_LOOPS.max(self.balance.wait);
        if !ready {
            return Ok(());
        }
        let Some(better) = self.better_split() else {
            // Looked at less and less often.
            self.balance.wait = (2 * self.balance.since).max(LEAST_LOOPS);
            return Ok(());
        };
        self.wait()?;
        let started = Instant::now();
        self.move_rows(&better).map_err(|error| {
            self.lose(&error);
            Error::from(error)
        })?;
        self.totals.moves.push(Move { after: self.loops, counts: better, took: started.elapsed().into() });
        self.balance.moved();
        self.balance.wait = LEAST_LOOPS;
        Ok(())
    }

    /// A split that saves more than it costs, if the application runs for as long again as it did.
    fn better_split(&self) -> Option<Vec<u64>> {
        let set = self.set.as_ref()?;
        let paces = self.balance.paces(set.members.len());
        // A device without rows has no pace: it stays without.
        let known: Vec<usize> = (0..paces.len()).filter(|&slot| paces[slot].is_some()).collect();
        let costs: Vec<LinearCost> = known
            .iter()
            .filter_map(|&slot| Some(LinearCost { fixed: Seconds::ZERO, per_iteration: Seconds(paces[slot]?) }))
            .collect();
        if known.len() < 2 || set.counts.iter().zip(&paces).any(|(count, pace)| *count > 0 && pace.is_none()) {
            return None;
        }
        let best = split(&costs, set.rows).ok()?;
        let mut counts = vec![0; paces.len()];
        for (&slot, &count) in known.iter().zip(&best.counts) {
            counts[slot] = count;
        }
        let counts = in_blocks(&counts, self.granule().ok()?);
        let time = |counts: &[u64]| {
            let of = |(count, pace): (&u64, &Option<f64>)| *count as f64 * pace.unwrap_or(0.0);
            counts.iter().zip(&paces).map(of).fold(0.0, f64::max)
        };
        let (now, then) = (time(&set.counts), time(&counts));
        let gain = now - then;
        if gain <= LEAST_GAIN * now {
            return None;
        }
        // Bytes of rows that change places, over the slowest link that is known, and a new buffer for each array.
        let mut shift = 0i64;
        let mut moved = 0u64;
        for (was, is) in set.counts.iter().zip(&counts) {
            shift += was.cast_signed() - is.cast_signed();
            moved += shift.unsigned_abs();
        }
        let row: u64 = self
            .arrays
            .iter()
            .filter(|array| array.placed.over_rows)
            .map(|array| {
                let cells = array.layout.dims[1..].iter().map(|d| d.extent).product::<u64>();
                let ratio = array.placed.chain.ratio();
                (cells * array.element.bytes() as u64).saturating_mul(ratio.cells()).div_ceil(ratio.items())
            })
            .sum();
        let rate =
            set.members.iter().filter_map(|member| member.model.link).map(|link| link.to_rate.0.min(link.from_rate.0));
        let rate = rate.fold(f64::INFINITY, f64::min);
        let last = self.totals.moves.last().map_or(0.0, |moved| moved.took.0);
        let cost = ((moved * row) as f64 / rate).max(last) + 1e-3;
        (gain * self.balance.measured as f64 > 2.0 * cost).then_some(counts)
    }

    /// Gives each device so many rows: what it has and keeps stays on it, what it gets comes from who had it.
    fn move_rows(&mut self, counts: &[u64]) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let (topology, rows) = (set.topology, set.rows);
        let new = self
            .parts(&topology, counts, rows)
            .map_err(|error| DeviceError { message: error.to_string(), ..nowhere() })?;
        for (index, Placed { parts, .. }) in new.into_iter().enumerate() {
            if self.arrays[index].placed.parts != parts && !self.arrays[index].placed.parts.is_empty() {
                self.move_array(index, parts)?;
            }
        }
        if let Some(set) = &mut self.set {
            set.counts = counts.to_vec();
        }
        Ok(())
    }

    fn move_array(&mut self, index: usize, parts: Vec<Part>) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let array = &mut self.arrays[index];
        let old = std::mem::take(&mut array.placed.buffers);
        // Never written: the user's own memory has it.
        let only_read = array.user.bytes().is_some() && !array.direction.writes();
        let moved = allocate(set, &mut array.placed.buffers, &parts).and_then(|()| {
            if only_read {
                return Ok(());
            }
            let new = array.placed.buffers.clone();
            let from = Held { parts: &array.placed.parts, buffers: &old };
            let to = Held { parts: &parts, buffers: &new };
            let (transfers, runtime) = (layout::moves(from.parts, to.parts), self.runtime);
            let plan = transfer_plan(set, &from, &to, transfers.map_err(|error| laid_out(&error))?);
            let read = read_all(runtime, &set.members, &old, &plan)?;
            if let Some(home) = array.home_mut() {
                for (reading, bytes) in plan.readings.iter().zip(&read) {
                    if let Some(out) = &reading.to_home {
                        apply(out.iter().map(|copy| copy.apply(bytes, home)))?;
                    }
                }
            }
            bring(self.runtime, set, &plan, (&old, &new), array.home(), &read)
        });
        for (slot, buffer) in old.into_iter().enumerate() {
            let mut device = set.members[slot].device.lock().unwrap_or_else(PoisonError::into_inner);
            if let (Some(resident), Some(buffer)) = (device.resident(), buffer) {
                resident.release(buffer);
            }
        }
        moved?;
        let array = &mut self.arrays[index];
        array.placed.parts = parts;
        array.placed.plans.clear();
        if only_read {
            return self.send(index);
        }
        array.placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        Ok(())
    }

    /// Copies an array's cells to where another of the same extents has them.
    pub(super) fn copy_array(&mut self, from: usize, to: usize) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let (source, target) = (&self.arrays[from], &self.arrays[to]);
        let homes = source.home().is_some() || target.home().is_some();
        if homes {
            // By way of the host, where a part of it is anyway.
            let mut whole = vec![0u8; Part::whole(1, &extents_of(source)).map_or(0, |part| part.bytes())];
            whole.resize(whole.len() * source.element.bytes(), 0);
            self.gather(from, &mut whole)?;
            self.scatter(to, &whole)?;
        } else {
            let (old, new) = (source.placed.buffers.clone(), target.placed.buffers.clone());
            let from = Held { parts: &source.placed.parts, buffers: &old };
            let to = Held { parts: &target.placed.parts, buffers: &new };
            let transfers = layout::moves(from.parts, to.parts).map_err(|error| laid_out(&error))?;
            let plan = transfer_plan(set, &from, &to, transfers);
            let read = read_all(self.runtime, &set.members, &old, &plan)?;
            bring(self.runtime, set, &plan, (&old, &new), None, &read)?;
        }
        let placed = &mut self.arrays[to].placed;
        placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        placed.newer = true;
        Ok(())
    }
}

fn extents_of(array: &super::array::RegionArray<'_>) -> Vec<u64> {
    array.layout.dims.iter().map(|dimension| dimension.extent).collect()
}

/// Parts and the buffers that they are in.
struct Held<'h> {
    parts: &'h [Part],
    buffers: &'h [Option<BufferId>],
}

/// How cells go from some parts to others.
fn transfer_plan(set: &DeviceSet<'_>, from: &Held<'_>, to: &Held<'_>, transfers: Vec<layout::Transfer>) -> Plan {
    let outlets = outlets(set, from.buffers);
    Plan::moving(from.parts, to.parts, transfers, |to, from| reaches(set, &outlets, to, from))
}

/// Copies on all devices at once, and waits for them.
fn bring(
    runtime: &Runtime,
    set: &DeviceSet<'_>,
    plan: &Plan,
    (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    home: Option<&[u8]>,
    read: &[Vec<u8>],
) -> Result<(), DeviceError> {
    let outlets = outlets(set, old);
    on_devices(runtime, &set.members, |slot| {
        let Some(to) = new[slot] else { return Ok(()) };
        let mut incoming = Vec::new();
        for coming in &plan.coming[slot] {
            incoming.push(match coming {
                Coming::Direct { from, copies } => match &outlets[*from] {
                    Some(from) => Incoming::Direct { to, from, copies },
                    None => continue,
                },
                Coming::Local { copies } => match old[slot] {
                    Some(from) => Incoming::Local { to, from, copies },
                    None => continue,
                },
                Coming::Home { copies } => Incoming::Host { to, from: home.unwrap_or_default(), copies },
                Coming::Staged { reading, copies } => Incoming::Host { to, from: &read[*reading], copies },
            });
        }
        let mut device = set.members[slot].device.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(resident) = device.resident() else { return Ok(()) };
        let launch = Launch {
            work: None,
            incoming: &incoming,
            pieces: &[],
            in_order: false,
            timed: false,
            ghosts: false,
            awaited: false,
        };
        let (launch, _) = resident.launch(&launch)?;
        resident.landed(launch).map(|_| ())
    })
}

/// The same with each end of a device's rows at the nearest multiple of `block`, but the last.
fn in_blocks(counts: &[u64], block: u64) -> Vec<u64> {
    let all: u64 = counts.iter().sum();
    let (mut before, mut given) = (0u64, 0u64);
    let count = |count: &u64| {
        before += count;
        let end = if before == all { all } else { ((before + block / 2) / block * block).clamp(given, all) };
        let mine = end - given;
        given = end;
        mine
    };
    counts.iter().map(count).collect()
}

/// `rows` in proportion to weights, to whole rows: none is off by one or more.
fn by_weights(rows: u64, weights: &[f64]) -> Vec<u64> {
    let sum: f64 = weights.iter().sum();
    let (mut before, mut given) = (0.0, 0u64);
    let last = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0);
    let share = |(slot, weight): (usize, &f64)| {
        before += weight;
        let end = if slot >= last { rows } else { ((rows as f64 * before / sum).round() as u64).clamp(given, rows) };
        let count = end - given;
        given = end;
        count
    };
    weights.iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::{by_weights, in_blocks};

    #[test]
    fn blocks_are_not_split() {
        assert_eq!(in_blocks(&[5, 5, 7], 4), [4, 8, 5]);
        assert_eq!(in_blocks(&[1, 1, 1], 8), [0, 0, 3]);
        assert_eq!(in_blocks(&[3, 0, 4], 1), [3, 0, 4]);
        assert_eq!(in_blocks(&[9, 0], 4), [9, 0]);
    }

    #[test]
    fn weights_give_all_rows_and_none_to_those_without_weight() {
        assert_eq!(by_weights(10, &[1.0, 1.0]), [5, 5]);
        assert_eq!(by_weights(10, &[3.0, 0.0, 1.0]), [8, 0, 2]);
        assert_eq!(by_weights(7, &[0.0, 2.0, 0.0]), [0, 7, 0]);
        assert_eq!(by_weights(0, &[1.0, 2.0]), [0, 0]);
    }
}
