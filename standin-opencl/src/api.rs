//! The entry points.

use crate::books::{WAITED_IN_VAIN, books};
use crate::gates;
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

/// An object, or an address.
pub type Any = *mut c_void;
pub type Code = c_int;

/// CL_MEM_USE_HOST_PTR.
const USE_HOST_PTR: u64 = 1 << 3;
/// CL_EVENT_COMMAND_EXECUTION_STATUS.
const STATUS: u32 = 0x11D3;
/// CL_PROFILING_INFO_NOT_AVAILABLE.
const NO_TIMES: Code = -7;

/// A function of the machine's own library.
///
/// # Safety
/// `F` is its type.
pub unsafe fn real<F: Copy>(entry_point: &str) -> F {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        let file = std::env::var_os("APPORTION_STANDIN_OPENCL_UNDER").unwrap_or_else(|| "libOpenCL.so.1".into());
        // SAFETY: the loader's start does nothing that a program would notice.
        unsafe { Library::new(&file) }.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    });
    // SAFETY: the caller's promise.
    *unsafe { library.get::<F>(entry_point.as_bytes()) }.unwrap_or_else(|error| panic!("{entry_point}: {error}"))
}

/// Events that a command waits for.
///
/// # Safety
/// `list` has `count` events, or is null.
unsafe fn events(count: u32, list: *const Any) -> Vec<usize> {
    if list.is_null() {
        return Vec::new();
    }
    // SAFETY: by this function's contract.
    unsafe { std::slice::from_raw_parts(list, count as usize) }.iter().map(|event| event.addr()).collect()
}

/// Functions that return a status and are passed on as they are.
macro_rules! passed_on {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> Code {
            let name = stringify!($name);
            let due = books().calls(name);
            if let Err(code) = due {
                return code;
            }
            // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
            unsafe { real::<unsafe extern "C" fn($($type),*) -> Code>(name)($($argument),*) }
        }
    )*};
}

