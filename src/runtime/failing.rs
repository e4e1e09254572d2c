//! Devices that fail in every loop: AUTO does without them for a while.
//!
//! Each loop that begins with such a device loses time until others have taken over its part, and teaches nothing. Other policies
//! go on with it, as the caller chose it.

use crate::runtime::report::LeftOut;
use crate::runtime::select::Members;
use std::sync::atomic::{AtomicU32, Ordering};

/// After so many failures in a row AUTO leaves a device out.
const IN_A_ROW: u32 = 2;
/// For so many loops at first, then for twice as many after each further failure, up to [`LONGEST`].
const PAUSE: u32 = 16;
const LONGEST: u32 = 1024;

/// What became of a device's last loops.
#[derive(Debug, Default)]
pub(super) struct Failing {
    in_a_row: AtomicU32,
    /// For so many loops AUTO still does without it.
    pause: AtomicU32,
}

impl Failing {
    pub fn failed(&self) {
        let before = self.in_a_row.fetch_add(1, Ordering::Relaxed);
        if let Some(more) = (before + 1).checked_sub(IN_A_ROW) {
            self.pause.store((PAUSE << more.min(8)).min(LONGEST), Ordering::Relaxed);
        }
    }

    pub fn worked(&self) {
        if self.in_a_row.load(Ordering::Relaxed) > 0 {
            self.in_a_row.store(0, Ordering::Relaxed);
            self.pause.store(0, Ordering::Relaxed);
        }
    }

    /// Why AUTO leaves the device out of a loop, if it does.
    pub fn pauses(&self) -> Option<String> {
        let left = self.pause.load(Ordering::Relaxed);
        (left > 0).then(|| {
            let failures = self.in_a_row.load(Ordering::Relaxed);
            format!(
                "it failed in the last {failures} loops that it had a part of; AUTO uses it again after {left} loops"
            )
        })
    }

    /// Counts a loop for which it was left out.
    pub fn paused(&self) {
        self.pause.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Leaves out devices that fail in every loop, unless all do.
pub(super) fn pause(members: &mut Members<'_>, left_out: &mut Vec<LeftOut>, predicts: bool) {
    if members.iter().all(|member| member.failing.pauses().is_some()) {
        return;
    }
    members.retain(|member| {
        let Some(reason) = member.failing.pauses() else { return true };
        left_out.push(LeftOut { device: member.model.name.clone(), reason });
        if !predicts {
            member.failing.paused();
        }
        false
    });
}
