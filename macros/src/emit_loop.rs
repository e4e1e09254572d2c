//! Loops of the host body: bounds are checked before them, and they run in vectors.

use crate::access::{breaks, has};
use crate::emit_rust::{Emit, Returns, sign, ty};
use crate::ir::{ArrayId, Binary, ForLoop, Function, Kind, Place, Stmt, Ty, VarId, walk_expressions, walk_statements};
use crate::poly::Poly;
use crate::split::{self, Fixed, Room, Split};
use crate::windows::{Window, windows};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Number of parallel sums: for 4-byte values as many as two AVX2 vectors hold.
const LANES: usize = 16;

/// The form in which a loop is written.
struct Form {
    /// Whether it is the loop of the iterations.
    iterations: bool,
    /// Whether it reduces into parallel sums.
    lanes: bool,
    /// Its number of turns, if known before the iterations: then it may run in two parts.
    row: Option<TokenStream>,
}

impl Emit<'_, '_> {
    /// Writes a `for` of the function.
    pub(crate) fn for_loop(&mut self, l: &ForLoop) -> TokenStream {
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

    /// A loop over `lo..hi`. Bounds of elements at a fixed distance from its variable are checked once before it, if it contains
    /// no other loop.
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
        let inner = has(body, |s| matches!(s, Stmt::For(_) | Stmt::While(..)));
        let label = if iterations { quote!('iterations:) } else { quote!() };
        let list = if inner { Vec::new() } else { windows(self.accesses, var, body, None, iterations) };
        let checked = self.block(body, iterations);
        let lanes = iterations && self.f.result != Ty::Unit && !inner && ends_once(body);
        if inner && let Some(turns) = self.turns(var, &lo, &hi, body, &checked) {
            return turns;
        }
        if list.is_empty() {
            let plain = quote!(#label for #name in #lo..#hi { #checked });
            return match self.with_long_rows(body, iterations && inner) {
                Some((ty, row, long)) => {
                    quote!(if ap_generated::is_long::<#ty>(#row) { #label for #name in #lo..#hi { #long } } else { #plain })
                }
                None => plain,
            };
        }
        let known = |poly: &Poly| poly.symbols().iter().all(|&v| v < self.f.vars.len() && self.f.is_argument(v));
        let row = ends.filter(|(from, to)| known(from) && known(to)).map(|(from, to)| self.at(&(to - from), None));
        // `break` would end only one of the parts.
        let split = if breaks(body) { None } else { split::find(self.accesses, var, body) };
        if let Some(split) = split {
            let (before, middle) = self.middle(var, &split, ends, &lo, &hi);
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
                    // Where the condition does not hold, there is little to do.
                    self.windowed(
                        var,
                        from,
                        to,
                        body,
                        list,
                        Form { iterations, lanes, row: row.clone().filter(|_| holds) },
                    )
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
        self.windowed(var, lo, hi, body, list, Form { iterations, lanes, row })
    }

    /// The body of the iterations for rows so long that inner loops over them run in two parts, with the rows' type and length.
    /// Short rows have another body, as the overhead of two parts would exceed the gain.
    fn with_long_rows(&mut self, body: &[Stmt], wanted: bool) -> Option<(TokenStream, TokenStream, TokenStream)> {
        if !wanted {
            return None;
        }
        (self.long, self.row) = (true, None);
        let long = self.block(body, true);
        self.long = false;
        self.row.take().map(|(ty, row)| (ty, row, long))
    }

    /// The range of a loop and the part `ap_a..ap_b` of it in which a condition holds; then a test whether that part exists.
    fn middle(
        &mut self,
        var: VarId,
        split: &Split<'_>,
        ends: Option<&(Poly, Poly)>,
        lo: &TokenStream,
        hi: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let unsigned = |v: VarId| crate::access::unsigned(self.f, v);
        // An end known to lie inside: then the compiler sees its distance from the loop's end, often a constant.
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
        let fixed: Vec<_> = split
            .fixed
            .iter()
            .map(|fixed| match fixed {
                Fixed::Text(e) => self.expr(e),
                Fixed::Values(op, a, b, signed) => {
                    let (a, b, sign) = (self.at(a, None), self.at(b, None), sign(*op));
                    let ty = if *signed { quote!(i64) } else { quote!(u64) };
                    quote!(((#a as #ty) #sign (#b as #ty)))
                }
            })
            .collect();
        let room = split.room.iter().filter_map(|(&v, &room)| self.fits(v, v == var, room));
        let mut fits: Vec<_> = room.collect();
        if low_inside {
            fits.push(quote!(ap_a >= ap_from as i64));
        } else {
            lows.push(quote!(ap_from as i64));
        }
        if end_inside {
            fits.push(quote!(ap_b <= ap_to as i64));
        } else {
            tops.push(quote!(ap_to as i64));
        }
        let (low, end) = (lows.remove(0), tops.remove(0));
        let before = quote! {
            let (ap_from, ap_to): (usize, usize) = (#lo, #hi);
            let ap_a = (#low)#(.max(#lows))*;
            let ap_b = (#end)#(.min(#tops))*;
            // Where something may wrap, or a difference is negative and so a large number, each turn computes the condition.
            let ap_known = true #(&& #fits)* #(&& (#differences) >= 0)*;
        };
        (before, quote!(ap_from < ap_to && ap_a < ap_b #(&& #fixed)*))
    }

    /// The test that a symbol is small enough; for the loop's variable, that its end is.
    fn fits(&self, v: VarId, loops: bool, room: Room) -> Option<TokenStream> {
        let of = self.f.vars[v].ty;
        let (name, most) = (self.var(v), Literal::u64_suffixed(1 << room.bits));
        match of {
            _ if loops => Some(quote!(ap_to as u64 <= #most)),
            Ty::U8 if room.bits >= 8 => None,
            Ty::U16 if room.bits >= 16 => None,
            Ty::U32 if room.bits >= 32 => None,
            Ty::I8 | Ty::I16 | Ty::I32 if i128::from(room.bits) >= 8 * of.bytes() => {
                (!room.signed).then(|| quote!(#name >= 0))
            }
            _ if of.is_signed() && room.signed => Some(quote!((#name as i64).unsigned_abs() <= #most)),
            // A negative value becomes a large number.
            _ => Some(quote!(#name as u64 <= #most)),
        }
    }

    /// The function that gives a window which is needed.
    pub(crate) fn all(&self, array: ArrayId, write: bool) -> TokenStream {
        match (write, self.f.arrays[array].components) {
            (false, None) => quote!(all),
            (true, None) => quote!(all_mut),
            (false, Some(each)) => quote!(all_components::<#each, _>),
            (true, Some(each)) => quote!(all_components_mut::<#each, _>),
        }
    }

    /// A loop that checks its windows and then runs without checks if they are in bounds. Windows that every turn needs must be:
    /// a second loop besides this one would keep sums from running in vectors.
    fn windowed(
        &mut self,
        var: VarId,
        lo: TokenStream,
        hi: TokenStream,
        body: &[Stmt],
        list: Vec<Window>,
        form: Form,
    ) -> TokenStream {
        let name = self.var(var);
        let label = if form.iterations { quote!('iterations:) } else { quote!() };
        let opened: Vec<TokenStream> = list
            .iter()
            .map(|window| {
                let (slice, first) = self.array(window.array);
                let start = self.at(&window.start, Some((var, &quote!(ap_lo))));
                let len = if window.moves { quote!(ap_n) } else { quote!(1) };
                let function = match (window.certain, window.written) {
                    (false, false) => quote!(window),
                    (false, true) => quote!(window_mut),
                    (true, false) => self.all(window.array, false),
                    (true, true) => self.all(window.array, true),
                };
                let slice = if window.written { quote!(&mut *#slice) } else { quote!(&*#slice) };
                let of = window.certain.then(|| self.called(window.array)).map(|of| quote!(, #of));
                quote!(ap_generated::#function(#slice, #first, #start, #len #of))
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
            let cut = if form.iterations || emit.long && form.row.is_some() { emit.cut(&list, body) } else { None };
            emit.open = list;
            let body = emit.block(body, form.iterations);
            emit.open.clear();
            let turns = |range| quote!(#label for ap_k in #range { let #name = ap_lo.wrapping_add(ap_k); #body });
            let Some(written) = cut else { return turns(quote!(0..ap_n)) };
            if let Some(row) = &form.row {
                emit.row.get_or_insert_with(|| (ty(emit.f.arrays[written.array].ty), row.clone()));
            }
            let (slice, before, then) = (&written.name, turns(quote!(0..ap_head)), turns(quote!(ap_head..ap_n)));
            quote!(let ap_head = ap_generated::head(&*#slice, ap_n); #before #then)
        };
        let gathers = if self.f.reorder && !form.iterations { gathers(self.f, body) } else { Vec::new() };
        // Whether a slice exists depends on where a section ends, so sums are combined alike in both cases.
        let beside = !gathers.is_empty() && list.iter().any(|window| window.moves);
        let turns = |emit: &mut Self, list: Vec<Window>| {
            if beside { emit.reordered(var, body, list, &gathers) } else { plain(emit, list) }
        };
        let fast = if form.lanes { self.lanes(var, body, list.clone()) } else { turns(self, list.clone()) };
        let run = if slices.is_empty() {
            fast
        } else {
            let slow = turns(self, sure);
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

    /// The window that a vector loop writes, if the loop is to run in two parts: up to a cache line of that array, and from there
    /// on.
    fn cut(&self, list: &[Window], body: &[Stmt]) -> Option<Window> {
        let written = list.iter().find(|window| window.written && window.moves)?;
        // Such loops do not run in vectors.
        if has(body, |s| matches!(s, Stmt::Break | Stmt::Return(_))) || !gathers(self.f, body).is_empty() {
            return None;
        }
        // The turns before a cache line run one by one, up to 15 of 4 bytes: expensive ones are better in vectors that cross
        // lines.
        let narrow = !matches!(self.f.arrays[written.array].ty, Ty::F64 | Ty::I64 | Ty::U64 | Ty::Usize);
        let mut slow = false;
        walk_expressions(body, &mut |e| {
            slow |= matches!(e.kind, Kind::Helper(..) | Kind::Binary(Binary::Div, ..) | Kind::Builtin(..));
        });
        if narrow && slow {
            return None;
        }
        Some(written.clone())
    }

    /// A loop over blocks of all moving slices, with as many elements as there are parallel sums, and the rest of these slices.
    fn blocks(list: &[Window], name: &Ident, turn: &TokenStream) -> [TokenStream; 2] {
        let moving: Vec<_> = list.iter().filter(|window| window.moves).collect();
        let (mut chunked, mut chunk, mut rest) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for Window { name, written, .. } in &moving {
            let (chunks, left) = (format_ident!("{name}_chunks"), format_ident!("{name}_rest"));
            let method = if *written { quote!(as_chunks_mut) } else { quote!(as_chunks) };
            chunked.extend(quote!(let (#chunks, #left) = #name.#method::<#LANES>();));
            rest.extend(quote!(let #name = #left;));
            if moving.len() > 1 {
                let mutable = written.then(|| quote!(mut));
                chunk.extend(quote!(let #name = &#mutable #chunks[ap_block];));
            }
        }
        // A single slice is iterated itself: without a counter the compiler unrolls such a loop more.
        let head = match moving[..] {
            [Window { name, written, .. }] => {
                let (chunks, each) =
                    (format_ident!("{name}_chunks"), if *written { quote!(iter_mut) } else { quote!(iter) });
                quote!(for (ap_block, #name) in #chunks.#each().enumerate())
            }
            _ => quote!(for ap_block in 0..ap_whole),
        };
        let blocks = quote! {
            let ap_whole = ap_n / #LANES;
            #chunked
            #head {
                #chunk
                for ap_k in 0..#LANES {
                    let #name = ap_lo.wrapping_add(ap_block * #LANES).wrapping_add(ap_k);
                    #turn
                }
            }
        };
        [blocks, rest]
    }

    /// Reduces into several parallel values, so that they need not wait for one another.
    fn lanes(&mut self, var: VarId, body: &[Stmt], list: Vec<Window>) -> TokenStream {
        let name = self.var(var);
        self.open = list.clone();
        self.returns = Returns::Lane;
        let lane = self.block(body, true);
        self.returns = Returns::Iteration;
        self.open.clear();
        let ty = ty(self.f.result);
        let [blocks, rest] = Self::blocks(&list, &name, &quote!(let ap_total = &mut ap_lanes[ap_k]; #lane));
        quote! {
            let mut ap_lanes = [<#ty as ap_generated::Reducible>::identity::<AP_OPERATOR>(); #LANES];
            #blocks
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

    /// The parallel sums of a local.
    pub(crate) fn sums(&self, var: VarId) -> TokenStream {
        let name = format_ident!("ap_sums_{}", self.var(var));
        quote!(#name[ap_k])
    }

    /// A loop whose sums may be made in any order: several parallel ones of each, combined at its end.
    fn reordered(&mut self, var: VarId, body: &[Stmt], list: Vec<Window>, gathers: &[(VarId, Binary)]) -> TokenStream {
        let name = self.var(var);
        self.open = list.clone();
        self.beside = gathers.iter().map(|(var, _)| *var).collect();
        let lane = self.block(body, false);
        self.beside.clear();
        let plain = self.block(body, false);
        self.open.clear();
        let (mut begin, mut end) = (TokenStream::new(), TokenStream::new());
        for (var, op) in gathers {
            let (sum, ty) = (self.var(*var), ty(self.f.vars[*var].ty));
            let sums = format_ident!("ap_sums_{sum}");
            let (operator, sign) = if *op == Binary::Mul { (quote!(1), quote!(*)) } else { (quote!(0), quote!(+)) };
            begin.extend(quote!(let mut #sums = [<#ty as ap_generated::Reducible>::identity::<#operator>(); #LANES];));
            end.extend(quote!(#sum = #sum #sign ap_generated::together::<#ty, #operator>(#sums);));
        }
        let [blocks, rest] = Self::blocks(&list, &name, &lane);
        quote! {
            #begin
            #blocks
            #end
            #rest
            for ap_k in 0..ap_n - ap_whole * #LANES {
                let #name = ap_lo.wrapping_add(ap_whole * #LANES).wrapping_add(ap_k);
                #plain
            }
        }
    }
}

/// Floats that a loop's turns only add to, subtract from or multiply.
pub(crate) fn gathers(f: &Function, body: &[Stmt]) -> Vec<(VarId, Binary)> {
    if has(body, |s| matches!(s, Stmt::Break | Stmt::Return(_))) {
        return Vec::new();
    }
    let mut found: Vec<(VarId, Option<Binary>)> = Vec::new();
    let mut inside = Vec::new();
    walk_statements(body, &mut |stmt| match stmt {
        Stmt::Let(var, _) | Stmt::LetArray(var, _) => inside.push(*var),
        Stmt::Assign(Place::Var(var), op, ..) => {
            let op = match op {
                Some(Binary::Add | Binary::Sub) => Some(Binary::Add),
                Some(Binary::Mul) => Some(Binary::Mul),
                _ => None,
            };
            match found.iter_mut().find(|(known, _)| known == var) {
                Some((_, known)) if *known == op => {}
                Some((_, known)) => *known = None,
                None => found.push((*var, op)),
            }
        }
        _ => {}
    });
    walk_expressions(body, &mut |e| {
        if let Kind::Var(var) = e.kind {
            inside.push(var);
        }
    });
    let outside = found.into_iter().filter(|(var, _)| f.vars[*var].ty.is_float() && !inside.contains(var));
    outside.filter_map(|(var, op)| Some((var, op?))).collect()
}

/// Whether a body has a single `return`, at its end.
fn ends_once(body: &[Stmt]) -> bool {
    let mut returns = 0;
    walk_statements(body, &mut |stmt| returns += usize::from(matches!(stmt, Stmt::Return(..))));
    returns == 1 && matches!(body.last(), Some(Stmt::Return(Some(_))))
}
