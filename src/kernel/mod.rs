//! What runs: a kernel with a variant per target, its cost, and the arguments bound to it.

mod arrays;
mod bound;
mod code;
mod cost;
mod cuda;
mod device_source;
#[doc(hidden)]
pub mod generated;
mod host;
mod later;
mod processor;
mod reduction;
mod view;

pub use crate::element::{Element, ElementType, Item, Precision, Scalar};
pub(crate) use arrays::Sealed;
pub use arrays::{ReadArray, WriteArray};
#[doc(hidden)]
pub use arrays::{Slice, SliceMut};
pub use bound::{Argument, Bound};
pub(crate) use bound::{Called, check_reach, elements};
pub use cost::{Cost, IntoCount};
pub use cuda::{CudaCall, CudaVariant, DeviceArray, DeviceImage, Gemm, LibraryCall};
#[doc(hidden)]
pub use device_source::Checks;
pub use device_source::{DeviceSource, Grid};
pub use generated::{MapNote, Maps};
pub use host::{AnyHostBody, BodyResult, HostArgument, HostBody, Parameter, ParameterType, TileBody};
pub(crate) use later::Answer;
pub use later::{IntoScalar, Later, ScalarArgument};
#[doc(hidden)]
pub use later::{LoopOf, Pending};
pub use reduction::{OwnReduce, Reduce, Reduction};
pub use view::{In, Out};

use crate::error::{Error, Result};
use code::Code;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A loop body with a variant per target. Cheap to clone.
///
/// A device for which there is no variant is not eligible for the loop, and the report says so.
///
/// ```
/// use apportion::kernel::{Cost, DeviceSource, Grid, In, Kernel, Out};
/// let scale = Kernel::new("scale")
///     .host(|range, a: f32, x: In<f32>, mut y: Out<f32>| {
///         for i in range {
///             y[i] = a * x[i];
///         }
///     })
///     // SAFETY: it reads and writes element `i` of arrays that follow the loop, for iterations `i` below `hi`.
///     .opencl_source(unsafe {
///         DeviceSource::new(
///             "__kernel void scale(long lo, long hi, float a, __global const float *x, long x0,
///                                  __global float *y, long y0) {
///                  long i = lo + get_global_id(0);
///                  if (i < hi) y[i - y0] = a * x[i - x0];
///              }",
///             "scale",
///             Grid::per_iteration(64),
///         )
///     })
///     .cost(Cost::per_iteration().flops(1).loads(4).stores(4));
/// ```
#[derive(Clone)]
pub struct Kernel {
    // One `Arc` for all parts: each loop clones the kernel, and a count for each text and closure would take longer.
    parts: Arc<Parts>,
}

#[derive(Clone)]
struct Parts {
    name: Arc<str>,
    host: Option<HostVariant>,
    opencl: Option<DeviceSource>,
    cuda: Option<CudaVariant>,
    variants: Code,
    /// The hash of all variants' code, kept as each loop asks for it.
    code: u64,
    cost: Option<Cost>,
    granule: u64,
    tile: u64,
    host_setup: u64,
}

/// Identifies a kernel in the history of loops: several kernels may have the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KernelId {
    pub name: Arc<str>,
    /// A hash of its code.
    pub code: u64,
}

/// Which variants a kernel has. A device decides by them alone whether it is eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variants {
    host: bool,
    opencl: bool,
    cuda: bool,
}

/// The host variant of a kernel.
#[derive(Clone)]
pub struct HostVariant {
    /// The body.
    pub body: Arc<dyn AnyHostBody>,
    /// Whether the body is called once for a chunk and is parallel itself, or is called for pieces of the chunk in parallel.
    pub whole_chunk: bool,
}

