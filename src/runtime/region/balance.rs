//! How a region's rows are split: first by the models, then by measured times.

use super::DataRegion;
use super::array::RegionArray;
use super::operations::Operation;
use super::place::{DeviceSet, call};
use super::report::Move;
use super::room::{Needed, room_of};
use super::work::{RowWork, cut};
use crate::data::layout::Topology;
use crate::error::{Error, Result};
use crate::kernel::Bound;
use crate::model::cost::device_cost_at;
use crate::model::split::{LinearCost, even, split, split_with_capacity};
use crate::model::{MemoryKind, Overlap, combining};
use crate::runtime::plan::{self, HostChunks};
use crate::runtime::{LeftOut, Member};
use crate::units::{Bytes, BytesPerSecond, Seconds};
use std::time::Instant;

/// How the rows of a region are split at first. Where tables give them rows of different lengths ([`Layout::rows_at`](super::Layout::rows_at)), it is their work
/// that is split so, the bytes of all arrays that follow them.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RegionSplit {
    /// By the models: all devices finish at the same time, and a device that would make the loop longer gets nothing; if the
    /// first loop contributes to whole arrays, the time to combine that counts. Without the kernel's cost, and where an array is
    /// BLOCK, BLOCK(k) or CYCLIC, the rows are split evenly. No device gets more rows than its memory has room for.
    #[default]
    Model,
    /// Evenly.
    Even,
    /// In these proportions, one weight per device.
    Weights(Vec<f64>),
}

/// A device's rows of different lengths, if they do not fit, get fewer by this part of all at least.
const ROUNDS: u64 = 512;

/// Which devices take part, and how many iterations each has.
pub(super) struct SplitOver<'r> {
    pub members: Vec<&'r Member>,
    pub counts: Vec<u64>,
    pub left_out: Vec<LeftOut>,
}

/// Whether devices have room for the rows that they are given.
enum Fit {
    /// They have: the time of a loop, and the rows of each device.
    As(Seconds, Vec<u64>),
    /// This device has no room even without any rows.
    Without(usize),
    /// The devices have too little room together, or cannot have arrays that more devices could.
    Not,
}

/// These devices in one row, with their numbers of rows.
pub(super) fn row_of<'r>(members: Vec<&'r Member>, counts: Vec<u64>) -> Result<DeviceSet<'r>> {
    let topology = Topology::row(members.len()).map_err(|error| call(&error))?;
    Ok(DeviceSet::new(members, topology, counts.iter().sum(), counts))
}

