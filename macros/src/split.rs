//! Conditions of an inner loop that hold in one part of its range: `j >= 2 && j + 2 < n`. That part then runs without them,
//! and so in vectors.

use crate::access::Accesses;
use crate::ir::{Binary, Expr, Kind, Stmt, VarId};
use crate::poly::Poly;

/// Where a condition holds: the loop's variable is at least each of `lows` and below each of `ends`, and the rest holds, which
/// does not depend on it.
pub struct Split<'s> {
    pub condition: &'s Expr,
    pub lows: Vec<Poly>,
    pub ends: Vec<Poly>,
    pub fixed: Vec<&'s Expr>,
    /// These must be at least 0, as differences of `usize` are otherwise large numbers.
    pub differences: Vec<Poly>,
}

/// The first such condition that every iteration comes to.
pub fn find<'s>(accesses: &mut Accesses<'_>, var: VarId, body: &'s [Stmt]) -> Option<Split<'s>> {
    for stmt in body {
        if let Stmt::If(condition, ..) = stmt {
            return split(accesses, var, condition);
        }
        for e in stmt.expressions() {
            let mut found = None;
            e.walk(&mut |e| {
                if let (Kind::Select(condition, ..), true) = (&e.kind, found.is_none()) {
                    found = Some(&**condition);
                }
            });
            if let Some(split) = found.and_then(|condition| split(accesses, var, condition)) {
                return Some(split);
            }
        }
        if !stmt.blocks().is_empty() || matches!(stmt, Stmt::Return(_) | Stmt::Break | Stmt::Continue) {
            return None;
        }
    }
    None
}

fn split<'s>(accesses: &mut Accesses<'_>, var: VarId, condition: &'s Expr) -> Option<Split<'s>> {
    let mut split = Split { condition, lows: Vec::new(), ends: Vec::new(), fixed: Vec::new(), differences: Vec::new() };
    atoms(accesses, var, condition, &mut split)?;
    (!split.lows.is_empty() || !split.ends.is_empty()).then_some(split)
}

fn atoms<'s>(accesses: &mut Accesses<'_>, var: VarId, e: &'s Expr, split: &mut Split<'s>) -> Option<()> {
    let Kind::Binary(op, a, b) = &e.kind else { return None };
    if *op == Binary::Both {
        atoms(accesses, var, a, split)?;
        return atoms(accesses, var, b, split);
    }
    if !op.compares() {
        return None;
    }
    let known = accesses.f.vars.len();
    let mut side = |e: &Expr| accesses.poly(e).ok().filter(|poly| poly.symbols().iter().all(|&v| v < known));
    let (left, right) = (side(a)?, side(b)?);
    if !left.has(var) && !right.has(var) {
        split.fixed.push(e);
        return Some(());
    }
    for (e, poly) in [(a, &left), (b, &right)] {
        if subtracts(e) {
            // Of the variable itself nothing is known before the loop.
            if poly.has(var) {
                return None;
            }
            split.differences.push(poly.clone());
        }
    }
    let one = Poly::constant(1);
    // smaller < larger
    let pairs = match op {
        Binary::Lt => vec![(left, right)],
        Binary::Le => vec![(left, &right + &one)],
        Binary::Gt => vec![(right, left)],
        Binary::Ge => vec![(right, &left + &one)],
        Binary::Eq => vec![(left.clone(), &right + &one), (right, &left + &one)],
        _ => return None,
    };
    for (smaller, larger) in pairs {
        let (factor, rest) = (&larger - &smaller).split(var)?;
        // 0 < factor*var + rest
        match factor.as_constant()? {
            1 => split.lows.push(&one - &rest),
            -1 => split.ends.push(rest),
            _ => return None,
        }
    }
    Some(())
}

/// Whether there is a difference in it, which may wrap.
pub fn subtracts(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.kind, Kind::Binary(Binary::Sub, ..) | Kind::Neg(_)) && !e.ty.is_signed());
    found
}
