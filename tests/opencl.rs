//! The contract of a device, tested directly on real OpenCL (PoCL is enough): opening it, its memory, its sessions.
//!
//! Without an OpenCL device the tests say that they are skipped; with `APPORTION_REQUIRE_OPENCL=1` they fail.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
#![cfg(feature = "opencl")]

#[path = "common/opencl.rs"]
mod driven;

use apportion::devices::opencl::{OpenClDevice, OpenClOptions, discover};
use apportion::devices::resident::{How, Launch, Piece};
use apportion::devices::{Device, Work};
use apportion::error::Phase;
use apportion::kernel::{DeviceSource, Element, Grid, Kernel, OwnReduce, Reduce, Reduction, Scalar};
use apportion::model::MemoryKind;
use apportion::space::IterRange;
use driven::{AXPY, Ask, BOTH, PLAIN, begin, device, find, kernel, options, run, shuffled, work};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn two_parts_of_one_device_share_an_array_and_have_it_right() {
    let Some(found) = find(|found| found.partitionable, "that can be divided") else { return };
    for memory in BOTH.into_iter().filter(|&memory| found.unified || memory == MemoryKind::Discrete) {
        let part = |skip_compute_units| {
            let part = OpenClOptions { compute_units: Some(1), skip_compute_units, ..options(&found, memory) };
            OpenClDevice::open(part).unwrap()
        };
        let mut devices = [part(0), part(1)];
        assert!(devices.iter().all(|device| device.found().compute_units == 1));
        let n = 1 << 16;
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y = vec![1f32; n];
        let cut = n as u64 * 3 / 10;
        let parts = [IterRange::new(0, cut), IterRange::new(cut, n as u64)];
        let range = IterRange::new(0, n as u64);
        let axpy = kernel(AXPY, 64);
        let bound = axpy.bind().scalar(3f32).to(&x).align().tofrom(&mut y).align();
        std::thread::scope(|scope| {
            for (device, part) in devices.iter_mut().zip(parts) {
                let bound = &bound;
                scope.spawn(move || run(device, bound, range, &shuffled(part, part.start + 1), PLAIN).unwrap());
            }
        });
        drop(bound);
        assert!(y.iter().enumerate().all(|(i, &y)| y == 1.0 + 3.0 * i as f32), "{memory:?}");
    }
}

#[test]
fn more_compute_units_than_there_are_is_an_error_that_says_how_many_there_are() {
    let Some(found) = find(|_| true, "") else { return };
    for (units, skip) in [(found.compute_units + 1, 0), (1, found.compute_units), (0, 0), (u32::MAX, u32::MAX)] {
        let wrong = OpenClOptions {
            compute_units: Some(units),
            skip_compute_units: skip,
            ..options(&found, MemoryKind::Discrete)
        };
        let why = OpenClDevice::open(wrong).unwrap_err().to_string();
        assert!(why.contains("device `cl`") && why.contains("compute units"), "{why}");
        let none_left = found.partitionable && skip >= found.compute_units;
        assert_eq!(why.contains("none are left after the first"), none_left, "{why}");
    }
}

#[test]
fn compute_units_to_skip_without_a_number_of_those_to_use_are_an_error() {
    let Some(found) = find(|_| true, "") else { return };
    let wrong = OpenClOptions { skip_compute_units: 1, ..options(&found, MemoryKind::Discrete) };
    let why = OpenClDevice::open(wrong).unwrap_err().to_string();
    assert!(why.contains("skip_compute_units") && why.contains("`compute_units`"), "{why}");
}

