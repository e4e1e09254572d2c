//! Direction, distribution and halo of every array, and the proof that iterations do not conflict.

use crate::access::{Access, Accesses, Reach, known_with_arguments, reach, second_range, unsigned};
use crate::cost::helper_of;
use crate::ir::{ArrayId, Function, Ty, VarId};
use crate::parse::MapWord;
use crate::poly::{LAST, Limits, Poly};
use crate::rows;
use crate::stated;
use syn::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    To,
    From,
    ToFrom,
}

impl Direction {
    pub fn name(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::From => "from",
            Self::ToFrom => "tofrom",
        }
    }
}

/// How the rows of an array are divided.
#[derive(Clone, Debug)]
pub enum Distribution {
    Full,
    /// Iteration `i` has rows `ratio*i .. ratio*(i + 1)` of `row` elements.
    Rows {
        row: Poly,
        ratio: i128,
    },
    /// As the user states.
    Word(Box<MapWord>),
}

/// The derived map of an array.
#[derive(Clone, Debug)]
pub struct ArrayMap {
    pub direction: Direction,
    pub distribution: Distribution,
    /// For accesses with known elements: whether each iteration performs it, and its elements.
    pub reaches: Vec<(bool, Reach)>,
    /// Rows before and after, if known without the arguments.
    pub halo: Option<(i128, i128)>,
    /// Whether an iteration that reaches anything of it reads before it writes.
    pub reads_first: bool,
    /// Whether it is proved that iterations stay in their own rows. If not, it is checked once the arguments are known.
    pub proved: bool,
    pub why: String,
}

/// The name of a symbol for messages.
pub fn name_of(f: &Function, var: VarId) -> String {
    let (lo, hi) = second_range(f);
    match f.vars.get(var) {
        Some(info) => info.ident.to_string(),
        None if var == LAST => "last".into(),
        None if helper_of(f, var).is_some() => {
            let name = helper_of(f, var).and_then(|path| path.segments.last()).map(|s| s.ident.to_string());
            format!("{}()", name.unwrap_or_default())
        }
        None if f.quotients.contains_key(&var) => {
            let (of, by) = &f.quotients[&var];
            format!("({})/{by}", show(f, of))
        }
        None if f.leasts.contains_key(&var) => {
            let list: Vec<String> = f.leasts[&var].iter().map(|poly| poly.show_over(&|v| name_of(f, v), 2)).collect();
            format!("min({})", list.join(", "))
        }
        None if var == lo && f.indices.len() == 2 => format!("{}.start", f.vars[f.indices[1]].ident),
        None if var == hi && f.indices.len() == 2 => format!("{}.end", f.vars[f.indices[1]].ident),
        None => "..".into(),
    }
}

pub fn show(f: &Function, poly: &Poly) -> String {
    poly.show(&|v| name_of(f, v))
}

/// The maps of all arrays, in their order.
pub fn derive(accesses: &Accesses<'_>, words: &[MapWord]) -> Result<Vec<ArrayMap>> {
    let f = accesses.f;
    let mut errors: Option<Error> = None;
    let mut fail = |error: Error| match &mut errors {
        Some(errors) => errors.combine(error),
        None => errors = Some(error),
    };
    for (place, word) in words.iter().enumerate() {
        if !f.arrays.iter().any(|array| array.ident == word.array) {
            fail(Error::new(word.array.span(), format!("`{}` is no array of this kernel", word.array)));
        }
        if words[..place].iter().any(|other| other.array == word.array) {
            fail(Error::new(word.array.span(), format!("`{}` has two maps: say all of it in one", word.array)));
        }
        if let Some(error) = wrong_table(accesses, word) {
            fail(error);
        }
    }
    let mut maps = Vec::new();
    for array in 0..f.arrays.len() {
        match of_array(accesses, array, words) {
            Ok(map) => maps.push(map),
            Err(error) => fail(error),
        }
    }
    match errors {
        Some(errors) => Err(errors),
        None => Ok(maps),
    }
}

/// What is wrong with the array whose numbers say where another's rows begin.
fn wrong_table(accesses: &Accesses<'_>, word: &MapWord) -> Option<Error> {
    let (f, at) = (accesses.f, word.rows_at.as_ref()?);
    let wrong = |text: String| Some(Error::new(at.span(), text));
    if f.indices.len() > 1 {
        return wrong(
            "`rows_at(..)` is of loops over one index: it says which elements an iteration has, but not of which columns".to_owned(),
        );
    }
    let Some(array) = f.arrays.iter().position(|array| array.ident == *at) else {
        return wrong(format!(
            "`{at}` is no array of this kernel: `rows_at(..)` takes one of its parameters, of whole numbers"
        ));
    };
    let info = &f.arrays[array];
    if !matches!(info.ty, Ty::U32 | Ty::I32 | Ty::U64 | Ty::I64 | Ty::Usize) || info.components.is_some() {
        return wrong(format!(
            "`{at}` has elements of type {}, and elements begin at whole numbers: make it `&[u32]`, `&[i32]`, `&[u64]`, `&[i64]` or `&[usize]`",
            info.element()
        ));
    }
    if info.mutable {
        return wrong(format!(
            "`{at}` is written, but where elements begin is known before the loop: pass another array"
        ));
    }
    None
}