impl Kernel {
    /// A kernel without variants.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        let parts = Parts {
            name: name.into(),
            host: None,
            opencl: None,
            cuda: None,
            variants: Code::default(),
            code: Code::default().of_all(),
            cost: None,
            granule: 1,
            tile: 1,
            host_setup: 0,
        };
        Self { parts: Arc::new(parts) }
    }

    /// A kernel with a known hash of its code: a generated kernel is made for each loop, which has no time to hash its texts.
    fn generated(name: Arc<str>, code: u64, host: HostVariant, [cuda, opencl]: [DeviceSource; 2]) -> Self {
        Self::new(name).with(|parts| {
            (parts.host, parts.opencl, parts.cuda) = (Some(host), Some(opencl), Some(CudaVariant::Source(cuda)));
            parts.variants = Code { host: code, ..Code::default() };
            parts.code = code;
        })
    }

    /// Whether a device would run code made by `#[kernel]`.
    pub(crate) fn is_generated(&self) -> bool {
        let cuda = match &self.parts.cuda {
            Some(CudaVariant::Source(source)) => source.generated,
            _ => false,
        };
        cuda || self.parts.opencl.as_ref().is_some_and(|source| source.generated)
    }

    /// The kernel with changed parts. Clones of it keep theirs.
    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.parts));
        self
    }

    /// The kernel with a changed variant and a new hash of its code.
    fn with_variant(self, change: impl FnOnce(&mut Parts)) -> Self {
        self.with(|parts| {
            change(parts);
            parts.code = parts.variants.of_all();
        })
    }

    /// The host variant, written as a plain sequential loop: the runtime calls it for many pieces of a chunk, in
    /// parallel on the device's pool. A written array is lent to each piece for the rows of that piece only.
    ///
    /// The closure takes a range of iterations and one parameter per argument in the order of binding: an [`Element`] for a
    /// scalar, [`In`] for a `to` array, [`Out`] for a `from`, `tofrom` or `alloc` array. For a reduction it returns the piece's
    /// partial result.
    pub fn host<M: 'static>(self, body: impl HostBody<M>) -> Self {
        self.with_host(body, false)
    }

    /// The host variant, called once for a chunk, inside the device's rayon pool: for library calls and bodies
    /// that bring their own parallelism (`rayon::join`, `par_iter`, a parallel GEMM).
    pub fn host_whole_chunk<M: 'static>(self, body: impl HostBody<M>) -> Self {
        self.with_host(body, true)
    }

    /// The host variant of a loop over rows and columns ([`parallel_for_2d`](crate::region::DataRegion::parallel_for_2d)): the
    /// closure takes a range of rows, a range of columns, and then its parameters as in [`Kernel::host`]. [`In::cells`] and
    /// [`Out::cells_mut`] give the cells, since a device may have only part of a row. The attribute
    /// [`#[kernel(i, j)]`](macro@crate::kernel) generates this variant and those for GPUs from one function of a cell.
    pub fn host_tiles<M: 'static>(self, body: impl TileBody<M>) -> Self {
        let code = code_of(&body);
        let host = HostVariant { body: Arc::new(host::ErasedTile(body, PhantomData)), whole_chunk: false };
        self.with_variant(|parts| (parts.host, parts.variants.host) = (Some(host), code))
    }

    fn with_host<M: 'static>(self, body: impl HostBody<M>, whole_chunk: bool) -> Self {
        let code = code_of(&body);
        let host = HostVariant { body: Arc::new(host::Erased(body, PhantomData)), whole_chunk };
        self.with_variant(|parts| (parts.host, parts.variants.host) = (Some(host), code))
    }

    /// The OpenCL C variant; [`DeviceSource`] says how its entry function is called.
    pub fn opencl_source(self, source: DeviceSource) -> Self {
        let code = code::of_source(&source);
        self.with_variant(|parts| (parts.opencl, parts.variants.opencl) = (Some(source), code))
    }

    /// The CUDA C variant; [`DeviceSource`] says how its entry function, which must be `extern "C" __global__`, is called.
    pub fn cuda_source(self, source: DeviceSource) -> Self {
        self.with_cuda(CudaVariant::Source(source))
    }

    /// The CUDA variant as PTX or cubin.
    pub fn cuda_image(self, image: DeviceImage) -> Self {
        self.with_cuda(CudaVariant::Image(image))
    }

    /// The CUDA variant as a call of a library, which enqueues the work of a chunk on the chunk's stream:
    /// [`CudaCall::gemm`] calls cuBLAS, and [`CudaCall::stream`] and [`CudaCall::array`] are what any other library needs. The call
    /// must wait for nothing that may wait for another chunk, such as jobs of a rayon pool.
    pub fn cuda_call(
        self,
        call: impl Fn(&dyn CudaCall) -> std::result::Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.with_cuda(CudaVariant::Call(LibraryCall::new(call)))
    }

    fn with_cuda(self, variant: CudaVariant) -> Self {
        let code = code::of_cuda(&variant);
        self.with_variant(|parts| (parts.cuda, parts.variants.cuda) = (Some(variant), code))
    }

    /// What one iteration costs. Without it the models assume one operation per iteration, and AUTO(heuristic) measures
    /// instead.
    pub fn cost(self, cost: Cost) -> Self {
        self.with(|parts| parts.cost = Some(cost))
    }

    /// Chunks start and end at multiples of `iterations` from the loop's start (the last may be short). A body by [`Kernel::host`]
    /// gets pieces of chunks, of any length: one that needs whole granules is bound by [`Kernel::host_whole_chunk`]. Data regions
    /// refuse kernels with a granule of more than 1, as each device runs the rows that it has.
    pub fn granule(self, iterations: u64) -> Self {
        self.with(|parts| parts.granule = iterations)
    }

    /// On a device with its own memory the kernel runs best over multiples of `iterations` (such as the rows of a thread
    /// block): pieces of chunks are such multiples where possible.
    pub fn tile(self, iterations: u64) -> Self {
        self.with(|parts| parts.tile = iterations.max(1))
    }

    /// Set-up of a chunk on the host's cores, as a number of iterations that take as long: a library may first reorder an array
    /// that all iterations read. Without it the model assumes that short chunks run at the rate of long ones. What a history
    /// knows of the kernel on the device takes precedence.
    pub fn host_setup(self, iterations: u64) -> Self {
        self.with(|parts| parts.host_setup = iterations)
    }

    /// Begins the list of arguments.
    pub fn bind<'a>(&self) -> Bound<'a> {
        Bound::new(self.clone())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The same kernel by another name.
    pub(crate) fn renamed(self, name: Arc<str>) -> Self {
        if Arc::ptr_eq(&self.parts.name, &name) { self } else { self.with(|parts| parts.name = name) }
    }

    /// Whether this is a clone of it, with the same parts.
    pub(crate) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
    }

    /// Its name, to be kept.
    pub(crate) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.parts.name)
    }

    /// Whether this is its identity.
    pub(crate) fn is(&self, id: &KernelId) -> bool {
        self.parts.code == id.code && self.parts.name == id.name
    }

    /// Its identity in the history of loops.
    pub(crate) fn id(&self) -> KernelId {
        KernelId { name: self.shared_name(), code: self.parts.code }
    }

    /// A hash of its code.
    pub(crate) fn code(&self) -> u64 {
        self.parts.code
    }

    /// Which variants it has.
    pub(crate) fn variants(&self) -> Variants {
        let Parts { host, opencl, cuda, .. } = &*self.parts;
        Variants { host: host.is_some(), opencl: opencl.is_some(), cuda: cuda.is_some() }
    }

    /// The host variant.
    pub fn host_variant(&self) -> Option<&HostVariant> {
        self.parts.host.as_ref()
    }

    /// The OpenCL variant.
    pub fn opencl_variant(&self) -> Option<&DeviceSource> {
        self.parts.opencl.as_ref()
    }

    /// The CUDA variant.
    pub fn cuda_variant(&self) -> Option<&CudaVariant> {
        self.parts.cuda.as_ref()
    }

    /// Whether its CUDA variant takes a scalar by address.
    pub(crate) fn takes_late(&self, argument: usize) -> bool {
        matches!(self.cuda_variant(), Some(CudaVariant::Source(source)) if source.checks.is_late(argument))
    }

    /// The stated cost.
    pub fn stated_cost(&self) -> Option<Cost> {
        self.parts.cost
    }

    /// Checks the stated cost.
    ///
    /// # Errors
    /// [`Error::Call`] naming the kernel and the cost.
    pub(crate) fn check_cost(&self) -> Result<()> {
        self.parts.cost.map_or(Ok(()), |cost| cost.check(&self.parts.name))
    }

    /// Checks that no groups of its device variants are empty.
    ///
    /// # Errors
    /// [`Error::Call`] naming the kernel and the variant.
    pub(crate) fn check_groups(&self) -> Result<()> {
        let opencl = self.parts.opencl.as_ref().map(|source| source.grid.group);
        let cuda = self.parts.cuda.as_ref().and_then(CudaVariant::group);
        for (variant, group) in [("OpenCL", opencl), ("CUDA", cuda)] {
            if group.is_some_and(|group| group.contains(&0)) {
                return Err(Error::call(format!(
                    "kernel `{}`: the groups of its {variant} variant are empty: each size is at least 1",
                    self.parts.name
                )));
            }
        }
        Ok(())
    }

    /// The granule of its chunks.
    pub fn chunk_granule(&self) -> u64 {
        self.parts.granule
    }

    /// Devices' pieces are best multiples of this many iterations.
    pub fn device_tile(&self) -> u64 {
        self.parts.tile
    }

    /// Whether CUDA GPUs run it as a call of a library.
    pub(crate) fn calls_library(&self) -> bool {
        matches!(self.parts.cuda, Some(CudaVariant::Call(_)))
    }

    /// Set-up of a chunk on the host's cores, in iterations.
    pub(crate) fn host_setup_iterations(&self) -> u64 {
        self.parts.host_setup
    }

    /// Checks that the host body is for rows and columns if `columns`, else for rows alone.
    ///
    /// # Errors
    /// [`Error::Call`] saying which loop or body would fit.
    pub(crate) fn check_columns(&self, columns: bool) -> Result<()> {
        match self.parts.host.as_ref().map(|host| host.body.takes_columns()) {
            Some(true) if !columns => Err(Error::call(format!(
                "kernel `{}`: its host body takes rows and columns: run it by a region's `parallel_for_2d`, or give it a body \
                 for rows by `.host(..)`",
                self.parts.name
            ))),
            Some(false) if columns && self.is_generated() => Err(Error::call(format!(
                "kernel `{}`: its function has an index for rows alone: run it by `parallel_for`, or give it a second index, for \
                 columns, by `#[kernel(i, j)]`",
                self.parts.name
            ))),
            Some(false) if columns => Err(Error::call(format!(
                "kernel `{}`: its host body takes rows alone: run it by `parallel_for`, give it a body for rows and columns by \
                 `.host_tiles(..)`, or write it as one function by `#[kernel(i, j)]`",
                self.parts.name
            ))),
            _ => Ok(()),
        }
    }

    /// Compares bound arguments and reduction with the host variant's parameters.
    ///
    /// # Errors
    /// [`Error::Call`] naming the first argument that does not fit.
    pub fn check_host(&self, arguments: &[Argument<'_>], reduction: Option<Reduction>) -> Result<()> {
        if let Some(reduction) = reduction {
            reduction.check().map_err(|error| Error::call(format!("kernel `{}`: {error}", self.parts.name)))?;
        }
        let Some(host) = &self.parts.host else { return Ok(()) };
        let wanted = host.body.parameters();
        if wanted.len() != arguments.len() {
            return Err(Error::call(format!(
                "kernel `{}`: its host body takes {} arguments after the range, {} are bound",
                self.parts.name,
                wanted.len(),
                arguments.len()
            )));
        }
        for (position, (wanted, argument)) in wanted.iter().zip(arguments).enumerate() {
            let bound = argument.parameter_type();
            if *wanted != bound {
                return Err(Error::call(format!(
                    "kernel `{}`: argument {position}: the host body takes {wanted}, bound is {bound}",
                    self.parts.name
                )));
            }
        }
        match (host.body.reduces(), reduction.map(|r| r.element)) {
            (a, b) if a == b => Ok(()),
            (returned, asked) if self.is_generated() => Err(self.other_result(returned, asked)),
            (Some(returned), Some(asked)) => Err(Error::call(format!(
                "kernel `{}`: its host body returns {returned}, but the reduction is over {asked}: use \
                 `.reduce::<{returned}>(..)`",
                self.parts.name
            ))),
            (Some(returned), None) => Err(Error::call(format!(
                "kernel `{}`: its host body returns a partial {returned}: use `.reduce(..)` rather than `.run()`",
                self.parts.name
            ))),
            (None, _) => Err(Error::call(format!(
                "kernel `{}`: its host body returns nothing to reduce: use `.run()`, or return the piece's part",
                self.parts.name
            ))),
        }
    }

    /// Why a loop over a kernel of `#[kernel]` ends as one over another: what its function returns, and what is asked for.
    fn other_result(&self, returned: Option<ElementType>, asked: Option<ElementType>) -> Error {
        let name = &self.parts.name;
        Error::call(match (returned, asked) {
            (Some(returned), Some(asked)) => format!(
                "kernel `{name}`: its function returns {returned}, but the reduction is over {asked}: use \
                 `.reduce::<{returned}>(..)`"
            ),
            (Some(returned), None) => format!(
                "kernel `{name}`: its function returns a value for each iteration, of type {returned}: use \
                 `.reduce::<{returned}>(..)` rather than `.run()`"
            ),
            (None, Some(asked)) => format!(
                "kernel `{name}`: its function returns nothing to reduce: let it return a value for each iteration, \
                 `-> {asked}`, or use `.run()`"
            ),
            (None, None) => format!("kernel `{name}`: its function returns nothing: use `.run()`"),
        })
    }
}

/// The hash of a body's type.
fn code_of<B: 'static>(_: &B) -> u64 {
    code::of_type::<B>()
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.parts.name)
            .field("host", &self.parts.host.is_some())
            .field("opencl", &self.parts.opencl.is_some())
            .field("cuda", &self.parts.cuda.is_some())
            .field("cost", &self.parts.cost)
            .field("granule", &self.parts.granule)
            .finish()
    }
}
