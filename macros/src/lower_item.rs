//! Elements that are arrays, as those of a parameter `&[[f32; 3]]`: what follows sees a plain array of their components, so
//! `p[e][c]` becomes component `e * 3 + c`, and `p[e]` three of them.
//!
//! An index `c` must not reach the next element. Where it is not a number it becomes `component[c]`, an element of a local array
//! `[0, 1, 2]`: so it has the limits that the analysis of accesses needs, is compared with the length on every target, and is named in
//! the error. [`settle`] takes those away that the ends of loops show to be inside.

use crate::access::{self, Accesses};
use crate::ir::{
    ArrayId, ArrayInit, Binary, Builtin, Expr, Function, Kind, Lit, Place, Stmt, Ty, VarId, change_expressions,
    walk_expressions, walk_statements,
};
use crate::lower::{Lower, Name};
use crate::syntax::strip;
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::{Error, Result};

/// Products of such numbers with the length of an element do not wrap.
const FAR: i128 = 1 << 40;

pub(crate) fn number(value: usize, span: Span) -> Expr {
    Expr { kind: Kind::Lit(Lit::Int(value as u128)), ty: Ty::Usize, span }
}

/// An operation on indices, without those that change nothing.
fn index(op: Binary, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    match (op, &b.kind) {
        (Binary::Add, Kind::Lit(Lit::Int(0))) | (Binary::Mul, Kind::Lit(Lit::Int(1))) => a,
        _ => Expr { kind: Kind::Binary(op, Box::new(a), Box::new(b)), ty: Ty::Usize, span },
    }
}

/// Component `at` of the element that begins at `first`.
pub(crate) fn component(first: &Expr, at: Expr) -> Expr {
    index(Binary::Add, first.clone(), at)
}

/// Whether an expression has no reads, so that it may be repeated.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        Kind::Lit(_) | Kind::Var(_) => true,
        Kind::Cast(of) => is_plain(of),
        Kind::Binary(_, a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

impl Lower {
    /// The parameter whose element, an array, an expression is; and its number of components and the index.
    pub(crate) fn item<'e>(&self, e: &'e syn::Expr) -> Option<(ArrayId, usize, &'e syn::Expr)> {
        let syn::Expr::Index(at) = strip(e) else { return None };
        let syn::Expr::Path(p) = strip(&at.expr) else { return None };
        match self.lookup(&p.path.get_ident()?.to_string())? {
            Name::Array(array) => Some((array, self.f.arrays[array].components?, &at.index)),
            Name::Var(_) => None,
        }
    }

    /// The first component of such an element, whose index is computed once.
    pub(crate) fn first_component(&mut self, len: usize, at: &syn::Expr, out: &mut Vec<Stmt>) -> Result<Expr> {
        let mut value = self.index(at)?;
        if !is_plain(&value) {
            let span = value.span;
            let var = self.bind_hidden(&Ident::new(access::HIDDEN_INDEX, span), Ty::Usize, false, value, out);
            value = Expr { kind: Kind::Var(var), ty: Ty::Usize, span };
        }
        let span = value.span;
        Ok(index(Binary::Mul, value, number(len, span)))
    }

    /// The array of an index expression, and the index there: of `p[e][c]` that of the component.
    pub(crate) fn indexed(&mut self, at: &syn::ExprIndex) -> Result<(Name, Expr)> {
        if let Some((array, len, element)) = self.item(&at.expr) {
            let first = self.index(element)?;
            let span = first.span;
            let first = index(Binary::Mul, first, number(len, span));
            let at = self.component_index(array, len, &at.index)?;
            return Ok((Name::Array(array), component(&first, at)));
        }
        let name = self.array_name(&at.expr)?;
        if let Name::Array(array) = name
            && let Some(len) = self.f.arrays[array].components
        {
            let ident = &self.f.arrays[array].ident;
            let text = format!(
                "an element of `{ident}` is an array of {len}, not one number: take one of them, `{ident}[i][0]`, or copy it \
                 first, `let w = {ident}[i];`"
            );
            return Err(Error::new_spanned(at, text));
        }
        Ok((name, self.index(&at.index)?))
    }

    fn component_index(&mut self, array: ArrayId, len: usize, at: &syn::Expr) -> Result<Expr> {
        let value = self.index(at)?;
        match self.known(&value) {
            Some(known) if known < len as u128 => Ok(number(known as usize, at.span())),
            Some(known) => {
                let ident = &self.f.arrays[array].ident;
                let text = format!(
                    "an element of `{ident}` has {len} numbers, the last one at index {}: there is none at {known}",
                    len - 1
                );
                Err(Error::new_spanned(at, text))
            }
            None => {
                let ident = Ident::new("component", Span::call_site());
                let table = match self.components.get(&len) {
                    Some(table) => *table,
                    None => self.declare_hidden(&ident, Ty::Usize, false, Some(len)),
                };
                self.components.insert(len, table);
                Ok(Expr { kind: Kind::Local(table, Box::new(value)), ty: Ty::Usize, span: at.span() })
            }
        }
    }
}

