//! The function that takes the arguments, and the descriptions of a kernel: maps from the arguments, costs, text.

use crate::access::second_range;
use crate::cells::{CellArray, CellReach, Cells};
use crate::checked;
use crate::claims::{Claim, Span};
use crate::cost::{self, UNIT};
use crate::emit_rust::ty;
use crate::expand::of_helper;
use crate::flat;
use crate::ir::{Function, Param, Ty, VarId};
use crate::maps::{self, ArrayMap, Direction, Distribution, show};
use crate::poly::{LAST, Poly};
use crate::shape;
use crate::share::Rows;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::ItemFn;

/// A polynomial over the arguments that [`is_small`], as an `i128`.
fn value(f: &Function, poly: &Poly) -> TokenStream {
    let (lo, hi) = second_range(f);
    let mut sum = Vec::new();
    for (product, factor) in poly.terms() {
        let literal = Literal::i128_suffixed(factor.abs());
        let mut term = quote!(#literal);
        for &var in product {
            let symbol = match f.vars.get(var) {
                Some(info) => {
                    let name = &info.ident;
                    quote!((#name as i128))
                }
                None if var == LAST => quote!(ap_last),
                None if cost::helper_of(f, var).is_some() => {
                    let path = cost::helper_of(f, var);
                    path.map_or_else(TokenStream::new, |path| of_helper(path, &quote!(AP_FLOPS)))
                }
                None if f.quotients.contains_key(&var) => {
                    let (of, by) = &f.quotients[&var];
                    let of = value(f, of);
                    quote!((#of / #by))
                }
                None if f.leasts.contains_key(&var) => {
                    let list = f.leasts[&var].iter().map(|poly| value_or(f, poly, i128::MAX));
                    quote!((ap_generated::least(&[#(#list),*]) / 2))
                }
                None => {
                    let second = &f.vars[f.indices[1]].ident;
                    if var == lo {
                        quote!((#second.start as i128))
                    } else {
                        debug_assert_eq!(var, hi);
                        quote!((#second.end as i128))
                    }
                }
            };
            term = quote!(#term * #symbol);
        }
        sum.push(if factor < 0 { quote!(- #term) } else { quote!(+ #term) });
    }
    if sum.is_empty() { quote!(0i128) } else { quote!((0i128 #(#sum)*)) }
}

/// A polynomial over the arguments, as an `i128`: `otherwise` where it has no number of 128 bits.
pub fn value_or(f: &Function, poly: &Poly, otherwise: i128) -> TokenStream {
    if is_small(f, poly) {
        return value(f, poly);
    }
    let (sum, otherwise) = (checked_value(f, poly), Literal::i128_suffixed(otherwise));
    quote!(ap_generated::number_or(#sum, #otherwise))
}

/// A polynomial in the indices of an array, as an `i128`. Where it has no number of 128 bits, `ap_beyond` gets its text.
fn number(f: &Function, array: usize, poly: &Poly) -> TokenStream {
    if is_small(f, poly) {
        return value(f, poly);
    }
    let info = &f.arrays[array];
    // A user counts elements, not their components.
    let each = info.each() as i128;
    let of_components = poly.terms().all(|(product, factor)| product.is_empty() || factor % each == 0);
    let text = if of_components { show(f, &poly.divided(each)) } else { show(f, poly) };
    let (sum, array) = (checked_value(f, poly), info.ident.to_string());
    quote!(ap_generated::number(#sum, [#array, #text], &mut ap_beyond))
}

/// Scalars and the second range, as parameters.
fn scalar_parameters(f: &Function) -> Vec<TokenStream> {
    let mut list = Vec::new();
    if let Some(&second) = f.indices.get(1) {
        let name = &f.vars[second].ident;
        list.push(quote!(#name: ::core::ops::Range<usize>));
    }
    list.extend(f.params.iter().filter_map(|param| match *param {
        Param::Scalar(v) if f.is_count(v) => None,
        Param::Scalar(v) => {
            let (name, ty) = (&f.vars[v].ident, ty(f.vars[v].ty));
            Some(quote!(#name: #ty))
        }
        Param::Array(_) => None,
    }));
    list
}

/// Whether later iterations cost more.
pub fn grows(f: &Function, cost: &cost::Cost) -> bool {
    let last = |v: VarId| v == LAST || f.leasts.get(&v).is_some_and(|list| list.iter().any(|poly| poly.has(LAST)));
    [&cost.flops, &cost.loads, &cost.stores].iter().any(|poly| poly.symbols().into_iter().any(last))
}

pub fn cost_function(f: &Function, cost: &cost::Cost) -> TokenStream {
    let parameters = scalar_parameters(f);
    let used = grows(f, cost);
    let last = used.then(|| quote!(last: usize));
    let begin = used.then(|| quote!(let ap_last = last as i128;));
    let doc = if used {
        "What an iteration costs with these arguments; `last` is the last iteration, as inner loops grow with it."
    } else {
        "What an iteration costs with these arguments."
    };
    let count = |poly: &Poly| {
        // A loop that costs more than all numbers does not end; what matters is that it counts as long.
        let value = value_or(f, poly, i128::MAX);
        quote!((#value).max(0) as f64 / #UNIT as f64)
    };
    let (flops, loads, stores) = (count(&cost.flops), count(&cost.loads), count(&cost.stores));
    let precision = if cost.double { quote!(F64) } else { quote!(F32) };
    quote! {
        #[doc = #doc]
        pub fn cost(#(#parameters,)* #last) -> ::apportion::kernel::Cost {
            use ::apportion::kernel::generated as ap_generated;
            #begin
            ::apportion::kernel::Cost::per_iteration()
                .flops(#flops)
                .loads(#loads)
                .stores(#stores)
                .precision(::apportion::kernel::Precision::#precision)
        }
    }
}

/// The type of an array's elements.
fn element(f: &Function, array: usize) -> TokenStream {
    let info = &f.arrays[array];
    let of = ty(info.ty);
    info.components.map_or(of.clone(), |len| quote!([#of; #len]))
}

/// The number of an array's components.
pub fn length(f: &Function, array: usize) -> TokenStream {
    let info = &f.arrays[array];
    let name = &info.ident;
    info.components.map_or(quote!(#name.len()), |len| quote!((#name.len() * #len)))
}

/// The function that takes the arguments and returns a bound kernel.
pub fn bind(
    item: &ItemFn,
    f: &Function,
    maps: &[ArrayMap],
    cost: &cost::Cost,
    rows: Option<&Rows<'_>>,
    cells: &Result<Cells, String>,
    checks: Option<&Checks>,
) -> TokenStream {
    let (vis, name) = (&item.vis, &f.ident);
    let docs: Vec<_> = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let (mut parameters, mut before, mut bound) = (Vec::new(), TokenStream::new(), TokenStream::new());
    let mut scalars = Vec::new();
    let mut taken = TokenStream::new();
    if let Some(&second) = f.indices.get(1) {
        let name = &f.vars[second].ident;
        parameters.push(quote!(#name: ::core::ops::Range<usize>));
        bound.extend(quote!(let ap_bound = ap_bound.scalar(#name.start as u64).scalar(#name.end as u64);));
        scalars.push(quote!(#name.clone()));
    }
    for param in &f.params {
        match *param {
            Param::Scalar(v) if f.is_count(v) => {
                let name = &f.vars[v].ident;
                bound.extend(quote!(let ap_bound = ap_bound.scalar(#name);));
            }
            Param::Scalar(v) if f.late.contains(&v) => {
                let (name, ty) = (&f.vars[v].ident, ty(f.vars[v].ty));
                let given = format_ident!("ap_given_{}", f.vars[v].name);
                parameters.push(quote!(#name: impl ::apportion::kernel::ScalarArgument<#ty>));
                scalars.push(quote!(#given.value));
                taken.extend(quote!(let #given = ap_generated::given::<#ty>(#name);));
                bound.extend(quote!(let mut ap_bound = ap_bound; ap_generated::bind_given(&mut ap_bound, #given);));
            }
            Param::Scalar(v) if f.passed.contains(&v) => {
                let (name, ty) = (&f.vars[v].ident, ty(f.vars[v].ty));
                let (given, text) = (format_ident!("ap_given_{}", f.vars[v].name), name.to_string());
                parameters.push(quote!(#name: impl ::apportion::kernel::ScalarArgument<#ty>));
                scalars.push(quote!(#name));
                taken.extend(quote!(let #given = ap_generated::given::<#ty>(#name); let #name = #given.value;));
                bound.extend(
                    quote!(let mut ap_bound = ap_bound; ap_generated::bind_present(&mut ap_bound, #text, #given);),
                );
            }
            Param::Scalar(v) => {
                let (name, of) = (&f.vars[v].ident, f.vars[v].ty);
                let ty = ty(of);
                parameters.push(quote!(#name: #ty));
                scalars.push(quote!(#name));
                let value = if of == Ty::Usize { quote!(#name as u64) } else { quote!(#name) };
                bound.extend(quote!(let ap_bound = ap_bound.scalar(#value);));
            }
            Param::Array(array) => {
                let (name, of) = (&f.arrays[array].ident, element(f, array));
                let kind = if f.arrays[array].mutable { quote!(WriteArray) } else { quote!(ReadArray) };
                parameters.push(quote!(#name: impl ::apportion::kernel::#kind<'ap, #of>));
                if let Some(&count) = f.counts.get(&array) {
                    let (count, len) = (&f.vars[count].ident, length(f, array));
                    before.extend(quote!(let #count = #len as u64;));
                }
                let (first, then) = array_binding(f, array, &maps[array]);
                before.extend(first);
                bound.extend(then);
                if let Some(spans) = checks.map(|checks| &checks.possible[array]).filter(|spans| !spans.is_empty()) {
                    let spans = spans.iter().map(|span| span_of(f, span));
                    bound.extend(quote!(let ap_bound = ap_generated::possible(ap_bound, &[#(#spans),*]);));
                }
                if let Ok(cells) = cells {
                    let (first, then) = cells_binding(f, array, &cells.arrays[array]);
                    before.extend(first);
                    bound.extend(then);
                }
            }
        }
    }
    if let Some(checks) = checks {
        let shape = shape::of_arguments(&checks.function, None);
        before.extend(quote!(let ap_checked = #shape;));
        let claims = checks.claims.iter().map(|Claim { span, ends_loop }| {
            let span = span_of(f, span);
            quote!((#span, #ends_loop))
        });
        bound.extend(quote! {
            let ap_bound = ap_generated::checked(ap_bound, #name::ap_checked_parts, ap_checked, &[#(#claims),*]);
        });
    }
    bound.extend(match (cells, f.indices.get(1)) {
        (Ok(_), Some(&second)) => {
            let second = &f.vars[second].ident;
            let each = flat::each(f);
            quote!(let ap_bound = ap_generated::over_cells(ap_bound, #second, #each, #name::ap_cell_parts);)
        }
        (Err(why), _) => quote!(let ap_bound = ap_generated::not_over_cells(ap_bound, #why);),
        // A kernel of one index has no cells.
        (Ok(_), None) => TokenStream::new(),
    });
    bound.extend(tables(f, maps));
    let last = grows(f, cost).then(|| quote!(ap_last.max(0) as usize));
    let shape = shape::of_arguments(f, rows);
    if let Some(turns) = shape::turns(f, rows) {
        bound.extend(quote!(let ap_bound = ap_generated::by_turns(ap_bound, #name::ap_parts, ap_shape, #turns);));
    }
    let lengths = maps.iter().enumerate().filter_map(|(array, map)| match &map.distribution {
        Distribution::Rows { row, ratio } => {
            let (stride, len) = (value_or(f, &(row * &Poly::constant(*ratio)), i128::MAX), length(f, array));
            Some(quote!(#len as i128 / #stride.max(1) - 1))
        }
        _ => None,
    });
    quote! {
        #(#docs)*
        #[allow(clippy::too_many_arguments, clippy::unnecessary_cast, clippy::needless_lifetimes, unused_mut, unused_variables, unused_parens)]
        #vis fn #name<'ap>(#(#parameters),*) -> ::apportion::kernel::Bound<'ap> {
            use ::apportion::kernel::generated as ap_generated;
            #taken
            let ap_last: i128 = <[i128]>::iter(&[#(#lengths),*]).copied().min().unwrap_or(0);
            let ap_cost = #name::cost(#(#scalars,)* #last);
            let mut ap_beyond = ::core::option::Option::None;
            #before
            let ap_shape = #shape;
            let ap_bound = ap_generated::within(#name::ap_parts().bind(ap_shape, ap_cost), ap_beyond);
            #bound
            ap_generated::complete(ap_bound)
        }
    }
}

/// The conditions that are checked once the range of the loop is known, and the function to run where they do not hold.
pub struct Checks {
    pub possible: Vec<Vec<Span>>,
    pub claims: Vec<Claim>,
    pub function: Function,
}

/// Whether a polynomial is a sum of so few numbers of 64 bits that it has a number of 128 bits.
fn is_small(f: &Function, poly: &Poly) -> bool {
    const MOST: i128 = 1 << 40;
    let small = |product: &[VarId]| match product {
        [] => true,
        [var] => {
            f.quotients.get(var).is_none_or(|(of, _)| is_small(f, of))
                && f.leasts.get(var).is_none_or(|list| list.iter().any(|poly| is_small(f, poly)))
        }
        _ => false,
    };
    // A number of 128 bits has room for 2^23 of 64 bits with such factors.
    poly.terms().all(|(product, factor)| {
        (factor.abs() < MOST || product.is_empty() && factor.abs() < MOST << 26) && small(product)
    })
}

/// A polynomial over the arguments, as an `Option<i128>`: none where it has no number of 128 bits.
fn checked_value(f: &Function, poly: &Poly) -> TokenStream {
    if is_small(f, poly) {
        let value = value(f, poly);
        return quote!(::core::option::Option::Some(#value));
    }
    let terms = poly.terms().map(|(product, factor)| {
        let literal = Literal::i128_unsuffixed(factor.abs());
        let literal = if factor < 0 { quote!(-#literal) } else { quote!(#literal) };
        let factors = product.iter().map(|&var| match f.quotients.get(&var) {
            Some((of, by)) => {
                let of = checked_value(f, of);
                quote!(ap_generated::quotient(#of, #by))
            }
            None => {
                let symbol = value(f, &Poly::var(var));
                quote!(::core::option::Option::Some(#symbol))
            }
        });
        quote!(&[::core::option::Option::Some(#literal) #(, #factors)*])
    });
    quote!(ap_generated::sum(&[#(#terms),*]))
}

fn span_of(f: &Function, span: &Span) -> TokenStream {
    let pairs = |list: &[(Poly, Poly)]| {
        let pairs = list.iter().map(|(stride, rest)| {
            let (stride, rest) = (checked_value(f, stride), checked_value(f, rest));
            quote!([#stride, #rest])
        });
        quote!(&[#(#pairs),*])
    };
    let values = |list: &[Poly]| {
        let list = list.iter().map(|poly| checked_value(f, poly));
        quote!(&[#(#list),*])
    };
    let (lows, highs) = (pairs(&span.lows), pairs(&span.highs));
    let (from, to, not, lengths) = (values(&span.from), values(&span.to), values(&span.not), values(&span.lengths));
    quote!(ap_generated::Possible::new([#lows, #highs], [#from, #to, #not], #lengths))
}

/// Says which arrays' numbers are where the rows of others begin, once all are bound.
fn tables(f: &Function, maps: &[ArrayMap]) -> TokenStream {
    let table = |(array, map): (usize, &ArrayMap)| {
        let Distribution::Word(word) = &map.distribution else { return None };
        let table = f.arrays.iter().position(|array| Some(&array.ident) == word.rows_at.as_ref())?;
        let (of, at) = (checked::argument(f, array), checked::argument(f, table));
        Some(quote!(let ap_bound = ap_generated::rows_at(ap_bound, #of, #at);))
    };
    maps.iter().enumerate().filter_map(table).collect()
}

/// The computations for an array before it is lent, and its binding.
fn array_binding(f: &Function, array: usize, map: &ArrayMap) -> (TokenStream, TokenStream) {
    let name = &f.arrays[array].ident;
    let text = name.to_string();
    let (of, each) = (element(f, array), f.arrays[array].components);
    let direction = match map.direction {
        Direction::To => None,
        Direction::From => Some(quote!(From)),
        Direction::ToFrom => Some(quote!(ToFrom)),
    };
    let lent = match direction {
        None => quote!(let ap_bound = #name.read_by(ap_bound);),
        Some(direction) => quote!(let ap_bound = #name.written_by(::apportion::data::Direction::#direction, ap_bound);),
    };
    let reached = format_ident!("ap_reached_{}", f.arrays[array].name);
    let extents = map.reaches.iter().map(|(certain, reach)| {
        let grows = |list: &[Poly]| list.iter().any(|poly| poly.has(LAST));
        let certain = *certain && !grows(&reach.lows) && !grows(&reach.highs);
        let (lows, highs) =
            (reach.lows.iter().map(|p| number(f, array, p)), reach.highs.iter().map(|p| number(f, array, p)));
        let stride = number(f, array, &reach.stride);
        let lengths = reach.lengths.iter().map(|p| number(f, array, p));
        quote!(ap_generated::Extent {
            stride: #stride,
            low: [#(#lows),*].into_iter().max().unwrap_or(0),
            high: [#(#highs),*].into_iter().min().unwrap_or(0),
            certain: #certain,
        }.of_loops(&[#(#lengths),*]))
    });
    match &map.distribution {
        Distribution::Full => (
            quote!(let #reached = [#(#extents),*];),
            quote!(#lent let ap_bound = ap_generated::full(ap_bound, #text, &#reached);),
        ),
        Distribution::Rows { row, ratio } => {
            let (row, own) = (number(f, array, row), format_ident!("ap_row_{}", f.arrays[array].name));
            let rows =
                if map.direction == Direction::ToFrom && map.reads_first { quote!(updated_rows) } else { quote!(rows) };
            (
                quote!(let #reached = [#(#extents),*]; let #own = #row;),
                quote!(#lent let ap_bound = ap_generated::#rows(ap_bound, #text, #own, #ratio, &#reached);),
            )
        }
        Distribution::Word(word) if word.reduce.is_some() => {
            let operator = &word.reduce;
            (
                quote!(let #reached = [#(#extents),*];),
                quote! {
                    let ap_bound = ap_bound.reduces::<#of>(#name, ::apportion::kernel::Reduce::#operator);
                    let ap_bound = ap_generated::contributed(ap_bound, #text, &#reached);
                },
            )
        }
        Distribution::Word(word) if word.rows_at.is_some() => {
            (TokenStream::new(), quote!(#lent let ap_bound = ap_generated::stated_rows_at(ap_bound, #text);))
        }
        Distribution::Word(word) => {
            let Some(rows) = &word.rows else {
                return (
                    quote!(let #reached = [#(#extents),*];),
                    quote!(#lent let ap_bound = ap_generated::full(ap_bound, #text, &#reached);),
                );
            };
            // It counts elements.
            let rows = each.map_or(quote!(#rows), |each| quote!(usize::saturating_mul(#rows, #each)));
            let ratio = word.ratio.as_ref().map_or(quote!(1), |ratio| quote!(#ratio));
            let (left, right) = word.halo.as_ref().map_or((quote!(0), quote!(0)), |(l, r)| (quote!(#l), quote!(#r)));
            let stated = format_ident!("ap_stated_{}", f.arrays[array].name);
            (
                // Computed before any array is lent, as the text may name their lengths.
                quote!(let #stated: [usize; 4] = [#rows, #ratio, #left, #right];),
                quote! {
                    #lent
                    let [ap_row, ap_ratio, ap_left, ap_right] = #stated;
                    let ap_bound = ap_generated::stated(ap_bound, #text, (ap_row, ap_ratio), (ap_left, ap_right));
                },
            )
        }
    }
}

/// The computations for an array in a loop over rows and columns before it is lent, and its binding.
fn cells_binding(f: &Function, array: usize, cells: &CellArray) -> (TokenStream, TokenStream) {
    let CellArray::Cells { row, reaches } = cells else { return Default::default() };
    let extents = reaches.iter().map(|CellReach { rows, columns, certain, lengths }| {
        let ends = |[lows, highs]: &[Vec<Poly>; 2]| {
            let lows = lows.iter().map(|p| number(f, array, p));
            let highs = highs.iter().map(|p| number(f, array, p));
            quote!([[#(#lows),*].into_iter().max().unwrap_or(0), [#(#highs),*].into_iter().min().unwrap_or(0)])
        };
        let (rows, columns) = (ends(rows), ends(columns));
        let lengths = lengths.iter().map(|p| number(f, array, p));
        quote!(ap_generated::CellExtent { rows: #rows, columns: #columns, certain: #certain }.of_loops(&[#(#lengths),*]))
    });
    let row = number(f, array, row);
    let of = format_ident!("ap_cells_{}", f.arrays[array].name);
    (quote!(let #of = (#row, [#(#extents),*]);), quote!(let ap_bound = ap_generated::cells(ap_bound, #of.0, &#of.1);))
}

/// The derived properties, as text.
pub fn notes(
    f: &Function,
    maps: &[ArrayMap],
    cost: &cost::Cost,
    rows: Option<&Rows<'_>>,
    why: &str,
    cells: &Result<Cells, String>,
) -> TokenStream {
    let kernel = f.ident.to_string();
    let arrays = maps.iter().zip(&f.arrays).map(|(map, array)| {
        let (name, direction) = (array.ident.to_string(), map.direction.name());
        let distribution = distribution(f, array.each(), map);
        let mut why = map.why.clone();
        if array.mutable && matches!(map.distribution, Distribution::Rows { .. }) {
            why.push_str(if map.proved {
                "; proved: iterations stay in their own"
            } else {
                "; that iterations stay in their own is checked with the arguments"
            });
        }
        quote!(::apportion::kernel::MapNote { array: #name, direction: #direction, distribution: #distribution, why: #why })
    });
    let text = |poly: &Poly| poly.show_over(&|v| maps::name_of(f, v), UNIT);
    let guess = if cost.guessed { " (a loop of unknown length counts once)" } else { "" };
    let (flops, loads, stores) = (text(&cost.flops) + guess, text(&cost.loads), text(&cost.stores));
    let grid = shape::words(f, rows, why);
    let columns = match cells {
        Ok(_) => match flat::each(f) {
            1 => "a work-item goes down some cells of a column".to_owned(),
            each => format!("a work-item goes down some cells of {each} columns"),
        },
        Err(_) if f.indices.len() == 1 => String::new(),
        Err(why) => format!("no: {why}"),
    };
    quote! {
        ::apportion::kernel::Maps {
            kernel: #kernel,
            arrays: &[#(#arrays),*],
            flops: #flops,
            loads: #loads,
            stores: #stores,
            grid: #grid,
            columns: #columns,
        }
    }
}

/// How an array is divided, whose elements have so many components.
fn distribution(f: &Function, each: usize, map: &ArrayMap) -> String {
    let halo = |halo: Option<(i128, i128)>| match halo {
        Some((0, 0)) => String::new(),
        Some((a, b)) if a == b => format!(", halo {a}"),
        Some((a, b)) => format!(", halo {a} before, {b} after"),
        None => ", halo from the arguments".into(),
    };
    match &map.distribution {
        Distribution::Full => "FULL".into(),
        Distribution::Rows { row, ratio } => {
            let mut text = if *ratio == 1 { "ALIGN".to_owned() } else { format!("ALIGN({ratio})") };
            let row = row.divided(each as i128);
            if row.as_constant() != Some(1) {
                text.push_str(&format!(", rows of {}", show(f, &row)));
            }
            text + &halo(map.halo)
        }
        Distribution::Word(word) => {
            if word.full || word.reduce.is_some() {
                "FULL".into()
            } else if let Some(at) = &word.rows_at {
                format!("ALIGN, elements from {at}[i] up to {at}[i + 1]")
            } else {
                "ALIGN, rows as stated".into()
            }
        }
    }
}
