//! How many cells of a node go with how many items of the node that it is aligned with.

use smallvec::SmallVec;
use std::fmt;

/// Cells per items: `Ratio::new(2, 3)` is two cells for three items. Whole numbers are ratios: `2.into()` is two for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    cells: u64,
    items: u64,
}

impl Ratio {
    /// One for one.
    pub const ONE: Self = Self::new(1, 1);

    /// `cells` for `items`, in lowest terms. Neither may be 0: functions that take a ratio refuse it then.
    pub const fn new(cells: u64, items: u64) -> Self {
        // gcd(0, 0) is 0.
        let common = if cells == 0 && items == 0 { 1 } else { gcd(cells, items) };
        Self { cells: cells / common, items: items / common }
    }

    /// Cells, in lowest terms.
    pub const fn cells(self) -> u64 {
        self.cells
    }

    /// Items that these cells go with.
    pub const fn items(self) -> u64 {
        self.items
    }

    /// Whether every item has the same number of cells.
    pub const fn is_whole(self) -> bool {
        self.items == 1
    }

    /// Whether neither side is 0.
    pub const fn is_valid(self) -> bool {
        self.cells > 0 && self.items > 0
    }
}

pub(crate) const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl From<usize> for Ratio {
    fn from(cells: usize) -> Self {
        Self::new(cells as u64, 1)
    }
}

impl From<(usize, usize)> for Ratio {
    fn from((cells, items): (usize, usize)) -> Self {
        Self::new(cells as u64, items as u64)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.items == 1 { write!(f, "{}", self.cells) } else { write!(f, "{}/{}", self.cells, self.items) }
    }
}

/// One alignment: item `x` has the cells from `offset + ceil(ratio * x)` up to where those of item `x + 1` begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Cells per item.
    pub ratio: Ratio,
    /// Cells before those of item 0.
    pub offset: u64,
}

impl Step {
    fn begin(self, x: u128) -> u128 {
        u128::from(self.offset) + (x * u128::from(self.ratio.cells)).div_ceil(u128::from(self.ratio.items))
    }

    /// The last item whose cells begin at `cell` or before.
    fn item(self, cell: u128) -> u128 {
        let cell = cell.saturating_sub(u128::from(self.offset));
        cell.saturating_mul(u128::from(self.ratio.items)) / u128::from(self.ratio.cells)
    }
}

/// Alignments one after the other, starting at a root. Item `x` of the root has the cells from [`Chain::begin`] of `x` up to
/// that of `x + 1`: none for some items if there are fewer cells than items. So each cell goes with one item, [`Chain::item`].
///
/// A chain is more than the product of its ratios: with one for two and then two for one, item 0 has cells 0 and 1, and item 1
/// has none, since both items share one cell in between.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chain {
    steps: SmallVec<[Step; 1]>,
}

impl Chain {
    /// A chain of `steps`, the one at the root first. Steps that can be joined are joined.
    ///
    /// None if the product of the ratios' cells, or the sum of the offsets scaled by them, is past 2^64.
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Option<Self> {
        let mut joined: SmallVec<[Step; 1]> = SmallVec::new();
        // Upper bounds, so that no position in the chain overflows.
        let (mut ratio, mut offset) = (1u64, 0u64);
        for step in steps {
            ratio = ratio.checked_mul(step.ratio.cells)?;
            offset = offset.checked_mul(step.ratio.cells)?.checked_add(step.offset)?;
            match joined.last_mut() {
                // ceil(a * whole) is a * whole.
                Some(last) if last.ratio.is_whole() && step.ratio.is_whole() => {
                    *last = Step {
                        ratio: Ratio::new(last.ratio.cells * step.ratio.cells, 1),
                        offset: last.offset * step.ratio.cells + step.offset,
                    };
                }
                Some(last) if step.ratio == Ratio::ONE => last.offset += step.offset,
                _ => joined.push(step),
            }
        }
        Some(Self { steps: joined })
    }

    /// The alignments, the one at the root first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All ratios multiplied.
    pub fn ratio(&self) -> Ratio {
        let product = |(cells, items): (u128, u128), step: &Step| {
            let (cells, items) = (cells * u128::from(step.ratio.cells), items * u128::from(step.ratio.items));
            let (mut a, mut b) = (cells, items);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            (cells / a.max(1), items / a.max(1))
        };
        let (cells, items) = self.steps.iter().fold((1, 1), product);
        Ratio::new(u64::try_from(cells).unwrap_or(u64::MAX), u64::try_from(items).unwrap_or(u64::MAX))
    }

    /// `(r, o)`, where item `x` has cells `o + r * x .. o + r * (x + 1)`.
    pub fn whole(&self) -> Option<(u64, u64)> {
        match self.steps.as_slice() {
            [] => Some((1, 0)),
            [step] if step.ratio.is_whole() => Some((step.ratio.cells, step.offset)),
            _ => None,
        }
    }

