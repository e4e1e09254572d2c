//! Lowering of statements: from Rust to the typed form.

use crate::infer::{Sort, Types};
use crate::ir::{
    ArrayInit, Binary, Expr, ForLoop, Function, Kind, Lit, Param, Place, Stmt, Ty, Var, VarId, change_expressions,
};
use crate::lower_item;
use crate::lower_labels::{Around, Jump};
use crate::names;
use crate::parse::scalar_type;
use crate::syntax::{assigns, fits, no_label, no_macros, strip};
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{Error, Pat, RangeLimits, Result};

pub(crate) const ONE_DIMENSION: &str =
    "an array in a kernel is of scalars, and of one dimension: index it by `row * width + column`";

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name {
    Var(VarId),
    Array(usize),
}

/// Where the value of a block goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Nothing,
    Return,
    Var(VarId),
}

pub(crate) struct Lower {
    pub f: Function,
    pub types: Types,
    pub scopes: Vec<HashMap<String, Name>>,
    /// Values of locals that are known integers, for lengths of local arrays.
    pub constants: HashMap<VarId, u128>,
    /// Each `const` in the function.
    items: HashSet<VarId>,
    /// The loops around, outer ones first.
    pub(crate) loops: Vec<Around>,
    pub(crate) passing: Vec<Jump>,
    /// For each length of elements that are arrays, a local array of the numbers of their components: see `lower_item`.
    pub(crate) components: BTreeMap<usize, VarId>,
    /// What comes before the statement whose value is being lowered, where that value is computed once and surely.
    pub(crate) before: Option<Vec<Stmt>>,
    errors: Option<Error>,
}

/// The typed body of a function with the signature `function`.
pub fn lower(function: Function, block: &syn::Block) -> Result<Function> {
    let mut scope = HashMap::new();
    for (id, var) in function.vars.iter().enumerate() {
        scope.insert(var.ident.to_string(), Name::Var(id));
    }
    for (id, array) in function.arrays.iter().enumerate() {
        scope.insert(array.ident.to_string(), Name::Array(id));
    }
    let mut lower = Lower {
        f: function,
        types: Types::default(),
        scopes: vec![scope],
        constants: HashMap::new(),
        items: HashSet::new(),
        loops: Vec::new(),
        passing: Vec::new(),
        components: BTreeMap::new(),
        before: None,
        errors: None,
    };
    let mut body = Vec::new();
    lower.copy_parameters(&mut body);
    lower.block(&block.stmts, Target::Return, block.span(), &mut body);
    lower.settle(&mut body);
    match lower.errors {
        Some(error) => Err(error),
        None => {
            lower.f.body = body;
            lower_item::settle(&mut lower.f, &lower.components);
            Ok(lower.f)
        }
    }
}