fn of_array(accesses: &Accesses<'_>, array: ArrayId, words: &[MapWord]) -> Result<ArrayMap> {
    let f = accesses.f;
    let word = words.iter().find(|word| word.array == f.arrays[array].ident);
    let info = &f.arrays[array];
    let list: Vec<&Access> = accesses.list.iter().filter(|access| access.array == array).collect();
    let written = list.iter().any(|access| access.write);
    let name = &info.ident;
    if let Some((word, operator)) = word.and_then(|word| Some((word, word.reduce.as_ref()?))) {
        let contributions: Vec<_> = accesses.contributions.iter().filter(|access| access.array == array).collect();
        if contributions.is_empty() {
            return Err(Error::new(name.span(), format!("no iteration contributes to `{name}`: remove the parameter")));
        }
        return Ok(ArrayMap {
            direction: Direction::ToFrom,
            distribution: Distribution::Word(Box::new(word.clone())),
            // Only those that can be analysed.
            reaches: followed(f, &contributions),
            halo: None,
            reads_first: false,
            proved: true,
            why: format!("iterations contribute to it by {operator}"),
        });
    }
    if list.is_empty() {
        let text = match words.iter().any(|word| word.rows_at.as_ref() == Some(name)) {
            true => format!(
                "`{name}` is named by `rows_at({name})` alone: read it in the kernel too, as `{name}[i]` and `{name}[i + 1]`"
            ),
            false => format!("`{name}` is never used: remove the parameter"),
        };
        return Err(Error::new(name.span(), text));
    }
    if info.mutable && !written {
        return Err(Error::new(name.span(), format!("`{name}` is never written: make it `&[{}]`", info.element())));
    }
    if let Some(word) = word
        && word.full
        && written
    {
        return Err(Error::new(
            word.array.span(),
            format!(
                "`{name}` is written: if every device had all of it, the last one to copy it back would win. Give each \
                 iteration rows of its own, return a value and use `.reduce(..)`, or have all add to it by \
                 `#[map({name}: reduce(Sum))]`"
            ),
        ));
    }
    let stated = word.and_then(|word| word.direction.as_ref());
    if let Some(direction) = stated.filter(|direction| (*direction == "to") == written) {
        let text = if written { "is written: it is `from` or `tofrom`" } else { "is never written: it is `to`" };
        return Err(Error::new(direction.span(), format!("`{name}` {text}")));
    }
    if let Some(word) = word.filter(|word| word.has_rows()) {
        match word.promised {
            None if written => {
                let text = format!(
                    "`{name}` is written, and nobody checks whether iterations keep to the rows that this map gives them: on \
                     devices others would be overwritten, or memory of another array. `#[map({name}: unsafe rows(..))]` is your \
                     word that they do; without a map it is proved, where indices can be followed"
                );
                let text = match &word.rows_at {
                    Some(at) => text.replace("rows(..)", &format!("rows_at({at})")),
                    None => text,
                };
                return Err(Error::new(word.array.span(), text));
            }
            Some(promised) if !written => {
                let text = format!("`{name}` is only read: there is nothing to promise, leave out `unsafe`");
                return Err(Error::new(promised, text));
            }
            _ => {}
        }
    }
    let index = f.index().expect("a kernel has an index");
    if let Some(word) = word.filter(|word| word.distributes()) {
        if !written && let Some(error) = stated::contradicted(accesses, word, &list) {
            return Err(error);
        }
        let direction = match stated {
            Some(direction) if direction == "from" => Direction::From,
            _ if written => Direction::ToFrom,
            _ => Direction::To,
        };
        return Ok(ArrayMap {
            direction,
            distribution: Distribution::Word(Box::new(word.clone())),
            reaches: if word.full { followed(f, &list) } else { Vec::new() },
            halo: None,
            reads_first: false,
            proved: false,
            why: if written { "as promised: it is not checked that iterations stay in their own" } else { "as stated" }
                .into(),
        });
    }
    let mut reaches = Vec::new();
    for access in &list {
        match reach(f, access, index) {
            Ok(reach) => reaches.push((*access, reach)),
            Err(why) => return Err(unknown(accesses, access, &why)),
        }
    }
    let mut map = if written { written_map(accesses, name, &reaches)? } else { read_map(accesses, &reaches) };
    if let Some(direction) = stated {
        map.direction = match direction.to_string().as_str() {
            "to" => Direction::To,
            "from" => Direction::From,
            _ => Direction::ToFrom,
        };
    }
    Ok(map)
}

/// The elements of those accesses that can be analysed.
fn followed(f: &Function, list: &[&Access]) -> Vec<(bool, Reach)> {
    let of = |access: &&Access| {
        let reach = reach(f, access, f.index()?).ok()?;
        Some((!access.guarded && reach.exact, reach))
    };
    list.iter().filter_map(of).collect()
}

fn unknown(accesses: &Accesses<'_>, access: &Access, why: &str) -> Error {
    let name = &accesses.f.arrays[access.array].ident;
    let of_array = || accesses.list.iter().filter(|other| other.array == access.array);
    let writes = of_array().any(|other| other.write);
    // `h[v[i] as usize] += 1`, however it is written.
    let anywhere = |write: bool| of_array().any(|other| other.write == write && other.index.is_err());
    let updates = anywhere(false) && anywhere(true);
    let text = match (writes, access.write || updates) {
        (false, _) => format!(
            "cannot tell which elements of `{name}` an iteration reads: {why}. `#[map({name}: full)]` gives all of it to \
             every device. Less is copied by `#[map({name}: rows(n) halo(h))]`, where they are in rows of n elements, at most h \
             rows from row i, and by `#[map({name}: rows_at(starts))]`, where they lie between two numbers of an array, as in a \
             sparse matrix"
        ),
        (true, false) => format!(
            "cannot tell which elements of `{name}` an iteration reads, while others write it: {why}. Read from an array that \
             the loop does not write, or say which rows belong to an iteration, and promise that it keeps to them: \
             `#[map({name}: unsafe rows(n))]`"
        ),
        (true, true) => {
            let histogram = if updates {
                format!(". Where they add to any element, as of a histogram, say `#[map({name}: reduce(Sum))]`")
            } else {
                String::new()
            };
            format!(
                "cannot prove that iterations write different elements of `{name}`: {why}. Index it by the loop index, or \
                 say which rows an iteration writes, and promise that it writes no others: \
                 `#[map({name}: unsafe rows(n))]`{histogram}"
            )
        }
    };
    Error::new(access.span, text)
}

/// The widest halo, and the greatest distance, that is looked for in the text alone.
pub const WIDEST: i128 = 64;

/// The element of a component, if the same one whatever the symbols are.
pub fn whole_elements(each: usize, poly: &Poly) -> Option<Poly> {
    let each = each as i128;
    let number = poly.terms().find(|(product, _)| product.is_empty()).map_or(0, |(_, number)| number);
    let whole = poly - &Poly::constant(number.rem_euclid(each));
    whole.terms().all(|(_, factor)| factor % each == 0).then(|| whole.divided(each))
}

