//! What the runtime costs on CUDA GPUs: `cargo run --release -p apportion-benches --bin gpu -- WHAT`, with WHAT one of
//!
//! - `empty`: a loop without arrays over 1, 2, .. GPUs, from call to return, as a multiple of a raw launch and synchronise on
//!   one; and the same by hand on all of them, by one thread and by a thread each;
//! - `kernels`: the workloads' kernels alone, at the HOMP paper's sizes on one GPU, by events around them;
//! - `loops MACHINE MEMORY REPS [WORKLOAD ..]`: whole loops on all GPUs, on the CPU, and on both;
//! - `fresh MACHINE MEMORY REPS [WORKLOAD ..]`: the first loops of each kind under AUTO, in a runtime that learns as it goes;
//! - `settled MACHINE MEMORY REPS WORKLOAD:SIZE ..`: AUTO when it has had such loops, beside one block for each device;
//! - `hand [quick | asleep | awake] MACHINE MEMORY REPS [WORKLOAD[:SIZE] ..]`: whole loops on all GPUs in turns with CUDA by hand over the
//!   same arrays, and ratios; `quick` has small sizes and verifies each loop, `asleep` has each variant by hand also with threads
//!   that sleep until the clock starts, as Apportion's do, `awake` Apportion also with threads that are kept awake;
//! - `ratios LOOPS.csv .. HAND.csv`: such loops beside hand-written CUDA measured on the same machine;
//! - `regions [quick] [record FILE]`: sweeps over arrays that stay on 1, 2, .. GPUs; and their record, for `apportion plot`;
//! - `region-ratios REGIONS.csv HAND.csv`: such sweeps beside hand-written CUDA measured on the same machine;
//! - `single [quick] [cuda | opencl] [NAME ..]`: kernels from one Rust function beside those by hand, on one GPU;
//! - `histogram [quick]`: iterations that contribute to an array on one GPU, from one Rust function, beside CUDA C by hand;
//! - `exchange`: ghost cells between two GPUs, beside bare copies of the same bytes;
//! - `trace WORKLOAD SIZE POLICY [plain] [MACHINE [DEVICES]]`: when each piece of a loop over all GPUs, or these (all) devices of
//!   a machine description, was copied in, run and copied out.
#![allow(unsafe_code, reason = "launches and copies by hand call the driver")]

mod driver;
mod empty;
mod exchange;
mod fresh;
mod hand;
mod histogram;
mod loops;
mod ratios;
mod regions;
mod series;
mod settled;
mod single;

use apportion::devices::cuda::{CudaDevice, CudaOptions};
use apportion::devices::{Span, Work, detect, with_session};
use apportion::kernel::ElementType;
use apportion::model::machine::DeviceKind;
use apportion::prelude::*;
use apportion::space::IterRange;
use apportion_kernels::{Memory, WORKLOADS, find};
use std::io::Write as _;
use std::process::ExitCode;

/// What a part of this gives, or why it cannot.
type Failed<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The commands, for `--help` and after wrong arguments.
const COMMANDS: &str = "\
empty                                                  a loop without arrays, beside a raw launch and wait
kernels                                                the workloads' kernels alone, on one GPU
loops MACHINE MEMORY REPS [WORKLOAD ..]                whole loops on all GPUs, on the CPU, and on both
fresh MACHINE MEMORY REPS [WORKLOAD ..]                the first loops of each kind under AUTO
settled MACHINE MEMORY REPS WORKLOAD:SIZE ..           AUTO after such loops, beside one block for each device
hand [quick | asleep | awake] MACHINE MEMORY REPS [WORKLOAD[:SIZE] ..]
                                                       whole loops in turns with CUDA by hand
ratios LOOPS.csv .. HAND.csv                           such loops beside CUDA by hand on the same machine
regions [quick] [record FILE]                          sweeps over arrays that stay on 1, 2, .. GPUs
region-ratios REGIONS.csv HAND.csv                     such sweeps beside CUDA by hand on the same machine
single [quick] [cuda | opencl] [NAME ..]               kernels from one Rust function beside those by hand, on one GPU
histogram [quick]                                      contributions to an array, beside CUDA by hand, on one GPU
exchange                                               ghost cells between two GPUs, beside bare copies
trace WORKLOAD SIZE POLICY [plain] [MACHINE [DEVICES]] when each piece of a loop was copied and run

