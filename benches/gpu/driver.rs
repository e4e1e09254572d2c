//! What programs by hand share: which GPU a device is to the driver, and how a text becomes a function there.

use super::Failed;
use apportion::prelude::*;
use cudarc::driver::{CudaContext, CudaFunction};
use cudarc::nvrtc::CompileOptions;
use std::sync::Arc;

/// The driver's number of a device of the machine.
pub fn ordinal(rt: &Runtime, id: usize) -> Failed<usize> {
    let entry = rt.machine().enabled_devices().find(|device| device.id == id);
    let index = entry.and_then(|entry| entry.cuda.as_ref()?.index);
    index.ok_or_else(|| "a GPU of the description has no `cuda.index`".into())
}

/// A function of a text, compiled for the GPU of the context.
///
/// NVRTC must be loaded: the runtime finds it where it is, at its first loop whose kernel is a text.
pub fn function(context: &Arc<CudaContext>, text: &str, entry: &str, options: &str) -> Failed<CudaFunction> {
    let (major, minor) = context.compute_capability()?;
    let mut all: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
    all.push(format!("--gpu-architecture=compute_{major}{minor}"));
    let image = cudarc::nvrtc::compile_ptx_with_opts(text, CompileOptions { options: all, ..Default::default() })?;
    Ok(context.load_module(image)?.load_function(entry)?)
}
