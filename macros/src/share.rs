//! How a group of work-items runs the body of an iteration: which loops they share, what all of them do, what only one does, and
//! where they wait for one another.

use crate::access::{Access, Accesses, has, known_with_arguments};
use crate::contribute::contributes;
use crate::ir::{Expr, ForLoop, Function, Kind, Lit, Place, Stmt, Ty, VarId, walk_expressions, walk_statements};
use crate::poly::Poly;
use crate::rows::{Gather, Gathered, declared, is_var, shareable, written};
use crate::wait::{Touch, Who};
use std::collections::BTreeSet;

/// A part of the body.
#[derive(Clone, Debug)]
pub enum Step<'f> {
    /// Each work-item does it, with the same result; only the first one stores.
    Alike(&'f Stmt),
    /// Only the first one does it: it stores, and has no other effect.
    Alone(&'f Stmt),
    /// Work-items share the turns of the loop, neighbours taking neighbouring turns.
    Shared(&'f ForLoop, Gathered),
    /// Two loops: lines of work-items share the turns of the outer one, neighbours in a line those of the inner one, which is at
    /// this index in the outer body.
    Nest(&'f ForLoop, usize, &'f ForLoop, Gathered),
    If(&'f Expr, Vec<Step<'f>>, Vec<Step<'f>>),
    Block(Vec<Step<'f>>),
    /// All run a loop together; `true` if they wait at the end of each turn.
    Around(&'f ForLoop, Vec<Step<'f>>, bool),
    /// All wait until stored elements are visible.
    Wait,
}

/// How a group runs an iteration.
#[derive(Clone, Debug)]
pub struct Rows<'f> {
    pub steps: Vec<Step<'f>>,
    /// Whether several groups can share an iteration, and if only for one operator of a reduction, which one.
    pub tiles: Option<Option<Gather>>,
    pub nested: bool,
    /// Whether a turn of a shared loop contains long loops: one turn is then enough for a work-item.
    pub heavy: bool,
    /// Numbers of turns of the shared loops that follow from the arguments: columns, and lines of a nest.
    pub lengths: Vec<(Poly, Option<Poly>)>,
    /// Variables of the shared loops.
    pub loops: Vec<VarId>,
    pub gathered: Gathered,
}

/// Shorter loops are not worth sharing.
const SHORT: i128 = 32;
/// Longer loops are not repeated by each work-item.
const LONG: i128 = 64;

pub struct Planner<'a, 'f> {
    pub accesses: &'a Accesses<'f>,
    pub f: &'f Function,
    loops: Vec<VarId>,
    lengths: Vec<(Poly, Option<Poly>)>,
    gathered: Gathered,
    nested: bool,
    heavy: bool,
    /// Whether the statement is inside a loop, so that `continue` would not end the iteration.
    within: bool,
    waits: bool,
}

/// The plan for a kernel of one index, or the reason why an iteration is one work-item's.
pub fn plan<'f>(accesses: &Accesses<'f>) -> Result<Rows<'f>, String> {
    let f = accesses.f;
    if f.indices.len() != 1 {
        return Err(String::new());
    }
    let mut planner = Planner {
        accesses,
        f,
        loops: Vec::new(),
        lengths: Vec::new(),
        gathered: Vec::new(),
        nested: false,
        heavy: false,
        within: false,
        waits: false,
    };
    let steps = planner.list(&f.body)?;
    if planner.loops.is_empty() {
        return Err(String::new());
    }
    let keep = vec![f.indices[0]];
    let steps = planner.synced(steps, &keep, &mut Vec::new());
    let tiles = planner.tiles(&steps);
    let Planner { loops, lengths, gathered, nested, heavy, .. } = planner;
    let heavy = heavy && !nested;
    Ok(Rows { steps, tiles, nested, heavy, lengths, loops, gathered })
}

pub fn returns(steps: &[Step<'_>]) -> bool {
    matches!(steps.last(), Some(Step::Alike(Stmt::Return(_))))
}

pub fn loops_in(stmt: &Stmt) -> bool {
    has(std::slice::from_ref(stmt), |s| matches!(s, Stmt::For(_) | Stmt::While(..)))
}

/// Whether statements write elements or contribute to them.
fn stores(list: &[Stmt]) -> bool {
    !written(list).is_empty() || contributes(list)
}

/// Whether a statement has no effect besides what it stores.
fn only_stores(stmt: &Stmt) -> bool {
    let list = std::slice::from_ref(stmt);
    if matches!(stmt, Stmt::Let(..) | Stmt::LetArray(..)) {
        return false;
    }
    let inside = declared(list);
    let mut only = true;
    walk_statements(list, &mut |s| match s {
        Stmt::Assign(Place::Var(var) | Place::Local(var, _), ..) => only &= inside.contains(var),
        Stmt::Return(..) => only = false,
        _ => {}
    });
    only && stores(list)
}

/// Number of turns of a loop whose ends are literals.
fn fixed_length(accesses: &Accesses<'_>, l: &ForLoop) -> Option<i128> {
    accesses.spans.get(&l.var).and_then(|(_, length)| length.as_constant())
}

/// Whether the turns of these loops, with inner ones, are so few that each work-item can run them.
fn few(accesses: &Accesses<'_>, stmt: &Stmt) -> bool {
    let mut turns = 1i128;
    let mut known = true;
    walk_statements(std::slice::from_ref(stmt), &mut |s| match s {
        Stmt::For(l) => match fixed_length(accesses, l) {
            Some(length) => turns = turns.saturating_mul(length.max(1)),
            None => known = false,
        },
        Stmt::While(..) => known = false,
        _ => {}
    });
    known && turns <= LONG
}

impl<'f> Planner<'_, 'f> {
    fn list(&mut self, list: &'f [Stmt]) -> Result<Vec<Step<'f>>, String> {
        let mut steps = Vec::new();
        for stmt in list {
            steps.push(self.statement(stmt)?);
        }
        Ok(steps)
    }

    fn statement(&mut self, stmt: &'f Stmt) -> Result<Step<'f>, String> {
        let few = !loops_in(stmt) || few(self.accesses, stmt);
        match stmt {
            Stmt::For(l) if !few => self.for_loop(l),
            Stmt::While(..) => Err("`while` is around what could be shared, or beside it".into()),
            Stmt::If(condition, yes, no) if !few => {
                let (yes, no) = (self.list(yes)?, self.list(no)?);
                Ok(Step::If(condition, yes, no))
            }
            Stmt::Block(body) if !few => Ok(Step::Block(self.list(body)?)),
            Stmt::Return(..) if !self.within => Ok(Step::Alike(stmt)),
            _ if only_stores(stmt) => Ok(Step::Alone(stmt)),
            _ => self.alike(stmt),
        }
    }

    /// A statement that each work-item repeats.
    fn alike(&mut self, stmt: &'f Stmt) -> Result<Step<'f>, String> {
        let list = std::slice::from_ref(stmt);
        let mut returns = false;
        walk_statements(list, &mut |s| returns |= matches!(s, Stmt::Return(..)));
        if returns && (self.within || loops_in(stmt)) {
            return Err("`return` is in a loop".into());
        }
        let stored = written(list);
        if self.reads(list).iter().any(|array| stored.contains(array)) {
            return Err("a value goes to an element and comes from it again beside the shared loop".into());
        }
        // If it contains `return`, its parts are separate steps, as each has its own way to say where to store.
        match stmt {
            Stmt::If(condition, yes, no) if returns => {
                let (yes, no) = (self.list(yes)?, self.list(no)?);
                Ok(Step::If(condition, yes, no))
            }
            Stmt::Block(body) if returns => Ok(Step::Block(self.list(body)?)),
            _ => Ok(Step::Alike(stmt)),
        }
    }

    fn reads(&self, list: &[Stmt]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        walk_expressions(list, &mut |e| {
            if let Kind::Load(array, _) = e.kind {
                found.insert(array);
            }
        });
        found
    }

    fn for_loop(&mut self, l: &'f ForLoop) -> Result<Step<'f>, String> {
        let own = shareable(self.accesses, l);
        let long = |planner: &Self, l: &ForLoop| fixed_length(planner.accesses, l).is_none_or(|n| n >= SHORT);
        match own {
            Ok(gathered) if long(self, l) => {
                if l.body.iter().any(loops_in) {
                    let (outer, inner) = (self.strides(l, false), self.strides(l, true));
                    if outer > inner {
                        if let Some(step) = self.nest(l, &gathered) {
                            return Ok(step);
                        }
                        if let Ok(step) = self.around(l) {
                            return Ok(step);
                        }
                    }
                }
                self.share(l, None, &gathered);
                self.heavy |= l.body.iter().any(|stmt| loops_in(stmt) && !few(self.accesses, stmt));
                Ok(Step::Shared(l, gathered))
            }
            Ok(_) => self.around(l),
            Err(why) => self.around(l).map_err(|_| why),
        }
    }

    /// Notes a shared loop, or two of them.
    fn share(&mut self, l: &ForLoop, outer: Option<&ForLoop>, gathered: &Gathered) {
        let length = |l: &ForLoop| {
            let (_, length) = self.accesses.spans.get(&l.var)?;
            let known = length.symbols().iter().all(|&v| known_with_arguments(self.f, v));
            known.then(|| crate::cost::most_turns(self.f, l.var).unwrap_or_else(|| length.clone()))
        };
        let both = (length(l), outer.map(length));
        self.loops.extend(outer.map(|outer| outer.var));
        self.loops.push(l.var);
        match both {
            (Some(columns), None) => self.lengths.push((columns, None)),
            (Some(columns), Some(Some(lines))) => self.lengths.push((columns, Some(lines))),
            _ => {}
        }
        self.nested |= outer.is_some();
        for one in gathered {
            if !self.gathered.contains(one) {
                self.gathered.push(*one);
            }
        }
    }

    /// All run the loop, and share loops inside it.
    fn around(&mut self, l: &'f ForLoop) -> Result<Step<'f>, String> {
        let var = &self.f.vars[l.var].ident;
        if has(&l.body, |s| matches!(s, Stmt::Return(..) | Stmt::Break | Stmt::Continue)) {
            return Err(format!("`return`, `break` or `continue` is in the loop over {var}"));
        }
        let (shared, lengths, nested, gathered) =
            (self.loops.len(), self.lengths.len(), self.nested, self.gathered.len());
        let before = std::mem::replace(&mut self.within, true);
        let steps = self.list(&l.body);
        self.within = before;
        if steps.is_ok() && self.loops.len() > shared {
            return Ok(Step::Around(l, steps?, false));
        }
        self.loops.truncate(shared);
        self.lengths.truncate(lengths);
        self.gathered.truncate(gathered);
        self.nested = nested;
        steps.and_then(|_| Err(format!("there is nothing to share in the loop over {var}")))
    }

    /// Number of accesses in inner loops whose elements are far apart for neighbours: in turns of `l`, or of their own innermost
    /// loop.
    fn strides(&self, l: &ForLoop, inner: bool) -> usize {
        let close = |access: &Access| {
            let var = if inner { access.loops.last().map_or(l.var, |(var, _)| *var) } else { l.var };
            let short =
                inner && self.accesses.spans.get(&var).and_then(|(_, n)| n.as_constant()).is_some_and(|n| n < SHORT);
            let factor = access.index.as_ref().ok().and_then(|poly| poly.split(var)).and_then(|(f, _)| f.as_constant());
            !short && factor.is_some_and(|factor| (-1..=1).contains(&factor))
        };
        let deep = |access: &&Access| {
            let at = access.loops.iter().position(|(var, _)| *var == l.var);
            at.is_some_and(|at| at + 1 < access.loops.len())
        };
        self.accesses.list.iter().filter(deep).filter(|access| !close(access)).count()
    }

    fn nest(&mut self, l: &'f ForLoop, gathered: &Gathered) -> Option<Step<'f>> {
        let places: Vec<usize> = (0..l.body.len()).filter(|&at| loops_in(&l.body[at])).collect();
        let [at] = places[..] else { return None };
        let Stmt::For(m) = &l.body[at] else { return None };
        let own = shareable(self.accesses, m).ok()?;
        if m.body.iter().any(loops_in)
            || fixed_length(self.accesses, m).is_some_and(|n| n < SHORT)
            || own.iter().any(|one| !gathered.contains(one))
        {
            return None;
        }
        // The inner range must be the same for all turns.
        let mut inside = declared(&l.body);
        inside.insert(l.var);
        let mut depends = false;
        for end in [&m.lo, &m.hi] {
            end.walk(&mut |e| {
                depends |= matches!(e.kind, Kind::Var(var) if inside.contains(&var))
                    || matches!(e.kind, Kind::Load(..) | Kind::Local(..) | Kind::Whole(..));
            });
        }
        let beside: Vec<&Stmt> = l.body.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, s)| s).collect();
        let mut plain = !depends;
        for stmt in &beside {
            walk_statements(std::slice::from_ref(*stmt), &mut |s| match s {
                Stmt::Assign(Place::Var(var), ..) => plain &= inside.contains(var),
                Stmt::Continue => plain = false,
                _ => {}
            });
            plain &= only_stores(stmt) || !stores(std::slice::from_ref(*stmt));
        }
        // There are no waits inside, so other work-items must not touch what the line's first one stores.
        let mut touches = self.inside(&m.body, Who::Each);
        for stmt in beside {
            let who = if only_stores(stmt) { Who::First } else { Who::All };
            touches.extend(self.inside(std::slice::from_ref(stmt), who));
        }
        let keep = [self.f.indices[0], l.var];
        let apart = |a: &Touch<'_>, b: &Touch<'_>| a.who == Who::Each && b.who == Who::Each || !self.clash(a, b, &keep);
        if !plain || !touches.iter().all(|a| touches.iter().all(|b| apart(a, b))) {
            return None;
        }
        self.share(m, Some(l), gathered);
        Some(Step::Nest(l, at, m, gathered.clone()))
    }

    /// Whether several groups can share an iteration: nothing waits, and all that is reduced is its result.
    fn tiles(&mut self, steps: &[Step<'f>]) -> Option<Option<Gather>> {
        fn waits(steps: &[Step<'_>]) -> bool {
            steps.iter().any(|step| match step {
                Step::Wait | Step::Around(_, _, true) => true,
                Step::If(_, a, b) => waits(a) || waits(b),
                Step::Block(body) | Step::Around(_, body, false) => waits(body),
                _ => false,
            })
        }
        self.waits = waits(steps);
        if self.waits || self.lengths.is_empty() {
            return None;
        }
        match self.gathered[..] {
            [] => Some(None),
            [(var, gather)] if self.pure(var, gather) => Some(Some(gather)),
            _ => None,
        }
    }

    /// Whether a local starts as the neutral element, is reduced into, and is returned.
    fn pure(&self, var: VarId, gather: Gather) -> bool {
        let f = self.f;
        let begins = f.body.iter().any(|stmt| {
            let Stmt::Let(of, Some(e)) = stmt else { return false };
            let value = match &e.kind {
                Kind::Lit(Lit::Int(value)) => Some(*value as f64),
                Kind::Lit(Lit::Float(text)) => text.parse().ok(),
                _ => None,
            };
            *of == var && value == Some(if gather == Gather::Product { 1.0 } else { 0.0 })
        });
        let returned = matches!(f.body.last(), Some(Stmt::Return(Some(e))) if is_var(e, var));
        let (mut reads, mut own) = (0, 0);
        walk_expressions(&f.body, &mut |e| reads += usize::from(is_var(e, var)));
        walk_statements(&f.body, &mut |stmt| {
            if let Stmt::Assign(Place::Var(of), None, ..) = stmt {
                own += usize::from(*of == var);
            }
        });
        // Every work-item would make changes outside of the shared loops.
        let outside = f.body.iter().any(|stmt| {
            let mut found = false;
            if !loops_in(stmt) {
                walk_statements(std::slice::from_ref(stmt), &mut |s| {
                    found |= matches!(s, Stmt::Assign(Place::Var(of), ..) if *of == var);
                });
            }
            found
        });
        let shared_at_top = f.body.iter().filter(|stmt| {
            let mut found = false;
            walk_statements(std::slice::from_ref(*stmt), &mut |s| {
                found |= matches!(s, Stmt::Assign(Place::Var(of), ..) if *of == var);
            });
            found
        });
        let shared_at_top =
            shared_at_top.into_iter().all(|stmt| matches!(stmt, Stmt::For(l) if self.loops.contains(&l.var)));
        begins
            && returned
            && !outside
            && shared_at_top
            && reads == own + 1
            && matches!(gather, Gather::Sum | Gather::Product)
            && f.vars[var].ty != Ty::Bool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(f: &Function, steps: &[Step<'_>]) -> String {
        let name = |v: VarId| f.vars[v].ident.to_string();
        let one = |step: &Step<'_>| match step {
            Step::Alike(_) => "alike".into(),
            Step::Alone(_) => "alone".into(),
            Step::Shared(l, gathered) => format!("shared {} {}", name(l.var), gathered.len()),
            Step::Nest(outer, _, inner, _) => format!("nest {} {}", name(outer.var), name(inner.var)),
            Step::If(_, yes, no) => format!("if ({}) ({})", show(f, yes), show(f, no)),
            Step::Block(body) => format!("({})", show(f, body)),
            Step::Around(l, body, waits) => {
                format!("around {} ({}){}", name(l.var), show(f, body), if *waits { " waits" } else { "" })
            }
            Step::Wait => "wait".to_owned(),
        };
        steps.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn planned(text: &str) -> String {
        let item: syn::ItemFn = syn::parse_str(text).unwrap();
        let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        let mut function = crate::lower::lower(function, &item.block).unwrap();
        function.quotients = crate::access::quotients(&crate::access::collect(&function));
        let accesses = crate::access::collect(&function);
        match plan(&accesses) {
            Ok(rows) => {
                let heavy = if rows.heavy { ", heavy" } else { "" };
                format!("{}; {:?}{heavy}", show(&function, &rows.steps), rows.tiles)
            }
            Err(why) => format!("flat: {why}"),
        }
    }

    #[test]
    fn loops_are_shared_where_their_turns_are_apart() {
        for (text, expected) in [
            (
                "fn f(i: usize, m: usize, l: usize, old: &[f32], u: &mut [f32]) { for j in 1..m - 1 { for k in 1..l - 1 { \
                 u[(i * m + j) * l + k] = old[(i * m + j) * l + k - 1] + old[(i * m + j + 1) * l + k]; } } }",
                "nest j k; Some(None)",
            ),
            // With rims in the rows.
            (
                "fn f(i: usize, m: usize, l: usize, old: &[f32], u: &mut [f32]) { for j in 1..m - 1 { u[(i * m + j) * l] = 0.0; \
                 for k in 1..l - 1 { u[(i * m + j) * l + k] = old[(i * m + j) * l + k - 1]; } u[(i * m + j) * l + l - 1] = 0.0; } }",
                "nest j k; Some(None)",
            ),
            (
                "fn f(i: usize, n: usize, a: &[f64], b: &[f64], c: &mut [f64]) { for j in 0..n { let mut s = 0.0; \
                 for k in 0..n { s += a[i * n + k] * b[k * n + j]; } c[i * n + j] = s; } }",
                "shared j 0; Some(None), heavy",
            ),
            // Elements indexed by a quotient of an argument, several for each turn.
            (
                "fn f(i: usize, n: usize, x: &[i32], y: &mut [i32]) { for j in 0..n / 16 { let mut s = 0; \
                 for r in 0..16 { s += x[(16 * i + r) * n + 16 * j]; } \
                 let at = i * (n / 16) * 3 + 3 * j; y[at] = s; y[at + 1] = -s; y[at + 2] = 0; } }",
                "shared j 0; Some(None)",
            ),
            // One element beyond the turn's own.
            (
                "fn f(i: usize, n: usize, x: &[i32], y: &mut [i32]) { for j in 0..n / 16 { \
                 let at = i * (n / 16) * 3 + 3 * j; y[at] = x[i]; y[at + 3] = 0; } }",
                "flat: turns of the loop over j are not proved to keep to elements of `y` of their own",
            ),
            // Sums of rows in an iteration: neighbours run along the rows.
            (
                "fn f(i: usize, m: usize, l: usize, a: &[f32], y: &mut [f32]) { for j in 0..m { let mut s = 0.0; \
                 for k in 0..l { s += a[(i * m + j) * l + k]; } y[i * m + j] = s; } }",
                "around j (alike, shared k 1, alone); None",
            ),
            (
                "fn f(i: usize, m: usize, old: &[f32], u: &mut [f32]) { u[i * m] = old[i * m]; \
                 for j in 1..m - 1 { u[i * m + j] = old[i * m + j]; } u[i * m + m - 1] = old[i * m + m - 1]; }",
                "alone, shared j 0, alone; Some(None)",
            ),
            (
                "fn f(i: usize, m: usize, x: &[f32], u: &mut [f32]) -> f32 { let mut s = 0.0; for j in 0..m { s += x[i * m + j]; } \
                 for j in 0..m { u[i * m + j] = x[i * m + j] / s; } s }",
                "alike, shared j 1, shared j 0, alike; None",
            ),
            // The second loop reads elements that other work-items wrote.
            (
                "fn f(i: usize, m: usize, x: &[f32], u: &mut [f32]) { for j in 0..m { u[i * m + j] = x[i * m + j]; } \
                 for j in 0..m { u[i * m + j] *= u[i * m + m - 1 - j]; } }",
                "flat: turns of the loop over j are not proved to keep to elements of `u` of their own",
            ),
            (
                "fn f(i: usize, m: usize, x: &[f32], u: &mut [f32], v: &mut [f32]) { for j in 0..m { u[i * m + j] = x[i * m + j]; } \
                 for j in 0..m { v[i * m + j] = u[i * m + m - 1 - j]; } }",
                "shared j 0, wait, shared j 0; None",
            ),
            // Each work-item reads only its own elements.
            (
                "fn f(i: usize, m: usize, x: &[f32], u: &mut [f32], v: &mut [f32]) { for j in 0..m { u[i * m + j] = x[i * m + j]; } \
                 for j in 0..m { v[i * m + j] = 2.0 * u[i * m + j]; } }",
                "shared j 0, shared j 0; Some(None)",
            ),
            // The first of several lower bounds is the same, the first turn is not.
            (
                "fn f(i: usize, a: usize, b: usize, m: usize, x: &[f32], u: &mut [f32], v: &mut [f32]) { \
                 for j in a.max(b)..m { u[i * m + j] = x[i * m + j]; } for j in a..m { v[i * m + j] = 2.0 * u[i * m + j]; } }",
                "shared j 0, wait, shared j 0; None",
            ),
            // Neither is the same where a bound that depends on data is left out.
            (
                "fn f(i: usize, a: usize, m: usize, s: &[u32], x: &[f32], u: &mut [f32], v: &mut [f32]) { \
                 for j in a.max(s[i] as usize)..m { u[i * m + j] = x[i * m + j]; } for j in a..m { v[i * m + j] = u[i * m + j]; } }",
                "shared j 0, wait, shared j 0; None",
            ),
            (
                "fn f(i: usize, a: usize, b: usize, m: usize, x: &[f32], u: &mut [f32], v: &mut [f32]) { \
                 for j in a.max(b)..m { u[i * m + j] = x[i * m + j]; } for j in a.max(b)..m { v[i * m + j] = u[i * m + j]; } }",
                "shared j 0, shared j 0; Some(None)",
            ),
            (
                "fn f(i: usize, m: usize, t: usize, u: &mut [f32], v: &mut [f32]) { for _ in 0..t { \
                 for j in 1..m - 1 { v[i * m + j] = u[i * m + j - 1] + u[i * m + j + 1]; } \
                 for j in 1..m - 1 { u[i * m + j] = v[i * m + j]; } } }",
                "around unused (shared j 0, wait, shared j 0) waits; None",
            ),
            (
                "fn f(i: usize, n: usize, m: usize, x: &[f32], u: &mut [f32]) { if i == 0 { for j in 0..m { u[i * m + j] = 0.0; } return; } \
                 for j in 0..m { u[i * m + j] = x[i * m + j]; } }",
                "if (shared j 0, alike) (), shared j 0; Some(None)",
            ),
            (
                "fn f(i: usize, m: usize, u: &mut [u32]) { for j in 0..(u[i * m] as usize).min(m) { u[i * m + j] = 1; } }",
                "flat: an end of the loop over j is read from `u`, which it writes",
            ),
            (
                "fn f(i: usize, m: usize, x: &[f32], u: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..m { s += x[i * m + j]; u[i * m + j] = s; } }",
                "flat: `s` goes from one turn of the loop over j to the next, and is no sum, product, least or greatest",
            ),
        ] {
            assert_eq!(planned(text), expected, "{text}");
        }
    }
}
