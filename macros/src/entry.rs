//! The C text of an entry whose groups share the loops of an iteration.

use crate::access::has;
use crate::bytes;
use crate::bytes_text;
use crate::device::{EACH_OF_SPAN, SPAN, identity_inside};
use crate::emit_c::{Emit, Returns};
use crate::ir::{ForLoop, Kind, Place, Stmt, Ty, VarId, walk_expressions, walk_statements};
use crate::lines;
use crate::prelude::Dialect;
use crate::rows::Gathered;
use crate::share::{Rows, Step};

/// How work-items find their places. `AP_SPREAD` is 1 if groups have tiles of the columns and strips of the rows.
const PLACES: &str = "#if AP_SPREAD
    /* Groups beside one another have tiles of the columns, those below one another strips of the rows. */
    const ap_i64 tile = AP_GROUP_ID, tiles = AP_GROUPS, height = (hi - lo + AP_GROUPS_Y - 1) / AP_GROUPS_Y;
    const ap_i64 from = lo + AP_GROUP_ID_Y * height, to = from + height < hi ? from + height : hi;
";

/// The entry in tiles; on GPUs in strips, if there is a text for that.
pub fn entry<'a>(emit: &mut Emit<'a>, rows: &Rows<'_>, strips: Option<&dyn Fn(&mut Emit<'a>)>) {
    let Some(strips) = strips else {
        return tiles(emit, rows);
    };
    emit.text.push_str("#if !AP_STRIPS || defined(APPORTION_CPU)\n");
    tiles(emit, rows);
    emit.text.push_str("#else\n");
    strips(emit);
    emit.text.push_str("#endif\n");
}

fn tiles(emit: &mut Emit<'_>, rows: &Rows<'_>) {
    let f = emit.f;
    let reduces = f.result != Ty::Unit;
    let c = f.result.c();
    emit.text.push_str("#ifdef APPORTION_CPU\n");
    emit.line("/* One item does all of its group: neighbours at neighbouring elements are slow on a CPU. */");
    emit.line("if (AP_LANE != 0) return;");
    let nest = if rows.nested { ", column = 0, columns = 1" } else { "" };
    emit.line(&format!("const ap_i64 lane = 0, lanes = 1, line = 0, lines = 1{nest};"));
    emit.text.push_str("#else\n");
    if rows.nested {
        emit.line("const ap_i64 lane = AP_LANE, lanes = AP_GROUP, line = AP_LANE / AP_WIDE, lines = AP_LINES;");
        emit.line("const ap_i64 column = AP_LANE % AP_WIDE, columns = AP_WIDE;");
    } else {
        emit.line("const ap_i64 lane = AP_LANE % AP_WIDE, lanes = AP_WIDE, line = AP_LANE / AP_WIDE, lines = AP_GROUP / AP_WIDE;");
    }
    let mut declared: Vec<&str> = Vec::new();
    for ty in rows
        .gathered
        .iter()
        .map(|(var, _)| f.vars[*var].ty)
        .chain((reduces && rows.tiles.is_some()).then_some(f.result))
    {
        if !declared.contains(&ty.tag()) {
            declared.push(ty.tag());
            emit.line(&format!("AP_SHARED {} scratch_{}[AP_GROUP];", ty.c(), ty.tag()));
        }
    }
    emit.text.push_str("#endif\n");
    // Without a partial result per group there is a group for each iteration; a loop around it would cost some compilers much.
    let (from, next) = if reduces {
        ("AP_GROUP_ID", "row += AP_GROUPS")
    } else {
        ("AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID", "row = to")
    };
    let places = format!("const ap_i64 tile = 0, tiles = 1, from = lo + {from}, to = hi;");
    let each = format!("for (ap_i64 row = from; row < to; {next}) {{");
    let in_spans = emit.dialect == Dialect::OpenCl;
    let mut branch = "#if";
    if rows.tiles.is_some() {
        emit.text.push_str(PLACES);
        branch = "#elif";
    }
    if in_spans {
        emit.text.push_str(&format!("{branch} defined(APPORTION_CPU)\n{SPAN}"));
        emit.line("const ap_i64 tile = 0, tiles = 1;");
    }
    if in_spans || rows.tiles.is_some() {
        emit.text.push_str("#else\n");
    }
    emit.line(&places);
    if in_spans || rows.tiles.is_some() {
        emit.text.push_str("#endif\n");
    }
    emit.line("const bool first = lane == 0 && tile == 0;");
    if reduces {
        emit.line(&format!("{c} total = AP_IDENTITY;"));
    }
    let (start, step) = if rows.nested { ("from", "1") } else { ("from + line", "lines") };
    if rows.tiles.is_some() {
        emit.text.push_str("#if AP_SPREAD\n");
        emit.line(&format!("for (ap_i64 row = {start}; row < to; row += {step}) {{"));
    }
    if in_spans {
        emit.text.push_str(&format!("{branch} defined(APPORTION_CPU)\n"));
        emit.line(&format!("{EACH_OF_SPAN} {{"));
    }
    if in_spans || rows.tiles.is_some() {
        emit.text.push_str("#else\n");
    }
    emit.line(&each);
    if in_spans || rows.tiles.is_some() {
        emit.text.push_str("#endif\n");
    }
    emit.depth += 1;
    let index = &f.vars[f.indices[0]].name;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
    emit.returns = Returns::Combine { pure: pure(rows) };
    steps(emit, &rows.steps, true);
    emit.depth -= 1;
    emit.line("}");
    if reduces {
        if rows.tiles.is_some() {
            emit.text.push_str("#if AP_SPREAD && !defined(APPORTION_CPU)\n");
            emit.line(&format!("total = ap_group_combine(total, scratch_{});", f.result.tag()));
            emit.text.push_str("#endif\n");
            emit.line(
                "if (AP_LANE == 0) partial[AP_SPREAD ? AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID : AP_GROUP_ID] = total;",
            );
        } else {
            emit.line("if (AP_LANE == 0) partial[AP_GROUP_ID] = total;");
        }
    }
}

