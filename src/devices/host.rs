//! The CPU: a rayon pool of its own whose threads are bound to cores. It works in host memory, so nothing is copied.

use crate::data::{HostMemory, SpanMut};
use crate::devices::awake::{AtWork, Lookouts};
use crate::devices::body::{self, Section};
use crate::devices::crew::Vigil;
use crate::devices::topology;
use crate::devices::{Begun, Completed, Device, Session, Span, Work};
use crate::error::{DeviceError, Error, Phase, Result};
use crate::kernel::{Argument, Kernel, Reduction};
use crate::space::IterRange;
use crate::times::PhaseTimes;
use crate::units::{Bytes, Seconds};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Threads that had no part in the last loops take so long to begin, in all.
const WAKING: Seconds = Seconds(125e-6);
/// The same, where the device's own threads would begin at once.
const WAKING_ALL: Seconds = Seconds(1e-3);
/// A larger part of all cores that are left to others is much.
const MUCH: f64 = 0.1;
/// Pieces per thread that a chunk is cut into: enough that a thread disturbed by another program does not hold up the rest for
/// long. Each further piece costs some 0.1 µs. Long chunks have more.
pub(super) const PIECES_PER_THREAD: u64 = 4;

/// A set of CPU cores.
pub struct HostDevice {
    name: String,
    pool: Arc<rayon::ThreadPool>,
    pieces: u64,
    /// Whether each thread is bound to its CPU.
    bound: bool,
    /// Present where there are several threads: these may stay awake between chunks.
    lookouts: Option<Arc<Lookouts>>,
    /// Present where cores are left to other devices.
    wide: Option<Arc<WidePool>>,
}

/// Threads on all cores of a host device and on those that it leaves to other devices, for loops in which none of those takes part.
/// They are started by the first such loop.
pub struct WidePool {
    name: String,
    cpus: Vec<usize>,
    bound: bool,
    /// The part of the CPUs that are left to other devices otherwise.
    spare: f64,
    pool: OnceLock<Option<rayon::ThreadPool>>,
}

impl WidePool {
    fn new(name: &str, own: usize, cpus: Vec<usize>, bound: bool) -> Self {
        let spare = (cpus.len() - own) as f64 / cpus.len() as f64;
        Self { name: name.to_owned(), cpus, bound, spare, pool: OnceLock::new() }
    }

    /// Whether it has so many cores more that times of the device alone say nothing of those in company.
    pub fn is_much_larger(&self) -> bool {
        self.spare > MUCH
    }

    /// Whether a loop that takes so long on the device's own cores gains more than waking the other threads takes; `awake` tells
    /// whether the device's own threads stay awake.
    pub fn is_worth_it(&self, time: Seconds, awake: bool) -> bool {
        time.0 * self.spare >= if awake { WAKING_ALL.0 } else { WAKING.0 }
    }

    /// The pool; `None` if the system gives no threads for it.
    pub fn pool(&self) -> Option<&rayon::ThreadPool> {
        let start = || {
            let pool = pool_on(&format!("{}-wide", self.name), &self.cpus, self.bound);
            let why = |error: &_| log::warn!("device `{}`: no threads on the cores left to others: {error}", self.name);
            pool.inspect_err(why).ok()
        };
        self.pool.get_or_init(start).as_ref()
    }

    /// Whether the calling thread is one of the pool.
    pub fn is_here(&self) -> bool {
        let pool = self.pool.get().and_then(Option::as_ref);
        pool.is_some_and(|pool| pool.current_thread_index().is_some())
    }
}

/// A pool with one thread for each of `cpus`, and bound to it if asked.
fn pool_on(label: &str, cpus: &[usize], bound: bool) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let (label, bind_to) = (label.to_owned(), cpus.to_vec());
    rayon::ThreadPoolBuilder::new()
        .num_threads(cpus.len())
        .thread_name(move |i| format!("{label}-{i}"))
        .start_handler(move |i| {
            // Binding is an optimisation: a container may forbid it, and results are right without it.
            if bound {
                let _ = topology::bind_current_thread(bind_to[i]);
            }
        })
        .build()
}

impl HostDevice {
    /// A device with one thread bound to each of `cpus` (the system's numbers). `awake` lets the threads stay awake for a while
    /// after a short chunk.
    ///
    /// # Errors
    /// [`Error::Call`] when `cpus` is empty, or the system cannot start the threads.
    pub fn open(name: &str, cpus: &[usize], awake: bool) -> Result<Self> {
        Self::open_on(name, cpus, true, awake)
    }

