//! The C text of a whole kernel: the function of one iteration, and the entries that distribute iterations over a grid.

use crate::atomics;
use crate::checked::{self, Checked};
use crate::contribute::{self, contributes};
use crate::emit_c::{Emit, helper_name};
use crate::entry;
use crate::folding;
use crate::ir::{Function, Param, Ty};
use crate::late;
use crate::names;
use crate::prelude::Dialect;
use crate::rows::{Gather, alone_in_memory};
use crate::share::Rows;
use crate::{abreast, abreast_text, alone, lines, strip_text, strips};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a helper function, and the names of the prelude functions that it needs.
pub fn helper(f: &Function, dialect: Dialect) -> (BTreeSet<String>, String) {
    let mut emit = Emit::new(f, dialect);
    emit.block(&f.body);
    let name = helper_name(&f.ident.to_string());
    let mut copies = String::new();
    for var in f.vars.iter().take(f.params.len()).filter(|var| var.mutable) {
        if let Some(len) = var.len {
            let (ty, name) = (var.ty.c(), &var.name);
            let _ = writeln!(copies, "    {ty} {name}[{len}];");
            let _ = writeln!(
                copies,
                "    for (int ap_at = 0; ap_at < {len}; ap_at++) {name}[ap_at] = ap_in_{name}[ap_at];"
            );
        }
    }
    let text = format!("AP_FN {} {name}({}) {{\n{copies}{}}}\n", f.result.c(), emit.parameters(false), emit.text);
    emit.needs.extend(emit.checked.reports.then(|| "ap_report".to_owned()));
    (emit.needs, text)
}

/// The text of a kernel without comments, prelude and helpers, and the prelude functions that it needs.
pub struct Text {
    pub needs: BTreeSet<String>,
    pub text: String,
}

/// The name of the kernel in its texts.
pub fn name(f: &Function) -> String {
    names::plain(&f.ident.to_string())
}

/// The name of the entry function: not the kernel's own, which may be that of a function of CUDA or OpenCL, such as `norm`.
pub fn entry_name(f: &Function) -> String {
    name(f) + "_kernel"
}

/// What an entry iterates over.
#[derive(Clone, Copy)]
pub enum Loop<'r, 'f> {
    /// Rows; groups may share them.
    Rows(Option<&'r Rows<'f>>),
    /// Rows and columns; a work-item has `each` columns at once.
    Cells { each: usize },
}

