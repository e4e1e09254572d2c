//! Threads of the host's pool that stay awake for a while after a short chunk, or while they are asked to.
//!
//! A pool's thread that finds no work sleeps within some 20 µs. The thread that has work next must then wake it, at a cost of 5 µs
//! and more of its time for each thread, 40 µs on the cores of a virtual machine. That would make a loop of short chunks, or short
//! loops one after another, several times as long. Instead, the threads keep looking out for work, with the pool's own means, and
//! yield to anything else that wants their core.

use super::crew::{self, Apart, Vigil};
use super::team::Team;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    /// How many tasks on this thread's stack others wait for. These tasks must not be held up.
    static AT_WORK: Cell<usize> = const { Cell::new(0) };
}

/// While this exists, its thread does not begin to look out for work, because others wait for a task further down its stack. It
/// must stay on its thread.
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

/// A thread that is asked to look out does so within this time, unless its core is taken. Asking again sooner does not help.
const COMING: Duration = Duration::from_micros(200);
/// The same where most threads have come: whatever holds up the others seems to last, and each costs a request and a wake-up.
const COMING_LATE: Duration = Duration::from_millis(5);
/// Chunks that are expected to take longer than this are worth waking sleeping threads for.
const SHORT: Duration = Duration::from_micros(500);
/// Threads that are awake when a chunk begins stay so to its end if it is expected to take no longer than this. The tree by which
/// the pool hands out a chunk takes 20 to 30 µs before its first piece runs, on 15 threads of a virtual machine, a team almost
/// none (results/h200-sooner-2026-11-26); for longer chunks that is not worth polling threads.
const LONG: Duration = Duration::from_millis(4);
/// A team's chunk that takes four times its expected time plus this was held up by a thread that lost its core.
const HELD_UP: Duration = Duration::from_micros(300);
/// For this long no other chunk then goes to the team. It doubles with each held-up chunk in a row, to 256 times as long at most.
const DISTRUST: Duration = Duration::from_millis(10);

/// Chunks that follow one another within this time are worth waking all threads for, as more are likely to come.
const IN_A_ROW: Duration = Duration::from_millis(2);

/// The threads of one pool.
pub struct Lookouts {
    since: Instant,
    /// When the last chunk that threads stay awake for ended or is expected to end, or a loop was announced; in nanoseconds after
    /// `since`.
    last: Apart<AtomicU64>,
    /// When the last short chunk ended, likewise.
    ended: Apart<AtomicU64>,
    /// When the threads were last asked to look out, likewise. Asking again before they can have come would only add work.
    asked: Apart<AtomicU64>,
    /// How many threads look out now.
    awake: Apart<AtomicUsize>,
    /// By thread: whether it looks out.
    threads: Vec<Apart<AtomicBool>>,
    /// The team through which they find a chunk.
    team: Team,
    /// Until when the team gets no chunk, in nanoseconds after `since`.
    distrusted: AtomicU64,
    /// How many of the team's last chunks in a row were held up.
    held_up: AtomicU32,
    /// Whether they stay awake after a short chunk though nobody asks them to.
    by_themselves: bool,
    /// While it is kept, all of them look out until further notice.
    vigil: Vigil,
    /// How many loops run on other threads on the same cores, for which these are to sleep.
    yielding: Apart<AtomicUsize>,
    /// Whether the last loop had threads of other devices on these cores: then these do not stay awake, though asked to.
    dismissed: Apart<AtomicBool>,
}

/// While it lives, the threads sleep although they are asked to stay awake: others work on their cores.
pub struct Yielding<'l>(&'l Arc<Lookouts>, &'l rayon::ThreadPool);

impl Drop for Yielding<'_> {
    fn drop(&mut self) {
        self.0.yielding.0.fetch_sub(1, Ordering::SeqCst);
        if self.0.stay_awake() {
            self.0.ask(self.1, self.0.now());
        }
    }
}

impl Lookouts {
    /// For so many threads. They stay awake after a short chunk only `by_themselves`, and while `vigil` is kept in any case.
    pub fn new(threads: usize, by_themselves: bool, vigil: Vigil) -> Self {
        Self {
            since: Instant::now(),
            last: Apart::default(),
            ended: Apart::default(),
            asked: Apart::default(),
            awake: Apart::default(),
            threads: (0..threads).map(|_| Apart::default()).collect(),
            team: Team::new(threads),
            distrusted: AtomicU64::new(0),
            held_up: AtomicU32::new(0),
            by_themselves,
            vigil,
            yielding: Apart::default(),
            dismissed: Apart::default(),
        }
    }

