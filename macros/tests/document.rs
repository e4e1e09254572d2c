//! Compares the code in docs/kernel-code.md with what the macro makes. `UPDATE_DOCUMENT=1` writes it.
#![allow(missing_docs)]

use std::path::Path;

#[allow(dead_code, reason = "its kernel is what counts here")]
#[path = "../../examples/grid.rs"]
mod grid;
#[allow(dead_code, reason = "its kernel is what counts here")]
#[path = "../../examples/single_source.rs"]
mod single_source;
#[allow(dead_code, reason = "its kernel is what counts here")]
#[path = "../../examples/single_source_region.rs"]
mod single_source_region;

#[apportion::kernel]
fn matvec(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..n {
        s += a[i * n + j] * x[j];
    }
    y[i] = s;
}

#[apportion::kernel]
fn norm(i: usize, x: &[f32]) -> f64 {
    x[i] as f64 * x[i] as f64
}

const WIDTH: usize = 16;
const SCALE: f32 = 0.5;

/// Rows of as many elements as the constant says.
#[apportion::kernel(const WIDTH: usize, const SCALE: f32)]
fn scaled(i: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..WIDTH {
        y[i * WIDTH + j] = SCALE * x[i * WIDTH + j];
    }
}

mod by_rows {
    /// Row i of a grid of m columns. Its first and last cell are copied.
    #[apportion::kernel]
    pub fn smooth(i: usize, m: usize, old: &[f32], new: &mut [f32]) -> f64 {
        let mut change = 0.0;
        for j in 0..m {
            let at = i * m + j;
            let mut value = old[at];
            if j > 0 && j + 1 < m {
                value = 0.25 * ((old[at - 1] + old[at + 1]) + (old[at - m] + old[at + m]));
            }
            new[at] = value;
            change += (value - old[at]).abs() as f64;
        }
        change
    }
}

#[apportion::kernel]
fn axpy(i: usize, a: f32, x: &[f32], y: &mut [f32]) {
    y[i] += a * x[i];
}

#[apportion::kernel]
fn jacobi(i: usize, m: usize, ax: f32, ay: f32, b: f32, omega: f32, f: &[f32], old: &[f32], u: &mut [f32]) -> f32 {
    let mut error = 0.0;
    for j in 1..m - 1 {
        let r = (ax * (old[(i - 1) * m + j] + old[(i + 1) * m + j])
            + ay * (old[i * m + j - 1] + old[i * m + j + 1])
            + b * old[i * m + j]
            - f[i * m + j])
            / b;
        u[i * m + j] = old[i * m + j] - omega * r;
        error += r * r;
    }
    error
}

#[apportion::kernel]
#[map(counts: reduce(Sum), least: reduce(Min))]
fn histogram(i: usize, values: &[u32], weights: &[f32], counts: &mut [u64], least: &mut [f32]) {
    counts[values[i] as usize] += 1;
    least[values[i] as usize] = least[values[i] as usize].min(weights[i]);
}

/// Column sums of blocks of 16 rows.
#[apportion::kernel]
fn blocks(i: usize, n: usize, x: &[u8], sums: &mut [u32]) {
    for j in 0..n {
        let mut s = 0;
        for r in 0..16 {
            s += x[(16 * i + r) * n + j] as u32;
        }
        sums[i * n + j] = s;
    }
}

#[apportion::kernel]
fn wide(i: usize, m: usize, n: usize, u: &mut [f64]) {
    for j in 0..n {
        u[i * m + j] *= 0.5;
    }
}

/// Cell (i, j) in rows of m.
#[apportion::kernel(i, j)]
fn smooth(i: usize, j: usize, m: usize, old: &[f32], new: &mut [f32]) -> f64 {
    let at = i * m + j;
    let value = 0.25 * ((old[at - 1] + old[at + 1]) + (old[at - m] + old[at + m]));
    new[at] = value;
    (value - old[at]).abs() as f64
}

/// The document with `text` in the code block after `mark`.
fn with(document: &str, mark: &str, text: &str) -> String {
    let mark = format!("<!-- {mark} -->\n");
    let (before, rest) = document.split_once(&mark).unwrap_or_else(|| panic!("docs/kernel-code.md has no {mark}"));
    let (fence, rest) = rest.split_once('\n').unwrap();
    let end = rest.find("```\n").unwrap();
    format!("{before}{mark}{fence}\n{}\n{}", text.trim_end(), &rest[end..])
}

#[test]
fn the_document_shows_what_is_made() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/kernel-code.md");
    let before = std::fs::read_to_string(&path).unwrap();
    let maps = [
        matvec::maps(),
        norm::maps(),
        scaled::maps(),
        by_rows::smooth::maps(),
        axpy::maps(),
        blocks::maps(),
        wide::maps(),
        histogram::maps(),
    ];
    let mut document = with(&before, "maps", &maps.map(|maps| maps.to_string()).join("\n"));
    let examples = [
        single_source::jacobi::maps(),
        single_source_region::diffuse::maps(),
        single_source_region::heat::maps(),
        grid::diffuse::maps(),
    ];
    document = with(&document, "maps of examples", &examples.map(|maps| maps.to_string()).join("\n"));
    document = with(&document, "maps of cells", &smooth::maps().to_string());
    document = with(&document, "cuda", matvec::cuda_source());
    document = with(&document, "opencl", matvec::opencl_source());
    if std::env::var_os("UPDATE_DOCUMENT").is_some() {
        std::fs::write(&path, &document).unwrap();
    } else {
        assert!(document == before, "docs/kernel-code.md: run this test with UPDATE_DOCUMENT=1");
    }
}

#[test]
fn costs_are_numbers_of_the_arguments() {
    let cost = jacobi::cost(100, 1.0, 1.0, 1.0, 1.0);
    assert_eq!((cost.flops, cost.loads, cost.stores), (13.0 * 98.0 + 1.0, 8.0 * 98.0, 4.0 * 98.0));
    // A row without inner cells costs nothing, not less than nothing.
    assert_eq!(jacobi::cost(1, 1.0, 1.0, 1.0, 1.0).loads, 0.0);
    assert_eq!(wide::cost(10, 7).precision, apportion::kernel::Precision::F64);
}
