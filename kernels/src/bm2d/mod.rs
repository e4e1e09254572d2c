//! bm2d: for each 16x16 block of the current frame, the displacement of least sum of absolute differences (SAD) in the reference
//! frame, within 8 rows and columns; on ties the smallest (dy, dx). Displacements that would leave the frame are not tried. Both
//! frames are n x n bytes; an iteration is a row of blocks.

use crate::outline::{Outline, square};
use crate::own_source;
use crate::verify::{Comparison, Verification};
use crate::{Entry, Form, Instance, Memory, Resident, Sizes, memory, random, rayon_piece, simd, single};
use apportion::HostVec;
use apportion::data::Direction;
use apportion::error::{Error, Result};
use apportion::kernel::{Bound, Cost, ElementType, Grid, In, Kernel, Out, Precision, Scalar};
use apportion::region::{DataRegion, Dims};
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;
use std::ops::{Range, RangeInclusive};

pub(crate) const ENTRY: Entry = Entry {
    name: "bm2d",
    summary: "block matching between two frames of bytes, as in video coding: much integer work on little data",
    sizes: Sizes { small: 256, medium: 1024, paper: 4096 },
    // The frames are bytes, whatever the element type of the other workloads of a run.
    elements: &[ElementType::F32, ElementType::F64, ElementType::U8],
    make: |n, _, seed, memory| Bm2d::boxed(n, seed, memory),
    outline: |n, _| outline(n),
    single: |n, _| single::bm2d(n, &[], &[], &mut []).kernel_named(SINGLE).kernel().clone(),
};

/// The kernel's name in the form from one function.
const SINGLE: &str = "bm2d-single";
/// Rows and columns of a block.
const SIDE: usize = 16;
const RADIUS: usize = 8;
/// Rows and columns of the window in which a block is searched for.
const WINDOW: usize = SIDE + 2 * RADIUS;
/// dy, dx and SAD of a block.
const RESULTS: usize = 3;
/// Blocks that a thread takes at once: some tens of microseconds.
const BLOCKS_AT_ONCE: usize = 8;
/// Displacements of a block.
const DISPLACEMENTS: usize = (2 * RADIUS + 1) * (2 * RADIUS + 1);
/// Work-items that search for one block.
const GROUP: usize = 64;
/// A value that is no displacement and no SAD.
const POISON: i32 = i32::MIN;
/// Up to this size all rows of blocks are compared with the reference, above it `ROWS_CHECKED` of them.
const ALL_CHECKED: usize = 8192;
const ROWS_CHECKED: usize = 64;

struct Bm2d {
    kernel: Kernel,
    n: usize,
    seed: u64,
    current: HostVec<u8>,
    reference: HostVec<u8>,
    result: HostVec<i32>,
    /// Rows of blocks with their expected results.
    expected: Vec<(usize, Vec<i32>)>,
}

/// Displacements that keep a block at `at` inside a frame of `n`.
fn displacements(at: usize, n: usize) -> RangeInclusive<i32> {
    -(at.min(RADIUS) as i32)..=((n - SIDE - at).min(RADIUS) as i32)
}

simd! {
    /// Some blocks of one row, the first at `at` (row, column of blocks). `current` has the row's 16 rows, `reference` the rows
    /// from `first` on.
    fn search(n: usize, at: (usize, usize), current: &[u8], reference: &[u8], first: usize, result: &mut [i32]) {
        let y = at.0 * SIDE;
        let rows = displacements(y, n);
        for (x, result) in (at.1 * SIDE..n).step_by(SIDE).zip(result.chunks_exact_mut(RESULTS)) {
            let block: [[u8; SIDE]; SIDE] = std::array::from_fn(|r| {
                let mut row = [0; SIDE];
                row.copy_from_slice(&current[r * n + x..][..SIDE]);
                row
            });
            // The window is copied: rows of frames lie a power of two apart and would share few cache sets.
            let columns = displacements(x, n);
            let left = (x as i32 + columns.start()) as usize;
            let width = (columns.end() - columns.start()) as usize + SIDE;
            let top = (y as i32 + rows.start()) as usize;
            let height = (rows.end() - rows.start()) as usize + SIDE;
            let mut window = [[0u8; WINDOW]; WINDOW];
            for (r, row) in window.iter_mut().enumerate().take(height) {
                row[..width].copy_from_slice(&reference[(top + r - first) * n + left..][..width]);
            }
            // The 16 columns of one dx are copied once more, one row after the other: for each dy the candidate's 256
            // bytes then lie in one piece, and their differences are added in whole vectors.
            let block = block.as_flattened();
            let mut strip = [[0u8; SIDE]; WINDOW];
            // SAD, dy, dx in one number: the least is the least SAD, and on ties the smallest (dy, dx).
            let mut least = u32::MAX;
            for dx in columns.clone() {
                let from = (dx - columns.start()) as usize;
                for (strip, row) in strip.iter_mut().zip(&window) {
                    strip.copy_from_slice(&row[from..from + SIDE]);
                }
                for (dy, candidate) in rows.clone().zip(strip.windows(SIDE)) {
                    let differences = block.iter().zip(candidate.as_flattened());
                    let sad: u32 = differences.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                    least = least.min(sad << 10 | ((dy + 16) << 5 | (dx + 16)) as u32);
                }
            }
            let place = least & 0x3ff;
            result.copy_from_slice(&[(place >> 5) as i32 - 16, (place & 31) as i32 - 16, (least >> 10) as i32]);
        }
    }
}

