//! Places a region's arrays on its devices, and copies them there and back.

use super::array::{Home, Placed, RegionArray, UserMemory};
use super::balance::{SplitOver, in_blocks};
use super::dispatch::{apply, copying, nowhere, of_the_host, on_devices};
use super::exchange::Plan;
use super::layout::{COLUMNS, Layout, ROWS};
use super::operations::{DeviceCopies, Operation, Step, copied_from, copied_to};
use super::refused::Refused;
use super::run::Shares;
use super::unplaced::Begins;
use super::work::RowWork;
use super::{Arrangement, DataRegion};
use crate::data::DisjointMut;
use crate::data::layout::gcd;
use crate::data::layout::{
    self, Array, AxisPlan, BoxCopy, Chain, Division, Divisions, LayoutError, Node, Part, Ratio, Sides, Split, Target,
    Topology,
};
use crate::devices::host::scratch;
use crate::devices::resident::{NotAllocated, Outlet};
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Argument, Bound, CudaVariant, Reduction};
use crate::model::MemoryKind;
use crate::model::machine::DeviceKind;
use crate::runtime::seats::outside_of_pools;
use crate::runtime::{LeftOut, Member, Runtime};
use crate::space::IterRange;
use crate::units::Seconds;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::{SmallVec, smallvec};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Calls of kernels that are kept in mind as possible: to ask again costs little.
const CALLS: usize = 4096;

/// The devices of a region.
pub(super) struct DeviceSet<'r> {
    pub members: Vec<&'r Member>,
    /// Whether each of them works in the host's memory.
    pub shared: Vec<bool>,
    pub topology: Topology,
    /// The region's rows, counted in iterations.
    pub rows: u64,
    /// Rows of each place along the topology's first dimension.
    pub counts: Vec<u64>,
    /// The work of its rows, where that differs.
    pub work: Option<RowWork>,
    /// The region's columns, if the devices are in a grid: those of the first arrays that follow them.
    pub columns: Option<u64>,
}

impl<'r> DeviceSet<'r> {
    pub fn new(members: Vec<&'r Member>, topology: Topology, rows: u64, counts: Vec<u64>) -> Self {
        let shared = members.iter().map(|member| member.model.memory == MemoryKind::Shared).collect();
        Self { members, shared, topology, rows, counts, work: None, columns: None }
    }

    /// The rows of a loop, as those of mean work, and so what each device ran in a time; none where rows are alike.
    pub fn in_places(&self, rows: IterRange, times: &mut [(usize, u64, Seconds)]) -> Option<IterRange> {
        let work = self.work.as_ref()?;
        let ends = self.counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let own: Vec<IterRange> = ends
            .zip(&self.counts)
            .map(|(end, count)| IterRange::new((end - count).max(rows.start), end.min(rows.end)))
            .collect();
        for (slot, iterations, _) in times {
            let Some(own) = own.get(*slot).filter(|own| !own.is_empty()) else { continue };
            let part = *iterations as f64 / own.len() as f64;
            *iterations = ((work.places(*own).len() as f64 * part).round() as u64).max(u64::from(*iterations > 0));
        }
        Some(work.places(rows))
    }
}

pub(super) fn call(error: &LayoutError) -> Error {
    Error::call(format!("data region: {error}"))
}

/// An error of the arrangement, with why devices are missing in it.
fn without(error: Error, left_out: &[LeftOut]) -> Error {
    match error {
        Error::Call(text) if !left_out.is_empty() => {
            let reasons: Vec<_> = left_out.iter().map(|out| format!("`{}` ({})", out.device, out.reason)).collect();
            Error::Call(format!("{text}; left out are {}", reasons.join(", ")))
        }
        error => error,
    }
}

/// The name by which alignments refer to an array.
pub(super) fn target(layout: &Layout, index: usize, dimension: usize) -> Target {
    match layout.name {
        Some(name) => Target::array(name, dimension),
        None => Target::array(&format!("array {index} of the region"), dimension),
    }
}

/// Number of items that go with `extent` cells. The ratio is valid.
pub(super) fn items_of(extent: u64, ratio: Ratio, offset: u64) -> u128 {
    (u128::from(extent.saturating_sub(offset)) * u128::from(ratio.items())).div_ceil(u128::from(ratio.cells()))
}

