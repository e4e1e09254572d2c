//! Kernels from source: compiled once per source text and options, kept as long as the device is open.
#![allow(unsafe_code, reason = "calls the OpenCL library")]

use super::api::Handle;
use super::discover::device_info;
use super::objects::{Context, KernelObject, Program, info, number, sizes, text};
use super::parameters;
use super::status::{BUILD_PROGRAM_FAILURE, ClError, INVALID_KERNEL_NAME};
use crate::kernel::{Argument, DeviceSource, Reduction};
use std::collections::HashMap;
use std::ffi::CString;
use std::ptr;
use std::sync::Arc;

/// The compiled programs of one device.
#[derive(Default)]
pub struct Programs {
    built: HashMap<(Arc<str>, Arc<str>), usize>,
    // Kernels first: they refer to the programs.
    kernels: Vec<CompiledKernel>,
    by_entry: HashMap<(usize, Arc<str>), usize>,
    programs: Vec<Program>,
}

/// An entry function, and what the compiler says of it.
pub struct CompiledKernel {
    pub object: KernelObject,
    parameters: usize,
    /// Most work-items in a group, by its registers and the device.
    most_in_group: usize,
    /// The group that the source demands; zeros where it does not.
    required_group: [usize; 3],
}

impl Programs {
    /// How many programs have been compiled.
    pub fn compiled(&self) -> usize {
        self.programs.len()
    }

    /// The compiled kernel.
    pub fn kernel(&mut self, index: usize) -> &mut CompiledKernel {
        &mut self.kernels[index]
    }

    /// The index of a variant's kernel, which is compiled if it was not yet.
    ///
    /// # Errors
    /// The build log, or that the entry function is missing.
    pub fn get(&mut self, context: &Context, device: Handle, source: &DeviceSource) -> Result<usize, String> {
        let key = (source.source.clone(), source.options.clone());
        let program = match self.built.get(&key) {
            Some(&program) => program,
            None => {
                self.programs.push(build(context, device, source)?);
                self.built.insert(key, self.programs.len() - 1);
                self.programs.len() - 1
            }
        };
        let key = (program, source.entry.clone());
        if let Some(&kernel) = self.by_entry.get(&key) {
            return Ok(kernel);
        }
        self.kernels.push(entry(&self.programs[program], device, source)?);
        self.by_entry.insert(key, self.kernels.len() - 1);
        Ok(self.kernels.len() - 1)
    }
}

impl CompiledKernel {
    /// Whether it takes what is bound, and runs in the groups of its grid.
    ///
    /// # Errors
    /// What does not fit, and what would.
    pub fn check(
        &self,
        source: &DeviceSource,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        largest_group: &[usize],
    ) -> Result<(), String> {
        parameters::check(&self.object, self.parameters, &source.entry, arguments, reduction)?;
        let group = source.grid.group;
        let items: usize = group.iter().product();
        let of = format!("the groups of kernel `{}` are of {}", source.entry, dimensions(&group));
        if self.required_group != [0; 3] && self.required_group != group {
            return Err(format!("{of} work-items, but its source demands {}", dimensions(&self.required_group)));
        }
        if items > self.most_in_group {
            return Err(format!(
                "{of} = {items} work-items, but this device runs at most {} of them in a group: use a smaller group in \
                 the variant's grid",
                self.most_in_group
            ));
        }
        if group.iter().zip(largest_group).any(|(size, most)| size > most) {
            return Err(format!(
                "{of} work-items, but this device runs at most {} per dimension: use a smaller group in the variant's \
                 grid",
                dimensions(largest_group)
            ));
        }
        Ok(())
    }
}

