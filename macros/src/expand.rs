//! The output of the attribute: the function that binds arguments, and a type of the same name with everything derived.

use crate::access;
use crate::bind::{self, bind, cost_function, notes};
use crate::cells::{self, Cells};
use crate::checked::{self, Checked};
use crate::contribute;
use crate::cost;
use crate::device::{self, Loop};
use crate::emit_c::{callee_name, helper_name};
use crate::emit_rust::{Emit, Returns, ty};
use crate::flat;
use crate::ir::{Function, Param, Ty, VarId};
use crate::late;
use crate::lower;
use crate::maps;
use crate::parse::{self, MapWord, Options};
use crate::prelude::{self, Dialect};
use crate::shape;
use crate::share;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Result};

const DIALECTS: [Dialect; 2] = [Dialect::Cuda, Dialect::OpenCl];

/// The function in its typed form, and its map attributes, which are removed from it.
pub fn read(options: &Options, item: &mut ItemFn) -> Result<(Function, Vec<MapWord>)> {
    let words = parse::map_words(&mut item.attrs)?;
    let signature = parse::signature(options, item)?;
    let contributed = contribute::said(&signature, &words)?;
    let mut function = lower::lower(signature, &item.block)?;
    contribute::convert(&mut function, &contributed)?;
    checked::note(&mut function, &words);
    function.quotients = access::quotients(&access::collect(&function));
    function.leasts = cost::leasts(&access::collect(&function));
    function.late = late::scalars(&function, &words);
    let passed = |param: &Param| match *param {
        Param::Scalar(v) if options.passed.contains(&function.vars[v].ident) => Some(v),
        _ => None,
    };
    function.passed = function.params.iter().filter_map(passed).collect();
    Ok((function, words))
}

