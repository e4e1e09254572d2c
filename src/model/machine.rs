//! The machine description: a JSON file that says which devices a machine has, how to find them and how fast they are.
//!
//! Every figure is an object with its value and where it came from; the unit ends the key (`latency_us`,
//! `bandwidth_gb_per_s`; GB is 1e9 bytes, GiB is 2^30). No rate has a default: a description that leaves one out is
//! rejected, and so is one that contradicts itself. Errors name the file, the path of the key, and what would be right.

mod cpu_list;
mod sharing;
mod validate;
#[doc(hidden)]
pub mod words;

pub use cpu_list::CpuList;
pub use sharing::SharedRates;

use crate::error::{Error, MachineFileError, Phase, Result};
use crate::model::device::{DeviceModel, LinkModel};
use crate::space::DeviceId;
use crate::units::{Bytes, BytesPerSecond, FlopsPerSecond, Seconds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// The version of the description that this program reads and writes.
pub const SCHEMA: &str = "apportion.machine/1";

/// A machine: its devices, what they share, and how they reach each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object: the machine description")]
pub struct Machine {
    /// The version of this format: `apportion.machine/1`.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: String,
    /// What the machine is called.
    pub name: String,
    /// When the description was made, as RFC 3339: `2026-01-31T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Anything that a reader should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Capacity of the host's own memory, on which the CPU's work and all links draw, in GB/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_memory_gb_per_s: Option<Figure>,
    /// The devices; the id of each is its position.
    #[schemars(length(min = 1))]
    pub devices: Vec<DeviceEntry>,
    /// Links and memories whose capacity several devices share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// Which devices reach each other without going through host memory. A pair that is not listed does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<Peer>,
}

/// A number and where it came from. The unit is in the key that holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"a figure such as {"value": 8.2, "source": "measured"}"#)]
pub struct Figure {
    /// The number, in the unit that ends the key.
    pub value: f64,
    /// Where it came from.
    pub source: Source,
    /// By whom, with what, from which page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Where a figure came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It was measured on this machine.
    Measured,
    /// It is in the vendor's data sheet.
    Vendor,
    /// It is an assumption.
    Assumed,
}

/// Where a device's data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// The device works in host memory: nothing is copied.
    Shared,
    /// The device has its own memory: sections are copied over a link.
    Discrete,
}

/// Which backend runs a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// The CPU's cores.
    Host,
    /// A device of an OpenCL platform.
    Opencl,
    /// A CUDA GPU.
    Cuda,
    /// An emulated device: real results, times by the figures here.
    Emulated,
}

impl DeviceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Host, Self::Opencl, Self::Cuda, Self::Emulated];

    /// The name in files and device specifiers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Opencl => "opencl",
            Self::Cuda => "cuda",
            Self::Emulated => "emulated",
        }
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a device is, as HOMP's device specifier names it (`HOMP_DEVICE_NVGPU` and so on).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum DeviceType {
    /// The CPU's cores.
    HostCpu,
    /// A GPU by NVIDIA.
    NvGpu,
    /// A GPU by AMD.
    AmdGpu,
    /// A GPU by Intel.
    ItlGpu,
    /// A Xeon Phi.
    ItlMic,
    /// A CPU through OpenCL.
    OclCpu,
    /// Another GPU through OpenCL.
    OclGpu,
    /// A thread that pretends to be a device.
    ThSim,
}

impl DeviceType {
    /// All types.
    pub const ALL: [Self; 8] =
        [Self::HostCpu, Self::NvGpu, Self::AmdGpu, Self::ItlGpu, Self::ItlMic, Self::OclCpu, Self::OclGpu, Self::ThSim];

