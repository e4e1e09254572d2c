//! Iterations that groups share, of loops that may be short: where there are many iterations, a warp has several at a time. Its
//! work-items are in lines, which are as wide as the loops are long, and each line runs an iteration.

use crate::access::Accesses;
use crate::contribute::contributes;
use crate::emit_c::{Emit, Returns};
use crate::entry;
use crate::folding;
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
/// Most turns of a work-item in a line of a given width: the whole warp takes longer loops. With 8 on an H200, rows of 3 to 60 elements
/// took 15 % longer.
const MOST_OF_ITEM: usize = 16;
/// Where the width of lines follows from data, loops of more turns count as if they had so many: lines are as wide as a warp.
const WIDEST: usize = 128;
/// Most turns of loops that lines and warps run: the whole group takes longer ones.
const MOST_OF_WARP: usize = 1024;
/// Iterations in a row of those that may be long, for which a group looks: their ends share sectors of memory.
const NEAR: usize = 8;

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
    match capped(f, rows) {
        Some((before, l)) => of_several_lengths(emit, rows, &index, &before, l),
        None => of_one_length(emit, rows, &index),
    }
    emit.text.push_str("#else\n#if AP_LINED\n");
    emit.line("if (AP_GROUPS * AP_GROUPS_Y < hi - lo) {");
    emit.depth += 1;
    emit.line("/* A warp has several iterations, in lines as wide as the first loop of these has turns. */");
    emit.line("const ap_i64 ap_warps = AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / 32), ap_item = AP_LANE % 32;");
    emit.line("const ap_i64 ap_warp = (AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * (AP_GROUP / 32) + AP_LANE / 32;");
    emit.line("int ap_log_most = 0;");
    emit.line("while (ap_log_most < 5 && (ap_warps << ap_log_most) < hi - lo) ap_log_most++;");
    emit.line("const int ap_most = 1 << ap_log_most;");
    let capped = capped(f, rows).is_some();
    if capped {
        emit.line("/* It has long ones as a whole, one after the other, and the group has very long ones, once the others are done. */");
        shared_memory(emit, rows);
        emit.line("ap_u32 ap_any = 0;");
    }
    begin_total(emit);
    emit.line("for (ap_i64 ap_begin = lo + ap_warp * ap_most; ap_begin < hi; ap_begin += ap_warps * ap_most) {");
    emit.depth += 1;
    match first(rows) {
        Some((before, l)) => {
            turns_of_item(emit, &index, &before, l);
            let all = if capped { "ap_all" } else { "ap_turns" };
            if capped {
                emit.line(&format!("const ap_u32 ap_long = __ballot_sync(0xffffffffu, ap_turns > {MOST_OF_WARP});"));
                emit.line("ap_any |= ap_long;");
                emit.line(&format!("ap_i64 ap_all = ap_turns < {WIDEST} ? ap_turns : {WIDEST};"));
            }
            emit.line("for (int ap_stride = 16; ap_stride > 0; ap_stride /= 2)");
            emit.line(&format!("    {all} += __shfl_xor_sync(0xffffffffu, {all}, ap_stride);"));
            emit.line("int ap_log = 5 - ap_log_most;");
            emit.line(&format!("while (ap_log < 5 && ((ap_i64)({EACH} * ap_most) << ap_log) < {all}) ap_log++;"));
            if capped {
                emit.line(&format!(
                    "const ap_u32 ap_rest = __ballot_sync(0xffffffffu, ap_log < 5 && ap_turns > {MOST_OF_ITEM} << ap_log) & ~ap_long;"
                ));
            }
        }
        None => emit.line("const int ap_log = 5;"),
    }
    emit.line("const int ap_wide = 1 << ap_log;");
    emit.line("const ap_i64 lane = ap_item & (ap_wide - 1), lanes = ap_wide, ap_line = ap_item >> ap_log;");
    emit.line(FIRST);
    emit.line("for (int ap_done = 0; ap_done < ap_most; ap_done += 32 >> ap_log) {");
    emit.depth += 1;
    emit.line("const ap_i64 row = ap_begin + ap_done + ap_line;");
    emit.line("if (row >= hi) break;");
    if capped {
        emit.line("if ((ap_rest | ap_long) >> (ap_done + (int)ap_line) & 1) continue;");
    }
    emit.depth -= 1;
    iteration(emit, rows, &index);
    emit.line("}");
    if capped {
        by_warp(emit, rows, &index, "ap_rest", "ap_begin + __ffs((int)ap_left) - 1");
    }
    emit.depth -= 1;
    emit.line("}");
    if let Some((before, l)) = first(rows).filter(|_| capped) {
        emit.line("if (__syncthreads_or(ap_any != 0))");
        // All warps of a group take part as long as one of them has iterations.
        emit.line("for (ap_i64 ap_start = lo + (ap_warp - AP_LANE / 32) * ap_most; ap_start < hi; ap_start += ap_warps * ap_most) {");
        emit.depth += 1;
        emit.line("const ap_i64 ap_begin = ap_start + AP_LANE / 32 * ap_most;");
        turns_of_item(emit, &index, &before, l);
        emit.line(&format!("const ap_u32 ap_long = __ballot_sync(0xffffffffu, ap_turns > {MOST_OF_WARP});"));
        by_group(emit, rows, &index, "ap_start + ap_at * ap_most + __ffs((int)ap_left) - 1");
        emit.depth -= 1;
        emit.line("}");
    }
    end_total(emit);
    if emit.f.result != Ty::Unit {
        emit.line(folding::CALL);
    }
    emit.line("return;");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#endif\n");
}