/// Locals of which each work-item returns a part.
fn pure(rows: &Rows<'_>) -> Vec<VarId> {
    if rows.tiles.is_some() { rows.gathered.iter().map(|(var, _)| *var).collect() } else { Vec::new() }
}

/// `last`: no statement of the iteration follows.
pub fn steps(emit: &mut Emit<'_>, list: &[Step<'_>], last: bool) {
    for (place, step) in list.iter().enumerate() {
        let last = last && place + 1 == list.len();
        match step {
            Step::Alike(stmt) => {
                emit.guard = Some("first".into());
                emit.last = last;
                emit.statement(stmt);
                emit.guard = None;
            }
            Step::Alone(stmt) => {
                if matches!(stmt, crate::ir::Stmt::Assign(..)) {
                    emit.guard = Some("first".into());
                    emit.statement(stmt);
                    emit.guard = None;
                } else {
                    emit.line("if (first) {");
                    emit.depth += 1;
                    emit.statement(stmt);
                    emit.depth -= 1;
                    emit.line("}");
                }
            }
            Step::Shared(l, gathered) => shared(emit, l, gathered),
            Step::Nest(outer, at, inner, gathered) => nest(emit, outer, *at, inner, gathered),
            Step::If(condition, yes, no) => {
                let condition = emit.bare(condition);
                emit.line(&format!("if ({condition}) {{"));
                emit.depth += 1;
                steps(emit, yes, last);
                emit.depth -= 1;
                if !no.is_empty() {
                    emit.line("} else {");
                    emit.depth += 1;
                    steps(emit, no, last);
                    emit.depth -= 1;
                }
                emit.line("}");
            }
            Step::Block(body) => {
                emit.line("{");
                emit.depth += 1;
                steps(emit, body, last);
                emit.depth -= 1;
                emit.line("}");
            }
            Step::Around(l, body, waits) => {
                let (head, begin) = emit.for_head(l);
                emit.line(&head);
                emit.depth += 1;
                begin.iter().for_each(|line| emit.line(line));
                steps(emit, body, false);
                if *waits {
                    emit.line("AP_WAIT;");
                }
                emit.depth -= 1;
                emit.line("}");
            }
            Step::Wait => emit.line("AP_WAIT;"),
        }
    }
}

/// Declares a work-item's parts of the sums.
pub fn begin_parts(emit: &mut Emit<'_>, gathered: &Gathered) {
    let f = emit.f;
    for (var, gather) in gathered {
        let (name, ty) = (emit.name(*var), f.vars[*var].ty);
        emit.line(&format!("{} {name}_part = {};", ty.c(), identity_inside(ty, *gather, emit.dialect)));
    }
    emit.renamed = gathered.iter().map(|(var, _)| (*var, format!("{}_part", f.vars[*var].name))).collect();
}