    /// The name in files and device specifiers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostCpu => "HOSTCPU",
            Self::NvGpu => "NVGPU",
            Self::AmdGpu => "AMDGPU",
            Self::ItlGpu => "ITLGPU",
            Self::ItlMic => "ITLMIC",
            Self::OclCpu => "OCLCPU",
            Self::OclGpu => "OCLGPU",
            Self::ThSim => "THSIM",
        }
    }
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object: a device")]
pub struct DeviceEntry {
    /// Its position in the list, which is the number that the device specifier takes.
    pub id: usize,
    /// What reports call it; unique.
    pub name: String,
    /// Which backend runs it.
    pub kind: DeviceKind,
    /// What it is.
    #[serde(rename = "type")]
    pub device_type: DeviceType,
    /// Whether the runtime opens it.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Why it is not enabled; for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_disabled: Option<String>,
    /// Whether it works in host memory or has its own.
    pub memory: MemoryKind,
    /// Size of its own memory in GiB; only and always with discrete memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_gib: Option<Figure>,
    /// Sustained rate of the whole device for f32, in GFLOP/s.
    pub f32_gflop_per_s: Figure,
    /// Sustained rate of the whole device for f64, in GFLOP/s.
    pub f64_gflop_per_s: Figure,
    /// Sustained rate of the whole device for operations on bytes, in 10^9 a second; absent: as for f32.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u8_gop_per_s: Option<Figure>,
    /// Sustained bandwidth between the device's cores and the memory that it works in, in GB/s.
    pub memory_gb_per_s: Figure,
    /// Bandwidth of that memory for loops that only read, in GB/s; absent: the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_gb_per_s: Option<Figure>,
    /// Bandwidth of that memory for loops that copy (they write as much as they read, to other elements), in GB/s, reads and
    /// writes counted; absent: the same. Less where a cache line is fetched before it is overwritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_gb_per_s: Option<Figure>,
    /// What the device's cores or link move from and to the host's memory while all devices use it, in GB/s; absent: all devices
    /// are slowed in proportion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crowded_gb_per_s: Option<Figure>,
    /// Time to start one chunk, in microseconds.
    pub launch_us: Figure,
    /// Extra time of a loop if no loop ran for some time before it, in microseconds; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake_us: Option<Figure>,
    /// The same of a loop on this device alone, in microseconds: no thread is woken for a device with its own memory, but its code
    /// and data are out of the caches. Absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake_alone_us: Option<Figure>,
    /// Extra time, beyond that, of a loop that calls a library, such as a matrix product by cuBLAS, if none ran for some time
    /// before it, in microseconds; absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_wake_us: Option<Figure>,
    /// Extra time of a kernel beyond its launch and its work at full rate, in microseconds: a kernel with this much work runs at
    /// half of the full rate. Absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_rate_us: Option<Figure>,
    /// The same of a call of a library, such as a matrix product by cuBLAS, in microseconds. Absent: as `half_rate_us`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_half_rate_us: Option<Figure>,
    /// The least time between the starts of two short chunks, in microseconds: the host enqueues them one by one. Absent: a
    /// chunk's stages alone count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue_us: Option<Figure>,
    /// Paid once at the end of a loop, from the end of its last copy or kernel to its return, in microseconds; in host memory,
    /// the time of a loop beyond its chunks. Absent: nothing is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_us: Option<Figure>,
    /// Paid once per loop for each array (allocation and other start-up costs), in microseconds; absent: nothing is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alloc_us: Option<Figure>,
    /// Further time of an allocation by its size, in seconds per GB; absent: none is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alloc_s_per_gb: Option<Figure>,
    /// The link to host memory; only and always with discrete memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// Which cores a device of kind `host` takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostSection>,
    /// How to find a device of kind `opencl`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opencl: Option<OpenclSection>,
    /// How to find a device of kind `cuda`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuda: Option<CudaSection>,
    /// How a device of kind `emulated` behaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulated: Option<EmulatedSection>,
}

const fn yes() -> bool {
    true
}

/// A link between a device's memory and host memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object with "to" and "from""#)]
pub struct Link {
    /// Host to device.
    pub to: Direction,
    /// Device to host.
    pub from: Direction,
}

/// One direction of a link, by the alpha-beta (Hockney) model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object with "latency_us" and "bandwidth_gb_per_s""#)]
pub struct Direction {
    /// Time of a copy of nothing, in microseconds.
    pub latency_us: Figure,
    /// Bandwidth of large copies while the other direction is busy too, in GB/s.
    pub bandwidth_gb_per_s: Figure,
    /// Bandwidth of large copies while the other direction is not busy, in GB/s; absent: the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone_gb_per_s: Option<Figure>,
    /// Bandwidth of large copies of arrays that are not page-locked, in GB/s; absent: the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain_gb_per_s: Option<Figure>,
}

impl Direction {
    /// Latency and bandwidth, the same whatever memory is copied and whatever else is busy.
    pub const fn new(latency_us: Figure, bandwidth_gb_per_s: Figure) -> Self {
        Self { latency_us, bandwidth_gb_per_s, alone_gb_per_s: None, plain_gb_per_s: None }
    }
}

