//! Evicts arrays from the processor's caches, for measurements.
#![allow(unsafe_code, reason = "to flush a cache line is an intrinsic")]

use crate::data::HostMemory;
use crate::kernel::{Argument, Bound};
use rayon::prelude::*;

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Evicts the arrays of a loop from the processor's caches, so that the next measurement begins with all of them in memory,
/// whatever used them last. See [`evict`].
pub fn evict_arrays(bound: &Bound<'_>) {
    for map in bound.arguments().iter().filter_map(Argument::array) {
        match &map.memory {
            HostMemory::Read(bytes) => evict(bytes),
            // All of it can be lent out: no loop has begun.
            HostMemory::Write(array) => _ = array.lend(0..array.len()).map(|all| evict(&all)),
            HostMemory::Scratch => {}
        }
    }
}

/// Evicts bytes from the caches of all cores into memory, on the threads of rayon's current pool. On processors other than x86-64
/// it does nothing.
///
/// A GPU reads data in a core's own cache, written or only read there, three times slower than data in memory.
pub fn evict(bytes: &[u8]) {
    bytes.par_chunks(1 << 18).for_each(evict_alone);
}

#[cfg(target_arch = "x86_64")]
fn evict_alone(bytes: &[u8]) {
    use std::arch::asm;
    use std::arch::x86_64::{_mm_clflush, _mm_mfence};
    // Chunks of a line's length need not begin at a line, so the last byte may be in one more line.
    let lines = bytes.chunks(LINE).map(<[u8]>::as_ptr).chain(bytes.last().map(std::ptr::from_ref));
    if has_clflushopt() {
        // SAFETY: the processor has the instruction, and the address is that of an existing byte. Only the place of the line
        // changes.
        lines.for_each(|line| unsafe { asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags)) });
    } else {
        // SAFETY: the processor has SSE2, as all of x86-64 do; the rest as above.
        lines.for_each(|line| unsafe { _mm_clflush(line) });
    }
    // SAFETY: as above.
    unsafe { _mm_mfence() };
}

/// Whether the processor can flush lines without ordering the flushes.
#[cfg(target_arch = "x86_64")]
fn has_clflushopt() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    use std::sync::OnceLock;
    const LEAF: u32 = 7;
    const BIT: u32 = 23;
    // In a virtual machine the hypervisor answers, which takes microseconds, so the answer is kept.
    static HAS: OnceLock<bool> = OnceLock::new();
    // SAFETY: every x86-64 processor has the instruction. (It needs no `unsafe` from Rust 1.94 on.)
    #[allow(unused_unsafe)]
    *HAS.get_or_init(|| unsafe { __cpuid(0).eax >= LEAF && __cpuid_count(LEAF, 0).ebx >> BIT & 1 == 1 })
}

#[cfg(not(target_arch = "x86_64"))]
fn evict_alone(_: &[u8]) {}
