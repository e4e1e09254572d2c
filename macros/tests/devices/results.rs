//! Results of reductions as scalars of later loops, which the host need not wait for.
#![allow(unsafe_code, reason = "a kernel by hand, which stays within its array")]

use crate::common::{numbers, runtimes};
use apportion::kernel::{DeviceSource, Grid};
use apportion::prelude::*;
use apportion::region::{DataRegion, Dims, Later, Mapped};

/// Writes a multiple, and gives it.
#[kernel]
fn multiple(i: usize, by: f64, x: &[f64], y: &mut [f64]) -> f64 {
    y[i] = by * x[i];
    y[i]
}

#[kernel]
fn single(i: usize, by: f32, x: &[f32], y: &mut [f32]) -> f32 {
    y[i] = by * x[i];
    y[i]
}

#[kernel]
fn note(i: usize, a: f64, b: f64, log: &mut [f64]) {
    log[i] = a + 0.0 * b;
}

#[kernel(T = f32 | f64 | u64)]
fn filled<T>(i: usize, value: T, y: &mut [T]) {
    y[i] = value;
}

#[kernel(T = u64)]
fn counted<T>(i: usize, y: &[T]) -> T {
    y[i]
}

/// Every `of` iterations have a row; a float that is a length.
#[kernel]
#[map(x: full)]
fn rows(i: usize, length: f64, x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in 0..length as usize {
        sum += x[k];
    }
    y[i] = sum;
}

#[kernel(i, j)]
fn tiles(i: usize, j: usize, m: usize, by: f64, x: &[f64], y: &mut [f64]) -> f64 {
    y[i * m + j] = by * x[i * m + j];
    y[i * m + j]
}

#[kernel]
fn copied(i: usize, from: &[u32], to: &mut [u32]) {
    to[i] = from[i];
}

/// Warps have several rows each where there are many.
#[kernel]
#[map(values: full)]
fn squares(i: usize, starts: &[u32], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * values[k];
    }
    sum
}

/// All runtimes, and all GPUs together where there are several.
fn all() -> Vec<(&'static str, Runtime)> {
    let mut list = runtimes();
    if list.iter().any(|(name, _)| *name == "cuda") {
        list.push(("all GPUs", Runtime::detect_only("0:*:NVGPU").unwrap()));
    }
    list
}

#[test]
fn a_result_is_a_scalar_of_later_loops_to_the_last_bit() -> Result<()> {
    // Few groups, whose results the host combines; many, which a GPU combines.
    for n in [1, 5, 1000, 40_000, 400_003] {
        let x: Vec<f64> = numbers(n, 3).into_iter().map(f64::from).collect();
        let single_x = numbers(n, 4);
        for (name, rt) in all() {
            for operator in [Sum, Product, Min, Max] {
                let (mut y, mut z, mut of_singles) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
                let mut region = rt.data_region();
                let (x_, singles) = (region.to(&x, [n]), region.to(&single_x, [n]));
                let (y_, z_, s_) =
                    (region.from(&mut y, [n]), region.from(&mut z, [n]), region.from(&mut of_singles, [n]));
                let first = region.parallel_for(0..n, multiple(1.5, x_, y_)).reduce_later::<f64>(operator)?;
                let second = region.parallel_for(0..n, multiple(&first, x_, z_)).reduce_later::<f64>(operator)?;
                let _ = region.parallel_for(0..n, multiple(&second, z_, y_)).reduce_later::<f64>(Sum)?;
                let third = region.parallel_for(0..n, single(0.75, singles, s_)).reduce_later::<f32>(operator)?;
                let _ = region.parallel_for(0..n, single(third.clone(), singles, s_)).reduce_later::<f32>(Max)?;
                let (first, second, third) = (region.value(first)?, region.value(&second)?, region.value(third)?);
                region.finish()?;
                let what = format!("{n}, {operator:?} on {name}");
                let bits = |list: &[f64]| list.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                let wanted: Vec<f64> = x.iter().map(|x| first * x).collect();
                assert_eq!(bits(&z), bits(&wanted), "{what}");
                let wanted: Vec<f64> = wanted.iter().map(|z| second * z).collect();
                assert_eq!(bits(&y), bits(&wanted), "{what}");
                assert!(of_singles.iter().zip(&single_x).all(|(s, x)| s.to_bits() == (third * x).to_bits()), "{what}");
            }
        }
    }
    Ok(())
}

