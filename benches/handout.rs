//! The hand-out of chunks with many proxies at one lock, as the runtime has it.

use apportion::model::{DeviceCost, LoopProfile};
use apportion::prelude::*;
use apportion::sched::{ChunkSize, Handout, Next, Problem};
use apportion::space::{IterRange, Slot};
use apportion::times::PhaseTimes;
use apportion::units::Seconds;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;

/// `proxies` threads ask for chunks of one iteration as fast as they can, and run nothing.
///
/// Each chunk takes the lock twice, once to be handed out and once to be finished. With `turns` a proxy gives way to the
/// others after each chunk: where there are fewer CPUs than proxies, they would contend in time slices only.
///
/// Returns the time from the first request to the last chunk's finish, over the number of chunks.
///
/// # Panics
/// When a chunk was lost.
pub fn contended(proxies: usize, chunks: u64, turns: bool) -> Seconds {
    let costs = vec![DeviceCost { kernel: Seconds(1e-9), shared: true, ..DeviceCost::default() }; proxies];
    let profile = LoopProfile { iterations: chunks, ..LoopProfile::default() };
    let problem = Problem::new(chunks, &costs, &profile);
    let scheduler =
        Policy::Dynamic { chunk: ChunkSize::Count(1) }.start(&problem).expect("SCHED_DYNAMIC takes any loop");
    let shared = Mutex::new(Handout::new(IterRange::new(0, chunks), 1, scheduler, proxies));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let times = PhaseTimes::default();
    let elapsed = all_at_once(proxies, turns, |proxy| {
        let next = lock().next(Slot(proxy));
        match next {
            Next::Run(chunk) => {
                lock().finished(Slot(proxy), chunk, &times, 1);
                true
            }
            // Others still hold chunks; a real proxy would sleep until they are done.
            Next::WaitForOthers | Next::Done => false,
        }
    });
    assert_eq!(lock().unfinished(), 0, "every chunk was handed out and finished");
    elapsed / chunks as f64
}

/// The same number of turns of as many threads, in which one number is counted up: what taking turns costs alone.
pub fn turns_alone(proxies: usize, chunks: u64) -> Seconds {
    let next = AtomicU64::new(0);
    all_at_once(proxies, true, |_| next.fetch_add(1, Ordering::Relaxed) < chunks) / chunks as f64
}

/// Calls `step` on so many threads until it is false there. From the first thread's first call to the last one's end.
///
/// Each thread reads the clock itself: one that only waits for them would be woken after they have begun, and where
/// there are fewer CPUs than threads, long after.
fn all_at_once(threads: usize, turns: bool, step: impl Fn(usize) -> bool + Sync) -> Seconds {
    let ready = Barrier::new(threads);
    let spans: Vec<(Instant, Instant)> = std::thread::scope(|scope| {
        let spawned: Vec<_> = (0..threads)
            .map(|thread| {
                let (step, ready) = (&step, &ready);
                scope.spawn(move || {
                    ready.wait();
                    let first = Instant::now();
                    while step(thread) {
                        if turns {
                            std::thread::yield_now();
                        }
                    }
                    (first, Instant::now())
                })
            })
            .collect();
        spawned.into_iter().map(|thread| thread.join().expect("the step does not panic")).collect()
    });
    let first = spans.iter().map(|(first, _)| *first).min();
    let last = spans.iter().map(|(_, last)| *last).max();
    first.zip(last).map_or(Seconds::ZERO, |(first, last)| (last - first).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_is_handed_out_however_many_ask() {
        for proxies in [1, 2, 16] {
            assert!(contended(proxies, 1000, proxies == 2) > Seconds::ZERO);
        }
    }

    #[test]
    fn every_step_is_timed_however_late_the_caller_is_woken() {
        const NAP: std::time::Duration = std::time::Duration::from_millis(1);
        for threads in [1, 16] {
            let left = AtomicU64::new(20);
            let step = |_| {
                let had = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
                // One thread at a time: this is how long all steps take together.
                static TURN: Mutex<()> = Mutex::new(());
                had.inspect(|_| {
                    let _turn = TURN.lock();
                    std::thread::sleep(NAP);
                })
                .is_ok()
            };
            assert!(all_at_once(threads, false, step) >= Seconds::from(20 * NAP));
        }
    }
}
