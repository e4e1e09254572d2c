//! Which work-items access which elements in the parts of a body, and where they wait for one another.

use crate::access::{Access, unsigned};
use crate::ir::{Expr, Kind, Place, Stmt, VarId, walk_expressions, walk_statements};
use crate::poly::{Poly, bounds};
use crate::rows::apart;
use crate::share::{Planner, Step, returns};
use std::collections::BTreeSet;

/// Which work-items perform an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    First,
    All,
    Each,
}

#[derive(Clone, Debug)]
pub struct Touch<'a> {
    pub access: &'a Access,
    pub who: Who,
    /// The shared loop in whose turns it is, without loops between.
    pub turn: Option<VarId>,
}

impl<'f> Planner<'_, 'f> {
    pub fn inside(&self, list: &[Stmt], who: Who) -> Vec<Touch<'_>> {
        let mut places: BTreeSet<*const Expr> = BTreeSet::new();
        walk_expressions(list, &mut |e| {
            if let Kind::Load(_, index) = &e.kind {
                places.insert(std::ptr::from_ref(&**index));
            }
        });
        walk_statements(list, &mut |s| {
            if let Stmt::Assign(Place::Element(_, index), ..) = s {
                places.insert(std::ptr::from_ref(index));
            }
        });
        let of = |access: &Access| if access.write && who == Who::All { Who::First } else { who };
        let found = self.accesses.list.iter().filter(|access| places.contains(&access.place));
        found.map(|access| Touch { access, who: of(access), turn: None }).collect()
    }

    pub fn of_expressions(&self, list: &[&Expr]) -> Vec<Touch<'_>> {
        let mut places: BTreeSet<*const Expr> = BTreeSet::new();
        for e in list {
            e.walk(&mut |e| {
                if let Kind::Load(_, index) = &e.kind {
                    places.insert(std::ptr::from_ref(&**index));
                }
            });
        }
        let found = self.accesses.list.iter().filter(|access| places.contains(&access.place));
        found.map(|access| Touch { access, who: Who::All, turn: None }).collect()
    }

    pub fn touches(&self, step: &Step<'f>) -> Vec<Touch<'_>> {
        let all = |steps: &[Step<'f>]| steps.iter().flat_map(|step| self.touches(step)).collect::<Vec<_>>();
        match step {
            Step::Alike(stmt) => self.inside(std::slice::from_ref(*stmt), Who::All),
            Step::Alone(stmt) => self.inside(std::slice::from_ref(*stmt), Who::First),
            Step::Shared(l, _) | Step::Nest(l, ..) => {
                let mut list = self.inside(&l.body, Who::Each);
                for touch in list.iter_mut().filter(|_| matches!(step, Step::Shared(..))) {
                    touch.turn =
                        Some(l.var).filter(|var| touch.access.loops.last().is_some_and(|(last, _)| last == var));
                }
                list.extend(self.of_expressions(&[&l.lo, &l.hi]));
                list
            }
            Step::If(condition, yes, no) => [self.of_expressions(&[condition]), all(yes), all(no)].concat(),
            Step::Block(body) => all(body),
            Step::Around(l, body, _) => [self.of_expressions(&[&l.lo, &l.hi]), all(body)].concat(),
            Step::Wait => Vec::new(),
        }
    }

    /// Whether one of two accesses in different steps may have to wait for the other.
    pub fn clash(&self, a: &Touch<'_>, b: &Touch<'_>, keep: &[VarId]) -> bool {
        let (x, y) = (a.access, b.access);
        if x.array != y.array || !(x.write || y.write) || a.who == Who::First && b.who == Who::First {
            return false;
        }
        let at_least_0 = |v: VarId| unsigned(self.f, v);
        let (Ok(p), Ok(q)) = (&x.index, &y.index) else { return true };
        // Loops over the same range give each work-item the same turns, which are counted from the first value: all that it is the
        // greatest of must be the same.
        if let (Some(v), Some(w)) = (a.turn, b.turn)
            && self.accesses.starts.get(&v) == self.accesses.starts.get(&w)
            && self.accesses.starts.contains_key(&v)
            && self.accesses.spans.get(&v) == self.accesses.spans.get(&w)
            && self.accesses.spans.contains_key(&v)
            && p.substitute(v, &Poly::var(w)) == *q
        {
            return false;
        }
        let ends = |poly: &Poly, access: &Access, upper| bounds(poly, upper, &access.limits, keep, &at_least_0);
        let below = |p: &Poly, x: &Access, q: &Poly, y: &Access| {
            let (highs, lows) = (ends(p, x, true), ends(q, y, false));
            let one = Poly::constant(1);
            highs.iter().any(|high| lows.iter().any(|low| self.accesses.never_negative(&(&(low - high) - &one))))
        };
        !(below(p, x, q, y) || below(q, y, p, x))
    }

    pub fn synced<'s>(&'s self, steps: Vec<Step<'f>>, keep: &[VarId], pending: &mut Vec<Touch<'s>>) -> Vec<Step<'f>> {
        let mut out = Vec::new();
        let meet = |pending: &[Touch<'s>], next: &[Touch<'s>]| {
            pending.iter().any(|a| next.iter().any(|b| self.clash(a, b, keep)))
        };
        for step in steps {
            let first = match &step {
                Step::If(condition, ..) => self.of_expressions(&[condition]),
                Step::Around(l, ..) => self.of_expressions(&[&l.lo, &l.hi]),
                Step::Block(_) => Vec::new(),
                _ => self.touches(&step),
            };
            if meet(pending, &first) {
                out.push(Step::Wait);
                pending.clear();
            }
            pending.extend(first);
            out.push(match step {
                Step::If(condition, yes, no) => {
                    let (mut one, mut other) = (pending.clone(), pending.clone());
                    let (yes, no) = (self.synced(yes, keep, &mut one), self.synced(no, keep, &mut other));
                    // Only the next iteration follows a side that returns.
                    let sides = [(&yes, one), (&no, other)].into_iter().filter(|(side, _)| !returns(side));
                    pending.extend(sides.flat_map(|(_, touched)| touched).collect::<Vec<_>>());
                    Step::If(condition, yes, no)
                }
                Step::Block(body) => Step::Block(self.synced(body, keep, pending)),
                Step::Around(l, body, _) => {
                    let keep: Vec<VarId> = keep.iter().copied().chain([l.var]).collect();
                    let all: Vec<Touch<'_>> = body.iter().flat_map(|step| self.touches(step)).collect();
                    // Whether one turn and the next conflict.
                    let again = all.iter().any(|a| {
                        let alone = all.iter().all(|b| a.access.array != b.access.array || b.who == Who::First);
                        a.access.write && !alone && !apart(self.accesses, a.access.array, l.var)
                    });
                    // If the loop has no turns, its waits do not happen either: what is pending stays.
                    let body = self.synced(body, &keep, &mut pending.clone());
                    pending.extend(all);
                    Step::Around(l, body, again)
                }
                other => other,
            });
        }
        out
    }
}
