//! Describes the devices of this machine, with estimated figures.

use crate::devices::topology::Topology;
use crate::model::Machine;
#[cfg(feature = "cuda")]
use crate::model::machine::CudaSection;
#[cfg(feature = "opencl")]
use crate::model::machine::OpenclSection;
use crate::model::machine::{DeviceEntry, DeviceKind, DeviceType, Figure, MemoryKind, SCHEMA};
#[cfg(any(feature = "cuda", feature = "opencl"))]
use crate::model::machine::{Direction, Link};

/// A description of this machine, with notes for the user.
#[derive(Clone, Debug)]
pub struct Detected {
    /// The description. Its figures are `assumed`.
    pub machine: Machine,
    /// One line for each library or driver that is missing, and for each device that is not enabled.
    pub notes: Vec<String>,
}

/// Looks for the CPU, every CUDA GPU and every OpenCL device.
///
/// A GPU that both CUDA and OpenCL reach is used once, by CUDA. A CPU that OpenCL reaches is not used twice either: without another
/// accelerator, half of its cores go to the OpenCL device (as a sub-device) and half to the host device; otherwise the OpenCL
/// device is described, but not enabled.
pub fn machine() -> Detected {
    let topology = Topology::detect();
    let cores = topology.threads();
    let mut notes = vec![format!("CPU: {}", topology.describe())];
    let mut devices = vec![host_entry(cores)];
    match cuda_entries() {
        Ok(mut found) => devices.append(&mut found),
        Err(why) => notes.push(why),
    }
    let cuda = devices.len() > 1;
    match opencl_entries() {
        Ok((mut found, mut problems)) => {
            notes.append(&mut problems);
            for (entry, _) in found.iter_mut().filter(|(entry, _)| cuda && entry.device_type == DeviceType::NvGpu) {
                entry.enabled = false;
                entry.why_disabled = Some("CUDA has this GPU; enable it instead of that device".to_owned());
            }
            let accelerators =
                cuda || found.iter().any(|(entry, _)| entry.enabled && entry.device_type != DeviceType::OclCpu);
            let mut shared = accelerators;
            for (entry, units) in found.iter_mut().filter(|(entry, _)| entry.device_type == DeviceType::OclCpu) {
                shared |= share_cpu(&mut devices[0], (entry, *units), cores, shared);
            }
            devices.extend(found.into_iter().map(|(entry, _)| entry));
        }
        Err(why) => notes.push(why),
    }
    for (id, entry) in devices.iter_mut().enumerate() {
        entry.id = id;
        if let Some(why) = entry.why_disabled.as_ref().filter(|_| !entry.enabled) {
            notes.push(format!("{}: not enabled: {why}", entry.name));
        }
    }
    let machine = Machine {
        schema: SCHEMA.to_owned(),
        name: "this machine".to_owned(),
        created: None,
        note: Some("found, not measured: `apportion probe` measures the figures".to_owned()),
        host_memory_gb_per_s: None,
        devices,
        groups: Vec::new(),
        peers: Vec::new(),
    };
    Detected { machine, notes }
}

fn entry(name: String, kind: DeviceKind, device_type: DeviceType) -> DeviceEntry {
    DeviceEntry {
        id: 0,
        name,
        kind,
        device_type,
        enabled: true,
        why_disabled: None,
        memory: MemoryKind::Shared,
        memory_gib: None,
        f32_gflop_per_s: Figure::assumed(1.0),
        f64_gflop_per_s: Figure::assumed(1.0),
        u8_gop_per_s: None,
        memory_gb_per_s: Figure::assumed(1.0),
        launch_us: Figure::assumed(1.0),
        half_rate_us: None,
        library_half_rate_us: None,
        read_gb_per_s: None,
        copy_gb_per_s: None,
        crowded_gb_per_s: None,
        wake_us: None,
        wake_alone_us: None,
        library_wake_us: None,
        issue_us: None,
        sync_us: None,
        alloc_us: None,
        alloc_s_per_gb: None,
        link: None,
        host: None,
        opencl: None,
        cuda: None,
        emulated: None,
    }
}

