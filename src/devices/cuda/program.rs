//! Kernels: source is compiled once in a process, images are loaded once on a GPU, and parameters are compared with bound
//! arguments.
#![allow(unsafe_code, reason = "calls NVRTC")]

use super::combine::Folding;
use super::driver::{Function, Gpu, Module};
use super::grid::check_group;
use super::libraries;
use super::memory::Kept;
use crate::data::ArrayMap;
use crate::devices::resident::Late;
use crate::devices::section::called;
use crate::element::ElementType;
use crate::kernel::{Argument, Checks, CudaVariant, DeviceImage, DeviceSource, Grid, LibraryCall, Reduction};
use cudarc::nvrtc;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The code that runs a chunk.
#[derive(Clone, Copy)]
pub enum Target<'v> {
    /// A kernel, with its grid.
    Kernel { function: Function, grid: &'v Grid, checks: Checks },
    /// A function that enqueues the chunk's work.
    Call(&'v LibraryCall),
}

impl Target<'_> {
    /// The parameters that it takes beyond the calling convention.
    pub fn checks(&self) -> Checks {
        match self {
            Self::Kernel { checks, .. } => *checks,
            Self::Call(_) => Checks::default(),
        }
    }
}

/// So many loops take turns in a program.
const RECENT: usize = 16;

/// The loaded programs of one GPU.
#[derive(Default)]
pub struct Programs {
    modules: HashMap<Key, Module>,
    functions: HashMap<(Key, Arc<str>), Arc<Loaded>>,
    /// The functions of the last loops, latest first, with the scalars that they take by address: their sources need not be hashed
    /// again, which takes microseconds.
    recent: Vec<(Key, Arc<str>, u64, Arc<Loaded>)>,
    /// Time in which they were compiled and loaded.
    compiling: Duration,
}

/// A function, with what the driver reports of it.
struct Loaded {
    function: Function,
    /// The sizes of its parameters, where the driver can tell.
    parameters: Option<Vec<usize>>,
    most_threads: usize,
}

/// The origin of an image.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Source(Arc<str>, Arc<str>),
    Image(Arc<[u8]>),
}

/// Where an image is loaded.
#[derive(Clone, Copy)]
pub struct Loader<'a> {
    pub gpu: &'a Arc<Gpu>,
    pub capability: (i32, i32),
    /// What makes room for it.
    pub kept: Kept<'a>,
}

impl Programs {
    /// Number of loaded images.
    pub fn loaded(&self) -> usize {
        self.modules.len()
    }

    /// Time in which images were compiled and loaded.
    pub fn compile_time(&self) -> Duration {
        self.compiling
    }