impl<'r> DataRegion<'r, '_> {
    pub(super) fn set(&self) -> Result<&DeviceSet<'r>> {
        self.set.as_ref().ok_or_else(|| nowhere().into())
    }

    /// Decides devices and split at the first loop, and places new arrays.
    pub(super) fn place_for(
        &mut self,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        rows: IterRange,
        columns: Option<IterRange>,
    ) -> Result<()> {
        let kernel = bound.kernel();
        if self.set.is_none() {
            self.refuse_impossible(&self.new_arrays())?;
            let (members, mut left_out, notes) = self.runtime.select(self.specifier.as_deref(), bound)?;
            let members = self.able(members.into_vec(), bound, reduction, columns, &mut left_out)?;
            let by_model = self.settle(members, bound, rows, columns).map_err(|error| without(error, &left_out))?;
            let on_all = smallvec![true; self.set()?.members.len()];
            self.compiled = FxHashMap::from_iter([(call_of(bound, reduction, columns.is_some()), on_all)]);
            self.notes = notes;
            self.left_out = left_out.into_iter().chain(by_model).collect();
        } else {
            for member in &self.set()?.members {
                let device = member.device();
                device.eligible(kernel).map_err(|why| {
                    Error::call(format!(
                        "{why}, but device `{}` has rows of the region: add a variant, or choose the region's devices by \
                         `.devices(..)`",
                        member.model.name
                    ))
                })?;
            }
        }
        self.place_new()
    }

    /// Those of the selected devices that can run the region's first loop. None has rows yet, so the others are left out.
    fn able(
        &mut self,
        members: Vec<&'r Member>,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        columns: Option<IterRange>,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<Vec<&'r Member>> {
        let mut able = Vec::with_capacity(members.len());
        let compiled = compile(self.runtime, &members, bound, reduction, columns.is_some())?;
        for (member, (compiled, took)) in members.into_iter().zip(compiled) {
            self.totals.compiled(member.id, took);
            match columns.map_or(Ok(()), |_| member.takes_columns()).and(compiled) {
                Ok(()) => able.push(member),
                Err(reason) => left_out.push(LeftOut { device: member.model.name.clone(), reason }),
            }
        }
        if able.is_empty() { Err(self.runtime.nobody(bound.kernel(), left_out)) } else { Ok(able) }
    }

    /// Checks that all devices with a part of the loop can have its kernel: the region is lost if one finds out as it launches it,
    /// as others may have begun.
    pub(super) fn check_compiles(
        &mut self,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        two_dimensional: bool,
        shares: &Shares,
    ) -> Result<()> {
        let call = call_of(bound, reduction, two_dimensional);
        let known = self.compiled.get(&call);
        let members = &self.set()?.members;
        let asks = |slot: &usize| {
            let has_part = !shares.rows[*slot].is_empty() && !shares.columns[*slot].is_some_and(IterRange::is_empty);
            has_part && !known.is_some_and(|known| known[*slot])
        };
        let slots: SmallVec<[usize; 8]> = (0..members.len()).filter(asks).collect();
        if slots.is_empty() {
            return Ok(());
        }
        let on_none = smallvec![false; members.len()];
        let parts: Vec<&Member> = slots.iter().map(|&slot| members[slot]).collect();
        let suits = parts.iter().map(|member| member.suits(bound)).collect::<Vec<_>>();
        let compiled = compile(self.runtime, &parts, bound, reduction, two_dimensional)?;
        for (member, (suits, (compiled, took))) in parts.iter().zip(suits.into_iter().zip(compiled)) {
            self.totals.compiled(member.id, took);
            suits.and(compiled).map_err(|why| {
                Error::call(format!(
                    "device `{}` has rows of this loop, but cannot run it: {why}\nchange the kernel, or choose the region's \
                     devices by `.devices(..)`",
                    member.model.name
                ))
            })?;
        }
        if self.compiled.len() >= CALLS {
            self.compiled.clear();
        }
        let known = self.compiled.entry(call).or_insert(on_none);
        slots.into_iter().for_each(|slot| known[slot] = true);
        Ok(())
    }

    /// The arrays that are to be placed.
    fn new_arrays(&self) -> Vec<usize> {
        let is_new = |array: &RegionArray<'_>| array.placed.parts.is_empty() && array.refused.is_none();
        (0..self.arrays.len()).filter(|&i| is_new(&self.arrays[i])).collect()
    }

    /// Places the arrays that were mapped since the last call. The devices are settled.
    pub(super) fn place_new(&mut self) -> Result<()> {
        let new = self.new_arrays();
        if new.is_empty() {
            return Ok(());
        }
        self.known.clear();
        self.refuse_impossible(&new)?;
        let mut placed = self.divide(&new)?;
        if self.move_borders()? {
            placed = self.divide(&new)?;
        }
        // Kept from now on: arrays that are mapped later are divided in the same way.
        let columns = self.columns_of_arrays();
        if let Some(set) = &mut self.set {
            set.columns = set.columns.or(columns);
        }
        for (index, placed) in placed.into_iter().enumerate().filter(|(index, _)| new.contains(index)) {
            self.arrays[index].placed = placed;
            match self.make_room_for(index) {
                Err(NotAllocated { error, no_room: true }) => {
                    // Nothing was sent, so all other arrays are as they were.
                    let array = &mut self.arrays[index];
                    (array.placed, array.home) = (Placed::default(), Home::None);
                    array.refused = Some(Refused::Room(error.to_string()));
                    let begins = array.begins.clone();
                    if self.loops == 0 && self.arrays.iter().all(|array| array.placed.parts.is_empty()) {
                        self.set = None;
                    }
                    // Loops go on, and may write to the memory in which the values are that were copied to it.
                    if let Begins::Of(of) = begins {
                        self.keep_copied(of)?;
                    }
                    return Err(error.into());
                }
                made => self.or_lose(made.map_err(|failed| failed.error))?,
            }
            let filled = self.fill(index);
            let step = self.or_lose(filled)?;
            self.totals.operations.did(Operation::To, &step);
        }
        Ok(())
    }

    /// Whether rows are split where the arrays' fractions need it, and where else that would be. They are not if an array with a
    /// fraction came after the first loop.
    pub(super) fn borders(&self) -> Option<(bool, Vec<u64>)> {
        let set = self.set.as_ref()?;
        let counts = in_blocks(&set.counts, self.granule_of(true).ok()?);
        Some((counts == set.counts, counts))
    }

    /// Moves rows to where new arrays with fractions need it, and says whether any moved.
    fn move_borders(&mut self) -> Result<bool> {
        let Some((false, counts)) = self.borders() else { return Ok(false) };
        let set = self.set()?;
        let emptied = counts.iter().zip(&set.counts).any(|(after, before)| *after == 0 && *before > 0);
        // In a grid rows do not move. Nor do they where a device would be left without: loops over the array are refused then.
        if set.topology.dimensions() > 1 || emptied {
            return Ok(false);
        }
        self.land_all()?;
        let moved = self.move_to(counts)?;
        if moved {
            self.balance.moved();
        }
        Ok(moved)
    }

    /// Chooses devices, their arrangement and the split.
    fn settle(
        &mut self,
        members: Vec<&'r Member>,
        bound: &Bound<'_>,
        rows: IterRange,
        columns: Option<IterRange>,
    ) -> Result<Vec<LeftOut>> {
        let grid = match self.arrangement {
            Arrangement::Row => Topology::row(members.len()),
            Arrangement::Square => Topology::square(members.len()),
            Arrangement::Grid(r, c) => Topology::grid(r, c, members.len()),
        };
        let topology = grid.map_err(|error| call(&error))?;
        let extent = self.rows_of_arrays(topology.dimensions()).unwrap_or(rows.end);
        let cells = columns.map_or(1, IterRange::len);
        let along = topology.along(0).unwrap_or(1);
        let SplitOver { members, counts, left_out } = if topology.dimensions() == 1 {
            self.split_rows(members, bound, extent, cells)?
        } else {
            let counts = in_blocks(&crate::model::split::even(extent, along), self.granule()?);
            SplitOver { members, counts, left_out: Vec::new() }
        };
        let topology = if topology.dimensions() == 1 {
            Topology::row(members.len()).map_err(|error| call(&error))?
        } else {
            topology
        };
        let mut set = DeviceSet::new(members, topology, extent, counts);
        if topology.dimensions() == 1 {
            set.work = self.row_work(&set.members, extent);
        }
        if topology.along(1).unwrap_or(1) > 1 && set.shared.iter().filter(|&&shared| shared).count() > 1 {
            return Err(Error::call(
                "data region: several devices that work in the host's memory cannot stand in a grid, as they would write \
                 parts of the same rows: leave all but one out, or arrange the devices in a row",
            ));
        }
        self.check_room(&set)?;
        self.set = Some(set);
        Ok(left_out)
    }

    /// The region's iterations: as many as the longest array that follows them has rows for.
    fn rows_of_arrays(&self, dimensions: usize) -> Option<u64> {
        self.items_of_arrays(0, &Target::of_loop(ROWS), dimensions)
    }

    /// The region's columns, likewise: devices in a grid are divided over them.
    fn columns_of_arrays(&self) -> Option<u64> {
        self.items_of_arrays(1, &Target::of_loop(COLUMNS), 2)
    }

    /// Number of items of the loop `followed` that arrays follow with this dimension.
    fn items_of_arrays(&self, dimension: usize, followed: &Target, dimensions: usize) -> Option<u64> {
        let of = |array: &RegionArray<'_>| {
            let layout = array.layout.resolved(dimensions);
            let follower = layout.dims.get(dimension).filter(|_| layout.on.is_none())?;
            match &follower.division {
                Some(Division::Align { target, ratio, offset }) if target == followed && ratio.is_valid() => {
                    u64::try_from(items_of(follower.extent, *ratio, *offset)).ok()
                }
                Some(Division::RowsAt { target, offsets }) if target == followed => Some(offsets.items()),
                _ => None,
            }
        };
        self.arrays.iter().filter(|array| array.refused.is_none()).filter_map(of).max()
    }

    /// Splits lie at multiples of this many rows, so that no row of an array is on a border: a common multiple of what the
    /// ratios of all alignment chains need, and of the block of reproducible reductions.
    pub(super) fn granule(&self) -> Result<u64> {
        self.granule_of(false)
    }

    /// The same, of all chains or only of those that end at the region's rows.
    fn granule_of(&self, rows_alone: bool) -> Result<u64> {
        let too_large =
            || Error::call("data region: the ratios of its arrays have no common multiple that can be counted");
        let named = |name: &Target| {
            let mut kept = self.arrays.iter().enumerate().filter(|(_, array)| array.refused.is_none());
            kept.find(|(index, array)| target(&array.layout, *index, 0) == *name)
        };
        let mut granule = self.block.unwrap_or(1);
        for (index, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.refused.is_none()) {
            let (mut items, mut next) = (1u64, Some((index, array)));
            let mut passed: SmallVec<[usize; 4]> = SmallVec::new();
            let mut at_rows = true;
            // Circles are refused elsewhere.
            while let Some((index, array)) = next.filter(|(index, _)| !passed.contains(index)) {
                passed.push(index);
                let division = array.layout.dims.first().and_then(|dimension| dimension.division.as_ref());
                let (target, cells) = match division {
                    Some(Division::Align { target, ratio, .. }) => (target, ratio.items().max(1)),
                    // No cell of it is of two items.
                    Some(Division::RowsAt { target, .. }) => (target, 1),
                    _ => {
                        at_rows = division.is_none();
                        break;
                    }
                };
                items = items.checked_mul(cells).ok_or_else(too_large)?;
                next = named(target);
            }
            if at_rows || !rows_alone {
                granule = (granule / gcd(granule, items)).checked_mul(items).ok_or_else(too_large)?;
            }
        }
        Ok(granule)
    }

    /// Each device's part of each wanted array, and what follows from that, if the devices have `counts` rows; without buffers.
    pub(super) fn parts(
        &self,
        set: &DeviceSet<'_>,
        counts: &[u64],
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Placed>> {
        let topology = &set.topology;
        let layouts: Vec<(usize, Layout)> = self
            .arrays
            .iter()
            .enumerate()
            .filter(|(index, _)| wanted(*index))
            .map(|(index, array)| (index, array.layout.resolved(topology.dimensions())))
            .collect();
        let mut nodes = vec![Node {
            name: Target::of_loop(ROWS),
            range: 0..set.rows,
            division: Division::Weighted(counts.to_vec()),
            over: 0,
        }];
        if topology.dimensions() > 1 {
            let columns = set.columns.or_else(|| self.columns_of_arrays()).unwrap_or(1);
            let division = Division::Block;
            nodes.push(Node { name: Target::of_loop(COLUMNS), range: 0..columns, division, over: 1 });
        }
        for &(index, ref layout) in &layouts {
            for (dimension, of) in layout.dims.iter().enumerate() {
                let division = match &layout.on {
                    Some(device) if dimension == 0 => all_on(set, device, of.extent)?,
                    _ => of.division.clone().unwrap_or(Division::Full),
                };
                let over = dimension.min(topology.dimensions() - 1);
                nodes.push(Node { name: target(layout, index, dimension), range: 0..of.extent, division, over });
            }
        }
        let divisions = Divisions::new(nodes).map_err(|error| call(&error))?;
        let one = |(index, layout): (usize, &Layout)| -> Result<_, LayoutError> {
            let element = self.arrays[index].element.bytes();
            let mut axes = SmallVec::new();
            for (dimension, of) in layout.dims.iter().enumerate() {
                let split = divisions.split(&target(layout, index, dimension), topology)?;
                axes.push(AxisPlan { extent: of.extent, split, ghosts: of.ghosts });
            }
            let first = target(layout, index, 0);
            let aligned = divisions.aligned(&first)?;
            let replicated = axes.iter().all(|axis: &AxisPlan| axis.split == Split::Full);
            // In a replicated array no iteration has rows of its own.
            let chain = Arc::new(if replicated { Chain::default() } else { aligned.chain });
            let across = match layout.dims.len() {
                1 => Chain::default(),
                _ => divisions.aligned(&target(layout, index, 1))?.chain,
            };
            let array = Array { element, axes };
            let mut parts = array.parts(topology)?;
            for (part, shared) in parts.iter_mut().zip(&set.shared) {
                if *shared {
                    *part = part.at_home()?;
                }
            }
            let whole = if set.shared.contains(&true) { Some(array.home()?) } else { None };
            let stale = layout.dims.iter().map(|_| Sides::NONE).collect();
            let over_rows = aligned.root == 0;
            Ok(Placed {
                parts,
                chain,
                across: Arc::new(across),
                over_rows,
                replicated,
                whole,
                stale,
                ..Placed::default()
            })
        };
        let mut all: Vec<Placed> = self.arrays.iter().map(|_| Placed::default()).collect();
        for &(index, ref layout) in &layouts {
            let placed = one((index, layout));
            all[index] = placed.map_err(|error| {
                // An array is named once, and so is its only dimension.
                let mine = (0..layout.dims.len()).find(|&of| error.is_of(&target(layout, index, of)));
                let (name, several) = (self.arrays[index].name(index), layout.dims.len() > 1);
                Error::call(match (error, mine) {
                    (LayoutError::Division { reason, .. }, Some(of)) if several => {
                        format!("{name}, dimension {of}: {reason}")
                    }
                    (LayoutError::Division { reason, .. }, Some(_)) => format!("{name}: {reason}"),
                    (error, _) => format!("{name}: {error}"),
                })
            })?;
        }
        Ok(all)
    }

    /// Allocates an array's memory.
    fn make_room_for(&mut self, index: usize) -> Result<(), NotAllocated> {
        let failed = |no_room: bool| move |error: DeviceError| NotAllocated { error, no_room };
        let Some(set) = &self.set else { return Err(failed(false)(nowhere())) };
        let array = &mut self.arrays[index];
        if let Some(whole) = &array.placed.whole {
            let same = array.user.bytes().is_some_and(|bytes| bytes.len() == whole.bytes());
            array.home = if same {
                Home::User
            } else {
                Home::Own(scratch(whole.bytes(), false).map_err(|refused| failed(true)(at_home(set, refused)))?)
            };
        }
        let parts = &array.placed.parts;
        array.placed.buffers = allocate(set, parts, &vec![true; parts.len()], array.placed.chain.has_table())?;
        Ok(())
    }

    /// Copies the user's values to the home and to the devices.
    pub(super) fn copy_in(&mut self, index: usize) -> Result<Step, DeviceError> {
        let RegionArray { user, home, placed, .. } = &mut self.arrays[index];
        let mut step = Step::default();
        if let (Home::Own(words), Some(whole), Some(bytes)) = (home, &placed.whole, user.bytes()) {
            let home: &mut [u8] = bytemuck::cast_slice_mut(words);
            let began = Instant::now();
            apply(layout::place(whole).iter().map(|copy| copy.apply(bytes, home)))?;
            step.host_since(began);
        }
        step.then(&self.send(index)?);
        Ok(step)
    }

    /// Copies the user's values to the home and to the devices.
    pub(super) fn refill(&mut self, index: usize) -> Result<(), DeviceError> {
        let step = self.copy_in(index)?;
        self.totals.operations.did(Operation::UpdateTo, &step);
        let placed = &mut self.arrays[index].placed;
        placed.newer = false;
        placed.stale.iter_mut().for_each(|sides| *sides = Sides::NONE);
        Ok(())
    }

    /// Copies the user's values to devices with memory of their own, ghosts included.
    fn send(&self, index: usize) -> Result<Step, DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let array = &self.arrays[index];
        array.user.bytes().map_or_else(|| Ok(Step::default()), |bytes| send(self.runtime, set, &array.placed, bytes))
    }

    /// Copies an array's newest values to the user's memory, for this operation.
    pub(super) fn collect(&mut self, index: usize, operation: Operation) -> Result<(), DeviceError> {
        self.keep_copied(index)?;
        let Some(set) = &self.set else { return Ok(()) };
        let RegionArray { user, home, placed, .. } = &mut self.arrays[index];
        let UserMemory::Write(bytes) = user else { return Ok(()) };
        let home: Option<&[u8]> = if let Home::Own(words) = home { Some(bytemuck::cast_slice(words)) } else { None };
        let step = gather(self.runtime, set, placed, home, bytes)?;
        self.totals.operations.did(operation, &step);
        Ok(())
    }

    /// Plans the exchange of an array's ghosts.
    pub(super) fn plan_ghosts(&mut self, index: usize, sides: &[Sides]) -> Result<(), DeviceError> {
        if self.arrays[index].plan(sides).is_some() {
            return Ok(());
        }
        let Some(set) = &self.set else { return Err(nowhere()) };
        let placed = &self.arrays[index].placed;
        let transfers = layout::ghosts(&placed.parts, sides).map_err(|error| laid_out(&error))?;
        let outlets = outlets(set, &placed.buffers);
        let plan = Plan::new(&placed.parts, transfers, |to, from| reaches(set, &outlets, to, from));
        self.arrays[index].placed.plans.push((sides.iter().copied().collect(), plan));
        Ok(())
    }
}

