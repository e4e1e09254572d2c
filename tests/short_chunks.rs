//! Short chunks on the host: one thread runs what is expected to take no time, and shares it out where that was wrong.

mod common;

use apportion::prelude::*;
use common::machines;
use std::time::Duration;

const N: usize = 3000;

/// A loop `y[i] = x[i] + i` that sums x up, said to take so many operations an iteration; those in `slow` take long.
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
    // The whole loop would take one thread 0.3 s.
    let kernel = Kernel::new("longer")
        .host(move |range: Range<usize>, x: In<f32>, mut y: Out<u64>| {
            for i in range {
                std::thread::sleep(Duration::from_micros(100));
                // Which thread it was, as a number.
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

/// Which thread runs each of a few iterations that are said to take so many operations each.
fn threads_of(rt: &Runtime, operations: f64, cuts_itself: bool) -> Vec<std::thread::ThreadId> {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let all = std::sync::Arc::clone(&seen);
    let body = move |range: Range<usize>| range.for_each(|_| all.lock().unwrap().push(std::thread::current().id()));
    let kernel = Kernel::new("where").cost(Cost::per_iteration().flops(operations));
    let kernel = if cuts_itself { kernel.host_whole_chunk(body) } else { kernel.host(body) };
    rt.parallel_for(0..10, kernel.bind()).run().unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 10);
    seen.clone()
}

#[test]
fn a_loop_that_takes_less_than_handing_it_over_is_the_callers() {
    let rt = machines::runtime(&[machines::host()]).unwrap();
    let here = std::thread::current().id();
    assert!(threads_of(&rt, 1.0, false).iter().all(|thread| *thread == here));
    // One that takes long, and one whose body may ask the device's threads for help.
    assert!(threads_of(&rt, 1e12, false).iter().all(|thread| *thread != here));
    assert!(threads_of(&rt, 1.0, true).iter().all(|thread| *thread != here));
    // A job of somebody's pool is none of the device's threads either.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (outer, seen) = pool.install(|| (std::thread::current().id(), threads_of(&rt, 1.0, false)));
    assert!(seen.iter().all(|thread| *thread != outer && *thread != here));
}
