//! The runtime and the machine of the HOMP paper, modelled as they were, to be compared with its authors' measurements.
//!
//! The paper: Y. Yan, J. Liu, K. W. Cameron, M. Umar, *HOMP: Automated Distribution of Parallel Loops and Data in Highly
//! Parallel Accelerator-Based Systems*, IPDPS 2017. The measurements: the result files that the authors published with
//! their code (github.com/passlab/homp, folder `benchmarks`, 15 to 21 March 2016), in `data/measured.csv`.
//!
//! A [`node::Node`] has the physical figures of devices, links and runtime; [`fit`] computes them from measurements on one device
//! alone; [`simulate::predict`] predicts the time on any set of devices; [`compare`] compares it with the measurements.
//! `docs/homp.md` has the formulas and the results.

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

/// An error in a file, and its place.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{}{}: {problem}", file.display(), self.place())]
pub struct InputError {
    /// The file.
    pub file: PathBuf,
    /// Line of a table, from 1.
    pub line: Option<u64>,
    /// The column's name.
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
