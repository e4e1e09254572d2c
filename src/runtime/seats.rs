//! The devices' places in a loop: each has a proxy, a thread that runs it, and room for its log.

use crate::around::{Around, DEPTH};
use crate::devices::crew::{self, Patience};
use crate::error::{Error, Result};
use crate::model::MemoryKind;
use crate::model::machine::DeviceKind;
use crate::runtime::proxy::{Log, Proxy};
use crate::runtime::{Member, Runtime};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs `run` on this thread, or on a new one if this is a worker of a rayon pool. While such a worker waits for devices, it
/// runs other jobs of its pool; one that starts a loop would wait for the loop that it interrupts. A new thread runs no jobs.
pub(super) fn outside_of_pools<R: Send>(run: impl FnOnce() -> R + Send) -> Result<R> {
    if rayon::current_thread_index().is_none() {
        return Ok(run());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, run).map_err(|error| {
            Error::call(format!("the system gives no thread for a loop that a pool's job starts: {error}"))
        })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A proxy's place: its device, and room for its log.
// No two seats share a cache line: each is written by a thread of its own.
#[repr(align(128))]
pub(super) struct Seat<'o, 'w> {
    pub member: &'o Member,
    pub proxy: Proxy<'o, 'w>,
    /// The seat has the loop as one chunk, so short that the caller's thread runs it: a hand-over would take longer.
    pub at_once: bool,
    /// No other device takes part in the loop, and it is long enough to wake more threads.
    pub wide: bool,
    pub log: Mutex<Log>,
}

/// What the caller's thread does while its device is at work.
pub(super) type Meanwhile<'m> = &'m mut (dyn FnMut() + Send);

impl Seat<'_, '_> {
    fn run(&self, patience: Patience, meanwhile: Meanwhile<'_>) {
        let Some(first) = self.proxy.first() else { return };
        let mut drive = || {
            let _driving = Driving::start(self.member);
            let _around = self.proxy.work.around.enter();
            let mut device = self.member.device();
            let log = self.proxy.run(&mut **device, first, meanwhile);
            self.leave(log);
        };
        let wide = self.member.wide.as_ref().filter(|_| self.wide).and_then(|wide| wide.pool());
        match wide.or(self.member.pool.as_deref()).filter(|_| !self.at_once) {
            // All cores are at work: the caller polls but briefly.
            Some(pool) if wide.is_some() => {
                let own = self.member.lookouts.as_ref().zip(self.member.pool.as_deref());
                let _yielding = own.map(|(lookouts, pool)| lookouts.yield_cores(pool));
                install_attentively(pool, Patience::Brief, drive);
            }
            // Inside the device's own pool, so that starting a chunk needs no hand-over.
            Some(pool) => install_attentively(pool, patience, drive),
            None => drive(),
        }
    }

    fn leave(&self, log: Log) {
        *self.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
    }

    /// What a thread other than the caller's does while its device works: it fetches the cache line of its log from the
    /// caller's processor, so that it need not wait for it at the end.
    fn warm(&self) {
        self.leave(Log::default());
    }
}

/// Runs `work` in `pool` and returns when it is done, as `install` does, but polls before it sleeps.
///
/// Waking the caller takes longer than a short loop: rayon does it with a lock held, which the caller then waits for, 5 to 8 µs
/// in all. Between polls the caller yields to the pool's threads.
pub(super) fn install_attentively(pool: &rayon::ThreadPool, patience: Patience, work: impl FnOnce() + Send) {
    let done = AtomicBool::new(false);
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            work();
            done.store(true, Ordering::Release);
        });
        let start = Instant::now();
        while !done.load(Ordering::Acquire) && start.elapsed() < patience.awake() {
            std::thread::yield_now();
        }
    });
}

/// Which of a loop's devices the caller's thread stands for: one with a pool of its own, or else one that runs no host bodies. Bodies
/// of emulated devices run on the device's thread: what they leave to rayon would go from the caller's to the global pool, whose
/// threads may all wait for this loop.
pub(super) fn of_the_caller<'m>(mut members: impl Iterator<Item = &'m Member> + Clone) -> Option<usize> {
    let with_pool = members.clone().position(|member| member.pool.is_some());
    with_pool.or_else(|| members.position(|member| member.kind != DeviceKind::Emulated))
}

