//! Generated kernels over rows and columns: compares the cells that the text reaches with how the region maps the arrays.

use super::DataRegion;
use super::derived::row_of;
use super::run::{Shares, Use};
use crate::data::Halo;
use crate::data::layout::{Axis, Division, Edge, Ghosts, Part};
use crate::error::{Error, Result};
use crate::kernel::generated::{CellExtent, CellMap};
use crate::kernel::{Bound, Called};
use crate::space::IterRange;

impl DataRegion<'_, '_> {
    /// Settles ghost rows and columns of an array that the kernel addresses by row and column.
    pub(super) fn settle_cells(
        &self,
        what: Called<'_>,
        cells: &CellMap,
        (rows, columns): (IterRange, IterRange),
        used: &mut Use,
    ) -> Result<()> {
        let array = &self.arrays[used.array];
        let wrong = |text: String| Err(Error::call(format!("{what}: {text}")));
        let (dims, components) = (&array.layout.dims, array.components as i128);
        if array.dimensions() != 2 || row_of(&array.layout) != cells.row {
            let has = match array.dimensions() {
                2 => format!("with rows of {}", row_of(&array.layout) / components),
                dimensions => format!("in {dimensions} dimension{}", if dimensions == 1 { "" } else { "s" }),
            };
            return wrong(format!(
                "its rows have {} elements by the kernel's indices, but it is mapped {has}: map it as `[rows, {0}]`",
                cells.row / components
            ));
        }
        let ghosts = |dimension: usize| -> Ghosts {
            array.placed.parts.first().map(|part| *part.axes()[dimension].ghosts()).unwrap_or_default()
        };
        let (of_rows, of_columns) = (ghosts(0), ghosts(1));
        let reached: Vec<&CellExtent> = cells.reached.iter().filter(|extent| extent.reaches()).collect();
        for extent in reached.iter().filter(|extent| extent.certain) {
            check_line(what, "row", rows, extent.rows, dims[0].extent, &of_rows)?;
            check_line(what, "column", columns, extent.columns, dims[1].extent, &of_columns)?;
        }
        let mut offset = 0;
        if !array.placed.replicated {
            match array.placed.chain.whole() {
                Some((1, rows)) => offset = i128::from(rows),
                _ => {
                    return wrong(format!(
                        "iteration (i, j) has row i of it, but it is mapped with {} rows for an iteration: map it without a ratio",
                        array.placed.chain.ratio()
                    ));
                }
            }
        }
        // Iteration i owns row i + offset, so row i belongs to another iteration.
        if used.direction.writes() && offset != 0 {
            return wrong(format!(
                "iteration (i, j) writes row i of it, but it is mapped with an offset of {offset} rows: map it without"
            ));
        }
        let most = |ends: &mut dyn Iterator<Item = i128>| {
            u64::try_from(ends.max().unwrap_or(0).max(0)).unwrap_or(u64::MAX - 1)
        };
        used.halo = Halo {
            left: most(&mut reached.iter().map(|extent| offset.saturating_sub(extent.rows[0]))),
            right: most(&mut reached.iter().map(|extent| extent.rows[1].saturating_sub(offset))),
        };
        let read = Halo {
            left: most(&mut reached.iter().map(|extent| extent.columns[0].saturating_neg())),
            right: most(&mut reached.iter().map(|extent| extent.columns[1])),
        };
        // In a row of devices, and where columns are not divided, each device has all columns.
        let grid = self.set()?.topology.dimensions() > 1;
        let divided = grid && !matches!(dims[1].division, Some(Division::Full)) && array.layout.on.is_none();
        if divided && (read.left > of_columns.left || read.right > of_columns.right) {
            let all = [read.left, read.right, used.halo.left, used.halo.right];
            return wrong(format!(
                "the loop reads {} columns before and {} after its own, but it is mapped with {} and {} ghost columns: map it with \
                 `.halo({})`",
                read.left,
                read.right,
                of_columns.left,
                of_columns.right,
                all.into_iter().max().unwrap_or(0)
            ));
        }
        used.columns = Some(read);
        Ok(())
    }

