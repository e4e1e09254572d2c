//! How a dimension is divided, and the parts of an array that follow from it.

use super::{Chain, Cyclic, Ghosts, LayoutError, MAX_EXTENT, Offsets, Owned, Part, Ratio, Step, Topology, even_block};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a division can be aligned with: a dimension of an array, or a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A dimension of an array.
    Array {
        /// The array's name.
        name: Arc<str>,
        /// Which dimension, counted from 0.
        dimension: usize,
    },
    /// A loop, by its label.
    Loop(Arc<str>),
}

impl Target {
    /// Dimension `dimension` of array `name`.
    pub fn array(name: &str, dimension: usize) -> Self {
        Self::Array { name: name.into(), dimension }
    }

    /// The loop with label `name`.
    pub fn of_loop(name: &str) -> Self {
        Self::Loop(name.into())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array { name, dimension } => write!(f, "dimension {dimension} of {name}"),
            Self::Loop(name) => write!(f, "loop {name}"),
        }
    }
}

/// How one dimension, or a loop, is divided, as the user states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Division {
    /// Every device has all of it. Arrays only.
    Full,
    /// One block per device, their lengths equal to within one.
    Block,
    /// Blocks of this length, one per device. Together they must cover the dimension.
    BlockOf(u64),
    /// Blocks of length `n` dealt in turns: item `x` belongs to device `x / n % P`.
    Cyclic(u64),
    /// One block per device, of these lengths.
    Weighted(Vec<u64>),
    /// As a policy decides. Loops only; see [`super::Divisions::decide`].
    Auto,
    /// Follows a target. With a whole ratio, the device that owns the target's item `x` owns
    /// `offset + ratio * x .. offset + ratio * (x + 1)`. In general cell `j` goes with item `floor((j - offset) / ratio)`: a
    /// device that owns items `a..b` owns `offset + ceil(ratio * a) .. offset + ceil(ratio * b)`, and each cell has one owner.
    Align {
        /// The target.
        target: Target,
        /// Cells per items of the target; neither is 0.
        ratio: Ratio,
        /// Cells before those of the target's item 0.
        offset: u64,
    },
    /// Follows a target by a table: the device that owns the target's item `x` owns the cells that the table gives it.
    RowsAt {
        /// The target.
        target: Target,
        /// Where the cells of each item begin.
        offsets: Offsets,
    },
}

impl Division {
    /// What it follows, and how many cells go with how many items there.
    pub fn followed(&self) -> Option<(&Target, Step)> {
        match self {
            Self::Align { target, ratio, offset } => Some((target, Step::Ratio { ratio: *ratio, offset: *offset })),
            Self::RowsAt { target, offsets } => Some((target, Step::At(offsets.clone()))),
            _ => None,
        }
    }
}

/// A dimension, or a loop, divided over one dimension of a topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split {
    /// All of it for every device.
    Full,
    /// A set for each place along a dimension of the topology; devices at the same place have the same set.
    Over {
        /// The topology's dimension.
        dimension: usize,
        /// What each place has.
        owned: Vec<Owned>,
    },
}

/// A dimension of an array: its cells, how they are divided, and which ghosts are beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisPlan {
    /// Number of cells.
    pub extent: u64,
    /// Which device owns which cells.
    pub split: Split,
    /// Ghost cells.
    pub ghosts: Ghosts,
}

/// An array and how its dimensions are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Bytes of an element.
    pub element: usize,
    /// Its dimensions, the last of them fastest in memory.
    pub axes: SmallVec<[AxisPlan; 3]>,
}

impl Array {
    /// The part of each device, in a buffer of its own; see [`Part::at_home`] for devices that work in the host's memory.
    /// Devices along a topology dimension over which nothing is divided have the same cells.
    pub fn parts(&self, topology: &Topology) -> Result<Vec<Part>, LayoutError> {
        let mut taken = [None; 2];
        for (j, axis) in self.axes.iter().enumerate() {
            let Split::Over { dimension, owned } = &axis.split else { continue };
            let devices = topology.along(*dimension).ok_or_else(|| no_dimension(*dimension, topology))?;
            if owned.len() != devices {
                return Err(LayoutError::Mismatch(format!(
                    "dimension {j} is divided in {} for {devices} places in dimension {dimension} of the topology",
                    owned.len()
                )));
            }
            if let Some(other) = taken[*dimension].replace(j) {
                return Err(LayoutError::Mismatch(format!(
                    "dimensions {other} and {j} are both divided over dimension {dimension} of the topology; give each its own"
                )));
            }
        }
        let part = |device| {
            let place = topology.place(device);
            let axis = |axis: &AxisPlan| {
                let owned = match &axis.split {
                    Split::Full => Owned::Block(0..axis.extent),
                    Split::Over { dimension, owned } => owned[place[*dimension]].clone(),
                };
                (axis.extent, owned, axis.ghosts)
            };
            Part::new(self.element, self.axes.iter().map(axis))
        };
        (0..topology.devices()).map(part).collect()
    }

    /// The home of the parts: one part that owns the whole array, with the ghosts past its edges.
    pub fn home(&self) -> Result<Part, LayoutError> {
        Part::home(self.element, self.axes.iter().map(|axis| (axis.extent, axis.ghosts)))
    }
}

