//! The C text of columns, and of iterations, whose loops run side by side.

use crate::abreast::{Element, Plan, factors};
use crate::bases::{elements, parts};
use crate::emit_c::Emit;
use crate::entry::{counter, steps};
use crate::ir::{Expr, ForLoop, Kind, Place, Stmt, Ty, VarId, walk_expressions, walk_statements};
use crate::poly::Poly;
use crate::share::{Rows, Step, loops_in};
use crate::strip_text::vector;
use crate::strips::argument;
use std::fmt::Write;

struct Text<'e, 'a, 'p, 'f> {
    emit: &'e mut Emit<'a>,
    plan: &'p Plan<'f>,
    /// Whether columns are read and written as vectors.
    vectors: bool,
    /// Whether iterations are side by side too.
    several: bool,
    /// Number of vectors and pointers so far.
    names: usize,
    /// Elements with a pointer that advances with the loops around.
    moving: Vec<(Element, String)>,
    /// Locals that have one of two values, both growing with a loop: the rest of each value without the loop's part.
    either: Vec<(VarId, [Poly; 2])>,
}

/// Iterations side by side do not have an element evenly apart.
struct Uneven;

/// What texts with iterations side by side are written in.
pub fn words(plan: &Plan<'_>) -> String {
    let high = plan.high;
    match high {
        1 => String::new(),
        _ => format!(
            "#define AP_HIGH {high}\n#define AP_ALL_HIGH _Pragma(\"unroll {high}\")\n#define AP_TWICE _Pragma(\"unroll 2\")\n"
        ),
    }
}

/// The entry: each work-item of a group has columns, over a strip of iterations.
pub fn entry(emit: &mut Emit<'_>, rows: &Rows<'_>, plan: &Plan<'_>) {
    emit.line(
        "const ap_i64 tile = AP_GROUP_ID, tiles = AP_GROUPS, lane = AP_LANE % AP_WIDE, line = AP_LANE / AP_WIDE;",
    );
    emit.line("const ap_i64 lines = AP_GROUP / AP_WIDE, height = (hi - lo + AP_GROUPS_Y - 1) / AP_GROUPS_Y;");
    emit.line("const ap_i64 from = lo + AP_GROUP_ID_Y * height, to = AP_LEAST(from + height, hi);");
    let (j, [lo, hi], _) = counter(emit, plan.columns);
    emit.line(&format!("const ap_i64 {j}_from = {lo}, {j}_end = {hi};"));
    // Start where vectors are aligned.
    emit.line(&format!("const ap_i64 {j}_first = {j}_from & ~(ap_i64)(AP_STRIPS == 1 ? AP_EACH - 1 : 0);"));
    emit.line(&format!(
        "for (ap_i64 {j} = {j}_first + (tile * AP_WIDE + lane) * AP_EACH; {j} < {j}_end; {j} += tiles * AP_WIDE * AP_EACH) {{"
    ));
    emit.depth += 1;
    if plan.high > 1 {
        // A strip that is lower than that has few work-items, which then take one iteration each.
        emit.line("const ap_i64 ap_high = height >= lines * AP_HIGH ? AP_HIGH : 1;");
        emit.line("for (ap_i64 ap_row = from + line * ap_high; ap_row < to; ap_row += lines * ap_high) {");
        emit.depth += 1;
        emit.line("if (ap_high > 1 && ap_row + ap_high <= to) {");
        emit.depth += 1;
        emit.line("const ap_i64 row = ap_row;");
        side_by_side(emit, rows, plan, &j, true);
        emit.depth -= 1;
        emit.line("}");
        emit.line("const ap_i64 ap_last = AP_LEAST(ap_row + ap_high, to);");
        emit.line("for (ap_i64 row = ap_row; row < ap_last; row++) {");
    } else {
        emit.line("for (ap_i64 row = from + line; row < to; row += lines) {");
    }
    emit.depth += 1;
    side_by_side(emit, rows, plan, &j, false);
    single(emit, plan, &j);
    for _ in 0..if plan.high > 1 { 3 } else { 2 } {
        emit.depth -= 1;
        emit.line("}");
    }
}

