//! Elements that do not exist: a loop that accesses one reports it on every kind of device and touches nothing else.

use crate::common::{close, each_way, grids, numbers, runtimes};
use apportion::prelude::*;
use apportion::region::Dims;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads elements that the data choose.
#[kernel]
#[map(x: full)]
fn gathered(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[i] = x[at[i] as usize] + 1.0;
}

/// The same beside a local that is named like a number of elements.
#[kernel]
#[map(x: full)]
fn gathered_beside(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    let x_count = 1_000_000_000u64;
    y[i] = x[at[i] as usize] + if x_count > 5 { 1.0 } else { 0.0 };
}

/// The same for rows, in a loop whose columns groups share.
#[kernel]
#[map(x: full)]
fn columns(i: usize, m: usize, at: &[u32], w: &[f32], x: &[f32], y: &mut [f32]) {
    for j in 0..m {
        let mut value = w[i * m + j];
        if at[i * m + j] > 2 {
            value += x[at[i * m + j] as usize];
        }
        y[i * m + j] = value;
    }
}

/// Writes elements that the data choose.
#[kernel]
#[map(y: unsafe align)]
fn scattered(i: usize, at: &[u32], x: &[f32], y: &mut [f32]) {
    y[at[i] as usize] += x[i];
}

/// Rows near the iteration's own, as the map states.
#[kernel]
#[map(x: rows(m) halo(1))]
fn near(i: usize, m: usize, by: &[i32], x: &[f32], y: &mut [f32]) {
    for j in 0..m {
        y[i * m + j] = x[((i as i64 + by[i] as i64) * m as i64 + j as i64) as usize];
    }
}

/// A value for each iteration, and contributions to an array.
#[kernel]
#[map(h: reduce(Sum), table: full)]
fn counted(i: usize, at: &[u32], table: &[u32], h: &mut [u32]) -> f64 {
    h[table[at[i] as usize] as usize] += 1;
    1.0
}

/// Cells of a grid, and a table.
#[kernel(i, j)]
#[map(table: full)]
fn coloured(i: usize, j: usize, m: usize, x: &[u32], table: &[f32], y: &mut [f32]) {
    y[i * m + j] = table[x[i * m + j] as usize];
}

/// The data decide whether an iteration reads its neighbour; the text alone does not tell whether the last one does.
#[kernel]
fn following(i: usize, flags: &[u8], x: &[f32], y: &mut [f32]) {
    y[i] = if flags[i] == 1 { x[i + 1] } else { 0.5 };
}

/// The same for rows, which are also written only where the data say so.
#[kernel]
fn rows_below(i: usize, m: usize, flags: &[u8], x: &[f32], y: &mut [f32]) -> f64 {
    let mut sum = 0.0;
    for j in 0..m {
        if flags[i * m + j] == 1 {
            y[i * m + j] += x[(i + 1) * m + j];
            sum += 1.0;
        }
    }
    sum
}

/// Conditions and ends that keep iterations inside for some arguments only.
#[kernel]
fn inner(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    if i < n - 1 {
        y[i] = x[i + 1];
    }
}

#[kernel]
fn inner_columns(i: usize, m: usize, x: &[f32], y: &mut [f32]) {
    for j in 0..m - 1 {
        y[i] += x[i] + j as f32;
    }
}

/// Elements of local arrays that the data choose, in the kernel and in helpers.
#[kernel]
fn local(i: usize, read: &[u32], written: &[u32], y: &mut [f32]) {
    let mut w = [1.0f32; 4];
    let guard = [7.0f32; 4];
    w[written[i] as usize] += 2.0;
    y[i] = w[read[i] as usize] + guard[i % 4];
}

#[kernel(helper)]
fn chosen(w: &[f32; 5], at: u32) -> f32 {
    w[at as usize]
}

/// Calls one that reports, and has no array of its own.
#[kernel(helper)]
fn first_or(w: &[f32; 5], at: u32) -> f32 {
    let other: f32 = chosen(w, at);
    w[0] + other
}

#[kernel(helper)]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[kernel]
fn local_of_helpers(i: usize, read: &[u32], y: &mut [f32]) -> f64 {
    let mut w = [0.0f32; 5];
    for k in 0..5 {
        w[k] = k as f32;
    }
    let value: f32 = first_or(&w, read[i]);
    y[i] = twice(value);
    1.0
}

/// The same in a loop whose columns groups share.
#[kernel]
fn local_columns(i: usize, m: usize, read: &[u32], y: &mut [f32]) {
    for j in 0..m {
        let w = [1.0f32, 2.0, 3.0];
        y[i * m + j] = w[read[i * m + j] as usize];
    }
}

/// And in a loop over rows and columns.
#[kernel(i, j)]
fn local_cells(i: usize, j: usize, m: usize, read: &[u32], y: &mut [f32]) {
    let w = [1.0f32, 2.0, 3.0];
    y[i * m + j] = w[read[i * m + j] as usize];
}

/// Cells below and to the right, where the data say so.
#[kernel(i, j)]
fn neighbours(i: usize, j: usize, m: usize, below: &[u8], right: &[u8], x: &[f32], y: &mut [f32]) {
    let mut s = x[i * m + j];
    if below[i * m + j] == 1 {
        s += 2.0 * x[(i + 1) * m + j];
    }
    if right[i * m + j] == 1 {
        s += 4.0 * x[i * m + j + 1];
    }
    y[i * m + j] = s;
}