impl Lower {
    fn fail(&mut self, error: Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            None => self.errors = Some(error),
        }
    }

    /// A `mut` parameter of a kernel starts anew in each iteration: the body changes a copy of it.
    fn copy_parameters(&mut self, out: &mut Vec<Stmt>) {
        if self.f.helper {
            return;
        }
        for param in self.f.params.clone() {
            let Param::Scalar(v) = param else { continue };
            if std::mem::replace(&mut self.f.vars[v].mutable, false) {
                let (ident, ty) = (self.f.vars[v].ident.clone(), self.f.vars[v].ty);
                let value = Expr { kind: Kind::Var(v), ty, span: ident.span() };
                self.bind(&ident, ty, true, value, out);
            }
        }
    }

    /// Replaces every open type by the inferred one.
    fn settle(&mut self, body: &mut [Stmt]) {
        for v in 0..self.f.vars.len() {
            match self.types.settled(self.f.vars[v].ty) {
                Some(ty) => self.f.vars[v].ty = ty,
                None if self.errors.is_some() => {}
                None => {
                    let ident = self.f.vars[v].ident.clone();
                    let text = format!("the type of `{ident}` is not known: write `let {ident}: f32 = ..`, say");
                    self.fail(Error::new_spanned(&ident, text));
                }
            }
        }
        let mut unknown = None;
        change_expressions(body, &mut |e| match self.types.settled(e.ty) {
            Some(ty) => e.ty = ty,
            None => unknown = Some(e.span),
        });
        if let Some(span) = unknown.filter(|_| self.errors.is_none()) {
            self.fail(Error::new(
                span,
                "the type of this is not known: give it a name and a type first, `let v: f32 = ..;`",
            ));
        }
        if self.errors.is_none() {
            let mut wrong = Vec::new();
            crate::ir::walk_expressions(body, &mut |e| {
                if let Kind::Lit(Lit::Int(value)) = e.kind
                    && !fits(value, e.ty)
                {
                    wrong.push(Error::new(e.span, format!("{value} is out of range for {}", e.ty.name())));
                }
            });
            wrong.into_iter().for_each(|error| self.fail(error));
        }
    }

    pub fn lookup(&self, name: &str) -> Option<Name> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    pub fn declare(&mut self, ident: &Ident, ty: Ty, mutable: bool, len: Option<usize>) -> VarId {
        let id = self.declare_hidden(ident, ty, mutable, len);
        self.show(ident, id);
        id
    }

    /// Declares a variable that the user's code does not see: it may have a local of the same name.
    pub(crate) fn declare_hidden(&mut self, ident: &Ident, ty: Ty, mutable: bool, len: Option<usize>) -> VarId {
        let name = names::unique(ident, &self.f.vars, &self.f.arrays);
        self.f.vars.push(Var { ident: ident.clone(), name, ty, mutable, len });
        self.f.vars.len() - 1
    }

    /// From here on the name means this variable.
    pub(crate) fn show(&mut self, ident: &Ident, var: VarId) {
        self.scopes.last_mut().expect("there is a scope").insert(ident.to_string(), Name::Var(var));
    }

    pub(crate) fn scoped(&mut self, stmts: &[syn::Stmt], target: Target, span: Span) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.scopes.push(HashMap::new());
        self.block(stmts, target, span, &mut out);
        self.scopes.pop();
        out
    }

    pub(crate) fn block(&mut self, stmts: &[syn::Stmt], target: Target, span: Span, out: &mut Vec<Stmt>) {
        let mut valued = false;
        for (place, stmt) in stmts.iter().enumerate() {
            let last = place + 1 == stmts.len();
            let result = match stmt {
                syn::Stmt::Local(local) => {
                    let result = self.local(local, out);
                    if result.is_err() {
                        self.declare_all(&local.pat);
                    }
                    result
                }
                syn::Stmt::Expr(e, None) if last => {
                    valued = true;
                    self.tail(e, target, out)
                }
                syn::Stmt::Expr(e, _) => self.statement(e, out),
                syn::Stmt::Item(syn::Item::Const(item)) => self.constant(item, out),
                syn::Stmt::Item(item) => Err(Error::new_spanned(
                    item,
                    "no items but `const` in a kernel: put them beside it; a function that it calls says `#[kernel(helper)]`",
                )),
                syn::Stmt::Macro(m) => Err(no_macros(m.span())),
            };
            if let Err(error) = result {
                self.fail(error);
            }
        }
        let ends = matches!(out.last(), Some(Stmt::Return(..) | Stmt::Break | Stmt::Continue))
            || matches!(stmts.last(), Some(syn::Stmt::Expr(syn::Expr::Return(_), _)));
        let wants = match target {
            Target::Nothing => false,
            Target::Return => self.f.result != Ty::Unit,
            Target::Var(_) => true,
        };
        if wants && !valued && !ends && self.errors.is_none() {
            self.fail(Error::new(span, "this block ends without a value: the value is its last line, without `;`"));
        }
    }

    /// Lowers the last expression of a block.
    pub(crate) fn tail(&mut self, e: &syn::Expr, target: Target, out: &mut Vec<Stmt>) -> Result<()> {
        match e {
            syn::Expr::Paren(inner) => return self.tail(&inner.expr, target, out),
            syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => return self.statement(e, out),
            syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Assign(_) => return self.statement(e, out),
            syn::Expr::Loop(_) | syn::Expr::Macro(_) => return self.statement(e, out),
            syn::Expr::Binary(b) if assigns(&b.op).is_some() => return self.statement(e, out),
            syn::Expr::Block(b) if b.label.is_none() => {
                let inner = self.scoped(&b.block.stmts, target, b.span());
                out.push(Stmt::Block(inner));
                return Ok(());
            }
            syn::Expr::Block(_) => return self.statement(e, out),
            _ => {}
        }
        // A plain value on both sides stays an expression.
        if !matches!(target, Target::Nothing) && self.is_plain_value(e)
            || !matches!(e, syn::Expr::If(_) | syn::Expr::Match(_))
        {
            let span = e.span();
            match target {
                Target::Nothing => {
                    return Err(Error::new_spanned(e, "this value is not used: assign it, or remove it"));
                }
                Target::Return => {
                    if self.f.result == Ty::Unit {
                        return Err(Error::new_spanned(
                            e,
                            "the function returns nothing, but here it ends with a value: say its type, `-> f32`, or remove it",
                        ));
                    }
                    let value = self.value(e, out)?;
                    self.types.same(self.f.result, value.ty, e)?;
                    out.push(Stmt::Return(Some(value)));
                }
                Target::Var(var) => {
                    let value = self.value(e, out)?;
                    self.types.same(self.f.vars[var].ty, value.ty, e)?;
                    out.push(Stmt::Assign(Place::Var(var), None, value, span));
                }
            }
            return Ok(());
        }
        match e {
            syn::Expr::If(e) => self.branch(e, target, out),
            syn::Expr::Match(e) => self.matching(e, target, out),
            _ => Ok(()),
        }
    }

    fn constant(&mut self, item: &syn::ItemConst, out: &mut Vec<Stmt>) -> Result<()> {
        let Some(ty) = scalar_type(&item.ty) else {
            return Err(Error::new_spanned(
                &item.ty,
                "a `const` in a kernel is a scalar: f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize, bool",
            ));
        };
        let value = self.expr(&item.expr)?;
        self.types.same(ty, value.ty, &item.expr)?;
        let var = self.bind(&item.ident, ty, false, value, out);
        self.items.insert(var);
        Ok(())
    }

    /// Whether a variable is a `const`, of the function or from outside.
    pub(crate) fn is_constant(&self, var: VarId) -> bool {
        self.items.contains(&var) || self.f.constants.contains(&var)
    }

    pub(crate) fn bind(&mut self, ident: &Ident, ty: Ty, mutable: bool, value: Expr, out: &mut Vec<Stmt>) -> VarId {
        let var = self.bind_hidden(ident, ty, mutable, value, out);
        self.show(ident, var);
        var
    }

    /// As `bind`, for a variable that the user's code does not see.
    pub(crate) fn bind_hidden(
        &mut self,
        ident: &Ident,
        ty: Ty,
        mutable: bool,
        value: Expr,
        out: &mut Vec<Stmt>,
    ) -> VarId {
        let known = self.known(&value);
        let var = self.declare_hidden(ident, ty, mutable, None);
        if let Some(known) = known.filter(|_| !mutable) {
            self.constants.insert(var, known);
        }
        out.push(Stmt::Let(var, Some(value)));
        var
    }

    /// The value of an expression of known integers; none where it would wrap or be cut off.
    pub fn known(&self, e: &Expr) -> Option<u128> {
        let value = match &e.kind {
            Kind::Lit(Lit::Int(value)) => Some(*value),
            Kind::Var(var) => self.constants.get(var).copied(),
            Kind::Cast(e) => self.known(e),
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.known(a)?, self.known(b)?);
                match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Sub => a.checked_sub(b),
                    Binary::Mul => a.checked_mul(b),
                    Binary::Div => a.checked_div(b),
                    _ => None,
                }
            }
            _ => None,
        };
        value.filter(|&value| match self.types.settled(e.ty) {
            Some(ty) if ty.is_signed() => value <= ty.most(),
            Some(Ty::F32 | Ty::F64) => value < 1 << 24,
            ty => ty.is_some_and(|ty| fits(value, ty)),
        })
    }

    /// Declares the names of a refused `let`, so that one error does not cause others.
    fn declare_all(&mut self, pat: &Pat) {
        match pat {
            Pat::Ident(p) => {
                let ty = self.types.open(Sort::Any);
                self.declare(&p.ident, ty, true, None);
            }
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| self.declare_all(pat)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|pat| self.declare_all(pat)),
            Pat::Type(typed) => self.declare_all(&typed.pat),
            _ => {}
        }
    }

    fn local(&mut self, local: &syn::Local, out: &mut Vec<Stmt>) -> Result<()> {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        if let Pat::Tuple(names) = pat {
            return self.tuple(names, ty, local, out);
        }
        if let Pat::Slice(names) = pat {
            return self.taken_apart(names, ty, local, out);
        }
        let plain = match pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(pattern),
            _ => None,
        };
        let Some(pattern) = plain else {
            return Err(Error::new_spanned(
                pat,
                "one plain name for each `let`, `let (a, b) = (x, y);`, or `let [a, b] = w;` of an array: no other patterns",
            ));
        };
        let (ident, mutable) = (&pattern.ident, pattern.mutability.is_some());
        if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_some()) {
            return Err(no_else(init));
        }
        let init = local.init.as_ref().map(|init| &*init.expr);
        if let Some(e) = init
            && let Some(from) = self.whole(e, out)?
        {
            if let Some(syn::Type::Array(array)) = ty {
                let element = scalar_type(&array.elem).ok_or_else(|| Error::new_spanned(&array.elem, ONE_DIMENSION))?;
                self.types.same(element, self.type_of(&from), e)?;
            }
            let var = self.copied(ident, mutable, &from, e.span(), out);
            self.show(ident, var);
            return Ok(());
        }
        if matches!(ty, Some(syn::Type::Array(_))) || matches!(init, Some(syn::Expr::Array(_) | syn::Expr::Repeat(_))) {
            let var = self.local_array(ident, mutable, ty, init, out)?;
            self.show(ident, var);
            return Ok(());
        }
        let declared = match ty {
            Some(syn::Type::Infer(_)) | None => self.types.open(Sort::Any),
            Some(ty) => scalar_type(ty)
                .ok_or_else(|| Error::new_spanned(
                    ty,
                    "a local is a scalar (f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize, bool) or an array of scalars, `[f32; 4]`",
                ))?,
        };
        match init {
            None => {
                let var = self.declare(ident, declared, true, None);
                out.push(Stmt::Let(var, None));
            }
            Some(e) if is_branching(e) && !self.is_plain_value(e) => {
                // While its value is computed, the name means what it meant before.
                let var = self.declare_hidden(ident, declared, true, None);
                out.push(Stmt::Let(var, None));
                let result = self.tail(strip(e), Target::Var(var), out);
                self.show(ident, var);
                result?;
            }
            Some(e) => {
                let value = self.value(e, out)?;
                self.types.same(declared, value.ty, e)?;
                self.bind(ident, declared, mutable, value, out);
            }
        }
        Ok(())
    }

    pub(crate) fn local_array(
        &mut self,
        ident: &Ident,
        mutable: bool,
        ty: Option<&syn::Type>,
        init: Option<&syn::Expr>,
        out: &mut Vec<Stmt>,
    ) -> Result<VarId> {
        let element = match ty {
            Some(syn::Type::Array(array)) => {
                scalar_type(&array.elem).ok_or_else(|| Error::new_spanned(&array.elem, ONE_DIMENSION))?
            }
            _ => self.types.open(Sort::Any),
        };
        let inner = match init {
            Some(syn::Expr::Repeat(repeat)) => Some(&*repeat.expr),
            Some(syn::Expr::Array(array)) => array.elems.first(),
            _ => None,
        };
        if let Some(inner @ (syn::Expr::Repeat(_) | syn::Expr::Array(_))) = inner {
            return Err(Error::new_spanned(inner, ONE_DIMENSION));
        }
        let (len, value) = match init {
            Some(syn::Expr::Repeat(repeat)) => {
                let value = self.value(&repeat.expr, out)?;
                self.types.same(element, value.ty, &repeat.expr)?;
                let len = self.expr(&repeat.len)?;
                self.types.same(Ty::Usize, len.ty, &repeat.len)?;
                (self.known(&len), ArrayInit::Repeat(value))
            }
            Some(syn::Expr::Array(array)) => {
                let mut list = Vec::new();
                for e in &array.elems {
                    let value = self.value(e, out)?;
                    self.types.same(element, value.ty, e)?;
                    list.push(value);
                }
                (Some(list.len() as u128), ArrayInit::List(list))
            }
            _ => {
                return Err(Error::new_spanned(
                    ident,
                    "an array in a kernel begins as `[value; length]` or `[a, b, c]`",
                ));
            }
        };
        match len {
            Some(len @ 1..=4096) => {
                let var = self.declare_hidden(ident, element, mutable, Some(len as usize));
                out.push(Stmt::LetArray(var, value));
                Ok(var)
            }
            _ => Err(Error::new(
                init.map_or(ident.span(), Spanned::span),
                "the length of an array in a kernel is known when it is compiled, from 1 to 4096: a literal, or a `const` \
                 in the function",
            )),
        }
    }

    /// A value that is computed here, once: what has to come before it, such as a copy of an array for a helper, can.
    pub(crate) fn value(&mut self, e: &syn::Expr, out: &mut Vec<Stmt>) -> Result<Expr> {
        self.first(out, |this| this.expr(e))
    }

    /// As `value`, for what `of` lowers.
    pub(crate) fn first<T>(&mut self, out: &mut Vec<Stmt>, of: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let around = self.before.replace(Vec::new());
        let value = of(self);
        out.extend(std::mem::replace(&mut self.before, around).into_iter().flatten());
        value
    }

    /// Lowers what may not be computed at all, so that nothing that it needs can come before.
    pub(crate) fn perhaps<T>(&mut self, of: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let around = self.before.take();
        let value = of(self);
        self.before = around;
        value
    }

    /// The value of an assignment. An `if`, `match` or block of statements comes first, under a name of its own: in Rust too the
    /// value is computed before the index of the element.
    pub(crate) fn assigned(&mut self, e: &syn::Expr, out: &mut Vec<Stmt>) -> Result<Expr> {
        if self.is_plain_value(e) || !is_branching(e) {
            return self.value(e, out);
        }
        let (ty, span) = (self.types.open(Sort::Any), e.span());
        let var = self.declare_hidden(&Ident::new("ap_value", span), ty, true, None);
        out.push(Stmt::Let(var, None));
        self.tail(strip(e), Target::Var(var), out)?;
        Ok(Expr { kind: Kind::Var(var), ty, span })
    }

    pub(crate) fn statement(&mut self, e: &syn::Expr, out: &mut Vec<Stmt>) -> Result<()> {
        match e {
            syn::Expr::Paren(inner) => self.statement(&inner.expr, out),
            syn::Expr::Assign(a) => {
                if let syn::Expr::Infer(_) = &*a.left {
                    return Err(Error::new_spanned(a, "this value is not used: remove it"));
                }
                if let syn::Expr::Tuple(places) = strip(&a.left) {
                    return self.assign_tuple(places, a, out);
                }
                if self.named_array(&a.left).is_some() || self.item(&a.left).is_some() {
                    return self.assign_array(a, out);
                }
                let value = self.assigned(&a.right, out)?;
                let place = self.place(&a.left, value.ty, &a.right)?;
                out.push(Stmt::Assign(place, None, value, a.span()));
                Ok(())
            }
            syn::Expr::Binary(b) => match assigns(&b.op) {
                Some(op) => {
                    let value = self.assigned(&b.right, out)?;
                    let shifts = matches!(op, Binary::Shl | Binary::Shr);
                    let ty = if shifts { self.types.open(Sort::Integer) } else { value.ty };
                    let place = self.place(&b.left, ty, &b.right)?;
                    if matches!(op, Binary::And | Binary::Or | Binary::Xor) && self.types.now(value.ty) != Ty::Bool {
                        self.types.must_be(Sort::Integer, value.ty, &b.right)?;
                    }
                    out.push(Stmt::Assign(place, Some(op), value, b.span()));
                    Ok(())
                }
                None => Err(Error::new_spanned(b, "this value is not used: assign it, or remove it")),
            },
            syn::Expr::ForLoop(l) => {
                self.for_loop(l, out)?;
                self.pass_on(out);
                Ok(())
            }
            syn::Expr::While(l) => {
                let condition = self.condition(&l.cond)?;
                let body = self.turns(l.label.as_ref(), &l.body, Vec::new());
                out.push(Stmt::While(condition, body));
                self.pass_on(out);
                Ok(())
            }
            syn::Expr::Loop(l) => {
                Err(Error::new_spanned(l.loop_token, "no `loop` in a kernel: write `while`, or `for` over a range"))
            }
            syn::Expr::If(e) => self.branch(e, Target::Nothing, out),
            syn::Expr::Match(e) => self.matching(e, Target::Nothing, out),
            syn::Expr::Block(b) => {
                no_label(b.label.as_ref())?;
                let inner = self.scoped(&b.block.stmts, Target::Nothing, b.span());
                out.push(Stmt::Block(inner));
                Ok(())
            }
            syn::Expr::Return(r) => {
                let span = r.span();
                let value = match &r.expr {
                    Some(e) if self.f.result != Ty::Unit && is_branching(e) && !self.is_plain_value(e) => {
                        return self.tail(strip(e), Target::Return, out);
                    }
                    Some(e) => {
                        let value = self.value(e, out)?;
                        self.types.same(self.f.result, value.ty, e)?;
                        Some(value)
                    }
                    None if self.f.result == Ty::Unit => None,
                    None => {
                        return Err(Error::new(
                            span,
                            format!("`return` needs a value: the function returns `{}`", self.f.result.name()),
                        ));
                    }
                };
                out.push(Stmt::Return(value));
                Ok(())
            }
            syn::Expr::Break(b) => {
                if let Some(value) = &b.expr {
                    return Err(Error::new_spanned(value, "`break` ends a `for` or a `while`, which have no value"));
                }
                self.jump(b, b.label.as_ref(), false, out)
            }
            syn::Expr::Continue(c) => self.jump(c, c.label.as_ref(), true, out),
            syn::Expr::Macro(m) => Err(no_macros(m.span())),
            other => {
                // Errors inside come first.
                self.expr(other)?;
                Err(Error::new_spanned(other, "this does nothing: assign its value, or remove it"))
            }
        }
    }

    fn for_loop(&mut self, l: &syn::ExprForLoop, out: &mut Vec<Stmt>) -> Result<()> {
        let ident = match &*l.pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => p.ident.clone(),
            Pat::Wild(wild) => Ident::new("unused", wild.span()),
            Pat::Ident(_) => {
                return Err(Error::new_spanned(
                    &l.pat,
                    "the variable of a `for` is one plain name, not `mut`: copy it, `let mut k = j;`",
                ));
            }
            other => return Err(self.not_one_name(other, &l.expr)),
        };
        if self.is_array(&l.expr) {
            return self.for_elements(l, &ident, out);
        }
        if let syn::Expr::MethodCall(call) = strip(&l.expr) {
            return self.stepped(l, &ident, call, out);
        }
        let syn::Expr::Range(range) = strip(&l.expr) else {
            return Err(Error::new_spanned(&l.expr, crate::steps::RANGES));
        };
        let (from, to) = self.ends(range)?;
        self.scopes.push(HashMap::new());
        let var = self.declare_hidden(&ident, from.ty, false, None);
        if !matches!(&*l.pat, Pat::Wild(_)) {
            self.show(&ident, var);
        }
        let body = self.turns(l.label.as_ref(), &l.body, Vec::new());
        self.scopes.pop();
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        out.push(Stmt::For(Box::new(ForLoop { var, lo: from, hi: to, inclusive, body })));
        Ok(())
    }

    /// Both ends of a range.
    pub(crate) fn ends(&mut self, range: &syn::ExprRange) -> Result<(Expr, Expr)> {
        let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
            return Err(Error::new_spanned(range, "the range of a `for` has both ends: `lo..hi`"));
        };
        let (from, to) = (self.expr(lo)?, self.expr(hi)?);
        self.types.same(from.ty, to.ty, hi)?;
        self.types.must_be(Sort::Integer, from.ty, range)?;
        Ok((from, to))
    }

    fn branch(&mut self, e: &syn::ExprIf, target: Target, out: &mut Vec<Stmt>) -> Result<()> {
        let condition = self.first(out, |this| this.condition(&e.cond))?;
        let yes = self.scoped(&e.then_branch.stmts, target, e.then_branch.span());
        let no = match &e.else_branch {
            Some((_, other)) => {
                let mut no = Vec::new();
                self.scopes.push(HashMap::new());
                let result = match &**other {
                    syn::Expr::Block(b) => {
                        self.block(&b.block.stmts, target, b.span(), &mut no);
                        Ok(())
                    }
                    other => self.tail(other, target, &mut no),
                };
                self.scopes.pop();
                result?;
                no
            }
            None if matches!(target, Target::Var(_))
                || matches!(target, Target::Return) && self.f.result != Ty::Unit =>
            {
                return Err(Error::new_spanned(e, "an `if` as a value needs an `else`"));
            }
            None => Vec::new(),
        };
        out.push(Stmt::If(condition, yes, no));
        Ok(())
    }

    /// Whether it needs no statements: a value, or `if` with only a value on both sides.
    fn is_plain_value(&self, e: &syn::Expr) -> bool {
        fn block(b: &syn::Block) -> Option<&syn::Expr> {
            match &b.stmts[..] {
                [syn::Stmt::Expr(e, None)] => Some(e),
                _ => None,
            }
        }
        match e {
            syn::Expr::If(e) => {
                let yes = block(&e.then_branch).is_some_and(|e| self.is_plain_value(e));
                yes && e.else_branch.as_ref().is_some_and(|(_, other)| self.is_plain_value(other))
            }
            syn::Expr::Block(b) => b.label.is_none() && block(&b.block).is_some_and(|e| self.is_plain_value(e)),
            syn::Expr::Paren(p) => self.is_plain_value(&p.expr),
            syn::Expr::Match(_) | syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => false,
            syn::Expr::Assign(_) | syn::Expr::ForLoop(_) | syn::Expr::While(_) => false,
            syn::Expr::Binary(b) => assigns(&b.op).is_none(),
            _ => true,
        }
    }
}

pub(crate) fn no_else(init: &syn::LocalInit) -> Error {
    let rest = init.diverge.as_ref().map(|(_, rest)| rest);
    Error::new_spanned(rest, "no `let .. else` in a kernel: write an `if`")
}

/// Whether it may have statements inside.
fn is_branching(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_))
}
