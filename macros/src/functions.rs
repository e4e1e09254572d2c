//! Functions of numbers, by their names in Rust and in C, and the C text of those that C lacks.

use crate::ir::Ty;
use crate::prelude::Dialect;

/// A function of floats that C has too, by another name at most. Operands and result are of one type.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Math {
    pub rust: &'static str,
    pub c: &'static str,
    /// Operands after the first.
    pub more: usize,
    /// Whether it takes many operations.
    pub elementary: bool,
}

const fn math(rust: &'static str, c: &'static str, more: usize, elementary: bool) -> Math {
    Math { rust, c, more, elementary }
}

pub static MATH: [Math; 26] = [
    math("sqrt", "sqrt", 0, false),
    math("cbrt", "cbrt", 0, true),
    math("exp", "exp", 0, true),
    math("exp2", "exp2", 0, true),
    math("exp_m1", "expm1", 0, true),
    math("ln", "log", 0, true),
    math("ln_1p", "log1p", 0, true),
    math("log2", "log2", 0, true),
    math("log10", "log10", 0, true),
    math("sin", "sin", 0, true),
    math("cos", "cos", 0, true),
    math("tan", "tan", 0, true),
    math("asin", "asin", 0, true),
    math("acos", "acos", 0, true),
    math("atan", "atan", 0, true),
    math("sinh", "sinh", 0, true),
    math("cosh", "cosh", 0, true),
    math("tanh", "tanh", 0, true),
    math("atan2", "atan2", 1, true),
    math("hypot", "hypot", 1, true),
    math("powf", "pow", 1, true),
    math("copysign", "copysign", 1, false),
    math("floor", "floor", 0, false),
    math("ceil", "ceil", 0, false),
    math("trunc", "trunc", 0, false),
    math("round", "round", 0, false),
];

/// The numbers that have a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    Floats,
    Integers,
    Signed,
    /// All but unsigned integers.
    WithSign,
    Numbers,
}

/// The type of an operand after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Same,
    U32,
}

/// The type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gives {
    Same,
    U32,
    Bool,
    /// The unsigned type of the same size.
    Unsigned,
}

/// A function that C lacks, or has not for all types: [`text`] writes it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Own {
    pub rust: &'static str,
    /// The method that does the same on the host.
    pub host: &'static str,
    /// In C it is `ap_` this, `_` and the tag of the type.
    pub c: &'static str,
    pub of: Of,
    pub more: &'static [Operand],
    pub gives: Gives,
}

const fn own(rust: &'static str, c: &'static str, of: Of, more: &'static [Operand], gives: Gives) -> Own {
    Own { rust, host: rust, c, of, more, gives }
}

pub static OWN: [Own; 20] = [
    own("signum", "signum", Of::WithSign, &[], Gives::Same),
    own("fract", "fract", Of::Floats, &[], Gives::Same),
    own("is_finite", "finite", Of::Floats, &[], Gives::Bool),
    own("is_infinite", "infinite", Of::Floats, &[], Gives::Bool),
    own("clamp", "clamp", Of::Floats, &[Operand::Same, Operand::Same], Gives::Same),
    own("rem_euclid", "remeuclid", Of::Numbers, &[Operand::Same], Gives::Same),
    own("div_euclid", "diveuclid", Of::Numbers, &[Operand::Same], Gives::Same),
    own("unsigned_abs", "uabs", Of::Signed, &[], Gives::Unsigned),
    own("abs_diff", "absdiff", Of::Signed, &[Operand::Same], Gives::Unsigned),
    own("saturating_add", "satadd", Of::Integers, &[Operand::Same], Gives::Same),
    own("saturating_sub", "satsub", Of::Signed, &[Operand::Same], Gives::Same),
    Own { host: "wrapping_pow", ..own("pow", "pow", Of::Integers, &[Operand::U32], Gives::Same) },
    own("wrapping_pow", "pow", Of::Integers, &[Operand::U32], Gives::Same),
    own("rotate_left", "rotl", Of::Integers, &[Operand::U32], Gives::Same),
    own("rotate_right", "rotr", Of::Integers, &[Operand::U32], Gives::Same),
    own("reverse_bits", "reverse", Of::Integers, &[], Gives::Same),
    own("count_ones", "ones", Of::Integers, &[], Gives::U32),
    own("count_zeros", "zeros", Of::Integers, &[], Gives::U32),
    own("leading_zeros", "leading", Of::Integers, &[], Gives::U32),
    own("trailing_zeros", "trailing", Of::Integers, &[], Gives::U32),
];

