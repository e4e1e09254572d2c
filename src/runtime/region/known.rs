//! Loops that were checked: one like an earlier one, over arrays that lie as they did, need not be checked again. Applications run
//! the same few loops over and over, and short ones take as long as their checks.

use super::DataRegion;
use super::run::{Shares, Use};
use crate::data::{ArrayKey, ArrayMap, Direction, Distribution, Halo};
use crate::element::ElementType;
use crate::kernel::generated::{CellMap, Extent};
use crate::kernel::{Argument, Bound, Kernel, KernelId, Reduction};
use crate::space::IterRange;
use smallvec::SmallVec;
use std::sync::Arc;

/// So many loops are kept.
const KEPT: usize = 16;

/// What the checks of a loop depend on besides where the region's arrays are.
pub(super) struct Known {
    kernel: KernelId,
    /// The kernel that devices are known to have.
    had: Kernel,
    rows: IterRange,
    columns: Option<IterRange>,
    is_over_cells: bool,
    reduces: Option<ElementType>,
    array_reductions: SmallVec<[(usize, Reduction); 1]>,
    arguments: Vec<KnownArgument>,
    /// What came of them.
    uses: Vec<Option<Use>>,
    shares: Arc<Shares>,
}

/// An argument. Of scalars only the type counts, by which devices take them: what they say of arrays is in the arrays' reach.
enum KnownArgument {
    Scalar(ElementType),
    Array(KnownArray),
}

impl KnownArgument {
    fn of(bound: &Bound<'_>, position: usize, argument: &Argument<'_>) -> Self {
        match argument {
            Argument::Scalar(scalar) => Self::Scalar(scalar.element()),
            Argument::Array(map) => Self::Array(KnownArray::of(bound, position, map)),
        }
    }
}

/// An array argument.
struct KnownArray {
    key: Option<ArrayKey>,
    direction: Direction,
    distribution: Distribution,
    halo: Halo,
    row_len: usize,
    components: usize,
    reached: Option<Vec<Extent>>,
    cells: Option<CellMap>,
}

impl KnownArray {
    fn of(bound: &Bound<'_>, position: usize, map: &ArrayMap<'_>) -> Self {
        Self {
            key: map.mapped,
            direction: map.direction,
            distribution: map.distribution,
            halo: map.halo,
            row_len: map.row_len,
            components: map.components,
            reached: bound.derived_reach(position).map(|reached| reached.copied().collect()),
            cells: bound.cell_map(position).cloned(),
        }
    }

    fn is(&self, bound: &Bound<'_>, position: usize, map: &ArrayMap<'_>) -> bool {
        let same_reach = match (&self.reached, bound.derived_reach(position)) {
            (None, None) => true,
            (Some(known), Some(reached)) => known.iter().eq(reached),
            _ => false,
        };
        same_reach
            && self.key == map.mapped
            && self.direction == map.direction
            && self.distribution == map.distribution
            && self.halo == map.halo
            && (self.row_len, self.components) == (map.row_len, map.components)
            && self.cells.as_ref() == bound.cell_map(position)
    }
}

impl Known {
    fn is(&self, bound: &Bound<'_>, over: (IterRange, Option<IterRange>), reduces: Option<ElementType>) -> bool {
        let arguments = bound.arguments();
        (self.rows, self.columns) == over
            && (self.reduces, self.is_over_cells) == (reduces, bound.is_over_cells)
            && self.arguments.len() == arguments.len()
            && bound.kernel().is(&self.kernel)
            && self.array_reductions[..] == *bound.array_reductions()
            && self.arguments.iter().zip(arguments).enumerate().all(|(at, (known, given))| match (known, given) {
                (KnownArgument::Scalar(element), Argument::Scalar(scalar)) => *element == scalar.element(),
                (KnownArgument::Array(known), Argument::Array(map)) => known.is(bound, at, map),
                _ => false,
            })
    }
}

impl DataRegion<'_, '_> {
    /// What came of the checks of a loop like this one, if there was one since arrays were placed or moved, and whether it had this
    /// very kernel.
    pub(super) fn known(
        &mut self,
        bound: &Bound<'_>,
        over: (IterRange, Option<IterRange>),
        reduces: Option<ElementType>,
        uses: &mut Vec<Option<Use>>,
    ) -> Option<(Arc<Shares>, bool)> {
        let place = self.known.iter().position(|known| known.is(bound, over, reduces))?;
        let known = &self.known[place];
        uses.clone_from(&known.uses);
        Some((Arc::clone(&known.shares), known.had.is_clone_of(bound.kernel())))
    }

    /// Keeps what came of a loop's checks.
    pub(super) fn know(
        &mut self,
        bound: &Bound<'_>,
        (rows, columns): (IterRange, Option<IterRange>),
        reduces: Option<ElementType>,
        (uses, shares): (&[Option<Use>], &Arc<Shares>),
    ) {
        let arguments = bound.arguments().iter().enumerate();
        let known = Known {
            kernel: bound.kernel().id(),
            had: bound.kernel().clone(),
            rows,
            columns,
            is_over_cells: bound.is_over_cells,
            reduces,
            array_reductions: bound.array_reductions().into(),
            arguments: arguments.map(|(at, argument)| KnownArgument::of(bound, at, argument)).collect(),
            uses: uses.to_vec(),
            shares: Arc::clone(shares),
        };
        if self.known.len() == KEPT {
            self.known.remove(0);
        }
        self.known.push(known);
    }
}
