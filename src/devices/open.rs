//! Opens a device from its entry in the machine description.

use crate::devices::Device;
use crate::devices::aside::{Aside, Places};
use crate::devices::crew::Vigil;
use crate::devices::emulated::{EmulatedDevice, SharedLink};
use crate::devices::host::HostDevice;
use crate::devices::topology::Topology;
use crate::error::{Error, Result};
use crate::model::Machine;
use crate::model::device::Capacity;
use crate::model::machine::{CpuList, DeviceEntry, DeviceKind, DeviceType, SharedRates};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Opens devices. It holds the machine's topology, so that this is looked up once.
pub struct Opener<'m> {
    machine: &'m Machine,
    topology: Topology,
    shared: SharedRates,
    /// Where the GPUs' threads run while the host's cores are at work; `None` if nothing keeps them off those.
    places: Option<Arc<Places>>,
    /// What keeps the devices' threads awake.
    vigil: Vigil,
    /// By number of each capacity that emulated devices share: until when it is busy.
    busy: RefCell<HashMap<u32, Arc<Mutex<Instant>>>>,
}

/// The CPUs of a host device.
struct Cpus {
    own: Vec<usize>,
    /// Those left to other devices' threads, which it may use while those have nothing to do.
    spare: Vec<usize>,
    /// A remark for the user.
    note: Option<String>,
}

impl<'m> Opener<'m> {
    /// An opener for the devices of `machine`.
    pub fn new(machine: &'m Machine) -> Self {
        let shared = machine.shared_rates();
        let (topology, vigil) = (Topology::detect(), Vigil::default());
        let mut opener = Self { machine, topology, shared, places: None, vigil, busy: RefCell::default() };
        opener.places = opener.places();
        opener
    }

    fn places(&self) -> Option<Arc<Places>> {
        let of = |kind| self.machine.enabled_devices().filter(move |device| device.kind == kind);
        // Threads that run anywhere leave no CPU to others.
        if of(DeviceKind::Host).any(|entry| self.is_by_time(entry)) {
            return None;
        }
        let cores = of(DeviceKind::Host).filter_map(|entry| self.cpus_of(entry).ok());
        let taken: CpuList = cores.flat_map(|cpus| cpus.own).collect();
        let cores: Vec<CpuList> = self.topology.cores.iter().map(|core| core.cpus.clone()).collect();
        Places::beside(&taken, &cores, of(DeviceKind::Cuda).count()).map(Arc::new)
    }

    /// Where the device's thread runs. Only CUDA's driver is known to start no threads from there, which would run there too.
    pub fn aside(&self, entry: &DeviceEntry) -> Option<Aside> {
        let places = self.places.as_ref().filter(|_| entry.kind == DeviceKind::Cuda)?;
        let gpus = || self.machine.enabled_devices().filter(|device| device.kind == DeviceKind::Cuda);
        let gpu = gpus().position(|device| device.id == entry.id)?;
        Some(Aside::new(Arc::clone(places), gpu))
    }

    /// What keeps the devices' threads awake while somebody asks for it.
    pub(crate) const fn vigil(&self) -> &Vigil {
        &self.vigil
    }

    /// Whether threads may stay awake while they wait: there are at least four cores for each device.
    pub fn spare_cores(&self) -> bool {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        cores >= 4 * self.machine.enabled_devices().count()
    }

    /// Opens a device, possibly with a remark for the user.
    ///
    /// # Errors
    /// [`Error::Call`] naming the device, why it cannot be opened, and what would help.
    pub fn open(&self, entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
        match entry.kind {
            DeviceKind::Host => self.host(entry),
            DeviceKind::Emulated => {
                let section = entry.emulated.clone().unwrap_or_default();
                let mut busy = self.busy.borrow_mut();
                let mut link = |capacity: &Capacity| {
                    let free = busy.entry(capacity.number).or_insert_with(|| Arc::new(Mutex::new(Instant::now())));
                    SharedLink::new(capacity, free)
                };
                let shared = self.shared.of(entry.id).capacities.iter().map(&mut link).collect();
                Ok((Box::new(EmulatedDevice::new(entry.model(), &section).sharing(shared)), None))
            }
            DeviceKind::Opencl => opencl(entry),
            DeviceKind::Cuda => self.cuda(entry),
        }
    }

