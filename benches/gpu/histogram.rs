//! A histogram of an array that stays on one GPU: by a kernel from one Rust function, and by CUDA C as one would write it by hand.

use crate::{Failed, gpus, quartiles};
use apportion::kernel::{Bound, Kernel};
use apportion::prelude::*;
use apportion::region::{Dims, Mapped};
use std::time::{Duration, Instant};

#[kernel]
#[map(counts: reduce(Sum))]
fn histogram(i: usize, values: &[u32], counts: &mut [u32]) {
    counts[values[i] as usize] += 1;
}

/// Four values at once, counted in the memory of a block where there is room for them.
const BY_HAND: &str = r#"
extern "C" __global__ void histogram(long lo, long hi, const unsigned *values, long v0, unsigned *counts, long c0) {
#if BINS <= 8192
    __shared__ unsigned own[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) own[k] = 0;
    __syncthreads();
#else
    unsigned *own = counts;
#endif
    const long first = lo - v0, n = hi - lo, step = (long)gridDim.x * blockDim.x;
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    const uint4 *four = (const uint4 *)(values + first);
    for (long k = at; k < n / 4; k += step) {
        const uint4 v = four[k];
        atomicAdd(&own[v.x], 1u);
        atomicAdd(&own[v.y], 1u);
        atomicAdd(&own[v.z], 1u);
        atomicAdd(&own[v.w], 1u);
    }
    for (long k = n / 4 * 4 + at; k < n; k += step) atomicAdd(&own[values[first + k]], 1u);
#if BINS <= 8192
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        if (own[k] != 0) atomicAdd(&counts[k], own[k]);
#endif
}"#;

fn by_hand(bins: usize) -> Kernel {
    let grid = Grid::new([256, 1, 1], |n| [n.div_ceil(4096).clamp(1, 1056) * 256, 1, 1]);
    // SAFETY: the kernel stays within the sections that it is given.
    let source = unsafe { DeviceSource::new(BY_HAND, "histogram", grid) }.options(format!("-DBINS={bins}"));
    Kernel::new("histogram by hand").cuda_source(source)
}

/// Rounds, in turns of both.
const ROUNDS: usize = 15;

/// As CSV: bins, values, how they are spread, medians and quartiles of a sweep in us, and the ratio of the medians.
pub fn run(quick: bool) -> Failed {
    let (rt, ids) = gpus()?;
    let n = if quick { 1 << 20 } else { 1 << 28 };
    println!(
        "bins,values,spread,hand_us,hand_lower_us,hand_upper_us,single_us,single_lower_us,single_upper_us,hand_over_single"
    );
    for bins in [16usize, 256, 4096, 1 << 16, 1 << 22] {
        for spread in ["even", "one"] {
            let value = |i: u32| match spread {
                "even" => (i.wrapping_mul(2_654_435_761) >> 8) % bins as u32,
                _ => bins as u32 / 2,
            };
            let values: Vec<u32> = (0..n as u32).map(value).collect();
            let [hand, single] = sweeps(&rt, ids[0], bins, &values)?;
            let list = |[median, low, high]: [f64; 3]| format!("{median:.2},{low:.2},{high:.2}");
            println!("{bins},{n},{spread},{},{},{:.3}", list(hand), list(single), hand[0] / single[0]);
        }
    }
    Ok(())
}

/// Times of a sweep of both, in us, after both were verified.
fn sweeps(rt: &Runtime, gpu: usize, bins: usize, values: &[u32]) -> Failed<[[f64; 3]; 2]> {
    let hand = by_hand(bins);
    let mut wanted = vec![0u32; bins];
    values.iter().for_each(|&value| wanted[value as usize] += 1);
    let mut counts = vec![0u32; bins];
    let mut region = rt.data_region().devices(gpu.to_string()).rebalance(false);
    let values_ = region.to(values, [values.len()]);
    let counts_ = region.tofrom(&mut counts, [bins].full());
    let loops: [&dyn Fn(Mapped<u32>, Mapped<u32>) -> Bound<'static>; 2] =
        [&|values, counts| hand.bind().reads(values).reduces(counts, Sum), &|values, counts| histogram(values, counts)];
    for (done, bind) in (1..).zip(loops) {
        region.parallel_for(0..values.len(), bind(values_, counts_)).run()?;
        region.update_from(counts_)?;
        if region.host(counts_)?.iter().zip(&wanted).any(|(got, wanted)| *got != wanted.wrapping_mul(done)) {
            return Err(format!("a histogram of {bins} bins is wrong").into());
        }
    }
    let mut timed = |which: usize, times: usize| -> Failed<f64> {
        let start = Instant::now();
        for _ in 0..times {
            region.parallel_for(0..values.len(), loops[which](values_, counts_)).run()?;
        }
        region.wait()?;
        Ok(start.elapsed().as_secs_f64() / times as f64)
    };
    let slowest = timed(0, 2)?.max(timed(1, 2)?);
    let times = ((Duration::from_millis(20).as_secs_f64() / slowest) as usize).clamp(2, 500);
    let mut both = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for which in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            both[which].push(1e6 * timed(which, times)?);
        }
    }
    Ok(both.map(quartiles))
}
