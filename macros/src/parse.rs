//! What the attribute and the signature state: indices, parameters, and the user's maps.

use crate::ir::{Array, Function, Param, Ty, Var};
use crate::names;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::fmt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, FnArg, GenericParam, ItemFn, Pat, Result, ReturnType, Token, Type};

/// `#[kernel]`, `#[kernel(helper)]`, `#[kernel(i)]`, `#[kernel(i, j)]`; and `reorder`, `const N: usize` and `T = f32 | f64` in
/// any of them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    names: Vec<Ident>,
    constants: Vec<(Ident, Ty)>,
    reorder: Option<Ident>,
    /// Type parameters, and the types that each stands for.
    pub types: Vec<(Ident, Vec<Ty>)>,
    /// Parameters whose type is one of them.
    pub passed: Vec<Ident>,
}

/// One option.
enum Word {
    Name(Ident),
    Constant(Ident, Ty),
    Types(Ident, Vec<Type>),
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(Token![const]) {
            let name = input.parse()?;
            if !input.peek(Token![=]) {
                return Ok(Self::Name(name));
            }
            input.parse::<Token![=]>()?;
            let types = Punctuated::<Type, Token![|]>::parse_separated_nonempty(input)?;
            return Ok(Self::Types(name, types.into_iter().collect()));
        }
        input.parse::<Token![const]>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty: Type = input.parse()?;
        let Some(ty) = scalar_type(&ty) else {
            return Err(Error::new_spanned(
                ty,
                "a constant of a kernel is a scalar: f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize, bool; pass an array as a parameter, \
                 or write it in the function, `let w = [..];`",
            ));
        };
        Ok(Self::Constant(name, ty))
    }
}

/// The types that a type parameter stands for.
fn types(list: Vec<Type>) -> Result<Vec<Ty>> {
    let mut types = Vec::new();
    for ty in list {
        match scalar_type(&ty).filter(|ty| !matches!(ty, Ty::Usize | Ty::Bool)) {
            Some(known) if types.contains(&known) => return Err(Error::new_spanned(ty, "this type is named twice")),
            Some(known) => types.push(known),
            None => {
                return Err(Error::new_spanned(
                    ty,
                    "a type parameter of a kernel stands for types of elements: f32, f64, i8, u8, i16, u16, i32, u32, i64, u64",
                ));
            }
        }
    }
    Ok(types)
}

impl Options {
    /// For the instances of a generic function, which passes on these parameters.
    pub fn passing(mut self, passed: Vec<Ident>) -> Self {
        self.passed = passed;
        self
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let words = Punctuated::<Word, Token![,]>::parse_terminated(input).map_err(|e| {
            let what = "expected nothing, `helper`, the names of one or two loop indices, `reorder`, `const NAME: TYPE` or \
                        `T = f32 | f64`";
            Error::new(e.span(), format!("{what}: {e}"))
        })?;
        let mut options = Self::default();
        for word in words {
            match word {
                Word::Name(name) if name == "reorder" => options.reorder = Some(name),
                Word::Name(name) => options.names.push(name),
                Word::Constant(name, ty) => options.constants.push((name, ty)),
                Word::Types(name, _) if options.types.iter().any(|(other, _)| *other == name) => {
                    return Err(Error::new_spanned(name, "this type parameter is named twice"));
                }
                Word::Types(name, list) => options.types.push((name, types(list)?)),
            }
        }
        Ok(options)
    }
}

/// The content of `#[map(array: ..)]` for an array.
#[derive(Clone, Debug)]
pub struct MapWord {
    pub array: Ident,
    pub full: bool,
    /// Elements per row.
    pub rows: Option<Expr>,
    /// The array whose numbers say where rows begin.
    pub rows_at: Option<Ident>,
    /// Rows per iteration.
    pub ratio: Option<Expr>,
    /// Rows before and after.
    pub halo: Option<(Expr, Expr)>,
    /// `to`, `from` or `tofrom`.
    pub direction: Option<Ident>,
    /// The operator by which all iterations contribute to it.
    pub reduce: Option<Ident>,
    /// The user's promise that iterations write only their own rows, if given.
    pub promised: Option<Span>,
}

impl MapWord {
    /// Whether it says which rows an iteration has.
    pub fn has_rows(&self) -> bool {
        self.rows.is_some() || self.rows_at.is_some()
    }

    /// Whether it determines how the rows are divided.
    pub fn distributes(&self) -> bool {
        self.full || self.has_rows() || self.reduce.is_some()
    }
}

