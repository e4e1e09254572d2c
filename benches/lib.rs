//! What Apportion costs, beside code written by hand: the same pairs for criterion and for the `ratios` program.
//!
//! A time says little of a shared machine; a ratio of two that were measured in turns does. Each module sets up both
//! sides of some pairs, [`measure`] times them in turns, and [`record`] keeps the outcome.

pub mod forms;
pub mod handout;
pub mod host;
pub mod loops;
pub mod measure;
pub mod openmp;
pub mod overhead;
pub mod record;
pub mod simulator;
