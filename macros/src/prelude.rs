//! The beginning of the C text: macros for both languages, and functions that keep Rust's semantics.

/// The two languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Cuda,
    OpenCl,
}

const CUDA: &str = r##"// Made from Rust by Apportion's attribute #[kernel].
#define ap_u8 unsigned char
#define ap_u32 unsigned int
#define ap_i64 long long
#define ap_u64 unsigned long long
#define AP_FN static __device__ __forceinline__
#define AP_GLOBAL
#define AP_RESTRICT __restrict__
#define AP_ENTRY extern "C" __global__ void __launch_bounds__(AP_GROUP)
#define AP_LOCAL
#define AP_SHARED __shared__
#define AP_BARRIER __syncthreads()
#define AP_LANE ((int)threadIdx.x)
#define AP_GROUP_ID ((ap_i64)blockIdx.x)
#define AP_GROUPS ((ap_i64)gridDim.x)
#define AP_GROUP_ID_Y ((ap_i64)blockIdx.y)
#define AP_GROUPS_Y ((ap_i64)gridDim.y)
#define AP_WAIT __syncthreads()
#define AP_UNROLL _Pragma("unroll 4")
#define AP_UNROLL_MORE _Pragma("unroll 8")
"##;

const OPENCL: &str = r##"/* Made from Rust by Apportion's attribute #[kernel]. */
#pragma OPENCL FP_CONTRACT OFF
#define ap_u8 uchar
#define ap_u32 uint
#define ap_i64 long
#define ap_u64 ulong
#define AP_FN static inline
#define AP_GLOBAL __global
#define AP_RESTRICT restrict
#ifdef APPORTION_CPU
/* Groups have one item, where it does the work of AP_GROUP. */
#define AP_ENTRY __kernel void
#else
#define AP_ENTRY __kernel __attribute__((reqd_work_group_size(AP_GROUP, 1, 1))) void
#endif
#define AP_LOCAL __local
#define AP_SHARED __local
#define AP_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define AP_LANE ((int)get_local_id(0))
#define AP_GROUP_ID ((ap_i64)get_group_id(0))
#define AP_GROUPS ((ap_i64)get_num_groups(0))
#define AP_GROUP_ID_Y ((ap_i64)get_group_id(1))
#define AP_GROUPS_Y ((ap_i64)get_num_groups(1))
#ifdef APPORTION_CPU
#define AP_WAIT
#define AP_UNROLL
#define AP_UNROLL_MORE
#else
#define AP_WAIT barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define AP_UNROLL _Pragma("unroll 4")
#define AP_UNROLL_MORE _Pragma("unroll 8")
#endif
"##;

/// The macros of a language.
pub fn words(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Cuda => CUDA,
        Dialect::OpenCl => OPENCL,
    }
}

