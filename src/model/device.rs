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
    /// Bandwidth of the device's own memory.
    pub memory_rate: BytesPerSecond,
    /// Cost of starting one chunk.
    pub launch: Seconds,
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
    /// Bandwidth, host to device.
    pub to_rate: BytesPerSecond,
    /// Latency, device to host.
    pub from_latency: Seconds,
    /// Bandwidth, device to host.
    pub from_rate: BytesPerSecond,
}

impl DeviceModel {
    /// The sustained rate for a precision.
    pub fn rate(&self, precision: Precision) -> FlopsPerSecond {
        match precision {
            Precision::F32 => self.f32_rate,
            Precision::F64 => self.f64_rate,
        }
    }
}
