//! The parts of the program `apportion`: the record of a comparison, its statistics, tables and figures.
//!
//! The program reads and writes one kind of result, the [`record::Record`]; [`table`] and [`figures`] are views of it.
//! The result of `explain` is an [`explained::ExplainRecord`].

pub mod explained;
pub mod figures;
pub mod files;
pub mod grouping;
pub mod record;
pub mod remarks;
pub mod statistics;
pub mod table;
