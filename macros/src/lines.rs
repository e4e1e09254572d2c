//! Iterations that groups share, of loops that may be short: where there are many iterations, a warp has several at a time. Its
//! work-items are in lines, which are as wide as the loops are long, and each line runs an iteration.

use crate::access::Accesses;
use crate::contribute::contributes;
use crate::emit_c::{Emit, Returns};
use crate::entry;
use crate::ir::{Binary, Expr, ForLoop, Function, Kind, Lit, Param, Stmt, Ty, VarId};
use crate::rows::Gather;
use crate::share::{Rows, Step};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// Turns of a work-item where the width of lines follows from data: fewer are slower, as each iteration costs something.
const EACH: usize = 4;
/// Most parts of the ends of a loop, with those of the locals in them, that are worked out for some iterations.
const MOST_PARTS: usize = 64;

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
fn first<'f>(rows: &Rows<'f>) -> Option<(Vec<&'f Stmt>, &'f ForLoop)> {
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

/// The function that combines the values of a line's work-items, for all of them. Of floats all have the first one's result: theirs
/// may differ from it by the sign of a zero, and work-items of a line must not part.
pub fn function(name: &str, ty: Ty, of_two: &str) -> String {
    let c = ty.c();
    let end = match ty.is_float() {
        true => "wide > 1 ? __shfl_sync(line, value, AP_LANE % 32 & ~(wide - 1)) : value",
        false => "value",
    };
    format!(
        "#if AP_LINED
AP_FN {c} {name}({c} value, int wide) {{
    /* Other lines of the warp may be elsewhere. */
    const ap_u32 line = (0xffffffffu >> (32 - wide)) << (AP_LANE % 32 & ~(wide - 1));
    for (int stride = wide / 2; stride > 0; stride /= 2) value = {of_two}(value, __shfl_xor_sync(line, value, stride));
    return {end};
}}
#endif
"
    )
}

/// The name of that function for the parts of a local.
pub fn name(ty: Ty, gather: Gather) -> String {
    format!("ap_line_{}_{}", gather.name(), ty.tag())
}

/// The iterations of an entry in lines: of `AP_LINE` work-items, or where there are fewer groups than iterations.
pub fn entry(emit: &mut Emit<'_>, rows: &Rows<'_>) {
    let f = emit.f;
    let index = f.vars[f.indices[0]].name.clone();
    emit.text.push_str("#if AP_LINED && AP_LINE\n");
    emit.line("/* Lines of AP_LINE work-items have an iteration each. */");
    emit.line("const int ap_wide = AP_LINE;");
    emit.line("const ap_i64 lane = AP_LANE % AP_LINE, lanes = AP_LINE;");
    emit.line("const bool first = lane == 0;");
    begin_total(emit);
    emit.line(
        "for (ap_i64 row = lo + ((AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP + AP_LANE) / AP_LINE; row < hi;",
    );
    emit.line("     row += AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / AP_LINE)) {");
    iteration(emit, rows, &index);
    emit.line("}");
    end_total(emit);
    emit.text.push_str("#else\n#if AP_LINED\n");
    emit.line("if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {");
    emit.depth += 1;
    emit.line("/* A warp has several iterations, in lines as wide as the first loop of these has turns. */");
    emit.line("const ap_i64 ap_warps = AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / 32), ap_item = AP_LANE % 32;");
    emit.line("const ap_i64 ap_warp = (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * (AP_GROUP / 32) + AP_LANE / 32;");
    emit.line("int ap_log_most = 0;");
    emit.line("while (ap_log_most < 5 && (ap_warps << ap_log_most) < hi - lo) ap_log_most++;");
    emit.line("const int ap_most = 1 << ap_log_most;");
    begin_total(emit);
    emit.line("for (ap_i64 ap_begin = lo + ap_warp * ap_most; ap_begin < hi; ap_begin += ap_warps * ap_most) {");
    emit.depth += 1;
    match first(rows) {
        Some((before, l)) => {
            emit.line("ap_i64 ap_turns = 0;");
            emit.line("if (ap_item < ap_most && ap_begin + ap_item < hi) {");
            emit.depth += 1;
            emit.line(&format!("const ap_u64 {index} = (ap_u64)(ap_begin + ap_item);"));
            emit.block_of(&before);
            let (_, [lo, hi], _) = entry::counter(emit, l);
            emit.line(&format!("const ap_i64 ap_from = {lo}, ap_to = {hi};"));
            emit.line("ap_turns = ap_to > ap_from ? ap_to - ap_from : 0;");
            emit.depth -= 1;
            emit.line("}");
            emit.line("for (int ap_stride = 16; ap_stride > 0; ap_stride /= 2)");
            emit.line("    ap_turns += __shfl_xor_sync(0xffffffffu, ap_turns, ap_stride);");
            emit.line("int ap_log = 5 - ap_log_most;");
            emit.line(&format!("while (ap_log < 5 && ((ap_i64)({EACH} * ap_most) << ap_log) < ap_turns) ap_log++;"));
        }
        None => emit.line("const int ap_log = 5;"),
    }
    emit.line("const int ap_wide = 1 << ap_log;");
    emit.line("const ap_i64 lane = ap_item & (ap_wide - 1), lanes = ap_wide, ap_line = ap_item >> ap_log;");
    emit.line("const bool first = lane == 0;");
    emit.line("for (int ap_done = 0; ap_done < ap_most; ap_done += 32 >> ap_log) {");
    emit.depth += 1;
    emit.line("const ap_i64 row = ap_begin + ap_done + ap_line;");
    emit.line("if (row >= hi) break;");
    emit.depth -= 1;
    iteration(emit, rows, &index);
    emit.line("}");
    emit.depth -= 1;
    emit.line("}");
    end_total(emit);
    emit.line("return;");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#endif\n");
}

/// What follows in the text is not for lines of a given width.
pub fn end(emit: &mut Emit<'_>) {
    emit.text.push_str("#endif\n");
}

fn iteration(emit: &mut Emit<'_>, rows: &Rows<'_>, index: &str) {
    emit.depth += 1;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
    (emit.returns, emit.lines) = (Returns::Combine { pure: Vec::new() }, true);
    entry::steps(emit, &rows.steps, true);
    emit.lines = false;
    emit.depth -= 1;
}

fn begin_total(emit: &mut Emit<'_>) {
    if emit.f.result != Ty::Unit {
        emit.line(&format!("{} total = AP_IDENTITY;", emit.f.result.c()));
    }
}

fn end_total(emit: &mut Emit<'_>) {
    if emit.f.result == Ty::Unit {
        return;
    }
    emit.line(&format!("AP_SHARED {} ap_parts[AP_GROUP / 32];", emit.f.result.c()));
    emit.line("total = ap_line_combine(total, 32);");
    emit.line("if (AP_LANE % 32 == 0) ap_parts[AP_LANE / 32] = total;");
    emit.line("AP_BARRIER;");
    emit.line("if (AP_LANE == 0) {");
    emit.line(
        "    for (int ap_warp = 1; ap_warp < AP_GROUP / 32; ap_warp++) total = ap_combine(total, ap_parts[ap_warp]);",
    );
    emit.line("    partial[AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID] = total;");
    emit.line("}");
}

/// The number of turns that iterations have of the first loop, as an `ap::Turns`. None where it is not simple.
pub fn turns(f: &Function, rows: &Rows<'_>) -> Option<TokenStream> {
    let (before, l) = first(rows)?;
    let locals: BTreeMap<VarId, &Expr> = before
        .into_iter()
        .filter_map(|stmt| if let Stmt::Let(var, Some(value)) = stmt { Some((*var, value)) } else { None })
        .collect();
    let mut arguments = Vec::new();
    let mut parts = MOST_PARTS;
    let mut end = |e: &Expr| number(f, &locals, e, &mut arguments, &mut parts);
    let (lo, hi) = (end(&l.lo)?, end(&l.hi)?);
    let one = i128::from(l.inclusive);
    Some(quote!(ap::Turns {
        of: |ap_i, ap_seen| ::core::option::Option::Some(#hi - #lo + #one),
        arguments: &[#(#arguments),*],
    }))
}

/// The place of a parameter among the bound kernel's arguments that turns depend on; `arguments` are these.
fn seen(f: &Function, parameter: Param, arguments: &mut Vec<usize>) -> Option<usize> {
    // The two ends of a second index come first.
    let ends = if f.indices.len() > 1 { 2 } else { 0 };
    let argument = ends + f.params.iter().position(|of| *of == parameter)?;
    Some(arguments.iter().position(|of| *of == argument).unwrap_or_else(|| {
        arguments.push(argument);
        arguments.len() - 1
    }))
}

/// An expression of integers, as an `i128`.
fn number(
    f: &Function,
    locals: &BTreeMap<VarId, &Expr>,
    e: &Expr,
    arguments: &mut Vec<usize>,
    parts: &mut usize,
) -> Option<TokenStream> {
    *parts = parts.checked_sub(1)?;
    if !e.ty.is_integer() {
        return None;
    }
    let mut part = |e: &Expr| number(f, locals, e, arguments, parts);
    Some(match &e.kind {
        Kind::Lit(Lit::Int(value)) => {
            let value = Literal::i128_suffixed(i128::try_from(*value).ok()?);
            quote!(#value)
        }
        Kind::Var(var) if f.index() == Some(*var) => quote!((ap_i as i128)),
        Kind::Var(var) if f.params.contains(&Param::Scalar(*var)) && f.vars[*var].len.is_none() => {
            let of = seen(f, Param::Scalar(*var), arguments)?;
            quote!(ap_seen.scalar(#of)?)
        }
        Kind::Var(var) if !f.vars[*var].mutable => part(locals.get(var)?)?,
        Kind::Cast(inner) => part(inner)?,
        // Numbers that are ends of loops in arrays do not wrap; sums of others of 64 bits have room.
        Kind::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
            let (a, b) = (part(a)?, part(b)?);
            if *op == Binary::Add { quote!((#a + #b)) } else { quote!((#a - #b)) }
        }
        Kind::Load(array, index) if f.arrays[*array].components.is_none() && !f.arrays[*array].mutable => {
            let index = part(index)?;
            let of = seen(f, Param::Array(*array), arguments)?;
            quote!(ap_seen.element(#of, #index)?)
        }
        _ => return None,
    })
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
