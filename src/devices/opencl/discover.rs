//! Finds the OpenCL devices of the machine, and the one that the options name.

use super::OpenClOptions;
use super::objects::{Owned, Part};
use super::status::{Called, ClError, NO_DRIVER};
use crate::units::Bytes;
use opencl3::device::{
    CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, Device,
};
use opencl3::error_codes::CL_DEVICE_NOT_FOUND;
use opencl3::platform::{Platform, get_platforms};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// The kind of an OpenCL device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoundKind {
    /// The CPU's cores.
    Cpu,
    /// A GPU.
    Gpu,
    /// Anything else.
    Accelerator,
}

impl fmt::Display for FoundKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Accelerator => "accelerator",
        })
    }
}

/// A device of an OpenCL platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its position among all devices of all platforms.
    pub index: usize,
    /// The platform's name.
    pub platform: String,
    /// The device's name.
    pub name: String,
    /// The device's vendor.
    pub vendor: String,
    /// The version of OpenCL, with the driver's additions.
    pub version: String,
    /// The device's kind.
    pub kind: FoundKind,
    /// Compute units: cores of a CPU, multiprocessors of a GPU.
    pub compute_units: u32,
    /// Bytes of device memory.
    pub global_mem: u64,
    /// Bytes of the largest single buffer.
    pub max_alloc: u64,
    /// Whether it works in host memory, so that nothing needs to be copied.
    pub unified: bool,
    /// Whether it supports `double`.
    pub fp64: bool,
    /// Whether it can be used at present: a driver also lists devices that are not there or taken.
    pub available: bool,
    /// Whether its driver can compile kernels from source.
    pub compiler: bool,
    /// Whether some of its compute units can form a device of their own.
    pub partitionable: bool,
}

impl Found {
    /// Whether these texts are parts of the platform's and the device's names, in upper or lower case.
    pub fn matches(&self, platform: Option<&str>, device: Option<&str>) -> bool {
        let has =
            |text: &str, part: Option<&str>| part.is_none_or(|part| text.to_lowercase().contains(&part.to_lowercase()));
        has(&self.platform, platform) && has(&self.name, device)
    }

