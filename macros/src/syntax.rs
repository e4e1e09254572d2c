//! Small helpers for syntax.

use crate::ir::{Binary, Expr, Kind, Ty};
use proc_macro2::Span;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Result};

/// A position in the source for errors. A span of several tokens shows only the first one; tokens show all.
pub(crate) trait At {
    fn error(&self, text: String) -> Error;
}

impl At for Span {
    fn error(&self, text: String) -> Error {
        Error::new(*self, text)
    }
}

impl<T: ToTokens> At for &T {
    fn error(&self, text: String) -> Error {
        Error::new_spanned(self, text)
    }
}

/// Without parentheses.
pub(crate) fn strip(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        e => e,
    }
}

struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        while let syn::Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        while let syn::Expr::Group(group) = e {
            *e = (*group.expr).clone();
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Removes the invisible groups around what a macro passed as `$t:ty` or `$e:expr`. What they hold stays one part of the function.
pub(crate) fn without_groups(item: &mut syn::ItemFn) {
    Ungroup.visit_item_fn_mut(item);
}

/// `a op b` of two conditions.
pub(crate) fn boolean(op: Binary, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr { kind: Kind::Binary(op, Box::new(a), Box::new(b)), ty: Ty::Bool, span }
}

pub(crate) fn no_label(label: Option<&syn::Label>) -> Result<()> {
    match label {
        Some(label) => Err(Error::new_spanned(
            label,
            "labels are of loops: no labelled block in a kernel. Write what follows the jump as an `else`",
        )),
        None => Ok(()),
    }
}

pub(crate) fn no_macros(span: Span) -> Error {
    Error::new(span, "no macros in a kernel: GPUs cannot print or panic; check arguments before the loop")
}

pub(crate) fn fits(value: u128, ty: Ty) -> bool {
    match ty {
        // One more than the largest value, for the smallest with its sign.
        ty if ty.is_signed() => value <= ty.most() + 1,
        ty if ty.is_unsigned() => value <= ty.most(),
        _ => true,
    }
}

/// The operator of a compound assignment.
pub(crate) fn assigns(op: &syn::BinOp) -> Option<Binary> {
    Some(match op {
        syn::BinOp::AddAssign(_) => Binary::Add,
        syn::BinOp::SubAssign(_) => Binary::Sub,
        syn::BinOp::MulAssign(_) => Binary::Mul,
        syn::BinOp::DivAssign(_) => Binary::Div,
        syn::BinOp::RemAssign(_) => Binary::Rem,
        syn::BinOp::BitAndAssign(_) => Binary::And,
        syn::BinOp::BitOrAssign(_) => Binary::Or,
        syn::BinOp::BitXorAssign(_) => Binary::Xor,
        syn::BinOp::ShlAssign(_) => Binary::Shl,
        syn::BinOp::ShrAssign(_) => Binary::Shr,
        _ => return None,
    })
}
