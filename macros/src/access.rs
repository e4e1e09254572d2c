//! Which elements of the arrays a kernel reads and writes, as polynomials of the loop index and the arguments.

use crate::claims::{Claim, Iterations};
use crate::inside::Inside;
use crate::ir::{
    ArrayId, ArrayInit, Binary, Builtin, Expr, ForLoop, Function, Kind, Lit, Place, Stmt, Ty, VarId, walk_statements,
};
use crate::poly::{LAST, Limits, MOST, Poly, bounds, doubtful_factor};
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};

/// One place in the text that reads or writes an element.
#[derive(Clone, Debug)]
pub struct Access {
    pub array: ArrayId,
    pub write: bool,
    /// The index, or the reason why it is unknown.
    pub index: Result<Poly, String>,
    pub limits: BTreeMap<VarId, Limits>,
    /// The iterations in which it happens, by the conditions around it.
    pub of_index: Iterations,
    /// Whether its limits are unreliable: an unsigned number in them may wrap.
    pub doubtful: bool,
    /// Whether some iterations may skip it.
    pub guarded: bool,
    /// The `for` loops around it, outer ones first, with their numbers of iterations if known: they may have fewer, see
    /// [`Limits::turns`].
    pub loops: Vec<(VarId, Option<Poly>)>,
    /// Its place in the source text.
    pub span: Span,
    /// Its index expression, which identifies the place in the body.
    pub place: *const Expr,
    /// Of a place whose index contains a local with one of two values: that local, and the value that this access is for.
    pub chosen: Option<(VarId, Poly)>,
}

impl Access {
    /// Numbers that follow from the arguments and of which none is below 1 if the loops around it have turns; and whether that they
    /// are at least 1 is enough for all of the loops to have them.
    pub fn lengths(&self, f: &Function) -> (Vec<Poly>, bool) {
        let known = |length: &Poly| length.symbols().into_iter().all(|v| known_with_arguments(f, v));
        let (mut lengths, mut enough) = (Vec::new(), true);
        for (var, length) in &self.loops {
            let turns = self.limits.get(var).and_then(|limits| limits.turns.as_ref());
            enough &= turns.is_some_and(|turns| turns.iter().all(known));
            match turns {
                Some(turns) => lengths.extend(turns.iter().filter(|length| known(length)).cloned()),
                None => lengths.extend(length.iter().filter(|length| known(length)).cloned()),
            }
        }
        (lengths, enough)
    }
}

/// The elements of one access in iteration `i`: from `stride*i + low` to `stride*i + high`.
#[derive(Clone, Debug)]
pub struct Reach {
    pub stride: Poly,
    /// Each is a lower bound.
    pub lows: Vec<Poly>,
    /// Each is an upper bound.
    pub highs: Vec<Poly>,
    /// Whether an iteration that reaches anything reaches both ends.
    pub exact: bool,
    /// Numbers of turns of the loops around, as far as they follow from the arguments: if one is below 1, nothing is reached.
    pub lengths: Vec<Poly>,
}

/// Numbers of cases in which no condition could be stated for limits to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// A number may be below 0, or it is used as if it fitted into its type.
    pub values: usize,
    /// A number may be too large for its type, of which what is known of local arrays makes no use.
    pub tops: usize,
}

impl Doubts {
    fn any(self) -> bool {
        self != Self::default()
    }
}

/// All results of the access analysis of a body.
pub struct Accesses<'f> {
    pub f: &'f Function,
    pub list: Vec<Access>,
    /// Elements that iterations contribute to, in arrays without other accesses.
    pub contributions: Vec<Access>,
    /// Values of immutable locals.
    pub values: BTreeMap<VarId, Poly>,
    /// Of indices that the user's code does not see, why they have no such value.
    unknown: BTreeMap<VarId, String>,
    /// Locals that have one of two values.
    either: BTreeMap<VarId, [Poly; 2]>,
    pub limits: BTreeMap<VarId, Limits>,
    pub of_index: Iterations,
    /// Conditions for the limits to hold.
    pub claims: Vec<Claim>,
    /// The same, for numbers that may be too large for their types, of which what is known of local arrays makes no use.
    pub tops: Vec<Claim>,
    /// Number of cases in which no such condition could be stated.
    pub doubts: Doubts,
    /// A value was not certain to be at least 0 for any arguments.
    pub unsure: bool,
    /// Variables of loops whose end may be a number that has wrapped.
    pub may_wrap: BTreeSet<VarId>,
    pub loops: Vec<(VarId, Option<Poly>)>,
    loop_variables: BTreeSet<VarId>,
    /// First value and number of values of loop variables.
    pub spans: BTreeMap<VarId, (Poly, Poly)>,
    /// Numbers of turns of loops that have as many each time.
    pub fixed: BTreeMap<VarId, i128>,
    /// Numbers of turns of loops with several ends, to each of these or more: such a loop has at most the least of them.
    pub several: BTreeMap<VarId, Vec<Poly>>,
    /// First values of loop variables, each the greatest of a list, where all of these are known.
    pub starts: BTreeMap<VarId, Vec<Poly>>,
    /// Variables of loops whose first value is small by its type.
    pub small_starts: BTreeSet<VarId>,
    /// Variables of loops that are below a number of their type.
    pub below_end: BTreeSet<VarId>,
    /// Symbols that stand for quotients by a constant.
    pub quotients: BTreeMap<VarId, (Poly, i128)>,
    /// Symbols that are at least 1: rows of 0 elements that an iteration writes are refused before anything runs.
    positive: BTreeSet<VarId>,
    pub guarded: bool,
    /// The least and the greatest element of local arrays of known integers that do not change.
    lists: BTreeMap<VarId, (i128, i128)>,
    /// The next free symbol, for a value of which only limits are known.
    next: VarId,
    /// The expressions that the analysis's own symbols stand for.
    pub made: BTreeMap<VarId, Expr>,
    /// Which indices of local arrays need no comparison.
    pub inside: Inside,
}

