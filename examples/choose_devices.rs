//! Choosing which devices run a loop, and how it is divided:
//! `cargo run --release --example choose_devices [SIZE [DEVICES [POLICY]]]`.
//!
//! DEVICES is a specifier: `*` (all), `0,2` (by number), `0:*:NVGPU` (all NVIDIA GPUs), `0,:OCLCPU` (the CPU's cores, half of them
//! by OpenCL).
//! POLICY divides the iterations: `AUTO`, `BLOCK`, `SCHED_DYNAMIC:2%` and others, see `apportion compare --help`.

use apportion::prelude::*;

/// `y[i] += a x[i]`.
#[kernel]
pub fn axpy(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
    y[i] += a * x[i];
}

/// `y += 2 x` over `n` elements.
pub fn run(n: usize, devices: &str, policy: &str) -> Result<()> {
    // Opens no others. A loop may choose among those of its runtime, by `.devices(..)`.
    let rt = Runtime::detect_only(devices)?;
    for device in rt.devices() {
        println!("device {device}");
    }
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let mut y = vec![1.0f32; n];
    let report = rt.parallel_for(0..n, axpy(2.0, &x, &mut y)).devices(devices).policy(policy).run()?;

    print!("{report}");
    for device in &report.devices {
        println!("{} ran {} of {n} iterations", device.name, device.iterations);
    }
    assert_eq!(report.devices.iter().map(|device| device.iterations).sum::<u64>(), n as u64);
    assert!(x.iter().zip(&y).all(|(x, y)| *y == 1.0 + 2.0 * x), "y is not 1 + 2 x");
    Ok(())
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let n = words.next().map_or(10_000_000, |text| text.parse().expect("SIZE is a number"));
    run(n, &words.next().unwrap_or("*".into()), &words.next().unwrap_or("AUTO".into()))
}
