//! Random programs that read and write arrays of every element type, and the functions that they call.

use super::{Generator, Leaves, NUMBERS};
use std::fmt::Write;

/// A function that programs and later functions call.
#[derive(Clone)]
pub struct Helper {
    name: String,
    takes: Vec<Takes>,
    gives: &'static str,
}

#[derive(Clone)]
enum Takes {
    Value(&'static str),
    /// Four values, by reference or by value.
    Array(&'static str, bool),
}

/// What an array gives an iteration: a row, an element, or (read only) one row that all share.
const ROW: usize = 0;
const ELEMENT: usize = 1;
const SHARED: usize = 2;

impl Generator {
    /// Function number `place` of a program, which may call the functions before it.
    fn helper(number: u64, place: u64, helpers: &[Helper]) -> (Helper, String) {
        let mut g = Generator::new(3000 + 7 * number + 1000 * place, Leaves::Helper);
        g.helpers = helpers.to_vec();
        g.locals.clear();
        let (name, gives) = (format!("h{number}_{place}"), if g.below(6) == 0 { "bool" } else { g.ty() });
        let (mut takes, mut parameters) = (Vec::new(), Vec::new());
        for _ in 0..1 + g.below(4) {
            let (parameter, ty, mutable) = (g.name(), g.ty(), g.below(3) == 0);
            let word = if mutable { "mut " } else { "" };
            match g.below(9) {
                0 => {
                    takes.push(Takes::Value("bool"));
                    parameters.push(format!("{parameter}: bool"));
                    g.locals.push((format!("(if {parameter} {{ 1{ty} }} else {{ 6{ty} }})"), ty, false));
                    if ty.starts_with('f') {
                        g.locals.last_mut().unwrap().0 = format!("({parameter} as u8 as {ty})");
                    }
                }
                1 => {
                    takes.push(Takes::Value("usize"));
                    parameters.push(format!("{parameter}: usize"));
                    g.locals.push((format!("({parameter} as {ty})"), ty, false));
                }
                2 => {
                    let reference = g.below(2) == 0;
                    takes.push(Takes::Array(ty, reference));
                    let (word, sign) = if reference { ("", "&") } else { (word, "") };
                    parameters.push(format!("{word}{parameter}: {sign}[{ty}; 4]"));
                    for at in [0, 3] {
                        g.locals.push((format!("{parameter}[{at}]"), ty, mutable && !reference));
                    }
                }
                _ => {
                    takes.push(Takes::Value(ty));
                    parameters.push(format!("{word}{parameter}: {ty}"));
                    g.locals.push((parameter, ty, mutable));
                }
            }
        }
        for _ in 0..1 + g.below(3) {
            g.statement(2);
        }
        if g.below(2) == 0 {
            let (condition, value) = (g.condition(2), g.result(gives));
            g.line(&format!("if {condition} {{ return {value}; }}"));
        }
        let value = g.result(gives);
        g.line(&value);
        let text = format!("    pub fn {name}({}) -> {gives} {{\n{}    }}\n", parameters.join(", "), g.text);
        (Helper { name, takes, gives }, text)
    }

    fn result(&mut self, ty: &'static str) -> String {
        if ty == "bool" { self.condition(2) } else { self.expr(ty, 3) }
    }

    fn value(&mut self, ty: &'static str, depth: usize) -> String {
        match ty {
            // A call alone does not fix its type.
            "bool" => format!("(true == ({}))", self.condition(1)),
            "usize" => format!("({} as usize)", self.expr("u32", depth)),
            _ => self.expr(ty, depth),
        }
    }

    /// A call in an expression, of a function without array parameters, beside a number that fixes the type.
    pub(super) fn call(&mut self, ty: &str, depth: usize) -> Option<String> {
        let fits = |helper: &&Helper| {
            helper.gives == ty && depth > 0 && helper.takes.iter().all(|takes| matches!(takes, Takes::Value(_)))
        };
        let known: Vec<Helper> = self.helpers.iter().filter(fits).cloned().collect();
        if known.is_empty() || self.below(3) != 0 {
            return None;
        }
        let helper = known[self.below(known.len())].clone();
        let mut list = Vec::new();
        for takes in &helper.takes {
            if let Takes::Value(ty) = takes {
                list.push(self.value(ty, depth - 1));
            }
        }
        let call = format!("{}({})", helper.name, list.join(", "));
        Some(match ty {
            "bool" => call,
            _ if ty.starts_with('f') => format!("(0.5{ty} + {call})"),
            _ => format!("(3{ty} ^ {call})"),
        })
    }

    /// A local with a function's result.
    pub(super) fn call_with_arrays(&mut self) {
        let which = self.below(self.helpers.len());
        let helper = self.helpers[which].clone();
        let mut list = Vec::new();
        for takes in &helper.takes {
            list.push(match takes {
                Takes::Value(ty) => self.value(ty, 2),
                Takes::Array(ty, reference) => {
                    let values: Vec<String> = (0..4).map(|_| self.expr(ty, 1)).collect();
                    let name = self.name();
                    self.line(&format!("let {name}: [{ty}; 4] = [{}];", values.join(", ")));
                    format!("{}{name}", if *reference { "&" } else { "" })
                }
            });
        }
        let (name, gives) = (self.name(), helper.gives);
        self.line(&format!("let {name}: {gives} = {}({});", helper.name, list.join(", ")));
        match gives {
            "bool" => self.locals.push((format!("({name} as i32)"), "i32", false)),
            _ => self.locals.push((name, gives, false)),
        }
    }

    fn element(&mut self, ty: &str, shapes: [usize; NUMBERS.len()]) -> String {
        let at = if self.in_loop { "j" } else { "n / 2" };
        let index = match shapes[NUMBERS.iter().position(|of| *of == ty).unwrap()] {
            ROW => format!("{} * n + {at}", ["i", "i", "(i - 1)", "(i + 1)"][self.below(4)]),
            ELEMENT => ["i", "i + 1"][self.below(2)].to_owned(),
            _ => at.to_owned(),
        };
        format!("x_{ty}[{index}]")
    }

    /// An element, a local of another type, or a number of any size.
    pub(super) fn typed_leaf(&mut self, ty: &'static str) -> String {
        if let Leaves::Typed(shapes) = self.leaves
            && self.below(4) != 0
        {
            return self.element(ty, shapes);
        }
        if self.leaves == Leaves::Helper && !self.locals.is_empty() && self.below(4) != 0 {
            let which = self.below(self.locals.len());
            return format!("({} as {ty})", self.locals[which].0);
        }
        if ty.starts_with('f') {
            return format!("{}.{}{ty}", self.below(4), ["0", "5", "125", "75e9", "25e-3"][self.below(5)]);
        }
        match self.below(4) {
            0 => format!("{ty}::{}", ["MIN", "MAX"][self.below(2)]),
            1 if ty.starts_with('i') => format!("(-{}{ty})", 1 + self.below(100)),
            1 => format!("({ty}::MAX - {})", self.below(100)),
            _ => format!("{}{ty}", self.below(100)),
        }
    }

    /// The value for an element; half of the time converted from another type.
    fn stored(&mut self, ty: &'static str) -> String {
        let from = self.ty();
        if self.below(2) == 0 { format!("({} as {ty})", self.expr(from, 2)) } else { self.expr(ty, 3) }
    }

    fn store(&mut self, ty: &'static str, index: &str) {
        let value = self.stored(ty);
        let element = format!("y_{ty}[{index}]");
        let float = ty.starts_with('f');
        let text = match self.below(6) {
            0 if float => format!("{element} = {element} * 0.5 - {value};"),
            0 => format!("{element} {}= {value};", ["^", "|", "&"][self.below(3)]),
            1 if float => format!("{element} = {element}.max({value});"),
            1 => format!("{element} = {element}.wrapping_mul(3).wrapping_add({value});"),
            2 => format!("if {} {{ {element} = {value}; }}", self.condition(1)),
            _ => format!("{element} = {value};"),
        };
        self.line(&text);
    }

    /// A loop over the row that writes to the arrays with rows. What it gathers, if anything, is a local afterwards.
    fn typed_loop(&mut self, head: &str, types: &[&'static str], gathers: bool) {
        let (gathered, ty) = (self.name(), self.ty());
        let how = if gathers { self.below(4) } else { 3 };
        match how {
            0 => self.line(&format!("let mut {gathered}: {ty} = {ty}::MAX;")),
            1 => self.line(&format!("let mut {gathered}: {ty} = {ty}::MIN;")),
            2 if !ty.starts_with('f') => self.line(&format!("let mut {gathered}: {ty} = 0;")),
            _ => {}
        }
        self.line(head);
        self.depth += 1;
        let (known, before) = (self.locals.clone(), self.in_loop);
        self.in_loop = true;
        self.locals.iter_mut().for_each(|local| local.2 = false);
        for _ in 0..self.below(3) {
            self.statement(1);
        }
        for ty in types {
            self.store(ty, "i * n + j");
        }
        let value = self.expr(ty, 2);
        match how {
            0 => self.line(&format!("{gathered} = {gathered}.min({value});")),
            1 => self.line(&format!("{gathered} = {gathered}.max({value});")),
            2 if !ty.starts_with('f') => self.line(&format!("{gathered} += {value} & 1;")),
            _ => {}
        }
        (self.locals, self.in_loop) = (known, before);
        self.depth -= 1;
        self.line("}");
        if how < 2 || how == 2 && !ty.starts_with('f') {
            self.locals.push((gathered, ty, false));
        }
    }

    fn typed_body(&mut self, read: [usize; NUMBERS.len()], written: [usize; NUMBERS.len()]) {
        // A single loop with little beside it runs in strips if nothing waits for what it gathers.
        let strips = self.below(2) == 0;
        for _ in 0..1 + self.below(3) {
            self.statement(if strips { 0 } else { 2 });
        }
        let of = |shape: usize| -> Vec<&'static str> {
            NUMBERS.into_iter().zip(written).filter(|(_, of)| *of == shape).map(|(ty, _)| ty).collect()
        };
        let (rows, elements) = (of(ROW), of(ELEMENT));
        if strips {
            let head = ["for j in 0..n {", "for j in 1..n - 1 {"][self.below(2)];
            self.typed_loop(head, &rows, false);
        } else {
            let middle = self.below(rows.len() + 1);
            let head = ["for j in 0..n {", "for j in 1..n - 1 {", "for j in (0..n).rev() {"][self.below(3)];
            self.typed_loop(head, &rows[..middle], true);
            let head = ["for j in 0..n {", "for j in 2..n {", "for j in (0..n).step_by(2) {"][self.below(3)];
            self.typed_loop(head, &rows[middle..], true);
        }
        if !self.helpers.is_empty() {
            self.call_with_arrays();
        }
        for ty in elements {
            self.store(ty, "i");
        }
        let mut value = self.expr("u64", 2);
        // Makes sure that every array is used.
        for ty in NUMBERS {
            if !self.text.contains(&format!("x_{ty}[")) {
                let _ = write!(value, " ^ {} as u64", self.element(ty, read));
            }
        }
        self.line(&format!("({value}) & 0xffff"));
    }
}

/// The functions that program `number` calls, and its own text. All programs have the same parameters.
fn program(number: u64) -> (String, String) {
    let mut g = Generator::new(number + 3000, Leaves::Row);
    let (mut helpers, mut texts) = (Vec::new(), String::new());
    for place in 0..g.below(4) as u64 {
        let (helper, text) = Generator::helper(number, place, &helpers);
        helpers.push(helper);
        texts.push_str(&text);
    }
    g.helpers = helpers;
    let read = std::array::from_fn(|_| [ROW, ROW, ELEMENT, SHARED][g.below(4)]);
    g.leaves = Leaves::Typed(read);
    let scalars = [("c", "u32"), ("l", "i64"), ("m", "u64"), ("o", "u8"), ("p", "i8"), ("q", "i16"), ("r", "u16")];
    g.locals.extend(scalars.map(|(name, ty)| (name.into(), ty, false)));
    let written = std::array::from_fn(|_| [ROW, ROW, ELEMENT][g.below(3)]);
    g.typed_body(read, written);
    let list = |sign: &str, of: char| NUMBERS.map(|ty| format!("{of}_{ty}: &{sign}[{ty}]")).join(", ");
    let parameters = format!("{}, {}", list("", 'x'), list("mut ", 'y'));
    let scalars = "i: usize, n: usize, a: f32, b: f64, k: i32, c: u32, l: i64, m: u64, o: u8, p: i8, q: i16, r: u16";
    (texts, format!("    pub fn t{number}({scalars}, {parameters}) -> u64 {{\n{}    }}\n", g.text))
}

/// The number of programs, and of those in one file.
pub const ALL: u64 = 20;
pub const EACH: u64 = 10;

/// The file of programs from `first` on.
pub fn file(first: u64) -> String {
    let (helpers, programs): (Vec<_>, Vec<_>) = (first..first + EACH).map(program).unzip();
    let mut text = format!(
        "// Made by `generate_typed.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.\n\n\
         crate::both_with_helpers! {{\nhelpers {{\n{}}}\nprograms {{\n{}}}\n}}\n\n/// All of them.\n",
        helpers.concat(),
        programs.concat(),
    );
    let _ = writeln!(text, "pub const ALL: [crate::typed::Program; {EACH}] = [");
    for number in first..first + EACH {
        let _ = writeln!(text, "    crate::of_typed!(t{number}),");
    }
    text.push_str("];\n");
    text
}
