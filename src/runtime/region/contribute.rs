//! Arrays to which any iteration may contribute at any element: each device has its own copy, and the copies are combined in
//! the order of the devices.

use super::DataRegion;
use super::dispatch::{Contributed, copying, nowhere};
use super::operations::{DeviceCopies, Operation, Step, copied_from, copied_to};
use super::run::Use;
use crate::data::layout::BoxCopy;
use crate::devices::{identities, merge};
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Bound, Reduction};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// An array that a loop contributes to.
pub(super) struct Contribution {
    argument: usize,
    array: usize,
    reduction: Reduction,
    /// The array's values before the loop.
    before: Vec<u8>,
    /// What was copied so far.
    step: Step,
}

impl DataRegion<'_, '_> {
    /// Checks that iterations can contribute to the arrays.
    pub(super) fn check_contributions(&self, bound: &Bound<'_>, uses: &[Option<Use>]) -> Result<()> {
        for (argument, _) in bound.array_reductions() {
            let Some(used) = uses.get(*argument).and_then(Option::as_ref) else { continue };
            let kernel = bound.kernel().name();
            let array = &self.arrays[used.array];
            if !array.placed.replicated {
                return Err(Error::call(format!(
                    "kernel `{kernel}`: argument {argument}, {}: iterations contribute to all of it, so every device must \
                     have all of it: map it `.full()`",
                    self.called(used)
                )));
            }
            if !array.filled {
                return Err(Error::call(format!(
                    "kernel `{kernel}`: argument {argument}, {}: iterations contribute to what it holds, but it is mapped `{}` \
                     and nothing was written to it: map it `tofrom`, or copy another array to it first",
                    self.called(used),
                    if array.direction.copies_out() { "from" } else { "alloc" }
                )));
            }
        }
        Ok(())
    }

    /// Notes which arrays the loop reads that nothing wrote yet. The loop may read them under a condition alone, so it is not
    /// refused. One that also writes them may write first, unless its text says otherwise.
    pub(super) fn note_unwritten(&mut self, bound: &Bound<'_>, uses: &[Option<Use>]) {
        for (argument, used) in uses.iter().enumerate() {
            let Some(used) = used.as_ref().filter(|used| !self.arrays[used.array].filled) else { continue };
            let kernel = bound.kernel().name();
            let noted = self.unwritten.iter().any(|(of, array)| **of == *kernel && *array == used.array);
            if noted || used.direction.writes() && !bound.reads_first(argument) {
                continue;
            }
            let why = match self.arrays[used.array].direction {
                direction if direction.copies_in() => {
                    "to which an array was copied that nothing wrote before: its values are undefined; write that first"
                        .to_owned()
                }
                direction => format!(
                    "which is mapped `{direction}` and which nothing wrote before: its values are undefined; map it `to` or \
                     `tofrom`, or write it first"
                ),
            };
            let note = format!("kernel `{kernel}` reads {}, {why}", self.called(used));
            log::warn!("{note}");
            self.notes.push(note);
            self.unwritten.push((bound.kernel().shared_name(), used.array));
        }
    }

    /// Bytes of each array that a loop contributes to.
    pub(super) fn contributed_bytes(&self, bound: &Bound<'_>) -> Vec<f64> {
        let of = |(argument, _): &(usize, Reduction)| {
            let array = self.arrays.get(bound.arguments()[*argument].array()?.mapped?.index)?;
            Some(array.layout.elements()? as f64 * array.element.bytes() as f64)
        };
        bound.array_reductions().iter().filter_map(of).collect()
    }

    /// Whether the region has a single device, which has the array in memory of its own: it contributes to the array itself.
    fn is_of_one_device(&self, array: usize) -> bool {
        self.set.as_ref().is_some_and(|set| set.members.len() == 1)
            && matches!(self.arrays[array].placed.buffers[..], [Some(_)])
    }

