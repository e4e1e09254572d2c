//! Which bodies can run in strips: a work-item has neighbouring columns, runs down their rows with earlier reads in registers,
//! and accesses vectors. Also what it reads early, under which conditions, and which rows become the next ones.

use crate::access::Accesses;
use crate::checked::Checked;
use crate::contribute::contributes;
use crate::ir::{ArrayId, Binary, Expr, ForLoop, Function, Kind, Lit, Place, Stmt, Ty, VarId};
use crate::poly::Poly;
use crate::rows::{declared, written};
use crate::share::{Rows, Step};
use crate::split::subtracts;
use std::collections::BTreeSet;

/// Elements `rest + column` of an array; `rest` grows by `step` from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Row {
    pub array: ArrayId,
    pub rest: Poly,
    pub step: Poly,
}

/// Conditions on the way to an element, by index, and whether each holds.
pub type Way = Vec<(usize, bool)>;

/// Elements `row[column + offset]`, reached by any of the ways. An empty way is always taken.
#[derive(Debug)]
pub struct Window {
    pub row: usize,
    pub offset: i64,
    pub ways: Vec<Way>,
}

/// An element whose index is not a column of a row.
#[derive(Debug)]
pub struct Other<'f> {
    pub array: ArrayId,
    pub index: &'f Expr,
    pub way: Way,
}

/// A window on both sides of a condition, of which one side has this index instead.
#[derive(Debug)]
pub struct Instead<'f> {
    pub window: usize,
    pub way: Way,
    pub index: &'f Expr,
}

/// What an expression reads early.
#[derive(Clone, Copy, Debug)]
pub enum Early {
    Window(usize),
    Other(usize),
}

#[derive(Debug)]
pub struct Condition<'f> {
    pub expr: &'f Expr,
    /// Whether it may change from row to row.
    pub moves: bool,
}

/// Iterations that are at least each of `lows` and below each of `ends`; none unless each of `differences` is at least 0.
#[derive(Debug, Default)]
pub struct Interior {
    pub lows: Vec<Poly>,
    pub ends: Vec<Poly>,
    pub differences: Vec<Poly>,
}

#[derive(Debug)]
pub struct Plan<'f> {
    /// The index of the shared loop's step.
    pub place: usize,
    pub columns: &'f ForLoop,
    /// The loop over lines around it, and its index in that loop's body.
    pub lines: Option<(&'f ForLoop, usize)>,
    /// Columns per work-item.
    pub each: usize,
    pub rows: Vec<Row>,
    pub conditions: Vec<Condition<'f>>,
    pub windows: Vec<Window>,
    pub others: Vec<Other<'f>>,
    pub instead: Vec<Instead<'f>>,
    /// Conditional values whose two sides differ only by such indices.
    pub merged: Vec<*const Expr>,
    /// Keyed by the reading expression, or by the index of a place that is read and written; `again` has that too.
    pub early: Vec<(*const Expr, Early)>,
    pub again: Vec<*const Expr>,
    /// Indices of places that are written as vectors, with their rows.
    pub stores: Vec<(*const Expr, usize)>,
    /// Indices of other elements of rows, with their offsets.
    pub elements: Vec<(*const Expr, usize, i64)>,
    /// Locals of the body's beginning that `others` may need.
    pub lets: Vec<&'f Stmt>,
    pub interior: Interior,
    /// Comparisons that hold, or do not, in the interior.
    pub known: Vec<(*const Expr, bool)>,
}

/// Larger offsets are not neighbours.
const NEAR: i64 = 8;
/// Most columns per work-item, and bytes of a vector.
pub const MOST: usize = 4;
pub const VECTOR: i128 = 16;
/// With this many registers in use, too few groups run at once.
const REGISTERS: usize = 32;
/// More windows and other elements would not stay in registers.
const MANY: usize = 40;

