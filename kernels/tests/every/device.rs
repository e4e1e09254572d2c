//! Every workload in both forms, on every kind of device, under every policy, in both precisions: verified against its
//! reference, and the forms against each other.
//!
//! A kind of device that is not there is skipped by name, and fails where `APPORTION_REQUIRE_OPENCL` asks for it.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

use apportion::data::HostMemory;
use apportion::kernel::{Argument, DeviceSource, ElementType, Grid, Kernel, Reduce, Scalar};
use apportion::prelude::*;
use apportion::runtime::Reduced;
use apportion::sched::POLICIES;
use apportion_kernels::{Form, Instance, Memory, WORKLOADS};

use crate::machines::{DISCRETE, SHARED, emulated, gpus, host, opencl, runtime, with_gpus, with_opencl};

fn size_of(name: &str) -> usize {
    match name {
        "axpy" | "sum" => 50_021,
        "matvec" => 151,
        "matmul" => 70,
        "stencil2d" => 75,
        "bm2d" => 96,
        other => panic!("a size for the new workload {other}, please"),
    }
}

fn policies() -> Vec<Policy> {
    let every = POLICIES.iter().map(|entry| entry.name.parse().expect(entry.name));
    every.chain([Policy::AutoHeuristic]).collect()
}

fn run(rt: &Runtime, instance: &mut dyn Instance, policy: &Policy) -> (Report, Option<Scalar>) {
    let (n, reduction) = (instance.iterations(), instance.reduction());
    let start = |instance: &mut dyn Instance| -> Result<(Report, Option<Scalar>)> {
        let run = rt.parallel_for(0..n, instance.bind()).policy(policy.clone()).poison(true);
        match reduction.map(|r| r.element) {
            None => Ok((run.run()?, None)),
            Some(ElementType::F64) => {
                let reduced = run.reduce::<f64>(Reduce::Sum)?;
                Ok((reduced.report, Some(Scalar::F64(reduced.value))))
            }
            Some(other) => panic!("a reduction over {other}"),
        }
    };
    start(instance).unwrap_or_else(|e| panic!("{} under {policy}: {e}", instance.name()))
}

fn check_all(rt: &Runtime) {
    for entry in WORKLOADS {
        for &element in entry.elements {
            let [by_hand, single] = Form::ALL.map(|form| {
                let what = format!("{} {element}, {form}", entry.name);
                let mut instance = entry.build_as(form, size_of(entry.name), element, 7, Memory::default()).unwrap();
                let mut reduced = None;
                for policy in policies() {
                    instance.reset();
                    let (report, sum) = run(rt, &mut *instance, &policy);
                    let verified = instance.verify(sum);
                    assert!(verified.ok, "{what} under {policy}: {verified:?}\n{report}");
                    assert!(report.faults.is_empty(), "{report}");
                    reduced = sum;
                }
                (written(&mut *instance), reduced)
            });
            close(&by_hand.0, &single.0, &format!("{} {element}", entry.name));
            assert_eq!(by_hand.1, single.1, "{}: sums of this workload are exact", entry.name);
        }
    }
}

/// The values of the array that the loop writes.
fn written(instance: &mut dyn Instance) -> Vec<f64> {
    let bound = instance.bind();
    for map in bound.arguments().iter().filter_map(Argument::array) {
        if let HostMemory::Write(array) = &map.memory {
            let bytes = array.lend(0..array.len()).expect("nobody else has it");
            let number = |of: &[u8]| match map.element {
                ElementType::F32 => f64::from(f32::from_ne_bytes(of.try_into().unwrap())),
                ElementType::F64 => f64::from_ne_bytes(of.try_into().unwrap()),
                ElementType::I32 => f64::from(i32::from_ne_bytes(of.try_into().unwrap())),
                other => panic!("results of {other}"),
            };
            return bytes.chunks_exact(map.element.bytes()).map(number).collect();
        }
    }
    Vec::new()
}

/// Two forms of a loop round in different places.
fn close(by_hand: &[f64], single: &[f64], what: &str) {
    assert_eq!(by_hand.len(), single.len());
    let largest = by_hand.iter().fold(0f64, |most, x| most.max(x.abs()));
    for (i, (a, b)) in by_hand.iter().zip(single).enumerate() {
        assert!((a - b).abs() <= 1e-5 * largest, "{what}: element {i} is {a} by hand, {b} from one function");
    }
}

