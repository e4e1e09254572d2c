//! The form of a kernel of two indices for devices in a grid. Such a device has some columns of each row, so an element is found
//! by its row, its column and the device's distance between rows.

use crate::access::{self, Access, Accesses, exact, unsigned};
use crate::ir::{ArrayId, Binary, Expr, Function, Kind, Lit, Param, Stmt, Ty, Var, VarId, change_expressions};
use crate::maps::{ArrayMap, Distribution, in_elements, show, whole_elements};
use crate::poly::{Poly, bounds};
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A kernel over rows and columns.
pub struct Cells {
    /// The function with indices of rows and columns. After each array it has an additional parameter, the array's pitch.
    pub function: Function,
    /// The pitches of the arrays.
    pub pitches: Vec<VarId>,
    pub arrays: Vec<CellArray>,
}

/// How an array is read or written.
pub enum CellArray {
    /// By plain indices, so each device has whole rows.
    Plain,
    /// Row and column of each access, relative to those of the iteration.
    Cells { row: Poly, reaches: Vec<CellReach> },
}

/// The cells of one access: from `i + low` to `i + high` in rows, and likewise in columns. Each is a list of bounds.
pub struct CellReach {
    pub rows: [Vec<Poly>; 2],
    pub columns: [Vec<Poly>; 2],
    /// Whether every iteration performs it.
    pub certain: bool,
    /// Numbers of turns of the loops around.
    pub lengths: Vec<Poly>,
}

/// The new index of one access.
struct NewIndex {
    row: Poly,
    column: Poly,
    index: Expr,
    /// Of one of two accesses at one place: the condition under which it is this one.
    when: Option<Expr>,
}

/// By the old index; two at a place whose index contains a local with one of two values.
type Found = BTreeMap<*const Expr, Vec<NewIndex>>;

/// The form for grids, or the reason why there is none and what to do.
pub fn cells(f: &Function, maps: &[ArrayMap]) -> Result<Cells, String> {
    let &[_, _] = &f.indices[..] else {
        let index = f.index().map_or(String::new(), |v| f.vars[v].ident.to_string());
        let other = if index == "j" { "k" } else { "j" };
        return Err(format!(
            "`#[kernel]` made it of a function of one loop index, of which an iteration is a whole row. Write it as \
             `#[kernel({index}, {other})]`, with the column as a second index `{other}: usize` in the place of the loop over \
             columns, or run it by `parallel_for` with the devices in a row"
        ));
    };
    let mut function = f.clone();
    let mut found = BTreeMap::new();
    let mut arrays = Vec::new();
    {
        // Analyse the copy, as places in its text are to be changed.
        let accesses = access::collect(&function);
        for (array, map) in maps.iter().enumerate() {
            let pitch = function.vars.len() + array;
            arrays.push(of_array(&accesses, array, map, pitch, &mut found)?);
        }
    }
    // Keep replaced expressions alive, so that no new one gets the same address.
    let mut replaced = Vec::new();
    change_expressions(&mut function.body, &mut |e| {
        let new = match (&e.kind, found.get(&std::ptr::from_ref::<Expr>(e)).map(Vec::as_slice)) {
            (_, Some([first, ..])) => first.index.clone(),
            (Kind::Load(array, index), None) => match found.get(&std::ptr::from_ref(&**index)).map(Vec::as_slice) {
                // Two reads, each with an index that the analysis knows, rather than one with a choice in its index.
                Some([other, NewIndex { when: Some(when), index, .. }]) => {
                    let load = |index: &Expr| {
                        let kind = Kind::Load(*array, Box::new(index.clone()));
                        Box::new(Expr { kind, ty: e.ty, span: e.span })
                    };
                    let kind = Kind::Select(Box::new(when.clone()), load(index), load(&other.index));
                    Expr { kind, ty: e.ty, span: e.span }
                }
                _ => return,
            },
            _ => return,
        };
        replaced.push(std::mem::replace(e, new));
    });
    let pitches = (0..f.arrays.len()).map(|array| f.vars.len() + array).collect();
    for array in &f.arrays {
        let name = format!("{}_pitch", array.name);
        let ident = Ident::new(&name, Span::call_site());
        function.vars.push(Var { ident, name, ty: Ty::Usize, mutable: false, len: None });
    }
    let with_pitch = |param: &Param| match *param {
        Param::Array(array) => vec![*param, Param::Scalar(f.vars.len() + array)],
        Param::Scalar(_) => vec![*param],
    };
    function.params = f.params.iter().flat_map(with_pitch).collect();
    function.pitches = (0..f.arrays.len()).map(|array| f.vars.len() + array).collect();
    function.quotients = access::quotients(&access::collect(&function));
    Ok(Cells { function, pitches, arrays })
}

