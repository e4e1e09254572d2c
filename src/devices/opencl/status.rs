//! OpenCL's status codes: their names, and what might help.

use std::fmt;

pub const DEVICE_NOT_FOUND: i32 = -1;
pub const BUILD_PROGRAM_FAILURE: i32 = -11;
pub const INVALID_KERNEL_NAME: i32 = -46;
pub const PLATFORM_NOT_FOUND: i32 = -1001;

/// A call that a driver refused, or a command that failed on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClError {
    /// The function, or what the command was.
    pub call: &'static str,
    /// OpenCL's code.
    pub code: i32,
}

impl ClError {
    /// `Ok` where a call says CL_SUCCESS.
    pub fn check(call: &'static str, code: i32) -> Result<(), Self> {
        if code == 0 { Ok(()) } else { Err(Self { call, code }) }
    }

    /// Whether the device, or the host, had too little memory for it.
    pub fn out_of_memory(self) -> bool {
        // CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY
        matches!(self.code, -6..=-4)
    }

    fn hint(self) -> Option<&'static str> {
        Some(match self.code {
            -2 => "the device is in use or switched off",
            -3 => "this driver has no compiler: install its compiler package",
            -4 | -6 => "out of memory: use smaller chunks, or leave this device out",
            -5 => {
                "out of resources: smaller chunks or groups may help; a kernel that reads outside of its arrays fails \
                 this way too"
            }
            -14 => "a command that this one waited for failed",
            -48 | -51 | -52 => "compare the kernel's parameters with the calling convention and the bound arguments",
            -54 => "the group does not suit this kernel on this device: choose another group in its grid",
            -55 => "a dimension of the group is larger than the device allows: choose another group in its grid",
            -63 => "the grid has more work-items than the device can count",
            -9999 => "NVIDIA's code for a kernel that reads or writes outside of its arrays",
            _ => return None,
        })
    }
}

impl fmt::Display for ClError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.call, name(self.code), self.code)?;
        match self.hint() {
            Some(hint) => write!(f, ": {hint}"),
            None => Ok(()),
        }
    }
}

/// The name of a status code in the OpenCL specification.
pub fn name(code: i32) -> &'static str {
    match code {
        0 => "CL_SUCCESS",
        -1 => "CL_DEVICE_NOT_FOUND",
        -2 => "CL_DEVICE_NOT_AVAILABLE",
        -3 => "CL_COMPILER_NOT_AVAILABLE",
        -4 => "CL_MEM_OBJECT_ALLOCATION_FAILURE",
        -5 => "CL_OUT_OF_RESOURCES",
        -6 => "CL_OUT_OF_HOST_MEMORY",
        -7 => "CL_PROFILING_INFO_NOT_AVAILABLE",
        -8 => "CL_MEM_COPY_OVERLAP",
        -9 => "CL_IMAGE_FORMAT_MISMATCH",
        -10 => "CL_IMAGE_FORMAT_NOT_SUPPORTED",
        -11 => "CL_BUILD_PROGRAM_FAILURE",
        -12 => "CL_MAP_FAILURE",
        -13 => "CL_MISALIGNED_SUB_BUFFER_OFFSET",
        -14 => "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
        -15 => "CL_COMPILE_PROGRAM_FAILURE",
        -16 => "CL_LINKER_NOT_AVAILABLE",
        -17 => "CL_LINK_PROGRAM_FAILURE",
        -18 => "CL_DEVICE_PARTITION_FAILED",
        -19 => "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
        -30 => "CL_INVALID_VALUE",
        -31 => "CL_INVALID_DEVICE_TYPE",
        -32 => "CL_INVALID_PLATFORM",
        -33 => "CL_INVALID_DEVICE",
        -34 => "CL_INVALID_CONTEXT",
        -35 => "CL_INVALID_QUEUE_PROPERTIES",
        -36 => "CL_INVALID_COMMAND_QUEUE",
        -37 => "CL_INVALID_HOST_PTR",
        -38 => "CL_INVALID_MEM_OBJECT",
        -39 => "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
        -40 => "CL_INVALID_IMAGE_SIZE",
        -41 => "CL_INVALID_SAMPLER",
        -42 => "CL_INVALID_BINARY",
        -43 => "CL_INVALID_BUILD_OPTIONS",
        -44 => "CL_INVALID_PROGRAM",
        -45 => "CL_INVALID_PROGRAM_EXECUTABLE",
        -46 => "CL_INVALID_KERNEL_NAME",
        -47 => "CL_INVALID_KERNEL_DEFINITION",
        -48 => "CL_INVALID_KERNEL",
        -49 => "CL_INVALID_ARG_INDEX",
        -50 => "CL_INVALID_ARG_VALUE",
        -51 => "CL_INVALID_ARG_SIZE",
        -52 => "CL_INVALID_KERNEL_ARGS",
        -53 => "CL_INVALID_WORK_DIMENSION",
        -54 => "CL_INVALID_WORK_GROUP_SIZE",
        -55 => "CL_INVALID_WORK_ITEM_SIZE",
        -56 => "CL_INVALID_GLOBAL_OFFSET",
        -57 => "CL_INVALID_EVENT_WAIT_LIST",
        -58 => "CL_INVALID_EVENT",
        -59 => "CL_INVALID_OPERATION",
        -60 => "CL_INVALID_GL_OBJECT",
        -61 => "CL_INVALID_BUFFER_SIZE",
        -62 => "CL_INVALID_MIP_LEVEL",
        -63 => "CL_INVALID_GLOBAL_WORK_SIZE",
        -64 => "CL_INVALID_PROPERTY",
        -65 => "CL_INVALID_IMAGE_DESCRIPTOR",
        -66 => "CL_INVALID_COMPILER_OPTIONS",
        -67 => "CL_INVALID_LINKER_OPTIONS",
        -68 => "CL_INVALID_DEVICE_PARTITION_COUNT",
        -1001 => "CL_PLATFORM_NOT_FOUND_KHR",
        -1057 => "CL_DEVICE_PARTITION_FAILED_EXT",
        _ => "a code that OpenCL does not name",
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
