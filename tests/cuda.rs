//! CUDA devices, on the libcuda of this machine.
//!
//! Without a GPU the tests say that they are skipped; with `APPORTION_REQUIRE_CUDA=1` they fail.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]
#![cfg(feature = "cuda")]

mod common;

use apportion::HostVec;
use apportion::devices::cuda::{FoundGpu, discover};
use apportion::error::Phase;
use apportion::kernel::{DeviceImage, DeviceSource, Grid};
use apportion::model::Machine;
use apportion::prelude::*;
use apportion::runtime::{DeviceReport, PieceRecord};
use apportion::sched::POLICIES;
use std::ffi::CStr;

/// The GPUs, or a line on why the test is skipped.
fn gpus() -> Vec<FoundGpu> {
    let required = std::env::var("APPORTION_REQUIRE_CUDA").is_ok_and(|value| !value.is_empty() && value != "0");
    match discover() {
        Ok(found) => found,
        Err(why) if required => panic!("APPORTION_REQUIRE_CUDA is set, but {why}"),
        Err(why) => {
            println!("skipped: {why}");
            Vec::new()
        }
    }
}

const FIGURES: &str = r#""f32_gflop_per_s": {"value": 50000, "source": "assumed"},
    "f64_gflop_per_s": {"value": 25000, "source": "assumed"}, "memory_gb_per_s": {"value": 3000, "source": "assumed"},
    "launch_us": {"value": 8, "source": "assumed"}"#;
const LINK: &str = r#""link": {"to": {"latency_us": {"value": 10, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 50, "source": "assumed"}},
    "from": {"latency_us": {"value": 10, "source": "assumed"}, "bandwidth_gb_per_s": {"value": 50, "source": "assumed"}}}"#;

/// A GPU with this many GiB of memory; `more` is added to its section.
fn gpu_with(index: usize, memory_gib: f64, more: &str) -> String {
    format!(
        r#""name": "cuda:{index}", "kind": "cuda", "type": "NVGPU", "cuda": {{"index": {index}{more}}}, "memory": "discrete",
           "memory_gib": {{"value": {memory_gib}, "source": "assumed"}}, {FIGURES}, {LINK}"#
    )
}

fn gpu(index: usize) -> String {
    gpu_with(index, 16.0, "")
}

fn host() -> String {
    r#""name": "host", "kind": "host", "type": "HOSTCPU", "host": {"leave_free": 0}, "memory": "shared",
       "f32_gflop_per_s": {"value": 20, "source": "assumed"}, "f64_gflop_per_s": {"value": 20, "source": "assumed"},
       "memory_gb_per_s": {"value": 20, "source": "assumed"}, "launch_us": {"value": 10, "source": "assumed"}"#
        .to_owned()
}

fn try_runtime(devices: &[String]) -> Result<Runtime> {
    let list: Vec<_> = devices.iter().enumerate().map(|(id, d)| format!(r#"{{"id": {id}, {d}}}"#)).collect();
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, list.join(", "));
    Runtime::from_machine(Machine::from_json(&text)?)
}

fn runtime(devices: &[String]) -> Runtime {
    try_runtime(devices).unwrap()
}

fn all_gpus(found: &[FoundGpu]) -> Vec<String> {
    found.iter().map(|found| gpu(found.index)).collect()
}

fn source(text: &str, entry: &str) -> DeviceSource {
    // SAFETY: the kernel stays within the sections that it is given.
    unsafe { DeviceSource::new(text, entry, Grid::per_iteration(128)) }
}

/// `y[i] = 3 * y[i] + x[i]`.
fn triple_add() -> Kernel {
    common::triple_add().cuda_source(source(
        r#"typedef unsigned long long u64;
        extern "C" __global__ void triple_add(long lo, long hi, const u64 *x, long x0, u64 *y, long y0) {
            long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
            if (i < hi) y[i - y0] = 3 * y[i - y0] + x[i - x0];
        }"#,
        "triple_add",
    ))
}

/// The sum, with one partial result per block.
fn total() -> Kernel {
    common::total().cuda_source(source(
        r#"typedef unsigned long long u64;
        extern "C" __global__ void total(long lo, long hi, const u64 *x, long x0, u64 *partial) {
            __shared__ u64 sum;
            if (threadIdx.x == 0) sum = 0;
            __syncthreads();
            long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
            if (i < hi) atomicAdd(&sum, x[i - x0]);
            __syncthreads();
            if (threadIdx.x == 0) partial[blockIdx.x] = sum;
        }"#,
        "total",
    ))
}

/// Each row's sum over its neighbours.
fn column_sums(rows: usize, cols: usize, radius: usize) -> Kernel {
    let text = format!(
        r#"extern "C" __global__ void column_sums(long lo, long hi, const long *x, long x0, long *y, long y0) {{
            long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = lo + at / {cols}, j = at % {cols};
            if (i >= hi) return;
            long first = max(i - {radius}, 0L), end = min(i + {radius} + 1, (long){rows}), sum = 0;
            for (long k = first; k < end; k++) sum += x[k * {cols} + j - x0];
            y[i * {cols} + j - y0] = sum;
        }}"#
    );
    let grid = Grid::new([128, 1, 1], move |iterations| [iterations * cols, 1, 1]);
    // SAFETY: the kernel stays within the sections that it is given.
    common::column_sums(rows, cols, radius).cuda_source(unsafe { DeviceSource::new(text, "column_sums", grid) })
}

