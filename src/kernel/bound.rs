//! A kernel with its arguments: scalars, and arrays with their maps.

use crate::data::{ArrayMap, Direction, DisjointMut, Distribution, Halo, HostMemory, LoopShape, Mapped, RowsAt};
use crate::element::{Element, Item, Scalar};
use crate::error::{Error, Result};
use crate::kernel::generated::{ByOperator, ByTurns, CellMap, Checking, Extent, OverCells};
use crate::kernel::{IntoScalar, Kernel, ParameterType, Pending, Reduce, Reduction, WriteArray};
use crate::space::{IterRange, Iterations};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One bound argument.
#[derive(Debug)]
pub enum Argument<'a> {
    /// A scalar, the same for every device.
    Scalar(Scalar),
    /// An array and how it is mapped.
    Array(ArrayMap<'a>),
}

impl Argument<'_> {
    /// The parameter of a host body that takes it.
    pub fn parameter_type(&self) -> ParameterType {
        match self {
            Self::Scalar(scalar) => ParameterType::Scalar(scalar.element()),
            Self::Array(map) if map.direction.writes() => ParameterType::Out(map.element),
            Self::Array(map) => ParameterType::In(map.element),
        }
    }

    /// The array, if it is one.
    pub fn array(&self) -> Option<&ArrayMap<'_>> {
        match self {
            Self::Array(map) => Some(map),
            Self::Scalar(_) => None,
        }
    }
}

/// A kernel and its arguments in order. The arrays stay borrowed until the loop has run.
///
/// An array is FULL (replicated) until a method after it says otherwise:
///
/// ```
/// # use apportion::kernel::Kernel;
/// # let (kernel, n) = (Kernel::new("matvec"), 4);
/// # let (a, x, mut y) = (vec![0f32; n * n], vec![0f32; n], vec![0f32; n]);
/// let bound = kernel.bind()
///     .to(&a).align_rows(n)      // row i goes with iteration i
///     .to(&x)                    // every device has all of it
///     .from(&mut y).align();     // element i goes with iteration i
/// ```
#[derive(Debug)]
#[must_use = "a bound kernel does nothing until it is run over a loop"]
pub struct Bound<'a> {
    kernel: Kernel,
    arguments: Vec<Argument<'a>>,
    // Arguments to which iterations contribute, with their operators.
    array_reductions: Vec<(usize, Reduction)>,
    // The first misuse of the builder; reported when the loop starts, where an error can be returned.
    misuse: Option<String>,
    // What iterations reach of arrays, by argument, where it was derived.
    reached: Vec<(usize, Extent)>,
    // Arguments whose distribution and halo follow from the kernel's text rather than from an explicit map.
    derived: Vec<usize>,
    // A bit for each of the first arguments: the kernel writes it, and reads it before.
    read_first: u64,
    // Makes the kernel for the operator of a reduction, if the kernel depends on it.
    pub(super) by_operator: Option<ByOperator>,
    // Makes the kernel for the turns of its loops, if these are data.
    pub(super) by_turns: Option<ByTurns>,
    // The kernel's form for loops over rows and columns, what that form reaches of arrays, and whether it is in use.
    pub(super) over_cells: OverCells,
    pub(super) cells: Vec<(usize, CellMap)>,
    pub(crate) is_over_cells: bool,
    // The form that checks every access, and when it has to run.
    pub(super) checking: Checking,
    pub(super) by: BoundBy,
    // Scalars that are results of a data region's loops.
    pending: Vec<(usize, Pending)>,
}

/// Who binds the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundBy {
    /// The program, by the methods of [`Bound`].
    Hand,
    /// A function made by `#[kernel]`, which has bound all of them or not yet.
    Attribute { complete: bool },
}

/// Adds an argument, or what there is of it. Each loop binds its arguments anew, so there is room for some from the first on.
fn add<T>(list: &mut Vec<T>, more: T) {
    if list.capacity() == 0 {
        list.reserve(8);
    }
    list.push(more);
}

impl<'a> Bound<'a> {
    pub(super) fn change_kernel(&mut self, change: impl FnOnce(&Kernel) -> Kernel) {
        self.kernel = change(&self.kernel);
    }

