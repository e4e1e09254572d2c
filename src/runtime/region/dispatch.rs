//! Runs a loop, or an exchange, on all devices of a region at once.

mod exchanges;

use super::array::RegionArray;
use super::exchange::{Coming, Plan};
use super::operations::{DeviceCopies, Step, copied_in};
use super::pace::Balance;
use super::pieces::{Cut, are_apart, bytes_of_incoming, is_short, pieces_of, waiting_columns, waiting_rows};
use super::run::{Shares, Use};
use super::{DataRegion, UNDER_WAY};
use crate::around::Around;
use crate::data::layout::{LayoutError, Sides};
use crate::data::{ArrayMap, Halo, HostMemory, LoopShape};
use crate::devices::resident::{
    BufferId, How, Incoming, Landed, Late, Launch, LaunchId, Outlet, Piece, Pulled, Resident, Stored, Taken,
};
use crate::devices::{Blocks, Work, body_blocks, crew, with_checked_session};
use crate::element::Scalar;
use crate::error::{DeviceError, Phase};
use crate::kernel::{Answer, Argument, Bound, Kernel, KernelId, Reduction};
use crate::runtime::seats::{Driving, install_attentively, of_the_caller, outside_of_pools};
use crate::runtime::{Member, Runtime};
use crate::space::IterRange;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// What devices in the host's memory contributed to whole arrays: device, argument, copy.
pub(super) type Contributed = Vec<(usize, usize, Vec<u64>)>;

/// What devices may have under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Loop,
    /// An exchange of ghost cells by itself.
    Exchange,
    /// A copy from array to array.
    Copy,
}

/// A loop that is under way, or done.
pub(super) struct Under {
    pub number: u64,
    pub kernel: KernelId,
    pub launches: SmallVec<[(usize, LaunchId); 2]>,
    /// Results of launches that were waited for already: where they were launched, or for one device.
    pub landed: SmallVec<[(usize, Landed); 1]>,
    /// For devices that are done already: device, iterations, time.
    pub done: SmallVec<[(usize, u64, Seconds); 2]>,
    pub partials: Vec<(IterRange, usize, Scalar)>,
    pub reduction: Option<Reduction>,
    /// Where the reduction's result goes, while it may be asked for.
    pub answer: Option<Weak<Answer>>,
    pub over_rows: bool,
    pub what: What,
    pub rows: IterRange,
    /// Columns per row for each device, in a loop over rows and columns.
    pub cells: SmallVec<[u64; 2]>,
    /// Iterations of each device, for the time line.
    pub iterations: SmallVec<[u64; 2]>,
}

impl Under {
    /// The launch on a device, if there is one.
    pub fn launch_of(&self, slot: usize) -> Option<LaunchId> {
        self.launches.iter().find(|(of, _)| *of == slot).map(|(_, launch)| *launch)
    }

    /// Its reduction's operator panicked for some device: what the others contributed is no result.
    pub fn has_no_result(&mut self) {
        (self.reduction, self.answer) = (None, None);
    }
}

/// One device's part of a loop.
struct Task<'t> {
    slot: usize,
    member: &'t Member,
    part: Part<'t>,
    /// The launch of an earlier loop, to be taken in once this one is under way.
    land: Option<Landing>,
    out: Mutex<Option<Result<Out, DeviceError>>>,
}

/// A launch that is to be taken in, and one some launches later.
#[derive(Clone, Copy)]
struct Landing {
    launch: LaunchId,
    later: Option<LaunchId>,
}

impl Landing {
    /// The oldest loop's launch on a device, and that in the middle of those that follow.
    fn of(oldest: Option<&Under>, under: &VecDeque<Under>, slot: usize) -> Option<Self> {
        let launch = oldest?.launch_of(slot)?;
        Some(Self { launch, later: under.get(under.len() / 2).and_then(|under| under.launch_of(slot)) })
    }

