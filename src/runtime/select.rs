//! Selects a loop's devices, by the specifier and by the kernel's variants.

use crate::devices::specifier;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, Variants};
use crate::model::MemoryKind;
use crate::model::machine::DeviceKind;
use crate::runtime::{LeftOut, Member, Runtime};
use smallvec::SmallVec;
use std::sync::PoisonError;

/// The devices of a loop.
pub(super) type Members<'r> = SmallVec<[&'r Member; 8]>;

/// What the last loop asked for, and the devices it got. Loops repeat, and to parse a specifier and ask each device takes as
/// long as everything else before a loop.
pub(super) struct Selected {
    specifier: Option<String>,
    variants: Variants,
    /// Indices in the runtime's list.
    members: SmallVec<[usize; 8]>,
    warnings: Vec<String>,
}

impl Member {
    /// Whether it can run loops over rows and columns.
    ///
    /// # Errors
    /// Why not, and what would help.
    pub(super) fn takes_columns(&self) -> std::result::Result<(), String> {
        if self.kind != DeviceKind::Opencl || self.model.memory != MemoryKind::Shared {
            return Ok(());
        }
        Err(format!(
            "`{}` is an OpenCL device in the host's memory, and such devices loop over rows and columns in memory of their own \
             only: set its `memory` to `discrete`",
            self.model.name
        ))
    }
}

impl Runtime {
    /// The devices that a specifier picks and that can run the kernel; the devices left out; and remarks.
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
            return Err(self.nobody(kernel, &left_out));
        }
        let of_loop = members.iter().map(|&index| &all[index]).collect();
        // Reasons name the kernel, so a selection that has some is not remembered.
        if left_out.is_empty() {
            let specifier = specifier.map(str::to_owned);
            let selected = Selected { specifier, variants, members, warnings: warnings.clone() };
            *self.selected.lock().unwrap_or_else(PoisonError::into_inner) = Some(selected);
        }
        Ok((of_loop, left_out, warnings))
    }

    /// The error that all devices are left out.
    pub(super) fn nobody(&self, kernel: &Kernel, left_out: &[LeftOut]) -> Error {
        let reasons: Vec<_> = left_out.iter().map(|l| format!("{}: {}", l.device, l.reason)).collect();
        // A device for which the kernel has a variant may not have been found at all.
        let found: String = self.notes.iter().map(|note| format!("\n{note}")).collect();
        Error::call(format!(
            "kernel `{}`: no device can run it ({}); add a variant, or choose other devices{found}",
            kernel.name(),
            reasons.join("; ")
        ))
    }

    /// The selection of the last loop, if that loop asked for the same.
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