    /// Saves the arrays' values, and fills the devices' copies with the operator's identity element.
    pub(super) fn prepare_contributions(
        &mut self,
        bound: &Bound<'_>,
        uses: &[Option<Use>],
    ) -> Result<Vec<Contribution>, DeviceError> {
        let mut contributions = Vec::new();
        for &(argument, reduction) in bound.array_reductions() {
            let Some(used) = uses.get(argument).and_then(Option::as_ref) else { continue };
            if self.is_of_one_device(used.array) {
                continue;
            }
            let (before, mut step) = self.whole_of(used.array)?;
            let began = Instant::now();
            let identity = identities(reduction, before.len()).map_err(|message| DeviceError {
                device: "host".to_owned(),
                phase: Phase::To,
                chunk: None,
                message,
            })?;
            step.host_since(began);
            step.then(&self.give_all(used.array, &bytemuck::cast_slice(&identity)[..before.len()])?);
            contributions.push(Contribution { argument, array: used.array, reduction, before, step });
        }
        Ok(contributions)
    }

    /// Combines what the devices contributed with the arrays' earlier values, and gives the result to all devices.
    pub(super) fn combine_contributions(
        &mut self,
        contributions: Vec<Contribution>,
        contributed: Contributed,
    ) -> Result<(), DeviceError> {
        for Contribution { argument, array, reduction, mut before, mut step } in contributions {
            let Some(set) = &self.set else { return Err(nowhere()) };
            let copies: Vec<Mutex<Vec<u8>>> = set.members.iter().map(|_| Mutex::default()).collect();
            let (len, buffers) = (before.len(), &self.arrays[array].placed.buffers);
            step.then(&copying(self.runtime, &set.members, |slot| {
                let nothing = DeviceCopies::default();
                let Some(buffer) = buffers[slot] else { return Ok(nothing) };
                let mut bytes = vec![0; len];
                let mut device = set.members[slot].device();
                let Some(resident) = device.resident() else { return Ok(nothing) };
                let took = resident.read(buffer, &[BoxCopy::row(0, 0, len)], &mut bytes)?;
                *copies[slot].lock().unwrap_or_else(PoisonError::into_inner) = bytes;
                Ok(copied_from(len, took))
            })?);
            let began = Instant::now();
            for (slot, copy) in copies.into_iter().enumerate() {
                let copy = copy.into_inner().unwrap_or_else(PoisonError::into_inner);
                merge(reduction, &mut before, &copy);
                for (_, _, words) in contributed.iter().filter(|(of, to, _)| *of == slot && *to == argument) {
                    merge(reduction, &mut before, bytemuck::cast_slice(words));
                }
            }
            if let Some(home) = self.arrays[array].home_mut() {
                home.copy_from_slice(&before);
            }
            step.host_since(began);
            step.then(&self.give_all(array, &before)?);
            self.totals.operations.did(Operation::Contributions, &step);
        }
        Ok(())
    }

    /// The bytes of a replicated array.
    fn whole_of(&self, array: usize) -> Result<(Vec<u8>, Step), DeviceError> {
        let array = &self.arrays[array];
        let mut step = Step::default();
        if let Some(home) = array.home() {
            let began = Instant::now();
            let whole = home.to_vec();
            step.host_since(began);
            return Ok((whole, step));
        }
        let Some(set) = &self.set else { return Err(nowhere()) };
        let bytes = array.placed.parts.first().map_or(0, crate::data::layout::Part::bytes);
        let mut whole = vec![0; bytes];
        if let Some((slot, buffer)) = array.placed.buffers.iter().enumerate().find_map(|(s, b)| Some((s, (*b)?))) {
            let mut device = set.members[slot].device();
            if let Some(resident) = device.resident() {
                let took = resident.read(buffer, &[BoxCopy::row(0, 0, bytes)], &mut whole)?;
                step.then_one(slot, copied_from(bytes, took));
            }
        }
        Ok((whole, step))
    }

    /// Writes the same bytes to every device with memory of its own.
    fn give_all(&self, array: usize, bytes: &[u8]) -> Result<Step, DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let buffers = &self.arrays[array].placed.buffers;
        copying(self.runtime, &set.members, |slot| {
            let nothing = DeviceCopies::default();
            let Some(buffer) = buffers[slot] else { return Ok(nothing) };
            let mut device = set.members[slot].device();
            let Some(resident) = device.resident() else { return Ok(nothing) };
            let took = resident.write(buffer, &[BoxCopy::row(0, 0, bytes.len())], bytes)?;
            Ok(copied_to(bytes.len(), took))
        })
    }
}