    fn host(&self, entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
        let Cpus { own, spare, note } = self.cpus_of(entry)?;
        let open = if self.is_by_time(entry) { HostDevice::open_unbound } else { HostDevice::open };
        let device = open(&entry.name, &own, self.spare_cores())?.kept_awake_by(&self.vigil);
        Ok((Box::new(device.with_spare(&own, &spare)), note))
    }

    /// Whether a host device has a share of the CPUs' time and none of them for itself.
    fn is_by_time(&self, entry: &DeviceEntry) -> bool {
        let named = entry.host.as_ref().is_some_and(|section| section.cpus.is_some());
        self.topology.granted.is_some() && !named
    }

    /// The CPUs that the threads of a host device run on, one each, the first hardware thread of each core first.
    ///
    /// # Errors
    /// [`Error::Call`] naming the device, if it is none of kind `host`, or none of its CPUs may be used.
    pub fn host_cpus(&self, entry: &DeviceEntry) -> Result<Vec<usize>> {
        if entry.kind != DeviceKind::Host {
            return Err(Error::call(format!("device `{}` is not of kind `host`, so no CPUs are its own", entry.name)));
        }
        Ok(self.cpus_of(entry)?.own)
    }

    /// The CPUs of a host device, the first hardware thread of each core first.
    fn cpus_of(&self, entry: &DeviceEntry) -> Result<Cpus> {
        let section = entry.host.clone().unwrap_or_default();
        // The first hardware thread of each core comes first, so that the CPUs left free are not the second halves of busy cores.
        let mut usable = self.topology.cpus_core_first();
        if self.is_by_time(entry) {
            usable.truncate(self.topology.threads());
        }
        let mut cpus: Vec<usize> = match &section.cpus {
            Some(wanted) => {
                let there: Vec<usize> = usable.into_iter().filter(|&cpu| wanted.contains(cpu)).collect();
                if there.is_empty() {
                    return Err(Error::call(format!(
                        "device `{}`: of its cpus {wanted} this process may use none; it may use {}",
                        entry.name, self.topology.cpus
                    )));
                }
                there
            }
            None => usable,
        };
        // CPUs that the description names are the host's own: others compute elsewhere.
        let beside = section.cpus.is_none();
        let leave_free = section.leave_free.unwrap_or_else(|| self.cores_to_leave(cpus.len(), beside));
        let keep = cpus.len().saturating_sub(leave_free);
        if keep == 0 {
            return Err(Error::call(format!(
                "device `{}`: `host.leave_free` is {leave_free}, but it has {} CPU{} only: leave at least one to it",
                entry.name,
                cpus.len(),
                if cpus.len() == 1 { "" } else { "s" }
            )));
        }
        let left = cpus.split_off(keep);
        // A description that leaves cores free may do so for other programs. One that says how many threads there are says that
        // more of them do no better.
        let spare = if section.leave_free.is_none() && section.threads.is_none() { left } else { Vec::new() };
        let threads = section.threads.map(|threads| threads.value as usize);
        cpus.truncate(threads.unwrap_or(keep));
        let asked = section.cpus.as_ref().map(|wanted| wanted.iter().count());
        let taken = asked.filter(|&asked| asked > keep + leave_free).map(|asked| {
            format!("device `{}`: {} of its {asked} cpus may not be used by this process", entry.name, asked - keep)
        });
        let shared = || {
            let with = self.on_its_cores().filter(|_| beside).map(|device| device.name.as_str());
            let with = with.collect::<Vec<_>>().join(", ");
            let cores = if spare.is_empty() || with.is_empty() { None } else { Some(keep + leave_free) };
            cores.map(|cores| {
                format!(
                    "device `{}`: has {keep} of {cores} cores, as {with} computes on the others; loops of some length that it has \
                     alone use all",
                    entry.name
                )
            })
        };
        let few = threads.filter(|&threads| threads > keep).map(|threads| {
            let others = if leave_free > 0 { format!(": {leave_free} are left to others") } else { String::new() };
            format!(
                "device `{}`: has {keep} of {threads} threads, one for each CPU that it may use{others}",
                entry.name
            )
        });
        let note = taken.or(few).or_else(shared);
        Ok(Cpus { own: cpus, spare, note })
    }

