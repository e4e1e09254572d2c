//! Whether the inner loop of a kernel can be run by the work-items of a group, neighbours at neighbouring elements.

use crate::access::{Accesses, reach, unsigned};
use crate::ir::{
    ArrayId, Binary, Builtin, Expr, ForLoop, Function, Kind, Place, Stmt, VarId, walk_expressions, walk_statements,
};
use crate::poly::Poly;
use std::collections::BTreeSet;

/// How the parts of work-items are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    Sum,
    Product,
    Min,
    Max,
}

impl Gather {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// A body of which one loop is run by a whole group.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The loop's place in the body; all before it every work-item does, of all after it one alone stores.
    pub at: usize,
    /// Locals of which each work-item makes a part.
    pub gathered: Vec<(VarId, Gather)>,
    /// Iterations of the loop, where they follow from the arguments.
    pub length: Option<Poly>,
}

/// The loop of a body that a group can share, if there is one.
pub fn find(accesses: &Accesses<'_>) -> Option<Rows> {
    let f = accesses.f;
    if f.indices.len() != 1 {
        return None;
    }
    let loops = |stmt: &Stmt| matches!(stmt, Stmt::For(_) | Stmt::While(..));
    let places: Vec<usize> =
        (0..f.body.len()).filter(|&at| crate::access::has(std::slice::from_ref(&f.body[at]), loops)).collect();
    let [at] = places[..] else { return None };
    let Stmt::For(l) = &f.body[at] else { return None };
    let (before, after) = (&f.body[..at], &f.body[at + 1..]);
    if !leaves_alone(before, false)
        || !leaves_alone(after, true)
        || crate::access::has(&l.body, |s| matches!(s, Stmt::Return(..)))
        || breaks(&l.body)
    {
        return None;
    }
    let (w_before, w_in, w_after) = (written(before), written(&l.body), written(after));
    let (r_before, r_in, r_after) = (read(before), read(&l.body), read(after));
    let apart = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| a.is_disjoint(b);
    // No barrier stands between the three parts but where a sum is gathered.
    let parts = w_before.is_empty() && apart(&w_in, &r_before) && apart(&w_in, &r_after) && apart(&w_in, &w_after);
    if !parts || !apart(&w_after, &r_in) || !apart(&w_after, &r_before) || !independent(accesses, l) {
        return None;
    }
    let gathered = gathered(f, l)?;
    let length = accesses.list.iter().flat_map(|access| &access.loops).find(|(var, _)| *var == l.var);
    let length = length.and_then(|(_, length)| length.clone());
    Some(Rows { at, gathered, length })
}

/// No control flow out of these, but for a value at the very end.
fn leaves_alone(list: &[Stmt], last: bool) -> bool {
    let rest = match list.split_last() {
        Some((Stmt::Return(..), rest)) if last => rest,
        _ => list,
    };
    !crate::access::has(rest, |s| matches!(s, Stmt::Return(..)))
}

fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::For(_) | Stmt::While(..) => false,
        other => other.blocks().into_iter().any(breaks),
    })
}

fn written(list: &[Stmt]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    walk_statements(list, &mut |stmt| {
        if let Stmt::Assign(Place::Element(array, _), ..) = stmt {
            found.insert(*array);
        }
    });
    found
}

fn read(list: &[Stmt]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    walk_expressions(list, &mut |e| {
        if let Kind::Load(array, _) = e.kind {
            found.insert(array);
        }
    });
    walk_statements(list, &mut |stmt| {
        if let Stmt::Assign(Place::Element(array, _), Some(_), ..) = stmt {
            found.insert(*array);
        }
    });
    found
}

/// Whether no iteration of the loop writes what another one reads or writes.
fn independent(accesses: &Accesses<'_>, l: &ForLoop) -> bool {
    written(&l.body).into_iter().all(|array| apart(accesses, array, l.var))
}

/// Whether iterations of a loop over `var` have elements of their own of an array that is written.
pub fn apart(accesses: &Accesses<'_>, array: ArrayId, var: VarId) -> bool {
    let f = accesses.f;
    let at_least_0 = |v: VarId| unsigned(f, v);
    let mut list = accesses.list.iter().filter(|a| a.array == array && a.loops.iter().any(|(v, _)| *v == var));
    let Some(first) = list.next() else { return false };
    let Ok(first_reach) = reach(f, first, var) else { return false };
    let (stride, Some(base)) = (first_reach.stride.clone(), first_reach.lows.first().cloned()) else { return false };
    if stride.is_zero() || !stride.is_never_negative(&at_least_0) {
        return false;
    }
    let end = &stride - &Poly::constant(1);
    std::iter::once(first).chain(list).all(|access| {
        let Ok(reach) = reach(f, access, var) else { return false };
        let low = reach.lows.iter().any(|low| (low - &base).is_never_negative(&at_least_0));
        let high = reach.highs.iter().any(|high| (&end - &(high - &base)).is_never_negative(&at_least_0));
        reach.stride == stride && low && high
    })
}

/// Locals from before the loop that it changes, if it does nothing but gather values in them.
fn gathered(f: &Function, l: &ForLoop) -> Option<Vec<(VarId, Gather)>> {
    let mut inside = BTreeSet::new();
    walk_statements(&l.body, &mut |stmt| {
        if let Stmt::Let(var, _) | Stmt::LetArray(var, _) = stmt {
            inside.insert(*var);
        }
        if let Stmt::For(inner) = stmt {
            inside.insert(inner.var);
        }
    });
    let mut list: Vec<(VarId, Gather)> = Vec::new();
    let mut expected = 0;
    let mut sound = true;
    walk_statements(&l.body, &mut |stmt| {
        let Stmt::Assign(place, op, value, _) = stmt else { return };
        match place {
            Place::Local(var, _) if !inside.contains(var) => sound = false,
            Place::Var(var) if !inside.contains(var) => {
                let gather = match (op, &value.kind) {
                    (Some(Binary::Add | Binary::Sub), _) => Some((Gather::Sum, 0)),
                    (Some(Binary::Mul), _) => Some((Gather::Product, 0)),
                    (None, Kind::Builtin(builtin @ (Builtin::Min | Builtin::Max), parts))
                        if is_var(&parts[0], *var) =>
                    {
                        Some((if *builtin == Builtin::Min { Gather::Min } else { Gather::Max }, 1))
                    }
                    (None, Kind::Binary(Binary::Add, a, _)) if is_var(a, *var) => Some((Gather::Sum, 1)),
                    _ => None,
                };
                let Some((gather, reads)) = gather else {
                    sound = false;
                    return;
                };
                expected += reads;
                match list.iter().find(|(of, _)| of == var) {
                    Some((_, other)) => sound &= *other == gather,
                    None => list.push((*var, gather)),
                }
            }
            _ => {}
        }
    });
    // Nobody looks at a sum while it is made.
    let mut reads = 0;
    walk_expressions(&l.body, &mut |e| {
        if let Kind::Var(var) = e.kind
            && list.iter().any(|(of, _)| *of == var)
        {
            reads += 1;
        }
    });
    let numbers = list.iter().all(|(var, _)| f.vars[*var].ty.is_float() || f.vars[*var].ty.is_integer());
    (sound && reads == expected && numbers).then_some(list)
}

fn is_var(e: &Expr, var: VarId) -> bool {
    matches!(e.kind, Kind::Var(of) if of == var)
}
