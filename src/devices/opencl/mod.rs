//! OpenCL devices: GPUs, accelerators, and CPUs through a driver such as PoCL.
//!
//! A chunk's sections go to the device on one in-order queue, the kernel runs on a second, and owned rows come back on a third.
//! Events chain the three queues, so that a chunk's copies overlap its neighbours' kernels.
//!
//! A device of [`MemoryKind::Discrete`] has a set of buffers for each chunk in flight. A device of [`MemoryKind::Shared`] works in
//! the host's arrays: its kernels get buffers over them (`CL_MEM_USE_HOST_PTR`), and mapping an output once its kernel has run
//! makes it visible to the host.
//!
//! A kernel is trusted to stay within its sections, like compiled code on every device: OpenCL on a CPU does not check bounds.
//!
//! | file | |
//! |---|---|
//! | `status` | error codes and what might help |
//! | `objects`, `commands` | OpenCL objects, those of the crate opencl3; commands on queues |
//! | `discover` | which devices there are; sub-devices |
//! | `program`, `parameters` | compiled kernels, compared with what is bound |
//! | `memory` | device buffers, kept from chunk to chunk and from loop to loop |
//! | `session`, `flight` | a loop, and a chunk on its way |
//! | `resident` | arrays that stay, for data regions |

mod commands;
mod discover;
mod flight;
mod memory;
mod objects;
mod parameters;
mod program;
mod resident;
mod session;
mod status;

pub(crate) use discover::discover_and_tell;
pub use discover::{Found, FoundKind, discover};

use crate::devices::resident::Resident;
use crate::devices::{Begun, Device, Session, Work};
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Argument, Kernel, Reduction};
use crate::model::MemoryKind;
use commands::Queue;
use discover::Candidate;
use memory::Pool;
use objects::{Context, Part};
use program::Programs;
use resident::Residence;
use status::{Called, ClError};
use std::fmt;
use std::time::Duration;

/// Which OpenCL device to open, and how to use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenClOptions {
    /// The device's name in the machine description.
    pub name: String,
    /// A part of the platform's name, in upper or lower case.
    pub platform: Option<String>,
    /// A part of the device's name, in upper or lower case.
    pub device: Option<String>,
    /// Which of the devices that match, counted from 0.
    pub index: usize,
    /// How many of its compute units to run on; absent: all.
    pub compute_units: Option<u32>,
    /// How many compute units to leave out before those.
    pub skip_compute_units: u32,
    /// Whether to work in the host's arrays, or on copies of their sections. Copies work on every device.
    pub memory: MemoryKind,
    /// The most bytes of the device's memory to use; absent: all that the device reports.
    pub memory_bytes: Option<u64>,
}

impl Default for OpenClOptions {
    fn default() -> Self {
        Self {
            name: "opencl".to_owned(),
            platform: None,
            device: None,
            index: 0,
            compute_units: None,
            skip_compute_units: 0,
            memory: MemoryKind::Discrete,
            memory_bytes: None,
        }
    }
}

/// An open OpenCL device. Its compiled kernels and its buffers are kept from loop to loop.
pub struct OpenClDevice {
    name: String,
    found: Found,
    shared: bool,
    largest_group: Vec<usize>,
    /// Whether it is a CPU, where a group's work is done by one work-item, or one iteration is one work-item's.
    cpu: bool,
    /// Bytes of local memory that a group may have.
    local_memory: u64,
    // Dropped in this order: OpenCL objects before their context, and the context before its sub-device.
    residence: Residence,
    programs: Programs,
    pool: Pool,
    queues: Queues,
    context: Context,
    _part: Option<Part>,
}

/// In-order queues: a command only needs to wait for commands of other queues.
struct Queues {
    to: Queue,
    run: Queue,
    from: Queue,
}

impl Queues {
    /// Queues of which the driver tells the times of commands, if `timed`.
    fn new(context: &Context, timed: bool) -> Result<Self, ClError> {
        let queue = || Queue::new(context, timed);
        Ok(Self { to: queue()?, run: queue()?, from: queue()? })
    }

    fn all(&self) -> [&Queue; 3] {
        [&self.to, &self.run, &self.from]
    }
}

impl OpenClDevice {
    /// Opens a device.
    ///
    /// # Errors
    /// [`Error::Call`] where there is no such device (the message lists those that exist), or where it cannot be used as asked;
    /// [`Error::Device`] where its driver fails.
    pub fn open(options: OpenClOptions) -> Result<Self> {
        let call = |why: String| Error::call(format!("device `{}`: {why}", options.name));
        let candidate = discover::select(&options).map_err(call)?;
        let shared = options.memory == MemoryKind::Shared;
        if shared && !candidate.found.unified {
            return Err(call(format!(
                "`{}` has its own memory, so it cannot work in the host's: set `memory` to `discrete`",
                candidate.found.name
            )));
        }
        let part = discover::part(&candidate, &options).map_err(call)?;
        Self::on(&options, candidate, part).map_err(|error| {
            Error::Device(DeviceError {
                device: options.name.clone(),
                phase: Phase::Init,
                chunk: None,
                message: error.to_string(),
            })
        })
    }