    /// The target of a variant, compiled and loaded if needed, and checked against the bound arguments.
    ///
    /// # Errors
    /// The compiler's log, that the entry is missing, or which parameter does not match.
    pub fn get<'v>(
        &mut self,
        loader: Loader<'_>,
        variant: &'v CudaVariant,
        arguments: &[Argument<'_>],
        reduction: Option<Reduction>,
        two_dimensional: bool,
        late: &[Late],
    ) -> Result<Target<'v>, String> {
        let (entry, grid, checks, key): (_, _, _, &dyn Fn() -> Key) = match variant {
            CudaVariant::Call(_) if reduction.is_some() => {
                return Err(
                    "the CUDA variant is a library call, which gives no partial results: a reduction needs a kernel \
                            from source or an image"
                        .to_owned(),
                );
            }
            CudaVariant::Call(call) => return Ok(Target::Call(call)),
            CudaVariant::Source(DeviceSource { source, entry, options, grid, checks, .. }) => {
                (entry, grid, *checks, &|| Key::Source(source.clone(), options.clone()))
            }
            CudaVariant::Image(DeviceImage { image, entry, grid }) => {
                (entry, grid, Checks::default(), &|| Key::Image(image.clone()))
            }
        };
        check_group(entry, grid)?;
        let late = late.iter().fold(0u64, |late, one| late | 1 << one.argument);
        let is_known = |(key, of, by_address, _): &(Key, Arc<str>, u64, _)| {
            *by_address == late && key.is_of(variant) && Arc::ptr_eq(of, entry)
        };
        match self.recent.iter().position(is_known) {
            Some(known) => self.recent[..=known].rotate_right(1),
            None => {
                let key = key();
                let loaded = match &key {
                    Key::Source(source, options) if late != 0 => {
                        let options = format!("{options} -DAPPORTION_LATER={late:#x}");
                        self.loaded_entry(loader, &Key::Source(source.clone(), options.into()), entry)?
                    }
                    _ => self.loaded_entry(loader, &key, entry)?,
                };
                self.recent.truncate(RECENT - 1);
                self.recent.insert(0, (key, entry.clone(), late, loaded));
            }
        }
        let (_, _, _, loaded) = &self.recent[0];
        loaded.check_parameters(entry, checks, arguments, (reduction, late), two_dimensional)?;
        loaded.check_group(entry, grid)?;
        Ok(Target::Kernel { function: loaded.function, grid, checks })
    }

    /// A function of one of the backend's own sources.
    pub fn function(&mut self, loader: Loader<'_>, source: &DeviceSource) -> Result<Function, String> {
        let key = Key::Source(source.source.clone(), source.options.clone());
        Ok(self.loaded_entry(loader, &key, &source.entry)?.function)
    }

    /// Another function of such a source.
    pub fn entry(&mut self, loader: Loader<'_>, source: &DeviceSource, entry: &str) -> Result<Function, String> {
        let key = Key::Source(source.source.clone(), source.options.clone());
        Ok(self.loaded_entry(loader, &key, &entry.into())?.function)
    }

    fn loaded_entry(&mut self, loader: Loader<'_>, key: &Key, entry: &Arc<str>) -> Result<Arc<Loaded>, String> {
        let of = (key.clone(), entry.clone());
        if let Some(loaded) = self.functions.get(&of) {
            return Ok(Arc::clone(loaded));
        }
        let started = Instant::now();
        if !self.modules.contains_key(key) {
            let module = load(loader, key, entry)?;
            self.modules.insert(key.clone(), module);
        }
        let name = CString::new(&**entry).map_err(|_| "the name of an entry contains a NUL character".to_owned())?;
        let function = self.modules[key].function(&name).map_err(|error| {
            format!(
                "there is no kernel `{entry}`: {error}. A kernel in CUDA C is declared `extern \"C\" __global__`, so that \
                 its name stays as it is"
            )
        })?;
        let most_threads = function.most_threads().map_err(|error| error.to_string())?;
        let loaded = Arc::new(Loaded { function, parameters: function.parameter_sizes(), most_threads });
        self.functions.insert(of, Arc::clone(&loaded));
        self.compiling += started.elapsed();
        Ok(loaded)
    }
}

impl Key {
    /// Whether this is the variant's own text or image, not just an equal one.
    fn is_of(&self, variant: &CudaVariant) -> bool {
        match (self, variant) {
            (Self::Source(source, options), CudaVariant::Source(other)) => {
                Arc::ptr_eq(source, &other.source) && Arc::ptr_eq(options, &other.options)
            }
            (Self::Image(image), CudaVariant::Image(other)) => Arc::ptr_eq(image, &other.image),
            _ => false,
        }
    }
}

/// The meaning of a parameter by the calling convention.
#[derive(Clone)]
enum Stands<'a> {
    First,
    End,
    Scalar(usize, ElementType),
    Address(usize),
    Pointer(usize, &'a ArrayMap<'a>),
    FirstOf(usize, &'a ArrayMap<'a>),
    CountOf(usize, &'a ArrayMap<'a>),
    PitchOf(usize, &'a ArrayMap<'a>),
    FirstColumn,
    EndColumn,
    Partials,
    Report,
    Folding,
}

impl Stands<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Scalar(_, element) => element.bytes(),
            Self::Folding => size_of::<Folding>(),
            _ => 8,
        }
    }
}

impl fmt::Display for Stands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("the first iteration"),
            Self::End => f.write_str("the end of the iterations"),
            Self::Scalar(position, element) => write!(f, "argument {position}, a scalar ({element})"),
            Self::Address(position) => write!(f, "the address of argument {position}, a scalar"),
            Self::Pointer(position, map) => write!(f, "a pointer to {}", called(*position, map)),
            Self::FirstOf(position, map) => write!(f, "the index of the first element of {}", called(*position, map)),
            Self::CountOf(position, map) => write!(f, "the number of elements of {}", called(*position, map)),
            Self::PitchOf(position, map) => write!(f, "the elements from row to row of {}", called(*position, map)),
            Self::FirstColumn => f.write_str("the first column of the iterations"),
            Self::EndColumn => f.write_str("the end of the iterations' columns"),
            Self::Partials => f.write_str("a pointer to the reduction's partial results"),
            Self::Report => f.write_str("a pointer to the report of accesses outside of arrays"),
            Self::Folding => f.write_str("where the reduction's result goes"),
        }
    }
}