    pub(super) fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            arguments: Vec::new(),
            array_reductions: Vec::new(),
            misuse: None,
            reached: Vec::new(),
            derived: Vec::new(),
            read_first: 0,
            by_operator: None,
            by_turns: None,
            over_cells: OverCells::default(),
            cells: Vec::new(),
            is_over_cells: false,
            checking: Checking::default(),
            by: BoundBy::Hand,
            pending: Vec::new(),
        }
    }

    /// Takes the kernel for this operator, if the kernel depends on it.
    pub(crate) fn for_operator(&mut self, operator: Reduce) {
        // It was bound for a sum.
        let Some(by_operator) = self.by_operator.filter(|_| operator != Reduce::Sum) else { return };
        match by_operator.kernel(operator) {
            Some(kernel) => self.kernel = kernel.renamed(self.kernel.shared_name()),
            None => {
                let operator = match operator {
                    Reduce::Own(_) => "an own operator".to_owned(),
                    operator => format!("{operator:?}"),
                };
                self.refuse(format!(
                    "its reduction is by Sum, Product, Min or Max, as `#[kernel]` makes it, not by {operator}"
                ));
            }
        }
    }

    /// Records a misuse, for the call that can return an error.
    pub(crate) fn misused(mut self, what: String) -> Self {
        self.refuse(what);
        self
    }

    /// The same in place.
    pub(crate) fn refuse(&mut self, what: String) {
        self.misuse.get_or_insert(what);
    }

    /// The range of the loop. An invalid range is a misuse.
    pub(crate) fn over(&mut self, range: impl Iterations) -> IterRange {
        range.iterations().unwrap_or_else(|what| {
            self.refuse(what);
            IterRange::default()
        })
    }

    /// Adds what iterations reach of the last array; it is compared with the array's length once the loop's range is known.
    pub(super) fn reaches(&mut self, reached: &[Extent]) {
        let argument = self.arguments.len().saturating_sub(1);
        reached.iter().for_each(|extent| add(&mut self.reached, (argument, *extent)));
    }

    /// The same, where distribution and halo of the last array are derived from the kernel's text: a data region compares them with
    /// the array's own.
    pub(super) fn derive(&mut self, reached: &[Extent]) {
        self.reaches(reached);
        add(&mut self.derived, self.arguments.len().saturating_sub(1));
    }

    /// Notes that the kernel reads the last array before it writes it.
    pub(super) fn is_read_first(&mut self) {
        self.read_first |= 1u64.checked_shl(self.arguments.len().saturating_sub(1) as u32).unwrap_or(0);
    }

    /// Whether the kernel is known to read an array that it also writes before it writes it.
    pub(crate) fn reads_first(&self, argument: usize) -> bool {
        1u64.checked_shl(argument as u32).is_some_and(|bit| self.read_first & bit != 0)
    }

    /// What iterations reach of an argument whose distribution and halo follow from the kernel's text.
    pub(crate) fn derived_reach(&self, argument: usize) -> Option<impl Iterator<Item = &Extent>> {
        let found = self.derived.contains(&argument);
        found.then(|| self.reached.iter().filter(move |(of, _)| *of == argument).map(|(_, extent)| extent))
    }

    /// A scalar, passed to every device. A `usize` is a `usize` in a host body, and an unsigned 64-bit integer on devices:
    /// `ulong n` in OpenCL C, `unsigned long n` in CUDA C.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let transpose = Kernel::new("transpose").host(|rows: Range<usize>, n: usize, a: In<f32>, mut t: Out<f32>| {
    ///     for i in rows {
    ///         for j in 0..n {
    ///             t[i * n + j] = a[j * n + i];
    ///         }
    ///     }
    /// });
    /// let n = 3;
    /// let (a, mut t) = (vec![1.0f32; n * n], vec![0.0f32; n * n]);
    /// let rt = Runtime::detect()?;
    /// rt.parallel_for(0..n, transpose.bind().scalar(n).to(&a).from(&mut t).align_rows(n)).run()?;
    /// assert_eq!(t, a);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn scalar<T: IntoScalar>(mut self, value: T) -> Self {
        self.refuse_if_complete("scalar");
        let pending = value.pending();
        self.add_scalar(value.into_scalar(), pending);
        self
    }

    /// Adds a scalar, which may be a result that is not there yet.
    pub(super) fn add_scalar(&mut self, scalar: Scalar, pending: Option<Pending>) {
        self.pending.extend(pending.map(|pending| (self.arguments.len(), pending)));
        add(&mut self.arguments, Argument::Scalar(scalar));
    }

    /// Takes the results that it waits for: who takes them gives the numbers by [`Bound::settle`], or passes them to devices.
    pub(crate) fn take_pending(&mut self) -> Vec<(usize, Pending)> {
        std::mem::take(&mut self.pending)
    }

    /// Gives a scalar its value.
    pub(crate) fn settle(&mut self, position: usize, value: Scalar) {
        self.arguments[position] = Argument::Scalar(value);
    }

    /// A misuse where a function made by `#[kernel]` has bound its arguments already: it compared them with its accesses.
    fn refuse_if_complete(&mut self, method: &str) {
        if self.by == (BoundBy::Attribute { complete: true }) {
            self.refuse(format!(
                "`.{method}(..)` after its arguments: `#[kernel]` derives the arrays' maps, and `#[map(..)]` on the function \
                 says others"
            ));
        }
    }

    /// An array that the kernel reads.
    pub fn to<T: Element>(self, array: &'a [T]) -> Self {
        self.array::<T>(Direction::To, array.len(), HostMemory::Read(bytemuck::cast_slice(array)))
    }

    /// An array that the kernel writes in full; what it held before is not copied to the devices.
    pub fn from<T: Element>(self, array: &'a mut [T]) -> Self {
        let memory = HostMemory::Write(DisjointMut::new(bytemuck::cast_slice_mut(array)));
        self.array::<T>(Direction::From, array_len(&memory, size_of::<T>()), memory)
    }

    /// An array that the kernel reads and writes.
    pub fn tofrom<T: Element>(self, array: &'a mut [T]) -> Self {
        let memory = HostMemory::Write(DisjointMut::new(bytemuck::cast_slice_mut(array)));
        self.array::<T>(Direction::ToFrom, array_len(&memory, size_of::<T>()), memory)
    }

    /// A scratch array of `len` elements, of which each chunk has its own rows; nothing is copied.
    pub fn alloc<T: Element>(self, len: usize) -> Self {
        self.array::<T>(Direction::Alloc, len, HostMemory::Scratch)
    }

    fn array<T: Element>(mut self, direction: Direction, len: usize, memory: HostMemory<'a>) -> Self {
        self.add_array::<T>(direction, len, memory);
        self
    }

    fn add_array<T: Element>(&mut self, direction: Direction, len: usize, memory: HostMemory<'a>) {
        self.refuse_if_complete("to");
        let map = ArrayMap {
            name: None,
            element: T::TYPE,
            direction,
            distribution: Distribution::Full,
            halo: Halo::default(),
            row_len: 1,
            len,
            memory,
            mapped: None,
            shift: 0,
            first_row: 0,
            first_column: 0,
            chain: None,
            rows_at: None,
            components: 1,
        };
        add(&mut self.arguments, Argument::Array(map));
    }

    /// An array of a data region that the kernel reads. Distribution and halo are the array's own: a loop reads all of its
    /// ghost rows, unless [`Bound::halo`] after this call gives their number.
    pub fn reads<T: Item>(self, array: Mapped<T>) -> Self {
        self.mapped(Direction::To, array)
    }

    /// An array of a data region whose rows the kernel writes. Elements that it does not write keep their values.
    pub fn writes<T: Item>(self, array: Mapped<T>) -> Self {
        self.mapped(Direction::From, array)
    }

    /// An array of a data region whose own rows the kernel reads and writes.
    pub fn updates<T: Item>(self, array: Mapped<T>) -> Self {
        self.mapped(Direction::ToFrom, array)
    }

    /// An array, such as a histogram, to any element of which any iteration may contribute: `&mut [T]` and the like, or an
    /// array of a data region. The kernel may only combine an element with a contribution by the operator: copies start with
    /// the operator's identity, on a region's only device with the array's values. On the CPU each thread has its own copy; on
    /// GPUs the kernel uses atomic operations. The array's earlier values come first, then the copies in the order of the
    /// devices. Min and Max of a number and NaN are the number.
    pub fn reduces<T: Item>(mut self, array: impl WriteArray<'a, T>, operator: Reduce) -> Self {
        let element = <T::Component as Element>::TYPE;
        self.array_reductions.push((self.arguments.len(), Reduction { operator, element }));
        array.written_by(Direction::ToFrom, self)
    }

    fn mapped<T: Item>(mut self, direction: Direction, array: Mapped<T>) -> Self {
        self.add_array::<T::Component>(direction, 0, HostMemory::Scratch);
        self.change_last("reads", |map| {
            map.components = T::COMPONENTS;
            map.mapped = Some(array.key());
            map.distribution = Distribution::Align { ratio: 1 };
            map.halo = Halo { left: u64::MAX, right: u64::MAX };
        });
        self
    }

    /// The last array is of components of these items.
    pub(super) fn of_items<T: Item>(self) -> Self {
        self.last("of_items", |map| map.components = T::COMPONENTS)
    }

    fn last(mut self, method: &str, change: impl FnOnce(&mut ArrayMap<'a>)) -> Self {
        self.change_last(method, change);
        self
    }

    /// Changes the map of the last array, in place: a bound kernel is large to move.
    pub(super) fn change_last(&mut self, method: &str, change: impl FnOnce(&mut ArrayMap<'a>)) {
        self.refuse_if_complete(method);
        match self.arguments.last_mut() {
            Some(Argument::Array(map)) => change(map),
            _ => {
                self.misuse.get_or_insert_with(|| {
                    format!("`.{method}(..)` describes the array before it, but there is none: bind an array first")
                });
            }
        }
    }

    /// Renames the kernel, in reports, in messages and in the history of loops. The history tells kernels apart by name and
    /// code: under a new name a kernel learns anew.
    pub fn kernel_named(mut self, name: impl Into<Arc<str>>) -> Self {
        self.kernel = self.kernel.renamed(name.into());
        self
    }

    /// A name for the last array, for messages.
    pub fn named(self, name: &'static str) -> Self {
        self.last("named", |map| map.name = Some(name))
    }

    /// The last array goes whole to every device (the default).
    pub fn full(self) -> Self {
        self.last("full", |map| map.distribution = Distribution::Full)
    }

    /// Element `i` of the last array goes with iteration `i`.
    pub fn align(self) -> Self {
        self.aligned("align", 1)
    }

    /// Row `i` of the last array, of `row_len` elements, goes with iteration `i`.
    pub fn align_rows(self, row_len: usize) -> Self {
        self.aligned("align_rows", row_len)
    }

    fn aligned(self, method: &str, row_len: usize) -> Self {
        self.last(method, |map| {
            map.distribution = Distribution::Align { ratio: 1 };
            map.row_len = row_len;
        })
    }

    /// Rows `ratio * i .. ratio * (i + 1)` of the last array go with iteration `i`: ALIGN(ratio).
    pub fn ratio(self, ratio: usize) -> Self {
        self.last("ratio", |map| map.distribution = Distribution::Align { ratio: ratio as u64 })
    }

    /// Iteration `i` has elements `at[i] .. at[i + 1]` of the last array, as the elements of a sparse matrix in compressed rows
    /// (CSR): `at` has one number more than there are iterations, none less than the one before it.
    ///
    /// ```
    /// use apportion::prelude::*;
    ///
    /// let sums = Kernel::new("sums").host(|rows: Range<usize>, starts: In<u32>, values: In<f64>, mut sums: Out<f64>| {
    ///     for i in rows {
    ///         sums[i] = values.slice(starts[i] as usize..starts[i + 1] as usize).iter().sum();
    ///     }
    /// });
    /// let (starts, values, mut of) = ([0u32, 2, 2, 5], [1.0f64, 2.0, 3.0, 4.0, 5.0], [0.0f64; 3]);
    /// let rt = Runtime::detect()?;
    /// let bound = sums.bind().to(&starts).align().halo_sides(0, 1).to(&values).rows_at(&starts).from(&mut of).align();
    /// rt.parallel_for(0..3, bound).run()?;
    /// assert_eq!(of, [3.0, 0.0, 12.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn rows_at(self, at: impl Into<RowsAt<'a>>) -> Self {
        let at = at.into();
        self.last("rows_at", |map| {
            map.distribution = Distribution::RowsAt;
            map.row_len = map.components;
            map.rows_at = Some(at);
        })
    }

    /// The numbers of a bound array say where the rows of another begin; none in a data region, whose layout says it.
    pub(super) fn set_rows_at(&mut self, of: usize, at: usize) {
        let numbers = match self.arguments.get(at) {
            Some(Argument::Array(ArrayMap { element, memory: HostMemory::Read(bytes), .. })) => {
                RowsAt::of(*element, bytes)
            }
            _ => None,
        };
        if let Some(Argument::Array(map)) = self.arguments.get_mut(of) {
            map.rows_at = numbers;
        }
    }

    /// The rows of the last array, of `row_len` elements, are divided evenly over the devices: BLOCK. The loop's policy is then
    /// BLOCK too, since under other policies a device's iterations are not known beforehand.
    pub fn block_rows(self, row_len: usize) -> Self {
        self.last("block_rows", |map| {
            map.distribution = Distribution::Block;
            map.row_len = row_len;
        })
    }

    /// A chunk also reads `rows` rows before and after its own rows of the last array, as far as they exist.
    pub fn halo(self, rows: usize) -> Self {
        self.halo_sides(rows, rows)
    }

    /// As [`Bound::halo`] with different widths.
    pub fn halo_sides(self, left: usize, right: usize) -> Self {
        self.last("halo", |map| map.halo = Halo { left: left as u64, right: right as u64 })
    }

    /// Whether iterations contribute to an argument: it was bound by [`Bound::reduces`].
    pub(crate) fn contributes_to(&self, position: usize) -> bool {
        self.array_reductions.iter().any(|(of, _)| *of == position)
    }

    /// Bytes of all arrays to which iterations contribute.
    pub(crate) fn contributed_bytes(&self) -> usize {
        let arrays = self.array_reductions.iter().filter_map(|(position, _)| self.arguments[*position].array());
        arrays.map(ArrayMap::bytes).sum()
    }

    /// The arguments to which iterations contribute, with their reductions.
    pub fn array_reductions(&self) -> &[(usize, Reduction)] {
        &self.array_reductions
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The arguments in order.
    pub fn arguments(&self) -> &[Argument<'a>] {
        &self.arguments
    }

    /// Checks the maps against a loop over `shape`.
    ///
    /// # Errors
    /// [`Error::Call`] naming the array, what the loop would need, and what it has.
    pub fn check(&self, shape: &LoopShape) -> Result<()> {
        self.check_builder()?;
        for (position, map) in self.arguments.iter().enumerate().filter_map(|(i, a)| Some((i, a.array()?))) {
            let what = self.called(position, map);
            if map.mapped.is_some() {
                return Err(Error::call(format!(
                    "{what} belongs to a data region: run the loop by that region's own `parallel_for`"
                )));
            }
            let rows_by = match self.derived_reach(position).map(|reached| reached.count()) {
                None => RowsBy::Hand,
                Some(0) => RowsBy::Words,
                Some(_) => RowsBy::Indices,
            };
            check_map(what, map, rows_by, shape.range, self.contributes_to(position))?;
            for (_, extent) in self.reached.iter().filter(|(argument, _)| *argument == position) {
                check_reach(what, 0..map.len as i128, map.components, shape.range, extent)?;
            }
        }
        Ok(())
    }

    /// Checks that the builder was used correctly.
    pub(crate) fn check_builder(&self) -> Result<()> {
        let kernel = self.kernel.name();
        if let Some(misuse) = &self.misuse {
            return Err(Error::call(format!("kernel `{kernel}`: {misuse}")));
        }
        if let Some((position, _)) = self.pending.first() {
            return Err(Error::call(format!(
                "kernel `{kernel}`: argument {position} is the result of a data region's loop: ask the region for it by \
                 `region.value(..)`, or run the loop by that region's own `parallel_for`"
            )));
        }
        if self.by == BoundBy::Hand && self.kernel.is_generated() {
            return Err(Error::call(format!(
                "kernel `{kernel}`: it has code made by `#[kernel]`, whose function compares the arrays with its accesses: call \
                 that function to bind them"
            )));
        }
        if self.kernel.chunk_granule() == 0 {
            return Err(Error::call(format!("kernel `{kernel}`: a granule is at least 1 iteration, not 0")));
        }
        self.kernel.check_cost()?;
        self.kernel.check_groups()?;
        for (position, reduction) in &self.array_reductions {
            let wrong = |error| Error::call(format!("kernel `{kernel}`: argument {position}: {error}"));
            reduction.check().map_err(wrong)?;
        }
        Ok(())
    }

    /// What an array is called in messages.
    pub(crate) fn called(&self, position: usize, map: &ArrayMap<'_>) -> Called<'_> {
        Called { kernel: self.kernel.name(), position, parameter: map.name, name: None }
    }
}

/// What an array is called in messages, which most loops do not need.
#[derive(Clone, Copy)]
pub(crate) struct Called<'b> {
    kernel: &'b str,
    position: usize,
    parameter: Option<&'static str>,
    name: Option<&'static str>,
}

impl Called<'_> {
    /// The same with the array's own name.
    pub fn named(self, name: Option<&'static str>) -> Self {
        Self { name, ..self }
    }
}

