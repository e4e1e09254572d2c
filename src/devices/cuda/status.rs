//! CUDA's errors, and hints at what might help.

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use std::fmt;

/// A driver call that failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CudaError {
    /// The call's name in CUDA.
    pub call: &'static str,
    /// The code that it returned.
    pub code: CUresult,
}

/// Adds the call's name to a result's error.
pub trait Called<T> {
    /// The same result, with the call's name in the error.
    fn called(self, call: &'static str) -> Result<T, CudaError>;
}

impl<T> Called<T> for Result<T, DriverError> {
    fn called(self, call: &'static str) -> Result<T, CudaError> {
        self.map_err(|DriverError(code)| CudaError { call, code })
    }
}

impl CudaError {
    /// Whether memory is short, so that smaller chunks may help.
    pub fn out_of_memory(self) -> bool {
        self.code == CUresult::CUDA_ERROR_OUT_OF_MEMORY
    }

    /// Whether the system refuses to page-lock the memory, so that other GPUs would fail too.
    pub fn refuses_to_lock(self) -> bool {
        use CUresult::*;
        matches!(
            self.code,
            CUDA_ERROR_OUT_OF_MEMORY
                | CUDA_ERROR_NOT_SUPPORTED
                | CUDA_ERROR_NOT_PERMITTED
                | CUDA_ERROR_INVALID_VALUE
                | CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
        )
    }

    /// Whether the call did nothing, because it takes no such arguments.
    pub fn refuses_arguments(self) -> bool {
        self.code == CUresult::CUDA_ERROR_INVALID_VALUE
    }

    /// Whether some of the memory is page-locked already.
    pub fn is_locked_already(self) -> bool {
        self.code == CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
    }

    fn hint(self) -> Option<&'static str> {
        use CUresult::*;
        Some(match self.code {
            CUDA_ERROR_OUT_OF_MEMORY => {
                "other programs may use the GPU too: use smaller chunks, or leave this device out"
            }
            CUDA_ERROR_ILLEGAL_ADDRESS => "a kernel read or wrote outside of its arrays; compute-sanitizer says which",
            CUDA_ERROR_MISALIGNED_ADDRESS => {
                "a kernel used a vector type at an address that is no multiple of its size"
            }
            CUDA_ERROR_LAUNCH_FAILED | CUDA_ERROR_ASSERT | CUDA_ERROR_ILLEGAL_INSTRUCTION => {
                "a kernel failed while it ran; compute-sanitizer may say where"
            }
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => {
                "the kernel needs more registers or shared memory than a block of its grid can have: use smaller groups"
            }
            CUDA_ERROR_LAUNCH_TIMEOUT => "a kernel ran longer than this GPU, which has a display, allows",
            CUDA_ERROR_INVALID_VALUE => "compare the kernel's grid and parameters with what the device allows",
            CUDA_ERROR_NO_BINARY_FOR_GPU | CUDA_ERROR_INVALID_PTX | CUDA_ERROR_INVALID_IMAGE => {
                "the image is not for this GPU, or damaged"
            }
            CUDA_ERROR_UNSUPPORTED_PTX_VERSION => "the PTX is newer than this driver: update the driver",
            CUDA_ERROR_DEVICE_UNAVAILABLE => "another process has the GPU for itself",
            CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => "libcuda and the kernel's driver differ: restart after an update",
            CUDA_ERROR_ECC_UNCORRECTABLE => "the GPU's memory is damaged: look at `nvidia-smi -q`",
            _ => return None,
        })
    }
}

impl fmt::Display for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = DriverError(self.code);
        let words = error.error_string().ok().and_then(|text| text.to_str().ok()).unwrap_or("an unknown error");
        write!(f, "{}: {words} ({:?}, {})", self.call, self.code, self.code as u32)?;
        match self.hint() {
            Some(hint) => write!(f, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the driver's words, which are only available with a driver.
        write!(f, "CudaError({}, {:?})", self.call, self.code)
    }
}
