//! OpenCL's status codes: the call that returned them, and hints at what might help.

use opencl3::error_codes::{
    self, CL_COMPILER_NOT_AVAILABLE, CL_DEVICE_NOT_AVAILABLE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    CL_INVALID_ARG_SIZE, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_KERNEL, CL_INVALID_KERNEL_ARGS,
    CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, CL_PLATFORM_NOT_FOUND_KHR, DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED,
    error_text,
};
use opencl3::types::cl_int;
use std::fmt;

/// NVIDIA's own code for an illegal access.
const NV_ILLEGAL_ACCESS: cl_int = -9999;

/// A call that a driver refused, or a command that failed on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClError {
    /// The function, or a description of the command.
    pub call: &'static str,
    /// OpenCL's code.
    pub code: cl_int,
}

/// Adds the function's name to an error of opencl3, which does not have it.
pub trait Called<T> {
    /// The same result, with the function's name in the error.
    fn called(self, call: &'static str) -> Result<T, ClError>;
}

impl<T> Called<T> for opencl3::Result<T> {
    fn called(self, call: &'static str) -> Result<T, ClError> {
        self.map_err(|error_codes::ClError(code)| ClError { call, code })
    }
}

impl<T> Called<T> for Result<T, cl_int> {
    fn called(self, call: &'static str) -> Result<T, ClError> {
        self.map_err(|code| ClError { call, code })
    }
}

impl ClError {
    /// Whether the device, or the host, had too little memory.
    pub fn out_of_memory(self) -> bool {
        matches!(self.code, CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_RESOURCES | CL_OUT_OF_HOST_MEMORY)
    }

    /// What is missing when not even the platforms can be listed.
    pub fn absent(self) -> String {
        match self.code {
            DLOPEN_RUNTIME_LOAD_FAILED => "no OpenCL loader: install ocl-icd-libopencl1 or a GPU vendor's driver, or \
                                           name the loader's file in OPENCL_DYLIB_PATH"
                .to_owned(),
            CL_PLATFORM_NOT_FOUND_KHR => NO_DRIVER.to_owned(),
            _ => format!("OpenCL does not work here: {self}"),
        }
    }

    fn hint(self) -> Option<&'static str> {
        Some(match self.code {
            CL_DEVICE_NOT_AVAILABLE => "the device is in use or switched off",
            CL_COMPILER_NOT_AVAILABLE => "this driver has no compiler: install its compiler package",
            CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_HOST_MEMORY => {
                "out of memory: use smaller chunks, or leave this device out"
            }
            CL_OUT_OF_RESOURCES => {
                "out of resources: smaller chunks or groups may help; a kernel that reads outside of its arrays fails \
                 this way too"
            }
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST => "a command that this one waited for failed",
            CL_INVALID_KERNEL | CL_INVALID_ARG_SIZE | CL_INVALID_KERNEL_ARGS => {
                "compare the kernel's parameters with the calling convention and the bound arguments"
            }
            CL_INVALID_WORK_GROUP_SIZE => {
                "the group does not suit this kernel on this device: choose another group in its grid"
            }
            CL_INVALID_WORK_ITEM_SIZE => {
                "a dimension of the group is larger than the device allows: choose another group in its grid"
            }
            CL_INVALID_GLOBAL_WORK_SIZE => "the grid has more work-items than the device can count",
            DLOPEN_FUNCTION_NOT_AVAILABLE => "the OpenCL loader lacks this function: OpenCL 1.2 or newer is needed",
            NV_ILLEGAL_ACCESS => "NVIDIA's code for a kernel that reads or writes outside of its arrays",
            _ => return None,
        })
    }
}

/// The message for a loader without a driver.
pub const NO_DRIVER: &str = "no OpenCL driver: install a GPU vendor's, or pocl-opencl-icd for the CPU";

impl fmt::Display for ClError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.call, error_text(self.code), self.code)?;
        match self.hint() {
            Some(hint) => write!(f, ": {hint}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_call_the_code_its_name_and_what_might_help() {
        let text = ClError { call: "clCreateBuffer", code: -4 }.to_string();
        for part in ["clCreateBuffer", "-4", "CL_MEM_OBJECT_ALLOCATION_FAILURE", "smaller chunks"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
