//! OpenCL objects that release themselves, and how they are made.
//!
//! A release that a driver refuses is not reported: nothing could be done about it.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::api::{Api, Handle};
use super::status::ClError;
use crate::element::Scalar;
use std::ffi::{CStr, c_void};
use std::ptr;

macro_rules! owner {
    ($(#[$doc:meta])* $name:ident, $release:ident) => {
        $(#[$doc])*
        pub struct $name {
            pub(super) raw: Handle,
            pub(super) api: &'static Api,
        }

        // SAFETY: OpenCL 1.2 (appendix A.2) makes all calls safe from any thread, but for two calls at once that set
        // the arguments of one kernel; these owners are not Sync, so there is one thread at a time.
        unsafe impl Send for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: `raw` was returned by a successful create call, and this is the one reference to it.
                unsafe { (self.api.$release)(self.raw) };
            }
        }
    };
}

owner!(
    /// A part of a device. It must outlive the context on it.
    SubDevice, clReleaseDevice
);
owner!(
    /// The context of one device.
    Context, clReleaseContext
);
owner!(
    /// An in-order queue with profiling.
    Queue, clReleaseCommandQueue
);
owner!(
    /// Memory of a device, or host memory that it works in.
    Buffer, clReleaseMemObject
);
owner!(
    /// A built program.
    Program, clReleaseProgram
);
owner!(
    /// An entry function, with the arguments set so far.
    KernelObject, clReleaseKernel
);
owner!(
    /// A command's state.
    Event, clReleaseEvent
);

/// The bytes of a queried property; asks for the size first.
pub fn info(call: &'static str, query: impl Fn(usize, *mut c_void, *mut usize) -> i32) -> Result<Vec<u8>, ClError> {
    let mut size = 0;
    ClError::check(call, query(0, ptr::null_mut(), &mut size))?;
    let mut bytes = vec![0u8; size];
    if size > 0 {
        ClError::check(call, query(size, bytes.as_mut_ptr().cast(), ptr::null_mut()))?;
    }
    Ok(bytes)
}

/// A queried number of 4 or 8 bytes.
pub fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u64::from(u32::from_ne_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h, ..] => u64::from_ne_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

/// Queried numbers of the size of a pointer.
pub fn sizes(bytes: &[u8]) -> Vec<usize> {
    bytes.chunks_exact(size_of::<usize>()).map(|b| number(b) as usize).collect()
}

/// Queried text.
pub fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
}

impl Context {
    pub fn new(api: &'static Api, platform: Handle, device: Handle) -> Result<Self, ClError> {
        const CL_CONTEXT_PLATFORM: isize = 0x1084;
        let properties = [CL_CONTEXT_PLATFORM, platform as isize, 0];
        let mut code = 0;
        // SAFETY: the properties end with 0; platform and device came from the library; no callback.
        let raw = unsafe { (api.clCreateContext)(properties.as_ptr(), 1, &device, None, ptr::null_mut(), &mut code) };
        ClError::check("clCreateContext", code)?;
        Ok(Self { raw, api })
    }

    pub fn queue(&self, device: Handle) -> Result<Queue, ClError> {
        const CL_QUEUE_PROFILING_ENABLE: u64 = 1 << 1;
        let mut code = 0;
        // SAFETY: `device` is the one of this context.
        let raw = unsafe { (self.api.clCreateCommandQueue)(self.raw, device, CL_QUEUE_PROFILING_ENABLE, &mut code) };
        ClError::check("clCreateCommandQueue", code)?;
        Ok(Queue { raw, api: self.api })
    }

    /// Device memory of `bytes`, at least 1.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, ClError> {
        const CL_MEM_READ_WRITE: u64 = 1;
        // SAFETY: without a flag that says otherwise no host pointer is used.
        unsafe { self.create_buffer(CL_MEM_READ_WRITE, bytes, ptr::null_mut()) }
    }

    /// Host memory as a buffer, without a copy.
    ///
    /// # Safety
    /// The `bytes` at `host`, at least 1, are valid, and while the buffer lives nobody writes them but its commands;
    /// unless `read_only` nobody else reads them either.
    pub unsafe fn host_buffer(&self, host: *mut u8, bytes: usize, read_only: bool) -> Result<Buffer, ClError> {
        const CL_MEM_READ_WRITE: u64 = 1;
        const CL_MEM_READ_ONLY: u64 = 1 << 2;
        const CL_MEM_USE_HOST_PTR: u64 = 1 << 3;
        let access = if read_only { CL_MEM_READ_ONLY } else { CL_MEM_READ_WRITE };
        // SAFETY: the caller's promise.
        unsafe { self.create_buffer(access | CL_MEM_USE_HOST_PTR, bytes, host) }
    }

    unsafe fn create_buffer(&self, flags: u64, bytes: usize, host: *mut u8) -> Result<Buffer, ClError> {
        let mut code = 0;
        // SAFETY: the context is alive; the callers above answer for `host`.
        let raw = unsafe { (self.api.clCreateBuffer)(self.raw, flags, bytes, host.cast(), &mut code) };
        ClError::check("clCreateBuffer", code)?;
        Ok(Buffer { raw, api: self.api })
    }
}

impl KernelObject {
    pub fn new(program: &Program, entry: &CStr) -> Result<Self, ClError> {
        let mut code = 0;
        // SAFETY: the program is alive; the name ends with NUL.
        let raw = unsafe { (program.api.clCreateKernel)(program.raw, entry.as_ptr(), &mut code) };
        ClError::check("clCreateKernel", code)?;
        Ok(Self { raw, api: program.api })
    }

    fn set<T>(&mut self, index: u32, value: &T) -> Result<(), ClError> {
        let value = ptr::from_ref(value).cast();
        // SAFETY: `value` points to as many bytes as are said; the call copies them. `&mut self`: one thread.
        let code = unsafe { (self.api.clSetKernelArg)(self.raw, index, size_of::<T>(), value) };
        ClError::check("clSetKernelArg", code)
    }

    /// Sets a `long`.
    pub fn set_long(&mut self, index: u32, value: i64) -> Result<(), ClError> {
        self.set(index, &value)
    }

    /// Sets a scalar of its own type.
    pub fn set_scalar(&mut self, index: u32, value: Scalar) -> Result<(), ClError> {
        match value {
            Scalar::F32(value) => self.set(index, &value),
            Scalar::F64(value) => self.set(index, &value),
            Scalar::I32(value) => self.set(index, &value),
            Scalar::U32(value) => self.set(index, &value),
            Scalar::I64(value) => self.set(index, &value),
            Scalar::U64(value) => self.set(index, &value),
            Scalar::U8(value) => self.set(index, &value),
        }
    }

    /// Sets a pointer to the start of a buffer.
    pub fn set_buffer(&mut self, index: u32, buffer: &Buffer) -> Result<(), ClError> {
        self.set(index, &buffer.raw)
    }
}