/// The rate of a device without double precision, in GFLOP/s. A rate must be above 0; at this one no prediction uses the device for
/// `f64`, and loops leave it out anyway.
const NO_F64: f64 = 1e-6;

/// Assumes cores of 3 GHz with 8 f32 operations a cycle, and 10 GB/s a core up to the few memory channels of a desktop.
fn cpu_figures(entry: &mut DeviceEntry, cores: usize) {
    let cores = cores as f64;
    entry.f32_gflop_per_s = Figure::assumed(24.0 * cores);
    entry.f64_gflop_per_s = Figure::assumed(12.0 * cores);
    entry.memory_gb_per_s = Figure::assumed((10.0 * cores).min(100.0));
}

fn host_entry(cores: usize) -> DeviceEntry {
    let mut host = entry("host".to_owned(), DeviceKind::Host, DeviceType::HostCpu);
    cpu_figures(&mut host, cores);
    host.launch_us = Figure::assumed(10.0);
    host
}

/// Disables a device that was found but cannot be opened, or is not wanted. Of the host and an OpenCL device that were to have some
/// cores each, the other one has all.
pub fn disable(machine: &mut Machine, position: usize, why: String) {
    let cores = Topology::detect().threads();
    disable_beside(&mut machine.devices, position, why, cores);
}

fn disable_beside(devices: &mut [DeviceEntry], position: usize, why: String, cores: usize) {
    let shares = |entry: &DeviceEntry| {
        let units = entry.opencl.as_ref().and_then(|section| section.compute_units);
        entry.enabled && entry.device_type == DeviceType::OclCpu && units.is_some()
    };
    // At most one device shares the cores.
    if position > 0 && shares(&devices[position]) {
        cpu_figures(&mut devices[0], cores);
    } else if let Some(cpu) = devices.iter_mut().find(|entry| position == 0 && shares(entry)) {
        give_units(cpu, cores, None);
    }
    devices[position].enabled = false;
    devices[position].why_disabled = Some(why);
}

/// Divides the cores between the host and a CPU that is an OpenCL device, and says whether it has; disables the OpenCL device if
/// others make that no use. `most` is the number of its compute units, which its driver may limit.
fn share_cpu(host: &mut DeviceEntry, (cpu, most): (&mut DeviceEntry, usize), cores: usize, others: bool) -> bool {
    let units = (cores / 2).min(most);
    if !cpu.enabled {
        return false;
    }
    if others || units == 0 {
        cpu.enabled = false;
        cpu.why_disabled = Some("these cores are the host device's; enable it instead of the host".to_owned());
        return false;
    }
    // The host leaves as many cores free as enabled devices have compute units.
    cpu_figures(host, cores - units);
    give_units(cpu, units, Some(units as u32));
    true
}

/// Gives a CPU that is an OpenCL device so many of its compute units, or all of them.
fn give_units(cpu: &mut DeviceEntry, cores: usize, units: Option<u32>) {
    if let Some(section) = &mut cpu.opencl {
        section.compute_units = units;
    }
    let has_f64 = cpu.f64_gflop_per_s.value > NO_F64;
    cpu_figures(cpu, cores);
    if !has_f64 {
        cpu.f64_gflop_per_s = Figure::assumed(NO_F64);
    }
}

#[cfg(feature = "cuda")]
fn cuda_entries() -> Result<Vec<DeviceEntry>, String> {
    use crate::devices::cuda::discover;
    let entries = discover()?.into_iter().map(|gpu| {
        let mut entry = entry(format!("cuda:{}", gpu.index), DeviceKind::Cuda, DeviceType::NvGpu);
        entry.cuda = Some(CudaSection { index: Some(gpu.index), ..CudaSection::default() });
        entry.memory = MemoryKind::Discrete;
        entry.memory_gib = Some(Figure::measured(gpu.memory as f64 / f64::from(1 << 30)));
        entry.launch_us = Figure::assumed(8.0);
        // 128 lanes a multiprocessor at 1.5 GHz. Data centre chips (capability x.0) run f64 at half that rate, others at a 64th.
        let gflop_per_s = f64::from(gpu.multiprocessors) * 384.0;
        entry.f32_gflop_per_s = Figure::assumed(gflop_per_s);
        entry.f64_gflop_per_s = Figure::assumed(gflop_per_s / if gpu.capability.1 == 0 { 2.0 } else { 64.0 });
        entry.memory_gb_per_s = Figure::assumed(f64::from(gpu.multiprocessors) * 15.0);
        let direction = || Direction::new(Figure::assumed(10.0), Figure::assumed(20.0));
        entry.link = Some(Link { to: direction(), from: direction() });
        entry
    });
    Ok(entries.collect())
}

