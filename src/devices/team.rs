//! One job for all threads of a pool that look out for work at that moment.
//!
//! A pool shares work out as a tree: a thread that has work puts half of it where others look, and each thread that finds some
//! wakes the next. Threads that are awake and poll all of those places keep taking their cache lines from one another. Here they
//! poll one number, and take part in the job that it stands for. results/h200-x4-2026-11-22 has both, with sixty threads.
#![allow(unsafe_code, reason = "lends what the caller borrows to threads that it waits for")]

use super::crew::Apart;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The function that each thread runs, with its number in the team.
type Job<'j> = &'j (dyn Fn(usize) + Sync);

/// The place of a job, and which threads are running it.
pub struct Team {
    /// Odd while there is a job; a different number for each job.
    round: Apart<AtomicU64>,
    /// Points to the caller's `Job`, while there is one.
    job: AtomicPtr<()>,
    /// By thread: whether the thread uses the job.
    inside: Vec<Apart<AtomicBool>>,
    /// Held by the thread whose job is there.
    caller: Mutex<()>,
    /// The first panic of a thread that took part.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Takes the job away and waits for the threads that run it, on every path.
struct Closing<'t>(&'t Team);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let Self(team) = self;
        // Sequentially consistent with the threads: a thread not seen inside below has seen that the job is gone.
        team.round.0.fetch_add(1, Ordering::SeqCst);
        for inside in &team.inside {
            let mut looks = 0_u32;
            while inside.0.load(Ordering::SeqCst) {
                looks = looks.saturating_add(1);
                // That thread's core may run another program for a while. A guest of a virtual machine that spins by `spin_loop`
                // may lose its own core. What that thread does in parallel, or asks of all threads, may need this thread.
                if looks > 100 && rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::thread::yield_now();
                }
            }
        }
        team.job.store(ptr::null_mut(), Ordering::Relaxed);
    }
}

impl Team {
    pub fn new(threads: usize) -> Self {
        Self {
            round: Apart::default(),
            job: AtomicPtr::default(),
            inside: (0..threads).map(|_| Apart::default()).collect(),
            caller: Mutex::default(),
            panic: Mutex::default(),
        }
    }

    /// Runs the job as thread `index` of the team, together with the threads that look out now, and returns when none of them runs
    /// it any more. No other thread may come, and one thread may come twice. So when the job returns on one thread, everything must
    /// be done except parts that other threads are still running.
    ///
    /// # Panics
    /// If the job panics, on this thread or another.
    pub fn share(&self, index: usize, job: Job<'_>) {
        let caller = match self.caller.try_lock() {
            Ok(caller) => caller,
            // A panic leaves the team in the same state as any job.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return job(index),
        };
        *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.job.store(ptr::from_ref(&job).cast_mut().cast(), Ordering::Relaxed);
        self.round.0.fetch_add(1, Ordering::SeqCst);
        let closing = Closing(self);
        job(index);
        drop(closing);
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(caller);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.inside.len()
    }

    /// Takes part in the current job as thread `index` of the team, unless it is `seen`, the last one that the thread took part in.
    pub fn help(&self, index: usize, seen: &mut u64) {
        let round = self.round.0.load(Ordering::Relaxed);
        if round.is_multiple_of(2) || round == *seen {
            return;
        }
        *seen = round;
        let Some(inside) = self.inside.get(index) else { return };
        inside.0.store(true, Ordering::SeqCst);
        if self.round.0.load(Ordering::SeqCst) == round {
            // SAFETY: the job was stored before this round began. The round was not over after this thread set `inside`, so the
            // caller waits for this thread, and what it lends stays valid until then.
            let job: Job<'_> = unsafe { *self.job.load(Ordering::Relaxed).cast::<Job<'_>>() };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(index))) {
                self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
            }
        }
        // The last use of anything lent.
        inside.0.store(false, Ordering::Release);
    }
}

/// Distributes numbered items among the threads of a team: each thread takes its own items in order, and then what is left of
/// others' items. One shared counter would move from core to core with each item, which takes as long as a short item.
pub struct Turns(Vec<Apart<Turn>>);

struct Turn {
    next: AtomicUsize,
    end: usize,
}

impl Turns {
    /// Distributes `count` items.
    pub fn new(count: usize, threads: usize) -> Self {
        let bound = |k: usize| (count as u128 * k as u128 / threads.max(1) as u128) as usize;
        let turn = |k| Apart(Turn { next: AtomicUsize::new(bound(k)), end: bound(k + 1) });
        Self((0..threads.max(1)).map(turn).collect())
    }

