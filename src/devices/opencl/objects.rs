//! OpenCL objects and how they are created: those of the crate opencl3, in [`Owned`] where they release themselves.
//!
//! What the crate leaves to its caller:
//! - Its objects panic where a driver refuses to release one, as a driver does that has lost its device. [`Owned`] ignores such an
//!   error, as nothing can be done about it. (The few bytes that a context has on the heap are then leaked.)
//! - An object must be released before its context, and the context before the sub-device that it is on. The order of fields in
//!   [`super::OpenClDevice`] ensures that.
//! - `Kernel::set_arg` takes any type for any parameter. [`KernelObject`] has one function for each type of parameter.
//! - Offsets are bytes in commands but elements in `Buffer::create`, so all buffers are buffers of bytes.
//! - It calls C through pointers with Rust's calling convention, which for numbers and pointers is C's on the machines that
//!   OpenCL is used on.
//! - A `Program` must be created from one text only: with several it would pass what Rust does not promise.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::status::{Called, ClError};
use crate::element::Scalar;
use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue, release_command_queue};
use opencl3::context::{self, context as cl_context};
use opencl3::device::{Device, SubDevice, release_device};
use opencl3::event::{Event, release_event};
use opencl3::kernel::{self, Kernel, release_kernel};
use opencl3::memory::{self, ClMem, release_mem_object};
use opencl3::memory::{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR};
use opencl3::platform::Platform;
use opencl3::program::{self, release_program};
use opencl3::types::{cl_int, cl_mem_flags};
use std::ffi::CStr;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr;

/// An object of opencl3 whose release ignores the driver's errors.
pub struct Owned<T: Release>(ManuallyDrop<T>);

/// An object of opencl3 that can be released.
pub trait Release {
    /// Releases the reference to the object.
    ///
    /// # Safety
    /// The object is not used again, nor dropped.
    unsafe fn release(&self) -> Result<(), cl_int>;
}

impl<T: Release> Owned<T> {
    /// Takes ownership of an object.
    pub fn new(object: T) -> Self {
        Self(ManuallyDrop::new(object))
    }
}

impl<T: Release> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Release> DerefMut for Owned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Release> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: nothing uses it after this, and its own `drop` does not run.
        let _ = unsafe { self.0.release() };
    }
}

macro_rules! release {
    ($($object:ty: $handle:ident, $release:path;)*) => {
        $(impl Release for $object {
            unsafe fn release(&self) -> Result<(), cl_int> {
                // SAFETY: the handle is alive, as its owner is; the caller answers for the rest.
                unsafe { $release(self.$handle()) }
            }
        })*
    };
}

release! {
    SubDevice: id, release_device;
    context::Context: get, cl_context::release_context;
    CommandQueue: get, release_command_queue;
    memory::Buffer<u8>: get, release_mem_object;
    program::Program: get, release_program;
    Kernel: get, release_kernel;
    Event: get, release_event;
}

/// A sub-device. It must outlive the context on it.
pub type Part = Owned<SubDevice>;
/// A buffer of device memory, or over host memory.
pub type Buffer = Owned<memory::Buffer<u8>>;
/// A program.
pub type Program = Owned<program::Program>;

/// The context of one device.
pub struct Context {
    pub(super) raw: Owned<context::Context>,
    pub device: Device,
}

impl Context {
    pub fn new(platform: Platform, device: Device) -> Result<Self, ClError> {
        let properties = [cl_context::CL_CONTEXT_PLATFORM, platform.id() as isize, 0];
        let raw = context::Context::from_devices(&[device.id()], &properties, None, ptr::null_mut());
        Ok(Self { raw: Owned::new(raw.called("clCreateContext")?), device })
    }

    /// An in-order queue, with profiling if `timed`.
    pub fn queue(&self, timed: bool) -> Result<Owned<CommandQueue>, ClError> {
        let properties = if timed { CL_QUEUE_PROFILING_ENABLE } else { 0 };
        // SAFETY: the device is the one of this context.
        let queue = unsafe { CommandQueue::create(&self.raw, self.device.id(), properties) };
        queue.called("clCreateCommandQueue").map(Owned::new)
    }

    /// Device memory of `bytes`, at least 1.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, ClError> {
        // SAFETY: without a flag that says otherwise no host pointer is used.
        unsafe { self.create_buffer(CL_MEM_READ_WRITE, bytes, ptr::null_mut()) }
    }

    /// Host memory as a buffer, without a copy.
    ///
    /// # Safety
    /// The `bytes` at `host`, at least 1, are valid. While the buffer lives, only its commands write them, and unless `read_only`
    /// only they read them.
    pub unsafe fn host_buffer(&self, host: *mut u8, bytes: usize, read_only: bool) -> Result<Buffer, ClError> {
        let access = if read_only { CL_MEM_READ_ONLY } else { CL_MEM_READ_WRITE };
        // SAFETY: the caller's promise.
        unsafe { self.create_buffer(access | CL_MEM_USE_HOST_PTR, bytes, host) }
    }

    unsafe fn create_buffer(&self, flags: cl_mem_flags, bytes: usize, host: *mut u8) -> Result<Buffer, ClError> {
        // SAFETY: the context is alive; the callers above answer for `host`.
        let buffer = unsafe { memory::Buffer::create(&self.raw, flags, bytes, host.cast()) };
        buffer.called("clCreateBuffer").map(Owned::new)
    }
}

/// A kernel function, with the arguments set so far.
pub struct KernelObject {
    pub(super) raw: Owned<Kernel>,
}

impl KernelObject {
    pub fn new(program: &Program, entry: &CStr) -> Result<Self, ClError> {
        let raw = kernel::create_kernel(program.get(), entry).called("clCreateKernel")?;
        Ok(Self { raw: Owned::new(Kernel::new(raw)) })
    }

    // Arguments are state of the kernel, hence `&mut self`, although opencl3 does without.
    fn set<T>(&mut self, index: u32, value: &T) -> Result<(), ClError> {
        // SAFETY: the call copies the value, of which it gets pointer and size. The callers below choose the type, and
        // `parameters::check` and the driver compare its size with the parameter's.
        unsafe { self.raw.set_arg(index, value) }.called("clSetKernelArg")
    }

    /// Sets a `long`.
    pub fn set_long(&mut self, index: u32, value: i64) -> Result<(), ClError> {
        self.set(index, &value)
    }

    /// Sets a scalar, in its own type.
    pub fn set_scalar(&mut self, index: u32, value: Scalar) -> Result<(), ClError> {
        match value {
            Scalar::F32(value) => self.set(index, &value),
            Scalar::F64(value) => self.set(index, &value),
            Scalar::I32(value) => self.set(index, &value),
            Scalar::U32(value) => self.set(index, &value),
            Scalar::I64(value) => self.set(index, &value),
            Scalar::U64(value) => self.set(index, &value),
            Scalar::I8(value) => self.set(index, &value),
            Scalar::U8(value) => self.set(index, &value),
            Scalar::I16(value) => self.set(index, &value),
            Scalar::U16(value) => self.set(index, &value),
        }
    }

    /// Sets a pointer to the start of a buffer.
    pub fn set_buffer(&mut self, index: u32, buffer: &Buffer) -> Result<(), ClError> {
        self.set(index, &buffer.get())
    }
}