pub fn kernel(f: &Function, over: Loop<'_, '_>, dialect: Dialect) -> Text {
    let rows = match over {
        Loop::Rows(rows) => rows,
        Loop::Cells { .. } => None,
    };
    let name = name(f);
    let mut out = String::new();
    let mut needs = BTreeSet::new();
    let reduces = f.result != Ty::Unit;

    if reduces {
        out.push_str(&combine(f.result, dialect));
    }
    // OpenCL has no exchange within parts of a group: there work-items have iterations of few turns alone.
    let lines = rows.is_some_and(|rows| lines::fit(&crate::access::collect(f), rows));
    let lined = lines && dialect == Dialect::Cuda;
    if lined && reduces {
        out.push_str(&lines::function("ap_line_combine", f.result, "ap_combine"));
    }
    if let Some(rows) = rows {
        for ty in rows.gathered.iter().map(|(var, gather)| (f.vars[*var].ty, *gather)).collect::<Vec<_>>() {
            let mut text = gather(ty.0, ty.1, dialect);
            if lined {
                let of_two = format!("ap_gather_{}_{}", ty.1.name(), ty.0.tag());
                text.push_str(&lines::function(&lines::name(ty.0, ty.1), ty.0, &of_two));
            }
            if !out.contains(&text) {
                out.push_str(&text);
            }
        }
    }
    let alone = lines && !lined && !reduces || rows.is_some_and(|rows| alone::may_be(&crate::access::collect(f), rows));
    if rows.is_none() || alone {
        let mut emit = Emit::new(f, dialect);
        emit.block(&f.body);
        let parameters = emit.parameters(true);
        needs.append(&mut emit.needs);
        let (result, body) = (f.result.c(), emit.text);
        let _ = write!(out, "\n/* One iteration. */\nAP_FN {result} {name}_iteration({parameters}) {{\n{body}}}\n");
    }
    let text = match rows {
        Some(rows) => {
            let mut emit = Emit::new(f, dialect);
            if alone {
                emit.text = alone::text(&format!("{name}_iteration({})", arguments(f, &["(ap_u64)row"])), dialect);
            }
            text_of_words(&mut out, rows);
            if let Some(plan) = strips::plan(&mut emit.accesses, f, rows) {
                let types = plan.rows.iter().map(|row| f.arrays[row.array].ty.tag()).collect();
                out.push_str(&strip_text::vector_types(plan.each, &types, dialect));
                entry::entry(&mut emit, rows, Some(&|emit| strip_text::entry(emit, rows, &plan)));
            } else if let Some(plan) = abreast::plan(&mut emit.accesses, f, rows) {
                let types = plan.rows.iter().map(|(array, _)| f.arrays[*array].ty.tag()).collect();
                out.push_str(&strip_text::vector_types(plan.each, &types, dialect));
                out.push_str(&abreast_text::words(&plan));
                entry::entry(&mut emit, rows, Some(&|emit| abreast_text::entry(emit, rows, &plan)));
            } else {
                if lined {
                    lines::entry(&mut emit, rows);
                }
                entry::entry(&mut emit, rows, None);
                if lined {
                    lines::end(&mut emit);
                }
            }
            needs.append(&mut emit.needs);
            emit.text
        }
        None => match over {
            Loop::Cells { each } => cell_entry(f, each),
            Loop::Rows(_) if f.indices.len() == 2 => plane_entry(f, dialect),
            Loop::Rows(_) => crate::flat::entry(f),
        },
    };
    // In groups that run many iterations each.
    let copies = matches!(over, Loop::Rows(None)) && contributes(&f.body);
    let [before, after] = if copies { atomics::around(f, dialect, &mut needs) } else { Default::default() };
    let mut parameters = entry_parameters(f, over, copies, dialect);
    let mut end = String::new();
    if reduces && dialect == Dialect::Cuda {
        parameters = format!("{parameters}, {}", folding::PARAMETER);
        end = format!("    {}\n", folding::CALL);
    }
    let checked = Checked::of_function(f);
    needs.extend(checked.reports.then(|| "ap_report".to_owned()));
    let begin = late::taken(f, dialect) + checked.begin();
    let _ = write!(out, "\nAP_ENTRY {}({parameters}) {{\n{begin}{before}{text}{after}{end}}}\n", entry_name(f));
    Text { needs, text: out }
}

fn entry_parameters(f: &Function, over: Loop<'_, '_>, copies: bool, dialect: Dialect) -> String {
    let checked = Checked::of_function(f);
    let mut list = vec!["const ap_i64 lo".to_owned(), "const ap_i64 hi".to_owned()];
    if matches!(over, Loop::Cells { .. }) {
        list.extend(["const ap_i64 ap_lo1".to_owned(), "const ap_i64 ap_hi1".to_owned()]);
    }
    if f.indices.len() == 2 {
        let second = &f.vars[f.indices[1]].name;
        list.push(format!("const ap_u64 {second}_start"));
        list.push(format!("const ap_u64 {second}_stop"));
    }
    for param in &f.params {
        match *param {
            Param::Scalar(v) => list.push(late::parameter(f, v, dialect)),
            Param::Array(array) => {
                let (info, constant) = (&f.arrays[array], if f.arrays[array].mutable { "" } else { "const " });
                let mut name = info.name.clone();
                if copies && contribute::arrays(f).iter().any(|(other, _)| *other == array) {
                    name.push_str("_all");
                }
                let alone = if alone_in_memory(f, array) { "AP_RESTRICT " } else { "" };
                list.push(format!("AP_GLOBAL {constant}{} *{alone}{name}", info.ty.c()));
                list.push(format!("const ap_i64 {name}_first"));
                if checked.arrays.contains(&array) {
                    list.push(format!("const ap_u64 {name}_count"));
                }
            }
        }
    }
    if f.result != Ty::Unit {
        list.push(format!("AP_GLOBAL {} *AP_RESTRICT partial", f.result.c()));
    }
    checked.with_report(list, checked::REPORT_OF_ENTRY, "report_of_entry")
}

