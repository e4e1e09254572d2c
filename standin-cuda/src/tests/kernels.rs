//! The built-in kernels compute what their namesakes do, on a section of the arrays.

use super::driver::*;
use crate::api::memory::{cuMemFreeHost, cuMemHostAlloc};
use crate::api::module::cuFuncGetParamInfo;
use crate::codes::*;
use crate::state::Out;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Runs a kernel for the range and waits.
fn run(image: &str, name: &str, blocks: u32, range: [i64; 2], args: &[Arg]) {
    let s = stream();
    let args: Vec<_> = range.map(Arg::Long).into_iter().chain(args.iter().copied()).collect();
    launch(function(module(image).unwrap(), name).unwrap(), s, blocks, &args).unwrap();
    sync(s).unwrap();
}

#[test]
fn sections_begin_at_their_first_element() {
    let _driver = Driver::start(1);
    let (x, y) = (upload(&[1f32, 2., 3.]), upload(&[10f32, 20., 30.]));
    run("standin:", "axpy", 1, [101, 103], &[Arg::F32(2.), Arg::Array(x, 100), Arg::Array(y, 100)]);
    assert_eq!(download::<f32>(y, 3), [10., 24., 36.]);
    run("standin:", "scale", 1, [100, 102], &[Arg::F32(3.), Arg::Array(x, 100), Arg::Array(y, 100)]);
    assert_eq!(download::<f32>(y, 3), [3., 6., 36.]);
    let (x, y) = (upload(&[1f64, 2.]), upload(&[1f64, 1.]));
    run("standin:f64", "axpy", 1, [7, 9], &[Arg::F64(0.5), Arg::Array(x, 7), Arg::Array(y, 7)]);
    assert_eq!(download::<f64>(y, 2), [1.5, 2.]);
}

#[test]
fn reductions_write_a_partial_result_for_every_block() {
    let _driver = Driver::start(1);
    let (x, partial) = (upload(&[1f32, 2., 4., 8., 16.]), upload(&[9f64; 4]));
    run("standin:", "sum", 4, [10, 15], &[Arg::Array(x, 10), Arg::Pointer(partial)]);
    assert_eq!(download::<f64>(partial, 4), [3., 12., 16., 0.]);
    let (x, partial) = (upload(&[1u64, 2, 4]), upload(&[9u64; 3]));
    run("standin:", "total", 3, [1, 3], &[Arg::Array(x, 0), Arg::Pointer(partial)]);
    assert_eq!(download::<u64>(partial, 3), [6, 0, 0]);
    // Page-locked host memory is as good, up to its end.
    // SAFETY: a size, and where the address goes.
    let pinned: *mut c_void = unsafe { got(null_mut(), |out| cuMemHostAlloc(out, 4 * 8, 0)) }.unwrap();
    let (x, address) = (upload(&[1u64, 2, 4]), pinned.expose_provenance() as u64);
    run("standin:", "total", 4, [0, 3], &[Arg::Array(x, 0), Arg::Pointer(address)]);
    // SAFETY: this memory was allocated above, and the kernel is done.
    assert_eq!(unsafe { pinned.cast::<[u64; 4]>().read() }, [7, 0, 0, 0]);
    // SAFETY: as above.
    assert_eq!(unsafe { cuMemFreeHost(pinned) }, 0);
}

