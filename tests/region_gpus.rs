//! Data regions on one or all GPUs, beside the host and emulated devices. `tests/cuda_standin/` has most of these tests without
//! a GPU.
//!
//! Without a GPU the tests say that they are skipped; with `APPORTION_REQUIRE_CUDA=1` they fail.
#![cfg(feature = "cuda")]
#![allow(unsafe_code, reason = "a flag in host memory that GPUs see too")]

use apportion::HostVec;
use apportion::kernel::{DeviceSource, Grid};
use apportion::prelude::*;
use apportion::region::{Arrangement, DataRegion, Dims, Mapped, RegionSplit};
use common::gpus;
use common::machines::{cuda, host, runtime};
use cudarc::driver::{CudaContext, sys};
use proptest::prelude::*;
use region_programs::{BESIDE_GPUS, Kind, WITH_GPUS, case, cases, check, moving_case};
use std::sync::atomic::{AtomicU64, Ordering};

mod common;
mod region_programs;

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn random_programs_give_what_plain_arrays_do(case in case(&[Kind::Cuda], WITH_GPUS)) {
        match gpus() {
            0 => {}
            gpus => drop(check(&case, gpus)?),
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn random_programs_go_on_while_rows_move(case in moving_case(BESIDE_GPUS)) {
        match gpus() {
            0 => {}
            gpus => prop_assert!(check(&case, gpus)? > 0, "no row moved"),
        }
    }
}

/// One loop waits for a flag, for 20 seconds at most; another loop sets it.
const SOURCE: &str = "
typedef unsigned long long u64;
__device__ u64 now() {
    u64 ns;
    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(ns));
    return ns;
}
extern \"C\" __global__ void wait_for(long lo, long hi, u64 flag, u64 *seen, long seen0) {
    volatile u64 *is = (volatile u64 *)flag;
    u64 end = now() + 20000000000ULL;
    while (!*is && now() < end) {}
    seen[lo - seen0] = *is;
}
extern \"C\" __global__ void set(long lo, long hi, u64 flag, u64 *done, long done0) {
    *(volatile u64 *)flag = 1;
    __threadfence_system();
    done[lo - done0] = 1;
}";

