//! How an array of a data region is laid out: its dimensions, how they are divided, and its ghost cells.

use crate::data::RowsAt;
use crate::data::layout::{Division, Edge, Ghosts, Offsets, Ratio, Target};
use smallvec::SmallVec;

/// The loop that arrays are aligned with by default: its iterations are the rows.
pub(super) const ROWS: &str = "rows";
/// The same for the second dimension, if the devices are in a grid.
pub(super) const COLUMNS: &str = "columns";

/// The dimensions of an array and how they are divided over the devices.
///
/// `[n, m]` is a layout by itself: rows follow the region's iterations, and each row is whole on one device. [`Dims`] and the
/// methods here change that:
///
/// ```
/// use apportion::region::{Dims, Edge, Division};
/// let (n, m) = (100, 200);
/// let with_halo = [n, m].halo(1);                      // one ghost row on either side of a device's rows
/// let torus = [n, m].halo(1).edge(Edge::Periodic);     // beyond the last row comes the first
/// let table = [64].full();                             // all of it everywhere
/// let blocks = [n / 4, m].ratio(1).divide(0, Division::Cyclic(2));
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) dims: SmallVec<[Dimension; 3]>,
    pub(super) name: Option<&'static str>,
    pub(super) on: Option<String>,
    /// The first call that has no effect, and what to do.
    pub(super) vain: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Dimension {
    pub extent: u64,
    pub division: Option<Division>,
    pub ghosts: Ghosts,
}

impl Layout {
    /// A layout of these extents, the last dimension fastest in memory.
    pub fn new(extents: &[usize]) -> Self {
        let dimension =
            |&extent: &usize| Dimension { extent: extent as u64, division: None, ghosts: Ghosts::default() };
        Self { dims: extents.iter().map(dimension).collect(), name: None, on: None, vain: None }
    }

    /// A name for messages and reports.
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// `width` ghost rows on either side of a device's rows; also ghost columns, if the devices are in a grid.
    pub fn halo(self, width: usize) -> Self {
        self.halo_sides(width, width)
    }

    /// As [`Layout::halo`] with different widths.
    pub fn halo_sides(mut self, left: usize, right: usize) -> Self {
        for dimension in self.dims.iter_mut().take(2) {
            dimension.ghosts = Ghosts { left: left as u64, right: right as u64, ..dimension.ghosts };
        }
        self
    }

    /// What is beyond both edges of the whole array, in each dimension that has ghost cells.
    pub fn edge(mut self, edge: Edge) -> Self {
        for dimension in &mut self.dims {
            dimension.ghosts = Ghosts { left_edge: edge, right_edge: edge, ..dimension.ghosts };
        }
        self
    }

    /// The ghost cells of one dimension.
    pub fn ghosts(mut self, dimension: usize, ghosts: Ghosts) -> Self {
        match self.dims.get_mut(dimension) {
            Some(dimension) => dimension.ghosts = ghosts,
            None => self = self.lacks("ghosts", dimension),
        }
        self
    }

    /// Notes a call of a dimension that the array does not have.
    fn lacks(self, call: &str, dimension: usize) -> Self {
        let dimensions = self.dims.len();
        self.in_vain(format!(
            "`.{call}({dimension}, ..)` is of dimension {dimension}, but it has {dimensions}, counted from 0"
        ))
    }

    fn in_vain(mut self, why: String) -> Self {
        self.vain.get_or_insert(why);
        self
    }

    /// Every device has all of the array.
    pub fn full(self) -> Self {
        (0..self.dims.len()).fold(self, |layout, dimension| layout.divide(dimension, Division::Full))
    }

    /// Rows per iteration: `2`, or `(2, 3)` for two rows per three iterations. Iteration `i` has the rows from
    /// `ceil(ratio * i)` up to where those of the next one begin, and may also read row `floor(ratio * i)`.
    pub fn ratio(self, ratio: impl Into<Ratio>) -> Self {
        self.divide(0, Division::Align { target: Target::of_loop(ROWS), ratio: ratio.into(), offset: 0 })
    }

    /// Rows follow those of the array named `array`, by a ratio as in [`Layout::ratio`].
    pub fn align_with(self, array: &str, ratio: impl Into<Ratio>) -> Self {
        self.divide(0, Division::Align { target: Target::array(array, 0), ratio: ratio.into(), offset: 0 })
    }

