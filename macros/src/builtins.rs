//! Methods of numbers, and calls of helper functions.

use crate::functions::{Gives, MATH, OWN, Of, Operand, Own};
use crate::infer::Sort;
use crate::ir::{Binary, Builtin, Expr, Kind, Lit, Ty};
use crate::lower::{Lower, Name};
use crate::syntax::strip;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Error, Result};

/// Methods that are in neither table, in part because they mean something to the analysis of accesses.
const KNOWN: [&str; 20] = [
    "abs",
    "abs_diff",
    "clamp",
    "div_euclid",
    "is_nan",
    "max",
    "min",
    "mul_add",
    "powi",
    "recip",
    "rem_euclid",
    "saturating_sub",
    "to_bits",
    "wrapping_abs",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
];

impl Lower {
    pub(crate) fn method(&mut self, call: &syn::ExprMethodCall) -> Result<Expr> {
        if let syn::Expr::Path(p) = strip(&call.receiver)
            && let Some(ident) = p.path.get_ident()
            && let Some(crate::lower::Name::Array(_)) = self.lookup(&ident.to_string())
        {
            let text = match call.method.to_string().as_str() {
                "len" => format!("a device has a part of `{ident}` alone: pass its length as a parameter, `n: usize`"),
                "iter" | "iter_mut" => format!("no iterators in a kernel: `for j in 0..n` and `{ident}[j]`"),
                _ => format!("slices have no methods in a kernel: read and write elements, `{ident}[j]`"),
            };
            return Err(Error::new_spanned(call, text));
        }
        let places: Vec<&syn::Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
        let list = places.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
        self.builtin(&call.method, list, &places, call.span())
    }

