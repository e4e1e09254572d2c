//! Enqueues commands on queues, and reads when they ran.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::objects::{Buffer, Context, KernelObject, Owned};
use super::status::{Called, ClError};
use crate::data::layout::{BoxCopy, Strided};
use opencl3::command_queue::{self, CommandQueue};
use opencl3::error_codes;
use opencl3::event::Event;
use opencl3::memory::{CL_MAP_READ, ClMem};
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_event};
use std::time::Instant;
use std::{ptr, slice};

/// An enqueued command, with the host's time just before and just after the enqueuing.
pub struct Command {
    event: Owned<Event>,
    pub before: Instant,
    pub after: Instant,
}

/// An in-order queue.
pub struct Queue {
    raw: Owned<CommandQueue>,
}

impl Queue {
    /// A queue, of whose commands the driver tells the times if `timed`.
    pub fn new(context: &Context, timed: bool) -> Result<Self, ClError> {
        Ok(Self { raw: context.queue(timed)? })
    }

    /// Submits enqueued commands to the device, so that commands of other queues can wait for them.
    pub fn flush(&self) -> Result<(), ClError> {
        self.raw.flush().called("clFlush")
    }

    /// Waits for everything that is enqueued.
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

    /// Copies a box of host bytes into a buffer once `after` is complete.
    ///
    /// # Safety
    /// The box's bytes from `host` on are valid for reads and unchanged until the command is complete.
    pub unsafe fn write_box(
        &self,
        buffer: &mut Buffer,
        host: *const u8,
        copy: &BoxCopy,
        after: Option<&Command>,
    ) -> Result<Command, ClError> {
        let host = host.wrapping_add(copy.from.offset);
        if copy.is_contiguous() {
            return command("clEnqueueWriteBuffer", after, |wait| {
                // SAFETY: queue, buffer and event are of one context; non-blocking, so the caller's promise is needed.
                unsafe {
                    let bytes = slice::from_raw_parts(host, copy.run);
                    self.raw.enqueue_write_buffer(buffer, CL_NON_BLOCKING, copy.to.offset, bytes, wait)
                }
            });
        }
        let (at, [row, plane], [host_row, host_plane]) = (origin(&copy.to), copy.to.strides, copy.from.strides);
        let (none, region) = ([0; 3], region(copy));
        command("clEnqueueWriteBufferRect", after, |wait| {
            // SAFETY: as above; the three lists of three numbers are read during the call.
            unsafe {
                self.raw.enqueue_write_buffer_rect(
                    buffer,
                    CL_NON_BLOCKING,
                    at.as_ptr(),
                    none.as_ptr(),
                    region.as_ptr(),
                    row,
                    plane,
                    host_row,
                    host_plane,
                    host.cast_mut().cast(),
                    wait,
                )
            }
        })
    }

    /// Copies a box of a buffer into host bytes.
    ///
    /// # Safety
    /// The box's bytes from `host` on are valid for writes and used by nobody else until the command is complete.
    pub unsafe fn read_box(&self, buffer: &Buffer, host: *mut u8, copy: &BoxCopy) -> Result<Command, ClError> {
        let host = host.wrapping_add(copy.to.offset);
        if copy.is_contiguous() {
            return command("clEnqueueReadBuffer", None, |wait| {
                // SAFETY: queue and buffer are of one context; non-blocking, so the caller's promise is needed.
                unsafe {
                    let bytes = slice::from_raw_parts_mut(host, copy.run);
                    self.raw.enqueue_read_buffer(buffer, CL_NON_BLOCKING, copy.from.offset, bytes, wait)
                }
            });
        }
        let (at, [row, plane], [host_row, host_plane]) = (origin(&copy.from), copy.from.strides, copy.to.strides);
        let (none, region) = ([0; 3], region(copy));
        command("clEnqueueReadBufferRect", None, |wait| {
            // SAFETY: as above; the three lists of three numbers are read during the call.
            unsafe {
                self.raw.enqueue_read_buffer_rect(
                    buffer,
                    CL_NON_BLOCKING,
                    at.as_ptr(),
                    none.as_ptr(),
                    region.as_ptr(),
                    row,
                    plane,
                    host_row,
                    host_plane,
                    host.cast(),
                    wait,
                )
            }
        })
    }