/// A hash of what decides whether a device can run a kernel: its code, its form, and what it is called with.
fn call_of(bound: &Bound<'_>, reduction: Option<Reduction>, two_dimensional: bool) -> u64 {
    let kernel = bound.kernel();
    let groups =
        (kernel.opencl_variant().map(|source| source.grid().group), kernel.cuda_variant().and_then(CudaVariant::group));
    let options = kernel.cuda_variant().and_then(CudaVariant::options);
    let mut hash = FxHasher::default();
    (kernel.id(), groups, options, reduction.map(|reduction| reduction.element), two_dimensional).hash(&mut hash);
    for argument in bound.arguments() {
        match argument {
            Argument::Scalar(scalar) => (false, scalar.element()).hash(&mut hash),
            Argument::Array(map) => (true, map.element).hash(&mut hash),
        }
    }
    hash.finish()
}

/// Why a device cannot have a kernel, if it cannot, and how long it compiled.
type Compiled = (std::result::Result<(), String>, Duration);

/// Compiles a kernel on all of these devices at once, and gives each one's reason if it cannot have it, and the time that it took.
fn compile(
    runtime: &Runtime,
    members: &[&Member],
    bound: &Bound<'_>,
    reduction: Option<Reduction>,
    two_dimensional: bool,
) -> Result<Vec<Compiled>, DeviceError> {
    let compiled = Mutex::new(vec![(Ok(()), Duration::ZERO); members.len()]);
    let compiles = |member: &&Member| matches!(member.kind, DeviceKind::Opencl | DeviceKind::Cuda);
    // Others have nothing to compile: their threads need not be woken.
    let (slots, ahead): (Vec<usize>, Vec<&Member>) =
        members.iter().copied().enumerate().filter(|(_, member)| compiles(member)).unzip();
    if !ahead.is_empty() {
        on_devices(runtime, &ahead, |of| {
            let mut device = ahead[of].device();
            let before = device.compile_time();
            let done = device.compile(bound.kernel(), bound.arguments(), reduction, two_dimensional);
            let took = device.compile_time().saturating_sub(before);
            drop(device);
            compiled.lock().unwrap_or_else(PoisonError::into_inner)[slots[of]] = (done, took);
            Ok(())
        })?;
    }
    Ok(compiled.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The division that puts all rows on one device.
fn all_on(set: &DeviceSet<'_>, device: &str, rows: u64) -> Result<Division> {
    if set.topology.dimensions() > 1 {
        return Err(Error::call(format!(
            "data region: an array is on device `{device}` alone, but the devices stand in a grid: arrange them in a row"
        )));
    }
    let has = |member: &&Member| member.model.name == device;
    if !set.members.iter().any(has) {
        let names: Vec<&str> = set.members.iter().map(|member| member.model.name.as_str()).collect();
        return Err(Error::call(format!(
            "data region: an array is to be on device `{device}`, but the region has {}",
            names.join(", ")
        )));
    }
    let counts = set.members.iter().map(|member| if has(member) { rows } else { 0 });
    Ok(Division::Weighted(counts.collect()))
}

/// Copies a whole array to devices with memory of their own, ghosts included.
pub(super) fn send(runtime: &Runtime, set: &DeviceSet<'_>, placed: &Placed, bytes: &[u8]) -> Result<Step, DeviceError> {
    copying(runtime, &set.members, |slot| {
        let nothing = DeviceCopies::default();
        let Some(buffer) = placed.buffers[slot] else { return Ok(nothing) };
        let copies = layout::place(&placed.parts[slot]);
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(nothing) };
        resident.write(buffer, &copies, bytes).map(|took| copied_to(layout::bytes_of(&copies), took))
    })
}

/// Copies the cells that devices own to memory for the whole array. `home` is the home, unless it is that memory itself.
fn gather(
    runtime: &Runtime,
    set: &DeviceSet<'_>,
    placed: &Placed,
    home: Option<&[u8]>,
    bytes: &mut [u8],
) -> Result<Step, DeviceError> {
    let at = |slot: usize| layout::collect(&placed.parts[slot]);
    let mut step = Step::default();
    if let Some(home) = home {
        let began = Instant::now();
        for slot in (0..set.members.len()).filter(|&slot| set.shared[slot]) {
            apply(at(slot).iter().map(|copy| copy.apply(home, bytes)))?;
        }
        step.host_since(began);
    }
    // A replicated array is the same everywhere: the first device that has it is read.
    let devices = set.members.len();
    let first = (0..devices).find(|&slot| !placed.parts[slot].is_empty()).unwrap_or(0);
    let mut wanted: Vec<(usize, Vec<BoxCopy>)> = (0..devices)
        .filter(|&slot| placed.buffers[slot].is_some() && (!placed.replicated || slot == first))
        .map(|slot| (slot, at(slot)))
        .collect();
    let read = |slot: usize, copies: &[BoxCopy], bytes: &mut [u8]| {
        let nothing = DeviceCopies::default();
        let Some(buffer) = placed.buffers[slot] else { return Ok(nothing) };
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(nothing) };
        resident.read(buffer, copies, bytes).map(|took| copied_from(layout::bytes_of(copies), took))
    };
    // All devices at once, if their rows do not overlap in memory.
    let ranges: Vec<_> = wanted.iter().map(|(_, copies)| bounds(copies, bytes.len())).collect();
    let all = DisjointMut::new(bytes);
    let spans: Result<Vec<_>, _> = ranges.iter().map(|range| all.lend(range.clone())).collect();
    match spans {
        Ok(spans) => {
            for ((_, copies), range) in wanted.iter_mut().zip(&ranges) {
                copies.iter_mut().for_each(|copy| copy.to.offset -= range.start);
            }
            let spans: Vec<_> = spans.into_iter().map(Mutex::new).collect();
            step.then(&copying(runtime, &set.members, |slot| {
                let mine = wanted.iter().zip(&spans).find(|((of, _), _)| *of == slot);
                let Some(((_, copies), span)) = mine else { return Ok(DeviceCopies::default()) };
                read(slot, copies, &mut span.lock().unwrap_or_else(PoisonError::into_inner))
            })?);
        }
        Err(_) => {
            let bytes_len = all.len();
            let mut span =
                all.lend(0..bytes_len).map_err(|taken| DeviceError { message: taken.to_string(), ..nowhere() })?;
            // As in `on_devices`.
            outside_of_pools(|| {
                wanted.iter().try_for_each(|(slot, copies)| {
                    step.then_one(*slot, read(*slot, copies, &mut span)?);
                    Ok(())
                })
            })
            .unwrap_or_else(|error| Err(of_the_host(&error)))?;
        }
    }
    Ok(step)
}

