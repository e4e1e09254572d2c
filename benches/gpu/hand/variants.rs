//! The programs by hand, and all that they make before their clocks start.

use super::crew::{Task, Waiting, timed};
use super::gpu::Gpu;
use super::job::Job;
use super::memory::connect;
use super::staged::{Lane, Turn, slot_bytes};
use super::{Sent, whole};
use apportion_kernels::Memory;
use cudarc::driver::CudaContext;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Barrier};
use std::time::Duration;

const CHUNKS: [usize; 4] = [4, 8, 16, 32];
/// Threads for each GPU, and MiB of a slot. The largest is for loops with halos, of which larger pieces bring less.
const STAGED: [(usize, usize); 5] = [(8, 1), (8, 4), (8, 16), (15, 1), (15, 4)];

/// How a program by hand copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// One copy of each array, and one kernel.
    Block,
    /// The same of arrays that are not page-locked.
    Pageable,
    /// So many chunks on three streams; arrays that all GPUs have come from the host to each, or in parts that are passed on.
    Chunked { chunks: usize, passes: bool },
    /// Page-locked within the clock.
    Registered,
    /// By so many threads through slots of so many MiB.
    Staged { threads: usize, mib: usize, passes: bool },
}

impl Variant {
    /// Those for arrays in such memory.
    fn all(memory: Memory, passing: bool) -> Vec<Self> {
        let ways: &[bool] = if passing { &[false, true] } else { &[false] };
        let each = |passes: &bool| -> Vec<Self> {
            let passes = *passes;
            match memory {
                Memory::PageLocked => CHUNKS.map(|chunks| Self::Chunked { chunks, passes }).into(),
                Memory::Plain => STAGED.map(|(threads, mib)| Self::Staged { threads, mib, passes }).into(),
            }
        };
        let mut all = match memory {
            Memory::PageLocked => vec![Self::Block],
            Memory::Plain => vec![Self::Pageable, Self::Registered],
        };
        all.extend(ways.iter().flat_map(each));
        all
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |passes: bool| if passes { "-passed" } else { "" };
        match self {
            Self::Block => write!(f, "block"),
            Self::Pageable => write!(f, "pageable"),
            Self::Chunked { chunks, passes } => write!(f, "chunked-{chunks}{}", on(*passes)),
            Self::Registered => write!(f, "registered"),
            Self::Staged { threads, mib, passes } => write!(f, "staged-{threads}x{mib}{}", on(*passes)),
        }
    }
}

/// A loop's programs by hand on some GPUs.
pub struct Team {
    gpus: Vec<Gpu>,
    /// For each GPU; none where arrays are page-locked.
    lanes: Vec<Vec<Lane>>,
    pub variants: Vec<Variant>,
}

impl Team {
    /// Allocates and compiles all that the variants need.
    ///
    /// # Errors
    /// That a GPU has too little memory, or the driver's error.
    pub fn new(contexts: &[Arc<CudaContext>], job: &Job<'_>, memory: Memory) -> Sent<Self> {
        let gpu = |(index, context): (usize, &Arc<CudaContext>)| {
            Gpu::new(context.clone(), job, job.share(contexts.len(), index))
        };
        let gpus: Vec<Gpu> = contexts.iter().enumerate().map(gpu).collect::<Sent<_>>()?;
        let passing = contexts.len() > 1 && job.full().next().is_some() && all_connected(contexts)?;
        let lanes = match memory {
            Memory::PageLocked => Vec::new(),
            Memory::Plain => gpus.iter().map(|gpu| lanes(gpu, job)).collect::<Sent<_>>()?,
        };
        Ok(Self { gpus, lanes, variants: Variant::all(memory, passing) })
    }

    /// How many GPUs it is on.
    pub fn gpus(&self) -> usize {
        self.gpus.len()
    }

