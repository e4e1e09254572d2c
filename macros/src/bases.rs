//! Pointers to the rows along which a loop runs, so that an index inside is the loop's variable plus a constant.

use crate::emit_c::Emit;
use crate::ir::{ArrayId, Expr, Kind, Place, Stmt, Ty, VarId};
use crate::poly::Poly;
use std::fmt::Write;

/// A pointer to element `rest` of an array, relative to which a loop over `var` finds its elements.
#[derive(Clone, Debug)]
pub struct Base {
    array: ArrayId,
    var: VarId,
    rest: Poly,
    name: String,
}

/// The factor of `var`, the part that does not change with it, and the constant.
pub fn parts(poly: &Poly, var: VarId) -> Option<(Poly, Poly, i128)> {
    let (factor, rest) = poly.split(var)?;
    let number = rest.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
    let rest = &rest - &Poly::constant(number);
    (!factor.is_zero() && i64::try_from(number).is_ok()).then_some((factor, rest, number))
}

/// The elements of arrays in a loop's body, without those in inner loops.
pub fn elements<'s>(list: &'s [Stmt], found: &mut Vec<(ArrayId, &'s Expr)>) {
    for stmt in list {
        if matches!(stmt, Stmt::For(_) | Stmt::While(..)) {
            continue;
        }
        for e in stmt.expressions() {
            e.walk(&mut |e| {
                if let Kind::Load(array, index) = &e.kind {
                    found.push((*array, index));
                }
            });
        }
        // The targets of contributions are left out: they may be in a group's own memory.
        if let Stmt::Assign(Place::Element(array, index), ..) = stmt {
            found.push((*array, index));
        }
        for block in stmt.blocks() {
            elements(block, found);
        }
    }
}

impl Emit<'_> {
    pub fn followed(&mut self, index: &Expr) -> Option<Poly> {
        let known = self.f.vars.len();
        self.accesses.poly(index).ok().filter(|poly| poly.symbols().iter().all(|&v| v < known))
    }

    /// Declares the rows of the loop over `var` that follows, and returns how many were open before.
    pub fn open_bases(&mut self, var: VarId, body: &[Stmt]) -> usize {
        let before = self.bases.len();
        let mut list = Vec::new();
        elements(body, &mut list);
        for (array, index) in list {
            let Some((_, rest, _)) = self.followed(index).and_then(|poly| parts(&poly, var)) else { continue };
            if self.bases.iter().any(|base| base.array == array && base.var == var && base.rest == rest) {
                continue;
            }
            let info = &self.f.arrays[array];
            let (of, constant) = (info.name.clone(), if info.mutable { "" } else { "const " });
            let name = self.free_name(&of);
            let start = self.sum(&rest, 0);
            self.line(&format!("AP_GLOBAL {constant}{} *const {name} = {of} + ({start} - {of}_first);", info.ty.c()));
            self.base_names.push(name.clone());
            self.bases.push(Base { array, var, rest, name });
        }
        before
    }

    fn free_name(&self, of: &str) -> String {
        let used = |name: &str| {
            self.base_names.iter().any(|base| base == name)
                || self.f.vars.iter().any(|var| var.name == name)
                || self.f.arrays.iter().any(|array| array.name == name)
        };
        let numbered = (2..).map(|n| format!("{of}_row{n}"));
        std::iter::once(format!("{of}_row")).chain(numbered).find(|name| !used(name)).unwrap_or_default()
    }

    /// An element as one of an open row.
    pub fn on_base(&mut self, array: ArrayId, index: &Expr) -> Option<String> {
        if self.bases.is_empty() {
            return None;
        }
        let poly = self.followed(index)?;
        let found = self.bases.iter().rev().filter(|base| base.array == array).find_map(|base| {
            let (factor, rest, number) = parts(&poly, base.var)?;
            (rest == base.rest).then(|| (base.name.clone(), &factor * &Poly::var(base.var), number))
        });
        let (name, moving, number) = found?;
        Some(format!("{name}[{}]", self.sum(&moving, number)))
    }

    /// The text of a polynomial in signed 64-bit arithmetic.
    pub fn sum(&self, poly: &Poly, number: i128) -> String {
        let mut text = String::new();
        for (product, factor) in poly.terms() {
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            let mut factors: Vec<String> = Vec::new();
            if factor.abs() != 1 || product.is_empty() {
                factors.push(factor.abs().to_string());
            }
            factors.extend(product.iter().map(|&v| {
                let name = self.name(v);
                if self.f.vars[v].ty == Ty::I64 { name } else { format!("(ap_i64){name}") }
            }));
            text.push_str(&factors.join(" * "));
        }
        match (text.is_empty(), number) {
            (true, _) => text = number.to_string(),
            (false, 0) => {}
            (false, _) => {
                let sign = if number < 0 { '-' } else { '+' };
                let _ = write!(text, " {sign} {}", number.unsigned_abs());
            }
        }
        text
    }
}