/// Writes the columns of an iteration, or of several, if all are there, and `continue`.
fn side_by_side(emit: &mut Emit<'_>, rows: &Rows<'_>, plan: &Plan<'_>, j: &str, several: bool) {
    let before = &rows.steps[..rows.steps.len() - 1];
    let index = &emit.f.vars[emit.f.indices[0]].name;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
    if !several {
        steps(emit, before, false);
    }
    for (at, (array, rest)) in plan.rows.iter().enumerate() {
        let info = &emit.f.arrays[*array];
        let (of, constant) = (info.name.clone(), if info.mutable { "" } else { "const " });
        let start = emit.sum(rest, 0);
        let ty = info.ty.c();
        emit.line(&format!("AP_GLOBAL {constant}{ty} *const ap_r{at} = {of} + ({start} + {j} - {of}_first);"));
    }
    let all = if several { "all of the columns" } else { "all of its columns" };
    emit.line(&format!("/* Whether {all} are there. */"));
    emit.line(&format!("bool ap_whole = {j} >= {j}_from && {j} + AP_EACH <= {j}_end;"));
    aligned(emit, plan, several);
    emit.line("if (ap_whole) {");
    emit.depth += 1;
    let locals = before.iter().filter_map(|step| match step {
        Step::Alike(Stmt::Let(var, Some(value))) if several => Some((*var, value)),
        _ => None,
    });
    own(emit, locals);
    for vectors in [true, false] {
        emit.text.push_str(if vectors { "#if AP_STRIPS == 1\n" } else { "#else\n" });
        Text { emit, plan, vectors, several, names: 0, moving: Vec::new(), either: Vec::new() }.all();
    }
    emit.text.push_str("#endif\n");
    emit.renamed.clear();
    emit.line("continue;");
    emit.depth -= 1;
    emit.line("}");
}

/// Opens a loop over iterations that are side by side.
fn open_iterations(emit: &mut Emit<'_>) {
    emit.line("AP_ALL_HIGH for (int ap_i = 0; ap_i < AP_HIGH; ap_i++) {");
    emit.depth += 1;
    let index = &emit.f.vars[emit.f.indices[0]].name;
    emit.line(&format!("const ap_u64 {index} = (ap_u64)(row + ap_i);"));
}

/// Writes locals that iterations have before their columns, one for each of those side by side.
fn own<'s>(emit: &mut Emit<'_>, locals: impl Iterator<Item = (VarId, &'s Expr)>) {
    for (var, value) in locals {
        let info = &emit.f.vars[var];
        emit.line(&format!("{} {}[AP_HIGH];", info.ty.c(), info.name));
        let name = format!("{}[ap_i]", info.name);
        open_iterations(emit);
        let value = emit.bare(value);
        emit.line(&format!("{name} = {value};"));
        emit.depth -= 1;
        emit.line("}");
        emit.renamed.push((var, name));
    }
}

/// Vectors are used only where addresses are multiples of their size.
fn aligned(emit: &mut Emit<'_>, plan: &Plan<'_>, several: bool) {
    let mut list: Vec<String> = Vec::new();
    for (_, Element { row, inner }) in plan.loads.iter().chain(&plan.stores) {
        let last = emit.f.arrays[plan.rows[*row].0].ty.bytes() * plan.each as i128 - 1;
        let of_row = format!("((ap_u64)ap_r{row} & {last}) == 0");
        let mut inside = factors(emit.f, inner);
        inside.extend(plan.apart(emit.f, *row).filter(|_| several));
        let inside = inside.iter().map(|part| format!("(({}) & (AP_EACH - 1)) == 0", emit.sum(part, 0)));
        for text in std::iter::once(of_row).chain(inside) {
            if !list.contains(&text) {
                list.push(text);
            }
        }
    }
    if !list.is_empty() {
        emit.text.push_str("#if AP_STRIPS == 1\n");
        emit.line(&format!("ap_whole = ap_whole && {};", list.join(" && ")));
        emit.text.push_str("#endif\n");
    }
}

/// One column after the other. Their loops are not unrolled: registers are for those of the columns side by side.
fn single(emit: &mut Emit<'_>, plan: &Plan<'_>, j: &str) {
    emit.line(&format!("const ap_i64 ap_stop = AP_LEAST({j} + AP_EACH, {j}_end);"));
    let start = format!("{j} < {j}_from ? {j}_from : {j}");
    emit.line(&format!("AP_ROLLED for (ap_i64 ap_at = {start}; ap_at < ap_stop; ap_at++) {{"));
    emit.depth += 1;
    let column = &emit.f.vars[plan.columns.var];
    emit.line(&format!("const {0} {1} = ({0})ap_at;", column.ty.c(), column.name));
    emit.rolled = true;
    emit.block(&plan.columns.body);
    emit.rolled = false;
    emit.depth -= 1;
    emit.line("}");
}

