//! Random programs whose loops end where the data or several arguments say, and end early: what they write is as much as they have
//! turns for, and what they may leave unwritten keeps its contents.

use std::fmt::Write;

struct Generator {
    state: u64,
    text: String,
    depth: usize,
}

/// Ranges that may be empty. `c` is data, `m` is 5, and `none` is 0, though that follows from the arguments alone.
const TURNS: [(&str, &str); 10] = [
    ("0", "3"),
    ("0", "c.min(3)"),
    ("c", "2"),
    ("0", "3usize.min(none)"),
    ("0", "none.min(3)"),
    ("0usize.max(m)", "3"),
    ("m.max(0)", "3"),
    ("c.saturating_sub(9)", "2"),
    ("0", "2usize.min(c).min(4)"),
    ("1", "4usize.min(m)"),
];
const LOWS: [&str; 7] = ["0", "0", "c", "m", "0usize.max(c)", "c.saturating_sub(3)", "m.saturating_sub(c)"];
const HIGHS: [&str; 6] = ["n", "n", "c.min(n)", "n.min(c)", "m.min(n)", "n.min(none)"];
const OF_TWO: [(&str, &str); 5] =
    [("0", "2"), ("0", "c.min(2)"), ("c", "2"), ("0", "2usize.min(none)"), ("0", "2usize.min(c)")];
/// Reads that only the data keep inside.
const INSIDE: [&str; 4] = [
    "for t in 0..(c & 7).min(n + 3) { s += w[t] as u64; }",
    "for t in (c | 4)..(c + 5).min(7) { s += w[t - 4] as u64; }",
    "for _ in 0..c.min(none) { s += w[n + 1] as u64; }",
    "for t in m.max(c)..9 { s += w[t - 5] as u64; }",
];

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % n
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn condition(&mut self) -> &'static str {
        self.one(&["c > 6", "v[i * n] > 0", "x[i * n] < 0.25", "d[i] > 0.5", "w[2] > 100"])
    }

    /// Sometimes an end before the last turn, or of one turn.
    fn jump(&mut self, words: &[&str]) {
        if self.below(4) == 0 {
            let (condition, word) = (self.condition(), self.one(words));
            self.line(&format!("if {condition} {{ {word}; }}"));
        }
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
    }

    fn close(&mut self, loops: usize) {
        for _ in 0..loops {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// Loops around a write, which need not use their variables.
    fn around(&mut self) -> usize {
        let loops = self.below(3);
        for _ in 0..loops {
            let (low, high) = self.one(&TURNS);
            let head = match self.below(6) {
                0 => format!("for _ in ({low}..{high}).rev()"),
                1 => format!("for _ in ({low}..{high}).step_by(2)"),
                _ => format!("for _ in {low}..{high}"),
            };
            self.open(&head);
        }
        loops
    }

    /// A loop around nothing but jumps, out of itself or of the labelled one around it.
    fn inner(&mut self) {
        if self.below(3) == 0 {
            let word = self.one(&["break", "continue", "break 'a", "continue 'a"]);
            self.line(&format!("for t in 0..3 {{ if t + 4 > c {{ {word}; }} s += 1; }}"));
        }
    }

    fn row(&mut self) {
        let loops = self.around();
        let (low, high) = (self.one(&LOWS), self.one(&HIGHS));
        let whole = low == "0" && high == "n" && self.below(3) == 0;
        self.open(&if whole { "'a: for j in (0..n).rev()".to_owned() } else { format!("'a: for j in {low}..{high}") });
        self.jump(&["break", "continue"]);
        self.inner();
        let more = self.around();
        let condition = if self.below(5) == 0 { "if (j & 7) < c " } else { "" };
        let write = "y[i * n + j] = x[i * n + j] * 0.5 + j as f32;";
        self.line(&if condition.is_empty() { write.to_owned() } else { format!("{condition}{{ {write} }}") });
        self.close(more);
        self.jump(&["break"]);
        self.close(loops + 1);
    }

    fn element(&mut self, write: &str) {
        let loops = self.around();
        self.line(write);
        self.jump(&if loops > 0 { ["break", "continue"] } else { ["s += 1", "s += 2"] });
        self.close(loops);
    }

    fn two(&mut self) {
        let loops = self.around();
        let (low, high) = self.one(&OF_TWO);
        self.open(&format!("for t in {low}..{high}"));
        self.line("q[2 * i + t] = c as u64 + t as u64;");
        self.jump(&["break"]);
        self.close(loops + 1);
    }
}

/// The text of program `number`.
pub fn program(number: u64) -> String {
    let state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    let mut g = Generator { state, text: String::new(), depth: 2 };
    g.line("let c = (v[i * n + 1] & 15) as usize;");
    g.line("let m = k as usize;");
    g.line("let none = n.saturating_sub(200);");
    g.line("let mut s = (w[0] as u64) & 3;");
    let mut parts = vec![0, 1, 2, 3, 4];
    while !parts.is_empty() {
        match parts.remove(g.below(parts.len())) {
            0 => g.row(),
            1 => g.element("z[i] = v[i * n] ^ 5;"),
            2 => g.element("e[i] = d[i] * 0.5 + x[i * n] as f64;"),
            3 => g.two(),
            _ => {
                let inside = g.one(&INSIDE);
                g.line(inside);
            }
        }
        if g.below(8) == 0 {
            let condition = g.condition();
            g.line(&format!("if {condition} {{ return s; }}"));
        }
    }
    g.line("s + c as u64");
    format!(
        "    pub fn l{number}(i: usize, n: usize, a: f32, b: f64, k: i32, x: &[f32], d: &[f64], v: &[i32], w: &[u8], \
         y: &mut [f32], z: &mut [i32], e: &mut [f64], q: &mut [u64]) -> u64 {{\n{}    }}\n",
        g.text
    )
}

/// The number of programs.
pub const PROGRAMS: u64 = 16;

/// The file of all programs.
pub fn file() -> String {
    let mut text = String::from(
        "// Made by `generate_ends.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.\n\n\
         crate::both! {\n",
    );
    (0..PROGRAMS).for_each(|number| text.push_str(&program(number)));
    text.push_str("}\n\n/// All of them.\n");
    let _ = writeln!(text, "pub const ALL: [crate::random::Program; {PROGRAMS}] = [");
    for number in 0..PROGRAMS {
        let _ = writeln!(text, "    (plain::l{number}, crate::of_slices!(l{number}), l{number}::kernel),");
    }
    text.push_str("];\n");
    text
}
