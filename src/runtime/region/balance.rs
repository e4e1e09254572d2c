//! How a region's rows are split: by the models first, by measured times then.

use super::DataRegion;
use super::array::Placed;
use super::dispatch::{apply, nowhere, on_devices, read_all};
use super::exchange::{Coming, Plan};
use super::place::{DeviceSet, allocate, laid_out, outlets, reaches};
use super::report::Move;
use crate::data::layout::{self, Part, Sides};
use crate::devices::resident::{BufferId, How, Incoming, Launch};
use crate::error::{DeviceError, Error, Result};
use crate::kernel::Kernel;
use crate::model::cost::device_cost_at;
use crate::model::split::{LinearCost, even, split};
use crate::model::{MemoryKind, Overlap};
use crate::runtime::{LeftOut, Member, Runtime, plan};
use crate::units::Seconds;
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

/// Which devices take part, and how many iterations each has.
pub(super) struct SplitOver<'r> {
    pub members: Vec<&'r Member>,
    pub counts: Vec<u64>,
    pub left_out: Vec<LeftOut>,
}

impl<'r> DataRegion<'r, '_> {
    /// The devices that take part, and how many iterations each has.
    pub(super) fn split_rows(
        &self,
        members: Vec<&'r Member>,
        kernel: &Kernel,
        rows: u64,
        cells: u64,
    ) -> Result<SplitOver<'r>> {
        let split = self.split_any_rows(members, kernel, rows, cells)?;
        Ok(SplitOver { counts: in_blocks(&split.counts, self.granule()?), ..split })
    }

    fn split_any_rows(
        &self,
        members: Vec<&'r Member>,
        kernel: &Kernel,
        rows: u64,
        cells: u64,
    ) -> Result<SplitOver<'r>> {
        let devices = members.len();
        let all = |members, counts| Ok(SplitOver { members, counts, left_out: Vec::new() });
        match &self.balance.split {
            RegionSplit::Even => all(members, even(rows, devices)),
            RegionSplit::Weights(weights) => {
                let wrong = weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0);
                let sum: f64 = weights.iter().sum();
                if weights.len() != devices || wrong || sum <= 0.0 {
                    return Err(Error::call(format!(
                        "data region: split by weights {weights:?}: {devices} devices take part, so {devices} weights are \
                         needed, none below 0 and not all 0"
                    )));
                }
                all(members, by_weights(rows, weights))
            }
            RegionSplit::Model => {
                let stated = kernel.stated_cost();
                let Some(_) = stated else { return all(members, even(rows, devices)) };
                let mut profile = plan::profile_of(kernel, [], rows);
                profile.flops.0 *= cells as f64;
                profile.memory_bytes *= cells as f64;
                profile.written *= cells as f64;
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
                let each: Vec<usize> = (0..devices).collect();
                let kind =
                    |kind: MemoryKind| each.iter().copied().filter(|&s| members[s].model.memory == kind).collect();
                let sets: [Vec<usize>; 3] = [each.clone(), kind(MemoryKind::Discrete), kind(MemoryKind::Shared)];
                let mut best: Option<(Seconds, Vec<usize>, Vec<u64>)> = None;
                for kept in sets.into_iter().filter(|kept| !kept.is_empty()) {
                    let (time, counts) = of(&kept)?;
                    // Fewer devices where that takes as long, to within what a model can tell.
                    if best.as_ref().is_none_or(|(least, ..)| time.0 < least.0 * 1.02) {
                        best = Some((time, kept, counts));
                    }
                }
                let Some((time, kept, counts)) = best else { return all(members, even(rows, devices)) };
                let (with_all, _) = of(&each)?;
                let left_out = |&slot: &usize| LeftOut {
                    device: members[slot].model.name.clone(),
                    reason: format!(
                        "by the models a loop takes {time} on {}, and {with_all} on all devices",
                        kept.iter().map(|&slot| members[slot].model.name.as_str()).collect::<Vec<_>>().join(", ")
                    ),
                };
                let left_out = each.iter().filter(|slot| !kept.contains(slot)).map(left_out).collect();
                Ok(SplitOver { members: kept.iter().map(|&slot| members[slot]).collect(), counts, left_out })
            }
        }
    }

    /// Moves rows where that pays, by what was measured.
    pub(super) fn rebalance_now(&mut self) -> Result<()> {
        let Some(set) = &self.set else { return Ok(()) };
        if set.members.len() < 2 || set.topology.dimensions() != 1 || !self.balance.is_due() {
            return Ok(());
        }
        let Some(better) = self.better_split() else {
            self.balance.looked();
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
        Ok(())
    }

    /// A split that saves more than it costs, if the application runs for as long again as it did.
    fn better_split(&self) -> Option<Vec<u64>> {
        let set = self.set.as_ref()?;
        let (gain, counts) = self.balance.better(&set.counts, self.granule().ok()?)?;
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
            .parts(&topology, counts, rows, |index| self.arrays[index].refused.is_none())
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
            let mut device = set.members[slot].device();
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
        let filled = self.arrays[from].filled;
        let target = &mut self.arrays[to];
        target.placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        target.placed.newer = true;
        target.filled = filled;
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
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(()) };
        let launch = Launch { work: None, incoming: &incoming, pieces: &[], how: How::default() };
        let (launch, _) = resident.launch(&launch)?;
        resident.landed(launch).map(|_| ())
    })
}

/// The same with each end of a device's rows at the nearest multiple of `block`, but the last.
pub(super) fn in_blocks(counts: &[u64], block: u64) -> Vec<u64> {
    in_blocks_from(0, counts, block)
}

/// The same of rows from `start` on.
pub(super) fn in_blocks_from(start: u64, counts: &[u64], block: u64) -> Vec<u64> {
    let all: u64 = start + counts.iter().sum::<u64>();
    let (mut before, mut given) = (start, start);
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
    use super::{by_weights, in_blocks, in_blocks_from};

    #[test]
    fn blocks_are_not_split() {
        assert_eq!(in_blocks(&[5, 5, 7], 4), [4, 8, 5]);
        assert_eq!(in_blocks(&[1, 1, 1], 8), [0, 0, 3]);
        assert_eq!(in_blocks(&[3, 0, 4], 1), [3, 0, 4]);
        assert_eq!(in_blocks(&[9, 0], 4), [9, 0]);
        assert_eq!(in_blocks_from(3, &[4, 4, 4], 4), [5, 4, 3]);
        assert_eq!(in_blocks_from(3, &[1, 1, 10], 8), [5, 0, 7]);
    }

    #[test]
    fn weights_give_all_rows_and_none_to_those_without_weight() {
        assert_eq!(by_weights(10, &[1.0, 1.0]), [5, 5]);
        assert_eq!(by_weights(10, &[3.0, 0.0, 1.0]), [8, 0, 2]);
        assert_eq!(by_weights(7, &[0.0, 2.0, 0.0]), [0, 7, 0]);
        assert_eq!(by_weights(0, &[1.0, 2.0]), [0, 0]);
    }
}
