//! Whole arrays, local ones and elements of parameters such as `&[[f32; 3]]`: copies of them, assignments to them, and loops over their
//! elements. All become accesses to elements.

use crate::ir::{ArrayId, ArrayInit, Expr, ForLoop, Kind, Place, Stmt, Ty, VarId};
use crate::lower::{Lower, Name, ONE_DIMENSION, no_else};
use crate::lower_item::{component, number};
use crate::parse::scalar_type;
use crate::syntax::strip;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

/// Up to this many elements are written one by one, which lets compilers keep them in registers.
const APART: usize = 16;

/// A whole array that an expression names.
#[derive(Clone, Debug)]
pub(crate) enum Whole {
    Local(VarId),
    /// An element of a parameter: its first component, how many it has, and its place in the source.
    Item(ArrayId, Expr, usize, Span),
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

    /// Whether an expression names a whole array, or is one that is written out.
    pub(crate) fn is_array(&self, e: &syn::Expr) -> bool {
        let written = matches!(strip(e), syn::Expr::Array(_) | syn::Expr::Repeat(_));
        written || self.named_array(e).is_some() || self.item(e).is_some()
    }

    /// The whole array that an expression names, a local one or an element of a parameter.
    pub(crate) fn whole(&mut self, e: &syn::Expr, out: &mut Vec<Stmt>) -> Result<Option<Whole>> {
        if let Some(var) = self.named_array(e) {
            return Ok(Some(Whole::Local(var)));
        }
        let Some((array, len, at)) = self.item(e) else { return Ok(None) };
        Ok(Some(Whole::Item(array, self.first_component(len, at, out)?, len, e.span())))
    }

    pub(crate) fn len_of(&self, whole: &Whole) -> usize {
        match whole {
            Whole::Local(var) => self.f.vars[*var].len.unwrap_or(1),
            Whole::Item(_, _, len, _) => *len,
        }
    }

    pub(crate) fn type_of(&self, whole: &Whole) -> Ty {
        match whole {
            Whole::Local(var) => self.f.vars[*var].ty,
            Whole::Item(array, ..) => self.f.arrays[*array].ty,
        }
    }

    fn called(&self, whole: &Whole) -> String {
        match whole {
            Whole::Local(var) => format!("`{}`", self.f.vars[*var].ident),
            Whole::Item(array, ..) => format!("an element of `{}`", self.f.arrays[*array].ident),
        }
    }

    /// Element `at` of a whole array.
    pub(crate) fn element(&self, of: &Whole, at: Expr) -> Expr {
        let ty = self.type_of(of);
        let (kind, span) = match of {
            Whole::Local(var) => {
                let span = at.span;
                (Kind::Local(*var, Box::new(at)), span)
            }
            Whole::Item(array, first, _, span) => (Kind::Load(*array, Box::new(component(first, at))), *span),
        };
        Expr { kind, ty, span }
    }

    fn assigned_element(&self, of: &Whole, at: Expr, value: Expr, span: Span) -> Stmt {
        let place = match of {
            Whole::Local(var) => Place::Local(*var, at),
            Whole::Item(array, first, ..) => Place::Element(*array, component(first, at)),
        };
        Stmt::Assign(place, None, value, span)
    }

    /// Assigns to each element of a whole array.
    fn fill(&mut self, to: &Whole, span: Span, value: impl Fn(&Self, Expr) -> Expr, out: &mut Vec<Stmt>) {
        let len = self.len_of(to);
        let assigned = |this: &Self, at: Expr| {
            let value = value(this, at.clone());
            this.assigned_element(to, at, value, span)
        };
        if len <= APART {
            out.extend((0..len).map(|at| assigned(self, number(at, span))));
            return;
        }
        let var = self.declare_hidden(&Ident::new("at", span), Ty::Usize, false, None);
        let at = Expr { kind: Kind::Var(var), ty: Ty::Usize, span };
        let body = vec![assigned(self, at)];
        let (lo, hi) = (number(0, span), number(len, span));
        out.push(Stmt::For(Box::new(ForLoop { var, lo, hi, inclusive: false, body })));
    }