/// Prints what [`discover`] returns in the environment that the test below sets.
#[test]
#[ignore = "run by another test, in processes of its own"]
fn says_what_there_is() {
    println!("discovered: {:?}", discover().map(|all| all.len()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_loader_or_driver_is_one_line_that_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("libOpenCL.so.1"), "no library").unwrap();
    let this = std::env::current_exe().unwrap();
    let said = |name: &str, value: &std::ffi::OsStr| {
        let mut child = std::process::Command::new(&this);
        child.args(["--exact", "says_what_there_is", "--ignored", "--nocapture"]).env(name, value);
        let output = child.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().find_map(|line| line.split("discovered: ").nth(1)).unwrap().to_owned()
    };
    let broken = said("LD_LIBRARY_PATH", folder.path().as_os_str());
    assert!(broken.contains("no OpenCL loader") && broken.contains("install"), "{broken}");
    let other = said("OPENCL_DYLIB_PATH", "libc.so.6".as_ref());
    assert!(other.contains("clGetPlatformIDs") && other.contains("lacks this function"), "{other}");
    let Some(_) = find(|_| true, "") else { return };
    // The variable is known to ocl-icd, and to the Khronos loader since 2024.
    let none = said("OCL_ICD_VENDORS", folder.path().as_os_str());
    if none.starts_with("Ok(") && std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() {
        println!("skipped: this loader does not heed OCL_ICD_VENDORS");
        return;
    }
    assert!(none.contains("no OpenCL driver") && none.contains("install"), "{none}");
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_lists_those_that_are() {
    let Some(found) = find(|_| true, "") else { return };
    for wrong in [
        OpenClOptions { index: 1000, ..options(&found, MemoryKind::Discrete) },
        OpenClOptions { platform: Some("no such platform".to_owned()), ..options(&found, MemoryKind::Discrete) },
    ] {
        let why = OpenClDevice::open(wrong).unwrap_err().to_string();
        assert!(why.contains(&found.name) && why.contains("no OpenCL device"), "{why}");
        assert!(!why.contains('\n'), "{why}");
    }
    let by_name = OpenClOptions {
        platform: Some(found.platform.to_uppercase()),
        device: Some(found.name.to_lowercase()),
        index: 0,
        ..options(&found, MemoryKind::Discrete)
    };
    assert_eq!(OpenClDevice::open(by_name).unwrap().found().name, found.name);
}

#[test]
fn a_chunk_of_more_than_the_largest_buffer_is_refused_in_words() {
    let source = "__kernel void k(long lo, long hi, __global uchar *t, long t0, __global int *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi) y[i - y0] = 1;
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        // Four rows exceed the largest buffer; the host allocates nothing of that size.
        let row = device.found().max_alloc as usize / 2;
        let mut y = vec![0i32; 4];
        let large = kernel(source, 4);
        let bound = large.bind().alloc::<u8>(4 * row).align_rows(row).named("room").from(&mut y).align();
        let range = IterRange::new(0, 4);
        let work = work(&bound, range, PLAIN);
        let mut session = begin(&mut device, &work).unwrap().session;
        let error = session.submit(range).unwrap_err();
        assert_eq!((error.phase, error.chunk), (Phase::To, Some(range)));
        let text = error.to_string();
        let wanted = (4 * row).to_string();
        for part in ["`room`", wanted.as_str(), "at most", "use smaller chunks", "about 2 of these 4"] {
            assert!(text.contains(part), "`{part}` is missing in: {text}");
        }
        assert!(!session.wrote_in_place());
    }
}

#[test]
fn a_chunk_that_does_not_fit_into_the_memory_given_is_refused_and_smaller_ones_run() {
    let Some(found) = find(|_| true, "") else { return };
    let limited = OpenClOptions { memory_bytes: Some(100_000), ..options(&found, MemoryKind::Discrete) };
    let mut device = OpenClDevice::open(limited).unwrap();
    let n = 100_000;
    let x = vec![1f32; n];
    let mut y = vec![1f32; n];
    let range = IterRange::new(0, n as u64);
    let axpy = kernel(AXPY, 64);
    let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
    let work = work(&bound, range, Ask { in_flight: 2, ..PLAIN });
    let mut session = begin(&mut device, &work).unwrap().session;
    let text = session.submit(IterRange::new(0, 20_000)).unwrap_err().to_string();
    assert!(text.contains("100000 bytes") && text.contains("smaller chunks"), "{text}");
    let mut left = range;
    while !left.is_empty() {
        session.submit(left.take_front(5_000)).unwrap();
        session.submit(left.take_front(5_000)).unwrap();
        session.complete().unwrap();
        session.complete().unwrap();
    }
    session.finish().unwrap();
    drop(session);
    assert!(device.allocated_bytes() <= 100_000);
    drop(bound);
    assert!(y.iter().all(|&y| y == 2.0));
}

#[test]
fn buffers_are_kept_for_the_next_loop_and_freed_when_no_loop_wants_them() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let axpy = kernel(AXPY, 64);
    let mut once = |n: usize| {
        let (x, mut y) = (vec![1f32; n], vec![0f32; n]);
        let range = IterRange::new(0, n as u64);
        let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
        run(&mut device, &bound, range, &[range], PLAIN).unwrap();
        device.allocated_bytes()
    };
    let large = once(100_000);
    // Two of 400 000 bytes, each rounded up to the next power of two.
    assert_eq!(large, 2 << 19);
    assert_eq!(once(100_000), large);
    assert_eq!(once(50_000), large, "a smaller section fits into the same buffers");
    // Loops with entirely different memory.
    // SAFETY: the kernel stays within the sections that it is given.
    let empty = Kernel::new("empty").opencl_source(unsafe {
        DeviceSource::new("__kernel void k(long lo, long hi) {}", "k", Grid::per_iteration(1))
    });
    for _ in 0..40 {
        run(&mut device, &empty.bind(), IterRange::new(0, 1), &[IterRange::new(0, 1)], PLAIN).unwrap();
    }
    assert_eq!(device.allocated_bytes(), 0);
}