/// The arguments of the function of one iteration, the indices first.
pub fn arguments(f: &Function, indices: &[&str]) -> String {
    let checked = Checked::of_function(f);
    let mut list: Vec<String> = indices.iter().map(|&index| index.to_owned()).collect();
    for param in &f.params {
        match *param {
            Param::Scalar(v) => list.push(f.vars[v].name.clone()),
            Param::Array(array) => {
                let name = f.arrays[array].name.clone();
                list.push(name.clone());
                list.push(format!("{name}_first"));
                if checked.arrays.contains(&array) {
                    list.push(format!("{name}_count"));
                }
            }
        }
    }
    checked.with_report(list, "ap_report", "report_argument")
}

/// The neutral element.
pub fn identity(ty: Ty, gather: Gather, dialect: Dialect) -> String {
    let float = |what: &str| match (dialect, ty) {
        (Dialect::Cuda, Ty::F32) => format!("({what}__int_as_float(0x7f800000))"),
        (Dialect::Cuda, _) => format!("({what}__longlong_as_double(0x7ff0000000000000ll))"),
        (_, Ty::F32) => format!("({what}as_float(0x7f800000))"),
        _ => format!("({what}as_double(0x7ff0000000000000L))"),
    };
    let (most, least) = match ty {
        Ty::I32 => ("2147483647", "(-2147483647 - 1)"),
        Ty::I64 => ("((ap_i64)9223372036854775807)", "((ap_i64)(-9223372036854775807 - 1))"),
        Ty::U32 => ("4294967295u", "0"),
        Ty::I8 => ("127", "(-128)"),
        Ty::U8 => ("255", "0"),
        Ty::I16 => ("32767", "(-32768)"),
        Ty::U16 => ("65535", "0"),
        _ => ("0xffffffffffffffffu", "0"),
    };
    match gather {
        Gather::Sum => "0".into(),
        Gather::Product => "1".into(),
        Gather::Min if ty.is_float() => float(""),
        Gather::Max if ty.is_float() => float("-"),
        Gather::Min => most.into(),
        Gather::Max => least.into(),
    }
}

/// The neutral element of [`together_inside`].
pub fn identity_inside(ty: Ty, gather: Gather, dialect: Dialect) -> String {
    match (gather, ty, dialect) {
        // A number wins over it, and where there is none, it is what Rust leaves.
        (Gather::Min | Gather::Max, Ty::F32, Dialect::Cuda) => "__int_as_float(0x7fc00000)".into(),
        (Gather::Min | Gather::Max, Ty::F64, Dialect::Cuda) => "__longlong_as_double(0x7ff8000000000000ll)".into(),
        (Gather::Min | Gather::Max, Ty::F32, _) => "as_float(0x7fc00000)".into(),
        (Gather::Min | Gather::Max, Ty::F64, _) => "as_double(0x7ff8000000000000L)".into(),
        _ => identity(ty, gather, dialect),
    }
}

/// Combines `a` and `b`.
fn together(ty: Ty, gather: Gather) -> String {
    let c = ty.c();
    let unsigned = ty.c_wrapping();
    match gather {
        Gather::Sum => format!("({c})(({unsigned})a + ({unsigned})b)"),
        Gather::Product => format!("({c})(({unsigned})a * ({unsigned})b)"),
        // NaN wins, so that it shows.
        Gather::Min if ty.is_float() => "a != a || a < b ? a : b".into(),
        Gather::Max if ty.is_float() => "a != a || a > b ? a : b".into(),
        Gather::Min => "a < b ? a : b".into(),
        Gather::Max => "a > b ? a : b".into(),
    }
}

/// Within an iteration, as in the Rust text: in `min` and `max` a number wins over NaN.
fn together_inside(ty: Ty, gather: Gather, dialect: Dialect) -> String {
    let f = if dialect == Dialect::Cuda && ty == Ty::F32 { "f" } else { "" };
    match gather {
        Gather::Min if ty.is_float() => format!("fmin{f}(a, b)"),
        Gather::Max if ty.is_float() => format!("fmax{f}(a, b)"),
        _ => together(ty, gather),
    }
}

