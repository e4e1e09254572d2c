//! The workloads that Apportion is measured with.
//!
//! Each is one folder: the host body and the plain sequential reference in `mod.rs`, the OpenCL C variant in
//! `kernel.cl`, the CUDA C variant in `kernel.cu` (matmul calls cuBLAS instead). [`WORKLOADS`] lists them; from it the
//! program, the benches and the tests take what they run. [`apps`] has kernels that run many times over the same arrays.
//! [`single`] has all of them once more, from one Rust function each.
//!
//! | workload | iteration | maps |
//! |---|---|---|
//! | `axpy` | `y[i] += a * x[i]` | x `to` ALIGN, y `tofrom` ALIGN |
//! | `sum` | `s += x[i]` | x `to` ALIGN, s by reduction(+) |
//! | `matvec` | `y[i] = sum of A[i][j] * x[j]` | A rows `to` ALIGN, x `to` FULL, y `from` ALIGN |
//! | `matmul` | `C[i][:] = sum of A[i][k] * B[k][:]` | A rows `to` ALIGN, B `to` FULL, C rows `from` ALIGN |
//! | `stencil2d` | 13-point star of radius 3, the frame is copied | in rows `to` ALIGN halo 3, out rows `from` ALIGN |
//! | `bm2d` | 16x16 blocks: the displacement within 8 of least difference | current `to` ALIGN(16), reference the same with halo 8, result `from` ALIGN |
//!
//! ```
//! use apportion_kernels::find;
//! use apportion::kernel::ElementType;
//! let mut axpy = find("axpy")?.build(1000, ElementType::F32, 42)?;
//! axpy.run_rayon();
//! assert!(axpy.verify(None).ok);
//! axpy.reset();
//! assert!(!axpy.verify(None).ok);
//! # Ok::<(), apportion::Error>(())
//! ```

pub mod apps;
mod axpy;
mod bm2d;
mod matmul;
mod matvec;
mod memory;
mod outline;
mod random;
mod real;
mod resident;
pub mod single;
mod stencil2d;
mod sum;
mod verify;

pub use memory::Memory;
pub use outline::Outline;
pub use real::Real;
pub use resident::Resident;
pub use single::Form;
pub use verify::Verification;

use apportion::error::{Error, Result};
use apportion::kernel::{Bound, DeviceSource, ElementType, Grid, Kernel, Reduction, Scalar};
use apportion::region::DataRegion;

/// All workloads, in the order in which they are shown.
pub const WORKLOADS: &[Entry] = &[axpy::ENTRY, sum::ENTRY, matvec::ENTRY, matmul::ENTRY, stencil2d::ENTRY, bm2d::ENTRY];

/// The workload of that name.
///
/// # Errors
/// [`Error::Call`] with the known names.
pub fn find(name: &str) -> Result<&'static Entry> {
    WORKLOADS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<_> = WORKLOADS.iter().map(|entry| entry.name).collect();
        Error::call(format!("there is no workload `{name}`; there are {}", known.join(", ")))
    })
}

/// The text of a kernel of this crate.
#[allow(unsafe_code, reason = "the texts of this crate stay within their arrays")]
pub(crate) fn own_source(text: &'static str, entry: &'static str, grid: Grid) -> DeviceSource {
    // SAFETY: each text compares its indices with the chunk's end and the frame's edges, and writes rows of its own iterations.
    unsafe { DeviceSource::new(text, entry, grid) }
}

/// Fills the arrays of a size, an element type and a seed, in a kind of memory.
type Make = fn(usize, ElementType, u64, Memory) -> Result<Box<dyn Instance>>;

/// An entry of [`WORKLOADS`].
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it computes, in a line.
    pub summary: &'static str,
    /// The named sizes.
    pub sizes: Sizes,
    /// The element types that [`Entry::build`] takes.
    pub elements: &'static [ElementType],
    make: Make,
    outline: fn(usize, ElementType) -> Result<Outline>,
    single: fn(usize, ElementType) -> Kernel,
}

impl Entry {
    /// The workload at size `n` with arrays of `element`, filled with random numbers that depend on `seed` alone, and
    /// with poisoned outputs.
    ///
    /// Its arrays are page-locked where a device wants that: open the [`Runtime`](apportion::runtime::Runtime) first.
    ///
    /// # Errors
    /// [`Error::Call`] for a size or an element type that it cannot have, [`Error::TooLarge`] when its arrays do not
    /// fit into this machine's memory, or the system refuses one.
    pub fn build(&self, n: usize, element: ElementType, seed: u64) -> Result<Box<dyn Instance>> {
        self.build_in(n, element, seed, Memory::default())
    }

    /// As [`Entry::build`], with arrays in that kind of memory.
    ///
    /// # Errors
    /// As [`Entry::build`].
    pub fn build_in(&self, n: usize, element: ElementType, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        self.takes(element)?;
        (self.make)(n, element, seed, memory)
    }

