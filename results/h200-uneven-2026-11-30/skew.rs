use apportion::kernel::{Bound, CudaVariant};
use apportion::prelude::*;
use std::time::Instant;
#[kernel]
#[map(columns: rows_at(starts), values: rows_at(starts), x: full)]
pub fn product(i: usize, starts: &[u32], columns: &[u32], values: &[f64], x: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    y[i] = sum;
}
fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
fn main() -> Result<()> {
    let rt = Runtime::detect()?;
    let n: usize = std::env::args().nth(1).map_or(4_000_000, |t| t.parse().unwrap());
    let mut starts: Vec<u32> = vec![0];
    for i in 0..n {
        let len = (std::env::var("TOP").map_or(10_000_000, |t| t.parse::<usize>().unwrap()) / (1000 + i)).max(1) as u32;
        starts.push(starts[i] + len);
    }
    let nnz = *starts.last().unwrap() as usize;
    let near = std::env::var_os("NEAR").is_some();
    let columns = HostVec::from_fn(nnz, |k| if near { (k / 20 % n) as u32 } else { ((k as u64 * 2654435761) % n as u64) as u32 })?;
    let values = HostVec::from_fn(nnz, |k| (k % 7) as f64)?;
    let x = HostVec::from_fn(n, |k| (k % 5) as f64)?;
    let mut y = HostVec::<f64>::zeroed(n)?;
    let half = starts.partition_point(|s| (*s as usize) < nnz / 2);
    println!("{}", form(&product(&starts, &columns, &values, &x, &mut y)));
    println!("{n} rows, {nnz} elements, half of them in the first {half} rows");
    let gpus = rt.devices().filter(|d| d.name.starts_with("cuda")).count();
    let only = std::env::var_os("ALONE").is_some();
    for devices in if only { vec![1] } else { vec![1, 2, 4] }.into_iter().filter(|d| *d <= gpus) {
        let names: Vec<String> = (1..=devices).map(|d| d.to_string()).collect();
        let names = names.join(",");
        for policy in if std::env::var_os("REGION").is_some() { vec![] } else if std::env::var_os("ONE").is_some() { vec!["BLOCK"] } else { vec!["BLOCK", "SCHED_DYNAMIC", "SCHED_GUIDED", "MODEL_1_AUTO", "MODEL_2_AUTO", "AUTO"] } {
            let mut times = Vec::new();
            for _ in 0..std::env::var("TIMES").map_or(9, |t| t.parse::<usize>().unwrap()) {
                let start = Instant::now();
                rt.parallel_for(0..n, product(&starts, &columns, &values, &x, &mut y))
                    .devices(names.as_str())
                    .policy(policy)
                    .run()?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            println!("{devices} GPUs, {policy}: {:.3} ms", median(times));
            if std::env::var_os("TRACE").is_some() {
                let report = rt
                    .parallel_for(0..n, product(&starts, &columns, &values, &x, &mut y))
                    .devices(names.as_str())
                    .policy(policy)
                    .run()?;
                println!("{report}");
                for device in &report.devices {
                    for piece in &device.pieces {
                        println!("{} {piece:?}", device.name);
                    }
                }
            }
        }
        let (mut y1, mut y2) = (vec![0.0; n], vec![0.0; n]);
        let mut region = rt.data_region().devices(names.as_str());
        let s_ = region.to(&starts, [n + 1].halo_sides(0, 1));
        let c_ = region.to(&columns, [nnz].rows_at(&starts));
        let v_ = region.to(&values, [nnz].rows_at(&starts));
        let x_ = region.to(&x, [n].full());
        let (y1, y2) = (region.tofrom(&mut y1, [n]), region.tofrom(&mut y2, [n]));
        for _ in 0..20 {
            region.parallel_for(0..n, product(s_, c_, v_, x_, y1)).run()?;
        }
        region.wait()?;
        let start = Instant::now();
        for k in 0..200 {
            region.parallel_for(0..n, product(s_, c_, v_, x_, if k % 2 == 0 { y1 } else { y2 })).run()?;
        }
        region.wait()?;
        println!("{devices} GPUs, in a region: {:.1} us", start.elapsed().as_secs_f64() * 1e6 / 200.0);
        println!("{}", region.finish()?);
    }
    Ok(())
}
fn form(bound: &Bound<'_>) -> String {
    let Some(CudaVariant::Source(source)) = bound.kernel().cuda_variant() else { return "none".into() };
    let words = source.compiler_options();
    words.split(' ').filter(|word| word.contains("AP_LINE=") || word.contains("CAPPED")).collect::<Vec<_>>().join(" ")
}
