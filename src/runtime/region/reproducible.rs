//! Results that are the same to the last bit on any devices: which loops can give them.

use super::DataRegion;
use super::run::Shares;
use crate::error::{Error, Result};
use crate::kernel::{Bound, Reduction};
use crate::runtime::offload::{MOST_BLOCKS, check_contributions};
use crate::space::IterRange;

impl DataRegion<'_, '_> {
    /// Checks that the loop's results are those of whole blocks, if that was asked for.
    pub(super) fn check_reproducible(
        &self,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        shares: &Shares,
        rows: IterRange,
    ) -> Result<()> {
        let Some(block) = self.block else { return Ok(()) };
        let kernel = bound.kernel().name();
        check_contributions(bound, "region")?;
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