impl fmt::Display for Called<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, position, .. } = self;
        match self.parameter {
            Some(parameter) => write!(f, "kernel `{kernel}`: array `{parameter}` (argument {position})")?,
            None => write!(f, "kernel `{kernel}`: the array in argument {position}")?,
        }
        match self.name {
            Some(name) if self.parameter != Some(name) => write!(f, ", `{name}`"),
            _ => Ok(()),
        }
    }
}

/// The elements that an access reaches in iteration i, in words, as the kernel's text has them.
pub(crate) fn elements(stride: i128, low: i128, high: i128) -> String {
    let of = |offset: i128| {
        let sign = if offset < 0 { '-' } else { '+' };
        match (stride, offset) {
            (0, _) => offset.to_string(),
            (1, 0) => "i".to_owned(),
            (1, _) => format!("i {sign} {}", offset.unsigned_abs()),
            (_, 0) => format!("{stride}*i"),
            _ => format!("{stride}*i {sign} {}", offset.unsigned_abs()),
        }
    };
    match (of(low), of(high)) {
        (one, end) if one == end => format!("element {one}"),
        (one, end) => format!("elements {one} to {end}"),
    }
}

/// Checks that the elements that every iteration reaches are among those in `there`. Messages count the caller's elements, which have
/// so many components each.
pub(crate) fn check_reach(
    what: Called<'_>,
    there: Range<i128>,
    components: usize,
    range: IterRange,
    extent: &Extent,
) -> Result<()> {
    if range.is_empty() || !extent.certain || extent.low > extent.high {
        return Ok(());
    }
    let (first, last) = (i128::from(range.start), i128::from(range.end) - 1);
    let (a, b) = (extent.stride.saturating_mul(first), extent.stride.saturating_mul(last));
    let (low, high) = (a.min(b).saturating_add(extent.low), a.max(b).saturating_add(extent.high));
    if there.start <= low && high < there.end {
        return Ok(());
    }
    let of = |component: i128| component.div_euclid(components as i128);
    let has = match there.start {
        0 => format!("{} elements", of(there.end)),
        _ => format!("elements {} to {}, ghost rows included", of(there.start), of(there.end - 1)),
    };
    let access = elements(of(extent.stride), of(extent.low), of(extent.high));
    let (low, high) = (of(low), of(high));
    let advice = match within(&there, extent, first..last + 1) {
        Some(Range { start, end }) => format!("shorten the loop to {start}..{end}, or check"),
        None => "check".to_owned(),
    };
    Err(Error::call(format!(
        "{what}: by the access to {access} of iteration i, iterations {range} reach elements {low} to {high}, it has {has}: \
         {advice} the array's length and the arguments"
    )))
}

