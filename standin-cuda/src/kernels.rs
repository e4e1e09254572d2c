//! The built-in kernels. One table has their names, parameters and bodies.
//!
//! They keep Apportion's calling convention: `long lo, long hi`, then the arguments in their order: a scalar by value, an array
//! as the pointer to the first element of its section and that element's index in the whole array. A reduction ends with the
//! pointer to one partial result per block. A kernel computes its whole range, one element after the other, whatever the grid;
//! only a reduction uses the grid's number of blocks.

mod bodies;
mod programs;

use crate::codes::{ILLEGAL_ADDRESS, MISALIGNED_ADDRESS, Outcome};
use crate::memory::Memory;
use std::cell::Cell;
use std::marker::PhantomData;

/// Type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Param {
    /// `long`
    Long,
    /// `float` or `double`, as the module was compiled.
    Real,
    /// A device pointer.
    Pointer,
}

impl Param {
    pub fn size(self, reals: usize) -> usize {
        if self == Self::Real { reals } else { 8 }
    }
}

type Body = fn(&mut Run) -> Outcome;

pub struct Kernel {
    pub name: &'static str,
    pub params: &'static [Param],
    /// For `float` and for `double`; the same function if it has no real numbers.
    bodies: [Body; 2],
}

use Param::{Long as L, Pointer as P, Real as R};

/// An array takes two parameters, its pointer and its first index: `P, L`. In a loop over rows and columns it takes a third, the
/// elements from row to row.
pub const KERNELS: &[Kernel] = &[
    // lo, hi
    Kernel { name: "empty", params: &[L, L], bodies: [|_| Ok(()), |_| Ok(())] },
    // lo, hi, a, x, y
    Kernel { name: "axpy", params: &[L, L, R, P, L, P, L], bodies: [bodies::axpy::<f32>, bodies::axpy::<f64>] },
    // lo, hi, x, partial: double
    Kernel { name: "sum", params: &[L, L, P, L, P], bodies: [bodies::sum::<f32>, bodies::sum::<f64>] },
    // lo, hi, n, a, x, y
    Kernel {
        name: "matvec",
        params: &[L, L, L, P, L, P, L, P, L],
        bodies: [bodies::matvec::<f32>, bodies::matvec::<f64>],
    },
    // lo, hi, n, c0 to c3, in, out
    Kernel {
        name: "stencil2d",
        params: &[L, L, L, R, R, R, R, P, L, P, L],
        bodies: [bodies::stencil2d::<f32>, bodies::stencil2d::<f64>],
    },
    // lo, hi, n, current: uchar, reference: uchar, result: int
    Kernel { name: "bm2d", params: &[L, L, L, P, L, P, L, P, L], bodies: [bodies::bm2d, bodies::bm2d] },
    // lo, hi, n, a, b, c
    Kernel {
        name: "matmul",
        params: &[L, L, L, P, L, P, L, P, L],
        bodies: [bodies::matmul::<f32>, bodies::matmul::<f64>],
    },
    // lo, hi, x: u64, y: u64
    Kernel { name: "triple_add", params: &[L, L, P, L, P, L], bodies: [bodies::triple_add, bodies::triple_add] },
    // lo, hi, x: u64, partial: u64
    Kernel { name: "total", params: &[L, L, P, L, P], bodies: [bodies::total, bodies::total] },
    // lo, hi, bins, x: u64, counts: u64
    Kernel { name: "count", params: &[L, L, L, P, L, P, L], bodies: [bodies::count, bodies::count] },
    // lo, hi, rows, cols, radius, x: i64, y: i64
    Kernel {
        name: "column_sums",
        params: &[L, L, L, L, L, P, L, P, L],
        bodies: [bodies::column_sums, bodies::column_sums],
    },
    // lo, hi, columns, x: u64, y: u64
    Kernel { name: "mix_rows", params: &[L, L, L, P, L, P, L], bodies: [bodies::mix_rows, bodies::mix_rows] },
    // lo, hi, columns, x: u64, y: u64
    Kernel { name: "from_above", params: &[L, L, L, P, L, P, L], bodies: [bodies::from_above, bodies::from_above] },
    // lo, hi, first column, end of columns, x: u64, y: u64
    Kernel {
        name: "mix_cells",
        params: &[L, L, L, L, P, L, L, P, L, L],
        bodies: [bodies::mix_cells, bodies::mix_cells],
    },
    // Four times to, from, unit, units, inner, all, strides on both sides: the runtime's own kernel for short boxes
    Kernel { name: "copy_boxes", params: &BOXES, bodies: [bodies::copy_boxes, bodies::copy_boxes] },
    // lo, hi, to, from, reach, table: u64, x: u64, y: u64; for random programs over data regions, like the next three
    Kernel {
        name: "sweep_rows",
        params: &[L, L, L, L, L, P, L, P, L, P, L],
        bodies: [programs::sweep_rows, programs::sweep_rows],
    },
    // lo, hi, of, x: u64
    Kernel { name: "update_rows", params: &[L, L, L, P, L], bodies: [programs::update_rows, programs::update_rows] },
    // lo, hi, of, x: u64, partial: u64
    Kernel { name: "total_rows", params: &[L, L, L, P, L, P], bodies: [programs::total_rows, programs::total_rows] },
    // lo, hi, of, x: u64, bins: u64
    Kernel { name: "count_rows", params: &[L, L, L, P, L, P, L], bodies: [programs::count_rows, programs::count_rows] },
    // lo, hi, a, x, y
    Kernel { name: "scale", params: &[L, L, R, P, L, P, L], bodies: [bodies::scale::<f32>, bodies::scale::<f64>] },
];

