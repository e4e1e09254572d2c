//! Generated kernels over rows and columns: which cells of an array an iteration reaches, and how the form for rows is replaced
//! by that for cells.

use super::{ByOperator, Parts, Shape};
use crate::kernel::{Bound, Cost, HostArgument, Reduce};
use crate::space::IterRange;
use std::ops::Range;

/// The cells that an access of iteration `(i, j)` reaches: rows `i + low ..= i + high`, and columns likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellExtent {
    /// First and last row, relative to `i`.
    pub rows: [i128; 2],
    /// First and last column, relative to `j`.
    pub columns: [i128; 2],
    /// Whether every iteration makes the access.
    pub certain: bool,
}

impl CellExtent {
    /// The extent inside loops of these lengths: if one of them has no turns, nothing is reached.
    #[must_use]
    pub fn of_loops(self, lengths: &[i128]) -> Self {
        if lengths.iter().all(|&length| length > 0) { self } else { Self { rows: [0, -1], ..self } }
    }

    /// Whether it reaches any cell.
    pub fn reaches(&self) -> bool {
        [self.rows, self.columns].iter().all(|[low, high]| low <= high)
    }
}

/// An array whose row `i` begins at element `row * i`, and the cells that iterations reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellMap {
    pub row: i128,
    pub reached: Vec<CellExtent>,
}

/// How a kernel runs over rows and columns.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) enum OverCells {
    /// As it is: it was not generated.
    #[default]
    AsItIs,
    /// It cannot, for this reason.
    Refused(&'static str),
    /// In a form for cells.
    Form { parts: fn() -> &'static Parts, columns: Range<usize>, each: usize, on_gpus: bool },
}

/// Loops over rows and columns address the last array by rows and columns.
pub fn cells<'a>(mut bound: Bound<'a>, row: i128, reached: &[CellExtent]) -> Bound<'a> {
    let argument = bound.arguments().len().saturating_sub(1);
    bound.cells.push((argument, CellMap { row, reached: reached.to_vec() }));
    bound
}

/// Sets the form for loops over rows and columns; on GPUs a work-item has `each` columns.
pub fn over_cells(
    mut bound: Bound<'_>,
    columns: Range<usize>,
    each: usize,
    parts: fn() -> &'static Parts,
) -> Bound<'_> {
    bound.over_cells = OverCells::Form { parts, columns, each, on_gpus: false };
    bound
}

/// The kernel cannot run over rows and columns, and why.
pub fn not_over_cells<'a>(mut bound: Bound<'a>, why: &'static str) -> Bound<'a> {
    bound.over_cells = OverCells::Refused(why);
    bound
}

/// Elements from one row of an array to the next.
pub fn pitch(argument: &HostArgument<'_>) -> usize {
    match argument {
        HostArgument::In { row_len, .. } | HostArgument::Out { row_len, .. } => *row_len,
        HostArgument::Scalar(_) => 1,
    }
}

impl<'a> Bound<'a> {
    /// For a loop over rows and these columns: takes a generated kernel's form for cells.
    pub(crate) fn over_columns(mut self, over: IterRange) -> Bound<'a> {
        let (parts, columns, each, on_gpus) = match std::mem::take(&mut self.over_cells) {
            OverCells::AsItIs => return self,
            OverCells::Refused(why) => {
                return self
                    .misused(format!("a loop over rows and columns (`parallel_for_2d`) does not take it: {why}"));
            }
            OverCells::Form { parts, columns, each, on_gpus } => (parts(), columns, each, on_gpus),
        };
        let given = IterRange::new(columns.start as u64, columns.end.max(columns.start) as u64);
        if given != over && !(given.is_empty() && over.is_empty()) {
            return self.misused(format!(
                "its function was given the columns {given}, but the loop is over columns {over}: give both the same range"
            ));
        }
        let cells = over.len().max(1) as f64;
        let row = self.kernel().stated_cost().unwrap_or_default();
        // An iteration is a cell.
        let cost = Cost { flops: row.flops / cells, loads: row.loads / cells, stores: row.stores / cells, ..row };
        let shape = Shape::cells(over.len(), each);
        if let Some(by_operator) = &mut self.by_operator {
            *by_operator = ByOperator { parts, shape, cost, on_gpus };
        }
        self.is_over_cells = true;
        self.change_kernel(|kernel| {
            let cells = parts.kernel(Reduce::Sum, shape, Some(cost)).renamed(kernel.shared_name());
            if on_gpus { super::for_gpus(cells) } else { cells }
        });
        self
    }

    /// The cells reached of an argument in a loop over rows and columns; none for an array with plain indices.
    pub(crate) fn cell_map(&self, argument: usize) -> Option<&CellMap> {
        self.cells.iter().find(|(of, _)| *of == argument).map(|(_, map)| map)
    }
}