/// The iterations among these that stay within `there`, if a shorter loop helps.
fn within(there: &Range<i128>, extent: &Extent, range: Range<i128>) -> Option<Range<i128>> {
    if extent.stride <= 0 {
        return None;
    }
    // The first one rounded up, the last one down.
    let first = extent.low.saturating_sub(there.start).div_euclid(extent.stride).saturating_neg();
    let end = there.end.saturating_sub(1).saturating_sub(extent.high).div_euclid(extent.stride).saturating_add(1);
    let range = first.max(range.start)..end.min(range.end);
    (!range.is_empty()).then_some(range)
}

fn array_len(memory: &HostMemory<'_>, element: usize) -> usize {
    match memory {
        HostMemory::Write(array) => array.len() / element,
        _ => 0,
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// How rows came to follow iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowsBy {
    /// By the program: a body by hand takes whole rows.
    Hand,
    /// By the attribute `#[map(..)]` of a function, which compares each access. The last row may be short.
    Words,
    /// By the indices of a function, which are compared with the array: rows that none of them reaches may be missing.
    Indices,
}

/// Whether a table has numbers for a loop. Of an array that is only read the numbers in between are not compared: where they
/// decrease, a chunk has too few rows, and what its iterations then reach is found as they do. Threads that write share rows out by
/// these numbers, so that none may have those of another.
fn check_rows_at(what: Called<'_>, map: &ArrayMap<'_>, range: IterRange) -> Result<()> {
    let Some(at) = map.rows_at else {
        return Err(Error::call(format!(
            "{what}: its rows begin where a table says, which is no array of whole numbers"
        )));
    };
    if range.is_empty() {
        return Ok(());
    }
    let wrong = |why: String| Err(Error::call(format!("{what}: {why}")));
    let numbers = at.numbers() as u64;
    if numbers <= range.end {
        return wrong(format!(
            "its rows begin where {numbers} numbers say, but iterations {range} take {}: one more than there are iterations",
            u128::from(range.end) + 1
        ));
    }
    let rows = map.rows();
    let number = |place: u64| match at.number(place as usize) {
        Some(row) if row <= rows => Ok(row),
        row => Err(Error::call(format!(
            "{what}: number {place} of the table of its `rows_at` is {}, but it has {rows} rows: a number there is from 0 up to \
             that",
            row.map_or_else(|| "below 0".to_owned(), |row| row.to_string())
        ))),
    };
    let (first, last) = (number(range.start)?, number(range.end)?);
    let decreases = |place: u64, row: u64, before: u64| {
        wrong(format!(
            "number {place} of the table of its `rows_at` is {row}, less than one before it, {before}: the rows of an \
             iteration begin where those before it end, so let no number be less than the one before it"
        ))
    };
    if last < first {
        return decreases(range.end, last, first);
    }
    let mut before = first;
    for place in (range.start + 1..=range.end).take_while(|_| map.direction.writes()) {
        let row = number(place)?;
        if row < before {
            return decreases(place, row, before);
        }
        before = row;
    }
    Ok(())
}

fn check_map(what: Called<'_>, map: &ArrayMap<'_>, rows_by: RowsBy, range: IterRange, contributes: bool) -> Result<()> {
    if map.row_len == 0 {
        return Err(Error::call(format!("{what}: a row has at least 1 element, not 0")));
    }
    // More cannot be addressed. From here on sizes are computed as usize.
    if map.len.checked_mul(map.element.bytes()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Error::call(format!(
            "{what}: {} elements of {} are more than there is memory for",
            map.len, map.element
        )));
    }
    if rows_by == RowsBy::Hand && !map.len.is_multiple_of(map.row_len) {
        return Err(Error::call(format!(
            "{what}: its {} elements are no whole number of rows of {}",
            map.len, map.row_len
        )));
    }
    if map.halo != Halo::default() && (map.direction.writes() || map.distribution == Distribution::Full) {
        return Err(Error::call(format!(
            "{what}: a halo is read from an array that is `to` and aligned or BLOCK; this one is {} and {}",
            map.direction, map.distribution
        )));
    }
    match map.distribution {
        Distribution::Full if contributes => Ok(()),
        _ if contributes => Err(Error::call(format!(
            "{what}: iterations contribute to all of it, so every device has all of it: leave out `.align()` and the like"
        ))),
        Distribution::Full if map.direction.writes() => Err(Error::call(format!(
            "{what}: a FULL array cannot be {}: every device would write all of it; align it with the loop, or bind \
             it by `.reduces(..)`",
            map.direction
        ))),
        Distribution::RowsAt => check_rows_at(what, map, range),
        Distribution::Align { ratio: 0 } => Err(Error::call(format!("{what}: an ALIGN ratio is at least 1, not 0"))),
        Distribution::Align { .. } if rows_by == RowsBy::Indices => Ok(()),
        Distribution::Align { ratio } => {
            let needed = range.end.checked_mul(ratio).filter(|_| !range.is_empty()).unwrap_or(0);
            if range.end.checked_mul(ratio).is_none() || needed > map.rows() {
                return Err(Error::call(format!(
                    "{what} is too short: iterations {range} with {ratio} row{} each {} {} rows of {} element{}, it has {}",
                    plural(ratio),
                    match map.direction {
                        Direction::To => "read",
                        Direction::From => "write",
                        Direction::ToFrom => "read and write",
                        Direction::Alloc => "use",
                    },
                    u128::from(range.end) * u128::from(ratio),
                    map.row_len / map.components,
                    plural((map.row_len / map.components) as u64),
                    map.rows()
                )));
            }
            Ok(())
        }
        // A device writes only the rows of its own iterations, one row each.
        Distribution::Block if map.direction.writes() && (range.start != 0 || range.end != map.rows()) => {
            Err(Error::call(format!(
                "{what}: a BLOCK array that is written must have a row per iteration: the loop is {range}, the array \
                 has {} rows",
                map.rows()
            )))
        }
        _ => Ok(()),
    }
}