/// Columns from an end that an unsigned number may miss.
#[kernel(i, j)]
fn up_to_the_end(i: usize, j: usize, m: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    if j == 0 && i < n - 1 {
        s += x[(i + 1) * m + j];
    }
    y[i * m + j] = s;
}

/// Indices that are inside whatever the data.
#[kernel]
fn inside(i: usize, n: usize, v: &[i32], b: &[u8], y: &mut [f32]) {
    let mut w = [0.0f32; 6];
    let mut all = [1.0f32; 256];
    for k in 0..6 {
        w[k] = k as f32;
    }
    for k in (1..=5).rev() {
        w[k - 1] += 1.0;
    }
    for k in (0..6).step_by(2) {
        w[k] += 1.0;
        for l in 0..=k {
            w[l] *= 0.5;
        }
    }
    for k in 0..n.min(6) {
        w[k] += 1.0;
    }
    for k in 0..n {
        if k < 3 {
            w[2 * k + 1] += 1.0;
        }
    }
    let at = (v[i] & 3) as usize;
    all[b[i] as usize] = 2.0;
    y[i] = w[at + 2]
        + w[i % 6]
        + w[((v[i] & 7) as usize).min(5)]
        + w[if v[i] > 3 { 5 } else { at }]
        + all[(b[i] >> 1) as usize];
}

/// The message about the element: an error of a device, or a panic of a host body.
pub fn said<T: std::fmt::Debug>(run: impl FnOnce() -> Result<T>) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.unwrap_err().to_string(),
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

pub fn is_device(what: &str) -> bool {
    what.starts_with("opencl") || what.starts_with("cuda")
}

#[track_caller]
pub fn assert_says(said: &str, what: &str, element: &str, array: &str) {
    assert!(said.contains(&format!("element {element} ")), "{what}: {said}");
    if is_device(what) {
        assert!(said.contains(&format!("of array `{array}`")) && said.contains("incomplete"), "{what}: {said}");
    }
}

const N: usize = 5000;

#[test]
fn what_is_read_where_the_data_say() {
    let x = numbers(700, 1);
    let right: Vec<u32> = (0..N as u32).map(|i| i * 31 % 700).collect();
    each_way(|rt, policy, form, what| {
        for outside in [700, 123_456_789, u32::MAX] {
            let mut wrong = right.clone();
            wrong[4321] = outside;
            let mut y = vec![0.0; N];
            let run = || rt.parallel_for(0..N, form(gathered(&wrong, &x, &mut y))).policy(policy.clone()).run();
            assert_says(&said(run), what, &outside.to_string(), "x");
            let mut y = vec![0.0; N];
            let run = || rt.parallel_for(0..N, form(gathered_beside(&wrong, &x, &mut y))).policy(policy.clone()).run();
            assert_says(&said(run), what, &outside.to_string(), "x");
        }
        // The next loop works as usual.
        let mut y = vec![0.0; N];
        rt.parallel_for(0..N, form(gathered(&right, &x, &mut y))).policy(policy).run().unwrap();
        assert!(y.iter().zip(&right).all(|(y, at)| *y == x[*at as usize] + 1.0), "{what}");
    });
}

/// Runs a loop over all iterations.
fn run_all(rt: &Runtime, policy: &Policy, bound: apportion::kernel::Bound<'_>) -> Result<()> {
    rt.parallel_for(0..N, bound).policy(policy.clone()).run().map(|_| ())
}

#[test]
fn elements_of_local_arrays() {
    let right: Vec<u32> = (0..N as u32).map(|i| i * 31 % 4).collect();
    let says = |said: &str, what: &str, does: &str, element: u32, len: u32| {
        let by_rust = format!("the len is {len} but the index is {element}");
        let by_device = format!("{does} element {element} of a local array, which has {len} elements");
        assert!(said.contains(if is_device(what) { &by_device } else { &by_rust }), "{what}: {said}");
    };
    each_way(|rt, policy, form, what| {
        for outside in [5, 123_456_789, u32::MAX] {
            let mut wrong = right.clone();
            wrong[4321] = outside;
            let mut y = vec![0.0; N];
            says(&said(|| run_all(rt, &policy, form(local(&wrong, &right, &mut y)))), what, "reads", outside, 4);
            says(&said(|| run_all(rt, &policy, form(local(&right, &wrong, &mut y)))), what, "writes", outside, 4);
            let bound = form(local_of_helpers(&wrong, &mut y));
            let sum = || rt.parallel_for(0..N, bound).policy(policy.clone()).reduce::<f64>(Sum);
            says(&said(sum), what, "reads", outside, 5);
            wrong.iter_mut().for_each(|at| *at = if *at == outside { outside } else { *at % 3 });
            let rows =
                || rt.parallel_for(0..N / 50, form(local_columns(50, &wrong, &mut y))).policy(policy.clone()).run();
            says(&said(rows), what, "reads", outside, 3);
            let rows = || {
                rt.parallel_for(0..N / 50, form(local_cells(0..50, 50, &wrong, &mut y))).policy(policy.clone()).run()
            };
            says(&said(rows), what, "reads", outside, 3);
        }
        let mut y = vec![0.0; N];
        run_all(rt, &policy, form(local(&right, &right, &mut y))).unwrap();
        assert!(y.iter().all(|y| *y == 10.0), "{what}");
        let bound = form(local_of_helpers(&right, &mut y));
        let sum = rt.parallel_for(0..N, bound).policy(policy.clone()).reduce::<f64>(Sum).unwrap().value;
        assert!(sum == N as f64 && (0..N).all(|i| y[i] == 2.0 * right[i] as f32), "{what}");
    });
    grids(|rt, arrangement, what| {
        let (n, m) = (50, 100);
        let mut wrong: Vec<u32> = right.iter().map(|at| at % 3).collect();
        wrong[4321] = 3;
        let mut y = vec![0.0; N];
        let run = || {
            let mut region = rt.data_region().arrangement(arrangement);
            let (read, y) = (region.to(&wrong, [n, m]), region.from(&mut y, [n, m]));
            region.parallel_for_2d(0..n, 0..m, local_cells(0..m, m, read, y)).run()?;
            region.finish()
        };
        says(&said(run), what, "reads", 3, 3);
    });
}

