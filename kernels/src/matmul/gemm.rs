//! The product of matrices for the host: `C = A B`, row-major, parallel in the current rayon pool.
//!
//! C is cut into tiles, and one thread multiplies each with `faer`. The threads of `faer` itself spin at barriers, so all stop if
//! one of them loses its core; here threads share cores with those that stand for GPUs.

use crate::real::Real;
use faer::linalg::matmul::matmul;
use faer::prelude::ReborrowMut;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Heights and widths of tiles are multiples of these: the rows and columns whose sums are in registers together, or parts of
/// them.
const HEIGHT_STEP: usize = 4;
const WIDTH_STEP: usize = 32;
/// Most rows and columns of a tile.
const TILE_ROWS: usize = 512;
const TILE_COLUMNS: usize = 480;
/// The cost of packing: a tile takes as long as one with this many more rows and columns would without packing. Measured with
/// tiles of 12 to 512 by 32 to 512 of n = 2048 and 6144, f32, on one thread of an Intel Xeon with AVX-512, 2026-11-22.
pub(super) const MORE_ROWS: usize = 25;
const MORE_COLUMNS: usize = 8;
/// Part of a tile's time for which threads wait for the last tile: among equals, small tiles are better.
const WAITING: f64 = 0.25;

/// An element that `faer` multiplies.
pub(super) trait Gemm: Real + ComplexField {}
impl Gemm for f32 {}
impl Gemm for f64 {}

/// `C = A B`, where B is `depth` x `n`, and A and C have the same number of rows.
pub(super) fn multiply<T: Gemm>(n: usize, depth: usize, a: &[T], b: &[T], c: &mut [T]) {
    let rows = c.len() / n;
    let (height, width) = tile_shape(rows, n, rayon::current_num_threads());
    let (a, b) = (MatRef::from_row_major_slice(a, rows, depth), MatRef::from_row_major_slice(b, depth, n));
    let mut tiles = Vec::new();
    let mut rest = MatMut::from_row_major_slice_mut(c, rows, n);
    for row in (0..rows).step_by(height) {
        let height = height.min(rows - row);
        let (mut band, below) = rest.split_at_row_mut(height);
        rest = below;
        for column in (0..n).step_by(width) {
            let width = width.min(n - column);
            let (tile, right) = band.split_at_col_mut(width);
            band = right;
            tiles.push((a.subrows(row, height), b.subcols(column, width), tile));
        }
    }
    tiles.par_iter_mut().with_max_len(1).for_each(|(a, b, tile)| {
        matmul(tile.rb_mut(), Accum::Replace, *a, *b, T::from_f64(1.0), Par::Seq);
    });
}

/// Rows and columns of a tile: those with which the threads finish soonest, if each takes tile after tile and a tile takes as
/// long as one with [`MORE_ROWS`] and [`MORE_COLUMNS`] more.
fn tile_shape(rows: usize, columns: usize, threads: usize) -> (usize, usize) {
    let widths = (2..=TILE_COLUMNS / WIDTH_STEP).rev().map(|steps| steps * WIDTH_STEP);
    let rows = rows.max(1);
    let fewest = rows.div_ceil(TILE_ROWS);
    let mut best = (f64::INFINITY, (TILE_ROWS, TILE_COLUMNS));
    for bands in fewest..=(4 * fewest).max(threads.min(rows.div_ceil(HEIGHT_STEP))) {
        let height = rows.div_ceil(bands).next_multiple_of(HEIGHT_STEP).min(TILE_ROWS);
        for width in widths.clone() {
            let tiles = rows.div_ceil(height) * columns.div_ceil(width);
            let rounds = tiles.div_ceil(threads.max(1)) as f64 + WAITING;
            let time = rounds * ((height.min(rows) + MORE_ROWS) * (width.min(columns) + MORE_COLUMNS)) as f64;
            if time < best.0 {
                best = (time, (height, width));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Gemm>(rows: usize, depth: usize, n: usize) {
        let integers = |len: usize, m: usize| -> Vec<T> {
            (0..len).map(|i| T::from_f64(((i * 7 + i / 5) % m) as f64 - (m / 2) as f64)).collect()
        };
        let (a, b) = (integers(rows * depth, 7), integers(depth * n, 5));
        let mut c = vec![T::NAN; rows * n];
        multiply(n, depth, &a, &b, &mut c);
        for i in 0..rows {
            for j in 0..n {
                let expected: f64 = (0..depth).map(|k| a[i * depth + k].to_f64() * b[k * n + j].to_f64()).sum();
                assert_eq!(c[i * n + j].to_f64(), expected, "C[{i}][{j}] of {rows} x {depth} x {n}");
            }
        }
    }

    #[test]
    fn products_of_all_shapes_around_the_blocks_are_right() {
        for rows in [0, 1, 11, 12, 13, 49, 250] {
            for (depth, n) in [(0, 3), (1, 1), (255, 31), (257, 33), (30, 530), (513, 128)] {
                check::<f32>(rows, depth, n);
                check::<f64>(rows, depth, n);
            }
        }
    }

    #[test]
    fn no_thread_has_much_more_than_its_share() {
        for (rows, n) in [(46, 2048), (51, 2048), (139, 6144), (150, 6144), (240, 6144), (2048, 2048), (3072, 6144)] {
            for threads in [1, 2, 7, 15, 16] {
                let (height, width) = tile_shape(rows, n, threads);
                assert!(height % HEIGHT_STEP == 0 && (1..=TILE_ROWS).contains(&height), "{height}");
                assert!(width % WIDTH_STEP == 0 && (1..=TILE_COLUMNS).contains(&width), "{width}");
                let rounds = (rows.div_ceil(height) * n.div_ceil(width)).div_ceil(threads);
                let share = (rounds * height * width * threads) as f64 / (rows * n) as f64;
                assert!(share <= 1.4, "{rows} x {n}, {threads}: {height} x {width}, {share:.2}");
            }
        }
        // Few rows on many threads: every thread has a tile.
        for (rows, n, threads) in [(123, 6144, 64), (123, 1024, 96), (48, 2048, 128)] {
            let (height, width) = tile_shape(rows, n, threads);
            let tiles = rows.div_ceil(height) * n.div_ceil(width);
            assert!(tiles >= threads, "{rows} x {n}, {threads}: {height} x {width}");
        }
        for rows in 1..400 {
            assert_eq!(tile_shape(rows, 2000, 16).0 % HEIGHT_STEP, 0);
        }
        assert!(tile_shape(0, 1, 4).0 > 0);
        assert!(tile_shape(1, 1, 0).1 > 0);
    }
}