    /// A new array with the elements of another one. The user's code does not see it yet.
    pub(crate) fn copied(
        &mut self,
        ident: &Ident,
        mutable: bool,
        from: &Whole,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let (ty, len) = (self.type_of(from), self.len_of(from));
        let to = self.declare_hidden(ident, ty, mutable || len > APART, Some(len));
        if len <= APART {
            let list = (0..len).map(|at| self.element(from, number(at, span))).collect();
            out.push(Stmt::LetArray(to, ArrayInit::List(list)));
        } else {
            out.push(Stmt::LetArray(to, ArrayInit::Repeat(self.element(from, number(0, span)))));
            self.fill(&Whole::Local(to), span, |this, at| this.element(from, at), out);
        }
        to
    }

    /// A new local array with the value of an expression, which is a whole array. The user's code does not see it yet.
    pub(crate) fn made_array(
        &mut self,
        ident: &Ident,
        mutable: bool,
        e: &syn::Expr,
        out: &mut Vec<Stmt>,
    ) -> Result<VarId> {
        match self.whole(e, out)? {
            Some(from) => Ok(self.copied(ident, mutable, &from, e.span(), out)),
            None => self.local_array(ident, mutable, None, Some(strip(e)), out),
        }
    }

    /// The whole array that is assigned to, if a place is one.
    pub(crate) fn whole_place(&mut self, e: &syn::Expr, out: &mut Vec<Stmt>) -> Result<Option<Whole>> {
        let place = self.whole(e, out)?;
        if let Some(Whole::Item(array, ..)) = &place {
            self.writable(*array, e.span())?;
        }
        Ok(place)
    }

    /// `w = [v; 4];`, `w = [a, b];`, `w = v;` or `w = p[i];`, and the same for `p[i]`: the values are computed before any element changes.
    pub(crate) fn assign_array(&mut self, a: &syn::ExprAssign, out: &mut Vec<Stmt>) -> Result<()> {
        let (span, right) = (a.span(), strip(&a.right));
        match right {
            syn::Expr::Repeat(repeat) => {
                let count = self.expr(&repeat.len)?;
                self.types.same(Ty::Usize, count.ty, &repeat.len)?;
                let known = self.known(&count);
                let value = self.value(&repeat.expr, out)?;
                let ty = value.ty;
                let var = self.bind_hidden(&Ident::new("ap_value", span), ty, false, value, out);
                let Some(to) = self.whole_place(&a.left, out)? else { return Ok(()) };
                self.types.same(self.type_of(&to), ty, &repeat.expr)?;
                match known {
                    Some(known) if known == self.len_of(&to) as u128 => {}
                    Some(known) => return Err(self.other_length(&to, right, &known)),
                    None => return Err(self.other_length(&to, right, &"as many as are not known when it is compiled")),
                }
                self.fill(&to, span, |_, at| Expr { kind: Kind::Var(var), ty, span: at.span }, out);
            }
            syn::Expr::Array(list) => {
                let mut made = Vec::new();
                for e in &list.elems {
                    let value = self.value(e, out)?;
                    let ty = value.ty;
                    made.push((self.bind_hidden(&Ident::new("ap_value", e.span()), ty, false, value, out), ty));
                }
                let Some(to) = self.whole_place(&a.left, out)? else { return Ok(()) };
                if made.len() != self.len_of(&to) {
                    return Err(self.other_length(&to, right, &made.len()));
                }
                for (at, ((var, ty), e)) in made.into_iter().zip(&list.elems).enumerate() {
                    self.types.same(self.type_of(&to), ty, e)?;
                    let value = Expr { kind: Kind::Var(var), ty, span };
                    let stmt = self.assigned_element(&to, number(at, span), value, span);
                    out.push(stmt);
                }
            }
            other => {
                let Some(from) = self.whole(other, out)? else {
                    let text = "a whole array is assigned `[value; length]`, `[a, b, c]`, another local array, or an element of a \
                                parameter such as `&[[f32; 3]]`";
                    return Err(Error::new_spanned(other, text));
                };
                let Some(to) = self.whole_place(&a.left, out)? else { return Ok(()) };
                self.copy_whole(&to, &from, right, span, out)?;
            }
        }
        Ok(())
    }

