//! Threads that start together: made before the clock starts, and awake by then or not.

use super::Sent;
use cudarc::driver::CudaContext;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How threads wait for the clock to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// They look all the time, as in a program that has nothing else to do.
    Awake,
    /// They sleep until they are woken, as those of a library must: the first by the caller, each other by one that is awake.
    Asleep,
}

/// So long after the last thread is ready, those that sleep do.
const SETTLES: Duration = Duration::from_millis(2);

/// Looks before a waiting thread yields to others: they are there where threads are more than cores.
const LOOKS: usize = 10_000;

/// A thread's GPU, and what it does on it; it gives its part of a sum.
pub type Task<'t> = (Arc<CudaContext>, Box<dyn FnOnce() -> Sent<f64> + Send + 't>);

/// Runs all tasks at once, one thread each. From the start of all to the end of the last, and the sum of what they give.
///
/// # Errors
/// The first task's error, or that there are not enough threads.
pub fn timed(tasks: Vec<Task<'_>>, waiting: Waiting) -> Sent<(Duration, f64)> {
    let (ready, go, cancelled) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicBool::new(false));
    let (wanted, all) = (tasks.len(), OnceLock::new());
    std::thread::scope(|scope| {
        let (ready, go) = (&ready, &go);
        let (cancelled, all) = (&cancelled, &all);
        let begin = |place, task| {
            let asleep = (waiting == Waiting::Asleep).then_some((place, all));
            std::thread::Builder::new().spawn_scoped(scope, move || one(task, ready, go, cancelled, asleep))
        };
        let mut threads = Vec::with_capacity(wanted);
        let mut refused = None;
        for (place, task) in tasks.into_iter().enumerate() {
            match begin(place, task) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    // Tasks may wait for one another, so none begins where one is missing.
                    cancelled.store(true, Ordering::Relaxed);
                    refused = Some(error);
                    break;
                }
            }
        }
        wait_until(|| ready.load(Ordering::Acquire) == threads.len());
        let sleepers = all.get_or_init(|| threads.iter().map(|thread| thread.thread().clone()).collect::<Vec<_>>());
        let settles = Instant::now();
        wait_until(|| waiting == Waiting::Awake || settles.elapsed() >= SETTLES);
        let start = Instant::now();
        go.store(true, Ordering::Release);
        if let Some(first) = sleepers.first().filter(|_| waiting == Waiting::Asleep) {
            first.unpark();
        }
        if let Some(error) = refused {
            return Err(format!("the system gives no thread for each task: {error}").into());
        }
        let (mut last, mut sum, mut failed) = (start, 0.0, None);
        for thread in threads {
            let (end, done) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            last = last.max(end);
            match done {
                Ok(part) => sum += part,
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok((last - start, sum)), Err)
    })
}

/// Even a thread whose GPU cannot be used does its task, which then fails: others may wait for it.
fn one(
    (context, task): Task<'_>,
    ready: &AtomicUsize,
    go: &AtomicBool,
    cancelled: &AtomicBool,
    asleep: Option<(usize, &OnceLock<Vec<Thread>>)>,
) -> (Instant, Sent<f64>) {
    let bound = context.bind_to_thread();
    ready.fetch_add(1, Ordering::Release);
    let gone = || go.load(Ordering::Acquire);
    match asleep {
        None => wait_until(gone),
        Some((place, all)) => {
            while !gone() {
                std::thread::park();
            }
            // One thread that wakes all others would take as long as a short loop.
            let others = all.get().into_iter().flatten().skip(2 * place + 1).take(2);
            others.for_each(Thread::unpark);
        }
    }
    if cancelled.load(Ordering::Relaxed) {
        return (Instant::now(), Ok(0.0));
    }
    let done = task();
    (Instant::now(), bound.map_err(Into::into).and(done))
}

fn wait_until(there: impl Fn() -> bool) {
    let mut looks = 0;
    while !there() {
        looks += 1;
        if looks < LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}
