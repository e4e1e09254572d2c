//! Moves rows, and copies whole arrays, from device to device.

use super::DataRegion;
use super::array::Placed;
use super::dispatch::{Sources, What, apply, copying, incoming_of, nowhere, read_all};
use super::exchange::{Coming, Plan};
use super::operations::{DeviceCopies, Operation, Step, copied_in};
use super::place::{DeviceSet, allocate, laid_out, outlets, reaches};
use super::timeline::Took;
use crate::data::layout::{self, Part, Sides, Transfer};
use crate::devices::resident::{BufferId, How, Incoming, Launch};
use crate::error::{DeviceError, Result};
use crate::runtime::Runtime;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::time::Instant;

/// An array's parts before it moved; or why there was no room for new ones, in which case the array is unchanged.
type Moved = Result<Vec<Part>, DeviceError>;

impl DataRegion<'_, '_> {
    /// Gives each device `counts` rows. Rows that a device keeps stay on it; others come from their previous owners. If an
    /// array finds no room, all arrays are as before, and the inner error says why.
    pub(super) fn move_rows(&mut self, counts: &[u64]) -> Result<Result<(), DeviceError>, DeviceError> {
        self.known.clear();
        let Some(set) = &self.set else { return Err(nowhere()) };
        let new = self
            .parts(set, counts, |index| self.arrays[index].refused.is_none())
            .map_err(|error| DeviceError { message: error.to_string(), ..nowhere() })?;
        let mut before: Vec<(usize, Vec<Part>)> = Vec::new();
        for (index, Placed { parts, .. }) in new.into_iter().enumerate() {
            if self.arrays[index].placed.parts == parts || self.arrays[index].placed.parts.is_empty() {
                continue;
            }
            match self.move_array(index, parts)? {
                Ok(were) => before.push((index, were)),
                Err(no_room) => {
                    // In reverse order, so that no more memory is held at any time than on the way here.
                    for (index, were) in before.into_iter().rev() {
                        self.move_array(index, were)??;
                    }
                    return Ok(Err(no_room));
                }
            }
        }
        if let Some(set) = &mut self.set {
            set.counts = counts.to_vec();
        }
        Ok(Ok(()))
    }

