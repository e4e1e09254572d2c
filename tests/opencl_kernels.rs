//! What kernels compute on a device that is used directly, and the errors of wrong kernels, on real OpenCL (PoCL is enough).
//!
//! Without an OpenCL device the tests say that they are skipped; with `APPORTION_REQUIRE_OPENCL=1` they fail.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
#![cfg(feature = "opencl")]

mod common;
#[path = "common/opencl.rs"]
mod driven;

use apportion::devices::Device;
use apportion::devices::opencl::OpenClDevice;
use apportion::element::Scalar;
use apportion::error::Phase;
use apportion::kernel::{Cost, DeviceSource, ElementType, Grid, In, Kernel, Out, Reduce, Reduction};
use apportion::model::MemoryKind;
use apportion::prelude::Policy;
use apportion::space::IterRange;
use apportion::units::Seconds;
use common::machines::{host, opencl, runtime};
use driven::{AXPY, Ask, BOTH, PLAIN, begin, device, kernel, run, shuffled, work};
use std::ops::Range;
use std::time::Instant;

#[test]
fn axpy_is_right_in_chunks_of_any_order_with_copies_and_without() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        for (seed, in_flight) in [(1, 1), (2, 2), (3, 5)] {
            let n = 10_007;
            let x: Vec<f32> = (0..n).map(|i| (i % 100) as f32).collect();
            let mut y: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let range = IterRange::new(5, n as u64 - 2);
            let chunks = shuffled(range, seed);
            let axpy = kernel(AXPY, 64);
            let bound = axpy.bind().scalar(2f32).to(&x).align().tofrom(&mut y).align();
            let done = run(&mut device, &bound, range, &chunks, Ask { in_flight, ..PLAIN }).unwrap();
            let bytes: u64 = done.iter().map(|c| c.bytes_to).sum();
            let back: u64 = done.iter().map(|c| c.bytes_from).sum();
            let copied = if memory == MemoryKind::Discrete { range.len() * 4 } else { 0 };
            assert_eq!((bytes, back), (2 * copied, copied), "{memory:?}");
            for completed in &done {
                assert_eq!(completed.to.is_some(), memory == MemoryKind::Discrete);
                assert_eq!(completed.from.is_some(), memory == MemoryKind::Discrete);
            }
            drop(bound);
            for (i, y) in y.iter().enumerate() {
                let added = if (range.start..range.end).contains(&(i as u64)) { 2.0 * (i % 100) as f32 } else { 0.0 };
                assert_eq!(*y, i as f32 + added, "element {i}, {memory:?}, {in_flight} in flight");
            }
        }
        assert_eq!(device.programs_compiled(), 1, "the same source is compiled once");
    }
}

#[test]
fn spans_start_before_they_end_and_each_queue_does_one_thing_after_the_other() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let (x, mut y) = (vec![1f32; 1 << 16], vec![0f32; 1 << 16]);
    let range = IterRange::new(0, 1 << 16);
    let axpy = kernel(AXPY, 64);
    let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
    let before = Instant::now();
    let done = run(&mut device, &bound, range, &shuffled(range, 9), PLAIN).unwrap();
    let whole = before.elapsed().as_secs_f64();
    let mut last = [0.0; 3];
    for completed in &done {
        let spans = [completed.to, completed.kernel, completed.from].map(Option::unwrap);
        for (span, last) in spans.iter().zip(&mut last) {
            assert!(*last <= span.start.0 && span.start.0 <= span.end.0 && span.end.0 <= whole, "{done:?}");
            *last = span.end.0;
        }
        // All spans are on one clock: the kernel waits for the copy in, and the copy out for the kernel.
        assert!(spans[0].start.0 <= spans[1].end.0 && spans[1].start.0 <= spans[2].end.0, "{spans:?}");
    }
}

