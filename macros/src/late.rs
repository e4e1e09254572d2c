//! Scalars that may be results of earlier loops: a text for CUDA takes them by address too, so that the host need not wait.

use crate::checked;
use crate::ir::{Function, Param, VarId};
use crate::parse::MapWord;
use crate::prelude::Dialect;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;

/// As many arguments have a bit of their own.
const BITS: usize = 64;

/// Floats that are the kernel's alone: indices, lengths and costs do not depend on floats, and the words of maps name others.
pub fn scalars(f: &Function, words: &[MapWord]) -> BTreeSet<VarId> {
    let scalars = f.params.iter().filter_map(|param| match *param {
        Param::Scalar(v) if f.vars[v].ty.is_float() && checked::argument_of(f, *param) < BITS => Some(v),
        _ => None,
    });
    scalars.filter(|v| !words.iter().any(|word| names(word, &f.vars[*v].ident.to_string()))).collect()
}

/// Whether a map's words name a variable.
pub fn names(word: &MapWord, name: &str) -> bool {
    let halo = word.halo.iter().flat_map(|(left, right)| [left, right]);
    word.rows.iter().chain(&word.ratio).chain(halo).any(|expression| has(expression.to_token_stream(), name))
}

fn has(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        _ => false,
    })
}

/// The numbers of these arguments.
pub fn arguments(f: &Function) -> Vec<usize> {
    f.late.iter().map(|v| checked::argument_of(f, Param::Scalar(*v))).collect()
}

/// Where the text takes a scalar by address.
fn condition(f: &Function, v: VarId, dialect: Dialect) -> Option<String> {
    let late = dialect == Dialect::Cuda && f.late.contains(&v);
    late.then(|| format!("#if APPORTION_LATER >> {} & 1", checked::argument_of(f, Param::Scalar(v))))
}

/// A scalar as a parameter of the entry.
pub fn parameter(f: &Function, v: VarId, dialect: Dialect) -> String {
    let (c, name) = (f.vars[v].ty.c(), &f.vars[v].name);
    match condition(f, v, dialect) {
        None => format!("const {c} {name}"),
        Some(condition) => format!("\n{condition}\nconst {c} *ap_at_{name}\n#else\nconst {c} {name}\n#endif\n"),
    }
}

/// What an entry begins with: the scalars that it takes by address.
pub fn taken(f: &Function, dialect: Dialect) -> String {
    let of = |v: &VarId| {
        let (c, name) = (f.vars[*v].ty.c(), &f.vars[*v].name);
        Some(format!("{}\n    const {c} {name} = *ap_at_{name};\n#endif\n", condition(f, *v, dialect)?))
    };
    f.late.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand;
    use crate::parse::Options;

    /// The function that binds the arguments, and that of the cost, as tokens.
    fn functions(item: &str) -> Vec<syn::ItemFn> {
        let item: syn::ItemFn = syn::parse_str(item).unwrap();
        let name = item.sig.ident.clone();
        let file: syn::File = syn::parse2(expand::kernel(&Options::default(), item).unwrap()).unwrap();
        let mut found = Vec::new();
        for item in file.items {
            match item {
                syn::Item::Fn(function) if function.sig.ident == name => found.push(function),
                syn::Item::Impl(of) => found.extend(of.items.into_iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(f) if f.sig.ident == "cost" => {
                        Some(syn::ItemFn { attrs: Vec::new(), vis: f.vis, sig: f.sig, block: Box::new(f.block) })
                    }
                    _ => None,
                })),
                _ => {}
            }
        }
        found
    }

    fn mentions(tokens: TokenStream, name: &str) -> usize {
        let of = |token| match token {
            TokenTree::Group(group) => mentions(group.stream(), name),
            TokenTree::Ident(ident) => usize::from(ident == name),
            _ => 0,
        };
        tokens.into_iter().map(of).sum()
    }

    #[test]
    fn the_host_computes_nothing_with_a_scalar_that_may_come_later() {
        for body in [
            "y[i] = alpha * x[i];",
            "let mut sum = 0.0; for k in 0..alpha as usize { sum += x[k]; } y[i] = sum;",
            "let mut sum = 0.0; for k in i..i + alpha as usize + 2 { sum += x[k]; } y[i] = sum;",
            "y[i] = x[(alpha * 2.0) as usize + i];",
            "let n = alpha as usize; if n > 3 { y[i] = x[i + 4 * n]; }",
            "let mut k = 0; while (k as f64) < alpha { y[i] += x[k]; k += 1; }",
        ] {
            let all = functions(&format!(
                "#[map(x: full)] fn f(i: usize, alpha: f64, x: &[f64], y: &mut [f64]) {{ {body} }}"
            ));
            assert_eq!(all.len(), 2, "{body}");
            for function in all {
                let uses = mentions(function.block.to_token_stream(), "alpha");
                // It is taken apart once.
                assert_eq!(uses, usize::from(function.sig.ident == "f"), "{}", function.to_token_stream());
            }
        }
    }

    #[test]
    fn a_scalar_that_words_name_is_there_before_the_loop() {
        let takes = |words: &str| {
            let item = format!(
                "#[map(x: {words})] fn f(i: usize, alpha: f32, x: &[f32], y: &mut [f32]) {{ y[i] = alpha * x[3 * i]; }}"
            );
            let mut item: syn::ItemFn = syn::parse_str(&item).unwrap();
            let (f, _) = expand::read(&Options::default(), &mut item).unwrap();
            arguments(&f)
        };
        assert_eq!(takes("rows(3)"), [0]);
        assert_eq!(takes("rows(alpha as usize)"), []);
        assert_eq!(takes("full"), [0]);
    }
}