/// `y[i] = x[i] + table[i % table.len()]` with a replicated table.
fn look_up(len: usize) -> Kernel {
    Kernel::new("look_up")
        .host(move |range: Range<usize>, x: In<u64>, table: In<u64>, mut y: Out<u64>| {
            for i in range {
                y[i] = x[i] + table[i % len];
            }
        })
        .cuda_source(source(
            &format!(
                r#"typedef unsigned long long u64;
            extern "C" __global__ void look_up(long lo, long hi, const u64 *x, long x0, const u64 *table, long t0,
                                               u64 *y, long y0) {{
                long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
                if (i < hi) y[i - y0] = x[i - x0] + table[i % {len} - t0];
            }}"#
            ),
            "look_up",
        ))
        .cost(Cost::per_iteration().flops(1).loads(16).stores(8))
}

fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect()
}

fn policies() -> Vec<Policy> {
    let every = POLICIES.iter().map(|entry| entry.name.parse().expect(entry.name));
    every.chain([Policy::AutoHeuristic]).collect()
}

/// Runs `triple_add` over slices and compares the whole result.
fn check_triple_add(rt: &Runtime, policy: &Policy, x: &[u64], y: &mut [u64]) -> Report {
    let before = y.to_vec();
    let bound = triple_add().bind().to(x).named("x").align().tofrom(y).named("y").align();
    let report = rt.parallel_for(0..x.len(), bound).policy(policy.clone()).run();
    let report = report.unwrap_or_else(|error| panic!("{policy}: {error}"));
    for i in 0..x.len() {
        assert_eq!(y[i], before[i] * 3 + x[i], "y[{i}] under {policy}\n{report}");
    }
    report
}

fn pieces(report: &Report) -> usize {
    report.devices.iter().map(|device| device.pieces.len()).sum()
}

/// The machines on which every kind of loop is tested.
fn machines(found: &[FoundGpu]) -> Vec<Vec<String>> {
    let mut machines = vec![vec![gpu(0)], [vec![host()], all_gpus(found)].concat()];
    if found.len() > 1 {
        machines.push(all_gpus(found));
    }
    machines
}

// Too small for lanes, and large enough; the last gives each lane several pieces.
const SIZES: [usize; 3] = [1, 10_007, 2_000_003];

#[test]
fn every_policy_gives_right_results_in_plain_and_in_page_locked_memory() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    for machine in machines(&found) {
        let rt = runtime(&machine);
        for n in SIZES {
            let x = numbers(n);
            let (locked_x, mut locked_y) = (HostVec::from_slice(&x).unwrap(), HostVec::from_slice(&x).unwrap());
            assert!(locked_x.is_page_locked(), "a GPU is open");
            let mut y = x.clone();
            for policy in policies() {
                let plain = check_triple_add(&rt, &policy, &x, &mut y);
                let locked = check_triple_add(&rt, &policy, &locked_x, &mut locked_y);
                for report in [plain, locked] {
                    assert!(report.faults.is_empty(), "{report}");
                    let bytes: u64 = report.devices.iter().map(|device| device.bytes_to.0).sum();
                    let on_gpus = |d: &&DeviceReport| d.name != "host";
                    let iterations: u64 = report.devices.iter().filter(on_gpus).map(|d| d.iterations).sum();
                    assert_eq!(bytes, 16 * iterations, "{report}");
                }
                y.copy_from_slice(&x);
                locked_y.copy_from_slice(&x);
            }
        }
    }
}

#[test]
fn reductions_halos_and_replicated_arrays_are_right_on_all_gpus() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    let (rows, cols) = (1203, 511);
    let grid: Vec<i64> = (0..rows * cols).map(|i| (i as i64).wrapping_mul(7919) % 1009).collect();
    let mut expected = vec![0i64; rows * cols];
    for (at, sum) in expected.iter_mut().enumerate() {
        let (i, j) = (at / cols, at % cols);
        *sum = (i.saturating_sub(2)..(i + 3).min(rows)).map(|k| grid[k * cols + j]).sum();
    }
    // The table has several parts, and each GPU fetches some of them.
    let table = numbers(1_500_007);
    let x = numbers(1_200_011);
    for machine in machines(&found) {
        let rt = runtime(&machine);
        for locked in [false, true] {
            let memory = |data: &[u64]| if locked { HostVec::from_slice(data) } else { plain(data) }.unwrap();
            let (x, table) = (memory(&x), memory(&table));
            for policy in policies() {
                let sum = rt.parallel_for(0..x.len(), total().bind().to(&x).align()).policy(policy.clone());
                let sum = sum.reduce::<u64>(Sum).unwrap();
                assert_eq!(sum.value, x.iter().sum::<u64>(), "{policy}\n{}", sum.report);

                let mut y = memory(&vec![7; x.len()]);
                let bound = look_up(table.len()).bind().to(&x).align().to(&table).from(&mut y).align();
                let report = rt.parallel_for(0..x.len(), bound).policy(policy.clone()).poison(true).run().unwrap();
                let wrong = (0..x.len()).find(|&i| y[i] != x[i] + table[i % table.len()]);
                assert_eq!(wrong, None, "{policy}\n{report}");
                let once: u64 = report.devices.iter().map(|d| d.bytes_to.0).sum::<u64>();
                assert!(once >= 8 * table.len() as u64 || report.devices[0].iterations == x.len() as u64, "{report}");
            }
        }
        for policy in policies() {
            let mut sums = vec![-1i64; rows * cols];
            let kernel = column_sums(rows, cols, 2);
            let bound = kernel.bind().to(&grid).align_rows(cols).halo(2).from(&mut sums).align_rows(cols);
            let report = rt.parallel_for(0..rows, bound).policy(policy.clone()).poison(true).run().unwrap();
            assert!(sums == expected, "{policy}\n{report}");
        }
    }
}

