//! Rows whose lengths are data, as those of a sparse matrix: each device has the elements of its own.

use crate::common::{each_way, everywhere, run, runtimes};
use apportion::prelude::*;
use apportion::region::{Dims, RegionSplit};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Row `i` of a product whose columns are at most `width` from the row.
#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: align halo(width))]
fn product(i: usize, width: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
    sum
}

/// The same whose table is of signed numbers and comes last, and whose elements are pairs.
#[kernel]
#[map(values: rows_at(starts), x: full)]
fn pairs(i: usize, values: &[[i64; 2]], x: &[i64], y: &mut [i64], starts: &[i64]) {
    let mut sum = 0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k][0] * x[values[k][1] as usize];
    }
    y[i] = sum;
}

/// As [`product`], of numbers of `usize`; `last` gets the last column.
#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: full)]
fn by_usize(
    i: usize,
    starts: &[usize],
    columns: &[usize],
    values: &[f64],
    x: &[f64],
    y: &mut [f64],
    last: &mut [usize],
) {
    let mut sum = 0.0;
    for k in starts[i]..starts[i + 1] {
        let column = columns[k];
        sum += values[k] * x[column];
        last[i] = column;
    }
    y[i] = sum;
}

/// The lengths of rows, counted; pairs change their order.
#[kernel]
#[map(counts: reduce(Sum))]
fn lengths(i: usize, starts: &[usize], ends: &mut [[usize; 2]], counts: &mut [usize]) {
    let [first, end] = ends[i];
    ends[i] = [end, first];
    counts[(starts[i + 1] - starts[i]) % 7] += 1;
}

/// Multiplies rows by numbers of their own, and gives what is there then.
#[kernel]
#[map(values: unsafe rows_at(starts))]
fn scale(i: usize, starts: &[u32], by: &[f64], values: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        values[k] *= by[i];
        sum += values[k];
    }
    sum
}

/// Reads one element more than a row has.
#[kernel]
#[map(values: rows_at(starts))]
fn too_many(i: usize, starts: &[u32], values: &[f64], y: &mut [f64]) {
    for k in starts[i] as usize..starts[i + 1] as usize + 1 {
        y[i] += values[k];
    }
}

struct Sparse {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    width: usize,
}

impl Sparse {
    /// Most rows have up to six elements, some none, one many. Whole numbers, so that sums are exact in any order.
    fn new(n: usize, width: usize) -> Self {
        let mut of = Self { starts: vec![0], columns: vec![], values: vec![], width };
        for i in 0..n {
            let length = match i {
                _ if i == 2 * n / 3 => 700,
                _ if n > 10 && i < n / 10 => 0,
                _ => i * 7919 % 7,
            };
            let (low, high) = (i.saturating_sub(width), (i + width).min(n - 1));
            for k in 0..length {
                of.columns.push((low + (i * 31 + k * 17) % (high - low + 1)) as u32);
                of.values.push(((i + 3 * k) % 11) as f64 - 5.0);
            }
            of.starts.push(of.values.len() as u32);
        }
        of
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn elements(&self, i: usize) -> Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    fn times(&self, values: &[f64], x: &[f64]) -> Vec<f64> {
        let row = |i| self.elements(i).map(|k| values[k] * x[self.columns[k] as usize]).sum();
        (0..self.rows()).map(row).collect()
    }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i * 13 % 17) as f64 - 8.0).collect()
}