/// A function of the prelude, by its name: `ap_add_i32`, `ap_i32_of_f32`, `ap_powi_f32`. Empty if there is none.
pub fn function(name: &str, dialect: Dialect) -> String {
    match name {
        "ap_bytes" => return crate::bytes_text::functions(dialect),
        "ap_report" => return report(dialect).into(),
        "ap_amiss" => {
            return "AP_FN void ap_amiss(AP_REPORT *report, ap_i64 index, ap_u64 note) {\n    *report = note | \
                    ((ap_u64)index & 0x00ffffffffffffffu);\n}\n"
                .into();
        }
        "ap_end" => {
            return "AP_FN ap_u64 ap_end(ap_u64 end, ap_u64 note, AP_REPORT *report) {\n    if ((ap_i64)end \
                    >= 0) return end;\n    ap_amiss(report, (ap_i64)end, note);\n    return 0;\n}\n"
                .into();
        }
        // For local arrays. A report has 40 bits for the index.
        "ap_inside" => {
            return "AP_FN bool ap_inside(ap_u64 index, ap_u64 count, ap_u64 note, AP_REPORT *report) {\n    if \
                    (index < count) return true;\n    *report = note | (index < 0xffffffffffu ? index : 0xffffffffffu);\n    \
                    return false;\n}\n"
                .into();
        }
        "ap_local_end" => {
            return "AP_FN ap_u64 ap_local_end(ap_u64 end, ap_u64 note, AP_REPORT *report) {\n    if ((ap_i64)end \
                    >= 0) return end;\n    *report = note | 0xffffffffffu;\n    return 0;\n}\n"
                .into();
        }
        "ap_within" => {
            return "AP_FN ap_u64 ap_within(ap_u64 index, ap_u64 count, ap_u64 note, AP_REPORT *report) {\n    \
                    return ap_inside(index, count, note, report) ? index : 0;\n}\n"
                .into();
        }
        "ap_within_or" => {
            return "AP_FN ap_u64 ap_within_or(ap_u64 index, ap_u64 count, ap_u64 note, AP_REPORT *report, bool *goes) \
                    {\n    if (ap_inside(index, count, note, report)) return index;\n    *goes = false;\n    return 0;\n}\n"
                .into();
        }
        "ap_has" => {
            return "AP_FN bool ap_has(ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, AP_REPORT *report) {\n    \
                    if ((ap_u64)index - (ap_u64)first < count) return true;\n    ap_amiss(report, index, note);\n    return \
                    false;\n}\n"
                .into();
        }
        _ => {}
    }
    let mut parts = name.trim_start_matches("ap_").split('_');
    let (op, tag) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if matches!(op, "atomic" | "whole") {
        return crate::atomics::function(op, tag, parts.next().unwrap_or_default(), dialect);
    }
    if tag == "of" {
        return cast(op, parts.next().unwrap_or_default());
    }
    let (ty, un) = (c(tag), wrapping(tag));
    let binary = |body: String| format!("AP_FN {ty} {name}({ty} a, {ty} b) {{ {body} }}\n");
    let signed = tag.starts_with('i');
    let bits = tag[1..].parse::<u32>().unwrap_or(0);
    let least = match tag {
        "i8" => "-128",
        "i16" => "-32768",
        "i32" => "(-2147483647 - 1)",
        _ => "((ap_i64)(-9223372036854775807 - 1))",
    };
    match op {
        "add" => binary(format!("return ({ty})(({un})a + ({un})b);")),
        "sub" => binary(format!("return ({ty})(({un})a - ({un})b);")),
        "mul" => binary(format!("return ({ty})(({un})a * ({un})b);")),
        "neg" => format!("AP_FN {ty} {name}({ty} a) {{ return ({ty})(0 - ({un})a); }}\n"),
        "abs" => format!("AP_FN {ty} {name}({ty} a) {{ return a < 0 ? ({ty})(0 - ({un})a) : a; }}\n"),
        // Where Rust panics, the result is still defined: 0 for a divisor of 0, the wrapped value for the minimum divided by -1.
        "div" if signed => binary(format!("return b == 0 ? 0 : a == {least} && b == -1 ? a : a / b;")),
        "rem" if signed => binary("return b == 0 || b == -1 ? 0 : a % b;".into()),
        // The remainder of a number below twice the divisor.
        "wrap" => binary("return a < b ? a : a - b;".into()),
        "div" => binary(format!("return b == 0 ? 0 : ({ty})(a / b);")),
        "rem" => binary(format!("return b == 0 ? 0 : ({ty})(a % b);")),
        "shl" => format!("AP_FN {ty} {name}({ty} a, ap_u32 n) {{ return ({ty})(({un})a << (n & {})); }}\n", bits - 1),
        "shr" => format!("AP_FN {ty} {name}({ty} a, ap_u32 n) {{ return ({ty})(a >> (n & {})); }}\n", bits - 1),
        "min" if bits > 0 && !tag.starts_with('f') => binary("return a < b ? a : b;".into()),
        "max" if bits > 0 && !tag.starts_with('f') => binary("return a > b ? a : b;".into()),
        "satsub" if !signed => binary(format!("return a > b ? ({ty})(a - b) : 0;")),
        "absdiff" if !signed => binary(format!("return a > b ? ({ty})(a - b) : ({ty})(b - a);")),
        "powi" => format!(
            "AP_FN {ty} {name}({ty} x, int n) {{\n    ap_u32 k = n < 0 ? 0u - (ap_u32)n : (ap_u32)n;\n    {ty} r = 1;\n    \
             for (; k != 0; k >>= 1) {{\n        if (k & 1) r *= x;\n        x *= x;\n    }}\n    return n < 0 ? 1 / r : r;\n}}\n"
        ),
        "at" => format!(
            "AP_FN {ty} {name}(AP_GLOBAL const {ty} *x, ap_i64 first, ap_u64 count, ap_i64 index, ap_u64 note, AP_REPORT \
             *report) {{\n    const ap_u64 at = (ap_u64)index - (ap_u64)first;\n    if (at < count) return \
             x[at];\n    ap_amiss(report, index, note);\n    return 0;\n}}\n"
        ),
        "inf" | "nan" => special(op, tag, dialect),
        _ => crate::functions::text(op, tag, dialect).unwrap_or_default(),
    }
}

