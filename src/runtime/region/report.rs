//! What the devices of a region did.

use super::DataRegion;
use super::operations::{OperationTotals, Operations};
use super::place::DeviceSet;
use super::timeline::{TimeLine, Window};
use crate::data::layout::Part;
use crate::runtime::LeftOut;
use crate::sched::imbalance;
use crate::space::DeviceId;
use crate::units::{Bytes, Seconds};
use serde::{Serialize, Serializer};
use smallvec::SmallVec;
use std::fmt;
use std::time::{Duration, Instant};

/// Sums over a region's loops.
#[derive(Debug, Default)]
pub(super) struct Totals {
    devices: Vec<DeviceTotals>,
    pub exchanges: u64,
    pub exchanged: u64,
    pub moves: Vec<Move>,
    /// When the first loop was called for.
    pub begun: Option<Instant>,
    pub operations: Operations,
    /// How long devices compiled kernels.
    compiled: Vec<(DeviceId, Duration)>,
    /// If it was asked for.
    pub timeline: Option<TimeLine>,
}

/// A move of rows between devices.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub after: u64,
    pub counts: Vec<u64>,
    pub took: Seconds,
}

/// What one device did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeviceTotals {
    /// Its name in the machine description.
    pub name: String,
    /// Rows of the region that it has at present; where no array follows these, rows of the first array with a division of its
    /// own.
    pub rows: u64,
    /// Loops of which it ran part.
    pub loops: u64,
    /// Iterations (cells in a loop over rows and columns) that it ran.
    pub ran: u64,
    /// Those whose time is known: of the first loops, and of some later ones; of devices in host memory all. On GPUs iterations
    /// that waited for ghost rows do not count, unless all waited.
    pub iterations: u64,
    /// How long these took.
    #[serde(rename = "kernel_s")]
    pub kernel: Seconds,
    /// How long ghost cells were on their way to it, and with a [time line](super::DataRegion::timeline) also cells of copies from
    /// array to array; this overlaps `kernel`.
    #[serde(rename = "exchange_s")]
    pub exchange: Seconds,
    /// How long it compiled and loaded kernels, before their first loops; no other time contains it.
    #[serde(rename = "compiled_s")]
    pub compiled: Seconds,
}

/// The record of a region. As a [`Report`](crate::runtime::Report) it is written in any format of serde.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct RegionReport {
    /// Number of loops.
    pub loops: u64,
    /// From the call of the first loop to [`DataRegion::report`](super::DataRegion::report) or the end of
    /// [`DataRegion::finish`](super::DataRegion::finish); zero without a loop.
    #[serde(rename = "elapsed_s")]
    pub elapsed: Seconds,
    /// The devices, in the order of the specifier.
    pub devices: Vec<DeviceTotals>,
    /// Number of exchanges of ghost cells.
    pub exchanges: u64,
    /// Bytes that exchanges moved between memories.
    #[serde(rename = "exchanged_bytes")]
    pub exchanged: Bytes,
    /// What the region did besides loops: copies to and from devices, ghost cells, moves of rows, contributions.
    pub operations: Vec<OperationTotals>,
    /// The moves of rows: after how many loops, and the rows of each device from then on.
    #[serde(serialize_with = "moves")]
    pub moves: Vec<(u64, Vec<u64>)>,
    /// Devices that have no part in the region, and why.
    pub left_out: Vec<LeftOut>,
    /// What the devices did over time; empty unless [`DataRegion::timeline`](super::DataRegion::timeline) asked for it.
    pub timeline: Vec<Window>,
    /// Remarks.
    pub notes: Vec<String>,
}

fn moves<S: Serializer>(moves: &[(u64, Vec<u64>)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Moved<'m> {
        after_loops: u64,
        rows: &'m [u64],
    }
    serializer.collect_seq(moves.iter().map(|(after_loops, rows)| Moved { after_loops: *after_loops, rows }))
}

impl Totals {
    /// Adds what a device ran, and of how many iterations the time is known.
    pub fn ran(
        &mut self,
        slot: usize,
        is_loop: bool,
        ran: u64,
        (iterations, kernel): (u64, Seconds),
        exchange: Seconds,
    ) {
        if self.devices.len() <= slot {
            self.devices.resize(slot + 1, DeviceTotals::default());
        }
        let device = &mut self.devices[slot];
        device.loops += u64::from(is_loop);
        device.ran = device.ran.saturating_add(ran);
        device.iterations = device.iterations.saturating_add(iterations);
        device.kernel += kernel;
        device.exchange += exchange;
    }

    /// Adds a time for which a device compiled.
    pub fn compiled(&mut self, device: DeviceId, took: Duration) {
        match self.compiled.iter_mut().find(|(id, _)| *id == device) {
            Some((_, sum)) => *sum += took,
            None => self.compiled.push((device, took)),
        }
    }