impl Loaded {
    fn check_group(&self, entry: &str, grid: &Grid) -> Result<(), String> {
        let (threads, most) =
            (grid.group.iter().fold(1usize, |threads, &size| threads.saturating_mul(size)), self.most_threads);
        if threads > most {
            return Err(format!(
                "the groups of kernel `{entry}` are of {threads} threads, but by its registers at most {most} are possible: \
                 use a smaller group in the variant's grid, or `__launch_bounds__({threads})` in its source"
            ));
        }
        Ok(())
    }

    /// Compares the sizes of the parameters with the calling convention.
    fn check_parameters(
        &self,
        entry: &str,
        checks: Checks,
        arguments: &[Argument<'_>],
        (reduction, late): (Option<Reduction>, u64),
        two_dimensional: bool,
    ) -> Result<(), String> {
        let Some(sizes) = &self.parameters else { return Ok(()) };
        let of_arguments = arguments.iter().enumerate().flat_map(move |(position, argument)| match argument {
            Argument::Scalar(_) if late.checked_shr(position as u32).unwrap_or(0) & 1 != 0 => {
                [Some(Stands::Address(position)), None, None, None]
            }
            Argument::Scalar(scalar) => [Some(Stands::Scalar(position, scalar.element())), None, None, None],
            Argument::Array(map) => [
                Some(Stands::Pointer(position, map)),
                Some(Stands::FirstOf(position, map)),
                checks.counts(position).then_some(Stands::CountOf(position, map)),
                two_dimensional.then_some(Stands::PitchOf(position, map)),
            ],
        });
        let wanted = || {
            let partials = reduction.map(|_| Stands::Partials);
            let columns = two_dimensional.then_some([Stands::FirstColumn, Stands::EndColumn]).into_iter().flatten();
            let first = [Stands::First, Stands::End].into_iter().chain(columns);
            let report = checks.reports.then_some(Stands::Report);
            let folding = (reduction.is_some() && checks.folds).then_some(Stands::Folding);
            first.chain(of_arguments.clone().flatten()).chain(partials).chain(report).chain(folding)
        };
        let count = wanted().count();
        if sizes.len() != count {
            return Err(format!(
                "kernel `{entry}` has {} parameters, but is called with {count}: lo and hi{}, one for each scalar, {} for each \
                 array (pointer, index of its first element{}){}",
                sizes.len(),
                if two_dimensional { ", the same of the columns" } else { "" },
                if two_dimensional { "three" } else { "two" },
                if two_dimensional { ", elements from row to row" } else { "" },
                if reduction.is_some() { ", one for the reduction" } else { "" }
            ));
        }
        match sizes.iter().zip(wanted()).enumerate().find(|(_, (size, stands))| **size != stands.bytes()) {
            None => Ok(()),
            Some((position, (size, stands))) => Err(format!(
                "kernel `{entry}`: parameter {position} has {size} bytes, but stands for {stands}, which has {}",
                stands.bytes()
            )),
        }
    }
}

fn load(Loader { gpu, capability, kept }: Loader<'_>, key: &Key, entry: &str) -> Result<Module, String> {
    let image = match key {
        Key::Source(source, options) => compiled(source, options, capability, entry)?,
        Key::Image(image) => {
            let mut image = image.to_vec();
            // PTX is text, and the driver wants a NUL at its end. After a cubin a NUL does no harm.
            image.push(0);
            image.into()
        }
    };
    let loaded = Module::load(gpu, &image).or_else(|(error, log)| {
        if error.out_of_memory() && kept.free() { Module::load(gpu, &image) } else { Err((error, log)) }
    });
    loaded.map_err(|(error, log)| {
        let log = if log.is_empty() { String::new() } else { format!("\n{log}") };
        let newer = if let Key::Source(..) = key { of_a_newer_compiler() } else { None };
        format!("the image of kernel `{entry}` cannot be loaded: {error}{}{log}", newer.unwrap_or_default())
    })
}

/// An explanation for the case that NVRTC is of a newer major version than the driver, which then refuses NVRTC's output.
fn of_a_newer_compiler() -> Option<String> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is there, as it compiled the source; both numbers are written by the call.
    unsafe { nvrtc::sys::nvrtcVersion(&mut major, &mut minor) }.result().ok()?;
    newer_than_the_driver((major, minor), libraries::driver_version()?)
}

