//! The host bodies that `#[kernel]` makes, against loops over slices written by hand: time of one thread, least of many runs.

#[path = "../tests/common/programs.rs"]
#[allow(dead_code, missing_docs)]
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

/// The least of a number of times.
fn least(mut run: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    let begin = Instant::now();
    let mut runs = 0;
    while runs < 20 || begin.elapsed().as_secs_f64() < 0.7 {
        let start = Instant::now();
        run();
        least = least.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    least
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
    // The body alone: what a loop of the runtime costs besides is measured elsewhere.
    let loops = |n: std::ops::Range<usize>, bound: Bound<'_>| {
        black_box(rt.parallel_for(n, bound).policy(policy.clone()).run().unwrap()))
    };
    let empty = least(|| loops(0..1, programs::axpy(0.1, &[0.0], &mut [0.0])));
    let least_loop = |run: &mut dyn FnMut()| least(run) - empty;
    let show = |name: &str, hand: f64, made: f64| {
        println!("{name:10} by hand {:10.1} us, #[kernel] {:10.1} us, ratio {:.3}", hand * 1e6, made * 1e6, hand / made)
    };

    let n = 1_000_000;
    let (x, mut y) = (vec![1.5f32; n], vec![0.5f32; n]);
    let by_hand = Kernel::new("axpy").host(|range: Range<usize>, a: f32, x: In<f32>, mut y: Out<f32>| {
        axpy(a, x.slice(range.clone()), y.slice_mut(range))
    });
    let hand =
        least_loop(&mut || loops(0..n, by_hand.bind().scalar(black_box(0.1f32)).to(&x).align().tofrom(&mut y).align()));
    show("axpy", hand, least_loop(&mut || loops(0..n, programs::axpy(black_box(0.1), &x, &mut y))));
    let hand = least(|| black_box(sum(&x)));
    show(
        "sum",
        hand,
        least_loop(&mut || {
            black_box(
                rt.parallel_for(0..n, programs::sum(&x)).policy(policy.clone()).reduce::<f64>(Reduce::Sum).unwrap(),
            ))
        }),
    );
    let n = 1500;
    let a = vec![1.5f32; n * n];
    let (mut y, mut u) = (vec![0.0f32; n], vec![0.0f32; n * n]);
    let hand = least(|| matvec(n, &a, &x[..n], &mut y));
    show("matvec", hand, least_loop(&mut || loops(0..n, programs::matvec(n, &a, &x[..n], &mut y))));
    let hand = least(|| black_box(jacobi(n, [0.3, 0.2, -1.5, 0.8], &a, &a, &mut u, n)));
    show(
        "jacobi",
        hand,
        least_loop(&mut || {
            let bound = programs::jacobi(n, 0.3, 0.2, -1.5, 0.8, &a, &a, &mut u);
            black_box(
                rt.parallel_for(1..n - 1, bound).policy(policy.clone()).reduce::<f32>(Reduce::Sum).unwrap(),
            ));
        }),
    );
    let by_hand = Kernel::new("star").host_whole_chunk(|range: Range<usize>, x: In<f32>, mut y: Out<f32>| {
        star(range.len(), x.as_slice(), y.as_mut_slice())
    });
    let hand = least_loop(&mut || loops(0..n, by_hand.bind().to(&a).align_rows(n).from(&mut u).align_rows(n)));
    show("star", hand, least_loop(&mut || loops(0..n, programs::star(n, &a, &mut u))));
    let n = 200;
    let (a, mut c) = (vec![1.5f64; n * n], vec![0.0f64; n * n]);
    let hand = least(|| matmul(n, &a, &a, &mut c));
    show("matmul", hand, least_loop(&mut || loops(0..n, programs::matmul(n, &a, &a, &mut c))));
}
