//! A blocked matrix product for the host: `C = A B`, row-major, parallel in the current rayon pool.
//!
//! C is cut into tiles, each computed by one thread. The thread goes through the common dimension in steps of [`DEPTH`];
//! for each it copies its rows of A and its columns of B into panels that stay in its L2 cache, and multiplies panel by
//! panel with sums in registers. So B is never written to memory in another order, as it would have to be for each
//! chunk of a loop anew, and few rows are divided over many threads by columns.
//!
//! It is our own since the crates that multiply fast (`gemm`, `matrixmultiply`) take raw pointers through `unsafe`
//! functions, and workloads are safe code. The price was measured with f32 matrices of 2048 x 2048 on 2 CPUs of an AMD
//! EPYC with AVX-512, a machine that others used as well: 84 to 90 GFLOP/s here, 97 to 103 by `gemm` 0.19.0 (medians of
//! 9 products, in turns).

use crate::real::Real;
use crate::simd;
use rayon::prelude::*;
use std::cell::RefCell;

/// Steps along the common dimension between which sums are in registers.
const DEPTH: usize = 256;
/// Most rows and columns of a tile. A's panels (240 x 256) and B's (256 x 512) are 0.75 MiB in f32; L2 is 1 MiB or more.
const TILE_ROWS: usize = 240;
const TILE_COLUMNS: usize = 512;
/// Heights and widths of tiles are multiples of these: of rows and columns whose sums are in registers together.
const HEIGHT_STEP: usize = 12;
const WIDTH_STEP: usize = 32;
/// What is copied into panels takes as long as so many more rows and columns: measured with tiles of 12 to 240 by 32 to 512
/// on a CPU with AVX-512, f32.
const COPYING: usize = 10;
/// Of a tile's time, what threads wait for the last of them: small tiles are better where all else is equal.
const WAITING: f64 = 0.25;

/// Rows and columns of C that begin at some row and column, as one slice a row.
pub(super) struct Tile<'c, T> {
    row: usize,
    column: usize,
    rows: Vec<&'c mut [T]>,
}

/// An element with a tile function for each instruction set.
pub(super) trait Gemm: Real {
    /// Computes one tile; `panels` is room for the panels.
    fn tile(n: usize, depth: usize, a: &[Self], b: &[Self], tile: &mut Tile<'_, Self>, panels: &mut [Self]);
}

thread_local! {
    // f64 for its alignment and size; f32 uses it as well. Kept, since fresh pages cost as much as small tiles.
    static PANELS: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// `C = A B`, where B is `depth` x `n` and A and C have as many rows as C is long.
pub(super) fn multiply<T: Gemm>(n: usize, depth: usize, a: &[T], b: &[T], c: &mut [T]) {
    let rows = c.len() / n;
    let (tile_rows, tile_columns) = tile_shape(rows, n, rayon::current_num_threads());
    let mut tiles = Vec::new();
    for (band, c) in c.chunks_mut(tile_rows * n).enumerate() {
        let first = tiles.len();
        let height = c.len() / n;
        tiles.extend((0..n).step_by(tile_columns).map(|column| Tile {
            row: band * tile_rows,
            column,
            rows: Vec::with_capacity(height),
        }));
        for row in c.chunks_mut(n) {
            for (tile, part) in tiles[first..].iter_mut().zip(row.chunks_mut(tile_columns)) {
                tile.rows.push(part);
            }
        }
    }
    tiles.par_iter_mut().with_max_len(1).for_each(|tile| {
        PANELS.with_borrow_mut(|panels| {
            // Room for both panels, whole vectors at their ends, and the alignment.
            let elements = (TILE_ROWS + TILE_COLUMNS + 64) * DEPTH + 64;
            panels.resize(elements * size_of::<T>() / size_of::<f64>(), 0.0);
            let panels: &mut [T] = bytemuck::cast_slice_mut(panels);
            let aligned = panels.as_ptr().align_offset(64).min(64);
            T::tile(n, depth, a, b, tile, &mut panels[aligned..]);
        });
    });
}

/// Rows and columns of a tile: those with which the threads are done soonest, if each takes tile after tile and a tile takes
/// as long as one so many rows and columns larger would without copying ([`COPYING`]).
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
            let time = rounds * ((height + COPYING) * (width.min(columns) + COPYING)) as f64;
            if time < best.0 {
                best = (time, (height, width));
            }
        }
    }
    best.1
}

