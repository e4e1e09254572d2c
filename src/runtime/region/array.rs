//! An array of a region: what the user mapped, where it is stored, and how its ghosts are refreshed.

use super::exchange::Plan;
use super::layout::Layout;
use super::refused::Refused;
use super::run::Use;
use super::unplaced::Begins;
use crate::data::layout::{Chain, Part, Sides};
use crate::data::{ArrayMap, Direction, DisjointMut, Distribution, HostMemory};
use crate::devices::resident::{BufferId, Stored};
use crate::element::ElementType;
use smallvec::SmallVec;
use std::sync::Arc;

/// The user's own memory of an array.
pub(super) enum UserMemory<'a> {
    Read(&'a [u8]),
    Write(&'a mut [u8]),
    None,
}

impl UserMemory<'_> {
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Read(bytes) => Some(bytes),
            Self::Write(bytes) => Some(bytes),
            Self::None => None,
        }
    }
}

/// Where devices that work in the host's memory have the array.
pub(super) enum Home {
    /// There is no such device.
    None,
    /// In the user's own memory.
    User,
    /// In memory of the region: the array has ghosts past its edges, or the user gave no memory.
    Own(Vec<u64>),
}

pub(super) struct RegionArray<'a> {
    pub element: ElementType,
    /// How many of these are one element of the user's.
    pub components: usize,
    pub direction: Direction,
    pub layout: Layout,
    pub user: UserMemory<'a>,
    pub home: Home,
    pub placed: Placed,
    /// Whether it has values: from the caller, or written in the region.
    pub filled: bool,
    /// Where they are while it is on no device.
    pub begins: Begins,
    /// Counts its states: it was written, or copied from or to the user.
    pub version: u64,
    /// Why it is on no device, if its layout is impossible.
    pub refused: Option<Refused>,
}

/// What is known once the region's devices are.
#[derive(Default)]
pub(super) struct Placed {
    /// Each device's part.
    pub parts: Vec<Part>,
    /// The buffer of each device with memory of its own that has part of the array.
    pub buffers: Vec<Option<BufferId>>,
    /// The home as one part.
    pub whole: Option<Part>,
    /// Which rows go with which iterations; the iterations are numbered as the items of the array's root.
    pub chain: Arc<Chain>,
    /// The same for columns, if it has any.
    pub across: Arc<Chain>,
    /// Whether the array's root is the region's rows.
    pub over_rows: bool,
    /// Whether every device has all of the array.
    pub replicated: bool,
    /// Sides, by dimension, whose ghosts are older than their owners' cells.
    pub stale: SmallVec<[Sides; 3]>,
    /// Plans of exchanges, for the sides that were asked for so far.
    pub plans: Vec<(SmallVec<[Sides; 3]>, Plan)>,
    /// Whether devices have newer values than the user's memory.
    pub newer: bool,
}

