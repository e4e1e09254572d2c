//! What of an array lies in the processor's caches.
#![allow(unsafe_code, reason = "to flush a cache line is an intrinsic")]

use crate::data::HostMemory;
use crate::kernel::{Argument, Bound};
use rayon::prelude::*;

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Puts the arrays of a loop out of the processor's caches: what is measured next begins with all of them in memory, whoever used
/// them last. See [`evict`].
pub fn evict_arrays(bound: &Bound<'_>) {
    for map in bound.arguments().iter().filter_map(Argument::array) {
        match &map.memory {
            HostMemory::Read(bytes) => evict(bytes),
            // Nobody has a part of it while the loop is not started.
            HostMemory::Write(array) => _ = array.lend(0..array.len()).map(|all| evict(&all)),
            HostMemory::Scratch => {}
        }
    }
}

/// Puts bytes out of the caches of all cores, into memory, by the threads of rayon's current pool. On processors other than
/// x86-64 it does nothing.
///
/// A GPU reads what lies in a core's own cache, written there or only read, three times slower than what lies in memory.
pub fn evict(bytes: &[u8]) {
    bytes.par_chunks(1 << 18).for_each(evict_alone);
}

#[cfg(target_arch = "x86_64")]
fn evict_alone(bytes: &[u8]) {
    use std::arch::asm;
    use std::arch::x86_64::{_mm_clflush, _mm_mfence};
    // Chunks of a line's length need not begin where a line does.
    let lines = bytes.chunks(LINE).map(<[u8]>::as_ptr).chain(bytes.last().map(std::ptr::from_ref));
    if has_clflushopt() {
        // SAFETY: the processor has the instruction; the address is that of a byte that is there. Nothing changes but where
        // the line lies.
        lines.for_each(|line| unsafe { asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags)) });
    } else {
        // SAFETY: the processor has SSE2, as all of x86-64 do; the rest as above.
        lines.for_each(|line| unsafe { _mm_clflush(line) });
    }
    // SAFETY: as above.
    unsafe { _mm_mfence() };
}

/// Whether lines can be flushed without waiting for one before the next.
#[cfg(target_arch = "x86_64")]
fn has_clflushopt() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    use std::sync::OnceLock;
    const LEAF: u32 = 7;
    const BIT: u32 = 23;
    // A virtual machine's host answers, which takes microseconds.
    static HAS: OnceLock<bool> = OnceLock::new();
    // SAFETY: every x86-64 processor has the instruction. (It needs no `unsafe` from Rust 1.94 on.)
    #[allow(unused_unsafe)]
    *HAS.get_or_init(|| unsafe { __cpuid(0).eax >= LEAF && __cpuid_count(LEAF, 0).ebx >> BIT & 1 == 1 })
}

#[cfg(not(target_arch = "x86_64"))]
fn evict_alone(_: &[u8]) {}
