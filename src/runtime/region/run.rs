//! One loop over a region's arrays: each device runs the rows that it has.

use super::DataRegion;
use super::balance::in_blocks_from;
use crate::cancel;
use crate::data::layout::{Chain, Edge, Sides};
use crate::data::{Direction, Halo};
use crate::element::Element;
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Answer, Argument, Bound, Kernel, Later, LoopOf, Reduce, Reduction};
use crate::runtime::offload::check_length;
use crate::space::IterRange;
use smallvec::SmallVec;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// A loop over a region's arrays, about to run: [`RegionLoop::run`] or [`RegionLoop::reduce`] does it.
#[must_use = "a loop runs with `.run()` or `.reduce(..)`"]
pub struct RegionLoop<'g, 'r, 'a> {
    pub(super) region: &'g mut DataRegion<'r, 'a>,
    pub(super) rows: IterRange,
    pub(super) columns: Option<IterRange>,
    pub(super) bound: Bound<'a>,
}

/// A loop's reduction, and where its result goes.
type Asked<'l> = Option<(Reduction, &'l Arc<Answer>)>;

/// An array in a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub array: usize,
    pub direction: Direction,
    pub halo: Halo,
    /// Ghost columns that the iterations read, if that follows from the kernel's text.
    pub columns: Option<Halo>,
    pub name: Option<&'static str>,
    /// Iterations contribute to the whole array.
    pub reduced: bool,
}

/// Which device runs what of a loop: for each device, blocks of rows, and their columns.
pub(super) struct Shares {
    pub rows: Vec<SmallVec<[IterRange; 1]>>,
    pub columns: Vec<Option<IterRange>>,
    /// Which columns go with those of the array whose cells the devices run.
    pub across: Arc<Chain>,
    /// The blocks are the devices' rows of the region, clipped to the loop.
    pub over_rows: bool,
}

impl Shares {
    /// The range from the first row to the last.
    pub fn span(&self) -> IterRange {
        let blocks = || self.rows.iter().flatten().filter(|block| !block.is_empty());
        let start = blocks().map(|block| block.start).min().unwrap_or(0);
        IterRange::new(start, blocks().map(|block| block.end).max().unwrap_or(0))
    }

    /// Iterations of each device.
    pub fn iterations(&self) -> SmallVec<[u64; 2]> {
        self.rows.iter().map(|blocks| blocks.iter().map(|block| block.len()).sum()).collect()
    }
}

impl RegionLoop<'_, '_, '_> {
    /// Runs the loop. GPUs may still run it when this returns: later operations of the region wait for it where they must.
    ///
    /// # Errors
    /// [`Error::Call`] when kernel, arrays and devices do not fit together; [`Error::Device`] when a device fails, now or in a
    /// loop before. A region that lost a device has lost the rows that were there, and runs no more loops.
    ///
    /// # Panics
    /// With the panic of a host body, after all devices are quiet.
    pub fn run(self) -> Result<()> {
        self.start(None, false).map(|_| ())
    }

    /// Runs the loop and combines what the host bodies (or work-groups) return, in the order of the iterations.
    ///
    /// # Errors
    /// As [`RegionLoop::run`]; also when the kernel does not return `T`.
    pub fn reduce<T: Element>(mut self, operator: Reduce) -> Result<T> {
        self.bound.for_operator(operator);
        let answer = Arc::default();
        let (region, number) = self.start(Some((Reduction { operator, element: T::TYPE }, &answer)), true)?;
        region.result(number, &answer)
    }

    /// As [`RegionLoop::reduce`], but does not wait for the result, so that GPUs can go on: [`DataRegion::value`] waits for it,
    /// and later loops of the region take it as a scalar argument.
    ///
    /// # Errors
    /// As [`RegionLoop::reduce`].
    pub fn reduce_later<T: Element>(mut self, operator: Reduce) -> Result<Later<T>> {
        self.bound.for_operator(operator);
        let answer = Arc::default();
        let (region, number) = self.start(Some((Reduction { operator, element: T::TYPE }, &answer)), false)?;
        Ok(Later::new(LoopOf { region: region.number, number }, answer))
    }
}

