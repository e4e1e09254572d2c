//! The hand-out of chunks with many proxies at one lock, as the runtime has it.

use apportion::model::{DeviceCost, LoopProfile};
use apportion::prelude::*;
use apportion::sched::{ChunkSize, Handout, Next, Problem};
use apportion::space::{IterRange, Slot};
use apportion::times::PhaseTimes;
use apportion::units::Seconds;
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;

/// What one contended run took.
#[derive(Clone, Copy, Debug)]
pub struct HandoutTime {
    /// From the first request to the last chunk's finish, over the number of chunks.
    pub per_chunk: Seconds,
}

/// `proxies` threads ask for chunks of one iteration as fast as they can, and run nothing.
///
/// Each chunk takes the lock twice, once to be handed out and once to be finished.
///
/// # Panics
/// When a chunk was lost.
pub fn contended(proxies: usize, chunks: u64) -> HandoutTime {
    let costs = vec![DeviceCost { kernel: Seconds(1e-9), shared: true, ..DeviceCost::default() }; proxies];
    let profile = LoopProfile { iterations: chunks, ..LoopProfile::default() };
    let problem = Problem::new(chunks, &costs, &profile);
    let scheduler =
        Policy::Dynamic { chunk: ChunkSize::Count(1) }.start(&problem).expect("SCHED_DYNAMIC takes any loop");
    let shared = Mutex::new(Handout::new(IterRange::new(0, chunks), 1, scheduler, proxies));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let ready = Barrier::new(proxies + 1);
    let times = PhaseTimes::default();
    let start = std::thread::scope(|scope| {
        for proxy in 0..proxies {
            let (lock, ready) = (&lock, &ready);
            scope.spawn(move || {
                ready.wait();
                loop {
                    let next = lock().next(Slot(proxy));
                    match next {
                        Next::Run(chunk) => lock().finished(Slot(proxy), chunk, &times),
                        // Others still hold chunks; a real proxy would sleep until they are done.
                        Next::WaitForOthers | Next::Done => break,
                    }
                }
            });
        }
        ready.wait();
        Instant::now()
    });
    let elapsed = Seconds::from(start.elapsed());
    assert_eq!(lock().unfinished(), 0, "every chunk was handed out and finished");
    HandoutTime { per_chunk: elapsed / chunks as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_is_handed_out_however_many_ask() {
        for proxies in [1, 2, 16] {
            assert!(contended(proxies, 1000).per_chunk > Seconds::ZERO);
        }
    }
}