/// What is said of components, of which each element has so many, as of elements: a component is named by its element.
pub fn in_elements(each: usize, poly: &Poly) -> Poly {
    whole_elements(each, poly).unwrap_or_else(|| poly.clone())
}

/// Row length and rows per iteration for a stride; a row is of whole elements, of so many components each.
pub fn rows_of(stride: &Poly, each: usize) -> Distribution {
    if each > 1 && stride.terms().all(|(_, factor)| factor % each as i128 == 0) {
        return match rows_of(&in_elements(each, stride), 1) {
            Distribution::Rows { row, ratio } => {
                Distribution::Rows { row: &row * &Poly::constant(each as i128), ratio }
            }
            other => other,
        };
    }
    let terms: Vec<_> = stride.terms().collect();
    match terms[..] {
        [(product, factor)] if factor > 1 => {
            let row = product.iter().fold(Poly::constant(1), |row, &v| &row * &Poly::var(v));
            Distribution::Rows { row, ratio: factor }
        }
        _ => Distribution::Rows { row: stride.clone(), ratio: 1 },
    }
}

fn read_map(accesses: &Accesses<'_>, reaches: &[(&Access, Reach)]) -> ArrayMap {
    let f = accesses.f;
    let stride = &reaches[0].1.stride;
    let same = reaches.iter().all(|(_, reach)| reach.stride == *stride);
    let kept: Vec<_> = reaches.iter().map(|(access, reach)| (!access.guarded && reach.exact, reach.clone())).collect();
    let full = |why: &str| ArrayMap {
        direction: Direction::To,
        distribution: Distribution::Full,
        reaches: kept.clone(),
        halo: None,
        reads_first: true,
        proved: true,
        why: why.into(),
    };
    if same && stride.is_zero() {
        let of_loop = |access: &Access, v| access.loops.iter().any(|(var, _)| *var == v) || f.indices.contains(&v);
        let limited = reaches.iter().any(|(access, _)| {
            let symbols = access.index.iter().flat_map(Poly::symbols);
            symbols.into_iter().any(|v| !known_with_arguments(f, v) && !of_loop(access, v))
        });
        return full(if limited {
            "only the limits of an index are known, as of `a % b` or `a.min(b)`; where it is near row i, `rows(n) halo(h)` copies less"
        } else {
            "the loop index does not occur in its indices"
        });
    }
    let backwards = (-stride).is_never_negative(&|v| unsigned(f, v));
    if !same || backwards {
        let why = if same { "it is read backwards" } else { "its elements do not follow the loop by one stride" };
        return full(why);
    }
    let each = f.arrays[reaches[0].0.array].each();
    let distribution = rows_of(stride, each);
    let halo = halo(accesses, &distribution, reaches);
    let why = match &distribution {
        Distribution::Rows { row, ratio } => rows_text(f, &in_elements(each, row), *ratio, 0),
        _ => String::new(),
    };
    ArrayMap { direction: Direction::To, distribution, reaches: kept, halo, reads_first: true, proved: true, why }
}

/// Which rows of so many elements follow iteration i, of those that begin `later` rows after its own.
fn rows_text(f: &Function, row: &Poly, ratio: i128, later: i128) -> String {
    let plus = |more: i128| if more == 0 { String::new() } else { format!(" + {more}") };
    match (row.as_constant(), ratio) {
        (Some(1), 1) => format!("element i{} follows iteration i", plus(later)),
        (Some(1), k) => format!("{k} elements follow each iteration{}", from_later("element", later)),
        (_, 1) => format!("row i{} of {} elements follows iteration i", plus(later), show(f, row)),
        (_, k) => format!("{k} rows of {} elements follow each iteration{}", show(f, row), from_later("row", later)),
    }
}

fn from_later(what: &str, later: i128) -> String {
    if later == 0 { String::new() } else { format!(", from {what} {later} on") }
}

/// Rows before and after an iteration's own rows, if they are the same for all arguments.
pub fn halo(
    accesses: &Accesses<'_>,
    distribution: &Distribution,
    reaches: &[(&Access, Reach)],
) -> Option<(i128, i128)> {
    let Distribution::Rows { row, ratio } = distribution else { return None };
    let never_negative = |poly: &Poly| accesses.never_negative(poly);
    let (mut left, mut right) = (0, 0);
    for (_, reach) in reaches {
        let before =
            (0..=WIDEST).find(|h| reach.lows.iter().any(|low| never_negative(&(low + &(row * &Poly::constant(*h))))));
        let after = (0..=WIDEST).find(|h| {
            let end = row * &Poly::constant(ratio + h);
            reach.highs.iter().any(|high| never_negative(&(&(&end - &Poly::constant(1)) - high)))
        });
        left = left.max(before?);
        right = right.max(after?);
    }
    Some((left, right))
}