    /// Takes it in. To wait for the later one, unless both are known to be past, is one wait for many launches, of which each asks
    /// the driver for more than a microsecond; the device has the others to do meanwhile.
    fn take(self, resident: &mut dyn Resident) -> Result<Landed, DeviceError> {
        if let Some(later) = self.later {
            resident.pass(self.launch, later);
        }
        resident.landed(self.launch)
    }
}

#[allow(clippy::large_enum_variant, reason = "a handful of parts a loop, and short lists without an allocation each")]
enum Part<'t> {
    /// In the host's memory.
    Home { work: &'t Work<'t>, chunks: &'t [IterRange] },
    /// In the device's own memory.
    Own {
        work: Option<&'t Work<'t>>,
        incoming: Vec<Incoming<'t>>,
        pieces: SmallVec<[Piece; 1]>,
        late: &'t [Late],
        how: How,
    },
}

#[derive(Default)]
struct Out {
    launch: Option<LaunchId>,
    /// The result of the earlier loop's launch.
    landed: Option<Landed>,
    /// The result of its own launch, if the host waits for it.
    own: Option<Landed>,
    pulled: Option<Pulled>,
    partials: SmallVec<[(IterRange, Scalar); 1]>,
    contributed: Vec<(usize, Vec<u64>)>,
    kernel: Seconds,
    iterations: u64,
    /// An error after the launch.
    failed: Option<DeviceError>,
}

impl DataRegion<'_, '_> {
    /// Whether the devices should time this loop.
    fn wants_times(&mut self, kernel: &Kernel) -> bool {
        self.balance.wants_times(&kernel.id()) || self.totals.timeline.is_some()
    }

    /// The arrays of which the loop reads stale ghosts, and the sides.
    fn stale_of(&self, uses: &[Option<Use>], columns: bool) -> Vec<(usize, SmallVec<[Sides; 3]>)> {
        let mut stale: Vec<(usize, SmallVec<[Sides; 3]>)> = Vec::new();
        for used in uses.iter().flatten().filter(|used| !used.direction.writes()) {
            let placed = &self.arrays[used.array].placed;
            // A loop over rows that reads no neighbouring rows reads no ghosts.
            if used.halo == Halo::default() && !placed.replicated && !columns {
                continue;
            }
            let sides = placed.stale.iter().enumerate().map(|(dimension, sides)| {
                let (left, right) = match (dimension, used.columns) {
                    (0, _) => (placed.replicated || used.halo.left > 0, placed.replicated || used.halo.right > 0),
                    // As the kernel's text says. A corner comes with either of its sides.
                    (1, Some(read)) => (read.left > 0, read.right > 0),
                    _ => (true, true),
                };
                Sides { left: sides.left && left, right: sides.right && right }
            });
            let sides: SmallVec<[Sides; 3]> = sides.collect();
            if sides.iter().all(|sides| *sides == Sides::NONE) {
                continue;
            }
            match stale.iter_mut().find(|(array, _)| *array == used.array) {
                Some((_, listed)) => listed.iter_mut().zip(&sides).for_each(|(listed, more)| {
                    listed.left |= more.left;
                    listed.right |= more.right;
                }),
                None => stale.push((used.array, sides)),
            }
        }
        stale
    }

