//! stencil2d: a 13-point star of radius 3 over an n x n grid,
//! `out[i][j] = c0*in[i][j] + sum over r = 1..3 of c_r*(in[i-r][j] + in[i+r][j] + in[i][j-r] + in[i][j+r])`;
//! cells nearer than 3 to the edge are copied.

use crate::outline::{Outline, outline_by_element, square};
use crate::own_source;
use crate::real::Real;
use crate::single;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, by_element, memory, random, rayon_piece, simd};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::{Error, Result};
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Out, Scalar};
use apportion::region::{DataRegion, Dims};
use rayon::prelude::*;
use std::ops::Range;

pub(crate) const ENTRY: Entry = Entry {
    name: "stencil2d",
    summary: "one sweep of a 13-point star of radius 3: rows with a halo",
    sizes: Sizes { small: 512, medium: 4096, paper: 16_384 },
    elements: &[ElementType::F32, ElementType::F64],
    make: |n, element, seed, memory| by_element!(element, Stencil2d)(n, seed, memory),
    outline: outline_by_element!(outline),
    single: outline_by_element!(single),
};

const RADIUS: usize = 3;
/// Weights of the centre, and of the cells 1, 2 and 3 away. They add up to 1 over the star.
const WEIGHTS: [f64; 4] = [0.5, 0.08, 0.03, 0.015];

struct Stencil2d<T> {
    kernel: Kernel,
    n: usize,
    weights: [T; 4],
    input: HostVec<T>,
    output: HostVec<T>,
}

/// Whether a row or column is further than the radius from both edges.
fn inside(i: usize, n: usize) -> bool {
    i >= RADIUS && i + RADIUS < n
}

/// Cells per vector: 64 bytes of f32.
const LANES: usize = 16;

/// Cells `first..first + len` of a row without its frame, from that row and the three above and below it.
#[inline(always)]
fn star<T: Real, const FMA: bool>(weights: [T; 4], rows: [&[T]; 7], first: usize, len: usize, out: &mut [T]) {
    let madd = |a: T, b: T, c: T| if FMA { a.fma(b, c) } else { a * b + c };
    let [c0, c1, c2, c3] = weights;
    // Slices whose common length the compiler sees (not so through `map` over an array), so that no bound is checked in
    // the loop.
    let cut = |row: usize, column: usize| &rows[row][first + column..][..len];
    let (w3, w2, w1, c) = (cut(3, 0), cut(3, 1), cut(3, 2), cut(3, 3));
    let (e1, e2, e3) = (cut(3, 4), cut(3, 5), cut(3, 6));
    let (n3, n2, n1) = (cut(0, 3), cut(1, 3), cut(2, 3));
    let (s1, s2, s3) = (cut(4, 3), cut(5, 3), cut(6, 3));
    let out = &mut out[RADIUS + first..][..len];
    for j in 0..len {
        let near = (w1[j] + e1[j]) + (n1[j] + s1[j]);
        let middle = (w2[j] + e2[j]) + (n2[j] + s2[j]);
        let far = (w3[j] + e3[j]) + (n3[j] + s3[j]);
        out[j] = madd(c3, far, madd(c2, middle, madd(c1, near, c0 * c[j])));
    }
}

simd! {
    /// One row of more than six cells, from that row and the three above and below it. Only as a parameter of its own function is
    /// `out` known not to overlap the 13 slices that are read; inlined, every row would test for overlap.
    fn sweep_row<T: Real>(weights: [T; 4], rows: [&[T]; 7], out: &mut [T]) {
        const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
        let centre = rows[RADIUS];
        let m = out.len() - 2 * RADIUS;
        out[..RADIUS].copy_from_slice(&centre[..RADIUS]);
        out[RADIUS + m..].copy_from_slice(&centre[RADIUS + m..]);
        // Whole vectors; the last one ends at the row's end: single cells for the rest cost time up to n = 512.
        let whole = if m < LANES { m } else { m - m % LANES };
        star::<T, FMA>(weights, rows, 0, whole, out);
        if whole < m {
            star::<T, FMA>(weights, rows, m - LANES, LANES, out);
        }
    }
}

