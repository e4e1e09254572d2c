//! Functions that code made by `#[kernel]` calls: kernels made once from their texts, maps made from the arguments, and array
//! elements of a section by their index in the whole array. Only [`Maps`] and [`MapNote`] are for users.

use super::bound::BoundBy;
use crate::element::{Element, ElementType, Scalar};
pub use crate::kernel::later::{Given, given};
use crate::kernel::{
    AnyHostBody, Bound, Cost, DeviceSource, HostArgument, HostVariant, Kernel, Parameter, ParameterType, Reduce,
};
use std::any::TypeId;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

#[path = "cells.rs"]
mod cells;
#[path = "extents.rs"]
mod extents;
#[path = "generic.rs"]
mod generic;
#[path = "possible.rs"]
mod possible;
#[path = "shape.rs"]
mod shape;
#[path = "turns.rs"]
mod turns;
pub(crate) use cells::CellMap;
pub(super) use cells::OverCells;
pub use cells::{CellExtent, cells, not_over_cells, over_cells, pitch};
pub use extents::{Extent, contributed, full, rows, rows_at, stated, stated_rows_at, updated_rows};
pub use generic::{SameArray, SameScalar, same, same_array, same_scalar, same_values};
pub(super) use possible::Checking;
pub use possible::{Possible, checked, least, number, number_or, operations, possible, quotient, sum, within};
use shape::{FORMS, Form};
pub use shape::{Shape, Strips, Tiling, most_turns};
pub(super) use turns::ByTurns;
pub use turns::{Seen, Turns, by_turns};

/// What the attribute `#[kernel]` derived for the arrays of a kernel, and what an iteration costs.
///
/// ```
/// use apportion::prelude::*;
/// #[kernel]
/// fn scale(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
///     y[i] = a * x[i];
/// }
/// assert!(scale::maps().to_string().contains("element i follows iteration i"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Maps {
    /// The kernel.
    pub kernel: &'static str,
    /// Its arrays in order.
    pub arrays: &'static [MapNote],
    /// Operations per iteration, as an expression of the arguments.
    pub flops: &'static str,
    /// Bytes read per iteration, as an expression of the arguments.
    pub loads: &'static str,
    /// Bytes written per iteration, as an expression of the arguments.
    pub stores: &'static str,
    /// How GPUs run it.
    pub grid: &'static str,
    /// How GPUs run it over rows and columns, or why they do not; for kernels with two loop indices.
    pub columns: &'static str,
}

/// The derived map of one array.
#[derive(Clone, Copy, Debug)]
pub struct MapNote {
    /// The parameter.
    pub array: &'static str,
    /// `to`, `from` or `tofrom`.
    pub direction: &'static str,
    /// How it is divided, such as `ALIGN, rows of m, halo 1` or `FULL`.
    pub distribution: &'static str,
    /// The reason.
    pub why: &'static str,
}

impl fmt::Display for Maps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.kernel)?;
        let widest =
            |of: fn(&MapNote) -> &'static str| self.arrays.iter().map(|a| of(a).chars().count()).max().unwrap_or(0);
        let (name, distribution) = (widest(|a| a.array), widest(|a| a.distribution));
        for a in self.arrays {
            let (array, direction, division, why) = (a.array, a.direction, a.distribution, a.why);
            writeln!(f, "  {array:name$}  {direction:6}  {division:distribution$}  {why}")?;
        }
        writeln!(f, "  per iteration: flops {}, bytes read {}, bytes written {}", self.flops, self.loads, self.stores)?;
        writeln!(f, "  on GPUs: {}", self.grid)?;
        if self.columns.is_empty() { Ok(()) } else { writeln!(f, "  over rows and columns: {}", self.columns) }
    }
}

// --- Kernels from their texts. ---

pub use super::device_source::Checks;
pub use super::processor::{Body, HostLoop, Spread, best, calls};

