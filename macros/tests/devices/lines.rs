//! Kernels of short loops over many iterations, compared with the functions themselves.

#[allow(dead_code)]
#[path = "../common/lines.rs"]
mod programs;

use crate::common::{close, each_way, numbers, run, runtimes};
use apportion::kernel::{Bound, CudaVariant, Reduce};
use apportion::region::Dims;
use programs::by_data::{self, bytes, norm, ranges, rest, sparse, spread, twice};
use programs::{above, plain, powers, rows};

/// Ends of `n` rows: most are short, some empty, a few long.
fn ends(n: usize, typical: usize) -> Vec<u32> {
    let length = |i: usize| match i * 7919 % 101 {
        0 => 37 * typical + 50,
        1..=9 => 0,
        k => k * typical / 50,
    };
    let mut starts = vec![0];
    (0..n).for_each(|i| starts.push(starts[i] + length(i) as u32));
    starts
}

#[test]
fn rows_whose_lengths_are_data() {
    // Lines of several widths.
    for (n, typical) in [(1, 5), (4095, 3), (4096, 1), (9000, 6), (70_001, 2), (20_000, 20)] {
        on_the_host(&ends(n, typical), 1e-12, &format!("{n} rows of about {typical}"));
    }
}

/// Ends of rows of very different lengths.
fn uneven() -> Vec<(&'static str, Vec<u32>)> {
    let ends = |n: usize, length: &dyn Fn(usize) -> usize| {
        let mut starts = vec![0];
        (0..n).for_each(|i| starts.push(starts[i] + length(i) as u32));
        starts
    };
    let part = |i: usize| (i * 7919 % 10_007 + 1) as f64 / 10_007.0;
    let limits = [0, 16, 17, 32, 33, 128, 129, 512, 513, 1023, 1024, 1025, 3000];
    vec![
        ("one row of 100000", ends(5000, &|i| if i == 3333 { 100_000 } else { i % 6 })),
        ("the last row of 5000", ends(4097, &|i| if i == 4096 { 5000 } else { 1 })),
        ("rows by a power", ends(20_000, &|i| (4.0 / part(i).powf(0.9)).min(20_000.0) as usize - 4)),
        ("rows of 100 and of none", ends(6000, &|i| if i % 7 == 3 { 100 } else { 0 })),
        ("the longest rows first", ends(30_000, &|i| (100_000 / (20 + i)).max(2))),
        ("rows of a few lengths", ends(700, &|i| limits[i * 31 % limits.len()])),
        ("short rows, then long ones", ends(1000, &|i| if i < 900 { 3 } else { 1500 + i })),
        ("rows of 100, and a few of 2000", ends(2000, &|i| if i % 50 == 7 { 2000 } else { 100 })),
        ("rows of 300, and a few of 5000", ends(2000, &|i| if i % 50 == 7 { 5000 } else { 300 })),
    ]
}

#[test]
fn rows_of_very_different_lengths() {
    for (rows, starts) in uneven() {
        on_the_host(&starts, 1e-9, rows);
    }
}

#[test]
fn rows_of_very_different_lengths_on_the_devices() {
    for (rows, starts) in uneven() {
        on_the_devices(&starts, 1e-9, rows);
    }
}