    /// Runs a loop: each device runs its rows, once the cells that these need have arrived.
    pub(super) fn run_on_all(
        &mut self,
        number: u64,
        bound: &Bound<'_>,
        reduction: Option<Reduction>,
        uses: &[Option<Use>],
        shares: &Shares,
        (late, awaited): (&[Late], bool),
    ) -> Result<(Under, Contributed), DeviceError> {
        let epoch = Instant::now();
        let stale = self.stale_of(uses, shares.columns.iter().any(Option::is_some));
        let staged = self.fetch(&stale)?;
        let timed = self.wants_times(bound.kernel());
        let taken = match reduction.filter(|_| !awaited) {
            Some(_) => self.will_be_taken(bound.kernel(), number),
            None => Taken::ByHost,
        };
        // Taken in while this loop runs, so that no device waits for the host to do so.
        let oldest = if self.under.len() >= UNDER_WAY { self.under.pop_front() } else { None };
        let Some(set) = &self.set else { return Err(nowhere()) };
        let runtime = self.runtime;
        let outlets = outlets_of(&self.arrays, &set.members, &stale);

        let (under, contributed, pulled, landed, failed, panic) = {
            // The homes, each for reading or for writing, and what else a loop has to know of the arrays.
            let mut memories: Vec<Option<HostMemory<'_>>> = Vec::with_capacity(self.arrays.len());
            let mut facts = Vec::with_capacity(self.arrays.len());
            for (index, array) in self.arrays.iter_mut().enumerate() {
                let written = uses.iter().flatten().any(|used| used.array == index && used.direction.writes());
                let (memory, fact) = array.split(written);
                memories.push(memory);
                facts.push(fact);
            }
            let arguments: Vec<Argument<'_>> = bound
                .arguments()
                .iter()
                .zip(uses)
                .map(|(argument, used)| match (argument, used) {
                    (Argument::Array(_), Some(used)) => {
                        let memory = match &mut memories[used.array] {
                            _ if used.reduced => HostMemory::Scratch,
                            Some(HostMemory::Read(bytes)) => HostMemory::Read(bytes),
                            memory => memory.take().unwrap_or(HostMemory::Scratch),
                        };
                        Argument::Array(facts[used.array].map(used, memory))
                    }
                    (Argument::Scalar(scalar), _) => Argument::Scalar(*scalar),
                    // Every array has a use.
                    (Argument::Array(map), None) => {
                        Argument::Array(ArrayMap { memory: HostMemory::Scratch, ..describe(map) })
                    }
                })
                .collect();
            let homes: Vec<Option<&[u8]>> = memories
                .iter()
                .map(|memory| if let Some(HostMemory::Read(bytes)) = memory { Some(*bytes) } else { None })
                .collect();
            let devices = set.members.len();
            let shape = LoopShape { range: shares.span(), devices };
            let block = self.block.filter(|_| reduction.is_some()).map(|len| Blocks { len, from: 0 });
            let work_of = |columns| Work {
                kernel: bound.kernel(),
                arguments: &arguments,
                shape,
                reduction,
                in_flight: 1,
                piece_bytes: None,
                cut: None,
                columns,
                kernel_time: None,
                array_reductions: bound.array_reductions(),
                block,
                poison: false,
                locked: &[],
                epoch,
                cancelling: None,
                around: Around::here(),
            };
            let works: SmallVec<[Work<'_>; 1]> = shares.columns.iter().map(|columns| work_of(*columns)).collect();
            let mut tasks: Vec<Task<'_>> = Vec::with_capacity(devices);
            for (slot, member) in set.members.iter().enumerate() {
                let chunks = &shares.rows[slot];
                let none = shares.columns[slot].is_some_and(IterRange::is_empty);
                let part = if set.shared[slot] {
                    if chunks.is_empty() || none {
                        continue;
                    }
                    Part::Home { work: &works[slot], chunks }
                } else {
                    let mut incoming = Vec::new();
                    for (listed, (array, sides)) in stale.iter().enumerate() {
                        let fact = &facts[*array];
                        let Some(plan) = fact.plan(sides) else { continue };
                        let from = Sources { home: homes[*array], read: &staged[listed], outlets: &outlets[listed] };
                        push_incoming(&mut incoming, plan, slot, &fact.placed.buffers, &from);
                    }
                    let waits = if incoming.is_empty() { Halo::default() } else { waiting_rows(&facts, uses, &stale) };
                    let columns = shares.columns[slot];
                    let beside = match columns {
                        Some(columns) if !incoming.is_empty() => waiting_columns(&facts, uses, &stale, (slot, columns)),
                        _ => Some(Halo::default()),
                    };
                    let apart = are_apart(&facts, uses, (&waits, beside.as_ref()), (slot, columns));
                    let stored = |row: u64| -> SmallVec<[Option<Stored>; 4]> {
                        let of = |used: &Option<Use>| {
                            let used = used.as_ref()?;
                            let (first, _) = facts[used.array].placed.chain.reach(row, row + 1);
                            facts[used.array].stored(slot, first)
                        };
                        uses.iter().map(of).collect()
                    };
                    // Even without bytes there may be an event to wait for.
                    let comes = if incoming.is_empty() { 0 } else { bytes_of_incoming(&incoming).max(1) };
                    let iterations =
                        || chunks.iter().map(|chunk| chunk.len()).sum::<u64>() * columns.map_or(1, IterRange::len);
                    let short =
                        comes > 0 && is_short(&member.model, (bound.kernel(), iterations()), &facts, uses, slot);
                    let cut = Cut { columns, rows: &waits, beside: beside.as_ref(), comes, short, awaited, block };
                    let pieces = pieces_of(chunks, &cut, stored);
                    if pieces.is_empty() && incoming.is_empty() {
                        continue;
                    }
                    let how = How { in_order: block.is_some(), timed, ghosts: false, apart, awaited, taken };
                    Part::Own { work: Some(&works[slot]), incoming, pieces, late, how }
                };
                let land = Landing::of(oldest.as_ref(), &self.under, slot);
                tasks.push(Task { slot, member, part, land, out: Mutex::default() });
            }
            let panic = catch_unwind(AssertUnwindSafe(|| run_tasks(runtime, &tasks))).err();
            let mut under = Under {
                number,
                kernel: bound.kernel().id(),
                launches: SmallVec::new(),
                landed: SmallVec::new(),
                done: SmallVec::new(),
                partials: Vec::new(),
                reduction,
                answer: None,
                over_rows: shares.over_rows,
                what: What::Loop,
                rows: shares.span(),
                cells: shares.columns.iter().map(|columns| columns.map_or(1, IterRange::len)).collect(),
                iterations: shares.iterations(),
            };
            let mut pulled = Vec::new();
            let mut landed = SmallVec::new();
            let mut contributed = Contributed::new();
            let mut failed = None;
            // Tasks are large to move.
            for task in &mut tasks {
                match task.out.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
                    Some(Ok(out)) => {
                        under.launches.extend(out.launch.map(|launch| (task.slot, launch)));
                        under.landed.extend(out.own.map(|own| (task.slot, own)));
                        failed = failed.or(out.failed);
                        pulled.extend(out.pulled.map(|pulled| (task.slot, pulled)));
                        let of = |(argument, copy)| (task.slot, argument, copy);
                        contributed.extend(out.contributed.into_iter().map(of));
                        landed.extend(out.landed.map(|landed| (task.slot, landed)));
                        if matches!(task.part, Part::Home { .. }) {
                            under.done.push((task.slot, out.iterations, out.kernel));
                        }
                        under.partials.extend(out.partials.into_iter().map(|(range, value)| (range, task.slot, value)));
                    }
                    Some(Err(error)) => failed = failed.or(Some(error)),
                    None => {}
                }
            }
            (under, contributed, pulled, landed, failed, panic)
        };
        if let Some(panic) = panic {
            // What other devices have begun is taken in when the region ends.
            self.under.push_back(under);
            self.take_in_without_result(oldest, landed);
            resume_unwind(panic);
        }
        self.tell_sources(&pulled, |to| {
            let plans = stale.iter().filter_map(|(array, sides)| self.arrays[*array].plan(sides));
            plans.flat_map(|plan| &plan.coming[to]).collect()
        });
        for (array, sides) in &stale {
            self.refreshed(*array, sides);
        }
        let taken = oldest.map_or(Ok(()), |oldest| self.take_in(oldest, landed));
        if let Some(error) = failed.or(taken.err()) {
            // Launches on other devices are taken in when the region ends.
            self.under.push_back(under);
            return Err(error);
        }
        Ok((under, contributed))
    }

