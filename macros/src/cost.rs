//! Operations and memory traffic of one iteration, as polynomials of the arguments.

use crate::access::{Accesses, known_with_arguments, reach, unsigned};
use crate::cells::depends;
use crate::ir::{Binary, Builtin, Expr, Function, Kind, Stmt, Ty, VarId};
use crate::poly::{LAST, Poly};
use std::collections::BTreeMap;

/// Counts are in multiples of 1 / UNIT, so that half of a loop's length can be expressed.
pub const UNIT: i128 = 4096;

#[derive(Clone, Debug, Default)]
pub struct Cost {
    pub flops: Poly,
    pub loads: Poly,
    pub stores: Poly,
    pub double: bool,
    /// Whether it contains a loop of unknown length, which counts once.
    pub guessed: bool,
}

/// Operations of a function that processors compute by a series or a table: the weight that F. H. McMahon gives `exp`, `sin` and the
/// like in The Livermore Fortran Kernels (UCRL-53745, 1986). NVIDIA's GPUs of compute capability 8.0 and 9.0 also compute such
/// functions at best at an eighth or less of the rate of additions in f32 (CUDA C++ Programming Guide, arithmetic instructions).
const ELEMENTARY: i128 = 8;

/// The symbol for the operations of a helper, by its place among the helpers called.
fn operations_of(helper: usize) -> VarId {
    LAST - 1 - helper
}

/// The helper whose operations a symbol stands for.
pub fn helper_of(f: &Function, symbol: VarId) -> Option<&syn::Path> {
    f.helpers.get((LAST - 1).checked_sub(symbol)?)
}

/// The symbol for the number of turns of the loop over `var`, if it has several ends.
fn least_of(var: VarId) -> VarId {
    LAST / 2 + var
}

/// The symbols of all loops with several ends, and what they are the least of.
pub fn leasts(accesses: &Accesses<'_>) -> BTreeMap<VarId, Vec<Poly>> {
    let f = accesses.f;
    if f.helper {
        // Its arguments are unknown.
        return BTreeMap::new();
    }
    let of = |(var, lengths): (&VarId, &Vec<Poly>)| {
        let mut list: Vec<Poly> = Vec::new();
        for length in lengths {
            // An end that moves with the index counts as in the middle of the loop.
            let at = |i: &Poly| f.index().map_or_else(|| length.clone(), |index| length.substitute(index, i));
            let twice = &at(&Poly::default()) + &at(&Poly::var(LAST));
            let known = twice.symbols().into_iter().all(|v| v == LAST || known_with_arguments(f, v));
            let no_less = |a: &Poly, b: &Poly| (a - b).is_never_negative(&|v| unsigned(f, v));
            if known && !list.iter().any(|other| no_less(&twice, other)) {
                list.retain(|other| !no_less(other, &twice));
                list.push(twice);
            }
        }
        // A window of a known length that is cut at both ends of an array is whole but for a few iterations.
        if list.iter().any(|length| length.as_constant().is_some()) {
            list.retain(|length| !length.has(LAST));
        }
        (!list.is_empty()).then(|| (least_of(*var), list))
    };
    accesses.several.iter().filter_map(of).collect()
}

/// The first value of a loop variable, and the number of turns that count.
fn counted(accesses: &Accesses<'_>, var: VarId) -> Option<(Poly, Poly)> {
    let (lo, length) = accesses.spans.get(&var)?;
    Some((lo.clone(), least(accesses.f, var).unwrap_or_else(|| length.clone())))
}

/// The least number of turns of a loop with several ends.
fn least(f: &Function, var: VarId) -> Option<Poly> {
    let even = |poly: &Poly| poly.terms().all(|(_, factor)| factor % 2 == 0);
    Some(match f.leasts.get(&least_of(var))?.as_slice() {
        [one] if even(one) => one.divided(2),
        _ => Poly::var(least_of(var)),
    })
}

