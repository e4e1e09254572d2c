//! Data regions: arrays that stay on the devices over many loops.
//!
//! A region maps arrays once, divides them over its devices, and runs loops over them: each device runs the iterations whose
//! rows it has. When a loop reads ghost rows that their owners have written since, the region copies them first; devices with
//! memory of their own meanwhile run the rows that need none. Devices that work in the host's memory use the user's own arrays,
//! and copy nothing.
//!
//! ```
//! use apportion::prelude::*;
//! use apportion::region::Dims;
//!
//! let (n, m) = (64, 64);
//! let mut u = vec![0.0f32; n * m];
//! u[32 * m + 32] = 1.0;
//!
//! let smooth = Kernel::new("smooth").host(|rows: Range<usize>, m: u64, old: In<f32>, mut new: Out<f32>| {
//!     let m = m as usize;
//!     for i in rows {
//!         for j in 1..m - 1 {
//!             let at = i * m + j;
//!             new[at] = (old[at - m] + old[at - 1] + old[at] + old[at + 1] + old[at + m]) / 5.0;
//!         }
//!     }
//! });
//!
//! let rt = Runtime::detect()?;
//! let mut region = rt.data_region();
//! let mut new = region.tofrom(&mut u, [n, m].halo(1));
//! let mut old = region.alloc::<f32>([n, m].halo(1));
//! region.copy(new, old)?; // its edge too is never written
//! for _ in 0..10 {
//!     std::mem::swap(&mut old, &mut new);
//!     region.parallel_for(1..n - 1, smooth.bind().scalar(m as u64).reads(old).writes(new)).run()?;
//! }
//! region.finish()?;
//! # Ok::<(), apportion::Error>(())
//! ```

mod array;
mod balance;
mod cells;
mod contribute;
mod derived;
mod dispatch;
mod exchange;
mod having;
mod known;
mod late;
mod layout;
mod moving;
mod operations;
mod pace;
mod pieces;
mod place;
mod refused;
mod report;
mod reproducible;
mod room;
mod run;
mod timeline;
mod turns;
mod unplaced;
mod work;

pub use crate::data::Mapped;
pub use crate::data::layout::{Division, Edge, Ghosts, Offsets, Ratio, Sides, Target};
pub use crate::kernel::{Later, ScalarArgument};
pub use balance::RegionSplit;
pub use layout::{Dims, Layout};
pub use operations::{DeviceCopies, Operation, OperationTotals};
pub use report::{DeviceTotals, RegionReport};
pub use run::RegionLoop;
pub use timeline::{DeviceWindow, Window};

use crate::data::{ArrayKey, Direction};
use crate::devices::resident::{Landed, LaunchId};
use crate::element::{Element, Item};
use crate::error::{DeviceError, Error, Result};
use crate::kernel::Bound;
use crate::kernel::{Answer, KernelId};
use crate::runtime::seats::outside_of_pools;
use crate::runtime::{IntoDevices, LeftOut, Runtime};
use crate::space::Iterations;
use crate::units::Seconds;
use array::{Home, Placed, RegionArray, UserMemory};
use dispatch::{Under, What};
use having::Having;
use known::Known;
use operations::Step;
use pace::Balance;
use place::DeviceSet;
use report::Totals;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Borrow;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use unplaced::Begins;

/// Most loops under way before the oldest is waited for: enough that the host is ahead of GPUs, and few enough that measured
/// times are known soon.
const UNDER_WAY: usize = 16;

/// How the devices are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// In a row: arrays are divided by rows.
    #[default]
    Row,
    /// In a grid as close to a square as their number allows: arrays are divided by rows and columns.
    Square,
    /// In a grid of this many rows and columns.
    Grid(usize, usize),
}