/// An error of the device that works in the host's memory.
fn at_home(set: &DeviceSet<'_>, message: String) -> DeviceError {
    let home = set.members.iter().zip(&set.shared).find(|(_, shared)| **shared);
    let device = home.map_or_else(|| "host".to_owned(), |(member, _)| member.model.name.clone());
    DeviceError { device, phase: Phase::Init, chunk: None, message }
}

/// Allocates buffers for the wanted parts, on devices that have memory of their own. If one has no room, none is kept. By a table
/// iterations may have no cells, and run.
pub(super) fn allocate(
    set: &DeviceSet<'_>,
    parts: &[Part],
    wanted: &[bool],
    by_table: bool,
) -> Result<Vec<Option<crate::devices::resident::BufferId>>, NotAllocated> {
    let mut buffers = vec![None; parts.len()];
    // Kernels also take an array without elements: it has buffers of 0 bytes.
    let nothing = by_table || parts.iter().all(|part| part.bytes() == 0);
    for (slot, part) in parts.iter().enumerate() {
        let wanted = wanted[slot] && !part.is_home() && (part.bytes() > 0 || nothing);
        let allocated = {
            let mut device = set.members[slot].device();
            device.resident().filter(|_| wanted).map(|resident| resident.allocate(part.bytes())).transpose()
        };
        match allocated {
            Ok(buffer) => buffers[slot] = buffer,
            Err(no_room) => {
                for (slot, buffer) in buffers.iter().enumerate() {
                    let mut device = set.members[slot].device();
                    if let (Some(resident), Some(buffer)) = (device.resident(), buffer) {
                        resident.release(*buffer);
                    }
                }
                return Err(no_room);
            }
        }
    }
    Ok(buffers)
}

