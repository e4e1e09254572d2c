//! How many work-items a kernel has for its arguments, and a description of how GPUs run it.

use crate::abreast;
use crate::access;
use crate::alone;
use crate::bind::{length, value_or};
use crate::contribute::{self, contributes};
use crate::ir::Function;
use crate::lines;
use crate::poly::Poly;
use crate::rows::Gather;
use crate::share::Rows;
use crate::strips;
use proc_macro2::TokenStream;
use quote::quote;

/// Columns per work-item if it has several side by side, iterations per work-item that are side by side too, and the amounts that
/// must be multiples of the columns, if these follow from the arguments.
fn in_strips<'f>(f: &'f Function, rows: &Rows<'f>) -> Option<(usize, usize, Option<Vec<Poly>>)> {
    let accesses = &mut access::collect(f);
    if let Some(plan) = strips::plan(accesses, f, rows) {
        return Some((plan.each, 1, plan.distances(f)));
    }
    abreast::plan(accesses, f, rows).map(|plan| (plan.each, plan.high, Some(plan.distances(f))))
}

/// The shape of a bound kernel.
pub fn of_arguments<'f>(f: &'f Function, rows: Option<&Rows<'f>>) -> TokenStream {
    match (rows, f.indices.get(1)) {
        (Some(rows), _) => {
            let one = Poly::constant(1);
            let lengths: Vec<_> = rows
                .lengths
                .iter()
                .map(|(columns, lines)| {
                    let (columns, lines) =
                        (value_or(f, columns, i128::MAX), value_or(f, lines.as_ref().unwrap_or(&one), i128::MAX));
                    quote!((#columns, #lines))
                })
                .collect();
            let (nested, heavy) = (rows.nested, rows.heavy);
            let tiles = match rows.tiles {
                None => quote!(ap_generated::Tiling::None),
                Some(None) => quote!(ap_generated::Tiling::Any),
                Some(Some(Gather::Product)) => quote!(ap_generated::Tiling::Of(::apportion::kernel::Reduce::Product)),
                Some(Some(_)) => quote!(ap_generated::Tiling::Of(::apportion::kernel::Reduce::Sum)),
            };
            let shape = quote!(ap_generated::Shape::shared(&[#(#lengths),*], #nested, #heavy, #tiles));
            match in_strips(f, rows) {
                Some((each, high, Some(distances))) => {
                    // An unknown distance is no multiple of anything.
                    let distances = distances.iter().map(|poly| value_or(f, poly, 1));
                    quote!(#shape.in_strips(&[#(#lengths),*], #each, #high, &[#(#distances),*]))
                }
                _ if alone::may_be(&access::collect(f), rows) => quote!(#shape.or_alone(&[#(#lengths),*])),
                _ if lines::fit(&access::collect(f), rows) => {
                    // Loops whose lengths are not all known may be short.
                    let turns = if rows.lengths.len() == rows.loops.len() {
                        quote!(::core::option::Option::Some(ap_generated::most_turns(&[#(#lengths),*])))
                    } else {
                        quote!(::core::option::Option::None)
                    };
                    quote!(#shape.or_lines(#turns))
                }
                _ => shape,
            }
        }
        (None, second) if contributes(&f.body) => {
            let rows = second.is_some();
            let arrays = contribute::arrays(f).into_iter().map(|(array, _)| {
                let (len, bytes) = (length(f, array), f.arrays[array].ty.bytes() as usize);
                quote!((#len, #bytes))
            });
            quote!(ap_generated::Shape::gathers(#rows, &[#(#arrays),*]))
        }
        (None, Some(&second)) => {
            let name = &f.vars[second].ident;
            quote!(ap_generated::Shape::rows(#name.len() as i128))
        }
        (None, None) => {
            let each = crate::flat::each(f);
            quote!(ap_generated::Shape::Flat(#each))
        }
    }
}

/// How many turns the first loop has, where data say that: an `ap_generated::Turns`.
pub fn turns<'f>(f: &'f Function, rows: Option<&Rows<'f>>) -> Option<TokenStream> {
    let rows = rows.filter(|rows| rows.lengths.len() != rows.loops.len())?;
    let accesses = access::collect(f);
    let in_lines = in_strips(f, rows).is_none() && lines::fit(&accesses, rows);
    if in_lines { lines::turns(f, rows) } else { None }
}

/// The shape without arguments.
pub fn plain(f: &Function, rows: Option<&Rows<'_>>) -> TokenStream {
    match rows {
        Some(rows) if rows.nested => quote!(ap_generated::Shape::Lines),
        None if contributes(&f.body) => {
            let rows = f.indices.len() == 2;
            quote!(ap_generated::Shape::Gathers { copies: 0, rows: #rows })
        }
        None if f.indices.len() == 1 => {
            let each = crate::flat::each(f);
            quote!(ap_generated::Shape::Flat(#each))
        }
        _ => quote!(ap_generated::Shape::Rows(256)),
    }
}

/// The description as text; `why` says why nothing is shared, where something could be.
pub fn words<'f>(f: &'f Function, rows: Option<&Rows<'f>>, why: &str) -> String {
    match (rows, f.indices.get(1)) {
        (Some(rows), _) => {
            let names: Vec<String> = rows.loops.iter().map(|&v| f.vars[v].ident.to_string()).collect();
            let list = match names.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("loops over {} and {last}", rest.join(", ")),
                _ => format!("loop over {}", names.join("")),
            };
            match rows.tiles {
                Some(only) => {
                    let only = match only {
                        Some(Gather::Product) => "; of other reductions than a product one iteration each",
                        Some(_) => "; of other reductions than a sum one iteration each",
                        None => "",
                    };
                    let high = in_strips(f, rows).map(|(_, high, _)| high);
                    match (high, rows.heavy) {
                        (Some(1), true) => {
                            format!("groups have columns of the {list}, side by side in the loops inside")
                        }
                        (Some(_), true) => {
                            format!(
                                "groups have columns of the {list}, of several iterations, side by side in the loops inside"
                            )
                        }
                        (Some(_), false) => {
                            format!("groups have strips: columns of the {list}, of several iterations{only}")
                        }
                        _ => format!("groups have tiles: parts of the {list}, of several iterations{only}"),
                    }
                }
                None if alone::may_be(&access::collect(f), rows) => format!(
                    "a group for each iteration, whose work-items share the {list}; a work-item for each of many iterations \
                     of a short loop"
                ),
                None if lines::fit(&access::collect(f), rows) => format!(
                    "a group for each iteration, whose work-items share the {list}; in CUDA parts of a warp for each \
                     iteration of a short loop"
                ),
                None => format!("a group for each iteration, whose work-items share the {list}"),
            }
        }
        (None, second) if contributes(&f.body) => {
            let what = match second {
                Some(&second) => format!("whose work-items share the range of {}", f.vars[second].ident),
                None => "a work-item for each".to_owned(),
            };
            format!(
                "groups have many iterations each, {what}, and copies of what these contribute to, where it is short"
            )
        }
        (None, Some(&second)) => {
            format!("a group for each iteration, whose work-items share the range of {}", f.vars[second].ident)
        }
        (None, None) if why.is_empty() => match crate::flat::each(f) {
            1 => "a work-item for each iteration".into(),
            each => format!("a work-item for each {each} iterations"),
        },
        (None, None) => format!("a work-item for each iteration, as {why}"),
    }
}
