//! Kernels from source: compiled once per source text and options, and kept as long as the device is open. So is the error of one
//! that does not compile.

use super::objects::{Context, KernelObject, Owned, Program};
use super::parameters;
use super::status::{Called, ClError};
use crate::kernel::{Argument, DeviceSource, Reduction};
use opencl3::error_codes::{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_KERNEL_NAME};
use opencl3::program;
use opencl3::types::cl_device_id;
use std::collections::HashMap;
use std::ffi::CString;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Source, options and entry.
type Built = (Arc<str>, Arc<str>, Arc<str>);

/// The compiled programs of one device.
#[derive(Default)]
pub struct Programs {
    built: HashMap<(Arc<str>, Arc<str>), usize>,
    // Declared before the programs that they refer to, so dropped first.
    kernels: Vec<CompiledKernel>,
    by_entry: HashMap<(usize, Arc<str>), usize>,
    programs: Vec<Program>,
    /// Why a source with these options has no such entry. The compiler would say the same in each loop, and takes long to.
    refused: HashMap<Built, String>,
    /// Sources that did not compile.
    broken: usize,
    /// Time in which they were compiled.
    compiling: Duration,
}

/// A kernel function, with what the compiler reports of it.
pub struct CompiledKernel {
    pub object: KernelObject,
    parameters: usize,
    /// The most work-items in a group, as limited by the kernel's registers and the device.
    most_in_group: usize,
    /// The group size that the source demands; zeros where it demands none.
    required_group: [usize; 3],
    /// Bytes of local memory that a group of it needs; 0 where the driver does not tell.
    local_bytes: u64,
    /// How it was ever enqueued.
    ran: Vec<Enqueued>,
}

/// For a grid with more work-items than this in a dimension PoCL compiles a kernel once more (AXPY on PoCL 3.1: 36 ms).
const NARROW: usize = u16::MAX as usize;

/// Why a kernel cannot be had.
enum Refusal {
    /// By its source, options or entry, so again in each loop.
    Lasting(String),
    /// By other things, such as memory that is scarce just now.
    Passing(String),
}

/// What a driver may compile a kernel for, once it is to run.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Enqueued {
    group: [usize; 3],
    /// Whether the grid has more than [`NARROW`] work-items in a dimension.
    wide: bool,
}

impl Programs {
    /// How many programs were compiled, also in vain.
    pub fn compiled(&self) -> usize {
        self.programs.len() + self.broken
    }

    /// How often a kernel ran in groups or in a grid that were new to it.
    pub fn first_runs(&self) -> usize {
        self.kernels.iter().map(|kernel| kernel.ran.len()).sum()
    }

    /// Time in which programs were compiled, also as far as the driver left it to a kernel's first run.
    pub fn compile_time(&self) -> Duration {
        self.compiling
    }

    /// Adds to that time.
    pub fn compiled_for(&mut self, time: Duration) {
        self.compiling += time;
    }

    /// Whether a kernel was never enqueued before in groups of this size and a grid like this one; from now on it counts as
    /// enqueued.
    pub fn is_first_run(&mut self, kernel: usize, global: [usize; 3], group: [usize; 3]) -> bool {
        let (wide, ran) = (global.iter().any(|&size| size > NARROW), &mut self.kernels[kernel].ran);
        let this = Enqueued { group, wide };
        let first = !ran.contains(&this);
        if first {
            ran.push(this);
        }
        first
    }

    /// A compiled kernel by its index.
    pub fn kernel(&mut self, index: usize) -> &mut CompiledKernel {
        &mut self.kernels[index]
    }

    /// The index of a variant's kernel, compiled if needed, for a device that is a CPU or not.
    ///
    /// # Errors
    /// The build log, or that the kernel function is missing.
    pub fn get(&mut self, context: &Context, cpu: bool, source: &DeviceSource) -> Result<usize, String> {
        let started = Instant::now();
        let key = (source.source.clone(), source.options.clone());
        if let Some(&program) = self.built.get(&key)
            && let Some(&kernel) = self.by_entry.get(&(program, source.entry.clone()))
        {
            return Ok(kernel);
        }
        let key = (key.0, key.1, source.entry.clone());
        if let Some(why) = self.refused.get(&key) {
            return Err(why.clone());
        }
        match self.compile(context, cpu, source) {
            Ok(kernel) => {
                self.compiled_for(started.elapsed());
                Ok(kernel)
            }
            // Time in vain is not that of a kernel which later loops find ready.
            Err(Refusal::Lasting(why)) => {
                self.refused.insert(key, why.clone());
                Err(why)
            }
            Err(Refusal::Passing(why)) => Err(why),
        }
    }

    /// Compiles a source unless another entry of it is known already, and looks its entry up.
    fn compile(&mut self, context: &Context, cpu: bool, source: &DeviceSource) -> Result<usize, Refusal> {
        let key = (source.source.clone(), source.options.clone());
        let program = match self.built.get(&key) {
            Some(&program) => program,
            None => {
                let built = build(context, cpu, source).inspect_err(|refusal| {
                    self.broken += usize::from(matches!(refusal, Refusal::Lasting(_)));
                })?;
                self.programs.push(built);
                self.built.insert(key, self.programs.len() - 1);
                self.programs.len() - 1
            }
        };
        self.kernels.push(entry(&self.programs[program], context.device.id(), source)?);
        self.by_entry.insert((program, source.entry.clone()), self.kernels.len() - 1);
        Ok(self.kernels.len() - 1)
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Passing(why)
    }
}