/// The cores of a device of kind `host`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object such as {"cpus": "0-7"}"#)]
pub struct HostSection {
    /// The CPUs that it runs on, as Linux lists them: `0-7,9`. Absent: all that the process may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub cpus: Option<CpuList>,
    /// Cores that it leaves to the proxies of other devices. Absent: the runtime decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave_free: Option<usize>,
    /// Number of threads, each bound to another CPU, where fewer than one for each CPU do better: a virtual machine may have more
    /// CPUs than run at once. Absent: one for each CPU that is not left free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figure>,
}

/// How to find an OpenCL device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object such as {"platform": "Portable", "index": 0}"#)]
pub struct OpenclSection {
    /// A part of the platform's name. Absent: any platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// A part of the device's name. Absent: any device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Which one among those that match, from 0. Absent: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Run on a sub-device with this many compute units. Absent: on the whole device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute_units: Option<u32>,
    /// How many compute units before the sub-device belong to others. Absent: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_compute_units: Option<u32>,
}

/// How to find a CUDA device: by `index` or by `uuid`, not both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object such as {"index": 0}"#)]
pub struct CudaSection {
    /// The driver's ordinal of the GPU, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Its UUID as `nvidia-smi -L` prints it: `GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// Threads that copy arrays that are not page-locked, from 1 to 1024. Absent: a part of the cores, by the number of GPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1024))]
    pub copy_threads: Option<usize>,
    /// Fail on purpose, to see that a program copes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// How an emulated device behaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object such as {"time_scale": 10}"#)]
pub struct EmulatedSection {
    /// Every modelled time is multiplied by this, at least 1. Absent: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0))]
    pub time_scale: Option<f64>,
    /// Fail on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// A failure on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = r#"an object such as {"phase": "kernel", "chunk": 2}"#)]
pub struct Fault {
    /// The phase that fails.
    pub phase: FaultPhase,
    /// The device's own chunk, counted from 0, at which it fails (of kind `cuda`: the piece of a chunk, counted anew in each
    /// loop). Absent: the first. `init` comes before any chunk.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chunk: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The phases in which a device can be told to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FaultPhase {
    /// While it prepares.
    Init,
    /// While a chunk is copied to it.
    To,
    /// While a chunk runs.
    Kernel,
    /// While a chunk is copied back.
    From,
}

impl From<FaultPhase> for Phase {
    fn from(phase: FaultPhase) -> Self {
        match phase {
            FaultPhase::Init => Self::Init,
            FaultPhase::To => Self::To,
            FaultPhase::Kernel => Self::Kernel,
            FaultPhase::From => Self::From,
        }
    }
}

/// A capacity that several devices share: a board, a PCIe switch, a socket's port, the host's memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object: a group of devices that share a capacity")]
pub struct Group {
    /// What it is called; unique.
    pub name: String,
    /// The devices that share it, by id.
    #[schemars(length(min = 1))]
    pub devices: Vec<usize>,
    /// What they get together from host to devices, in GB/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_gb_per_s: Option<Figure>,
    /// What they get together from devices to host, in GB/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_gb_per_s: Option<Figure>,
    /// What they get together in both directions at once, in GB/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub both_gb_per_s: Option<Figure>,
}

/// How one device reaches another. Each direction is described by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object: how one device reaches another")]
pub struct Peer {
    /// The device that holds the data, by id.
    pub from: usize,
    /// The device that gets it, by id.
    pub to: usize,
    /// How the data gets there.
    pub access: PeerAccess,
    /// Time of a copy of nothing, in microseconds; needed unless `access` is `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_us: Option<Figure>,
    /// Bandwidth of a large copy, in GB/s; needed unless `access` is `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_gb_per_s: Option<Figure>,
}

/// How one device reaches another's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PeerAccess {
    /// Kernels can read it, and copies go without the host.
    Direct,
    /// Copies only.
    Copy,
    /// Through host memory.
    None,
}

impl Figure {
    /// A measured figure.
    pub const fn measured(value: f64) -> Self {
        Self { value, source: Source::Measured, note: None }
    }

    /// A vendor's figure.
    pub const fn vendor(value: f64) -> Self {
        Self { value, source: Source::Vendor, note: None }
    }