#[test]
fn reductions_of_many_groups_in_regions_are_right_waited_for_or_not() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    let all = numbers(9_000_017);
    for machine in machines(&found) {
        let rt = runtime(&machine);
        // In groups of 128 numbers: the GPU combines no results, then those of 1, 2 and 31 blocks, and of as many as it has.
        for n in [1, 60_000, 70_001, 200_000, 4_000_001, 65 * 1024 * 128 + 1, all.len()] {
            let x = &all[..n];
            let (sum, mut later) = (x.iter().sum::<u64>(), Vec::new());
            let mut region = rt.data_region();
            let x = region.to(x, [n]);
            for round in 0..24 {
                // Reductions under way at the same time run on different streams.
                later.push(region.parallel_for(0..n, total().bind().reads(x)).reduce_later::<u64>(Sum).unwrap());
                if round % 3 == 0 {
                    let now = region.parallel_for(0..n, total().bind().reads(x)).reduce::<u64>(Sum).unwrap();
                    assert_eq!(now, sum, "{n} numbers, round {round}");
                }
            }
            for later in later {
                assert_eq!(region.value(later).unwrap(), sum, "{n} numbers");
            }
        }
    }
}

/// Folds numbers by an operator, with one partial result per block.
fn folded(of: &str, combined: &str, identity: &str) -> Kernel {
    let text = format!(
        r#"extern "C" __global__ void folded(long lo, long hi, const {of} *x, long x0, {of} *partial) {{
            __shared__ {of} all[128];
            long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
            all[threadIdx.x] = i < hi ? x[i - x0] : ({of})({identity});
            __syncthreads();
            if (threadIdx.x > 0) return;
            {of} a = all[0];
            for (int k = 1; k < 128; k++) {{ {of} b = all[k]; a = {combined}; }}
            partial[blockIdx.x] = a;
        }}"#
    );
    Kernel::new("folded").cuda_source(source(&text, "folded")).cost(Cost::per_iteration().flops(1).loads(8))
}

/// Checks a reduction of numbers whose result is exact in any order.
fn check_folded<T>(rt: &Runtime, by: Reduce, kernel: &Kernel, x: &[T], expected: T)
where
    T: apportion::element::Element + PartialEq + std::fmt::Debug,
{
    // One block combines the groups' results, then several do.
    for n in [512 * 128 + 1, x.len()] {
        let mut region = rt.data_region();
        let all = region.to(&x[x.len() - n..], [n]);
        for _ in 0..3 {
            let found = region.parallel_for(0..n, kernel.bind().reads(all)).reduce::<T>(by).unwrap();
            assert_eq!(found, expected, "{by:?} of {n}");
        }
    }
}

/// More groups than the host combines.
#[test]
fn reductions_of_many_groups_are_right_by_every_operator() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    const N: usize = 1_000_003;
    // The values that decide are among the last numbers, which both lengths include.
    let at = |special: usize| move |i: usize| i + 1 + special == N;
    for machine in [vec![gpu(0)], all_gpus(&found)] {
        let rt = runtime(&machine);
        let ints =
            |usual: i32, special: i32| (0..N).map(|i| if at(777)(i) { special } else { usual }).collect::<Vec<_>>();
        let floats = |usual: f64, special: f64| -> Vec<f64> {
            (0..N).map(|i| if at(5000)(i) { special } else { usual }).collect()
        };
        let narrow = |numbers: &[f64]| numbers.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let least = folded("int", "a < b ? a : b", "2147483647");
        check_folded(&rt, Min, &least, &ints(3, -7), -7);
        let greatest = folded("int", "a > b ? a : b", "-2147483647 - 1");
        check_folded(&rt, Max, &greatest, &ints(-3, 7), 7);
        check_folded(&rt, And, &folded("int", "a & b", "-1"), &ints(0b1110, 0b0111), 0b0110);
        check_folded(&rt, Or, &folded("int", "a | b", "0"), &ints(0b1000, 0b0001), 0b1001);
        check_folded(&rt, Product, &folded("double", "a * b", "1"), &floats(1.0, 2.5), 2.5);
        let least = folded("double", "a < b ? a : b", "1e300");
        check_folded(&rt, Min, &least, &floats(1.5, -1e200), -1e200);
        let greatest = folded("float", "a > b ? a : b", "-1e30f");
        check_folded(&rt, Max, &greatest, &narrow(&floats(-2.0, 0.5)), 0.5f32);
        let longs: Vec<i64> = (0..N).map(|i| if at(42)(i) { 1 << 40 } else { 0 }).collect();
        check_folded(&rt, Sum, &folded("long", "a + b", "0"), &longs, 1i64 << 40);
        let bytes: Vec<u8> = (0..N).map(|i| if at(1)(i) { 9 } else { 200 }).collect();
        check_folded(&rt, Min, &folded("unsigned char", "a < b ? a : b", "255"), &bytes, 9u8);
    }
}

fn plain(data: &[u64]) -> Result<HostVec<u64>> {
    let mut vec = HostVec::plain(data.len())?;
    vec.copy_from_slice(data);
    Ok(vec)
}