fn of_array(
    accesses: &Accesses<'_>,
    array: ArrayId,
    map: &ArrayMap,
    pitch: VarId,
    found: &mut Found,
) -> Result<CellArray, String> {
    let f = accesses.f;
    let (i, j) = (f.indices[0], f.indices[1]);
    let name = &f.arrays[array].ident;
    let stride = match &map.distribution {
        Distribution::Full => return Ok(CellArray::Plain),
        Distribution::Word(word) if word.full || word.reduce.is_some() => return Ok(CellArray::Plain),
        Distribution::Word(_) => {
            return Err(format!(
                "`#[map({name}: rows(..))]` says which rows of `{name}` an iteration has, but not which columns: index it so \
                 that `({} + a) * m + ({} + b)` follows from the text",
                f.vars[i].ident, f.vars[j].ident
            ));
        }
        Distribution::Rows { row, ratio } => row * &Poly::constant(*ratio),
    };
    let list: Vec<&Access> = accesses.list.iter().filter(|access| access.array == array).collect();
    let index_of = |access: &Access| access.index.clone().unwrap_or_default();
    if list.iter().all(|access| !depends(access, &index_of(access), j)) {
        // Proofs of writes have the second index in them, so rows must be whole.
        return Ok(CellArray::Plain);
    }
    let each = f.arrays[array].each();
    // In messages, elements and not their components.
    let shown = |poly: &Poly| show(f, &in_elements(each, poly));
    let mut reaches = Vec::new();
    for access in list {
        let index = index_of(access);
        let (row, column) = divided(&index, &stride);
        if let Some(width) = stride.as_constant() {
            let number = column.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
            if 4 * number.abs() > width {
                return Err(format!(
                    "of `{name}[{}]` it cannot be told whether it is {} columns away or in another row, as rows have {} \
                     elements: give their length by an argument, `{} * m + {} + ..`",
                    shown(&index),
                    number.div_euclid(each as i128),
                    width / each as i128,
                    f.vars[i].ident,
                    f.vars[j].ident
                ));
            }
        }
        let refuse = |what: String| {
            let (i, j) = (&f.vars[i].ident, &f.vars[j].ident);
            let instead = if access.write {
                format!("write cell ({i}, {j}) alone, by `{i} * {m} + {j}`", m = shown(&stride))
            } else {
                format!(
                    "read cells at fixed distances, by `({i} + a) * m + ({j} + b)`, and others from an array of their own that \
                     is `#[map({name}: full)]`"
                )
            };
            Err(format!("of `{name}[{}]` {what}: {instead}", shown(&index)))
        };
        // A column at the other end of the row is written as one of another row: `j + 1 - m`.
        let seam = access.chosen.as_ref().is_some_and(|(_, value)| {
            let (rows, columns) = divided(value, &stride);
            !rows.is_zero() && !rows.has(i) && columns.has(j)
        });
        if seam {
            return refuse("row and column cannot be told apart".into());
        }
        let Some((rows, all_rows)) = distance(accesses, access, &row, i, 1) else {
            return refuse(format!(
                "the row, {}, does not follow `{}` at a distance that the arguments tell",
                show(f, &row),
                f.vars[i].ident
            ));
        };
        let Some((columns, all_columns)) = distance(accesses, access, &column, j, each) else {
            return refuse(format!(
                "the column, {}, does not follow `{}` at a distance that the arguments tell",
                shown(&column),
                f.vars[j].ident
            ));
        };
        // Of a cell of several components, the distances say whether it is the iteration's own.
        let own = columns.iter().all(|ends| ends.iter().any(Poly::is_zero));
        let own_column = if each == 1 { column == Poly::var(j) } else { own };
        if f.arrays[array].mutable && (row != Poly::var(i) || !own_column) {
            let what = if access.write { "is written" } else { "is read from what the loop writes" };
            return refuse(format!("another cell {what} than the iteration's own"));
        }
        let texts = (text(accesses, &row), text(accesses, &column), when(accesses, access));
        let (Some(row_text), Some(column_text), Some(when)) = texts else {
            return refuse("row and column cannot be told apart".into());
        };
        let start = binary(Binary::Mul, row_text, variable(pitch));
        let index = binary(Binary::Add, start, column_text);
        let here = found.entry(access.place).or_default();
        if here.iter().all(|other| (&other.row, &other.column) != (&row, &column)) {
            here.push(NewIndex { row, column, index, when });
        }
        let (lengths, enough) = access.lengths(f);
        let all = all_rows && all_columns && enough && !access.guarded;
        reaches.push(CellReach { rows, columns, certain: all, lengths });
    }
    Ok(CellArray::Cells { row: stride, reaches })
}