#[test]
fn indices_of_local_arrays_that_are_inside_cost_nothing() {
    for text in [inside::cuda_source(), inside::opencl_source()] {
        assert!(!text.contains("ap_report") && !text.contains("ap_within"), "{text}");
    }
    for text in [local_of_helpers::cuda_source(), local_of_helpers::opencl_source()] {
        assert!(text.contains("aph_twice(value)") && text.contains("aph_chosen(w, at_v, ap_report)"), "{text}");
        assert!(!text.contains('$') && !text.contains('@'), "{text}");
    }
}

#[test]
fn in_a_loop_whose_columns_are_shared() {
    for m in [64usize, 1001] {
        let n = 20;
        let (x, w) = (numbers(50, 1), numbers(n * m, 2));
        let right: Vec<u32> = (0..(n * m) as u32).map(|i| i * 7 % 50).collect();
        let plain = |at: u32, w: f32| if at > 2 { w + x[at as usize] } else { w };
        each_way(|rt, policy, form, what| {
            let mut wrong = right.clone();
            wrong[7 * m + 33] = 50;
            let mut y = vec![0.0; n * m];
            let run = || rt.parallel_for(0..n, form(columns(m, &wrong, &w, &x, &mut y))).policy(policy.clone()).run();
            assert_says(&said(run), what, "50", "x");
            let mut y = vec![0.0; n * m];
            rt.parallel_for(0..n, form(columns(m, &right, &w, &x, &mut y))).policy(policy).run().unwrap();
            assert!((0..n * m).all(|at| y[at] == plain(right[at], w[at])), "{what}, {m}");
        });
    }
}

#[test]
fn what_is_written_where_the_data_say() {
    let x = numbers(N, 1);
    // As promised, each iteration writes its own element: a slow loop is cut into pieces, which have no others.
    let right: Vec<u32> = (0..N as u32).collect();
    for (name, rt) in runtimes() {
        let run = |bound: apportion::kernel::Bound<'_>| rt.parallel_for(0..N, bound).policy("BLOCK").run().map(|_| ());
        let mut wrong = right.clone();
        wrong[123] = N as u32;
        let mut y = vec![0.0; N];
        assert_says(&said(|| run(scattered(&wrong, &x, &mut y))), name, &N.to_string(), "y");
        if is_device(name) {
            let mut y = vec![0.0; N];
            run(scattered(&right, &x, &mut y)).unwrap();
            assert_eq!(y, x, "{name}");
        }
    }
}

#[test]
fn rows_that_the_map_does_not_give() {
    let (n, m) = (40, 33);
    let x = numbers(n * m, 3);
    let right: Vec<i32> = (0..n as i32).map(|i| if i == 0 { 1 } else { i % 2 - 1 }).collect();
    each_way(|rt, policy, form, what| {
        // A row before the array, and one that a single device of several does not have.
        for (row, by, element) in [(0usize, -1, None), (n - 1, 1, Some(n * m))] {
            let mut wrong = right.clone();
            wrong[row] = by;
            let mut y = vec![0.0; n * m];
            let run = || rt.parallel_for(0..n, form(near(m, &wrong, &x, &mut y))).policy(policy.clone()).run();
            let said = said(run);
            match element {
                // Any element of the row.
                None => assert!(said.contains("element "), "{what}: {said}"),
                Some(_) if is_device(what) => assert!(said.contains("of array `x`"), "{what}: {said}"),
                Some(_) => assert!(said.contains("element "), "{what}: {said}"),
            }
        }
        let mut y = vec![0.0; n * m];
        rt.parallel_for(0..n, form(near(m, &right, &x, &mut y))).policy(policy).run().unwrap();
        let expected = |at: usize| x[((at / m) as i32 + right[at / m]) as usize * m + at % m];
        assert!((0..n * m).all(|at| y[at] == expected(at)), "{what}");
    });
}

