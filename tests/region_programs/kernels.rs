//! The loops of random programs, for every kind of device.
#![allow(unsafe_code, reason = "kernels by hand, which stay within their arrays")]

use super::{Array, BINS};
use apportion::kernel::{Bound, Cost, DeviceImage, DeviceSource, Grid, In, Kernel, Out};
use apportion::prelude::*;
use apportion::region::Edge;

/// A cell of `to` from the rows around it, each with another weight.
pub fn mixed(to: usize, from: &Array, iteration: usize, reach: [usize; 2], read: impl Fn(isize) -> u64) -> u64 {
    let first = from.first(iteration) as isize;
    let rows = first - reach[0] as isize..first + (from.ratio + reach[1]) as isize;
    let there = rows.filter(|row| from.edge != Edge::None || (0..from.rows as isize).contains(row));
    there.fold(to as u64 + 1, |sum, row| sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(read(row)) ^ (sum >> 29))
}

/// Device kernels get an array's ratio, offset, columns, rows and periodic edges packed in a number.
const SOURCE: &str = "
#define RATIO(a) (long)((a) & 255)
#define FIRST(a, i) ((long)((a) >> 8 & 255) + RATIO(a) * (i))
#define INNER(a) (long)((a) >> 16 & 255)
#define ROWS(a) (long)((a) >> 24 & 0xffff)
#define GOES_ON(a) ((a) >> 40)
KERNEL sweep_rows(long lo, long hi, ulong to, ulong from, ulong reach, GLOBAL const ulong *table, long table0,
                  GLOBAL const ulong *x, long x0, GLOBAL ulong *y, long y0) {
    long i = lo + ITEM, m = INNER(to);
    if (i >= hi) return;
    for (long row = FIRST(to, i); row < FIRST(to, i + 1); ++row)
        for (long c = 0; c < m; ++c) {
            ulong sum = row + 1;
            for (long r = FIRST(from, i) - (long)(reach & 255); r < FIRST(from, i + 1) + (long)(reach >> 8); ++r)
                if (GOES_ON(from) || (r >= 0 && r < ROWS(from)))
                    sum = (sum * 0x9e3779b97f4a7c15UL + x[r * m + c - x0]) ^ (sum >> 29);
            y[row * m + c - y0] = sum + table[c - table0];
        }
}
KERNEL update_rows(long lo, long hi, ulong of, GLOBAL ulong *x, long x0) {
    long i = lo + ITEM, m = INNER(of);
    if (i >= hi) return;
    for (long row = FIRST(of, i); row < FIRST(of, i + 1); ++row)
        for (long c = 0; c < m; ++c) x[row * m + c - x0] = x[row * m + c - x0] * 5 + row;
}
KERNEL total_rows(long lo, long hi, ulong of, GLOBAL const ulong *x, long x0, GLOBAL ulong *partial) {
    LOCAL ulong sums[4];
    long i = lo + ITEM, m = INNER(of);
    ulong sum = 0;
    if (i < hi)
        for (long row = FIRST(of, i); row < FIRST(of, i + 1); ++row) {
            ulong weighed = row;
            for (long c = 0; c < m; ++c) weighed = weighed * 31 + x[row * m + c - x0];
            sum += weighed;
        }
    sums[IN_GROUP] = sum;
    BARRIER;
    if (IN_GROUP == 0) partial[GROUP] = sums[0] + sums[1] + sums[2] + sums[3];
}
KERNEL count_rows(long lo, long hi, ulong of, GLOBAL const ulong *x, long x0, GLOBAL ulong *bins, long bins0) {
    long i = lo + ITEM, m = INNER(of);
    if (i >= hi) return;
    for (long at = FIRST(of, i) * m; at < FIRST(of, i + 1) * m; ++at) ADD_ONE(bins + x[at - x0] % 5 - bins0);
}
";

