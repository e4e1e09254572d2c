//! What the attribute writes: the function that binds arguments, and a type of the same name with all that was derived.

use crate::access::{self, second_range};
use crate::cost::{self, UNIT};
use crate::device;
use crate::emit_c::helper_name;
use crate::emit_rust::{Emit, Returns, ty};
use crate::ir::{Function, Param, Ty, VarId};
use crate::maps::{self, ArrayMap, Distribution, show};
use crate::parse::{self, MapWord, Options};
use crate::poly::{LAST, Poly};
use crate::prelude::{self, Dialect};
use crate::rows::{self, Rows};
use crate::{lower, names};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Result};

const DIALECTS: [Dialect; 2] = [Dialect::Cuda, Dialect::OpenCl];

/// The attribute on a function.
pub fn kernel(options: &Options, mut item: ItemFn) -> Result<TokenStream> {
    let words = parse::map_words(&mut item.attrs)?;
    let mut function = lower::lower(parse::signature(options, &item)?, &item.block)?;
    function.quotients = access::quotients(&access::collect(&function));
    if let Some(path) = function.helpers.iter().find(|path| path.is_ident(&function.ident)) {
        return Err(Error::new(path.span(), "a kernel does not call itself: GPUs have no recursion to speak of; write a loop"));
    }
    let checked = as_written(&item);
    let generated = if function.helper { helper(&item, &function) } else { whole(&item, &function, &words)? };
    Ok(quote!(#checked #generated))
}

/// The function as it was written, so that the compiler says of it what it would say anyway.
fn as_written(item: &ItemFn) -> TokenStream {
    let mut plain = item.clone();
    plain.vis = syn::Visibility::Inherited;
    plain.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    quote! {
        const _: () = {
            #[allow(dead_code, clippy::needless_range_loop, clippy::too_many_arguments)]
            #plain
        };
    }
}

/// Functions of the prelude, with their texts.
fn prelude_functions(needs: &BTreeSet<String>, dialect: Dialect) -> TokenStream {
    let list = needs.iter().map(|name| {
        let text = prelude::function(name, dialect);
        quote!((#name, #text))
    });
    quote!(&[#(#list),*])
}

/// Calls for the texts of the helpers that a function calls.
fn helpers_of(f: &Function) -> TokenStream {
    let paths = &f.helpers;
    quote!(#(#paths::ap_sources(ap_into);)*)
}

fn helper(item: &ItemFn, f: &Function) -> TokenStream {
    let (vis, name, result) = (&item.vis, &f.ident, ty(f.result));
    let docs: Vec<_> = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let mut accesses = access::collect(f);
    let mut emit = Emit::new(&mut accesses, Returns::Value);
    let body = emit.block(&f.body, false);
    let parameters = (0..f.params.len()).map(|place| {
        let var = emit.var(place);
        let (mutable, ty) = (f.vars[place].mutable.then(|| quote!(mut)), ty(f.vars[place].ty));
        quote!(#mutable #var: #ty)
    });
    let texts = DIALECTS.map(|dialect| {
        let (needs, text) = device::helper(f, dialect);
        (prelude_functions(&needs, dialect), text)
    });
    let [(cuda_functions, cuda), (opencl_functions, opencl)] = texts;
    let (c_name, callees) = (helper_name(&f.ident.to_string()), helpers_of(f));
    quote! {
        #(#docs)*
        #[allow(clippy::all, clippy::pedantic, unused_imports, unused_mut, unused_variables, unused_parens, unused_assignments, unreachable_code)]
        #[inline]
        #vis fn #name(#(#parameters),*) -> #result {
            use ::apportion::kernel::generated as ap;
            #body
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis enum #name {}
        impl #name {
            #[doc(hidden)]
            pub fn ap_sources(ap_into: &mut ::apportion::kernel::generated::Sources) {
                use ::apportion::kernel::generated as ap;
                if !ap_into.is_new(#c_name) {
                    return;
                }
                #callees
                let (functions, text): (&'static [(&'static str, &'static str)], &str) = match ap_into.language() {
                    ap::Language::Cuda => (#cuda_functions, #cuda),
                    ap::Language::OpenCl => (#opencl_functions, #opencl),
                };
                ap_into.functions(functions);
                ap_into.helper(#c_name, text);
            }
        }
    }
}

fn whole(item: &ItemFn, f: &Function, words: &[MapWord]) -> Result<TokenStream> {
    let mut accesses = access::collect(f);
    let maps = maps::derive(&accesses, words)?;
    let rows = rows::find(&accesses);
    let cost = cost::of(&accesses);
    let host = host(f, &mut accesses);
    let parts = parts(f, rows.as_ref());
    let bind = bind(item, f, &maps, &cost, rows.as_ref());
    let notes = notes(f, &maps, &cost, rows.as_ref());
    let costs = cost_function(f, &cost);
    let (vis, name) = (&item.vis, &f.ident);
    let shape = if rows.is_some() || f.indices.len() == 2 { quote!(ap::Shape::Rows(256)) } else { quote!(ap::Shape::Flat) };
    let about = format!("What `#[kernel]` derived for [`{name}`](fn@{name}).");
    Ok(quote! {
        #bind

        #[doc = #about]
        #[allow(non_camel_case_types)]
        #vis enum #name {}

        #[allow(dead_code, clippy::all, clippy::pedantic, non_snake_case, unused_imports, unused_mut, unused_variables, unused_parens,
                unused_assignments, unused_labels, unreachable_code)]
        impl #name {
            /// Direction, distribution and halo of each array, and the cost of an iteration, in words.
            pub fn maps() -> ::apportion::kernel::Maps {
                #notes
            }

            /// The kernel with all its variants, without a cost; for a reduction, the one of a sum.
            pub fn kernel() -> ::apportion::kernel::Kernel {
                use ::apportion::kernel::generated as ap;
                Self::ap_parts().kernel(::apportion::kernel::Reduce::Sum, #shape, ::core::option::Option::None)
            }

            /// The CUDA C text.
            pub fn cuda_source() -> &'static str {
                Self::ap_parts().source(::apportion::kernel::generated::Language::Cuda)
            }

            /// The OpenCL C text.
            pub fn opencl_source() -> &'static str {
                Self::ap_parts().source(::apportion::kernel::generated::Language::OpenCl)
            }

            #costs
            #parts
            #host
        }
    })
}

/// Type and value of an argument that the entry takes.
fn parameter_types(f: &Function) -> Vec<TokenStream> {
    let element = |ty: Ty| format_ident!("{}", if ty == Ty::Usize { "U64".into() } else { ty.name().to_uppercase() });
    let mut list = Vec::new();
    if f.indices.len() == 2 {
        list.extend([quote!(Scalar(ElementType::U64)), quote!(Scalar(ElementType::U64))]);
    }
    for param in &f.params {
        list.push(match *param {
            Param::Scalar(v) => {
                let element = element(f.vars[v].ty);
                quote!(Scalar(ElementType::#element))
            }
            Param::Array(array) => {
                let (kind, element) = (if f.arrays[array].mutable { quote!(Out) } else { quote!(In) }, element(f.arrays[array].ty));
                quote!(#kind(ElementType::#element))
            }
        });
    }
    list
}

fn parts(f: &Function, rows: Option<&Rows>) -> TokenStream {
    let (name, entry) = (f.ident.to_string(), device::entry(f));
    let words = DIALECTS.map(prelude::words);
    let texts = DIALECTS.map(|dialect| device::kernel(f, rows, dialect));
    let functions = [0, 1].map(|at| prelude_functions(&texts[at].needs, DIALECTS[at]));
    let bodies = texts.map(|text| text.text);
    let (helpers, parameters) = (helpers_of(f), parameter_types(f));
    let element = format_ident!("{}", f.result.name().to_uppercase().replace("()", "F32"));
    let (reduces, hosts) = if f.result == Ty::Unit {
        (quote!(::core::option::Option::None), quote!(&[Self::ap_host]))
    } else {
        let hosts = quote!(&[Self::ap_host::<0>, Self::ap_host::<1>, Self::ap_host::<2>, Self::ap_host::<3>]);
        (quote!(::core::option::Option::Some(ElementType::#element)), hosts)
    };
    quote! {
        #[doc(hidden)]
        fn ap_parts() -> &'static ::apportion::kernel::generated::Parts {
            use ::apportion::kernel::generated as ap;
            use ::apportion::kernel::{ElementType, ParameterType::*};
            fn helpers(ap_into: &mut ap::Sources) { #helpers }
            static PARTS: ::std::sync::OnceLock<ap::Parts> = ::std::sync::OnceLock::new();
            PARTS.get_or_init(|| ap::Parts::new(&ap::Texts {
                name: #name,
                entry: #entry,
                words: [#(#words),*],
                functions: [#(#functions),*],
                texts: [#(#bodies),*],
                helpers,
                parameters: &[#(#parameters),*],
                reduces: #reduces,
                hosts: #hosts,
            }))
        }
    }
}

/// The host body: what takes the arguments apart, and the loop.
fn host(f: &Function, accesses: &mut access::Accesses<'_>) -> TokenStream {
    let reduces = f.result != Ty::Unit;
    let mut emit = Emit::new(accesses, Returns::Iteration);
    let (mut taken, mut passed, mut declared) = (Vec::new(), Vec::new(), Vec::new());
    let mut place = 0usize;
    let mut next = || {
        place += 1;
        format_ident!("ap_{}", place - 1)
    };
    let mut names = Vec::new();
    if let Some(&second) = f.indices.get(1) {
        for end in ["start", "stop"] {
            let (argument, name) = (next(), format_ident!("{}_{end}", f.vars[second].name));
            taken.push(quote!(let #name = ap::scalar::<u64>(#argument) as usize;));
            passed.push(quote!(#name));
            declared.push(quote!(#name: usize));
            names.push(argument);
        }
    }
    for param in &f.params {
        let argument = next();
        match *param {
            Param::Scalar(v) => {
                let (name, of) = (emit.var(v), f.vars[v].ty);
                let of_type = ty(of);
                taken.push(match of {
                    Ty::Usize => quote!(let #name = ap::scalar::<u64>(#argument) as usize;),
                    _ => quote!(let #name = ap::scalar::<#of_type>(#argument);),
                });
                passed.push(quote!(#name));
                let mutable = f.vars[v].mutable.then(|| quote!(mut));
                declared.push(quote!(#mutable #name: #of_type));
            }
            Param::Array(array) => {
                let (name, first) = emit.array(array);
                let of = ty(f.arrays[array].ty);
                if f.arrays[array].mutable {
                    taken.push(quote!(let (#name, #first) = ap::write::<#of>(#argument);));
                    declared.push(quote!(#name: &mut [#of], #first: usize));
                } else {
                    taken.push(quote!(let (#name, #first) = ap::read::<#of>(#argument);));
                    declared.push(quote!(#name: &[#of], #first: usize));
                }
                passed.push(quote!(#name, #first));
            }
        }
        names.push(argument);
    }
    // A parameter that changes begins anew with each iteration.
    let again: TokenStream = f
        .params
        .iter()
        .filter_map(|param| match *param {
            Param::Scalar(v) if f.vars[v].mutable => Some(emit.var(v)),
            _ => None,
        })
        .map(|name| quote!(let mut #name = #name;))
        .collect();
    let index = f.indices[0];
    let body = match f.indices.get(1) {
        None if again.is_empty() => emit.counted(index, quote!(ap_from), quote!(ap_to), &f.body, true),
        None => {
            let (name, body) = (emit.var(index), emit.block(&f.body, true));
            quote!('iterations: for #name in ap_from..ap_to { #again #body })
        }
        Some(&second) => {
            let (start, stop) = (format_ident!("{}_start", f.vars[second].name), format_ident!("{}_stop", f.vars[second].name));
            let name = emit.var(index);
            let inner = if again.is_empty() {
                emit.counted(second, quote!(#start), quote!(#stop), &f.body, true)
            } else {
                let (second, body) = (emit.var(second), emit.block(&f.body, true));
                quote!('iterations: for #second in #start..#stop { #again #body })
            };
            quote!(for #name in ap_from..ap_to { #inner })
        }
    };
    let (generic, turbofish, result, begin, end, value) = if reduces {
        let ty = ty(f.result);
        (
            quote!(<const AP_OPERATOR: u8>),
            quote!(::<AP_OPERATOR>),
            quote!(-> #ty),
            quote!(let mut ap_total = <#ty as ap::Reducible>::identity::<AP_OPERATOR>();),
            quote!(ap_total),
            quote!(::core::option::Option::Some(::apportion::kernel::Element::to_scalar(ap_value))),
        )
    } else {
        (quote!(), quote!(), quote!(), quote!(), quote!(), quote!(::core::option::Option::None))
    };
    quote! {
        #[doc(hidden)]
        fn ap_host #generic(
            ap_range: ::core::ops::Range<usize>,
            ap_arguments: &mut [::apportion::kernel::HostArgument<'_>],
        ) -> ::core::option::Option<::apportion::kernel::Scalar> {
            use ::apportion::kernel::generated as ap;
            let [#(#names),*] = ap_arguments else {
                unreachable!("the number of arguments is compared before the loop starts")
            };
            #(#taken)*
            let ap_value = Self::ap_body #turbofish(ap_range.start, ap_range.end, #(#passed),*);
            #value
        }

        // A function of its own: only as its parameters are the slices known not to overlap.
        #[doc(hidden)]
        #[inline(never)]
        fn ap_body #generic(ap_from: usize, ap_to: usize, #(#declared),*) #result {
            use ::apportion::kernel::generated::{self as ap, Reducible as _};
            #begin
            #body
            #end
        }
    }
}

/// A polynomial over the arguments, as an `i128`.
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
                None if f.quotients.contains_key(&var) => {
                    let (of, by) = &f.quotients[&var];
                    let of = value(f, of);
                    quote!((#of / #by))
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

/// Scalars and the second range, as parameters.
fn scalar_parameters(f: &Function) -> Vec<TokenStream> {
    let mut list = Vec::new();
    if let Some(&second) = f.indices.get(1) {
        let name = &f.vars[second].ident;
        list.push(quote!(#name: ::core::ops::Range<usize>));
    }
    list.extend(f.params.iter().filter_map(|param| match *param {
        Param::Scalar(v) => {
            let (name, ty) = (&f.vars[v].ident, ty(f.vars[v].ty));
            Some(quote!(#name: #ty))
        }
        Param::Array(_) => None,
    }));
    list
}

fn cost_function(f: &Function, cost: &cost::Cost) -> TokenStream {
    let parameters = scalar_parameters(f);
    let used = [&cost.flops, &cost.loads, &cost.stores].iter().any(|poly| poly.has(LAST));
    let last = used.then(|| quote!(last: usize));
    let begin = used.then(|| quote!(let ap_last = last as i128;));
    let doc = if used {
        "What an iteration costs with these arguments; `last` is the last iteration, as inner loops grow with it."
    } else {
        "What an iteration costs with these arguments."
    };
    let count = |poly: &Poly| {
        let value = value(f, poly);
        quote!((#value).max(0) as f64 / #UNIT as f64)
    };
    let (flops, loads, stores) = (count(&cost.flops), count(&cost.loads), count(&cost.stores));
    let precision = if cost.double { quote!(F64) } else { quote!(F32) };
    quote! {
        #[doc = #doc]
        pub fn cost(#(#parameters,)* #last) -> ::apportion::kernel::Cost {
            #begin
            ::apportion::kernel::Cost::per_iteration()
                .flops(#flops)
                .loads(#loads)
                .stores(#stores)
                .precision(::apportion::kernel::Precision::#precision)
        }
    }
}

/// The function that takes the arguments and gives a bound kernel.
fn bind(item: &ItemFn, f: &Function, maps: &[ArrayMap], cost: &cost::Cost, rows: Option<&Rows>) -> TokenStream {
    let (vis, name) = (&item.vis, &f.ident);
    let docs: Vec<_> = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let (mut parameters, mut before, mut bound) = (Vec::new(), TokenStream::new(), TokenStream::new());
    let mut scalars = Vec::new();
    if let Some(&second) = f.indices.get(1) {
        let name = &f.vars[second].ident;
        parameters.push(quote!(#name: ::core::ops::Range<usize>));
        bound.extend(quote!(let ap_bound = ap_bound.scalar(#name.start as u64).scalar(#name.end as u64);));
        scalars.push(quote!(#name.clone()));
    }
    for param in &f.params {
        match *param {
            Param::Scalar(v) => {
                let (name, of) = (&f.vars[v].ident, f.vars[v].ty);
                let ty = ty(of);
                parameters.push(quote!(#name: #ty));
                scalars.push(quote!(#name));
                let value = if of == Ty::Usize { quote!(#name as u64) } else { quote!(#name) };
                bound.extend(quote!(let ap_bound = ap_bound.scalar(#value);));
            }
            Param::Array(array) => {
                let (name, of) = (&f.arrays[array].ident, ty(f.arrays[array].ty));
                let mutable = f.arrays[array].mutable.then(|| quote!(mut));
                parameters.push(quote!(#name: &'ap #mutable [#of]));
                let (first, then) = array_binding(f, array, &maps[array]);
                before.extend(first);
                bound.extend(then);
            }
        }
    }
    let grows = [&cost.flops, &cost.loads, &cost.stores].iter().any(|poly| poly.has(LAST));
    let last = grows.then(|| quote!(ap_last.max(0) as usize));
    let shape = match (rows, f.indices.get(1)) {
        (Some(Rows { length: Some(length), .. }), _) if length.symbols().iter().all(|v| is_argument(f, *v)) => {
            let length = value(f, length);
            quote!(ap::Shape::rows(#length))
        }
        (Some(_), _) => quote!(ap::Shape::Rows(256)),
        (None, Some(&second)) => {
            let name = &f.vars[second].ident;
            quote!(ap::Shape::rows(#name.len() as i128))
        }
        (None, None) => quote!(ap::Shape::Flat),
    };
    let lengths = maps.iter().zip(&f.arrays).filter_map(|(map, array)| match &map.distribution {
        Distribution::Rows { row, ratio } => {
            let (stride, name) = (value(f, &(row * &Poly::constant(*ratio))), &array.ident);
            Some(quote!(#name.len() as i128 / #stride.max(1) - 1))
        }
        _ => None,
    });
    quote! {
        #(#docs)*
        #[allow(clippy::too_many_arguments, clippy::unnecessary_cast, clippy::needless_lifetimes, unused_variables, unused_parens)]
        #vis fn #name<'ap>(#(#parameters),*) -> ::apportion::kernel::Bound<'ap> {
            use ::apportion::kernel::generated as ap;
            let ap_last: i128 = <[i128]>::iter(&[#(#lengths),*]).copied().min().unwrap_or(0);
            let ap_cost = #name::cost(#(#scalars,)* #last);
            #before
            let ap_bound = #name::ap_parts().bind(#shape, ap_cost);
            #bound
            ap_bound
        }
    }
}

fn is_argument(f: &Function, var: VarId) -> bool {
    f.params.contains(&Param::Scalar(var))
}

/// What is computed of an array before it is lent, and its binding.
fn array_binding(f: &Function, array: usize, map: &ArrayMap) -> (TokenStream, TokenStream) {
    let name = &f.arrays[array].ident;
    let text = name.to_string();
    let method = Ident::new(map.direction.name(), name.span());
    let lent = quote!(let ap_bound = ap_bound.#method(#name););
    let reached = format_ident!("ap_reached_{}", names::plain(&text));
    let extents = map.reaches.iter().map(|(certain, reach)| {
        let grows = |list: &[Poly]| list.iter().any(|poly| poly.has(LAST));
        let certain = *certain && !grows(&reach.lows) && !grows(&reach.highs);
        let (lows, highs) = (reach.lows.iter().map(|p| value(f, p)), reach.highs.iter().map(|p| value(f, p)));
        let stride = value(f, &reach.stride);
        quote!(ap::Extent {
            stride: #stride,
            low: [#(#lows),*].into_iter().max().unwrap_or(0),
            high: [#(#highs),*].into_iter().min().unwrap_or(0),
            certain: #certain,
        })
    });
    match &map.distribution {
        Distribution::Full => (
            quote!(let #reached = [#(#extents),*];),
            quote!(#lent let ap_bound = ap::full(ap_bound, #text, &#reached);),
        ),
        Distribution::Rows { row, ratio } => {
            let row = value(f, row);
            (
                quote!(let #reached = [#(#extents),*];),
                quote!(#lent let ap_bound = ap::rows(ap_bound, #text, #row, #ratio, &#reached);),
            )
        }
        Distribution::Word(word) => {
            let mut bound = quote!(#lent let ap_bound = ap_bound.named(#text););
            if let Some(rows) = &word.rows {
                bound.extend(quote!(let ap_bound = ap_bound.align_rows(#rows);));
            }
            if let Some(ratio) = &word.ratio {
                bound.extend(quote!(let ap_bound = ap_bound.ratio(#ratio);));
            }
            if let Some((left, right)) = &word.halo {
                bound.extend(quote!(let ap_bound = ap_bound.halo_sides(#left, #right);));
            }
            (TokenStream::new(), bound)
        }
    }
}

/// What was derived, in words.
fn notes(f: &Function, maps: &[ArrayMap], cost: &cost::Cost, rows: Option<&Rows>) -> TokenStream {
    let kernel = f.ident.to_string();
    let arrays = maps.iter().zip(&f.arrays).map(|(map, array)| {
        let (name, direction) = (array.ident.to_string(), map.direction.name());
        let distribution = distribution(f, map);
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
    let grid = match (rows, f.indices.get(1)) {
        (Some(rows), _) => {
            let var = match &f.body[rows.at] {
                crate::ir::Stmt::For(l) => f.vars[l.var].ident.to_string(),
                _ => String::new(),
            };
            format!("a group for each iteration, whose work-items share the loop over {var}")
        }
        (None, Some(&second)) => format!("a group for each iteration, whose work-items share the range of {}", f.vars[second].ident),
        (None, None) => "a work-item for each iteration".into(),
    };
    quote! {
        ::apportion::kernel::Maps {
            kernel: #kernel,
            arrays: &[#(#arrays),*],
            flops: #flops,
            loads: #loads,
            stores: #stores,
            grid: #grid,
        }
    }
}

fn distribution(f: &Function, map: &ArrayMap) -> String {
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
            if row.as_constant() != Some(1) {
                text.push_str(&format!(", rows of {}", show(f, row)));
            }
            text + &halo(map.halo)
        }
        Distribution::Word(word) => {
            if word.full { "FULL".into() } else { "ALIGN, rows as stated".into() }
        }
    }
}