#[test]
fn rows_beyond_those_of_a_chunk_are_named() {
    let (n, m) = (40, 33);
    let (x, mut by) = (numbers(n * m, 3), vec![0; n]);
    by[3] = 20;
    for (name, rt) in runtimes().into_iter().filter(|(name, _)| matches!(*name, "opencl with copies" | "cuda")) {
        let mut y = vec![0.0; n * m];
        // The device has only part of the array.
        let said = rt.parallel_for(0..5usize, near(m, &by, &x, &mut y)).run().unwrap_err().to_string();
        assert!(said.contains("of array `x`") && said.contains("as the map says: widen it"), "{name}: {said}");
    }
}

#[test]
fn what_is_contributed_to() {
    let table: Vec<u32> = (0..100).map(|k| k % 10).collect();
    let at: Vec<u32> = (0..N as u32).map(|i| i % 100).collect();
    each_way(|rt, policy, form, what| {
        for (position, outside, array) in [(0, 100, "table"), (1, 10, "h")] {
            let (mut at, mut table, mut h) = (at.clone(), table.clone(), vec![0; 10]);
            if position == 0 {
                at[77] = outside
            } else {
                table[42] = outside
            };
            let run = || {
                let looped = rt.parallel_for(0..N, form(counted(&at, &table, &mut h)));
                looped.policy(policy.clone()).reduce::<f64>(Sum)
            };
            let said = said(run);
            if is_device(what) {
                assert_says(&said, what, &outside.to_string(), array);
            }
            assert!(!said.is_empty(), "{what}");
        }
        let mut h = vec![0; 10];
        let looped = rt.parallel_for(0..N, form(counted(&at, &table, &mut h)));
        assert_eq!(looped.policy(policy).reduce::<f64>(Sum).unwrap().value, N as f64, "{what}");
        assert_eq!(h, [N as u32 / 10; 10], "{what}");
    });
}

#[test]
fn in_a_region() {
    let x = numbers(700, 1);
    let right: Vec<u32> = (0..N as u32).map(|i| i * 31 % 700).collect();
    let mut wrong = right.clone();
    wrong[4321] = 700;
    for (name, rt) in runtimes() {
        let run = |at: &[u32], y: &mut [f32]| -> Result<()> {
            let mut region = rt.data_region();
            let (at, x, y) = (region.to(at, [N]), region.to(&x, [700].full()), region.from(y, [N]));
            region.parallel_for(0..N, gathered(at, x, y)).run()?;
            region.finish().map(|_| ())
        };
        let mut y = vec![0.0; N];
        let said = said(|| run(&wrong, &mut y));
        assert!(said.contains("element 700 "), "{name}: {said}");
        run(&right, &mut y).unwrap();
        assert!(y.iter().zip(&right).all(|(y, at)| *y == x[*at as usize] + 1.0), "{name}");
    }
}

#[test]
fn over_rows_and_columns() {
    let (n, m) = (30, 41);
    let table = numbers(9, 1);
    let right: Vec<u32> = (0..(n * m) as u32).map(|i| i % 9).collect();
    let mut wrong = right.clone();
    wrong[17 * m + 3] = 9;
    grids(|rt, arrangement, what| {
        let run = |x: &[u32], y: &mut [f32]| -> Result<()> {
            let mut region = rt.data_region().arrangement(arrangement);
            let (x, table) = (region.to(x, [n, m]), region.to(&table, [9].full()));
            let y = region.from(y, [n, m]);
            region.parallel_for_2d(0..n, 0..m, coloured(0..m, m, x, table, y)).run()?;
            region.finish().map(|_| ())
        };
        let mut y = vec![0.0; n * m];
        let said = said(|| run(&wrong, &mut y));
        assert!(said.contains("element 9 "), "{what}: {said}");
        run(&right, &mut y).unwrap();
        assert!(y.iter().zip(&right).all(|(y, x)| *y == table[*x as usize]), "{what}");
    });
}

#[test]
fn cells_that_iterations_may_do_without() {
    let (n, m) = (30, 41);
    let x = numbers(n * m, 1);
    let below: Vec<u8> = (0..n * m).map(|at| u8::from(at / m + 1 < n && at % 3 == 0)).collect();
    let right: Vec<u8> = (0..n * m).map(|at| u8::from(at % m + 1 < m && at % 5 == 0)).collect();
    let expected: Vec<f32> = (0..n * m)
        .map(|at| {
            let s = x[at] + if below[at] == 1 { 2.0 * x[at + m] } else { 0.0 };
            s + if right[at] == 1 { 4.0 * x[at + 1] } else { 0.0 }
        })
        .collect();
    let last = |flags: &[u8]| {
        let mut flags = flags.to_vec();
        flags[n * m - 1] = 1;
        flags
    };
    grids(|rt, arrangement, what| {
        let run = |below: &[u8], right: &[u8], y: &mut [f32]| -> Result<()> {
            let mut region = rt.data_region().arrangement(arrangement);
            let (below, right) = (region.to(below, [n, m]), region.to(right, [n, m]));
            let (x, y) = (region.to(&x, [n, m].halo(1)), region.from(y, [n, m]));
            region.parallel_for_2d(0..n, 0..m, neighbours(0..m, m, below, right, x, y)).run()?;
            region.finish().map(|_| ())
        };
        let mut y = vec![0.0; n * m];
        run(&below, &right, &mut y).unwrap();
        assert_eq!(y, expected, "{what}");
        for (below, right) in [(last(&below), right.clone()), (below.clone(), last(&right))] {
            let said = said(|| run(&below, &right, &mut y));
            let text = if is_device(what) { "a cell of array `x`" } else { "lies outside of" };
            assert!(said.contains(text), "{what}: {said}");
        }
    });
    grids(|rt, arrangement, what| {
        let run = |rows: usize, y: &mut [f32]| -> Result<()> {
            let mut region = rt.data_region().arrangement(arrangement);
            let (x, y) = (region.to(&x, [n, m].halo(1)), region.from(y, [n, m]));
            region.parallel_for_2d(0..n, 0..m, up_to_the_end(0..m, m, rows, x, y)).run()?;
            region.finish().map(|_| ())
        };
        let mut y = vec![0.0; n * m];
        run(n, &mut y).unwrap();
        let expected = |at: usize| if at.is_multiple_of(m) && at / m + 1 < n { x[at + m] } else { 0.0 };
        assert!((0..n * m).all(|at| y[at] == expected(at)), "{what}");
        // One less than 0 is the greatest number: no row is the last.
        let said = said(|| run(0, &mut y));
        let text = if is_device(what) { "a cell of array `x`" } else { "lies outside of" };
        assert!(said.contains(text), "{what}: {said}");
    });
}