#[test]
fn what_the_driver_compiles_at_a_kernels_first_run_counts_as_set_up() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let (x, mut y) = (vec![1f32; 1000], vec![0f32; 1000]);
        let range = IterRange::new(0, 1000);
        let axpy = kernel(AXPY, 64);
        let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
        let mut once = || {
            let before = device.compile_time();
            let (early, late) = {
                let work = work(&bound, range, PLAIN);
                let begun = begin(&mut device, &work).unwrap();
                let mut session = begun.session;
                session.submit(range).unwrap();
                let done = session.complete().unwrap();
                assert!(done.kernel.unwrap().length().0 > 0.0, "{memory:?}: {done:?}");
                (begun.times[Phase::Init], session.finish().unwrap()[Phase::Init])
            };
            (late, early + late, Seconds::from(device.compile_time() - before))
        };
        let ((first, whole, compiled), (second, _, again)) = (once(), once());
        assert!(first.0 > 0.0 && first < compiled && compiled <= whole, "{first}, {compiled}, {whole}");
        assert_eq!((second, again), (Seconds::ZERO, Seconds::ZERO), "{memory:?}");
    }
}

#[test]
fn what_the_driver_compiles_anew_for_other_groups_and_for_a_wide_grid_counts_too() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        // Short and long chunks need no other buffers.
        let n = 1 << 17;
        let (x, mut y) = (vec![1f32; n], vec![0f32; n]);
        let whole = IterRange::new(0, n as u64);
        let mut prepared = |group: usize, chunks: &[IterRange]| {
            let axpy = kernel(AXPY, group);
            let bound = axpy.bind().scalar(1f32).to(&x).align().tofrom(&mut y).align();
            let before = (device.compile_time(), device.preparations());
            run(&mut device, &bound, whole, chunks, Ask { in_flight: 1, ..PLAIN }).unwrap();
            (device.compile_time() > before.0, device.preparations() > before.1)
        };
        let short: Vec<_> =
            (0..4).map(|i| IterRange::new(i * (whole.len() / 4), (i + 1) * (whole.len() / 4))).collect();
        assert_eq!(prepared(64, &[whole]), (true, true), "{memory:?}");
        for (group, chunks, what) in [
            (64, &short[..], "short chunks"),
            (128, &[whole], "other groups"),
            (128, &short, "short chunks of other groups"),
        ] {
            assert_eq!(prepared(group, chunks), (true, true), "{memory:?}, {what}");
            assert_eq!(prepared(group, chunks), (false, false), "{memory:?}, {what} again");
        }
        assert_eq!(device.programs_compiled(), 1, "the source is compiled once");
    }
}

#[test]
fn rows_with_a_halo_of_three_see_their_neighbours_and_no_further() {
    let source = "__kernel void k(long lo, long hi, int m, int rows, __global const double *u, long u0,
                                  __global double *v, long v0) {
        long j = get_global_id(0), i = lo + get_global_id(1);
        if (i >= hi || j >= m) return;
        double sum = 0;
        for (long d = -3; d <= 3; ++d)
            if (i + d >= 0 && i + d < rows) sum += u[(i + d) * m + j - u0];
        v[i * m + j - v0] = sum;
    }";
    let (rows, m) = (61usize, 13usize);
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        if !device.found().fp64 {
            return println!("skipped: no double precision");
        }
        let u: Vec<f64> = (0..rows * m).map(|i| (i * i % 1000) as f64).collect();
        let mut v = vec![-1f64; rows * m];
        let grid = Grid::new([8, 2, 1], move |iterations| [m, iterations, 1]);
        // SAFETY: the kernel stays within the sections that it is given.
        let stencil = Kernel::new("stencil").opencl_source(unsafe { DeviceSource::new(source, "k", grid) });
        let range = IterRange::new(0, rows as u64);
        let bound =
            stencil.bind().scalar(m as i32).scalar(rows as i32).to(&u).align_rows(m).halo(3).from(&mut v).align_rows(m);
        let chunks = shuffled(range, 4);
        let done = run(&mut device, &bound, range, &chunks, PLAIN).unwrap();
        for (chunk, completed) in chunks.iter().zip(&done) {
            let needed = (chunk.end + 3).min(rows as u64) - chunk.start.saturating_sub(3);
            let row = if memory == MemoryKind::Discrete { m as u64 * 8 } else { 0 };
            assert_eq!((completed.bytes_to, completed.bytes_from), (needed * row, chunk.len() * row));
        }
        drop(bound);
        for i in 0..rows {
            for j in 0..m {
                let sum: f64 = (i.saturating_sub(3)..(i + 4).min(rows)).map(|k| u[k * m + j]).sum();
                assert_eq!(v[i * m + j], sum, "row {i}, column {j}, {memory:?}");
            }
        }
    }
}