/// The reduction of the loop, by the operator in `AP_REDUCE`.
fn combine(ty: Ty, dialect: Dialect) -> String {
    let c = ty.c();
    let mut out =
        String::from("\n/* The reduction: AP_REDUCE is 0 for a sum, 1 a product, 2 the least, 3 the greatest. */\n");
    for (number, gather) in [Gather::Sum, Gather::Product, Gather::Min, Gather::Max].into_iter().enumerate() {
        let word = if number == 0 { "#if" } else { "#elif" };
        let _ = writeln!(out, "{word} AP_REDUCE == {number}");
        let _ = writeln!(out, "#define AP_IDENTITY {}", identity(ty, gather, dialect));
        let _ = writeln!(out, "AP_FN {c} ap_combine({c} a, {c} b) {{ return {}; }}", together(ty, gather));
    }
    out.push_str("#endif\n");
    out.push_str(&group_function("ap_group_combine", c, "ap_combine", dialect));
    if dialect == Dialect::Cuda {
        out.push_str(&folding::text(c));
    }
    out
}

/// The sum of all work-items' values over a group, returned to all of them.
fn gather(ty: Ty, gather: Gather, dialect: Dialect) -> String {
    let (c, tag, word) = (ty.c(), ty.tag(), gather.name());
    let two = together_inside(ty, gather, dialect);
    // The prelude has separate functions for the minimum and maximum of two integers.
    let of_two = format!("ap_gather_{word}_{tag}");
    let mut out = format!("\nAP_FN {c} {of_two}({c} a, {c} b) {{ return {two}; }}\n");
    let name = format!("ap_group_{word}_{tag}");
    out.push_str(&group_function(&name, c, &of_two, dialect));
    out
}

fn group_function(name: &str, c: &str, function: &str, dialect: Dialect) -> String {
    if dialect == Dialect::Cuda {
        return of_warps(name, c, function);
    }
    format!(
        "#ifndef APPORTION_CPU
AP_FN {c} {name}({c} value, AP_LOCAL {c} *scratch) {{
    const int lane = AP_LANE;
    scratch[lane] = value;
    AP_BARRIER;
    for (int stride = AP_GROUP / 2; stride > 0; stride /= 2) {{
        if (lane < stride) scratch[lane] = {function}(scratch[lane], scratch[lane + stride]);
        AP_BARRIER;
    }}
    value = scratch[0];
    AP_BARRIER;
    return value;
}}
#endif
"
    )
}

/// In CUDA a warp needs no memory for its part, and each warp combines the parts of all warps in the same order.
fn of_warps(name: &str, c: &str, function: &str) -> String {
    format!(
        "AP_FN {c} {name}({c} value, {c} *scratch) {{
    for (int stride = 16; stride > 0; stride /= 2) value = {function}(value, __shfl_down_sync(0xffffffffu, value, stride));
#if AP_GROUP > 32
    const int lane = AP_LANE;
    if (lane % 32 == 0) scratch[lane / 32] = value;
    AP_BARRIER;
    value = scratch[lane % (AP_GROUP / 32)];
    for (int stride = AP_GROUP / 64; stride > 0; stride /= 2)
        value = {function}(value, __shfl_down_sync(0xffffffffu, value, stride));
    /* Nobody overwrites a part that another warp is yet to read. */
    AP_BARRIER;
#endif
    return __shfl_sync(0xffffffffu, value, 0);
}}
"
    )
}

/// On OpenCL devices that are CPUs, a group's own iterations, one after the other: from `from` to `to`.
pub const SPAN: &str = "    /* Groups have spans of iterations. */
    const ap_i64 ap_span = (hi - lo + AP_GROUPS - 1) / AP_GROUPS, from = lo + AP_GROUP_ID * ap_span;
    const ap_i64 to = from + ap_span < hi ? from + ap_span : hi;
";
pub const EACH_OF_SPAN: &str = "for (ap_i64 row = from; row < to; row++)";