#[test]
fn a_session_dropped_with_chunks_in_flight_leaves_arrays_that_can_be_used() {
    // Slow enough that chunks are surely in flight when the session is dropped.
    let source = "__kernel void k(long lo, long hi, __global int *y, long y0) {
        long i = lo + get_global_id(0);
        int v = 1;
        for (int s = 0; s < 20000; ++s) v = v * 1664525 + 1013904223;
        if (i < hi) y[i - y0] = v | 1;
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let mut y = vec![0i32; 4096];
        let range = IterRange::new(0, 4096);
        let slow = kernel(source, 64);
        {
            let bound = slow.bind().tofrom(&mut y).align();
            let work = work(&bound, range, PLAIN);
            let mut session = begin(&mut device, &work).unwrap().session;
            let mut left = range;
            for _ in 0..3 {
                session.submit(left.take_front(1024)).unwrap();
            }
            assert!(session.submit(left).unwrap_err().to_string().contains("in flight"));
            drop(session);
            // The spans are free again: the same rows can be lent once more.
            run(&mut device, &bound, range, &[range], PLAIN).unwrap();
        }
        let first = y[0];
        assert!(first != 0 && y.iter().all(|&y| y == first), "{memory:?}");
        y.fill(5);
        let seen = y.clone();
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(y, seen, "nobody writes the array any more");
    }
}

#[test]
fn a_panic_in_a_launch_leaves_no_memory_counted_and_nothing_under_way() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let source = "__kernel void k(long lo, long hi, __global ulong *partial) { partial[get_group_id(0)] = hi - lo; }";
    // The second piece of each round panics, when the first is under way.
    let asked = AtomicUsize::new(0);
    let grid = Grid::new([64, 1, 1], move |iterations| {
        assert!(asked.fetch_add(1, Ordering::Relaxed) % 4 != 1, "a grid");
        [iterations, 1, 1]
    });
    // SAFETY: the kernel writes one partial result for each group.
    let kernel = Kernel::new("k").opencl_source(unsafe { DeviceSource::new(source, "k", grid) });
    let bound = kernel.bind();
    let reduction = Some(Reduction { operator: Reduce::Sum, element: u64::TYPE });
    let range = IterRange::new(0, 64_000);
    let work = work(&bound, range, Ask { reduction, ..PLAIN });
    let piece = |chunk| Piece { chunk, columns: None, waits: false, stored: Default::default() };
    let pieces = [piece(IterRange::new(0, 32_000)), piece(IterRange::new(32_000, 64_000))];
    let launch = |pieces| Launch { work: Some(&work), incoming: &[], pieces, late: &[], how: How::default() };
    let combine = |_: Scalar, _: Scalar| -> Scalar { panic!("an operator") };
    let operator = Reduce::Own(OwnReduce { identity: || Scalar::U64(0), combine });
    let own = Work { reduction: Some(Reduction { operator, element: u64::TYPE }), ..Work::of(&bound, range) };
    let panics_with = |text: &'static str, run: &mut dyn FnMut()| {
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&text));
    };
    let mut held = Vec::new();
    for _ in 0..3 {
        let resident = device.resident().unwrap();
        panics_with("a grid", &mut || drop(resident.launch(&launch(&pieces[..]))));
        let (id, _) = resident.launch(&Launch { work: Some(&own), ..launch(&pieces[..1]) }).unwrap();
        panics_with("an operator", &mut || drop(resident.landed(id)));
        // The device goes on.
        let (id, _) = resident.launch(&launch(&pieces[..1])).unwrap();
        let landed = resident.landed(id).unwrap();
        assert_eq!(landed.partials[..], [(pieces[0].chunk, Scalar::U64(500 * 32_000))]);
        held.push(device.allocated_bytes());
    }
    assert_eq!(held[0], held[2], "{held:?}");
}

#[test]
fn rows_that_another_chunk_has_are_not_lent_twice_and_nothing_else_is_lost() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
        let range = IterRange::new(0, 100);
        let axpy = kernel(AXPY, 10);
        let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align().named("y");
        let work = work(&bound, range, PLAIN);
        let mut session = begin(&mut device, &work).unwrap().session;
        session.submit(IterRange::new(0, 60)).unwrap();
        let error = session.submit(IterRange::new(50, 100)).unwrap_err();
        assert!(error.to_string().contains("array `y`"), "{error}");
        assert!(!session.wrote_in_place(), "the refused chunk has changed nothing");
        session.submit(IterRange::new(60, 100)).unwrap();
        session.complete().unwrap();
        session.complete().unwrap();
        assert!(session.complete().is_err(), "there is no third");
        session.finish().unwrap();
        assert!(session.submit(range).is_err(), "the loop is finished");
        drop(session);
        drop(bound);
        assert!(y.iter().all(|&y| y == 1.0), "{memory:?}");
    }
}

#[test]
fn finishing_with_a_chunk_in_flight_says_that_its_rows_are_not_as_they_were() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
        let range = IterRange::new(0, 100);
        let axpy = kernel(AXPY, 10);
        let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
        let work = work(&bound, range, PLAIN);
        let mut session = begin(&mut device, &work).unwrap().session;
        session.submit(range).unwrap();
        let error = session.finish().unwrap_err();
        assert_eq!((error.phase, error.chunk), (Phase::Fini, Some(range)));
        assert!(session.wrote_in_place());
    }
}

#[test]
fn a_device_may_move_to_another_thread() {
    fn send<T: Send>(_: &T) {}
    let Some(device) = device(MemoryKind::Discrete) else { return };
    send(&device);
}
