//! Times kernels over rows on the host device and on OpenCL's CPU device, each alone with all cores, in turns in one process: medians
//! of `ROUNDS` loops, and OpenCL's by the host's. `measure forms` does the same for forms of the kernels by hand, without checks of
//! indices, and divides their times by the host's too. Results are compared with the host's.
#![allow(unsafe_code)]
use apportion::kernel::{Bound, DeviceSource, Grid};
use apportion::prelude::*;
use std::time::Instant;

const ROUNDS: usize = 21;

#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: full)]
fn product(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

#[kernel]
#[map(values: rows_at(starts))]
fn norms(i: usize, starts: &[u32], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * values[k];
    }
    sum.sqrt()
}

#[kernel]
fn matvec(i: usize, n: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..n {
        s += a[i * n + j] * x[j];
    }
    y[i] = s;
}

/// The forms by hand: BODY(i) is an iteration. FORM 0: a group for each iteration, of which one work-item does it. 1: a work-item for
/// each iteration. 2: the first work-item of a group has a span of iterations. 3: each work-item has a span of them.
const FORMS: &str = "
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#if REDUCES
#define BEGIN double total = 0;
#define RUN(i) total += body(i, ARGUMENTS)
#define END partial[get_group_id(0)] = total;
#else
#define BEGIN
#define RUN(i) body(i, ARGUMENTS)
#define END
#endif
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void entry(const long lo, const long hi, PARAMETERS) {
    const long group = get_group_id(0), groups = get_num_groups(0);
#if FORM == 0
    if (get_local_id(0) != 0) return;
    BEGIN
    for (long i = lo + group; i < hi; i += groups) RUN(i);
    END
#elif FORM == 1
    const long i = lo + get_global_id(0);
    if (i < hi) RUN(i);
#elif FORM == 2
    if (get_local_id(0) != 0) return;
    const long span = (hi - lo + groups - 1) / groups, from = lo + group * span, to = min(from + span, hi);
    BEGIN
    for (long i = from; i < to; i++) RUN(i);
    END
#else
    const long items = get_global_size(0), span = (hi - lo + items - 1) / items;
    const long from = lo + (long)get_global_id(0) * span, to = min(from + span, hi);
    for (long i = from; i < to; i++) RUN(i);
#endif
}
";

const PRODUCT: &str = "
#define PARAMETERS __global const uint *restrict starts, long starts0, __global const uint *restrict columns, long columns0, \\
    __global const double *restrict values, long values0, __global const double *restrict x, long x0, __global double *restrict y, long y0
#define ARGUMENTS starts, starts0, columns, columns0, values, values0, x, x0, y, y0
static inline void body(long i, PARAMETERS) {
    double sum = 0;
    for (long k = starts[i - starts0], end = starts[i + 1 - starts0]; k < end; k++)
        sum += values[k - values0] * x[columns[k - columns0] - x0];
    y[i - y0] = sum;
}
";

const NORMS: &str = "
#define PARAMETERS __global const uint *restrict starts, long starts0, __global const double *restrict values, long values0, \\
    __global double *restrict partial
#define ARGUMENTS starts, starts0, values, values0, partial
static inline double body(long i, PARAMETERS) {
    double sum = 0;
    for (long k = starts[i - starts0], end = starts[i + 1 - starts0]; k < end; k++) sum += values[k - values0] * values[k - values0];
    return sqrt(sum);
}
";

const MATVEC: &str = "
#define PARAMETERS ulong n, __global const float *restrict a, long a0, __global const float *restrict x, long x0, \\
    __global float *restrict y, long y0
#define ARGUMENTS n, a, a0, x, x0, y, y0
static inline void body(long i, PARAMETERS) {
    float sum = 0;
    for (long j = 0; j < (long)n; j++) sum += a[i * (long)n + j - a0] * x[j - x0];
    y[i - y0] = sum;
}
";