/// Whether a polynomial, or a limit of its symbols, depends on this index.
pub fn depends(access: &Access, poly: &Poly, index: VarId) -> bool {
    let mut seen = BTreeSet::new();
    let mut left: Vec<VarId> = poly.symbols().into_iter().collect();
    while let Some(v) = left.pop() {
        if v == index {
            return true;
        }
        if let (Some(limits), true) = (access.limits.get(&v), seen.insert(v)) {
            left.extend(limits.lows.iter().chain(&limits.highs).flat_map(Poly::symbols));
        }
    }
    false
}

/// Splits an index into `row * stride + column`.
fn divided(index: &Poly, stride: &Poly) -> (Poly, Poly) {
    let (mut row, mut column) = (Poly::default(), index.clone());
    let Some((lead, factor)) = stride.terms().max_by_key(|(product, _)| product.len()) else { return (row, column) };
    let has_symbols = !lead.is_empty();
    // Each turn removes one term and puts a smaller one in its place.
    for _ in 0..64 {
        let next = column.terms().find_map(|(product, value)| {
            // With a constant stride only multiples of it are divided.
            let rest = without(product, lead)?;
            (value % factor == 0 && (has_symbols || !product.is_empty())).then(|| (rest, value / factor))
        });
        let Some((rest, value)) = next else { break };
        let part = rest.iter().fold(Poly::constant(value), |part, &v| &part * &Poly::var(v));
        column = &column - &(&part * stride);
        row = &row + &part;
    }
    if let Some(width) = stride.as_constant().filter(|width| *width > 1) {
        // The nearest row: 127 of 128 is one row down and one column back.
        let number = column.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, value)| value);
        let rows = (number + width / 2).div_euclid(width);
        row = &row + &Poly::constant(rows);
        column = &column - &Poly::constant(rows * width);
    }
    (row, column)
}

/// The product without these factors, if it contains them all.
fn without(product: &[VarId], factors: &[VarId]) -> Option<Vec<VarId>> {
    let mut rest = product.to_vec();
    for factor in factors {
        let at = rest.iter().position(|v| v == factor)?;
        rest.remove(at);
    }
    Some(rest)
}

