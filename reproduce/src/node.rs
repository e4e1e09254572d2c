//! The node of the paper: the machine description, and figures that only the authors' runtime had.

use crate::InputError;
use crate::kernels::Kernel;
use apportion::model::Machine;
use apportion::model::machine::{DeviceEntry, DeviceType, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The schema of [`Runtime`].
pub const SCHEMA: &str = "apportion.homp-runtime/1";

/// The built-in description.
const MACHINE: &str = include_str!("../../machines/fornax-homp.json");
const MACHINE_FILE: &str = "machines/fornax-homp.json";
/// The built-in figures.
const RUNTIME: &str = include_str!("../data/runtime.json");
const RUNTIME_FILE: &str = "reproduce/data/runtime.json";

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Both processors as one device in host memory.
    #[serde(rename = "HOSTCPU")]
    Host,
    /// One of the two GPUs of a K80 board.
    #[serde(rename = "NVGPU")]
    Gpu,
    /// A Xeon Phi.
    #[serde(rename = "ITLMIC")]
    Phi,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Host, Self::Gpu, Self::Phi];

    /// The name in result files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "HOSTCPU",
            Self::Gpu => "NVGPU",
            Self::Phi => "ITLMIC",
        }
    }

    /// The device type of machine descriptions.
    pub const fn device_type(self) -> DeviceType {
        match self {
            Self::Host => DeviceType::HostCpu,
            Self::Gpu => DeviceType::NvGpu,
            Self::Phi => DeviceType::ItlMic,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Costs of the runtime and of the kernels' code on each kind of device, fitted to rows of one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// [`SCHEMA`].
    pub schema: String,
    /// Where the figures are from.
    pub note: String,
    /// By kind of device.
    pub kinds: BTreeMap<Kind, KindFigures>,
}

/// The figures of a kind of device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindFigures {
    /// Time of each chunk, or sweep, outside of all phases.
    pub outside_ms: f64,
    /// Additional time of a launch that ends with partial sums.
    pub reduction_ms: f64,
    /// Allocating and freeing arrays.
    pub allocation: Allocation,
    /// Computing time of a launch by its iterations, for each kernel.
    pub kernels: BTreeMap<String, Curve>,
}

/// Time to allocate and free an array for a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allocation {
    /// For each array.
    pub array_ms: f64,
    /// For bytes beyond the largest size that this array had in the offload.
    pub fresh_ms_per_gb: f64,
    /// For its other bytes.
    pub again_ms_per_gb: f64,
    /// Arrays up to this size come from memory that the driver has at hand; 0 if there are none.
    pub small_array_kib: f64,
    /// For each such array.
    pub small_array_ms: f64,
}

/// Time of a launch over its number of iterations, without the launch overhead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Size of the loop at which it was measured.
    pub size: u64,
    /// Measured points by rising iterations; between them time is a power of the iterations.
    pub points: Vec<Point>,
    /// The cache, if each iteration walks along a line of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<Cache>,
}

/// A point of a [`Curve`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Iterations of a launch.
    pub iterations: u64,
    /// Time of the launch.
    pub ms: f64,
}

/// A cache that the threads of a launch share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Number of lines.
    pub lines: f64,
    /// Lines that an iteration in flight walks through, one after another.
    pub lines_per_iteration: f64,
    /// Most iterations in flight.
    pub in_flight: f64,
}

impl Cache {
    /// The part of accesses to lines in use that miss, with `iterations` in a launch.
    ///
    /// Threads cycle over `w` lines in a cache of `L` that replaces at random. A line stays for a cycle with probability
    /// `exp(-u w/L)`, where `u` is the part that misses, so `u = 1 - exp(-u w/L)`; for `w <= L` that is 0.
    pub fn misses(&self, iterations: f64) -> f64 {
        let load = iterations.min(self.in_flight) * self.lines_per_iteration / self.lines;
        if load <= 1.0 {
            return 0.0;
        }
        // Converges from above to the larger root: the steps shrink by load * exp(-u load) < 1.
        let mut missing = 1.0;
        for _ in 0..1000 {
            missing = 1.0 - f64::exp(-missing * load);
        }
        missing
    }
}

