//! Kernels that add up bytes, which GPUs read in words.
#![allow(missing_docs)]

use apportion::kernel::Kernel;

crate::both! {
    /// Block matching: blocks of `w` x `h` at places of their own.
    pub fn search(
        b: usize, n: usize, w: usize, h: usize, tall: usize, wide: usize, ours: &[u8], theirs: &[u8], best: &mut [u32],
    ) {
        let mut least = u32::MAX;
        let mut place = 0;
        for y in 0..tall {
            for x in 0..wide {
                let mut sad = 0u32;
                for r in 0..h {
                    for c in 0..w {
                        sad += ours[(b * h + r) * n + c].abs_diff(theirs[(b * h + y + r) * n + x + c]) as u32;
                    }
                }
                if sad < least {
                    least = sad;
                    place = (y * wide + x) as u32;
                }
            }
        }
        best[2 * b] = least;
        best[2 * b + 1] = place;
    }
    /// Blocks of a known width, squares, and sums of bytes that one displacement shares with the next.
    pub fn squares(b: usize, n: usize, wide: usize, ours: &[u8], theirs: &[u8], best: &mut [i64]) {
        let mut least = i64::MAX;
        for x in 0..wide {
            let mut apart = 0i64;
            let mut sum = 0;
            for r in 0..3 {
                let row = (b * 3 + r) * n;
                for c in 0..11 {
                    let d = ours[row + 2 + c] as i64 - theirs[row + x + c] as i64;
                    apart += d * d;
                    sum += theirs[row + x + c] as i64;
                }
            }
            least = least.min(apart * 7 + sum);
        }
        best[b] = least;
    }
    /// Blocks in tiles of a group: each of a row's `m` blocks of 3 x 11 at every fifth byte, by up to 17 displacements.
    pub fn tiles(i: usize, m: usize, wide: usize, ours: &[u8], theirs: &[u8], best: &mut [u32]) {
        for b in 0..m {
            let mut least = u32::MAX;
            for x in 0..wide.min(17) {
                let mut sad = 7u32;
                for r in 0..3 {
                    for c in 0..11 {
                        let at = (3 * i + r) * (5 * m + 32) + 5 * b + c;
                        sad += ours[at].abs_diff(theirs[at + x]) as u32;
                    }
                }
                if sad < least {
                    least = sad;
                }
            }
            best[i * m + b] = least;
        }
    }
    /// The same with squares and sums, of rows of 8 and of displacements of three bytes from the block on.
    pub fn square_tiles(i: usize, m: usize, ours: &[u8], theirs: &[u8], best: &mut [i64]) {
        for b in 0..m {
            let mut all = 0i64;
            for x in 3..12 {
                let mut apart = x as i64;
                let mut sum = 0;
                for c in 0..8 {
                    let d = ours[i * (5 * m + 32) + 5 * b + c] as i64 - theirs[i * (5 * m + 32) + 5 * b + x + c] as i64;
                    apart += d * d;
                    sum += theirs[i * (5 * m + 32) + 5 * b + x + c] as i64;
                }
                all = all * 3 + apart * 7 + sum;
            }
            best[i * m + b] = all;
        }
    }
    /// A sum that goes on from one displacement to the next.
    pub fn onward(b: usize, n: usize, wide: usize, ours: &[u8], theirs: &[u8], all: &mut [u32]) {
        let mut so_far = 0u32;
        for x in 0..wide {
            let mut sad = so_far;
            for c in 0..12 {
                sad += ours[b * n + c].abs_diff(theirs[b * n + x + c]) as u32;
            }
            so_far = sad.rotate_left(3);
        }
        all[b] = so_far;
    }
    /// Products, as in a filter of bytes.
    pub fn filter(i: usize, taps: usize, x: &[u8], w: &[u8], y: &mut [u32]) {
        let mut s = 7u32;
        for k in 0..taps {
            s = s + x[i + k] as u32 * w[k] as u32;
        }
        y[i] = s;
    }
    /// Rows of which each work-item has a part.
    pub fn rows(i: usize, m: usize, x: &[u8], w: &[u8], y: &mut [u32]) {
        let mut dot = 0;
        let mut far = 0;
        for j in 0..m {
            let (a, b) = (x[i * m + j] as u32, w[j] as u32);
            far += a.abs_diff(b);
            dot += a * b;
        }
        y[2 * i] = dot;
        y[2 * i + 1] = far;
    }
    /// The same in numbers of other types.
    pub fn long_rows(i: usize, m: usize, x: &[u8], w: &[u8], y: &mut [u64], z: &mut [i32]) {
        let mut dot = 0u64;
        let mut far = 0;
        for j in 0..m {
            let (a, b) = (x[i * m + j], w[j]);
            dot += a as u64 * b as u64;
            far += (a as i32 - b as i32).abs();
        }
        y[i] = dot;
        z[i] = far;
    }
    /// The forms that a difference has, in loops that one work-item runs.
    pub fn forms(i: usize, m: usize, x: &[u8], w: &[u8], y: &mut [u32]) {
        let mut s = [0u32; 1];
        let mut a = 0u32;
        let mut b = 0u32;
        let mut c = 0u32;
        let mut d = 0u32;
        let mut t = 0;
        while t < 2 {
            for j in 1..m {
                a += (x[i * m + j] as i32 - w[j - 1] as i32).unsigned_abs();
            }
            for j in 0..=m - 1 {
                let (p, q) = (x[i * m + j] as u32, w[j] as u32);
                b += if p > q { p - q } else { q - p };
            }
            for j in 0..m {
                let (p, q) = (x[i * m + j], w[j]);
                c += (p.max(q) - p.min(q)) as u32;
            }
            for j in 0..13 {
                d += (x[i * m] as i32 - w[j] as i32).pow(2) as u32 + w[j + 1] as u32;
                s[0] += d;
            }
            for j in 0..13 {
                d += (w[j] as i32 - w[j + 1] as i32).pow(2) as u32;
            }
            t += 1;
        }
        y[i] = a ^ b.rotate_left(8) ^ c.rotate_left(16) ^ d.rotate_left(24) ^ s[0];
    }
    /// Displacements whose sums have a sign, and others whose loops may end early.
    pub fn ends(i: usize, m: usize, n: usize, ours: &[u8], theirs: &[u8], best: &mut [i32]) {
        for b in 0..m {
            let mut all = 0i32;
            for x in 0..9 {
                let mut signed = 0;
                for c in 0..8 {
                    let d = ours[i * (5 * m + 32) + 5 * b + c] as i32 - theirs[i * (5 * m + 32) + 5 * b + x + c] as i32;
                    signed += d * d.abs();
                }
                all = all.rotate_left(3) ^ signed;
            }
            for x in 0..9 {
                let mut some = 0;
                for c in 0..8.min(n) {
                    some += theirs[i * (5 * m + 32) + 5 * b + x + c] as i32;
                }
                all = all.rotate_left(3) ^ some;
            }
            best[i * m + b] = all;
        }
    }
    /// What is no such sum: numbers that wrap as bytes, a condition, bytes that are not neighbours.
    pub fn others(i: usize, m: usize, x: &[u8], w: &[u8], y: &mut [u32]) {
        let mut small = 0u8;
        let mut some = 0u32;
        let mut far = 0u32;
        let mut least = 0u32;
        for j in 0..m {
            small += x[i * m + j] * w[j];
        }
        for j in 0..m {
            if x[i * m + j] > 3 {
                some += w[j] as u32;
            }
        }
        for j in 0..m / 2 {
            far += x[i * m + 2 * j] as u32;
        }
        for j in 0..m {
            least += (x[i * m + j] * w[j]) as u32;
        }
        y[i] = small as u32 + some * 1000 + far * 3 + least;
    }
}

/// All of them, and whether their texts read bytes in words: displacements side by side, and long rows of lines.
pub fn all() -> Vec<(Kernel, bool)> {
    vec![
        (search::kernel(), false),
        (squares::kernel(), false),
        (tiles::kernel(), true),
        (square_tiles::kernel(), true),
        (onward::kernel(), false),
        (filter::kernel(), false),
        (rows::kernel(), true),
        (long_rows::kernel(), true),
        (forms::kernel(), false),
        (ends::kernel(), false),
        (others::kernel(), false),
    ]
}
