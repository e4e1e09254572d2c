//! What data regions cost and give: `cargo run --release -p apportion-benches --bin regions [-- --csv FILE]`.
//!
//! On emulated devices of unequal speed: sweeps after rows have moved from an even split, beside those of the split by the true
//! rates. On the CPU alone: sweeps in a region beside the same loops by `parallel_for` and by rayon.

use apportion::kernel::Cost;
use apportion::model::Machine;
use apportion::prelude::*;
use apportion::region::{Dims, RegionReport, RegionSplit};
use apportion::units::Seconds;
use apportion_benches::host;
use apportion_benches::measure::{Effort, Side, in_turns, time};
use apportion_benches::record::{Ratio, Wanted, table};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: regions [--csv FILE]\n\
    --csv FILE  writes the imbalance of each sweep, with rows that move and with rows that stay";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let csv = match &words[..] {
        [] => None,
        [option, file] if option == "--csv" => Some(file),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(csv.map(String::as_str)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(csv: Option<&str>) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut ratios = Vec::new();
    for rates in SETS {
        ratios.push(after_moves(rates)?);
    }
    for n in [512, 2048] {
        ratios.extend(on_the_cpu(n)?);
    }
    println!("{}", table(&ratios));
    if let Some(file) = csv {
        std::fs::write(file, over_time()?)?;
        println!("written to {file}");
    }
    Ok(())
}

/// GFLOP/s of the devices.
const SETS: &[&[f64]] = &[&[1.0, 4.0], &[1.0, 2.0, 4.0], &[1.0, 2.0, 4.0, 8.0]];
const ROWS: usize = 1000;
const WIDTH: usize = 64;
/// What a sweep takes where all devices are busy all the time.
const IDEAL: Seconds = Seconds(4e-3);
/// Sweeps until rows have moved, and those that are timed then.
const BEFORE: usize = 80;
const TIMED: usize = 40;

