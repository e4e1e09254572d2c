//! Kernels from one Rust function beside those by hand, on one GPU with the arrays on it: CUDA C, and OpenCL C where the GPU is
//! an OpenCL device too.

use crate::{Failed, gpus};
use apportion::devices::detect;
use apportion::kernel::ElementType;
use apportion::model::machine::{DeviceEntry, DeviceKind, DeviceType};
use apportion::prelude::*;
use apportion_benches::forms::{Effort, HEADER, cases, compare, table};
use std::time::Duration;

/// Sizes as in the papers, or so large that the arrays are beyond the caches.
const SIZES: [usize; 11] = [1 << 28, 1 << 28, 16_384, 2048, 16_384, 4096, 16_384, 16_384, 512, 8192, 2048];
const QUICK: [usize; 11] = [1 << 20, 1 << 20, 1024, 256, 1024, 256, 1024, 1024, 64, 512, 256];

/// `single [quick] [cuda | opencl] [NAME ..]`: all workloads and applications, or those named, in both precisions. matmul by hand
/// is a library's in CUDA, and is not compared there.
pub fn run(words: &[&str]) -> Failed {
    let (quick, words) = match words {
        ["quick", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (apis, names): (&[&str], &[&str]) = match words {
        [one @ ("cuda" | "opencl"), rest @ ..] => (&[*one], rest),
        rest => (&["cuda", "opencl"], rest),
    };
    let cases = || cases(if quick { QUICK } else { SIZES });
    if let Some(unknown) = names.iter().find(|name| cases().iter().all(|case| case.name != **name)) {
        let known: Vec<_> = cases().iter().map(|case| case.name).collect();
        return Err(format!("there is no `{unknown}`; there are {}", known.join(", ")).into());
    }
    let effort = Effort { rounds: if quick { 5 } else { 15 }, time: Duration::from_millis(if quick { 2 } else { 30 }) };
    println!("api,{HEADER}");
    for &api in apis {
        let (rt, one) = match api {
            "cuda" => gpus().map(|(rt, ids)| (rt, ids[0]))?,
            _ => match opencl_gpu()? {
                Some(found) => found,
                None => {
                    eprintln!("OpenCL: there is no GPU among its devices, this part is left out");
                    continue;
                }
            },
        };
        let mut lines = Vec::new();
        for case in cases().into_iter().filter(|case| names.is_empty() || names.contains(&case.name)) {
            for element in [ElementType::F32, ElementType::F64] {
                // Its frames are of bytes.
                if case.name == "bm2d" && element == ElementType::F64 {
                    continue;
                }
                let line = compare(&rt, &one.to_string(), case, element, effort)?;
                println!("{api},{}", line.csv());
                lines.push(line);
            }
        }
        eprintln!("{}:\n\n{}", if api == "cuda" { "CUDA" } else { "OpenCL" }, table(&lines));
    }
    Ok(())
}

/// The first GPU that is an OpenCL device, alone.
fn opencl_gpu() -> Failed<Option<(Runtime, usize)>> {
    let mut machine = detect::machine().machine;
    let gpu = |device: &&DeviceEntry| device.kind == DeviceKind::Opencl && device.device_type != DeviceType::OclCpu;
    let Some(id) = machine.devices.iter().find(gpu).map(|device| device.id) else { return Ok(None) };
    for device in &mut machine.devices {
        device.enabled = device.id == id;
    }
    Ok(Some((Runtime::from_machine(machine)?, id)))
}
