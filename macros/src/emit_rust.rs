//! The host body: plain loops over slices, of which inner loops check their bounds once.

use crate::access::Accesses;
use crate::ir::{
    ArrayId, ArrayInit, Binary, Builtin, Expr, ForLoop, Function, Kind, Lit, Place, Stmt, Ty, VarId, walk_statements,
};
use crate::names;
use crate::poly::Poly;
use crate::split::{self, Split};
use crate::windows::{Window, windows};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// Writes Rust for the statements of a function.
pub struct Emit<'a, 'f> {
    pub f: &'f Function,
    pub accesses: &'a mut Accesses<'f>,
    /// Windows that are open: elements that are known to be there.
    open: Vec<Window>,
    /// A condition of which it is known whether it holds.
    known: Option<(*const Expr, bool)>,
    returns: Returns,
}

/// What `return` becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Of a helper.
    Value,
    /// The end of an iteration.
    Iteration,
    /// The end of an iteration of several that are reduced beside one another.
    Lane,
}

impl<'a, 'f> Emit<'a, 'f> {
    pub fn new(accesses: &'a mut Accesses<'f>, returns: Returns) -> Self {
        Self { f: accesses.f, accesses, open: Vec::new(), known: None, returns }
    }

    pub fn var(&self, var: VarId) -> Ident {
        Ident::new(&self.f.vars[var].name, Span::call_site())
    }

    pub fn array(&self, array: ArrayId) -> (Ident, Ident) {
        let name = names::array_name(&self.f.arrays[array].ident);
        (Ident::new(&name, Span::call_site()), format_ident!("{name}_first"))
    }

    pub fn block(&mut self, list: &[Stmt], last: bool) -> TokenStream {
        let mut out = TokenStream::new();
        for (place, stmt) in list.iter().enumerate() {
            out.extend(self.statement(stmt, last && place + 1 == list.len()));
        }
        out
    }

    /// `last` says that an iteration ends after it anyway.
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
            Stmt::Assign(place, op, value, _) => self.assign(place, *op, value),
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

