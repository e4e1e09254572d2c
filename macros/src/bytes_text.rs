//! The C text of sums of bytes: eight are read as one aligned number of 64 bits, shifted into place, and combined four at a time.

use crate::bytes::{Abreast, Source, Sum, What};
use crate::emit_c::Emit;
use crate::ir::{Stmt, Ty};
use crate::prelude::Dialect;

/// Turns side by side: as many as block matching has displacements of up to 8 or 4 bytes to either side.
const ABREAST: [usize; 2] = [17, 9];
/// With fewer turns left, each is run by itself.
const FEW: usize = 2;
/// Shorter rows are read byte by byte by lines.
const LONG: i128 = 128;
/// Longer loops are not unrolled as a whole.
const UNROLLED: i128 = 64;

/// What the texts call.
pub fn functions(dialect: Dialect) -> String {
    let of_two = match dialect {
        Dialect::Cuda => {
            "#define AP_EVERY _Pragma(\"unroll\")
AP_FN ap_u32 ap_bytes_shift(ap_u32 low, ap_u32 high, int bits) { return __funnelshift_r(low, high, bits); }
AP_FN ap_u32 ap_bytes_difference(ap_u32 sum, ap_u32 a, ap_u32 b) {
    ap_u32 result;
    asm(\"vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;\" : \"=r\"(result) : \"r\"(a), \"r\"(b), \"r\"(sum));
    return result;
}
AP_FN ap_u32 ap_bytes_product(ap_u32 sum, ap_u32 a, ap_u32 b) {
#if __CUDA_ARCH__ >= 610
    ap_u32 result;
    asm(\"dp4a.u32.u32 %0, %1, %2, %3;\" : \"=r\"(result) : \"r\"(a), \"r\"(b), \"r\"(sum));
    return result;
#else
    for (int at = 0; at < 32; at += 8) sum += (a >> at & 255) * (b >> at & 255);
    return sum;
#endif
}
AP_FN ap_u32 ap_bytes_square(ap_u32 sum, ap_u32 a, ap_u32 b) {
    ap_u32 apart;
    asm(\"vabsdiff4.u32.u32.u32 %0, %1, %2, %3;\" : \"=r\"(apart) : \"r\"(a), \"r\"(b), \"r\"(0));
    return ap_bytes_product(sum, apart, apart);
}
"
        }
        Dialect::OpenCl => {
            "#define AP_EVERY _Pragma(\"unroll\")
AP_FN ap_u32 ap_bytes_shift(ap_u32 low, ap_u32 high, int bits) { return (ap_u32)(((ap_u64)high << 32 | low) >> (bits & 31)); }
AP_FN ap_u32 ap_bytes_total(uint4 of) { return of.x + of.y + of.z + of.w; }
AP_FN ap_u32 ap_bytes_difference(ap_u32 sum, ap_u32 a, ap_u32 b) {
    return sum + ap_bytes_total(convert_uint4(abs_diff(as_uchar4(a), as_uchar4(b))));
}
AP_FN ap_u32 ap_bytes_product(ap_u32 sum, ap_u32 a, ap_u32 b) {
    return sum + ap_bytes_total(convert_uint4(as_uchar4(a)) * convert_uint4(as_uchar4(b)));
}
AP_FN ap_u32 ap_bytes_square(ap_u32 sum, ap_u32 a, ap_u32 b) {
    const uint4 apart = convert_uint4(abs_diff(as_uchar4(a), as_uchar4(b)));
    return sum + ap_bytes_total(apart * apart);
}
"
        }
    };
    of_two.to_owned()
        + "/* Eight bytes from two aligned numbers of which the first begins so many bytes before them. */
AP_FN void ap_bytes_pair(ap_u32 *to, ap_u64 low, ap_u64 high, int before) {
    const ap_u32 a = (ap_u32)(before & 4 ? low >> 32 : low), b = (ap_u32)(before & 4 ? high : low >> 32);
    const ap_u32 c = (ap_u32)(before & 4 ? high >> 32 : high);
    to[0] = ap_bytes_shift(a, b, 8 * (before & 3));
    to[1] = ap_bytes_shift(b, c, 8 * (before & 3));
}
/* Whether the aligned numbers around the bytes from `low` to `high` are within the array. */
AP_FN bool ap_bytes_begin(AP_GLOBAL const ap_u8 *x, ap_i64 low) { return low >= 0 && ((ap_u64)(x + low) & ~(ap_u64)7) >= (ap_u64)x; }
AP_FN bool ap_bytes_end(AP_GLOBAL const ap_u8 *x, ap_u64 count, ap_i64 high) { return ((ap_u64)(x + high) | 7) < (ap_u64)x + count; }
#define AP_BYTES_NEXT(k, at) \\
    { \\
        const ap_u64 ap_next = ap_i##k < ap_last##k ? ap_a##k[ap_i##k + 1] : 0; \\
        ap_bytes_pair(ap_r##k + (at), ap_v##k, ap_next, ap_m##k); \\
        ap_v##k = ap_next; \\
        ap_i##k++; \\
    }
#define AP_BYTES_AT(r, at) ((at) % 4 ? ap_bytes_shift(r[(at) / 4], r[(at) / 4 + 1], (at) % 4 * 8) : r[(at) / 4])
"
}

/// Opens the part of a text that is for GPUs, where there is one for CPUs too.
fn on_gpus<'a>(emit: &mut Emit<'a>, cpu: impl FnOnce(&mut Emit<'a>), gpu: impl FnOnce(&mut Emit<'a>)) {
    emit.needs.insert("ap_bytes".into());
    if emit.dialect == Dialect::Cuda {
        return gpu(emit);
    }
    emit.text.push_str("#if defined(APPORTION_CPU) || !defined(__ENDIAN_LITTLE__)\n");
    emit.by_bytes = true;
    cpu(emit);
    emit.by_bytes = false;
    emit.text.push_str("#else\n");
    gpu(emit);
    emit.text.push_str("#endif\n");
}

/// Pairs of words that a source needs at once, with so many turns side by side.
fn pairs(abreast: usize) -> usize {
    (8 + abreast - 1).div_ceil(8)
}

/// Opens the sources: `first` is the place of each one's first byte, `bytes` how many it has, `moves` how many turns are side by
/// side in it.
fn open(emit: &mut Emit<'_>, sources: &[Source], first: &[String], bytes: &[String], moves: &[usize], int: &str) {
    for (k, source) in sources.iter().enumerate() {
        let (x, at, bytes) = (emit.f.arrays[source.array].name.clone(), &first[k], &bytes[k]);
        emit.line(&format!("AP_GLOBAL const ap_u8 *const ap_p{k} = {x} + ({at});"));
        emit.line(&format!("const int ap_m{k} = (int)((ap_u64)ap_p{k} & 7);"));
        emit.line(&format!("AP_GLOBAL const ap_u64 *const ap_a{k} = (AP_GLOBAL const ap_u64 *)(ap_p{k} - ap_m{k});"));
        emit.line(&format!("const {int} ap_last{k} = (ap_m{k} + {bytes} - 1) / 8;"));
        emit.line(&format!("ap_u64 ap_v{k} = ap_a{k}[0];"));
        emit.line(&format!("{int} ap_i{k} = 0;"));
        let pairs = pairs(moves[k]);
        emit.line(&format!("ap_u32 ap_r{k}[{}];", 2 * pairs + 1));
        if pairs > 1 {
            emit.line(&format!(
                "AP_EVERY for (int ap_h = 0; ap_h < {}; ap_h++) AP_BYTES_NEXT({k}, 2 * ap_h)",
                pairs - 1
            ));
        }
    }
}

/// Writes the first turns, from `lo` to `hi`, of a sum that the work-items of a line share, eight for each, and returns where the
/// others begin. Only of long rows at multiples of eight bytes: of others the bytes one by one are faster, as are those that
/// whole groups share (results/h200-bytes-2026-11-29).
pub fn shared(emit: &mut Emit<'_>, sum: &Sum<'_>, lo: &str, hi: &str) -> String {
    emit.needs.insert("ap_bytes".into());
    let name = emit.name(sum.of.var);
    emit.line(&format!("const ap_i64 {name}_first = {lo}, {name}_all = {hi} - {name}_first;"));
    let mut places = Vec::new();
    for (k, source) in sum.sources.iter().enumerate() {
        let x = emit.f.arrays[source.array].name.clone();
        emit.renamed.push((sum.of.var, format!("{name}_first")));
        let at = emit.sum(&source.index, 0);
        emit.renamed.pop();
        emit.line(&format!("AP_GLOBAL const ap_u8 *const ap_p{k} = {x} + ({at} - {x}_first);"));
        places.push(format!("(ap_u64)ap_p{k}"));
    }
    let places = places.join(" | ");
    emit.line(&format!("const ap_i64 ap_words = {name}_all >= {LONG} && (({places}) & 7) == 0 ? {name}_all / 8 : 0;"));
    emit.line("AP_UNROLL for (ap_i64 ap_k = lane; ap_k < ap_words; ap_k += lanes) {");
    emit.depth += 1;
    for k in 0..sum.sources.len() {
        emit.line(&format!("const ap_u64 ap_v{k} = ((AP_GLOBAL const ap_u64 *)ap_p{k})[ap_k];"));
        emit.line(&format!("const ap_u32 ap_r{k}[2] = {{(ap_u32)ap_v{k}, (ap_u32)(ap_v{k} >> 32)}};"));
    }
    combine(emit, sum, &vec![1; sum.sources.len()], false);
    emit.depth -= 1;
    emit.line("}");
    format!("{name}_first + 8 * ap_words")
}

/// Eight turns; with `masked` only those that `ap_mask` has.
fn step(emit: &mut Emit<'_>, sum: &Sum<'_>, moves: &[usize], masked: bool) {
    for (k, &moved) in moves.iter().enumerate() {
        emit.line(&format!("AP_BYTES_NEXT({k}, {})", 2 * (pairs(moved) - 1)));
    }
    combine(emit, sum, moves, masked);
    for (k, &moved) in moves.iter().enumerate().filter(|(_, moved)| **moved > 1) {
        let kept = 2 * (pairs(moved) - 1);
        emit.line(&format!("AP_EVERY for (int ap_h = 0; ap_h < {kept}; ap_h++) ap_r{k}[ap_h] = ap_r{k}[ap_h + 2];"));
    }
}

/// Adds up the words that are there.
fn combine(emit: &mut Emit<'_>, sum: &Sum<'_>, moves: &[usize], masked: bool) {
    let most = moves.iter().copied().max().unwrap_or(1);
    let mask = if masked { " & ap_mask[ap_w]" } else { "" };
    emit.line("AP_EVERY for (int ap_w = 0; ap_w < 2; ap_w++) {");
    emit.depth += 1;
    let value = |k: usize, moved: usize| match moved {
        1 => format!("const ap_u32 ap_x{k} = ap_r{k}[ap_w]{mask};"),
        _ => format!("const ap_u32 ap_x{k} = AP_BYTES_AT(ap_r{k}, 4 * ap_w + ap_u){mask};"),
    };
    for (k, _) in moves.iter().enumerate().filter(|(_, moved)| **moved == 1) {
        emit.line(&value(k, 1));
    }
    if most > 1 {
        emit.line(&format!("AP_EVERY for (int ap_u = 0; ap_u < {most}; ap_u++) {{"));
        emit.depth += 1;
        for (k, &moved) in moves.iter().enumerate().filter(|(_, moved)| **moved > 1) {
            emit.line(&value(k, moved));
        }
    }
    for (var, what) in &sum.terms {
        let (name, ty) = (emit.name(*var), emit.f.vars[*var].ty);
        let (function, a, b) = match what {
            What::Difference(a, b) => ("difference", *a, format!("ap_x{b}")),
            What::Product(a, b) => ("product", *a, format!("ap_x{b}")),
            What::Square(a, b) => ("square", *a, format!("ap_x{b}")),
            What::Value(a) => ("product", *a, "0x01010101u".to_owned()),
        };
        let line = match ty {
            Ty::U32 => format!("{name} = ap_bytes_{function}({name}, ap_x{a}, {b});"),
            Ty::I32 => format!("{name} = (int)ap_bytes_{function}((ap_u32){name}, ap_x{a}, {b});"),
            _ => {
                let own = ty.c();
                format!("{name} = ({own})((ap_u64){name} + ap_bytes_{function}(0, ap_x{a}, {b}));")
            }
        };
        emit.line(&line);
    }
    if most > 1 {
        emit.depth -= 1;
        emit.line("}");
    }
    emit.depth -= 1;
    emit.line("}");
}

/// All turns, of the number `turns`.
fn steps(emit: &mut Emit<'_>, sum: &Sum<'_>, moves: &[usize], turns: &str) {
    let fixed = turns.parse::<i128>().ok();
    let (int, head) = match fixed {
        Some(n) if n <= UNROLLED => ("int", "AP_EVERY "),
        Some(_) => ("int", "AP_UNROLL "),
        // There is enough in one step.
        None => ("ap_i64", ""),
    };
    let (whole, rest) = match fixed {
        Some(n) => ((n / 8).to_string(), (n % 8).to_string()),
        None => (format!("{turns} / 8"), format!("{turns} % 8")),
    };
    if fixed.is_none_or(|n| n >= 8) {
        emit.line(&format!("{head}for ({int} ap_k = 0; ap_k < {whole}; ap_k++) {{"));
        emit.depth += 1;
        step(emit, sum, moves, false);
        emit.depth -= 1;
        emit.line("}");
    }
    if fixed.is_none_or(|n| n % 8 != 0) {
        emit.line(&if fixed.is_some() { "{".to_owned() } else { format!("if ({rest}) {{") });
        emit.depth += 1;
        emit.line(&format!("const ap_u64 ap_of = ~(ap_u64)0 >> (64 - 8 * (int)({rest}));"));
        emit.line("const ap_u32 ap_mask[2] = {(ap_u32)ap_of, (ap_u32)(ap_of >> 32)};");
        step(emit, sum, moves, true);
        emit.depth -= 1;
        emit.line("}");
    }
}

/// Writes a loop with turns side by side.
pub fn abreast(emit: &mut Emit<'_>, plan: &Abreast<'_>, plain: impl Fn(&mut Emit<'_>)) {
    on_gpus(emit, &plain, |emit| side_by_side(emit, plan));
}

fn side_by_side(emit: &mut Emit<'_>, plan: &Abreast<'_>) {
    let l = plan.of;
    let (x, ty) = (emit.name(l.var), emit.f.vars[l.var].ty.c());
    let (lo, hi) = (emit.bare(&l.lo), emit.end(l));
    let one = if l.inclusive { " + 1" } else { "" };
    emit.line(&format!("for ({ty} {x}_at = {lo}, {x}_end = {hi}{one}; {x}_at < {x}_end;) {{"));
    emit.depth += 1;
    emit.line(&format!("const {ty} {x} = {x}_at;"));
    emit.line(&format!("const ap_u64 ap_more = (ap_u64){x}_end - (ap_u64){x};"));
    for (at, &most) in ABREAST.iter().enumerate() {
        let least = ABREAST.get(at + 1).copied().unwrap_or(FEW);
        let word = if at == 0 { "if" } else { "} else if" };
        emit.line(&format!("{word} (ap_more > {least}) {{"));
        emit.depth += 1;
        group(emit, plan, most, &x);
        emit.depth -= 1;
    }
    emit.line("}");
    emit.block(&l.body);
    emit.line(&format!("{x}_at++;"));
    emit.depth -= 1;
    emit.line("}");
}

/// Up to `most` turns side by side, if their bytes can be read in words.
fn group(emit: &mut Emit<'_>, plan: &Abreast<'_>, most: usize, x: &str) {
    let (f, sum) = (emit.f, &plan.sum);
    let ty = f.vars[plan.of.var].ty.c();
    let added = |stmt: &Stmt| matches!(stmt, Stmt::Let(var, _) if sum.terms.iter().any(|(of, _)| of == var));
    let fixed: Vec<&Stmt> = plan.before.iter().filter(|stmt| !added(stmt)).collect();
    emit.line(&format!("const int ap_some = ap_more < {most} ? (int)ap_more : {most};"));
    let mut conditions: Vec<String> =
        plan.lengths.iter().map(|length| format!("({}) > 0", emit.sum(length, 0))).collect();
    for (k, source) in sum.sources.iter().enumerate() {
        let a = f.arrays[source.array].name.clone();
        let [first, last] = plan.ends[k].each_ref().map(|end| emit.sum(end, 0));
        let more = if plan.moves[k] { " + (ap_some - 1)" } else { "" };
        conditions.push(format!("ap_bytes_begin({a}, {first} - {a}_first)"));
        conditions.push(format!("ap_bytes_end({a}, {a}_count, {last} - {a}_first{more})"));
    }
    emit.line(&format!("if ({}) {{", conditions.join(" && ")));
    emit.depth += 1;
    let turns_of_loop = format!("AP_EVERY for (int ap_u = 0; ap_u < {most}; ap_u++)");
    let before = emit.renamed.len();
    for stmt in plan.before.iter().filter(|stmt| added(stmt)) {
        let Stmt::Let(var, Some(_)) = stmt else { continue };
        let info = &f.vars[*var];
        emit.line(&format!("{} {}_all[{most}];", info.ty.c(), info.name));
    }
    let one = |emit: &mut Emit<'_>| {
        emit.line(&format!("const {ty} {x} = {x}_at + ({ty})ap_u;"));
        emit.block_of(&fixed);
    };
    emit.line(&format!("{turns_of_loop} {{"));
    emit.depth += 1;
    one(emit);
    for stmt in plan.before.iter().filter(|stmt| added(stmt)) {
        let Stmt::Let(var, Some(value)) = stmt else { continue };
        let value = emit.bare(value);
        emit.line(&format!("{}_all[ap_u] = {value};", f.vars[*var].name));
    }
    emit.depth -= 1;
    emit.line("}");
    for stmt in plan.before.iter().filter(|stmt| added(stmt)) {
        let Stmt::Let(var, _) = stmt else { continue };
        emit.renamed.push((*var, format!("{}_all[ap_u]", f.vars[*var].name)));
    }
    emit.block_of(&fixed);
    nest(emit, plan, most);
    emit.line(&format!("{turns_of_loop} {{"));
    emit.depth += 1;
    emit.line("if (ap_u >= ap_some) break;");
    one(emit);
    emit.block(plan.after);
    emit.depth -= 1;
    emit.line("}");
    emit.renamed.truncate(before);
    emit.line(&format!("{x}_at += ({ty})ap_some;"));
    emit.line("continue;");
    emit.depth -= 1;
    emit.line("}");
}

fn nest(emit: &mut Emit<'_>, plan: &Abreast<'_>, most: usize) {
    let (sum, outer) = (&plan.sum, &plan.nest[..plan.nest.len() - 1]);
    for (l, lets) in outer {
        let (head, begin) = emit.for_head(l);
        emit.line(&head);
        emit.depth += 1;
        begin.iter().for_each(|line| emit.line(line));
        emit.block(lets);
    }
    let l = sum.of;
    let (first, hi) = (emit.bare(&l.lo), emit.end(l));
    emit.line("{");
    emit.depth += 1;
    let turns = match sum.turns {
        Some(turns) => turns.to_string(),
        None => {
            let one = if l.inclusive { " + 1" } else { "" };
            emit.line(&format!("const ap_i64 ap_turns = (ap_i64)({hi}{one}) - (ap_i64)({first});"));
            "ap_turns".to_owned()
        }
    };
    let ty = emit.f.vars[l.var].ty.c();
    emit.line(&format!("const {ty} {} = {first};", emit.name(l.var)));
    let moves: Vec<usize> = plan.moves.iter().map(|moved| if *moved { most } else { 1 }).collect();
    let (mut places, mut bytes) = (Vec::new(), Vec::new());
    for (source, moved) in sum.sources.iter().zip(&plan.moves) {
        let at = emit.sum(&source.index, 0);
        places.push(format!("{at} - {}_first", emit.f.arrays[source.array].name));
        bytes.push(if *moved { format!("{turns} + ap_some - 1") } else { turns.clone() });
    }
    let int = if sum.turns.is_some() { "int" } else { "ap_i64" };
    open(emit, &sum.sources, &places, &bytes, &moves, int);
    steps(emit, sum, &moves, &turns);
    emit.depth -= 1;
    emit.line("}");
    for _ in outer {
        emit.depth -= 1;
        emit.line("}");
    }
}