fn written_map(accesses: &Accesses<'_>, name: &syn::Ident, reaches: &[(&Access, Reach)]) -> Result<ArrayMap> {
    let f = accesses.f;
    let (first, of_write) = reaches.iter().find(|(access, _)| access.write).expect("it is written");
    let stride = &of_write.stride;
    let refuse = |access: &Access, text: String| Err(Error::new(access.span, text));
    let (index, each) = (&f.vars[f.indices[0]].ident, f.arrays[first.array].each());
    if stride.is_zero() && accesses.varies(first, f.indices[0]) {
        return refuse(
            first,
            format!(
                "several iterations may write the same element of `{name}`, as this index need not be another one for each \
                 `{index}`: iterations would meet. Index it by `{index}` itself, return a value and use `.reduce(..)`, or have \
                 all add to its elements by `#[map({name}: reduce(Sum))]`"
            ),
        );
    }
    if stride.is_zero() {
        return refuse(
            first,
            format!(
                "every iteration writes these elements of `{name}`, as `{index}` does not occur in the index: iterations \
                 would meet. Make `{index}` part of the index, return a value and use `.reduce(..)`, or have all add to them \
                 by `#[map({name}: reduce(Sum))]`"
            ),
        );
    }
    let unsure = is_doubtful(f, stride);
    if unsure && f.indices.len() > 1 {
        let text = format!(
            "cannot prove that iterations write different elements of `{name}`: `{}`, the length of its rows, might be below 0. \
             Pass its value as a parameter of its own, of type usize",
            show(f, &in_elements(each, stride))
        );
        return refuse(first, text);
    }
    // The arguments say its sign: rows of fewer than 1 element are refused once they are bound.
    if !unsure && !stride.is_never_negative(&|v| unsigned(f, v)) {
        let text = if (-stride).is_never_negative(&|v| unsigned(f, v)) {
            format!(
                "cannot divide `{name}` over iterations: its rows of {} elements follow `{index}` backwards. Have each \
                 iteration write what is its own, and read backwards: `{name}[{index}] = x[n - 1 - {index}]`, not \
                 `{name}[n - 1 - {index}] = x[{index}]`",
                show(f, &in_elements(each, &-stride))
            )
        } else {
            format!(
                "cannot prove that iterations write different elements of `{name}`: the length of its rows, `{}`, contains a \
                 signed number, which might be below 0. Count with usize, or say `#[map({name}: unsafe rows(n))]`",
                show(f, &in_elements(each, stride))
            )
        };
        return refuse(first, text);
    }
    for (access, reach) in reaches {
        if reach.stride != *stride {
            return refuse(access, other_rows(accesses, name, stride, access, reach));
        }
        if let Some(text) = not_its_own(accesses, name, stride, reaches, (access, reach)) {
            return refuse(access, text);
        }
    }
    if let Some(&second) = f.indices.get(1)
        && !rows::apart(accesses, first.array, second)
    {
        let second = &f.vars[second].ident;
        let text = format!(
            "cannot prove that `{name}` has elements of their own for all values of `{second}`, which run beside one another: \
             make `{second}` part of the index, or a `for` loop in the kernel"
        );
        return refuse(first, text);
    }
    let reads = reaches.iter().any(|(access, _)| !access.write);
    // Accesses are in the order of the text, the value of an assignment before its place.
    let reads_first = reaches.first().is_some_and(|(access, _)| !access.write && !access.guarded);
    let whole = reaches.iter().any(|(access, _)| {
        let covers = |run| covers(f, access, stride, run);
        access.write && !access.guarded && (covers(1) || covers(run_from(access, reaches)))
    });
    let direction = if whole && !reads { Direction::From } else { Direction::ToFrom };
    let distribution = rows_of(stride, each);
    let (later, why) = match &distribution {
        Distribution::Rows { row, ratio } => {
            let later = rows_later(accesses, row, stride, reaches);
            (later, rows_text(f, &in_elements(each, row), *ratio, later.unwrap_or(0)))
        }
        _ => (None, String::new()),
    };
    let kept = reaches.iter().map(|(access, reach)| (!access.guarded && reach.exact, reach.clone())).collect();
    let (halo, proved) = (Some((0, 0)), later.is_some());
    Ok(ArrayMap { direction, distribution, reaches: kept, halo, reads_first, proved, why })
}

/// Whether a stride is of unsigned arguments, such as `w - k + 1`, and has either sign.
fn is_doubtful(f: &Function, stride: &Poly) -> bool {
    let at_least_0 = |v: VarId| unsigned(f, v);
    let arguments = stride.symbols().into_iter().all(|v| f.is_argument(v) && at_least_0(v));
    arguments && !stride.is_never_negative(&at_least_0) && !(-stride).is_never_negative(&at_least_0)
}

/// Rows after the iteration's own at which all that it reaches begins, where that is proved.
fn rows_later(accesses: &Accesses<'_>, row: &Poly, stride: &Poly, reaches: &[(&Access, Reach)]) -> Option<i128> {
    (0..=WIDEST).find(|&later| {
        let first = row * &Poly::constant(later);
        let last = &(&first + stride) - &Poly::constant(1);
        reaches.iter().all(|(_, reach)| {
            reach.lows.iter().any(|low| accesses.never_negative(&(low - &first)))
                && reach.highs.iter().any(|high| accesses.never_negative(&(&last - high)))
        })
    })
}

/// Whether of two strides one is that of the diagonal in rows of the other.
fn is_diagonal(one: &Poly, other: &Poly) -> bool {
    let rows = [one, other].iter().all(|stride| stride.as_constant().is_none());
    rows && matches!((one - other).as_constant(), Some(1 | -1))
}

/// Why an access may not reach elements that are rows of another length.
fn other_rows(accesses: &Accesses<'_>, name: &syn::Ident, stride: &Poly, access: &Access, reach: &Reach) -> String {
    let f = accesses.f;
    let (index, each) = (&f.vars[f.indices[0]].ident, f.arrays[access.array].each());
    format!(
        "`{name}` is written in rows of {} elements, but here an iteration {} {}: it could meet what another iteration writes. \
         Use a second array for results{}",
        show(f, &in_elements(each, stride)),
        if access.write { "writes" } else { "reads" },
        if reach.stride.is_zero() && accesses.varies(access, f.indices[0]) {
            "elements that others may have too".into()
        } else if reach.stride.is_zero() {
            "the same elements as all others".into()
        } else {
            format!("in rows of {}", show(f, &in_elements(each, &reach.stride)))
        },
        if access.write && !reach.stride.is_zero() {
            let diagonal = if is_diagonal(stride, &reach.stride) {
                format!(". The diagonal is also element `j` of each row in a loop over all `j`, where `j == {index}`")
            } else {
                String::new()
            };
            format!(
                ", or, if all that an iteration reads and writes of it are n elements of its own, promise that by \
                 `#[map({name}: unsafe rows(n))]`{diagonal}"
            )
        } else {
            String::new()
        }
    )
}

