//! How much of the devices' memory a region's arrays need, and how much there is.

use super::DataRegion;
use super::array::Placed;
use super::place::DeviceSet;
use crate::data::layout::Part;
use crate::error::{Error, Result};
use crate::model::MemoryKind;
use crate::runtime::Member;
use crate::units::Bytes;

/// Memory that arrays need.
pub(super) struct Needed {
    /// Bytes on each device.
    pub bytes: Vec<u64>,
    /// Bytes per row of the region, over all arrays that follow its rows.
    pub row: u64,
}

/// A number of bytes, exact and in a suitable unit.
fn told(bytes: u64) -> String {
    format!("{bytes} bytes ({})", Bytes(bytes))
}

/// Bytes of a part in a device's buffer.
fn bytes_of(part: &Part) -> u64 {
    if part.is_home() { 0 } else { part.bytes() as u64 }
}

impl Needed {
    pub fn of<'p>(devices: usize, placed: impl IntoIterator<Item = &'p Placed>) -> Self {
        let (mut bytes, mut row) = (vec![0u64; devices], 0u64);
        for placed in placed {
            for (bytes, part) in bytes.iter_mut().zip(&placed.parts) {
                *bytes = bytes.saturating_add(bytes_of(part));
            }
            if placed.over_rows && !placed.replicated {
                let of_a_row = |part: &Part| part.row_bytes() as u64;
                let cells = placed.parts.iter().filter(|part| !part.is_empty()).map(of_a_row).max().unwrap_or(0);
                let ratio = placed.chain.ratio();
                row = row.saturating_add(cells.saturating_mul(ratio.cells()).div_ceil(ratio.items()));
            }
        }
        Self { bytes, row }
    }

    /// # Errors
    /// If a device has less memory than its arrays need.
    pub fn check(&self, members: &[&Member]) -> Result<()> {
        for (member, &bytes) in members.iter().zip(&self.bytes) {
            if let Some(room) = room_of(member, false).filter(|room| *room < bytes) {
                return Err(Error::TooLarge(format!(
                    "data region: its arrays need {} on device `{}`, which has {}: map less, or give the device fewer rows \
                     (`RegionSplit::Model` minds how much memory devices have)",
                    told(bytes),
                    member.model.name,
                    told(room)
                )));
            }
        }
        Ok(())
    }
}

/// Bytes of memory of a device that has its own, if known; with `spare` a tenth less.
pub(super) fn room_of(member: &Member, spare: bool) -> Option<u64> {
    let Bytes(all) = member.model.memory_bytes.filter(|_| member.model.memory == MemoryKind::Discrete)?;
    Some(if spare { all - all / 10 } else { all })
}

impl DataRegion<'_, '_> {
    /// What the arrays need with these rows; none if some layout is impossible, which is reported elsewhere.
    pub(super) fn needed_with(&self, set: &DeviceSet<'_>, counts: &[u64]) -> Option<Needed> {
        let wanted = |index: usize| self.arrays[index].refused.is_none() && self.check_size(index).is_ok();
        self.parts(set, counts, wanted).ok().map(|placed| Needed::of(set.members.len(), &placed))
    }

    /// # Errors
    /// If some device's arrays do not fit its memory.
    pub(super) fn check_room(&self, set: &DeviceSet<'_>) -> Result<()> {
        self.needed_with(set, &set.counts).map_or(Ok(()), |needed| needed.check(&set.members))
    }

    /// The error that no split fits the devices' memory.
    pub(super) fn no_room(&self, set: &DeviceSet<'_>) -> Error {
        let needed = self.needed_with(set, &set.counts).map(|needed| needed.bytes).unwrap_or_default();
        let of = |(member, needed): (&&Member, u64)| {
            let room = room_of(member, false).map_or_else(|| "any".to_owned(), told);
            format!("{} on device `{}`, which has {room}", told(needed), member.model.name)
        };
        let all: Vec<String> = set.members.iter().zip(needed).map(of).collect();
        Error::TooLarge(format!(
            "data region: by no split do its rows fit the devices' memory; evenly split, its arrays need {}: map less, or take \
             more devices, or the host's cores too",
            all.join(", and ")
        ))
    }

    /// The most rows, or rows of mean work, that each device may have, so that its new parts fit beside its present ones.
    pub(super) fn most_rows(&self, set: &DeviceSet<'_>) -> Vec<u64> {
        let needed = Needed::of(set.members.len(), self.arrays.iter().map(|array| &array.placed));
        let places = set.work.as_ref().map(|work| (work.places_of(&set.counts), work.mean()));
        let most = |(slot, member): (usize, &&Member)| {
            let Some(room) = room_of(member, true).filter(|_| needed.row > 0) else { return u64::MAX };
            // Arrays move one after the other.
            let moving = self.arrays.iter().filter(|array| array.placed.over_rows);
            let largest = moving.filter_map(|array| array.placed.parts.get(slot)).map(bytes_of).max().unwrap_or(0);
            let room = room.saturating_sub(needed.bytes[slot].saturating_add(largest));
            match &places {
                Some((places, row)) => places[slot] + room / row.max(&1),
                None => set.counts[slot] + room / needed.row,
            }
        };
        set.members.iter().enumerate().map(most).collect()
    }

    /// Whether old and new buffers fit while rows move, one array after the other.
    pub(super) fn has_room_to_move(&self, set: &DeviceSet<'_>, counts: &[u64]) -> bool {
        let Ok(new) = self.parts(set, counts, |index| self.arrays[index].refused.is_none()) else { return false };
        let now = Needed::of(set.members.len(), self.arrays.iter().map(|array| &array.placed)).bytes;
        set.members.iter().zip(now).enumerate().all(|(slot, (member, mut used))| {
            let Some(room) = room_of(member, false) else { return true };
            self.arrays.iter().zip(&new).all(|(array, new)| {
                let (Some(old), Some(new)) = (array.placed.parts.get(slot), new.parts.get(slot)) else { return true };
                if old == new {
                    return true;
                }
                let both = used.saturating_add(bytes_of(new));
                used = both - bytes_of(old);
                both <= room
            })
        })
    }
}