/// Computes rows `rows` of the grid into `out`. `grid` begins at row `first` and has the rows that these read.
fn sweep<T: Real>(weights: [T; 4], n: usize, rows: Range<usize>, grid: &[T], first: usize, out: &mut [T]) {
    for (i, out) in rows.zip(out.chunks_exact_mut(n)) {
        let row = |i: usize| &grid[(i - first) * n..][..n];
        if inside(i, n) && n > 2 * RADIUS {
            sweep_row(weights, std::array::from_fn(|d| row(i + d - RADIUS)), out);
        } else {
            out.copy_from_slice(row(i));
        }
    }
}

/// One cell, in f64.
fn reference<T: Real>(weights: [f64; 4], n: usize, grid: &[T], i: usize, j: usize) -> f64 {
    let at = |i: usize, j: usize| grid[i * n + j].to_f64();
    if !inside(i, n) || !inside(j, n) {
        return at(i, j);
    }
    (1..=RADIUS).fold(weights[0] * at(i, j), |sum, r| {
        sum + weights[r] * (at(i - r, j) + at(i + r, j) + at(i, j - r) + at(i, j + r))
    })
}

fn kernel<T: Real>(n: usize) -> Kernel {
    let bytes = size_of::<T>();
    // As in `kernel.cu`: threads per block, each with 16 bytes of a row, and rows per strip. Short strips are computed at about
    // the same time as those above and below, and find the six rows that they share in the L2 cache. They also make many blocks
    // of few rows. 8 to 10 rows were best on an H200.
    const CUDA_GROUP: usize = 128;
    const CUDA_STRIP: usize = 9;
    let columns = n.div_ceil(16 / bytes);
    Kernel::new("stencil2d")
        .host(|rows: Range<usize>, n: i64, c0: T, c1: T, c2: T, c3: T, input: In<T>, mut output: Out<T>| {
            let n = n as usize;
            let needed = rows.start.saturating_sub(RADIUS)..(rows.end + RADIUS).min(n);
            let grid = input.slice(needed.start * n..needed.end * n);
            let output = output.slice_mut(rows.start * n..rows.end * n);
            sweep([c0, c1, c2, c3], n, rows, grid, needed.start, output);
        })
        .opencl_source(
            own_source(include_str!("kernel.cl"), "stencil2d", Grid::new([64, 4, 1], move |rows| [n, rows, 1]))
                .options(T::OPENCL_OPTIONS),
        )
        .cuda_source(
            own_source(
                include_str!("kernel.cu"),
                "stencil2d",
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [columns, rows.div_ceil(CUDA_STRIP), 1]),
            )
            .options(format!("{} -DGROUP={CUDA_GROUP}", T::CUDA_OPTIONS)),
        )
        .cost(Cost::per_iteration().flops(25 * n).loads(n * bytes).stores(n * bytes).precision(T::PRECISION))
}

/// The kernel from one Rust function; what it states depends on the size alone.
fn single<T: Real>(n: usize) -> Kernel {
    let [c0, c1, c2, c3] = [T::default(); 4];
    single::stencil2d(n, c0, c1, c2, c3, &[], &mut []).kernel().clone()
}

fn outline<T: Real>(n: usize) -> Result<Outline> {
    square(ENTRY.name, n)?;
    let outline = Outline::new(ENTRY.name, n, n, kernel::<T>(n)).rows(Direction::To, T::TYPE, n).halo(RADIUS);
    Ok(outline.rows(Direction::From, T::TYPE, n))
}

impl<T: Real> Stencil2d<T> {
    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        if n == 0 {
            return Err(Error::call("workload `stencil2d` needs n of at least 1, not 0"));
        }
        memory::require(ENTRY.name, n, n.checked_mul(n).and_then(|cells| cells.checked_mul(2 * size_of::<T>())))?;
        let (mut input, output) =
            (memory::zeroed(ENTRY.name, n, n * n, memory)?, memory::zeroed(ENTRY.name, n, n * n, memory)?);
        random::fill(&mut input, seed, 0);
        let mut stencil = Self { kernel: kernel::<T>(n), n, weights: WEIGHTS.map(T::from_f64), input, output };
        stencil.reset();
        Ok(Box::new(stencil))
    }
}

