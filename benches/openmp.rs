//! The loops of `openmp.c`, compiled by gcc when the benches run and loaded into this process: the very same arrays are
//! then used by all sides.
#![allow(unsafe_code, reason = "calls functions of a C library, each behind a safe one that checks lengths")]

use crate::host;
use libloading::{Library, Symbol};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::c_float;
use std::process::Command;
use std::sync::OnceLock;

const SOURCE: &str = include_str!("openmp.c");

/// What gcc is given.
pub const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fopenmp"];

/// OpenMP's threads, each bound to one of [`host::cpus`], and the compiled loops.
#[derive(Debug)]
pub struct OpenMp {
    library: Library,
    // libgomp binds the thread that loads it to the first CPU; that must not be the caller's.
    master: ThreadPool,
}

/// Starts this program again with OpenMP's threads bound as the other sides' are, as libgomp reads that from the
/// environment before `main`. Returns where that is done, or cannot be.
pub fn bind_threads() {
    const BOUND: &str = "OMP_PROC_BIND";
    if std::env::var_os(BOUND).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let cpus = host::cpus();
    let places: Vec<_> = cpus.iter().map(|cpu| format!("{{{cpu}}}")).collect();
    let mut again = Command::new(program);
    again.args(std::env::args_os().skip(1));
    again.env(BOUND, "close").env("OMP_PLACES", places.join(",")).env("OMP_NUM_THREADS", cpus.len().to_string());
    // Static shares over all threads; a smaller team at times would only be slower.
    again.env("OMP_DYNAMIC", "false");
    use std::os::unix::process::CommandExt;
    let error = again.exec();
    eprintln!("OpenMP's threads stay unbound: this program cannot be started again: {error}");
}

impl OpenMp {
    /// The loops, compiled and loaded at the first call. They stay loaded: libgomp's threads outlast every loop.
    ///
    /// # Errors
    /// Why not, in a line: usually that there is no gcc.
    pub fn get() -> Result<&'static Self, String> {
        static LOADED: OnceLock<Result<OpenMp, String>> = OnceLock::new();
        LOADED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("no folder for the compiled loops: {e}"))?;
        let (source, compiled) = (folder.path().join("openmp.c"), folder.path().join("openmp.so"));
        std::fs::write(&source, SOURCE).map_err(|e| format!("{}: {e}", source.display()))?;
        let output = Command::new("gcc")
            .args(FLAGS)
            .args(["-shared", "-fPIC", "-o"])
            .args([&compiled, &source])
            .output()
            .map_err(|e| format!("gcc cannot be run: {e}"))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("gcc: {}", text.lines().find(|l| l.contains("error")).unwrap_or("it failed")));
        }
        let master = ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
        // SAFETY: the library is what gcc has just made of `openmp.c`; loading it runs libgomp's start-up code only.
        let library = master.install(|| unsafe { Library::new(&compiled) }).map_err(|e| e.to_string())?;
        Ok(Self { library, master })
    }

    /// Runs `work` on the thread that OpenMP takes for its first.
    pub fn on_master<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.master.install(work)
    }

    fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: only called below, with the types of the definitions in `openmp.c`.
        unsafe { self.library.get(name) }.expect("openmp.c defines it")
    }

    /// `y += a x`.
    pub fn axpy(&self, a: f32, x: &[f32], y: &mut [f32]) {
        assert_eq!(x.len(), y.len());
        let axpy: Symbol<'_, unsafe extern "C" fn(usize, c_float, *const f32, *mut f32)> = self.function("axpy");
        // SAFETY: it reads and writes n elements of each, and has returned all threads when it returns.
        unsafe { axpy(x.len(), a, x.as_ptr(), y.as_mut_ptr()) }
    }

    /// The sum of `x`.
    pub fn sum(&self, x: &[f32]) -> f64 {
        let sum: Symbol<'_, unsafe extern "C" fn(usize, *const f32) -> f64> = self.function("sum");
        // SAFETY: it reads n elements.
        unsafe { sum(x.len(), x.as_ptr()) }
    }

    /// `y = A x`.
    pub fn matvec(&self, a: &[f32], x: &[f32], y: &mut [f32]) {
        let n = x.len();
        assert_eq!((a.len(), y.len()), (n * n, n));
        let matvec: Symbol<'_, unsafe extern "C" fn(usize, *const f32, *const f32, *mut f32)> = self.function("matvec");
        // SAFETY: it reads n * n and n elements and writes n.
        unsafe { matvec(n, a.as_ptr(), x.as_ptr(), y.as_mut_ptr()) }
    }

    /// One sweep of the 13-point star over `n` rows and columns.
    pub fn stencil2d(&self, n: usize, weights: [f32; 4], input: &[f32], output: &mut [f32]) {
        assert!(n >= 6 && input.len() == n * n && output.len() == n * n);
        let stencil: Symbol<'_, unsafe extern "C" fn(usize, *const f32, *const f32, *mut f32)> =
            self.function("stencil2d");
        // SAFETY: it reads 4 weights and n * n elements, rows within 3 of row i only where there are such, and writes
        // n * n elements.
        unsafe { stencil(n, weights.as_ptr(), input.as_ptr(), output.as_mut_ptr()) }
    }

    /// Block matching between two frames of `n` x `n` bytes.
    pub fn bm2d(&self, n: usize, current: &[u8], reference: &[u8], result: &mut [i32]) {
        assert!(n.is_multiple_of(16) && current.len() == n * n && reference.len() == n * n);
        assert_eq!(result.len(), 3 * (n / 16) * (n / 16));
        let search: Symbol<'_, unsafe extern "C" fn(usize, *const u8, *const u8, *mut i32)> = self.function("bm2d");
        // SAFETY: it reads blocks and windows that are cut off at the frames' edges, and writes 3 numbers per block.
        unsafe { search(n, current.as_ptr(), reference.as_ptr(), result.as_mut_ptr()) }
    }

    /// `C = A B` by the triple loop.
    pub fn matmul(&self, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        assert_eq!((a.len(), b.len(), c.len()), (n * n, n * n, n * n));
        let matmul: Symbol<'_, unsafe extern "C" fn(usize, *const f32, *const f32, *mut f32)> = self.function("matmul");
        // SAFETY: it reads and writes n * n elements of each.
        unsafe { matmul(n, a.as_ptr(), b.as_ptr(), c.as_mut_ptr()) }
    }
}
