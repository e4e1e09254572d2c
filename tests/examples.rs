//! The examples run, on the devices that are here, and what they compute is right: they check it and panic where it is not.

#[path = "../examples/cardiac.rs"]
mod cardiac;
#[path = "../examples/grid.rs"]
mod grid;
#[path = "../examples/heat2d.rs"]
mod heat2d;
#[path = "../examples/heat3d.rs"]
mod heat3d;
#[path = "../examples/jacobi.rs"]
mod jacobi;
#[path = "../examples/s3d.rs"]
mod s3d;
#[path = "../examples/single_source.rs"]
mod single_source;
#[path = "../examples/single_source_region.rs"]
mod single_source_region;

use apportion::Result;
use apportion_kernels::Form;

#[test]
fn all_examples_run_at_even_and_odd_numbers_of_steps() -> Result<()> {
    // A result lies in the one array or the other.
    for steps in [0, 10, 11] {
        for form in Form::ALL {
            jacobi::run(65, steps, form)?;
            heat2d::run(65, steps, form)?;
            heat3d::run(17, steps, form)?;
            cardiac::run(48, steps, form)?;
            s3d::run(20, steps, form)?;
        }
        single_source::run(65, steps)?;
        single_source_region::run(33, steps)?;
        grid::run(33, steps)?;
    }
    Ok(())
}

#[test]
fn sizes_that_are_too_small_are_errors() {
    for wrong in [
        jacobi::run(2, 1, Form::Hand),
        heat2d::run(2, 1, Form::Hand),
        heat3d::run(2, 1, Form::Hand),
        cardiac::run(1, 1, Form::Hand),
    ] {
        let error = wrong.unwrap_err().to_string();
        assert!(error.contains("needs at least"), "{error}");
    }
}

#[test]
fn jacobi_stops_when_the_residual_is_small() -> Result<()> {
    // It converges long before; sweeps beyond would take minutes.
    jacobi::run(9, 10_000_000, Form::Hand)
}
