//! Conjugate gradients on a sparse matrix, on all devices: `cargo run --release --example cg [POINTS [DEVICES]]`.
//!
//! The equations are those of a heated plate of POINTS by POINTS points, and the matrix is in compressed rows (CSR). A device
//! has its own rows of the vectors, and of the matrix the elements of these rows, from `starts[i]` up to `starts[i + 1]`. The
//! product reads elements of the direction `p` that lie up to the matrix's bandwidth from its own: these are ghost rows, which
//! the devices exchange. Each sum over all devices comes with the loop that makes its terms, so the vectors are read once.

use apportion::prelude::*;
use std::time::Instant;

/// Row `i` of `q = A p`, and its part of `p q`. Columns are at most `width` from the row.
#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), p: align halo(width))]
pub fn product(
    i: usize,
    width: usize,
    starts: &[u32],
    columns: &[u32],
    values: &[f64],
    p: &[f64],
    q: &mut [f64],
) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * p[columns[k] as usize];
    }
    q[i] = sum;
    sum * p[i]
}

/// A step along `p`, and the part of element `i` in the square of what remains. Where nothing is left to do, it stays.
#[kernel]
pub fn step(i: usize, left: f64, along: f64, p: &[f64], q: &[f64], x: &mut [f64], r: &mut [f64]) -> f64 {
    let alpha = if along > 0.0 { left / along } else { 0.0 };
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    r[i] * r[i]
}

/// The next direction.
#[kernel]
pub fn turn(i: usize, next: f64, left: f64, r: &[f64], p: &mut [f64]) {
    let beta = if left > 0.0 { next / left } else { 0.0 };
    p[i] = r[i] + beta * p[i];
}

/// The matrix of a plate of `m` by `m` points whose edge is cold: a row has its point and the up to four beside it.
fn plate(m: usize) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..m {
        for j in 0..m {
            let beside = [
                (i > 0, i.wrapping_sub(1), j),
                (j > 0, i, j.wrapping_sub(1)),
                (j + 1 < m, i, j + 1),
                (i + 1 < m, i + 1, j),
            ];
            let mut row = vec![(i * m + j, 4.0)];
            row.extend(beside.iter().filter(|(is, ..)| *is).map(|(_, i, j)| (i * m + j, -1.0)));
            row.sort_unstable_by_key(|(column, _)| *column);
            columns.extend(row.iter().map(|(column, _)| *column as u32));
            values.extend(row.iter().map(|(_, value)| *value));
            starts.push(columns.len() as u32);
        }
    }
    (starts, columns, values)
}

/// How far columns are from their rows at most.
fn bandwidth(starts: &[u32], columns: &[u32]) -> usize {
    let rows = starts.windows(2).enumerate();
    let of = rows
        .flat_map(|(i, ends)| columns[ends[0] as usize..ends[1] as usize].iter().map(move |&j| i.abs_diff(j as usize)));
    of.max().unwrap_or(0)
}

/// Solves for `m` by `m` points.
pub fn run(rt: &Runtime, m: usize) -> Result<()> {
    let n = m * m;
    let (starts, columns, values) = plate(m);
    let width = bandwidth(&starts, &columns);
    let heat: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 2.0).collect();

    // From zero, what remains and the first direction are the right side.
    let (mut x, mut r, mut p) = (vec![0.0; n], heat.clone(), heat.clone());
    let mut region = rt.data_region();
    // The numbers of `starts` are one more than the rows.
    let starts_ = region.to(&starts, [n + 1].halo_sides(0, 1));
    let (columns_, values_) =
        (region.to(&columns, [columns.len()].rows_at(&starts)), region.to(&values, [values.len()].rows_at(&starts)));
    let (x_, r_, p_) = (
        region.tofrom(&mut x, [n].named("x")),
        region.tofrom(&mut r, [n].named("r")),
        region.tofrom(&mut p, [n].halo(width).named("p")),
    );
    let q = region.alloc::<f64>([n].named("q"));

    let square: f64 = heat.iter().map(|v| v * v).sum();
    let enough = 1e-20 * square;
    let mut left = Later::from(square);
    let mut steps = 0u32;
    let mut start = Instant::now();
    loop {
        // A sum that a later loop takes stays on a GPU, and the host goes on.
        let along = region.parallel_for(0..n, product(width, starts_, columns_, values_, p_, q)).reduce_later(Sum)?;
        let next = region.parallel_for(0..n, step(&left, &along, p_, q, x_, r_)).reduce_later(Sum)?;
        region.parallel_for(0..n, turn(&next, &left, r_, p_)).run()?;
        steps += 1;
        // While the devices are at this step, the host looks at what the one before it left.
        let is_enough = region.value(&left)? <= enough;
        left = next;
        if is_enough || steps == 100_000 {
            break;
        }
        if steps == 2 {
            // The first two also make the kernels: the second takes all of its numbers from devices.
            start = Instant::now();
        }
    }
    let each = start.elapsed() / steps.saturating_sub(2).max(1);
    print!("{}", region.finish()?);

    for i in 0..n {
        let elements = starts[i] as usize..starts[i + 1] as usize;
        let row: f64 = elements.map(|k| values[k] * x[columns[k] as usize]).sum();
        assert!((row - heat[i]).abs() < 1e-6, "equation {i}: {row}, not {}", heat[i]);
    }
    println!("{n} equations, {} elements, {steps} steps of {each:.1?}; each equation holds", values.len());
    Ok(())
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let points = args.next().map_or(300, |text| text.parse().expect("POINTS is a number"));
    run(&Runtime::detect_only(&*args.next().unwrap_or_else(|| "*".to_owned()))?, points)
}