/// Why an access is to elements of another iteration, whatever the arguments: they are before the iteration's own, or `stride` or
/// more after others that it reaches.
fn not_its_own(
    accesses: &Accesses<'_>,
    name: &syn::Ident,
    stride: &Poly,
    reaches: &[(&Access, Reach)],
    (access, reach): (&Access, &Reach),
) -> Option<String> {
    let f = accesses.f;
    let before = reach.highs.iter().any(|high| high.is_always_negative(&|v| unsigned(f, v)));
    let apart = |low: &Poly, high: &Poly| accesses.never_negative(&(&(low - high) - stride));
    let after =
        |(_, other): &(&Access, Reach)| reach.lows.iter().any(|low| other.highs.iter().any(|high| apart(low, high)));
    if !before && !reaches.iter().any(after) {
        return None;
    }
    let (index, each) = (&f.vars[f.indices[0]].ident, f.arrays[access.array].each());
    let first = &Poly::var(f.indices[0]) * stride;
    let show = |poly: &Poly| show(f, &in_elements(each, poly));
    let reached = reach.lows.first().map_or(String::new(), |low| show(&(&first + low)));
    let owned = if stride == &Poly::constant(each as i128) {
        format!("element {}", show(&first))
    } else {
        format!("{} elements from {} on", show(stride), show(&first))
    };
    let (what, why) = match (access.write, before) {
        (true, true) => (
            "writes",
            "belongs to another iteration. Write to the own ones alone; if each writes an earlier one, count the loop from \
             there",
        ),
        (true, false) => (
            "writes",
            "belongs to another iteration. Write to the own ones alone: all of them may lie rows later, but not some",
        ),
        (false, _) => ("reads", "another iteration writes. Read from an array that the loop does not write"),
    };
    Some(format!("iteration `{index}` owns {owned} of `{name}`, but {what} element {reached}, which {why}"))
}

/// How many elements side by side writes reach in the same turns of the same loops, from that of `access` on.
fn run_from(access: &Access, reaches: &[(&Access, Reach)]) -> i128 {
    let Ok(first) = &access.index else { return 1 };
    let loops = |access: &Access| access.loops.iter().map(|(var, _)| *var).collect::<Vec<_>>();
    let same: Vec<&Poly> = reaches
        .iter()
        .filter(|(other, _)| other.write && !other.guarded && loops(other) == loops(access))
        .filter_map(|(other, _)| other.index.as_ref().ok())
        .collect();
    let reached = |at: i128| same.contains(&&(first + &Poly::constant(at)));
    (1..).find(|at| !reached(*at)).unwrap_or(1)
}