#[test]
fn on_the_host() {
    check_all(&runtime(&[host()]).unwrap());
}

#[test]
fn on_emulated_devices_of_unequal_speed() {
    check_all(&runtime(&[emulated("a", 50.0), emulated("b", 5.0), emulated("c", 20.0)]).unwrap());
}

#[test]
fn on_an_opencl_device_in_host_memory() {
    with_opencl(&[opencl("pocl", SHARED)], check_all);
}

#[test]
fn on_an_opencl_device_with_copies() {
    with_opencl(&[opencl("pocl", DISCRETE)], check_all);
}

#[test]
fn on_one_gpu_and_on_all() {
    with_gpus(check_all);
}

#[test]
fn on_cpu_cuda_and_opencl_at_once() {
    let gpus = gpus();
    if gpus.is_empty() {
        return;
    }
    check_all(&runtime(&[vec![host()], gpus.clone()].concat()).unwrap());
    with_opencl(&[vec![host()], gpus.clone(), vec![opencl("pocl", DISCRETE)]].concat(), check_all);
    // The same GPU through NVIDIA's OpenCL too, where that is asked for.
    let nvidia = opencl("ocl-gpu", DISCRETE).replace("portable", "nvidia").replace("OCLCPU", "NVGPU");
    match runtime(&[vec![host()], gpus, vec![nvidia, opencl("pocl", DISCRETE)]].concat()) {
        Ok(rt) => check_all(&rt),
        Err(error) => println!("skipped: NVIDIA's OpenCL: {error}"),
    }
}

#[test]
fn opencl_sources_are_told_of_a_cpu() {
    let rt = match runtime(&[opencl("pocl", SHARED)]) {
        Ok(rt) => rt,
        Err(error) if std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => return println!("skipped: {error}"),
        Err(error) => panic!("OpenCL is required here: {error}"),
    };
    let source = "__kernel void k(long lo, long hi, __global int *y, long first) {
        long i = lo + (long)get_global_id(0);
        if (i < hi) y[i - first] = APPORTION_CPU;
    }";
    // SAFETY: the kernel stays within the sections that it is given.
    let kernel = Kernel::new("k").opencl_source(unsafe { DeviceSource::new(source, "k", Grid::per_iteration(64)) });
    let mut y = vec![0i32; 100];
    rt.parallel_for(0..100u64, kernel.bind().from(&mut y).named("y").align()).run().unwrap();
    assert_eq!(y, [1; 100]);
}

#[test]
fn on_all_kinds_of_devices_at_once() {
    with_opencl(&[host(), opencl("pocl", DISCRETE), emulated("gpu", 30.0)], check_all);
    with_opencl(&[opencl("pocl", SHARED), host()], check_all);
}

/// A sum of floats that depends on the order.
#[kernel]
fn cubes(i: usize, x: &[f32]) -> f32 {
    x[i] * x[i] * x[i]
}

/// What it comes to by blocks, under every policy: the same everywhere.
fn reproducible(rt: &Runtime, x: &[f32]) -> u32 {
    let mut found = Vec::new();
    for policy in policies() {
        let run = rt.parallel_for(3..x.len(), cubes(x)).reproducible(4000).policy(policy.clone());
        let Reduced { value, report } = run.reduce::<f32>(Sum).unwrap();
        found.push(value.to_bits());
        assert_eq!(found[0], value.to_bits(), "{policy}: {value}\n{report}");
    }
    found[0]
}

#[test]
fn reproducible_sums_of_floats_are_the_same_on_one_gpu_and_on_all_and_on_opencl_devices_of_a_kind() {
    let x: Vec<f32> = (0..100_000).map(|i| (i * 7919 % 10_007) as f32 * 1e-2).collect();
    let gpus = gpus();
    if !gpus.is_empty() {
        let [one, all] = [&gpus[..1], &gpus[..]].map(|devices| reproducible(&runtime(devices).unwrap(), &x));
        assert_eq!(one, all);
    }
    let mut alike = Vec::new();
    for memory in [SHARED, DISCRETE] {
        with_opencl(&[opencl("pocl", memory)], |rt| alike.push(reproducible(rt, &x)));
    }
    assert!(alike.windows(2).all(|pair| pair[0] == pair[1]));
}
