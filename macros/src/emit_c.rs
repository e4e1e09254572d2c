//! C text: statements and expressions, for both CUDA C and OpenCL C.

use crate::access::{self, Accesses};
use crate::bases::Base;
use crate::bytes;
use crate::bytes_text;
use crate::checked::{self, Checked};
use crate::contribute::{self, Operator};
use crate::generic;
use crate::ir::{ArrayInit, Binary, Builtin, Expr, ForLoop, Function, Kind, Lit, Param, Place, Stmt, Ty, VarId};
use crate::names;
use crate::prelude::Dialect;
use crate::rows::alone_in_memory;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Writes the statements of a function.
pub struct Emit<'f> {
    pub f: &'f Function,
    pub dialect: Dialect,
    /// Prelude functions that are called.
    pub needs: BTreeSet<String>,
    pub text: String,
    pub depth: usize,
    /// Elements are stored only under this condition, if a whole group runs the same iteration.
    pub guard: Option<String>,
    /// No statement of the iteration follows.
    pub last: bool,
    pub accesses: Accesses<'f>,
    /// Rows of arrays along which a loop runs.
    pub bases: Vec<Base>,
    /// Names of rows so far, as each has its own.
    pub base_names: Vec<String>,
    /// What `return value;` becomes: in the text of a whole group, a combination with the total.
    pub returns: Returns,
    /// Names that replace others: a lane's part of a sum.
    pub renamed: Vec<(VarId, String)>,
    /// Expressions whose text is known already.
    pub known: BTreeMap<*const Expr, String>,
    /// Conditions used as values, whose first side stands for both.
    pub merged: BTreeSet<*const Expr>,
    /// Texts of elements, by their indices: the places, and the values read there before.
    pub places: BTreeMap<*const Expr, String>,
    pub reads: BTreeMap<*const Expr, String>,
    /// Whether loops are kept rolled.
    pub rolled: bool,
    /// Whether bytes are read one by one.
    pub by_bytes: bool,
    /// Accesses that are checked at run time.
    pub checked: Checked,
    /// Whether lines of work-items run an iteration each.
    pub lines: bool,
    /// Whether the whole group does so in their place.
    pub grouped: bool,
    /// Whether `ap_goes` is there, which ends the `while` around when an index of a local array is outside.
    goes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    Value,
    /// `pure` are the locals of which each work-item returns a part, if groups share an iteration.
    Combine {
        pure: Vec<VarId>,
    },
}

impl<'f> Emit<'f> {
    pub fn new(f: &'f Function, dialect: Dialect) -> Self {
        let accesses = access::collect(f);
        Self {
            checked: Checked::of(f, &accesses),
            f,
            dialect,
            needs: BTreeSet::new(),
            text: String::new(),
            depth: 1,
            guard: None,
            last: false,
            accesses,
            bases: Vec::new(),
            base_names: Vec::new(),
            returns: Returns::Value,
            renamed: Vec::new(),
            known: BTreeMap::new(),
            merged: BTreeSet::new(),
            places: BTreeMap::new(),
            reads: BTreeMap::new(),
            rolled: false,
            by_bytes: false,
            lines: false,
            grouped: false,
            goes: false,
        }
    }

    pub fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn name(&self, var: VarId) -> String {
        let renamed = self.renamed.iter().find(|(of, _)| *of == var).map(|(_, name)| name.clone());
        renamed.unwrap_or_else(|| self.f.vars[var].name.clone())
    }

    fn call(&mut self, op: &str, ty: Ty, list: &[String]) -> String {
        let name = format!("ap_{op}_{}", ty.tag());
        self.needs.insert(name.clone());
        format!("{name}({})", list.join(", "))
    }

    pub fn block(&mut self, list: &[Stmt]) {
        for stmt in list {
            self.statement(stmt);
        }
    }

    pub fn block_of(&mut self, list: &[&Stmt]) {
        for stmt in list {
            self.statement(stmt);
        }
    }

    fn braced(&mut self, head: &str, list: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(list);
        self.depth -= 1;
    }

