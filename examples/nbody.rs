//! Bodies that attract one another, each in reach of all others: `cargo run --release --example nbody [BODIES [STEPS]]`.
//!
//! A device moves its own bodies but needs the places of all of them. So each place is mapped twice: divided over the devices,
//! which is what loops write, and `.full()`, which every device reads. After each step `region.copy` brings what all devices
//! wrote to all of them. The arrays of a structure of arrays are arguments of their own.

use apportion::prelude::*;
use apportion::region::Dims;

const SOFTENING: f64 = 1e-3;

/// What all others do to body `i`.
#[kernel(const SOFTENING: f64)]
pub fn attract(i: usize, n: usize, x: &[f64], y: &[f64], mass: &[f64], ax: &mut [f64], ay: &mut [f64]) {
    let (mut sx, mut sy) = (0.0, 0.0);
    for j in 0..n {
        let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
        let square = dx * dx + dy * dy + SOFTENING;
        let pull = mass[j] / (square * square.sqrt());
        sx += pull * dx;
        sy += pull * dy;
    }
    ax[i] = sx;
    ay[i] = sy;
}

/// One coordinate of body `i` after a step of `dt`.
#[kernel]
pub fn advance(i: usize, dt: f64, a: &[f64], v: &mut [f64], x: &mut [f64]) {
    v[i] += dt * a[i];
    x[i] += dt * v[i];
}

/// `steps` steps of `n` bodies that are at rest first.
pub fn run(n: usize, steps: usize) -> Result<()> {
    let rt = Runtime::detect()?;
    let dt = 1e-3;
    let place = |i: usize, factor: usize| (i * factor % 1009) as f64 / 1009.0;
    let (mut x, mut y): (Vec<_>, Vec<_>) = (0..n).map(|i| (place(i, 619), place(i, 251))).unzip();
    let mass: Vec<f64> = (0..n).map(|i| (1 + i % 3) as f64 / n as f64).collect();
    let (mut vx, mut vy) = (vec![0.0; n], vec![0.0; n]);
    let (first_x, first_y) = (x.clone(), y.clone());

    // All that is mapped is made before the region, which borrows it.
    let (mut all_x, mut all_y) = (x.clone(), y.clone());
    let mut region = rt.data_region();
    let mass_ = region.to(&mass, [n].full());
    let (x_, y_) = (region.tofrom(&mut x, [n].named("x")), region.tofrom(&mut y, [n].named("y")));
    let (vx_, vy_) = (region.tofrom(&mut vx, [n]), region.tofrom(&mut vy, [n]));
    // They begin with values and are written by `copy`, so they are `tofrom`.
    let (all_x_, all_y_) = (region.tofrom(&mut all_x, [n].full()), region.tofrom(&mut all_y, [n].full()));
    let (ax, ay) = (region.alloc::<f64>([n]), region.alloc::<f64>([n]));
    for _ in 0..steps {
        region.parallel_for(0..n, attract(n, all_x_, all_y_, mass_, ax, ay)).run()?;
        region.parallel_for(0..n, advance(dt, ax, vx_, x_)).run()?;
        region.parallel_for(0..n, advance(dt, ay, vy_, y_)).run()?;
        region.copy(x_, all_x_)?;
        region.copy(y_, all_y_)?;
    }
    print!("{}", region.finish()?);

    let (mut x2, mut y2, mut vx2, mut vy2) = (first_x, first_y, vec![0.0; n], vec![0.0; n]);
    for _ in 0..steps {
        let pulls: Vec<_> = (0..n)
            .map(|i| {
                (0..n).fold((0.0, 0.0), |(sx, sy), j| {
                    let (dx, dy) = (x2[j] - x2[i], y2[j] - y2[i]);
                    let square: f64 = dx * dx + dy * dy + SOFTENING;
                    let pull = mass[j] / (square * square.sqrt());
                    (sx + pull * dx, sy + pull * dy)
                })
            })
            .collect();
        for (i, (ax, ay)) in pulls.into_iter().enumerate() {
            vx2[i] += dt * ax;
            vy2[i] += dt * ay;
            x2[i] += dt * vx2[i];
            y2[i] += dt * vy2[i];
        }
    }
    for (i, (got, expected)) in x.iter().zip(&x2).chain(y.iter().zip(&y2)).enumerate() {
        assert!((got - expected).abs() < 1e-9, "coordinate {i}: {got}, not {expected}");
    }
    println!("{n} bodies, {steps} steps; as computed one after the other");
    Ok(())
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1).map(|text| text.parse().expect("BODIES and STEPS are numbers"));
    run(words.next().unwrap_or(5000), words.next().unwrap_or(10))
}