/// The same where no iteration has more turns.
pub fn most_turns(f: &Function, var: VarId) -> Option<Poly> {
    let moves = f.leasts.get(&least_of(var))?.iter().any(|poly| poly.has(LAST));
    if moves { None } else { least(f, var) }
}

/// The cost of an iteration, or of a call of a helper.
pub fn of(accesses: &Accesses<'_>) -> Cost {
    let mut cost = Cost::default();
    let f = accesses.f;
    cost.double = f.vars.iter().any(|var| var.ty == Ty::F64) || f.arrays.iter().any(|array| array.ty == Ty::F64);
    let mut flops = operations(accesses, &f.body, &mut cost.guessed);
    if let Some(&second) = f.indices.get(1) {
        let (lo, hi) = crate::access::second_range(f);
        let (lo, hi) = (Poly::var(lo), Poly::var(hi));
        flops = over(&flops, second, &lo, &(&hi - &lo));
    }
    if f.result != Ty::Unit && !f.helper {
        // The reduction itself.
        let each = match f.indices.get(1) {
            Some(_) => {
                let (lo, hi) = crate::access::second_range(f);
                &Poly::var(hi) - &Poly::var(lo)
            }
            None => Poly::constant(1),
        };
        flops = &flops + &(&each * &Poly::constant(UNIT));
    }
    cost.flops = settled(accesses, &flops);
    traffic(accesses, &mut cost);
    cost
}

/// Removes the loop index, which counts as half of its range, and symbols that the analysis made.
fn settled(accesses: &Accesses<'_>, poly: &Poly) -> Poly {
    let mut poly = poly.clone();
    let f = accesses.f;
    let made = |v: VarId| {
        let known = v == LAST || f.quotients.contains_key(&v) || f.leasts.contains_key(&v) || helper_of(f, v).is_some();
        !known && v > crate::access::second_range(f).1
    };
    // A quotient may contain others, which are earlier symbols.
    while let Some(var) = poly.symbols().into_iter().rev().find(|&v| made(v)) {
        let Some((factor, rest)) = poly.split(var) else { return Poly::default() };
        poly = match accesses.quotients.get(&var) {
            Some((of, by)) => &rest + &(&factor * of).divided(*by),
            None => rest,
        };
    }
    match f.index() {
        Some(index) if poly.has(index) => poly.substitute(index, &Poly::var(LAST)).halved(),
        _ => poly,
    }
}

/// The sum of `each` over a loop of `length` from `lo`: its variable counts as the middle of its range.
fn over(each: &Poly, var: VarId, lo: &Poly, length: &Poly) -> Poly {
    if !each.has(var) {
        return each * length;
    }
    let end = lo + &(length - &Poly::constant(1));
    let (first, last) = (each.substitute(var, lo), each.substitute(var, &end));
    (&(&first + &last) * length).halved()
}

fn operations(accesses: &Accesses<'_>, list: &[Stmt], guessed: &mut bool) -> Poly {
    let mut sum = Poly::default();
    for stmt in list {
        let assigned = match stmt {
            Stmt::Assign(_, Some(op), value, _) if counts(*op, value.ty) => 1,
            Stmt::Contribute(..) => 1,
            _ => 0,
        };
        let own = stmt.expressions().into_iter().fold(Poly::constant(assigned), |own, e| &own + &flops(accesses.f, e));
        sum = &sum + &(&own * &Poly::constant(UNIT));
        match stmt {
            Stmt::For(l) => {
                let body = operations(accesses, &l.body, guessed);
                let f = accesses.f;
                // A helper's arguments are unknown.
                let known = |poly: &Poly| !f.helper || poly.symbols().iter().all(|v| f.constants.contains(v));
                let body = match counted(accesses, l.var).filter(|(lo, length)| known(lo) && known(length)) {
                    Some((lo, length)) => over(&body, l.var, &lo, &length),
                    None => {
                        *guessed = true;
                        body.substitute(l.var, &Poly::default())
                    }
                };
                sum = &sum + &body;
            }
            Stmt::While(_, body) => {
                *guessed = true;
                sum = &sum + &operations(accesses, body, guessed);
            }
            Stmt::If(_, yes, no) => {
                let (yes, no) = (operations(accesses, yes, guessed), operations(accesses, no, guessed));
                sum = &sum + &larger(accesses.f, yes, no);
            }
            Stmt::Block(body) => sum = &sum + &operations(accesses, body, guessed),
            _ => {}
        }
    }
    sum
}

