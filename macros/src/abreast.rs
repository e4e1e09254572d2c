//! Columns that contain loops, several per work-item: a work-item has neighbouring columns and runs each loop for all of them
//! together. Its elements of a row are then one vector, and values common to all columns are read once. Where iterations read
//! the same elements, it has several of these too, so that each element that is read takes part in several results.

use crate::access::Accesses;
use crate::checked::Checked;
use crate::contribute::contributes;
use crate::ir::{ArrayId, Binary, Expr, ForLoop, Function, Kind, Place, Stmt, Ty, VarId};
use crate::poly::Poly;
use crate::rows::{declared, written};
use crate::share::{Rows, Step, loops_in};
use crate::strips::{MOST, VECTOR, argument, of_arguments, only};
use std::collections::{BTreeMap, BTreeSet};

/// Element `column + inner` of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Index into the plan's rows.
    pub row: usize,
    /// The part that changes in the inner loops, and the constant.
    pub inner: Poly,
}

#[derive(Debug)]
pub struct Plan<'f> {
    pub columns: &'f ForLoop,
    /// Number of columns per work-item.
    pub each: usize,
    /// Number of iterations per work-item, side by side as the columns are; 1 if they have no elements in common.
    pub high: usize,
    /// Arrays, and the element at which the columns begin in them, without the part that changes in the inner loops.
    pub rows: Vec<(ArrayId, Poly)>,
    /// Elements of rows, by their index expressions.
    pub elements: Vec<(*const Expr, Element)>,
    /// Elements that all columns always need, so that they are read or written as a vector: by the expressions that read, and by
    /// the indices that are written.
    pub loads: Vec<(*const Expr, Element)>,
    pub stores: Vec<(*const Expr, Element)>,
    /// Locals of which each column has its own.
    pub spread: Vec<VarId>,
}

/// More elements and locals, over all columns and iterations, than this would not stay in registers.
const MANY: usize = 64;
/// Most results of a local, over the columns and iterations of a work-item.
const RESULTS: usize = 16;

struct Planner<'a, 'b, 'f> {
    accesses: &'a mut Accesses<'b>,
    f: &'f Function,
    plan: Plan<'f>,
    written: BTreeSet<ArrayId>,
    /// How often an array is read or written.
    uses: BTreeMap<ArrayId, usize>,
    /// Locals of the columns.
    inside: BTreeSet<VarId>,
    /// Variables of the loops around a statement.
    loops: Vec<VarId>,
    /// Whether all iterations run the same turns of the loops, over elements that are evenly apart.
    alike: bool,
}

/// The plan for a body whose groups have tiles of columns that contain long loops.
pub fn plan<'f>(accesses: &mut Accesses<'_>, f: &'f Function, rows: &Rows<'f>) -> Option<Plan<'f>> {
    if Checked::of(f, accesses).in_rows {
        return None;
    }
    let alone = !rows.gathered.is_empty() || f.result != Ty::Unit || contributes(&f.body);
    if !rows.heavy || rows.tiles.is_none() || alone {
        return None;
    }
    let (Step::Shared(columns, _), before) = rows.steps.split_last()? else { return None };
    let plain = before.iter().all(|step| matches!(step, Step::Alike(Stmt::Let(..))));
    let ends = [&columns.lo, &columns.hi];
    if !plain || !ends.into_iter().all(|e| of_arguments(f, e)) || f.vars[columns.var].ty != Ty::Usize {
        return None;
    }
    let mut planner = Planner {
        accesses,
        f,
        plan: Plan {
            columns,
            each: 0,
            high: 1,
            rows: Vec::new(),
            elements: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
            spread: Vec::new(),
        },
        written: written(&f.body),
        uses: BTreeMap::new(),
        inside: declared(&columns.body),
        loops: Vec::new(),
        alike: before.iter().all(|step| matches!(step, Step::Alike(Stmt::Let(_, Some(_))))),
    };
    planner.inside.insert(columns.var);
    planner.block(&columns.body)?;
    planner.finish()
}

