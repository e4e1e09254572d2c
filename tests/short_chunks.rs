//! Short chunks on the host: one thread runs a chunk that is expected to be short, and shares the rest if it is not.

mod common;

use apportion::prelude::*;
use common::machines;
use std::sync::Arc;
use std::time::Duration;

const N: usize = 3000;

/// A loop `y[i] = x[i] + i` that sums x, with a stated number of operations. Iterations in `slow` take long.
fn loop_of(operations: Option<f64>, slow: Range<usize>) -> Kernel {
    let kernel = Kernel::new("short").host(move |range: Range<usize>, x: In<f32>, mut y: Out<f32>| {
        let mut sum = 0.0f32;
        for i in range {
            if slow.contains(&i) {
                std::thread::sleep(Duration::from_micros(100));
            }
            y[i] = x[i] + i as f32;
            sum += x[i];
        }
        sum
    });
    match operations {
        Some(operations) => kernel.cost(Cost::per_iteration().flops(operations)),
        None => kernel,
    }
}

fn numbers() -> Vec<f32> {
    (0..N).map(|i| 1.0 / (i as f32 + 1.0)).collect()
}

#[test]
fn a_sum_is_the_same_to_the_last_bit_whatever_is_known_of_its_time() {
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let x = numbers();
    let mut sums = Vec::new();
    for (operations, slow) in
        [(None, 0..0), (Some(1.0), 0..0), (Some(1e9), 0..0), (Some(1.0), 0..100), (Some(1.0), 1400..1500)]
    {
        let kernel = loop_of(operations, slow.clone());
        for _ in 0..5 {
            let mut y = vec![-1.0f32; N];
            let bound = kernel.bind().to(&x).align().from(&mut y).align();
            sums.push(rt.parallel_for(0..N, bound).policy(Policy::Block).reduce::<f32>(Sum).unwrap().value);
            let wrong = y.iter().zip(&x).enumerate().find(|(i, (y, x))| **y != **x + *i as f32);
            assert!(wrong.is_none(), "{operations:?} {slow:?}: {wrong:?}");
        }
    }
    assert!(sums.iter().all(|sum| sum.to_bits() == sums[0].to_bits()), "{sums:?}");
}

#[test]
fn what_takes_longer_than_was_said_goes_to_all_threads() {
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    let x = numbers();
    // One thread would take 0.3 s for the whole loop.
    let kernel = Kernel::new("longer")
        .host(move |range: Range<usize>, x: In<f32>, mut y: Out<u64>| {
            for i in range {
                std::thread::sleep(Duration::from_micros(100));
                // The thread's id as a number.
                let name = format!("{:?}", std::thread::current().id());
                y[i] = name.bytes().fold(x[i].to_bits() as u64 & 1, |sum, byte| sum * 31 + u64::from(byte));
            }
        })
        .cost(Cost::per_iteration().flops(1.0));
    let mut y = vec![0u64; N];
    rt.parallel_for(0..N, kernel.bind().to(&x).align().from(&mut y).align()).policy(Policy::Block).run().unwrap();
    let threads: std::collections::BTreeSet<u64> = y.iter().map(|y| y | 1).collect();
    assert!(threads.len() >= cores.min(2), "{} threads of {cores}", threads.len());
}

/// The thread that runs `n` iterations of a kernel made from a function: the kernel panics there.
fn thread_of(rt: &Runtime, n: usize) -> std::thread::ThreadId {
    #[kernel]
    #[map(x: full)]
    fn gather(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
        y[i] = x[at[i] as usize];
    }
    let (at, x, mut y) = (vec![123_456u32; n], vec![1.0; 8], vec![0.0; n]);
    let found = std::sync::Arc::new(std::sync::Mutex::new(None));
    let (seen, before) = (std::sync::Arc::clone(&found), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        let text = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        if text.contains("element 123456 of array `x`, which lies outside") {
            *seen.lock().unwrap() = Some(std::thread::current().id());
        }
    }));
    let ran = || rt.parallel_for(0..n, gather(&at, &x, &mut y)).run();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(ran));
    std::panic::set_hook(before);
    assert!(panicked.is_err());
    found.lock().unwrap().take().unwrap()
}

#[test]
fn a_loop_that_takes_less_than_handing_it_over_is_the_callers() {
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let here = std::thread::current().id();
    assert_eq!(thread_of(&rt, 1), here);
    assert_ne!(thread_of(&rt, 3_000_000), here);
    // Called from a thread of another pool, the loop runs on the device's threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (outer, inner) = pool.install(|| (std::thread::current().id(), thread_of(&rt, 1)));
    assert!(inner != outer && inner != here);
}

/// A hand-written body may ask for threads and gets those of its device.
#[test]
fn a_body_by_hand_is_its_devices_however_short_the_loop_is() {
    let rt = std::sync::Arc::new(machines::runtime(&[machines::host()]).unwrap());
    let (inner, here) = (std::sync::Arc::clone(&rt), std::thread::current().id());
    let kernel = Kernel::new("outer").cost(Cost::per_iteration().flops(1.0)).host(move |_: Range<usize>| {
        assert_ne!(std::thread::current().id(), here);
        let nested = || inner.parallel_for(0..1, Kernel::new("inner").host(|_: Range<usize>| ()).bind()).run();
        let (a, b) = rayon::join(nested, nested);
        for refused in [a, b] {
            assert!(refused.unwrap_err().to_string().contains("inside a host body"));
        }
    });
    rt.parallel_for(0..1, kernel.bind()).run().unwrap();
}

