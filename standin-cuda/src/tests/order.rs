//! Streams run late, in their order, and ordered among one another only by events.

use super::driver::*;
use crate::api::{context::*, event::*, memory::*, stream::*};
use crate::codes::*;
use crate::control::*;
use crate::state::Handle;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI64, Ordering};

const SEEDS: u64 = 64;

#[test]
fn nothing_runs_before_somebody_waits_and_copies_use_the_host_memory_of_that_moment() {
    let _driver = Driver::start(1);
    let (s, memory) = (stream(), alloc(16).unwrap());
    let (mut from, mut to) = (vec![1u64, 2], vec![0u64; 2]);
    copy_in(memory, &from, s).unwrap();
    copy_out(&mut to, memory, s).unwrap();
    assert_eq!((count("pending"), count("operations"), to[0]), (2, 0, 0));
    from[0] = 7;
    sync(s).unwrap();
    assert_eq!((to, count("pending"), count("operations")), (vec![7, 2], 0, 2));
    assert_eq!((count("bytes:h2d"), count("bytes:d2h"), count("bytes:peer")), (16, 16, 0));
}

#[test]
fn memory_that_nobody_wrote_is_poison() {
    let _driver = Driver::start(1);
    assert_eq!(download::<u8>(alloc(3).unwrap(), 3), [0xAB; 3]);
}

/// Kernel in one stream, copy out in another, with or without an event between: `y` as the copy saw it.
fn copied_out(seed: u64, ahead: u32, with_event: bool) -> u64 {
    let _driver = Driver::start(1);
    let (x, y) = (upload(&[1u64]), upload(&[5u64]));
    standin_set_seed(seed);
    standin_set_ahead(ahead);
    let (compute, copy) = (stream(), stream());
    let mut out = vec![0u64];
    triple_add(compute, 1, x, y).unwrap();
    if with_event {
        wait(copy, record(compute));
    }
    copy_out(&mut out, y, copy).unwrap();
    sync(copy).unwrap();
    out[0]
}

#[test]
fn a_copy_out_that_does_not_wait_for_the_kernel_sees_old_data() {
    assert_eq!(copied_out(0, 0, false), 5, "only what a wait needs runs");
    let seen: Vec<_> = (0..SEEDS).map(|seed| copied_out(seed, 50, false)).collect();
    assert!(seen.contains(&5) && seen.contains(&16), "both orders, by the seed: {seen:?}");
    assert_eq!(seen, (0..SEEDS).map(|seed| copied_out(seed, 50, false)).collect::<Vec<_>>(), "the same seed, the same");
    assert!((0..SEEDS).all(|seed| copied_out(seed, 50, true) == 16), "an event orders them");
}

#[test]
fn a_buffer_that_is_filled_again_before_its_kernel_ran_shows() {
    let run = |seed, with_event| {
        let _driver = Driver::start(1);
        let (x, y) = (upload(&[1u64]), upload(&[0u64]));
        standin_set_seed(seed);
        let (copy, compute) = (stream(), stream());
        let (next, mut out) = (vec![9u64], vec![0u64]);
        triple_add(compute, 1, x, y).unwrap();
        if with_event {
            wait(copy, record(compute));
        }
        copy_in(x, &next, copy).unwrap();
        copy_out(&mut out, y, compute).unwrap();
        sync(compute).unwrap();
        out[0]
    };
    assert!((0..SEEDS).any(|seed| run(seed, false) == 9));
    assert!((0..SEEDS).all(|seed| run(seed, true) == 1));
}

#[test]
fn a_wait_is_for_what_the_event_recorded_before_it() {
    let _driver = Driver::start(1);
    standin_set_ahead(0);
    let (a, b, memory) = (stream(), stream(), alloc(8).unwrap());
    let (first, second, mut out) = (vec![1u64], vec![2u64], vec![0u64]);
    copy_in(memory, &first, a).unwrap();
    let event = record(a);
    wait(b, event);
    copy_in(memory, &second, a).unwrap();
    // SAFETY: handles.
    assert_eq!(unsafe { cuEventRecord(event, a) }, 0);
    copy_out(&mut out, memory, b).unwrap();
    sync(b).unwrap();
    assert_eq!(out, [1]);
}

#[test]
fn asking_makes_progress_and_an_end() {
    let _driver = Driver::start(1);
    let (s, memory, from) = (stream(), alloc(8).unwrap(), vec![1u64]);
    (0..20).for_each(|_| copy_in(memory, &from, s).unwrap());
    let event = record(s);
    // SAFETY: handles.
    let (mut asked, ask) = (0, || unsafe { cuEventQuery(event) });
    while ask() == NOT_READY {
        asked += 1;
    }
    assert!((2..=20).contains(&asked), "{asked}");
    // SAFETY: handles.
    assert_eq!(unsafe { (cuEventQuery(event), cuStreamQuery(s)) }, (0, 0));
}

#[test]
fn the_default_stream_is_ordered_against_blocking_streams_alone() {
    for (flags, expected) in [(0, 1), (1, 0xABAB_ABAB_ABAB_ABAB)] {
        let _driver = Driver::start(1);
        standin_set_ahead(0);
        // SAFETY: a place for the handle.
        let s = got(null_mut(), |out| unsafe { cuStreamCreate(out, flags) }).unwrap();
        let (memory, from) = (alloc(8).unwrap(), vec![1u64]);
        copy_in(memory, &from, s).unwrap();
        assert_eq!(download::<u64>(memory, 1), [expected], "flags {flags}");
    }
}

