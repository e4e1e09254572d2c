//! Operations of a stream, and what each does when it runs.

use crate::boxes::BoxCopy;
use crate::codes::*;
use crate::kernels::{KERNELS, Launch};
use crate::state::State;
use crate::streams::Place;
use std::ffi::c_void;

/// A function of the program, with its one argument.
#[derive(Clone, Copy)]
pub struct HostFunction {
    pub function: unsafe extern "C" fn(*mut c_void),
    pub data: usize,
}

impl HostFunction {
    pub fn call(self) {
        // SAFETY: the caller that enqueued it promised the driver that it can be called once with this argument, from any thread,
        // when the stream gets there.
        unsafe { (self.function)(self.data as *mut c_void) }
    }
}

pub enum Operation {
    /// Host addresses are plain numbers here: they are followed when the copy runs.
    HostToDevice {
        to: u64,
        from: usize,
        len: usize,
    },
    DeviceToHost {
        to: usize,
        from: u64,
        len: usize,
    },
    DeviceToDevice {
        to: u64,
        from: u64,
        len: u64,
    },
    /// Between two contexts' devices, with or without peer access.
    Peer {
        to: u64,
        to_device: i32,
        from: u64,
        from_device: i32,
        len: u64,
    },
    /// Between the host and a device, on one device, or between two.
    Box(BoxCopy),
    Set {
        to: u64,
        value: u8,
        len: u64,
    },
    Kernel(Launch),
    Record,
    Wait(Place),
    Allocate(u64),
    Free(u64),
    Host(HostFunction),
}

impl Operation {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::HostToDevice { .. } => "h2d",
            Self::DeviceToHost { .. } => "d2h",
            Self::DeviceToDevice { .. } => "d2d",
            Self::Peer { .. } => "peer",
            Self::Box(copy) => copy.kind(),
            Self::Set { .. } => "memset",
            Self::Kernel(_) => "kernel",
            Self::Record => "record",
            Self::Wait(_) => "wait",
            Self::Allocate(_) => "alloc",
            Self::Free(_) => "free",
            Self::Host(_) => "host",
        }
    }

    pub fn name(&self) -> &'static str {
        if let Self::Kernel(launch) = self { KERNELS[launch.kernel].name } else { "" }
    }

    pub fn takes_time(&self) -> bool {
        !matches!(self, Self::Record | Self::Wait(_))
    }

    /// Allocations are tracked to the end.
    pub fn runs_on_a_lost_device(&self) -> bool {
        matches!(self, Self::Allocate(_) | Self::Free(_))
    }

    /// The host memory that it reads or writes: start and length.
    pub fn host_range(&self) -> Option<(usize, usize)> {
        match self {
            Self::HostToDevice { from: host, len, .. } | Self::DeviceToHost { to: host, len, .. } => {
                Some((*host, *len))
            }
            Self::Box(copy) => copy.host_range(),
            _ => None,
        }
    }
}

impl State {
    /// Runs an operation of a context. Returns how many bytes it moved, or touched as a kernel.
    pub fn execute(&mut self, context: u64, what: &Operation) -> Outcome<u64> {
        let reach = self.reach(context);
        match *what {
            Operation::HostToDevice { to, from, len } => {
                let bytes = self.memory.bytes(to, len as u64, &reach)?;
                // SAFETY: the caller that enqueued the copy promised that the host range can be read until the copy has run;
                // `bytes` has the same length and is memory of this library, so they do not overlap.
                unsafe { std::ptr::copy_nonoverlapping(from as *const u8, bytes.as_mut_ptr(), len) };
                Ok(len as u64)
            }
            Operation::DeviceToHost { to, from, len } => {
                let bytes = self.memory.bytes(from, len as u64, &reach)?;
                // SAFETY: as above; the host range can be written, and nothing else uses it until the copy has run.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to as *mut u8, len) };
                Ok(len as u64)
            }
            Operation::DeviceToDevice { to, from, len } => self.copy(to, &reach, from, &reach, len),
            Operation::Peer { to, to_device, from, from_device, len } => {
                self.copy(to, &[to_device], from, &[from_device], len)
            }
            Operation::Box(ref copy) => self.copy_box(copy),
            Operation::Set { to, value, len } => {
                self.memory.bytes(to, len, &reach)?.fill(value);
                Ok(len)
            }
            Operation::Kernel(ref launch) => launch.run(&mut self.memory, &reach),
            Operation::Allocate(address) => {
                self.memory.begin(address);
                Ok(0)
            }
            Operation::Free(address) => self.memory.free(address).map(|()| 0).map_err(|_| ILLEGAL_ADDRESS),
            // The stream calls a host function itself, without the lock.
            Operation::Record | Operation::Wait(_) | Operation::Host(_) => Ok(0),
        }
    }

    fn copy(&mut self, to: u64, to_reach: &[i32], from: u64, from_reach: &[i32], len: u64) -> Outcome<u64> {
        let bytes = self.memory.bytes(from, len, from_reach)?.to_vec();
        self.memory.bytes(to, len, to_reach)?.copy_from_slice(&bytes);
        Ok(len)
    }
}