#[test]
fn what_an_iteration_may_do_without() {
    let x = numbers(N, 1);
    let right: Vec<u8> = (0..N).map(|i| u8::from(i % 3 == 0 && i + 1 < N)).collect();
    let mut wrong = right.clone();
    wrong[N - 1] = 1;
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; N];
        let run = || rt.parallel_for(0..N, form(following(&wrong, &x, &mut y))).policy(policy.clone()).run();
        assert_says(&said(run), what, &N.to_string(), "x");
        let mut y = vec![0.0; N];
        let report = rt.parallel_for(0..N, form(following(&right, &x, &mut y))).policy(policy.clone()).run().unwrap();
        assert!((0..N).all(|i| y[i] == if right[i] == 1 { x[i + 1] } else { 0.5 }), "{what}");
        let note = format!("may reach elements 1 to {N} of `x`");
        assert!(report.notes.iter().any(|text| text.contains(&note)), "{what}: {:?}", report.notes);
        // None of these iterations can read outside.
        let mut y = vec![0.0; N];
        let report = rt.parallel_for(0..N - 1, form(following(&wrong, &x, &mut y))).policy(policy).run().unwrap();
        assert!(!report.notes.iter().any(|text| text.contains("compared")), "{what}: {:?}", report.notes);
    });
}

#[test]
fn rows_that_an_iteration_may_do_without() {
    let (n, m) = (50, 70);
    let x = numbers(n * m, 1);
    let right: Vec<u8> = (0..n * m).map(|at| u8::from(at % 3 == 0 && at / m + 1 < n)).collect();
    let mut wrong = right.clone();
    wrong[(n - 1) * m + 7] = 1;
    let element = n * m + 7;
    let plain = |at: usize| 1.0 + if right[at] == 1 { x[at + m] } else { 0.0 };
    let count = right.iter().filter(|flag| **flag == 1).count() as f64;
    each_way(|rt, policy, form, what| {
        let mut y = vec![1.0; n * m];
        let run =
            || rt.parallel_for(0..n, form(rows_below(m, &wrong, &x, &mut y))).policy(policy.clone()).reduce::<f64>(Sum);
        assert_says(&said(run), what, &element.to_string(), "x");
        let mut y = vec![1.0; n * m];
        let looped = rt.parallel_for(0..n, form(rows_below(m, &right, &x, &mut y)));
        assert_eq!(looped.policy(policy).reduce::<f64>(Sum).unwrap().value, count, "{what}");
        assert!((0..n * m).all(|at| y[at] == plain(at)), "{what}");
    });
    for (name, rt) in runtimes() {
        let run = |flags: &[u8], y: &mut [f32]| -> Result<f64> {
            let mut region = rt.data_region();
            let (flags, x) = (region.to(flags, [n, m]), region.to(&x, [n, m].halo(1)));
            let y = region.tofrom(y, [n, m]);
            let sum = region.parallel_for(0..n, rows_below(m, flags, x, y)).reduce::<f64>(Sum)?;
            region.finish().map(|_| sum)
        };
        let mut y = vec![1.0; n * m];
        let said = said(|| run(&wrong, &mut y));
        // The host may have room for rows past the edge, but they have no values.
        assert!(said.contains(&format!("element {element} ")), "{name}: {said}");
        let mut y = vec![1.0; n * m];
        assert_eq!(run(&right, &mut y).unwrap(), count, "{name}");
        assert!((0..n * m).all(|at| y[at] == plain(at)), "{name}");
    }
}