impl<'r> DataRegion<'r, '_> {
    /// The devices that take part, and how many iterations each has.
    pub(super) fn split_rows(
        &self,
        members: Vec<&'r Member>,
        bound: &Bound<'_>,
        rows: u64,
        cells: u64,
    ) -> Result<SplitOver<'r>> {
        let (devices, granule) = (members.len(), self.granule()?);
        // Splits count rows of equal work.
        let work = self.row_work(&members, rows);
        let all = |members, counts: &[u64]| {
            Ok(SplitOver { members, counts: cut(work.as_ref(), counts, granule), left_out: Vec::new() })
        };
        match &self.balance.split {
            RegionSplit::Even => all(members, &even(rows, devices)),
            RegionSplit::Weights(weights) => {
                let wrong = weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0);
                let sum: f64 = weights.iter().sum();
                if weights.len() != devices || wrong || sum <= 0.0 {
                    return Err(Error::call(format!(
                        "data region: split by weights {weights:?}: {devices} devices take part, so {devices} weights are \
                         needed, none below 0 and not all 0"
                    )));
                }
                all(members, &by_weights(rows, weights))
            }
            RegionSplit::Model => self.split_by_model(&members, bound, (rows, cells), (granule, work.as_ref())),
        }
    }

    /// Splits by what a loop costs on each device, and by what it costs to combine contributions, as far as the memory of each
    /// device has room.
    fn split_by_model(
        &self,
        members: &[&'r Member],
        bound: &Bound<'_>,
        (rows, cells): (u64, u64),
        (granule, work): (u64, Option<&RowWork>),
    ) -> Result<SplitOver<'r>> {
        let (devices, kernel) = (members.len(), bound.kernel());
        // Arrays with divisions of their own are on all devices. The rows then go as BLOCK does, so that other arrays match them.
        let own = |array: &RegionArray<'_>| array.refused.is_none() && array.layout.has_own_division();
        let is_stated = kernel.stated_cost().is_some() && !self.arrays.iter().any(own);
        let contributed = if is_stated { self.contributed_bytes(bound) } else { Vec::new() };
        let costs: Vec<LinearCost> = if is_stated {
            let mut profile = plan::profile_of(kernel, [], rows);
            profile.flops.0 *= cells as f64;
            profile.memory_bytes *= cells as f64;
            profile.written *= cells as f64;
            let cost = |member: &&Member| {
                let cost = device_cost_at(&member.model, &profile, Overlap::Full, &member.share);
                let copies = match self.runtime.reads_hosts_memory(member) {
                    true => {
                        let threads = member.pool.as_ref().map(|pool| pool.current_num_threads());
                        let chunks = HostChunks::of(kernel, member.pool.is_some(), threads);
                        chunks.copies(contributed.iter().sum(), member.model.memory_rate)
                    }
                    false => Seconds::ZERO,
                };
                LinearCost { fixed: cost.kernel_chunk + copies, per_iteration: cost.kernel }
            };
            members.iter().map(cost).collect()
        } else {
            // Nothing tells the devices apart: an even split.
            vec![LinearCost { fixed: Seconds::ZERO, per_iteration: Seconds(1.0) }; devices]
        };
        // Arrays may name a device, or have a block for each: then only all devices together can have them.
        let evenly = even(rows, devices);
        let all_can = self.needed_with(&row_of(members.to_vec(), evenly.clone())?, &evenly).is_some();
        // Each set of devices has its own time for that, whoever of it runs how much.
        let combined = |kept: &[usize]| {
            let kept: Vec<_> = kept.iter().map(|&slot| (&members[slot].model, &members[slot].share)).collect();
            combining(&kept, &contributed, self.host_memory_rate())
        };
        let costs_of = |kept: &[usize]| {
            let mut mine: Vec<LinearCost> = kept.iter().map(|&slot| costs[slot]).collect();
            let is = |kind: MemoryKind| kept.iter().any(|&slot| members[slot].model.memory == kind);
            // Ghost rows between the host's memory and a device's go over the device's link, and the host waits for them.
            let mixed = is_stated && is(MemoryKind::Shared) && is(MemoryKind::Discrete);
            for (cost, &slot) in mine.iter_mut().zip(kept).filter(|_| mixed) {
                if let Some(link) = &members[slot].model.link {
                    cost.fixed += link.to_latency + link.from_latency + members[slot].model.sync;
                }
            }
            mine
        };
        let of = |kept: &[usize], spare: bool| -> Result<Fit> {
            let (mine, added) = (costs_of(kept), combined(kept));
            let fewer = all_can && kept.len() < devices;
            let kept = kept.iter().map(|&slot| members[slot]).collect();
            Ok(match self.fitting(kept, &mine, (rows, granule, work), (spare, fewer))? {
                Fit::As(time, counts) => Fit::As(time + added, counts),
                other => other,
            })
        };
        let each: Vec<usize> = (0..devices).collect();
        let kind = |kind: MemoryKind| each.iter().copied().filter(|&s| members[s].model.memory == kind).collect();
        let mut sets: Vec<Vec<usize>> = if is_stated {
            vec![each.clone(), kind(MemoryKind::Discrete), kind(MemoryKind::Shared)]
        } else {
            vec![each.clone()]
        };
        if !contributed.is_empty() {
            sets.extend(fewer_and_fewer(&each, |kept| Ok(split(&costs_of(kept), rows)?.makespan + combined(kept)))?);
            // Of equal ones the first.
            sets.extend(each.iter().rev().map(|&slot| vec![slot]));
        }
        // First with a tenth of the memory to spare, then with all of it.
        for spare in [true, false] {
            let mut fitting: Vec<(Seconds, Vec<usize>, Vec<u64>)> = Vec::new();
            let mut with_all: Option<(Seconds, Vec<usize>)> = None;
            for (which, mut kept) in sets.iter().cloned().enumerate() {
                while !kept.is_empty() {
                    match of(&kept, spare)? {
                        Fit::Without(slot) => {
                            kept.remove(slot);
                            continue;
                        }
                        Fit::As(time, counts) => {
                            if which == 0 {
                                with_all = Some((time, kept.clone()));
                            }
                            fitting.push((time, kept, counts));
                        }
                        Fit::Not => {}
                    }
                    break;
                }
            }
            // Fewer devices win if they take as long, to within a model's precision.
            let least = fitting.iter().map(|(time, ..)| time.0).fold(f64::INFINITY, f64::min);
            let best = fitting.into_iter().rev().filter(|(time, ..)| time.0 <= least * 1.02);
            let Some((time, kept, counts)) = best.min_by_key(|(_, kept, _)| kept.len()) else { continue };
            let left_out = |&slot: &usize| {
                let reason = match with_all.as_ref().filter(|(_, all)| all.contains(&slot)) {
                    Some((with_all, all)) => format!(
                        "by the models a loop takes {time} on {}, and {with_all} on all devices{}{}",
                        kept.iter().map(|&slot| members[slot].model.name.as_str()).collect::<Vec<_>>().join(", "),
                        match combined(all) {
                            added if added > Seconds::ZERO =>
                                format!(" ({added} of it to combine what they contribute)"),
                            _ => String::new(),
                        },
                        if with_all.0 < time.0 || with_all.to_string() == time.to_string() {
                            ", which gains too little"
                        } else {
                            ""
                        }
                    ),
                    None => format!(
                        "its memory, {}, has no room for what every device of the region is to have",
                        Bytes(room_of(members[slot], false).unwrap_or(0))
                    ),
                };
                LeftOut { device: members[slot].model.name.clone(), reason }
            };
            let mut left_out: Vec<_> = each.iter().filter(|slot| !kept.contains(slot)).map(left_out).collect();
            // Some may take part without a row: they have nothing to do, unless an array has to be there.
            let working: Vec<usize> =
                kept.iter().zip(&counts).filter(|(_, count)| **count > 0).map(|(&slot, _)| slot).collect();
            // A region without rows has nobody to leave them to.
            let fewer = !working.is_empty() && working.len() < kept.len();
            if fewer && matches!(of(&working, spare)?, Fit::As(..)) {
                left_out.extend(kept.iter().filter(|slot| !working.contains(slot)).map(|&slot| LeftOut {
                    device: members[slot].model.name.clone(),
                    reason: format!("by the models none of the {rows} rows are worth it there: the others take {time}"),
                }));
            }
            return Ok(SplitOver { members: kept.iter().map(|&slot| members[slot]).collect(), counts, left_out });
        }
        Err(self.no_room(&row_of(members.to_vec(), even(rows, devices))?))
    }

    /// Bandwidth of the host's memory, as the machine description has it, or of the device that works there fastest.
    fn host_memory_rate(&self) -> Option<BytesPerSecond> {
        let machine = self.runtime.machine();
        let shared = || machine.enabled_devices().filter(|device| device.memory == MemoryKind::Shared);
        let fastest = || shared().map(|device| device.memory_gb_per_s.value).reduce(f64::max);
        machine.host_memory_rate().or_else(|| fastest().map(BytesPerSecond::from_gb_per_s))
    }

    /// The split of least time in which each of these devices has room for its rows. `fewer`: more devices could have all arrays,
    /// so these have to, too; else an impossible layout is reported elsewhere.
    fn fitting(
        &self,
        members: Vec<&'r Member>,
        costs: &[LinearCost],
        (rows, granule, work): (u64, u64, Option<&RowWork>),
        (spare, fewer): (bool, bool),
    ) -> Result<Fit> {
        let mut most = vec![rows; members.len()];
        let set = row_of(members, even(rows, most.len()))?;
        loop {
            let split = match split_with_capacity(costs, rows, &most) {
                Err(Error::TooLarge(_)) => return Ok(Fit::Not),
                split => split?,
            };
            let counts = cut(work, &split.counts, granule);
            let Some(needed) = self.needed_with(&set, &counts) else {
                return Ok(if fewer { Fit::Not } else { Fit::As(split.makespan, counts) });
            };
            let mut fits = true;
            for (slot, member) in set.members.iter().enumerate() {
                let room = room_of(member, spare).unwrap_or(u64::MAX);
                if needed.bytes[slot] <= room {
                    continue;
                }
                if counts[slot] == 0 {
                    return Ok(Fit::Without(slot));
                }
                fits = false;
                // Rows of mean work have as many bytes. It takes several of them to leave out a longer row, and some rounds to find out.
                let (had, row, least) = match work {
                    Some(work) => (split.counts[slot], work.mean(), granule.max(rows / ROUNDS)),
                    None => (counts[slot], needed.row, granule),
                };
                let too_many = (needed.bytes[slot] - room).div_ceil(row.max(1));
                most[slot] = had.saturating_sub(too_many).min(most[slot].saturating_sub(least));
            }
            if fits {
                return Ok(Fit::As(split.makespan, counts));
            }
        }
    }

    /// Moves rows if measured times say that it pays.
    pub(super) fn rebalance_now(&mut self) -> Result<()> {
        let Some(set) = &self.set else { return Ok(()) };
        if set.members.len() < 2 || set.topology.dimensions() != 1 || !self.balance.is_due() {
            return Ok(());
        }
        let Some(better) = self.better_split() else {
            self.balance.looked();
            return Ok(());
        };
        self.land_all()?;
        if self.move_to(better)? {
            self.balance.moved();
        } else {
            // Another program has taken memory that was counted on.
            self.balance.stays();
        }
        Ok(())
    }

    /// Gives each device `counts` rows, and says whether there was room to do so. Nothing is under way.
    pub(super) fn move_to(&mut self, counts: Vec<u64>) -> Result<bool> {
        let started = Instant::now();
        self.having.forget();
        let moved = self.move_rows(&counts);
        if let Err(no_room) = self.or_lose(moved)? {
            const WHY: &str = "rows stay where they are: no room to move them";
            if !self.notes.iter().any(|note| note.starts_with(WHY)) {
                self.notes.push(format!("{WHY}: {no_room}"));
            }
            return Ok(false);
        }
        self.totals.operations.counted(Operation::Moves);
        self.totals.moves.push(Move { after: self.loops, counts, took: started.elapsed().into() });
        Ok(true)
    }

    /// A split that saves twice what moving costs, if the application runs for as long again as it did.
    fn better_split(&self) -> Option<Vec<u64>> {
        let set = self.set.as_ref()?;
        let (granule, most) = (self.granule().ok()?, self.most_rows(set));
        let (gain, counts) = match &set.work {
            None => self.balance.better(&set.counts, granule, &most)?,
            Some(work) => {
                // A long row is on one side of a border or the other.
                let mut counts = Vec::new();
                let round = |places: &[u64]| {
                    counts = cut(Some(work), places, granule);
                    work.places_of(&counts)
                };
                let (gain, _) = self.balance.better_by(&work.places_of(&set.counts), round, &most)?;
                (gain, counts)
            }
        };
        if counts == set.counts {
            return None;
        }
        let cost = self.cost_of_moving(set, &counts);
        let pays = gain * self.balance.measured as f64 > 2.0 * cost;
        (pays && self.has_room_to_move(set, &counts)).then_some(counts)
    }

    /// The seconds that it takes to give devices `counts` rows: the copies of all moved rows over the slowest known link, and a new
    /// buffer for each array.
    pub(super) fn cost_of_moving(&self, set: &DeviceSet<'_>, counts: &[u64]) -> f64 {
        let rows = Needed::of(set.members.len(), self.arrays.iter().map(|array| &array.placed));
        // Of rows of different lengths what counts is their work, in bytes.
        let (had, have, row) = match &set.work {
            Some(work) => (work.places_of(&set.counts), work.places_of(counts), work.mean()),
            None => (set.counts.clone(), counts.to_vec(), rows.row),
        };
        let mut shift = 0i64;
        let mut moved = 0u64;
        for (was, is) in had.iter().zip(&have) {
            shift += was.cast_signed() - is.cast_signed();
            moved += shift.unsigned_abs();
        }
        let rate =
            set.members.iter().filter_map(|member| member.model.link).map(|link| link.to_rate.0.min(link.from_rate.0));
        let rate = rate.fold(f64::INFINITY, f64::min);
        let last = self.totals.moves.last().map_or(0.0, |moved| moved.took.0);
        ((moved * row) as f64 / rate).max(last) + 1e-3
    }
}

