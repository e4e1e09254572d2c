//! Exchanges of ghost cells, and copies from array to array, that run without a loop.

use super::super::operations::Operation;
use super::super::place::outlets;
use super::*;
use std::any::Any;

/// Launches that belong to no loop.
#[derive(Default)]
struct Begun {
    launches: SmallVec<[(usize, LaunchId); 2]>,
    /// Results of an earlier loop's launches.
    landed: SmallVec<[(usize, Landed); 1]>,
    pulled: Vec<(usize, Pulled)>,
    failed: Option<DeviceError>,
    panic: Option<Box<dyn Any + Send>>,
}

impl Begun {
    fn of(runtime: &Runtime, mut tasks: Vec<Task<'_>>) -> Self {
        let panic = catch_unwind(AssertUnwindSafe(|| run_tasks(runtime, &tasks))).err();
        let mut begun = Self { panic, ..Self::default() };
        for task in &mut tasks {
            match task.out.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
                Some(Ok(out)) => {
                    begun.launches.extend(out.launch.map(|launch| (task.slot, launch)));
                    begun.failed = begun.failed.or(out.failed);
                    begun.pulled.extend(out.pulled.map(|pulled| (task.slot, pulled)));
                    begun.landed.extend(out.landed.map(|landed| (task.slot, landed)));
                }
                Some(Err(error)) => begun.failed = begun.failed.or(Some(error)),
                None => {}
            }
        }
        begun
    }
}

/// Stands for the kernel of an exchange by itself.
fn exchange() -> KernelId {
    static NAME: LazyLock<Arc<str>> = LazyLock::new(|| "exchange".into());
    KernelId { name: Arc::clone(&NAME), code: 0 }
}