impl<'f> Planner<'_, '_, 'f> {
    fn finish(self) -> Option<Plan<'f>> {
        let (f, mut plan) = (self.f, self.plan);
        let widest = plan.rows.iter().map(|(array, _)| f.arrays[*array].ty.bytes()).max()?;
        plan.each = usize::try_from(VECTOR / widest).unwrap_or(1).clamp(2, MOST);
        // Unaligned neighbours of a vector are read one by one. A row is written as a vector only if the array has no other
        // access.
        let number = |inner: &Poly| inner.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
        let whole = |element: &Element| number(&element.inner) % plan.each as i128 == 0;
        plan.loads.retain(|(_, element)| whole(element));
        plan.stores.retain(|(_, element)| whole(element) && self.uses[&plan.rows[element.row].0] == 1);
        // Only worth it if a load differs from turn to turn of an inner loop.
        let gains = plan.loads.iter().any(|(_, load)| load.inner.as_constant().is_none());
        let words = |ty: Ty| if ty.bytes() == 8 { 2 } else { 1 };
        let of_locals: usize = plan.spread.iter().map(|&var| words(f.vars[var].ty)).sum();
        // Words of vectors that iterations read in common, and of those that each has for itself.
        let common = |load: &Element| f.index().is_some_and(|i| !plan.rows[load.row].1.has(i));
        let (mut of_all, mut of_own) = (0, 0);
        for (_, load) in &plan.loads {
            *(if common(load) { &mut of_all } else { &mut of_own }) += words(f.arrays[plan.rows[load.row].0].ty);
        }
        if !gains || plan.each * (of_locals + of_all + of_own) > MANY {
            return None;
        }
        // Several iterations are worth it if they read a vector in common in each turn.
        let gains = plan.loads.iter().any(|(_, load)| common(load) && load.inner.as_constant().is_none());
        let fits = |high: &usize| plan.each * (high * (of_locals + of_own) + of_all) <= MANY;
        let most = RESULTS / plan.each;
        plan.high = if self.alike && gains { [most, most / 2].into_iter().find(fits).unwrap_or(1) } else { 1 };
        Some(plan)
    }

    fn block(&mut self, list: &'f [Stmt]) -> Option<()> {
        let parted = list.iter().any(loops_in);
        for stmt in list {
            match stmt {
                Stmt::For(l) => {
                    // All columns must run it together, so its ends must not depend on the column.
                    let alike = |e: &Expr| only(e, &|var| !self.inside.contains(&var) || self.loops.contains(&var));
                    if !alike(&l.lo) || !alike(&l.hi) {
                        return None;
                    }
                    let of_all = |var| argument(self.f, var) || self.loops.contains(&var);
                    self.alike &= only(&l.lo, &of_all) && only(&l.hi, &of_all);
                    self.loops.push(l.var);
                    self.block(&l.body)?;
                    self.loops.pop();
                }
                _ if loops_in(stmt) => return None,
                Stmt::Let(var, _) if parted => {
                    self.plan.spread.push(*var);
                    self.statement(stmt, true)?;
                }
                Stmt::LetArray(..) if parted => return None,
                _ => self.statement(stmt, true)?,
            }
        }
        Some(())
    }

    /// Plans a statement without loops; `always`: each column reaches it.
    fn statement(&mut self, stmt: &'f Stmt, always: bool) -> Option<()> {
        match stmt {
            Stmt::Let(..) | Stmt::LetArray(..) => stmt.expressions().into_iter().try_for_each(|e| self.expr(e, always)),
            Stmt::Assign(place, op, value, _) => {
                self.expr(value, always)?;
                match place {
                    Place::Var(_) => Some(()),
                    Place::Local(_, index) => self.expr(index, always),
                    Place::Element(array, index) => {
                        self.expr(index, always)?;
                        let element = self.element(*array, index)?;
                        if let (Some(element), true, None) = (element, always, op) {
                            self.plan.stores.push((std::ptr::from_ref(index), element));
                        }
                        Some(())
                    }
                }
            }
            Stmt::If(condition, yes, no) => {
                self.expr(condition, always)?;
                yes.iter().chain(no).try_for_each(|stmt| self.statement(stmt, false))
            }
            Stmt::Block(body) => body.iter().try_for_each(|stmt| self.statement(stmt, always)),
            _ => None,
        }
    }

    fn expr(&mut self, e: &'f Expr, always: bool) -> Option<()> {
        match &e.kind {
            Kind::Load(array, index) => {
                self.expr(index, always)?;
                let element = self.element(*array, index)?;
                if let (Some(element), true, false) = (element, always, self.written.contains(array)) {
                    self.plan.loads.push((std::ptr::from_ref(e), element));
                }
                Some(())
            }
            Kind::Select(condition, yes, no) => {
                self.expr(condition, always)?;
                self.expr(yes, false)?;
                self.expr(no, false)
            }
            Kind::Binary(Binary::Both | Binary::Either, a, b) => {
                self.expr(a, always)?;
                self.expr(b, false)
            }
            _ => e.parts().into_iter().try_for_each(|part| self.expr(part, always)),
        }
    }

    /// The access as an element of a row, if it is one; `None` if neighbouring columns have elements that are far apart.
    #[allow(clippy::option_option, reason = "no plan at all, or none for this element")]
    fn element(&mut self, array: ArrayId, index: &'f Expr) -> Option<Option<Element>> {
        *self.uses.entry(array).or_default() += 1;
        let (f, column) = (self.f, self.plan.columns.var);
        let Ok(poly) = self.accesses.poly(index) else { return Some(None) };
        let (factor, rest) = poly.split(column)?;
        match factor.as_constant() {
            Some(0) => return Some(None),
            Some(1) => {}
            _ => return None,
        }
        let known = |v: VarId| Some(v) == f.index() || self.loops.contains(&v) || v < f.vars.len() && argument(f, v);
        if !rest.symbols().into_iter().all(known) {
            return Some(None);
        }
        let mut inner = Poly::default();
        for (product, value) in rest.terms() {
            if product.is_empty() || product.iter().any(|v| self.loops.contains(v)) {
                let term = product.iter().fold(Poly::constant(value), |term, &v| &term * &Poly::var(v));
                inner = &inner + &term;
            }
        }
        let begin = (array, &rest - &inner);
        self.alike &= f.index().is_none_or(|i| {
            let apart =
                begin.1.split(i).is_some_and(|(factor, _)| factor.symbols().into_iter().all(|v| argument(f, v)));
            apart && !inner.has(i)
        });
        let known = self.plan.rows.iter().position(|row| *row == begin);
        let row = known.unwrap_or_else(|| {
            self.plan.rows.push(begin);
            self.plan.rows.len() - 1
        });
        let element = Element { row, inner };
        self.plan.elements.push((std::ptr::from_ref(index), element.clone()));
        Some(Some(element))
    }
}

