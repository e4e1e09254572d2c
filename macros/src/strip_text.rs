//! The C text of a body that runs in strips.

use crate::emit_c::{Emit, Returns};
use crate::entry::{begin_parts, counter, end_parts, steps};
use crate::ir::{Stmt, Ty};
use crate::prelude::Dialect;
use crate::rows::Gathered;
use crate::share::{Rows, Step};
use crate::strip_registers::Unit;
use crate::strips::{Early, Plan, Way};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a plan, while it is written.
pub struct Text<'e, 'a, 'p, 'f> {
    pub emit: &'e mut Emit<'a>,
    pub plan: &'p Plan<'f>,
    pub gathered: &'p Gathered,
    /// Columns per work-item, and whether they are accessed as vectors.
    pub each: usize,
    pub vectors: bool,
    /// Texts of the conditions without their known parts; `true` or `false` if nothing else is left.
    pub conditions: Vec<String>,
    /// Conditions for reads: text, name, and whether it changes from row to row.
    pub needs: Vec<(String, String, bool)>,
    /// Ways that few columns take.
    pub masks: Vec<Way>,
    pub units: Vec<Unit>,
    /// The least offset of each row in its registers.
    pub low: Vec<i64>,
    /// The pointer by which each row is found, and its distance from it.
    pub cursors: Vec<(String, Option<String>)>,
}

/// Columns per work-item if they are not aligned.
const SINGLE: usize = 2;

/// The types of vectors of this many elements.
pub fn vector_types(each: usize, types: &BTreeSet<&str>, dialect: Dialect) -> String {
    let mut out = String::from("\n/* Neighbouring elements, which go through memory as one. */\n");
    out.push_str("#define AP_ROLLED _Pragma(\"unroll 1\")\n");
    let aligned = if dialect == Dialect::Cuda { "__align__(bytes)" } else { "__attribute__((aligned(bytes)))" };
    let _ = writeln!(out, "#define AP_ALIGNED(bytes) {aligned}");
    let _ = writeln!(out, "#define AP_EACH (AP_STRIPS == 1 ? {each} : {SINGLE})");
    for tag in types {
        let ty = Ty::named(tag).unwrap_or(Ty::U64);
        let bytes = ty.bytes() * each as i128;
        let _ = writeln!(out, "typedef struct AP_ALIGNED({bytes}) {{ {} at[{each}]; }} {};", ty.c(), vector(ty));
    }
    out
}

pub fn vector(ty: Ty) -> String {
    format!("ap_{}_vector", ty.tag())
}

/// Writes the entry; each work-item of a group has columns of a strip of iterations.
pub fn entry(emit: &mut Emit<'_>, rows: &Rows<'_>, plan: &Plan<'_>) {
    let f = emit.f;
    let reduces = f.result != Ty::Unit;
    let gathered = match &rows.steps[plan.place] {
        Step::Shared(_, gathered) | Step::Nest(.., gathered) => gathered,
        _ => return,
    };
    emit.line(
        "const ap_i64 tile = AP_GROUP_ID, tiles = AP_GROUPS, lane = AP_LANE % AP_WIDE, line = AP_LANE / AP_WIDE;",
    );
    emit.line("const ap_i64 lines = AP_GROUP / AP_WIDE;");
    let (strip, strips) = match plan.lines {
        None => ("AP_GROUP_ID_Y * lines + line", "AP_GROUPS_Y * lines"),
        Some(_) => ("AP_GROUP_ID_Y", "AP_GROUPS_Y"),
    };
    emit.line(&format!("const ap_i64 ap_strips = {strips}, height = (hi - lo + ap_strips - 1) / ap_strips;"));
    emit.line(&format!("const ap_i64 ap_start = lo + ({strip}) * height, from = AP_LEAST(ap_start, hi);"));
    emit.line("const ap_i64 to = AP_LEAST(from + height, hi);");
    if reduces {
        emit.line(&format!("AP_SHARED {} scratch_{}[AP_GROUP];", f.result.c(), f.result.tag()));
        emit.line(&format!("{} total = AP_IDENTITY;", f.result.c()));
    }
    emit.returns = Returns::Combine { pure: rows.gathered.iter().map(|(var, _)| *var).collect() };
    let text = Text {
        emit,
        plan,
        gathered,
        each: plan.each,
        vectors: true,
        conditions: Vec::new(),
        needs: Vec::new(),
        masks: Vec::new(),
        units: Vec::new(),
        low: Vec::new(),
        cursors: Vec::new(),
    };
    text.turns(rows);
    if reduces {
        let tag = f.result.tag();
        emit.line(&format!("total = ap_group_combine(total, scratch_{tag});"));
        emit.line("if (AP_LANE == 0) partial[AP_GROUP_ID_Y * AP_GROUPS + AP_GROUP_ID] = total;");
    }
}

