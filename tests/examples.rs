//! Runs the examples on this machine's devices. Each checks its own results and panics if one is wrong.

#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/cardiac.rs"]
mod cardiac;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/cg.rs"]
mod cg;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/choose_devices.rs"]
mod choose_devices;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/grid.rs"]
mod grid;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/heat2d.rs"]
mod heat2d;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/heat3d.rs"]
mod heat3d;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/histogram.rs"]
mod histogram;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/jacobi.rs"]
mod jacobi;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/nbody.rs"]
mod nbody;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/s3d.rs"]
mod s3d;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/single_source.rs"]
mod single_source;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/single_source_region.rs"]
mod single_source_region;
#[allow(dead_code, reason = "its `main`")]
#[path = "../examples/spmv.rs"]
mod spmv;

use apportion::Result;
use apportion::prelude::*;

/// What is used by default, and where it is here, OpenCL on the CPU's cores beside the host.
fn runtimes() -> Result<Vec<Runtime>> {
    let required = std::env::var("APPORTION_REQUIRE_OPENCL").is_ok_and(|value| !value.is_empty() && value != "0");
    let mut all = vec![Runtime::detect()?];
    match Runtime::detect_only("0,:OCLCPU") {
        Ok(rt) => all.push(rt),
        Err(why) if required => panic!("APPORTION_REQUIRE_OPENCL is set, but {why}"),
        Err(why) => println!("skipped: {why}"),
    }
    Ok(all)
}

#[test]
fn all_examples_run_at_even_and_odd_numbers_of_steps() -> Result<()> {
    for rt in &runtimes()? {
        // The number of steps decides which of two arrays has the result.
        for steps in [0, 10, 11] {
            jacobi::run(rt, 65, steps)?;
            heat2d::run(rt, 65, steps)?;
            heat3d::run(rt, 17, steps)?;
            cardiac::run(rt, 48, steps)?;
            s3d::run(rt, 20, steps)?;
            single_source::run(rt, 65, steps)?;
            single_source_region::run(rt, 33, steps)?;
            grid::run(rt, 33, steps)?;
            nbody::run(rt, 50, steps)?;
        }
    }
    Ok(())
}

#[test]
fn examples_of_one_loop_run() -> Result<()> {
    for n in [1, 10, 10_001] {
        for rt in &runtimes()? {
            spmv::run(rt, n)?;
            histogram::run(rt, n)?;
        }
        choose_devices::run(n, "0:*", "AUTO")?;
        choose_devices::run(n, "0", "SCHED_DYNAMIC:5%")?;
    }
    if runtimes()?.len() > 1 {
        choose_devices::run(10_001, "0,:OCLCPU", "BLOCK")?;
    }
    Ok(())
}

#[test]
fn conjugate_gradients_solve_plates_of_any_size() -> Result<()> {
    for rt in &runtimes()? {
        [1, 2, 3, 41].into_iter().try_for_each(|points| cg::run(rt, points))?;
    }
    cg::run(&Runtime::detect_only("0")?, 20)
}

#[test]
fn devices_and_policies_that_are_not_there_are_errors() {
    for (devices, policy, word) in [("99", "AUTO", "99"), ("0:*", "FAIR", "FAIR")] {
        let error = choose_devices::run(10, devices, policy).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn sizes_that_are_too_small_are_errors() -> Result<()> {
    let rt = &Runtime::detect()?;
    for wrong in [jacobi::run(rt, 2, 1), heat2d::run(rt, 2, 1), heat3d::run(rt, 2, 1), cardiac::run(rt, 1, 1)] {
        let error = wrong.unwrap_err().to_string();
        assert!(error.contains("needs at least"), "{error}");
    }
    Ok(())
}

#[test]
fn jacobi_stops_when_the_residual_is_small() -> Result<()> {
    // It converges long before that many sweeps, which would take minutes.
    jacobi::run(&Runtime::detect()?, 9, 10_000_000)
}