impl<'g, 'r, 'a> RegionLoop<'g, 'r, 'a> {
    fn start(self, asked: Asked<'_>, awaited: bool) -> Result<(&'g mut DataRegion<'r, 'a>, u64)> {
        let Self { region, rows, columns, mut bound } = self;
        let (runtime, name) = (region.runtime, bound.kernel().shared_name());
        let start = || runtime.within(&name, || region.start(rows, columns, &mut bound, asked, awaited));
        let started = catch_unwind(AssertUnwindSafe(start));
        match started {
            Ok(number) => Ok((region, number??)),
            Err(panic) => {
                // Some devices ran their rows, others did not.
                let message =
                    format!("code of kernel `{name}` panicked: a body, a grid, a library call or an operator");
                region.lose(&DeviceError { device: "host".to_owned(), phase: Phase::Kernel, chunk: None, message });
                resume_unwind(panic)
            }
        }
    }
}

impl DataRegion<'_, '_> {
    fn start(
        &mut self,
        rows: IterRange,
        columns: Option<IterRange>,
        bound: &mut Bound<'_>,
        asked: Asked<'_>,
        awaited: bool,
    ) -> Result<u64> {
        let (called, spent) = (Instant::now(), self.having.calls());
        let pending = bound.take_pending();
        self.check_pending(bound.kernel(), &pending)?;
        let reduction = asked.map(|(reduction, _)| reduction);
        let _running = self.runtime.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_alive()?;
        if self.runtime.cancel_handle().is_cancelled() {
            return Err(Error::Cancelled(cancel::by_runtime(bound.kernel().name(), "it had not begun")));
        }
        bound.check_builder()?;
        check_granule(bound.kernel())?;
        self.block.map_or(Ok(()), |block| check_length(bound.kernel().name(), block, "rows"))?;
        check_countable(bound.kernel(), rows, columns)?;
        bound.kernel().check_host(bound.arguments(), reduction)?;
        bound.kernel().check_columns(columns.is_some())?;
        let mut uses = self.uses(bound)?;
        self.settle_turns(bound, &uses, reduction);
        self.place_for(bound, reduction, rows, columns)?;
        let there = |argument: usize| uses.get(argument)?.as_ref().map(|used| self.elements_there(used));
        bound.check_over(rows, reduction.map(|reduction| reduction.operator), there);
        bound.check_builder()?;
        let late = self.settle_pending(bound, pending, (reduction, columns.is_some()))?;
        let bound = &*bound;
        if let Some(note) = bound.note_of_comparing()
            && !self.notes.contains(&note)
        {
            self.notes.push(note);
        }
        self.check_contributions(bound, &uses)?;
        let reduces = reduction.map(|reduction| reduction.element);
        let shares = match self.known(bound, (rows, columns), reduces, &mut uses) {
            Some((shares, true)) => shares,
            Some((shares, false)) => {
                // It may be another form of the kernel.
                self.check_compiles(bound, reduction, columns.is_some(), &shares)?;
                shares
            }
            None => {
                let shares = Arc::new(self.checked(bound, reduction, (rows, columns), &mut uses)?);
                self.know(bound, (rows, columns), reduces, (&uses, &shares));
                shares
            }
        };
        self.note_unwritten(bound, &uses);
        let number = self.next_number();
        self.loops += 1;
        self.totals.begun.get_or_insert(called);
        let outcome = self.prepare_contributions(bound, &uses).and_then(|contributions| {
            let (mut under, contributed) =
                self.run_on_all(number, bound, reduction, &uses, &shares, (&late, awaited))?;
            under.answer = asked.map(|(_, answer)| Arc::downgrade(answer));
            self.under.push_back(under);
            self.combine_contributions(contributions, contributed)
        });
        self.or_lose(outcome)?;
        for used in uses.iter().flatten().filter(|used| used.direction.writes()) {
            let array = &mut self.arrays[used.array];
            array.placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
            array.written();
            array.filled = true;
        }
        self.land_old()?;
        // Waits inside of this call are part of it.
        self.having.spent_in_all(spent + called.elapsed());
        self.having.begun(shares.over_rows);
        self.change_devices()?;
        Ok(number)
    }

