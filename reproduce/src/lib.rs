//! The runtime and the machine of the HOMP paper, modelled as they were, to be held against what its authors measured.
//!
//! The paper: Y. Yan, J. Liu, K. W. Cameron, M. Umar, *HOMP: Automated Distribution of Parallel Loops and Data in Highly
//! Parallel Accelerator-Based Systems*, IPDPS 2017. The measurements: the result files that the authors published with
//! their code (github.com/passlab/homp, folder `benchmarks`, 15 to 21 March 2016), in `data/measured.csv`.
//!
//! A [`node::Node`] has the physical figures of devices, links and runtime; [`fit`] computes them from measurements on one
//! device alone; [`simulate::predict`] says what any set of devices takes; [`compare`] holds that against what was
//! measured. `docs/homp.md` has the formulas and what comes of them.

pub mod cases;
pub mod compare;
pub mod csv;
pub mod experiments;
pub mod fit;
pub mod kernels;
pub mod measured;
pub mod node;
pub mod policies;
pub mod simulate;

use std::path::PathBuf;

/// What is wrong with a file, and where.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{}: {problem}", file.display(), self.place())]
pub struct InputError {
    /// The file.
    pub file: PathBuf,
    /// Line of a table, from 1; with the column's name.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<String>,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl InputError {
    fn place(&self) -> String {
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        let column = self.column.as_ref().map_or_else(String::new, |column| format!(", column `{column}`"));
        line + &column
    }
}