/// The C text of one of [`OWN`] for the type of this tag; none if it is not one of them.
pub fn text(op: &str, tag: &str, dialect: Dialect) -> Option<String> {
    let ty = Ty::named(tag)?;
    let (name, c, signed) = (format!("ap_{op}_{tag}"), ty.c(), ty.is_signed());
    let (un, same) = (ty.c_wrapping(), ty.unsigned().c());
    let bits = 8 * ty.bytes();
    // CUDA C has two names for each function of floats.
    let of = |function: &str| match (dialect, ty) {
        (Dialect::Cuda, Ty::F32) => format!("{function}f"),
        _ => function.to_owned(),
    };
    let unary = |gives: &str, body: String| format!("AP_FN {gives} {name}({c} a) {{ {body} }}\n");
    let binary = |gives: &str, body: String| format!("AP_FN {gives} {name}({c} a, {c} b) {{ {body} }}\n");
    let by = |body: String| format!("AP_FN {c} {name}({c} a, ap_u32 n) {{ {body} }}\n");
    // A sum or difference that has left the type's range.
    let saturated = format!("(a < 0 ? ({c})(({un})1 << {}) : ({c})(~(({un})1 << {0})))", bits - 1);
    Some(match op {
        "signum" if ty.is_float() => unary(c, format!("return a != a ? a : {}(({c})1, a);", of("copysign"))),
        "signum" => unary(c, "return (a > 0) - (a < 0);".into()),
        "fract" => unary(c, format!("return a - {}(a);", of("trunc"))),
        "finite" => unary("bool", "return a - a == 0;".into()),
        "infinite" => unary("bool", "return a == a && a - a != 0;".into()),
        "clamp" => format!(
            "AP_FN {c} {name}({c} a, {c} low, {c} high) {{\n    if (a < low) a = low;\n    return a > high ? high : a;\n}}\n"
        ),
        "remeuclid" if ty.is_float() => {
            binary(c, format!("const {c} r = {}(a, b); return r < 0 ? r + {}(b) : r;", of("fmod"), of("fabs")))
        }
        "diveuclid" if ty.is_float() => binary(
            c,
            format!(
                "const {c} q = {}(a / b); return {}(a, b) < 0 ? (b > 0 ? q - 1 : q + 1) : q;",
                of("trunc"),
                of("fmod")
            ),
        ),
        // As with `/` and `%`, a divisor of 0 gives 0, and the least number by -1 wraps.
        "remeuclid" if signed => binary(
            c,
            format!(
                "if (b == 0 || b == -1) return 0; const {c} r = a % b; return r < 0 ? ({c})(({un})r + (b < 0 ? 0 - ({un})b : \
                 ({un})b)) : r;"
            ),
        ),
        "diveuclid" if signed => binary(
            c,
            format!(
                "if (b == 0) return 0; if (b == -1) return ({c})(0 - ({un})a); const {c} q = a / b; return a % b < 0 ? (b > 0 ? \
                 q - 1 : q + 1) : q;"
            ),
        ),
        "remeuclid" => binary(c, format!("return b == 0 ? 0 : ({c})(a % b);")),
        "diveuclid" => binary(c, format!("return b == 0 ? 0 : ({c})(a / b);")),
        "uabs" => unary(same, format!("return a < 0 ? 0 - ({un})a : ({un})a;")),
        "absdiff" if signed => binary(same, format!("return a > b ? ({un})a - ({un})b : ({un})b - ({un})a;")),
        "satadd" if signed => binary(
            c,
            format!("const {c} s = ({c})(({un})a + ({un})b); return ((a ^ s) & (b ^ s)) < 0 ? {saturated} : s;"),
        ),
        "satsub" if signed => binary(
            c,
            format!("const {c} s = ({c})(({un})a - ({un})b); return ((a ^ b) & (a ^ s)) < 0 ? {saturated} : s;"),
        ),
        "satadd" => binary(c, format!("const {c} s = ({c})(a + b); return s < a ? ({c})~({c})0 : s;")),
        "pow" => by(format!(
            "{c} r = 1; for (; n != 0; n >>= 1) {{ if (n & 1) r = ({c})(({un})r * ({un})a); a = ({c})(({un})a * ({un})a); }} \
             return r;"
        )),
        "rotl" => by(rotated(c, same, bits, "<<", ">>")),
        "rotr" => by(rotated(c, same, bits, ">>", "<<")),
        "reverse" => reversed(&name, c, same, bits, dialect),
        "ones" => unary("ap_u32", format!("return {};", ones(&format!("({same})a"), bits, dialect))),
        "zeros" => unary("ap_u32", format!("return {bits} - {};", ones(&format!("({same})a"), bits, dialect))),
        // As many as the lowest bit that is set has below it; shorter numbers have one set above them.
        "trailing" => {
            let wide = if bits == 64 { "ap_u64" } else { "ap_u32" };
            let above = match bits {
                8 => " | 256",
                16 => " | 65536",
                _ => "",
            };
            unary(
                "ap_u32",
                format!("const {wide} x = ({same})a{above}; return {};", ones("((x & (0 - x)) - 1)", bits, dialect)),
            )
        }
        "leading" => {
            // Without bits of a sign above.
            let a = if signed && bits < 32 { format!("({same})a") } else { "a".to_owned() };
            let zeros = match (dialect, bits) {
                (Dialect::Cuda, 64) => format!("__clzll((ap_i64){a})"),
                (Dialect::Cuda, _) => format!("__clz((int){a})"),
                (Dialect::OpenCl, 64) => format!("clz((ap_u64){a})"),
                (Dialect::OpenCl, _) => format!("clz((ap_u32){a})"),
            };
            let more = if bits < 32 { format!(" - {}", 32 - bits) } else { String::new() };
            unary("ap_u32", format!("return (ap_u32){zeros}{more};"))
        }
        _ => return None,
    })
}