struct Planner<'a, 'b, 'f> {
    accesses: &'a mut Accesses<'b>,
    f: &'f Function,
    plan: Plan<'f>,
    /// Arrays that are written at all, and those written in the body so far.
    written: BTreeSet<ArrayId>,
    stored: BTreeSet<ArrayId>,
    /// Arrays with elements that are not of a row, and not read early.
    scattered: BTreeSet<ArrayId>,
    /// Whether sides of conditions are merged, and whether that worked.
    merges: bool,
    met: bool,
    /// Locals of the body, and those that follow from columns and arguments.
    inside: BTreeSet<VarId>,
    follow: BTreeSet<VarId>,
    sound: bool,
}

/// The plan for a body whose groups have tiles, if it can run in strips.
pub fn plan<'f>(accesses: &mut Accesses<'_>, f: &'f Function, rows: &Rows<'f>) -> Option<Plan<'f>> {
    if Checked::of(f, accesses).in_rows {
        return None;
    }
    attempt(accesses, f, rows, true).or_else(|| attempt(accesses, f, rows, false))
}

fn attempt<'f>(accesses: &mut Accesses<'_>, f: &'f Function, rows: &Rows<'f>, merges: bool) -> Option<Plan<'f>> {
    if rows.heavy || rows.tiles.is_none() || f.indices.len() != 1 || contributes(&f.body) {
        return None;
    }
    let place = rows.steps.iter().position(|step| matches!(step, Step::Shared(..) | Step::Nest(..)))?;
    let beside = rows.steps.iter().enumerate().filter(|(at, _)| *at != place);
    for (at, step) in beside {
        let plain = match step {
            Step::Alike(Stmt::Return(_)) => at + 1 == rows.steps.len(),
            Step::Alike(Stmt::Let(..) | Stmt::Assign(..)) | Step::Alone(Stmt::Assign(..)) => true,
            _ => false,
        };
        if !plain {
            return None;
        }
    }
    let (columns, lines) = match &rows.steps[place] {
        Step::Shared(l, _) => (*l, None),
        Step::Nest(outer, at, inner, _) => (*inner, Some((*outer, *at))),
        _ => return None,
    };
    let ends = [Some(columns), lines.map(|(outer, _)| outer)].into_iter().flatten().flat_map(|l| [&l.lo, &l.hi]);
    if !ends.into_iter().all(|e| of_arguments(f, e)) || f.vars[columns.var].ty != Ty::Usize {
        return None;
    }
    if let Some((outer, at)) = lines {
        let beside = outer.body.iter().enumerate().filter(|(place, _)| *place != at);
        if f.vars[outer.var].ty != Ty::Usize
            || beside.into_iter().any(|(_, stmt)| !matches!(stmt, Stmt::Let(_, Some(_)) | Stmt::Assign(..)))
        {
            return None;
        }
    }
    let mut planner = Planner {
        written: written(&f.body),
        stored: BTreeSet::new(),
        scattered: BTreeSet::new(),
        merges,
        met: true,
        inside: declared(&columns.body),
        follow: BTreeSet::new(),
        sound: true,
        accesses,
        f,
        plan: Plan {
            place,
            columns,
            lines,
            each: 0,
            rows: Vec::new(),
            conditions: Vec::new(),
            windows: Vec::new(),
            others: Vec::new(),
            instead: Vec::new(),
            merged: Vec::new(),
            early: Vec::new(),
            again: Vec::new(),
            stores: Vec::new(),
            elements: Vec::new(),
            lets: Vec::new(),
            interior: Interior::default(),
            known: Vec::new(),
        },
    };
    planner.block(&columns.body, Some(&Vec::new()), true);
    planner.finish()
}

pub fn argument(f: &Function, var: VarId) -> bool {
    f.is_argument(var) && !f.vars[var].mutable
}

/// Whether it contains only arguments.
pub fn of_arguments(f: &Function, e: &Expr) -> bool {
    only(e, &|var| argument(f, var))
}