impl Text<'_, '_, '_, '_> {
    fn all(&mut self) {
        let f = self.emit.f;
        let before = self.emit.renamed.len();
        let of = if self.several { "[ap_i][ap_k]" } else { "[ap_k]" };
        self.emit.renamed.extend(self.plan.spread.iter().map(|&v| (v, format!("{}{of}", f.vars[v].name))));
        for (index, element) in &self.plan.elements {
            self.place(*index, element);
        }
        self.block(&self.plan.columns.body);
        self.emit.renamed.truncate(before);
        self.emit.places.clear();
        self.emit.known.clear();
    }

    fn place(&mut self, index: *const Expr, element: &Element) {
        let pointer = self.pointer(element);
        let text = if pointer.contains(' ') { format!("({pointer})[ap_k]") } else { format!("{pointer}[ap_k]") };
        self.emit.places.insert(index, text);
    }

    fn pointer(&self, element: &Element) -> String {
        let row = format!("ap_r{}", element.row);
        let first = match self.moving.iter().rev().find(|(known, _)| known == element) {
            Some((_, name)) => name.clone(),
            None if element.inner.is_zero() => row,
            None => format!("{row} + ({})", self.emit.sum(&element.inner, 0)),
        };
        match self.apart(element) {
            Some(apart) => self.further(&first, &apart),
            None => first,
        }
    }

    /// How far apart neighbouring iterations have this element, if they are side by side and do not share it.
    fn apart(&self, element: &Element) -> Option<Poly> {
        self.plan.apart(self.emit.f, element.row).filter(|_| self.several)
    }

    /// The place of the iteration at hand, by that of the first one.
    fn further(&self, first: &str, apart: &Poly) -> String {
        format!("{first} + ap_i * ({})", self.emit.sum(apart, 0))
    }

    fn block(&mut self, list: &[Stmt]) {
        let parted = list.iter().any(loops_in);
        let mut rest = list;
        while let Some((first, behind)) = rest.split_first() {
            if let Stmt::For(l) = first {
                self.for_loop(l);
                rest = behind;
                continue;
            }
            let end = rest.iter().position(loops_in).unwrap_or(rest.len());
            let (part, behind) = rest.split_at(end);
            self.part(part, parted);
            rest = behind;
        }
    }

    fn for_loop(&mut self, l: &ForLoop) {
        let (open, known) = (self.moving.len(), self.either.len());
        let steps = self.pointers(l);
        let (head, begin) = self.emit.for_head(l);
        // Loads of the next turn then begin in this one.
        let simple = self.several && l.body.iter().all(|stmt| matches!(stmt, Stmt::Let(..) | Stmt::Assign(..)));
        let head = if simple { format!("AP_TWICE {head}") } else { head };
        self.emit.line(&head.replace("++) {", &format!("++{steps}) {{")));
        self.emit.depth += 1;
        begin.iter().for_each(|line| self.emit.line(line));
        self.block(&l.body);
        self.emit.depth -= 1;
        self.emit.line("}");
        self.moving.truncate(open);
        for (var, _) in self.either.drain(known..) {
            self.emit.accesses.values.remove(&var);
        }
    }