fn newer_than_the_driver((major, minor): (i32, i32), driver: i32) -> Option<String> {
    let [of, in_it] = [driver / 1000, driver % 1000 / 10];
    (major > of).then(|| {
        format!(
            "; it was compiled by NVRTC {major}.{minor}, but the driver is for CUDA {of}.{in_it}: update the driver, or install \
             NVRTC {of} (the package nvidia-cuda-nvrtc-cu{of} of PyPI has it) and name its folder in APPORTION_CUDA_LIBRARIES"
        )
    })
}

/// Source, options and compute capability.
type Source = (Arc<str>, Arc<str>, (i32, i32));

/// What came of compiling sources in this process.
#[derive(Default)]
struct Compiled {
    images: HashMap<Source, Arc<[u8]>>,
    /// Why a source does not compile, with the entry that the text names: to find that out again takes as long as to compile.
    refused: HashMap<(Source, String), String>,
}

/// The image of a source, compiled once for all GPUs of the same compute capability in the process.
fn compiled(source: &Arc<str>, options: &Arc<str>, capability: (i32, i32), entry: &str) -> Result<Arc<[u8]>, String> {
    static COMPILED: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (source.clone(), options.clone(), capability);
    if let Some(image) = compiled.images.get(&key) {
        return Ok(image.clone());
    }
    let refused = (key, entry.to_owned());
    if let Some(why) = compiled.refused.get(&refused) {
        return Err(why.clone());
    }
    match compile(source, options, capability, entry) {
        Ok(image) => {
            let image: Arc<[u8]> = image.into();
            compiled.images.insert(refused.0, image.clone());
            Ok(image)
        }
        Err(Refusal { why, passing }) => {
            if !passing {
                compiled.refused.insert(refused, why.clone());
            }
            Err(why)
        }
    }
}

/// Why there is no image.
pub struct Refusal {
    pub why: String,
    /// Whether it may compile another time, as memory was short.
    passing: bool,
}

/// A program of NVRTC.
struct Program(nvrtc::sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: created by `create_program`, destroyed once.
        let _ = unsafe { nvrtc::result::destroy_program(self.0) };
    }
}

/// Whether NVRTC is available.
pub fn can_compile() -> bool {
    static CAN: LazyLock<bool> = LazyLock::new(|| {
        libraries::preload_nvrtc();
        // SAFETY: opens the library of that name, if there is one; its calls do not panic then.
        unsafe { nvrtc::sys::is_culib_present() }
    });
    *CAN
}

