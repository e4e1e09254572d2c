//! Names that are valid and unused in both C and Rust.

use crate::functions::MATH;
use crate::ir::{Array, Var};
use proc_macro2::Ident;

/// Names that are reserved in CUDA C or OpenCL C, or should not be hidden.
const TAKEN: &str = " abs acos acosh alignas alignof and asin asinh asm atan auto barrier bool break case cbrt ceil char char2 \
char4 class complex const constant constexpr continue cos cosh decltype default delete dim3 do double double2 double4 else \
enum erf event_t exp exp2 explicit export extern fabs false float float2 float4 floor fma fmax fmin fmod for friend gamma \
global goto half hypot if image2d_t imaginary inline int int2 int4 intptr_t isnan j0 j1 jn kernel lgamma local log log10 log2 \
long main max min mutable namespace new noexcept normalize not operator or pipe pow private protected ptrdiff_t public quad \
rand read_only read_write register restrict return rint round rsqrt sampler_t short signed sin sinh size_t sizeof sqrt static \
step struct switch tan tanh template tgamma this throw true trunc try typedef typename uchar uint uint2 uint4 uintptr_t ulong \
ulong2 union unsigned ushort using vec_step virtual void volatile warpSize wchar_t while write_only xor y0 y1 yn lo hi partial lane lanes row \
total span from to at first line lines tile tiles column columns height scratch dot cross length distance mix step sign clamp select any all degrees radians smoothstep \
fract modf frexp ldexp nan rotate popcount upsample hadd rhadd mad mad24 mul24 abs_diff add_sat sub_sat mad_hi mul_hi mad_sat \
ctz clz shuffle shuffle2 prefetch hypot ilogb logb maxmag minmag nextafter remainder remquo rootn pown powr rsqrt sincos \
fdim exp10 expm1 log1p isequal isless signbit bitselect wait_group_events mem_fence assert printf atomic_add clock generic image1d_t \
image1d_array_t image1d_buffer_t image2d_array_t image3d_t queue_t ndrange_t clk_event_t reserve_id_t nullptr static_assert bitand \
bitor compl and_eq or_eq xor_eq not_eq thread_local typeid catch const_cast static_cast dynamic_cast reinterpret_cast char8_t \
char16_t char32_t concept requires consteval constinit co_await co_return co_yield threadIdx blockIdx blockDim gridDim \
get_local_id get_group_id get_num_groups as_float as_double as_uint as_ulong ";

/// The name of a local or an array in both texts: the user's own if possible. The index of an array's first element has the array's
/// name with a suffix.
pub fn unique(ident: &Ident, vars: &[Var], arrays: &[Array]) -> String {
    let raw = ident.to_string();
    let base = plain(&raw);
    let used = |name: &str| {
        vars.iter().any(|var| var.name == name)
            || arrays.iter().any(|array| name == array.name || name.strip_suffix("_first") == Some(&array.name))
    };
    if !used(&base) {
        return base;
    }
    (2..).map(|n| format!("{base}_{n}")).find(|name| !used(name)).unwrap_or(base)
}

/// Replaces characters that C does not allow in names, and avoids its reserved words.
pub fn plain(name: &str) -> String {
    let raw = name.starts_with("r#");
    let name = name.trim_start_matches("r#");
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c.to_string() } else { format!("u{:x}", c as u32) })
        .collect();
    // Names of the prelude begin with `ap_`, those of compilers with two underscores.
    let made = [
        "_part",
        "_end",
        "_wide",
        "_first",
        "_count",
        "_start",
        "_stop",
        "_tile",
        "_from",
        "_last",
        "_tiles",
        "_all",
        "_at",
        "_turn",
        "_pitch",
        "_chunks",
        "_rest",
        "_iteration",
    ]
    .iter()
    .any(|end| out.ends_with(end));
    let reserved = out.starts_with("ap_") || out.starts_with("aph_") || out.starts_with("AP_") || out.starts_with('_');
    if reserved {
        out = format!("v{out}");
    }
    if TAKEN.split_whitespace().any(|word| word == out)
        || is_vector(&out)
        || is_math(&out)
        // Extensions of OpenCL are macros, as names in capitals often are.
        || out.starts_with("cl_")
        || out.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        || raw
        || made
    {
        out.push_str("_v");
    }
    out
}

/// Whether a name is that of a type of vectors, such as `uint3`.
fn is_vector(name: &str) -> bool {
    const OF: &str = " char uchar short ushort int uint long ulong longlong ulonglong half float double bool ";
    let of = name.trim_end_matches(|c: char| c.is_ascii_digit());
    of != name && OF.split_whitespace().any(|word| word == of)
}

/// Whether the text may call a function of this name; CUDA C has another one for `float`, with an f behind.
fn is_math(name: &str) -> bool {
    const ELSE: [&str; 5] = ["fabs", "fmin", "fmax", "fma", "fmod"];
    let is = |name: &str| ELSE.contains(&name) || MATH.iter().any(|function| function.c == name);
    is(name) || name.strip_suffix('f').is_some_and(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_c_are_not_names() {
        for (name, c) in [("x", "x"), ("half", "half_v"), ("r#type", "type_v"), ("_t", "v_t"), ("größe", "gruf6uDFe")]
        {
            assert_eq!(plain(name).to_lowercase(), c.to_lowercase());
        }
        assert_eq!(plain("INFINITY"), "INFINITY_v");
        assert_eq!(plain("ap_x"), "vap_x");
        for function in &MATH {
            assert_eq!(plain(function.c), format!("{}_v", function.c));
            assert_eq!(plain(&format!("{}f", function.c)), format!("{}f_v", function.c));
        }
        for name in [
            "generic",
            "as_uint",
            "fminf",
            "fmodf",
            "image3d_t",
            "M_PI_2",
            "M_1_PI_F",
            "cl_khr_fp64",
            "nullptr",
            "bitand",
            "catch",
            "uint3",
        ] {
            assert_eq!(plain(name), format!("{name}_v"));
        }
        assert_eq!((plain("x2"), plain("interior2"), plain("Q2")), ("x2".into(), "interior2".into(), "Q2_v".into()));
    }
}
