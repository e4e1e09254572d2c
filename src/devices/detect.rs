//! Describes the devices of this machine, with estimated figures.

use crate::devices::specifier::{self, Selection};
use crate::devices::topology::Topology;
use crate::error::{Error, Result};
use crate::model::Machine;
#[cfg(feature = "cuda")]
use crate::model::machine::CudaSection;
#[cfg(feature = "opencl")]
use crate::model::machine::OpenclSection;
use crate::model::machine::{DeviceEntry, DeviceKind, DeviceType, Figure, MemoryKind, SCHEMA};
#[cfg(any(feature = "cuda", feature = "opencl"))]
use crate::model::machine::{Direction, Link};
use crate::space::DeviceId;

/// A description of this machine, with notes for the user.
#[derive(Clone, Debug)]
pub struct Detected {
    /// The description. Its figures are `assumed`.
    pub machine: Machine,
    /// One line for each library or driver that is missing, and for each device that is not enabled.
    pub notes: Vec<String>,
    /// The devices that can be used and are enabled only if they are named.
    pub on_request: Vec<DeviceId>,
}

/// Looks for the CPU, every CUDA GPU and every OpenCL device.
///
/// What several interfaces reach is used once: of a GPU that CUDA and OpenCL reach, the OpenCL device is described, but not
/// enabled, and so is an OpenCL device on the CPU's cores, whose company gains nothing.
pub fn machine() -> Detected {
    Found::look().detected()
}

/// As [`machine`], with those devices enabled that a specifier picks, and no others; and what it picks.
///
/// A part of the text for which the devices that [`machine`] enables will not do, such as a name, may pick [`Detected::on_request`]
/// too. If the CPU is picked by both interfaces, each device has half of its cores.
///
/// # Errors
/// [`Error::Call`]: as [`specifier::parse_on`], and where devices exclude each other.
pub fn only(devices: &str) -> Result<(Detected, Selection)> {
    let mut found = Found::look();
    let picked = {
        let all = found.clone().detected();
        specifier::parse_with(devices, &all.machine, &all.on_request)?
    };
    found.enable(&picked.ids).map_err(|why| Error::call(format!("device specifier `{}`: {why}", devices.trim())))?;
    Ok((found.detected(), picked))
}

/// Why devices are not enabled that a specifier does not pick.
const NOT_ASKED_FOR: &str = "it was not asked for";

/// What is on this machine; the host is the first device, and positions are ids.
#[derive(Clone)]
struct Found {
    /// Those that the host may use.
    cores: usize,
    devices: Vec<DeviceEntry>,
    on_request: Vec<OnRequest>,
    notes: Vec<String>,
}

/// A device that reaches what another device has.
#[derive(Clone)]
struct OnRequest {
    position: usize,
    /// Its compute units, which its driver may limit.
    units: usize,
    /// Whether its driver can make a device of some of them.
    divisible: bool,
}

impl Found {
    fn look() -> Self {
        let topology = Topology::detect();
        let cpu = format!("CPU: {}", topology.describe());
        Self::of((topology.threads(), cpu), cuda_entries(), opencl_entries())
    }

    /// Of the host's cores, with a note on them, and what the interfaces show, or why one shows nothing.
    fn of(
        (cores, cpu): (usize, String),
        cuda: Result<Vec<DeviceEntry>, String>,
        opencl: Result<OpenclEntries, String>,
    ) -> Self {
        let mut found = Self { cores, devices: vec![host_entry(cores)], on_request: Vec::new(), notes: vec![cpu] };
        match cuda {
            Ok(mut gpus) => found.devices.append(&mut gpus),
            Err(why) => found.notes.push(why),
        }
        for (id, entry) in found.devices.iter_mut().enumerate() {
            entry.id = id;
        }
        match opencl {
            Ok((listed, mut problems)) => {
                found.notes.append(&mut problems);
                found.add_opencl(listed);
            }
            Err(why) => found.notes.push(why),
        }
        found
    }

    /// Adds OpenCL devices; those that reach what the host and CUDA have are not enabled.
    fn add_opencl(&mut self, listed: Vec<Listed>) {
        let cuda = self.devices.iter().any(|entry| entry.kind == DeviceKind::Cuda);
        for Listed { mut entry, units, divisible } in listed {
            let id = self.devices.len();
            entry.id = id;
            let how = |devices: String| {
                format!(
                    "to use it, name it when devices are detected: `apportion probe --devices {devices}`, \
                     `Runtime::detect_only(\"{devices}\")`"
                )
            };
            let why = match entry.device_type {
                DeviceType::OclCpu => Some(format!("it computes on the host's cores; {}", how(format!("0,{id}")))),
                DeviceType::NvGpu if cuda => {
                    Some(format!("CUDA has this GPU; {}, without CUDA's", how(id.to_string())))
                }
                _ => None,
            };
            if let Some(why) = why.filter(|_| entry.enabled) {
                entry.enabled = false;
                entry.why_disabled = Some(why);
                self.on_request.push(OnRequest { position: id, units, divisible });
            }
            self.devices.push(entry);
        }
    }

