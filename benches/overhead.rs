//! A loop whose body does nothing: what is left is the runtime.

use crate::host;
use apportion::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::hint::black_box;

/// Iterations of the empty loop: enough for every piece to have some.
const ITERATIONS: usize = 10_000;

/// An empty loop by Apportion's host device, and by rayon alone.
#[derive(Debug)]
pub struct EmptyLoop {
    runtime: Runtime,
    kernel: Kernel,
    pool: ThreadPool,
    pieces: usize,
}

impl EmptyLoop {
    /// Starts the threads of both.
    ///
    /// # Errors
    /// When they cannot be had.
    pub fn new() -> Result<Self> {
        let kernel = Kernel::new("empty").host(|range: Range<usize>| _ = black_box(range));
        let pool = host::pool()?;
        // As many as the host device makes, so that both join equally often.
        let pieces = match pool.current_num_threads() {
            1 => 1,
            threads => 4 * threads,
        };
        Ok(Self { runtime: host::runtime()?, kernel, pool, pieces })
    }

    /// By Apportion, with the record of what happened.
    ///
    /// # Panics
    /// When the loop fails.
    pub fn ours(&self) -> Report {
        self.runtime.parallel_for(0..ITERATIONS, self.kernel.bind()).run().expect("an empty loop runs")
    }

    /// By rayon: the same number of pieces, called from outside of the pool as well.
    pub fn rayon(&self) {
        let piece = ITERATIONS.div_ceil(self.pieces);
        self.pool.install(|| {
            (0..self.pieces)
                .into_par_iter()
                .with_max_len(1)
                .for_each(|i| _ = black_box(i * piece..ITERATIONS.min((i + 1) * piece)));
        });
    }
}