pub fn end_parts(emit: &mut Emit<'_>, gathered: &Gathered) {
    let f = emit.f;
    emit.renamed.clear();
    if emit.lines {
        for (var, gather) in gathered {
            let (name, ty) = (emit.name(*var), f.vars[*var].ty);
            let call = match emit.grouped {
                true => format!("ap_group_{}_{tag}({name}_part, scratch_{tag})", gather.name(), tag = ty.tag()),
                false => format!("{}({name}_part, ap_wide)", lines::name(ty, *gather)),
            };
            emit.line(&format!("{name}_part = {call};"));
        }
    } else if !gathered.is_empty() {
        emit.text.push_str("#if !AP_SPREAD && !defined(APPORTION_CPU)\n");
        for (var, gather) in gathered {
            let (name, tag) = (emit.name(*var), f.vars[*var].ty.tag());
            let word = gather.name();
            emit.line(&format!("{name}_part = ap_group_{word}_{tag}({name}_part, scratch_{tag});"));
        }
        emit.text.push_str("#endif\n");
    }
    for (var, gather) in gathered {
        let (name, tag, word) = (emit.name(*var), f.vars[*var].ty.tag(), gather.name());
        emit.line(&format!("{name} = ap_gather_{word}_{tag}({name}, {name}_part);"));
    }
}

/// The counter of a shared loop, its ends, and the first line of its body. The counter is signed: a compiler that knows that it
/// does not wrap knows the number of turns.
pub fn counter(emit: &mut Emit<'_>, l: &ForLoop) -> (String, [String; 2], String) {
    let (name, ty) = (emit.name(l.var), emit.f.vars[l.var].ty.c());
    let (lo, hi) = (emit.bare(&l.lo), emit.bare(&l.hi));
    let hi = emit.checked_end(l, &hi).unwrap_or(hi);
    let one = if l.inclusive { " + 1" } else { "" };
    // A number that is an `int`, also with one more.
    let wide = |text: String| {
        if text.parse::<i32>().is_ok_and(|n| n < i32::MAX) { text } else { format!("(ap_i64)({text})") }
    };
    (format!("{name}_at"), [wide(lo), format!("{}{one}", wide(hi))], format!("const {ty} {name} = ({ty}){name}_at;"))
}

/// Parts of a sum on OpenCL devices that are CPUs, where it would otherwise go from one addition of floats to the next.
const PARTS: usize = 16;
/// Turns from which on there are parts.
const TURNS_IN_PARTS: usize = 64;

/// Whether a loop has parts: with accesses that are compared with arrays there are no vectors, and rows of a sparse matrix took up to
/// 1.6 times as long.
fn goes_in_vectors(emit: &Emit<'_>, l: &ForLoop, gathered: &Gathered) -> bool {
    let mut simple = !has(&l.body, |stmt| matches!(stmt, Stmt::For(_) | Stmt::While(..) | Stmt::LetArray(..)));
    walk_expressions(&l.body, &mut |e| {
        simple &= match &e.kind {
            Kind::Load(_, index) => !emit.checked.has(index),
            Kind::Local(..) | Kind::Helper(..) => false,
            _ => true,
        };
    });
    walk_statements(&l.body, &mut |stmt| {
        simple &= !matches!(stmt, Stmt::Assign(Place::Element(_, index), ..) if emit.checked.has(index));
    });
    simple && gathered.iter().any(|(var, _)| emit.f.vars[*var].ty.is_float())
}

