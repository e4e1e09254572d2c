//! Combines partial results of a reduction on the GPU. A loop over rows has thousands of them, and the host would take longer to
//! add them than the GPU takes for the loop.
#![allow(unsafe_code, reason = "gives the text of a kernel")]

use super::driver::{Function, PinnedMemory};
use super::program::{Loader, Programs};
use crate::element::ElementType;
use crate::kernel::{DeviceSource, Grid, Reduce, Reduction};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Threads of a block.
pub const GROUP: u32 = 1024;
/// Ranges of partial results that one launch combines.
pub const RANGES: usize = 4;
/// The most blocks that share a range.
const SLICES: usize = 64;
// One block combines the slices' results, one thread for each.
const _: () = assert!(SLICES <= GROUP as usize);
/// Partial results for each block, about, unless there are too many: eight loads by each thread. Two blocks take longer than one
/// of so many.
const SLICE: usize = 8 * GROUP as usize;
/// So many ranges of partial results one launch makes a scalar of: eight GPUs have up to three pieces each.
pub const SEGMENTS: usize = 24;
/// So many partial results one block combines.
pub const OF_A_BLOCK: usize = SLICE;
/// Groups write up to this many partial results directly to host memory, and the host combines them: on an H200 that takes 9 us
/// less than a copy of a few of them, and 3 us less than a kernel that combines them.
const BY_HOST: usize = 1024;

/// Where the last group of a kernel of `#[kernel]` writes the result of all groups: the parameter `ap_folding` of its text.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Folding {
    /// A scalar of later launches, or 0.
    pub scalar: u64,
    /// Memory of the host.
    pub told: u64,
    /// A counter, which is zero before and after. 0: nothing is folded.
    pub ticket: u64,
}

impl Folding {
    /// As it is passed.
    pub const fn words(self) -> [u64; 3] {
        [self.scalar, self.told, self.ticket]
    }
}

/// Whether the GPU combines this many partial results. `in_order` asks for their order, which only the host keeps.
pub fn on_gpu(reduction: Reduction, groups: usize, in_order: bool) -> bool {
    groups > BY_HOST && !in_order && has_kernels(reduction)
}

/// Whether the GPU can combine at all: only the host knows the caller's operators.
pub fn has_kernels(reduction: Reduction) -> bool {
    !matches!(reduction.operator, Reduce::Own(_))
}

/// Where groups write so many partial results, if that is directly in this host memory.
pub fn in_place(groups: usize, host: &PinnedMemory) -> Option<u64> {
    host.device_address().filter(|_| few(groups))
}

/// Whether groups write so many partial results directly to host memory, where they can.
pub fn few(groups: usize) -> bool {
    groups <= BY_HOST
}

/// How many blocks share a range of this many partial results. One block for 65,536 of them, as jacobi has of 16,384 rows, would
/// take far longer than a launch.
pub fn slices(groups: usize) -> usize {
    groups.div_ceil(SLICE).clamp(1, SLICES)
}

/// The kernel that combines partial results.
///
/// # Errors
/// Where there is no NVRTC to compile it, with its message.
pub fn function(programs: &mut Programs, loader: Loader<'_>, reduction: Reduction) -> Result<Function, String> {
    programs.function(loader, &source(reduction))
}

/// The kernel that makes a scalar of partial results, as the host does ([`Reduction::fold`]).
///
/// # Errors
/// As [`function`].
pub fn to_scalar(programs: &mut Programs, loader: Loader<'_>, reduction: Reduction) -> Result<Function, String> {
    programs.entry(loader, &source(reduction), "to_scalar")
}

/// The kernel that makes a scalar of the partial results of a launch that has just ended, which it also brings to the host.
///
/// # Errors
/// As [`function`].
pub fn to_both(programs: &mut Programs, loader: Loader<'_>, reduction: Reduction) -> Result<Function, String> {
    programs.entry(loader, &source(reduction), "to_both")
}

/// One text for each reduction, so that it is compiled once.
fn source(reduction: Reduction) -> DeviceSource {
    static SOURCES: LazyLock<Mutex<HashMap<(Reduce, ElementType), DeviceSource>>> = LazyLock::new(Mutex::default);
    static TEXT: LazyLock<Arc<str>> = LazyLock::new(|| include_str!("combine.cu").into());
    let mut sources = SOURCES.lock().unwrap_or_else(PoisonError::into_inner);
    let of = (reduction.operator, reduction.element);
    let made = sources.entry(of).or_insert_with(|| {
        let grid = Grid::new([GROUP as usize, 1, 1], |_| [GROUP as usize, 1, 1]);
        // SAFETY: a group reads the partial results that it is given and writes one of its own.
        unsafe { DeviceSource::new(Arc::clone(&TEXT), "combine", grid) }.options(options(reduction))
    });
    made.clone()
}

fn options(Reduction { operator, element }: Reduction) -> String {
    use ElementType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let adds = matches!(operator, Reduce::Sum | Reduce::Product);
    let (name, least, greatest) = match element {
        F32 => ("float", "(-__int_as_float(0x7f800000))", "__int_as_float(0x7f800000)"),
        F64 => {
            ("double", "(-__longlong_as_double(0x7ff0000000000000ll))", "__longlong_as_double(0x7ff0000000000000ll)")
        }
        // Sums and products wrap; in C only unsigned integers do.
        I8 if adds => ("byte", "0", "0"),
        I16 if adds => ("unsigned_short", "0", "0"),
        I32 if adds => ("unsigned", "0", "0"),
        I64 if adds => ("size_t", "0", "0"),
        I8 => ("signed_byte", "(-128)", "127"),
        I16 => ("short", "(-32768)", "32767"),
        I32 => ("int", "(-2147483647-1)", "2147483647"),
        I64 => ("ptrdiff_t", "(-9223372036854775807ll-1)", "9223372036854775807ll"),
        U32 => ("unsigned", "0u", "0xffffffffu"),
        U64 => ("size_t", "0ull", "0xffffffffffffffffull"),
        U8 => ("byte", "0", "255"),
        U16 => ("unsigned_short", "0", "65535"),
    };
    let (number, identity) = match operator {
        Reduce::Sum => (0, "0"),
        Reduce::Product if matches!(element, I16 | U16) => (6, "1"),
        Reduce::Product => (1, "1"),
        Reduce::Min => (2, greatest),
        Reduce::Max => (3, least),
        Reduce::And => (4, "(~(T)0)"),
        Reduce::Or => (5, "0"),
        // Only the host combines these: see `on_gpu`.
        Reduce::Own(_) => (0, "0"),
    };
    format!("-DREAL={name} -DOP={number} -DIDENTITY={identity}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::cuda::program::{Refusal, compile};
    use ElementType::{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

    #[test]
    fn every_reduction_compiles() {
        for operator in [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max, Reduce::And, Reduce::Or] {
            for element in [F32, F64, I8, I16, I32, I64, U8, U16, U32, U64] {
                if (Reduction { operator, element }).check().is_err() {
                    continue;
                }
                let DeviceSource { source, options, entry, .. } = source(Reduction { operator, element });
                match compile(&source, &options, (9, 0), &entry) {
                    Ok(image) => assert!(!image.is_empty()),
                    Err(Refusal { why, .. }) if why.contains("there is no NVRTC") => {
                        assert!(std::env::var_os("APPORTION_REQUIRE_NVRTC").is_none(), "{why}");
                        return println!("skipped: {why}");
                    }
                    Err(Refusal { why, .. }) => panic!("{operator:?} of {element}: {why}"),
                }
            }
        }
    }
}