    pub fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, init) => {
                let (ty, name) = (self.f.vars[*var].ty.c(), self.name(*var));
                let constant = if self.f.vars[*var].mutable || init.is_none() { "" } else { "const " };
                let line = match init {
                    Some(e) => format!("{constant}{ty} {name} = {};", self.bare(e)),
                    None => format!("{ty} {name};"),
                };
                self.line(&line);
            }
            Stmt::LetArray(var, init) => self.local_array(*var, init),
            Stmt::Assign(place, op, value, _) => self.assign(place, *op, value),
            Stmt::Contribute(array, index, operator, value, _) => self.contribute(*array, index, *operator, value),
            Stmt::For(l) => self.for_loop(l),
            Stmt::While(condition, body) => {
                // What is read in place of an element outside never changes, so the condition could hold for ever.
                let opens = !self.goes && self.checked.has_local_within(stmt);
                if opens {
                    self.line("{ bool ap_goes = true;");
                    self.goes = true;
                }
                let (go, binding) = if self.goes { ("ap_goes && ", 3) } else { ("", 0) };
                let condition = self.expr(condition, binding);
                self.braced(&format!("while ({go}{condition})"), body);
                self.line(if opens { "} }" } else { "}" });
                self.goes &= !opens;
            }
            Stmt::If(condition, yes, no) => {
                let condition = self.bare(condition);
                self.braced(&format!("if ({condition})"), yes);
                if !no.is_empty() {
                    self.braced("} else", no);
                }
                self.line("}");
            }
            Stmt::Block(body) => {
                self.braced("", body);
                self.line("}");
            }
            Stmt::Return(value) => self.ends(value.as_ref()),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
        }
    }

    fn ends(&mut self, value: Option<&Expr>) {
        let text = value.map(|e| self.bare(e));
        let Returns::Combine { pure } = &self.returns else {
            let text = text.map_or(String::new(), |text| format!(" {text}"));
            return self.line(&format!("return{text};"));
        };
        if let (Some(e), Some(text)) = (value, text) {
            let part = matches!(e.kind, Kind::Var(var) if pure.contains(&var));
            let guard = match part {
                true => "",
                false if self.lines => "if (first) ",
                false => "if (!AP_SPREAD || first) ",
            };
            self.line(&format!("{guard}total = ap_combine(total, {text});"));
        }
        if !self.last {
            self.line("continue;");
        }
    }

    fn local_array(&mut self, var: VarId, init: &ArrayInit) {
        let info = &self.f.vars[var];
        let (ty, name, len) = (info.ty.c(), info.name.clone(), info.len.unwrap_or(1));
        match init {
            ArrayInit::List(list) => {
                let list: Vec<_> = list.iter().map(|e| self.bare(e)).collect();
                self.line(&format!("{ty} {name}[{len}] = {{{}}};", list.join(", ")));
            }
            ArrayInit::Repeat(e) => {
                let value = self.bare(e);
                self.line(&format!("{ty} {name}[{len}];"));
                // Not the counter of columns, which may occur in the value.
                self.line(&format!("{{ const {ty} ap_value = {value};"));
                self.line(&format!("for (int ap_at = 0; ap_at < {len}; ap_at++) {name}[ap_at] = ap_value; }}"));
            }
        }
    }

    fn assign(&mut self, place: &Place, op: Option<Binary>, value: &Expr) {
        let (mut inside, mut at) = (None, None);
        let (target, ty) = match place {
            Place::Var(var) => (self.name(*var), self.f.vars[*var].ty),
            Place::Local(var, index) if self.checked.has_local(index) => {
                let (name, len) = (self.f.vars[*var].name.clone(), self.f.vars[*var].len.unwrap_or(1));
                let note = checked::note_of_local(len, true);
                at = Some(format!("const ap_u64 ap_index = {};", self.bare(index)));
                inside = Some(format!("ap_inside(ap_index, {len}, {note}, ap_report)"));
                self.needs.insert("ap_inside".to_owned());
                (format!("{name}[ap_index]"), self.f.vars[*var].ty)
            }
            Place::Local(var, index) => (self.local(*var, index), self.f.vars[*var].ty),
            Place::Element(array, index) if self.checked.has(index) => {
                let name = self.f.arrays[*array].name.clone();
                let note = checked::note_of(self.f, *array, true);
                at = Some(format!("const ap_i64 ap_index = (ap_i64)({});", self.bare(index)));
                inside = Some(format!("ap_has({name}_first, {name}_count, ap_index, {note}, ap_report)"));
                self.needs.extend(["ap_amiss".to_owned(), "ap_has".to_owned()]);
                (format!("{name}[ap_index - {name}_first]"), self.f.arrays[*array].ty)
            }
            Place::Element(array, index) => (self.element(*array, index), self.f.arrays[*array].ty),
        };
        let before = match place {
            Place::Element(_, index) => self.reads.get(&std::ptr::from_ref(index)).cloned(),
            _ => None,
        };
        let mut line = match op {
            Some(op) if before.is_some() => {
                let value = self.expr(value, 7);
                let value = self.operation(op, ty, before.unwrap_or_default(), value, None);
                format!("{target} = {value};")
            }
            None => format!("{target} = {};", self.bare(value)),
            // C has the same form if no function is needed.
            Some(op) if ty.is_float() && op != Binary::Rem => format!("{target} {}= {};", op.sign(), self.bare(value)),
            Some(op) => {
                let value = self.expr(value, operands(op).1);
                let value = self.operation(op, ty, target.clone(), value, None);
                format!("{target} = {value};")
            }
        };
        let guard = self.guard.as_ref().filter(|_| matches!(place, Place::Element(..)));
        let conditions: Vec<&str> = guard.into_iter().chain(&inside).map(String::as_str).collect();
        if !conditions.is_empty() {
            line = format!("if ({}) {line}", conditions.join(" && "));
            if self.goes && matches!(place, Place::Local(..)) {
                line.push_str(" else ap_goes = false;");
            }
        }
        if let Some(at) = at {
            line = format!("{{ {at} {line} }}");
        }
        self.line(&line);
    }

    /// Other work-items contribute to the same element at once.
    fn contribute(&mut self, array: usize, index: &Expr, operator: Operator, value: &Expr) {
        let function = operator.function(self.f.arrays[array].ty);
        let (index, value) = (self.bare(index), self.bare(value));
        let name = self.f.arrays[array].name.clone();
        let count = self.f.counts.get(&array).map_or("0", |&count| &self.f.vars[count].name);
        let guard = self.guard.as_ref().map_or(String::new(), |guard| format!("if ({guard}) "));
        let note = checked::note_of(self.f, array, true);
        // An index outside of the array must not touch other memory.
        self.line(&format!(
            "{guard}{{ const ap_u64 ap_index = {index}; if (ap_index < {count}) {function}(&{name}[(ap_i64)ap_index - \
             {name}_first], {value}); else ap_amiss(ap_report, (ap_i64)ap_index, {note}); }}"
        ));
        self.needs.extend([function, "ap_amiss".to_owned()]);
    }

    fn for_loop(&mut self, l: &ForLoop) {
        let plain = self.by_bytes || self.rolled;
        match bytes::abreast(&mut self.accesses, &self.checked, l).filter(|_| !plain) {
            Some(plan) => bytes_text::abreast(self, &plan, |emit| emit.plain_loop(l)),
            None => self.plain_loop(l),
        }
    }

    fn plain_loop(&mut self, l: &ForLoop) {
        let (head, begin) = self.for_head(l);
        let open = self.open_bases(l.var, &l.body);
        self.line(&if self.rolled { format!("AP_ROLLED {head}") } else { head });
        self.depth += 1;
        begin.iter().for_each(|line| self.line(line));
        self.block(&l.body);
        self.depth -= 1;
        self.line("}");
        self.bases.truncate(open);
    }

    /// The text of the end of a range of 64-bit numbers, increased by one if it belongs to the range.
    pub fn end(&mut self, l: &ForLoop) -> String {
        if !l.inclusive {
            return self.bare(&l.hi);
        }
        let text = self.expr(&l.hi, 5);
        // The sum may exceed `int`.
        match &l.hi.kind {
            Kind::Lit(Lit::Int(value)) if *value < i32::MAX as u128 => text,
            _ if is_int(&l.hi) => format!("({})({text})", l.hi.ty.c()),
            _ => text,
        }
    }

    /// The head of a `for`, and the first line of its body, if it needs one.
    pub fn for_head(&mut self, l: &ForLoop) -> (String, Option<String>) {
        let (name, ty) = (self.name(l.var), self.f.vars[l.var].ty);
        let simple = |e: &Expr| match &e.kind {
            Kind::Lit(_) => true,
            Kind::Var(var) => !self.f.vars[*var].mutable,
            _ => false,
        };
        let (plain, lo) = (simple(&l.hi), self.bare(&l.lo));
        let narrow = !matches!(ty, Ty::Usize | Ty::U64 | Ty::I64);
        // The last value of an inclusive range is increased by one.
        let hi = match narrow {
            true if l.inclusive => self.expr(&l.hi, 5),
            true => self.bare(&l.hi),
            false => self.end(l),
        };
        let (hi, plain) = match self.checked_end(l, &hi) {
            Some(hi) => (hi, false),
            None => (hi, plain),
        };
        if narrow {
            // The counter is wider than its type, so that it can pass the end.
            let less = if l.inclusive { "<=" } else { "<" };
            let v = format!("{name}_wide");
            let head = format!("for (ap_i64 {v} = (ap_i64)({lo}), {name}_end = {hi}; {v} {less} {name}_end; {v}++) {{");
            return (head, Some(format!("const {} {name} = ({}){v};", ty.c(), ty.c())));
        }
        if l.inclusive && may_be_most(&l.hi) {
            // Nothing is above the end. Also after `continue`, and without passing the end.
            let (ty, more) = (ty.c(), format!("{name}_turn"));
            let head = format!(
                "for ({ty} {name} = {lo}, {name}_end = {hi}, {more} = {name} <= {name}_end; {more}; {more} = {name} < \
                 {name}_end, {name} += {more}) {{"
            );
            return (head, None);
        }
        let ty = ty.c();
        let one = if l.inclusive { " + 1" } else { "" };
        let head = if plain {
            format!("for ({ty} {name} = {lo}; {name} < {hi}{one}; {name}++) {{")
        } else {
            format!("for ({ty} {name} = {lo}, {name}_end = {hi}{one}; {name} < {name}_end; {name}++) {{")
        };
        (head, None)
    }

    /// The end of a loop that may be a number that has wrapped, where the text reports: below 0 it is noted as an access outside of
    /// the first array that the loop reaches, and the loop has no turns; it would go on for ever.
    pub fn checked_end(&mut self, l: &ForLoop, hi: &str) -> Option<String> {
        let wide = matches!(self.f.vars[l.var].ty, Ty::Usize | Ty::U64);
        if !wide || !self.checked.reports || !self.accesses.may_wrap.contains(&l.var) {
            return None;
        }
        let inside = |access: &&access::Access| access.loops.iter().any(|(v, _)| *v == l.var);
        let Some(access) = self.accesses.list.iter().find(inside) else {
            // A loop that reaches no array is noted by its first local one.
            let (len, writes) = checked::local_within(self.f, &l.body)?;
            self.needs.insert("ap_local_end".to_owned());
            return Some(format!("ap_local_end({hi}, {}, ap_report)", checked::note_of_local(len, writes)));
        };
        let note = checked::note_of(self.f, access.array, access.write);
        self.needs.extend(["ap_amiss".to_owned(), "ap_end".to_owned()]);
        Some(format!("ap_end({hi}, {note}, ap_report)"))
    }

    /// An element of a local array; the first one if the index is outside, which is noted.
    fn local(&mut self, var: VarId, index: &Expr) -> String {
        let (name, at) = (self.f.vars[var].name.clone(), self.bare(index));
        if !self.checked.has_local(index) {
            return format!("{name}[{at}]");
        }
        let len = self.f.vars[var].len.unwrap_or(1);
        let (function, goes) = if self.goes { ("ap_within_or", ", &ap_goes") } else { ("ap_within", "") };
        self.needs.extend(["ap_inside".to_owned(), function.to_owned()]);
        format!("{name}[{function}({at}, {len}, {}, ap_report{goes})]", checked::note_of_local(len, false))
    }

    pub fn element(&mut self, array: usize, index: &Expr) -> String {
        if let Some(text) = self.places.get(&std::ptr::from_ref(index)) {
            return text.clone();
        }
        if let Some(text) = self.on_base(array, index) {
            return text;
        }
        let name = self.f.arrays[array].name.clone();
        format!("{name}[(ap_i64)({}) - {name}_first]", self.bare(index))
    }

    /// The value of an element; 0 for a checked one that is out of bounds.
    pub fn value_at(&mut self, array: usize, index: &Expr) -> String {
        if !self.checked.has(index) {
            return self.element(array, index);
        }
        let (name, note) = (self.f.arrays[array].name.clone(), checked::note_of(self.f, array, false));
        let at = self.bare(index);
        self.needs.insert("ap_amiss".into());
        let list = [name.clone(), format!("{name}_first"), format!("{name}_count"), format!("(ap_i64)({at})"), note];
        self.call("at", self.f.arrays[array].ty, &[list.join(", "), "ap_report".to_owned()])
    }

    fn is_known(&self, e: &Expr, text: &str) -> bool {
        match &e.kind {
            Kind::Binary(Binary::Both, a, b) if text == "true" => self.is_known(a, text) && self.is_known(b, text),
            Kind::Binary(Binary::Either, a, b) if text == "false" => self.is_known(a, text) && self.is_known(b, text),
            _ => self.known.get(&std::ptr::from_ref(e)).is_some_and(|known| known == text),
        }
    }

    /// An expression in a place that needs no parentheses.
    pub fn bare(&mut self, e: &Expr) -> String {
        self.expr(e, 0)
    }

    /// In parentheses if C's binding is weaker than `binding`: 0 none, 1 `?:`, 2 `||`, 3 `&&`, 4 comparisons and bit operations,
    /// 5 `+`, 6 `*`, 7 unary.
    fn expr(&mut self, e: &Expr, binding: u8) -> String {
        let wrap = |text: String, own: u8| if own < binding { format!("({text})") } else { text };
        if let Some(text) = self.known.get(&std::ptr::from_ref(e)) {
            return text.clone();
        }
        match &e.kind {
            // Leave out conditions that are known.
            Kind::Binary(Binary::Both, a, b) if self.is_known(a, "true") => self.expr(b, binding),
            Kind::Binary(Binary::Both, a, b) if self.is_known(b, "true") => self.expr(a, binding),
            Kind::Binary(Binary::Either, a, b) if self.is_known(a, "false") => self.expr(b, binding),
            Kind::Binary(Binary::Either, a, b) if self.is_known(b, "false") => self.expr(a, binding),
            Kind::Lit(lit) => self.literal(lit, e.ty),
            Kind::Var(var) | Kind::Whole(var, _) => self.name(*var),
            Kind::Load(array, index) => self.value_at(*array, index),
            Kind::Local(var, index) => self.local(*var, index),
            Kind::Neg(inner) if e.ty.is_float() => {
                let inner = self.expr(inner, 7);
                wrap(format!("-{inner}"), 6)
            }
            Kind::Neg(inner) => {
                let inner = self.bare(inner);
                self.call("neg", e.ty, &[inner])
            }
            Kind::Not(inner) => {
                let inner = self.expr(inner, 7);
                match e.ty {
                    Ty::Bool => wrap(format!("!{inner}"), 7),
                    ty => wrap(format!("({})~{inner}", ty.c()), 7),
                }
            }
            Kind::Binary(op, a, b) => {
                let known = match &b.kind {
                    Kind::Lit(Lit::Int(value)) => Some(*value),
                    _ => None,
                };
                let wrapped = *op == Binary::Rem && self.accesses.less_than_twice(a, b);
                let (own, (left, right)) = (binding_of(*op), operands(*op));
                // Of two operands that C takes for `int`, one gets its type, as the result may need all of its bits.
                let narrow = matches!(op, Binary::Add | Binary::Sub | Binary::Mul) && is_int(a) && is_int(b);
                let (a, b, ty) = (self.expr(a, if narrow { 7 } else { left }), self.expr(b, right), a.ty);
                let a = if narrow && !ty.is_signed() { format!("({}){a}", ty.c()) } else { a };
                let text = match wrapped {
                    true => self.call("wrap", ty, &[a, b]),
                    false => self.operation(*op, ty, a, b, known),
                };
                if text.starts_with("ap_") && text.ends_with(')') && !text.contains(" = ") && is_call(&text) {
                    return text;
                }
                wrap(text, own)
            }
            Kind::Cast(inner) => self.cast(inner, e.ty, binding),
            Kind::Builtin(builtin, list) => {
                let ty = list[0].ty;
                let list: Vec<_> = list.iter().map(|e| self.bare(e)).collect();
                let text = self.builtin(*builtin, ty, &list);
                if *builtin == Builtin::IsNan { wrap(text, 4) } else { text }
            }
            Kind::Helper(helper, list) => {
                let list: Vec<_> = list.iter().map(|e| self.bare(e)).collect();
                let name = callee_name(self.f, *helper);
                // Stands for a report if the helper has one.
                let report = if list.is_empty() { format!("${name}@only") } else { format!("${name}") };
                format!("{name}({}{report})", list.join(", "))
            }
            Kind::Select(_, a, _) if self.merged.contains(&std::ptr::from_ref(e)) => self.expr(a, binding),
            Kind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c, 2), self.expr(a, 2), self.expr(b, 2));
                wrap(format!("{c} ? {a} : {b}"), 1)
            }
        }
    }

    /// `a op b` of operands of type `ty`; `known` is the right operand if it is a literal.
    fn operation(&mut self, op: Binary, ty: Ty, a: String, b: String, known: Option<u128>) -> String {
        let sign = op.sign();
        let plain = || format!("{a} {sign} {b}");
        let narrow = |text: String| if ty.is_short() { format!("({})({text})", ty.c()) } else { text };
        match op {
            Binary::Add | Binary::Sub | Binary::Mul if ty.is_signed() => {
                let word = ["add", "sub", "mul"][op as usize];
                self.call(word, ty, &[a, b])
            }
            Binary::Mul if ty == Ty::U16 => narrow(format!("({}){a} * {b}", ty.c_wrapping())),
            Binary::Add | Binary::Sub | Binary::Mul => narrow(plain()),
            Binary::Rem if ty == Ty::F32 && self.dialect == Dialect::Cuda => format!("fmodf({a}, {b})"),
            Binary::Rem if ty.is_float() => format!("fmod({a}, {b})"),
            Binary::Div | Binary::Rem if ty.is_float() => plain(),
            // A literal divisor that is neither 0 nor -1.
            Binary::Div | Binary::Rem if known.is_some_and(|value| value > 0) => narrow(plain()),
            Binary::Div => self.call("div", ty, &[a, b]),
            Binary::Rem => self.call("rem", ty, &[a, b]),
            Binary::Shl | Binary::Shr => {
                let n = if known.is_some() { b } else { format!("(ap_u32)({b})") };
                self.call(if op == Binary::Shl { "shl" } else { "shr" }, ty, &[a, n])
            }
            // `bool` and integers: here C's rules for signs are Rust's.
            _ => plain(),
        }
    }

    fn cast(&mut self, inner: &Expr, to: Ty, binding: u8) -> String {
        let from = inner.ty;
        if from.tag() == to.tag() {
            return self.expr(inner, binding);
        }
        if from.is_float() && to.is_integer() {
            let name = format!("ap_{}_of_{}", to.tag(), from.tag());
            let inner = self.bare(inner);
            self.needs.insert(name.clone());
            return format!("{name}({inner})");
        }
        let inner = self.expr(inner, 7);
        let text = format!("({}){inner}", to.c());
        if binding > 6 { format!("({text})") } else { text }
    }

    fn builtin(&mut self, builtin: Builtin, ty: Ty, list: &[String]) -> String {
        let all = list.join(", ");
        // CUDA C has two names per function, OpenCL C one.
        let math = |name: &str| match (self.dialect, ty) {
            (Dialect::Cuda, Ty::F32) => format!("{name}f({all})"),
            _ => format!("{name}({all})"),
        };
        match builtin {
            Builtin::Abs if ty.is_float() => math("fabs"),
            Builtin::Abs => self.call("abs", ty, list),
            Builtin::Min if ty.is_float() => math("fmin"),
            Builtin::Max if ty.is_float() => math("fmax"),
            Builtin::Min => self.call("min", ty, list),
            Builtin::Max => self.call("max", ty, list),
            Builtin::MulAdd => math("fma"),
            Builtin::Powi => self.call("powi", ty, list),
            Builtin::IsNan => format!("({0}) != ({0})", list[0]),
            // Casts, as a literal may have another type in C.
            Builtin::ToBits | Builtin::FromBits => {
                let name = match (self.dialect, ty) {
                    (Dialect::Cuda, Ty::F32) => "__float_as_uint",
                    (Dialect::Cuda, Ty::F64) => "(ap_u64)__double_as_longlong",
                    (Dialect::Cuda, Ty::U32) => "__uint_as_float",
                    (Dialect::Cuda, _) => "__longlong_as_double",
                    (Dialect::OpenCl, Ty::F32) => "as_uint",
                    (Dialect::OpenCl, Ty::F64) => "as_ulong",
                    (Dialect::OpenCl, Ty::U32) => "as_float",
                    (Dialect::OpenCl, _) => "as_double",
                };
                format!("({name}(({})({all})))", ty.c())
            }
            Builtin::SaturatingSub => self.call("satsub", ty, list),
            Builtin::AbsDiff => self.call("absdiff", ty, list),
            Builtin::Math(function) => math(function.c),
            Builtin::Own(function) => self.call(function.c, ty, list),
        }
    }

    fn literal(&mut self, lit: &Lit, ty: Ty) -> String {
        match lit {
            Lit::Bool(value) => value.to_string(),
            Lit::Int(value) => match ty {
                Ty::F32 | Ty::F64 => format!("{value}.0"),
                Ty::I8 | Ty::I16 if *value > ty.most() => format!("({}){value}", ty.c()),
                Ty::I32 if *value > i32::MAX as u128 => format!("(int){value}u"),
                Ty::I64 if *value > i64::MAX as u128 => format!("(ap_i64)0x{value:x}u"),
                Ty::U32 => format!("{value}u"),
                // A large literal has its own type by its size.
                Ty::U64 | Ty::Usize if *value > i64::MAX as u128 => format!("0x{value:x}u"),
                _ if *value > i32::MAX as u128 => format!("({}){value}", ty.c()),
                _ => value.to_string(),
            },
            Lit::Float(digits) => float(digits, ty),
            Lit::Named(name) => self.constant(name, ty),
        }
    }

    fn constant(&mut self, name: &str, ty: Ty) -> String {
        let mut special = |what: &str| {
            let name = format!("ap_{what}_{}", ty.tag());
            self.needs.insert(name.clone());
            name
        };
        match name {
            "INFINITY" => special("inf"),
            "NEG_INFINITY" => format!("(-{})", special("inf")),
            "NAN" => special("nan"),
            _ => {
                let digits = if ty == Ty::F32 { named_f32(name) } else { named_f64(name) };
                if digits.starts_with('-') { format!("({})", float(&digits, ty)) } else { float(&digits, ty) }
            }
        }
    }

    /// The parameters of the function of one iteration, or of a helper.
    pub fn parameters(&self, indices: bool) -> String {
        let f = self.f;
        let mut list: Vec<String> = Vec::new();
        if indices {
            list.extend(f.indices.iter().map(|&v| format!("const ap_u64 {}", f.vars[v].name)));
        }
        for param in &f.params {
            match *param {
                // A pointer: an array that the helper changes is copied inside it.
                Param::Scalar(v) if f.vars[v].len.is_some() => {
                    let copied = if f.vars[v].mutable { "ap_in_" } else { "" };
                    list.push(format!("const {} *{copied}{}", f.vars[v].ty.c(), f.vars[v].name));
                }
                Param::Scalar(v) => {
                    let constant = if f.vars[v].mutable { "" } else { "const " };
                    list.push(format!("{constant}{} {}", f.vars[v].ty.c(), f.vars[v].name));
                }
                Param::Array(array) => {
                    let (info, constant) = (&f.arrays[array], if f.arrays[array].mutable { "" } else { "const " });
                    let name = info.name.clone();
                    let space = if contribute::arrays(f).iter().any(|(other, _)| *other == array) {
                        "AP_OWN"
                    } else {
                        "AP_GLOBAL"
                    };
                    let alone = if alone_in_memory(f, array) { "AP_RESTRICT " } else { "" };
                    list.push(format!("{space} {constant}{} *{alone}{name}, const ap_i64 {name}_first", info.ty.c()));
                    if self.checked.arrays.contains(&array) {
                        list.push(format!("const ap_u64 {name}_count"));
                    }
                }
            }
        }
        self.checked.with_report(list, checked::REPORT, "report_parameter")
    }
}

