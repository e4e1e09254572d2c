//! `for` over reversed and stepped ranges: they become plain loops over the turns, whose bodies begin by computing the variable.

use crate::ir::{Binary, Expr, ForLoop, Kind, Lit, Stmt, Ty};
use crate::lower::Lower;
use crate::syntax::strip;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Error, Pat, RangeLimits, Result};

pub(crate) const RANGES: &str = "a `for` in a kernel goes over a range, `lo..hi` or `lo..=hi`, with `.rev()` and `.step_by(2)` if \
                                 need be, or over a local array, `[a, b]`: no other iterators";

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty, a.span);
    let ty = if op.compares() { Ty::Bool } else { ty };
    Expr { kind: Kind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}

fn number(value: u128, like: &Expr) -> Expr {
    Expr { kind: Kind::Lit(Lit::Int(value)), ty: like.ty, span: like.span }
}

impl Lower {
    /// The error of a `for` over pairs: of another iterator, as of `x.iter().enumerate()`, or without one.
    pub(crate) fn not_one_name(&self, pattern: &Pat, over: &syn::Expr) -> Error {
        let plain = self.is_array(over) || matches!(strip(over), syn::Expr::Range(_));
        let (mut inner, mut counted) = (strip(over), false);
        while let syn::Expr::MethodCall(call) = inner {
            counted |= call.method == "enumerate";
            inner = strip(&call.receiver);
        }
        if plain || matches!(inner, syn::Expr::Range(_)) {
            return Error::new_spanned(pattern, "the variable of a `for` is one plain name, not a pattern");
        }
        let first = if let Pat::Tuple(pair) = pattern { pair.elems.first() } else { None };
        match (first, inner) {
            (Some(Pat::Ident(k)), syn::Expr::Path(of)) if counted => {
                let (k, of) = (&k.ident, of.to_token_stream());
                Error::new_spanned(over, format!("{RANGES}. Write `for {k} in 0..n`, for n elements, and `{of}[{k}]`"))
            }
            _ => Error::new_spanned(over, RANGES),
        }
    }

    /// `for ident in (lo..hi).rev().step_by(k)`, each call at most once, in either order.
    pub(crate) fn stepped(
        &mut self,
        l: &syn::ExprForLoop,
        ident: &Ident,
        call: &syn::ExprMethodCall,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let mut calls = vec![call];
        let mut inner = strip(&call.receiver);
        while let syn::Expr::MethodCall(next) = inner {
            calls.push(next);
            inner = strip(&next.receiver);
        }
        let syn::Expr::Range(range) = inner else { return Err(Error::new_spanned(&l.expr, RANGES)) };
        let (mut backwards, mut step, mut rev_first) = (None, None, false);
        for call in calls.into_iter().rev() {
            let twice =
                || Error::new_spanned(&call.method, "`rev` and `step_by` stand once each behind the range of a `for`");
            match (call.method.to_string().as_str(), call.args.len()) {
                ("rev", 0) if backwards.is_none() => {
                    backwards = Some(call.method.span());
                    rev_first = step.is_none();
                }
                ("step_by", 1) if step.is_none() => step = Some(self.step(&call.args[0])?),
                ("rev", 0) | ("step_by", 1) => return Err(twice()),
                _ => return Err(Error::new_spanned(&call.method, RANGES)),
            }
        }
        let (lo, hi) = self.ends(range)?;
        let span = range.span();
        self.scopes.push(HashMap::new());
        let result = self.turned(l, ident, (lo, hi), range, (backwards.is_some(), rev_first, step), span, out);
        self.scopes.pop();
        result
    }