/// Arrays on devices, and loops over them. See the [module](self).
///
/// The arrays are borrowed until the region ends. [`DataRegion::finish`] brings results back to them. Dropping a region does
/// the same where possible, but reports no errors.
///
/// Calls that wait for devices are refused inside a host body of the same runtime. A region that is dropped there brings nothing
/// back, and its devices keep its memory until the runtime is dropped.
#[doc = ""]
#[doc = include_str!("borrows.md")]
pub struct DataRegion<'r, 'a> {
    runtime: &'r Runtime,
    number: u64,
    specifier: Option<String>,
    /// Calls of kernels, and which of its devices are known to run each.
    compiled: FxHashMap<u64, SmallVec<[bool; 8]>>,
    arrangement: Arrangement,
    arrays: Vec<RegionArray<'a>>,
    /// About how many turns loops have, and the most that are seen, by kernels and states of arrays.
    turns: FxHashMap<u64, Option<[usize; 2]>>,
    /// Kernels whose results later loops took as scalars.
    taken: Vec<KernelId>,
    /// Loops that were checked since arrays were last placed or moved.
    known: Vec<Known>,
    set: Option<DeviceSet<'r>>,
    balance: Balance,
    having: Having,
    /// Rows per block of partial results, if results are to be the same on any devices.
    block: Option<u64>,
    under: VecDeque<Under>,
    /// Loops and exchanges by themselves, which are numbered in the order of the calls.
    operations: u64,
    loops: u64,
    /// Exchanges by themselves.
    exchanges: u64,
    lost: Option<DeviceError>,
    totals: Totals,
    /// Devices that have no rows, and why.
    left_out: Vec<LeftOut>,
    notes: Vec<String>,
    /// Kernels and arrays of which a note says that the one reads the other, which nothing wrote.
    unwritten: Vec<(Arc<str>, usize)>,
    finished: bool,
}

impl Runtime {
    /// A scope in which arrays stay on the devices: see [`region`](crate::region).
    pub fn data_region<'a>(&self) -> DataRegion<'_, 'a> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        DataRegion {
            runtime: self,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            specifier: None,
            compiled: FxHashMap::default(),
            arrangement: Arrangement::Row,
            arrays: Vec::new(),
            turns: FxHashMap::default(),
            taken: Vec::new(),
            known: Vec::new(),
            set: None,
            balance: Balance::default(),
            having: Having::default(),
            block: None,
            under: VecDeque::new(),
            operations: 0,
            loops: 0,
            exchanges: 0,
            lost: None,
            totals: Totals::default(),
            left_out: Vec::new(),
            notes: Vec::new(),
            unwritten: Vec::new(),
            finished: false,
        }
    }
}

impl<'r, 'a> DataRegion<'r, 'a> {
    /// Selects devices as [`Loop::devices`](crate::runtime::Loop::devices) does; all by default. Call it before the first loop.
    pub fn devices(mut self, devices: impl IntoDevices) -> Self {
        self.specifier = Some(devices.specifier());
        self
    }

    /// How the rows are split over the devices. Call it before the first loop.
    pub fn split(mut self, split: RegionSplit) -> Self {
        self.balance.split = split;
        self
    }

    /// How the devices are arranged. Call it before the first loop.
    pub fn arrangement(mut self, arrangement: Arrangement) -> Self {
        self.arrangement = arrangement;
        self
    }

    /// Whether rows move between devices while the application runs, if measured times say that it pays; on by default.
    pub fn rebalance(mut self, rebalance: bool) -> Self {
        self.balance.on = pace::OnUnlessSaid(rebalance);
        self
    }

    /// Makes the results of reductions the same to the last bit whatever the split, the devices and their number: partial
    /// results are those of blocks of `rows` rows, counted from row 0, and are combined in that order. Splits lie between
    /// blocks. Call it before the first loop.
    ///
    /// A block's result depends on the variant that runs it. Host bodies give the same result on every CPU that rounds in the
    /// same way, and so do GPUs of one kind; a GPU and a CPU agree if their variants add in the same order. On GPUs each block
    /// is a launch of its own: use blocks of many rows. A loop has at most 65536 blocks.
    ///
    /// Loops whose results cannot be the same are refused: those that contribute floats to whole arrays, and those over arrays
    /// that are divided inside blocks. If `rows` is 0, all loops are.
    pub fn reproducible(mut self, rows: usize) -> Self {
        self.block = Some(rows as u64);
        // Of a loop that ran before, it is to be found out that it cannot be.
        self.known.clear();
        self
    }