/// Two indices: a group runs the whole second range for each of its rows.
fn plane_entry(f: &Function, dialect: Dialect) -> String {
    let second = &f.vars[f.indices[1]].name;
    let (name, call) = (name(f), arguments(f, &["(ap_u64)row", second]));
    let reduces = f.result != Ty::Unit;
    let step = if reduces {
        format!("total = ap_combine(total, {name}_iteration({call}));")
    } else {
        format!("{name}_iteration({call});")
    };
    let mut out = String::new();
    let c = f.result.c();
    out.push_str("#ifdef APPORTION_CPU\n    const ap_u64 lane = 0, lanes = 1;\n    if (AP_LANE != 0) return;\n#else\n");
    out.push_str("    const ap_u64 lane = AP_LANE, lanes = AP_GROUP;\n");
    if reduces {
        let _ = writeln!(out, "    AP_SHARED {c} scratch[AP_GROUP];");
    }
    out.push_str("#endif\n");
    if reduces {
        let _ = writeln!(out, "    {c} total = AP_IDENTITY;");
    }
    let each = "    for (ap_i64 row = lo + AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID; row < hi; row += AP_GROUPS * AP_GROUPS_Y)\n";
    match dialect {
        Dialect::Cuda => out.push_str(each),
        Dialect::OpenCl => {
            let _ = write!(out, "#ifdef APPORTION_CPU\n{SPAN}    {EACH_OF_SPAN}\n#else\n{each}#endif\n");
        }
    }
    let _ = writeln!(
        out,
        "        for (ap_u64 {second} = {second}_start + lane; {second} < {second}_stop; {second} += lanes) {step}"
    );
    if reduces {
        out.push_str("#ifndef APPORTION_CPU\n    total = ap_group_combine(total, scratch);\n#endif\n");
        out.push_str("    if (AP_LANE == 0) partial[AP_GROUP_ID] = total;\n");
    }
    out
}

/// Rows and columns: neighbouring groups have tiles of the columns, groups below one another strips of the rows.
fn cell_entry(f: &Function, each: usize) -> String {
    let (name, call) = (name(f), arguments(f, &["(ap_u64)row", "(ap_u64)column"]));
    let (c, reduces) = (f.result.c(), f.result != Ty::Unit);
    let (begin, step, end) = if reduces {
        (
            format!("    {c} total = AP_IDENTITY;\n"),
            format!("total = ap_combine(total, {name}_iteration({call}));"),
            "#ifndef APPORTION_CPU\n    total = ap_group_combine(total, scratch);\n#endif\n    if (AP_LANE == 0) \
             partial[AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID] = total;\n",
        )
    } else {
        (String::new(), format!("{name}_iteration({call});"), "")
    };
    let scratch = if reduces { format!("    AP_SHARED {c} scratch[AP_GROUP];\n") } else { String::new() };
    let columns = if each == 1 {
        format!(
            "    {{
        const ap_i64 column = first + AP_LANE % ap_wide;
        if (column < ap_hi1)
            for (ap_i64 row = from + AP_LANE / ap_wide; row < to; row += lines) {step}
    }}
"
        )
    } else {
        // All of its columns at once if they exist, so that their loads do not wait for one another.
        format!(
            "        for (ap_i64 row = from + AP_LANE / ap_wide; row < to; row += lines) {{
            ap_i64 column = first + AP_LANE % ap_wide;
            if (first + span <= ap_hi1) {{
                AP_UNROLL for (int ap_k = 0; ap_k < {each}; ap_k++, column += ap_wide)
                    {step}
            }} else {{
                for (; column < ap_hi1; column += ap_wide)
                    {step}
            }}
        }}