/// Where reports go. In CUDA a work-item keeps what it says last in a register, and says it at its end: a store, even one that
/// never happens, would have later loads wait for earlier ones.
fn report(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Cuda => {
            "#define AP_REPORT ap_u64
struct ap_kept {
    volatile ap_u64 *const at;
    ap_u64 report;
    __device__ __forceinline__ ap_kept(volatile ap_u64 *at) : at(at), report(~(ap_u64)0) {}
    __device__ __forceinline__ ~ap_kept() { if (~report) *at = report; }
};
#define AP_REPORTS ap_kept ap_keeps(ap_reported); AP_REPORT *const ap_report = &ap_keeps.report
"
        }
        Dialect::OpenCl => {
            "#define AP_REPORT AP_GLOBAL volatile ap_u64
#define AP_REPORTS AP_REPORT *const ap_report = ap_reported
"
        }
    }
}

fn special(what: &str, tag: &str, dialect: Dialect) -> String {
    let name = format!("ap_{what}_{tag}");
    let value = match (dialect, what, tag) {
        (Dialect::Cuda, "inf", "f32") => "__int_as_float(0x7f800000)",
        (Dialect::Cuda, "nan", "f32") => "__int_as_float(0x7fc00000)",
        (Dialect::Cuda, "inf", _) => "__longlong_as_double(0x7ff0000000000000ll)",
        (Dialect::Cuda, ..) => "__longlong_as_double(0x7ff8000000000000ll)",
        (_, "inf", "f32") => "as_float(0x7f800000)",
        (_, "nan", "f32") => "as_float(0x7fc00000)",
        (_, "inf", _) => "as_double(0x7ff0000000000000L)",
        _ => "as_double(0x7ff8000000000000L)",
    };
    format!("#define {name} ({value})\n")
}

/// Float to integer as Rust's `as`: NaN is 0, and values out of range saturate.
fn cast(to: &str, from: &str) -> String {
    let (ty, float) = (c(to), c(from));
    let suffix = if from == "f32" { "f" } else { "" };
    // The first value above the largest, and the smallest.
    let (past, most, low, least) = match to {
        "i8" => ("128.0", "127", "-128.0", "-128"),
        "i16" => ("32768.0", "32767", "-32768.0", "-32768"),
        "u16" => ("65536.0", "65535", "0.0", "0"),
        "i32" => ("2147483648.0", "2147483647", "-2147483648.0", "-2147483647 - 1"),
        "u32" => ("4294967296.0", "4294967295u", "0.0", "0"),
        "i64" => ("9223372036854775808.0", "9223372036854775807", "-9223372036854775808.0", "-9223372036854775807 - 1"),
        "u64" => ("18446744073709551616.0", "0xffffffffffffffff", "0.0", "0"),
        _ => ("256.0", "255", "0.0", "0"),
    };
    format!(
        "AP_FN {ty} ap_{to}_of_{from}({float} x) {{\n    if (!(x == x)) return 0;\n    if (x <= {low}{suffix}) return {least};\n    \
         if (x >= {past}{suffix}) return {most};\n    return ({ty})x;\n}}\n"
    )
}

fn c(tag: &str) -> &'static str {
    crate::ir::Ty::named(tag).map_or("int", crate::ir::Ty::c)
}

fn wrapping(tag: &str) -> &'static str {
    crate::ir::Ty::named(tag).map_or("int", crate::ir::Ty::c_wrapping)
}
