//! What moves: how an array is mapped to the devices, and which rows of it a chunk needs and owns.
//!
//! Pure, except for [`DisjointMut`], which lends out the host's arrays.

mod disjoint;
pub mod layout;
mod mapped;
mod rows_at;

pub use disjoint::{DisjointMut, SpanMut, SpanTaken};
pub use mapped::{ArrayKey, Mapped};
pub use rows_at::RowsAt;

use crate::element::ElementType;
use crate::space::IterRange;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The direction in which an array moves (HOMP's and OpenMP's `map` types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the devices.
    To,
    /// From the devices; undefined on a device until written there.
    From,
    /// To the devices and back.
    ToFrom,
    /// Neither: room on the device, undefined until written there.
    Alloc,
}

impl Direction {
    /// Whether sections are copied to the device.
    pub const fn copies_in(self) -> bool {
        matches!(self, Self::To | Self::ToFrom)
    }
    /// Whether owned rows are copied back.
    pub const fn copies_out(self) -> bool {
        matches!(self, Self::From | Self::ToFrom)
    }
    /// Whether the kernel may write it.
    pub const fn writes(self) -> bool {
        !matches!(self, Self::To)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::To => "to",
            Self::From => "from",
            Self::ToFrom => "tofrom",
            Self::Alloc => "alloc",
        })
    }
}

/// How the rows of an array are divided over the devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Every device has all of it (replicated).
    Full,
    /// Equal blocks of rows, one per device, whatever the loop does. It fixes the loop's policy to BLOCK.
    Block,
    /// Rows follow the loop: iteration `i` has rows `ratio * i .. ratio * (i + 1)`.
    Align {
        /// Rows per iteration, at least 1.
        ratio: u64,
    },
    /// Rows follow the loop by a table: iteration `i` has rows `at[i] .. at[i + 1]`, with `at` the map's [`ArrayMap::rows_at`].
    RowsAt,
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.pad("FULL"),
            Self::Block => f.pad("BLOCK"),
            Self::Align { ratio } => write!(f, "ALIGN({ratio})"),
            Self::RowsAt => f.pad("ALIGN(rows_at)"),
        }
    }
}

/// Rows on either side of a section that a chunk reads besides its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Halo {
    /// Rows before.
    pub left: u64,
    /// Rows after.
    pub right: u64,
}

/// The loop that arrays are aligned with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopShape {
    /// All iterations.
    pub range: IterRange,
    /// Devices that take part, for BLOCK distributions.
    pub devices: usize,
}

/// The rows of an array that one chunk needs and owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Rows that the kernel may read: owned rows and halo.
    pub needed: Range<u64>,
    /// Rows that belong to this chunk alone; only these are ever copied back.
    pub owned: Range<u64>,
}

/// Where an array lies on the host.
#[derive(Debug)]
pub enum HostMemory<'a> {
    /// Borrowed for reading.
    Read(&'a [u8]),
    /// Borrowed for writing.
    Write(DisjointMut<'a>),
    /// Not on the host: each device allocates room for each chunk.
    Scratch,
}

/// An array and how it is mapped.
#[derive(Debug)]
pub struct ArrayMap<'a> {
    /// A name for messages; without one, messages use the array's position.
    pub name: Option<&'static str>,
    /// Type of its elements.
    pub element: ElementType,
    /// In which direction it moves.
    pub direction: Direction,
    /// How its rows are divided.
    pub distribution: Distribution,
    /// Rows that a chunk reads besides its own.
    pub halo: Halo,
    /// Elements in a row, at least 1.
    pub row_len: usize,
    /// Elements in all.
    pub len: usize,
    /// Where it lies.
    pub memory: HostMemory<'a>,
    /// The array of a data region that this map stands for.
    pub mapped: Option<ArrayKey>,
    /// Rows of the memory before the row of iteration 0: ghost rows, an ALIGN offset, or the distance at which iterations of a
    /// kernel write.
    pub shift: u64,
    /// The number that the array gives its first row in memory: less than 0 where ghost rows come first.
    pub first_row: i64,
    /// The number that the array gives its first column in memory.
    pub first_column: i64,
    /// How rows follow iterations where the ratio is not a whole number; the distribution's ratio is then unused.
    pub chain: Option<Arc<layout::Chain>>,
    /// Where the rows of iterations begin, where [`Distribution::RowsAt`] asks for it.
    pub rows_at: Option<RowsAt<'a>>,
    /// How many of its elements are one of the caller's: 3 where that has elements of type `[f32; 3]`. Messages count the latter.
    pub components: usize,
}

