//! What one device has of an array.

use super::{Edge, Ghosts, LayoutError, MAX_EXTENT, Owned};
use smallvec::SmallVec;
use std::ops::Range;

/// One dimension of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    extent: u64,
    owned: Owned,
    ghosts: Ghosts,
    /// Owned and ghost cells; only their bounds where the owned cells are cyclic.
    needed: Range<i64>,
    /// Cells that the part stores, as one range; none where it stores the owned cells of a cyclic dimension only.
    window: Option<Range<i64>>,
}

impl Axis {
    /// The owned cells of a dimension of `extent` cells, and the ghosts beside them.
    pub(super) fn new(axis: usize, extent: u64, owned: Owned, ghosts: Ghosts) -> Result<Self, LayoutError> {
        check_ghosts(axis, extent, &ghosts)?;
        let bounds = owned.bounds();
        if bounds.end > extent || bounds.start > bounds.end {
            return Err(LayoutError::Mismatch(format!(
                "dimension {axis}: cells {}..{} of an array of {extent}",
                bounds.start, bounds.end
            )));
        }
        if owned.is_cyclic() && !ghosts.is_none() {
            return Err(LayoutError::Ghosts {
                axis,
                reason: "a CYCLIC dimension has no neighbours, so it cannot have ghost cells; use BLOCK".into(),
            });
        }
        let (start, end, n) = (bounds.start as i64, bounds.end as i64, extent as i64);
        let needed = if owned.is_empty() {
            0..0
        } else {
            let left = start - ghosts.left as i64;
            let right = end + ghosts.right as i64;
            // Past an edge without a rule there are no cells.
            let left = if ghosts.left_edge == Edge::None { left.max(0) } else { left };
            let right = if ghosts.right_edge == Edge::None { right.min(n) } else { right };
            left..right
        };
        let window = (!owned.is_cyclic()).then(|| needed.clone());
        Ok(Self { extent, owned, ghosts, needed, window })
    }

    fn emptied(&mut self) {
        self.owned = Owned::EMPTY;
        self.needed = 0..0;
        self.window = Some(0..0);
    }

    /// Cells of the whole array.
    pub const fn extent(&self) -> u64 {
        self.extent
    }

    /// The owned cells.
    pub const fn owned(&self) -> &Owned {
        &self.owned
    }

    /// The ghost cells as requested.
    pub const fn ghosts(&self) -> &Ghosts {
        &self.ghosts
    }

    /// Owned and ghost cells as one range of the whole array's numbers: it reaches below 0 or past the end where an edge has a
    /// rule. For a cyclic dimension the range also contains other devices' cells.
    pub fn needed(&self) -> Range<i64> {
        self.needed.clone()
    }

    /// The cells that the part stores, as one range of the whole array's numbers; none where it stores the owned cells of a
    /// cyclic dimension only.
    pub fn window(&self) -> Option<Range<i64>> {
        self.window.clone()
    }

    /// Number of cells that the part stores.
    pub fn stored(&self) -> u64 {
        match &self.window {
            Some(window) => (window.end - window.start) as u64,
            None => self.owned.len(),
        }
    }

    /// Index in the part of cell `global` of the whole array.
    pub fn local(&self, global: i64) -> Option<u64> {
        match &self.window {
            Some(window) => window.contains(&global).then(|| (global - window.start) as u64),
            None => u64::try_from(global).ok().and_then(|x| self.owned.local(x)),
        }
    }

    /// Cell of the whole array at index `local`: the inverse of [`Axis::local`].
    pub fn global(&self, local: u64) -> Option<i64> {
        match &self.window {
            Some(window) => (local < self.stored()).then(|| window.start + local as i64),
            None => self.owned.global(local).map(|x| x as i64),
        }
    }

    /// The cell of the array that `global` stands for by its edge's rule; none past an edge without a rule.
    pub fn source(&self, global: i64) -> Option<u64> {
        let n = self.extent as i64;
        if n == 0 || (0..n).contains(&global) {
            return (n > 0).then_some(global as u64);
        }
        match if global < 0 { self.ghosts.left_edge } else { self.ghosts.right_edge } {
            Edge::None => None,
            Edge::Periodic => Some(global.rem_euclid(n) as u64),
            Edge::Reflecting => {
                let mirrored = if global < 0 { global.checked_neg()? } else { 2 * (n - 1) - global };
                (0..n).contains(&mirrored).then_some(mirrored as u64)
            }
        }
    }
}

fn check_ghosts(axis: usize, extent: u64, ghosts: &Ghosts) -> Result<(), LayoutError> {
    let sides = [("left", ghosts.left, ghosts.left_edge), ("right", ghosts.right, ghosts.right_edge)];
    for (side, width, edge) in sides {
        if edge == Edge::Reflecting && width > 0 && width >= extent.max(1) {
            return Err(LayoutError::Ghosts {
                axis,
                reason: format!(
                    "{width} reflecting ghost cells on the {side} of {extent} cells; there can be one fewer than cells"
                ),
            });
        }
    }
    let all = extent.checked_add(ghosts.left).and_then(|sum| sum.checked_add(ghosts.right));
    if all.is_none_or(|all| all > MAX_EXTENT) {
        return Err(LayoutError::TooLarge(format!(
            "dimension {axis}: {extent} cells with {} and {} ghost cells; there can be 2^61",
            ghosts.left, ghosts.right
        )));
    }
    Ok(())
}