/// A form: its name, FORM, work-items of a group, and the number of groups for `n` iterations.
type Form = (String, usize, usize, Box<dyn Fn(usize) -> usize + Send + Sync>);

fn forms(reduces: bool) -> Vec<Form> {
    let mut list: Vec<Form> = Vec::new();
    let most = if reduces { 4096 } else { usize::MAX };
    for group in [256, 1] {
        list.push((format!("a group of {group} for each row, at most {most}"), 0, group, Box::new(move |n| n.min(most))));
    }
    for group in [256, 32, 8] {
        if !reduces {
            list.push((format!("a work-item for each row, groups of {group}"), 1, group, Box::new(move |n| n.div_ceil(group))));
        }
    }
    for (group, most) in [(256, 1024), (1, 64), (1, 256), (1, 1024), (1, 4096)] {
        list.push((format!("spans, {most} groups of {group}"), 2, group, Box::new(move |n| n.min(most))));
    }
    if !reduces {
        list.push(("spans, 64 groups of 16 that all work".into(), 3, 16, Box::new(move |n| n.div_ceil(16).min(64))));
    }
    list
}

fn by_hand(body: &str, reduces: bool, (_, form, group, groups): Form) -> Kernel {
    let (source, size) = (format!("{body}{FORMS}"), group);
    let grid = Grid::new([group, 1, 1], move |n| [groups(n) * size, 1, 1]);
    // SAFETY: rows and elements are those of the iteration.
    let source = unsafe { DeviceSource::new(source, "entry", grid) };
    let options = format!("-w -DFORM={form} -DGROUP={group} -DREDUCES={}", u8::from(reduces));
    Kernel::new("by hand").opencl_source(source.options(options))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs all in turns and prints medians, and each by the first.
fn in_turns(what: &str, list: &mut [(String, Box<dyn FnMut() -> Result<()> + '_>)]) -> Result<()> {
    let mut times = vec![Vec::new(); list.len()];
    for round in 0..ROUNDS + 2 {
        for (at, (_, run)) in list.iter_mut().enumerate() {
            let start = Instant::now();
            run()?;
            // The first two are to warm up.
            if round > 1 {
                times[at].push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    for ((name, _), us) in list.iter().zip(&medians) {
        println!("{what};{name};{us:.1};{:.2}", us / medians[0]);
    }
    Ok(())
}

fn same(got: &[f64], expected: &[f64], what: &str) {
    let wrong = got.iter().zip(expected).position(|(a, b)| (a - b).abs() > 1e-9 * b.abs().max(1.0));
    assert!(got.len() == expected.len() && wrong.is_none(), "{what}: {wrong:?}");
}

fn run(rt: &Runtime, n: usize, bound: Bound<'_>) -> Result<()> {
    rt.parallel_for(0..n, bound).policy("BLOCK".parse::<Policy>()?).run().map(drop)
}

fn sum(rt: &Runtime, n: usize, bound: Bound<'_>) -> Result<f64> {
    Ok(rt.parallel_for(0..n, bound).policy("BLOCK".parse::<Policy>()?).reduce::<f64>(Sum)?.value)
}

fn main() -> Result<()> {
    let hand = std::env::args().nth(1).is_some_and(|word| word == "forms");
    let (host, opencl) = (Runtime::detect_only("0")?, Runtime::detect_only("opencl:0")?);
    println!("kernel;form;median us;by the host");
    for (n, length) in [(1000, 5), (400_000, 5), (100_000, 20), (20_000, 100), (1000, 2000), (100, 2000)] {
        let starts: Vec<u32> = (0..=n).map(|i| (i * length) as u32).collect();
        let size = n * length;
        let columns: Vec<u32> = (0..size).map(|k| ((k / length + k * 7919 % 1000 + n - n.min(500)) % n) as u32).collect();
        let values: Vec<f64> = (0..size).map(|k| 1.0 + (k % 13) as f64 * 0.25).collect();
        let x: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let row = |i: usize| i * length..(i + 1) * length;
        let wanted: Vec<f64> = (0..n).map(|i| row(i).map(|k| values[k] * x[columns[k] as usize]).sum()).collect();
        let all: f64 = (0..n).map(|i| row(i).map(|k| values[k] * values[k]).sum::<f64>().sqrt()).sum();
        let (starts, columns, values, x, wanted) = (&starts[..], &columns[..], &values[..], &x[..], &wanted[..]);

        let mut list: Vec<(String, Box<dyn FnMut() -> Result<()> + '_>)> = Vec::new();
        for (name, rt) in [("host", &host), ("opencl", &opencl)] {
            let mut y = vec![0.0; n];
            list.push((name.into(), Box::new(move || {
                run(rt, n, product(starts, columns, values, x, &mut y))?;
                same(&y, wanted, name);
                Ok(())
            })));
        }
        for form in forms(false).into_iter().filter(|_| hand) {
            let (name, mut y, rt) = (form.0.clone(), vec![0.0; n], &opencl);
            let kernel = by_hand(PRODUCT, false, form);
            list.push((name.clone(), Box::new(move || {
                run(rt, n, kernel.bind().to(starts).full().to(columns).full().to(values).full().to(x).full().from(&mut y).align())?;
                same(&y, wanted, &name);
                Ok(())
            })));
        }
        in_turns(&format!("product, {n} rows of {length}"), &mut list)?;

        let mut list: Vec<(String, Box<dyn FnMut() -> Result<()> + '_>)> = Vec::new();
        for (name, rt) in [("host", &host), ("opencl", &opencl)] {
            list.push((name.into(), Box::new(move || Ok(same(&[sum(rt, n, norms(starts, values))?], &[all], name)))));
        }
        for form in forms(true).into_iter().filter(|_| hand) {
            let (name, rt) = (form.0.clone(), &opencl);
            let kernel = by_hand(NORMS, true, form);
            list.push((name.clone(), Box::new(move || {
                Ok(same(&[sum(rt, n, kernel.bind().to(starts).full().to(values).full())?], &[all], &name))
            })));
        }
        in_turns(&format!("norms, {n} rows of {length}"), &mut list)?;
    }
    for (n, m) in [(100_000, 20), (20_000, 100), (1000, 2000), (100, 2000)] {
        let a: Vec<f32> = (0..n * m).map(|k| (k % 13) as f32 * 0.25).collect();
        let x: Vec<f32> = (0..m).map(|j| (j % 7) as f32).collect();
        let wanted: Vec<f64> = (0..n).map(|i| (0..m).map(|j| f64::from(a[i * m + j] * x[j])).sum()).collect();
        let (a, x, wanted) = (&a[..], &x[..], &wanted[..]);
        let mut list: Vec<(String, Box<dyn FnMut() -> Result<()> + '_>)> = Vec::new();
        let check = move |y: &[f32], what: &str| same(&y.iter().map(|&y| f64::from(y)).collect::<Vec<_>>(), wanted, what);
        for (name, rt) in [("host", &host), ("opencl", &opencl)] {
            let mut y = vec![0.0; n];
            list.push((name.into(), Box::new(move || {
                run(rt, n, matvec(m, a, x, &mut y))?;
                check(&y, name);
                Ok(())
            })));
        }
        for form in forms(false).into_iter().filter(|_| hand) {
            let (name, mut y, rt) = (form.0.clone(), vec![0.0; n], &opencl);
            let kernel = by_hand(MATVEC, false, form);
            list.push((name.clone(), Box::new(move || {
                run(rt, n, kernel.bind().scalar(m as u64).to(a).align_rows(m).to(x).full().from(&mut y).align())?;
                check(&y, &name);
                Ok(())
            })));
        }
        in_turns(&format!("matvec, {n} rows of {m}"), &mut list)?;
    }
    Ok(())
}