    /// Copies a box to another buffer, or to another place in the same buffer, once `after` is complete. The cells read and the
    /// cells written must not overlap.
    pub fn copy_box(
        &self,
        from: &Buffer,
        to: &Buffer,
        copy: &BoxCopy,
        after: Option<&Command>,
    ) -> Result<Command, ClError> {
        // Not opencl3's own functions: those need one buffer shared and the other mutable, and here both may be the same.
        let call = if copy.is_contiguous() { "clEnqueueCopyBuffer" } else { "clEnqueueCopyBufferRect" };
        let (source, target, region) = (origin(&copy.from), origin(&copy.to), region(copy));
        command(call, after, |wait| {
            let events = if wait.is_empty() { ptr::null() } else { wait.as_ptr() };
            let (queue, from_buffer, to_buffer, waits) = (self.raw.get(), from.get(), to.get(), wait.len() as u32);
            let event = if copy.is_contiguous() {
                let (source, target) = (copy.from.offset, copy.to.offset);
                // SAFETY: queue, buffers and event are of one context; the driver compares the range with the buffers' sizes.
                unsafe {
                    command_queue::enqueue_copy_buffer(
                        queue,
                        from_buffer,
                        to_buffer,
                        source,
                        target,
                        copy.run,
                        waits,
                        events,
                    )
                }
            } else {
                let ([row, plane], [to_row, to_plane]) = (copy.from.strides, copy.to.strides);
                // SAFETY: as above; the three lists of three numbers are read during the call.
                unsafe {
                    command_queue::enqueue_copy_buffer_rect(
                        queue,
                        from_buffer,
                        to_buffer,
                        source.as_ptr(),
                        target.as_ptr(),
                        region.as_ptr(),
                        row,
                        plane,
                        to_row,
                        to_plane,
                        waits,
                        events,
                    )
                }
            };
            event.map(Event::new).map_err(error_codes::ClError)
        })
    }

    /// A command that is complete when everything enqueued so far is.
    pub fn marker(&self) -> Result<Command, ClError> {
        // SAFETY: there are no events to wait for.
        command("clEnqueueMarkerWithWaitList", None, |wait| unsafe { self.raw.enqueue_marker_with_wait_list(wait) })
    }

    /// Makes later commands of this queue wait for `after`, a command of another queue.
    pub fn barrier(&self, after: &Command) -> Result<Command, ClError> {
        // SAFETY: queue and event are of one context.
        let barrier = |wait: &[cl_event]| unsafe { self.raw.enqueue_barrier_with_wait_list(wait) };
        command("clEnqueueBarrierWithWaitList", Some(after), barrier)
    }

    /// Sets the first `len` bytes of a buffer to 0xff: a NaN as a float.
    pub fn poison(&self, buffer: &mut Buffer, len: usize) -> Result<Command, ClError> {
        command("clEnqueueFillBuffer", None, |wait| {
            // SAFETY: queue and buffer are of one context; the pattern of 1 byte is copied by the call.
            unsafe { self.raw.enqueue_fill_buffer(buffer, &[0xffu8], 0, len, wait) }
        })
    }

    /// Runs a kernel with its present arguments, once `after` is complete.
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

    /// Makes what was written to the first `len` bytes of a buffer over host memory visible to the host, and returns the memory to
    /// OpenCL. Blocks.
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

/// Where a box starts in a buffer, in bytes, rows and planes.
fn origin(side: &Strided) -> [usize; 3] {
    let [row, plane] = side.strides.map(|stride| stride.max(1));
    let in_plane = side.offset % plane;
    [in_plane % row, in_plane / row, side.offset / plane]
}

/// The size of a box in bytes, rows and planes.
fn region(copy: &BoxCopy) -> [usize; 3] {
    [copy.run, copy.counts[0], copy.counts[1]]
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
    /// Waits for the command.
    pub fn wait(&self) -> Result<(), ClError> {
        self.event.wait().called("clWaitForEvents")
    }

    /// Whether the command is still under way.
    pub fn running(&self) -> bool {
        // CL_COMPLETE is 0, a failed command has a negative status.
        self.event.command_execution_status().is_ok_and(|status| status.0 > 0)
    }

    /// The command's error, if it has ended with one.
    pub fn failed(&self) -> Option<ClError> {
        match self.event.command_execution_status().called("clGetEventInfo") {
            Ok(status) if status.0 < 0 => Some(ClError { call: "the command ended with", code: status.0 }),
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    /// For a complete command: when it was enqueued, started and ended, in nanoseconds of the device's clock.
    pub fn times(&self) -> Result<[u64; 3], ClError> {
        let event = &self.event;
        let times = || -> opencl3::Result<_> {
            Ok([event.profiling_command_queued()?, event.profiling_command_start()?, event.profiling_command_end()?])
        };
        times().called("clGetEventProfilingInfo")
    }
}