"
        )
    };
    format!(
        "    const ap_i64 ap_wide = AP_WIDE, lines = AP_GROUP / AP_WIDE, span = {each} * ap_wide;
    const ap_i64 height = (hi - lo + AP_GROUPS_Y - 1) / AP_GROUPS_Y, from = lo + AP_GROUP_ID_Y * height;
    const ap_i64 to = from + height < hi ? from + height : hi;
#ifdef APPORTION_CPU
    /* One item does all of its group, row by row. */
    if (AP_LANE != 0) return;
{begin}    for (ap_i64 first = ap_lo1 + AP_GROUP_ID * span; first < ap_hi1; first += AP_GROUPS * span)
        for (ap_i64 row = from; row < to; row++)
            for (ap_i64 column = first, ap_end = first + span < ap_hi1 ? first + span : ap_hi1; column < ap_end; column++)
                {step}
#else
    /* Neighbours have neighbouring columns, and go down them. */
{scratch}{begin}    for (ap_i64 first = ap_lo1 + AP_GROUP_ID * span; first < ap_hi1; first += AP_GROUPS * span)
{columns}#endif
{end}"
    )
}

/// The loop macros of a group: with `AP_SPREAD`, groups have tiles of the columns. `TURNS`, `GROUP_WIDTH` and `UNROLL` are
/// replaced.
const SHARE: &str = "
/* Work-items have turns of a loop, neighbours neighbouring ones. A tile has some for each of them. */
#define AP_TILE (TURNS * (ap_i64)GROUP_WIDTH)
#define AP_LEAST(a, b) ((a) < (b) ? (a) : (b))
#if AP_SPREAD
#define AP_SHARE(j) \\
    for (ap_i64 j##_tile = j##_from + tile * AP_TILE; j##_tile < j##_end; j##_tile += tiles * AP_TILE) \\
        UNROLLfor (ap_i64 j = j##_tile + lane, j##_last = AP_LEAST(j##_tile + AP_TILE, j##_end); j < j##_last; j += lanes)
#else
#define AP_SHARE(j) UNROLLfor (ap_i64 j = j##_from + lane; j < j##_end; j += lanes)
#endif
";

/// The additional macros for a nest of two loops.
const SHARE_LINES: &str = "/* Lines of work-items have turns of the outer loop; a tile has as many lines. */
#define AP_LINES (AP_GROUP / AP_WIDE)
#define AP_COLUMNS (4 * (ap_i64)AP_WIDE)
#define AP_SHARE_LINES(j, k) \\
    for (ap_i64 k##_tiles = k##_from < k##_end ? (k##_end - k##_from + AP_COLUMNS - 1) / AP_COLUMNS : 1, \\
                k##_all = j##_from < j##_end ? (j##_end - j##_from + AP_LINES - 1) / AP_LINES * k##_tiles : 0, \\
                k##_turn = tile; k##_turn < k##_all; k##_turn += tiles) \\
        for (ap_i64 k##_tile = k##_from + k##_turn % k##_tiles * AP_COLUMNS, \\
                    j##_tile = j##_from + k##_turn / k##_tiles * AP_LINES, \\
                    j = j##_tile + line, j##_last = AP_LEAST(j##_tile + AP_LINES, j##_end); j < j##_last; j += lines)
#define AP_SHARE_COLUMNS(k) \\
    AP_UNROLL for (ap_i64 k = k##_tile + column, k##_last = AP_LEAST(k##_tile + AP_COLUMNS, k##_end); k < k##_last; k += columns)
";

fn text_of_words(out: &mut String, rows: &Rows<'_>) {
    // A heavy turn is enough for a work-item, and its loads are in its own loops. Sums have little but loads in them.
    let (turns, unroll) = match (rows.heavy, rows.gathered.is_empty()) {
        (true, _) => ("1", ""),
        (_, true) => ("4", "AP_UNROLL "),
        _ => ("4", "AP_UNROLL_MORE "),
    };
    let width = if rows.nested { "AP_GROUP" } else { "AP_WIDE" };
    let share = SHARE.replace("TURNS", turns).replace("GROUP_WIDTH", width);
    // Tiles have exactly as many turns as are unrolled.
    let (spread, whole) = share.split_once("#else").unwrap_or((&share, ""));
    let of_tiles = if rows.heavy { "" } else { "AP_UNROLL " };
    out.push_str(&spread.replace("UNROLL", of_tiles));
    out.push_str("#else");
    out.push_str(&whole.replace("UNROLL", unroll));
    if rows.nested {
        out.push_str(SHARE_LINES);
    }
}
