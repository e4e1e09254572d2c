//! One device in the model's terms: rates and latencies with their units.

use crate::element::Precision;
use crate::model::machine::MemoryKind;
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, Seconds};

/// The figures of one device that the cost model needs. SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceModel {
    /// Name in the machine description.
    pub name: String,
    /// Type as the specifier knows it, such as `NVGPU`.
    pub device_type: String,
    /// Works in host memory, or has its own.
    pub memory: MemoryKind,
    /// Memory of the device; `None` for host memory.
    pub memory_bytes: Option<Bytes>,
    /// Sustained rate for f32, whole device.
    pub f32_rate: FlopsPerSecond,
    /// Sustained rate for f64, whole device.
    pub f64_rate: FlopsPerSecond,
    /// Sustained rate of operations on bytes, whole device, where that is known.
    pub u8_rate: Option<FlopsPerSecond>,
    /// Bandwidth of the device's own memory.
    pub memory_rate: BytesPerSecond,
    /// The same of loops that read alone, where that is known.
    pub read_rate: Option<BytesPerSecond>,
    /// The same of loops that write as much as they read, other elements than they read, where that is known.
    pub copy_rate: Option<BytesPerSecond>,
    /// What a loop takes longer where the device was at rest before.
    pub wake: Seconds,
    /// Cost of starting one chunk.
    pub launch: Seconds,
    /// What a kernel takes beyond that and its work at the full rates: with so much work it runs at half of them.
    pub ramp: Seconds,
    /// The least time from one of many short chunks to the next.
    pub issue: Seconds,
    /// What a loop pays once at its end, to learn that all is done.
    pub sync: Seconds,
    /// Cost of one allocation.
    pub alloc: Seconds,
    /// Further cost of an allocation per byte (a Xeon Phi pays 0.6 s for a GB).
    pub alloc_per_byte: Seconds,
    /// The link to host memory; `None` for shared memory.
    pub link: Option<LinkModel>,
}

/// A link by the alpha-beta (Hockney) model: moving m bytes takes `latency + m / rate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkModel {
    /// Latency, host to device.
    pub to_latency: Seconds,
    /// Bandwidth, host to device, while the other direction is busy too.
    pub to_rate: BytesPerSecond,
    /// Bandwidth, host to device, while the other direction is not busy.
    pub to_alone: BytesPerSecond,
    /// Bandwidth, host to device, of arrays that are not page-locked; absent: the same.
    pub to_plain: Option<BytesPerSecond>,
    /// Latency, device to host.
    pub from_latency: Seconds,
    /// Bandwidth, device to host, while the other direction is busy too.
    pub from_rate: BytesPerSecond,
    /// Bandwidth, device to host, while the other direction is not busy.
    pub from_alone: BytesPerSecond,
    /// Bandwidth, device to host, of arrays that are not page-locked; absent: the same.
    pub from_plain: Option<BytesPerSecond>,
}

impl LinkModel {
    /// A link with one latency and one rate in both directions, whatever is busy besides.
    pub const fn of(latency: Seconds, rate: BytesPerSecond) -> Self {
        Self {
            to_latency: latency,
            to_rate: rate,
            to_alone: rate,
            to_plain: None,
            from_latency: latency,
            from_rate: rate,
            from_alone: rate,
            from_plain: None,
        }
    }
}

/// What a device shares with other devices of its machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// What the host's memory gives to all devices together; `None` where that is not known.
    pub host_rate: Option<BytesPerSecond>,
    /// By how much less than in proportion it is slowed where devices ask for more of it: see
    /// [`DeviceCost::steady`](super::DeviceCost::steady).
    pub steady: f64,
    /// Other capacities, at most [`Draws::MOST`](super::contention::Draws::MOST).
    pub capacities: Vec<Capacity>,
    /// How many other devices pass replicated arrays on to it.
    pub sources: usize,
}

/// What several links have together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Tells capacities of a machine from one another.
    pub number: u32,
    /// Of which copies.
    pub way: Way,
    /// How much.
    pub rate: BytesPerSecond,
}

/// The copies that draw on a capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From host to device.
    To,
    /// From device to host.
    From,
    /// All of them.
    Both,
}

impl DeviceModel {
    /// How much longer a byte takes that is written, and not read, than one that is read, by the latter's time: a cache line is
    /// fetched before it is overwritten, unless the processor sees that all of it will be, and memory turns around between
    /// reads and writes. From `copy_rate`, where a read and a write take `2 + part` times what one byte does at
    /// `memory_rate`.
    pub fn fetched_to_write(&self) -> f64 {
        let copy = self.copy_rate.filter(|rate| rate.0 > 0.0);
        copy.map_or(0.0, |copy| (2.0 * (self.memory_rate.0 / copy.0 - 1.0)).clamp(0.0, 2.0))
    }

    /// The sustained rate of a kind of operations.
    pub fn rate(&self, precision: Precision) -> FlopsPerSecond {
        match precision {
            Precision::F32 => self.f32_rate,
            Precision::F64 => self.f64_rate,
            Precision::U8 => self.u8_rate.unwrap_or(self.f32_rate),
        }
    }
}
