//! Every application and every workload in both forms, in data regions on every kind of device, in both precisions: verified
//! against its reference, and the forms against each other.
//!
//! A kind of device that is not there is skipped by name, and fails where `APPORTION_REQUIRE_OPENCL` asks for it.

use apportion::kernel::{ElementType, Scalar};
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, Edge, RegionSplit};
use apportion_kernels::apps::{self, RegionOptions};
use apportion_kernels::{Form, Memory, WORKLOADS};

use crate::machines::{DISCRETE, SHARED, emulated, gpus, host, opencl, runtime, with_gpus, with_opencl};

const NAMES: [&str; 6] = ["jacobi", "heat2d", "heat3d", "heat3d-periodic", "cardiac", "s3d"];

fn check_all(rt: &Runtime) {
    let devices = rt.devices().count();
    let mut weights: Vec<f64> = (0..devices).map(|slot| 1.0 + slot as f64).collect();
    weights[0] = if devices > 2 { 0.0 } else { 1.0 };
    let splits = [RegionSplit::Even, RegionSplit::Model, RegionSplit::Weights(weights)];
    for name in NAMES {
        for element in [ElementType::F32, ElementType::F64] {
            // Odd and even row lengths, and fewer rows than devices would like.
            for (n, steps) in [(33, 11), (48, 8), (5, 3)] {
                for split in &splits {
                    let mut app = apps::build(name, n, element, 7, Memory::Plain).unwrap();
                    let [by_hand, single] = Form::ALL.map(|form| {
                        let what = format!("{name} {element} {n} {split:?}, {form}");
                        let options = RegionOptions { split: split.clone(), form, ..RegionOptions::default() };
                        let swept = app.run(rt, &options, steps).unwrap_or_else(|error| panic!("{what}: {error}"));
                        let verified = app.verify(steps).unwrap();
                        assert!(verified.ok, "{what}: {verified:?}\n{}", swept.report);
                        app.result(steps)
                    });
                    let close = if element == ElementType::F64 { 1e-12 } else { 1e-5 };
                    for (i, (a, b)) in by_hand.iter().zip(&single).enumerate() {
                        assert!((a - b).abs() <= close, "{name} {element} {n}: cell {i} is {a} by hand, else {b}");
                    }
                }
            }
        }
    }
    for split in &splits {
        workloads(rt, split);
    }
}

/// Workloads whose arrays are in a region: one loop each.
fn workloads(rt: &Runtime, split: &RegionSplit) {
    for entry in WORKLOADS {
        for &element in entry.elements {
            for (form, n) in Form::ALL.into_iter().flat_map(|form| [(form, 112usize), (form, 77)]) {
                let n = if entry.name == "bm2d" { n.next_multiple_of(16) } else { n };
                let what = format!("{} {element} {n} {split:?}, {form}", entry.name);
                let mut instance = entry.build(n, element, 3).unwrap();
                let sum = {
                    let mut region = rt.data_region().split(split.clone());
                    let mut loops = instance.place(&mut region);
                    let later = loops.sweep(&mut region, form).unwrap_or_else(|error| panic!("{what}: {error}"));
                    let sum = later.map(|later| Scalar::F64(region.value(later).unwrap()));
                    drop(loops);
                    region.finish().unwrap();
                    sum
                };
                let verified = instance.verify(sum);
                assert!(verified.ok, "{what}: {verified:?}");
            }
        }
    }
}

/// A cell by those around it, corners too. Numbers wrap, so a wrong cell anywhere shows.
#[kernel(i, j)]
fn around(i: usize, j: usize, m: usize, old: &[u64], new: &mut [u64]) -> u64 {
    let at = i * m + j;
    let mut s = old[at] * 5 ^ (i * 3 + j) as u64;
    for k in 0..3 {
        s = s * 3 + old[(i + k - 1) * m + j - 1] * 7 + old[(i + k - 1) * m + j + 1];
    }
    s += old[at - m] * 11 + old[at + m];
    new[at] = s;
    s >> 40
}

/// What the kernel does, cell by cell, where what is past an edge is at the other end.
fn serial(start: &[u64], [n, m]: [usize; 2], steps: usize) -> (Vec<u64>, Vec<u64>) {
    let (mut old, mut new, mut sums) = (start.to_vec(), start.to_vec(), Vec::new());
    for _ in 0..steps {
        let mut sum = 0;
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let cell = |i: usize, j: usize| old[(i + n - 1) % n * m + (j + m - 1) % m];
            let mut s = old[i * m + j].wrapping_mul(5) ^ (i * 3 + j) as u64;
            for k in 0..3 {
                let sides = cell(i + k, j).wrapping_mul(7).wrapping_add(cell(i + k, j + 2));
                s = s.wrapping_mul(3).wrapping_add(sides);
            }
            s = s.wrapping_add(cell(i, j + 1).wrapping_mul(11)).wrapping_add(cell(i + 2, j + 1));
            new[i * m + j] = s;
            sum += s >> 40;
        }
        sums.push(sum);
        std::mem::swap(&mut old, &mut new);
    }
    (old, sums)
}