/// Whether it is computed from such variables, without elements and helper functions.
pub fn only(e: &Expr, such: &dyn Fn(VarId) -> bool) -> bool {
    let mut plain = true;
    e.walk(&mut |e| match e.kind {
        Kind::Var(var) => plain &= such(var),
        Kind::Load(..) | Kind::Local(..) | Kind::Helper(..) => plain = false,
        _ => {}
    });
    plain
}

impl Plan<'_> {
    /// Whether a work-item uses so many registers that fewer run at once: for elements of rows, others, and distances.
    pub fn many(&self, f: &Function) -> bool {
        let words = |array: ArrayId| if f.arrays[array].ty.bytes() == 8 { 2 } else { 1 };
        let of_rows = self.rows.iter().enumerate().map(|(at, row)| {
            let offsets = || self.windows.iter().filter(|window| window.row == at).map(|window| window.offset);
            let beside = offsets().max().unwrap_or(0).max(0) - offsets().min().unwrap_or(0).min(0);
            if offsets().next().is_some() { words(row.array) * (self.each + beside as usize) } else { 0 }
        });
        let of_others = self.others.iter().map(|other| words(other.array) * self.each);
        of_rows.chain(of_others).sum::<usize>() + 2 * self.instead.len() >= REGISTERS
    }

    /// The amounts that must be multiples of the columns per work-item, so that rows are aligned for vectors; then where the
    /// columns begin. `None` if these do not follow from the arguments.
    pub fn distances(&self, f: &Function) -> Option<Vec<Poly>> {
        let mut list = Vec::new();
        let of_windows = self.windows.iter().map(|window| window.row);
        for row in of_windows.chain(self.stores.iter().map(|(_, row)| *row)).collect::<BTreeSet<_>>() {
            let (step, rest) = self.rows[row].rest.split(f.index()?)?;
            let mut parts = vec![step, rest];
            if let Some((line, _)) = self.lines {
                let (factor, rest) = parts.pop()?.split(line.var)?;
                parts.extend([factor, rest]);
            }
            for part in parts {
                if !part.symbols().into_iter().all(|v| v < f.vars.len() && argument(f, v)) {
                    return None;
                }
                if !part.is_zero() && !list.contains(&part) && !list.contains(&-&part) {
                    list.push(part);
                }
            }
        }
        Some(list)
    }
}