/// The attribute on a function.
pub fn kernel(options: &Options, mut item: ItemFn) -> Result<TokenStream> {
    let (function, words) = read(options, &mut item)?;
    // As `f`, `f::<3>` or `self::f`; in other modules there may be others of its name.
    let itself = |path: &&syn::Path| {
        let mut names = path.segments.iter().map(|segment| &segment.ident).skip_while(|name| *name == "self");
        names.next() == Some(&function.ident) && names.next().is_none()
    };
    if let Some(path) = function.helpers.iter().find(itself) {
        return Err(Error::new(
            path.span(),
            "a kernel does not call itself: GPUs have no recursion to speak of; write a loop",
        ));
    }
    if let Some(word) = words.first().filter(|_| function.helper) {
        return Err(Error::new(word.array.span(), "a helper has no maps: they are of the kernel's arrays"));
    }
    let checked = as_written(&item, &function, &words);
    let generated = if function.helper { helper(&item, &function) } else { whole(&item, &function, &words)? };
    Ok(quote!(#checked #generated))
}

/// The function as written, so that the compiler reports its usual errors and warnings.
fn as_written(item: &ItemFn, f: &Function, words: &[MapWord]) -> TokenStream {
    let mut plain = item.clone();
    // Parameters that only maps name are used there.
    for var in
        f.params.iter().filter_map(|param| if let Param::Scalar(var) = param { Some(&f.vars[*var]) } else { None })
    {
        let name = &var.ident;
        if words.iter().any(|word| late::names(word, &name.to_string())) {
            plain.block.stmts.insert(0, syn::parse_quote!(let _ = #name;));
        }
    }
    plain.vis = syn::Visibility::Inherited;
    plain.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    // Clippy often suggests what the kernel language lacks.
    quote! {
        const _: () = {
            #[allow(dead_code, clippy::all)]
            #plain
        };
    }
}

/// Functions of the prelude, with their texts.
fn prelude_functions(needs: &BTreeSet<String>, dialect: Dialect) -> TokenStream {
    // What others need comes first.
    let (first, others): (Vec<_>, Vec<_>) = needs.iter().partition(|name| *name == "ap_report");
    let list = first.into_iter().chain(others).map(|name| {
        let text = prelude::function(name, dialect);
        quote!((#name, #text))
    });
    quote!(&[#(#list),*])
}

/// An item of the type that the attribute makes for a helper. Of a function without the attribute, the compiler says at the call
/// that it finds no such type, and names it as here.
pub fn of_helper(path: &syn::Path, item: &TokenStream) -> TokenStream {
    let name = Ident::new("this_function_needs_the_attribute_kernel_helper", path.span());
    let mut plain = path.clone();
    let types = plain.segments.last_mut().map(|last| std::mem::take(&mut last.arguments));
    quote!({
        #[allow(unused_imports)]
        use #plain as #name;
        #name #types::#item
    })
}

/// ` || ..` for each helper, whether it reports.
fn any_reports(f: &Function) -> TokenStream {
    let reports = f.helpers.iter().map(|path| of_helper(path, &quote!(AP_REPORTS)));
    quote!(#(|| #reports)*)
}

/// The list of names in a function's text and what stands for them: calls that add the values of its constants and the texts of
/// the helpers that it calls.
fn helpers_of(f: &Function) -> TokenStream {
    let paths = &f.helpers;
    let constants = f.constants.iter().map(|&v| {
        let info = &f.vars[v];
        let (name, c, ident) = (&info.name, info.ty.c(), &info.ident);
        let value = match info.ty {
            Ty::Usize => quote!(#ident as u64),
            Ty::Bool => quote!(u8::from(#ident)),
            _ => quote!(#ident),
        };
        quote!((#name, ap_into.constant(#name, #c, ::apportion::kernel::Element::to_scalar(#value))))
    });
    let names = (0..paths.len()).map(|helper| callee_name(f, helper));
    let reports = (0..paths.len()).map(|helper| {
        let (path, name) = (&paths[helper], callee_name(f, helper));
        let (after, only) = (format!("${name}"), format!("${name}@only"));
        let reports = of_helper(path, &quote!(AP_REPORTS));
        quote!((#after, ap_generated::if_reports(#reports, ", ap_report")), (#only, ap_generated::if_reports(#reports, "ap_report")))
    });
    // The report of a text that has one for its helpers alone.
    let any = any_reports(f);
    let any = quote!(false #any);
    let own = [
        ("$report_parameter", format!(", {}", checked::REPORT)),
        ("$report_parameter@only", checked::REPORT.to_owned()),
        ("$report_of_entry", format!(", {}", checked::REPORT_OF_ENTRY)),
        ("$report_of_entry@only", checked::REPORT_OF_ENTRY.to_owned()),
        ("$report_begin", checked::BEGIN.to_owned()),
        ("$report_argument", ", ap_report".to_owned()),
    ];
    let own = own
        .into_iter()
        .filter(|_| !paths.is_empty())
        .map(|(word, text)| quote!((#word, ap_generated::if_reports(#any, #text))));
    let sources = paths.iter().map(|path| of_helper(path, &quote!(ap_sources(ap_into))));
    quote!(::std::vec![#(#constants,)* #((#names, #sources),)* #(#reports,)* #(#own,)*])
}

/// The constants of a function under their names in its Rust text.
fn constants(f: &Function) -> TokenStream {
    let lets = f.constants.iter().map(|&v| {
        let info = &f.vars[v];
        let (name, ident, ty) = (Ident::new(&info.name, info.ident.span()), &info.ident, ty(info.ty));
        quote!(let #name: #ty = #ident;)
    });
    lets.collect()
}

/// The operations of a helper; loops of unknown length count once.
fn flops(accesses: &access::Accesses<'_>) -> TokenStream {
    let cost = cost::of(accesses);
    let value = bind::value_or(accesses.f, &cost.flops, i128::MAX);
    let unit = cost::UNIT;
    quote!(ap_generated::operations(#value / #unit))
}

fn helper(item: &ItemFn, f: &Function) -> TokenStream {
    let (vis, name, result) = (&item.vis, &f.ident, ty(f.result));
    let docs: Vec<_> = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let mut accesses = access::collect(f);
    let flops = flops(&accesses);
    let mut emit = Emit::new(&mut accesses, Returns::Value);
    let body = emit.block(&f.body, false);
    let parameters = (0..f.params.len()).map(|place| {
        let var = emit.var(place);
        let (mutable, mut ty) = (f.vars[place].mutable.then(|| quote!(mut)), ty(f.vars[place].ty));
        if let Some(len) = f.vars[place].len {
            let reference = f.references.contains(&place).then(|| quote!(&));
            ty = quote!(#reference [#ty; #len]);
        }
        quote!(#mutable #var: #ty)
    });
    let texts = DIALECTS.map(|dialect| {
        let (needs, text) = device::helper(f, dialect);
        (prelude_functions(&needs, dialect), text)
    });
    let [(cuda_functions, cuda), (opencl_functions, opencl)] = texts;
    let constants = constants(f);
    let (c_name, callees) = (helper_name(&f.ident.to_string()), helpers_of(f));
    let (reports, others) = (Checked::of_function(f).reports, any_reports(f));
    quote! {
        #(#docs)*
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_imports, unused_mut, unused_variables, unused_parens, unused_assignments, unreachable_code)]
        #[inline]
        #vis fn #name(#(#parameters),*) -> #result {
            use ::apportion::kernel::generated as ap_generated;
            #constants
            #body
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis enum #name {}
        impl #name {
            /// Operations of a call.
            #[doc(hidden)]
            pub const AP_FLOPS: i128 = {
                use ::apportion::kernel::generated as ap_generated;
                #flops
            };

            /// Whether it reports indices outside of local arrays.
            #[doc(hidden)]
            pub const AP_REPORTS: bool = #reports #others;

            #[doc(hidden)]
            pub fn ap_sources(ap_into: &mut ::apportion::kernel::generated::Sources) -> ::std::string::String {
                use ::apportion::kernel::generated as ap_generated;
                let ap_of = ::core::any::TypeId::of::<Self>();
                if let ::core::option::Option::Some(ap_name) = ap_into.known(ap_of) {
                    return ap_name;
                }
                let ap_names: ap_generated::Names = #callees;
                let (functions, text): (&'static [(&'static str, &'static str)], &str) = match ap_into.language() {
                    ap_generated::Language::Cuda => (#cuda_functions, #cuda),
                    ap_generated::Language::OpenCl => (#opencl_functions, #opencl),
                };
                ap_into.functions(functions);
                ap_into.helper(ap_of, #c_name, text, ap_names)
            }
        }
    }
}

fn whole(item: &ItemFn, f: &Function, words: &[MapWord]) -> Result<TokenStream> {
    let mut accesses = access::collect(f);
    let maps = maps::derive(&accesses, words)?;
    let (rows, why) = match share::plan(&accesses) {
        Ok(rows) => (Some(rows), String::new()),
        Err(why) => (None, why),
    };
    let cost = cost::of(&accesses);
    let cells = cells::cells(f, &maps);
    let host = host(&f.ident, f, &mut accesses, &[]);
    let parts = parts(f, f, Loop::Rows(rows.as_ref()));
    let fresh = access::collect(f);
    let (possible, claims) = (checked::possible(f, &fresh), [fresh.claims, fresh.tops].concat());
    let checks = (!claims.is_empty() || possible.iter().any(|spans| !spans.is_empty())).then(|| bind::Checks {
        possible,
        claims,
        function: checked::all_checked(f),
    });
    let checked_parts =
        checks.as_ref().map(|checks| parts_named("ap_checked_parts", f, &checks.function, Loop::Rows(None)));
    let bind = bind(item, f, &maps, &cost, rows.as_ref(), &cells, checks.as_ref());
    let notes = notes(f, &maps, &cost, rows.as_ref(), &why, &cells);
    let over_cells = cells.as_ref().ok().map(|cells| over_cells(f, cells));
    let costs = cost_function(f, &cost);
    let (vis, name) = (&item.vis, &f.ident);
    let shape = shape::plain(f, rows.as_ref());
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
                use ::apportion::kernel::generated as ap_generated;
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
            #checked_parts
        }

        #host
        #over_cells
    })
}

/// The form for rows and columns, with its own texts and host body.
fn over_cells(f: &Function, cells: &Cells) -> TokenStream {
    let (name, of) = (&f.ident, format_ident!("ApCells"));
    let host = host(&of, &cells.function, &mut access::collect(&cells.function), &cells.pitches);
    let each = flat::each(f);
    let parts = parts(f, &cells.function, Loop::Cells { each });
    quote! {
        const _: () = {
            enum #of {}
            #host

            #[allow(dead_code, clippy::all, clippy::pedantic, non_snake_case, unused_imports, unused_parens)]
            impl #name {
                #parts

                #[doc(hidden)]
                pub fn ap_cell_kernel() -> ::apportion::kernel::Kernel {
                    use ::apportion::kernel::generated as ap_generated;
                    Self::ap_cell_parts().kernel(::apportion::kernel::Reduce::Sum, ap_generated::Shape::cells(1 << 20, #each), ::core::option::Option::None)
                }
            }
        };
    }
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
                let (kind, element) =
                    (if f.arrays[array].mutable { quote!(Out) } else { quote!(In) }, element(f.arrays[array].ty));
                quote!(#kind(ElementType::#element))
            }
        });
    }
    list
}

/// The parts of kernel `f`; `text` is its form for this kind of loop.
fn parts(f: &Function, text: &Function, over: Loop<'_, '_>) -> TokenStream {
    let function = match over {
        Loop::Rows(_) => "ap_parts",
        Loop::Cells { .. } => "ap_cell_parts",
    };
    parts_named(function, f, text, over)
}

fn parts_named(function: &str, f: &Function, text: &Function, over: Loop<'_, '_>) -> TokenStream {
    let function = format_ident!("{function}");
    let (name, entry) = (f.ident.to_string(), device::entry_name(f));
    let words = DIALECTS.map(prelude::words);
    let texts = DIALECTS.map(|dialect| device::kernel(text, over, dialect));
    let functions = [0, 1].map(|at| prelude_functions(&texts[at].needs, DIALECTS[at]));
    let bodies = texts.map(|text| text.text);
    let checked = Checked::of_function(text);
    let counted = checked.arrays.iter().map(|array| checked::argument(text, *array));
    let late = late::arguments(text);
    let (reports, others) = (checked.reports, any_reports(f));
    let folds = f.result != Ty::Unit;
    let (helpers, parameters) = (helpers_of(f), parameter_types(f));
    let element = format_ident!("{}", f.result.name().to_uppercase().replace("()", "F32"));
    let reduces = if f.result == Ty::Unit {
        quote!(::core::option::Option::None)
    } else {
        quote!(::core::option::Option::Some(ElementType::#element))
    };
    let (of, columns) = match over {
        Loop::Rows(_) => (quote!(Self), false),
        Loop::Cells { .. } => (quote!(ApCells), true),
    };
    quote! {
        #[doc(hidden)]
        fn #function() -> &'static ::apportion::kernel::generated::Parts {
            use ::apportion::kernel::generated as ap_generated;
            use ::apportion::kernel::{ElementType, ParameterType::*};
            fn helpers(ap_into: &mut ap_generated::Sources) -> ap_generated::Names { #helpers }
            static PARTS: ::std::sync::OnceLock<ap_generated::Parts> = ::std::sync::OnceLock::new();
            PARTS.get_or_init(|| ap_generated::Parts::new(&ap_generated::Texts {
                name: #name,
                entry: #entry,
                words: [#(#words),*],
                functions: [#(#functions),*],
                texts: [#(#bodies),*],
                helpers,
                parameters: &[#(#parameters),*],
                reduces: #reduces,
                hosts: const { &ap_generated::calls::<#of>() },
                columns: #columns,
                checks: ap_generated::Checks {
                    counted: &[#(#counted),*],
                    late: &[#(#late),*],
                    reports: #reports #others,
                    folds: #folds,
                },
            }))
        }
    }
}

/// Up to this many arrays are parameters of a separate function; more may be assumed to overlap.
const ARRAYS: usize = 12;

/// The host body: the unpacking of the arguments, and the loop. `name` is the type that has it; in the form for rows and columns
/// arrays have pitches.
fn host(name: &Ident, f: &Function, accesses: &mut access::Accesses<'_>, pitches: &[VarId]) -> TokenStream {
    let reduces = f.result != Ty::Unit;
    let mut emit = Emit::new(accesses, Returns::Iteration);
    let mut taken = Vec::new();
    // Names and types of the loop's parameters: scalars, and slices.
    let mut scalars = vec![(quote!(ap_from), quote!(usize)), (quote!(ap_to), quote!(usize))];
    let mut slices = Vec::new();
    let mut place = 0usize;
    let mut next = || {
        place += 1;
        format_ident!("ap_{}", place - 1)
    };
    let mut names = Vec::new();
    if let Some(&second) = f.indices.get(1) {
        for end in ["start", "stop"] {
            let (argument, name) = (next(), format_ident!("{}_{end}", f.vars[second].name));
            taken.push(quote!(let #name = ap_generated::scalar::<u64>(#argument) as usize;));
            scalars.push((quote!(#name), quote!(usize)));
            names.push(argument);
        }
    }
    for param in &f.params {
        if matches!(param, Param::Scalar(v) if pitches.contains(v)) {
            continue;
        }
        let argument = next();
        match *param {
            Param::Scalar(v) => {
                let (name, of) = (emit.var(v), f.vars[v].ty);
                let of_type = ty(of);
                taken.push(match of {
                    Ty::Usize => quote!(let #name = ap_generated::scalar::<u64>(#argument) as usize;),
                    _ => quote!(let #name = ap_generated::scalar::<#of_type>(#argument);),
                });
                scalars.push((quote!(#name), of_type));
            }
            Param::Array(array) => {
                let (name, first) = emit.array(array);
                let of = ty(f.arrays[array].ty);
                if emit.is_whole(array) {
                    if let Some(&pitch) = pitches.get(array) {
                        let pitch = emit.var(pitch);
                        taken.push(quote!(let #pitch = ap_generated::pitch(#argument);));
                        scalars.push((quote!(#pitch), quote!(usize)));
                    }
                    taken.push(quote!(let #name = ap_generated::whole::<#of>(#argument);));
                    if slices.len() < ARRAYS { &mut slices } else { &mut scalars }
                        .push((quote!(#name), quote!(&'ap mut [#of])));
                    names.push(argument);
                    continue;
                }
                let (function, slice) = if f.arrays[array].mutable {
                    (quote!(write), quote!(&'ap mut [#of]))
                } else {
                    (quote!(read), quote!(&'ap [#of]))
                };
                taken.push(match pitches.get(array) {
                    None => quote!(let (#name, #first) = ap_generated::#function::<#of>(#argument);),
                    Some(&pitch) => {
                        let pitch = emit.var(pitch);
                        scalars.push((quote!(#pitch), quote!(usize)));
                        quote! {
                            let #pitch = ap_generated::pitch(#argument);
                            let (#name, #first) = ap_generated::#function::<#of>(#argument);
                        }
                    }
                });
                if slices.len() < ARRAYS { &mut slices } else { &mut scalars }.push((quote!(#name), slice));
                scalars.push((quote!(#first), quote!(usize)));
            }
        }
        names.push(argument);
    }
    let index = f.indices[0];
    let body = match f.indices.get(1) {
        None => emit.counted(index, quote!(ap_from), quote!(ap_to), None, &f.body, true),
        Some(&second) => {
            let (start, stop) =
                (format_ident!("{}_start", f.vars[second].name), format_ident!("{}_stop", f.vars[second].name));
            let name = emit.var(index);
            let inner = emit.counted(second, quote!(#start), quote!(#stop), None, &f.body, true);
            quote!(for #name in ap_from..ap_to { #inner })
        }
    };
    let (operator, result, begin, end, value) = if reduces {
        let ty = ty(f.result);
        (
            quote!(AP_OPERATOR),
            ty.clone(),
            quote!(let mut ap_total = <#ty as ap_generated::Reducible>::identity::<AP_OPERATOR>();),
            quote!(ap_total),
            quote!(::core::option::Option::Some(::apportion::kernel::Element::to_scalar(ap_value))),
        )
    } else {
        // One body for all operators.
        (
            quote!(0),
            quote!(()),
            quote!(),
            quote!(),
            quote!({
                let () = ap_value;
                ::core::option::Option::None
            }),
        )
    };
    let constants = constants(f);
    let (scalars, scalar_types): (Vec<_>, Vec<_>) = scalars.into_iter().unzip();
    let (slices, slice_types): (Vec<_>, Vec<_>) = slices.into_iter().unzip();
    let quiet = quote!(#[allow(clippy::all, clippy::pedantic, non_snake_case, unused_imports, unused_mut, unused_variables,
        unused_parens, unused_assignments, unused_labels, unreachable_code)]);
    quote! {
        #quiet
        impl ::apportion::kernel::generated::HostLoop for #name {
            fn run<const AP_OPERATOR: u8>(
                ap_range: ::core::ops::Range<usize>,
                ap_arguments: &mut [::apportion::kernel::HostArgument<'_>],
            ) -> ::core::option::Option<::apportion::kernel::Scalar> {
                use ::apportion::kernel::generated as ap_generated;
                let [#(#names),*] = ap_arguments else {
                    unreachable!("the number of arguments is compared before the loop starts")
                };
                #(#taken)*
                let (ap_from, ap_to) = (ap_range.start, ap_range.end);
                let ap_value = ap_generated::best::<Self, #operator, _, _>((#(#scalars,)*), (#(#slices,)*));
                #value
            }
        }

        #quiet
        impl<'ap> ::apportion::kernel::generated::Body<(#(#scalar_types,)*), (#(#slice_types,)*)> for #name {
            type Value = #result;

            #[inline(always)]
            fn run<const AP_OPERATOR: u8>(
                (#(#scalars,)*): (#(#scalar_types,)*),
                (#(#slices,)*): (#(#slice_types,)*),
            ) -> #result {
                use ::apportion::kernel::generated::{self as ap_generated, Reducible as _};
                #constants
                #begin
                #body
                #end
            }
        }
    }
}