#[cfg(not(feature = "cuda"))]
fn cuda_entries() -> Result<Vec<DeviceEntry>, String> {
    Err("CUDA: this build has no CUDA backend".to_owned())
}

/// OpenCL devices with their numbers of compute units, and a line for each thing that could not be asked.
type Listed = (Vec<(DeviceEntry, usize)>, Vec<String>);

#[cfg(feature = "opencl")]
fn opencl_entries() -> Result<Listed, String> {
    let (found, problems) = crate::devices::opencl::discover_and_tell()?;
    let units = found.iter().map(|device| device.compute_units as usize);
    Ok((entries_of(&found).into_iter().zip(units).collect(), problems))
}

#[cfg(feature = "opencl")]
fn entries_of(found: &[crate::devices::opencl::Found]) -> Vec<DeviceEntry> {
    use crate::devices::opencl::{Found, FoundKind};
    let mut entries: Vec<DeviceEntry> = Vec::new();
    for (position, device) in found.iter().enumerate() {
        let Found { platform, name, kind, compute_units, global_mem, unified, fp64, .. } = device;
        let lower = format!("{platform} {name}").to_lowercase();
        let device_type = match kind {
            FoundKind::Cpu => DeviceType::OclCpu,
            _ if lower.contains("nvidia") => DeviceType::NvGpu,
            _ if lower.contains("amd") || lower.contains("advanced micro") => DeviceType::AmdGpu,
            _ if lower.contains("intel") => DeviceType::ItlGpu,
            _ => DeviceType::OclGpu,
        };
        let mut entry = entry(format!("opencl:{position}"), DeviceKind::Opencl, device_type);
        // Matches as `open` does: by parts of names, without regard to case.
        let same = |other: &&Found| other.matches(Some(platform), Some(name));
        entry.opencl = Some(OpenclSection {
            platform: Some(platform.clone()),
            device: Some(name.clone()),
            index: Some(found[..position].iter().filter(same).count()),
            compute_units: None,
            skip_compute_units: None,
        });
        entry.launch_us = Figure::assumed(30.0);
        if *kind == FoundKind::Cpu {
            cpu_figures(&mut entry, *compute_units as usize);
            // Only a part of it is to be used, so that the host device keeps cores.
            if *compute_units > 1 && !device.partitionable {
                entry.enabled = false;
                entry.why_disabled = Some("its driver cannot divide it, and the host device needs cores".to_owned());
            }
        } else {
            // A compute unit with 64 lanes at 1.5 GHz; memory and link of a common card.
            let gflop_per_s = f64::from(*compute_units) * 192.0;
            entry.f32_gflop_per_s = Figure::assumed(gflop_per_s);
            entry.f64_gflop_per_s = Figure::assumed(gflop_per_s / 2.0);
            entry.memory_gb_per_s = Figure::assumed(if *unified { 50.0 } else { 500.0 });
        }
        if !fp64 {
            entry.f64_gflop_per_s = Figure::assumed(NO_F64);
        }
        if !unified {
            let direction = || Direction::new(Figure::assumed(20.0), Figure::assumed(10.0));
            entry.memory = MemoryKind::Discrete;
            entry.memory_gib = Some(Figure::measured(*global_mem as f64 / f64::from(1 << 30)));
            entry.link = Some(Link { to: direction(), from: direction() });
        }
        let unusable = match device {
            Found { available: false, .. } => Some("its driver says that it is not available now: it is taken or off"),
            Found { compiler: false, .. } => Some("its driver has no compiler: install its compiler package"),
            _ => None,
        };
        if let Some(why) = unusable {
            entry.enabled = false;
            entry.why_disabled = Some(why.to_owned());
        }
        entries.push(entry);
    }
    entries
}

