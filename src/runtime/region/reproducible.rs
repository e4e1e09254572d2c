//! Results that are the same to the last bit on any devices: which loops can promise that.

use super::DataRegion;
use super::run::Shares;
use crate::element::ElementType;
use crate::error::{Error, Result};
use crate::kernel::{Bound, Reduce, Reduction};
use crate::space::IterRange;

/// Blocks of a loop. Each is a launch of its own on devices with memory of their own, and has a partial result.
const MOST_BLOCKS: u64 = 1 << 16;

impl DataRegion<'_, '_> {
    /// Whether the loop's results are those of whole blocks, where that was asked for.
    pub(super) fn check_reproducible(
        &self,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        shares: &Shares,
        rows: IterRange,
    ) -> Result<()> {
        let Some(block) = self.block else { return Ok(()) };
        let kernel = bound.kernel().name();
        for (argument, reduction) in bound.array_reductions() {
            // Integers come out the same in any order.
            if matches!(reduction.element, ElementType::F32 | ElementType::F64)
                || matches!(reduction.operator, Reduce::Own(_))
            {
                return Err(Error::call(format!(
                    "kernel `{kernel}`: argument {argument}: what iterations contribute to a whole array is combined in an \
                     order that depends on the devices, and the region is to be `reproducible`: contribute integers by an \
                     operator of the runtime's, or run the loop in a region that is not"
                )));
            }
        }
        if reduction.is_none() {
            return Ok(());
        }
        let blocks = rows.end.div_ceil(block).saturating_sub(rows.start / block);
        if blocks > MOST_BLOCKS {
            return Err(Error::call(format!(
                "kernel `{kernel}`: {rows} are {blocks} blocks of {block} rows, and a `reproducible` reduction has at most \
                 {MOST_BLOCKS}: take blocks of {} rows or more",
                rows.len().div_ceil(MOST_BLOCKS - 1)
            )));
        }
        let names = |slot: usize| self.set().map_or("?", |set| set.members[slot].model.name.as_str());
        let mut columns = shares.columns.iter().zip(&shares.rows).filter(|(_, rows)| !rows.is_empty());
        let first = columns.next();
        if columns.any(|(columns, _)| Some(columns) != first.map(|(columns, _)| columns)) {
            return Err(Error::call(format!(
                "kernel `{kernel}`: the devices stand in a grid, so a block of rows is in several tiles, and the region is to \
                 be `reproducible`: arrange the devices in a row"
            )));
        }
        let whole = |at: u64| at.is_multiple_of(block) || at == rows.start || at == rows.end;
        let mut all =
            shares.rows.iter().enumerate().flat_map(|(slot, chunks)| chunks.iter().map(move |chunk| (slot, chunk)));
        match all.find(|(_, chunk)| !whole(chunk.start) || !whole(chunk.end)) {
            None => Ok(()),
            Some((slot, chunk)) => Err(Error::call(format!(
                "kernel `{kernel}`: device `{}` runs iterations {chunk}, and the region is to be `reproducible` in blocks of \
                 {block}: let the loop's arrays go with the region's rows, or divide them in blocks of a multiple of {block}",
                names(slot)
            ))),
        }
    }
}
