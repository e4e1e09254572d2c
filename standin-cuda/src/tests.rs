//! The stand-in's own checks, tested: each of these fails if the stand-in misses a mistake.

mod boxes;
mod driver;
mod errors;
mod kernels;
mod order;
