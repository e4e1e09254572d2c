//! Loops and regions whose results are known to the last bit.

use crate::common::machines::{host, opencl, runtime};
use apportion::kernel::{DeviceSource, Grid};
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, Edge, RegionSplit};

/// What runs.
#[derive(Clone, Copy, Debug)]
pub enum Scene {
    /// A loop in pieces on a device with its own memory, alone or with the host.
    Copies { host: bool },
    /// The same on a device in the host's memory.
    InPlace,
    /// A sum, in pieces.
    Sum,
    /// A region on two devices with periodic edges, whose ghosts go by way of the host; or on one, which copies its own.
    Region { devices: usize },
    /// The same in a grid, where columns are copied as boxes.
    Grid,
    /// Sums of a region, some of them asked for later.
    RegionSums,
    /// A kernel of which each access is compared with its array when it runs, in a loop or in a region.
    Compared { region: bool },
}

/// How a scene ended: which faults its report names.
pub type Ended = Result<Vec<String>>;

const N: usize = 3000;
const ROWS: usize = 24;
const WIDTH: usize = 7;

pub fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 20)).collect()
}

fn device(text: &str, entry: &str) -> DeviceSource {
    // SAFETY: the kernels here stay within the sections that they are given.
    unsafe { DeviceSource::new(text, entry, Grid::per_iteration(8)) }
}

/// y[i] = 3 y[i] + x[i] + t[i % 16], where all of t is on each device.
fn triple_add() -> Kernel {
    let text =
        "__kernel void triple_add(long lo, long hi, __global const ulong *t, long t0, __global const ulong *x, long x0,
                                         __global ulong *y, long y0) {
        long i = lo + get_global_id(0);
        if (i < hi) y[i - y0] = 3 * y[i - y0] + x[i - x0] + t[i % 16 - t0];
    }";
    Kernel::new("triple_add")
        .host(|rows: Range<usize>, t: In<u64>, x: In<u64>, mut y: Out<u64>| {
            rows.for_each(|i| y[i] = y[i].wrapping_mul(3).wrapping_add(x[i]).wrapping_add(t[i % 16]));
        })
        .opencl_source(device(text, "triple_add"))
}

pub fn total(grid: Grid) -> Kernel {
    let text = "__kernel void total(long lo, long hi, __global const ulong *x, long x0, __global ulong *sums) {
        ulong sum = 0;
        for (long i = lo + get_global_id(0); i < hi; i += get_global_size(0)) sum += x[i - x0];
        sums[get_group_id(0)] = sum;
    }";
    // SAFETY: the kernel stays within the sections that it is given.
    Kernel::new("total").opencl_source(unsafe { DeviceSource::new(text, "total", grid) })
}

fn five_groups() -> Grid {
    Grid::new([1, 1, 1], |_| [5, 1, 1])
}

/// Each row of v from three rows of u.
fn blend() -> Kernel {
    let text =
        "__kernel void blend(long lo, long hi, ulong m, __global const ulong *u, long u0, __global ulong *v, long v0) {
        long i = lo + get_global_id(0);
        if (i < hi) for (long k = i * m; k < (i + 1) * (long)m; ++k)
            v[k - v0] = 5 * u[k - u0] + 3 * u[k - (long)m - u0] + 7 * u[k + m - u0];
    }";
    Kernel::new("blend").opencl_source(device(text, "blend"))
}

#[kernel]
#[map(x: full)]
fn pick(i: usize, at: &[u64], x: &[u64], y: &mut [u64]) {
    y[i] = x[at[i] as usize];
}

/// Each cell from those beside it, which go on at the other side.
fn blend_cells() -> Kernel {
    let text = "__kernel void blend(long lo, long hi, long lo1, long hi1, __global const ulong *u, long u0, long m,
                                    __global ulong *v, long v0, long v_m) {
        long i = lo + get_global_id(1), j = lo1 + get_global_id(0);
        if (i >= hi || j >= hi1) return;
        long k = i * m + j - u0;
        v[i * v_m + j - v0] = 5 * u[k] + 3 * u[k - m] + 7 * u[k + 1];
    }";
    let grid = Grid::of_rows_and_columns([4, 2, 1], |rows, columns| [columns, rows, 1]);
    // SAFETY: the kernel stays within the sections that it is given.
    Kernel::new("blend_cells").opencl_source(unsafe { DeviceSource::new(text, "blend", grid) })
}

fn mixed_cells(u: &[u64]) -> Vec<u64> {
    let at = |i: usize, j: usize| u[i % ROWS * WIDTH + j % WIDTH];
    let cell = |(i, j): (usize, usize)| {
        let (above, beside) = (at(i + ROWS - 1, j).wrapping_mul(3), at(i, j + 1).wrapping_mul(7));
        at(i, j).wrapping_mul(5).wrapping_add(above).wrapping_add(beside)
    };
    (0..ROWS).flat_map(|i| (0..WIDTH).map(move |j| (i, j))).map(cell).collect()
}

fn mixed(u: &[u64]) -> Vec<u64> {
    let (n, m) = (u.len(), WIDTH);
    let at = |k: usize| u[k % n];
    let cell = |k: usize| {
        at(k).wrapping_mul(5).wrapping_add(at(k + n - m).wrapping_mul(3)).wrapping_add(at(k + m).wrapping_mul(7))
    };
    (0..n).map(cell).collect()
}

/// One device may be opened several times if the descriptions differ: here in how much of the platform's name they contain.
fn copies(name: &str) -> String {
    let said = 5 + usize::from(name.as_bytes()[name.len() - 1] - b'a');
    opencl(name, "discrete").replace("portable", &"portable computing"[..said])
}