/// Reads a neighbour on either side.
#[kernel]
fn smooth(i: usize, by: f64, x: &[f64], y: &mut [f64]) -> f64 {
    y[i] = by * (x[i - 1] + x[i] + x[i + 1]);
    y[i] * y[i]
}

fn plain_ratio(a: f64, b: f64) -> f64 {
    0.3 + 0.05 * (a / (a + b))
}

#[kernel]
fn ratio(i: usize, a: f64, b: f64, x: &mut [f64]) -> f64 {
    x[i] = 0.3 + 0.05 * (a / (a + b));
    x[i]
}

#[test]
fn ghosts_are_exchanged_beside_results() -> Result<()> {
    let n = 30_000;
    let start: Vec<f64> = numbers(n, 6).into_iter().map(f64::from).collect();
    for (name, rt) in all() {
        let (mut a, mut b, mut log, mut first) = (start.clone(), start.clone(), vec![0.0; 40], [0.0]);
        let mut region = rt.data_region();
        let (mut x, mut y) = (region.tofrom(&mut a, [n].halo(1)), region.tofrom(&mut b, [n].halo(1)));
        let log_ = region.from(&mut log, [40]);
        let one = region.tofrom(&mut first, [1]);
        let (mut by, mut before) = (Later::from(0.3), Later::from(n as f64));
        for k in 0..40 {
            let next = region.parallel_for(1..n - 1, smooth(&by, x, y)).reduce_later(Sum)?;
            region.parallel_for(k..k + 1, note(&next, &by, log_)).run()?;
            // Two multiples of what the sweep before left, by two numbers of the device's.
            by = region.parallel_for(0..1, ratio(&next, &before, one)).reduce_later(Sum)?;
            before = next;
            std::mem::swap(&mut x, &mut y);
        }
        region.finish()?;
        let (mut old, mut new) = (start.clone(), start.clone());
        let (mut by, mut before) = (0.3, n as f64);
        for (k, noted) in log.iter().enumerate() {
            (1..n - 1).for_each(|i| new[i] = by * (old[i - 1] + old[i] + old[i + 1]));
            let wanted: f64 = new[1..n - 1].iter().map(|v| v * v).sum();
            assert!((noted - wanted).abs() <= 1e-9 * wanted, "{name}: sweep {k}: {noted}, not {wanted}");
            (by, before) = (plain_ratio(wanted, before), wanted);
            std::mem::swap(&mut old, &mut new);
        }
        assert!(a.iter().zip(&old).all(|(a, old)| (a - old).abs() <= 1e-12), "{name}");
    }
    Ok(())
}

#[test]
fn bits_do_not_depend_on_who_takes_a_result() -> Result<()> {
    for n in [7, 3000, 100_000, 400_003] {
        let x: Vec<f64> = numbers(n, 7).into_iter().map(f64::from).collect();
        for (name, rt) in all() {
            let (mut y, mut z) = (vec![0.0; n], vec![0.0; n]);
            let mut region = rt.data_region();
            let (x_, y_, z_) = (region.to(&x, [n]), region.from(&mut y, [n]), region.from(&mut z, [n]));
            let sum =
                |region: &mut DataRegion<'_, '_>| region.parallel_for(0..n, multiple(1.1, x_, y_)).reduce_later(Sum);
            let waited: f64 = region.parallel_for(0..n, multiple(1.1, x_, y_)).reduce(Sum)?;
            let later = sum(&mut region)?;
            let mut all = vec![waited, region.value(later)?];
            for _ in 0..3 {
                // From the second time on, a GPU makes the scalar with the loop.
                let taken: Later<f64> = sum(&mut region)?;
                let _ = region.parallel_for(0..n, multiple(&taken, x_, z_)).reduce_later::<f64>(Max)?;
                all.push(region.value(taken)?);
            }
            region.finish()?;
            assert!(all.iter().all(|sum| sum.to_bits() == waited.to_bits()), "{n} on {name}: {all:?}");
        }
    }
    Ok(())
}

