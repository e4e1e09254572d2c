//! The attribute `#[kernel]` of Apportion: one Rust function becomes the CPU loop, CUDA C, OpenCL C, its cost, and the
//! distribution and halo of every array. It is used through the library, which gives it out again; `docs/kernel.md` has the
//! language.

mod abreast;
mod abreast_text;
mod access;
mod atomics;
mod bases;
mod bind;
mod builtins;
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
mod infer;
mod ir;
mod lower;
mod lower_expr;
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
/// The function's name becomes two things: a function that takes the arguments, without the loop index, and gives a bound
/// kernel for `parallel_for`; and a type with `maps()`, `kernel()`, `cost(..)`, `cuda_source()` and `opencl_source()`.
///
/// The first parameter is the loop index; `#[kernel(i, j)]` names two, so that it also runs over rows
/// and columns of devices in a grid (`parallel_for_2d`), and `#[kernel(helper)]` makes a function that kernels
/// call. `const N: usize` among these is a constant beside the function, `reorder` lets sums of inner loops change their
/// order. `#[map(x: full, y: unsafe rows(n), h: reduce(Sum))]` below it says what cannot be derived.
#[proc_macro_attribute]
pub fn kernel(options: TokenStream, item: TokenStream) -> TokenStream {
    let options = syn::parse_macro_input!(options as parse::Options);
    let item = syn::parse_macro_input!(item as syn::ItemFn);
    expand::kernel(&options, item).unwrap_or_else(|error| error.to_compile_error()).into()
}
