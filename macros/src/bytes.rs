//! Inner loops that only add up differences, products or values of neighbouring bytes, which GPUs can read and combine several at a
//! time: which loops these are, and around which of them a work-item takes several turns of a loop side by side, as the
//! displacements of a block that is looked for. Without that, and but for long rows that lines share, bytes one by one are faster
//! (results/h200-bytes-2026-11-29).

use crate::access::{Accesses, collect, has};
use crate::checked::Checked;
use crate::emit_c::may_be_most;
use crate::ir::{
    ArrayId, Binary, Builtin, Expr, ForLoop, Function, Kind, Lit, Place, Stmt, Ty, VarId, walk_statements,
};
use crate::poly::Poly;
use crate::rows::declared;
use std::collections::{BTreeMap, BTreeSet};

/// What is added up of bytes `a` and `b`, by the sources they come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `a.abs_diff(b)`
    Difference(usize, usize),
    /// `a * b`
    Product(usize, usize),
    /// `(a - b) * (a - b)`
    Square(usize, usize),
    /// `a`
    Value(usize),
}

/// The bytes of an array from `index` on: one for each turn, the next for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub array: ArrayId,
    pub index: Poly,
}

/// A loop that does nothing else.
#[derive(Clone, Debug)]
pub struct Sum<'s> {
    pub of: &'s ForLoop,
    /// The local that is added to, and what.
    pub terms: Vec<(VarId, What)>,
    pub sources: Vec<Source>,
    /// The number of turns, if it is always the same.
    pub turns: Option<i128>,
}

/// Shorter loops are left as they are.
const SHORT: i128 = 4;

struct Finder<'a, 's> {
    accesses: &'a Accesses<'a>,
    checked: &'a Checked,
    var: VarId,
    lets: BTreeMap<VarId, &'s Expr>,
    sources: Vec<Source>,
}

/// The loop as such a sum.
pub fn sum<'s>(accesses: &Accesses<'_>, checked: &Checked, l: &'s ForLoop) -> Option<Sum<'s>> {
    let f = accesses.f;
    if !counted(f, l) || !f.pitches.is_empty() || checked.reports && accesses.may_wrap.contains(&l.var) {
        return None;
    }
    // Not that of `spans`, which may be one of several.
    let turns = accesses.fixed.get(&l.var).copied();
    if turns.is_some_and(|turns| turns < SHORT) {
        return None;
    }
    let mut finder = Finder { accesses, checked, var: l.var, lets: BTreeMap::new(), sources: Vec::new() };
    let mut terms = Vec::new();
    for stmt in &l.body {
        match stmt {
            Stmt::Let(var, Some(value)) if !f.vars[*var].mutable && finder.plain(value) => {
                finder.lets.insert(*var, value);
            }
            Stmt::Assign(Place::Var(var), op, value, _) => {
                let value = match (op, &value.kind) {
                    (Some(Binary::Add), _) => value,
                    (None, Kind::Binary(Binary::Add, a, b)) if is_var(a, *var) => b,
                    (None, Kind::Binary(Binary::Add, a, b)) if is_var(b, *var) => a,
                    _ => return None,
                };
                let wide = matches!(f.vars[*var].ty, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 | Ty::Usize);
                if !wide || f.vars[*var].len.is_some() {
                    return None;
                }
                terms.push((*var, finder.term(value)?));
            }
            _ => return None,
        }
    }
    let Finder { sources, .. } = finder;
    // Two loads of one array at neighbouring places are two sources, each with words of its own.
    (!terms.is_empty() && sources.len() <= 4).then_some(Sum { of: l, terms, sources, turns })
}

/// The arrays of a function that are read in words with turns side by side, whose lengths the text has to know.
pub fn arrays(f: &Function, checked: &Checked) -> BTreeSet<ArrayId> {
    let (mut accesses, mut found) = (collect(f), BTreeSet::new());
    walk_statements(&f.body, &mut |stmt| {
        if let Stmt::For(l) = stmt {
            let sources = abreast(&mut accesses, checked, l).map(|plan| plan.sum.sources).unwrap_or_default();
            found.extend(sources.iter().map(|source| source.array));
        }
    });
    found
}

