//! `match` on integers.

use crate::infer::Sort;
use crate::ir::{Binary, Expr, Kind, Stmt, Ty};
use crate::lower::{Lower, Target};
use crate::syntax::boolean;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Pat, Result};

impl Lower {
    /// A `match` becomes a chain of `if`s over its arms.
    pub(crate) fn matching(&mut self, e: &syn::ExprMatch, target: Target, out: &mut Vec<Stmt>) -> Result<()> {
        let value = self.value(&e.expr, out)?;
        if self.types.now(value.ty) != Ty::Bool {
            self.types.must_be(Sort::Integer, value.ty, &e.expr)?;
        }
        let (ty, span) = (value.ty, e.expr.span());
        let chosen = self.bind_hidden(&Ident::new("ap_chosen", span), ty, false, value, out);
        let subject = Expr { kind: Kind::Var(chosen), ty, span };
        let mut arms = Vec::new();
        for (place, arm) in e.arms.iter().enumerate() {
            self.scopes.push(HashMap::new());
            let mut body = Vec::new();
            let result = self.arm(arm, &subject, target, place + 1 == e.arms.len(), &mut body);
            self.scopes.pop();
            arms.push((result?, body));
        }
        let mut rest = Vec::new();
        for (condition, body) in arms.into_iter().rev() {
            rest = match condition {
                Some(condition) => vec![Stmt::If(condition, body, rest)],
                None => body,
            };
        }
        out.push(Stmt::Block(rest));
        Ok(())
    }

    fn arm(
        &mut self,
        arm: &syn::Arm,
        subject: &Expr,
        target: Target,
        last: bool,
        body: &mut Vec<Stmt>,
    ) -> Result<Option<Expr>> {
        let mut condition = self.pattern(&arm.pat, subject)?;
        let mut pat = &arm.pat;
        while let Pat::Paren(inner) = pat {
            pat = &inner.pat;
        }
        if let (Pat::Ident(p), Kind::Var(chosen), None) = (pat, &subject.kind, &condition) {
            // The name binds the matched value.
            self.show(&p.ident, *chosen);
        }
        if let Some((_, guard)) = &arm.guard {
            let guard = self.condition(guard)?;
            condition = Some(match condition {
                Some(c) => boolean(Binary::Both, c, guard),
                None => guard,
            });
        } else if last {
            // Rust has checked that the arms are exhaustive.
            condition = None;
        }
        match (&*arm.body, target) {
            (syn::Expr::Block(b), _) if b.label.is_none() => self.block(&b.block.stmts, target, b.span(), body),
            (syn::Expr::Tuple(unit), _) if unit.elems.is_empty() => {}
            (e @ (syn::Expr::If(_) | syn::Expr::Match(_)), _) => self.tail(e, target, body)?,
            (e, Target::Nothing) => self.statement(e, body)?,
            (e, _) => self.tail(e, target, body)?,
        }
        Ok(condition)
    }
}