    /// Keeps a time line of all loops except the first, for the report: at most `windows` windows of equally many loops. Each
    /// loop, exchange and copy is then timed, which delays short ones on GPUs. Call it before the first loop.
    pub fn timeline(mut self, windows: usize) -> Self {
        self.totals.timeline = Some(timeline::TimeLine::new(windows));
        self
    }

    /// An array that loops read. Its layout counts elements, also where these are arrays, such as `[f32; 3]`.
    pub fn to<T: Item>(&mut self, array: &'a [T], layout: impl Into<Layout>) -> Mapped<T> {
        self.map(Direction::To, UserMemory::Read(bytemuck::cast_slice(array)), layout.into())
    }

    /// An array whose values are copied to the devices, and back at the end.
    pub fn tofrom<T: Item>(&mut self, array: &'a mut [T], layout: impl Into<Layout>) -> Mapped<T> {
        self.map(Direction::ToFrom, UserMemory::Write(bytemuck::cast_slice_mut(array)), layout.into())
    }

    /// An array whose values are copied back at the end; undefined on the devices until a loop or a copy writes them.
    pub fn from<T: Item>(&mut self, array: &'a mut [T], layout: impl Into<Layout>) -> Mapped<T> {
        self.map(Direction::From, UserMemory::Write(bytemuck::cast_slice_mut(array)), layout.into())
    }

    /// An array that exists on the devices only; undefined until a loop or a copy writes it.
    pub fn alloc<T: Item>(&mut self, layout: impl Into<Layout>) -> Mapped<T> {
        self.map(Direction::Alloc, UserMemory::None, layout.into())
    }

    fn map<T: Item>(&mut self, direction: Direction, user: UserMemory<'a>, layout: Layout) -> Mapped<T> {
        let index = self.arrays.len();
        let len = layout.elements().and_then(|elements| usize::try_from(elements).ok()).unwrap_or(usize::MAX);
        self.arrays.push(RegionArray {
            element: <T::Component as Element>::TYPE,
            components: T::COMPONENTS,
            direction,
            layout: layout.of_items(T::COMPONENTS),
            user,
            home: Home::None,
            placed: Placed::default(),
            filled: direction.copies_in(),
            begins: Begins::Own,
            version: 0,
            refused: None,
        });
        Mapped::new(ArrayKey { region: self.number, index }, len)
    }

    /// A loop over rows of the region's arrays, which `bound` names by `.reads(..)`, `.writes(..)` and `.updates(..)`.
    ///
    /// Each device runs the iterations whose rows it has of the first array that is written (or else of the first that is
    /// read).
    pub fn parallel_for<'g>(&'g mut self, rows: impl Iterations, mut bound: Bound<'a>) -> RegionLoop<'g, 'r, 'a> {
        let rows = bound.over(rows);
        RegionLoop { region: self, rows, columns: None, bound }
    }