/// The image of a source, as compiled by NVRTC.
pub fn compile(source: &str, options: &str, capability: (i32, i32), entry: &str) -> Result<Vec<u8>, Refusal> {
    let failed = |why: &str| Refusal { why: format!("kernel `{entry}` does not compile: {why}"), passing: false };
    let of_nvrtc = |error: nvrtc::result::NvrtcError, why: &str| {
        use nvrtc::sys::nvrtcResult::{NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE};
        let passing = matches!(error.0, NVRTC_ERROR_OUT_OF_MEMORY | NVRTC_ERROR_PROGRAM_CREATION_FAILURE);
        Refusal { passing, ..failed(why) }
    };
    if !can_compile() {
        return Err(failed(
            "there is no NVRTC (libnvrtc.so.12 or .13): install it (CUDA's toolkit has it, and so has the package \
             nvidia-cuda-nvrtc of PyPI) and name its folder in APPORTION_CUDA_LIBRARIES; or give the kernel as PTX or cubin",
        ));
    }
    let text = CString::new(source).map_err(|_| failed("its source contains a NUL character"))?;
    let name = CString::new(format!("{entry}.cu")).unwrap_or_default();
    let program =
        nvrtc::result::create_program(&text, Some(&name)).map_err(|error| of_nvrtc(error, &error.to_string()))?;
    let program = Program(program);
    let (architecture, own) = architecture(capability).map_err(|why| failed(&why))?;
    let mut all: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
    all.push(format!("--gpu-architecture={architecture}"));
    all.push("--std=c++17".to_owned());
    if all.iter().any(|option| option.contains('\0')) {
        return Err(failed("its options contain a NUL character"));
    }
    // SAFETY: the program lives.
    if let Err(error) = unsafe { nvrtc::result::compile_program(program.0, &all) } {
        // SAFETY: the program lives.
        let log = unsafe { nvrtc::result::get_program_log(program.0) }.unwrap_or_default();
        let log = text_of(&log);
        let quoted = match first_error(&log).and_then(|line| Some((line, source.lines().nth(line.checked_sub(1)?)?))) {
            Some((line, code)) => format!("\nline {line} of the source: {}", code.trim()),
            None => String::new(),
        };
        let with = if options.is_empty() { String::new() } else { format!(" (options `{options}`)") };
        return Err(of_nvrtc(error, &format!("{error}{with}\n{}{quoted}", log.trim())));
    }
    let result = |code: nvrtc::sys::nvrtcResult| code.result().map_err(|error| failed(&error.to_string()));
    let mut bytes = 0;
    let mut image;
    if own {
        // SAFETY: the program lives and is compiled; the image has the size that was said.
        unsafe {
            result(nvrtc::sys::nvrtcGetCUBINSize(program.0, &mut bytes))?;
            image = vec![0u8; bytes];
            result(nvrtc::sys::nvrtcGetCUBIN(program.0, image.as_mut_ptr().cast()))?;
        }
    } else {
        // SAFETY: the program lives and is compiled.
        let ptx = unsafe { nvrtc::result::get_ptx(program.0) }.map_err(|error| failed(&error.to_string()))?;
        image = ptx.into_iter().map(|c| c as u8).collect();
        image.push(0);
    }
    Ok(image)
}

/// The GPU's own architecture and `true`, or, where NVRTC is older than the GPU, the newest that NVRTC knows, for PTX that the
/// driver translates.
fn architecture((major, minor): (i32, i32)) -> Result<(String, bool), String> {
    let wanted = major * 10 + minor;
    let mut count = 0;
    // SAFETY: the library is there; the array has the length that was said.
    let known = unsafe {
        nvrtc::sys::nvrtcGetNumSupportedArchs(&mut count).result().map_err(|error| error.to_string())?;
        let mut known = vec![0; usize::try_from(count).unwrap_or(0)];
        nvrtc::sys::nvrtcGetSupportedArchs(known.as_mut_ptr()).result().map_err(|error| error.to_string())?;
        known
    };
    if known.contains(&wanted) {
        return Ok((format!("sm_{wanted}"), true));
    }
    match known.iter().filter(|&&arch| arch < wanted).max() {
        Some(arch) => Ok((format!("compute_{arch}"), false)),
        None => Err(format!(
            "this NVRTC compiles for compute capability {} and newer, but the GPU has {major}.{minor}: use an older NVRTC",
            known.iter().min().map_or_else(|| "?".to_owned(), |arch| format!("{}.{}", arch / 10, arch % 10))
        )),
    }
}

fn text_of(characters: &[c_char]) -> String {
    let bytes: Vec<u8> = characters.iter().map(|&c| c as u8).chain([0]).collect();
    CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The line of the first error in NVRTC's log: `name.cu(12): error: ..`.
fn first_error(log: &str) -> Option<usize> {
    let line = log.lines().find(|line| line.contains("): error"))?;
    line[..line.find("): error")?].rsplit('(').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_first_error_is_found() {
        assert_eq!(first_error("warning\naxpy.cu(12): error: identifier \"zz\" is undefined\n"), Some(12));
        assert_eq!(first_error("axpy.cu: catastrophe"), None);
    }

    #[test]
    fn a_compiler_that_is_newer_than_the_driver_is_named() {
        assert_eq!(newer_than_the_driver((12, 8), 12040), None);
        assert_eq!(newer_than_the_driver((12, 8), 13000), None);
        let said = newer_than_the_driver((13, 0), 12040).unwrap();
        for part in ["NVRTC 13.0", "CUDA 12.4", "nvidia-cuda-nvrtc-cu12", "APPORTION_CUDA_LIBRARIES"] {
            assert!(said.contains(part), "`{part}` in {said}");
        }
    }
}