/// For CPUs: most turns, if they are many, each in one of several parts; then the head of the loop over the others.
fn in_vectors(emit: &mut Emit<'_>, l: &ForLoop, gathered: &Gathered, j: &str, begin: &str) {
    let each = format!("for (int ap_part = 0; ap_part < {PARTS}; ap_part++)");
    let sums: Vec<_> =
        gathered.iter().map(|(var, gather)| (*var, emit.name(*var), emit.f.vars[*var].ty, *gather)).collect();
    emit.text.push_str("#if defined(APPORTION_CPU) && !AP_SPREAD\n");
    emit.line(&format!("ap_i64 {j}_rest = {j}_from;"));
    emit.line(&format!("if ({j}_from < {j}_end && (ap_u64){j}_end - (ap_u64){j}_from >= {TURNS_IN_PARTS}) {{"));
    emit.depth += 1;
    for (_, name, ty, gather) in &sums {
        let neutral = identity_inside(*ty, *gather, emit.dialect);
        emit.line(&format!("{} ap_{name}s[{PARTS}];", ty.c()));
        emit.line(&format!("{each} ap_{name}s[ap_part] = {neutral};"));
    }
    emit.line(&format!("for (; {j}_end - {j}_rest >= {PARTS}; {j}_rest += {PARTS})"));
    emit.depth += 1;
    emit.line(&each);
    emit.line("{");
    emit.depth += 1;
    emit.line(&format!("const ap_i64 {j} = {j}_rest + ap_part;"));
    emit.line(begin);
    let parts = sums.iter().map(|(var, name, ..)| (*var, format!("ap_{name}s[ap_part]"))).collect();
    let whole = std::mem::replace(&mut emit.renamed, parts);
    emit.block(&l.body);
    emit.renamed = whole;
    emit.depth -= 1;
    emit.line("}");
    emit.depth -= 1;
    for (_, name, ty, gather) in &sums {
        let of_two = format!("ap_gather_{}_{}", gather.name(), ty.tag());
        emit.line(&format!("{each} {name} = {of_two}({name}, ap_{name}s[ap_part]);"));
    }
    emit.depth -= 1;
    emit.line("}");
    emit.line(&format!("for (ap_i64 {j} = {j}_rest; {j} < {j}_end; {j}++)"));
}

/// Writes a loop whose turns the work-items share.
fn shared(emit: &mut Emit<'_>, l: &ForLoop, gathered: &Gathered) {
    let (j, [lo, hi], begin) = counter(emit, l);
    emit.line("{");
    emit.depth += 1;
    begin_parts(emit, gathered);
    let sum = bytes::sum(&emit.accesses, &emit.checked, l);
    let first = match sum.filter(|_| emit.lines) {
        Some(sum) => bytes_text::shared(emit, &sum, &lo, &hi),
        None => lo,
    };
    emit.line(&format!("const ap_i64 {j}_from = {first}, {j}_end = {hi};"));
    let open = emit.open_bases(l.var, &l.body);
    if emit.lines {
        emit.line(&format!("AP_UNROLL for (ap_i64 {j} = {j}_from + lane; {j} < {j}_end; {j} += lanes)"));
    } else if emit.dialect == Dialect::OpenCl && goes_in_vectors(emit, l, gathered) {
        in_vectors(emit, l, gathered, &j, &begin);
        emit.text.push_str("#else\n");
        emit.line(&format!("AP_SHARE({j})"));
        emit.text.push_str("#endif\n");
    } else {
        emit.line(&format!("AP_SHARE({j})"));
    }
    emit.line("{");
    emit.depth += 1;
    emit.line(&begin);
    emit.block(&l.body);
    emit.depth -= 1;
    emit.line("}");
    emit.bases.truncate(open);
    end_parts(emit, gathered);
    emit.depth -= 1;
    emit.line("}");
}

/// Writes two loops: lines of work-items share the turns of the outer one, the work-items in a line those of the inner one.
fn nest(emit: &mut Emit<'_>, outer: &ForLoop, at: usize, inner: &ForLoop, gathered: &Gathered) {
    let (j, [lo, hi], begin) = counter(emit, outer);
    let (k, [inner_lo, inner_hi], inner_begin) = counter(emit, inner);
    emit.line("{");
    emit.depth += 1;
    begin_parts(emit, gathered);
    emit.line(&format!("const ap_i64 {j}_from = {lo}, {j}_end = {hi};"));
    emit.line(&format!("const ap_i64 {k}_from = {inner_lo}, {k}_end = {inner_hi};"));
    emit.line(&format!("AP_SHARE_LINES({j}, {k})"));
    emit.line("{");
    emit.depth += 1;
    emit.line(&begin);
    emit.guard = Some(format!("column == 0 && {k}_tile == {k}_from"));
    for (place, stmt) in outer.body.iter().enumerate() {
        if place != at {
            emit.statement(stmt);
            continue;
        }
        let guard = emit.guard.take();
        let open = emit.open_bases(inner.var, &inner.body);
        emit.line(&format!("AP_SHARE_COLUMNS({k})"));
        emit.line("{");
        emit.depth += 1;
        emit.line(&inner_begin);
        emit.block(&inner.body);
        emit.depth -= 1;
        emit.line("}");
        emit.bases.truncate(open);
        emit.guard = guard;
    }
    emit.guard = None;
    emit.depth -= 1;
    emit.line("}");
    end_parts(emit, gathered);
    emit.depth -= 1;
    emit.line("}");
}