#[test]
fn a_replicated_vector_and_aligned_rows_give_a_matrix_vector_product() {
    let source = "__kernel void k(long lo, long hi, __global const float *a, long a0, __global const float *x, long x0,
                                  __global float *y, long y0, long n) {
        long i = lo + get_global_id(0);
        if (i >= hi) return;
        float sum = 0;
        for (long j = 0; j < n; ++j) sum += a[i * n + j - a0] * x[j - x0];
        y[i - y0] = sum;
    }";
    let n = 97usize;
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let a: Vec<f32> = (0..n * n).map(|i| (i % 7) as f32).collect();
        let x: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
        let mut y = vec![0f32; n];
        let range = IterRange::new(0, n as u64);
        let matvec = kernel(source, 16);
        let bound = matvec.bind().to(&a).align_rows(n).to(&x).full().from(&mut y).align().scalar(n as i64);
        let work = work(&bound, range, PLAIN);
        let begun = begin(&mut device, &work).unwrap();
        assert_eq!(begun.bytes_to, if memory == MemoryKind::Discrete { 4 * n as u64 } else { 0 });
        drop(begun);
        run(&mut device, &bound, range, &shuffled(range, 5), PLAIN).unwrap();
        drop(bound);
        for i in 0..n {
            assert_eq!(y[i], (0..n).map(|j| a[i * n + j] * x[j]).sum::<f32>(), "row {i}, {memory:?}");
        }
    }
}

#[test]
fn an_iteration_can_own_several_bytes_at_odd_addresses() {
    let source = "__kernel void k(long lo, long hi, __global const uchar *x, long x0, __global uchar *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi) for (long k = 3 * i; k < 3 * i + 3; ++k) y[k - y0] = x[k - x0] ^ (uchar)k;
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let n = 1001usize;
        let x: Vec<u8> = (0..3 * n).map(|i| (i * 31 % 256) as u8).collect();
        let mut y = vec![0u8; 3 * n];
        let range = IterRange::new(0, n as u64);
        let bound_kernel = kernel(source, 32);
        let bound = bound_kernel.bind().to(&x).ratio(3).from(&mut y).ratio(3);
        run(&mut device, &bound, range, &shuffled(range, 6), PLAIN).unwrap();
        drop(bound);
        assert!((0..3 * n).all(|k| y[k] == x[k] ^ k as u8), "{memory:?}");
    }
}

#[test]
fn numbers_of_8_and_16_bits_are_passed_and_copied() {
    let source = "__kernel void k(long lo, long hi, char a, short b, ushort c, __global const char *x, long x0,
                                  __global const ushort *u, long u0, __global short *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi) y[i - y0] = (short)(a * x[i - x0] + b + (u[i - u0] - c));
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let n = 1001usize;
        let (a, b, c) = (-5i8, -300i16, 40_000u16);
        let x: Vec<i8> = (0..n).map(|i| i as i8).collect();
        let u: Vec<u16> = (0..n).map(|i| (i * 997) as u16).collect();
        let mut y = vec![0i16; n];
        let range = IterRange::new(0, n as u64);
        let bound_kernel = kernel(source, 32);
        let bound =
            bound_kernel.bind().scalar(a).scalar(b).scalar(c).to(&x).align().to(&u).align().from(&mut y).align();
        run(&mut device, &bound, range, &shuffled(range, 6), PLAIN).unwrap();
        drop(bound);
        for i in 0..n {
            let wanted = i32::from(a) * i32::from(x[i]) + i32::from(b) + (i32::from(u[i]) - i32::from(c));
            assert_eq!(y[i], wanted as i16, "{i}, {memory:?}");
        }
    }
}