    /// Such threads that stay awake while `vigil` is kept.
    pub fn watched(&self, vigil: Vigil) -> Self {
        Self::new(self.threads.len(), self.by_themselves, vigil)
    }

    fn now(&self) -> u64 {
        self.since.elapsed().as_nanos() as u64
    }

    /// How long the threads stay awake after a short chunk.
    pub const fn patience() -> Duration {
        crew::lingers(true)
    }

    /// Whether the threads look out until further notice.
    fn stay_awake(&self) -> bool {
        let hindered = || self.dismissed.0.load(Ordering::SeqCst) || self.yielding.0.load(Ordering::SeqCst) > 0;
        self.vigil.is_kept() && !hindered()
    }

    /// Before a loop: other devices' threads may run on these cores, and would be in the way of threads that poll, and they of them.
    /// If the device has no `part` in the loop, its threads sleep at once, else as without being asked to stay awake.
    pub fn dismiss(&self, part: bool) {
        self.dismissed.0.store(true, Ordering::SeqCst);
        if !part {
            self.last.0.store(0, Ordering::Relaxed);
        }
    }

    /// Before a loop in which the cores are theirs: they may stay awake.
    pub fn admit(&self) {
        self.dismissed.0.store(false, Ordering::SeqCst);
    }

    /// Wakes those threads of `pool`, these, that sleep, as somebody asks them to stay awake.
    pub fn wake(self: &Arc<Self>, pool: &rayon::ThreadPool) {
        self.admit();
        // Those that are counted look once more before they sleep, and see what was stored before.
        if self.awake.0.load(Ordering::SeqCst) < self.threads.len() {
            self.ask(pool, self.now());
        }
    }

    fn ask(self: &Arc<Self>, pool: &rayon::ThreadPool, now: u64) {
        self.asked.0.store(now, Ordering::Relaxed);
        let all = Arc::clone(self);
        pool.spawn(|| rayon::spawn_broadcast(move |thread| all.look_out(thread.index())));
    }

    /// Has the threads of `pool`, these, sleep for a loop that others run on their cores.
    pub fn yield_cores<'l>(self: &'l Arc<Self>, pool: &'l rayon::ThreadPool) -> Yielding<'l> {
        self.yielding.0.fetch_add(1, Ordering::SeqCst);
        Yielding(self, pool)
    }

    /// Whether at least half of the threads look out, as far as is known.
    pub fn are_awake(&self) -> bool {
        2 * self.awake.0.load(Ordering::Relaxed) >= self.threads.len()
    }

    /// How many threads other than this one look out.
    fn others(&self) -> usize {
        // A thread that found the chunk by looking out still counts as doing so, further down its stack.
        let here = rayon::current_thread_index().and_then(|index| self.threads.get(index));
        let here = here.is_some_and(|looks| looks.0.load(Ordering::Relaxed));
        self.awake.0.load(Ordering::SeqCst).saturating_sub(usize::from(here))
    }

    /// Whether this many awake threads are enough for a team.
    fn are_most_at_hand(&self, awake: usize) -> bool {
        4 * awake >= 3 * self.threads.len()
    }

    /// The threads as a team for a chunk of `expected` time, if that is short and most threads look out: the chunk would be over
    /// before the others are awake. A longer chunk is worth waking sleeping threads, which the pool does, so all of them have to
    /// be awake.
    pub fn team_for(&self, expected: Option<Duration>) -> Option<&Team> {
        let expected = expected.filter(|expected| *expected <= LONG)?;
        let now = self.now();
        if now < self.distrusted.load(Ordering::Relaxed) {
            return None;
        }
        // Stored before the threads are counted. Threads read it after they count themselves out, so those counted stay.
        self.last.0.store(now + expected.as_nanos() as u64, Ordering::SeqCst);
        let awake = self.others() + 1;
        let enough = if expected > SHORT { awake >= self.threads.len() } else { self.are_most_at_hand(awake) };
        enough.then_some(&self.team)
    }

    /// Notes how long the team took for a chunk. Where other programs, or other guests of the machine, take cores away, the pool
    /// does better: it gives parts only to threads that ask for them.
    pub fn team_took(&self, expected: Duration, took: Duration) {
        if took <= expected.saturating_mul(4).saturating_add(HELD_UP) {
            self.held_up.store(0, Ordering::Relaxed);
            return;
        }
        let times = self.held_up.fetch_add(1, Ordering::Relaxed).min(8);
        let until = self.now() + (DISTRUST.as_nanos() as u64) * (1 << times);
        self.distrusted.store(until, Ordering::Relaxed);
    }

