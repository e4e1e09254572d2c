//! A loop without arrays, beside launches and synchronisations by hand.

use super::driver::{function, ordinal};
use super::{Failed, quartiles};
use apportion::kernel::DeviceSource;
use apportion::prelude::*;
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const SOURCE: &str = "extern \"C\" __global__ void empty(long lo, long hi) {}";
const ROUNDS: usize = 40;
const IN_A_ROUND: usize = 50;

/// The kernel on one GPU, by hand.
struct Raw {
    function: CudaFunction,
    stream: Arc<CudaStream>,
}

impl Raw {
    fn new(gpu: usize) -> Failed<Self> {
        let context = CudaContext::new(gpu)?;
        let function = function(&context, SOURCE, "empty", "")?;
        Ok(Self { function, stream: context.new_stream()? })
    }

    fn launch(&self) -> Result<(), DriverError> {
        let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: the kernel takes two numbers and touches no memory.
        unsafe { self.stream.launch_builder(&self.function).arg(&0i64).arg(&1i64).launch(shape) }.map(drop)
    }

    fn synchronize(&self) -> Result<(), DriverError> {
        self.stream.synchronize()
    }
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

/// One thread launches on all, then waits for all.
fn by_one(raws: &[Raw]) -> Failed<f64> {
    let start = Instant::now();
    raws.iter().try_for_each(Raw::launch)?;
    raws.iter().try_for_each(Raw::synchronize)?;
    Ok(micros(start))
}

/// Times of launches by a thread for each, all of which are awake before and after: as fast as threads can be told.
fn by_a_thread_each(raws: &[Raw], times: usize) -> Failed<Vec<f64>> {
    let Some((mine, others)) = raws.split_first() else { return Ok(Vec::new()) };
    let (round, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter()
            .map(|raw| {
                let (round, done) = (&round, &done);
                scope.spawn(move || {
                    let mut failed = Ok(());
                    for turn in 1..=times {
                        while round.load(Ordering::Acquire) < turn {
                            std::hint::spin_loop();
                        }
                        // The first failure is told at the end; until then nobody waits for it in vain.
                        if failed.is_ok() {
                            failed = raw.launch().and_then(|()| raw.synchronize());
                        }
                        done.fetch_add(1, Ordering::Release);
                    }
                    failed
                })
            })
            .collect();
        let mut taken = Vec::with_capacity(times);
        let mut failed = Ok(());
        for turn in 1..=times {
            let start = Instant::now();
            round.store(turn, Ordering::Release);
            if failed.is_ok() {
                failed = mine.launch().and_then(|()| mine.synchronize());
            }
            while done.load(Ordering::Acquire) < turn * others.len() {
                std::hint::spin_loop();
            }
            taken.push(micros(start));
        }
        for thread in threads {
            failed = failed.and(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        failed?;
        Ok(taken)
    })
}

/// `gpu empty`, on these GPUs.
pub fn run(rt: &Runtime, ids: &[usize]) -> Failed {
    println!("what,gpus,median_us,lower_quartile_us,upper_quartile_us,times_raw");
    // SAFETY: the kernel stays within the sections that it is given.
    let empty =
        Kernel::new("empty").cuda_source(unsafe { DeviceSource::new(SOURCE, "empty", Grid::per_iteration(32)) });
    let counts: Vec<usize> = [1, 2, 4, 8].into_iter().filter(|&count| count <= ids.len()).collect();
    let specifiers: Vec<String> =
        counts.iter().map(|&count| ids[..count].iter().map(usize::to_string).collect::<Vec<_>>().join(",")).collect();
    // The runtime finds NVRTC where it is, and loads it for both.
    rt.parallel_for(0..1u64, empty.bind()).devices(ids[0].to_string()).policy(Policy::Block).run()?;
    // By hand on the same ones.
    let used = &ids[..counts.last().copied().unwrap_or(0)];
    let raws: Vec<Raw> = used.iter().map(|&id| Raw::new(ordinal(rt, id)?)).collect::<Failed<_>>()?;
    // By count: by one thread, by a thread each, by the runtime.
    let mut times = vec![[const { Vec::new() }; 3]; counts.len()];
    for round in 0..=ROUNDS {
        for ((&count, specifier), times) in counts.iter().zip(&specifiers).zip(&mut times) {
            let raws = &raws[..count];
            let mut taken = [Vec::new(), by_a_thread_each(raws, IN_A_ROUND)?, Vec::new()];
            for _ in 0..IN_A_ROUND {
                taken[0].push(by_one(raws)?);
            }
            for _ in 0..IN_A_ROUND {
                let start = Instant::now();
                let run = rt.parallel_for(0..count as u64, empty.bind()).devices(specifier).policy(Policy::Block);
                run.run()?;
                taken[2].push(micros(start));
            }
            // The first round warms up.
            if round > 0 {
                times.iter_mut().zip(taken).for_each(|(times, taken)| times.extend(taken));
            }
        }
    }
    let mut raw = None;
    for (count, times) in counts.iter().zip(times) {
        let names = ["raw launch and synchronise", "raw launch and synchronise by a thread each", "empty loop"];
        for (what, times) in names.into_iter().zip(times) {
            let [median, low, high] = quartiles(times);
            let raw = *raw.get_or_insert(median);
            println!("{what},{count},{median:.2},{low:.2},{high:.2},{:.3}", median / raw);
        }
    }
    Ok(())
}