/// Runs all proxies at once and returns when all are done.
///
/// The caller's thread runs one seat itself, if there is one for it ([`of_the_caller`]), so that a loop on one device costs no
/// thread switch but the device's own. It calls `meanwhile` once its device has work, if it gets any, or at once without a device. The first thread whose device has memory of its own and work calls
/// `chore`: it would wait. Nobody does if there is no such device.
pub(super) fn run_all(seats: &[Seat<'_, '_>], patience: Patience, meanwhile: Meanwhile<'_>, chore: &(dyn Fn() + Sync)) {
    let mine = of_the_caller(seats.iter().map(|seat| seat.member));
    let others = seats.iter().enumerate().filter(|(index, _)| Some(*index) != mine);
    let others: SmallVec<[_; 8]> = others.map(|(_, seat)| (&seat.member.thread, seat)).collect();
    let mine = mine.and_then(|mine| seats.get(mine));
    let beside_cores = mine.is_some_and(|seat| seat.member.pool.is_some());
    let taken = AtomicBool::new(false);
    let chore_of = |seat: &Seat<'_, '_>| {
        let waits = seat.member.model.memory == MemoryKind::Discrete && seat.member.pool.is_none();
        if waits && !taken.swap(true, Ordering::Relaxed) {
            chore();
        }
    };
    let run = |seat: &Seat<'_, '_>| {
        seat.member.stand_aside(beside_cores, Some(seat.proxy.work.kernel));
        seat.run(patience, &mut || {
            seat.warm();
            chore_of(seat);
        });
    };
    crew::run_all(&others, patience, &run, || match mine {
        Some(seat) => seat.run(patience, &mut || {
            meanwhile();
            chore_of(seat);
        }),
        None => meanwhile(),
    });
}