    /// Keeps threads awake that are, as a loop is about to begin.
    pub fn keep(&self) {
        if self.are_awake() {
            self.last.0.store(self.now(), Ordering::SeqCst);
        }
    }

    /// Wakes the threads of `pool`, these, for a loop that is about to be planned: to be woken one after another by its chunk
    /// would take longer than to plan it. One thread wakes all others, as that takes its time.
    pub fn call(self: &Arc<Self>, pool: &rayon::ThreadPool) {
        if !self.by_themselves && !self.stay_awake() {
            return;
        }
        let (now, awake) = (self.now(), self.awake.0.load(Ordering::Relaxed));
        if now < self.distrusted.load(Ordering::Relaxed) && !self.stay_awake() {
            return;
        }
        // Those that are awake wait for the loop too.
        self.last.0.fetch_max(now, Ordering::SeqCst);
        let coming = if self.are_most_at_hand(awake) { COMING_LATE } else { COMING };
        let asked = now.saturating_sub(self.asked.0.load(Ordering::Relaxed)) <= coming.as_nanos() as u64;
        if awake < self.threads.len() && !asked {
            self.ask(pool, now);
        }
    }

    /// Called on a thread of the pool after a chunk that took this long: those that are awake stay so, as another may follow at
    /// once. After the second short one in a row, and if they are to stay awake, all others are asked to come.
    pub fn stay(self: &Arc<Self>, took: Duration) {
        let kept = self.stay_awake();
        if !kept && (took > LONG || !self.by_themselves) {
            return;
        }
        let now = self.now();
        self.last.0.store(now, Ordering::Relaxed);
        if !kept {
            if took >= Self::patience() {
                return;
            }
            let before = self.ended.0.swap(now, Ordering::Relaxed);
            if before == 0 || now.saturating_sub(before) > IN_A_ROW.as_nanos() as u64 {
                return;
            }
        }
        // The calling thread itself is at work.
        let awake = self.others() + 1;
        let coming = if self.are_most_at_hand(awake) { COMING_LATE } else { COMING };
        if awake < self.threads.len()
            && now.saturating_sub(self.asked.0.load(Ordering::Relaxed)) > coming.as_nanos() as u64
        {
            self.asked.0.store(now, Ordering::Relaxed);
            let all = Arc::clone(self);
            rayon::spawn_broadcast(move |thread| all.look_out(thread.index()));
        }
    }

    /// Looks out for work until no chunk has ended for a while, or the threads are no longer to stay awake.
    fn look_out(&self, index: usize) {
        let Some(looks) = self.threads.get(index) else { return };
        if AT_WORK.get() > 0 || looks.0.swap(true, Ordering::Relaxed) {
            return;
        }
        let patience = Self::patience().as_nanos() as u64;
        let idle = |now: u64| !self.stay_awake() && now.saturating_sub(self.last.0.load(Ordering::SeqCst)) > patience;
        let mut seen = 0;
        loop {
            self.awake.0.fetch_add(1, Ordering::SeqCst);
            while !idle(self.now()) {
                self.team.help(index, &mut seen);
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::thread::yield_now();
                }
            }
            // A job may have come since the last check.
            self.team.help(index, &mut seen);
            self.awake.0.fetch_sub(1, Ordering::SeqCst);
            if idle(self.now()) {
                break;
            }
        }
        looks.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookouts(threads: usize) -> Lookouts {
        Lookouts::new(threads, true, Vigil::default())
    }

    /// Polls until `what` holds, for at most ten seconds.
    fn becomes(what: impl Fn() -> bool) -> bool {
        let start = Instant::now();
        while !what() && start.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        what()
    }

    #[test]
    fn a_loop_that_is_coming_keeps_those_awake_that_are() {
        let lookouts = lookouts(1);
        std::thread::sleep(Lookouts::patience());
        lookouts.keep();
        assert_eq!(lookouts.last.0.load(Ordering::Relaxed), 0, "nobody looks out");
        lookouts.awake.0.store(1, Ordering::Relaxed);
        lookouts.keep();
        assert!(lookouts.last.0.load(Ordering::Relaxed) >= Lookouts::patience().as_nanos() as u64);
    }