pub(super) fn no_dimension(dimension: usize, topology: &Topology) -> LayoutError {
    LayoutError::Topology(format!(
        "the topology has {} dimension(s), so none of number {dimension}",
        topology.dimensions()
    ))
}

/// What each of `devices` owns of `range` under a division of its own.
pub(super) fn divided(
    name: &Target,
    range: &Range<u64>,
    division: &Division,
    devices: usize,
) -> Result<Vec<Owned>, LayoutError> {
    let wrong = |reason: String| LayoutError::Division { name: name.to_string(), reason };
    let n = range.end - range.start;
    let blocks = |block: &dyn Fn(usize) -> Range<u64>| {
        let shifted = |d| block(d).start + range.start..block(d).end + range.start;
        (0..devices).map(|d| Owned::Block(shifted(d))).collect()
    };
    match division {
        Division::Block => Ok(blocks(&|d| even_block(n, devices, d))),
        Division::BlockOf(size) => {
            if u128::from(*size) * (devices as u128) < u128::from(n) {
                let least = n.div_ceil(devices as u64);
                let plural = if devices == 1 { "" } else { "s" };
                return Err(wrong(format!(
                    "BLOCK({size}) on {devices} device{plural} is too small for {n}; it must be at least {least}"
                )));
            }
            Ok(blocks(&|d| size.saturating_mul(d as u64).min(n)..size.saturating_mul(d as u64 + 1).min(n)))
        }
        Division::Cyclic(0) => Err(wrong("CYCLIC(0) has no blocks; it must be at least 1".into())),
        Division::Cyclic(block) => (0..devices)
            .map(|d| {
                let first = u128::from(range.start) + u128::from(*block) * d as u128;
                cyclic(name, range, first, u128::from(*block), devices)
            })
            .collect(),
        Division::Weighted(counts) => {
            let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
            if counts.len() != devices || sum != u128::from(n) {
                return Err(wrong(format!(
                    "{} parts with {sum} together, for {devices} devices and {n}",
                    counts.len()
                )));
            }
            let mut next = range.start;
            let block = |&count: &u64| {
                let start = next;
                next += count;
                Owned::Block(start..next)
            };
            Ok(counts.iter().map(block).collect())
        }
        Division::Auto => Err(wrong("the policy has not decided yet who has what of it".into())),
        Division::Full | Division::Align { .. } | Division::RowsAt { .. } => {
            Err(wrong("it is not divided by itself".into()))
        }
    }
}

/// The cells in `range` of a cyclic set: blocks of `block` cells, one block in every `devices`, one of them starting at
/// `first`.
fn cyclic(name: &Target, range: &Range<u64>, first: u128, block: u128, devices: usize) -> Result<Owned, LayoutError> {
    let every = block.saturating_mul(devices as u128);
    if every > u128::from(MAX_EXTENT) {
        return Err(LayoutError::TooLarge(format!("{name}: {devices} blocks of {block}; there can be 2^61 cells")));
    }
    // All values fit 64 bits now. Shifting the start by whole periods gives the same set.
    let (start, block) = ((first % every.max(1)) as u64, block as u64);
    Cyclic::new(range.clone(), start, block, every as u64).map(Owned::Cyclic)
}

/// What each device owns of `range`, which follows a root by a chain. Cells before the image of the whole root go to the first
/// device that owns part of the root, cells behind it to the last one.
pub(super) fn image(
    name: &Target,
    range: &Range<u64>,
    root: &[Owned],
    chain: &Chain,
) -> Result<Vec<Owned>, LayoutError> {
    let clipped = |x: u64| chain.begin(x).clamp(u128::from(range.start), u128::from(range.end)) as u64;
    let has = |owned: &Owned| !owned.is_empty();
    // If no device owns any of the root, device 0 takes all: every cell has an owner.
    let first = root.iter().position(has).unwrap_or(0);
    let last = root.iter().rposition(has).unwrap_or(0);
    let of = |(d, owned): (usize, &Owned)| match owned {
        Owned::Block(block) => {
            let start = if d == first { range.start } else { clipped(block.start) };
            let end = if d == last { range.end } else { clipped(block.end) };
            Ok(Owned::Block(if has(owned) || first == last && d == first { start..end } else { start..start }))
        }
        Owned::Cyclic(set) => {
            // A start before 0 is moved by one period, which gives the same set.
            let origin = set.origin();
            let start = if origin < 0 { origin + set.every() as i64 } else { origin } as u64;
            let mut block = u128::from(set.block());
            for step in chain.steps() {
                let Step::Ratio { ratio, .. } = step else {
                    return Err(LayoutError::Division {
                        name: name.to_string(),
                        reason:
                            "its rows have different lengths, and what they follow is CYCLIC: they follow blocks only, use \
                             BLOCK there"
                                .into(),
                    });
                };
                let items = u128::from(ratio.items());
                if !block.is_multiple_of(items) {
                    return Err(LayoutError::Division {
                        name: name.to_string(),
                        reason: format!(
                            "it follows blocks of {block} in turns by {}, which would cut cells in two; the blocks must be of a \
                             multiple of {items}",
                            ratio
                        ),
                    });
                }
                block = block / items * u128::from(ratio.cells());
            }
            cyclic(name, range, chain.begin(start), block, root.len())
        }
    };
    root.iter().enumerate().map(of).collect()
}
