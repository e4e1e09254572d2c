//! Iterations that groups share, of loops that may be short: where there are many iterations, a warp has several at a time. Its
//! work-items are in lines, which are as wide as the loops are long, and each line runs an iteration.

use crate::access::Accesses;
use crate::contribute::contributes;
use crate::emit_c::{Emit, Returns};
use crate::entry;
use crate::ir::{ForLoop, Stmt, Ty};
use crate::rows::Gather;
use crate::share::{Rows, Step};

/// Whether a line may run an iteration: nothing waits for other lines.
pub fn fit(accesses: &Accesses<'_>, rows: &Rows<'_>) -> bool {
    fn free(steps: &[Step<'_>]) -> bool {
        steps.iter().all(|step| match step {
            Step::Alike(_) | Step::Alone(_) | Step::Shared(..) => true,
            Step::Block(body) | Step::Around(_, body, false) => free(body),
            Step::If(_, yes, no) => free(yes) && free(no),
            Step::Nest(..) | Step::Around(_, _, true) | Step::Wait => false,
        })
    }
    let shared = rows.tiles.is_none() && !rows.nested && !rows.heavy && free(&rows.steps);
    shared && !contributes(&accesses.f.body) && !crate::alone::may_be(accesses, rows)
}

/// The first shared loop, and what comes before it, if only locals do.
fn first<'r, 'f>(rows: &'r Rows<'f>) -> Option<(Vec<&'f Stmt>, &'f ForLoop)> {
    let mut before = Vec::new();
    for step in &rows.steps {
        match step {
            Step::Alike(stmt @ Stmt::Let(..)) => before.push(*stmt),
            Step::Shared(l, _) => return Some((before, l)),
            _ => return None,
        }
    }
    None
}

/// The function that combines the values of a line's work-items, for all of them.
pub fn function(name: &str, c: &str, of_two: &str) -> String {
    format!(
        "#if AP_LINED
AP_FN {c} {name}({c} value, int wide) {{
    /* Other lines of the warp may be elsewhere. */
    const ap_u32 line = (0xffffffffu >> (32 - wide)) << (AP_LANE % 32 / wide * wide);
    for (int stride = wide / 2; stride > 0; stride /= 2) value = {of_two}(value, __shfl_xor_sync(line, value, stride));
    return value;
}}
#endif
"
    )
}

/// The name of that function for the parts of a local.
pub fn name(ty: Ty, gather: Gather) -> String {
    format!("ap_line_{}_{}", gather.name(), ty.tag())
}

/// The part of an entry that runs where there are fewer groups than iterations.
pub fn entry(emit: &mut Emit<'_>, rows: &Rows<'_>) {
    let f = emit.f;
    let (c, reduces) = (f.result.c(), f.result != Ty::Unit);
    let index = &f.vars[f.indices[0]].name;
    emit.text.push_str("#if AP_LINED\n");
    emit.line("if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {");
    emit.depth += 1;
    emit.line("/* A warp has `most` iterations, and lines of `wide` work-items for them: of as many as the first loop has turns. */");
    emit.line("const ap_i64 warps = AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / 32), item = AP_LANE % 32;");
    emit.line("const ap_i64 warp = (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * (AP_GROUP / 32) + AP_LANE / 32;");
    emit.line("int most = 1;");
    emit.line("while (most < 32 && most * warps < hi - lo) most *= 2;");
    if reduces {
        emit.line(&format!("{c} total = AP_IDENTITY;"));
    }
    emit.line("for (ap_i64 begin = lo + warp * most; begin < hi; begin += warps * most) {");
    emit.depth += 1;
    match first(rows) {
        Some((before, l)) => {
            emit.line("ap_i64 turns = 0;");
            emit.line("if (item < most && begin + item < hi) {");
            emit.depth += 1;
            emit.line(&format!("const ap_u64 {index} = (ap_u64)(begin + item);"));
            emit.block_of(&before);
            let (_, [lo, hi], _) = entry::counter(emit, l);
            emit.line(&format!("const ap_i64 ap_from = {lo}, ap_end = {hi};"));
            emit.line("turns = ap_end > ap_from ? ap_end - ap_from : 0;");
            emit.depth -= 1;
            emit.line("}");
            emit.line(
                "for (int stride = 16; stride > 0; stride /= 2) turns += __shfl_xor_sync(0xffffffffu, turns, stride);",
            );
            emit.line("int wide = 32 / most;");
            emit.line("while (wide < 32 && wide * most < turns) wide *= 2;");
        }
        None => emit.line("const int wide = 32;"),
    }
    emit.line("for (int done = 0; done < most; done += 32 / wide) {");
    emit.depth += 1;
    emit.line("const ap_i64 row = begin + done + item / wide;");
    emit.line("if (row >= hi) break;");
    emit.line("const ap_i64 lane = item % wide, lanes = wide;");
    emit.line("const bool first = lane == 0;");
    emit.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
    (emit.returns, emit.lines) = (Returns::Combine { pure: Vec::new() }, true);
    entry::steps(emit, &rows.steps, true);
    emit.lines = false;
    emit.depth -= 1;
    emit.line("}");
    emit.depth -= 1;
    emit.line("}");
    if reduces {
        emit.line(&format!("AP_SHARED {c} parts[AP_GROUP / 32];"));
        emit.line("total = ap_line_combine(total, 32);");
        emit.line("if (item == 0) parts[AP_LANE / 32] = total;");
        emit.line("AP_BARRIER;");
        emit.line("if (AP_LANE == 0) {");
        emit.line("    for (int other = 1; other < AP_GROUP / 32; other++) total = ap_combine(total, parts[other]);");
        emit.line("    partial[AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID] = total;");
        emit.line("}");
    }
    emit.line("return;");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#endif\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_run_iterations_that_wait_for_nothing() {
        for (body, expected) in [
            ("let mut s = 0.0; for k in 0..n { s += x[i * n + k]; } y[i] = s;", true),
            ("let mut s = 0.0; for k in w[i] as usize..w[i + 1] as usize { s += x[k]; } y[i] = s;", true),
            (
                "let (a, b) = (w[i] as usize, w[i + 1] as usize); let mut s = 0.0; for k in a..b { s += x[k]; } y[i] = s;",
                true,
            ),
            ("let mut s = 0.0; if w[i] > 0 { for k in 0..n { s += x[i * n + k]; } } y[i] = s;", true),
            // A work-item for each.
            ("let mut s = 0.0; for k in 0..n { s += x[i + k]; } y[i] = s;", false),
            // Groups have tiles.
            ("for k in 0..n { y[i * n + k] = x[k]; }", false),
            // A barrier.
            (
                "for k in 0..n { y[i * n + k] = x[k]; } let mut s = 0.0; for k in 0..n { s += y[i * n + k]; } y[i * n] = s;",
                false,
            ),
        ] {
            let text = format!("fn f(i: usize, n: usize, w: &[u32], x: &[f32], y: &mut [f32]) {{ {body} }}");
            let item: syn::ItemFn = syn::parse_str(&text).unwrap();
            let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
            let function = crate::lower::lower(function, &item.block).unwrap();
            let accesses = crate::access::collect(&function);
            let rows = crate::share::plan(&accesses).unwrap_or_else(|why| panic!("{body}: {why}"));
            assert_eq!(fit(&accesses, &rows), expected, "{body}");
        }
    }
}