impl Text<'_, '_, '_, '_> {
    pub fn line(&mut self, line: &str) {
        self.emit.line(line);
    }

    pub fn open(&mut self, line: &str) {
        self.emit.line(line);
        self.emit.depth += 1;
    }

    pub fn close(&mut self) {
        self.emit.depth -= 1;
        self.emit.line("}");
    }

    /// Loops over all columns of a work-item, and over the rows of each.
    fn turns(mut self, rows: &Rows<'_>) {
        let plan = self.plan;
        self.interior();
        let (k, [k_lo, k_hi], _) = counter(self.emit, plan.columns);
        self.line(&format!("const ap_i64 {k}_from = {k_lo}, {k}_end = {k_hi};"));
        // Columns are counted from a multiple of the vector's length, so that vectors are aligned.
        self.line(&format!("const ap_i64 {k}_first = {k}_from & ~(ap_i64)(AP_STRIPS == 1 ? AP_EACH - 1 : 0);"));
        self.line("const ap_i64 ap_width = AP_EACH * (ap_i64)AP_WIDE;");
        self.line(&format!(
            "const ap_i64 ap_across = {k}_first < {k}_end ? ({k}_end - {k}_first + ap_width - 1) / ap_width : 1;"
        ));
        if let Some((outer, _)) = plan.lines {
            let (j, [j_lo, j_hi], begin) = counter(self.emit, outer);
            self.line(&format!("const ap_i64 {j}_from = {j_lo}, {j}_end = {j_hi};"));
            self.line(&format!(
                "const ap_i64 ap_turns = ap_across * ({j}_from < {j}_end ? ({j}_end - {j}_from + lines - 1) / lines : 1);"
            ));
            self.open("for (ap_i64 ap_turn = tile; ap_turn < ap_turns; ap_turn += tiles) {");
            self.line(&format!("const ap_i64 {j} = {j}_from + ap_turn / ap_across * lines + line;"));
            self.line(&format!("const ap_i64 {k}_tile = {k}_first + ap_turn % ap_across * ap_width;"));
            self.line(&begin);
            self.line(&format!("const bool ap_there = {j} < {j}_end;"));
            self.line(&format!("const bool ap_head = ap_there && lane == 0 && {k}_tile == {k}_first;"));
            self.line("const bool first = AP_LANE == 0 && ap_turn == 0;");
        } else {
            self.open("for (ap_i64 ap_turn = tile; ap_turn < ap_across; ap_turn += tiles) {");
            self.line(&format!("const ap_i64 {k}_tile = {k}_first + ap_turn * ap_width;"));
            self.line("const bool ap_there = true, first = lane == 0 && ap_turn == 0;");
        }
        self.line(&format!(
            "const ap_i64 {k} = {k}_tile + lane * AP_EACH, {k}_last = AP_LEAST({k} + AP_EACH, {k}_end);"
        ));
        let head = if plan.lines.is_some() { " && !ap_head" } else { "" };
        self.line(&format!("if (!(ap_there && {k} < {k}_end) && !first{head}) continue;"));
        self.line("/* Whether all of its columns are there. */");
        self.line(&format!(
            "const bool ap_whole = ap_there && {k} >= {k}_from && {k} + AP_EACH <= {k}_end && ap_low < ap_high;"
        ));
        if plan.many(self.emit.f) {
            // All other rows first, so that none of their values is in registers along with the fast loop's.
            self.line("bool ap_fast = false;");
            self.open("if (ap_whole) {");
            self.line("const ap_i64 row = ap_low;");
            self.each_way(|text| {
                text.begin();
                let regular = text.aligned();
                text.line(&format!("ap_fast = {regular};"));
            });
            self.close();
            self.open("for (ap_i64 row = from; row < to; row++) {");
            self.open("if (ap_fast && row == ap_low) {");
            self.line("row = ap_high - 1;");
            self.line("continue;");
            self.close();
            self.general(rows);
            self.close();
            self.open("if (ap_fast) {");
            self.line("const ap_i64 row = ap_low;");
            self.each_way(|text| {
                text.begin();
                text.fast(rows);
            });
            self.close();
        } else {
            self.open("for (ap_i64 row = from; row < to; row++) {");
            self.open("if (ap_whole && row == ap_low) {");
            self.each_way(|text| {
                text.begin();
                let regular = text.aligned();
                text.open(&if regular == "true" { "{".into() } else { format!("if ({regular}) {{") });
                text.fast(rows);
                text.line("row = ap_high - 1;");
                text.line("continue;");
                text.close();
            });
            self.close();
            self.general(rows);
            self.close();
        }
        self.close();
    }