/// Parameters of a kernel that copies four boxes.
const BOXES: [Param; 40] = {
    let mut params = [L; 40];
    let mut number = 0;
    while number < 40 {
        params[number] = P;
        params[number + 1] = P;
        number += 10;
    }
    params
};

/// Offset and size of a parameter in the argument block, each aligned to its size.
pub fn layout(kernel: &Kernel, reals: usize, index: usize) -> Option<(usize, usize)> {
    let mut end = 0usize;
    let mut found = None;
    for param in kernel.params.get(..=index)? {
        let size = param.size(reals);
        let offset = end.next_multiple_of(size);
        (found, end) = (Some((offset, size)), offset + size);
    }
    found
}

/// A launch with its arguments as of when it was enqueued.
pub struct Launch {
    /// Index into the table.
    pub kernel: usize,
    pub reals: usize,
    pub blocks: u32,
    /// Rows of blocks.
    pub rows: u32,
    pub arguments: Vec<[u8; 8]>,
}

impl Launch {
    /// Runs it and returns how many bytes the kernel touched.
    pub fn run(&self, memory: &mut Memory, reach: &[i32]) -> Outcome<u64> {
        let arguments = &self.arguments;
        let (blocks, rows) = (i64::from(self.blocks), i64::from(self.rows));
        let mut run = Run { memory, reach, arguments, blocks, rows, next: 0, touched: 0 };
        KERNELS[self.kernel].bodies[usize::from(self.reals == 8)](&mut run)?;
        Ok(run.touched)
    }
}

/// A kernel body's view: its parameters one after the other, and memory, with each access checked.
pub struct Run<'a> {
    memory: &'a mut Memory,
    reach: &'a [i32],
    arguments: &'a [[u8; 8]],
    pub blocks: i64,
    pub rows: i64,
    next: usize,
    touched: u64,
}

/// A section of an array, indexed as the whole array is.
pub struct Array<T> {
    pointer: u64,
    first: i64,
    /// Index of the last access's allocation, as the next access is likely in it too.
    last: Cell<usize>,
    element: PhantomData<T>,
}

impl Run<'_> {
    fn argument(&mut self) -> [u8; 8] {
        self.next += 1;
        self.arguments.get(self.next - 1).copied().unwrap_or_default()
    }

    pub fn long(&mut self) -> i64 {
        i64::from_ne_bytes(self.argument())
    }

    pub fn scalar<T: Element>(&mut self) -> T {
        T::from_bytes(&self.argument())
    }

    pub fn array<T>(&mut self) -> Array<T> {
        let pointer = u64::from_ne_bytes(self.argument());
        Array { pointer, first: self.long(), last: Cell::new(usize::MAX), element: PhantomData }
    }

    /// A pointer without an index: one result per block.
    pub fn partials<T>(&mut self) -> Array<T> {
        let pointer = u64::from_ne_bytes(self.argument());
        Array { pointer, first: 0, last: Cell::new(usize::MAX), element: PhantomData }
    }

    pub fn get<T: Element>(&mut self, array: &Array<T>, i: i64) -> Outcome<T> {
        self.bytes(array, i).map(|bytes| T::from_bytes(bytes))
    }

    pub fn set<T: Element>(&mut self, array: &Array<T>, i: i64, value: T) -> Outcome {
        value.to_bytes(self.bytes(array, i)?);
        Ok(())
    }

    /// So many bytes go from one array to another, which may be on another device.
    pub fn fetches(&mut self, to: &Array<u8>, from: &Array<u8>, bytes: u64) {
        if self.memory.device_of(to.pointer, 1) != self.memory.device_of(from.pointer, 1) {
            self.memory.fetched += bytes;
        }
    }

    fn bytes<T>(&mut self, array: &Array<T>, i: i64) -> Outcome<&mut [u8]> {
        let size = size_of::<T>() as u64;
        // A pointer may lie before the allocation as long as no touched element does, so the address wraps.
        let address = array.pointer.wrapping_add((i.wrapping_sub(array.first) as u64).wrapping_mul(size));
        if !address.is_multiple_of(size) {
            return Err(MISALIGNED_ADDRESS);
        }
        self.touched += size;
        if self.memory.bytes_in(array.last.get(), address, size, self.reach).is_none() {
            match self.memory.find(address, size) {
                Some(found) => array.last.set(found),
                None => return self.memory.host_bytes(address, size).ok_or(ILLEGAL_ADDRESS),
            }
        }
        self.memory.bytes_in(array.last.get(), address, size, self.reach).ok_or(ILLEGAL_ADDRESS)
    }
}

/// A type of array elements.
pub trait Element: Copy {
    fn from_bytes(bytes: &[u8]) -> Self;
    fn to_bytes(self, bytes: &mut [u8]);
}

macro_rules! elements {
    ($($type:ty)*) => {$(
        impl Element for $type {
            fn from_bytes(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or_else(Default::default, |bytes| Self::from_ne_bytes(*bytes))
            }
            fn to_bytes(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )*};
}

elements!(u8 i32 i64 u64 f32 f64);