    /// Checks the loop, settles how far it reaches from its rows, and says who runs what.
    fn checked(
        &mut self,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        (rows, columns): (IterRange, Option<IterRange>),
        uses: &mut [Option<Use>],
    ) -> Result<Shares> {
        self.settle_derived(bound, rows, columns, uses)?;
        self.settle_halos(bound, uses)?;
        let shares = self.shares(bound.kernel(), rows, columns, uses)?;
        self.check_takers(bound.kernel(), &shares)?;
        // It may be another version of the kernel than the one that devices were asked about.
        self.check_compiles(bound, reduction, columns.is_some(), &shares)?;
        self.check_cover(bound, uses, &shares)?;
        self.check_columns(bound, uses, &shares)?;
        if reduction.is_some() || !bound.array_reductions().is_empty() {
            check_once(bound.kernel(), &shares, rows, columns)?;
        }
        self.check_reproducible(bound, reduction, &shares, rows)?;
        Ok(shares)
    }

    /// Which of the region's arrays each argument is.
    pub(super) fn uses(&self, bound: &Bound<'_>) -> Result<Vec<Option<Use>>> {
        let mut uses: Vec<Option<Use>> = Vec::with_capacity(bound.arguments().len());
        for (position, argument) in bound.arguments().iter().enumerate() {
            let Argument::Array(map) = argument else {
                uses.push(None);
                continue;
            };
            let what = || bound.called(position, map);
            let Some(key) = map.mapped else {
                let bind = match bound.derived_reach(position) {
                    Some(_) => "pass what that gives to the kernel's function",
                    None => "bind what that gives with `.reads(..)`, `.writes(..)` or `.updates(..)`",
                };
                return Err(Error::call(format!(
                    "{} is not in the region: map it first (`region.to(&x, [n])`), and {bind}",
                    what()
                )));
            };
            let array =
                self.arrays.get(key.index).filter(|_| key.region == self.number).ok_or_else(|| {
                    Error::call(format!("{} belongs to another data region: map it in this one", what()))
                })?;
            self.check_not_refused(key.index)?;
            if array.element != map.element {
                return Err(Error::call(format!("{} is of {}, not {}", what(), array.element, map.element)));
            }
            if map.direction.writes() && array.direction == Direction::To {
                return Err(Error::call(format!(
                    "{} is mapped `to`, so the kernel may only read it: map it `tofrom`, `from` or `alloc` to write it",
                    what()
                )));
            }
            let twice = uses.iter().flatten().find(|other| other.array == key.index);
            if twice.is_some_and(|other| other.direction.writes() || map.direction.writes()) {
                return Err(Error::call(match bound.kernel().is_generated() {
                    true => format!(
                        "{} is passed twice to one loop, and written: iterations would race; let the kernel read and write it \
                         by one `&mut` parameter, or pass a second array",
                        what()
                    ),
                    false => format!(
                        "{} is bound twice in one loop, and written: iterations would race; use `.updates(..)`, or a second array",
                        what()
                    ),
                }));
            }
            let reduced = bound.array_reductions().iter().any(|(of, _)| *of == position);
            let (array, direction, halo, name) = (key.index, map.direction, map.halo, map.name);
            uses.push(Some(Use { array, direction, halo, columns: None, name, reduced }));
        }
        Ok(uses)
    }

    /// What an array of a loop is called in messages: by the kernel's parameter, and by its own name.
    pub(super) fn called(&self, used: &Use) -> String {
        let name = self.arrays[used.array].layout.name;
        match used.name.filter(|parameter| name != Some(*parameter)) {
            Some(parameter) if name.is_none() => format!("array `{parameter}`"),
            Some(parameter) => format!("{} (`{parameter}`)", self.arrays[used.array].name(used.array)),
            None => self.arrays[used.array].name(used.array),
        }
    }

