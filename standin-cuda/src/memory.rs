//! Device memory and page-locked host memory: what is allocated, and whether an address may be touched.

use crate::codes::{ILLEGAL_ADDRESS, INVALID_VALUE, OUT_OF_MEMORY, Outcome};
use std::collections::BTreeMap;

/// No host has memory there: the address is not canonical on any 64-bit machine, so following it faults.
const FIRST_ADDRESS: u64 = 0x0d00_0000_0000_0000;
/// Least distance between two allocations, so that an overrun of one does not land in the next.
const GAP: u64 = 4096;
/// Alignment of allocations, as the driver's.
const ALIGN: u64 = 512;
/// Contents of memory that was never written.
pub const POISON: u8 = 0xAB;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Allocated in a stream's order, and the stream has not reached it yet.
    Planned,
    Live,
    /// Kept without its bytes, to tell a freed address from one that never existed.
    Freed,
}

pub struct Allocation {
    pub start: u64,
    pub len: u64,
    pub device: i32,
    pub context: u64,
    pub life: Life,
    bytes: Vec<u8>,
}

/// A page-locked range of the host.
pub struct HostRange {
    pub len: usize,
    pub context: u64,
    /// Allocated by `cuMemHostAlloc`; else registered, and owned by the program.
    pub allocated: bool,
}

#[derive(Default)]
pub struct Memory {
    /// By address: addresses only grow, and none is given out twice.
    allocations: Vec<Allocation>,
    pub host: BTreeMap<usize, HostRange>,
    /// Bytes that kernels which copy have read from other devices.
    pub fetched: u64,
}

impl Memory {
    /// The device of the allocation that holds these bytes.
    pub fn device_of(&self, address: u64, len: u64) -> Option<i32> {
        self.allocation(address, len).map(|a| a.device)
    }

    pub fn used(&self, device: i32) -> u64 {
        self.held().filter(|a| a.device == device).map(|a| a.len).sum()
    }

    /// Allocations that are not freed.
    pub fn held(&self) -> impl Iterator<Item = &Allocation> {
        self.allocations.iter().filter(|a| a.life != Life::Freed)
    }

    pub fn allocate(&mut self, device: i32, context: u64, len: u64, capacity: u64, life: Life) -> Outcome<u64> {
        if len == 0 {
            return Err(INVALID_VALUE);
        }
        if len > capacity.saturating_sub(self.used(device)) {
            return Err(OUT_OF_MEMORY);
        }
        let size = usize::try_from(len).map_err(|_| OUT_OF_MEMORY)?;
        let end = self.allocations.last().map_or(FIRST_ADDRESS, |a| a.start + a.len + GAP);
        let start = end.next_multiple_of(ALIGN);
        self.allocations.push(Allocation { start, len, device, context, life, bytes: vec![POISON; size] });
        Ok(start)
    }

    /// The allocation, whatever its state, that contains all of these bytes.
    pub fn find(&self, address: u64, len: u64) -> Option<usize> {
        let i = self.allocations.partition_point(|a| a.start <= address).checked_sub(1)?;
        let a = &self.allocations[i];
        (len <= a.len && address - a.start <= a.len - len).then_some(i)
    }

    pub fn allocation(&self, address: u64, len: u64) -> Option<&Allocation> {
        self.find(address, len).map(|i| &self.allocations[i])
    }

    /// The bytes of a live allocation on one of the devices in reach.
    pub fn bytes(&mut self, address: u64, len: u64, reach: &[i32]) -> Outcome<&mut [u8]> {
        let i = self.find(address, len).ok_or(ILLEGAL_ADDRESS)?;
        self.bytes_in(i, address, len, reach).ok_or(ILLEGAL_ADDRESS)
    }

    /// As `bytes`, in an allocation that the caller found before.
    pub fn bytes_in(&mut self, i: usize, address: u64, len: u64, reach: &[i32]) -> Option<&mut [u8]> {
        let a = self.allocations.get_mut(i)?;
        if a.life != Life::Live || !reach.contains(&a.device) {
            return None;
        }
        let offset = usize::try_from(address.checked_sub(a.start)?).ok()?;
        a.bytes.get_mut(offset..offset.checked_add(usize::try_from(len).ok()?)?)
    }

    /// Makes an allocation of a stream's order live.
    pub fn begin(&mut self, address: u64) {
        if let Some(i) = self.find(address, 0) {
            let a = &mut self.allocations[i];
            a.life = if a.life == Life::Planned { Life::Live } else { a.life };
        }
    }

    /// Frees the allocation that starts at this address.
    pub fn free(&mut self, address: u64) -> Outcome {
        let i = self.find(address, 0).ok_or(INVALID_VALUE)?;
        let a = &mut self.allocations[i];
        if a.start != address || a.life == Life::Freed {
            return Err(INVALID_VALUE);
        }
        a.life = Life::Freed;
        a.bytes = Vec::new();
        Ok(())
    }

    /// Frees all that a context still holds, and returns how much that was.
    pub fn release(&mut self, context: u64) -> u64 {
        let mut count = 0;
        for a in self.allocations.iter_mut().filter(|a| a.context == context && a.life != Life::Freed) {
            a.life = Life::Freed;
            a.bytes = Vec::new();
            count += 1;
        }
        let before = self.host.len();
        // The memory itself stays: host pointers into it may still exist.
        self.host.retain(|_, range| range.context != context);
        count + (before - self.host.len()) as u64
    }

    /// The page-locked range that contains this host address.
    pub fn host_range(&self, address: usize) -> Option<(usize, &HostRange)> {
        let (start, range) = self.host.range(..=address).next_back()?;
        (address - start < range.len).then_some((*start, range))
    }

    /// Bytes of memory that `cuMemHostAlloc` gave, which kernels of all devices reach at the host's address.
    pub fn host_bytes(&mut self, address: u64, len: u64) -> Option<&mut [u8]> {
        let (address, len) = (usize::try_from(address).ok()?, usize::try_from(len).ok()?);
        let (start, range) = self.host_range(address).filter(|(_, range)| range.allocated)?;
        (address - start + len <= range.len).then(|| {
            // SAFETY: it was allocated here, and is freed only under the lock that guards this; the program leaves it to a kernel
            // while that runs, as on a GPU.
            unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address), len) }
        })
    }

    /// Whether any page-locked range shares a byte with this one.
    pub fn host_overlaps(&self, address: usize, len: usize) -> bool {
        self.host.iter().any(|(start, range)| overlap((*start, range.len), (address, len)))
    }
}

/// Whether two ranges, each a start and a length, share a byte.
pub fn overlap(a: (usize, usize), b: (usize, usize)) -> bool {
    a.0 < b.0.saturating_add(b.1) && b.0 < a.0.saturating_add(a.1)
}