    /// Takes in a loop after a panic, so that its devices give back their memory.
    fn take_in_without_result(&mut self, under: Option<Under>, landed: SmallVec<[(usize, Landed); 1]>) {
        let Some(mut under) = under else { return };
        under.has_no_result();
        // The first panic is the one to pass on.
        let _ = catch_unwind(AssertUnwindSafe(|| self.take_in(under, landed)));
    }
}

/// Reads what an exchange needs from devices with memory of their own, on all devices at once. The plan counts the bytes.
pub(super) fn read_all(
    runtime: &Runtime,
    members: &[&Member],
    buffers: &[Option<BufferId>],
    plan: &Plan,
) -> Result<(Vec<Vec<u8>>, Step), DeviceError> {
    let mut step = Step::default();
    let read: Vec<Mutex<Vec<u8>>> = plan.readings.iter().map(|reading| Mutex::new(vec![0; reading.bytes])).collect();
    if !read.is_empty() {
        step = copying(runtime, members, |slot| {
            let mine = plan.readings.iter().zip(&read).filter(|(reading, _)| reading.from == slot);
            let mut took = Duration::ZERO;
            for (reading, bytes) in mine {
                let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
                let mut device = members[slot].device();
                if let (Some(resident), Some(buffer)) = (device.resident(), buffers[slot]) {
                    took += resident.read(buffer, &reading.copies, &mut bytes)?;
                }
            }
            Ok(copied_in(took))
        })?;
    }
    Ok((read.into_iter().map(|bytes| bytes.into_inner().unwrap_or_else(PoisonError::into_inner)).collect(), step))
}

