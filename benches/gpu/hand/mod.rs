//! Whole loops beside CUDA by hand, in turns: what a program costs that knows its loop in advance, and what Apportion adds.
//!
//! Arrays are in the host's memory before and after. Both sides have the same arrays, in one process, and come in random order.
//! By hand, all that can be made in advance is made before the clock starts: streams, events, memory on GPUs and page-locked
//! memory of the host, and threads, which are awake. Apportion's threads sleep between loops; with `asleep`, each variant by
//! hand also runs with threads that do; with `awake`, each policy also runs with threads that are kept awake. Apportion's time is
//! from call to return. By hand there is no report, no check, no other device to go on when one fails, and each variant fits some
//! loops alone: the best of them is taken.
//!
//! - Page-locked arrays: `block` (one copy of each array, one kernel), `chunked-C` (C chunks on three streams), and on several
//!   GPUs `chunked-C-passed` (each GPU fetches a part of what all need, and passes it on to the others).
//! - Plain arrays: `pageable` (the driver copies), `registered` (page-locked within the clock), `staged-TxM` (T threads for each
//!   GPU, each with two page-locked slots of M MiB), and `staged-TxM-passed`.
//!
//! The rest is in `code` (kernels), `whole` and `staged` (the two ways of copying), `variants` (all of them).

mod code;
mod crew;
mod gpu;
mod job;
mod memory;
mod staged;
mod table;
mod variants;
mod whole;

use crate::Failed;
use crate::driver::ordinal;
use crate::loops::{LOOPS, once};
use apportion::kernel::{ElementType, Scalar};
use apportion::model::machine::DeviceKind;
use apportion::prelude::*;
use apportion_kernels::{Instance, Memory, find};
use crew::Waiting;
use cudarc::driver::CudaContext;
use job::Job;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::{Around, Line, Who};
use variants::{Team, Variant};

/// What a thread gives, or why it cannot.
type Sent<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Sizes that are over soon, with chunks, pieces and halos of all kinds: whether all is right, not how fast it is.
const QUICK: [(&str, usize); 7] = [
    ("axpy", 1_000_003),
    ("axpy", 10_000_000),
    ("sum", 3_000_001),
    ("matvec", 2048),
    ("matmul", 1024),
    ("stencil2d", 1024),
    ("bm2d", 512),
];
/// Apportion's policies; AUTO's trials are among its loops.
const POLICIES: [&str; 4] = ["BLOCK", "MODEL_2_AUTO", "SCHED_DYNAMIC", "AUTO"];

/// `gpu hand`, on the GPUs of this machine.
pub struct Options<'o> {
    pub memory: Memory,
    pub reps: usize,
    /// Small sizes, every repetition verified.
    pub quick: bool,
    /// Each variant by hand also with threads that sleep until the clock starts.
    pub asleep: bool,
    /// Each policy also with threads that are kept awake.
    pub awake: bool,
    /// Workloads as `NAME` or `NAME:SIZE`; all where it is empty.
    pub only: &'o [&'o str],
}

/// Prints times as CSV, and at the end ratios as Markdown on standard error.
pub fn run(rt: &Runtime, options: &Options<'_>) -> Failed {
    if options.reps == 0 {
        return Err("no loops: ask for one at least".into());
    }
    let gpus = rt.machine().enabled_devices().filter(|device| device.kind == DeviceKind::Cuda);
    let ids: Vec<usize> = gpus.map(|device| device.id).collect();
    if ids.is_empty() {
        return Err("the machine has no CUDA device".into());
    }
    let contexts: Vec<Arc<CudaContext>> =
        ids.iter().map(|&id| Ok(CudaContext::new(ordinal(rt, id)?)?)).collect::<Failed<_>>()?;
    let specifier = ids.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    println!("{}", table::HEADER);
    let mut lines = Vec::new();
    for (name, n) in wanted(options)? {
        let mut instance = find(&name)?.build_in(n, ElementType::F32, 1, options.memory)?;
        if options.memory == Memory::PageLocked && !instance.is_page_locked() {
            return Err(format!("the system does not let the arrays of {name} {n} be page-locked").into());
        }
        let all = in_turns(rt, &mut *instance, &contexts, &specifier, options)?;
        all.iter().for_each(|line| println!("{line}"));
        lines.extend(all);
    }
    eprint!("{}", table::ratios(&lines));
    if lines.iter().any(|line| !line.verified) { Err("a result is wrong".into()) } else { Ok(()) }
}

