//! Lowering of expressions: from Rust to the typed form.

use crate::infer::Sort;
use crate::ir::{ArrayId, Binary, Expr, Kind, Lit, Place, Ty};
use crate::lower::{Lower, Name};
use crate::parse::scalar_type;
use crate::syntax::{assigns, boolean, strip};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

impl Lower {
    /// A condition: a `bool`.
    pub(crate) fn condition(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Let(l) = strip(e) {
            return Err(Error::new_spanned(
                l,
                "no `if let` or `while let` in a kernel, as there are numbers alone: compare them",
            ));
        }
        let value = self.expr(e)?;
        self.types.same(Ty::Bool, value.ty, e)?;
        Ok(value)
    }

    /// The place that is assigned to; the assigned value has type `ty`.
    pub(crate) fn place(&mut self, e: &syn::Expr, ty: Ty, value: &syn::Expr) -> Result<Place> {
        let span = e.span();
        match strip(e) {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|ident| self.lookup(&ident.to_string())) {
                Some(Name::Var(var)) if self.f.vars[var].len.is_none() => {
                    if self.f.indices.contains(&var) {
                        return Err(Error::new(span, "the loop index is not assigned to: copy it with `let mut`"));
                    }
                    self.types.same(self.f.vars[var].ty, ty, value)?;
                    Ok(Place::Var(var))
                }
                Some(Name::Array(_)) => {
                    Err(Error::new(span, "a parameter is no place, but its elements are: `y[i] = ..`"))
                }
                Some(Name::Var(_)) => Err(Error::new(
                    span,
                    "a local array is assigned to as a whole by `=` alone, `w = v;` or `w = [0.0; 4];`, and else element by \
                     element, `w[k] += ..`",
                )),
                None => Err(Error::new(
                    span,
                    "this is no local of the kernel: locals and elements of `&mut [T]` are assigned to",
                )),
            },
            syn::Expr::Index(at) => {
                let (name, index) = self.indexed(at)?;
                match name {
                    Name::Array(array) => {
                        self.writable(array, span)?;
                        self.types.same(self.f.arrays[array].ty, ty, value)?;
                        Ok(Place::Element(array, index))
                    }
                    Name::Var(var) => {
                        self.types.same(self.f.vars[var].ty, ty, value)?;
                        Ok(Place::Local(var, index))
                    }
                }
            }
            syn::Expr::Unary(_) => {
                Err(Error::new_spanned(e, "no references in a kernel: assign to a local or to `y[i]`, without `*`"))
            }
            _ => Err(Error::new_spanned(e, "each assignment is to one local or to one element of an array")),
        }
    }

    /// An error if an array is not one that the function may write.
    pub(crate) fn writable(&self, array: ArrayId, span: Span) -> Result<()> {
        if self.f.arrays[array].mutable {
            return Ok(());
        }
        let ident = &self.f.arrays[array].ident;
        Err(Error::new(span, format!("`{ident}` is read only: make the parameter `&mut [..]`")))
    }

    pub(crate) fn array_name(&mut self, e: &syn::Expr) -> Result<Name> {
        let span = e.span();
        let wrong = || {
            Error::new_spanned(
                e,
                "only a parameter `&[T]`, `&mut [T]` or a local array has elements, and one index each",
            )
        };
        let syn::Expr::Path(p) = strip(e) else { return Err(wrong()) };
        let ident = p.path.get_ident().ok_or_else(wrong)?;
        match self.lookup(&ident.to_string()) {
            Some(Name::Var(var)) if self.f.vars[var].len.is_none() => Err(wrong()),
            Some(name) => Ok(name),
            None => {
                Err(Error::new(span, format!("`{ident}` is no parameter and no local: pass the array as a parameter")))
            }
        }
    }

    pub(crate) fn index(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Range(range) = strip(e) {
            return Err(Error::new_spanned(range, "no slices in a kernel: one element at a time, `x[i]`"));
        }
        let index = self.expr(e)?;
        self.types
            .same(Ty::Usize, index.ty, e)
            .map_err(|error| Error::new_spanned(e, format!("{error}: an index is `usize`")))?;
        Ok(index)
    }

    pub(crate) fn expr(&mut self, e: &syn::Expr) -> Result<Expr> {
        let span = e.span();
        let make = |kind, ty| Ok(Expr { kind, ty, span });
        match e {
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) => self.path(p),
            syn::Expr::Unary(u) => {
                let value = self.expr(&u.expr)?;
                let ty = value.ty;
                match u.op {
                    syn::UnOp::Neg(_) => {
                        let now = self.types.now(ty);
                        if now.is_unsigned() || now == Ty::Bool {
                            let text = format!("a `{}` has no sign: cast it first, to i64 say", now.name());
                            return Err(Error::new_spanned(e, text));
                        }
                        make(Kind::Neg(Box::new(value)), ty)
                    }
                    syn::UnOp::Not(_) => {
                        if self.types.now(ty) != Ty::Bool {
                            self.types.must_be(Sort::Integer, ty, &u.expr)?;
                        }
                        make(Kind::Not(Box::new(value)), ty)
                    }
                    _ => {
                        Err(Error::new_spanned(e, "no references in a kernel: elements are values, `x[i]` without `*`"))
                    }
                }
            }
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::Cast(c) => {
                let value = self.expr(&c.expr)?;
                let Some(ty) = scalar_type(&c.ty) else {
                    return Err(Error::new_spanned(
                        &c.ty,
                        "a cast is to f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 or usize",
                    ));
                };
                // As in Rust, a literal takes the type of its cast if that is of its sort: `3_000_000_000 as u64` fits.
                let fits = match cast_literal(&c.expr) {
                    Some(syn::Lit::Int(literal)) => ty.is_integer() && literal.suffix().is_empty(),
                    Some(syn::Lit::Float(literal)) => ty.is_float() && literal.suffix().is_empty(),
                    _ => false,
                };
                if fits {
                    self.types.same(ty, value.ty, &c.expr)?;
                }
                make(Kind::Cast(Box::new(value)), ty)
            }
            syn::Expr::Index(at) => {
                let (name, index) = self.indexed(at)?;
                let index = Box::new(index);
                match name {
                    Name::Array(array) => make(Kind::Load(array, index), self.f.arrays[array].ty),
                    Name::Var(var) => make(Kind::Local(var, index), self.f.vars[var].ty),
                }
            }
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::If(e) => {
                let condition = self.condition(&e.cond)?;
                let yes = self.perhaps(|this| this.only_value(&e.then_branch))?;
                let Some((_, other)) = &e.else_branch else {
                    return Err(Error::new_spanned(e, "an `if` as a value needs an `else`"));
                };
                let no = self.perhaps(|this| this.expr(other))?;
                self.types.same(yes.ty, no.ty, other)?;
                let ty = yes.ty;
                make(Kind::Select(Box::new(condition), Box::new(yes), Box::new(no)), ty)
            }
            syn::Expr::Block(b) => self.only_value(&b.block),
            syn::Expr::Reference(r) if self.item(&r.expr).is_some() => {
                Err(Error::new_spanned(e, "no references in a kernel: copy the element, `let w = p[i];`"))
            }
            other => Err(refused(other)),
        }
    }

    /// The value of a block that contains nothing else.
    fn only_value(&mut self, block: &syn::Block) -> Result<Expr> {
        match &block.stmts[..] {
            [syn::Stmt::Expr(e, None)] => self.expr(e),
            _ => Err(Error::new_spanned(
                block,
                "inside an expression a block is one value alone: give it a name first, `let v = if .. { .. } else { .. };`",
            )),
        }
    }

    fn literal(&mut self, lit: &syn::Lit) -> Result<Expr> {
        let span = lit.span();
        let suffix = |text: &str| match text {
            "" => Ok(None),
            text => match Ty::named(text) {
                Some(ty) => Ok(Some(ty)),
                None => Err(Error::new(
                    span,
                    format!("kernels have no type `{text}`: f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize"),
                )),
            },
        };
        match lit {
            syn::Lit::Int(i) => {
                let ty = match suffix(i.suffix())? {
                    Some(ty) => ty,
                    None => self.types.open(Sort::Integer),
                };
                if ty.is_float() {
                    return Ok(Expr { kind: Kind::Lit(Lit::Float(format!("{}.0", i.base10_digits()))), ty, span });
                }
                let value = i.base10_parse::<u128>()?;
                Ok(Expr { kind: Kind::Lit(Lit::Int(value)), ty, span })
            }
            syn::Lit::Float(f) => {
                let ty = match suffix(f.suffix())? {
                    Some(ty) => ty,
                    None => self.types.open(Sort::Float),
                };
                Ok(Expr { kind: Kind::Lit(Lit::Float(f.base10_digits().to_owned())), ty, span })
            }
            syn::Lit::Byte(b) => Ok(Expr { kind: Kind::Lit(Lit::Int(b.value().into())), ty: Ty::U8, span }),
            syn::Lit::Bool(b) => Ok(Expr { kind: Kind::Lit(Lit::Bool(b.value)), ty: Ty::Bool, span }),
            _ => Err(Error::new(span, "kernels have numbers and `bool` alone: no strings, no characters")),
        }
    }

    fn path(&mut self, p: &syn::ExprPath) -> Result<Expr> {
        let span = p.span();
        if let Some(ident) = p.path.get_ident() {
            return match self.lookup(&ident.to_string()) {
                Some(Name::Var(var)) if self.f.vars[var].len.is_none() => {
                    Ok(Expr { kind: Kind::Var(var), ty: self.f.vars[var].ty, span })
                }
                Some(_) => Err(Error::new(span, format!("`{ident}` is an array: read an element, `{ident}[i]`"))),
                None => {
                    let hint = match names_constant(ident) {
                        false => String::new(),
                        true if MATHEMATICAL.iter().any(|known| ident == known) => format!(
                            "; by its whole path, `std::f32::consts::{ident}`, a kernel knows it, and a constant of your own with \
                             its type, `#[kernel(const {ident}: f32)]`"
                        ),
                        true => format!(
                            "; of a constant say so and give its type, of a `usize` by `#[kernel(const {ident}: usize)]`"
                        ),
                    };
                    let text = format!(
                        "`{ident}` is no parameter and no local: GPUs see nothing else. Pass it as a parameter{hint}"
                    );
                    Err(Error::new(span, text))
                }
            };
        }
        let words: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = words.strip_prefix(&["std"]).or(words.strip_prefix(&["core"])).unwrap_or(&words);
        let (ty, name) = match words {
            [ty, name] => (*ty, *name),
            [ty, "consts", name] => (*ty, *name),
            _ => ("", ""),
        };
        let found = Ty::named(ty).and_then(|ty| Some((constant(ty, name)?, ty)));
        match found {
            Some((kind, ty)) => Ok(Expr { kind, ty, span }),
            None => Err(Error::new_spanned(
                p,
                "GPUs do not see this: pass it as a parameter, or write a `const` in the function; known are constants such \
                 as `f32::MAX`, `f64::EPSILON`, `i32::MAX` and `std::f32::consts::PI`",
            )),
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Result<Expr> {
        let span = b.span();
        if assigns(&b.op).is_some() {
            return Err(Error::new_spanned(b, "an assignment is a statement of its own, not a value"));
        }
        let op = match b.op {
            syn::BinOp::Add(_) => Binary::Add,
            syn::BinOp::Sub(_) => Binary::Sub,
            syn::BinOp::Mul(_) => Binary::Mul,
            syn::BinOp::Div(_) => Binary::Div,
            syn::BinOp::Rem(_) => Binary::Rem,
            syn::BinOp::BitAnd(_) => Binary::And,
            syn::BinOp::BitOr(_) => Binary::Or,
            syn::BinOp::BitXor(_) => Binary::Xor,
            syn::BinOp::Shl(_) => Binary::Shl,
            syn::BinOp::Shr(_) => Binary::Shr,
            syn::BinOp::Eq(_) => Binary::Eq,
            syn::BinOp::Ne(_) => Binary::Ne,
            syn::BinOp::Lt(_) => Binary::Lt,
            syn::BinOp::Le(_) => Binary::Le,
            syn::BinOp::Gt(_) => Binary::Gt,
            syn::BinOp::Ge(_) => Binary::Ge,
            syn::BinOp::And(_) => Binary::Both,
            syn::BinOp::Or(_) => Binary::Either,
            _ => return Err(Error::new_spanned(b, "kernels do not know this operator")),
        };
        let left = self.expr(&b.left)?;
        let right = match op {
            Binary::Both | Binary::Either => self.perhaps(|this| this.expr(&b.right))?,
            _ => self.expr(&b.right)?,
        };
        let mut ty = left.ty;
        match op {
            Binary::Both | Binary::Either => {
                self.types.same(Ty::Bool, left.ty, &b.left)?;
                self.types.same(Ty::Bool, right.ty, &b.right)?;
            }
            Binary::Shl | Binary::Shr => {
                self.types.must_be(Sort::Integer, left.ty, &b.left)?;
                self.types.must_be(Sort::Integer, right.ty, &b.right)?;
            }
            _ => {
                self.types.same(left.ty, right.ty, &b.right)?;
                let now = self.types.now(left.ty);
                if matches!(op, Binary::And | Binary::Or | Binary::Xor) && now != Ty::Bool {
                    self.types.must_be(Sort::Integer, left.ty, &b.left)?;
                }
                if now == Ty::Bool && matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem)
                {
                    return Err(Error::new_spanned(b, "no arithmetic with `bool`: write `if c { 1 } else { 0 }`"));
                }
                if op.compares() {
                    ty = Ty::Bool;
                }
            }
        }
        Ok(Expr { kind: Kind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// The test whether `subject` matches a pattern; `None` if it always does.
    pub(crate) fn pattern(&mut self, pat: &Pat, subject: &Expr) -> Result<Option<Expr>> {
        let compare = |this: &mut Self, op: Binary, lit: &syn::Expr| -> Result<Expr> {
            let value = this.pattern_value(lit)?;
            this.types.same(subject.ty, value.ty, lit)?;
            let span = lit.span();
            Ok(Expr { kind: Kind::Binary(op, Box::new(subject.clone()), Box::new(value)), ty: Ty::Bool, span })
        };
        match pat {
            Pat::Wild(_) => Ok(None),
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => match self.lookup(&p.ident.to_string()) {
                Some(Name::Var(var)) if self.is_constant(var) => {
                    self.types.same(subject.ty, self.f.vars[var].ty, &p.ident)?;
                    let value = Expr { kind: Kind::Var(var), ty: subject.ty, span: p.ident.span() };
                    Ok(Some(boolean(Binary::Eq, subject.clone(), value)))
                }
                // Rust takes the name of any constant in scope for its value, and those outside are not seen here.
                _ if names_constant(&p.ident) => {
                    let ident = &p.ident;
                    let text = format!(
                        "`{ident}` is written like a constant, and kernels see only those that they name: say so and give its \
                         type, `#[kernel(const {ident}: i32)]`; a name that takes the value is in lower case"
                    );
                    Err(Error::new_spanned(ident, text))
                }
                _ => Ok(None),
            },
            Pat::Paren(p) => self.pattern(&p.pat, subject),
            Pat::Lit(l) => compare(self, Binary::Eq, &syn::Expr::Lit(l.clone())).map(Some),
            Pat::Range(r) => {
                let low = r.start.as_deref().map(|e| compare(self, Binary::Ge, e)).transpose()?;
                let op = if matches!(r.limits, syn::RangeLimits::Closed(_)) { Binary::Le } else { Binary::Lt };
                let high = r.end.as_deref().map(|e| compare(self, op, e)).transpose()?;
                Ok(match (low, high) {
                    (Some(low), Some(high)) => Some(boolean(Binary::Both, low, high)),
                    (low, high) => low.or(high),
                })
            }
            Pat::Or(list) => {
                let mut any: Option<Expr> = None;
                for case in &list.cases {
                    let Some(c) = self.pattern(case, subject)? else { return Ok(None) };
                    any = Some(match any {
                        Some(any) => boolean(Binary::Either, any, c),
                        None => c,
                    });
                }
                Ok(any)
            }
            other => Err(Error::new_spanned(other, "a pattern is an integer, `a..=b`, `a | b`, a name or `_`")),
        }
    }

    fn pattern_value(&mut self, e: &syn::Expr) -> Result<Expr> {
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(i), .. }) = e
            && let Some(digits) = i.base10_digits().strip_prefix('-')
        {
            let span = i.span();
            let positive = self.literal(&syn::Lit::Int(syn::LitInt::new(&format!("{digits}{}", i.suffix()), span)))?;
            let ty = positive.ty;
            return Ok(Expr { kind: Kind::Neg(Box::new(positive)), ty, span });
        }
        self.expr(e)
    }
}

/// Whether a name is written like that of a constant: in capitals.
fn names_constant(ident: &Ident) -> bool {
    let name = ident.to_string();
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// Constants of floating-point types, and those in the modules `std::f32::consts` and `std::f64::consts`.
const LIMITS: [&str; 7] = ["MAX", "MIN", "MIN_POSITIVE", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN"];
const MATHEMATICAL: [&str; 14] = [
    "PI",
    "TAU",
    "E",
    "SQRT_2",
    "LN_2",
    "LN_10",
    "LOG2_E",
    "LOG10_E",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
];

fn constant(ty: Ty, name: &str) -> Option<Kind> {
    let int = |value: u128| Some(Kind::Lit(Lit::Int(value)));
    let least = |value: u128| {
        let one = Expr { kind: Kind::Lit(Lit::Int(value)), ty, span: Span::call_site() };
        Some(Kind::Neg(Box::new(one)))
    };
    if ty.is_float() {
        return LIMITS
            .iter()
            .chain(&MATHEMATICAL)
            .find(|known| **known == name)
            .map(|known| Kind::Lit(Lit::Named(known)));
    }
    match name {
        "MAX" if ty.is_integer() => int(ty.most()),
        "MIN" if ty.is_signed() => least(ty.most() + 1),
        "MIN" if ty.is_unsigned() => int(0),
        _ => None,
    }
}

fn refused(e: &syn::Expr) -> Error {
    let text = match e {
        syn::Expr::Reference(_) => "no references in a kernel: pass values",
        syn::Expr::Closure(_) => "no closures in a kernel: write a `#[kernel(helper)]` function",
        syn::Expr::Tuple(_) => "no tuples in a kernel, but in `let (a, b) = (x, y);` and `(a, b) = (b, a + b);`",
        syn::Expr::Struct(_) | syn::Expr::Field(_) => "no structs and fields in a kernel: one array for each field",
        syn::Expr::Macro(_) => "no macros in a kernel: GPUs cannot print or panic; check arguments before the loop",
        syn::Expr::Range(_) => "a range stands in `for .. in lo..hi` alone",
        syn::Expr::Array(_) | syn::Expr::Repeat(_) => "an array gets a name: `let a = [..];`",
        syn::Expr::Match(_) => "a `match` as a value gets a name first: `let v = match .. { .. };`",
        syn::Expr::Try(_) => "no `?` in a kernel: it returns a number or nothing",
        syn::Expr::Await(_) | syn::Expr::Async(_) => "no `async` in a kernel",
        syn::Expr::Unsafe(_) => "no `unsafe` in a kernel: `#[map(..)]` says what cannot be proved",
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => {
            "this is a statement, not a value: put it in an `if` before"
        }
        syn::Expr::Assign(_) => "an assignment is a statement of its own, not a value",
        syn::Expr::Loop(_) => "no `loop` in a kernel: write `while`, or `for` over a range",
        _ => "kernels do not know this; docs/kernel.md has the language",
    };
    Error::new_spanned(e, text)
}

/// The literal that an expression consists of, besides parentheses and signs.
fn cast_literal(e: &syn::Expr) -> Option<&syn::Lit> {
    match e {
        syn::Expr::Paren(p) => cast_literal(&p.expr),
        syn::Expr::Group(g) => cast_literal(&g.expr),
        syn::Expr::Unary(u) => cast_literal(&u.expr),
        syn::Expr::Lit(l) => Some(&l.lit),
        _ => None,
    }
}