    /// Runs the loop once: the time from the start of all threads to the end of the last, and the sum, if it is one.
    ///
    /// # Errors
    /// The driver's.
    pub fn run(&self, job: &Job<'_>, variant: Variant, waiting: Waiting) -> Sent<(Duration, f64)> {
        let done = self.started(job, variant, waiting);
        if done.is_err() {
            // Copies that were enqueued before may still use the arrays.
            self.gpus.iter().try_for_each(|gpu| gpu.context.synchronize())?;
        }
        done
    }

    fn started(&self, job: &Job<'_>, variant: Variant, waiting: Waiting) -> Sent<(Duration, f64)> {
        let each = Barrier::new(self.gpus.len());
        let tasks = match variant {
            Variant::Block | Variant::Pageable => self.tasks(|gpu| whole::block(&self.gpus[gpu], job)),
            Variant::Chunked { chunks, passes: false } => {
                self.tasks(move |gpu| whole::chunked(&self.gpus[gpu], job, chunks))
            }
            Variant::Chunked { chunks, passes: true } => {
                let each = &each;
                self.tasks(move |gpu| whole::passed(&self.gpus, gpu, job, chunks, each))
            }
            Variant::Registered => self.tasks(|gpu| whole::registered(&self.gpus[gpu], job, gpu == 0, &each)),
            Variant::Staged { threads, mib, passes } => return self.staged(job, (threads, mib, passes), waiting),
        };
        timed(tasks, waiting)
    }

    /// One thread for each GPU.
    fn tasks<'t>(&self, run: impl Fn(usize) -> Sent<f64> + Send + Copy + 't) -> Vec<Task<'t>> {
        let task = |(index, gpu): (usize, &Gpu)| -> Task<'t> { (gpu.context.clone(), Box::new(move || run(index))) };
        self.gpus.iter().enumerate().map(task).collect()
    }

    fn staged(
        &self,
        job: &Job<'_>,
        (threads, mib, passes): (usize, usize, bool),
        waiting: Waiting,
    ) -> Sent<(Duration, f64)> {
        let all = Barrier::new(threads * self.gpus.len());
        let counters: Vec<[AtomicU64; 2]> = self.gpus.iter().map(|_| Default::default()).collect();
        let turn = |own: usize| Turn {
            gpus: &self.gpus,
            own,
            lanes: &self.lanes,
            count: threads,
            job,
            piece: job.piece(mib << 20),
            slot: mib << 20,
            passes,
            next_piece: &counters[own][0],
            next_of_full: &counters[own][1],
            all: &all,
        };
        let turns: Vec<Turn<'_>> = (0..self.gpus.len()).map(turn).collect();
        let task = |turn, lane| -> Task<'_> {
            let turn: &Turn<'_> = turn;
            (self.gpus[turn.own].context.clone(), Box::new(move || turn.run(lane)))
        };
        let tasks = turns.iter().flat_map(|turn| (0..threads).map(move |lane| task(turn, lane)));
        timed(tasks.collect(), waiting)
    }
}

/// Lanes as many as any variant needs, each with slots as large as those variants need that it takes part in.
fn lanes(gpu: &Gpu, job: &Job<'_>) -> Sent<Vec<Lane>> {
    let of_full = job.full().map(|(_, array)| array.bytes()).max().unwrap_or(0);
    let bytes = |mib: usize| {
        let piece = job.piece(mib << 20).min(gpu.share.end - gpu.share.start);
        slot_bytes(job, piece).max(of_full.min(mib << 20))
    };
    let most = STAGED.iter().map(|(threads, _)| *threads).max().unwrap_or(0);
    let lane = |index: usize| {
        let its = STAGED.iter().filter(|(threads, _)| *threads > index);
        Lane::new(gpu, its.map(|(_, mib)| bytes(*mib)).max().unwrap_or(0))
    };
    (0..most).map(lane).collect()
}

/// Whether every GPU reaches every other; those that can do from now on.
fn all_connected(contexts: &[Arc<CudaContext>]) -> Sent<bool> {
    for from in contexts {
        for to in contexts.iter().filter(|to| to.ordinal() != from.ordinal()) {
            if !connect(from, to)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