    fn assign(&mut self, place: &Place, op: Option<Binary>, value: &Expr) -> TokenStream {
        let value = self.expr(value);
        let (target, ty) = match place {
            Place::Var(var) => {
                let name = self.var(*var);
                (quote!(#name), self.f.vars[*var].ty)
            }
            Place::Local(var, index) => {
                let (name, index) = (self.var(*var), self.expr(index));
                (quote!(#name[#index]), self.f.vars[*var].ty)
            }
            Place::Element(array, index) => (self.element(*array, index, true), self.f.arrays[*array].ty),
        };
        match op {
            None => quote!(#target = #value;),
            // The element is found once, after the value: two calls that may panic are two checks.
            Some(op) if matches!(place, Place::Element(..)) => {
                let operation = self.operation(op, ty, quote!(*ap_place), quote!(ap_value));
                quote!({ let ap_value = #value; let ap_place = &mut #target; *ap_place = #operation; })
            }
            Some(op) => {
                let operation = self.operation(op, ty, quote!(#target), value);
                quote!(#target = #operation;)
            }
        }
    }

    /// A `for` of the text.
    fn for_loop(&mut self, l: &ForLoop) -> TokenStream {
        let (var, lo, hi) = (self.var(l.var), self.expr(&l.lo), self.expr(&l.hi));
        if self.f.vars[l.var].ty != Ty::Usize || l.inclusive || !self.open.is_empty() {
            let body = self.block(&l.body, false);
            return if l.inclusive {
                quote!(for #var in #lo..=#hi { #body })
            } else {
                quote!(for #var in #lo..#hi { #body })
            };
        }
        let ends = self.accesses.poly(&l.lo).ok().zip(self.accesses.poly(&l.hi).ok());
        self.counted(l.var, lo, hi, ends.as_ref(), &l.body, false)
    }

    /// A loop over `lo..hi`: where nothing is inside but elements at a fixed distance from its variable, their bounds are
    /// checked once before it.
    pub fn counted(
        &mut self,
        var: VarId,
        lo: TokenStream,
        hi: TokenStream,
        ends: Option<&(Poly, Poly)>,
        body: &[Stmt],
        iterations: bool,
    ) -> TokenStream {
        let name = self.var(var);
        let inner = crate::access::has(body, |s| matches!(s, Stmt::For(_) | Stmt::While(..)));
        let label = if iterations { quote!('iterations:) } else { quote!() };
        let list = if inner { Vec::new() } else { windows(self.accesses, var, body, None, iterations) };
        let checked = self.block(body, iterations);
        let lanes = iterations && self.f.result != Ty::Unit && !inner && ends_once(body);
        if list.is_empty() {
            return quote!(#label for #name in #lo..#hi { #checked });
        }
        let split = split::find(self.accesses, var, body);
        if let Some(split) = split {
            let (before, middle) = self.middle(&split, ends, &lo, &hi);
            let parts = [
                (quote!(ap_from), quote!(ap_a), false),
                (quote!(ap_a), quote!(ap_b), true),
                (quote!(ap_b), quote!(ap_to), false),
                (quote!(ap_from), quote!(ap_to), false),
            ];
            let [low, inside, high, nowhere] = parts.map(|(from, to, holds)| {
                self.known = Some((split.condition, holds));
                let list = windows(self.accesses, var, body, self.known, iterations);
                let plain = self.block(body, iterations);
                if list.is_empty() {
                    quote!(#label for #name in #from..#to { #plain })
                } else {
                    self.windowed(var, from, to, body, list, (iterations, lanes))
                }
            });
            self.known = None;
            return quote! {{
                #before
                if !ap_known {
                    #label for #name in ap_from..ap_to { #checked }
                } else if #middle {
                    let (ap_a, ap_b) = (ap_a as usize, ap_b as usize);
                    #low
                    #inside
                    #high
                } else {
                    #nowhere
                }
            }};
        }
        self.windowed(var, lo, hi, body, list, (iterations, lanes))
    }

    /// The range of a loop, and the part `ap_a..ap_b` of it in which a condition holds; then whether there is such a part.
    fn middle(
        &mut self,
        split: &Split<'_>,
        ends: Option<&(Poly, Poly)>,
        lo: &TokenStream,
        hi: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let unsigned = |v: VarId| crate::access::unsigned(self.f, v);
        // An end that is known to lie inside: the compiler then sees how far from the loop's it is, often a number.
        let inside = |poly: Poly| poly.is_never_negative(&unsigned);
        let low_inside = ends.is_some_and(|(lo, _)| split.lows.iter().any(|low| inside(low - lo)));
        let end_inside = ends.is_some_and(|(_, hi)| split.ends.iter().any(|end| inside(hi - end)));
        let at = |emit: &Self, poly: &Poly| {
            let value = emit.at(poly, None);
            quote!(#value as i64)
        };
        let mut lows: Vec<_> = split.lows.iter().map(|poly| at(self, poly)).collect();
        let mut tops: Vec<_> = split.ends.iter().map(|poly| at(self, poly)).collect();
        let differences: Vec<_> = split.differences.iter().map(|poly| at(self, poly)).collect();
        let fixed: Vec<_> = split.fixed.iter().map(|e| self.expr(e)).collect();
        if !low_inside {
            lows.push(quote!(ap_from as i64));
        }
        if !end_inside {
            tops.push(quote!(ap_to as i64));
        }
        let (low, end) = (lows.remove(0), tops.remove(0));
        let before = quote! {
            let (ap_from, ap_to): (usize, usize) = (#lo, #hi);
            let ap_a = (#low)#(.max(#lows))*;
            let ap_b = (#end)#(.min(#tops))*;
            // Differences below 0 are large numbers: then the condition is computed in each turn.
            let ap_known = true #(&& (#differences) >= 0)*;
        };
        (before, quote!(ap_from < ap_to && ap_a < ap_b #(&& #fixed)*))
    }

    /// A loop that checks its windows, and goes without checks if they are there. A window that every turn needs must be
    /// there: a second loop beside this one would keep sums from going on in vectors.
    fn windowed(
        &mut self,
        var: VarId,
        lo: TokenStream,
        hi: TokenStream,
        body: &[Stmt],
        list: Vec<Window>,
        (iterations, lanes): (bool, bool),
    ) -> TokenStream {
        let name = self.var(var);
        let label = if iterations { quote!('iterations:) } else { quote!() };
        let opened: Vec<TokenStream> = list
            .iter()
            .map(|window| {
                let (slice, first) = self.array(window.array);
                let start = self.at(&window.start, Some((var, &quote!(ap_lo))));
                let len = if window.moves { quote!(ap_n) } else { quote!(1) };
                let function = match (window.certain, window.written) {
                    (false, false) => quote!(window),
                    (false, true) => quote!(window_mut),
                    (true, false) => quote!(all),
                    (true, true) => quote!(all_mut),
                };
                let slice = if window.written { quote!(&mut *#slice) } else { quote!(&*#slice) };
                quote!(ap::#function(#slice, #first, #start, #len))
            })
            .collect();
        let (certain, perhaps): (Vec<_>, Vec<_>) = list.iter().zip(&opened).partition(|(window, _)| window.certain);
        let opened: TokenStream = certain
            .iter()
            .map(|(window, opened)| {
                let name = &window.name;
                quote!(let #name = #opened;)
            })
            .collect();
        let sure: Vec<Window> = certain.into_iter().map(|(window, _)| window.clone()).collect();
        let (slices, found): (Vec<_>, Vec<_>) =
            perhaps.into_iter().map(|(window, opened)| (&window.name, opened)).unzip();
        let plain = |emit: &mut Self, list: Vec<Window>| {
            let cut = if iterations { emit.cut(&list, body) } else { None };
            emit.open = list;
            let body = emit.block(body, iterations);
            emit.open.clear();
            let turns = quote!(#label for ap_k in 0..ap_n { let #name = ap_lo.wrapping_add(ap_k); #body });
            match cut {
                Some((written, slices)) => quote! {
                    let ap_all = ap_n;
                    let (mut ap_begin, mut ap_end) = (0, ap::head(&*#written, ap_n));
                    loop {
                        #slices
                        let (ap_lo, ap_n) = (ap_lo.wrapping_add(ap_begin), ap_end - ap_begin);
                        #turns
                        if ap_end == ap_all {
                            break;
                        }
                        (ap_begin, ap_end) = (ap_end, ap_all);
                    }
                },
                None => turns,
            }
        };
        let fast = if lanes { self.lanes(var, body, list.clone()) } else { plain(self, list.clone()) };
        let run = if slices.is_empty() {
            fast
        } else {
            let slow = plain(self, sure);
            quote!(if let (#(Some(#slices),)*) = (#(#found,)*) { #fast } else { #slow })
        };
        quote! {{
            let (ap_lo, ap_hi): (usize, usize) = (#lo, #hi);
            if ap_lo < ap_hi {
                let ap_n = ap_hi - ap_lo;
                #opened
                #run
            }
        }}
    }

    /// A loop that runs in vectors, in two parts: from where a line of the array that it writes begins, and what is before.
    fn cut(&self, list: &[Window], body: &[Stmt]) -> Option<(Ident, TokenStream)> {
        let written = &list.iter().find(|window| window.written && window.moves)?.name;
        // Such loops do not run in vectors.
        if crate::access::has(body, |s| matches!(s, Stmt::Break | Stmt::Return(_))) {
            return None;
        }
        let slices = list.iter().filter(|window| window.moves).map(|window| {
            let name = &window.name;
            let slice = if window.written { quote!(&mut #name) } else { quote!(&#name) };
            quote!(let #name = #slice[ap_begin..ap_end];)
        });
        Some((written.clone(), slices.collect()))
    }

    /// Several values of a reduction beside one another, so that they need not wait for the one before.
    fn lanes(&mut self, var: VarId, body: &[Stmt], list: Vec<Window>) -> TokenStream {
        const LANES: usize = 16;
        let name = self.var(var);
        let moving: Vec<(Ident, bool)> =
            list.iter().filter(|window| window.moves).map(|window| (window.name.clone(), window.written)).collect();
        let chunked = moving.iter().map(|(slice, written)| {
            let rest = format_ident!("{slice}_rest");
            let chunks = format_ident!("{slice}_chunks");
            let method = if *written { quote!(as_chunks_mut) } else { quote!(as_chunks) };
            quote!(let (#chunks, #rest) = #slice.#method::<#LANES>();)
        });
        let chunked: TokenStream = chunked.collect();
        let rename = |ending: &str| -> TokenStream {
            moving
                .iter()
                .map(|(slice, written)| {
                    let part = format_ident!("{slice}_{ending}");
                    match (ending, written) {
                        ("chunks", true) => quote!(let #slice = &mut #part[ap_block];),
                        ("chunks", false) => quote!(let #slice = &#part[ap_block];),
                        _ => quote!(let #slice = #part;),
                    }
                })
                .collect()
        };
        let (chunk, rest) = (rename("chunks"), rename("rest"));
        self.open = list;
        self.returns = Returns::Lane;
        let lane = self.block(body, true);
        self.returns = Returns::Iteration;
        self.open.clear();
        let ty = ty(self.f.result);
        quote! {
            let ap_whole = ap_n / #LANES;
            #chunked
            let mut ap_lanes = [<#ty as ap::Reducible>::identity::<AP_OPERATOR>(); #LANES];
            for ap_block in 0..ap_whole {
                #chunk
                for ap_k in 0..#LANES {
                    let #name = ap_lo.wrapping_add(ap_block * #LANES).wrapping_add(ap_k);
                    let ap_total = &mut ap_lanes[ap_k];
                    #lane
                }
            }
            for ap_lane in ap_lanes {
                ap_total = ap_total.combine::<AP_OPERATOR>(ap_lane);
            }
            #rest
            for ap_k in 0..ap_n - ap_whole * #LANES {
                let #name = ap_lo.wrapping_add(ap_whole * #LANES).wrapping_add(ap_k);
                let ap_total = &mut ap_total;
                #lane
            }
        }
    }

    /// A polynomial as an index, in wrapping arithmetic; one symbol may be replaced.
    fn at(&self, poly: &Poly, replace: Option<(VarId, &TokenStream)>) -> TokenStream {
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

    /// An element as a place.
    fn element(&mut self, array: ArrayId, index: &Expr, write: bool) -> TokenStream {
        let (name, first) = self.array(array);
        if !self.open.is_empty()
            && let Ok(poly) = self.accesses.poly(index)
            && let Some(window) = self.open.iter().find(|window| window.array == array && window.index == poly)
        {
            let slice = &window.name;
            return if window.moves { quote!(#slice[ap_k]) } else { quote!(#slice[0]) };
        }
        let index = self.expr(index);
        if write { quote!(*ap::at_mut(&mut *#name, #first, #index)) } else { quote!(ap::at(&*#name, #first, #index)) }
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
                self.operation(*op, ty, a, b)
            }
            Kind::Cast(inner) => {
                let (inner, ty) = (self.expr(inner), ty(e.ty));
                quote!((#inner as #ty))
            }
            Kind::Builtin(builtin, list) => {
                let ty = list[0].ty;
                let list: Vec<_> = list.iter().map(|e| self.expr(e)).collect();
                self.builtin(*builtin, ty, &list)
            }
            Kind::Helper(helper, list) => {
                let path = self.f.helpers[*helper].clone();
                let list: Vec<_> = list.iter().map(|e| self.expr(e)).collect();
                quote!(#path(#(#list),*))
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

    fn operation(&mut self, op: Binary, ty: Ty, a: TokenStream, b: TokenStream) -> TokenStream {
        let wrapping = match op {
            _ if !ty.is_integer() => None,
            Binary::Add => Some(quote!(wrapping_add)),
            Binary::Sub => Some(quote!(wrapping_sub)),
            Binary::Mul => Some(quote!(wrapping_mul)),
            Binary::Shl => return quote!((#a).wrapping_shl((#b) as u32)),
            Binary::Shr => return quote!((#a).wrapping_shr((#b) as u32)),
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

    fn builtin(&mut self, builtin: Builtin, ty: Ty, list: &[TokenStream]) -> TokenStream {
        let a = &list[0];
        let rest = &list[1..];
        let method = match builtin {
            Builtin::Abs if !ty.is_float() => "wrapping_abs",
            Builtin::Abs => "abs",
            Builtin::Sqrt => "sqrt",
            Builtin::Exp => "exp",
            Builtin::Ln => "ln",
            Builtin::Log2 => "log2",
            Builtin::Log10 => "log10",
            Builtin::Sin => "sin",
            Builtin::Cos => "cos",
            Builtin::Tan => "tan",
            Builtin::Tanh => "tanh",
            Builtin::Floor => "floor",
            Builtin::Ceil => "ceil",
            Builtin::Trunc => "trunc",
            Builtin::Round => "round",
            Builtin::Powf => "powf",
            Builtin::MulAdd => "mul_add",
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::IsNan => "is_nan",
            Builtin::SaturatingSub => "saturating_sub",
            Builtin::AbsDiff => "abs_diff",
            Builtin::Powi => return quote!(ap::Reducible::power(#a, #(#rest)*)),
        };
        let method = Ident::new(method, Span::call_site());
        quote!((#a).#method(#(#rest),*))
    }
}

/// Whether a body has one `return`, at its end.
fn ends_once(body: &[Stmt]) -> bool {
    let mut returns = 0;
    walk_statements(body, &mut |stmt| returns += usize::from(matches!(stmt, Stmt::Return(..))));
    returns == 1 && matches!(body.last(), Some(Stmt::Return(Some(_))))
}

/// A type of the language in Rust.
pub fn ty(ty: Ty) -> TokenStream {
    if ty == Ty::Unit {
        return quote!(());
    }
    let name = Ident::new(ty.name(), Span::call_site());
    quote!(::core::primitive::#name)
}

fn sign(op: Binary) -> TokenStream {
    op.sign().parse().unwrap_or_default()
}

fn literal(lit: &Lit, of: Ty) -> TokenStream {
    let suffixed = |text: String| -> TokenStream { text.parse().unwrap_or_default() };
    match lit {
        Lit::Bool(value) => quote!(#value),
        Lit::Int(value) if of.is_float() => suffixed(format!("{value}{}", of.name())),
        // One more than the greatest, whose sign makes it the least.
        Lit::Int(value) if of == Ty::I32 && *value > i32::MAX as u128 => suffixed(format!("({value}u32 as i32)")),
        Lit::Int(value) if of == Ty::I64 && *value > i64::MAX as u128 => suffixed(format!("({value}u64 as i64)")),
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
