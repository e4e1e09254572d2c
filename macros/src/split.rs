//! Conditions of an inner loop that hold in one part of its range, such as `j >= 2 && j + 2 < n`. That part then runs without
//! them, and so in vectors.

use crate::access::Accesses;
use crate::ir::{Binary, Expr, Kind, Stmt, VarId};
use crate::poly::Poly;
use std::collections::BTreeMap;

/// Where a condition holds: the loop's variable is at least each of `lows` and below each of `ends`, and the parts in `fixed`,
/// which do not depend on it, hold.
pub struct Split<'s> {
    pub condition: &'s Expr,
    pub lows: Vec<Poly>,
    pub ends: Vec<Poly>,
    pub fixed: Vec<Fixed<'s>>,
    /// These must be at least 0, as negative differences of `usize` are large numbers.
    pub differences: Vec<Poly>,
    /// How large symbols may be so that nothing in the comparisons wraps.
    pub room: BTreeMap<VarId, Room>,
}

/// A comparison of values known before the loop.
pub enum Fixed<'s> {
    Text(&'s Expr),
    /// A comparison of locals of the loop, by their values; the last field says whether it is signed.
    Values(Binary, Poly, Poly, bool),
}

/// A symbol is below 2 to the power of `bits` and at least 0; if `signed`, only its absolute value is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    pub bits: u32,
    pub signed: bool,
}

/// The first such condition that every iteration reaches.
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
    let mut split = Split {
        condition,
        lows: Vec::new(),
        ends: Vec::new(),
        fixed: Vec::new(),
        differences: Vec::new(),
        room: BTreeMap::new(),
    };
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
    let (fixed, signed) = (!left.has(var) && !right.has(var), a.ty.is_signed());
    let mut locals = false;
    e.walk(&mut |e| locals |= matches!(e.kind, Kind::Var(v) if accesses.values.contains_key(&v)));
    if fixed && !locals {
        split.fixed.push(Fixed::Text(e));
        return Some(());
    }
    for (e, poly) in [(a, &left), (b, &right)] {
        // In a local, or of signed numbers cast to unsigned ones, only the polynomial's terms show a difference.
        if subtracts(e) || !signed && poly.terms().any(|(_, factor)| factor < 0) {
            // The variable itself is not known before the loop.
            if poly.has(var) {
                return None;
            }
            split.differences.push(poly.clone());
        }
        split.make_room(poly, signed)?;
    }
    if fixed {
        split.fixed.push(Fixed::Values(*op, left, right, signed));
        return Some(());
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

/// Most bits of either side of a comparison: the difference of two sides, and one bit more, fit into an `i64`.
const BITS: u32 = 61;

impl Split<'_> {
    /// Limits symbols so that no term of the polynomial, nor their sum, has more than `BITS` bits.
    fn make_room(&mut self, poly: &Poly, signed: bool) -> Option<()> {
        // Bits for the number of terms.
        let sum = poly.terms().count().max(1).next_power_of_two().ilog2();
        for (product, factor) in poly.terms() {
            let left = BITS.checked_sub(sum + factor.unsigned_abs().next_power_of_two().ilog2())?;
            for &v in product {
                let bits = left / u32::try_from(product.len()).ok()?;
                let room = self.room.entry(v).or_insert(Room { bits, signed });
                *room = Room { bits: room.bits.min(bits), signed: room.signed && signed };
            }
        }
        Some(())
    }
}

/// Whether it contains a difference that may wrap.
pub fn subtracts(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.kind, Kind::Binary(Binary::Sub, ..) | Kind::Neg(_)) && !e.ty.is_signed());
    found
}