    /// A method of the first of `list`; `places` are the operands in the source.
    fn builtin(
        &mut self,
        name: &syn::Ident,
        mut list: Vec<Expr>,
        places: &[&syn::Expr],
        span: proc_macro2::Span,
    ) -> Result<Expr> {
        let word = name.to_string();
        let ty = list[0].ty;
        let math = MATH.iter().find(|function| function.rust == word);
        let unsigned = self.types.now(ty).is_unsigned();
        let own = OWN.iter().filter(|function| function.rust == word).find(|function| match function.of {
            // Of unsigned numbers, and of all integers, they are among the others.
            Of::Signed => word == "unsigned_abs" || !unsigned,
            Of::Floats => word != "clamp" || !self.types.is_integer(ty),
            _ => !(unsigned && word.ends_with("_euclid")),
        });
        let wanted = match word.as_str() {
            _ if let Some(function) = math => function.more,
            _ if let Some(function) = own => function.more.len(),
            "abs" | "recip" | "is_nan" | "to_bits" | "wrapping_neg" | "wrapping_abs" => 0,
            "mul_add" | "clamp" => 2,
            known if KNOWN.contains(&known) => 1,
            _ => {
                let mut all: Vec<_> = MATH.iter().map(|function| function.rust).chain(KNOWN).collect();
                all.extend(OWN.iter().map(|function| function.rust));
                all.sort_unstable();
                all.dedup();
                let text = format!("kernels do not know `{word}`: they know {}", all.join(", "));
                return Err(Error::new_spanned(name, text));
            }
        };
        if list.len() - 1 != wanted {
            let arguments = if wanted == 1 { "argument" } else { "arguments" };
            let text = format!("`{word}` takes {wanted} {arguments} beside the number itself, not {}", list.len() - 1);
            return Err(Error::new_spanned(name, text));
        }
        let at = places[0];
        if let Some(function) = math {
            self.types.must_be(Sort::Float, ty, at)?;
            for (operand, place) in list[1..].iter().zip(&places[1..]) {
                self.types.same(ty, operand.ty, place)?;
            }
            return Ok(Expr { kind: Kind::Builtin(Builtin::Math(function), list), ty, span });
        }
        if let Some(function) = own {
            return self.own(function, list, places, span);
        }
        let make = |builtin, list, ty| Ok(Expr { kind: Kind::Builtin(builtin, list), ty, span });
        match word.as_str() {
            "abs" => make(Builtin::Abs, list, ty),
            "wrapping_abs" => {
                self.types.must_be(Sort::Integer, ty, at)?;
                make(Builtin::Abs, list, ty)
            }
            // Not below the first, not above the second.
            "clamp" => {
                self.types.same(ty, list[1].ty, places[1])?;
                self.types.same(ty, list[2].ty, places[2])?;
                let high = list.remove(2);
                let low = Expr { kind: Kind::Builtin(Builtin::Max, list), ty, span };
                make(Builtin::Min, vec![low, high], ty)
            }
            "min" | "max" => {
                self.types.same(ty, list[1].ty, places[1])?;
                make(if word == "min" { Builtin::Min } else { Builtin::Max }, list, ty)
            }
            "powi" => {
                self.types.must_be(Sort::Float, ty, at)?;
                self.types.same(Ty::I32, list[1].ty, places[1])?;
                make(Builtin::Powi, list, ty)
            }
            "mul_add" => {
                self.types.must_be(Sort::Float, ty, at)?;
                self.types.same(ty, list[1].ty, places[1])?;
                self.types.same(ty, list[2].ty, places[2])?;
                make(Builtin::MulAdd, list, ty)
            }
            "is_nan" => {
                self.types.must_be(Sort::Float, ty, at)?;
                make(Builtin::IsNan, list, Ty::Bool)
            }
            "to_bits" => {
                self.types.must_be(Sort::Float, ty, at)?;
                let of = bits_of(self.types.now(ty));
                let text = "`to_bits` is of a number whose type is known: `2.0f32`, or a local with its type";
                make(Builtin::ToBits, list, of.ok_or_else(|| Error::new_spanned(at, text))?)
            }
            "recip" => {
                self.types.must_be(Sort::Float, ty, at)?;
                let one = Expr { kind: Kind::Lit(Lit::Float("1.0".into())), ty, span };
                Ok(Expr { kind: Kind::Binary(Binary::Div, Box::new(one), Box::new(list.remove(0))), ty, span })
            }
            "saturating_sub" | "abs_diff" => {
                self.types.must_be(Sort::Integer, ty, at)?;
                self.types.same(ty, list[1].ty, places[1])?;
                make(if word == "abs_diff" { Builtin::AbsDiff } else { Builtin::SaturatingSub }, list, ty)
            }
            "wrapping_neg" => {
                self.types.must_be(Sort::Integer, ty, at)?;
                let zero = Expr { kind: Kind::Lit(Lit::Int(0)), ty, span };
                Ok(Expr { kind: Kind::Binary(Binary::Sub, Box::new(zero), Box::new(list.remove(0))), ty, span })
            }
            "wrapping_shl" | "wrapping_shr" => {
                self.types.must_be(Sort::Integer, ty, at)?;
                self.types.same(Ty::U32, list[1].ty, places[1])?;
                let op = if word == "wrapping_shl" { Binary::Shl } else { Binary::Shr };
                let right = list.remove(1);
                Ok(Expr { kind: Kind::Binary(op, Box::new(list.remove(0)), Box::new(right)), ty, span })
            }
            operation => {
                self.types.must_be(Sort::Integer, ty, at)?;
                self.types.same(ty, list[1].ty, places[1])?;
                let op = match operation {
                    "wrapping_add" => Binary::Add,
                    "wrapping_sub" => Binary::Sub,
                    "wrapping_mul" => Binary::Mul,
                    "div_euclid" => Binary::Div,
                    _ => Binary::Rem,
                };
                let right = list.remove(1);
                Ok(Expr { kind: Kind::Binary(op, Box::new(list.remove(0)), Box::new(right)), ty, span })
            }
        }
    }

    /// A function that the prelude writes in C.
    fn own(
        &mut self,
        function: &'static Own,
        list: Vec<Expr>,
        places: &[&syn::Expr],
        span: proc_macro2::Span,
    ) -> Result<Expr> {
        let (ty, at) = (list[0].ty, places[0]);
        match function.of {
            Of::Floats => self.types.must_be(Sort::Float, ty, at)?,
            Of::Integers | Of::Signed => self.types.must_be(Sort::Integer, ty, at)?,
            Of::WithSign | Of::Numbers => {}
        }
        let now = self.types.now(ty);
        let wanted = match function.of {
            Of::Signed => "i8, i16, i32 and i64",
            Of::WithSign => "f32, f64, i8, i16, i32 and i64",
            _ => "numbers",
        };
        let unsigned = now.is_unsigned();
        if now == Ty::Bool || unsigned && matches!(function.of, Of::Signed | Of::WithSign) {
            let text = format!("`{}` is of {wanted}, not of {}", function.rust, self.types.show(ty));
            return Err(Error::new_spanned(at, text));
        }
        for (wanted, (operand, place)) in function.more.iter().zip(list[1..].iter().zip(&places[1..])) {
            let wanted = if *wanted == Operand::U32 { Ty::U32 } else { ty };
            self.types.same(wanted, operand.ty, place)?;
        }
        let gives = match (function.gives, now) {
            (Gives::Same, _) => ty,
            (Gives::U32, _) => Ty::U32,
            (Gives::Bool, _) => Ty::Bool,
            (Gives::Unsigned, now) if now.is_signed() => now.unsigned(),
            (Gives::Unsigned, _) => {
                let text =
                    format!("`{}` is of a number whose type is known: `2i32`, or a local with its type", function.rust);
                return Err(Error::new_spanned(at, text));
            }
        };
        Ok(Expr { kind: Kind::Builtin(Builtin::Own(function), list), ty: gives, span })
    }