/// Devices in a grid, by a kernel of two indices. At most one of them may work in the host's memory.
fn check_grid(devices: &[String], arrangement: Arrangement) {
    let rt = runtime(devices).unwrap();
    for ([n, m], steps) in [([37, 29], 6), ([64, 130], 5), ([300, 1025], 3)] {
        let start: Vec<u64> = (0..(n * m) as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let (mut a, mut b) = (start.clone(), start.clone());
        let mut region = rt.data_region().arrangement(arrangement);
        let mut old = region.tofrom(&mut a, [n, m].halo(1).edge(Edge::Periodic));
        let mut new = region.tofrom(&mut b, [n, m].halo(1).edge(Edge::Periodic));
        let mut later = Vec::new();
        for _ in 0..steps {
            let sweep = region.parallel_for_2d(0..n, 0..m, around(0..m, m, old, new));
            later.push(sweep.reduce_later::<u64>(Sum).unwrap());
            std::mem::swap(&mut old, &mut new);
        }
        let sums: Vec<u64> = later.into_iter().map(|later| region.value(later).unwrap()).collect();
        let report = region.finish().unwrap();
        let (expected, expected_sums) = serial(&start, [n, m], steps);
        let last = if steps % 2 == 0 { &a } else { &b };
        let what = format!("{n} x {m}, {arrangement:?}, {devices:?}\n{report}");
        let wrong = (0..n * m).find(|&at| last[at] != expected[at]);
        assert!(wrong.is_none(), "cell {:?} is wrong: {what}", wrong.map(|at| (at / m, at % m)));
        assert_eq!(sums, expected_sums, "{what}");
    }
}

#[test]
fn cells_in_a_grid_of_emulated_devices() {
    let e = |count: usize| (0..count).map(|i| emulated(&format!("e{i}"), 20.0)).collect::<Vec<_>>();
    check_grid(&[host()], Arrangement::Square);
    check_grid(&e(4), Arrangement::Square);
    check_grid(&[vec![host()], e(1)].concat(), Arrangement::Grid(1, 2));
}

#[test]
fn cells_in_a_grid_of_gpus() {
    let gpus = gpus();
    if gpus.is_empty() {
        return;
    }
    check_grid(&gpus[..1], Arrangement::Square);
    check_grid(&gpus, Arrangement::Grid(1, gpus.len()));
    check_grid(&gpus, Arrangement::Grid(gpus.len(), 1));
    check_grid(&gpus, Arrangement::Square);
    check_grid(&[&[host()], &gpus[..1]].concat(), Arrangement::Grid(1, 2));
    if gpus.len() > 1 {
        let more = [&gpus[..2], &[host(), emulated("a", 20.0)]].concat();
        check_grid(&more, Arrangement::Grid(2, 2));
    }
}

#[test]
fn on_the_host() {
    check_all(&runtime(&[host()]).unwrap());
}

#[test]
fn on_emulated_devices_of_unequal_speed() {
    check_all(&runtime(&[emulated("a", 50.0)]).unwrap());
    check_all(&runtime(&[emulated("a", 50.0), emulated("b", 5.0), emulated("c", 20.0)]).unwrap());
}

#[test]
fn on_the_host_beside_emulated_devices() {
    check_all(&runtime(&[emulated("a", 50.0), host(), emulated("b", 5.0)]).unwrap());
}

#[test]
fn on_an_opencl_device_in_host_memory() {
    with_opencl(&[opencl("pocl", SHARED)], check_all);
    with_opencl(&[host(), opencl("pocl", SHARED), emulated("a", 20.0)], check_all);
}

#[test]
fn on_an_opencl_device_with_copies() {
    with_opencl(&[opencl("pocl", DISCRETE)], check_all);
    with_opencl(&[host(), opencl("pocl", DISCRETE), emulated("a", 20.0)], check_all);
}

#[test]
fn on_one_gpu_and_on_all() {
    with_gpus(check_all);
}

#[test]
fn on_gpus_beside_all_else() {
    let gpus = gpus();
    if !gpus.is_empty() {
        check_all(&runtime(&[vec![host()], gpus.clone()].concat()).unwrap());
        with_opencl(&[vec![host()], gpus, vec![opencl("pocl", SHARED), emulated("a", 20.0)]].concat(), check_all);
    }
}