thread_local! {
    /// The devices that this thread stands for at present, innermost last.
    static DRIVING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, this thread stands for a device, and host bodies may run on it.
pub(super) struct Driving;

impl Driving {
    pub(super) fn start(member: &Member) -> Self {
        DRIVING.with_borrow_mut(|devices| devices.push(std::ptr::from_ref(member).addr()));
        Self
    }
}

impl Drop for Driving {
    fn drop(&mut self) {
        DRIVING.with_borrow_mut(Vec::pop);
    }
}

impl Runtime {
    /// Whether all of a loop's devices have just run one. If only some have, all count as asleep: otherwise a device that AUTO
    /// left out once would be left out of all later short loops, since it alone would have to be woken.
    pub(super) fn all_awake(&self, members: &[&Member]) -> bool {
        // The clock is read only if some device takes time to wake.
        let mut woken = members.iter().filter(|member| member.model.wake.0 > 0.0).peekable();
        woken.peek().is_some() && {
            let now = self.opened.elapsed();
            woken.all(|member| !member.rests(now))
        }
    }

    /// Whether this thread runs a host body of this runtime, or of a loop that such a body runs on another one.
    pub(super) fn is_inside_a_body(&self) -> bool {
        Around::here().contains(self.number)
            || self.members.iter().any(|member| {
                member.pool.as_ref().is_some_and(|pool| pool.current_thread_index().is_some())
                || member.wide.as_ref().is_some_and(|wide| wide.is_here())
                // After its part of a loop it runs what a host body left behind.
                || member.thread.is_here()
                || DRIVING.with_borrow(|devices| devices.contains(&std::ptr::from_ref(member).addr()))
            })
    }

    /// Runs `run`, outside of pools, as a loop of this runtime within those that are around the caller.
    ///
    /// # Errors
    /// [`Error::Call`] if the caller is inside a body of this runtime, or the system gives no thread.
    pub(super) fn within<R: Send>(&self, kernel: &str, run: impl FnOnce() -> R + Send) -> Result<R> {
        self.refuse_inside_a_body(kernel)?;
        let around = Around::here().with(self.number).ok_or_else(|| {
            Error::call(format!(
                "kernel `{kernel}`: its loop is within those of {DEPTH} other runtimes: no more are supported"
            ))
        })?;
        outside_of_pools(|| {
            let _around = around.enter();
            run()
        })
    }

    /// Refuses a loop that a host body of this runtime starts or predicts: it would wait for the devices of the outer loop.
    pub(super) fn refuse_inside_a_body(&self, kernel: &str) -> Result<()> {
        if self.is_inside_a_body() {
            return Err(Error::call(format!(
                "kernel `{kernel}`: its loop is run or predicted inside a host body of the same runtime, or of a loop that \
                 such a body runs on another one; the devices are busy with the outer loop: do so after that loop"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::devices::host::HostDevice;
    use crate::devices::topology::current_affinity;
    use crate::prelude::*;
    use crate::runtime::Member;
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    /// A host device and an emulated one. The first has a larger pool, as where cores are left to GPUs.
    fn runtime() -> Runtime {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        let device = |id: usize, kind: &str| {
            format!(
                r#"{{"id": {id}, "name": "h{id}", "kind": "{kind}", "type": "HOSTCPU", "memory": "shared",
                   "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        let text = format!(
            r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}, {}]}}"#,
            device(0, "host"),
            device(1, "emulated")
        );
        let mut rt = Runtime::from_machine(crate::model::Machine::from_json(&text).unwrap()).unwrap().without_history();
        let cpu = current_affinity().ok().and_then(|cpus| cpus.first()).unwrap_or(0);
        let device = HostDevice::open("h0", &[cpu; 2], false).unwrap().with_spare(&[cpu; 2], &[cpu]);
        let device = device.kept_awake_by(&rt.vigil.0);
        let device: Box<dyn crate::devices::Device> = Box::new(device);
        let member = &mut rt.members[0];
        (member.pool, member.wide, member.lookouts) = (device.pool(), device.wide_pool(), device.lookouts());
        member.device = Mutex::new(device);
        rt
    }

    /// The threads that ran a loop, without their numbers, and the bits of its sum. The description says 1 GFLOP/s.
    fn ran(rt: &Runtime, devices: &str, flops: usize) -> (BTreeSet<String>, u32) {
        let threads = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = Arc::clone(&threads);
        let kernel = Kernel::new("who")
            .host(move |range: Range<usize>, x: In<f32>| {
                let name = std::thread::current().name().unwrap_or("unnamed").to_owned();
                seen.lock().unwrap().insert(name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
                x.slice(range).iter().sum::<f32>()
            })
            .cost(Cost::per_iteration().flops(flops));
        let x: Vec<f32> = (0..10_000_u16).map(|i| 1.0 / f32::from(i + 1)).collect();
        let run = rt.parallel_for(0..x.len(), kernel.bind().to(&x).align()).devices(devices).policy(Policy::Block);
        let sum = run.reduce::<f32>(Sum).unwrap().value;
        let threads = std::mem::take(&mut *threads.lock().unwrap());
        (threads, sum.to_bits())
    }

    #[test]
    fn a_long_loop_that_a_host_device_has_alone_uses_the_cores_left_to_others_too() {
        let rt = runtime();
        let is =
            |threads: &BTreeSet<String>, names: &[&str]| threads.iter().map(String::as_str).eq(names.iter().copied());
        // 10 ms by the description, and 10 us.
        let (long, short) = (1000, 1);
        let (wide, sum) = ran(&rt, "0", long);
        assert!(is(&wide, &["h0-wide-"]), "{wide:?}");
        for (devices, flops, names) in [("0", short, &["h0-"][..]), ("0,1", long, &["h0-", "h1-proxy"])] {
            let (threads, _) = ran(&rt, devices, flops);
            assert!(is(&threads, names), "{devices} {flops}: {threads:?}");
        }
        // A loop is cut in the same way by either pool, so that sums of floats have the same bits.
        assert_eq!(ran(&rt, "0", short).1, sum);
    }

    #[test]
    fn threads_that_are_kept_awake_rest_where_others_need_their_cores() {
        let rt = runtime();
        let [host, emulated] = &rt.members[..] else { panic!("two devices") };
        let rests = |member: &Member| member.rests(rt.opened.elapsed());
        let becomes = |what: &dyn Fn() -> bool| {
            let start = Instant::now();
            while !what() && start.elapsed() < Duration::from_secs(20) {
                std::thread::yield_now();
            }
            what()
        };
        assert!(rests(host) && rests(emulated));
        let awake = rt.keep_awake();
        assert!(becomes(&|| !rests(host)) && !rests(emulated));
        host.lookouts.as_ref().unwrap().dismiss(false);
        assert!(becomes(&|| rests(host)) && !rests(emulated));
        drop(awake);
        assert!(becomes(&|| rests(host)) && rests(emulated));
    }

    #[test]
    fn a_loop_within_a_body_on_those_cores_is_refused() {
        let rt = runtime();
        let inner = Kernel::new("inner").host(|_: Range<usize>| ());
        let said = Mutex::new(None);
        // As a body would call it.
        rt.members[0].wide.as_ref().unwrap().pool().unwrap().in_place_scope(|jobs| {
            jobs.spawn(|_| *said.lock().unwrap() = rt.parallel_for(0..10_u64, inner.bind()).run().err());
        });
        let said = said.into_inner().unwrap().expect("an error").to_string();
        assert!(said.contains("inside a host body"), "{said}");
    }
}