    /// OpenCL devices that compute on some of the host's cores.
    fn on_its_cores(&self) -> impl Iterator<Item = &'m DeviceEntry> {
        let computes_here =
            |device: &&DeviceEntry| device.kind == DeviceKind::Opencl && device.device_type == DeviceType::OclCpu;
        let some =
            |device: &&DeviceEntry| device.opencl.as_ref().is_some_and(|section| section.compute_units.is_some());
        self.machine.enabled_devices().filter(computes_here).filter(some)
    }

    /// The cores to leave free where the description does not say. GPUs get one each for their proxies where there are enough
    /// cores, as a proxy that waits for a core holds up its whole GPU. OpenCL devices on so many compute units of the CPU get as
    /// many cores if they compute `beside` the host on its CPUs; one is left to the host.
    fn cores_to_leave(&self, cores: usize, beside: bool) -> usize {
        let units =
            |device: &DeviceEntry| device.opencl.as_ref().and_then(|section| section.compute_units).unwrap_or(0);
        let computing: usize = self.on_its_cores().filter(|_| beside).map(|device| units(device) as usize).sum();
        let gpus = self
            .machine
            .enabled_devices()
            .filter(|device| {
                matches!(device.kind, DeviceKind::Opencl | DeviceKind::Cuda)
                    && device.memory == crate::model::MemoryKind::Discrete
            })
            .count();
        (gpus.min(cores / 4) + computing).min(cores.saturating_sub(1))
    }

    #[cfg(feature = "cuda")]
    fn cuda(&self, entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
        use crate::devices::cuda::CudaDevice;
        Ok((Box::new(CudaDevice::open(self.cuda_options(entry))?), None))
    }

    #[cfg(feature = "cuda")]
    fn cuda_options(&self, entry: &DeviceEntry) -> crate::devices::cuda::CudaOptions {
        let section = entry.cuda.clone().unwrap_or_default();
        // Disabled GPUs have no threads that copy.
        let gpus = self.machine.enabled_devices().filter(|device| device.kind == DeviceKind::Cuda).count();
        crate::devices::cuda::CudaOptions {
            name: entry.name.clone(),
            index: section.index,
            uuid: section.uuid,
            memory_bytes: entry.model().memory_bytes.map(|bytes| bytes.0),
            copy_threads: section.copy_threads,
            gpus: Some(gpus),
            fault: section.fault,
        }
    }

    #[cfg(not(feature = "cuda"))]
    fn cuda(&self, entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
        Err(Error::call(format!(
            "device `{}`: this build has no CUDA backend: build with the feature `cuda`, or set its `enabled` to false",
            entry.name
        )))
    }
}

#[cfg(feature = "opencl")]
fn opencl(entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
    use crate::devices::opencl::{OpenClDevice, OpenClOptions};
    let section = entry.opencl.clone().unwrap_or_default();
    let device = OpenClDevice::open(OpenClOptions {
        name: entry.name.clone(),
        platform: section.platform,
        device: section.device,
        index: section.index.unwrap_or(0),
        compute_units: section.compute_units,
        skip_compute_units: section.skip_compute_units.unwrap_or(0),
        memory: entry.memory,
        memory_bytes: entry.model().memory_bytes.map(|bytes| bytes.0),
    })?;
    Ok((Box::new(device), None))
}

