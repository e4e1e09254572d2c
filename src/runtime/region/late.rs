//! Scalars of a loop that are results of earlier loops, and may not be there yet.

use super::DataRegion;
use crate::devices::resident::{Late, Results};
use crate::error::{Error, Result};
use crate::kernel::{Bound, Kernel, LoopOf, Pending, Reduce};
use smallvec::SmallVec;

impl DataRegion<'_, '_> {
    /// Checks that the results are of this region's loops.
    pub(super) fn check_pending(&self, kernel: &Kernel, pending: &[(usize, Pending)]) -> Result<()> {
        match pending.iter().find(|(_, pending)| pending.of.region != self.number) {
            None => Ok(()),
            Some((position, _)) => Err(Error::call(format!(
                "kernel `{}`: argument {position} is the result of another data region's loop: ask that region for it by \
                 `value`, and pass the number",
                kernel.name()
            ))),
        }
    }

    /// Gives the loop's scalars that are results their numbers. Results that are not there yet are left to the devices, if all of
    /// them can combine them; otherwise this waits for them.
    pub(super) fn settle_pending(
        &mut self,
        bound: &mut Bound<'_>,
        pending: Vec<(usize, Pending)>,
    ) -> Result<SmallVec<[Late; 2]>> {
        let mut late = SmallVec::new();
        let mut left = Vec::new();
        for (argument, pending) in pending {
            if let Some(value) = pending.answer.get() {
                bound.settle(argument, *value);
                continue;
            }
            match self.late(bound.kernel(), argument, &pending) {
                Some(one) => late.push(one),
                None => self.settle_now(bound, argument, &pending)?,
            }
            left.push((argument, pending));
        }
        if !late.is_empty() && !self.devices_combine(&late) {
            late.clear();
            left.iter().try_for_each(|(argument, pending)| self.settle_now(bound, *argument, pending))?;
        }
        Ok(late)
    }

    /// Waits for a result.
    fn settle_now(&mut self, bound: &mut Bound<'_>, argument: usize, pending: &Pending) -> Result<()> {
        self.land_to(pending.of.number)?;
        let value = pending.answer.get().copied();
        bound.settle(argument, value.ok_or_else(|| no_result(pending.of.number))?);
        Ok(())
    }

    /// The partial results of a loop, if they are all on devices of the loop's own memory, and the kernel can take what they make.
    fn late(&mut self, kernel: &Kernel, argument: usize, pending: &Pending) -> Option<Late> {
        let set = self.set.as_ref().filter(|set| !set.shared.contains(&true))?;
        // Blocks of rows have many results, which the host combines.
        if self.block.is_some() || !kernel.takes_late(argument) {
            return None;
        }
        let under = self.under.iter().find(|under| under.number == pending.of.number)?;
        let reduction = under.reduction.filter(|reduction| !matches!(reduction.operator, Reduce::Own(_)))?;
        if !under.done.is_empty() || !under.landed.is_empty() || under.launches.is_empty() {
            return None;
        }
        let results =
            under.launches.iter().map(|(slot, launch)| set.members[*slot].device().resident()?.results(*launch));
        let results: SmallVec<[Results; 2]> = results.collect::<Option<_>>()?;
        if !self.taken.contains(&under.kernel) {
            self.taken.push(under.kernel.clone());
        }
        Some(Late { argument, of: pending.of, reduction, results })
    }

    /// The loop, if results of its kernel were taken before, and it runs on one device.
    pub(super) fn will_be_taken(&self, kernel: &Kernel, number: u64) -> Option<LoopOf> {
        let one = self.set.as_ref().is_some_and(|set| set.members.len() == 1);
        let taken = one && !self.taken.is_empty() && self.taken.contains(&kernel.id());
        taken.then_some(LoopOf { region: self.number, number })
    }

    fn devices_combine(&self, late: &[Late]) -> bool {
        let Some(set) = &self.set else { return false };
        set.members.iter().all(|member| member.device().resident().is_some_and(|resident| resident.combines(late)))
    }
}

/// Why a loop's reduction has no result.
pub(super) fn no_result(number: u64) -> Error {
    Error::call(format!(
        "loop {number} of the data region gave no result, as the operator of its reduction panicked in an earlier call: run the \
         loop again"
    ))
}