/// Rows whose lengths data say, and the sum of a row.
#[kernel]
#[map(values: full)]
fn row_sum(i: usize, starts: &[u32], values: &[f64], by: f64, y: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k];
    }
    y[i] = by * sum;
    sum
}

/// Rows of one length, in which work-items share.
#[kernel]
fn row_most(i: usize, m: usize, x: &[f64], by: f64, y: &mut [f64]) -> f64 {
    let mut most = 0.0f64;
    for k in 0..m {
        most = most.max(x[i * m + k]);
    }
    y[i] = by * most;
    most
}

#[kernel(i, j)]
fn cell(i: usize, j: usize, m: usize, by: f64, x: &[f64], y: &mut [f64]) -> f64 {
    y[i * m + j] = by * x[i * m + j];
    x[i * m + j]
}

/// Texts of all forms combine their groups' results, however many there are: whole numbers, so that any order gives the same.
#[test]
fn every_form_of_a_kernel_gives_its_result_to_later_loops() -> Result<()> {
    for n in [1usize, 40, 700, 1023, 1024, 1025, 4096, 20_000, 300_000] {
        let (mut starts, m) = (vec![0u32], 1 + 3000 / n);
        for i in 0..n {
            starts.push(starts[i] + [1, 5, 40, 0, 200][i % 5] * u32::from(n <= 20_000) + 1);
        }
        let nnz = starts[n] as usize;
        let values: Vec<f64> = (0..nnz).map(|k| (k % 7) as f64).collect();
        let x: Vec<f64> = (0..n * m).map(|k| (k % 11) as f64).collect();
        let wanted_rows: f64 = values.iter().sum();
        let wanted_most: f64 = x.chunks(m).map(|row| row.iter().fold(0.0, |a: f64, b| a.max(*b))).sum();
        let wanted_cells: f64 = x.iter().sum();
        for (name, rt) in all() {
            let (mut y, mut z, mut w) = (vec![0.0; n], vec![0.0; n * m], vec![0.0; n]);
            let mut region = rt.data_region();
            let starts_ = region.to(&starts, [n + 1].full());
            let values_ = region.to(&values, [nnz].full());
            let x_ = region.to(&x, [n, m]);
            let (y_, z_, w_) = (region.from(&mut y, [n]), region.from(&mut z, [n, m]), region.from(&mut w, [n]));
            // Lengths that only the device knows.
            let hidden = region.alloc::<u32>([n + 1].full());
            region.copy(starts_, hidden)?;
            let mut by = [Later::from(1.0), Later::from(1.0), Later::from(1.0)];
            // An OpenCL device in the host's memory runs no loops over rows and columns.
            let in_cells = name != "opencl in host memory";
            for _ in 0..4 {
                let a = region.parallel_for(0..n, row_sum(hidden, values_, &by[0], y_)).reduce_later(Sum)?;
                let b = region.parallel_for(0..n, row_most(m, x_, &by[1], w_)).reduce_later(Sum)?;
                let c = match in_cells {
                    true => region.parallel_for_2d(0..n, 0..m, cell(0..m, m, &by[2], x_, z_)).reduce_later(Sum)?,
                    false => Later::from(wanted_cells),
                };
                let d = region.parallel_for(0..n, row_sum(starts_, values_, &a, y_)).reduce_later::<f64>(Sum)?;
                // All are taken, so from the second time on the kernels make scalars.
                let _ = region.parallel_for(0..n, row_most(m, x_, &b, w_)).reduce_later::<f64>(Sum)?;
                if in_cells {
                    let _ = region.parallel_for_2d(0..n, 0..m, cell(0..m, m, &c, x_, z_)).reduce_later::<f64>(Sum)?;
                }
                let got = [region.value(&a)?, region.value(&b)?, region.value(&c)?, region.value(&d)?];
                assert_eq!(got, [wanted_rows, wanted_most, wanted_cells, wanted_rows], "{n} on {name}");
                by = [a, b, c];
            }
            region.finish()?;
            for i in 0..n {
                let row: f64 = values[starts[i] as usize..starts[i + 1] as usize].iter().sum();
                assert_eq!(y[i], row * wanted_rows, "{n} on {name}: row {i}");
                let cell = if in_cells { x[i * m] * wanted_cells } else { 0.0 };
                assert_eq!(z[i * m], cell, "{n} on {name}: row {i}");
            }
        }
    }
    Ok(())
}

