//! CUDA GPUs, through the driver (cudarc).
//!
//! A chunk's sections go to the GPU on one stream, the kernel runs on a second, and owned rows come back on a third. Events chain
//! the three streams, so that a chunk's copies overlap its neighbours' kernels. The events also give the start and end of each
//! phase without a wait in between.
//!
//! Page-locked arrays ([`HostVec`](crate::HostVec), or any other memory that CUDA has registered) are copied directly. Sections of
//! other arrays go through page-locked memory, with several threads where there is much of it (`lanes`), or those arrays are
//! page-locked for the loop, where that costs less. Replicated arrays go over the host's links once and on from GPU to GPU
//! (`spread`).
//!
//! libcuda, NVRTC and cuBLAS are opened when they are first needed. On a machine without them there are simply no CUDA devices, and
//! a note says so.
//!
//! A kernel is trusted to stay within its sections, like compiled code on every device.
//!
//! | file | |
//! |---|---|
//! | `status`, `driver`, `libraries` | errors and what might help; CUDA's objects, those of the crate cudarc; where libraries lie |
//! | `discover` | which GPUs there are |
//! | `program`, `grid`, `blas` | kernels, compiled and compared with what is bound; CUDA's limits of groups and grids; matrix products |
//! | `memory`, `copy` | device and page-locked memory, kept from loop to loop; copies past the caches |
//! | `session`, `flight`, `bare` | a loop, and a chunk on its way; a loop without arrays |
//! | `bulk` | long copies of plain arrays in data regions |
//! | `lanes` | threads that copy plain arrays |
//! | `spread`, `sender` | arrays that go to several GPUs, peer access; their copies from the host |
//! | `locking` | page-locking for a loop |
//! | `resident`, `boxes`, `combine` | arrays that stay, for data regions; copies of boxes; partial results |
//! | `peers` | how fast GPUs copy from one another |

mod bare;
mod blas;
mod boxes;
mod bulk;
mod combine;
mod copy;
mod discover;
mod driver;
mod flight;
mod grid;
mod lanes;
mod libraries;
mod locking;
mod memory;
mod peers;
mod program;
mod reached;
mod resident;
mod sender;
mod session;
mod spread;
mod status;
mod timing;

pub use discover::{FoundGpu, discover};
pub use peers::{PeerRate, peer_rates};

use crate::devices::resident::Resident;
use crate::devices::{Begun, Device, Pipelining, Session, Work};
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Argument, Kernel, Reduction};
use crate::model::history::ArrayMemory;
use crate::model::machine::Fault;
use blas::Handles;
pub(crate) use driver::Locked;
use driver::{Event, Gpu, NotOpen, Restore, Stream, Timed, open_gpus};
use lanes::Lanes;
use memory::{Kept, Pools};
use program::{Loader, Programs};
use resident::Residence;
use status::CudaError;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Which GPU to open, and how to use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CudaOptions {
    /// The device's name in the machine description.
    pub name: String,
    /// CUDA's ordinal of the GPU; 0 where neither this nor `uuid` is given.
    pub index: Option<usize>,
    /// The GPU's UUID, as `nvidia-smi -L` writes it.
    pub uuid: Option<String>,
    /// The most bytes of the GPU's memory to use; absent: all that is free when it is opened.
    pub memory_bytes: Option<u64>,
    /// Threads that copy plain arrays; absent: a share of the cores, by the number of GPUs.
    pub copy_threads: Option<usize>,
    /// The number of GPUs that share the cores for these threads; absent: all that CUDA shows to this process.
    pub gpus: Option<usize>,
    /// A fault to inject: which piece fails in which phase, counted from 0 in the order in which pieces reach that phase.
    pub fault: Option<Fault>,
}

/// An open GPU. Its compiled kernels and its buffers are kept from loop to loop.
pub struct CudaDevice {
    name: String,
    found: FoundGpu,
    fault: Option<Fault>,
    lanes: Lanes,
    // Dropped in this order: users before what they use.
    blas: Handles,
    programs: Programs,
    residence: Residence,
    streams: Streams,
    pools: Mutex<Pools>,
    gpu: Arc<Gpu>,
    /// Restores the dropping thread's context after all of the above is dropped.
    restore: Option<Restore>,
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        self.restore = Some(Restore::new());
    }
}

/// One stream per phase, some for short chunks, and some for copies from and to other GPUs.
struct Streams {
    to: Stream,
    run: Stream,
    from: Stream,
    short: Vec<Stream>,
    peers: Vec<Stream>,
    /// For the event by which the GPU's clock is compared with the host's.
    clock: Stream,
}