impl<T: Real> Instance for Stencil2d<T> {
    fn name(&self) -> &'static str {
        ENTRY.name
    }
    fn n(&self) -> usize {
        self.n
    }
    fn element(&self) -> ElementType {
        T::TYPE
    }
    fn iterations(&self) -> u64 {
        self.n as u64
    }
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    fn bind(&mut self) -> Bound<'_> {
        let bound = self.kernel.bind().scalar(self.n as i64);
        let bound = self.weights.into_iter().fold(bound, Bound::scalar);
        let bound = bound.to(&self.input).named("in").align_rows(self.n).halo(RADIUS);
        bound.from(&mut self.output).named("out").align_rows(self.n)
    }
    fn bind_single(&mut self) -> Bound<'_> {
        let [c0, c1, c2, c3] = self.weights;
        single::stencil2d(self.n, c0, c1, c2, c3, &self.input, &mut self.output)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, weights, kernel) = (self.n, self.weights, &self.kernel);
        let input = region.to(&self.input, [n, n].halo(RADIUS).named("input"));
        let output = region.from(&mut self.output, [n, n].named("output"));
        Resident::new(0..n as u64, move |form| match form {
            Form::Hand => {
                let bound = weights.into_iter().fold(kernel.bind().scalar(n as i64), Bound::scalar);
                bound.reads(input).writes(output)
            }
            Form::Single => {
                let [c0, c1, c2, c3] = weights;
                single::stencil2d(n, c0, c1, c2, c3, input, output)
            }
        })
    }
    fn reset(&mut self) {
        memory::poison(&mut self.output, T::NAN);
    }
    fn verify(&mut self, _: Option<Scalar>) -> Verification {
        let weights = self.weights.map(T::to_f64);
        let row = |(i, out): (usize, &[T])| {
            let mut comparison = Comparison::new("out", self.n);
            for (j, out) in out.iter().enumerate() {
                comparison.add(i * self.n + j, out.to_f64(), reference(weights, self.n, &self.input, i, j));
            }
            comparison
        };
        let rows = self.output.par_chunks(self.n).enumerate().map(row);
        rows.reduce(|| Comparison::new("out", self.n), Comparison::merge).finish(T::tolerance(1e-6, 1e-12))
    }
    fn bytes(&self) -> usize {
        2 * size_of::<T>() * self.n * self.n
    }
    fn is_page_locked(&self) -> bool {
        self.input.is_page_locked() && self.output.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        let (n, piece) = (self.n, rayon_piece(self.n));
        self.output.par_chunks_mut(piece * n).enumerate().for_each(|(p, out)| {
            let first = p * piece;
            sweep(self.weights, n, first..first + out.len() / n, &self.input, 0, out);
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_weighs_a_star_and_copies_the_frame() {
        // A single 1 in the middle of 9 x 9 shows the star.
        let mut grid = [0f32; 81];
        grid[4 * 9 + 4] = 1.0;
        let at = |i, j| reference([10.0, 1.0, 2.0, 3.0], 9, &grid, i, j);
        assert_eq!(at(4, 4), 10.0);
        assert_eq!([at(3, 4), at(5, 4), at(4, 3), at(4, 5)], [1.0; 4]);
        assert_eq!([at(3, 3), at(5, 5)], [0.0; 2]);
        // Row 2 is in the frame, though the star would reach it with weight 2.
        assert_eq!(at(2, 4), 0.0);
        let wide: Vec<f32> = (0..13 * 13).map(|i| f32::from(i == 6 * 13 + 6)).collect();
        let at = |i, j| reference([10.0, 1.0, 2.0, 3.0], 13, &wide, i, j);
        assert_eq!([at(4, 6), at(6, 8), at(3, 6), at(6, 9)], [2.0, 2.0, 3.0, 3.0]);
        let ones = [1f32; 49];
        assert!((reference(WEIGHTS, 7, &ones, 3, 3) - 1.0).abs() < 1e-15);
    }
}