#[cfg(not(feature = "opencl"))]
fn opencl_entries() -> Result<Listed, String> {
    Err("OpenCL: this build has no OpenCL backend".to_owned())
}

#[cfg(all(test, feature = "opencl"))]
mod tests {
    use super::*;
    use crate::devices::opencl::{Found, FoundKind};

    fn found(index: usize, kind: FoundKind) -> Found {
        Found {
            index,
            platform: "a platform".to_owned(),
            name: format!("device {index}"),
            vendor: "its maker".to_owned(),
            version: "OpenCL 3.0".to_owned(),
            kind,
            compute_units: 8,
            global_mem: 1 << 30,
            max_alloc: 1 << 28,
            unified: kind == FoundKind::Cpu,
            fp64: true,
            available: true,
            compiler: true,
            partitionable: true,
        }
    }

    #[test]
    fn a_device_that_is_taken_or_has_no_compiler_is_described_but_not_enabled() {
        let gpu = |index| found(index, FoundKind::Gpu);
        let devices = [
            gpu(0),
            Found { available: false, ..gpu(1) },
            Found { compiler: false, ..gpu(2) },
            found(3, FoundKind::Cpu),
        ];
        let entries = entries_of(&devices);
        assert_eq!(entries.iter().map(|entry| entry.enabled).collect::<Vec<_>>(), [true, false, false, true]);
        for (entry, why) in [(&entries[1], "not available"), (&entries[2], "compiler")] {
            assert!(entry.why_disabled.as_ref().is_some_and(|said| said.contains(why)), "{entry:?}");
        }
    }

    #[test]
    fn a_cpu_with_few_compute_units_gets_no_more_cores_than_it_has_units() {
        for (cores, units, shared) in [(16, 8, 8), (64, 8, 8), (8, 8, 4), (3, 8, 1)] {
            let (mut host, mut cpu) = (host_entry(cores), entries_of(&[found(0, FoundKind::Cpu)]).remove(0));
            assert!(share_cpu(&mut host, (&mut cpu, units), cores, false));
            assert_eq!(cpu.opencl.as_ref().and_then(|section| section.compute_units), Some(shared as u32));
            assert_eq!(host, host_entry(cores - shared));
        }
    }

    #[test]
    fn the_host_has_all_cores_again_where_the_device_that_shares_them_cannot_be_opened() {
        let cores = 16;
        let (mut host, mut cpu) = (host_entry(cores), entries_of(&[found(0, FoundKind::Cpu)]).remove(0));
        assert!(share_cpu(&mut host, (&mut cpu, 8), cores, false));
        let gpu = entries_of(&[found(1, FoundKind::Gpu)]).remove(0);
        let mut devices = [host, cpu, gpu];
        let [halved, cpu_alone] = [devices[0].clone(), entries_of(&[found(0, FoundKind::Cpu)]).remove(0)];
        let mut without_host = devices.clone();
        disable_beside(&mut without_host, 0, "not asked for".to_owned(), cores);
        assert_eq!((&without_host[0].enabled, &without_host[1].opencl), (&false, &cpu_alone.opencl));
        let gflop_per_s = |entry: &DeviceEntry| entry.f32_gflop_per_s.value;
        assert_eq!(gflop_per_s(&without_host[1]), gflop_per_s(&host_entry(cores)));
        disable_beside(&mut devices, 2, "taken".to_owned(), cores);
        assert_eq!(devices[0], halved, "the GPU had none of the cores");
        disable_beside(&mut devices, 1, "broken".to_owned(), cores);
        assert_eq!(devices[0], host_entry(cores));
        assert!(
            devices[1..].iter().all(|entry| !entry.enabled) && devices[1].why_disabled.as_deref() == Some("broken")
        );
    }

    #[test]
    fn predictions_expect_nothing_of_a_device_without_double_precision() {
        for kind in [FoundKind::Gpu, FoundKind::Cpu] {
            let entries = entries_of(&[found(0, kind), Found { fp64: false, ..found(1, kind) }]);
            let [with, without] = [&entries[0], &entries[1]].map(|entry| entry.f64_gflop_per_s.value);
            assert!(with > 1.0 && without > 0.0 && without < 1e-3, "{with} {without}");
        }
    }
}
