//! A function with type parameters becomes a kernel for each of the types that the attribute names, and a front with the
//! function's own name that chooses among them by `Element::TYPE`. The type parameters are replaced before anything else is
//! read, so an instance is what the same function written by hand for its types would be.

use crate::access;
use crate::bind;
use crate::cost;
use crate::expand;
use crate::ir::{Function, Param, Ty};
use crate::parse::{Options, generic_parameter};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, FnArg, GenericParam, ItemFn, Pat, Result, Type};

/// One combination of types: each type parameter's name, and the type in its place.
type Choice = Vec<(Ident, Ty)>;

/// Makes all instances, and the front.
pub fn expand(options: &Options, item: &ItemFn) -> Result<TokenStream> {
    check_parameters(options, item)?;
    let mut all = TokenStream::new();
    let mut instances = Vec::new();
    let options = &options.clone().passing(of_parameters(options, item));
    for choice in choices(&options.types) {
        let instance = instance(item, &choice)?;
        all.extend(expand::kernel(options, instance.clone())?);
        instances.push((choice, instance));
    }
    let Some((_, first)) = instances.first() else { return Ok(all) };
    let (f, _) = expand::read(options, &mut first.clone())?;
    let front = Front { item, f: &f, instances: &instances };
    all.extend(if f.helper { front.of_helper() } else { front.of_kernel() });
    Ok(all)
}

/// Checks that the function's type parameters are the attribute's, without bounds: the body is read anew for each type.
fn check_parameters(options: &Options, item: &ItemFn) -> Result<()> {
    let named = |ident: &Ident| options.types.iter().any(|(name, _)| name == ident);
    let mut declared = Vec::new();
    for parameter in &item.sig.generics.params {
        let GenericParam::Type(ty) = parameter else {
            return Err(generic_parameter(parameter));
        };
        if !named(&ty.ident) {
            return Err(generic_parameter(parameter));
        }
        if !ty.bounds.is_empty() || ty.default.is_some() {
            let text =
                format!("`{0}` stands for the types that the attribute names: write `<{0}>`, without bounds", ty.ident);
            return Err(Error::new_spanned(parameter, text));
        }
        declared.push(&ty.ident);
    }
    if let Some(clause) = &item.sig.generics.where_clause {
        return Err(Error::new_spanned(
            clause,
            "a kernel's type parameters have no bounds: the attribute names their types",
        ));
    }
    match options.types.iter().find(|(name, _)| !declared.contains(&name)) {
        Some((name, _)) => {
            let text = format!("the function has no type parameter `{name}`: write `fn {}<{name}>`", item.sig.ident);
            Err(Error::new_spanned(name, text))
        }
        None => Ok(()),
    }
}

/// All combinations of the parameters' types.
fn choices(types: &[(Ident, Vec<Ty>)]) -> Vec<Choice> {
    types.iter().fold(vec![Vec::new()], |choices, (name, list)| {
        let with = |choice: &Choice| {
            let choice = choice.clone();
            list.iter().map(move |ty| choice.iter().cloned().chain([(name.clone(), *ty)]).collect())
        };
        choices.iter().flat_map(with).collect()
    })
}

/// The end of an instance's name; calls of helpers with these types have it too.
pub fn suffix(types: impl IntoIterator<Item = String>) -> String {
    types.into_iter().map(|ty| format!("_{ty}")).collect()
}

/// The function's parameters whose type is a type parameter.
fn of_parameters(options: &Options, item: &ItemFn) -> Vec<Ident> {
    let named = |path: &syn::Path| options.types.iter().any(|(name, _)| path.is_ident(name));
    let of = |input: &FnArg| match input {
        FnArg::Typed(input) => match (&*input.pat, &*input.ty) {
            (Pat::Ident(pattern), Type::Path(ty)) if named(&ty.path) => Some(pattern.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    };
    item.sig.inputs.iter().filter_map(of).collect()
}

fn instance(item: &ItemFn, choice: &Choice) -> Result<ItemFn> {
    let mut instance = item.clone();
    instance.sig.generics = Default::default();
    let mut instance: ItemFn = syn::parse2(replaced(instance.into_token_stream(), choice))?;
    instance.sig.ident = format_ident!("{}{}", item.sig.ident, suffix(choice.iter().map(|(_, ty)| ty.name().into())));
    instance.attrs.push(syn::parse_quote!(#[doc(hidden)]));
    Ok(instance)
}

/// Puts types in place of the type parameters. Spans stay, so errors still point at the source.
fn replaced(tokens: TokenStream, choice: &Choice) -> TokenStream {
    let of = |tree: TokenTree| match tree {
        TokenTree::Ident(ident) => match choice.iter().find(|(name, _)| *name == ident) {
            Some((_, ty)) => Ident::new(ty.name(), ident.span()).into(),
            None => ident.into(),
        },
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), replaced(group.stream(), choice));
            new.set_span(group.span());
            new.into()
        }
        other => other,
    };
    tokens.into_iter().map(of).collect()
}

struct Front<'a> {
    item: &'a ItemFn,
    /// The first instance.
    f: &'a Function,
    instances: &'a [(Choice, ItemFn)],
}

