//! Generated kernels over rows and columns: what of an array an iteration reaches there, and how the form for rows is exchanged
//! for that for cells.

use super::{ByOperator, Parts, Shape};
use crate::kernel::{Bound, Cost, HostArgument, Reduce};
use crate::space::IterRange;
use std::ops::Range;

/// The cells of an access of iteration `(i, j)`: rows `i + low ..= i + high`, and the same of columns.
#[derive(Clone, Copy, Debug)]
pub struct CellExtent {
    /// First and last row.
    pub rows: [i128; 2],
    /// First and last column.
    pub columns: [i128; 2],
    /// Whether each iteration does it.
    pub certain: bool,
}

impl CellExtent {
    /// With loops of these lengths around: where one does not run, nothing is reached.
    #[must_use]
    pub fn of_loops(self, lengths: &[i128]) -> Self {
        if lengths.iter().all(|&length| length > 0) { self } else { Self { rows: [0, -1], ..self } }
    }

    /// Whether it reaches any cell.
    pub fn reaches(&self) -> bool {
        [self.rows, self.columns].iter().all(|[low, high]| low <= high)
    }
}

/// An array of which row `i` begins at element `row * i`, and what cells iterations reach.
#[derive(Clone, Debug)]
pub(crate) struct CellMap {
    pub row: i128,
    pub reached: Vec<CellExtent>,
}

/// How a kernel runs over rows and columns.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) enum OverCells {
    /// As it is: nobody generated it.
    #[default]
    AsItIs,
    /// Not at all, and why.
    Refused(&'static str),
    /// In another form.
    Form { parts: fn() -> &'static Parts, columns: Range<usize>, each: usize, on_gpus: bool },
}

/// The last array is found by rows and columns in loops over both.
pub fn cells<'a>(mut bound: Bound<'a>, row: i128, reached: &[CellExtent]) -> Bound<'a> {
    let argument = bound.arguments().len().saturating_sub(1);
    bound.cells.push((argument, CellMap { row, reached: reached.to_vec() }));
    bound
}

/// In loops over rows and columns it has this form; on GPUs work-items have `each` columns.
pub fn over_cells(
    mut bound: Bound<'_>,
    columns: Range<usize>,
    each: usize,
    parts: fn() -> &'static Parts,
) -> Bound<'_> {
    bound.over_cells = OverCells::Form { parts, columns, each, on_gpus: false };
    bound
}

/// There are no loops over rows and columns of it.
pub fn not_over_cells<'a>(mut bound: Bound<'a>, why: &'static str) -> Bound<'a> {
    bound.over_cells = OverCells::Refused(why);
    bound
}

/// Elements from row to row of an array.
pub fn pitch(argument: &HostArgument<'_>) -> usize {
    match argument {
        HostArgument::In { row_len, .. } | HostArgument::Out { row_len, .. } => *row_len,
        HostArgument::Scalar(_) => 1,
    }
}

impl<'a> Bound<'a> {
    /// For a loop over rows and these columns: of a generated kernel, the form for cells.
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
        })
    }

    /// What is reached of an argument's cells in a loop over rows and columns; none of an array with plain indices.
    pub(crate) fn cell_map(&self, argument: usize) -> Option<&CellMap> {
        self.cells.iter().find(|(of, _)| *of == argument).map(|(_, map)| map)
    }
}
