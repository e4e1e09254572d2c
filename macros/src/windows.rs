//! Elements of an inner loop whose bounds can be checked once, before it.

use crate::access::{Accesses, has};
use crate::ir::{ArrayId, Binary, Expr, Kind, Place, Stmt, VarId};
use crate::poly::Poly;
use proc_macro2::Ident;
use quote::format_ident;

/// Elements of an array that a loop accesses in order, or one element.
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
    /// Whether every turn of the loop accesses its element: then a window out of bounds is an error.
    pub certain: bool,
    /// The slice.
    pub name: Ident,
}

/// More windows are not worth their checks.
const MOST: usize = 24;

/// An element that a turn reads or writes.
struct Element<'s> {
    array: ArrayId,
    index: &'s Expr,
    write: bool,
    /// Whether every turn does so.
    certain: bool,
}

/// Collects elements, without those on the side of a known condition that is not taken.
struct Elements<'s> {
    known: Known,
    certain: bool,
    found: Vec<Element<'s>>,
}

impl<'s> Elements<'s> {
    fn block(&mut self, list: &'s [Stmt]) {
        for stmt in list {
            for e in stmt.expressions() {
                self.expression(e);
            }
            if let Stmt::Assign(Place::Element(array, index), ..) | Stmt::Contribute(array, index, ..) = stmt {
                self.found.push(Element { array: *array, index, write: true, certain: self.certain });
            }
            match (stmt, self.known) {
                (Stmt::If(condition, yes, no), Some((of, holds))) if std::ptr::eq(of, condition) => {
                    self.block(if holds { yes } else { no });
                }
                (Stmt::If(_, yes, no), _) => self.perhaps(|all| {
                    all.block(yes);
                    all.block(no);
                }),
                _ => stmt.blocks().into_iter().for_each(|block| self.block(block)),
            }
            // Some turns skip the rest.
            self.certain &= !has(std::slice::from_ref(stmt), leaves);
        }
    }

    fn expression(&mut self, e: &'s Expr) {
        if let Kind::Load(array, index) = &e.kind {
            self.found.push(Element { array: *array, index, write: false, certain: self.certain });
        }
        match (&e.kind, self.known) {
            (Kind::Select(condition, yes, no), Some((of, holds))) if std::ptr::eq(of, &raw const **condition) => {
                self.expression(if holds { yes } else { no });
            }
            (Kind::Select(condition, yes, no), _) => {
                self.expression(condition);
                self.perhaps(|all| {
                    all.expression(yes);
                    all.expression(no);
                });
            }
            (Kind::Binary(Binary::Both | Binary::Either, a, b), _) => {
                self.expression(a);
                self.perhaps(|all| all.expression(b));
            }
            _ => e.parts().into_iter().for_each(|part| self.expression(part)),
        }
    }

    /// Collects accesses that only some turns perform.
    fn perhaps(&mut self, collect: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.certain, false);
        collect(self);
        self.certain = before;
    }
}

fn leaves(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return(_) | Stmt::Break | Stmt::Continue)
}

/// A condition, and whether it holds.
type Known = Option<(*const Expr, bool)>;

/// The windows of a loop over `var` without inner loops; `iterations`: it is the loop over iterations, where `return` ends a
/// turn.
pub fn windows(accesses: &mut Accesses<'_>, var: VarId, body: &[Stmt], known: Known, iterations: bool) -> Vec<Window> {
    let mut found: Vec<(ArrayId, Option<Poly>, bool)> = Vec::new();
    let mut sure: Vec<(ArrayId, Poly)> = Vec::new();
    let ends = has(body, |stmt| matches!(stmt, Stmt::Break) || matches!(stmt, Stmt::Return(_)) && !iterations);
    let mut elements = Elements { known, certain: !ends, found: Vec::new() };
    elements.block(body);
    let symbols = accesses.f.vars.len();
    for Element { array, index, write, certain } in elements.found {
        // Symbols that the analysis made have no name in the text.
        let poly = accesses.poly(index).ok().filter(|poly| poly.symbols().iter().all(|&v| v < symbols));
        let simple =
            poly.filter(|poly| poly.split(var).is_some_and(|(factor, _)| matches!(factor.as_constant(), Some(0 | 1))));
        sure.extend(simple.clone().filter(|_| certain).map(|index| (array, index)));
        found.push((array, simple, write));
    }
    let mut list: Vec<Window> = Vec::new();
    for (array, index, _) in &found {
        let Some(index) = index else { continue };
        let written = found.iter().any(|(other, _, write)| other == array && *write);
        // A slice that is written is borrowed once, so all accesses to the array must be in it.
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
            certain: sure.iter().any(|(of, at)| of == array && at == index),
            name,
        });
    }
    list
}