    /// An assumed figure.
    pub const fn assumed(value: f64) -> Self {
        Self { value, source: Source::Assumed, note: None }
    }

    /// This figure with a note.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }
}

impl Machine {
    /// Reads and checks a description.
    ///
    /// # Errors
    /// [`Error::Machine`] with the file, the path of the wrong key and what would be right.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let read = || {
            let bytes = files::read_whole(path)
                .map_err(|error| problem(".", format!("cannot be read: {error}; give the path of a JSON file")))?;
            let text = String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                problem(".", format!("is not text: byte {at} is not UTF-8; a description is a JSON file"))
            })?;
            parse(&text)
        };
        read().map_err(|error| MachineFileError { file: Some(path.to_path_buf()), ..error }.into())
    }

    /// Reads and checks a description from text.
    ///
    /// # Errors
    /// [`Error::Machine`] with the path of the wrong key and what would be right.
    pub fn from_json(text: &str) -> Result<Self> {
        Ok(parse(text)?)
    }

    /// The description as text, one key a line, with a newline at its end.
    ///
    /// # Errors
    /// [`Error::Machine`] when the description would be rejected on reading, as [`Machine::validate`] says.
    pub fn to_json(&self) -> Result<String> {
        self.validate()?;
        let mut text = serde_json::to_string_pretty(self).map_err(|error| problem(".", error.to_string()))?;
        text.push('\n');
        Ok(text)
    }

    /// Writes the description to a temporary file beside `path` and renames it: the file is never partly written. A link is
    /// followed, and what is no regular file is not replaced.
    ///
    /// # Errors
    /// [`Error::Machine`] as [`Machine::to_json`]; [`Error::Call`] with the path and the system's message when it cannot
    /// be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let text = self.to_json()?;
        files::write_whole(path, text.as_bytes())
            .map_err(|error| Error::call(format!("cannot write the machine description {}: {error}", path.display())))
    }

    /// Checks everything that the types do not say: ranges, references, contradictions. The first mistake is returned.
    ///
    /// # Errors
    /// The path of the wrong key, and what would be right.
    pub fn validate(&self) -> Result<(), MachineFileError> {
        validate::machine(self)
    }

    /// The JSON schema of descriptions, with a newline at its end. It covers the shape; [`Machine::validate`] checks more.
    pub fn json_schema() -> String {
        let mut text = format!("{:#}", schemars::schema_for!(Self).to_value());
        text.push('\n');
        text
    }

    /// The devices that the runtime opens, in order of their ids.
    pub fn enabled_devices(&self) -> impl Iterator<Item = &DeviceEntry> {
        self.devices.iter().filter(|device| device.enabled)
    }
}

impl DeviceEntry {
    /// The number that the device specifier takes.
    pub const fn device_id(&self) -> DeviceId {
        DeviceId(self.id)
    }

    /// The figures as the model takes them, in SI units. Absent costs (`alloc_us` and others) are zero.
    pub fn model(&self) -> DeviceModel {
        let value = |figure: &Option<Figure>| figure.as_ref().map_or(0.0, |figure| figure.value);
        let rate = |figure: &Figure| BytesPerSecond::from_gb_per_s(figure.value);
        DeviceModel {
            name: self.name.clone(),
            device_type: self.device_type.name().to_owned(),
            memory: self.memory,
            memory_bytes: self.memory_gib.as_ref().map(|gib| Bytes((gib.value * f64::from(1 << 30)) as u64)),
            f32_rate: FlopsPerSecond::from_gflop_per_s(self.f32_gflop_per_s.value),
            f64_rate: FlopsPerSecond::from_gflop_per_s(self.f64_gflop_per_s.value),
            u8_rate: self.u8_gop_per_s.as_ref().map(|figure| FlopsPerSecond::from_gflop_per_s(figure.value)),
            memory_rate: BytesPerSecond::from_gb_per_s(self.memory_gb_per_s.value),
            read_rate: self.read_gb_per_s.as_ref().map(rate),
            copy_rate: self.copy_gb_per_s.as_ref().map(rate),
            wake: Seconds::from_micros(value(&self.wake_us)),
            wake_alone: Seconds::from_micros(value(&self.wake_alone_us)),
            library_wake: Seconds::from_micros(value(&self.library_wake_us)),
            launch: Seconds::from_micros(self.launch_us.value),
            ramp: Seconds::from_micros(value(&self.half_rate_us)),
            library_ramp: Seconds::from_micros(match &self.library_half_rate_us {
                Some(figure) => figure.value,
                None => value(&self.half_rate_us),
            }),
            issue: Seconds::from_micros(value(&self.issue_us)),
            sync: Seconds::from_micros(value(&self.sync_us)),
            alloc: Seconds::from_micros(value(&self.alloc_us)),
            alloc_per_byte: Seconds(value(&self.alloc_s_per_gb) * 1e-9),
            link: self.link.as_ref().map(Link::model),
        }
    }
}

