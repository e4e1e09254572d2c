//! Kernels that the stand-in computes, and loops whose whole results are compared.

use crate::common;
use crate::standin::{NOT_SUPPORTED, StandIn};
use apportion::HostVec;
use apportion::kernel::{DeviceImage, Grid};
use apportion::prelude::*;
use apportion::sched::POLICIES;
use std::ops::{Deref, DerefMut};

pub fn image(entry: &str) -> DeviceImage {
    // SAFETY: the kernel stays within the sections that it is given.
    unsafe { DeviceImage::new("standin:", entry, Grid::per_iteration(64)) }
}

pub fn triple_add() -> Kernel {
    common::triple_add().cuda_image(image("triple_add"))
}

pub fn total() -> Kernel {
    common::total().cuda_image(image("total"))
}

/// A whole array to which iterations contribute.
pub fn count() -> Kernel {
    Kernel::new("count")
        .host(|range: Range<usize>, bins: i64, x: In<u64>, mut counts: Out<u64>| {
            range.for_each(|i| counts[(x[i] % bins.cast_unsigned()) as usize] += 1);
        })
        .cuda_image(image("count"))
        .cost(Cost::per_iteration().flops(1).loads(8))
}

/// Takes its scalars as arguments, like the stand-in's kernel.
pub fn column_sums() -> Kernel {
    Kernel::new("column_sums")
        .host(|range: Range<usize>, rows: i64, cols: i64, radius: i64, x: In<i64>, mut y: Out<i64>| {
            let (rows, cols, radius) = (rows as usize, cols as usize, radius as usize);
            for (i, j) in range.flat_map(|i| (0..cols).map(move |j| (i, j))) {
                y[i * cols + j] = (i.saturating_sub(radius)..(i + radius + 1).min(rows)).map(|k| x[k * cols + j]).sum();
            }
        })
        .cuda_image(image("column_sums"))
        .cost(Cost::per_iteration().flops(100).loads(800).stores(800))
}

pub fn scale() -> Kernel {
    Kernel::new("scale")
        .host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| range.for_each(|i| y[i] = a * x[i]))
        .cuda_image(image("scale"))
        .cost(Cost::per_iteration().flops(1).loads(4).stores(4))
}

pub fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).collect()
}

pub fn policies() -> Vec<Policy> {
    let every = POLICIES.iter().map(|entry| entry.name.parse().expect(entry.name));
    every.chain([Policy::AutoHeuristic]).collect()
}

/// Where the arrays of a loop lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Plain,
    Locked,
}

/// An array in one of these kinds of memory.
pub enum Array<T> {
    Plain(Vec<T>),
    Locked(HostVec<T>),
}

impl Memory {
    pub const BOTH: [Self; 2] = [Self::Plain, Self::Locked];

    pub fn of<T: apportion::element::Element>(self, data: &[T]) -> Array<T> {
        match self {
            Self::Plain => Array::Plain(data.to_vec()),
            Self::Locked => Array::Locked(HostVec::from_slice(data).unwrap()),
        }
    }
}

impl<T: apportion::element::Element> Deref for Array<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Self::Plain(array) => array,
            Self::Locked(array) => array,
        }
    }
}

impl<T: apportion::element::Element> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Plain(array) => array,
            Self::Locked(array) => array,
        }
    }
}

/// Makes plain arrays go through page-locked memory in this process. Otherwise the backend locks them for each loop, since
/// locking costs nothing on the stand-in.
pub fn never_register(standin: &StandIn) {
    standin.fail("cuMemHostRegister_v2", 1, NOT_SUPPORTED);
    let rt = crate::machine::runtime(&[crate::machine::gpu(0)]);
    check_triple_add(&rt, &Policy::Block, &numbers(100), &mut numbers(100)).unwrap();
    drop(rt);
    standin.nothing_is_left("a loop");
    standin.fresh();
}

fn compare<T: PartialEq + std::fmt::Debug>(found: &[T], expected: &[T], report: &Report) {
    if let Some(i) = (0..expected.len()).find(|&i| found[i] != expected[i]) {
        panic!("[{i}] is {:?}, not {:?}\n{report}", found[i], expected[i]);
    }
}

/// Runs `y = 3 y + x`. An iteration that ran twice shows.
pub fn check_triple_add(rt: &Runtime, policy: &Policy, x: &[u64], y: &mut [u64]) -> Result<Report> {
    let expected: Vec<u64> = x.iter().zip(&*y).map(|(x, y)| y.wrapping_mul(3).wrapping_add(*x)).collect();
    let bound = triple_add().bind().to(x).named("x").align().tofrom(y).named("y").align();
    let report = rt.parallel_for(0..x.len(), bound).policy(policy.clone()).poison(true).run()?;
    compare(y, &expected, &report);
    Ok(report)
}

/// As [`check_triple_add`], with `x` replicated.
pub fn check_replicated(rt: &Runtime, policy: &Policy, x: &[u64], y: &mut [u64]) -> Result<Report> {
    let expected: Vec<u64> = x.iter().zip(&*y).map(|(x, y)| y.wrapping_mul(3).wrapping_add(*x)).collect();
    let bound = triple_add().bind().to(x).named("table").full().tofrom(y).named("y").align();
    let report = rt.parallel_for(0..x.len(), bound).policy(policy.clone()).run()?;
    compare(y, &expected, &report);
    Ok(report)
}

pub fn check_total(rt: &Runtime, policy: &Policy, x: &[u64]) -> Result<Report> {
    let sum = rt.parallel_for(0..x.len(), total().bind().to(x).align()).policy(policy.clone());
    let sum = sum.poison(true).reduce::<u64>(Sum)?;
    assert_eq!(sum.value, x.iter().fold(0u64, |a, b| a.wrapping_add(*b)), "{policy}\n{}", sum.report);
    Ok(sum.report)
}