/// One of these two loops. The host's body only sets the flag, as it must never wait.
fn of_flag(entry: &str) -> Kernel {
    Kernel::new(entry)
        .host(|rows: Range<usize>, flag: u64, mut done: Out<u64>| {
            // SAFETY: the address of a flag that outlives the loop, and that all use atomically.
            unsafe { AtomicU64::from_ptr(flag as *mut u64) }.store(1, Ordering::SeqCst);
            rows.for_each(|i| done[i] = 1);
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .cuda_source(unsafe { DeviceSource::new(SOURCE, entry, Grid::per_iteration(1)) })
}

/// A loop on a GPU waits for what another loop does elsewhere, which succeeds only if both run at once.
fn waits_for_another(devices: &[String], other: &str) {
    let rt = runtime(devices).unwrap();
    let mut flag = HostVec::filled(1, 1u64).unwrap();
    assert!(flag.is_page_locked(), "GPUs see it");
    let flag: *mut u64 = flag.as_mut_ptr();
    // SAFETY: it lives until the region has ended, and all use it atomically.
    let set = |value| unsafe { AtomicU64::from_ptr(flag) }.store(value, Ordering::SeqCst);
    let (mut seen, mut done) = (vec![7u64], vec![7u64]);
    let mut region = rt.data_region().split(RegionSplit::Even);
    let seen_ = region.tofrom(&mut seen, [1].on("g0"));
    let done_ = region.tofrom(&mut done, [1].on(other));
    let run = |region: &mut DataRegion<'_, '_>, entry: &str, array: Mapped<u64>| {
        region.parallel_for(0..1, of_flag(entry).bind().scalar(flag as u64).updates(array)).run().unwrap();
    };
    // Both are compiled and loaded beforehand, as a driver may wait for running kernels before it loads a program.
    run(&mut region, "wait_for", seen_);
    run(&mut region, "set", done_);
    region.wait().unwrap();
    for _ in 0..5 {
        set(0);
        run(&mut region, "wait_for", seen_);
        run(&mut region, "set", done_);
        region.update_from(seen_).unwrap();
        assert_eq!(
            region.host(seen_).unwrap(),
            [1],
            "the loop on `{other}` came after the one on the GPU: {devices:?}"
        );
    }
    region.finish().unwrap();
    assert_eq!(done, [1]);
}

const ADD_TO_CELLS: &str = "
extern \"C\" __global__ void add_to_cells(
    long lo, long hi, long left, long right, unsigned char *cells, long first, long pitch
) {
    long j = left + blockIdx.x * (long)blockDim.x + threadIdx.x, i = lo + blockIdx.y;
    if (j < right && i < hi) cells[i * pitch + j - first] += 1;
}";

fn add_to_cells() -> Kernel {
    let grid = Grid::of_rows_and_columns([256, 1, 1], |rows, columns| [columns, rows, 1]);
    Kernel::new("add_to_cells")
        .host_tiles(|rows: Range<usize>, columns: Range<usize>, mut cells: Out<u8>| {
            let columns = columns.start as isize..columns.end as isize;
            rows.for_each(|i| cells.cells_mut(i as isize, columns.clone()).iter_mut().for_each(|cell| *cell += 1));
        })
        // SAFETY: the kernel stays within the sections that it is given.
        .cuda_source(unsafe { DeviceSource::new(ADD_TO_CELLS, "add_to_cells", grid) })
}

/// The driver refuses copies that reach from page-locked into other memory, of whole rows and of parts of rows.
#[test]
fn short_arrays_that_others_lock_in_part_are_copied() {
    let gpus = gpus();
    if gpus == 0 {
        return;
    }
    let rt = runtime(&[cuda("g0", 0), if gpus > 1 { cuda("g1", 1) } else { host() }]).unwrap();
    let (n, m, page) = (64, 10_000, 4096);
    for (rows, columns) in [(2, 1), (1, 2)] {
        let mut cells = vec![7u8; n * m];
        // A third of the array, from its middle on.
        let start = cells.as_mut_ptr().wrapping_add(n * m / 2);
        let (start, bytes) = (start.wrapping_add(start.align_offset(page)), n * m / 3 / page * page);
        let context = CudaContext::new(0).unwrap();
        context.bind_to_thread().unwrap();
        // SAFETY: whole pages within the array, which stays until they are unlocked.
        unsafe { sys::cuMemHostRegister_v2(start.cast(), bytes, 0) }.result().unwrap();
        let mut region = rt.data_region().arrangement(Arrangement::Grid(rows, columns));
        let mapped = region.tofrom(&mut cells, [n, m]);
        region.parallel_for_2d(0..n, 0..m, add_to_cells().bind().updates(mapped)).run().unwrap();
        region.finish().unwrap();
        context.bind_to_thread().unwrap();
        // SAFETY: as above; the region has ended, and nothing copies any more.
        unsafe { sys::cuMemHostUnregister(start.cast()) }.result().unwrap();
        assert_eq!(cells.iter().position(|cell| *cell != 8), None, "{rows} x {columns}");
    }
}

/// The driver refuses copies of rows that are further apart than 2 GiB.
#[test]
fn rows_of_more_than_2_gib_are_copied() {
    let gpus = gpus();
    if gpus == 0 {
        return;
    }
    // Unlike in other tests' machines, half of the array fits into a GPU's memory.
    let large = |gpu: String| {
        let larger = gpu.replace(r#""memory_gib": {"value": 1,"#, r#""memory_gib": {"value": 4,"#);
        assert!(larger != gpu, "{gpu}");
        larger
    };
    let rt = runtime(&[large(cuda("g0", 0)), if gpus > 1 { large(cuda("g1", 1)) } else { host() }]).unwrap();
    let (n, m) = (2, (1usize << 31) + 4096);
    let mut cells = HostVec::filled(n * m, 7u8).unwrap();
    assert!(cells.is_page_locked(), "else it is copied in short parts");
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let mapped = region.tofrom(&mut cells, [n, m]);
    let columns = m / 2 - 1000..m / 2 + 1000;
    region.parallel_for_2d(0..n, columns.clone(), add_to_cells().bind().updates(mapped)).run().unwrap();
    region.finish().unwrap();
    let all = |cells: &[u8], value: u8| cells.chunks(4096).all(|part| *part == [value; 4096][..part.len()]);
    for (i, row) in cells.chunks(m).enumerate() {
        let (before, rest) = row.split_at(columns.start);
        let (inside, after) = rest.split_at(columns.len());
        assert!(all(before, 7) && all(inside, 8) && all(after, 7), "row {i}");
    }
}

#[test]
fn loops_on_two_devices_are_under_way_at_once() {
    let gpus = gpus();
    if gpus > 0 {
        waits_for_another(&[cuda("g0", 0), host()], "host");
    }
    if gpus > 1 {
        waits_for_another(&[cuda("g0", 0), cuda("g1", 1)], "g1");
    }
}

/// Kernels that the host can run, and a GPU cannot: as a region's first kernel the GPU is left out, a later one is refused before
/// any device begins, and the region goes on.
#[test]
fn kernels_that_a_gpu_cannot_have_cost_no_region() {
    if gpus() == 0 {
        return;
    }
    let rt = runtime(&[cuda("g0", 0), host()]).unwrap();
    let variant = |text: &str, entry: &str, group: usize| {
        let host = |rows: Range<usize>, mut x: Out<u64>| rows.for_each(|i| x[i] += 1);
        // SAFETY: stays within the section that it is given.
        let source = unsafe { DeviceSource::new(text, entry, Grid::per_iteration(group)) };
        Kernel::new("one_more").host(host).cuda_source(source)
    };
    let text = "extern \"C\" __global__ void one(long lo, long hi, unsigned long long *x, long x0) {
        long i = lo + blockIdx.x * (long)blockDim.x + threadIdx.x;
        if (i < hi) x[i - x0] += 1;
    }";
    let right = variant(text, "one", 64);
    let wrong = [
        (variant("#error not here\n", "one", 64), "does not compile"),
        (variant(text, "two", 64), "there is no kernel"),
        (variant(&text.replace(", long x0", "").replace("- x0", ""), "one", 64), "3 parameters, but is called with 4"),
        (variant(text, "one", 1 << 20), "at most"),
    ];
    for (kernel, why) in &wrong {
        // Drivers before CUDA 12.4 do not tell the parameters.
        if why.contains("parameters") && !parameters_are_told() {
            continue;
        }
        let mut x = vec![1u64; 1000];
        let mut region = rt.data_region().split(RegionSplit::Even);
        let mapped = region.tofrom(&mut x, [1000]);
        region.parallel_for(0..1000, kernel.bind().updates(mapped)).run().unwrap();
        let report = region.finish().unwrap();
        assert_eq!(x, [2; 1000], "{report}");
        let [left] = &report.left_out[..] else { panic!("{report}") };
        assert!(left.device == "g0" && left.reason.contains(why), "{report}");
        let mut region = rt.data_region().split(RegionSplit::Even);
        let mapped = region.tofrom(&mut x, [1000]);
        region.parallel_for(0..1000, right.bind().updates(mapped)).run().unwrap();
        for _ in 0..2 {
            let error = region.parallel_for(0..1000, kernel.bind().updates(mapped)).run().unwrap_err().to_string();
            assert!(error.contains("`g0`") && error.contains(why), "{error}");
        }
        region.parallel_for(0..1000, right.bind().updates(mapped)).run().unwrap();
        let report = region.finish().unwrap();
        assert_eq!(x, [4; 1000], "{report}");
        assert!(report.devices.iter().all(|device| device.rows == 500), "{report}");
    }
}

fn parameters_are_told() -> bool {
    let mut version = 0;
    // SAFETY: writes the number.
    unsafe { sys::cuDriverGetVersion(&mut version) };
    version >= 12040
}
