//! Random programs in the kernel language: all types, operators and statements, in any combination. Each is correct Rust by
//! construction and gives the same results on every target.

#[path = "generate_typed.rs"]
pub mod typed;

use std::fmt::Write;
use typed::Helper;

/// Makes a program. Integers use wrapping operations, so that Rust does not panic; float sums go to results only, as their
/// order is free.
struct Generator {
    state: u64,
    text: String,
    depth: usize,
    /// Locals, their types, and whether they can be assigned to.
    locals: Vec<(String, &'static str, bool)>,
    next: usize,
    in_loop: bool,
    leaves: Leaves,
    /// Functions that may be called.
    helpers: Vec<Helper>,
    /// Whether iterations contribute to `z` and `q` as whole arrays.
    whole: bool,
}

/// What expressions refer to besides locals and numbers.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    /// Elements of the iteration's row and its neighbours.
    Row,
    /// Elements of the iteration's cell `(i, j)` and its neighbours.
    Cell,
    /// Elements of every type, from arrays of these shapes.
    Typed([usize; NUMBERS.len()]),
    /// Nothing: this is a helper.
    Helper,
}

const NUMBERS: [&str; 10] = ["f32", "f64", "i32", "u32", "i64", "u64", "u8", "i8", "i16", "u16"];

/// The first of them are those of programs with arrays of a few types.
const FEW_NUMBERS: usize = 7;

/// The text of program `number`. All programs have the same parameters.
pub fn program(number: u64) -> String {
    row_program(number, Generator::new(number, Leaves::Row))
}

/// The text of program `number`, whose iterations contribute to whole arrays.
pub fn whole_program(number: u64) -> String {
    row_program(number, Generator { whole: true, ..Generator::new(number + 2000, Leaves::Row) })
}

fn row_program(number: u64, mut g: Generator) -> String {
    g.body();
    format!(
        "    pub fn p{number}(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], \
         y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {{\n{}    }}\n",
        g.text
    )
}

/// The text of program `number`, a kernel of cells.
pub fn cell_program(number: u64) -> String {
    let mut g = Generator::new(number + 1000, Leaves::Cell);
    g.cell_body();
    format!(
        "    pub fn c{number}(i: usize, j: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], \
         y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {{\n{}    }}\n",
        g.text
    )
}

