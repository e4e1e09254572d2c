//! What happened in an offload: which device did what, when, and how well balanced.

use crate::devices::{Completed, Span};
use crate::error::{DeviceError, Phase};
use crate::sched::imbalance;
use crate::space::{DeviceId, IterRange};
use crate::times::PhaseTimes;
use crate::units::{Bytes, Seconds};
use serde::Serialize;
use std::fmt;

/// The record of one offload.
///
/// It prints as a table, and is written in any format of serde; units end the keys:
///
/// ```
/// use apportion::prelude::*;
///
/// let rt = Runtime::detect()?;
/// let kernel = Kernel::new("nothing").host(|_: Range<usize>| ());
/// let report = rt.parallel_for(0..1000, kernel.bind()).run()?;
/// let json = serde_json::to_value(&report).unwrap();
/// println!("{json:#}");
/// assert_eq!(json["iterations"], 1000);
/// assert!(json["elapsed_s"].as_f64() > Some(0.0) && json["devices"][0]["phases"]["kernel_s"].is_number());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The kernel's name.
    pub kernel: String,
    /// Iterations of the loop.
    pub iterations: u64,
    /// The policy that ran, with its parameters; for AUTO the one that it chose is in the notes.
    pub policy: String,
    /// From call to return.
    #[serde(rename = "elapsed_s")]
    pub elapsed: Seconds,
    /// The devices that took part, in the order of the specifier.
    pub devices: Vec<DeviceReport>,
    /// Devices that took no part, and why.
    pub left_out: Vec<LeftOut>,
    /// Remarks of the policy: the rule that AUTO followed, a profile that fell back to a model.
    pub notes: Vec<String>,
    /// Devices that failed on the way; their iterations were run by the others.
    pub faults: Vec<DeviceError>,
}

/// A device that took no part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Its name.
    pub device: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "left out: {}: {}", self.device, self.reason)
    }
}

/// What one device did.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct DeviceReport {
    /// Its name in the machine description.
    pub name: String,
    /// Its number there.
    pub id: usize,
    /// Iterations that it ran.
    pub iterations: u64,
    /// Rows that tables gave to its iterations (`rows_at`), such as a sparse matrix's elements; 0 in other loops.
    pub elements: u64,
    /// Chunks that the policy gave it.
    pub chunks: u64,
    /// Bytes copied to it.
    #[serde(rename = "to_bytes")]
    pub bytes_to: Bytes,
    /// Bytes copied from it.
    #[serde(rename = "from_bytes")]
    pub bytes_from: Bytes,
    /// Time by phase, summed over chunks; phases of neighbouring chunks may have overlapped.
    pub phases: PhaseTimes,
    /// Time in which it worked on this loop: everything except waiting for others.
    #[serde(rename = "busy_s")]
    pub busy: Seconds,
    /// The part of [`Phase::Init`] in which it compiled and loaded kernels; zero in later loops that find them ready.
    #[serde(rename = "compiled_s")]
    pub compiled: Seconds,
    /// One entry per piece that went through the device, in order.
    pub pieces: Vec<PieceRecord>,
}

/// One piece (a chunk, or a part of one that was cut for overlap) and its phases in seconds from the start.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PieceRecord {
    /// The iterations.
    pub range: IterRange,
    /// Copy in.
    pub to: Option<Span>,
    /// Run. In a loop without arrays on a CUDA GPU: from the host's launch call until the host has waited for the kernel.
    pub kernel: Option<Span>,
    /// Copy out.
    pub from: Option<Span>,
    /// How many iterations of mean work it is worth, where they differ.
    #[serde(skip)]
    pub(super) places: Option<u64>,
}

impl PieceRecord {
    pub(super) fn new(range: IterRange, places: Option<u64>, done: &Completed) -> Self {
        Self { range, to: done.to, kernel: done.kernel, from: done.from, places }
    }

    /// Its iterations, as those of mean work where they differ.
    pub(super) fn places(&self) -> u64 {
        self.places.unwrap_or(self.range.len())
    }
}

impl DeviceReport {
    /// The device's number.
    pub const fn device_id(&self) -> DeviceId {
        DeviceId(self.id)
    }
}

impl Report {
    /// (slowest device's busy time - mean busy time) / mean busy time, over the devices that ran iterations.
    pub fn imbalance(&self) -> f64 {
        imbalance(self.devices.iter().filter(|device| device.iterations > 0).map(|device| device.busy))
    }

    /// The device of that name.
    pub fn device(&self, name: &str) -> Option<&DeviceReport> {
        self.devices.iter().find(|d| d.name == name)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} iterations under {} in {}, imbalance {:.1} %",
            self.kernel,
            self.iterations,
            self.policy,
            self.elapsed,
            self.imbalance() * 100.0
        )?;
        let elements: u64 = self.devices.iter().map(|device| device.elements).sum();
        for device in &self.devices {
            let share = 100.0 * device.iterations as f64 / self.iterations.max(1) as f64;
            write!(
                f,
                "  {:<12} {share:5.1} %  {:>4} chunk{}  busy {}",
                device.name,
                device.chunks,
                if device.chunks == 1 { " " } else { "s" },
                device.busy,
            )?;
            for phase in Phase::ALL {
                if device.phases[phase] > Seconds::ZERO {
                    write!(f, "  {phase} {}", device.phases[phase])?;
                }
            }
            if elements > 0 {
                write!(f, "  {:.1} % of the elements", 100.0 * device.elements as f64 / elements as f64)?;
            }
            if device.bytes_to.0 + device.bytes_from.0 > 0 {
                write!(f, "  ({} in, {} out)", device.bytes_to, device.bytes_from)?;
            }
            writeln!(f)?;
        }
        for left_out in &self.left_out {
            writeln!(f, "  {left_out}")?;
        }
        for fault in &self.faults {
            writeln!(f, "  failed: {fault}; its iterations were run by the others")?;
        }
        for device in self.devices.iter().filter(|device| device.compiled > Seconds::ZERO) {
            writeln!(
                f,
                "  note: {} compiled and loaded the kernel in {}, which `init` includes; later loops like it find it ready",
                device.name, device.compiled
            )?;
        }
        for note in &self.notes {
            writeln!(f, "  note: {note}")?;
        }
        Ok(())
    }
}