#[test]
fn numbers_that_wrap_are_no_proof() {
    let x = numbers(40, 1);
    each_way(|rt, policy, form, what| {
        // 0 - 1 wraps to the largest number, which excludes no iteration.
        let mut y = vec![0.0; 40];
        let run = || rt.parallel_for(0..40usize, form(inner(0, &x, &mut y))).policy(policy.clone()).run();
        assert_says(&said(run), what, "40", "x");
        let mut y = vec![0.0; 40];
        let report = rt.parallel_for(0..40usize, form(inner(40, &x, &mut y))).policy(policy.clone()).run().unwrap();
        assert!((0..39).all(|i| y[i] == x[i + 1]) && y[39] == 0.0, "{what}");
        assert!(!report.notes.iter().any(|text| text.contains("compared")), "{what}: {:?}", report.notes);
        let looped = rt.parallel_for(0..40usize, form(inner_columns(0, &x, &mut y)));
        let error = looped.policy(policy).run().unwrap_err().to_string();
        assert!(error.contains("begins or ends at -1") && error.contains("below 0"), "{what}: {error}");
    });
}

/// Conditions and ends in which arguments can make a number too large for its type: by a cast, a sum, a signed sum, the first
/// value of a loop.
#[kernel]
fn not_below(i: usize, limit: usize, x: &[f32], y: &mut [f32]) {
    if (i as i64) < limit as i64 {
        y[i] = 1.0;
    } else {
        y[i] = x[i + 10];
    }
}

#[kernel]
fn left_early(i: usize, limit: u64, x: &[f32], y: &mut [f32]) {
    if limit as i64 > i as i64 {
        return;
    }
    y[i] = x[i + 10];
}

#[kernel]
fn moved(i: usize, by: usize, n: usize, x: &[f32], y: &mut [f32]) {
    if i.wrapping_add(by) < n {
        y[i] = x[i + 10];
    }
}

#[kernel]
fn moved_signed(i: usize, by: i64, n: usize, x: &[f32], y: &mut [f32]) {
    if (i as i64).wrapping_add(by) < n as i64 {
        y[i] = x[i + 10];
    }
}

#[kernel]
fn from_there(i: usize, by: usize, n: usize, x: &[f32], y: &mut [f32]) {
    for k in i.wrapping_add(by)..n {
        y[i] += x[k + 10];
    }
}

#[test]
fn numbers_that_are_too_large_are_no_proof() {
    let n = 40usize;
    let x = numbers(n, 1);
    each_way(|rt, policy, form, what| {
        let run = |bound| rt.parallel_for(0..n, form(bound)).policy(policy.clone()).run();
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| vec![0.0; n]);
        let wrong = [
            not_below(usize::MAX, &x, &mut a),
            left_early(u64::MAX, &x, &mut b),
            moved(usize::MAX - 3, n, &x, &mut c),
            moved_signed(i64::MAX - 5, n, &x, &mut d),
            from_there(usize::MAX, n, &x, &mut e),
        ];
        for (place, bound) in wrong.into_iter().enumerate() {
            let said = said(|| run(bound));
            assert!(said.contains("element 4"), "{what}, {place}: {said}");
        }
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| vec![0.0; n]);
        let right = [
            not_below(n, &x, &mut a),
            left_early(n as u64, &x, &mut b),
            moved(10, n, &x, &mut c),
            moved_signed(10, n, &x, &mut d),
            from_there(n, n, &x, &mut e),
        ];
        for bound in right {
            let report = run(bound).unwrap();
            assert!(!report.notes.iter().any(|text| text.contains("compared")), "{what}: {:?}", report.notes);
        }
        let moved: Vec<f32> = (0..n).map(|i| if i < 30 { x[i + 10] } else { 0.0 }).collect();
        assert_eq!([a, b, c, d, e], [vec![1.0; n], vec![0.0; n], moved.clone(), moved, vec![0.0; n]], "{what}");
    });
}

/// Functions of numbers that can be too large for their types: then less than the text says remains of them.
#[kernel]
fn moved_at_least(i: usize, by: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let k = i.wrapping_add(by).max(3);
    if k < n {
        y[i] = x[k + 10];
    }
}

#[kernel]
fn moved_back(i: usize, by: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let k = i.wrapping_add(by).saturating_sub(1);
    if k < n {
        y[i] = x[k + 10];
    }
}

#[kernel]
fn not_below_a_quarter(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    if i < n.wrapping_mul(4) / 4 {
        y[i] = 1.0;
    } else {
        y[i] = x[i + 10];
    }
}

#[kernel]
fn not_below_half(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    if i < n.wrapping_add(3) / 2 {
        y[i] = 1.0;
    } else {
        y[i] = x[i + 10];
    }
}

/// Products of three numbers, which may have no number of 128 bits.
#[kernel]
fn scaled(i: usize, a: usize, b: usize, n: usize, x: &[f32], y: &mut [f32]) {
    if i.wrapping_mul(a).wrapping_mul(b) < n {
        y[i] = x[i + 10];
    }
}

#[kernel]
#[map(x: full)]
fn at_most(i: usize, limit: usize, x: &[f32], y: &mut [f32]) {
    y[i] = x[((limit as i64).min(5) + 3) as usize];
}