impl Link {
    /// The figures as the model takes them, in SI units.
    pub fn model(&self) -> LinkModel {
        let rate = |figure: &Figure| BytesPerSecond::from_gb_per_s(figure.value);
        let alone = |way: &Direction| rate(way.alone_gb_per_s.as_ref().unwrap_or(&way.bandwidth_gb_per_s));
        LinkModel {
            to_latency: Seconds::from_micros(self.to.latency_us.value),
            to_rate: rate(&self.to.bandwidth_gb_per_s),
            to_alone: alone(&self.to),
            to_plain: self.to.plain_gb_per_s.as_ref().map(rate),
            from_latency: Seconds::from_micros(self.from.latency_us.value),
            from_rate: rate(&self.from.bandwidth_gb_per_s),
            from_alone: alone(&self.from),
            from_plain: self.from.plain_gb_per_s.as_ref().map(rate),
        }
    }
}

fn problem(key: impl Into<String>, problem: impl Into<String>) -> MachineFileError {
    MachineFileError { file: None, key: key.into(), problem: problem.into() }
}

fn parse(text: &str) -> Result<Machine, MachineFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(problem(".", "is empty; a description starts with {\"schema\": \"apportion.machine/1\", ..}"));
    }
    // Parse as plain JSON first, so that another version is reported as such, not as a list of unknown keys.
    let document: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        let what = if error.is_eof() { "is truncated" } else { "is not JSON" };
        problem(".", format!("{what}: {error}"))
    })?;
    match document.get("schema").map(|schema| (schema, schema.as_str())) {
        _ if !document.is_object() => {
            return Err(problem(".", "is not a JSON object; a description is {\"schema\": .., \"devices\": [..]}"));
        }
        Some((_, Some(SCHEMA))) => {}
        Some((found, text)) => {
            let found = text.map_or_else(|| found.to_string(), str::to_owned);
            return Err(problem("schema", format!("this file says {found}, this program reads {SCHEMA}")));
        }
        None => return Err(problem("schema", format!("is missing; this program reads \"{SCHEMA}\""))),
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let machine: Machine = serde_path_to_error::deserialize(&mut reader).map_err(|error| located(&error))?;
    machine.validate()?;
    Ok(machine)
}

/// A type error with the path of its key, to which a missing key is added.
fn located(error: &serde_path_to_error::Error<serde_json::Error>) -> MachineFileError {
    let path = error.path().to_string();
    let message = error.inner().to_string();
    let quoted = |prefix: &str| message.strip_prefix(prefix).and_then(|rest| rest.split('`').next());
    let join = |key: &str| if path == "." { key.to_owned() } else { format!("{path}.{key}") };
    if let Some(key) = quoted("missing field `") {
        let place = message.rsplit_once(" at ").map_or("", |(_, place)| place);
        let needed = validate::hint(key);
        return problem(join(key), format!("is missing ({place}); {needed}"));
    }
    problem(path, words::plainly(&message))
}

