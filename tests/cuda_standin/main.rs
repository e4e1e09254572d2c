//! The CUDA backend on a stand-in for libcuda (`standin-cuda/`): no GPU is needed. The stand-in runs what is enqueued as
//! late or as early as the streams' order allows, checks what it is given, counts what is held, and fails on request.
//!
//! Each test runs in a process of its own, as a process has one driver and starts it once.
#![cfg(all(feature = "cuda", target_os = "linux"))]
#![allow(unsafe_code, reason = "calls the stand-in's control functions")]

mod at_once;
mod bare;
#[path = "../common/mod.rs"]
mod common;
mod failures;
mod images;
mod kernels;
mod lost;
mod machine;
mod measures;
mod memory;
mod older;
mod overlap;
mod places;
mod programs;
mod region_failures;
#[path = "../region_programs/mod.rs"]
mod region_programs;
mod regions;
mod results;
mod short_memory;
mod standin;
#[path = "../common/threads.rs"]
mod threads;
