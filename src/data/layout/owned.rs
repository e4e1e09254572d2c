//! Sets of cells along one dimension: a block, or blocks at equal distances.

use super::{LayoutError, MAX_EXTENT, gcd};
use smallvec::SmallVec;
use std::ops::Range;

/// The cells of a dimension that one device owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owned {
    /// One block.
    Block(Range<u64>),
    /// Blocks at equal distances.
    Cyclic(Cyclic),
}

/// Equal blocks at equal distances, clipped to a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cyclic {
    range: Range<u64>,
    /// Start of the first block that has a cell at 0 or later; negative if cell 0 cuts that block.
    origin: i64,
    block: u64,
    every: u64,
}

impl Cyclic {
    /// Blocks of `block` cells, `every` cells apart, one of which starts at `start`: their cells in `range`.
    pub fn new(range: Range<u64>, start: u64, block: u64, every: u64) -> Result<Self, LayoutError> {
        if block == 0 || every < block || every > MAX_EXTENT || range.end > MAX_EXTENT || range.start > range.end {
            return Err(LayoutError::Mismatch(format!(
                "blocks of {block} cells, {every} apart, in {}..{}; a block needs a cell, and blocks must not overlap or \
                 be past 2^61",
                range.start, range.end
            )));
        }
        let start = (start % every) as i64;
        let origin = if start as u64 > every - block { start - every as i64 } else { start };
        Ok(Self { range, origin, block, every })
    }

    /// The range that the blocks are clipped to.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Cells of a block that is not clipped.
    pub const fn block(&self) -> u64 {
        self.block
    }

    /// Distance from one block's start to the next.
    pub const fn every(&self) -> u64 {
        self.every
    }

    /// Start of the first block that has a cell at 0 or later; negative if cell 0 cuts that block.
    pub(super) const fn origin(&self) -> i64 {
        self.origin
    }

    /// Number of cells in all blocks before `x`, ignoring the range.
    fn before(&self, x: u64) -> u64 {
        let distance = (x as i64).saturating_sub(self.origin).max(0) as u64;
        distance / self.every * self.block + (distance % self.every).min(self.block)
    }
}

/// A block of owned cells, and its place in the part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The cells, as the whole array numbers them.
    pub global: Range<u64>,
    /// Index of the block's first cell in the part.
    pub local: u64,
}

/// `count` blocks of `len` cells, `step` cells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strip {
    pub start: u64,
    pub len: u64,
    pub count: u64,
    pub step: u64,
}

pub(super) type Strips = SmallVec<[Strip; 3]>;

impl Strip {
    pub fn one(start: u64, len: u64) -> Self {
        Self { start, len, count: 1, step: len }
    }

    fn new(start: u64, len: u64, count: u64, step: u64) -> Self {
        match count {
            1 => Self::one(start, len),
            // Blocks without gaps are one block.
            _ if step == len => Self::one(start, len * count),
            _ => Self { start, len, count, step },
        }
    }

    fn end(&self) -> u64 {
        self.start + (self.count - 1) * self.step + self.len
    }

    /// Drops the blocks that lie wholly outside of `start..end`; none if all do.
    fn trimmed(self, start: u64, end: u64) -> Option<Self> {
        let first = match (self.start + self.len).cmp(&start) {
            std::cmp::Ordering::Greater => 0,
            _ => (start - self.start - self.len) / self.step + 1,
        };
        let last = if end > self.start { (end - 1 - self.start) / self.step } else { return None };
        let last = last.min(self.count - 1);
        (first <= last).then(|| Self { start: self.start + first * self.step, count: last - first + 1, ..self })
    }
}