#[test]
fn matrices_and_halos() {
    let _driver = Driver::start(1);
    // Rows 1 and 2 of a 3 x 3 matrix; the section has these rows alone.
    let (a, x, y) = (upload(&[1f32, 2., 3., 4., 5., 6.]), upload(&[1f32, 10., 100.]), upload(&[0f32; 2]));
    run("standin:", "matvec", 2, [1, 3], &[Arg::Long(3), Arg::Array(a, 3), Arg::Array(x, 0), Arg::Array(y, 1)]);
    assert_eq!(download::<f32>(y, 2), [321., 654.]);
    let (a, b, c) = (upload(&[1f32, 2., 3., 4.]), upload(&[5f32, 6., 7., 8.]), upload(&[0f32; 4]));
    run("standin:", "matmul", 1, [0, 2], &[Arg::Long(2), Arg::Array(a, 0), Arg::Array(b, 0), Arg::Array(c, 0)]);
    assert_eq!(download::<f32>(c, 4), [19., 22., 43., 50.]);
    // Row 1 of 3 needs the rows beside it.
    let (x, y) = (upload(&[1i64, 2, 10, 20, 100, 200]), upload(&[0i64; 2]));
    let args = [3, 2, 1].map(Arg::Long).into_iter().chain([Arg::Array(x, 0), Arg::Array(y, 2)]);
    run("standin:", "column_sums", 1, [1, 2], &args.collect::<Vec<_>>());
    assert_eq!(download::<i64>(y, 2), [111, 222]);
}

#[test]
fn a_stencil_leaves_the_edge_and_weighs_its_star() {
    let _driver = Driver::start(1);
    let field: Vec<f32> = (0..49).map(|i| i as f32).collect();
    let (from, to) = (upload(&field), upload(&[0f32; 49]));
    let c = [1., 0.5, 0.25, 0.125].map(Arg::F32);
    let args: Vec<_> = [Arg::Long(7)].into_iter().chain(c).chain([Arg::Array(from, 0), Arg::Array(to, 0)]).collect();
    run("standin:", "stencil2d", 1, [0, 7], &args);
    let got = download::<f32>(to, 49);
    // A plane's neighbours add up to 4 times the middle at each distance.
    assert_eq!((got[24], got[23], got[0]), (24. * (1. + 4. * 0.875), 23., 0.));
}

#[test]
fn block_matching_finds_the_shift() {
    let _driver = Driver::start(1);
    let n = 32;
    // The reference is the picture moved by 3 rows and 5 columns.
    let pixel = |y: i64, x: i64| ((y * 31 + x * 17 + y * x * 7) % 251) as u8;
    let picture = |dy, dx| (0..n * n).map(move |i| pixel(100 + i / n - dy, 100 + i % n - dx)).collect::<Vec<_>>();
    let (current, reference, result) = (upload(&picture(0, 0)), upload(&picture(3, 5)), upload(&[9i32; 12]));
    let arrays = [current, reference, result].map(|address| Arg::Array(address, 0));
    run("standin:", "bm2d", 1, [0, 2], &[[Arg::Long(n)].as_slice(), &arrays].concat());
    assert_eq!(download::<i32>(result, 12)[..3], [3, 5, 0]);
}

#[test]
fn parameters_can_be_asked_for() {
    let _driver = Driver::start(1);
    let sizes = |image, name| {
        let f = function(module(image).unwrap(), name).unwrap();
        let info = |index| {
            let mut size = 0;
            // SAFETY: a handle and places for the results.
            got(0, |at| unsafe { cuFuncGetParamInfo(f, index, at, Out::from(&raw mut size)) }).map(|at| (at, size))
        };
        let all: Vec<_> = (0..).map_while(|index| info(index).ok()).collect();
        assert_eq!(info(all.len()), Err(INVALID_VALUE));
        all
    };
    let axpy = sizes("standin:", "axpy");
    assert_eq!(axpy, [(0, 8), (8, 8), (16, 4), (24, 8), (32, 8), (40, 8), (48, 8)]);
    let stencil = sizes(".version 8.8 ld.global.f64", "stencil2d");
    assert_eq!((stencil[3], stencil[6], stencil.len()), ((24, 8), (48, 8), 11));
    let place = || Out::from(null_mut());
    // SAFETY: as above.
    let asked = unsafe { cuFuncGetParamInfo(null_mut(), 0, place(), place()) };
    assert_eq!(asked, INVALID_HANDLE);
}
