//! Mistakes give the driver's codes, when the driver gives them.

use super::driver::*;
use crate::api::{context::*, copy::*, device::*, event::*, general::*, memory::*, module::*, pointer::*, stream::*};
use crate::codes::*;
use crate::control::*;
use crate::state::Out;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

#[test]
fn what_was_never_allocated_fails_at_the_call_and_leaves_the_context_as_it_was() {
    let _driver = Driver::start(1);
    let (s, memory, from) = (stream(), alloc(16).unwrap(), vec![0u64; 3]);
    assert_eq!(copy_in(memory, &from, s), Err(INVALID_VALUE));
    assert_eq!(copy_in(memory + 9, &from[..1], s), Err(INVALID_VALUE));
    assert_eq!(copy_in(from.as_ptr() as u64, &from, s), Err(INVALID_VALUE));
    assert_eq!(sync(s), Ok(()));
}

#[test]
fn what_was_freed_fails_when_it_runs_and_the_context_is_lost_until_its_last_release() {
    let driver = Driver::start(2);
    let (s, memory, from) = (stream(), alloc(16).unwrap(), vec![0u64; 2]);
    copy_in(memory, &from, s).unwrap();
    // SAFETY: numbers that are checked.
    unsafe {
        assert_eq!(cuMemFree_v2(memory), 0);
        assert_eq!(copy_in(memory, &from, s), Ok(()));
        assert_eq!((sync(s), alloc(8), sync(s)), (Err(700), Err(700), Err(700)));
        assert_eq!((cuCtxSynchronize(), cuStreamDestroy_v2(s), count("streams")), (700, 700, 0));
        driver.current(1);
        assert_eq!((alloc(8).is_ok(), cuCtxSynchronize()), (true, 0));
        assert_eq!(cuDevicePrimaryCtxRelease_v2(0), 0);
        let again = got(null_mut(), |out| cuDevicePrimaryCtxRetain(out, 0)).unwrap();
        assert_eq!((cuCtxSetCurrent(driver.contexts[0]), cuCtxSetCurrent(again)), (CONTEXT_IS_DESTROYED, 0));
        assert_eq!((alloc(8).is_ok(), cuCtxSynchronize()), (true, 0));
        assert_eq!((cuMemFree_v2(memory), cuMemFree_v2(0)), (INVALID_VALUE, 0));
    }
}

#[test]
fn a_kernel_that_leaves_its_arrays_is_an_illegal_access() {
    let _driver = Driver::start(1);
    let (s, x, y) = (stream(), upload(&[1u64; 4]), upload(&[1u64; 3]));
    triple_add(s, 3, x, y).unwrap();
    assert_eq!(sync(s), Ok(()));
    triple_add(s, 4, x, y).unwrap();
    assert_eq!(sync(s), Err(ILLEGAL_ADDRESS));
}

#[test]
fn another_devices_memory_needs_peer_access() {
    let driver = Driver::start(2);
    let far = upload(&[3u64]);
    driver.current(1);
    let (near, s) = (upload(&[0u64]), stream());
    // SAFETY: numbers that are checked.
    unsafe {
        let copy = || cuMemcpyDtoDAsync_v2(near, far, 8, s);
        assert_eq!(copy(), INVALID_VALUE);
        standin_set_peer_access(1, 0, 0);
        assert_eq!(got(9, |out| cuDeviceCanAccessPeer(out, 1, 0)), Ok(0));
        assert_eq!(got(9, |out| cuDeviceCanAccessPeer(out, 0, 1)), Ok(1));
        assert_eq!(cuCtxEnablePeerAccess(driver.contexts[0], 0), PEER_ACCESS_UNSUPPORTED);
        standin_set_peer_access(1, 0, 1);
        assert_eq!(cuCtxDisablePeerAccess(driver.contexts[0]), PEER_ACCESS_NOT_ENABLED);
        assert_eq!(cuCtxEnablePeerAccess(driver.contexts[0], 0), 0);
        assert_eq!(cuCtxEnablePeerAccess(driver.contexts[0], 0), PEER_ACCESS_ALREADY_ENABLED);
        assert_eq!((copy(), sync(s), download(near, 1)), (0, Ok(()), vec![3u64]));
        // A kernel of device 1 reads device 0's memory over the link; without peer access, its context is lost.
        triple_add(s, 1, far, near).unwrap();
        assert_eq!((sync(s), download(near, 1)), (Ok(()), vec![12u64]));
        assert_eq!(cuCtxDisablePeerAccess(driver.contexts[0]), 0);
        triple_add(s, 1, far, near).unwrap();
        assert_eq!(sync(s), Err(ILLEGAL_ADDRESS));
    }
}

