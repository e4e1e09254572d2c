//! Bodies that attract one another, each in reach of all others: `cargo run --release --example nbody [BODIES [STEPS]]`.
//!
//! A device moves its own bodies but needs the places of all of them. So the places are mapped twice: divided over the devices,
//! which is what loops write, and `.full()`, which every device reads. Before each step `region.copy` brings what all devices
//! wrote to all of them. A place is an element that is an array, `[f64; 3]`.

use apportion::prelude::*;

const SOFTENING: f64 = 1e-3;

/// What all others do to body `i`.
#[kernel(const SOFTENING: f64)]
pub fn attract(i: usize, n: usize, p: &[[f64; 3]], mass: &[f64], a: &mut [[f64; 3]]) {
    let [x, y, z] = p[i];
    let (mut sx, mut sy, mut sz) = (0.0, 0.0, 0.0);
    for j in 0..n {
        let (dx, dy, dz) = (p[j][0] - x, p[j][1] - y, p[j][2] - z);
        let square = dx * dx + dy * dy + dz * dz + SOFTENING;
        let pull = mass[j] / (square * square.sqrt());
        sx += pull * dx;
        sy += pull * dy;
        sz += pull * dz;
    }
    a[i] = [sx, sy, sz];
}

/// Body `i` after a step of `dt`.
#[kernel]
pub fn advance(i: usize, dt: f64, a: &[[f64; 3]], v: &mut [[f64; 3]], p: &mut [[f64; 3]]) {
    for d in 0..3 {
        v[i][d] += dt * a[i][d];
        p[i][d] += dt * v[i][d];
    }
}

/// `steps` steps of `n` bodies that are at rest first.
pub fn run(rt: &Runtime, n: usize, steps: usize) -> Result<()> {
    let dt = 1e-3;
    let place = |i: usize, factor: usize| (i * factor % 1009) as f64 / 1009.0;
    let first: Vec<[f64; 3]> = (0..n).map(|i| [place(i, 619), place(i, 251), place(i, 83)]).collect();
    let mass: Vec<f64> = (0..n).map(|i| (1 + i % 3) as f64 / n as f64).collect();

    // All that is mapped is made before the region, which borrows it.
    let (mut p, mut v) = (first.clone(), vec![[0.0; 3]; n]);
    let mut region = rt.data_region();
    let mass_ = region.to(&mass, [n].full());
    let (p_, v_) = (region.tofrom(&mut p, [n].named("p")), region.tofrom(&mut v, [n].named("v")));
    let (all, a) = (region.alloc::<[f64; 3]>([n].full()), region.alloc::<[f64; 3]>([n]));
    for _ in 0..steps {
        region.copy(p_, all)?;
        region.parallel_for(0..n, attract(n, all, mass_, a)).run()?;
        region.parallel_for(0..n, advance(dt, a, v_, p_)).run()?;
    }
    print!("{}", region.finish()?);

    let (mut p2, mut v2) = (first, vec![[0.0; 3]; n]);
    for _ in 0..steps {
        let before = p2.clone();
        for i in 0..n {
            let mut a = [0.0; 3];
            for (q, mass) in before.iter().zip(&mass) {
                let d: [f64; 3] = std::array::from_fn(|k| q[k] - before[i][k]);
                let square = d.iter().map(|d| d * d).sum::<f64>() + SOFTENING;
                (0..3).for_each(|k| a[k] += mass / (square * square.sqrt()) * d[k]);
            }
            for k in 0..3 {
                v2[i][k] += dt * a[k];
                p2[i][k] += dt * v2[i][k];
            }
        }
    }
    for (i, (got, expected)) in p.iter().zip(&p2).enumerate() {
        let near = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near, "body {i}: {got:?}, not {expected:?}");
    }
    println!("{n} bodies, {steps} steps; as computed one after the other");
    Ok(())
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1).map(|text| text.parse().expect("BODIES and STEPS are numbers"));
    run(&Runtime::detect()?, words.next().unwrap_or(5000), words.next().unwrap_or(10))
}
