//! Workloads on the host, by Apportion, rayon and OpenMP.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion::units::Seconds;
use apportion_benches::loops::Contest;
use apportion_benches::openmp;
use criterion::{Criterion, criterion_group};
use std::time::Duration;

fn workloads(c: &mut Criterion) {
    for workload in ["axpy", "sum", "matvec", "stencil2d", "bm2d", "matmul"] {
        // The triple loop takes minutes at the medium size.
        let n = if workload == "matmul" { Some(1024) } else { None };
        let mut contest = Contest::new(workload, n).expect("the workload fits");
        contest.verify().expect("all sides agree");
        let mut group = c.benchmark_group(format!("{workload} {}", contest.n()));
        group.sample_size(10);
        let total = |count: u64, one: &mut dyn FnMut() -> Seconds| -> Duration {
            (0..count).map(|_| Duration::from_secs_f64(one().0)).sum()
        };
        group.bench_function("apportion", |b| b.iter_custom(|count| total(count, &mut || contest.ours().0)));
        if workload == "matmul" {
            group.bench_function("triple loop", |b| b.iter_custom(|count| total(count, &mut || contest.triple_loop())));
        } else {
            group.bench_function("rayon", |b| b.iter_custom(|count| total(count, &mut || contest.rayon().0)));
        }
        if contest.without_openmp().is_none() {
            group.bench_function("openmp", |b| {
                b.iter_custom(|count| {
                    total(count, &mut || contest.openmp().map_or(Seconds::ZERO, |(elapsed, _)| elapsed))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, workloads);

fn main() {
    openmp::bind_threads();
    benches();
    Criterion::default().configure_from_args().final_summary();
}