/// Arrays in the host's memory, which tells the lengths.
fn on_the_host(starts: &[u32], tolerance: f64, rows: &str) {
    let n = starts.len() - 1;
    let size = starts[n] as usize;
    let columns: Vec<u32> = (0..size).map(|k| (k * 31 % n) as u32).collect();
    let values: Vec<f64> = numbers(size, 1).into_iter().map(f64::from).collect();
    let x: Vec<f64> = numbers(n, 2).into_iter().map(f64::from).collect();
    let (mut product, mut widths, mut second) = (vec![9.0; n], vec![9.0; n], vec![9.0; n]);
    let (mut third, mut odd) = (vec![9.0; n], vec![9; n]);
    let small: Vec<u8> = (0..size).map(|k| (k * 29 % 251) as u8).collect();
    let (mut means, mut far, mut sums) = (vec![9.0; n], 0.0, vec![9; n]);
    for i in 0..n {
        by_data::plain::sparse(i, starts, &columns, &values, &x, &mut product);
        by_data::plain::ranges(i, starts, &columns, &values, &mut widths, &mut odd);
        by_data::plain::rest(i, 0.5, 2, &values, starts, &mut third);
        by_data::plain::bytes(i, starts, &small, &mut sums);
        far += by_data::plain::spread(i, starts, &values, &mut means);
        by_data::plain::twice(i, starts, &columns, &values, &x, &mut second);
    }
    let norms: Vec<f64> = (0..n).map(|i| by_data::plain::norm(i, starts, &values)).collect();
    each_way(|rt, policy, form, what| {
        let what = format!("{what}, {rows}");
        let mut got = vec![9.0; n];
        run(rt, 0..n, &policy, form(sparse(starts, &columns, &values, &x, &mut got)));
        close(&got, &product, tolerance, &what);
        let (mut got, mut counts) = (vec![9.0; n], vec![9; n]);
        let bound = form(ranges(starts, &columns, &values, &mut got, &mut counts));
        rt.parallel_for(0..n, bound).policy(policy.clone()).run().unwrap();
        assert_eq!((&got, &counts), (&widths, &odd), "{what}");
        let mut got = vec![9.0; n];
        run(rt, 0..n, &policy, form(twice(starts, &columns, &values, &x, &mut got)));
        close(&got, &second, 1e-9, &what);
        let mut got = vec![9.0; n];
        run(rt, 0..n, &policy, form(rest(0.5, 2, &values, starts, &mut got)));
        close(&got, &third, tolerance, &what);
        let mut got = vec![9; n];
        rt.parallel_for(0..n, form(bytes(starts, &small, &mut got))).policy(policy.clone()).run().unwrap();
        assert_eq!(got, sums, "{what}");
        let mut got = vec![9.0; n];
        let bound = form(spread(starts, &values, &mut got));
        let value = rt.parallel_for(0..n, bound).policy(policy.clone()).reduce::<f64>(Reduce::Sum).unwrap().value;
        close(&got, &means, 1e-9, &what);
        close(&[value], &[far], 1e-6, &what);
        for (operator, expected) in [
            (Reduce::Sum, norms.iter().sum::<f64>()),
            (Reduce::Max, norms.iter().copied().fold(f64::MIN, f64::max)),
            (Reduce::Min, norms.iter().copied().fold(f64::MAX, f64::min)),
        ] {
            let bound = form(norm(starts, &values));
            let value = rt.parallel_for(0..n, bound).policy(policy.clone()).reduce::<f64>(operator).unwrap().value;
            close(&[value], &[expected], 1e-9, &what);
        }
    });
}

/// In a data region the user's array tells the rows' lengths. Where only the devices have it, groups have iterations, or warps several
/// at a time, in lines as wide as the rows of these are long.
#[test]
fn rows_whose_lengths_are_data_on_the_devices() {
    for (n, typical) in [(4095, 3), (4096, 1), (5000, 60), (16_385, 9), (70_001, 2), (40_000, 17)] {
        on_the_devices(&ends(n, typical), 1e-12, &format!("{n} rows of about {typical}"));
    }
}

fn on_the_devices(starts: &[u32], tolerance: f64, rows: &str) {
    let n = starts.len() - 1;
    let size = starts[n] as usize;
    let columns: Vec<u32> = (0..size).map(|k| (k * 31 % n) as u32).collect();
    let values: Vec<f64> = numbers(size, 1).into_iter().map(f64::from).collect();
    let x: Vec<f64> = numbers(n, 2).into_iter().map(f64::from).collect();
    let (mut product, mut widths, mut odd) = (vec![9.0; n], vec![9.0; n], vec![9; n]);
    for i in 0..n {
        by_data::plain::sparse(i, starts, &columns, &values, &x, &mut product);
        by_data::plain::ranges(i, starts, &columns, &values, &mut widths, &mut odd);
    }
    let norms: Vec<f64> = (0..n).map(|i| by_data::plain::norm(i, starts, &values)).collect();
    let sum: f64 = norms.iter().sum();
    let most = norms.iter().copied().fold(f64::MIN, f64::max);
    for (name, rt) in runtimes() {
        let what = format!("{name}, {rows}");
        let (mut y, mut z, mut counts) = (vec![9.0; n], vec![9.0; n], vec![9; n]);
        let mut region = rt.data_region();
        let (starts, columns) = (region.to(starts, [n + 1].full()), region.to(&columns, [size].full()));
        let (values, x) = (region.to(&values, [size].full()), region.to(&x, [n].full()));
        let (y_, z_) = (region.from(&mut y, [n]), region.tofrom(&mut z, [n]));
        let counts_ = region.from(&mut counts, [n]);
        let made = region.alloc::<u32>([n + 1].full());
        for of in [starts, made] {
            region.parallel_for(0..n, sparse(of, columns, values, x, y_)).run().unwrap();
            region.parallel_for(0..n, ranges(of, columns, values, z_, counts_)).run().unwrap();
            for (operator, expected) in [(Reduce::Sum, sum), (Reduce::Max, most)] {
                let value = region.parallel_for(0..n, norm(of, values)).reduce::<f64>(operator).unwrap();
                close(&[value], &[expected], 1e-9, &what);
            }
            for array in [y_, z_] {
                region.update_from(array).unwrap();
            }
            region.update_from(counts_).unwrap();
            close(region.host(y_).unwrap(), &product, tolerance, &what);
            assert_eq!((region.host(z_).unwrap(), region.host(counts_).unwrap()), (&widths[..], &odd[..]), "{what}");
            region.copy(starts, made).unwrap();
        }
        region.finish().unwrap();
        close(&y, &product, tolerance, &what);
        assert_eq!((&z, &counts), (&widths, &odd), "{what}");
    }
}

