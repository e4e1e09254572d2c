//! Loops whose turns can run in parallel: they write separate elements, and their reductions are combined from parts.

use crate::access::{Access, Accesses, breaks, has, reach};
use crate::ir::{
    ArrayId, Binary, Builtin, Expr, ForLoop, Function, Kind, Place, Stmt, VarId, walk_expressions, walk_statements,
};
use crate::poly::Poly;
use std::collections::BTreeSet;

/// How the parts of work-items are combined.
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

/// Locals into which a loop reduces.
pub type Gathered = Vec<(VarId, Gather)>;

/// The reductions of a loop's turns, if they can run in parallel; else the reason why not.
pub fn shareable(accesses: &Accesses<'_>, l: &ForLoop) -> Result<Gathered, String> {
    let f = accesses.f;
    let var = &f.vars[l.var].ident;
    if has(&l.body, |s| matches!(s, Stmt::Return(..))) || breaks(&l.body) {
        return Err(format!("`break` or `return` ends the loop over {var}"));
    }
    if let Some(array) = written(&l.body).into_iter().find(|&array| !apart(accesses, array, l.var)) {
        let array = &f.arrays[array].ident;
        return Err(format!(
            "turns of the loop over {var} are not proved to keep to elements of `{array}` of their own"
        ));
    }
    // A work-item computes the ends for itself, when others may already have turns.
    let stored = written(&l.body);
    let mut read = None;
    for end in [&l.lo, &l.hi] {
        end.walk(&mut |e| {
            read = read.or(matches!(e.kind, Kind::Load(array, _) if stored.contains(&array)).then_some(e))
        });
    }
    if let Some(Expr { kind: Kind::Load(array, _), .. }) = read {
        let array = &f.arrays[*array].ident;
        return Err(format!("an end of the loop over {var} is read from `{array}`, which it writes"));
    }
    gathered(f, l)
}

/// Arrays that are written.
pub fn written(list: &[Stmt]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    walk_statements(list, &mut |stmt| {
        if let Stmt::Assign(Place::Element(array, _), ..) = stmt {
            found.insert(*array);
        }
    });
    found
}

/// Whether turns of a loop over `var` have separate elements of a written array.
pub fn apart(accesses: &Accesses<'_>, array: usize, var: VarId) -> bool {
    let f = accesses.f;
    // Within one turn of the loops around: their variables are like arguments.
    let within = |access: &Access| {
        let at = access.loops.iter().position(|(v, _)| *v == var)?;
        let mut access = access.clone();
        for (outer, _) in &access.loops[..at] {
            access.limits.remove(outer);
        }
        Some(access)
    };
    let mut list = accesses.list.iter().filter(|a| a.array == array).filter_map(within);
    let Some(first) = list.next() else { return false };
    let Ok(first_reach) = reach(f, &first, var) else { return false };
    let stride = first_reach.stride.clone();
    if stride.is_zero() || !accesses.never_negative(&stride) {
        return false;
    }
    let Ok(reaches) = list.map(|access| reach(f, &access, var)).collect::<Result<Vec<_>, _>>() else { return false };
    let end = &stride - &Poly::constant(1);
    // Elements `base + stride*turn .. base + stride*(turn + 1)` belong to a turn, for some base; an index with a quotient in it
    // has several known ones.
    first_reach.lows.iter().any(|base| {
        std::iter::once(&first_reach).chain(&reaches).all(|reach| {
            let low = reach.lows.iter().any(|low| accesses.never_negative(&(low - base)));
            let high = reach.highs.iter().any(|high| accesses.never_negative(&(&end - &(high - base))));
            reach.stride == stride && low && high
        })
    })
}

/// Locals declared in these statements.
pub fn declared(list: &[Stmt]) -> BTreeSet<VarId> {
    let mut inside = BTreeSet::new();
    walk_statements(list, &mut |stmt| match stmt {
        Stmt::Let(var, _) | Stmt::LetArray(var, _) => {
            inside.insert(*var);
        }
        Stmt::For(inner) => {
            inside.insert(inner.var);
        }
        _ => {}
    });
    inside
}

