//! The host bodies that `#[kernel]` makes, against loops over slices written by hand: time of one thread, least of many runs.
//!
//! `cargo run --release -p apportion-macros --example speed`

#[path = "../tests/common/programs.rs"]
#[allow(dead_code)]
mod programs;
/// As the tests have it.
#[macro_export]
macro_rules! both {
    ($($item:item)*) => {
        $(#[apportion::kernel] $item)*
        #[allow(dead_code, missing_docs, clippy::all)]
        pub mod plain { $($item)* }
    };
}
use apportion::kernel::{Bound, Reduce};
use apportion::prelude::*;
use std::hint::black_box;
use std::time::Instant;

#[inline(never)]
fn axpy(a: f32, x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

#[inline(never)]
fn matvec(n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(n)) {
        let mut s = 0.0;
        for (a, x) in row.iter().zip(x) {
            s += a * x;
        }
        *y = s;
    }
}

#[inline(never)]
fn sum(x: &[f32]) -> f64 {
    let mut lanes = [0f64; 16];
    let (chunks, rest) = x.as_chunks::<16>();
    for chunk in chunks {
        for k in 0..16 {
            lanes[k] += f64::from(chunk[k]);
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|&x| f64::from(x)).sum::<f64>()
}

#[inline(never)]
fn jacobi(m: usize, c: [f32; 4], f: &[f32], old: &[f32], u: &mut [f32], rows: usize) -> f32 {
    let [ax, ay, b, omega] = c;
    let mut error = 0.0;
    for i in 1..rows - 1 {
        let (above, row, below) = (&old[(i - 1) * m..][..m], &old[i * m..][..m], &old[(i + 1) * m..][..m]);
        let (f, u) = (&f[i * m..][..m], &mut u[i * m..][..m]);
        for j in 1..m - 1 {
            let r = (ax * (above[j] + below[j]) + ay * (row[j - 1] + row[j + 1]) + b * row[j] - f[j]) / b;
            u[j] = row[j] - omega * r;
            error += r * r;
        }
    }
    error
}

#[inline(never)]
fn matmul(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = s;
        }
    }
}

#[inline(never)]
fn star(n: usize, input: &[f32], out: &mut [f32]) {
    for i in 0..n {
        let row = &input[i * n..][..n];
        let out = &mut out[i * n..][..n];
        if i < 2 || i + 2 >= n {
            out.copy_from_slice(row);
            continue;
        }
        let (up, down) = (&input[(i - 2) * n..][..n], &input[(i + 2) * n..][..n]);
        out[..2].copy_from_slice(&row[..2]);
        out[n - 2..].copy_from_slice(&row[n - 2..]);
        for j in 2..n - 2 {
            out[j] = 0.5 * row[j] + 0.25 * (up[j] + down[j]) + 0.125 * (row[j - 2] + row[j + 2]);
        }
    }
}

/// Seconds of one run.
fn time(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Runs both in turns, and compares the least times.
macro_rules! compare {
    ($name:literal, $hand:expr, $made:expr, less $empty:expr) => {{
        let (mut hand, mut made) = (f64::INFINITY, f64::INFINITY);
        let begin = Instant::now();
        while begin.elapsed().as_secs_f64() < 1.5 {
            hand = hand.min(time(|| $hand));
            made = made.min(time(|| $made));
        }
        let (hand, made) = (1e6 * hand, 1e6 * (made - $empty));
        println!("{:10} by hand {hand:10.1} us, #[kernel] {made:10.1} us, ratio {:.3}", $name, hand / made);
    }};
}

fn machine() -> Runtime {
    let figure = |name: &str, value: f64| format!(r#""{name}": {{"value": {value}, "source": "assumed"}}"#);
    let figures = [
        figure("f32_gflop_per_s", 10.0),
        figure("f64_gflop_per_s", 10.0),
        figure("memory_gb_per_s", 10.0),
        figure("launch_us", 1.0),
    ];
    let text = format!(
        r#"{{"schema": "apportion.machine/1", "name": "one", "devices": [{{"id": 0, "name": "host", "kind": "host", "type": "HOSTCPU",
            "host": {{"cpus": "0"}}, "memory": "shared", {}}}]}}"#,
        figures.join(", ")
    );
    Runtime::from_machine(apportion::model::Machine::from_json(&text).unwrap()).unwrap()
}

fn main() {
    let rt = machine();
    let policy: Policy = "BLOCK".parse().unwrap();
    let run = |n: Range<usize>, bound: Bound<'_>| {
        rt.parallel_for(n, bound).policy(policy.clone()).run().unwrap();
    };
    // What a loop of the runtime costs besides its body is measured elsewhere.
    let empty =
        (0..1000).map(|_| time(|| run(0..1, programs::axpy(0.1, &[0.0], &mut [0.0])))).fold(f64::INFINITY, f64::min);

    let n = black_box(1_000_000);
    let (x, mut y) = (vec![1.5f32; n], vec![0.5f32; n]);
    compare!("axpy", axpy(black_box(0.1), &x, &mut y), run(0..n, programs::axpy(black_box(0.1), &x, &mut y)), less empty);
    compare!(
        "sum",
        drop(black_box(vec![sum(&x)])),
        drop(rt.parallel_for(0..n, programs::sum(&x)).policy(policy.clone()).reduce::<f64>(Reduce::Sum)),
        less empty
    );
    // Not known to the compiler, so that neither side is made for this one size.
    let n = black_box(1500);
    let a = vec![1.5f32; n * n];
    let (mut y, mut u) = (vec![0.0f32; n], vec![0.0f32; n * n]);
    compare!("matvec", matvec(n, &a, &x[..n], &mut y), run(0..n, programs::matvec(n, &a, &x[..n], &mut y)), less empty);
    compare!(
        "jacobi",
        drop(black_box(vec![jacobi(n, [0.3, 0.2, -1.5, 0.8], &a, &a, &mut u, n)])),
        {
            let bound = programs::jacobi(n, 0.3, 0.2, -1.5, 0.8, &a, &a, &mut u);
            drop(rt.parallel_for(1..n - 1, bound).policy(policy.clone()).reduce::<f32>(Reduce::Sum));
        },
        less empty
    );
    compare!("star", star(n, &a, &mut u), run(0..n, programs::star(n, &a, &mut u)), less empty);
    let n = black_box(200);
    let (a, mut c) = (vec![1.5f64; n * n], vec![0.0f64; n * n]);
    compare!("matmul", matmul(n, &a, &a, &mut c), run(0..n, programs::matmul(n, &a, &a, &mut c)), less empty);
}