/// Whether an operation counts: operations on indices do not.
fn counts(op: Binary, ty: Ty) -> bool {
    let arithmetic = matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem);
    ty.is_float() && arithmetic || ty.is_integer() && ty != Ty::Usize && !op.compares()
}

/// A count for arguments of a typical size.
fn size(f: &Function, poly: &Poly) -> f64 {
    let factor = |v: &VarId| match f.leasts.get(v) {
        // Of arguments that are taken to be equal, differences may be below 0.
        Some(list) => {
            let sizes = list.iter().map(|poly| size(f, poly) / 2.0).filter(|size| *size > 0.0);
            sizes.fold(1e3, f64::min)
        }
        None if helper_of(f, *v).is_some() => 8.0,
        None => 1e3,
    };
    poly.terms().map(|(p, v)| v as f64 * p.iter().map(factor).product::<f64>()).sum()
}

/// The larger of two counts.
fn larger(f: &Function, a: Poly, b: Poly) -> Poly {
    if size(f, &a) >= size(f, &b) { a } else { b }
}

/// Operations of an expression, without those of its indices.
fn flops(f: &Function, e: &Expr) -> Poly {
    let all = |list: &[Expr]| list.iter().fold(Poly::default(), |sum, e| &sum + &flops(f, e));
    match &e.kind {
        Kind::Lit(_) | Kind::Var(_) | Kind::Whole(..) | Kind::Load(..) | Kind::Local(..) => Poly::default(),
        Kind::Neg(e) | Kind::Not(e) | Kind::Cast(e) => flops(f, e),
        Kind::Binary(op, a, b) => &(&flops(f, a) + &flops(f, b)) + &Poly::constant(i128::from(counts(*op, a.ty))),
        Kind::Builtin(builtin, list) => {
            let own = match builtin {
                Builtin::MulAdd => 2,
                Builtin::Math(function) if function.elementary => ELEMENTARY,
                Builtin::ToBits | Builtin::FromBits => 0,
                _ if list[0].ty == Ty::Usize => 0,
                _ => 1,
            };
            &all(list) + &Poly::constant(own)
        }
        Kind::Helper(helper, list) => &all(list) + &Poly::var(operations_of(*helper)),
        Kind::Select(c, a, b) => &flops(f, c) + &larger(f, flops(f, a), flops(f, b)),
    }
}

/// Bytes read and written: each element counts once, however many iterations read it. Replicated arrays, which caches hold, and
/// arrays that iterations contribute to do not count. If an index depends on data, each access counts.
fn traffic(accesses: &Accesses<'_>, cost: &mut Cost) {
    let f = accesses.f;
    let Some(index) = f.index() else { return };
    // Per array, direction and shape of the index, the bytes of one access.
    let mut groups: BTreeMap<(usize, bool, String), Poly> = BTreeMap::new();
    for (place, access) in accesses.list.iter().enumerate() {
        let bytes = Poly::constant(UNIT * f.arrays[access.array].ty.bytes());
        let (shape, most) = match (&access.index, reach(f, access, index)) {
            (Ok(poly), Ok(reach)) if !reach.stride.is_zero() => {
                // Accesses that differ by whole rows, or by a multiple of the step between turns, reach the same elements in
                // other turns.
                let loops: Vec<VarId> = access.loops.iter().map(|(var, _)| *var).collect();
                let moving = poly.terms().filter(|(product, _)| product.iter().any(|v| loops.contains(v)));
                let beside = beside(poly, |v| v == index || loops.contains(&v));
                // An iteration reaches at most its own elements, however its loops overlap.
                (format!("{:?} {beside}", moving.collect::<Vec<_>>()), Some(&reach.stride * &bytes))
            }
            (Ok(_), Ok(_)) => continue,
            _ => (format!("access {place}"), None),
        };
        let mut count = bytes;
        for (var, length) in access.loops.iter().rev() {
            // A loop that reads the same element in each turn.
            if access.index.as_ref().is_ok_and(|index| !depends(access, index, *var)) {
                continue;
            }
            match length {
                Some(length) => {
                    let (lo, length) = counted(accesses, *var).unwrap_or_else(|| (Poly::default(), length.clone()));
                    count = over(&count, *var, &lo, &length);
                }
                None => cost.guessed = true,
            }
        }
        let count = match (settled(accesses, &count), most) {
            (count, Some(most)) if size(f, &most) < size(f, &count) && size(f, &most) > 0.0 => most,
            (count, _) => count,
        };
        let entry = groups.entry((access.array, access.write, shape)).or_default();
        if entry.is_zero() {
            *entry = count;
        }
    }
    for ((_, write, _), count) in groups {
        let sum = if write { &mut cost.stores } else { &mut cost.loads };
        *sum = &*sum + &count;
    }
}