/// Whether a symbol is at least 0.
pub fn unsigned(f: &Function, var: VarId) -> bool {
    match f.vars.get(var) {
        Some(info) => !info.ty.is_signed(),
        None => !is_signed_symbol(f, var),
    }
}

/// Symbols that the analysis makes come in pairs: the second of each is one that may be below 0.
const SYMBOLS: VarId = 1 << 32;

fn is_signed_symbol(f: &Function, var: VarId) -> bool {
    let first = second_range(f).1 + 1;
    (first..first + SYMBOLS).contains(&var) && (var - first) % 2 == 1
}

/// The name of an index that is computed once for several accesses.
pub const HIDDEN_INDEX: &str = "ap_index";

pub fn collect(f: &Function) -> Accesses<'_> {
    let mut all = Accesses {
        f,
        list: Vec::new(),
        contributions: Vec::new(),
        values: BTreeMap::new(),
        unknown: BTreeMap::new(),
        either: BTreeMap::new(),
        limits: BTreeMap::new(),
        of_index: Iterations::default(),
        claims: Vec::new(),
        tops: Vec::new(),
        doubts: Doubts::default(),
        unsure: false,
        may_wrap: BTreeSet::new(),
        loops: Vec::new(),
        loop_variables: BTreeSet::new(),
        spans: BTreeMap::new(),
        fixed: BTreeMap::new(),
        several: BTreeMap::new(),
        starts: BTreeMap::new(),
        small_starts: BTreeSet::new(),
        below_end: BTreeSet::new(),
        quotients: BTreeMap::new(),
        positive: BTreeSet::new(),
        guarded: false,
        lists: BTreeMap::new(),
        next: second_range(f).1 + 1,
        made: BTreeMap::new(),
        inside: Inside::default(),
    };
    // The second index runs over a range whose ends are the symbols after all those of the function.
    if let Some(&second) = f.indices.get(1) {
        let (lo, hi) = second_range(f);
        let high = &Poly::var(hi) - &Poly::constant(1);
        let length = &Poly::var(hi) - &Poly::var(lo);
        let limits = Limits::new(vec![Poly::var(lo), Poly::constant(0)], vec![high]);
        all.limits.insert(second, Limits { turns: Some(vec![length.clone()]), ..limits });
        all.loops.push((second, Some(length)));
    }
    all.block(&f.body);
    all.positive = all.list.iter().filter(|access| access.write).flat_map(|access| row_symbols(f, access)).collect();
    all
}

/// The factors of the stride with which an access follows the loop, if it is one product of unsigned numbers.
fn row_symbols(f: &Function, access: &Access) -> Vec<VarId> {
    let Some(index) = f.index() else { return Vec::new() };
    let Some((stride, _)) = access.index.as_ref().ok().and_then(|poly| poly.split(index)) else { return Vec::new() };
    let mut terms = stride.terms();
    match (terms.next(), terms.next()) {
        (Some((product, factor)), None) if factor > 0 && product.iter().all(|&v| argument(f, v)) => product.to_vec(),
        _ => Vec::new(),
    }
}

fn argument(f: &Function, v: VarId) -> bool {
    unsigned(f, v) && f.is_argument(v)
}

/// The symbols of the two ends of the second index.
pub fn second_range(f: &Function) -> (VarId, VarId) {
    (f.vars.len(), f.vars.len() + 1)
}

/// Whether the statements after this one may be skipped.
fn exits(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(..) | Stmt::Break | Stmt::Continue => true,
        Stmt::For(_) | Stmt::While(..) => has(std::slice::from_ref(stmt), |s| matches!(s, Stmt::Return(..))),
        other => other.blocks().iter().any(|block| block.iter().any(exits)),
    }
}

/// Whether `such` holds for one of these statements, or one inside them.
pub fn has(list: &[Stmt], such: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    walk_statements(list, &mut |stmt| found |= such(stmt));
    found
}

