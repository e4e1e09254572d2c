//! Kernels of `#[kernel(i, j)]` on devices in a grid: the same cells as a serial loop of the same function, for all
//! arrangements, edges and kinds of devices.
//!
//! Without an OpenCL device, sets that include one are left out; with `APPORTION_REQUIRE_OPENCL` they fail.

use apportion::kernel::Bound;
use apportion::kernel::generated::as_on_gpus;
use apportion::prelude::*;
use apportion::region::{Arrangement, Dims, Division, Edge, Ghosts, Layout, Mapped, RegionSplit};
use proptest::prelude::*;

mod common;
use common::machines::{emulated, host, opencl, runtime};

/// The functions as kernels, and unchanged in a module `plain`.
macro_rules! both {
    ($($(#[$attribute:meta])* fn $name:ident $rest:tt $(-> $result:ty)? $body:block)*) => {
        $(#[kernel(i, j)] $(#[$attribute])* fn $name $rest $(-> $result)? $body)*
        #[allow(dead_code, clippy::all)]
        mod plain { $(pub fn $name $rest $(-> $result)? $body)* }
    };
}

both! {
    fn nine(i: usize, j: usize, m: usize, old: &[i64], new: &mut [i64]) {
        let at = i * m + j;
        let above = old[at - m - 1] + 2 * old[at - m] + 3 * old[(i - 1) * m + (j + 1)];
        let here = 5 * old[at - 1] + 7 * old[at] + 11 * old[at + 1];
        let below = 13 * old[at + m - 1] + 17 * old[at + m] + 19 * old[m * (i + 1) + j + 1];
        new[at] = (above + here + below) % 1_000_003;
    }

    fn boxed(i: usize, j: usize, m: usize, r: usize, w: &[i64], old: &[i64], new: &mut [i64]) -> i64 {
        let mut s = 0;
        for k in 0..2 * r + 1 {
            for l in 0..2 * r + 1 {
                s = (s + w[k * (2 * r + 1) + l] * old[(i + k - r) * m + (j + l - r)]) % 1_000_003;
            }
        }
        new[i * m + j] = s;
        s * (i * 31 + j * 7 + 1) as i64
    }

    fn clamped(i: usize, j: usize, n: usize, m: usize, slope: &[i64], tilt: &[i64], old: &[i64], new: &mut [i64]) -> i64 {
        let mut s = slope[i] * 3 + tilt[j];
        if i > 0 && j + 1 < m {
            s += old[(i - 1) * m + j + 1];
        }
        if i + 1 < n && j >= 2 {
            s -= 2 * old[(i + 1) * m + j - 2];
        }
        s += 5 * old[i * m + j.saturating_sub(1)];
        for k in i.saturating_sub(1)..i + 1 {
            s += old[k * m + j];
        }
        new[i * m + j] += s % 1009;
        if s < 0 { return 1; }
        s % 17
    }
}

const N: usize = 13;
const M: usize = 10;

/// The index that a cell past an edge stands for.
fn source(x: isize, n: usize, edge: Edge) -> usize {
    let n = n as isize;
    match edge {
        Edge::Periodic => x.rem_euclid(n) as usize,
        _ if x < 0 => (-x) as usize,
        _ if x >= n => (2 * (n - 1) - x) as usize,
        _ => x as usize,
    }
}

/// The array with `r` more cells on all sides, filled as the edge says.
fn padded(a: &[i64], [n, m]: [usize; 2], r: usize, edge: Edge) -> Vec<i64> {
    let of = |i: usize, j: usize| {
        let (row, column) = (i as isize - r as isize, j as isize - r as isize);
        if edge == Edge::None && (row < 0 || row >= n as isize || column < 0 || column >= m as isize) {
            return i64::MIN / 4;
        }
        a[source(row, n, edge) * m + source(column, m, edge)]
    };
    (0..n + 2 * r).flat_map(|i| (0..m + 2 * r).map(move |j| (i, j))).map(|(i, j)| of(i, j)).collect()
}

fn start(n: usize, m: usize) -> Vec<i64> {
    (0..(n * m) as i64).map(|i| (i * 7919) % 1013).collect()
}

/// Copies of one OpenCL device. It can be opened as often as there are different parts of its platform's name to select it by.
fn pocl(place: usize) -> String {
    opencl(&format!("pocl{place}"), "discrete").replace("portable", &"portable computing"[..8 + place])
}

/// Sets of devices, and their arrangement.
fn sets() -> Vec<(Vec<String>, Arrangement)> {
    let e = |count: usize| (0..count).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>();
    vec![
        (vec![host()], Arrangement::Square),
        (vec![host()], Arrangement::Row),
        (e(3), Arrangement::Row),
        (e(2), Arrangement::Grid(1, 2)),
        (e(2), Arrangement::Grid(2, 1)),
        (e(4), Arrangement::Square),
        (e(6), Arrangement::Grid(2, 3)),
        ([vec![host()], e(3)].concat(), Arrangement::Grid(2, 2)),
        (vec![pocl(0)], Arrangement::Square),
        (vec![pocl(0), pocl(1)], Arrangement::Grid(1, 2)),
        (vec![pocl(0), pocl(1)], Arrangement::Grid(2, 1)),
        (vec![pocl(0), pocl(1), pocl(2), pocl(3)], Arrangement::Grid(2, 2)),
        (vec![pocl(0), host(), emulated("e", 10.0), pocl(1)], Arrangement::Grid(2, 2)),
    ]
}

/// Runs on each set. Sets with OpenCL devices run kernels in both forms, for CPUs and for GPUs.
fn on_all(mut run: impl FnMut(&Runtime, Arrangement, fn(Bound<'_>) -> Bound<'_>, &str) -> Result<()>) -> Result<()> {
    for (set, arrangement) in sets() {
        let has_opencl = set.iter().any(|device| device.contains("opencl"));
        let rt = match runtime(&set) {
            Ok(rt) => rt,
            Err(error) if has_opencl && std::env::var_os("APPORTION_REQUIRE_OPENCL").is_none() => {
                println!("left out: {error}");
                continue;
            }
            Err(error) => return Err(error),
        };
        let forms: &[fn(Bound<'_>) -> Bound<'_>] =
            if has_opencl { &[|bound| bound, as_on_gpus] } else { &[|bound| bound] };
        for (form, made) in forms.iter().enumerate() {
            run(&rt, arrangement, *made, &format!("{arrangement:?}, form {form}, {set:?}"))?;
        }
    }
    Ok(())
}

#[test]
fn cells_equal_a_serial_loop_on_every_grid_and_edge() -> Result<()> {
    let steps = 5;
    on_all(|rt, arrangement, made, what| {
        for edge in [Edge::None, Edge::Periodic, Edge::Reflecting] {
            // With devices in a row, columns have no ghost cells.
            let row = arrangement == Arrangement::Row;
            let (rim, rim_columns) = (usize::from(edge == Edge::None), usize::from(edge == Edge::None || row));
            let (rows, columns) = (rim..N - rim, rim_columns..M - rim_columns);
            let first = start(N, M);
            let mut expected = [first.clone(), first.clone()];
            for step in 0..steps {
                let wide = padded(&expected[step % 2], [N, M], 1, edge);
                let mut new = vec![0; wide.len()];
                for (i, j) in rows.clone().flat_map(|i| columns.clone().map(move |j| (i, j))) {
                    plain::nine(i + 1, j + 1, M + 2, &wide, &mut new);
                    expected[(step + 1) % 2][i * M + j] = new[(i + 1) * (M + 2) + j + 1];
                }
            }
            let (mut a, mut b) = (first.clone(), first);
            let mut region = rt.data_region().arrangement(arrangement);
            let mut old = region.tofrom(&mut a, [N, M].halo(1).edge(edge).named("a"));
            let mut new = region.tofrom(&mut b, [N, M].halo(1).edge(edge).named("b"));
            for _ in 0..steps {
                let bound = nine(columns.clone(), M, old, new);
                region.parallel_for_2d(rows.clone(), columns.clone(), made(bound)).run()?;
                std::mem::swap(&mut old, &mut new);
            }
            let report = region.finish()?;
            assert_eq!([a, b], expected, "{edge:?}, {what}\n{report}");
        }
        Ok(())
    })
}

#[test]
fn conditions_arrays_of_rows_and_of_columns_and_a_reduction_are_those_of_the_whole_array() -> Result<()> {
    let (slope, tilt) = (start(N, 1), start(M, 1));
    on_all(|rt, arrangement, made, what| {
        let mut expected = [start(N, M), start(N, M)];
        let mut sums = Vec::new();
        for step in 0..4 {
            let old = expected[step % 2].clone();
            let cells = (0..N).flat_map(|i| (0..M).map(move |j| (i, j)));
            let new = &mut expected[(step + 1) % 2];
            sums.push(cells.map(|(i, j)| plain::clamped(i, j, N, M, &slope, &tilt, &old, new)).sum::<i64>());
        }
        let (mut a, mut b) = (start(N, M), start(N, M));
        let mut region = rt.data_region().arrangement(arrangement);
        let halo = |layout: [usize; 2]| {
            layout
                .halo_sides(1, 1)
                .ghosts(1, Ghosts { left: 2, right: 1, left_edge: Edge::None, right_edge: Edge::None })
        };
        let mut old = region.tofrom(&mut a, halo([N, M]).named("a"));
        let mut new = region.tofrom(&mut b, halo([N, M]).named("b"));
        let slope = region.to(&slope, [N].named("slope"));
        let tilt = region.to(&tilt, [M].full().named("tilt"));
        let mut found = Vec::new();
        for _ in 0..4 {
            let bound = clamped(0..M, N, M, slope, tilt, old, new);
            found.push(region.parallel_for_2d(0..N, 0..M, made(bound)).reduce::<i64>(Sum)?);
            std::mem::swap(&mut old, &mut new);
        }
        let report = region.finish()?;
        assert_eq!((found, [a, b]), (sums, expected), "{what}\n{report}");
        Ok(())
    })
}

/// Rows that are longer than one tile of a work-group, and rows that end with a tile.
#[test]
fn long_rows_are_cut_into_tiles() -> Result<()> {
    let n = 7;
    for m in [256, 1301, 2050] {
        let mut expected = vec![0; n * m];
        let first = start(n, m);
        let cells = || (1..n - 1).flat_map(|i| (1..m - 1).map(move |j| (i, j)));
        cells().for_each(|(i, j)| plain::nine(i, j, m, &first, &mut expected));
        let w: Vec<i64> = (1..10).collect();
        let mut boxes = vec![0; n * m];
        let sum: i64 = cells().map(|(i, j)| plain::boxed(i, j, m, 1, &w, &first, &mut boxes)).sum();
        let rows: i64 = cells().map(|(i, j)| first[i * m + j] - 1).sum();
        on_all(|rt, arrangement, made, what| {
            let (mut a, mut b) = (vec![0; n * m], vec![0; n * m]);
            let mut region = rt.data_region().arrangement(arrangement);
            let old = region.to(&first, [n, m].halo(1));
            let (new, of_boxes) = (region.tofrom(&mut a, [n, m]), region.tofrom(&mut b, [n, m]));
            let w = region.to(&w, [9].full());
            let bound = made(nine(1..m - 1, m, old, new));
            region.parallel_for_2d(1..n - 1, 1..m - 1, bound).run()?;
            let bound = made(boxed(1..m - 1, m, 1, w, old, of_boxes));
            let found: i64 = region.parallel_for_2d(1..n - 1, 1..m - 1, bound).reduce(Sum)?;
            let light: i64 = region.parallel_for_2d(1..n - 1, 1..m - 1, made(less(1..m - 1, m, old))).reduce(Sum)?;
            region.finish()?;
            assert_eq!((found, light), (sum, rows), "{m} columns, {what}");
            let mut c = vec![0; n * m];
            let mut region = rt.data_region().arrangement(arrangement);
            let (x, y) = (region.to(&first, [n, m]), region.tofrom(&mut c, [n, m]));
            region.parallel_for_2d(0..n, 0..m, made(counted(0..m, m, 3, 7, 11, x, y))).run()?;
            region.finish()?;
            assert!(c.iter().zip(&first).all(|(y, x)| *y == 3 * x + 7 - 11), "{m} columns, {what}");
            assert!(a == expected && b == boxes, "{m} columns, {what}");
            Ok(())
        })?;
    }
    Ok(())
}

/// Parameters named like the variables of the generated text.
#[kernel(i, j)]
fn counted(i: usize, j: usize, m: usize, k: i64, end: i64, wide: i64, x: &[i64], y: &mut [i64]) {
    y[i * m + j] = k * x[i * m + j] + end - wide;
}

#[kernel(i, j)]
fn less(i: usize, j: usize, m: usize, x: &[i64]) -> i64 {
    x[i * m + j] - 1
}

/// The minimum is that of all cells, on whichever device.
#[test]
fn other_reductions_than_sums_are_made_too() -> Result<()> {
    let w = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let values: Vec<i64> = {
        let mut new = vec![0; N * M];
        let old = start(N, M);
        let cells = (1..N - 1).flat_map(|i| (1..M - 1).map(move |j| (i, j)));
        cells.map(|(i, j)| plain::boxed(i, j, M, 1, &w, &old, &mut new)).collect()
    };
    on_all(|rt, arrangement, made, what| {
        for (operator, expected) in [(Min, values.iter().min()), (Max, values.iter().max())] {
            let (a, mut b) = (start(N, M), vec![0; N * M]);
            let mut region = rt.data_region().arrangement(arrangement);
            let old = region.to(&a, [N, M].halo(1));
            let new = region.from(&mut b, [N, M]);
            let w = region.to(&w, [9].full());
            let bound = made(boxed(1..M - 1, M, 1, w, old, new));
            let found: i64 = region.parallel_for_2d(1..N - 1, 1..M - 1, bound).reduce(operator)?;
            assert_eq!(Some(&found), expected, "{operator:?}, {what}");
        }
        Ok(())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A box of any width over arrays of any size, on grids of any shape, for loops over parts of the cells.
    #[test]
    fn boxes_of_any_width_equal_a_serial_loop(n in 1usize..24, m in 1usize..24, r in 0usize..3, more in 0usize..2,
                                              rows in 1usize..4, columns in 1usize..4, with_host: bool,
                                              edge in prop::sample::select(vec![Edge::None, Edge::Periodic]),
                                              cut in prop::array::uniform4(0usize..3), steps in 1usize..4) {
        prop_assume!(n > r && m > r);
        let mut devices: Vec<String> = (0..rows * columns).map(|i| emulated(&format!("e{i}"), 10.0 + i as f64)).collect();
        if with_host {
            devices[0] = host();
        }
        let rt = runtime(&devices).unwrap();
        let rim = if edge == Edge::None { r } else { 0 };
        let part = |n: usize, [low, high]: [usize; 2]| {
            let (low, high) = (rim + low, n.saturating_sub(rim + high));
            low..high.max(low)
        };
        let (over_rows, over_columns) = (part(n, [cut[0], cut[1]]), part(m, [cut[2], cut[3]]));
        prop_assume!(over_rows.end <= n && over_columns.end <= m);
        let w: Vec<i64> = (0..(2 * r + 1) * (2 * r + 1)).map(|k| k as i64 * 5 + 1).collect();
        let mut expected = [start(n, m), start(n, m)];
        let mut sums = Vec::new();
        for step in 0..steps {
            let wide = padded(&expected[step % 2], [n, m], r, edge);
            let mut new = vec![0; wide.len()];
            let mut sum = 0;
            for (i, j) in over_rows.clone().flat_map(|i| over_columns.clone().map(move |j| (i, j))) {
                plain::boxed(i + r, j + r, m + 2 * r, r, &w, &wide, &mut new);
                let cell = new[(i + r) * (m + 2 * r) + j + r];
                expected[(step + 1) % 2][i * m + j] = cell;
                sum += cell * (i * 31 + j * 7 + 1) as i64;
            }
            sums.push(sum);
        }
        let (mut a, mut b) = (start(n, m), start(n, m));
        let mut found = Vec::new();
        let mut region = rt.data_region().arrangement(Arrangement::Grid(rows, columns)).split(RegionSplit::Even);
        let mut old = region.tofrom(&mut a, [n, m].halo(r + more).edge(edge));
        let mut new = region.tofrom(&mut b, [n, m].halo(r + more).edge(edge));
        let w = region.to(&w, [w.len()].full());
        for _ in 0..steps {
            let bound = boxed(over_columns.clone(), m, r, w, old, new);
            let run = region.parallel_for_2d(over_rows.clone(), over_columns.clone(), bound);
            found.push(run.reduce::<i64>(Sum).unwrap());
            std::mem::swap(&mut old, &mut new);
        }
        region.finish().unwrap();
        prop_assert_eq!((found, [a, b]), (sums, expected));
    }
}

/// A loop fetches only what its function reads: columns, rows, or neither.
#[kernel(i, j)]
fn left(i: usize, j: usize, m: usize, old: &[i64], new: &mut [i64]) {
    new[i * m + j] = old[i * m + j - 1];
}

#[kernel(i, j)]
fn up(i: usize, j: usize, m: usize, old: &[i64], new: &mut [i64]) {
    new[i * m + j] = old[(i - 1) * m + j];
}

#[kernel(i, j)]
fn corner(i: usize, j: usize, m: usize, old: &[i64], new: &mut [i64]) {
    new[i * m + j] = old[(i - 1) * m + j - 1];
}

#[kernel(i, j)]
fn same(i: usize, j: usize, m: usize, old: &[i64], new: &mut [i64]) {
    new[i * m + j] = old[i * m + j] + 1;
}

#[test]
fn a_loop_fetches_the_ghost_cells_that_its_text_reaches_and_no_others() -> Result<()> {
    let rt = runtime(&(0..4).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>())?;
    let (mut a, mut b) = (start(8, 8), vec![0; 64]);
    let mut region = rt.data_region().arrangement(Arrangement::Grid(2, 2)).rebalance(false);
    let edge = |layout: [usize; 2]| layout.halo(1).edge(Edge::Periodic);
    let (a, b) = (region.tofrom(&mut a, edge([8, 8])), region.tofrom(&mut b, edge([8, 8])));
    type Bind = fn(Mapped<i64>, Mapped<i64>) -> Bound<'static>;
    let exchanged = |region: &mut apportion::region::DataRegion<'_, '_>| Ok::<_, Error>(region.report()?.exchanged.0);
    // A ghost column of each of four tiles, with the corners at both ends: 6 cells of 8 bytes.
    let side = 4 * 6 * 8;
    let kernels: [(&str, Bind, u64); 4] = [
        ("same", |old, new| same(0..8, 8, old, new), 0),
        ("left", |old, new| left(0..8, 8, old, new), side),
        ("up", |old, new| up(0..8, 8, old, new), side),
        ("corner", |old, new| corner(0..8, 8, old, new), 4 * (6 + 5) * 8),
    ];
    region.parallel_for_2d(0..8usize, 0..8usize, same(0..8, 8, b, a)).run()?;
    for (name, bind, bytes) in kernels {
        // Makes all ghosts of `a` old.
        region.parallel_for_2d(0..8usize, 0..8usize, same(0..8, 8, b, a)).run()?;
        let before = exchanged(&mut region)?;
        region.parallel_for_2d(0..8usize, 0..8usize, bind(a, b)).run()?;
        assert_eq!(exchanged(&mut region)? - before, bytes, "{name}");
    }
    Ok(())
}

/// Half of each row, with a constant as the width.
#[kernel(i, j, const WIDTH: usize, const SHARE: f32)]
fn blend(i: usize, j: usize, old: &[f32], new: &mut [f32]) {
    let next = old[i * WIDTH + j + WIDTH + 1];
    new[i * WIDTH + j] = mixed(old[i * WIDTH + j], next) * SHARE;
}

#[kernel(i, j)]
fn blend16(i: usize, j: usize, old: &[f32], new: &mut [f32]) {
    // The next row and the previous column.
    new[i * 16 + j] = mixed(old[i * 16 + j], old[i * 16 + j + 15]);
}

#[kernel(helper)]
fn mixed(a: f32, b: f32) -> f32 {
    a * 0.25 + b
}

const WIDTH: usize = 16;
const SHARE: f32 = 0.5;

#[test]
fn widths_may_be_constants_and_helpers_are_called() -> Result<()> {
    let first: Vec<f32> = (0..12 * WIDTH).map(|i| (i * 37 % 101) as f32).collect();
    on_all(|rt, arrangement, made, what| {
        let (mut new, mut back) = (vec![0.0f32; first.len()], vec![0.0f32; first.len()]);
        let mut region = rt.data_region().arrangement(arrangement);
        let old = region.to(&first, [12, WIDTH].halo(1));
        let (to, to_back) = (region.tofrom(&mut new, [12, WIDTH]), region.tofrom(&mut back, [12, WIDTH]));
        region.parallel_for_2d(0..11usize, 0..15usize, made(blend(0..15, old, to))).run()?;
        region.parallel_for_2d(0..11usize, 1..16usize, made(blend16(1..16, old, to_back))).run()?;
        region.finish()?;
        let cell = |i: usize, j: usize| first[i * WIDTH + j];
        for (i, j) in (0..12).flat_map(|i| (0..WIDTH).map(move |j| (i, j))) {
            let (one, other) = (i < 11 && j < 15, i < 11 && j > 0);
            let expected = if one { (cell(i, j) * 0.25 + cell(i + 1, j + 1)) * SHARE } else { 0.0 };
            assert_eq!(new[i * WIDTH + j], expected, "({i}, {j}), {what}");
            let expected = if other { cell(i, j) * 0.25 + cell(i + 1, j - 1) } else { 0.0 };
            assert_eq!(back[i * WIDTH + j], expected, "({i}, {j}) back, {what}");
        }
        Ok(())
    })
}

#[track_caller]
fn told<T>(result: Result<T>, words: &[&str]) {
    let error = result.err().expect("this is a mistake");
    assert!(matches!(error, Error::Call(_)), "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "no `{word}` in: {error}");
    }
}

#[kernel]
fn by_rows(i: usize, m: usize, x: &[i64], y: &mut [i64]) {
    for j in 0..m {
        y[i * m + j] = x[i * m + j];
    }
}

#[kernel(i, j)]
fn first_of_row(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) {
    y[i * m + j] = x[i * m + j] - x[i * m];
}

#[kernel(i, j)]
fn every_second(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) {
    y[i * m + 2 * j] = x[i * m + j];
}

#[kernel(i, j)]
#[map(y: unsafe rows(m))]
fn stated(i: usize, j: usize, m: usize, at: &[u32], y: &mut [i64]) {
    y[i * m + at[j] as usize] = 1;
}

#[kernel(i, j)]
fn transposed(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) {
    y[i * m + j] = x[j * m + i];
}

#[test]
fn what_a_loop_over_rows_and_columns_cannot_do_is_said() -> Result<()> {
    let rt = runtime(&(0..4).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>())?;
    let (x, at) = (start(8, 8), vec![0u32; 8]);
    let mut arrays: Vec<Vec<i64>> = vec![vec![0; 64]; 4];
    let [y, thin, short, other] = &mut arrays[..] else { unreachable!() };
    let mut region = rt.data_region().arrangement(Arrangement::Grid(2, 2));
    let x = region.to(&x, [8, 8].halo(1).named("grid"));
    let y = region.tofrom(y, [8, 8]);
    let thin = region.tofrom(thin, [8, 8].named("thin"));
    let short = region.tofrom(short, [16, 4].named("short"));
    let flat = region.tofrom(other, [64].named("flat"));
    let at = region.to(&at, [8].full());
    let all = 0..8usize;
    let mut run = |columns: std::ops::Range<usize>, bound| region.parallel_for_2d(1..7usize, columns, bound).run();

    told(run(all.clone(), by_rows(8, x, y)), &["`by_rows`", "`#[kernel(i, j)]`", "`parallel_for`"]);
    told(run(all.clone(), same(0..7, 8, x, y)), &["given the columns 0..7", "over columns 0..8"]);
    told(
        run(all.clone(), first_of_row(0..8, 8, x, y)),
        &["`x[i*m]`", "the column, 0, does not follow `j`", "`#[map(x: full)]`"],
    );
    told(run(0..4, every_second(0..4, 8, x, y)), &["`y[i*m + 2*j]`", "does not follow `j`", "`i * m + j`"]);
    told(run(all.clone(), stated(0..8, 8, at, y)), &["`#[map(y: rows(..))]`", "which columns"]);
    told(run(all.clone(), transposed(0..8, 8, x, y)), &["of `x[", "does not follow"]);
    // Ghost cells.
    told(run(1..8, left(1..8, 8, thin, y)), &["`thin`", "1 columns before and 0 after", "`.halo(1)`"]);
    told(run(1..8, up(1..8, 8, thin, y)), &["`thin`", "1 rows before and 0 after", "`.halo(1)`"]);
    told(
        run(all.clone(), left(0..8, 8, x, y)),
        &["`old`", "`grid`", "columns 0..8 reach columns -1 to 6", "columns 0 to 7", "shorten the loop"],
    );
    // Wrong mappings.
    told(run(all.clone(), same(0..8, 8, short, y)), &["`short`", "8 elements", "rows of 4", "`[rows, 8]`"]);
    told(run(all.clone(), same(0..8, 8, flat, y)), &["`flat`", "1 dimension", "`[rows, 8]`"]);
    // The region goes on.
    run(all, same(0..8, 8, x, y))?;
    region.finish()?;
    assert_eq!(arrays[0][8..56], start(8, 8)[8..56].iter().map(|x| x + 1).collect::<Vec<_>>());
    Ok(())
}

#[kernel(i, j)]
fn with_row(i: usize, j: usize, m: usize, x: &[i64], y: &mut [i64]) {
    y[i * m + j] = x[i * 2] + x[i * 2 + 1];
}

#[test]
fn arrays_with_plain_indices_have_whole_rows_on_each_device() -> Result<()> {
    let rt = runtime(&(0..2).map(|i| emulated(&format!("e{i}"), 10.0)).collect::<Vec<_>>())?;
    let (x, mut y) = (start(8, 2), vec![0; 64]);
    for divided in [true, false] {
        let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
        let layout: Layout = [8, 2].named("pairs");
        let x = region.to(&x, if divided { layout } else { layout.divide(1, Division::Full) });
        let y = region.tofrom(&mut y, [8, 8]);
        let run = region.parallel_for_2d(0..8usize, 0..8usize, with_row(0..8, 8, x, y)).run();
        if divided {
            told(run, &["`pairs`", "plain indices", "`.divide(1, Division::Full)`"]);
        } else {
            run?;
        }
        region.finish()?;
    }
    assert_eq!(y, (0..64).map(|at| x[at / 8 * 2] + x[at / 8 * 2 + 1]).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn the_same_kernel_runs_over_rows_alone_and_maps_say_how() -> Result<()> {
    let rt = runtime(&[host(), emulated("e", 10.0)])?;
    let x = start(N, M);
    let mut y = vec![0; N * M];
    rt.parallel_for(0..N, same(0..M, M, &x, &mut y)).run()?;
    assert_eq!(y, x.iter().map(|x| x + 1).collect::<Vec<_>>());
    assert!(same::maps().to_string().contains("over rows and columns: a work-item goes down some cells of 4 columns"));
    let why = first_of_row::maps().to_string();
    assert!(why.contains("over rows and columns: no: of `x[i*m]`"), "{why}");
    assert!(!by_rows::maps().to_string().contains("columns: "));
    Ok(())
}

/// An iteration is a cell: its cost is that of a row, divided by the columns.
#[test]
fn costs_are_those_of_a_cell() -> Result<()> {
    // 10 million operations a second, and 8 for each cell.
    let rt = runtime(&[emulated("a", 0.01), emulated("b", 0.01)])?;
    #[kernel(i, j)]
    fn heavy(i: usize, j: usize, m: usize, x: &[f32], y: &mut [f32]) {
        let x = x[i * m + j];
        y[i * m + j] = x * x * x * x * x * x * x * x * x;
    }
    let (x, mut y) = (vec![1.0f32; 32 * 16], vec![0.0f32; 32 * 16]);
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2)).rebalance(false);
    let (x, y) = (region.to(&x, [32, 16]), region.tofrom(&mut y, [32, 16]));
    region.parallel_for_2d(0..32usize, 0..16usize, heavy(0..16, 16, x, y)).run()?;
    let report = region.finish()?;
    for device in &report.devices {
        assert_eq!(device.iterations, 256, "{report}");
        // A busy machine takes longer, but never less time.
        assert!(device.kernel.0 >= 256.0 * 0.8e-6 * 0.99, "{report}");
    }
    Ok(())
}

#[test]
fn arrays_that_every_device_has_and_arrays_with_an_offset_are_found_by_row_and_column() -> Result<()> {
    let (first, longer) = (start(N, M), start(N + 1, M));
    let wide = padded(&first, [N, M], 1, Edge::Periodic);
    let cells = || (0..N).flat_map(|i| (0..M).map(move |j| (i, j)));
    let mut around = vec![0; N * M];
    let mut padded_new = vec![0; wide.len()];
    for (i, j) in cells() {
        plain::nine(i + 1, j + 1, M + 2, &wide, &mut padded_new);
        around[i * M + j] = padded_new[(i + 1) * (M + 2) + j + 1];
    }
    on_all(|rt, arrangement, made, what| {
        let (mut a, mut b) = (vec![0; N * M], vec![0; N * M]);
        let mut region = rt.data_region().arrangement(arrangement);
        let whole = region.to(&first, [N, M].full().halo(1).edge(Edge::Periodic).named("whole"));
        // Row i + 1 belongs to iteration i, so row i is the row before it.
        let before = region.to(&longer, [N + 1, M].offset(1).halo_sides(1, 0).named("before"));
        let (new, copy) = (region.tofrom(&mut a, [N, M]), region.tofrom(&mut b, [N, M]));
        let run = region.parallel_for_2d(0..N, 0..M, made(nine(0..M, M, whole, new))).run();
        if arrangement == Arrangement::Row {
            told(run, &["`whole`", "reach columns -1 to 8", "in a grid of devices"]);
        } else {
            run?;
        }
        region.parallel_for_2d(0..N, 0..M, made(same(0..M, M, before, copy))).run()?;
        region.finish()?;
        assert!(arrangement == Arrangement::Row || a == around, "{what}");
        assert_eq!(b, longer[..N * M].iter().map(|x| x + 1).collect::<Vec<_>>(), "{what}");
        Ok(())
    })?;
    let rt = runtime(&[emulated("a", 10.0), emulated("b", 10.0)])?;
    let mut shifted = longer.clone();
    let mut deep = vec![0; N * M * 2];
    let mut region = rt.data_region().arrangement(Arrangement::Grid(1, 2));
    let from = region.to(&first, [N, M]);
    let shifted = region.tofrom(&mut shifted, [N + 1, M].offset(1).named("shifted"));
    let deep = region.tofrom(&mut deep, [N, M, 2].named("deep"));
    let mut run = |bound| region.parallel_for_2d(0..N, 0..M, bound).run();
    told(run(same(0..M, M, from, shifted)), &["`shifted`", "offset of 1 rows", "map it without"]);
    told(run(same(0..M, M, from, deep)), &["`deep`", "in 3 dimensions", "`[rows, 10]`"]);
    Ok(())
}
