//! Copies of boxes go where they should, and are checked as others are.

use super::driver::*;
use crate::api::copy::*;
use crate::api::memory::cuMemFree_v2;
use crate::codes::*;
use crate::control::*;
use crate::state::Handle;
use std::ptr::null_mut;

fn host<T>(start: *const T, [pitch, height]: [usize; 2]) -> Side {
    Side { memory: MEMORY_HOST, host: start.cast_mut().cast(), ..device(0, null_mut(), [pitch, height]) }
}

fn device(address: u64, context: Handle, [pitch, height]: [usize; 2]) -> Side {
    let array = null_mut();
    Side {
        x: 0,
        y: 0,
        z: 0,
        level: 0,
        memory: MEMORY_DEVICE,
        host: null_mut(),
        device: address,
        array,
        context,
        pitch,
        height,
    }
}

fn copy(to: Side, from: Side, [width, height, depth]: [usize; 3], stream: Handle) -> Code {
    let all = Copy3d { from, to, width, height, depth };
    // SAFETY: the stand-in checks what is a number; host memory is the tests' own, and stays until it has run.
    unsafe { cuMemcpy3DPeerAsync(&raw const all, stream) }
}

#[test]
fn columns_go_to_and_fro_and_from_one_device_to_another() {
    let driver = Driver::start(2);
    let (a, b) = (driver.contexts[0], driver.contexts[1]);
    let s = stream();
    // Two columns of rows of 4 bytes, from the third on, in two groups of 2 of 3 rows.
    let all: Vec<u8> = (0..24).collect();
    let near = upload(&[0u8; 24]);
    let mut from = host(all.as_ptr(), [4, 3]);
    from.x = 2;
    assert_eq!(copy(device(near, a, [2, 2]), from, [2, 2, 2], s), 0);
    assert_eq!(count("operations"), 1, "it waits for its stream to be waited for");
    sync(s).unwrap();
    assert_eq!(download::<u8>(near, 8), [2, 3, 6, 7, 14, 15, 18, 19]);
    driver.current(1);
    let (far, there) = (upload(&[9u8; 12]), stream());
    // The other GPU fetches a column, which needs no access to its peer's memory.
    standin_set_peer_access(1, 0, 0);
    assert_eq!(copy(device(far, b, [3, 1]), device(near + 1, a, [2, 1]), [1, 4, 1], there), 0);
    sync(there).unwrap();
    assert_eq!(download::<u8>(far, 12), [3, 9, 9, 7, 9, 9, 15, 9, 9, 19, 9, 9]);
    let mut back = [0u8; 8];
    assert_eq!(copy(host(back.as_mut_ptr(), [2, 1]), device(far, b, [3, 1]), [1, 4, 1], there), 0);
    sync(there).unwrap();
    assert_eq!(back, [3, 0, 7, 0, 15, 0, 19, 0]);
    assert_eq!((count("bytes:peer"), count("bytes:d2d")), (4, 0));
}

#[test]
fn boxes_that_do_not_fit_are_refused_at_the_call() {
    let driver = Driver::start(2);
    let (a, s) = (driver.contexts[0], stream());
    let (memory, all) = (upload(&[0u8; 16]), [1u8; 64]);
    let to = |pitch, height| device(memory, a, [pitch, height]);
    let from = host(all.as_ptr(), [4, 4]);
    for (what, to, from, size) in [
        ("past the end", to(4, 4), from, [4, 5, 1]),
        ("rows that overlap", to(3, 4), from, [4, 2, 1]),
        ("planes that overlap", to(4, 1), from, [2, 2, 2]),
        ("a start past the end", device(memory + 14, a, [4, 4]), from, [4, 1, 1]),
        ("an address of the other device", device(memory, driver.contexts[1], [4, 4]), from, [4, 4, 1]),
        ("no host memory", to(4, 4), host(std::ptr::null::<u8>(), [4, 4]), [4, 4, 1]),
        ("a level", Side { level: 1, ..to(4, 4) }, from, [4, 4, 1]),
    ] {
        assert_eq!(copy(to, from, size, s), INVALID_VALUE, "{what}");
    }
    assert_eq!(copy(to(4, 4), from, [4, 4, 1], null_mut()), 0, "the same fits");
    assert_eq!(copy(to(4, 4), from, [4, 4, 1], 0x77 as Handle), INVALID_HANDLE);
    assert_eq!(copy(to(4, 4), from, [0, 4, 1], s), 0, "nothing is to be done");
    fail("cuMemcpy3DPeerAsync", 1, UNKNOWN);
    assert_eq!(copy(to(4, 4), from, [4, 4, 1], s), UNKNOWN);
    assert_eq!((sync(s), download::<u8>(memory, 16)), (Ok(()), vec![1; 16]));
}

#[test]
fn a_box_in_freed_memory_fails_when_it_runs_and_one_that_runs_too_early_shows() {
    let driver = Driver::start(1);
    let a = driver.contexts[0];
    let (s, other, all) = (stream(), stream(), [1u8; 16]);
    let (memory, mut out) = (upload(&[0u8; 16]), [7u8; 16]);
    standin_set_ahead(0);
    assert_eq!(copy(device(memory, a, [8, 1]), host(all.as_ptr(), [8, 1]), [4, 2, 1], s), 0);
    assert_eq!(copy(host(out.as_mut_ptr(), [8, 1]), device(memory, a, [8, 1]), [4, 2, 1], other), 0);
    sync(other).unwrap();
    assert_eq!(out, [0, 0, 0, 0, 7, 7, 7, 7, 0, 0, 0, 0, 7, 7, 7, 7], "nobody waits for the copy in");
    // SAFETY: a number that is checked.
    assert_eq!(unsafe { cuMemFree_v2(memory) }, 0);
    assert_eq!(sync(s), Err(ILLEGAL_ADDRESS));
}