impl DataRegion<'_, '_> {
    /// Tells devices that others copy from directly to wait for these copies before they write. `sources` gives what comes to a
    /// device.
    pub(super) fn tell_sources<'p>(&self, pulled: &[(usize, Pulled)], sources: impl Fn(usize) -> Vec<&'p Coming>) {
        let Some(set) = &self.set else { return };
        for (to, token) in pulled {
            let mut told: SmallVec<[usize; 4]> = SmallVec::new();
            for coming in sources(*to) {
                if let Coming::Direct { from, .. } = coming
                    && !told.contains(from)
                {
                    told.push(*from);
                    let mut device = set.members[*from].device();
                    if let Some(resident) = device.resident() {
                        resident.pulled(token);
                    }
                }
            }
        }
    }

    /// Brings ghost cells up to date without a loop.
    pub(in super::super) fn exchange_now(
        &mut self,
        stale: &[(usize, SmallVec<[Sides; 3]>)],
    ) -> Result<(), DeviceError> {
        let staged = self.fetch(stale)?;
        let number = self.next_number();
        let timed = self.totals.timeline.is_some() || Balance::samples(self.exchanges);
        self.exchanges += 1;
        let oldest = if self.under.len() >= UNDER_WAY { self.under.pop_front() } else { None };
        let Some(set) = &self.set else { return Err(nowhere()) };
        let outlets = outlets_of(&self.arrays, &set.members, stale);
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(set.members.len());
        for (slot, member) in set.members.iter().enumerate().filter(|(slot, _)| !set.shared[*slot]) {
            let mut incoming = Vec::new();
            for (listed, (array, sides)) in stale.iter().enumerate() {
                let array = &self.arrays[*array];
                let Some(plan) = array.plan(sides) else { continue };
                let from = Sources { home: array.home(), read: &staged[listed], outlets: &outlets[listed] };
                push_incoming(&mut incoming, plan, slot, &array.placed.buffers, &from);
            }
            if !incoming.is_empty() {
                let how = How { timed, ghosts: true, ..How::default() };
                let part = Part::Own { work: None, incoming, pieces: SmallVec::new(), late: &[], how };
                let land = Landing::of(oldest.as_ref(), &self.under, slot);
                tasks.push(Task { slot, member, part, land, out: Mutex::default() });
            }
        }
        let begun = Begun::of(self.runtime, tasks);
        let sources = |to: usize| {
            let plans = stale.iter().filter_map(|(array, sides)| self.arrays[*array].plan(sides));
            plans.flat_map(|plan| &plan.coming[to]).collect()
        };
        self.tell_sources(&begun.pulled, sources);
        let taken = self.take_begun((number, What::Exchange), begun, oldest);
        for (array, sides) in stale {
            self.refreshed(*array, sides);
        }
        taken
    }

    /// Copies cells from old buffers to new ones of other arrays, by a plan that needs no host. The devices may still do that when
    /// this returns.
    pub(in super::super) fn copy_ahead(
        &mut self,
        plan: &Plan,
        (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    ) -> Result<(), DeviceError> {
        let number = self.next_number();
        let oldest = if self.under.len() >= UNDER_WAY { self.under.pop_front() } else { None };
        let how = How { timed: self.totals.timeline.is_some(), ..How::default() };
        let Some(set) = &self.set else { return Err(nowhere()) };
        let outlets = outlets(set, old);
        let mut tasks: Vec<Task<'_>> = Vec::with_capacity(set.members.len());
        for (slot, member) in set.members.iter().enumerate() {
            let Some(to) = new[slot].filter(|_| !plan.coming[slot].is_empty()) else { continue };
            let from = Sources { home: None, read: &[], outlets: &outlets };
            let incoming = incoming_of(&plan.coming[slot], (old[slot], to), &from).collect();
            let part = Part::Own { work: None, incoming, pieces: SmallVec::new(), late: &[], how };
            let land = Landing::of(oldest.as_ref(), &self.under, slot);
            tasks.push(Task { slot, member, part, land, out: Mutex::default() });
        }
        let begun = Begun::of(self.runtime, tasks);
        self.tell_sources(&begun.pulled, |to| plan.coming[to].iter().collect());
        self.take_begun((number, What::Copy), begun, oldest)
    }

    /// Notes launches that belong to no loop, and takes in what they waited for.
    fn take_begun(
        &mut self,
        (number, what): (u64, What),
        begun: Begun,
        oldest: Option<Under>,
    ) -> Result<(), DeviceError> {
        let Begun { launches, landed, failed, panic, .. } = begun;
        self.under.push_back(Under {
            number,
            kernel: exchange(),
            launches,
            landed: SmallVec::new(),
            done: SmallVec::new(),
            partials: Vec::new(),
            reduction: None,
            answer: None,
            over_rows: false,
            what,
            rows: IterRange::default(),
            cells: SmallVec::new(),
            iterations: SmallVec::new(),
        });
        if let Some(panic) = panic {
            self.take_in_without_result(oldest, landed);
            resume_unwind(panic);
        }
        let taken = oldest.map_or(Ok(()), |oldest| self.take_in(oldest, landed));
        failed.map_or(taken, Err)
    }

    pub(super) fn refreshed(&mut self, array: usize, sides: &[Sides]) {
        if let Some(plan) = self.arrays[array].plan(sides) {
            self.totals.exchanges += u64::from(plan.bytes > 0);
            self.totals.exchanged += plan.bytes as u64;
            self.totals.operations.planned(Operation::Ghosts, plan);
        }
        for (stale, fresh) in self.arrays[array].placed.stale.iter_mut().zip(sides) {
            stale.left &= !fresh.left;
            stale.right &= !fresh.right;
        }
    }

    /// Plans the exchanges and does the host's part: reads from devices, and copies within the home.
    pub(super) fn fetch(&mut self, stale: &[(usize, SmallVec<[Sides; 3]>)]) -> Result<Vec<Vec<Vec<u8>>>, DeviceError> {
        for (array, sides) in stale {
            self.plan_ghosts(*array, sides)?;
        }
        let Some(set) = &self.set else { return Err(nowhere()) };
        let mut staged = Vec::with_capacity(stale.len());
        for (array, sides) in stale {
            let array = &mut self.arrays[*array];
            let Some(plan) = array.plan(sides) else {
                // One entry for each array, as they are found by position.
                staged.push(Vec::new());
                continue;
            };
            let (read, mut step) = read_all(self.runtime, &set.members, &array.placed.buffers, plan)?;
            let (at_home, readings) = (plan.at_home.clone(), plan.readings.clone());
            let at_once = at_home.is_empty() && readings.iter().all(|reading| reading.to_home.is_none());
            let began = (!at_once).then(Instant::now);
            if let Some(home) = array.home_mut() {
                apply(at_home.iter().map(|copy| copy.apply_within(home)))?;
            }
            for (reading, bytes) in readings.iter().zip(&read) {
                if let (Some(out), Some(home)) = (&reading.to_home, array.home_mut()) {
                    apply(out.iter().map(|copy| copy.apply(bytes, home)))?;
                }
            }
            if let Some(began) = began {
                step.host_since(began);
            }
            self.totals.operations.took(Operation::Ghosts, &step);
            staged.push(read);
        }
        Ok(staged)
    }
}
