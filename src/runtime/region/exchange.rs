//! Exchanges of ghost cells: planned once for a split, done many times.

use super::operations::DeviceCopies;
use crate::data::layout::{BoxCopy, Part, Transfer, bytes_of, packed_apart};
use crate::units::Bytes;

/// Cells that a device with memory of its own receives.
#[derive(Clone, Debug)]
pub(super) enum Coming {
    /// Copied directly from another device.
    Direct { from: usize, copies: Vec<BoxCopy> },
    /// From its own buffer.
    Local { copies: Vec<BoxCopy> },
    /// From the home.
    Home { copies: Vec<BoxCopy> },
    /// From another device, by way of the host.
    Staged { reading: usize, copies: Vec<BoxCopy> },
}

/// Cells that the host reads from a device with memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub from: usize,
    /// Into a dense buffer.
    pub copies: Vec<BoxCopy>,
    /// Bytes of the buffer.
    pub bytes: usize,
    /// Copies from that buffer to the home, if the cells go there.
    pub to_home: Option<Vec<BoxCopy>>,
}

/// The exchange of one array.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Copies within the home.
    pub at_home: Vec<BoxCopy>,
    /// What the host reads from devices.
    pub readings: Vec<Reading>,
    /// What each device receives.
    pub coming: Vec<Vec<Coming>>,
    /// Bytes that go between memories.
    pub bytes: usize,
    /// Bytes that each device copies to its memory and from it.
    pub traffic: Vec<DeviceCopies>,
}

impl Plan {
    /// Plans an exchange from its transfers; `reaches(to, from)` says whether a device can copy directly from another.
    pub fn new(parts: &[Part], transfers: Vec<Transfer>, reaches: impl Fn(usize, usize) -> bool) -> Self {
        Self::moving(parts, parts, transfers, reaches)
    }

    /// Plans transfers from old buffers to new ones.
    pub fn moving(
        old: &[Part],
        new: &[Part],
        transfers: Vec<Transfer>,
        reaches: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let (coming, traffic) = (vec![Vec::new(); new.len()], vec![DeviceCopies::default(); new.len()]);
        let mut plan = Self { coming, traffic, ..Self::default() };
        for Transfer { from_part: from, to_part: to, copies } in transfers {
            if old[from].is_home() && new[to].is_home() {
                plan.at_home.extend(copies);
                continue;
            }
            let local = from == to && !old[from].is_home() && !new[to].is_home();
            if !local {
                let bytes = bytes_of(&copies);
                plan.bytes += bytes;
                if !old[from].is_home() {
                    plan.traffic[from].bytes_from += Bytes(bytes as u64);
                }
                if !new[to].is_home() {
                    plan.traffic[to].bytes_to += Bytes(bytes as u64);
                }
            }
            if new[to].is_home() {
                let bytes = bytes_of(&copies);
                let (copies, out) = packed_apart(&copies);
                plan.readings.push(Reading { from, copies, bytes, to_home: Some(out) });
            } else if local {
                plan.coming[to].push(Coming::Local { copies });
            } else if old[from].is_home() {
                plan.coming[to].push(Coming::Home { copies });
            } else if reaches(to, from) {
                plan.coming[to].push(Coming::Direct { from, copies });
            } else {
                let bytes = bytes_of(&copies);
                let (into, copies) = packed_apart(&copies);
                let reading = plan.readings.len();
                plan.readings.push(Reading { from, copies: into, bytes, to_home: None });
                plan.coming[to].push(Coming::Staged { reading, copies });
            }
        }
        plan
    }

    /// Whether anything is copied, if only within a memory.
    pub fn copies(&self) -> bool {
        self.bytes > 0 || !self.at_home.is_empty() || self.coming.iter().any(|coming| !coming.is_empty())
    }
}