    /// Refuses an array that the kernel addresses by plain indices if devices have parts of its rows.
    pub(super) fn check_plain(&self, what: Called<'_>, used: &Use) -> Result<()> {
        let array = &self.arrays[used.array];
        let dims = &array.layout.dims;
        let divided = dims.get(1).is_some_and(|dimension| !matches!(dimension.division, Some(Division::Full)))
            && self.set()?.topology.along(1).is_some_and(|devices| devices > 1)
            && array.layout.on.is_none();
        let whole = |axis: &Axis| axis.stored() == axis.extent();
        if !divided && array.placed.parts.iter().all(|part| part.is_empty() || part.axes()[1..].iter().all(whole)) {
            return Ok(());
        }
        Err(Error::call(format!(
            "{what}: an iteration reaches its elements by plain indices, but its rows are divided over the devices, or have ghost \
             columns: map it with `.full()` and without ghost columns, or with `.divide(1, Division::Full)`"
        )))
    }

    /// Checks that each device of a loop over rows and columns has the columns that its iterations need.
    pub(super) fn check_columns(&self, bound: &Bound<'_>, uses: &[Option<Use>], shares: &Shares) -> Result<()> {
        for (position, used) in uses.iter().enumerate() {
            let Some(used) = used else { continue };
            let array = &self.arrays[used.array];
            let has_all = |axis: &Axis| axis.owned().len() == axis.extent();
            let all = |part: &Part| part.is_empty() || part.axes().get(1).is_none_or(has_all);
            // A kernel by hand may read any of the columns, if every device has all of them.
            let free = used.columns.is_none() && array.placed.parts.iter().all(all);
            if array.dimensions() < 2 || free {
                continue;
            }
            // How far such a kernel reads ghost columns is not known.
            let read = used.columns.unwrap_or_default();
            for (device, part) in array.placed.parts.iter().enumerate() {
                let Some(columns) = shares.columns[device].filter(|columns| !columns.is_empty()) else { continue };
                if shares.rows[device].is_empty() {
                    continue;
                }
                let axis = &part.axes()[1];
                let (owned, needed) = (axis.owned().bounds(), axis.needed());
                // Clamped: these numbers come from arguments, which may have any value.
                let near = |column: i128| column.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
                let (first, end) = match used.columns {
                    Some(_) => (columns.start, columns.end),
                    // Columns that go together may be numbered differently, as on a coarse and a fine grid.
                    None => {
                        let (first, last) = (shares.across.item(columns.start), shares.across.item(columns.end - 1));
                        array.placed.across.reach(first, last.saturating_add(1))
                    }
                };
                let low = near(i128::from(first) - i128::from(read.left));
                let high = near(i128::from(end) + i128::from(read.right));
                let extent = axis.extent().cast_signed();
                // Ghosts do where a kernel by hand only reads.
                let owns = owned.start <= first && end <= owned.end;
                let has = !part.is_empty()
                    && !axis.owned().is_cyclic()
                    && (owns || used.columns.is_none() && !used.direction.writes())
                    && needed.start <= low.max(needed.start.min(0))
                    && needed.end >= high.min(needed.end.max(extent));
                if !has {
                    return Err(Error::call(format!(
                        "kernel `{}`: argument {position}, {}: device `{}` runs columns {columns}, which need its columns \
                         {low}..{high}, but owns {}..{}, and has {}..{} with ghost columns: divide the columns of a loop's arrays \
                         alike",
                        bound.kernel().name(),
                        self.called(used),
                        self.set()?.members[device].model.name,
                        owned.start,
                        owned.end,
                        needed.start,
                        needed.end
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Checks that the rows, or columns, that every iteration reaches exist.
fn check_line(
    what: Called<'_>,
    line: &str,
    range: IterRange,
    [low, high]: [i128; 2],
    extent: u64,
    ghosts: &Ghosts,
) -> Result<()> {
    if range.is_empty() {
        return Ok(());
    }
    let beyond = |edge: Edge, cells: u64| if edge == Edge::None { 0 } else { i128::from(cells) };
    let (before, after) = (beyond(ghosts.left_edge, ghosts.left), beyond(ghosts.right_edge, ghosts.right));
    let (first, last) = (low.saturating_add(range.start.into()), high.saturating_add((range.end - 1).into()));
    if first >= -before && last < i128::from(extent) + after {
        return Ok(());
    }
    let with = if before + after > 0 { format!(", ghost {line}s included") } else { String::new() };
    Err(Error::call(format!(
        "{what}: iterations over {line}s {range} reach {line}s {first} to {last}, it has {line}s {} to {}{with}: shorten the loop, \
         check the arguments, or map it with `.halo(..)` and an `.edge(..)` that has ghost {line}s{}",
        -before,
        i128::from(extent) + after - 1,
        if line == "column" { ", in a grid of devices" } else { "" }
    )))
}