/// Files that are read whole, within a limit, and replaced whole or not at all.
#[doc(hidden)]
pub mod files {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File, FileType, OpenOptions};
    use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// No file that the program reads is larger, in MiB.
    pub const LARGEST_MIB: u64 = 256;
    const PIPE: &str = "a pipe";
    /// The system follows no more links either.
    const MOST_LINKS: usize = 40;

    /// What is at `path` if it is no regular file, such as `a device`. `None` also if nothing is there.
    pub fn oddity(path: &Path) -> Option<&'static str> {
        fs::metadata(path).ok().and_then(|there| odd(there.file_type()))
    }

    fn odd(there: FileType) -> Option<&'static str> {
        if there.is_file() {
            return None;
        }
        if there.is_dir() {
            return Some("a folder");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;
            if there.is_fifo() {
                return Some(PIPE);
            }
            if there.is_socket() {
                return Some("a socket");
            }
        }
        Some("a device")
    }

    /// Whether the path names what this process has open, as `/dev/stdin` and a shell's `<(..)` do. Opening another pipe waits
    /// until somebody writes.
    fn is_open(path: &Path) -> bool {
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
    }

    fn no_file(what: &str) -> Error {
        Error::new(ErrorKind::InvalidInput, format!("it is {what}, not a file"))
    }

    /// Reads a file, or a pipe that is open already, to its end, without the byte order mark with which some editors begin a text.
    ///
    /// # Errors
    /// The system's; of another pipe or a device; [`ErrorKind::FileTooLarge`] beyond [`LARGEST_MIB`].
    pub fn read_whole(path: &Path) -> Result<Vec<u8>> {
        let there = fs::metadata(path)?.file_type();
        // What is wrong with a folder, the system says.
        if let Some(what) = odd(there).filter(|what| !(there.is_dir() || *what == PIPE && is_open(path))) {
            return Err(no_file(what));
        }
        let largest = LARGEST_MIB << 20;
        let mut bytes = Vec::new();
        File::open(path)?.take(largest + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > largest {
            let problem = format!("it is larger than {LARGEST_MIB} MiB, and no such file is");
            return Err(Error::new(ErrorKind::FileTooLarge, problem));
        }
        if bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..'\u{feff}'.len_utf8());
        }
        Ok(bytes)
    }

    /// The place to which symbolic links lead from `path`; nothing need be there.
    ///
    /// # Errors
    /// If the links lead in a circle.
    pub fn resolved(path: &Path) -> Result<PathBuf> {
        let mut place = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            if !fs::symlink_metadata(&place).is_ok_and(|there| there.file_type().is_symlink()) {
                return Ok(place);
            }
            let target = fs::read_link(&place)?;
            place = match place.parent() {
                Some(folder) => folder.join(target),
                None => target,
            };
        }
        Err(Error::other("its symbolic links lead in a circle"))
    }

    /// Writes a temporary file beside the file to which `path` leads, and renames it: the file is never partly written, even with
    /// concurrent writers. One that is replaced keeps its permissions.
    ///
    /// # Errors
    /// The system's; if something else than a file is there.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
        if let Some(what) = oddity(path) {
            return Err(no_file(what));
        }
        if bytes.len() as u64 > LARGEST_MIB << 20 {
            // It could not be read again.
            let problem = format!("it would be larger than {LARGEST_MIB} MiB");
            return Err(Error::new(ErrorKind::FileTooLarge, problem));
        }
        let place = resolved(path)?;
        // A link may lead to a folder that is yet to be made, as a path may.
        if let Some(folder) = place.parent().filter(|folder| place != path && !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let name = place.file_name().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
        let before = fs::metadata(&place).ok().map(|there| there.permissions());
        let (beside, mut file) = new_beside(&place, name)?;
        let written = (|| {
            if let Some(before) = before {
                // Some file systems have no permissions that could be kept.
                let _ = file.set_permissions(before);
            }
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&beside, &place)
        })();
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// Whether [`write_whole`] could write to `path`, after folders that are missing were made: tried by a temporary file in the
    /// nearest folder that is there, as permissions do not show read-only file systems.
    ///
    /// # Errors
    /// As [`write_whole`].
    pub fn check_place(path: &Path) -> Result<()> {
        if let Some(what) = oddity(path) {
            return Err(no_file(what));
        }
        let place = resolved(path)?;
        let name = place.file_name().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
        let mut there = place.parent();
        while let Some(folder) = there.filter(|folder| !folder.as_os_str().is_empty()) {
            if folder.symlink_metadata().is_ok() {
                break;
            }
            there = folder.parent();
        }
        let (beside, _) = new_beside(&there.unwrap_or(Path::new("")).join(name), name)?;
        fs::remove_file(beside)
    }

    /// A new file in the same folder.
    fn new_beside(place: &Path, name: &OsStr) -> Result<(PathBuf, File)> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
            let mut beside_name = OsString::from(".");
            beside_name.push(name);
            beside_name.push(format!(".{}.{number}.tmp", std::process::id()));
            let beside = place.with_file_name(beside_name);
            match OpenOptions::new().write(true).create_new(true).open(&beside) {
                Ok(file) => return Ok((beside, file)),
                // An earlier process of this number was killed while it wrote.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}
