//! The driver's result codes, as far as they occur here or a test may inject them.

use std::ffi::CStr;

/// A `CUresult`, as a plain number: tests may inject any code.
pub type Code = i32;
/// The result of a call: a value or the driver's code.
pub type Outcome<T = ()> = Result<T, Code>;

macro_rules! codes {
    ($($name:ident = $code:literal, $long:ident, $text:literal;)*) => {
        // Some have a name only so that a failing test prints it.
        $(#[allow(dead_code)] pub const $name: Code = $code;)*

        /// The driver's name of a code and a line about it.
        pub fn describe(code: Code) -> Option<(&'static CStr, &'static CStr)> {
            match code {
                $($code => c_strings(concat!(stringify!($long), "\0"), concat!($text, "\0")),)*
                _ => None,
            }
        }

        #[cfg(test)]
        pub const ALL: &[Code] = &[$($code),*];
    };
}

codes! {
    SUCCESS = 0, CUDA_SUCCESS, "no error";
    INVALID_VALUE = 1, CUDA_ERROR_INVALID_VALUE, "invalid argument";
    OUT_OF_MEMORY = 2, CUDA_ERROR_OUT_OF_MEMORY, "out of memory";
    NOT_INITIALIZED = 3, CUDA_ERROR_NOT_INITIALIZED, "initialization error";
    NO_DEVICE = 100, CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected";
    INVALID_DEVICE = 101, CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal";
    INVALID_IMAGE = 200, CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid";
    INVALID_CONTEXT = 201, CUDA_ERROR_INVALID_CONTEXT, "invalid device context";
    NO_BINARY_FOR_GPU = 209, CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device";
    ECC_UNCORRECTABLE = 214, CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered";
    PEER_ACCESS_UNSUPPORTED = 217, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices";
    INVALID_PTX = 218, CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed";
    UNSUPPORTED_PTX_VERSION = 222, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain";
    INVALID_HANDLE = 400, CUDA_ERROR_INVALID_HANDLE, "invalid resource handle";
    NOT_FOUND = 500, CUDA_ERROR_NOT_FOUND, "named symbol not found";
    NOT_READY = 600, CUDA_ERROR_NOT_READY, "device not ready";
    ILLEGAL_ADDRESS = 700, CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES = 701, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch";
    LAUNCH_TIMEOUT = 702, CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated";
    PEER_ACCESS_ALREADY_ENABLED = 704, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled";
    PEER_ACCESS_NOT_ENABLED = 705, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled";
    CONTEXT_IS_DESTROYED = 709, CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed";
    HOST_MEMORY_ALREADY_REGISTERED = 712, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped";
    HOST_MEMORY_NOT_REGISTERED = 713, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region";
    ILLEGAL_INSTRUCTION = 715, CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered";
    MISALIGNED_ADDRESS = 716, CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address";
    LAUNCH_FAILED = 719, CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure";
    NOT_PERMITTED = 800, CUDA_ERROR_NOT_PERMITTED, "operation not permitted";
    NOT_SUPPORTED = 801, CUDA_ERROR_NOT_SUPPORTED, "operation not supported";
    SYSTEM_NOT_READY = 802, CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized";
    UNKNOWN = 999, CUDA_ERROR_UNKNOWN, "unknown error";
}

fn c_strings(name: &'static str, text: &'static str) -> Option<(&'static CStr, &'static CStr)> {
    let c = |text: &'static str| CStr::from_bytes_with_nul(text.as_bytes()).ok();
    Some((c(name)?, c(text)?))
}
