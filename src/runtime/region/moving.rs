//! Moves rows, and copies whole arrays, from device to device.

use super::DataRegion;
use super::array::Placed;
use super::dispatch::{Sources, What, apply, copying, incoming_of, nowhere, read_all};
use super::exchange::{Coming, Plan};
use super::operations::{DeviceCopies, Operation, Step, copied_in};
use super::place::{DeviceSet, allocate, laid_out, outlets, reaches};
use super::timeline::Took;
use crate::data::layout::{self, Part, Sides, Transfer};
use crate::devices::resident::{BufferId, How, Incoming, Launch};
use crate::error::{DeviceError, Result};
use crate::runtime::Runtime;
use crate::units::Seconds;
use smallvec::SmallVec;
use std::time::Instant;

/// An array's parts before it moved; or why there was no room for new ones, in which case the array is unchanged.
type Moved = Result<Vec<Part>, DeviceError>;

impl DataRegion<'_, '_> {
    /// Gives each device `counts` rows. Rows that a device keeps stay on it; others come from their previous owners. If an
    /// array finds no room, all arrays are as before, and the inner error says why.
    pub(super) fn move_rows(&mut self, counts: &[u64]) -> Result<Result<(), DeviceError>, DeviceError> {
        self.known.clear();
        let Some(set) = &self.set else { return Err(nowhere()) };
        let new = self
            .parts(set, counts, |index| self.arrays[index].refused.is_none())
            .map_err(|error| DeviceError { message: error.to_string(), ..nowhere() })?;
        let mut before: Vec<(usize, Vec<Part>)> = Vec::new();
        for (index, Placed { parts, .. }) in new.into_iter().enumerate() {
            if self.arrays[index].placed.parts == parts || self.arrays[index].placed.parts.is_empty() {
                continue;
            }
            match self.move_array(index, parts)? {
                Ok(were) => before.push((index, were)),
                Err(no_room) => {
                    // In reverse order, so that no more memory is held at any time than on the way here.
                    for (index, were) in before.into_iter().rev() {
                        self.move_array(index, were)??;
                    }
                    return Ok(Err(no_room));
                }
            }
        }
        if let Some(set) = &mut self.set {
            set.counts = counts.to_vec();
        }
        Ok(Ok(()))
    }

