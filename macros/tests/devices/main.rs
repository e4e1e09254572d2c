//! Kernels made from one Rust function, on every kind of device, compared with the functions themselves. All tests are one
//! program, which can be taken to a machine with GPUs.
#![allow(missing_docs)]

#[allow(dead_code)]
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/functions.rs"]
mod functions;
#[allow(dead_code)]
#[path = "../common/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "../common/generate_ends.rs"]
mod generate_ends;
#[allow(dead_code)]
#[path = "../common/generate_math.rs"]
mod generate_math;
#[path = "../common/math.rs"]
mod math;
#[path = "../common/narrow.rs"]
mod narrow;
#[path = "../common/operators.rs"]
mod operators;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/typed.rs"]
mod typed;

mod abreast;
mod bytes;
mod contribute;
mod ends;
mod generic;
mod kernels;
mod later;
mod limits;
mod lines;
mod names;
#[path = "narrow.rs"]
mod of_narrow;
#[path = "functions.rs"]
mod of_numbers;
mod outside;
mod random_cells;
mod random_programs;
mod random_typed;
mod results;
mod shared;
mod short;
mod spans;
mod sparse;
mod strips;

use random_cells::Program;