#[test]
fn a_thread_without_a_context_and_handles_of_another_context_are_refused() {
    let driver = Driver::start(2);
    let (s, memory) = (stream(), alloc(8).unwrap());
    std::thread::spawn(move || assert_eq!(alloc(8), Err(INVALID_CONTEXT))).join().unwrap();
    driver.current(1);
    let (mine, my_stream) = (event(), stream());
    let function = function(module("standin:").unwrap(), "total").unwrap();
    let args = [Arg::Long(0), Arg::Long(0), Arg::Array(memory, 0), Arg::Pointer(memory)];
    assert_eq!(launch(function, s, 1, &args), Err(INVALID_HANDLE));
    // SAFETY: numbers that are checked.
    unsafe {
        assert_eq!((cuEventRecord(mine, s), cuEventRecord(mine, my_stream)), (INVALID_HANDLE, 0));
        assert_eq!(cuCtxPushCurrent_v2(driver.contexts[0]), 0);
        assert_eq!((cuEventRecord(mine, s), launch(function, s, 1, &args)), (INVALID_HANDLE, Err(INVALID_HANDLE)));
        assert_eq!(got(null_mut(), |out| cuCtxPopCurrent_v2(out)), Ok(driver.contexts[0]));
        assert_eq!(got(9, |out| cuCtxGetDevice(out)), Ok(1));
        assert_eq!((cuCtxSetCurrent(null_mut()), alloc(8)), (0, Err(INVALID_CONTEXT)));
        assert_eq!((cuStreamSynchronize(s), cuMemFree_v2(memory)), (INVALID_CONTEXT, INVALID_CONTEXT));
    }
}

#[test]
fn ordered_failures_come_once_at_the_call_or_for_good_when_run() {
    let driver = Driver::start(2);
    fail("cuMemAlloc_v2", 2, OUT_OF_MEMORY);
    assert_eq!((alloc(8).is_ok(), alloc(8), alloc(8).is_ok()), (true, Err(OUT_OF_MEMORY), true));
    assert_eq!((count("calls:cuMemAlloc_v2"), count("allocations")), (3, 2));
    let (s, x, y) = (stream(), upload(&[1u64]), upload(&[1u64]));
    let mut out = vec![0u64];
    fail_when_run("kernel", 2, LAUNCH_FAILED);
    triple_add(s, 1, x, y).unwrap();
    triple_add(s, 1, x, y).unwrap();
    copy_out(&mut out, y, s).unwrap();
    assert_eq!((sync(s), alloc(8), out[0]), (Err(719), Err(719), 0), "nothing runs after it");
    assert!(log().lines().last().unwrap().ends_with("code=719"));
    driver.current(1);
    assert!(alloc(8).is_ok(), "the other device is as it was");
}

