//! The contract of a device, driven directly, on real OpenCL (PoCL is enough).
//!
//! Without an OpenCL device the tests say that they are skipped; with `APPORTION_REQUIRE_OPENCL=1` they fail.
#![cfg(feature = "opencl")]
#![allow(unsafe_code, reason = "a session must be dropped, which only its holder can promise")]

use apportion::data::LoopShape;
use apportion::devices::opencl::{Found, OpenClDevice, OpenClOptions, discover};
use apportion::devices::{Begun, Completed, Device, Session, Work};
use apportion::element::Scalar;
use apportion::error::{DeviceError, Phase};
use apportion::kernel::{Bound, DeviceSource, ElementType, Grid, Kernel, Reduce, Reduction};
use apportion::model::MemoryKind;
use apportion::space::IterRange;
use std::time::Instant;

/// A session of a device.
fn begin<'s>(device: &'s mut OpenClDevice, work: &'s Work<'s>) -> Result<Begun<Box<dyn Session + 's>>, DeviceError> {
    // SAFETY: no test leaks its session.
    unsafe { device.begin(work) }
}

const BOTH: [MemoryKind; 2] = [MemoryKind::Discrete, MemoryKind::Shared];

/// The first device that suits, or a line on why the test is skipped.
fn find(suits: impl Fn(&Found) -> bool, what: &str) -> Option<Found> {
    let found = discover().and_then(|all| all.into_iter().find(suits).ok_or(format!("no OpenCL device {what}")));
    match found {
        Ok(found) => Some(found),
        Err(why) if std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|v| v == "1") => panic!("{why}"),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

fn options(found: &Found, memory: MemoryKind) -> OpenClOptions {
    OpenClOptions { name: "cl".to_owned(), index: found.index, memory, ..OpenClOptions::default() }
}

fn device(memory: MemoryKind) -> Option<OpenClDevice> {
    let found = find(|found| found.unified || memory == MemoryKind::Discrete, "with host memory")?;
    Some(OpenClDevice::open(options(&found, memory)).unwrap())
}

fn kernel(source: &str, group: usize) -> Kernel {
    Kernel::new("k").opencl_source(DeviceSource::new(source, "k", Grid::per_iteration(group)))
}

fn shape(range: IterRange) -> LoopShape {
    LoopShape { range, devices: 1 }
}

/// What is asked of a session besides the arrays.
#[derive(Clone, Copy)]
struct Ask {
    in_flight: usize,
    reduction: Option<Reduction>,
    poison: bool,
}

const PLAIN: Ask = Ask { in_flight: 3, reduction: None, poison: false };

fn work<'a>(bound: &'a Bound<'a>, range: IterRange, ask: Ask) -> Work<'a> {
    bound.check(&shape(range)).unwrap();
    Work {
        kernel: bound.kernel(),
        arguments: bound.arguments(),
        shape: shape(range),
        reduction: ask.reduction,
        in_flight: ask.in_flight,
        piece_bytes: None,
        columns: None,
        array_reductions: &[],
        block: None,
        poison: ask.poison,
        epoch: Instant::now(),
    }
}

/// Runs the chunks in their order, as many in flight as asked.
fn run(
    device: &mut OpenClDevice,
    bound: &Bound<'_>,
    range: IterRange,
    chunks: &[IterRange],
    ask: Ask,
) -> Result<Vec<Completed>, DeviceError> {
    let work = work(bound, range, ask);
    let mut session = begin(device, &work)?.session;
    let mut done = Vec::new();
    for (i, &chunk) in chunks.iter().enumerate() {
        if i >= ask.in_flight {
            done.push(session.complete()?);
        }
        session.submit(chunk)?;
    }
    while done.len() < chunks.len() {
        done.push(session.complete()?);
    }
    session.finish()?;
    Ok(done)
}

/// `range` in chunks of uneven sizes, in an order of no pattern.
fn shuffled(range: IterRange, seed: u64) -> Vec<IterRange> {
    let mut state = seed.wrapping_mul(2) + 1;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n.max(1)
    };
    let (mut left, mut chunks) = (range, Vec::new());
    while !left.is_empty() {
        chunks.push(left.take_front(1 + next(range.len() / 5)));
    }
    for i in (1..chunks.len()).rev() {
        chunks.swap(i, next(i as u64 + 1) as usize);
    }
    chunks
}

const AXPY: &str = "__kernel void k(long lo, long hi, float a, __global const float *x, long x0,
                                    __global float *y, long y0) {
    long i = lo + get_global_id(0);
    if (i < hi) y[i - y0] += a * x[i - x0];
}";

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
        // The three are on one clock: the kernel waits for the copy in, the copy out for the kernel.
        assert!(spans[0].start.0 <= spans[1].end.0 && spans[1].start.0 <= spans[2].end.0, "{spans:?}");
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
        let stencil = Kernel::new("stencil").opencl_source(DeviceSource::new(source, "k", grid));
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
        // Twice, as the second time the buffers are used ones that hold the first results.
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

/// The error of beginning a loop over 100 elements with a kernel, and that a right one runs afterwards.
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
    let renamed = Kernel::new("k").opencl_source(DeviceSource::new(AXPY, "saxpy", Grid::per_iteration(64)));
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
    }
}

#[test]
fn compute_units_to_skip_without_a_number_of_those_to_use_are_an_error() {
    let Some(found) = find(|_| true, "") else { return };
    let wrong = OpenClOptions { skip_compute_units: 1, ..options(&found, MemoryKind::Discrete) };
    let why = OpenClDevice::open(wrong).unwrap_err().to_string();
    assert!(why.contains("skip_compute_units") && why.contains("`compute_units`"), "{why}");
}

/// What [`discover`] says in the environment that the test below sets.
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
    // The variable of ocl-icd, and of the Khronos loader from 2024 on.
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
        // Four rows are more than a buffer may have; nothing of the kind is allocated on the host.
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
    assert_eq!(large, 800_000);
    assert_eq!(once(100_000), large);
    assert_eq!(once(50_000), large, "a smaller section fits into the same buffers");
    // Loops that need other memory altogether.
    let empty = Kernel::new("empty").opencl_source(DeviceSource::new(
        "__kernel void k(long lo, long hi) {}",
        "k",
        Grid::per_iteration(1),
    ));
    for _ in 0..40 {
        run(&mut device, &empty.bind(), IterRange::new(0, 1), &[IterRange::new(0, 1)], PLAIN).unwrap();
    }
    assert_eq!(device.allocated_bytes(), 0);
}

#[test]
fn a_session_dropped_with_chunks_in_flight_leaves_arrays_that_can_be_used() {
    // Slow enough that the chunks are surely on their way when the session goes.
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
            // The spans are free again: the same rows can be lent anew.
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

#[test]
fn a_device_may_move_to_another_thread() {
    fn send<T: Send>(_: &T) {}
    let Some(device) = device(MemoryKind::Discrete) else { return };
    send(&device);
}