#[test]
fn copies_in_overlap_with_kernels_and_copies_out_of_other_pieces() {
    if gpus().is_empty() {
        return;
    }
    let rt = runtime(&[gpu(0)]);
    // Every piece of 64 MiB or more is timed.
    let n = 64 << 20;
    let (x, mut y) = (HostVec::filled(n, 1u64).unwrap(), HostVec::filled(n, 2u64).unwrap());
    let bound = triple_add().bind().to(&x).align().tofrom(&mut y).align();
    let report = rt.parallel_for(0..n, bound).policy(Policy::Block).run().unwrap();
    let pieces = &report.devices[0].pieces;
    assert!(pieces.len() > 4, "{report}");
    let overlap = pieces.windows(2).filter(|pair| match (pair[0].from, pair[1].to) {
        (Some(out), Some(next_in)) => next_in.start < out.end && out.start < next_in.end,
        _ => false,
    });
    assert!(overlap.count() > pieces.len() / 2, "no copies in while others go out: {pieces:?}");
    // A kernel ends before the next piece's copy in, and begins after the copy out of the piece two before it has begun.
    let during = pieces.windows(2).filter(|pair| match (pair[0].kernel, pair[1].to) {
        (Some(kernel), Some(next_in)) => kernel.end < next_in.end,
        _ => false,
    });
    assert!(during.count() > pieces.len() / 2, "no kernels while others go in: {pieces:?}");
    let behind = pieces.windows(3).filter(|three| match (three[0].from, three[2].kernel) {
        (Some(out), Some(kernel)) => out.start < kernel.start,
        _ => false,
    });
    assert!(behind.count() > pieces.len() / 2, "all kernels come before copies out: {pieces:?}");
    for lane in [|p: &PieceRecord| p.to, |p: &PieceRecord| p.kernel, |p: &PieceRecord| p.from] {
        let spans: Vec<_> = pieces.iter().filter_map(lane).collect();
        assert!(
            spans.windows(2).all(|pair| pair[0].end <= pair[1].start),
            "one stream, one thing at a time: {spans:?}"
        );
    }
}

#[test]
fn kernels_and_copies_of_plain_arrays_overlap_with_those_of_other_pieces() {
    if gpus().is_empty() {
        return;
    }
    let rt = runtime(&[gpu(0)]);
    let n = 64 << 20;
    let (x, mut y) = (plain(&vec![1; n]).unwrap(), plain(&vec![2; n]).unwrap());
    let report = check_triple_add(&rt, &Policy::Block, &x, &mut y);
    assert!(report.faults.is_empty(), "{report}");
    let pieces = &report.devices[0].pieces;
    assert!(pieces.len() > 8, "{report}");
    // Each piece from the start of its copy in to the end of its copy out.
    let spans: Vec<_> =
        pieces.iter().map(|piece| (piece.to.unwrap(), piece.kernel.unwrap(), piece.from.unwrap())).collect();
    let among = |index: usize, other: usize| {
        let ((to, _, from), (other_to, _, other_from)) = (spans[index], spans[other]);
        index != other && other_to.start < from.end && to.start < other_from.end
    };
    let together = (0..spans.len()).filter(|&index| (0..spans.len()).any(|other| among(index, other)));
    assert!(together.count() > spans.len() / 2, "pieces one after the other: {pieces:?}");
    let copied_meanwhile = |index: usize| {
        let kernel = spans[index].1;
        let others = spans.iter().enumerate().filter(|(other, _)| *other != index);
        let mut copies = others.flat_map(|(_, (to, _, from))| [*to, *from]);
        copies.any(|copy| copy.start < kernel.end && kernel.start < copy.end)
    };
    assert!((0..spans.len()).any(copied_meanwhile), "no kernel runs while another piece is copied: {pieces:?}");
}

/// Takes the GPU's memory as another program on this machine would.
#[allow(unsafe_code, reason = "allocates by the driver")]
mod taken {
    use cudarc::driver::{result, sys};

    /// Holds all of the GPU's memory but some bytes, until it is dropped.
    pub struct Taken {
        address: u64,
        device: i32,
    }

    impl Taken {
        pub fn all_but(left: usize) -> Self {
            result::init().unwrap();
            let device = result::device::get(0).unwrap();
            // SAFETY: the device is there; released when this is dropped.
            let context = unsafe { result::primary_ctx::retain(device) }.unwrap();
            // SAFETY: it is retained; the address is written by the call.
            let address = unsafe {
                result::ctx::set_current(context).unwrap();
                let (free, _) = result::mem_get_info().unwrap();
                result::malloc_sync(free - left).unwrap()
            };
            Self { address, device }
        }
    }

    impl Drop for Taken {
        fn drop(&mut self) {
            // SAFETY: allocated and retained in `all_but`, whose context is current on this thread still.
            unsafe {
                result::free_sync(self.address).unwrap();
                sys::cuCtxSetCurrent(std::ptr::null_mut()).result().unwrap();
                result::primary_ctx::release(self.device).unwrap();
            }
        }
    }
}

