//! What a region does besides its loops: copies to and from devices, ghost cells, rows that move, contributions. How often, how
//! many bytes, and how long it took.

use super::exchange::Plan;
use crate::units::{Bytes, Seconds};
use serde::Serialize;
use smallvec::SmallVec;
use std::fmt;
use std::time::{Duration, Instant};

/// What a region does besides its loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// Arrays go to the devices when they are placed, each once.
    To,
    /// [`DataRegion::update_to`](super::DataRegion::update_to).
    UpdateTo,
    /// Ghost cells are brought up to date, each time of one array.
    Ghosts,
    /// Contributions to a whole array are combined, each time of one array of one loop.
    Contributions,
    /// Rows move to other devices.
    Moves,
    /// [`DataRegion::copy`](super::DataRegion::copy).
    Copy,
    /// [`DataRegion::update_from`](super::DataRegion::update_from).
    UpdateFrom,
    /// Arrays come back at the end, each once.
    From,
}

impl Operation {
    const ALL: [Self; 8] = [
        Self::To,
        Self::UpdateTo,
        Self::Ghosts,
        Self::Contributions,
        Self::Moves,
        Self::Copy,
        Self::UpdateFrom,
        Self::From,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::UpdateTo => "update_to",
            Self::Ghosts => "ghosts",
            Self::Contributions => "contributions",
            Self::Moves => "moves",
            Self::Copy => "copy",
            Self::UpdateFrom => "update_from",
            Self::From => "from",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a device copied for one kind of operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeviceCopies {
    /// Bytes copied to its memory from elsewhere. None for devices in the host's memory.
    #[serde(rename = "to_bytes")]
    pub bytes_to: Bytes,
    /// Bytes copied from its memory to elsewhere.
    #[serde(rename = "from_bytes")]
    pub bytes_from: Bytes,
    /// How long its copies took, as far as that is known.
    #[serde(rename = "time_s")]
    pub time: Seconds,
}

/// All operations of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OperationTotals {
    /// Which.
    pub operation: Operation,
    /// How often.
    pub times: u64,
    /// How long they took, as far as that is known: of each step the slowest device's copies, and what the host copied or combined
    /// by itself. The time of ghost cells overlaps kernels.
    #[serde(rename = "time_s")]
    pub time: Seconds,
    /// The devices, in the order of the report.
    pub devices: Vec<DeviceCopies>,
}

/// What one operation, or a step of it, copied, and how long that took.
#[derive(Debug, Default)]
pub(super) struct Step {
    time: Seconds,
    devices: SmallVec<[DeviceCopies; 8]>,
}

/// A device's copies to its memory.
pub(super) fn copied_to(bytes: usize, took: Duration) -> DeviceCopies {
    DeviceCopies { bytes_to: Bytes(bytes as u64), time: took.into(), ..DeviceCopies::default() }
}

/// A device's copies from its memory.
pub(super) fn copied_from(bytes: usize, took: Duration) -> DeviceCopies {
    DeviceCopies { bytes_from: Bytes(bytes as u64), time: took.into(), ..DeviceCopies::default() }
}

/// Copies of which something else counts the bytes.
pub(super) fn copied_in(took: Duration) -> DeviceCopies {
    DeviceCopies { time: took.into(), ..DeviceCopies::default() }
}

impl DeviceCopies {
    fn add(&mut self, more: Self) {
        self.bytes_to += more.bytes_to;
        self.bytes_from += more.bytes_from;
        self.time += more.time;
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn add_all(devices: &mut SmallVec<[DeviceCopies; 8]>, more: &[DeviceCopies]) {
    if devices.len() < more.len() {
        devices.resize(more.len(), DeviceCopies::default());
    }
    devices.iter_mut().zip(more).for_each(|(device, more)| device.add(*more));
}

impl Step {
    /// What devices did at the same time.
    pub fn at_once(devices: impl IntoIterator<Item = DeviceCopies>) -> Self {
        let devices: SmallVec<[DeviceCopies; 8]> = devices.into_iter().collect();
        Self { time: devices.iter().map(|device| device.time).fold(Seconds::ZERO, Seconds::max), devices }
    }

    /// Adds what followed.
    pub fn then(&mut self, next: &Self) {
        self.time += next.time;
        add_all(&mut self.devices, &next.devices);
    }

    /// Adds what one device did after that.
    pub fn then_one(&mut self, slot: usize, copies: DeviceCopies) {
        if self.devices.len() <= slot {
            self.devices.resize(slot + 1, DeviceCopies::default());
        }
        self.time += copies.time;
        self.devices[slot].add(copies);
    }

    /// Adds what a device did beside others.
    pub fn beside(&mut self, slot: usize, took: Seconds) {
        if self.devices.len() <= slot {
            self.devices.resize(slot + 1, DeviceCopies::default());
        }
        self.time = self.time.max(took);
        self.devices[slot].time += took;
    }

    /// Adds what the host did since.
    pub fn host_since(&mut self, began: Instant) {
        self.time += began.elapsed().into();
    }

    /// Adds the bytes that devices copy by a plan.
    pub fn bytes_of(&mut self, plan: &Plan) {
        add_all(&mut self.devices, &plan.traffic);
    }

    fn is_empty(&self) -> bool {
        self.time == Seconds::ZERO && self.devices.iter().all(DeviceCopies::is_empty)
    }
}

/// Sums of a region's operations.
#[derive(Debug, Default)]
pub(super) struct Operations([Sum; Operation::ALL.len()]);

#[derive(Debug, Default)]
struct Sum {
    times: u64,
    step: Step,
}

impl Operations {
    /// Adds one operation; none where nothing was copied, as in the host's memory.
    pub fn did(&mut self, operation: Operation, step: &Step) {
        if !step.is_empty() {
            self.0[operation as usize].times += 1;
            self.took(operation, step);
        }
    }

    /// Adds an exchange, or a copy, of an array by a plan: how often, and the bytes.
    pub fn planned(&mut self, operation: Operation, plan: &Plan) {
        let sum = &mut self.0[operation as usize];
        sum.times += u64::from(plan.copies());
        sum.step.bytes_of(plan);
    }

    /// Counts an operation whose steps were added before.
    pub fn counted(&mut self, operation: Operation) {
        self.0[operation as usize].times += 1;
    }

    /// Adds a step of an operation that is counted elsewhere.
    pub fn took(&mut self, operation: Operation, step: &Step) {
        self.0[operation as usize].step.then(step);
    }

    /// Those that there were; of so many devices.
    pub fn report(&self, devices: usize) -> Vec<OperationTotals> {
        let of = |(operation, sum): (Operation, &Sum)| {
            let mut copies = sum.step.devices.to_vec();
            copies.resize(devices.max(copies.len()), DeviceCopies::default());
            OperationTotals { operation, times: sum.times, time: sum.step.time, devices: copies }
        };
        Operation::ALL.into_iter().zip(&self.0).filter(|(_, sum)| sum.times > 0).map(of).collect()
    }
}

impl OperationTotals {
    /// Its line of a report, with these devices.
    pub(super) fn line<'n>(&self, f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = &'n str>) -> fmt::Result {
        let times = if self.times == 1 { "time " } else { "times" };
        write!(f, "  {:<14} {:>6} {times}  in {}", self.operation, self.times, self.time)?;
        for (name, device) in names.zip(&self.devices).filter(|(_, device)| !device.is_empty()) {
            write!(f, "  {name} {} ({} in, {} out)", device.time, device.bytes_to, device.bytes_from)?;
        }
        writeln!(f)
    }
}