/// Whether the loops around a write of `run` elements side by side cover all elements of the row: one variable with factor `run` over
/// `0..n`, one with factor `run * n`, and so on. What does not change with the loops may be added to it: if the elements are a row at all, they are a whole one.
fn covers(f: &Function, access: &Access, stride: &Poly, run: i128) -> bool {
    let (Ok(poly), index) = (&access.index, f.indices[0]) else { return false };
    let Some((_, mut rest)) = poly.split(index) else { return false };
    let mut size = Poly::constant(run);
    let mut left: Vec<VarId> = access.loops.iter().map(|(var, _)| *var).collect();
    let fixed = left.iter().try_fold(rest.clone(), |rest, &var| Some(rest.split(var)?.1));
    // A value such as `j.min(m)` has a symbol of its own, and may change with the loops all the same.
    let Some(fixed) = fixed.filter(|fixed| fixed.symbols().into_iter().all(|v| known_with_arguments(f, v))) else {
        return false;
    };
    rest = &rest - &fixed;
    while !rest.is_zero() {
        let next = left.iter().position(|&var| {
            let whole = rest.split(var).is_some_and(|(factor, _)| factor == size);
            // Its length is known: it always starts at 0, and ends at its only limit.
            let from_0 = |limits: &Limits| limits.turns.is_some() && limits.lows.iter().all(|low| low.is_zero());
            whole && access.limits.get(&var).is_some_and(|limits| from_0(limits) && limits.highs.len() == 1)
        });
        let Some(place) = next else { return false };
        let var = left.remove(place);
        let length = &access.limits[&var].highs[0] + &Poly::constant(1);
        if length.has(index) {
            return false;
        }
        let Some((_, without)) = rest.split(var) else { return false };
        rest = without;
        size = &size * &length;
    }
    // The other loops around it must have at least one turn, by each of their ends.
    let turns = |var: &VarId| access.limits.get(var).and_then(|limits| limits.turns.as_ref());
    let surely = |length: &Poly| length.as_constant().is_some_and(|length| length > 0);
    size == *stride && left.iter().all(|var| turns(var).is_some_and(|turns| turns.iter().all(surely)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maps(text: &str) -> Result<Vec<String>> {
        let mut item: syn::ItemFn = syn::parse_str(text)?;
        let words = crate::parse::map_words(&mut item.attrs)?;
        let function = crate::parse::signature(&syn::parse_str("")?, &item)?;
        let mut function = crate::lower::lower(function, &item.block)?;
        function.quotients = crate::access::quotients(&crate::access::collect(&function));
        let accesses = crate::access::collect(&function);
        let maps = derive(&accesses, &words)?;
        Ok(maps
            .iter()
            .map(|map| format!("{} {} {:?} {}", map.direction.name(), map.why, map.halo, map.proved))
            .collect())
    }

    #[test]
    fn rows_halos_and_directions_are_found() {
        for (text, expected) in [
            (
                "fn f(i: usize, a: f32, x: &[f32], y: &mut [f32]) { y[i] += a * x[i]; }",
                vec![
                    "to element i follows iteration i Some((0, 0)) true",
                    "tofrom element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, n: usize, x: &[f32], y: &mut [f32]) { y[i] = x[(i + 1) % n]; }",
                vec![
                    "to only the limits of an index are known, as of `a % b` or `a.min(b)`; where it is near row i, `rows(n) halo(h)` copies less None true",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) { let mut s = 0.0; for j in 0..n { s += a[i * n + j] * x[j]; } y[i] = s; }",
                vec![
                    "to row i of n elements follows iteration i Some((0, 0)) true",
                    "to the loop index does not occur in its indices None true",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, m: usize, old: &[f32], u: &mut [f32]) { for j in 1..m - 1 { u[i * m + j] = old[(i - 1) * m + j] + old[(i + 1) * m + j]; } }",
                vec![
                    "to row i of m elements follows iteration i Some((1, 1)) true",
                    "tofrom row i of m elements follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, m: usize, u: &mut [f32]) { for j in 0..m { u[(i + 2) * m + j] = 1.0; } }",
                vec!["from row i + 2 of m elements follows iteration i Some((0, 0)) true"],
            ),
            (
                "fn f(i: usize, lo: usize, y: &mut [f32]) { y[i + lo] += 1.0; }",
                vec!["tofrom element i follows iteration i Some((0, 0)) false"],
            ),
            (
                "fn f(i: usize, m: usize, n: usize, u: &mut [f32]) { for j in 0..n { u[i * m + j] = 1.0; } }",
                vec!["tofrom row i of m elements follows iteration i Some((0, 0)) false"],
            ),
            (
                "fn f(i: usize, w: usize, k: usize, u: &mut [f32]) { for j in 0..w - k + 1 { u[i * (w - k + 1) + j] = 1.0; } }",
                vec!["from row i of w + 1 - k elements follows iteration i Some((0, 0)) true"],
            ),
            (
                "fn f(i: usize, n: usize, u: &mut [f32]) { for r in 0..16 { for j in 0..n { u[(16 * i + r) * n + j] = 1.0; } } }",
                vec!["from 16 rows of n elements follow each iteration Some((0, 0)) true"],
            ),
            (
                "fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i] = x[i.saturating_sub(2)] + x[i + 3]; }",
                vec![
                    "to element i follows iteration i Some((2, 3)) true",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                // Of two limits, uses the one that follows the loop, though the other holds for the whole array.
                "fn f(i: usize, n: usize, x: &[f32], y: &mut [f32]) { let mut s = 0.0; for k in i.saturating_sub(3)..(i + 4).min(n) { s += x[k]; } y[i] = s; }",
                vec![
                    "to element i follows iteration i Some((3, 3)) true",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, x: &[f32], y: &mut [f32]) { if i > 3 { y[i] = x[2 * i]; } }",
                vec![
                    "to 2 elements follow each iteration Some((0, 0)) true",
                    "tofrom element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "#[map(x: full)] fn f(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }",
                vec![
                    "to element i follows iteration i Some((0, 0)) true",
                    "to as stated None false",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
            (
                "fn f(i: usize, n: usize, l: &[f32], y: &mut [f32]) { let mut s = 0.0; for j in 0..i + 1 { s += l[i * n + j]; } y[i] = s; }",
                vec![
                    "to row i of n elements follows iteration i None true",
                    "from element i follows iteration i Some((0, 0)) true",
                ],
            ),
        ] {
            assert_eq!(maps(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_may_stay_unwritten_is_copied_in() {
        let direction = |body: &str| {
            let text = format!(
                "fn f(i: usize, n: usize, m: usize, c: &[u32], y: &mut [f32]) {{ let own = c[i] as usize; {body} }}"
            );
            maps(&text).unwrap_or_else(|error| panic!("{body}: {error}"))[1].split(' ').next().unwrap_or("").to_owned()
        };
        for body in [
            // Ends that depend on data, or of which one of several does.
            "for j in 0..(c[i] as usize).min(n) { y[i * n + j] = 1.0; }",
            "for j in 0..n.min(own) { y[i * n + j] = 1.0; }",
            "for j in 0..=(n - 1).min(own) { y[i * n + j] = 1.0; }",
            "for j in c[i] as usize..n { y[i * n + j] = 1.0; }",
            "for j in own.max(0)..n { y[i * n + j] = 1.0; }",
            "for j in 0usize.max(own)..n { y[i * n + j] = 1.0; }",
            "for j in own.saturating_sub(3)..n { y[i * n + j] = 1.0; }",
            "for j in (own % 3).saturating_sub(1)..n { y[i * n + j] = 1.0; }",
            "let low = if own > 3 { 2 } else { 0 }; for j in low..n { y[i * n + j] = 1.0; }",
            "let mut low = 0; if own > 3 { low = 2; } for j in low..n { y[i * n + j] = 1.0; }",
            "for r in 0..own.min(4) { for j in 0..n { y[(4 * i + r) * n + j] = 1.0; } }",
            "for r in 0..4 { for j in 0..n.min(own) { y[(4 * i + r) * n + j] = 1.0; } }",
            "for j in 0..own.min(3) { y[3 * i + j] = 1.0; }",
            "for j in own..3 { y[3 * i + j] = 1.0; }",
            // A part that changes with the loop, though the loop's variable does not occur in it.
            "for j in 0..n { y[i * n + j + (n - 1 - j).min(m)] = own as f32; }",
            // Loops that may have no turns.
            "for _ in 0..(c[i] as usize).min(3) { y[i] = 1.0; }",
            "for _ in own..3 { y[i] = 1.0; }",
            "for _ in 0..3usize.min(m) { y[i] = own as f32; }",
            "for _ in 0..m.min(3) { y[i] = own as f32; }",
            "for _ in 0usize.max(m)..3 { y[i] = own as f32; }",
            "for _ in m.max(0)..3 { y[i] = own as f32; }",
            "for _ in 2usize.saturating_sub(m)..2 { y[i] = own as f32; }",
            "for _ in (0..own.min(3)).rev() { y[i] = 1.0; }",
            "for _ in (0..3usize.min(m)).step_by(2) { y[i] = own as f32; }",
            "for _ in 0..own.min(3) { for j in 0..n { y[i * n + j] = 1.0; } }",
            "for j in 0..n { for _ in m..3 { y[i * n + j] = own as f32; } }",
            // Turns that end early.
            "for j in 0..n { if j > own { break; } y[i * n + j] = 1.0; }",
            "for j in 0..n { y[i * n + j] = 1.0; if j > own { break; } }",
            "for j in 0..n { if j == own { continue; } y[i * n + j] = 1.0; }",
            "'a: for j in 0..n { for k in 0..3 { if k > own { break 'a; } } y[i * n + j] = 1.0; }",
            "'a: for j in 0..n { for k in 0..3 { if k > own { continue 'a; } } y[i * n + j] = 1.0; }",
            "for k in 0..3 { if k > own { return; } } for j in 0..n { y[i * n + j] = 1.0; }",
            "match own { 0 => { return; } _ => {} } for j in 0..n { y[i * n + j] = 1.0; }",
            "for j in 0..n { match own { 0 => y[i * n + j] = 1.0, _ => {} } }",
            "for j in 0..n { if j <= own { y[i * n + j] = 1.0; } }",
            "let mut k = own; while k > 3 { y[i] = 1.0; k -= 1; }",
            "for k in 0..n { for j in 0..k { y[i * n + j] = own as f32; } }",
        ] {
            assert_eq!(direction(body), "tofrom", "{body}");
        }
        for body in [
            "for j in 0..n { y[i * n + j] = own as f32; }",
            "for j in 0..=n - 1 { y[i * n + j] = own as f32; }",
            "for j in 0..n { y[(i + m) * n + j] = own as f32; }",
            "for _ in 0..3 { y[i] = own as f32; }",
            "for _ in 0..3usize.min(4) { y[i] = own as f32; }",
            "for j in 0..n { for k in 0..3 { if k > own { break; } } y[i * n + j] = 1.0; }",
            "for _ in 0..own.min(3) { if m > 3 { break; } } y[i] = 1.0;",
            "for r in 0..4 { for j in 0..n { y[(4 * i + r) * n + j] = own as f32; } }",
            "for _ in i..i + 3 { for j in 0..n { y[i * n + j] = own as f32; } }",
        ] {
            assert_eq!(direction(body), "from", "{body}");
        }
    }

    #[test]
    fn what_cannot_be_proved_is_refused() {
        for (text, says) in [
            ("fn f(i: usize, y: &mut [f32]) { y[0] = 1.0; }", "every iteration writes"),
            ("fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i / 2] = x[i]; }", "several iterations may write"),
            ("fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i % 8] += x[i]; }", "several iterations may write"),
            ("fn f(i: usize, n: usize, y: &mut [f32]) { y[(i * 7) % n] = 1.0; }", "several iterations may write"),
            ("fn f(i: usize, y: &mut [f32]) { let k = i.min(5) + 1; y[k] = 1.0; }", "several iterations may write"),
            ("fn f(i: usize, y: &mut [f32]) { for j in 0..i { y[j] = 1.0; } }", "several iterations may write"),
            ("fn f(i: usize, n: usize, y: &mut [f32]) { y[n / 2] = 1.0; }", "every iteration writes"),
            ("fn f(i: usize, n: usize, y: &mut [f32]) { for j in 0..n { y[j % 3] = 1.0; } }", "every iteration writes"),
            ("fn f(i: usize, y: &mut [f32]) { y[i] = y[i / 2]; }", "elements that others may have too"),
            ("fn f(i: usize, n: usize, d: i64, y: &mut [f32]) { y[i * (n + d as usize)] = 1.0; }", "signed number"),
            ("fn f(i: usize, n: usize, y: &mut [f32]) { y[2 * n - n * i] = 1.0; }", "backwards"),
            ("fn f(i: usize, y: &mut [f32]) { y[i] = 1.0; y[i + 1] = 1.0; }", "belongs to another iteration"),
            ("fn f(i: usize, y: &mut [f32]) { y[i - 1] = 1.0; }", "count the loop from there"),
            ("fn f(i: usize, y: &mut [f32]) { y[i + 1] = y[i]; }", "belongs to another iteration"),
            (
                "fn f(i: usize, k: usize, n: usize, y: &mut [f32]) { let m = k % 5; for j in 0..n { y[i * m + j] = 1.0; } }",
                "what the loop index is multiplied with",
            ),
            (
                "fn f(i: usize, k: usize, y: &mut [f32]) { let m = k.min(7); for j in 0..m { y[i * m + j] = 1.0; } }",
                "what the loop index is multiplied with",
            ),
            ("fn f(i: usize, y: &mut [f32]) { y[i] = y[i + 1]; }", "another iteration writes"),
            (
                "fn f(i: usize, n: usize, y: &mut [f32]) { y[i * n + i] = 1.0; for j in 0..i { y[i * n + j] = 0.0; } }",
                "unsafe rows(n)",
            ),
            ("fn f(i: usize, y: &mut [f32]) { y[i] = y[i - 1]; }", "another iteration writes"),
            ("fn f(i: usize, y: &mut [f32]) { y[i] = y[0]; }", "same elements as all others"),
            ("fn f(i: usize, at: &[u32], y: &mut [f32]) { y[at[i] as usize] = 1.0; }", "cannot prove"),
            ("fn f(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }", "map(x: full)"),
            ("fn f(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }", "rows(n) halo(h)"),
            (
                "fn f(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }",
                "map(x: rows_at(starts))",
            ),
            (
                "#[map(x: rows_at(at))] fn f(i: usize, at: &[f32], x: &mut [f32]) { for k in 0..at[i] as usize { x[k] = 0.0; } }",
                "`at` has elements of type f32",
            ),
            (
                "#[map(x: rows_at(by), at: full)] fn f(i: usize, by: &[u32], at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }",
                "`by` is named by `rows_at(by)` alone",
            ),
            (
                "#[map(x: rows_at(by))] fn f(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) { y[i] = x[at[i] as usize]; }",
                "`by` is no array of this kernel",
            ),
            (
                "#[map(x: rows_at(at))] fn f(i: usize, at: &[u32], x: &mut [f32]) { x[at[i] as usize] = 0.0; }",
                "unsafe rows_at(at)",
            ),
            (
                "#[map(x: rows_at(at))] fn f(i: usize, at: &mut [u32], x: &[f32]) { at[i] = x[i * i] as u32; }",
                "`at` is written",
            ),
            ("fn f(i: usize, at: &[u32], h: &mut [u32]) { h[at[i] as usize] += 1; }", "map(h: reduce(Sum))"),
            ("#[map(y: rows(2))] fn f(i: usize, y: &mut [f32]) { y[2 * i] = 0.0; }", "unsafe rows(..)"),
            ("#[map(x: unsafe rows(1))] fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i] = x[i]; }", "only read"),
            ("fn f(i: usize, at: &[u32], y: &mut [f32]) { y[i] = y[at[i] as usize]; }", "does not write"),
            (
                "fn f(i: usize, x: &[f32], y: &mut [f32]) { let mut k = 0; while k < 3 { y[i] += x[k]; k += 1; } }",
                "changes while",
            ),
            ("fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i * i] = x[i]; }", "higher power"),
            ("fn f(i: usize, x: &mut [f32], y: &mut [f32]) { y[i] = x[i]; }", "never written"),
            ("fn f(i: usize, x: &[f32], y: &mut [f32]) { y[i] = 0.0; }", "never used"),
            ("#[map(y: full)] fn f(i: usize, y: &mut [f32]) { y[i] = 0.0; }", "is written"),
            ("#[map(z: full)] fn f(i: usize, y: &mut [f32]) { y[i] = 0.0; }", "no array"),
        ] {
            let error = maps(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
    #[test]
    fn a_stated_map_that_has_less_than_iterations_reach_for_certain_is_refused() {
        let text = |map: &str, body: &str| {
            format!("#[map({map})] fn f(i: usize, m: usize, h: usize, w: i64, x: &[f32], y: &mut [f32]) {{ {body} }}")
        };
        for (map, body, says) in [
            (
                "x: align",
                "y[i] = x[i - 1];",
                "gives iteration `i` element i of `x`, but it reads element i - 1: `#[map(x: align halo(1, 0))]`",
            ),
            ("x: align", "y[i] = x[i - 1] + x[i + 2];", "`#[map(x: align halo(1, 2))]`"),
            (
                "x: align halo(1)",
                "y[i] = x[i - 2] + x[i + 2];",
                "element i of `x`, with a halo of 1 and 1, but it reads element i - 2",
            ),
            (
                "x: align",
                "if i > 3 { y[i] = x[i - 1]; } y[i] = x[i + 1];",
                "reads element i + 1: `#[map(x: align halo(1))]`",
            ),
            (
                "x: rows(m) halo(1)",
                "y[i] = x[(i - 2) * m];",
                "but it reads element i*m - 2*m: `#[map(x: rows(m) halo(2, 0))]`",
            ),
            ("x: rows(m)", "for j in 1..m - 1 { y[i] = x[(i - 1) * m + j]; }", "`#[map(x: rows(m) halo(1, 0))]`"),
            ("x: rows(m)", "for j in 0..m { y[i] = x[(i + 1) * m + j]; }", "`#[map(x: rows(m) halo(0, 1))]`"),
            ("x: rows(m) ratio(2)", "y[i] = x[2 * i * m + 2 * m];", "`#[map(x: rows(m) ratio(2) halo(0, 1))]`"),
            (
                "x: align",
                "let mut s = 0.0; for k in 0..3 { s += x[i + k]; } y[i] = s;",
                "`#[map(x: align halo(0, 2))]`",
            ),
            ("x: align", "y[i] = x[2 * i];", "`#[map(x: rows(2))]`"),
            ("x: align", "y[i] = x[5];", "`#[map(x: full)]`"),
            ("x: align", "y[i] = x[1];", "`#[map(x: full)]`"),
            ("x: rows(4)", "y[i] = x[i];", "`#[map(x: align)]`"),
            ("x: align", "y[i] = x[h] + x[i + 1];", "`#[map(x: full)]`"),
        ] {
            let error = maps(&text(map, body)).map(drop).unwrap_err().to_string();
            assert!(error.contains(says), "{map}, {body}: {error}");
        }
        // What depends on the arguments is compared when they are there, and so is what an iteration may skip.
        for (map, body) in [
            ("x: align halo(h)", "y[i] = x[i - 1] + x[i + 1];"),
            ("x: align halo(1)", "y[i] = x[i + h] + x[i - h];"),
            ("x: align", "y[i] = x[(i as i64 + w) as usize];"),
            ("x: rows(h)", "y[i] = x[i * m + m];"),
            ("x: rows(m)", "for j in 0..h { y[i] = x[i * m + j]; }"),
            ("x: align", "if h > 3 { y[i] = x[i - 1]; }"),
            ("x: align", "y[i] = x[i.saturating_sub(1)];"),
            ("x: align halo(1)", "y[i] = x[i - 1] + x[i] + x[i + 1];"),
            (
                "x: rows(m + 1) halo(1)",
                "for j in 0..m + 1 { y[i] = x[(i - 1) * (m + 1) + j] + x[(i + 1) * (m + 1) + j]; }",
            ),
            ("x: rows(2)", "y[i] = x[2 * i + i];"),
            ("x: rows(4)", "y[i] = x[4 * i + i];"),
            ("x: full", "y[i] = x[i - 1];"),
        ] {
            assert!(maps(&text(map, body)).is_ok(), "{map}, {body}: {:?}", maps(&text(map, body)));
        }
        // Loops that may end sooner, begin later, or have no turns.
        for body in [
            "for k in 0..own.min(3) { s += x[i + k]; }",
            "for k in own..5 { s += x[i + k - 4]; }",
            "for k in 0usize.max(h)..5 { s += x[i + k - 4]; }",
            "for k in 0..3usize.min(h) { s += x[i + k]; }",
            "for _ in 0..own.min(3) { s += x[i + 1]; }",
        ] {
            let text = format!(
                "#[map(x: align)] fn f(i: usize, h: usize, v: &[u32], x: &[f32], y: &mut [f32]) {{ \
                 let own = v[i] as usize; let mut s = 0.0; {body} y[i] = s; }}"
            );
            assert!(maps(&text).is_ok(), "{body}: {:?}", maps(&text));
        }
    }
}