/// How many rows of a written array belong to iterations.
#[derive(Clone, Copy, Debug)]
pub enum RowsOf<'m> {
    /// This many rows per iteration.
    Each(u64),
    /// As a chain of alignments says.
    Chain(&'m layout::Chain),
    /// As a table says.
    At(RowsAt<'m>),
}

impl RowsOf<'_> {
    /// Rows of some iterations.
    pub fn count(self, iterations: IterRange) -> u64 {
        match self {
            Self::Each(rows) => iterations.len().saturating_mul(rows),
            Self::Chain(chain) => (chain.begin(iterations.end) - chain.begin(iterations.start)) as u64,
            Self::At(at) => at.begin(iterations.end).saturating_sub(at.begin(iterations.start)),
        }
    }

    /// Rows of all iterations before this one.
    pub fn before(self, iteration: u64) -> u64 {
        match self {
            Self::Each(rows) => iteration.saturating_mul(rows),
            Self::Chain(chain) => chain.begin(iteration) as u64,
            Self::At(at) => at.begin(iteration),
        }
    }
}

impl ArrayMap<'_> {
    /// Number of rows. The last one may be short, where a kernel's indices say that it reaches no further.
    pub fn rows(&self) -> u64 {
        self.len.div_ceil(self.row_len) as u64
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> usize {
        // An array without elements may have rows of any length.
        self.row_len.saturating_mul(self.element.bytes())
    }

    /// Bytes in all.
    pub fn bytes(&self) -> usize {
        // A loop is planned before an array that cannot be is refused.
        self.len.saturating_mul(self.element.bytes())
    }

    /// The array's start address on the host, if it is there.
    pub(crate) fn host_start(&self) -> Option<*const u8> {
        match &self.memory {
            HostMemory::Read(bytes) => Some(bytes.as_ptr()),
            HostMemory::Write(array) => Some(array.start()),
            HostMemory::Scratch => None,
        }
    }

    /// The bytes of `rows`, counted from the array's start.
    pub fn byte_range(&self, rows: &Range<u64>) -> Range<usize> {
        let (row, all) = (self.row_bytes(), self.bytes());
        let at = |rows: u64| (rows as usize).saturating_mul(row).min(all);
        at(rows.start)..at(rows.end)
    }

    /// The rows that `chunk` needs and owns.
    pub fn section(&self, chunk: IterRange, shape: &LoopShape) -> Section {
        let distribution = match self.distribution {
            // A BLOCK array that is written has a row per iteration, and a chunk owns just its own.
            Distribution::Block if self.direction.writes() => Distribution::Align { ratio: 1 },
            other => other,
        };
        if let Some(chain) = self.chain.as_deref().filter(|_| !chunk.is_empty()) {
            let row = |row: u64| row.wrapping_add(self.shift).min(self.rows());
            let (low, high) = chain.reach(chunk.start, chunk.end);
            let owned = row(chain.begin(chunk.start) as u64)..row(high);
            let low = row(low).min(owned.start).saturating_sub(self.halo.left);
            return Section { needed: low..owned.end.saturating_add(self.halo.right).min(self.rows()), owned };
        }
        if let (Distribution::RowsAt, Some(at), false) = (distribution, self.rows_at, chunk.is_empty()) {
            let row = |iteration: u64| at.begin(iteration).min(self.rows());
            let owned = row(chunk.start)..row(chunk.end).max(row(chunk.start));
            let needed =
                owned.start.saturating_sub(self.halo.left)..owned.end.saturating_add(self.halo.right).min(self.rows());
            return Section { needed, owned };
        }
        section(distribution, self.halo, self.rows(), self.shift, chunk, shape)
    }

    /// Rows that an iteration has in the mean, of those that a table gives rows.
    pub fn mean_rows(&self) -> f64 {
        let Some(at) = self.rows_at else { return 0.0 };
        let iterations = at.numbers().saturating_sub(1) as u64;
        let rows = at.begin(iterations).min(self.rows()).saturating_sub(at.begin(0));
        rows as f64 / iterations.max(1) as f64
    }

    /// The array's index of the first element of row `row` in memory; below 0 for ghost rows before the array.
    pub fn first_element(&self, row: u64) -> i64 {
        (row.cast_signed() + self.first_row).wrapping_mul(self.row_len as i64).wrapping_add(self.first_column)
    }

    /// Rows of a written array that each iteration owns.
    pub fn rows_per_iteration(&self) -> u64 {
        match self.distribution {
            Distribution::Align { ratio } => ratio,
            Distribution::Block | Distribution::Full | Distribution::RowsAt => 1,
        }
    }

    /// Rows per iteration, where the number may differ between iterations.
    pub fn rows_of(&self) -> RowsOf<'_> {
        match (self.chain.as_deref(), self.rows_at.filter(|_| self.distribution == Distribution::RowsAt)) {
            (Some(chain), _) => RowsOf::Chain(chain),
            (None, Some(at)) => RowsOf::At(at),
            (None, None) => RowsOf::Each(self.rows_per_iteration()),
        }
    }
}