    /// A device with one thread for each of `cpus`, which run wherever the system places them. For a share of the machine's time
    /// ([`Topology::granted`](topology::Topology::granted)): bound, all containers' threads would be on the same few CPUs.
    ///
    /// # Errors
    /// As [`HostDevice::open`].
    pub fn open_unbound(name: &str, cpus: &[usize], awake: bool) -> Result<Self> {
        Self::open_on(name, cpus, false, awake)
    }

    fn open_on(name: &str, cpus: &[usize], bound: bool, awake: bool) -> Result<Self> {
        if cpus.is_empty() {
            return Err(Error::call(format!(
                "device `{name}`: no CPU is left for it: `cpus` or `leave_free` take all"
            )));
        }
        let pool = pool_on(name, cpus, bound)
            .map_err(|e| Error::call(format!("device `{name}`: no pool of {} threads: {e}", cpus.len())))?;
        let pieces = if cpus.len() == 1 { 1 } else { cpus.len() as u64 * PIECES_PER_THREAD };
        let lookouts = (cpus.len() > 1).then(|| Arc::new(Lookouts::new(cpus.len(), awake, Vigil::default())));
        Ok(Self { name: name.to_owned(), pool: Arc::new(pool), pieces, lookouts, bound, wide: None })
    }

    /// Has its threads stay awake while `vigil` is kept.
    #[must_use]
    pub(crate) fn kept_awake_by(mut self, vigil: &Vigil) -> Self {
        let watched = |lookouts: &Arc<Lookouts>| Arc::new(lookouts.watched(vigil.clone()));
        self.lookouts = self.lookouts.as_ref().map(watched);
        self
    }

    /// Uses these CPUs too, beside its own `cpus`, in long loops in which no other device takes part.
    #[must_use]
    pub fn with_spare(self, cpus: &[usize], spare: &[usize]) -> Self {
        if spare.is_empty() {
            return self;
        }
        let all = [cpus, spare].concat();
        // Either pool runs the same pieces, so that sums have the same bits.
        let pieces = all.len() as u64 * PIECES_PER_THREAD;
        Self { pieces, wide: Some(Arc::new(WidePool::new(&self.name, cpus.len(), all, self.bound))), ..self }
    }

    /// Number of threads that run the loop at hand.
    fn threads_here(&self) -> usize {
        let wide = self.wide.as_ref().filter(|wide| wide.is_here());
        wide.map_or_else(|| self.threads(), |wide| wide.cpus.len())
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }
}

impl Device for HostDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> String {
        let threads = self.threads();
        format!("cpu: {}, {threads} thread{}", topology::cpu_model(), if threads == 1 { "" } else { "s" })
    }

    fn eligible(&self, kernel: &Kernel) -> Result<(), String> {
        host_variant_of(kernel)
    }

    fn pool(&self) -> Option<Arc<rayon::ThreadPool>> {
        Some(Arc::clone(&self.pool))
    }

    fn lookouts(&self) -> Option<Arc<Lookouts>> {
        self.lookouts.clone()
    }

    fn wide_pool(&self) -> Option<Arc<WidePool>> {
        self.wide.clone()
    }

    fn runs_blocks(&self) -> bool {
        true
    }

    unsafe fn begin<'s>(&'s mut self, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
        let threads = self.threads_here() as f64;
        let session = HostSession {
            device: self,
            work,
            each: work.kernel_time.map(|time| time.0 * threads),
            done: VecDeque::new(),
            _at_work: AtWork::begin(),
        };
        Ok(Begun { session: Box::new(session), times: PhaseTimes::default(), bytes_to: 0 })
    }
}

/// Whether a kernel has a host body.
pub(super) fn host_variant_of(kernel: &Kernel) -> Result<(), String> {
    match kernel.host_variant() {
        Some(_) => Ok(()),
        None => Err(format!("kernel `{}` has no host variant", kernel.name())),
    }
}

struct HostSession<'s> {
    device: &'s HostDevice,
    work: &'s Work<'s>,
    /// Seconds that an iteration takes one thread: as measured for the last chunk, or as the models estimate.
    each: Option<f64>,
    done: VecDeque<Completed>,
    _at_work: AtWork,
}

/// A chunk up to this long runs on one thread, where other threads look out for work.
const ALONE: Duration = Duration::from_micros(5);
/// The same where the other threads would have to be woken.
const ALONE_AMONG_SLEEPERS: Duration = Duration::from_micros(20);

/// What it takes to wake one more thread of up to [`FEW`]. On 64 cores of a virtual machine loops of a million iterations were
/// fastest with 32 threads of 60 (waking/ in results/h200-starpu-2026-11-28); small loops on 15 threads took longer with half of them
/// than with all (waking/ in results/h200-even-2026-11-26).
const WAKING_EACH: Duration = Duration::from_nanos(1500);
/// So many threads are there soon. On virtual machines the last of 60 began 0.9 to 1.7 ms after the call, those of 30 within 0.2 ms
/// (results/h200-limit-2026-11-26).
const FEW: usize = 32;
/// What it takes to wake one more thread of all, by their number: on virtual machines 29 threads took 5 us each, 59 took 13 us
/// (`wake_us` of the machine files in results/h200-sooner-2026-11-26 and results/h200-pieces-2026-11-26, by thread).
const WAKING_EACH_OF: Duration = Duration::from_nanos(220);

