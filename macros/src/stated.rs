//! Maps that the attribute `#[map(..)]` states, compared with what iterations are known to reach.

use crate::access::{Access, Accesses, Reach, reach, unsigned};
use crate::ir::{Function, VarId};
use crate::maps::{Distribution, WIDEST, in_elements, rows_of, show};
use crate::parse::MapWord;
use crate::poly::Poly;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{BinOp, Error, Expr, Lit};

/// The value of a number in a map, as far as it is made of literals and arguments.
fn value(f: &Function, e: &Expr) -> Option<Poly> {
    match e {
        Expr::Paren(e) => value(f, &e.expr),
        Expr::Group(e) => value(f, &e.expr),
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(number) => Some(Poly::constant(number.base10_parse::<u32>().ok()?.into())),
            _ => None,
        },
        Expr::Path(path) => {
            let name = path.path.get_ident()?;
            let of = |v: &VarId| f.vars[*v].ident == *name && f.vars[*v].ty.is_integer() && f.is_argument(*v);
            (0..f.vars.len()).find(of).map(Poly::var)
        }
        Expr::Binary(e) => {
            let (a, b) = (value(f, &e.left)?, value(f, &e.right)?);
            match e.op {
                BinOp::Add(_) => Some(&a + &b),
                BinOp::Sub(_) => Some(&a - &b),
                BinOp::Mul(_) => Some(&a * &b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A polynomial over numbers of at least 0, where rows have elements and the loops around the access have turns.
fn there(f: &Function, poly: &Poly, row: &Poly, reach: &Reach) -> Poly {
    let mut least: BTreeMap<VarId, i128> = BTreeMap::new();
    for length in reach.lengths.iter().chain([row]) {
        // The length `m - 2` is at least 1, so that `m` is at least 3.
        for v in length.symbols().into_iter().filter(|&v| unsigned(f, v)) {
            if let Some((factor, rest)) = length.split(v)
                && factor.as_constant() == Some(1)
                && let Some(rest) = rest.as_constant().filter(|rest| *rest <= 0)
            {
                least.entry(v).and_modify(|least| *least = (1 - rest).max(*least)).or_insert(1 - rest);
            }
        }
    }
    let more =
        |poly: Poly, (v, least): (&VarId, &i128)| poly.substitute(*v, &(&Poly::var(*v) + &Poly::constant(*least)));
    least.iter().fold(poly.clone(), more)
}

/// How far the rows of a map reach.
struct Rows {
    row: Poly,
    ratio: i128,
    left: Poly,
    right: Poly,
}

/// The element that an iteration reaches for certain, and that these rows do not have, as one adds it to `stride * i`.
fn beyond(f: &Function, rows: &Rows, access: &Access, reach: &Reach) -> Option<Poly> {
    if access.guarded || !reach.exact {
        return None;
    }
    let owned = &rows.row * &Poly::constant(rows.ratio);
    let last = &(&owned + &(&rows.row * &rows.right)) - &Poly::constant(1);
    // In iteration `i`, relative to its own rows.
    let outside = |i: i128| {
        let apart = &(&reach.stride - &owned) * &Poly::constant(i);
        let below = |low: &Poly| &(&apart + low) + &(&rows.row * &rows.left);
        let above = |high: &Poly| &(&last - high) - &apart;
        let negative = |poly: Poly| there(f, &poly, &rows.row, reach).is_always_negative(&|v| unsigned(f, v));
        // What is reached is the greatest of several lower ends, and the least of several upper ones.
        let (mut lows, mut highs) = (reach.lows.iter(), reach.highs.iter());
        let end = if lows.all(|low| negative(below(low))) {
            reach.lows.first()
        } else if highs.all(|high| negative(above(high))) {
            reach.highs.first()
        } else {
            None
        };
        end.cloned()
    };
    if reach.stride == owned {
        return outside(0);
    }
    // Only with constants. The diagonal of 4 x 4 elements, `x[4 * i + i]`, leaves its rows where the matrix ends; most of the first
    // iterations have to leave theirs.
    if reach.stride.as_constant().is_none() || owned.as_constant().is_none() {
        return None;
    }
    let mut found: Vec<Poly> = (0..3).filter_map(outside).collect();
    (found.len() > 1).then(|| found.swap_remove(0))
}

/// Why a map is wrong, whatever the arguments, if iterations are known to read elements that it does not give them.
pub fn contradicted(accesses: &Accesses<'_>, word: &MapWord, list: &[&Access]) -> Option<Error> {
    let (f, index) = (accesses.f, accesses.f.index()?);
    let stated = word.rows.as_ref()?;
    let each = f.arrays[list.first()?.array].each();
    let number = |e: Option<&Expr>, without: i128| e.map_or(Some(Poly::constant(without)), |e| value(f, e));
    let rows = Rows {
        row: &value(f, stated)? * &Poly::constant(each as i128),
        ratio: number(word.ratio.as_ref(), 1)?.as_constant().filter(|ratio| *ratio > 0)?,
        left: number(word.halo.as_ref().map(|(left, _)| left), 0)?,
        right: number(word.halo.as_ref().map(|(_, right)| right), 0)?,
    };
    let reaches: Vec<_> = list.iter().filter_map(|access| Some((*access, reach(f, access, index).ok()?))).collect();
    let found = |(access, reach): &(&Access, Reach)| {
        Some((access.span, reach.stride.clone(), beyond(f, &rows, access, reach)?))
    };
    let (span, stride, low) = reaches.iter().find_map(found)?;
    let elements = |poly: &Poly| show(f, &in_elements(each, poly));
    let name = &word.array;
    let owned = &rows.row * &Poly::constant(rows.ratio);
    let first = &Poly::var(index) * &owned;
    let own = if owned == Poly::constant(each as i128) {
        format!("element {}", elements(&first))
    } else {
        format!("{} elements from {} on", elements(&owned), elements(&first))
    };
    let around = match (&rows.left, &rows.right) {
        (left, right) if left.is_zero() && right.is_zero() => String::new(),
        (left, right) => format!(", with a halo of {} and {}", show(f, left), show(f, right)),
    };
    let text = format!(
        "`#[map({name}: {word})]` gives iteration `{}` {own} of `{name}`{around}, but it reads element {}: `#[map({name}: {})]` would have it{}",
        f.vars[index].ident,
        elements(&(&(&Poly::var(index) * &stride) + &low)),
        right(accesses, word, &rows, &reaches),
        if reaches.len() == list.len() { ", and without a map it is derived" } else { "" }
    );
    Some(Error::new(span, text))
}

/// The halo of rows of so many elements, `ratio` of them for each iteration, if it is found without the arguments.
fn halo(f: &Function, row: &Poly, ratio: i128, reaches: &[(&Access, Reach)]) -> Option<(i128, i128)> {
    let around = |reach: &Reach| {
        let has = |poly: &Poly| there(f, poly, row, reach).is_never_negative(&|v| unsigned(f, v));
        let rows = |number: i128| row * &Poly::constant(number);
        let before = (0..=WIDEST).find(|&h| reach.lows.iter().any(|low| has(&(low + &rows(h)))))?;
        let end = |h: i128| &rows(ratio + h) - &Poly::constant(1);
        let after = (0..=WIDEST).find(|&h| reach.highs.iter().any(|high| has(&(&end(h) - high))))?;
        Some((before, after))
    };
    reaches.iter().try_fold((0, 0), |most, (_, reach)| {
        let (before, after) = around(reach)?;
        Some((before.max(most.0), after.max(most.1)))
    })
}

/// The map that has all that iterations are known to reach.
fn right(accesses: &Accesses<'_>, word: &MapWord, rows: &Rows, reaches: &[(&Access, Reach)]) -> String {
    let full = || "full".to_owned();
    let Some((access, first)) = reaches.first() else { return full() };
    if first.stride.is_zero() || reaches.iter().any(|(_, reach)| reach.stride != first.stride) {
        return full();
    }
    let same = first.stride == &rows.row * &Poly::constant(rows.ratio);
    let each = accesses.f.arrays[access.array].each();
    let distribution = if same {
        Distribution::Rows { row: rows.row.clone(), ratio: rows.ratio }
    } else {
        rows_of(&first.stride, each)
    };
    let Distribution::Rows { row, ratio } = &distribution else { return full() };
    let Some(around) = halo(accesses.f, row, *ratio, reaches) else { return full() };
    let text = word.rows.as_ref().map(|rows| rows.to_token_stream().to_string()).filter(|_| same);
    let (row, ratio) = match (text, in_elements(each, row).as_constant(), *ratio) {
        (Some(text), _, ratio) => (text, ratio),
        (None, Some(1), ratio) => (ratio.to_string(), 1),
        (None, _, ratio) => (show(accesses.f, &in_elements(each, row)), ratio),
    };
    let mut text = if row == "1" { "align".to_owned() } else { format!("rows({row})") };
    if ratio != 1 {
        text.push_str(&format!(" ratio({ratio})"));
    }
    match around {
        (0, 0) => {}
        (left, right) if left == right => text.push_str(&format!(" halo({left})")),
        (left, right) => text.push_str(&format!(" halo({left}, {right})")),
    }
    text
}
