//! Whole local arrays: copies of them, assignments to them, and loops over their elements. All become accesses to elements.

use crate::ir::{ArrayInit, Expr, ForLoop, Kind, Lit, Place, Stmt, Ty, VarId};
use crate::lower::{Lower, Name};
use crate::syntax::strip;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Error, Result};

/// Up to this many elements are written one by one, which lets compilers keep them in registers.
const APART: usize = 16;

fn index(value: usize, span: Span) -> Expr {
    Expr { kind: Kind::Lit(Lit::Int(value as u128)), ty: Ty::Usize, span }
}

impl Lower {
    /// The local array that an expression names.
    pub(crate) fn named_array(&self, e: &syn::Expr) -> Option<VarId> {
        let syn::Expr::Path(p) = strip(e) else { return None };
        match self.lookup(&p.path.get_ident()?.to_string())? {
            Name::Var(var) if self.f.vars[var].len.is_some() => Some(var),
            _ => None,
        }
    }

    fn element(&self, of: VarId, at: Expr) -> Expr {
        let span = at.span;
        Expr { kind: Kind::Local(of, Box::new(at)), ty: self.f.vars[of].ty, span }
    }

    /// Assigns to each element of a local array.
    fn fill(&mut self, to: VarId, span: Span, value: impl Fn(&Self, Expr) -> Expr, out: &mut Vec<Stmt>) {
        let len = self.f.vars[to].len.unwrap_or(1);
        let assigned = |this: &Self, at: Expr| {
            let value = value(this, at.clone());
            Stmt::Assign(Place::Local(to, at), None, value, span)
        };
        if len <= APART {
            out.extend((0..len).map(|at| assigned(self, index(at, span))));
            return;
        }
        let var = self.declare_hidden(&Ident::new("at", span), Ty::Usize, false, None);
        let at = Expr { kind: Kind::Var(var), ty: Ty::Usize, span };
        let body = vec![assigned(self, at)];
        let (lo, hi) = (index(0, span), index(len, span));
        out.push(Stmt::For(Box::new(ForLoop { var, lo, hi, inclusive: false, body })));
    }

    /// A new array with the elements of another one. The user's code does not see it yet.
    pub(crate) fn copied(
        &mut self,
        ident: &Ident,
        mutable: bool,
        from: VarId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let (ty, len) = (self.f.vars[from].ty, self.f.vars[from].len.unwrap_or(1));
        let to = self.declare_hidden(ident, ty, mutable || len > APART, Some(len));
        if len <= APART {
            let list = (0..len).map(|at| self.element(from, index(at, span))).collect();
            out.push(Stmt::LetArray(to, ArrayInit::List(list)));
        } else {
            out.push(Stmt::LetArray(to, ArrayInit::Repeat(self.element(from, index(0, span)))));
            self.fill(to, span, |this, at| this.element(from, at), out);
        }
        to
    }

    /// `w = [v; 4];`, `w = [a, b];` or `w = v;`: the values are computed before any element changes.
    pub(crate) fn assign_array(&mut self, to: VarId, a: &syn::ExprAssign, out: &mut Vec<Stmt>) -> Result<()> {
        let (ty, len, span) = (self.f.vars[to].ty, self.f.vars[to].len.unwrap_or(1), a.span());
        let right = strip(&a.right);
        let ident = self.f.vars[to].ident.clone();
        let other_length = |found: &dyn std::fmt::Display| {
            Error::new_spanned(right, format!("`{ident}` has {len} elements, and this has {found}"))
        };
        match right {
            syn::Expr::Repeat(repeat) => {
                let count = self.expr(&repeat.len)?;
                self.types.same(Ty::Usize, count.ty, &repeat.len)?;
                match self.known(&count) {
                    Some(known) if known == len as u128 => {}
                    Some(known) => return Err(other_length(&known)),
                    None => return Err(other_length(&"as many as are not known when it is compiled")),
                }
                let value = self.expr(&repeat.expr)?;
                self.types.same(ty, value.ty, &repeat.expr)?;
                let var = self.bind_hidden(&Ident::new("ap_value", span), ty, false, value, out);
                self.fill(to, span, |_, at| Expr { kind: Kind::Var(var), ty, span: at.span }, out);
            }
            syn::Expr::Array(list) if list.elems.len() != len => {
                return Err(other_length(&list.elems.len()));
            }
            syn::Expr::Array(list) => {
                let mut made = Vec::new();
                for e in &list.elems {
                    let value = self.expr(e)?;
                    self.types.same(ty, value.ty, e)?;
                    made.push(self.bind_hidden(&Ident::new("ap_value", e.span()), ty, false, value, out));
                }
                for (at, var) in made.into_iter().enumerate() {
                    let value = Expr { kind: Kind::Var(var), ty, span };
                    out.push(Stmt::Assign(Place::Local(to, index(at, span)), None, value, span));
                }
            }
            other => {
                let Some(from) = self.named_array(other) else {
                    let text = "a whole array is assigned `[value; length]`, `[a, b, c]` or another local array";
                    return Err(Error::new_spanned(other, text));
                };
                if self.f.vars[from].len != Some(len) {
                    return Err(other_length(&self.f.vars[from].len.unwrap_or(1)));
                }
                self.types.same(ty, self.f.vars[from].ty, other)?;
                self.fill(to, span, |this, at| this.element(from, at), out);
            }
        }
        Ok(())
    }

    /// `for v in [a, b, c]`, or over a local array: as in Rust over its values before the loop.
    pub(crate) fn for_elements(&mut self, l: &syn::ExprForLoop, ident: &Ident, out: &mut Vec<Stmt>) -> Result<()> {
        self.scopes.push(HashMap::new());
        let mut block = Vec::new();
        let result = self.elements(l, ident, &mut block);
        self.scopes.pop();
        out.push(Stmt::Block(block));
        result
    }

    fn elements(&mut self, l: &syn::ExprForLoop, ident: &Ident, block: &mut Vec<Stmt>) -> Result<()> {
        let (over, span) = (strip(&l.expr), l.expr.span());
        let list = Ident::new("ap_list", span);
        let from = match self.named_array(over) {
            Some(from) if self.f.vars[from].mutable => self.copied(&list, false, from, span, block),
            Some(from) => from,
            None => {
                let from = self.local_array(&list, false, None, Some(over), block)?;
                self.hide(&list);
                from
            }
        };
        let len = self.f.vars[from].len.unwrap_or(1);
        let turn = self.declare_hidden(&Ident::new("turn", span), Ty::Usize, false, None);
        let value = self.element(from, Expr { kind: Kind::Var(turn), ty: Ty::Usize, span });
        let mut first = Vec::new();
        self.variable(l, ident, value, &mut first);
        let body = self.turns(l.label.as_ref(), &l.body, first);
        let (lo, hi) = (index(0, span), index(len, span));
        block.push(Stmt::For(Box::new(ForLoop { var: turn, lo, hi, inclusive: false, body })));
        Ok(())
    }
}