/// Whether C takes an integer of 64 bits for an `int`: a literal, or a choice between literals. It is at least 0.
fn is_int(e: &Expr) -> bool {
    let wide = matches!(e.ty, Ty::Usize | Ty::U64 | Ty::I64);
    wide && match &e.kind {
        Kind::Lit(Lit::Int(value)) => *value <= i32::MAX as u128,
        Kind::Select(_, a, b) => is_int(a) && is_int(b),
        Kind::Binary(Binary::Div | Binary::Rem | Binary::And | Binary::Or | Binary::Xor, a, b) => {
            is_int(a) && is_int(b)
        }
        Kind::Cast(inner) => inner.ty.tag() == e.ty.tag() && is_int(inner),
        _ => false,
    }
}

/// Whether the end of a range may be the largest number of its type. Of `usize` and `i64` only a number itself counts: ends that
/// are computed are numbers of elements, and a loop up to their sum with one is faster.
pub fn may_be_most(e: &Expr) -> bool {
    let most = if e.ty == Ty::I64 { i64::MAX as u128 } else { u64::MAX.into() };
    match &e.kind {
        Kind::Lit(Lit::Int(value)) => *value == most,
        Kind::Lit(_) => false,
        _ => e.ty == Ty::U64,
    }
}

/// Whether a text is a single call: its last parenthesis closes its first.
fn is_call(text: &str) -> bool {
    let mut open = 0;
    let mut first = true;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => {
                open -= 1;
                if open == 0 && at + 1 != text.len() {
                    return false;
                }
            }
            c if open == 0 && !(c.is_ascii_alphanumeric() || c == '_') => first = false,
            _ => {}
        }
    }
    first
}