    /// Declares pointers to elements whose indices grow evenly from turn to turn. Returns the text that advances them.
    fn pointers(&mut self, l: &ForLoop) -> String {
        let Some(lo) = self.emit.followed(&l.lo) else { return String::new() };
        if !l.body.iter().any(loops_in) {
            self.one_of_two(l);
        }
        let mut list = Vec::new();
        elements(&l.body, &mut list);
        let mut steps = String::new();
        // Base, step, start, and the pointer's name.
        let mut done: Vec<(String, Poly, Poly, String)> = Vec::new();
        for (array, index) in list {
            let by = std::ptr::from_ref(index);
            let of_row = self.plan.elements.iter().find(|(known, _)| *known == by).map(|(_, element)| element.clone());
            let info = &self.emit.f.arrays[array];
            let (of, constant) = (info.name.clone(), if info.mutable { "" } else { "const " });
            let ty = info.ty.c();
            let (base, end, poly) = match &of_row {
                Some(element) => (format!("ap_r{}", element.row), String::new(), Some(element.inner.clone())),
                None => (of.clone(), format!(" - {of}_first"), self.emit.followed(index)),
            };
            let Some((factor, mut start, number)) = poly.and_then(|poly| parts(&poly, l.var)) else { continue };
            let which = self.either.iter().find(|(var, _)| start.has(*var)).map(|(var, _)| *var);
            if let Some(var) = which {
                match start.split(var) {
                    Some((one, rest)) if one.as_constant() == Some(1) => start = rest,
                    _ => continue,
                }
            }
            // The start is computed before the columns, so it must not depend on them.
            let inside = |v: VarId| v == self.plan.columns.var || self.either.iter().any(|(var, _)| *var == v);
            if start.symbols().into_iter().chain(factor.symbols()).any(inside) {
                continue;
            }
            let start = &start + &(&factor * &lo);
            let apart = match self.apart_from(of_row.as_ref(), &start, &factor) {
                Ok(apart) => apart,
                Err(Uneven) => continue,
            };
            let same = |(other, step, from, _): &&(String, Poly, Poly, String)| {
                *other == base && *step == factor && *from == start
            };
            let known = done.iter().find(same).map(|(.., name)| name.clone());
            let name = known.unwrap_or_else(|| {
                let name = format!("ap_q{}", self.names);
                self.names += 1;
                let from = match (start.is_zero(), end.is_empty()) {
                    (true, true) => base.clone(),
                    _ => format!("{base} + ({}{end})", self.emit.sum(&start, 0)),
                };
                self.emit.line(&format!("AP_GLOBAL {constant}{ty} *{name} = {from};"));
                let _ = write!(steps, ", {name} += {}", self.emit.sum(&factor, 0));
                done.push((base, factor, start, name.clone()));
                name
            });
            let number_text = self.emit.sum(&Poly::default(), number);
            match of_row {
                Some(element) => {
                    let text = if number == 0 { name } else { format!("{name} + {number_text}") };
                    self.moving.push((element.clone(), text));
                    self.place(by, &element);
                }
                None => {
                    let at = match which {
                        Some(var) if number == 0 => format!("ap_o{var}"),
                        Some(var) => format!("ap_o{var} + {number_text}"),
                        None => number_text,
                    };
                    let text = match apart {
                        Some(apart) => format!("({})[{at}]", self.further(&name, &apart)),
                        None => format!("{name}[{at}]"),
                    };
                    self.emit.places.insert(by, text);
                }
            }
        }
        steps
    }

    /// How far apart iterations side by side have an element that is not of a row, of this start, if they do not share it.
    fn apart_from(&self, of_row: Option<&Element>, start: &Poly, factor: &Poly) -> Result<Option<Poly>, Uneven> {
        let (true, None, Some(i)) = (self.several, of_row, self.emit.f.index()) else { return Ok(None) };
        let (apart, rest) = start.split(i).ok_or(Uneven)?;
        let f = self.emit.f;
        // Locals before the columns differ from iteration to iteration.
        let own = |v: VarId| self.emit.renamed.iter().any(|(var, _)| *var == v);
        let even = apart.symbols().into_iter().all(|v| argument(f, v))
            && !factor.has(i)
            && !rest.symbols().into_iter().chain(factor.symbols()).any(own);
        if even { Ok(Some(apart).filter(|apart| !apart.is_zero())) } else { Err(Uneven) }
    }

    /// Finds locals of the loop's body such as `if t < x[k] { 3 * k + 1 } else { 3 * k + 2 }`.
    fn one_of_two(&mut self, l: &ForLoop) {
        for stmt in &l.body {
            let Stmt::Let(var, Some(Expr { kind: Kind::Select(_, yes, no), ty, .. })) = stmt else { continue };
            if self.emit.f.vars[*var].mutable || !matches!(ty, Ty::Usize | Ty::U64 | Ty::I64) {
                continue;
            }
            let both = (self.emit.followed(yes), self.emit.followed(no));
            let (Some(yes), Some(no)) = both else { continue };
            let (Some((factor, yes)), Some((other, no))) = (yes.split(l.var), no.split(l.var)) else { continue };
            if factor == other && !factor.is_zero() {
                // In indices the variable stands for the rest of its value.
                let value = &(&factor * &Poly::var(l.var)) + &Poly::var(*var);
                self.emit.accesses.values.insert(*var, value);
                self.either.push((*var, [yes, no]));
            }
        }
    }