/// As one would write it, without the array's name.
impl fmt::Display for MapWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |e: &Expr| e.to_token_stream().to_string();
        let mut words = Vec::new();
        words.extend(self.promised.map(|_| "unsafe".to_owned()));
        words.extend(self.direction.as_ref().map(ToString::to_string));
        words.extend(self.full.then(|| "full".to_owned()));
        words.extend(self.reduce.as_ref().map(|operator| format!("reduce({operator})")));
        words.extend(self.rows_at.as_ref().map(|at| format!("rows_at({at})")));
        words.extend(self.rows.as_ref().map(text).map(|rows| match rows.as_str() {
            "1" => "align".to_owned(),
            rows => format!("rows({rows})"),
        }));
        words.extend(self.ratio.as_ref().map(|ratio| format!("ratio({})", text(ratio))));
        words.extend(self.halo.as_ref().map(|(left, right)| match (text(left), text(right)) {
            (left, right) if left == right => format!("halo({left})"),
            (left, right) => format!("halo({left}, {right})"),
        }));
        f.write_str(&words.join(" "))
    }
}

struct MapWords(Vec<MapWord>);

impl Parse for MapWords {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self(Punctuated::<MapWord, Token![,]>::parse_terminated(input)?.into_iter().collect()))
    }
}

impl Parse for MapWord {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let array: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let mut map = Self {
            array,
            full: false,
            rows: None,
            rows_at: None,
            ratio: None,
            halo: None,
            direction: None,
            reduce: None,
            promised: None,
        };
        let mut said = false;
        while !input.is_empty() && !input.peek(Token![,]) {
            if input.peek(Token![unsafe]) {
                map.promised = Some(input.parse::<Token![unsafe]>()?.span());
                continue;
            }
            let word: Ident = input.parse()?;
            said = true;
            let values = |input: ParseStream<'_>| -> Result<Vec<Expr>> {
                let list;
                syn::parenthesized!(list in input);
                Ok(Punctuated::<Expr, Token![,]>::parse_terminated(&list)?.into_iter().collect())
            };
            let one = |input: ParseStream<'_>| -> Result<Expr> {
                let mut list = values(input)?;
                if list.len() == 1 {
                    Ok(list.remove(0))
                } else {
                    Err(Error::new_spanned(&word, format!("`{word}` takes one value, `{word}(n)`")))
                }
            };
            match word.to_string().as_str() {
                "full" => map.full = true,
                "align" => map.rows = Some(syn::parse_quote!(1)),
                "rows" => map.rows = Some(one(input)?),
                "rows_at" => {
                    let list;
                    syn::parenthesized!(list in input);
                    let names = Punctuated::<Ident, Token![,]>::parse_terminated(&list);
                    let name = names.ok().filter(|names| names.len() == 1 && map.rows_at.is_none());
                    let name = name.and_then(|names| names.into_iter().next()).ok_or_else(|| {
                        Error::new_spanned(
                            &word,
                            "`rows_at` takes the one array whose numbers say where the elements of an iteration begin: \
                             `rows_at(starts)`",
                        )
                    })?;
                    map.rows_at = Some(name);
                }
                "ratio" => map.ratio = Some(one(input)?),
                "halo" => {
                    let mut list = values(input)?;
                    map.halo = match list.len() {
                        1 => Some((list[0].clone(), list.remove(0))),
                        2 => Some((list.remove(0), list.remove(0))),
                        _ => {
                            return Err(Error::new_spanned(
                                &word,
                                "`halo` takes one number of rows, or one for each side: `halo(1)`, `halo(2, 1)`",
                            ));
                        }
                    };
                }
                "reduce" => {
                    if !input.peek(syn::token::Paren) {
                        return Err(Error::new_spanned(&word, "`reduce` takes an operator: `reduce(Sum)`"));
                    }
                    let list;
                    syn::parenthesized!(list in input);
                    map.reduce = Some(list.parse()?);
                }
                "to" | "from" | "tofrom" => map.direction = Some(word),
                _ => {
                    return Err(Error::new_spanned(
                        &word,
                        "a map is made of `full`, `align`, `rows(n)`, `rows_at(starts)`, `ratio(k)`, `halo(h)`, `halo(before, after)`, \
                         `reduce(Sum)`, `to`, `from`, `tofrom` and `unsafe`",
                    ));
                }
            }
        }
        if !said {
            return Err(Error::new_spanned(
                &map.array,
                "the map says nothing: write `full`, `align`, `rows(n)`, `rows_at(starts)`, `reduce(Sum)` or a direction behind the \
                 name",
            ));
        }
        if map.full && (map.has_rows() || map.ratio.is_some() || map.halo.is_some()) {
            return Err(Error::new_spanned(
                &map.array,
                "an array is either `full` or has rows that follow the loop: leave one of them out",
            ));
        }
        if map.reduce.is_some() && (map.full || map.direction.is_some() || map.has_rows()) {
            return Err(Error::new_spanned(
                &map.array,
                "`reduce(..)` says all of it: every device has the whole array, and all are combined",
            ));
        }
        if let Some(promised) = map.promised.filter(|_| !map.has_rows()) {
            return Err(Error::new(
                promised,
                "`unsafe` is the word that iterations write to the rows that the map gives them, and no others: say which, \
                 `unsafe rows(n)`",
            ));
        }
        if map.rows_at.is_some() && (map.rows.is_some() || map.ratio.is_some() || map.halo.is_some()) {
            return Err(Error::new_spanned(
                &map.array,
                "`rows_at(..)` says which elements an iteration has: leave the other rows, ratio and halo out",
            ));
        }
        if map.rows.is_none() && (map.ratio.is_some() || map.halo.is_some()) {
            return Err(Error::new_spanned(&map.array, "`ratio` and `halo` are of rows: say `align` or `rows(n)` too"));
        }
        Ok(map)
    }
}