impl Curve {
    /// Milliseconds of a launch of `iterations` in a loop of the size at which it was measured.
    pub fn ms(&self, iterations: u64) -> f64 {
        let m = iterations as f64;
        let Some(last) = self.points.last() else { return 0.0 };
        if iterations == 0 {
            return 0.0;
        }
        if iterations >= last.iterations {
            return last.ms * m / last.iterations as f64;
        }
        if let Some(ms) = self.cached_ms(m) {
            return ms;
        }
        let after = self.points.iter().position(|point| point.iterations > iterations).unwrap_or(1).max(1);
        let [low, high] = [after - 1, after].map(|i| self.points.get(i).copied().unwrap_or(*last));
        if low.iterations >= high.iterations {
            return low.ms * m / low.iterations as f64;
        }
        // Below the first point, with the power of the first interval, but fewer iterations take no longer and at most
        // proportionally less.
        let power = (high.ms / low.ms).ln() / (high.iterations as f64 / low.iterations as f64).ln();
        let power = if iterations < low.iterations { power.clamp(0.0, 1.0) } else { power };
        low.ms * (m / low.iterations as f64).powf(power)
    }

    /// Between the largest point that the cache holds and the last one, by the part of accesses that miss.
    fn cached_ms(&self, m: f64) -> Option<f64> {
        let cache = self.cache.as_ref()?;
        let held = self.points.iter().rfind(|point| cache.misses(point.iterations as f64) <= 0.0)?;
        let last = self.points.last().filter(|last| last.iterations > held.iterations)?;
        if m <= held.iterations as f64 {
            return None;
        }
        let each = |point: &Point| point.ms / point.iterations as f64;
        let missing = cache.misses(m) / cache.misses(last.iterations as f64);
        Some(m * (each(held) + (each(last) - each(held)) * missing))
    }
}

/// A link, in bytes a second and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Latency of each array into the device.
    pub to_latency: f64,
    /// Rate into the device.
    pub to_rate: f64,
    /// Latency of each array out of the device.
    pub from_latency: f64,
    /// Rate out of the device.
    pub from_rate: f64,
}

/// A device of the node.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Position in the machine description.
    pub id: usize,
    /// Its name in the description.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its number within its kind, from 0.
    pub number: usize,
    /// Time to launch a kernel, s.
    pub launch: f64,
    /// `None` in host memory.
    pub link: Option<Link>,
}

/// A capacity that devices share, bytes a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// Positions in the machine description.
    pub devices: Vec<usize>,
    /// Into the devices.
    pub to: Option<f64>,
    /// Out of the devices.
    pub from: Option<f64>,
    /// Both directions together.
    pub both: Option<f64>,
}

/// Devices, links and runtime.
#[derive(Clone, Debug)]
pub struct Node {
    /// The machine description.
    pub machine: Machine,
    /// In the order of the description.
    pub devices: Vec<Device>,
    /// Capacities that they share.
    pub shared: Vec<Shared>,
    /// The figures that only the authors' runtime had.
    pub runtime: Runtime,
}

impl Node {
    /// The built-in node.
    ///
    /// # Errors
    /// Only if the built-in files are wrong.
    pub fn built_in() -> Result<Self, InputError> {
        let machine = Machine::from_json(MACHINE).map_err(|error| wrong(Path::new(MACHINE_FILE), error.to_string()))?;
        Self::new(machine, Runtime::parse(Path::new(RUNTIME_FILE), RUNTIME)?)
    }

    /// A node from a description and the figures of the runtime.
    ///
    /// # Errors
    /// If the description lacks devices of the node, or the figures lack a kind of device.
    pub fn new(machine: Machine, runtime: Runtime) -> Result<Self, InputError> {
        let mut devices: Vec<Device> = Vec::new();
        for entry in &machine.devices {
            let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.device_type() == entry.device_type) else {
                continue;
            };
            if !runtime.kinds.contains_key(&kind) {
                return Err(wrong(Path::new(RUNTIME_FILE), format!("has no figures for {kind} in `kinds`")));
            }
            let number = devices.iter().filter(|device| device.kind == kind).count();
            devices.push(device(entry, kind, number));
        }
        for (kind, needed) in [(Kind::Host, 1), (Kind::Gpu, 4), (Kind::Phi, 2)] {
            let count = devices.iter().filter(|device| device.kind == kind).count();
            if count < needed {
                let problem = format!("has {count} devices of type {kind}; the node of the paper has {needed}");
                return Err(wrong(Path::new(&format!("machine description `{}`", machine.name)), problem));
            }
        }
        let rate = |figure: &Option<apportion::model::machine::Figure>| figure.as_ref().map(|rate| rate.value * 1e9);
        let shared = machine.groups.iter().map(|group| Shared {
            devices: group.devices.clone(),
            to: rate(&group.to_gb_per_s),
            from: rate(&group.from_gb_per_s),
            both: rate(&group.both_gb_per_s),
        });
        Ok(Self { shared: shared.collect(), devices, machine, runtime })
    }

    /// Device `number` of a kind.
    pub fn find(&self, kind: Kind, number: usize) -> Option<&Device> {
        self.devices.iter().find(|device| device.kind == kind && device.number == number)
    }

    /// The runtime's figures on a kind of device.
    pub fn figures(&self, kind: Kind) -> &KindFigures {
        &self.runtime.kinds[&kind]
    }

    /// Seconds of a launch of `iterations` in a loop of `n`, with the launch overhead.
    pub fn launch_time(&self, device: &Device, kernel: Kernel, n: u64, iterations: u64) -> f64 {
        let figures = self.figures(device.kind);
        let on_gpu = device.kind == Kind::Gpu;
        let computing = figures.kernels.get(kernel.name()).map_or(0.0, |curve| {
            curve.ms(iterations) * 1e-3 * (n as f64 / curve.size as f64).powi(kernel.power(on_gpu))
        });
        let reduction = if kernel.reduces() { figures.reduction_ms * 1e-3 } else { 0.0 };
        device.launch + reduction + computing
    }
}