/// The driver refuses memory that was free when the GPU was opened.
#[test]
fn memory_that_others_have_taken_makes_pieces_shorter() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    for locked in [true, false] {
        let rt = runtime(&[gpu_with(0, found[0].memory as f64 / f64::from(1 << 30), "")]);
        // Loads and allocates first what is needed once, so that only the pieces' memory is missing.
        check_triple_add(&rt, &Policy::Block, &numbers(100_000), &mut numbers(100_000));
        let n = 128 << 20;
        let memory = |value: u64| {
            let mut array = if locked { HostVec::zeroed(n) } else { HostVec::plain(n) }.unwrap();
            array.fill(value);
            array
        };
        let (x, mut y) = (memory(1), memory(2));
        let said = |report: &Report| report.notes.iter().any(|note| note.contains("OUT_OF_MEMORY"));
        let taken = taken::Taken::all_but(96 << 20);
        let short = check_triple_add(&rt, &Policy::Block, &x, &mut y);
        assert!(short.faults.is_empty(), "{short}");
        // The pieces that lanes copy may be short enough to fit.
        assert!(said(&short) || !locked, "the driver refused nothing\n{short}");
        let again = check_triple_add(&rt, &Policy::Block, &x, &mut y);
        assert!(again.faults.is_empty(), "{again}");
        drop(taken);
        let free = check_triple_add(&rt, &Policy::Block, &x, &mut y);
        assert!(free.faults.is_empty() && !said(&free), "{free}");
        assert!(pieces(&free) <= pieces(&short), "{free}\n{short}");
    }
}

/// One array longer than the GPU's memory. It needs as much host memory, so the test runs only on request.
#[test]
fn an_array_longer_than_the_gpus_memory_goes_through_it() {
    let asked = std::env::var("APPORTION_LARGE_TEST").is_ok_and(|value| !value.is_empty() && value != "0");
    let found = if asked { gpus() } else { Vec::new() };
    let Some(gpu) = found.first() else {
        return println!("skipped: it takes more host memory than the GPU has; APPORTION_LARGE_TEST=1 runs it");
    };
    let n = (gpu.memory as f64 * 1.05 / 4.0) as usize;
    let there = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let there = there.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    let there = there.and_then(|kib| kib.parse::<usize>().ok()).map(|kib| kib << 10);
    assert!(
        there.is_none_or(|there| there > 4 * n + (4 << 30)),
        "{} GiB of host memory are needed, but {there:?} bytes are there: take a GPU with less memory",
        ((4 * n) >> 30) + 4
    );
    let kernel = Kernel::new("number").cuda_source(source(
        r#"extern "C" __global__ void number(long lo, long hi, float *y, long y0) {
            long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
            if (i < hi) y[i - y0] += (float)(i % 65521);
        }"#,
        "number",
    ));
    let rt = runtime(&[gpu_with(gpu.index, gpu.memory as f64 / f64::from(1 << 30), "")]);
    let mut y = HostVec::<f32>::plain(n).unwrap();
    let report = rt.parallel_for(0..n, kernel.bind().tofrom(&mut y).align()).policy(Policy::Block).run().unwrap();
    assert!(report.faults.is_empty() && report.devices[0].iterations == n as u64, "{report}");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = n.div_ceil(threads);
    std::thread::scope(|scope| {
        for (number, part_of_y) in y.chunks(part).enumerate() {
            scope.spawn(move || {
                let first = number * part;
                let wrong = (0..part_of_y.len()).find(|i| part_of_y[*i] != ((first + i) % 65521) as f32);
                assert_eq!(wrong.map(|i| (first + i, part_of_y[i])), None);
            });
        }
    });
}

#[test]
fn a_loop_over_more_than_the_gpus_memory_is_cut_to_fit() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    // Arrays of 64 MB on a GPU of 8.
    let n = 4_000_003;
    let devices: Vec<_> = found.iter().map(|found| gpu_with(found.index, 8.0 / 1024.0, "")).collect();
    let rt = runtime(&devices);
    let (x, mut y) = (numbers(n), HostVec::filled(n, 5u64).unwrap());
    for policy in [Policy::Block, Policy::Auto] {
        let report = check_triple_add(&rt, &policy, &x, &mut y);
        assert!(pieces(&report) >= 8, "{report}");
        let mut locked = HostVec::from_slice(&x).unwrap();
        let report = check_triple_add(&rt, &policy, &HostVec::from_slice(&x).unwrap(), &mut locked);
        assert!(pieces(&report) >= 8, "{report}");
    }
}

#[test]
fn memory_that_a_gpu_has_not_got_is_an_error_after_which_it_goes_on() {
    if gpus().is_empty() {
        return;
    }
    let rt = runtime(&[gpu_with(0, 16.0 / 1024.0, "")]);
    let (x, table) = (numbers(1000), numbers(4 << 20));
    let mut y = vec![0u64; x.len()];
    let kernel = look_up(table.len());
    let bound = kernel.bind().to(&x).align().to(&table).named("table").from(&mut y).align();
    let error = rt.parallel_for(0..x.len(), bound).run().unwrap_err().to_string();
    for part in ["cuda:0", "init", "table", "33554432", "leave this device out"] {
        assert!(error.contains(part), "`{part}` in {error}");
    }
    let mut y = numbers(100_000);
    check_triple_add(&rt, &Policy::Block, &numbers(100_000), &mut y);

    // The same beside a host, which runs the whole loop: the GPU is left out beforehand.
    let rt = runtime(&[gpu_with(0, 16.0 / 1024.0, ""), host()]);
    let mut y = vec![0u64; x.len()];
    let bound = kernel.bind().to(&x).align().to(&table).named("table").from(&mut y).align();
    let report = rt.parallel_for(0..x.len(), bound).policy(Policy::Block).run().unwrap();
    assert!(report.faults.is_empty(), "{report}");
    assert!(report.left_out[0].device == "cuda:0" && report.left_out[0].reason.contains("do not fit"), "{report}");
    assert!((0..x.len()).all(|i| y[i] == x[i] + table[i % table.len()]));
}