/// Pieces in flight where the proxy's thread sends them and memory is plenty. With four, a piece of a kernel that takes longer than
/// its copies was sent only when the fourth before it had come back: matmul of 2048 on one H200 took 6 to 8 % longer (in-flight/ in
/// results/h200-even-2026-11-26).
const IN_FLIGHT: usize = 8;
/// Streams for short pieces, used in turn.
const SHORT_STREAMS: usize = 4;

impl Streams {
    /// The streams of one of `gpus` GPUs.
    fn new(gpu: &Arc<Gpu>, gpus: usize) -> std::result::Result<Self, CudaError> {
        let stream = || Stream::new(gpu);
        let peers = (1..gpus).take(MOST_PEER_STREAMS).map(|_| stream()).collect::<std::result::Result<_, _>>()?;
        let short = (0..SHORT_STREAMS).map(|_| stream()).collect::<std::result::Result<_, _>>()?;
        let clock = stream()?;
        // So that none of a loop's is its first.
        Event::new(gpu, Timed::No)?.record(&clock)?;
        clock.synchronize()?;
        Ok(Self { to: stream()?, run: stream()?, from: stream()?, short, peers, clock })
    }

    fn all(&self) -> impl Iterator<Item = &Stream> {
        [&self.to].into_iter().chain(&self.peers).chain([&self.run, &self.from]).chain(&self.short)
    }
}

/// Several streams, because copies from and to different GPUs overlap: one after the other, each copy of 4 MB takes 40 us, four
/// times what the links between GPUs allow.
const MOST_PEER_STREAMS: usize = 3;

impl CudaDevice {
    /// Opens a GPU.
    ///
    /// # Errors
    /// [`Error::Call`] where there is no such GPU (the message lists those that exist), or no driver;
    /// [`Error::Device`] where the driver fails.
    pub fn open(options: CudaOptions) -> Result<Self> {
        let call = |why: String| Error::call(format!("device `{}`: {why}", options.name));
        let found = discover::select(options.index, options.uuid.as_deref()).map_err(call)?;
        Self::on(&options, found).map_err(|error| {
            Error::Device(DeviceError {
                device: options.name.clone(),
                phase: Phase::Init,
                chunk: None,
                message: error.to_string(),
            })
        })
    }

    fn on(options: &CudaOptions, found: FoundGpu) -> std::result::Result<Self, NotOpen> {
        let _restore = Restore::new();
        let gpu = Gpu::open(found.index)?;
        let (free, _) = gpu.memory()?;
        let limit = options.memory_bytes.unwrap_or(u64::MAX).min(free);
        let gpus = discover().map_or(1, |found| found.len());
        let streams = Streams::new(&gpu, gpus)?;
        spread::connect(&gpu, &streams);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let lanes = match options.copy_threads {
            Some(threads) => Lanes::with(threads, cores / options.gpus.unwrap_or(gpus).max(1)),
            None => Lanes::new(cores, options.gpus.unwrap_or(gpus)),
        };
        Ok(Self {
            name: options.name.clone(),
            found,
            fault: options.fault,
            lanes,
            blas: Handles::default(),
            programs: Programs::default(),
            residence: Residence::default(),
            streams,
            pools: Mutex::new(Pools {
                reports: Vec::new(),
                device: crate::devices::pool::Pool::new(limit, limit),
                // The system limits host memory.
                pinned: crate::devices::pool::Pool::new(u64::MAX, u64::MAX),
                marks: Vec::new(),
                largest: Vec::new(),
            }),
            gpu,
            restore: None,
        })
    }

    /// The GPU's description.
    pub fn found(&self) -> &FoundGpu {
        &self.found
    }

    /// How many programs it has loaded since it was opened.
    pub fn programs_loaded(&self) -> usize {
        self.programs.loaded()
    }

    /// Bytes of device memory that it holds, in use or kept for the next loop.
    pub fn allocated_bytes(&self) -> u64 {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).device.allocated()
    }

    /// Ordinals of the other open GPUs from which this one copies directly.
    pub fn peers(&self) -> Vec<usize> {
        let others = open_gpus().into_iter().filter(|other| self.gpu.pulls_from(other));
        others.map(|other| other.ordinal).collect()
    }
}