    /// Enables these devices and no others.
    ///
    /// # Errors
    /// Which of them exclude each other.
    fn enable(&mut self, picked: &[DeviceId]) -> Result<(), String> {
        let is_picked = |entry: &DeviceEntry| picked.contains(&entry.device_id());
        for entry in self.devices.iter_mut().filter(|entry| entry.enabled && !is_picked(entry)) {
            entry.enabled = false;
            entry.why_disabled = Some(NOT_ASKED_FOR.to_owned());
        }
        let named: Vec<_> = self.on_request.iter().filter(|one| is_picked(&self.devices[one.position])).collect();
        let (cpus, gpus): (Vec<_>, Vec<_>) =
            named.into_iter().partition(|one| self.devices[one.position].device_type == DeviceType::OclCpu);
        let cuda = self.devices.iter().find(|entry| entry.enabled && entry.kind == DeviceKind::Cuda);
        if let (Some(cuda), Some(gpu)) = (cuda, gpus.first()) {
            let gpu = &self.devices[gpu.position].name;
            return Err(format!("`{gpu}` may be the same GPU as `{}`: name GPUs of CUDA or of OpenCL", cuda.name));
        }
        if let [first, second, ..] = cpus[..] {
            let [first, second] = [first, second].map(|one| &self.devices[one.position].name);
            return Err(format!("`{first}` and `{second}` both compute on the CPU's cores: name one of them"));
        }
        for OnRequest { position, .. } in cpus.iter().chain(&gpus) {
            (self.devices[*position].enabled, self.devices[*position].why_disabled) = (true, None);
        }
        let (host, others) = self.devices.split_at_mut(1);
        match cpus.first() {
            Some(&cpu) if host[0].enabled => share_cpu(&mut host[0], &mut others[cpu.position - 1], cpu, self.cores),
            _ => Ok(()),
        }
    }

