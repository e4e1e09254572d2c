//! A workload without its arrays: what a prediction needs, and how much memory it would take.

use crate::memory;
use apportion::data::{ArrayMap, Direction, Distribution, Halo, HostMemory};
use apportion::error::{Error, Result};
use apportion::kernel::{ElementType, Kernel};
use apportion::runtime::Sketch;

/// A workload of a given size. Nothing is allocated for it.
#[derive(Debug)]
pub struct Outline {
    name: &'static str,
    n: usize,
    iterations: u64,
    kernel: Kernel,
    maps: Vec<ArrayMap<'static>>,
}

impl Outline {
    /// An outline without arrays.
    pub(crate) fn new(name: &'static str, n: usize, iterations: usize, kernel: Kernel) -> Self {
        Self { name, n, iterations: iterations as u64, kernel, maps: Vec::new() }
    }

    /// Adds an array of which iteration i has row i.
    pub(crate) fn rows(self, direction: Direction, element: ElementType, row_len: usize) -> Self {
        self.rows_each(1, direction, element, row_len)
    }

    /// Adds an array of which iteration i has `ratio` rows.
    pub(crate) fn rows_each(self, ratio: usize, direction: Direction, element: ElementType, row_len: usize) -> Self {
        let len = self.iterations as usize * ratio * row_len;
        self.array(direction, element, Distribution::Align { ratio: ratio as u64 }, row_len, len)
    }

    /// Adds an array that every device reads whole.
    pub(crate) fn full(self, element: ElementType, len: usize) -> Self {
        self.array(Direction::To, element, Distribution::Full, 1, len)
    }

    /// Adds a halo of `rows` rows on either side to the last array.
    pub(crate) fn halo(mut self, rows: usize) -> Self {
        if let Some(map) = self.maps.last_mut() {
            map.halo = Halo { left: rows as u64, right: rows as u64 };
        }
        self
    }

    fn array(
        mut self,
        direction: Direction,
        element: ElementType,
        distribution: Distribution,
        row_len: usize,
        len: usize,
    ) -> Self {
        let memory = HostMemory::Scratch;
        let halo = Halo::default();
        self.maps.push(ArrayMap {
            name: None,
            element,
            direction,
            distribution,
            halo,
            row_len,
            len,
            memory,
            mapped: None,
            shift: 0,
            first_row: 0,
            first_column: 0,
            chain: None,
            rows_at: None,
            components: 1,
        });
        self
    }

    /// Replaces the kernel.
    pub(crate) fn with(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// The workload's size.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The type of the elements of its large arrays.
    pub fn element(&self) -> ElementType {
        self.maps.first().map_or(ElementType::F32, |map| map.element)
    }

    /// The loop, for [`apportion::runtime::predict_on`].
    pub fn sketch(&self) -> Sketch<'_> {
        Sketch { kernel: &self.kernel, maps: &self.maps, iterations: self.iterations }
    }

    /// Bytes of all its arrays; `None` if the number itself overflows.
    pub fn bytes(&self) -> Option<usize> {
        self.maps.iter().try_fold(0usize, |sum, map| sum.checked_add(map.len.checked_mul(map.element.bytes())?))
    }

    /// Whether its arrays fit into this machine's memory now.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with what it needs and what there is.
    pub fn check_memory(&self) -> Result<()> {
        memory::require(self.name, self.n, self.bytes())
    }
}

/// `n * n`, with headroom for what is computed from it: operations and bytes per row, and three such arrays.
pub(crate) fn square(name: &str, n: usize) -> Result<usize> {
    n.checked_mul(n).filter(|cells| *cells <= usize::MAX >> 8).ok_or_else(|| {
        Error::TooLarge(format!(
            "workload `{name}` of size {n} has more elements than can be counted: choose a smaller n"
        ))
    })
}

/// Calls `$function::<f32>` or `$function::<f64>`.
macro_rules! outline_by_element {
    ($function:ident) => {
        |n, element| match element {
            apportion::kernel::ElementType::F64 => $function::<f64>(n),
            _ => $function::<f32>(n),
        }
    };
}
pub(crate) use outline_by_element;