    /// Writes `text` twice: with columns accessed as vectors, and element by element.
    fn each_way(&mut self, text: impl Fn(&mut Self)) {
        self.emit.text.push_str("#if AP_STRIPS == 1\n");
        (self.each, self.vectors) = (self.plan.each, true);
        text(self);
        self.emit.text.push_str("#else\n");
        (self.each, self.vectors) = (SINGLE, false);
        text(self);
        self.emit.text.push_str("#endif\n");
        self.emit.known.clear();
    }

    /// Limits the interior to rows for which comparisons of the iteration have known values.
    fn interior(&mut self) {
        let interior = &self.plan.interior;
        self.line("ap_i64 ap_low = from, ap_high = to;");
        for low in &interior.lows {
            let low = self.emit.sum(low, 0);
            self.line(&format!("if (ap_low < {low}) ap_low = {low};"));
        }
        for end in &interior.ends {
            let end = self.emit.sum(end, 0);
            self.line(&format!("if (ap_high > {end}) ap_high = {end};"));
        }
        for difference in &interior.differences {
            let difference = self.emit.sum(difference, 0);
            self.line(&format!("if ({difference} < 0) ap_high = ap_low;"));
        }
    }

    /// The statements beside the shared loop, on both sides of it, and the loop by `columns`.
    fn around(&mut self, rows: &Rows<'_>, columns: impl FnOnce(&mut Self)) {
        let plan = self.plan;
        steps(self.emit, &rows.steps[..plan.place], false);
        self.open("{");
        begin_parts(self.emit, self.gathered);
        match plan.lines {
            None => columns(self),
            Some((outer, at)) => {
                // The first work-item runs on even without a line, for the statements outside of the loops.
                self.open("if (ap_there) {");
                self.beside(&outer.body[..at]);
                columns(self);
                self.beside(&outer.body[at + 1..]);
                self.close();
            }
        }
        end_parts(self.emit, self.gathered);
        self.close();
        steps(self.emit, &rows.steps[plan.place + 1..], true);
    }

    /// Statements beside the loop along a line.
    fn beside(&mut self, list: &[Stmt]) {
        self.emit.guard = Some("ap_head".into());
        self.emit.block(list);
        self.emit.guard = None;
    }

    /// One row, column by column.
    fn general(&mut self, rows: &Rows<'_>) {
        let index = self.emit.f.vars[self.emit.f.indices[0]].name.clone();
        self.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
        let l = self.plan.columns;
        let (k, _, begin) = counter(self.emit, l);
        self.around(rows, |text| {
            let open = text.emit.open_bases(l.var, &l.body);
            text.line(&format!("const ap_i64 ap_begin = ap_there && {k} < {k}_from ? {k}_from : {k};"));
            text.line(&format!("const ap_i64 ap_stop = ap_there ? {k}_last : {k};"));
            text.open(&format!("AP_ROLLED for (ap_i64 {k} = ap_begin; {k} < ap_stop; {k}++) {{"));
            text.line(&begin);
            text.emit.block(&l.body);
            text.close();
            text.emit.bases.truncate(open);
        });
    }

