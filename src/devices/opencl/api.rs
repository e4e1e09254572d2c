//! OpenCL's C interface: the forty functions that this backend calls, loaded at run time.
//!
//! They are declared here, rather than taken from a crate, for three reasons: the crate at hand (cl3) calls C functions
//! through pointers of Rust's calling convention, its owners of handles panic when a driver refuses to release one, and
//! this way a loader that lacks a function is a message.
#![allow(unsafe_code, reason = "loads a C library and declares its functions")]
#![allow(non_snake_case, reason = "the functions keep the names of the OpenCL specification")]

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// Any OpenCL object.
pub type Handle = *mut c_void;
type Notify = Option<unsafe extern "system" fn()>;

macro_rules! api {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions of a loaded OpenCL library.
        pub struct Api {
            $(pub $name: unsafe extern "system" fn($($argument),*) -> $result,)*
            // Last: the functions above are in it.
            _library: libloading::Library,
        }

        impl Api {
            /// Opens the first library of `names` that there is.
            pub fn load(names: &[&str]) -> Result<Self, String> {
                // SAFETY: an OpenCL loader runs no code on opening that asks anything of its caller.
                let Some(library) = names.iter().find_map(|name| unsafe { libloading::Library::new(*name) }.ok()) else {
                    return Err(format!("no OpenCL loader ({}): install ocl-icd-libopencl1 or a GPU vendor's driver", names[0]));
                };
                Ok(Self {
                    $($name: {
                        // SAFETY: the name is that of a function of the OpenCL 1.2 specification, declared below with
                        // the parameters that the specification gives it. The library lives as long as the pointer.
                        let function = unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) };
                        *function.map_err(|_| {
                            format!("the OpenCL loader lacks {}: OpenCL 1.2 or newer is needed", stringify!($name))
                        })?
                    },)*
                    _library: library,
                })
            }
        }
    };
}

api! {
    clGetPlatformIDs(u32, *mut Handle, *mut u32) -> i32;
    clGetPlatformInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetDeviceIDs(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
    clGetDeviceInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clCreateSubDevices(Handle, *const isize, u32, *mut Handle, *mut u32) -> i32;
    clReleaseDevice(Handle) -> i32;
    clCreateContext(*const isize, u32, *const Handle, Notify, *mut c_void, *mut i32) -> Handle;
    clReleaseContext(Handle) -> i32;
    clCreateCommandQueue(Handle, Handle, u64, *mut i32) -> Handle;
    clReleaseCommandQueue(Handle) -> i32;
    clFlush(Handle) -> i32;
    clFinish(Handle) -> i32;
    clCreateBuffer(Handle, u64, usize, *mut c_void, *mut i32) -> Handle;
    clReleaseMemObject(Handle) -> i32;
    clCreateProgramWithSource(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
    clBuildProgram(Handle, u32, *const Handle, *const c_char, Notify, *mut c_void) -> i32;
    clGetProgramInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetProgramBuildInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clReleaseProgram(Handle) -> i32;
    clCreateKernel(Handle, *const c_char, *mut i32) -> Handle;
    clGetKernelInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetKernelArgInfo(Handle, u32, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetKernelWorkGroupInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clSetKernelArg(Handle, u32, usize, *const c_void) -> i32;
    clReleaseKernel(Handle) -> i32;
    clEnqueueWriteBuffer(Handle, Handle, u32, usize, usize, *const c_void, u32, *const Handle, *mut Handle) -> i32;
    clEnqueueReadBuffer(Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
    clEnqueueFillBuffer(Handle, Handle, *const c_void, usize, usize, usize, u32, *const Handle, *mut Handle) -> i32;
    clEnqueueNDRangeKernel(
        Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle
    ) -> i32;
    clEnqueueMapBuffer(
        Handle, Handle, u32, u64, usize, usize, u32, *const Handle, *mut Handle, *mut i32
    ) -> *mut c_void;
    clEnqueueUnmapMemObject(Handle, Handle, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
    clWaitForEvents(u32, *const Handle) -> i32;
    clGetEventInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetEventProfilingInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clReleaseEvent(Handle) -> i32;
}

#[cfg(target_os = "windows")]
const NAMES: [&str; 1] = ["OpenCL.dll"];
#[cfg(target_os = "macos")]
const NAMES: [&str; 1] = ["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
#[cfg(not(any(target_os = "windows", target_os = "macos")))]
const NAMES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

/// The loaded library, looked for once in a process.
pub fn get() -> Result<&'static Api, String> {
    static API: OnceLock<Result<Api, String>> = OnceLock::new();
    API.get_or_init(|| Api::load(&NAMES)).as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_loader_is_one_line_that_says_what_to_install() {
        let why = Api::load(&["libNoSuchOpenCL.so.1"]).err().expect("there is no such library");
        assert!(why.contains("no OpenCL loader") && why.contains("install") && !why.contains('\n'), "{why}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_library_that_is_no_opencl_loader_is_refused_by_the_function_that_it_lacks() {
        let why = Api::load(&["libc.so.6"]).err().expect("libc has no OpenCL functions");
        assert!(why.contains("clGetPlatformIDs"), "{why}");
    }
}
