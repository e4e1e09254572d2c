//! Short wrappers of the entry points, so that tests read as what they do.

use crate::api::{context::*, copy::*, event::*, general::*, memory::*, module::*, stream::*};
use crate::codes::Code;
use crate::control::*;
use crate::state::{Handle, Out};
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: a process has one stand-in.
static TURN: Mutex<()> = Mutex::new(());

pub struct Driver {
    pub contexts: Vec<Handle>,
    _turn: MutexGuard<'static, ()>,
}

/// Converts a code: success gives the result.
fn code<T>(code: Code, value: T) -> Result<T, Code> {
    if code == 0 { Ok(value) } else { Err(code) }
}

/// Passes a place to a call and returns what is in it then.
pub fn got<T>(empty: T, call: impl FnOnce(Out<T>) -> Code) -> Result<T, Code> {
    let mut place = empty;
    let result = call(Out::from(&raw mut place));
    code(result, place)
}

pub fn count(what: &str) -> i64 {
    let what = CString::new(what).unwrap();
    // SAFETY: a text that ends with a NUL.
    unsafe { standin_count(what.as_ptr()) }
}

pub fn fail(entry_point: &str, nth: u64, code: Code) {
    let entry_point = CString::new(entry_point).unwrap();
    // SAFETY: a text that ends with a NUL.
    unsafe { standin_fail(entry_point.as_ptr(), nth, code) }
}

pub fn fail_when_run(kind: &str, nth: u64, code: Code) {
    let kind = CString::new(kind).unwrap();
    // SAFETY: a text that ends with a NUL.
    unsafe { standin_fail_when_run(kind.as_ptr(), nth, code) }
}

pub fn log() -> String {
    // SAFETY: no place, no room.
    let len = unsafe { standin_log(null_mut(), 0) };
    let mut text = vec![0u8; len + 1];
    // SAFETY: there is that much room.
    unsafe { standin_log(text.as_mut_ptr().cast(), text.len()) };
    assert_eq!(text.pop(), Some(0));
    String::from_utf8(text).unwrap()
}

// SAFETY, of all blocks below: handles and device addresses are numbers that the stand-in checks; places for results
// are alive during the call; host buffers of copies are the tests' own, which keep them until the copies ran or their
// context was reset; arguments of kernels fit the table.

impl Driver {
    /// Starts `devices` devices with a context each, the first one current.
    pub fn start(devices: i32) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        standin_reset();
        standin_set_devices(devices);
        // SAFETY: see above.
        assert_eq!(unsafe { cuInit(0) }, 0);
        // SAFETY: see above.
        let retain = |device| got(null_mut(), |out| unsafe { cuDevicePrimaryCtxRetain(out, device) }).unwrap();
        let driver = Self { contexts: (0..devices).map(retain).collect(), _turn: turn };
        driver.current(0);
        driver
    }

    pub fn current(&self, device: usize) {
        // SAFETY: see above.
        assert_eq!(unsafe { cuCtxSetCurrent(self.contexts[device]) }, 0);
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Pending copies of a failed test would follow dangling pointers.
        standin_reset();
    }
}

pub fn stream() -> Handle {
    // SAFETY: see above.
    got(null_mut(), |out| unsafe { cuStreamCreate(out, 1) }).unwrap()
}

pub fn alloc(bytes: usize) -> Result<u64, Code> {
    // SAFETY: see above.
    got(0, |out| unsafe { cuMemAlloc_v2(out, bytes) })
}

pub fn copy_in<T>(to: u64, from: &[T], stream: Handle) -> Result<(), Code> {
    // SAFETY: see above.
    code(unsafe { cuMemcpyHtoDAsync_v2(to, from.as_ptr().cast(), size_of_val(from), stream) }, ())
}

pub fn copy_out<T>(to: &mut [T], from: u64, stream: Handle) -> Result<(), Code> {
    // SAFETY: see above.
    code(unsafe { cuMemcpyDtoHAsync_v2(to.as_mut_ptr().cast(), from, size_of_val(to), stream) }, ())
}

pub fn sync(stream: Handle) -> Result<(), Code> {
    // SAFETY: see above.
    code(unsafe { cuStreamSynchronize(stream) }, ())
}

/// Device memory with these elements, and the current context at rest.
pub fn upload<T>(elements: &[T]) -> u64 {
    let address = alloc(size_of_val(elements)).unwrap();
    // SAFETY: see above.
    assert_eq!(unsafe { cuMemcpyHtoD_v2(address, elements.as_ptr().cast(), size_of_val(elements)) }, 0);
    address
}

pub fn download<T: Copy + Default>(address: u64, len: usize) -> Vec<T> {
    let mut elements = vec![T::default(); len];
    let bytes = size_of_val(&elements[..]);
    // SAFETY: see above.
    assert_eq!(unsafe { cuMemcpyDtoH_v2(elements.as_mut_ptr().cast(), address, bytes) }, 0);
    elements
}

pub fn event() -> Handle {
    // SAFETY: see above.
    got(null_mut(), |out| unsafe { cuEventCreate(out, 0) }).unwrap()
}

/// A new event at the stream's end.
pub fn record(stream: Handle) -> Handle {
    let event = event();
    // SAFETY: see above.
    assert_eq!(unsafe { cuEventRecord(event, stream) }, 0);
    event
}

pub fn wait(stream: Handle, event: Handle) {
    // SAFETY: see above.
    assert_eq!(unsafe { cuStreamWaitEvent(stream, event, 0) }, 0);
}

pub fn module(image: &str) -> Result<Handle, Code> {
    let image = CString::new(image).unwrap();
    // SAFETY: see above; a text that ends with a NUL.
    got(null_mut(), |out| unsafe { cuModuleLoadData(out, image.as_ptr().cast()) })
}

pub fn function(module: Handle, name: &str) -> Result<Handle, Code> {
    let name = CString::new(name).unwrap();
    // SAFETY: see above.
    got(null_mut(), |out| unsafe { cuModuleGetFunction(out, module, name.as_ptr()) })
}

/// An argument of a kernel. An array is its address and its first index.
#[derive(Clone, Copy)]
pub enum Arg {
    Long(i64),
    F32(f32),
    F64(f64),
    Array(u64, i64),
    Pointer(u64),
}

pub fn launch(function: Handle, stream: Handle, blocks: u32, args: &[Arg]) -> Result<(), Code> {
    let values: Vec<[u8; 8]> = args
        .iter()
        .flat_map(|arg| match *arg {
            Arg::Long(value) => vec![value.to_ne_bytes()],
            Arg::F32(value) => vec![f64::from_bits(value.to_bits().into()).to_ne_bytes()],
            Arg::F64(value) => vec![value.to_ne_bytes()],
            Arg::Array(address, first) => vec![address.to_ne_bytes(), first.to_ne_bytes()],
            Arg::Pointer(address) => vec![address.to_ne_bytes()],
        })
        .collect();
    let pointers: Vec<*const c_void> = values.iter().map(|value| value.as_ptr().cast()).collect();
    // SAFETY: see above.
    code(unsafe { cuLaunchKernel(function, blocks, 1, 1, 32, 1, 1, 0, stream, pointers.as_ptr(), null()) }, ())
}

/// `y[i] = 3 * y[i] + x[i]` over the first n.
pub fn triple_add(stream: Handle, n: i64, x: u64, y: u64) -> Result<(), Code> {
    let function = function(module("standin:").unwrap(), "triple_add")?;
    launch(function, stream, 1, &[Arg::Long(0), Arg::Long(n), Arg::Array(x, 0), Arg::Array(y, 0)])
}
