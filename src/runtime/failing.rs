//! Devices that fail in every loop of a kernel: AUTO does without them for a while.
//!
//! Each loop that begins with such a device loses time until others have taken over its part, and teaches nothing. Other policies
//! go on with it, as the caller chose it.

use crate::runtime::report::LeftOut;
use crate::runtime::select::Members;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// After so many failures in a row AUTO leaves a device out.
const IN_A_ROW: u32 = 2;
/// For so many loops at first, then for twice as many after each further failure, up to [`LONGEST`].
const PAUSE: u32 = 16;
const LONGEST: u32 = 1024;
/// Kernels kept: what is forgotten fails twice more.
const KERNELS: usize = 64;

/// What became of a device's last loops, by the code of their kernels.
#[derive(Debug, Default)]
pub(super) struct Failing {
    /// Whether there are any: most devices never fail, and need no lock.
    any: AtomicBool,
    of: Mutex<Vec<OfKernel>>,
}

#[derive(Debug)]
struct OfKernel {
    code: u64,
    in_a_row: u32,
    /// For so many loops AUTO still does without the device.
    pause: u32,
}

impl Failing {
    fn with<R>(&self, act: impl FnOnce(&mut Vec<OfKernel>) -> R) -> R {
        act(&mut self.of.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn failed(&self, code: u64) {
        self.any.store(true, Ordering::Relaxed);
        self.with(|of| {
            let known = of.iter().position(|kernel| kernel.code == code).unwrap_or_else(|| {
                if of.len() >= KERNELS {
                    of.remove(0);
                }
                of.push(OfKernel { code, in_a_row: 0, pause: 0 });
                of.len() - 1
            });
            let kernel = &mut of[known];
            kernel.in_a_row += 1;
            if let Some(more) = kernel.in_a_row.checked_sub(IN_A_ROW) {
                kernel.pause = (PAUSE << more.min(8)).min(LONGEST);
            }
        });
    }

    pub fn worked(&self, code: u64) {
        if self.any.load(Ordering::Relaxed) {
            self.with(|of| of.retain(|kernel| kernel.code != code));
        }
    }

    /// Why AUTO leaves the device out of a loop of this kernel, if it does.
    fn pauses(&self, code: u64) -> Option<String> {
        self.with(|of| {
            let OfKernel { in_a_row, pause, .. } = of.iter().find(|kernel| kernel.code == code && kernel.pause > 0)?;
            Some(format!(
                "it failed in the last {in_a_row} loops of this kernel that it had a part of; AUTO uses it again after {pause} \
                 loops"
            ))
        })
    }

    /// Counts a loop for which it was left out.
    fn paused(&self, code: u64) {
        self.with(|of| {
            let kernel = of.iter_mut().find(|kernel| kernel.code == code);
            kernel.into_iter().for_each(|kernel| kernel.pause = kernel.pause.saturating_sub(1));
        });
    }
}

/// Leaves out devices that fail in every loop of this kernel, unless all do.
pub(super) fn pause(members: &mut Members<'_>, code: u64, left_out: &mut Vec<LeftOut>, predicts: bool) {
    if !members.iter().any(|member| member.failing.any.load(Ordering::Relaxed)) {
        return;
    }
    let reasons: Vec<_> = members.iter().map(|member| member.failing.pauses(code)).collect();
    if reasons.iter().all(Option::is_none) || reasons.iter().all(Option::is_some) {
        return;
    }
    let mut reasons = reasons.into_iter();
    members.retain(|member| {
        let Some(reason) = reasons.next().flatten() else { return true };
        left_out.push(LeftOut { device: member.model.name.clone(), reason });
        if !predicts {
            member.failing.paused(code);
        }
        false
    });
}
