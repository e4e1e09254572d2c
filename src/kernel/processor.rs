//! Compiles a body for several instruction sets, and runs the version that suits this processor best.
#![allow(unsafe_code, reason = "calls functions for the vectors that a processor was found to have")]

use super::generated::HostCall;
use super::{HostArgument, Scalar};
use std::ops::Range;

/// A loop over a piece of the iterations, as the attribute `#[kernel]` writes it.
pub trait HostLoop {
    /// Runs iterations `range`. `OPERATOR` is the number of the reduction's operator, one of four.
    fn run<const OPERATOR: u8>(range: Range<usize>, arguments: &mut [HostArgument<'_>]) -> Option<Scalar>;
}

/// The loop for each operator.
pub const fn calls<L: HostLoop>() -> [HostCall; 4] {
    [L::run::<0>, L::run::<1>, L::run::<2>, L::run::<3>]
}

/// The body of such a loop, as a function of its scalars and arrays.
pub trait Body<Scalars, Arrays> {
    /// Its result.
    type Value;

    /// Runs the body. It must be `#[inline(always)]`, to be compiled for the instruction set of each function that calls it.
    fn run<const OPERATOR: u8>(scalars: Scalars, arrays: Arrays) -> Self::Value;
}

/// Arrays as parameters of a function. Only for parameters does the compiler know that they do not overlap, so that it needs no
/// test before a vectorised loop.
pub trait Spread<B, Scalars>: Sized {
    /// The body's result.
    type Value;

    /// Runs a body in the function that is compiled for this processor.
    fn run<const OPERATOR: u8>(self, scalars: Scalars) -> Self::Value;
}

/// Runs a body as compiled for this processor.
#[inline]
pub fn best<B, const OPERATOR: u8, Scalars, Arrays: Spread<B, Scalars>>(
    scalars: Scalars,
    arrays: Arrays,
) -> Arrays::Value {
    arrays.run::<OPERATOR>(scalars)
}

/// Vector instructions that a body is compiled for.
enum Vectors {
    AsBuilt,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The best that this processor has.
    #[inline]
    fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq");
            return if has_avx512 && !halves_avx512() { Self::Avx512 } else { Self::Avx2 };
        }
        Self::AsBuilt
    }
}

/// Whether this processor executes AVX-512 vectors in two halves, as Zen 4 (AMD, family 19h) does. AVX2 is then as fast on
/// arrays in a cache, or faster: fewer of its accesses cross cache lines.
#[cfg(target_arch = "x86_64")]
fn halves_avx512() -> bool {
    use std::arch::x86_64::__cpuid;
    use std::sync::OnceLock;
    static HALVES: OnceLock<bool> = OnceLock::new();
    *HALVES.get_or_init(|| {
        // SAFETY: a processor with AVX2 has this instruction.
        #[allow(unused_unsafe, reason = "a safe function in later versions of Rust")]
        let (maker, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        let words = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        words.as_flattened() == b"AuthenticAMD" && family == 0x19
    })
}

macro_rules! spread {
    ($($A:ident $a:ident)*) => {
        impl<L, Scalars, $($A),*> Spread<L, Scalars> for ($($A,)*)
        where
            L: Body<Scalars, ($($A,)*)>,
        {
            type Value = L::Value;

            #[allow(clippy::too_many_arguments, reason = "arrays are to be parameters")]
            fn run<const OPERATOR: u8>(self, scalars: Scalars) -> Self::Value {
                #[inline(never)]
                fn as_built<L, const OPERATOR: u8, Scalars, $($A),*>(scalars: Scalars, $($a: $A),*) -> L::Value
                where
                    L: Body<Scalars, ($($A,)*)>,
                {
                    L::run::<OPERATOR>(scalars, ($($a,)*))
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                fn avx2<L, const OPERATOR: u8, Scalars, $($A),*>(scalars: Scalars, $($a: $A),*) -> L::Value
                where
                    L: Body<Scalars, ($($A,)*)>,
                {
                    L::run::<OPERATOR>(scalars, ($($a,)*))
                }

                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512bw,avx512dq")]
                fn avx512<L, const OPERATOR: u8, Scalars, $($A),*>(scalars: Scalars, $($a: $A),*) -> L::Value
                where
                    L: Body<Scalars, ($($A,)*)>,
                {
                    L::run::<OPERATOR>(scalars, ($($a,)*))
                }

                let ($($a,)*) = self;
                match Vectors::here() {
                    Vectors::AsBuilt => as_built::<L, OPERATOR, Scalars, $($A),*>(scalars, $($a),*),
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the processor was just found to have AVX2 and FMA.
                    Vectors::Avx2 => unsafe { avx2::<L, OPERATOR, Scalars, $($A),*>(scalars, $($a),*) },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the processor was just found to have these features of AVX-512, AVX2 and FMA.
                    Vectors::Avx512 => unsafe { avx512::<L, OPERATOR, Scalars, $($A),*>(scalars, $($a),*) },
                }
            }
        }
    };
}
spread!();
spread!(A a);
spread!(A a B b);
spread!(A a B b C c);
spread!(A a B b C c D d);
spread!(A a B b C c D d E e);
spread!(A a B b C c D d E e F f);
spread!(A a B b C c D d E e F f G g);
spread!(A a B b C c D d E e F f G g H h);
spread!(A a B b C c D d E e F f G g H h I i);
spread!(A a B b C c D d E e F f G g H h I i J j);
spread!(A a B b C c D d E e F f G g H h I i J j K k);
spread!(A a B b C c D d E e F f G g H h I i J j K k M m);