/// The turns of the iteration of each work-item of a warp that has one.
fn turns_of_item(emit: &mut Emit<'_>, index: &str, before: &[&Stmt], l: &ForLoop) {
    emit.line("ap_i64 ap_turns = 0;");
    emit.line("if (ap_item < ap_most && ap_begin + ap_item < hi) {");
    emit.depth += 1;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)(ap_begin + ap_item);"));
    emit.block_of(before);
    let (_, [lo, hi], _) = entry::counter(emit, l);
    emit.line(&format!("const ap_i64 ap_from = {lo}, ap_to = {hi};"));
    emit.line("ap_turns = ap_to > ap_from ? ap_to - ap_from : 0;");
    emit.depth -= 1;
    emit.line("}");
}

const FIRST: &str = "const bool first = lane == 0;";

/// Where iterations may be of different lengths, which data say: the first shared loop, and what comes before it.
fn capped<'f>(f: &Function, rows: &Rows<'f>) -> Option<(Vec<&'f Stmt>, &'f ForLoop)> {
    let (_, arguments) = ends(f, rows)?;
    let of_indices = if f.indices.len() > 1 { 2 } else { 0 };
    let array = |argument: &usize| matches!(f.params.get(*argument - of_indices), Some(Param::Array(_)));
    first(rows).filter(|_| arguments.iter().any(array))
}

fn line_of(emit: &mut Emit<'_>) {
    emit.line("const int ap_wide = AP_LINE;");
    emit.line("const ap_i64 lane = AP_LANE % AP_LINE, lanes = AP_LINE;");
    emit.line(FIRST);
}

fn of_one_length(emit: &mut Emit<'_>, rows: &Rows<'_>, index: &str) {
    emit.line("/* Lines of AP_LINE work-items have an iteration each. */");
    line_of(emit);
    begin_total(emit);
    emit.line(
        "for (ap_i64 row = lo + ((AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID) * AP_GROUP + AP_LANE) / AP_LINE; row < hi;",
    );
    emit.line("     row += AP_GROUPS * AP_GROUPS_Y * (AP_GROUP / AP_LINE)) {");
    iteration(emit, rows, index);
    emit.line("}");
    end_total(emit);
}

