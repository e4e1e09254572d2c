//! A stand-in for `libcuda.so.1`: it checks what the host side of a CUDA backend does, on a machine without a GPU.
//!
//! It has the driver's entry points, tracks all that a program holds, and computes a few built-in kernels. It is not fast, and
//! none of its times says anything about a GPU.
//!
//! * **Nothing runs when it is enqueued.** A stream is a queue. Its operations run when a thread waits or queries, on that
//!   thread, as far as the wait needs; streams that the wait does not need may run ahead, by seeded chance. So a missing wait
//!   shows as wrong data, and so does a host buffer that is read or written too early: a copy reads and writes the host's memory
//!   when it runs.
//! * **Device addresses are no host addresses.** Each is given out once, and following one on the host faults. An access to
//!   memory that is not allocated, or on a device out of reach, fails with the driver's code: at the call if the driver detects
//!   it there, else when the operation runs. The context is lost then, as with the driver.
//! * **Stricter than the driver** where the driver hides mistakes: `cuMemFree`, `cuMemFreeHost` and
//!   `cuMemHostUnregister` do not wait for operations that still use the memory; those fail instead.
//! * **Injected failures**, at the n-th call of an entry point or in the n-th operation of a kind: [`control`].
//!
//! A program opens the library by its path, `RTLD_NOW | RTLD_GLOBAL`, before anything opens `libcuda.so.1`; by its SONAME it is
//! then found under the driver's name. Tests use the functions in `control`; the table of kernels is in `kernels`.

// Entry points of a C library: raw pointers come in, and addresses of the host are read and written later.
#![allow(unsafe_code)]
// Readers of this page need the control functions too; most links lead to private modules.
#![allow(rustdoc::private_intra_doc_links)]

mod api;
mod boxes;
mod codes;
mod control;
mod faults;
mod kernels;
mod log;
mod memory;
mod operations;
mod state;
mod streams;
#[cfg(test)]
mod tests;
