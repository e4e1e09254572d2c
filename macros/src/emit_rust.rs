//! The host body: plain loops over slices; inner loops check their bounds once.

use crate::access::Accesses;
use crate::contribute::Operator;
use crate::emit_turns::Turn;
use crate::functions::Own;
use crate::ir::{ArrayId, ArrayInit, Binary, Builtin, Expr, Function, Kind, Lit, Place, Stmt, Ty, VarId};
use crate::poly::Poly;
use crate::windows::Window;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// Writes Rust for the statements of a function.
pub struct Emit<'a, 'f> {
    pub f: &'f Function,
    pub accesses: &'a mut Accesses<'f>,
    /// Open windows: elements that are known to be in bounds.
    pub(crate) open: Vec<Window>,
    /// A condition whose value is known.
    pub(crate) known: Option<(*const Expr, bool)>,
    pub(crate) returns: Returns,
    /// Locals that are several parallel sums.
    pub(crate) beside: Vec<VarId>,
    /// Whether rows are long, so that loops over them run in two parts; and the type and length of such a row.
    pub(crate) long: bool,
    pub(crate) row: Option<(TokenStream, TokenStream)>,
    /// The turn that is being written, if several are written side by side.
    pub(crate) turn: Option<Turn>,
}

/// What `return` becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The value of a helper.
    Value,
    /// The end of an iteration.
    Iteration,
    /// The end of one of several iterations that are reduced in parallel.
    Lane,
}

impl<'a, 'f> Emit<'a, 'f> {
    pub fn new(accesses: &'a mut Accesses<'f>, returns: Returns) -> Self {
        let f = accesses.f;
        let (open, beside) = (Vec::new(), Vec::new());
        Self { f, accesses, open, known: None, returns, beside, long: false, row: None, turn: None }
    }

    pub fn var(&self, var: VarId) -> Ident {
        let name = &self.f.vars[var].name;
        match &self.turn {
            Some(turn) if turn.own.contains(&var) => format_ident!("ap_turn{}_{name}", turn.place),
            _ => Ident::new(name, Span::call_site()),
        }
    }