fn rotated(c: &str, un: &str, bits: i128, this: &str, other: &str) -> String {
    format!("n &= {0}; return ({c})(({un})a {this} n | ({un})a {other} (({bits} - n) & {0}));", bits - 1)
}

/// The number of bits that are set in an unsigned value of at most as many bits.
fn ones(value: &str, bits: i128, dialect: Dialect) -> String {
    let (wide, cuda) = if bits == 64 { ("ap_u64", "__popcll") } else { ("ap_u32", "__popc") };
    let name = if dialect == Dialect::Cuda { cuda } else { "popcount" };
    format!("(ap_u32){name}(({wide}){value})")
}

/// Neighbouring bits change places, then pairs, and so on.
fn reversed(name: &str, c: &str, un: &str, bits: i128, dialect: Dialect) -> String {
    if dialect == Dialect::Cuda {
        let value = match bits {
            8 | 16 => format!("__brev((ap_u32)a) >> {}", 32 - bits),
            64 => format!("__brevll(({un})a)"),
            _ => format!("__brev(({un})a)"),
        };
        return format!("AP_FN {c} {name}({c} a) {{ return ({c})({value}); }}\n");
    }
    let mut text = format!("AP_FN {c} {name}({c} a) {{\n    {un} x = ({un})a;\n");
    let mut width = 1;
    while width < bits {
        // Every second group of as many bits.
        let mask: u64 = (0..bits).filter(|bit| bit / width % 2 == 0).fold(0, |mask, bit| mask | 1 << bit);
        text += &format!("    x = ({un})((x >> {width} & 0x{mask:x}u) | (x & 0x{mask:x}u) << {width});\n");
        width *= 2;
    }
    text + &format!("    return ({c})x;\n}}\n")
}