/// Of rows whose lengths the host does not know, as a loop wrote where they begin, and of so many that groups are fewer.
#[test]
fn results_of_rows_in_warps_are_taken() -> Result<()> {
    for n in [300, 5000, 20_000] {
        let starts: Vec<u32> = (0..=n as u32).map(|i| i / 7 * 20 + i % 7).collect();
        let values: Vec<f64> = (0..starts[n]).map(|k| f64::from(k % 5)).collect();
        let wanted: f64 = values.iter().map(|value| value * value).sum();
        for (name, rt) in all() {
            let mut log = [0.0; 4];
            let mut region = rt.data_region();
            let (starts_, values_) = (region.to(&starts, [n + 1]), region.to(&values, [values.len()].full()));
            let (begin, log_) = (region.alloc::<u32>([n + 1].halo_sides(0, 1)), region.from(&mut log, [4]));
            region.parallel_for(0..=n, copied(starts_, begin)).run()?;
            for k in 0..4 {
                let sum: Later<f64> = region.parallel_for(0..n, squares(begin, values_)).reduce_later(Sum)?;
                region.parallel_for(k..k + 1, note(&sum, &sum, log_)).run()?;
                assert_eq!(region.value(sum)?, wanted, "{name}: {n}");
            }
            region.finish()?;
            assert_eq!(log, [wanted; 4], "{name}: {n}");
        }
    }
    Ok(())
}

/// GPUs keep the page-locked buffers through which plain arrays went, and may use them for results.
#[test]
fn results_are_taken_where_large_buffers_are_free() -> Result<()> {
    let (n, few) = (1 << 20, 3000);
    let x = vec![1.0; n];
    for (name, rt) in all() {
        let mut y = vec![0.0; n];
        let all = rt.parallel_for(0..n, multiple(2.0, &x, &mut y)).reduce::<f64>(Sum)?;
        assert_eq!(all.value, 2.0 * n as f64, "{name}");
        let mut y = vec![0.0; few];
        let mut region = rt.data_region();
        let (x_, y_) = (region.to(&x[..few], [few]), region.from(&mut y, [few]));
        let mut results = Vec::new();
        for _ in 0..30 {
            let sum: Later<f64> = region.parallel_for(0..few, multiple(1.0, x_, y_)).reduce_later(Sum)?;
            let most: Later<f64> = region.parallel_for(0..few, multiple(&sum, x_, y_)).reduce_later(Max)?;
            results.extend([sum, most]);
        }
        for result in results {
            assert_eq!(region.value(result)?, few as f64, "{name}");
        }
        region.finish()?;
    }
    Ok(())
}

