//! One device in the model's terms: rates and latencies with their units.

use crate::element::Precision;
use crate::model::cost::LoopProfile;
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
    /// Bandwidth of the memory that the device works in.
    pub memory_rate: BytesPerSecond,
    /// Bandwidth of that memory for loops that only read, if known.
    pub read_rate: Option<BytesPerSecond>,
    /// Bandwidth of that memory for loops that copy: they write as much as they read, to other elements. If known.
    pub copy_rate: Option<BytesPerSecond>,
    /// Extra time of a loop if the device was idle before it.
    pub wake: Seconds,
    /// The same of a loop on this device alone, if it has memory of its own: no thread is woken.
    pub wake_alone: Seconds,
    /// Extra time, beyond that, of a loop that calls a library.
    pub library_wake: Seconds,
    /// Cost of starting one chunk.
    pub launch: Seconds,
    /// Kernel time beyond the launch and the work at full rates: a kernel with this much work runs at half of the full rates.
    pub ramp: Seconds,
    /// The same of a call of a library, such as a matrix product by cuBLAS.
    pub library_ramp: Seconds,
    /// The least time between the starts of two short chunks.
    pub issue: Seconds,
    /// Paid once at the end of a loop, until the host knows that all work is done.
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
    /// A link with one latency and one rate for both directions, whether or not the other direction is busy.
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
    /// Bandwidth of the host's memory for all devices together; `None` if unknown.
    pub host_rate: Option<BytesPerSecond>,
    /// How far the device resists contention for the host's memory: see [`DeviceCost::steady`](super::DeviceCost::steady).
    pub steady: f64,
    /// Other capacities, at most [`Draws::MOST`](super::contention::Draws::MOST).
    pub capacities: Vec<Capacity>,
    /// How many other devices pass parts of replicated arrays to this device.
    pub sources: usize,
}

/// A bandwidth that several links share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// Identifies the capacity within the machine.
    pub number: u32,
    /// Which copies draw on it.
    pub way: Way,
    /// The bandwidth itself.
    pub rate: BytesPerSecond,
    /// What the same links get together while all copy to the devices, and while all copy from them: by the description, or one
    /// by one; at most `rate`. Equal to it unless [`Way::Both`].
    pub one_way: [BytesPerSecond; 2],
}

/// The copies that draw on a capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From host to device.
    To,
    /// From device to host.
    From,
    /// In either direction.
    Both,
}

impl DeviceModel {
    /// Extra time of a byte that is written without being read, relative to the time of a byte that is read. A cache line is
    /// fetched before it is overwritten, unless the processor sees that all of it will be, and memory takes time to turn from
    /// reads to writes. Derived from `copy_rate`: a read and a write together take `2 + result` times as long as a byte at
    /// `memory_rate`.
    pub fn fetched_to_write(&self) -> f64 {
        let copy = self.copy_rate.filter(|rate| rate.0 > 0.0);
        copy.map_or(0.0, |copy| (2.0 * (self.memory_rate.0 / copy.0 - 1.0)).clamp(0.0, 2.0))
    }

    /// Extra time of such a loop if no loop that calls a library ran for some time before it.
    pub fn wake_of_library(&self, profile: &LoopProfile) -> Seconds {
        if profile.library { self.library_wake } else { Seconds::ZERO }
    }

    /// The sustained rate of operations in this precision.
    pub fn rate(&self, precision: Precision) -> FlopsPerSecond {
        match precision {
            Precision::F32 => self.f32_rate,
            Precision::F64 => self.f64_rate,
            Precision::U8 => self.u8_rate.unwrap_or(self.f32_rate),
        }
    }
}
