//! What the runtime costs where the loop itself costs nothing.
#![allow(missing_docs, reason = "criterion's macros make a public function")]

use apportion_benches::handout;
use apportion_benches::overhead::EmptyLoop;
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn empty_loop(c: &mut Criterion) {
    let empty = EmptyLoop::new().expect("the machine's threads can be had");
    let mut group = c.benchmark_group("empty parallel_for");
    group.bench_function("apportion", |b| b.iter(|| empty.ours()));
    group.bench_function("rayon", |b| b.iter(|| empty.rayon()));
    group.finish();
}

fn hand_out(c: &mut Criterion) {
    let mut group = c.benchmark_group("hand-out of a chunk");
    for proxies in [1, 16] {
        group.bench_function(format!("{proxies} proxies"), |b| {
            b.iter_custom(|chunks| {
                let per_chunk = handout::contended(proxies, chunks.max(1000), false);
                Duration::from_secs_f64(per_chunk.0 * chunks as f64)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, empty_loop, hand_out);
criterion_main!(benches);