    /// The slice of an array, and the index of its first element.
    pub fn array(&self, array: ArrayId) -> (Ident, TokenStream) {
        let name = self.f.arrays[array].name.clone();
        let first = format_ident!("{name}_first");
        let first = if self.is_whole(array) { quote!(0usize) } else { quote!(#first) };
        (Ident::new(&name, Span::call_site()), first)
    }

    /// Kernel and array, and the array's map if it is stated, for messages.
    pub(crate) fn called(&self, array: ArrayId) -> TokenStream {
        let stated = self.f.stated.get(&array).map_or("", String::as_str);
        let (kernel, array) = (self.f.ident.to_string(), self.f.arrays[array].ident.to_string());
        quote!(&[#kernel, #array, #stated])
    }

    /// Whether an array's slice begins with its first element, as for arrays that iterations contribute to.
    pub fn is_whole(&self, array: ArrayId) -> bool {
        self.accesses.contributions.iter().any(|access| access.array == array)
    }

    pub fn block(&mut self, list: &[Stmt], last: bool) -> TokenStream {
        let mut out = TokenStream::new();
        for (place, stmt) in list.iter().enumerate() {
            out.extend(self.statement(stmt, last && place + 1 == list.len()));
        }
        out
    }

    /// `last`: the iteration ends after this statement anyway.
    fn statement(&mut self, stmt: &Stmt, last: bool) -> TokenStream {
        match stmt {
            Stmt::Let(var, init) => {
                let (name, ty) = (self.var(*var), ty(self.f.vars[*var].ty));
                let mutable = if self.f.vars[*var].mutable { quote!(mut) } else { quote!() };
                match init {
                    Some(e) => {
                        let e = self.expr(e);
                        quote!(let #mutable #name: #ty = #e;)
                    }
                    None => quote!(let mut #name: #ty;),
                }
            }
            Stmt::LetArray(var, init) => {
                let (name, ty, len) = (self.var(*var), ty(self.f.vars[*var].ty), self.f.vars[*var].len.unwrap_or(1));
                match init {
                    ArrayInit::Repeat(e) => {
                        let e = self.expr(e);
                        quote!(let mut #name: [#ty; #len] = [#e; #len];)
                    }
                    ArrayInit::List(list) => {
                        let list: Vec<_> = list.iter().map(|e| self.expr(e)).collect();
                        quote!(let mut #name: [#ty; #len] = [#(#list),*];)
                    }
                }
            }
            Stmt::Assign(place, op, value, span) => self.assign(place, *op, value, *span),
            Stmt::Contribute(array, index, operator, value, _) => self.contribute(*array, index, *operator, value),
            Stmt::For(l) => self.for_loop(l),
            Stmt::While(condition, body) => {
                let (condition, body) = (self.expr(condition), self.block(body, false));
                quote!(while #condition { #body })
            }
            Stmt::If(condition, yes, no) if self.value_of(condition).is_some() => {
                let side = self.block(if self.value_of(condition) == Some(true) { yes } else { no }, last);
                quote!({ #side })
            }
            Stmt::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let (yes, no) = (self.block(yes, last), self.block(no, last));
                if no.is_empty() { quote!(if #condition { #yes }) } else { quote!(if #condition { #yes } else { #no }) }
            }
            Stmt::Block(body) => {
                let body = self.block(body, last);
                quote!({ #body })
            }
            Stmt::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e));
                match (self.returns, value) {
                    (Returns::Value, value) => quote!(return #value;),
                    (Returns::Lane, Some(value)) => quote!(*ap_total = ap_total.combine::<AP_OPERATOR>(#value);),
                    (_, Some(value)) if last => quote!(ap_total = ap_total.combine::<AP_OPERATOR>(#value);),
                    (_, Some(value)) => {
                        quote!({ ap_total = ap_total.combine::<AP_OPERATOR>(#value); continue 'iterations; })
                    }
                    (_, None) if last => quote!(),
                    (_, None) => quote!(continue 'iterations;),
                }
            }
            Stmt::Break => quote!(break;),
            Stmt::Continue => quote!(continue;),
        }
    }

    fn value_of(&self, condition: &Expr) -> Option<bool> {
        self.known.filter(|(known, _)| *known == std::ptr::from_ref(condition)).map(|(_, holds)| holds)
    }

    fn assign(&mut self, place: &Place, op: Option<Binary>, value: &Expr, span: Span) -> TokenStream {
        let value = self.expr(value);
        let (target, ty) = match place {
            Place::Var(var) => {
                let name = if self.beside.contains(var) { self.sums(*var) } else { self.var(*var).to_token_stream() };
                (name, self.f.vars[*var].ty)
            }
            Place::Local(var, index) => {
                let (name, index) = (self.var(*var), self.expr(index));
                (quote!(#name[#index]), self.f.vars[*var].ty)
            }
            Place::Element(array, index) => (self.element(*array, index, true), self.f.arrays[*array].ty),
        };
        match op {
            None => quote!(#target = #value;),
            // The place is computed once, after the value: two calls that may panic would be two checks.
            Some(op) if matches!(place, Place::Element(..)) => {
                let operation = self.operation(op, ty, span, quote!(*ap_place), quote!(ap_value));
                quote!({ let ap_value = #value; let ap_place = &mut #target; *ap_place = #operation; })
            }
            Some(op) => {
                let operation = self.operation(op, ty, span, quote!(#target), value);
                quote!(#target = #operation;)
            }
        }
    }

    /// The device has a copy of the array, and each thread a part of its own of that copy.
    fn contribute(&mut self, array: ArrayId, index: &Expr, operator: Operator, value: &Expr) -> TokenStream {
        let ty = self.f.arrays[array].ty;
        let (value, target) = (self.expr(value), self.element(array, index, true));
        let (was, more) = (quote!(*ap_place), quote!(ap_value));
        let operation = match operator.sign() {
            Some(op) => self.operation(op, ty, index.span, was, more),
            None => self.builtin(
                if operator == Operator::Min { Builtin::Min } else { Builtin::Max },
                ty,
                index.span,
                &[was, more],
            ),
        };
        quote!({ let ap_value = #value; let ap_place = &mut #target; *ap_place = #operation; })
    }

    /// A polynomial as an index, in wrapping arithmetic; one symbol may be replaced.
    pub(crate) fn at(&self, poly: &Poly, replace: Option<(VarId, &TokenStream)>) -> TokenStream {
        let mut sum: Option<TokenStream> = None;
        for (product, factor) in poly.terms() {
            let literal = Literal::usize_suffixed(factor.unsigned_abs() as usize);
            let mut term =
                if factor.unsigned_abs() == 1 && !product.is_empty() { None } else { Some(quote!(#literal)) };
            for &var in product {
                let value = match replace {
                    Some((replaced, with)) if replaced == var => quote!(#with),
                    _ => {
                        let name = self.var(var);
                        if self.f.vars[var].ty == Ty::Usize { quote!(#name) } else { quote!((#name as usize)) }
                    }
                };
                term = Some(match term {
                    Some(term) => quote!(#term.wrapping_mul(#value)),
                    None => value,
                });
            }
            let term = term.unwrap_or_else(|| quote!(1usize));
            sum = Some(match (sum, factor < 0) {
                (Some(sum), false) => quote!(#sum.wrapping_add(#term)),
                (Some(sum), true) => quote!(#sum.wrapping_sub(#term)),
                (None, false) => term,
                (None, true) => quote!(0usize.wrapping_sub(#term)),
            });
        }
        sum.unwrap_or_else(|| quote!(0usize))
    }

    /// An element as a place expression.
    fn element(&mut self, array: ArrayId, index: &Expr, write: bool) -> TokenStream {
        let (name, first) = self.array(array);
        if !self.open.is_empty()
            && let Ok(poly) = self.accesses.poly(index)
            && let Some(window) = self.open.iter().find(|window| window.array == array && window.index == poly)
        {
            let slice = &window.name;
            return if window.moves { quote!(#slice[ap_k]) } else { quote!(#slice[0]) };
        }
        // A panic names the place of the index in the source.
        let (span, mut reads) = (index.span, false);
        index.walk(&mut |e| reads |= matches!(e.kind, Kind::Load(of, _) if of == array));
        let (index, of) = (self.expr(index), self.called(array));
        if write && reads {
            // An index that reads the array comes before the array is borrowed for writing.
            let function = match self.f.arrays[array].components {
                None => quote!(at_mut),
                Some(each) => quote!(component_mut::<#each, _>),
            };
            return quote_spanned!(span=> *{ let ap_index = #index; ap_generated::#function(&mut *#name, #first, ap_index, #of) });
        }
        match (write, self.f.arrays[array].components) {
            (true, None) => quote_spanned!(span=> *ap_generated::at_mut(&mut *#name, #first, #index, #of)),
            (false, None) => quote_spanned!(span=> ap_generated::at(&*#name, #first, #index, #of)),
            (true, Some(each)) => {
                quote_spanned!(span=> *ap_generated::component_mut::<#each, _>(&mut *#name, #first, #index, #of))
            }
            (false, Some(each)) => {
                quote_spanned!(span=> ap_generated::component::<#each, _>(&*#name, #first, #index, #of))
            }
        }
    }

    pub fn expr(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            Kind::Lit(lit) => literal(lit, e.ty),
            Kind::Var(var) => {
                let name = self.var(*var);
                quote!(#name)
            }
            Kind::Load(array, index) => self.element(*array, index, false),
            Kind::Whole(var, by_reference) => {
                let name = self.var(*var);
                if *by_reference { quote!(&#name) } else { quote!(#name) }
            }
            Kind::Local(var, index) => {
                let (name, index) = (self.var(*var), self.expr(index));
                quote!(#name[#index])
            }
            Kind::Neg(inner) => {
                let inner = self.expr(inner);
                if e.ty.is_float() { quote!((-#inner)) } else { quote!(#inner.wrapping_neg()) }
            }
            Kind::Not(inner) => {
                let inner = self.expr(inner);
                quote!((!#inner))
            }
            Kind::Binary(op, a, b) => {
                let ty = a.ty;
                let (a, b) = (self.expr(a), self.expr(b));
                self.operation(*op, ty, e.span, a, b)
            }
            Kind::Cast(inner) => {
                let (inner, ty) = (self.expr(inner), ty(e.ty));
                quote!((#inner as #ty))
            }
            Kind::Builtin(builtin, list) => {
                let ty = list[0].ty;
                let list: Vec<_> = list.iter().map(|e| self.expr(e)).collect();
                self.builtin(*builtin, ty, e.span, &list)
            }
            Kind::Helper(helper, list) => {
                let (path, ty) = (self.f.helpers[*helper].clone(), ty(e.ty));
                let list: Vec<_> = list.iter().map(|e| integer(e).unwrap_or_else(|| self.expr(e))).collect();
                // The type of the result is a guess where nothing but the call is known; device texts compute with it.
                let call = quote_spanned!(e.span=> (#path(#(#list),*)));
                quote!(ap_generated::typed::<#ty> #call)
            }
            Kind::Select(c, a, b) if self.value_of(c).is_some() => {
                self.expr(if self.value_of(c) == Some(true) { a } else { b })
            }
            Kind::Select(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                quote!((if #c { #a } else { #b }))
            }
        }
    }

    fn operation(&mut self, op: Binary, ty: Ty, span: Span, a: TokenStream, b: TokenStream) -> TokenStream {
        let wrapping = match op {
            _ if !ty.is_integer() => None,
            Binary::Add => Some(quote!(wrapping_add)),
            Binary::Sub => Some(quote!(wrapping_sub)),
            Binary::Mul => Some(quote!(wrapping_mul)),
            Binary::Shl => return quote!((#a).wrapping_shl((#b) as u32)),
            Binary::Shr => return quote!((#a).wrapping_shr((#b) as u32)),
            // By functions, as a panic then names the place of the expression in the source.
            Binary::Div => return quote_spanned!(span=> ap_generated::Divide::over(#a, #b)),
            Binary::Rem => return quote_spanned!(span=> ap_generated::Divide::modulo(#a, #b)),
            _ => None,
        };
        match wrapping {
            Some(method) => quote!((#a).#method(#b)),
            None => {
                let sign = sign(op);
                quote!((#a #sign #b))
            }
        }
    }

    fn builtin(&mut self, builtin: Builtin, ty: Ty, span: Span, list: &[TokenStream]) -> TokenStream {
        let a = &list[0];
        let rest = &list[1..];
        let method = match builtin {
            Builtin::Abs if !ty.is_float() => "wrapping_abs",
            Builtin::Abs => "abs",
            Builtin::MulAdd => "mul_add",
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::IsNan => "is_nan",
            Builtin::ToBits => "to_bits",
            Builtin::FromBits if ty == Ty::U32 => return quote!(::core::primitive::f32::from_bits(#a)),
            Builtin::FromBits => return quote!(::core::primitive::f64::from_bits(#a)),
            Builtin::SaturatingSub => "saturating_sub",
            Builtin::AbsDiff => "abs_diff",
            Builtin::Powi => return quote!(ap_generated::Reducible::power(#a, #(#rest)*)),
            Builtin::Math(function) => function.rust,
            // Rust's own panics where the ends are not in order.
            Builtin::Own(Own { rust: "clamp", .. }) => return quote!(ap_generated::clamp(#a, #(#rest),*)),
            Builtin::Own(function) => function.host,
        };
        // A panic, as of `pow`, names the place of the call in the source.
        let method = Ident::new(method, Span::call_site().located_at(span));
        quote_spanned!(span=> (#a).#method(#(#rest),*))
    }
}

/// An integer without a type, or its negative: a helper's parameter says which type it has. Device texts convert it from the type
/// that it has by default, so it has to fit that.
fn integer(e: &Expr) -> Option<TokenStream> {
    match &e.kind {
        Kind::Lit(Lit::Int(value)) if e.ty == Ty::I32 && i32::try_from(*value).is_ok() => {
            let literal = proc_macro2::Literal::u128_unsuffixed(*value);
            Some(quote!(#literal))
        }
        Kind::Neg(inner) if matches!(inner.kind, Kind::Lit(_)) => integer(inner).map(|value| quote!(-#value)),
        _ => None,
    }
}

/// The Rust type.
pub fn ty(ty: Ty) -> TokenStream {
    if ty == Ty::Unit {
        return quote!(());
    }
    let name = Ident::new(ty.name(), Span::call_site());
    quote!(::core::primitive::#name)
}

pub(crate) fn sign(op: Binary) -> TokenStream {
    op.sign().parse().unwrap_or_default()
}

fn literal(lit: &Lit, of: Ty) -> TokenStream {
    let suffixed = |text: String| -> TokenStream { text.parse().unwrap_or_default() };
    match lit {
        Lit::Bool(value) => quote!(#value),
        Lit::Int(value) if of.is_float() => suffixed(format!("{value}{}", of.name())),
        // One more than the largest value; negation makes it the smallest.
        Lit::Int(value) if of.is_signed() && *value > of.most() => {
            suffixed(format!("({value}{} as {})", of.unsigned().name(), of.name()))
        }
        Lit::Int(value) => suffixed(format!("{value}{}", of.name())),
        Lit::Float(digits) => suffixed(format!("{}{}", digits.trim_end_matches('.'), of.name())),
        Lit::Named(name) => {
            let (ty, name) = (Ident::new(of.name(), Span::call_site()), Ident::new(name, Span::call_site()));
            let limits = ["MAX", "MIN", "MIN_POSITIVE", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN"];
            if limits.iter().any(|limit| name == limit) {
                quote!(::core::primitive::#ty::#name)
            } else {
                quote!(::core::#ty::consts::#name)
            }
        }
    }
}