    fn move_array(&mut self, index: usize, parts: Vec<Part>) -> Result<Moved, DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let array = &mut self.arrays[index];
        // A device whose part is the same keeps its buffer.
        let wanted: Vec<bool> = parts.iter().zip(&array.placed.parts).map(|(new, old)| new != old).collect();
        // An array that no loop writes: the home has all of it, as the user gave it.
        let only_read = array.user.bytes().is_some() && !array.direction.writes();
        let old = array.placed.buffers.clone();
        let plan = {
            let (from, to) = (&array.placed.parts, &parts);
            let needless = |transfer: &Transfer| {
                let Transfer { from_part, to_part, .. } = *transfer;
                let at_home = to[to_part].is_home();
                !wanted[to_part] && !at_home || only_read && at_home && !from[from_part].is_home()
            };
            let mut transfers = layout::moves(from, to).map_err(|error| laid_out(&error))?;
            transfers.retain(|transfer| !needless(transfer));
            transfer_plan(set, (from, &old), to, transfers)
        };
        let mut new = match allocate(set, &parts, &wanted, array.placed.chain.has_table()) {
            Ok(new) => new,
            Err(no_room) => return Ok(Err(no_room.error)),
        };
        for (slot, new) in new.iter_mut().enumerate().filter(|(slot, _)| !wanted[*slot]) {
            *new = old[slot];
        }
        array.placed.buffers.clone_from(&new);
        let brought = read_all(self.runtime, &set.members, &old, &plan).and_then(|(read, mut step)| {
            let began = Instant::now();
            if let Some(home) = array.home_mut() {
                read_to_home(&plan, &read, home)?;
                step.host_since(began);
            }
            step.then(&bring(self.runtime, set, &plan, (&old, &new), array.home(), &read)?);
            step.bytes_of(&plan);
            Ok(step)
        });
        for (slot, buffer) in old.into_iter().enumerate().filter(|(slot, _)| wanted[*slot]) {
            let mut device = set.members[slot].device();
            if let (Some(resident), Some(buffer)) = (device.resident(), buffer) {
                resident.release(buffer);
            }
        }
        self.totals.operations.took(Operation::Moves, &brought?);
        let placed = &mut self.arrays[index].placed;
        placed.plans.clear();
        placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        Ok(Ok(std::mem::replace(&mut placed.parts, parts)))
    }

    /// Copies an array's cells to another array of the same extents, directly from device to device where possible.
    pub(super) fn copy_array(&mut self, from: usize, to: usize) -> Result<(), DeviceError> {
        let Some(set) = &self.set else { return Err(nowhere()) };
        let Ok([source, target]) = self.arrays.get_disjoint_mut([from, to]) else { return Err(nowhere()) };
        let (old, new) = (source.placed.buffers.clone(), target.placed.buffers.clone());
        let transfers =
            layout::between(&source.placed.parts, &target.placed.parts).map_err(|error| laid_out(&error))?;
        let plan = transfer_plan(set, (&source.placed.parts, &old), &target.placed.parts, transfers);
        let by_devices_alone = plan.readings.is_empty() && plan.at_home.is_empty() && {
            let mut all = plan.coming.iter().flatten();
            all.all(|coming| matches!(coming, Coming::Direct { .. } | Coming::Local { .. }))
        };
        if by_devices_alone {
            // First, as an operator of an earlier loop may panic once the copies are under way.
            self.copied(from, to);
            self.totals.operations.planned(Operation::Copy, &plan);
            return self.copy_ahead(&plan, (&old, &new));
        }
        self.copy_and_wait(&plan, (from, to), (&old, &new))?;
        self.totals.operations.planned(Operation::Copy, &plan);
        self.copied(from, to);
        Ok(())
    }

    /// Notes what follows from a copy.
    fn copied(&mut self, from: usize, to: usize) {
        let filled = self.arrays[from].filled;
        let target = &mut self.arrays[to];
        target.placed.stale.iter_mut().for_each(|sides| *sides = Sides::BOTH);
        target.written();
        target.filled = filled;
    }

    /// Copies by way of the host.
    fn copy_and_wait(
        &mut self,
        plan: &Plan,
        (from, to): (usize, usize),
        (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    ) -> Result<(), DeviceError> {
        // Other devices may still have to copy ghost cells from rows that are written now.
        while let Some(under) = self.under.pop_front() {
            self.take_in(under, SmallVec::new())?;
        }
        let began = self.totals.timeline.is_some().then(Instant::now);
        let Some(set) = &self.set else { return Err(nowhere()) };
        let Ok([source, target]) = self.arrays.get_disjoint_mut([from, to]) else { return Err(nowhere()) };
        let (read, mut step) = read_all(self.runtime, &set.members, old, plan)?;
        let (home, copying_home) = (source.home(), Instant::now());
        if let Some(into) = target.home_mut() {
            if let Some(home) = home {
                apply(plan.at_home.iter().map(|copy| copy.apply(home, into)))?;
            }
            read_to_home(plan, &read, into)?;
            step.host_since(copying_home);
        }
        step.then(&bring(self.runtime, set, plan, (old, new), home, &read)?);
        self.totals.operations.took(Operation::Copy, &step);
        if let Some(began) = began {
            self.time_copy(plan, to, began);
        }
        Ok(())
    }

    /// Notes the time of a copy that ended now, for each device that has cells of it.
    fn time_copy(&mut self, plan: &Plan, to: usize, began: Instant) {
        let (now, rows) = (Instant::now(), self.rows_of_devices());
        let Some(set) = &self.set else { return };
        let to_home = !plan.at_home.is_empty() || plan.readings.iter().any(|reading| reading.to_home.is_some());
        let parts = &self.arrays[to].placed.parts;
        let has = |slot: usize| match set.shared[slot] {
            true => to_home && !parts[slot].is_empty(),
            false => !plan.coming[slot].is_empty(),
        };
        let exchange = Seconds::from(now.duration_since(began));
        let took: SmallVec<[Took; 8]> = (0..set.members.len())
            .filter(|&slot| has(slot))
            .map(|slot| Took { slot, exchange, ..Took::default() })
            .collect();
        for &Took { slot, .. } in &took {
            self.totals.ran(slot, false, 0, (0, Seconds::ZERO), exchange);
        }
        if let Some(timeline) = &mut self.totals.timeline {
            timeline.took(&took, &rows, What::Copy, now);
        }
    }
}

