//! The packages, NUMA nodes and cores of the CPUs that this process may use.
//!
//! libhwloc describes them where it is installed. It is opened at run time, so that the program starts without it, and returns only
//! opaque pointers and text (XML), so no struct layout can go wrong. Without it `/sys` is read, and without that every CPU counts
//! as a core of its own.
//!
//! The result is cut down to the process's affinity mask, which reflects what a batch system, a container or `taskset` allows. A
//! pool with a thread for each CPU of the machine would run several threads on each allowed CPU. A control group may grant less
//! time than that of the CPUs in the mask; more threads than that would stop together once it is used up.
#![expect(unsafe_code, reason = "calls libhwloc and the system's affinity calls")]

pub use crate::model::machine::CpuList;

use crate::units::Bytes;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// The CPUs that this process may use, and how they are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// The packages (sockets) with at least one usable CPU.
    pub packages: Vec<Package>,
    /// The NUMA nodes with at least one usable CPU; memory without CPUs of its own is listed with the CPUs near it.
    pub numa_nodes: Vec<NumaNode>,
    /// The cores with at least one usable CPU. Each usable CPU is in exactly one.
    pub cores: Vec<Core>,
    /// All usable CPUs.
    pub cpus: CpuList,
    /// How many CPUs' time the process gets, where a control group grants it less than that of all usable CPUs: a container
    /// started with `--cpus`, or a CPU limit of Kubernetes.
    pub granted: Option<usize>,
    /// The source of this information.
    pub source: HowKnown,
}

/// A processor package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The system's number.
    pub os_index: usize,
    /// Its usable CPUs.
    pub cpus: CpuList,
}

/// Memory and the CPUs near it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumaNode {
    /// The system's number.
    pub os_index: usize,
    /// Its usable CPUs.
    pub cpus: CpuList,
    /// The size of the memory; zero where it is not known.
    pub memory: Bytes,
}

/// A core: the CPUs (hardware threads) that share its execution units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// Its usable CPUs.
    pub cpus: CpuList,
    /// The core's speed relative to the machine's other cores, in no particular unit: the kernel's `cpu_capacity`, or else the
    /// highest frequency. `None` where the system does not say.
    pub speed: Option<u64>,
}

/// The source of a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowKnown {
    /// From libhwloc.
    Hwloc,
    /// From `/sys`.
    Sys,
    /// From neither: each CPU of the process's mask counts as a core.
    MaskOnly,
}

impl fmt::Display for HowKnown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hwloc => "hwloc",
            Self::Sys => "/sys",
            Self::MaskOnly => "the affinity mask alone",
        })
    }
}

const SYS: &str = "/sys/devices/system";

/// The processor's model name; the architecture where the system does not tell.
pub fn cpu_model() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| model_name(&text).map(str::to_owned));
    told.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn model_name(cpuinfo: &str) -> Option<&str> {
    let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let name = fields.filter(|(key, _)| key.trim() == "model name").map(|(_, name)| name.trim()).next();
    name.filter(|name| !name.is_empty())
}