    /// An argument of a helper: a value, or a local array.
    fn argument(&mut self, e: &syn::Expr) -> Result<Expr> {
        let (by_reference, named) = match strip(e) {
            syn::Expr::Reference(r) => {
                if let Some(word) = &r.mutability {
                    return Err(Error::new_spanned(word, "a helper changes no arrays: it returns one value"));
                }
                (true, strip(&r.expr))
            }
            e => (false, e),
        };
        if self.item(named).is_some() {
            return self.copied_argument(named, by_reference);
        }
        let name = match named {
            syn::Expr::Path(p) => p.path.get_ident().and_then(|ident| self.lookup(&ident.to_string())),
            _ => None,
        };
        let span = e.span();
        match name {
            Some(Name::Var(var)) if self.f.vars[var].len.is_some() => {
                // A parameter that is already a reference is passed on.
                let by_reference = by_reference && !self.f.references.contains(&var);
                Ok(Expr { kind: Kind::Whole(var, by_reference), ty: self.f.vars[var].ty, span })
            }
            Some(Name::Array(_)) => Err(Error::new(
                span,
                "a helper takes values and local arrays: copy the elements first, `let w = [x[i], x[i + 1]];`",
            )),
            _ => self.expr(e),
        }
    }

    /// An element that is an array, as an argument: a local copy of it.
    fn copied_argument(&mut self, e: &syn::Expr, by_reference: bool) -> Result<Expr> {
        let Some(mut before) = self.before.take() else {
            let text = "this may not be computed at all, or in each turn anew: copy the element first, `let w = p[i];`, and pass `w`";
            return Err(Error::new_spanned(e, text));
        };
        let (span, copy) = (e.span(), Ident::new("ap_copy", e.span()));
        let made = self.made_array(&copy, false, e, &mut before);
        self.before = Some(before);
        let var = made?;
        Ok(Expr { kind: Kind::Whole(var, by_reference), ty: self.f.vars[var].ty, span })
    }

    pub(crate) fn call(&mut self, call: &syn::ExprCall) -> Result<Expr> {
        let span = call.span();
        let syn::Expr::Path(p) = &*call.func else {
            return Err(Error::new_spanned(
                &call.func,
                "a kernel calls methods of numbers, and `#[kernel(helper)]` functions by their names",
            ));
        };
        let mut list = Vec::new();
        for e in &call.args {
            list.push(self.argument(e)?);
        }
        // `f32::max(a, b)` is `a.max(b)`, `f64::from(x)` is `x as f64`.
        if let [ty, method] = &p.path.segments.iter().collect::<Vec<_>>()[..]
            && let Some(ty) = Ty::named(&ty.ident.to_string())
        {
            if list.is_empty() {
                return Err(Error::new_spanned(call, "this takes a number: `f32::max(a, b)`, or `a.max(b)`"));
            }
            if method.ident == "from" && list.len() == 1 {
                return Ok(Expr { kind: Kind::Cast(Box::new(list.remove(0))), ty, span });
            }
            let places: Vec<&syn::Expr> = call.args.iter().collect();
            if let ("from_bits", [bits], Some(of)) = (&*method.ident.to_string(), &list[..], bits_of(ty)) {
                self.types.same(of, bits.ty, places[0])?;
                return Ok(Expr { kind: Kind::Builtin(Builtin::FromBits, list), ty, span });
            }
            self.types.same(ty, list[0].ty, places[0])?;
            return self.builtin(&method.ident, list, &places, span);
        }
        let known = self.f.helpers.iter().position(|path| *path == p.path);
        let helper = known.unwrap_or_else(|| {
            self.f.helpers.push(p.path.clone());
            self.f.helpers.len() - 1
        });
        // The helper's return type is unknown here. Rust checks that it fits its use.
        let ty = self.types.open(Sort::Any);
        Ok(Expr { kind: Kind::Helper(helper, list), ty, span })
    }
}

/// The type of a float's bits.
fn bits_of(ty: Ty) -> Option<Ty> {
    match ty {
        Ty::F32 => Some(Ty::U32),
        Ty::F64 => Some(Ty::U64),
        _ => None,
    }
}
