//! A sparse matrix times a vector, on all devices: `cargo run --release --example spmv [ROWS]`.
//!
//! The matrix is in compressed rows (CSR). `#[map(..: rows_at(starts))]` gives each device the elements of its rows, from
//! `starts[i]` up to `starts[i + 1]`. Which elements of the vector a row takes depends on data, so `#[map(x: full)]` gives all of
//! them to each device. The result is divided like the loop.

use apportion::prelude::*;

/// Row `i` of the product. The row's elements are `starts[i]` to `starts[i + 1]` of `columns` and `values`.
#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: full)]
pub fn spmv(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

/// A matrix of `n` rows with one to seven elements each.
pub fn run(rt: &Runtime, n: usize) -> Result<()> {
    let (mut starts, mut columns, mut values) = (vec![0u32], Vec::new(), Vec::new());
    for i in 0..n {
        for k in 0..1 + i % 7 {
            columns.push(((i * 31 + k * k * 1013) % n) as u32);
            values.push((i + k) as f64 * 0.5);
        }
        starts.push(columns.len() as u32);
    }
    let x: Vec<f64> = (0..n).map(|i| (i % 11) as f64).collect();
    let mut y = vec![0.0; n];
    let report = rt.parallel_for(0..n, spmv(&starts, &columns, &values, &x, &mut y)).run()?;
    print!("{}{report}", spmv::maps());

    for i in 0..n {
        let elements = starts[i] as usize..starts[i + 1] as usize;
        let expected: f64 = elements.map(|k| values[k] * x[columns[k] as usize]).sum();
        assert!((y[i] - expected).abs() <= 1e-12 * expected.abs(), "row {i}: {}, not {expected}", y[i]);
    }
    println!("{n} rows, {} elements; as computed row by row", values.len());
    Ok(())
}

fn main() -> Result<()> {
    run(&Runtime::detect()?, std::env::args().nth(1).map_or(1_000_000, |text| text.parse().expect("ROWS is a number")))
}