/// Removes the attributes `#[map(..)]` from the function.
pub fn map_words(attributes: &mut Vec<Attribute>) -> Result<Vec<MapWord>> {
    let mut words = Vec::new();
    for attribute in attributes.extract_if(.., |attribute| attribute.path().is_ident("map")) {
        words.extend(attribute.parse_args::<MapWords>()?.0);
    }
    Ok(words)
}

/// Leaves out the lifetimes that a function declares: what it borrows, it borrows for a loop.
pub fn without_lifetimes(item: &mut ItemFn) {
    let sig = &mut item.sig;
    let declared: Vec<_> = sig.generics.lifetimes().map(|of| of.lifetime.clone()).collect();
    if declared.is_empty() {
        return;
    }
    let others = std::mem::take(&mut sig.generics.params).into_iter();
    sig.generics.params = others.filter(|of| !matches!(of, GenericParam::Lifetime(_))).collect();
    if sig.generics.params.is_empty() {
        (sig.generics.lt_token, sig.generics.gt_token) = (None, None);
    }
    if let Some(clause) = &mut sig.generics.where_clause {
        let others = std::mem::take(&mut clause.predicates).into_iter();
        clause.predicates = others.filter(|of| !matches!(of, syn::WherePredicate::Lifetime(_))).collect();
    }
    sig.generics.where_clause.take_if(|clause| clause.predicates.is_empty());
    for input in &mut sig.inputs {
        if let FnArg::Typed(input) = input
            && let Type::Reference(reference) = &mut *input.ty
        {
            reference.lifetime.take_if(|of| declared.contains(of));
        }
    }
}