/// A function of one piece of a loop.
pub type HostCall = fn(Range<usize>, &mut [HostArgument<'_>]) -> Option<Scalar>;

/// A host body without closures, of any number of parameters.
struct HostFunction {
    parameters: &'static [ParameterType],
    reduces: Option<ElementType>,
    call: HostCall,
    columns: bool,
}

impl AnyHostBody for HostFunction {
    fn parameters(&self) -> &'static [ParameterType] {
        self.parameters
    }
    fn reduces(&self) -> Option<ElementType> {
        self.reduces
    }
    fn takes_columns(&self) -> bool {
        self.columns
    }
    fn is_plain(&self) -> bool {
        true
    }
    fn call(
        &self,
        range: Range<usize>,
        columns: Option<Range<usize>>,
        arguments: &mut [HostArgument<'_>],
    ) -> Option<Scalar> {
        // The first two arguments are the bounds of the columns; on a device they are those of its own columns.
        if let (Some(columns), [start, stop, ..]) = (columns.filter(|_| self.columns), &mut *arguments) {
            *start = HostArgument::Scalar(Scalar::U64(columns.start as u64));
            *stop = HostArgument::Scalar(Scalar::U64(columns.end as u64));
        }
        (self.call)(range, arguments)
    }
}

/// The two languages of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C.
    Cuda,
    /// OpenCL C.
    OpenCl,
}

/// Collects the functions that a text needs, each once.
#[derive(Debug)]
pub struct Sources {
    language: Language,
    functions: Vec<(&'static str, &'static str)>,
    helpers: Vec<Helper>,
    /// Names and values.
    constants: Vec<(String, String)>,
}

/// A helper's C function.
#[derive(Debug)]
struct Helper {
    /// The type that the attribute makes for it. Helpers in different modules may have the same name.
    of: TypeId,
    name: String,
    text: String,
}

/// Names in a text, and those that stand for them.
pub type Names = Vec<(&'static str, String)>;

/// The parameter or argument of a report, if a helper has one.
pub fn if_reports(reports: bool, text: &str) -> String {
    if reports { text.to_owned() } else { String::new() }
}

/// A text with other names, each a whole word. `@` belongs to words here, and `$` begins one.
fn renamed(text: &str, names: &[(&'static str, String)]) -> String {
    if names.iter().all(|(name, new)| name == new) {
        return text.to_owned();
    }
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@';
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(|c| in_word(c) || c == '$') {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from[1..].find(|c| !in_word(c)).map_or(from.len(), |end| end + 1));
        let new = names.iter().find(|(name, _)| *name == word);
        out.push_str(before);
        out.push_str(new.map_or(word, |(_, new)| new));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A name that is not taken: this one, if possible.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

impl Sources {
    /// The language of the collected functions.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The C function of a helper whose text is there already. If not, its text follows by [`Sources::helper`], after the helpers
    /// that it calls.
    pub fn known(&self, of: TypeId) -> Option<String> {
        self.helpers.iter().find(|helper| helper.of == of).map(|helper| helper.name.clone())
    }

    /// Adds functions of the prelude, by name.
    pub fn functions(&mut self, list: &[(&'static str, &'static str)]) {
        for function in list {
            if !self.functions.contains(function) {
                self.functions.push(*function);
            }
        }
    }

    /// Adds a constant that is declared outside of the function, and gives its name, which is another one if that of a function of
    /// the same name has another value.
    pub fn constant(&mut self, name: &'static str, ty: &'static str, value: Scalar) -> String {
        let value = match value {
            Scalar::F32(v) if v.is_finite() => format!("{v:e}f"),
            Scalar::F64(v) if v.is_finite() => format!("{v:e}"),
            Scalar::F32(v) if v.is_nan() => "0.0f / 0.0f".into(),
            Scalar::F32(v) => format!("{}.0f / 0.0f", v.signum()),
            Scalar::F64(v) if v.is_nan() => "0.0 / 0.0".into(),
            Scalar::F64(v) => format!("{}.0 / 0.0", v.signum()),
            // The least number has no literal of its own.
            Scalar::I32(v) => format!("{} - 1", i64::from(v) + 1),
            Scalar::I64(v) => v.checked_add(1).map_or_else(|| v.to_string(), |v| format!("{v} - 1")),
            Scalar::U32(v) => format!("{v}u"),
            Scalar::U64(v) => format!("{v}u"),
            Scalar::I8(v) => v.to_string(),
            Scalar::U8(v) => v.to_string(),
            Scalar::I16(v) => v.to_string(),
            Scalar::U16(v) => v.to_string(),
        };
        let value = format!("(({ty})({value}))");
        let name = free(name, |name| self.constants.iter().any(|(known, of)| known == name && *of != value));
        if self.constants.iter().all(|(known, _)| *known != name) {
            self.constants.push((name.clone(), value));
        }
        name
    }

    /// Adds a helper's text, in which `names` are replaced, and gives its C function: `name`, if no other helper has it.
    pub fn helper(&mut self, of: TypeId, name: &'static str, text: &str, mut names: Names) -> String {
        let new = free(name, |name| self.helpers.iter().any(|helper| helper.name == name));
        names.push((name, new.clone()));
        self.helpers.push(Helper { of, name: new.clone(), text: renamed(text, &names) });
        new
    }
}

/// The texts of a kernel as the attribute made them.
#[derive(Clone, Copy)]
pub struct Texts {
    /// Its name.
    pub name: &'static str,
    /// The entry function.
    pub entry: &'static str,
    /// Text before each source: CUDA C, OpenCL C.
    pub words: [&'static str; 2],
    /// Functions of the prelude: CUDA C, OpenCL C.
    pub functions: [&'static [(&'static str, &'static str)]; 2],
    /// The kernel itself: CUDA C, OpenCL C.
    pub texts: [&'static str; 2],
    /// Adds the helpers that the kernel calls, and gives the names in its texts that are replaced.
    pub helpers: fn(&mut Sources) -> Names,
    /// Parameters of the host body.
    pub parameters: &'static [ParameterType],
    /// The element of the reduction.
    pub reduces: Option<ElementType>,
    /// Host bodies for sum, product, least and greatest; all the same without a reduction.
    pub hosts: &'static [HostCall; 4],
    /// Whether it is for loops over rows and columns.
    pub columns: bool,
    /// Parameters of the entry function in addition to the calling convention.
    pub checks: Checks,
}

/// A kernel's parts, made once per process, so that each device compiles it once.
pub struct Parts {
    name: Arc<str>,
    entry: Arc<str>,
    /// A hash of its texts.
    code: u64,
    hosts: Vec<Arc<dyn AnyHostBody>>,
    sources: [Arc<str>; 2],
    /// Compiler options by form and operator, for both languages.
    options: Vec<[Arc<str>; 2]>,
    reduces: bool,
    checks: Checks,
    /// Kernels that loops asked for last: each loop binds anew.
    made: Mutex<Vec<(Made, Kernel)>>,
}

/// What a kernel is made for: the number of the operator, a shape and a cost.
type Made = (usize, Shape, Option<Cost>);

/// So many kernels are kept.
const KEPT: usize = 8;

/// Gives the texts and bodies of a form.
type PartsOf = fn() -> &'static Parts;

const OPERATORS: [Reduce; 4] = [Reduce::Sum, Reduce::Product, Reduce::Min, Reduce::Max];

impl Parts {
    /// The parts of a kernel with these texts.
    pub fn new(texts: &Texts) -> Self {
        let source = |language: Language| {
            let at = language as usize;
            let mut sources = Sources { language, functions: Vec::new(), helpers: Vec::new(), constants: Vec::new() };
            sources.functions(texts.functions[at]);
            let names = (texts.helpers)(&mut sources);
            let mut text = String::new();
            sources.constants.iter().for_each(|(name, value)| text.push_str(&format!("#define {name} {value}\n")));
            sources.functions.iter().for_each(|(_, function)| text.push_str(function));
            sources.helpers.iter().for_each(|helper| text.push_str(&helper.text));
            text.push_str(&renamed(texts.texts[at], &names));
            let fp64 = "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n";
            let fp64 = if language == Language::OpenCl && text.contains("double") { fp64 } else { "" };
            Arc::from(format!("{}{fp64}{text}", texts.words[at]))
        };
        let options = FORMS.iter().flat_map(|Form { group, wide, spread, strips, copies, lined, long }| {
            (0..OPERATORS.len()).map(move |operator| {
                let (spread, strips) = (u8::from(*spread), ["", " -DAP_STRIPS=1", " -DAP_STRIPS=2"][*strips as usize]);
                let copies = if *copies == 0 { String::new() } else { format!(" -DAP_COPIES={copies}") };
                let lined = lined.map_or_else(String::new, |wide| format!(" -DAP_LINED=1 -DAP_LINE={wide}"));
                let capped = ["", " -DAP_CAPPED=1", " -DAP_CAPPED=2"][*long as usize];
                let both = format!(
                    "-DAP_GROUP={group} -DAP_WIDE={wide} -DAP_SPREAD={spread}{strips}{copies}{lined}{capped} \
                     -DAP_REDUCE={operator}"
                );
                // GPUs must not fuse a product and a sum into one operation: Rust does not.
                // OpenCL compilers may print warnings, about a text that the user cannot change.
                [Arc::from(format!("--fmad=false {both}")), Arc::from(format!("-w {both}"))]
            })
        });
        let host = |call: &HostCall| {
            let body = HostFunction {
                parameters: texts.parameters,
                reduces: texts.reduces,
                call: *call,
                columns: texts.columns,
            };
            Arc::new(body) as Arc<dyn AnyHostBody>
        };
        let sources = [source(Language::Cuda), source(Language::OpenCl)];
        Self {
            name: texts.name.into(),
            entry: texts.entry.into(),
            code: super::code::of_texts(&[&sources[0], &sources[1]]),
            hosts: texts.hosts.iter().map(host).collect(),
            sources,
            options: options.collect(),
            reduces: texts.reduces.is_some(),
            checks: texts.checks,
            made: Mutex::default(),
        }
    }

    /// A source text.
    pub fn source(&self, language: Language) -> &str {
        &self.sources[language as usize]
    }

    /// The kernel for `operator`, which matters only if the kernel returns a value.
    pub fn kernel(&self, operator: Reduce, shape: Shape, cost: Option<Cost>) -> Kernel {
        self.numbered(OPERATORS.iter().position(|other| *other == operator).unwrap_or(0), shape, cost)
    }

    fn numbered(&self, operator: usize, shape: Shape, cost: Option<Cost>) -> Kernel {
        let of = (operator, shape, cost);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kernel)) = made.iter().find(|(known, _)| *known == of) {
            return kernel.clone();
        }
        let kernel = self.made(of);
        if made.len() == KEPT {
            made.remove(0);
        }
        made.push((of, kernel.clone()));
        kernel
    }

    fn made(&self, (operator, shape, cost): Made) -> Kernel {
        let shape = shape.under(OPERATORS[operator]);
        let device = |language: Language| {
            let shape = if language == Language::OpenCl { shape.without_lines(self.reduces) } else { shape };
            DeviceSource {
                source: Arc::clone(&self.sources[language as usize]),
                entry: Arc::clone(&self.entry),
                options: Arc::clone(&self.options[shape.form() * OPERATORS.len() + operator][language as usize]),
                grid: shape.grid_in(language, self.reduces),
                grid_on_cpus: (language == Language::OpenCl).then(|| shape.grid_on_cpus(self.reduces)),
                checks: self.checks,
                generated: true,
            }
        };
        let body = Arc::clone(&self.hosts[operator % self.hosts.len()]);
        let host = HostVariant { body, whole_chunk: false };
        let sources = [Language::Cuda, Language::OpenCl].map(device);
        let kernel = Kernel::generated(Arc::clone(&self.name), self.code, host, sources);
        cost.into_iter().fold(kernel, Kernel::cost)
    }

    /// Begins the list of arguments; the operator of a reduction is set later.
    pub fn bind<'a>(&'static self, shape: Shape, cost: Cost) -> Bound<'a> {
        let mut bound = Bound::new(self.kernel(Reduce::Sum, shape, Some(cost)));
        bound.by = BoundBy::Attribute { complete: false };
        if self.reduces {
            bound.by_operator = Some(ByOperator { parts: self, shape, cost, on_gpus: false });
        }
        bound
    }
}

/// All arguments are bound: their maps are those of the function from here on.
pub fn complete(mut bound: Bound<'_>) -> Bound<'_> {
    bound.by = BoundBy::Attribute { complete: true };
    bound
}

/// Makes the kernel for the operator of a reduction.
#[derive(Clone, Copy)]
pub struct ByOperator {
    parts: &'static Parts,
    shape: Shape,
    cost: Cost,
    on_gpus: bool,
}

impl ByOperator {
    /// None for operators that the kernel is not made for.
    pub(super) fn kernel(self, operator: Reduce) -> Option<Kernel> {
        let operator = OPERATORS.iter().position(|other| *other == operator)?;
        let kernel = self.parts.numbered(operator, self.shape, Some(self.cost));
        Some(if self.on_gpus { for_gpus(kernel) } else { kernel })
    }
}

/// Gives OpenCL devices that are CPUs the form for GPUs too.
fn for_gpus(kernel: Kernel) -> Kernel {
    match kernel.opencl_variant().cloned() {
        Some(opencl) => {
            // PoCL 3.1 and 5.0 run past the end of some of these loops, between barriers, if they vectorise them, with the hint
            // or without it.
            let plain = r#"_Pragma("clang loop vectorize(disable) unroll(disable)")"#;
            let source = opencl.source.replace("APPORTION_CPU", "AP_NEVER");
            let hints = [r#"_Pragma("unroll 4")"#, r#"_Pragma("unroll 8")"#];
            let source = hints.iter().fold(source, |text, hint| text.replace(hint, plain));
            kernel.opencl_source(DeviceSource { source: source.into(), grid_on_cpus: None, ..opencl })
        }
        None => kernel,
    }
}

/// A bound kernel whose OpenCL text uses groups and barriers on CPUs too, as on GPUs: for tests where there is no GPU.
pub fn as_on_gpus(bound: Bound<'_>) -> Bound<'_> {
    let mut bound = bound;
    bound.change_kernel(|kernel| for_gpus(kernel.clone()));
    bound.checking.on_gpus = true;
    if let OverCells::Form { on_gpus, .. } = &mut bound.over_cells {
        *on_gpus = true;
    }
    if let Some(by_operator) = &mut bound.by_operator {
        by_operator.on_gpus = true;
    }
    bound
}

impl fmt::Debug for ByOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByOperator").field("shape", &self.shape).finish_non_exhaustive()
    }
}

// --- What host bodies call. ---

const CHECKED: &str = "argument types are compared with the parameters before the loop starts";

/// Binds a scalar.
pub fn bind_given<T: Element>(bound: &mut Bound<'_>, given: Given<T>) {
    bound.add_scalar(given.value.to_scalar(), given.pending);
}

/// The same where a number is needed to begin the loop.
pub fn bind_present<T: Element>(bound: &mut Bound<'_>, name: &str, given: Given<T>) {
    if given.pending.is_some() {
        bound.refuse(format!(
            "`{name}` is the result of a loop, but may decide how this one runs: ask for it by `region.value(..)`, and pass the \
             number"
        ));
    }
    bound.add_scalar(given.value.to_scalar(), None);
}

/// A scalar argument.
pub fn scalar<T: Element>(argument: &mut HostArgument<'_>) -> T {
    match argument {
        HostArgument::Scalar(scalar) => T::from_scalar(*scalar).expect(CHECKED),
        _ => unreachable!("{CHECKED}"),
    }
}

/// A readable section, and the index of its first element.
pub fn read<'a, T: Element>(argument: &'a mut HostArgument<'_>) -> (&'a [T], usize) {
    let view = <crate::kernel::In<'_, T> as Parameter>::view(argument);
    (view.as_slice(), view.section().start)
}

/// A writable section, and the index of its first element.
pub fn write<'a, T: Element>(argument: &'a mut HostArgument<'_>) -> (&'a mut [T], usize) {
    let view = <crate::kernel::Out<'_, T> as Parameter>::view(argument);
    let first = view.section().start;
    (view.into_slice(), first)
}

/// An array that iterations contribute to, from its first element on. Elements that a device stores before that lie past the
/// array's edge, and nothing is contributed to them.
pub fn whole<'a, T: Element>(argument: &'a mut HostArgument<'_>) -> &'a mut [T] {
    let (section, first) = write::<T>(argument);
    let before = first.wrapping_neg().min(section.len());
    &mut section[before..]
}

/// A kernel and its array, for messages, and the map of it that was stated: empty if it was derived.
pub type Of = &'static [&'static str; 3];

/// Panics with an access to component `i` of an array, of which elements have so many, and of which a section is there.
#[cold]
#[inline(never)]
#[track_caller]
fn outside([kernel, array, stated]: Of, writes: bool, components: usize, i: usize, first: usize, len: usize) -> ! {
    let of = |component: usize| component.cast_signed().div_euclid(components.cast_signed()).cast_unsigned();
    let advice = if stated.is_empty() {
        "stay within the array, or, where it has more elements than these, widen its map".to_owned()
    } else {
        format!(
            "its map, `#[map({array}: {stated})]`, says which elements an iteration has: stay within these, or widen it"
        )
    };
    panic!(
        "kernel `{kernel}` {} element {} of array `{array}`, which lies outside of {}..{}, all that this chunk has of it: {advice}",
        if writes { "writes" } else { "reads" },
        // Of indices that wrapped, as devices show them.
        of(i).cast_signed(),
        of(first).cast_signed(),
        of(first.wrapping_add(len)).cast_signed()
    )
}

/// Component `i` of the whole array, whose elements have `N` each.
#[inline(always)]
#[track_caller]
pub fn component<const N: usize, T: Copy>(section: &[T], first: usize, i: usize, of: Of) -> T {
    match section.get(i.wrapping_sub(first)) {
        Some(component) => *component,
        None => outside(of, false, N, i, first, section.len()),
    }
}

/// As [`component`], writable.
#[inline(always)]
#[track_caller]
pub fn component_mut<const N: usize, T>(section: &mut [T], first: usize, i: usize, of: Of) -> &mut T {
    let len = section.len();
    match section.get_mut(i.wrapping_sub(first)) {
        Some(component) => component,
        None => outside(of, true, N, i, first, len),
    }
}

/// Element `i` of the whole array.
#[inline(always)]
#[track_caller]
pub fn at<T: Copy>(section: &[T], first: usize, i: usize, of: Of) -> T {
    component::<1, T>(section, first, i, of)
}

/// Element `i` of the whole array, writable.
#[inline(always)]
#[track_caller]
pub fn at_mut<T>(section: &mut [T], first: usize, i: usize, of: Of) -> &mut T {
    component_mut::<1, T>(section, first, i, of)
}

/// `len` elements from `start` on, if the section has them.
#[inline(always)]
pub fn window<T>(section: &[T], first: usize, start: usize, len: usize) -> Option<&[T]> {
    section.get(start.wrapping_sub(first)..)?.get(..len)
}

/// As [`window`], writable.
#[inline(always)]
pub fn window_mut<T>(section: &mut [T], first: usize, start: usize, len: usize) -> Option<&mut [T]> {
    section.get_mut(start.wrapping_sub(first)..)?.get_mut(..len)
}

/// `len` elements from `start` on, all of which are needed; `len` is not 0.
///
/// # Panics
/// When the section lacks an element, with the first such index.
#[inline(always)]
#[track_caller]
pub fn all<T>(section: &[T], first: usize, start: usize, len: usize, of: Of) -> &[T] {
    let (at, have) = (start.wrapping_sub(first), section.len());
    // In this form, the comparison's loop-invariant part moves out of a surrounding loop.
    if len > have || at > have - len {
        lacking(of, false, 1, start, first, have);
    }
    &section[at..][..len]
}

/// As [`all`], of components, of which elements have `N` each.
#[inline(always)]
#[track_caller]
pub fn all_components<const N: usize, T>(section: &[T], first: usize, start: usize, len: usize, of: Of) -> &[T] {
    let (at, have) = (start.wrapping_sub(first), section.len());
    if len > have || at > have - len {
        lacking(of, false, N, start, first, have);
    }
    &section[at..][..len]
}

/// As [`all_components`], writable.
#[inline(always)]
#[track_caller]
pub fn all_components_mut<const N: usize, T>(
    section: &mut [T],
    first: usize,
    start: usize,
    len: usize,
    of: Of,
) -> &mut [T] {
    let (at, have) = (start.wrapping_sub(first), section.len());
    if len > have || at > have - len {
        lacking(of, true, N, start, first, have);
    }
    &mut section[at..][..len]
}

/// As [`all`], writable.
#[inline(always)]
#[track_caller]
pub fn all_mut<T>(section: &mut [T], first: usize, start: usize, len: usize, of: Of) -> &mut [T] {
    let (at, have) = (start.wrapping_sub(first), section.len());
    if len > have || at > have - len {
        lacking(of, true, 1, start, first, have);
    }
    &mut section[at..][..len]
}

/// The elements of type `T` in a cache line.
const fn line<T>() -> usize {
    64 / size_of::<T>()
}

/// Whether a loop of `n` turns that writes elements of type `T` is long enough to run in two parts.
#[inline(always)]
pub fn is_long<T>(n: usize) -> bool {
    n >= 24 * line::<T>()
}

/// Number of the loop's first turns, of `n`, before the first cache line in `section`, which it writes: the vectors after them
/// cross no cache lines. 0 for short loops, where it would not pay.
#[inline(always)]
pub fn head<T>(section: &[T], n: usize) -> usize {
    if !is_long::<T>(n) {
        return 0;
    }
    // The remainder tells the compiler that these turns are few, so that it does not vectorise them.
    section.as_ptr().align_offset(line::<T>() * size_of::<T>()) % line::<T>()
}

/// Panics with the first element from `start` on that the section lacks.
#[cold]
#[inline(never)]
#[track_caller]
fn lacking(of: Of, writes: bool, components: usize, start: usize, first: usize, have: usize) -> ! {
    let at = start.wrapping_sub(first);
    let missing = if at < have { first.wrapping_add(have) } else { start };
    outside(of, writes, components, missing, first, have)
}

/// Division of integers, whose panic names the caller's line.
pub trait Divide: Sized {
    /// The quotient.
    #[must_use]
    fn over(self, by: Self) -> Self;
    /// The remainder.
    #[must_use]
    fn modulo(self, by: Self) -> Self;
}

macro_rules! divide {
    ($($t:ty)*) => {$(
        impl Divide for $t {
            #[inline(always)]
            #[track_caller]
            fn over(self, by: Self) -> Self {
                self / by
            }
            #[inline(always)]
            #[track_caller]
            fn modulo(self, by: Self) -> Self {
                self % by
            }
        }
    )*};
}
divide!(i8 u8 i16 u16 i32 u32 i64 u64 usize);

/// A value of the type that the attribute `#[kernel]` takes it for.
#[diagnostic::on_unimplemented(
    message = "`#[kernel]` takes the result of this call for `{T}`, as nothing else determines it, but the function returns `{Self}`",
    label = "is `{Self}`",
    note = "give the result a name and its type first: `let value: {Self} = ..;`"
)]
pub trait Typed<T> {
    #[doc(hidden)]
    fn value(self) -> T;
}