/// Whether the turns of a loop are numbered in 64 bits, and the number after the last one is one of them.
fn counted(f: &Function, l: &ForLoop) -> bool {
    matches!(f.vars[l.var].ty, Ty::Usize | Ty::U64 | Ty::I64) && !(l.inclusive && may_be_most(&l.hi))
}

/// Whether a type has all values of a byte, and if it is signed, of differences of two.
fn keeps(ty: Ty) -> bool {
    ty.is_integer() && ty != Ty::I8
}

fn is_var(e: &Expr, var: VarId) -> bool {
    matches!(e.kind, Kind::Var(v) if v == var)
}

impl<'s> Finder<'_, 's> {
    /// Whether an expression has no effect and compares nothing with the end of an array.
    fn plain(&self, e: &Expr) -> bool {
        let mut plain = true;
        e.walk(&mut |e| match &e.kind {
            Kind::Load(_, index) => plain &= !self.checked.has(index),
            Kind::Local(..) | Kind::Helper(..) | Kind::Whole(..) => plain = false,
            _ => {}
        });
        plain
    }

    fn behind(&self, e: &'s Expr) -> Option<&'s Expr> {
        match &e.kind {
            Kind::Var(var) => self.lets.get(var).copied(),
            _ => None,
        }
    }

    fn term(&mut self, e: &'s Expr) -> Option<What> {
        if let Some((a, b)) = self.difference(e) {
            return Some(What::Difference(a, b));
        }
        self.product(e).or_else(|| self.byte(e).map(What::Value))
    }

    /// A byte of an array, in any type of integers.
    fn byte(&mut self, e: &'s Expr) -> Option<usize> {
        if let Some(value) = self.behind(e) {
            return self.byte(value);
        }
        match &e.kind {
            Kind::Cast(inner) if keeps(e.ty) => self.byte(inner),
            Kind::Load(array, index) => self.source(*array, index),
            _ => None,
        }
    }

    fn source(&mut self, array: ArrayId, index: &Expr) -> Option<usize> {
        let f = self.accesses.f;
        let info = &f.arrays[array];
        if info.ty != Ty::U8 || info.mutable || self.checked.has(index) {
            return None;
        }
        let place = std::ptr::from_ref(index);
        let access = self.accesses.list.iter().find(|access| access.place == place && !access.write)?;
        let poly = access.index.as_ref().ok().filter(|_| access.chosen.is_none())?;
        let (factor, _) = poly.split(self.var)?;
        if factor.as_constant() != Some(1) || poly.symbols().into_iter().any(|v| v >= f.vars.len()) {
            return None;
        }
        let source = Source { array, index: poly.clone() };
        let known = self.sources.iter().position(|other| *other == source);
        Some(known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        }))
    }

    fn two(&mut self, a: &'s Expr, b: &'s Expr) -> Option<(usize, usize)> {
        Some((self.byte(a)?, self.byte(b)?))
    }

    /// How far two bytes are apart.
    fn difference(&mut self, e: &'s Expr) -> Option<(usize, usize)> {
        if let Some(value) = self.behind(e) {
            return self.difference(value);
        }
        match &e.kind {
            Kind::Cast(inner) if keeps(e.ty) => self.difference(inner),
            Kind::Builtin(Builtin::AbsDiff, list) => self.two(&list[0], &list[1]),
            Kind::Builtin(Builtin::Own(own), list) if own.rust == "abs_diff" => self.two(&list[0], &list[1]),
            Kind::Builtin(Builtin::Abs, list) => self.less(&list[0]),
            Kind::Builtin(Builtin::Own(own), list) if own.rust == "unsigned_abs" => self.less(&list[0]),
            // `if a > b { a - b } else { b - a }`
            Kind::Select(condition, yes, no) => {
                let Kind::Binary(op, a, b) = &condition.kind else { return None };
                let (a, b) = self.two(a, b)?;
                let (large, small) = match op {
                    Binary::Gt | Binary::Ge => (a, b),
                    Binary::Lt | Binary::Le => (b, a),
                    _ => return None,
                };
                let one = self.of_two(yes)? == (large, small);
                (one && self.of_two(no)? == (small, large)).then_some((a, b))
            }
            // `a.max(b) - a.min(b)`
            Kind::Binary(Binary::Sub, most, least) => {
                let (Kind::Builtin(Builtin::Max, most), Kind::Builtin(Builtin::Min, least)) = (&most.kind, &least.kind)
                else {
                    return None;
                };
                let (a, b) = self.two(&most[0], &most[1])?;
                let (c, d) = self.two(&least[0], &least[1])?;
                ((c, d) == (a, b) || (c, d) == (b, a)).then_some((a, b))
            }
            _ => None,
        }
    }

    /// `a - b` in a type in which it may be below 0.
    fn less(&mut self, e: &'s Expr) -> Option<(usize, usize)> {
        if let Some(value) = self.behind(e) {
            return self.less(value);
        }
        match &e.kind {
            Kind::Cast(inner) if keeps(e.ty) && e.ty.is_signed() && inner.ty.is_signed() => self.less(inner),
            Kind::Binary(Binary::Sub, a, b) if e.ty.is_signed() => self.two(a, b),
            _ => None,
        }
    }

    /// `a - b` in any type.
    fn of_two(&mut self, e: &'s Expr) -> Option<(usize, usize)> {
        match &e.kind {
            Kind::Cast(inner) if keeps(e.ty) => self.of_two(inner),
            Kind::Binary(Binary::Sub, a, b) => self.two(a, b),
            _ => None,
        }
    }

    /// A product of two bytes, or the square of a difference, in a type that it fits in.
    fn product(&mut self, e: &'s Expr) -> Option<What> {
        if let Some(value) = self.behind(e) {
            return self.product(value);
        }
        if !e.ty.is_integer() || e.ty.is_short() {
            return None;
        }
        match &e.kind {
            Kind::Cast(inner) => self.product(inner),
            Kind::Binary(Binary::Mul, a, b) => match self.two(a, b) {
                Some((a, b)) => Some(What::Product(a, b)),
                None => {
                    // Only of both with their signs, or of both without.
                    let signs = self.less(a).zip(self.less(b));
                    let (one, other) = signs.or_else(|| self.difference(a).zip(self.difference(b)))?;
                    (one == other).then_some(What::Square(one.0, one.1))
                }
            },
            Kind::Builtin(Builtin::Own(own), list) if own.c == "pow" => {
                let two = matches!(list[1].kind, Kind::Lit(Lit::Int(2)));
                let (a, b) = self.less(&list[0]).or_else(|| self.difference(&list[0])).filter(|_| two)?;
                Some(What::Square(a, b))
            }
            _ => None,
        }
    }
}

