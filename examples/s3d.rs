//! Two kernels over one input, each on a device of its own: `cargo run --release --example s3d [SIZE [STEPS [FORM]]]`.
//!
//! Specific heat and enthalpy of a mixture of gases. Neither needs what the other gives, so the input is on both devices, and
//! nobody waits. See [`apportion_kernels::apps::s3d`] for what is computed.
//!
//! FORM is `single`, the kernel from one Rust function with `#[kernel]` (`kernels/src/single/kernels.rs`), which is usual, or `hand`.

use apportion::prelude::*;
use apportion::region::{Dims, RegionSplit};
use apportion_kernels::apps::{compare, s3d::Property, s3d::S3d};
use apportion_kernels::{Form, Memory};

/// So many times both kernels over `n` x `n` points.
pub fn run(n: usize, steps: usize, form: Form) -> Result<()> {
    let rt = Runtime::detect()?;
    let s3d = S3d::<f64>::new(n, n, 1)?;
    let memory = Memory::default();
    let (t, y, table) = (s3d.temperatures(memory)?, s3d.fractions(memory)?, s3d.table(memory)?);
    let (mut c, mut h, mut c_there) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    let names: Vec<String> = rt.devices().map(|device| device.name).collect();
    // Where there is one device alone, it runs both.
    let (one, other) = (&names[names.len() - 1], &names[names.len().saturating_sub(2)]);

    let mut region = rt.data_region().split(RegionSplit::Even);
    let input = [
        region.to(&t, [n, n].full()),
        region.to(&y, s3d.fraction_extents().full()),
        region.to(&table, [table.len()].full()),
    ];
    let c_ = region.from(&mut c, [n, n].on(one).named("c"));
    let h_ = region.from(&mut h, [n, n].on(other).named("h"));
    let there = region.from(&mut c_there, [n, n].on(other).named("c_there"));
    for _ in 0..steps {
        region.parallel_for(s3d.rows(), s3d.sweep(form, Property::Heat, input, c_)).run()?;
        region.parallel_for(s3d.rows(), s3d.sweep(form, Property::Enthalpy, input, h_)).run()?;
    }
    if steps > 0 {
        region.wait_for(one)?; // the other may still be at its kernels
        region.copy(c_, there)?; // from device to device, where they reach one another
    }
    let report = region.finish()?;

    print!("{report}");
    println!("{n} x {n} points, {steps} times: c on {one}, h on {other}");
    if steps > 0 {
        for (name, got, property) in
            [("c", &c, Property::Heat), ("h", &h, Property::Enthalpy), ("c", &c_there, Property::Heat)]
        {
            let checked = compare(name, n, got, &s3d.reference(property)?);
            println!("{name}: {checked}");
            assert!(checked.ok, "{checked}");
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<()> {
    let number = |at: usize, usual: usize| match std::env::args().nth(at) {
        Some(text) => {
            text.parse().map_err(|_| Error::call(format!("`{text}` is no number: s3d [SIZE [STEPS [FORM]]]")))
        }
        None => Ok(usual),
    };
    run(number(1, 256)?, number(2, 100)?, std::env::args().nth(3).map_or(Ok(Form::Single), |form| form.parse())?)
}