    /// Writes statements without loops, for each of the columns; `parted`: other parts need their locals.
    fn part(&mut self, list: &[Stmt], parted: bool) {
        let f = self.emit.f;
        let of = if self.several { "[AP_HIGH][AP_EACH]" } else { "[AP_EACH]" };
        for stmt in list {
            if let (Stmt::Let(var, _), true) = (stmt, parted) {
                let info = &f.vars[*var];
                self.emit.line(&format!("{} {}{of};", info.ty.c(), info.name));
            }
        }
        if self.vectors {
            self.read(list, false);
        }
        if self.several {
            open_iterations(self.emit);
            if self.vectors {
                self.read(list, true);
            }
        }
        let stores = if self.vectors { self.vectors_to_write(list) } else { Vec::new() };
        self.emit.line("AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {");
        self.emit.depth += 1;
        let column = &f.vars[self.plan.columns.var];
        let ty = column.ty.c();
        self.emit.line(&format!("const {ty} {0} = ({ty})({0}_at + ap_k);", column.name));
        for stmt in list {
            match stmt {
                Stmt::Let(_, None) if parted => {}
                Stmt::Let(var, Some(value)) if parted => {
                    let line = format!("{} = {};", self.emit.name(*var), self.emit.bare(value));
                    self.emit.line(&line);
                }
                _ => self.emit.statement(stmt),
            }
            self.left_of(stmt);
        }
        self.emit.depth -= 1;
        self.emit.line("}");
        stores.iter().for_each(|line| self.emit.line(line));
        if self.several {
            self.emit.depth -= 1;
            self.emit.line("}");
        }
    }

    /// Writes the rest of a local that has one of two values.
    fn left_of(&mut self, stmt: &Stmt) {
        let Stmt::Let(var, Some(Expr { kind: Kind::Select(condition, ..), .. })) = stmt else { return };
        let Some((_, [yes, no])) = self.either.iter().find(|(of, _)| of == var).cloned() else { return };
        let condition = self.emit.bare(condition);
        let (yes, no) = (self.emit.sum(&yes, 0), self.emit.sum(&no, 0));
        self.emit.line(&format!("const ap_i64 ap_o{var} = ({condition}) ? {yes} : {no};"));
    }

    /// Writes the reads of a part's vectors: of those that iterations side by side share, or of their own.
    fn read(&mut self, list: &[Stmt], own: bool) {
        let mut found: Vec<(*const Expr, Element)> = Vec::new();
        walk_expressions(list, &mut |e| {
            if let Kind::Load(..) = e.kind {
                let by = std::ptr::from_ref(e);
                found.extend(self.plan.loads.iter().filter(|(load, _)| *load == by).cloned());
            }
        });
        found.retain(|(_, element)| self.apart(element).is_some() == own);
        let mut done: Vec<(Element, String)> = Vec::new();
        for (by, element) in found {
            let known = done.iter().find(|(other, _)| *other == element).map(|(_, name)| name.clone());
            let name = known.unwrap_or_else(|| {
                let name = format!("ap_v{}", self.names);
                self.names += 1;
                let (ty, pointer) = (self.vector(&element), self.pointer(&element));
                self.emit.line(&format!("const {ty} {name} = *(AP_GLOBAL const {ty} *)({pointer});"));
                done.push((element, name.clone()));
                name
            });
            self.emit.known.insert(by, format!("{name}.at[ap_k]"));
        }
    }

    /// Declares the vectors that a part writes, and returns the lines that write them.
    fn vectors_to_write(&mut self, list: &[Stmt]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut indices: Vec<*const Expr> = Vec::new();
        walk_statements(list, &mut |stmt| {
            if let Stmt::Assign(Place::Element(_, index), ..) = stmt {
                indices.push(std::ptr::from_ref(index));
            }
        });
        for (index, element) in self.plan.stores.iter().filter(|(index, _)| indices.contains(index)) {
            let name = format!("ap_out{}", self.names);
            self.names += 1;
            let (ty, pointer) = (self.vector(element), self.pointer(element));
            self.emit.line(&format!("{ty} {name};"));
            self.emit.places.insert(*index, format!("{name}.at[ap_k]"));
            lines.push(format!("*(AP_GLOBAL {ty} *)({pointer}) = {name};"));
        }
        lines
    }

    fn vector(&self, element: &Element) -> String {
        vector(self.emit.f.arrays[self.plan.rows[element.row].0].ty)
    }
}

#[cfg(test)]
#[path = "abreast_text_tests.rs"]
mod tests;
