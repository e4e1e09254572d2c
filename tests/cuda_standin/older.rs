//! Drivers older than the headers: CUDA 12.0 is enough, and an older driver is reported in one line.

use crate::kernels::{Memory, scale};
use crate::kernels::{check_count, check_replicated, check_total, check_triple_add, image, numbers, policies};
use crate::machine::{machine, runtime, try_runtime};
use crate::regions::{EDGES, same, serial, sweep};
use crate::standin::{GPUS, Older, alone, alone_with};
use apportion::devices::cuda::discover;
use apportion::prelude::*;
use apportion::region::RegionSplit;

/// Without the entry points of 12.4 and 12.8.
const OLDEST: Older = Older { version: "12000", lacks: &["cuFuncGetParamInfo", "cuEventElapsedTime_v2"] };
const TOO_OLD: Older = Older { version: "11080", lacks: &[] };
const INCOMPLETE: Older = Older { version: "12000", lacks: &["cuMemcpy3DPeerAsync"] };

/// A scalar of twice the size that the kernel takes.
fn scaled_by_a_double(rt: &Runtime) -> Result<Report> {
    let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
    let kernel = Kernel::new("scale").cuda_image(image("scale"));
    rt.parallel_for(0..100u64, kernel.bind().scalar(2f64).to(&x).align().from(&mut y).align()).run()
}

#[test]
fn loops_and_regions_run_on_the_oldest_driver() {
    alone_with(&OLDEST, concat!(module_path!(), "::loops_and_regions_run_on_the_oldest_driver"), |standin| {
        assert_eq!(discover().expect("this driver is new enough").len(), GPUS);
        for (gpus, with_host) in [(1, false), (2, true)] {
            let rt = runtime(&machine(gpus, with_host));
            for policy in policies() {
                let x = numbers(10_007);
                check_triple_add(&rt, &policy, &x, &mut x.clone()).unwrap();
                check_replicated(&rt, &policy, &x, &mut x.clone()).unwrap();
                check_total(&rt, &policy, &x).unwrap();
                check_count(&rt, &policy, Memory::Locked, &x).unwrap();
            }
            let ([n, m], start) = ([40, 9], numbers(360));
            let (mut u, mut v) = (start.clone(), start.clone());
            sweep(&rt, [&mut u, &mut v], [n, m], EDGES[1], 7, RegionSplit::Even).unwrap();
            same(&v, &serial(&start, [n, m], [0, 1], 7), "the oldest driver");
        }
        // The driver cannot tell a kernel's parameters, so they are not compared.
        let rt = runtime(&machine(1, false));
        assert_eq!(standin.count("calls:cuFuncGetParamInfo"), 0);
        scaled_by_a_double(&rt).unwrap();
        drop(rt);
        standin.nothing_is_left("the oldest driver");
    });
}

#[test]
fn a_driver_that_tells_of_parameters_is_asked() {
    alone(concat!(module_path!(), "::a_driver_that_tells_of_parameters_is_asked"), |_| {
        let rt = runtime(&machine(1, false));
        let error = scaled_by_a_double(&rt).unwrap_err().to_string();
        assert!(error.contains("parameter 2 has 4 bytes") && error.contains("which has 8"), "{error}");
        let (x, mut y) = (vec![1f32; 100], vec![0f32; 100]);
        rt.parallel_for(0..100u64, scale().bind().scalar(2f32).to(&x).align().from(&mut y).align()).run().unwrap();
        assert_eq!(y, vec![2f32; 100]);
    });
}

/// Checks the message about such a driver: from discovery, for a machine with a GPU, and beside other devices.
fn refused(line: &str) {
    assert_eq!(discover().unwrap_err(), line);
    let error = try_runtime(&machine(1, true)).unwrap_err().to_string();
    assert!(error.contains("cuda:0") && error.contains(line), "{error}");
    let rt = Runtime::detect().unwrap();
    assert!(rt.notes().iter().any(|note| note.contains(line)), "{:?}", rt.notes());
    let mut y = numbers(1000);
    check_triple_add(&rt, &Policy::Block, &numbers(1000), &mut y).unwrap();
}

#[test]
fn a_driver_that_is_too_old_is_told_in_one_line() {
    alone_with(&TOO_OLD, concat!(module_path!(), "::a_driver_that_is_too_old_is_told_in_one_line"), |_| {
        refused("the CUDA driver is for CUDA 11.8: update it to one for CUDA 12 or newer");
    });
}

#[test]
fn a_driver_without_a_function_that_is_called_is_told_in_one_line() {
    let name = concat!(module_path!(), "::a_driver_without_a_function_that_is_called_is_told_in_one_line");
    alone_with(&INCOMPLETE, name, |standin| {
        refused("the CUDA driver has no `cuMemcpy3DPeerAsync`: update it to one for CUDA 12 or newer");
        assert_eq!(standin.count("calls:cuInit"), 0, "it is not even started");
    });
}