/// What one device has of an array: per dimension the owned cells and the ghosts beside them, contiguous in memory, the last
/// dimension fastest.
///
/// Devices that work in the host's memory have parts of one buffer, the *home*, which holds the whole array and the
/// ghosts past its edges: see [`Part::home`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    element: usize,
    axes: SmallVec<[Axis; 3]>,
    home: bool,
    empty: bool,
}

impl Part {
    /// A part in a buffer of its own, from the owned cells and ghosts of each dimension: `(extent, owned, ghosts)`.
    pub fn new(element: usize, dims: impl IntoIterator<Item = (u64, Owned, Ghosts)>) -> Result<Self, LayoutError> {
        let axes = dims.into_iter().enumerate();
        let axes = axes.map(|(j, (extent, owned, ghosts))| Axis::new(j, extent, owned, ghosts));
        let mut axes = axes.collect::<Result<SmallVec<[Axis; 3]>, _>>()?;
        if axes.is_empty() || element == 0 {
            return Err(LayoutError::Mismatch("an array needs at least one dimension, and elements of a byte".into()));
        }
        let empty = axes.iter().any(|axis| axis.owned.is_empty());
        if empty {
            axes.iter_mut().for_each(Axis::emptied);
        }
        let part = Self { element, axes, home: false, empty };
        part.check_bytes(part.axes.iter().map(|axis| axis.extent))?;
        part.check_bytes(part.axes.iter().map(Axis::stored))?;
        Ok(part)
    }

    /// All of an array in the host's memory, without ghosts: the source of [`super::place`].
    pub fn whole(element: usize, extents: &[u64]) -> Result<Self, LayoutError> {
        Self::new(element, extents.iter().map(|&n| (n, Owned::Block(0..n), Ghosts::default())))
    }

    /// The same cells as part of the home: the buffer that holds the whole array, and as many cells past its edges as periodic
    /// and reflecting ghosts need. An array's parts at home share one buffer.
    pub fn at_home(&self) -> Result<Self, LayoutError> {
        let mut home = self.clone();
        home.home = true;
        for axis in &mut home.axes {
            let pad = |width: u64, edge: Edge| if edge == Edge::None { 0 } else { width as i64 };
            let Ghosts { left, right, left_edge, right_edge } = axis.ghosts;
            axis.window = Some(-pad(left, left_edge)..axis.extent as i64 + pad(right, right_edge));
        }
        home.check_bytes(home.axes.iter().map(Axis::stored))?;
        Ok(home)
    }

    /// The home as one part that owns everything. Its ghosts are those past the array's edges.
    pub fn home(element: usize, dims: impl IntoIterator<Item = (u64, Ghosts)>) -> Result<Self, LayoutError> {
        Self::new(element, dims.into_iter().map(|(n, ghosts)| (n, Owned::Block(0..n), ghosts)))?.at_home()
    }

    fn check_bytes(&self, extents: impl Iterator<Item = u64>) -> Result<(), LayoutError> {
        let extents: SmallVec<[u64; 3]> = extents.collect();
        let bytes = extents.iter().try_fold(self.element as u64, |bytes, &n| bytes.checked_mul(n));
        // A buffer cannot be larger than half of the address space.
        match bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) {
            Some(_) => Ok(()),
            // Without any cell, the other extents do not matter.
            None if extents.contains(&0) => Ok(()),
            None => Err(LayoutError::TooLarge(format!(
                "an array of {extents:?} elements of {} bytes is larger than memory can be",
                self.element
            ))),
        }
    }

    /// Bytes of an element.
    pub const fn element(&self) -> usize {
        self.element
    }

    /// The dimensions.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Whether it owns nothing. A part with a buffer of its own then stores nothing either.
    pub const fn is_empty(&self) -> bool {
        self.empty
    }

    /// Whether it is part of the home.
    pub const fn is_home(&self) -> bool {
        self.home
    }

    /// Whether its cells are laid out as in the host's whole array: then that array itself can be the home.
    pub fn lies_as_the_array(&self) -> bool {
        self.axes.iter().all(|axis| axis.window.as_ref().is_some_and(|w| *w == (0..axis.extent as i64)))
    }

    /// Cells that it owns.
    pub fn owned_cells(&self) -> u64 {
        self.axes.iter().map(|axis| axis.owned.len()).product()
    }

    /// Cells per dimension that its buffer stores.
    pub fn stored_extents(&self) -> SmallVec<[u64; 3]> {
        self.axes.iter().map(Axis::stored).collect()
    }

    /// Bytes of its buffer.
    pub fn bytes(&self) -> usize {
        self.axes.iter().fold(self.element, |bytes, axis| bytes.saturating_mul(axis.stored() as usize))
    }

    /// Distance in bytes from row to row: the first of [`Part::strides`].
    pub fn row_bytes(&self) -> usize {
        self.axes.iter().skip(1).fold(self.element, |bytes, axis| bytes.saturating_mul(axis.stored() as usize))
    }

    /// Distance in bytes between neighbouring cells, per dimension.
    pub fn strides(&self) -> SmallVec<[usize; 3]> {
        let mut stride = self.element;
        let mut strides: SmallVec<[usize; 3]> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let this = stride;
                stride = stride.saturating_mul(axis.stored() as usize);
                this
            })
            .collect();
        strides.reverse();
        strides
    }

    /// Index of a cell in its buffer, in elements.
    pub fn index(&self, global: &[i64]) -> Option<u64> {
        if global.len() != self.axes.len() {
            return None;
        }
        let place =
            |index: u64, (axis, &x): (&Axis, &i64)| index.checked_mul(axis.stored())?.checked_add(axis.local(x)?);
        self.axes.iter().zip(global).try_fold(0, place)
    }
}
