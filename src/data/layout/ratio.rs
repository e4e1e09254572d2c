//! How many cells of a node go with how many items of the node that it is aligned with.

use super::Offsets;
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

/// One alignment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Item `x` has the cells from `offset + ceil(ratio * x)` up to where those of item `x + 1` begin.
    Ratio {
        /// Cells per item.
        ratio: Ratio,
        /// Cells before those of item 0.
        offset: u64,
    },
    /// Item `x` has the cells that a table says.
    At(Offsets),
}

impl Step {
    fn begin(&self, x: u128) -> u128 {
        match self {
            Self::Ratio { ratio, offset } => {
                u128::from(*offset) + (x * u128::from(ratio.cells)).div_ceil(u128::from(ratio.items))
            }
            Self::At(offsets) => offsets.begin(x).into(),
        }
    }

    /// The first cell that overlaps item `x`.
    fn low(&self, x: u128) -> u128 {
        match self {
            Self::Ratio { ratio, offset } => {
                u128::from(*offset) + x * u128::from(ratio.cells) / u128::from(ratio.items)
            }
            Self::At(offsets) => offsets.begin(x).into(),
        }
    }

    /// The last item whose cells begin at `cell` or before.
    fn item(&self, cell: u128) -> u128 {
        match self {
            Self::Ratio { ratio, offset } => {
                let cell = cell.saturating_sub(u128::from(*offset));
                cell.saturating_mul(u128::from(ratio.items)) / u128::from(ratio.cells)
            }
            Self::At(offsets) => offsets.item(cell).into(),
        }
    }

    /// Cells per item, of the longest where items have different numbers.
    fn ratio(&self) -> Ratio {
        match self {
            Self::Ratio { ratio, .. } => *ratio,
            Self::At(offsets) => Ratio::new(offsets.longest().max(1), 1),
        }
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
        let (mut factor, mut sum) = (1u64, 0u64);
        for step in steps {
            let Step::Ratio { ratio, offset } = step else {
                // Its cells are numbers of 64 bits, whatever the items are.
                (factor, sum) = (1, 0);
                joined.push(step);
                continue;
            };
            factor = factor.checked_mul(ratio.cells)?;
            sum = sum.checked_mul(ratio.cells)?.checked_add(offset)?;
            match joined.last_mut() {
                // ceil(a * whole) is a * whole.
                Some(Step::Ratio { ratio: last, offset: before }) if last.is_whole() && ratio.is_whole() => {
                    *before = *before * ratio.cells + offset;
                    *last = Ratio::new(last.cells * ratio.cells, 1);
                }
                Some(Step::Ratio { offset: before, .. }) if ratio == Ratio::ONE => *before += offset,
                Some(Step::At(_)) if ratio == Ratio::ONE && offset == 0 => {}
                _ => joined.push(Step::Ratio { ratio, offset }),
            }
        }
        Some(Self { steps: joined })
    }

    /// The alignments, the one at the root first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether a table says which cells an item has.
    pub fn has_table(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::At(_)))
    }

    /// Whether a table says it last, so that cells are the rows that it counts.
    pub fn ends_with_table(&self) -> bool {
        matches!(self.steps.last(), Some(Step::At(_)))
    }

    /// Number of root items to which a table gives cells; none without a table, or where others stand between it and the root.
    pub fn table_items(&self) -> Option<u64> {
        match self.steps.first() {
            Some(Step::At(offsets)) => Some(offsets.items()),
            _ => None,
        }
    }

    /// All ratios multiplied. With a table, no item has more cells.
    pub fn ratio(&self) -> Ratio {
        let product = |(cells, items): (u128, u128), step: &Step| {
            let ratio = step.ratio();
            let (cells, items) = (cells * u128::from(ratio.cells), items * u128::from(ratio.items));
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
            [Step::Ratio { ratio, offset }] if ratio.is_whole() => Some((ratio.cells, *offset)),
            _ => None,
        }
    }

    /// Number of root items per block such that no cell crosses a border between blocks counted from item 0. Offsets may shift
    /// the borders. None if it cannot be counted, or if cells follow a table, which does not repeat itself.
    pub fn granule(&self) -> Option<u64> {
        self.steps.iter().try_fold(1u64, |granule, step| match step {
            Step::Ratio { ratio, .. } => granule.checked_mul(ratio.items),
            Step::At(_) => None,
        })
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
        let low = self.steps.iter().fold(u128::from(start), |x, step| step.low(x));
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
        let step = step.prop_map(|(cells, items, offset)| Step::Ratio { ratio: Ratio::new(cells, items), offset });
        let table = prop::collection::vec(0u64..4, 1..60).prop_map(|lengths| {
            let ends = lengths.iter().scan(2, |end, length| {
                *end += length;
                Some(*end)
            });
            let at: Vec<u64> = std::iter::once(2).chain(ends).collect();
            Step::At(Offsets::new((&at).into()))
        });
        prop::collection::vec(prop_oneof![4 => step, 1 => table], 0..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Compares with an owner that is found per cell, step by step.
        #[test]
        fn each_cell_goes_with_one_item(steps in chains()) {
            let chain = Chain::new(steps.iter().cloned()).unwrap();
            let owner = |cell: u64| {
                let up = |cell: Option<u64>, step: &Step| match step {
                    Step::Ratio { ratio, offset } => {
                        cell?.checked_sub(*offset).map(|cell| cell * ratio.items() / ratio.cells())
                    }
                    Step::At(at) => (0..=at.items()).rev().find(|&x| Some(at.begin(x.into())) <= cell),
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
                let reads = steps.iter().try_fold(x, |x, step| match step {
                    Step::Ratio { ratio, offset } => Some(offset + x * ratio.cells() / ratio.items()),
                    Step::At(_) => None,
                });
                prop_assert!(reads.is_none_or(|reads| low <= reads && reads < high));
                prop_assert_eq!(reads.is_none(), chain.has_table());
                // The item of a cell is the last one whose cells begin there or before.
                let begin = u64::try_from(chain.begin(x)).unwrap();
                // Past a table's end there are no cells.
                prop_assert!(chain.item(begin) >= x || chain.has_table() && begin == end);
                prop_assert!(chain.begin(chain.item(begin)) <= u128::from(begin));
            }
            if let Some((ratio, offset)) = chain.whole() {
                prop_assert!((0..30).all(|x| chain.begin(x) == u128::from(offset + ratio * x)));
                prop_assert_eq!(chain.ratio(), Ratio::new(ratio, 1));
            }
            // Without offsets, no cell crosses a border between granules.
            prop_assert_eq!(chain.granule().is_none(), chain.has_table());
            if let Some(granule) = chain.granule().filter(|_| steps.iter().all(|step| step.begin(0) == 0)) {
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
        let step = |cells, offset| Step::Ratio { ratio: Ratio::new(cells, 1), offset };
        assert!(Chain::new([step(1 << 40, 0), step(1 << 40, 0)]).is_none());
        assert!(Chain::new([step(1, u64::MAX), step(2, 0)]).is_none());
        let halves = Step::Ratio { ratio: Ratio::new(1, 2), offset: 0 };
        let chain = Chain::new([halves, step(2, 0)]).unwrap();
        let begins: Vec<u128> = (0..5).map(|x| chain.begin(x)).collect();
        assert_eq!((begins, chain.ratio()), (vec![0, 2, 2, 4, 4], Ratio::ONE));
    }
}