    /// The workload without its arrays: for predictions, and for the memory that it would need.
    ///
    /// # Errors
    /// [`Error::Call`] for a size or an element type that it cannot have, [`Error::TooLarge`] for a size that cannot
    /// even be counted.
    pub fn outline(&self, n: usize, element: ElementType) -> Result<Outline> {
        self.takes(element)?;
        if n == 0 {
            return Err(Error::call(format!("workload `{}` needs n of at least 1, not 0", self.name)));
        }
        if n > usize::MAX >> 8 {
            return Err(Error::TooLarge(format!("workload `{}`: size {n} is too large to be counted", self.name)));
        }
        (self.outline)(n, element)
    }

    /// As [`Entry::outline`], with a kernel of that form.
    ///
    /// # Errors
    /// As [`Entry::outline`].
    pub fn outline_as(&self, form: Form, n: usize, element: ElementType) -> Result<Outline> {
        let outline = self.outline(n, element)?;
        Ok(match form {
            Form::Hand => outline,
            Form::Single => outline.with((self.single)(n, element)),
        })
    }

    /// As [`Entry::build_in`], with a kernel of that form.
    ///
    /// # Errors
    /// As [`Entry::build`].
    pub fn build_as(
        &self,
        form: Form,
        n: usize,
        element: ElementType,
        seed: u64,
        memory: Memory,
    ) -> Result<Box<dyn Instance>> {
        let instance = self.build_in(n, element, seed, memory)?;
        Ok(match form {
            Form::Hand => instance,
            Form::Single => single::InSingleForm::of(instance),
        })
    }

    fn takes(&self, element: ElementType) -> Result<()> {
        if !self.elements.contains(&element) {
            let known: Vec<_> = self.elements.iter().map(|e| e.name()).collect();
            return Err(Error::call(format!(
                "workload `{}` has no variant for {element}; it takes {}",
                self.name,
                known.join(" or ")
            )));
        }
        Ok(())
    }
}

/// The named sizes of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// A fraction of a second on one core.
    pub small: usize,
    /// Seconds at most on one core.
    pub medium: usize,
    /// As in the HOMP paper.
    pub paper: usize,
}

impl Sizes {
    /// The names and sizes.
    pub const fn named(self) -> [(&'static str, usize); 3] {
        [("small", self.small), ("medium", self.medium), ("paper", self.paper)]
    }
}

/// A workload with its arrays.
pub trait Instance: Send {
    /// The workload's name.
    fn name(&self) -> &'static str;

    /// Its size.
    fn n(&self) -> usize;

    /// The type of the elements of its large arrays.
    fn element(&self) -> ElementType;

    /// Iterations of its loop, which is `0..iterations`.
    fn iterations(&self) -> u64;

    /// The kernel, with a variant per target and its cost.
    fn kernel(&self) -> &Kernel;

    /// The kernel with the arrays and how they are mapped.
    fn bind(&mut self) -> Bound<'_>;

    /// As [`Instance::bind`], with the kernel from one Rust function, whatever the form of [`Instance::kernel`].
    fn bind_single(&mut self) -> Bound<'_>;

    /// Maps the arrays in a data region, for any number of loops over them.
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a>;

    /// The reduction that the loop does, if it does one.
    fn reduction(&self) -> Option<Reduction> {
        None
    }

    /// Puts arrays that are read and written back to their first contents, and poisons those that are only written, so
    /// that an element that no device writes shows.
    fn reset(&mut self);

    /// Compares the outputs of one run with a plain sequential reference in f64. `reduced` is the result of the reduction,
    /// ignored if there is none. The reference is computed once and kept.
    fn verify(&mut self, reduced: Option<Scalar>) -> Verification;

    /// Bytes of all its arrays.
    fn bytes(&self) -> usize;

    /// Whether all its arrays are page-locked, so that devices copy them at full speed.
    fn is_page_locked(&self) -> bool;

    /// Runs the whole loop in the current rayon pool, as one would write it without this library: the baseline for the runtime's
    /// own cost on a host.
    fn run_rayon(&mut self) -> Option<Scalar>;
}

/// Calls `$make::<f32>` or `$make::<f64>`.
macro_rules! by_element {
    ($element:expr, $type:ident) => {
        match $element {
            apportion::kernel::ElementType::F64 => $type::<f64>::boxed,
            _ => $type::<f32>::boxed,
        }
    };
}
use by_element;

/// A function compiled for several instruction sets, the best of which is picked at run time: programs are built for
/// baseline x86-64 and carried to other machines.
macro_rules! simd {
    ($($function:tt)*) => {
        #[multiversion::multiversion(
            targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma", "x86_64+avx2+fma"),
            dispatcher = "direct"
        )]
        $($function)*
    };
}
use simd;

/// Rows or elements in a piece of a rayon loop over `len` of them: four pieces a thread.
fn rayon_piece(len: usize) -> usize {
    len.div_ceil(4 * rayon::current_num_threads()).max(1)
}