    #[test]
    fn threads_look_out_after_a_chunk_find_work_meanwhile_and_leave() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let lookouts = Arc::new(lookouts(4));
        let count = |lookouts: &Lookouts| lookouts.awake.0.load(Ordering::Relaxed);
        for _ in 0..20 {
            let looked = pool.install(|| {
                let _at_work = AtWork::begin();
                // The other threads come while this one goes on; what this thread shares out gets done.
                let looked = becomes(|| {
                    lookouts.stay(Duration::ZERO);
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

    /// A short time.
    const BRIEF: Option<Duration> = Some(Duration::from_micros(10));

    /// Shares a job out in a pool of three until another thread takes part, which does `part`.
    fn with_help(part: impl Fn() + Sync) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let lookouts = Arc::new(lookouts(3));
        assert!(lookouts.team_for(BRIEF).is_none());
        let helped = AtomicBool::new(false);
        pool.install(|| {
            let (_at_work, here) = (AtWork::begin(), rayon::current_thread_index().unwrap());
            let comes = || {
                lookouts.stay(Duration::ZERO);
                let Some(team) = lookouts.team_for(BRIEF) else { return false };
                let start = Instant::now();
                team.share(here, &|index| {
                    if index != here {
                        part();
                        helped.store(true, Ordering::Relaxed);
                    }
                    while !helped.load(Ordering::Relaxed) && start.elapsed() < Lookouts::patience() {
                        std::thread::yield_now();
                    }
                });
                helped.load(Ordering::Relaxed)
            };
            assert!(becomes(|| helped.load(Ordering::Relaxed) || comes()), "nobody helps");
            assert!(lookouts.team_for(None).is_none() && lookouts.team_for(Some(2 * LONG)).is_none());
        });
    }

    #[test]
    fn those_who_look_out_take_part_in_a_chunk() {
        with_help(|| {});
    }

    #[test]
    fn a_piece_may_ask_all_threads_for_something() {
        let (done, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            with_help(|| assert_eq!(rayon::broadcast(|thread| thread.index()), [0, 1, 2]));
            done.send(()).unwrap();
        });
        wait.recv_timeout(Duration::from_secs(60)).expect("whoever has the chunk answers too");
    }

    #[test]
    fn who_has_the_chunk_is_not_counted_twice() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let lookouts = Arc::new(lookouts(2));
        pool.install(|| {
            let index = rayon::current_thread_index().unwrap();
            lookouts.threads[index].0.store(true, Ordering::Relaxed);
            lookouts.awake.0.store(1, Ordering::Relaxed);
            assert_eq!(lookouts.others(), 0);
            assert!(lookouts.team_for(BRIEF).is_none());
            lookouts.threads[index].0.store(false, Ordering::Relaxed);
            assert_eq!(lookouts.others(), 1);
            assert!(lookouts.team_for(BRIEF).is_some());
        });
    }

    #[test]
    fn a_longer_chunk_goes_to_a_team_of_all_threads_and_keeps_them_awake_to_its_end() {
        let lookouts = lookouts(4);
        let awake = |others: usize| lookouts.awake.0.store(others, Ordering::Relaxed);
        let (short, longer) = (Some(SHORT), Some(2 * SHORT));
        for (others, takes) in [(1, [false, false]), (2, [true, false]), (3, [true, true])] {
            awake(others);
            assert_eq!([short, longer].map(|time| lookouts.team_for(time).is_some()), takes, "{others} others");
        }
        let until = || Duration::from_nanos(lookouts.last.0.load(Ordering::Relaxed));
        let now = lookouts.since.elapsed();
        assert!(lookouts.team_for(Some(LONG)).is_some() && until() >= now + LONG);
        assert!(lookouts.team_for(Some(LONG * 2)).is_none());
        // The chunk ends: from then on they wait as after any.
        let lookouts = Arc::new(lookouts);
        lookouts.stay(LONG);
        let kept = Duration::from_nanos(lookouts.last.0.load(Ordering::Relaxed));
        assert!(kept <= lookouts.since.elapsed() && kept >= now);
        lookouts.stay(2 * LONG);
        assert_eq!(Duration::from_nanos(lookouts.last.0.load(Ordering::Relaxed)), kept);
    }

    #[test]
    fn threads_are_called_before_there_is_work() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let lookouts = Arc::new(lookouts(3));
        let count = || lookouts.awake.0.load(Ordering::Relaxed);
        let comes = || {
            lookouts.call(&pool);
            count() == 3
        };
        assert!(becomes(comes), "{} of 3 threads look out", count());
        assert!(becomes(|| count() == 0), "{} threads still look out", count());
        // Those that are awake wait from then on, however long they did before.
        lookouts.last.0.store(1, Ordering::Relaxed);
        lookouts.call(&pool);
        assert!(lookouts.last.0.load(Ordering::Relaxed) > 1);
        // Not where others take the cores.
        lookouts.distrusted.store(u64::MAX, Ordering::Relaxed);
        let asked = lookouts.asked.0.load(Ordering::Relaxed);
        std::thread::sleep(2 * COMING);
        lookouts.call(&pool);
        assert_eq!(lookouts.asked.0.load(Ordering::Relaxed), asked);
    }

    #[test]
    fn threads_stay_awake_while_they_are_asked_to_unless_others_work_on_their_cores() {
        for by_themselves in [false, true] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            let vigil = Vigil::default();
            let lookouts = Arc::new(Lookouts::new(3, by_themselves, Vigil::default()).watched(vigil.clone()));
            let count = || lookouts.awake.0.load(Ordering::Relaxed);
            let comes = || {
                lookouts.call(&pool);
                count() == 3
            };
            if !by_themselves {
                (0..50).for_each(|_| lookouts.call(&pool));
                pool.install(|| (0..50).for_each(|_| lookouts.stay(Duration::ZERO)));
                assert_eq!(lookouts.asked.0.load(Ordering::Relaxed), 0, "nobody asks for it");
            }
            // A team that was held up is no reason to sleep.
            lookouts.distrusted.store(u64::MAX, Ordering::Relaxed);
            vigil.begin();
            assert!(becomes(comes), "{} of 3 threads look out", count());
            std::thread::sleep(10 * Lookouts::patience());
            assert_eq!(count(), 3);
            // Whoever is awake is not asked again.
            lookouts.asked.0.store(0, Ordering::Relaxed);
            lookouts.wake(&pool);
            assert_eq!(lookouts.asked.0.load(Ordering::Relaxed), 0);
            // Work is done meanwhile.
            assert_eq!(pool.install(|| rayon::join(|| 1, || 2)), (1, 2));
            let yielding = lookouts.yield_cores(&pool);
            assert!(becomes(|| count() == 0), "{} threads still look out", count());
            drop(yielding);
            assert!(becomes(|| count() == 3), "{} of 3 threads look out again", count());
            for part in [false, true] {
                lookouts.dismiss(part);
                assert!(becomes(|| count() == 0), "{} threads still look out", count());
                lookouts.admit();
                lookouts.asked.0.store(0, Ordering::Relaxed);
                assert!(becomes(comes), "{} of 3 threads look out again", count());
            }
            vigil.end();
            assert!(becomes(|| count() == 0), "{} threads still look out", count());
            // Whoever sleeps is called by the first chunk, however long that took.
            vigil.begin();
            lookouts.asked.0.store(0, Ordering::Relaxed);
            pool.install(|| {
                let _at_work = AtWork::begin();
                lookouts.stay(2 * LONG);
            });
            assert!(becomes(|| count() >= 2), "{} threads look out", count());
            vigil.close();
            assert!(becomes(|| count() == 0), "{} threads still look out", count());
        }
    }