#[test]
fn functions_of_numbers_that_are_too_large_are_no_proof() {
    let n = 40usize;
    let x = numbers(n, 1);
    each_way(|rt, policy, form, what| {
        let run = |bound| rt.parallel_for(0..n, form(bound)).policy(policy.clone()).run();
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| vec![0.0; n]);
        let wrong = [
            moved_at_least(usize::MAX - 3, n, &x, &mut a),
            moved_back(usize::MAX - 3, n, &x, &mut b),
            not_below_a_quarter(1 << 62, &x, &mut c),
            not_below_half(usize::MAX - 2, &x, &mut d),
            scaled(usize::MAX, usize::MAX, n, &x, &mut e),
        ];
        for (place, bound) in wrong.into_iter().enumerate() {
            let said = said(|| run(bound));
            assert!(said.contains("element 4"), "{what}, {place}: {said}");
        }
        let mut y = vec![0.0; n];
        let said = said(|| run(at_most(usize::MAX - 9, &x, &mut y)));
        assert!(said.contains("element "), "{what}: {said}");
        let [mut a, mut b, mut c, mut d, mut e, mut f] = [(); 6].map(|()| vec![0.0; n]);
        let right = [
            moved_at_least(10, 30, &x, &mut a),
            moved_back(11, 30, &x, &mut b),
            not_below_a_quarter(n, &x, &mut c),
            not_below_half(2 * n, &x, &mut d),
            scaled(2, 1, 60, &x, &mut e),
            at_most(4, &x, &mut f),
        ];
        for (place, bound) in right.into_iter().enumerate() {
            let report = run(bound).unwrap();
            // Of a product the text does not tell which iterations it admits.
            let compared = report.notes.iter().any(|text| text.contains("compared"));
            assert!(compared == (place == 4), "{what}, {place}: {:?}", report.notes);
        }
        let moved = |by: usize| (0..n).map(|i| if i + by < n { x[i + by] } else { 0.0 }).collect::<Vec<f32>>();
        let expected = [moved(20), moved(20), vec![1.0; n], vec![1.0; n], moved(10), vec![x[7]; n]];
        assert_eq!([a, b, c, d, e, f], expected, "{what}");
    });
}

/// A local array, and a loop that begins at a number which may be too large for its type.
#[kernel]
fn local_from_there(i: usize, n: usize, y: &mut [f32]) {
    let mut w = [0.0f32; 4];
    for k in (n as i64)..4 {
        w[k as usize] += 1.0;
    }
    y[i] = w[3];
}

#[kernel(helper)]
fn last_from_there(n: usize) -> f32 {
    let mut w = [0.0f32; 4];
    for k in (n as i64)..4 {
        w[k as usize] += 1.0;
    }
    w[3]
}

#[kernel]
fn local_of_helper_from_there(i: usize, n: usize, y: &mut [f32]) {
    let last: f32 = last_from_there(n);
    y[i] = last;
}

#[kernel(i, j)]
fn local_cells_from_there(i: usize, j: usize, m: usize, n: usize, y: &mut [f32]) {
    let mut w = [0.0f32; 4];
    for k in (n as i64)..4 {
        w[k as usize] += 1.0;
    }
    y[i * m + j] = w[3];
}

#[test]
fn local_arrays_before_their_first_element() {
    let local = |said: &str, what: &str| {
        let text =
            if is_device(what) { "of a local array, which has 4 elements" } else { "the len is 4 but the index is" };
        assert!(said.contains(text), "{what}: {said}");
    };
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; N];
        local(&said(|| run_all(rt, &policy, form(local_from_there(usize::MAX, &mut y)))), what);
        local(&said(|| run_all(rt, &policy, form(local_of_helper_from_there(usize::MAX, &mut y)))), what);
        run_all(rt, &policy, form(local_from_there(2, &mut y))).unwrap();
        assert_eq!(y, [1.0; N], "{what}");
    });
    grids(|rt, arrangement, what| {
        let (n, m) = (50, 100);
        let mut y = vec![0.0; N];
        let run = || {
            let mut region = rt.data_region().arrangement(arrangement);
            let y = region.from(&mut y, [n, m]);
            region.parallel_for_2d(0..n, 0..m, local_cells_from_there(0..m, m, usize::MAX, y)).run()?;
            region.finish()
        };
        local(&said(run), what);
    });
}

/// A part of the elements, with half weight for the last: a condition compares with a value that also ends the loop.
#[kernel]
#[map(x: full)]
fn halved_at_the_end(i: usize, n: usize, x: &[f32], y: &mut [f32]) {
    let end = (i + 8).min(n);
    let mut s = 0.0;
    for j in i..end {
        if j + 1 < end {
            s += x[j];
        } else {
            s += 0.5 * x[j];
        }
    }
    let first = i.saturating_sub(2);
    for k in first..i {
        if k > first {
            s += x[k];
        } else {
            s += 0.25 * x[k];
        }
    }
    y[i] = s;
}

/// One element, if half of `n` is at most `k`.
#[kernel]
#[map(x: full)]
fn twice_the_half(i: usize, n: usize, k: usize, x: &[f32], y: &mut [f32]) {
    y[i] = 0.0;
    if n / 2 <= k {
        y[i] = x[2 * (n / 2)];
    }
}

/// As many elements as the smaller of two signed numbers.
#[kernel]
#[map(x: full)]
fn as_many_as_the_lesser(i: usize, c: i64, d: i64, x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in 0..c.min(d) as usize {
        s += x[k];
    }
    y[i] = s;
}