    fn on(options: &OpenClOptions, candidate: Candidate, part: Option<Part>) -> Result<Self, ClError> {
        let mut found = candidate.found;
        let device = part.as_ref().map_or(candidate.device, |part| part.id().into());
        if let Some(units) = options.compute_units {
            found.compute_units = units;
        }
        let context = Context::new(candidate.platform, device)?;
        let limit = options.memory_bytes.unwrap_or(u64::MAX).min(found.global_mem);
        Ok(Self {
            name: options.name.clone(),
            shared: options.memory == MemoryKind::Shared,
            cpu: found.kind == FoundKind::Cpu,
            largest_group: device.max_work_item_sizes().called("clGetDeviceInfo")?,
            local_memory: device.local_mem_size().unwrap_or(u64::MAX),
            residence: Residence::default(),
            programs: Programs::default(),
            pool: Pool::new(limit, found.max_alloc),
            queues: Queues::new(&context, true)?,
            context,
            _part: part,
            found,
        })
    }

    /// The device's description; `compute_units` are those that it was opened with.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// How many programs it has compiled since it was opened, also in vain.
    pub fn programs_compiled(&self) -> usize {
        self.programs.compiled()
    }

    /// Bytes of device memory that it holds, in use or kept for the next loop.
    pub fn allocated_bytes(&self) -> u64 {
        self.pool.allocated()
    }
}

impl Device for OpenClDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> String {
        let Found { platform, name, compute_units, .. } = &self.found;
        format!("opencl: {name} of {platform}, {compute_units} units")
    }

    fn eligible(&self, kernel: &Kernel) -> Result<(), String> {
        match kernel.opencl_variant() {
            Some(_) => Ok(()),
            None => Err(format!("kernel `{}` has no OpenCL variant", kernel.name())),
        }
    }

    fn has_f64(&self) -> bool {
        self.found.fp64
    }

    fn suits(&mut self, kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<(), String> {
        kernel.opencl_variant().map_or(Ok(()), |source| session::suits(self, source, arguments))
    }

    fn compile(
        &mut self,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        two_dimensional: bool,
    ) -> Result<(), String> {
        let Some(source) = kernel.opencl_variant() else { return self.eligible(kernel) };
        let prepared = session::prepared(self, source)?;
        self.programs.kernel(prepared).check(source, arguments, reduction, two_dimensional)
    }

    fn largest_buffer(&self) -> Option<u64> {
        Some(self.pool.max_alloc())
    }

    fn resident(&mut self) -> Option<&mut dyn Resident> {
        if self.shared { None } else { Some(self) }
    }

    fn preparations(&self) -> u64 {
        self.pool.made() + (self.programs.compiled() + self.programs.first_runs()) as u64
    }

    fn compile_time(&self) -> Duration {
        self.programs.compile_time()
    }

    unsafe fn begin<'s>(&'s mut self, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
        session::begin(self, work)
    }
}

impl fmt::Debug for OpenClDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenClDevice")
            .field("name", &self.name)
            .field("found", &self.found)
            .field("shared", &self.shared)
            .finish_non_exhaustive()
    }
}

/// What tests of other modules need: most machines have no device without double precision.
#[cfg(test)]
#[allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
pub(crate) mod testing {
    use super::OpenClDevice;
    use crate::kernel::{DeviceSource, Grid, Kernel};

    impl OpenClDevice {
        /// The device as if its driver told no times of commands.
        pub fn without_times(mut self) -> Self {
            self.queues = super::Queues::new(&self.context, false).unwrap();
            self
        }

        /// The device as if it had no double precision.
        pub fn without_f64(mut self) -> Self {
            self.found.fp64 = false;
            self
        }
    }

    /// The kernel with a variant that sets element i of its only array to i, after these lines.
    pub fn numbered(kernel: Kernel, lines: &str, real: &str) -> Kernel {
        let text = format!(
            "{lines}\n__kernel void numbered(long lo, long hi, __global {real} *x, long x0) {{
                long i = lo + get_global_id(0);
                if (i < hi) x[i - x0] = i;
            }}"
        );
        // SAFETY: it stays within the section that it is given.
        kernel.opencl_source(unsafe { DeviceSource::new(text, "numbered", Grid::per_iteration(4)) })
    }
}