fn emulated(rates: &[f64]) -> Result<Runtime> {
    let figure = |value: f64| format!(r#"{{"value": {value}, "source": "assumed"}}"#);
    let way = format!(r#"{{"latency_us": {}, "bandwidth_gb_per_s": {}}}"#, figure(5.0), figure(12.0));
    let device = |(id, rate): (usize, &f64)| {
        format!(
            r#"{{"id": {id}, "name": "e{id}", "kind": "emulated", "type": "NVGPU", "memory": "discrete",
                "memory_gib": {}, "link": {{"to": {way}, "from": {way}}}, "f32_gflop_per_s": {rate},
                "f64_gflop_per_s": {rate}, "memory_gb_per_s": {}, "launch_us": {}}}"#,
            figure(4.0),
            figure(1000.0),
            figure(5.0),
            rate = figure(*rate),
        )
    };
    let devices: Vec<String> = rates.iter().enumerate().map(device).collect();
    let text =
        format!(r#"{{"schema": "apportion.machine/1", "name": "unequal", "devices": [{}]}}"#, devices.join(", "));
    Ok(Runtime::from_machine(Machine::from_json(&text)?)?.without_history())
}

/// A row of a sweep.
#[inline(always)]
fn relax_row(above: &[f32], here: &[f32], below: &[f32], new: &mut [f32]) {
    let m = new.len();
    let (above, here, below) = (&above[..m], &here[..m], &below[..m]);
    for j in 1..m - 1 {
        new[j] = 0.2 * (here[j] + here[j - 1] + here[j + 1] + above[j] + below[j]);
    }
}

fn relax() -> Kernel {
    Kernel::new("relax").host(|rows: Range<usize>, old: In<f32>, mut new: Out<f32>| {
        for i in rows {
            relax_row(old.row(i - 1), old.row(i), old.row(i + 1), new.row_mut(i));
        }
    })
}

/// A kernel that keeps devices of these rates busy for [`IDEAL`].
fn paced(rates: &[f64]) -> Kernel {
    let flops = IDEAL.0 * rates.iter().sum::<f64>() * 1e9 / ROWS as f64;
    relax().cost(Cost::per_iteration().flops(flops as u64))
}

fn split(rates: &[f64], rebalance: bool) -> RegionSplit {
    if rebalance { RegionSplit::Even } else { RegionSplit::Weights(rates.to_vec()) }
}

/// The time of a sweep once rows have moved, if they may; else from the split by the true rates.
fn sweep_time(rt: &Runtime, rates: &[f64], rebalance: bool) -> Result<(Seconds, RegionReport)> {
    let (mut u, mut v) = (vec![1f32; ROWS * WIDTH], vec![1f32; ROWS * WIDTH]);
    let mut region = rt.data_region().split(split(rates, rebalance)).rebalance(rebalance);
    let mut old = region.tofrom(&mut u, [ROWS, WIDTH].halo(1));
    let mut new = region.tofrom(&mut v, [ROWS, WIDTH].halo(1));
    let kernel = paced(rates);
    let mut sweeps = |region: &mut apportion::region::DataRegion<'_, '_>, count: usize| -> Result<()> {
        for _ in 0..count {
            region.parallel_for(1..ROWS - 1, kernel.bind().reads(old).writes(new)).run()?;
            std::mem::swap(&mut old, &mut new);
        }
        region.wait()
    };
    // Without moves there is less to wait for.
    sweeps(&mut region, if rebalance { BEFORE } else { BEFORE / 8 })?;
    let started = std::time::Instant::now();
    sweeps(&mut region, TIMED)?;
    let each = started.elapsed() / TIMED as u32;
    Ok((each.into(), region.finish()?))
}

fn after_moves(rates: &[f64]) -> Result<Ratio> {
    let rt = emulated(rates)?;
    let (_, report) = sweep_time(&rt, rates, true)?;
    let rows: Vec<u64> = report.devices.iter().map(|device| device.rows).collect();
    eprintln!("rates {rates:?}: rows {rows:?} after {} moves", report.moves.len());
    let one = |rebalance: bool| sweep_time(&rt, rates, rebalance).map_or(Seconds(f64::NAN), |(each, _)| each);
    let mut sides: [Side<'_>; 2] = [Box::new(|| one(true)), Box::new(|| one(false))];
    let effort = Effort { rounds: 9, time: Duration::ZERO };
    let series = in_turns(&mut sides, effort);
    let what = format!("a sweep after moves, {} devices", rates.len());
    let theirs = [("split by the rates", &series[1])];
    Ok(Ratio::of(&what, ("rows that moved", &series[0]), &theirs, Vec::new(), Wanted::TimeAtMost(1.05)))
}

/// Each sweep's imbalance from an even split, after the first: (slowest device's time - mean time) / mean time.
fn over_time() -> Result<String> {
    let mut csv = "devices,rebalance,sweep,imbalance,rows\n".to_owned();
    for rates in SETS {
        for rebalance in [true, false] {
            let rt = emulated(rates)?;
            let (mut u, mut v) = (vec![1f32; ROWS * WIDTH], vec![1f32; ROWS * WIDTH]);
            let region = rt.data_region().split(RegionSplit::Even).rebalance(rebalance);
            let mut region = region.timeline(BEFORE);
            let mut old = region.tofrom(&mut u, [ROWS, WIDTH].halo(1));
            let mut new = region.tofrom(&mut v, [ROWS, WIDTH].halo(1));
            let kernel = paced(rates);
            for _ in 0..=BEFORE {
                region.parallel_for(1..ROWS - 1, kernel.bind().reads(old).writes(new)).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            for window in region.finish()?.timeline {
                let rows: Vec<String> = window.devices.iter().map(|device| device.rows.to_string()).collect();
                let (devices, sweep, imbalance, rows) =
                    (rates.len(), window.first + 1, window.imbalance(), rows.join(" "));
                // Writing to a string cannot fail.
                let _ = writeln!(csv, "{devices},{rebalance},{sweep},{imbalance:.4},{rows}");
            }
        }
    }
    Ok(csv)
}

/// Sweeps of a square of `n` on the CPU: in a region, by `parallel_for` over slices, and by rayon.
fn on_the_cpu(n: usize) -> Result<Vec<Ratio>> {
    // Turns of some milliseconds.
    let sweeps = (40 << 20) / (n * n);
    let (rt, pool) = (host::runtime()?, host::pool()?);
    let start: Vec<f32> = (0..n * n).map(|i| (i % 97) as f32).collect();
    let kernel = relax();
    // All sides write to the same memory: which pages it has makes a difference of its own.
    let arrays = std::cell::RefCell::new((start.clone(), start.clone()));
    let in_region = || -> Result<Seconds> {
        let (u, v) = &mut *arrays.borrow_mut();
        let mut region = rt.data_region();
        let mut old = region.tofrom(u, [n, n].halo(1));
        let mut new = region.tofrom(v, [n, n].halo(1));
        // The first loop settles who has what.
        region.parallel_for(1..n - 1, kernel.bind().reads(old).writes(new)).run()?;
        let started = std::time::Instant::now();
        for _ in 0..sweeps {
            region.parallel_for(1..n - 1, kernel.bind().reads(old).writes(new)).run()?;
            std::mem::swap(&mut old, &mut new);
        }
        region.wait()?;
        Ok(started.elapsed().into())
    };
    let by_loops = || -> Result<Seconds> {
        let (u, v) = &mut *arrays.borrow_mut();
        let (mut old, mut new) = (u, v);
        let started = std::time::Instant::now();
        for _ in 0..sweeps {
            let bound = kernel.bind().to(&old[..]).align_rows(n).halo(1).from(&mut new[..]).align_rows(n);
            rt.parallel_for(1..n - 1, bound).run()?;
            std::mem::swap(&mut old, &mut new);
        }
        Ok(started.elapsed().into())
    };
    let by_rayon = || {
        let (u, v) = &mut *arrays.borrow_mut();
        let (mut old, mut new) = (u, v);
        time(|| {
            for _ in 0..sweeps {
                pool.install(|| {
                    let row = |(i, row): (usize, &mut [f32])| {
                        let of = |i: usize| &old[i * n..(i + 1) * n];
                        relax_row(of(i), of(i + 1), of(i + 2), row);
                    };
                    new[n..(n - 1) * n].par_chunks_exact_mut(n).enumerate().for_each(row);
                });
                std::mem::swap(&mut old, &mut new);
            }
        })
    };
    in_region()?;
    by_loops()?;
    let lost = Seconds(f64::NAN);
    let mut sides: [Side<'_>; 3] =
        [Box::new(|| in_region().unwrap_or(lost)), Box::new(|| by_loops().unwrap_or(lost)), Box::new(by_rayon)];
    let series = in_turns(&mut sides, Effort::WORKLOAD);
    let what = format!("{sweeps} sweeps on the CPU, n = {n}");
    let theirs = [("parallel_for", &series[1]), ("rayon", &series[2])];
    Ok(vec![Ratio::of(&what, ("region", &series[0]), &theirs, Vec::new(), Wanted::TimeAtMost(1.03))])
}