/// The cells in both strips. The number of strips found does not depend on the number of common periods.
pub(super) fn overlap(a: Strip, b: Strip, found: &mut Strips) {
    let (Some(a), Some(b)) = (a.trimmed(b.start, b.end()), b.trimmed(a.start, a.end())) else { return };
    if a == b {
        found.push(a);
        return;
    }
    if a.count == 1 && b.count == 1 {
        let (start, end) = (a.start.max(b.start), a.end().min(b.end()));
        if start < end {
            found.push(Strip::one(start, end - start));
        }
        return;
    }
    if a.count == 1 || b.count == 1 {
        let (one, many) = if a.count == 1 { (a, b) } else { (b, a) };
        within(one.start..one.end(), many, found);
        return;
    }
    let (few, many) = if a.step > b.step { (a, b) } else { (b, a) };
    let pairs_in_period = 2 * u128::from(few.step / gcd(few.step, many.step));
    if u128::from(few.count) <= pairs_in_period {
        for i in 0..few.count {
            let start = few.start + i * few.step;
            within(start..start + few.len, many, found);
        }
        return;
    }
    // A pair of overlapping blocks repeats after each common period. The first pair of such a series has a block of the first
    // period on at least one side.
    let period = u128::from(a.step / gcd(a.step, b.step)) * u128::from(b.step);
    let period_a = u64::try_from(period / u128::from(a.step)).unwrap_or(u64::MAX);
    let period_b = u64::try_from(period / u128::from(b.step)).unwrap_or(u64::MAX);
    for i in 0..a.count.min(period_a.saturating_mul(2)) {
        let (start, end) = (a.start + i * a.step, a.start + i * a.step + a.len);
        let Some(near) = b.trimmed(start, end) else { continue };
        let skipped = (near.start - b.start) / b.step;
        for j in skipped..skipped + near.count {
            if i >= period_a && j >= period_b {
                continue;
            }
            let other = b.start + j * b.step;
            let (start, end) = (start.max(other), end.min(other + b.len));
            if start >= end {
                continue;
            }
            let again = ((a.count - 1 - i) / period_a).min((b.count - 1 - j) / period_b);
            found.push(Strip::new(start, end - start, again + 1, u64::try_from(period).unwrap_or(u64::MAX)));
        }
    }
}

/// The cells of `many` in `range`: the blocks inside, and those cut at either end.
fn within(range: Range<u64>, many: Strip, found: &mut Strips) {
    let Some(many) = many.trimmed(range.start, range.end) else { return };
    let mut whole = many;
    if many.start < range.start || many.start + many.len > range.end {
        let end = (many.start + many.len).min(range.end);
        found.push(Strip::one(many.start.max(range.start), end - many.start.max(range.start)));
        whole = Strip { start: many.start + many.step, count: many.count - 1, ..many };
    }
    let cut = whole.count > 0 && whole.end() > range.end;
    let count = whole.count - u64::from(cut);
    if count > 0 {
        found.push(Strip::new(whole.start, whole.len, count, whole.step));
    }
    if cut {
        let start = whole.start + count * whole.step;
        found.push(Strip::one(start, range.end - start));
    }
}

impl Owned {
    /// Nothing.
    pub const EMPTY: Self = Self::Block(0..0);

    /// Number of cells.
    pub fn len(&self) -> u64 {
        match self {
            Self::Block(range) => range.end.saturating_sub(range.start),
            Self::Cyclic(set) => set.before(set.range.end) - set.before(set.range.start),
        }
    }

    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is a cyclic set, which usually has more than one block.
    pub const fn is_cyclic(&self) -> bool {
        matches!(self, Self::Cyclic(_))
    }

    /// Whether cell `x` is owned.
    pub fn contains(&self, x: u64) -> bool {
        match self {
            Self::Block(range) => range.contains(&x),
            Self::Cyclic(set) => set.range.contains(&x) && set.before(x + 1) > set.before(x),
        }
    }

    /// Index of cell `x` among the owned cells, from 0. For CYCLIC(n) over P devices `x / (n P) * n + x % n`.
    pub fn local(&self, x: u64) -> Option<u64> {
        self.contains(x).then(|| match self {
            Self::Block(range) => x - range.start,
            Self::Cyclic(set) => set.before(x) - set.before(set.range.start),
        })
    }

    /// The owned cell with index `local`: the inverse of [`Owned::local`].
    pub fn global(&self, local: u64) -> Option<u64> {
        (local < self.len()).then(|| match self {
            Self::Block(range) => range.start + local,
            Self::Cyclic(set) => {
                let at = local + set.before(set.range.start);
                set.origin.wrapping_add_unsigned(at / set.block * set.every + at % set.block) as u64
            }
        })
    }

