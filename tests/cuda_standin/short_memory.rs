//! What a GPU keeps for later makes room where memory is refused, and what finds none waits or gets shorter.
#![allow(unsafe_code, reason = "an image by hand, which stays within its arrays")]

use crate::common;
use crate::kernels::*;
use crate::machine::{machine, runtime};
use crate::standin::{OUT_OF_MEMORY, alone, watch};
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;

#[test]
fn idle_buffers_make_room_for_what_is_not_a_buffer() {
    alone(concat!(module_path!(), "::idle_buffers_make_room_for_what_is_not_a_buffer"), |standin| {
        // The image of a kernel's first loop, or an array of a region.
        for (refused, region) in [("cuModuleLoadDataEx", false), ("cuModuleLoadDataEx", true), ("cuMemAlloc_v2", true)]
        {
            watch(format!("{refused}, region: {region}"));
            standin.fresh();
            let rt = runtime(&machine(1, false));
            let (x, mut y) = (Memory::Locked.of(&numbers(400_000)), Memory::Locked.of(&numbers(400_000)));
            check_triple_add(&rt, &Policy::Block, &x, &mut y).unwrap();
            let kept = standin.count("allocated_bytes");
            assert!(kept > 0);
            standin.fail(refused, 1, OUT_OF_MEMORY);
            // Of another image than the first.
            // SAFETY: the kernel stays within the sections that it is given.
            let other = unsafe { DeviceImage::new("standin:f64", "triple_add", Grid::per_iteration(64)) };
            let kernel = common::triple_add().cuda_image(other);
            let n = if region { x.len() } else { 1000 };
            let mut z = numbers(n);
            if region {
                let mut region = rt.data_region();
                let (from, to) = (region.to(&x[..n], [n]), region.tofrom(&mut z, [n]));
                region.parallel_for(0..n, kernel.bind().reads(from).writes(to)).run().unwrap();
                region.finish().unwrap();
            } else {
                let bound = kernel.bind().to(&x[..n]).align().tofrom(&mut z).align();
                let report = rt.parallel_for(0..n, bound).run().unwrap();
                assert!(report.faults.is_empty(), "{report}");
            }
            let wanted = |(z, x): (&u64, &u64)| z.wrapping_mul(3).wrapping_add(*x);
            assert!(z.iter().copied().eq(numbers(n).iter().zip(x.iter()).map(wanted)));
            let left = standin.count("allocated_bytes");
            assert!(left < kept, "{left} of {kept} bytes are left: what no loop used is freed");
            drop((rt, x, y));
            standin.nothing_is_left(refused);
        }
    });
}

#[test]
fn page_locked_memory_that_is_refused_makes_pieces_shorter_and_loses_no_gpu() {
    let name = concat!(module_path!(), "::page_locked_memory_that_is_refused_makes_pieces_shorter_and_loses_no_gpu");
    alone(name, |standin| {
        never_register(standin);
        let mut shorter = 0;
        for nth in 1..12 {
            watch(format!("allocation {nth}"));
            standin.fresh();
            let rt = runtime(&machine(1, false));
            let (x, mut y) = (numbers(100_000), numbers(100_000));
            // What is made ready at first is refused too, and asked for again.
            (nth..nth + 3).for_each(|nth| standin.fail("cuMemHostAlloc", nth, OUT_OF_MEMORY));
            let report = check_triple_add(&rt, &"SCHED_DYNAMIC:10%".parse().unwrap(), &x, &mut y).unwrap();
            assert!(report.faults.is_empty(), "{report}");
            shorter += usize::from(report.notes.iter().any(|note| note.contains("cut shorter")));
            drop(rt);
            standin.nothing_is_left("a loop");
        }
        assert!(shorter > 0, "no piece was refused memory");
    });
}

#[test]
fn the_shortest_pieces_wait_for_those_that_hold_the_memory() {
    alone(concat!(module_path!(), "::the_shortest_pieces_wait_for_those_that_hold_the_memory"), |standin| {
        for locked in [true, false] {
            if !locked {
                never_register(standin);
            }
            for (left, n) in [(1.5, 1_000_003), (2.5, 1_000_003), (1.5, 150_000), (1.5, 100_000)] {
                watch(format!("locked: {locked}, room for {left} blocks, {n} numbers"));
                standin.fresh();
                let rt = runtime(&machine(1, false));
                let block = 50_000;
                let x = if locked { Memory::Locked } else { Memory::Plain }.of(&numbers(n));
                // Other programs take memory after the GPU was opened.
                standin.memory((left * 8.0 * block as f64) as u64);
                let run = rt.parallel_for(0..n, total().bind().to(&x).align()).reproducible(block);
                let done = run.policy(Policy::Block).reduce::<u64>(Sum).unwrap();
                assert_eq!(done.value, x.iter().fold(0u64, |sum, x| sum.wrapping_add(*x)));
                assert!(done.report.faults.is_empty(), "{}", done.report);
                let waited = done.report.notes.iter().any(|note| note.contains("waited for others"));
                // A lane may be done with one piece before another lane asks.
                assert!(waited || !locked, "{}", done.report);
                standin.memory(64 << 20);
                drop((rt, x));
                standin.nothing_is_left("a reduction");
            }
        }
    });
}
