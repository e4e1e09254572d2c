//! A sparse product over page-locked arrays, whose matrix is divided by its rows or replicated: `spmv ROWS DEVICES ..`.
use apportion::prelude::*;
use std::time::Instant;

#[kernel]
#[map(starts: full, columns: full, values: full, x: full)]
fn replicated(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: full)]
fn by_rows(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: align halo(width))]
fn near(i: usize, width: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n: usize = args[0].parse().unwrap();
    let rt = Runtime::detect()?;
    let (each, width) = (27, 10_000usize.min(n / 2));
    let starts: Vec<u32> = (0..=n).map(|i| (each * i) as u32).collect();
    let starts = HostVec::from_slice(&starts)?;
    let columns = HostVec::from_fn(each * n, |k| {
        let i = k / each;
        let (low, high) = (i.saturating_sub(width), (i + width).min(n - 1));
        (low + (k * 7919) % (high - low + 1)) as u32
    })?;
    let values = HostVec::from_fn(each * n, |k| (k % 13) as f64 - 6.0)?;
    let x = HostVec::from_fn(n, |i| (i % 11) as f64)?;
    let mut y = HostVec::filled(n, 0.0f64)?;
    let bytes = each * n * 12 + n * 20;
    for devices in &args[1..] {
        for policy in ["BLOCK", "SCHED_DYNAMIC:2%", "AUTO"] {
            for what in ["replicated", "by rows", "near"] {
                let mut times = Vec::new();
                for _ in 0..9 {
                    y.fill(-1.0);
                    let bound = match what {
                        "replicated" => replicated(&starts, &columns, &values, &x, &mut y),
                        "by rows" => by_rows(&starts, &columns, &values, &x, &mut y),
                        _ => near(width, &starts, &columns, &values, &x, &mut y),
                    };
                    let start = Instant::now();
                    rt.parallel_for(0..n, bound).devices(&**devices).policy(policy.parse::<Policy>()?).run()?;
                    times.push(start.elapsed().as_secs_f64() * 1e3);
                    for i in (0..n).step_by(n / 100 + 1) {
                        let sum: f64 = (each * i..each * (i + 1)).map(|k| values[k] * x[columns[k] as usize]).sum();
                        assert_eq!(y[i], sum);
                    }
                }
                times.remove(0);
                times.sort_by(f64::total_cmp);
                let median = times[times.len() / 2];
                println!("{devices} {policy} {what}: {median:.2} ms, {:.1} GB/s", bytes as f64 / median / 1e6);
            }
        }
    }
    Ok(())
}