/// As [`on_devices`], where `run` says what the device copied.
pub(super) fn copying(
    runtime: &Runtime,
    members: &[&Member],
    run: impl Fn(usize) -> Result<DeviceCopies, DeviceError> + Sync,
) -> Result<Step, DeviceError> {
    let copied: SmallVec<[Mutex<DeviceCopies>; 8]> = members.iter().map(|_| Mutex::default()).collect();
    on_devices(runtime, members, |slot| {
        let copies = run(slot)?;
        *copied[slot].lock().unwrap_or_else(PoisonError::into_inner) = copies;
        Ok(())
    })?;
    Ok(Step::at_once(copied.into_iter().map(|copies| copies.into_inner().unwrap_or_else(PoisonError::into_inner))))
}

/// Runs `run` for each device with memory of its own on the device's thread, all at once.
pub(super) fn on_devices(
    runtime: &Runtime,
    members: &[&Member],
    run: impl Fn(usize) -> Result<(), DeviceError> + Sync,
) -> Result<(), DeviceError> {
    let failed = Mutex::new(None);
    let slots: SmallVec<[usize; 8]> = (0..members.len()).filter(|&slot| members[slot].pool.is_none()).collect();
    let mine = members.iter().position(|member| member.pool.is_none());
    let each = |slot: &usize| {
        if Some(*slot) != mine {
            // The host's cores have no part in this.
            members[*slot].stand_aside(false, None);
        }
        if let Err(error) = run(*slot) {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    };
    if let Some((mine, others)) = slots.split_first() {
        let others: SmallVec<[_; 8]> = others.iter().map(|slot| (&members[*slot].thread, slot)).collect();
        let all = || crew::run_all(&others, runtime.patience, &each, || each(mine));
        // A copy may wait for other threads while it holds its device.
        outside_of_pools(all).map_err(|error| of_the_host(&error))?;
    }
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

pub(super) fn apply(copied: impl Iterator<Item = Result<(), LayoutError>>) -> Result<(), DeviceError> {
    copied.into_iter().collect::<Result<(), _>>().map_err(|error| of_the_host(&error))
}

pub(super) fn of_the_host(error: &dyn std::error::Error) -> DeviceError {
    DeviceError { device: "host".to_owned(), phase: Phase::Exchange, chunk: None, message: error.to_string() }
}

/// The sources of incoming cells.
#[derive(Clone, Copy)]
pub(super) struct Sources<'s> {
    pub home: Option<&'s [u8]>,
    pub read: &'s [Vec<u8>],
    pub outlets: &'s [Option<Outlet>],
}

/// What comes to a device's buffer; local cells come from its buffer `own`.
pub(super) fn incoming_of<'s>(
    coming: &'s [Coming],
    (own, to): (Option<BufferId>, BufferId),
    sources: &Sources<'s>,
) -> impl Iterator<Item = Incoming<'s>> {
    let Sources { home, read, outlets } = *sources;
    coming.iter().filter_map(move |coming| {
        Some(match coming {
            Coming::Direct { from, copies } => Incoming::Direct { to, from: outlets[*from].as_ref()?, copies },
            Coming::Local { copies } => Incoming::Local { to, from: own?, copies },
            Coming::Home { copies } => Incoming::Host { to, from: home.unwrap_or_default(), copies },
            Coming::Staged { reading, copies } => Incoming::Host { to, from: &read[*reading], copies },
        })
    })
}