/// The least and the greatest distance of a row or column, of so many components, from an index, if they follow from the arguments; and
/// whether every iteration reaches them.
fn distance(
    accesses: &Accesses<'_>,
    access: &Access,
    of: &Poly,
    index: VarId,
    each: usize,
) -> Option<([Vec<Poly>; 2], bool)> {
    let f = accesses.f;
    let mut keep = vec![index];
    keep.extend(access.limits.keys().filter(|v| f.quotients.contains_key(v)));
    let known = |v: VarId| f.is_argument(v) || f.quotients.contains_key(&v);
    let follows = |bound: Poly| {
        let (factor, rest) = bound.split(index)?;
        let rest = whole_elements(each, &rest)?;
        (factor.as_constant() == Some(each as i128) && rest.symbols().into_iter().all(known)).then_some(rest)
    };
    let ends = [false, true].map(|upper| bounds(of, upper, &access.limits, &keep, &|v| unsigned(f, v)));
    // With several limits, another one may hold at an edge.
    let one = ends.iter().all(|list| list.len() == 1);
    let rest = of.split(index).map_or_else(Poly::default, |(_, rest)| rest);
    let ends = ends.map(|list| list.into_iter().filter_map(follows).collect::<Vec<_>>());
    let all = one && exact(f, &rest, &access.limits);
    ends.iter().all(|list| !list.is_empty()).then_some((ends, all))
}

fn expression(kind: Kind, ty: Ty) -> Expr {
    Expr { kind, ty, span: Span::call_site() }
}

fn variable(v: VarId) -> Expr {
    expression(Kind::Var(v), Ty::Usize)
}

fn binary(op: Binary, a: Expr, b: Expr) -> Expr {
    expression(Kind::Binary(op, Box::new(a), Box::new(b)), Ty::Usize)
}

/// The condition under which a place has this one of its two accesses: its local has this access's value. The condition that chose
/// the value cannot stand there, as what it reads may have changed since. `None` if it has no text.
fn when(accesses: &Accesses<'_>, access: &Access) -> Option<Option<Expr>> {
    let Some((var, value)) = &access.chosen else { return Some(None) };
    let (local, value) = (text(accesses, &Poly::var(*var))?, text(accesses, value)?);
    Some(Some(expression(Kind::Binary(Binary::Eq, Box::new(local), Box::new(value)), Ty::Bool)))
}

/// A polynomial as an expression, if all its symbols have a text.
fn text(accesses: &Accesses<'_>, poly: &Poly) -> Option<Expr> {
    let f = accesses.f;
    let number = |value: u128| expression(Kind::Lit(Lit::Int(value)), Ty::Usize);
    let mut sum: Option<Expr> = None;
    // Positive terms first, so that the text does not begin with a minus.
    let mut terms: Vec<_> = poly.terms().collect();
    terms.sort_by_key(|(product, value)| (*value < 0, std::cmp::Reverse(product.len())));
    for (product, value) in terms {
        let mut term = (value.unsigned_abs() != 1 || product.is_empty()).then(|| number(value.unsigned_abs()));
        for &v in product {
            let symbol = match f.vars.get(v) {
                Some(var) if var.ty == Ty::Usize => variable(v),
                Some(var) => expression(Kind::Cast(Box::new(expression(Kind::Var(v), var.ty))), Ty::Usize),
                None => match element_of_list(accesses, v) {
                    Some(var) if f.vars[var].ty == Ty::Usize => variable(var),
                    Some(var) => {
                        expression(Kind::Cast(Box::new(expression(Kind::Var(var), f.vars[var].ty))), Ty::Usize)
                    }
                    None => made(accesses, v)?,
                },
            };
            term = Some(match term {
                Some(term) => binary(Binary::Mul, term, symbol),
                None => symbol,
            });
        }
        let term = term?;
        sum = Some(match (sum, value < 0) {
            (Some(sum), negative) => binary(if negative { Binary::Sub } else { Binary::Add }, sum, term),
            (None, false) => term,
            (None, true) => binary(Binary::Sub, number(0), term),
        });
    }
    Some(sum.unwrap_or_else(|| number(0)))
}

/// The variable of a loop over a list, `for d in [0, 2]`, whose value a symbol is. It is the first of the loop's body, out of which
/// its value does not come, and stays the same there.
fn element_of_list(accesses: &Accesses<'_>, symbol: VarId) -> Option<VarId> {
    let var = *accesses.values.iter().find(|(_, value)| **value == Poly::var(symbol))?.0;
    access::has(&accesses.f.body, |stmt| {
        let Stmt::For(l) = stmt else { return false };
        let Some(Stmt::Let(first, Some(value))) = l.body.first() else { return false };
        *first == var
            && matches!(&value.kind, Kind::Local(_, turn) if matches!(turn.kind, Kind::Var(turn) if turn == l.var))
    })
    .then_some(var)
}