    /// The blocks, ascending.
    pub fn blocks(&self) -> Blocks<'_> {
        Blocks { owned: self, next: 0 }
    }

    /// A range that contains all owned cells; it may be wider for a cyclic set.
    pub(crate) fn bounds(&self) -> Range<u64> {
        match self {
            Self::Block(range) => range.clone(),
            Self::Cyclic(set) => set.range(),
        }
    }

    /// At most three strips: a block cut at the start, whole blocks, a block cut at the end.
    pub(super) fn strips(&self) -> Strips {
        let mut strips = Strips::new();
        if self.is_empty() {
            return strips;
        }
        match self {
            Self::Block(range) => strips.push(Strip::one(range.start, range.end - range.start)),
            Self::Cyclic(set) => {
                let mut blocks = self.blocks();
                let Some(first) = blocks.next() else { return strips };
                let (mut start, mut left) = (first.global.start, self.len());
                let head = first.global.end - start;
                if head < set.block {
                    strips.push(Strip::one(start, head));
                    left -= head;
                    start = blocks.next().map_or(first.global.end, |block| block.global.start);
                }
                let whole = left / set.block;
                if whole > 0 {
                    strips.push(Strip::new(start, set.block, whole, set.every));
                    (start, left) = (start + whole * set.every, left - whole * set.block);
                }
                if left > 0 {
                    strips.push(Strip::one(start, left));
                }
            }
        }
        strips
    }
}

/// The blocks of a set, ascending, with their places in the part.
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    owned: &'a Owned,
    next: u64,
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let local = self.next;
        let start = self.owned.global(local)?;
        let left = self.owned.len() - local;
        let len = match self.owned {
            Owned::Block(_) => left,
            // The first block may be cut at its start, the last one at its end.
            Owned::Cyclic(set) => {
                let into = (local + set.before(set.range.start)) % set.block;
                left.min(set.block - into)
            }
        };
        self.next += len;
        Some(Block { global: start..start + len, local })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(strip: Strip) -> Vec<u64> {
        (0..strip.count).flat_map(|i| (0..strip.len).map(move |k| strip.start + i * strip.step + k)).collect()
    }

    fn strips() -> impl Strategy<Value = Strip> {
        let sizes = (0u64..40, 1u64..6, 1u64..30, 0u64..8);
        sizes.prop_map(|(start, len, count, gap)| Strip::new(start, len, count, len + gap))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn an_overlap_has_each_common_cell_once(a in strips(), b in strips()) {
            let mut found = Strips::new();
            overlap(a, b, &mut found);
            let mut common: Vec<u64> = found.iter().flat_map(|&strip| cells(strip)).collect();
            common.sort_unstable();
            let other = cells(b);
            let expected: Vec<u64> = cells(a).into_iter().filter(|x| other.contains(x)).collect();
            prop_assert_eq!(common, expected);
        }

        #[test]
        fn strips_are_the_cells_of_a_set_in_order(
            range in (0u64..30, 0u64..60), start in 0u64..50, block in 1u64..6, gap in 0u64..9,
        ) {
            let range = range.0..range.0 + range.1;
            let every = block + gap;
            let owned = Owned::Cyclic(Cyclic::new(range.clone(), start, block, every).unwrap());
            let found: Vec<u64> = owned.strips().into_iter().flat_map(cells).collect();
            let mine = |x: &u64| (x + 50 * every - start) % every < block;
            prop_assert_eq!(&found, &range.filter(mine).collect::<Vec<_>>());
            prop_assert!(owned.strips().len() <= 3);
            for (local, &x) in found.iter().enumerate() {
                prop_assert_eq!((owned.local(x), owned.global(local as u64)), (Some(local as u64), Some(x)));
            }
        }
    }

    #[test]
    fn an_overlap_has_no_more_strips_than_a_period_has_pairs() {
        let strip = |start, len, every: u64| Strip::new(start, len, (1 << 50) / every, every);
        for (a, b) in
            [(strip(0, 2, 6), strip(3, 4, 10)), (strip(5, 3, 7), strip(0, 1, 12)), (strip(0, 4, 5), strip(3, 3, 4))]
        {
            let mut found = Strips::new();
            overlap(a, b, &mut found);
            let pairs = (a.step + b.step) / gcd(a.step, b.step) * 2;
            assert!(!found.is_empty() && found.len() as u64 <= pairs, "{a:?} {b:?}: {}", found.len());
        }
    }
}