/// The time of a chunk on so many threads, which have to be woken.
fn woken(time: Duration, threads: usize) -> Duration {
    let by_all = (WAKING_EACH_OF * threads as u32).min(Duration::from_micros(13));
    let each = if threads <= FEW { WAKING_EACH } else { by_all };
    time / threads as u32 + each * threads as u32
}

/// About how many of `threads` that sleep are worth waking for a chunk that takes one thread so long: a power of two, as the chunk
/// is halved again and again, or any number where all are. k threads take `time / k + k * WAKING_EACH`, which is least where both
/// are equal.
pub(crate) fn worth_waking(time: Duration, threads: usize) -> usize {
    let best = (time.as_secs_f64() / WAKING_EACH.as_secs_f64()).sqrt();
    let power = (best.log2().round().exp2() as usize).clamp(1, FEW);
    if power >= threads || woken(time, threads) < woken(time, power) { usize::MAX } else { power }
}

/// How long a chunk may be to run on one thread, by whether other threads are awake.
pub(crate) fn alone(awake: bool) -> Duration {
    if awake { ALONE } else { ALONE_AMONG_SLEEPERS }
}

impl Session for HostSession<'_> {
    fn submit(&mut self, chunk: IterRange) -> Result<(), DeviceError> {
        let start = Instant::now();
        let HostDevice { name, pool, pieces, lookouts, .. } = self.device;
        // A short chunk may run on the caller's own thread, outside of the pool.
        let lookouts = lookouts.as_ref().filter(|_| pool.current_thread_index().is_some());
        let awake = lookouts.is_some_and(|lookouts| lookouts.are_awake());
        let expected = self.each.and_then(|each| Duration::try_from_secs_f64(each * chunk.len() as f64).ok());
        let at_work = self.device.threads_here();
        let by_each = expected.map(|all| all / at_work as u32);
        // A body that takes whole chunks may use threads of its own, which the pool's should not take cores from.
        let whole = self.work.kernel.host_variant().is_some_and(|variant| variant.whole_chunk);
        let team = lookouts.filter(|_| !whole).and_then(|lookouts| lookouts.team_for(by_each));
        let cutting = body::Cutting {
            pieces: *pieces,
            block: self.work.block,
            columns: self.work.columns,
            expected,
            stated: self.work.stated_time(chunk),
            team,
            alone: alone(awake),
            // Of a sum the pieces are the same wherever it runs.
            threads: self.device.threads(),
            worth_waking: expected.filter(|_| !awake).map_or(usize::MAX, |time| worth_waking(time, at_work)),
            pool: Some(pool),
            cancelling: self.work.cancelling,
            around: self.work.around,
        };
        let body::Ran { partial, blocks, contributed, worked, shared_out, by_team, incomplete } =
            run_in_place(name, self.work, chunk, cutting)?;
        self.each = (!chunk.is_empty()).then(|| worked.as_secs_f64() / chunk.len() as f64);
        let end = Instant::now();
        if let Some(lookouts) = lookouts
            && shared_out
        {
            if let Some(by_each) = by_each.filter(|_| by_team) {
                lookouts.team_took(by_each, end - start);
            }
            lookouts.stay(end - start);
        }
        let kernel = Some(Span::between(self.work.epoch, start, end));
        let steady = shared_out.then(|| Seconds(worked.as_secs_f64() / at_work as f64));
        self.done.push_back(Completed {
            kernel,
            steady,
            partial,
            blocks,
            contributed,
            incomplete,
            ..Completed::default()
        });
        Ok(())
    }

    fn complete(&mut self) -> Result<Completed, DeviceError> {
        self.done.pop_front().ok_or_else(|| nothing_in_flight(&self.device.name))
    }

    fn finish(&mut self) -> Result<PhaseTimes, DeviceError> {
        Ok(PhaseTimes::default())
    }
}

/// The error of a `complete` without a `submit`.
pub(super) fn nothing_in_flight(device: &str) -> DeviceError {
    DeviceError {
        device: device.to_owned(),
        phase: Phase::Kernel,
        chunk: None,
        message: "a chunk was awaited, but none is in flight".to_owned(),
    }
}

