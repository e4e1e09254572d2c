//! Arrays that are on no device yet. A copy to one is noted: its values go where it is placed, or to the user's memory where that
//! is asked for before. Nothing moves until then, and results are those of copies done at once.

use super::DataRegion;
use super::array::{Home, RegionArray, UserMemory};
use super::dispatch::{apply, nowhere, of_the_host};
use super::operations::Step;
use super::place::send;
use super::refused::Refused;
use crate::data::layout;
use crate::error::{DeviceError, Result};
use std::sync::Arc;
use std::time::Instant;

/// Where an array that is on no device has its values, if it has any.
#[derive(Clone, Debug, Default)]
pub(super) enum Begins {
    /// In its own memory of the user's.
    #[default]
    Own,
    /// In the user's memory of another array, whose values were copied to it.
    Of(usize),
    /// Here: that memory has changed since.
    Kept(Arc<Vec<u8>>),
}

impl DataRegion<'_, '_> {
    /// Notes a copy to an array that is on no device, from another.
    pub(super) fn copy_unplaced(&mut self, from: usize, to: usize) {
        let source = &self.arrays[from];
        let (begins, filled) = match &source.begins {
            _ if !source.filled => (Begins::Own, false),
            Begins::Own => (Begins::Of(from), true),
            Begins::Of(of) if *of == to => (Begins::Own, true),
            begins => (begins.clone(), true),
        };
        let target = &mut self.arrays[to];
        (target.begins, target.filled) = (begins, filled);
        target.version += 1;
    }

    /// Brings what was copied to an array that is on no device to the user's memory of it, if it has any.
    pub(super) fn bring_unplaced(&mut self, index: usize) -> Result<(), DeviceError> {
        let array = &self.arrays[index];
        // One that found no room on the devices has its values all the same.
        let impossible = matches!(array.refused, Some(Refused::Layout(_)));
        let copied = !matches!(array.begins, Begins::Own) && !impossible;
        if !copied || !matches!(array.user, UserMemory::Write(_)) {
            return Ok(());
        }
        self.keep_copied(index)?;
        let begins = std::mem::take(&mut self.arrays[index].begins);
        let (array, values) = beside(&mut self.arrays, index, &begins).ok_or_else(nowhere)?;
        if let UserMemory::Write(bytes) = &mut array.user {
            bytes.copy_from_slice(values);
        }
        array.version += 1;
        Ok(())
    }

    /// Keeps what was copied from the user's memory of an array, which is about to change.
    pub(super) fn keep_copied(&mut self, index: usize) -> Result<(), DeviceError> {
        let takes = |array: &RegionArray<'_>| matches!(array.begins, Begins::Of(of) if of == index);
        let Some(bytes) = self.arrays[index].user.bytes().filter(|_| self.arrays.iter().any(takes)) else {
            return Ok(());
        };
        let mut kept = Vec::new();
        kept.try_reserve_exact(bytes.len()).map_err(|error| of_the_host(&error))?;
        kept.extend_from_slice(bytes);
        let kept = Arc::new(kept);
        for array in self.arrays.iter_mut().filter(|array| takes(array)) {
            array.begins = Begins::Kept(Arc::clone(&kept));
        }
        Ok(())
    }

    /// Copies an array's values to where it was placed, if it has any: the user's, also those that `update_to` was called for
    /// before, or what was copied to it.
    pub(super) fn fill(&mut self, index: usize) -> Result<Step, DeviceError> {
        let array = &mut self.arrays[index];
        let begins = std::mem::take(&mut array.begins);
        if !array.filled {
            return Ok(Step::default());
        }
        if matches!(begins, Begins::Own) {
            return self.copy_in(index);
        }
        if matches!(array.home, Home::User) {
            self.keep_copied(index)?;
        }
        let Some(set) = &self.set else { return Err(nowhere()) };
        let (array, values) = beside(&mut self.arrays, index, &begins).ok_or_else(nowhere)?;
        let at_home = array.placed.whole.as_ref().map(layout::place).unwrap_or_default();
        let mut step = Step::default();
        if let Some(home) = array.home_mut() {
            let began = Instant::now();
            apply(at_home.iter().map(|copy| copy.apply(values, home)))?;
            step.host_since(began);
        }
        array.placed.newer = true;
        step.then(&send(self.runtime, set, &array.placed, values)?);
        Ok(step)
    }
}

/// An array, and the values that were copied to it.
fn beside<'v, 'a>(
    arrays: &'v mut [RegionArray<'a>],
    index: usize,
    begins: &'v Begins,
) -> Option<(&'v mut RegionArray<'a>, &'v [u8])> {
    match begins {
        Begins::Own => None,
        Begins::Of(of) => {
            let [array, source] = arrays.get_disjoint_mut([index, *of]).ok()?;
            Some((array, source.user.bytes()?))
        }
        Begins::Kept(values) => Some((arrays.get_mut(index)?, values)),
    }
}