/// The name of the helper called by this path, `soft` or `soft::<f32>`: that of its instance for these types.
fn called(path: &syn::Path) -> String {
    let Some(last) = path.segments.last() else { return String::new() };
    let types = match &last.arguments {
        syn::PathArguments::AngleBracketed(list) => {
            list.args.iter().map(|ty| ty.to_token_stream().to_string()).collect()
        }
        _ => Vec::new(),
    };
    last.ident.to_string() + &generic::suffix(types)
}

/// The name by which a text calls a helper. A path does not say which module's helper it is, so the name is that of its last word,
/// with a mark if the text has another of that name: `Sources` puts the C function in its place.
pub fn callee_name(f: &Function, helper: usize) -> String {
    let name = |path: &syn::Path| helper_name(&called(path));
    let own = f.helper.then(|| helper_name(&f.ident.to_string()));
    let this = name(&f.helpers[helper]);
    match own.into_iter().chain(f.helpers[..helper].iter().map(name)).filter(|other| *other == this).count() {
        0 => this,
        before => format!("{this}@{before}"),
    }
}

/// The C function of a helper; another one has a number after it if a helper of this name from another module is there already.
pub fn helper_name(ident: &str) -> String {
    format!("aph_{}", names::plain(ident))
}

/// How tightly an operator binds in C; operators whose binding differs from Rust's all count as 4.
fn binding_of(op: Binary) -> u8 {
    match op {
        Binary::Either => 2,
        Binary::Both => 3,
        Binary::Add | Binary::Sub => 5,
        Binary::Mul | Binary::Div | Binary::Rem => 6,
        _ => 4,
    }
}