    fn other_length(&self, to: &Whole, right: &syn::Expr, found: &dyn std::fmt::Display) -> Error {
        let text = format!("{} has {} elements, and this has {found}", self.called(to), self.len_of(to));
        Error::new_spanned(right, text)
    }

    /// Assigns one whole array, which is written as `right`, to another.
    pub(crate) fn copy_whole(
        &mut self,
        to: &Whole,
        from: &Whole,
        right: &syn::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        if self.len_of(from) != self.len_of(to) {
            return Err(self.other_length(to, right, &self.len_of(from)));
        }
        self.types.same(self.type_of(to), self.type_of(from), right)?;
        self.fill(to, span, |this, at| this.element(from, at), out);
        Ok(())
    }

    /// `let [x, y, z] = p[j];`: a name for each element, of any whole array. All are read before a name is bound.
    pub(crate) fn taken_apart(
        &mut self,
        names: &syn::PatSlice,
        ty: Option<&syn::Type>,
        local: &syn::Local,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let from = match local.init.as_ref() {
            Some(init) if init.diverge.is_some() => return Err(no_else(init)),
            Some(init) if self.is_array(&init.expr) => match self.whole(&init.expr, out)? {
                Some(from) => from,
                None => {
                    let list = Ident::new("ap_list", init.expr.span());
                    Whole::Local(self.made_array(&list, false, &init.expr, out)?)
                }
            },
            _ => {
                let text = "a list of names takes an array apart: a local one, an element of a parameter such as `&[[f32; 3]]`, or \
                            `[a, b, c]`";
                return Err(Error::new_spanned(local, text));
            }
        };
        let (len, of) = (self.len_of(&from), self.type_of(&from));
        if let Some(syn::Type::Array(array)) = ty {
            let element = scalar_type(&array.elem).ok_or_else(|| Error::new_spanned(&array.elem, ONE_DIMENSION))?;
            self.types.same(element, of, names)?;
        }
        let rest = names.elems.iter().position(|name| matches!(name, Pat::Rest(_)));
        let count = names.elems.len() - usize::from(rest.is_some());
        if count > len || rest.is_none() && count < len {
            let text = format!("{count} names for {len} elements{}", if count < len { ": end with `..`" } else { "" });
            return Err(Error::new_spanned(names, text));
        }
        let mut made = Vec::new();
        for (place, name) in names.elems.iter().enumerate() {
            let after = rest.is_some_and(|rest| place > rest);
            let at = if after { len - (names.elems.len() - place) } else { place };
            let (ident, mutable) = match name {
                Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (&p.ident, p.mutability.is_some()),
                Pat::Wild(_) | Pat::Rest(_) => continue,
                other => return Err(Error::new_spanned(other, "a plain name for each element, `_` or `..`")),
            };
            let value = self.element(&from, number(at, ident.span()));
            made.push((ident, self.bind_hidden(ident, of, mutable, value, out)));
        }
        made.into_iter().for_each(|(ident, var)| self.show(ident, var));
        Ok(())
    }

    /// `for v in [a, b, c]`, over a local array or an element of a parameter: as in Rust over its values before the loop.
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
            Some(from) if !self.f.vars[from].mutable => from,
            _ => self.made_array(&list, false, over, block)?,
        };
        let len = self.f.vars[from].len.unwrap_or(1);
        let turn = self.declare_hidden(&Ident::new("turn", span), Ty::Usize, false, None);
        let value = self.element(&Whole::Local(from), Expr { kind: Kind::Var(turn), ty: Ty::Usize, span });
        let mut first = Vec::new();
        self.variable(l, ident, value, &mut first);
        let body = self.turns(l.label.as_ref(), &l.body, first);
        let (lo, hi) = (number(0, span), number(len, span));
        block.push(Stmt::For(Box::new(ForLoop { var: turn, lo, hi, inclusive: false, body })));
        Ok(())
    }
}