impl Accesses<'_> {
    /// Whether a polynomial is at least 0 for all arguments with which anything runs.
    pub fn never_negative(&self, poly: &Poly) -> bool {
        let mut poly = poly.clone();
        for &v in &self.positive {
            poly = poly.substitute(v, &(&Poly::var(v) + &Poly::constant(1)));
        }
        poly.is_never_negative(&|v| unsigned(self.f, v))
    }

    /// Whether `a` is provably at least 0 and below `2 * b`, within the loops over their variables.
    pub fn less_than_twice(&mut self, a: &Expr, b: &Expr) -> bool {
        let known = self.f.vars.len();
        if !matches!(a.ty, Ty::Usize | Ty::U64) {
            return false;
        }
        let (Ok(a), Ok(b)) = (self.poly(a), self.poly(b)) else { return false };
        // A condition holds in one place only, so symbols that depend on one do not count; `limits` has those of the loops.
        if a.symbols().iter().chain(&b.symbols()).any(|&v| v >= known || self.f.indices.contains(&v)) {
            return false;
        }
        let ends = |upper| bounds(&a, upper, &self.limits, &[], &|v| unsigned(self.f, v));
        let most = &(&b + &b) - &Poly::constant(1);
        ends(false).iter().any(|low| self.never_negative(low))
            && ends(true).iter().any(|high| self.never_negative(&(&most - high)))
    }

    /// Whether an index has parts that follow the loop index, though not by a stride: `i / 2`, `i % n`, a loop that ends at `i`.
    pub fn varies(&self, access: &Access, index: VarId) -> bool {
        let mut seen = BTreeSet::new();
        let mut open: Vec<VarId> = access.index.iter().flat_map(Poly::symbols).collect();
        while let Some(v) = open.pop() {
            if v == index {
                return true;
            }
            if !seen.insert(v) {
                continue;
            }
            open.extend(self.quotients.get(&v).iter().flat_map(|(of, _)| of.symbols()));
            open.extend(self.values.get(&v).iter().flat_map(|value| value.symbols()));
            let ends = access.limits.get(&v);
            open.extend(ends.iter().flat_map(|ends| ends.lows.iter().chain(&ends.highs)).flat_map(Poly::symbols));
            if let Some(e) = self.made.get(&v) {
                e.walk(&mut |e| open.extend(if let Kind::Var(v) = e.kind { Some(v) } else { None }));
            }
        }
        false
    }

    fn block(&mut self, list: &[Stmt]) {
        let before = self.guarded;
        let mut known = None;
        for stmt in list {
            self.statement(stmt);
            self.guarded |= exits(stmt);
            if let Stmt::If(condition, yes, no) = stmt
                && no.is_empty()
                && matches!(yes.last(), Some(Stmt::Return(_) | Stmt::Continue | Stmt::Break))
            {
                // The statements that follow run only if the condition is false.
                known.get_or_insert_with(|| (self.limits.clone(), self.of_index.clone(), self.doubts));
                self.refine(condition, false);
            }
        }
        if let Some(known) = known {
            (self.limits, self.of_index, self.doubts) = known;
        }
        self.guarded = before;
    }

    /// Visits a block in which a condition holds, or does not.
    fn where_it(&mut self, condition: &Expr, holds: bool, visit: impl FnOnce(&mut Self)) {
        let guarded = std::mem::replace(&mut self.guarded, true);
        let before = (guarded, self.limits.clone(), self.of_index.clone(), self.doubts);
        self.refine(condition, holds);
        visit(self);
        (self.guarded, self.limits, self.of_index, self.doubts) = before;
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, Some(value)) => {
                self.expr(value);
                self.note_values(*var, value, value, true);
                let info = &self.f.vars[*var];
                if !info.mutable && wide(info.ty) {
                    match (self.poly(value), &value.kind) {
                        (Ok(value), _) => _ = self.values.insert(*var, value),
                        (_, Kind::Select(_, a, b)) => {
                            if let (Ok(a), Ok(b)) = (self.poly(a), self.poly(b)) {
                                self.either.insert(*var, [a, b]);
                            }
                        }
                        (Err(why), _) if info.ident == HIDDEN_INDEX => _ = self.unknown.insert(*var, why),
                        _ => {}
                    }
                }
            }
            Stmt::Assign(place, op, value, span) => {
                self.expr(value);
                match place {
                    Place::Var(_) => {}
                    Place::Local(var, index) => {
                        self.expr(index);
                        self.note_local(*var, index);
                    }
                    Place::Element(array, index) => {
                        self.expr(index);
                        if op.is_some() {
                            self.access(*array, false, index, *span);
                        }
                        self.access(*array, true, index, *span);
                    }
                }
            }
            Stmt::Contribute(array, index, _, value, span) => {
                self.expr(value);
                self.expr(index);
                let access = self.access_to(*array, true, index, *span);
                self.contributions.push(access);
            }
            Stmt::For(l) => self.for_loop(l),
            Stmt::While(condition, body) => {
                let before = std::mem::replace(&mut self.guarded, true);
                self.expr(condition);
                self.block(body);
                self.guarded = before;
            }
            Stmt::If(condition, yes, no) => {
                self.expr(condition);
                self.where_it(condition, true, |all| all.block(yes));
                self.where_it(condition, false, |all| all.block(no));
            }
            Stmt::Block(body) => {
                // If a block exits, the statements after it are guarded too; `block` handles that by `exits`.
                self.block(body);
            }
            Stmt::LetArray(var, init) => {
                stmt.expressions().into_iter().for_each(|e| self.expr(e));
                if let ArrayInit::List(list) = init
                    && !self.f.vars[*var].mutable
                    && let Some(ends) = ends_of(list)
                {
                    self.lists.insert(*var, ends);
                }
            }
            other => other.expressions().into_iter().for_each(|e| self.expr(e)),
        }
    }

    fn for_loop(&mut self, l: &ForLoop) {
        self.expr(&l.lo);
        self.expr(&l.hi);
        self.note_values(l.var, &l.lo, &l.hi, l.inclusive);
        let (doubts, before) = (self.doubts, std::mem::take(&mut self.unsure));
        self.ends(&l.lo, true);
        self.unsure = false;
        self.ends(&l.hi, false);
        if std::mem::replace(&mut self.unsure, before) {
            self.may_wrap.insert(l.var);
        }
        let (lo, hi) = (self.poly(&l.lo), self.poly(&l.hi));
        let last = Poly::constant(i128::from(!l.inclusive));
        let mut limits = Limits::new(Vec::new(), Vec::new());
        let mut whole = true;
        limits.lows = self.alternatives(&l.lo, true, &mut whole);
        if whole {
            self.starts.insert(l.var, limits.lows.clone());
        }
        if self.starts_small(&l.lo) {
            self.small_starts.insert(l.var);
        }
        if !l.inclusive {
            self.below_end.insert(l.var);
        }
        limits.highs = self.alternatives(&l.hi, false, &mut whole).iter().map(|high| high - &last).collect();
        if whole {
            let (lows, highs) = (&limits.lows, &limits.highs);
            let pairs = lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high)));
            limits.turns = Some(pairs.map(|(low, high)| &(high - low) + &Poly::constant(1)).collect());
        }
        if limits.lows.len() > 1 || limits.highs.len() > 1 {
            let lengths = self.lengths(&limits, !self.f.vars[l.var].ty.is_signed());
            self.several.insert(l.var, lengths);
        }
        if !self.f.vars[l.var].ty.is_signed() && !limits.lows.contains(&Poly::constant(0)) {
            limits.lows.push(Poly::constant(0));
        }
        if let (Ok(lo), Ok(hi)) = (&lo, &hi)
            && let Some(length) = (&(hi - lo) + &(&Poly::constant(1) - &last)).as_constant()
        {
            self.fixed.insert(l.var, length);
        }
        // Where a number of iterations is needed, the first of several ends must do: there may be fewer, which `turns` says. Costs have
        // the least of them.
        let length = match (lo, hi, limits.lows.first(), limits.highs.first()) {
            (_, _, Some(lo), Some(high)) => Some(&(high - lo) + &Poly::constant(1)),
            (Ok(lo), Ok(hi), ..) => Some(&(&hi - &lo) + &(&Poly::constant(1) - &last)),
            _ => None,
        };
        if let Some(length) = &length {
            let lo = limits.lows.first().cloned().unwrap_or_default();
            self.spans.insert(l.var, (lo, length.clone()));
        }
        self.limits.insert(l.var, limits);
        self.loop_variables.insert(l.var);
        self.loops.push((l.var, length));
        let before = self.guarded;
        // A `break` may skip any of the iterations.
        self.guarded |= breaks(&l.body) || has(&l.body, |s| matches!(s, Stmt::Return(..)));
        self.block(&l.body);
        self.guarded = before;
        self.loops.pop();
        self.doubts = doubts;
    }

    /// The most turns of a loop, by each pair of its ends, without the variables of loops around it.
    fn lengths(&self, ends: &Limits, unsigned_var: bool) -> Vec<Poly> {
        let f = self.f;
        let zero = unsigned_var.then(Poly::default).filter(|_| ends.lows.is_empty());
        let keep: Vec<VarId> = f.index().into_iter().chain(f.quotients.keys().copied()).collect();
        let mut all = Vec::new();
        for low in ends.lows.iter().chain(&zero) {
            for high in &ends.highs {
                let length = &(high - low) + &Poly::constant(1);
                all.extend(bounds(&length, true, &self.limits, &keep, &|v| unsigned(f, v)));
            }
        }
        all
    }

    /// Notes the conditions on the ends of a range.
    fn ends(&mut self, e: &Expr, low: bool) {
        match &e.kind {
            Kind::Builtin(builtin @ (Builtin::Min | Builtin::Max), list) if (*builtin == Builtin::Max) == low => {
                list.iter().for_each(|e| self.ends(e, low));
            }
            Kind::Builtin(Builtin::SaturatingSub, list) if low => list.iter().for_each(|e| self.ends(e, low)),
            _ => self.ends_itself(e, low),
        }
    }

    /// The ends of a range: `a.max(b)` is at least `a`, and at least `b`. If one of them is not known, `whole` becomes false.
    fn alternatives(&mut self, e: &Expr, low: bool, whole: &mut bool) -> Vec<Poly> {
        match &e.kind {
            Kind::Builtin(builtin @ (Builtin::Min | Builtin::Max), list) if (*builtin == Builtin::Max) == low => {
                list.iter().flat_map(|e| self.alternatives(e, low, whole)).collect()
            }
            Kind::Builtin(Builtin::SaturatingSub, list) if low => match (self.poly(&list[0]), self.poly(&list[1])) {
                (Ok(a), Ok(b)) => vec![&a - &b, Poly::constant(0)],
                _ => {
                    *whole = false;
                    vec![Poly::constant(0)]
                }
            },
            _ => {
                let end = self.poly(e);
                *whole &= end.is_ok();
                end.into_iter().collect()
            }
        }
    }

    /// Narrows the limits of loop variables and indices where a condition holds, or does not.
    fn refine(&mut self, condition: &Expr, holds: bool) {
        if let Kind::Not(inner) = &condition.kind {
            return self.refine(inner, !holds);
        }
        let Kind::Binary(op, a, b) = &condition.kind else { return };
        if *op == if holds { Binary::Both } else { Binary::Either } {
            self.refine(a, holds);
            self.refine(b, holds);
            return;
        }
        if !matches!(op, Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne) {
            return;
        }
        let doubts = self.doubts;
        let (Ok(x), Ok(y)) = (self.poly(a), self.poly(b)) else { return };
        let sure = self.is_itself(a, &x) && self.is_itself(b, &y) && self.doubts == doubts;
        self.doubts = doubts;
        if !sure {
            return;
        }
        // Nor does a condition mean what it says where a number in it is too large for its type.
        if ![(a, &x), (b, &y)]
            .into_iter()
            .all(|(e, poly)| [true, false].iter().all(|upper| self.fits(e, poly, *upper, true)))
        {
            return;
        }
        let signed = a.ty.is_signed();
        let (a, b) = (x, y);
        let one = Poly::constant(1);
        // a <= b, in each direction that follows.
        let pairs = match (op, holds) {
            (Binary::Lt, true) | (Binary::Ge, false) => vec![(a, &b - &one)],
            (Binary::Le, true) | (Binary::Gt, false) => vec![(a, b)],
            (Binary::Gt, true) | (Binary::Le, false) => vec![(b, &a - &one)],
            (Binary::Ge, true) | (Binary::Lt, false) => vec![(b, a)],
            (Binary::Eq, true) | (Binary::Ne, false) => vec![(a.clone(), b.clone()), (b, a)],
            _ => self.differ(&a, &b),
        };
        for (small, large) in pairs {
            self.refine_index(&small, &large);
            for var in self.limits.keys().copied().collect::<Vec<_>>() {
                let unit = |poly: &Poly| {
                    poly.split(var).filter(|(factor, _)| factor.as_constant() == Some(1)).map(|(_, rest)| rest)
                };
                let (high, low) = (unit(&small).map(|rest| &large - &rest), unit(&large).map(|rest| &small - &rest));
                for (end, upper) in [(high, true), (low, false)] {
                    // Limits depend on earlier symbols only, so that they can be resolved in order.
                    let earlier = |end: &Poly| end.symbols().into_iter().all(|v| v < var);
                    let Some(end) = end.filter(|end| earlier(end) && !self.depends_on(end, var)) else { continue };
                    let times = self.limits.get(&var).map_or(1, |limits| limits.times);
                    self.note_limit(var, upper, &(&end * &Poly::constant(times)), (&small, &large), signed);
                    if let Some(limits) = self.limits.get_mut(&var) {
                        let end = &end * &Poly::constant(limits.times);
                        if upper { limits.highs.push(end) } else { limits.lows.push(end) }
                    }
                }
            }
        }
    }

    /// Whether a value is limited by `var`, directly or by what limits its symbols: to limit `var` by it, too, would let `bounds` go
    /// round for ever. The end of a loop may be such a symbol, which is made before its variable and has a later number.
    fn depends_on(&self, poly: &Poly, var: VarId) -> bool {
        let mut seen = BTreeSet::new();
        let mut open: Vec<VarId> = poly.symbols().into_iter().collect();
        while let Some(v) = open.pop() {
            if v == var {
                return true;
            }
            if let Some(limits) = self.limits.get(&v).filter(|_| seen.insert(v)) {
                open.extend(limits.lows.iter().chain(&limits.highs).flat_map(Poly::symbols));
            }
        }
        false
    }

    /// Narrows the loop index, by the arguments.
    fn refine_index(&mut self, small: &Poly, large: &Poly) {
        let Some(index) = self.f.index() else { return };
        let known = |poly: &Poly| poly.symbols().into_iter().all(|v| known_with_arguments(self.f, v));
        let unit =
            |poly: &Poly| poly.split(index).filter(|(factor, _)| factor.as_constant() == Some(1)).map(|(_, rest)| rest);
        let high = unit(small).map(|rest| large - &rest).filter(known);
        let low = unit(large).map(|rest| small - &rest).filter(known);
        self.of_index.highs.extend(high);
        self.of_index.lows.extend(low);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Load(array, index) => {
                self.expr(index);
                self.access(*array, false, index, e.span);
            }
            Kind::Select(condition, yes, no) => {
                self.expr(condition);
                self.where_it(condition, true, |all| all.expr(yes));
                self.where_it(condition, false, |all| all.expr(no));
            }
            Kind::Binary(Binary::Both | Binary::Either, a, b) => {
                self.expr(a);
                let holds = matches!(e.kind, Kind::Binary(Binary::Both, ..));
                self.where_it(a, holds, |all| all.expr(b));
            }
            Kind::Lit(_) | Kind::Var(_) | Kind::Whole(..) => {}
            Kind::Local(var, index) => {
                self.expr(index);
                self.note_local(*var, index);
            }
            Kind::Neg(e) | Kind::Not(e) | Kind::Cast(e) => self.expr(e),
            Kind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Kind::Builtin(_, list) | Kind::Helper(_, list) => list.iter().for_each(|e| self.expr(e)),
        }
    }

    fn access(&mut self, array: ArrayId, write: bool, index: &Expr, span: Span) {
        let access = self.access_to(array, write, index, span);
        let doubts = self.doubts;
        if access.index.is_err()
            && let Some(both) = self.alternatives_of(index)
        {
            let doubtful = self.doubts.any();
            self.doubts = doubts;
            // It is one of the two.
            self.list.extend(both.map(|(chosen, index)| Access {
                index: Ok(index),
                guarded: true,
                doubtful,
                chosen: Some(chosen),
                ..access.clone()
            }));
            return;
        }
        self.list.push(access);
    }

    /// The two values of an index that contains a local with one of two values, each with that local's value.
    fn alternatives_of(&mut self, index: &Expr) -> Option<[((VarId, Poly), Poly); 2]> {
        let mut used = None;
        index.walk(&mut |e| {
            if let Kind::Var(v) = e.kind
                && self.either.contains_key(&v)
            {
                used = Some(v);
            }
        });
        let var = used?;
        let values = self.either[&var].clone();
        let both = values.clone().map(|value| {
            self.values.insert(var, value);
            self.poly(index)
        });
        self.values.remove(&var);
        let ([a, b], [Ok(x), Ok(y)]) = (values, both) else { return None };
        Some([((var, a), x), ((var, b), y)])
    }

    fn access_to(&mut self, array: ArrayId, write: bool, index: &Expr, span: Span) -> Access {
        let place = std::ptr::from_ref(index);
        let doubts = self.doubts;
        let index = self.poly(index);
        let doubtful = self.doubts.any();
        self.doubts = doubts;
        Access {
            of_index: self.of_index.clone(),
            doubtful,
            array,
            write,
            index,
            limits: self.limits.clone(),
            guarded: self.guarded,
            loops: self.loops.clone(),
            span,
            place,
            chosen: None,
        }
    }

    /// Whether a local array is one of known integers that stands first in the body, so that it is there and the same everywhere.
    pub fn is_table(&self, var: VarId) -> bool {
        let first = self.f.body.iter().map_while(|stmt| match stmt {
            Stmt::LetArray(var, _) => Some(*var),
            _ => None,
        });
        self.lists.contains_key(&var) && first.into_iter().any(|of| of == var)
    }

    pub fn next_symbol(&self) -> VarId {
        self.next
    }

    /// Makes the symbols from this one on free again.
    pub fn forget_symbols(&mut self, from: VarId) {
        self.next = from;
    }

    fn new_symbol(&mut self, signed: bool) -> VarId {
        self.next += 2;
        self.next - 2 + usize::from(signed)
    }

    /// A symbol for a value of which limits are known; without one, it is known to be at least 0.
    fn fresh(&mut self, lows: Vec<Poly>, highs: Vec<Poly>, signed: bool) -> Poly {
        let var = self.new_symbol(signed);
        self.limits.insert(var, Limits::new(lows, highs));
        Poly::var(var)
    }

    /// The value of an expression as a polynomial of the loop index and the arguments, or why it is none.
    pub fn poly(&mut self, e: &Expr) -> Result<Poly, String> {
        let before = self.next;
        let poly = self.value(e)?;
        // A single symbol, made for it just now, stands for this expression.
        if let [var] = poly.symbols().into_iter().collect::<Vec<_>>()[..]
            && var >= before
            && self.limits.contains_key(&var)
            && poly == Poly::var(var)
        {
            self.made.entry(var).or_insert_with(|| e.clone());
        }
        Ok(poly)
    }

    fn value(&mut self, e: &Expr) -> Result<Poly, String> {
        match &e.kind {
            Kind::Lit(Lit::Int(value)) if *value < 1 << 62 => Ok(Poly::constant(*value as i128)),
            Kind::Var(var) => self.symbol(*var),
            Kind::Cast(inner) if wide(e.ty) => {
                let plain = matches!(inner.kind, Kind::Var(_) | Kind::Lit(_) | Kind::Load(..));
                if wide(inner.ty) || plain && inner.ty.is_integer() {
                    self.poly(inner)
                } else {
                    Err(format!(
                        "its index is computed as {}, which may wrap: compute indices as usize",
                        inner.ty.name()
                    ))
                }
            }
            Kind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) if wide(e.ty) => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                Ok(match op {
                    Binary::Add => &a + &b,
                    Binary::Sub => &a - &b,
                    _ => &a * &b,
                })
            }
            Kind::Binary(Binary::Rem, _, by) if matches!(e.ty, Ty::Usize | Ty::U64) => {
                let divisor = by;
                let by = self.poly(by)?;
                self.is_itself(divisor, &by);
                self.is_divisor(&by);
                Ok(self.fresh(vec![Poly::constant(0)], vec![&by - &Poly::constant(1)], false))
            }
            Kind::Binary(Binary::Div, of, by) if wide(e.ty) => {
                let (a, by) = (self.poly(of)?, self.poly(by)?);
                self.is_itself(of, &a);
                match by.as_constant() {
                    Some(by) if by > 0 && a.terms().all(|(_, factor)| factor % by == 0) => {
                        self.must_fit(of, &a, true, false);
                        self.must_fit(of, &a, false, false);
                        Ok(a.divided(by))
                    }
                    Some(by) if by > 0 && !e.ty.is_signed() => {
                        // That of a number that has wrapped is less.
                        self.must_fit(of, &a, true, true);
                        Ok(self.quotient(a, by))
                    }
                    _ => Err("its index is a quotient, which does not follow the loop evenly".into()),
                }
            }
            Kind::Builtin(Builtin::SaturatingSub, list) if wide(e.ty) => {
                let (a, b) = (self.poly(&list[0])?, self.poly(&list[1])?);
                self.is_itself(&list[0], &a);
                self.is_itself(&list[1], &b);
                // With less to subtract there is more left, which the limits allow.
                self.must_fit(&list[0], &a, true, true);
                let highs = if b.is_never_negative(&|v| unsigned(self.f, v)) { vec![a.clone()] } else { Vec::new() };
                Ok(self.fresh(vec![&a - &b, Poly::constant(0)], highs, false))
            }
            Kind::Builtin(builtin @ (Builtin::Min | Builtin::Max), list) if wide(e.ty) => {
                let (a, b) = (self.poly(&list[0])?, self.poly(&list[1])?);
                self.is_itself(&list[0], &a);
                self.is_itself(&list[1], &b);
                let signed = e.ty.is_signed();
                for (e, poly) in list.iter().zip([&a, &b]) {
                    // An unsigned number that has wrapped is less, as the lesser of two may be.
                    if signed || *builtin == Builtin::Max {
                        self.must_fit(e, poly, true, !signed);
                        self.must_fit(e, poly, false, !signed);
                    }
                }
                let least = [&a, &b].map(|poly| poly.is_never_negative(&|v| unsigned(self.f, v)));
                let signed = |known: bool| e.ty.is_signed() && !known;
                Ok(match builtin {
                    Builtin::Min => {
                        let signed = signed(least[0] && least[1]);
                        let zero = if signed { Vec::new() } else { vec![Poly::constant(0)] };
                        self.fresh(zero, vec![a, b], signed)
                    }
                    _ => self.fresh(vec![a, b], Vec::new(), signed(least[0] || least[1])),
                })
            }
            Kind::Local(var, _) if wide(e.ty) && self.lists.contains_key(var) => {
                let (least, most) = self.lists[var];
                Ok(self.fresh(vec![Poly::constant(least)], vec![Poly::constant(most)], least < 0))
            }
            Kind::Load(array, _) => {
                Err(format!("its index is read from `{}`, so that it depends on the data", self.f.arrays[*array].ident))
            }
            _ => Err("its index is no sum of products of the loop index, loop variables and arguments".into()),
        }
    }

    /// A symbol for `a / by`; equal quotients share one.
    fn quotient(&mut self, a: Poly, by: i128) -> Poly {
        let known = self.quotients.iter().find(|(_, of)| **of == (a.clone(), by)).map(|(var, _)| *var);
        let var = known.unwrap_or_else(|| self.new_symbol(false));
        let low = &a - &Poly::constant(by - 1);
        self.limits
            .insert(var, Limits { lows: vec![Poly::constant(0), low], highs: vec![a.clone()], times: by, turns: None });
        self.quotients.insert(var, (a, by));
        Poly::var(var)
    }

    fn symbol(&self, var: VarId) -> Result<Poly, String> {
        if let Some(value) = self.values.get(&var) {
            return Ok(value.clone());
        }
        let info = &self.f.vars[var];
        let known = self.f.indices.contains(&var) || self.f.is_argument(var) || self.loop_variables.contains(&var);
        match (known && info.ty.is_integer(), info.mutable) {
            (true, false) => Ok(Poly::var(var)),
            (_, true) => {
                Err(format!("`{}` in its index changes while the iteration runs: use a `for` over a range", info.ident))
            }
            _ if let Some(why) = self.unknown.get(&var) => Err(why.clone()),
            _ => Err(format!(
                "`{}` in its index is no sum of products of the loop index, loop variables and arguments",
                info.ident
            )),
        }
    }
}