/// The loops that are asked for.
fn wanted(options: &Options<'_>) -> Failed<Vec<(String, usize)>> {
    let all = if options.quick { QUICK } else { LOOPS };
    let all = || all.into_iter().map(|(name, n)| (name.to_owned(), n));
    if options.only.is_empty() {
        return Ok(all().collect());
    }
    let mut wanted = Vec::new();
    for only in options.only {
        match only.split_once(':') {
            Some((name, n)) => wanted.push((name.to_owned(), n.parse()?)),
            None => {
                let known = find(only)?.name;
                wanted.extend(all().filter(|(name, _)| name == known));
            }
        }
    }
    Ok(wanted)
}

/// Who runs a loop, and how.
enum Entry {
    Hand(Variant, Waiting),
    Apportion(Policy),
    /// With threads that are kept awake.
    Awake(Policy),
}

impl Entry {
    fn called(&self) -> (Who, String) {
        match self {
            Self::Hand(variant, Waiting::Awake) => (Who::Hand, variant.to_string()),
            Self::Hand(variant, Waiting::Asleep) => (Who::Asleep, variant.to_string()),
            Self::Apportion(policy) => (Who::Apportion, policy.to_string()),
            Self::Awake(policy) => (Who::Awake, policy.to_string()),
        }
    }
}

/// A loop with those who run it.
struct Stage<'s> {
    rt: &'s Runtime,
    instance: &'s mut dyn Instance,
    specifier: &'s str,
    team: Team,
}

impl Stage<'_> {
    /// One loop, in ms, with its sum.
    fn once(&mut self, entry: &Entry) -> Failed<(f64, Option<Scalar>, Option<Around>)> {
        let (variant, waiting) = match entry {
            Entry::Hand(variant, waiting) => (*variant, *waiting),
            Entry::Apportion(policy) => return by_apportion(self.rt, self.instance, self.specifier, policy),
            Entry::Awake(policy) => {
                // As by hand, they are there when the clock starts, and do not disturb others.
                let _awake = self.rt.keep_awake();
                std::thread::sleep(COMING);
                return by_apportion(self.rt, self.instance, self.specifier, policy);
            }
        };
        let (name, iterations) = (self.instance.name(), self.instance.iterations());
        let reduces = self.instance.reduction().is_some();
        let bound = self.instance.bind();
        let done = Job::of(name, iterations, reduces, &bound).and_then(|job| self.team.run(&job, variant, waiting));
        let (time, sum) = done.map_err(|error| format!("{name} by hand, {variant}: {error}"))?;
        Ok((time.as_secs_f64() * 1e3, reduces.then_some(Scalar::F64(sum)), None))
    }

    /// A verified loop of each, which also warms up.
    fn first(&mut self, Options { memory, asleep, awake, .. }: &Options<'_>) -> Failed<Vec<(Entry, Line)>> {
        let policies: Vec<Policy> = POLICIES.into_iter().map(str::parse).collect::<Result<_>>()?;
        let ways: &[Waiting] = if *asleep { &[Waiting::Awake, Waiting::Asleep] } else { &[Waiting::Awake] };
        let both = |variant| ways.iter().map(move |&waiting| Entry::Hand(variant, waiting));
        let by_hand = self.team.variants.clone().into_iter().flat_map(both);
        let kept = policies.clone().into_iter().map(Entry::Awake).filter(|_| *awake);
        let mut lines = Vec::new();
        for entry in by_hand.chain(policies.into_iter().map(Entry::Apportion)).chain(kept) {
            match self.verified(&entry) {
                Ok((_, verified)) => {
                    let line = Line::new(&*self.instance, self.team.gpus(), *memory, entry.called(), verified);
                    lines.push((entry, line));
                }
                // What a machine does not allow, such as page-locking beyond a limit.
                Err(error) if matches!(entry, Entry::Hand(..)) => eprintln!("left out: {error}"),
                Err(error) => return Err(error),
            }
        }
        Ok(lines)
    }

    /// As `once` over poisoned outputs, and whether the result is right.
    fn verified(&mut self, entry: &Entry) -> Failed<(f64, bool)> {
        self.instance.reset();
        let (ms, sum, _) = self.once(entry)?;
        let verification = self.instance.verify(sum);
        if !verification.ok {
            eprintln!("{} {}, {}: {verification}", self.instance.name(), self.instance.n(), entry.called().1);
        }
        Ok((ms, verification.ok))
    }
}

