//! Elements of an inner loop whose bounds can be checked once, before it.

use crate::access::Accesses;
use crate::ir::{ArrayId, Expr, Kind, Place, Stmt, VarId};
use crate::poly::Poly;
use proc_macro2::Ident;
use quote::format_ident;

/// Elements of an array that a loop goes through, one after the other, or one element.
#[derive(Clone, Debug)]
pub struct Window {
    pub array: ArrayId,
    /// The index of an element.
    pub index: Poly,
    /// The index of the first one; the loop's variable stands for its first value.
    pub start: Poly,
    /// Whether it moves with the loop.
    pub moves: bool,
    pub written: bool,
    /// The slice.
    pub name: Ident,
}

/// More of them are not worth their checks.
const MOST: usize = 24;

/// The elements that are read and written, but for what stands on the other side of a condition that is known.
fn elements<'s>(list: &'s [Stmt], known: Known, found: &mut Vec<(ArrayId, &'s Expr, bool)>) {
    for stmt in list {
        for e in stmt.expressions() {
            of_expression(e, known, found);
        }
        if let Stmt::Assign(Place::Element(array, index), ..) = stmt {
            found.push((*array, index, true));
        }
        match (stmt, known) {
            (Stmt::If(condition, yes, no), Some((of, holds))) if std::ptr::eq(of, condition) => {
                elements(if holds { yes } else { no }, known, found);
            }
            _ => stmt.blocks().into_iter().for_each(|block| elements(block, known, found)),
        }
    }
}

fn of_expression<'s>(e: &'s Expr, known: Known, found: &mut Vec<(ArrayId, &'s Expr, bool)>) {
    if let Kind::Load(array, index) = &e.kind {
        found.push((*array, index, false));
    }
    match (&e.kind, known) {
        (Kind::Select(condition, yes, no), Some((of, holds))) if std::ptr::eq(of, &raw const **condition) => {
            of_expression(if holds { yes } else { no }, known, found);
        }
        _ => e.parts().into_iter().for_each(|part| of_expression(part, known, found)),
    }
}

/// A condition, and whether it holds.
type Known = Option<(*const Expr, bool)>;

/// The windows of a loop over `var` without loops in it.
pub fn windows(accesses: &mut Accesses<'_>, var: VarId, body: &[Stmt], known: Known) -> Vec<Window> {
    let mut found: Vec<(ArrayId, Option<Poly>, bool)> = Vec::new();
    let mut list = Vec::new();
    elements(body, known, &mut list);
    let elements = list;
    let symbols = accesses.f.vars.len();
    for (array, index, write) in elements {
        // Symbols that the analysis made have no name in the text.
        let poly = accesses.poly(index).ok().filter(|poly| poly.symbols().iter().all(|&v| v < symbols));
        let simple =
            poly.filter(|poly| poly.split(var).is_some_and(|(factor, _)| matches!(factor.as_constant(), Some(0 | 1))));
        found.push((array, simple, write));
    }
    let mut list: Vec<Window> = Vec::new();
    for (array, index, _) in &found {
        let Some(index) = index else { continue };
        let written = found.iter().any(|(other, _, write)| other == array && *write);
        // A slice that is written is lent once, so all that touches the array must be in it.
        if written && found.iter().any(|(other, at, _)| other == array && at.as_ref() != Some(index)) {
            continue;
        }
        if list.iter().any(|window| window.array == *array && window.index == *index) || list.len() == MOST {
            continue;
        }
        let name = format_ident!("ap_s{}", list.len());
        list.push(Window {
            array: *array,
            start: index.clone(),
            moves: index.has(var),
            index: index.clone(),
            written,
            name,
        });
    }
    list
}
