//! The CUDA C text of every kernel compiles with NVRTC, for old and new GPUs, and takes what the kernel binds. No GPU is
//! needed.
//!
//! NVRTC is looked for in the folder `APPORTION_CUDA_LIBRARIES`, or else by the system. Where it is missing the test says so and
//! passes; with `APPORTION_REQUIRE_NVRTC=1` it fails.
#![allow(missing_docs)]

#[allow(dead_code)]
mod common;
#[path = "common/programs.rs"]
mod programs;
#[path = "common/random.rs"]
mod random;

use apportion::kernel::{CudaVariant, DeviceSource, Kernel, ParameterType};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};
use std::process::Command;

const CHILD: &str = "APPORTION_TEST_NVRTC";

fn required() -> bool {
    std::env::var("APPORTION_REQUIRE_NVRTC").is_ok_and(|value| !value.is_empty() && value != "0")
}

/// Runs the test in a process that finds the libraries of the folder: NVRTC opens a second library, by name, and the system
/// reads the search path only as a process starts.
fn with_nvrtc(name: &str, test: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        std::panic::set_hook(Box::new(|_| ()));
        let there = std::panic::catch_unwind(|| compile("", &[]));
        drop(std::panic::take_hook());
        return match there {
            Ok(Ok(_)) => test(),
            Ok(Err(error)) => panic!("NVRTC does not compile an empty program: {error}"),
            Err(_) if required() => panic!("NVRTC is required, but cannot be opened"),
            Err(_) => println!("skipped: NVRTC cannot be opened"),
        };
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "--nocapture", name]).env(CHILD, "1");
    if let Some(folder) = std::env::var_os("APPORTION_CUDA_LIBRARIES") {
        let before = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(folder.into()).chain(std::env::split_paths(&before))).unwrap();
        child.env("LD_LIBRARY_PATH", path);
    }
    let child = child.output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
    println!("{text}");
    assert!(child.status.success() && text.contains("1 passed"), "{}", child.status);
}

/// The PTX, or NVRTC's log.
fn compile(source: &str, options: &[&str]) -> Result<String, String> {
    let options = options.iter().map(|&option| option.to_owned()).collect();
    match compile_ptx_with_opts(source, CompileOptions { options, ..CompileOptions::default() }) {
        Ok(ptx) => Ok(ptx.to_src()),
        Err(CompileError::CompileError { log, .. }) => Err(log.to_string_lossy().into_owned()),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// Bytes of each parameter of the entry, as PTX has them.
fn parameters(ptx: &str, entry: &str) -> Vec<usize> {
    let (_, rest) = ptx.split_once(&format!(".visible .entry {entry}(")).unwrap_or_else(|| panic!("no entry {entry}"));
    let list = rest.split_once(')').unwrap().0;
    let bits = |text: &str| text.split_whitespace().nth(1).unwrap()[2..].parse::<usize>().unwrap();
    list.split(',').map(|text| bits(text) / 8).collect()
}

fn wanted(kernel: &Kernel) -> Vec<usize> {
    let body = &kernel.host_variant().unwrap().body;
    let mut list = vec![8, 8];
    for parameter in body.parameters() {
        match parameter {
            ParameterType::Scalar(element) => list.push(element.bytes()),
            ParameterType::In(_) | ParameterType::Out(_) => list.extend([8, 8]),
        }
    }
    list.extend(body.reduces().map(|_| 8));
    list
}

fn source(kernel: &Kernel) -> DeviceSource {
    match kernel.cuda_variant() {
        Some(CudaVariant::Source(source)) => source.clone(),
        other => panic!("a CUDA C text, not {other:?}"),
    }
}

#[test]
fn every_text_compiles_and_takes_what_is_bound() {
    with_nvrtc("every_text_compiles_and_takes_what_is_bound", || {
        let random = random::all().into_iter().map(|(_, _, kernel)| kernel());
        let named: Vec<Kernel> = programs::all().into_iter().map(|(kernel, _)| kernel).collect();
        // Each for one GPU, those with a name for all, under each operator and group.
        for (number, kernel) in named.iter().cloned().chain(random).enumerate() {
            let source = source(&kernel);
            let targets: &[&str] =
                if number < named.len() { &["compute_75", "compute_90", "sm_90"] } else { &["compute_90"] };
            for target in targets {
                let target = format!("--gpu-architecture={target}");
                let options: Vec<_> = source.options.split_whitespace().chain([target.as_str()]).collect();
                assert!(options.contains(&"--fmad=false"));
                let ptx =
                    compile(&source.source, &options).unwrap_or_else(|log| panic!("{kernel:?}, {target}:\n{log}"));
                assert_eq!(parameters(&ptx, &source.entry), wanted(&kernel), "{kernel:?}");
                assert!(!ptx.contains("fma.rn.f32") || source.source.contains("fmaf("), "{kernel:?} contracts:\n{ptx}");
            }
        }
        for kernel in named.iter().filter(|kernel| kernel.host_variant().unwrap().body.reduces().is_some()) {
            for operator in 1..4 {
                let source = source(kernel);
                let options = ["-DAP_GROUP=32", &format!("-DAP_REDUCE={operator}"), "--gpu-architecture=compute_80"];
                compile(&source.source, &options).unwrap_or_else(|log| panic!("{kernel:?}, {operator}:\n{log}"));
            }
        }
    });
}

#[test]
fn a_wrong_text_is_found_out() {
    with_nvrtc("a_wrong_text_is_found_out", || {
        let source = source(&programs::axpy::kernel());
        let text = source.source.replace("y[", "no_such[");
        let options: Vec<_> = source.options.split_whitespace().collect();
        assert!(compile(&text, &options).unwrap_err().contains("no_such"));
    });
}
