//! Devices: what they are and can do.

use crate::codes::*;
use crate::state::{Out, State, call};
use std::ffi::{c_char, c_int, c_uint};

pub const MAX_THREADS: u32 = 1024;
pub const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
pub const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65535, 65535];
/// Shared memory of a block: by default, and for a function that asks for more.
pub const SHARED: i32 = 48 << 10;
pub const SHARED_OPT_IN: i32 = 227 << 10;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: Out<c_int>) -> Code {
    call("cuDeviceGetCount", |s| count.put(s.config.devices))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: Out<c_int>, ordinal: c_int) -> Code {
    call("cuDeviceGet", |s| device.put(s.device(ordinal)?))
}

/// Writes as much of a text as fits, with a NUL at its end.
fn put_text(place: *mut c_char, room: c_int, text: &str) -> Outcome {
    let room = usize::try_from(room).ok().filter(|room| *room > 0 && !place.is_null()).ok_or(INVALID_VALUE)?;
    for (i, byte) in text.bytes().take(room - 1).chain([0]).enumerate() {
        // SAFETY: the caller of the entry point promises `room` bytes at `place`; i < room.
        unsafe { place.add(i).write(byte as c_char) };
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, room: c_int, device: c_int) -> Code {
    call("cuDeviceGetName", |s| put_text(name, room, &format!("Stand-in GPU {}", s.device(device)?)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetPCIBusId(id: *mut c_char, room: c_int, device: c_int) -> Code {
    call("cuDeviceGetPCIBusId", |s| put_text(id, room, &format!("0000:{:02X}:00.0", s.device(device)? + 1)))
}

fn uuid(s: &State, device: c_int) -> Outcome<[u8; 16]> {
    let mut uuid = *b"apportion\0\0\0\0\0\0\0";
    uuid[15] = s.device(device)? as u8;
    Ok(uuid)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid(out: Out<[u8; 16]>, device: c_int) -> Code {
    call("cuDeviceGetUuid", |s| out.put(uuid(s, device)?))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid_v2(out: Out<[u8; 16]>, device: c_int) -> Code {
    call("cuDeviceGetUuid_v2", |s| out.put(uuid(s, device)?))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: c_int) -> Code {
    call("cuDeviceTotalMem_v2", |s| {
        s.device(device)?;
        bytes.put(s.config.memory as usize)
    })
}

/// Attributes by the driver's numbers; others are properties that these devices do not have.
fn attribute(device: c_int, attribute: c_uint) -> Outcome<c_int> {
    Ok(match attribute {
        1 => MAX_THREADS as c_int,
        2..=4 => MAX_BLOCK[attribute as usize - 2] as c_int,
        5..=7 => MAX_GRID[attribute as usize - 5] as c_int,
        8 => SHARED,
        // Constant memory, warp size, largest pitch.
        9 => 64 << 10,
        10 => 32,
        11 => c_int::MAX,
        // Registers of a block and of a multiprocessor.
        12 | 82 => 65536,
        // Clock rates of the multiprocessors and of the memory in kHz, bits of the memory's bus.
        13 | 36 => 1_000_000,
        37 => 4096,
        // Alignment of textures and surfaces.
        14 | 30 => 512,
        // Copies overlap with kernels; multiprocessors.
        15 => 1,
        16 => 4,
        // Time limit, integrated, compute mode, ECC.
        17 | 18 | 20 | 32 => 0,
        // Host memory can be mapped, concurrent kernels, unified addresses.
        19 | 31 | 41 => 1,
        // PCI bus, device, domain.
        33 => device + 1,
        34 | 50 => 0,
        // L2 cache, threads of a multiprocessor, copy engines.
        38 => 4 << 20,
        39 => 2048,
        40 => 2,
        75 => 9,
        76 => 0,
        // Stream priorities, caches of global and local memory.
        78..=80 => 1,
        81 => 228 << 10,
        // float to double performance.
        87 => 2,
        // A registered host pointer is good on the device too; registering works, memory pools too.
        91 | 99 | 115 => 1,
        97 => SHARED_OPT_IN,
        106 => 32,
        111 => 1 << 10,
        0 => return Err(INVALID_VALUE),
        1024.. => return Err(INVALID_VALUE),
        _ => 0,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: Out<c_int>, which: c_uint, device: c_int) -> Code {
    call("cuDeviceGetAttribute", |s| value.put(attribute(s.device(device)?, which)?))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) -> Code {
    call("cuDeviceCanAccessPeer", |s| {
        let (device, peer) = (s.device(device)?, s.device(peer)?);
        can.put(s.can_access(device, peer).into())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetP2PAttribute(
    value: Out<c_int>,
    which: c_uint,
    source: c_int,
    target: c_int,
) -> Code {
    call("cuDeviceGetP2PAttribute", |s| {
        let (source, target) = (s.device(source)?, s.device(target)?);
        if source == target {
            return Err(INVALID_DEVICE);
        }
        match which {
            // Rank of the link; 0 is the best.
            1 => value.put(0),
            // Access, atomics, access to arrays.
            2..=4 => value.put(s.can_access(source, target).into()),
            5 => value.put(0),
            _ => Err(INVALID_VALUE),
        }
    })
}