impl<'f> Planner<'_, '_, 'f> {
    fn finish(self) -> Option<Plan<'f>> {
        let mut plan = self.plan;
        if !self.met {
            return None;
        }
        let widest = plan.rows.iter().map(|row| self.f.arrays[row.array].ty.bytes()).max()?;
        plan.each = usize::try_from(VECTOR / widest).unwrap_or(1).clamp(2, MOST);
        // An array that is written in several places, or accessed after the store, is written element by element.
        let (rows, elements, scattered) = (&plan.rows, &plan.elements, &self.scattered);
        let mut of_stores: Vec<ArrayId> = plan.stores.iter().map(|(_, row)| rows[*row].array).collect();
        of_stores.sort_unstable();
        let whole = |array: ArrayId| {
            of_stores.iter().filter(|&&of| of == array).count() == 1
                && !scattered.contains(&array)
                && elements.iter().all(|(_, row, _)| rows[*row].array != array)
        };
        let (stores, single): (Vec<_>, Vec<_>) = plan.stores.iter().partition(|(_, row)| whole(rows[*row].array));
        plan.stores = stores;
        plan.elements.extend(single.into_iter().map(|(place, row)| (place, row, 0)));
        let registers = plan.windows.len() + plan.others.len();
        (self.sound && registers <= MANY && !(plan.windows.is_empty() && plan.stores.is_empty())).then_some(plan)
    }

    /// `way` is `None` if its conditions are not known before the elements are read.
    fn block(&mut self, list: &'f [Stmt], way: Option<&Way>, top: bool) {
        for stmt in list {
            match stmt {
                Stmt::Let(var, init) => {
                    let Some(init) = init else { continue };
                    self.expr(init, way);
                    if top && !self.f.vars[*var].mutable && self.follows(init) {
                        self.follow.insert(*var);
                        self.plan.lets.push(stmt);
                    }
                }
                Stmt::Assign(place, op, value, _) => {
                    self.expr(value, way);
                    match place {
                        Place::Var(_) => {}
                        Place::Local(_, index) => self.expr(index, way),
                        Place::Element(array, index) => {
                            self.expr(index, way);
                            if op.is_some() {
                                self.read(*array, index, index, way);
                            }
                            self.store(*array, index, top);
                        }
                    }
                }
                Stmt::If(condition, yes, no) => {
                    self.expr(condition, way);
                    let [one, other] = self.ways(condition, way);
                    self.block(yes, one.as_ref(), false);
                    self.block(no, other.as_ref(), false);
                }
                Stmt::Block(body) => self.block(body, way, top),
                Stmt::LetArray(..) => stmt.expressions().into_iter().for_each(|e| self.expr(e, way)),
                _ => self.sound = false,
            }
        }
    }

    fn expr(&mut self, e: &'f Expr, way: Option<&Way>) {
        match &e.kind {
            Kind::Load(array, index) => {
                self.expr(index, way);
                self.read(*array, index, e, way);
            }
            Kind::Select(condition, yes, no) => {
                self.expr(condition, way);
                if self.merge(e, way).is_some() {
                    return;
                }
                let [one, other] = self.ways(condition, way);
                self.expr(yes, one.as_ref());
                self.expr(no, other.as_ref());
            }
            Kind::Binary(op @ (Binary::Both | Binary::Either), a, b) => {
                self.expr(a, way);
                // Most conditions read no elements.
                if !only(b, &|_| true) {
                    let [one, other] = self.ways(a, way);
                    self.expr(b, if *op == Binary::Both { one.as_ref() } else { other.as_ref() });
                }
            }
            _ => e.parts().into_iter().for_each(|part| self.expr(part, way)),
        }
    }

    /// The ways into both sides of a condition.
    fn ways(&mut self, condition: &'f Expr, way: Option<&Way>) -> [Option<Way>; 2] {
        let Some((way, at)) = way.and_then(|way| Some((way, self.condition(condition)?))) else { return [None, None] };
        [true, false].map(|holds| Some([way.clone(), vec![(at, holds)]].concat()))
    }

    /// Merges a conditional value whose sides are alike, except that one reads elements of rows and the other uses other indices:
    /// it becomes one side, with suitable pointers.
    fn merge(&mut self, e: &'f Expr, way: Option<&Way>) -> Option<()> {
        let (Kind::Select(condition, yes, no), true, Some(way)) = (&e.kind, self.merges, way) else { return None };
        let mut pairs = Vec::new();
        if !alike(yes, no, &mut pairs) || pairs.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for (array, ours, theirs) in pairs {
            let (row, offset) = self.row(array, row_index(ours)?)?;
            let theirs = row_index(theirs)?;
            let other = self.row(array, theirs).is_none() && self.follows(theirs) && self.stands_alone(theirs);
            if !other || self.written.contains(&array) || !self.goes_on(theirs, row) {
                return None;
            }
            found.push((row, offset, ours, theirs));
        }
        let [_, no_way] = self.ways(condition, Some(way));
        let no_way = no_way?;
        if no_way.iter().any(|(at, _)| self.plan.conditions[*at].moves) {
            return None;
        }
        for (row, offset, ours, index) in found {
            // The window must be new: only one index can stand in for it.
            self.met &= self.plan.windows.iter().all(|w| (w.row, w.offset) != (row, offset));
            self.plan.windows.push(Window { row, offset, ways: vec![way.clone()] });
            let window = self.plan.windows.len() - 1;
            self.plan.early.push((std::ptr::from_ref(ours), Early::Window(window)));
            self.plan.instead.push(Instead { window, way: no_way.clone(), index });
        }
        self.plan.merged.push(std::ptr::from_ref(e));
        Some(())
    }

    /// Whether it can be computed before the statements beside the shared loop: from arguments, the work-item's row, column and
    /// line, and locals of the loop that can be, too.
    fn stands_alone(&self, e: &Expr) -> bool {
        let (f, plan) = (self.f, &self.plan);
        let line = plan.lines.map(|(l, _)| l.var);
        let mut known: Vec<VarId> = [f.index(), Some(plan.columns.var), line].into_iter().flatten().collect();
        for stmt in &plan.lets {
            if let Stmt::Let(var, Some(value)) = stmt
                && only(value, &|v| known.contains(&v) || argument(f, v))
            {
                known.push(*var);
            }
        }
        only(e, &|v| known.contains(&v) || argument(f, v))
    }

    /// Whether an index grows by the row's step from iteration to iteration.
    fn goes_on(&mut self, index: &Expr, row: usize) -> bool {
        let Some(i) = self.f.index() else { return false };
        let mut plain = true;
        index.walk(&mut |e| {
            let whole = matches!(
                e.kind,
                Kind::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) | Kind::Lit(_) | Kind::Var(_)
            );
            if !whole {
                // Nonlinear parts must not depend on the iteration.
                e.walk(&mut |e| {
                    if let Kind::Var(var) = e.kind {
                        plain &= self.accesses.poly(e).is_ok_and(|poly| !poly.has(i)) && !self.f.vars[var].mutable;
                    }
                });
            }
        });
        let step = self.accesses.poly(index).ok().and_then(|poly| poly.split(i)).map(|(step, _)| step);
        plain && step.as_ref() == Some(&self.plan.rows[row].step)
    }

    fn condition(&mut self, e: &'f Expr) -> Option<usize> {
        let f = self.f;
        if !only(e, &|var| !self.inside.contains(&var) && !f.vars[var].mutable) {
            return None;
        }
        if let Some(at) = self.plan.conditions.iter().position(|known| std::ptr::eq(known.expr, e)) {
            return Some(at);
        }
        self.assume(e, !matches!(e.kind, Kind::Binary(Binary::Either | Binary::Eq, ..)));
        let moves = self.moves(e);
        self.plan.conditions.push(Condition { expr: e, moves });
        Some(self.plan.conditions.len() - 1)
    }

    /// Whether it may change from row to row; known comparisons do not.
    fn moves(&self, e: &Expr) -> bool {
        if self.plan.known.iter().any(|(known, _)| std::ptr::eq(*known, e)) {
            return false;
        }
        match e.kind {
            Kind::Var(var) => {
                let line = self.plan.lines.is_some_and(|(l, _)| l.var == var);
                !(argument(self.f, var) || line || var == self.plan.columns.var)
            }
            _ => e.parts().into_iter().any(|part| self.moves(part)),
        }
    }

    /// Restricts the interior so that comparisons of the iteration in `e` are known there, with `e` as `holds` says.
    fn assume(&mut self, e: &'f Expr, holds: bool) {
        let Kind::Binary(op, a, b) = &e.kind else { return };
        match (op, holds) {
            (Binary::Both, true) | (Binary::Either, false) => {
                self.assume(a, holds);
                self.assume(b, holds);
            }
            _ if op.compares() => {
                let before = (
                    self.plan.interior.lows.len(),
                    self.plan.interior.ends.len(),
                    self.plan.interior.differences.len(),
                );
                if self.bound(*op, a, b, holds).is_some() {
                    self.plan.known.push((std::ptr::from_ref(e), holds));
                } else {
                    self.plan.interior.lows.truncate(before.0);
                    self.plan.interior.ends.truncate(before.1);
                    self.plan.interior.differences.truncate(before.2);
                }
            }
            _ => {}
        }
    }

    fn bound(&mut self, op: Binary, a: &Expr, b: &Expr, holds: bool) -> Option<()> {
        let (f, i) = (self.f, self.f.index()?);
        let mut side = |e: &Expr| {
            let fits = |poly: &Poly| poly.symbols().iter().all(|&v| v == i || v < f.vars.len() && argument(f, v));
            self.accesses.poly(e).ok().filter(fits)
        };
        let (left, right) = (side(a)?, side(b)?);
        // Arguments beyond the signed range, or negative ones cast to unsigned, would have other values here: all must be at
        // least 0.
        let symbols: BTreeSet<VarId> = left.symbols().into_iter().chain(right.symbols()).filter(|&v| v != i).collect();
        self.plan.interior.differences.extend(symbols.into_iter().map(Poly::var));
        let signed = a.ty.is_signed();
        for (e, poly) in [(a, &left), (b, &right)] {
            // In a local, or of signed numbers cast to unsigned ones, only the polynomial's terms show a difference.
            if subtracts(e) || !signed && poly.terms().any(|(_, factor)| factor < 0) {
                // A difference that contains the iteration cannot be checked in advance.
                if poly.has(i) {
                    return None;
                }
                self.plan.interior.differences.push(poly.clone());
            }
        }
        let one = Poly::constant(1);
        // smaller < larger
        let (smaller, larger) = match (op, holds) {
            (Binary::Lt, true) | (Binary::Ge, false) => (left, right),
            (Binary::Le, true) | (Binary::Gt, false) => (left, &right + &one),
            (Binary::Gt, true) | (Binary::Le, false) => (right, left),
            (Binary::Ge, true) | (Binary::Lt, false) => (right, &left + &one),
            // Iteration `value` is excluded: if it is a constant, the interior begins after it, else it ends before it.
            (Binary::Eq, false) | (Binary::Ne, true) => {
                let (factor, rest) = (&left - &right).split(i)?;
                let value = match factor.as_constant()? {
                    1 => -&rest,
                    -1 => rest,
                    _ => return None,
                };
                if value.as_constant().is_some() {
                    self.plan.interior.lows.push(&value + &one);
                } else {
                    self.plan.interior.ends.push(value);
                }
                return Some(());
            }
            _ => return None,
        };
        let (factor, rest) = (&larger - &smaller).split(i)?;
        // 0 < factor*i + rest
        match factor.as_constant()? {
            1 => self.plan.interior.lows.push(&one - &rest),
            -1 => self.plan.interior.ends.push(rest),
            _ => return None,
        }
        Some(())
    }

    /// Whether it is determined by column, line, iteration and arguments.
    fn follows(&self, e: &Expr) -> bool {
        only(e, &|var| self.follow.contains(&var) || !self.inside.contains(&var) && !self.f.vars[var].mutable)
    }

    /// An element as one of a row, with its offset.
    fn row(&mut self, array: ArrayId, index: &Expr) -> Option<(usize, i64)> {
        let (f, i) = (self.f, self.f.index()?);
        let poly = self.accesses.poly(index).ok()?;
        let column = self.plan.columns.var;
        let line = self.plan.lines.map(|(l, _)| l.var);
        let plain = |v: VarId| v == i || v == column || Some(v) == line || v < f.vars.len() && argument(f, v);
        if !poly.symbols().into_iter().all(plain) {
            return None;
        }
        let (factor, rest) = poly.split(column)?;
        let number = rest.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
        let offset = i64::try_from(number).ok().filter(|offset| offset.abs() <= NEAR)?;
        let rest = &rest - &Poly::constant(number);
        let (step, _) = rest.split(i)?;
        if factor.as_constant() != Some(1) || step.has(column) {
            return None;
        }
        let known = self.plan.rows.iter().position(|row| row.array == array && row.rest == rest);
        let at = known.unwrap_or_else(|| {
            self.plan.rows.push(Row { array, rest, step });
            self.plan.rows.len() - 1
        });
        Some((at, offset))
    }

    fn read(&mut self, array: ArrayId, index: &'f Expr, by: &'f Expr, way: Option<&Way>) {
        if std::ptr::eq(by, index) {
            self.plan.again.push(index);
        }
        let by = std::ptr::from_ref(by);
        let row = self.row(array, index);
        if let (Some(way), false) = (way, self.stored.contains(&array)) {
            // A conditional read of a written array must not also read the elements of neighbouring columns.
            let alone = self.written.contains(&array) && !way.is_empty();
            match row {
                Some((row, offset)) if !alone => {
                    let at = self.plan.windows.iter().position(|w| (w.row, w.offset) == (row, offset));
                    self.met &= at.is_none_or(|at| self.plan.instead.iter().all(|instead| instead.window != at));
                    let at = at.unwrap_or_else(|| {
                        self.plan.windows.push(Window { row, offset, ways: Vec::new() });
                        self.plan.windows.len() - 1
                    });
                    let ways = &mut self.plan.windows[at].ways;
                    ways.push(way.clone());
                    simplify(ways);
                    self.plan.early.push((by, Early::Window(at)));
                    return;
                }
                _ if self.follows(index) => {
                    self.plan.others.push(Other { array, index, way: way.clone() });
                    self.plan.early.push((by, Early::Other(self.plan.others.len() - 1)));
                    return;
                }
                _ => {}
            }
        }
        match row {
            Some((row, offset)) => self.plan.elements.push((std::ptr::from_ref(index), row, offset)),
            None => {
                self.scattered.insert(array);
            }
        }
    }

    fn store(&mut self, array: ArrayId, index: &'f Expr, top: bool) {
        self.stored.insert(array);
        match self.row(array, index) {
            Some((row, 0)) if top => self.plan.stores.push((std::ptr::from_ref(index), row)),
            Some((row, offset)) => self.plan.elements.push((std::ptr::from_ref(index), row, offset)),
            None => {
                self.scattered.insert(array);
            }
        }
    }
}

