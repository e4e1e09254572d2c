//! Random programs with functions that each target implements itself: exp, ln, sin, powf and others. Their values are bounded
//! and change little where their operands change little. No conditions, integers or steps depend on them, so errors stay a few
//! units in the last place.

use std::fmt::Write;

struct Generator {
    state: u64,
}

/// The text of program `number`. All programs have the same parameters.
fn program(number: u64) -> String {
    let mut g = Generator { state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1405_7b7e_f767_814f };
    let mut text = format!(
        "    pub fn m{number}(i: usize, n: usize, a: f32, b: f64, x: &[f32], d: &[f64], y: &mut [f32], e: &mut [f64]) -> f64 {{\n"
    );
    let (low, wide) = (g.expr("f32", 2), g.expr("f64", 3));
    let _ = writeln!(
        text,
        "        let t: f32 = {low} * x[i * n];\n        let u: f64 = {wide} + 0.125 * d[i];\n        let mut s = 0.0f64;"
    );
    let (each, summed) = (g.expr("f32", 3), g.expr("f64", 2));
    let _ = writeln!(text, "        for j in 0..n {{\n            let at = i * n + j;");
    let each = each.replace("x[i * n]", "x[at]");
    let _ = writeln!(text, "            y[at] = 0.5 * t + {each};");
    let _ =
        writeln!(text, "            s += 0.1 * {} * x[at] as f64;\n        }}", summed.replace("x[i * n]", "x[at]"));
    let last = g.expr("f64", 3);
    let _ = writeln!(text, "        e[i] = s + u * {last};\n        u + a as f64 + b\n    }}");
    text
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % n
    }

    /// A value from -5 to 5.
    fn expr(&mut self, ty: &'static str, depth: usize) -> String {
        if depth == 0 {
            return match (ty, self.below(4)) {
                ("f32", 0) => "a".into(),
                ("f32", 1) => format!("{}.25f32", self.below(4)),
                ("f32", _) => "x[i * n]".into(),
                (_, 0) => "b".into(),
                (_, 1) => "(x[i * n] as f64)".into(),
                _ => "d[i]".into(),
            };
        }
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        match self.below(18) {
            0 => format!("({a}).sin()"),
            1 => format!("({a}).cos()"),
            2 => format!("({a}).tanh()"),
            3 => format!("({a}).min(1.25).exp()"),
            4 => format!("(({a}).abs() + 0.5).ln()"),
            5 => format!("(({a}).abs() + 0.5).log2()"),
            6 => format!("(({a}).abs() + 0.5).log10()"),
            7 => format!("(({a}).abs() + 0.25).sqrt()"),
            8 => format!("({a}).sin().tan()"),
            9 | 10 => format!("(({a}).abs() + 0.5).powf(({b}).sin())"),
            11 => format!("({a}).sin().powi({})", 2 + self.below(4)),
            12 => format!("(({a}).abs() + 0.75).powi(-{})", 1 + self.below(2)),
            13 => format!("(({a}).abs() + 0.75).recip()"),
            14 => format!("({a} / (({b}).abs() + 1.5))"),
            15 => format!("({a} * 0.25).mul_add({b}, 0.25)"),
            16 => format!("({a}).{}({b})", ["min", "max"][self.below(2)]),
            _ => format!("(0.5 * ({a} {} {b}))", ["+", "-"][self.below(2)]),
        }
    }
}

/// The number of programs.
pub const ALL: u64 = 16;

/// The file of these programs, for `both!`.
pub fn file() -> String {
    let mut text = String::from(
        "// Made by `generate_math.rs`: `UPDATE_PROGRAMS=1 cargo test -p apportion-macros --test devices` writes it again.\n\n\
         crate::both! {\n",
    );
    for number in 0..ALL {
        text.push_str(&program(number));
    }
    text.push_str("}\n\n/// All of them.\n");
    let _ = writeln!(text, "pub const ALL: [crate::math::Program; {ALL}] = [");
    for number in 0..ALL {
        let bound = format!("|n, a, b, x, d, y, e| m{number}(n, a, b, x, d, y, e)");
        let _ = writeln!(text, "    (plain::m{number}, {bound}, m{number}::kernel),");
    }
    text.push_str("];\n");
    text
}