#[test]
fn starts_and_columns_may_be_of_usize() {
    let n = 700;
    let of = Sparse::new(n, 30);
    let (x, wide) = (numbers(n), |list: &[u32]| list.iter().map(|&at| at as usize).collect::<Vec<usize>>());
    let (starts, columns) = (wide(&of.starts), wide(&of.columns));
    let wanted = of.times(&of.values, &x);
    let pairs: Vec<[usize; 2]> = (0..n).map(|i| [i, starts[i]]).collect();
    let swapped: Vec<[usize; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
    let mut expected = vec![2; 7];
    (0..n).for_each(|i| expected[of.elements(i).len() % 7] += 1);
    let ends: Vec<usize> =
        (0..n).map(|i| if of.elements(i).is_empty() { usize::MAX } else { columns[starts[i + 1] - 1] }).collect();
    each_way(|rt, policy, form, what| {
        let (mut y, mut last) = (vec![0.0; n], vec![usize::MAX; n]);
        let bound = form(by_usize(&starts, &columns, &of.values, &x, &mut y, &mut last));
        run(rt, 0..n, &policy, bound);
        assert_eq!(y, wanted, "{what}");
        assert_eq!(last, ends, "{what}");
        let (mut list, mut counts) = (pairs.clone(), vec![2; 7]);
        run(rt, 0..n, &policy, form(lengths(&starts, &mut list, &mut counts)));
        assert_eq!((&list, &counts), (&swapped, &expected), "{what}");
    });
    // In a region, also with a kernel by hand.
    let table = HostVec::from_slice(&starts).unwrap();
    for (name, rt) in runtimes() {
        let (mut y, mut last) = (vec![0.0; n], vec![usize::MAX; n]);
        let mut more = HostVec::from_slice(&vec![0usize; n]).unwrap();
        let mut region = rt.data_region();
        let starts_ = region.to(&table, [n + 1].halo_sides(0, 1));
        let columns_ = region.to(&columns, [columns.len()].rows_at(&table).named("columns"));
        let (values, x) = (region.to(&of.values, [columns.len()].align_with("columns", 1)), region.to(&x, [n].full()));
        let (y_, last_, more_) = (region.from(&mut y, [n]), region.tofrom(&mut last, [n]), region.from(&mut more, [n]));
        region.parallel_for(0..n, by_usize(starts_, columns_, values, x, y_, last_)).run().unwrap();
        let by_hand = ["host", "emulated"].contains(&name);
        if by_hand {
            let add = Kernel::new("add").host(|rows: Range<usize>, by: usize, x: In<usize>, mut y: Out<usize>| {
                rows.for_each(|i| y[i] = x[i].wrapping_add(by));
            });
            region.parallel_for(0..n, add.bind().scalar(3usize).reads(last_).writes(more_)).run().unwrap();
        }
        region.finish().unwrap();
        assert_eq!((&y, &last), (&wanted, &ends), "{name}");
        assert!(!by_hand || (0..n).all(|i| more[i] == last[i].wrapping_add(3)), "{name}");
    }
}

#[test]
fn plain_loops_have_the_elements_of_their_rows() {
    for (n, width) in [(1, 0), (12, 3), (900, 40), (5000, 5000)] {
        let of = Sparse::new(n, width);
        let x = numbers(n);
        let wanted = of.times(&of.values, &x);
        let values: Vec<[i64; 2]> =
            of.columns.iter().zip(&of.values).map(|(&column, &value)| [value as i64, i64::from(column)]).collect();
        let starts: Vec<i64> = of.starts.iter().map(|&start| start.into()).collect();
        let whole: Vec<i64> = x.iter().map(|&x| x as i64).collect();
        everywhere(|rt, policy, what| {
            let mut y = vec![0.0; n];
            let bound = product(of.width, &of.starts, &of.columns, &of.values, &x, &mut y);
            let sum = rt.parallel_for(0..n, bound).policy(policy.clone()).poison(true).reduce::<f64>(Sum).unwrap();
            assert_eq!(y, wanted, "{what}, {n} rows");
            assert_eq!(sum.value, wanted.iter().sum::<f64>(), "{what}, {n} rows");

            let mut of_pairs = vec![0; n];
            run(rt, 0..n, &policy, pairs(&values, &whole, &mut of_pairs, &starts));
            assert!(of_pairs.iter().zip(&wanted).all(|(&a, &b)| a as f64 == b), "{what}, {n} rows");

            // From the middle on.
            let (from, mut scaled) = (n / 3, of.values.clone());
            let bound = scale(&of.starts, &x, &mut scaled);
            let sum = rt.parallel_for(from..n, bound).policy(policy).poison(true).reduce::<f64>(Sum).unwrap();
            let mut wanted = of.values.clone();
            (from..n).for_each(|i| of.elements(i).for_each(|k| wanted[k] *= x[i]));
            assert_eq!(scaled, wanted, "{what}, {n} rows");
            assert_eq!(sum.value, wanted[of.starts[from] as usize..].iter().sum::<f64>(), "{what}, {n} rows");
        });
    }
}

#[test]
fn regions_divide_a_matrix_by_its_rows() -> Result<()> {
    let mut all = runtimes();
    if all.iter().any(|(name, _)| *name == "cuda") {
        all.push(("all GPUs", Runtime::detect_only("0:*:NVGPU")?));
    }
    for (n, width) in [(1, 0), (12, 3), (900, 40), (70_000, 300)] {
        let of = Sparse::new(n, width);
        for (name, rt) in &all {
            let (mut x, mut y, mut values) = (numbers(n), vec![0.0; n], of.values.clone());
            let (mut wanted, mut scaled) = (x.clone(), of.values.clone());
            let nnz = of.values.len();
            let by: Vec<f64> = (0..n).map(|i| (i % 3) as f64 - 1.0).collect();
            let mut region = rt.data_region().split(RegionSplit::Even);
            let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
            let values_ = region.tofrom(&mut values, [nnz].rows_at(&of.starts).named("values"));
            let columns = region.to(&of.columns, [nnz].align_with("values", 1));
            let (by_, y_) = (region.to(&by, [n]), region.from(&mut y, [n]));
            let x_ = region.tofrom(&mut x, [n].halo(width));
            for _ in 0..3 {
                let sum: f64 =
                    region.parallel_for(0..n, product(width, starts, columns, values_, x_, y_)).reduce(Sum)?;
                let of_y = of.times(&scaled, &wanted);
                assert_eq!(sum, of_y.iter().sum::<f64>(), "{name}, {n} rows");
                (0..n).for_each(|i| of.elements(i).for_each(|k| scaled[k] *= by[i]));
                let _ = region.parallel_for(0..n, scale(starts, by_, values_)).reduce_later::<f64>(Sum)?;
                region.parallel_for(0..n, turned(y_, x_)).run()?;
                wanted = of_y.iter().map(|y| y % 100.0).collect();
            }
            region.finish()?;
            assert_eq!(x, wanted, "{name}, {n} rows");
            assert_eq!(values, scaled, "{name}, {n} rows");
        }
    }
    Ok(())
}

#[kernel]
fn turned(i: usize, y: &[f64], x: &mut [f64]) {
    x[i] = y[i] % 100.0;
}

/// The text of an error or a panic.
fn fails(run: impl FnOnce() -> Result<()>) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.unwrap_err().to_string(),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

#[test]
fn what_devices_do_not_have_is_not_read() {
    let n = 900;
    let of = Sparse::new(n, 40);
    let x = numbers(n);
    for (name, rt) in runtimes() {
        // Devices in the host's memory have all of it.
        if name == "opencl in host memory" {
            continue;
        }
        let run = |bound| rt.parallel_for(0..n, bound).policy("SCHED_DYNAMIC:13".parse::<Policy>()?).run();
        let mut y = vec![0.0; n];
        let text = fails(|| run(too_many(&of.starts, &of.values, &mut y)).map(drop));
        assert!(text.contains("`values`") && text.contains("stay within"), "{name}: {text}");
        // A device alone has all rows in one chunk.
        if name != "emulated" {
            continue;
        }
        let text = fails(|| {
            let bound = product(of.width / 2, &of.starts, &of.columns, &of.values, &x, &mut y);
            rt.parallel_for(0..n, bound).policy("SCHED_DYNAMIC:13".parse::<Policy>()?).reduce::<f64>(Sum).map(drop)
        });
        assert!(text.contains("`x`"), "{name}: {text}");
    }
}

#[test]
fn layouts_and_kernels_that_do_not_agree_are_refused() {
    let (n, of) = (40, Sparse::new(40, 3));
    let nnz = of.values.len();
    let x = numbers(n);
    for (name, rt) in runtimes() {
        let mut y = vec![0.0; n];
        let mut region = rt.data_region();
        let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
        let columns = region.to(&of.columns, [nnz].rows_at(&of.starts));
        let (by_rows, of_rows) =
            (region.to(&of.values, [nnz].named("by rows")), region.to(&of.values, [nnz].rows_at(&of.starts)));
        let (all, shorter) =
            (region.to(&of.values, [nnz].full()), region.to(&of.values, [nnz].rows_at(&of.starts[..n])));
        let (x_, y_) = (region.to(&x, [n].halo(3)), region.from(&mut y, [n]));
        let mut run =
            |values, n| region.parallel_for(0..n, product(3, starts, columns, values, x_, y_)).reduce::<f64>(Sum);
        run(of_rows, n).unwrap();
        run(all, n).unwrap();
        let text = run(by_rows, n).unwrap_err().to_string();
        assert!(text.contains("by rows") && text.contains("`.rows_at(&starts)`"), "{name}: {text}");
        let text = run(shorter, n).unwrap_err().to_string();
        assert!(text.contains("39 iterations only"), "{name}: {text}");
        run(shorter, n - 1).unwrap();
        let text = region.parallel_for(0..n, turned(of_rows, y_)).run().unwrap_err().to_string();
        assert!(text.contains("`#[map(..: rows_at(starts))]`"), "{name}: {text}");
    }
}

/// The last element of the row before, and of the row after, which are ghosts at a device's border.
#[kernel]
#[map(values: rows_at(starts))]
fn beside(i: usize, all: usize, starts: &[u32], values: &[f64], y: &mut [f64]) {
    let (start, end) = (starts[i] as usize, starts[i + 1] as usize);
    let before = if start > 0 { values[start - 1] } else { 0.0 };
    y[i] = before + if end < all { values[end] } else { 0.0 };
}

/// The same of rows whose map says less than it reads.
#[kernel]
#[map(x: rows(1))]
fn one_before(i: usize, by: &[u32], x: &[f64], y: &mut [f64]) {
    y[i] = x[i - by[i] as usize];
}

#[test]
fn ghosts_of_stated_maps_are_those_of_the_layout() -> Result<()> {
    let n = 900;
    let of = Sparse::new(n, 40);
    let nnz = of.values.len();
    let by: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
    let ones = vec![1u32; n];
    let mut all = runtimes();
    if all.iter().any(|(name, _)| *name == "cuda") {
        all.push(("all GPUs", Runtime::detect_only("0:*:NVGPU")?));
    }
    for (name, rt) in all {
        let (mut y, mut z, mut x, mut values) = (vec![0.0; n], vec![0.0; n], numbers(n), of.values.clone());
        let mut region = rt.data_region().split(RegionSplit::Even);
        let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
        let values_ = region.tofrom(&mut values, [nnz].rows_at(&of.starts).halo(1));
        let (by_, ones_) = (region.to(&by, [n]), region.to(&ones, [n]));
        let (x_, y_, z_) = (region.tofrom(&mut x, [n].halo(1)), region.from(&mut y, [n]), region.from(&mut z, [n]));
        for _ in 0..2 {
            let _ = region.parallel_for(0..n, scale(starts, by_, values_)).reduce_later::<f64>(Sum)?;
            region.parallel_for(0..n, beside(nnz, starts, values_, y_)).run()?;
            region.parallel_for(0..n, turned(y_, x_)).run()?;
            region.parallel_for(1..n, one_before(ones_, x_, z_)).run()?;
        }
        region.finish()?;
        for i in 0..n {
            let Range { start, end } = of.elements(i);
            let before = if start > 0 { values[start - 1] } else { 0.0 };
            assert_eq!(y[i], before + if end < nnz { values[end] } else { 0.0 }, "{name}, row {i}");
            assert!(i == 0 || z[i] == y[i - 1] % 100.0, "{name}, row {i}");
        }
    }
    Ok(())
}

#[test]
fn a_table_counts_elements_and_nothing_behind_it() {
    let (n, of) = (40, Sparse::new(40, 3));
    let nnz = of.values.len();
    let (twice, x) = ([of.values.clone(), of.values.clone()].concat(), numbers(n));
    for (name, rt) in runtimes() {
        let mut y = vec![0.0; n];
        let mut region = rt.data_region();
        let starts = region.to(&of.starts, [n + 1].halo_sides(0, 1));
        let columns = region.to(&of.columns, [nnz].rows_at(&of.starts).named("columns"));
        let (pairs, behind) =
            (region.to(&twice, [nnz, 2].rows_at(&of.starts)), region.to(&twice, [2 * nnz].align_with("columns", 2)));
        let (x_, y_) = (region.to(&x, [n].halo(3)), region.from(&mut y, [n]));
        for values in [pairs, behind] {
            let bound = product(3, starts, columns, values, x_, y_);
            let text = region.parallel_for(0..n, bound).reduce::<f64>(Sum).unwrap_err().to_string();
            assert!(text.contains("`values`") && text.contains("one extent"), "{name}: {text}");
        }
    }
}