/// Sets of one device less each, down to one: each time without the device without which the others take least.
fn fewer_and_fewer(all: &[usize], time: impl Fn(&[usize]) -> Result<Seconds>) -> Result<Vec<Vec<usize>>> {
    let (mut sets, mut kept) = (Vec::new(), all.to_vec());
    while kept.len() > 1 {
        let mut best: Option<(Seconds, Vec<usize>)> = None;
        for &slot in &kept {
            let others: Vec<usize> = kept.iter().copied().filter(|&other| other != slot).collect();
            let time = time(&others)?;
            if best.as_ref().is_none_or(|(least, _)| time.0 <= least.0) {
                best = Some((time, others));
            }
        }
        kept = best.map(|(_, others)| others).unwrap_or_default();
        sets.push(kept.clone());
    }
    Ok(sets)
}

/// Rounds the end of each device's rows to the nearest multiple of `block`, except for the last end.
pub(super) fn in_blocks(counts: &[u64], block: u64) -> Vec<u64> {
    in_blocks_from(0, counts, block)
}

/// As [`in_blocks`], for rows from `start` on.
pub(super) fn in_blocks_from(start: u64, counts: &[u64], block: u64) -> Vec<u64> {
    let all: u64 = start + counts.iter().sum::<u64>();
    let (mut before, mut given) = (start, start);
    let count = |count: &u64| {
        before += count;
        let end =
            if before == all { all } else { (before.saturating_add(block / 2) / block * block).clamp(given, all) };
        let mine = end - given;
        given = end;
        mine
    };
    counts.iter().map(count).collect()
}

/// Divides `rows` in proportion to weights. No count is off by a whole row.
pub(super) fn by_weights(rows: u64, weights: &[f64]) -> Vec<u64> {
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
