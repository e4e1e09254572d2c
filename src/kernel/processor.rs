//! One body compiled for several processors, of which the one is run that suits this processor best.
#![allow(unsafe_code, reason = "calls functions for the vectors that a processor was found to have")]

use super::generated::HostCall;
use super::{HostArgument, Scalar};
use std::ops::Range;

/// A loop over a piece of the iterations, as the attribute `#[kernel]` writes it.
///
/// `run` is inlined in each function below, with all that it calls: so it is compiled for the instructions of each.
pub trait HostLoop {
    /// Runs iterations; the operator of a reduction is one of four, by number.
    fn run<const OPERATOR: u8>(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar>;
}

/// The loop for each operator.
pub const fn calls<L: HostLoop>() -> [HostCall; 4] {
    [call::<L, 0>, call::<L, 1>, call::<L, 2>, call::<L, 3>]
}

fn call<L: HostLoop, const OPERATOR: u8>(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        // SAFETY: the processor has the features that the function is compiled for, which were looked for just now.
        return unsafe {
            if has_avx512 { avx512::<L, OPERATOR>(range, arguments) } else { avx2::<L, OPERATOR>(range, arguments) }
        };
    }
    L::run::<OPERATOR>(range, arguments)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<L: HostLoop, const OPERATOR: u8>(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
    L::run::<OPERATOR>(range, arguments)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512bw,avx512dq")]
fn avx512<L: HostLoop, const OPERATOR: u8>(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar> {
    L::run::<OPERATOR>(range, arguments)
}
