//! Which OpenCL devices there are, and which one is meant.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::OpenClOptions;
use super::api::{self, Api, Handle};
use super::objects::{SubDevice, info, number, sizes, text};
use super::status::{ClError, DEVICE_NOT_FOUND, PLATFORM_NOT_FOUND};
use crate::units::Bytes;
use std::fmt;
use std::ops::RangeInclusive;
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// What an OpenCL device is.
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
    /// Its place among all devices of all platforms.
    pub index: usize,
    /// The platform's name.
    pub platform: String,
    /// The device's name.
    pub name: String,
    /// Who made it.
    pub vendor: String,
    /// OpenCL's version and the driver's words on it.
    pub version: String,
    /// What it is.
    pub kind: FoundKind,
    /// Compute units: cores of a CPU, multiprocessors of a GPU.
    pub compute_units: u32,
    /// Bytes of its memory.
    pub global_mem: u64,
    /// Bytes of the largest single buffer.
    pub max_alloc: u64,
    /// Whether it works in host memory, so that nothing need be copied.
    pub unified: bool,
    /// Whether it knows `double`.
    pub fp64: bool,
    /// Whether a part of its compute units can be a device of its own.
    pub partitionable: bool,
}

impl Found {
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
/// A line: no loader, no driver, or drivers without a device; and what to install.
pub fn discover() -> Result<Vec<Found>, String> {
    Ok(all(api::get()?)?.into_iter().map(|candidate| candidate.found).collect())
}

/// A device with its handles.
pub struct Candidate {
    pub platform: Handle,
    pub device: Handle,
    pub found: Found,
}

pub fn all(api: &'static Api) -> Result<Vec<Candidate>, String> {
    // PoCL 3.1 sets its devices up when they are first listed, and gives a second thread half of one (seen as a crash).
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _listing = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let platforms = match list("clGetPlatformIDs", |n, out, count| {
        // SAFETY: `out` has room for `n` handles, or is null with `n` 0.
        unsafe { (api.clGetPlatformIDs)(n, out, count) }
    }) {
        Ok(platforms) if !platforms.is_empty() => platforms,
        Ok(_) | Err(ClError { code: PLATFORM_NOT_FOUND, .. }) => {
            return Err("no OpenCL driver: install a GPU vendor's, or pocl-opencl-icd for the CPU".to_owned());
        }
        Err(error) => return Err(format!("OpenCL does not work here: {error}")),
    };
    let (mut candidates, mut problems) = (Vec::new(), Vec::new());
    for platform in platforms {
        if let Err(error) = of_platform(api, platform, &mut candidates) {
            problems.push(error.to_string());
        }
    }
    if candidates.is_empty() {
        problems.insert(0, "no OpenCL device: there is a driver, but it offers none".to_owned());
        return Err(problems.join("; "));
    }
    Ok(candidates)
}

fn of_platform(api: &'static Api, platform: Handle, candidates: &mut Vec<Candidate>) -> Result<(), ClError> {
    const CL_DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
    const CL_PLATFORM_NAME: u32 = 0x0902;
    let platform_name = text(&info("clGetPlatformInfo", |n, out, size| {
        // SAFETY: `platform` came from the library; `out` has room for `n` bytes, or is null with `n` 0.
        unsafe { (api.clGetPlatformInfo)(platform, CL_PLATFORM_NAME, n, out, size) }
    })?);
    let devices = list("clGetDeviceIDs", |n, out, count| {
        // SAFETY: as above, for `n` handles.
        unsafe { (api.clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, n, out, count) }
    });
    let devices = match devices {
        Err(ClError { code: DEVICE_NOT_FOUND, .. }) => return Ok(()),
        devices => devices?,
    };
    for device in devices {
        let found = describe(api, device, candidates.len(), &platform_name)?;
        candidates.push(Candidate { platform, device, found });
    }
    Ok(())
}

fn describe(api: &'static Api, device: Handle, index: usize, platform: &str) -> Result<Found, ClError> {
    let get = |property| device_info(api, device, property);
    let kind = match number(&get(0x1000)?) {
        kind if kind & 4 != 0 => FoundKind::Gpu,
        kind if kind & 2 != 0 => FoundKind::Cpu,
        _ => FoundKind::Accelerator,
    };
    let compute_units = number(&get(CL_DEVICE_MAX_COMPUTE_UNITS)?) as u32;
    // Drivers of OpenCL 1.1 know neither partitions nor, without the extension, double precision: no, then.
    let partitions = get(CL_DEVICE_PARTITION_PROPERTIES).unwrap_or_default();
    let by_counts = sizes(&partitions).contains(&(CL_DEVICE_PARTITION_BY_COUNTS as usize));
    Ok(Found {
        index,
        platform: platform.to_owned(),
        name: text(&get(0x102B)?),
        vendor: text(&get(0x102C)?),
        version: text(&get(0x102F)?),
        kind,
        compute_units,
        global_mem: number(&get(0x101F)?),
        max_alloc: number(&get(0x1010)?),
        unified: number(&get(0x1035)?) != 0,
        fp64: get(0x1032).is_ok_and(|config| number(&config) != 0),
        partitionable: by_counts && compute_units > 1,
    })
}

const CL_DEVICE_MAX_COMPUTE_UNITS: u32 = 0x1002;
const CL_DEVICE_PARTITION_PROPERTIES: u32 = 0x1044;
const CL_DEVICE_PARTITION_BY_COUNTS: isize = 0x1087;

/// A property of a device.
pub fn device_info(api: &'static Api, device: Handle, property: u32) -> Result<Vec<u8>, ClError> {
    info("clGetDeviceInfo", |n, out, size| {
        // SAFETY: `device` came from the library; `out` has room for `n` bytes, or is null with `n` 0.
        unsafe { (api.clGetDeviceInfo)(device, property, n, out, size) }
    })
}

fn list(call: &'static str, query: impl Fn(u32, *mut Handle, *mut u32) -> i32) -> Result<Vec<Handle>, ClError> {
    let mut count = 0;
    ClError::check(call, query(0, ptr::null_mut(), &mut count))?;
    let mut handles = vec![ptr::null_mut(); count as usize];
    if count > 0 {
        ClError::check(call, query(count, handles.as_mut_ptr(), ptr::null_mut()))?;
    }
    Ok(handles)
}

/// The device that `options` mean.
///
/// # Errors
/// A message that lists what there is.
pub fn select(api: &'static Api, options: &OpenClOptions) -> Result<Candidate, String> {
    let mut candidates = all(api)?;
    let there: Vec<String> = candidates.iter().map(|candidate| candidate.found.to_string()).collect();
    let has = |text: &str, part: &Option<String>| {
        part.as_ref().is_none_or(|part| text.to_lowercase().contains(&part.to_lowercase()))
    };
    candidates
        .retain(|Candidate { found, .. }| has(&found.platform, &options.platform) && has(&found.name, &options.device));
    let matching = candidates.len();
    if options.index < matching {
        return Ok(candidates.swap_remove(options.index));
    }
    let mut wanted = vec![format!("index {}", options.index)];
    wanted.extend(options.platform.as_ref().map(|part| format!("`{part}` in its platform's name")));
    wanted.extend(options.device.as_ref().map(|part| format!("`{part}` in its name")));
    Err(format!(
        "no OpenCL device has {}: {matching} match the names (indices count from 0 among those); there are {}",
        wanted.join(", "),
        there.join("; ")
    ))
}

/// A sub-device of as many compute units as `options` say.
///
/// # Errors
/// A message that says how many there may be.
pub fn part(api: &'static Api, candidate: &Candidate, options: &OpenClOptions) -> Result<Option<SubDevice>, String> {
    let found = &candidate.found;
    let (skip, all) = (options.skip_compute_units, found.compute_units);
    let Some(units) = options.compute_units.filter(|&units| units != all || skip != 0) else { return Ok(None) };
    if !found.partitionable {
        return Err(format!("`{}` cannot be divided: it runs on all its compute units ({all})", found.name));
    }
    if units == 0 || units.checked_add(skip).is_none_or(|end| end > all) {
        return Err(format!(
            "`{}` has {all} compute units, so there are 1 to {} after the first {skip}, not {units}",
            found.name,
            all.saturating_sub(skip)
        ));
    }
    let mut properties = vec![CL_DEVICE_PARTITION_BY_COUNTS];
    properties.extend((skip > 0).then_some(skip as isize));
    properties.extend([units as isize, 0, 0]);
    let mut devices = [ptr::null_mut(); 2];
    let mine = usize::from(skip > 0);
    // SAFETY: the properties are a list of one or two counts that ends with 0, and a 0 that ends the properties; there
    // is room for as many devices.
    let code = unsafe {
        (api.clCreateSubDevices)(
            candidate.device,
            properties.as_ptr(),
            mine as u32 + 1,
            devices.as_mut_ptr(),
            ptr::null_mut(),
        )
    };
    ClError::check("clCreateSubDevices", code)
        .map_err(|error| format!("{units} compute units of `{}`: {error}", found.name))?;
    // The units before are given back.
    drop((mine == 1).then(|| SubDevice { raw: devices[0], api }));
    Ok(Some(SubDevice { raw: devices[mine], api }))
}