#[test]
fn a_failure_in_any_phase_gives_the_rest_to_the_others() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    for phase in ["init", "to", "kernel", "from"] {
        for chunk in [0, 3] {
            if phase == "init" && chunk > 0 {
                continue;
            }
            let fault = format!(r#", "fault": {{"phase": "{phase}", "chunk": {chunk}}}"#);
            let mut devices = vec![gpu_with(0, 16.0, &fault), host()];
            devices.extend(found.iter().skip(1).map(|found| gpu(found.index)));
            let rt = runtime(&devices);
            for n in [30_011, 2_000_003] {
                let x = numbers(n);
                let mut y = x.clone();
                let mut locked_y = HostVec::from_slice(&x).unwrap();
                for policy in [Policy::Block, "SCHED_DYNAMIC:2%".parse().unwrap()] {
                    for y in [&mut y[..], &mut locked_y[..]] {
                        let report = check_triple_add(&rt, &policy, &x, y);
                        // Under DYNAMIC the host may finish before the GPU is ready.
                        let on_gpu = report.devices.iter().find(|device| device.name == "cuda:0");
                        let few = on_gpu.is_some_and(|d| d.pieces.len() < 4 && !(d.chunks > 0 && chunk == 0));
                        let few = few && (chunk > 0 || policy != Policy::Block);
                        assert!(few || report.faults.len() == 1, "{phase} {chunk} {policy}\n{report}");
                        for fault in &report.faults {
                            assert_eq!((fault.device.as_str(), fault.phase.to_string()), ("cuda:0", phase.to_owned()));
                            assert!(fault.phase == Phase::Init || fault.chunk.is_some(), "{fault}");
                        }
                    }
                }
            }
            // On the GPU alone the loop fails, with an error that names the same fault.
            let rt = runtime(&[gpu_with(0, 16.0, &fault.replace("3", "0"))]);
            let (x, mut y) = (numbers(10_000), numbers(10_000));
            let error = rt.parallel_for(0..x.len(), triple_add().bind().to(&x).align().tofrom(&mut y).align()).run();
            let error = error.unwrap_err().to_string();
            assert!(error.contains("cuda:0") && error.contains(phase) && error.contains("cuda.fault"), "{error}");
        }
    }
}

#[test]
fn what_does_not_compile_or_fit_is_told_with_the_place() {
    if gpus().is_empty() {
        return;
    }
    let rt = runtime(&[gpu(0)]);
    let said = |kernel: Kernel| {
        let mut y = vec![0f32; 100];
        let run = rt.parallel_for(0..100u64, kernel.bind().scalar(2.0f32).from(&mut y).named("y").align()).run();
        run.unwrap_err().to_string()
    };
    let kernel = |text: &str| Kernel::new("k").cuda_source(source(text, "k"));
    let cases = [
        (
            "extern \"C\" __global__ void k(long lo, long hi, float a, float *y, long y0) {\n  y[0] = zz;\n}",
            vec!["zz", "line 2", "y[0] = zz"],
        ),
        ("__global__ void k(long lo, long hi, float a, float *y, long y0) {}", vec!["`k`", "extern \"C\""]),
        (
            "extern \"C\" __global__ void k(long lo, long hi, float a, float *y) {}",
            vec!["4 parameters", "called with 5"],
        ),
        (
            "extern \"C\" __global__ void k(long lo, long hi, double a, float *y, long y0) {}",
            vec!["parameter 2", "8 bytes", "argument 0"],
        ),
        (
            "extern \"C\" __global__ void k(long lo, long hi, float a, float *y, int y0) {}",
            vec!["parameter 4", "array `y`"],
        ),
    ];
    for (text, parts) in cases {
        let error = said(kernel(text));
        for part in ["cuda:0", "init"].into_iter().chain(parts) {
            assert!(error.contains(part), "`{part}` in {error}");
        }
    }
    // SAFETY: the kernel stays within the sections that it is given.
    let image =
        said(Kernel::new("k").cuda_image(unsafe { DeviceImage::new("bad image", "k", Grid::per_iteration(64)) }));
    assert!(image.contains("cannot be loaded"), "{image}");
    let none = said(Kernel::new("k").opencl_source(source("", "k")));
    assert!(none.contains("no CUDA variant"), "{none}");
    let call = said(Kernel::new("k").cuda_call(|call| {
        assert!(!call.stream().is_null() && call.array(0).is_none() && call.array(1).is_some());
        Err(format!("no, {}", call.chunk()))
    }));
    assert!(call.contains("no, 0..100") && call.contains("kernel"), "{call}");
}

/// Machine code for a GPU. NVRTC is already loaded, since a kernel was compiled.
#[allow(unsafe_code, reason = "calls NVRTC")]
fn cubin(source: &CStr, (major, minor): (i32, i32)) -> Vec<u8> {
    use cudarc::nvrtc::{result, sys};
    let program = result::create_program(source, None).unwrap();
    // SAFETY: the program lives; the image has the size that was said.
    unsafe {
        result::compile_program(program, &[format!("--gpu-architecture=sm_{major}{minor}")]).unwrap();
        let mut bytes = 0;
        sys::nvrtcGetCUBINSize(program, &mut bytes).result().unwrap();
        let mut image = vec![0u8; bytes];
        sys::nvrtcGetCUBIN(program, image.as_mut_ptr().cast()).result().unwrap();
        result::destroy_program(program).unwrap();
        image
    }
}

