//! Every workload's CUDA variant, compiled by NVRTC and run on the stand-in for libcuda, which computes it by its entry's
//! name: what the host binds, copies and launches is what a GPU would get. No GPU is needed.
//!
//! NVRTC is looked for as in `cuda_sources.rs`. Where it is missing the test says so and passes; with
//! `APPORTION_REQUIRE_NVRTC=1` it fails.
#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "calls the stand-in's control functions")]

use apportion::kernel::{CudaVariant, ElementType, Reduce, Scalar};
use apportion::prelude::*;
use apportion::sched::POLICIES;
use apportion_kernels::{Instance, WORKLOADS};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::process::Command;

const FOLDER: &str = "APPORTION_CUDA_LIBRARIES";
const REQUIRE: &str = "APPORTION_REQUIRE_NVRTC";
const DRIVER: &str = "APPORTION_LIBCUDA";
const CHILD: &str = "APPORTION_TEST_STANDIN";
const NAME: &str = "every_workload_is_right_on_gpus_of_the_stand_in";

fn runtime() -> Runtime {
    let figure = |name: &str, value: f64| format!(r#""{name}": {{"value": {value}, "source": "assumed"}}"#);
    let figures = ["f32_gflop_per_s", "f64_gflop_per_s", "memory_gb_per_s", "launch_us"].map(|name| figure(name, 20.0));
    let way = format!("{{{}, {}}}", figure("latency_us", 5.0), figure("bandwidth_gb_per_s", 20.0));
    let gpu = |index: usize| {
        format!(
            r#"{{"id": {index}, "name": "cuda:{index}", "kind": "cuda", "type": "NVGPU", "cuda": {{"index": {index}}},
               "memory": "discrete", {}, "link": {{"to": {way}, "from": {way}}}, {}}}"#,
            figure("memory_gib", 0.05),
            figures.join(", ")
        )
    };
    let host = format!(
        r#"{{"id": 2, "name": "host", "kind": "host", "type": "HOSTCPU", "host": {{"leave_free": 0}}, "memory": "shared", {}}}"#,
        figures.join(", ")
    );
    let devices = [gpu(0), gpu(1), host].join(", ");
    let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{devices}]}}"#);
    Runtime::from_machine(apportion::model::Machine::from_json(&text).unwrap()).unwrap()
}

fn size_of(name: &str) -> usize {
    match name {
        "axpy" | "sum" => 50_021,
        "matvec" => 151,
        "stencil2d" => 75,
        _ => 96,
    }
}

fn run(rt: &Runtime, instance: &mut dyn Instance, policy: &Policy) -> Result<(Report, Option<Scalar>)> {
    let (n, reduction) = (instance.iterations(), instance.reduction());
    let run = rt.parallel_for(0..n, instance.bind()).policy(policy.clone()).poison(true);
    match reduction {
        None => Ok((run.run()?, None)),
        Some(_) => {
            let reduced = run.reduce::<f64>(Reduce::Sum)?;
            Ok((reduced.report, Some(Scalar::F64(reduced.value))))
        }
    }
}

/// The workloads of one element type, on two GPUs and the host.
fn check(element: ElementType) {
    let rt = runtime();
    for entry in WORKLOADS.iter().filter(|entry| entry.elements.contains(&element)) {
        let mut instance = entry.build(size_of(entry.name), element, 7).unwrap();
        if !matches!(instance.kernel().cuda_variant(), Some(CudaVariant::Source(_))) {
            println!("skipped: {} is a library's, which needs a GPU", entry.name);
            continue;
        }
        for known in POLICIES {
            let policy: Policy = known.name.parse().unwrap();
            instance.reset();
            let what = format!("{} {element} under {policy}", entry.name);
            let (report, reduced) = run(&rt, &mut *instance, &policy).unwrap_or_else(|e| panic!("{what}: {e}"));
            let verified = instance.verify(reduced);
            assert!(verified.ok && report.faults.is_empty(), "{what}: {verified:?}\n{report}");
        }
    }
}

#[test]
fn every_workload_is_right_on_gpus_of_the_stand_in() {
    let required = std::env::var(REQUIRE).is_ok_and(|value| !value.is_empty() && value != "0");
    let executable = std::env::current_exe().unwrap();
    if let Some(file) = std::env::var_os(DRIVER).filter(|_| std::env::var_os(CHILD).is_some()) {
        // SAFETY: to open it runs none of its code; the functions have these types.
        let set_reals = unsafe {
            let library = Library::open(Some(file), RTLD_NOW | RTLD_GLOBAL).unwrap();
            let set_reals = *library.get::<unsafe extern "C" fn(u32)>(b"standin_set_reals").unwrap();
            std::mem::forget(library);
            set_reals
        };
        match without_nvrtc() {
            Some(why) if !required => return println!("skipped: {why}"),
            Some(why) => panic!("{REQUIRE} is set, but {why}"),
            None => {}
        }
        // F64 by itself: machine code does not tell the stand-in what its real numbers are.
        for bytes in [4, 8] {
            // SAFETY: as above.
            unsafe { set_reals(bytes) };
            let mut elements: Vec<ElementType> = Vec::new();
            for element in WORKLOADS.iter().flat_map(|entry| entry.elements).copied() {
                if (element == ElementType::F64) == (bytes == 8) && !elements.contains(&element) {
                    elements.push(element);
                }
            }
            elements.into_iter().for_each(check);
        }
        return;
    }
    let file = executable.ancestors().skip(1).take(2).map(|folder| folder.join("libapportion_standin_cuda.so"));
    let file = file.into_iter().find(|file| file.is_file()).expect("it is built");
    // Under the driver's names, in a folder that is searched before those of the system.
    let folder = tempfile::tempdir().unwrap();
    for link in ["libcuda.so", "libcuda.so.1"] {
        std::os::unix::fs::symlink(&file, folder.path().join(link)).unwrap();
    }
    let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let folders = [Some(folder.path().to_owned()), std::env::var_os(FOLDER).map(Into::into)].into_iter().flatten();
    let child = Command::new(executable)
        .args(["--exact", "--nocapture", NAME])
        .env(CHILD, "1")
        .env(DRIVER, &file)
        .env("LD_LIBRARY_PATH", std::env::join_paths(folders.chain(std::env::split_paths(&before))).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// What a GPU says where there is no NVRTC.
fn without_nvrtc() -> Option<String> {
    let entry = &WORKLOADS[0];
    let mut instance = entry.build(size_of(entry.name), entry.elements[0], 7).unwrap();
    let (report, _) = run(&runtime(), &mut *instance, &Policy::Block).unwrap();
    report.faults.first().map(|fault| fault.message.clone()).filter(|message| message.contains("no NVRTC"))
}
