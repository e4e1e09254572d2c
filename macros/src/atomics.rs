//! Atomic operations of the texts for GPUs: iterations contribute to the same elements at once.

use crate::contribute::Operator;
use crate::ir::Ty;
use crate::prelude::Dialect;

/// The function of the prelude of this name, `ap_atomic_sum_f32`.
pub fn function(word: &str, tag: &str, dialect: Dialect) -> String {
    let cuda = dialect == Dialect::Cuda;
    let (Some(operator), Some(ty)) =
        (Operator::ALL.into_iter().find(|o| o.name().to_lowercase() == word), Ty::named(tag))
    else {
        return String::new();
    };
    let (c, wide) = (ty.c(), ty.bytes() == 8);
    let name = operator.function(ty);
    let head = format!("AP_FN void {name}(AP_GLOBAL {c} *place, {c} value)");
    let enable = if !cuda && wide {
        "#ifndef cl_khr_int64_base_atomics
#error \"the device has no atomic operations on 64 bits: use elements of 32 bits, or leave this device out\"
#endif
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
"
    } else {
        ""
    };
    // Those that devices have.
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
    let own = match (cuda, operator) {
        (_, Operator::Product) => None,
        (true, Operator::Sum) if ty == Ty::F32 => Some("atomicAdd(place, value);".to_owned()),
        _ if ty.is_float() => None,
        (true, _) => {
            let function = format!("atomic{}{}", word[..1].to_uppercase(), &word[1..]);
            // The least of numbers with a sign is another one than of the same bits without.
            let as_type = match (operator, ty) {
                (Operator::Min | Operator::Max, Ty::I32) => "int",
                (Operator::Min | Operator::Max, Ty::I64) => "long long",
                _ => bits,
            };
            Some(format!("{function}(({as_type} *)place, ({as_type})value);"))
        }
        (false, _) if !wide => Some(format!("atomic_{word}((volatile __global {c} *)place, value);")),
        (false, Operator::Sum) => Some(format!("atom_add((volatile __global {c} *)place, value);")),
        _ => None,
    };
    if let Some(body) = own {
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
    // Of integers casts.
    let (to, from) = match to {
        "" => (format!("({bits})"), format!("({c})")),
        _ => (to.to_owned(), from.to_owned()),
    };
    let (pointer, exchange) = match (cuda, wide) {
        (true, _) => (format!("{bits} *"), "atomicCAS"),
        (false, false) => (format!("volatile __global {bits} *"), "atomic_cmpxchg"),
        (false, true) => (format!("volatile __global {bits} *"), "atom_cmpxchg"),
    };
    let from = if cuda && ty == Ty::F64 { format!("{from}((long long)seen)") } else { format!("{from}(seen)") };
    let swapping = format!(
        "{head} {{
    {pointer}at = ({pointer})place;
    {bits} seen = *(volatile {global}{bits} *)at;
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
        global = if cuda { "" } else { "__global " },
    );
    if cuda && ty == Ty::F64 && operator == Operator::Sum {
        return format!("#if __CUDA_ARCH__ >= 600\n{head} {{ atomicAdd(place, value); }}\n#else\n{swapping}#endif\n");
    }
    format!("{enable}{swapping}")
}