/// Locals from before the loop that it changes, if it only reduces into them.
fn gathered(f: &Function, l: &ForLoop) -> Result<Gathered, String> {
    let inside = declared(&l.body);
    let mut list: Gathered = Vec::new();
    let mut expected = 0;
    let mut unsound: Option<VarId> = None;
    walk_statements(&l.body, &mut |stmt| {
        let Stmt::Assign(place, op, value, _) = stmt else { return };
        match place {
            Place::Local(var, _) if !inside.contains(var) => unsound = Some(*var),
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
                    unsound = Some(*var);
                    return;
                };
                expected += reads;
                match list.iter().find(|(of, _)| of == var) {
                    Some((_, other)) if *other != gather => unsound = Some(*var),
                    Some(_) => {}
                    None => list.push((*var, gather)),
                }
            }
            _ => {}
        }
    });
    // The sums must not be read while they are made.
    let mut reads = 0;
    walk_expressions(&l.body, &mut |e| {
        if let Kind::Var(var) = e.kind
            && list.iter().any(|(of, _)| *of == var)
        {
            reads += 1;
        }
    });
    let number = |var: VarId| f.vars[var].ty.is_float() || f.vars[var].ty.is_integer();
    if reads != expected {
        unsound = unsound.or(list.first().map(|(var, _)| *var));
    }
    unsound = unsound.or(list.iter().map(|(var, _)| *var).find(|&var| !number(var)));
    match unsound {
        None => Ok(list),
        Some(var) => {
            let (var, of) = (&f.vars[var].ident, &f.vars[l.var].ident);
            Err(format!(
                "`{var}` goes from one turn of the loop over {of} to the next, and is no sum, product, least or greatest"
            ))
        }
    }
}

pub fn is_var(e: &Expr, var: VarId) -> bool {
    matches!(e.kind, Kind::Var(of) if of == var)
}

/// Whether a device may take elements of this array for elements that nothing writes. NVIDIA's compiler makes one load of
/// `if c { x[k] } else { y[k] }`, through a cache in which it is not seen that `y` was written, if `x` is declared as
/// `const __restrict__` (NVRTC 13.0, found in a random program). So `x` is not where such a load may arise.
pub fn alone_in_memory(f: &Function, array: ArrayId) -> bool {
    if f.arrays[array].mutable {
        return true;
    }
    let chooses = |e: &Expr| matches!(e.kind, Kind::Select(..) | Kind::Binary(Binary::Both | Binary::Either, ..));
    let mut parted = has(&f.body, |stmt| matches!(stmt, Stmt::If(..) | Stmt::For(_) | Stmt::While(..)));
    let mut read = BTreeSet::new();
    walk_expressions(&f.body, &mut |e| {
        parted |= chooses(e);
        if let Kind::Load(array, _) = e.kind {
            read.insert(array);
        }
    });
    walk_statements(&f.body, &mut |stmt| {
        if let Stmt::Assign(Place::Element(array, _), Some(_), ..) = stmt {
            read.insert(*array);
        }
    });
    let same = |other: &ArrayId| f.arrays[*other].ty.bytes() == f.arrays[array].ty.bytes();
    !parted || !written(&f.body).intersection(&read).any(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_taken_for_one_load_is_not_said_to_be_alone() {
        for (body, expected) in [
            ("y[i] += x[i];", true),
            ("y[i] = if x[i] > 0.0 { x[i] } else { 1.0 };", true),
            ("if x[i] > 0.0 { y[i] = x[i]; } z[i] += 1.0;", true),
            ("y[i] = if i > 0 { x[i] } else { y[i] };", false),
            ("if x[i] > 0.0 { y[i] += x[i]; }", false),
            ("let mut s = x[i]; for j in 0..3 { s = y[3 * i + j]; y[3 * i + j] = s + 1.0; }", false),
            ("if x[i] > 0.0 && y[i] > 0.0 { y[i] = x[i]; }", false),
        ] {
            let text = format!("fn f(i: usize, x: &[f32], y: &mut [f32], z: &mut [f64]) {{ {body} }}");
            let item: syn::ItemFn = syn::parse_str(&text).unwrap();
            let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
            let function = crate::lower::lower(function, &item.block).unwrap();
            assert_eq!(alone_in_memory(&function, 0), expected, "{body}");
            let text =
                crate::device::kernel(&function, crate::device::Loop::Rows(None), crate::prelude::Dialect::Cuda).text;
            let count = text.matches("const float *AP_RESTRICT x").count();
            assert_eq!(count, if expected { 2 } else { 0 }, "{text}");
            assert_eq!(text.matches("float *AP_RESTRICT y").count(), 2, "{text}");
        }
    }
}