#[test]
fn a_sum_is_combined_from_the_groups_of_all_chunks() {
    let source = "__kernel void k(long lo, long hi, __global const float *x, long x0, __global double *partial) {
        __local double part[32];
        long i = lo + get_global_id(0);
        int l = get_local_id(0);
        part[l] = i < hi ? (double)x[i - x0] : 0.0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 16; s > 0; s /= 2) {
            if (l < s) part[l] += part[l + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) partial[get_group_id(0)] = part[0];
    }";
    let reduction = Reduction { operator: Reduce::Sum, element: ElementType::F64 };
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        if !device.found().fp64 {
            return println!("skipped: no double precision");
        }
        let x: Vec<f32> = (0..5003).map(|i| i as f32 * 0.25).collect();
        let range = IterRange::new(0, x.len() as u64);
        let sum_kernel = kernel(source, 32);
        let bound = sum_kernel.bind().to(&x).align();
        let ask = Ask { reduction: Some(reduction), poison: true, ..PLAIN };
        let mut chunks = shuffled(range, 7);
        chunks.push(IterRange::new(17, 17));
        let done = run(&mut device, &bound, range, &chunks, ask).unwrap();
        for (chunk, completed) in chunks.iter().zip(&done) {
            let sum: f64 = x[chunk.indices()].iter().map(|&x| f64::from(x)).sum();
            assert_eq!(completed.partial, Some(Scalar::F64(sum)), "iterations {chunk}, {memory:?}");
        }
    }
}

#[test]
fn scratch_arrays_are_room_for_each_chunk_of_its_own() {
    let source = "__kernel void k(long lo, long hi, __global const int *x, long x0, __global int *t, long t0,
                                  __global int *y, long y0) {
        long i = lo + get_global_id(0);
        if (i >= hi) return;
        for (long k = 4 * i; k < 4 * i + 4; ++k) t[k - t0] = x[i - x0] * (int)(k - 4 * i);
        y[i - y0] = t[4 * i - t0] + t[4 * i + 1 - t0] + t[4 * i + 2 - t0] + t[4 * i + 3 - t0];
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let n = 500usize;
        let x: Vec<i32> = (0..n as i32).collect();
        let mut y = vec![0i32; n];
        let range = IterRange::new(0, n as u64);
        let scratch = kernel(source, 16);
        let bound = scratch.bind().to(&x).align().alloc::<i32>(4 * n).align_rows(4).from(&mut y).align();
        run(&mut device, &bound, range, &shuffled(range, 8), PLAIN).unwrap();
        drop(bound);
        assert!(y.iter().zip(&x).all(|(y, x)| *y == 6 * x), "{memory:?}");
    }
}

#[test]
fn poison_shows_an_element_that_the_kernel_leaves_out() {
    let source = "__kernel void k(long lo, long hi, __global float *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi && i % 10 != 3) y[i - y0] = 1;
    }";
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let leaky = kernel(source, 16);
        let range = IterRange::new(0, 100);
        let mut y = vec![0f32; 100];
        // Twice, since the second loop reuses buffers that hold the first one's results.
        for _ in 0..2 {
            let bound = leaky.bind().from(&mut y).align();
            run(&mut device, &bound, range, &shuffled(range, 2), Ask { poison: true, ..PLAIN }).unwrap();
            drop(bound);
            for (i, y) in y.iter().enumerate() {
                assert_eq!(y.is_nan(), i % 10 == 3, "element {i} is {y}, {memory:?}");
            }
        }
    }
}