impl<T> Typed<T> for T {
    #[inline(always)]
    fn value(self) -> T {
        self
    }
}

/// The value itself.
#[inline(always)]
pub fn typed<T>(value: impl Typed<T>) -> T {
    value.value()
}

/// Not below `low`, and not above `high`, which counts more if it is below `low`.
#[inline(always)]
pub fn clamp<T: PartialOrd>(value: T, low: T, high: T) -> T {
    let value = if value < low { low } else { value };
    if value > high { high } else { value }
}

/// Combines several partial sums or products by halves, as vectors do. Each half is written out, since the compiler would not
/// unroll a loop over them. `black_box` hides where the sums come from: the compiler would otherwise use the last pairs as
/// vectors of two, and do so in the loop that makes the sums as well.
#[inline(always)]
pub fn together<T: Reducible, const OPERATOR: u8>(lanes: [T; 16]) -> T {
    let lanes = std::hint::black_box(lanes);
    let eight: [T; 8] = std::array::from_fn(|k| lanes[k].combine::<OPERATOR>(lanes[k + 8]));
    let four: [T; 4] = std::array::from_fn(|k| eight[k].combine::<OPERATOR>(eight[k + 4]));
    let two: [T; 2] = std::array::from_fn(|k| four[k].combine::<OPERATOR>(four[k + 2]));
    two[0].combine::<OPERATOR>(two[1])
}