    /// How many ghost rows of each array the iterations read.
    fn settle_halos(&self, bound: &Bound<'_>, uses: &mut [Option<Use>]) -> Result<()> {
        for (position, used) in uses.iter_mut().enumerate() {
            let Some(used) = used else { continue };
            let array = &self.arrays[used.array];
            let part = || array.placed.parts.first().map(|part| *part.axes()[0].ghosts());
            // An array on one device has ghost rows only past its edges; loops read the device's own rows instead.
            let alone = array.layout.on.is_some();
            let ghosts = if alone { array.layout.dims.first().map(|first| first.ghosts) } else { part() };
            let ghosts = ghosts.unwrap_or_default();
            let there = |rows: u64, has: u64, edge| rows <= has || alone && edge == Edge::None;
            let Halo { left, right } = used.halo;
            if used.direction.writes() || array.placed.replicated {
                used.halo = Halo::default();
            } else if used.halo == (Halo { left: u64::MAX, right: u64::MAX }) {
                used.halo = Halo { left: ghosts.left, right: ghosts.right };
            } else if !there(left, ghosts.left, ghosts.left_edge) || !there(right, ghosts.right, ghosts.right_edge) {
                return Err(Error::call(format!(
                    "kernel `{}`: argument {position}: the loop reads {left} rows before and {right} after its own of {}, which \
                     is mapped with a halo of {} and {}: map it with `.halo({})`",
                    bound.kernel().name(),
                    self.called(used),
                    ghosts.left,
                    ghosts.right,
                    left.max(right)
                )));
            }
        }
        Ok(())
    }

    /// Which device runs what: iterations run where the rows of the first written array are, or else of the first read one.
    fn shares(
        &self,
        kernel: &Kernel,
        rows: IterRange,
        columns: Option<IterRange>,
        uses: &[Option<Use>],
    ) -> Result<Shares> {
        let set = self.set()?;
        // What iterations contribute to has no rows of theirs: if it is divided, `check_contributions` says what is wrong.
        let divided =
            || uses.iter().flatten().filter(|used| !used.reduced && !self.arrays[used.array].placed.replicated);
        // By a table, iterations without rows are nobody's.
        let leading = || divided().filter(|used| !self.arrays[used.array].placed.chain.has_table());
        let leader = leading().find(|used| used.direction.writes()).or_else(|| leading().next());
        if let (None, Some(used), true) = (leader, divided().next(), set.members.len() > 1) {
            return Err(Error::call(format!(
                "kernel `{}`: nothing says which device runs which iterations, as of {} they may have no rows: bind an array too \
                 that is aligned with the iterations, such as the one with the numbers, mapped `[n + 1].halo_sides(0, 1)`",
                kernel.name(),
                self.called(used)
            )));
        }
        let devices = set.members.len();
        let whole = |used: &&Use| self.arrays[used.array].placed.replicated && used.direction.writes() && !used.reduced;
        if let Some(used) = uses.iter().flatten().find(whole) {
            return Err(Error::call(format!(
                "kernel `{}` writes {}, of which every device has all: each would write all of it; map it divided, and where \
                 loops also read all of it, map a second array `.full()` and `region.copy(..)` it there",
                kernel.name(),
                self.called(used)
            )));
        }
        let Some(leader) = leader else {
            // No array is divided, so the iterations are split evenly.
            let counts = crate::model::split::even(rows.len(), devices);
            let counts = in_blocks_from(rows.start, &counts, self.block.unwrap_or(1));
            let blocks = crate::model::split::layout(rows.start, &counts);
            let rows = blocks.into_iter().map(|block| SmallVec::from_elem(block, 1)).collect();
            return Ok(Shares { rows, columns: vec![columns; devices], across: Arc::default(), over_rows: false });
        };
        let array = &self.arrays[leader.array];
        let chain = &array.placed.chain;
        let mut shares = Shares {
            rows: Vec::with_capacity(devices),
            columns: Vec::with_capacity(devices),
            across: Arc::clone(&array.placed.across),
            over_rows: array.placed.over_rows,
        };
        for part in &array.placed.parts {
            let axis = &part.axes()[0];
            let blocks = axis.owned().blocks().filter(|_| !part.is_empty()).map(|block| {
                let start = chain.item(block.global.start).max(rows.start);
                let end = chain.item(block.global.end);
                IterRange::new(start, end.min(rows.end).max(start))
            });
            shares.rows.push(blocks.filter(|block| !block.is_empty()).collect());
            shares.columns.push(match (columns, part.axes().get(1).filter(|_| array.dimensions() > 1)) {
                (Some(columns), Some(axis)) => {
                    let owned = axis.owned().blocks().next().map_or(0..0, |block| block.global);
                    let start = owned.start.max(columns.start);
                    Some(IterRange::new(start, owned.end.min(columns.end).max(start)))
                }
                (columns, _) => columns,
            });
        }
        let blocks = |slot: usize| shares.rows[slot].iter().map(|block| block.len()).sum::<u64>();
        let divided_columns = columns.filter(|_| array.dimensions() > 1);
        let run = match divided_columns {
            // Counts cells: in a grid with more columns of devices than the array has, some devices have none.
            Some(columns) => {
                let cells = |slot: usize| blocks(slot) * shares.columns[slot].map_or(0, IterRange::len);
                let all: u64 = (0..devices).map(cells).sum();
                if columns.is_empty() { rows.len() } else { all / columns.len() }
            }
            None => (0..devices).map(blocks).sum::<u64>() / set.topology.along(1).unwrap_or(1).max(1) as u64,
        };
        if run != rows.len() {
            let bare = array.layout.dims.iter().skip(1).any(|dimension| dimension.extent == 0);
            return Err(Error::call(format!(
                "kernel `{}`: the loop is over {rows}, but of {} there are rows for {run} of these iterations only{}",
                kernel.name(),
                self.called(leader),
                if bare { ", as its rows have no elements: leave the loop out" } else { "" }
            )));
        }
        Ok(shares)
    }