impl RegionArray<'_> {
    pub fn name(&self, index: usize) -> String {
        match self.layout.name {
            Some(name) => format!("array `{name}`"),
            None => format!("array {index} of the region"),
        }
    }

    /// The number of dimensions as the user gave them.
    pub fn dimensions(&self) -> usize {
        let all = self.layout.dims.len();
        if self.components > 1 { all.saturating_sub(1) } else { all }
    }

    /// The extents as the user gave them: the last dimension of components is not among them.
    pub fn extents(&self) -> Vec<u64> {
        self.layout.dims.iter().take(self.dimensions()).map(|dimension| dimension.extent).collect()
    }

    /// The user's memory, if it has the values that the devices have.
    pub fn seen(&self) -> Option<&[u8]> {
        let own = matches!(self.begins, Begins::Own);
        self.user.bytes().filter(|_| self.filled && own && !self.placed.newer)
    }

    /// Notes that devices have newer values than the user's memory.
    pub fn written(&mut self) {
        self.placed.newer = true;
        self.version += 1;
    }

    /// The home's bytes, if there is one.
    pub fn home(&self) -> Option<&[u8]> {
        match &self.home {
            Home::None => None,
            Home::User => self.user.bytes(),
            // Cut to the array's length: the words may be longer.
            Home::Own(words) => {
                let bytes: &[u8] = bytemuck::cast_slice(words);
                Some(&bytes[..self.placed.home_bytes(bytes.len())])
            }
        }
    }

    /// The home's bytes, writable.
    pub fn home_mut(&mut self) -> Option<&mut [u8]> {
        match (&mut self.home, &mut self.user) {
            (Home::Own(words), _) => {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
                let len = self.placed.home_bytes(bytes.len());
                Some(&mut bytes[..len])
            }
            (Home::User, UserMemory::Write(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// The plan of an exchange of these sides, if there is one.
    pub fn plan(&self, sides: &[Sides]) -> Option<&Plan> {
        self.placed.plan(sides)
    }

    /// The home's memory, for a loop that writes it or only reads it, and everything else that a loop has to know.
    pub fn split(&mut self, written: bool) -> (Option<HostMemory<'_>>, Facts<'_>) {
        let Self { element, components, layout, user, home, placed, .. } = self;
        let memory = match (home, user, written) {
            (Home::None, ..) => None,
            // Cut to the array's length: bodies may take all of it, and the words may be longer.
            (Home::Own(words), _, true) => {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
                let len = placed.home_bytes(bytes.len());
                Some(HostMemory::Write(DisjointMut::new(&mut bytes[..len])))
            }
            (Home::Own(words), _, false) => {
                let bytes: &[u8] = bytemuck::cast_slice(words);
                let len = placed.home_bytes(bytes.len());
                Some(HostMemory::Read(&bytes[..len]))
            }
            (Home::User, UserMemory::Write(bytes), true) => Some(HostMemory::Write(DisjointMut::new(bytes))),
            (Home::User, UserMemory::Write(bytes), false) => Some(HostMemory::Read(bytes)),
            (Home::User, UserMemory::Read(bytes), _) => Some(HostMemory::Read(bytes)),
            (Home::User, UserMemory::None, _) => None,
        };
        (memory, Facts { element: *element, components: *components, name: layout.name, placed })
    }
}

/// What a loop has to know of an array besides its memory.
#[derive(Clone, Copy)]
pub(super) struct Facts<'f> {
    pub element: ElementType,
    pub components: usize,
    pub name: Option<&'static str>,
    pub placed: &'f Placed,
}

impl Placed {
    /// Bytes of the home, at most `memory`.
    fn home_bytes(&self, memory: usize) -> usize {
        self.whole.as_ref().map_or(memory, Part::bytes).min(memory)
    }

    fn plan(&self, sides: &[Sides]) -> Option<&Plan> {
        self.plans.iter().find(|(of, _)| of.as_slice() == sides).map(|(_, plan)| plan)
    }
}

impl<'f> Facts<'f> {
    /// The plan of an exchange of these sides, if there is one.
    pub fn plan(&self, sides: &[Sides]) -> Option<&'f Plan> {
        self.placed.plan(sides)
    }

    /// How a loop sees the array.
    pub fn map<'m>(&self, used: &Use, memory: HostMemory<'m>) -> ArrayMap<'m> {
        let bytes = self.element.bytes();
        let whole = self.placed.whole.as_ref();
        let row_len = whole.map_or(1, |whole| (whole.row_bytes() / bytes).max(1));
        let first_row = whole.map_or(0, |whole| whole.axes()[0].needed().start);
        let first_column = whole.map_or(0, |whole| first_column(whole, bytes));
        let whole_ratio = self.placed.chain.whole();
        let (ratio, offset) = whole_ratio.unwrap_or((1, 0));
        let distribution = if self.placed.replicated { Distribution::Full } else { Distribution::Align { ratio } };
        let len = match &memory {
            HostMemory::Read(bytes) => bytes.len(),
            HostMemory::Write(array) => array.len(),
            // No memory on the host: the length of the largest part.
            HostMemory::Scratch => self.placed.parts.iter().map(Part::bytes).max().unwrap_or(0),
        };
        ArrayMap {
            name: used.name.or(self.name),
            element: self.element,
            direction: used.direction,
            distribution,
            halo: used.halo,
            row_len,
            len: len / bytes,
            memory,
            mapped: None,
            shift: (offset.cast_signed() - first_row).cast_unsigned(),
            first_row,
            first_column,
            chain: whole_ratio.is_none().then(|| Arc::clone(&self.placed.chain)),
            rows_at: None,
            components: self.components,
        }
    }

    /// Where a device stores the array, for iterations whose first row is `row`.
    pub fn stored(&self, device: usize, row: u64) -> Option<Stored> {
        let buffer = self.placed.buffers.get(device).copied().flatten()?;
        let part = &self.placed.parts[device];
        let element = self.element.bytes();
        let rows = &part.axes()[0];
        let first_row = match rows.owned().is_cyclic() {
            true => row.cast_signed() - rows.local(row.cast_signed())?.cast_signed(),
            false => rows.needed().start,
        };
        let (pitch, elements) = (part.row_bytes() / element, part.bytes() / element);
        Some(Stored { buffer, first_row, pitch, first_column: first_column(part, element), elements })
    }
}

/// The number of a part's first column, in elements.
fn first_column(part: &Part, element: usize) -> i64 {
    part.axes().get(1).map_or(0, |axis| axis.needed().start * (part.strides()[1] / element) as i64)
}
