//! Arrays that stay on the devices: which cells each device owns and stores, and which bytes move between devices.
//!
//! A loop and the dimensions of the arrays are divided over a [`Topology`] as their [`Division`] says; aligned nodes follow
//! their root ([`Divisions`]). The result is a [`Part`] for each device. From the parts follow the copies: [`place`] and
//! [`collect`] between the host's array and a part, [`ghosts`] between neighbours, [`moves`] when the split changes. A copy is
//! a list of [`BoxCopy`], each of which a driver does in one call.
//!
//! Pure: nothing is copied here, and no list grows with the number of cells.

use super::even_block;

mod copy;
mod divide;
mod offsets;
mod owned;
mod part;
mod ratio;
mod resolve;
mod topology;
mod transfer;

pub use copy::{BoxCopy, CopyRates, Means, Strided, apply_all, bytes_of, cheaper, pack, packed_apart, unpack};
pub use divide::{Array, AxisPlan, Division, Split, Target};
pub use offsets::Offsets;
pub use owned::{Block, Blocks, Cyclic, Owned};
pub use part::{Axis, Part};
pub(crate) use ratio::gcd;
pub use ratio::{Chain, Ratio, Step};
pub use resolve::{Aligned, Divisions, Node};
pub use topology::Topology;
pub use transfer::{Sides, Transfer, between, collect, ghosts, moves, place};

/// What happens at the edge of the whole array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edge {
    /// There are no cells beyond the edge, and none are read.
    #[default]
    None,
    /// The array continues with its other end: cell `-k` is cell `n - k`.
    Periodic,
    /// The array continues mirrored, its last cell not repeated: cell `-k` is cell `k`.
    Reflecting,
}

/// Ghost cells of one dimension: cells beside the owned ones that a device reads as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ghosts {
    /// Cells before.
    pub left: u64,
    /// Cells after.
    pub right: u64,
    /// What is before the array's first cell.
    pub left_edge: Edge,
    /// What is after the array's last cell.
    pub right_edge: Edge,
}

impl Ghosts {
    /// `width` cells on both sides, with the same edge.
    pub const fn both(width: u64, edge: Edge) -> Self {
        Self { left: width, right: width, left_edge: edge, right_edge: edge }
    }

    /// Whether there are none.
    pub const fn is_none(&self) -> bool {
        self.left == 0 && self.right == 0
    }
}

/// The most cells of a dimension, ghosts included. Positions are signed and must not overflow.
pub const MAX_EXTENT: u64 = 1 << 61;

impl LayoutError {
    /// Whether it is about the division of this dimension or loop.
    pub(crate) fn is_of(&self, node: &Target) -> bool {
        matches!(self, Self::Division { name, .. } if *name == node.to_string())
    }
}

/// Why an array cannot be laid out as asked, or bytes cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Alignments form a circle.
    #[error("alignment goes in a circle: {chain}; one of them needs a division of its own")]
    Circle {
        /// The nodes, in order.
        chain: String,
    },
    /// An alignment with a target that does not exist.
    #[error("alignment {chain}: there is no {missing}")]
    Dangling {
        /// The nodes up to the missing one.
        chain: String,
        /// The target that is missing.
        missing: String,
    },
    /// Two nodes have one name.
    #[error("{name} is there twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A division that the node cannot have.
    #[error("{name}: {reason}")]
    Division {
        /// The node.
        name: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// Devices that cannot be arranged as asked.
    #[error("{0}")]
    Topology(String),
    /// Ghost cells that are not possible.
    #[error("dimension {axis}: {reason}")]
    Ghosts {
        /// The array's dimension.
        axis: usize,
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// More cells or bytes than can be counted.
    #[error("{0}")]
    TooLarge(String),
    /// Lists that do not match.
    #[error("{0}")]
    Mismatch(String),
    /// A copy would reach past the end of memory.
    #[error("a copy reaches to byte {end} of {side} of {len} bytes")]
    OutOfBounds {
        /// Source or destination.
        side: &'static str,
        /// One past the last byte that is needed; `usize::MAX` where that overflows.
        end: usize,
        /// Bytes that the memory has.
        len: usize,
    },
}