impl Generator {
    fn new(number: u64, leaves: Leaves) -> Self {
        Self {
            state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
            text: String::new(),
            depth: 2,
            locals: vec![("a".into(), "f32", false), ("b".into(), "f64", false), ("k".into(), "i32", false)],
            next: 0,
            in_loop: false,
            leaves,
            helpers: Vec::new(),
            whole: false,
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % n
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn ty(&mut self) -> &'static str {
        let all = matches!(self.leaves, Leaves::Typed(_) | Leaves::Helper);
        NUMBERS[self.below(if all { NUMBERS.len() } else { FEW_NUMBERS })]
    }

    fn body(&mut self) {
        for _ in 0..2 + self.below(4) {
            self.statement(2);
        }
        // A loop over the row; half of the time it has a sum.
        let sum = self.below(2) == 0;
        if sum {
            self.line("let mut s = 0.0f64;");
        }
        let (lo, hi) = [("0", "n"), ("1", "n - 1"), ("2", "n")][self.below(3)];
        self.line(&format!("for j in {lo}..{hi} {{"));
        self.depth += 1;
        let (known, before) = (self.locals.len(), self.in_loop);
        self.in_loop = true;
        // The loop reads the locals outside and assigns only to its own.
        self.locals.iter_mut().for_each(|local| local.2 = false);
        for _ in 0..self.below(4) {
            self.statement(1);
        }
        let value = self.expr("f32", 3);
        self.line(&format!("y[i * n + j] = {value};"));
        if sum {
            let value = self.expr("f64", 2);
            self.line(&format!("s += {value} * 0.001;"));
        }
        self.locals.truncate(known);
        self.depth -= 1;
        self.line("}");
        self.second_loop(known);
        self.in_loop = before;
        let value = self.expr("f64", 2);
        let value = if sum { format!("s + d[i] * 0.5 + {value}") } else { format!("d[i] * 0.5 + {value}") };
        self.line(&format!("e[i] = {value};"));
        if self.below(3) == 0 {
            let condition = self.condition(2);
            self.line(&format!("if {condition} {{ return v[i * n] as u64 & 255; }}"));
        }
        if self.whole {
            self.contribute();
            self.line("q[(w[1] & 15) as usize] -= x[i * n] as u64 + (v[i * n + 1] & 7) as u64;");
            self.line("z[0] = z[0].max(i as i32);");
        } else {
            let value = self.expr("i32", 3);
            self.line(&format!("z[i] = {value} ^ v[i * n + 1];"));
            let (first, second) = (self.expr("u64", 3), self.expr("u64", 2));
            self.line(&format!("q[2 * i] = {first};"));
            self.line(&format!("q[2 * i + 1] ^= {second} ^ x[i * n] as u64 ^ w[1] as u64;"));
        }
        let value = self.expr("u64", 2);
        self.line(&format!("{value} & 0xffff"));
    }

    /// Statements, a loop over the cells around, and writes to the iteration's own cells.
    fn cell_body(&mut self) {
        for _ in 0..2 + self.below(4) {
            self.statement(2);
        }
        self.line("let mut s = 0.0f32;");
        let (up, left, rows) = (self.below(2), self.below(2), 2 + self.below(2));
        self.line(&format!("for p in 0..{rows} {{"));
        self.line(&format!("    for r in j - {left}..j + 2 {{"));
        self.line(&format!("        s = s * 0.5 + x[(i + p - {up}) * n + r];"));
        self.line("    }");
        self.line("}");
        let value = self.expr("f32", 3);
        self.line("let at = i * n + j;");
        let (condition, one, other) = (self.condition(1), self.near(), self.near());
        self.line(&format!("let either = if {condition} {{ {one} }} else {{ {other} }};"));
        self.line(&format!("y[at] = s + {value} + x[either];"));
        if self.below(2) == 0 {
            let condition = self.condition(1);
            self.line(&format!("if {condition} && i > 1 && j + 2 < n {{"));
            let value = self.expr("i32", 2);
            self.line(&format!("    z[i * n + j] ^= {value} ^ v[(i - 2) * n + j + 2];"));
            self.line("}");
        } else {
            let value = self.expr("i32", 2);
            self.line(&format!("z[at] = {value} | 1;"));
        }
        let value = self.expr("f64", 2);
        self.line(&format!("e[j + n * i] = e[at] * 0.5 + d[i] + {value};"));
        if self.below(3) == 0 {
            let condition = self.condition(2);
            self.line(&format!("if {condition} {{ return v[at - n] as u64 & 255; }}"));
        }
        let (first, second) = (self.expr("u64", 3), self.expr("u64", 2));
        self.line(&format!("q[at] ^= {first} ^ w[j] as u64 ^ v[at + n - 1] as u64 ^ v[either] as u64;"));
        self.line(&format!("{second} & 0xffff"));
    }

    /// A cell near the iteration's, written in one of several ways.
    fn near(&mut self) -> String {
        let (row, column) =
            (["(i - 1) * n", "i * n", "n * (i + 1)"][self.below(3)], ["j - 1", "j", "j + 1"][self.below(3)]);
        match self.below(3) {
            0 => format!("{column} + {row}"),
            1 => format!("i * n + j + n * {} - n", self.below(3)),
            _ => format!("{row} + {column}"),
        }
    }

    /// Sometimes a second loop over the row: with another range, backwards, in steps, or inside another loop.
    fn second_loop(&mut self, known: usize) {
        let around = self.below(4) == 0;
        let range = match self.below(6) {
            0 => "for j in 0..n {",
            1 => "for j in (1..n).rev() {",
            2 => "for j in (0..n).step_by(2) {",
            3 => "for j in (1..n).rev().step_by(3) {",
            4 => "for j in 2..=n - 1 {",
            _ => return,
        };
        if around {
            self.line("for _ in 0..k as usize {");
            self.depth += 1;
        }
        self.line(range);
        self.depth += 1;
        for _ in 0..self.below(3) {
            self.statement(1);
        }
        let value = self.expr("f32", 2);
        let text = match self.below(3) {
            0 => format!("y[i * n + j] = {value};"),
            1 => format!("y[i * n + j] = (y[i * n + j] * 0.5).max({value});"),
            _ => format!("if {} {{ y[i * n + j] = {value} - y[i * n + j]; }}", self.condition(1)),
        };
        self.line(&text);
        self.locals.truncate(known);
        self.depth -= 1;
        self.line("}");
        if around {
            self.depth -= 1;
            self.line("}");
        }
    }

    fn block(&mut self, level: usize) {
        self.depth += 1;
        let known = self.locals.len();
        for _ in 0..1 + self.below(2) {
            self.statement(level);
        }
        self.locals.truncate(known);
        self.depth -= 1;
    }

    /// Adds to an element, or takes the larger of it and a value.
    fn contribute(&mut self) {
        if self.below(2) == 0 {
            let (at, value) = (self.expr("u32", 2), self.expr("u64", 2));
            self.line(&format!("q[({at} % 32) as usize] += {value} & 255;"));
        } else {
            let (at, value) = (self.expr("u8", 2), self.expr("i32", 2));
            self.line(&format!("z[({at} & 15) as usize] = z[({at} & 15) as usize].max({value});"));
        }
    }

    fn statement(&mut self, level: usize) {
        if self.whole && self.below(4) == 0 {
            return self.contribute();
        }
        if !self.helpers.is_empty() && self.below(4) == 0 {
            return self.call_with_arrays();
        }
        let ty = self.ty();
        match self.below(if level == 0 { 4 } else { 9 }) {
            0 | 1 => {
                let (name, value) = (self.name(), self.expr(ty, 3));
                let mutable = self.below(2) == 0;
                let word = if mutable { "mut " } else { "" };
                self.line(&format!("let {word}{name}: {ty} = {value};"));
                self.locals.push((name, ty, mutable));
            }
            2 | 3 => {
                let Some((name, ty)) = self.target() else { return };
                let value = self.expr(ty, 2);
                let float = ty.starts_with('f');
                let text = match self.below(3) {
                    0 if float => format!("{name} += {value};"),
                    1 if float => format!("{name} *= {value};"),
                    0 => format!("{name} ^= {value};"),
                    1 => format!("{name} |= {value};"),
                    _ => format!("{name} = {value};"),
                };
                self.line(&text);
            }
            4 => {
                let condition = self.condition(2);
                self.line(&format!("if {condition} {{"));
                self.block(level - 1);
                self.line("} else {");
                self.block(level - 1);
                self.line("}");
            }
            5 => {
                // A value by `match`, with statements in an arm.
                let (name, of) = (self.name(), self.expr("u32", 2));
                self.line(&format!("let {name}: {ty} = match {of} % 6 {{"));
                self.depth += 1;
                for pattern in ["0", "1 | 4", "2..=3"] {
                    let value = self.expr(ty, 2);
                    self.line(&format!("{pattern} => {value},"));
                }
                self.line("_ => {");
                let known = self.locals.len();
                self.depth += 1;
                self.statement(0);
                let value = self.expr(ty, 2);
                self.line(&value);
                self.depth -= 1;
                self.locals.truncate(known);
                self.line("}");
                self.depth -= 1;
                self.line("};");
                self.locals.push((name, ty, false));
            }
            6 => {
                let (count, top) = (self.name(), 1 + self.below(5));
                self.line(&format!("let mut {count} = 0u32;"));
                self.line(&format!("while {count} < {top} {{"));
                self.depth += 1;
                self.line(&format!("{count} += 1;"));
                let condition = self.condition(1);
                let word = ["continue", "break"][self.below(2)];
                self.line(&format!("if {condition} {{ {word}; }}"));
                self.depth -= 1;
                self.block(level - 1);
                self.line("}");
                self.locals.push((count, "u32", false));
            }
            7 => {
                let (name, var) = (self.name(), self.name());
                let value = self.expr(ty, 2);
                self.line(&format!("let mut {name} = [{value}; 4];"));
                self.line(&format!("for {var} in 0..4usize {{"));
                self.depth += 1;
                let value = self.expr(ty, 2);
                self.line(&format!("{name}[{var}] = {value};"));
                self.depth -= 1;
                self.line("}");
                let copy = self.name();
                self.line(&format!("let {copy} = {name}[{}];", self.state as usize % 4));
                self.locals.push((copy, ty, false));
            }
            _ => {
                let (var, of) = (self.name(), ["i32", "usize", "u8"][self.below(3)]);
                let (lo, hi) = (self.below(3), 2 + self.below(4));
                let dots = ["..", "..="][self.below(2)];
                self.line(&format!("for {var} in {lo}{of}{dots}{hi}{of} {{"));
                if of != "usize" {
                    self.locals.push((var, of, false));
                    self.block(level - 1);
                    self.locals.pop();
                } else {
                    self.block(level - 1);
                }
                self.line("}");
            }
        }
    }

    fn target(&mut self) -> Option<(String, &'static str)> {
        let list: Vec<_> =
            self.locals.iter().filter(|local| local.2).map(|(name, ty, _)| (name.clone(), *ty)).collect();
        if list.is_empty() { None } else { Some(list[self.below(list.len())].clone()) }
    }

    fn condition(&mut self, depth: usize) -> String {
        if let Some(call) = self.call("bool", depth) {
            return call;
        }
        let ty = self.ty();
        let sign = ["<", "<=", ">", ">=", "==", "!="][self.below(6)];
        let text = format!("({}) {sign} ({})", self.expr(ty, depth), self.expr(ty, 1));
        match self.below(4) {
            0 if depth > 1 => format!("{text} && {}", self.condition(1)),
            1 if depth > 1 => format!("({text} || {})", self.condition(1)),
            _ => text,
        }
    }

    fn expr(&mut self, ty: &'static str, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.leaf(ty);
        }
        if let Some(call) = self.call(ty, depth) {
            return call;
        }
        let float = ty.starts_with('f');
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        match self.below(10) {
            0 => {
                let from = self.ty();
                format!("({} as {ty})", self.expr(from, depth - 1))
            }
            8 if !float => {
                // Sometimes exceeds the largest or the least value.
                let from = ["f32", "f64"][self.below(2)];
                format!("(({} * 1e9) as {ty})", self.expr(from, depth - 1))
            }
            1 => format!("(if {} {{ {a} }} else {{ {b} }})", self.condition(1)),
            2 => format!("({a}).{}({b})", ["min", "max"][self.below(2)]),
            3 if float => format!("({a}).{}()", ["abs", "floor", "ceil", "trunc"][self.below(4)]),
            4 if float => format!("({a}).abs().sqrt()"),
            5 if float => format!("({a}).mul_add({b}, 0.25)"),
            6 if float => format!("({a} / ({b} + 3.5))"),
            7 if float => format!("(-({a}))"),
            _ if float => format!("({a} {} {b})", ["+", "-", "*"][self.below(3)]),
            3 => format!("({a}).{}({b})", ["wrapping_add", "wrapping_sub", "wrapping_mul"][self.below(3)]),
            4 => format!("({a} {} {})", ["/", "%"][self.below(2)], 1 + self.below(9)),
            5 if ty.starts_with('u') => format!("({a} / (({b} & 7) + 1))"),
            5 => format!("({a} % (({b} & 7) + 9))"),
            6 => format!("(({a}) {} ({b} & 7))", ["<<", ">>"][self.below(2)]),
            7 => format!("(!({a}))"),
            _ => format!("({a} {} {b})", ["&", "|", "^"][self.below(3)]),
        }
    }