    /// The next item for thread `index`; `None` when all items have been begun.
    pub fn next(&self, index: usize) -> Option<usize> {
        let (before, own) = self.0.split_at(index % self.0.len());
        own.iter().chain(before).find_map(|Apart(turn)| {
            let left = turn.next.load(Ordering::Relaxed) < turn.end;
            left.then(|| turn.next.fetch_add(1, Ordering::Relaxed)).filter(|next| *next < turn.end)
        })
    }
}

/// Runs `test` while `threads` look out.
#[cfg(test)]
pub fn with_team(threads: usize, test: impl FnOnce(&Team)) {
    let (team, over) = (Team::new(threads), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for index in 0..threads {
            let (team, over) = (&team, &over);
            scope.spawn(move || {
                let mut seen = 0;
                while !over.load(Ordering::Relaxed) {
                    team.help(index, &mut seen);
                    std::thread::yield_now();
                }
            });
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| test(&team)));
        over.store(true, Ordering::Relaxed);
        outcome.unwrap_or_else(|panic| resume_unwind(panic));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn all_is_done_once_and_nobody_is_at_it_when_it_returns() {
        with_team(3, |team| {
            let helped = AtomicUsize::new(0);
            let start = Instant::now();
            let mut rounds = 0;
            // Until others have helped: nothing can force them to.
            while rounds < 2000 || helped.load(Ordering::Relaxed) < 50 && start.elapsed() < Duration::from_secs(20) {
                rounds += 1;
                let parts: Vec<AtomicUsize> = (0..40).map(|_| AtomicUsize::new(0)).collect();
                let (turns, here) = (Turns::new(parts.len(), 3), std::thread::current().id());
                team.share(0, &|index| {
                    while let Some(part) = turns.next(index) {
                        parts[part].fetch_add(1, Ordering::Relaxed);
                        if std::thread::current().id() != here {
                            helped.fetch_add(1, Ordering::Relaxed);
                        } else if rounds % 100 == 0 {
                            std::thread::sleep(Duration::from_micros(100));
                        }
                    }
                });
                // Each part ran once, and no thread touches `parts` any more.
                assert!(parts.into_iter().all(|part| part.into_inner() == 1));
            }
            assert!(helped.into_inner() >= 50);
        });
    }

    #[test]
    fn a_panic_here_or_there_reaches_the_caller_and_leaves_nobody_behind() {
        with_team(2, |team| {
            let here = std::thread::current().id();
            for elsewhere in [false, true] {
                let panics = || {
                    let came = AtomicBool::new(false);
                    team.share(0, &|_| {
                        let there = std::thread::current().id() != here;
                        if there == elsewhere {
                            came.store(true, Ordering::Relaxed);
                            panic!("on purpose");
                        }
                        let start = Instant::now();
                        while !there && !came.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(20) {
                            std::thread::yield_now();
                        }
                    });
                };
                let panic = catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
                assert_eq!(panic.downcast_ref(), Some(&"on purpose"));
                // The team still works: others take part again.
                let (come, start) = (AtomicBool::new(false), Instant::now());
                team.share(0, &|_| {
                    come.fetch_or(std::thread::current().id() != here, Ordering::Relaxed);
                    while !come.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(20) {
                        std::thread::yield_now();
                    }
                });
                assert!(come.into_inner());
            }
        });
    }

    #[test]
    fn turns_are_everybodys_and_each_is_had_once() {
        for (count, threads) in [(0, 1), (1, 4), (5, 2), (7, 3), (3, 0), (240, 60)] {
            // One thread alone, any of them.
            for index in 0..threads + 2 {
                let turns = Turns::new(count, threads);
                let mut had: Vec<_> = std::iter::from_fn(|| turns.next(index)).collect();
                had.sort_unstable();
                assert_eq!(had, (0..count).collect::<Vec<_>>(), "{count}, {threads}, {index}");
            }
            // All in turn.
            let turns = Turns::new(count, threads);
            let mut had: Vec<_> = (0..threads.max(1)).cycle().map_while(|index| turns.next(index)).collect();
            had.sort_unstable();
            assert_eq!(had, (0..count).collect::<Vec<_>>(), "{count}, {threads}");
        }
    }

    #[test]
    fn a_job_within_a_job_is_the_callers_own() {
        with_team(2, |team| {
            let inner = AtomicUsize::new(0);
            let outer = AtomicUsize::new(0);
            team.share(0, &|_| {
                outer.fetch_add(1, Ordering::Relaxed);
                team.share(0, &|_| _ = inner.fetch_add(1, Ordering::Relaxed));
            });
            assert_eq!(inner.into_inner(), outer.into_inner());
        });
    }
}