/// Copies what was read from devices to the home.
fn read_to_home(plan: &Plan, read: &[Vec<u8>], home: &mut [u8]) -> Result<(), DeviceError> {
    for (reading, bytes) in plan.readings.iter().zip(read) {
        if let Some(out) = &reading.to_home {
            apply(out.iter().map(|copy| copy.apply(bytes, home)))?;
        }
    }
    Ok(())
}

/// The plan by which cells go from some parts, in `buffers`, to others.
fn transfer_plan(
    set: &DeviceSet<'_>,
    (from, buffers): (&[Part], &[Option<BufferId>]),
    to: &[Part],
    transfers: Vec<Transfer>,
) -> Plan {
    let outlets = outlets(set, buffers);
    Plan::moving(from, to, transfers, |to, from| reaches(set, &outlets, to, from))
}

/// Copies on all devices at once, and waits for them. The plan counts the bytes.
fn bring(
    runtime: &Runtime,
    set: &DeviceSet<'_>,
    plan: &Plan,
    (old, new): (&[Option<BufferId>], &[Option<BufferId>]),
    home: Option<&[u8]>,
    read: &[Vec<u8>],
) -> Result<Step, DeviceError> {
    let outlets = outlets(set, old);
    copying(runtime, &set.members, |slot| {
        let nothing = DeviceCopies::default();
        let Some(to) = new[slot].filter(|_| !plan.coming[slot].is_empty()) else { return Ok(nothing) };
        let from = Sources { home, read, outlets: &outlets };
        let incoming: Vec<Incoming<'_>> = incoming_of(&plan.coming[slot], (old[slot], to), &from).collect();
        let mut device = set.members[slot].device();
        let Some(resident) = device.resident() else { return Ok(nothing) };
        let began = Instant::now();
        let launch = Launch { work: None, incoming: &incoming, pieces: &[], late: &[], how: How::default() };
        let (launch, _) = resident.launch(&launch)?;
        resident.landed(launch).map(|_| copied_in(began.elapsed()))
    })
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::kernel::{In, Kernel, Out};
    use crate::model::Machine;
    use crate::prelude::*;
    use crate::region::{Dims, Edge, Later, Mapped, RegionSplit};
    use crate::runtime::region::DataRegion;
    use crate::runtime::region::balance::{by_weights, in_blocks};
    use crate::runtime::region::having::{Change, Other};
    use crate::units::Seconds;
    use proptest::prelude::*;
    use proptest::test_runner::{RngSeed, TestRunner};

    /// Rows, columns, and numbers of the table's cells before each row.
    const N: usize = 13;
    const M: usize = 2;
    const AT: [usize; N + 1] = [1, 1, 4, 5, 5, 5, 8, 9, 11, 12, 12, 15, 16, 18];

    #[derive(Clone, Debug)]
    enum Op {
        Move(Vec<u8>),
        /// From the first array to the second, or back.
        Sweep(bool),
        Add(bool),
        /// Adds to a row's cells of the table.
        Cells,
        Copy(bool),
        /// Copies to the array that all devices have; adds its rows to others.
        Gather,
        Spread,
        Exchange(bool),
        Host(bool, usize),
        Sum(bool),
        /// Adds what the last of such sums was.
        AddSum,
        Count,
        WaitFor(usize),
        Report,
    }

    #[derive(Clone, Debug)]
    struct Case {
        devices: Vec<usize>,
        periodic: bool,
        block: Option<usize>,
        ops: Vec<Op>,
    }

    fn op() -> impl Strategy<Value = Op> {
        let any = prop::bool::ANY;
        prop_oneof![
            8 => prop::collection::vec(prop_oneof![Just(0u8), 1..4u8], 4).prop_map(Op::Move),
            4 => any.prop_map(Op::Sweep),
            2 => any.prop_map(Op::Add),
            2 => Just(Op::Cells),
            1 => any.prop_map(Op::Copy),
            1 => Just(Op::Gather),
            1 => Just(Op::Spread),
            1 => any.prop_map(Op::Exchange),
            2 => (any, 0..N * M).prop_map(|(first, at)| Op::Host(first, at)),
            2 => any.prop_map(Op::Sum),
            1 => Just(Op::AddSum),
            1 => Just(Op::Count),
            1 => (0..4usize).prop_map(Op::WaitFor),
            1 => Just(Op::Report),
        ]
    }

    fn case() -> impl Strategy<Value = Case> {
        let devices = prop::sample::subsequence(vec![0usize, 1, 2, 3], 2..=4);
        let block = prop::option::weighted(0.2, 1..4usize);
        (devices, any::<bool>(), block, prop::collection::vec(op(), 1..40))
            .prop_map(|(devices, periodic, block, ops)| Case { devices, periodic, block, ops })
    }

    /// The host, two devices with memory of their own, and another one in the host's.
    fn runtime() -> Result<Runtime> {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        let way = format!(r#"{{"latency_us": {figure}, "bandwidth_gb_per_s": {figure}}}"#);
        let own = format!(r#""memory": "discrete", "memory_gib": {figure}, "link": {{"to": {way}, "from": {way}}}"#);
        let shared = r#""memory": "shared""#;
        let device = |(id, (kind, memory)): (usize, (&str, &str))| {
            format!(
                r#"{{"id": {id}, "name": "d{id}", "kind": "{kind}", "type": "HOSTCPU", {memory}, "f32_gflop_per_s": {figure},
                   "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        let kinds = [("host", shared), ("emulated", own.as_str()), ("emulated", own.as_str()), ("emulated", shared)];
        let devices: Vec<String> = kinds.into_iter().enumerate().map(device).collect();
        let text =
            format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, devices.join(", "));
        Ok(Runtime::from_machine(Machine::from_json(&text)?)?.without_history())
    }

    fn swept(above: u64, own: u64, below: u64, i: usize) -> u64 {
        let sum = above.wrapping_mul(3).wrapping_add(own).wrapping_add(below.wrapping_mul(7));
        sum.wrapping_add(i as u64)
    }

    fn added(x: u64, by: u64, i: usize) -> u64 {
        x.wrapping_mul(5).wrapping_add(by).wrapping_add(i as u64)
    }

    /// Gives the devices other numbers of rows.
    fn move_to(region: &mut DataRegion<'_, '_>, weights: &[u8]) -> Result<()> {
        let devices = region.set()?.members.len();
        let mut weights: Vec<f64> = weights[..devices].iter().map(|weight| f64::from(*weight)).collect();
        if weights.iter().sum::<f64>() == 0.0 {
            weights[devices - 1] = 1.0;
        }
        let counts = in_blocks(&by_weights(N as u64, &weights), region.granule()?);
        region.land_all()?;
        assert!(region.move_to(counts.clone())?, "there is room");
        assert_eq!(region.set()?.counts, counts);
        Ok(())
    }

    fn check(rt: &Runtime, case: &Case) -> Result<(), TestCaseError> {
        let fail = |error: Error| TestCaseError::fail(error.to_string());
        let sweep = Kernel::new("sweep").host(|rows: Range<usize>, x: In<u64>, mut y: Out<u64>| {
            for (i, c) in rows.flat_map(|i| (0..M).map(move |c| (i, c))) {
                let at = |row: isize| x.row_at(row)[c];
                let row = i as isize;
                y.row_mut(i)[c] = swept(at(row - 1), at(row), at(row + 1), i);
            }
        });
        let add = Kernel::new("add").host(|rows: Range<usize>, by: u64, mut x: Out<u64>| {
            rows.for_each(|i| x.row_mut(i).iter_mut().for_each(|x| *x = added(*x, by, i)));
        });
        let cells = Kernel::new("cells").host(|rows: Range<usize>, x: In<u64>, mut t: Out<u64>| {
            for (i, k) in rows.flat_map(|i| (AT[i]..AT[i + 1]).map(move |k| (i, k))) {
                t[k] = added(t[k], x.row(i)[0], k);
            }
        });
        let spread = Kernel::new("spread").host(|rows: Range<usize>, all: In<u64>, mut x: Out<u64>| {
            rows.for_each(|i| x.row_mut(i)[1] ^= all.row((5 * i + 3) % N)[0]);
        });
        let total = Kernel::new("total").host(|rows: Range<usize>, x: In<u64>| {
            rows.fold(0u64, |sum, i| sum.wrapping_add(added(x.row(i)[1], x.row(i)[0], i)))
        });
        let count = Kernel::new("count").host(|rows: Range<usize>, x: In<u64>, mut bins: Out<u64>| {
            rows.for_each(|i| bins[(x.row(i)[0] % 3) as usize] += 1);
        });

        let numbers = |n: usize, seed: u64| -> Vec<u64> {
            (0..n as u64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a)).collect()
        };
        let mut memory = [numbers(N * M, 1), numbers(N * M, 50)];
        let (mut of_table, mut bins) = (numbers(20, 90), vec![5u64; 3]);
        // What plain arrays have.
        let (mut values, mut table, mut counted, mut all) =
            (memory.clone(), of_table.clone(), bins.clone(), None::<Vec<u64>>);
        let (rows, edge) = if case.periodic { (0..N, Edge::Periodic) } else { (1..N - 1, Edge::None) };
        let names: Vec<String> = case.devices.iter().map(|device| format!("d{device}")).collect();
        let chosen: Vec<String> = case.devices.iter().map(usize::to_string).collect();
        {
            let mut region = rt.data_region().devices(&*chosen.join(",")).rebalance(false);
            if let Some(block) = case.block {
                region = region.reproducible(block);
            }
            let [x, y] = &mut memory;
            let xy = [region.tofrom(x, [N, M].halo(1).edge(edge)), region.tofrom(y, [N, M].halo(1).edge(edge))];
            let t = region.tofrom(&mut of_table, [20].rows_at(&AT[..]));
            let bins = region.tofrom(&mut bins, [3].full());
            let everywhere: Mapped<u64> = region.alloc([N, M].full());
            let mut later: Option<(Later<u64>, u64)> = None;
            let sum_of = |x: &[u64]| (0..N).fold(0u64, |sum, i| sum.wrapping_add(added(x[i * M + 1], x[i * M], i)));
            region.parallel_for(0..N, add.bind().scalar(1u64).updates(xy[0])).run().map_err(fail)?;
            values[0].iter_mut().enumerate().for_each(|(at, x)| *x = added(*x, 1, at / M));
            for op in &case.ops {
                let ran = match op {
                    Op::Move(weights) => move_to(&mut region, weights),
                    &Op::Sweep(back) => {
                        let (from, to) = (usize::from(back), usize::from(!back));
                        for (i, c) in rows.clone().flat_map(|i| (0..M).map(move |c| (i, c))) {
                            let at = |row: usize| values[from][row % N * M + c];
                            values[to][i * M + c] = swept(at(i + N - 1), at(i), at(i + 1), i);
                        }
                        region.parallel_for(rows.clone(), sweep.bind().reads(xy[from]).writes(xy[to])).run()
                    }
                    &Op::Add(second) => {
                        let which = usize::from(second);
                        values[which].iter_mut().enumerate().for_each(|(at, x)| *x = added(*x, 2, at / M));
                        region.parallel_for(0..N, add.bind().scalar(2u64).updates(xy[which])).run()
                    }
                    Op::Cells => {
                        for (i, k) in (0..N).flat_map(|i| (AT[i]..AT[i + 1]).map(move |k| (i, k))) {
                            table[k] = added(table[k], values[0][i * M], k);
                        }
                        region.parallel_for(0..N, cells.bind().reads(xy[0]).halo(0).updates(t)).run()
                    }
                    &Op::Copy(back) => {
                        let (from, to) = (usize::from(back), usize::from(!back));
                        values[to] = values[from].clone();
                        region.copy(xy[from], xy[to])
                    }
                    Op::Gather => {
                        all = Some(values[1].clone());
                        region.copy(xy[1], everywhere)
                    }
                    Op::Spread => {
                        let Some(all) = &all else { continue };
                        (0..N).for_each(|i| values[0][i * M + 1] ^= all[(5 * i + 3) % N * M]);
                        region.parallel_for(0..N, spread.bind().reads(everywhere).updates(xy[0])).run()
                    }
                    &Op::Exchange(second) => region.halo_exchange(xy[usize::from(second)]),
                    &Op::Host(second, at) => {
                        let which = usize::from(second);
                        region.update_from(xy[which]).map_err(fail)?;
                        prop_assert_eq!(region.host(xy[which]).map_err(fail)?, &values[which]);
                        region.host_mut(xy[which]).map_err(fail)?[at] ^= 0xabc;
                        values[which][at] ^= 0xabc;
                        region.update_to(xy[which])
                    }
                    &Op::Sum(waits) => {
                        let (bound, expected) = (total.bind().reads(xy[1]).halo(0), sum_of(&values[1]));
                        let reduced = region.parallel_for(0..N, bound);
                        match waits {
                            true => reduced.reduce::<u64>(Sum).map(|sum| assert_eq!(sum, expected)),
                            false => reduced.reduce_later::<u64>(Sum).map(|sum| later = Some((sum, expected))),
                        }
                    }
                    Op::AddSum => {
                        let Some((sum, expected)) = &later else { continue };
                        values[0].iter_mut().enumerate().for_each(|(at, x)| *x = added(*x, *expected, at / M));
                        region.parallel_for(0..N, add.bind().scalar(sum).updates(xy[0])).run()
                    }
                    Op::Count => {
                        (0..N).for_each(|i| counted[(values[0][i * M] % 3) as usize] += 1);
                        region.parallel_for(0..N, count.bind().reads(xy[0]).halo(0).reduces(bins, Sum)).run()
                    }
                    Op::WaitFor(device) => region.wait_for(&names[device % names.len()]),
                    Op::Report => region.report().map(|report| {
                        // With the table, one more than there are iterations.
                        assert_eq!(report.devices.len(), names.len());
                        assert_eq!(report.devices.iter().map(|device| device.rows).sum::<u64>(), N as u64);
                    }),
                };
                ran.map_err(fail)?;
            }
            if let Some((sum, expected)) = later {
                prop_assert_eq!(region.value(sum).map_err(fail)?, expected);
            }
            region.finish().map_err(fail)?;
        }
        prop_assert_eq!(&memory, &values);
        prop_assert_eq!((&of_table, &bins), (&table, &counted));
        Ok(())
    }

    /// Whichever devices lose all rows, and get some back.
    #[test]
    fn rows_that_go_to_other_devices_and_back_keep_their_values() -> Result<()> {
        let rt = runtime()?;
        let config =
            ProptestConfig { cases: 150, rng_seed: RngSeed::Fixed(3), failure_persistence: None, ..Default::default() };
        TestRunner::new(config).run(&case(), |case| check(&rt, &case)).unwrap_or_else(|error| panic!("{error}"));
        Ok(())
    }

    /// Meanwhile an array was mapped of which two iterations have a row.
    #[test]
    fn rows_that_go_back_to_where_they_were_do_not_divide_rows_of_arrays() -> Result<()> {
        let rt = runtime()?;
        let look = Kernel::new("look").host(|rows: Range<usize>, half: In<u64>, mut x: Out<u64>| {
            rows.for_each(|i| x[i] += half[i / 2]);
        });
        let add = Kernel::new("add").host(|rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1));
        let (mut x, half) = (vec![0u64; 102], vec![1u64; 51]);
        let mut region = rt.data_region().devices("1,2").split(RegionSplit::Even);
        let x_ = region.tofrom(&mut x, [102]);
        region.parallel_for(0..102, add.bind().updates(x_)).run()?;
        region.land_all()?;
        let from = region.set()?.counts.clone();
        assert_eq!(from, [51, 51]);
        assert!(region.move_to(vec![102, 0])?);
        // Loops took no time before that.
        let to = Other::Weights(vec![1.0, 0.0]);
        region.having.changed(from, &Change { to, now: Seconds::ZERO, then: Seconds::ZERO });
        let half_ = region.to(&half, [51].ratio((1, 2)));
        let mut loops = 1;
        while region.set()?.counts[1] == 0 {
            region.parallel_for(0..102, look.bind().reads(half_).updates(x_)).run()?;
            loops += 1;
            assert!(loops < 1000, "rows did not go back");
        }
        assert_eq!(region.set()?.counts, [52, 50]);
        region.parallel_for(0..102, look.bind().reads(half_).updates(x_)).run()?;
        region.finish()?;
        assert_eq!(x, vec![loops + 1; 102]);
        Ok(())
    }
}
