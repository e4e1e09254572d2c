//! Labels of loops: `break 'outer` and `continue 'outer` set a flag and end the inner loops, after each of which it is tested. What
//! follows sees plain loops, so every form of a kernel and every proof about it holds for these too.

use crate::ir::{Expr, Kind, Lit, Place, Stmt, Ty, VarId};
use crate::lower::{Lower, Target};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Error, Result};

/// A jump out of inner loops: the loop that it is to, counted from the outermost one, and whether that one goes on.
pub(crate) type Jump = (usize, bool);

/// A loop whose body is being lowered.
#[derive(Default)]
pub(crate) struct Around {
    label: Option<Ident>,
    /// The flags of jumps to it from inner loops: of `break`, and of `continue`.
    flags: [Option<VarId>; 2],
    /// Jumps to loops around it that end it.
    through: BTreeSet<Jump>,
}

fn condition(kind: Kind, at: &Ident) -> Expr {
    Expr { kind, ty: Ty::Bool, span: at.span() }
}

impl Lower {
    /// The body of a loop, after `first`.
    pub(crate) fn turns(&mut self, label: Option<&syn::Label>, body: &syn::Block, first: Vec<Stmt>) -> Vec<Stmt> {
        let label = label.map(|label| label.name.ident.clone());
        self.loops.push(Around { label, ..Around::default() });
        let inner = self.scoped(&body.stmts, Target::Nothing, body.span());
        let around = self.loops.pop().unwrap_or_default();
        self.passing = around.through.into_iter().collect();
        let down = |flag: VarId| {
            let ident = &self.f.vars[flag].ident;
            Stmt::Let(flag, Some(condition(Kind::Lit(Lit::Bool(false)), ident)))
        };
        // Each turn begins with its own.
        around.flags.into_iter().flatten().map(down).chain(first).chain(inner).collect()
    }

    /// What follows a loop that jumps to loops around it end.
    pub(crate) fn pass_on(&mut self, out: &mut Vec<Stmt>) {
        for (to, goes_on) in std::mem::take(&mut self.passing) {
            let Some(flag) = self.loops[to].flags[usize::from(goes_on)] else { continue };
            let ends = if to + 1 == self.loops.len() && goes_on { Stmt::Continue } else { Stmt::Break };
            let set = condition(Kind::Var(flag), &self.f.vars[flag].ident);
            out.push(Stmt::If(set, vec![ends], Vec::new()));
        }
    }

    /// `break` or `continue`, with or without a label.
    pub(crate) fn jump(
        &mut self,
        at: &impl ToTokens,
        label: Option<&syn::Lifetime>,
        goes_on: bool,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let word = if goes_on { "continue" } else { "break" };
        let Some(innermost) = self.loops.len().checked_sub(1) else {
            let text = format!("no inner loop is around this `{word}`: `return` ends an iteration");
            return Err(Error::new_spanned(at, text));
        };
        let to = match label {
            None => innermost,
            Some(label) => {
                let found = self.loops.iter().rposition(|around| around.label.as_ref() == Some(&label.ident));
                found.ok_or_else(|| {
                    let text = format!("no loop around this `{word}` has the label `{label}`: write `{label}: for ..`");
                    Error::new_spanned(label, text)
                })?
            }
        };
        if to == innermost {
            out.push(if goes_on { Stmt::Continue } else { Stmt::Break });
            return Ok(());
        }
        let name = Ident::new(if goes_on { "ap_next" } else { "ap_left" }, at.span());
        let flag = match self.loops[to].flags[usize::from(goes_on)] {
            Some(flag) => flag,
            None => self.declare_hidden(&name, Ty::Bool, true, None),
        };
        self.loops[to].flags[usize::from(goes_on)] = Some(flag);
        for around in &mut self.loops[to + 1..] {
            around.through.insert((to, goes_on));
        }
        let up = condition(Kind::Lit(Lit::Bool(true)), &name);
        out.push(Stmt::Assign(Place::Var(flag), None, up, name.span()));
        out.push(Stmt::Break);
        Ok(())
    }
}
