//! The workloads on the host device, by rayon alone, and by OpenMP: the same arrays, the same threads, verified results.

use crate::host;
use crate::measure::time;
use crate::openmp::OpenMp;
use apportion::data::HostMemory;
use apportion::kernel::{Argument, ElementType, Scalar};
use apportion::prelude::*;
use apportion::units::Seconds;
use apportion_kernels::{Instance, find};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::time::Duration;

/// libgomp's threads spin for some milliseconds after a loop, on the CPUs that the next side is about to use.
const SPIN: Duration = Duration::from_millis(20);

/// A workload and all that can run it.
pub struct Contest {
    instance: Box<dyn Instance>,
    runtime: Runtime,
    pool: ThreadPool,
    openmp: Result<&'static OpenMp, String>,
}

impl std::fmt::Debug for Contest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contest").field("workload", &self.instance.name()).field("n", &self.instance.n()).finish()
    }
}

impl Contest {
    /// The workload at its medium size in f32 (bm2d: in bytes), or at size `n`.
    ///
    /// # Errors
    /// When there is no such workload, its arrays do not fit, or threads cannot be had.
    pub fn new(workload: &str, n: Option<usize>) -> Result<Self> {
        let entry = find(workload)?;
        // Apportion's and rayon's threads first: OpenMP changes what its own thread may run on.
        let (runtime, pool) = (host::runtime()?, host::pool()?);
        let instance = entry.build(n.unwrap_or(entry.sizes.medium), ElementType::F32, 1)?;
        Ok(Self { instance, runtime, pool, openmp: OpenMp::get() })
    }

    /// The size.
    pub fn n(&self) -> usize {
        self.instance.n()
    }

    /// The type of the elements of its large arrays.
    pub fn element(&self) -> ElementType {
        self.instance.element()
    }

    /// Why OpenMP takes no part, if it does not.
    pub fn without_openmp(&self) -> Option<&str> {
        self.openmp.as_ref().err().map(String::as_str)
    }

    /// By Apportion.
    ///
    /// # Panics
    /// When the loop fails.
    pub fn ours(&mut self) -> (Seconds, Option<Scalar>) {
        let (iterations, reduction) = (self.instance.iterations(), self.instance.reduction());
        let mut reduced = None;
        let elapsed = time(|| {
            let bound = self.instance.bind();
            let run = self.runtime.parallel_for(0..iterations, bound);
            match reduction {
                None => drop(run.run().expect("the workload runs")),
                Some(reduction) => {
                    let sum = run.reduce::<f64>(reduction.operator).expect("the workload runs");
                    reduced = Some(Scalar::F64(sum.value));
                }
            }
        });
        (elapsed, reduced)
    }

    /// By rayon: the same inner loops in pieces of its own choice, in a pool of as many bound threads.
    pub fn rayon(&mut self) -> (Seconds, Option<Scalar>) {
        let mut reduced = None;
        let elapsed = time(|| reduced = self.pool.install(|| self.instance.run_rayon()));
        (elapsed, reduced)
    }