/// A loop whose body finds such a sum and then does something with it: work-items find the sums of several turns side by side, as
/// these read the same bytes, or bytes one further on.
pub struct Abreast<'s> {
    pub of: &'s ForLoop,
    /// Locals before the sums, among them those that are added to.
    pub before: &'s [Stmt],
    /// The loops inside one another, of which the last is the sum, each with the locals at the beginning of its body.
    pub nest: Vec<(&'s ForLoop, &'s [Stmt])>,
    pub sum: Sum<'s>,
    pub after: &'s [Stmt],
    /// Of each source, whether it is one byte further on in the next turn.
    pub moves: Vec<bool>,
    /// The first and the last byte of each source in the nest, of the turn at hand.
    pub ends: Vec<[Poly; 2]>,
    /// Differences that are above 0 if all loops of the nest have turns.
    pub lengths: Vec<Poly>,
}

/// The loop as such a one.
pub fn abreast<'s>(accesses: &mut Accesses<'_>, checked: &Checked, l: &'s ForLoop) -> Option<Abreast<'s>> {
    let f = accesses.f;
    let few = accesses.spans.get(&l.var).and_then(|(_, length)| length.as_constant()).is_some_and(|n| n < 3);
    if few || !counted(f, l) || checked.reports && accesses.may_wrap.contains(&l.var) {
        return None;
    }
    if has(&l.body, |stmt| matches!(stmt, Stmt::While(..) | Stmt::Break | Stmt::Continue | Stmt::Return(_))) {
        return None;
    }
    let at = l.body.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
    let (before, after) = (&l.body[..at], &l.body[at + 1..]);
    let Stmt::For(inner) = &l.body[at] else { return None };
    let mut inner = &**inner;
    if has(after, |stmt| matches!(stmt, Stmt::For(_))) {
        return None;
    }
    let mut nest = Vec::new();
    let sum = loop {
        if let Some(sum) = sum(accesses, checked, inner) {
            nest.push((inner, &inner.body[..0]));
            break sum;
        }
        let (last, lets) = inner.body.split_last()?;
        let Stmt::For(next) = last else { return None };
        let fixed = |stmt: &Stmt| matches!(stmt, Stmt::Let(var, Some(_)) if !f.vars[*var].mutable);
        if !counted(f, inner) || !lets.iter().all(|stmt| fixed(stmt) && simple(f, stmt)) {
            return None;
        }
        nest.push((inner, lets));
        inner = next;
    };
    let added: BTreeSet<VarId> = sum.terms.iter().map(|(var, _)| *var).collect();
    let mut own = BTreeSet::new();
    for stmt in before {
        let Stmt::Let(var, Some(_)) = stmt else { return None };
        if f.vars[*var].mutable != added.contains(var) || !simple(f, stmt) {
            return None;
        }
        own.insert(*var);
    }
    if !added.is_subset(&own) {
        return None;
    }
    // Numbers that are the same before the nest and in it.
    let mut inside = declared(&l.body);
    inside.insert(l.var);
    let outer = |poly: &Poly| poly.symbols().into_iter().all(|v| v < f.vars.len() && !inside.contains(&v));
    let (mut ends, mut lengths) = (Vec::new(), Vec::new());
    for (of, _) in &nest {
        let (lo, hi) = (accesses.poly(&of.lo).ok()?, accesses.poly(&of.hi).ok()?);
        if !outer(&lo) || !outer(&hi) || checked.reports && accesses.may_wrap.contains(&of.var) {
            return None;
        }
        let last = &hi - &Poly::constant(i128::from(!of.inclusive));
        lengths.push(&(&last - &lo) + &Poly::constant(1));
        ends.push((of.var, lo, last));
    }
    let (mut moves, mut reach) = (Vec::new(), Vec::new());
    for source in &sum.sources {
        let (factor, _) = source.index.split(l.var)?;
        moves.push(match factor.as_constant()? {
            0 => false,
            1 => true,
            _ => return None,
        });
        let (mut first, mut last) = (source.index.clone(), source.index.clone());
        for (var, low, high) in &ends {
            // The index grows with each loop of the nest, by as much wherever the others are.
            let (factor, _) = source.index.split(*var)?;
            if !outer(&factor) || !accesses.never_negative(&factor) {
                return None;
            }
            (first, last) = (first.substitute(*var, low), last.substitute(*var, high));
        }
        let known = |v: VarId| v == l.var || v < f.vars.len() && !inside.contains(&v);
        if !first.symbols().into_iter().chain(last.symbols()).all(known) {
            return None;
        }
        reach.push([first, last]);
    }
    lengths.retain(|length| length.as_constant().is_none_or(|n| n < 1));
    moves.contains(&true).then_some(Abreast { of: l, before, nest, sum, after, moves, ends: reach, lengths })
}

/// Whether a statement computes from scalars alone, and from none that a turn before may have changed.
fn simple(f: &Function, stmt: &Stmt) -> bool {
    let mut simple = true;
    for e in stmt.expressions() {
        e.walk(&mut |e| {
            simple &= match e.kind {
                Kind::Load(..) | Kind::Local(..) | Kind::Helper(..) | Kind::Whole(..) => false,
                Kind::Var(var) => !f.vars[var].mutable,
                _ => true,
            };
        });
    }
    simple
}

#[cfg(test)]
#[path = "bytes_tests.rs"]
mod tests;