#[test]
fn images_that_a_user_compiled_give_right_results_and_say_what_they_lack() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    let mut y = numbers(1000);
    check_triple_add(&runtime(&[gpu(0)]), &Policy::Block, &numbers(1000), &mut y);
    let text =
        c"extern \"C\" __global__ void axpy(long lo, long hi, float a, const float *x, long x0, float *y, long y0) {
        long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
        if (i < hi) y[i - y0] += a * x[i - x0];
    }";
    let alike = |gpu: &FoundGpu| gpu.capability == found[0].capability;
    let images = [common::AXPY_PTX.as_bytes().to_vec(), cubin(text, found[0].capability)];
    assert!(images[1].starts_with(b"\x7fELF"), "machine code");
    for (image, machine) in images.iter().flat_map(|image| machines(&found).into_iter().map(move |m| (image, m))) {
        let rt = runtime(&machine);
        let kernel = common::axpy_of(image.as_slice(), "axpy");
        // Machine code is for one kind of GPU.
        if image.starts_with(b"\x7fELF") && !found.iter().all(alike) {
            continue;
        }
        for (policy, n) in policies().into_iter().flat_map(|policy| SIZES.map(|n| (policy.clone(), n))) {
            let report = common::check_axpy(&rt, &kernel, &policy, n).unwrap();
            assert!(report.faults.is_empty(), "{report}");
        }
    }
    let rt = runtime(&[gpu(0)]);
    for image in images {
        let error = common::check_axpy(&rt, &common::axpy_of(image, "saxpy"), &Policy::Block, 1000).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("cuda:0") && error.contains("there is no kernel `saxpy`"), "{error}");
    }
    let torn = &common::AXPY_PTX[..common::AXPY_PTX.len() / 2];
    let error = common::check_axpy(&rt, &common::axpy_of(torn, "axpy"), &Policy::Block, 1000).unwrap_err().to_string();
    assert!(error.contains("kernel `axpy` cannot be loaded"), "{error}");
}

#[test]
fn a_gpu_that_is_not_there_is_named_with_those_that_are() {
    let found = gpus();
    if found.is_empty() {
        return;
    }
    let error = try_runtime(&[gpu(99)]).unwrap_err().to_string();
    assert!(error.contains("index 99") && error.contains(&found[0].name), "{error}");
    let uuid = gpu(0).replace(r#""index": 0"#, &format!(r#""uuid": "{}""#, found[0].uuid));
    assert!(try_runtime(&[uuid]).is_ok());
}

/// Each of three arrays with an operator and a type of its own.
#[test]
fn iterations_may_contribute_to_three_arrays_at_once() {
    #[kernel]
    #[map(sums: reduce(Sum), bits: reduce(Or), most: reduce(Max))]
    fn three(i: usize, v: &[i32], x: &[f32], sums: &mut [i64], bits: &mut [u32], most: &mut [f32]) {
        sums[(v[i] & 7) as usize] += v[i] as i64;
        bits[(v[i] & 3) as usize] |= 1 << (i as u32 % 32);
        most[(v[i] & 1) as usize] = most[(v[i] & 1) as usize].max(x[i]);
    }
    let found = gpus();
    if found.is_empty() {
        return;
    }
    let v: Vec<i32> = (0..100_000).map(|i| i * 7919 % 201 - 100).collect();
    let x: Vec<f32> = (0..100_000).map(|i| (i * 31 % 1000) as f32).collect();
    let (mut sums, mut bits, mut most) = ([50i64; 8], [0u32; 4], [-9.0f32; 2]);
    for (i, (v, x)) in v.iter().zip(&x).enumerate() {
        sums[(v & 7) as usize] += i64::from(*v);
        bits[(v & 3) as usize] |= 1 << (i % 32);
        most[(v & 1) as usize] = most[(v & 1) as usize].max(*x);
    }
    let rt = runtime(&all_gpus(&found));
    for policy in ["BLOCK", "SCHED_DYNAMIC:3%"] {
        let (mut a, mut b, mut c) = ([50i64; 8], [0u32; 4], [-9.0f32; 2]);
        let bound = three(&v, &x, &mut a, &mut b, &mut c);
        rt.parallel_for(0..v.len(), bound).policy(policy.parse::<Policy>().unwrap()).run().unwrap();
        assert_eq!((a, b, c), (sums, bits, most), "{policy}");
    }
}

/// Kernels are compiled once per process, and later loops reuse the buffers.
#[test]
fn loops_after_the_first_compile_and_allocate_nothing() {
    use apportion::devices::cuda::{CudaDevice, CudaOptions};
    use apportion::devices::{Work, with_session};
    if gpus().is_empty() {
        return;
    }
    let mut device = CudaDevice::open(CudaOptions { name: "gpu".into(), ..CudaOptions::default() }).unwrap();
    let (x, mut y) = (numbers(5000), numbers(5000));
    let mut held = Vec::new();
    for _ in 0..5 {
        let kernel = triple_add();
        let bound = kernel.bind().to(&x).align().tofrom(&mut y).align();
        let range = apportion::space::IterRange::new(0, 5000);
        let work = Work { in_flight: 4, ..Work::of(&bound, range) };
        // SAFETY: both arrays have 5000 elements.
        unsafe {
            with_session(&mut device, &work, |begun| {
                for piece in [(0, 2500), (2500, 5000)] {
                    begun.session.submit(apportion::space::IterRange::new(piece.0, piece.1)).unwrap();
                }
                begun.session.complete().unwrap();
                begun.session.complete().unwrap();
                assert!(begun.session.complete().is_err(), "nothing is in flight");
                begun.session.finish().unwrap();
                assert!(begun.session.submit(range).is_err(), "the loop is over");
            })
        }
        .unwrap();
        held.push((device.allocated_bytes(), device.programs_loaded()));
    }
    assert_eq!(held[1], held[4]);
    assert_eq!(held[4].1, 1);
}

/// `y = x + 1`, with a kernel that fails at one iteration.
fn fails_at(iteration: usize) -> Kernel {
    Kernel::new("sometimes")
        .host(|range: Range<usize>, x: In<u64>, mut y: Out<u64>| {
            for i in range {
                y[i] = x[i] + 1;
            }
        })
        .cuda_source(source(
            &format!(
                r#"extern "C" __global__ void sometimes(long lo, long hi, const long *x, long x0, long *y, long y0) {{
                long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
                if (i == {iteration}) asm("trap;");
                if (i < hi) y[i - y0] = x[i - x0] + 1;
            }}"#
            ),
            "sometimes",
        ))
        .cost(Cost::per_iteration().flops(1).loads(8).stores(8))
}