impl Scene {
    pub const ALL: [Self; 10] = [
        Self::Copies { host: false },
        Self::Copies { host: true },
        Self::InPlace,
        Self::Sum,
        Self::Region { devices: 1 },
        Self::Region { devices: 2 },
        Self::Grid,
        Self::RegionSums,
        Self::Compared { region: false },
        Self::Compared { region: true },
    ];

    /// Opens its devices.
    pub fn open(self) -> Result<Runtime> {
        let devices = match self {
            Self::Copies { host: false }
            | Self::Sum
            | Self::Region { devices: 1 }
            | Self::Compared { region: false } => {
                vec![copies("a")]
            }
            Self::Copies { host: true } => vec![copies("a"), host()],
            Self::InPlace => vec![opencl("a", "shared")],
            Self::Region { .. } | Self::Grid | Self::RegionSums | Self::Compared { region: true } => {
                vec![copies("a"), copies("b")]
            }
        };
        runtime(&devices)
    }

    /// Runs it, and compares its results unless there is an error.
    pub fn run(self, rt: &Runtime) -> Ended {
        let what = format!("{self:?} without an error");
        match self {
            Self::Copies { .. } | Self::InPlace => {
                let (t, x, mut y) = (numbers(16), numbers(N), numbers(N));
                let value = |i: usize| y[i].wrapping_mul(3).wrapping_add(x[i]).wrapping_add(t[i % 16]);
                let expected: Vec<u64> = (0..N).map(value).collect();
                let kernel = triple_add();
                let bound = kernel.bind().to(&t).full().to(&x).align().tofrom(&mut y).align();
                let report = rt.parallel_for(0..N, bound).policy("SCHED_DYNAMIC:10%".parse::<Policy>()?).run()?;
                assert!(y == expected, "{what}: wrong");
                Ok(report.faults.iter().map(ToString::to_string).collect())
            }
            Self::Sum => {
                let x = numbers(N);
                let kernel = total(five_groups());
                let sum =
                    rt.parallel_for(0..N, kernel.bind().to(&x).align()).policy("SCHED_DYNAMIC:10%".parse::<Policy>()?);
                let sum = sum.reduce::<u64>(Sum)?;
                assert_eq!(sum.value, x.iter().fold(0u64, |a, b| a.wrapping_add(*b)), "{what}: wrong");
                Ok(Vec::new())
            }
            Self::Region { .. } => {
                let start = numbers(ROWS * WIDTH);
                let (mut u, mut v) = (start.clone(), start.clone());
                let kernel = blend();
                let mut region = rt.data_region().split(RegionSplit::Even);
                let mut old = region.tofrom(&mut u, [ROWS, WIDTH].halo(1).edge(Edge::Periodic));
                let mut now = region.tofrom(&mut v, [ROWS, WIDTH].halo(1).edge(Edge::Periodic));
                for _ in 0..3 {
                    region.parallel_for(0..ROWS, kernel.bind().scalar(WIDTH as u64).reads(old).writes(now)).run()?;
                    std::mem::swap(&mut old, &mut now);
                }
                region.halo_exchange(old)?;
                region.finish()?;
                assert!(v == mixed(&mixed(&mixed(&start))), "{what}: wrong");
                Ok(Vec::new())
            }
            Self::Grid => {
                let start = numbers(ROWS * WIDTH);
                let (mut u, mut v) = (start.clone(), start.clone());
                let kernel = blend_cells();
                let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
                let mut old = region.tofrom(&mut u, [ROWS, WIDTH].halo(1).edge(Edge::Periodic));
                let mut now = region.tofrom(&mut v, [ROWS, WIDTH].halo(1).edge(Edge::Periodic));
                for _ in 0..3 {
                    region.parallel_for_2d(0..ROWS, 0..WIDTH, kernel.bind().reads(old).writes(now)).run()?;
                    std::mem::swap(&mut old, &mut now);
                }
                region.finish()?;
                assert!(v == mixed_cells(&mixed_cells(&mixed_cells(&start))), "{what}: wrong");
                Ok(Vec::new())
            }
            Self::Compared { region: in_region } => {
                let x = numbers(N);
                let at: Vec<u64> = (0..N as u64).rev().collect();
                let mut y = vec![0; N];
                if in_region {
                    let mut region = rt.data_region().split(RegionSplit::Even);
                    let (at, x) = (region.to(&at, [N]), region.to(&x, [N].full()));
                    let y = region.from(&mut y, [N]);
                    region.parallel_for(0..N, pick(at, x, y)).run()?;
                    region.parallel_for(0..N, pick(at, x, y)).run()?;
                    region.finish()?;
                } else {
                    let policy: Policy = "SCHED_DYNAMIC:10%".parse()?;
                    rt.parallel_for(0..N, pick(&at, &x, &mut y)).policy(policy).run()?;
                }
                assert!(y.iter().eq(x.iter().rev()), "{what}: wrong");
                Ok(Vec::new())
            }
            Self::RegionSums => {
                let x = numbers(N);
                let expected = x.iter().fold(0u64, |a, b| a.wrapping_add(*b));
                let kernel = total(five_groups());
                let mut region = rt.data_region().split(RegionSplit::Even);
                let read = region.to(&x, [N]);
                let later =
                    [(); 3].map(|()| region.parallel_for(0..N, kernel.bind().reads(read)).reduce_later::<u64>(Sum));
                assert_eq!(
                    region.parallel_for(0..N, kernel.bind().reads(read)).reduce::<u64>(Sum)?,
                    expected,
                    "{what}"
                );
                for later in later {
                    assert_eq!(region.value(later?)?, expected, "{what}");
                }
                region.finish()?;
                Ok(Vec::new())
            }
        }
    }
}