#[test]
fn memory_is_limited_and_the_books_tell_what_is_held_and_what_was_forgotten() {
    let driver = Driver::start(1);
    standin_set_memory(1000);
    let memory = alloc(600).unwrap();
    // SAFETY: numbers that are checked, and host memory of this test.
    unsafe {
        assert_eq!((alloc(401), alloc(0)), (Err(OUT_OF_MEMORY), Err(INVALID_VALUE)));
        let mut total = 0;
        assert_eq!(got(0, |free| cuMemGetInfo_v2(free, Out::from(&raw mut total))), Ok(400));
        assert_eq!((total, count("allocations"), count("allocated_bytes")), (1000, 1, 600));
        let mut own = vec![0u8; 100];
        let place = own.as_mut_ptr().cast::<c_void>();
        assert_eq!(cuMemHostRegister_v2(place, 100, 0), 0);
        assert_eq!(cuMemHostRegister_v2(place.add(50), 10, 0), HOST_MEMORY_ALREADY_REGISTERED);
        let pinned = got(null_mut(), |out| cuMemHostAlloc(out, 50, 0)).unwrap();
        assert_eq!((count("page_locked"), count("page_locked_bytes"), count("registered")), (2, 150, 1));
        let kind = |address| {
            let mut kind = 9u32;
            let result = cuPointerGetAttribute((&raw mut kind).cast(), 2, address);
            if result == 0 { Ok(kind) } else { Err(result) }
        };
        assert_eq!((kind(memory + 5), kind(pinned as u64 + 49), kind(pinned as u64 + 50)), (Ok(2), Ok(1), Err(1)));
        let mut size = 9u64;
        assert_eq!((cuPointerGetAttribute((&raw mut size).cast(), 12, memory + 5), size), (0, 600));
        let (mut kind, mut start) = (9u32, 9u64);
        let data = [(&raw mut kind).cast::<c_void>(), (&raw mut start).cast()];
        assert_eq!((cuPointerGetAttributes(2, [2, 11].as_ptr(), data.as_ptr(), 4096), kind, start), (0, 0, 0));
        assert_eq!(cuMemHostUnregister(place), 0);
        assert_eq!(cuMemHostUnregister(place), HOST_MEMORY_NOT_REGISTERED);
        assert_eq!((cuMemFreeHost(pinned), cuMemFreeHost(pinned)), (0, INVALID_VALUE));
        let (_s, e) = (stream(), event());
        assert_eq!((count("streams"), count("events"), count("modules"), count("nonsense")), (1, 1, 0, -1));
        assert_eq!((cuEventDestroy_v2(e), cuEventDestroy_v2(e)), (0, INVALID_HANDLE));
        assert_eq!((cuDevicePrimaryCtxRelease_v2(0), count("leaked"), count("contexts")), (0, 2, 0));
        assert_eq!(cuCtxSetCurrent(driver.contexts[0]), CONTEXT_IS_DESTROYED);
    }
}

#[test]
fn host_memory_that_is_given_back_under_a_copy_is_not_followed() {
    let _driver = Driver::start(1);
    let (s, memory) = (stream(), alloc(64).unwrap());
    // SAFETY: numbers that are checked; the copy is refused.
    unsafe {
        let pinned = got(null_mut(), |out| cuMemHostAlloc(out, 64, 0)).unwrap();
        assert_eq!(cuMemcpyDtoHAsync_v2(pinned, memory, 64, s), 0);
        assert_eq!((cuMemFreeHost(pinned), sync(s)), (0, Err(ILLEGAL_ADDRESS)));
    }
}

#[test]
fn launches_and_images_that_no_device_takes_are_refused() {
    let _driver = Driver::start(1);
    let good = module(".version 8.0").unwrap();
    assert_eq!((module("bad"), function(good, "nobody")), (Err(INVALID_IMAGE), Err(NOT_FOUND)));
    let elf = [0x7fu8, b'E', b'L', b'F'];
    let (mut log, mut module) = ([0u8; 64], null_mut());
    let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
    // SAFETY: images as `cuModuleLoadData` takes them, and a log with its size.
    unsafe {
        assert_eq!(cuModuleLoadData(Out::from(&raw mut module), elf.as_ptr().cast()), 0);
        let (options, values) = ([5, 6], values.as_mut_ptr());
        let loaded =
            cuModuleLoadDataEx(Out::from(&raw mut module), c"bad".as_ptr().cast(), 2, options.as_ptr(), values);
        assert_eq!(loaded, INVALID_IMAGE);
        assert!(CStr::from_bytes_until_nul(&log).unwrap().to_bytes().ends_with(b"it is bad"));
        let (f, s) = (function(good, "axpy").unwrap(), stream());
        let launch = |grid, block, shared| cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, s, null(), null());
        for (grid, block, shared) in [(0, 32, 0), (1, 0, 0), (1, 1025, 0), (1, 32, 50_000), (1, 32, 0)] {
            assert_eq!(launch(grid, block, shared), INVALID_VALUE, "{grid} {block} {shared}");
        }
    }
}

#[test]
fn nothing_works_before_init_or_without_devices_and_every_code_has_a_name() {
    let _driver = Driver::start(1);
    // SAFETY: places for results.
    unsafe {
        standin_reset();
        assert_eq!(got(0, |out| cuDeviceGetCount(out)), Err(NOT_INITIALIZED));
        standin_set_devices(0);
        assert_eq!((cuInit(0), got(0, |out| cuDriverGetVersion(out))), (NO_DEVICE, Ok(13000)));
        for code in ALL {
            let name = got(null(), |out| cuGetErrorName(*code, out)).unwrap();
            assert!(CStr::from_ptr(name).to_bytes().starts_with(b"CUDA_"));
        }
        assert_eq!(got(null(), |out| cuGetErrorString(12345, out)), Err(INVALID_VALUE));
    }
}
