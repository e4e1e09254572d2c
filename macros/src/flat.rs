//! Kernels in which an iteration is one work-item's. Light iterations are several per work-item, so that their loads overlap.

use crate::contribute::contributes;
use crate::device::{arguments, name};
use crate::functions::Own;
use crate::ir::{Builtin, Function, Kind, Stmt, Ty, walk_expressions};
use crate::share::loops_in;

/// Iterations per work-item if they are light.
const EACH: usize = 4;
/// Most expressions, with all their parts, of a light iteration.
const LIGHT: usize = 64;

/// Iterations per work-item.
pub fn each(f: &Function) -> usize {
    let mut parts = 0;
    let mut heavy = f.body.iter().any(|stmt| loops_in(stmt) || crate::access::has(std::slice::from_ref(stmt), array));
    walk_expressions(&f.body, &mut |e| {
        parts += 1;
        heavy |= match &e.kind {
            Kind::Helper(..) => true,
            Kind::Builtin(Builtin::Math(function), _) => function.elementary,
            Kind::Builtin(builtin, _) => matches!(builtin, Builtin::Powi | Builtin::Own(Own { c: "pow", .. })),
            _ => false,
        };
    });
    if heavy || parts > LIGHT { 1 } else { EACH }
}

fn array(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::LetArray(..))
}

/// Neighbouring work-items have neighbouring iterations, and each has several, a group's size apart; with a reduction it has
/// many, the size of all groups apart.
pub fn entry(f: &Function) -> String {
    let (name, each) = (name(f), each(f));
    let call = |at: &str| format!("{name}_iteration({})", arguments(f, &[at]));
    let one = call("(ap_u64)at");
    if f.result == Ty::Unit && contributes(&f.body) {
        return gathers(&one, each, &call("(ap_u64)(at + ap_k * step)"));
    }
    if f.result == Ty::Unit && each == 1 {
        return format!("    const ap_i64 at = lo + AP_GROUP_ID * AP_GROUP + AP_LANE;\n    if (at < hi) {one};\n");
    }
    if f.result == Ty::Unit {
        let several = call("(ap_u64)(at + ap_k * AP_GROUP)");
        return format!(
            "    /* Where there are as many work-items as iterations, each has one. */
    const ap_i64 ap_each = AP_GROUPS * AP_GROUP < hi - lo ? {each} : 1;
    const ap_i64 from = lo + AP_GROUP_ID * (ap_each * AP_GROUP), ap_past = from + ap_each * AP_GROUP, to = ap_past < hi ? ap_past : hi;
#ifdef APPORTION_CPU
    /* One item does all of its group. */
    if (AP_LANE != 0) return;
    for (ap_i64 at = from; at < to; at++) {one};
#else
    if (ap_each > 1 && ap_past <= hi) {{
        /* All are there: their loads do not wait for one another. */
        const ap_i64 at = from + AP_LANE;
        AP_UNROLL for (int ap_k = 0; ap_k < {each}; ap_k++) {several};
    }} else {{
        for (ap_i64 at = from + AP_LANE; at < to; at += AP_GROUP) {one};
    }}
#endif
"
        );
    }
    let c = f.result.c();
    let several = if each == 1 {
        String::new()
    } else {
        let of_k = call("(ap_u64)(at + ap_k * step)");
        format!(
            "    for (; at + {} * step < hi; at += {each} * step)
        AP_UNROLL for (int ap_k = 0; ap_k < {each}; ap_k++) total = ap_combine(total, {of_k});
",
            each - 1
        )
    };
    format!(
        "    {c} total = AP_IDENTITY;
#ifdef APPORTION_CPU
    /* One item goes through a span of iterations; the others have nothing to do. */
    if (AP_LANE != 0) return;
    const ap_i64 span = (hi - lo + AP_GROUPS - 1) / AP_GROUPS, from = lo + AP_GROUP_ID * span;
    const ap_i64 to = from + span < hi ? from + span : hi;
    for (ap_i64 at = from; at < to; at++) total = ap_combine(total, {one});
    partial[AP_GROUP_ID] = total;
#else
    AP_SHARED {c} scratch[AP_GROUP];
    const ap_i64 step = AP_GROUPS * AP_GROUP;
    ap_i64 at = lo + AP_GROUP_ID * AP_GROUP + AP_LANE;
{several}    for (; at < hi; at += step) total = ap_combine(total, {one});
    total = ap_group_combine(total, scratch);
    if (AP_LANE == 0) partial[AP_GROUP_ID] = total;
#endif
"
    )
}

/// Groups that run many iterations, as each has a copy of the arrays contributed to; a work-item's are the size of all groups
/// apart.
fn gathers(one: &str, each: usize, of_k: &str) -> String {
    let several = if each == 1 {
        String::new()
    } else {
        format!(
            "    for (; at + {} * step < hi; at += {each} * step)
        AP_UNROLL for (int ap_k = 0; ap_k < {each}; ap_k++) {of_k};
",
            each - 1
        )
    };
    format!(
        "#ifdef APPORTION_CPU
    /* One item goes through a span of iterations; the others have nothing to do. */
    if (AP_LANE != 0) return;
    const ap_i64 span = (hi - lo + AP_GROUPS - 1) / AP_GROUPS, from = lo + AP_GROUP_ID * span;
    const ap_i64 to = from + span < hi ? from + span : hi;
    for (ap_i64 at = from; at < to; at++) {one};
#else
    const ap_i64 step = AP_GROUPS * AP_GROUP;
    ap_i64 at = lo + AP_GROUP_ID * AP_GROUP + AP_LANE;
{several}    for (; at < hi; at += step) {one};
#endif
"
    )
}