impl Topology {
    /// This process's CPUs on this machine. Never fails: where nothing can be found out, a flat topology is assumed, and
    /// [`Topology::source`] says so.
    pub fn detect() -> Self {
        let allowed = current_affinity()
            .unwrap_or_else(|_| (0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get)).collect());
        let sys = Path::new(SYS);
        let from_hwloc = hwloc_xml().and_then(|xml| Self::from_hwloc_xml(&xml, &allowed)).ok().map(|mut topology| {
            for core in &mut topology.cores {
                core.speed = core.cpus.first().and_then(|cpu| core_speed(sys, cpu));
            }
            topology
        });
        let found = from_hwloc.or_else(|| Self::from_sys(sys, &allowed).ok()).unwrap_or_else(|| Self::flat(allowed));
        // The standard library knows affinity and control groups.
        let granted = std::thread::available_parallelism().ok().map(std::num::NonZero::get);
        found.granted(granted.unwrap_or(usize::MAX))
    }

    /// The topology in an XML export of hwloc (`lstopo machine.xml`), cut down to the CPUs in `allowed`.
    ///
    /// # Errors
    /// What is wrong with the text, or that it contains none of those CPUs.
    pub fn from_hwloc_xml(xml: &str, allowed: &CpuList) -> Result<Self, String> {
        // hwloc's XML has a DOCTYPE.
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(xml, options)
            .map_err(|error| format!("the topology is no XML: {error}"))?;
        if !document.root_element().has_tag_name("topology") {
            return Err(format!("the topology is in <{}>, not <topology>", document.root_element().tag_name().name()));
        }
        let objects = |types: &'static [&'static str]| {
            document
                .descendants()
                .filter(move |node| {
                    node.has_tag_name("object") && node.attribute("type").is_some_and(|kind| types.contains(&kind))
                })
                .map(|node| {
                    let number = |name| node.attribute(name).and_then(|text| text.parse::<u64>().ok());
                    let os_index = number("os_index").unwrap_or(0) as usize;
                    let cpus = bitmap(node.attribute("cpuset").unwrap_or(""))?.intersection(allowed);
                    Ok((os_index, cpus, number("local_memory").unwrap_or(0)))
                })
                .filter(|object: &Result<_, String>| !object.as_ref().is_ok_and(|(_, cpus, _)| cpus.is_empty()))
                .collect::<Result<Vec<(usize, CpuList, u64)>, _>>()
        };
        let cpus = objects(&["PU"])?.iter().flat_map(|(_, cpus, _)| cpus.iter()).collect();
        Self {
            // hwloc 1.x called packages sockets.
            packages: objects(&["Package", "Socket"])?
                .into_iter()
                .map(|(os_index, cpus, _)| Package { os_index, cpus })
                .collect(),
            numa_nodes: objects(&["NUMANode"])?
                .into_iter()
                .map(|(os_index, cpus, memory)| NumaNode { os_index, cpus, memory: Bytes(memory) })
                .collect(),
            cores: objects(&["Core"])?.into_iter().map(|(_, cpus, _)| Core { cpus, speed: None }).collect(),
            cpus,
            granted: None,
            source: HowKnown::Hwloc,
        }
        .completed()
    }

    /// The topology in a tree like `/sys/devices/system`, cut down to the CPUs in `allowed`.
    ///
    /// # Errors
    /// What cannot be read, or that the tree contains none of those CPUs.
    pub fn from_sys(root: &Path, allowed: &CpuList) -> Result<Self, String> {
        let online: CpuList = read(&root.join("cpu/online"))?.parse()?;
        let cpus = online.intersection(allowed);
        let mut packages: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut cores: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for cpu in cpus.iter() {
            let number = |name: &str| read(&root.join(format!("cpu/cpu{cpu}/topology/{name}"))).ok()?.parse().ok();
            // Where the system does not know, it writes -1 or nothing; each CPU then counts as a core.
            let (Some(package), Some(core)) = (number("physical_package_id"), number("core_id")) else { continue };
            packages.entry(package).or_default().push(cpu);
            // Core numbers repeat from die to die; lists of siblings do not.
            let siblings = ["core_cpus_list", "thread_siblings_list"].into_iter().find_map(|name| {
                read(&root.join(format!("cpu/cpu{cpu}/topology/{name}"))).ok()?.parse::<CpuList>().ok()?.first()
            });
            let key = siblings.map_or((package, core), |first| (usize::MAX, first));
            cores.entry(key).or_default().push(cpu);
        }
        let collected = |cpus: Vec<usize>| cpus.into_iter().collect::<CpuList>();
        Self {
            packages: packages
                .into_iter()
                .map(|(os_index, cpus)| Package { os_index, cpus: collected(cpus) })
                .collect(),
            numa_nodes: sys_nodes(root, &cpus),
            cores: cores
                .into_values()
                .map(|cpus| Core { speed: cpus.first().and_then(|&cpu| core_speed(root, cpu)), cpus: collected(cpus) })
                .collect(),
            cpus,
            granted: None,
            source: HowKnown::Sys,
        }
        .completed()
    }

    pub(crate) fn flat(cpus: CpuList) -> Self {
        let cpus = if cpus.is_empty() { [0].into_iter().collect() } else { cpus };
        Self {
            packages: vec![Package { os_index: 0, cpus: cpus.clone() }],
            numa_nodes: vec![NumaNode { os_index: 0, cpus: cpus.clone(), memory: Bytes(0) }],
            cores: cpus.iter().map(|cpu| Core { cpus: [cpu].into_iter().collect(), speed: None }).collect(),
            cpus,
            granted: None,
            source: HowKnown::MaskOnly,
        }
    }

    /// Fills in what the source left out, so that there is a core for each usable CPU, and at least one node and one package.
    fn completed(mut self) -> Result<Self, String> {
        if self.cpus.is_empty() {
            return Err("the topology has none of the CPUs that this process may use".to_owned());
        }
        let flat = Self::flat(self.cpus.clone());
        self.cores.extend(
            flat.cores
                .into_iter()
                .filter(|single| {
                    single.cpus.first().is_some_and(|cpu| !self.cores.iter().any(|core| core.cpus.contains(cpu)))
                })
                .collect::<Vec<_>>(),
        );
        self.cores.sort_by_key(|core| core.cpus.first());
        if self.numa_nodes.is_empty() {
            self.numa_nodes = flat.numa_nodes;
        }
        if self.packages.is_empty() {
            self.packages = flat.packages;
        }
        self.numa_nodes.sort_by_key(|node| node.os_index);
        self.packages.sort_by_key(|package| package.os_index);
        Ok(self)
    }

    /// This topology where the process gets the time of that many CPUs.
    #[must_use]
    pub fn granted(mut self, cpus: usize) -> Self {
        self.granted = (cpus < self.cpus.len()).then_some(cpus.max(1));
        self
    }

    /// How many threads can run at once: one for each usable CPU, or fewer if less time is granted.
    pub fn threads(&self) -> usize {
        self.granted.unwrap_or_else(|| self.cpus.len()).max(1)
    }

    /// One line for people: `2 packages, 2 NUMA nodes, 8 cores, 16 CPUs (0-15), by hwloc`.
    pub fn describe(&self) -> String {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut line = [
            count(self.packages.len(), "package"),
            count(self.numa_nodes.len(), "NUMA node"),
            count(self.cores.len(), "core"),
            format!("{} ({})", count(self.cpus.len(), "CPU"), self.cpus),
        ]
        .join(", ");
        if let Some(ratio) = self.unequal_cores() {
            line += &format!(", the fastest core {ratio:.1} x the slowest");
        }
        if let Some(granted) = self.granted {
            line += &format!(", of which the time of {granted} is granted");
        }
        line + &format!(", by {}", self.source)
    }

    /// How many times faster the fastest core is than the slowest, where they are of different kinds.
    ///
    /// Cores of one kind differ by a few per cent in the frequencies that they reach, so a ratio below 1.2 counts as equal.
    pub fn unequal_cores(&self) -> Option<f64> {
        let speeds = || self.cores.iter().filter_map(|core| core.speed).filter(|&speed| speed > 0);
        let ratio = speeds().max()? as f64 / speeds().min()? as f64;
        (ratio >= 1.2).then_some(ratio)
    }

    /// The usable CPUs: the first of each core, then the second of each core, and so on. A pool of fewer threads than CPUs takes
    /// them in this order.
    pub fn cpus_core_first(&self) -> Vec<usize> {
        let threads = self.cores.iter().map(|core| core.cpus.len()).max().unwrap_or(0);
        (0..threads).flat_map(|nth| self.cores.iter().filter_map(move |core| core.cpus.iter().nth(nth))).collect()
    }

    /// The NUMA node that `cpu` is on.
    pub fn node_of(&self, cpu: usize) -> Option<&NumaNode> {
        self.numa_nodes.iter().find(|node| node.cpus.contains(cpu))
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map(|text| text.trim().to_owned())
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

fn core_speed(root: &Path, cpu: usize) -> Option<u64> {
    let number = |name: &str| read(&root.join(format!("cpu/cpu{cpu}/{name}"))).ok()?.parse().ok();
    number("cpu_capacity").or_else(|| number("cpufreq/cpuinfo_max_freq"))
}

fn sys_nodes(root: &Path, usable: &CpuList) -> Vec<NumaNode> {
    let node = |os_index: usize| {
        let folder = root.join(format!("node/node{os_index}"));
        let cpus = read(&folder.join("cpulist")).ok()?.parse::<CpuList>().ok()?.intersection(usable);
        // "Node 0 MemTotal:       32768000 kB", where kB is 1024 bytes.
        let memory = read(&folder.join("meminfo")).ok().and_then(|text| {
            let line = text.lines().find(|line| line.contains("MemTotal:"))?;
            line.split_whitespace().rev().nth(1)?.parse::<u64>().ok()
        });
        (!cpus.is_empty()).then(|| NumaNode { os_index, cpus, memory: Bytes(memory.unwrap_or(0).saturating_mul(1024)) })
    };
    let online = read(&root.join("node/online")).ok().and_then(|text| text.parse::<CpuList>().ok()).unwrap_or_default();
    online.iter().filter_map(node).collect()
}

/// A bit set as hwloc writes it: 32-bit words from the highest to the lowest, `0x00000001,,0xffffffff`; an empty word is
/// zero.
fn bitmap(text: &str) -> Result<CpuList, String> {
    let mut cpus = Vec::new();
    for (word_index, word) in text.split(',').rev().enumerate() {
        let digits = word.trim().trim_start_matches("0x");
        if digits.is_empty() {
            continue;
        }
        let word = u32::from_str_radix(digits, 16).map_err(|_| format!("`{text}` is no CPU set of hwloc"))?;
        cpus.extend((0..32).filter(|bit| word >> bit & 1 == 1).map(|bit| word_index * 32 + bit));
    }
    Ok(cpus.into_iter().collect())
}

// --- libhwloc ---

#[cfg(unix)]
fn hwloc_xml() -> Result<String, String> {
    use std::ffi::{CStr, c_char, c_int, c_ulong, c_void};
    type Handle = *mut c_void;

    let names = ["libhwloc.so.15", "libhwloc.so", "libhwloc.15.dylib", "libhwloc.dylib"];
    // SAFETY: libhwloc's initialisers and finalisers do no more than register its own components.
    let library = names
        .iter()
        .find_map(|name| unsafe { libloading::Library::new(*name) }.ok())
        .ok_or_else(|| "libhwloc is not installed".to_owned())?;
    macro_rules! function {
        ($name:literal, $signature:ty) => {
            // SAFETY: the signature is that of hwloc.h, the same in all 2.x (the only one with so-version 15).
            *unsafe { library.get::<$signature>($name) }.map_err(|error| error.to_string())?
        };
    }
    let init = function!(b"hwloc_topology_init\0", unsafe extern "C" fn(*mut Handle) -> c_int);
    let load = function!(b"hwloc_topology_load\0", unsafe extern "C" fn(Handle) -> c_int);
    let export = function!(
        b"hwloc_topology_export_xmlbuffer\0",
        unsafe extern "C" fn(Handle, *mut *mut c_char, *mut c_int, c_ulong) -> c_int
    );
    let free = function!(b"hwloc_free_xmlbuffer\0", unsafe extern "C" fn(Handle, *mut c_char));
    let destroy = function!(b"hwloc_topology_destroy\0", unsafe extern "C" fn(Handle));

    let mut topology: Handle = std::ptr::null_mut();
    // SAFETY: a valid place for the handle; the library stays loaded until the end of this function.
    if unsafe { init(&raw mut topology) } != 0 {
        return Err("hwloc_topology_init failed".to_owned());
    }
    let mut text: *mut c_char = std::ptr::null_mut();
    let mut length: c_int = 0;
    // SAFETY: `topology` was initialised and is not yet loaded; then it is loaded, and the places are valid. The export
    // is asked for only after a load that succeeded.
    let exported = unsafe { load(topology) == 0 && export(topology, &raw mut text, &raw mut length, 0) == 0 };
    let xml = if exported && !text.is_null() {
        // SAFETY: a successful export gives a text that ends in a null byte and stays until it is freed below.
        Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    } else {
        Err("libhwloc could not describe this machine".to_owned())
    };
    // SAFETY: `text` came from this topology's export and is freed once, before the topology, which is destroyed once.
    unsafe {
        if !text.is_null() {
            free(topology, text);
        }
        destroy(topology);
    }
    xml
}

#[cfg(not(unix))]
fn hwloc_xml() -> Result<String, String> {
    Err("libhwloc is only looked for on Unix".to_owned())
}

// --- affinity ---

/// Bits in one word of the system's CPU mask.
#[cfg(target_os = "linux")]
const WORD_BITS: usize = libc::c_ulong::BITS as usize;

/// The CPUs that the calling thread may run on.
///
/// # Errors
/// The system's error; `Unsupported` on systems other than Linux.
#[cfg(target_os = "linux")]
pub fn current_affinity() -> io::Result<CpuList> {
    // The kernel refuses a mask smaller than its own, and does not say how large its own is.
    let mut words = 1024 / WORD_BITS;
    loop {
        let mut mask: Vec<libc::c_ulong> = vec![0; words];
        // SAFETY: the kernel writes at most so many bytes to the mask, and any bit pattern is a valid word.
        let status = unsafe { libc::sched_getaffinity(0, size_of_val(&mask[..]), mask.as_mut_ptr().cast()) };
        if status == 0 {
            let bits = |(index, word): (usize, &libc::c_ulong)| {
                let word = *word;
                (0..WORD_BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * WORD_BITS + bit)
            };
            return Ok(mask.iter().enumerate().flat_map(bits).collect());
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() != Some(libc::EINVAL) || words * WORD_BITS > CpuList::LARGEST {
            return Err(error);
        }
        words *= 2;
    }
}

/// Keeps the calling thread on `cpus` from now on.
///
/// # Errors
/// `InvalidInput` when none of the CPUs exists or may be used, otherwise the system's error; `Unsupported` on systems other than
/// Linux.
#[cfg(target_os = "linux")]
pub fn bind_current_thread_to(cpus: &CpuList) -> io::Result<()> {
    let Some(last) = cpus.iter().next_back() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no CPU to bind to"));
    };
    if last > CpuList::LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("there is no CPU {last}")));
    }
    let mut mask: Vec<libc::c_ulong> = vec![0; last / WORD_BITS + 1];
    for cpu in cpus.iter() {
        mask[cpu / WORD_BITS] |= 1 << (cpu % WORD_BITS);
    }
    // SAFETY: the kernel reads so many bytes of the mask; 0 is the calling thread.
    match unsafe { libc::sched_setaffinity(0, size_of_val(&mask[..]), mask.as_ptr().cast()) } {
        0 => Ok(()),
        _ => {
            let error = io::Error::last_os_error();
            let what = format!("this thread cannot be bound to CPU {cpus}: {error}");
            Err(io::Error::new(error.kind(), what))
        }
    }
}