/// With `AP_CAPPED`, long loops are left to warps and groups, once lines have run the others: if it is 1 to the group whose lines would
/// have had them, so that one without has nothing more to do, if it is 2 to all groups in turn. All work-items come to each ballot and
/// barrier.
fn of_several_lengths(emit: &mut Emit<'_>, rows: &Rows<'_>, index: &str, before: &[&Stmt], l: &ForLoop) {
    emit.line(
        "/* Lines of AP_LINE work-items have an iteration each, if it is not long: then a warp has it, or a group. */",
    );
    emit.line("const ap_i64 ap_groups = AP_GROUPS * AP_GROUPS_Y, ap_group = AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID;");
    begin_total(emit);
    emit.text.push_str("#if AP_CAPPED\n");
    emit.line("bool ap_any = false;");
    emit.text.push_str("#endif\n");
    emit.line("{");
    emit.depth += 1;
    line_of(emit);
    emit.line("for (ap_i64 ap_begin = ap_group * (AP_GROUP / AP_LINE); ap_begin < hi - lo; ap_begin += ap_groups * (AP_GROUP / AP_LINE)) {");
    emit.depth += 1;
    emit.line("const ap_i64 row = lo + ap_begin + AP_LANE / AP_LINE;");
    emit.line("if (row >= hi) break;");
    emit.text.push_str("#if AP_CAPPED\n");
    whose(emit, index, before, l);
    emit.line("if (ap_of_warp || ap_of_group) {");
    emit.line("    ap_any = true;");
    emit.line("    continue;");
    emit.line("}");
    emit.text.push_str("#endif\n");
    emit.depth -= 1;
    iteration(emit, rows, index);
    emit.line("}");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#if AP_CAPPED\n");
    shared_memory(emit, rows);
    emit.line("/* A group looks at so many iterations in a row, the next group at the next ones. */");
    emit.line(&format!(
        "const ap_i64 ap_near = AP_CAPPED == 1 ? AP_GROUP / AP_LINE : hi - lo < {NEAR} * ap_groups ? 1 : {NEAR};"
    ));
    // Each warp looks at as many as its lines had, so that none has all long ones.
    emit.line("if (AP_CAPPED > 1 || __syncthreads_or(ap_any)) {");
    emit.depth += 1;
    emit.line("const int ap_item = AP_LANE % 32, ap_some = 32 / AP_LINE;");
    emit.line("for (ap_i64 ap_base = 0; ap_base * ap_groups < hi - lo; ap_base += AP_GROUP / AP_LINE) {");
    emit.depth += 1;
    let row = |at: &str| format!("lo + (({at}) / ap_near * ap_groups + ap_group) * ap_near + ({at}) % ap_near");
    emit.line(&format!("const ap_i64 row = {};", row("ap_base + AP_LANE / 32 * ap_some + ap_item")));
    emit.line("bool ap_has_warp = false, ap_has_group = false;");
    emit.line("if (ap_item < ap_some && row < hi) {");
    emit.depth += 1;
    whose(emit, index, before, l);
    emit.line("ap_has_warp = ap_of_warp, ap_has_group = ap_of_group;");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#if AP_LINE < 32\n");
    let of_warp = row("ap_base + AP_LANE / 32 * ap_some + __ffs((int)ap_left) - 1");
    by_warp(emit, rows, index, "__ballot_sync(0xffffffffu, ap_has_warp)", &of_warp);
    emit.text.push_str("#endif\n");
    emit.line("const ap_u32 ap_long = __ballot_sync(0xffffffffu, ap_has_group);");
    by_group(emit, rows, index, &row("ap_base + ap_at * ap_some + __ffs((int)ap_left) - 1"));
    emit.depth -= 1;
    emit.line("}");
    emit.depth -= 1;
    emit.line("}");
    emit.text.push_str("#endif\n");
    end_total(emit);
}

/// Whether a warp or a group has the iteration `row`.
fn whose(emit: &mut Emit<'_>, index: &str, before: &[&Stmt], l: &ForLoop) {
    emit.line("bool ap_of_warp, ap_of_group;");
    emit.line("{");
    emit.depth += 1;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
    emit.block_of(before);
    let (_, [lo, hi], _) = entry::counter(emit, l);
    emit.line(&format!("const ap_i64 ap_from = {lo}, ap_to = {hi};"));
    emit.line("const ap_u64 ap_turns = ap_to > ap_from ? (ap_u64)ap_to - (ap_u64)ap_from : 0;");
    emit.line(&format!("ap_of_group = ap_turns > {MOST_OF_WARP};"));
    emit.line(&format!("ap_of_warp = AP_LINE < 32 && ap_turns > {MOST_OF_ITEM} * AP_LINE && !ap_of_group;"));
    emit.depth -= 1;
    emit.line("}");
}