    /// A loop over rows and columns, for devices in a grid: each device runs its own cells of the first array that is written
    /// (or else of the first that is read). An iteration is a cell.
    ///
    /// The kernel has two loop indices and is made by [`#[kernel(i, j)]`](macro@crate::kernel), its function called with the
    /// same columns; or it is written by hand with [`Kernel::host_tiles`](crate::kernel::Kernel::host_tiles) and texts as
    /// [`DeviceSource`](crate::kernel::DeviceSource) says.
    ///
    /// ```
    /// use apportion::prelude::*;
    /// use apportion::region::Arrangement;
    ///
    /// #[kernel(i, j)]
    /// fn add(i: usize, j: usize, m: usize, x: &[f32], y: &mut [f32]) {
    ///     y[i * m + j] += x[i * m + j];
    /// }
    ///
    /// let (n, m) = (20, 30);
    /// let (x, mut y) = (vec![1.0f32; n * m], vec![2.0f32; n * m]);
    /// let rt = Runtime::detect()?;
    /// let mut region = rt.data_region().devices("0").arrangement(Arrangement::Square);
    /// let x = region.to(&x, [n, m]);
    /// let sum = region.tofrom(&mut y, [n, m]);
    /// region.parallel_for_2d(0..n, 0..m, add(0..m, m, x, sum)).run()?;
    /// region.finish()?;
    /// assert_eq!(y, vec![3.0; n * m]);
    /// # Ok::<(), apportion::Error>(())
    /// ```
    pub fn parallel_for_2d<'g>(
        &'g mut self,
        rows: impl Iterations,
        columns: impl Iterations,
        mut bound: Bound<'a>,
    ) -> RegionLoop<'g, 'r, 'a> {
        let rows = bound.over(rows);
        let columns = bound.over(columns);
        RegionLoop { region: self, rows, columns: Some(columns), bound: bound.over_columns(columns) }
    }

    /// The result of [`RegionLoop::reduce_later`], by value or by reference; waits for it.
    ///
    /// # Errors
    /// When a device failed; when the result is of another region.
    pub fn value<T: Element>(&mut self, later: impl Borrow<Later<T>>) -> Result<T> {
        let Later { of, answer, .. } = later.borrow();
        if of.is_some_and(|of| of.region != self.number) {
            return Err(Error::call(
                "the result of a reduction is asked of another data region: ask the one whose loop it is of",
            ));
        }
        self.check_outside("value")?;
        self.result(of.map_or(0, |of| of.number), answer)
    }

    /// The result of a loop's reduction; waits for it.
    fn result<T: Element>(&mut self, number: u64, answer: &Answer) -> Result<T> {
        self.land_to(number)?;
        let scalar = answer.get().copied().and_then(T::from_scalar);
        scalar.ok_or_else(|| late::no_result(number))
    }

    /// Brings the ghost cells of an array up to date, on both sides in all dimensions. Loops do so themselves if they read
    /// stale ghost cells; an earlier call lets the copies overlap with other work.
    ///
    /// # Errors
    /// [`Error::Device`] when a device fails.
    pub fn halo_exchange<T>(&mut self, array: Mapped<T>) -> Result<()> {
        let dimensions = self.array(array)?.layout.dims.len();
        self.update_ghosts("halo_exchange", array, &SmallVec::<[Sides; 3]>::from_elem(Sides::BOTH, dimensions))
    }

    /// As [`DataRegion::halo_exchange`] in one dimension, on one side or both.
    ///
    /// # Errors
    /// As [`DataRegion::halo_exchange`].
    pub fn halo_update<T>(&mut self, array: Mapped<T>, dimension: usize, sides: Sides) -> Result<()> {
        let (dimensions, found) = (self.array(array)?.dimensions(), self.array(array)?.layout.dims.len());
        let mut all = SmallVec::<[Sides; 3]>::from_elem(Sides::NONE, found);
        let place = all.get_mut(dimension).filter(|_| dimension < dimensions);
        *place.ok_or_else(|| {
            Error::call(format!("halo_update: dimension {dimension} of an array that has {dimensions}, counted from 0"))
        })? = sides;
        self.update_ghosts("halo_update", array, &all)
    }

    fn update_ghosts<T>(&mut self, call: &str, array: Mapped<T>, sides: &[Sides]) -> Result<()> {
        self.check_outside(call)?;
        self.check_alive()?;
        let index = array.key().index;
        if self.array(array)?.placed.parts.is_empty() {
            // Not on the devices yet: it will be placed with its ghosts.
            return Ok(());
        }
        let wanted = vec![(index, sides.iter().copied().collect())];
        let called = Instant::now();
        let exchanged = outside_of_pools(|| self.exchange_now(&wanted))?;
        self.having.spent(called.elapsed());
        self.or_lose(exchanged)
    }

    /// Copies an array's values to the caller's memory, where [`DataRegion::host`] shows them.
    ///
    /// # Errors
    /// [`Error::Device`] when a device fails, now or in a loop before.
    pub fn update_from<T>(&mut self, array: Mapped<T>) -> Result<()> {
        self.check_outside("update_from")?;
        self.check_alive()?;
        let index = array.key().index;
        self.array(array)?;
        if self.arrays[index].placed.parts.is_empty() {
            return Ok(self.bring_unplaced(index)?);
        }
        if !self.arrays[index].placed.newer {
            return Ok(());
        }
        // A device reports an access outside of arrays with a launch's result, not with the array's values.
        self.land_all()?;
        let collected = self.collect(index, Operation::UpdateFrom);
        self.or_lose(collected)?;
        self.arrays[index].placed.newer = false;
        self.arrays[index].version += 1;
        Ok(())
    }

    /// Copies the caller's values, as [`DataRegion::host_mut`] left them, to the devices.
    ///
    /// # Errors
    /// As [`DataRegion::update_from`].
    pub fn update_to<T>(&mut self, array: Mapped<T>) -> Result<()> {
        self.check_outside("update_to")?;
        self.check_alive()?;
        let index = array.key().index;
        let mapped = self.array(array)?;
        if mapped.user.bytes().is_none() {
            return Err(Error::call(
                "update_to: an array that is mapped `alloc` has no memory of the caller's to come from: map it `tofrom`",
            ));
        }
        let placed = !mapped.placed.parts.is_empty();
        self.arrays[index].version += 1;
        if !placed {
            // Not on the devices yet: it will be placed with these values.
            (self.arrays[index].filled, self.arrays[index].begins) = (true, Begins::Own);
            return Ok(());
        }
        let refilled = self.refill(index);
        self.or_lose(refilled)?;
        self.arrays[index].filled = true;
        Ok(())
    }

    /// The caller's memory of an array, as of the last [`DataRegion::update_from`]. Until the region ends, devices with memory
    /// of their own may have newer rows.
    ///
    /// # Errors
    /// When the array is of another region, of another type, or has no memory of the caller's (`alloc`).
    pub fn host<T: Item>(&self, array: Mapped<T>) -> Result<&[T]> {
        match &self.array(array)?.user {
            UserMemory::Read(bytes) => Ok(bytemuck::cast_slice(bytes)),
            UserMemory::Write(bytes) => Ok(bytemuck::cast_slice(bytes)),
            UserMemory::None => Err(Error::call(
                "host: an array that is mapped `alloc` has no memory of the caller's: map it `from` or `tofrom` to see it",
            )),
        }
    }

    /// The caller's memory of an array, writable; [`DataRegion::update_to`] then copies it to the devices.
    ///
    /// # Errors
    /// As [`DataRegion::host`]; also when it is mapped `to`, which borrows it for reading, and when there is no memory to keep
    /// what was copied from it before the region's first loop.
    pub fn host_mut<T: Item>(&mut self, array: Mapped<T>) -> Result<&mut [T]> {
        let index = array.key().index;
        if matches!(self.array(array)?.user, UserMemory::Write(_)) {
            self.keep_copied(index)?;
        }
        match &mut self.arrays[index].user {
            UserMemory::Write(bytes) => Ok(bytemuck::cast_slice_mut(bytes)),
            _ => Err(Error::call(
                "host_mut: only an array that is mapped `tofrom` or `from` can be changed by the host: map it so",
            )),
        }
    }

    /// Waits for all loops, copies and exchanges of ghost cells so far. Updates are done when their calls return.
    ///
    /// # Errors
    /// [`Error::Device`] when a device failed in any of them.
    pub fn wait(&mut self) -> Result<()> {
        self.check_outside("wait")?;
        self.land_all()
    }

    /// Waits for everything that one device was asked for so far; other devices go on.
    ///
    /// # Errors
    /// [`Error::Device`] when it failed; [`Error::Call`] if the region has no such device, and before its first loop, when it
    /// has no devices yet.
    pub fn wait_for(&mut self, device: &str) -> Result<()> {
        self.check_outside("wait_for")?;
        self.check_alive()?;
        self.check_begun(&format!("wait_for(\"{device}\")"), "there is nothing to wait for: leave the call out")?;
        let set = self.set()?;
        let slot = set.members.iter().position(|member| member.model.name == device).ok_or_else(|| {
            let names: Vec<&str> = set.members.iter().map(|member| member.model.name.as_str()).collect();
            Error::call(format!("data region: there is no device `{device}` to wait for: it has {}", names.join(", ")))
        })?;
        let waited = self.land_all_of(slot);
        self.or_lose(waited)
    }

    /// Waits for one device. The results of its launches, which tell of accesses outside of arrays, are kept for when their loops
    /// are taken in.
    fn land_all_of(&mut self, slot: usize) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Ok(()) };
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(()) };
        for under in &mut self.under {
            let Some(position) = under.launches.iter().position(|(of, _)| *of == slot) else { continue };
            let (_, launch) = under.launches.remove(position);
            // The caller's operator may panic.
            let landed = catch_unwind(AssertUnwindSafe(|| resident.landed(launch))).unwrap_or_else(|panic| {
                under.has_no_result();
                resume_unwind(panic)
            });
            let mut landed = landed?;
            if let Some(outside) = landed.outside.take() {
                return Err(*outside);
            }
            under.landed.push((slot, landed));
        }
        resident.wait()
    }

    /// Copies one array's values to another of the same extents and type, wherever their rows are: from device to device
    /// where that is possible. Where all cells go so, devices may still copy when this returns, as with loops. Before the
    /// region's first loop, when no array is on a device, `to` begins with these values.
    ///
    /// # Errors
    /// [`Error::Call`] when the arrays differ, `to` is mapped `to`, or one was refused; [`Error::Device`] when a device fails.
    pub fn copy<T: Item>(&mut self, from: Mapped<T>, to: Mapped<T>) -> Result<()> {
        self.check_outside("copy")?;
        self.check_alive()?;
        let (source, target) = (self.array(from)?, self.array(to)?);
        let (a, b) = (from.key().index, to.key().index);
        if source.extents() != target.extents() {
            return Err(Error::call(format!(
                "copy: {} has extents {:?}, but {} has {:?}: map both with the same",
                source.name(a),
                source.extents(),
                target.name(b),
                target.extents()
            )));
        }
        if target.direction == Direction::To {
            return Err(Error::call(format!(
                "copy: {} is mapped `to`, so it may only be read: map it `tofrom`, `from` or `alloc`",
                target.name(b)
            )));
        }
        if a == b {
            return Ok(());
        }
        if self.set.is_some() {
            self.place_new()?;
        }
        self.check_not_refused(a)?;
        self.check_not_refused(b)?;
        if self.set.is_none() {
            self.refuse_impossible(&[a, b])?;
            self.copy_unplaced(a, b);
            return Ok(());
        }
        // Copies take the devices' time, and are not measured.
        self.having.begun(false);
        let copied = outside_of_pools(|| self.copy_array(a, b))?;
        self.or_lose(copied)
    }

    /// What the devices did so far; waits until all of it is done.
    ///
    /// # Errors
    /// As [`DataRegion::wait`].
    pub fn report(&mut self) -> Result<RegionReport> {
        self.check_outside("report")?;
        self.land_all()?;
        Ok(self.done())
    }

    /// Ends the region: results are in the caller's arrays, and the devices' memory is free again.
    ///
    /// # Errors
    /// [`Error::Device`] when a device failed; the arrays it was to give back are then incomplete.
    pub fn finish(mut self) -> Result<RegionReport> {
        let ended = self.check_outside("finish").and_then(|()| self.end());
        self.finished = true;
        ended?;
        Ok(self.done())
    }

    fn end(&mut self) -> Result<()> {
        self.check_alive()?;
        self.land_all()?;
        for index in 0..self.arrays.len() {
            self.bring_unplaced(index)?;
            let array = &self.arrays[index];
            if array.direction.copies_out() && array.placed.newer {
                self.collect(index, Operation::From)?;
            }
        }
        Ok(())
    }

    fn array<T>(&self, array: Mapped<T>) -> Result<&RegionArray<'a>> {
        let key = array.key();
        let found = self.arrays.get(key.index).filter(|_| key.region == self.number);
        found.ok_or_else(|| Error::call("an array of another data region is asked for: map it in this one"))
    }

    /// Refuses a call inside a host body of the region's runtime: it would wait for devices that are busy with the loop around it.
    fn check_outside(&self, call: &str) -> Result<()> {
        if self.set.is_some() && self.runtime.is_inside_a_body() {
            let instead = if call == "finish" {
                "so no results are brought back: end the region outside of that loop's bodies"
            } else {
                "call it after that loop"
            };
            return Err(Error::call(format!(
                "data region: `{call}` inside a host body of the same runtime, or of a loop that such a body runs on another \
                 one; the devices are busy with the outer loop: {instead}"
            )));
        }
        Ok(())
    }

    fn next_number(&mut self) -> u64 {
        self.operations += 1;
        self.operations
    }

    fn check_alive(&self) -> Result<()> {
        match &self.lost {
            None => Ok(()),
            Some(error) => Err(Error::Device(DeviceError {
                message: format!("{}; the rows that the region had there are lost", error.message),
                ..error.clone()
            })),
        }
    }

    /// Checks that the region has devices, for a call that needs them; `instead` says what to do otherwise.
    fn check_begun(&self, call: &str, instead: &str) -> Result<()> {
        if self.set.is_some() {
            return Ok(());
        }
        Err(Error::call(format!(
            "data region: `{call}` before its first loop, which says which devices it has; until then its arrays are on none: \
             {instead}"
        )))
    }

    fn lose(&mut self, error: &DeviceError) {
        self.lost.get_or_insert_with(|| error.clone());
    }

    /// What was done; if a device failed in it, the region has lost that device.
    fn or_lose<T>(&mut self, done: Result<T, DeviceError>) -> Result<T> {
        done.map_err(|error| {
            self.lose(&error);
            error.into()
        })
    }

    /// Waits for the oldest loops if too many are under way, and moves rows where that pays.
    fn land_old(&mut self) -> Result<()> {
        while self.under.len() > UNDER_WAY {
            self.land_first()?;
        }
        self.rebalance_now()
    }

    /// Waits for all loops and exchanges so far.
    fn land_all(&mut self) -> Result<()> {
        self.land_to(u64::MAX)
    }

    /// Waits for all loops up to `number`.
    fn land_to(&mut self, number: u64) -> Result<()> {
        let is_under_way = |under: &Under| under.number <= number;
        if self.under.front().is_some_and(is_under_way) {
            let called = Instant::now();
            self.pass_to(number);
            while self.under.front().is_some_and(is_under_way) {
                self.land_first()?;
            }
            self.having.spent(called.elapsed());
        }
        self.check_alive()
    }

    /// Lets devices wait for the last of several loops at once, rather than for each.
    fn pass_to(&self, number: u64) {
        let (Some(set), Some(first)) = (&self.set, self.under.front()) else { return };
        let Some(last) = self.under.iter().rev().find(|under| under.number <= number) else { return };
        for (slot, later) in last.launches.iter().filter(|_| first.number < last.number) {
            if let Some(earlier) = first.launch_of(*slot)
                && let Some(resident) = set.members[*slot].device().resident()
            {
                resident.pass(earlier, *later);
            }
        }
    }

    /// Waits for the oldest loop and takes its results in.
    fn land_first(&mut self) -> Result<()> {
        let Some(under) = self.under.pop_front() else { return Ok(()) };
        let taken = self.take_in(under, SmallVec::new());
        self.or_lose(taken)
    }

    /// Takes in a loop's results; those of some devices may be in `landed` already.
    fn take_in(&mut self, mut under: Under, mut landed: SmallVec<[(usize, Landed); 1]>) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Ok(()) };
        landed.append(&mut under.landed);
        let missing: SmallVec<[(usize, LaunchId); 2]> =
            under.launches.iter().filter(|(slot, _)| landed.iter().all(|(there, _)| there != slot)).copied().collect();
        let land = |slot: usize, launch: LaunchId| {
            let mut device = set.members[slot].device();
            device.resident().map_or(Ok(Landed::default()), |resident| resident.landed(launch))
        };
        // One after the other: the wait for the first covers most of the others, and asking them takes less than waking their
        // threads. Where the caller's operator panics, the others give back their memory all the same.
        let (mut failed, mut panicked) = (None, None);
        for (slot, launch) in missing {
            match catch_unwind(AssertUnwindSafe(|| land(slot, launch))) {
                Ok(Ok(result)) => landed.push((slot, result)),
                Ok(Err(error)) => failed = failed.or(Some(error)),
                Err(panic) => panicked = panicked.or(Some(panic)),
            }
        }
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
        let outside = landed.iter_mut().find_map(|(_, landed)| landed.outside.take());
        if let Some(error) = failed.or(outside.map(|error| *error)) {
            return Err(error);
        }
        let devices = set.members.len();
        if self.totals.timeline.is_some() {
            let rows = self.rows_of_devices();
            if let Some(timeline) = &mut self.totals.timeline {
                timeline.took(&under.took(&landed), &rows, under.what, Instant::now());
            }
        }
        let Under { kernel, done, mut partials, reduction, answer, over_rows, what, rows, cells, iterations, .. } =
            under;
        // In a loop over rows and columns an iteration is a cell.
        let cells = |slot: usize| cells.get(slot).copied().unwrap_or(1);
        let ran = |slot: usize| iterations.get(slot).copied().unwrap_or(0).saturating_mul(cells(slot));
        let mut came: Option<Step> = None;
        let mut times: SmallVec<[(usize, u64, Seconds); 8]> = done.iter().copied().collect();
        for &(slot, iterations, time) in &done {
            self.totals.ran(slot, true, ran(slot), (iterations * cells(slot), time), Seconds::ZERO);
        }
        for (slot, landed) in landed {
            times.push((slot, landed.iterations / cells(slot).max(1), landed.kernel));
            self.totals.ran(slot, what == What::Loop, ran(slot), (landed.iterations, landed.kernel), landed.exchange);
            if landed.exchange > Seconds::ZERO {
                came.get_or_insert_default().beside(slot, landed.exchange);
            }
            partials.extend(landed.partials.into_iter().map(|(range, value)| (range, slot, value)));
        }
        if let Some(came) = came {
            self.totals.operations.took(if what == What::Copy { Operation::Copy } else { Operation::Ghosts }, &came);
        }
        if let Some(reduction) = reduction {
            // In the order of the iterations, not of completion.
            partials.sort_by_key(|(range, slot, _)| (range.start, *slot));
            let combined = partials.iter().fold(reduction.identity(), |a, (_, _, b)| reduction.combine(a, *b));
            // If the `Later` was dropped, the result is not kept.
            if let Some(answer) = answer.and_then(|answer| answer.upgrade()) {
                let _ = answer.set(combined);
            }
        }
        if over_rows {
            let rows = self.set.as_ref().and_then(|set| set.in_places(rows, &mut times)).unwrap_or(rows);
            self.balance.measured(&kernel, rows, &times, devices);
        }
        Ok(())
    }
}

