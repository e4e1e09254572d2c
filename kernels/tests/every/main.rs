//! Every workload and every application on every kind of device.
//!
//! One program, which the bundle for machines with GPUs carries.

mod device;
#[path = "../machines/mod.rs"]
mod machines;
mod region;
