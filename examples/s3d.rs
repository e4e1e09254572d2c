//! Two kernels over one input, each on a device of its own: `cargo run --release --example s3d [SIZE [TIMES]]`.
//!
//! Specific heat and enthalpy of a mixture of gases, as in the flow solver S3D. Neither kernel needs the other's result, so the
//! input is on both devices, and no device waits.

use apportion::prelude::*;
use apportion::region::RegionSplit;

/// Gases of the mixture.
const SPECIES: usize = 8;

/// Specific heat of the points of row `i`. `y` has a row of mass fractions for each species, `table` six coefficients.
#[kernel]
#[map(table: full)]
pub fn heat(i: usize, m: usize, species: usize, t: &[f64], y: &[f64], table: &[f64], c: &mut [f64]) {
    for j in 0..m {
        let t = t[i * m + j];
        let mut sum = 0.0;
        for k in 0..species {
            let high = table[6 * k + 2] + t * (table[6 * k + 3] + t * table[6 * k + 4]);
            sum += y[i * species * m + k * m + j] * (table[6 * k] + t * (table[6 * k + 1] + t * high));
        }
        c[i * m + j] = sum;
    }
}

/// Enthalpy of the points of row `i`.
#[kernel]
#[map(table: full)]
pub fn enthalpy(i: usize, m: usize, species: usize, t: &[f64], y: &[f64], table: &[f64], h: &mut [f64]) {
    for j in 0..m {
        let t = t[i * m + j];
        let mut sum = 0.0;
        for k in 0..species {
            let high = table[6 * k + 2] / 3.0 + t * (table[6 * k + 3] / 4.0 + t * table[6 * k + 4] / 5.0);
            let low = table[6 * k] + t * (table[6 * k + 1] / 2.0 + t * high);
            sum += y[i * species * m + k * m + j] * (table[6 * k + 5] + t * low);
        }
        h[i * m + j] = sum;
    }
}

/// Runs both kernels `times` times over `n` x `n` points.
pub fn run(rt: &Runtime, n: usize, times: usize) -> Result<()> {
    let t: Vec<f64> = (0..n * n).map(|at| 0.3 + (at % 71) as f64 / 40.0).collect();
    let y: Vec<f64> = (0..n * SPECIES * n).map(|at| (at % 13) as f64 / 100.0).collect();
    let table: Vec<f64> = (0..6 * SPECIES).map(|at| 1.0 + (at % 7) as f64).collect();
    let (mut c, mut h, mut c_there) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    let names: Vec<String> = rt.devices().map(|device| device.name).collect();
    // If there is only one device, it runs both.
    let (one, other) = (&names[names.len() - 1], &names[names.len().saturating_sub(2)]);

    let mut region = rt.data_region().split(RegionSplit::Even);
    let t_ = region.to(&t, [n, n].full());
    let y_ = region.to(&y, [n, SPECIES * n].full());
    let table_ = region.to(&table, [table.len()].full());
    let c_ = region.from(&mut c, [n, n].on(one).named("c"));
    let h_ = region.from(&mut h, [n, n].on(other).named("h"));
    let there = region.from(&mut c_there, [n, n].on(other).named("c_there"));
    for _ in 0..times {
        region.parallel_for(0..n, heat(n, SPECIES, t_, y_, table_, c_)).run()?;
        region.parallel_for(0..n, enthalpy(n, SPECIES, t_, y_, table_, h_)).run()?;
    }
    if times > 0 {
        region.wait_for(one)?; // the other device may still be running its kernel
        region.copy(c_, there)?; // from device to device, if they reach one another
    }
    print!("{}", region.finish()?);
    println!("{n} x {n} points, {times} times: c on {one}, h on {other}");

    for at in 0..if times > 0 { n * n } else { 0 } {
        let of = |polynomial: &dyn Fn(&[f64]) -> f64| -> f64 {
            let fraction = |k: usize| y[at / n * SPECIES * n + k * n + at % n];
            (0..SPECIES).map(|k| fraction(k) * polynomial(&table[6 * k..])).sum()
        };
        let t = t[at];
        let heat = of(&|a| a[0] + a[1] * t + a[2] * t.powi(2) + a[3] * t.powi(3) + a[4] * t.powi(4));
        let integral = of(&|a| (1..=5).map(|n| a[n as usize - 1] * t.powi(n) / f64::from(n)).sum::<f64>() + a[5]);
        for (name, got, expected) in [("c", c[at], heat), ("c_there", c_there[at], heat), ("h", h[at], integral)] {
            assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{name} of point {at}: {got}, not {expected}");
        }
    }
    Ok(())
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("SIZE and TIMES are numbers"));
    run(&Runtime::detect()?, numbers.next().unwrap_or(256), numbers.next().unwrap_or(100))
}