/// Rows of blocks, by all threads of the pool: a device's share of the loop may have fewer rows than there are threads.
/// `reference` begins with row `first` of the frame.
fn search_rows(n: usize, rows: Range<usize>, current: &[u8], reference: &[u8], first: usize, result: &mut [i32]) {
    let row_len = RESULTS * n / SIDE;
    result.par_chunks_mut(row_len).zip(current.par_chunks(SIDE * n)).zip(rows).for_each(|((result, current), by)| {
        result.par_chunks_mut(BLOCKS_AT_ONCE * RESULTS).enumerate().for_each(|(piece, result)| {
            search(n, (by, piece * BLOCKS_AT_ONCE), current, reference, first, result);
        });
    });
}

/// One block, by the definition.
fn match_block(n: usize, current: &[u8], reference: &[u8], by: usize, bx: usize) -> [i32; RESULTS] {
    let (y, x) = (by * SIDE, bx * SIDE);
    let mut best = [0, 0, i32::MAX];
    for dy in displacements(y, n) {
        for dx in displacements(x, n) {
            let mut sad = 0;
            for r in 0..SIDE {
                let ours = &current[(y + r) * n + x..][..SIDE];
                let theirs =
                    &reference[(y + r).wrapping_add_signed(dy as isize) * n..][x.wrapping_add_signed(dx as isize)..];
                sad += ours.iter().zip(theirs).map(|(a, b)| (i32::from(*a) - i32::from(*b)).abs()).sum::<i32>();
            }
            if sad < best[2] {
                best = [dy, dx, sad];
            }
        }
    }
    best
}

fn kernel(n: usize) -> Kernel {
    let blocks = n / SIDE;
    // As in `kernel.cu`: a thread for each of 16 blocks and 17 dy, in whole warps.
    const CUDA_GROUP: usize = 288;
    const CUDA_BLOCKS: usize = 16;
    Kernel::new("bm2d")
        .host_whole_chunk(|rows: Range<usize>, n: i64, current: In<u8>, reference: In<u8>, mut result: Out<i32>| {
            let n = n as usize;
            let seen = (rows.start * SIDE).saturating_sub(RADIUS)..(rows.end * SIDE + RADIUS).min(n);
            let window = reference.slice(seen.start * n..seen.end * n);
            let current = current.slice(rows.start * SIDE * n..rows.end * SIDE * n);
            let row_len = RESULTS * n / SIDE;
            let result = result.slice_mut(rows.start * row_len..rows.end * row_len);
            search_rows(n, rows, current, window, seen.start, result);
        })
        .opencl_source(
            own_source(
                include_str!("kernel.cl"),
                "bm2d",
                Grid::new([GROUP, 1, 1], move |rows| [blocks * GROUP, rows, 1]),
            )
            .options(format!("-DGROUP={GROUP}")),
        )
        .cuda_source(
            own_source(
                include_str!("kernel.cu"),
                "bm2d",
                Grid::new([CUDA_GROUP, 1, 1], move |rows| [blocks.div_ceil(CUDA_BLOCKS) * CUDA_GROUP, rows, 1]),
            )
            .options(format!("-DGROUP={CUDA_GROUP} -DBLOCKS={CUDA_BLOCKS}")),
        )
        // A difference and an addition per pixel and displacement.
        .cost(
            Cost::per_iteration()
                .flops(2 * SIDE * SIDE * DISPLACEMENTS * blocks)
                .loads(2 * SIDE * n)
                .stores(RESULTS * size_of::<i32>() * blocks)
                .precision(Precision::U8),
        )
}

