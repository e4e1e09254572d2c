//! Compares distributions and halos that follow from a kernel's text with how the region maps the arrays.

use super::DataRegion;
use super::layout::Layout;
use super::run::Use;
use crate::data::layout::Edge;
use crate::data::{Distribution, Halo};
use crate::error::{Error, Result};
use crate::kernel::generated::Extent;
use crate::kernel::{Bound, check_reach, elements};
use crate::space::IterRange;
use smallvec::SmallVec;
use std::ops::Range;

impl DataRegion<'_, '_> {
    /// The index range of an array's elements, with ghost rows past its edges.
    pub(super) fn elements_there(&self, used: &Use) -> Range<i128> {
        let array = &self.arrays[used.array];
        let row = row_of(&array.layout);
        let ghosts = array.placed.parts.first().map(|part| *part.axes()[0].ghosts()).unwrap_or_default();
        let beyond = |edge: Edge, rows: u64| if edge == Edge::None { 0 } else { i128::from(rows) * row };
        let elements = array.layout.elements().map_or(i128::MAX, i128::from);
        -beyond(ghosts.left_edge, ghosts.left)..elements.saturating_add(beyond(ghosts.right_edge, ghosts.right))
    }

    /// Settles the halo of arrays with derived maps, in rows of the region's arrays. Refuses arrays whose layout differs from
    /// how the kernel reads and writes them.
    pub(super) fn settle_derived(
        &self,
        bound: &Bound<'_>,
        rows: IterRange,
        columns: Option<IterRange>,
        uses: &mut [Option<Use>],
    ) -> Result<()> {
        let columns = columns.filter(|_| bound.is_over_cells);
        for (position, (argument, used)) in bound.arguments().iter().zip(uses).enumerate() {
            let (Some(map), Some(used), Some(reached)) = (argument.array(), used, bound.derived_reach(position)) else {
                continue;
            };
            let array = &self.arrays[used.array];
            let what = bound.called(position, map).named(array.layout.name);
            match (columns, bound.cell_map(position)) {
                (Some(columns), Some(cells)) => {
                    self.settle_cells(what, cells, (rows, columns), used)?;
                    continue;
                }
                (Some(_), None) => self.check_plain(what, used)?,
                (None, _) => {}
            }
            let reached: SmallVec<[Extent; 4]> = reached.copied().collect();
            let row = row_of(&array.layout);
            let there = self.elements_there(used);
            for extent in &reached {
                check_reach(what, there.clone(), map.components, rows, extent)?;
            }
            let wrong = |text: String| Err(Error::call(format!("{what}: {text}")));
            let by_table = array.placed.chain.has_table();
            let Distribution::Align { ratio } = map.distribution else {
                if array.placed.replicated {
                    continue;
                }
                if map.distribution == Distribution::RowsAt {
                    if !by_table {
                        return wrong(
                            "its rows begin where a table says: map it with `.rows_at(&starts)`, or with `.full()`"
                                .to_owned(),
                        );
                    }
                    if row != map.components as i128 || !array.placed.chain.ends_with_table() {
                        return wrong(
                            "the table counts its elements, but it is mapped with rows of several, or by a ratio behind a table: map \
                             it with one extent, `[n].rows_at(&starts)`"
                                .to_owned(),
                        );
                    }
                    // It may read all ghost rows that there are.
                    continue;
                }
                if by_table {
                    return wrong(
                        "an iteration may read any of its elements, but it is mapped with `.rows_at(..)`: say so in the kernel, \
                         `#[map(..: rows_at(starts))]`, or map it with `.full()`"
                            .to_owned(),
                    );
                }
                return wrong(
                    "an iteration may read any of its elements, but it is divided over the devices: map it with `.full()`; \
                     where loops write it by rows, map a second array so, and `region.copy(..)` it there"
                        .to_owned(),
                );
            };
            if array.placed.replicated {
                continue;
            }
            if by_table {
                return wrong(
                    "iteration i has the same number of its elements as others, but it is mapped with `.rows_at(..)`: map it \
                     without, or say `#[map(..: rows_at(starts))]` in the kernel"
                        .to_owned(),
                );
            }
            let Some((spacing, offset)) = array.placed.chain.whole() else {
                return wrong(format!(
                    "each iteration has as many of its elements, but it is mapped with {} rows for one iteration: map it with a \
                     whole number",
                    array.placed.chain.ratio()
                ));
            };
            // Saturating from here on, as arguments may have any value.
            let (own, has) = ((map.row_len as i128).saturating_mul(ratio.into()), row.saturating_mul(spacing.into()));
            if own != has {
                let components = map.components as i128;
                let (own, has) = (own / components, has / components);
                return wrong(format!(
                    "iteration i has the {own} elements from {own}*i on, but it is mapped with {has} for each: map it with rows \
                     of {} elements{}",
                    map.row_len / map.components,
                    if ratio == 1 { String::new() } else { format!(" and `.ratio({ratio})`") }
                ));
            }
            // Relative to the first own element, which in an array aligned with an offset is not element `own * i`.
            let shift = row.saturating_mul(offset.into());
            let stated = Extent {
                stride: own,
                low: -(map.row_len as i128).saturating_mul(map.halo.left.into()),
                high: (own - 1).saturating_add((map.row_len as i128).saturating_mul(map.halo.right.into())),
                certain: false,
            };
            let list = if reached.is_empty() { &[stated][..] } else { &reached[..] };
            let (mut left, mut right) = (0, 0);
            let (mut first, mut last) = (i128::MAX, i128::MIN);
            for extent in list.iter().filter(|extent| extent.low <= extent.high) {
                (first, last) = (first.min(extent.low), last.max(extent.high));
                let (low, high) = (extent.low.saturating_sub(shift), extent.high.saturating_sub(shift));
                left = left.max(low.div_euclid(row).saturating_neg());
                right = right.max(high.div_euclid(row).saturating_sub(i128::from(spacing) - 1));
            }
            if used.direction.writes() && (left > 0 || right > 0) {
                let of = |component: i128| component.div_euclid(map.components as i128);
                let there = match first.div_euclid(row) {
                    0 => "map it without".to_owned(),
                    rows => format!("map it with `.offset({rows})`, or count the loop from there"),
                };
                return wrong(format!(
                    "iteration i writes {}, but it is mapped with an offset of {offset} rows, so that these are another one's: \
                     {there}",
                    elements(of(own), of(first), of(last))
                ));
            }
            let count = |rows: i128| u64::try_from(rows.max(0)).unwrap_or(u64::MAX - 1);
            used.halo = Halo { left: count(left), right: count(right) };
            let ghosts = array.placed.parts.first().map(|part| *part.axes()[0].ghosts()).unwrap_or_default();
            if reached.is_empty() && used.halo.left <= ghosts.left && used.halo.right <= ghosts.right {
                // What a map states is not compared with indices, so all ghost rows that there are may be read.
                used.halo = Halo { left: u64::MAX, right: u64::MAX };
            }
        }
        Ok(())
    }
}

/// Elements of a row, at least 1.
pub(super) fn row_of(layout: &Layout) -> i128 {
    layout.dims.iter().skip(1).fold(1i128, |row, dimension| row.saturating_mul(dimension.extent.into())).max(1)
}
