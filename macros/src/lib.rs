//! The attribute `#[kernel]` of Apportion: from one Rust function it makes the CPU loop, CUDA C, OpenCL C, the cost, and the
//! distribution and halo of every array. Use it through the library, which re-exports it; `docs/kernel.md` describes the
//! language.

mod abreast;
mod abreast_text;
mod access;
mod alone;
mod atomics;
mod bases;
mod bind;
mod builtins;
mod bytes;
mod bytes_text;
mod cells;
mod checked;
mod claims;
mod contribute;
mod cost;
mod device;
mod emit_c;
mod emit_loop;
mod emit_rust;
mod emit_turns;
mod entry;
mod expand;
mod flat;
mod folding;
mod functions;
mod generic;
mod infer;
mod inside;
mod ir;
mod late;
mod lines;
mod lower;
mod lower_array;
mod lower_expr;
mod lower_item;
mod lower_labels;
mod lower_match;
mod lower_tuple;
mod maps;
mod names;
mod parse;
mod poly;
mod prelude;
mod rows;
mod shape;
mod share;
mod split;
mod stated;
mod steps;
mod strip_registers;
mod strip_text;
mod strips;
mod syntax;
mod wait;
mod windows;

use proc_macro::TokenStream;

/// Makes all variants of a kernel from one function.
///
/// The function's name becomes two things: a function that takes the arguments, without the loop index, and returns a bound
/// kernel for `parallel_for`; and a type with `maps()`, `kernel()`, `cost(..)`, `cuda_source()` and `opencl_source()`.
///
/// The first parameter is the loop index; `#[kernel(i, j)]` names two, so that the kernel also runs over rows and columns of
/// devices in a grid (`parallel_for_2d`). `#[kernel(helper)]` makes a function that kernels call. Further options: `reorder` lets
/// sums of inner loops change their order, `const N: usize` names a constant beside the function, and `T = f32 | f64` makes
/// kernels of `fn name<T>(..)` for these types. `#[map(x: full, y: unsafe rows(n), h: reduce(Sum))]` below the attribute states
/// what cannot be derived.
#[proc_macro_attribute]
pub fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = syn::parse_macro_input!(options as parse::Options);
    let mut item = syn::parse_macro_input!(item as syn::ItemFn);
    syntax::without_groups(&mut item);
    parse::without_lifetimes(&mut item);
    let made = if options.types.is_empty() { expand::kernel(&options, item) } else { generic::expand(&options, &item) };
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}