/// The definitions in which the languages differ.
const OPENCL: &str = "
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define KERNEL __kernel void
#define GLOBAL __global
#define LOCAL __local
#define ITEM get_global_id(0)
#define IN_GROUP get_local_id(0)
#define GROUP get_group_id(0)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define ADD_ONE(at) atom_add(at, 1UL)
";
const CUDA: &str = "
#define ulong unsigned long long
#define KERNEL extern \"C\" __global__ void
#define GLOBAL
#define LOCAL __shared__
#define ITEM ((long)blockIdx.x * blockDim.x + threadIdx.x)
#define IN_GROUP threadIdx.x
#define GROUP blockIdx.x
#define BARRIER __syncthreads()
#define ADD_ONE(at) atomicAdd(at, 1ULL)
";

/// Adds the device variants of this name to a host body.
fn everywhere(kernel: Kernel, name: &str) -> Kernel {
    let (grid, source) = (Grid::per_iteration(4), |words: &str| format!("{words}{SOURCE}"));
    // SAFETY: the kernel stays within the sections that it is given.
    let kernel = kernel.opencl_source(unsafe { DeviceSource::new(source(OPENCL), name, grid.clone()) });
    // A driver other than NVIDIA's knows these kernels by their names.
    let kernel = match std::env::var_os("APPORTION_LIBCUDA") {
        // SAFETY: the kernel stays within the sections that it is given.
        Some(_) => kernel.cuda_image(unsafe { DeviceImage::new("standin:", name, grid) }),
        // SAFETY: the kernel stays within the sections that it is given.
        None => kernel.cuda_source(unsafe { DeviceSource::new(source(CUDA), name, grid) }),
    };
    kernel.cost(Cost::per_iteration().flops(1000).loads(100).stores(100))
}

impl Array {
    fn numbers(&self) -> u64 {
        let edge = u64::from(self.edge != Edge::None);
        (self.ratio | self.offset << 8 | self.inner << 16 | self.rows << 24) as u64 | edge << 40
    }
}

pub fn sweep(to: Array, from: Array, reach: [usize; 2]) -> Bound<'static> {
    let body = move |rows: Range<usize>, _: u64, _: u64, _: u64, table: In<u64>, x: In<u64>, mut y: Out<u64>| {
        for i in rows {
            for (row, c) in (to.first(i)..to.first(i + 1)).flat_map(|row| (0..to.inner).map(move |c| (row, c))) {
                let value = mixed(row, &from, i, reach, |row| x.cells(row, c as isize..c as isize + 1)[0]);
                y.row_mut(row)[c] = value.wrapping_add(table[c]);
            }
        }
    };
    let bound = everywhere(Kernel::new("sweep").host(body), "sweep_rows").bind();
    bound.scalar(to.numbers()).scalar(from.numbers()).scalar((reach[0] | reach[1] << 8) as u64)
}

pub fn update(array: Array) -> Bound<'static> {
    let body = move |rows: Range<usize>, _: u64, mut x: Out<u64>| {
        for row in rows.flat_map(|i| array.first(i)..array.first(i + 1)) {
            x.row_mut(row).iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(row as u64));
        }
    };
    everywhere(Kernel::new("update").host(body), "update_rows").bind().scalar(array.numbers())
}

pub fn weighed(row: usize, values: &[u64]) -> u64 {
    values.iter().fold(row as u64, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
}

pub fn total(array: Array) -> Bound<'static> {
    let body = move |rows: Range<usize>, _: u64, x: In<u64>| {
        let rows = rows.flat_map(|i| array.first(i)..array.first(i + 1));
        rows.fold(0u64, |sum, row| sum.wrapping_add(weighed(row, x.row(row))))
    };
    everywhere(Kernel::new("total").host(body), "total_rows").bind().scalar(array.numbers())
}

pub fn count(array: Array) -> Bound<'static> {
    let body = move |rows: Range<usize>, _: u64, x: In<u64>, mut bins: Out<u64>| {
        for row in rows.flat_map(|i| array.first(i)..array.first(i + 1)) {
            x.row(row).iter().for_each(|x| bins[(x % BINS as u64) as usize] += 1);
        }
    };
    everywhere(Kernel::new("count").host(body), "count_rows").bind().scalar(array.numbers())
}