/// Runs a chunk in place, on the host's own arrays.
pub(super) fn run_in_place(
    device: &str,
    work: &Work<'_>,
    chunk: IterRange,
    cutting: body::Cutting<'_>,
) -> Result<body::Ran, DeviceError> {
    let fail =
        |message: String| DeviceError { device: device.to_owned(), phase: Phase::Kernel, chunk: Some(chunk), message };
    let Some(variant) = work.kernel.host_variant() else {
        return Err(fail(format!("kernel `{}` has no host variant", work.kernel.name())));
    };
    enum Held<'w> {
        Span(SpanMut<'w>),
        Scratch(Vec<u64>),
        Contributed(Vec<u64>, Reduction),
        Nothing,
    }
    let mut held = work
        .arguments
        .iter()
        .enumerate()
        .map(|(position, argument)| match argument.array() {
            Some(map) if body::reduced(work, position).is_some() => {
                let reduction = body::reduced(work, position);
                let copy = |reduction| Ok(Held::Contributed(body::identities(reduction, map.bytes())?, reduction));
                reduction.map_or(Ok(Held::Nothing), copy).map_err(fail)
            }
            Some(map) => match &map.memory {
                HostMemory::Write(array) => {
                    let rows = map.section(chunk, &work.shape).owned;
                    array.lend(map.byte_range(&rows)).map(Held::Span).map_err(|taken| fail(taken.to_string()))
                }
                HostMemory::Scratch => {
                    let rows = map.section(chunk, &work.shape).owned;
                    scratch(map.byte_range(&rows).len(), work.poison).map(Held::Scratch).map_err(fail)
                }
                HostMemory::Read(_) => Ok(Held::Nothing),
            },
            None => Ok(Held::Nothing),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let sections = work
        .arguments
        .iter()
        .zip(&mut held)
        .map(|(argument, held)| match argument {
            Argument::Scalar(scalar) => Section::Scalar(*scalar),
            Argument::Array(map) => {
                let section = map.section(chunk, &work.shape);
                let out = |bytes| Section::Out {
                    bytes,
                    first: map.first_element(section.owned.start),
                    row_len: map.row_len,
                    row_bytes: map.row_bytes(),
                    rows: map.rows_of(),
                };
                match (&map.memory, held) {
                    (HostMemory::Read(bytes), _) => Section::In {
                        bytes: &bytes[map.byte_range(&section.needed)],
                        first: map.first_element(section.needed.start),
                        row_len: map.row_len,
                    },
                    (_, Held::Contributed(words, reduction)) => Section::Reduced {
                        bytes: &mut bytemuck::cast_slice_mut(words)[..map.bytes()],
                        first: map.first_element(0),
                        row_len: map.row_len,
                        reduction: *reduction,
                    },
                    (_, Held::Span(span)) => out(&mut **span),
                    (_, Held::Scratch(words)) => {
                        out(&mut bytemuck::cast_slice_mut(words)[..map.byte_range(&section.owned).len()])
                    }
                    (_, Held::Nothing) => out(&mut []),
                }
            }
        })
        .collect();
    let mut ran = body::run(variant, work.reduction, chunk, sections, cutting).map_err(fail)?;
    for (position, held) in held.into_iter().enumerate() {
        if let Held::Contributed(words, _) = held {
            ran.contributed.push((position, words));
        }
    }
    Ok(ran)
}

/// Memory of `bytes` bytes, aligned for every element type.
///
/// # Errors
/// When the system refuses so much memory.
pub(crate) fn scratch(bytes: usize, poison: bool) -> Result<Vec<u64>, String> {
    let mut words: Vec<u64> = bytemuck::allocation::try_zeroed_vec(bytes.div_ceil(8))
        .map_err(|()| format!("out of memory: the system refuses {} of the host's memory", Bytes(bytes as u64)))?;
    if poison {
        words.fill(u64::MAX);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_are_worth_waking_for_longer_chunks() {
        let worth = |micros, threads| worth_waking(Duration::from_micros(micros), threads).min(threads);
        assert_eq!([0, 20, 80, 1000, 4000, 20_000, 200_000].map(|micros| worth(micros, 59)), [1, 4, 8, 32, 32, 32, 59]);
        assert_eq!([1000, 300, 80, 1].map(|micros| worth(micros, 15)), [15, 15, 8, 1]);
        assert_eq!(worth(1000, 1), 1);
        // With half or twice as many, or with all, a chunk takes longer, by this reckoning.
        for (micros, all) in [(100, 60), (1000, 60), (10_000, 60), (10_000, 200), (100, 15)] {
            let takes = |threads: usize| woken(Duration::from_micros(micros), threads).as_secs_f64();
            let best = worth(micros, all);
            assert!(takes(best) <= 1.01 * takes(best / 2), "{best}");
            assert!(takes(best) <= 1.01 * takes((2 * best).min(all)) && takes(best) <= takes(all), "{best}");
        }
    }
}