/// A number that can be reduced. `OPERATOR` is the index in the order sum, product, least, greatest.
pub trait Reducible: Element {
    /// The identity element.
    fn identity<const OPERATOR: u8>() -> Self;
    /// Combines `self` and `other`.
    #[must_use]
    fn combine<const OPERATOR: u8>(self, other: Self) -> Self;
    /// `self` to the power `n`, by squaring, in the order of the C text.
    #[must_use]
    fn power(self, n: i32) -> Self;
}

macro_rules! reducible {
    ($($t:ty: $least:expr, $most:expr, $one:expr, $add:expr, $mul:expr, $min:expr, $max:expr;)*) => {$(
        impl Reducible for $t {
            #[inline(always)]
            fn identity<const OPERATOR: u8>() -> Self {
                match OPERATOR {
                    0 => $one - $one,
                    1 => $one,
                    2 => $most,
                    _ => $least,
                }
            }
            #[inline(always)]
            fn combine<const OPERATOR: u8>(self, other: Self) -> Self {
                match OPERATOR {
                    0 => $add(self, other),
                    1 => $mul(self, other),
                    2 => $min(self, other),
                    _ => $max(self, other),
                }
            }
            #[inline]
            fn power(self, n: i32) -> Self {
                let (mut x, mut r, mut k) = (self, $one, n.unsigned_abs());
                while k != 0 {
                    if k & 1 == 1 {
                        r = $mul(r, x);
                    }
                    x = $mul(x, x);
                    k >>= 1;
                }
                if n < 0 { $one / r } else { r }
            }
        }
    )*};
}
macro_rules! floats {
    ($($t:ty),*) => { reducible! {$(
        $t: <$t>::NEG_INFINITY, <$t>::INFINITY, 1.0, |a: $t, b: $t| a + b, |a: $t, b: $t| a * b,
            |a: $t, b: $t| if a.is_nan() || a < b { a } else { b }, |a: $t, b: $t| if a.is_nan() || a > b { a } else { b };
    )*} };
}
macro_rules! integers {
    ($($t:ty),*) => { reducible! {$(
        $t: <$t>::MIN, <$t>::MAX, 1, <$t>::wrapping_add, <$t>::wrapping_mul, Ord::min, Ord::max;
    )*} };
}
floats!(f32, f64);
integers!(i8, u8, i16, u16, i32, u32, i64, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::LoopShape;
    use crate::kernel::Reduction;
    use crate::space::IterRange;

    #[test]
    fn reductions_are_those_of_the_runtime() {
        fn same<T: Reducible>(values: &[T]) {
            for (place, operator) in OPERATORS.into_iter().enumerate() {
                let reduction = Reduction { operator, element: T::TYPE };
                let (identity, combine): (T, fn(T, T) -> T) = match place {
                    0 => (T::identity::<0>(), T::combine::<0>),
                    1 => (T::identity::<1>(), T::combine::<1>),
                    2 => (T::identity::<2>(), T::combine::<2>),
                    _ => (T::identity::<3>(), T::combine::<3>),
                };
                assert_eq!(identity.to_scalar(), reduction.identity());
                for (&a, &b) in values.iter().zip(&values[1..]) {
                    assert_eq!(combine(a, b).to_scalar(), reduction.combine(a.to_scalar(), b.to_scalar()));
                }
            }
        }
        same(&[1.5f32, -2.0, 7.25]);
        same(&[i32::MAX, 5, -9]);
        same(&[200u8, 100, 3]);
        same(&[-100i8, 100, -3]);
        same(&[i16::MIN, 300, -5]);
        same(&[65_000u16, 60_000, 3]);
        assert!(f64::NAN.combine::<2>(1.0).is_nan() && 1.0f64.combine::<3>(f64::NAN).is_nan());
    }

    #[test]
    fn powers_are_by_squaring() {
        assert_eq!([3.0f32.power(4), 2.0f32.power(-2), 7.0f32.power(0)], [81.0, 0.25, 1.0]);
        assert_eq!(1.1f64.power(3), 1.1 * (1.1 * 1.1));
    }

    fn bound(array: &[f32], row: i128, reached: &[Extent]) -> Result<(usize, u64, u64), String> {
        let bound = rows(Kernel::new("k").bind().to(array), "x", row, 1, reached);
        let shape = LoopShape { range: IterRange::new(1, 3), devices: 1 };
        bound.check(&shape).map_err(|e| e.to_string())?;
        let map = bound.arguments()[0].array().unwrap();
        Ok((map.row_len, map.halo.left, map.halo.right))
    }

    #[test]
    fn halos_are_the_rows_that_accesses_reach() {
        let extent = |low, high, certain| Extent { stride: 5, low, high, certain };
        let array = [0f32; 20];
        assert_eq!(bound(&array, 5, &[extent(0, 4, true)]), Ok((5, 0, 0)));
        assert_eq!(bound(&array, 5, &[extent(-1, 5, true)]), Ok((5, 1, 1)));
        assert_eq!(bound(&array, 5, &[extent(-5, 9, true)]), Ok((5, 1, 1)));
        assert_eq!(bound(&array, 5, &[extent(-6, 10, false)]), Ok((5, 2, 2)));
        // No elements at all.
        assert_eq!(bound(&array, 5, &[extent(3, -3, true)]), Ok((5, 0, 0)));
        // Iterations 1 and 2 reach elements -1 and 20.
        for wrong in [extent(-6, 0, true), extent(0, 10, true)] {
            let error = bound(&array, 5, &[wrong]).unwrap_err();
            assert!(error.contains("`x`") && error.contains("20 elements"), "{error}");
        }
        // One of two accesses is the wrong one.
        let one = |low| Extent { stride: 5, low, high: low, certain: true };
        assert_eq!(bound(&array, 5, &[one(-5), one(3)]), Ok((5, 1, 0)));
        let error = bound(&array, 5, &[one(3), one(-6)]).unwrap_err();
        assert!(error.contains("access to element 5*i - 6 of") && error.contains("elements -1 to 4"), "{error}");
        // Of rows without elements nothing may be reached.
        assert_eq!(bound(&array, 0, &[]), Ok((1, 0, 0)));
        let reached = Extent { stride: 0, ..extent(0, 4, true) };
        assert!(bound(&array, 0, &[reached]).unwrap_err().contains("at least 1"));
        assert!(bound(&array, -1, &[]).unwrap_err().contains("at least 1"));
        let error = bound(&array, 1 << 64, &[extent(0, 4, true)]).unwrap_err();
        assert!(error.contains("18446744073709551616 elements") && error.contains("no array has so many"), "{error}");
        // Arguments may have any value.
        for (row, low, high) in [(i128::MAX, 0, i128::MAX), (5, i128::MIN, i128::MAX), (1, i128::MIN, i128::MIN)] {
            assert!(bound(&array, row, &[extent(low, high, true)]).unwrap_err().contains("array `x`"));
        }
    }

    #[test]
    fn who_writes_beyond_the_own_row_is_refused() {
        let mut array = [0f32; 20];
        let reached = [Extent { stride: 5, low: 0, high: 5, certain: false }];
        let bound = rows(Kernel::new("k").bind().tofrom(&mut array), "y", 5, 1, &reached);
        let shape = LoopShape { range: IterRange::new(0, 4), devices: 1 };
        let error = bound.check(&shape).unwrap_err().to_string();
        assert!(error.contains("`y`") && error.contains("another iteration"), "{error}");
        for (low, high) in [(i128::MIN, i128::MAX), (i128::MIN, i128::MIN), (i128::MAX, i128::MAX)] {
            let reached = [Extent { stride: 5, low, high, certain: true }];
            let bound = rows(Kernel::new("k").bind().tofrom(&mut array), "y", 5, 1, &reached);
            assert!(bound.check(&shape).unwrap_err().to_string().contains("array `y`"), "{low} {high}");
        }
    }
}