/// The error of a loop over 100 elements with a wrong kernel. Checks that a right kernel runs afterwards.
fn refused(device: &mut OpenClDevice, wrong: &Kernel) -> String {
    let x = vec![1f32; 100];
    let range = IterRange::new(0, 100);
    let mut y = vec![0f32; 100];
    let error = {
        let bound = wrong.bind().scalar(2f32).to(&x).align().tofrom(&mut y).align();
        run(device, &bound, range, &[range], PLAIN).unwrap_err()
    };
    assert_eq!((error.device.as_str(), error.phase, error.chunk), ("cl", Phase::Init, None), "{error}");
    let right = kernel(AXPY, 10);
    let bound = right.bind().scalar(2f32).to(&x).align().tofrom(&mut y).align();
    run(device, &bound, range, &[range], PLAIN).unwrap();
    drop(bound);
    assert!(y.iter().all(|&y| y == 2.0), "beginning again after an error works");
    error.to_string()
}

#[test]
fn wrong_kernels_are_refused_in_words_and_the_device_goes_on() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let check = |device: &mut OpenClDevice, wrong: Kernel, parts: &[&str]| {
        let text = refused(device, &wrong);
        println!("{text}\n");
        for part in parts {
            assert!(text.contains(part), "`{part}` is missing in: {text}");
        }
    };
    let broken = AXPY.replace("+= a * x", "+= aa * x");
    check(
        &mut device,
        kernel(&broken, 64),
        &["CL_BUILD_PROGRAM_FAILURE (-11)", "aa", "line 4 of the source: if (i < hi)"],
    );
    // SAFETY: the kernel stays within the sections that it is given.
    let renamed = Kernel::new("k").opencl_source(unsafe { DeviceSource::new(AXPY, "saxpy", Grid::per_iteration(64)) });
    check(&mut device, renamed, &["no kernel function `saxpy`", "it has `k`", "CL_INVALID_KERNEL_NAME (-46)"]);
    let fewer = "__kernel void k(long lo, long hi, float a, __global const float *x, __global float *y) {}";
    check(&mut device, kernel(fewer, 64), &["has 5 parameters, but is called with 7"]);
    let double = AXPY.replace("float a", "double a");
    if device.found().fp64 {
        check(&mut device, kernel(&double, 64), &["parameter 2 (`double a`)", "no `float`", "argument 0"]);
    }
    let narrow = AXPY.replace("long y0", "int y0");
    check(&mut device, kernel(&narrow, 64), &["parameter 6 (`int y0`)", "no `long`"]);
    check(&mut device, kernel(AXPY, 1 << 20), &["1048576 work-items", "at most", "smaller group"]);
    let demanding = AXPY.replace("__kernel", "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))");
    check(&mut device, kernel(&demanding, 64), &["64 x 1 x 1", "demands 8 x 1 x 1"]);
    let nothing = "int k(int a) { return a; }";
    check(&mut device, kernel(nothing, 64), &["no kernel function `k`: it has none"]);
    // A gigabyte for each group, which the compiler cannot leave out.
    let greedy = AXPY.replace(
        "if (i < hi)",
        "__local float a1[1 << 28]; a1[i % (1 << 28)] = a; barrier(CLK_LOCAL_MEM_FENCE); if (i < hi && a1[(hi - i) % (1 << 28)] > 0)",
    );
    check(&mut device, kernel(&greedy, 64), &["1073741824 bytes of local memory", "smaller `__local` arrays"]);
}

#[test]
fn a_grid_that_no_device_can_count_is_refused_rather_than_empty() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let range = IterRange::new(0, 100);
    for shape in [[usize::MAX, 1, 1], [1 << 40, 1 << 40, 1], [1 << 63, 1, 1]] {
        // SAFETY: it never runs.
        let source = unsafe { DeviceSource::new(AXPY, "k", Grid::new([64, 1, 1], move |_| shape)) };
        let wrong = Kernel::new("k").opencl_source(source);
        let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
        let bound = wrong.bind().scalar(2f32).to(&x).align().tofrom(&mut y).align();
        let error = run(&mut device, &bound, range, &[range], PLAIN).unwrap_err();
        assert_eq!((error.phase, error.chunk), (Phase::Kernel, Some(range)), "{error}");
        assert!(error.message.contains("more than a kernel can count"), "{error}");
    }
}