/// Block `index` of `n` items divided evenly over `parts`: EVEN(n, parts), the first `n mod parts` blocks one longer.
pub fn even_block(n: u64, parts: usize, index: usize) -> Range<u64> {
    let parts = parts.max(1) as u64;
    let (quotient, rest, i) = (n / parts, n % parts, index as u64);
    let start = i * quotient + i.min(rest);
    start..start + quotient + u64::from(i < rest)
}

/// The rows that `chunk` needs and owns of an array of `rows` rows, never outside of it. Aligned rows begin at row `shift`.
pub fn section(
    distribution: Distribution,
    halo: Halo,
    rows: u64,
    shift: u64,
    chunk: IterRange,
    shape: &LoopShape,
) -> Section {
    if chunk.is_empty() {
        return Section { needed: 0..0, owned: 0..0 };
    }
    match distribution {
        // Without its table nothing says which rows a chunk needs, so it gets all.
        Distribution::Full | Distribution::RowsAt => Section { needed: 0..rows, owned: 0..rows },
        Distribution::Align { ratio } => {
            let row = |iteration: u64| iteration.saturating_mul(ratio).saturating_add(shift).min(rows);
            let owned = row(chunk.start)..row(chunk.end);
            let needed = owned.start.saturating_sub(halo.left)..owned.end.saturating_add(halo.right).min(rows);
            Section { needed, owned }
        }
        Distribution::Block => {
            // The blocks of all devices whose part of the loop the chunk touches. It is one device, except for a chunk that was
            // given back and cut anew.
            let n = shape.range.len();
            let touched = (0..shape.devices).filter(|&d| {
                let block = even_block(n, shape.devices, d);
                let block = IterRange::new(block.start, block.end).shifted(shape.range.start);
                block.start < chunk.end && chunk.start < block.end
            });
            let owned = touched
                .map(|d| even_block(rows, shape.devices, d))
                .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
                .unwrap_or(0..0);
            let needed = owned.start.saturating_sub(halo.left)..owned.end.saturating_add(halo.right).min(rows);
            Section { needed, owned }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(n: u64, devices: usize) -> LoopShape {
        LoopShape { range: IterRange::new(0, n), devices }
    }

    #[test]
    fn aligned_rows_follow_the_loop_and_halos_stop_at_the_edge() {
        let align = Distribution::Align { ratio: 16 };
        let halo = Halo { left: 8, right: 8 };
        let s = section(align, halo, 160, 0, IterRange::new(0, 3), &shape(10, 2));
        assert_eq!((s.needed, s.owned), (0..56, 0..48));
        let s = section(align, halo, 160, 0, IterRange::new(9, 10), &shape(10, 2));
        assert_eq!((s.needed, s.owned), (136..160, 144..160));
    }

    #[test]
    fn an_empty_chunk_needs_nothing() {
        for distribution in [Distribution::Full, Distribution::Block, Distribution::Align { ratio: 2 }] {
            let s = section(distribution, Halo { left: 3, right: 3 }, 10, 0, IterRange::new(4, 4), &shape(5, 2));
            assert!(s.needed.is_empty() && s.owned.is_empty());
        }
    }

    #[test]
    fn blocks_cover_the_array_once_even_with_fewer_rows_than_devices() {
        for (rows, devices) in [(10, 3), (2, 5), (0, 4), (7, 7), (1 << 40, 6)] {
            let mut next = 0;
            for d in 0..devices {
                let block = even_block(rows, devices, d);
                assert_eq!(block.start, next);
                next = block.end;
            }
            assert_eq!(next, rows);
        }
    }

    #[test]
    fn a_chunk_of_one_devices_block_has_that_devices_block_of_rows() {
        let s = section(Distribution::Block, Halo::default(), 100, 0, IterRange::new(4, 7), &shape(10, 3));
        // Blocks of the loop are 0..4, 4..7, 7..10; of the rows 0..34, 34..67, 67..100.
        assert_eq!(s.owned, 34..67);
    }
}