    /// By OpenMP, or by nobody where it is absent.
    ///
    /// # Panics
    /// When `openmp.c` has no loop for the workload.
    pub fn openmp(&mut self) -> Option<(Seconds, Option<Scalar>)> {
        let openmp = *self.openmp.as_ref().ok()?;
        let (workload, n) = (self.instance.name(), self.instance.n());
        let bound = self.instance.bind();
        let (mut scalars, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for argument in bound.arguments() {
            match argument {
                Argument::Scalar(scalar) => scalars.push(*scalar),
                Argument::Array(map) => match &map.memory {
                    HostMemory::Read(bytes) => inputs.push(*bytes),
                    HostMemory::Write(array) => outputs.push(array.lend(0..array.len()).expect("nobody else has it")),
                    HostMemory::Scratch => {}
                },
            }
        }
        let weight = |i: usize| match scalars[i] {
            Scalar::F32(weight) => weight,
            other => panic!("argument {i} of {workload} is {other:?}, not f32"),
        };
        let f32s = |i: usize| bytemuck::cast_slice::<u8, f32>(inputs[i]);
        let mut reduced = None;
        let out = outputs.first_mut().map_or(&mut [][..], |out| &mut **out);
        let elapsed = openmp.on_master(|| match workload {
            "axpy" => time(|| openmp.axpy(weight(0), f32s(0), bytemuck::cast_slice_mut(out))),
            "sum" => time(|| reduced = Some(Scalar::F64(openmp.sum(f32s(0))))),
            "matvec" => time(|| openmp.matvec(f32s(0), f32s(1), bytemuck::cast_slice_mut(out))),
            "stencil2d" => {
                let weights = [weight(1), weight(2), weight(3), weight(4)];
                time(|| openmp.stencil2d(n, weights, f32s(0), bytemuck::cast_slice_mut(out)))
            }
            "bm2d" => time(|| openmp.bm2d(n, inputs[0], inputs[1], bytemuck::cast_slice_mut(out))),
            "matmul" => time(|| openmp.matmul(n, f32s(0), f32s(1), bytemuck::cast_slice_mut(out))),
            other => panic!("openmp.c has no {other}"),
        });
        std::thread::sleep(SPIN);
        Some((elapsed, reduced))
    }

    /// matmul by the triple loop, its rows divided by rayon.
    pub fn triple_loop(&mut self) -> Seconds {
        let n = self.instance.n();
        let bound = self.instance.bind();
        let arrays: Vec<_> = bound.arguments().iter().filter_map(Argument::array).collect();
        let [HostMemory::Read(a), HostMemory::Read(b), HostMemory::Write(c)] = [0, 1, 2].map(|i| &arrays[i].memory)
        else {
            panic!("matmul has two inputs and an output")
        };
        let (a, b) = (bytemuck::cast_slice::<u8, f32>(a), bytemuck::cast_slice::<u8, f32>(b));
        let mut c = c.lend(0..c.len()).expect("nobody else has it");
        let c: &mut [f32] = bytemuck::cast_slice_mut(&mut c);
        time(|| {
            self.pool.install(|| {
                c.par_chunks_exact_mut(n).zip(a.par_chunks_exact(n)).for_each(|(c, a)| {
                    for (j, c) in c.iter_mut().enumerate() {
                        *c = (0..n).map(|k| a[k] * b[k * n + j]).sum();
                    }
                });
            });
        })
    }

    /// Runs each side once on fresh arrays and compares the results with the workload's reference.
    ///
    /// # Errors
    /// Naming the side whose result is wrong.
    pub fn verify(&mut self) -> Result<()> {
        /// Runs one side; `None` where it is absent.
        type Side = fn(&mut Contest) -> Option<Option<Scalar>>;
        let sides: [(&str, Side); 3] = [
            ("apportion", |contest| Some(contest.ours().1)),
            ("rayon", |contest| Some(contest.rayon().1)),
            ("OpenMP", |contest| contest.openmp().map(|(_, reduced)| reduced)),
        ];
        for (name, side) in sides {
            self.instance.reset();
            if let Some(reduced) = side(self) {
                let verification = self.instance.verify(reduced);
                if !verification.ok {
                    let workload = self.instance.name();
                    return Err(Error::Call(format!("{workload} by {name} is wrong: {verification:?}")));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_compute_the_same() {
        for workload in ["axpy", "sum", "matvec", "stencil2d", "bm2d", "matmul"] {
            let mut contest = Contest::new(workload, Some(208)).unwrap();
            if let Some(why) = contest.without_openmp() {
                eprintln!("{workload}: OpenMP is left out: {why}");
            }
            contest.verify().unwrap();
        }
    }

    #[test]
    fn the_triple_loop_multiplies() {
        let mut contest = Contest::new("matmul", Some(48)).unwrap();
        contest.instance.reset();
        contest.triple_loop();
        assert!(contest.instance.verify(None).ok);
    }
}