#[cfg(not(feature = "opencl"))]
fn opencl(entry: &DeviceEntry) -> Result<(Box<dyn Device>, Option<String>)> {
    Err(Error::call(format!(
        "device `{}`: this build has no OpenCL backend: build with the feature `opencl`, or set its `enabled` to false",
        entry.name
    )))
}

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::*;

    #[test]
    fn gpus_that_are_not_used_take_no_copying_threads_from_those_that_are() {
        let gpu = |id: usize, enabled: bool| {
            let figure = r#"{"value": 1, "source": "assumed"}"#;
            let way = format!(r#"{{"latency_us": {figure}, "bandwidth_gb_per_s": {figure}}}"#);
            format!(
                r#"{{"id": {id}, "name": "cuda:{id}", "kind": "cuda", "type": "NVGPU", "memory": "discrete",
                   "enabled": {enabled}, "cuda": {{"index": {id}}}, "link": {{"to": {way}, "from": {way}}},
                   "memory_gib": {figure}, "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure},
                   "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        for used in 1..=3 {
            let devices: Vec<_> = (0..3).map(|id| gpu(id, id < used)).collect();
            let text =
                format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{}]}}"#, devices.join(", "));
            let machine = Machine::from_json(&text).unwrap();
            let opener = Opener::new(&machine);
            let first = machine.enabled_devices().next().unwrap();
            assert_eq!(opener.cuda_options(first).gpus, Some(used));
        }
    }

    #[test]
    fn a_host_device_has_as_many_threads_as_there_is_time_granted_for_unless_its_cpus_are_named() {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        for (host, granted, own) in [("{}", 2, 2), ("{}", 64, 8), (r#"{"cpus": "1-5"}"#, 2, 5)] {
            let text = format!(
                r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{{"id": 0, "name": "cpu", "kind": "host",
                   "type": "HOSTCPU", "memory": "shared", "host": {host}, "f32_gflop_per_s": {figure},
                   "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}]}}"#
            );
            let machine = Machine::from_json(&text).unwrap();
            let mut opener = Opener::new(&machine);
            opener.topology = Topology::flat((0..8).collect()).granted(granted);
            assert_eq!(opener.host_cpus(&machine.devices[0]).unwrap().len(), own, "{host} {granted}");
        }
    }

    #[test]
    fn a_host_device_has_as_many_threads_as_its_description_says_and_spares_no_cores_then() {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        let cpus = Topology::detect().threads();
        let machine = |host: &str| {
            let text = format!(
                r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{{"id": 0, "name": "cpu", "kind": "host",
                   "type": "HOSTCPU", "memory": "shared", "host": {host}, "f32_gflop_per_s": {figure},
                   "f64_gflop_per_s": {figure}, "memory_gb_per_s": {figure}, "launch_us": {figure}}}]}}"#
            );
            Machine::from_json(&text).unwrap()
        };
        for (threads, has) in [(1, 1), (cpus, cpus), (cpus + 3, cpus)] {
            let machine = machine(&format!(r#"{{"threads": {{"value": {threads}, "source": "assumed"}}}}"#));
            let (entry, opener) = (&machine.devices[0], Opener::new(&machine));
            let Cpus { own, spare, note } = opener.cpus_of(entry).unwrap();
            assert_eq!((own.len(), spare.len()), (has, 0));
            assert_eq!(opener.host_cpus(entry).unwrap(), own);
            assert_eq!(note.is_some(), threads > has, "{note:?}");
            let device = opener.open(entry).unwrap().0;
            assert_eq!(device.pool().unwrap().current_num_threads(), has);
        }
        assert_eq!(Opener::new(&machine("{}")).host_cpus(&machine("{}").devices[0]).unwrap().len(), cpus);
    }

    #[test]
    fn opencl_on_the_hosts_cores_gets_as_many_and_none_of_those_that_are_the_hosts_own() {
        let figure = r#"{"value": 1, "source": "assumed"}"#;
        let way = format!(r#"{{"latency_us": {figure}, "bandwidth_gb_per_s": {figure}}}"#);
        let device = |id: usize, kind: &str, rest: &str| {
            format!(
                r#"{{"id": {id}, "name": "d{id}", {kind}, {rest}, "f32_gflop_per_s": {figure}, "f64_gflop_per_s": {figure},
                   "memory_gb_per_s": {figure}, "launch_us": {figure}}}"#
            )
        };
        let host = device(0, r#""kind": "host", "type": "HOSTCPU""#, r#""memory": "shared""#);
        let on = |kind: &str, memory: &str| {
            let link = format!(r#""link": {{"to": {way}, "from": {way}}}, "memory_gib": {figure}"#);
            let rest = if memory == "discrete" { link } else { r#""enabled": true"#.to_owned() };
            device(
                1,
                &format!(r#""kind": "opencl", "type": "{kind}", "opencl": {{"compute_units": 3}}"#),
                &format!(r#""memory": "{memory}", {rest}"#),
            )
        };
        // Of the CPU's cores as many as units; of an integrated GPU none; a GPU with its own memory needs one for its proxy.
        for (other, left) in
            [(on("OCLCPU", "shared"), [3, 0]), (on("OCLGPU", "shared"), [0, 0]), (on("OCLGPU", "discrete"), [1, 1])]
        {
            let text = format!(r#"{{"schema": "apportion.machine/1", "name": "test", "devices": [{host}, {other}]}}"#);
            let machine = Machine::from_json(&text).unwrap();
            let opener = Opener::new(&machine);
            assert_eq!([true, false].map(|beside| opener.cores_to_leave(8, beside)), left, "{other}");
        }
    }
}
