//! Workloads and applications with arrays in a data region: any number of loops over them.

use crate::Form;
use apportion::error::Result;
use apportion::kernel::{Bound, Reduce};
use apportion::region::{DataRegion, Later};
use std::fmt;
use std::ops::Range;

/// Loops over arrays in a data region.
pub struct Resident<'a> {
    rows: Range<u64>,
    reduces: bool,
    loops: usize,
    next: Box<dyn FnMut(Form) -> Bound<'a> + 'a>,
}

impl<'a> Resident<'a> {
    /// Loops over `rows`; `next` gives each loop's kernel with its arrays.
    pub(crate) fn new(rows: Range<u64>, next: impl FnMut(Form) -> Bound<'a> + 'a) -> Self {
        Self { rows, reduces: false, loops: 1, next: Box::new(next) }
    }

    /// The kernel returns partial sums.
    pub(crate) fn reducing(self) -> Self {
        Self { reduces: true, ..self }
    }

    /// Makes a step of this many loops.
    pub(crate) fn of_loops(self, loops: usize) -> Self {
        Self { loops, ..self }
    }

    /// Runs the next step, by a kernel of either form, which may change from loop to loop. It does not wait for the result of a
    /// reduction.
    ///
    /// # Errors
    /// As a region's loops.
    pub fn sweep(&mut self, region: &mut DataRegion<'_, 'a>, form: Form) -> Result<Option<Later<f64>>> {
        for _ in 1..self.loops {
            region.parallel_for(self.rows.clone(), (self.next)(form)).run()?;
        }
        let run = region.parallel_for(self.rows.clone(), (self.next)(form));
        if self.reduces {
            return run.reduce_later(Reduce::Sum).map(Some);
        }
        run.run().map(|()| None)
    }
}

impl fmt::Debug for Resident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resident").field("rows", &self.rows).field("reduces", &self.reduces).finish_non_exhaustive()
    }
}
