//! Finds the GPUs of the machine, and the one that a description names.
#![allow(unsafe_code, reason = "asks the CUDA driver")]

use super::libraries;
use super::status::CudaError;
use crate::units::Bytes;
use cudarc::driver::{result, sys};
use std::ffi::c_void;
use std::fmt;
use std::sync::OnceLock;

/// Every driver function that this backend calls, under the names that `cuda.h` maps them to. They are looked up before the first
/// call, because calling a missing one would end the program.
const REQUIRED: &[&str] = &[
    "cuCtxEnablePeerAccess",
    "cuCtxGetCurrent",
    "cuCtxGetStreamPriorityRange",
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceCanAccessPeer",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDeviceGetUuid",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemHostRegister_v2",
    "cuMemHostUnregister",
    "cuMemcpy3DPeerAsync",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyPeerAsync",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuPointerGetAttributes",
    "cuStreamCreate",
    "cuStreamCreateWithPriority",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// A CUDA GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGpu {
    /// Its ordinal in this process, as CUDA counts.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its UUID as `nvidia-smi -L` writes it, beginning with `GPU-`.
    pub uuid: String,
    /// Its compute capability, major and minor.
    pub capability: (i32, i32),
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of device memory.
    pub memory: u64,
    /// The number of its PCI bus.
    pub pci_bus: i32,
}

impl fmt::Display for FoundGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, name, uuid, capability: (major, minor), multiprocessors, memory, .. } = self;
        write!(
            f,
            "{index}: {name} (compute {major}.{minor}, {multiprocessors} multiprocessors, {}, {uuid})",
            Bytes(*memory)
        )
    }
}

/// All GPUs that CUDA shows to this process.
///
/// # Errors
/// A line: no driver, a driver that is too old, no GPU, or the driver's own error.
pub fn discover() -> Result<Vec<FoundGpu>, String> {
    let (found, silent) = asked()?;
    if found.is_empty() { Err(silent.join("; ")) } else { Ok(found) }
}

/// The GPUs that answer, and a line for each that does not, so that a GPU that has fallen off its bus does not make the others
/// unusable.
fn asked() -> Result<(Vec<FoundGpu>, Vec<String>), String> {
    static DRIVER: OnceLock<Result<usize, String>> = OnceLock::new();
    let count = DRIVER.get_or_init(start).clone()?;
    let (mut found, mut silent) = (Vec::new(), Vec::new());
    for index in 0..count {
        match describe(index) {
            Ok(gpu) => found.push(gpu),
            Err(error) => silent.push(format!("GPU {index} does not answer: {error}")),
        }
    }
    Ok((found, silent))
}

/// Loads and starts the driver, and gives the number of GPUs. Never panics.
fn start() -> Result<usize, String> {
    libraries::preload_driver();
    // SAFETY: opens the library of that name, if there is one.
    if !unsafe { sys::is_culib_present() } {
        return Err("no CUDA driver (libcuda.so.1): install NVIDIA's driver to use CUDA GPUs".to_owned());
    }
    // SAFETY: it is there, so this does not panic.
    let library = unsafe { sys::culib() };
    // SAFETY: the symbols are only looked up.
    let there = |name: &&&str| unsafe { library.get::<*const c_void>(name.as_bytes()) }.is_ok();
    if let Some(missing) = REQUIRED.iter().find(|name| !there(name)) {
        return Err(format!("the CUDA driver has no `{missing}`: update it to one for CUDA 12 or newer"));
    }
    match result::init().map_err(|error| error.0) {
        Ok(()) => {}
        Err(sys::CUresult::CUDA_ERROR_NO_DEVICE) => return Err("the CUDA driver finds no GPU".to_owned()),
        Err(code) => return Err(format!("the CUDA driver does not start: {}", CudaError { call: "cuInit", code })),
    }
    let mut version = 0;
    // SAFETY: `version` is written by the call.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    if asked == sys::CUresult::CUDA_SUCCESS && version < 12000 {
        let (major, minor) = (version / 1000, version % 1000 / 10);
        return Err(format!("the CUDA driver is for CUDA {major}.{minor}: update it to one for CUDA 12 or newer"));
    }
    match result::device::get_count() {
        Ok(0) => Err("the CUDA driver finds no GPU".to_owned()),
        Ok(count) => Ok(count as usize),
        Err(error) => Err(CudaError { call: "cuDeviceGetCount", code: error.0 }.to_string()),
    }
}

fn describe(index: usize) -> Result<FoundGpu, CudaError> {
    let call = |call: &'static str| move |error: cudarc::driver::DriverError| CudaError { call, code: error.0 };
    let device = result::device::get(index as i32).map_err(call("cuDeviceGet"))?;
    // SAFETY: the device is from `get`.
    let attribute = |attribute| unsafe { result::device::get_attribute(device, attribute) };
    let attribute = |name| attribute(name).map_err(call("cuDeviceGetAttribute"));
    use sys::CUdevice_attribute as A;
    Ok(FoundGpu {
        index,
        name: result::device::get_name(device).map_err(call("cuDeviceGetName"))?,
        uuid: uuid(&result::device::get_uuid(device).map_err(call("cuDeviceGetUuid"))?),
        capability: (
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        multiprocessors: attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.unsigned_abs(),
        // SAFETY: the device is from `get`.
        memory: unsafe { result::device::total_mem(device) }.map_err(call("cuDeviceTotalMem"))? as u64,
        pci_bus: attribute(A::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)?,
    })
}

fn uuid(uuid: &sys::CUuuid) -> String {
    let mut text = "GPU-".to_owned();
    for (position, byte) in uuid.bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&position) {
            text.push('-');
        }
        text.push_str(&format!("{:02x}", *byte as u8));
    }
    text
}

/// The GPU with this ordinal or UUID.
///
/// # Errors
/// That there is no such GPU, and which GPUs exist.
pub fn select(index: Option<usize>, wanted: Option<&str>) -> Result<FoundGpu, String> {
    let (found, silent) = asked()?;
    let meant = |gpu: &&FoundGpu| match wanted {
        Some(uuid) => gpu.uuid.eq_ignore_ascii_case(uuid),
        None => gpu.index == index.unwrap_or(0),
    };
    found.iter().find(meant).cloned().ok_or_else(|| {
        let there: Vec<String> =
            found.iter().map(|gpu| format!("  {gpu}")).chain(silent.iter().map(|why| format!("  {why}"))).collect();
        let wanted = wanted.map_or_else(|| format!("index {}", index.unwrap_or(0)), |uuid| format!("uuid {uuid}"));
        format!("there is no CUDA GPU with {wanted}; there are\n{}", there.join("\n"))
    })
}