    fn detected(self) -> Detected {
        let Self { devices, on_request, mut notes, .. } = self;
        for entry in devices.iter().filter(|entry| !entry.enabled) {
            if let Some(why) = entry.why_disabled.as_ref().filter(|why| *why != NOT_ASKED_FOR) {
                notes.push(format!("{}: not enabled: {why}", entry.name));
            }
        }
        let on_request = on_request.iter().map(|one| devices[one.position].device_id()).collect();
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
        Detected { machine, notes, on_request }
    }
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

/// Divides the cores between the host and a CPU that is an OpenCL device. A single core is left to both.
///
/// # Errors
/// That the driver cannot divide it.
fn share_cpu(host: &mut DeviceEntry, cpu: &mut DeviceEntry, of: &OnRequest, cores: usize) -> Result<(), String> {
    let units = (cores / 2).min(of.units).max(1);
    if units < of.units && !of.divisible {
        return Err(format!(
            "the driver of `{}` cannot divide the CPU, so the host has no cores beside it: name one of the two",
            cpu.name
        ));
    }
    // The host leaves as many cores free as enabled devices have compute units.
    cpu_figures(host, cores.saturating_sub(units).max(1));
    give_units(cpu, units, Some(units as u32));
    Ok(())
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

/// An OpenCL device, and what [`OnRequest`] tells of one.
struct Listed {
    entry: DeviceEntry,
    units: usize,
    divisible: bool,
}

/// OpenCL devices, and a line for each thing that could not be asked.
type OpenclEntries = (Vec<Listed>, Vec<String>);

#[cfg(feature = "opencl")]
fn opencl_entries() -> Result<OpenclEntries, String> {
    let (found, problems) = crate::devices::opencl::discover_and_tell()?;
    Ok((listed(&found), problems))
}

#[cfg(feature = "opencl")]
fn listed(found: &[crate::devices::opencl::Found]) -> Vec<Listed> {
    let listed = |(entry, device): (_, &crate::devices::opencl::Found)| Listed {
        entry,
        units: device.compute_units as usize,
        divisible: device.partitionable,
    };
    entries_of(found).into_iter().zip(found).map(listed).collect()
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
fn opencl_entries() -> Result<OpenclEntries, String> {
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

    /// A machine with so many cores, with a CUDA GPU or without, and OpenCL devices.
    fn here(cores: usize, cuda: bool, opencl: &[Found]) -> super::Found {
        let gpus = if cuda { Ok(vec![gpu(0)]) } else { Err("no CUDA driver".to_owned()) };
        super::Found::of((cores, String::new()), gpus, Ok((listed(opencl), Vec::new())))
    }

    fn gpu(number: usize) -> DeviceEntry {
        entry(format!("cuda:{number}"), DeviceKind::Cuda, DeviceType::NvGpu)
    }

    #[test]
    fn numbers_are_places_also_where_there_is_no_opencl() {
        for opencl in [Err("no OpenCL driver".to_owned()), Ok((listed(&[found(0, FoundKind::Gpu)]), Vec::new()))] {
            let here = super::Found::of((8, String::new()), Ok(vec![gpu(0), gpu(1)]), opencl);
            let ids: Vec<usize> = here.detected().machine.devices.iter().map(|entry| entry.id).collect();
            assert_eq!(ids, (0..ids.len()).collect::<Vec<_>>());
            assert!(ids.len() >= 3);
        }
    }

    fn enabled(here: &super::Found) -> Vec<usize> {
        here.devices.iter().filter(|entry| entry.enabled).map(|entry| entry.id).collect()
    }

    fn picked(mut here: super::Found, ids: &[usize]) -> Result<super::Found, String> {
        let ids: Vec<_> = ids.iter().map(|&id| DeviceId(id)).collect();
        here.enable(&ids).map(|()| here)
    }

    fn nvidia(index: usize) -> Found {
        Found { platform: "NVIDIA CUDA".to_owned(), ..found(index, FoundKind::Gpu) }
    }

    #[test]
    fn what_another_device_has_is_described_and_enabled_if_it_is_named() {
        let (cpu, gpu) = (found(0, FoundKind::Cpu), found(1, FoundKind::Gpu));
        for (cuda, opencl, by_default, on_request) in [
            (false, vec![cpu.clone()], vec![0], vec![1]),
            (false, vec![cpu.clone(), gpu], vec![0, 2], vec![1]),
            (true, vec![cpu.clone(), nvidia(1)], vec![0, 1], vec![2, 3]),
            (false, vec![cpu, nvidia(1)], vec![0, 2], vec![1]),
        ] {
            let here = here(8, cuda, &opencl);
            assert_eq!(enabled(&here), by_default);
            assert_eq!(here.devices[0], host_entry(8), "all cores are the host's");
            let detected = here.clone().detected();
            assert_eq!(detected.on_request.iter().map(|id| id.0).collect::<Vec<_>>(), on_request);
            for id in on_request {
                let entry = &here.devices[id];
                let told = format!("{}: not enabled: ", entry.name);
                let how = format!("{id}\")`");
                assert!(detected.notes.iter().any(|note| note.starts_with(&told) && note.contains(&how)), "{how}");
                let named = picked(here.clone(), &[id]).unwrap();
                assert_eq!((enabled(&named), &named.devices[id].why_disabled), (vec![id], &None));
                assert_eq!(named.devices[id].f32_gflop_per_s, entry.f32_gflop_per_s, "it has all cores");
                let notes = named.detected().notes;
                assert!(notes.iter().all(|note| !note.contains(&told) && !note.contains(NOT_ASKED_FOR)), "{notes:?}");
            }
        }
    }

    #[test]
    fn devices_that_exclude_each_other_are_refused_by_name() {
        let cpu = |index| found(index, FoundKind::Cpu);
        let whole = Found { partitionable: false, ..cpu(0) };
        for (here, ids, named) in [
            (here(8, true, &[nvidia(0)]), &[1, 2][..], ["`opencl:0`", "`cuda:0`"]),
            (here(8, false, &[cpu(0), cpu(1)]), &[1, 2], ["`opencl:0`", "`opencl:1`"]),
            (here(8, false, std::slice::from_ref(&whole)), &[0, 1], ["`opencl:0`", "divide"]),
        ] {
            let why = picked(here, ids).map(|here| enabled(&here)).unwrap_err();
            assert!(named.iter().all(|name| why.contains(name)), "{why}");
        }
        assert_eq!(enabled(&picked(here(8, false, &[whole]), &[1]).unwrap()), [1]);
    }

    #[test]
    fn a_cpu_with_few_compute_units_gets_no_more_cores_than_it_has_units() {
        for (cores, shared, left) in [(16, 8, 8), (64, 8, 56), (8, 4, 4), (3, 1, 2), (1, 1, 1)] {
            let here = picked(here(cores, false, &[found(0, FoundKind::Cpu)]), &[0, 1]).unwrap();
            let units = here.devices[1].opencl.as_ref().and_then(|section| section.compute_units);
            assert_eq!((enabled(&here), units), (vec![0, 1], Some(shared)));
            assert_eq!(here.devices[0], host_entry(left));
        }
    }

    #[test]
    fn the_host_has_all_cores_again_where_the_device_that_shares_them_cannot_be_opened() {
        let cores = 16;
        let opencl = [found(0, FoundKind::Cpu), found(1, FoundKind::Gpu)];
        let devices = picked(here(cores, false, &opencl), &[0, 1, 2]).unwrap().devices;
        let halved = devices[0].clone();
        assert_ne!(halved, host_entry(cores));
        let mut without_host = devices.clone();
        disable_beside(&mut without_host, 0, "broken".to_owned(), cores);
        let cpu_alone = entries_of(&opencl).remove(0);
        assert_eq!((&without_host[0].enabled, &without_host[1].opencl), (&false, &cpu_alone.opencl));
        let gflop_per_s = |entry: &DeviceEntry| entry.f32_gflop_per_s.value;
        assert_eq!(gflop_per_s(&without_host[1]), gflop_per_s(&host_entry(cores)));
        let mut devices = devices;
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