impl Drop for DataRegion<'_, '_> {
    fn drop(&mut self) {
        if self.set.is_some() && self.runtime.is_inside_a_body() {
            // Nothing on the devices uses what the region borrows: host bodies are done, and copies from and to the host's memory
            // ended with their calls.
            log::warn!(
                "data region: dropped inside a host body of its runtime, whose devices are busy: no results are brought back, \
                 and the devices keep its memory until the runtime is dropped"
            );
            return;
        }
        let mut panicked = None;
        if !self.finished && !std::thread::panicking() {
            // The caller's operator may panic.
            match catch_unwind(AssertUnwindSafe(|| self.end())) {
                Ok(Ok(())) => {}
                // An error can only be logged here.
                Ok(Err(error)) => log::warn!("data region: dropped without `finish()`, and it failed: {error}"),
                Err(panic) => panicked = Some(panic),
            }
        }
        self.release();
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
    }
}

impl DataRegion<'_, '_> {
    /// Waits for the devices, and frees their memory.
    fn release(&self) {
        let Some(set) = &self.set else { return };
        // Wait for all devices first: one may still copy from a buffer that another is about to release.
        for member in &set.members {
            let mut device = member.device();
            let _ = device.resident().map(|resident| resident.wait());
        }
        for (slot, member) in set.members.iter().enumerate() {
            let mut device = member.device();
            let Some(resident) = device.resident() else { continue };
            for under in &self.under {
                for (_, launch) in under.launches.iter().filter(|(of, _)| *of == slot) {
                    // The caller's operator may panic, and a second panic would end the process.
                    let _ = catch_unwind(AssertUnwindSafe(|| resident.landed(*launch)));
                }
            }
            for array in &self.arrays {
                if let Some(buffer) = array.placed.buffers.get(slot).copied().flatten() {
                    resident.release(buffer);
                }
            }
        }
    }
}

impl std::fmt::Debug for DataRegion<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DataRegion")
            .field("arrays", &self.arrays.len())
            .field("loops", &self.loops)
            .finish_non_exhaustive()
    }
}
