//! Random programs of cells: on devices in a grid every target does what Rust does.

#[allow(missing_docs, clippy::all, unused, unused_comparisons)]
#[rustfmt::skip]
#[path = "../common/programs/cells.rs"]
mod cells;

use crate::common::{Results, close, numbers};
use crate::{common, generate};
use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use apportion::region::{Dims, Ghosts, Layout, Mapped};

/// A program as plain Rust.
type Plain = fn(
    usize,
    usize,
    usize,
    f32,
    f64,
    i32,
    &[f32],
    &[f64],
    &[i32],
    &[u8],
    &mut [f32],
    &mut [i32],
    &mut [f64],
    &mut [u64],
) -> u64;
/// The arrays that are read, and the arrays that are written.
type Arrays =
    ((Mapped<f32>, Mapped<f64>, Mapped<i32>, Mapped<u8>), (Mapped<f32>, Mapped<i32>, Mapped<f64>, Mapped<u64>));
/// A program, and a function that binds its arguments for some columns.
pub type Program = (Plain, fn(Range<usize>, usize, Arrays) -> Bound<'static>);

const SCALARS: (f32, f64, i32) = (0.75, -1.25, 5);

/// The functions as kernels of cells, and unchanged in a module `plain`.
#[macro_export]
macro_rules! both_of_cells {
    ($($item:item)*) => {
        $(#[apportion::kernel(i, j)] $item)*
        #[allow(dead_code, clippy::all)]
        pub mod plain { $($item)* }
    };
}

/// A kernel's function as a pointer that takes a region's arrays.
#[macro_export]
macro_rules! of_mapped {
    ($function:ident) => {
        |columns, n, ((x, d, v, w), (y, z, e, q))| {
            let (a, b, k) = $crate::random_cells::SCALARS;
            $function(columns, n, a, b, k, x, d, v, w, y, z, e, q)
        }
    };
}

#[test]
fn the_programs_are_those_of_the_generator() {
    common::check_programs("cells.rs", &generate::cell_file());
}

#[test]
fn every_grid_does_what_rust_does() {
    let (n, m) = (23, 19);
    let x = numbers(n * m, 1);
    let d: Vec<f64> = numbers(n, 2).iter().map(|&x| f64::from(x) * 3.0).collect();
    let v: Vec<i32> = numbers(n * m, 3).iter().map(|&x| (x * 1e9) as i32).collect();
    let w: Vec<u8> = numbers(m, 4).iter().map(|&x| (x * 128.0 + 128.0) as u8).collect();
    let before = Results { y: vec![0.5; n * m], z: vec![-7; n * m], e: vec![0.25; n * m], q: vec![3; n * m] };
    let (rows, columns) = (1..n - 2, 1..m - 1);
    let (a, b, k) = SCALARS;
    let cells = || rows.clone().flat_map(|i| columns.clone().map(move |j| (i, j)));
    let expected: Vec<(u64, Results)> = cells::ALL
        .iter()
        .map(|(plain, _)| {
            let mut r = before.clone();
            let sums = cells().map(|(i, j)| {
                let (y, z, e, q) = (&mut r.y, &mut r.z, &mut r.e, &mut r.q);
                plain(i, j, m, a, b, k, &x, &d, &v, &w, y, z, e, q)
            });
            (sums.fold(0, u64::wrapping_add), r)
        })
        .collect();
    common::grids(|rt, arrangement, what| {
        for (number, ((_, bind), (sum, wanted))) in cells::ALL.iter().zip(&expected).enumerate() {
            let forms: &[fn(Bound<'_>) -> Bound<'_>] =
                if what.contains("opencl") { &[|bound| bound, as_on_gpus] } else { &[|bound| bound] };
            for (form, as_it_is) in forms.iter().enumerate() {
                let what = format!("program {number} on {what}, {arrangement:?}, form {form}");
                let mut r = before.clone();
                let mut region = rt.data_region().arrangement(arrangement);
                let halo = |layout: Layout| layout.halo(2).ghosts(1, Ghosts { left: 2, right: 2, ..Ghosts::default() });
                let read = (
                    region.to(&x, halo([n, m].into())),
                    region.to(&d, [n]),
                    region.to(&v, halo([n, m].into())),
                    region.to(&w, [m].full()),
                );
                let written = (
                    region.tofrom(&mut r.y, [n, m]),
                    region.tofrom(&mut r.z, [n, m]),
                    region.tofrom(&mut r.e, [n, m]),
                    region.tofrom(&mut r.q, [n, m]),
                );
                let bound = as_it_is(bind(columns.clone(), m, (read, written)));
                let got = region.parallel_for_2d(rows.clone(), columns.clone(), bound).reduce::<u64>(Sum);
                let got = got.unwrap_or_else(|error| panic!("{what}: {error}"));
                region.finish().unwrap();
                close(&r.y, &wanted.y, 0.0, &what);
                assert_eq!(r.z, wanted.z, "{what}");
                close(&r.e, &wanted.e, 1e-12, &what);
                assert_eq!(r.q, wanted.q, "{what}");
                assert_eq!(got, *sum, "{what}");
            }
        }
    });
}
