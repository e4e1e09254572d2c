//! Boxes of bytes: rows at a stride, and groups of such rows.

use crate::codes::*;
use crate::state::State;

/// The location of one side of a box.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The device; `None` for host memory.
    pub device: Option<i32>,
    pub start: u64,
    /// Bytes from one row to the next, and from one group of rows to the next.
    pub strides: [u64; 2],
}

/// A copy of `width` bytes, `counts[0]` times in a group, for `counts[1]` groups.
#[derive(Clone, Copy, Debug)]
pub struct BoxCopy {
    pub to: End,
    pub from: End,
    pub width: u64,
    pub counts: [u64; 2],
}

impl BoxCopy {
    /// Bytes from the first to the last of one side; `None` on overflow.
    pub fn span(&self, end: &End) -> Option<u64> {
        let last = |k: usize| self.counts[k].checked_sub(1)?.checked_mul(end.strides[k]);
        last(0)?.checked_add(last(1)?)?.checked_add(self.width)
    }

    /// The host memory from the first to the last byte of the host side, if there is one.
    pub fn host_range(&self) -> Option<(usize, usize)> {
        let end = [&self.to, &self.from].into_iter().find(|end| end.device.is_none())?;
        Some((end.start as usize, self.span(end)? as usize))
    }

    pub fn kind(&self) -> &'static str {
        match (self.to.device, self.from.device) {
            (Some(_), None) => "h2d",
            (None, _) => "d2h",
            (Some(to), Some(from)) if to != from => "peer",
            _ => "d2d",
        }
    }
}

impl State {
    /// Copies a box and returns the number of bytes.
    pub fn copy_box(&mut self, copy: &BoxCopy) -> Outcome<u64> {
        let places = (0..copy.counts[1]).flat_map(|j| (0..copy.counts[0]).map(move |i| [i, j]));
        for [i, j] in places {
            let at = |end: &End| end.start + i * end.strides[0] + j * end.strides[1];
            let mut row = vec![0u8; copy.width as usize];
            match copy.from.device {
                Some(device) => row.copy_from_slice(self.memory.bytes(at(&copy.from), copy.width, &[device])?),
                None => {
                    // SAFETY: the caller that enqueued the copy promised that the host range can be read until the copy has run;
                    // `row` has the same length and is memory of this function.
                    unsafe {
                        let from = at(&copy.from) as usize as *const u8;
                        std::ptr::copy_nonoverlapping(from, row.as_mut_ptr(), row.len());
                    }
                }
            }
            match copy.to.device {
                Some(device) => self.memory.bytes(at(&copy.to), copy.width, &[device])?.copy_from_slice(&row),
                None => {
                    // SAFETY: as above; the host range can be written, and nothing else uses it until the copy has run.
                    unsafe {
                        let to = at(&copy.to) as usize as *mut u8;
                        std::ptr::copy_nonoverlapping(row.as_ptr(), to, row.len());
                    }
                }
            }
        }
        Ok(copy.width * copy.counts[0] * copy.counts[1])
    }
}
