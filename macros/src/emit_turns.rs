//! Turns of a loop side by side. If each turn makes sums in an inner loop, in order, each addition waits for the one before; the
//! sums of other turns are independent of it.

use crate::access::has;
use crate::emit_loop::gathers;
use crate::emit_rust::Emit;
use crate::ir::{ForLoop, Kind, Place, Stmt, Ty, VarId, walk_expressions, walk_statements};
use crate::windows::{Window, windows};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Number of turns: an addition takes some four cycles, so four can be in flight; slices of more turns need more registers than
/// there are.
const TURNS: usize = 4;

/// Registers for the slices of all turns.
const SLICES: usize = 12;

/// One of several turns written side by side: its locals have separate names.
pub(crate) struct Turn {
    pub place: usize,
    pub own: Vec<VarId>,
}

/// The three parts of a turn.
struct Parts<'s> {
    before: &'s [Stmt],
    sums: &'s ForLoop,
    after: &'s [Stmt],
    /// Variables of which each turn has its own: the loop's variable, and its locals.
    own: Vec<VarId>,
}

impl Emit<'_, '_> {
    /// The loop with several turns side by side, and then the rest one by one, if that changes no result.
    pub(crate) fn turns(
        &mut self,
        var: VarId,
        lo: &TokenStream,
        hi: &TokenStream,
        body: &[Stmt],
        rest: &TokenStream,
    ) -> Option<TokenStream> {
        let parts = self.parts(var, body)?;
        let sums = self.sums_of_turns(var, &parts)?;
        let name = self.var(var);
        let (mut begin, mut end) = (TokenStream::new(), TokenStream::new());
        for place in 0..TURNS {
            self.turn = Some(Turn { place, own: parts.own.clone() });
            let own = self.var(var);
            begin.extend(quote!(let #own = #name.wrapping_add(#place);));
            begin.extend(self.block(parts.before, false));
            end.extend(self.block(parts.after, false));
        }
        self.turn = None;
        Some(quote! {{
            let (mut #name, ap_stop): (usize, usize) = (#lo, #hi);
            while ap_stop.saturating_sub(#name) >= #TURNS {
                #begin
                #sums
                #end
                #name += #TURNS;
            }
            for #name in #name..ap_stop { #rest }
        }})
    }

    /// The loop of the sums, for all turns in one.
    fn sums_of_turns(&mut self, var: VarId, parts: &Parts<'_>) -> Option<TokenStream> {
        let ForLoop { var: inner, lo, hi, body, .. } = parts.sums;
        let list = windows(self.accesses, *inner, body, None, false);
        let next = windows(self.accesses, var, body, None, false);
        let follows = |window: &Window| window.start.symbols().iter().any(|symbol| parts.own.contains(symbol));
        let (own, shared): (Vec<_>, Vec<_>) = list.into_iter().partition(follows);
        // Elements that are adjacent for neighbouring turns.
        let columns: Vec<Window> = next
            .into_iter()
            .filter(|window| window.moves && window.index.has(*inner))
            .filter(|window| !own.iter().any(|other| other.array == window.array && other.index == window.index))
            .filter(|window| window.start.symbols().iter().all(|symbol| *symbol == var || !parts.own.contains(symbol)))
            .collect();
        let certain = own.iter().chain(&shared).chain(&columns).all(|window| window.certain);
        if !certain || own.len() * TURNS + shared.len() + columns.len() > SLICES {
            return None;
        }
        let (lo, hi, name) = (self.expr(lo), self.expr(hi), self.var(*inner));
        let open = |emit: &Self, window: &Window| {
            let ((slice, first), start) =
                (emit.array(window.array), emit.at(&window.start, Some((*inner, &quote!(ap_lo)))));
            let (name, len) = (&window.name, if window.moves { quote!(ap_n) } else { quote!(1) });
            let (all, of) = (emit.all(window.array, false), emit.called(window.array));
            quote!(let #name = ap_generated::#all(&*#slice, #first, #start, #len, #of);)
        };
        let mut opened: TokenStream = shared.iter().map(|window| open(self, window)).collect();
        let mut across = TokenStream::new();
        for (place, window) in columns.iter().enumerate() {
            let (slice, first) = self.array(window.array);
            let start = self.at(&window.start, None);
            let turns = (0..TURNS).map(|turn| format_ident!("ap_c{place}_{turn}"));
            let (places, all, of) = (0..TURNS, self.all(window.array, false), self.called(window.array));
            across.extend(quote! {
                let ap_column = ap_generated::#all(&*#slice, #first, #start, #TURNS, #of);
                #(let #turns = &ap_column[#places..];)*
            });
        }
        let mut all = TokenStream::new();
        for turn in 0..TURNS {
            self.turn = Some(Turn { place: turn, own: parts.own.clone() });
            let of_turn =
                own.iter().map(|window| Window { name: format_ident!("{}_{turn}", window.name), ..window.clone() });
            let of_turn: Vec<Window> = of_turn.collect();
            opened.extend(of_turn.iter().map(|window| open(self, window)));
            let in_columns = columns.iter().enumerate().map(|(place, window)| Window {
                name: format_ident!("ap_c{place}_{turn}"),
                moves: false,
                ..window.clone()
            });
            self.open = shared.iter().cloned().chain(of_turn).chain(in_columns).collect();
            let body = self.block(body, false);
            all.extend(quote!({ #body }));
            self.open.clear();
        }
        self.turn = None;
        Some(quote! {{
            let (ap_lo, ap_hi): (usize, usize) = (#lo, #hi);
            if ap_lo < ap_hi {
                let ap_n = ap_hi - ap_lo;
                #opened
                for ap_k in 0..ap_n {
                    let #name = ap_lo.wrapping_add(ap_k);
                    #across
                    #all
                }
            }
        }})
    }

    /// The parts of a turn, if running turns side by side changes no result: none reads what another writes, all sum over the
    /// same range, and elements are written in the same order, after the sums.
    fn parts<'s>(&self, var: VarId, body: &'s [Stmt]) -> Option<Parts<'s>> {
        let at = body.iter().position(|stmt| matches!(stmt, Stmt::For(_)))?;
        let (before, after) = (&body[..at], &body[at + 1..]);
        let Stmt::For(sums) = &body[at] else { return None };
        let plain = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Assign(Place::Var(_) | Place::Element(..), ..));
        let writes = |stmt: &Stmt| {
            matches!(stmt, Stmt::Assign(Place::Element(..) | Place::Local(..), ..) | Stmt::Contribute(..))
        };
        let hinders = |stmt: &Stmt| {
            matches!(
                stmt,
                Stmt::For(_) | Stmt::While(..) | Stmt::LetArray(..) | Stmt::Return(_) | Stmt::Break | Stmt::Continue
            ) || writes(stmt)
        };
        let simple = self.f.vars[var].ty == Ty::Usize
            && self.f.vars[sums.var].ty == Ty::Usize
            && !sums.inclusive
            && before.iter().chain(after).all(plain)
            && !before.iter().any(writes)
            && !has(&sums.body, hinders);
        let ordered = !self.f.reorder && !gathers(self.f, &sums.body).is_empty();
        if !simple || !ordered {
            return None;
        }
        let (mut own, mut inside, mut changed, mut written) = (vec![var], Vec::new(), Vec::new(), Vec::new());
        walk_statements(body, &mut |stmt| match stmt {
            Stmt::Let(local, _) => inside.push(*local),
            Stmt::Assign(Place::Var(local), ..) => changed.push(*local),
            Stmt::Assign(Place::Element(array, _), ..) => written.push(*array),
            _ => {}
        });
        own.extend(
            before
                .iter()
                .chain(after)
                .filter_map(|stmt| if let Stmt::Let(local, _) = stmt { Some(*local) } else { None }),
        );
        let mut apart = changed.iter().all(|local| inside.contains(local));
        walk_expressions(body, &mut |e| {
            apart &= !matches!(&e.kind, Kind::Load(array, _) if written.contains(array));
        });
        for end in [&sums.lo, &sums.hi] {
            end.walk(&mut |e| {
                apart &= !matches!(&e.kind, Kind::Load(..)) && !matches!(&e.kind, Kind::Var(v) if own.contains(v));
            });
        }
        apart.then_some(Parts { before, sums, after, own })
    }
}