/// Runs a test in its own process, as it breaks the GPU for all later tests.
fn alone(name: &str, test: impl FnOnce()) {
    const CHILD: &str = "APPORTION_TEST_ALONE";
    if std::env::var_os(CHILD).is_some() {
        return test();
    }
    if gpus().is_empty() {
        return;
    }
    let executable = std::env::current_exe().unwrap();
    let child =
        std::process::Command::new(executable).args(["--exact", "--nocapture", name]).env(CHILD, "1").output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// The arrays are plain, so several threads copy them.
#[test]
fn a_gpu_that_is_lost_while_threads_copy_for_it_leaves_its_rest_to_the_host() {
    alone("a_gpu_that_is_lost_while_threads_copy_for_it_leaves_its_rest_to_the_host", || {
        let n = 16 << 20;
        let rt = runtime(&[gpu(0), host()]);
        let x = plain(&numbers(n)).unwrap();
        let mut y = HostVec::<u64>::plain(n).unwrap();
        let kernel = fails_at(3 * n / 8);
        let bound = kernel.bind().to(&x).align().from(&mut y).align();
        let report = rt.parallel_for(0..n, bound).policy(Policy::Block).run().unwrap();
        assert_eq!(report.faults.len(), 1, "{report}");
        assert!(report.faults[0].device == "cuda:0" && report.faults[0].message.contains("CUDA_ERROR"), "{report}");
        assert!((0..n).all(|i| y[i] == x[i] + 1), "{report}");
    });
}

/// Page-locked arrays keep the GPU's broken context. The driver may or may not give a new one: either the GPU works again, or
/// an error says what to do.
#[test]
fn a_gpu_that_was_lost_is_opened_again_or_says_why_not() {
    alone("a_gpu_that_was_lost_is_opened_again_or_says_why_not", || {
        let rt = runtime(&[gpu(0), host()]);
        let x = HostVec::from_slice(&numbers(400_000)).unwrap();
        let mut y = HostVec::filled(400_000, 0u64).unwrap();
        let kernel = fails_at(150_000);
        let bound = kernel.bind().to(&x).align().from(&mut y).align();
        let report = rt.parallel_for(0..x.len(), bound).policy(Policy::Block).run().unwrap();
        assert!(report.faults.len() == 1 && (0..x.len()).all(|i| y[i] == x[i] + 1), "{report}");
        let error = try_runtime(&[gpu(0)]).unwrap_err().to_string();
        assert!(error.contains("cuda:0") && error.contains("drop all runtimes"), "{error}");
        drop(rt);
        match try_runtime(&[gpu(0)]) {
            Ok(rt) => {
                println!("opened again; the arrays are page-locked: {} {}", x.is_page_locked(), y.is_page_locked());
                let report = check_triple_add(&rt, &Policy::Block, &x, &mut y);
                assert!(report.faults.is_empty(), "{report}");
            }
            Err(error) => {
                let error = error.to_string();
                println!("not opened again: {error}");
                assert!(error.contains("cuda:0") && error.contains("CUDA_ERROR"), "{error}");
            }
        }
    });
}

/// A kernel fails in the middle of a loop and breaks the GPU's context, so the test's name sorts last.
#[test]
fn z_a_gpu_that_is_lost_in_the_middle_leaves_its_rest_to_the_host() {
    if gpus().is_empty() {
        return;
    }
    let kernel = fails_at(150_000);
    let rt = runtime(&[gpu(0), host()]);
    let (x, mut y) = (numbers(400_000), vec![0u64; 400_000]);
    let bound = kernel.bind().to(&x).align().from(&mut y).align();
    let report = rt.parallel_for(0..x.len(), bound).policy(Policy::Block).run().unwrap();
    assert_eq!(report.faults.len(), 1, "{report}");
    assert!(report.faults[0].message.contains("CUDA_ERROR"), "{report}");
    assert!((0..x.len()).all(|i| y[i] == x[i] + 1), "{report}");
    // The next loop on the broken context fails clearly, and the host goes on.
    let report = check_triple_add(&rt, &Policy::Block, &numbers(1000), &mut numbers(1000));
    assert_eq!(report.faults.len(), 1, "{report}");
}
