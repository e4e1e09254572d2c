//! Initialisation, version, errors, and look-ups of entry points that are not here.

use crate::codes::*;
use crate::state::{Out, call};
use std::ffi::{c_char, c_int, c_uint, c_void};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_flags: c_uint) -> Code {
    call("cuInit", |s| {
        if s.config.devices <= 0 {
            return Err(NO_DEVICE);
        }
        s.initialised = true;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: Out<c_int>) -> Code {
    call("cuDriverGetVersion", |s| version.put(s.config.version))
}

/// Takes no lock: errors are printed anywhere, even in a host function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: Code, name: Out<*const c_char>) -> Code {
    let known = describe(error);
    let put = name.put(known.map_or(std::ptr::null(), |(name, _)| name.as_ptr()));
    put.and(known.map(|_| ()).ok_or(INVALID_VALUE)).err().unwrap_or(SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: Code, text: Out<*const c_char>) -> Code {
    let known = describe(error);
    let put = text.put(known.map_or(std::ptr::null(), |(_, text)| text.as_ptr()));
    put.and(known.map(|_| ()).ok_or(INVALID_VALUE)).err().unwrap_or(SUCCESS)
}

/// NVRTC asks for a table wherever it finds a driver, and goes on without.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetExportTable(table: Out<*const c_void>, _id: *const c_void) -> Code {
    let _ = table.put(std::ptr::null());
    NOT_SUPPORTED
}

/// The symbols themselves are exported; this look-up finds none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetProcAddress_v2(
    _symbol: *const c_char,
    function: Out<*mut c_void>,
    _version: c_int,
    _flags: u64,
    status: Out<c_int>,
) -> Code {
    const SYMBOL_NOT_FOUND: c_int = 1;
    let _ = function.put(std::ptr::null_mut());
    let _ = status.put(SYMBOL_NOT_FOUND);
    NOT_FOUND
}
