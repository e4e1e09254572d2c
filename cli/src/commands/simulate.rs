//! `simulate`: workloads under policies on a described machine, in virtual time. No device is opened and no array is allocated.

use crate::commands::{deliver, entries_of, machine_value};
use crate::failure::Failure;
use crate::harness::{efficiency, phases_ms, policy_used, split_left_out};
use crate::options::{Chosen, LoopFlags, MachineFlag, SimulateOptions, command_line};
use apportion::Error;
use apportion::model::machine::{DeviceEntry, MemoryKind, SharedRates};
use apportion::model::{LoopProfile, Overlap};
use apportion::runtime::{no_room, predict_on, with_room};
use apportion::sched::{Cutoff, Policy, Simulation};
use apportion_cli::record::{DeviceRun, Mode, Record, Residency, Run};
use apportion_kernels::Outline;

pub fn run(options: &SimulateOptions) -> Result<(), Failure> {
    let flags = &options.loops;
    let loops = flags.loops_alone("simulate")?;
    if options.machine.as_os_str() == "detected" && !options.machine.exists() {
        let what = "--machine detected: simulates a described machine; `apportion probe -o machine.json` describes this one, \
                    and `explain` takes `detected`";
        return Err(Failure::Input(what.to_owned()));
    }
    let of_file = MachineFlag { machine: Some(options.machine.clone()) };
    let Chosen { machine, devices: chosen, notes } = of_file.choose(&flags.devices)?;
    options.results.check(loops.len())?;
    let devices = entries_of(&machine, &chosen);
    let shared = machine.shared_rates();
    let mut record = Record::new(command_line(), machine_value(&machine)?);
    record.notes = notes;
    if options.overlap.0 == Overlap::None {
        record.notes.push("without overlap of copies and kernels".to_owned());
    }
    for entry in loops {
        let outline = entry.outline(flags.size_of(entry.sizes), flags.element)?;
        let loop_runs = simulate_workload(entry.name, &outline, &devices, &shared, flags, options.overlap.0)?;
        record.runs.extend(loop_runs);
    }
    deliver(&record, &[], &options.results)
}

fn simulate_workload(
    name: &str,
    outline: &Outline,
    devices: &[&DeviceEntry],
    shared: &SharedRates,
    flags: &LoopFlags,
    overlap: Overlap,
) -> Result<Vec<Run>, Failure> {
    let sketch = outline.sketch();
    let selected = devices;
    let (devices, without_room) = with_room(selected, &sketch);
    let place = |device: &&DeviceEntry| selected.iter().position(|other| other.id == device.id);
    let stay: Vec<usize> = devices.iter().filter_map(place).collect();
    let devices = &devices[..];
    let profile = sketch.profile();
    let alone = |device: &&DeviceEntry| {
        let simulation = predict_on(&[*device], shared, &sketch, &Policy::Block, Cutoff::None, overlap)?;
        Ok(simulation.makespan.millis())
    };
    let alone: Vec<f64> =
        if devices.len() > 1 { devices.iter().map(alone).collect::<apportion::Result<_>>()? } else { Vec::new() };
    let mut runs = Vec::new();
    for policy in &flags.policies.0 {
        let of_those = policy.among(selected.len(), &stay);
        // Of a policy of too many chunks the others need not know.
        let (simulation, not_simulated) = match predict_on(devices, shared, &sketch, &of_those, flags.cutoff, overlap) {
            Ok(simulation) => (simulation, None),
            Err(Error::TooLarge(why)) => (Simulation::default(), Some(format!("not simulated: {why}"))),
            Err(error) => return Err(Failure::Input(format!("{name} under {policy}: {error}"))),
        };
        let time = not_simulated.is_none().then(|| simulation.makespan.millis());
        let mut notes = simulation.decision.remarks(|slot| &devices[slot.0].name);
        notes.extend(not_simulated);
        notes.extend(no_room(devices, &sketch));
        let used = policy_used(policy, &notes);
        let decided = simulation.decision.left_out.iter().map(|(slot, why)| (devices[slot.0].name.as_str(), &**why));
        let reasons = without_room.iter().map(|out| (&*out.device, &*out.reason)).chain(decided);
        let ran = || simulation.devices.iter().zip(devices);
        let done = |name: &str| ran().find(|(_, device)| device.name == name).map_or(0, |(part, _)| part.iterations);
        let (left_out, mut of_the_rest) = split_left_out(reasons, done);
        of_the_rest.retain(|note| !notes.contains(note));
        notes.append(&mut of_the_rest);
        runs.push(Run {
            workload: name.to_owned(),
            n: outline.n() as u64,
            element: outline.element().name().to_owned(),
            mode: Mode::Simulated,
            residency: Residency::Cold,
            memory: None,
            form: None,
            policy: used,
            cutoff: Some(flags.cutoff.to_string()),
            devices: devices.iter().map(|device| device.name.clone()).collect(),
            left_out,
            verified: None,
            max_rel_error: None,
            times_ms: time.into_iter().collect(),
            // The virtual time is itself the prediction.
            predicted_ms: None,
            predicted_by: None,
            imbalance: time.map(|_| simulation.imbalance),
            efficiency: time.filter(|_| !alone.is_empty()).and_then(|time| efficiency(&alone, time)),
            alone_ms: devices.iter().zip(&alone).map(|(device, ms)| (device.name.clone(), Some(*ms))).collect(),
            per_device: per_device(&simulation, devices, &profile, &alone),
            scaling: None,
            timeline: None,
            notes,
        });
    }
    Ok(runs)
}

fn per_device(
    simulation: &Simulation,
    devices: &[&DeviceEntry],
    profile: &LoopProfile,
    alone: &[f64],
) -> Vec<DeviceRun> {
    let entries = simulation.devices.iter().zip(devices).enumerate().filter(|(_, (part, _))| part.iterations > 0);
    entries
        .map(|(index, (part, device))| {
            let discrete = device.memory == MemoryKind::Discrete;
            let carried =
                |each: f64, once: u64| if discrete { (each * part.iterations as f64) as u64 + once } else { 0 };
            DeviceRun {
                device: device.name.clone(),
                iterations: part.iterations,
                chunks: part.chunks,
                // How many halo rows lie at an edge of the array is not known.
                bytes_to: (!discrete || profile.halo_in.0 == 0)
                    .then(|| carried(profile.aligned_in, profile.replicated_in.0)),
                bytes_from: Some(carried(profile.aligned_out, 0)),
                phases_ms: phases_ms(&part.phases),
                alone_ms: alone.get(index).copied(),
                alone_times_ms: Vec::new(),
            }
        })
        .collect()
}