#[test]
fn a_chain_of_results_goes_on_without_the_host() -> Result<()> {
    let (n, steps) = (3000, 150);
    let x: Vec<f64> = numbers(n, 5).into_iter().map(|x| 0.5 + f64::from(x).abs()).collect();
    let sum: f64 = x.iter().sum();
    for (name, rt) in all() {
        let (mut y, mut log) = (vec![0.0; n], vec![0.0; steps]);
        let mut region = rt.data_region();
        let (x_, y_, log_) = (region.to(&x, [n]), region.from(&mut y, [n]), region.from(&mut log, [steps]));
        let mut all = vec![Later::from(1.0 / sum)];
        for k in 0..steps {
            let next = region.parallel_for(0..n, multiple(&all[k], x_, y_)).reduce_later(Sum)?;
            // One that came with the step before it is the second scalar.
            region.parallel_for(k..k + 1, note(&next, &all[k], log_)).run()?;
            all.push(if k % 50 == 49 { Later::from(1.0 / sum) } else { next.clone() });
            let value = if k % 7 == 3 { region.value(&next)? } else { continue };
            assert!(value > 0.0, "{name}: {value}");
        }
        region.finish()?;
        let mut by = 1.0 / sum;
        for (k, noted) in log.iter().enumerate() {
            let wanted = by * sum;
            assert!((noted - wanted).abs() <= 1e-9 * wanted.abs(), "{name}: step {k}: {noted}, not {wanted}");
            by = if k % 50 == 49 { 1.0 / sum } else { *noted };
        }
    }
    Ok(())
}

#[test]
fn numbers_of_all_kinds_are_scalars_later() -> Result<()> {
    let n = 5000;
    for (name, rt) in all() {
        let counts = vec![3u64; n];
        let (mut y, mut z, mut sums) = (vec![0u64; n], vec![0.0f64; n], vec![0.0f64; n]);
        let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let (mut a, mut b) = (vec![0.0; 60 * 70], vec![0.0; 60 * 70]);
        let mut region = rt.data_region();
        let (counts, x, y_, z_) =
            (region.to(&counts, [n]), region.to(&x, [n].full()), region.from(&mut y, [n]), region.from(&mut z, [n]));
        let sums_ = region.from(&mut sums, [n]);
        let (a_, b_) = (region.tofrom(&mut a, [60, 70]), region.from(&mut b, [60, 70]));
        // An integer may decide how a loop runs, so it has to be there.
        let count = region.parallel_for(0..n, counted(counts)).reduce_later::<u64>(Sum)?;
        let error = region.parallel_for(0..n, filled(&count, y_)).run().unwrap_err().to_string();
        assert!(error.contains("`value` is the result of a loop, but may decide how this one runs"), "{name}: {error}");
        let count = region.value(count)?;
        region.parallel_for(0..n, filled(count, y_)).run()?;
        let four = region.parallel_for(3..5, filled(2.0, z_)).run().map(|()| 4.0)?;
        region.parallel_for(0..n, filled(Later::from(four), z_)).run()?;
        // A float that the text makes a length of.
        let length = region.parallel_for(0..10, multiple(0.0 * four + 4.0, z_, sums_)).reduce_later::<f64>(Sum)?;
        region.parallel_for(0..n, rows(&length, x, sums_)).run()?;
        let tiled = region.parallel_for(0..60, tiles(0..70, 70, &length, a_, b_)).reduce_later::<f64>(Sum)?;
        let _ = region.parallel_for(0..60, tiles(0..70, 70, tiled, b_, a_)).reduce_later::<f64>(Sum)?;
        region.finish()?;
        assert_eq!(y, vec![3 * n as u64; n], "{name}");
        assert_eq!(z, vec![4.0; n], "{name}");
        assert_eq!(sums, vec![(0..160).sum::<i32>() as f64; n], "{name}");
        assert_eq!(a, vec![0.0; 60 * 70], "{name}");
    }
    Ok(())
}