MACHINE is a machine description, as `apportion probe -o` writes it; MEMORY is page-locked or plain.";

/// The arguments are none of a command.
#[derive(Debug)]
struct Wrong;

impl std::error::Error for Wrong {}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&usage())
    }
}

/// The program's name as it was called: `bench-gpu` in the GPU bundle.
fn name() -> String {
    let called = std::env::args_os().next().map(std::path::PathBuf::from);
    called.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_else(|| "gpu".to_owned())
}

fn usage() -> String {
    let name = name();
    let commands = COMMANDS.replace('\n', "\n  ").replace("\n  \n  ", "\n\n");
    format!("usage: {name} COMMAND ..\n\n  {commands}")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["-h" | "--help" | "help"] = &words[..] {
        let printed = writeln!(std::io::stdout(), "{}", usage());
        return if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match measure(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<Wrong>() => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("{}: {error}", name());
            ExitCode::FAILURE
        }
    }
}

fn measure(words: &[&str]) -> Failed {
    match words {
        ["empty"] => {
            let (rt, ids) = gpus()?;
            empty::run(&rt, &ids)
        }
        ["kernels"] => kernels_alone(),
        ["loops", machine, memory, reps, only @ ..] => {
            let rt = Runtime::open(machine)?;
            let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
            loops::run(&rt, &lists(&rt), &only, memory.parse()?, reps.parse()?)
        }
        ["fresh", machine, memory, reps, only @ ..] => {
            let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
            fresh::run(|| opened(machine), &only, memory.parse()?, reps.parse()?)
        }
        ["settled", machine, memory, reps, only @ ..] if !only.is_empty() => {
            settled::run(|| opened(machine), only, memory.parse()?, reps.parse()?)
        }
        ["hand", way @ ("quick" | "asleep" | "awake"), machine, memory, reps, only @ ..] => {
            by_hand(way, [machine, memory, reps], only)
        }
        ["hand", machine, memory, reps, only @ ..] => by_hand("", [machine, memory, reps], only),
        ["region-ratios", ours, hand] => regions::ratios(ours, hand),
        ["exchange"] => exchange::run(),
        ["regions"] => regions::run(false, None),
        ["regions", "quick"] => regions::run(true, None),
        ["regions", "record", file] => regions::run(false, Some(file.as_ref())),
        ["regions", "quick", "record", file] => regions::run(true, Some(file.as_ref())),
        ["single", rest @ ..] => single::run(rest),
        ["histogram"] => histogram::run(false),
        ["histogram", "quick"] => histogram::run(true),
        ["ratios", files @ ..] => ratios::print(files),
        ["trace", workload, n, policy, rest @ ..] if rest.len() <= 3 => {
            let (plain, machine) = match rest {
                ["plain", machine @ ..] => (true, machine),
                machine => (false, machine),
            };
            let (rt, devices) = match machine {
                [] => {
                    let (rt, ids) = gpus()?;
                    (rt, ids.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
                }
                [machine, devices @ ..] => (Runtime::open(machine)?, devices.first().unwrap_or(&"*").to_string()),
            };
            show_trace(&rt, &devices, workload, n.parse()?, &policy.parse()?, plain)
        }
        _ => Err(Box::new(Wrong)),
    }
}

/// The GPUs alone.
fn gpus() -> Failed<(Runtime, Vec<usize>)> {
    let mut found = detect::machine();
    for device in &mut found.machine.devices {
        device.enabled = device.kind == DeviceKind::Cuda;
    }
    let ids: Vec<usize> =
        found.machine.devices.iter().filter(|device| device.enabled).map(|device| device.id).collect();
    if ids.is_empty() {
        return Err(format!("no CUDA device: {}", found.notes.join("; ")).into());
    }
    Ok((Runtime::from_machine(found.machine)?, ids))
}

/// Whole loops in turns with CUDA by hand: `quick`, by hand with threads `asleep` too, Apportion with threads `awake` too, or none.
fn by_hand(way: &str, [machine, memory, reps]: [&str; 3], only: &[&str]) -> Failed {
    let (quick, asleep, awake) = (way == "quick", way == "asleep", way == "awake");
    let options = hand::Options { memory: memory.parse()?, reps: reps.parse()?, quick, asleep, awake, only };
    let mut machine = apportion::model::Machine::load(machine)?;
    // The CPU has no part. Where its threads are kept awake too, they would only be in the way.
    for device in machine.devices.iter_mut().filter(|device| awake && device.kind != DeviceKind::Cuda) {
        device.enabled = false;
    }
    hand::run(&Runtime::from_machine(machine)?, &options)
}

/// The machine of a description, and its lists of devices.
fn opened(machine: &str) -> Failed<(Runtime, Vec<(String, String)>)> {
    let rt = Runtime::open(machine)?;
    let lists = lists(&rt);
    Ok((rt, lists))
}

/// Lists of devices with their names: all GPUs, the CPU, both.
fn lists(rt: &Runtime) -> Vec<(String, String)> {
    let of_kind = |kind| -> Vec<String> {
        let devices = rt.machine().enabled_devices().filter(|device| device.kind == kind);
        devices.map(|device| device.id.to_string()).collect()
    };
    let (cpus, gpus) = (of_kind(DeviceKind::Host), of_kind(DeviceKind::Cuda));
    let mut lists = vec![(gpus.len().to_string(), gpus.join(","))];
    if let Some(cpu) = cpus.first() {
        lists.push(("cpu".to_owned(), cpu.clone()));
        lists.push((format!("cpu+{}", gpus.len()), format!("{cpu},{}", gpus.join(","))));
    }
    lists
}

fn show_trace(rt: &Runtime, devices: &str, workload: &str, n: usize, policy: &Policy, plain: bool) -> Failed {
    let memory = if plain { Memory::Plain } else { Memory::PageLocked };
    let mut instance = find(workload)?.build_in(n, ElementType::F32, 1, memory)?;
    let mut last = None;
    for _ in 0..4 {
        last = Some(loops::once(rt, &mut *instance, devices, policy, Cutoff::None)?.0);
    }
    let Some(report) = last else { return Ok(()) };
    println!("{report}");
    println!("device,first,iterations,to,,kernel,,from,");
    for device in &report.devices {
        for piece in &device.pieces {
            let span = |span: Option<Span>| {
                span.map_or_else(|| ",".to_owned(), |s| format!("{:.3},{:.3}", s.start.millis(), s.end.millis()))
            };
            let (to, kernel, from) = (span(piece.to), span(piece.kernel), span(piece.from));
            println!("{},{},{},{to},{kernel},{from}", device.name, piece.range.start, piece.range.len());
        }
    }
    Ok(())
}

/// The middle, and the quartiles.
fn quartiles(mut times: Vec<f64>) -> [f64; 3] {
    times.sort_unstable_by(f64::total_cmp);
    [0.5, 0.25, 0.75].map(|q| times[((times.len() - 1) as f64 * q) as usize])
}

fn kernels_alone() -> Failed {
    let mut device = CudaDevice::open(CudaOptions { name: "gpu".into(), ..CudaOptions::default() })?;
    for entry in WORKLOADS {
        let mut instance = entry.build(entry.sizes.paper, ElementType::F32, 1)?;
        let (n, reduction) = (instance.iterations(), instance.reduction());
        let mut times = Vec::new();
        for round in 0..6 {
            let bound = instance.bind();
            let work = Work { reduction, ..Work::of(&bound, IterRange::new(0, n)) };
            // SAFETY: the workload's arrays are those of its size, and the chunk is its whole range.
            let done = unsafe {
                with_session(&mut device, &work, |begun| {
                    begun.session.submit(IterRange::new(0, n)).and_then(|()| begun.session.complete())
                })
            }??;
            if let Some(kernel) = done.kernel.filter(|_| round > 0) {
                times.push(kernel.length().micros());
            }
        }
        let [median, low, high] = quartiles(times);
        println!("kernel of {} {},1,{median:.2},{low:.2},{high:.2},", entry.name, entry.sizes.paper);
    }
    Ok(())
}