fn push_incoming<'s>(
    incoming: &mut Vec<Incoming<'s>>,
    plan: &'s Plan,
    slot: usize,
    buffers: &[Option<BufferId>],
    sources: &Sources<'s>,
) {
    let (Some(to), Some(coming)) = (buffers.get(slot).copied().flatten(), plan.coming.get(slot)) else { return };
    incoming.extend(incoming_of(coming, (Some(to), to), sources));
}

/// The buffers of the exchanged arrays, as other devices of the same kind see them.
fn outlets_of(
    arrays: &[RegionArray<'_>],
    members: &[&Member],
    stale: &[(usize, SmallVec<[Sides; 3]>)],
) -> Vec<Vec<Option<Outlet>>> {
    let of = |(array, sides): &(usize, SmallVec<[Sides; 3]>)| {
        let array = &arrays[*array];
        let plan = array.plan(sides);
        let is_source = |slot: usize| {
            let all = plan.into_iter().flat_map(|plan| plan.coming.iter().flatten());
            all.into_iter().any(|coming| matches!(coming, Coming::Direct { from, .. } if *from == slot))
        };
        let outlet = |slot: usize| {
            let buffer = array.placed.buffers[slot].filter(|_| is_source(slot))?;
            let mut device = members[slot].device();
            device.resident()?.outlet(buffer)
        };
        (0..members.len()).map(outlet).collect()
    };
    stale.iter().map(of).collect()
}

/// Runs all parts at once, each on its device's thread.
fn run_tasks(runtime: &Runtime, tasks: &[Task<'_>]) {
    let run = |task: &Task<'_>| {
        let out = task.run(runtime);
        *task.out.lock().unwrap_or_else(PoisonError::into_inner) = Some(out);
    };
    let mine = of_the_caller(tasks.iter().map(|task| task.member));
    let others = tasks.iter().enumerate().filter(|(index, _)| Some(*index) != mine);
    let others: SmallVec<[_; 8]> = others.map(|(_, task)| (&task.member.thread, task)).collect();
    let mine = mine.and_then(|mine| tasks.get(mine));
    let cores = mine.is_some_and(|task| task.member.pool.is_some());
    let at_once = |task: &Task<'_>| {
        task.member.stand_aside(cores, task.kernel());
        run(task);
    };
    crew::run_all(&others, runtime.patience, &at_once, || {
        if let Some(task) = mine {
            run(task);
        }
    });
}

