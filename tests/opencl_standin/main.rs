//! The OpenCL backend on a layer over the machine's OpenCL library (`standin-opencl/`), which counts what is held and fails on
//! request. PoCL is enough.
//!
//! Each test runs in a process of its own, as a process opens the library once. Without an OpenCL device the tests say that they
//! are skipped; with `APPORTION_REQUIRE_OPENCL=1` they fail.
#![cfg(all(feature = "opencl", target_os = "linux"))]
#![allow(unsafe_code, reason = "calls the layer's control functions; kernels by hand, which stay within their arrays")]

#[path = "../common/mod.rs"]
mod common;
mod failures;
mod scenes;
mod standin;