/// The function without its body.
pub fn signature(options: &Options, item: &ItemFn) -> Result<Function> {
    let sig = &item.sig;
    let refuse = |span: Span, what: &str| Err(Error::new(span, what));
    if let Some(token) = &sig.asyncness {
        return refuse(token.span(), "a kernel is a plain function: not `async`");
    }
    if let Some(token) = &sig.unsafety {
        return refuse(
            token.span(),
            "a kernel is a plain function: not `unsafe`; `#[map(..)]` says what cannot be proved",
        );
    }
    if let Some(token) = &sig.abi {
        return refuse(token.span(), "a kernel is a plain function: no `extern`");
    }
    if let Some(parameter) = sig.generics.params.first() {
        return Err(generic_parameter(parameter));
    }
    let helper = options.names.iter().any(|name| name == "helper");
    if let Some(name) = options.names.iter().find(|name| helper && **name != "helper") {
        return refuse(name.span(), "a helper has no loop index: it gets what it needs as parameters");
    }
    let mut function = Function {
        ident: sig.ident.clone(),
        helper,
        indices: Vec::new(),
        params: Vec::new(),
        vars: Vec::new(),
        arrays: Vec::new(),
        result: result(&sig.output)?,
        body: Vec::new(),
        helpers: Vec::new(),
        quotients: Default::default(),
        leasts: Default::default(),
        reorder: options.reorder.is_some(),
        constants: Vec::new(),
        references: Default::default(),
        counts: Default::default(),
        unproved: Default::default(),
        stated: Default::default(),
        unclaimed: false,
        pitches: Default::default(),
        late: Default::default(),
        passed: Default::default(),
    };
    for input in &sig.inputs {
        parameter(&mut function, input)?;
    }
    for v in 0..function.vars.len() {
        // Again, as arrays after a scalar have names too.
        function.vars[v].name = names::unique(&function.vars[v].ident, &function.vars[..v], &function.arrays);
    }
    if let Some(word) = options.reorder.as_ref().filter(|_| helper) {
        return refuse(word.span(), "a helper has no loops over arrays: say `reorder` of the kernel");
    }
    for (ident, ty) in &options.constants {
        let same = |other: &Ident| other == ident;
        if function.vars.iter().any(|var| same(&var.ident)) || function.arrays.iter().any(|array| same(&array.ident)) {
            return refuse(ident.span(), "there is another parameter or constant of this name");
        }
        // No user's name begins with `ap_`, in C or in Rust.
        let name = format!("ap_const_{}_{}", names::plain(&sig.ident.to_string()), names::plain(&ident.to_string()));
        function.constants.push(function.vars.len());
        function.vars.push(Var { ident: ident.clone(), name, ty: *ty, mutable: false, len: None });
    }
    if helper {
        if let Some(array) = function.arrays.first() {
            return refuse(
                array.ident.span(),
                "a helper takes scalars and arrays of known length, `[f32; 4]` or `&[f32; 4]`: read the elements in the kernel",
            );
        }
        if function.result == Ty::Unit {
            return refuse(sig.ident.span(), "a helper returns a value: `-> f32`, say");
        }
        return Ok(function);
    }
    choose_indices(options, item, &mut function)?;
    if let Some(result) = Some(function.result).filter(|ty| matches!(ty, Ty::Bool | Ty::Usize)) {
        return refuse(
            returned(&sig.output),
            &format!("a kernel returns nothing or a number to reduce, not `{}`: cast it, to u64 say", result.name()),
        );
    }
    Ok(function)
}

fn choose_indices(options: &Options, item: &ItemFn, function: &mut Function) -> Result<()> {
    let is_index =
        |function: &Function, param: Param| matches!(param, Param::Scalar(v) if function.vars[v].ty == Ty::Usize);
    let mut indices = Vec::new();
    if options.names.is_empty() {
        match function.params.first() {
            Some(&Param::Scalar(v)) if is_index(function, Param::Scalar(v)) => indices.push(v),
            _ => {
                return Err(Error::new(
                    item.sig.inputs.first().map_or(item.sig.ident.span(), Spanned::span),
                    "the first parameter is the loop index, `i: usize`; a function that kernels call says \
                     `#[kernel(helper)]`",
                ));
            }
        }
    }
    if options.names.len() > 2 {
        return Err(Error::new(
            options.names[2].span(),
            "a kernel has one or two loop indices: make the others `for` loops",
        ));
    }
    for name in &options.names {
        let found = function.vars.iter().position(|var| var.ident == *name);
        match found.filter(|&v| is_index(function, Param::Scalar(v))) {
            Some(v) if !indices.contains(&v) => indices.push(v),
            _ => {
                let text = format!("`{name}` is no parameter of type usize: name one or two of these as loop indices");
                return Err(Error::new_spanned(name, text));
            }
        }
    }
    function.params.retain(|param| !matches!(param, Param::Scalar(v) if indices.contains(v)));
    function.indices = indices;
    Ok(())
}

/// The position of the returned type.
fn returned(output: &ReturnType) -> Span {
    match output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => output.span(),
    }
}

fn result(output: &ReturnType) -> Result<Ty> {
    match output {
        ReturnType::Default => Ok(Ty::Unit),
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Ty::Unit),
            ty => scalar_type(ty).ok_or_else(|| {
                Error::new_spanned(
                    ty,
                    "a kernel returns nothing, or one number per iteration: write other results to a `&mut [T]`",
                )
            }),
        },
    }
}

/// The error for a generic parameter that is no type of the attribute's.
pub fn generic_parameter(parameter: &GenericParam) -> Error {
    let text = match parameter {
        // Left out before.
        GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_string(),
        GenericParam::Const(constant) => format!(
            "a kernel has no const parameters, as GPUs get values when the loop runs: pass `{0}` as a parameter, or name a \
             `const` of the program, `#[kernel(const {0}: usize)]`",
            constant.ident
        ),
        GenericParam::Type(ty) => {
            format!("which types `{0}` stands for is missing: `#[kernel({0} = f32 | f64)]`", ty.ident)
        }
    };
    Error::new_spanned(parameter, text)
}