/// Each device's buffer as other devices of its kind see it.
pub(super) fn outlets(
    set: &DeviceSet<'_>,
    buffers: &[Option<crate::devices::resident::BufferId>],
) -> Vec<Option<Outlet>> {
    let outlet = |(member, buffer): (&&Member, &Option<_>)| {
        let mut device = member.device();
        device.resident()?.outlet((*buffer)?)
    };
    set.members.iter().zip(buffers).map(outlet).collect()
}

/// Whether a device can copy directly from another.
pub(super) fn reaches(set: &DeviceSet<'_>, outlets: &[Option<Outlet>], to: usize, from: usize) -> bool {
    let Some(outlet) = &outlets[from] else { return false };
    let mut device = set.members[to].device();
    device.resident().is_some_and(|resident| resident.reaches(outlet))
}

pub(super) fn laid_out(error: &LayoutError) -> DeviceError {
    DeviceError { device: "host".to_owned(), phase: Phase::Exchange, chunk: None, message: error.to_string() }
}

/// The range of bytes from the first to the last that copies write, at most `len`.
fn bounds(copies: &[BoxCopy], len: usize) -> std::ops::Range<usize> {
    let ends = copies.iter().filter(|copy| copy.bytes() > 0).map(|copy| {
        let [i, j] = [copy.counts[0] - 1, copy.counts[1] - 1];
        let end = copy.to.offset + i * copy.to.strides[0] + j * copy.to.strides[1] + copy.run;
        copy.to.offset..end.min(len)
    });
    ends.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
}