    /// Checks that each device with cells of a loop over rows and columns can run such loops. The region is lost if one finds out
    /// by itself, as others may have begun.
    fn check_takers(&self, kernel: &Kernel, shares: &Shares) -> Result<()> {
        for ((member, rows), columns) in self.set()?.members.iter().zip(&shares.rows).zip(&shares.columns) {
            if columns.is_none_or(IterRange::is_empty) || rows.is_empty() {
                continue;
            }
            member.takes_columns().map_err(|why| {
                Error::call(format!(
                    "kernel `{}`: {why}, or leave it out of the region by `.devices(..)`",
                    kernel.name()
                ))
            })?;
        }
        Ok(())
    }

    /// Checks that each device has what its iterations need.
    fn check_cover(&self, bound: &Bound<'_>, uses: &[Option<Use>], shares: &Shares) -> Result<()> {
        for (position, used) in uses.iter().enumerate() {
            let Some(used) = used else { continue };
            let array = &self.arrays[used.array];
            let wrong = |why: String| {
                let (kernel, name) = (bound.kernel().name(), self.called(used));
                Err(Error::call(format!("kernel `{kernel}`: argument {position}, {name}: {why}")))
            };
            for (device, part) in array.placed.parts.iter().enumerate() {
                let axes = part.axes();
                let whole = |axis: &crate::data::layout::Axis| axis.stored() == axis.extent();
                if shares.columns[device].is_none() && !part.is_empty() && !axes[1..].iter().all(whole) {
                    return wrong(
                        "its second dimension is divided or has ghost cells, so a loop over rows alone does not find its cells: \
                         use `parallel_for_2d`"
                            .to_owned(),
                    );
                }
                if array.placed.replicated {
                    continue;
                }
                let chain = &array.placed.chain;
                for block in &shares.rows[device] {
                    let (first, end) = chain.reach(block.start, block.end);
                    let extent = axes[0].extent();
                    if let Some(items) = chain.table_items().filter(|&items| block.end > items) {
                        return wrong(format!(
                            "iterations {block} run, but `.rows_at(..)` gives rows to {items} iterations only: one number \
                             more than there are iterations"
                        ));
                    }
                    if end > extent {
                        return wrong(format!(
                            "iterations {block} have rows {first}..{end}, but it has {extent}: map it longer, or run a shorter \
                             loop"
                        ));
                    }
                    let needed = axes[0].needed();
                    let near = |row: i128| row.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
                    let low = near(i128::from(first) - i128::from(used.halo.left));
                    let high = near(i128::from(end) + i128::from(used.halo.right));
                    let has = match axes[0].owned().is_cyclic() {
                        // No rows, as of empty rows of a sparse matrix.
                        _ if first == end && chain.has_table() => true,
                        true => {
                            // Among the owned cells: the home also stores other devices' cells, which may be stale.
                            let (a, b) = (axes[0].owned().local(first), axes[0].owned().local(end - 1));
                            a.zip(b).is_some_and(|(a, b)| b - a == end - 1 - first)
                        }
                        // The device must own its iterations' rows: as ghosts they would be read without having been copied.
                        false => {
                            let owned = axes[0].owned().bounds();
                            !part.is_empty()
                                && needed.start <= low.max(needed.start.min(0))
                                && owned.start <= first
                                && needed.end >= high.min(needed.end.max(extent as i64))
                                && end <= owned.end
                        }
                    };
                    if !has {
                        let cut = chain.whole().is_none()
                            && array.placed.over_rows
                            && self.borders().is_some_and(|(fit, _)| !fit);
                        let advice = match cut {
                            true => {
                                "rows were split before it was mapped: map arrays with fractions before the region's first loop"
                            }
                            false => "align the arrays of a loop with one another",
                        };
                        return wrong(format!(
                            "device `{}` runs iterations {block}, which need its rows {low}..{high}, but owns {}..{}, and has \
                             {}..{} with ghost rows: {advice}",
                            self.set()?.members[device].model.name,
                            axes[0].owned().bounds().start,
                            axes[0].owned().bounds().end,
                            needed.start,
                            needed.end
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Refuses a kernel that takes whole granules alone: devices run the rows that they have, and those inside by themselves.
fn check_granule(kernel: &Kernel) -> Result<()> {
    match kernel.chunk_granule() {
        1 => Ok(()),
        granule => Err(Error::call(format!(
            "kernel `{}` has a granule of {granule} iterations, which data regions do not keep, as each device runs the rows that \
             it has: write it for any rows and leave out `.granule(..)`",
            kernel.name()
        ))),
    }
}

/// Checks that the iterations of a loop over rows and columns can be counted: each cell is one.
fn check_countable(kernel: &Kernel, rows: IterRange, columns: Option<IterRange>) -> Result<()> {
    let Some(columns) = columns.filter(|columns| rows.len().checked_mul(columns.len()).is_none()) else {
        return Ok(());
    };
    Err(Error::TooLarge(format!(
        "kernel `{}`: a loop over rows {rows} and columns {columns} has more than 2^64 - 1 cells: divide it into several",
        kernel.name()
    )))
}

/// Checks that each iteration runs on one device only: otherwise a reduction would count it more than once.
fn check_once(kernel: &Kernel, shares: &Shares, rows: IterRange, columns: Option<IterRange>) -> Result<()> {
    let cells = |columns: Option<IterRange>| columns.map_or(1, IterRange::len);
    let run: u64 =
        shares.rows.iter().zip(&shares.columns).flat_map(|(rows, c)| rows.iter().map(|r| r.len() * cells(*c))).sum();
    if run <= rows.len() * cells(columns) {
        return Ok(());
    }
    Err(Error::call(format!(
        "kernel `{}`: devices beside one another in the grid would run the same iterations, and a reduction would count them \
         more than once: bind an array first that is divided by rows and columns, and run `parallel_for_2d`; or arrange the \
         devices in a row",
        kernel.name()
    )))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::sync::Arc;

    #[test]
    fn results_that_nobody_asks_for_any_more_are_not_kept() -> Result<()> {
        let rt = Runtime::detect()?;
        let x = vec![2u64; 10];
        let sum = Kernel::new("sum").host(|rows: Range<usize>, x: In<u64>| x.slice(rows).iter().sum::<u64>());
        let mut region = rt.data_region().devices("0");
        let x = region.to(&x, [10]);
        let kept = region.parallel_for(0..10, sum.bind().reads(x)).reduce_later::<u64>(Sum)?;
        let dropped = region.parallel_for(0..5, sum.bind().reads(x)).reduce_later::<u64>(Sum)?;
        let answers = [Arc::downgrade(&kept.answer), Arc::downgrade(&dropped.answer)];
        drop(dropped);
        region.wait()?;
        assert_eq!(answers.each_ref().map(|answer| answer.strong_count()), [1, 0]);
        assert_eq!(region.value(kept)?, 20);
        assert_eq!(answers.map(|answer| answer.strong_count()), [0, 0]);
        region.finish()?;
        Ok(())
    }
}