    fn leaf(&mut self, ty: &'static str) -> String {
        let known: Vec<String> =
            self.locals.iter().filter(|(_, of, _)| *of == ty).map(|(name, ..)| name.clone()).collect();
        if !known.is_empty() && self.below(3) != 0 {
            return known[self.below(known.len())].clone();
        }
        if matches!(self.leaves, Leaves::Typed(_) | Leaves::Helper) {
            return self.typed_leaf(ty);
        }
        let cells = self.leaves == Leaves::Cell;
        if cells && self.below(2) == 0 {
            match ty {
                "f32" => return format!("x[{}]", self.near()),
                "i32" => return format!("v[{}]", self.near()),
                "f64" => return "d[i]".into(),
                "u8" => return "w[j]".into(),
                "u64" => return "((i * 1000 + j) as u64)".into(),
                _ => {}
            }
        }
        if cells && matches!(ty, "f32" | "i32" | "u8") {
            return if ty == "f32" { "0.75f32".into() } else { format!("{}{ty}", self.below(100)) };
        }
        let at = if self.in_loop { "j" } else { "n / 2" };
        let column = |g: &mut Self| match g.below(4) {
            0 if g.in_loop => "i * n + n - 1 - j".to_owned(),
            _ => format!("i * n + {at}"),
        };
        match (ty, self.below(3)) {
            ("f32", 0) => format!("x[{}]", column(self)),
            ("f32", 1) => format!("x[(i + 1) * n + {at}]"),
            ("f64", 0) => "d[i]".into(),
            ("i32", 0) => format!("v[{}]", column(self)),
            ("i32", 1) => format!("v[(i - 1) * n + {at}]"),
            ("u8", 0) => {
                if self.in_loop {
                    "w[j]".into()
                } else {
                    "w[3]".into()
                }
            }
            ("u64", 0) => "(i as u64)".into(),
            ("f32" | "f64", _) => {
                format!("{}.{}{ty}", self.below(4), ["0", "5", "25", "125", "75e9", "5e19", "25e-3"][self.below(7)])
            }
            _ => format!("{}{ty}", self.below(100)),
        }
    }
}