    /// Number of root items per block such that no cell crosses a border between blocks counted from item 0. Offsets may shift
    /// the borders.
    pub fn granule(&self) -> Option<u64> {
        self.steps.iter().try_fold(1u64, |granule, step| granule.checked_mul(step.ratio.items))
    }

    /// The first cell of item `x`, or of the next item that has one.
    pub fn begin(&self, x: u64) -> u128 {
        self.steps.iter().fold(u128::from(x), |x, step| step.begin(x))
    }

    /// The item that a cell goes with; 0 for cells before those of item 0.
    pub fn item(&self, cell: u64) -> u64 {
        let item = self.steps.iter().rev().fold(u128::from(cell), |cell, step| step.item(cell));
        u64::try_from(item).unwrap_or(u64::MAX)
    }

    /// Cells that overlap items `start..end`, including cells of an item before that reach into them: the cells that a loop
    /// over these items reads, if item `x` reads cell `floor(ratio * x)`.
    pub fn reach(&self, start: u64, end: u64) -> (u64, u64) {
        let low = |x: u128, step: &Step| {
            u128::from(step.offset) + x * u128::from(step.ratio.cells) / u128::from(step.ratio.items)
        };
        let low = self.steps.iter().fold(u128::from(start), low);
        let bounded = |x: u128| u64::try_from(x).unwrap_or(u64::MAX);
        (bounded(low), bounded(self.begin(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chains() -> impl Strategy<Value = Vec<Step>> {
        let step = (1u64..6, 1u64..6, 0u64..5);
        let step = step.prop_map(|(cells, items, offset)| Step { ratio: Ratio::new(cells, items), offset });
        prop::collection::vec(step, 0..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Compares with an owner that is found per cell, step by step.
        #[test]
        fn each_cell_goes_with_one_item(steps in chains()) {
            let chain = Chain::new(steps.iter().copied()).unwrap();
            let owner = |cell: u64| {
                let up = |cell: Option<u64>, step: &Step| {
                    cell?.checked_sub(step.offset).map(|cell| cell * step.ratio.items() / step.ratio.cells())
                };
                steps.iter().rev().fold(Some(cell), up)
            };
            let end = u64::try_from(chain.begin(30)).unwrap();
            for cell in 0..end {
                let Some(item) = owner(cell) else {
                    prop_assert!(u128::from(cell) < chain.begin(0));
                    continue;
                };
                prop_assert_eq!(chain.item(cell), item);
                prop_assert!(chain.begin(item) <= u128::from(cell) && u128::from(cell) < chain.begin(item + 1));
            }
            for x in 0..30 {
                // The item's own cells, and the one that it reads.
                let (low, high) = chain.reach(x, x + 1);
                prop_assert!(u128::from(low) <= chain.begin(x));
                prop_assert_eq!(u128::from(high), chain.begin(x + 1));
                let reads = steps.iter().fold(x, |x, step| step.offset + x * step.ratio.cells() / step.ratio.items());
                prop_assert!(low <= reads && reads < high);
                // The item of a cell is the last one whose cells begin there or before.
                let begin = u64::try_from(chain.begin(x)).unwrap();
                prop_assert!(chain.item(begin) >= x && chain.begin(chain.item(begin)) <= u128::from(begin));
            }
            if let Some((ratio, offset)) = chain.whole() {
                prop_assert!((0..30).all(|x| chain.begin(x) == u128::from(offset + ratio * x)));
                prop_assert_eq!(chain.ratio(), Ratio::new(ratio, 1));
            }
            // Without offsets, no cell crosses a border between granules.
            let granule = chain.granule().unwrap();
            if steps.iter().all(|step| step.offset == 0) {
                for x in (0..30).map(|x| x * granule) {
                    let (low, _) = chain.reach(x, x + 1);
                    prop_assert_eq!(u128::from(low), chain.begin(x));
                    let ratio = chain.ratio();
                    prop_assert_eq!(chain.begin(x) * u128::from(ratio.items()), u128::from(x * ratio.cells()));
                }
            }
        }
    }

    #[test]
    fn ratios_are_in_lowest_terms_and_chains_are_bounded() {
        assert_eq!(Ratio::from((4, 6)), Ratio::new(2, 3));
        assert_eq!((Ratio::from(3).to_string(), Ratio::from((1, 2)).to_string()), ("3".into(), "1/2".into()));
        assert!(!Ratio::new(0, 1).is_valid() && !Ratio::new(1, 0).is_valid() && !Ratio::new(0, 0).is_valid());
        let step = |cells, offset| Step { ratio: Ratio::new(cells, 1), offset };
        assert!(Chain::new([step(1 << 40, 0), step(1 << 40, 0)]).is_none());
        assert!(Chain::new([step(1, u64::MAX), step(2, 0)]).is_none());
        let halves = Step { ratio: Ratio::new(1, 2), offset: 0 };
        let chain = Chain::new([halves, step(2, 0)]).unwrap();
        let begins: Vec<u128> = (0..5).map(|x| chain.begin(x)).collect();
        assert_eq!((begins, chain.ratio()), (vec![0, 2, 2, 4, 4], Ratio::ONE));
    }
}
