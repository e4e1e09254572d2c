//! The attribute `#[kernel]` of Apportion.
mod builtins;
mod infer;
mod ir;
mod lower;
mod lower_expr;
mod names;
mod parse;
mod access;
mod poly;
mod maps;