/// Indices in elements that are arrays, once all types are known: takes away what need not be looked up, declares what has to be, and
/// keeps indices that depend on data from wrapping when they are multiplied.
pub(crate) fn settle(f: &mut Function, tables: &BTreeMap<usize, VarId>) {
    let of_items = |array: ArrayId| f.arrays[array].components.is_some_and(|len| len > 1);
    if f.helper || f.arrays.iter().all(|array| array.components.is_none()) {
        return;
    }
    let is_table = |var: &VarId| tables.values().any(|table| table == var);
    let declared = tables.iter().map(|(len, table)| {
        let list = (0..*len).map(|at| number(at, Span::call_site())).collect();
        Stmt::LetArray(*table, ArrayInit::List(list))
    });
    let declared: Vec<Stmt> = declared.collect();
    f.body.splice(0..0, declared);
    let (mut inside, mut far): (BTreeSet<*const Expr>, BTreeSet<*const Expr>) = Default::default();
    {
        let mut accesses = access::collect(f);
        walk_expressions(&f.body, &mut |e| {
            if let Kind::Local(var, index) = &e.kind
                && is_table(var)
                && accesses.is_always_inside(index)
                && is_followed(&mut accesses, index, f.vars[*var].len.unwrap_or(1))
            {
                inside.insert(std::ptr::from_ref(e));
            }
        });
        let unknown: BTreeSet<*const Expr> = accesses
            .list
            .iter()
            .filter(|access| of_items(access.array) && access.index.is_err())
            .map(|access| access.place)
            .collect();
        let mut see = |index: &Expr| {
            if !unknown.contains(&std::ptr::from_ref(index)) {
                return;
            }
            let product = match &index.kind {
                Kind::Binary(Binary::Add, product, _) => product,
                _ => index,
            };
            if let Kind::Binary(Binary::Mul, element, _) = &product.kind
                && !is_near(element)
                && accesses.between(element).1 > FAR
            {
                far.insert(std::ptr::from_ref(&**element));
            }
        };
        walk_expressions(&f.body, &mut |e| {
            if let Kind::Load(_, index) = &e.kind {
                see(index);
            }
        });
        walk_statements(&f.body, &mut |stmt| {
            if let Stmt::Assign(Place::Element(_, index), ..) = stmt {
                see(index);
            }
        });
    }
    // What is inside of an expression keeps its place when that moves.
    change_expressions(&mut f.body, &mut |e| {
        let place = std::ptr::from_ref::<Expr>(e);
        if !inside.contains(&place) && !far.contains(&place) {
            return;
        }
        let old = std::mem::replace(e, number(0, e.span));
        *e = match old.kind {
            Kind::Local(_, index) if inside.contains(&place) => *index,
            _ => near(old),
        };
    });
    let mut used = BTreeSet::new();
    walk_expressions(&f.body, &mut |e| {
        if let Kind::Local(var, _) = e.kind
            && is_table(&var)
        {
            used.insert(var);
        }
    });
    f.body.retain(|stmt| !matches!(stmt, Stmt::LetArray(var, _) if is_table(var) && !used.contains(var)));
}

/// Whether an index is a sum of variables of loops with known ends, which show that it is below `len`: of a quotient or a remainder
/// the table knows more.
fn is_followed(accesses: &mut Accesses<'_>, index: &Expr, len: usize) -> bool {
    let Ok(poly) = accesses.poly(index) else { return false };
    let (mut low, mut high) = (0, 0);
    for (product, factor) in poly.terms() {
        let ends = match product {
            [] => Some((1, 1)),
            [var] => accesses.spans.get(var).and_then(|(first, length)| {
                let (first, length) = (first.as_constant()?, length.as_constant()?);
                Some((first, first + length - 1))
            }),
            _ => None,
        };
        let Some((first, last)) = ends else { return false };
        (low, high) = (low + (first * factor).min(last * factor), high + (first * factor).max(last * factor));
    }
    low >= 0 && high < len as i128
}

/// Whether an index is of 32 bits or fewer.
fn is_near(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Cast(of) if of.ty == Ty::Bool || of.ty.is_integer() && of.ty.bytes() <= 4)
}

/// An index that is far outside of every array if `e` is, and else `e`: their products do not wrap into the array. One below 0 may be
/// that of a ghost row.
fn near(e: Expr) -> Expr {
    let span = e.span;
    let signed = |kind| Expr { kind, ty: Ty::I64, span };
    let far = || signed(Kind::Lit(Lit::Int(FAR as u128)));
    let before = signed(Kind::Neg(Box::new(far())));
    let value = signed(Kind::Cast(Box::new(e)));
    let value = signed(Kind::Builtin(Builtin::Max, vec![value, before]));
    let value = signed(Kind::Builtin(Builtin::Min, vec![value, far()]));
    Expr { kind: Kind::Cast(Box::new(value)), ty: Ty::Usize, span }
}
