//! Atomic operations in the texts for GPUs, for iterations that contribute to the same elements at once.

use crate::contribute::{self, Operator};
use crate::device;
use crate::ir::{Function, Ty};
use crate::prelude::Dialect;
use crate::rows::Gather;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Address space of the arrays that work-items contribute to: in the groups' own copies, or in the device's memory.
const OWN: &str = "#ifndef AP_OWN
#if defined(AP_COPIES) && !defined(APPORTION_CPU)
#define AP_OWN AP_LOCAL
#else
#undef AP_COPIES
#define AP_COPIES 0
#define AP_OWN AP_GLOBAL
#endif
#endif
";

/// The prelude function of this name: `ap_atomic_sum_f32`, by which a work-item contributes, or `ap_whole_sum_f32`, by which its
/// group does.
pub fn function(kind: &str, word: &str, tag: &str, dialect: Dialect) -> String {
    let cuda = dialect == Dialect::Cuda;
    let (Some(operator), Some(ty)) =
        (Operator::ALL.into_iter().find(|o| o.name().to_lowercase() == word), Ty::named(tag))
    else {
        return String::new();
    };
    let (c, wide) = (ty.c(), ty.bytes() == 8);
    let (name, space, own) = match kind {
        "atomic" => (operator.function(ty), "AP_OWN", OWN),
        _ => (operator.of_group(ty), "AP_GLOBAL", ""),
    };
    let head = format!("AP_FN void {name}({space} {c} *place, {c} value)");
    let enable = if !cuda && wide {
        "#ifndef cl_khr_int64_base_atomics
#error \"the device has no atomic operations on 64 bits: use elements of 32 bits, or leave this device out\"
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
"
    } else {
        ""
    };
    let enable = format!("{own}{enable}");
    // Operations that devices have natively.
    let bits = match (cuda, wide) {
        (true, false) => "unsigned int",
        (true, true) => "unsigned long long",
        (false, false) => "uint",
        (false, true) => "ulong",
    };
    let word = match operator {
        Operator::Sum => "add",
        Operator::Product => "",
        Operator::Min => "min",
        Operator::Max => "max",
        Operator::And => "and",
        Operator::Or => "or",
    };
    let direct = match (cuda, operator) {
        (_, Operator::Product) => None,
        (true, Operator::Sum) if ty == Ty::F32 => Some("atomicAdd(place, value);".to_owned()),
        _ if ty.is_float() => None,
        (true, _) => {
            let function = format!("atomic{}{}", word[..1].to_uppercase(), &word[1..]);
            // Signed and unsigned comparisons of the same bits differ.
            let as_type = match (operator, ty) {
                (Operator::Min | Operator::Max, Ty::I32) => "int",
                (Operator::Min | Operator::Max, Ty::I64) => "long long",
                _ => bits,
            };
            Some(format!("{function}(({as_type} *)place, ({as_type})value);"))
        }
        (false, _) if !wide => Some(format!("atomic_{word}((volatile {space} {c} *)place, value);")),
        (false, Operator::Sum) => Some(format!("atom_add((volatile {space} {c} *)place, value);")),
        _ => None,
    };
    if let Some(body) = direct {
        return format!("{enable}{head} {{ {body} }}\n");
    }
    let together = match operator {
        Operator::Sum => "was + value".to_owned(),
        Operator::Product if ty.is_signed() => {
            let unsigned = if ty == Ty::I32 { "ap_u32" } else { "ap_u64" };
            format!("({c})(({unsigned})was * ({unsigned})value)")
        }
        Operator::Product => "was * value".to_owned(),
        Operator::Min | Operator::Max if ty.is_float() => {
            let f = if cuda && ty == Ty::F32 { "f" } else { "" };
            format!("f{word}{f}(was, value)")
        }
        Operator::Min => "was < value ? was : value".to_owned(),
        Operator::Max => "was > value ? was : value".to_owned(),
        Operator::And => "was & value".to_owned(),
        Operator::Or => "was | value".to_owned(),
    };
    let (to, from) = match (cuda, ty) {
        (true, Ty::F32) => ("__float_as_uint", "__uint_as_float"),
        (true, Ty::F64) => ("(unsigned long long)__double_as_longlong", "__longlong_as_double"),
        (false, Ty::F32) => ("as_uint", "as_float"),
        (false, Ty::F64) => ("as_ulong", "as_double"),
        _ => ("", ""),
    };
    // Integers are cast.
    let (to, from) = match to {
        "" => (format!("({bits})"), format!("({c})")),
        _ => (to.to_owned(), from.to_owned()),
    };
    let (pointer, exchange) = match (cuda, wide) {
        (true, _) => (format!("{bits} *"), "atomicCAS"),
        (false, false) => (format!("volatile {space} {bits} *"), "atomic_cmpxchg"),
        (false, true) => (format!("volatile {space} {bits} *"), "atom_cmpxchg"),
    };
    let from = if cuda && ty == Ty::F64 { format!("{from}((long long)seen)") } else { format!("{from}(seen)") };
    let swapping = format!(
        "{head} {{
    {pointer}at = ({pointer})place;
    {bits} seen = *({volatile})at;
    for (;;) {{
        const {c} was = {from};
        const {bits} next = {to}({together});
        /* It changes nothing. */
        if (next == seen) return;
        const {bits} old = {exchange}(at, seen, next);
        if (old == seen) return;
        seen = old;
    }}
}}
",
        volatile = if cuda { format!("volatile {bits} *") } else { pointer.clone() },
    );
    if cuda && ty == Ty::F64 && operator == Operator::Sum {
        return format!(
            "{own}#if __CUDA_ARCH__ >= 600\n{head} {{ atomicAdd(place, value); }}\n#else\n{swapping}#endif\n"
        );
    }
    format!("{enable}{swapping}")
}

