//! Which devices a loop has: by the specifier, and by what its kernel has variants for.

use crate::devices::specifier;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, Variants};
use crate::runtime::{LeftOut, Member, Runtime};
use smallvec::SmallVec;
use std::sync::PoisonError;

/// The devices of a loop.
pub(super) type Members<'r> = SmallVec<[&'r Member; 8]>;

/// What the last loop asked for and what it got: loops come again, and to read a specifier and ask each device takes as long
/// as all else before a loop.
pub(super) struct Selected {
    specifier: Option<String>,
    variants: Variants,
    /// Places in the runtime's list.
    members: SmallVec<[usize; 8]>,
    warnings: Vec<String>,
}

impl Runtime {
    /// The devices that a specifier picks and that can run a kernel; those left out, and remarks.
    pub(super) fn select(
        &self,
        specifier: Option<&str>,
        kernel: &Kernel,
    ) -> Result<(Members<'_>, Vec<LeftOut>, Vec<String>)> {
        let variants = kernel.variants();
        if let Some(known) = self.known(specifier, variants) {
            return Ok(known);
        }
        let all = &self.members;
        let (chosen, warnings): (SmallVec<[usize; 8]>, _) = match specifier {
            None => ((0..all.len()).collect(), Vec::new()),
            Some(text) => {
                let selection = specifier::parse(text, &self.candidates)?;
                let place = |&id| all.iter().position(|member| member.id == id);
                (selection.ids.iter().filter_map(place).collect(), selection.warnings)
            }
        };
        let mut left_out = Vec::new();
        let mut members = SmallVec::new();
        for index in chosen {
            let member = &all[index];
            match member.device().eligible(kernel) {
                Ok(()) => members.push(index),
                Err(reason) => left_out.push(LeftOut { device: member.model.name.clone(), reason }),
            }
        }
        if members.is_empty() {
            let reasons: Vec<_> = left_out.iter().map(|l| format!("{}: {}", l.device, l.reason)).collect();
            // A device that it has a variant for may not have been found at all.
            let found: String = self.notes.iter().map(|note| format!("\n{note}")).collect();
            return Err(Error::call(format!(
                "kernel `{}`: no device can run it ({}); add a variant, or choose other devices{found}",
                kernel.name(),
                reasons.join("; ")
            )));
        }
        let of_loop = members.iter().map(|&index| &all[index]).collect();
        // The reasons name the kernel, so where there are some all is asked again.
        if left_out.is_empty() {
            let specifier = specifier.map(str::to_owned);
            let selected = Selected { specifier, variants, members, warnings: warnings.clone() };
            *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = Some(selected);
        }
        Ok((of_loop, left_out, warnings))
    }

    /// The same where the last loop asked for it too.
    fn known(&self, specifier: Option<&str>, variants: Variants) -> Option<(Members<'_>, Vec<LeftOut>, Vec<String>)> {
        let selected = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        let last = selected.as_ref()?;
        if last.variants != variants || last.specifier.as_deref() != specifier {
            return None;
        }
        let members = last.members.iter().map(|&index| &self.members[index]).collect();
        Some((members, Vec::new(), last.warnings.clone()))
    }
}