/// Programs in one file.
pub const EACH: u64 = 10;

/// The file of programs from `first` on, for `both!`.
pub fn file(first: u64) -> String {
    file_of("both", first..first + EACH, program)
}

fn file_of(both: &str, numbers: std::ops::Range<u64>, program: fn(u64) -> String) -> String {
    let mut text = format!(
        "// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.\n\n\
         crate::{both}! {{\n"
    );
    for number in numbers.clone() {
        text.push_str(&program(number));
    }
    text.push_str("}\n\n/// All of them.\n");
    let _ = writeln!(text, "pub const ALL: [crate::random::Program; {}] = [", numbers.end - numbers.start);
    for number in numbers {
        let _ = writeln!(text, "    (plain::p{number}, crate::of_slices!(p{number}), p{number}::kernel),");
    }
    text.push_str("];\n");
    text
}

/// Programs in one file whose iterations contribute to whole arrays.
pub const WHOLE: u64 = 12;

/// The file of such programs from `first` on.
pub fn whole_file(first: u64) -> String {
    file_of("both_with_whole", first..first + WHOLE, whole_program)
}

/// The number of programs of cells.
pub const CELLS: u64 = 12;

/// The file of the programs of cells.
pub fn cell_file() -> String {
    let mut text = String::from(
        "// Made by `generate.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.\n\n\
         crate::both_of_cells! {\n",
    );
    for number in 0..CELLS {
        text.push_str(&cell_program(number));
    }
    text.push_str("}\n\n/// All of them.\n");
    let _ = writeln!(text, "pub const ALL: [crate::Program; {CELLS}] = [");
    for number in 0..CELLS {
        let _ = writeln!(text, "    (plain::c{number}, crate::of_mapped!(c{number})),");
    }
    text.push_str("];\n");
    text
}