    /// How many compute units [`OpenClOptions::compute_units`] may ask for.
    pub fn sub_device_units(&self) -> RangeInclusive<u32> {
        if self.partitionable { 1..=self.compute_units } else { self.compute_units..=self.compute_units }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}` of platform `{}` ({}, {} compute unit{}, {}{})",
            self.index,
            self.name,
            self.platform,
            self.kind,
            self.compute_units,
            if self.compute_units == 1 { "" } else { "s" },
            Bytes(self.global_mem),
            if self.unified { ", host memory" } else { "" }
        )
    }
}

/// Every device of every platform.
///
/// # Errors
/// A line: no loader, no driver, or drivers without a device, and what to install.
pub fn discover() -> Result<Vec<Found>, String> {
    Ok(discover_and_tell()?.0)
}

/// Every device of every platform, and a line for each platform or device that could not be asked.
///
/// # Errors
/// As [`discover`].
pub(crate) fn discover_and_tell() -> Result<(Vec<Found>, Vec<String>), String> {
    let (candidates, problems) = all()?;
    Ok((candidates.into_iter().map(|candidate| candidate.found).collect(), problems))
}

/// A device with its handles.
pub struct Candidate {
    pub platform: Platform,
    pub device: Device,
    pub found: Found,
}

/// All devices, and a line for each platform or device that could not be asked.
fn all() -> Result<(Vec<Candidate>, Vec<String>), String> {
    // PoCL 3.1 initialises its devices when they are first listed; a second thread may then get an incomplete one (seen as a
    // crash).
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _listing = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let platforms = get_platforms().called("clGetPlatformIDs").map_err(ClError::absent)?;
    if platforms.is_empty() {
        return Err(NO_DRIVER.to_owned());
    }
    let (mut candidates, mut problems) = (Vec::new(), Vec::new());
    for platform in platforms {
        let name = platform.name().unwrap_or_else(|_| "without a name".to_owned());
        let asked = of_platform(platform, name.trim(), &mut candidates, &mut problems);
        problems.extend(asked.err().map(|error| left_out(&format!("platform `{}`", name.trim()), error)));
    }
    if candidates.is_empty() {
        problems.insert(0, "no OpenCL device: there is a driver, but it offers none".to_owned());
        return Err(problems.join("; "));
    }
    Ok((candidates, problems))
}

fn left_out(what: &str, error: ClError) -> String {
    format!("OpenCL: {what} is left out: {error}")
}

/// Adds a platform's devices, and a line for each that cannot be asked what it is: the others can be used all the same.
fn of_platform(
    platform: Platform,
    name: &str,
    candidates: &mut Vec<Candidate>,
    problems: &mut Vec<String>,
) -> Result<(), ClError> {
    let devices = match platform.get_devices(CL_DEVICE_TYPE_ALL).called("clGetDeviceIDs") {
        Err(ClError { code: CL_DEVICE_NOT_FOUND, .. }) => return Ok(()),
        devices => devices?,
    };
    for (position, device) in devices.into_iter().map(Device::new).enumerate() {
        match describe(device, candidates.len(), name).called("clGetDeviceInfo") {
            Ok(found) => candidates.push(Candidate { platform, device, found }),
            Err(error) => problems.push(left_out(&format!("device {position} of platform `{name}`"), error)),
        }
    }
    Ok(())
}

fn describe(device: Device, index: usize, platform: &str) -> opencl3::Result<Found> {
    let kind = match device.dev_type()? {
        kind if kind & CL_DEVICE_TYPE_GPU != 0 => FoundKind::Gpu,
        kind if kind & CL_DEVICE_TYPE_CPU != 0 => FoundKind::Cpu,
        _ => FoundKind::Accelerator,
    };
    let compute_units = device.max_compute_units()?;
    // Drivers of OpenCL 1.1 know no partitions, and double precision only with the extension. An error there means no.
    let by_counts = device.partition_properties().unwrap_or_default().contains(&CL_DEVICE_PARTITION_BY_COUNTS);
    Ok(Found {
        index,
        platform: platform.to_owned(),
        name: device.name()?.trim().to_owned(),
        vendor: device.vendor()?.trim().to_owned(),
        version: device.version()?.trim().to_owned(),
        kind,
        compute_units,
        global_mem: device.global_mem_size()?,
        max_alloc: device.max_mem_alloc_size()?,
        unified: device.host_unified_memory()?,
        fp64: device.double_fp_config().is_ok_and(|config| config != 0),
        available: device.available()?,
        compiler: device.compiler_available()?,
        partitionable: by_counts && compute_units > 1,
    })
}

/// The device that `options` name.
///
/// # Errors
/// A message that lists the devices that exist.
pub fn select(options: &OpenClOptions) -> Result<Candidate, String> {
    let (mut candidates, problems) = all()?;
    let there: Vec<String> = candidates.iter().map(|candidate| candidate.found.to_string()).collect();
    candidates.retain(|Candidate { found, .. }| found.matches(options.platform.as_deref(), options.device.as_deref()));
    let matching = candidates.len();
    if options.index < matching {
        return Ok(candidates.swap_remove(options.index));
    }
    let mut wanted = vec![format!("index {}", options.index)];
    wanted.extend(options.platform.as_ref().map(|part| format!("`{part}` in its platform's name")));
    wanted.extend(options.device.as_ref().map(|part| format!("`{part}` in its name")));
    let problems: String = problems.iter().map(|problem| format!("; {problem}")).collect();
    Err(format!(
        "no OpenCL device has {}: {matching} of {} match the names (indices count from 0 among those); all that are here: \
         {}{problems}",
        wanted.join(" and "),
        there.len(),
        there.join("; ")
    ))
}

/// A sub-device with as many compute units as `options` ask for.
///
/// # Errors
/// A message that says how many are possible.
pub fn part(candidate: &Candidate, options: &OpenClOptions) -> Result<Option<Part>, String> {
    let found = &candidate.found;
    let (skip, all) = (options.skip_compute_units, found.compute_units);
    if options.compute_units.is_none() && skip > 0 {
        return Err(format!("`skip_compute_units` is {skip}: say in `compute_units` how many after those are meant"));
    }
    let Some(units) = options.compute_units.filter(|&units| units != all || skip != 0) else { return Ok(None) };
    if !found.partitionable {
        return Err(format!("`{}` cannot be divided: it runs on all its compute units ({all})", found.name));
    }
    if skip >= all {
        return Err(format!(
            "`{}` has {all} compute units, so none are left after the first {skip}: skip fewer",
            found.name
        ));
    }
    if units == 0 || units.checked_add(skip).is_none_or(|end| end > all) {
        return Err(format!(
            "`{}` has {all} compute units, so there are 1 to {} after the first {skip}, not {units}",
            found.name,
            all - skip
        ));
    }
    // One or two counts, the end of the counts, and the end of the properties.
    let mut properties = vec![CL_DEVICE_PARTITION_BY_COUNTS];
    properties.extend((skip > 0).then_some(skip as isize));
    properties.extend([units as isize, 0, 0]);
    let parts = candidate.device.create_sub_devices(&properties).called("clCreateSubDevices");
    let parts = parts.map_err(|error| format!("{units} compute units of `{}`: {error}", found.name))?;
    let mut parts: Vec<Part> = parts.into_iter().map(Owned::new).collect();
    // The sub-device of the skipped units is released.
    match parts.pop() {
        Some(part) => Ok(Some(part)),
        None => Err(format!("`{}` was divided into no parts", found.name)),
    }
}