    #[allow(clippy::too_many_arguments)]
    fn turned(
        &mut self,
        l: &syn::ExprForLoop,
        ident: &Ident,
        (lo, hi): (Expr, Expr),
        range: &syn::ExprRange,
        (backwards, rev_first, step): (bool, bool, Option<u128>),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let ty = lo.ty;
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let mut block = Vec::new();
        let mut named = |this: &mut Self, word: &str, value: Expr| match value.kind {
            Kind::Lit(_) => value,
            _ => {
                let var = this.bind_hidden(&Ident::new(word, span), ty, false, value, &mut block);
                Expr { kind: Kind::Var(var), ty, span }
            }
        };
        let lo = named(self, "range_low", lo);
        let hi = named(self, "range_high", hi);
        let one = number(1, &lo);
        let Some(step) = step else {
            // The same range, counted from the other end, so an empty one stays empty.
            let turn = self.declare_hidden(&Ident::new("turn", span), ty, false, None);
            let at = Expr { kind: Kind::Var(turn), ty, span };
            let from_end = binary(Binary::Sub, hi.clone(), at);
            let from_end = if inclusive { from_end } else { binary(Binary::Sub, from_end, one) };
            let mut first = Vec::new();
            self.variable(l, ident, binary(Binary::Add, from_end, lo.clone()), &mut first);
            let body = self.turns(l.label.as_ref(), &l.body, first);
            block.push(Stmt::For(Box::new(ForLoop { var: turn, lo, hi, inclusive, body })));
            out.push(Stmt::Block(block));
            return Ok(());
        };
        self.types.same(Ty::Usize, ty, span).map_err(|error| {
            Error::new(span, format!("{error}: a range with `step_by` is of usize; cast its variable"))
        })?;
        let end = if inclusive { binary(Binary::Add, hi, one.clone()) } else { hi };
        let zero = matches!(lo.kind, Kind::Lit(Lit::Int(0)));
        let length = if zero { end.clone() } else { binary(Binary::Sub, end.clone(), lo.clone()) };
        let up = binary(Binary::Add, length, number(step - 1, &lo));
        let turns = binary(Binary::Div, up, number(step, &lo));
        let mut inside = Vec::new();
        let turns = {
            let var = self.bind_hidden(&Ident::new("turns", span), ty, false, turns, &mut inside);
            Expr { kind: Kind::Var(var), ty, span }
        };
        let turn = self.declare_hidden(&Ident::new("turn", span), ty, false, None);
        let at = Expr { kind: Kind::Var(turn), ty, span };
        let size = number(step, &lo);
        let value = match (backwards, rev_first) {
            (false, _) => binary(Binary::Add, lo.clone(), binary(Binary::Mul, at, size)),
            // Backwards from the range's end.
            (true, true) => {
                let last = binary(Binary::Sub, end.clone(), one);
                binary(Binary::Sub, last, binary(Binary::Mul, at, size))
            }
            // Backwards from the last step.
            (true, false) => {
                let left = binary(Binary::Sub, binary(Binary::Sub, turns.clone(), one), at);
                binary(Binary::Add, lo.clone(), binary(Binary::Mul, left, size))
            }
        };
        let mut first = Vec::new();
        self.variable(l, ident, value, &mut first);
        let body = self.turns(l.label.as_ref(), &l.body, first);
        let from = number(0, &lo);
        inside.push(Stmt::For(Box::new(ForLoop { var: turn, lo: from, hi: turns, inclusive: false, body })));
        if zero {
            block.extend(inside);
        } else {
            block.push(Stmt::If(binary(Binary::Lt, lo, end), inside, Vec::new()));
        }
        out.push(Stmt::Block(block));
        Ok(())
    }

    /// The variable of the loop as it is written; `_` has no name that its body could use.
    pub(crate) fn variable(&mut self, l: &syn::ExprForLoop, ident: &Ident, value: Expr, first: &mut Vec<Stmt>) {
        let var = self.bind_hidden(ident, value.ty, false, value, first);
        if !matches!(&*l.pat, Pat::Wild(_)) {
            self.show(ident, var);
        }
    }

    fn step(&mut self, e: &syn::Expr) -> Result<u128> {
        let value = self.expr(e)?;
        self.types.same(Ty::Usize, value.ty, e)?;
        match self.known(&value) {
            Some(step @ 1..=0xffff_ffff) => Ok(step),
            _ => Err(Error::new_spanned(
                e,
                "`step_by` takes a number that is known when the kernel is compiled, at least 1",
            )),
        }
    }
}