    fn move_array(&mut self, index: usize, parts: Vec<Part>) -> Result<Moved, DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let array = &mut self.arrays[index];
        // A device whose part is the same keeps its buffer.
        let wanted: Vec<bool> = parts.iter().zip(&array.placed.parts).map(|(new, old)| new != old).collect();
        // An array that no loop writes: the home has all of it, as the user gave it.
        let only_read = array.user.bytes().is_some() && !array.direction.writes();
        let old = array.placed.buffers.clone();
        let plan = {
            let (from, to) = (&array.placed.parts, &parts);
            let needless = |transfer: &Transfer| {
                let Transfer { from_part, to_part, .. } = *transfer;
                let at_home = to[to_part].is_home();
                !wanted[to_part] && !at_home || only_read && at_home && !from[from_part].is_home()
            };
            let mut transfers = layout::moves(from, to).map_err(|error| laid_out(&error))?;
            transfers.retain(|transfer| !needless(transfer));
            transfer_plan(set, (from, &old), to, transfers)
        };
        let mut new = match allocate(set, &parts, &wanted, array.placed.chain.has_table()) {
            Ok(new) => new,
            Err(no_room) => return Ok(Err(no_room.error)),
        };
        for (slot, new) in new.iter_mut().enumerate().filter(|(slot, _)| !wanted[*slot]) {
            *new = old[slot];
        }
        array.placed.buffers.clone_from(&new);
        let brought = read_all(self.runtime, &set.members, &old, &plan).and_then(|(read, mut step)| {
            let began = Instant::now();
            if let Some(home) = array.home_mut() {
                read_to_home(&plan, &read, home)?;
                step.host_since(began);
            }
            step.then(&bring(self.runtime, set, &plan, (&old, &new), array.home(), &read)?);
            step.bytes_of(&plan);
            Ok(step)
        });
        for (slot, buffer) in old.into_iter().enumerate().filter(|(slot, _)| wanted[*slot]) {
            let mut device = set.members[slot].device();
            if let (Some(resident), Some(buffer)) = (device.resident(), buffer) {
                resident.release(buffer);
            }
        }
        self.totals.operations.took(Operation::Moves, &brought?);
        let placed = &mut self.arrays[index].placed;
        placed.plans.clear();
        placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        Ok(Ok(std::mem::replace(&mut placed.parts, parts)))
    }

    /// Copies an array's cells to another array of the same extents, directly from device to device where possible.
    pub(super) fn copy_array(&mut self, from: usize, to: usize) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let Ok([source, target]) = self.arrays.get_disjoint_mut([from, to]) else { return Err(nowhere()) };
        let (old, new) = (source.placed.buffers.clone(), target.placed.buffers.clone());
        let transfers =
            layout::between(&source.placed.parts, &target.placed.parts).map_err(|error| laid_out(&error))?;
        let plan = transfer_plan(set, (&source.placed.parts, &old), &target.placed.parts, transfers);
        let by_devices_alone = plan.readings.is_empty() && plan.at_home.is_empty() && {
            let mut all = plan.coming.iter().flatten();
            all.all(|coming| matches!(coming, Coming::Direct { .. } | Coming::Local { .. }))
        };
        if by_devices_alone {
            // First, as an operator of an earlier loop may panic once the copies are under way.
            self.copied(from, to);
            self.totals.operations.planned(Operation::Copy, &plan);
            return self.copy_ahead(&plan, (&old, &new));
        }
        self.copy_and_wait(&plan, (from, to), (&old, &new))?;
        self.totals.operations.planned(Operation::Copy, &plan);
        self.copied(from, to);
        Ok(())
    }

    /// Notes what follows from a copy.
    fn copied(&mut self, from: usize, to: usize) {
        let filled = self.arrays[from].filled;
        let target = &mut self.arrays[to];
        target.placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        target.written();
        target.filled = filled;
    }

    /// Copies by way of the host.
    fn copy_and_wait(
        &mut self,
        plan: &Plan,
        (from, to): (usize, usize),
        (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    ) -> Result<(), DeviceError> {
        // Other devices may still have to copy ghost cells from rows that are written now.
        while let Some(under) = self.under.pop_front() {
            self.take_in(under, SmallVec::new())?;
        }
        let began = self.totals.timeline.is_some().then(Instant::now);
        let Some(set) = &self.set else { return Err(nowhere()) };
        let Ok([source, target]) = self.arrays.get_disjoint_mut([from, to]) else { return Err(nowhere()) };
        let (read, mut step) = read_all(self.runtime, &set.members, old, plan)?;
        let (home, copying_home) = (source.home(), Instant::now());
        if let Some(into) = target.home_mut() {
            if let Some(home) = home {
                apply(plan.at_home.iter().map(|copy| copy.apply(home, into)))?;
            }
            read_to_home(plan, &read, into)?;
            step.host_since(copying_home);
        }
        step.then(&bring(self.runtime, set, plan, (old, new), home, &read)?);
        self.totals.operations.took(Operation::Copy, &step);
        if let Some(began) = began {
            self.time_copy(plan, to, began);
        }
        Ok(())
    }

    /// Notes the time of a copy that ended now, for each device that has cells of it.
    fn time_copy(&mut self, plan: &Plan, to: usize, began: Instant) {
        let (now, rows) = (Instant::now(), self.rows_of_devices());
        let Some(set) = &self.set else { return };
        let to_home = !plan.at_home.is_empty() || plan.readings.iter().any(|reading| reading.to_home.is_some());
        let parts = &self.arrays[to].placed.parts;
        let has = |slot: usize| match set.shared[slot] {
            true => to_home && !parts[slot].is_empty(),
            false => !plan.coming[slot].is_empty(),
        };
        let exchange = Seconds::from(now.duration_since(began));
        let took: SmallVec<[Took; 8]> = (0..set.members.len())
            .filter(|&slot| has(slot))
            .map(|slot| Took { slot, exchange, ..Took::default() })
            .collect();
        for &Took { slot, .. } in &took {
            self.totals.ran(slot, false, 0, (0, Seconds::ZERO), exchange);
        }
        if let Some(timeline) = &mut self.totals.timeline {
            timeline.took(&took, &rows, What::Copy, now);
        }
    }
}

/// Copies what was read from devices to the home.
fn read_to_home(plan: &Plan, read: &[Vec<u8>], home: &mut [u8]) -> Result<(), DeviceError> {
    for (reading, bytes) in plan.readings.iter().zip(read) {
        if let Some(out) = &reading.to_home {
            apply(out.iter().map(|copy| copy.apply(bytes, home)))?;
        }
    }
    Ok(())
}

/// The plan by which cells go from some parts, in `buffers`, to others.
fn transfer_plan(
    set: &DeviceSet<'_>,
    (from, buffers): (&[Part], &[Option<BufferId>]),
    to: &[Part],
    transfers: Vec<Transfer>,
) -> Plan {
    let outlets = outlets(set, buffers);
    Plan::moving(from, to, transfers, |to, from| reaches(set, &outlets, to, from))
}

/// Copies on all devices at once, and waits for them. The plan counts the bytes.
fn bring(
    runtime: &Runtime,
    set: &DeviceSet<'_>,
    plan: &Plan,
    (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    home: Option<&[u8]>,
    read: &[Vec<u8>],
) -> Result<Step, DeviceError> {
    let outlets = outlets(set, old);
    copying(runtime, &set.members, |slot| {
        let nothing = DeviceCopies::default();
        let Some(to) = new[slot].filter(|_| !plan.coming[slot].is_empty()) else { return Ok(nothing) };
        let from = Sources { home, read, outlets: &outlets };
        let incoming: Vec<Incoming<'_>> = incoming_of(&plan.coming[slot], (old[slot], to), &from).collect();
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(nothing) };
        let began = Instant::now();
        let launch = Launch { work: None, incoming: &incoming, pieces: &[], late: &[], how: How::default() };
        let (launch, _) = resident.launch(&launch)?;
        resident.landed(launch).map(|_| copied_in(began.elapsed()))
    })
}