/// The expression of a symbol made by the analysis, if its value is the same everywhere.
fn made(accesses: &Accesses<'_>, v: VarId) -> Option<Expr> {
    let e = accesses.made.get(&v)?;
    let mut changes = false;
    e.walk(&mut |e| {
        changes |= match e.kind {
            // The numbers of components in an element, which are known everywhere.
            Kind::Local(var, _) => !accesses.is_table(var),
            Kind::Load(..) | Kind::Whole(..) => true,
            // A local of another block may be out of scope here.
            Kind::Var(v) => !accesses.f.is_argument(v) && !accesses.f.indices.contains(&v),
            _ => false,
        }
    });
    let whole = if e.ty == Ty::Usize { e.clone() } else { expression(Kind::Cast(Box::new(e.clone())), Ty::Usize) };
    (!changes).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each array the row length, and the distances of all accesses.
    fn found(text: &str) -> Result<Vec<String>, String> {
        let mut item: syn::ItemFn = syn::parse_str(text).unwrap();
        let words = crate::parse::map_words(&mut item.attrs).unwrap();
        let function = crate::parse::signature(&syn::parse_str("i, j").unwrap(), &item).unwrap();
        let mut f = crate::lower::lower(function, &item.block).unwrap();
        f.quotients = access::quotients(&access::collect(&f));
        let maps = crate::maps::derive(&access::collect(&f), &words).unwrap();
        let cells = cells(&f, &maps)?;
        let list = |list: &[Poly]| list.iter().map(|poly| show(&f, poly)).collect::<Vec<_>>().join("|");
        let reach = |reach: &CellReach| {
            let [rows, columns] =
                [&reach.rows, &reach.columns].map(|ends| format!("{}..{}", list(&ends[0]), list(&ends[1])));
            format!("({rows}, {columns}){}", if reach.certain { "" } else { "?" })
        };
        let array = |array: &CellArray| match array {
            CellArray::Plain => "plain".to_owned(),
            CellArray::Cells { row, reaches } => {
                format!("{}: {}", show(&f, row), reaches.iter().map(reach).collect::<Vec<_>>().join(" "))
            }
        };
        // Each index uses the array's own pitch.
        let accesses = access::collect(&cells.function);
        for access in &accesses.list {
            let pitch = cells.pitches[access.array];
            let by_pitch = access.index.as_ref().is_ok_and(|index| index.has(pitch));
            assert_eq!(by_pitch, matches!(cells.arrays[access.array], CellArray::Cells { .. }), "{text}");
        }
        Ok(cells.arrays.iter().map(array).collect())
    }

    #[test]
    fn rows_and_columns_are_told_apart() {
        for (body, expected) in [
            ("y[i * m + j] = x[i * m + j];", ["m: (0..0, 0..0)", "m: (0..0, 0..0)"]),
            ("y[i * m + j] = x[(i - 1) * m + j + 2];", ["m: (-1..-1, 2..2)", "m: (0..0, 0..0)"]),
            ("let at = j + m * i; y[at] = x[at + 2 * m - 1];", ["m: (2..2, -1..-1)", "m: (0..0, 0..0)"]),
            ("y[i * (m + 2) + j] = x[(i + 1) * (m + 2) + j + 1];", ["m + 2: (1..1, 1..1)", "m + 2: (0..0, 0..0)"]),
            ("y[i * 128 + j] = x[i * 128 + j + 127];", ["128: (1..1, -1..-1)", "128: (0..0, 0..0)"]),
            ("if i > 0 { y[i * m + j] = x[(i - 1) * m + j]; }", ["m: (-1..-1, 0..0)?", "m: (0..0, 0..0)?"]),
            ("y[i * m + j] = x[i.saturating_sub(1) * m + j];", ["m: (-1..0, 0..0)?", "m: (0..0, 0..0)"]),
            (
                "let mut s = 0.0; for k in 0..3 { for l in j - 1..j + 2 { s += x[(i + k - 1) * m + l]; } } y[i * m + j] = s;",
                ["m: (-1..1, -1..1)?", "m: (0..0, 0..0)"],
            ),
            (
                "let mut s = 0.0; for k in 0..3 { for l in 0..3 { s += x[(i + k - 1) * m + j + l - 1]; } } y[i * m + j] = s;",
                ["m: (-1..1, -1..1)", "m: (0..0, 0..0)"],
            ),
            (
                "let mut s = 0.0; for k in i.saturating_sub(1)..i + 1 { s += x[k * m + j]; } y[i * m + j] = s;",
                ["m: (-1..0, 0..0)?", "m: (0..0, 0..0)"],
            ),
            (
                "let mut s = 0.0; for k in 0..2 * m + 1 { s += x[i * n + j + k - m]; } y[i * m + j] = s;",
                ["n: (0..0, -m..m)", "m: (0..0, 0..0)"],
            ),
            (
                "let up = if i > 0 { i - 1 } else { i }; y[i * m + j] = x[up * m + j];",
                ["m: (-1..-1, 0..0)? (0..0, 0..0)?", "m: (0..0, 0..0)"],
            ),
            ("y[i * m + j] = x[i] + x[i + 1];", ["plain", "m: (0..0, 0..0)"]),
            ("y[i * m + j] = x[i * m + (j + 1) % m];", ["plain", "m: (0..0, 0..0)"]),
            ("y[i * m + j] = x[j];", ["plain", "m: (0..0, 0..0)"]),
            ("y[i * m + j] = x[j * m + i] + x[0];", ["plain", "m: (0..0, 0..0)"]),
        ] {
            let text = format!("fn f(i: usize, j: usize, m: usize, n: usize, x: &[f32], y: &mut [f32]) {{ {body} }}");
            assert_eq!(found(&text).unwrap(), expected, "{body}");
        }
    }

    #[test]
    fn what_is_no_cell_at_a_distance_is_refused() {
        for (body, says) in [
            ("y[i * m + j] = x[i * m + 2 * j];", "of `x[i*m + 2*j]` the column, 2*j, does not follow `j`"),
            ("y[i * m + j] = x[i * m + j] + x[i * m];", "of `x[i*m]` the column, 0, does not"),
            ("y[i * m + 2 * j] = x[i];", "does not follow `j`"),
            ("y[i * m + j + 1] = x[i];", "another cell is written"),
            ("let mut s = 0.0; for k in 0..j { s += x[i * m + k]; } y[i * m + j] = s;", "the column"),
            ("y[i * 8 + j] = x[i * 8 + j + 4];", "whether it is -4 columns away or in another row, as rows have 8"),
            ("y[i * 4 + j] = x[i * 4 + j + 2];", "give their length by an argument, `i * m + j + ..`"),
            // The column at the other end of the row.
            (
                "let right = if j + 1 < m { j + 1 } else { j + 1 - m }; y[i * m + j] = x[i * m + right];",
                "row and column cannot be told apart",
            ),
            (
                "let left = if j > 0 { j - 1 } else { j + m - 1 }; y[i * m + j] = x[i * m + left];",
                "row and column cannot be told apart",
            ),
            // The same quotient of locals in two blocks.
            (
                "let mut s = 0.0; if i > 0 { let h = m + 1; s += x[i * m + j + h / 2]; } \
                 if i > 2 { let g = m + 1; s += x[i * m + j + g / 2]; } y[i * m + j] = s;",
                "row and column cannot be told apart",
            ),
        ] {
            let text = format!("fn f(i: usize, j: usize, m: usize, x: &[f32], y: &mut [f32]) {{ {body} }}");
            let why = found(&text).unwrap_err();
            assert!(why.contains(says), "{body}: {why}");
        }
        let why = found(
            "#[map(y: unsafe rows(m))] fn f(i: usize, j: usize, m: usize, at: &[u32], y: &mut [f32]) { y[i * m + at[j] as usize] = 1.0; }",
        );
        assert!(why.unwrap_err().contains("which columns"));
    }
}
