//! Commands on queues, and when they ran.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::api::Handle;
use super::objects::{Buffer, Event, KernelObject, Queue};
use super::status::ClError;
use std::ptr;
use std::time::Instant;

/// A command and the host's time just before and after it was enqueued.
pub struct Command {
    pub event: Event,
    pub before: Instant,
    pub after: Instant,
}

impl Queue {
    /// Sends what is enqueued to the device: commands of other queues may wait for it.
    pub fn flush(&self) -> Result<(), ClError> {
        // SAFETY: the queue is alive.
        ClError::check("clFlush", unsafe { (self.api.clFlush)(self.raw) })
    }

    /// Waits for all that is enqueued.
    pub fn finish(&self) -> Result<(), ClError> {
        // SAFETY: the queue is alive.
        ClError::check("clFinish", unsafe { (self.api.clFinish)(self.raw) })
    }

    fn command(
        &self,
        call: &'static str,
        after: Option<&Command>,
        enqueue: impl FnOnce(u32, *const Handle, *mut Handle) -> i32,
    ) -> Result<Command, ClError> {
        let wait = after.map(|command| command.event.raw);
        let list = wait.as_ref().map_or(ptr::null(), ptr::from_ref);
        let mut raw = ptr::null_mut();
        let before = Instant::now();
        ClError::check(call, enqueue(u32::from(wait.is_some()), list, &mut raw))?;
        Ok(Command { event: Event { raw, api: self.api }, before, after: Instant::now() })
    }

    /// Copies `len` host bytes to the start of a buffer.
    ///
    /// # Safety
    /// The bytes at `host` are valid for reads and unchanged until the command is complete.
    pub unsafe fn write(&self, buffer: &Buffer, host: *const u8, len: usize) -> Result<Command, ClError> {
        self.command("clEnqueueWriteBuffer", None, |n, list, event| {
            // SAFETY: queue and buffer are of one context; non-blocking, so the caller's promise is needed.
            unsafe { (self.api.clEnqueueWriteBuffer)(self.raw, buffer.raw, 0, 0, len, host.cast(), n, list, event) }
        })
    }

    /// Copies `len` bytes from `offset` of a buffer to the host once `after` is complete.
    ///
    /// # Safety
    /// The bytes at `host` are valid for writes and used by nobody else until the command is complete.
    pub unsafe fn read(
        &self,
        buffer: &Buffer,
        offset: usize,
        host: *mut u8,
        len: usize,
        after: &Command,
    ) -> Result<Command, ClError> {
        self.command("clEnqueueReadBuffer", Some(after), |n, list, event| {
            // SAFETY: queue, buffer and event are of one context; non-blocking, so the caller's promise is needed.
            unsafe { (self.api.clEnqueueReadBuffer)(self.raw, buffer.raw, 0, offset, len, host.cast(), n, list, event) }
        })
    }

    /// Sets the first `len` bytes of a buffer to 0xff: NaN as a float.
    pub fn poison(&self, buffer: &Buffer, len: usize) -> Result<Command, ClError> {
        let pattern = 0xffu8;
        self.command("clEnqueueFillBuffer", None, |n, list, event| {
            let pattern = ptr::from_ref(&pattern).cast();
            // SAFETY: queue and buffer are of one context; the pattern of 1 byte is copied by the call.
            unsafe { (self.api.clEnqueueFillBuffer)(self.raw, buffer.raw, pattern, 1, 0, len, n, list, event) }
        })
    }

    /// Runs a kernel with the arguments that are set, once `after` is complete.
    ///
    /// # Safety
    /// All arguments are set, to buffers that live until the command is complete, and the kernel stays within them.
    pub unsafe fn run(
        &self,
        kernel: &KernelObject,
        global: [usize; 3],
        group: [usize; 3],
        after: Option<&Command>,
    ) -> Result<Command, ClError> {
        let dimensions = (1..=3).rev().find(|&d| global[d - 1] > 1 || group[d - 1] > 1).unwrap_or(1) as u32;
        self.command("clEnqueueNDRangeKernel", after, |n, list, event| {
            let (none, global, group) = (ptr::null(), global.as_ptr(), group.as_ptr());
            // SAFETY: the sizes have three entries, of which `dimensions` are read; the caller answers for the kernel.
            unsafe {
                (self.api.clEnqueueNDRangeKernel)(self.raw, kernel.raw, dimensions, none, global, group, n, list, event)
            }
        })
    }

    /// Makes the first `len` bytes of a buffer over host memory visible to the host, and gives them back to OpenCL:
    /// what was written before is then in host memory. Blocks.
    pub fn make_visible(&self, buffer: &Buffer, len: usize) -> Result<(), ClError> {
        const CL_TRUE: u32 = 1;
        const CL_MAP_READ: u64 = 1;
        let mut code = 0;
        // SAFETY: queue and buffer are of one context, and the buffer has `len` bytes.
        let mapped = unsafe {
            (self.api.clEnqueueMapBuffer)(
                self.raw,
                buffer.raw,
                CL_TRUE,
                CL_MAP_READ,
                0,
                len,
                0,
                ptr::null(),
                ptr::null_mut(),
                &mut code,
            )
        };
        ClError::check("clEnqueueMapBuffer", code)?;
        let unmapped = self.command("clEnqueueUnmapMemObject", None, |n, list, event| {
            // SAFETY: `mapped` is what mapping this buffer returned.
            unsafe { (self.api.clEnqueueUnmapMemObject)(self.raw, buffer.raw, mapped, n, list, event) }
        })?;
        unmapped.event.wait()
    }
}

impl Event {
    /// Waits for the command.
    pub fn wait(&self) -> Result<(), ClError> {
        // SAFETY: the event is alive.
        ClError::check("clWaitForEvents", unsafe { (self.api.clWaitForEvents)(1, &self.raw) })
    }

    /// CL_COMPLETE is 0, a failed command has a negative status.
    pub fn status(&self) -> Result<i32, ClError> {
        const CL_EVENT_COMMAND_EXECUTION_STATUS: u32 = 0x11D3;
        let mut status = 0i32;
        // SAFETY: this property is an i32.
        let code = unsafe {
            (self.api.clGetEventInfo)(
                self.raw,
                CL_EVENT_COMMAND_EXECUTION_STATUS,
                size_of::<i32>(),
                ptr::from_mut(&mut status).cast(),
                ptr::null_mut(),
            )
        };
        ClError::check("clGetEventInfo", code).map(|()| status)
    }

    /// When a complete command was enqueued, when it started and when it ended, in nanoseconds of the device's clock.
    pub fn times(&self) -> Result<[u64; 3], ClError> {
        const QUEUED_START_END: [u32; 3] = [0x1280, 0x1282, 0x1283];
        let mut times = [0u64; 3];
        for (time, property) in times.iter_mut().zip(QUEUED_START_END) {
            // SAFETY: these properties are of type cl_ulong.
            let code = unsafe {
                (self.api.clGetEventProfilingInfo)(
                    self.raw,
                    property,
                    size_of::<u64>(),
                    ptr::from_mut(time).cast(),
                    ptr::null_mut(),
                )
            };
            ClError::check("clGetEventProfilingInfo", code)?;
        }
        Ok(times)
    }
}

impl Command {
    /// How it failed, once it has ended.
    pub fn failed(&self) -> Option<ClError> {
        match self.event.status() {
            Ok(code) if code < 0 => Some(ClError { call: "the command ended with", code }),
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }
}
