//! Random inputs. They depend on the seed alone, not on the number of threads, since each block has its own ChaCha stream.

use crate::real::Real;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

/// Elements that share a stream. Each block can be generated again by itself.
pub(crate) const BLOCK: usize = 1 << 16;

/// A generator for block `block` of array `array`.
pub(crate) fn generator(seed: u64, array: u64, block: u64) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(array << 48 | block);
    generator
}

/// Fills block `block` of array `array`, or its beginning, uniformly in -1..1.
pub(crate) fn fill_block<T: Real>(out: &mut [T], seed: u64, array: u64, block: usize) {
    generator(seed, array, block as u64).fill_bytes(bytemuck::cast_slice_mut(out));
    for value in out {
        *value = value.signed_unit();
    }
}

/// Fills array `array` uniformly in -1..1.
pub(crate) fn fill<T: Real>(out: &mut [T], seed: u64, array: u64) {
    out.par_chunks_mut(BLOCK).enumerate().for_each(|(block, out)| fill_block(out, seed, array, block));
}

/// Fills array `array` uniformly with multiples of 1/256 from 1/256 to 1: none is zero, and sums of them are exact.
pub(crate) fn fill_steps<T: Real>(out: &mut [T], seed: u64, array: u64) {
    out.par_chunks_mut(BLOCK).enumerate().for_each(|(block, out)| {
        let mut bytes = vec![0u8; out.len()];
        generator(seed, array, block as u64).fill_bytes(&mut bytes);
        for (value, byte) in out.iter_mut().zip(bytes) {
            *value = T::from_f64((f64::from(byte) + 1.0) / 256.0);
        }
    });
}

/// Fills an array of bytes uniformly.
pub(crate) fn fill_bytes(out: &mut [u8], seed: u64, array: u64) {
    out.par_chunks_mut(BLOCK).enumerate().for_each(|(block, out)| generator(seed, array, block as u64).fill_bytes(out));
}

/// `count` numbers of `0..n` in ascending order, with the first and the last; fewer if some coincide.
pub(crate) fn sample(n: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut generator = generator(seed, u64::from(u16::MAX), 0);
    let random = std::iter::repeat_with(|| (generator.next_u64() % n as u64) as usize);
    let mut chosen: Vec<usize> = [0, n - 1].into_iter().chain(random).take(count).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_on_any_number_of_threads() {
        let with = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut x = vec![0f32; 3 * BLOCK + 17];
            pool.install(|| fill(&mut x, seed, 1));
            x
        };
        assert_eq!(with(1, 5), with(3, 5));
        assert_ne!(with(1, 5), with(1, 6));
    }

    #[test]
    fn numbers_are_spread_over_their_interval() {
        fn check<T: Real>() {
            let mut x = vec![T::default(); 100_000];
            fill(&mut x, 1, 0);
            let x: Vec<f64> = x.into_iter().map(Real::to_f64).collect();
            assert!(x.iter().all(|x| (-1.0..1.0).contains(x)));
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let square = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
            assert!(mean.abs() < 0.01 && (square - 1.0 / 3.0).abs() < 0.01, "{mean} {square}");
        }
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn steps_are_all_of_the_256_and_no_others() {
        let mut x = vec![0f32; 100_000];
        fill_steps(&mut x, 1, 0);
        let mut steps: Vec<u32> = x.iter().map(|x| (x * 256.0) as u32).collect();
        assert!(x.iter().zip(&steps).all(|(x, &step)| x * 256.0 == step as f32));
        steps.sort_unstable();
        steps.dedup();
        assert_eq!(steps, (1..=256).collect::<Vec<_>>());
    }
}
