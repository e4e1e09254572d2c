//! Threads of the host's pool that stay awake for a while after a short chunk.
//!
//! A pool's thread that finds no work sleeps within some 20 µs, and who has work next has to wake it: 5 µs and more of the
//! caller's time for each thread, 40 µs where the cores are a virtual machine's. A loop of short chunks, or short loops one
//! after another, would take several times as long for that. The threads look out for work themselves meanwhile, with the
//! pool's own means, and give way to whatever else wants their core.

use super::crew::{self, Apart};
use super::team::Team;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// How many things on this thread's stack others wait for: they must not be held up.
    static AT_WORK: Cell<usize> = const { Cell::new(0) };
}

/// While it lives, this thread does not begin to look out for work: what is below on its stack is waited for. It stays on its
/// thread.
pub struct AtWork(PhantomData<*const ()>);

impl AtWork {
    pub fn begin() -> Self {
        AT_WORK.set(AT_WORK.get() + 1);
        Self(PhantomData)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.set(AT_WORK.get() - 1);
    }
}

/// A thread that is asked to look out does so by then, unless something else has its core: then to ask often helps nobody.
const COMING: Duration = Duration::from_micros(200);
/// The same where most of them are there: what keeps the others seems to last, and each is asked and woken by itself.
const COMING_LATE: Duration = Duration::from_millis(5);
/// Chunks that are expected to take longer are worth waking who sleeps.
const SHORT: Duration = Duration::from_micros(500);
/// A chunk for the team that takes four times as long as expected, and so much more, was held up by a thread without a core.
const HELD_UP: Duration = Duration::from_micros(300);
/// For so long no other chunk goes to the team then; twice as long each time in a row, up to 256 times.
const DISTRUST: Duration = Duration::from_millis(10);

/// The threads of one pool.
pub struct Lookouts {
    since: Instant,
    /// When the last short chunk ended, in nanoseconds after `since`.
    last: Apart<AtomicU64>,
    /// When they were asked to, in the same way: to ask again before they can have come would only make them work.
    asked: Apart<AtomicU64>,
    /// How many look out now.
    awake: Apart<AtomicUsize>,
    /// Whether each does.
    threads: Vec<Apart<AtomicBool>>,
    /// Where they find a chunk.
    team: Team,
    /// Until when they do not, in nanoseconds after `since`.
    distrusted: AtomicU64,
    /// How many chunks in a row were held up.
    held_up: AtomicU32,
}

impl Lookouts {
    pub fn new(threads: usize) -> Self {
        Self {
            since: Instant::now(),
            last: Apart::default(),
            asked: Apart::default(),
            awake: Apart::default(),
            threads: (0..threads).map(|_| Apart::default()).collect(),
            team: Team::new(threads),
            distrusted: AtomicU64::new(0),
            held_up: AtomicU32::new(0),
        }
    }

    fn now(&self) -> u64 {
        self.since.elapsed().as_nanos() as u64
    }

    /// How long after a short chunk they stay awake.
    pub const fn patience() -> Duration {
        crew::lingers(true)
    }

    /// Whether most threads are awake, for all that is known.
    pub fn are_awake(&self) -> bool {
        2 * self.awake.0.load(Ordering::Relaxed) >= self.threads.len()
    }

    /// The threads as a team for a chunk that they are expected to take so long for: where all look out, or most do and it would
    /// be over before others are awake.
    pub fn team_for(&self, expected: Option<Duration>) -> Option<&Team> {
        let (awake, threads) = (self.awake.0.load(Ordering::Relaxed), self.threads.len());
        let short = || expected.is_some_and(|expected| expected <= SHORT);
        let there = awake + 1 >= threads || 4 * (awake + 1) >= 3 * threads && short();
        (there && self.now() >= self.distrusted.load(Ordering::Relaxed)).then_some(&self.team)
    }

    /// Notes what a chunk took the team. Where other programs, or other guests of a machine, take cores away, the pool does better:
    /// it gives parts to those that come for them one by one.
    pub fn team_took(&self, expected: Option<Duration>, took: Duration) {
        if took <= expected.unwrap_or_default().saturating_mul(4).saturating_add(HELD_UP) {
            self.held_up.store(0, Ordering::Relaxed);
            return;
        }
        let times = self.held_up.fetch_add(1, Ordering::Relaxed).min(8);
        let until = self.now() + (DISTRUST.as_nanos() as u64) * (1 << times);
        self.distrusted.store(until, Ordering::Relaxed);
    }

    /// Called on a thread of the pool when a chunk has ended that was so short that others may follow at once.
    pub fn stay(self: &Arc<Self>) {
        let now = self.now();
        self.last.0.store(now, Ordering::Relaxed);
        // The caller's thread is at work itself.
        let (awake, threads) = (self.awake.0.load(Ordering::Relaxed) + 1, self.threads.len());
        let coming = if 4 * awake >= 3 * threads { COMING_LATE } else { COMING };
        if awake < threads && now.saturating_sub(self.asked.0.load(Ordering::Relaxed)) > coming.as_nanos() as u64 {
            self.asked.0.store(now, Ordering::Relaxed);
            let all = Arc::clone(self);
            rayon::spawn_broadcast(move |thread| all.look_out(thread.index()));
        }
    }