impl Plan<'_> {
    /// How far apart neighbouring iterations have a row; `None` if they share it.
    pub fn apart(&self, f: &Function, row: usize) -> Option<Poly> {
        self.rows[row].1.split(f.index()?).map(|(factor, _)| factor).filter(|factor| !factor.is_zero())
    }

    /// Amounts that must be multiples of the columns per work-item, so that vectors are aligned: the factors of the iteration and
    /// of inner loops, and where the columns begin.
    pub fn distances(&self, f: &Function) -> Vec<Poly> {
        let mut list = Vec::new();
        for (_, element) in self.loads.iter().chain(&self.stores) {
            for part in factors(f, &(&self.rows[element.row].1 + &element.inner)) {
                if !list.contains(&part) {
                    list.push(part);
                }
            }
        }
        list
    }
}

/// The factors of those products of variables that are not arguments.
pub fn factors(f: &Function, poly: &Poly) -> Vec<Poly> {
    let mut parts: BTreeMap<Vec<VarId>, Poly> = BTreeMap::new();
    for (product, value) in poly.terms() {
        let (of_arguments, others): (Vec<VarId>, Vec<VarId>) = product.iter().partition(|&&v| argument(f, v));
        let term = of_arguments.into_iter().fold(Poly::constant(value), |term, v| &term * &Poly::var(v));
        let part = parts.entry(others).or_default();
        *part = &*part + &term;
    }
    parts.into_values().filter(|part| !part.is_zero()).collect()
}

#[cfg(test)]
#[path = "abreast_tests.rs"]
mod tests;
