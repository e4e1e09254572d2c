//! The six kernels of the HOMP authors' public code: what a chunk copies, and how work grows with the size.
//!
//! An iteration is one index of the loop that is divided: an element of a vector, or a row of a square array.
//! These are not this project's own workloads of the same names: `sum` is a dot product of two f64 vectors, `bm2d` a
//! cross of random radius, and no kernel uses blocking or a library.

use crate::policies::Policy;
use std::fmt;

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// `y[i] += a*x[i]`, f32.
    Axpy,
    /// `s += x[i]*y[i]`, f64.
    Sum,
    /// `y[i] += sum_j a[i][j]*x[j]`, f32, one GPU thread a row.
    Matvec,
    /// `C = A*B`, f32, one GPU thread an element, B whole on every device.
    Matmul,
    /// 13-point cross, f32, many sweeps with an exchange of three rows after each.
    Stencil2d,
    /// Cross of random radius 0 to 9, f32, 101 sweeps.
    Bm2d,
}

/// An array of a kernel, as one chunk of it goes to a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Array {
    /// Bytes per iteration.
    pub per_iteration: f64,
    /// Bytes independent of the chunk: halo rows, or a replicated array.
    pub fixed: f64,
    /// Copied in.
    pub to: bool,
    /// Copied out.
    pub from: bool,
    /// Whole on every device, and copied there once per offload.
    pub replicated: bool,
}

impl Array {
    /// Its bytes in a chunk.
    pub fn bytes(&self, iterations: u64) -> f64 {
        self.per_iteration * iterations as f64 + self.fixed
    }

    const fn aligned(per_iteration: f64, to: bool, from: bool) -> Self {
        Self { per_iteration, fixed: 0.0, to, from, replicated: false }
    }

    const fn replicated(fixed: f64) -> Self {
        Self { per_iteration: 0.0, fixed, to: true, from: false, replicated: true }
    }
}

/// How a kernel's program runs its loop within the timed part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// Sweeps over the whole loop.
    pub sweeps: u64,
    /// Whether arrays are put on the devices before the timed part, with all sweeps in one offload; otherwise every sweep is an
    /// offload with allocation and copies.
    pub resident: bool,
    /// Rows that each device pulls from each neighbour after a sweep; 0 if none.
    pub exchanged_rows: u64,
}

/// Rows on either side that stencil2d reads.
const STENCIL_RADIUS: u64 = 3;
/// The same for bm2d, its `maxwin`.
const BM_RADIUS: u64 = 10;
/// stencil2d on the set of GPUs: 5000 made odd.
const STENCIL_SWEEPS_GPU: u64 = 5001;
/// stencil2d on sets with the host or a Xeon Phi: 1000 made odd.
const STENCIL_SWEEPS: u64 = 1001;
const BM_SWEEPS: u64 = 101;

impl Kernel {
    /// All of them, in the order of the paper's figures.
    pub const ALL: [Self; 6] = [Self::Axpy, Self::Matvec, Self::Matmul, Self::Stencil2d, Self::Sum, Self::Bm2d];

    /// The name in the authors' result files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axpy => "axpy",
            Self::Sum => "sum",
            Self::Matvec => "matvec",
            Self::Matmul => "matmul",
            Self::Stencil2d => "stencil2d",
            Self::Bm2d => "bm2d",
        }
    }

    /// The kernel of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kernel| kernel.name() == name)
    }

    /// Arrays of a loop of `n` iterations; rows of a grid have length `n`, too.
    pub fn arrays(self, n: u64) -> Vec<Array> {
        let row = 4.0 * n as f64;
        match self {
            Self::Axpy => vec![Array::aligned(4.0, true, false), Array::aligned(4.0, true, true)],
            Self::Sum => vec![Array::aligned(8.0, true, false), Array::aligned(8.0, true, false)],
            Self::Matvec => {
                vec![Array::aligned(row, true, false), Array::aligned(4.0, true, true), Array::replicated(row)]
            }
            Self::Matmul => vec![
                Array::aligned(row, true, false),
                Array::aligned(row, false, true),
                Array::replicated(row * n as f64),
            ],
            Self::Stencil2d => grid(n, STENCIL_RADIUS),
            Self::Bm2d => grid(n, BM_RADIUS),
        }
    }

    /// The power of `n` with which an iteration's work grows. The GPU code of bm2d computes each point `n` times, once for every
    /// row of threads.
    pub const fn power(self, on_gpu: bool) -> i32 {
        match self {
            Self::Axpy | Self::Sum => 0,
            Self::Matvec | Self::Stencil2d => 1,
            Self::Matmul => 2,
            Self::Bm2d => {
                if on_gpu {
                    2
                } else {
                    1
                }
            }
        }
    }

    /// What the program declares to the models, per iteration: operations, and bytes as the code counts them.
    ///
    /// The code counts every aligned array once, in one direction, so 8 bytes for axpy instead of 12; sum is declared with one
    /// operation and elements of 4 bytes.
    pub fn declared(self, n: u64) -> (f64, f64) {
        let n = n as f64;
        match self {
            Self::Axpy => (2.0, 8.0),
            Self::Sum => (1.0, 8.0),
            Self::Matvec => (2.0 * n, 4.0 * n + 4.0),
            Self::Matmul => (2.0 * n * n, 8.0 * n),
            Self::Stencil2d => (13.0 * (n + 2.0 * STENCIL_RADIUS as f64), 0.0),
            Self::Bm2d => (13.0 * (n + 2.0 * BM_RADIUS as f64), 0.0),
        }
    }

    /// Bytes of replicated arrays, which the models count once for each device.
    pub fn replicated_bytes(self, n: u64) -> f64 {
        self.arrays(n).iter().filter(|array| array.replicated).map(|array| array.fixed).sum()
    }

    /// Its program under a policy. stencil2d swept 5001 times if all devices were GPUs, otherwise 1001 times.
    pub const fn program(self, policy: Policy, gpus_alone: bool) -> Program {
        match self {
            Self::Stencil2d => Program {
                sweeps: if gpus_alone { STENCIL_SWEEPS_GPU } else { STENCIL_SWEEPS },
                resident: true,
                exchanged_rows: STENCIL_RADIUS,
            },
            Self::Bm2d => Program { sweeps: BM_SWEEPS, resident: policy.one_chunk_each(), exchanged_rows: 0 },
            _ => Program { sweeps: 1, resident: false, exchanged_rows: 0 },
        }
    }

    /// Bytes of a row of the grid with its frame.
    pub fn framed_row_bytes(self, n: u64) -> f64 {
        let radius = if matches!(self, Self::Bm2d) { BM_RADIUS } else { STENCIL_RADIUS };
        4.0 * (n + 2 * radius) as f64
    }

    /// Whether its launch ends with partial sums that are copied back and added.
    pub const fn reduces(self) -> bool {
        matches!(self, Self::Sum)
    }
}

/// u and uold with `radius` halo rows on both sides, and the table of weights.
fn grid(n: u64, radius: u64) -> Vec<Array> {
    let row = 4.0 * (n + 2 * radius) as f64;
    let halo = row * 2.0 * radius as f64;
    let table = 2.0 * radius as f64 + 1.0;
    let u = Array { per_iteration: row, fixed: halo, to: true, from: true, replicated: false };
    vec![u, Array { from: false, ..u }, Array::replicated(4.0 * table * table)]
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
