//! Commands on queues, and when they ran.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::objects::{Buffer, Context, KernelObject, Owned};
use super::status::{Called, ClError};
use opencl3::command_queue::CommandQueue;
use opencl3::event::Event;
use opencl3::memory::{CL_MAP_READ, ClMem};
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_event};
use std::time::Instant;
use std::{ptr, slice};

/// A command and the host's time just before and after it was enqueued.
pub struct Command {
    event: Owned<Event>,
    pub before: Instant,
    pub after: Instant,
}

/// An in-order queue with profiling.
pub struct Queue {
    raw: Owned<CommandQueue>,
}

impl Queue {
    pub fn new(context: &Context) -> Result<Self, ClError> {
        Ok(Self { raw: context.queue()? })
    }

    /// Sends what is enqueued to the device: commands of other queues may wait for it.
    pub fn flush(&self) -> Result<(), ClError> {
        self.raw.flush().called("clFlush")
    }

    /// Waits for all that is enqueued.
    pub fn finish(&self) -> Result<(), ClError> {
        self.raw.finish().called("clFinish")
    }

    /// Copies `len` host bytes to the start of a buffer.
    ///
    /// # Safety
    /// The bytes at `host` are valid for reads and unchanged until the command is complete.
    pub unsafe fn write(&self, buffer: &mut Buffer, host: *const u8, len: usize) -> Result<Command, ClError> {
        command("clEnqueueWriteBuffer", None, |wait| {
            // SAFETY: queue and buffer are of one context; non-blocking, so the caller's promise is needed.
            unsafe {
                let bytes = slice::from_raw_parts(host, len);
                self.raw.enqueue_write_buffer(buffer, CL_NON_BLOCKING, 0, bytes, wait)
            }
        })
    }

    /// Copies the first `len` bytes of a buffer to the host once `after` is complete.
    ///
    /// # Safety
    /// The bytes at `host` are valid for writes and used by nobody else until the command is complete.
    pub unsafe fn read(&self, buffer: &Buffer, host: *mut u8, len: usize, after: &Command) -> Result<Command, ClError> {
        command("clEnqueueReadBuffer", Some(after), |wait| {
            // SAFETY: queue, buffer and event are of one context; non-blocking, so the caller's promise is needed.
            unsafe {
                let bytes = slice::from_raw_parts_mut(host, len);
                self.raw.enqueue_read_buffer(buffer, CL_NON_BLOCKING, 0, bytes, wait)
            }
        })
    }

    /// Sets the first `len` bytes of a buffer to 0xff: NaN as a float.
    pub fn poison(&self, buffer: &mut Buffer, len: usize) -> Result<Command, ClError> {
        command("clEnqueueFillBuffer", None, |wait| {
            // SAFETY: queue and buffer are of one context; the pattern of 1 byte is copied by the call.
            unsafe { self.raw.enqueue_fill_buffer(buffer, &[0xffu8], 0, len, wait) }
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
        command("clEnqueueNDRangeKernel", after, |wait| {
            let (kernel, global, group) = (kernel.raw.get(), global.as_ptr(), group.as_ptr());
            // SAFETY: the sizes have three entries, of which `dimensions` are read; the caller answers for the kernel.
            unsafe { self.raw.enqueue_nd_range_kernel(kernel, dimensions, ptr::null(), global, group, wait) }
        })
    }

    /// Makes the first `len` bytes of a buffer over host memory visible to the host, and gives them back to OpenCL:
    /// what was written before is then in host memory. Blocks.
    pub fn make_visible(&self, buffer: &Buffer, len: usize) -> Result<(), ClError> {
        let mut mapped = ptr::null_mut();
        command("clEnqueueMapBuffer", None, |wait| {
            // SAFETY: queue and buffer are of one context, and the buffer has `len` bytes.
            unsafe { self.raw.enqueue_map_buffer(buffer, CL_BLOCKING, CL_MAP_READ, 0, len, &mut mapped, wait) }
        })?;
        let unmapped = command("clEnqueueUnmapMemObject", None, |wait| {
            // SAFETY: `mapped` is what mapping this buffer returned.
            unsafe { self.raw.enqueue_unmap_mem_object(buffer.get(), mapped, wait) }
        })?;
        unmapped.wait()
    }
}

fn command(
    call: &'static str,
    after: Option<&Command>,
    enqueue: impl FnOnce(&[cl_event]) -> opencl3::Result<Event>,
) -> Result<Command, ClError> {
    let wait = after.map(|command| command.event.get());
    let before = Instant::now();
    let event = Owned::new(enqueue(wait.as_slice()).called(call)?);
    Ok(Command { event, before, after: Instant::now() })
}

impl Command {
    /// Waits for it.
    pub fn wait(&self) -> Result<(), ClError> {
        self.event.wait().called("clWaitForEvents")
    }

    /// Whether it is on its way still.
    pub fn running(&self) -> bool {
        // CL_COMPLETE is 0, a failed command has a negative status.
        self.event.command_execution_status().is_ok_and(|status| status.0 > 0)
    }

    /// How it failed, once it has ended.
    pub fn failed(&self) -> Option<ClError> {
        match self.event.command_execution_status().called("clGetEventInfo") {
            Ok(status) if status.0 < 0 => Some(ClError { call: "the command ended with", code: status.0 }),
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    /// Once it is complete: when it was enqueued, when it started and when it ended, in nanoseconds of the device's clock.
    pub fn times(&self) -> Result<[u64; 3], ClError> {
        let event = &self.event;
        let times = || -> opencl3::Result<_> {
            Ok([event.profiling_command_queued()?, event.profiling_command_start()?, event.profiling_command_end()?])
        };
        times().called("clGetEventProfilingInfo")
    }
}