    /// Until no chunk has ended for a while.
    fn look_out(&self, index: usize) {
        let Some(looks) = self.threads.get(index) else { return };
        if AT_WORK.get() > 0 || looks.0.swap(true, Ordering::Relaxed) {
            return;
        }
        self.awake.0.fetch_add(1, Ordering::Relaxed);
        let patience = Self::patience().as_nanos() as u64;
        let idle = |now: u64| now.saturating_sub(self.last.0.load(Ordering::Relaxed)) > patience;
        let mut seen = 0;
        while !idle(self.now()) {
            self.team.help(index, &mut seen);
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::yield_now();
            }
        }
        self.awake.0.fetch_sub(1, Ordering::Relaxed);
        looks.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks until it is so, for ten seconds at most.
    fn becomes(what: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        while !what() && start.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        what()
    }

    #[test]
    fn threads_look_out_after_a_chunk_find_work_meanwhile_and_leave() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let lookouts = Arc::new(Lookouts::new(4));
        let count = |lookouts: &Lookouts| lookouts.awake.0.load(Ordering::Relaxed);
        for _ in 0..20 {
            let looked = pool.install(|| {
                let _at_work = AtWork::begin();
                // Others come while this thread goes on; what it shares out is done.
                let looked = becomes(|| {
                    lookouts.stay();
                    count(&lookouts) == 3
                });
                let (a, b) = rayon::join(|| (0..1000u64).sum::<u64>(), || (0..1000u64).product::<u64>());
                assert_eq!((a, b), (499_500, 0));
                looked
            });
            assert!(looked, "{} of 3 threads look out", count(&lookouts));
            assert!(becomes(|| count(&lookouts) == 0), "{} threads still look out", count(&lookouts));
        }
    }

    #[test]
    fn those_who_look_out_take_part_in_a_chunk() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let lookouts = Arc::new(Lookouts::new(3));
        assert!(lookouts.team_for(Some(Duration::ZERO)).is_none());
        let helped = AtomicBool::new(false);
        pool.install(|| {
            let (_at_work, here) = (AtWork::begin(), rayon::current_thread_index());
            let comes = || {
                lookouts.stay();
                let Some(team) = lookouts.team_for(None) else { return false };
                let start = Instant::now();
                team.share(here.unwrap(), &|_| {
                    if rayon::current_thread_index() != here {
                        helped.store(true, Ordering::Relaxed);
                    }
                    while !helped.load(Ordering::Relaxed) && start.elapsed() < Duration::from_millis(100) {
                        std::thread::yield_now();
                    }
                });
                helped.load(Ordering::Relaxed)
            };
            assert!(becomes(comes), "nobody helps");
        });
    }

    #[test]
    fn a_team_that_was_held_up_gets_no_chunk_for_a_while() {
        let lookouts = Lookouts::new(1);
        let (each, long) = (Some(Duration::from_micros(100)), Duration::from_secs(1));
        lookouts.team_took(each, Duration::from_micros(700));
        assert!(lookouts.team_for(each).is_some());
        let until = || Duration::from_nanos(lookouts.distrusted.load(Ordering::Relaxed));
        for times in [1, 2, 4, 8] {
            let before = lookouts.since.elapsed();
            lookouts.team_took(each, long);
            assert!(until() >= before + times * DISTRUST && until() <= lookouts.since.elapsed() + times * DISTRUST);
        }
        assert!(lookouts.team_for(each).is_none() || lookouts.since.elapsed() >= until());
        lookouts.team_took(None, Duration::from_micros(300));
        lookouts.team_took(None, long);
        assert!(until() <= lookouts.since.elapsed() + DISTRUST);
        assert!(becomes(|| lookouts.team_for(None).is_some()));
        for _ in 0..100 {
            lookouts.team_took(None, long);
        }
        assert!(until() <= lookouts.since.elapsed() + 256 * DISTRUST);
    }

    #[test]
    fn a_thread_at_work_does_not_begin_to_look_out() {
        let lookouts = Lookouts::new(1);
        lookouts.last.0.store(u64::MAX, Ordering::Relaxed);
        let at_work = AtWork::begin();
        // Else it would not return.
        lookouts.look_out(0);
        drop(at_work);
        lookouts.last.0.store(0, Ordering::Relaxed);
        assert!(becomes(|| lookouts.since.elapsed() > Lookouts::patience()));
        lookouts.look_out(0);
        assert!(!lookouts.threads[0].0.load(Ordering::Relaxed) && !lookouts.are_awake());
    }
}