/// What the warps and the group need for long iterations.
fn shared_memory(emit: &mut Emit<'_>, rows: &Rows<'_>) {
    emit.line("AP_SHARED ap_u32 ap_longs[AP_GROUP / 32];");
    let mut declared = Vec::new();
    for ty in rows.gathered.iter().map(|(var, _)| emit.f.vars[*var].ty) {
        if !declared.contains(&ty.tag()) {
            declared.push(ty.tag());
            emit.line(&format!("AP_SHARED {} scratch_{}[AP_GROUP];", ty.c(), ty.tag()));
        }
    }
}

/// Iterations of the whole warp, those of `left`, all work-items of which are here.
fn by_warp(emit: &mut Emit<'_>, rows: &Rows<'_>, index: &str, left: &str, row: &str) {
    emit.line(&format!("for (ap_u32 ap_left = {left}; ap_left; ap_left &= ap_left - 1) {{"));
    emit.depth += 1;
    emit.line("const int ap_wide = 32;");
    emit.line(&format!("const ap_i64 row = {row};"));
    emit.line("const ap_i64 lane = AP_LANE % 32, lanes = 32;");
    emit.line(FIRST);
    emit.depth -= 1;
    iteration(emit, rows, index);
    emit.line("}");
}

/// Iterations of the whole group, those in `ap_long` of each warp.
fn by_group(emit: &mut Emit<'_>, rows: &Rows<'_>, index: &str, row: &str) {
    emit.line("if (AP_LANE % 32 == 0) ap_longs[AP_LANE / 32] = ap_long;");
    emit.line("if (__syncthreads_or(ap_long != 0)) {");
    emit.depth += 1;
    emit.line("for (int ap_at = 0; ap_at < AP_GROUP / 32; ap_at++)");
    emit.depth += 1;
    emit.line("for (ap_u32 ap_left = ap_longs[ap_at]; ap_left; ap_left &= ap_left - 1) {");
    emit.depth += 1;
    emit.line(&format!("const ap_i64 row = {row};"));
    emit.line("const ap_i64 lane = AP_LANE, lanes = AP_GROUP;");
    emit.line(FIRST);
    emit.depth -= 1;
    emit.grouped = true;
    iteration(emit, rows, index);
    emit.grouped = false;
    emit.line("}");
    emit.depth -= 1;
    emit.line("/* Nobody overwrites what another warp is yet to read. */");
    emit.line("AP_BARRIER;");
    emit.depth -= 1;
    emit.line("}");
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

/// The number of turns that iterations have of the first loop, as an `ap_generated::Turns`. None where it is not simple.
pub fn turns(f: &Function, rows: &Rows<'_>) -> Option<TokenStream> {
    let (of, arguments) = ends(f, rows)?;
    Some(quote!(ap_generated::Turns {
        of: |ap_i, ap_seen| ::core::option::Option::Some(#of),
        arguments: &[#(#arguments),*],
    }))
}

/// That number, and the arguments that it depends on.
fn ends(f: &Function, rows: &Rows<'_>) -> Option<(TokenStream, Vec<usize>)> {
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
    Some((quote!(#hi - #lo + #one), arguments))
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
    use crate::device;
    use crate::prelude::Dialect;

    fn function(text: &str) -> Function {
        let item: syn::ItemFn = syn::parse_str(text).unwrap();
        let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        crate::lower::lower(function, &item.block).unwrap()
    }

    #[test]
    fn warps_and_groups_have_iterations_that_data_may_make_long() {
        let ends = "for k in w[i] as usize..w[i + 1] as usize";
        for (body, expected) in [
            (format!("let mut s = 0.0; {ends} {{ s += x[k]; }} y[i] = s;"), true),
            (
                "let (a, b) = (w[i], w[i + 1]); let mut s = 0.0; for k in a..b { s += x[k as usize]; } y[i] = s;"
                    .into(),
                true,
            ),
            ("let mut s = 0.0; for k in n..w[i] as usize { s += x[k]; } y[i] = s;".into(), true),
            // All are equally long, or a condition is around the loop.
            ("let mut s = 0.0; for k in 0..n { s += x[i * n + k]; } y[i] = s;".into(), false),
            (format!("let mut s = 0.0; if n > 1 {{ {ends} {{ s += x[k]; }} }} y[i] = s;"), false),
        ] {
            let text = format!("fn f(i: usize, n: usize, w: &[u32], x: &[f32], y: &mut [f32]) {{ {body} }}");
            let f = function(&text);
            let accesses = crate::access::collect(&f);
            let rows = crate::share::plan(&accesses).unwrap_or_else(|why| panic!("{body}: {why}"));
            assert!(fit(&accesses, &rows));
            let text = |dialect| device::kernel(&f, device::Loop::Rows(Some(&rows)), dialect).text;
            let (cuda, opencl) = (text(Dialect::Cuda), text(Dialect::OpenCl));
            assert!(cuda.contains("#if AP_LINED && AP_LINE"), "{cuda}");
            assert_eq!(cuda.contains("AP_CAPPED"), expected, "{cuda}");
            assert!(!opencl.contains("AP_CAPPED") && !opencl.contains("__ballot_sync"), "{opencl}");
            // OpenCL devices that are CPUs have spans, and parts of sums.
            for (words, there) in [
                ("for (ap_i64 row = from; row < to; row++)", true),
                ("ap_s_parts[ap_part] +=", !expected && !body.contains("if n")),
            ] {
                assert!(opencl.contains(words) == there && !cuda.contains(words), "{words}: {opencl}");
            }
            if !expected {
                continue;
            }
            // Each sum by its work-items, each store by one of them.
            for (words, times) in [
                ("s_part = ap_line_sum_f32(s_part, ap_wide);", 4),
                ("s_part = ap_group_sum_f32(s_part, scratch_f32);", 3),
                ("if (first) y[(ap_i64)(i) - y_first] = s;", 7),
                ("AP_SHARED float scratch_f32[AP_GROUP];", 3),
                ("ap_of_group = ap_turns > 1024;", 2),
                ("ap_of_warp = AP_LINE < 32 && ap_turns > 16 * AP_LINE && !ap_of_group;", 2),
            ] {
                assert_eq!(cuda.matches(words).count(), times, "{words}: {cuda}");
            }
        }
    }

    #[test]
    fn values_of_long_iterations_count_once() {
        let f = function(
            "fn f(i: usize, w: &[u32], x: &[f64]) -> f64 { let mut s = 0.0; for k in w[i] as usize..w[i + 1] as usize { \
             s += x[k]; } if s > 1.0 { return 2.0; } s.sqrt() }",
        );
        let accesses = crate::access::collect(&f);
        let rows = crate::share::plan(&accesses).unwrap();
        let text = device::kernel(&f, device::Loop::Rows(Some(&rows)), Dialect::Cuda).text;
        let (_, lines) = text.split_once("#if AP_LINED && AP_LINE\n").unwrap();
        let (lines, _) = lines.split_once("#else\n#if AP_LINED\n").unwrap();
        assert_eq!(lines.matches("if (first) total = ap_combine(total, sqrt(s));").count(), 3, "{lines}");
        assert_eq!(lines.matches("if (first) total = ap_combine(total, 2.0);").count(), 3, "{lines}");
        assert_eq!(lines.matches("partial[").count(), 1, "{lines}");
        // What an early end leaves is in a loop of its own.
        let (_, first) = lines.split_once("if (row >= hi) break;").unwrap();
        let (first, _) = first.split_once("const ap_i64 ap_near").unwrap();
        assert_eq!(first.matches("continue;").count(), 2, "{first}");
    }

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
            let function = function(&text);
            let accesses = crate::access::collect(&function);
            let rows = crate::share::plan(&accesses).unwrap_or_else(|why| panic!("{body}: {why}"));
            assert_eq!(fit(&accesses, &rows), expected, "{body}");
        }
    }
}