impl Device for CudaDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> String {
        let FoundGpu { name, memory, multiprocessors, .. } = &self.found;
        format!("cuda: {name}, {multiprocessors} multiprocessors, {}", crate::units::Bytes(*memory))
    }

    fn page_locked(&self, arguments: &[Argument<'_>]) -> Option<Vec<bool>> {
        // A lost GPU cannot tell.
        let _restore = Restore::bound(&self.gpu).ok()?;
        Some(arguments.iter().map(|argument| session::is_locked(&self.gpu, argument)).collect())
    }

    fn array_memory(&self, arguments: &[Argument<'_>], locked: &[bool]) -> ArrayMemory {
        let on_host = || arguments.iter().filter(|a| a.array().is_some_and(|map| map.host_start().is_some()));
        match locked.iter().filter(|locked| **locked).count() {
            0 if on_host().count() > 0 => ArrayMemory::Plain,
            locked if locked == on_host().count() => ArrayMemory::PageLocked,
            _ => ArrayMemory::Mixed,
        }
    }

    fn eligible(&self, kernel: &Kernel) -> std::result::Result<(), String> {
        match kernel.cuda_variant() {
            Some(_) => Ok(()),
            None => Err(format!("kernel `{}` has no CUDA variant", kernel.name())),
        }
    }

    fn compile(
        &mut self,
        kernel: &Kernel,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        two_dimensional: bool,
    ) -> std::result::Result<(), String> {
        let Some(variant) = kernel.cuda_variant() else { return self.eligible(kernel) };
        // A GPU that is lost says so as the kernel is launched.
        let Ok(_restore) = Restore::bound(&self.gpu) else { return Ok(()) };
        let kept = Kept { pools: &self.pools, blas: &self.blas };
        let loader = Loader { gpu: &self.gpu, capability: self.found.capability, kept };
        let known = self.programs.get(loader, variant, arguments, reduction, two_dimensional, &[]).map(drop);
        // After a fault every call fails: it is no matter of the kernel, and its launch tells which fault it was.
        known.or_else(|why| if self.gpu.memory().is_err() { Ok(()) } else { Err(why) })
    }

    fn lingers(&self) -> bool {
        true
    }

    fn resident(&mut self) -> Option<&mut dyn Resident> {
        Some(self)
    }

    fn usable_memory(&self) -> Option<u64> {
        let device = &mut self.pools.lock().unwrap_or_else(PoisonError::into_inner).device;
        if device.was_refused()
            && let Ok(_restore) = Restore::bound(&self.gpu)
            && let Ok((left, _)) = self.gpu.memory()
        {
            // Other programs may have freed memory since.
            device.set_left(left);
        }
        Some(device.room())
    }

    fn pipelining(
        &self,
        arguments: &[Argument<'_>],
        locked: &[bool],
        whole: &[(usize, Reduction)],
        devices: usize,
    ) -> Pipelining {
        let mut locked = locked.to_vec();
        // No GPU could tell, because it is lost: no array counts as page-locked.
        locked.resize(arguments.len(), false);
        // As in `session::begin`: arrays contributed to as a whole do not count as plain.
        whole.iter().for_each(|(position, _)| locked[*position] = true);
        let direct = session::plain_bytes(arguments, &locked) < session::LANES_FROM
            || locking::locks_faster(&self.gpu, arguments, &locked, self.lanes.of(arguments, &locked));
        if direct {
            // The proxy's thread alone copies the arrays or locks them.
            let plain_longer = self.lanes.one_way() as f64 - 1.0;
            return Pipelining { in_flight: IN_FLIGHT, plain_longer, ..Pipelining::default() };
        }
        let lanes = self.lanes.of_share(arguments, &locked, devices);
        let piece_bytes = Some(Lanes::chunk_bytes(lanes, devices, Lanes::is_short(arguments, &locked)));
        Pipelining { in_flight: Lanes::in_flight(lanes), piece_bytes, copiers: lanes, ..Pipelining::default() }
    }

    fn announce(&self, arguments: &[Argument<'_>], locked: &[bool], whole: &[(usize, Reduction)], devices: usize) {
        let Pipelining { copiers, .. } = self.pipelining(arguments, locked, whole, devices);
        if copiers > 0 {
            self.lanes.announce(copiers);
        }
    }

    fn preparations(&self) -> u64 {
        let pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        pools.device.made() + pools.pinned.made() + self.programs.loaded() as u64 + self.blas.made()
    }

    fn compile_time(&self) -> Duration {
        self.programs.compile_time()
    }

    unsafe fn begin<'s>(
        &'s mut self,
        work: &'s Work<'s>,
    ) -> std::result::Result<Begun<Box<dyn Session + 's>>, DeviceError> {
        session::begin(self, work)
    }
}

impl fmt::Debug for CudaDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaDevice").field("name", &self.name).field("found", &self.found).finish_non_exhaustive()
    }
}