/// The CPUs that the calling thread may run on.
///
/// # Errors
/// Always: only Linux is supported.
#[cfg(not(target_os = "linux"))]
pub fn current_affinity() -> io::Result<CpuList> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Keeps the calling thread on `cpus` from now on.
///
/// # Errors
/// Always: only Linux is supported.
#[cfg(not(target_os = "linux"))]
pub fn bind_current_thread_to(_cpus: &CpuList) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Keeps the calling thread on one CPU from now on.
///
/// # Errors
/// As [`bind_current_thread_to`].
pub fn bind_current_thread(cpu: usize) -> io::Result<()> {
    bind_current_thread_to(&[cpu].into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_s_name_is_found_or_not() {
        assert_eq!(model_name("processor\t: 0\nmodel name\t: A: B 7 \nmodel name\t: C\n"), Some("A: B 7"));
        for none in ["", "processor: 0", "model name :  ", ":"] {
            assert_eq!(model_name(none), None, "{none}");
        }
    }

    #[test]
    fn less_time_than_that_of_all_cpus_is_told() {
        let eight = Topology::flat((0..8).collect());
        assert_eq!((eight.threads(), eight.granted), (8, None));
        for (granted, threads) in [(0, 1), (2, 2), (7, 7)] {
            let some = eight.clone().granted(granted);
            assert_eq!(some.threads(), threads);
            assert!(
                some.describe().contains(&format!("of which the time of {threads} is granted")),
                "{}",
                some.describe()
            );
        }
        for enough in [8, 64] {
            assert_eq!(eight.clone().granted(enough), eight);
        }
    }

    #[test]
    fn bit_sets_of_hwloc_are_read() {
        for (text, expected) in [
            ("0x0000000f", "0-3"),
            ("0x00000001,0x80000000", "31,32"),
            ("0x00000002,,0x00000001", "0,65"),
            ("0x0", ""),
            ("", ""),
        ] {
            assert_eq!(bitmap(text).unwrap().to_string(), expected, "{text}");
        }
        assert!(bitmap("0xf...f").is_err() && bitmap("x").is_err());
    }
}
