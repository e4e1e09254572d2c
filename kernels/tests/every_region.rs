//! Every application and every workload in both forms, in data regions on every kind of device, in both precisions: verified
//! against its reference, and the forms against each other.
//!
//! A kind of device that is not there is skipped by name, and fails where `APPORTION_REQUIRE_OPENCL` asks for it.

use apportion::kernel::{ElementType, Scalar};
use apportion::prelude::*;
use apportion::region::RegionSplit;
use apportion_kernels::apps::{self, RegionOptions};
use apportion_kernels::{Form, Memory, WORKLOADS};

mod machines;
use machines::{DISCRETE, SHARED, emulated, gpus, host, opencl, runtime};

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

fn with_opencl(devices: &[String]) {
    match runtime(devices) {
        Ok(rt) => check_all(&rt),
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => println!("skipped: {error}"),
        Err(error) => panic!("OpenCL is required here: {error}"),
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
    with_opencl(&[opencl("pocl", SHARED)]);
    with_opencl(&[host(), opencl("pocl", SHARED), emulated("a", 20.0)]);
}

#[test]
fn on_an_opencl_device_with_copies() {
    with_opencl(&[opencl("pocl", DISCRETE)]);
    with_opencl(&[host(), opencl("pocl", DISCRETE), emulated("a", 20.0)]);
}

#[test]
fn on_one_gpu_and_on_all() {
    let gpus = gpus();
    for devices in [&gpus[..gpus.len().min(1)], &gpus[..]] {
        if !devices.is_empty() {
            check_all(&runtime(devices).unwrap());
        }
    }
}

#[test]
fn on_gpus_beside_all_else() {
    let gpus = gpus();
    if !gpus.is_empty() {
        check_all(&runtime(&[vec![host()], gpus.clone()].concat()).unwrap());
        with_opencl(&[vec![host()], gpus, vec![opencl("pocl", SHARED), emulated("a", 20.0)]].concat());
    }
}