fn device(entry: &DeviceEntry, kind: Kind, number: usize) -> Device {
    let model = entry.model();
    Device {
        id: entry.id,
        name: entry.name.clone(),
        kind,
        number,
        launch: model.launch.0,
        link: model.link.map(|link| Link {
            to_latency: link.to_latency.0,
            to_rate: link.to_rate.0,
            from_latency: link.from_latency.0,
            from_rate: link.from_rate.0,
        }),
    }
}

fn wrong(file: &Path, problem: String) -> InputError {
    InputError { file: file.to_path_buf(), line: None, column: None, problem }
}

impl Runtime {
    /// Reads figures from text; `file` is its name in messages.
    ///
    /// # Errors
    /// For a wrong key, with its path, and for figures that are negative, not finite or out of order.
    pub fn parse(file: &Path, text: &str) -> Result<Self, InputError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let runtime: Self = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let what = words::plainly(&error.inner().to_string());
            wrong(file, format!("at `{}`: {what}", error.path()))
        })?;
        if runtime.schema != SCHEMA {
            return Err(wrong(file, format!("at `schema`: says {:?}; this program reads {SCHEMA:?}", runtime.schema)));
        }
        for (kind, figures) in &runtime.kinds {
            figures.check().map_err(|(key, problem)| wrong(file, format!("at `kinds.{kind}.{key}`: {problem}")))?;
        }
        Ok(runtime)
    }

    /// As text, with a newline at its end.
    ///
    /// # Errors
    /// When a figure is not finite.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

impl KindFigures {
    fn check(&self) -> Result<(), (String, String)> {
        let allocation = &self.allocation;
        let figures = [
            ("outside_ms", self.outside_ms),
            ("reduction_ms", self.reduction_ms),
            ("allocation.array_ms", allocation.array_ms),
            ("allocation.fresh_ms_per_gb", allocation.fresh_ms_per_gb),
            ("allocation.again_ms_per_gb", allocation.again_ms_per_gb),
            ("allocation.small_array_kib", allocation.small_array_kib),
            ("allocation.small_array_ms", allocation.small_array_ms),
        ];
        if let Some((key, value)) = figures.into_iter().find(|(_, value)| !(*value >= 0.0 && value.is_finite())) {
            return Err((key.to_owned(), format!("is {value}; a time is finite and not negative")));
        }
        for kernel in Kernel::ALL {
            let key = format!("kernels.{kernel}");
            let curve = self.kernels.get(kernel.name()).ok_or((key.clone(), "is missing".to_owned()))?;
            let rising = curve.points.windows(2).all(|pair| pair[0].iterations < pair[1].iterations);
            let positive =
                curve.points.iter().all(|point| point.iterations > 0 && point.ms > 0.0 && point.ms.is_finite());
            if curve.points.is_empty() || curve.size == 0 || !rising || !positive {
                let right = "needs a size and at least one point, by rising iterations, all figures above zero";
                return Err((key, right.to_owned()));
            }
            if let Some(cache) = curve.cache
                && ![cache.lines, cache.lines_per_iteration, cache.in_flight].iter().all(|x| *x > 0.0 && x.is_finite())
            {
                return Err((key + ".cache", "needs figures above zero".to_owned()));
            }
        }
        Ok(())
    }
}