impl CompiledKernel {
    /// Checks that the kernel takes the bound arguments.
    ///
    /// # Errors
    /// What does not match, and what would.
    pub fn check(
        &self,
        source: &DeviceSource,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        two_dimensional: bool,
    ) -> Result<(), String> {
        let entry = &source.entry;
        parameters::check(&self.object, self.parameters, entry, source.checks, arguments, reduction, two_dimensional)
    }

    /// Checks that the kernel can run in groups of this size on a device with such groups and so much local memory.
    ///
    /// # Errors
    /// What does not match, and what would.
    pub fn check_group(
        &self,
        source: &DeviceSource,
        group: [usize; 3],
        largest_group: &[usize],
        local: u64,
    ) -> Result<(), String> {
        let items = group.iter().fold(1usize, |items, &size| items.saturating_mul(size));
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
        // PoCL ends the process when such a kernel is to run.
        if self.local_bytes > local {
            return Err(format!(
                "kernel `{}` needs {} bytes of local memory for a group, but this device has {local}: use smaller `__local` arrays",
                source.entry, self.local_bytes
            ));
        }
        Ok(())
    }
}

fn dimensions(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")
}

fn build(context: &Context, cpu: bool, source: &DeviceSource) -> Result<Program, Refusal> {
    // Code that suits GPUs (local memory, neighbouring items at neighbouring elements) is slow on CPUs.
    let cpu = if cpu { " -DAPPORTION_CPU=1" } else { "" };
    // With argument information, a mix-up of parameters gives a message rather than wrong results.
    let options = CString::new(format!("{}{cpu} -cl-kernel-arg-info", source.options))
        .map_err(|_| format!("the compiler options of kernel `{}` contain a NUL character", source.entry))?;
    let program = program::Program::create_from_source(&context.raw, &source.source);
    let program = Owned::new(program.called("clCreateProgramWithSource").map_err(|error| error.to_string())?);
    let device = context.device.id();
    // Not opencl3's `Program::build`, which also asks for names, and panics where the options contain a NUL.
    let built = program::build_program(program.get(), &[device], &options, None, ptr::null_mut());
    let Err(error) = built.called("clBuildProgram") else { return Ok(program) };
    if error.code != CL_BUILD_PROGRAM_FAILURE {
        return Err(format!("kernel `{}` does not compile: {error}", source.entry).into());
    }
    let log = program.get_build_log(device).called("clGetProgramBuildInfo");
    let log = log.unwrap_or_else(|error| format!("(there is no build log: {error})"));
    let log = log.trim();
    let quoted = match first_error(log).and_then(|line| Some((line, source.source.lines().nth(line - 1)?))) {
        Some((line, code)) => format!("\nline {line} of the source: {}", code.trim()),
        None => String::new(),
    };
    let options = match &*source.options {
        "" => String::new(),
        options => format!(" with options `{options}`"),
    };
    Err(Refusal::Lasting(format!("kernel `{}` does not compile{options}: {error}\n{log}{quoted}", source.entry)))
}

/// The line of the first error in a build log, in the usual form `name:LINE:COLUMN: error: ..`.
fn first_error(log: &str) -> Option<usize> {
    log.lines().filter(|line| line.contains("error")).find_map(|line| {
        let parts: Vec<Option<usize>> = line.split([':', '(', ')', ',']).map(|part| part.trim().parse().ok()).collect();
        // The last two numbers in a row, because some compilers write a file number before them.
        let pair = parts.windows(2).rev().find(|pair| pair.iter().all(Option::is_some))?;
        pair[0].filter(|&line| line > 0)
    })
}

fn entry(program: &Program, device: cl_device_id, source: &DeviceSource) -> Result<CompiledKernel, Refusal> {
    let name = CString::new(&*source.entry).map_err(|_| "the name of an entry contains a NUL character".to_owned())?;
    let object = KernelObject::new(program, &name).map_err(|error| {
        if error.code != CL_INVALID_KERNEL_NAME {
            return format!("entry `{}`: {error}", source.entry).into();
        }
        // PoCL's names of no kernels are whatever its memory held.
        let any = program.get_num_kernels().is_ok_and(|count| count > 0);
        let names = if any { program.get_kernel_names().unwrap_or_default() } else { String::new() };
        let names = names.replace(';', "`, `");
        let there = if names.is_empty() { "it has none".to_owned() } else { format!("it has `{names}`") };
        Refusal::Lasting(format!("the source has no kernel function `{}`: {there} ({error})", source.entry))
    })?;
    let kernel = &object.raw;
    let facts = || -> Result<_, ClError> {
        let parameters = kernel.num_args().called("clGetKernelInfo")?;
        let most = kernel.get_work_group_size(device).called("clGetKernelWorkGroupInfo")?;
        let required = kernel.get_compile_work_group_size(device).called("clGetKernelWorkGroupInfo")?;
        Ok((parameters as usize, most, required))
    };
    let (parameters, most_in_group, required) =
        facts().map_err(|error| format!("entry `{}`: {error}", source.entry))?;
    let mut required_group = [0; 3];
    required_group.iter_mut().zip(required).for_each(|(mine, size)| *mine = size);
    let local_bytes = object.raw.get_local_mem_size(device).unwrap_or(0);
    Ok(CompiledKernel { object, parameters, most_in_group, required_group, local_bytes, ran: Vec::new() })
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