impl Task<'_> {
    fn kernel(&self) -> Option<&Kernel> {
        match &self.part {
            Part::Home { work, .. } => Some(work.kernel),
            Part::Own { work, .. } => work.map(|work| work.kernel),
        }
    }

    fn around(&self) -> Around {
        match &self.part {
            Part::Home { work, .. } => work.around,
            Part::Own { work, .. } => work.map_or_else(Around::here, |work| work.around),
        }
    }

    fn run(&self, runtime: &Runtime) -> Result<Out, DeviceError> {
        let drive = || {
            let _driving = Driving::start(self.member);
            let _around = self.around().enter();
            let mut device = self.member.device();
            match &self.part {
                Part::Own { work, incoming, pieces, late, how } => {
                    let Some(resident) = device.resident() else { return Err(nowhere()) };
                    let launch = Launch { work: *work, incoming, pieces, late, how: *how };
                    let (launch, pulled) = resident.launch(&launch)?;
                    let mut out = Out { launch: Some(launch), pulled, ..Out::default() };
                    // The caller's operator may panic.
                    let before = self.land.map(|before| catch_unwind(AssertUnwindSafe(|| before.take(resident))));
                    match before.transpose() {
                        Ok(Some(Ok(landed))) => out.landed = Some(landed),
                        Ok(Some(Err(error))) => out.failed = Some(error),
                        Ok(None) => {}
                        Err(panic) => {
                            // Nobody else knows of the launch.
                            let _ = catch_unwind(AssertUnwindSafe(|| resident.landed(launch)));
                            resume_unwind(panic)
                        }
                    }
                    if how.awaited && out.failed.is_none() {
                        // Wait here: a thread that slept until the caller has the result would have to be woken for the next
                        // loop.
                        out.launch = None;
                        match resident.landed(launch) {
                            Ok(own) => out.own = Some(own),
                            Err(error) => out.failed = Some(error),
                        }
                    }
                    Ok(out)
                }
                Part::Home { work, chunks } => {
                    let block = work.block.filter(|_| !device.runs_blocks());
                    with_checked_session(&mut **device, work, |begun| {
                        let mut out = Out::default();
                        let parts = chunks.iter().flat_map(|&chunk| match block {
                            Some(block) => body_blocks(chunk, block),
                            None => vec![chunk],
                        });
                        for chunk in parts {
                            begun.session.submit(chunk)?;
                            let done = begun.session.complete()?;
                            if let Some(outside) = done.outside {
                                return Err(*outside);
                            }
                            out.kernel += done.kernel.map(crate::devices::Span::length).unwrap_or_default();
                            out.iterations += chunk.len();
                            out.partials.extend(done.partial.map(|partial| (chunk, partial)));
                            out.partials.extend(done.blocks);
                            out.contributed.extend(done.contributed);
                        }
                        begun.session.finish()?;
                        Ok(out)
                    })
                    .and_then(|out| out)
                }
            }
        };
        match &self.member.pool {
            Some(pool) => {
                let out = Mutex::new(None);
                install_attentively(pool, runtime.patience, || {
                    *out.lock().unwrap_or_else(PoisonError::into_inner) = Some(drive());
                });
                out.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or_else(|| Err(nowhere()))
            }
            None => drive(),
        }
    }
}

/// An error for a state of the region's devices that does not occur.
pub(super) fn nowhere() -> DeviceError {
    DeviceError {
        device: "none".to_owned(),
        phase: Phase::Init,
        chunk: None,
        message: "the region's arrays are on no device".to_owned(),
    }
}

/// A map without its memory.
fn describe<'a>(map: &ArrayMap<'_>) -> ArrayMap<'a> {
    ArrayMap {
        name: map.name,
        element: map.element,
        direction: map.direction,
        distribution: map.distribution,
        halo: map.halo,
        row_len: map.row_len,
        len: map.len,
        memory: HostMemory::Scratch,
        mapped: map.mapped,
        shift: map.shift,
        first_row: map.first_row,
        first_column: map.first_column,
        chain: map.chain.clone(),
        rows_at: None,
        components: map.components,
    }
}
