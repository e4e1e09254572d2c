//! `let (a, b) = (x, y);` and `(a, b) = (b, a + b);`: several names or places at once.

use crate::infer::Sort;
use crate::ir::{Expr, Kind, Stmt, VarId};
use crate::lower::{Lower, ONE_DIMENSION};
use crate::lower_array::Whole;
use crate::parse::scalar_type;
use crate::syntax::strip;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

/// A value of a tuple, computed before any name is bound: one number, or a copy of an array.
enum Made {
    Value(Expr),
    Array(VarId),
}

impl Lower {
    /// All values are computed before any name is rebound: `let (a, b) = (b, a);` swaps.
    pub(crate) fn tuple(
        &mut self,
        names: &syn::PatTuple,
        ty: Option<&syn::Type>,
        local: &syn::Local,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let Some(syn::Expr::Tuple(values)) = local.init.as_ref().map(|init| strip(&init.expr)) else {
            let init = local.init.as_ref().map(|init| strip(&init.expr));
            let text = match init {
                Some(syn::Expr::MethodCall(call)) if call.method == "sin_cos" => {
                    "no function in a kernel returns two values: `let (s, c) = (x.sin(), x.cos());`"
                }
                _ => "a tuple is taken apart where it is made, `let (a, b) = (x, y);`: there are none besides",
            };
            return Err(Error::new_spanned(local, text));
        };
        if values.elems.len() != names.elems.len() {
            let text = format!("{} names for {} values", names.elems.len(), values.elems.len());
            return Err(Error::new_spanned(names, text));
        }
        let types = match ty {
            None | Some(syn::Type::Infer(_)) => None,
            Some(syn::Type::Tuple(types)) if types.elems.len() == names.elems.len() => Some(types),
            Some(other) => {
                return Err(Error::new_spanned(
                    other,
                    "the names of a `let` have a type each, `let (a, b): (f32, f32) = ..`",
                ));
            }
        };
        let mut made: Vec<(Ident, bool, bool, Made)> = Vec::new();
        for (place, (name, value)) in names.elems.iter().zip(&values.elems).enumerate() {
            let (ident, mutable) = match name {
                Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability.is_some()),
                Pat::Wild(wild) => (Ident::new("unused", wild.span()), false),
                other => return Err(Error::new_spanned(other, "a plain name: no tuples in tuples, no patterns")),
            };
            if self.is_array(value) {
                if let Some(syn::Type::Array(array)) = types.map(|types| &types.elems[place]) {
                    let element =
                        scalar_type(&array.elem).ok_or_else(|| Error::new_spanned(&array.elem, ONE_DIMENSION))?;
                    let var = self.made_array(&ident, mutable, value, out)?;
                    self.types.same(element, self.f.vars[var].ty, value)?;
                    made.push((ident, !matches!(name, Pat::Wild(_)), mutable, Made::Array(var)));
                    continue;
                }
                let var = self.made_array(&ident, mutable, value, out)?;
                made.push((ident, !matches!(name, Pat::Wild(_)), mutable, Made::Array(var)));
                continue;
            }
            let declared = match types.map(|types| &types.elems[place]) {
                None | Some(syn::Type::Infer(_)) => self.types.open(Sort::Any),
                Some(ty) => scalar_type(ty).ok_or_else(|| {
                    Error::new_spanned(
                        ty,
                        "the names of a `let` are of scalars: f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize, bool",
                    )
                })?,
            };
            let value = self.value(value, out)?;
            self.types.same(declared, value.ty, value.span)?;
            made.push((ident, !matches!(name, Pat::Wild(_)), mutable, Made::Value(value)));
        }
        for (ident, named, mutable, made) in made {
            let var = match made {
                Made::Array(var) => var,
                Made::Value(value) => self.bind_hidden(&ident, value.ty, mutable, value, out),
            };
            if named {
                self.show(&ident, var);
            }
        }
        Ok(())
    }

    /// All values are computed, then the places are assigned to one after the other, each with its index as it is then.
    pub(crate) fn assign_tuple(
        &mut self,
        places: &syn::ExprTuple,
        a: &syn::ExprAssign,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let syn::Expr::Tuple(values) = strip(&a.right) else {
            let text = "a tuple is assigned where it is made, `(a, b) = (b, a + b);`: there are none besides";
            return Err(Error::new_spanned(&a.right, text));
        };
        if values.elems.len() != places.elems.len() {
            let text = format!("{} places for {} values", places.elems.len(), values.elems.len());
            return Err(Error::new_spanned(places, text));
        }
        let mut made = Vec::new();
        for value in &values.elems {
            let (span, name) = (value.span(), Ident::new("ap_value", value.span()));
            if self.is_array(value) {
                made.push(Made::Array(self.made_array(&name, false, value, out)?));
                continue;
            }
            let value = self.assigned(value, out)?;
            let ty = value.ty;
            let var = self.bind_hidden(&name, ty, false, value, out);
            made.push(Made::Value(Expr { kind: Kind::Var(var), ty, span }));
        }
        for ((place, right), made) in places.elems.iter().zip(&values.elems).zip(made) {
            if matches!(place, syn::Expr::Infer(_)) {
                continue;
            }
            let value = match (made, self.whole_place(place, out)?) {
                (Made::Array(from), Some(to)) => {
                    self.copy_whole(&to, &Whole::Local(from), right, place.span(), out)?;
                    continue;
                }
                (Made::Value(_), Some(_)) => {
                    return Err(Error::new_spanned(
                        right,
                        "a number for a whole array: `[value; length]`, or `[a, b, c]`",
                    ));
                }
                (Made::Array(_), None) => {
                    return Err(Error::new_spanned(right, "a whole array for one number: take an element, `w[0]`"));
                }
                (Made::Value(value), None) => value,
            };
            let to = self.place(place, value.ty, right)?;
            out.push(Stmt::Assign(to, None, value, place.span()));
        }
        Ok(())
    }
}