/// How tightly its two operands must bind: operators are left-associative, as in Rust.
fn operands(op: Binary) -> (u8, u8) {
    match binding_of(op) {
        4 => (5, 5),
        own => (own, own + 1),
    }
}

/// A float literal; C needs a point or an exponent, and `f` for `float`.
fn float(digits: &str, ty: Ty) -> String {
    let mut text = digits.to_owned();
    if !text.contains(['.', 'e', 'E']) {
        text.push_str(".0");
    }
    if ty == Ty::F32 {
        text.push('f');
    }
    text
}

macro_rules! named {
    ($function:ident, $ty:ident) => {
        fn $function(name: &str) -> String {
            use std::$ty::consts::*;
            let value = match name {
                "MAX" => $ty::MAX,
                "MIN" => $ty::MIN,
                "MIN_POSITIVE" => $ty::MIN_POSITIVE,
                "EPSILON" => $ty::EPSILON,
                "PI" => PI,
                "TAU" => TAU,
                "E" => E,
                "SQRT_2" => SQRT_2,
                "LN_2" => LN_2,
                "LN_10" => LN_10,
                "LOG2_E" => LOG2_E,
                "LOG10_E" => LOG10_E,
                "FRAC_PI_2" => FRAC_PI_2,
                "FRAC_PI_3" => FRAC_PI_3,
                "FRAC_PI_4" => FRAC_PI_4,
                "FRAC_PI_6" => FRAC_PI_6,
                "FRAC_1_PI" => FRAC_1_PI,
                _ => FRAC_1_SQRT_2,
            };
            let mut text = String::new();
            let _ = write!(text, "{value:e}");
            text
        }
    };
}
named!(named_f32, f32);
named!(named_f64, f64);