#[test]
fn what_does_not_compile_is_compiled_once() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let broken = kernel(&AXPY.replace("+= a * x", "+= aa * x"), 64);
    // SAFETY: it never runs.
    let renamed = Kernel::new("k").opencl_source(unsafe { DeviceSource::new(AXPY, "saxpy", Grid::per_iteration(64)) });
    let errors = [refused(&mut device, &broken), refused(&mut device, &renamed)];
    // The broken one, and the right one, which is also that of the wrong entry.
    assert_eq!(device.programs_compiled(), 2);
    let before = (device.preparations(), device.compile_time());
    for _ in 0..2 {
        assert_eq!([refused(&mut device, &broken), refused(&mut device, &renamed)], errors);
    }
    assert_eq!((device.preparations(), device.compile_time()), before);
    assert_eq!(device.programs_compiled(), 2);
    // Other options may make a source of it.
    // SAFETY: the kernel stays within the sections that it is given.
    let source = unsafe { DeviceSource::new(AXPY.replace("+= a * x", "+= aa * x"), "k", Grid::per_iteration(64)) };
    let mended = Kernel::new("k").opencl_source(source.options("-Daa=a"));
    let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
    let range = IterRange::new(0, 100);
    let bound = mended.bind().scalar(2f32).to(&x).align().tofrom(&mut y).align();
    run(&mut device, &bound, range, &[range], PLAIN).unwrap();
}

#[test]
fn a_loop_whose_source_does_not_compile_runs_on_the_other_devices() {
    if driven::find(|_| true, "").is_none() {
        return;
    }
    let rt = runtime(&[host(), opencl("cl", "discrete")]).unwrap();
    let source = AXPY.replace("+= a * x", "+= aa * x");
    let broken = Kernel::new("k")
        .host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| range.for_each(|i| y[i] += a * x[i]))
        // SAFETY: it never runs.
        .opencl_source(unsafe { DeviceSource::new(source, "k", Grid::per_iteration(64)) })
        .cost(Cost::per_iteration().flops(2).loads(8).stores(4));
    let mut said = Vec::new();
    for _ in 0..2 {
        let report = common::check_axpy(&rt, &broken, &Policy::Block, 10_000).unwrap();
        let text = report.to_string();
        assert!(text.contains("failed: ") && text.contains("does not compile"), "{text}");
        said.push(report.faults.iter().map(ToString::to_string).collect::<Vec<_>>());
    }
    assert_eq!(said[0].len(), 1);
    assert_eq!(said[0], said[1]);
}

#[test]
fn a_kernel_without_an_opencl_variant_is_not_eligible() {
    let Some(mut device) = device(MemoryKind::Discrete) else { return };
    let none = Kernel::new("host only");
    let why = device.eligible(&none).unwrap_err();
    assert!(why.contains("host only") && why.contains("OpenCL"), "{why}");
    assert_eq!(device.eligible(&kernel(AXPY, 64)), Ok(()));
    let bound = none.bind();
    assert!(run(&mut device, &bound, IterRange::new(0, 1), &[], PLAIN).is_err());
}

#[test]
fn chunks_and_arrays_without_elements_do_no_harm() {
    for memory in BOTH {
        let Some(mut device) = device(memory) else { return };
        let (x, mut y): (Vec<f32>, Vec<f32>) = (vec![], vec![]);
        let source =
            "__kernel void k(long lo, long hi, __global const float *x, long x0, __global float *y, long y0) {}";
        let nothing = kernel(source, 1);
        let bound = nothing.bind().to(&x).full().from(&mut y).align();
        let empty = IterRange::new(0, 0);
        let done = run(&mut device, &bound, empty, &[empty, empty], PLAIN).unwrap();
        assert!(done.iter().all(|completed| completed.kernel.is_none()));
        drop(bound);
        let bound = nothing.bind().to(&x).full().alloc::<f32>(8).align();
        let range = IterRange::new(0, 8);
        run(&mut device, &bound, range, &[range], PLAIN).unwrap();
    }
}