/// A scalar type of the language.
pub fn scalar_type(ty: &Type) -> Option<Ty> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Ty::named(&path.path.get_ident()?.to_string()),
        Type::Paren(inner) => scalar_type(&inner.elem),
        Type::Group(inner) => scalar_type(&inner.elem),
        _ => None,
    }
}

const PARAMETERS: &str = "a parameter is a scalar (f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, usize), `&[T]` or `&mut [T]` of these, \
                          or of arrays of these, as `&[[f32; 3]]`";

fn parameter(function: &mut Function, input: &FnArg) -> Result<()> {
    let FnArg::Typed(input) = input else {
        return Err(Error::new_spanned(
            input,
            "a kernel is a plain function, outside of `impl`: it has no `self`. Pass the fields that it needs as parameters; a \
             method may run the loop",
        ));
    };
    let Pat::Ident(pattern) = &*input.pat else {
        return Err(Error::new_spanned(&input.pat, "a parameter has a plain name: no patterns"));
    };
    if pattern.by_ref.is_some() || pattern.subpat.is_some() {
        return Err(Error::new_spanned(pattern, "a parameter has a plain name: no `ref`, no `@`"));
    }
    if let Some(attribute) = input.attrs.first() {
        return Err(Error::new_spanned(attribute, "maps stand before the function: `#[map(name: ..)]`"));
    }
    let ident = pattern.ident.clone();
    if function.helper
        && let Some(array) = fixed_array(&input.ty)?
    {
        if matches!(&*input.ty, Type::Reference(_)) {
            function.references.insert(function.vars.len());
        }
        let (ty, len) = array;
        function.params.push(Param::Scalar(function.vars.len()));
        let mutable = pattern.mutability.is_some();
        function.vars.push(Var { ident, name: String::new(), ty, mutable, len: Some(len) });
        return Ok(());
    }
    if let Type::Reference(reference) = &*input.ty {
        let Type::Slice(slice) = &*reference.elem else { return Err(Error::new_spanned(&input.ty, PARAMETERS)) };
        let (of, components) = element_type(&slice.elem)?;
        // That a `usize` is of 64 bits is a bound of the arguments.
        let ty = scalar_type(of).filter(|ty| *ty != Ty::Bool);
        let Some(ty) = ty else { return Err(Error::new_spanned(&slice.elem, PARAMETERS)) };
        function.params.push(Param::Array(function.arrays.len()));
        // Two names may be the same in C: `half` is a word of it, and becomes `half_v`.
        let name = names::unique(&ident, &[], &function.arrays);
        function.arrays.push(Array { ident, name, ty, mutable: reference.mutability.is_some(), components });
        return Ok(());
    }
    let helper = function.helper;
    let ty = scalar_type(&input.ty).filter(|&ty| helper || ty != Ty::Bool);
    let Some(ty) = ty else { return Err(Error::new_spanned(&input.ty, PARAMETERS)) };
    function.params.push(Param::Scalar(function.vars.len()));
    function.vars.push(Var { ident, name: String::new(), ty, mutable: pattern.mutability.is_some(), len: None });
    Ok(())
}

/// The type of components, and their number if an element is an array of them.
fn element_type(element: &Type) -> Result<(&Type, Option<usize>)> {
    let array = match element {
        Type::Paren(inner) => return element_type(&inner.elem),
        Type::Group(inner) => return element_type(&inner.elem),
        Type::Array(array) => array,
        other => return Ok((other, None)),
    };
    if let Type::Array(inner) = &*array.elem {
        let text = "an element is a number, or an array of numbers. For 3 times 3 take `[f32; 9]` and `row * 3 + column`; or take the \
                    rows as elements, `&[[f32; 3]]`, to which the caller passes `matrices.as_flattened()`";
        return Err(Error::new_spanned(inner, text));
    }
    let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) = &array.len else {
        return Err(Error::new_spanned(
            &array.len,
            "the length of an element is a literal, `&[[f32; 3]]`: constants have no value yet here",
        ));
    };
    match len.base10_parse::<usize>()? {
        len @ 1..=4096 => Ok((&array.elem, Some(len))),
        _ => Err(Error::new_spanned(len, "an element that is an array has from 1 to 4096 numbers")),
    }
}

