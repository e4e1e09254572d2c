//! The CPUs on which the threads of GPUs run: off the host device's cores while those have a part in the loop.

use crate::common;
use crate::kernels::{Memory, never_register, numbers};
use crate::machine::{gpu, runtime};
use crate::standin::alone;
use crate::threads::{becomes, polls, sleeps};
use apportion::devices::topology::current_affinity;
use apportion::kernel::{DeviceImage, Grid};
use apportion::model::machine::CpuList;
use apportion::prelude::*;
use std::sync::{Arc, Mutex};

/// Each thread that started a kernel or called a library, with the CPUs that it might run on.
type Seen = Arc<Mutex<Vec<(String, CpuList)>>>;

fn note(seen: &Seen) {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    seen.lock().unwrap().push((name, current_affinity().unwrap()));
}

fn image(seen: &Seen) -> Kernel {
    let seen = Arc::clone(seen);
    let grid = Grid::new([64, 1, 1], move |n| {
        note(&seen);
        [n.div_ceil(64), 1, 1]
    });
    // SAFETY: the kernel stays within the sections that it is given.
    common::triple_add().cuda_image(unsafe { DeviceImage::new("standin:", "triple_add", grid) })
}

fn call(seen: &Seen) -> Kernel {
    let seen = Arc::clone(seen);
    Kernel::new("call").host(|_: Range<usize>| ()).cuda_call(move |_| {
        note(&seen);
        Ok(())
    })
}

/// The host device on the first CPU, and the first GPU; all CPUs, and those that are left. `None` on a machine with one CPU.
fn host_and_gpu() -> Option<(Runtime, CpuList, CpuList)> {
    let all = current_affinity().unwrap();
    let first = all.first().filter(|_| all.len() > 1)?;
    let host = crate::machine::host()
        .replace(r#""host": {"leave_free": 0}"#, &format!(r#""host": {{"cpus": "{first}", "leave_free": 0}}"#));
    assert!(host.contains("cpus"), "{host}");
    let free = all.iter().skip(1).collect();
    Some((runtime(&[host, gpu(0)]), all, free))
}

/// The threads of a loop over two arrays.
fn over_arrays(rt: &Runtime, devices: &str, memory: Memory) -> Vec<(String, CpuList)> {
    let seen = Seen::default();
    let (kernel, n) = (image(&seen), 300_000);
    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
    let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
    rt.parallel_for(0..n, bound).devices(devices).policy(Policy::Block).run().unwrap();
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert!(!seen.is_empty());
    seen
}

#[test]
fn gpus_threads_keep_off_the_hosts_cores_while_those_are_at_work() {
    alone(concat!(module_path!(), "::gpus_threads_keep_off_the_hosts_cores_while_those_are_at_work"), |standin| {
        let Some((rt, all, free)) = host_and_gpu() else { return };
        // Each of these by turns, as a thread keeps its CPUs until it needs others.
        for _ in 0..2 {
            for (name, cpus) in over_arrays(&rt, "0,1", Memory::Locked) {
                assert_eq!((&*name, &cpus), ("cuda:0-proxy", &free));
            }
            // A library may start threads of its own.
            let seen = Seen::default();
            rt.parallel_for(0..100u64, call(&seen).bind()).policy(Policy::Block).run().unwrap();
            let called = std::mem::take(&mut *seen.lock().unwrap());
            assert!(called.iter().any(|(name, _)| name == "cuda:0-proxy"), "{called:?}");
            // The caller's own thread stands for a GPU that is alone.
            let alone = over_arrays(&rt, "1", Memory::Locked);
            assert!(alone.iter().all(|(name, _)| name != "cuda:0-proxy"), "{alone:?}");
            for (name, cpus) in called.into_iter().chain(alone) {
                assert_eq!(cpus, all, "{name}");
            }
        }
        drop(rt);
        let rt = runtime(&[gpu(0), gpu(1)]);
        let without_the_host = over_arrays(&rt, "0,1", Memory::Locked);
        assert!(without_the_host.iter().any(|(name, _)| name == "cuda:1-proxy"), "{without_the_host:?}");
        assert!(without_the_host.iter().all(|(_, cpus)| *cpus == all), "{without_the_host:?}");
        drop(rt);
        standin.nothing_is_left("threads on chosen CPUs");
    });
}

#[test]
fn threads_that_copy_plain_arrays_run_on_any_core() {
    alone(concat!(module_path!(), "::threads_that_copy_plain_arrays_run_on_any_core"), |standin| {
        never_register(standin);
        let Some((rt, all, _)) = host_and_gpu() else { return };
        // The GPU's own thread, which is bound by then, starts them.
        let seen = over_arrays(&rt, "0,1", Memory::Plain);
        assert!(seen.iter().any(|(name, _)| name.contains("lane")), "{seen:?}");
        for (name, cpus) in seen.iter().filter(|(name, _)| name.contains("lane")) {
            assert_eq!(*cpus, all, "{name}");
        }
    });
}

#[test]
fn host_threads_that_are_kept_awake_sleep_while_others_need_their_cores() {
    alone(
        concat!(module_path!(), "::host_threads_that_are_kept_awake_sleep_while_others_need_their_cores"),
        |standin| {
            never_register(standin);
            if std::thread::available_parallelism().is_ok_and(|cpus| cpus.get() < 2) {
                return;
            }
            let rt = runtime(&crate::machine::machine(1, true));
            let on_gpu = |memory| drop(over_arrays(&rt, "0", memory));
            let on_host = || {
                let kernel =
                    Kernel::new("on_host").host(|range: Range<usize>, mut y: Out<f32>| y.slice_mut(range).fill(1.0));
                let mut y = vec![0.0f32; 100_000];
                let bound = kernel.bind().from(&mut y).align();
                rt.parallel_for(0..100_000, bound).devices("1").policy(Policy::Block).run().unwrap();
            };
            let library = || {
                let seen = Seen::default();
                rt.parallel_for(0..100u64, call(&seen).bind()).devices("0").policy(Policy::Block).run().unwrap();
            };
            let _awake = rt.keep_awake();
            assert!(becomes(|| polls("host")));
            // Page-locked arrays are copied by the GPU's own thread.
            on_gpu(Memory::Locked);
            assert!(becomes(|| polls("host")));
            // Plain ones by threads without cores of their own; a library may start such threads.
            let crowds: [&dyn Fn(); 2] = [&|| on_gpu(Memory::Plain), &library];
            for crowd in crowds {
                crowd();
                assert!(becomes(|| sleeps("host")));
                on_gpu(Memory::Locked);
                assert!(becomes(|| sleeps("host")), "nobody asked for them");
                on_host();
                assert!(becomes(|| polls("host")), "they had a part in the last loop");
            }
            library();
            let _again = rt.keep_awake();
            assert!(becomes(|| polls("host")));
        },
    );
}