fn by_apportion(
    rt: &Runtime,
    instance: &mut dyn Instance,
    specifier: &str,
    policy: &Policy,
) -> Failed<(f64, Option<Scalar>, Option<Around>)> {
    let start = Instant::now();
    let (report, sum) = once(rt, instance, specifier, policy, Cutoff::None)?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let pieces = || report.devices.iter().flat_map(|device| &device.pieces);
    let begins = pieces().filter_map(|piece| piece.to.or(piece.kernel)).map(|span| span.start.micros());
    let ends = pieces().filter_map(|piece| piece.from.or(piece.kernel)).map(|span| span.end.micros());
    let around = Around {
        begins: begins.fold(f64::INFINITY, f64::min),
        ends: ms * 1e3 - ends.fold(0.0, f64::max),
        pieces: report.devices.iter().map(|device| device.pieces.len()).max().unwrap_or(0),
    };
    Ok((ms, sum, Some(around)))
}

/// Variants and policies whose first run is shorter are run twice in a row, each time. The second run is not verified.
const SHORT_MS: f64 = 20.0;

/// In this time threads that were woken are there: of 60, the last after 1.7 ms (results/h200-limit-2026-11-26).
const COMING: Duration = Duration::from_millis(3);

/// All variants and policies of a loop, repeated.
fn in_turns(
    rt: &Runtime,
    instance: &mut dyn Instance,
    contexts: &[Arc<CudaContext>],
    specifier: &str,
    options: &Options<'_>,
) -> Failed<Vec<Line>> {
    // The runtime comes first: it loads the libraries that the programs by hand call.
    by_apportion(rt, instance, specifier, &Policy::Block)?;
    let team = team(instance, contexts, options.memory)?;
    let mut stage = Stage { rt, instance, specifier, team };
    let mut lines = stage.first(options)?;
    // Nobody always after the same other.
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..options.reps {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_cached_key(|_| random.next_u64());
        for index in order {
            let (entry, line) = &mut lines[index];
            if options.quick {
                let (ms, right) = stage.verified(entry)?;
                line.times.push(ms);
                line.verified &= right;
            } else {
                let (ms, _, around) = stage.once(entry)?;
                line.times.push(ms);
                line.around.extend(around);
                // Threads that are put to sleep do not follow at once.
                if line.times[0] < SHORT_MS && !matches!(entry, Entry::Hand(_, Waiting::Asleep)) {
                    line.again.push(stage.once(entry)?.0);
                }
            }
        }
    }
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

fn team(instance: &mut dyn Instance, contexts: &[Arc<CudaContext>], memory: Memory) -> Failed<Team> {
    let (name, iterations, reduces) = (instance.name(), instance.iterations(), instance.reduction().is_some());
    let bound = instance.bind();
    let team = Job::of(name, iterations, reduces, &bound).and_then(|job| Team::new(contexts, &job, memory));
    team.map_err(|error| format!("{name} by hand: {error}").into())
}