/// Element and length of `[T; N]` and `&[T; N]`.
fn fixed_array(ty: &Type) -> Result<Option<(Ty, usize)>> {
    let array = match ty {
        Type::Array(array) => array,
        Type::Reference(reference) => match &*reference.elem {
            Type::Array(array) if reference.mutability.is_some() => {
                return Err(Error::new_spanned(array, "a helper changes no arrays: it returns one value"));
            }
            Type::Array(array) => array,
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    let Some(element) = scalar_type(&array.elem) else {
        return Err(Error::new_spanned(
            &array.elem,
            "an array of a helper is of scalars, and of one dimension: index it by `row * width + column`",
        ));
    };
    match &array.len {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) => match len.base10_parse::<usize>()? {
            len @ 1..=4096 => Ok(Some((element, len))),
            _ => Err(Error::new_spanned(len, "an array of a helper has from 1 to 4096 elements")),
        },
        other => Err(Error::new_spanned(other, "the length is a literal: constants have no value yet here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &str, function: &str) -> Result<Function> {
        signature(&syn::parse_str(options)?, &syn::parse_str(function)?)
    }

    #[test]
    fn the_first_parameter_is_the_index_unless_others_are_named() {
        let f = read("", "fn f(i: usize, a: f32, x: &[f32], y: &mut [f64]) {}").unwrap();
        assert_eq!((f.indices, f.params), (vec![0], vec![Param::Scalar(1), Param::Array(0), Param::Array(1)]));
        assert!(!f.arrays[0].mutable && f.arrays[1].mutable);
        let f = read("row, col", "fn f(n: usize, col: usize, row: usize) -> f64 {}").unwrap();
        assert_eq!((f.indices, f.params, f.result), (vec![2, 1], vec![Param::Scalar(0)], Ty::F64));
    }

    #[test]
    fn what_is_no_kernel_is_refused() {
        for (options, text, says) in [
            ("", "fn f(a: f32) {}", "first parameter"),
            ("", "fn f(i: usize, x: &f32) {}", "a parameter is"),
            ("", "fn f(i: usize, x: &[bool]) {}", "a parameter is"),
            ("", "fn f<T>(i: usize) {}", "T = f32 | f64"),
            ("", "async fn f(i: usize) {}", "async"),
            ("", "fn f(i: usize) -> (f32, f32) {}", "returns nothing"),
            ("", "fn f(i: usize) -> usize {}", "cast it"),
            ("k", "fn f(i: usize) {}", "no parameter"),
            ("i, j, k", "fn f(i: usize, j: usize, k: usize) {}", "one or two"),
            ("helper", "fn f(x: &[f32]) -> f32 {}", "known length"),
            ("helper", "fn f(x: &mut [f32; 3]) -> f32 {}", "changes no arrays"),
            ("helper", "fn f(x: [f32; N]) -> f32 {}", "a literal"),
            ("helper, reorder", "fn f(x: f32) -> f32 {}", "of the kernel"),
            ("const N: Vec<f32>", "fn f(i: usize) {}", "is a scalar"),
            ("const n: usize", "fn f(i: usize, n: usize) {}", "another parameter"),
            ("helper", "fn f(x: f32) {}", "returns a value"),
        ] {
            let error = read(options, text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn maps_are_read() {
        let MapWords(words) = syn::parse_str("y: full, u: tofrom rows(n * 2) halo(1, 2)").unwrap();
        assert!(words[0].full && words[0].distributes());
        assert!(words[1].rows.is_some() && words[1].halo.is_some() && words[1].direction.is_some());
        let text = |map: &MapWord| map.to_string();
        assert_eq!(words.iter().map(text).collect::<Vec<_>>(), ["full", "tofrom rows(n * 2) halo(1, 2)"]);
        for said in ["align", "unsafe from align ratio(k)", "rows(m) halo(2)", "rows_at(starts)", "reduce(Sum)"] {
            let MapWords(words) = syn::parse_str(&format!("y: {said}")).unwrap();
            assert_eq!(words[0].to_string(), said);
        }
        for (text, says) in [
            ("y:", "says nothing"),
            ("y: sideways", "a map is made of"),
            ("y: full rows(2)", "either"),
            ("y: rows_at(a, b)", "the one array"),
            ("y: rows_at(a) rows_at(b)", "the one array"),
            ("y: rows_at(a) halo(1)", "leave the other"),
            ("y: halo(1)", "are of rows"),
        ] {
            let error = syn::parse_str::<MapWords>(text).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
