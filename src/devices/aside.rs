//! Threads that stand for GPUs keep off the host device's cores while those are at work.
//!
//! The host device's threads are bound to their cores, and a GPU's thread polls for as long as its GPU works. If the system has put
//! it on one of those cores, the thread bound there waits until it is moved, a millisecond or more, although other cores are free.
//! results/h100-beside-cores-2026-11-25 has loops with and without.
//!
//! Each GPU's thread has free cores of its own: among a few that they all may use, the system now and then wakes two on one, and
//! the second waits for the first one's time slice, up to 3.2 ms, and with it the loop (results/h200-slices-2026-11-27).

use super::topology;
use crate::model::machine::CpuList;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The CPUs of a process, by whether a host device's threads are bound to them.
#[derive(Debug, PartialEq, Eq)]
pub struct Places {
    /// Those of no host device, shared out among the GPUs.
    free: Vec<CpuList>,
    /// All that the process may use.
    all: CpuList,
}

impl Places {
    /// For this many GPUs beside the host's threads on `taken`. `None` without a free CPU for each of them: then the system shares
    /// them out better.
    ///
    /// `cores` are those of the process, each with the CPUs that are its hardware threads. Those of which the host device has a CPU
    /// are left alone unless there are too few others: a thread there would take half of its core.
    pub fn beside(taken: &CpuList, cores: &[CpuList], gpus: usize) -> Option<Self> {
        let is_free = |cpu: &usize| !taken.contains(*cpu);
        let free = |core: &CpuList| core.iter().filter(is_free).collect::<Vec<_>>();
        let (whole, parts): (Vec<&CpuList>, Vec<&CpuList>) =
            cores.iter().partition(|core| core.iter().all(|cpu| is_free(&cpu)));
        let mut each: Vec<Vec<usize>> = whole.into_iter().map(free).collect();
        if each.len() < gpus {
            each.extend(parts.into_iter().map(free).filter(|free| !free.is_empty()));
        }
        // Hardware threads of one core are the last that GPUs share.
        if each.len() < gpus {
            each = each.into_iter().flatten().map(|cpu| vec![cpu]).collect();
        }
        let all: CpuList = cores.iter().flat_map(CpuList::iter).collect();
        let worth = gpus > 0 && each.len() >= gpus && all.iter().any(|cpu| !is_free(&cpu));
        let of = |gpu: usize| each.iter().skip(gpu).step_by(gpus).flatten().copied().collect();
        worth.then(|| Self { free: (0..gpus).map(of).collect(), all })
    }
}

/// Where the thread of one device runs.
pub struct Aside {
    places: Arc<Places>,
    /// Which of the GPUs it is.
    gpu: usize,
    /// Whether it is bound to its free CPUs. Only the thread itself asks.
    bound: AtomicBool,
}

impl Aside {
    /// For the GPU of that number, from 0 on.
    pub fn new(places: Arc<Places>, gpu: usize) -> Self {
        Self { places, gpu, bound: AtomicBool::new(false) }
    }

    /// Called by the device's thread. `beside_cores` keeps it on its free CPUs; otherwise it may run on any, as one of them may be
    /// closer to the GPU.
    pub fn keep(&self, beside_cores: bool) {
        if self.bound.load(Ordering::Relaxed) == beside_cores {
            return;
        }
        self.bound.store(beside_cores, Ordering::Relaxed);
        let Places { free, all } = &*self.places;
        // An optimisation: a container may forbid it, and results are right without it.
        let own = free.get(self.gpu).filter(|_| beside_cores);
        let _ = topology::bind_current_thread_to(own.unwrap_or(all));
    }
}

/// The CPUs that the thread might use that opened a device. Other threads of the device may too, although one that is kept off some
/// of them starts them.
#[cfg(feature = "cuda")]
pub struct Anywhere(CpuList);

#[cfg(feature = "cuda")]
impl Anywhere {
    /// Called by the thread that opens the device.
    pub fn here() -> Self {
        Self(topology::current_affinity().unwrap_or_default())
    }

    /// Lets the calling thread run on all of them.
    pub fn let_run(&self) {
        let _ = topology::bind_current_thread_to(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(text: &str) -> CpuList {
        text.parse().unwrap()
    }

    /// Cores with one CPU each.
    fn single(all: &str) -> Vec<CpuList> {
        cpus(all).iter().map(|cpu| [cpu].into_iter().collect()).collect()
    }

    #[test]
    fn gpus_threads_get_the_cpus_that_the_host_device_leaves() {
        let free = |taken: &str, all: &str, gpus| {
            let texts = |places: Places| places.free.iter().map(CpuList::to_string).collect::<Vec<_>>().join(" ");
            Places::beside(&cpus(taken), &single(all), gpus).map(texts)
        };
        assert_eq!(free("0-14", "0-15", 1), Some("15".to_owned()));
        assert_eq!(free("0-59", "0-63", 4), Some("60 61 62 63".to_owned()));
        assert_eq!(free("0-10", "0-15", 2), Some("11,13,15 12,14".to_owned()));
        // The host device has the CPUs that its description names, which need not be this process's.
        assert_eq!(free("0-7,70", "4-11", 2), Some("8,10 9,11".to_owned()));
        for (taken, all, gpus) in [("0-15", "0-15", 1), ("0-14", "0-15", 2), ("", "0-15", 1), ("0-14", "0-15", 0)] {
            assert_eq!(free(taken, all, gpus), None, "{taken} of {all}, {gpus}");
        }
    }

    #[test]
    fn gpus_threads_get_whole_cores_before_halves_of_the_hosts() {
        // Eight cores, of which CPUs k and k + 8 are the hardware threads.
        let cores: Vec<CpuList> = (0..8).map(|k| [k, k + 8].into_iter().collect()).collect();
        let free = |taken: &str, gpus| {
            let places = Places::beside(&cpus(taken), &cores, gpus)?;
            Some(places.free.iter().map(CpuList::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(free("0-5", 2), Some("6,14 7,15".to_owned()));
        assert_eq!(free("0-5", 1), Some("6,7,14,15".to_owned()));
        // One whole core is too little for two.
        assert_eq!(free("0-6", 2), Some("7,9,11,13,15 8,10,12,14".to_owned()));
        assert_eq!(free("0-6,8-14", 2), Some("7 15".to_owned()));
        assert_eq!((free("0-6,8-14", 3), free("0-15", 1)), (None, None));
    }

    #[test]
    #[cfg(all(feature = "cuda", target_os = "linux"))]
    fn a_thread_is_bound_and_unbound_and_those_that_it_starts_may_run_anywhere() {
        let all = topology::current_affinity().unwrap();
        let first: CpuList = all.first().into_iter().collect();
        let taken: CpuList = all.iter().skip(1).collect();
        let Some(places) = Places::beside(&taken, &single(&all.to_string()), 1) else {
            assert!(all.len() < 2, "nothing is free beside {taken} of {all}");
            return;
        };
        let aside = Aside::new(Arc::new(places), 0);
        let now = || topology::current_affinity().unwrap();
        let anywhere = Anywhere::here();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                aside.keep(false);
                assert_eq!(now(), all);
                for _ in 0..2 {
                    aside.keep(true);
                    assert_eq!(now(), first);
                    let started = scope.spawn(|| {
                        let inherited = now();
                        anywhere.let_run();
                        (inherited, now())
                    });
                    assert_eq!(started.join().unwrap(), (first.clone(), all.clone()));
                    aside.keep(false);
                    assert_eq!(now(), all);
                }
            });
        });
    }
}