/// The neutral element.
fn identity(ty: Ty, operator: Operator, dialect: Dialect) -> String {
    let gather = match operator {
        Operator::Sum | Operator::Or => Gather::Sum,
        Operator::Product => Gather::Product,
        Operator::Min => Gather::Min,
        Operator::Max => Gather::Max,
        Operator::And => return format!("(({0})~({0})0)", ty.c()),
    };
    device::identity(ty, gather, dialect)
}

/// The text before and after the body of an entry whose groups have copies of the arrays that iterations contribute to. The
/// arrays themselves are parameters named `.._all`.
pub fn around(f: &Function, dialect: Dialect, needs: &mut BTreeSet<String>) -> [String; 2] {
    let (mut own, mut fill, mut all, mut give) = Default::default();
    for (array, operator) in contribute::arrays(f) {
        let (ty, name) = (f.arrays[array].ty, f.arrays[array].name.clone());
        let (c, identity, function) = (ty.c(), identity(ty, operator, dialect), operator.of_group(ty));
        let line = |text: &mut String, line: String| _ = writeln!(text, "{line}");
        line(&mut own, format!("    AP_SHARED {c} {name}_part[AP_COPIES];"));
        line(&mut own, format!("    AP_OWN {c} *const {name} = {name}_part;"));
        line(&mut own, format!("    const ap_i64 {name}_first = 0;"));
        line(&mut fill, format!("        {name}_part[ap_at] = {identity};"));
        line(&mut all, format!("    AP_OWN {c} *const {name} = {name}_all;"));
        line(&mut all, format!("    const ap_i64 {name}_first = {name}_all_first;"));
        line(
            &mut give,
            format!(
                "        if ({name}_part[ap_at] != {identity}) {function}(&{name}_all[ap_at - {name}_all_first], {name}_part[ap_at]);"
            ),
        );
        needs.insert(function);
    }
    let through = "    for (int ap_at = AP_LANE; ap_at < AP_COPIES; ap_at += AP_GROUP) {\n";
    let when = "#if AP_COPIES > 0\n";
    [
        format!("{when}{own}{through}{fill}    }}\n    AP_BARRIER;\n#else\n{all}#endif\n"),
        format!("{when}    AP_BARRIER;\n{through}{give}    }}\n#endif\n"),
    ]
}