/// The remainder of an index's constant by the greatest common step of its moving variables: of `3*j`, `3*j + 1` and `3*j + 4`
/// the last two meet in another turn. If an argument gives the rows' length, the whole constant.
fn beside(index: &Poly, moves: impl Fn(VarId) -> bool) -> i128 {
    let number = index.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
    let steps = index.terms().filter(|(product, _)| matches!(product[..], [v] if moves(v)));
    let common = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    match steps.fold(0, |step, (_, value)| common(step, value.abs())) {
        0 => number,
        step => number.rem_euclid(step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str) -> [String; 3] {
        let item: syn::ItemFn = syn::parse_str(text).unwrap();
        let function = crate::parse::signature(&syn::parse_str("").unwrap(), &item).unwrap();
        let mut function = crate::lower::lower(function, &item.block).unwrap();
        function.leasts = leasts(&crate::access::collect(&function));
        let accesses = crate::access::collect(&function);
        let cost = of(&accesses);
        let show = |poly: &Poly| poly.show_over(&|v| crate::maps::name_of(&function, v), UNIT);
        [show(&cost.flops), show(&cost.loads), show(&cost.stores)]
    }

    #[test]
    fn costs_are_those_that_one_would_state_by_hand() {
        for (text, expected) in [
            ("fn f(i: usize, a: f32, x: &[f32], y: &mut [f32]) { y[i] += a * x[i]; }", ["2", "8", "4"]),
            ("fn f(i: usize, x: &[f64]) -> f64 { x[i] }", ["1", "8", "0"]),
            (
                "fn f(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..n { s += a[i * n + j] * x[j]; } y[i] = s; }",
                ["2*n", "4*n", "4"],
            ),
            (
                "fn f(i: usize, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for j in 0..n { let mut s = 0.0; \
                 for k in 0..n { s += a[i * n + k] * b[k * n + j]; } c[i * n + j] = s; } }",
                ["2*n*n", "4*n", "4*n"],
            ),
            (
                "fn f(i: usize, m: usize, old: &[f32], u: &mut [f32]) { for j in 1..m - 1 { \
                 u[i * m + j] = old[(i - 1) * m + j] + old[(i + 1) * m + j] + old[i * m + j - 1] + old[i * m + j + 1]; } }",
                ["3*m - 6", "4*m - 8", "4*m - 8"],
            ),
            // Neighbouring elements that no other turn reads: three of each, and two of each row.
            (
                "fn f(i: usize, n: usize, x: &[f32], y: &mut [i32]) { for j in 0..n { y[i * 3 * n + 3 * j] = 1; \
                 y[i * 3 * n + 3 * j + 1] = 2; y[i * 3 * n + 3 * j + 2] = x[2 * i] as i32 + x[2 * i + 1] as i32; } }",
                ["n", "8", "12*n"],
            ),
            // Functions of a series count as eight, those of an instruction as one, also in loops.
            ("fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i] = x[i].exp() + x[i].sqrt(); }", ["10", "4", "4"]),
            (
                "fn f(i: usize, x: &[f64], y: &mut [f64]) { y[i] = x[i].powf(1.5) * x[i].powi(3).abs(); }",
                ["11", "8", "8"],
            ),
            (
                "fn f(i: usize, n: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..n { s += (x[i * n + j].sin() - x[i * n + j].ln()).tanh(); } y[i] = s; }",
                ["26*n", "4*n", "4"],
            ),
            // Rims, which the inner part does not reach.
            ("fn f(i: usize, m: usize, u: &mut [f32]) { u[i * m] = 0.0; u[i * m + m - 1] = 0.0; }", ["0", "0", "8"]),
            // Overlapping windows: all of the rows, once.
            (
                "fn f(i: usize, n: usize, x: &[u8], y: &mut [u32]) { let mut s = 0; for b in 0..n / 16 { \
                 for d in b * 16..b * 16 + 17 { for r in 0..16 { for c in 0..16 { \
                 s += x[(16 * i + r) * n + d + c] as u32; } } } } y[i] = s; }",
                ["272*n", "16*n", "4"],
            ),
            // A limit beside a row's length, in either order, and in both loops.
            (
                "fn f(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) { for j in 0..most.min(n) { \
                 y[i * n + j] = 2.0 * x[i * n + j]; } }",
                ["min(most, n)", "4*min(most, n)", "4*min(most, n)"],
            ),
            (
                "fn f(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..n.min(most) { for k in 0..most.min(n).min(8) { s += x[i * n + j] * k as f32; } } y[i] = s; }",
                ["2*min(n, most)*min(most, n, 8)", "4*min(n, most)", "4"],
            ),
            // What is never less does not count, nor does what is not known.
            (
                "fn f(i: usize, n: usize, x: &[f32], y: &mut [f32]) { let m = x[0] as usize; let mut s = 0.0; \
                 for j in 0..(2 * n).min(m).min(n) { s += x[i * n + j]; } y[i] = s; }",
                ["n", "4*n", "4"],
            ),
            // A window around the iteration, cut at both ends.
            (
                "fn f(i: usize, n: usize, w: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in i.saturating_sub(3)..(i + 4).min(n) { s += x[j]; } y[i] = s; }",
                ["min(7, n)", "4", "4"],
            ),
            // A limit beside an end that moves.
            (
                "fn f(i: usize, most: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..(i + 1).min(most) { s += x[j]; } y[i] = s; }",
                ["min(0.5*last + 1, most)", "0", "4"],
            ),
            // The ends of a triangle's rows, in the variable of the loop around.
            (
                "fn f(i: usize, n: usize, most: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..n { for k in 0..(j + 1).min(most) { s += x[i * n + k]; } } y[i] = s; }",
                ["n*min(n, most)", "4*n", "4"],
            ),
            // Rows that grow: half of the last one.
            (
                "fn f(i: usize, n: usize, l: &[f32], y: &mut [f32]) { let mut s = 0.0; \
                 for j in 0..i { s += l[i * n + j]; } y[i] = s; }",
                ["0.5*last", "2*last", "4"],
            ),
        ] {
            assert_eq!(cost(text), expected.map(String::from), "{text}");
        }
    }

    #[test]
    fn costs_have_no_symbols_of_the_analysis() {
        for range in ["(i % 5..n).step_by(3)", "(i % 5..(i * 7) % 31).rev().step_by(3)", "(n % 3) / 2..(n % 7) / 4"] {
            let text = format!("fn f(i: usize, n: usize, y: &mut [f32]) {{ for _ in {range} {{ y[i] += 1.0; }} }}");
            assert!(cost(&text).iter().all(|cost| !cost.contains("..")), "{range}: {:?}", cost(&text));
        }
    }
}