/// All elements but the last, for some iterations.
#[kernel]
#[map(x: full)]
fn all_but_the_last(i: usize, m: usize, flags: &[u8], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    if flags[i] == 1 {
        for j in 0..m - 1 {
            s += x[j];
        }
    }
    y[i] = s;
}

/// Rows, possibly none.
#[kernel]
#[map(x: full)]
fn rows_of_none(i: usize, r: usize, m: usize, x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in 0..r {
        for j in 0..m - 1 {
            s += x[k * m + j];
        }
    }
    y[i] = s;
}

#[test]
fn limits_that_follow_from_one_another_come_to_an_end() {
    let n = 60;
    let x = numbers(n, 4);
    let mut expected = vec![0.0; n];
    (0..n).for_each(|i| {
        let (end, first) = ((i + 8).min(n), i.saturating_sub(2));
        let mut s = 0.0;
        (i..end).for_each(|j| s += if j + 1 < end { x[j] } else { 0.5 * x[j] });
        (first..i).for_each(|k| s += if k > first { x[k] } else { 0.25 * x[k] });
        expected[i] = s;
    });
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; n];
        rt.parallel_for(0..n, form(halved_at_the_end(n, &x, &mut y))).policy(policy).run().unwrap();
        close(&y, &expected, 1e-6, what);
    });
}

#[test]
fn limits_of_a_half_are_those_of_the_half() {
    let x = numbers(501, 4);
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; 40];
        let run =
            || rt.parallel_for(0..40usize, form(twice_the_half(1000, 500, &x, &mut y))).policy(policy.clone()).run();
        assert_says(&said(run), what, "1000", "x");
        let mut y = vec![0.0; 40];
        rt.parallel_for(0..40usize, form(twice_the_half(500, 250, &x, &mut y))).policy(policy.clone()).run().unwrap();
        assert!(y.iter().all(|y| *y == x[500]), "{what}");
    });
}

#[test]
fn signed_numbers_may_be_below_0() {
    let x = numbers(40, 1);
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; 40];
        let looped = rt.parallel_for(0..40usize, form(as_many_as_the_lesser(1, 3, &x, &mut y)));
        looped.policy(policy.clone()).run().unwrap();
        assert!(y.iter().all(|y| *y == x[0]), "{what}");
        let mut y = vec![0.0; 40];
        let bound = form(as_many_as_the_lesser(-1, 3, &x, &mut y));
        let said = said(|| rt.parallel_for(0..40usize, bound).policy(policy.clone()).run());
        assert!(said.contains("element") || said.contains("below 0"), "{what}: {said}");
    });
}

#[test]
fn a_loop_whose_end_has_wrapped_comes_to_an_end() {
    let (x, mut flags) = (numbers(40, 1), vec![0u8; 40]);
    flags[39] = 1;
    each_way(|rt, policy, form, what| {
        let mut y = vec![0.0; 40];
        let run =
            || rt.parallel_for(0..40usize, form(all_but_the_last(0, &flags, &x, &mut y))).policy(policy.clone()).run();
        let said = said(run);
        assert!(said.contains("element"), "{what}: {said}");
        let mut y = vec![0.0; 40];
        let looped = rt.parallel_for(0..40usize, form(all_but_the_last(2, &flags, &x, &mut y)));
        looped.policy(policy.clone()).run().unwrap();
        assert!((0..39).all(|i| y[i] == 0.0) && y[39] == x[0], "{what}");
        // No iteration reaches the inner loop, whose end would be negative.
        let mut y = vec![1.0; 40];
        rt.parallel_for(0..40usize, form(rows_of_none(0, 0, &x, &mut y))).policy(policy.clone()).run().unwrap();
        assert!(y.iter().all(|y| *y == 0.0), "{what}");
    });
}

#[test]
fn what_was_compared_stays_as_it_is() {
    let x = numbers(40, 1);
    for (name, rt) in runtimes() {
        let mut y = vec![0.0f32; 40];
        let refused =
            |bound: apportion::kernel::Bound<'_>| rt.parallel_for(0..40usize, bound).run().unwrap_err().to_string();
        let by_hand = inner::kernel().bind().scalar(40usize).to(&x[..4]).from(&mut y).align();
        let error = refused(by_hand);
        assert!(error.contains("`inner`") && error.contains("call that function"), "{name}: {error}");
        let error = refused(inner(40, &x, &mut y).halo(0));
        assert!(error.contains(".halo(..)") && error.contains("#[map(..)]"), "{name}: {error}");
        let error = refused(inner(40, &x, &mut y).scalar(1usize));
        assert!(error.contains(".scalar(..)"), "{name}: {error}");
        let error = refused(inner(40, &x, &mut y).to(&x));
        assert!(error.contains("after its arguments"), "{name}: {error}");
        if name == "cuda" {
            // No device here runs what is made of the source below.
            continue;
        }
        let source = inner::kernel().opencl_variant().cloned().unwrap().options("-DX=1");
        let other =
            Kernel::new("other").host(|_: Range<usize>, _: usize, _: In<f32>, _: Out<f32>| ()).opencl_source(source);
        let error = refused(other.bind().scalar(40usize).to(&x).from(&mut y));
        assert!(error.contains("`other`") && error.contains("made by `#[kernel]`"), "{name}: {error}");
    }
}