fn dimensions(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

fn build(context: &Context, device: Handle, source: &DeviceSource) -> Result<Program, String> {
    let api = context.api;
    const CL_DEVICE_TYPE: u32 = 0x1000;
    const CPU: u64 = 2;
    const GPU: u64 = 4;
    let kind = device_info(api, device, CL_DEVICE_TYPE).map_err(|error| error.to_string())?;
    // What suits a GPU (local memory, neighbouring items at neighbouring elements) is slow on a CPU.
    let cpu = if number(&kind) & (CPU | GPU) == CPU { " -DAPPORTION_CPU=1" } else { "" };
    // With the types of parameters known, a mix-up is a message rather than wrong results.
    let options = CString::new(format!("{}{cpu} -cl-kernel-arg-info", source.options))
        .map_err(|_| format!("the compiler options of kernel `{}` contain a NUL character", source.entry))?;
    let (start, len) = (source.source.as_ptr().cast(), source.source.len());
    let mut code = 0;
    // SAFETY: one text of `len` bytes, which the call copies.
    let raw = unsafe { (api.clCreateProgramWithSource)(context.raw, 1, &start, &len, &mut code) };
    ClError::check("clCreateProgramWithSource", code).map_err(|error| error.to_string())?;
    let program = Program { raw, api };
    // SAFETY: one device, the context's own; options end with NUL; without a callback the call blocks.
    let code = unsafe { (api.clBuildProgram)(program.raw, 1, &device, options.as_ptr(), None, ptr::null_mut()) };
    let Err(error) = ClError::check("clBuildProgram", code) else { return Ok(program) };
    if error.code != BUILD_PROGRAM_FAILURE {
        return Err(format!("kernel `{}` does not compile: {error}", source.entry));
    }
    const CL_PROGRAM_BUILD_LOG: u32 = 0x1183;
    let log = info("clGetProgramBuildInfo", |n, out, size| {
        // SAFETY: program and device are alive; `out` has room for `n` bytes, or is null with `n` 0.
        unsafe { (api.clGetProgramBuildInfo)(program.raw, device, CL_PROGRAM_BUILD_LOG, n, out, size) }
    });
    let log = log.map_or_else(|error| format!("(there is no build log: {error})"), |log| text(&log));
    let quoted = match first_error(&log).and_then(|line| Some((line, source.source.lines().nth(line - 1)?))) {
        Some((line, code)) => format!("\nline {line} of the source: {}", code.trim()),
        None => String::new(),
    };
    let options = match &*source.options {
        "" => String::new(),
        options => format!(" with options `{options}`"),
    };
    Err(format!("kernel `{}` does not compile{options}: {error}\n{log}{quoted}", source.entry))
}

/// The line of the first error in a build log, as compilers have it: `name:LINE:COLUMN: error: ..`.
fn first_error(log: &str) -> Option<usize> {
    log.lines().filter(|line| line.contains("error")).find_map(|line| {
        let parts: Vec<Option<usize>> = line.split([':', '(', ')', ',']).map(|part| part.trim().parse().ok()).collect();
        // The last two numbers in a row: some compilers write the number of the file before them.
        let pair = parts.windows(2).rev().find(|pair| pair.iter().all(Option::is_some))?;
        pair[0].filter(|&line| line > 0)
    })
}

fn entry(program: &Program, device: Handle, source: &DeviceSource) -> Result<CompiledKernel, String> {
    let name = CString::new(&*source.entry).map_err(|_| "the name of an entry contains a NUL character".to_owned())?;
    let api = program.api;
    let object = KernelObject::new(program, &name).map_err(|error| {
        if error.code != INVALID_KERNEL_NAME {
            return format!("entry `{}`: {error}", source.entry);
        }
        const CL_PROGRAM_KERNEL_NAMES: u32 = 0x1168;
        let names = info("clGetProgramInfo", |n, out, size| {
            // SAFETY: the program is alive; `out` has room for `n` bytes, or is null with `n` 0.
            unsafe { (api.clGetProgramInfo)(program.raw, CL_PROGRAM_KERNEL_NAMES, n, out, size) }
        });
        let names = names.map(|names| text(&names).replace(';', "`, `")).unwrap_or_default();
        let there = if names.is_empty() { "it has none".to_owned() } else { format!("it has `{names}`") };
        format!("the source has no kernel function `{}`: {there} ({error})", source.entry)
    })?;
    let kernel = object.raw;
    let group_info = |property| {
        info("clGetKernelWorkGroupInfo", |n, out, size| {
            // SAFETY: kernel and device are alive; `out` has room for `n` bytes, or is null with `n` 0.
            unsafe { (api.clGetKernelWorkGroupInfo)(kernel, device, property, n, out, size) }
        })
        .map(|bytes| sizes(&bytes))
    };
    let facts = || -> Result<_, ClError> {
        const CL_KERNEL_NUM_ARGS: u32 = 0x1191;
        let parameters = info("clGetKernelInfo", |n, out, size| {
            // SAFETY: the kernel is alive; `out` has room for `n` bytes, or is null with `n` 0.
            unsafe { (api.clGetKernelInfo)(kernel, CL_KERNEL_NUM_ARGS, n, out, size) }
        })?;
        Ok((number(&parameters) as usize, group_info(0x11B0)?, group_info(0x11B1)?))
    };
    let (parameters, most, required) = facts().map_err(|error| format!("entry `{}`: {error}", source.entry))?;
    let mut required_group = [0; 3];
    required_group.iter_mut().zip(required).for_each(|(mine, size)| *mine = size);
    let most_in_group = most.first().copied().unwrap_or(1);
    Ok(CompiledKernel { object, parameters, most_in_group, required_group })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_an_error_is_found_in_the_logs_of_several_compilers() {
        for (log, line) in [
            ("error: /tmp/tempfile_1.cl:12:5: use of undeclared identifier 'zz'", Some(12)),
            ("<kernel>:3:14: error: expected ';'", Some(3)),
            ("warning: 7:1: x\n1:23:4: error: y", Some(23)),
            ("input.cl(9,2): error: z", Some(9)),
            ("error: out of memory", None),
            ("", None),
        ] {
            assert_eq!(first_error(log), line, "{log}");
        }
    }
}
