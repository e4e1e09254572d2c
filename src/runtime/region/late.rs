//! Scalars of a loop that are results of earlier loops, and may not be there yet.

use super::DataRegion;
use crate::devices::resident::{Late, LateWork, Results, Taken};
use crate::error::{Error, Result};
use crate::kernel::{Bound, Kernel, LoopOf, Pending, Reduce, Reduction};
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
        (reduction, columns): (Option<Reduction>, bool),
    ) -> Result<SmallVec<[Late; 2]>> {
        let (mut late, mut again) = (SmallVec::new(), !pending.is_empty());
        while again {
            // After a wait, others may be there too.
            (late, again) = (SmallVec::new(), false);
            for (argument, pending) in &pending {
                if let Some(value) = pending.answer.get() {
                    bound.settle(*argument, *value);
                } else if let Some(one) = self.late(bound.kernel(), *argument, pending) {
                    late.push(one);
                } else {
                    self.settle_now(bound, *argument, pending)?;
                    again = !late.is_empty();
                }
            }
        }
        if !late.is_empty() && !self.devices_combine(bound, (reduction, columns), &late) {
            late.clear();
            pending.iter().try_for_each(|(argument, pending)| self.settle_now(bound, *argument, pending))?;
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

    /// Who will take a loop's result, if results of its kernel were taken before.
    pub(super) fn will_be_taken(&self, kernel: &Kernel, number: u64) -> Taken {
        if self.taken.is_empty() || !self.taken.contains(&kernel.id()) {
            return Taken::ByHost;
        }
        match self.set.as_ref().is_some_and(|set| set.members.len() == 1) {
            true => Taken::Here(LoopOf { region: self.number, number }),
            false => Taken::ByDevices,
        }
    }

    /// Whether all devices can, once they have compiled what they need.
    fn devices_combine(
        &mut self,
        bound: &Bound<'_>,
        (reduction, columns): (Option<Reduction>, bool),
        late: &[Late],
    ) -> bool {
        let Some(set) = &self.set else { return false };
        let work = LateWork { kernel: bound.kernel(), arguments: bound.arguments(), reduction, columns };
        set.members.iter().all(|member| {
            let mut device = member.device();
            let before = device.compile_time();
            let combines = device.resident().is_some_and(|resident| resident.combines(&work, late));
            self.totals.compiled(member.id, device.compile_time().saturating_sub(before));
            combines
        })
    }
}

/// Why a loop's reduction has no result.
pub(super) fn no_result(number: u64) -> Error {
    Error::call(format!(
        "loop {number} of the data region gave no result, as the operator of its reduction panicked in an earlier call: run the \
         loop again"
    ))
}