/// Whether `break` leaves the loop of this body.
pub fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::For(_) | Stmt::While(..) => false,
        other => other.blocks().into_iter().any(breaks),
    })
}

/// The least and the greatest of literals.
fn ends_of(list: &[Expr]) -> Option<(i128, i128)> {
    let value = |e: &Expr| match &e.kind {
        Kind::Lit(Lit::Int(value)) if *value < 1 << 62 => Some(*value as i128),
        Kind::Neg(inner) => match inner.kind {
            Kind::Lit(Lit::Int(value)) if value < 1 << 62 => Some(-(value as i128)),
            _ => None,
        },
        _ => None,
    };
    let values = list.iter().map(value).collect::<Option<Vec<_>>>()?;
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// Types whose sums and products are exact for all valid indices.
fn wide(ty: Ty) -> bool {
    matches!(ty, Ty::Usize | Ty::U64 | Ty::I64)
}

/// Whether the limits of all symbols are reached: those of loops whose ends are all known are, those of values such as `a % b` may
/// not be.
pub fn exact(f: &Function, poly: &Poly, limits: &BTreeMap<VarId, Limits>) -> bool {
    poly.symbols().into_iter().all(|v| {
        f.quotients.contains_key(&v)
            || v <= second_range(f).1
                && limits
                    .get(&v)
                    .is_none_or(|l| l.turns.is_some() && l.lows.iter().chain(&l.highs).all(|end| exact(f, end, limits)))
    })
}

/// Whether a symbol has a value once the arguments are bound.
pub fn known_with_arguments(f: &Function, v: VarId) -> bool {
    let (lo, hi) = second_range(f);
    let end = f.indices.len() == 2 && (v == lo || v == hi);
    end || f.is_argument(v) || f.quotients.contains_key(&v)
}

/// The quotients in an analysis that depend on arguments only.
pub fn quotients(accesses: &Accesses<'_>) -> BTreeMap<VarId, (Poly, i128)> {
    let f = accesses.f;
    let argument = |v: VarId| f.is_argument(v);
    accesses
        .quotients
        .iter()
        .filter(|(_, (of, _))| of.symbols().into_iter().all(argument))
        .map(|(v, q)| (*v, q.clone()))
        .collect()
}

/// Why there are no limits of an index.
fn without_limits(f: &Function, index: &Poly, limits: &BTreeMap<VarId, Limits>) -> String {
    let doubtful =
        [true, false].into_iter().find_map(|upper| doubtful_factor(index, upper, limits, &|v| unsigned(f, v)));
    match doubtful {
        Some(factor) if factor.symbols().into_iter().all(|v| f.is_argument(v)) => format!(
            "the factor `{}` in its index might be below 0: pass its value as a parameter of its own, of type usize",
            crate::maps::show(f, &factor)
        ),
        _ => "a loop variable or a value in its index has no limits that follow from the arguments".into(),
    }
}

/// The elements of an access, as seen from the loop over `index`.
pub fn reach(f: &Function, access: &Access, index: VarId) -> Result<Reach, String> {
    let poly = access.index.as_ref().map_err(Clone::clone)?;
    let at_least_0 = |v: VarId| unsigned(f, v);
    let square = || "the loop index occurs in its index in a higher power".to_owned();
    let (own, _) = poly.split(index).ok_or_else(square)?;
    // Quotients of arguments have limits for proofs, and a value once the arguments are known.
    let mut keep = vec![index];
    keep.extend(access.limits.keys().filter(|v| f.quotients.contains_key(v)));
    let split = |upper: bool| -> Result<Vec<(Poly, Poly)>, String> {
        let mut all = bounds(poly, upper, &access.limits, &[index], &at_least_0);
        for bound in bounds(poly, upper, &access.limits, &keep, &at_least_0) {
            if !all.contains(&bound) {
                all.push(bound);
            }
        }
        all.iter().map(|bound| bound.split(index).ok_or_else(square)).collect()
    };
    let (lengths, enough) = access.lengths(f);
    let (lows, highs) = (split(false)?, split(true)?);
    let both = |stride: &Poly| lows.iter().any(|(s, _)| s == stride) && highs.iter().any(|(s, _)| s == stride);
    // A bound that follows the loop needs fewer elements: limits such as `n - 16` hold too, but do not depend on the iteration.
    let (zero, follow): (Vec<&Poly>, Vec<&Poly>) =
        std::iter::once(&own).chain(lows.iter().map(|(s, _)| s)).partition(|s| s.is_zero());
    let candidate = follow.into_iter().chain(zero).find(|s| both(s));
    if let Some(stride) = candidate.cloned() {
        let of = |list: &[(Poly, Poly)]| -> Vec<Poly> {
            list.iter().filter(|(s, _)| *s == stride).map(|(_, rest)| rest.clone()).collect()
        };
        // With several limits, the one that holds at an edge may differ from the one that follows the loop.
        let one = lows.iter().chain(&highs).all(|(s, _)| *s == stride);
        let all = lows.len() < MOST && highs.len() < MOST;
        let exact = one && all && exact(f, poly, &access.limits) && enough;
        return Ok(Reach { lows: of(&lows), highs: of(&highs), stride, exact, lengths });
    }
    // A value such as `a.min(b)`, of which the limits alone are known.
    if own.symbols().into_iter().any(|v| v >= f.vars.len() && !known_with_arguments(f, v)) {
        return Err(
            "what the loop index is multiplied with in its index does not follow from the arguments alone".into()
        );
    }
    // Inner loops that grow with the index: take the limits over all iterations.
    let mut limits = access.limits.clone();
    limits.insert(index, Limits::new(vec![Poly::constant(0)], vec![Poly::var(LAST)]));
    let rest = poly - &(&own * &Poly::var(index));
    let (lows, highs) =
        (bounds(&rest, false, &limits, &[], &at_least_0), bounds(&rest, true, &limits, &[], &at_least_0));
    if lows.is_empty() || highs.is_empty() {
        return Err(without_limits(f, &rest, &limits));
    }
    Ok(Reach { stride: own, lows, highs, exact: false, lengths })
}
