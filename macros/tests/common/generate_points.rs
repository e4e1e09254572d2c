//! Random programs over arrays whose elements are arrays: whole elements and their components in every kind of statement. Integers
//! alone, and operations that do not overflow in Rust, so every target gives the same.

use std::fmt::Write;

struct Generator {
    state: u64,
    text: String,
    depth: usize,
    next: usize,
    /// Names of local numbers, and whether they change.
    numbers: Vec<(String, bool)>,
    /// Names of local arrays, their lengths, and whether they change.
    arrays: Vec<(String, usize, bool)>,
    /// Variables of loops around, and how many turns these have.
    turns: Vec<(String, usize)>,
}

/// The number of programs.
pub const ALL: u64 = 24;

/// The file of these programs.
pub fn file() -> String {
    let mut text = String::from(
        "// Made by `generate_points.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test points` writes it again.\n\n\
         programs! {\n",
    );
    (0..ALL).for_each(|number| text.push_str(&program(number)));
    text.push_str("}\n");
    text
}

fn program(number: u64) -> String {
    let mut g = Generator {
        state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d,
        text: String::new(),
        depth: 2,
        next: 0,
        numbers: Vec::new(),
        arrays: Vec::new(),
        turns: Vec::new(),
    };
    for _ in 0..5 + g.below(5) {
        g.statement(3);
    }
    let (a, b, c) = (g.number(3), g.number(2), g.component(3));
    let mut text = format!(
        "    pub fn r{number}(i: usize, n: usize, at: &[u32], p: &[[i32; 3]], q: &[[i32; 2]], y: &mut [[i32; 3]], \
         z: &mut [[i32; 2]]) -> i64 {{\n{}",
        g.text
    );
    let _ = writeln!(text, "        z[i] = [q[at[i] as usize % n][1], {a}];\n        y[i][{c}] ^= {b};");
    let _ = writeln!(text, "        (p[i][0] ^ y[i][1]) as i64\n    }}");
    text
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % n
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    /// An index below `len`: known, of a loop, or from data.
    fn component(&mut self, len: usize) -> String {
        let turns = self.turns.last().cloned();
        match (self.below(6), turns) {
            (0 | 1, Some((var, turns))) if turns <= len => var,
            (0 | 1, Some((var, turns))) if turns <= 2 * len => format!("{var} / 2"),
            (2, _) => format!("at[i] as usize % {len}"),
            (3, _) => format!("(at[i] % {len}) as usize"),
            (4, _) => format!("({} & 1) as usize", self.number(1)),
            _ => self.below(len).to_string(),
        }
    }

    /// A whole array of this length.
    fn whole(&mut self, len: usize) -> String {
        let known: Vec<String> = self.arrays.iter().filter(|of| of.1 == len).map(|of| of.0.clone()).collect();
        if !known.is_empty() && self.below(3) == 0 {
            return known[self.below(known.len())].clone();
        }
        match (len, self.below(6)) {
            (3, 0) => "p[i - 1]".into(),
            (3, 1) => "p[i + 1]".into(),
            (3, 2 | 3) => "p[i]".into(),
            (3, _) => "y[i]".into(),
            (_, 0 | 1) => "q[at[i] as usize % n]".into(),
            (_, 2) => "q[n - 1 - i]".into(),
            (_, 3) => "q[(at[i] as usize + i) % n]".into(),
            _ => "z[i]".into(),
        }
    }

    /// A whole array, or one that is written out.
    fn made(&mut self, len: usize) -> String {
        match self.below(4) {
            0 => {
                let list: Vec<String> = (0..len).map(|_| self.number(1)).collect();
                format!("[{}]", list.join(", "))
            }
            1 => format!("[{}; {len}]", self.number(1)),
            _ => self.whole(len),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            if !self.numbers.is_empty() && self.below(3) == 0 {
                let which = self.below(self.numbers.len());
                return self.numbers[which].0.clone();
            }
            if self.below(4) == 0 {
                return format!("{}i32", self.below(90));
            }
            let len = 2 + self.below(2);
            let whole = self.whole(len);
            let at = self.below(len);
            return format!("{whole}[{at}]");
        }
        let a = self.number(depth - 1);
        match self.below(9) {
            0 => format!("{a}.wrapping_mul({})", self.number(depth - 1)),
            1 => format!("{a}.wrapping_sub({})", self.number(depth - 1)),
            2 => format!("({a} ^ {})", self.number(depth - 1)),
            3 => format!("({a} % 17)"),
            4 => {
                let (condition, b) = (self.condition(), self.number(depth - 1));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            5 | 6 => {
                let len = 2 + self.below(2);
                let (whole, at) = (self.whole(len), self.component(len));
                format!("{a}.wrapping_add({whole}[{at}])")
            }
            _ => format!("{a}.wrapping_add({})", self.number(depth - 1)),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(0), self.number(0));
        format!("{a} {} {b}", ["<", ">=", "!="][self.below(3)])
    }

    /// One number that may be assigned to.
    fn place(&mut self) -> String {
        let numbers: Vec<String> = self.numbers.iter().filter(|of| of.1).map(|of| of.0.clone()).collect();
        let arrays: Vec<_> = self.arrays.iter().filter(|of| of.2).cloned().collect();
        match self.below(4) {
            0 if !numbers.is_empty() => numbers[self.below(numbers.len())].clone(),
            1 if !arrays.is_empty() => {
                let (name, len, _) = arrays[self.below(arrays.len())].clone();
                format!("{name}[{}]", self.component(len))
            }
            2 => format!("z[i][{}]", self.component(2)),
            _ => format!("y[i][{}]", self.component(3)),
        }
    }

    /// A whole array that may be assigned to.
    fn whole_place(&mut self, len: usize) -> String {
        let arrays: Vec<String> = self.arrays.iter().filter(|of| of.1 == len && of.2).map(|of| of.0.clone()).collect();
        if !arrays.is_empty() && self.below(2) == 0 {
            return arrays[self.below(arrays.len())].clone();
        }
        if len == 3 { "y[i]".into() } else { "z[i]".into() }
    }

    fn block(&mut self, depth: usize) {
        let (numbers, arrays) = (self.numbers.len(), self.arrays.len());
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            self.statement(depth - 1);
        }
        self.depth -= 1;
        self.numbers.truncate(numbers);
        self.arrays.truncate(arrays);
    }

    fn statement(&mut self, depth: usize) {
        let len = 2 + self.below(2);
        match self.below(if depth > 1 { 14 } else { 10 }) {
            0 => {
                let (value, name) = (self.number(2), self.name());
                self.line(&format!("let mut {name} = {value};"));
                self.numbers.push((name, true));
            }
            1 => {
                let (value, name, mutable) = (self.made(len), self.name(), self.below(2) == 0);
                self.line(&format!("let {}{name} = {value};", if mutable { "mut " } else { "" }));
                self.arrays.push((name, len, mutable));
            }
            2 => {
                let value = self.made(len);
                let names: Vec<String> = (0..len).map(|_| self.name()).collect();
                let list = match self.below(4) {
                    0 => format!("{}, ..", names[0]),
                    1 => format!(".., mut {}", names[0]),
                    2 => format!("_, {}", names[1..].join(", ")),
                    _ => names.join(", "),
                };
                self.line(&format!("let [{list}] = {value};"));
                let has = |name: &String| list.split([',', ' ']).any(|word| word == name);
                let bound =
                    names.into_iter().filter(has).map(|name| (name.clone(), list.contains(&format!("mut {name}"))));
                self.numbers.extend(bound);
            }
            3 | 4 => {
                let (value, place) = (self.number(2), self.place());
                let op = ["=", "^=", "|=", "&="][self.below(4)];
                self.line(&format!("{place} {op} {value};"));
            }
            5 | 6 => {
                let (value, place) = (self.made(len), self.whole_place(len));
                self.line(&format!("{place} = {value};"));
            }
            7 => {
                let (a, b) = (self.whole_place(3), self.whole_place(2));
                let (c, d, place, value) = (self.made(3), self.made(2), self.place(), self.number(1));
                self.line(&format!("({a}, {place}, {b}) = ({c}, {value}, {d});"));
            }
            8 => {
                let (value, number) = (self.made(len), self.number(1));
                let (a, b) = (self.name(), self.name());
                self.line(&format!("let ({a}, mut {b}): ([i32; {len}], i32) = ({value}, {number});"));
                self.arrays.push((a, len, false));
                self.numbers.push((b, true));
            }
            9 => {
                let (a, b, name) = (self.whole(3), self.whole(3), self.name());
                self.line(&format!("let {name}: i32 = mixed(&{a}, {b});"));
                self.numbers.push((name, false));
            }
            10 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block(depth);
                self.line("} else {");
                self.block(depth);
                self.line("}");
            }
            11 => {
                let (value, name) = (self.made(len), self.name());
                self.line(&format!("for {name} in {value} {{"));
                self.numbers.push((name, false));
                self.block(depth);
                self.numbers.pop();
                self.line("}");
            }
            _ => {
                let (name, turns) = (self.name(), 2 + self.below(4));
                self.line(&format!("for {name} in 0..{turns} {{"));
                self.turns.push((name, turns));
                self.block(depth);
                self.turns.pop();
                self.line("}");
            }
        }
    }
}