/// Random noise with some flat places, where many displacements are equal.
fn reference_frame(frame: &mut [u8], n: usize, seed: u64) {
    const FLAT: usize = 48;
    random::fill_bytes(frame, seed, 0);
    let mut generator = random::generator(seed, 1, 0);
    let places = n.saturating_sub(FLAT) / SIDE + 1;
    for _ in 0..(n / 64).pow(2) {
        let [top, left] = [(); 2].map(|()| (generator.next_u32() as usize % places) * SIDE);
        for row in frame[top * n..].chunks_mut(n).take(FLAT) {
            row[left..(left + FLAT).min(n)].fill(128);
        }
    }
}

/// Each block is a displaced block of the reference frame with a little noise, so that the search finds it.
fn current_frame(frame: &mut [u8], reference: &[u8], n: usize, seed: u64) {
    frame.par_chunks_mut(SIDE * n).enumerate().for_each(|(by, rows)| {
        let mut generator = random::generator(seed, 2, by as u64);
        let mut noise = vec![0u8; SIDE * n];
        generator.fill_bytes(&mut noise);
        let mut from = |at: usize| {
            let to = displacements(at, n);
            let choice = generator.next_u32() % (to.end() - to.start() + 1) as u32;
            (at as i32 + to.start() + choice as i32) as usize
        };
        for x in (0..n).step_by(SIDE) {
            let (y_from, x_from) = (from(by * SIDE), from(x));
            for r in 0..SIDE {
                let theirs = &reference[(y_from + r) * n + x_from..][..SIDE];
                let noise = &noise[r * n + x..][..SIDE];
                for ((ours, theirs), noise) in rows[r * n + x..][..SIDE].iter_mut().zip(theirs).zip(noise) {
                    *ours = theirs.saturating_add(noise & 3);
                }
            }
        }
    });
}

fn check_size(n: usize) -> Result<()> {
    if n == 0 || !n.is_multiple_of(SIDE) {
        let near = n.next_multiple_of(SIDE).max(SIDE);
        return Err(Error::call(format!(
            "workload `bm2d` has blocks of {SIDE} x {SIDE}: n must be a multiple of {SIDE} above 0, such as {near}, \
             not {n}"
        )));
    }
    Ok(())
}

fn outline(n: usize) -> Result<Outline> {
    square(ENTRY.name, n)?;
    check_size(n)?;
    let outline = Outline::new(ENTRY.name, n, n / SIDE, kernel(n)).rows_each(SIDE, Direction::To, ElementType::U8, n);
    let outline = outline.rows_each(SIDE, Direction::To, ElementType::U8, n).halo(RADIUS);
    Ok(outline.rows(Direction::From, ElementType::I32, RESULTS * (n / SIDE)))
}

impl Bm2d {
    fn boxed(n: usize, seed: u64, memory: Memory) -> Result<Box<dyn Instance>> {
        check_size(n)?;
        let frame = n.checked_mul(n);
        // Two frames, and 12 bytes of results for each 256 pixels.
        memory::require(ENTRY.name, n, frame.and_then(|f| f.checked_mul(2)?.checked_add(f / 16)))?;
        let (mut reference, mut current) =
            (memory::zeroed(ENTRY.name, n, n * n, memory)?, memory::zeroed(ENTRY.name, n, n * n, memory)?);
        reference_frame(&mut reference, n, seed);
        current_frame(&mut current, &reference, n, seed);
        let result = memory::poisoned(ENTRY.name, n, RESULTS * (n / SIDE).pow(2), memory, POISON)?;
        Ok(Box::new(Self { kernel: kernel(n), n, seed, current, reference, result, expected: Vec::new() }))
    }

    fn result_row(&self) -> usize {
        RESULTS * self.n / SIDE
    }
}