/// Work-items in lines by a kernel's text for CUDA: 0 where each warp counts, none in groups.
fn wide(bound: &Bound<'_>) -> Option<usize> {
    let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() else { panic!("no CUDA C") };
    source.compiler_options().split(' ').find_map(|option| option.strip_prefix("-DAP_LINE=")?.parse().ok())
}

#[test]
fn lines_are_as_wide_as_the_hosts_arrays_say() {
    let n = 300;
    for (length, expected) in [(5, Some(1)), (27, Some(4)), (100, Some(16)), (512, Some(32)), (513, None)] {
        let starts: Vec<u32> = (0..=n).map(|i| (i * length) as u32).collect();
        let (columns, values) = (vec![0; n * length], vec![1.0; n * length]);
        let (x, mut y) = (vec![1.0; n], vec![0.0; n]);
        assert_eq!(wide(&sparse(&starts, &columns, &values, &x, &mut y)), expected);
        assert_eq!(wide(&norm(&starts, &values)), expected);
        assert_eq!(wide(&rest(2.0, 0, &values, &starts, &mut y)), expected);
        assert_eq!(wide(&rest(2.0, length as u32, &values, &starts, &mut y)), Some(1));
        // A condition comes before the loop.
        assert_eq!(wide(&twice(&starts, &columns, &values, &x, &mut y)), Some(0));
    }
}

#[test]
fn rows_whose_length_is_an_argument() {
    let words = "in CUDA parts of a warp for each iteration of a short loop";
    assert!(rows::maps().grid.ends_with(words), "{}", rows::maps().grid);
    for (n, m) in [(1, 3), (2, 3), (31, 1), (33, 0), (1000, 5), (5000, 33), (20_003, 3), (700, 128), (100, 129)] {
        let x: Vec<f32> = numbers(n * m, 3);
        let bytes: Vec<u8> = x.iter().map(|x| (x * 120.0 + 125.0) as u8).collect();
        let whole: Vec<i64> = x.iter().map(|x| (x * 1e6) as i64).collect();
        let (mut sums, mut roots, mut last) = (vec![9; 2 * n], vec![9.0; n], vec![9; n]);
        for i in 0..n {
            // Integers wrap in kernels.
            let row = &bytes[i * m..(i + 1) * m];
            sums[2 * i] = row.iter().fold(0, |sum: u8, x| sum.wrapping_add(*x));
            sums[2 * i + 1] = row.iter().copied().max().unwrap_or(0);
            roots[i] = f32::from(sums[2 * i]).sqrt();
            let turn = |last: i64, turn: i64| {
                let sum = |sum: i64, x: &i64| sum.wrapping_add(x.wrapping_mul(last));
                whole[i * m..(i + 1) * m].iter().fold(0, sum) ^ turn
            };
            last[i] = (0..3).fold(1, turn);
        }
        let counts: i32 = if m > 0 { (0..n).map(|i| plain::above(i, m, &x)).sum() } else { 0 };
        each_way(|rt, policy, form, what| {
            let what = format!("{what}, {n} rows of {m}");
            let (mut got, mut z) = (vec![9; 2 * n], vec![9.0; n]);
            run(rt, 0..n, &policy, form(rows(m, &bytes, &mut got, &mut z)));
            assert_eq!((&got, &z), (&sums, &roots), "{what}");
            let mut got = vec![9; n];
            run(rt, 0..n, &policy, form(powers(3, m, &whole, &mut got)));
            assert_eq!(got, last, "{what}");
            if m == 0 {
                // A row has its first element.
                return;
            }
            let bound = form(above(m, &x));
            let value = rt.parallel_for(0..n, bound).policy(policy).reduce::<i32>(Reduce::Sum).unwrap().value;
            assert_eq!(value, counts, "{what}");
        });
    }
}
