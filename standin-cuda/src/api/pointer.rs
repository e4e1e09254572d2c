//! Attributes of addresses.

use crate::codes::*;
use crate::memory::Life;
use crate::state::{Handle, Out, State, in_context};
use std::ffi::{c_int, c_uint, c_void};

const HOST: c_uint = 1;
const DEVICE: c_uint = 2;

/// The range that an address belongs to.
struct Found {
    kind: c_uint,
    context: u64,
    device: c_int,
    start: u64,
    len: u64,
}

fn find(s: &State, address: u64) -> Option<Found> {
    if let Some(a) = s.memory.allocation(address, 1).filter(|a| a.life != Life::Freed) {
        return Some(Found { kind: DEVICE, context: a.context, device: a.device, start: a.start, len: a.len });
    }
    let (start, range) = s.memory.host_range(address as usize)?;
    let device = s.contexts.get(&range.context)?.device;
    Some(Found { kind: HOST, context: range.context, device, start: start as u64, len: range.len as u64 })
}

/// Writes an attribute. For an unknown address it gives `Err`, but still writes zeros to `data`.
fn put(found: Option<&Found>, which: c_uint, address: u64, data: *mut c_void) -> Outcome {
    if data.is_null() {
        return Err(INVALID_VALUE);
    }
    let put_32 = |value: c_uint| Out::from(data.cast::<c_uint>()).put(value);
    let put_64 = |value: u64| Out::from(data.cast::<u64>()).put(value);
    let of = |part: fn(&Found) -> u64| found.map_or(0, part);
    match which {
        // Context, memory type.
        1 => put_64(of(|f| f.context))?,
        2 => put_32(of(|f| f.kind.into()) as c_uint)?,
        // The address on the device and on the host: the same for page-locked memory, as addresses are unified.
        3 => put_64(if found.is_some() { address } else { 0 })?,
        4 if found.is_some_and(|f| f.kind == DEVICE) => return Err(INVALID_VALUE),
        4 => put_64(if found.is_some() { address } else { 0 })?,
        // Buffer id: the start address, which is unique.
        7 => put_64(of(|f| f.start))?,
        // Managed: never.
        8 => put_32(0)?,
        // Device ordinal.
        9 => Out::from(data.cast::<c_int>()).put(found.map_or(0, |f| f.device))?,
        // Range: start, size. Mapped: whether the address is known.
        11 => put_64(of(|f| f.start))?,
        12 => put_64(of(|f| f.len))?,
        13 => put_32(found.is_some().into())?,
        _ => return Err(NOT_SUPPORTED),
    }
    found.map(|_| ()).ok_or(INVALID_VALUE)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttribute(data: *mut c_void, which: c_uint, address: u64) -> Code {
    in_context("cuPointerGetAttribute", |s, _| {
        let found = find(s, address).ok_or(INVALID_VALUE)?;
        put(Some(&found), which, address, data)
    })
}

/// For an unknown address it writes zeros and reports no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttributes(
    count: c_uint,
    which: *const c_uint,
    data: *const *mut c_void,
    address: u64,
) -> Code {
    in_context("cuPointerGetAttributes", |s, _| {
        if which.is_null() || data.is_null() {
            return Err(INVALID_VALUE);
        }
        let found = find(s, address);
        for i in 0..count as usize {
            // SAFETY: the caller of the entry point promises `count` attributes and as many places.
            let (which, data) = unsafe { (*which.add(i), *data.add(i)) };
            match put(found.as_ref(), which, address, data) {
                Err(NOT_SUPPORTED) => return Err(INVALID_VALUE),
                // An attribute that does not apply is left zero.
                Err(_) if found.is_some() => Out::from(data.cast::<Handle>()).put(std::ptr::null_mut())?,
                _ => {}
            }
        }
        Ok(())
    })
}