#[test]
fn results_of_elsewhere_are_refused() -> Result<()> {
    let n = 100;
    let (_, rt) = runtimes().remove(0);
    let (x, mut y, mut other) = (vec![1.0; n], vec![0.0; n], vec![0.0; n]);
    let sum = |region: &mut DataRegion<'_, '_>, x: Mapped<f64>, y: Mapped<f64>| {
        region.parallel_for(0..n, multiple(1.0, x, y)).reduce_later::<f64>(Sum)
    };
    let mut first = rt.data_region();
    let (x_, y_) = (first.to(&x, [n]), first.from(&mut y, [n]));
    let of_first = sum(&mut first, x_, y_)?;
    let mut second = rt.data_region();
    let (x_, other_) = (second.to(&x, [n]), second.from(&mut other, [n]));
    let error = second.parallel_for(0..n, multiple(&of_first, x_, other_)).reduce::<f64>(Sum).unwrap_err().to_string();
    assert!(error.contains("argument 0 is the result of another data region's loop"), "{error}");
    let of_second = sum(&mut second, x_, other_)?;
    drop(second);
    first.finish()?;
    let error = rt.parallel_for(0..n, multiple(of_second, &x, &mut y)).reduce::<f64>(Sum).unwrap_err().to_string();
    assert!(error.contains("argument 0 is the result of a data region's loop: ask the region for it"), "{error}");
    Ok(())
}

#[test]
fn by_hand_a_result_is_waited_for() -> Result<()> {
    let n = 100;
    let x = vec![2.0; n];
    let add = Kernel::new("add").host(|rows: Range<usize>, by: f64, x: In<f64>, mut y: Out<f64>| -> f64 {
        rows.map(|i| {
            y[i] = x[i] + by;
            y[i]
        })
        .sum::<f64>()
    });
    for rt in [Runtime::detect_only("0"), Runtime::detect()] {
        let (rt, mut y) = (rt?, vec![0.0; n]);
        let mut region = rt.data_region();
        let (x_, y_) = (region.to(&x, [n]), region.from(&mut y, [n]));
        let sum = region.parallel_for(0..n, add.bind().scalar(1.0).reads(x_).writes(y_)).reduce_later::<f64>(Sum)?;
        let _ = region.parallel_for(0..n, add.bind().scalar(&sum).reads(x_).writes(y_)).reduce_later::<f64>(Sum)?;
        region.finish()?;
        assert_eq!(y, vec![302.0; n]);
    }
    Ok(())
}

/// CUDA C by hand that takes the factor by address too. If it is `wrong`, that form does not compile.
fn by_hand(wrong: bool) -> Kernel {
    let late = if wrong { "not C" } else { "const double *by" };
    let text = format!(
        "#if APPORTION_LATER >> 1 & 1
#define BY {late}
#define VALUE *by
#else
#define BY double by
#define VALUE by
#endif
extern \"C\" __global__ void scale(long lo, long hi, double *x, long x0, BY) {{
    long i = lo + (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < hi) x[i - x0] *= VALUE;
}}"
    );
    // SAFETY: iteration `i` below `hi` reads and writes element `i` of `x`; `by` comes as `APPORTION_LATER` says.
    let source = unsafe { DeviceSource::new(text, "scale", Grid::per_iteration(256)).takes_later(&[1]) };
    Kernel::new("scale")
        .host(|rows: Range<usize>, mut x: Out<f64>, by: f64| rows.for_each(|i| x[i] *= by))
        .cuda_source(source)
}

#[test]
fn text_by_hand_takes_a_result_by_address_or_waits_for_it() -> Result<()> {
    let n = 5000;
    let x = vec![0.5; n];
    for (name, rt) in all().into_iter().filter(|(name, _)| !name.starts_with("opencl")) {
        for wrong in [false, true] {
            let mut y = vec![0.0; n];
            let mut region = rt.data_region();
            let (x_, y_) = (region.to(&x, [n]), region.from(&mut y, [n]));
            let sum = region.parallel_for(0..n, multiple(2.0, x_, y_)).reduce_later::<f64>(Sum)?;
            region.parallel_for(0..n, by_hand(wrong).bind().updates(y_).scalar(&sum)).run()?;
            region.parallel_for(0..n, by_hand(wrong).bind().updates(y_).scalar(3.0)).run()?;
            region.finish()?;
            assert_eq!(y, vec![3.0 * n as f64; n], "{name}, {wrong}");
        }
    }
    Ok(())
}