    fn report(
        &self,
        set: Option<&DeviceSet<'_>>,
        rows: &[u64],
        left_out: &[LeftOut],
        notes: &[String],
    ) -> RegionReport {
        let members = set.map(|set| set.members.as_slice()).unwrap_or_default();
        let of = |(slot, member): (usize, &&crate::runtime::Member)| {
            let mut device = self.devices.get(slot).cloned().unwrap_or_default();
            device.name.clone_from(&member.model.name);
            device.rows = rows.get(slot).copied().unwrap_or(0);
            let compiled = self.compiled.iter().find(|(id, _)| *id == member.id);
            device.compiled = compiled.map_or(Seconds::ZERO, |(_, took)| (*took).into());
            device
        };
        let mut notes = notes.to_vec();
        notes.extend(self.moves.iter().map(|moved| {
            format!("after {} loops rows moved, in {}: devices have {:?}", moved.after, moved.took, moved.counts)
        }));
        RegionReport {
            loops: 0,
            elapsed: self.begun.map_or(Seconds::ZERO, |begun| begun.elapsed().into()),
            devices: members.iter().enumerate().map(of).collect(),
            exchanges: self.exchanges,
            exchanged: Bytes(self.exchanged),
            operations: self.operations.report(members.len()),
            moves: self.moves.iter().map(|moved| (moved.after, moved.counts.clone())).collect(),
            left_out: left_out.to_vec(),
            timeline: self.timeline.as_ref().map(TimeLine::windows).unwrap_or_default(),
            notes,
        }
    }
}

impl DataRegion<'_, '_> {
    /// What the devices did so far.
    pub(super) fn done(&self) -> RegionReport {
        let report = self.totals.report(self.set.as_ref(), &self.rows_of_devices(), &self.left_out, &self.notes);
        RegionReport { loops: self.loops, ..report }
    }

    /// The rows of each device: of the region, or, if no array follows its rows, of the first array with a division of its own.
    pub(super) fn rows_of_devices(&self) -> SmallVec<[u64; 8]> {
        let Some(set) = &self.set else { return SmallVec::new() };
        let placed = || self.arrays.iter().filter(|array| !array.placed.parts.is_empty());
        let own = placed().find(|array| array.layout.has_own_division());
        if let Some(array) = own.filter(|_| !placed().any(|array| array.placed.over_rows)) {
            let rows = |part: &Part| if part.is_empty() { 0 } else { part.axes()[0].owned().len() };
            return array.placed.parts.iter().map(rows).collect();
        }
        let rows = |slot: usize| set.counts.get(set.topology.place(slot)[0]).copied().unwrap_or(0);
        (0..set.members.len()).map(rows).collect()
    }
}

impl DeviceTotals {
    /// How long it ran kernels in all: iterations whose time is not known count at the pace of the others. Zero if no time is
    /// known.
    pub fn busy(&self) -> Seconds {
        if self.iterations > 0 { self.kernel * (self.ran as f64 / self.iterations as f64) } else { Seconds::ZERO }
    }
}

impl RegionReport {
    /// (slowest device's time - mean time) / mean time, of kernels ([`DeviceTotals::busy`]), over the devices that ran any and
    /// of which times are known.
    pub fn imbalance(&self) -> f64 {
        imbalance(self.devices.iter().filter(|device| device.iterations > 0).map(DeviceTotals::busy))
    }
}

impl fmt::Display for RegionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "region: {} loop{} in {}, {} exchanges of ghost cells ({}), imbalance {:.1} %",
            self.loops,
            if self.loops == 1 { "" } else { "s" },
            self.elapsed,
            self.exchanges,
            self.exchanged,
            self.imbalance() * 100.0
        )?;
        for device in &self.devices {
            writeln!(
                f,
                "  {:<12} {:>8} rows  {:>6} loops  kernel {}  exchange {}",
                device.name, device.rows, device.loops, device.kernel, device.exchange
            )?;
        }
        for operation in &self.operations {
            operation.line(f, self.devices.iter().map(|device| device.name.as_str()))?;
        }
        for left_out in &self.left_out {
            writeln!(f, "  {left_out}")?;
        }
        for device in self.devices.iter().filter(|device| device.compiled > Seconds::ZERO) {
            writeln!(
                f,
                "  note: {} compiled and loaded kernels in {}, before their first loops",
                device.name, device.compiled
            )?;
        }
        for note in &self.notes {
            writeln!(f, "  note: {note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_that_are_timed_in_few_loops_are_compared_by_all_that_they_ran() {
        let mut totals = Totals::default();
        // Equally busy in each of eighty loops; of one device every eighth is timed.
        for number in 0..80 {
            totals.ran(0, true, 10, (10, Seconds(1e-3)), Seconds::ZERO);
            let timed = if number % 8 == 0 { (20, Seconds(1e-3)) } else { (0, Seconds::ZERO) };
            totals.ran(1, true, 20, timed, Seconds::ZERO);
            // An exchange by itself.
            totals.ran(1, false, 0, (0, Seconds::ZERO), Seconds(1e-6));
        }
        let report = RegionReport { devices: totals.devices, ..RegionReport::default() };
        assert_eq!(report.devices.iter().map(|device| device.ran).collect::<Vec<_>>(), [800, 1600]);
        assert!(report.devices.iter().all(|device| (device.busy().0 - 0.08).abs() < 1e-9), "{report}");
        assert!(report.imbalance() < 1e-9, "{report}");
        assert_eq!(DeviceTotals { loops: 3, ran: 30, ..DeviceTotals::default() }.busy(), Seconds::ZERO);
    }
}