passed_on! {
    fn clGetPlatformIDs(room: u32, platforms: *mut Any, count: *mut u32);
    fn clGetPlatformInfo(platform: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetDeviceIDs(platform: Any, kind: u64, room: u32, devices: *mut Any, count: *mut u32);
    fn clGetDeviceInfo(device: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetContextInfo(context: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clBuildProgram(program: Any, count: u32, devices: *const Any, options: *const c_char, done: Any, data: Any);
    fn clGetProgramInfo(program: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetProgramBuildInfo(program: Any, device: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetKernelInfo(kernel: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetKernelArgInfo(kernel: Any, index: u32, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clGetKernelWorkGroupInfo(kernel: Any, device: Any, what: u32, size: usize, value: Any, needs: *mut usize);
    fn clSetKernelArg(kernel: Any, index: u32, size: usize, value: *const c_void);
}

/// Functions that return an object, and write a status to their last argument.
macro_rules! created {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) as $kind:literal;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type,)* status: *mut Code) -> Any {
            let name = stringify!($name);
            let due = books().calls(name);
            if let Err(code) = due {
                if !status.is_null() {
                    // SAFETY: a caller of OpenCL gives null or a place for the status.
                    unsafe { *status = code };
                }
                return std::ptr::null_mut();
            }
            type Create = unsafe extern "C" fn($($type,)* *mut Code) -> Any;
            // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
            let object = unsafe { real::<Create>(name)($($argument,)* status) };
            if !object.is_null() {
                books().holds($kind);
            }
            object
        }
    )*};
}

created! {
    fn clCreateContext(properties: *const isize, count: u32, devices: *const Any, notify: Any, data: Any) as "contexts";
    fn clCreateCommandQueue(context: Any, device: Any, properties: u64) as "queues";
    fn clCreateProgramWithSource(context: Any, count: u32, texts: *const *const c_char, lengths: *const usize) as "programs";
    fn clCreateKernel(program: Any, entry: *const c_char) as "kernels";
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clCreateBuffer(context: Any, flags: u64, size: usize, host: Any, status: *mut Code) -> Any {
    const NAME: &str = "clCreateBuffer";
    let due = books().calls(NAME);
    if let Err(code) = due {
        // SAFETY: the backend gives a place for the status.
        unsafe { *status = code };
        return std::ptr::null_mut();
    }
    type Create = unsafe extern "C" fn(Any, u64, usize, Any, *mut Code) -> Any;
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let buffer = unsafe { real::<Create>(NAME)(context, flags, size, host, status) };
    if !buffer.is_null() {
        let mut books = books();
        books.holds("buffers");
        if flags & USE_HOST_PTR == 0 {
            books.buffer(buffer.addr(), size);
        }
    }
    buffer
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clCreateSubDevices(
    device: Any,
    properties: *const isize,
    room: u32,
    parts: *mut Any,
    count: *mut u32,
) -> Code {
    const NAME: &str = "clCreateSubDevices";
    let due = books().calls(NAME);
    if let Err(code) = due {
        return code;
    }
    type Create = unsafe extern "C" fn(Any, *const isize, u32, *mut Any, *mut u32) -> Code;
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let code = unsafe { real::<Create>(NAME)(device, properties, room, parts, count) };
    if code == 0 && !parts.is_null() {
        (0..room).for_each(|_| books().holds("parts"));
    }
    code
}

/// Functions that release an object.
macro_rules! released {
    ($(fn $name:ident as $kind:literal;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(object: Any) -> Code {
            let name = stringify!($name);
            let due = {
                let mut books = books();
                books.releases($kind, object.addr());
                books.calls(name)
            };
            // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
            let code = unsafe { real::<unsafe extern "C" fn(Any) -> Code>(name)(object) };
            due.map_or_else(|failed| failed, |()| code)
        }
    )*};
}

released! {
    fn clReleaseContext as "contexts";
    fn clReleaseCommandQueue as "queues";
    fn clReleaseMemObject as "buffers";
    fn clReleaseProgram as "programs";
    fn clReleaseKernel as "kernels";
    fn clReleaseEvent as "events";
    fn clReleaseDevice as "parts";
}

/// Functions that enqueue a command on their first argument, with a list of events to wait for and a place for its own.
macro_rules! enqueued {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            queue: Any, $($argument: $type,)* count: u32, waits: *const Any, event: *mut Any,
        ) -> Code {
            let name = stringify!($name);
            let due = books().calls_device(name);
            if let Err(code) = due {
                return code;
            }
            // SAFETY: a caller of OpenCL gives as many events as it says.
            let mut waits = unsafe { events(count, waits) };
            let failed = books().runs(name, &waits);
            // SAFETY: the queue is one.
            waits.extend(unsafe { gates::gate_of(queue) });
            let (count, list) = (waits.len() as u32, if waits.is_empty() { std::ptr::null() } else { waits.as_ptr().cast() });
            let code = match failed {
                // SAFETY: the types are those of `cl.h`; the caller's promises are passed on.
                None => unsafe {
                    type Enqueue = unsafe extern "C" fn(Any, $($type,)* u32, *const Any, *mut Any) -> Code;
                    real::<Enqueue>(name)(queue, $($argument,)* count, list, event)
                },
                // In its place comes a command that does nothing.
                // SAFETY: as above.
                Some(_) => unsafe {
                    type Enqueue = unsafe extern "C" fn(Any, u32, *const Any, *mut Any) -> Code;
                    real::<Enqueue>("clEnqueueMarkerWithWaitList")(queue, count, list, event)
                },
            };
            if code == 0 && !event.is_null() {
                let mut books = books();
                books.holds("events");
                if let Some(failed) = failed {
                    // SAFETY: the call has written the event.
                    books.failed(unsafe { *event }.addr(), failed);
                }
            }
            code
        }
    )*};
}

enqueued! {
    fn clEnqueueReadBuffer(buffer: Any, blocking: u32, offset: usize, size: usize, host: Any);
    fn clEnqueueWriteBuffer(buffer: Any, blocking: u32, offset: usize, size: usize, host: *const c_void);
    fn clEnqueueReadBufferRect(
        buffer: Any, blocking: u32, at: *const usize, host_at: *const usize, region: *const usize,
        row: usize, plane: usize, host_row: usize, host_plane: usize, host: Any,
    );
    fn clEnqueueWriteBufferRect(
        buffer: Any, blocking: u32, at: *const usize, host_at: *const usize, region: *const usize,
        row: usize, plane: usize, host_row: usize, host_plane: usize, host: *const c_void,
    );
    fn clEnqueueCopyBuffer(from: Any, to: Any, from_offset: usize, to_offset: usize, size: usize);
    fn clEnqueueCopyBufferRect(
        from: Any, to: Any, from_at: *const usize, to_at: *const usize, region: *const usize,
        from_row: usize, from_plane: usize, to_row: usize, to_plane: usize,
    );
    fn clEnqueueFillBuffer(buffer: Any, pattern: *const c_void, length: usize, offset: usize, size: usize);
    fn clEnqueueUnmapMemObject(buffer: Any, address: Any);
    fn clEnqueueNDRangeKernel(
        kernel: Any, dimensions: u32, first: *const usize, global: *const usize, group: *const usize,
    );
    fn clEnqueueMarkerWithWaitList();
    fn clEnqueueBarrierWithWaitList();
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clEnqueueMapBuffer(
    queue: Any,
    buffer: Any,
    blocking: u32,
    flags: u64,
    offset: usize,
    size: usize,
    count: u32,
    waits: *const Any,
    event: *mut Any,
    status: *mut Code,
) -> Any {
    const NAME: &str = "clEnqueueMapBuffer";
    gates::open();
    let due = books().calls_device(NAME);
    if let Err(code) = due {
        // SAFETY: the backend gives a place for the status.
        unsafe { *status = code };
        return std::ptr::null_mut();
    }
    type Map = unsafe extern "C" fn(Any, Any, u32, u64, usize, usize, u32, *const Any, *mut Any, *mut Code) -> Any;
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let address =
        unsafe { real::<Map>(NAME)(queue, buffer, blocking, flags, offset, size, count, waits, event, status) };
    if !address.is_null() && !event.is_null() {
        books().holds("events");
    }
    address
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clFlush(queue: Any) -> Code {
    const NAME: &str = "clFlush";
    let due = books().calls_device(NAME);
    if let Err(code) = due {
        return code;
    }
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    unsafe { real::<unsafe extern "C" fn(Any) -> Code>(NAME)(queue) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clFinish(queue: Any) -> Code {
    const NAME: &str = "clFinish";
    gates::open();
    let due = books().calls_device(NAME);
    // Also where it fails: commands are over once a device is lost.
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let code = unsafe { real::<unsafe extern "C" fn(Any) -> Code>(NAME)(queue) };
    due.map_or_else(|failed| failed, |()| code)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clWaitForEvents(count: u32, list: *const Any) -> Code {
    const NAME: &str = "clWaitForEvents";
    gates::open();
    let due = books().calls(NAME);
    if let Err(code) = due {
        return code;
    }
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let code = unsafe { real::<unsafe extern "C" fn(u32, *const Any) -> Code>(NAME)(count, list) };
    // SAFETY: a caller of OpenCL gives as many events as it says.
    let failed = books().failed_of(&unsafe { events(count, list) });
    failed.map_or(code, |_| WAITED_IN_VAIN)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetEventInfo(event: Any, what: u32, size: usize, value: Any, needs: *mut usize) -> Code {
    const NAME: &str = "clGetEventInfo";
    gates::open();
    let due = books().calls(NAME);
    if let Err(code) = due {
        return code;
    }
    type Get = unsafe extern "C" fn(Any, u32, usize, Any, *mut usize) -> Code;
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    let code = unsafe { real::<Get>(NAME)(event, what, size, value, needs) };
    let failed = books().failed_of(&[event.addr()]).filter(|_| what == STATUS && code == 0 && !value.is_null());
    if let Some(failed) = failed {
        let status = value.cast::<Code>();
        // SAFETY: the call has written a status there. A command that has not ended has none yet.
        unsafe {
            if *status == 0 {
                *status = failed;
            }
        }
    }
    code
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetEventProfilingInfo(
    event: Any,
    what: u32,
    size: usize,
    value: Any,
    needs: *mut usize,
) -> Code {
    const NAME: &str = "clGetEventProfilingInfo";
    let due = books().calls(NAME);
    if let Err(code) = due {
        return code;
    }
    if books().failed_of(&[event.addr()]).is_some() {
        return NO_TIMES;
    }
    type Get = unsafe extern "C" fn(Any, u32, usize, Any, *mut usize) -> Code;
    // SAFETY: the type is that of `cl.h`; the caller's promises are passed on.
    unsafe { real::<Get>(NAME)(event, what, size, value, needs) }
}