/// A histogram, added to what was in it.
pub fn check_count(rt: &Runtime, policy: &Policy, memory: Memory, x: &[u64]) -> Result<Report> {
    check_count_in(rt, policy, memory, x, 37)
}

/// As [`check_count`], with so many counts.
pub fn check_count_in(rt: &Runtime, policy: &Policy, memory: Memory, x: &[u64], bins: usize) -> Result<Report> {
    let mut expected: Vec<u64> = (0..bins as u64).collect();
    x.iter().for_each(|x| expected[(x % bins as u64) as usize] += 1);
    let mut counts = memory.of(&(0..bins as u64).collect::<Vec<_>>());
    let bound = count().bind().scalar(bins as i64).to(x).align().reduces(&mut counts[..], Sum);
    let report = rt.parallel_for(0..x.len(), bound).policy(policy.clone()).poison(true).run()?;
    compare(&counts, &expected, &report);
    Ok(report)
}

/// Rows with a halo, written to a `from` array.
pub fn check_column_sums(rt: &Runtime, policy: &Policy, memory: Memory, cols: usize, rows: usize) -> Result<Report> {
    let grid: Vec<i64> = (0..rows * cols).map(|i| (i as i64).wrapping_mul(7919) % 1009).collect();
    let expected: Vec<i64> = (0..rows * cols)
        .map(|at| ((at / cols).saturating_sub(2)..(at / cols + 3).min(rows)).map(|k| grid[k * cols + at % cols]).sum())
        .collect();
    let (grid, mut sums) = (memory.of(&grid), memory.of(&vec![-1i64; rows * cols]));
    let kernel = column_sums();
    let bound = kernel.bind().scalar(rows as i64).scalar(cols as i64).scalar(2i64);
    let bound = bound.to(&grid).align_rows(cols).halo(2).from(&mut sums).align_rows(cols);
    let report = rt.parallel_for(0..rows, bound).policy(policy.clone()).poison(true).run()?;
    compare(&sums, &expected, &report);
    Ok(report)
}

/// A loop over part of an array; the rest must stay unchanged.
pub fn check_scale(rt: &Runtime, policy: &Policy, memory: Memory, n: usize) -> Result<Report> {
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let range = n / 3..n - n / 7;
    let expected: Vec<f32> = (0..n).map(|i| if range.contains(&i) { 2.5 * x[i] } else { -1.0 }).collect();
    let (x, mut y) = (memory.of(&x), memory.of(&vec![-1f32; n]));
    let bound = scale().bind().scalar(2.5f32).to(&x).align().from(&mut y).align();
    let report = rt.parallel_for(range, bound).policy(policy.clone()).poison(true).run()?;
    compare(&y, &expected, &report);
    Ok(report)
}

/// A replicated `x` and no other copy in for a kernel to wait for.
pub fn check_table(rt: &Runtime, policy: &Policy, memory: Memory, n: usize) -> Result<Report> {
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let expected: Vec<f32> = x.iter().map(|x| 0.5 * x).collect();
    let (x, mut y) = (memory.of(&x), memory.of(&vec![-1f32; n]));
    let bound = scale().bind().scalar(0.5f32).to(&x).full().from(&mut y).align();
    let report = rt.parallel_for(0..n, bound).policy(policy.clone()).run()?;
    compare(&y, &expected, &report);
    Ok(report)
}

/// An array that exists on the devices alone.
pub fn check_scratch(rt: &Runtime, policy: &Policy, memory: Memory, n: usize) -> Result<Report> {
    let kernel = triple_add();
    let x = memory.of(&numbers(n));
    rt.parallel_for(0..n, kernel.bind().to(&x).align().alloc::<u64>(n).align()).policy(policy.clone()).run()
}

/// A BLOCK array, which is divided before the loop.
pub fn check_block(rt: &Runtime, memory: Memory, n: usize) -> Result<Report> {
    let (x, mut y) = (memory.of(&numbers(n)), memory.of(&numbers(n)));
    let expected: Vec<u64> = x.iter().map(|x| 4 * x).collect();
    let kernel = triple_add();
    let report = rt.parallel_for(0..n, kernel.bind().to(&x).block_rows(1).tofrom(&mut y).block_rows(1)).run()?;
    compare(&y, &expected, &report);
    Ok(report)
}

/// 16 rows for each iteration, and a halo: finds blocks of an image in the same image, at their own places.
pub fn check_ratio(rt: &Runtime, policy: &Policy, memory: Memory) -> Result<Report> {
    const N: usize = 112;
    let picture: Vec<u8> = (0..N * N).map(|i| ((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let (current, reference) = (memory.of(&picture), memory.of(&picture));
    let mut found = memory.of(&vec![-7i32; N / 16 * (N / 16) * 3]);
    let kernel = Kernel::new("bm2d")
        .host(|range: Range<usize>, _: i64, _: In<u8>, _: In<u8>, mut found: Out<i32>| {
            range.for_each(|i| found.slice_mut(i * (N / 16) * 3..(i + 1) * (N / 16) * 3).fill(0));
        })
        .cuda_image(image("bm2d"))
        .cost(Cost::per_iteration().flops(200_000).loads(2000).stores(80));
    let bound = kernel.bind().scalar(N as i64).to(&current).align_rows(N).ratio(16);
    let bound = bound.to(&reference).align_rows(N).ratio(16).halo(8).from(&mut found).align_rows(N / 16 * 3);
    let report = rt.parallel_for(0..N / 16, bound).policy(policy.clone()).poison(true).run()?;
    compare(&found, &vec![0; found.len()], &report);
    Ok(report)
}
