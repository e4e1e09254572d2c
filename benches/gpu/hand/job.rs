//! What a loop copies and computes, as plain numbers: from the binding that Apportion's own loop takes, so that both sides have
//! the same arrays.

use super::Sent;
use apportion::data::{Direction, Distribution, Halo, HostMemory, LoopShape, Section, even_block, section};
use apportion::kernel::{Argument, Bound, CudaVariant};
use apportion::space::IterRange;
use std::marker::PhantomData;
use std::ops::Range;

/// Iterations at whose multiples chunks begin where an iteration has a few bytes: vectors are aligned then.
const ELEMENTS_AT_ONCE: u64 = 1024;
/// An iteration with at most so many bytes of each array has a few.
const FEW_BYTES: usize = 8;

/// A loop with its arrays.
pub struct Job<'b> {
    pub name: &'static str,
    pub iterations: u64,
    /// Chunks begin at multiples of this.
    pub granule: u64,
    pub arguments: Vec<Value>,
    pub reduces: bool,
    /// The text, entry and grid of Apportion's own kernel, if it is no call of a library.
    pub code: Option<&'b CudaVariant>,
    // The addresses of the arrays are those of a borrow.
    arrays: PhantomData<&'b ()>,
}

/// An argument of the kernel.
#[derive(Clone, Copy)]
pub enum Value {
    /// The bytes of a scalar, padded with zeros.
    Scalar(u64),
    Array(Array),
}

/// An array on the host.
#[derive(Clone, Copy)]
pub struct Array {
    /// Its address, exposed.
    host: usize,
    row_len: usize,
    element_bytes: usize,
    rows: u64,
    direction: Direction,
    distribution: Distribution,
    halo: Halo,
}

impl<'b> Job<'b> {
    /// The loop over `0..iterations` of what is bound.
    ///
    /// # Errors
    /// That an array is not on the host, or divided in a way that only Apportion knows.
    pub fn of(name: &'static str, iterations: u64, reduces: bool, bound: &'b Bound<'_>) -> Sent<Self> {
        let arguments: Vec<Value> = bound.arguments().iter().map(Value::of).collect::<Sent<_>>()?;
        let tile = bound.kernel().device_tile();
        let mut rows = arguments.iter().filter_map(Value::array).filter(|array| !array.is_full());
        let granule = if rows.all(|array| array.row_bytes() <= FEW_BYTES) { ELEMENTS_AT_ONCE.max(tile) } else { tile };
        let code = bound.kernel().cuda_variant();
        Ok(Self { name, iterations, granule, arguments, reduces, code, arrays: PhantomData })
    }

    /// The arrays with their places among the arguments.
    pub fn arrays(&self) -> impl Iterator<Item = (usize, Array)> {
        self.arguments.iter().enumerate().filter_map(|(place, value)| Some((place, value.array()?)))
    }

    /// The arrays that every GPU has all of.
    pub fn full(&self) -> impl Iterator<Item = (usize, Array)> {
        self.arrays().filter(|(_, array)| array.is_full())
    }

    /// The arrays that follow the loop.
    pub fn divided(&self) -> impl Iterator<Item = (usize, Array)> {
        self.arrays().filter(|(_, array)| !array.is_full())
    }

    /// Iterations of one of `parts` equal shares.
    pub fn share(&self, parts: usize, index: usize) -> Range<u64> {
        cut(&(0..self.iterations), parts, index, self.granule)
    }

    /// A share in equal chunks, none of them empty.
    pub fn chunks(&self, share: &Range<u64>, count: usize) -> Vec<Range<u64>> {
        (0..count).map(|index| cut(share, count, index, self.granule)).filter(|chunk| !chunk.is_empty()).collect()
    }

    /// Iterations of a piece whose sections have about so many bytes, halos included: whole granules, and at least one.
    pub fn piece(&self, bytes: usize) -> u64 {
        let of_halos: usize = self.divided().map(|(_, a)| (a.halo.left + a.halo.right) as usize * a.row_bytes()).sum();
        let each: usize = self.divided().map(|(_, array)| array.bytes_per_iteration()).sum();
        let fit = (bytes.saturating_sub(of_halos) / each.max(1)) as u64;
        (fit / self.granule * self.granule).max(self.granule)
    }
}