impl Instance for Bm2d {
    fn name(&self) -> &'static str {
        ENTRY.name
    }
    fn n(&self) -> usize {
        self.n
    }
    fn element(&self) -> ElementType {
        ElementType::U8
    }
    fn iterations(&self) -> u64 {
        (self.n / SIDE) as u64
    }
    fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    fn bind(&mut self) -> Bound<'_> {
        let (n, result_row) = (self.n, self.result_row());
        let bound = self.kernel.bind().scalar(n as i64);
        let bound = bound.to(&self.current).named("current").align_rows(n).ratio(SIDE);
        let bound = bound.to(&self.reference).named("reference").align_rows(n).ratio(SIDE).halo(RADIUS);
        bound.from(&mut self.result).named("result").align_rows(result_row)
    }
    fn bind_single(&mut self) -> Bound<'_> {
        single::bm2d(self.n, &self.current, &self.reference, &mut self.result).kernel_named(SINGLE)
    }
    fn place<'a>(&'a mut self, region: &mut DataRegion<'_, 'a>) -> Resident<'a> {
        let (n, result_row, kernel) = (self.n, self.result_row(), &self.kernel);
        let current = region.to(&self.current, [n, n].ratio(SIDE).named("current"));
        let reference = region.to(&self.reference, [n, n].ratio(SIDE).halo(RADIUS).named("reference"));
        let result = region.from(&mut self.result, [n / SIDE, result_row].named("result"));
        Resident::new(0..(n / SIDE) as u64, move |form| match form {
            Form::Hand => kernel.bind().scalar(n as i64).reads(current).reads(reference).writes(result),
            Form::Single => single::bm2d(n, current, reference, result).kernel_named(SINGLE),
        })
    }
    fn reset(&mut self) {
        self.result.fill(POISON);
    }
    fn verify(&mut self, _: Option<Scalar>) -> Verification {
        let (n, blocks, row_len) = (self.n, self.n / SIDE, self.result_row());
        if self.expected.is_empty() {
            let rows: Vec<usize> =
                if n <= ALL_CHECKED { (0..blocks).collect() } else { random::sample(blocks, ROWS_CHECKED, self.seed) };
            let search =
                |by| (0..blocks).flat_map(|bx| match_block(n, &self.current, &self.reference, by, bx)).collect();
            self.expected = rows.into_par_iter().map(|by| (by, search(by))).collect();
        }
        let mut comparison = Comparison::new("result (dy, dx, SAD)", row_len);
        for (by, expected) in &self.expected {
            let ours = self.result.iter().enumerate().skip(by * row_len);
            for ((index, &got), &expected) in ours.zip(expected) {
                comparison.add(index, f64::from(got), f64::from(expected));
            }
        }
        for index in (0..self.result.len()).filter(|&i| self.result[i] == POISON) {
            comparison.add(index, f64::NAN, 0.0);
        }
        comparison.finish(0.0)
    }
    fn bytes(&self) -> usize {
        2 * self.n * self.n + size_of::<i32>() * self.result.len()
    }
    fn is_page_locked(&self) -> bool {
        self.current.is_page_locked() && self.reference.is_page_locked() && self.result.is_page_locked()
    }
    fn run_rayon(&mut self) -> Option<Scalar> {
        let (n, row_len, piece) = (self.n, self.result_row(), rayon_piece(self.n / SIDE));
        self.result.par_chunks_mut(row_len).with_min_len(piece).enumerate().for_each(|(by, result)| {
            search(n, (by, 0), &self.current[by * SIDE * n..(by + 1) * SIDE * n], &self.reference, 0, result);
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_finds_a_block_that_moved() {
        let n = 48;
        let mut reference = vec![0; n * n];
        random::fill_bytes(&mut reference, 3, 0);
        // The middle block is a copy from 5 rows above and 7 columns to the right.
        let mut current = vec![0; n * n];
        for y in 16..32 {
            for x in 16..32 {
                current[y * n + x] = reference[(y - 5) * n + x + 7];
            }
        }
        assert_eq!(match_block(n, &current, &reference, 1, 1), [-5, 7, 0]);
        current[16 * n + 16] ^= 3;
        let [dy, dx, sad] = match_block(n, &current, &reference, 1, 1);
        assert_eq!((dy, dx), (-5, 7));
        assert!((1..=3).contains(&sad));
    }

    #[test]
    fn of_equal_displacements_the_smallest_is_taken_and_the_frame_is_not_left() {
        let n = 48;
        let (current, reference) = (vec![10; n * n], vec![30; n * n]);
        assert_eq!(match_block(n, &current, &reference, 1, 1), [-8, -8, 20 * 256]);
        assert_eq!(match_block(n, &current, &reference, 0, 1), [0, -8, 20 * 256]);
        assert_eq!(match_block(n, &current, &reference, 2, 0), [-8, 0, 20 * 256]);
        assert_eq!((displacements(32, n), displacements(0, 16)), (-8..=0, 0..=0));
    }

    #[test]
    fn the_frames_have_ties_and_matches() {
        let mut bm2d = Bm2d::boxed(256, 1, Memory::Plain).unwrap();
        bm2d.run_rayon();
        let results: Vec<i32> = {
            let bound = bm2d.bind();
            let map = bound.arguments().last().unwrap().array().unwrap();
            let apportion::data::HostMemory::Write(array) = &map.memory else { panic!("result is written") };
            bytemuck::cast_slice(&array.lend(0..map.bytes()).unwrap()).to_vec()
        };
        let sads: Vec<i32> = results.chunks(RESULTS).map(|r| r[2]).collect();
        assert!(sads.iter().all(|&sad| sad <= 3 * 256), "each block was taken from the reference");
        assert!(results.chunks(RESULTS).filter(|r| r[..2] == [-8, -8]).count() >= 3, "flat places match at once");
    }
}