impl Front<'_> {
    fn types(&self) -> Vec<&Ident> {
        self.instances[0].0.iter().map(|(name, _)| name).collect()
    }

    fn docs(&self) -> impl Iterator<Item = &syn::Attribute> {
        self.item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"))
    }

    /// The declared type of a parameter, with type parameters in it.
    fn declared(&self, name: &Ident) -> Option<&Type> {
        self.item.sig.inputs.iter().find_map(|input| match input {
            FnArg::Typed(input) => match &*input.pat {
                Pat::Ident(pattern) if pattern.ident == *name => Some(&*input.ty),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
    }

    /// An expression that chooses the instance by the type parameters at compile time.
    fn choose(&self, of: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let types = self.types();
        let mut patterns = Vec::new();
        let mut values = Vec::new();
        for (choice, instance) in self.instances {
            let elements = choice.iter().map(|(_, ty)| {
                let element = format_ident!("{}", ty.name().to_uppercase());
                quote!(::apportion::kernel::ElementType::#element)
            });
            patterns.push(quote!((#(#elements,)*)));
            values.push(of(&instance.sig.ident));
        }
        let lists = self.instances.iter().map(|(choice, _)| {
            let names: Vec<_> = choice.iter().map(|(_, ty)| ty.name()).collect();
            names.join(", ")
        });
        let lists: Vec<_> = lists.collect();
        let message = format!("`{}` is a kernel for {}, and no other types", self.item.sig.ident, lists.join(" and "));
        quote! {{
            const { ::core::assert!(::core::matches!((#(<#types as ::apportion::kernel::Element>::TYPE,)*), #(#patterns)|*), #message) };
            match (#(<#types as ::apportion::kernel::Element>::TYPE,)*) {
                #(#patterns => #values,)*
                _ => ::core::unreachable!(),
            }
        }}
    }

    /// A type with the function's name. Its functions choose those of an instance.
    fn namespace(&self, functions: &TokenStream) -> TokenStream {
        let (vis, name, types) = (&self.item.vis, &self.item.sig.ident, self.types());
        let about = format!("What `#[kernel]` derived for [`{name}`](fn@{name}), for each of its types.");
        quote! {
            #[doc = #about]
            #[allow(non_camel_case_types)]
            #vis struct #name<#(#types),*> {
                ap_types: ::core::marker::PhantomData<(#(#types,)*)>,
            }

            #[allow(clippy::all, clippy::pedantic, dead_code)]
            impl<#(#types: ::apportion::kernel::Element),*> #name<#(#types),*> {
                #functions
            }
        }
    }

    fn of_kernel(&self) -> TokenStream {
        let (vis, name, types, docs) = (&self.item.vis, &self.item.sig.ident, self.types(), self.docs());
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        let (mut scalar_parameters, mut scalar_arguments) = (Vec::new(), Vec::new());
        if let Some(&second) = self.f.indices.get(1) {
            let name = &self.f.vars[second].ident;
            let parameter = quote!(#name: ::core::ops::Range<usize>);
            parameters.push(parameter.clone());
            scalar_parameters.push(parameter);
            arguments.push(quote!(#name));
            scalar_arguments.push(quote!(#name));
        }
        for param in &self.f.params {
            match *param {
                Param::Scalar(v) if self.f.is_count(v) => {}
                Param::Scalar(v) => {
                    let name = &self.f.vars[v].ident;
                    let ty = self.declared(name);
                    let argument = self.cast(ty, name);
                    scalar_parameters.push(quote!(#name: #ty));
                    scalar_arguments.push(argument.clone());
                    if self.is_parameter(ty) {
                        parameters.push(quote!(#name: impl ::apportion::kernel::ScalarArgument<#ty>));
                        arguments.push(quote!(ap_generated::same_scalar::<#ty, _>(#name)));
                    } else if self.f.late.contains(&v) {
                        parameters.push(quote!(#name: impl ::apportion::kernel::ScalarArgument<#ty>));
                        arguments.push(quote!(#name));
                    } else {
                        parameters.push(quote!(#name: #ty));
                        arguments.push(argument);
                    }
                }
                Param::Array(array) => {
                    let array = &self.f.arrays[array];
                    let (name, kind) =
                        (&array.ident, if array.mutable { quote!(WriteArray) } else { quote!(ReadArray) });
                    let element = element(self.declared(name));
                    parameters.push(quote!(#name: impl ::apportion::kernel::#kind<'ap, #element>));
                    let of = match element {
                        Some(Type::Array(array)) => Some(&*array.elem),
                        other => other,
                    };
                    arguments.push(if self.is_parameter(of) {
                        quote!(ap_generated::same_array::<#element, _>(#name))
                    } else {
                        quote!(#name)
                    });
                }
            }
        }
        let bound = self.choose(|instance| quote!(#instance(#(#arguments),*)));
        let grows = bind::grows(self.f, &cost::of(&access::collect(self.f)));
        if grows {
            scalar_parameters.push(quote!(last: usize));
            scalar_arguments.push(quote!(last));
        }
        let cost = self.choose(|instance| quote!(#instance::cost(#(#scalar_arguments),*)));
        let maps = self.choose(|instance| quote!(#instance::maps()));
        let kernel = self.choose(|instance| quote!(#instance::kernel()));
        let cuda = self.choose(|instance| quote!(#instance::cuda_source()));
        let opencl = self.choose(|instance| quote!(#instance::opencl_source()));
        let namespace = self.namespace(&quote! {
            /// Direction, distribution and halo of each array, and the cost of an iteration, in words.
            pub fn maps() -> ::apportion::kernel::Maps {
                #maps
            }

            /// What an iteration costs with these arguments.
            pub fn cost(#(#scalar_parameters),*) -> ::apportion::kernel::Cost {
                #[allow(unused_imports)]
                use ::apportion::kernel::generated as ap_generated;
                #cost
            }

            /// The kernel with all its variants, without a cost; for a reduction, the one of a sum.
            pub fn kernel() -> ::apportion::kernel::Kernel {
                #kernel
            }

            /// The CUDA C text.
            pub fn cuda_source() -> &'static str {
                #cuda
            }

            /// The OpenCL C text.
            pub fn opencl_source() -> &'static str {
                #opencl
            }
        });
        quote! {
            #(#docs)*
            #[allow(clippy::too_many_arguments, clippy::needless_lifetimes)]
            #vis fn #name<'ap, #(#types: ::apportion::kernel::Element),*>(#(#parameters),*) -> ::apportion::kernel::Bound<'ap> {
                #[allow(unused_imports)]
                use ::apportion::kernel::generated as ap_generated;
                #bound
            }

            #namespace
        }
    }

    fn of_helper(&self) -> TokenStream {
        let (vis, name, types, docs) = (&self.item.vis, &self.item.sig.ident, self.types(), self.docs());
        let (inputs, output) = (&self.item.sig.inputs, &self.item.sig.output);
        let names = inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => match &*input.pat {
                Pat::Ident(pattern) => Some((&pattern.ident, &*input.ty)),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let (names, declared): (Vec<_>, Vec<_>) = names.unzip();
        let arguments: Vec<_> = names.iter().zip(&declared).map(|(name, ty)| self.cast(Some(*ty), name)).collect();
        let generic = match output {
            syn::ReturnType::Type(_, ty) => self.is_parameter(Some(&**ty)),
            syn::ReturnType::Default => false,
        };
        let value = self.choose(|instance| {
            let value = quote!(#instance(#(#arguments),*));
            if generic { quote!(ap_generated::same(#value)) } else { value }
        });
        let flops = self.choose(|instance| quote!(#instance::AP_FLOPS));
        let reports = self.choose(|instance| quote!(#instance::AP_REPORTS));
        let sources = self.choose(|instance| quote!(#instance::ap_sources(ap_into)));
        let namespace = self.namespace(&quote! {
            /// Operations of a call.
            #[doc(hidden)]
            pub const AP_FLOPS: i128 = #flops;

            /// Whether it reports indices outside of local arrays.
            #[doc(hidden)]
            pub const AP_REPORTS: bool = #reports;

            #[doc(hidden)]
            pub fn ap_sources(ap_into: &mut ::apportion::kernel::generated::Sources) -> ::std::string::String {
                #sources
            }
        });
        quote! {
            #(#docs)*
            #[inline]
            #[allow(clippy::too_many_arguments)]
            #vis fn #name<#(#types: ::apportion::kernel::Element),*>(#(#names: #declared),*) #output {
                #[allow(unused_imports)]
                use ::apportion::kernel::generated as ap_generated;
                #value
            }

            #namespace
        }
    }

    /// A scalar or a local array, converted to the instance's type.
    fn cast(&self, ty: Option<&Type>, name: &Ident) -> TokenStream {
        match ty {
            Some(Type::Array(array)) if self.is_parameter(Some(&*array.elem)) => {
                quote!(ap_generated::same_values(#name))
            }
            Some(Type::Reference(reference)) => match &*reference.elem {
                Type::Array(array) if self.is_parameter(Some(&*array.elem)) => {
                    quote!(&ap_generated::same_values(*#name))
                }
                _ => quote!(#name),
            },
            ty if self.is_parameter(ty) => quote!(ap_generated::same(#name)),
            _ => quote!(#name),
        }
    }

    fn is_parameter(&self, ty: Option<&Type>) -> bool {
        match ty {
            Some(Type::Path(path)) => self.types().into_iter().any(|name| path.path.is_ident(name)),
            _ => false,
        }
    }
}

/// The element of `&[T]` and `&mut [T]`.
fn element(ty: Option<&Type>) -> Option<&Type> {
    let Some(Type::Reference(reference)) = ty else { return None };
    match &*reference.elem {
        Type::Slice(slice) => Some(&slice.elem),
        _ => None,
    }
}