/// Part `index` of `parts` of a range, in whole granules.
fn cut(range: &Range<u64>, parts: usize, index: usize, granule: u64) -> Range<u64> {
    let block = even_block((range.end - range.start).div_ceil(granule), parts, index);
    let at = |granules: u64| (range.start + granules * granule).min(range.end);
    at(block.start)..at(block.end)
}

impl Value {
    fn of(argument: &Argument<'_>) -> Sent<Self> {
        let map = match argument {
            Argument::Scalar(scalar) => return Ok(Self::Scalar(u64::from_ne_bytes(scalar.to_bytes()))),
            Argument::Array(map) => map,
        };
        let host = match &map.memory {
            HostMemory::Read(bytes) => bytes.as_ptr().expose_provenance(),
            HostMemory::Write(array) => array.start().expose_provenance(),
            HostMemory::Scratch => return Err("an array is not on the host".into()),
        };
        let other = matches!(map.distribution, Distribution::Block | Distribution::RowsAt);
        if map.chain.is_some() || map.shift != 0 || map.first_row != 0 || other {
            return Err("an array is divided in a way that is not written by hand here".into());
        }
        Ok(Self::Array(Array {
            host,
            row_len: map.row_len,
            element_bytes: map.element.bytes(),
            rows: map.rows(),
            direction: map.direction,
            distribution: map.distribution,
            halo: map.halo,
        }))
    }

    fn array(&self) -> Option<Array> {
        match self {
            Self::Array(array) => Some(*array),
            Self::Scalar(_) => None,
        }
    }
}

impl Array {
    /// Whether every GPU has all of it.
    pub fn is_full(&self) -> bool {
        self.distribution == Distribution::Full
    }

    pub fn copies_in(&self) -> bool {
        self.direction.copies_in()
    }

    pub fn copies_out(&self) -> bool {
        self.direction.copies_out()
    }

    pub fn row_bytes(&self) -> usize {
        self.row_len * self.element_bytes
    }

    pub fn bytes(&self) -> usize {
        self.rows as usize * self.row_bytes()
    }

    fn bytes_per_iteration(&self) -> usize {
        match self.distribution {
            Distribution::Align { ratio } => ratio as usize * self.row_bytes(),
            Distribution::Full | Distribution::Block | Distribution::RowsAt => 0,
        }
    }

    /// The rows that a chunk needs and owns.
    pub fn section(&self, chunk: &Range<u64>) -> Section {
        let chunk = IterRange::new(chunk.start, chunk.end);
        section(self.distribution, self.halo, self.rows, 0, chunk, &LoopShape { range: chunk, devices: 1 })
    }

    /// Bytes of some rows.
    pub fn bytes_of(&self, rows: &Range<u64>) -> usize {
        (rows.end - rows.start) as usize * self.row_bytes()
    }

    /// The number of a row's first element.
    pub fn element(&self, row: u64) -> u64 {
        row * self.row_len as u64
    }

    /// The host's byte at an offset. It may be written if the array is copied out.
    pub fn host_at(&self, offset: usize) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.host + offset)
    }

    /// The host's first byte of a row.
    pub fn host_row(&self, row: u64) -> *mut u8 {
        self.host_at(row as usize * self.row_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apportion::kernel::ElementType;
    use apportion_kernels::{Memory, WORKLOADS};

    #[test]
    fn chunks_and_pieces_cover_each_loop_once() {
        for entry in WORKLOADS {
            let mut instance = entry.build_in(entry.sizes.small, ElementType::F32, 1, Memory::Plain).unwrap();
            let (iterations, reduces) = (instance.iterations(), instance.reduction().is_some());
            let bound = instance.bind();
            let job = Job::of(entry.name, iterations, reduces, &bound).unwrap();
            for gpus in 1..=4 {
                let mut next = 0;
                for share in (0..gpus).map(|index| job.share(gpus, index)) {
                    for chunk in job.chunks(&share, 32) {
                        assert_eq!(chunk.start, next, "{} on {gpus}", entry.name);
                        assert!(chunk.start.is_multiple_of(job.granule));
                        next = chunk.end;
                    }
                }
                assert_eq!(next, iterations, "{} on {gpus}", entry.name);
            }
            let small = job.piece(1);
            assert_eq!(small, job.granule, "{}: a piece is never empty", entry.name);
        }
    }
}