fn row_index(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        Kind::Load(_, index) => Some(index),
        _ => None,
    }
}

/// Whether two expressions are the same except for the indices of elements, which are collected.
fn alike<'f>(a: &'f Expr, b: &'f Expr, pairs: &mut Vec<(ArrayId, &'f Expr, &'f Expr)>) -> bool {
    let same = match (&a.kind, &b.kind) {
        (Kind::Load(array, _), Kind::Load(other, _)) => {
            pairs.push((*array, a, b));
            return array == other;
        }
        (Kind::Lit(x), Kind::Lit(y)) => match (x, y) {
            (Lit::Int(x), Lit::Int(y)) => x == y,
            (Lit::Float(x), Lit::Float(y)) => x == y,
            _ => false,
        },
        (Kind::Var(x), Kind::Var(y)) => return x == y,
        (Kind::Binary(x, ..), Kind::Binary(y, ..)) => x == y,
        (Kind::Builtin(x, _), Kind::Builtin(y, _)) => x == y,
        (Kind::Helper(x, _), Kind::Helper(y, _)) => x == y,
        (Kind::Neg(_), Kind::Neg(_)) | (Kind::Cast(_), Kind::Cast(_)) => true,
        _ => false,
    };
    let (ours, theirs) = (a.parts(), b.parts());
    same && a.ty == b.ty && ours.len() == theirs.len() && ours.into_iter().zip(theirs).all(|(a, b)| alike(a, b, pairs))
}

/// Simplifies ways: both sides of a condition become the way before it, and an empty way replaces all others.
fn simplify(ways: &mut Vec<Way>) {
    loop {
        ways.sort();
        ways.dedup();
        if ways.iter().any(Vec::is_empty) {
            ways.retain(Vec::is_empty);
            return;
        }
        let mut both = None;
        for (at, way) in ways.iter().enumerate() {
            let Some(((condition, holds), before)) = way.split_last() else { continue };
            let other = [before, &[(*condition, !holds)]].concat();
            if let Some(place) = ways.iter().position(|way| *way == other) {
                both = Some((at, place, before.to_vec()));
                break;
            }
        }
        let Some((one, other, shorter)) = both else { return };
        ways[one] = shorter;
        ways.remove(other);
    }
}

#[cfg(test)]
#[path = "strips_tests.rs"]
mod tests;