    #[test]
    fn a_team_that_was_held_up_gets_no_chunk_for_a_while() {
        let lookouts = lookouts(1);
        let (each, long) = (Duration::from_micros(100), Duration::from_secs(1));
        lookouts.team_took(each, Duration::from_micros(700));
        assert!(lookouts.team_for(Some(each)).is_some());
        let until = || Duration::from_nanos(lookouts.distrusted.load(Ordering::Relaxed));
        for times in [1, 2, 4, 8] {
            let before = lookouts.since.elapsed();
            lookouts.team_took(each, long);
            assert!(until() >= before + times * DISTRUST && until() <= lookouts.since.elapsed() + times * DISTRUST);
        }
        assert!(lookouts.team_for(BRIEF).is_none() || lookouts.since.elapsed() >= until());
        lookouts.team_took(each, each);
        lookouts.team_took(each, long);
        assert!(until() <= lookouts.since.elapsed() + DISTRUST);
        assert!(becomes(|| lookouts.team_for(BRIEF).is_some()));
        for _ in 0..100 {
            lookouts.team_took(each, long);
        }
        assert!(until() <= lookouts.since.elapsed() + 256 * DISTRUST);
    }

    #[test]
    fn a_thread_at_work_does_not_begin_to_look_out() {
        let lookouts = lookouts(1);
        lookouts.last.0.store(u64::MAX, Ordering::Relaxed);
        let at_work = AtWork::begin();
        // It would not return if it looked out.
        lookouts.look_out(0);
        drop(at_work);
        lookouts.last.0.store(0, Ordering::Relaxed);
        assert!(becomes(|| lookouts.since.elapsed() > Lookouts::patience()));
        lookouts.look_out(0);
        assert!(!lookouts.threads[0].0.load(Ordering::Relaxed) && !lookouts.are_awake());
    }
}