/// One tile with `MR` x `NR` sums in registers.
#[inline(always)]
fn tile<T: Real, const MR: usize, const NR: usize, const FMA: bool>(
    n: usize,
    depth: usize,
    a: &[T],
    b: &[T],
    tile: &mut Tile<'_, T>,
    panels: &mut [T],
) {
    let height = tile.rows.len();
    let width = tile.rows.first().map_or(0, |row| row.len());
    let (a_panels, b_panels) = panels.split_at_mut(height.next_multiple_of(MR) * DEPTH);
    if depth == 0 {
        tile.rows.iter_mut().for_each(|row| row.fill(T::default()));
    }
    for k0 in (0..depth).step_by(DEPTH) {
        let steps = DEPTH.min(depth - k0);
        // A by columns of MR rows.
        for (i, panel) in (0..height).step_by(MR).zip(a_panels.chunks_exact_mut(MR * steps)) {
            let (panel, _) = panel.as_chunks_mut::<MR>();
            for r in 0..MR {
                if i + r < height {
                    let row = &a[(tile.row + i + r) * depth + k0..][..steps];
                    for (column, &value) in panel.iter_mut().zip(row) {
                        column[r] = value;
                    }
                } else {
                    panel.iter_mut().for_each(|column| column[r] = T::default());
                }
            }
        }
        // B by rows of NR columns.
        for (j, panel) in (0..width).step_by(NR).zip(b_panels.chunks_exact_mut(NR * steps)) {
            let (panel, _) = panel.as_chunks_mut::<NR>();
            let columns = NR.min(width - j);
            for (k, row) in panel.iter_mut().enumerate() {
                let from = &b[(k0 + k) * n + tile.column + j..][..columns];
                if let Ok(from) = <&[T; NR]>::try_from(from) {
                    *row = *from;
                } else {
                    row[..columns].copy_from_slice(from);
                    row[columns..].fill(T::default());
                }
            }
        }
        for (j, b) in (0..width).step_by(NR).zip(b_panels.chunks_exact(NR * steps)) {
            for (i, a) in (0..height).step_by(MR).zip(a_panels.chunks_exact(MR * steps)) {
                let sums = panels_product::<T, MR, NR, FMA>(a, b);
                let columns = NR.min(width - j);
                for (row, sums) in tile.rows[i..].iter_mut().zip(&sums) {
                    let row = &mut row[j..j + columns];
                    if k0 == 0 {
                        row.copy_from_slice(&sums[..columns]);
                    } else {
                        for (c, sum) in row.iter_mut().zip(sums) {
                            *c += *sum;
                        }
                    }
                }
            }
        }
    }
}

/// The product of a panel of A and one of B: all of its sums fit into registers.
#[inline(always)]
fn panels_product<T: Real, const MR: usize, const NR: usize, const FMA: bool>(a: &[T], b: &[T]) -> [[T; NR]; MR] {
    let mut sums = [[T::default(); NR]; MR];
    let ((a, _), (b, _)) = (a.as_chunks::<MR>(), b.as_chunks::<NR>());
    for (a, b) in a.iter().zip(b) {
        for r in 0..MR {
            for j in 0..NR {
                sums[r][j] = if FMA { a[r].fma(b[j], sums[r][j]) } else { a[r] * b[j] + sums[r][j] };
            }
        }
    }
    sums
}

macro_rules! gemm {
    ($T:ident, $function:ident, $lanes512:literal) => {
        simd! {
            fn $function(
                n: usize, depth: usize, a: &[$T], b: &[$T], c: &mut Tile<'_, $T>, panels: &mut [$T],
            ) {
                // Sums in 24 of 32 registers of 64 bytes, 12 of 16 of 32, or 8 of 16 of 16.
                const AVX512: bool = multiversion::target::target_cfg_f!(target_feature = "avx512f");
                const FMA: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
                if AVX512 {
                    tile::<$T, 12, { 2 * $lanes512 }, true>(n, depth, a, b, c, panels);
                } else if FMA {
                    tile::<$T, 6, $lanes512, true>(n, depth, a, b, c, panels);
                } else {
                    tile::<$T, 4, { $lanes512 / 2 }, false>(n, depth, a, b, c, panels);
                }
            }
        }
        impl Gemm for $T {
            fn tile(n: usize, depth: usize, a: &[$T], b: &[$T], c: &mut Tile<'_, $T>, panels: &mut [$T]) {
                $function(n, depth, a, b, c, panels);
            }
        }
    };
}
gemm!(f32, tile_f32, 16);
gemm!(f64, tile_f64, 8);

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
        // Few rows on many threads: none is without a tile.
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