/// Nor on the global pool's threads, which may all wait for the loop.
#[test]
fn a_body_of_emulated_devices_alone_runs_on_their_threads() {
    let rt = std::sync::Arc::new(Runtime::from_machine(common::emulated_machine(&[common::SHARED; 2])).unwrap());
    let (inner, here) = (std::sync::Arc::clone(&rt), std::thread::current().id());
    let kernel = Kernel::new("outer").host(move |_: Range<usize>| {
        assert_ne!(std::thread::current().id(), here);
        let nested = || inner.parallel_for(0..1, Kernel::new("inner").host(|_: Range<usize>| ()).bind()).run();
        let (a, b) = rayon::join(nested, nested);
        for refused in [a, b] {
            assert!(refused.unwrap_err().to_string().contains("inside a host body"));
        }
    });
    for devices in ["0", "0,1"] {
        rt.parallel_for(0..2, kernel.bind()).devices(devices).policy(Policy::Block).run().unwrap();
    }
    // Every thread of the global pool waits for a loop at once.
    let (told, hear) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let sum = Kernel::new("sum").host(|range: Range<usize>| range.map(|i| i as f32).sum::<f32>());
        let add = || rt.parallel_for(0..1000, sum.bind()).reproducible(10).reduce::<f32>(Sum).unwrap().value;
        told.send(rayon::broadcast(|_| add())).unwrap();
    });
    let sums = hear.recv_timeout(Duration::from_secs(60)).expect("loops that wait for one another");
    assert!(sums.iter().all(|sum| *sum == 499_500.0));
}

/// Bodies may run loops of other runtimes, but not through them of their own, which would wait for itself.
#[test]
fn a_loop_within_one_of_its_own_runtime_is_refused_through_others_too() {
    fn around(rt: &Arc<Runtime>, n: usize, body: impl Fn() + Send + Sync + 'static) {
        let kernel = Kernel::new("around").cost(Cost::per_iteration().flops(1.0)).host(move |_: Range<usize>| body());
        rt.parallel_for(0..n, kernel.bind()).run().unwrap();
    }
    for emulated in [false, true] {
        let open = || {
            let machine = common::emulated_machine(&[common::SHARED; 2]);
            Arc::new(
                if emulated { Runtime::from_machine(machine) } else { machines::runtime(&[machines::host()]) }.unwrap(),
            )
        };
        let [a, b, c] = [open(), open(), open()];
        let (told, hear) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let (first, told) = (Arc::clone(&a), told.clone());
            // Loops of several chunks too, whose bodies run on threads of the devices.
            for n in [1, 100_000] {
                let (first, b, c, told) = (Arc::clone(&first), Arc::clone(&b), Arc::clone(&c), told.clone());
                around(&a, n, move || {
                    let (first, c, told) = (Arc::clone(&first), Arc::clone(&c), told.clone());
                    around(&b, 1, move || {
                        let (first, told) = (Arc::clone(&first), told.clone());
                        around(&c, 1, move || {
                            let inner = Kernel::new("inner").host(|_: Range<usize>| ());
                            let refused = first.parallel_for(0..1, inner.bind()).run().map(|_| ());
                            told.send(refused.map_err(|error| error.to_string())).unwrap();
                        });
                    });
                });
            }
            // What was refused holds nothing up.
            around(&a, 1, || ());
            told.send(Ok(())).unwrap();
        });
        let mut refused = 0;
        loop {
            match hear.recv_timeout(Duration::from_secs(60)).expect("loops that wait for one another") {
                Ok(()) => break,
                Err(said) => assert!(said.contains("`inner`") && said.contains("on another one"), "{said}"),
            }
            refused += 1;
        }
        assert!(refused >= 2, "{refused}");
    }
}

/// What a body leaves behind runs on its device's thread after the loop, and is no place for a loop either.
#[test]
fn a_job_that_a_body_left_behind_may_not_start_a_loop() {
    let machine = common::emulated_machine(&[common::SHARED; 2]);
    let rt = std::sync::Arc::new(Runtime::from_machine(machine).unwrap());
    let (told, hear) = std::sync::mpsc::channel();
    let inner = std::sync::Arc::clone(&rt);
    let kernel = Kernel::new("outer").host(move |_: Range<usize>| {
        let (inner, told) = (std::sync::Arc::clone(&inner), told.clone());
        rayon::spawn(move || {
            let late = inner.parallel_for(0..1, Kernel::new("inner").host(|_: Range<usize>| ()).bind()).run();
            told.send(late.map(|_| ()).map_err(|error| error.to_string())).unwrap();
        });
    });
    rt.parallel_for(0..2, kernel.bind()).policy(Policy::Block).run().unwrap();
    for _ in 0..2 {
        let late = hear.recv_timeout(Duration::from_secs(60)).expect("the job hangs");
        assert!(late.unwrap_err().contains("inside a host body"));
    }
}

/// The cost of a kernel with a `while` loop is unknown: the loop begins on the caller's thread and continues on the device's.
#[test]
fn what_the_callers_thread_began_is_finished_by_all() {
    #[kernel]
    fn turns(i: usize, n: u32, y: &mut [u32]) -> u64 {
        let (mut k, mut s) = (0u32, i as u32);
        while k < n {
            s = s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            k += 1;
        }
        y[i] = s;
        s as u64
    }
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let wanted: Vec<u32> = (0..200u32)
        .map(|i| (0..50_000).fold(i, |s, _| s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
        .collect();
    for _ in 0..5 {
        let mut y = vec![0; 200];
        let sum = rt.parallel_for(0..200usize, turns(50_000, &mut y)).reduce::<u64>(Sum).unwrap();
        assert_eq!((&y, sum.value), (&wanted, wanted.iter().map(|&s| u64::from(s)).sum()));
    }
}
