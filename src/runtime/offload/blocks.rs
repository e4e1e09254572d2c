//! Reproducible results, the same to the last bit however a loop is cut: which loops can promise them.

use super::Loop;
use crate::data::Distribution;
use crate::element::ElementType;
use crate::error::{Error, Result};
use crate::kernel::{Argument, Bound, Reduce};

/// Most blocks of a loop. On devices with memory of their own each is a launch of its own, with a partial result.
pub(in crate::runtime) const MOST_BLOCKS: u64 = 1 << 16;

/// Checks that blocks of a reproducible result are not empty.
pub(in crate::runtime) fn check_length(kernel: &str, block: u64, of: &str) -> Result<()> {
    if block > 0 {
        return Ok(());
    }
    Err(Error::call(format!(
        "kernel `{kernel}`: `.reproducible(0)` is of blocks without {of}: give the {of} of a block, such as 4096, or leave the \
         call out"
    )))
}

impl Loop<'_, '_> {
    /// Chunks start and end at multiples of this many iterations from the loop's start.
    pub(super) fn granule(&self) -> u64 {
        self.block.map_or_else(|| self.bound.kernel().chunk_granule(), |block| block.max(1))
    }

    /// Checks that a `reproducible` loop can be cut into whole blocks.
    pub(super) fn check_blocks(&self) -> Result<()> {
        let Some(block) = self.block else { return Ok(()) };
        let (kernel, granule) = (self.bound.kernel().name(), self.bound.kernel().chunk_granule());
        check_length(kernel, block, "iterations")?;
        check_contributions(&self.bound, "loop")?;
        if !block.is_multiple_of(granule) {
            return Err(Error::call(format!(
                "kernel `{kernel}`: blocks of a `reproducible` loop are whole granules, and {block} iterations are no multiple \
                 of its {granule}: take {} or another multiple",
                block.saturating_add(granule - block % granule)
            )));
        }
        let is_block =
            |argument: &Argument<'_>| argument.array().is_some_and(|m| m.distribution == Distribution::Block);
        if let Some(position) = self.bound.arguments().iter().position(is_block) {
            return Err(Error::call(format!(
                "kernel `{kernel}`: argument {position} is distributed BLOCK, so the devices decide where the loop is cut, and it \
                 is to be `reproducible`: align the array with the loop"
            )));
        }
        let blocks = self.range.len().div_ceil(block);
        if blocks > MOST_BLOCKS {
            return Err(Error::call(format!(
                "kernel `{kernel}`: {} are {blocks} blocks of {block} iterations, and a `reproducible` loop has at most \
                 {MOST_BLOCKS}: take blocks of {} or more",
                self.range,
                self.range.len().div_ceil(MOST_BLOCKS).next_multiple_of(granule)
            )));
        }
        Ok(())
    }
}

/// Checks that contributions to whole arrays give the same result in any order.
pub(in crate::runtime) fn check_contributions(bound: &Bound<'_>, what: &str) -> Result<()> {
    for (argument, reduction) in bound.array_reductions() {
        // Integer sums are exact in any order, float sums are not; for a user's operator it is unknown.
        if matches!(reduction.element, ElementType::F32 | ElementType::F64)
            || matches!(reduction.operator, Reduce::Own(_))
        {
            return Err(Error::call(format!(
                "kernel `{}`: argument {argument}: what iterations contribute to a whole array is combined in an order that \
                 depends on the devices, and the {what} is to be `reproducible`: contribute integers by an operator of the \
                 runtime's, or run the loop in a {what} that is not",
                bound.kernel().name()
            )));
        }
    }
    Ok(())
}