#[test]
fn another_devices_event_can_be_waited_for() {
    let driver = Driver::start(2);
    let (from, mut out) = (vec![4u64], vec![0u64]);
    let (a, x) = (stream(), alloc(8).unwrap());
    copy_in(x, &from, a).unwrap();
    let event = record(a);
    driver.current(1);
    let (b, y) = (stream(), alloc(8).unwrap());
    wait(b, event);
    // SAFETY: addresses and handles.
    let copied = unsafe { crate::api::copy::cuMemcpyPeerAsync(y, driver.contexts[1], x, driver.contexts[0], 8, b) };
    assert_eq!(copied, 0);
    copy_out(&mut out, y, b).unwrap();
    sync(b).unwrap();
    assert_eq!((out, count("bytes:peer")), (vec![4], 8));
}

#[test]
fn the_log_shows_that_a_copy_was_enqueued_before_a_kernel_ran_and_times_are_of_the_virtual_clock() {
    let _driver = Driver::start(1);
    let n = 200;
    let (x, y) = (upload(&vec![1u64; n]), upload(&vec![1u64; n]));
    let (copy, compute, from) = (stream(), stream(), vec![2u64; n]);
    standin_log_clear();
    let start = record(compute);
    triple_add(compute, n as i64, x, y).unwrap();
    let ran = record(compute);
    wait(copy, ran);
    copy_in(x, &from, copy).unwrap();
    let copied = record(copy);
    // SAFETY: handles, and a place for the result.
    let ms = |a, b| got(0f32, |out| unsafe { cuEventElapsedTime(out, a, b) });
    assert_eq!(ms(start, ran), Err(NOT_READY));
    sync(copy).unwrap();
    let ns = |a, b| (ms(a, b).unwrap() * 1e6).round() as i64;
    // The kernel reads two arrays of 1600 bytes and writes one, and starts 100 ns after the event before it.
    assert_eq!((ns(start, ran), ns(ran, copied)), (100 + 1000 + 300, 1000 + 100));
    let log = log();
    let field = |kind: &str, key: &str| -> u64 {
        let line = log.lines().find(|line| line.contains(&format!("kind={kind} "))).unwrap();
        line.split(' ').find_map(|field| field.strip_prefix(key)?.strip_prefix('=')).unwrap().parse().unwrap()
    };
    assert!(field("h2d", "enqueued") < field("kernel", "ran") && field("kernel", "ran") < field("h2d", "ran"));
    assert_eq!((field("kernel", "bytes"), field("h2d", "bytes")), (4800, 1600));
}

static SEEN: AtomicI64 = AtomicI64::new(0);

unsafe extern "C" fn note(data: *mut c_void) {
    // It would hang if the lock were held. Calls of the driver must be refused here.
    // SAFETY: it takes nothing.
    let refused = unsafe { cuCtxSynchronize() } == NOT_PERMITTED;
    SEEN.store(count("streams") * 100 + data as i64 + i64::from(refused), Ordering::SeqCst);
}

#[test]
fn a_host_function_runs_in_its_turn_without_the_lock_and_must_not_call_the_driver() {
    let _driver = Driver::start(1);
    let s = stream();
    SEEN.store(0, Ordering::SeqCst);
    // SAFETY: `note` takes any number.
    assert_eq!(unsafe { cuLaunchHostFunc(s, Some(note), 40 as *mut c_void) }, 0);
    assert_eq!(SEEN.load(Ordering::SeqCst), 0);
    sync(s).unwrap();
    assert_eq!(SEEN.load(Ordering::SeqCst), 141);
}

#[test]
fn memory_allocated_in_a_streams_order_is_not_there_for_others() {
    for with_event in [false, true] {
        let _driver = Driver::start(1);
        standin_set_ahead(0);
        let (a, b, from) = (stream(), stream(), vec![1u64]);
        // SAFETY: a place for the address.
        let memory = got(0, |out| unsafe { cuMemAllocAsync(out, 8, a) }).unwrap();
        if with_event {
            wait(b, record(a));
        }
        copy_in(memory, &from, b).unwrap();
        assert_eq!(sync(b), if with_event { Ok(()) } else { Err(ILLEGAL_ADDRESS) });
        // SAFETY: an address and a handle.
        unsafe { cuMemFreeAsync(memory, a) };
        // SAFETY: a device.
        unsafe { cuDevicePrimaryCtxRelease_v2(0) };
        assert_eq!((count("allocations"), count("leaked")), (0, 2 + i64::from(with_event)), "streams and event alone");
    }
}

unsafe extern "C" fn nap(_: *mut c_void) {
    std::thread::sleep(std::time::Duration::from_micros(100));
}

#[test]
fn threads_can_wait_at_once_while_host_functions_run() {
    let driver = Driver::start(2);
    let contexts: Vec<_> = driver.contexts.iter().map(|context| *context as usize).collect();
    let work = |context: usize| {
        // SAFETY: a context's handle.
        assert_eq!(unsafe { cuCtxSetCurrent(context as Handle) }, 0);
        let (s, x, y) = (stream(), alloc(8).unwrap(), alloc(8).unwrap());
        for i in 0..50 {
            let (from, zero, mut out) = (vec![i], vec![0u64], vec![0u64]);
            copy_in(x, &from, s).unwrap();
            copy_in(y, &zero, s).unwrap();
            // SAFETY: `nap` takes anything.
            assert_eq!(unsafe { cuLaunchHostFunc(s, Some(nap), null_mut()) }, 0);
            triple_add(s, 1, x, y).unwrap();
            copy_out(&mut out, y, s).unwrap();
            sync(s).unwrap();
            assert_eq!(out, [i]);
        }
    };
    std::thread::scope(|scope| {
        (0..4).for_each(|i| {
            let context = contexts[i % 2];
            scope.spawn(move || work(context));
        });
    });
}