    /// Rows of different lengths, as the elements of a sparse matrix: iteration `i` has rows `at[i] .. at[i + 1]`. The numbers are
    /// copied; rows before the first and after the last of them go with the first and the last device that has iterations.
    pub fn rows_at<'n>(self, at: impl Into<RowsAt<'n>>) -> Self {
        self.divide(0, Division::RowsAt { target: Target::of_loop(ROWS), offsets: Offsets::new(at.into()) })
    }

    /// Number of rows before those of item 0 of what dimension 0 is aligned with; to be called after `ratio` or `align_with`.
    pub fn offset(mut self, rows: usize) -> Self {
        let Some(first) = self.dims.first_mut() else { return self };
        let aligned = Division::Align { target: Target::of_loop(ROWS), ratio: Ratio::ONE, offset: 0 };
        match first.division.get_or_insert(aligned) {
            Division::Align { offset, .. } => *offset = rows as u64,
            Division::RowsAt { .. } => {
                let why = format!(
                    "`.offset({rows})` and `.rows_at(..)`: the first number of the latter says it, leave the former out"
                );
                self = self.in_vain(why);
            }
            _ => {
                let why = format!(
                    "`.offset({rows})` is of rows that are aligned, but dimension 0 has a division of its own: leave one of both \
                     out"
                );
                self = self.in_vain(why);
            }
        }
        self
    }

    /// The whole array is on one device, named as in the machine description. Loops that write it run there.
    pub fn on(mut self, device: impl Into<String>) -> Self {
        self.on = Some(device.into());
        self
    }

    /// How one dimension is divided.
    pub fn divide(mut self, dimension: usize, division: Division) -> Self {
        let Some(of) = self.dims.get_mut(dimension) else { return self.lacks("divide", dimension) };
        match of.division.replace(division) {
            Some(Division::Align { offset, .. }) if offset > 0 && dimension == 0 => self.in_vain(format!(
                "`.offset({offset})` comes before the call that says how dimension 0 is divided, which replaces it: call it \
                 after `.ratio(..)` or `.align_with(..)`"
            )),
            _ => self,
        }
    }

    /// The layout of components, so many for each element, as one more dimension that is never divided.
    pub(super) fn of_items(mut self, components: usize) -> Self {
        if components > 1 && !self.dims.is_empty() {
            let extent = components as u64;
            self.dims.push(Dimension { extent, division: Some(Division::Full), ghosts: Ghosts::default() });
        }
        self
    }

    /// Whether its rows are divided by themselves, not as those of a loop or of another array.
    pub(super) fn has_own_division(&self) -> bool {
        let own = |division: &Division| {
            matches!(division, Division::Block | Division::BlockOf(_) | Division::Cyclic(_) | Division::Weighted(_))
        };
        self.on.is_none() && self.dims.first().and_then(|rows| rows.division.as_ref()).is_some_and(own)
    }

    /// Number of elements; `None` if it overflows.
    pub(super) fn elements(&self) -> Option<u64> {
        self.dims.iter().try_fold(1u64, |product, dimension| product.checked_mul(dimension.extent))
    }

    /// The layout with everything decided that depends on the arrangement of the devices.
    pub(super) fn resolved(&self, topology_dimensions: usize) -> Self {
        let mut layout = self.clone();
        if self.on.is_some() {
            // `DataRegion::parts` puts dimension 0 on that device.
            layout.dims.iter_mut().for_each(|dimension| dimension.division = Some(Division::Full));
        }
        let bases = [ROWS, COLUMNS];
        for (index, dimension) in layout.dims.iter_mut().enumerate() {
            let follow = bases.get(index).filter(|_| index < topology_dimensions);
            let division = dimension.division.get_or_insert_with(|| match follow {
                Some(base) => Division::Align { target: Target::of_loop(base), ratio: Ratio::ONE, offset: 0 },
                None => Division::Full,
            });
            // A dimension that every device has in full has ghosts only past its edges.
            if *division == Division::Full && dimension.ghosts.left_edge == Edge::None {
                dimension.ghosts.left = 0;
            }
            if *division == Division::Full && dimension.ghosts.right_edge == Edge::None {
                dimension.ghosts.right = 0;
            }
            if index > 0 && *division == Division::Full && topology_dimensions == 1 {
                // Loops over rows have whole rows, without ghost columns.
                dimension.ghosts = Ghosts::default();
            }
        }
        layout
    }
}

impl<const D: usize> From<[usize; D]> for Layout {
    fn from(extents: [usize; D]) -> Self {
        Self::new(&extents)
    }
}

/// Layouts from plain extents: `[n, m].halo(1)`.
pub trait Dims: Into<Layout> {
    /// See [`Layout::named`].
    fn named(self, name: &'static str) -> Layout {
        self.into().named(name)
    }
    /// See [`Layout::halo`].
    fn halo(self, width: usize) -> Layout {
        self.into().halo(width)
    }
    /// See [`Layout::halo_sides`].
    fn halo_sides(self, left: usize, right: usize) -> Layout {
        self.into().halo_sides(left, right)
    }
    /// See [`Layout::ghosts`].
    fn ghosts(self, dimension: usize, ghosts: Ghosts) -> Layout {
        self.into().ghosts(dimension, ghosts)
    }
    /// See [`Layout::full`].
    fn full(self) -> Layout {
        self.into().full()
    }
    /// See [`Layout::ratio`].
    fn ratio(self, ratio: impl Into<Ratio>) -> Layout {
        self.into().ratio(ratio)
    }
    /// See [`Layout::align_with`].
    fn align_with(self, array: &str, ratio: impl Into<Ratio>) -> Layout {
        self.into().align_with(array, ratio)
    }
    /// See [`Layout::rows_at`].
    fn rows_at<'n>(self, at: impl Into<RowsAt<'n>>) -> Layout {
        self.into().rows_at(at)
    }
    /// See [`Layout::offset`].
    fn offset(self, rows: usize) -> Layout {
        self.into().offset(rows)
    }
    /// See [`Layout::on`].
    fn on(self, device: impl Into<String>) -> Layout {
        self.into().on(device)
    }
    /// See [`Layout::divide`].
    fn divide(self, dimension: usize, division: Division) -> Layout {
        self.into().divide(dimension, division)
    }
}

impl<const D: usize> Dims for [usize; D] {}