    /// Pointers, conditions, and the plan of the reads.
    fn begin(&mut self) {
        let plan = self.plan;
        let index = self.emit.f.vars[self.emit.f.indices[0]].name.clone();
        self.line(&format!("const ap_u64 {index} = (ap_u64)row;"));
        for (known, holds) in &plan.known {
            self.emit.known.insert(*known, holds.to_string());
        }
        self.conditions = plan.conditions.iter().map(|c| self.emit.bare(c.expr)).collect();
        self.needs.clear();
        self.masks.clear();
        self.units.clear();
        self.cursors.clear();
        self.cursors();
        self.conditions(false);
        self.plan_units();
        self.distances();
    }

    /// All rows of the interior.
    fn fast(&mut self, rows: &Rows<'_>) {
        let index = self.emit.f.vars[self.emit.f.indices[0]].name.clone();
        self.needs(false);
        self.registers();
        for at in 0..self.units.len() {
            if self.units[at].next.is_some() {
                let need = self.units[at].need.clone();
                self.load(at, need.as_deref());
            }
        }
        // Unrolling over rows costs more registers than it gains.
        self.open("AP_ROLLED for (ap_i64 ap_row = row; ap_row < ap_high; ap_row++) {");
        self.line(&format!("const ap_u64 {index} = (ap_u64)ap_row;"));
        self.around(rows, Self::columns);
        self.go_on();
        self.close();
    }

    /// The columns of one row: all is read before anything is computed.
    fn columns(&mut self) {
        let plan = self.plan;
        let (k, _, _) = counter(self.emit, plan.columns);
        let begin = {
            let (name, ty) = (self.emit.name(plan.columns.var), self.emit.f.vars[plan.columns.var].ty.c());
            format!("const {ty} {name} = ({ty})({k} + ap_k);")
        };
        self.conditions(true);
        self.needs(true);
        for at in 0..self.units.len() {
            let unit = &self.units[at];
            let need = if unit.next.is_some() { unit.again.clone() } else { unit.need.clone() };
            if unit.next.is_none() || unit.again.is_some() {
                self.load(at, need.as_deref());
            }
        }
        self.others(&begin);
        let lanes = "AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {";
        let stores: &[_] = if self.vectors { &plan.stores } else { &[] };
        for (_, row) in stores {
            let ty = self.emit.f.arrays[plan.rows[*row].array].ty;
            self.line(&format!("{} ap_out{row};", vector(ty)));
        }
        self.texts();
        self.open(lanes);
        self.line(&begin);
        self.emit.block(&plan.columns.body);
        self.close();
        self.emit.known.clear();
        self.emit.merged.clear();
        self.emit.places.clear();
        self.emit.reads.clear();
        for (_, row) in stores {
            let ty = self.emit.f.arrays[plan.rows[*row].array].ty;
            let pointer = self.pointer(*row, 0);
            self.line(&format!("*(AP_GLOBAL {} *)({pointer}) = ap_out{row};", vector(ty)));
        }
    }

    /// Sets the texts that replace expressions in the body.
    fn texts(&mut self) {
        let plan = self.plan;
        for (at, condition) in plan.conditions.iter().enumerate() {
            let text = match self.fixed(at) {
                Some(holds) => holds.to_string(),
                None => format!("ap_c{at}[ap_k]"),
            };
            self.emit.known.insert(std::ptr::from_ref(condition.expr), text);
        }
        for (known, holds) in &plan.known {
            self.emit.known.insert(*known, holds.to_string());
        }
        self.emit.merged.extend(&plan.merged);
        for (by, early) in &plan.early {
            let text = match *early {
                Early::Window(at) => {
                    let window = &plan.windows[at];
                    let place = window.offset - self.low[window.row];
                    let place = if place == 0 { String::new() } else { format!(" + {place}") };
                    format!("ap_w{}[ap_k{place}]", window.row)
                }
                Early::Other(at) => format!("ap_x{at}[ap_k]"),
            };
            // A place that is read and written is identified by its index.
            if plan.again.contains(by) {
                self.emit.reads.insert(*by, text);
            } else {
                self.emit.known.insert(*by, text);
            }
        }
        for (place, row) in &plan.stores {
            let text = if self.vectors {
                format!("ap_out{row}.at[ap_k]")
            } else {
                format!("({})[ap_k]", self.pointer(*row, 0))
            };
            self.emit.places.insert(*place, text);
        }
        for (place, row, offset) in &plan.elements {
            let pointer = self.pointer(*row, *offset);
            self.emit.places.insert(*place, format!("({pointer})[ap_k]"));
        }
    }
}
